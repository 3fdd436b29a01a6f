/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_mxm_reduce_rows: the sums that gbl_mxm and gbl_Matrix_reduce_Monoid give, without the
 * product.
 */
#include "test_io.h"

#include "support/gb_test.h"

TestSuite(mxm_reduce_rows, .init = start, .fini = finish);

enum { SMALL = 600 << 10 };

static void set_limit(int64_t bytes) {
    expect_ok(gbl_Global_set_INT64(GBL_GLOBAL, bytes, GBL_MEMORY_LIMIT), "limit");
}

static gbl_Matrix make(gbl_Type type, const char *spec) {
    gbl_Matrix A = NULL;
    expect_ok(gbl_generate(&A, type, spec), spec);
    return A;
}

typedef struct {
    const char *what;
    gbl_Semiring ring;
    gbl_Monoid op;
    gbl_BinaryOp accum;
    gbl_Type type;  /* of the monoid, and of C */
    bool last_bits; /* columns are sums of floats */
} Case;

static gbl_Matrix product(const Case *c, gbl_Matrix A, gbl_Matrix B, const gbl_FileProduct *how) {
    gbl_Matrix C = NULL;
    gbl_Index m, n;
    int32_t turned = GBL_DEFAULT;
    if (how->desc) expect_ok(gbl_Descriptor_get_INT32(how->desc, &turned, GBL_INP1), c->what);
    expect_ok(gbl_Matrix_nrows(&m, A), c->what);
    expect_ok(turned == GBL_TRAN ? gbl_Matrix_nrows(&n, B) : gbl_Matrix_ncols(&n, B), c->what);
    expect_ok(gbl_Matrix_new(&C, c->type, m, n), c->what);
    expect_ok(how->keep ? gbl_mxm_select(C, how->M, NULL, c->ring, how->keep, A, B, how->desc)
                        : gbl_mxm(C, how->M, NULL, c->ring, A, B, how->desc),
              c->what);
    return C;
}

/* A vector with an element at every third index, which a mask and an accumulator see. */
static gbl_Vector thirds(gbl_Type type, gbl_Index n) {
    gbl_Vector v = NULL;
    expect_ok(gbl_Vector_new(&v, type, n), "new");
    for (gbl_Index k = 0; k < n; k += 3)
        expect_ok(gbl_Vector_setElement_FP64(v, (double)(k % 5), k), "set");
    return v;
}

typedef struct {
    gbl_Index n, *I;
    double *X;
} Elements;

static Elements elements_of(gbl_Vector v) {
    Elements e;
    expect_ok(gbl_Vector_nvals(&e.n, v), "nvals");
    e.I = malloc((e.n + 1) * sizeof *e.I);
    e.X = malloc((e.n + 1) * sizeof *e.X);
    cr_assert(e.I && e.X);
    gbl_Index n = e.n;
    expect_ok(gbl_Vector_extractTuples_FP64(e.I, e.X, &n, v), "tuples");
    return e;
}

static void expect_same(gbl_Vector v, gbl_Vector w, bool last_bits, const char *what) {
    Elements a = elements_of(v), b = elements_of(w);
    cr_assert_eq(a.n, b.n, "%s: %d and %d elements", what, (int)a.n, (int)b.n);
    cr_assert_eq(memcmp(a.I, b.I, a.n * sizeof *a.I), 0, "%s: indices", what);
    for (gbl_Index k = 0; k < a.n; k++) {
        const double more = a.X[k] > b.X[k] ? a.X[k] - b.X[k] : b.X[k] - a.X[k];
        if (memcmp(&a.X[k], &b.X[k], sizeof *a.X) == 0) continue;
        cr_assert(last_bits && more <= 1e-12 * (a.X[k] < 0 ? -a.X[k] : a.X[k]),
                  "%s: %.17g and %.17g at %d", what, a.X[k], b.X[k], (int)a.I[k]);
    }
    free(a.I), free(a.X), free(b.I), free(b.X);
}

