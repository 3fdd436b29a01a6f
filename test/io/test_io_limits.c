/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts that promise more than they hold, or never end: each is refused with words that say what is
 * wrong, after memory and time that follow what was really read. Peaks are those of the process.
 */
#include "test_io.h"

#include "support/gb_test.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

TestSuite(io_limits, .init = start, .fini = finish);

#define COORDINATE "%%MatrixMarket matrix coordinate "

enum { UNIT = 1 << 20, UNITS = 512, PEAK_MB = 160 };

static long peak_mb(void) {
    struct rusage usage;
    cr_assert_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss >> 10;
}

/* The text as a gzip member of *size bytes. */
static char *gzip_member(const char *text, size_t length, size_t *size) {
    z_stream stream = {0};
    cr_assert_eq(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    const size_t most = deflateBound(&stream, length);
    char *const member = malloc(most);
    cr_assert_not_null(member);
    stream.next_in = (Bytef *)text;
    stream.avail_in = (uInt)length;
    stream.next_out = (Bytef *)member;
    stream.avail_out = (uInt)most;
    cr_assert_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
    *size = stream.total_out;
    deflateEnd(&stream);
    return member;
}

/* A compressed file of the text and 512 times 1 MiB of `unit` repeated; about 1 MB. */
static void put_bomb(const char *path, const char *text, const char *unit, size_t length) {
    size_t head_size, size;
    char *const filler = malloc(UNIT);
    cr_assert_not_null(filler);
    for (size_t k = 0; k < UNIT; k++) filler[k] = unit[k % length];
    char *const head = gzip_member(text, strlen(text), &head_size);
    char *const member = gzip_member(filler, UNIT / length * length, &size);
    FILE *const file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(head, 1, head_size, file), head_size);
    for (int k = 0; k < UNITS; k++) cr_assert_eq(fwrite(member, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
    free(filler);
    free(head);
    free(member);
}

Test(io_limits, small_files_of_huge_texts_are_refused_early) {
    static const struct {
        const char *text, *unit;
        size_t length;
        const char *part; /* of the error text */
    } bombs[] = {
        {"", "\0", 1, "line 1: not a Matrix Market file: it must start with %%MatrixMarket"},
        {COORDINATE "real general\n%", "x", 1, "line 2 is longer than"},
        {COORDINATE "real general\n", "% so many words\n", 16,
         "comments and blank lines take more"},
        {COORDINATE "real general\n3 3 1\n", " \n", 2, "comments and blank lines take more than"},
        {COORDINATE "real general\n3 3 1\n1 1 1.", "7", 1, "line 3 is longer than"},
        {COORDINATE "real general\n3 3 2\n", "1 1 1\n", 6,
         "line 5: one entry too many: the size line announces 2; found '1 1 1'"},
        {COORDINATE "real general\n9 9 9\n1 ", "\0", 1, "line 3 is longer than"}};
    for (size_t k = 0; k < sizeof bombs / sizeof *bombs; k++) {
        const char *const path = in_folder("bomb.mtx.gz");
        put_bomb(path, bombs[k].text, bombs[k].unit, bombs[k].length);
        gbl_Matrix A = (gbl_Matrix)path;
        const long before = peak_mb();
        expect_error(gbl_mm_read(&A, NULL, path), GBL_INVALID_VALUE, bombs[k].part, "bomb");
        const long after = peak_mb();
        cr_assert_null(A);
        cr_assert_lt(after - before, PEAK_MB, "bomb %zu: %ld MB, then %ld", k, before, after);
    }
}

Test(io_limits, texts_are_not_kept) {
    size_t rest_size, size;
    const char *const path = in_folder("comments.mtx.gz"), rest[] = "3 3 1\n2 3 1.5\n";
    char *const text = malloc(UNIT);
    cr_assert_not_null(text);
    memset(text, 'x', UNIT);
    for (size_t k = 0; k < UNIT; k += 64) memcpy(text + k, "\n%", 2);
    memcpy(text, COORDINATE "real general\n%", strlen(COORDINATE "real general\n%"));
    char *const member = gzip_member(text, UNIT, &size);
    char *const last = gzip_member(rest, sizeof rest - 1, &rest_size);
    FILE *const file = fopen(path, "wb");
    cr_assert_not_null(file);
    /* what is a banner in the first member is a comment in the others; the text is cut in a line */
    for (int k = 0; k < 48; k++) fwrite(member, 1, size, file);
    char *const line_end = gzip_member("\n", 1, &size);
    fwrite(line_end, 1, size, file);
    fwrite(last, 1, rest_size, file);
    cr_assert_eq(fclose(file), 0);
    gbl_Matrix A = NULL;
    const long before = peak_mb();
    expect_ok(gbl_mm_read(&A, NULL, path), "long comments");
    cr_assert_lt(peak_mb() - before, 40);
    gb_Tuples t = tuples_of(A);
    cr_assert(t.n == 1 && t.I[0] == 1 && t.J[0] == 2 && t.X[0] == 1.5);
    free_tuples(&t);
    gbl_Matrix_free(&A);
    free(text);
    free(member);
    free(line_end);
    free(last);
}

/* Writes into the pipe until nobody reads it any more. */
static void *feed_without_end(void *path) {
    static const char zeros[4096];
    const int pipe = open(path, O_WRONLY);
    while (pipe >= 0 && write(pipe, zeros, sizeof zeros) > 0) continue;
    close(pipe);
    return NULL;
}

Test(io_limits, inputs_without_end_are_refused_at_once) {
    static const char part[] = "must start with %%MatrixMarket; found '????";
    gbl_Matrix A = NULL;
    expect_error(gbl_mm_read(&A, NULL, "/dev/zero"), GBL_INVALID_VALUE, part, "device");
    signal(SIGPIPE, SIG_IGN);
    const char *const path = in_folder("pipe");
    cr_assert_eq(mkfifo(path, 0600), 0);
    pthread_t feeder;
    cr_assert_eq(pthread_create(&feeder, NULL, feed_without_end, (void *)path), 0);
    expect_error(gbl_mm_read(&A, NULL, path), GBL_INVALID_VALUE, part, "pipe");
    pthread_join(feeder, NULL);
}

Test(io_limits, promises_cost_nothing) {
    static const char text[] =
        COORDINATE "real general\n1000000000 1000000000 1000000000000000000\n"
                   "1 1 1\n2 2 2\n3 3 3\n";
    static const char array[] =
        "%%MatrixMarket matrix array real symmetric\n4294967295 4294967295\n"
        "1\n2\n";
    gbl_Matrix A = NULL;
    const long before = peak_mb();
    expect_error(gbl_mm_read_memory(&A, NULL, text, sizeof text - 1), GBL_INVALID_VALUE,
                 "the size line announces 1000000000000000000 entries, the file has only 3",
                 "many");
    expect_error(gbl_mm_read_memory(&A, NULL, array, sizeof array - 1), GBL_INVALID_VALUE,
                 "lists 9223372034707292160 values, the file has only 2", "array");
    cr_assert_lt(peak_mb() - before, PEAK_MB);
}

Test(io_limits, narrow_matrices_have_no_pointers_to_rows) {
    static const char real[] = COORDINATE "real general\n400000000 2 3\n399999999 1 2.5\n"
                                          "7 2 3.5\n7 1 4.5\n";
    static const char pattern[] = COORDINATE "pattern general\n400000000 1 1\n5 1\n";
    static const char twice[] = COORDINATE "real general\n400000000 2 3\n7 2 1\n7 1 2\n7 2 3\n";
    gbl_Matrix A = NULL;
    gbl_Formats formats;
    gbl_Index n;
    const long before = peak_mb();
    expect_ok(gbl_mm_read_memory(&A, NULL, real, sizeof real - 1), "real");
    expect_ok(gbl_Matrix_formats(&formats, A), "formats");
    expect_ok(gbl_Matrix_nvals(&n, A), "nvals");
    cr_assert(formats.present == GBL_HAS_CSC && formats.bytes < 200 && n == 3);
    gbl_Arrays arrays;
    expect_ok(gbl_Matrix_moveOut(A, GBL_CSC_FORMAT, &arrays), "moveOut");
    const double *const x = arrays.x;
    cr_assert(arrays.p[0] == 0 && arrays.p[1] == 2 && arrays.p[2] == 3);
    cr_assert(arrays.i[0] == 6 && arrays.i[1] == 399999998 && arrays.i[2] == 6);
    cr_assert(x[0] == 4.5 && x[1] == 2.5 && x[2] == 3.5);
    free(arrays.p);
    free(arrays.i);
    free(arrays.x);
    gbl_Matrix_free(&A);
    expect_ok(gbl_mm_read_memory(&A, NULL, pattern, sizeof pattern - 1), "pattern");
    expect_ok(gbl_Matrix_formats(&formats, A), "formats");
    cr_assert(formats.iso && formats.present == GBL_HAS_CSC);
    gbl_Matrix_free(&A);
    expect_error(gbl_mm_read_memory(&A, NULL, twice, sizeof twice - 1), GBL_INVALID_VALUE,
                 "line 5: the entry (7, 2) was given before, in line 3", "twice");
    cr_assert_lt(peak_mb() - before, PEAK_MB);
}

Test(io_limits, every_cut_of_a_compressed_file_is_noticed) {
    size_t size, second_size;
    static const char text[] = COORDINATE "real general\n2 2 2\n1 1 0.5\n", rest[] = "2 2 1.5\n";
    char *const first = gzip_member(text, sizeof text - 1, &size);
    char *const second = gzip_member(rest, sizeof rest - 1, &second_size);
    char *const all = malloc(size + second_size);
    cr_assert_not_null(all);
    memcpy(all, first, size);
    memcpy(all + size, second, second_size);
    gbl_Matrix A = NULL;
    for (size_t n = 2; n < size + second_size; n++) {
        const bool between = n == size;
        expect_error(gbl_mm_read_memory(&A, NULL, all, n),
                     between ? GBL_INVALID_VALUE : GBL_IO_ERROR,
                     between ? "has only 1" : "the compressed data end too early", "cut");
    }
    expect_ok(gbl_mm_read_memory(&A, NULL, all, size + second_size), "whole");
    gbl_Matrix_free(&A);
    free(first);
    free(second);
    free(all);
}

static void *feed_file(void *paths) {
    char *const *const path = paths;
    FILE *const from = fopen(path[0], "rb"), *const to = fopen(path[1], "wb");
    cr_assert(from && to);
    char block[1000];
    for (size_t n; (n = fread(block, 1, sizeof block, from)) > 0;) fwrite(block, 1, n, to);
    fclose(from);
    fclose(to);
    return NULL;
}

#ifdef GB_TINY
#define LONG_TEXT "er:11:16" /* 0.5 MB, in slabs of 4 KB */
#else
#define LONG_TEXT "er:15:24" /* 23 MB, in slabs of 4 MB */
#endif

Test(io_limits, long_texts_come_back_from_files_and_pipes) {
    static const int threads[] = {1, 2, 7};
    gbl_Matrix A = NULL, B = NULL;
    expect_ok(gbl_generate(&A, NULL, LONG_TEXT), "generate");
    gb_Tuples want = tuples_of(A);
    const char *const plain = in_folder("long.mtx"), *const packed = in_folder("long.mtx.gz");
    const char *const pipe = in_folder("pipe");
    expect_ok(gbl_mm_write(A, plain), "plain");
    expect_ok(gbl_mm_write(A, packed), "packed");
    cr_assert_eq(mkfifo(pipe, 0600), 0);
    const char *const from[] = {plain, packed, pipe, pipe};
    for (int k = 0; k < 12; k++) {
        if (t_left_out()) continue;
        const char *const fed[] = {k % 4 == 2 ? plain : packed, pipe};
        const bool through_pipe = from[k % 4] == pipe;
        pthread_t feeder;
        if (through_pipe) {
            cr_assert_eq(pthread_create(&feeder, NULL, feed_file, (void *)fed), 0);
        }
        expect_ok(gbl_Global_set_INT32(GBL_GLOBAL, threads[k / 4], GBL_NTHREADS), "threads");
        expect_ok(gbl_mm_read(&B, NULL, from[k % 4]), from[k % 4]);
        if (through_pipe) pthread_join(feeder, NULL);
        gb_Tuples got = tuples_of(B);
        cr_assert(same_tuples(&want, &got), "%s, %d threads", from[k % 4], threads[k / 4]);
        free_tuples(&got);
        gbl_Matrix_free(&B);
    }
    free_tuples(&want);
    gbl_Matrix_free(&A);
}

Test(io_limits, duplicates_in_a_pipe_have_no_lines) {
    static const char text[] = COORDINATE "real general\n3 3 3\n2 3 1\n1 1 1\n2 3 4\n";
    const char *const fed[] = {in_folder("twice.mtx"), in_folder("pipe")};
    gbl_Matrix A = NULL;
    pthread_t feeder;
    put_file(fed[0], text, sizeof text - 1);
    expect_error(gbl_mm_read(&A, NULL, fed[0]), GBL_INVALID_VALUE,
                 "twice.mtx: line 5: the entry (2, 3) was given before, in line 3", "file");
    cr_assert_eq(mkfifo(fed[1], 0600), 0);
    cr_assert_eq(pthread_create(&feeder, NULL, feed_file, (void *)fed), 0);
    expect_error(gbl_mm_read(&A, NULL, fed[1]), GBL_INVALID_VALUE,
                 "pipe: the entry (2, 3) is given twice", "pipe");
    pthread_join(feeder, NULL);
}

/* -------------------------------------------------------------------------- small surprises -- */

Test(io_limits, strange_bytes_have_clear_errors) {
    static const struct {
        const char *text;
        size_t size;
        gbl_Info code;
        const char *part;
    } table[] = {
#define TEXT(text) (text), sizeof(text) - 1
        {TEXT(COORDINATE "real general\n3 3 1\n+ 1 2\n"), GBL_INVALID_VALUE,
         "line 3: a row index is missing; found '+ 1 2'"},
        {TEXT(COORDINATE "real general\n3 3 1\n1 +-1 2\n"), GBL_INVALID_VALUE,
         "line 3: a column index is missing; found '+-1 2'"},
        {TEXT(COORDINATE "real general\n3 3 1\n+0 1 2\n"), GBL_INDEX_OUT_OF_BOUNDS,
         "line 3: the row index must be in 1..3, not from 0; found '+0 1 2'"},
        {TEXT(COORDINATE "real general\n3 3 1\n4294967297 1 2\n"), GBL_INDEX_OUT_OF_BOUNDS,
         "the row index must be in 1..3"},
        {TEXT(COORDINATE "real general\n3 3 1\n1 18446744073709551617 2\n"),
         GBL_INDEX_OUT_OF_BOUNDS, "the column index must be in 1..3"},
        {TEXT(COORDINATE "real general\n3 3 1\n1\0 1 2\n"), GBL_INVALID_VALUE,
         "line 3: the row index must be an integer; found '1? 1 2'"},
        {TEXT(COORDINATE "real general\n3 3 1\n1 1 2\0\n"), GBL_INVALID_VALUE,
         "line 3: the value must be a number; found '2?'"},
        {TEXT(COORDINATE "real general\n3 3 1\n\0\0\0"), GBL_INVALID_VALUE,
         "line 3: a row index is missing; found '?"},
        {TEXT(COORDINATE "real general\r3 3 1\r1 1 2\r"), GBL_INVALID_VALUE,
         "line 1: lines end in CR alone"},
        {TEXT("\xEF\xBB\xBF" COORDINATE "real general\n3 3 0\n"), GBL_INVALID_VALUE,
         "line 1: not a Matrix Market file"},
        {TEXT("%%MatrixMarketing matrix coordinate real general\n3 3 0\n"), GBL_INVALID_VALUE,
         "line 1: not a Matrix Market file"},
        {TEXT("%%MatrixMarket"), GBL_INVALID_VALUE, "line 1: the banner must say matrix here"}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        gbl_Matrix A = NULL;
        expect_error(gbl_mm_read_memory(&A, NULL, table[k].text, table[k].size), table[k].code,
                     table[k].part, table[k].part);
    }
}

/* The deadline passes at the start, in the middle of the text, and after it. */
Test(io_limits, deadline) {
    enum { LINES = 20000 };
    char *const text = malloc(LINES * 16 + 100);
    gbl_Matrix A = NULL;
    gbl_Info info = GBL_CANCELLED;
    gbl_Index nvals;
    int cancelled = 0;
    size_t n =
        (size_t)sprintf(text, "%%%%MatrixMarket matrix coordinate integer general\n%d 2 %d\n",
                        (int)LINES, (int)LINES);
    for (int k = 0; k < LINES; k++) n += (size_t)sprintf(text + n, "%d 2 3\n", k + 1);
    for (double seconds = 1e-9; info == GBL_CANCELLED && seconds < 100; seconds *= 3) {
        OK(gbl_Global_set_FP64(GBL_GLOBAL, seconds, GBL_DEADLINE));
        info = gbl_mm_read_memory(&A, NULL, text, n);
        OK(gbl_Global_set_FP64(GBL_GLOBAL, 0.0, GBL_DEADLINE));
        cancelled += info == GBL_CANCELLED && A == NULL;
    }
    OK(info);
    CHECK(cancelled > 0);
    OK(gbl_Matrix_nvals(&nvals, A));
    CHECK(nvals == LINES);
    FREE(A);
    free(text);
}
