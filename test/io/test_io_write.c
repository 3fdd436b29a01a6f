/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing. Matrix Market: random matrices of every type are written, plain and compressed, and read
 * back bit for bit with several numbers of threads; failures leave the old file and nothing else.
 * gbl_file_write, gbl_file_map, gbl_save: matrices in files that are mapped into memory.
 */
#include "test_io.h"
#include "gblite_io.h"

#include "support/gb_test.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(io_write, .init = start, .fini = finish);

enum { ROWS = 700, COLUMNS = 900, ROW_LENGTH = 40 };

/* A random double: any bits but those of NaN, whose payload has no text; or a short decimal; or a
 * number of ordinary size; never zero. */
static double random_real(void) {
    for (;;) {
        const uint64_t bits = random_bits();
        double x;
        switch (bits % 4) {
        case 0:
            memcpy(&x, &bits, sizeof x);
            break;
        case 1:
            x = (double)(bits >> 40) / 1000;
            break;
        case 2:
            x = ldexp((double)(bits >> 11), -53 - (int)(bits >> 3 & 15));
            break;
        default:
            x = (double)(int64_t)(bits >> (bits >> 2 & 63));
            break;
        }
        if (x == x && (float)x != 0) return x;
    }
}

/* x[k] of the type, from random bits. */
static void store_random(void *x, size_t k, gbl_Type_Code code) {
    const uint64_t bits = random_bits() | 1;
    switch (code) {
    case GBL_FP64_CODE:
        ((double *)x)[k] = random_real();
        break;
    case GBL_FP32_CODE:
        ((float *)x)[k] = (float)random_real();
        break;
    case GBL_BOOL_CODE:
        ((bool *)x)[k] = bits >> 63;
        break;
    case GBL_INT8_CODE:
    case GBL_UINT8_CODE:
        ((uint8_t *)x)[k] = (uint8_t)bits;
        break;
    case GBL_INT16_CODE:
    case GBL_UINT16_CODE:
        ((uint16_t *)x)[k] = (uint16_t)bits;
        break;
    case GBL_INT32_CODE:
    case GBL_UINT32_CODE:
        ((uint32_t *)x)[k] = (uint32_t)bits;
        break;
    default:
        ((uint64_t *)x)[k] = bits;
        break;
    }
}

static gbl_Matrix random_matrix(gbl_Type type) {
    gbl_Type_Code code;
    size_t size;
    expect_ok(gbl_Type_code(&code, type), "code");
    expect_ok(gbl_Type_size(&size, type), "size");
    gbl_Arrays arrays = {.p = calloc(ROWS + 1, sizeof *arrays.p),
                         .i = malloc(ROWS * ROW_LENGTH * sizeof *arrays.i),
                         .x = malloc(ROWS * ROW_LENGTH * size)};
    cr_assert(arrays.p && arrays.i && arrays.x);
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++) {
        uint32_t j = 0;
        for (size_t k = random_bits() % ROW_LENGTH; k > 0; k--) {
            j += 1 + (uint32_t)(random_bits() % (COLUMNS / ROW_LENGTH));
            arrays.i[n] = j - 1;
            store_random(arrays.x, n++, code);
        }
        arrays.p[i + 1] = n;
    }
    gbl_Matrix A = NULL;
    expect_ok(gbl_Matrix_moveIn(&A, type, ROWS, COLUMNS, GBL_CSR_FORMAT, &arrays), "moveIn");
    return A;
}

/* The values without a cast, as bytes. */
static void *values_of(gbl_Matrix A, gbl_Index n, size_t size) {
    void *const X = malloc((n + 1) * size);
    cr_assert_not_null(X);
    switch (code_of(A)) {
#define GBL_DECLARE(N, T)                                                                          \
    case GBL_##N##_CODE:                                                                           \
        expect_ok(gbl_Matrix_extractTuples_##N(NULL, NULL, X, &n, A), #N);                         \
        break;
        GBL_FOREACH_TYPE(GBL_DECLARE)
#undef GBL_DECLARE
    default:
        cr_assert_fail("a user-defined type");
        break;
    }
    return X;
}

static void expect_same(gbl_Matrix A, gbl_Matrix B, size_t size, const char *what) {
    gb_Tuples a = tuples_of(A), b = tuples_of(B);
    cr_assert(same_tuples(&a, &b), "%s", what);
    cr_assert_eq(code_of(A), code_of(B), "%s", what);
    void *const x = values_of(A, a.n, size), *const y = values_of(B, b.n, size);
    cr_assert_eq(memcmp(x, y, a.n * size), 0, "%s", what);
    free(x);
    free(y);
    free_tuples(&a);
    free_tuples(&b);
}

Test(io_write, comes_back_bit_for_bit) {
#define GBL_DECLARE(N, T) GBL_##N,
    const gbl_Type types[] = {GBL_FOREACH_TYPE(GBL_DECLARE)};
#undef GBL_DECLARE
    static const int threads[] = {1, 2, 7};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        size_t size;
        expect_ok(gbl_Type_size(&size, types[t]), "size");
        gbl_Matrix A = random_matrix(types[t]);
        for (int k = 0; k < 6; k++) {
            const char *const path = in_folder(k < 3 ? "a.mtx" : "a.mtx.gz");
            gbl_Matrix B = NULL;
            expect_ok(gbl_Global_set_INT32(GBL_GLOBAL, threads[k % 3], GBL_NTHREADS), "threads");
            expect_ok(gbl_mm_write(A, path), path);
            expect_ok(gbl_mm_read(&B, types[t], path), path);
            expect_same(A, B, size, path);
            gbl_Matrix_free(&B);
        }
        gbl_Matrix_free(&A);
    }
    cr_assert_eq(files_in_folder(), 2);
}

