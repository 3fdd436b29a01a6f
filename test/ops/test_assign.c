/* SPDX-License-Identifier: Apache-2.0
 *
 * assign of matrices, vectors and single values, which fill whatever the mask lets them, with I = J
 * = GBL_ALL; an empty Scalar assigns "no entry". And to one row or column of a matrix: there the
 * mask is as long as the line, and replace deletes in the line only.
 */
#include "support/frame.h"
#include "support/index_list.h"

#include "matrix/matrix.h"

/* ---------------------------------------------------------------------- matrices and vectors -- */

static void run(const t_FrameCase *of) {
    if (t_left_out()) return;
    t_Frame x;
    t_begin(&x, of);
    if (of->vector)
        OK(gbl_Vector_assign(x.w, x.v, x.accum, x.u, GBL_ALL, of->nrows, x.desc));
    else
        OK(gbl_Matrix_assign(x.gC, x.gM, x.accum, x.gA, GBL_ALL, of->nrows, GBL_ALL, of->ncols,
                             x.desc));
    o_assign(&x.C, &x.rule, x.a);
    t_end(&x);
}

GB_TEST(assign, every_type) {
    for (size_t k = 0; k < T_COUNT(t_types); k++) {
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = t_frame_case("assign", o_type(t_types[k]), f, (f + k) % 2);
            of.seed = 1000 * k + f;
            of.wild = true;
            of.iso = f % 5 == 3;
            run(&of);
        }
    }
}

/* C accum= u between full vectors, until an element of u goes: then C's own value stays as it is,
 * which a cast to accum's type would change. */
GB_TEST(assign, full_update) {
    double x = 0;
    gbl_Vector w = t_new_vector(GBL_FP64, 50), u = t_new_vector(GBL_FP64, 50);
    OK(gbl_Vector_assign_FP64(w, NULL, NULL, 0.5, GBL_ALL, 50, NULL));
    OK(gbl_Vector_assign_FP64(u, NULL, NULL, 2.0, GBL_ALL, 50, NULL));
    OK(gbl_Vector_assign(w, NULL, GBL_PLUS_INT32, u, GBL_ALL, 50, NULL));
    OK(gbl_Vector_extractElement_FP64(&x, w, 49));
    CHECK_EQ(x, 2.0);
    OK(gbl_Vector_assign_FP64(w, NULL, NULL, 0.5, GBL_ALL, 50, NULL));
    OK(gbl_Vector_removeElement(u, 7));
    OK(gbl_Vector_assign(w, NULL, GBL_PLUS_INT32, u, GBL_ALL, 50, NULL));
    OK(gbl_Vector_extractElement_FP64(&x, w, 7));
    CHECK_EQ(x, 0.5);
    OK(gbl_Vector_extractElement_FP64(&x, w, 8));
    CHECK_EQ(x, 2.0);
    FREE(w, u);
}

GB_TEST(assign, typecasts_and_aliases) {
    for (uint64_t seed = 0; seed < 4000; seed++) {
        t_Random r = t_random(seed + 61);
        t_FrameCase of = t_frame_case("assign", o_type(GBL_INT8_CODE),
                                      (unsigned)t_below(&r, T_FLAGS_ALL), t_chance(&r, 0.5));
        of.seed = seed;
        t_frame_cast(&of, &r);
        of.alias = (t_Alias)t_below(&r, T_ALIASES);
        of.wild = true;
        if (of.alias != T_DISTINCT && !of.vector) of.ncols = of.nrows;
        run(&of);
    }
}

GB_TEST(assign, shapes) {
    for (unsigned s = 0; s < T_FRAME_SHAPES; s++) {
        for (unsigned k = 0; k < 32; k++) {
            t_FrameCase of = t_frame_case("assign", o_type(t_types[k % T_COUNT(t_types)]),
                                          (17 * k + s) % T_FLAGS_ALL, t_frame_sizes[s][1] == 1);
            if (!t_frame_shape(&of, s, k)) continue;
            run(&of);
        }
    }
}

/* --------------------------------------------------------------------------------- one value -- */

