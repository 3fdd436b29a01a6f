/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_edges_to_file and gbl_mm_to_file: the files that reading into memory and writing give, to the
 * byte, within the memory, and whatever ends them nothing else.
 */
#include "test_io.h"

#include "support/gb_test.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void begin(void) {
    start();
    cr_assert_eq(setenv("TMPDIR", folder, 1), 0);
}

TestSuite(text_to_file, .init = begin, .fini = finish);

static char *bytes_of(const char *path, size_t *size) {
    struct stat facts;
    cr_assert_eq(stat(path, &facts), 0, "%s", path);
    char *const bytes = malloc((size_t)facts.st_size + 1);
    FILE *const file = fopen(path, "rb");
    cr_assert(bytes && file);
    cr_assert_eq(fread(bytes, 1, (size_t)facts.st_size, file), (size_t)facts.st_size);
    fclose(file);
    *size = (size_t)facts.st_size;
    return bytes;
}

static void expect_same_files(const char *a, const char *b, const char *what) {
    size_t n, m;
    char *const x = bytes_of(a, &n), *const y = bytes_of(b, &m);
    cr_assert_eq(n, m, "%s: %d and %d bytes", what, (int)n, (int)m);
    cr_assert_eq(memcmp(x, y, n), 0, "%s", what);
    free(x);
    free(y);
}

static void expect_same_labels(const gbl_Labels *a, const gbl_Labels *b, const char *what) {
    char x[24], y[24];
    cr_assert_eq(a->n, b->n, "%s", what);
    for (gbl_Index k = 0; k < a->n; k++)
        cr_assert_str_eq(gbl_label(a, k, x), gbl_label(b, k, y), "%s", what);
}

/* -- edges */

typedef struct {
    const char *what, *weight; /* a format of a number of 0..999; NULL: none */
    int edges;
    uint64_t first, numbers, step; /* of vertices */
    bool names;
} Edges;

static const Edges lists[] = {{"no weights", NULL, 20000, 1, 3000, 1, false},
                              {"whole weights", " %d", 20000, 0, 3000, 1, false},
                              {"weights", " 0.%d", 20000, 1, 300, 1, false},
                              {"gaps", " -%d.5", 20000, 70, 1000, 97, false},
                              {"far apart", " %d", 5000, 5, 500, 9000001, false},
                              {"beyond 32 bits", " 1.%d", 5000, 5, 500, 90000000001, false},
                              {"names", " 0.%d", 20000, 1, 700, 1, true},
                              {"names, no weights", NULL, 20000, 1, 700, 1, true},
                              {"one row", NULL, 5000, 1, 1, 1, false},
                              {"one edge", " 2", 1, 3, 9, 1, false}};

static char *write_list(const Edges *l, size_t *size) {
    char *text;
    FILE *const out = open_memstream(&text, size);
    cr_assert(out != NULL);
    for (int k = 0; k < l->edges; k++) {
        const uint64_t half = random_bits() % 4 ? l->numbers : l->numbers / 8 + 1;
        const uint64_t a = l->first + random_bits() % half * l->step;
        const uint64_t b = l->first + random_bits() % (l->numbers + 3) * l->step;
        fprintf(out, l->names ? "v%llu w%llu" : "%llu %llu", (unsigned long long)a,
                (unsigned long long)b);
        if (l->weight) fprintf(out, l->weight, (int)(random_bits() % 1000));
        fputc('\n', out);
    }
    fclose(out);
    return text;
}

