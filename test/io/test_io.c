/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading Matrix Market: every kind of text is read from memory and compared with its entries
 * written out here; every kind of damage is a file of test/data/mm with one defect, listed in
 * `damaged`.
 */
#include "test_io.h"

#include <pthread.h>
#include <sys/stat.h>

TestSuite(io, .init = start, .fini = finish);

/* ---------------------------------------------------------------------------- what is read -- */

#define COORDINATE "%%MatrixMarket matrix coordinate "
#define ARRAY "%%MatrixMarket matrix array "

typedef struct {
    const char *text;
    gbl_Type_Code code; /* of the result, read with type NULL */
    bool iso;
    gbl_Index nrows, ncols, n;
    struct {
        gbl_Index i, j;
        double x;
    } entry[12]; /* by row, then column */
} gb_Good;

#define SAME_ENTRIES                                                                               \
    GBL_FP64_CODE, false, 3, 4, 3, {                                                               \
        {0, 3, -2.5}, {1, 0, 1e-3}, {                                                              \
            2, 2, 7                                                                                \
        }                                                                                          \
    }

static const gb_Good good[] = {
    {COORDINATE "real general\n3 4 3\n1 4 -2.5\n2 1 1e-3\n3 3 7\n", SAME_ENTRIES},
    {COORDINATE "double general\n3 4 3\n3 3 7\n1 4 -2.5\n2 1 1e-3\n", SAME_ENTRIES},
    {COORDINATE "real general\r\n3 4 3\r\n1 4 -2.5\r\n2 1 1e-3\r\n3 3 7\r\n", SAME_ENTRIES},
    {COORDINATE "real general\n3 4 3\n1 4 -2.5\n2 1 1e-3\n3 3 7", SAME_ENTRIES},
    {COORDINATE "real general\n+3 4 +3\n+1 4 -2.5\n2 +1 1e-3\n+3 +3 +7\n", SAME_ENTRIES},
    {COORDINATE "real general\n3 4 3\n1 4 -2.5\n2 1 1e-3\n3 3 7\r", SAME_ENTRIES},
    {"%%matrixMARKET MATRIX Coordinate REAL gEnErAl\n3 4 3\n1 4 -2.5\n2 1 1E-3\n3 3 7\n",
     SAME_ENTRIES},
    {COORDINATE "real general\n% one\n\n%two\n \t\r\n  3\t4  3 \n\n% three\n1 4 -2.5\n   \n"
                "\t2\t1\t0.001 \n%\n 3  3  +7.\n\n\n% end",
     SAME_ENTRIES},
    {"%%MatrixMarket\t matrix  coordinate real \t general \n3 4 3\n1 4 -25e-1\n2 1 .1E-02\n3 3 "
     "7e+0\n",
     SAME_ENTRIES},
    {COORDINATE "integer general\n2 2 3\n2 1 -9223372036854775808\n1 1 +3\n2 2 0\n",
     GBL_INT64_CODE,
     false,
     2,
     2,
     3,
     {{0, 0, 3}, {1, 0, -0x1p63}, {1, 1, 0}}},
    {COORDINATE "pattern general\n2 3 3\n2 3\n1 1\n2 1\n",
     GBL_BOOL_CODE,
     true,
     2,
     3,
     3,
     {{0, 0, 1}, {1, 0, 1}, {1, 2, 1}}},
    {COORDINATE "real symmetric\n3 3 3\n1 1 1.5\n3 1 2.5\n2 3 3.5\n",
     GBL_FP64_CODE,
     false,
     3,
     3,
     5,
     {{0, 0, 1.5}, {0, 2, 2.5}, {1, 2, 3.5}, {2, 0, 2.5}, {2, 1, 3.5}}},
    {COORDINATE "pattern symmetric\n3 3 2\n2 2\n3 1\n",
     GBL_BOOL_CODE,
     true,
     3,
     3,
     3,
     {{0, 2, 1}, {1, 1, 1}, {2, 0, 1}}},
    {COORDINATE "integer skew-symmetric\n3 3 2\n2 1 5\n3 2 -6\n",
     GBL_INT64_CODE,
     false,
     3,
     3,
     4,
     {{0, 1, -5}, {1, 0, 5}, {1, 2, 6}, {2, 1, -6}}},
    {COORDINATE "real skew-symmetric\n2 2 1\n2 1 0.5\n",
     GBL_FP64_CODE,
     false,
     2,
     2,
     2,
     {{0, 1, -0.5}, {1, 0, 0.5}}},
    {ARRAY "real general\n2 3\n1.5\n2.5\n0\n4.5\n5.5\n6.5\n",
     GBL_FP64_CODE,
     false,
     2,
     3,
     6,
     {{0, 0, 1.5}, {0, 1, 0}, {0, 2, 5.5}, {1, 0, 2.5}, {1, 1, 4.5}, {1, 2, 6.5}}},
    {ARRAY "integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n",
     GBL_INT64_CODE,
     false,
     3,
     3,
     9,
     {{0, 0, 1},
      {0, 1, 2},
      {0, 2, 3},
      {1, 0, 2},
      {1, 1, 4},
      {1, 2, 5},
      {2, 0, 3},
      {2, 1, 5},
      {2, 2, 6}}},
    {ARRAY "real skew-symmetric\n3 3\n1.5\n2.5\n3.5\n",
     GBL_FP64_CODE,
     false,
     3,
     3,
     9,
     {{0, 0, 0},
      {0, 1, -1.5},
      {0, 2, -2.5},
      {1, 0, 1.5},
      {1, 1, 0},
      {1, 2, -3.5},
      {2, 0, 2.5},
      {2, 1, 3.5},
      {2, 2, 0}}},
    {ARRAY "real skew-symmetric\n1 1\n", GBL_FP64_CODE, false, 1, 1, 1, {{0, 0, 0}}},
    {ARRAY "real general\n0 7\n", GBL_FP64_CODE, false, 0, 7, 0, {{0, 0, 0}}},
    {COORDINATE "real general\n5 7 0\n", GBL_FP64_CODE, false, 5, 7, 0, {{0, 0, 0}}},
    {COORDINATE "pattern general\n4294967295 4294967295 0\n",
     GBL_BOOL_CODE,
     false,
     T_COMPACT_MAX,
     T_COMPACT_MAX,
     0,
     {{0, 0, 0}}},
    {COORDINATE "real general\n1 4294967295 1\n1 4294967295 2.5\n",
     GBL_FP64_CODE,
     false,
     1,
     T_COMPACT_MAX,
     1,
     {{0, T_COMPACT_MAX - 1, 2.5}}},
    {COORDINATE "real general\n1000000000000 1000000000000 3\n1000000000000 1 2.5\n"
                "7 999999999999 1\n1 1 4\n",
     GBL_FP64_CODE,
     false,
     1000000000000,
     1000000000000,
     3,
     {{0, 0, 4}, {6, 999999999998, 1}, {999999999999, 0, 2.5}}},
    {COORDINATE "pattern symmetric\n1000000000 1000000000 2\n1000000000 3\n5 5\n",
     GBL_BOOL_CODE,
     true,
     1000000000,
     1000000000,
     3,
     {{2, 999999999, 1}, {4, 4, 1}, {999999999, 2, 1}}}};

