/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations other than products on the device: that they run there, leave their results there and
 * move nothing; large and odd shapes against the host, which the oracle has checked; what goes home
 * and says why; failures. Outputs that are operands, and rare accumulators and masks, are in
 * test_cuda_written; test_cuda_frames is a sample of the host's tests against the oracle, where the
 * GPU is asked for and may still refuse.
 */
#include "cuda/cuda_test.h"
#include "support/tuples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static gbl_Explanation explain(gbl_Matrix A) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    OK(gbl_Matrix_explain(&why, A));
    return why;
}

/* -- matrices */

typedef struct {
    gbl_Type type;
    gbl_Index rows, columns;
    double density;
    gbl_Index long_row, long_column; /* full; `rows` or more: none */
    gbl_Index every;                 /* only one of so many rows has entries; 0 or 1: each */
} shape;

static gbl_Matrix make(const shape *s, uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, s->type, s->rows, s->columns));
    for (gbl_Index i = 0; i < s->rows; i++)
        for (gbl_Index j = 0; j < s->columns; j++) {
            const bool usual = (s->every < 2 || i % s->every == 1) && t_chance(&r, s->density);
            if (!usual && i != s->long_row && j != s->long_column) continue;
            OK(gbl_Matrix_setElement_FP64(A, (double)t_below(&r, 9) - 4.0, i, j));
        }
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

/* borders of words, warps and blocks; columns and rows longer than what one warp sorts */
static const shape shapes[] = {
    {NULL, 1, 33, 1.0, 99, 99, 0},   {NULL, 31, 31, 0.3, 99, 99, 0},
    {NULL, 64, 32, 0.5, 99, 99, 3},  {NULL, 300, 40, 0.1, 7, 3, 0},
    {NULL, 40, 700, 0.02, 39, 0, 5}, {NULL, 600, 2, 0.9, 999, 999, 0},
};

/* -- operations, as functions of two matrices of one shape */

typedef struct {
    gbl_Type type;
    gbl_BinaryOp plus;
    gbl_UnaryOp negate;
    gbl_IndexUnaryOp above;
} algebra;

typedef gbl_Info (*operation)(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B, const algebra *by);

static gbl_Info negate(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B, const algebra *by) {
    (void)B;
    return gbl_Matrix_apply(C, NULL, NULL, by->negate, A, NULL);
}
static gbl_Info below(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B, const algebra *by) {
    (void)by;
    return gbl_Matrix_select_INT64(C, B, NULL, GBL_TRIL, A, 1, NULL);
}
static gbl_Info large(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B, const algebra *by) {
    return gbl_Matrix_select_FP64(C, B, by->plus, by->above, A, 0.0, GBL_DESC_SC);
}
static gbl_Info unite(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B, const algebra *by) {
    return gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, by->plus, A, B, NULL);
}
static gbl_Info unite_inside(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B, const algebra *by) {
    return gbl_Matrix_eWiseAdd_BinaryOp(C, A, NULL, by->plus, A, B, GBL_DESC_S);
}
static gbl_Info intersect(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B, const algebra *by) {
    return gbl_Matrix_eWiseMult_BinaryOp(C, NULL, NULL, by->plus, A, B, NULL);
}
static gbl_Info intersect_outside(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B, const algebra *by) {
    return gbl_Matrix_eWiseMult_BinaryOp(C, B, by->plus, by->plus, A, A, GBL_DESC_RC);
}
static gbl_Info turn(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B, const algebra *by) {
    gbl_Matrix T = NULL;
    gbl_Index rows, columns;
    OK(gbl_Matrix_nrows(&rows, A));
    OK(gbl_Matrix_ncols(&columns, A));
    OK(gbl_Matrix_new(&T, by->type, columns, rows));
    gbl_Info info = gbl_transpose(T, NULL, NULL, A, NULL);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, by->plus, T, B, GBL_DESC_T0);
    OK(gbl_Matrix_free(&T));
    return info;
}

typedef struct {
    const char *name;
    operation run;
} named;
static const named operations[] = {
    {"negate", negate},
    {"below", below},
    {"large", large},
    {"unite", unite},
    {"unite inside", unite_inside},
    {"intersect", intersect},
    {"intersect outside", intersect_outside},
    {"turn", turn},
};

