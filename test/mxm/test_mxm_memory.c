/* SPDX-License-Identifier: Apache-2.0
 *
 * GBL_MEMORY_LIMIT holds: every byte of the library is counted by the allocator it was given, and a
 * product never has more than the limit beside what it leaves behind: C, and forms of its operands
 * that it added, but for rows that it made of cells, which count. The limits are what products
 * themselves ask for, and multiples of it.
 */
#include "matrix/hold_dense.h"
#include "support/spec.h"

#include <gblite_io.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "support/tuples.h"

/* ----------------------------------------------------------------------- counting allocator -- */

static atomic_llong live, peak;

static void count(int64_t bytes) {
    const long long now = atomic_fetch_add(&live, bytes) + bytes;
    long long most = atomic_load(&peak);
    while (now > most && !atomic_compare_exchange_weak(&peak, &most, now)) continue;
}

static void *counted_realloc(void *block, size_t bytes) {
    const int64_t before = (int64_t)malloc_usable_size(block);
    void *made = realloc(block, bytes);
    if (made != NULL) count((int64_t)malloc_usable_size(made) - before);
    return made;
}

static void *counted_malloc(size_t bytes) {
    return counted_realloc(NULL, bytes);
}

static void counted_free(void *block) {
    count(-(int64_t)malloc_usable_size(block));
    free(block);
}

/* Blocks of their own pages would count as whole pages (not where a sanitizer allocates, which
 * refuses the option). */
static void setup(void) {
    t_expect_end();
    (void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, counted_malloc, counted_realloc, counted_free));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT));
}

static void teardown(void) {
    CHECK_EQ(t_blocks(), 0);
    OK(gbl_finalize());
    t_end_reached();
}

#define MEMORY_TEST(name) Test(mxm_memory, name, .init = setup, .fini = teardown)

/* --------------------------------------------------------------------------------- products -- */

typedef struct {
    const char *name, *A;
    gbl_Desc_Value method, workflow;
    t_Mask mask;
    bool accum, cast, transpose, filter, cells; /* cells: A is held as these alone */
} job;

/* Operands as they are before each call: without forms that an earlier one added. */
typedef struct {
    const job *of;
    gbl_Matrix A, M, C;
    gbl_Descriptor desc;
    int64_t old; /* bytes of what C holds before the call */
} product;

/* Bytes of the rows of A, FP64, where they were made of cells. */
static int64_t made_rows(const product *p) {
    const gb_Matrix *A = &p->A->m;
    if (!p->of->cells || !(gb_has(A) & GBL_HAS_CSR)) return 0;
    return (int64_t)((A->nrows + 1) * 8 + A->nvals * 12);
}

static product begin(const job *of) {
    const t_Flags flags = {
        .mask = of->mask, .method = of->method, .workflow = of->workflow, .tran0 = of->transpose};
    gbl_Index n = 0;
    product p = {.of = of, .A = t_from_spec(GBL_FP64, of->A), .desc = t_descriptor(&flags)};
    OK(gbl_Matrix_nrows(&n, p.A));
    if (of->cells) hold_dense(p.A);
    if (t_has_mask(of->mask)) p.M = t_from_spec(GBL_FP64, of->A);
    const int64_t before = atomic_load(&live);
    OK(gbl_Matrix_new(&p.C, of->cast ? GBL_FP32 : GBL_FP64, n, n));
    for (gbl_Index i = 0; of->accum && i < n; i++)
        OK(gbl_Matrix_setElement_FP64(p.C, (double)i, i, i * 7 % n));
    OK(gbl_Matrix_wait(p.C, GBL_MATERIALIZE));
    p.old = atomic_load(&live) - before;
    return p;
}

static void end(product *p) {
    FREE(p->A, p->M, p->C, p->desc);
}

