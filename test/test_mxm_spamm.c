/* SPDX-License-Identifier: Apache-2.0
 *
 * The approximate product: to the bit the tiled one where nothing is left out, and a dense loop
 * that leaves out what norms say elsewhere, for all sides, types, forms, transposes and numbers of
 * threads; entries that are not finite; the bound and the ratio, against sums over all pairs of
 * sub-matrices; what a descriptor may ask for.
 */
#include "support/tuples.h"

#include <gblite_io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLUS64 GBL_PLUS_TIMES_SEMIRING_FP64
#define PLUS32 GBL_PLUS_TIMES_SEMIRING_FP32

static gbl_Matrix generate(gbl_Type type, const char *spec) {
    gbl_Matrix A = NULL;
    OK(gbl_generate(&A, type, spec));
    return A;
}

/* What is asked of a product; approximates 0: nothing. */
typedef struct {
    int approximates;
    double value;
    int32_t side;
    bool tran0, tran1;
    gbl_Desc_Value method;
} asked;

static gbl_Descriptor descriptor(const asked *how) {
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, how->method));
    if (how->approximates != 0) OK(gbl_Descriptor_set_FP64(desc, how->value, how->approximates));
    OK(gbl_Descriptor_set_INT32(desc, how->side, GBL_SUBMATRIX));
    if (how->tran0) OK(gbl_Descriptor_set(desc, GBL_INP0, GBL_TRAN));
    if (how->tran1) OK(gbl_Descriptor_set(desc, GBL_INP1, GBL_TRAN));
    return desc;
}

static gbl_Matrix multiply(gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B, const asked *how) {
    gbl_Descriptor desc = descriptor(how);
    gbl_Matrix C = NULL;
    gbl_Index rows, columns;
    OK(how->tran0 ? gbl_Matrix_ncols(&rows, A) : gbl_Matrix_nrows(&rows, A));
    OK(how->tran1 ? gbl_Matrix_nrows(&columns, B) : gbl_Matrix_ncols(&columns, B));
    OK(gbl_Matrix_new(&C, ring == PLUS32 ? GBL_FP32 : GBL_FP64, rows, columns));
    OK(gbl_mxm(C, NULL, NULL, ring, A, B, desc));
    OK(gbl_Descriptor_free(&desc));
    return C;
}

static gbl_Explanation explanation(gbl_Matrix C) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    OK(gbl_Matrix_explain(&how, C));
    return how;
}

/* ------------------------------------------------------------------------------------ exactness */

typedef struct {
    const char *A, *B;
    bool tran0, tran1;
} pair;

static void as_tiled(const pair *of, bool single) {
    const gbl_Type type = single ? GBL_FP32 : GBL_FP64;
    const gbl_Semiring ring = single ? PLUS32 : PLUS64;
    gbl_Matrix A = generate(type, of->A), B = generate(type, of->B);
    gbl_Matrix T = multiply(
        ring, A, B, &(asked){.method = GBL_METHOD_TILED, .tran0 = of->tran0, .tran1 = of->tran1});
    t_Tuples expected = t_tuples_of(T);
    for (int32_t n = 0; n < 12; n++) {
        static const int32_t threads[] = {1, 2, 3};
        const int32_t side = 16 << n % 3;
        if (t_left_out()) continue;
        t_case("%s, %s, FP%d, side %d, %d threads", of->A, of->B, single ? 32 : 64, (int)side,
               (int)threads[n / 3 % 3]);
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads[n / 3 % 3], GBL_NTHREADS));
        gbl_Matrix C = multiply(ring, A, B,
                                &(asked){.approximates = n < 9 ? GBL_TAU : 0,
                                         .side = side,
                                         .tran0 = of->tran0,
                                         .tran1 = of->tran1,
                                         .method = n < 9 ? GBL_DEFAULT : GBL_METHOD_SPAMM});
        const gbl_Explanation how = explanation(C);
        cr_assert_str_eq(how.method, "spamm");
        CHECK_EQ(how.submatrix, side);
        CHECK(how.error_bound == 0.0 && how.tau == 0.0);
        t_expect_tuples(&expected, C);
        OK(gbl_Matrix_free(&C));
    }
    t_tuples_free(&expected);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&T));
}

