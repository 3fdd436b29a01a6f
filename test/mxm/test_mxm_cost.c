/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost model: pure, monotone, and within what it says of legality and memory; decisions on
 * inputs anybody can generate, by the built-in tables and for a fixed machine, so that a changed
 * table shows which decisions moved.
 */
#include "support/gb_test.h"

#include <gblite_io.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/tune.h"
#include "mxm/mxm.h"
#include "mxm/plan/plan.h"

/* The rows of the table that tests name. */
enum {
    UPPER_BOUND,
    ESTIMATE,
    SYMBOLIC,
    OUTER,
    TILED,
    DOT,
    SPMM,
    SPMM_LEFT,
    VECTOR,
    PANEL,
    PANEL_GROUPED,
    SPAMM,
    SPAMM_FULL,
    GPU /* and all behind it */
};

static gb_Cost price(const gb_Features *f, const gb_MachineTable *m, int k) {
    gb_CostCase s;
    gb_cost_case(&s, f, m);
    const gb_Budget budget = gb_budget(gb_methods[k], &s);
    return gb_price(&budget, gb_methods[k], &s);
}

GB_TEST(mxm_cost, table) {
    static const char *const names[] = {"rowwise", "rowwise", "rowwise", "outer", "tiled", "dot",
                                        "spmm",    "spmm",    "vector",  "panel", "panel", "spamm",
                                        "spamm",   "rowwise", "tiled",   "dot",   "spamm"};
    static const char *const distinct[] = {"rowwise", "outer",  "tiled", "dot",
                                           "spmm",    "vector", "panel", "spamm"};
    gbl_Desc_Value value = GBL_DEFAULT;
    CHECK_EQ(gb_nmethods, T_COUNT(names));
    for (int k = 0; k < gb_nmethods; k++) {
        const gb_Method *m = gb_methods[k];
        t_case("%s (%s)", m->name, m->variant);
        cr_assert_str_eq(m->name, names[k]);
        CHECK((k >= GPU) == (m->place == GBL_PLACE_GPU));
        CHECK(gb_method_exists(m->method) && m->about[0] != '\0');
        CHECK(gb_method_find(&value, m->name) && value == m->method);
    }
    for (size_t k = 0; k < T_COUNT(distinct); k++) {
        const char *name = NULL;
        gbl_Desc_Value found = GBL_DEFAULT;
        OK(gbl_mxm_method(&name, &value, (int32_t)k));
        cr_assert_str_eq(name, distinct[k]);
        CHECK(gb_method_find(&found, name) && value == found);
        OK(gbl_mxm_method(NULL, NULL, (int32_t)k));
    }
    CHECK_EQ(gbl_mxm_method(NULL, &value, T_COUNT(distinct)), GBL_NO_VALUE);
    CHECK_EQ(gbl_mxm_method(NULL, &value, -1), GBL_NO_VALUE);
    CHECK(!gb_method_find(&value, "fastest") && !gb_method_exists(0));
}

/* Two threads of a machine with caches of common sizes. */
static gb_MachineTable machine(const char *isa) {
    gb_MachineTable m;
    gb_machine_builtin(&m, isa);
    m.cache[0] = 32768.0;
    m.cache[1] = 1048576.0;
    m.cache[2] = 33554432.0;
    return m;
}