static gbl_Info multiply(void *context) {
    const product *p = context;
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    keep.most = keep.recover = 5;
    keep.share = 0.5;
    if (p->of->filter)
        return gbl_mxm_select(p->C, p->M, p->of->accum ? GBL_PLUS_FP64 : NULL,
                              GBL_PLUS_TIMES_SEMIRING_FP64, &keep, p->A, p->A, p->desc);
    return gbl_mxm(p->C, p->M, p->of->accum ? GBL_PLUS_FP64 : NULL, GBL_PLUS_TIMES_SEMIRING_FP64,
                   p->A, p->A, p->desc);
}

/* The call under the limit, or fails with GBL_OUT_OF_MEMORY and changes nothing; either way with no
 * more than the limit beside what it leaves. */
static gbl_Info multiply_within(product *p, int64_t limit) {
    const int64_t before = atomic_load(&live);
    atomic_store(&peak, before);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, limit, GBL_MEMORY_LIMIT));
    const gbl_Info info = multiply(p);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    const int64_t after = atomic_load(&live);
    const int64_t left = after - before + (info == GBL_SUCCESS ? p->old : 0);
    const int64_t beside = atomic_load(&peak) - before - left + made_rows(p);
    cr_assert(beside <= limit, "%lld bytes beside the result, limit %lld: %s", (long long)beside,
              (long long)limit, t_case_text());
    return info;
}

static gbl_Info multiply_fresh(void *context) {
    const job *of = context;
    int64_t limit = 0;
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &limit, GBL_MEMORY_LIMIT));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    product p = begin(of);
    t_Tuples unchanged = t_tuples_of(p.C);
    const gbl_Info info = multiply_within(&p, limit);
    if (info != GBL_SUCCESS) {
        char text[512];
        strcpy(text, gbl_last_error());
        t_expect_tuples(&unchanged, p.C);
    }
    t_tuples_free(&unchanged);
    end(&p);
    return info;
}

static void expect_within(const job *of, const t_Tuples *expected, int64_t limit) {
    product p = begin(of);
    t_case("%s, limit %lld", of->name, (long long)limit);
    const gbl_Info info = multiply_within(&p, limit);
    cr_assert(info == GBL_SUCCESS, "%d: %s", (int)info, gbl_last_error());
    t_expect_tuples(expected, p.C);
    end(&p);
}

static void try_limits(const job *of) {
    product p = begin(of);
    t_case("%s, no limit", of->name);
    OK(multiply(&p));
    t_Tuples expected = t_tuples_of(p.C);
    end(&p);
    t_case("%s, the least limit", of->name);
    job copy = *of;
    const int64_t least = t_with_least_memory(multiply_fresh, &copy);
    for (int64_t limit = least, k = 0; k < 4; k++, limit *= 5) expect_within(of, &expected, limit);
    t_tuples_free(&expected);
}

static void try_all(const job *jobs, size_t n) {
    for (int32_t threads = 1; threads <= 3; threads += 2) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        for (size_t k = 0; k < n; k++)
            if (!t_left_out()) try_limits(&jobs[k]);
    }
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 0, GBL_NTHREADS));
}

#define ROWWISE .method = GBL_METHOD_ROWWISE

MEMORY_TEST(rowwise) {
    static const job jobs[] = {
        {"upper bound", "er:11:8", ROWWISE, .workflow = GBL_WORKFLOW_UPPER_BOUND},
        {"estimate", "rmat:10:8", ROWWISE, .workflow = GBL_WORKFLOW_ESTIMATE},
        {"symbolic", "fem:8:3", ROWWISE, .workflow = GBL_WORKFLOW_SYMBOLIC},
        {"skewed", "rmat:11:8", ROWWISE},
        {"transposed", "rmat:10:8", ROWWISE, .transpose = true},
        {"wide", "er:14:1", ROWWISE},
    };
    try_all(jobs, T_COUNT(jobs));
}

MEMORY_TEST(tiled) {
    static const job jobs[] = {
        {"tiles", "fem:6:3", .method = GBL_METHOD_TILED},
        {"tiles in a mask", "band:1000:20", .method = GBL_METHOD_TILED, .mask = T_STRUCTURAL},
        {"tiles outside it", "band:1000:20", .method = GBL_METHOD_TILED, .mask = T_COMP},
        {"transposed tiles", "fem:6:3", .method = GBL_METHOD_TILED, .transpose = true},
        {"tiles added to C", "fem:6:3", .method = GBL_METHOD_TILED, .accum = true},
    };
    try_all(jobs, T_COUNT(jobs));
}