GB_TEST(mxm_spamm, exact_without_tau) {
    static const pair of[] = {
        {"fem:4:3", "fem:4:3", false, false},
        {"fem:4:3", "fem:4:3", true, true},
        {"rmat:8:9", "er:8:5", false, true},
        {"band:301:40", "band:301:9", true, false},
        {"rect:90:130:20", "rect:130:77:30", false, false},
        {"rect:1:65:40", "rect:65:1:1", false, false},
        {"tiles:9:4:200", "tiles:9:3:17", false, false},
        {"decay:130:exp:0.8:3", "decay:130:alg:1.5:4", false, false},
        {"decay:65:exp:0.9", "decay:65:paper", true, true},
        {"decay:48:exp:0.9:5", "rect:48:20:9", false, false},
        {"decay:1:paper", "decay:1:paper", false, false},
    };
    for (size_t k = 0; k < T_COUNT(of); k++) {
        as_tiled(&of[k], false);
        as_tiled(&of[k], true);
    }
}

/* Masks and accumulators are those of every method. */
GB_TEST(mxm_spamm, masks) {
    gbl_Matrix A = generate(GBL_FP64, "fem:3:4"), M = generate(GBL_BOOL, "rect:108:108:30");
    gbl_Matrix F = generate(GBL_FP64, "decay:108:exp:0.9:7");
    for (unsigned n = 0; n < T_MASKS * 4; n++) {
        t_Flags flags = {.mask = (t_Mask)(n % T_MASKS), .replace = n / T_MASKS % 2 == 1};
        gbl_Matrix C[2], X = n / T_MASKS / 2 ? A : F;
        t_case("%s", t_flags_text(&flags));
        for (int k = 0; k < 2; k++) {
            flags.method = k ? GBL_METHOD_SPAMM : GBL_METHOD_ROWWISE;
            gbl_Descriptor desc = t_descriptor(&flags);
            OK(gbl_Matrix_dup(&C[k], A));
            OK(gbl_mxm(C[k], t_has_mask(flags.mask) ? M : NULL, n % 2 ? GBL_PLUS_FP64 : NULL,
                       PLUS64, X, X, desc));
            OK(gbl_Descriptor_free(&desc));
        }
        t_Tuples expected = t_tuples_of(C[0]);
        t_expect_tuples(&expected, C[1]);
        t_tuples_free(&expected);
        OK(gbl_Matrix_free(&C[0]));
        OK(gbl_Matrix_free(&C[1]));
    }
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&M));
    OK(gbl_Matrix_free(&F));
}

/* ------------------------------------------------------------------- against loops over all pairs
 */

enum { MOST = 160 };

/* A dense matrix with what is there. */
typedef struct {
    gbl_Index rows, columns;
    double x[MOST][MOST];
    bool there[MOST][MOST];
} dense;

static dense *dense_of(gbl_Matrix A) {
    dense *D = calloc(1, sizeof *D);
    OK(gbl_Matrix_nrows(&D->rows, A));
    OK(gbl_Matrix_ncols(&D->columns, A));
    t_Tuples t = t_tuples_of(A);
    for (gbl_Index k = 0; k < t.n; k++) {
        D->x[t.I[k]][t.J[k]] = t.X[k];
        D->there[t.I[k]][t.J[k]] = true;
    }
    t_tuples_free(&t);
    return D;
}

