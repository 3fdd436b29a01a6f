/* SPDX-License-Identifier: Apache-2.0
 *
 * The process-wide part: init and finalize, versions, settings, allocators, progress and
 * cancellation, explanations.
 */
#include "support/product.h"

#include <stdlib.h>
#include <string.h>

Test(context, init_again) {
    for (int k = 0; k < 3; k++) {
        t_case("round %d", k);
        OK(gbl_init(k == 1 ? GBL_BLOCKING : GBL_NONBLOCKING));
        FAILS(GBL_INVALID_VALUE, gbl_init(GBL_NONBLOCKING));
        int32_t mode = -1;
        OK(gbl_Global_get_INT32(GBL_GLOBAL, &mode, GBL_BLOCKING_MODE));
        CHECK_EQ(mode, k == 1 ? GBL_BLOCKING : GBL_NONBLOCKING);
        gbl_Matrix A = t_new_matrix(GBL_FP64, 30, 30);
        for (gbl_Index i = 0; i < 30; i++) OK(gbl_Matrix_setElement_FP64(A, 0.5, i, (i + k) % 30));
        OK(gbl_mxm(A, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
        double x = 0;
        OK(gbl_Matrix_extractElement_FP64(&x, A, 3, (gbl_Index)(3 + 2 * k)));
        CHECK(x == 0.25);
        OK(gbl_Matrix_free(&A));
        CHECK_EQ(t_blocks(), 0);
        OK(gbl_finalize());
        FAILS(GBL_INVALID_VALUE, gbl_finalize());
    }
    FAILS(GBL_INVALID_VALUE, gbl_init((gbl_Mode)5));
}

GB_TEST(context, versions) {
    unsigned version = 0, subversion = 0;
    OK(gbl_getVersion(&version, &subversion));
    CHECK(version == GBL_VERSION && subversion == GBL_SUBVERSION);
    FAILS(GBL_NULL_POINTER, gbl_getVersion(NULL, &subversion));
    FAILS(GBL_NULL_POINTER, gbl_getVersion(&version, NULL));
    static const struct {
        gbl_Field field;
        int32_t value;
    } facts[] = {{GBL_LIBRARY_VER_MAJOR, GBLITE_VERSION_MAJOR},
                 {GBL_LIBRARY_VER_MINOR, GBLITE_VERSION_MINOR},
                 {GBL_LIBRARY_VER_PATCH, GBLITE_VERSION_PATCH},
                 {GBL_API_VER_MAJOR, GBL_VERSION},
                 {GBL_API_VER_MINOR, GBL_SUBVERSION},
                 {GBL_API_VER_PATCH, 0}};
    for (size_t k = 0; k < T_COUNT(facts); k++) {
        int32_t value = -1;
        int64_t wide = -1;
        OK(gbl_Global_get_INT32(GBL_GLOBAL, &value, facts[k].field));
        OK(gbl_Global_get_INT64(GBL_GLOBAL, &wide, facts[k].field));
        CHECK(value == facts[k].value && wide == facts[k].value);
        FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT32(GBL_GLOBAL, 1, facts[k].field));
    }
    size_t size = 0;
    OK(gbl_Global_get_SIZE(GBL_GLOBAL, &size, GBL_NAME));
    char *name = malloc(size);
    OK(gbl_Global_get_String(GBL_GLOBAL, name, GBL_NAME));
    CHECK(size > 0 && strlen(name) + 1 == size && strstr(name, "gblite") != NULL);
    free(name);
}

GB_TEST(context, settings) {
    int64_t value = -1;
    int32_t small = -1;
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &value, GBL_NTHREADS));
    CHECK(value >= 1);
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 3, GBL_NTHREADS));
    OK(gbl_Global_get_INT32(GBL_GLOBAL, &small, GBL_NTHREADS));
    CHECK_EQ(small, 3);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, INT64_C(5000000000), GBL_MEMORY_LIMIT));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &value, GBL_MEMORY_LIMIT));
    CHECK_EQ(value, INT64_C(5000000000));
    FAILS(GBL_INVALID_VALUE, gbl_Global_get_INT32(GBL_GLOBAL, &small, GBL_MEMORY_LIMIT));
    CHECK_EQ(small, 3);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 12345, GBL_POOL_LIMIT));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &value, GBL_POOL_LIMIT));
    CHECK_EQ(value, 12345);
    for (int trace = 3; trace >= 0; trace--) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, trace, GBL_TRACE));
        OK(gbl_Global_get_INT32(GBL_GLOBAL, &small, GBL_TRACE));
        CHECK_EQ(small, trace);
    }
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT64(GBL_GLOBAL, 4, GBL_TRACE));
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT64(GBL_GLOBAL, -1, GBL_NTHREADS));
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT64(GBL_GLOBAL, 1 << 20, GBL_NTHREADS));
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT64(GBL_GLOBAL, -1, GBL_MEMORY_LIMIT));
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT64(GBL_GLOBAL, 1, GBL_BYTES_IN_USE));
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT64(GBL_GLOBAL, 1, (gbl_Field)4711));
    FAILS(GBL_INVALID_VALUE, gbl_Global_get_INT64(GBL_GLOBAL, &value, (gbl_Field)4711));
    FAILS(GBL_INVALID_VALUE, gbl_Global_get_INT64(GBL_GLOBAL, &value, GBL_NAME));
    size_t size = 0;
    char text[64];
    FAILS(GBL_INVALID_VALUE, gbl_Global_get_SIZE(GBL_GLOBAL, &size, GBL_NTHREADS));
    FAILS(GBL_INVALID_VALUE, gbl_Global_get_String(GBL_GLOBAL, text, GBL_NTHREADS));
    FAILS(GBL_NULL_POINTER, gbl_Global_get_INT64(GBL_GLOBAL, NULL, GBL_NTHREADS));
    FAILS(GBL_NULL_POINTER, gbl_Global_get_INT32(GBL_GLOBAL, NULL, GBL_NTHREADS));
    FAILS(GBL_NULL_POINTER, gbl_Global_get_SIZE(GBL_GLOBAL, NULL, GBL_NAME));
    FAILS(GBL_NULL_POINTER, gbl_Global_get_String(GBL_GLOBAL, NULL, GBL_NAME));
    FAILS(GBL_INVALID_OBJECT, gbl_Global_get_INT64(NULL, &value, GBL_NTHREADS));
    FAILS(GBL_INVALID_OBJECT, gbl_Global_set_INT64(NULL, 1, GBL_NTHREADS));
    FAILS(GBL_INVALID_OBJECT, gbl_Global_set_INT32(NULL, 1, GBL_NTHREADS));
}

