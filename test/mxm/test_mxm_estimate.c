/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_mxm_estimate against the product itself: multiplications are exact, bounds hold, the expected
 * entries lie within the error that is given with them.
 */
#include <math.h>
#include <stdlib.h>

#include "matrix/matrix.h"
#include "support/errors.h"
#include "support/spec.h"
#include "support/tuples.h"

#define RING GBL_PLUS_TIMES_SEMIRING_FP64

/* Multiplications, counted from tuples: entries in column k of op(A) times those in row k of op(B).
 */
static uint64_t count_flops(gbl_Matrix A, gbl_Matrix B, bool t0, bool t1, gbl_Index inner) {
    t_Tuples a = t_tuples_of(A), b = t_tuples_of(B);
    uint64_t *row = calloc(inner + 1, sizeof *row), flops = 0;
    cr_assert(row != NULL);
    for (gbl_Index q = 0; q < b.n; q++) row[t1 ? b.J[q] : b.I[q]]++;
    for (gbl_Index p = 0; p < a.n; p++) flops += row[t0 ? a.I[p] : a.J[p]];
    free(row);
    t_tuples_free(&a);
    t_tuples_free(&b);
    return flops;
}

static gbl_Index size_of(gbl_Matrix A, bool columns) {
    gbl_Index n = 0;
    OK(columns ? gbl_Matrix_ncols(&n, A) : gbl_Matrix_nrows(&n, A));
    return n;
}

static gbl_Descriptor descriptor(unsigned n, int32_t registers) {
    const t_Flags flags = {.tran0 = n & 1, .tran1 = n & 2, .registers = registers};
    return t_descriptor(&flags);
}

/* What must hold of every estimate; the true number of entries comes from the product. */
static gbl_MxmEstimate check_estimate(gbl_Matrix A, gbl_Matrix B, unsigned tran,
                                      int32_t registers) {
    const bool t0 = tran & 1, t1 = tran & 2;
    const gbl_Index m = size_of(A, t0), inner = size_of(A, !t0), n = size_of(B, !t1);
    gbl_Descriptor desc = descriptor(tran, registers);
    gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT, again = GBL_MXM_ESTIMATE_INIT;
    OK(gbl_mxm_estimate(&e, RING, A, B, desc));
    OK(gbl_mxm_estimate(&again, RING, A, B, desc));
    CHECK(e.nvals == again.nvals && e.nvals_error == again.nvals_error);
    gbl_Matrix C = t_new_matrix(GBL_BOOL, m, n);
    OK(gbl_mxm(C, NULL, NULL, GBL_ANY_PAIR_SEMIRING_BOOL, A, B, desc));
    const gbl_Index true_nvals = t_nvals(C), nnz_a = t_nvals(A);
    const double truth = (double)true_nvals, flops = (double)e.flops;
    CHECK_EQ(e.nrows, m);
    CHECK_EQ(e.ncols, n);
    CHECK_EQ(e.flops, count_flops(A, B, t0, t1, inner));
    CHECK(e.nvals_least <= truth && truth <= e.nvals_most);
    CHECK(e.nvals_least <= e.nvals && e.nvals <= e.nvals_most);
    CHECK(e.nvals_most <= flops);
    CHECK(e.nvals_error >= 0.0 && isfinite(e.nvals_error));
    cr_assert(fabs(e.nvals - truth) <= fmax(e.nvals_error, 1e-9) * truth,
              "%g entries expected with error %g, not %g\n  case: %s", e.nvals, e.nvals_error,
              truth, t_case_text());
    if (nnz_a > 0) CHECK(e.expansion_ratio == flops / (double)nnz_a || e.flops == 0);
    if (e.nvals > 0.0) CHECK(fabs(e.compression_ratio - flops / e.nvals) < 1e-9 * flops);
    CHECK(e.rows_sampled <= m);
    if (e.flops > 0) {
        CHECK(fabs(e.bytes - (e.nvals * 12.0 + ((double)m + 1.0) * 8.0)) < 1.0);
        CHECK(e.bytes_workspace > 0.0);
        CHECK_EQ(e.registers, registers != 0 ? registers : e.expansion_ratio < 48.0 ? 32 : 64);
    }
    FREE(C, desc);
    return e;
}

