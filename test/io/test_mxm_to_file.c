/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_mxm_to_file: what is mapped afterwards is what gbl_mxm makes, to the byte, in one slice or in
 * many; and nothing else is left, whatever fails.
 */
#include "test_io.h"

#include "support/gb_test.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

TestSuite(mxm_to_file, .init = start, .fini = finish);

enum { SMALL = 600 << 10, USUAL = 64 << 20 };

static void set_limit(int64_t bytes) {
    expect_ok(gbl_Global_set_INT64(GBL_GLOBAL, bytes, GBL_MEMORY_LIMIT), "limit");
}

static gbl_Matrix make(gbl_Type type, const char *spec) {
    gbl_Matrix A = NULL;
    expect_ok(gbl_generate(&A, type, spec), spec);
    return A;
}

static gbl_Matrix product(gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B,
                          const gbl_FileProduct *how) {
    gbl_Matrix C = NULL;
    gbl_Index n, m;
    expect_ok(gbl_Matrix_nrows(&m, A), "nrows");
    expect_ok(gbl_Matrix_ncols(&n, B), "ncols");
    expect_ok(gbl_Matrix_new(&C, how->type, m, n), "new");
    expect_ok(how->keep ? gbl_mxm_select(C, how->M, NULL, ring, how->keep, A, B, how->desc)
                        : gbl_mxm(C, how->M, NULL, ring, A, B, how->desc),
              "product");
    return C;
}

/* Arrays by rows, to the byte. */
static void expect_same(gbl_Matrix A, gbl_Matrix B, const char *what) {
    gbl_Arrays a, b;
    gbl_Type type, other;
    gbl_Index m;
    size_t size;
    expect_ok(gbl_Matrix_type(&type, A), what);
    expect_ok(gbl_Matrix_type(&other, B), what);
    cr_assert_eq(type, other, "%s", what);
    expect_ok(gbl_Type_size(&size, type), what);
    expect_ok(gbl_Matrix_nrows(&m, A), what);
    expect_ok(gbl_Matrix_moveOut(A, GBL_CSR_FORMAT, &a), what);
    expect_ok(gbl_Matrix_moveOut(B, GBL_CSR_FORMAT, &b), what);
    cr_assert_eq(memcmp(a.p, b.p, (m + 1) * sizeof *a.p), 0, "%s: pointers", what);
    cr_assert_eq(a.iso, b.iso, "%s: iso", what);
    if (a.p[m] > 0) {
        cr_assert_eq(memcmp(a.i, b.i, a.p[m] * sizeof *a.i), 0, "%s: indices", what);
        cr_assert_eq(memcmp(a.x, b.x, (a.iso ? 1 : a.p[m]) * size), 0, "%s: values", what);
    }
    gbl_Arrays *const arrays[] = {&a, &b};
    for (int k = 0; k < 2; k++) {
        gbl_Memory_free(arrays[k]->p);
        gbl_Memory_free(arrays[k]->i);
        gbl_Memory_free(arrays[k]->x);
    }
}

/* The product in memory, and as the file says; slices: the least that are wanted. */
static void compare(gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B, gbl_FileProduct *how,
                    uint64_t slices, const char *what) {
    const char *const path = in_folder("c.gbl");
    gbl_Matrix F = NULL;
    expect_ok(gbl_mxm_to_file(path, ring, A, B, how), what);
    cr_assert(how->slices >= slices, "%s: %d slices", what, (int)how->slices);
    struct stat facts;
    cr_assert_eq(stat(path, &facts), 0);
    cr_assert_eq((uint64_t)facts.st_size, how->bytes, "%s", what);
    set_limit(0);
    gbl_Matrix C = product(ring, A, B, how);
    expect_ok(gbl_file_map(&F, NULL, path, true), what);
    gbl_Index n;
    expect_ok(gbl_Matrix_nvals(&n, F), what);
    cr_assert_eq(n, how->nvals, "%s", what);
    expect_same(C, F, what);
    gbl_Matrix_free(&C);
    gbl_Matrix_free(&F);
    cr_assert_eq(files_in_folder(), 1, "%s", what);
    unlink(path);
}

