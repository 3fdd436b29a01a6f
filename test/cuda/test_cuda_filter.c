/* SPDX-License-Identifier: Apache-2.0
 *
 * Products whose rows are filtered on the device: the same bits as on the host, which the oracle
 * has checked, since the tiled product sums in the host's order; ties, NaN, no entries left; every
 * method, slices, and what is refused; and Markov clustering, of which nothing moves but numbers.
 */
#include "cuda/cuda_test.h"
#include "kernel_api/device.h"
#include "support/tuples.h"

#include <math.h>
#include <string.h>

#include "../examples/markov_cluster.h"

typedef struct {
    gbl_Type type;
    gbl_Semiring ring;
    gbl_IndexUnaryOp op; /* NULL: none */
    double y;
    gbl_Index most, recover;
    double share, power;
    bool scale;
} rule;

static gbl_Matrix make(gbl_Type type, gbl_Index rows, gbl_Index columns, double density,
                       uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, type, rows, columns));
    for (gbl_Index i = 0; i < rows; i++)
        for (gbl_Index j = 0; j < columns; j++)
            if (i % 7 != 3 && (i == 5 || t_chance(&r, density)))
                OK(gbl_Matrix_setElement_FP64(A, (double)t_below(&r, 41) / 8.0 - 1.0, i, j));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

static gbl_Info multiply(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B, const rule *f,
                         gbl_Desc_Value method) {
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    gbl_Descriptor desc = NULL;
    keep.op = f->op;
    keep.most = f->most;
    keep.recover = f->recover;
    keep.share = f->share;
    keep.power = f->power;
    keep.scale = f->scale;
    OK(gbl_Scalar_new(&keep.y, GBL_FP64));
    OK(gbl_Scalar_setElement_FP64(keep.y, f->y));
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, method));
    const gbl_Info info = gbl_mxm_select(C, NULL, NULL, f->ring, &keep, A, B, desc);
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Scalar_free(&keep.y));
    return info;
}

static gbl_Matrix product(gbl_Matrix A, gbl_Matrix B, const rule *f, gbl_Desc_Value method,
                          gbl_Place place) {
    gbl_Matrix C = NULL;
    gbl_Index rows, columns;
    OK(gbl_Matrix_nrows(&rows, A));
    OK(gbl_Matrix_ncols(&columns, B));
    OK(gbl_Matrix_new(&C, f->type, rows, columns));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, place, GBL_PLACE));
    OK(multiply(C, A, B, f, method));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_GPU, GBL_PLACE));
    return C;
}

static void compare(gbl_Matrix A, gbl_Matrix B, const rule *f, gbl_Desc_Value method) {
    gbl_Matrix expected = product(A, B, f, GBL_DEFAULT, GBL_PLACE_CPU);
    gbl_Matrix actual = product(A, B, f, method, GBL_PLACE_GPU);
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Index n = 0;
    const t_Tuples tuples = t_tuples_of(expected);
    OK(gbl_Matrix_explain(&why, actual));
    cr_assert_str_eq(why.place, "gpu");
    CHECK_EQ(why.nvals, tuples.n);
    OK(gbl_Matrix_nvals(&n, actual));
    CHECK_EQ(n, tuples.n);
    t_expect_tuples(&tuples, actual);
    t_tuples_free((t_Tuples *)&tuples);
    OK(gbl_Matrix_free(&expected));
    OK(gbl_Matrix_free(&actual));
}

#define FP64_RULE .type = GBL_FP64, .ring = GBL_PLUS_TIMES_SEMIRING_FP64
#define FP32_RULE .type = GBL_FP32, .ring = GBL_PLUS_TIMES_SEMIRING_FP32

static void all_rules(gbl_Matrix A, gbl_Matrix B, gbl_Desc_Value method) {
    const rule rules[] = {
        {FP64_RULE, .op = GBL_VALUEGE_FP64, .y = 2.0},
        {FP64_RULE, .op = GBL_VALUEGE_FP64, .y = 1e9}, /* none is left */
        {FP64_RULE, .most = 3},
        {FP64_RULE, .op = GBL_VALUEGT_FP64, .y = 9.0, .most = 9, .recover = 12, .share = 0.8},
        {FP64_RULE, .op = GBL_TRIL, .y = 2.0, .most = 5, .power = 2.0, .scale = true},
        {FP32_RULE, .op = GBL_VALUEGE_FP32, .y = 3.0, .most = 6, .power = 2.0, .scale = true},
        {FP32_RULE, .most = 20, .recover = 40, .share = 0.99, .power = 1.0, .scale = true},
        {.type = GBL_INT64,
         .ring = GBL_PLUS_TIMES_SEMIRING_INT64,
         .op = GBL_VALUENE_INT64,
         .y = 1.0,
         .most = 4},
        {.type = GBL_INT32,
         .ring = GBL_PLUS_TIMES_SEMIRING_INT32,
         .op = GBL_ROWGT,
         .y = 20.0,
         .most = 7,
         .recover = 9,
         .share = 0.5},
    };
    for (size_t k = 0; k < T_COUNT(rules); k++) {
        t_case("rule %d, method %d", (int)k, (int)method);
        cuda_seed(k);
        compare(A, B, &rules[k], method);
    }
}

