/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls on few entries beside many cost what the few do: with ten times the many, at ordinary and
 * at long dimensions, they ask for less than twice the memory and pass over less than twice the
 * items. So do those that read updates which wait, and those of other types, which ask for
 * memory of all values but write those of few rows; and calls on dense matrices inside a mask.
 */
#include "ops/counted_loops.h"

#include "matrix/hold_dense.h"

#include <stdlib.h>

enum { FEW = 25, MANY = 40000, MORE = 10 /* times as many */ };

typedef struct {
    gbl_Index n;
    gbl_Matrix many, few, C;
    gbl_Vector u, v, m, w; /* v: many */
} Beside;

typedef struct {
    const char *name;
    void (*run)(Beside *o);
    bool casts;    /* of bytes that are asked for, only those of few rows are written */
    bool ordinary; /* hypersparse matrices fold their updates */
} BesideCall;

static gbl_Vector few_elements(gbl_Index n, uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Vector u;
    OK(gbl_Vector_new(&u, GBL_FP64, n));
    for (int k = 0; k < FEW; k++) OK(gbl_Vector_setElement_FP64(u, k, t_below(&r, n)));
    OK(gbl_Vector_wait(u, GBL_MATERIALIZE));
    return u;
}

static Beside beside_new(gbl_Index n, gbl_Index many) {
    Beside o = {.n = n, .u = few_elements(n, 5), .m = few_elements(n, 6)};
    t_Random r = t_random(1);
    gbl_Index *I = malloc(2 * many * sizeof *I), *const J = I + many;
    double *X = malloc(many * sizeof *X);
    for (gbl_Index k = 0; k < many; k++) {
        I[k] = t_below(&r, n);
        J[k] = t_below(&r, n);
        X[k] = 1;
    }
    o.many = t_new_matrix(GBL_FP64, n, n);
    o.few = t_new_matrix(GBL_FP64, n, n);
    o.C = t_new_matrix(GBL_FP64, n, n);
    OK(gbl_Matrix_build_FP64(o.many, I, J, X, many, GBL_PLUS_FP64));
    /* places of the others, by rows that these have */
    OK(gbl_Matrix_build_FP64(o.few, J, I, X, FEW, GBL_PLUS_FP64));
    OK(gbl_Vector_new(&o.v, GBL_FP64, n));
    OK(gbl_Vector_build_FP64(o.v, J, X, many, GBL_PLUS_FP64));
    OK(gbl_Vector_new(&o.w, GBL_FP64, n));
    free(I);
    free(X);
    return o;
}

static void beside_free(Beside *o) {
    FREE(o->many, o->few, o->C, o->u, o->v, o->m, o->w);
}

#define RING GBL_PLUS_TIMES_SEMIRING_FP64
#define BESIDE(NAME, ...)                                                                          \
    static void beside_##NAME(Beside *o) {                                                         \
        __VA_ARGS__;                                                                               \
        OK(gbl_Matrix_wait(o->C, GBL_MATERIALIZE));                                                \
        OK(gbl_Vector_wait(o->w, GBL_MATERIALIZE));                                                \
    }
#define WITH_UPDATE OK(gbl_Matrix_setElement_FP64(o->many, 2, o->n - 1, 5))

BESIDE(mxm, OK(gbl_mxm(o->C, NULL, NULL, RING, o->few, o->many, NULL)))
BESIDE(mxm_masked, OK(gbl_mxm(o->C, o->few, NULL, RING, o->many, o->many, GBL_DESC_RS)))
BESIDE(mult,
       OK(gbl_Matrix_eWiseMult_BinaryOp(o->C, NULL, NULL, GBL_PLUS_FP64, o->many, o->few, NULL)))
BESIDE(add_masked, OK(gbl_Matrix_eWiseAdd_BinaryOp(o->C, o->few, NULL, GBL_PLUS_FP64, o->many,
                                                   o->many, GBL_DESC_RS)))