Test(mxm_to_file, is_the_product_to_the_byte) {
    const struct {
        gbl_Semiring ring;
        gbl_Type type;
        const char *what;
    } cases[] = {{GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64, "plus_times_fp64"},
                 {GBL_PLUS_TIMES_SEMIRING_FP32, GBL_FP32, "plus_times_fp32"},
                 {GBL_MIN_PLUS_SEMIRING_INT32, GBL_INT32, "min_plus_int32"},
                 {GBL_PLUS_TIMES_SEMIRING_INT8, GBL_INT8, "plus_times_int8"},
                 {GBL_PLUS_PAIR_SEMIRING_INT16, GBL_INT16, "plus_pair_int16"},
                 {GBL_LOR_LAND_SEMIRING_BOOL, GBL_BOOL, "lor_land"},
                 {GBL_PLUS_TIMES_SEMIRING_FC64, GBL_FC64, "plus_times_fc64"}};
    gbl_Matrix A = make(GBL_FP64, "rmat:11:8"), R = make(GBL_FP64, "rect:2048:301:3");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        static const int64_t limits[] = {USUAL, 2 << 20, 1 << 20};
        for (int l = 0; l < 3; l++) {
            gbl_FileProduct how = {.type = cases[k].type};
            set_limit(limits[l]);
            compare(cases[k].ring, A, A, &how, l == 0 ? 1 : 2, cases[k].what);
        }
        gbl_FileProduct how = {.type = cases[k].type};
        set_limit(1 << 20);
        compare(cases[k].ring, A, R, &how, 1, cases[k].what);
    }
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&R);
}

#ifdef GB_TINY /* whose methods want more workspace for a row */
enum { ROWS_LIMIT = 4 << 20, ROWS_SLICES = 20 };
#else
enum { ROWS_LIMIT = 1400 << 10, ROWS_SLICES = 60 };
#endif

Test(mxm_to_file, every_row_may_be_a_slice) {
    gbl_FileProduct how = {.type = GBL_FP64};
    gbl_Matrix A = make(GBL_FP64, "rect:60:30000:9000"), B = make(GBL_FP64, "rect:30000:30000:5");
    set_limit(ROWS_LIMIT);
    compare(GBL_PLUS_TIMES_SEMIRING_FP64, A, B, &how, ROWS_SLICES, "rows");
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&B);
}

Test(mxm_to_file, slices_may_be_empty_and_objects_hypersparse) {
    gbl_FileProduct how = {.type = GBL_FP64};
    gbl_Matrix A = make(GBL_FP64, "er:11:16"), E = NULL, H = NULL;
    expect_ok(gbl_Matrix_select_INT64(A, NULL, NULL, GBL_ROWLE, A, 299, NULL), "few rows");
    set_limit(SMALL);
    compare(GBL_PLUS_TIMES_SEMIRING_FP64, A, A, &how, 2, "empty slices");
    expect_ok(gbl_Matrix_new(&E, GBL_FP64, 2048, 2048), "new");
    compare(GBL_PLUS_TIMES_SEMIRING_FP64, E, A, &how, 1, "empty");
    expect_ok(gbl_Matrix_new(&H, GBL_FP64, 2000000000, 2000000000), "new");
    for (gbl_Index k = 0; k < 50; k++)
        expect_ok(gbl_Matrix_setElement_FP64(H, (double)k, k * 30000000, k * 30000001), "set");
    gbl_Matrix F = NULL, C = product(GBL_PLUS_TIMES_SEMIRING_FP64, H, H, &how);
    set_limit(USUAL);
    expect_ok(gbl_mxm_to_file(in_folder("h.gbl"), GBL_PLUS_TIMES_SEMIRING_FP64, H, H, &how), "H");
    cr_assert_lt(how.bytes_predicted, 10000); /* 2 10^9 rows are not stored */
    expect_ok(gbl_file_map(&F, NULL, in_folder("h.gbl"), true), "map");
    gb_Tuples c = tuples_of(C), f = tuples_of(F);
    cr_assert(same_tuples(&c, &f));
    free_tuples(&c);
    free_tuples(&f);
    gbl_Matrix_free(&F);
    /* a column times a row: more than a slice */
    expect_ok(gbl_Matrix_new(&F, GBL_FP64, (gbl_Index)1 << 33, 2000000000), "new");
    for (gbl_Index k = 0; k < 3000; k++) {
        expect_ok(gbl_Matrix_setElement_FP64(F, 1, k, 0), "column");
        expect_ok(gbl_Matrix_setElement_FP64(H, 1, 0, k), "row");
    }
    expect_error(gbl_mxm_to_file(in_folder("n.gbl"), GBL_PLUS_TIMES_SEMIRING_FP64, F, H, NULL),
                 GBL_NOT_IMPLEMENTED, "8589934592", "wide");
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&E);
    gbl_Matrix_free(&H);
    gbl_Matrix_free(&C);
    gbl_Matrix_free(&F);
}