/* The norm of a sub-matrix, 0 where nothing is there, infinite where an entry is not finite. */
static double norm_of(const dense *D, gbl_Index I, gbl_Index J, gbl_Index side) {
    long double squares = 0;
    for (gbl_Index r = I * side; r < (I + 1) * side && r < D->rows; r++)
        for (gbl_Index c = J * side; c < (J + 1) * side && c < D->columns; c++) {
            if (D->there[r][c] && !isfinite(D->x[r][c])) return HUGE_VAL;
            squares += (long double)D->x[r][c] * D->x[r][c];
        }
    return (double)sqrtl(squares);
}

static bool has_any(const dense *D, gbl_Index I, gbl_Index J, gbl_Index side) {
    for (gbl_Index r = I * side; r < (I + 1) * side && r < D->rows; r++)
        for (gbl_Index c = J * side; c < (J + 1) * side && c < D->columns; c++)
            if (D->there[r][c]) return true;
    return false;
}

/* What leaving out does: C, how many pairs count, the sum of the products of norms that do not. */
typedef struct {
    dense C;
    double valid, triples, skipped, error;
    double nearest; /* distance of a product of norms from tau, relative */
} outcome;

static void add_block(outcome *to, const dense *A, const dense *B, const gbl_Index at[3],
                      gbl_Index side) {
    for (gbl_Index r = at[0] * side; r < (at[0] + 1) * side && r < A->rows; r++)
        for (gbl_Index k = at[1] * side; k < (at[1] + 1) * side && k < B->rows; k++)
            for (gbl_Index c = at[2] * side; c < (at[2] + 1) * side && c < B->columns; c++) {
                if (!A->there[r][k] || !B->there[k][c]) continue;
                const double product = A->x[r][k] * B->x[k][c];
                to->C.x[r][c] += product;
                to->C.there[r][c] = true;
            }
}

/* The exact norm of what was left out. */
static double error_of(const dense *C, const dense *A, const dense *B) {
    long double squares = 0;
    for (gbl_Index r = 0; r < A->rows; r++)
        for (gbl_Index c = 0; c < B->columns; c++) {
            long double sum = 0;
            for (gbl_Index k = 0; k < B->rows; k++) sum += (long double)A->x[r][k] * B->x[k][c];
            squares += (sum - C->x[r][c]) * (sum - C->x[r][c]);
        }
    return (double)sqrtl(squares);
}

static outcome *leave_out(const dense *A, const dense *B, gbl_Index side, double tau) {
    outcome *to = calloc(1, sizeof *to);
    const gbl_Index rows = (A->rows + side - 1) / side, inner = (B->rows + side - 1) / side;
    const gbl_Index columns = (B->columns + side - 1) / side;
    double *a = malloc(rows * inner * sizeof *a), *b = malloc(inner * columns * sizeof *b);
    for (gbl_Index I = 0; I < rows; I++)
        for (gbl_Index K = 0; K < inner; K++) a[I * inner + K] = norm_of(A, I, K, side);
    for (gbl_Index K = 0; K < inner; K++)
        for (gbl_Index J = 0; J < columns; J++) b[K * columns + J] = norm_of(B, K, J, side);
    to->triples = (double)(rows * inner * columns);
    to->nearest = HUGE_VAL;
    for (gbl_Index I = 0; I < rows; I++)
        for (gbl_Index J = 0; J < columns; J++)
            for (gbl_Index K = 0; K < inner; K++) {
                if (!has_any(A, I, K, side) || !has_any(B, K, J, side)) continue;
                const double product = a[I * inner + K] * b[K * columns + J];
                to->nearest = fmin(to->nearest, fabs(product - tau) / fmax(tau, 1e-300));
                if (product < tau) {
                    to->skipped += product;
                    continue;
                }
                to->valid += 1.0;
                add_block(to, A, B, (const gbl_Index[3]){I, K, J}, side);
            }
    to->error = error_of(&to->C, A, B);
    free(a);
    free(b);
    return to;
}

