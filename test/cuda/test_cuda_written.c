/* SPDX-License-Identifier: Apache-2.0
 *
 * What operations on the device write where outputs are operands, where values are all one, under
 * masks and accumulators that few programs use, and where the device has no room: each against the
 * same calls on the host, or against what it must be, and that it ran where it is said to have run.
 */
#include "cuda/cuda_test.h"
#include "matrix/check.h"
#include "support/tuples.h"

#include <string.h>

static gbl_Explanation explain(gbl_Vector w) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    OK(gbl_Vector_explain(&why, w));
    return why;
}

/* Both hold the same entries. */
static void expect_same(gbl_Vector expected, gbl_Vector w) {
    o_Matrix dense = t_dense_vector(expected);
    t_expect_vector("w", &dense, w, 0.0);
    o_free(&dense);
}

/* -- matrices of one value */

enum { N = 40 };

static void twice(void *z, const void *x) {
    *(double *)z = 2.0 * *(const double *)x;
}

/* The value 3 at every third place. */
static gbl_Matrix of_one_value(void) {
    gbl_Matrix A = NULL, M = NULL;
    OK(gbl_Matrix_new(&M, GBL_BOOL, N, N));
    for (gbl_Index k = 0; k < N * N; k += 3) OK(gbl_Matrix_setElement_BOOL(M, true, k / N, k % N));
    OK(gbl_Matrix_new(&A, GBL_FP64, N, N));
    set_place(GBL_PLACE_CPU);
    OK(gbl_Matrix_assign_FP64(A, M, NULL, 3.0, GBL_ALL, N, GBL_ALL, N, GBL_DESC_S));
    set_place(GBL_PLACE_GPU);
    OK(gbl_Matrix_free(&M));
    return A;
}

static gbl_Info assign_all(gbl_Matrix C, gbl_Matrix A) {
    return gbl_Matrix_assign(C, NULL, NULL, A, GBL_ALL, N, GBL_ALL, N, NULL);
}
static gbl_Info turn_twice(gbl_Matrix C, gbl_Matrix A) {
    return gbl_transpose(C, NULL, NULL, A, GBL_DESC_T0);
}
static gbl_Info turn(gbl_Matrix C, gbl_Matrix A) {
    return gbl_transpose(C, NULL, NULL, A, NULL);
}

/* A copy that was made there comes home whole, and is written in place. */
CUDA_TEST(cuda_written, copies_of_one_value) {
    gbl_Info (*const copies[])(gbl_Matrix, gbl_Matrix) = {assign_all, turn_twice, turn};
    gbl_UnaryOp op = NULL;
    OK(gbl_UnaryOp_new(&op, twice, GBL_FP64, GBL_FP64));
    for (size_t k = 0; k < 2 * T_COUNT(copies); k++) {
        t_case("copy %d%s", (int)(k / 2), k % 2 ? ", and a dup of it" : "");
        gbl_Matrix A = of_one_value(), C = NULL;
        gbl_Index nvals;
        double sum = 0;
        OK(gbl_Matrix_new(&C, GBL_FP64, N, N));
        OK(copies[k / 2](C, A));
        if (k % 2) {
            gbl_Matrix D = NULL;
            OK(gbl_Matrix_dup(&D, C));
            OK(gbl_Matrix_free(&C));
            C = D;
        }
        CHECK_EQ(formats_of(C), GBL_HAS_DEVICE);
        OK(gbl_Matrix_apply(C, NULL, NULL, op, C, NULL)); /* on the host */
        OK(gb_matrix_check(&C->m));
        OK(gbl_Matrix_nvals(&nvals, C));
        OK(gbl_Matrix_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, C, NULL));
        CHECK_EQ(nvals, (N * N + 2) / 3);
        CHECK(sum == 6.0 * (double)nvals);
        OK(gbl_Matrix_free(&A));
        OK(gbl_Matrix_free(&C));
    }
    OK(gbl_UnaryOp_free(&op));
}

/* -- vectors that are written to themselves */

