/* SPDX-License-Identifier: Apache-2.0
 *
 * subassign, diag, concat, split, reshape, sort and isStoredElement against dense arrays, on
 * ordinary objects and on hypersparse ones; renew; and their errors.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 11, COLS = 7 };

static o_Matrix random_dense(uint64_t seed, gbl_Type_Code code, gbl_Index nrows, gbl_Index ncols) {
    t_Random r = t_random(seed);
    return t_generate(&r, &(t_Content){o_type(code), nrows, ncols, T_RANDOM, 0.4, false, false});
}

static bool has(gbl_Matrix A, gbl_Index i, gbl_Index j) {
    const gbl_Info info = gbl_Matrix_isStoredElement(A, i, j);
    CHECK(info == GBL_SUCCESS || info == GBL_NO_VALUE);
    return info == GBL_SUCCESS;
}

static int64_t at(gbl_Matrix A, gbl_Index i, gbl_Index j) {
    int64_t x = INT64_MIN;
    const gbl_Info info = gbl_Matrix_extractElement_INT64(&x, A, i, j);
    CHECK((info == GBL_SUCCESS) == has(A, i, j));
    return x;
}

static gbl_Matrix random_matrix(uint64_t seed, gbl_Index nrows, gbl_Index ncols) {
    o_Matrix D = random_dense(seed, GBL_INT64_CODE, nrows, ncols);
    gbl_Matrix A = t_matrix(&D);
    FREE(D);
    return A;
}

/* -- subassign: each position of the part by its definition */

static void expect_part(gbl_Matrix C, gbl_Matrix before, gbl_Matrix A, gbl_Matrix M, bool accum,
                        bool replace) {
    static const gbl_Index I[] = {9, 2, 4}, J[] = {0, 6, 3, 1};
    for (gbl_Index i = 0; i < ROWS; i++)
        for (gbl_Index j = 0; j < COLS; j++) {
            gbl_Index r = 0, c = 0;
            while (r < 3 && I[r] != i) r++;
            while (c < 4 && J[c] != j) c++;
            const bool inside = r < 3 && c < 4, allowed = inside && (M == NULL || has(M, r, c));
            const bool had = has(before, i, j), gets = inside && has(A, r, c);
            bool wanted = had;
            int64_t x = at(before, i, j);
            if (allowed) {
                wanted = gets || (accum && had);
                if (gets) x = accum && had ? x + at(A, r, c) : at(A, r, c);
            } else if (inside && replace) {
                wanted = false;
            }
            CHECK_EQ(has(C, i, j), wanted);
            if (wanted) CHECK_EQ(at(C, i, j), x);
        }
}

GB_TEST(rearrange, subassign) {
    static const gbl_Index I[] = {9, 2, 4}, J[] = {0, 6, 3, 1};
    gbl_Matrix A = random_matrix(1, 3, 4), M = random_matrix(2, 3, 4);
    for (int k = 0; k < 8; k++) {
        const bool masked = k & 1, accum = k & 2, replace = k & 4;
        gbl_Matrix before = random_matrix(3, ROWS, COLS), C;
        OK(gbl_Matrix_dup(&C, before));
        OK(gbl_Matrix_subassign(C, masked ? M : NULL, accum ? GBL_PLUS_INT64 : NULL, A, I, 3, J, 4,
                                replace ? GBL_DESC_RS : GBL_DESC_S));
        t_case("subassign %d", k);
        expect_part(C, before, A, masked ? M : NULL, accum, replace);
        FREE(before, C);
    }
    FREE(A, M);
}

