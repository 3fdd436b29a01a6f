/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices whose sketches lie. Columns are picked by the hash that sketches use (core/hll.h): if
 * all of them have small codes a row of thousands looks like one of dozens, if all have large codes
 * a row of dozens looks like one of thousands. Room that comes from an estimate is then far too
 * small, and rows must be found out and computed again; or far too large, which must do no harm.
 */
#include "support/tuples.h"

#include <stdlib.h>
#include <string.h>

#include "core/hll.h"
#include "mxm/keep_rows.h"

enum { ROWS = 40, INNER = 300, PICKED = 3000, WIDTH = 1 << 21 };

/* INNER rows of `degree` columns among those whose codes are within bounds. */
typedef struct {
    uint32_t least, most; /* codes */
    gbl_Index picked, degree;
} lie;
static const lie too_few = {1, 3, PICKED, 40}, too_many = {60, 255, 300, 20};

static gbl_Matrix lying(const lie *of, uint64_t seed) {
    static gbl_Index column[PICKED];
    gbl_Index found = 0;
    for (gbl_Index j = 0; j < WIDTH && found < of->picked; j++) {
        const uint32_t code = gb_hll_code(gb_hll_hash((uint32_t)j));
        if (code >= of->least && code <= of->most) column[found++] = j;
    }
    CHECK_EQ(found, of->picked);
    t_Random r = t_random(seed);
    gbl_Matrix B = t_new_matrix(GBL_FP64, INNER, WIDTH);
    for (gbl_Index k = 0; k < INNER; k++)
        for (gbl_Index e = 0; e < of->degree; e++)
            OK(gbl_Matrix_setElement_FP64(B, (double)(t_next(&r) >> 11) * 0x1p-53, k,
                                          column[t_below(&r, of->picked)]));
    t_keep_rows(B); /* compact columns would not be hashed */
    return B;
}

/* Rows of all lengths: row i meets about i * INNER / ROWS rows of B. */
static gbl_Matrix left_factor(uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Matrix A = t_new_matrix(GBL_FP64, ROWS, INNER);
    for (gbl_Index i = 0; i < ROWS; i++)
        for (gbl_Index e = 0; e < i * INNER / ROWS; e++)
            OK(gbl_Matrix_setElement_FP64(A, (double)(t_next(&r) >> 11) * 0x1p-53, i,
                                          t_below(&r, INNER)));
    return A;
}

static gbl_Info multiply(gbl_Matrix C, gbl_Matrix M, gbl_Matrix A, gbl_Matrix B,
                         const t_Flags *flags) {
    gbl_Descriptor desc = t_descriptor(flags);
    const gbl_Info info = gbl_mxm(C, t_has_mask(flags->mask) ? M : NULL, NULL,
                                  GBL_PLUS_TIMES_SEMIRING_FP64, A, B, desc);
    OK(gbl_Descriptor_free(&desc));
    return info;
}

static gbl_Matrix result(void) {
    return t_new_matrix(GBL_FP64, ROWS, WIDTH);
}

/* Entries of a small sample of C, as a mask with rows of all kinds. */
static gbl_Matrix some_of(const t_Tuples *t) {
    gbl_Matrix M = result();
    for (gbl_Index k = 0; k < t->n; k++)
        if (k % 5 < t->I[k] % 4) OK(gbl_Matrix_setElement_FP64(M, 1, t->I[k], t->J[k]));
    return M;
}

/* ---------------------------------------------------------------------------------- results -- */

/* What is known before: from a product that estimates nothing. */
static t_Tuples truth(gbl_Matrix A, gbl_Matrix B, gbl_Matrix M, t_Mask mask) {
    const t_Flags flags = {.mask = mask,
                           .method = GBL_METHOD_ROWWISE,
                           .workflow = GBL_WORKFLOW_UPPER_BOUND,
                           .accumulators = GBL_ACCUMULATE_DENSE};
    gbl_Matrix C = result();
    OK(multiply(C, M, A, B, &flags));
    t_Tuples t = t_tuples_of(C);
    OK(gbl_Matrix_free(&C));
    return t;
}

static void every_way(const lie *of) {
    static const t_Mask masks[] = {T_NO_MASK, T_STRUCTURAL, T_COMP_STRUCTURAL};
    gbl_Matrix A = left_factor(1), B = lying(of, 2);
    t_Tuples all = truth(A, B, NULL, T_NO_MASK);
    gbl_Matrix M = some_of(&all);
    for (size_t m = 0; m < T_COUNT(masks); m++) {
        t_Tuples expected = truth(A, B, M, masks[m]);
        CHECK(expected.n > 0);
        for (unsigned n = 0; n < 4 * 8; n++) {
            if (t_left_out()) continue;
            const t_Flags flags = {.mask = masks[m],
                                   .method = GBL_METHOD_ROWWISE,
                                   .workflow = t_workflows[n % 4],
                                   .accumulators = t_accumulators[n / 4],
                                   .registers = 32 << (n + m) % 3,
                                   .any_order = (n + m) % 2};
            const int32_t threads = 1 + (int32_t)(n + m) % 3;
            OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
            t_case("%d threads, %s", (int)threads, t_flags_text(&flags));
            gbl_Matrix C = result();
            OK(multiply(C, M, A, B, &flags));
            t_expect_tuples(&expected, C);
            OK(gbl_Matrix_free(&C));
        }
        t_tuples_free(&expected);
    }
    t_tuples_free(&all);
    FREE(A, B, M);
}

GB_TEST(mxm_overflow, estimates_far_too_low) {
    every_way(&too_few);
}

GB_TEST(mxm_overflow, estimates_far_too_high) {
    every_way(&too_many);
}