static const algebra *algebras(size_t *count) {
    static algebra list[5];
    list[0] = (algebra){GBL_FP64, GBL_MINUS_FP64, GBL_AINV_FP64, GBL_VALUEGT_FP64};
    list[1] = (algebra){GBL_FP32, GBL_MINUS_FP32, GBL_MINV_FP32, GBL_VALUENE_FP32};
    list[2] = (algebra){GBL_INT64, GBL_DIV_INT64, GBL_BNOT_INT64, GBL_VALUELE_INT64};
    list[3] = (algebra){GBL_INT32, GBL_MINUS_INT32, GBL_ABS_INT32, GBL_VALUEGT_INT32};
    list[4] = (algebra){GBL_BOOL, GBL_LXOR, GBL_LNOT, GBL_VALUEEQ_BOOL};
    *count = 5;
    return list;
}

/* C, of some entries of its own, after the operation. */
static gbl_Matrix result(const named *o, gbl_Matrix A, gbl_Matrix B, const algebra *by) {
    gbl_Matrix C = NULL;
    OK(gbl_Matrix_dup(&C, B));
    OK(o->run(C, A, B, by));
    return C;
}

static void compare(const named *o, const shape *s, const algebra *by, uint64_t seed) {
    gbl_Matrix A = make(s, seed), B = make(s, seed + 1);
    t_case("%s, %d x %d, seed %d", o->name, (int)s->rows, (int)s->columns, (int)seed);
    set_place(GBL_PLACE_CPU);
    gbl_Matrix expected = result(o, A, B, by);
    t_Tuples tuples = t_tuples_of(expected);
    set_place(GBL_PLACE_GPU);
    cuda_seed(seed);
    gbl_Matrix actual = result(o, A, B, by);
    cr_assert_str_eq(explain(actual).place, "gpu", "%s: %s", t_case_text(),
                     explain(actual).place_reason);
    if (tuples.n > 0) CHECK_EQ(formats_of(actual), GBL_HAS_DEVICE);
    t_expect_tuples(&tuples, actual);
    t_tuples_free(&tuples);
    gbl_Matrix *all[] = {&A, &B, &expected, &actual};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_free(all[k]));
}

CUDA_TEST(cuda_operations, shapes) {
    size_t types;
    const algebra *by = algebras(&types);
    for (size_t o = 0; o < T_COUNT(operations); o++)
        for (size_t s = 0; s < T_COUNT(shapes); s++) {
            const algebra *a = &by[(o + s) % types];
            shape of = shapes[s];
            of.type = a->type;
            if (!t_left_out()) compare(&operations[o], &of, a, 100 * o + s);
        }
}

/* Rows and columns to a vector: values in quarters, whose sums are exact in any order. */
static void reduce_both(gbl_Matrix A, gbl_Monoid monoid, gbl_Type type, bool columns) {
    gbl_Vector w[2] = {NULL, NULL};
    gbl_Index n;
    OK(columns ? gbl_Matrix_ncols(&n, A) : gbl_Matrix_nrows(&n, A));
    for (int k = 0; k < 2; k++) {
        set_place(k == 0 ? GBL_PLACE_CPU : GBL_PLACE_GPU);
        OK(gbl_Vector_new(&w[k], type, n));
        for (gbl_Index i = 0; i < n; i += 3) OK(gbl_Vector_setElement_INT32(w[k], 1, i));
        OK(gbl_Matrix_reduce_Monoid(w[k], NULL, GBL_PLUS_FP64, monoid, A,
                                    columns ? GBL_DESC_T0 : NULL));
    }
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    OK(gbl_Vector_explain(&why, w[1]));
    cr_assert_str_eq(why.place, "gpu");
    o_Matrix expected = t_dense_vector(w[0]);
    t_expect_vector("sums", &expected, w[1], 0.0);
    o_free(&expected);
    for (int k = 0; k < 2; k++) OK(gbl_Vector_free(&w[k]));
}

CUDA_TEST(cuda_operations, rows_to_a_vector) {
    const gbl_Type types[] = {GBL_FP64, GBL_FP32, GBL_INT64, GBL_INT32};
    const gbl_Monoid monoids[] = {GBL_PLUS_MONOID_FP64, GBL_MAX_MONOID_FP32, GBL_MIN_MONOID_INT64,
                                  GBL_PLUS_MONOID_INT32};
    const shape long_rows = {NULL, 3, 1500, 0.01, 1, 9999, 0};
    for (size_t k = 0; k <= T_COUNT(shapes); k++) {
        shape s = k < T_COUNT(shapes) ? shapes[k] : long_rows;
        s.type = types[k % 4];
        t_case("%d x %d", (int)s.rows, (int)s.columns);
        gbl_Matrix A = make(&s, 50 + k);
        cuda_seed(k);
        reduce_both(A, monoids[k % 4], GBL_FP64, k % 2 == 1);
        reduce_both(A, monoids[(k + 1) % 4], GBL_FP64, k % 2 == 0); /* with casts */
        OK(gbl_Matrix_free(&A));
    }
}