static gbl_Info fill_matrix(t_Frame *f, o_Type type, const o_Value *x) {
    const gbl_Index n = f->of->nrows, m = f->of->ncols;
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_assign_##N(f->gC, f->gM, f->accum, *(const T *)(const void *)x, GBL_ALL, \
                                     n, GBL_ALL, m, f->desc);
    switch (type.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return gbl_Matrix_assign_UDT(f->gC, f->gM, f->accum, x, GBL_ALL, n, GBL_ALL, m, f->desc);
    }
#undef CASE
}

static gbl_Info fill_vector(t_Frame *f, o_Type type, const o_Value *x) {
    const gbl_Index n = f->of->nrows;
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Vector_assign_##N(f->w, f->v, f->accum, *(const T *)(const void *)x, GBL_ALL,   \
                                     n, f->desc);
    switch (type.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return gbl_Vector_assign_UDT(f->w, f->v, f->accum, x, GBL_ALL, n, f->desc);
    }
#undef CASE
}

static gbl_Info fill_by_scalar(t_Frame *f, gbl_Scalar s) {
    const gbl_Index n = f->of->nrows, m = f->of->ncols;
    return f->of->vector ? gbl_Vector_assign_Scalar(f->w, f->v, f->accum, s, GBL_ALL, n, f->desc)
                         : gbl_Matrix_assign_Scalar(f->gC, f->gM, f->accum, s, GBL_ALL, n, GBL_ALL,
                                                    m, f->desc);
}

/* The transpose flags do not concern a value; A only takes part as a possible alias of the mask. */
static void run_value(const t_FrameCase *of, o_Type type) {
    t_Random r = t_random(of->seed + 4);
    const o_Value value = t_value(&r, type);
    const uint64_t how = t_below(&r, 3);
    if (t_left_out()) return;
    t_Frame x;
    t_begin(&x, of);
    if (how == 0) {
        OK(of->vector ? fill_vector(&x, type, &value) : fill_matrix(&x, type, &value));
        o_assign_value(&x.C, &x.rule, type, value);
    } else {
        gbl_Scalar s = t_scalar(type, how == 1 ? &value : NULL);
        OK(fill_by_scalar(&x, s));
        OK(gbl_Scalar_free(&s));
        o_Matrix nothing = o_new(type, of->nrows, of->ncols);
        o_Rule rule = x.rule;
        rule.tran0 = false;
        if (how == 1)
            o_assign_value(&x.C, &x.rule, type, value);
        else
            o_assign(&x.C, &rule, &nothing);
        o_free(&nothing);
    }
    t_end(&x);
}

GB_TEST(assign, value) {
    for (size_t k = 0; k < T_COUNT(t_types); k++) {
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = t_frame_case("assign value", o_type(t_types[k]), f, (f + k) % 2);
            of.seed = 1000 * k + f;
            of.iso = f % 5 == 3;
            run_value(&of, of.c);
        }
    }
}

GB_TEST(assign, value_typecasts_and_aliases) {
    for (uint64_t seed = 0; seed < 4000; seed++) {
        t_Random r = t_random(seed + 62);
        t_FrameCase of = t_frame_case("assign value", o_type(GBL_INT8_CODE),
                                      (unsigned)t_below(&r, T_FLAGS_ALL), t_chance(&r, 0.5));
        of.seed = seed;
        t_frame_cast(&of, &r);
        of.alias = t_chance(&r, 0.5) ? T_C_IS_MASK : T_DISTINCT;
        of.density = t_chance(&r, 0.3) ? 1 : 0.2;
        run_value(&of, o_type(t_types[t_below(&r, T_COUNT(t_types))]));
    }
}

GB_TEST(assign, value_shapes) {
    for (unsigned s = 0; s < T_FRAME_SHAPES; s++) {
        for (unsigned k = 0; k < 48; k++) {
            t_FrameCase of = t_frame_case("assign value", o_type(t_types[k % T_COUNT(t_types)]),
                                          (17 * k + s) % T_FLAGS_ALL, t_frame_sizes[s][1] == 1);
            if (!t_frame_shape(&of, s, k)) continue;
            run_value(&of, o_type(t_types[(k + s) % T_COUNT(t_types)]));
        }
    }
}

