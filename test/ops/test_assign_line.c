/* SPDX-License-Identifier: Apache-2.0
 *
 * assign to one row or column of a matrix: the mask is as long as the line, and replace deletes in
 * the line only.
 */
#include "matrix/matrix.h"
#include "support/frame.h"
#include "support/index_list.h"

typedef struct {
    const char *name;
    uint64_t seed;
    o_Type c, u, mask;
    o_Binary accum;
    t_Flags flags;
    bool is_row, iso;
} line_case;

static gbl_Matrix make(const o_Matrix *C, bool by_columns) {
    gbl_Matrix g = NULL;
    if (!by_columns) return t_matrix(C);
    o_Matrix turned = o_new(C->type, C->ncols, C->nrows);
    o_transpose(&turned, &(o_Rule){0}, C);
    gbl_Matrix t = t_matrix(&turned);
    OK(gbl_Matrix_new(&g, C->type.handle, C->nrows, C->ncols));
    OK(gbl_transpose(g, NULL, NULL, t, NULL));
    OK(gbl_Matrix_free(&t));
    o_free(&turned);
    return g;
}

static void run(const line_case *of) {
    t_Random r = t_random(of->seed + 31);
    const gbl_Index m = 1 + t_below(&r, 20), n = 1 + t_below(&r, 20);
    const gbl_Index length = of->is_row ? n : m, line = t_below(&r, of->is_row ? m : n);
    const t_ListKind kinds[] = {T_LIST_ALL,      T_LIST_RANGE,  T_LIST_ASCENDING,
                                T_LIST_SHUFFLED, T_LIST_SINGLE, T_LIST_EMPTY};
    const t_List list = t_list(&r, kinds[t_below(&r, T_COUNT(kinds))], length);
    if (t_left_out()) return;
    t_case("%s seed %llu: %s %llu of %llu x %llu, list %s, %s", of->name,
           (unsigned long long)of->seed, of->is_row ? "row" : "column", (unsigned long long)line,
           (unsigned long long)m, (unsigned long long)n, t_list_names[list.kind],
           t_flags_text(&of->flags));
    o_Matrix C = t_generate(
        &r, &(t_Content){of->c, m, n, of->seed % 11 == 5 ? T_EMPTY : T_RANDOM, 0.4, true, of->iso});
    o_Matrix u = t_generate(&r, &(t_Content){of->u, list.n, 1, T_RANDOM, 0.5, true, of->iso});
    o_Matrix M = t_generate(&r, &(t_Content){of->mask, length, 1, T_RANDOM, 0.5, false, false});
    gbl_Matrix gC = make(&C, of->seed % 3 == 1);
    gbl_Vector gu = t_vector(&u), gm = t_has_mask(of->flags.mask) ? t_vector(&M) : NULL;
    gbl_Descriptor desc = t_descriptor(&of->flags);
    const gbl_BinaryOp accum = of->flags.accum ? of->accum.handle : NULL;
    o_Rule rule = t_rule(&of->flags, &M, &of->accum);
    rule.tran0 = false; /* u is a vector */
    OK(of->is_row ? gbl_Row_assign(gC, gm, accum, gu, line, t_listed(&list), list.n, desc)
                  : gbl_Col_assign(gC, gm, accum, gu, t_listed(&list), list.n, line, desc));
    o_assign_line(&C, &rule, &(o_Line){of->is_row, line, list.i, list.n}, &u);
    t_expect("C", &C, gC, 0);
    t_expect_vector("u", &u, gu, 0);
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Matrix_free(&gC));
    OK(gbl_Vector_free(&gu));
    if (gm != NULL) OK(gbl_Vector_free(&gm));
    o_free(&C);
    o_free(&u);
    o_free(&M);
}

GB_TEST(assign_line, every_type_and_rule) {
    for (size_t k = 0; k < T_COUNT(t_types); k++) {
        for (unsigned f = 0; f < 4 * T_FLAGS_ALL; f++) {
            const o_Type type = o_type(t_types[k]);
            line_case of = {.name = "line",
                            .seed = 1000 * k + f,
                            .c = type,
                            .u = f % 3 ? type : o_type(t_types[f % 11]),
                            .mask = o_type(t_types[(f + k) % 11]),
                            .accum = t_some_accum(type.code, f / 6),
                            .flags = t_flags(f % T_FLAGS_ALL),
                            .is_row = f / T_FLAGS_ALL % 2,
                            .iso = f % 5 == 3};
            run(&of);
        }
    }
}