CUDA_TEST(cuda_filter, rules) {
    gbl_Matrix A = make(GBL_FP64, 30, 24, 0.25, 1), B = make(GBL_FP64, 24, 140, 0.25, 2);
    all_rules(A, B, GBL_METHOD_TILED);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

/* Sums in no fixed order, so of whole numbers. */
CUDA_TEST(cuda_filter, methods) {
    const rule f = {.type = GBL_INT64,
                    .ring = GBL_PLUS_TIMES_SEMIRING_INT64,
                    .op = GBL_VALUEGE_INT64,
                    .y = 3.0,
                    .most = 5,
                    .recover = 6,
                    .share = 0.7};
    gbl_Matrix A = make(GBL_INT64, 50, 50, 0.15, 3);
    const gbl_Desc_Value methods[] = {GBL_METHOD_ROWWISE, GBL_METHOD_TILED};
    for (size_t k = 0; k < T_COUNT(methods); k++) compare(A, A, &f, methods[k]);
    OK(gbl_Matrix_free(&A));
}

CUDA_TEST(cuda_filter, not_a_number) {
    const rule f = {FP64_RULE, .most = 4};
    gbl_Matrix A = NULL, B = make(GBL_FP64, 9, 80, 0.5, 4);
    OK(gbl_Matrix_new(&A, GBL_FP64, 9, 9));
    for (gbl_Index i = 0; i < 9; i++) OK(gbl_Matrix_setElement_FP64(A, 1.0, i, i));
    for (gbl_Index j = 0; j < 80; j += 3)
        OK(gbl_Matrix_setElement_FP64(B, j % 2 == 0 ? NAN : -INFINITY, 5, j));
    gbl_Matrix expected = product(A, B, &f, GBL_DEFAULT, GBL_PLACE_CPU);
    gbl_Matrix actual = product(A, B, &f, GBL_METHOD_TILED, GBL_PLACE_GPU);
    const t_Tuples want = t_tuples_of(expected), found = t_tuples_of(actual);
    t_same_tuples(&want, &found, true);
    t_tuples_free((t_Tuples *)&want);
    t_tuples_free((t_Tuples *)&found);
    gbl_Matrix *all[] = {&A, &B, &expected, &actual};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_free(all[k]));
}

/* Slices number their rows from 0: operators by position must not notice. */
CUDA_TEST(cuda_filter, slices) {
    const rule rules[] = {
        {.type = GBL_INT64,
         .ring = GBL_PLUS_TIMES_SEMIRING_INT64,
         .op = GBL_TRIL,
         .y = -3.0,
         .most = 20},
        {.type = GBL_INT64, .ring = GBL_PLUS_TIMES_SEMIRING_INT64, .op = GBL_ROWLE, .y = 45.0},
        {.type = GBL_INT64, .ring = GBL_PLUS_TIMES_SEMIRING_INT64, .op = GBL_COLGT, .y = 25.0},
    };
    gbl_Matrix A = make(GBL_INT64, 70, 70, 0.15, 5);
    int64_t peak = 0;
    for (size_t k = 0; k < T_COUNT(rules); k++) {
        OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_MEMORY_LIMIT));
        compare(A, A, &rules[k], GBL_METHOD_ROWWISE);
        OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_DEVICE_BYTES_PEAK));
        OK(gbl_Global_set_INT64(GBL_GLOBAL, peak * 6 / 10, GBL_DEVICE_MEMORY_LIMIT));
        gbl_Matrix expected = product(A, A, &rules[k], GBL_DEFAULT, GBL_PLACE_CPU);
        gbl_Matrix actual = product(A, A, &rules[k], GBL_METHOD_ROWWISE, GBL_PLACE_GPU);
        gbl_Explanation why = GBL_EXPLANATION_INIT;
        OK(gbl_Matrix_explain(&why, actual));
        CHECK(why.slices > 1);
        const t_Tuples tuples = t_tuples_of(expected);
        t_expect_tuples(&tuples, actual);
        t_tuples_free((t_Tuples *)&tuples);
        OK(gbl_Matrix_free(&expected));
        OK(gbl_Matrix_free(&actual));
    }
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_MEMORY_LIMIT));
    OK(gbl_Matrix_free(&A));
}

