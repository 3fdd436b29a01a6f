/* SPDX-License-Identifier: Apache-2.0
 *
 * The bits of mxv and vxm: every entry is summed from the left in the order of the inner index, so
 * the result depends neither on push or pull, nor on how the matrix is held, nor on what was called
 * before, nor on threads. Expected are plain loops over values whose sums round, and over -0. Then
 * how a form is asked for.
 */
#include "support/gb_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gblite_io.h>
#include "matrix/matrix.h"

/* ---------------------------------------------------------------------------------- operands -- */

typedef struct {
    gbl_Index m, n;
    bool *has; /* [m * n] by rows */
    double *x;
} plain;

static plain plain_new(gbl_Index m, gbl_Index n) {
    return (plain){m, n, calloc(m * n, sizeof(bool)), calloc(m * n, sizeof(double))};
}

static void plain_free(plain *A) {
    free(A->has);
    free(A->x);
}

/* Exact in FP32 too; sums of two round. */
static double value(t_Random *r) {
    static const double scale[] = {1.0 / 1048576, 1, 1024, 1048576};
    return (double)(1 + t_below(r, 1 << 20)) / 4096 * scale[t_below(r, 4)];
}

static void put(plain *A, gbl_Index i, gbl_Index j, double x) {
    A->has[i * A->n + j] = true;
    A->x[i * A->n + j] = x;
}

/* Long and short rows, full and nearly empty tiles; row 7 is -0 where it is anything. */
static plain mixed(void) {
    t_Random r = t_random(5);
    plain A = plain_new(260, 240);
    for (gbl_Index i = 0; i < A.m; i++)
        for (gbl_Index j = 0; j < A.n; j++)
            if (t_chance(&r, i % 3 == 0 || i == 7 ? 0.8 : i % 3 == 1 ? 0.3 : 0.02))
                put(&A, i, j, i == 7 ? -0.0 : t_chance(&r, 0.4) ? -value(&r) : value(&r));
    return A;
}

/* Few entries beside positions: six rows of forty. */
static plain scattered(void) {
    t_Random r = t_random(6);
    plain A = plain_new(20000, 40);
    for (gbl_Index i = 0; i < 6; i++)
        for (gbl_Index j = 0; j < A.n; j++)
            put(&A, i * 3999, j, i == 2 ? -0.0 : t_chance(&r, 0.4) ? -value(&r) : value(&r));
    return A;
}

static plain turned(const plain *A) {
    plain T = plain_new(A->n, A->m);
    for (gbl_Index i = 0; i < A->m; i++)
        for (gbl_Index j = 0; j < A->n; j++)
            if (A->has[i * A->n + j]) put(&T, j, i, A->x[i * A->n + j]);
    return T;
}

static plain positive_vector(gbl_Index n, double density) {
    t_Random r = t_random(7);
    plain u = plain_new(n, 1);
    for (gbl_Index k = 0; k < n; k++)
        if (t_chance(&r, density)) put(&u, k, 0, value(&r));
    return u;
}

static gbl_Vector vector_of(const plain *u) {
    gbl_Vector v = t_new_vector(GBL_FP64, u->m);
    for (gbl_Index k = 0; k < u->m; k++)
        if (u->has[k]) OK(gbl_Vector_setElement_FP64(v, u->x[k], k));
    return v;
}

typedef enum { ROWS, COLUMNS, ROWS_BACKWARDS, COLUMNS_BACKWARDS, TILES, TILES_OF_COLUMNS } Hold;
static const char *const hold_names[] = {
    "rows", "columns", "rows, unsorted", "columns, unsorted", "tiles", "tiles of columns"};

