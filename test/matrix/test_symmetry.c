/* SPDX-License-Identifier: Apache-2.0
 *
 * What is found out of the symmetry of a pattern (matrix/matrix.h), against a look at each pair.
 * Patterns that are nearly full, since there who asks for an entry in vain mostly finds it in the
 * next row; symmetric ones, some with one entry moved, dropped or added, and halves. By rows and by
 * columns, on one thread and on two, which begin at both ends. Then GBL_SYMMETRIC: who sets it,
 * what forgets it, and lists that serve as rows and as columns.
 */
#include "support/gb_test.h"

#include <string.h>

#include "gblite_io.h"
#include "matrix/check.h"
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

/* -- GBL_SYMMETRIC ----------------------------------------------------------------------------- */

static int32_t known(gbl_Matrix A) {
    int32_t value = -1;
    OK(gbl_Matrix_get_INT32(A, &value, GBL_SYMMETRIC));
    return value;
}

/* A cycle of n vertices with a chord. */
static gbl_Matrix cycle(gbl_Index n) {
    gbl_Matrix A = t_new_matrix(GBL_BOOL, n, n);
    for (gbl_Index i = 0; i < n; i++) {
        OK(gbl_Matrix_setElement_BOOL(A, true, i, (i + 1) % n));
        OK(gbl_Matrix_setElement_BOOL(A, true, (i + 1) % n, i));
    }
    OK(gbl_Matrix_setElement_BOOL(A, true, 0, n / 2));
    OK(gbl_Matrix_setElement_BOOL(A, true, n / 2, 0));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

GB_TEST(symmetry, is_stated_and_forgotten) {
    gbl_Matrix A = cycle(30), B = NULL, C = t_new_matrix(GBL_BOOL, 3, 4);
    gbl_Vector v = NULL;
    int32_t value;
    CHECK_EQ(known(A), 0);
    OK(gbl_Matrix_set_INT32(A, 1, GBL_SYMMETRIC));
    CHECK_EQ(known(A), 1);
    OK(gbl_Matrix_dup(&B, A));
    CHECK_EQ(known(B), 1);
    OK(gbl_Matrix_set_INT32(B, 0, GBL_SYMMETRIC));
    CHECK_EQ(known(B), 0);
    OK(gbl_Matrix_set_INT32(B, 2, GBL_SYMMETRIC));
    CHECK_EQ(known(B), 1);
    OK(gbl_Matrix_setElement_BOOL(A, true, 3, 7)); /* in place or not, A is another */
    CHECK_EQ(known(A), 0);
    OK(gbl_Matrix_set_INT32(A, 2, GBL_SYMMETRIC));
    CHECK_EQ(known(A), 0);
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_set_INT32(A, 1, GBL_SYMMETRIC));
    CHECK_EQ(known(A), 0);
    OK(gbl_mxm(B, NULL, NULL, GBL_LOR_LAND_SEMIRING_BOOL, B, B, NULL));
    CHECK_EQ(known(B), 0);
    OK(gbl_Matrix_clear(B));
    OK(gbl_Matrix_set_INT32(B, 1, GBL_SYMMETRIC));
    CHECK_EQ(known(B), 1); /* no entry lacks its mirror image */
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_set_INT32(B, 3, GBL_SYMMETRIC));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_set_INT32(B, -1, GBL_SYMMETRIC));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_set_INT32(C, 1, GBL_SYMMETRIC));
    OK(gbl_Matrix_set_INT32(C, 2, GBL_SYMMETRIC));
    CHECK_EQ(known(C), 0);
    OK(gbl_Vector_new(&v, GBL_BOOL, 5));
    FAILS(GBL_INVALID_VALUE, gbl_Vector_set_INT32(v, 1, GBL_SYMMETRIC));
    FAILS(GBL_INVALID_VALUE, gbl_Vector_get_INT32(v, &value, GBL_SYMMETRIC));
    FREE(A, B, C, v);
}

/* Without NDEBUG a wrong statement is an error; with it, it is taken. */
GB_TEST(symmetry, is_checked_without_ndebug) {
    gbl_Matrix A = cycle(30);
    OK(gbl_Matrix_removeElement(A, 0, 1));
    const gbl_Info info = gbl_Matrix_set_INT32(A, 1, GBL_SYMMETRIC);
    if (info == GBL_SUCCESS) { /* results are wrong, and nothing else is */
        int64_t sum = 0;
        OK(gbl_mxm_reduce_INT64(&sum, A, NULL, GBL_PLUS_MONOID_INT64, GBL_PLUS_PAIR_SEMIRING_INT64,
                                A, A, GBL_DESC_ST1));
    } else {
        CHECK_EQ(info, GBL_INVALID_VALUE);
    }
    CHECK_EQ(known(A), info == GBL_SUCCESS);
    FREE(A);
}