GB_TEST(assign, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = t_frame_case("assign user", users[u].type, f, f % 2);
            of.seed = 1000 * u + f;
            of.accum = users[u].minus;
            run(&of);
            run_value(&of, users[u].type);
        }
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

/* ------------------------------------------------------------------------ one row or column -- */

typedef struct {
    const char *name;
    uint64_t seed;
    o_Type c, u, mask;
    o_Binary accum;
    t_Flags flags;
    bool is_row, iso;
} line_case;

static gbl_Matrix make(const o_Matrix *C, bool by_columns) {
    if (!by_columns) return t_matrix(C);
    o_Matrix turned = o_new(C->type, C->ncols, C->nrows);
    o_transpose(&turned, &(o_Rule){0}, C);
    gbl_Matrix t = t_matrix(&turned);
    gbl_Matrix g = t_new_matrix(C->type.handle, C->nrows, C->ncols);
    OK(gbl_transpose(g, NULL, NULL, t, NULL));
    FREE(t, turned);
    return g;
}

static void run_line(const line_case *of) {
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
    FREE(desc, gC, gu);
    if (gm != NULL) OK(gbl_Vector_free(&gm));
    FREE(C, u, M);
}

GB_TEST(assign_line, every_type_and_rule) {
    for (size_t k = 0; k < T_COUNT(t_types); k++) {
        for (unsigned f = 0; f < 4 * T_FLAGS_ALL; f++) {
            const o_Type type = o_type(t_types[k]);
            line_case of = {.name = "line",
                            .seed = 1000 * k + f,
                            .c = type,
                            .u = f % 3 ? type : o_type(t_types[f % T_COUNT(t_types)]),
                            .mask = o_type(t_types[(f + k) % T_COUNT(t_types)]),
                            .accum = t_some_accum(type.code, f / 6),
                            .flags = t_flags(f % T_FLAGS_ALL),
                            .is_row = f / T_FLAGS_ALL % 2,
                            .iso = f % 5 == 3};
            run_line(&of);
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
        const o_Type type =
            t_chance(&r, 0.8) ? C.type : o_type(t_types[t_below(&r, T_COUNT(t_types))]);
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
    FREE(gC, C);
}

GB_TEST(assign_line, loops) {
    for (uint64_t seed = 0; seed < 600; seed++)
        if (!t_left_out()) run_loop(seed, t_types[seed % T_COUNT(t_types)]);
}

/* A loop over all rows rewrites the matrix a few times, not each time. */
GB_TEST(assign_line, waits) {
    enum { N = 512 };
    uint64_t rewritten = 0;
    gbl_Matrix C = t_new_matrix(GBL_FP64, N, N);
    gbl_Vector u = t_new_vector(GBL_FP64, N);
    for (gbl_Index j = 0; j < N; j += 16) OK(gbl_Vector_setElement_FP64(u, 1.5 + (double)j, j));
    for (gbl_Index i = 0; i < N; i++) {
        const gbl_Index before = C->m.nvals;
        OK(gbl_Row_assign(C, NULL, NULL, u, i, GBL_ALL, N, NULL));
        rewritten += C->m.nvals != before;
    }
    CHECK(rewritten < 30);
    CHECK_EQ(t_nvals(C), N * N / 16);
    FREE(C, u);
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
        run_line(&of);
    }
    t_user_free(&user);
}

GB_TEST(assign_line, errors) {
    const gbl_Index good[] = {0, 1}, bad[] = {0, 5};
    gbl_Matrix C = t_new_matrix(GBL_INT32, 4, 5);
    OK(gbl_Matrix_setElement_INT32(C, 7, 2, 2));
    gbl_Vector u = t_new_vector(GBL_INT32, 2);
    OK(gbl_Vector_setElement_INT32(u, 1, 0));
    gbl_Vector m = t_new_vector(GBL_BOOL, 3);
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
    gbl_Vector v = t_new_vector(user.type.handle, 2);
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Row_assign(C, NULL, NULL, v, 0, good, 2, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Row_assign(C, NULL, user.minus.handle, u, 0, good, 2, NULL));
    OK(gbl_Vector_free(&v));
    t_user_free(&user);
    CHECK_EQ(t_nvals(C), 1);
    FREE(C, u, m);
}
