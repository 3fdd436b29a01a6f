/* SPDX-License-Identifier: Apache-2.0
 *
 * extract from matrices: rows, columns and both, for all kinds of lists, forms that A is held in,
 * masks, accumulators, transposes, types and aliases, against dense loops.
 */
#include "matrix/matrix.h"
#include "support/frame.h"
#include "support/index_list.h"

/* A case, and the matrix that it takes from. */
typedef struct {
    t_Frame x;
    o_Matrix A;
    gbl_Matrix g;
    t_List I, J;
} frame;

/* A held by rows, by columns alone, by both, or as its cells alone. */
static gbl_Matrix held(const o_Matrix *A, uint64_t how, bool iso) {
    gbl_Matrix g = NULL;
    gb_DenseView cells;
    if (how == 0 || how == 3) g = iso ? t_iso_matrix(A) : t_matrix(A);
    if (how == 3) {
        OK(gb_acquire_dense(&g->m, &cells));
        gb_matrix_keep_only(&g->m, GBL_HAS_BITMAP | GBL_HAS_FULL);
    }
    if (g != NULL) return g;
    o_Matrix turned = o_new(A->type, A->ncols, A->nrows);
    o_transpose(&turned, &(o_Rule){0}, A);
    gbl_Matrix t = iso ? t_iso_matrix(&turned) : t_matrix(&turned);
    OK(gbl_Matrix_new(&g, A->type.handle, A->nrows, A->ncols));
    OK(gbl_transpose(g, NULL, NULL, t, NULL));
    FREE(t, turned);
    if (how == 2) t_expect("source, read by rows", A, g, 0);
    return g;
}

/* A is m x n, or for the transposed the other way round; C gets the shape of the lists. */
static void begin(frame *f, t_FrameCase *of, t_ListKind rows, t_ListKind columns) {
    t_Random r = t_random(of->seed + 4242);
    const bool turned = of->flags.tran0;
    const gbl_Index m = t_below(&r, 40), n = 1 + t_below(&r, 40);
    f->I = t_list(&r, rows, m);
    f->J = t_list(&r, columns, n);
    of->nrows = f->I.n;
    of->ncols = of->output_vector ? 1 : f->J.n;
    t_begin(&f->x, of);
    f->A = t_generate(&r, &(t_Content){of->a, turned ? n : m, turned ? m : n,
                                       (t_Pattern)(of->seed % T_PATTERNS), 0.3, true, of->iso});
    f->g = held(&f->A, of->seed % 4, of->iso);
}

static void end(frame *f) {
    t_expect("source", &f->A, f->g, 0);
    FREE(f->g, f->A);
    t_end(&f->x);
}

static void run(t_FrameCase *of, t_ListKind rows, t_ListKind columns) {
    frame f;
    if (t_left_out()) return;
    begin(&f, of, rows, columns);
    t_case("%s, rows %s, columns %s, seed %llu, %s", of->name, t_list_names[rows],
           t_list_names[columns], (unsigned long long)of->seed, t_flags_text(&of->flags));
    const t_List *I = &f.I, *J = &f.J;
    OK(gbl_Matrix_extract(f.x.gC, f.x.gM, f.x.accum, f.g, t_listed(I), I->n, t_listed(J), J->n,
                          f.x.desc));
    const o_Region region = {I->i, J->i, I->n, J->n};
    o_extract(&f.x.C, &f.x.rule, &region, &f.A);
    end(&f);
}

static void run_column(t_FrameCase *of, t_ListKind rows) {
    frame f;
    if (t_left_out()) return;
    begin(&f, of, rows, T_LIST_SINGLE);
    t_case("%s, rows %s, seed %llu, %s", of->name, t_list_names[rows], (unsigned long long)of->seed,
           t_flags_text(&of->flags));
    OK(gbl_Col_extract(f.x.w, f.x.v, f.x.accum, f.g, t_listed(&f.I), f.I.n, f.J.i[0], f.x.desc));
    const o_Region region = {f.I.i, f.J.i, f.I.n, 1};
    o_extract(&f.x.C, &f.x.rule, &region, &f.A);
    end(&f);
}

static t_FrameCase some_case(const char *name, o_Type type, unsigned flags, bool column) {
    t_FrameCase of = t_frame_case(name, type, flags, false);
    of.output_vector = column;
    return of;
}

