/* SPDX-License-Identifier: Apache-2.0
 *
 * apply. T has the pattern of A, so its indices are copied and only values are computed. Three
 * shortcuts:
 *   - a mask that exists in the orientation of T cuts the pattern before any value is computed,
 *     unless it is a vector far longer than nnz(A), in which gb_finish looks up A's entries;
 *   - where all values of T are equal (A iso, or an operator that ignores them), one is computed;
 *   - IDENTITY without a cast is a copy.
 * A = f(A) without mask and accumulator replaces values in place: that cannot fail. A dense matrix
 * stays dense, unless a mask leaves few entries; its transpose is made for the call.
 *
 * select keeps the representation of A, and its one value when A is iso. The mask is left to
 * finish: most entries that it would cut are dropped anyway. A records an empty main diagonal until
 * it is written, so that a second select of loops costs O(1).
 */
#include "ops/operations.h"

#include "ops/deferred.h"
#include "ops/device.h"

static gb_MapArgs args_of(const gb_Map *map, const gb_Matrix *A, const gb_MapSource *source) {
    return (gb_MapArgs){.map = *map,
                        .xtype = A->type,
                        .major_is_row = source->format == GB_CSR,
                        .width = source->width,
                        .nthreads = gb_nthreads()};
}

gb_Type *gb_map_ztype(const gb_Map *map) {
    return map->unary ? map->unary->ztype : map->binary ? map->binary->ztype : map->index->ztype;
}

static bool is_copy(const gb_Map *map, const gb_Type *type) {
    return map->unary && map->unary->code == GB_IDENTITY && map->unary->ztype == type;
}

/* Whether all entries of the result have the same value. */
static bool gives_one_value(const gb_Map *map, bool iso) {
    if (map->index) return iso && map->index->code >= GB_VALUEEQ && map->index->code <= GB_VALUEGE;
    if (map->unary) return iso || map->unary->code == GB_ONE;
    return iso ||
           !(map->bound_first ? gb_binary_uses_y(map->binary) : gb_binary_uses_x(map->binary));
}

void gb_map_one(const gb_MapArgs *args, const void *x, void *z) {
    static const gb_Off p[2] = {0, 1};
    static const gb_Idx zero = 0;
    const gb_CsView one = {.nmajor = 1,
                           .nminor = 1,
                           .nvals = 1,
                           .p = p,
                           .i = &zero,
                           .x = x,
                           .xsize = args->xtype->size,
                           .iso = true,
                           .sorted = true};
    gb_backend()->apply_cs(args, &one, z);
}

/* all: every value will be written; else none may be indeterminate, see gb_dense_alloc. */
static gbl_Info new_values(void **z, size_t *bytes, uint64_t n, const gb_Type *type, bool all) {
    *bytes = gb_size_of(n, type->size);
    *z = all ? gb_malloc(*bytes) : type->size == 1 ? gb_calloc(*bytes) : gb_malloc_set(*bytes);
    return *z != NULL || *bytes == 0 ? GBL_SUCCESS : gb_fail_memory(*bytes);
}

static gbl_Info cut_to_mask(gb_Result *T, const gb_Mask *mask, const gb_CsView *view) {
    gb_MaskView cut;
    gbl_Info info = gb_mask_get(&cut, mask, T->format);
    if (info != GBL_SUCCESS) return info;
    info = gb_backend()->filter(view, &cut.view, !mask->complement, &T->cs, gb_nthreads());
    gb_mask_release(&cut);
    T->masked = info == GBL_SUCCESS;
    return info;
}

