/* SPDX-License-Identifier: Apache-2.0
 *
 * What is found out of the symmetry of a pattern (matrix/matrix.h), against a look at each pair.
 * Patterns that are nearly full, since there who asks for an entry in vain mostly finds it in the
 * next row; symmetric ones, some with one entry moved, dropped or added, and halves. By rows and by
 * columns, on one thread and on two, which begin at both ends.
 */
#include "support/gb_test.h"

#include <string.h>

#include "matrix/matrix.h"

enum { MOST = 170 };
static bool set[MOST][MOST];

static gb_Symmetry kind_of(uint64_t n) {
    bool symmetric = true, lower = true, upper = true;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++) {
            symmetric = symmetric && set[i][j] == set[j][i];
            lower = lower && (!set[i][j] || i > j);
            upper = upper && (!set[i][j] || i < j);
        }
    return symmetric ? GB_SYMMETRIC : lower ? GB_LOWER : upper ? GB_UPPER : GB_UNSYMMETRIC;
}

static void check(uint64_t n) {
    const gb_Symmetry kind = kind_of(n);
    gbl_Matrix A = t_new_matrix(GBL_BOOL, n, n);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            if (set[i][j]) OK(gbl_Matrix_setElement_BOOL(A, true, i, j));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    for (int threads = 1; threads <= 2; threads++)
        for (int format = GB_CSR; format <= GB_CSC; format++) {
            t_case("%llu rows, threads %d, format %d", (unsigned long long)n, threads, format);
            OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
            OK(gb_find_symmetry(&A->m, (gb_Format)format));
            CHECK_EQ(gb_symmetry_of(&A->m), kind);
        }
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 0, GBL_NTHREADS));
    OK(gbl_Matrix_free(&A));
}

static void fill(t_Random *r, uint64_t n, double share) {
    memset(set, 0, sizeof set);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j <= i; j++) set[i][j] = set[j][i] = t_chance(r, share);
}

static void change(t_Random *r, uint64_t n, unsigned how) {
    const uint64_t i = t_below(r, n), j = t_below(r, n), k = t_below(r, n);
    if (how == 1) set[i][j] = !set[i][j];
    if (how == 2 && set[i][j] != set[i][k]) set[i][j] = !set[i][j], set[i][k] = !set[i][k];
    for (uint64_t row = 0; how > 2 && row < n; row++)
        for (uint64_t column = 0; column < n; column++)
            if (how == 3 ? row <= column : row >= column) set[row][column] = false;
}

GB_TEST(symmetry, is_found) {
    t_Random r = t_random(1);
    for (unsigned round = 0; round < 60; round++) {
        const uint64_t n = round % 2 ? MOST - t_below(&r, 9) : 1 + t_below(&r, 9);
        fill(&r, n, round % 3 ? 0.9 : 0.3);
        change(&r, n, round % 5);
        check(n);
    }
}

/* Every pattern of three rows. */
GB_TEST(symmetry, is_found_in_all_of_three_rows) {
    for (unsigned bits = 0; bits < 512; bits++) {
        memset(set, 0, sizeof set);
        for (unsigned k = 0; k < 9; k++) set[k / 3][k % 3] = bits >> k & 1;
        check(3);
    }
}