/* w = one entry, or none, and a mask beside it: nothing is left, and nothing is freed twice. */
CUDA_TEST(cuda_written, to_themselves_and_empty) {
    for (int entries = 0; entries < 2; entries++) {
        gbl_Vector w = NULL, M = NULL;
        gbl_Index nvals = 9;
        t_case("%d entries", entries);
        OK(gbl_Vector_new(&w, GBL_FP64, 2));
        OK(gbl_Vector_new(&M, GBL_BOOL, 2));
        if (entries) OK(gbl_Vector_setElement_FP64(w, 1.0, 0));
        OK(gbl_Vector_setElement_BOOL(M, true, 1));
        OK(gbl_Vector_assign(w, M, NULL, w, GBL_ALL, 2, GBL_DESC_RS));
        OK(gbl_Vector_nvals(&nvals, w));
        CHECK_EQ(nvals, 0);
        OK(gbl_Vector_setElement_FP64(w, 2.0, 1));
        OK(gbl_Vector_assign(w, M, GBL_PLUS_FP64, w, GBL_ALL, 2, GBL_DESC_S));
        double x = 0;
        OK(gbl_Vector_extractElement_FP64(&x, w, 1));
        CHECK(x == 4.0);
        OK(gbl_Vector_free(&w));
        OK(gbl_Vector_free(&M));
    }
}

/* -- accumulators of BOOL */

/* Every `every`-th of n places, with values by the bits of `pattern`. */
static gbl_Vector truths(gbl_Index n, gbl_Index every, unsigned pattern) {
    gbl_Vector v = NULL;
    OK(gbl_Vector_new(&v, GBL_BOOL, n));
    for (gbl_Index k = 0; k < n; k += every)
        OK(gbl_Vector_setElement_BOOL(v, pattern >> (k % 7) & 1u, k));
    return v;
}

/* Whole vectors, and places of a short list, by every operator that two truths have. */
CUDA_TEST(cuda_written, accumulators_of_truths) {
    const gbl_BinaryOp ops[] = {GBL_EQ_BOOL,    GBL_NE_BOOL,  GBL_GT_BOOL,    GBL_LT_BOOL,
                                GBL_GE_BOOL,    GBL_LE_BOOL,  GBL_LOR,        GBL_LAND,
                                GBL_LXOR,       GBL_LXNOR,    GBL_FIRST_BOOL, GBL_SECOND_BOOL,
                                GBL_PLUS_BOOL,  GBL_MIN_BOOL, GBL_MAX_BOOL,   GBL_TIMES_BOOL,
                                GBL_MINUS_BOOL, GBL_DIV_BOOL, GBL_ONEB_BOOL};
    enum { PLACES = 130 };
    gbl_Vector all = truths(PLACES, 1, 0x35), some = truths(PLACES, 20, 0x53);
    for (size_t k = 0; k < 2 * T_COUNT(ops); k++) {
        const bool listed = k % 2 == 1;
        gbl_Vector w[2] = {NULL, NULL};
        t_case("operator %d%s", (int)(k / 2), listed ? ", by a list" : "");
        for (int at = 0; at < 2; at++) {
            set_place(at == 0 ? GBL_PLACE_CPU : GBL_PLACE_GPU);
            w[at] = truths(PLACES, 2, 0x66);
            OK(gbl_Vector_assign(w[at], listed ? some : NULL, ops[k / 2], listed ? some : all,
                                 GBL_ALL, PLACES, GBL_DESC_S));
        }
        cr_assert_str_eq(explain(w[1]).place, "gpu", "%s: %s", t_case_text(),
                         explain(w[1]).place_reason);
        expect_same(w[0], w[1]);
        for (int at = 0; at < 2; at++) OK(gbl_Vector_free(&w[at]));
    }
    OK(gbl_Vector_free(&all));
    OK(gbl_Vector_free(&some));
}

/* -- masks of types of the user */

/* Values of 3 and of 24 bytes, as a list and as cells; what they are does not matter. */
CUDA_TEST(cuda_written, masks_of_user_types) {
    enum { PLACES = 900 };
    const size_t sizes[] = {3, 24};
    const char value[24] = "anything";
    gbl_Vector u = truths(PLACES, 2, 0x2d);
    for (size_t k = 0; k < 2 * T_COUNT(sizes); k++) {
        gbl_Type type = NULL;
        gbl_Vector M = NULL, w[2] = {NULL, NULL};
        t_case("%d bytes, every %d", (int)sizes[k / 2], k % 2 ? 1 : 20);
        OK(gbl_Type_new(&type, sizes[k / 2]));
        OK(gbl_Vector_new(&M, type, PLACES));
        for (gbl_Index i = 0; i < PLACES; i += k % 2 ? 1 : 20)
            OK(gbl_Vector_setElement_UDT(M, value, i));
        for (int at = 0; at < 2; at++) {
            set_place(at == 0 ? GBL_PLACE_CPU : GBL_PLACE_GPU);
            OK(gbl_Vector_new(&w[at], GBL_BOOL, PLACES));
            OK(gbl_Vector_apply(w[at], M, NULL, GBL_LNOT, u, GBL_DESC_S));
            OK(gbl_Vector_assign(w[at], M, GBL_LXOR, u, GBL_ALL, PLACES, GBL_DESC_S));
        }
        CHECK(strstr(explain(w[1]).place_reason, "values of the mask") != NULL);
        expect_same(w[0], w[1]);
        for (int at = 0; at < 2; at++) OK(gbl_Vector_free(&w[at]));
        OK(gbl_Vector_free(&M));
        OK(gbl_Type_free(&type));
    }
    OK(gbl_Vector_free(&u));
}