Test(context, unknown_instruction_set) {
    CHECK(setenv("GBLITE_ISA", "abacus", 1) == 0);
    FAILS(GBL_INVALID_VALUE, gbl_init(GBL_NONBLOCKING));
    CHECK(setenv("GBLITE_ISA", "", 1) == 0);
    OK(gbl_init(GBL_NONBLOCKING));
    OK(gbl_finalize());
}

/* settings go back to their defaults with the next init */
Test(context, settings_do_not_outlive) {
    int64_t before = 0, after = 0;
    OK(gbl_init(GBL_NONBLOCKING));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &before, GBL_POOL_LIMIT));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 77, GBL_POOL_LIMIT));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 78, GBL_MEMORY_LIMIT));
    OK(gbl_finalize());
    OK(gbl_init(GBL_NONBLOCKING));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &after, GBL_POOL_LIMIT));
    CHECK_EQ(after, before);
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &after, GBL_MEMORY_LIMIT));
    CHECK_EQ(after, 0);
    OK(gbl_finalize());
}

GB_TEST(context, memory_is_counted) {
    int64_t bytes = -1, now = -1;
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &bytes, GBL_BYTES_IN_USE));
    gbl_Vector v = t_new_vector(GBL_FP64, 10000);
    OK(gbl_Vector_assign_FP64(v, NULL, NULL, 1.5, GBL_ALL, 10000, NULL));
    OK(gbl_Vector_apply(v, NULL, NULL, GBL_AINV_FP64, v, NULL));
    OK(gbl_Vector_setElement_FP64(v, 2.5, 77));
    OK(gbl_Vector_wait(v, GBL_MATERIALIZE));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &now, GBL_BYTES_IN_USE));
    CHECK(now - bytes >= 80000);
    CHECK(t_blocks() >= 2);
    OK(gbl_Vector_free(&v));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &now, GBL_BYTES_IN_USE));
    CHECK_EQ(now, bytes);
    CHECK_EQ(t_blocks(), 0);
}