/* Lines in any order, setElement between them, and looks at the matrix, as they come. */
static void run_loop(uint64_t seed, gbl_Type_Code code) {
    t_Random r = t_random(seed);
    const gbl_Index n = 24 + t_below(&r, 24);
    const bool cells = seed % 4 == 0, ascending = t_chance(&r, 0.3);
    const double densities[] = {0, 0.1, 0.4, 0.95};
    t_case("loop %llu, type %d", (unsigned long long)seed, (int)code);
    o_Matrix C = t_generate(&r, &(t_Content){o_type(code), n, n, T_RANDOM,
                                             densities[seed % 4 == 0 ? 3 : t_below(&r, 4)], true,
                                             seed % 9 == 3});
    gbl_Matrix gC = make(&C, seed % 3 == 1);
    gb_DenseView view;
    if (cells) OK(gb_acquire_dense(&gC->m, &view));
    if (cells) gb_matrix_keep_only(&gC->m, GBL_HAS_BITMAP | GBL_HAS_FULL);
    for (gbl_Index k = 0; k < 20; k++) {
        const t_List list = t_list(&r, t_chance(&r, 0.6) ? T_LIST_ALL : T_LIST_SHUFFLED, n);
        const o_Type type = t_chance(&r, 0.8) ? C.type : o_type(t_types[t_below(&r, 11)]);
        const t_Content content = {type, list.n,    1, T_RANDOM, densities[t_below(&r, 4)],
                                   true, k % 5 == 2};
        o_Matrix u = t_generate(&r, &content);
        gbl_Vector gu = t_vector(&u);
        const o_Line line = {t_chance(&r, seed % 2 ? 0.9 : 0.1), ascending ? k : t_below(&r, n),
                             list.i, list.n};
        OK(line.is_row
               ? gbl_Row_assign(gC, NULL, NULL, gu, line.line, t_listed(&list), list.n, NULL)
               : gbl_Col_assign(gC, NULL, NULL, gu, t_listed(&list), list.n, line.line, NULL));
        o_assign_line(&C, &(o_Rule){0}, &line, &u);
        OK(gbl_Vector_free(&gu)); /* nothing of it is looked at later */
        o_free(&u);
        if (t_chance(&r, 0.2)) {
            o_Cell *cell = &C.x[t_below(&r, n * n)];
            const gbl_Index at = (gbl_Index)(cell - C.x);
            *cell = (o_Cell){true, t_value(&r, C.type)};
            OK(t_set_matrix(gC, C.type, &cell->v, at / n, at % n));
        }
        if (t_chance(&r, 0.1)) t_expect("C", &C, gC, 0);
    }
    t_expect("C", &C, gC, 0);
    OK(gbl_Matrix_free(&gC));
    o_free(&C);
}

GB_TEST(assign_line, loops) {
    for (uint64_t seed = 0; seed < 600; seed++)
        if (!t_left_out()) run_loop(seed, t_types[seed % T_COUNT(t_types)]);
}

/* A loop over all rows rewrites the matrix a few times, not each time. */
GB_TEST(assign_line, waits) {
    enum { N = 512 };
    gbl_Matrix C = NULL;
    gbl_Vector u = NULL;
    uint64_t rewritten = 0;
    OK(gbl_Matrix_new(&C, GBL_FP64, N, N));
    OK(gbl_Vector_new(&u, GBL_FP64, N));
    for (gbl_Index j = 0; j < N; j += 16) OK(gbl_Vector_setElement_FP64(u, 1.5 + (double)j, j));
    for (gbl_Index i = 0; i < N; i++) {
        const gbl_Index before = C->m.nvals;
        OK(gbl_Row_assign(C, NULL, NULL, u, i, GBL_ALL, N, NULL));
        rewritten += C->m.nvals != before;
    }
    CHECK(rewritten < 30);
    gbl_Index n = 0;
    OK(gbl_Matrix_nvals(&n, C));
    CHECK_EQ(n, N * N / 16);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Vector_free(&u));
}

GB_TEST(assign_line, user_types) {
    t_User user = t_user_path();
    for (unsigned f = 0; f < 2 * T_FLAGS_ALL; f++) {
        line_case of = {.name = "line",
                        .seed = f,
                        .c = user.type,
                        .u = user.type,
                        .mask = o_type(GBL_BOOL_CODE),
                        .accum = user.minus,
                        .flags = t_flags(f % T_FLAGS_ALL),
                        .is_row = f % 2};
        run(&of);
    }
    t_user_free(&user);
}

GB_TEST(assign_line, errors) {
    const gbl_Index good[] = {0, 1}, bad[] = {0, 5};
    gbl_Matrix C = NULL;
    gbl_Vector u = NULL, m = NULL;
    OK(gbl_Matrix_new(&C, GBL_INT32, 4, 5));
    OK(gbl_Matrix_setElement_INT32(C, 7, 2, 2));
    OK(gbl_Vector_new(&u, GBL_INT32, 2));
    OK(gbl_Vector_setElement_INT32(u, 1, 0));
    OK(gbl_Vector_new(&m, GBL_BOOL, 3));
    FAILS(GBL_NULL_POINTER, gbl_Row_assign(NULL, NULL, NULL, u, 0, good, 2, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Row_assign(C, NULL, NULL, NULL, 0, good, 2, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Row_assign(C, NULL, NULL, u, 0, NULL, 2, NULL));
    FAILS(GBL_INVALID_INDEX, gbl_Row_assign(C, NULL, NULL, u, 4, good, 2, NULL));
    FAILS(GBL_INVALID_INDEX, gbl_Col_assign(C, NULL, NULL, u, good, 2, 5, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Row_assign(C, NULL, NULL, u, 0, bad, 2, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Col_assign(C, NULL, NULL, u, bad, 2, 0, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Row_assign(C, NULL, NULL, u, 0, good, 1, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Row_assign(C, NULL, NULL, u, 0, GBL_ALL, 2, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Row_assign(C, m, NULL, u, 0, good, 2, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Col_assign(C, m, NULL, u, good, 2, 0, NULL));
    t_User user = t_user_colour();
    gbl_Vector v = NULL;
    OK(gbl_Vector_new(&v, user.type.handle, 2));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Row_assign(C, NULL, NULL, v, 0, good, 2, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Row_assign(C, NULL, user.minus.handle, u, 0, good, 2, NULL));
    OK(gbl_Vector_free(&v));
    t_user_free(&user);
    gbl_Index n = 0;
    OK(gbl_Matrix_nvals(&n, C));
    CHECK_EQ(n, 1);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Vector_free(&u));
    OK(gbl_Vector_free(&m));
}