BESIDE(add_vectors_masked,
       OK(gbl_Vector_eWiseAdd_BinaryOp(o->w, o->m, NULL, GBL_PLUS_FP64, o->v, o->u, GBL_DESC_RS)))
BESIDE(apply_masked, OK(gbl_Matrix_apply(o->C, o->few, NULL, GBL_AINV_FP64, o->many, GBL_DESC_RS)))
BESIDE(transpose_masked, OK(gbl_transpose(o->C, o->few, NULL, o->few, GBL_DESC_RS)))
BESIDE(reduce_masked,
       OK(gbl_Matrix_reduce_Monoid(o->w, o->m, NULL, GBL_PLUS_MONOID_FP64, o->many, GBL_DESC_RS)))
BESIDE(vxm, OK(gbl_vxm(o->w, NULL, NULL, RING, o->u, o->many, NULL)))
BESIDE(mxv, OK(gbl_mxv(o->w, NULL, NULL, RING, o->few, o->v, NULL)))
BESIDE(mxv_masked, OK(gbl_mxv(o->w, o->m, NULL, RING, o->many, o->v, GBL_DESC_RS)))
BESIDE(vxm_cast, OK(gbl_vxm(o->w, NULL, NULL, GBL_LOR_LAND_SEMIRING_BOOL, o->u, o->many, NULL)))
BESIDE(mxv_cast,
       OK(gbl_mxv(o->w, o->m, NULL, GBL_LOR_LAND_SEMIRING_BOOL, o->many, o->v, GBL_DESC_RS)))
BESIDE(row_assign, OK(gbl_Row_assign(o->many, NULL, NULL, o->u, 3, GBL_ALL, o->n, NULL)))
BESIDE(update_mxm, WITH_UPDATE; OK(gbl_mxm(o->C, NULL, NULL, RING, o->few, o->many, NULL)))
BESIDE(update_mult, WITH_UPDATE;
       OK(gbl_Matrix_eWiseMult_BinaryOp(o->C, NULL, NULL, GBL_PLUS_FP64, o->many, o->few, NULL)))

/* A place that no call before has updated. */
static void add_place(Beside *o) {
    static gbl_Index calls;
    OK(gbl_Matrix_setElement_FP64(o->many, 2, calls % o->n, o->n - 1 - calls % 1000));
    calls += 7;
}

static void extract(Beside *o, bool rows, gbl_Descriptor desc) {
    const gbl_Index I[] = {o->n / 2, 7, 0, 7}, wide = rows ? o->n : 4;
    const bool turned = desc != NULL;
    gbl_Matrix T = t_new_matrix(GBL_FP64, turned ? wide : 4, turned ? 4 : wide);
    const gbl_Index *const J = rows ? GBL_ALL : I;
    add_place(o);
    if (turned)
        OK(gbl_Matrix_extract(T, NULL, NULL, o->many, J, wide, I, 4, desc));
    else
        OK(gbl_Matrix_extract(T, NULL, NULL, o->many, I, 4, J, wide, desc));
    OK(gbl_Matrix_wait(T, GBL_MATERIALIZE));
    FREE(T);
}

static void multiply_pairs(Beside *o) {
    gbl_Matrix T = t_new_matrix(GBL_FP64, 2 * o->n, 2 * o->n);
    gbl_Matrix M = t_new_matrix(GBL_FP64, 2 * o->n, 2 * o->n), S = t_new_matrix(GBL_FP64, 2, 2);
    OK(gbl_Matrix_setElement_FP64(M, 1, 4, 2 * o->n - 2));
    OK(gbl_Matrix_assign_FP64(S, NULL, NULL, 3, GBL_ALL, 2, GBL_ALL, 2, NULL));
    add_place(o);
    OK(gbl_Matrix_kronecker_BinaryOp(T, M, NULL, GBL_TIMES_FP64, o->many, S, NULL));
    OK(gbl_Matrix_wait(T, GBL_MATERIALIZE));
    FREE(T, M, S);
}