MEMORY_TEST(outer) {
    static const job jobs[] = {
        {"outer", "er:11:8", .method = GBL_METHOD_OUTER},
        {"long rows", "rmat:10:16", .method = GBL_METHOD_OUTER},
        {"outer in a mask", "er:11:8", .method = GBL_METHOD_OUTER, .mask = T_VALUED},
        {"outer, added to C", "er:11:8", .method = GBL_METHOD_OUTER, .accum = true},
    };
    try_all(jobs, T_COUNT(jobs));
}

MEMORY_TEST(vector) {
    static const job jobs[] = {
        {"vector", "er:11:4", .method = GBL_METHOD_VECTOR},
        {"long rows", "rmat:10:8", .method = GBL_METHOD_VECTOR},
        {"vector in a mask", "er:11:4", .method = GBL_METHOD_VECTOR, .mask = T_VALUED},
        {"vector, added to C", "er:11:4", .method = GBL_METHOD_VECTOR, .accum = true},
    };
    try_all(jobs, T_COUNT(jobs));
}

MEMORY_TEST(filtered) {
    static const job jobs[] = {
        {"uniform", "er:12:8", .filter = true},
        {"skewed", "rmat:11:16", .filter = true},
        {"hub", "rmat:12:8", .filter = true, .accum = true, .mask = T_STRUCTURAL},
        {"estimate", "rmat:11:8", .filter = true, .workflow = GBL_WORKFLOW_ESTIMATE},
        {"symbolic", "er:11:16", .filter = true, .workflow = GBL_WORKFLOW_SYMBOLIC},
    };
    try_all(jobs, T_COUNT(jobs));
}

/* What is merged into C or cast is not C yet. */
MEMORY_TEST(masks_and_accumulators) {
    static const job jobs[] = {
        {"dot", "rmat:11:8", .method = GBL_METHOD_DOT, .mask = T_STRUCTURAL},
        {"in a mask", "rmat:11:8", ROWWISE, .mask = T_VALUED},
        {"outside a mask", "rmat:11:8", ROWWISE, .mask = T_COMP_STRUCTURAL},
        {"added to C", "rmat:11:8", ROWWISE, .accum = true},
        {"added in a mask", "rmat:11:8", ROWWISE, .accum = true, .mask = T_STRUCTURAL},
        {"cast", "er:12:4", ROWWISE, .cast = true},
    };
    try_all(jobs, T_COUNT(jobs));
}

MEMORY_TEST(panel) {
    static const job jobs[] = {
        {"panels", "fem:8:3", .method = GBL_METHOD_PANEL},
        {"panels of a band", "band:4000:6", .method = GBL_METHOD_PANEL},
        {"far columns", "rmat:11:8", .method = GBL_METHOD_PANEL},
        {"transposed", "rmat:10:8", .method = GBL_METHOD_PANEL, .transpose = true},
        {"panels in a mask", "er:11:8", .method = GBL_METHOD_PANEL, .mask = T_VALUED},
        {"panels outside a mask", "er:11:8", .method = GBL_METHOD_PANEL, .mask = T_COMP},
        {"panels added to C", "fem:6:3", .method = GBL_METHOD_PANEL, .accum = true},
    };
    try_all(jobs, T_COUNT(jobs));
}

/* One block of fem is a full matrix. */
MEMORY_TEST(spmm) {
    static const job jobs[] = {
        {"full", "fem:1:150", .method = GBL_METHOD_SPMM},
        {"full, transposed", "fem:1:150", .method = GBL_METHOD_SPMM, .transpose = true},
        {"full in a mask", "fem:1:120", .method = GBL_METHOD_SPMM, .mask = T_VALUED},
        {"full outside a mask", "fem:1:120", .method = GBL_METHOD_SPMM, .mask = T_COMP},
        {"full, added to C", "fem:1:120", .method = GBL_METHOD_SPMM, .accum = true},
        {"full, cast", "fem:1:120", .method = GBL_METHOD_SPMM, .cast = true},
    };
    try_all(jobs, T_COUNT(jobs));
}