GB_TEST(rearrange, subassign_lines) {
    static const gbl_Index J[] = {5, 0, 3}, I[] = {1, 8}, far[] = {0, ROWS};
    gbl_Matrix C = random_matrix(4, ROWS, COLS), before;
    gbl_Vector u, m, v, w;
    gbl_Scalar s;
    int64_t x;
    OK(gbl_Matrix_dup(&before, C));
    OK(gbl_Vector_new(&u, GBL_INT64, 3));
    OK(gbl_Vector_new(&m, GBL_BOOL, 3));
    OK(gbl_Vector_new(&v, GBL_INT64, 2));
    OK(gbl_Vector_new(&w, GBL_INT64, ROWS));
    OK(gbl_Vector_setElement_INT64(u, 71, 0));
    OK(gbl_Vector_setElement_INT64(u, 72, 2));
    OK(gbl_Vector_setElement_BOOL(m, true, 2));
    OK(gbl_Vector_setElement_INT64(v, 73, 1));
    OK(gbl_Row_subassign(C, m, NULL, u, 2, J, 3, NULL));
    OK(gbl_Col_subassign(C, NULL, NULL, v, I, 2, 6, NULL));
    for (gbl_Index i = 0; i < ROWS; i++)
        for (gbl_Index j = 0; j < COLS; j++) {
            const bool row = i == 2 && j == 3, on = i == 8 && j == 6, off = i == 1 && j == 6;
            CHECK_EQ(has(C, i, j), (has(before, i, j) || row || on) && !off);
            if (has(C, i, j)) CHECK_EQ(at(C, i, j), row ? 72 : on ? 73 : at(before, i, j));
        }
    OK(gbl_Scalar_new(&s, GBL_INT64));
    OK(gbl_Scalar_setElement_INT64(s, 5));
    OK(gbl_Vector_subassign_Scalar(w, m, NULL, s, J, 3, NULL));
    OK(gbl_Vector_extractElement_INT64(&x, w, 3));
    CHECK_EQ(x, 5);
    CHECK_EQ(t_nvals_vector(w), 1);
    OK(gbl_Vector_subassign(w, NULL, GBL_PLUS_INT64, u, J, 3, NULL));
    OK(gbl_Vector_extractElement_INT64(&x, w, 3));
    CHECK_EQ(x, 77);
    OK(gbl_Vector_isStoredElement(w, 5));
    CHECK(gbl_Vector_isStoredElement(w, 0) == GBL_NO_VALUE);
    FAILS(GBL_INVALID_INDEX, gbl_Vector_isStoredElement(w, ROWS));
    OK(gbl_Matrix_subassign_Scalar(C, NULL, NULL, s, GBL_ALL, 0, J, 1, NULL));
    for (gbl_Index i = 0; i < ROWS; i++) CHECK_EQ(at(C, i, 5), 5);
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Row_subassign(C, m, NULL, v, 2, J, 3, NULL));
    FAILS(GBL_INVALID_INDEX, gbl_Row_subassign(C, m, NULL, u, ROWS, J, 3, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Col_subassign(C, NULL, NULL, v, far, 2, 0, NULL));
    FREE(C, before, u, m, v, w, s);
}

/* -- objects of two sizes: `far` spreads the entries over 2^40 rows and columns */

static gbl_Matrix spread(gbl_Matrix A, gbl_Index far) {
    gbl_Matrix C;
    OK(gbl_Matrix_new(&C, GBL_INT64, t_nrows(A) * far, t_ncols(A) * far));
    for (gbl_Index i = 0; i < t_nrows(A); i++)
        for (gbl_Index j = 0; j < t_ncols(A); j++)
            if (has(A, i, j)) OK(gbl_Matrix_setElement_INT64(C, at(A, i, j), i * far, j * far));
    return C;
}

