/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls with a full iso operand F, at whose every position the value f is (matrix/object.h). None
 * of F's positions is listed where that can be avoided, so time and memory do not depend on its
 * dimensions:
 *   - F as a mask allows all or nothing;
 *   - op(A, F) on the intersection is an apply with f as the bound argument;
 *   - a result of one value at all positions is assigned as a scalar: f itself, an operator on f, a
 *     fold of a row of F;
 *   - inside a mask that is not complemented F is replaced by f at the positions of the mask;
 *   - parts of F that an index operator selects are made row by row.
 * What is left lists positions, or fails where there are too many (gb_fail_positions).
 */
#include "ops/operations.h"
#include "semiring/cast.h"

/* A value of any type, which outlives the object that it was taken from. */
typedef struct {
    const gb_Type *type;
    void *x;
    uint64_t space[2]; /* x, where it fits */
} OneValue;

/* C<M> accum= a result that has the value at all positions. */
typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum;
} Target;

/* -- values ------------------------------------------------------------------------------------ */

static gbl_Info new_value(OneValue *value, const gb_Type *type) {
    *value = (OneValue){.type = type};
    if (type->size > sizeof value->space) {
        value->x = gb_malloc(type->size);
        if (value->x == NULL) return gb_fail_memory(type->size);
    }
    return GBL_SUCCESS;
}

/* Where it is; the struct may have been moved. */
static void *at(OneValue *value) {
    return value->x != NULL ? value->x : value->space;
}

/* *value = *x as one of `type`. To be released also after a failure. */
static gbl_Info one_value(OneValue *value, const gb_Type *type, const gb_Type *from,
                          const void *x) {
    const gbl_Info info = new_value(value, type);
    if (info == GBL_SUCCESS) gb_cast(type, at(value), from, x, 1, 1);
    return info;
}

static void one_value_release(OneValue *value) {
    if (value->x != NULL) gb_free(value->x, value->type->size);
    value->x = NULL;
}

static gbl_Info value_of(OneValue *value, const gb_Type *type, const gb_Matrix *F) {
    return one_value(value, type, F->type, F->dense.x);
}

/* *z = op(*x, *y), values of those types. */
static gbl_Info combine(OneValue *z, const gb_BinaryOp *op, const gb_Array x[2]) {
    OneValue a = {0}, b = {0};
    gbl_Info info = new_value(z, op->ztype);
    if (info == GBL_SUCCESS) info = one_value(&a, op->xtype, x[0].type, x[0].x);
    if (info == GBL_SUCCESS) info = one_value(&b, op->ytype, x[1].type, x[1].x);
    if (info == GBL_SUCCESS) op->scalar(at(z), at(&a), at(&b));
    one_value_release(&a);
    one_value_release(&b);
    return info;
}

static gb_Array array_of(const gb_Matrix *F) {
    return (gb_Array){.type = F->type, .x = F->dense.x, .n = 1};
}

static Target target_of(const gb_Op *op, const void *call) {
    const char *bytes = call;
    return (Target){*(gb_Matrix *const *)call, *(const gb_Mask *)(const void *)(bytes + op->mask),
                    *(const gb_BinaryOp *const *)(const void *)(bytes + op->accum)};
}

/* value NULL: the result has no entries. */
static gbl_Info assign_one(const Target *target, OneValue *value) {
    const gb_Array one = {.type = value != NULL ? value->type : target->C->type,
                          .x = value != NULL ? at(value) : NULL};
    return gb_write_value(target->C, &target->mask, target->accum, &one);
}

/* The result has the value everywhere; info: of finding it. */
static gbl_Info assign_and_release(const Target *target, OneValue *value, gbl_Info info) {
    if (info == GBL_SUCCESS) info = assign_one(target, value);
    one_value_release(value);
    return info;
}

/* -- F where the mask has entries -------------------------------------------------------------- */

