/* SPDX-License-Identifier: Apache-2.0
 *
 * The index arithmetic of bench's ESC peer (bench/peers/esc_index.h), product by product on the
 * host: numbering, keys, rows of the result, with rows and columns that have no entries.
 */
#include "../../bench/peers/esc_index.h"

#include <stdlib.h>

#include "support/gb_test.h"
#include "support/tuples.h"

enum { MOST = 4096 };

typedef struct {
    uint64_t p[64];
    uint32_t i[MOST];
    double x[MOST];
    gbl_Matrix matrix;
} factor;

/* Every third row and the first and last ones have no entries. */
static void make(factor *F, uint64_t rows, uint64_t columns, double density, uint64_t seed) {
    t_Random r = t_random(seed);
    uint64_t n = 0;
    OK(gbl_Matrix_new(&F->matrix, GBL_FP64, rows, columns));
    for (uint64_t i = 0; i < rows; i++) {
        F->p[i] = n;
        for (uint64_t j = 0; j < columns; j++) {
            if (i % 3 == 0 || i + 1 == rows || !t_chance(&r, density)) continue;
            F->i[n] = (uint32_t)j;
            F->x[n] = (double)(1 + t_below(&r, 9));
            OK(gbl_Matrix_setElement_FP64(F->matrix, F->x[n++], i, j));
        }
    }
    F->p[rows] = n;
}

typedef struct {
    uint64_t key;
    double value;
} item;

static int by_key(const void *a, const void *b) {
    const uint64_t x = ((const item *)a)->key, y = ((const item *)b)->key;
    return (x > y) - (x < y);
}

/* As peers/cub_esc.cu does it; products of neighbouring numbers in the order of A and B. */
static uint64_t multiply(item *products, const factor *A, uint64_t m, const factor *B, int bits) {
    static uint64_t first[MOST + 1];
    const uint64_t na = A->p[m];
    uint64_t total = 0;
    for (uint64_t q = 0; q < na; q++) {
        first[q] = total;
        total += B->p[A->i[q] + 1] - B->p[A->i[q]];
    }
    CHECK(total > 0 && total <= MOST);
    for (uint64_t t = 0; t < total; t++) {
        const uint64_t q = esc_owner(first, na, t), at = B->p[A->i[q]] + (t - first[q]);
        CHECK(at < B->p[A->i[q] + 1]);
        products[t].key = esc_key(esc_owner(A->p, m, q), B->i[at], bits);
        products[t].value = A->x[q] * B->x[at];
    }
    qsort(products, total, sizeof *products, by_key);
    uint64_t n = 0;
    for (uint64_t t = 0; t < total; t++) {
        if (n > 0 && products[n - 1].key == products[t].key)
            products[n - 1].value += products[t].value;
        else
            products[n++] = products[t];
    }
    return n;
}

static void run(uint64_t m, uint64_t k, uint64_t n, uint64_t seed) {
    static factor A, B;
    static item C[MOST];
    static uint64_t key[MOST];
    const int bits = esc_bits(n);
    t_case("%d x %d x %d", (int)m, (int)k, (int)n);
    make(&A, m, k, 0.4, seed);
    make(&B, k, n, 0.3, seed + 1);
    const uint64_t entries = multiply(C, &A, m, &B, bits);
    gbl_Matrix expected = t_new_matrix(GBL_FP64, m, n);
    OK(gbl_mxm(expected, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A.matrix, B.matrix, NULL));
    t_Tuples tuples = t_tuples_of(expected); /* by rows */
    CHECK_EQ(entries, tuples.n);
    for (uint64_t e = 0; e < entries; e++) key[e] = C[e].key;
    for (uint64_t row = 0; row < m; row++)
        for (uint64_t e = esc_row_start(key, entries, row, bits);
             e < esc_row_start(key, entries, row + 1, bits); e++) {
            CHECK_EQ(tuples.I[e], row);
            CHECK_EQ(tuples.J[e], esc_column(key[e], bits));
            CHECK(tuples.X[e] == C[e].value);
        }
    CHECK_EQ(esc_row_start(key, entries, 0, bits), 0);
    CHECK_EQ(esc_row_start(key, entries, m, bits), entries);
    t_tuples_free(&tuples);
    FREE(A.matrix, B.matrix, expected);
}

GB_TEST(esc_index, products) {
    run(14, 20, 16, 1); /* columns that fill their bits */
    run(33, 17, 33, 2);
    run(5, 40, 31, 3);
}

GB_TEST(esc_index, bits) {
    CHECK_EQ(esc_bits(1), 0);
    CHECK_EQ(esc_bits(2), 1);
    CHECK_EQ(esc_bits(65), 7);
    CHECK_EQ(esc_bits(64), 6);
    CHECK_EQ(esc_bits(UINT64_MAX), 64);
}