/* By rows and columns, alone, and into a vector that has elements, inside a mask. */
static void compare(const Case *c, gbl_Matrix A, gbl_Matrix B, gbl_FileProduct *how, int64_t limit,
                    uint64_t slices) {
    set_limit(0);
    gbl_Matrix C = product(c, A, B, how);
    for (int way = 0; way < 4; way++) {
        const bool columns = way % 2 == 1, masked = way >= 2;
        gbl_Descriptor desc = NULL;
        gbl_Index n;
        expect_ok(gbl_Descriptor_new(&desc), "desc");
        if (columns) expect_ok(gbl_Descriptor_set(desc, GBL_INP0, GBL_TRAN), "desc");
        if (masked) expect_ok(gbl_Descriptor_set(desc, GBL_OUTP, GBL_REPLACE), "desc");
        expect_ok(columns ? gbl_Matrix_ncols(&n, C) : gbl_Matrix_nrows(&n, C), "size");
        gbl_Vector v = thirds(c->type, n), w = thirds(c->type, n), m = thirds(GBL_BOOL, n);
        const gbl_Vector mask = masked ? m : NULL;
        const gbl_BinaryOp accum = masked ? c->accum : NULL;
        expect_ok(gbl_Matrix_reduce_Monoid(v, mask, accum, c->op, C, desc), c->what);
        set_limit(limit);
        expect_ok(gbl_mxm_reduce_rows(w, mask, accum, c->op, c->ring, A, B, how, desc), c->what);
        set_limit(0);
        cr_assert(how->slices >= slices, "%s: %d slices", c->what, (int)how->slices);
        cr_assert_eq(how->rows_done, how->nrows, "%s", c->what);
        expect_same(v, w, columns && c->last_bits, c->what);
        gbl_Vector_free(&v);
        gbl_Vector_free(&w);
        gbl_Vector_free(&m);
        gbl_Descriptor_free(&desc);
    }
    gbl_Matrix_free(&C);
}

static const Case *cases(size_t *n) {
    static Case all[7];
    const Case made[] = {
        {"plus_times_fp64", GBL_PLUS_TIMES_SEMIRING_FP64, GBL_PLUS_MONOID_FP64, GBL_PLUS_FP64,
         GBL_FP64, true},
        {"max of plus_times_fp64", GBL_PLUS_TIMES_SEMIRING_FP64, GBL_MAX_MONOID_FP64, GBL_MIN_FP64,
         GBL_FP64, false},
        {"min_plus_int32", GBL_MIN_PLUS_SEMIRING_INT32, GBL_PLUS_MONOID_INT32, GBL_PLUS_INT32,
         GBL_INT32, false},
        {"plus_pair_int64", GBL_PLUS_PAIR_SEMIRING_INT64, GBL_PLUS_MONOID_INT64, GBL_PLUS_INT64,
         GBL_INT64, false},
        {"plus_times_int8", GBL_PLUS_TIMES_SEMIRING_INT8, GBL_PLUS_MONOID_INT8, GBL_PLUS_INT8,
         GBL_INT8, false},
        {"max of plus_times_int8", GBL_PLUS_TIMES_SEMIRING_INT8, GBL_MAX_MONOID_INT8, GBL_MAX_INT8,
         GBL_INT8, false},
        {"lor_land", GBL_LOR_LAND_SEMIRING_BOOL, GBL_LOR_MONOID_BOOL, GBL_LOR, GBL_BOOL, false}};
    memcpy(all, made, sizeof made);
    *n = sizeof made / sizeof *made;
    return all;
}

Test(mxm_reduce_rows, is_the_product_and_its_sums) {
    gbl_Matrix A = make(GBL_FP64, "rmat:11:8"), R = make(GBL_FP64, "rect:2048:301:3");
    gbl_Matrix T = make(GBL_FP64, "rect:301:2048:9");
    gbl_Descriptor t1 = NULL;
    size_t n;
    const Case *const all = cases(&n);
    expect_ok(gbl_Descriptor_new(&t1), "desc");
    expect_ok(gbl_Descriptor_set(t1, GBL_INP1, GBL_TRAN), "desc");
    for (size_t k = 0; k < n; k++) {
        gbl_FileProduct how = {.type = all[k].type}, turned = {.type = all[k].type, .desc = t1};
        compare(&all[k], A, A, &how, SMALL, 2);
        compare(&all[k], A, R, &how, SMALL, 1);
        compare(&all[k], A, T, &turned, SMALL, 1);
        compare(&all[k], A, A, &how, 1 << 30, 1);
    }
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&R);
    gbl_Matrix_free(&T);
    gbl_Descriptor_free(&t1);
}

Test(mxm_reduce_rows, masks_and_filters_come_before_the_sums) {
    gbl_Matrix A = make(GBL_FP64, "rmat:11:8"), M = make(GBL_BOOL, "er:11:40"), E = NULL;
    gbl_Descriptor desc = NULL;
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    size_t n;
    const Case *const all = cases(&n);
    keep.most = 20;
    expect_ok(gbl_Descriptor_new(&desc), "desc");
    expect_ok(gbl_Descriptor_set(desc, GBL_MASK, GBL_STRUCTURE), "desc");
    expect_ok(gbl_Matrix_new(&E, GBL_FP64, 2048, 2048), "E");
    for (size_t k = 0; k < n; k++) {
        gbl_FileProduct masked = {.type = all[k].type, .M = M, .desc = desc};
        gbl_FileProduct kept = {.type = all[k].type, .keep = &keep};
        gbl_FileProduct usual = {.type = all[k].type};
        compare(&all[k], A, A, &masked, SMALL, 2);
        compare(&all[k], A, A, &kept, SMALL, 2);
        compare(&all[k], E, A, &usual, SMALL, 0);
    }
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&M);
    gbl_Matrix_free(&E);
    gbl_Descriptor_free(&desc);
}