static gbl_Matrix random_matrix(uint64_t seed, gbl_Index nrows, gbl_Index ncols, double degree) {
    t_Random r = t_random(seed);
    gbl_Matrix A = t_new_matrix(GBL_FP64, nrows, ncols);
    for (uint64_t k = (uint64_t)((double)nrows * degree); k > 0; k--)
        OK(gbl_Matrix_setElement_FP64(A, 1.5, t_below(&r, nrows), t_below(&r, ncols)));
    return A;
}

/* -------------------------------------------------------------------------------- estimates -- */

GB_TEST(mxm_estimate, squares_of_generated_matrices) {
    static const char *const specs[] = {"er:11:4",    "er:10:24",    "rmat:10:8",
                                        "rmat:9:30",  "fem:6:2",     "fem:4:5",
                                        "band:900:3", "band:400:40", "rmats:9:8"};
    static const int32_t registers[] = {0, 32, 64, 128};
    for (size_t k = 0; k < T_COUNT(specs); k++) {
        gbl_Matrix A = t_from_spec(GBL_FP64, specs[k]);
        for (unsigned n = 0; n < 4; n++) {
            t_case("%s, transposes %u, registers %d", specs[k], n, (int)registers[(n + k) % 4]);
            check_estimate(A, A, n, registers[(n + k) % 4]);
        }
        OK(gbl_Matrix_free(&A));
    }
}

/* More rows than are sampled, rows of one entry and of hundreds, wide and narrow results. */
GB_TEST(mxm_estimate, rectangles) {
    static const struct {
        gbl_Index m, k, n;
        double da, db;
    } shapes[] = {{5000, 300, 200, 3, 6},      {40, 3000, 5000, 60, 9}, {700, 50, 900, 20, 30},
                  {1, 400, 300, 200, 15},      {900, 1, 50, 0.5, 25},   {3000, 3000, 7, 4, 2},
                  {200, 100, 0xFFFFFFFF, 9, 7}};
    for (size_t s = 0; s < T_COUNT(shapes); s++) {
        gbl_Matrix A = random_matrix(10 + s, shapes[s].m, shapes[s].k, shapes[s].da);
        gbl_Matrix B = random_matrix(20 + s, shapes[s].k, shapes[s].n, shapes[s].db);
        for (int32_t registers = 32; registers <= 128; registers *= 2) {
            t_case("shape %zu, %d registers", s, (int)registers);
            check_estimate(A, B, 0, registers);
        }
        if (shapes[s].n < 10000) {
            gbl_Matrix At = t_new_matrix(GBL_FP64, shapes[s].k, shapes[s].m);
            gbl_Matrix Bt = t_new_matrix(GBL_FP64, shapes[s].n, shapes[s].k);
            OK(gbl_transpose(At, NULL, NULL, A, NULL));
            OK(gbl_transpose(Bt, NULL, NULL, B, NULL));
            gbl_Matrix as[] = {A, At}, bs[] = {B, Bt};
            const gbl_MxmEstimate plain = check_estimate(A, B, 0, 64);
            for (unsigned n = 1; n < 4; n++) {
                t_case("shape %zu, transposes %u", s, n);
                const gbl_MxmEstimate e = check_estimate(as[n & 1], bs[n >> 1], n, 64);
                /* sketches are of column numbers, and hypersparse ones have numbers of their own */
                if (gb_is_hyper(&A->m) || gb_is_hyper(&B->m)) continue;
                CHECK(e.nvals == plain.nvals && e.nvals_error == plain.nvals_error);
            }
            FREE(At, Bt);
        }
        FREE(A, B);
    }
}