static gbl_Matrix generate(const char *spec) {
    gbl_Matrix A = NULL;
    OK(gbl_generate(&A, GBL_FP64, spec));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

/* A * A, by rows. */
static gb_Features square(gbl_Matrix A) {
    gb_Features f;
    const gb_MxmCall call = {
        .C = &A->m, .A = &A->m, .B = &A->m, .ring = GBL_PLUS_TIMES_SEMIRING_FP64};
    OK(gb_mxm_features(&f, &call));
    f.threads = 2;
    f.budget = 4e9;
    f.warm = 1e12;
    f.fresh_share = 0.0;
    return f;
}

/* Factors by columns and as tiles, too. */
static void hold_all_forms(gb_Features *f) {
    f->A.has[GB_BY_COLUMNS] = f->B.has[GB_BY_COLUMNS] = true;
    f->A.has[GB_AS_TILES] = f->B.has[GB_AS_TILES] = true;
}

GB_TEST(mxm_cost, same_in_same_out) {
    gbl_Matrix A = generate("rmat:10:8");
    const gb_Features f = square(A), again = square(A);
    const gb_MachineTable m = machine("avx2");
    CHECK(memcmp(&f.rows, &again.rows, sizeof f.rows) == 0);
    CHECK(f.flops == again.flops && f.compression == again.compression);
    CHECK(f.A.fill == again.A.fill && f.sampled == again.sampled);
    for (int k = 0; k < gb_nmethods; k++) {
        const gb_Features before = f;
        const gb_Cost x = price(&f, &m, k);
        const gb_Cost y = price(&again, &m, k);
        CHECK(x.seconds == y.seconds && x.convert == y.convert);
        CHECK(x.bytes == y.bytes && x.slices == y.slices);
        CHECK(memcmp(&before, &f, sizeof f) == 0);
        CHECK(x.plan >= 0.0 && x.size >= 0.0 && x.plan + x.size + x.convert + x.pages <= x.seconds);
        gb_CostCase costs;
        gb_Counts kernel, convert;
        gb_cost_case(&costs, &f, &m);
        gb_price_counts(&kernel, &convert, gb_methods[k], &costs);
        CHECK(gb_cost_sum(&convert, &m) == x.convert);
    }
    OK(gbl_Matrix_free(&A));
}

/* Threads that gather the facts do not change them. */
GB_TEST(mxm_cost, facts_do_not_depend_on_threads) {
    gb_Features f[3];
    for (int t = 0; t < 3; t++) {
        gbl_Matrix A = generate("rmat:13:6");
        OK(gbl_Global_set_INT32(GBL_GLOBAL, 1 + 2 * t, GBL_NTHREADS));
        f[t] = square(A);
        OK(gbl_Matrix_free(&A));
    }
    for (int t = 1; t < 3; t++) {
        CHECK(memcmp(&f[t].rows, &f[0].rows, sizeof f->rows) == 0);
        CHECK(f[t].compression == f[0].compression && f[t].A.fill == f[0].A.fill);
    }
}

/* -- monotony */

/* The same product twice as large: twice the rows of the same kind. */
static gb_Features twice(const gb_Features *f) {
    gb_Features g = *f;
    g.m *= 2;
    g.A.nvals *= 2;
    g.flops *= 2;
    for (int c = 0; c < GB_CLASSES; c++) {
        g.rows.rows[c] *= 2;
        g.rows.flops[c] *= 2;
    }
    g.rows.rows_copied *= 2;
    g.rows.flops_copied *= 2;
    g.rows.upper_bound *= 2;
    g.rows.squares *= 2.0;
    return g;
}

static void expect_no_cheaper(const char *what, const gb_Features *more, const gb_Features *less) {
    static const char *const sets[] = {"portable", "avx2", "avx512"};
    for (size_t s = 0; s < T_COUNT(sets); s++)
        for (int k = 0; k < gb_nmethods; k++) {
            const gb_MachineTable m = machine(sets[s]);
            const gb_Cost x = price(more, &m, k);
            const gb_Cost y = price(less, &m, k);
            t_case("%s, %s, %s (%s)", what, sets[s], gb_methods[k]->name, gb_methods[k]->variant);
            CHECK(x.seconds >= y.seconds);
            CHECK(x.bytes >= y.bytes);
            CHECK(x.seconds >= x.convert && x.convert >= 0.0);
        }
}

GB_TEST(mxm_cost, more_work_is_never_cheaper) {
    static const char *const specs[] = {"er:10:4", "rmat:11:8", "fem:7:2", "band:900:20"};
    for (size_t k = 0; k < T_COUNT(specs); k++) {
        gbl_Matrix A = generate(specs[k]);
        gb_Features f = square(A), g = twice(&f);
        f.dot_work = g.dot_work = f.flops;
        expect_no_cheaper("twice the rows", &g, &f);
        g = f;
        g.dot_work *= 3;
        expect_no_cheaper("more entries to scan", &g, &f);
        g = f;
        g.mask = f.mask = GB_MASK_INSIDE;
        f.nnz_m = 100;
        g.nnz_m = 1000;
        expect_no_cheaper("a larger mask", &g, &f);
        g = f = square(A);
        f.dot_work = g.dot_work = f.flops;
        hold_all_forms(&f);
        expect_no_cheaper("conversions to be made", &g, &f);
        f.sketched = true;
        g.sketched = false;
        expect_no_cheaper("sketches to be made", &g, &f);
        g = f;
        g.values = GB_VALUES_GENERIC;
        expect_no_cheaper("user-defined operators", &g, &f);
        OK(gbl_Matrix_free(&A));
    }
}

GB_TEST(mxm_cost, more_memory_never_makes_more_slices) {
    gbl_Matrix A = generate("er:12:8");
    gb_Features f = square(A);
    const gb_MachineTable m = machine("avx512");
    double last[2] = {1e300, 1e300};
    for (f.budget = 1e4; f.budget < 1e12; f.budget *= 3.0) {
        const int methods[] = {OUTER, TILED};
        for (int k = 0; k < 2; k++) {
            const double slices = price(&f, &m, methods[k]).slices;
            CHECK(slices >= 1.0 && slices <= last[k]);
            last[k] = slices;
        }
    }
    CHECK(last[0] == 1.0 && last[1] == 1.0);
    OK(gbl_Matrix_free(&A));
}

/* A process that has multiplied nothing yet pays for every page; C in arrays that are cut to size
 * is fresh each time. */
GB_TEST(mxm_cost, fresh_pages_are_priced) {
    gbl_Matrix A = generate("fem:14:3");
    gb_Features f = square(A);
    const gb_MachineTable m = machine("avx512");
    CHECK(price(&f, &m, TILED).pages == 0.0);
    const double cut_to_size = price(&f, &m, UPPER_BOUND).pages;
    CHECK((cut_to_size > 0.0) ==
          ((double)f.rows.upper_bound > GB_SLACK_MAX * gb_expect_entries(&f)));
    f.warm = 0.0;
    f.fresh_share = 1.0;
    for (int k = 0; k < GPU; k++) {
        const gb_Cost cold = price(&f, &m, k);
        t_case("%s (%s)", gb_methods[k]->name, gb_methods[k]->variant);
        CHECK(cold.pages > 0.0 && cold.seconds >= cold.pages);
        f.fresh_share = 0.5;
        CHECK(price(&f, &m, k).pages < cold.pages);
        f.fresh_share = 1.0;
    }
    OK(gbl_Matrix_free(&A));
}

GB_TEST(mxm_cost, sampled_compression_is_near) {
    static const char *const specs[] = {"er:12:8",      "rmat:12:8",   "fem:10:2",
                                        "fem:6:8",      "band:3000:9", "rmat:9:30",
                                        "band:600:200", "er:9:100",    "er:8:200"};
    for (size_t k = 0; k < T_COUNT(specs); k++) {
        gbl_Matrix A = generate(specs[k]), C = NULL;
        const gb_Features f = square(A);
        const gbl_Index n = t_nrows(A);
        OK(gbl_Matrix_new(&C, GBL_FP64, n, n));
        OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
        const gbl_Index entries = t_nvals(C);
        const double real = (double)f.flops / (double)entries;
        t_case("%s: sampled %g +- %g, is %g", specs[k], f.compression, f.compression_error, real);
        CHECK(fabs(f.compression / real - 1.0) < fmax(f.compression_error, 0.1));
        CHECK(f.sampled > 0);
        FREE(A, C);
    }
}

/* Rows of B that are longer than a look: columns of several of them are looked at. */
GB_TEST(mxm_cost, samples_of_long_rows) {
    enum { ROWS = 4, INNER = 8, COLUMNS = 30000, LENGTH = 9500 };
    t_Random r = t_random(11);
    gbl_Matrix A = t_new_matrix(GBL_FP64, ROWS, INNER), B = t_new_matrix(GBL_FP64, INNER, COLUMNS);
    for (gbl_Index k = 0; k < ROWS * INNER; k++)
        OK(gbl_Matrix_setElement_FP64(A, 1.0, k / INNER, k % INNER));
    for (gbl_Index k = 0; k < INNER * LENGTH; k++)
        OK(gbl_Matrix_setElement_FP64(B, 1.0, k % INNER, t_below(&r, COLUMNS)));
    gb_CsView view; /* they may be held as their cells alone */
    OK(gb_acquire_sorted(&A->m, GB_CSR, &view));
    OK(gb_acquire_sorted(&B->m, GB_CSR, &view));
    gb_Features f;
    OK(gb_mxm_features(
        &f,
        &(gb_MxmCall){.C = &A->m, .A = &A->m, .B = &B->m, .ring = GBL_PLUS_TIMES_SEMIRING_FP64}));
    t_case("%g of %llu", f.compression, (unsigned long long)f.sampled);
    CHECK(f.sampled > 0);
    CHECK(fabs(f.compression / 2.37 - 1.0) < 0.2); /* of chance */
    FREE(A, B);
}

/* Seven equal rows and a longer one that is apart: it does not stand for them. */
GB_TEST(mxm_cost, panels_of_unequal_rows) {
    enum { ROWS = 2000, COMMON = 200, LONG = 260 };
    gbl_Matrix A = t_new_matrix(GBL_FP64, ROWS, ROWS);
    for (gbl_Index i = 0; i < ROWS; i++)
        for (gbl_Index k = 0; k < (i % 8 == 7 ? LONG : COMMON); k++)
            OK(gbl_Matrix_setElement_FP64(A, 1.0, i,
                                          i % 8 == 7 ? 1000 + 3 * k : (i / 8 + 4 * k) % 1000));
    gb_CsView view;
    OK(gb_acquire_sorted(&A->m, GB_CSR, &view));
    const gb_Features f = square(A);
    t_case("share %g", f.panels.share);
    CHECK(f.panels.share > 0.15 && f.panels.share < 0.45); /* is 460 / 1660, weighed by flops */
    OK(gbl_Matrix_free(&A));
}

/* What a sample looks at may have no product, though the row has many: then nothing is known. */
GB_TEST(mxm_cost, samples_may_see_nothing) {
    enum { ROWS = 512, INNER = 2000 };
    gbl_Matrix A = t_new_matrix(GBL_FP64, ROWS, INNER), B = t_new_matrix(GBL_FP64, INNER, INNER);
    OK(gbl_Matrix_assign_FP64(A, NULL, NULL, 1.0, GBL_ALL, ROWS, GBL_ALL, INNER, NULL));
    for (gbl_Index k = 1; k < INNER; k += 2) OK(gbl_Matrix_setElement_FP64(B, 1.0, k, k));
    gb_Features f;
    const gb_MxmCall call = {
        .C = &A->m, .A = &A->m, .B = &B->m, .ring = GBL_PLUS_TIMES_SEMIRING_FP64};
    OK(gb_mxm_features(&f, &call));
    CHECK(f.sampled == 0 && f.compression == 0.0);
    CHECK(isfinite(gb_expect_entries(&f)) && isfinite(f.compression_error));
    const gb_MachineTable m = machine("avx512");
    for (int k = 0; k <= TILED; k++) {
        const gb_Cost cost = price(&f, &m, k);
        CHECK(isfinite(cost.seconds) && isfinite(cost.bytes) && cost.seconds > 0.0);
    }
    FREE(A, B);
}

/* Facts stay with the matrix until it is written. */
GB_TEST(mxm_cost, facts_follow_the_content) {
    gbl_Matrix A = generate("fem:8:4");
    gbl_TileFacts tiles;
    OK(gbl_Matrix_tiles(&tiles, A));
    const gb_Features f = square(A);
    CHECK(fabs(f.A.fill / tiles.fill - 1.0) < 0.15);
    CHECK_EQ(f.A.rows_used, f.m);
    CHECK(A->m.facts[GB_CSR].known);
    OK(gbl_Matrix_setElement_FP64(A, 1.0, 0, f.n - 1));
    OK(gbl_Matrix_wait(A, GBL_COMPLETE));
    CHECK(!A->m.facts[GB_CSR].known);
    OK(gbl_Matrix_free(&A));
}

/* Rows of the outer product that are longer than a network are cut, and still longer ones sorted by
 * radix passes: products of a row, columns, and which it is. */
GB_TEST(mxm_cost, long_rows_of_outer) {
    static const struct {
        double products, columns;
        bool cut;
    } cases[] = {{GB_CUT_MOST, 1 << 20, true},
                 {GB_CUT_MOST + 1, 1 << 20, false},
                 {(1 << 6) + 1, (1u << 26) + 1.0, false}};
    gbl_Matrix A = generate("er:10:4");
    const gb_MachineTable m = machine("avx512");
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        gb_Features f = square(A);
        gb_Counts kernel, convert;
        memset(&f.rows, 0, sizeof f.rows);
        f.n = (uint64_t)cases[k].columns;
        f.rows.rows[7] = f.m;
        f.rows.flops[7] = (uint64_t)(cases[k].products * (double)f.m);
        gb_CostCase costs;
        gb_cost_case(&costs, &f, &m);
        gb_price_counts(&kernel, &convert, gb_methods[OUTER], &costs);
        CHECK((kernel.n[GB_RATE_OUTER_STEP] > 0.0) == cases[k].cut);
        CHECK((kernel.n[GB_RATE_OUTER_LONG] > 0.0) == !cases[k].cut);
    }
    OK(gbl_Matrix_free(&A));
}