static void diagonals(gbl_Index far) {
    gbl_Matrix small = random_matrix(5, ROWS, COLS), A = spread(small, far);
    for (int64_t k = -ROWS; k <= COLS; k++)
        for (int turn = 0; turn < 2; turn++) {
            const gbl_Index m = turn ? COLS : ROWS, n = turn ? ROWS : COLS;
            const gbl_Index r = k < 0 ? (gbl_Index)-k : 0, c = k < 0 ? 0 : (gbl_Index)k;
            const gbl_Index length = r >= m || c >= n ? 0 : m - r < n - c ? m - r : n - c;
            gbl_Vector v;
            gbl_Index found = 0;
            OK(gbl_Vector_new(&v, GBL_INT32, length * far));
            OK(gbl_Vector_diag(v, A, k * (int64_t)far, turn ? GBL_DESC_T0 : NULL));
            for (gbl_Index e = 0; e < length; e++) {
                const gbl_Index i = turn ? c + e : r + e, j = turn ? r + e : c + e;
                int64_t x = 0;
                const gbl_Info info = gbl_Vector_extractElement_INT64(&x, v, e * far);
                CHECK_EQ(info == GBL_SUCCESS, has(small, i, j));
                if (info == GBL_SUCCESS) CHECK_EQ(x, at(small, i, j));
                found += info == GBL_SUCCESS;
            }
            CHECK_EQ(t_nvals_vector(v), found);
            FREE(v);
        }
    gbl_Vector wrong;
    OK(gbl_Vector_new(&wrong, GBL_INT64, 2));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Vector_diag(wrong, A, 0, NULL));
    FREE(small, A, wrong);
}

GB_TEST(rearrange, diag) {
    diagonals(1);
    diagonals((gbl_Index)1 << 33);
}

static bool same(gbl_Matrix A, gbl_Matrix B) {
    const gbl_Index n = t_nvals(A);
    bool equal = n == t_nvals(B) && t_nrows(A) == t_nrows(B) && t_ncols(A) == t_ncols(B);
    gbl_Index *list = malloc((n + 1) * 4 * sizeof *list), count = n;
    int64_t *x = malloc((n + 1) * 2 * sizeof *x);
    if (equal) {
        OK(gbl_Matrix_extractTuples_INT64(list, list + n, x, &count, A));
        OK(gbl_Matrix_extractTuples_INT64(list + 2 * n, list + 3 * n, x + n, &count, B));
        equal = memcmp(list, list + 2 * n, 2 * n * sizeof *list) == 0 &&
                memcmp(x, x + n, n * sizeof *x) == 0;
    }
    free(list);
    free(x);
    return equal;
}

static void grids(gbl_Index far) {
    const gbl_Index heights[] = {4 * far, 0, 7 * far}, widths[] = {2 * far, 5 * far};
    const gbl_Index wrong[] = {4 * far, 1, 7 * far};
    gbl_Matrix small = random_matrix(6, ROWS, COLS), A = spread(small, far), tile[6], C;
    OK(gbl_Matrix_split(tile, 3, 2, heights, widths, A, NULL));
    for (gbl_Index t = 0; t < 6; t++) {
        const gbl_Index r = t / 2 == 2 ? 4 : 0, c = t % 2 == 1 ? 2 : 0;
        CHECK_EQ(t_nrows(tile[t]), heights[t / 2]);
        CHECK_EQ(t_ncols(tile[t]), widths[t % 2]);
        for (gbl_Index i = 0; i < heights[t / 2] / far; i++)
            for (gbl_Index j = 0; j < widths[t % 2] / far; j++) {
                CHECK_EQ(has(tile[t], i * far, j * far), has(small, r + i, c + j));
                if (has(small, r + i, c + j))
                    CHECK_EQ(at(tile[t], i * far, j * far), at(small, r + i, c + j));
            }
    }
    OK(gbl_Matrix_new(&C, GBL_INT64, ROWS * far, COLS * far));
    OK(gbl_Matrix_concat(C, tile, 3, 2, NULL));
    CHECK(same(A, C));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_concat(C, tile, 2, 3, NULL));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_concat(C, tile, 0, 3, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_concat(C, tile, 1, 2, NULL));
    CHECK(same(A, C));
    for (int t = 0; t < 6; t++) FREE(tile[t]);
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_split(tile, 3, 2, wrong, widths, A, NULL));
    CHECK(tile[0] == NULL);
    FREE(small, A, C);
}