/* Small errors on usual inputs: the bounds given with an estimate alone would allow anything. */
GB_TEST(mxm_estimate, is_close) {
    static const char *const specs[] = {"er:12:8", "rmat:11:8", "fem:8:2", "band:3000:20"};
    for (size_t k = 0; k < T_COUNT(specs); k++) {
        gbl_Matrix A = t_from_spec(GBL_FP64, specs[k]), C = NULL;
        gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
        gbl_Index n = size_of(A, false), truth = 0;
        OK(gbl_mxm_estimate(&e, RING, A, A, NULL));
        OK(gbl_Matrix_new(&C, GBL_FP64, n, n));
        OK(gbl_mxm(C, NULL, NULL, RING, A, A, NULL));
        OK(gbl_Matrix_nvals(&truth, C));
        t_case("%s: %g for %llu, error %g", specs[k], e.nvals, (unsigned long long)truth,
               e.nvals_error);
        CHECK(fabs(e.nvals / (double)truth - 1.0) < 0.1);
        CHECK(e.nvals_error < 0.6);
        CHECK(e.rows_sampled > 0);
        FREE(A, C);
    }
}

/* ------------------------------------------------------------------------------- exact cases -- */

static void expect_exact(const char *what, gbl_Matrix A, gbl_Matrix B, gbl_Index nvals) {
    for (int32_t registers = 0; registers <= 128; registers += 32) {
        if (registers == 96) continue;
        t_case("%s, %d registers", what, (int)registers);
        const gbl_MxmEstimate e = check_estimate(A, B, 0, registers);
        CHECK(e.nvals == (double)nvals);
        CHECK(e.nvals_error == 0.0);
        CHECK(e.nvals_least == e.nvals && e.nvals_most == e.nvals);
    }
}

/* Row i has column (stride * i) % n: a permutation where stride and n have no common factor. */
static gbl_Matrix one_entry_a_row(gbl_Index n, gbl_Index stride) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, n, n);
    for (gbl_Index i = 0; i < n; i++) OK(gbl_Matrix_setElement_FP64(A, 2.0, i, stride * i % n));
    return A;
}

GB_TEST(mxm_estimate, exact) {
    enum { N = 1000 };
    gbl_Matrix D = one_entry_a_row(N, 1), P = one_entry_a_row(N, 7), Q = one_entry_a_row(N, 10);
    gbl_Matrix G = random_matrix(1, N, N, 12), dense = NULL;
    const gbl_Index nvals = t_nvals(G);
    expect_exact("diagonal", D, D, N);
    expect_exact("diagonal times general", D, G, nvals);
    expect_exact("permutation times general", P, G, nvals);
    expect_exact("permutation", P, P, N);
    expect_exact("one entry a row", Q, Q, N);
    OK(gbl_Matrix_new(&dense, GBL_FP64, N, N));
    OK(gbl_Matrix_assign_FP64(dense, NULL, NULL, 1.0, GBL_ALL, N, GBL_ALL, N, NULL));
    expect_exact("dense", D, dense, (gbl_Index)N * N);
    const gbl_MxmEstimate e = check_estimate(G, dense, 0, 0);
    CHECK(e.nvals_error == 0.0); /* every row that is not empty is full */
    gbl_Matrix *all[] = {&D, &P, &Q, &G, &dense};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_free(all[k]));
}

