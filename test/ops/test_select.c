/* SPDX-License-Identifier: Apache-2.0
 *
 * select: every index-unary operator, the value given in every way, matrices and vectors.
 */
#include "support/frame.h"

typedef struct {
    bool scalar; /* pass a Scalar, else a C value */
    o_Type type;
    o_Value y;
} given;

static gbl_Info select_matrix(t_Frame *f, gbl_IndexUnaryOp op, const given *g, gbl_Scalar s) {
    if (g->scalar) return gbl_Matrix_select_Scalar(f->gC, f->gM, f->accum, op, f->gA, s, f->desc);
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_select_##N(f->gC, f->gM, f->accum, op, f->gA,                            \
                                     *(const T *)(const void *)&g->y, f->desc);
    switch (g->type.code) {
        GBL_FOREACH_TYPE(CASE)
    default:
        return gbl_Matrix_select_UDT(f->gC, f->gM, f->accum, op, f->gA, &g->y, f->desc);
    }
#undef CASE
}

static gbl_Info select_vector(t_Frame *f, gbl_IndexUnaryOp op, const given *g, gbl_Scalar s) {
    if (g->scalar) return gbl_Vector_select_Scalar(f->w, f->v, f->accum, op, f->u, s, f->desc);
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Vector_select_##N(f->w, f->v, f->accum, op, f->u,                               \
                                     *(const T *)(const void *)&g->y, f->desc);
    switch (g->type.code) {
        GBL_FOREACH_TYPE(CASE)
    default:
        return gbl_Vector_select_UDT(f->w, f->v, f->accum, op, f->u, &g->y, f->desc);
    }
#undef CASE
}

static void run(const t_FrameCase *of, const o_Index *op, const given *g) {
    const o_Indexed by = {op, g->type, g->y};
    if (t_left_out()) return;
    t_Frame x;
    t_begin(&x, of);
    gbl_Scalar s = t_scalar(g->type, &g->y);
    OK(of->vector ? select_vector(&x, op->handle, g, s) : select_matrix(&x, op->handle, g, s));
    OK(gbl_Scalar_free(&s));
    o_select(&x.C, &x.rule, &by, x.a);
    t_end(&x);
}

static given random_given(uint64_t seed, o_Type type) {
    t_Random r = t_random(seed + 424242);
    return (given){t_chance(&r, 0.5), type, t_value(&r, type)};
}

/* operators that give a number keep the entries where it is not 0 */
GB_TEST(select, every_operator) {
    for (size_t k = 0; k < t_index_count; k++) {
        const o_Index op = t_index(&t_indexes[k]);
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            const o_Type type = op.op >= O_VALUEEQ ? op.x : o_type(t_types[(f + k) % 11]);
            t_FrameCase of = t_frame_case(t_indexes[k].name, type, f, (f + k) % 3 == 0);
            of.seed = 1000 * k + f;
            of.iso = f % 9 == 4;
            const given g = random_given(of.seed, op.y);
            run(&of, &op, &g);
        }
    }
}

GB_TEST(select, typecasts) {
    for (uint64_t seed = 0; seed < 4000; seed++) {
        t_Random r = t_random(seed + 12);
        const t_Index *entry = &t_indexes[t_below(&r, t_index_count)];
        const o_Index op = t_index(entry);
        t_FrameCase of =
            t_frame_case(entry->name, op.z, (unsigned)t_below(&r, T_FLAGS_ALL), t_chance(&r, 0.4));
        of.seed = seed;
        t_frame_cast(&of, &r);
        of.wild = true;
        const given g = random_given(seed, o_type(t_types[t_below(&r, 11)]));
        run(&of, &op, &g);
    }
}

