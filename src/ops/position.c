/* SPDX-License-Identifier: Apache-2.0
 *
 * See operations.h. Nothing here is deferred, so operators on the stack outlive what uses them.
 */
#include "ops/operations.h"

/* -- located values */

static void put_located(void *z, const void *x, gbl_Index i, gbl_Index j, const void *size) {
    gb_LocatedValue *to = z;
    size_t bytes;
    memcpy(&bytes, size, sizeof bytes);
    to->i = i;
    to->j = j;
    memcpy(to->value, x, bytes);
}

static void put_in_row(void *z, const void *x, gbl_Index i, gbl_Index j, const void *size) {
    put_located(z, x, j, i, size);
}

/* *P = X, or X', with located values, which are cast to `type` before. A vector stays as it is;
 * where it is transposed, it is a row, and its indices are columns. */
static gbl_Info locate(gb_Matrix **P, gb_Matrix *X, bool transpose, const gb_Type *type) {
    const uint64_t size = type->size;
    const bool in_row = transpose && gb_is_vector(X);
    if (in_row) transpose = false;
    const uint64_t nrows = transpose ? X->ncols : X->nrows, ncols = transpose ? X->nrows : X->ncols;
    gb_Type *located = gb_type_make(sizeof(gb_LocatedValue) + (size + 7) / 8 * 8);
    if (located == NULL) return GBL_OUT_OF_MEMORY;
    gb_IndexUnaryOp *put = gb_index_make(in_row ? put_in_row : put_located, located,
                                         (gb_Type *)type, gb_type_of(GBL_UINT64_CODE));
    gbl_Info info =
        put != NULL ? gb_matrix_new(P, X->magic, located, nrows, ncols) : GBL_OUT_OF_MEMORY;
    if (info == GBL_SUCCESS)
        info = gb_run_now(&gb_op_apply, &(gb_Apply){.C = *P,
                                                    .map = {.index = put, .bound = &size},
                                                    .A = X,
                                                    .transpose = transpose});
    if (put != NULL) gb_release(put);
    gb_release(located);
    return info;
}

static void batch_located(const gb_BinaryOp *op, size_t n, void *z, const void *x, int sx,
                          const void *y, int sy) {
    const size_t zsize = op->ztype->size;
    const size_t xstep = sx != 0 ? op->xtype->size : 0, ystep = sy != 0 ? op->ytype->size : 0;
    for (size_t k = 0; k < n; k++)
        gb_apply_located(op->located, (char *)z + k * zsize, (const char *)x + k * xstep,
                         (const char *)y + k * ystep);
}

/* A and B become matrices of located values, to be freed, and *made the operator on these; `op`
 * outlives it. After a failure there is nothing to free. */
static gbl_Info locate_pair(gb_BinaryOp **made, const gb_BinaryOp *op, gb_Matrix **A,
                            bool *a_transposed, gb_Matrix **B, bool *b_transposed) {
    gb_Matrix *a = NULL, *b = NULL;
    gbl_Info info = locate(&a, *A, *a_transposed, op->xtype);
    if (info == GBL_SUCCESS) info = locate(&b, *B, *b_transposed, op->ytype);
    *made = info == GBL_SUCCESS ? gb_binary_make(NULL, op->ztype, a->type, b->type) : NULL;
    if (*made == NULL) {
        gb_matrix_free(a);
        gb_matrix_free(b);
        return info != GBL_SUCCESS ? info : GBL_OUT_OF_MEMORY;
    }
    (*made)->batch = batch_located;
    (*made)->located = op;
    *A = a;
    *B = b;
    *a_transposed = *b_transposed = false;
    return GBL_SUCCESS;
}

gbl_Info gb_locate_factors(gb_Semiring **made, const gb_Semiring *ring, gb_Matrix **left,
                           bool *left_transposed, gb_Matrix **right, bool *right_transposed) {
    gb_BinaryOp *op;
    *made = NULL;
    const gbl_Info info =
        locate_pair(&op, ring->multiply, left, left_transposed, right, right_transposed);
    if (info != GBL_SUCCESS) return info;
    *made = gb_semiring_make(ring->add, op);
    gb_release(op);
    if (*made != NULL) return GBL_SUCCESS;
    gb_matrix_free(*left);
    gb_matrix_free(*right);
    return GBL_OUT_OF_MEMORY;
}

/* -- pairs */

/* What the operation checks is the operator's types. */
static gbl_Info check_pairs(const gb_Op *op, const gb_Ewise *call) {
    gb_BinaryOp plain = *call->op;
    gb_Ewise checked = *call;
    plain.index = NULL;
    checked.op = &plain;
    return op->check(&checked);
}

static gbl_Info run_located(const gb_Op *op, const gb_Ewise *call) {
    gb_Ewise pairs = *call;
    gb_BinaryOp *located;
    gbl_Info info =
        locate_pair(&located, call->op, &pairs.A, &pairs.atransposed, &pairs.B, &pairs.btransposed);
    if (info != GBL_SUCCESS) return info;
    pairs.op = located;
    info = gb_run_now(op, &pairs);
    gb_release(located);
    gb_matrix_free(pairs.A);
    gb_matrix_free(pairs.B);
    return info;
}

gbl_Info gb_run_pairs(const gb_Op *op, const gb_Ewise *call) {
    if (op == &gb_op_ewise_add) return gb_run_union(&(gb_Union){.ewise = *call});
    const gbl_Info info = check_pairs(op, call);
    return info == GBL_SUCCESS ? run_located(op, call) : info;
}