Test(text_to_file, edges_are_those_of_memory) {
    static const gbl_Duplicates rules[] = {GBL_DUPLICATES_USUAL, GBL_DUPLICATES_SUM,
                                           GBL_DUPLICATES_MAX, GBL_DUPLICATES_MIN,
                                           GBL_DUPLICATES_FIRST};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        size_t size;
        char *const text = write_list(&lists[k], &size);
        put_file(in_folder("edges.txt"), text, size);
        for (size_t rule = 0; rule < 10; rule++) {
            const gbl_Type type = rule < 5 ? NULL : GBL_FP32;
            gbl_EdgeText how = {.path = in_folder("edges.txt"), .duplicates = rules[rule % 5]};
            gbl_EdgeText other = how;
            gbl_Labels labels, found;
            gbl_Matrix A;
            expect_ok(gbl_edges_read(&A, &labels, type, &how), lists[k].what);
            expect_ok(gbl_file_write(A, in_folder("a.gbl")), lists[k].what);
            expect_ok(gbl_edges_to_file(in_folder("b.gbl"), &found, type, &other), lists[k].what);
            expect_same_files(in_folder("a.gbl"), in_folder("b.gbl"), lists[k].what);
            expect_same_labels(&labels, &found, lists[k].what);
            cr_assert_str_eq(how.found, other.found, "%s", lists[k].what);
            gbl_labels_free(&labels);
            gbl_labels_free(&found);
            gbl_Matrix_free(&A);
        }
        free(text);
        cr_assert_eq(files_in_folder(), 3, "%s: temporary files stay", lists[k].what);
    }
}

/* -- Matrix Market */

static void compare_mm(const char *text, gbl_Type type, gbl_Duplicates rule) {
    char what[64];
    gbl_Matrix A = NULL;
    gbl_MmText how = {.path = in_folder("a.mtx"), .duplicates = rule}, other = how;
    snprintf(what, sizeof what, "%.40s", text);
    put_file(how.path, text, strlen(text));
    unlink(in_folder("b.gbl"));
    const gbl_Info info = gbl_mm_read_mended(&A, type, &how);
    if (info == GBL_SUCCESS) {
        expect_ok(gbl_file_write(A, in_folder("a.gbl")), what);
        expect_ok(gbl_mm_to_file(in_folder("b.gbl"), type, &other), what);
        expect_same_files(in_folder("a.gbl"), in_folder("b.gbl"), what);
        cr_assert_str_eq(how.mended, other.mended);
    } else {
        char error[512];
        snprintf(error, sizeof error, "%s", gbl_last_error());
        expect_error(gbl_mm_to_file(in_folder("b.gbl"), type, &other), info, error, what);
        cr_assert(access(in_folder("b.gbl"), F_OK) != 0, "%s", what);
    }
    gbl_Matrix_free(&A);
}

/* Random entries, below the diagonal where the matrix is symmetric; some twice. */
static char *write_mm(const char *head, int m, int n, int entries, const char *value) {
    char *text;
    size_t size;
    const bool lower = strstr(head, "symmetric") || strstr(head, "hermitian");
    FILE *const out = open_memstream(&text, &size);
    cr_assert(out != NULL);
    fprintf(out, "%%%%MatrixMarket matrix coordinate %s\n%d %d %d\n", head, m, n, entries);
    for (int k = 0; k < entries; k++) {
        int i = (int)(random_bits() % (uint64_t)m), j = (int)(random_bits() % (uint64_t)n);
        if (lower && i < j) {
            const int swapped = i;
            i = j, j = swapped;
        }
        if (strstr(head, "skew") && i == j) i = m - 1, j = 0;
        fprintf(out, "%d %d", i + 1, j + 1);
        fprintf(out, value, (int)(random_bits() % 100));
        fputc('\n', out);
    }
    fclose(out);
    return text;
}