static bool is_there(gbl_Matrix A, gbl_Index i, gbl_Index j) {
    bool value;
    return gbl_Matrix_extractElement_BOOL(&value, A, i, j) == GBL_SUCCESS;
}

/* Writers get arrays of their own, whichever form they write. */
GB_TEST(symmetry, one_list_serves_as_both) {
    for (int write = 0; write < 3; write++) {
        gbl_Matrix A = NULL, B = NULL, plain = NULL, C = NULL, D = NULL;
        gb_CsView rows, columns;
        OK(gbl_generate(&A, GBL_BOOL, "grid:5:8"));
        OK(gbl_Matrix_dup(&plain, A));
        OK(gbl_Matrix_set_INT32(plain, 0, GBL_SYMMETRIC));
        OK(gb_acquire(&A->m, GB_CSR, &rows));
        OK(gb_acquire(&A->m, GB_CSC, &columns));
        CHECK(rows.i == columns.i && rows.p == columns.p);
        CHECK_EQ(gb_matrix_check(&A->m), GBL_SUCCESS);
        C = t_new_matrix(GBL_INT64, 40, 40), D = t_new_matrix(GBL_INT64, 40, 40);
        o_Matrix squared = {0};
        OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_PAIR_SEMIRING_INT64, A, A, GBL_DESC_T0));
        OK(gbl_mxm(D, NULL, NULL, GBL_PLUS_PAIR_SEMIRING_INT64, plain, plain, NULL));
        squared = t_dense(D);
        t_expect("A'A", &squared, C, 0);
        OK(gbl_Matrix_dup(&B, A));
        if (write == 0) OK(gbl_Matrix_setElement_BOOL(A, true, 2, 9));
        if (write == 1) OK(gbl_Matrix_removeElement(A, 0, 1));
        if (write == 2) {
            gbl_Arrays arrays = {0};
            OK(gbl_Matrix_moveOut(A, GBL_CSC_FORMAT, &arrays));
            CHECK(t_nvals(A) == 0 && known(A) == 0 && arrays.p[40] == 134);
            OK(gbl_Matrix_moveInto(A, GBL_CSC_FORMAT, &arrays));
        }
        CHECK_EQ(is_there(A, 2, 9), write == 0);
        CHECK(!is_there(A, 9, 2));
        CHECK_EQ(is_there(A, 0, 1), write != 1);
        CHECK(is_there(A, 1, 0));
        CHECK(is_there(B, 0, 1) && !is_there(B, 2, 9)); /* the copy is as it was */
        CHECK_EQ(gb_matrix_check(&A->m), GBL_SUCCESS);
        CHECK_EQ(gb_matrix_check(&B->m), GBL_SUCCESS);
        FREE(A, B, C, D, plain, squared);
    }
}

/* Arrays of the user are not shared. */
GB_TEST(symmetry, lent_lists_stay_alone) {
    gbl_Matrix A = NULL, B = NULL;
    gbl_Arrays arrays = {0};
    gb_CsView rows, columns;
    OK(gbl_generate(&A, GBL_BOOL, "grid:5:8"));
    OK(gbl_Matrix_view(&arrays, A, GBL_CSR_FORMAT));
    OK(gbl_Matrix_lend(&B, GBL_BOOL, 40, 40, GBL_CSR_FORMAT, &arrays, &(gbl_Lender){NULL, NULL}));
    OK(gbl_Matrix_set_INT32(B, 1, GBL_SYMMETRIC));
    OK(gb_acquire(&B->m, GB_CSR, &rows));
    OK(gb_acquire(&B->m, GB_CSC, &columns));
    CHECK(rows.i == arrays.i && columns.i != rows.i);
    CHECK_EQ(gb_matrix_check(&B->m), GBL_SUCCESS);
    FREE(B, A);
}

GB_TEST(symmetry, is_set_by_readers_and_generators) {
    static const struct {
        const char *text;
        int known;
    } texts[] = {
        {"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n", 1},
        {"%%MatrixMarket matrix coordinate complex hermitian\n3 3 2\n2 1 1 2\n3 3 4 0\n", 1},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 1 5\n", 1},
        {"%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n", 1},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 2\n2 1\n3 2\n", 0}};
    for (size_t k = 0; k < T_COUNT(texts); k++) {
        gbl_Matrix A = NULL;
        OK(gbl_mm_read_memory(&A, NULL, texts[k].text, strlen(texts[k].text)));
        t_case("text %d", (int)k);
        CHECK_EQ(known(A), texts[k].known);
        FREE(A);
    }
    static const char *const specs[] = {"grid:9:8", "rmats:6:4", "road:5:5", "planted:3:9:4:1",
                                        "er:6:4"};
    for (size_t k = 0; k < T_COUNT(specs); k++) {
        gbl_Matrix A = NULL;
        OK(gbl_generate(&A, GBL_BOOL, specs[k]));
        t_case("%s", specs[k]);
        CHECK_EQ(known(A), k < 4);
        FREE(A);
    }
}