/* -- legality */

/* A plan, and all candidates, which agree with it. */
typedef struct {
    gb_Plan plan;
    int chosen, n;
    gbl_Candidate candidates[GBL_CANDIDATES_MOST];
} Planned;

static Planned plan(const gb_Features *f, const gb_Choices *choices, const gb_MachineTable *m) {
    gb_Features asked = *f;
    Planned p;
    asked.choices = *choices;
    OK(gb_plan_choose(&p.plan, &asked, m, GB_PLACE_NONE));
    p.n = gb_plan_candidates(p.candidates, &p.plan, &asked, m);
    p.chosen = p.plan.chosen;
    CHECK(p.candidates[p.chosen].seconds == p.plan.cost.seconds);
    for (int k = 0; k < p.n; k++)
        CHECK(!p.candidates[k].legal || p.plan.cost.seconds <= GB_TIE * p.candidates[k].seconds);
    return p;
}

GB_TEST(mxm_cost, forced_and_illegal) {
    static const struct {
        gbl_Desc_Value method;
        int chosen;
    } forced[] = {{GBL_METHOD_OUTER, OUTER}, {GBL_METHOD_TILED, TILED}};
    gbl_Matrix A = generate("er:10:4");
    gb_Features f = square(A);
    const gb_MachineTable m = machine("avx512");
    for (size_t k = 0; k < T_COUNT(forced); k++) {
        const Planned p = plan(&f, &(gb_Choices){.method = forced[k].method}, &m);
        t_case("method %d", (int)forced[k].method);
        CHECK(p.plan.forced && p.chosen == forced[k].chosen);
        for (int w = 0; w < p.n; w++) {
            const gbl_Candidate *c = &p.candidates[w];
            CHECK(c->legal == (w == forced[k].chosen));
            CHECK(c->legal == (c->why_not == NULL));
            CHECK(w == DOT || w == SPMM || w == SPMM_LEFT || w == SPAMM_FULL || w >= GPU ||
                  c->seconds > 0.0); /* impossible, and not asked for */
        }
    }
    const Planned counted = plan(&f, &(gb_Choices){.workflow = GBL_WORKFLOW_SYMBOLIC}, &m);
    CHECK(counted.chosen == SYMBOLIC && counted.plan.forced);
    const Planned free_choice = plan(&f, &(gb_Choices){.method = GBL_DEFAULT}, &m);
    CHECK(!free_choice.plan.forced && !free_choice.candidates[DOT].legal);
    CHECK(strstr(free_choice.candidates[DOT].why_not, "mask") != NULL);
    f.budget = 1000.0; /* neither the upper bound nor the estimate fits */
    const Planned tight = plan(&f, &(gb_Choices){.method = GBL_METHOD_ROWWISE}, &m);
    CHECK(tight.chosen == SYMBOLIC);
    CHECK(strstr(tight.candidates[UPPER_BOUND].why_not, "memory") != NULL);
    OK(gbl_Matrix_free(&A));
}

