/* SPDX-License-Identifier: Apache-2.0
 *
 * The result of a row-wise product is the same to the bit, floats that round included, whatever the
 * number of threads, the workflow and the accumulators; and rows that were left unsorted on demand
 * are sorted, or treated as if they were, for whoever uses them.
 */
#include "support/product.h"
#include "support/spec.h"
#include "support/tuples.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------- threads, ways, accumulators -- */

typedef struct {
    gbl_Semiring ring;
    gbl_Type type;
    const char *spec, *mask;
} product;

static void every_way(const product *of, gbl_Matrix A, gbl_Matrix M, t_Mask mask) {
    static const int32_t threads[] = {1, 2, 3, 5};
    t_Flags flags = {.mask = mask, .method = GBL_METHOD_ROWWISE};
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
    gbl_Matrix C = t_mxm(of->ring, of->type, A, A, M, &flags);
    t_Tuples expected = t_tuples_of(C);
    CHECK(expected.n > 0);
    OK(gbl_Matrix_free(&C));
    for (unsigned n = 0; n < 4 * 8 * 4; n++) {
        if (t_left_out()) continue;
        const int32_t count = threads[n % 4];
        flags.accumulators = t_accumulators[n / 4 % 8];
        flags.workflow = t_workflows[n / 32];
        flags.registers = 32 << n % 3;
        OK(gbl_Global_set_INT32(GBL_GLOBAL, count, GBL_NTHREADS));
        t_case("%s, %d threads, %s", of->spec, (int)count, t_flags_text(&flags));
        C = t_mxm(of->ring, of->type, A, A, M, &flags);
        t_expect_tuples(&expected, C);
        OK(gbl_Matrix_free(&C));
    }
    t_tuples_free(&expected);
}

static void run(const product *of) {
    gbl_Matrix A = t_from_spec(of->type, of->spec), M = t_from_spec(GBL_BOOL, of->mask);
    every_way(of, A, M, T_NO_MASK);
    every_way(of, A, M, T_STRUCTURAL);
    every_way(of, A, M, T_COMP_STRUCTURAL);
    FREE(A, M);
}

GB_TEST(mxm_bitwise, skewed) {
    run(&(product){GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64, "rmat:8:9", "er:8:40"});
}

GB_TEST(mxm_bitwise, uniform) {
    run(&(product){GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64, "er:9:6", "rmat:9:20"});
}

GB_TEST(mxm_bitwise, blocks) {
    run(&(product){GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64, "fem:3:3", "band:81:9"});
}

GB_TEST(mxm_bitwise, single_precision) {
    run(&(product){GBL_PLUS_TIMES_SEMIRING_FP32, GBL_FP32, "rmat:8:7", "er:8:30"});
}

GB_TEST(mxm_bitwise, shortest_paths) {
    run(&(product){GBL_MIN_PLUS_SEMIRING_FP64, GBL_FP64, "rmat:8:7", "er:8:30"});
}

/* -------------------------------------------------------------------------------- any order -- */

/* What may be done with a matrix of unsorted rows; each makes a matrix of the outcome. */
typedef struct {
    const char *name;
    gbl_Matrix (*run)(gbl_Matrix C, gbl_Matrix A);
} use;

static gbl_Matrix like(gbl_Matrix C) {
    gbl_Index n = 0;
    OK(gbl_Matrix_nrows(&n, C));
    return t_new_matrix(GBL_FP64, n, n);
}

#define USE(name, call)                                                                            \
    static gbl_Matrix name(gbl_Matrix C, gbl_Matrix A) {                                           \
        gbl_Matrix D = like(A);                                                                    \
        OK(call);                                                                                  \
        (void)C;                                                                                   \
        return D;                                                                                  \
    }
#define PLUS GBL_PLUS_TIMES_SEMIRING_FP64
USE(as_left, gbl_mxm(D, NULL, NULL, PLUS, C, A, NULL))
USE(as_right, gbl_mxm(D, NULL, NULL, PLUS, A, C, NULL))
USE(as_both, gbl_mxm(D, NULL, NULL, PLUS, C, C, GBL_DESC_T0T1))
USE(as_mask, gbl_mxm(D, C, NULL, PLUS, A, A, GBL_DESC_S))
USE(as_valued_mask, gbl_mxm(D, C, NULL, PLUS, A, A, NULL))
USE(as_complement, gbl_mxm(D, C, NULL, PLUS, A, A, GBL_DESC_SC))
USE(as_dot_mask, gbl_mxm(D, A, NULL, PLUS, C, C, GBL_DESC_ST1))
USE(transposed, gbl_transpose(D, NULL, NULL, C, NULL))
USE(masked_transpose, gbl_transpose(D, C, NULL, A, GBL_DESC_S))
USE(added, gbl_Matrix_eWiseAdd_BinaryOp(D, NULL, NULL, GBL_MINUS_FP64, C, A, NULL))
USE(intersected, gbl_Matrix_eWiseMult_BinaryOp(D, NULL, NULL, GBL_MINUS_FP64, A, C, NULL))
USE(added_transposed,
    gbl_Matrix_eWiseAdd_BinaryOp(D, NULL, NULL, GBL_MINUS_FP64, C, C, GBL_DESC_T1))