/* As rows (of A, or of its transpose when by_columns), the entries of each backwards. */
static gbl_Matrix backwards(const plain *A, bool by_columns) {
    const gbl_Index nmajor = by_columns ? A->n : A->m, nminor = by_columns ? A->m : A->n;
    gbl_Index *p = calloc(nmajor + 1, sizeof *p), *i = calloc(A->m * A->n, sizeof *i), n = 0;
    double *x = calloc(A->m * A->n, sizeof *x);
    gbl_Matrix made = NULL;
    for (gbl_Index major = 0; major < nmajor; major++) {
        for (gbl_Index minor = nminor; minor-- > 0;) {
            const gbl_Index at = by_columns ? minor * A->n + major : major * A->n + minor;
            if (!A->has[at]) continue;
            i[n] = minor;
            x[n++] = A->x[at];
        }
        p[major + 1] = n;
    }
    OK(gbl_Matrix_import_FP64(&made, GBL_FP64, A->m, A->n, p, i, x, nmajor + 1, n, n,
                              by_columns ? GBL_CSC_FORMAT : GBL_CSR_FORMAT));
    free(p);
    free(i);
    free(x);
    return made;
}

static gbl_Matrix held(const plain *A, Hold hold) {
    const bool by_columns =
        hold == COLUMNS || hold == COLUMNS_BACKWARDS || hold == TILES_OF_COLUMNS;
    const gb_Format format = by_columns ? GB_CSC : GB_CSR;
    gbl_Matrix made = backwards(A, by_columns);
    gb_CsView list;
    gb_TileView tiles;
    if (hold == ROWS || hold == COLUMNS) OK(gb_acquire_sorted(&made->m, format, &list));
    if (hold == TILES || hold == TILES_OF_COLUMNS) {
        OK(gb_acquire_tiles(&made->m, format, &tiles));
        gb_matrix_keep_only(&made->m, gb_tiles_bit(format));
    }
    return made;
}

/* ------------------------------------------------------------------------------------- rings -- */

static double plus(double x, double y) {
    return x + y;
}

static double plus_single(double x, double y) {
    return (float)x + (float)y;
}

static double least(double x, double y) {
    return x < y || y != y ? x : y;
}

static double first(double x, double y) {
    (void)y;
    return x;
}

static double halve_and_add(double x, double y) {
    return x / 2 + y;
}

static double times(double x, double y) {
    return x * y;
}

static double times_single(double x, double y) {
    return (float)x * (float)y;
}

static void user_add(void *z, const void *x, const void *y) {
    const double sum = halve_and_add(*(const double *)x, *(const double *)y);
    memcpy(z, &sum, sizeof sum);
}

typedef struct {
    const char *name;
    gbl_Semiring handle;
    double (*add)(double, double), (*multiply)(double, double);
} ring;

enum { RINGS = 6 };

typedef struct {
    ring of[RINGS];
    gbl_BinaryOp op;
    gbl_Monoid monoid, any;
    gbl_Semiring own, own_any;
} rings;

static rings rings_new(void) {
    rings r = {.own = NULL};
    OK(gbl_BinaryOp_new(&r.op, user_add, GBL_FP64, GBL_FP64, GBL_FP64));
    OK(gbl_Monoid_new_FP64(&r.monoid, r.op, 0));
    OK(gbl_Semiring_new(&r.own, r.monoid, GBL_TIMES_FP64));
    OK(gbl_Semiring_new(&r.own_any, GBL_ANY_MONOID_FP64, GBL_TIMES_FP64));
    const ring all[RINGS] = {
        {"plus times FP64", GBL_PLUS_TIMES_SEMIRING_FP64, plus, times},
        {"plus times FP32", GBL_PLUS_TIMES_SEMIRING_FP32, plus_single, times_single},
        {"plus min, generic", GBL_PLUS_MIN_SEMIRING_FP64, plus, least},
        {"min plus FP64", GBL_MIN_PLUS_SEMIRING_FP64, least, plus},
        {"the user's", r.own, halve_and_add, times},
        {"any times", r.own_any, first, times},
    };
    memcpy(r.of, all, sizeof all);
    return r;
}

