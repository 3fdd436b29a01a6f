/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations in a process that the system gives half as much again as GBL_MEMORY_LIMIT, beside what
 * it has already: each succeeds, or says that memory lacks and leaves its output as it was. What
 * need not hold its result succeeds, however large that is. None has more than 64 MB above the
 * limit resident, files that it maps included.
 */
#include "test_io.h"

#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { LIMIT = 24 << 20, STACKS = 16 << 20, BESIDE = 64 << 20, EDGES = 3000000 };
enum { FITS, TOO_LARGE, FAILS };

static gbl_Matrix A, C, M;
static gbl_Vector u, w;
static double sum;

static gbl_Info masked(void) {
    return gbl_mxm(C, M, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL);
}

static gbl_Info whole(void) {
    return gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL);
}

static gbl_Info kept(void) {
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    keep.most = 4;
    return gbl_mxm_select(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, &keep, A, A, NULL);
}

static gbl_Info folded(void) {
    return gbl_mxm_reduce_FP64(&sum, M, NULL, GBL_PLUS_MONOID_FP64, GBL_PLUS_TIMES_SEMIRING_FP64, A,
                               A, NULL);
}

static gbl_Info to_file(void) {
    return gbl_mxm_to_file(in_folder("c.gbl"), GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL);
}

static gbl_Info rows_folded(void) {
    return gbl_mxm_reduce_rows(w, NULL, NULL, GBL_PLUS_MONOID_FP64, GBL_PLUS_TIMES_SEMIRING_FP64, A,
                               A, NULL, NULL);
}

static gbl_Info columns_folded(void) {
    return gbl_mxm_reduce_rows(w, NULL, NULL, GBL_MAX_MONOID_FP64, GBL_PLUS_TIMES_SEMIRING_FP64, A,
                               A, NULL, GBL_DESC_T0);
}

/* Of 3,000,000 edges, which take 48 MB, as much to sort them, and in rows 36 MB. */
static gbl_Info from_edges(void) {
    gbl_EdgeText how = {.path = in_folder("edges.tsv")};
    gbl_Labels labels;
    const gbl_Info info = gbl_edges_to_file(in_folder("edges.gbl"), &labels, NULL, &how);
    gbl_labels_free(&labels);
    return info;
}

static gbl_Info from_text(void) {
    gbl_MmText how = {.path = in_folder("edges.mtx"), .duplicates = GBL_DUPLICATES_SUM};
    return gbl_mm_to_file(in_folder("edges.gbl"), NULL, &how);
}

/* What needs its list in memory. */
static gbl_Info edges_in_memory(void) {
    gbl_EdgeText how = {.path = in_folder("edges.tsv")};
    gbl_Labels labels;
    gbl_Matrix E = NULL;
    const gbl_Info info = gbl_edges_read(&E, &labels, NULL, &how);
    gbl_Matrix_free(&E);
    gbl_labels_free(&labels);
    return info;
}

static gbl_Info mapped_to_text(void) {
    gbl_Matrix E = NULL;
    gbl_Info info = gbl_file_map(&E, NULL, in_folder("mapped.gbl"), false);
    if (info == GBL_SUCCESS) info = gbl_mm_write(E, in_folder("e.mtx"));
    gbl_Matrix_free(&E);
    return info;
}

static gbl_Info selected(void) {
    return gbl_Matrix_select_INT64(C, NULL, NULL, GBL_TRIL, A, 0, NULL);
}

static gbl_Info extract(void) {
    return gbl_Matrix_extract(C, NULL, NULL, A, GBL_ALL, 8192, GBL_ALL, 8192, NULL);
}

static gbl_Info assign(void) {
    return gbl_Matrix_assign(C, NULL, NULL, A, GBL_ALL, 8192, GBL_ALL, 8192, NULL);
}

static gbl_Info multiply(void) {
    return gbl_Matrix_eWiseMult_BinaryOp(C, NULL, NULL, GBL_TIMES_FP64, A, A, NULL);
}

static gbl_Info columns(void) {
    return gbl_Matrix_reduce_Monoid(w, NULL, NULL, GBL_PLUS_MONOID_FP64, A, GBL_DESC_T0);
}

