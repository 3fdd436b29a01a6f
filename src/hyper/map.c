/* SPDX-License-Identifier: Apache-2.0
 *
 * apply and select, lifted. Operators on values run on compact matrices as they are. Those that
 * look at positions must see true indices, which are wider than those of kernels: one pass over the
 * entries names them, computes, and makes a matrix of the results, which is then written as it is.
 * Entries are computed, and kept, in parts of equal size, each by a thread.
 */
#include <string.h>

#include "backend/backend.h"
#include "core/arrays.h"
#include "core/context.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "hyper/hyper.h"
#include "hyper/lift.h"
#include "ops/select.h"

static const gb_Mask no_mask = {0};

bool gb_sees_positions(const gb_IndexUnaryOp *op) {
    return op->code < GB_VALUEEQ;
}

/* -- one pass over the entries */

/* What is computed of an entry: an operator on (value, i, j), of the transpose where `turned`. */
typedef struct {
    const gb_IndexUnaryOp *op;
    const void *y;
    bool turned;
    int64_t y_integer; /* of a predefined operator */
} gb_AtPlaces;

static gb_AtPlaces at_places(const gb_IndexUnaryOp *op, const void *y, bool turned) {
    gb_AtPlaces at = {op, y, turned, 0};
    if (op->code != GB_USER) gb_cast(gb_type_of(GBL_INT64_CODE), &at.y_integer, op->ytype, y, 1, 1);
    return at;
}

/* Predefined operators: what they give, as an integer. y is INT64, or INT32 as ztype is. */
static int64_t compute(gb_Opcode code, int64_t i, int64_t j, int64_t y) {
    const uint64_t moved = (uint64_t)y; /* sums wrap */
    switch (code) {
    case GB_ROWINDEX:
        return (int64_t)((uint64_t)i + moved);
    case GB_COLINDEX:
        return (int64_t)((uint64_t)j + moved);
    case GB_DIAGINDEX:
        return (int64_t)((uint64_t)j - (uint64_t)i + moved);
    case GB_TRIL:
        return j - i <= y;
    case GB_TRIU:
        return j - i >= y;
    case GB_DIAG:
        return j - i == y;
    case GB_OFFDIAG:
        return j - i != y;
    case GB_COLLE:
        return j <= y;
    case GB_COLGT:
        return j > y;
    case GB_ROWLE:
        return i <= y;
    default: /* GB_ROWGT */
        return i > y;
    }
}

static void put_integer(void *z, const gb_Type *type, int64_t value) {
    const int32_t narrow = (int32_t)value;
    const bool truth = value != 0;
    if (type->code == GBL_BOOL_CODE)
        memcpy(z, &truth, sizeof truth);
    else if (type->code == GBL_INT32_CODE)
        memcpy(z, &narrow, sizeof narrow);
    else
        memcpy(z, &value, sizeof value);
}

/* z = the operator's result; x is a value of A at (row, col), and xcast one of the operator's type
 * where that is another. */
static void compute_at(void *z, const gb_AtPlaces *at, const void *x, const uint64_t place[2]) {
    const gb_IndexUnaryOp *op = at->op;
    const uint64_t i = place[at->turned], j = place[!at->turned];
    if (op->code == GB_USER)
        op->user(z, x, i, j, at->y);
    else
        put_integer(z, op->ztype, compute(op->code, (int64_t)i, (int64_t)j, at->y_integer));
}

/* The results for the entries of A, which has any and is hyper, in the order of a view. */
typedef struct {
    gb_CsView view;
    gb_Format format;
    char *z;
    size_t bytes;
    int threads; /* that the entries are worth */
} gb_Computed;

typedef struct {
    const gb_Computed *to;
    const gb_AtPlaces *at;
    const gb_Matrix *A;
} Computing;