static void expect_good(const gb_Good *want, gbl_Matrix A) {
    gb_Tuples got = tuples_of(A);
    gbl_Formats formats;
    expect_ok(gbl_Matrix_formats(&formats, A), "formats");
    cr_assert(got.nrows == want->nrows && got.ncols == want->ncols, "%s", want->text);
    cr_assert_eq(got.n, want->n, "%s", want->text);
    cr_assert_eq(code_of(A), want->code, "%s", want->text);
    cr_assert(got.n == 0 || formats.iso == want->iso, "%s", want->text);
    for (gbl_Index k = 0; k < got.n; k++) {
        cr_assert(got.I[k] == want->entry[k].i && got.J[k] == want->entry[k].j &&
                      got.X[k] == want->entry[k].x,
                  "%s: entry %d is (%d, %d, %g)", want->text, (int)k, (int)got.I[k], (int)got.J[k],
                  got.X[k]);
    }
    free_tuples(&got);
}

Test(io, reads_every_kind) {
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        gbl_Matrix A = NULL;
        expect_ok(gbl_mm_read_memory(&A, NULL, good[k].text, strlen(good[k].text)), good[k].text);
        expect_good(&good[k], A);
        gbl_Matrix_free(&A);
        put_file(in_folder("good.mtx"), good[k].text, strlen(good[k].text));
        expect_ok(gbl_load(&A, NULL, in_folder("good.mtx")), good[k].text);
        expect_good(&good[k], A);
        gbl_Matrix_free(&A);
    }
}

