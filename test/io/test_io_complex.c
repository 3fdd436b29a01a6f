/* SPDX-License-Identifier: Apache-2.0
 *
 * Complex and hermitian Matrix Market texts: both sides of symmetric ones, casts, what is wrong
 * with them, and that what is written is read back bit for bit.
 */
#include "test_io.h"
#include "support/complex_values.h"

#include <math.h>
#undef I

TestSuite(io_complex, .init = start, .fini = finish);

#define BANNER "%%MatrixMarket matrix "

static gbl_Matrix matrix_of(gbl_Type type, const char *text) {
    gbl_Matrix A = NULL;
    expect_ok(gbl_mm_read_memory(&A, type, text, strlen(text)), text);
    return A;
}

static void expect_entry(gbl_Matrix A, gbl_Index i, gbl_Index j, double re, double im) {
    double complex x = NAN;
    cr_assert_eq(gbl_Matrix_extractElement_FC64(&x, A, i, j), GBL_SUCCESS);
    cr_assert(creal(x) == re && cimag(x) == im, "(%d, %d) is %g%+gi", (int)i, (int)j, creal(x),
              cimag(x));
}

static gbl_Type type_of(gbl_Matrix A) {
    gbl_Type type = NULL;
    cr_assert_eq(gbl_Matrix_type(&type, A), GBL_SUCCESS);
    return type;
}

Test(io_complex, general) {
    gbl_Matrix A =
        matrix_of(NULL, BANNER "coordinate complex general\n2 3 2\n1 3 1.5 -2\n2 1 0 1e3\n");
    cr_assert_eq(type_of(A), GBL_FC64);
    expect_entry(A, 0, 2, 1.5, -2);
    expect_entry(A, 1, 0, 0, 1000);
    gbl_Matrix_free(&A);
}

static void expect_sides(const char *symmetry, double re, double im) {
    char text[200];
    snprintf(text, sizeof text, "%%" BANNER "coordinate complex %s\n3 3 1\n3 1 2 5\n", symmetry);
    gbl_Matrix A = matrix_of(NULL, text);
    expect_entry(A, 2, 0, 2, 5);
    expect_entry(A, 0, 2, re, im);
    gbl_Matrix_free(&A);
    snprintf(text, sizeof text, "%%" BANNER "array complex %s\n2 2\n%s2 5\n%s", symmetry,
             re < 0 ? "" : "1 0\n", re < 0 ? "" : "3 0\n");
    A = matrix_of(GBL_FC32, text);
    cr_assert_eq(type_of(A), GBL_FC32);
    expect_entry(A, 1, 0, 2, 5);
    expect_entry(A, 0, 1, re, im);
    expect_entry(A, 1, 1, re < 0 ? 0 : 3, 0);
    gbl_Matrix_free(&A);
}

Test(io_complex, both_sides) {
    expect_sides("symmetric", 2, 5);
    expect_sides("skew-symmetric", -2, -5);
    expect_sides("hermitian", 2, -5);
}

/* Real types take the real part, and BOOL asks for both; other fields have no imaginary part. */
Test(io_complex, casts) {
    const char *text = BANNER "coordinate complex general\n2 1 2\n1 1 7.9 3\n2 1 0 1\n";
    gbl_Matrix A = matrix_of(GBL_INT32, text), B = matrix_of(GBL_BOOL, text);
    expect_entry(A, 0, 0, 7, 0);
    expect_entry(A, 1, 0, 0, 0);
    expect_entry(B, 1, 0, 1, 0);
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&B);
    A = matrix_of(GBL_FC64, BANNER "coordinate integer symmetric\n2 2 1\n2 1 -3\n");
    expect_entry(A, 0, 1, -3, 0);
    gbl_Matrix_free(&A);
    A = matrix_of(GBL_FC32, BANNER "coordinate pattern general\n2 2 1\n2 1\n");
    expect_entry(A, 1, 0, 1, 0);
    gbl_Matrix_free(&A);
}