static void odd(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    (void)x, (void)y;
    *(bool *)z = (i + j) % 2 == 1;
}

CUDA_TEST(cuda_filter, refused) {
    gbl_Matrix A = make(GBL_FP64, 30, 30, 0.2, 6), C = NULL;
    gbl_IndexUnaryOp op = NULL;
    OK(gbl_Matrix_new(&C, GBL_FP64, 30, 30));
    OK(gbl_IndexUnaryOp_new(&op, odd, GBL_BOOL, GBL_FP64, GBL_FP64));
    FAILS(GBL_INVALID_VALUE, multiply(C, A, A, &(rule){FP64_RULE, .op = op}, GBL_DEFAULT));
    FAILS(GBL_INVALID_VALUE,
          multiply(C, A, A, &(rule){FP64_RULE, .op = GBL_VALUEGT_FP32}, GBL_DEFAULT));
    OK(gbl_IndexUnaryOp_free(&op));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
}

/* -- Markov clustering */

/* Communities of 10 vertices, each with most edges inside, and few between. */
static gbl_Matrix communities(gbl_Index n, uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, GBL_FP64, n, n));
    for (gbl_Index i = 0; i < n; i++)
        for (gbl_Index j = 0; j < i; j++)
            if (t_chance(&r, i / 10 == j / 10 ? 0.7 : 0.01))
                OK(gbl_Matrix_setElement_FP64(A, 1.0 + (double)t_below(&r, 5), i, j));
    return A;
}

typedef struct {
    gb_DeviceFacts last;
    int64_t steps;
    uint64_t most_up, most_down; /* of a step but the first */
    const char *place;
} watch;

static void look(void *context, int64_t step, double chaos, const gbl_Explanation *how) {
    watch *w = context;
    gb_DeviceFacts now;
    (void)chaos;
    gb_device()->facts(&now);
    w->place = how->place;
    if (step > 1) {
        const uint64_t up = now.bytes_up - w->last.bytes_up;
        const uint64_t down = now.bytes_down - w->last.bytes_down;
        w->most_up = up > w->most_up ? up : w->most_up;
        w->most_down = down > w->most_down ? down : w->most_down;
    }
    w->last = now;
    w->steps = step;
}

static void cluster(gbl_Vector *found, gbl_Matrix A, gbl_Place place, bool single, watch *w) {
    markov_options options = MARKOV_USUAL;
    options.keep.most = 10;
    options.keep.recover = 12;
    options.dust = 1e-7;
    options.single = single;
    options.report = look;
    options.context = w;
    OK(gbl_Global_set_INT32(GBL_GLOBAL, place, GBL_PLACE));
    OK(markov_cluster(found, A, &options));
}

static void same_vector(gbl_Vector expected, gbl_Vector actual) {
    o_Matrix dense = t_dense_vector(expected);
    t_expect_vector("clusters", &dense, actual, 0.0);
    o_free(&dense);
}

CUDA_TEST(cuda_filter, markov_clustering) {
    for (int single = t_samples() ? 1 : 0; single < 2; single++) {
        gbl_Matrix A = communities(40, 9);
        watch here = {0}, there = {0};
        t_case("single %d", single);
        gbl_Vector want[MARKOV_FOUND], got[MARKOV_FOUND];
        cluster(want, A, GBL_PLACE_CPU, single, &here);
        cluster(got, A, GBL_PLACE_GPU, single, &there);
        cr_assert_str_eq(there.place, "gpu");
        CHECK(there.steps > 3);
        CHECK_EQ(there.most_up, 0);
        CHECK_EQ(there.most_down, 0); /* numbers are read, not moved */
        for (int k = 0; k < MARKOV_FOUND; k++) {
            same_vector(want[k], got[k]);
            OK(gbl_Vector_free(&want[k]));
            OK(gbl_Vector_free(&got[k]));
        }
        OK(gbl_Matrix_free(&A));
    }
}