gbl_Info gb_mask_is_narrow(bool *narrow, const gb_Mask *mask, const gb_Matrix *C) {
    *narrow = false;
    if (mask->M == NULL || mask->complement) return GBL_SUCCESS;
    const gbl_Info info = gb_assemble(mask->M);
    *narrow = mask->M->nvals < gb_positions(C) / GB_LISTED_BELOW;
    return info;
}

/* *R = F, of the shape of the mask, at the mask's positions; NULL where these are not few. */
static gbl_Info cut_to_mask(gb_Matrix **R, const gb_Matrix *F, const gb_Mask *mask) {
    bool narrow;
    OneValue f;
    const gb_Matrix *M = mask->M;
    *R = NULL;
    gbl_Info info = gb_mask_is_narrow(&narrow, mask, F);
    if (info != GBL_SUCCESS || !narrow) return info;
    info = gb_matrix_new(R, M->magic, F->type, M->nrows, M->ncols);
    if (info != GBL_SUCCESS) return info;
    Target target = {.C = *R, .mask = *mask};
    target.mask.replace = false;
    info = assign_and_release(&target, &f, value_of(&f, F->type, F));
    if (info == GBL_SUCCESS) return info;
    gb_matrix_free(*R);
    *R = NULL;
    return info;
}

/* -- eWise ------------------------------------------------------------------------------------- */

/* One side is full iso: its value is bound. */
static gbl_Info intersect(const gb_Ewise *call, bool first) {
    const gb_BinaryOp *op = call->op;
    OneValue f;
    gbl_Info info = first ? value_of(&f, op->xtype, call->A) : value_of(&f, op->ytype, call->B);
    if (info == GBL_SUCCESS)
        info = gb_run_now(&gb_op_apply,
                          &(gb_Apply){.C = call->C,
                                      .mask = call->mask,
                                      .accum = call->accum,
                                      .map = {.binary = op, .bound = at(&f), .bound_first = first},
                                      .A = first ? call->B : call->A,
                                      .transpose = first ? call->btransposed : call->atransposed});
    one_value_release(&f);
    return info;
}

/* The other side has few entries: these are written over F's value at all positions. */
static gbl_Info unite_few(const gb_Ewise *call, bool first) {
    gb_Matrix *const F = first ? call->A : call->B, *const C = call->C;
    gb_Matrix *R = NULL, *both = NULL;
    gb_Type *const type = call->op->ztype;
    OneValue f;
    gbl_Info info = value_of(&f, type, F);
    if (info == GBL_SUCCESS) info = gb_matrix_new(&R, C->magic, type, C->nrows, C->ncols);
    if (info == GBL_SUCCESS) info = gb_matrix_fill(R, type, at(&f));
    if (info == GBL_SUCCESS) info = gb_matrix_new(&both, C->magic, type, C->nrows, C->ncols);
    one_value_release(&f);
    gb_Ewise inside = *call;
    inside.C = both;
    inside.mask = (gb_Mask){0};
    inside.accum = NULL;
    if (info == GBL_SUCCESS) info = intersect(&inside, first);
    const gb_Mask there = {.M = both, .structural = true};
    info = gb_write_and_free(R, &there, NULL, both, info);
    return gb_write_and_free(C, &call->mask, call->accum, R, info);
}

/* One side, F, is full iso. */
static gbl_Info unite(const gb_Op *op, const gb_Ewise *call, bool first, bool *done) {
    gb_Matrix *const F = first ? call->A : call->B, *const other = first ? call->B : call->A, *R;
    const Target target = target_of(op, call);
    OneValue f;
    gbl_Info info = gb_assemble(other);
    if (info != GBL_SUCCESS) return info;
    *done = other->nvals == 0;
    if (*done) return assign_and_release(&target, &f, value_of(&f, call->op->ztype, F));
    info = cut_to_mask(&R, F, &call->mask);
    if (info != GBL_SUCCESS) return info;
    *done = R != NULL || (gb_may_be_dense(F) && gb_positions(F) >= GB_FULL_ISO_LEAST &&
                          !gb_is_dense(other) && other->nvals < gb_positions(F) / GB_LISTED_BELOW);
    if (R == NULL) return *done ? unite_few(call, first) : info;
    gb_Ewise cut = *call;
    *(first ? &cut.A : &cut.B) = R;
    *(first ? &cut.atransposed : &cut.btransposed) = false;
    info = gb_run_now(op, &cut);
    gb_matrix_free(R);
    return info;
}