/* -------------------------------------------------------------------------------- allocators -- */

Test(context, user_allocators) {
    FAILS(GBL_NULL_POINTER, gbl_init_with_allocator(GBL_NONBLOCKING, t_malloc, t_realloc, NULL));
    FAILS(GBL_NULL_POINTER, gbl_init_with_allocator(GBL_NONBLOCKING, NULL, t_realloc, t_free));
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, t_malloc, t_realloc, t_free));
    CHECK_EQ(t_live(), 0);
    gbl_Matrix A = t_new_matrix(GBL_INT32, 10, 10);
    CHECK(t_live() > 0);
    for (gbl_Index k = 0; k < 10; k++) OK(gbl_Matrix_setElement_INT32(A, 3, k, 9 - k));
    OK(gbl_mxm(A, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT32, A, A, NULL));
    /* arrays that leave the library come from the user's malloc */
    gbl_Arrays arrays = {NULL, NULL, NULL, false};
    OK(gbl_Matrix_moveOut(A, GBL_CSR_FORMAT, &arrays));
    CHECK_EQ(arrays.p[10], 10);
    OK(gbl_Matrix_free(&A));
    CHECK_EQ(t_blocks(), 0);
    t_free(arrays.p);
    t_free(arrays.i);
    t_free(arrays.x);
    OK(gbl_finalize());
    CHECK_EQ(t_live(), 0);
    OK(gbl_init(GBL_NONBLOCKING)); /* back to the C library's */
    OK(gbl_Matrix_new(&A, GBL_INT32, 10, 10));
    CHECK_EQ(t_live(), 0);
    OK(gbl_Matrix_free(&A));
    OK(gbl_finalize());
}

/* ---------------------------------------------------------------------------------- progress -- */

typedef struct {
    int calls, stop_at; /* stop_at < 0: never */
    double last;
    bool orderly; /* in [0, 1] and not falling */
} watcher;

static bool watch(void *context, const char *what, double done) {
    watcher *w = context;
    w->orderly = w->orderly && what != NULL && done >= 0 && done <= 1;
    if (done != 0) w->orderly = w->orderly && done >= w->last;
    w->last = done;
    return ++w->calls != w->stop_at;
}

GB_TEST(context, progress) {
    gbl_Matrix A = t_seeded_matrix(1, GBL_INT64_CODE, 300, 300, 0.1), C = NULL;
    OK(gbl_Matrix_new(&C, GBL_INT64, 300, 300));
    watcher w = {0, -1, 0, true};
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS)); /* several threads report out of order */
    OK(gbl_set_progress(watch, &w));
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, NULL));
    CHECK(w.calls > 0 && w.orderly);
    OK(gbl_set_progress(NULL, NULL));
    const int calls = w.calls;
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, NULL));
    CHECK_EQ(w.calls, calls);
    FREE(A, C);
}

