/* SPDX-License-Identifier: Apache-2.0
 *
 * Products that are put off, and calls that end them: random sequences of calls give to the bit
 * what they give in blocking mode, whatever is read, written or freed between.
 */
#include "deferred_matrix.h"
#include "deferred_sequence.h"

#include "lazy/operations.h"

enum { OBJECTS = 6 };
static const gbl_Type_Code object_types[OBJECTS] = {GBL_INT64_CODE, GBL_INT64_CODE, GBL_INT64_CODE,
                                                    GBL_BOOL_CODE,  GBL_BOOL_CODE,  GBL_FP64_CODE};

typedef struct {
    t_Random r;
    gbl_Matrix X[OBJECTS], narrow; /* narrow fits no product */
    gbl_Scalar s;
} World;

static gbl_Matrix *any(World *w) {
    return &w->X[t_below(&w->r, OBJECTS)];
}

static gbl_Info multiply(World *w) {
    const gbl_Semiring rings[] = {RING,
                                  RING,
                                  RING,
                                  GBL_LOR_LAND_SEMIRING_BOOL,
                                  GBL_MIN_PLUS_SEMIRING_INT64,
                                  GBL_PLUS_TIMES_SEMIRING_FP64};
    const gbl_Descriptor descs[] = {GBL_DESC_S,  GBL_DESC_S,   GBL_DESC_RS,  NULL,
                                    GBL_DESC_RC, GBL_DESC_ST0, GBL_DESC_RST1};
    const gbl_Matrix C = *any(w), M = *any(w), A = *any(w), B = *any(w);
    const gbl_Semiring ring = rings[t_below(&w->r, T_COUNT(rings))];
    const gbl_BinaryOp accum = t_chance(&w->r, 0.1) ? GBL_PLUS_INT64 : NULL;
    const gbl_Descriptor desc = descs[t_below(&w->r, T_COUNT(descs))];
    const gbl_Matrix right = t_chance(&w->r, 0.05) ? w->narrow : B;
    return gbl_mxm(C, M, accum, ring, A, right, desc);
}

/* By a semiring of the user's that does not outlive the call. */
static gbl_Info multiply_by_own(World *w) {
    gbl_Semiring ring = NULL;
    const gbl_Matrix C = w->X[t_below(&w->r, 3)], M = *any(w), A = *any(w), B = *any(w);
    OK(gbl_Semiring_new(&ring, SUM, GBL_MINUS_INT64));
    const gbl_Info info = gbl_mxm(C, M, NULL, ring, A, B, GBL_DESC_RS);
    OK(gbl_Semiring_free(&ring));
    return info;
}

static gbl_Info reduce(World *w, int64_t *value) {
    const gbl_Matrix A = *any(w);
    const uint64_t which = t_below(&w->r, 5);
    bool truth = false;
    gbl_Info info = GBL_SUCCESS;
    *value = 3;
    if (which == 0) return gbl_Matrix_reduce_INT64(value, GBL_PLUS_INT64, SUM, A, NULL);
    if (which == 1) return gbl_Matrix_reduce_INT64(value, NULL, GBL_MAX_MONOID_INT64, A, NULL);
    if (which == 2) {
        info = gbl_Matrix_reduce_BOOL(&truth, NULL, GBL_LOR_MONOID_BOOL, A, NULL);
        *value = truth;
        return info;
    }
    info = which == 3 ? gbl_Matrix_reduce_Monoid_Scalar(w->s, NULL, SUM, A, NULL)
                      : gbl_Matrix_reduce_BinaryOp_Scalar(w->s, NULL, GBL_PLUS_INT64, A, NULL);
    *value = -1;
    if (info == GBL_SUCCESS) info = gbl_Scalar_extractElement_INT64(value, w->s);
    return info;
}

static gbl_Info renew(World *w) {
    const uint64_t k = t_below(&w->r, OBJECTS);
    const gbl_Info info = gbl_Matrix_free(&w->X[k]);
    w->X[k] = random_matrix(&w->r, object_types[k], 0.75);
    return info;
}

static gbl_Info replace_by_copy(World *w) {
    gbl_Matrix copy = NULL, *const X = any(w);
    gbl_Info info = gbl_Matrix_dup(&copy, *X);
    OK(gbl_Matrix_free(X));
    *X = copy;
    return info;
}

static gbl_Info element(World *w, int64_t *value) {
    const gbl_Index i = t_below(&w->r, SIDE), j = t_below(&w->r, SIDE);
    const gbl_Matrix A = *any(w);
    const uint64_t which = t_below(&w->r, 3);
    if (which == 0) return gbl_Matrix_setElement_INT64(A, (int64_t)i - (int64_t)j, i, j);
    return which == 1 ? gbl_Matrix_removeElement(A, i, j)
                      : gbl_Matrix_extractElement_INT64(value, A, i, j);
}