/* Both sides are, of eWise and kronecker. */
static gbl_Info combine_both(const gb_Op *op, const gb_Ewise *call) {
    const Target target = target_of(op, call);
    const gb_Array sides[] = {array_of(call->A), array_of(call->B)};
    OneValue z;
    return assign_and_release(&target, &z, combine(&z, call->op, sides));
}

gbl_Info gb_ewise_full_iso(const gb_Op *op, const void *asked, bool *done) {
    const gb_Ewise *call = asked;
    const bool a = gb_is_full_iso(call->A), b = gb_is_full_iso(call->B);
    if (!a && !b) return GBL_SUCCESS;
    if (call->unite && a != b) return unite(op, call, a, done);
    *done = true;
    return a && b ? combine_both(op, call) : intersect(call, a);
}

gbl_Info gb_kronecker_full_iso(const gb_Op *op, const void *asked, bool *done) {
    const gb_Ewise *call = asked; /* which a gb_Kronecker is */
    *done = gb_is_full_iso(call->A) && gb_is_full_iso(call->B);
    return *done ? combine_both(op, call) : GBL_SUCCESS;
}

/* -- apply and select -------------------------------------------------------------------------- */

/* With F cut to the mask. */
static gbl_Info run_cut(const gb_Op *op, const gb_Apply *call, bool *done) {
    gb_Apply cut = *call;
    gbl_Info info = cut_to_mask(&cut.A, call->A, &call->mask);
    if (info != GBL_SUCCESS || cut.A == NULL) return info;
    cut.transpose = false;
    *done = true;
    info = gb_run_now(op, &cut);
    gb_matrix_free(cut.A);
    return info;
}

static gbl_Info map_value(OneValue *z, const gb_Apply *call, const gb_Type *ztype) {
    const gbl_Info info = new_value(z, ztype);
    const gb_MapArgs args = {
        .map = call->map, .xtype = call->A->type, .major_is_row = true, .nthreads = 1};
    if (info == GBL_SUCCESS) gb_map_one(&args, call->A->dense.x, at(z));
    return info;
}

gbl_Info gb_apply_full_iso(const gb_Op *op, const void *asked, bool *done) {
    const gb_Apply *call = asked;
    const gb_Map *map = &call->map;
    const Target target = target_of(op, call);
    OneValue z;
    if (!gb_is_full_iso(call->A)) return GBL_SUCCESS;
    if (map->index != NULL && map->index->code < GB_VALUEEQ) return run_cut(op, call, done);
    *done = true;
    return assign_and_release(&target, &z, map_value(&z, call, gb_map_ztype(map)));
}

/* The columns [from, to) of a row that an index operator selects, of which it is true at one
 * interval; by_diagonal: it moves with the row. */
typedef struct {
    bool by_diagonal, by_row;
    int64_t from, to;
} Band;

enum { BAND_MOST = 1 << 30 }; /* (1 << 30)^2 is beyond all dimensions */