/* stopped at every call that happens: C is as it was, nothing leaks, and the next call works */
GB_TEST(context, cancellation) {
    gbl_Matrix A = t_seeded_matrix(2, GBL_INT64_CODE, 200, 200, 0.1),
               C = t_seeded_matrix(3, GBL_INT64_CODE, 200, 200, 0.02);
    o_Matrix before = t_dense(C);
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    gbl_Matrix warm = NULL; /* a product leaves sketches with A */
    OK(gbl_Matrix_new(&warm, GBL_INT64, 200, 200));
    OK(gbl_mxm(warm, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, NULL));
    OK(gbl_Matrix_free(&warm));
    const int64_t blocks = t_blocks();
    int stopped = 0;
    for (int at = 1; at < 20; at++) {
        watcher w = {0, at, 0, true};
        OK(gbl_set_progress(watch, &w));
        t_case("stopped at call %d", at);
        const gbl_Info info =
            gbl_mxm(C, NULL, GBL_PLUS_INT64, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, NULL);
        OK(gbl_set_progress(NULL, NULL));
        if (w.calls < at) {
            OK(info);
            break;
        }
        CHECK_EQ(info, GBL_CANCELLED);
        CHECK_EQ(t_blocks(), blocks);
        t_expect("C", &before, C, 0);
        stopped++;
    }
    CHECK(stopped > 0);
    FREE(before, A, C);
}

/* ------------------------------------------------------------------- limits and explanations -- */

typedef struct {
    gbl_Matrix C, A;
} square_call;

static gbl_Info square(void *context) {
    const square_call *of = context;
    return gbl_mxm(of->C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, of->A, of->A, NULL);
}

/* A limit on workspace may cost time, but never changes a result. */
GB_TEST(context, memory_limit) {
    const o_Type int64 = o_type(GBL_INT64_CODE);
    const o_Ring ring = {{O_PLUS, int64, int64, int64, NULL, NULL},
                         {O_TIMES, int64, int64, int64, NULL, NULL},
                         GBL_PLUS_TIMES_SEMIRING_INT64};
    gbl_Matrix A = t_seeded_matrix(5, GBL_INT64_CODE, 150, 150, 0.3), C = NULL;
    o_Matrix D = t_dense(A), E = o_new(int64, 150, 150);
    const o_Rule rule = {.mask = NULL};
    o_mxm(&E, &rule, &(o_Product){&ring, &D, &D, NULL});
    OK(gbl_Matrix_new(&C, GBL_INT64, 150, 150));
    square_call call = {C, A};
    const int64_t least = t_with_least_memory(square, &call);
    t_expect("C", &E, C, 0);
    for (int64_t limit = least; limit < 100 * least; limit *= 3) {
        t_case("limit %lld", (long long)limit);
        OK(gbl_Matrix_clear(C));
        OK(gbl_Global_set_INT64(GBL_GLOBAL, limit, GBL_MEMORY_LIMIT));
        OK(square(&call));
        OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
        t_expect("C", &E, C, 0);
    }
    FREE(C, D, E, A);
}

/* float sums that are not exact: the same bits for every number of threads */
GB_TEST(context, same_for_all_threads) {
    const gbl_Index n = 260;
    t_Random r = t_random(8);
    o_Matrix D = o_new(o_type(GBL_FP64_CODE), n, n);
    for (gbl_Index p = 0; p < n * n; p++)
        if (t_chance(&r, 0.3)) D.x[p] = (o_Cell){true, {.f64 = (double)t_next(&r) / 3e18}};
    gbl_Matrix A = t_matrix(&D), C = NULL;
    o_Matrix first = {.x = NULL};
    for (int threads = 1; threads <= 5; threads++) {
        t_case("%d threads", threads);
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        OK(gbl_Matrix_new(&C, GBL_FP64, n, n));
        OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, GBL_DESC_T1));
        if (threads == 1)
            first = t_dense(C);
        else
            t_expect("C", &first, C, 0);
        OK(gbl_Matrix_free(&C));
    }
    FREE(first, D, A);
}