static void expect_dense(const dense *expected, gbl_Matrix C) {
    gbl_Index there = 0;
    t_Tuples t = t_tuples_of(C);
    for (gbl_Index k = 0; k < t.n; k++) {
        const double x = expected->x[t.I[k]][t.J[k]];
        CHECK(expected->there[t.I[k]][t.J[k]]);
        CHECK(t.X[k] == x || (isnan(x) && isnan(t.X[k])));
    }
    for (gbl_Index r = 0; r < expected->rows; r++)
        for (gbl_Index c = 0; c < expected->columns; c++) there += expected->there[r][c];
    CHECK_EQ(t.n, there);
    t_tuples_free(&t);
}

/* Some sparse, some full; some decay. */
static gbl_Matrix some(t_Random *r, gbl_Index rows, gbl_Index columns) {
    const double density = t_chance(r, 0.4) ? 1.0 : 0.02 + 0.3 * (double)t_below(r, 100) / 100.0;
    const double rate = t_chance(r, 0.5) ? 0.0 : 0.05 + (double)t_below(r, 100) / 200.0;
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, GBL_FP64, rows, columns));
    for (gbl_Index i = 0; i < rows; i++)
        for (gbl_Index j = 0; j < columns; j++) {
            const double x = ((double)t_below(r, 1 << 30) / (1 << 29) - 1.0) *
                             exp(-rate * fabs((double)i - (double)j));
            if (density == 1.0 || t_chance(r, density)) OK(gbl_Matrix_setElement_FP64(A, x, i, j));
        }
    return A;
}

static void random_case(uint64_t seed, gbl_Index most) {
    t_Random r = t_random(seed);
    const gbl_Index m = 1 + t_below(&r, most), k = 1 + t_below(&r, most), n = 1 + t_below(&r, most);
    gbl_Matrix A = some(&r, m, k), B = some(&r, k, n);
    dense *a = dense_of(A), *b = dense_of(B);
    const int32_t side = 16 << t_below(&r, 3);
    double scale = norm_of(a, 0, 0, 16) * norm_of(b, 0, 0, 16);
    if (scale == 0.0) scale = 1.0;
    const double tau = scale * exp(4.0 * ((double)t_below(&r, 1000) / 500.0 - 1.5));
    outcome *expected = leave_out(a, b, (gbl_Index)side, tau);
    gbl_Index in_a, in_b;
    t_case("seed %llu, %llu x %llu x %llu, side %d, tau %g", (unsigned long long)seed,
           (unsigned long long)m, (unsigned long long)k, (unsigned long long)n, (int)side, tau);
    gbl_Matrix C = multiply(PLUS64, A, B, &(asked){GBL_TAU, tau, side, .method = GBL_DEFAULT});
    OK(gbl_Matrix_nvals(&in_a, A));
    OK(gbl_Matrix_nvals(&in_b, B));
    if (in_a > 0 && in_b > 0) {
        const gbl_Explanation how = explanation(C);
        const double rounding = 1e-13 * (scale + norm_of(a, 0, 0, MOST) * norm_of(b, 0, 0, MOST));
        CHECK(how.tau == tau);
        CHECK(expected->error <= how.error_bound + rounding);
        if (expected->nearest > 1e-9) {
            expected->C.rows = m;
            expected->C.columns = n;
            expect_dense(&expected->C, C);
            CHECK(fabs(how.valid_ratio - expected->valid / expected->triples) < 1e-12);
            CHECK(how.error_bound <= expected->skipped * (1 + 1e-5));
        }
    }
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&C));
    free(a);
    free(b);
    free(expected);
}

GB_TEST(mxm_spamm, bound_holds) {
    for (uint64_t seed = 0; seed < 10000; seed++)
        if (!t_left_out()) random_case(seed, 40);
}

GB_TEST(mxm_spamm, larger) {
    for (uint64_t seed = 0; seed < 60; seed++)
        if (!t_left_out()) random_case(20000 + seed, MOST);
}
