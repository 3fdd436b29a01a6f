/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations in a process that the system gives half as much again as GBL_MEMORY_LIMIT, beside what
 * it has already: each succeeds, or says that memory lacks and leaves its output as it was. What
 * need not hold its result succeeds, however large that is.
 */
#include "test_io.h"

#include <sys/resource.h>
#include <sys/wait.h>

enum { LIMIT = 24 << 20, STACKS = 16 << 20 };
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

static rlim_t private_bytes(void) {
    char line[128];
    unsigned long long kilobytes = 0;
    FILE *const file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmData: %llu", &kilobytes) == 1) break;
    if (file) fclose(file);
    return (rlim_t)kilobytes << 10;
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
    gbl_Info info = operation();
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
                 {reduce, FITS, "reduce"},
                 {generate, TOO_LARGE, "generate"},
                 {kronecker, TOO_LARGE, "kronecker"}};
    expect_ok(gbl_generate(&A, GBL_FP64, "rmat:13:16"), "A");
    expect_ok(gbl_generate(&M, GBL_BOOL, "er:13:16"), "M");
    expect_ok(gbl_Matrix_new(&C, GBL_FP64, 8192, 8192), "C");
    expect_ok(gbl_Vector_new(&u, GBL_FP64, 8192), "u");
    expect_ok(gbl_Vector_new(&w, GBL_FP64, 8192), "w");
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