GB_TEST(mxm_estimate, nothing) {
    gbl_Matrix A = random_matrix(3, 30, 40, 3), none = NULL, some = NULL;
    gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
    OK(gbl_Matrix_new(&none, GBL_FP64, 40, 50));
    OK(gbl_mxm_estimate(&e, RING, A, none, NULL));
    CHECK(e.nrows == 30 && e.ncols == 50 && e.flops == 0 && e.nvals == 0.0);
    CHECK(e.nvals_error == 0.0 && e.nvals_least == 0.0 && e.nvals_most == 0.0);
    OK(gbl_mxm_estimate(&e, RING, none, A, GBL_DESC_T0T1));
    CHECK(e.nrows == 50 && e.ncols == 30 && e.nvals == 0.0);
    /* entries on both sides that never meet */
    OK(gbl_Matrix_clear(A));
    OK(gbl_Matrix_setElement_FP64(A, 1.0, 2, 3));
    OK(gbl_Matrix_new(&some, GBL_FP64, 40, 50));
    OK(gbl_Matrix_setElement_FP64(some, 1.0, 4, 3));
    expect_exact("rows that do not meet", A, some, 0);
    OK(gbl_Matrix_free(&some));
    OK(gbl_Matrix_new(&some, GBL_FP64, 0, 0));
    OK(gbl_mxm_estimate(&e, RING, some, some, NULL));
    CHECK(e.nrows == 0 && e.ncols == 0 && e.flops == 0);
    FREE(some, none, A);
}

/* The size of a value is that of the semiring's result, whatever the operands hold. */
GB_TEST(mxm_estimate, bytes_follow_the_semiring) {
    gbl_Matrix A = random_matrix(4, 60, 60, 5);
    const struct {
        gbl_Semiring ring;
        double entry;
    } rings[] = {{GBL_PLUS_TIMES_SEMIRING_FP64, 12},
                 {GBL_LOR_LAND_SEMIRING_BOOL, 5},
                 {GBL_MIN_PLUS_SEMIRING_INT32, 8},
                 {GBL_PLUS_TIMES_SEMIRING_INT16, 6}};
    for (size_t k = 0; k < T_COUNT(rings); k++) {
        gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
        OK(gbl_mxm_estimate(&e, rings[k].ring, A, A, NULL));
        CHECK(fabs(e.bytes - (e.nvals * rings[k].entry + 61 * 8)) < 1.0);
    }
    OK(gbl_Matrix_free(&A));
}

/* ------------------------------------------------------------------------------------ errors -- */

