/* SPDX-License-Identifier: Apache-2.0
 *
 * Huge dimensions: degrees, sort, permute, elements at places in vectors, chains, products by the
 * place of a vector's one row, and compressed rows out and in; against their small twins.
 */
#include "support/huge.h"

#include "matrix/check.h"
#include "matrix/matrix.h"

#include <stdlib.h>
#include <string.h>

#define TOP (GBL_INDEX_MAX + 1)
#define RING GBL_PLUS_TIMES_SEMIRING_INT64

enum { SIDE = 18 };

static void check(void *object) {
    OK(gb_matrix_check(object));
}

static void expect_and_free(t_TwinVectors *p, const t_Scatter *places) {
    t_expect_twin_vector(p->v, p->h, places);
    check(p->h);
    t_twin_vectors_free(p);
}

GB_TEST(hyper_order, degrees) {
    for (uint64_t seed = 0; seed < 4 * T_FLAGS_ALL; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const t_Flags flags = t_flags((unsigned)(seed % T_FLAGS_ALL));
        const bool inside =
            t_has_mask(flags.mask) && (flags.mask == T_VALUED || flags.mask == T_STRUCTURAL);
        const bool ordinary = seed % 3 == 1; /* all rows have a degree */
        const t_Scatter rows = ordinary ? t_same_places(SIDE) : t_scatter(&r, SIDE, TOP);
        const t_Scatter cols = t_scatter(&r, SIDE, TOP);
        t_Twins a = flags.tran0 ? t_twins(&r, &cols, &rows, 0.2) : t_twins(&r, &rows, &cols, 0.2);
        t_TwinVectors w = t_twin_vectors(&r, &rows, 0.5), m = t_twin_vectors(&r, &rows, 0.5);
        const gbl_BinaryOp accum = flags.accum ? GBL_MINUS_INT64 : NULL;
        const bool masked = t_has_mask(flags.mask);
        gbl_Descriptor desc = t_descriptor(&flags);
        t_case("seed %llu %s", (unsigned long long)seed, t_flags_text(&flags));
        if (inside || ordinary || flags.mask == T_COMP_NO_MASK) {
            OK(gbl_Matrix_degrees(w.v, masked ? m.v : NULL, accum, a.A, desc));
            OK(gbl_Matrix_degrees(w.h, masked ? m.h : NULL, accum, a.H, desc));
        } else {
            FAILS(GBL_OUT_OF_MEMORY,
                  gbl_Matrix_degrees(w.h, masked ? m.h : NULL, accum, a.H, desc));
        }
        gbl_Descriptor_free(&desc);
        expect_and_free(&w, &rows);
        expect_and_free(&m, &rows);
        t_twins_free(&a);
    }
}

/* Values and positions; outputs may be the input. */
GB_TEST(hyper_order, sort) {
    const gbl_BinaryOp orders[] = {GBL_LT_INT64, GBL_GT_INT64, GBL_LT_FP32, GBL_GT_INT8};
    for (uint64_t seed = 0; seed < 60; seed++) {
        t_Random r = t_random(seed);
        const t_Scatter places = t_scatter(&r, SIDE, TOP);
        t_TwinVectors u =
            t_twin_vectors(&r, &places, seed % 5 == 4 ? 1.0 : 0.05 * (double)(seed % 20));
        t_TwinVectors w = t_twin_vectors(&r, &places, 0.3), p = t_twin_vectors(&r, &places, 0.3);
        gbl_Index n = SIDE, m = SIDE, I[SIDE], J[SIDE];
        int64_t X[SIDE], Y[SIDE];
        const gbl_BinaryOp order = orders[seed % T_COUNT(orders)];
        const bool onto = seed % 7 == 3;
        OK(gbl_Vector_sort(w.v, seed % 6 == 5 ? NULL : p.v, order, u.v, NULL));
        OK(gbl_Vector_sort(onto ? u.h : w.h, seed % 6 == 5 ? NULL : p.h, order, u.h, NULL));
        check(onto ? u.h : w.h);
        check(p.h);
        OK(gbl_Vector_extractTuples_INT64(I, X, &n, w.v));
        OK(gbl_Vector_extractTuples_INT64(J, Y, &m, onto ? u.h : w.h));
        CHECK_EQ(m, n);
        for (gbl_Index k = 0; k < n; k++) CHECK(I[k] == k && J[k] == k && X[k] == Y[k]);
        if (seed % 6 != 5) {
            n = m = SIDE;
            OK(gbl_Vector_extractTuples_INT64(I, X, &n, p.v));
            OK(gbl_Vector_extractTuples_INT64(J, Y, &m, p.h));
            CHECK_EQ(m, n);
            for (gbl_Index k = 0; k < n; k++) CHECK(J[k] == k && Y[k] == (int64_t)places.at[X[k]]);
        }
        gbl_Vector *all[] = {&u.v, &u.h, &w.v, &w.h, &p.v, &p.h};
        for (size_t k = 0; k < T_COUNT(all); k++) gbl_Vector_free(all[k]);
    }
}

