/* SPDX-License-Identifier: Apache-2.0
 *
 * The n-th allocation fails, for every n, in degrees, sort, permute, extract, scatter, roots, join,
 * update, closure, kronecker and assign by lists: outputs are as they were, nothing is leaked, and
 * the same call succeeds afterwards.
 */
#include "support/gb_test.h"

enum { SIDE = 40 };

typedef struct {
    gbl_Matrix A, C;
    gbl_Vector u, w, list, full, m; /* list: the places of u's entries; full: all, reversed */
} world;
typedef gbl_Info (*step)(world *o);

static world world_new(void) {
    world o = {0};
    t_Random r = t_random(5);
    OK(gbl_Matrix_new(&o.A, GBL_INT64, SIDE, SIDE));
    OK(gbl_Matrix_new(&o.C, GBL_FP32, SIDE, SIDE));
    OK(gbl_Vector_new(&o.u, GBL_INT64, SIDE));
    OK(gbl_Vector_new(&o.w, GBL_FP64, SIDE));
    OK(gbl_Vector_new(&o.list, GBL_INT64, SIDE));
    OK(gbl_Vector_new(&o.full, GBL_UINT8, SIDE));
    OK(gbl_Vector_new(&o.m, GBL_INT32, SIDE));
    for (gbl_Index k = 0; k < SIDE; k++) {
        for (int e = 0; e < 4; e++)
            OK(gbl_Matrix_setElement_INT64(o.A, (int64_t)k + e, k, t_below(&r, SIDE)));
        OK(gbl_Matrix_setElement_FP32(o.C, 2.5f, k, t_below(&r, SIDE)));
        OK(gbl_Vector_setElement_UINT8(o.full, (uint8_t)(SIDE - 1 - k), k));
        if (k % 3 == 0) OK(gbl_Vector_setElement_INT32(o.m, 1, k));
        if (k % 2 == 0) OK(gbl_Vector_setElement_FP64(o.w, 7, k));
        if (k > 1) continue;
        OK(gbl_Vector_setElement_INT64(o.u, 9 - (int64_t)k, 3 * k));
        OK(gbl_Vector_setElement_INT64(o.list, 3 * (int64_t)k, 3 * k));
    }
    return o;
}

static void world_free(world *o) {
    FREE(o->A, o->C, o->u, o->w, o->list, o->full, o->m);
}

#define STEP(name, call)                                                                           \
    static gbl_Info name(world *o) {                                                               \
        return call;                                                                               \
    }
STEP(degrees, gbl_Matrix_degrees(o->w, o->m, GBL_PLUS_FP64, o->A, NULL))
STEP(degrees_of_columns, gbl_Matrix_degrees(o->w, NULL, NULL, o->A, GBL_DESC_T0))
STEP(sort_list, gbl_Vector_sort(o->w, o->m, GBL_GT_INT64, o->u, NULL))
STEP(sort_counted, gbl_Vector_sort(o->w, o->m, GBL_LT_INT64, o->full, NULL))
STEP(sort_radix, gbl_Vector_sort(o->w, o->m, GBL_LT_FP32, o->full, NULL))
STEP(permute, gbl_Matrix_permute(o->C, NULL, NULL, NULL, o->A, o->full, 0, NULL))
STEP(permute_lower,
     gbl_Matrix_permute(o->C, o->A, GBL_PLUS_FP32, GBL_TRIL, o->A, o->full, -1, GBL_DESC_T0))
STEP(extract_list, gbl_Vector_extract_Vector(o->w, o->m, NULL, o->u, o->list, NULL))
STEP(extract_full, gbl_Vector_extract_Vector(o->w, NULL, NULL, o->u, o->full, GBL_DESC_R))
STEP(scatter_list, gbl_Vector_scatter(o->w, o->m, NULL, GBL_MIN_INT32, o->u, o->list, NULL))
STEP(scatter_full, gbl_Vector_scatter(o->w, NULL, NULL, GBL_PLUS_FP32, o->full, o->full, NULL))