Test(mxm_to_file, masks_filters_and_mapped_inputs) {
    gbl_Matrix A = make(GBL_FP64, "rmat:11:8"), M = make(GBL_BOOL, "er:11:40"), F = NULL;
    gbl_Scalar y = NULL;
    gbl_Descriptor desc = NULL;
    expect_ok(gbl_Scalar_new(&y, GBL_FP64), "scalar");
    expect_ok(gbl_Scalar_setElement_FP64(y, 0.7), "scalar");
    expect_ok(gbl_Descriptor_new(&desc), "desc");
    expect_ok(gbl_Descriptor_set(desc, GBL_MASK, GBL_STRUCTURE), "desc");
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    keep.op = GBL_VALUEGE_FP64;
    keep.y = y;
    keep.most = 20;
    gbl_FileProduct how = {.type = GBL_FP64, .M = M, .desc = desc};
    set_limit(SMALL);
    compare(GBL_PLUS_TIMES_SEMIRING_FP64, A, A, &how, 2, "mask");
    how.keep = &keep;
    set_limit(SMALL);
    compare(GBL_PLUS_TIMES_SEMIRING_FP64, A, A, &how, 2, "mask and filter");
    how.M = NULL;
    set_limit(SMALL);
    compare(GBL_PLUS_TIMES_SEMIRING_FP64, A, A, &how, 2, "filter");
    how.keep = NULL;
    expect_ok(gbl_Descriptor_set(desc, GBL_INP0, GBL_TRAN), "desc");
    expect_error(gbl_mxm_to_file(in_folder("t.gbl"), GBL_PLUS_TIMES_SEMIRING_FP64, A, A, &how),
                 GBL_INVALID_VALUE, "transpose", "transposed");
    expect_ok(gbl_Descriptor_set(desc, GBL_INP0, GBL_DEFAULT), "desc");
    expect_ok(gbl_file_write(A, in_folder("c.gbl")), "write");
    expect_ok(gbl_file_map(&F, NULL, in_folder("c.gbl"), true), "map");
    set_limit(SMALL); /* C replaces the file that A is mapped from */
    compare(GBL_PLUS_TIMES_SEMIRING_FP64, F, F, &how, 2, "mapped");
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&M);
    gbl_Matrix_free(&F);
    gbl_Scalar_free(&y);
    gbl_Descriptor_free(&desc);
}

/* -- operands that are larger than the memory */

static gbl_Matrix map(gbl_Matrix A, const char *name) {
    gbl_Matrix F = NULL;
    expect_ok(gbl_file_write(A, in_folder(name)), name);
    expect_ok(gbl_file_map(&F, NULL, in_folder(name), true), name);
    cr_assert_eq(unlink(in_folder(name)), 0); /* it stays mapped */
    return F;
}