static gbl_Info other_call(World *w, int64_t *value) {
    const gbl_Matrix A = *any(w), B = *any(w), C = *any(w);
    const gbl_Descriptor desc = t_chance(&w->r, 0.5) ? GBL_DESC_RS : NULL;
    gbl_Index nvals = 0;
    gbl_Info info;
    switch (t_below(&w->r, 8)) {
    case 0:
        info = gbl_Matrix_nvals(&nvals, A);
        *value = (int64_t)nvals;
        return info;
    case 1:
        return gbl_Matrix_clear(A);
    case 2:
        return gbl_Matrix_apply(C, t_chance(&w->r, 0.5) ? B : NULL, NULL, GBL_AINV_INT64, A, desc);
    case 3:
        return gbl_Matrix_select_INT64(C, NULL, NULL, GBL_VALUEGT_INT64, A, 1, NULL);
    case 4:
        return gbl_transpose(C, B, NULL, A, desc);
    case 5:
        return gbl_Matrix_wait(A, GBL_COMPLETE);
    case 6:
        return gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, GBL_MINUS_INT64, A, B, NULL);
    default:
        return gbl_Matrix_assign_INT64(C, B, NULL, 2, GBL_ALL, SIDE, GBL_ALL, SIDE, desc);
    }
}

static void is_odd_place(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    *(bool *)z = (((uint64_t) * (const int64_t *)x + i + j) & (uint64_t) * (const int64_t *)y) != 0;
}

/* Calls that end a product that was put off, where operators are built in. */
static gbl_Info change_in_place(World *w) {
    const gbl_IndexUnaryOp ops[] = {GBL_VALUEGE_INT64, GBL_VALUENE_INT32, GBL_TRIL,
                                    GBL_OFFDIAG,       GBL_VALUELT_FP64,  GBL_COLGT};
    const gbl_Matrix C = w->X[t_below(&w->r, 5)];
    const gbl_Matrix mask = t_chance(&w->r, 0.1) ? *any(w) : NULL;
    gbl_IndexUnaryOp own = NULL;
    gbl_Info info;
    switch (t_below(&w->r, 5)) {
    case 0:
        return gbl_Matrix_apply(C, mask, NULL, GBL_AINV_INT64, C, NULL);
    case 1:
        return gbl_Matrix_apply_BinaryOp2nd_FP64(C, mask, NULL, GBL_DIV_FP64, C, 3, NULL);
    case 2:
        OK(gbl_IndexUnaryOp_new(&own, is_odd_place, GBL_BOOL, GBL_INT64, GBL_INT64));
        info = gbl_Matrix_select_INT64(C, mask, NULL, own, C, 1, NULL);
        OK(gbl_IndexUnaryOp_free(&own));
        return info;
    default:
        return gbl_Matrix_select_INT64(C, mask, NULL, ops[t_below(&w->r, T_COUNT(ops))], C,
                                       (int64_t)t_below(&w->r, 5) - 2, NULL);
    }
}

static gbl_Info step(void *world, uint64_t *told) {
    World *w = world;
    const uint64_t which = t_below(&w->r, 100);
    int64_t value = 0;
    gbl_Info info;
    if (which < 40)
        info = multiply(w);
    else if (which < 50)
        info = multiply_by_own(w);
    else if (which < 62)
        info = change_in_place(w);
    else if (which < 70)
        info = reduce(w, &value);
    else if (which < 78)
        info = element(w, &value);
    else if (which < 84)
        info = renew(w);
    else if (which < 87)
        info = replace_by_copy(w);
    else
        info = other_call(w, &value);
    *told = (uint64_t)value;
    return info;
}

static void make(void *world, t_Random *r) {
    World *w = world;
    w->r = *r;
    for (int k = 0; k < OBJECTS; k++) w->X[k] = random_matrix(&w->r, object_types[k], 0.75);
    OK(gbl_Matrix_new(&w->narrow, GBL_INT64, SIDE - 1, SIDE));
    OK(gbl_Scalar_new(&w->s, GBL_INT64));
}

static int count_deferred(const void *world) {
    const World *w = world;
    int count = 0;
    for (int k = 0; k < OBJECTS; k++) count += gb_is_deferred(&w->X[k]->m);
    return count;
}

static int leave(void *world, o_Matrix *content) {
    World *w = world;
    for (int k = 0; k < OBJECTS; k++) content[k] = t_dense(w->X[k]);
    for (int k = 0; k < OBJECTS; k++) OK(gbl_Matrix_free(&w->X[k]));
    FREE(w->narrow, w->s);
    return OBJECTS;
}

Test(deferred, sequences_give_what_they_do_in_blocking_mode) {
    World world;
    play_both_ways(&(Sequences){make, step, count_deferred, leave}, &world, 120);
}