/* ------------------------------------------------------------------------- what is refused -- */

typedef struct {
    const char *file;
    gbl_Info code;
    const char *part; /* of the error text */
} gb_Bad;

static const gb_Bad damaged[] = {
    {"array_not_square.mtx", GBL_INVALID_VALUE, "line 2: a symmetric matrix must be square"},
    {"array_too_few.mtx", GBL_INVALID_VALUE, "of 2 x 2 lists 4 values, the file has only 3"},
    {"array_too_many.mtx", GBL_INVALID_VALUE, "line 6: one value too many for an array of 2 x 2"},
    {"array_two_on_a_line.mtx", GBL_INVALID_VALUE, "line 5: the line should end here; found '4.5'"},
    {"array_word.mtx", GBL_INVALID_VALUE, "line 5: the value must be an integer; found 'three'"},
    {"banner_field.mtx", GBL_INVALID_VALUE,
     "line 1: the banner must say real, integer, complex or"},
    {"banner_format.mtx", GBL_INVALID_VALUE, "line 1: the banner must say coordinate or array"},
    {"banner_long.mtx", GBL_INVALID_VALUE, "line 1: the line should end here; found 'square'"},
    {"banner_object.mtx", GBL_INVALID_VALUE, "line 1: the banner must say matrix"},
    {"banner_short.mtx", GBL_INVALID_VALUE, "line 1: the banner must say general, symmetric,"},
    {"banner_symmetry.mtx", GBL_INVALID_VALUE, "line 1: the banner must say general, symmetric,"},
    {"binary.mtx", GBL_INVALID_VALUE, "line 4: the value must be a number; found '??????[?'"},
    {"column_glued.mtx", GBL_INVALID_VALUE, "line 4: the column index must be an integer"},
    {"column_large.mtx", GBL_INDEX_OUT_OF_BOUNDS, "line 4: the column index must be in 1..3"},
    {"column_missing.mtx", GBL_INVALID_VALUE, "line 4: a column index is missing; the line ends"},
    {"column_word.mtx", GBL_INVALID_VALUE, "line 4: a column index is missing; found 'x 2.5'"},
    {"column_zero.mtx", GBL_INDEX_OUT_OF_BOUNDS, "line 4: the column index must be in 1..3"},
    {"duplicate.mtx", GBL_INVALID_VALUE, "line 6: the entry (2, 3) was given before, in line 4"},
    {"duplicate_mirrored.mtx", GBL_INVALID_VALUE,
     "line 6: the entry (2, 3) was given before, in l"},
    {"empty.mtx", GBL_INVALID_VALUE, "line 1: not a Matrix Market file"},
    {"gzip_checksum.mtx.gz", GBL_IO_ERROR, "damaged"},
    {"gzip_cut.mtx.gz", GBL_IO_ERROR, "the compressed data end too early"},
    {"gzip_junk_behind.mtx.gz", GBL_IO_ERROR, "damaged"},
    {"gzip_mark_only.mtx.gz", GBL_IO_ERROR, "the compressed data end too early"},
    {"integer_above_int64.mtx", GBL_INVALID_VALUE, "line 4: the value does not fit into INT64"},
    {"integer_below_int64.mtx", GBL_INVALID_VALUE, "line 4: the value does not fit into 64 bits"},
    {"integer_overflow.mtx", GBL_INVALID_VALUE, "line 4: the value does not fit into INT64"},
    {"integer_real.mtx", GBL_INVALID_VALUE, "line 4: the value must be an integer; found '2.5'"},
    {"no_banner.mtx", GBL_INVALID_VALUE, "must start with %%MatrixMarket; found '3 3 1'"},
    {"pattern_array.mtx", GBL_INVALID_VALUE, "line 1: a pattern is neither array nor skew"},
    {"pattern_skew.mtx", GBL_INVALID_VALUE, "line 1: a pattern is neither array nor skew"},
    {"pattern_with_value.mtx", GBL_INVALID_VALUE, "line 4: the line should end here; found '2.5'"},
    {"row_large.mtx", GBL_INDEX_OUT_OF_BOUNDS, "line 4: the row index must be in 1..3; found '4 2"},
    {"row_negative.mtx", GBL_INDEX_OUT_OF_BOUNDS, "line 4: the row index must be in 1..3"},
    {"row_overflow.mtx", GBL_INDEX_OUT_OF_BOUNDS, "line 4: the row index must be in 1..3"},
    {"row_real.mtx", GBL_INVALID_VALUE, "line 4: the row index must be an integer; found '1.5 2"},
    {"row_word.mtx", GBL_INVALID_VALUE, "line 4: a row index is missing; found 'first 2 2.5'"},
    {"row_zero.mtx", GBL_INDEX_OUT_OF_BOUNDS, "line 4: the row index must be in 1..3"},
    {"size_claims_much.mtx", GBL_INVALID_VALUE, "the file has only 1"},
    {"size_entries_overflow.mtx", GBL_INVALID_VALUE, "line 2: the number of entries is above 9"},
    {"size_long.mtx", GBL_INVALID_VALUE, "line 2: the line should end here; found '7'"},
    {"size_missing.mtx", GBL_INVALID_VALUE, "the size line is missing: rows columns entries"},
    {"size_more_than_places.mtx", GBL_INVALID_VALUE, "line 2: the number of entries is above 4"},
    {"size_negative.mtx", GBL_INVALID_VALUE, "line 2: the size line needs the number of rows"},
    {"size_overflow.mtx", GBL_INVALID_VALUE, "line 2: the number of columns is above 115292150"},
    {"size_real.mtx", GBL_INVALID_VALUE, "line 2: the size line needs the number of entries; foun"},
    {"size_short.mtx", GBL_INVALID_VALUE, "line 2: the size line needs the number of entries"},
    {"size_too_large.mtx", GBL_INVALID_VALUE, "line 2: the number of rows is above 1152921504"},
    {"size_word.mtx", GBL_INVALID_VALUE,
     "line 2: the size line needs the number of rows; found 't"},
    {"skew_diagonal.mtx", GBL_INVALID_VALUE, "line 4: a skew-symmetric matrix has no entries on"},
    {"symmetric_not_square.mtx", GBL_INVALID_VALUE, "line 2: a symmetric matrix must be square"},
    {"too_few.mtx", GBL_INVALID_VALUE, "announces 3 entries, the file has only 2"},
    {"too_many.mtx", GBL_INVALID_VALUE, "line 7: one entry too many"},
    {"value_exponent.mtx", GBL_INVALID_VALUE, "line 4: the value must be a number; found '2.5e'"},
    {"value_extra.mtx", GBL_INVALID_VALUE, "line 4: the line should end here; found '3.5'"},
    {"value_hex.mtx", GBL_INVALID_VALUE, "line 4: the value must be a number; found '0x1p3'"},
    {"value_missing.mtx", GBL_INVALID_VALUE, "line 4: the value is missing; the line ends there"},
    {"value_tail.mtx", GBL_INVALID_VALUE, "line 4: the value must be a number; found '2.5abc'"},
    {"value_word.mtx", GBL_INVALID_VALUE, "line 4: the value must be a number; found 'many'"}};