/* -- outputs that are operands, masks and accumulators at once */

static gbl_Info alias(int k, gbl_Matrix C, gbl_Matrix A) {
    switch (k) {
    case 0:
        return gbl_Matrix_eWiseAdd_BinaryOp(C, C, GBL_MINUS_INT32, GBL_MINUS_INT32, C, A, NULL);
    case 1:
        return gbl_Matrix_eWiseMult_BinaryOp(C, A, GBL_PLUS_INT32, GBL_TIMES_INT32, C, C,
                                             GBL_DESC_RC);
    case 2:
        return gbl_Matrix_apply(C, C, NULL, GBL_AINV_INT32, C, GBL_DESC_RS);
    case 3:
        return gbl_transpose(C, C, GBL_MINUS_INT32, C, GBL_DESC_S);
    case 4:
        return gbl_Matrix_select_INT64(C, C, GBL_PLUS_INT32, GBL_TRIL, C, 0, GBL_DESC_R);
    case 5:
        return gbl_Matrix_assign(C, A, GBL_MAX_INT32, C, GBL_ALL, N, GBL_ALL, N, GBL_DESC_RSC);
    default:
        return gbl_Matrix_assign_INT32(C, C, GBL_TIMES_INT32, 5, GBL_ALL, N, GBL_ALL, N, NULL);
    }
}

static gbl_Matrix numbers(gbl_Type type, uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, type, N, N));
    for (int k = 0; k < N * N / 4; k++)
        OK(gbl_Matrix_setElement_INT32(A, (int)t_below(&r, 5) - 2, t_below(&r, N), t_below(&r, N)));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

CUDA_TEST(cuda_written, aliases) {
    for (int k = 0; k < 7; k++) {
        gbl_Matrix C[2] = {NULL, NULL}, A = numbers(GBL_INT32, 3);
        t_case("call %d", k);
        for (int at = 0; at < 2; at++) {
            set_place(at == 0 ? GBL_PLACE_CPU : GBL_PLACE_GPU);
            C[at] = numbers(GBL_INT32, 4);
            OK(alias(k, C[at], A));
        }
#ifndef GB_TINY /* where nearly all writes are few and become updates of a list */
        CHECK_EQ(formats_of(C[1]), GBL_HAS_DEVICE);
#endif
        t_Tuples expected = t_tuples_of(C[0]);
        t_expect_tuples(&expected, C[1]);
        t_tuples_free(&expected);
        for (int at = 0; at < 2; at++) OK(gbl_Matrix_free(&C[at]));
        OK(gbl_Matrix_free(&A));
    }
}

/* -- what is told */

/* C accum= A, which is refused for its type, is done on the host as it says, and once. */
CUDA_TEST(cuda_written, updates_that_are_refused) {
    gbl_Vector w = NULL, u = NULL;
    double x = 0;
    OK(gbl_Vector_new(&w, GBL_FP64, N));
    OK(gbl_Vector_new(&u, GBL_FP32, N));
    OK(gbl_Vector_assign_FP64(w, NULL, NULL, 1.0, GBL_ALL, N, NULL));
    OK(gbl_Vector_assign_FP64(u, NULL, NULL, 2.0, GBL_ALL, N, NULL));
    OK(gbl_Vector_setElement_FP64(w, 1.5, 1)); /* both come home */
    OK(gbl_Vector_setElement_FP64(u, 2.5, 1));
    OK(gbl_Vector_wait(w, GBL_MATERIALIZE));
    OK(gbl_Vector_wait(u, GBL_MATERIALIZE));
    const cuda_on_cpu_Counts before = cuda_on_cpu_counts();
    OK(gbl_Vector_assign(w, NULL, GBL_PLUS_FP64, u, GBL_ALL, N, NULL));
    CHECK_EQ(cuda_on_cpu_counts().launches, before.launches);
    cr_assert_str_eq(explain(w).place, "cpu");
    cr_assert_str_eq(explain(w).operation, "assign");
    CHECK(strstr(explain(w).place_reason, "cast") != NULL);
    OK(gbl_Vector_extractElement_FP64(&x, w, 1));
    CHECK(x == 4.0);
    OK(gbl_Vector_free(&w));
    OK(gbl_Vector_free(&u));
}