static gbl_Info write_gbl(void) {
    return gbl_file_write(A, in_folder("a.gbl"));
}

static gbl_Info to_text(void) {
    return gbl_mm_write(A, in_folder("a.mtx.gz"));
}

static gbl_Info pull(void) {
    return gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, NULL);
}

static gbl_Info push(void) {
    return gbl_vxm(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, u, A, NULL);
}

static gbl_Info add(void) {
    return gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, GBL_PLUS_FP64, A, A, NULL);
}

static gbl_Info turn(void) {
    return gbl_transpose(C, NULL, NULL, A, NULL);
}

static gbl_Info apply(void) {
    return gbl_Matrix_apply(C, NULL, NULL, GBL_AINV_FP64, A, NULL);
}

static gbl_Info reduce(void) {
    return gbl_Matrix_reduce_Monoid(w, NULL, NULL, GBL_PLUS_MONOID_FP64, A, NULL);
}

static gbl_Info generate(void) {
    gbl_Matrix G = NULL;
    const gbl_Info info = gbl_generate(&G, GBL_FP64, "er:20:32");
    gbl_Matrix_free(&G);
    return info;
}

static gbl_Info kronecker(void) {
    gbl_Matrix K = NULL;
    gbl_Index n;
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&K, GBL_FP64, n * n, n * n);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_kronecker_BinaryOp(K, NULL, NULL, GBL_TIMES_FP64, A, A, NULL);
    gbl_Matrix_free(&K);
    return info;
}

static long resident(void) { /* at most, so far, in bytes */
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss << 10;
}

/* Reads the file without a limit: whether what is resident beside a slab of text stays below 1.5
 * times the matrix. */
static bool resident_once(const char *name) {
    enum { SLAB = 8 << 20 };
    gbl_EdgeText edges = {.path = in_folder(name)};
    gbl_MmText text = {.path = edges.path};
    gbl_Labels labels = {0};
    gbl_Matrix E = NULL;
    gbl_Index n = 0;
    if (gbl_Global_set_INT32(GBL_GLOBAL, 2, GBL_NTHREADS) != GBL_SUCCESS) return false;
#ifdef M_MMAP_THRESHOLD /* blocks that are freed go back, whatever the environment says */
    mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
    const long before = resident();
    const gbl_Info info = strstr(name, ".mtx") ? gbl_mm_read_mended(&E, NULL, &text)
                                               : gbl_edges_read(&E, &labels, NULL, &edges);
    const long most = resident() - before;
    if (info != GBL_SUCCESS || gbl_Matrix_nvals(&n, E) != GBL_SUCCESS) return false;
    const long matrix = (long)n * (4 + 8) + 8192 * 8;
    return most - SLAB < matrix / 2 * 3;
}

static rlim_t private_bytes(void) {
    char line[128];
    unsigned long long kilobytes = 0;
    FILE *const file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmData: %llu", &kilobytes) == 1) break;
    if (file) fclose(file);
    return (rlim_t)kilobytes << 10;
}

static void write_edges(void) {
    FILE *const edges = fopen(in_folder("edges.tsv"), "w"), *const text =
                                                                fopen(in_folder("edges.mtx"), "w");
    cr_assert(edges && text);
    fprintf(text, "%%%%MatrixMarket matrix coordinate real general\n8192 8192 %d\n", EDGES);
    for (int k = 0; k < EDGES; k++) {
        /* all different, in no order */
        const int row = k * 11 % 8192, i = row + 1, j = (row * 7 + k / 8192 * 22) % 8192 + 1;
        fprintf(edges, "%d\t%d\t%d.5\n", i, j, k % 7);
        fprintf(text, "%d %d %d.5\n", i, j, k % 7);
    }
    cr_assert(fclose(edges) == 0 && fclose(text) == 0);
}