/* Entries that are given twice are added, also in a list of 2^40 rows. */
Test(io_complex, duplicates) {
    const char *const sizes[] = {"3 3 3", "1099511627776 1099511627776 3"};
    for (size_t k = 0; k < 2; k++) {
        char bytes[200];
        gbl_Matrix A = NULL;
        snprintf(bytes, sizeof bytes,
                 "%%" BANNER "coordinate complex general\n%s\n2 1 1 2\n3 3 1 0\n2 1 4 -9\n",
                 sizes[k]);
        gbl_MmText text = {.path = "text", .bytes = bytes, .size = strlen(bytes)};
        expect_ok(gbl_mm_read_mended(&A, NULL, &text), bytes);
        expect_entry(A, 1, 0, 5, -7);
        gbl_Matrix_free(&A);
        text.duplicates = GBL_DUPLICATES_FIRST;
        expect_ok(gbl_mm_read_mended(&A, NULL, &text), bytes);
        expect_entry(A, 1, 0, 1, 2);
        gbl_Matrix_free(&A);
        text.duplicates = k == 0 ? GBL_DUPLICATES_MAX : GBL_DUPLICATES_MIN;
        cr_assert_eq(gbl_mm_read_mended(&A, NULL, &text), GBL_DOMAIN_MISMATCH);
        cr_assert(strstr(gbl_last_error(), "complex") != NULL);
    }
}

Test(io_complex, wrong) {
    const char *const texts[][2] = {
        {BANNER "coordinate complex general\n1 1 1\n1 1 2\n", "the imaginary part is missing"},
        {BANNER "coordinate complex general\n1 1 1\n1 1 2 x\n", "the value must be a number"},
        {BANNER "coordinate complex general\n1 1 1\n1 1 2 3 4\n", "the line should end here"},
        {BANNER "coordinate complex hermitian\n1 2 1\n1 1 2 0\n", "must be square"},
        {BANNER "array complex hermitian\n2 2\n1 0\n1 0\n", "lists 3 values"}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        gbl_Matrix A = NULL;
        cr_assert_eq(gbl_mm_read_memory(&A, NULL, texts[k][0], strlen(texts[k][0])),
                     GBL_INVALID_VALUE);
        cr_assert(strstr(gbl_last_error(), texts[k][1]) != NULL, "%s", gbl_last_error());
    }
}

/* Long rows, so that they are sorted by digits, and numbers with all their digits. */
static void round_trip(gbl_Type type, const char *end) {
    enum { N = 300 };
    const char *path = in_folder(end);
    gbl_Matrix A = NULL, B = NULL;
    expect_ok(gbl_Matrix_new(&A, type, N, N), "new");
    for (gbl_Index k = 0; k < 2000; k++) {
        const double re = (double)random_bits() * 1e-17, im = -(double)random_bits() * 1e-21;
        expect_ok(gbl_Matrix_setElement_FC64(A, CMPLX(re, im), k % 5, k * 7 % N), "set");
    }
    expect_ok(gbl_save(A, path), "save");
    expect_ok(gbl_load(&B, type, path), "load");
    gbl_Index I[2000], J[2000], n = 2000, m = 2000;
    static double complex x[2000], y[2000];
    expect_ok(gbl_Matrix_extractTuples_FC64(I, J, x, &n, A), "tuples");
    expect_ok(gbl_Matrix_extractTuples_FC64(I, J, y, &m, B), "tuples");
    cr_assert(n == m && type_of(B) == type && memcmp(x, y, n * sizeof *x) == 0);
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&B);
}

Test(io_complex, round_trips) {
    round_trip(GBL_FC64, "a.mtx");
    round_trip(GBL_FC64, "a.mtx.gz");
    round_trip(GBL_FC32, "a.mtx");
    round_trip(GBL_FC64, "a.gbl");
    round_trip(GBL_FC32, "a.gbl");
}