/* A has entries. */
static gbl_Info apply_cs(gb_Result *T, const gb_Mask *mask, const gb_MapArgs *args,
                         const gb_CsView *A) {
    const bool copy = is_copy(&args->map, args->xtype);
    const bool one = gives_one_value(&args->map, A->iso) && !copy;
    const bool cut = mask->M != NULL && A->sorted && (gb_has(mask->M) & gb_has_bit(T->format)) &&
                     !(gb_is_vector(mask->M) && A->nvals < mask->M->nvals / GB_GALLOP_RATIO);
    gb_CsView taken = *A, values = *A;
    if (one || !(cut || copy)) taken.x = NULL;
    gbl_Info info =
        cut ? cut_to_mask(T, mask, &taken) : gb_backend()->copy_cs(&taken, &T->cs, args->nthreads);
    if (info != GBL_SUCCESS || copy) return info;

    if (cut) values = gb_cs_view(&T->cs, A->nminor, A->xsize);
    void *z;
    size_t bytes;
    info = new_values(&z, &bytes, one && T->cs.nvals > 0 ? 1 : T->cs.nvals, T->type, true);
    if (info != GBL_SUCCESS) return info;
    if (!one)
        info = gb_backend()->apply_cs(args, &values, z);
    else if (T->cs.nvals > 0)
        gb_map_one(args, A->x, z);
    gb_free(T->cs.x, T->cs.xcap);
    T->cs.x = z;
    T->cs.xcap = bytes;
    T->cs.iso = one;
    return info;
}

/* A value of u, which has one. */
static const void *any_value(const gb_DenseView *u) {
    uint64_t k = 0;
    while (u->b != NULL && !u->b[k]) k++;
    return (const char *)u->x + (u->iso ? 0 : k * u->xsize);
}

static gbl_Info apply_dense(gb_Result *T, const gb_MapArgs *args, const gb_DenseView *u) {
    const bool copy = is_copy(&args->map, args->xtype);
    const bool one = gives_one_value(&args->map, u->iso) && !copy;
    gb_DenseView taken = *u;
    if (!copy) taken.x = NULL;
    gbl_Info info = gb_backend()->copy_dense(&taken, &T->dense, args->nthreads);
    if (info != GBL_SUCCESS || copy) return info;
    info = new_values(&T->dense.x, &T->dense.xcap, one ? 1 : u->n, T->type, u->b == NULL);
    if (info != GBL_SUCCESS) return info;
    if (one)
        gb_map_one(args, any_value(u), T->dense.x);
    else
        info = gb_backend()->apply_dense(args, u, T->dense.x);
    T->dense.iso = one;
    return info;
}

/* A = f(A) can be done on the values of the one representation in source. */
static bool is_in_place(const gb_MapSource *source, const gb_Map *map, const gb_Matrix *A) {
    return gb_map_ztype(map) == A->type && A->type->code != GBL_UDT_CODE && !A->iso &&
           !source->is_empty && (source->is_dense || !gb_is_lent(A->cs[source->format].lender)) &&
           !is_copy(map, A->type) && !gives_one_value(map, false);
}

static void apply_in_place(gb_Matrix *A, const gb_MapSource *source, const gb_MapArgs *args) {
    if (source->is_dense) {
        gb_matrix_keep_only(A, GBL_HAS_BITMAP | GBL_HAS_FULL);
        gb_backend()->apply_dense(args, &source->dense, A->dense.x);
    } else {
        gb_matrix_keep_only(A, gb_has_bit(source->format));
        gb_backend()->apply_cs(args, &source->cs, A->cs[source->format].x);
    }
}

static gbl_Info apply_host(const void *call) {
    const gb_Apply *job = call;
    gb_Matrix *C = job->C, *A = job->A;
    const gb_Mask *mask = &job->mask;
    const bool onto_itself =
        C == A && !job->transpose && mask->M == NULL && !mask->complement && job->accum == NULL;
    gb_MapSource source = {0};
    gbl_Info info = gb_map_source_or_cells(&source, A, mask, job->transpose);
    if (info != GBL_SUCCESS) return info;
    gb_Result T = {
        .type = gb_map_ztype(&job->map), .format = source.format, .is_dense = source.is_dense};
    const gb_MapArgs args = args_of(&job->map, A, &source);
    if (source.is_empty) return gb_finish(C, mask, job->accum, &T);
    if (onto_itself && is_in_place(&source, &job->map, A)) {
        apply_in_place(A, &source, &args);
        return GBL_SUCCESS;
    }
    info = source.is_dense ? apply_dense(&T, &args, &source.dense)
                           : apply_cs(&T, mask, &args, &source.cs);
    gb_dense_free(&source.turned);
    return gb_finish_if(info, C, mask, job->accum, &T);
}

/* -- select */