/* That the matrices above do what they are for. */
GB_TEST(mxm_overflow, is_told) {
    static const int32_t hashing[] = {GBL_ACCUMULATE_HASH,
                                      GBL_ACCUMULATE_HASH | GBL_ACCUMULATE_ASSIST,
                                      GBL_ACCUMULATE_HASH | GBL_ACCUMULATE_SORT};
    gbl_Matrix A = left_factor(1), low = lying(&too_few, 2), high = lying(&too_many, 3);
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    for (size_t k = 0; k < 3 * T_COUNT(hashing); k++) {
        const t_Flags flags = {.method = GBL_METHOD_ROWWISE,
                               .workflow = GBL_WORKFLOW_ESTIMATE,
                               .accumulators = hashing[k % 3],
                               .registers = 32 << k / 3};
        t_case("%s", t_flags_text(&flags));
        gbl_Matrix C = result();
        OK(multiply(C, NULL, A, low, &flags));
        OK(gbl_Matrix_explain(&why, C));
        CHECK(why.nvals_estimated < (double)why.nvals / 4);
        CHECK(why.rows_overflowed > ROWS / 2 && why.rows_overflowed <= ROWS);
        CHECK(why.rows_hashed > ROWS / 2 && why.rows_hashed <= ROWS);
        OK(multiply(C, NULL, A, high, &flags));
        OK(gbl_Matrix_explain(&why, C));
        CHECK(why.nvals_estimated > (double)why.nvals * 1.5);
        CHECK_EQ(why.rows_overflowed, 0);
        OK(gbl_Matrix_free(&C));
    }
    FREE(A, low, high);
}

/* Counts are exact: no row is computed again, after however many rows one thread has counted. Rows
 * are told apart by stamps of 16 bits, which come again; so every 32767th row has columns of its
 * own, which no row between has touched. */
GB_TEST(mxm_overflow, counted_rows_never_overflow) {
    enum { MANY = 70000, LENGTH = 60 };
    const t_Flags flags = {.method = GBL_METHOD_ROWWISE,
                           .workflow = GBL_WORKFLOW_SYMBOLIC,
                           .accumulators = GBL_ACCUMULATE_HASH};
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
    gbl_Matrix A = t_new_matrix(GBL_FP64, MANY, 4), B = t_new_matrix(GBL_FP64, 4, 4 * LENGTH);
    gbl_Matrix C = t_new_matrix(GBL_FP64, MANY, 4 * LENGTH);
    for (gbl_Index j = 0; j < 4 * LENGTH; j++)
        OK(gbl_Matrix_setElement_FP64(B, 1.5, j / LENGTH, j));
    for (gbl_Index i = 0; i < MANY; i++)
        for (gbl_Index e = 0; e < 2; e++)
            OK(gbl_Matrix_setElement_FP64(A, 0.5, i, i % 32767 == 0 ? e : 2 + e));
    gbl_Descriptor desc = t_descriptor(&flags);
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, desc));
    const gbl_Explanation why = t_explain(C);
    t_case("%s, %llu rows hashed, %llu again", why.workflow, (unsigned long long)why.rows_hashed,
           (unsigned long long)why.rows_overflowed);
    CHECK(strcmp(why.workflow, "symbolic") == 0);
    CHECK_EQ(why.rows_hashed, MANY);
    CHECK_EQ(why.rows_overflowed, 0);
    CHECK_EQ(why.nvals, (uint64_t)MANY * 2 * LENGTH);
    FREE(desc, A, B, C);
}

/* --------------------------------------------------------------------------- failing memory -- */

/* The n-th allocation fails, for every n: while rows are computed again as well. C is as it was. */
static void attempt_all(gbl_Matrix A, gbl_Matrix B, const t_Flags *flags,
                        const t_Tuples *expected) {
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        gbl_Matrix C = result();
        OK(gbl_Matrix_setElement_FP64(C, 4.5, 3, 4));
        OK(gbl_Matrix_wait(C, GBL_MATERIALIZE));
        gbl_Descriptor desc = t_descriptor(flags);
        const int64_t live = t_live();
        t_case("allocation %lld fails, %s", (long long)n, t_flags_text(flags));
        const gbl_Info info =
            FAIL_AT(n, gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, desc), &failed);
        if (info == GBL_OUT_OF_MEMORY) {
            CHECK(t_live() <= live + 1); /* a sketch may have been made, to stay with B */
            const gbl_Index nvals = t_nvals(C);
            CHECK_EQ(nvals, 1);
            OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, desc));
        }
        t_expect_tuples(expected, C);
        FREE(C, desc);
        CHECK(n < 2000);
    }
}

Test(mxm_overflow, allocations_fail) {
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, t_malloc, t_realloc, t_free));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
    gbl_Matrix A = left_factor(5), B = lying(&too_few, 6);
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    OK(gbl_Matrix_wait(B, GBL_MATERIALIZE));
    t_Tuples expected = truth(A, B, NULL, T_NO_MASK);
    /* three sets that hash rows */
    for (size_t a = 0; a < T_COUNT(t_accumulators); a++) {
        const t_Flags flags = {.method = GBL_METHOD_ROWWISE,
                               .workflow = GBL_WORKFLOW_ESTIMATE,
                               .accumulators = t_accumulators[a],
                               .registers = 32 << a % 3};
        if ((a == 1 || a >= 6) && !t_left_out()) attempt_all(A, B, &flags, &expected);
    }
    t_tuples_free(&expected);
    FREE(A, B);
    CHECK_EQ(t_blocks(), 0);
    OK(gbl_finalize());
    CHECK_EQ(t_live(), 0);
}
