/* SPDX-License-Identifier: Apache-2.0
 *
 * Row-wise products whose rows have exactly as many products as stand at the borders of the
 * accumulators, and whose columns are where keys, hashes and masks could go wrong.
 *
 * A problem is small and dense for the oracle. Its columns are then placed: an increasing list says
 * which column of a much wider matrix each of them becomes, so that the result must be the same but
 * for that. Values are doubles that round; since every accumulator adds the products of an entry in
 * the order of k, as the oracle does, results are compared to the bit.
 */
#include <stdlib.h>
#include <string.h>

#include "support/gb_test.h"

enum { MOST_COLUMNS = 2600, MASKS = 3 };
#define TOP T_COMPACT_MAX /* the largest number of columns; the last of them is 2^32 - 2 */

typedef struct {
    const char *name;
    o_Matrix A, B, M;
    o_Matrix C[MASKS]; /* the product: all of it, inside M, outside M */
} problem;

static const t_Mask masks[MASKS] = {T_NO_MASK, T_STRUCTURAL, T_COMP_STRUCTURAL};

/* --------------------------------------------------------------------------------- problems -- */

static void set(o_Matrix *D, t_Random *r, gbl_Index i, gbl_Index j) {
    o_Cell *cell = &D->x[i * D->ncols + j];
    cell->has = true;
    cell->v.f64 = (double)(int64_t)(t_next(r) | 1) * 0x1p-63;
}

/* Rows of the mask are empty, full, and of two densities in turn. */
static void make_mask(problem *p, t_Random *r) {
    static const double densities[] = {0.0, 1.0, 0.3, 0.9};
    p->M = o_new(o_type(GBL_FP64_CODE), p->A.nrows, p->B.ncols);
    for (gbl_Index i = 0; i < p->M.nrows; i++)
        for (gbl_Index j = 0; j < p->M.ncols; j++)
            if (t_chance(r, densities[i / 3 % 4])) set(&p->M, r, i, j);
}

static void solve(problem *p) {
    const o_Type type = o_type(GBL_FP64_CODE);
    const o_Ring ring = {t_find_binary(O_PLUS, GBL_FP64_CODE),
                         t_find_binary(O_TIMES, GBL_FP64_CODE), NULL};
    for (int m = 0; m < MASKS; m++) {
        const t_Flags flags = {.mask = masks[m]};
        const o_Rule rule = t_rule(&flags, &p->M, NULL);
        p->C[m] = o_new(type, p->A.nrows, p->B.ncols);
        o_mxm(&p->C[m], &rule, &(o_Product){&ring, &p->A, &p->B, NULL});
    }
}

static void problem_free(problem *p) {
    FREE(p->A, p->B, p->M);
    for (int m = 0; m < MASKS; m++) o_free(&p->C[m]);
}

/* Random A and B of these densities. */
static problem random_problem(const char *name, gbl_Index m, gbl_Index k, gbl_Index n, double da,
                              double db) {
    const o_Type type = o_type(GBL_FP64_CODE);
    t_Random r = t_random(m + n);
    problem p = {.name = name, .A = o_new(type, m, k), .B = o_new(type, k, n)};
    for (gbl_Index c = 0; c < m * k; c++)
        if (t_chance(&r, da)) set(&p.A, &r, c / k, c % k);
    for (gbl_Index c = 0; c < k * n; c++)
        if (t_chance(&r, db)) set(&p.B, &r, c / n, c % n);
    make_mask(&p, &r);
    solve(&p);
    return p;
}

static const unsigned borders[] = {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66};
enum { INNER = 220, RUN = 17, MIXED = 160, ROWS = (int)T_COUNT(borders) * RUN + MIXED };

/* Entries in row k of B. */
static unsigned length_of(gbl_Index k) {
    return 1 + (unsigned)(k % 5);
}