static bool is_main_diagonal(const gb_Map *map) {
    int64_t k;
    if (map->index->code != GB_DIAG) return false;
    gb_cast(gb_type_of(GBL_INT64_CODE), &k, map->index->ytype, map->bound, 1, 1);
    return k == 0;
}

/* The rows (or columns) on one side of a bound. */
static gbl_Info select_majors(gb_Cs *cs, const gb_Map *map, const gb_CsView *A) {
    const bool above = map->index->code == GB_ROWGT || map->index->code == GB_COLGT;
    int64_t y;
    gb_cast(gb_type_of(GBL_INT64_CODE), &y, map->index->ytype, map->bound, 1, 1);
    const uint64_t last = A->nmajor - 1;
    const uint64_t cut = y < 0 ? 0 : ((uint64_t)y < last ? (uint64_t)y : last) + 1;
    const gb_Off from = above ? A->p[cut] : A->p[0], end = A->p[above ? A->nmajor : cut];
    const uint64_t n = end - from, values = A->iso ? n > 0 : n;
    const gbl_Info info = gb_cs_alloc(cs, A->nmajor, n, values * A->xsize);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t r = 0; r <= A->nmajor; r++)
        cs->p[r] = A->p[r] < from ? 0 : (A->p[r] < end ? A->p[r] : end) - from;
    if (n > 0) memcpy(cs->i, A->i + from, n * sizeof *cs->i);
    if (n > 0)
        memcpy(cs->x, (const char *)A->x + (A->iso ? 0 : from * A->xsize), values * A->xsize);
    cs->nvals = n;
    cs->iso = A->iso;
    cs->sorted = A->sorted;
    return GBL_SUCCESS;
}

static gbl_Info select_entries(gb_Result *T, const gb_MapArgs *args, const gb_MapSource *source) {
    const gb_Opcode code = args->map.index->code;
    const bool by_rows = code == GB_ROWLE || code == GB_ROWGT;
    if (!source->is_dense && source->cs.nmajor > 1 &&
        (by_rows || code == GB_COLLE || code == GB_COLGT) && by_rows == args->major_is_row)
        return select_majors(&T->cs, &args->map, &source->cs);
    return source->is_dense ? gb_backend()->select_dense(args, &source->dense, &T->dense)
                            : gb_backend()->select_cs(args, &source->cs, &T->cs);
}

/* One value stands for all: all entries stay, or none. */
static gbl_Info select_iso(const gb_Apply *job, const gb_MapArgs *args, const void *x) {
    gb_Result none = {.type = job->A->type, .format = GB_CSR};
    const gb_Transpose copy = {job->C, job->mask, job->accum, job->A, job->transpose};
    gb_Builtin z;
    gb_map_one(args, x, &z);
    return gb_is_true(job->map.index->ztype, &z) ? gb_op_transpose.host(&copy)
                                                 : gb_finish(job->C, &job->mask, job->accum, &none);
}

static gbl_Info select_host(const void *call) {
    const gb_Apply *job = call;
    gb_Matrix *C = job->C, *A = job->A;
    gb_MapSource source;
    const bool diagonal = is_main_diagonal(&job->map);
    gbl_Info info = gb_map_source_or_cells(&source, A, &job->mask, job->transpose);
    if (info != GBL_SUCCESS) return info;
    gb_Result T = {.type = A->type, .format = source.format, .is_dense = source.is_dense};
    if (!source.is_empty && diagonal &&
        __atomic_load_n(&A->diagonal, __ATOMIC_RELAXED) == GB_DIAGONAL_EMPTY) {
        gb_dense_free(&source.turned);
        source.is_empty = true;
        T.is_dense = false;
    }
    if (source.is_empty) return gb_finish(C, &job->mask, job->accum, &T);
    const gb_MapArgs args = args_of(&job->map, A, &source);
    if (gives_one_value(&job->map, A->iso) && !source.is_dense)
        return select_iso(job, &args, source.cs.x);
    info = select_entries(&T, &args, &source);
    gb_dense_free(&source.turned);
    if (info != GBL_SUCCESS) return info;
    if (diagonal && (source.is_dense ? T.dense.nvals : T.cs.nvals) == 0)
        __atomic_store_n(&A->diagonal, GB_DIAGONAL_EMPTY, __ATOMIC_RELAXED);
    return gb_finish(C, &job->mask, job->accum, &T);
}