/* False: it selects no interval. */
static bool band_of(Band *band, const gb_IndexUnaryOp *op, const void *bound) {
    const int64_t most = (int64_t)BAND_MOST * BAND_MOST;
    int64_t y;
    gb_cast(gb_type_of(GBL_INT64_CODE), &y, op->ytype, bound, 1, 1);
    y = y > most ? most : y < -most ? -most : y;
    *band = (Band){.from = -2 * most, .to = 2 * most};
    band->by_diagonal = op->code == GB_TRIL || op->code == GB_TRIU || op->code == GB_DIAG;
    band->by_row = op->code == GB_ROWLE || op->code == GB_ROWGT;
    if (op->code == GB_TRIL || op->code == GB_DIAG || op->code == GB_COLLE || op->code == GB_ROWLE)
        band->to = y + 1;
    else if (op->code != GB_TRIU && op->code != GB_COLGT && op->code != GB_ROWGT)
        return false;
    if (op->code == GB_TRIU || op->code == GB_DIAG) band->from = y;
    if (op->code == GB_COLGT || op->code == GB_ROWGT) band->from = y + 1;
    return true;
}

static int64_t within(int64_t k, uint64_t n) {
    return k < 0 ? 0 : k > (int64_t)n ? (int64_t)n : k;
}

/* Of row i of n columns; returns how many. */
static uint64_t columns_of(const Band *band, uint64_t i, uint64_t n, uint64_t *first) {
    const int64_t row = (int64_t)i, by = band->by_diagonal ? row : 0;
    const int64_t from = within(band->from + by, n), to = within(band->to + by, n);
    *first = 0;
    if (band->by_row) return row >= band->from && row < band->to ? n : 0;
    *first = (uint64_t)from;
    return from < to ? (uint64_t)(to - from) : 0;
}

static gbl_Info list_band(gb_Cs *cs, const Band *band, const gb_Matrix *C, OneValue *f) {
    uint64_t first, nvals = 0, q = 0;
    for (uint64_t i = 0; i < C->nrows; i++) nvals += columns_of(band, i, C->ncols, &first);
    const gbl_Info info = gb_cs_alloc(cs, C->nrows, nvals, f->type->size);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t i = 0; i < C->nrows; i++) {
        const uint64_t n = columns_of(band, i, C->ncols, &first);
        cs->p[i] = q;
        for (uint64_t k = 0; k < n; k++) cs->i[q++] = (gb_Idx)(first + k);
    }
    cs->p[C->nrows] = cs->nvals = q;
    cs->iso = cs->sorted = true;
    memcpy(cs->x, at(f), f->type->size);
    return GBL_SUCCESS;
}

/* T = what the operator selects of F, whose transpose has the same value. */
static gbl_Info select_band(const gb_Apply *call, const Band *band) {
    gb_Result T = {.type = call->A->type, .format = GB_CSR};
    OneValue f;
    gbl_Info info = value_of(&f, call->A->type, call->A);
    if (info == GBL_SUCCESS) info = list_band(&T.cs, band, call->C, &f);
    one_value_release(&f);
    return gb_finish_if(info, call->C, &call->mask, call->accum, &T);
}

gbl_Info gb_select_full_iso(const gb_Op *op, const void *asked, bool *done) {
    const gb_Apply *call = asked;
    gb_Matrix *const F = call->A;
    const gb_IndexUnaryOp *test = call->map.index;
    const Target target = target_of(op, call);
    OneValue z = {0}, f = {0};
    Band band;
    if (!gb_is_full_iso(F)) return GBL_SUCCESS;
    if (test->code < GB_VALUEEQ) {
        const gbl_Info info = run_cut(op, call, done);
        if (info != GBL_SUCCESS || *done || gb_is_vector(F) || gb_is_huge(F) ||
            gb_is_full_iso_only(call->C) || gb_positions(F) < GB_FULL_ISO_LEAST ||
            !band_of(&band, test, call->map.bound))
            return info;
        *done = true;
        return select_band(call, &band);
    }
    *done = true;
    gbl_Info info = map_value(&z, call, test->ztype);
    if (info == GBL_SUCCESS) info = value_of(&f, F->type, F);
    if (info == GBL_SUCCESS) {
        info = assign_one(&target, gb_is_true(test->ztype, at(&z)) ? &f : NULL);
    }
    one_value_release(&z);
    one_value_release(&f);
    return info;
}