/* -- what moves */

static cuda_on_cpu_Counts counts(void) {
    return cuda_on_cpu_counts();
}

/* No more than some numbers since then: of entries, and offsets where slices ask. */
static void nothing_moved(const cuda_on_cpu_Counts *since) {
    const cuda_on_cpu_Counts now = counts();
    CHECK(now.bytes_home - since->bytes_home <= 64);
    CHECK_EQ(now.bytes_there, since->bytes_there);
}

/* A matrix that is there and nowhere else. */
static gbl_Matrix left_there(const shape *s, uint64_t seed) {
    gbl_Matrix A = make(s, seed), C = NULL;
    OK(gbl_Matrix_new(&C, s->type, s->rows, s->columns));
    OK(gbl_Matrix_apply(C, NULL, NULL, s->type == GBL_INT32 ? GBL_AINV_INT32 : GBL_AINV_FP64, A,
                        NULL));
    CHECK_EQ(formats_of(C), GBL_HAS_DEVICE);
    OK(gbl_Matrix_free(&A));
    return C;
}

static const shape usual = {NULL, 90, 90, 0.2, 5, 6, 0};

static shape usual_of(gbl_Type type) {
    shape s = usual;
    s.type = type;
    return s;
}

CUDA_TEST(cuda_operations, nothing_moves) {
    const shape s = usual_of(GBL_INT32);
    gbl_Matrix A = left_there(&s, 1), B = left_there(&s, 2), C = NULL, D = NULL, rows = NULL;
    int32_t there = 0, here = 0;
    OK(gbl_Matrix_new(&rows, GBL_INT64, s.rows, s.columns));
    cuda_on_cpu_Counts before = counts();
    OK(gbl_Matrix_dup(&C, A));
    OK(gbl_Matrix_dup(&D, B));
    nothing_moved(&before);
    OK(gbl_Matrix_select_INT64(C, B, GBL_PLUS_INT32, GBL_OFFDIAG, A, 0, GBL_DESC_R));
    OK(gbl_Matrix_eWiseAdd_BinaryOp(C, D, NULL, GBL_MINUS_INT32, A, C, GBL_DESC_T0));
    nothing_moved(&before);
    OK(gbl_Matrix_assign_INT32(D, C, NULL, 7, GBL_ALL, s.rows, GBL_ALL, s.columns, GBL_DESC_S));
    OK(gbl_Matrix_apply_IndexOp_INT64(rows, C, NULL, GBL_DIAGINDEX_INT64, C, 2, GBL_DESC_C));
    OK(gbl_transpose(D, A, GBL_MAX_INT32, C, GBL_DESC_S));
    OK(gbl_Matrix_apply(D, NULL, GBL_PLUS_INT32, GBL_MINV_FP64, C, NULL)); /* with casts */
    before.bytes_home += 64;                                               /* so far; and the sum */
    OK(gbl_Matrix_reduce_INT32(&there, NULL, GBL_PLUS_MONOID_INT32, D, NULL));
    nothing_moved(&before);
    gbl_Matrix left[] = {C, D};
    for (size_t k = 0; k < T_COUNT(left); k++) CHECK_EQ(formats_of(left[k]), GBL_HAS_DEVICE);
    OK(gbl_Matrix_wait(D, GBL_MATERIALIZE));
    set_place(GBL_PLACE_CPU);
    OK(gbl_Matrix_reduce_INT32(&here, NULL, GBL_PLUS_MONOID_INT32, D, NULL));
    CHECK_EQ(here, there);
    gbl_Matrix *all[] = {&A, &B, &C, &D, &rows};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_free(all[k]));
}