GB_TEST(context, explanations) {
    gbl_Matrix A = t_seeded_matrix(6, GBL_INT64_CODE, 40, 40, 0.2), C = NULL;
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    OK(gbl_Matrix_new(&C, GBL_INT64, 40, 40));
    CHECK_EQ(gbl_Matrix_explain(&why, C), GBL_NO_VALUE);
    static const struct {
        gbl_Desc_Value value;
        const char *name;
    } methods[] = {{GBL_METHOD_ROWWISE, "rowwise"}, {GBL_METHOD_DOT, "dot"}};
    for (size_t k = 0; k < T_COUNT(methods); k++) {
        const t_Flags flags = {.mask = T_STRUCTURAL, .method = methods[k].value};
        gbl_Descriptor desc = t_descriptor(&flags);
        OK(gbl_mxm(C, A, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, desc));
        OK(gbl_Matrix_explain(&why, C));
        CHECK(strcmp(why.operation, "mxm") == 0 && strcmp(why.method, methods[k].name) == 0);
        CHECK(why.reason[0] != '\0' && why.isa[0] != '\0' && why.workflow[0] != '\0');
        CHECK(why.seconds_prepare >= 0 && why.seconds_kernel >= 0 && why.seconds_finish >= 0);
        OK(gbl_Descriptor_free(&desc));
    }
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, NULL));
    OK(gbl_Matrix_explain(&why, C));
    const gbl_Index nvals = t_nvals(C);
    CHECK_EQ(why.nvals, nvals);
    o_Matrix D = t_dense(A);
    uint64_t flops = 0;
    for (gbl_Index i = 0; i < 40; i++)
        for (gbl_Index k = 0; k < 40; k++)
            for (gbl_Index j = 0; j < 40; j++) flops += D.x[i * 40 + k].has && D.x[k * 40 + j].has;
    CHECK_EQ(why.flops, flops);
    /* another write, and the explanation is gone */
    OK(gbl_Matrix_apply(C, NULL, NULL, GBL_AINV_INT64, C, NULL));
    CHECK_EQ(gbl_Matrix_explain(&why, C), GBL_NO_VALUE);
    gbl_Vector u = t_new_vector(GBL_INT64, 40);
    OK(gbl_Vector_setElement_INT64(u, 2, 3));
    OK(gbl_mxv(u, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, u, NULL));
    OK(gbl_Vector_explain(&why, u));
    CHECK(strcmp(why.operation, "mxv") == 0 && why.reason[0] != '\0');
    OK(gbl_vxm(u, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, u, A, NULL));
    OK(gbl_Vector_explain(&why, u));
    CHECK(strcmp(why.operation, "vxm") == 0);
    FREE(D, u, A, C);
}

/* which representations exist, and how many conversions made them */
GB_TEST(context, formats) {
    gbl_Matrix A = t_seeded_matrix(7, GBL_INT64_CODE, 50, 50, 0.1), C = NULL;
    gbl_Formats formats;
    gbl_Descriptor rows = NULL;
    OK(gbl_Descriptor_new(&rows));
    OK(gbl_Descriptor_set(rows, GBL_INP0, GBL_TRAN));
    OK(gbl_Descriptor_set(rows, GBL_METHOD, GBL_METHOD_ROWWISE));
    OK(gbl_Matrix_new(&C, GBL_INT64, 50, 50));
    OK(gbl_Matrix_formats(&formats, C));
    CHECK(formats.present == 0 && formats.pending == 0);
    OK(gbl_Matrix_formats(&formats, A));
    CHECK_EQ(formats.present, GBL_HAS_CSR);
    CHECK_EQ(formats.conversions, 0);
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, rows));
    OK(gbl_Matrix_formats(&formats, A));
    CHECK_EQ(formats.present, GBL_HAS_CSR | GBL_HAS_CSC);
    CHECK_EQ(formats.conversions, 1);
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, rows));
    OK(gbl_Descriptor_free(&rows));
    OK(gbl_Matrix_formats(&formats, A));
    CHECK_EQ(formats.conversions, 1); /* cached */
    OK(gbl_Matrix_setElement_INT64(A, 5, 1, 1));
    OK(gbl_Matrix_wait(A, GBL_COMPLETE));
    OK(gbl_Matrix_formats(&formats, A));
    CHECK(formats.present == GBL_HAS_CSR || formats.present == GBL_HAS_CSC);
    gbl_Vector v = t_new_vector(GBL_INT64, 50);
    OK(gbl_Vector_assign_INT64(v, NULL, NULL, 3, GBL_ALL, 50, NULL));
    OK(gbl_Vector_formats(&formats, v));
    CHECK(formats.present != 0 && formats.iso);
    FREE(v, A, C);
}