/* Row i of A meets rows of B with `products` entries in all. */
static void fill_row(problem *p, t_Random *r, gbl_Index i, unsigned products) {
    while (products > 0) {
        const gbl_Index k = t_below(r, INNER);
        if (length_of(k) > products || p->A.x[i * INNER + k].has) continue;
        set(&p->A, r, i, k);
        products -= length_of(k);
    }
}

/* Rows of exactly the lengths of the borders: runs of 17 rows of each, then all mixed. With few
 * columns most products of a row meet; with 660 no two rows of B share a column. */
static problem border_problem(const char *name, gbl_Index columns) {
    const o_Type type = o_type(GBL_FP64_CODE);
    t_Random r = t_random(columns);
    problem p = {.name = name, .A = o_new(type, ROWS, INNER), .B = o_new(type, INNER, columns)};
    gbl_Index place = 0;
    for (gbl_Index k = 0; k < INNER; k++) {
        if (columns < 660) place = t_below(&r, columns);
        for (unsigned e = 0; e < length_of(k); e++) set(&p.B, &r, k, place++ % columns);
    }
    for (gbl_Index i = 0; i < ROWS; i++)
        fill_row(&p, &r, i, borders[i < ROWS - MIXED ? i / RUN : t_below(&r, T_COUNT(borders))]);
    make_mask(&p, &r);
    solve(&p);
    return p;
}

/* ---------------------------------------------------------------------------------- placing -- */

typedef struct {
    const char *name;
    gbl_Index n, ncols;
    gbl_Index column[MOST_COLUMNS]; /* [n] increasing */
} placing;

static placing as_is(gbl_Index n) {
    placing p = {"as is", n, n, {0}};
    for (gbl_Index j = 0; j < n; j++) p.column[j] = j;
    return p;
}

/* the last n of so many columns */
static placing at_the_end(gbl_Index n, gbl_Index ncols) {
    placing p = {"at the end", n, ncols, {0}};
    for (gbl_Index j = 0; j < n; j++) p.column[j] = ncols - n + j;
    return p;
}

static placing apart(gbl_Index n, gbl_Index step, gbl_Index ncols) {
    placing p = {"apart", n, ncols, {0}};
    for (gbl_Index j = 0; j < n; j++) p.column[j] = j * step;
    return p;
}

/* Columns that a multiplicative hash by 2^64 / golden ratio (the library's) sends to one place, if
 * that is told by no more than 12 bits. */
static placing colliding(gbl_Index n, gbl_Index ncols) {
    placing p = {"colliding", n, ncols, {0}};
    gbl_Index found = 0;
    for (gbl_Index j = 0; found < n && j < ncols; j++)
        if (j * 0x9E3779B97F4A7C15u >> 52 == 5) p.column[found++] = j;
    CHECK_EQ(found, n);
    return p;
}

static gbl_Matrix placed(const o_Matrix *D, const placing *to) {
    const gbl_Index room = o_count(D) + 1;
    gbl_Index *I = malloc(room * sizeof *I), *J = malloc(room * sizeof *J), n = 0;
    double *X = malloc(room * sizeof *X);
    cr_assert(I != NULL && J != NULL && X != NULL);
    for (gbl_Index c = 0; c < D->nrows * D->ncols; c++) {
        if (!D->x[c].has) continue;
        I[n] = c / D->ncols;
        J[n] = to->column[c % D->ncols];
        X[n++] = D->x[c].v.f64;
    }
    gbl_Matrix A = t_new_matrix(GBL_FP64, D->nrows, to->ncols);
    OK(gbl_Matrix_build_FP64(A, I, J, X, n, NULL));
    free(I);
    free(J);
    free(X);
    return A;
}