Test(mxm_reduce_rows, huge_dimensions) {
    gbl_Matrix H = NULL;
    gbl_Vector w = NULL;
    gbl_Index n;
    expect_ok(gbl_Matrix_new(&H, GBL_FP64, (gbl_Index)1 << 40, (gbl_Index)1 << 40), "H");
    for (gbl_Index k = 0; k < 50; k++)
        expect_ok(gbl_Matrix_setElement_FP64(H, (double)k, k << 33, (k + 1) << 33), "set");
    expect_ok(gbl_Vector_new(&w, GBL_FP64, (gbl_Index)1 << 40), "w");
    expect_ok(gbl_mxm_reduce_rows(w, NULL, NULL, GBL_PLUS_MONOID_FP64, GBL_PLUS_TIMES_SEMIRING_FP64,
                                  H, H, NULL, NULL),
              "huge");
    expect_ok(gbl_Vector_nvals(&n, w), "nvals");
    cr_assert_eq(n, 49);
    gbl_Matrix_free(&H);
    gbl_Vector_free(&w);
}

static bool stop_after(void *slices, const gbl_FileProduct *so_far) {
    return so_far->slices < *(uint64_t *)slices;
}

Test(mxm_reduce_rows, failures_leave_the_vector) {
    gbl_Matrix A = make(GBL_FP64, "rmat:11:8");
    gbl_Vector w = thirds(GBL_FP64, 2048), before = thirds(GBL_FP64, 2048);
    gbl_Vector other = thirds(GBL_FP64, 2047);
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP64;
    const gbl_Monoid op = GBL_PLUS_MONOID_FP64;
    set_limit(SMALL);
    for (uint64_t slices = 0; slices < 3; slices++) {
        gbl_FileProduct how = {.progress = stop_after, .context = &slices};
        expect_error(gbl_mxm_reduce_rows(w, NULL, NULL, op, ring, A, A, &how, NULL), GBL_CANCELLED,
                     "cancelled", "stop");
        cr_assert_eq(how.slices, slices);
    }
    expect_error(gbl_mxm_reduce_rows(other, NULL, NULL, op, ring, A, A, NULL, NULL),
                 GBL_DIMENSION_MISMATCH, "", "size");
    expect_error(gbl_mxm_reduce_rows(w, other, NULL, op, ring, A, A, NULL, NULL),
                 GBL_DIMENSION_MISMATCH, "", "mask");
    cr_assert(gbl_mxm_reduce_rows(NULL, NULL, NULL, op, ring, A, A, NULL, NULL) < 0);
    cr_assert(gbl_mxm_reduce_rows(w, NULL, NULL, NULL, ring, A, A, NULL, NULL) < 0);
    cr_assert(gbl_mxm_reduce_rows(w, NULL, NULL, op, NULL, A, A, NULL, NULL) < 0);
    cr_assert(gbl_mxm_reduce_rows(w, NULL, NULL, op, ring, NULL, A, NULL, NULL) < 0);
    gbl_Type mine = NULL;
    expect_ok(gbl_Type_new(&mine, 8), "type");
    gbl_FileProduct how = {.type = mine};
    expect_error(gbl_mxm_reduce_rows(w, NULL, NULL, op, ring, A, A, &how, NULL),
                 GBL_DOMAIN_MISMATCH, "user-defined", "type");
    gbl_Type_free(&mine);
    expect_same(before, w, false, "before");
    gbl_Matrix_free(&A);
    gbl_Vector_free(&w);
    gbl_Vector_free(&before);
    gbl_Vector_free(&other);
}

static bool passes_without(int64_t n, gbl_Vector w, gbl_Matrix A) {
    gbl_Index left;
    OK(gbl_Vector_clear(w));
    t_fail_at(n);
    const gbl_Info info = gbl_mxm_reduce_rows(w, NULL, NULL, GBL_PLUS_MONOID_FP64,
                                              GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL, NULL);
    const bool all = !t_failed();
    t_fail_at(0);
    CHECK(info == GBL_SUCCESS || info == GBL_OUT_OF_MEMORY);
    OK(gbl_Vector_nvals(&left, w));
    CHECK((left > 0) == (info == GBL_SUCCESS));
    return all;
}

BRUTAL(mxm_reduce_rows_allocations) {
    gbl_Matrix A = NULL;
    gbl_Vector w = NULL;
    OK(gbl_generate(&A, GBL_FP64, "er:8:8"));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    OK(gbl_Vector_new(&w, GBL_FP64, 256));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, SMALL, GBL_MEMORY_LIMIT));
    for (int64_t n = 1; !passes_without(n, w, A); n++) CHECK(n < 5000);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Vector_free(&w));
}