/* -- decisions */

/* What is chosen, a letter for each instruction set: bound, estimate, symbolic, outer, tiled, dot,
 * full (either factor), vector, panel, approximate. */
static void decide(char letters[4], const gb_Features *f, const gb_Choices *choices) {
    static const char *const sets[] = {"portable", "avx2", "avx512"};
    for (int s = 0; s < 3; s++) {
        const gb_MachineTable m = machine(sets[s]);
        letters[s] = "besotdffvpaagggg"[plan(f, choices, &m).chosen];
    }
    letters[3] = '\0';
}

GB_TEST(mxm_cost, golden_decisions) {
    static const struct {
        const char *spec, *cold, *warm; /* A by rows only; by columns and as tiles, too */
    } cases[] = {
#ifdef GB_TINY /* kernels whose classes of rows have other borders */
        {"er:8:2", "bbb", "bbb"},       {"er:12:8", "bbb", "bbo"},      {"er:16:2", "bbb", "bbb"},
        {"er:15:16", "ooo", "ooo"},     {"er:16:16", "ooo", "ooo"},     {"er:18:6", "bbb", "bbo"},
        {"rmat:12:8", "eee", "eee"},    {"rmat:15:8", "bbb", "bbb"},    {"fem:20:1", "ttt", "ttt"},
        {"fem:12:2", "ttt", "ttt"},     {"fem:8:6", "ttt", "ttt"},      {"fem:5:12", "btt", "ttt"},
        {"band:50000:2", "ppp", "ppp"}, {"band:4000:60", "ttt", "ttt"},
#else
        {"er:8:2", "bbb", "bbb"},       {"er:12:8", "bbb", "bbb"},      {"er:16:2", "bbb", "bbb"},
        {"er:15:16", "obo", "ooo"},     {"er:16:16", "ooo", "ooo"},     {"er:18:6", "bbb", "bbb"},
        {"rmat:12:8", "eee", "eee"},    {"rmat:15:8", "bbb", "bbb"},    {"fem:20:1", "ppp", "ppp"},
        {"fem:12:2", "ppp", "ppp"},     {"fem:8:6", "ppp", "ppp"},      {"fem:5:12", "ppp", "ppp"},
        {"band:50000:2", "ppp", "ppp"}, {"band:4000:60", "ppp", "ttp"},
#endif
    };
    char all[2048] = "";
    bool same = true;
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        char cold[4], warm[4];
        gbl_Matrix A = generate(cases[k].spec);
        gb_Features f = square(A);
        decide(cold, &f, &(gb_Choices){.method = GBL_DEFAULT});
        hold_all_forms(&f);
        decide(warm, &f, &(gb_Choices){.method = GBL_DEFAULT});
        same = same && strcmp(cold, cases[k].cold) == 0 && strcmp(warm, cases[k].warm) == 0;
        snprintf(all + strlen(all), sizeof all - strlen(all), "  %s %s %s, was %s %s\n",
                 cases[k].spec, cold, warm, cases[k].cold, cases[k].warm);
        OK(gbl_Matrix_free(&A));
    }
    cr_assert(same, "decisions moved:\n%s", all);
}