STEP(roots, gbl_Vector_roots(o->w, o->m, GBL_PLUS_FP64, o->list, NULL))
STEP(join, gbl_Vector_join(o->list, o->m, o->A, 1, 2, GBL_DESC_T0))
STEP(join_outside, gbl_Vector_join(o->list, o->m, o->A, 0, SIDE, GBL_DESC_C))
STEP(closure, gbl_vxm_closure(o->w, GBL_MIN_PLUS_SEMIRING_FP64, o->A, 2, NULL))
STEP(closure_in_rounds, gbl_vxm_closure(o->w, GBL_MAX_MIN_SEMIRING_INT32, o->A, 2, GBL_DESC_T1))

static gbl_Info update(world *o) {
    gbl_Vector changed = NULL;
    gbl_Info info = gbl_Vector_new(&changed, GBL_FP64, SIDE);
    if (info == GBL_SUCCESS) info = gbl_Vector_update(o->w, changed, GBL_MINUS_INT64, o->u, NULL);
    OK(gbl_Vector_free(&changed));
    return info;
}

static gbl_Info step_of_search(world *o) {
    gbl_Vector q = NULL;
    gbl_Info info = gbl_Vector_new(&q, GBL_FP64, SIDE);
    if (info == GBL_SUCCESS) info = gbl_Vector_setElement_FP64(q, 1, 5);
    if (info == GBL_SUCCESS)
        info = gbl_vxm_update(o->w, q, GBL_MIN_PLUS_SEMIRING_FP64, q, o->A, NULL);
    OK(gbl_Vector_free(&q));
    return info;
}

static gbl_Info extract_array(world *o) {
    gbl_Index I[SIDE] = {3, 1, 1, 20};
    return gbl_Vector_extract(o->w, NULL, GBL_MIN_FP64, o->full, I, SIDE, NULL);
}

/* -- by lists that do not ascend, with repetitions */

static const gbl_Index rows[SIDE] = {3, 1, 1, 20}, columns[] = {30, 2, 2, 7};

static gbl_Info extract_part(world *o) {
    gbl_Index J[SIDE];
    for (gbl_Index k = 0; k < SIDE; k++) J[k] = SIDE - 1 - k;
    return gbl_Matrix_extract(o->C, o->A, GBL_PLUS_FP32, o->A, rows, SIDE, J, SIDE, GBL_DESC_R);
}

/* A few columns of very many. */
static gbl_Info extract_long(world *o) {
    const gbl_Index n = (gbl_Index)1 << 31, J[] = {n - 1, 5, n - 1};
    gbl_Matrix A = NULL, T = NULL;
    gbl_Info info = gbl_Matrix_new(&A, GBL_FP64, 2, n);
    if (info == GBL_SUCCESS) info = gbl_Matrix_setElement_FP64(A, 3, 1, n - 1);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&T, GBL_FP64, 2, 3);
    if (info == GBL_SUCCESS) info = gbl_Matrix_extract(T, NULL, NULL, A, GBL_ALL, 2, J, 3, NULL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_assign(A, NULL, NULL, T, rows + 1, 2, J, 3, NULL);
    double x = 0;
    if (info == GBL_SUCCESS) OK(gbl_Matrix_extractElement_FP64(&x, T, 1, 2));
    FREE(A, T);
    return info == GBL_SUCCESS ? gbl_Vector_setElement_FP64(o->w, x, 0) : info;
}

static gbl_Info product(world *o) {
    gbl_Matrix one = NULL;
    gbl_Info info = gbl_Matrix_new(&one, GBL_INT8, 1, 1);
    if (info == GBL_SUCCESS) info = gbl_Matrix_setElement_INT8(one, 3, 0, 0);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_kronecker_BinaryOp(o->C, o->A, GBL_MIN_FP32, GBL_MINUS_FP64, one, o->A,
                                             GBL_DESC_T1);
    OK(gbl_Matrix_free(&one));
    return info;
}