/* p and its twin, which leaves out some of the rows that stay. */
static void permutation(t_Random *r, t_TwinVectors *p, const t_Scatter *places) {
    gbl_Index to[SIDE];
    for (gbl_Index k = 0; k < SIDE; k++) to[k] = k;
    for (gbl_Index k = SIDE; k > 1; k--) {
        const gbl_Index other = t_below(r, k), kept = to[k - 1];
        if (t_chance(r, 0.3)) continue;
        to[k - 1] = to[other];
        to[other] = kept;
    }
    OK(gbl_Vector_new(&p->v, GBL_INT64, SIDE));
    OK(gbl_Vector_new(&p->h, GBL_UINT64, places->n));
    for (gbl_Index k = 0; k < SIDE; k++) {
        OK(gbl_Vector_setElement_INT64(p->v, (int64_t)to[k], k));
        if (to[k] != k || t_chance(r, 0.5))
            OK(gbl_Vector_setElement_UINT64(p->h, places->at[to[k]], places->at[k]));
    }
}

GB_TEST(hyper_order, permute) {
    const gbl_IndexUnaryOp ops[] = {NULL, GBL_TRIL, GBL_TRIU, GBL_DIAG};
    for (uint64_t seed = 0; seed < 4 * T_FLAGS_ALL; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const t_Flags flags = t_flags((unsigned)(seed % T_FLAGS_ALL));
        const t_Scatter rows = t_scatter(&r, SIDE, TOP);
        t_Twins a = t_twins(&r, &rows, &rows, 0.3), c = t_twins(&r, &rows, &rows, 0.3);
        t_Twins m = t_twins(&r, &rows, &rows, 0.5);
        t_TwinVectors p;
        permutation(&r, &p, &rows);
        const bool masked = t_has_mask(flags.mask);
        const gbl_BinaryOp accum = flags.accum ? GBL_MINUS_INT64 : NULL;
        const gbl_IndexUnaryOp op = ops[t_below(&r, 4)];
        gbl_Descriptor desc = t_descriptor(&flags);
        t_case("seed %llu %s", (unsigned long long)seed, t_flags_text(&flags));
        OK(gbl_Matrix_permute(c.A, masked ? m.A : NULL, accum, op, a.A, p.v, 0, desc));
        OK(gbl_Matrix_permute(c.H, masked ? m.H : NULL, accum, op, a.H, p.h, 0, desc));
        t_expect_twin(c.A, c.H, &rows, &rows);
        check(c.H);
        gbl_Descriptor_free(&desc);
        gbl_Vector_free(&p.v);
        gbl_Vector_free(&p.h);
        t_twins_free(&a);
        t_twins_free(&c);
        t_twins_free(&m);
    }
}

/* No permutations: of what must be among the values, twice, and outside. */
GB_TEST(hyper_order, no_permutations) {
    const struct {
        gbl_Index at[2];
        uint64_t value[2];
        gbl_Info info;
    } cases[] = {{{3, 5}, {5, 7}, GBL_INVALID_VALUE},
                 {{3, 5}, {1, 3}, GBL_INVALID_VALUE},
                 {{3, 5}, {5, 5}, GBL_INVALID_VALUE},
                 {{3, TOP - 1}, {TOP, 3}, GBL_INDEX_OUT_OF_BOUNDS},
                 {{3, 5}, {UINT64_MAX, 3}, GBL_INDEX_OUT_OF_BOUNDS},
                 {{3, TOP - 1}, {TOP - 1, 3}, GBL_SUCCESS}};
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        gbl_Matrix A = t_new_matrix(GBL_FP64, TOP, TOP);
        OK(gbl_Matrix_setElement_FP64(A, 4, 3, 5));
        gbl_Vector p = t_new_vector(GBL_UINT64, TOP);
        OK(gbl_Vector_build_UINT64(p, cases[k].at, cases[k].value, 2, NULL));
        CHECK_EQ(gbl_Matrix_permute(A, NULL, NULL, NULL, A, p, 0, NULL), cases[k].info);
        CHECK_EQ(t_nvals(A), 1);
        check(A);
        gbl_Matrix_free(&A);
        gbl_Vector_free(&p);
    }
}