/* -- on the device; what selects is not cast: its entries keep the values that they have */

static const char *index_map(gb_DeviceMap *device, const gb_Map *map) {
    const gb_IndexUnaryOp *op = map->index;
    device->op = (int)op->code;
    device->to = op->ztype->code;
    if (op->code == GB_USER) return gb_refuse_operator(GB_USER, op->ztype);
    if (gb_is_by_position(op->code)) {
        device->type = GBL_INT64_CODE;
        gb_cast(gb_type_of(GBL_INT64_CODE), &device->bound, op->ytype, map->bound, 1, 1);
        return NULL;
    }
    device->type = op->xtype->code;
    const char *refusal = gb_refuse_operator((int)op->code, op->xtype);
    if (refusal == NULL) memcpy(&device->bound, map->bound, op->xtype->size);
    return refusal;
}

/* Built-in binary operators have one type for both arguments. */
static const char *value_map(gb_DeviceMap *device, const gb_Map *map) {
    const gb_UnaryOp *unary = map->unary;
    const gb_BinaryOp *binary = map->binary;
    const gb_Opcode op = unary != NULL ? unary->code : binary->code;
    device->op = (int)op;
    device->is_unary = unary != NULL;
    device->bound_first = map->bound_first;
    device->to = unary != NULL ? unary->ztype->code : binary->ztype->code;
    const gb_Type *type = unary != NULL ? unary->xtype : binary->xtype;
    const char *refusal = gb_refuse_operator((int)op, type);
    device->type = type->code;
    if (refusal == NULL && binary != NULL) memcpy(&device->bound, map->bound, type->size);
    return refusal;
}

static const char *device_map(gb_DeviceMap *device, const gb_Map *map) {
    *device = (gb_DeviceMap){0};
    return map->index != NULL ? index_map(device, map) : value_map(device, map);
}

const char *gb_device_test(gb_DeviceMap *device, const gb_Map *map, const gb_Type *type) {
    const char *refusal = device_map(device, map);
    if (refusal != NULL) return refusal;
    if (map->index->xtype != NULL && map->index->xtype->code != type->code)
        return "the operator is of another type than the values, which are not cast";
    return device->to == GBL_BOOL_CODE ? NULL
                                       : "the operator is not one of those that are true or false";
}

static const char *refuse_apply(const void *call) {
    const gb_Apply *job = call;
    gb_DeviceMap map;
    const char *refusal = gb_refuse_operand(job->A);
    if (refusal == NULL) refusal = device_map(&map, &job->map);
    if (refusal != NULL || gb_is_by_position(map.op)) return refusal;
    return gb_refuse_cast(job->A, gb_type_of(map.type));
}

static const char *refuse_select(const void *call) {
    const gb_Apply *job = call;
    gb_DeviceMap map;
    const char *refusal = gb_refuse_operand(job->A);
    return refusal != NULL ? refusal : gb_device_test(&map, &job->map, job->A->type);
}

static gbl_Info run_device(const gb_Apply *job, bool selects) {
    const gb_Device *device = gb_device();
    gb_DeviceMap map;
    (void)device_map(&map, &job->map); /* it was not refused */
    const bool by_position = gb_is_by_position(map.op);
    const gb_Type *type = selects || by_position ? job->A->type : gb_type_of(map.type);
    gb_Result T = {.type = selects ? job->A->type : gb_type_of(map.to)};
    gb_DeviceOperand A;
    gb_DeviceCs *made = NULL;
    gbl_Info info = gb_device_operand(&A, job->A, job->transpose ? GB_CSC : GB_CSR, type);
    if (info != GBL_SUCCESS) return info;
    info = selects ? device->select(&map, A.copy, &made) : device->apply(&map, A.copy, &made);
    gb_device_operand_release(&A);
    if (info != GBL_SUCCESS) return info;
    gb_result_adopt(&T, job->C, made);
    return gb_finish(job->C, &job->mask, job->accum, &T);
}

static gbl_Info apply_device(const void *call) {
    return run_device(call, false);
}