/* In a child, which has threads of its own. */
static int try(gbl_Info (*operation)(void)) {
    struct rlimit limit = {.rlim_max = RLIM_INFINITY};
    gbl_Index n = 1;
    gbl_trim(0);
    limit.rlim_cur = private_bytes() + STACKS + LIMIT / 2 * 3;
    if (gbl_Global_set_INT32(GBL_GLOBAL, 2, GBL_NTHREADS) != GBL_SUCCESS ||
        gbl_Global_set_INT64(GBL_GLOBAL, LIMIT, GBL_MEMORY_LIMIT) != GBL_SUCCESS ||
        setrlimit(RLIMIT_DATA, &limit) != 0)
        return FAILS;
    const long before = resident();
    gbl_Info info = operation();
    if (resident() - before > LIMIT + BESIDE) return FAILS;
    if (info == GBL_SUCCESS) info = gbl_Matrix_wait(C, GBL_MATERIALIZE);
    if (info == GBL_SUCCESS) return FITS;
    const bool lacks = info == GBL_OUT_OF_MEMORY || info == GBL_INSUFFICIENT_SPACE;
    if (!lacks || !*gbl_last_error()) fprintf(stderr, "%d: %s\n", info, gbl_last_error());
    if (!lacks || !*gbl_last_error()) return FAILS;
    return gbl_Matrix_nvals(&n, C) == GBL_SUCCESS && n == 0 && masked() == GBL_SUCCESS ? TOO_LARGE
                                                                                       : FAILS;
}

TestSuite(memory_promise, .init = start, .fini = finish);

Test(memory_promise, operations_in_half_as_much_again) {
    const struct {
        gbl_Info (*operation)(void);
        int outcome;
        const char *name;
    } cases[] = {{whole, TOO_LARGE, "product"},
                 {masked, FITS, "masked product"},
                 {kept, FITS, "filtered"},
                 {folded, FITS, "folded"},
                 {to_file, FITS, "to file"},
                 {to_text, FITS, "to text"},
                 {pull, FITS, "mxv"},
                 {push, FITS, "vxm"},
                 {add, FITS, "eWiseAdd"},
                 {turn, FITS, "transpose"},
                 {apply, FITS, "apply"},
                 {rows_folded, FITS, "rows folded"},
                 {columns_folded, FITS, "columns folded"},
                 {from_edges, FITS, "edges to a file"},
                 {from_text, FITS, "text to a file"},
                 {edges_in_memory, TOO_LARGE, "edges in memory"},
                 {mapped_to_text, FITS, "mapped to text"},
                 {selected, FITS, "select"},
                 {extract, FITS, "extract"},
                 {assign, FITS, "assign"},
                 {multiply, FITS, "eWiseMult"},
                 {columns, FITS, "reduce columns"},
                 {write_gbl, FITS, "to .gbl"},
                 {reduce, FITS, "reduce"},
                 {generate, TOO_LARGE, "generate"},
                 {kronecker, TOO_LARGE, "kronecker"}};
    expect_ok(gbl_generate(&A, GBL_FP64, "rmat:13:16"), "A");
    expect_ok(gbl_generate(&M, GBL_BOOL, "er:13:16"), "M");
    expect_ok(gbl_Matrix_new(&C, GBL_FP64, 8192, 8192), "C");
    expect_ok(gbl_Vector_new(&u, GBL_FP64, 8192), "u");
    expect_ok(gbl_Vector_new(&w, GBL_FP64, 8192), "w");
    cr_assert_eq(setenv("TMPDIR", folder, 1), 0);
    write_edges();
    expect_ok(gbl_file_write(A, in_folder("mapped.gbl")), "mapped");
    expect_ok(gbl_Vector_assign_FP64(u, NULL, NULL, 1.0, GBL_ALL, 8192, NULL), "u");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int status;
        const pid_t child = fork();
        cr_assert(child >= 0);
        if (child == 0) _exit(try(cases[k].operation));
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert(WIFEXITED(status), "%s: ended by signal %d", cases[k].name, WTERMSIG(status));
        cr_assert_eq(WEXITSTATUS(status), cases[k].outcome, "%s: %d", cases[k].name,
                     WEXITSTATUS(status));
    }
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&M);
    gbl_Matrix_free(&C);
    gbl_Vector_free(&u);
    gbl_Vector_free(&w);
}

Test(memory_promise, lists_are_resident_once) {
    static const char *const names[] = {"edges.tsv", "edges.mtx"};
    write_edges();
    for (int k = 0; k < 2; k++) {
        int status;
        const pid_t child = fork();
        cr_assert(child >= 0);
        if (child == 0) _exit(!resident_once(names[k]));
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s", names[k]);
    }
}