/* Entries first .. end - 1. */
static void compute_range(void *context, uint64_t first, uint64_t end) {
    const Computing *c = context;
    const gb_CsView *view = &c->to->view;
    const gb_Hyper *hyper = c->A->hyper;
    const bool vector = hyper->cols == NULL, by_rows = c->to->format == GB_CSR;
    const gb_Axis *major = by_rows ? hyper->rows : hyper->cols;
    const gb_Axis *minor = by_rows ? hyper->cols : hyper->rows;
    const gb_Type *xtype = c->at->op->xtype;
    const bool casts = xtype != NULL && xtype != c->A->type;
    const size_t zsize = c->at->op->ztype->size;
    if (first == end) return;
    uint64_t r = gb_holder(view->p, 0, view->nmajor, first);
    for (uint64_t e = first; e < end; e++) {
        while (view->p[r + 1] <= e) r++;
        const void *x = (const char *)view->x + (view->iso ? 0 : e * view->xsize);
        const uint64_t own = vector ? 0 : major->index[r], other = minor->index[view->i[e]];
        const uint64_t place[2] = {by_rows ? own : other, by_rows ? other : own};
        uint64_t cast; /* only built-in types are cast */
        if (casts) gb_cast(xtype, &cast, c->A->type, x, 1, 1);
        compute_at(c->to->z + e * zsize, c->at, casts ? &cast : x, place);
    }
}

static gbl_Info compute_entries(gb_Computed *c, const gb_AtPlaces *at, gb_Matrix *A) {
    gb_Matrix *core = A->hyper->core;
    *c = (gb_Computed){.format = GB_CSC};
    gbl_Info info = GBL_SUCCESS;
    if (!gb_is_vector(A)) info = gb_any_format(core, GB_CSR, &c->format);
    if (info == GBL_SUCCESS) info = gb_need_sorted(core, c->format, &c->view);
    if (info != GBL_SUCCESS) return info;
    if (gb_size_mul(&c->bytes, c->view.nvals, at->op->ztype->size)) c->z = gb_malloc(c->bytes);
    if (c->z == NULL) return gb_fail_memory(c->bytes);
    c->threads = gb_threads_for(c->view.nvals, GB_GRAIN, gb_nthreads());
    gb_parallel_ranges(c->threads, c->view.nvals, compute_range, &(Computing){c, at, A});
    return GBL_SUCCESS;
}

/* Arrays on the axes of A become the content of Z, an empty object of A's shape. */
static gbl_Info set_like(gb_Matrix *Z, const gb_Matrix *A, gb_Format format, gb_Cs *cs) {
    gb_Axes axes = {A->hyper->rows, A->hyper->cols};
    gb_Matrix *core;
    const gbl_Info info = gb_compact_new(&core, Z, Z->type, &axes);
    if (info != GBL_SUCCESS) {
        gb_cs_free(cs);
        return info;
    }
    gb_matrix_set_cs(core, format, cs);
    gb_axis_retain(axes.rows);
    gb_axis_retain(axes.cols);
    return gb_hyper_set(Z, &axes, core);
}

/* *Z = the results, in the pattern of A. */
static gbl_Info map_places(gb_Matrix **Z, const gb_AtPlaces *at, gb_Matrix *A) {
    gb_Computed c = {0};
    gb_Cs cs = {0};
    gbl_Info info = gb_matrix_new(Z, A->magic, at->op->ztype, A->nrows, A->ncols);
    if (info != GBL_SUCCESS || A->nvals == 0) return info;
    info = compute_entries(&c, at, A);
    gb_CsView pattern = c.view;
    pattern.x = NULL;
    if (info == GBL_SUCCESS) info = gb_backend()->copy_cs(&pattern, &cs, gb_nthreads());
    if (info == GBL_SUCCESS) {
        cs.iso = false;
        cs.x = c.z;
        cs.xcap = c.bytes;
        c.z = NULL;
        info = set_like(*Z, A, c.format, &cs);
    }
    gb_free(c.z, c.bytes);
    return info;
}

/* Entries of the view whose result is true, part by part. */
typedef struct {
    const gb_CsView *view;
    const bool *keep; /* [nvals] */
    gb_Cs *cs;
    uint64_t nparts;
    uint64_t *kept; /* [nparts + 1] of each part; then before it */
} Keeping;