static gbl_Info select_device(const void *call) {
    return run_device(call, true);
}

/* -- the descriptors */

static gbl_Info check_map(const gb_Apply *call, const gb_Type *ztype, const gb_Type *xtype) {
    const bool vector = gb_is_vector(call->C);
    gbl_Info info = gb_check_output(call->C, &call->mask, call->accum, ztype);
    if (info == GBL_SUCCESS && xtype != NULL)
        info =
            gb_check_cast(xtype, call->A->type, vector ? "u into op's input" : "A into op's input");
    if (info == GBL_SUCCESS)
        info = gb_check_shape(call->A, call->transpose, call->C->nrows, call->C->ncols,
                              vector ? "u" : "A");
    return info;
}

/* The type of the argument that is not bound; NULL: the values are not looked at. */
static const gb_Type *map_xtype(const gb_Map *map) {
    if (map->index != NULL) return map->index->xtype;
    if (map->unary != NULL) return map->unary->xtype;
    return map->bound_first ? map->binary->ytype : map->binary->xtype;
}

static gbl_Info check_apply(const void *asked) {
    const gb_Apply *call = asked;
    return check_map(call, gb_map_ztype(&call->map), map_xtype(&call->map));
}

static gbl_Info check_select(const void *asked) {
    const gb_Apply *call = asked;
    const gb_IndexUnaryOp *op = call->map.index;
    const gbl_Info info =
        gb_check_cast(gb_type_of(GBL_BOOL_CODE), op->ztype, "op's result to true or false");
    return info == GBL_SUCCESS ? check_map(call, call->A->type, op->xtype) : info;
}

/* C = f(C) may be the end of the product that C is to become. */
static bool follows_product(const gb_Apply *call) {
    const gb_Matrix *C = call->C;
    return gb_is_deferred(C) && C == call->A && call->mask.M == NULL && !call->mask.complement &&
           call->accum == NULL && !call->transpose &&
           gb_deferred_join(call->C, GB_FOLLOWS_MAP, &call->map);
}

static gbl_Info defer_select(const void *asked, bool *deferred) {
    *deferred = follows_product(asked);
    return GBL_SUCCESS;
}

static gbl_Info defer_apply(const void *asked, bool *deferred) {
    const gb_Apply *call = asked;
    const gb_Map *map = &call->map;
    if (map->index != NULL) return GBL_SUCCESS;
    const gb_ValueCall values = {.w = call->C,
                                 .x = call->A,
                                 .unary = map->unary,
                                 .binary = map->binary,
                                 .bound = map->bound,
                                 .bound_first = map->bound_first};
    *deferred = follows_product(call) ||
                (gb_may_defer_values(call->C, &call->mask) && call->accum == NULL &&
                 !call->transpose && gb_values_defer(&values));
    return GBL_SUCCESS;
}

/* Operators by position see true indices. */
static gbl_Info run_core(const gb_HyperCall *hyper, void *core) {
    gb_Apply *call = core;
    gb_PositionOp op;
    if (call->map.index != NULL && gb_sees_positions(call->map.index)) {
        op = gb_position_op(call->map.index, hyper->list[GB_DIM_ROWS],
                            gb_is_vector(call->C) ? NULL : hyper->list[GB_DIM_COLS]);
        call->map.index = &op.op;
    }
    return gb_execute(hyper->op, core, NULL);
}

#define GB_OP_OF_APPLY(NAME)                                                                       \
    GB_OP(NAME, gb_Apply), .A = GB_INPUT_TRANSPOSED(gb_Apply, A, transpose, ROWS, COLS),           \
                           .few = gb_run_few, .compact = run_core, .follows = true

const gb_Op gb_op_apply = {
    GB_OP_OF_APPLY("apply"), .check = check_apply, .full_iso = gb_apply_full_iso,
    .defer = defer_apply,    .host = apply_host,   .device = apply_device,
    .refuse = refuse_apply};
const gb_Op gb_op_select = {
    GB_OP_OF_APPLY("select"), .check = check_select, .full_iso = gb_select_full_iso,
    .defer = defer_select,    .host = select_host,   .device = select_device,
    .refuse = refuse_select};