static void rings_free(rings *r) {
    FREE(r->own, r->own_any, r->monoid, r->op);
}

/* ------------------------------------------------------------------------------------ checks -- */

static plain expected(const plain *A, const plain *u, const ring *of) {
    plain w = plain_new(A->m, 1);
    for (gbl_Index i = 0; i < A->m; i++) {
        for (gbl_Index k = 0; k < A->n; k++) {
            if (!A->has[i * A->n + k] || !u->has[k]) continue;
            const double product = of->multiply(A->x[i * A->n + k], u->x[k]);
            put(&w, i, 0, w.has[i] ? of->add(w.x[i], product) : product);
        }
    }
    return w;
}

static void expect_bits(const plain *expected, gbl_Vector w) {
    gbl_Index *at = calloc(expected->m, sizeof *at), count = expected->m, n = 0;
    double *x = calloc(expected->m, sizeof *x);
    OK(gbl_Vector_extractTuples_FP64(at, x, &count, w));
    for (gbl_Index i = 0; i < expected->m; i++) {
        if (!expected->has[i]) continue;
        CHECK(n < count && at[n] == i);
        cr_assert(memcmp(&x[n], &expected->x[i], sizeof *x) == 0,
                  "w(%llu) is %a instead of %a\n  case: %s", (unsigned long long)i, x[n],
                  expected->x[i], t_case_text());
        n++;
    }
    CHECK_EQ(n, count);
    free(at);
    free(x);
}

static void run_both(const plain *A, gbl_Matrix gA, const plain *u, const rings *r,
                     gbl_Desc_Value method) {
    const t_Flags flags = {.method = method}, right = {.method = method, .tran1 = true};
    gbl_Descriptor desc = t_descriptor(&flags), transposed = t_descriptor(&right);
    gbl_Vector gu = vector_of(u), w = NULL;
    for (int k = 0; k < RINGS; k++) {
        plain result = expected(A, u, &r->of[k]);
        for (int threads = 1; threads <= 3; threads += 2) {
            OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
            t_case("%s, %d threads, method %d", r->of[k].name, threads, (int)method);
            OK(gbl_Vector_new(&w, GBL_FP64, A->m));
            OK(gbl_mxv(w, NULL, NULL, r->of[k].handle, gA, gu, desc));
            expect_bits(&result, w);
            OK(gbl_vxm(w, NULL, NULL, r->of[k].handle, gu, gA, transposed));
            expect_bits(&result, w);
            OK(gbl_Vector_free(&w));
        }
        plain_free(&result);
    }
    FREE(gu, desc, transposed);
}

static void run_holds(const plain *A, gbl_Desc_Value method) {
    static const double densities[] = {1, 0.5, 0.05};
    rings r = rings_new();
    for (Hold hold = ROWS; hold <= TILES_OF_COLUMNS; hold++) {
        gbl_Matrix gA = NULL;
        for (size_t d = 0; d < T_COUNT(densities); d++) {
            plain u = positive_vector(A->n, densities[d]);
            if (method == GBL_DEFAULT || gA == NULL) gA = held(A, hold);
            cr_log_info("%s, u %g", hold_names[hold], densities[d]);
            run_both(A, gA, &u, &r, method);
            plain_free(&u);
            if (method == GBL_DEFAULT || d + 1 == T_COUNT(densities)) OK(gbl_Matrix_free(&gA));
        }
    }
    rings_free(&r);
}

GB_TEST(mxv_order, of_every_form) {
    plain A = mixed();
    run_holds(&A, GBL_DEFAULT);
    plain_free(&A);
}

GB_TEST(mxv_order, of_forced_forms) {
    plain A = mixed();
    run_holds(&A, GBL_METHOD_PUSH);
    run_holds(&A, GBL_METHOD_PULL);
    plain_free(&A);
}