/* u(I) and its inverse, I of any length. */
GB_TEST(hyper_order, places_in_vectors) {
    for (uint64_t seed = 0; seed < 4 * T_FLAGS_ALL; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const t_Flags flags = t_flags((unsigned)(seed % T_FLAGS_ALL));
        const t_Scatter to = seed % 3 ? t_scatter(&r, SIDE, TOP) : t_same_places(SIDE);
        const t_Scatter from = seed % 3 != 1 ? t_scatter(&r, SIDE, TOP / 3) : t_same_places(SIDE);
        const bool scatter = seed % 2;
        t_TwinVectors w = t_twin_vectors(&r, &to, 0.5), m = t_twin_vectors(&r, &to, 0.5),
                      u = t_twin_vectors(&r, &from, 0.6), I;
        const t_Scatter *listed = scatter ? &from : &to, *meant = scatter ? &to : &from;
        OK(gbl_Vector_new(&I.v, GBL_INT64, SIDE));
        OK(gbl_Vector_new(&I.h, GBL_INT64, listed->n));
        for (gbl_Index k = 0; k < SIDE; k++) {
            if (t_chance(&r, 0.3)) continue;
            const gbl_Index place = t_below(&r, SIDE);
            OK(gbl_Vector_setElement_INT64(I.v, (int64_t)place, k));
            OK(gbl_Vector_setElement_INT64(I.h, (int64_t)meant->at[place], listed->at[k]));
        }
        const bool masked = t_has_mask(flags.mask);
        const gbl_BinaryOp accum = flags.accum ? GBL_MINUS_INT64 : NULL, dup = GBL_MINUS_INT64;
        gbl_Descriptor desc = t_descriptor(&flags);
        t_case("seed %llu %s", (unsigned long long)seed, t_flags_text(&flags));
        if (scatter) {
            OK(gbl_Vector_scatter(w.v, masked ? m.v : NULL, accum, dup, u.v, I.v, desc));
            OK(gbl_Vector_scatter(w.h, masked ? m.h : NULL, accum, dup, u.h, I.h, desc));
        } else {
            OK(gbl_Vector_extract_Vector(w.v, masked ? m.v : NULL, accum, u.v, I.v, desc));
            OK(gbl_Vector_extract_Vector(w.h, masked ? m.h : NULL, accum, u.h, I.h, desc));
        }
        t_expect_twin_vector(w.v, w.h, &to);
        OK(gbl_Vector_setElement_INT64(I.h, -1, listed->at[3]));
        OK(gbl_Vector_setElement_INT64(u.h, 1, from.at[3]));
        FAILS(GBL_INDEX_OUT_OF_BOUNDS,
              scatter ? gbl_Vector_scatter(w.h, NULL, NULL, dup, u.h, I.h, NULL)
                      : gbl_Vector_extract_Vector(w.h, NULL, NULL, u.h, I.h, NULL));
        gbl_Descriptor_free(&desc);
        expect_and_free(&w, &to);
        gbl_Vector *all[] = {&m.v, &m.h, &u.v, &u.h, &I.v, &I.h};
        for (size_t k = 0; k < T_COUNT(all); k++) gbl_Vector_free(all[k]);
    }
}

/* -- chains */