/* With rows that ask for no row of B, for the first and last, and for all of them. */
static gbl_Matrix few_of_many(gbl_Index rows) {
    gbl_Matrix A = make(GBL_FP64, "rect:1200:60000:4");
    gbl_Vector all = NULL;
    expect_ok(gbl_Matrix_resize(A, rows, 60000), "rows");
    expect_ok(gbl_Vector_new(&all, GBL_FP64, 60000), "all");
    expect_ok(gbl_Vector_assign_FP64(all, NULL, NULL, 0.3, GBL_ALL, 60000, NULL), "all");
    expect_ok(gbl_Row_assign(A, NULL, NULL, all, 7, GBL_ALL, 60000, NULL), "a row of all");
    expect_ok(gbl_Matrix_setElement_FP64(A, 3, rows - 1, 0), "the first");
    expect_ok(gbl_Matrix_setElement_FP64(A, 5, rows - 1, 59999), "the last");
    gbl_Vector_free(&all);
    return A;
}

Test(mxm_to_file, operands_larger_than_the_memory) {
    static const int64_t limits[] = {USUAL, 8 << 20, 3 << 20};
    gbl_Matrix A = few_of_many(1300), M = make(GBL_BOOL, "rect:1300:700:60");
    gbl_Matrix B = make(GBL_FP64, "rect:60000:700:30"), E = NULL;
    gbl_Matrix P = make(GBL_BOOL, "rect:60000:700:60"); /* one value for all */
    gbl_Matrix a = map(A, "a.gbl"), b = map(B, "b.gbl"), p = map(P, "p.gbl"), m = map(M, "m.gbl");
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    keep.most = 5;
    expect_ok(gbl_Matrix_new(&E, GBL_FP64, 1300, 60000), "empty");
    for (int l = 0; l < 3; l++) {
        const uint64_t slices = l == 0 ? 1 : 4;
        gbl_FileProduct how = {.type = GBL_FP64}, yes = {.type = GBL_BOOL}, no = how;
        set_limit(limits[l]);
        compare(GBL_PLUS_TIMES_SEMIRING_FP64, a, b, &how, slices, "mapped");
        set_limit(limits[l]);
        compare(GBL_MIN_PLUS_SEMIRING_FP64, A, B, &how, slices, "in memory");
        set_limit(limits[l]);
        compare(GBL_LOR_LAND_SEMIRING_BOOL, a, p, &yes, 1, "of one value");
        how.M = m;
        set_limit(limits[l]);
        compare(GBL_PLUS_TIMES_SEMIRING_FP64, a, b, &how, 1, "masked");
        how.keep = &keep;
        set_limit(limits[l]);
        compare(GBL_PLUS_TIMES_SEMIRING_FP64, a, b, &how, 1, "masked and filtered");
        set_limit(limits[l]);
        compare(GBL_PLUS_TIMES_SEMIRING_FP64, E, b, &no, 1, "nothing");
    }
    set_limit(limits[2]);
    expect_error(gbl_mxm_to_file(in_folder("d.gbl"), GBL_PLUS_TIMES_SEMIRING_FP64, b, b, NULL),
                 GBL_DIMENSION_MISMATCH, "700", "shapes");
    gbl_Matrix *all[] = {&A, &B, &E, &M, &P, &a, &b, &m, &p};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) gbl_Matrix_free(all[k]);
}

/* The file is the same with any memory that wants slices, and any number of threads. */
Test(mxm_to_file, larger_operands_give_the_same_bytes) {
    static char bytes[2][32 << 20];
    uint64_t size[2];
    gbl_Matrix A = few_of_many(1300), B = make(GBL_FP64, "rect:60000:900:30");
    gbl_Matrix a = map(A, "a.gbl"), b = map(B, "b.gbl");
    for (int k = 0; k < 4; k++) {
        gbl_FileProduct how = {0};
        set_limit(k < 2 ? 8 << 20 : 3 << 20);
        expect_ok(gbl_Global_set_INT32(GBL_GLOBAL, 1 + k % 2 * 3, GBL_NTHREADS), "threads");
        expect_ok(gbl_mxm_to_file(in_folder("c.gbl"), GBL_PLUS_TIMES_SEMIRING_FP64, a, b, &how),
                  "product");
        FILE *const file = fopen(in_folder("c.gbl"), "rb");
        cr_assert_not_null(file);
        size[k > 0] = fread(bytes[k > 0], 1, sizeof bytes[0], file);
        cr_assert(size[k > 0] == how.bytes && how.slices > 3 && fclose(file) == 0);
        cr_assert(size[0] == size[k > 0] && memcmp(bytes[0], bytes[k > 0], size[0]) == 0);
    }
    gbl_Matrix *all[] = {&A, &B, &a, &b};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) gbl_Matrix_free(all[k]);
}