/* Where a GPU was asked for, products that stay on the host say why. */
CUDA_TEST(cuda_written, products_say_why_they_stay) {
    for (int blocking = 0; blocking < 2; blocking++) {
        gbl_Vector u = NULL, w = NULL;
        gbl_Matrix A = NULL;
        OK(gbl_finalize());
        OK(gbl_init(blocking ? GBL_BLOCKING : GBL_NONBLOCKING));
        set_place(GBL_PLACE_GPU);
        OK(gbl_Matrix_new(&A, GBL_FP64, N, N));
        OK(gbl_Vector_new(&u, GBL_FP64, N));
        OK(gbl_Vector_new(&w, GBL_FP64, N));
        if (blocking) OK(gbl_Matrix_setElement_FP64(A, 1.0, 2, 3));
        OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
        cr_assert_str_eq(explain(w).place, "cpu");
        CHECK(strstr(explain(w).place_reason, blocking ? "blocking" : "entries") != NULL);
        OK(gbl_Matrix_free(&A));
        OK(gbl_Vector_free(&u));
        OK(gbl_Vector_free(&w));
    }
}

/* -- what moves */

/* Of a matrix without entries only their number comes home. */
CUDA_TEST(cuda_written, empty_results_move_nothing) {
    gbl_Matrix A = NULL, C = NULL;
    gbl_Index nvals = 9;
    OK(gbl_Matrix_new(&A, GBL_FP64, 2000, 3));
    OK(gbl_Matrix_new(&C, GBL_FP64, 2000, 3));
    OK(gbl_Matrix_setElement_FP64(A, 1.0, 7, 1));
    OK(gbl_Matrix_setElement_FP64(C, 1.0, 8, 1));
    const cuda_on_cpu_Counts before = cuda_on_cpu_counts();
    OK(gbl_Matrix_select_FP64(C, NULL, NULL, GBL_VALUEGT_FP64, A, 5.0, NULL));
    CHECK(cuda_on_cpu_counts().launches > before.launches);
    CHECK(cuda_on_cpu_counts().bytes_home - before.bytes_home <= 64);
    OK(gbl_Matrix_nvals(&nvals, C));
    CHECK_EQ(nvals, 0);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
}

/* The form of A that is asked for goes there alone. */
CUDA_TEST(cuda_written, asked_ways_send_one_form) {
    const gbl_Desc_Value methods[] = {GBL_METHOD_PUSH, GBL_METHOD_PULL};
    for (size_t k = 0; k < T_COUNT(methods); k++) {
        gbl_Matrix A = numbers(GBL_FP64, 5);
        gbl_Vector u = NULL, w = NULL;
        gbl_Descriptor desc = NULL;
        gbl_Index nvals;
        OK(gbl_Vector_new(&u, GBL_FP64, N));
        OK(gbl_Vector_new(&w, GBL_FP64, N));
        OK(gbl_Descriptor_new(&desc));
        OK(gbl_Descriptor_set_INT32(desc, methods[k], GBL_METHOD));
        set_place(GBL_PLACE_CPU);
        OK(gbl_Matrix_reduce_Monoid(w, NULL, NULL, GBL_PLUS_MONOID_FP64, A, NULL)); /* by rows */
        OK(gbl_Matrix_reduce_Monoid(w, NULL, NULL, GBL_PLUS_MONOID_FP64, A, GBL_DESC_T0));
        CHECK_EQ(formats_of(A) & (GBL_HAS_CSR | GBL_HAS_CSC), GBL_HAS_CSR | GBL_HAS_CSC);
        set_place(GBL_PLACE_GPU);
        OK(gbl_Vector_assign_FP64(u, NULL, NULL, 2.0, GBL_ALL, N, NULL));
        OK(gbl_Matrix_nvals(&nvals, A));
        const cuda_on_cpu_Counts before = cuda_on_cpu_counts();
        OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, desc));
        cr_assert_str_eq(explain(w).place, "gpu");
        const uint64_t form = 8 * (N + 1) + 4 * nvals + 8 * nvals;
        CHECK(cuda_on_cpu_counts().bytes_there - before.bytes_there < 2 * form);
        OK(gbl_Descriptor_free(&desc));
        OK(gbl_Matrix_free(&A));
        OK(gbl_Vector_free(&u));
        OK(gbl_Vector_free(&w));
    }
}