Test(text_to_file, matrix_market_is_that_of_memory) {
    const struct {
        const char *head, *value;
        int m, n, entries;
    } cases[] = {{"real general", " %d.25", 300, 200, 9000},
                 {"real symmetric", " 0.%d", 300, 300, 4000},
                 {"integer skew-symmetric", " %d", 200, 200, 3000},
                 {"complex hermitian", " %d 0", 100, 100, 2000},
                 {"pattern general", "", 300, 200, 9000},
                 {"pattern symmetric", "", 300, 300, 5000},
                 {"real general", " %d", 5000, 40, 60},     /* rows are listed */
                 {"real general", " %d", 90000, 4, 500},    /* by columns */
                 {"pattern general", "", 300000, 40, 3000}, /* both */
                 {"integer general", " %d", 3, 3, 1},
                 {"real general", " %d", 9, 9, 0}};
    static const gbl_Duplicates rules[] = {GBL_DUPLICATES_USUAL, GBL_DUPLICATES_ERROR,
                                           GBL_DUPLICATES_SUM, GBL_DUPLICATES_MAX,
                                           GBL_DUPLICATES_FIRST};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *const text =
            write_mm(cases[k].head, cases[k].m, cases[k].n, cases[k].entries, cases[k].value);
        for (size_t rule = 0; rule < 5; rule++) {
            compare_mm(text, NULL, rules[rule]);
            compare_mm(text, GBL_FP32, rules[rule]);
        }
        free(text);
    }
    compare_mm("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", NULL, 0);
    compare_mm("%%MatrixMarket matrix coordinate real general\n9000000000 9000000000 2\n"
               "1 1 2\n8999999999 4 3\n",
               NULL, 0);
    compare_mm("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 2\n", NULL, 0);
    compare_mm("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 2\n4 4 1\n", NULL, 0);
    compare_mm("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 x\n2 2 1\n", NULL, 0);
}

/* -- memory and failures */

enum { VERTICES = 20000 };

static void write_many(const char *path, int n) {
    FILE *const out = fopen(path, "w");
    cr_assert(out != NULL);
    for (int k = 0; k < n; k++)
        fprintf(out, "%d\t%d\t%d.5\n", (int)(random_bits() % VERTICES),
                (int)(random_bits() % VERTICES), k % 7);
    cr_assert_eq(fclose(out), 0);
}

static int convert(const char *from, const char *to) {
    gbl_EdgeText how = {.path = from};
    gbl_Labels labels;
    const gbl_Info info = gbl_edges_to_file(to, &labels, NULL, &how);
    gbl_labels_free(&labels);
    return info;
}

Test(text_to_file, a_killed_process_leaves_nothing) {
    write_many(in_folder("many.tsv"), 200000);
    for (int k = 0; k < 12; k++) {
        int status;
        const pid_t child = fork();
        cr_assert(child >= 0);
        if (child == 0) _exit(convert(in_folder("many.tsv"), in_folder("c.gbl")));
        usleep((useconds_t)(random_bits() % 60000));
        kill(child, k % 2 ? SIGKILL : SIGTERM);
        cr_assert_eq(waitpid(child, &status, 0), child);
        if (access(in_folder("c.gbl"), F_OK) == 0) { /* then it is whole */
            gbl_Matrix A = NULL;
            expect_ok(gbl_file_map(&A, NULL, in_folder("c.gbl"), true), "map");
            gbl_Matrix_free(&A);
            unlink(in_folder("c.gbl"));
        }
        /* but the result's other name, where that was being written */
        DIR *const entries = opendir(folder);
        for (struct dirent *e = readdir(entries); e; e = readdir(entries)) {
            const bool known = e->d_name[0] == '.' || !strcmp(e->d_name, "many.tsv") ||
                               !strncmp(e->d_name, "c.gbl.", 6);
            cr_assert(known, "%s", e->d_name);
            if (!strncmp(e->d_name, "c.gbl.", 6)) unlink(in_folder(e->d_name));
        }
        closedir(entries);
    }
}