static char *read_file(const char *path, size_t *size) {
    FILE *const file = fopen(path, "rb");
    cr_assert_not_null(file);
    char *const text = calloc(1, 1 << 20);
    cr_assert_not_null(text);
    *size = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    return text;
}

static void expect_text(gbl_Matrix A, const char *want) {
    size_t size;
    expect_ok(gbl_mm_write(A, in_folder("text.mtx")), "write");
    char *const text = read_file(in_folder("text.mtx"), &size);
    cr_assert_str_eq(text, want);
    free(text);
}

static gbl_Matrix column_of(gbl_Type type, const void *x, gbl_Index n, size_t size, bool iso) {
    gbl_Arrays arrays = {.p = malloc((n + 1) * sizeof *arrays.p),
                         .i = calloc(n + 1, sizeof *arrays.i),
                         .x = malloc(n * size),
                         .iso = iso};
    cr_assert(arrays.p && arrays.i && arrays.x);
    for (gbl_Index k = 0; k <= n; k++) arrays.p[k] = k;
    memcpy(arrays.x, x, (iso ? 1 : n) * size);
    gbl_Matrix A = NULL;
    expect_ok(gbl_Matrix_moveIn(&A, type, n, 1, GBL_CSR_FORMAT, &arrays), "moveIn");
    return A;
}

Test(io_write, writes_short_texts) {
    static const double reals[] = {0.1, -1.5, 1.0 / 3, 1e-7, 123456789, 6.02214076e23, -INFINITY};
    gbl_Matrix A = column_of(GBL_FP64, reals, 7, sizeof *reals, false);
    expect_text(A, "%%MatrixMarket matrix coordinate real general\n7 1 7\n1 1 0.1\n2 1 -1.5\n"
                   "3 1 0.3333333333333333\n4 1 1e-7\n5 1 123456789\n6 1 6.02214076e23\n"
                   "7 1 -inf\n");
    gbl_Matrix_free(&A);
    static const float floats[] = {0.1F, 16777216, 1.0F / 3};
    A = column_of(GBL_FP32, floats, 3, sizeof *floats, false);
    expect_text(A, "%%MatrixMarket matrix coordinate real general\n3 1 3\n1 1 0.1\n"
                   "2 1 16777216\n3 1 0.33333334\n");
    gbl_Matrix_free(&A);
    static const uint64_t whole[] = {3, UINT64_MAX};
    A = column_of(GBL_UINT64, whole, 1, sizeof *whole, false);
    expect_text(A, "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 3\n");
    gbl_Matrix_free(&A);
    A = column_of(GBL_UINT64, whole, 2, sizeof *whole, false);
    expect_text(A, "%%MatrixMarket matrix coordinate unsigned-integer general\n2 1 2\n1 1 3\n"
                   "2 1 18446744073709551615\n");
    gbl_Matrix B = NULL;
    expect_ok(gbl_mm_read(&B, NULL, in_folder("text.mtx")), "read");
    expect_same(A, B, sizeof *whole, "above 2^63");
    gbl_Matrix_free(&B);
    gbl_Matrix_free(&A);
    static const bool bools[] = {true, false};
    A = column_of(GBL_BOOL, bools, 2, sizeof *bools, false);
    expect_text(A, "%%MatrixMarket matrix coordinate integer general\n2 1 2\n1 1 1\n2 1 0\n");
    gbl_Matrix_free(&A);
    A = column_of(GBL_BOOL, bools, 2, sizeof *bools, true);
    expect_text(A, "%%MatrixMarket matrix coordinate pattern general\n2 1 2\n1 1\n2 1\n");
    gbl_Matrix_free(&A);
    expect_ok(gbl_Matrix_new(&A, GBL_INT8, 5, T_COMPACT_MAX), "new");
    expect_text(A, "%%MatrixMarket matrix coordinate integer general\n5 4294967295 0\n");
    gbl_Matrix_free(&A);
}