/* Sorted products, and lists that are searched. */
GB_TEST(mxv_order, of_few_entries) {
    plain A = scattered(), T = turned(&A);
    run_holds(&A, GBL_DEFAULT);
    run_holds(&T, GBL_DEFAULT);
    plain_free(&A);
    plain_free(&T);
}

/* Lists over several blocks of positions, pushed by one to five threads: those of the first columns
 * walk rows from their beginning, of the last from their end, and others search; and with few and
 * with many products for each position. One value in 16 is NaN, which a minimum leaves out. */
static gbl_Vector part_of_all(gbl_Index n, gbl_Index one_in, t_Random *r) {
    gbl_Vector u = t_new_vector(GBL_FP64, n);
    for (gbl_Index k = t_below(r, one_in); k < n; k += 1 + t_below(r, 2 * one_in - 1))
        OK(gbl_Vector_setElement_FP64(u, t_below(r, 16) > 0 ? value(r) : (double)NAN, k));
    return u;
}

static gbl_Index product_of(gbl_Index *at, double *x, gbl_Semiring of, gbl_Vector u, gbl_Matrix A,
                            gbl_Desc_Value method) {
    const t_Flags flags = {.method = method};
    gbl_Descriptor desc = t_descriptor(&flags);
    gbl_Index n = 0;
    OK(gbl_Matrix_ncols(&n, A));
    gbl_Vector w = t_new_vector(GBL_FP64, n);
    OK(gbl_vxm(w, NULL, NULL, of, u, A, desc));
    OK(gbl_Vector_extractTuples_FP64(at, x, &n, w));
    for (gbl_Index k = 0; k < n; k++) x[k] = x[k] == x[k] ? x[k] : (double)NAN; /* of one sign */
    OK(gbl_Vector_free(&w));
    OK(gbl_Descriptor_free(&desc));
    return n;
}

GB_TEST(mxv_order, of_lists_pushed_by_threads) {
    const gbl_Semiring of[] = {GBL_PLUS_TIMES_SEMIRING_FP64, GBL_MIN_PLUS_SEMIRING_FP64,
                               GBL_MAX_PLUS_SEMIRING_FP64, GBL_MIN_PLUS_SEMIRING_FP32,
                               GBL_MIN_FIRST_SEMIRING_INT64};
    t_Random r = t_random(11);
    gbl_Matrix A = NULL;
    gbl_Index n = 0;
    OK(gbl_generate(&A, GBL_FP64, "rmat:15:8"));
    OK(gbl_Matrix_nrows(&n, A));
    gbl_Index *at = calloc(2 * n, sizeof *at);
    double *x = calloc(2 * n, sizeof *x);
    for (gbl_Index one_in = 4; one_in <= 256; one_in *= 8) {
        gbl_Vector u = part_of_all(n, one_in, &r);
        for (size_t k = 0; k < T_COUNT(of); k++) {
            OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
            const gbl_Index count = product_of(at, x, of[k], u, A, GBL_METHOD_PULL);
            for (int threads = 1; threads <= 5; threads++) {
                t_case("semiring %zu, one in %d, %d threads", k, (int)one_in, threads);
                OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
                CHECK_EQ(product_of(at + n, x + n, of[k], u, A, GBL_METHOD_PUSH), count);
                CHECK(memcmp(at, at + n, count * sizeof *at) == 0);
                CHECK(memcmp(x, x + n, count * sizeof *x) == 0);
            }
        }
        OK(gbl_Vector_free(&u));
    }
    free(at);
    free(x);
    OK(gbl_Matrix_free(&A));
}

/* ------------------------------------------------------------------------ asking for a form -- */

typedef struct {
    plain A, U;
    gbl_Matrix a, b, c; /* c = a * b */
    gbl_Vector u, v, w; /* v as long as u */
} operands;