static void count_part(void *context, uint64_t t) {
    const Keeping *k = context;
    uint64_t kept = 0;
    for (uint64_t e = gb_part(k->view->nvals, t, k->nparts);
         e < gb_part(k->view->nvals, t + 1, k->nparts); e++)
        kept += k->keep[e];
    k->kept[t] = kept;
}

/* With the pointers of the rows that begin in the part, and behind the last one. */
static void keep_part(void *context, uint64_t t) {
    const Keeping *k = context;
    const gb_CsView *view = k->view;
    const size_t size = view->iso ? 0 : view->xsize;
    const uint64_t first = gb_part(view->nvals, t, k->nparts);
    const uint64_t end = gb_part(view->nvals, t + 1, k->nparts);
    const bool last = t + 1 == k->nparts;
    uint64_t q = k->kept[t], r = gb_first_from(view->p, 0, view->nmajor, first);
    for (uint64_t e = first; e < end; e++) {
        for (; r < view->nmajor && view->p[r] == e; r++) k->cs->p[r] = q;
        if (!k->keep[e]) continue;
        memcpy((char *)k->cs->x + q * size, (const char *)view->x + e * size, size);
        k->cs->i[q++] = view->i[e];
    }
    for (; last && r <= view->nmajor; r++) k->cs->p[r] = q;
}

static gbl_Info keep_true(gb_Cs *cs, const gb_Computed *c, const bool *keep) {
    const gb_CsView *view = &c->view;
    const uint64_t nparts = (uint64_t)gb_parts_for(c->threads);
    const size_t bytes = (nparts + 1) * sizeof(uint64_t);
    uint64_t *kept = gb_malloc(bytes), sum = 0;
    if (kept == NULL) return gb_fail_memory(bytes);
    Keeping k = {view, keep, cs, nparts, kept};
    gb_parallel_for(c->threads, nparts, count_part, &k);
    for (uint64_t t = 0; t < nparts; t++) {
        const uint64_t count = kept[t];
        kept[t] = sum;
        sum += count;
    }
    const gbl_Info info =
        gb_cs_alloc(cs, view->nmajor, sum, (view->iso ? sum > 0 : sum) * view->xsize);
    if (info == GBL_SUCCESS) {
        gb_parallel_for(c->threads, nparts, keep_part, &k);
        cs->iso = view->iso && sum > 0;
        if (cs->iso) memcpy(cs->x, view->x, view->xsize);
    }
    gb_free(kept, bytes);
    return info;
}

/* *Z = the entries of A where the operator is true. */
static gbl_Info select_places(gb_Matrix **Z, const gb_AtPlaces *at, gb_Matrix *A) {
    gb_Computed c = {0};
    gb_Cs cs = {0};
    gbl_Info info = gb_matrix_new(Z, A->magic, A->type, A->nrows, A->ncols);
    if (info != GBL_SUCCESS || A->nvals == 0) return info;
    info = compute_entries(&c, at, A);
    bool *keep = info == GBL_SUCCESS ? gb_malloc(c.view.nvals) : NULL;
    if (info == GBL_SUCCESS && keep == NULL) info = gb_fail_memory(c.view.nvals);
    if (info == GBL_SUCCESS) {
        gb_cast(gb_type_of(GBL_BOOL_CODE), keep, at->op->ztype, c.z, 1, c.view.nvals);
        info = keep_true(&cs, &c, keep);
    }
    if (info == GBL_SUCCESS) info = set_like(*Z, A, c.format, &cs);
    gb_free(keep, c.view.nvals);
    gb_free(c.z, c.bytes);
    return info;
}

/* -- the operations */

typedef gbl_Info Operation(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                           const gb_Map *map, gb_Matrix *A, bool transpose);

/* On compact matrices. */
static gbl_Info lift_map(gb_Lift *lift, Operation *operation, const gb_Map *map, bool transpose) {
    gbl_Info info = gb_lift_begin(lift);
    if (info == GBL_SUCCESS)
        info = operation(gb_core(lift, GB_OF_C), &lift->core_mask, lift->accum, map,
                         gb_core(lift, GB_OF_A), transpose);
    return gb_lift_end(lift, info);
}