Test(io_write, compresses_by_name_and_reads_by_content) {
    gbl_Matrix A = random_matrix(GBL_FP64), B = NULL;
    size_t plain, packed;
    expect_ok(gbl_mm_write(A, in_folder("a.mtx")), "plain");
    expect_ok(gbl_mm_write(A, in_folder("a.gz")), "compressed");
    char *const text = read_file(in_folder("a.mtx"), &plain);
    char *const bytes = read_file(in_folder("a.gz"), &packed);
    cr_assert_eq(memcmp(text, "%%", 2), 0);
    cr_assert_eq(memcmp(bytes, "\x1f\x8b", 2), 0);
    cr_assert_lt(packed, plain);
    put_file(in_folder("misnamed.mtx"), bytes, packed);
    expect_ok(gbl_mm_read(&B, NULL, in_folder("misnamed.mtx")), "misnamed");
    expect_same(A, B, sizeof(double), "misnamed");
    gbl_Matrix_free(&B);
    expect_ok(gbl_mm_read_memory(&B, NULL, bytes, packed), "compressed memory");
    expect_same(A, B, sizeof(double), "compressed memory");
    gbl_Matrix_free(&B);
    gbl_Matrix_free(&A);
    free(text);
    free(bytes);
}

Test(io_write, keeps_the_old_file_when_it_fails) {
    gbl_Matrix A = random_matrix(GBL_FP64);
    const char *const path = in_folder("old.mtx");
    put_file(path, "old", 3);
    cr_assert_eq(chmod(path, 0640), 0);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, small = {.rlim_cur = 5000, .rlim_max = RLIM_INFINITY};
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    const gbl_Info info = gbl_mm_write(A, path);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    expect_error(info, GBL_IO_ERROR, "cannot write", "full");
    size_t size;
    char *const text = read_file(path, &size);
    cr_assert(size == 3 && memcmp(text, "old", 3) == 0);
    free(text);
    cr_assert_eq(files_in_folder(), 1);
    expect_ok(gbl_mm_write(A, path), "second try");
    struct stat facts;
    cr_assert_eq(stat(path, &facts), 0);
    cr_assert(facts.st_size > 5000 && (facts.st_mode & 0777) == 0640);
    cr_assert_eq(files_in_folder(), 1);
    gbl_Matrix_free(&A);
}

Test(io_write, reports_full_disks_and_missing_folders) {
    gbl_Matrix A = random_matrix(GBL_INT32), B = NULL;
    struct stat facts;
    expect_error(gbl_mm_write(A, "/dev/full"), GBL_IO_ERROR, "No space left", "full device");
    cr_assert(stat("/dev/full", &facts) == 0 && S_ISCHR(facts.st_mode));
    expect_error(gbl_mm_write(A, "/nowhere/a.mtx"), GBL_IO_ERROR, "No such file", "no folder");
    expect_error(gbl_mm_write(A, folder), GBL_IO_ERROR, "directory", "folder");
    const char *const link = in_folder("link.mtx"), *const target = in_folder("target.mtx");
    put_file(target, "old", 3);
    cr_assert_eq(symlink(target, link), 0);
    expect_ok(gbl_mm_write(A, link), "link");
    cr_assert(lstat(link, &facts) == 0 && S_ISLNK(facts.st_mode));
    expect_ok(gbl_mm_read(&B, GBL_INT32, target), "target");
    expect_same(A, B, sizeof(int32_t), "target");
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&B);
}

/* ----------------------------------------------------------------------------- mapped files -- */

static char path[] = "/tmp/gblite_file_XXXXXX.gbl";

static void make_path(void) {
    memset(path + sizeof path - 11, 'X', 6);
    const int file = mkstemps(path, 4);
    CHECK(file >= 0);
    close(file);
}

static gbl_Matrix difference(gbl_Matrix A, gbl_Matrix B) {
    gbl_Matrix D = NULL;
    gbl_Index n;
    OK(gbl_Matrix_nrows(&n, A));
    OK(gbl_Matrix_new(&D, GBL_BOOL, n, n));
    OK(gbl_Matrix_eWiseAdd_BinaryOp(D, NULL, NULL, GBL_NE_FP64, A, B, NULL));
    OK(gbl_Matrix_select_BOOL(D, NULL, NULL, GBL_VALUENE_BOOL, D, false, NULL));
    return D;
}