GB_TEST(rearrange, concat_split) {
    grids(1);
    grids((gbl_Index)1 << 33);
}

GB_TEST(rearrange, reshape) {
    for (int by_column = 0; by_column < 2; by_column++) {
        gbl_Matrix A = random_matrix(7, 6, 10), C;
        OK(gbl_Matrix_dup(&C, A));
        OK(gbl_Matrix_reshape(C, by_column, 4, 15, NULL));
        CHECK_EQ(t_nrows(C), 4);
        CHECK_EQ(t_nvals(C), t_nvals(A));
        for (gbl_Index k = 0; k < 60; k++) {
            const gbl_Index i = by_column ? k % 6 : k / 10, j = by_column ? k / 6 : k % 10;
            const gbl_Index r = by_column ? k % 4 : k / 15, c = by_column ? k / 4 : k % 15;
            CHECK_EQ(has(C, r, c), has(A, i, j));
            if (has(A, i, j)) CHECK_EQ(at(C, r, c), at(A, i, j));
        }
        FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_reshape(C, by_column, 4, 14, NULL));
        OK(gbl_Matrix_reshape(C, by_column, 6, 10, NULL));
        CHECK(same(A, C));
        FREE(A, C);
    }
    gbl_Matrix A;
    OK(gbl_Matrix_new(&A, GBL_INT64, (gbl_Index)1 << 50, (gbl_Index)1 << 40));
    OK(gbl_Matrix_setElement_INT64(A, 9, ((gbl_Index)1 << 50) - 1, 5));
    OK(gbl_Matrix_reshape(A, false, (gbl_Index)1 << 45, (gbl_Index)1 << 45, NULL));
    CHECK_EQ(at(A, ((gbl_Index)1 << 45) - 1, (((gbl_Index)1 << 45) - ((gbl_Index)1 << 40)) + 5), 9);
    FREE(A);
}

/* -- sort */

static void by_last_digit(void *z, const void *x, const void *y) {
    *(bool *)z = *(const int64_t *)x % 5 < *(const int64_t *)y % 5;
}

static void sorts(gbl_BinaryOp op, bool (*before)(int64_t, int64_t), bool by_column,
                  gbl_Index far) {
    gbl_Matrix small = random_matrix(8, ROWS, COLS), A = spread(small, far), C, P;
    const gbl_Index lines = by_column ? COLS : ROWS, length = by_column ? ROWS : COLS;
    OK(gbl_Matrix_new(&C, GBL_INT64, ROWS * far, COLS * far));
    OK(gbl_Matrix_new(&P, GBL_UINT64, ROWS * far, COLS * far));
    OK(gbl_Matrix_sort(C, P, op, A, by_column ? GBL_DESC_T0 : NULL));
    CHECK_EQ(t_nvals(C), t_nvals(A));
    CHECK_EQ(t_nvals(P), t_nvals(A));
    for (gbl_Index line = 0; line < lines; line++) {
        gbl_Index count = 0;
        for (gbl_Index k = 0; k < length; k++)
            count += by_column ? has(small, k, line) : has(small, line, k);
        for (gbl_Index k = 0; k < count; k++) {
            const gbl_Index i = by_column ? k : line * far, j = by_column ? line * far : k;
            const gbl_Index from = (gbl_Index)at(P, i, j);
            CHECK_EQ(at(C, i, j), by_column ? at(A, from, line * far) : at(A, line * far, from));
            if (k == 0) continue;
            const int64_t x = by_column ? at(C, i - 1, j) : at(C, i, j - 1), y = at(C, i, j);
            const gbl_Index earlier = (gbl_Index)(by_column ? at(P, i - 1, j) : at(P, i, j - 1));
            CHECK(!before(y, x) && (before(x, y) || earlier < from));
        }
    }
    OK(gbl_Matrix_sort(A, NULL, op, A, by_column ? GBL_DESC_T0 : NULL));
    CHECK(same(A, C));
    FREE(small, A, C, P);
}