/* -- what fails leaves what was there, and what a later call goes on with (test_mxm_resume.c) */

static bool stop_after(void *slices, const gbl_FileProduct *so_far) {
    return so_far->slices < *(uint64_t *)slices;
}

Test(mxm_to_file, seconds_are_predicted_before_anything_is_written) {
    static const char *const specs[] = {"er:8:4", "er:15:32"};
    uint64_t none = 0;
    double last = 0.0;
    for (int k = 0; k < 2; k++) {
        gbl_FileProduct how = {.progress = stop_after, .context = &none};
        gbl_Matrix A = make(GBL_FP64, specs[k]);
        set_limit(4 << 20);
        const gbl_Info info =
            gbl_mxm_to_file(in_folder("c.gbl"), GBL_PLUS_TIMES_SEMIRING_FP64, A, A, &how);
        cr_assert(info == GBL_CANCELLED && files_in_folder() == 0, "%s: %d", specs[k], (int)info);
        cr_assert(how.seconds_predicted > last && isfinite(how.seconds_predicted),
                  "%s: %g after %g", specs[k], how.seconds_predicted, last);
        last = how.seconds_predicted;
        set_limit(0);
        gbl_Matrix_free(&A);
    }
}

static void expect_old(bool slices, const char *what) {
    struct stat facts;
    cr_assert(stat(in_folder("c.gbl"), &facts) == 0 && facts.st_size == 3, "%s", what);
    cr_assert_eq(files_in_folder(), slices ? 3 : 1, "%s", what);
    if (!slices) return;
    cr_assert(unlink(in_folder("c.gbl.partial")) == 0 && unlink(in_folder("c.gbl.journal")) == 0);
}

/* z = 64 ix + iy: of the indices of the factors' entries. */
static void see_indices(void *z, const void *x, gbl_Index ix, gbl_Index jx, const void *y,
                        gbl_Index iy, gbl_Index jy, const void *theta) {
    (void)x, (void)jx, (void)y, (void)jy, (void)theta;
    *(int64_t *)z = (int64_t)(64 * ix + iy);
}

/* Values and filters see the indices of the whole product, whatever the slice. */
Test(mxm_to_file, indices_are_those_of_the_product) {
    gbl_BinaryOp user = NULL;
    gbl_Semiring own = NULL;
    gbl_Scalar y = NULL;
    gbl_Matrix A = make(GBL_FP64, "er:11:16"), M = make(GBL_BOOL, "rmat:11:9");
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    expect_ok(gbl_Scalar_new(&y, GBL_INT64), "scalar");
    expect_ok(gbl_Scalar_setElement_INT64(y, -300), "scalar");
    expect_ok(gbl_BinaryOp_new_index(&user, see_indices, GBL_INT64, GBL_FP64, GBL_FP64, y), "op");
    expect_ok(gbl_Semiring_new(&own, GBL_MAX_MONOID_INT64, user), "semiring");
    keep.op = GBL_TRIL;
    keep.y = y;
    const gbl_Semiring rings[] = {GBL_MIN_FIRSTI_SEMIRING_INT64, GBL_MAX_FIRSTJ_SEMIRING_INT64,
                                  GBL_MIN_SECONDI_SEMIRING_INT64, GBL_MAX_SECONDJ_SEMIRING_INT64,
                                  own};
    for (size_t k = 0; k < 2 * sizeof rings / sizeof *rings; k++) {
        gbl_FileProduct how = {.type = GBL_INT64, .M = k % 2 ? M : NULL};
        set_limit(SMALL);
        compare(rings[k / 2], A, A, &how, how.M ? 1 : 2, "values by position");
    }
    for (int k = 0; k < 2; k++) {
        gbl_FileProduct how = {.type = GBL_FP64, .M = k ? M : NULL, .keep = &keep};
        set_limit(SMALL);
        compare(GBL_PLUS_TIMES_SEMIRING_FP64, A, A, &how, k ? 1 : 2, "a filter by position");
    }
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&M);
    gbl_Scalar_free(&y);
    gbl_Semiring_free(&own);
    gbl_BinaryOp_free(&user);
}