ERROR_TEST(mxm_estimate, errors) {
    gbl_Matrix A = random_matrix(5, 20, 30, 3), B = random_matrix(6, 30, 10, 3), user = NULL;
    gbl_Type type = NULL;
    gbl_MxmEstimate e, before;
    memset(&before, 0x5A, sizeof before);
    before.size = sizeof before;
    memcpy(&e, &before, sizeof e);
    OK(gbl_Type_new(&type, 5));
    OK(gbl_Matrix_new(&user, type, 30, 10));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    OK(gbl_Matrix_wait(B, GBL_MATERIALIZE));
    const int64_t blocks = t_blocks();
    FAILS(GBL_NULL_POINTER, gbl_mxm_estimate(NULL, RING, A, B, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_estimate(&e, NULL, A, B, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_estimate(&e, RING, NULL, B, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_estimate(&e, RING, A, NULL, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_mxm_estimate(&e, WRONG(Semiring), A, B, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_mxm_estimate(&e, RING, WRONG(Matrix), B, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_mxm_estimate(&e, RING, A, WRONG(Matrix), NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_mxm_estimate(&e, RING, A, B, WRONG(Descriptor)));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_mxm_estimate(&e, RING, B, A, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_mxm_estimate(&e, RING, A, B, GBL_DESC_T0));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_mxm_estimate(&e, RING, A, B, GBL_DESC_T1));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_mxm_estimate(&e, RING, A, A, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_mxm_estimate(&e, RING, A, user, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_mxm_estimate(&e, RING, user, B, GBL_DESC_T0));
    CHECK_EQ(memcmp(&e, &before, sizeof e), 0);
    CHECK_EQ(t_blocks(), blocks);
    OK(gbl_mxm_estimate(&e, RING, A, B, NULL));
    CHECK_EQ(e.nrows, 20);
    FREE(A, B, user, type);
}

Test(mxm_estimate, before_init) {
    gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
    FAILS(GBL_PANIC, gbl_mxm_estimate(&e, NULL, NULL, NULL, NULL));
}

/* A large request is refused, not the small ones: the text says how much was wanted. */
Test(mxm_estimate, out_of_memory) {
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, t_malloc, t_realloc, t_free));
    gbl_Matrix A = random_matrix(7, 4000, 4000, 10); /* samples meet more than all of A */
    gbl_MxmEstimate e, before;
    memset(&before, 0x33, sizeof before);
    before.size = sizeof before;
    memcpy(&e, &before, sizeof e);
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    t_refuse_above(4000 * 16); /* pointers fit, sketches do not */
    FAILS(GBL_OUT_OF_MEMORY, gbl_mxm_estimate(&e, RING, A, A, NULL));
    CHECK_EQ(memcmp(&e, &before, sizeof e), 0);
    t_refuse_above(0);
    OK(gbl_mxm_estimate(&e, RING, A, A, NULL));
    CHECK(e.nvals > 0.0);
    OK(gbl_Matrix_free(&A));
    OK(gbl_finalize());
    CHECK_EQ(t_live(), 0);
}

/* ------------------------------------------------------------------------------- sketches -- */

/* Few rows of A meet little of B, which is then hashed as they meet it, and so it is where sketches
 * of all of B, which give the same numbers, are large beside the memory limit. Rows of thousands of
 * entries take several batches of hashes. */
GB_TEST(mxm_estimate, same_with_and_without_sketches) {
    static const struct {
        gbl_Index m, k, n;
        double da, db;
    } shapes[] = {{50, 20000, 3000, 4, 5}, {5, 300, 20000, 3, 3000}, {3000, 200, 500, 10, 20}};
    for (size_t s = 0; s < T_COUNT(shapes); s++) {
        gbl_Matrix A = random_matrix(60 + s, shapes[s].m, shapes[s].k, shapes[s].da);
        gbl_Matrix B = random_matrix(70 + s, shapes[s].k, shapes[s].n, shapes[s].db);
        for (int32_t registers = 32; registers <= 128; registers *= 2) {
            gbl_MxmEstimate e[2] = {GBL_MXM_ESTIMATE_INIT, GBL_MXM_ESTIMATE_INIT}, few = e[0];
            gbl_Descriptor desc = NULL;
            const uint8_t *sketch;
            OK(gbl_Descriptor_new(&desc));
            OK(gbl_Descriptor_set_INT32(desc, registers, GBL_REGISTERS));
            t_case("shape %zu, %d registers", s, (int)registers);
            OK(gbl_Global_set_INT64(GBL_GLOBAL, 200 * registers, GBL_MEMORY_LIMIT));
            OK(gbl_mxm_estimate(&few, RING, A, B, desc));
            CHECK(gb_sketch_at_hand(&B->m, GB_CSR, (unsigned)registers) == NULL);
            OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
            OK(gbl_mxm_estimate(&e[0], RING, A, B, desc));
            CHECK(few.nvals == e[0].nvals && few.nvals_error == e[0].nvals_error);
            sketch = gb_sketch_at_hand(&B->m, GB_CSR, (unsigned)registers);
            CHECK_EQ(sketch == NULL, s < 2); /* the last shape meets more than all of B */
            OK(gb_sketch_get(&sketch, &B->m, GB_CSR, (unsigned)registers));
            OK(gbl_mxm_estimate(&e[1], RING, A, B, desc));
            CHECK(e[0].rows_sampled > 0);
            CHECK(e[0].nvals == e[1].nvals && e[0].nvals_error == e[1].nvals_error &&
                  e[0].compression_ratio == e[1].compression_ratio);
            OK(gbl_Descriptor_free(&desc));
        }
        FREE(A, B);
    }
}