static void check_equal(gbl_Matrix A, gbl_Matrix B) {
    gbl_Matrix D = difference(A, B);
    gbl_Index n = 1, a, b;
    OK(gbl_Matrix_nvals(&n, D));
    OK(gbl_Matrix_nvals(&a, A));
    OK(gbl_Matrix_nvals(&b, B));
    CHECK_EQ(n, 0);
    CHECK_EQ(a, b);
    OK(gbl_Matrix_free(&D));
}

GB_TEST(io_file, there_and_back) {
    gbl_Matrix A = NULL, C = NULL, B = NULL;
    gbl_Type type = NULL;
    double x = 0;
    make_path();
    OK(gbl_generate(&A, GBL_FP64, "rmat:8:8"));
    OK(gbl_save(A, path));
    for (int check = 0; check < 2; check++) {
        OK(gbl_file_map(&C, NULL, path, check));
        check_equal(A, C);
        OK(gbl_Matrix_setElement_FP64(C, 9, 1, 1)); /* of the matrix, not of the file */
        OK(gbl_Matrix_extractElement_FP64(&x, C, 1, 1));
        CHECK(x == 9);
        OK(gbl_load(&B, NULL, path));
        check_equal(A, B);
        OK(gbl_Matrix_free(&B));
        OK(gbl_Matrix_free(&C));
        OK(gbl_file_map(&C, GBL_INT8, path, check)); /* in another type: a copy */
        OK(gbl_Matrix_type(&type, C));
        CHECK(type == GBL_INT8);
        OK(gbl_Matrix_free(&C));
    }
    /* a mapped matrix may be saved over the file that it lies in: a new file takes its name */
    OK(gbl_load(&C, NULL, path));
    OK(gbl_save(C, path));
    check_equal(A, C);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&A));
    unlink(path);
}

GB_TEST(io_file, refusals_name_the_file) {
    gbl_Matrix A = NULL;
    FAILS(GBL_IO_ERROR, gbl_file_map(&A, NULL, "/nowhere/at/all.gbl", true));
    FAILS(GBL_INVALID_OBJECT, gbl_file_map(&A, NULL, "/tmp", true));
    FAILS(GBL_INVALID_OBJECT, gbl_file_map(&A, NULL, "/dev/null", true));
    FAILS(GBL_NULL_POINTER, gbl_file_map(&A, NULL, NULL, true));
    FAILS(GBL_NULL_POINTER, gbl_file_map(NULL, NULL, "/tmp", true));
    FAILS(GBL_NULL_POINTER, gbl_file_write(A, NULL));
    make_path();
    FAILS(GBL_INVALID_OBJECT, gbl_file_map(&A, NULL, path, true)); /* empty */
    FILE *file = fopen(path, "w");
    CHECK(file && fputs("%%MatrixMarket matrix coordinate real general\n1 1 0\n", file) >= 0);
    CHECK(file && fclose(file) == 0);
    FAILS(GBL_INVALID_OBJECT, gbl_file_map(&A, NULL, path, false));
    CHECK(strstr(gbl_last_error(), path) != NULL);
    CHECK(A == NULL);
    unlink(path);
}

/* -- a failing allocation leaves no matrix, no mapping and no file */

static bool passes_without(int64_t n, gbl_Matrix A) {
    gbl_Matrix C = NULL;
    t_fail_at(n);
    gbl_Info info = gbl_save(A, path);
    if (info == GBL_SUCCESS) info = gbl_file_map(&C, n % 2 ? NULL : GBL_INT8, path, true);
    const bool all = !t_failed();
    t_fail_at(0);
    CHECK(info == GBL_SUCCESS || (info == GBL_OUT_OF_MEMORY && C == NULL));
    OK(gbl_Matrix_free(&C));
    return all;
}

BRUTAL(files) {
    gbl_Matrix A = NULL;
    make_path();
    OK(gbl_generate(&A, GBL_FP64, "er:5:2"));
    for (int64_t n = 1; !passes_without(n, A) || !passes_without(n + 1, A); n += 2) CHECK(n < 200);
    OK(gbl_Matrix_free(&A));
    unlink(path);
}

/* Of user-defined types too, which the caller names. */
GB_TEST(io_file, user_types) {
    gbl_Type type = NULL;
    gbl_Matrix A = NULL, C = NULL;
    char x[24] = "a value of 24 bytes", y[24] = "";
    make_path();
    OK(gbl_Type_new(&type, sizeof x));
    OK(gbl_Matrix_new(&A, type, 3, 3));
    OK(gbl_Matrix_setElement_UDT(A, x, 1, 2));
    OK(gbl_file_write(A, path));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_file_map(&C, NULL, path, true));
    OK(gbl_file_map(&C, type, path, true));
    OK(gbl_Matrix_extractElement_UDT(y, C, 1, 2));
    CHECK(memcmp(x, y, sizeof x) == 0);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Type_free(&type));
    unlink(path);
}