Test(io, refuses_every_damaged_file) {
    const size_t n = sizeof damaged / sizeof *damaged;
    for (size_t k = 0; k < n; k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/mm/%s", GBL_TEST_DATA, damaged[k].file);
        gbl_Matrix A = (gbl_Matrix)path;
        expect_error(gbl_mm_read(&A, NULL, path), damaged[k].code, damaged[k].part, path);
        cr_assert_null(A);
        cr_assert_not_null(strstr(gbl_last_error(), damaged[k].file));
    }
    size_t files = 0;
    DIR *const entries = opendir(GBL_TEST_DATA "/mm");
    cr_assert_not_null(entries);
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        files += entry->d_name[0] != '.';
    }
    closedir(entries);
    cr_assert_eq(files, n, "every file of test/data/mm must be in the table");
}

Test(io, refuses_bad_calls) {
    gbl_Matrix A = NULL;
    gbl_Type mine = NULL;
    const char *const text = good[0].text;
    expect_error(gbl_mm_read(NULL, NULL, "x"), GBL_NULL_POINTER, "A is NULL", "read");
    expect_error(gbl_mm_read(&A, NULL, NULL), GBL_NULL_POINTER, "path or text is NULL", "read");
    expect_error(gbl_mm_read_memory(NULL, NULL, text, 9), GBL_NULL_POINTER, "A is NULL", "memory");
    expect_error(gbl_mm_read_memory(&A, NULL, NULL, 9), GBL_NULL_POINTER, "path or text is NULL",
                 "memory");
    expect_error(gbl_mm_read(&A, NULL, "/nowhere/x.mtx"), GBL_IO_ERROR, "No such file", "missing");
    expect_error(gbl_mm_read(&A, NULL, folder), GBL_IO_ERROR, "directory", "folder");
    expect_error(gbl_mm_read_memory(&A, NULL, text, 0), GBL_INVALID_VALUE, "line 1", "nothing");
    expect_ok(gbl_Type_new(&mine, 24), "new type");
    expect_error(gbl_mm_read_memory(&A, mine, text, strlen(text)), GBL_DOMAIN_MISMATCH,
                 "user-defined", "type");
    gbl_Type_free(&mine);
    cr_assert_lt(gbl_mm_write(NULL, in_folder("x.mtx")), 0);
    expect_ok(gbl_Matrix_new(&A, GBL_FP64, 3, 3), "new");
    expect_error(gbl_mm_write(A, NULL), GBL_NULL_POINTER, "path is NULL", "write");
    gbl_Matrix_free(&A);
    cr_assert_eq(files_in_folder(), 0);
}