static gbl_Info assign_part(world *o) {
    gbl_Matrix T = NULL;
    gbl_Info info = gbl_Matrix_new(&T, GBL_INT64, 4, 4);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_extract(T, NULL, NULL, o->A, rows, 4, columns, 4, NULL);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_assign(o->C, o->A, NULL, T, columns, 4, rows, 4, GBL_DESC_S);
    OK(gbl_Matrix_free(&T));
    return info;
}

STEP(extract_column, gbl_Col_extract(o->w, o->m, NULL, o->A, rows, SIDE, 5, NULL))
STEP(extract_row, gbl_Col_extract(o->w, NULL, GBL_MIN_FP64, o->A, rows, SIDE, 5, GBL_DESC_T0))
STEP(assign_row, gbl_Row_assign(o->C, o->m, NULL, o->u, 7, GBL_ALL, SIDE, GBL_DESC_R))
STEP(assign_column, gbl_Col_assign(o->C, NULL, GBL_MIN_FP32, o->u, GBL_ALL, SIDE, 7, NULL))
STEP(assign_updates, gbl_Row_assign(o->C, NULL, NULL, o->u, 7, GBL_ALL, SIDE, NULL))
STEP(assign_value, gbl_Matrix_assign_FP64(o->C, NULL, NULL, 3, columns, 4, rows, 4, NULL))

/* All that a step may change. */
typedef struct {
    o_Matrix C, w, m;
} state;

static state state_of(const world *o) {
    return (state){t_dense(o->C), t_dense_vector(o->w), t_dense_vector(o->m)};
}

static void expect_state(const state *expected, const world *o) {
    t_expect("C", &expected->C, o->C, 0);
    t_expect_vector("w", &expected->w, o->w, 0);
    t_expect_vector("m", &expected->m, o->m, 0);
}

static void state_free(state *s) {
    FREE(s->C, s->w, s->m);
}

/* False when the step needs fewer than n allocations. */
static bool attempt(step run, int64_t n, const state *before, const state *after) {
    world o = world_new();
    bool failed;
    const gbl_Info info = FAIL_AT(n, run(&o), &failed);
    if (info == GBL_OUT_OF_MEMORY) {
        CHECK(gbl_last_error()[0] != '\0');
        expect_state(before, &o);
        OK(run(&o));
    }
    expect_state(after, &o);
    world_free(&o);
    CHECK_EQ(t_live(), 0);
    return failed;
}

BRUTAL(order) {
    static const struct {
        const char *name;
        step run;
    } steps[] = {{"degrees", degrees},
                 {"degrees of columns", degrees_of_columns},
                 {"sort list", sort_list},
                 {"sort counted", sort_counted},
                 {"sort radix", sort_radix},
                 {"permute", permute},
                 {"permute lower", permute_lower},
                 {"extract array", extract_array},
                 {"extract list", extract_list},
                 {"extract full", extract_full},
                 {"scatter list", scatter_list},
                 {"scatter full", scatter_full},
                 {"roots", roots},
                 {"join", join},
                 {"join outside", join_outside},
                 {"closure", closure},
                 {"closure in rounds", closure_in_rounds},
                 {"update", update},
                 {"update by a product", step_of_search},
                 {"extract part", extract_part},
                 {"extract part of long rows", extract_long},
                 {"extract column", extract_column},
                 {"extract row", extract_row},
                 {"kronecker", product},
                 {"assign row", assign_row},
                 {"assign column", assign_column},
                 {"assign row as updates", assign_updates},
                 {"assign part", assign_part},
                 {"assign value", assign_value}};
    for (size_t k = 0; k < T_COUNT(steps); k++) {
        t_case("%s", steps[k].name);
        world o = world_new();
        state before = state_of(&o);
        OK(steps[k].run(&o));
        state after = state_of(&o);
        world_free(&o);
        int64_t n = 1;
        for (; t_case("%s: allocation %lld fails", steps[k].name, (long long)n),
               attempt(steps[k].run, n, &before, &after);
             n++) {
        }
        CHECK(n > 2);
        state_free(&before);
        state_free(&after);
    }
}