/* -- where the device has no room */

static int64_t peak(void) {
    int64_t bytes = 0;
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &bytes, GBL_DEVICE_BYTES_PEAK));
    return bytes;
}

/* The product of two matrices of the type, as FP64. */
static gbl_Matrix product(gbl_Type type) {
    gbl_Matrix A = numbers(type, 7), B = numbers(type, 8), C = NULL;
    OK(gbl_Matrix_new(&C, GBL_FP64, N, N));
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, NULL));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    return C;
}

/* A product whose factors have to be cast finds room where one without casts does: values are cast
 * on the host where those of both types do not fit there. */
CUDA_TEST(cuda_written, casts_without_room) {
    gbl_Matrix C = product(GBL_FP64);
    t_Tuples expected = t_tuples_of(C);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, peak(), GBL_DEVICE_MEMORY_LIMIT));
    C = product(GBL_INT32);
    t_expect_tuples(&expected, C);
    t_tuples_free(&expected);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_MEMORY_LIMIT));
}

/* -- failures */

static gbl_Vector some_numbers(int value) {
    gbl_Vector v = NULL;
    OK(gbl_Vector_new(&v, GBL_INT64, N));
    for (gbl_Index k = 0; k < N; k++)
        if (k % 3) OK(gbl_Vector_setElement_INT32(v, value + (int)k, k));
    return v;
}

/* The same on the device and nowhere else. */
static gbl_Vector left_there(int value) {
    gbl_Vector u = some_numbers(value), w = NULL;
    OK(gbl_Vector_new(&w, GBL_INT64, N));
    OK(gbl_Vector_apply(w, NULL, NULL, GBL_IDENTITY_INT64, u, NULL));
    OK(gbl_Vector_free(&u));
    return w;
}

static gbl_Info update(gbl_Vector w, gbl_Matrix A, gbl_Vector u) {
    return gbl_mxv(w, u, GBL_MIN_INT64, GBL_MIN_PLUS_SEMIRING_INT64, A, u, GBL_DESC_S);
}

/* With the n-th allocation, or launch, failing, for every n until a call asks for fewer. Without
 * room there the host does it; where a launch is refused w stays as it was. */
static void fail_each(gbl_Matrix A, gbl_Vector before, gbl_Vector after, bool refused) {
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        gbl_Vector w = left_there(100), u = left_there(-5);
        t_case("%s %d", refused ? "launch" : "allocation", (int)n);
        CHECK(n < 100);
        const cuda_on_cpu_Counts then = cuda_on_cpu_counts();
        if (refused)
            cuda_on_cpu_refuse_launch(n);
        else
            cuda_on_cpu_fail_allocation(n);
        const gbl_Info info = update(w, A, u);
        cuda_on_cpu_refuse_launch(0);
        cuda_on_cpu_fail_allocation(0);
        const cuda_on_cpu_Counts now = cuda_on_cpu_counts();
        const uint64_t asked =
            refused ? now.launches - then.launches : now.allocations - then.allocations;
        failed = asked >= (uint64_t)n;
        CHECK(n > 1 || failed);
        CHECK_EQ(info, failed && refused ? GBL_PANIC : GBL_SUCCESS);
        if (!failed) cr_assert_str_eq(explain(w).place, "gpu");
        expect_same(info == GBL_PANIC ? before : after, w);
        OK(gbl_Vector_free(&w));
        OK(gbl_Vector_free(&u));
    }
}

CUDA_TEST(cuda_written, failures) {
    gbl_Matrix A = numbers(GBL_INT64, 9);
    gbl_Vector before = some_numbers(100), after = some_numbers(100), u = some_numbers(-5);
    set_place(GBL_PLACE_CPU);
    OK(update(after, A, u));
    set_place(GBL_PLACE_GPU);
    for (int refused = 0; refused < 2; refused++) fail_each(A, before, after, refused);
    gbl_Vector *all[] = {&before, &after, &u};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Vector_free(all[k]));
    OK(gbl_Matrix_free(&A));
}