USE(applied, gbl_Matrix_apply(D, NULL, NULL, GBL_AINV_FP64, C, NULL))
USE(selected, gbl_Matrix_select_FP64(D, NULL, NULL, GBL_VALUEGT_FP64, C, 70, NULL))
USE(accumulated, gbl_Matrix_apply(D, C, GBL_PLUS_FP64, GBL_IDENTITY_FP64, C, GBL_DESC_R))

static gbl_Matrix copied(gbl_Matrix C, gbl_Matrix A) {
    gbl_Matrix D = NULL;
    (void)A;
    OK(gbl_Matrix_dup(&D, C));
    return D;
}

/* every position is looked up: those without an entry, too */
static gbl_Matrix looked_up(gbl_Matrix C, gbl_Matrix A) {
    gbl_Matrix D = like(A);
    gbl_Index n = 0;
    OK(gbl_Matrix_nrows(&n, C));
    for (gbl_Index i = 0; i < n; i++)
        for (gbl_Index j = 0; j < n; j++) {
            double x = 0;
            if (gbl_Matrix_extractElement_FP64(&x, C, i, j) == GBL_SUCCESS)
                OK(gbl_Matrix_setElement_FP64(D, x, i, j));
        }
    return D;
}

static gbl_Matrix updated(gbl_Matrix C, gbl_Matrix A) {
    gbl_Matrix D = copied(C, A);
    gbl_Index n = 0;
    OK(gbl_Matrix_nrows(&n, C));
    for (gbl_Index k = 0; k < 3 * n; k++) {
        OK(gbl_Matrix_setElement_FP64(D, (double)k, k % n, 5 * k % n));
        OK(gbl_Matrix_removeElement(D, k % n, 3 * k % n));
    }
    return D;
}

static gbl_Matrix resized(gbl_Matrix C, gbl_Matrix A) {
    gbl_Matrix D = copied(C, A);
    gbl_Index n = 0;
    OK(gbl_Matrix_nrows(&n, C));
    OK(gbl_Matrix_resize(D, n / 2, n / 3));
    return D;
}

static gbl_Matrix exported(gbl_Matrix C, gbl_Matrix A) {
    gbl_Index np = 0, ni = 0, nx = 0, n = 0;
    gbl_Matrix D = NULL;
    (void)A;
    OK(gbl_Matrix_nrows(&n, C));
    OK(gbl_Matrix_exportSize(&np, &ni, &nx, GBL_CSR_FORMAT, C));
    gbl_Index *p = malloc(np * sizeof *p), *i = malloc((ni + 1) * sizeof *i);
    double *x = malloc((nx + 1) * sizeof *x);
    cr_assert(p != NULL && i != NULL && x != NULL);
    OK(gbl_Matrix_export_FP64(p, i, x, &np, &ni, &nx, GBL_CSR_FORMAT, C));
    OK(gbl_Matrix_import_FP64(&D, GBL_FP64, n, n, p, i, x, np, ni, nx, GBL_CSR_FORMAT));
    free(p);
    free(i);
    free(x);
    return D;
}

/* w = C * u and the sums of rows, as a column each */
static gbl_Matrix as_vectors(gbl_Matrix C, gbl_Matrix A) {
    gbl_Matrix D = like(A);
    gbl_Index n = 0;
    OK(gbl_Matrix_nrows(&n, C));
    gbl_Vector u = t_new_vector(GBL_FP64, n), w = t_new_vector(GBL_FP64, n);
    gbl_Vector sums = t_new_vector(GBL_FP64, n);
    for (gbl_Index k = 0; k < n; k += 2) OK(gbl_Vector_setElement_FP64(u, 0.5, k));
    OK(gbl_mxv(w, NULL, NULL, GBL_MAX_PLUS_SEMIRING_FP64, C, u, NULL));
    OK(gbl_vxm(sums, NULL, NULL, GBL_MIN_PLUS_SEMIRING_FP64, u, C, NULL));
    for (gbl_Index k = 0; k < n; k++) {
        double x = 0;
        if (gbl_Vector_extractElement_FP64(&x, w, k) == GBL_SUCCESS)
            OK(gbl_Matrix_setElement_FP64(D, x, k, 0));
        if (gbl_Vector_extractElement_FP64(&x, sums, k) == GBL_SUCCESS)
            OK(gbl_Matrix_setElement_FP64(D, x, k, 1));
    }
    FREE(u, w, sums);
    return D;
}