GB_TEST(select, shapes_and_aliases) {
    const o_Type int64 = o_type(GBL_INT64_CODE), boolean = o_type(GBL_BOOL_CODE);
    const o_Index ops[] = {{O_TRIL, boolean, int64, int64, NULL, GBL_TRIL},
                           {O_OFFDIAG, boolean, int64, int64, NULL, GBL_OFFDIAG},
                           {O_COLGT, boolean, int64, int64, NULL, GBL_COLGT},
                           {O_ROWLE, boolean, int64, int64, NULL, GBL_ROWLE}};
    for (unsigned s = 0; s < T_FRAME_SHAPES; s++) {
        for (unsigned k = 0; k < 24; k++) {
            t_FrameCase of =
                t_frame_case("select", o_type(GBL_FP32_CODE), (17 * k + s) % T_FLAGS_ALL, false);
            if (!t_frame_shape(&of, s, k)) continue;
            if (of.nrows == of.ncols) of.alias = (t_Alias)(k % T_ALIASES);
            const given g = {k & 1, int64, {.i64 = (int64_t)(k % 7) - 3}};
            run(&of, &ops[k % T_COUNT(ops)], &g);
        }
    }
}

/* y far outside of the matrix, at both ends of its type */
GB_TEST(select, extreme_bounds) {
    const o_Type int64 = o_type(GBL_INT64_CODE), boolean = o_type(GBL_BOOL_CODE);
    static const int64_t bounds[] = {INT64_MIN,  INT64_MIN + 20, -5000000000,
                                     5000000000, INT64_MAX - 20, INT64_MAX};
    for (size_t k = 0; k < t_index_count; k++) {
        if (t_indexes[k].op < O_TRIL || t_indexes[k].op > O_ROWGT) continue;
        const o_Index op = {t_indexes[k].op, boolean, int64, int64, NULL, *t_indexes[k].handle};
        for (unsigned b = 0; b < T_COUNT(bounds); b++) {
            t_FrameCase of = t_frame_case(t_indexes[k].name, int64, 0, false);
            of.seed = 10 * k + b;
            const given g = {false, int64, {.i64 = bounds[b]}};
            run(&of, &op, &g);
        }
    }
}

GB_TEST(select, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    const o_Type int64 = o_type(GBL_INT64_CODE), boolean = o_type(GBL_BOOL_CODE);
    const o_Index triu = {O_TRIU, boolean, int64, int64, NULL, GBL_TRIU};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = t_frame_case("user", users[u].type, f, f % 4 == 0);
            of.seed = 1000 * u + f;
            of.accum = users[u].minus;
            given g = random_given(f, users[u].type);
            run(&of, &users[u].keep, &g);
            g = random_given(f, int64);
            run(&of, &triu, &g);
        }
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

/* A main diagonal that was found empty is remembered, but not beyond a change. */
GB_TEST(select, empty_diagonal) {
    gbl_Matrix A = NULL, D = NULL;
    gbl_Index n;
    OK(gbl_Matrix_new(&A, GBL_INT32, 9, 7));
    OK(gbl_Matrix_new(&D, GBL_INT32, 9, 7));
    for (gbl_Index i = 0; i < 9; i++) OK(gbl_Matrix_setElement_INT32(A, 5, i, (i + 3) % 7));
    OK(gbl_Matrix_removeElement(A, 3, 6));
    for (int again = 0; again < 3; again++) {
        OK(gbl_Matrix_select_INT64(D, NULL, NULL, GBL_DIAG, A, 0, NULL));
        OK(gbl_Matrix_nvals(&n, D));
        CHECK_EQ(n, 0);
        OK(gbl_Matrix_select_INT64(D, NULL, NULL, GBL_DIAG, A, 3, NULL));
        OK(gbl_Matrix_nvals(&n, D));
        CHECK_EQ(n, 3);
        OK(gbl_Matrix_select_INT64(D, NULL, GBL_PLUS_INT32, GBL_DIAG, A, 0, NULL)); /* stays */
        OK(gbl_Matrix_nvals(&n, D));
        CHECK_EQ(n, 3);
    }
    OK(gbl_Matrix_setElement_INT32(A, 8, 2, 2));
    OK(gbl_Matrix_select_INT64(D, NULL, NULL, GBL_DIAG, A, 0, NULL));
    OK(gbl_Matrix_nvals(&n, D));
    CHECK_EQ(n, 1);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&D));
}