/* op(A) of an ordinary object, whose positions kernels know; of the shape of C. */
static gbl_Info map_ordinary(gb_Matrix **Z, Operation *operation, const gb_Map *map, gb_Matrix *A,
                             bool transpose) {
    gb_Type *type = operation == gb_apply ? map->index->ztype : A->type;
    const gbl_Info info = gb_matrix_new(Z, A->magic, type, transpose ? A->ncols : A->nrows,
                                        transpose ? A->nrows : A->ncols);
    return info == GBL_SUCCESS ? operation(*Z, &no_mask, NULL, map, A, transpose) : info;
}

/* The lift says C, mask, accum and A. */
static gbl_Info map_by_position(gb_Lift *lift, Operation *operation, const gb_Map *map,
                                bool transpose) {
    gb_Matrix *A = lift->operand[GB_OF_A].object, *C = lift->operand[GB_OF_C].object, *Z = NULL;
    const gb_AtPlaces at = at_places(map->index, map->bound, transpose);
    gbl_Info info = gb_assemble(A);
    const bool hyper = gb_is_hyper(A);
    if (info == GBL_SUCCESS && !hyper)
        info = map_ordinary(&Z, operation, map, A, transpose);
    else if (info == GBL_SUCCESS)
        info = operation == gb_apply ? map_places(&Z, &at, A) : select_places(&Z, &at, A);
    if (info == GBL_SUCCESS)
        info = transpose && hyper ? gb_lifted_transpose(C, lift->mask, lift->accum, Z, true)
                                  : gb_lifted_write(C, lift->mask, lift->accum, Z);
    gb_matrix_free(Z);
    return info;
}

static gbl_Info lifted_map(gb_Lift *lift, Operation *operation, const gb_Map *map, bool transpose) {
    if (map->index != NULL && gb_sees_positions(map->index))
        return map_by_position(lift, operation, map, transpose);
    return lift_map(lift, operation, map, transpose);
}

static void begin_map(gb_Lift *lift, gb_Matrix *A, bool transpose) {
    gb_lift_input(lift, GB_OF_A, A, transpose ? GB_ALONG_COLS : GB_ALONG_ROWS,
                  transpose ? GB_ALONG_ROWS : GB_ALONG_COLS);
}

gbl_Info gb_lifted_apply(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                         const gb_Map *map, gb_Matrix *A, bool transpose) {
    if (!gb_any_hyper(C, mask, A, NULL)) return gb_apply(C, mask, accum, map, A, transpose);
    gb_Lift lift;
    gb_lift_output(&lift, C, mask, accum);
    begin_map(&lift, A, transpose);
    return lifted_map(&lift, gb_apply, map, transpose);
}

gbl_Info gb_lifted_select(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                          const gb_Map *map, gb_Matrix *A, bool transpose) {
    if (!gb_any_hyper(C, mask, A, NULL)) return gb_select(C, mask, accum, map, A, transpose);
    gb_Lift lift;
    gb_lift_output(&lift, C, mask, accum);
    begin_map(&lift, A, transpose);
    return lifted_map(&lift, gb_select, map, transpose);
}

gbl_Info gb_hyper_indices(gb_Matrix **Z, gb_Matrix *A, const gb_Type *type, bool of_rows) {
    static const int64_t zero = 0;
    const gb_IndexUnaryOp *op = type->code == GBL_INT64_CODE
                                    ? of_rows ? GBL_ROWINDEX_INT64 : GBL_COLINDEX_INT64
                                : of_rows ? GBL_ROWINDEX_INT32
                                          : GBL_COLINDEX_INT32;
    const gb_Map map = {.index = op, .bound = &zero};
    gbl_Info info = gb_assemble(A);
    *Z = NULL;
    if (info != GBL_SUCCESS) return info;
    if (!gb_is_hyper(A)) return map_ordinary(Z, gb_apply, &map, A, false);
    const gb_AtPlaces at = at_places(op, &zero, false);
    return map_places(Z, &at, A);
}