static const use uses[] = {
    {"left", as_left},
    {"right", as_right},
    {"both, transposed", as_both},
    {"mask", as_mask},
    {"valued mask", as_valued_mask},
    {"complemented mask", as_complement},
    {"dot", as_dot_mask},
    {"transpose", transposed},
    {"mask of transpose", masked_transpose},
    {"eWiseAdd", added},
    {"eWiseMult", intersected},
    {"eWiseAdd transposed", added_transposed},
    {"apply", applied},
    {"select", selected},
    {"accumulate", accumulated},
    {"dup", copied},
    {"extractElement", looked_up},
    {"setElement", updated},
    {"resize", resized},
    {"export", exported},
    {"vectors", as_vectors},
};

/* Integers, whose sums are exact: an unsorted left factor is taken in the order in which it is. */
static gbl_Matrix exact(const char *spec) {
    gbl_Matrix A = t_from_spec(GBL_INT32, spec), D = like(A);
    OK(gbl_Matrix_apply(D, NULL, NULL, GBL_IDENTITY_FP64, A, NULL));
    OK(gbl_Matrix_free(&A));
    return D;
}

static void every_use(gbl_Matrix A, t_Flags flags) {
    for (size_t u = 0; u < T_COUNT(uses); u++) {
        gbl_Formats formats;
        if (t_left_out()) continue;
        flags.any_order = false;
        gbl_Matrix C = t_mxm(PLUS, GBL_FP64, A, A, A, &flags), D = uses[u].run(C, A);
        t_Tuples expected = t_tuples_of(D);
        FREE(D, C);
        flags.any_order = true;
        t_case("%s, %s", uses[u].name, t_flags_text(&flags));
        C = t_mxm(PLUS, GBL_FP64, A, A, A, &flags);
        OK(gbl_Matrix_formats(&formats, C));
        if (flags.accumulators == GBL_ACCUMULATE_HASH && flags.mask == T_NO_MASK)
            CHECK(!formats.sorted); /* else there is nothing to test */
        D = uses[u].run(C, A);
        t_expect_tuples(&expected, D);
        t_tuples_free(&expected);
        FREE(D, C);
    }
}

GB_TEST(mxm_bitwise, any_order) {
    static const t_Mask masks[] = {T_NO_MASK, T_STRUCTURAL, T_COMP};
    gbl_Matrix A = exact("rmat:6:5");
    for (size_t a = 0; a < T_COUNT(t_accumulators); a++)
        for (size_t m = 0; m < T_COUNT(masks); m++)
            every_use(A, (t_Flags){.mask = masks[m],
                                   .method = GBL_METHOD_ROWWISE,
                                   .workflow = t_workflows[(a + m) % 4],
                                   .accumulators = t_accumulators[a]});
    OK(gbl_Matrix_free(&A));
}

/* Waiting leaves the content as it is. */
GB_TEST(mxm_bitwise, any_order_after_wait) {
    gbl_Matrix A = t_from_spec(GBL_FP64, "rmat:8:6");
    for (size_t a = 0; a < T_COUNT(t_accumulators); a++) {
        t_Flags flags = {.accumulators = t_accumulators[a], .method = GBL_METHOD_ROWWISE};
        gbl_Matrix C = t_mxm(PLUS, GBL_FP64, A, A, NULL, &flags);
        t_Tuples expected = t_tuples_of(C);
        OK(gbl_Matrix_free(&C));
        flags.any_order = true;
        t_case("%s", t_flags_text(&flags));
        C = t_mxm(PLUS, GBL_FP64, A, A, NULL, &flags);
        OK(gbl_Matrix_wait(C, GBL_MATERIALIZE));
        t_expect_tuples(&expected, C);
        t_expect_tuples(&expected, C);
        t_tuples_free(&expected);
        OK(gbl_Matrix_free(&C));
    }
    OK(gbl_Matrix_free(&A));
}