Test(io, respects_the_memory_limit) {
    gbl_Matrix A = NULL;
    const char *const text = COORDINATE "real general\n4000000000 60000000 1\n3999999999 1 2.5\n";
    expect_ok(gbl_Global_set_INT64(GBL_GLOBAL, 100 << 20, GBL_MEMORY_LIMIT), "limit");
    expect_error(gbl_mm_read_memory(&A, NULL, text, strlen(text)), GBL_INSUFFICIENT_SPACE,
                 "GBLITE_MEMORY_LIMIT", "long matrix");
    expect_ok(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT), "limit");
}

Test(io, gives_patterns_the_value_one_of_any_type) {
    static const char text[] = COORDINATE "pattern general\n2 2 2\n1 2\n2 1\n";
    const gbl_Type types[] = {GBL_BOOL, GBL_INT8, GBL_UINT32, GBL_INT64, GBL_FP32, GBL_FP64};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        gbl_Matrix A = NULL;
        gbl_Formats formats;
        expect_ok(gbl_mm_read_memory(&A, types[k], text, sizeof text - 1), "pattern");
        expect_ok(gbl_Matrix_formats(&formats, A), "formats");
        gb_Tuples got = tuples_of(A);
        cr_assert(formats.iso && got.n == 2 && got.X[0] == 1 && got.X[1] == 1);
        free_tuples(&got);
        gbl_Matrix_free(&A);
    }
}

static void *feed_pipe(void *path) {
    put_file(path, good[0].text, strlen(good[0].text));
    return NULL;
}

Test(io, reads_pipes) {
    const char *const path = in_folder("pipe");
    cr_assert_eq(mkfifo(path, 0600), 0);
    pthread_t feeder;
    cr_assert_eq(pthread_create(&feeder, NULL, feed_pipe, (void *)path), 0);
    gbl_Matrix A = NULL;
    expect_ok(gbl_mm_read(&A, NULL, path), "pipe");
    expect_good(&good[0], A);
    gbl_Matrix_free(&A);
    pthread_join(feeder, NULL);
}