/* -- copies ------------------------------------------------------------------------------------ */

gbl_Info gb_copy_full_iso(const gb_Op *op, const void *call, bool *done) {
    gb_Matrix *X[GB_OPERANDS];
    const Target target = target_of(op, call);
    OneValue f;
    gb_read_operands(X, op, call);
    const gb_Matrix *A = X[GB_OF_A];
    *done = gb_is_full_iso(A);
    return *done ? assign_and_release(&target, &f, value_of(&f, A->type, A)) : GBL_SUCCESS;
}

/* What C, which is full iso, has at each position that the call writes. */
static gbl_Info written_value(OneValue *z, const gb_Assign *call) {
    const gb_Array values[] = {array_of(call->C), {.type = call->xtype, .x = call->x, .n = 1}};
    OneValue sum = {0};
    if (call->accum == NULL) return one_value(z, call->C->type, call->xtype, call->x);
    gbl_Info info = combine(&sum, call->accum, values);
    if (info == GBL_SUCCESS) info = one_value(z, call->C->type, sum.type, at(&sum));
    one_value_release(&sum);
    return info;
}

/* A value to the full iso C. */
static gbl_Info assign_to_full(const gb_Assign *call, bool *done) {
    const gb_Mask *mask = &call->mask;
    const bool all = call->I.all && call->J.all && mask->M == NULL && !mask->complement;
    OneValue z = {0};
    gbl_Info info = written_value(&z, call);
    if (info == GBL_SUCCESS) {
        const bool same = memcmp(at(&z), call->C->dense.x, call->C->type->size) == 0;
        *done = all || (same && !mask->replace);
        if (all && !same) info = gb_matrix_fill(call->C, z.type, at(&z));
    }
    one_value_release(&z);
    return info;
}

gbl_Info gb_assign_full_iso(const gb_Op *op, const void *asked, bool *done) {
    const gb_Assign *call = asked;
    (void)op;
    if (call->A != NULL && gb_is_full_iso(call->A)) {
        gb_Assign one = *call;
        OneValue f;
        gbl_Info info = value_of(&f, call->A->type, call->A);
        one.A = NULL;
        one.atransposed = false;
        one.xtype = f.type;
        one.x = at(&f);
        *done = true;
        if (info == GBL_SUCCESS) info = gb_run_now(&gb_op_assign, &one);
        one_value_release(&f);
        return info;
    }
    if (call->A != NULL || call->x == NULL || !gb_is_full_iso(call->C)) return GBL_SUCCESS;
    return assign_to_full(call, done);
}

/* -- reduce ------------------------------------------------------------------------------------ */

/* *z = a row of n > 0 values f, with the bits of a row held as entries: see gb_op_reduce. */
static gbl_Info fold_row(OneValue *z, const gb_Fold *fold, OneValue *f, uint64_t n) {
    const gb_Off p[] = {0, n};
    const gb_FoldArgs args = {
        .monoid = fold->monoid, .op = fold->op, .xtype = f->type, .nthreads = 1};
    const gb_CsView row = {
        .nmajor = 1, .nvals = n, .p = p, .x = at(f), .xsize = f->type->size, .iso = true};
    gb_Cs none = {0};
    gb_Dense sum = {0};
    gbl_Info info = new_value(z, f->type);
    if (info != GBL_SUCCESS) return info;
    if (n > GB_REDUCE_BLOCK) return gb_backend()->reduce_cs(&args, &row, at(z));
    info = gb_backend()->reduce_rows(&args, &row, &none, &sum);
    if (info == GBL_SUCCESS) memcpy(at(z), sum.x, f->type->size);
    gb_dense_free(&sum);
    return info;
}