Test(text_to_file, failures_leave_the_old_file) {
    struct rlimit before, small;
    write_many(in_folder("many.tsv"), 100000);
    put_file(in_folder("c.gbl"), "old", 3);
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    static const rlim_t sizes[] = {100, 70000, 500000, 1100000, 1300000}; /* the result: 1360000 */
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        small = (struct rlimit){.rlim_cur = sizes[k], .rlim_max = before.rlim_max};
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
        const int info = convert(in_folder("many.tsv"), in_folder("c.gbl"));
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
        expect_error(info, GBL_IO_ERROR, "File too large", "file size");
        cr_assert_eq(files_in_folder(), 2);
    }
    setenv("TMPDIR", "/nowhere", 1);
    expect_error(convert(in_folder("many.tsv"), in_folder("c.gbl")), GBL_IO_ERROR, "TMPDIR", "dir");
    setenv("TMPDIR", "/proc", 1);
    expect_error(convert(in_folder("many.tsv"), in_folder("c.gbl")), GBL_IO_ERROR, "TMPDIR", "dir");
    setenv("TMPDIR", folder, 1);
    expect_error(convert(in_folder("many.tsv"), "/proc/c.gbl"), GBL_IO_ERROR, "/proc/c.gbl",
                 "read-only folder");
    expect_error(convert(in_folder("many.tsv"), "/dev/full"), GBL_IO_ERROR, "/dev/full", "full");
    write_many(in_folder("bad.tsv"), 1500);
    FILE *const bad = fopen(in_folder("bad.tsv"), "a");
    cr_assert(bad && fputs("1\tx\t2\n", bad) > 0 && fclose(bad) == 0);
    expect_error(convert(in_folder("bad.tsv"), in_folder("c.gbl")), GBL_INVALID_VALUE, "line 1501",
                 "bad");
    put_file(in_folder("bad.tsv"), "# nothing\n", 10);
    expect_error(convert(in_folder("bad.tsv"), in_folder("c.gbl")), GBL_INVALID_VALUE, "no edges",
                 "none");
    expect_ok(gbl_Global_set_INT64(GBL_GLOBAL, 1000, GBL_MEMORY_LIMIT), "limit");
    expect_error(convert(in_folder("many.tsv"), in_folder("c.gbl")), GBL_INSUFFICIENT_SPACE,
                 "numbers of vertices", "limit");
    expect_ok(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT), "limit");
    expect_ok(gbl_Global_set_FP64(GBL_GLOBAL, 1e-9, GBL_DEADLINE), "deadline");
    expect_error(convert(in_folder("many.tsv"), in_folder("c.gbl")), GBL_CANCELLED, "", "deadline");
    expect_ok(gbl_Global_set_FP64(GBL_GLOBAL, 0, GBL_DEADLINE), "deadline");
    struct stat facts;
    cr_assert(stat(in_folder("c.gbl"), &facts) == 0 && facts.st_size == 3);
    cr_assert_eq(files_in_folder(), 3);
    expect_ok(convert(in_folder("many.tsv"), in_folder("c.gbl")), "at last");
}

static char failing[] = "/tmp/gblite_text_XXXXXX.gbl";

static bool passes_without(int64_t n, const char *text) {
    gbl_EdgeText how = {.path = "text", .bytes = text, .size = strlen(text)};
    gbl_Labels labels;
    t_fail_at(n);
    const gbl_Info info = gbl_edges_to_file(failing, &labels, NULL, &how);
    const bool all = !t_failed();
    t_fail_at(0);
    gbl_labels_free(&labels);
    CHECK(info == GBL_SUCCESS || info == GBL_OUT_OF_MEMORY);
    CHECK((access(failing, F_OK) == 0) == (info == GBL_SUCCESS));
    unlink(failing);
    return all;
}

BRUTAL(text_to_file_allocations) {
    const int file = mkstemps(failing, 4);
    CHECK(file >= 0);
    close(file);
    unlink(failing);
    for (int64_t n = 1; !passes_without(n, "1 2 3\n7 5 1\n1 2 1\n"); n++) CHECK(n < 500);
    for (int64_t n = 1; !passes_without(n, "a b\nc a\n"); n++) CHECK(n < 500);
}