GB_TEST(hyper_order, chains) {
    int explained = 0;
    for (uint64_t seed = 0; seed < 3 * T_FLAGS_ALL; seed++) {
        enum { MOST = 4 };
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const t_Flags flags = t_flags((unsigned)(seed % T_FLAGS_ALL));
        const int count = 2 + (int)t_below(&r, MOST - 1);
        t_Scatter at[MOST + 1];
        t_Twins a[MOST];
        gbl_Matrix A[MOST], H[MOST];
        for (int f = 0; f <= count; f++)
            at[f] = t_chance(&r, 0.2) ? t_same_places(SIDE) : t_scatter(&r, SIDE, TOP);
        for (int f = 0; f < count; f++) {
            const bool turned = (f == 0 && flags.tran0) || (f == count - 1 && flags.tran1);
            a[f] = t_twins(&r, &at[turned ? f + 1 : f], &at[turned ? f : f + 1], 0.2);
            A[f] = a[f].A;
            H[f] = a[f].H;
        }
        t_Twins c = t_twins(&r, &at[0], &at[count], 0.3), m = t_twins(&r, &at[0], &at[count], 0.3);
        const bool masked = t_has_mask(flags.mask);
        const gbl_BinaryOp accum = flags.accum ? GBL_MINUS_INT64 : NULL;
        gbl_Descriptor desc = t_descriptor(&flags);
        gbl_ChainPlan plan = GBL_CHAIN_PLAN_INIT;
        t_case("seed %llu %s", (unsigned long long)seed, t_flags_text(&flags));
        OK(gbl_mxm_chain(c.A, masked ? m.A : NULL, accum, RING, A, count, desc));
        OK(gbl_mxm_chain(c.H, masked ? m.H : NULL, accum, RING, H, count, desc));
        t_expect_twin(c.A, c.H, &at[0], &at[count]);
        check(c.H);
        OK(gbl_mxm_chain_plan(&plan, RING, H, count, desc));
        CHECK_EQ(plan.nfactors, count);
        gbl_Explanation why = GBL_EXPLANATION_INIT;
        if (gbl_Matrix_explain(&why, c.H) == GBL_SUCCESS && why.chosen >= 0) {
            CHECK(why.nrows == at[0].n && why.ncols == at[count].n);
            explained++;
        }
        gbl_Descriptor_free(&desc);
        t_twins_free(&c);
        t_twins_free(&m);
        for (int f = 0; f < count; f++) t_twins_free(&a[f]);
    }
    CHECK(explained > 0);
}

#ifdef GB_TINY /* else such a matrix has millions of entries */
/* Factors with so many entries that their product is not held hypersparse run as they are: with all
 * their forms, of which a compact copy has one. */
GB_TEST(hyper_order, chain_into_empty) {
    enum { N = 2500, ENTRIES = 1600 }; /* more than N / GB_HYPER_FEW */
    gbl_Index I[ENTRIES], J[ENTRIES];
    int64_t X[ENTRIES];
    for (gbl_Index k = 0; k < ENTRIES; k++) {
        I[k] = k / 160 * 7;
        J[k] = k % 160 * 3;
        X[k] = (int64_t)k;
    }
    gb_CsView view;
    gbl_Matrix A = t_new_matrix(GBL_INT64, N, N), C = t_new_matrix(GBL_INT64, N, N);
    OK(gbl_Matrix_build_INT64(A, I, J, X, ENTRIES, NULL));
    OK(gb_acquire(&A->m, GB_CSR, &view));
    OK(gb_acquire(&A->m, GB_CSC, &view));
    OK(gbl_mxm_chain(C, NULL, NULL, RING, (gbl_Matrix[]){A, A}, 2, NULL));
    const gbl_Explanation why = t_explain(C);
    CHECK_EQ(why.formats_a, (unsigned)(GBL_HAS_CSR | GBL_HAS_CSC));
    gbl_Matrix_free(&C);
    gbl_Matrix_free(&A);
}
#endif

/* By position: each product as if it were made alone. */
GB_TEST(hyper_order, chain_by_position) {
    for (uint64_t seed = 0; seed < 12; seed++) {
        t_Random r = t_random(seed);
        const t_Scatter at = t_scatter(&r, SIDE, TOP);
        const gbl_Semiring ring =
            seed % 2 ? GBL_MIN_FIRSTJ_SEMIRING_INT64 : GBL_MIN_SECONDJ_SEMIRING_INT64;
        t_Twins a = t_twins(&r, &at, &at, 0.2), b = t_twins(&r, &at, &at, 0.2);
        gbl_Matrix C = t_new_matrix(GBL_INT64, TOP, TOP), D = t_new_matrix(GBL_INT64, TOP, TOP);
        OK(gbl_mxm_chain(C, NULL, NULL, ring, (gbl_Matrix[]){a.H, b.H, a.H}, 3, GBL_DESC_T0));
        OK(gbl_mxm(D, NULL, NULL, ring, a.H, b.H, GBL_DESC_T0));
        OK(gbl_mxm(D, NULL, NULL, ring, D, a.H, NULL));
        gbl_Index n = t_nvals(D);
        OK(gbl_Matrix_eWiseMult_BinaryOp(D, NULL, NULL, GBL_EQ_INT64, D, C, NULL));
        OK(gbl_Matrix_select_INT64(D, NULL, NULL, GBL_VALUEEQ_INT64, D, 1, NULL));
        const gbl_Index equal = t_nvals(D);
        CHECK_EQ(equal, n);
        OK(gbl_Matrix_nvals(&n, C));
        CHECK_EQ(equal, n);
        gbl_Matrix_free(&C);
        gbl_Matrix_free(&D);
        t_twins_free(&a);
        t_twins_free(&b);
    }
}

