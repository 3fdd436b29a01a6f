/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls on values that are put off and made in one pass: random sequences give to the bit what they
 * give in blocking mode, whatever is read, written or freed between; which calls are put off, what
 * explanations say, and that none needs memory when it is made. Threads: plain_deferred.c.
 */
#include "deferred_sequence.h"

#include "lazy/operations.h"

#include <string.h>

enum { N = (int)GB_VALUES_LEAST + 37, ROWS = 7 };

/* Held as a full array, as results are. */
static gbl_Vector full_vector(t_Random *r, gbl_Type_Code code) {
    o_Matrix d = t_generate(r, &(t_Content){o_type(code), N, 1, T_RANDOM, 1.0, false, false});
    gbl_Vector v = NULL, built = t_vector(&d);
    o_free(&d);
    OK(gbl_Vector_new(&v, code == GBL_FP64_CODE ? GBL_FP64 : GBL_INT32, N));
    OK(gbl_Vector_assign(v, NULL, NULL, built, GBL_ALL, N, NULL));
    OK(gbl_Vector_free(&built));
    return v;
}

static gbl_Matrix some_matrix(t_Random *r, gbl_Type_Code code) {
    const t_Content content = {o_type(code), ROWS, 2 * N / ROWS, T_RANDOM, 0.7, false, false};
    const gbl_Matrix A = t_random_matrix(r, &content);
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

/* -- random sequences -------------------------------------------------------------------------- */

enum { VECTORS = 5, MATRICES = 2 };
static const gbl_Type_Code types[VECTORS] = {GBL_FP64_CODE, GBL_FP64_CODE, GBL_FP64_CODE,
                                             GBL_INT32_CODE, GBL_INT32_CODE};

typedef struct {
    t_Random r;
    gbl_Vector v[VECTORS], narrow;
    gbl_Matrix X[MATRICES];
} World;

static gbl_Vector any(World *w) {
    return w->v[t_below(&w->r, VECTORS)];
}

static gbl_Info combine(World *w) {
    const gbl_BinaryOp ops[] = {GBL_PLUS_FP64, GBL_MINUS_FP64,  GBL_ABSDIFF_FP64, GBL_DIV_FP64,
                                GBL_MAX_INT32, GBL_TIMES_INT32, GBL_EQ_FP64,      GBL_FIRST_FP64};
    const gbl_BinaryOp op = ops[t_below(&w->r, T_COUNT(ops))];
    const gbl_Vector to = any(w), u = any(w), v = t_chance(&w->r, 0.03) ? w->narrow : any(w);
    const gbl_Vector mask = t_chance(&w->r, 0.05) ? any(w) : NULL;
    if (t_chance(&w->r, 0.5)) return gbl_Vector_eWiseAdd_BinaryOp(to, mask, NULL, op, u, v, NULL);
    return gbl_Vector_eWiseMult_BinaryOp(to, mask, NULL, op, u, v, NULL);
}

static gbl_Info map(World *w) {
    const gbl_Vector to = any(w), u = any(w);
    switch (t_below(&w->r, 5)) {
    case 0:
        return gbl_Vector_apply(to, NULL, NULL, GBL_ABS_FP64, u, NULL);
    case 1:
        return gbl_Vector_apply_BinaryOp1st_FP64(to, NULL, NULL, GBL_MINUS_FP64, 3.5, u, NULL);
    case 2:
        return gbl_Vector_apply_BinaryOp2nd_INT32(to, NULL, NULL, GBL_DIV_INT32, u, 3, NULL);
    case 3:
        return gbl_Vector_assign(to, NULL, GBL_MINUS_FP64, u, GBL_ALL, N, NULL);
    default:
        return gbl_Vector_assign(to, NULL, t_chance(&w->r, 0.5) ? GBL_PLUS_INT32 : NULL, u, GBL_ALL,
                                 N, NULL);
    }
}

static gbl_Info map_matrix(World *w) {
    const gbl_Matrix A = w->X[t_below(&w->r, MATRICES)], B = w->X[t_below(&w->r, MATRICES)];
    switch (t_below(&w->r, 4)) {
    case 0:
        return gbl_Matrix_apply(A, NULL, NULL, GBL_AINV_FP64, A, NULL);
    case 1:
        return gbl_Matrix_apply_BinaryOp2nd_FP64(A, NULL, NULL, GBL_PLUS_FP64, A, 0.1, NULL);
    case 2:
        return gbl_Matrix_eWiseAdd_BinaryOp(A, NULL, NULL, GBL_MINUS_FP64, A, B, NULL);
    default:
        return gbl_Matrix_assign(A, NULL, GBL_PLUS_FP64, B, GBL_ALL, ROWS, GBL_ALL, 2 * N / ROWS,
                                 NULL);
    }
}

static gbl_Info sum(World *w, double *value) {
    const gbl_Matrix A = w->X[t_below(&w->r, MATRICES)];
    switch (t_below(&w->r, 4)) {
    case 0:
        return gbl_Vector_reduce_FP64(value, NULL, GBL_PLUS_MONOID_FP64, any(w), NULL);
    case 1:
        return gbl_Vector_reduce_FP64(value, NULL, GBL_MAX_MONOID_INT32, any(w), NULL);
    case 2:
        return gbl_Vector_reduce_FP64(value, GBL_PLUS_FP64, GBL_TIMES_MONOID_FP64, any(w), NULL);
    default:
        return gbl_Matrix_reduce_FP64(value, NULL, GBL_PLUS_MONOID_FP64, A, NULL);
    }
}

static gbl_Info renew(World *w) {
    const uint64_t k = t_below(&w->r, VECTORS);
    const gbl_Info info = gbl_Vector_free(&w->v[k]);
    w->v[k] = full_vector(&w->r, types[k]);
    return info;
}

static gbl_Info other(World *w, double *value) {
    const gbl_Vector v = any(w);
    gbl_Index nvals = 0;
    gbl_Vector copy = NULL;
    gbl_Info info;
    switch (t_below(&w->r, 7)) {
    case 0:
        info = gbl_Vector_nvals(&nvals, v);
        *value = (double)nvals;
        return info;
    case 1:
        return gbl_Vector_setElement_FP64(v, 2.5, t_below(&w->r, N));
    case 2:
        return gbl_Vector_extractElement_FP64(value, v, t_below(&w->r, N));
    case 3:
        info = gbl_Vector_dup(&copy, v);
        if (info == GBL_SUCCESS)
            info = gbl_Vector_reduce_FP64(value, NULL, GBL_MIN_MONOID_FP64, copy, NULL);
        OK(gbl_Vector_free(&copy));
        return info;
    case 4:
        return gbl_Vector_assign_FP64(v, NULL, NULL, 1.5, GBL_ALL, N, NULL);
    case 5:
        return gbl_Vector_select_FP64(any(w), NULL, NULL, GBL_VALUEGT_FP64, v, -4.0, NULL);
    default:
        return renew(w);
    }
}

static gbl_Info step(void *world, uint64_t *told) {
    World *w = world;
    const uint64_t which = t_below(&w->r, 100);
    double value = 1;
    gbl_Info info;
    if (which < 35)
        info = combine(w);
    else if (which < 65)
        info = map(w);
    else if (which < 75)
        info = map_matrix(w);
    else
        info = which < 85 ? sum(w, &value) : other(w, &value);
    memcpy(told, &value, sizeof *told);
    return info;
}

static void make(void *world, t_Random *r) {
    World *w = world;
    w->r = *r;
    for (int k = 0; k < VECTORS; k++) w->v[k] = full_vector(&w->r, types[k]);
    for (int k = 0; k < MATRICES; k++) w->X[k] = some_matrix(&w->r, GBL_FP64_CODE);
    OK(gbl_Vector_new(&w->narrow, GBL_FP64, N - 1));
}

static int count_deferred(const void *world) {
    const World *w = world;
    int count = 0;
    for (int k = 0; k < VECTORS; k++) count += gb_is_deferred(&w->v[k]->m);
    return count;
}

static int leave_world(void *world, o_Matrix *content) {
    World *w = world;
    for (int k = 0; k < VECTORS; k++) content[k] = t_dense_vector(w->v[k]);
    for (int k = 0; k < MATRICES; k++) content[VECTORS + k] = t_dense(w->X[k]);
    for (int k = 0; k < VECTORS; k++) OK(gbl_Vector_free(&w->v[k]));
    for (int k = 0; k < MATRICES; k++) OK(gbl_Matrix_free(&w->X[k]));
    OK(gbl_Vector_free(&w->narrow));
    return VECTORS + MATRICES;
}

Test(deferred_values, sequences_give_what_they_do_in_blocking_mode) {
    World world;
    play_both_ways(&(Sequences){make, step, count_deferred, leave_world}, &world, 60);
}

/* -- what is put off --------------------------------------------------------------------------- */

typedef struct {
    gbl_Vector w, u, v;
    double sum; /* of |w - u| */
} Trio;

static void calls(const Trio *t) {
    OK(gbl_Vector_assign(t->w, NULL, GBL_MINUS_FP64, t->u, GBL_ALL, N, NULL));
    OK(gbl_Vector_apply(t->w, NULL, NULL, GBL_ABS_FP64, t->w, NULL));
}

static Trio trio(void) {
    t_Random r = t_random(5);
    Trio t = {.w = full_vector(&r, GBL_FP64_CODE),
              .u = full_vector(&r, GBL_FP64_CODE),
              .v = full_vector(&r, GBL_FP64_CODE)};
    gbl_Vector copy = NULL;
    OK(gbl_Vector_dup(&copy, t.w));
    calls(&t);
    OK(gbl_Vector_wait(t.w, GBL_COMPLETE));
    OK(gbl_Vector_reduce_FP64(&t.sum, NULL, GBL_PLUS_MONOID_FP64, t.w, NULL));
    OK(gbl_Vector_free(&t.w));
    t.w = copy;
    calls(&t);
    CHECK(gb_is_deferred(&t.w->m) && gb_is_deferred(&t.u->m) && !gb_is_deferred(&t.v->m));
    return t;
}

static double sum_of(gbl_Vector w) {
    double x = -1;
    OK(gbl_Vector_reduce_FP64(&x, NULL, GBL_PLUS_MONOID_FP64, w, NULL));
    return x;
}

static void leave(Trio *t) {
    FREE(t->w, t->u, t->v);
}

GB_TEST(deferred_values, a_sum_ends_the_sequence_in_one_pass) {
    Trio t = trio();
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    char text[20000];
    size_t size = sizeof text;
    CHECK(sum_of(t.w) == t.sum);
    CHECK(!gb_is_deferred(&t.w->m) && !gb_is_deferred(&t.u->m));
    OK(gbl_Vector_explain(&how, t.w));
    CHECK(strcmp(how.operation, "values") == 0 && how.fused == 3);
    OK(gbl_Explanation_text(text, &size, &how));
    CHECK(strstr(text, "3, deferred and made together") != NULL);
    CHECK(sum_of(t.w) == t.sum);
    OK(gbl_Vector_apply(t.w, NULL, NULL, GBL_ABS_FP64, t.w, NULL));
    CHECK_EQ(gbl_Vector_explain(&how, t.w), GBL_NO_VALUE); /* made by itself */
    leave(&t);
}

GB_TEST(deferred_values, operands_may_change_and_go) {
    Trio t = trio();
    OK(gbl_Vector_setElement_FP64(t.u, 1000, 3));
    CHECK(!gb_is_deferred(&t.w->m));
    CHECK(sum_of(t.w) == t.sum);
    leave(&t);
    t = trio();
    OK(gbl_Vector_apply(t.u, NULL, NULL, GBL_AINV_FP64, t.u, NULL)); /* another sequence */
    CHECK(!gb_is_deferred(&t.w->m) && gb_is_deferred(&t.u->m));
    CHECK(sum_of(t.w) == t.sum);
    leave(&t);
    t = trio();
    OK(gbl_Vector_free(&t.u));
    CHECK(sum_of(t.w) == t.sum);
    leave(&t);
    t = trio();
    OK(gbl_Vector_free(&t.w)); /* never made */
    CHECK(!gb_is_deferred(&t.u->m));
    leave(&t);
}

/* What was to become of w before does not matter then. */
GB_TEST(deferred_values, what_is_overwritten_is_not_made) {
    Trio t = trio();
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    OK(gbl_Vector_eWiseMult_BinaryOp(t.w, NULL, NULL, GBL_PLUS_FP64, t.v, t.v, NULL));
    CHECK(gb_is_deferred(&t.w->m) && gb_is_deferred(&t.v->m));
    CHECK(sum_of(t.w) == 2 * sum_of(t.v));
    OK(gbl_Vector_explain(&how, t.w));
    CHECK_EQ(how.fused, 2);
    leave(&t);
}

static void twice(void *z, const void *x) {
    *(double *)z = 2 * *(const double *)x;
}

/* Functions of the user's, casts, masks, and vectors with gaps. */
GB_TEST(deferred_values, others_are_made_at_once) {
    Trio t = trio();
    gbl_UnaryOp op = NULL;
    OK(gbl_UnaryOp_new(&op, twice, GBL_FP64, GBL_FP64));
    gbl_Vector few = t_new_vector(GBL_FP64, N);
    OK(gbl_Vector_setElement_FP64(few, 1, 3));
    OK(gbl_Vector_apply(t.w, NULL, NULL, op, t.w, NULL));
    CHECK(!gb_is_deferred(&t.w->m));
    OK(gbl_Vector_apply(t.w, NULL, NULL, GBL_ABS_FP32, t.w, NULL));
    CHECK(!gb_is_deferred(&t.w->m));
    OK(gbl_Vector_apply(t.w, few, NULL, GBL_ABS_FP64, t.w, GBL_DESC_S));
    CHECK(!gb_is_deferred(&t.w->m));
    OK(gbl_Vector_eWiseAdd_BinaryOp(t.w, NULL, NULL, GBL_PLUS_FP64, t.w, few, NULL));
    CHECK(!gb_is_deferred(&t.w->m));
    FREE(op, few);
    leave(&t);
}

/* They are stored as one, as in blocking mode. */
GB_TEST(deferred_values, one_value_for_all_is_not_put_off) {
    Trio t = trio();
    OK(gbl_Vector_apply(t.w, NULL, NULL, GBL_ONE_FP64, t.w, NULL));
    CHECK(!gb_is_deferred(&t.w->m) && t.w->m.iso);
    OK(gbl_Vector_apply_BinaryOp2nd_FP64(t.v, NULL, NULL, GBL_SECOND_FP64, t.v, 2.5, NULL));
    CHECK(!gb_is_deferred(&t.v->m) && t.v->m.iso);
    leave(&t);
}

GB_TEST(deferred_values, errors_belong_to_the_call) {
    Trio t = trio();
    FAILS(GBL_NULL_POINTER, gbl_Vector_apply(t.w, NULL, NULL, NULL, t.w, NULL));
    FAILS(GBL_NULL_POINTER,
          gbl_Vector_eWiseAdd_BinaryOp(t.w, NULL, NULL, GBL_PLUS_FP64, t.w, NULL, NULL));
    CHECK(gb_is_deferred(&t.w->m));
    CHECK(sum_of(t.w) == t.sum);
    leave(&t);
}

/* -- no memory --------------------------------------------------------------------------------- */

/* False: fewer than n allocations. What was put off is made without any, but for the sum's own. */
static bool fail(int64_t n) {
    Trio t = trio();
    double x = -1;
    bool failed;
    FAIL_AT(n, gbl_Vector_reduce_FP64(&x, NULL, GBL_PLUS_MONOID_FP64, t.w, NULL), &failed);
    CHECK(sum_of(t.w) == t.sum);
    calls(&t);
    t_fail_at(1);
    OK(gbl_Vector_wait(t.w, GBL_COMPLETE));
    t_fail_at(0);
    leave(&t);
    return failed;
}

BRUTAL(values_that_are_put_off) {
    int64_t n = 1;
    do t_case("allocation %lld fails", (long long)n);
    while (fail(n++));
    CHECK(n > 2);
}