/* The place is left open, but the content is there. */
CUDA_TEST(cuda_operations, follow_the_content) {
    const shape s = usual_of(GBL_FP64);
    gbl_Matrix A = left_there(&s, 3), B = NULL;
    set_place(GBL_PLACE_CPU);
    OK(gbl_Matrix_new(&B, GBL_FP64, s.rows, s.columns));
    OK(gbl_Matrix_select_FP64(B, NULL, NULL, GBL_VALUEGT_FP64, A, 0.0, NULL));
    CHECK_EQ(formats_of(B), GBL_HAS_DEVICE);
    cr_assert_str_eq(explain(B).place, "gpu");
    CHECK(strstr(explain(B).place_reason, "nowhere else") != NULL);
    OK(gbl_Matrix_free(&A));
    A = make(&s, 4);
    OK(gbl_Matrix_select_FP64(B, NULL, NULL, GBL_VALUEGT_FP64, A, 0.0, NULL));
    CHECK(formats_of(B) != GBL_HAS_DEVICE);
    CHECK_EQ(gbl_Matrix_explain(&(gbl_Explanation)GBL_EXPLANATION_INIT, B), GBL_NO_VALUE);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

/* -- what has no kernel */

static void twice(void *z, const void *x) {
    *(double *)z = 2.0 * *(const double *)x;
}

static void expect_home(gbl_Matrix C, const char *reason) {
    const gbl_Explanation why = explain(C);
    char text[4096];
    size_t size = sizeof text;
    cr_assert_str_eq(why.place, "cpu");
    cr_assert(strstr(why.place_reason, reason) != NULL, "%s", why.place_reason);
    CHECK(formats_of(C) != GBL_HAS_DEVICE);
    OK(gbl_Explanation_text(text, &size, &why));
    CHECK(strstr(text, reason) != NULL);
}

CUDA_TEST(cuda_operations, others_come_home_and_say_so) {
    const shape s = usual_of(GBL_FP64);
    gbl_Matrix A = left_there(&s, 5), C = NULL, D = NULL;
    gbl_UnaryOp op = NULL;
    OK(gbl_Matrix_new(&C, GBL_FP64, s.rows, s.columns));
    OK(gbl_Matrix_new(&D, GBL_INT8, s.rows, s.columns));
    OK(gbl_UnaryOp_new(&op, twice, GBL_FP64, GBL_FP64));
    OK(gbl_Matrix_apply(C, NULL, NULL, op, A, NULL));
    expect_home(C, "of the user");
    OK(gbl_Matrix_select_FP32(C, NULL, NULL, GBL_VALUEGT_FP32, A, 1.0f, NULL));
    expect_home(C, "not cast");
    OK(gbl_Matrix_eWiseAdd_BinaryOp(D, NULL, NULL, GBL_PLUS_INT8, A, A, NULL));
    expect_home(D, "no kernel for this type");
    OK(gbl_Matrix_apply(D, NULL, NULL, GBL_AINV_INT8, D, NULL));
    expect_home(D, "no kernel for this type");
    OK(gbl_UnaryOp_free(&op));
    gbl_Matrix *all[] = {&A, &C, &D};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_free(all[k]));
}

/* What two operations write to stderr, of which the second has no kernel. */
static void told_of_two(char text[static 2000], const char *trace) {
    const shape s = usual_of(GBL_FP64);
    gbl_UnaryOp op = NULL;
    gbl_Matrix A, C = NULL;
    FILE *file = tmpfile();
    const int kept = dup(2);
    OK(gbl_finalize());
    setenv("GBLITE_TRACE", trace, 1);
    OK(gbl_init(GBL_NONBLOCKING));
    unsetenv("GBLITE_TRACE");
    A = make(&s, 6);
    set_place(GBL_PLACE_GPU);
    OK(gbl_Matrix_new(&C, GBL_FP64, s.rows, s.columns));
    OK(gbl_UnaryOp_new(&op, twice, GBL_FP64, GBL_FP64));
    CHECK(file != NULL && kept >= 0 && dup2(fileno(file), 2) == 2);
    OK(gbl_Matrix_select_INT64(C, NULL, NULL, GBL_TRIL, A, 0, NULL));
    OK(gbl_Matrix_apply(C, NULL, NULL, op, C, NULL));
    CHECK(dup2(kept, 2) == 2);
    close(kept);
    rewind(file);
    text[fread(text, 1, 1999, file)] = '\0';
    fclose(file);
    OK(gbl_UnaryOp_free(&op));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
}

CUDA_TEST(cuda_operations, traces_tell_of_them_once) {
    char text[2000];
    told_of_two(text, "1");
    const char *second = strchr(text, '\n');
    CHECK(second != NULL);
    CHECK_EQ(strncmp(text, "select on the gpu: the GPU was asked for; ", 42), 0);
    CHECK_EQ(strncmp(second + 1, "apply on the cpu: operators of the user", 39), 0);
    CHECK(strchr(second + 1, '\n') + 1 == text + strlen(text)); /* two lines */
    told_of_two(text, "json");
    CHECK(strstr(text, "{\"operation\":\"select\",\"place\":\"gpu\",") == text);
    CHECK(strstr(text, "\n{\"operation\":\"apply\",\"place\":\"cpu\",") != NULL);
}