static bool less(int64_t x, int64_t y) {
    return x < y;
}
static bool more(int64_t x, int64_t y) {
    return x > y;
}
static bool less_digit(int64_t x, int64_t y) {
    return x % 5 < y % 5;
}

GB_TEST(rearrange, sort) {
    gbl_BinaryOp own;
    OK(gbl_BinaryOp_new(&own, by_last_digit, GBL_BOOL, GBL_INT64, GBL_INT64));
    for (int by_column = 0; by_column < 2; by_column++)
        for (int far = 0; far < 2; far++) {
            const gbl_Index wide = far ? (gbl_Index)1 << 33 : 1;
            sorts(GBL_LT_INT64, less, by_column, wide);
            sorts(GBL_GE_FP64, more, by_column, wide);
            sorts(own, less_digit, by_column, wide);
        }
    gbl_Matrix A = random_matrix(8, ROWS, COLS), wide;
    OK(gbl_Matrix_new(&wide, GBL_INT64, ROWS, COLS + 1));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_sort(A, NULL, GBL_PLUS_INT64, A, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_sort(NULL, NULL, GBL_LT_INT64, A, NULL));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_sort(A, A, GBL_LT_INT64, A, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_sort(wide, NULL, GBL_LT_INT64, A, NULL));
    FREE(own, A, wide);
}

GB_TEST(rearrange, sort_nan) {
    const double values[] = {3, 0.0 / 0.0, -1, 0.0 / 0.0, 2};
    const gbl_BinaryOp ops[] = {GBL_LT_FP64, GBL_GT_FP64};
    for (int k = 0; k < 2; k++) {
        gbl_Matrix A;
        double x;
        OK(gbl_Matrix_new(&A, GBL_FP64, 1, 5));
        for (gbl_Index j = 0; j < 5; j++) OK(gbl_Matrix_setElement_FP64(A, values[j], 0, j));
        OK(gbl_Matrix_sort(A, NULL, ops[k], A, NULL));
        OK(gbl_Matrix_extractElement_FP64(&x, A, 0, 0));
        CHECK(x == (k == 0 ? -1 : 3));
        OK(gbl_Matrix_extractElement_FP64(&x, A, 0, 3));
        CHECK(x != x);
        FREE(A);
    }
}

/* -- renew: another type and shape under the same handle, whatever it held */

GB_TEST(rearrange, renew) {
    gbl_Matrix A = random_matrix(3, ROWS, COLS);
    gbl_Vector v = t_new_vector(GBL_INT64, 3);
    gbl_Type type, own;
    gbl_Index n;
    OK(gbl_Matrix_setElement_INT64(A, 5, 0, 0)); /* an update that waits */
    OK(gbl_Type_new(&own, 24));
    OK(gbl_Matrix_renew(A, own, (gbl_Index)1 << 40, 2));
    OK(gbl_Type_free(&own));
    CHECK_EQ(t_nvals(A), 0);
    OK(gbl_Matrix_nrows(&n, A));
    CHECK_EQ(n, (gbl_Index)1 << 40);
    OK(gbl_Matrix_renew(A, GBL_FP32, 2, 9));
    OK(gbl_Matrix_setElement_FP64(A, 2.5, 1, 8));
    OK(gbl_Matrix_type(&type, A));
    CHECK(type == GBL_FP32);
    CHECK_EQ(at(A, 1, 8), 2);
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_renew(A, GBL_INT8, 1, GBL_INDEX_MAX + 2));
    CHECK_EQ(at(A, 1, 8), 2);
    OK(gbl_Vector_assign_INT64(v, NULL, NULL, 4, GBL_ALL, 3, NULL));
    OK(gbl_Vector_renew(v, GBL_BOOL, 0));
    OK(gbl_Vector_size(&n, v));
    CHECK_EQ(n, 0);
    FREE(A, v);
}