static operands operands_new(void) {
    operands o = {.A = mixed()};
    o.U = positive_vector(o.A.n, 0.5);
    o.a = held(&o.A, ROWS);
    OK(gbl_Matrix_new(&o.b, GBL_FP64, o.A.n, o.A.m));
    OK(gbl_transpose(o.b, NULL, NULL, o.a, NULL));
    o.u = vector_of(&o.U);
    OK(gbl_Vector_new(&o.v, GBL_FP64, o.A.n));
    OK(gbl_Vector_new(&o.w, GBL_FP64, o.A.m));
    OK(gbl_Matrix_new(&o.c, GBL_FP64, o.A.m, o.A.m));
    return o;
}

static void operands_free(operands *o) {
    plain_free(&o->A);
    plain_free(&o->U);
    FREE(o->a, o->b, o->c, o->u, o->v, o->w);
}

static gbl_Info mxv(const operands *o, gbl_Descriptor desc) {
    return gbl_mxv(o->w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, o->a, o->u, desc);
}

static gbl_Info product(const operands *o, gbl_Descriptor desc) {
    return gbl_mxm(o->c, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, o->a, o->b, desc);
}

static void expect_method(const operands *o, const char *method, bool forced) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    OK(gbl_Vector_explain(&how, o->w));
    CHECK(strcmp(how.method, method) == 0);
    CHECK_EQ(how.forced, forced);
    CHECK(strcmp(how.machine, "built in") == 0);
}

GB_TEST(mxv_order, form_asked_for_by_descriptor) {
    operands o = operands_new();
    const t_Flags flags[] = {{.method = GBL_METHOD_PUSH}, {.method = GBL_METHOD_PULL}};
    for (int f = 0; f < 2; f++) {
        gbl_Descriptor desc = t_descriptor(&flags[f]);
        OK(mxv(&o, desc)); /* push: columns are made */
        expect_method(&o, f ? "pull" : "push", true);
        CHECK(gb_has(&o.a->m) & GBL_HAS_CSC);
        FAILS(GBL_INVALID_VALUE, product(&o, desc));
        OK(gbl_Descriptor_free(&desc));
    }
    operands_free(&o);
}

GB_TEST(mxv_order, choices_of_mxm_are_refused) {
    operands o = operands_new();
    const t_Flags flags[] = {{.method = GBL_METHOD_ROWWISE},
                             {.method = GBL_METHOD_DOT},
                             {.method = GBL_METHOD_TILED},
                             {.method = GBL_METHOD_OUTER},
                             {.workflow = GBL_WORKFLOW_SYMBOLIC},
                             {.accumulators = GBL_ACCUMULATE_HASH},
                             {.registers = 64}};
    for (size_t f = 0; f < T_COUNT(flags); f++) {
        gbl_Descriptor desc = t_descriptor(&flags[f]);
        t_case("choice %zu", f);
        FAILS(GBL_INVALID_VALUE, mxv(&o, desc));
        FAILS(GBL_INVALID_VALUE,
              gbl_vxm(o.v, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, o.w, o.a, desc));
        OK(gbl_Descriptor_free(&desc));
    }
    operands_free(&o);
}

/* The variable is for a whole program: a method of the other operation is none. */
GB_TEST(mxv_order, form_asked_for_by_the_environment) {
    static const struct {
        const char *name, *method;
        bool forced;
    } cases[] = {{"push", "push", true},   {"pull", "pull", true},  {"rowwise", "pull", false},
                 {"outer", "pull", false}, {"auto", "pull", false}, {"", "pull", false}};
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        operands o = operands_new();
        t_case("GBLITE_METHOD=%s", cases[k].name);
        setenv("GBLITE_METHOD", cases[k].name, 1);
        OK(mxv(&o, NULL));
        expect_method(&o, cases[k].method, cases[k].forced);
        OK(product(&o, NULL));
        operands_free(&o);
    }
    operands o = operands_new();
    setenv("GBLITE_METHOD", "sideways", 1);
    FAILS(GBL_INVALID_VALUE, mxv(&o, NULL));
    unsetenv("GBLITE_METHOD");
    operands_free(&o);
}