MEMORY_TEST(spamm) {
    static const job jobs[] = {
        {"approximate, tiles", "fem:5:3", .method = GBL_METHOD_SPAMM},
        {"approximate, transposed", "fem:5:3", .method = GBL_METHOD_SPAMM, .transpose = true},
        {"approximate, in a mask", "rmat:9:8", .method = GBL_METHOD_SPAMM, .mask = T_VALUED},
        {"approximate, added to C", "fem:5:3", .method = GBL_METHOD_SPAMM, .accum = true},
        {"approximate, full", "fem:1:150", .method = GBL_METHOD_SPAMM},
        {"approximate, full, cast", "fem:1:120", .method = GBL_METHOD_SPAMM, .cast = true},
    };
    try_all(jobs, T_COUNT(jobs));
}

/* A limit has room for the rows that cells become; below it nothing is made. */
MEMORY_TEST(cells) {
    static const job jobs[] = {
        {"cells", "er:8:60", .cells = true},
        {"cells by rows", "er:8:60", ROWWISE, .cells = true, .transpose = true},
        {"cells, tiled", "er:8:60", .method = GBL_METHOD_TILED, .cells = true},
        {"cells by columns", "er:8:60", .method = GBL_METHOD_OUTER, .cells = true},
        {"cells in a mask", "er:8:60", .method = GBL_METHOD_DOT, .cells = true, .mask = T_VALUED},
        {"cells added to C", "er:8:60", ROWWISE, .cells = true, .accum = true},
        {"full cells", "fem:1:120", .method = GBL_METHOD_SPMM, .cells = true},
    };
    try_all(jobs, T_COUNT(jobs));
    const job of = {"cells, rows do not fit", "er:8:60", .cells = true};
    product p = begin(&of);
    t_Tuples unchanged = t_tuples_of(p.C);
    const int64_t rows = (int64_t)(p.A->m.nvals * 12);
    CHECK_EQ(multiply_within(&p, rows), GBL_OUT_OF_MEMORY);
    CHECK(strstr(gbl_last_error(), "GBL_MEMORY_LIMIT") != NULL);
    t_expect_tuples(&unchanged, p.C);
    CHECK_EQ(gb_has(&p.A->m), (unsigned)GBL_HAS_BITMAP);
    OK(multiply_within(&p, 10 * rows));
    CHECK(gb_has(&p.A->m) & GBL_HAS_CSR); /* and what else the method reads */
    t_tuples_free(&unchanged);
    end(&p);
}

MEMORY_TEST(chosen) {
    static const job jobs[] = {{.name = "uniform", .A = "er:12:8"},
                               {.name = "blocks", .A = "fem:6:6"},
                               {.name = "band", .A = "band:4000:2"}};
    try_all(jobs, T_COUNT(jobs));
}

/* -- what methods say of their workspace ------------------------------------------------------- */

#ifdef GB_TINY /* bins of a few flops: their bookkeeping is nearly all */
#define SAID_MOST 8.0
#else
#define SAID_MOST 3.0
#endif

/* Without a limit, the bytes that a method says it takes at its peak, C included, are near those
 * that the allocator counts: not below two thirds of them, nor above SAID_MOST times as many. */
static void expect_said(const job *of) {
    gbl_Explanation plan = GBL_EXPLANATION_INIT;
    product p = begin(of);
    t_case("%s of %s", of->name, of->A);
    OK(gbl_mxm_plan(&plan, p.C, p.M, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, p.A, p.A, p.desc));
    const int64_t before = atomic_load(&live);
    atomic_store(&peak, before);
    OK(multiply(&p));
    const double counted = (double)(atomic_load(&peak) - before);
    const double said = (double)plan.candidates[plan.chosen].bytes;
    cr_assert(said > 0.67 * counted && said < SAID_MOST * counted, "%s: said %.0f, counted %.0f",
              t_case_text(), said, counted);
    end(&p);
}