/* -- one argument bound */

typedef struct {
    const gb_BinaryOp *op;
    const void *bound;
    bool first;
} BoundOp;

static void apply_bound(void *z, const void *x, gbl_Index i, gbl_Index j, const void *bound) {
    const BoundOp *b = *(const BoundOp *const *)bound;
    b->op->index(z, b->first ? b->bound : x, i, j, b->first ? x : b->bound, i, j, b->op->theta);
}

gbl_Info gb_apply_by_position(const gb_Apply *call) {
    const gb_BinaryOp *op = call->map.binary;
    const BoundOp bound = {op, call->map.bound, call->map.bound_first}, *at = &bound;
    gb_Apply indexed = *call;
    gb_IndexUnaryOp *index = gb_index_make(
        apply_bound, op->ztype, bound.first ? op->ytype : op->xtype, gb_type_of(GBL_UINT64_CODE));
    if (index == NULL) return GBL_OUT_OF_MEMORY;
    indexed.map = (gb_Map){.index = index, .bound = &at};
    gbl_Info info = gb_op_apply.check(&indexed);
    if (info == GBL_SUCCESS) info = gb_run_now(&gb_op_apply, &indexed);
    gb_release(index);
    return info;
}

/* -- unions */

static void second(const gb_BinaryOp *op, size_t n, void *z, const void *x, int sx, const void *y,
                   int sy) {
    (void)x, (void)sx;
    if (sy == 0)
        gb_fill(z, y, op->ztype->size, n);
    else
        memcpy(z, y, n * op->ztype->size);
}

/* *C = op(A, value) or op(value, A), as values of the operator. */
static gbl_Info meet_value(gb_Matrix **C, const gb_Ewise *like, gb_Matrix *A, const gb_Map *map) {
    const gb_Matrix *shape = like->C;
    const gb_Apply call = {
        .map = *map, .A = A, .transpose = map->bound_first ? like->btransposed : like->atransposed};
    gb_Apply into = call;
    gbl_Info info = gb_matrix_new(C, shape->magic, map->binary->ztype, shape->nrows, shape->ncols);
    if (info != GBL_SUCCESS) return info;
    into.C = *C;
    return gb_binary_is_positional(map->binary) ? gb_apply_by_position(&into)
                                                : gb_run_now(&gb_op_apply, &into);
}

/* U = what A and B have, one of them alone, and then T over it. */
static gbl_Info unite(const gb_Ewise *call, gb_Matrix *A, gb_Matrix *B, gb_Matrix *T,
                      gb_Matrix *U) {
    gb_Type *type = U->type;
    const gb_BinaryOp op = {.magic = GB_MAGIC_BINARY,
                            .refs = GB_STATIC,
                            .ztype = type,
                            .xtype = type,
                            .ytype = type,
                            .batch = second};
    const gb_Ewise sides = {.C = U,
                            .op = &op,
                            .A = A,
                            .B = B,
                            .atransposed = A == call->A && call->atransposed,
                            .btransposed = B == call->B && call->btransposed,
                            .unite = true};
    const gb_Ewise over = {.C = U, .op = &op, .A = U, .B = T, .unite = true};
    const gbl_Info info = gb_run_now(&gb_op_ewise_add, &sides);
    return info == GBL_SUCCESS ? gb_run_now(&gb_op_ewise_add, &over) : info;
}

gbl_Info gb_run_union(const gb_Union *call) {
    const gb_Ewise *ewise = &call->ewise;
    const gb_Matrix *C = ewise->C;
    gb_Type *type = ewise->op->ztype;
    const bool positional = gb_binary_is_positional(ewise->op);
    gb_Matrix *T = NULL, *U = NULL, *left = NULL, *right = NULL;
    gb_Ewise both = *ewise;
    both.unite = call->alpha == NULL; /* then values stand alone, and are cast */
    gbl_Info info = check_pairs(&gb_op_ewise_add, &both);
    if (info == GBL_SUCCESS) info = gb_matrix_new(&T, C->magic, type, C->nrows, C->ncols);
    if (info == GBL_SUCCESS) info = gb_matrix_new(&U, C->magic, type, C->nrows, C->ncols);
    both.C = T;
    both.mask = (gb_Mask){0};
    both.accum = NULL;
    both.unite = false;
    if (info == GBL_SUCCESS)
        info = positional ? run_located(&gb_op_ewise_mult, &both)
                          : gb_run_now(&gb_op_ewise_mult, &both);
    const gb_Map first = {.binary = ewise->op, .bound = call->beta},
                 last = {.binary = ewise->op, .bound = call->alpha, .bound_first = true};
    if (info == GBL_SUCCESS && call->beta != NULL)
        info = meet_value(&left, ewise, ewise->A, &first);
    if (info == GBL_SUCCESS && call->alpha != NULL)
        info = meet_value(&right, ewise, ewise->B, &last);
    if (info == GBL_SUCCESS)
        info = unite(ewise, left != NULL ? left : ewise->A, right != NULL ? right : ewise->B, T, U);
    gb_matrix_free(T);
    gb_matrix_free(left);
    gb_matrix_free(right);
    return gb_write_and_free(ewise->C, &ewise->mask, ewise->accum, U, info);
}