static void expect_placed(const o_Matrix *expected, const placing *to, gbl_Matrix C) {
    gbl_Index n = 0, at = 0;
    OK(gbl_Matrix_nvals(&n, C));
    CHECK_EQ(n, o_count(expected));
    gbl_Index *I = malloc((n + 1) * sizeof *I), *J = malloc((n + 1) * sizeof *J);
    double *X = malloc((n + 1) * sizeof *X);
    cr_assert(I != NULL && J != NULL && X != NULL);
    OK(gbl_Matrix_extractTuples_FP64(I, J, X, &n, C));
    for (gbl_Index c = 0; c < expected->nrows * expected->ncols; c++) {
        if (!expected->x[c].has) continue;
        CHECK_EQ(I[at], c / expected->ncols);
        CHECK_EQ(J[at], to->column[c % expected->ncols]);
        cr_assert(memcmp(&X[at], &expected->x[c].v.f64, sizeof *X) == 0,
                  "row %llu, column %llu is %.17g, not %.17g\n  case: %s",
                  (unsigned long long)I[at], (unsigned long long)J[at], X[at], expected->x[c].v.f64,
                  t_case_text());
        at++;
    }
    free(I);
    free(J);
    free(X);
}

/* ---------------------------------------------------------------------------------- running -- */

/* Whatever keeps an array of all columns is left out where that would be large: the dense
 * accumulator, and the symbolic pass, which the default workflow may choose. */
static bool affordable(const t_Flags *flags, gbl_Index ncols) {
    const int32_t used = flags->accumulators;
    const bool counts = flags->workflow == GBL_DEFAULT || flags->workflow == GBL_WORKFLOW_SYMBOLIC;
    const bool dense = used != GBL_DEFAULT && (used & GBL_ACCUMULATE_HASH) == 0;
    return ncols < 1 << 20 || (!counts && !dense);
}

/* factors: A, B, and M or NULL */
static void multiply(const problem *p, const placing *to, const t_Flags *flags,
                     const gbl_Matrix *factors) {
    size_t m = 0;
    while (masks[m] != flags->mask) m++;
    t_case("%s, columns %s of %llu, %s", p->name, to->name, (unsigned long long)to->ncols,
           t_flags_text(flags));
    gbl_Descriptor desc = t_descriptor(flags);
    gbl_Matrix C = t_new_matrix(GBL_FP64, p->A.nrows, to->ncols);
    OK(gbl_mxm(C, factors[2], NULL, GBL_PLUS_TIMES_SEMIRING_FP64, factors[0], factors[1], desc));
    expect_placed(&p->C[m], to, C);
    FREE(C, desc);
}

/* Every workflow with every set of accumulators; masks and sketches in turn. */
static void run(const problem *p, const placing *to) {
    static const int32_t registers[] = {32, 64, 128};
    gbl_Matrix A = t_matrix(&p->A), B = placed(&p->B, to), M = placed(&p->M, to);
    for (size_t n = 0; n < T_COUNT(t_workflows) * T_COUNT(t_accumulators); n++) {
        const size_t w = n % T_COUNT(t_workflows), a = n / T_COUNT(t_workflows);
        for (size_t m = n % 2; m < MASKS; m += 1 + n % 2) {
            const t_Flags flags = {.mask = masks[m],
                                   .method = GBL_METHOD_ROWWISE,
                                   .workflow = t_workflows[w],
                                   .accumulators = t_accumulators[a],
                                   .registers = registers[(w + a) % 3],
                                   .any_order = (w + a + m) % 3 == 0};
            if (!affordable(&flags, to->ncols)) continue;
            multiply(p, to, &flags, (gbl_Matrix[]){A, B, m > 0 ? M : NULL});
        }
    }
    FREE(A, B, M);
}

static void run_borders(const char *name, gbl_Index columns) {
    problem p = border_problem(name, columns);
    placing all[] = {as_is(columns), at_the_end(columns, 1 << 26),
                     at_the_end(columns, (1 << 26) + 1), at_the_end(columns, TOP),
                     apart(columns, 1 << 22, TOP)};
    for (size_t k = 0; k < T_COUNT(all); k++) run(&p, &all[k]);
    problem_free(&p);
}

GB_TEST(mxm_columns, borders_many_duplicates) {
    run_borders("many duplicates", 7);
}