GB_TEST(submatrix, every_list_and_rule) {
    for (unsigned lists = 0; lists < T_LISTS * T_LISTS; lists++) {
        for (unsigned f = 0; f < T_FLAGS_ALL / 2; f++) {
            t_FrameCase of =
                some_case("extract", o_type(t_types[(lists + f) % T_COUNT(t_types)]), f, false);
            of.seed = 1000 * lists + f;
            of.iso = of.seed % 5 == 3;
            run(&of, (t_ListKind)(lists % T_LISTS), (t_ListKind)(lists / T_LISTS));
        }
    }
}

GB_TEST(submatrix, columns) {
    for (unsigned list = 0; list < T_LISTS; list++) {
        for (unsigned f = 0; f < 4 * T_FLAGS_ALL; f++) {
            t_FrameCase of = some_case("column", o_type(t_types[(list + f) % T_COUNT(t_types)]),
                                       f % T_FLAGS_ALL, true);
            of.seed = 1000 * list + f;
            of.iso = of.seed % 5 == 3;
            run_column(&of, (t_ListKind)list);
        }
    }
}

GB_TEST(submatrix, typecasts_and_user_types) {
    t_User user = t_user_path();
    for (uint64_t seed = 0; seed < 1500; seed++) {
        t_Random r = t_random(seed + 91);
        const unsigned flags = (unsigned)t_below(&r, T_FLAGS_ALL);
        const t_ListKind rows = (t_ListKind)t_below(&r, T_LISTS);
        const t_ListKind columns = (t_ListKind)t_below(&r, T_LISTS);
        t_FrameCase of =
            some_case("extract", o_type(t_types[seed % T_COUNT(t_types)]), flags, false);
        of.seed = seed;
        of.a = o_type(t_types[seed / T_COUNT(t_types) % T_COUNT(t_types)]);
        run(&of, rows, columns);
        of = some_case("column", o_type(t_types[seed % T_COUNT(t_types)]), flags, true);
        of.seed = seed;
        of.a = o_type(t_types[seed / T_COUNT(t_types) % T_COUNT(t_types)]);
        run_column(&of, rows);
        if (seed % 4 > 0) continue;
        of = some_case("extract", user.type, flags, seed % 8 == 0);
        of.seed = seed;
        of.accum = user.minus;
        if (of.output_vector)
            run_column(&of, rows);
        else
            run(&of, rows, columns);
    }
    t_user_free(&user);
}

/* C, or the mask, is A. */
GB_TEST(submatrix, aliases) {
    static const t_ListKind kinds[] = {T_LIST_ALL, T_LIST_RANGE, T_LIST_SHUFFLED, T_LIST_REPEATED};
    for (uint64_t seed = 0; seed < 1200; seed++) {
        t_Random r = t_random(seed + 92);
        t_FrameCase of = t_frame_case("extract", o_type(t_types[seed % T_COUNT(t_types)]),
                                      (unsigned)t_below(&r, T_FLAGS_ALL), false);
        t_List lists[2];
        for (int k = 0; k < 2; k++) {
            do {
                lists[k] = t_list(&r, kinds[t_below(&r, T_COUNT(kinds))], 12);
            } while (lists[k].n < 12);
            lists[k].n = 12; /* C has the shape of A */
        }
        of.nrows = of.ncols = 12;
        of.seed = seed;
        of.alias = (t_Alias)t_below(&r, T_ALIASES);
        t_Frame x;
        t_begin(&x, &of);
        OK(gbl_Matrix_extract(x.gC, x.gM, x.accum, x.gA, t_listed(&lists[0]), 12,
                              t_listed(&lists[1]), 12, x.desc));
        const o_Region region = {lists[0].i, lists[1].i, 12, 12};
        o_extract(&x.C, &x.rule, &region, x.a);
        t_end(&x);
    }
}