/* The one row of u', or column of u, is 0. */
GB_TEST(hyper_order, place_of_one_row) {
    for (uint64_t seed = 0; seed < 8; seed++) {
        t_Random r = t_random(seed);
        const t_Scatter rows = t_scatter(&r, SIDE, TOP), cols = t_scatter(&r, SIDE, TOP);
        t_Twins a = t_twins(&r, &rows, &cols, 0.2);
        t_TwinVectors u = t_twin_vectors(&r, &rows, 0.4), v = t_twin_vectors(&r, &cols, 0.4);
        t_TwinVectors w = t_twin_vectors(&r, &cols, 0.4), x = t_twin_vectors(&r, &rows, 0.4);
        const gbl_BinaryOp accum = seed % 2 ? GBL_PLUS_INT64 : NULL;
        const gbl_Semiring first = GBL_MIN_FIRSTI_SEMIRING_INT64;
        const gbl_Semiring second = GBL_MAX_SECONDJ_SEMIRING_INT64;
        OK(gbl_vxm(w.v, NULL, accum, first, u.v, a.A, NULL));
        OK(gbl_vxm(w.h, NULL, accum, first, u.h, a.H, NULL));
        OK(gbl_mxv(x.v, NULL, accum, second, a.A, v.v, NULL));
        OK(gbl_mxv(x.h, NULL, accum, second, a.H, v.h, NULL));
        expect_and_free(&w, &cols);
        expect_and_free(&x, &rows);
        expect_and_free(&u, &rows);
        expect_and_free(&v, &cols);
        t_twins_free(&a);
    }
}

/* -- compressed rows and columns: one dimension is huge, the other has pointers */

GB_TEST(hyper_order, compressed) {
    for (uint64_t seed = 0; seed < 24; seed++) {
        t_Random r = t_random(seed);
        const bool by_rows = seed % 2;
        const gbl_Format format = by_rows ? GBL_CSR_FORMAT : GBL_CSC_FORMAT;
        const t_Scatter few = t_scatter(&r, SIDE, 3000), many = t_scatter(&r, SIDE, TOP);
        t_Twins a = by_rows ? t_twins(&r, &few, &many, 0.1 * (double)(seed % 5))
                            : t_twins(&r, &many, &few, 0.1 * (double)(seed % 5));
        gbl_Index np, ni, nx;
        gbl_Matrix back;
        OK(gbl_Matrix_exportSize(&np, &ni, &nx, format, a.H));
        CHECK_EQ(np, few.n + 1);
        gbl_Index *p = malloc(np * sizeof *p), *i = malloc((ni + 1) * sizeof *i);
        int64_t *x = malloc((nx + 1) * sizeof *x);
        OK(gbl_Matrix_export_INT64(p, i, x, &np, &ni, &nx, format, a.H));
        CHECK(p[0] == 0 && p[few.n] == ni && nx == ni);
        const gbl_Index m = by_rows ? few.n : TOP, n = by_rows ? TOP : few.n;
        OK(gbl_Matrix_import_INT64(&back, GBL_INT64, m, n, p, i, x, np, ni, nx, format));
        t_expect_twin(a.A, back, by_rows ? &few : &many, by_rows ? &many : &few);
        check(back);
        gbl_Matrix_free(&back);
        if (ni > 1) {
            const gbl_Index kept = i[1];
            const gbl_Index all[] = {0, 0, 2}, same[] = {TOP - 2, TOP - 2};
            FAILS(GBL_INVALID_VALUE,
                  gbl_Matrix_import_INT64(&back, GBL_INT64, by_rows ? 2 : TOP, by_rows ? TOP : 2,
                                          all, same, x, 3, 2, 2, format));
            CHECK(strstr(gbl_last_error(), "entry 1 repeats") && strstr(gbl_last_error(), "once"));
            i[1] = TOP;
            FAILS(GBL_INDEX_OUT_OF_BOUNDS,
                  gbl_Matrix_import_INT64(&back, GBL_INT64, m, n, p, i, x, np, ni, nx, format));
            i[1] = kept;
            p[few.n] = ni + 1;
            FAILS(GBL_INDEX_OUT_OF_BOUNDS,
                  gbl_Matrix_import_INT64(&back, GBL_INT64, m, n, p, i, x, np, ni, nx, format));
            np--;
            FAILS(GBL_INSUFFICIENT_SPACE,
                  gbl_Matrix_export_INT64(p, i, x, &np, &ni, &nx, format, a.H));
        }
        free(p);
        free(i);
        free(x);
        t_twins_free(&a);
    }
}