MEMORY_TEST(workspace_is_as_said) {
    static const job jobs[] = {
        {"upper bound", "er:14:8", ROWWISE, .workflow = GBL_WORKFLOW_UPPER_BOUND},
        {"upper bound", "fem:14:3", ROWWISE, .workflow = GBL_WORKFLOW_UPPER_BOUND},
        {"estimate", "rmat:13:8", ROWWISE, .workflow = GBL_WORKFLOW_ESTIMATE},
        {"estimate", "fem:14:3", ROWWISE, .workflow = GBL_WORKFLOW_ESTIMATE},
        {"symbolic", "rmat:13:8", ROWWISE, .workflow = GBL_WORKFLOW_SYMBOLIC},
        {"symbolic", "er:14:8", ROWWISE, .workflow = GBL_WORKFLOW_SYMBOLIC},
        {"outer", "er:14:8", .method = GBL_METHOD_OUTER},
        {"outer", "rmat:13:8", .method = GBL_METHOD_OUTER},
        {"tiled", "fem:14:3", .method = GBL_METHOD_TILED},
        {"tiled", "fem:8:8", .method = GBL_METHOD_TILED},
        {"dot", "rmat:13:8", .method = GBL_METHOD_DOT, .mask = T_STRUCTURAL},
        {"spmm", "fem:1:900", .method = GBL_METHOD_SPMM},
        {"vector", "er:14:8", .method = GBL_METHOD_VECTOR},
        {"vector", "rmat:13:8", .method = GBL_METHOD_VECTOR},
        {"panel", "fem:14:3", .method = GBL_METHOD_PANEL},
        {"panel", "band:30000:8", .method = GBL_METHOD_PANEL},
    };
    /* of several threads one may be held up by the system, and the buffers of the others wait */
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
    for (size_t k = 0; k < T_COUNT(jobs); k++)
        if (!t_left_out()) expect_said(&jobs[k]);
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 0, GBL_NTHREADS));
}

/* Without a limit the rows that wait for their places are few beside the product. */
MEMORY_TEST(filtered_rows_do_not_pile_up) {
    const job of = {"piles", "er:13:64", .filter = true};
    product p = begin(&of);
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
    const int64_t before = atomic_load(&live);
    atomic_store(&peak, before);
    OK(multiply(&p));
    const int64_t whole = INT64_C(12) * 8192 * 3226; /* bytes of all entries of the product */
    CHECK(atomic_load(&peak) - before < whole / 4);
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 0, GBL_NTHREADS));
    end(&p);
}

/* The limit can come from the environment, and nonsense there is told. */
Test(mxm_memory, environment) {
    static const struct {
        const char *text;
        int64_t bytes;
    } cases[] = {
        {"0", 0}, {"123456", 123456}, {"64K", 64 << 10}, {"3m", 3 << 20}, {"2G", INT64_C(2) << 30}};
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        int64_t limit = -1;
        setenv("GBLITE_MEMORY_LIMIT", cases[k].text, 1);
        OK(gbl_init(GBL_NONBLOCKING));
        OK(gbl_Global_get_INT64(GBL_GLOBAL, &limit, GBL_MEMORY_LIMIT));
        CHECK_EQ(limit, cases[k].bytes);
        OK(gbl_finalize());
    }
    static const char *const wrong[] = {"-1", "much", "12KB", "1T5", "99999999999G", " 5"};
    for (size_t k = 0; k < T_COUNT(wrong); k++) {
        t_case("GBLITE_MEMORY_LIMIT=%s", wrong[k]);
        setenv("GBLITE_MEMORY_LIMIT", wrong[k], 1);
        FAILS(GBL_INVALID_VALUE, gbl_init(GBL_NONBLOCKING));
    }
}