/* -- failures: the result is right, by the host where the device had no room, or C is as it was */

static void expect_either(gbl_Info info, gbl_Matrix C, const t_Tuples *before,
                          const t_Tuples *after) {
    CHECK(info == GBL_SUCCESS || info == GBL_PANIC);
    t_expect_tuples(info == GBL_SUCCESS ? after : before, C);
}

/* What fails. */
typedef struct {
    void (*set)(int64_t n);
    bool launches; /* else allocations */
} failing;

static uint64_t asked_so_far(const failing *fail) {
    return fail->launches ? counts().launches : counts().allocations;
}

/* Runs an operation with the n-th allocation, or launch, failing, for every n until it asks for
 * fewer. */
static void fail_each(const named *o, const algebra *by, const failing *fail) {
    const shape s = usual_of(by->type);
    gbl_Matrix A = make(&s, 11), B = make(&s, 12);
    set_place(GBL_PLACE_CPU);
    gbl_Matrix expected = result(o, A, B, by);
    const t_Tuples before = t_tuples_of(B);
    const t_Tuples after = t_tuples_of(expected);
    bool fails = true;
    for (int64_t n = 1; fails; n++) {
        t_case("%s, the %d-th fails", o->name, (int)n);
        CHECK(n < 100);
        set_place(GBL_PLACE_CPU);
        gbl_Matrix C = NULL;
        OK(gbl_Matrix_dup(&C, B));
        set_place(GBL_PLACE_GPU);
        const uint64_t asked = asked_so_far(fail);
        fail->set(n);
        const gbl_Info info = o->run(C, A, B, by);
        fail->set(0);
        fails = asked_so_far(fail) - asked >= (uint64_t)n;
        CHECK(fails || (info == GBL_SUCCESS && strcmp(explain(C).place, "gpu") == 0));
        expect_either(info, C, &before, &after);
        OK(gbl_Matrix_free(&C));
    }
    t_Tuples *tuples[] = {(t_Tuples *)&before, (t_Tuples *)&after};
    for (size_t k = 0; k < T_COUNT(tuples); k++) t_tuples_free(tuples[k]);
    gbl_Matrix *all[] = {&A, &B, &expected};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_free(all[k]));
}

CUDA_TEST(cuda_operations, failing_allocations) {
    size_t types;
    const algebra *by = algebras(&types);
    const failing fail = {cuda_on_cpu_fail_allocation, false};
    for (size_t o = 0; o < T_COUNT(operations); o++) fail_each(&operations[o], &by[0], &fail);
}

CUDA_TEST(cuda_operations, refused_launches) {
    size_t types;
    const algebra *by = algebras(&types);
    const failing fail = {cuda_on_cpu_refuse_launch, true};
    for (size_t o = 0; o < T_COUNT(operations); o++) fail_each(&operations[o], &by[3], &fail);
}

/* What has no room there is done here, and says so. */
CUDA_TEST(cuda_operations, memory_limit) {
    const shape s = usual_of(GBL_FP64);
    size_t types;
    const algebra *by = algebras(&types);
    gbl_Matrix A = make(&s, 21), B = make(&s, 22);
    set_place(GBL_PLACE_CPU);
    gbl_Matrix expected = result(&operations[3], A, B, by);
    const t_Tuples tuples = t_tuples_of(expected);
    set_place(GBL_PLACE_GPU);
    bool here = false, there = false;
    for (int64_t limit = 4000; !there; limit *= 2) {
        OK(gbl_Global_set_INT64(GBL_GLOBAL, limit, GBL_DEVICE_MEMORY_LIMIT));
        gbl_Matrix C = result(&operations[3], A, B, by);
        int64_t peak = 0;
        OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_DEVICE_BYTES_PEAK));
        CHECK(peak <= limit);
        there = strcmp(explain(C).place, "gpu") == 0;
        here = here || !there;
        if (!there) CHECK(strstr(explain(C).place_reason, "no room") != NULL);
        t_expect_tuples(&tuples, C);
        OK(gbl_Matrix_free(&C));
    }
    CHECK(here);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_MEMORY_LIMIT));
    t_tuples_free((t_Tuples *)&tuples);
    gbl_Matrix *all[] = {&A, &B, &expected};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_free(all[k]));
}