Test(mxm_to_file, failures_leave_the_old_file) {
    gbl_Matrix A = make(GBL_FP64, "rmat:11:8"), X = make(GBL_FP64, "rect:1000000:1:1"), Y = NULL;
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP64;
    const char *const path = in_folder("c.gbl");
    struct rlimit before, small;
    gbl_FileProduct how = {.progress = stop_after};
    put_file(path, "old", 3);
    set_limit(SMALL);
    for (uint64_t slices = 0; slices < 3; slices++) {
        how.context = &slices;
        expect_error(gbl_mxm_to_file(path, ring, A, A, &how), GBL_CANCELLED, "cancelled", "stop");
        cr_assert_eq(how.slices, slices);
        expect_old(slices > 0, "progress");
    }
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (rlim_t bytes = 100; bytes < 4000000; bytes *= 7) {
        small = (struct rlimit){.rlim_cur = bytes, .rlim_max = before.rlim_max};
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
        gbl_FileProduct written = {0};
        const gbl_Info info = gbl_mxm_to_file(path, ring, A, A, &written);
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
        expect_error(info, GBL_IO_ERROR, path, "file size");
        expect_old(written.slices > 0, "file size");
    }
    expect_ok(gbl_Global_set_FP64(GBL_GLOBAL, 1e-9, GBL_DEADLINE), "deadline");
    expect_error(gbl_mxm_to_file(path, ring, A, A, NULL), GBL_CANCELLED, "", "deadline");
    expect_ok(gbl_Global_set_FP64(GBL_GLOBAL, 0, GBL_DEADLINE), "deadline");
    expect_old(false, "deadline");
    set_limit(0);
    expect_ok(gbl_generate(&Y, GBL_FP64, "rect:1:4000000:4000000"), "Y");
    expect_error(gbl_mxm_to_file(path, ring, X, Y, NULL), GBL_INSUFFICIENT_SPACE, "bytes free",
                 "a product of terabytes");
    expect_old(false, "space");
    expect_error(gbl_mxm_to_file("/dev/full", ring, A, A, NULL), GBL_IO_ERROR, "/dev/full", "full");
    expect_error(gbl_mxm_to_file("/nowhere/c.gbl", ring, A, A, NULL), GBL_IO_ERROR, "/nowhere",
                 "no folder");
    expect_error(gbl_mxm_to_file("/proc/c.gbl", ring, A, A, NULL), GBL_IO_ERROR, "/proc/c.gbl",
                 "read-only folder");
    expect_ok(gbl_mxm_to_file(path, ring, A, A, NULL), "at last");
    gbl_Matrix_free(&X);
    expect_ok(gbl_file_map(&X, NULL, path, true), "map");
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&X);
    gbl_Matrix_free(&Y);
}

static bool kill_after(void *slices, const gbl_FileProduct *so_far) {
    if (so_far->slices >= *(uint64_t *)slices) raise(SIGKILL);
    return true;
}