BESIDE(update_mxv_masked, add_place(o);
       OK(gbl_mxv(o->w, o->m, NULL, RING, o->many, o->v, GBL_DESC_RS)))
BESIDE(update_extract, extract(o, false, NULL))
BESIDE(update_extract_rows, extract(o, true, NULL))
BESIDE(update_extract_turned, extract(o, true, GBL_DESC_T0))
BESIDE(update_kronecker_masked, multiply_pairs(o))

#define NAMED_BESIDE(NAME, CASTS)                                                                  \
    { #NAME, beside_##NAME, CASTS, false }
#define ORDINARY_BESIDE(NAME)                                                                      \
    { #NAME, beside_##NAME, false, true }
static const BesideCall calls_beside[] = {NAMED_BESIDE(mxm, false),
                                          NAMED_BESIDE(mxm_masked, false),
                                          NAMED_BESIDE(mult, false),
                                          NAMED_BESIDE(add_masked, false),
                                          NAMED_BESIDE(apply_masked, false),
                                          NAMED_BESIDE(add_vectors_masked, false),
                                          NAMED_BESIDE(reduce_masked, false),
                                          NAMED_BESIDE(transpose_masked, false),
                                          NAMED_BESIDE(vxm, false),
                                          NAMED_BESIDE(mxv, false),
                                          NAMED_BESIDE(mxv_masked, false),
                                          NAMED_BESIDE(vxm_cast, true),
                                          NAMED_BESIDE(mxv_cast, true),
                                          NAMED_BESIDE(row_assign, false),
                                          NAMED_BESIDE(update_mxm, false),
                                          NAMED_BESIDE(update_mult, false),
                                          ORDINARY_BESIDE(update_mxv_masked),
                                          ORDINARY_BESIDE(update_extract),
                                          ORDINARY_BESIDE(update_extract_rows),
                                          ORDINARY_BESIDE(update_extract_turned),
                                          ORDINARY_BESIDE(update_kronecker_masked)};

/* Of the third call: the first two may make forms that stay. */
static Cost cost_beside(const BesideCall *call, gbl_Index n, gbl_Index many) {
    Beside o = beside_new(n, many);
    for (int k = 0; k < 2; k++) call->run(&o);
    const Cost before = {t_requested(), passed};
    call->run(&o);
    const Cost cost = {t_requested() - before.bytes, passed - before.items};
    beside_free(&o);
    return cost;
}

/* Lists of indices take some memory, and so does reading them; both do not count. */
static const Cost aside = {16384, 4000};

static void check_costs(gbl_Index dimension, bool ordinary) {
    for (size_t c = 0; c < T_COUNT(calls_beside); c++) {
        const BesideCall *call = &calls_beside[c];
        if (call->ordinary && !ordinary) continue;
        t_case("%s, n = %llu", call->name, (unsigned long long)dimension);
        const Cost some = cost_beside(call, dimension, MANY);
        const Cost most = cost_beside(call, dimension, MORE * MANY);
        if (!call->casts) CHECK(most.bytes <= 2 * (some.bytes + aside.bytes));
        CHECK(most.items <= 2 * (some.items + aside.items));
    }
}

Test(beside, cost_follows_the_few, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    check_costs(1000000, true);
}

Test(beside, cost_follows_the_few_in_any_dimension, .init = t_brutal_setup,
     .fini = t_brutal_teardown) {
    check_costs((gbl_Index)1 << 40, false);
}

/* -- dense matrices inside a mask -------------------------------------------------------------- */

enum { SHORT = 400, LONG = 1200 };

typedef struct {
    gbl_Index n;
    gbl_Matrix F, M, C;
    gbl_Vector w, m;
} Inside;

static Inside inside_new(gbl_Index n) {
    Inside o = {.n = n};
    gbl_Index *I = malloc(2 * n * n * sizeof *I), *const J = I + n * n;
    double *X = malloc(n * n * sizeof *X);
    for (gbl_Index k = 0; k < n * n; k++) {
        I[k] = k / n;
        J[k] = k % n;
        X[k] = (double)(k % 10);
    }
    o.F = t_new_matrix(GBL_FP64, n, n);
    OK(gbl_Matrix_build_FP64(o.F, I, J, X, n * n, NULL));
    hold_dense(o.F);
    o.M = t_new_matrix(GBL_FP64, n, n);
    o.C = t_new_matrix(GBL_FP64, n, n);
    OK(gbl_Vector_new(&o.m, GBL_FP64, n));
    OK(gbl_Vector_new(&o.w, GBL_FP64, n));
    for (gbl_Index k = 0; k < 10; k++) {
        OK(gbl_Matrix_setElement_FP64(o.M, 1, 31 * k, 7 * k));
        OK(gbl_Vector_setElement_FP64(o.m, 1, 31 * k));
    }
    OK(gbl_Matrix_wait(o.M, GBL_MATERIALIZE));
    OK(gbl_Vector_wait(o.m, GBL_MATERIALIZE));
    free(I);
    free(X);
    return o;
}

typedef void RunInside(Inside *o);
static void inside_add(Inside *o) {
    OK(gbl_Matrix_eWiseAdd_BinaryOp(o->C, o->M, NULL, GBL_PLUS_FP64, o->F, o->M, GBL_DESC_R));
}
static void inside_mult(Inside *o) {
    OK(gbl_Matrix_eWiseMult_BinaryOp(o->C, o->M, NULL, GBL_PLUS_FP64, o->F, o->F, GBL_DESC_RS));
}
static void inside_apply(Inside *o) {
    OK(gbl_Matrix_apply(o->C, o->M, NULL, GBL_AINV_FP64, o->F, GBL_DESC_RT0));
}
static void inside_copy(Inside *o) {
    OK(gbl_Matrix_assign(o->C, o->M, NULL, o->F, GBL_ALL, o->n, GBL_ALL, o->n, GBL_DESC_R));
}
static void inside_write(Inside *o) {
    OK(gbl_Matrix_assign(o->F, o->M, NULL, o->F, GBL_ALL, o->n, GBL_ALL, o->n, GBL_DESC_T0));
}
static void inside_reduce(Inside *o) {
    OK(gbl_Matrix_reduce_Monoid(o->w, o->m, NULL, GBL_PLUS_MONOID_FP64, o->F, GBL_DESC_R));
}
static RunInside *const calls_inside[] = {inside_add,  inside_mult,  inside_apply,
                                          inside_copy, inside_write, inside_reduce};

static Cost cost_inside(RunInside *run, gbl_Index n) {
    Inside o = inside_new(n);
    for (int k = 0; k < 2; k++) run(&o);
    OK(gbl_Matrix_wait(o.C, GBL_MATERIALIZE));
    const Cost before = {t_requested(), passed};
    run(&o);
    OK(gbl_Matrix_wait(o.C, GBL_MATERIALIZE));
    const Cost cost = {t_requested() - before.bytes, passed - before.items};
    FREE(o.F, o.M, o.C, o.w, o.m);
    return cost;
}

/* Nine times the places ask for at most as many bytes more as three times the rows. */
Test(beside, cost_follows_the_mask, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    for (size_t c = 0; c < T_COUNT(calls_inside); c++) {
        const Cost some = cost_inside(calls_inside[c], SHORT);
        const Cost most = cost_inside(calls_inside[c], LONG);
        t_case("call %zu: %lld bytes, then %lld", c, (long long)some.bytes, (long long)most.bytes);
        CHECK(most.bytes <= 3 * some.bytes + aside.bytes);
        CHECK(most.items <= 3 * some.items + aside.items);
    }
}