/* As good as equal: what exists already is taken. */
GB_TEST(mxm_cost, ties_go_to_formats_that_exist) {
    gbl_Matrix A = generate("er:12:6");
    gb_Features f = square(A);
    gb_MachineTable m = machine("avx512");
    const gb_Choices none = {0};
    f.A.has[GB_BY_COLUMNS] = false;
    m.ns[GB_RATE_CONVERT] = 1e-3;
    for (int r = GB_RATE_CALL_OUTER; r <= GB_RATE_OUTER_SLICE; r++) m.ns[r] = 1e-6;
    Planned p = plan(&f, &none, &m);
    CHECK(p.chosen == OUTER);
    const double bound = p.candidates[UPPER_BOUND].seconds;
    const double outer = p.candidates[OUTER].seconds;
    m.ns[GB_RATE_CALL_OUTER] += 1e9 * (bound - outer) * 0.97;
    p = plan(&f, &none, &m);
    CHECK(p.candidates[OUTER].seconds < p.candidates[UPPER_BOUND].seconds);
    CHECK(p.chosen != OUTER && p.candidates[p.chosen].seconds_convert == 0.0);
    f.A.has[GB_BY_COLUMNS] = true;
    p = plan(&f, &none, &m);
    CHECK(p.chosen == OUTER);
    OK(gbl_Matrix_free(&A));
}