GB_TEST(mxm_columns, borders_some_duplicates) {
    run_borders("some duplicates", 64);
}

GB_TEST(mxm_columns, borders_no_duplicates) {
    run_borders("no duplicates", 660);
}

/* Rows of hundreds of products over columns that hash alike, or that differ in high bits only. */
GB_TEST(mxm_columns, collisions) {
    enum { N = 250 };
    problem p = random_problem("collisions", 30, 50, N, 0.7, 0.1);
    placing all[] = {colliding(N, TOP), apart(N, 1 << 24, TOP),
                     apart(N, 1 << 16, (gbl_Index)1 << 31)};
    for (size_t k = 0; k < T_COUNT(all); k++) run(&p, &all[k]);
    problem_free(&p);
}

/* Rows of tens of thousands of products, narrow and over all columns that there can be. */
GB_TEST(mxm_columns, long_rows) {
    enum { N = 2500 };
    problem p = random_problem("long rows", 3, 120, N, 0.9, 0.1);
    placing all[] = {as_is(N), apart(N, 858993, (gbl_Index)1 << 31), at_the_end(N, TOP)};
    for (size_t k = 0; k < T_COUNT(all); k++) run(&p, &all[k]);
    problem_free(&p);
}

/* A column times a row, all products in one row, one long row among short ones. */
GB_TEST(mxm_columns, uneven) {
    problem column = random_problem("column times row", 70, 1, 90, 0.8, 0.8);
    problem one = random_problem("one row", 25, 40, 130, 0, 0.4),
            mixed = border_problem("one long row", 100);
    t_Random r = t_random(6);
    for (gbl_Index k = 0; k < 40; k++) set(&one.A, &r, 11, k);
    for (gbl_Index k = 0; k < INNER; k++) set(&mixed.A, &r, 100, k);
    for (int m = 0; m < MASKS; m++) o_free(&one.C[m]), o_free(&mixed.C[m]);
    solve(&one);
    solve(&mixed);
    const problem *all[] = {&column, &one, &mixed};
    for (size_t k = 0; k < T_COUNT(all); k++) {
        placing narrow = as_is(all[k]->B.ncols), wide = apart(narrow.n, 1 << 24, TOP);
        run(all[k], &narrow);
        run(all[k], &wide);
    }
    problem_free(&column);
    problem_free(&one);
    problem_free(&mixed);
}

/* Counting rows, too, is done without an array of all columns where the result is wide and rows may
 * be hashed: large requests are refused here. */
Test(mxm_columns, wide_rows_are_counted_in_little_memory) {
    enum { N = 250 };
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, t_malloc, t_realloc, t_free));
    t_refuse_above((size_t)1 << 26);
    problem p = random_problem("wide", 30, 50, N, 0.7, 0.1);
    placing wide = apart(N, 1 << 24, TOP);
    gbl_Matrix A = t_matrix(&p.A), B = placed(&p.B, &wide), M = placed(&p.M, &wide);
    for (size_t a = 0; a < T_COUNT(t_accumulators); a++) {
        if (!(t_accumulators[a] & GBL_ACCUMULATE_HASH) && a > 0) continue;
        for (size_t n = 0; n < 2 * MASKS; n++) {
            const gbl_Desc_Value workflow = n < MASKS ? GBL_DEFAULT : GBL_WORKFLOW_SYMBOLIC;
            const t_Flags flags = {.mask = masks[n % MASKS],
                                   .method = GBL_METHOD_ROWWISE,
                                   .workflow = workflow,
                                   .accumulators = t_accumulators[a]};
            multiply(&p, &wide, &flags, (gbl_Matrix[]){A, B, n % MASKS > 0 ? M : NULL});
        }
    }
    FREE(A, B, M);
    problem_free(&p);
    t_refuse_above(0);
    OK(gbl_finalize());
    CHECK_EQ(t_live(), 0);
}