gbl_Info gb_reduce_full_iso(const gb_Op *op, const void *asked, bool *done) {
    const gb_ReduceRows *call = asked;
    const gb_Matrix *F = call->A;
    const Target target = target_of(op, call);
    OneValue f = {0}, z = {0};
    if (!gb_is_full_iso(F)) return GBL_SUCCESS;
    *done = true;
    gbl_Info info = value_of(&f, call->fold.op->ztype, F);
    if (info == GBL_SUCCESS)
        info = fold_row(&z, &call->fold, &f, call->transpose ? F->nrows : F->ncols);
    one_value_release(&f);
    return assign_and_release(&target, &z, info);
}

/* -- the call ---------------------------------------------------------------------------------- */

/* A mask that is full iso allows all or nothing. */
static void drop_mask(const gb_Op *op, void *call, gb_Matrix *const X[GB_OPERANDS]) {
    const gb_Matrix *C = X[GB_OF_C], *M = X[GB_OF_M];
    if (C == NULL || M == NULL || !gb_is_full_iso(M)) return;
    if (M->nrows != C->nrows || M->ncols != C->ncols) return; /* the operation will say so */
    if (op->needs_mask != NULL && op->needs_mask(call)) return;
    gb_Mask *mask = (gb_Mask *)(void *)((char *)call + op->mask);
    if (!mask->structural && M->type->code == GBL_UDT_CODE) return;
    const bool truth = mask->structural || gb_is_true(M->type, M->dense.x);
    const bool all = truth != mask->complement;
    *mask = (gb_Mask){.complement = !all, .replace = !all && mask->replace};
}

/* C's entries count, or some of its places stay. */
static bool counts_output(const gb_Op *op, const void *call) {
    const char *bytes = call;
    const gb_Mask *mask = op->mask != 0 ? (const gb_Mask *)(const void *)(bytes + op->mask) : NULL;
    if (op->accum != 0 && *(const gb_BinaryOp *const *)(const void *)(bytes + op->accum) != NULL)
        return true;
    if (mask != NULL && mask->M != NULL && !mask->replace) return true;
    if (op != &gb_op_assign) return false;
    const gb_Assign *assign = call;
    return !assign->I.all || !assign->J.all;
}

/* Operands with too many positions for a dense form are listed, in the object as other forms. */
static gbl_Info list_positions(const gb_Op *op, const void *call) {
    gb_Matrix *X[GB_OPERANDS];
    gb_CsView view;
    gbl_Info info = GBL_SUCCESS;
    gb_read_operands(X, op, call);
    const bool cut = (op->meets & GB_MEETS(INNER)) != 0; /* vectors, by hypersparse dispatch */
    for (int k = GB_OF_M; k < GB_OPERANDS && info == GBL_SUCCESS; k++)
        if (X[k] != NULL && gb_is_full_iso_only(X[k]) &&
            (k == GB_OF_M || !cut || !gb_is_vector(X[k])))
            info = gb_acquire(X[k], GB_CSR, &view);
    gb_Matrix *const C = X[GB_OF_C];
    if (info != GBL_SUCCESS || C == NULL || !gb_is_full_iso_only(C) || !counts_output(op, call))
        return info;
    info = gb_acquire(C, GB_CSR, &view);
    if (info == GBL_SUCCESS) gb_matrix_keep_only(C, GBL_HAS_CSR);
    return info;
}

gbl_Info gb_run_full_iso(const gb_Op *op, const void *asked) {
    _Alignas(max_align_t) char call[GB_CALL_MOST];
    gb_Matrix *X[GB_OPERANDS];
    bool done = false;
    memcpy(call, asked, op->bytes);
    gb_read_operands(X, op, call);
    drop_mask(op, call, X);
    gbl_Info info = op->full_iso != NULL ? op->full_iso(op, call, &done) : GBL_SUCCESS;
    if (info != GBL_SUCCESS || done) return info;
    info = list_positions(op, call);
    return info == GBL_SUCCESS ? gb_run_complete(op, call) : info;
}