GB_TEST(submatrix, errors) {
    const gbl_Index good[] = {0, 1}, bad[] = {0, 5}, far[] = {UINT64_MAX, 0};
    gbl_Matrix A = t_new_matrix(GBL_INT32, 4, 5);
    OK(gbl_Matrix_setElement_INT32(A, 7, 2, 2));
    gbl_Matrix C = t_new_matrix(GBL_INT32, 2, 2);
    OK(gbl_Matrix_setElement_INT32(C, 8, 1, 1));
    gbl_Matrix B = t_new_matrix(GBL_BOOL, 2, 3);
    gbl_Vector w = t_new_vector(GBL_INT32, 2), v = t_new_vector(GBL_BOOL, 3);
    FAILS(GBL_NULL_POINTER, gbl_Matrix_extract(C, NULL, NULL, A, NULL, 2, good, 2, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_extract(C, NULL, NULL, A, good, 2, NULL, 2, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_extract(C, NULL, NULL, NULL, good, 2, good, 2, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_extract(NULL, NULL, NULL, A, good, 2, good, 2, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Matrix_extract(C, NULL, NULL, A, bad, 2, good, 2, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Matrix_extract(C, NULL, NULL, A, good, 2, bad, 2, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Matrix_extract(C, NULL, NULL, A, good, 2, far, 2, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_extract(C, NULL, NULL, A, good, 1, good, 2, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_extract(C, NULL, NULL, A, GBL_ALL, 2, good, 2, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_extract(C, B, NULL, A, good, 2, good, 2, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Col_extract(w, NULL, NULL, A, bad, 2, 0, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Col_extract(w, NULL, NULL, A, NULL, 2, 0, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Col_extract(w, NULL, NULL, NULL, good, 2, 0, NULL));
    FAILS(GBL_INVALID_INDEX, gbl_Col_extract(w, NULL, NULL, A, good, 2, 5, NULL));
    FAILS(GBL_INVALID_INDEX, gbl_Col_extract(w, NULL, NULL, A, good, 2, 4, GBL_DESC_T0));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Col_extract(w, NULL, NULL, A, good, 1, 0, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Col_extract(w, v, NULL, A, good, 2, 0, NULL));
    CHECK_EQ(t_nvals(C), 1);
    t_User user = t_user_colour();
    gbl_Matrix U = t_new_matrix(user.type.handle, 2, 2);
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_extract(U, NULL, NULL, A, good, 2, good, 2, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_extract(C, U, NULL, A, good, 2, good, 2, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Col_extract(w, NULL, NULL, U, good, 2, 0, NULL));
    OK(gbl_Matrix_free(&U));
    t_user_free(&user);
    FREE(A, B, C, w, v);
}

/* Rows and columns of a matrix with hubs, in lists long and short beside it: the parts of several
 * threads join, and the result does not depend on their number. */
GB_TEST(submatrix, large) {
    const gbl_Index n = 3000;
    t_Random r = t_random(5);
    o_Matrix A =
        t_generate(&r, &(t_Content){o_type(GBL_INT32_CODE), n, n, T_FULL_ROW, 0.01, false, false});
    gbl_Matrix g = t_matrix(&A);
    gbl_Index I[2500], J[2500];
    for (unsigned k = 0; k < 12; k++) {
        if (t_samples() && k % 4 != 2) continue; /* all rows and some, all columns */
        const gbl_Index ni = k % 3 == 0 ? 20 : 2500, nj = k % 4 == 0 ? 3 : k % 4 == 1 ? 30 : 2500;
        for (gbl_Index a = 0; a < ni; a++) I[a] = k % 2 ? t_below(&r, n) : (a * 7 + k) % n;
        for (gbl_Index a = 0; a < nj; a++) J[a] = k < 8 ? t_below(&r, n) : n - nj + a;
        const o_Region region = {I, J, ni, nj};
        o_Matrix C = o_new(A.type, ni, nj);
        o_extract(&C, &(o_Rule){0}, &region, &A);
        for (int32_t threads = 1; threads < 4; threads += 2) {
            t_case("large %u, %d threads", k, (int)threads);
            OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
            gbl_Matrix c = t_new_matrix(GBL_INT32, ni, nj);
            OK(gbl_Matrix_extract(c, NULL, NULL, g, I, ni, J, nj, NULL));
            t_expect("C", &C, c, 0);
            OK(gbl_Matrix_free(&c));
        }
        o_free(&C);
    }
    FREE(g, A);
}

/* A few entries in a matrix of 2^31 columns: no array as long as they are many. */
GB_TEST(submatrix, long_rows) {
    const gbl_Index n = (gbl_Index)1 << 31, J[] = {n - 1, 5, n - 1}, I[] = {1, 0};
    int32_t x = 0;
    gbl_Matrix A = t_new_matrix(GBL_INT32, 2, n);
    OK(gbl_Matrix_setElement_INT32(A, 3, 0, 5));
    OK(gbl_Matrix_setElement_INT32(A, 4, 1, n - 1));
    gbl_Matrix C = t_new_matrix(GBL_INT32, 2, 3);
    OK(gbl_Matrix_extract(C, NULL, NULL, A, I, 2, J, 3, NULL));
    OK(gbl_Matrix_extractElement_INT32(&x, C, 0, 2));
    CHECK_EQ(x, 4);
    OK(gbl_Matrix_extractElement_INT32(&x, C, 1, 1));
    CHECK_EQ(x, 3);
    CHECK_EQ(t_nvals(C), 3);
    FREE(A, C);
}