Test(mxm_to_file, a_killed_process_leaves_no_result) {
    gbl_Matrix A = make(GBL_FP64, "rmat:11:8");
    set_limit(SMALL);
    for (uint64_t slices = 1; slices < 9; slices += 3) {
        gbl_FileProduct how = {.progress = kill_after, .context = &slices};
        const pid_t child = fork();
        cr_assert(child >= 0);
        if (child == 0) {
            (void)gbl_mxm_to_file(in_folder("c.gbl"), GBL_PLUS_TIMES_SEMIRING_FP64, A, A, &how);
            _exit(0);
        }
        int status;
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        cr_assert(access(in_folder("c.gbl"), F_OK) != 0);
    }
    gbl_Matrix_free(&A);
}

/* Any bit but those of the gap. */
Test(mxm_to_file, damage_is_found) {
    gbl_Matrix A = make(GBL_INT8, "er:9:8"), C = NULL;
    const char *const path = in_folder("c.gbl");
    gbl_FileProduct how = {0};
    static unsigned char bytes[1 << 20];
    set_limit(80 << 10);
    expect_ok(gbl_mxm_to_file(path, GBL_PLUS_TIMES_SEMIRING_INT8, A, A, &how), "product");
    cr_assert(how.slices > 1 && how.bytes <= sizeof bytes);
    FILE *const file = fopen(path, "rb");
    cr_assert(file && fread(bytes, 1, how.bytes, file) == how.bytes);
    fclose(file);
    const uint64_t end_of_indices = (88 + 8 * 513 + 4 * how.nvals + 7) / 8 * 8;
    const uint64_t values = how.bytes - (how.nvals + 7) / 8 * 8;
    expect_ok(gbl_Matrix_deserialize(&C, NULL, bytes, how.bytes), "whole");
    gbl_Matrix_free(&C);
    for (uint64_t at = 0; at < how.bytes; at += at < 100 ? 1 : 997) {
        if (at >= end_of_indices && at < values) continue;
        for (int bit = 0; bit < 8; bit++) {
            bytes[at] ^= (unsigned char)(1 << bit);
            cr_assert_eq(gbl_Matrix_deserialize(&C, NULL, bytes, how.bytes), GBL_INVALID_OBJECT,
                         "bit %d of byte %d", bit, (int)at);
            bytes[at] ^= (unsigned char)(1 << bit);
        }
    }
    for (uint64_t size = 0; size < how.bytes; size += 97)
        cr_assert_eq(gbl_Matrix_deserialize(&C, NULL, bytes, size), GBL_INVALID_OBJECT);
    gbl_Matrix_free(&A);
}

static char failing[] = "/tmp/gblite_product_XXXXXX.gbl";

static bool passes_without(int64_t n, gbl_Matrix A, gbl_Matrix B) {
    t_fail_at(n);
    const gbl_Info info = gbl_mxm_to_file(failing, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, NULL);
    const bool all = !t_failed();
    t_fail_at(0);
    CHECK(info == GBL_SUCCESS || info == GBL_OUT_OF_MEMORY);
    CHECK((access(failing, F_OK) == 0) == (info == GBL_SUCCESS));
    unlink(failing);
    for (int k = 0; k < 2; k++) {
        char name[sizeof failing + 8];
        snprintf(name, sizeof name, "%s%s", failing, k ? ".journal" : ".partial");
        unlink(name);
    }
    return all;
}

BRUTAL(mxm_to_file_allocations) {
    gbl_Matrix A = NULL, R = NULL;
    const int file = mkstemps(failing, 4);
    CHECK(file >= 0);
    close(file);
    unlink(failing);
    OK(gbl_generate(&A, GBL_FP64, "er:8:8"));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    OK(gbl_generate(&R, GBL_FP64, "rect:20:256:8"));
    OK(gbl_Matrix_wait(R, GBL_MATERIALIZE));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, SMALL, GBL_MEMORY_LIMIT));
    for (int64_t n = 1; !passes_without(n, A, A); n++) CHECK(n < 5000);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 96 << 10, GBL_MEMORY_LIMIT)); /* A is more than a slice */
    for (int64_t n = 1; !passes_without(n, R, A); n++) CHECK(n < 5000);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&R));
}
