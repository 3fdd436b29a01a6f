/* SPDX-License-Identifier: Apache-2.0
 *
 * apply and select: unary operators, binary operators with one argument bound, every index-unary
 * operator; the value given as a C value, as a Scalar, and as a user type; matrices and vectors.
 */
#include "support/frame.h"

#include <string.h>

/* --------------------------------------------------------------------------- unary operators -- */

static void run_unary(const t_FrameCase *of, const o_Unary *op) {
    if (t_left_out()) return;
    t_Frame x;
    t_begin(&x, of);
    if (of->vector)
        OK(gbl_Vector_apply(x.w, x.v, x.accum, op->handle, x.u, x.desc));
    else
        OK(gbl_Matrix_apply(x.gC, x.gM, x.accum, op->handle, x.gA, x.desc));
    o_apply(&x.C, &x.rule, op, x.a);
    t_end(&x);
}

GB_TEST(apply, unary) {
    for (size_t k = 0; k < t_unary_count; k++) {
        const o_Unary op = t_unary(&t_unaries[k]);
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = t_frame_case(t_unaries[k].name, op.x, f, (f + k) % 3 == 0);
            of.seed = 1000 * k + f;
            of.wild = true;
            of.iso = f % 7 == 6;
            run_unary(&of, &op);
        }
    }
}

GB_TEST(apply, typecasts) {
    for (uint64_t seed = 0; seed < 4000; seed++) {
        t_Random r = t_random(seed + 5);
        const t_Unary *entry = &t_unaries[t_below(&r, t_unary_count)];
        const o_Unary op = t_unary(entry);
        t_FrameCase of =
            t_frame_case(entry->name, op.x, (unsigned)t_below(&r, T_FLAGS_ALL), t_chance(&r, 0.4));
        of.seed = seed;
        t_frame_cast(&of, &r);
        of.wild = true;
        run_unary(&of, &op);
    }
}

GB_TEST(apply, shapes_and_aliases) {
    const o_Unary negate = {O_AINV, o_type(GBL_INT64_CODE), o_type(GBL_INT64_CODE), NULL,
                            GBL_AINV_INT64};
    for (unsigned s = 0; s < T_FRAME_SHAPES; s++) {
        for (unsigned k = 0; k < 24; k++) {
            t_FrameCase of =
                t_frame_case("AINV_INT64", negate.x, (17 * k + s) % T_FLAGS_ALL, false);
            if (!t_frame_shape(&of, s, k)) continue;
            if (of.nrows == of.ncols) of.alias = (t_Alias)(k % T_ALIASES);
            run_unary(&of, &negate);
        }
    }
}

/* ------------------------------------------------------------------- binary operators, bound -- */

/* A value of any type, as a C value or as a Scalar. */
typedef struct {
    bool scalar;
    o_Type type;
    o_Value x;
    gbl_Scalar s; /* the same value */
} given;

static given random_given(uint64_t seed, o_Type type) {
    t_Random r = t_random(seed);
    return (given){t_chance(&r, 0.5), type, t_value(&r, type), NULL};
}

static gbl_Info bind_matrix(t_Frame *f, const o_Bound *bound, const given *g) {
    gbl_BinaryOp op = bound->op->handle;
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE: {                                                                         \
        const T v = *(const T *)(const void *)&g->x;                                               \
        return bound->first ? gbl_Matrix_apply_BinaryOp1st_##N(f->gC, f->gM, f->accum, op, v,      \
                                                               f->gA, f->desc)                     \
                            : gbl_Matrix_apply_BinaryOp2nd_##N(f->gC, f->gM, f->accum, op, f->gA,  \
                                                               v, f->desc);                        \
    }
    if (g->scalar)
        return bound->first ? gbl_Matrix_apply_BinaryOp1st_Scalar(f->gC, f->gM, f->accum, op, g->s,
                                                                  f->gA, f->desc)
                            : gbl_Matrix_apply_BinaryOp2nd_Scalar(f->gC, f->gM, f->accum, op, f->gA,
                                                                  g->s, f->desc);
    switch (g->type.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return bound->first ? gbl_Matrix_apply_BinaryOp1st_UDT(f->gC, f->gM, f->accum, op, &g->x,
                                                               f->gA, f->desc)
                            : gbl_Matrix_apply_BinaryOp2nd_UDT(f->gC, f->gM, f->accum, op, f->gA,
                                                               &g->x, f->desc);
    }
#undef CASE
}

static gbl_Info bind_vector(t_Frame *f, const o_Bound *bound, const given *g) {
    gbl_BinaryOp op = bound->op->handle;
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE: {                                                                         \
        const T v = *(const T *)(const void *)&g->x;                                               \
        return bound->first                                                                        \
                   ? gbl_Vector_apply_BinaryOp1st_##N(f->w, f->v, f->accum, op, v, f->u, f->desc)  \
                   : gbl_Vector_apply_BinaryOp2nd_##N(f->w, f->v, f->accum, op, f->u, v, f->desc); \
    }
    if (g->scalar)
        return bound->first ? gbl_Vector_apply_BinaryOp1st_Scalar(f->w, f->v, f->accum, op, g->s,
                                                                  f->u, f->desc)
                            : gbl_Vector_apply_BinaryOp2nd_Scalar(f->w, f->v, f->accum, op, f->u,
                                                                  g->s, f->desc);
    switch (g->type.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return bound->first ? gbl_Vector_apply_BinaryOp1st_UDT(f->w, f->v, f->accum, op, &g->x,
                                                               f->u, f->desc)
                            : gbl_Vector_apply_BinaryOp2nd_UDT(f->w, f->v, f->accum, op, f->u,
                                                               &g->x, f->desc);
    }
#undef CASE
}

/* The bound matrix is the second input of BinaryOp1st: its transpose is INP1's. */
static void run_bound(t_FrameCase *of, const o_Binary *op, bool first, o_Type type) {
    if (t_left_out()) return;
    given g = random_given(of->seed + 1234567, type);
    const o_Bound bound = {op, first, type, g.x};
    const bool transposed = first ? of->flags.tran1 : of->flags.tran0;
    const bool other = first ? of->flags.tran0 : of->flags.tran1;
    /* make A as the operation will see it, then give the descriptor its own bits */
    of->flags.tran0 = transposed;
    of->flags.tran1 = false;
    t_Frame x;
    t_begin(&x, of);
    OK(gbl_Descriptor_set(x.desc, GBL_INP0, GBL_DEFAULT));
    if (transposed) OK(gbl_Descriptor_set(x.desc, first ? GBL_INP1 : GBL_INP0, GBL_TRAN));
    if (other) OK(gbl_Descriptor_set(x.desc, first ? GBL_INP0 : GBL_INP1, GBL_TRAN));
    x.rule.tran0 = x.rule.tran1 = transposed;
    g.s = t_scalar(type, &g.x);
    OK(of->vector ? bind_vector(&x, &bound, &g) : bind_matrix(&x, &bound, &g));
    OK(gbl_Scalar_free(&g.s));
    o_apply_bound(&x.C, &x.rule, &bound, x.a);
    t_end(&x);
}

GB_TEST(apply, bound) {
    for (size_t k = 0; k < t_binary_count; k++) {
        const o_Binary op = t_binary(&t_binaries[k]);
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = t_frame_case(t_binaries[k].name, op.x, f, (f + k) % 3 == 0);
            of.seed = 1000 * k + f;
            of.c = op.z;
            of.accum = t_some_accum(op.z.code, k + f / 6);
            of.wild = !t_is_float(op.x.code);
            of.iso = f % 11 == 5;
            run_bound(&of, &op, (f / 2 + k) % 2, op.x);
        }
    }
}

GB_TEST(apply, bound_typecasts) {
    for (uint64_t seed = 0; seed < 4000; seed++) {
        t_Random r = t_random(seed + 6);
        const t_Binary *entry = &t_binaries[t_below(&r, t_binary_count)];
        const o_Binary op = t_binary(entry);
        t_FrameCase of =
            t_frame_case(entry->name, op.x, (unsigned)t_below(&r, T_FLAGS_ALL), t_chance(&r, 0.4));
        of.seed = seed;
        t_frame_cast(&of, &r);
        of.wild = true;
        run_bound(&of, &op, t_chance(&r, 0.5), o_type(t_types[t_below(&r, T_COUNT(t_types))]));
    }
}

/* --------------------------------------------------------------------- index-unary operators -- */

static gbl_Info index_matrix(t_Frame *f, const o_Indexed *by, const given *g) {
    gbl_IndexUnaryOp op = by->op->handle;
    if (g->scalar)
        return gbl_Matrix_apply_IndexOp_Scalar(f->gC, f->gM, f->accum, op, f->gA, g->s, f->desc);
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_apply_IndexOp_##N(f->gC, f->gM, f->accum, op, f->gA,                     \
                                            *(const T *)(const void *)&g->x, f->desc);
    switch (g->type.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return gbl_Matrix_apply_IndexOp_UDT(f->gC, f->gM, f->accum, op, f->gA, &g->x, f->desc);
    }
#undef CASE
}

static gbl_Info index_vector(t_Frame *f, const o_Indexed *by, const given *g) {
    gbl_IndexUnaryOp op = by->op->handle;
    if (g->scalar)
        return gbl_Vector_apply_IndexOp_Scalar(f->w, f->v, f->accum, op, f->u, g->s, f->desc);
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Vector_apply_IndexOp_##N(f->w, f->v, f->accum, op, f->u,                        \
                                            *(const T *)(const void *)&g->x, f->desc);
    switch (g->type.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return gbl_Vector_apply_IndexOp_UDT(f->w, f->v, f->accum, op, f->u, &g->x, f->desc);
    }
#undef CASE
}

static void run_index(const t_FrameCase *of, const o_Index *op, o_Type type) {
    given g = random_given(of->seed + 7654321, type);
    const o_Indexed by = {op, type, g.x};
    if (t_left_out()) return;
    t_Frame x;
    t_begin(&x, of);
    g.s = t_scalar(type, &g.x);
    OK(of->vector ? index_vector(&x, &by, &g) : index_matrix(&x, &by, &g));
    OK(gbl_Scalar_free(&g.s));
    o_apply_index(&x.C, &x.rule, &by, x.a);
    t_end(&x);
}

GB_TEST(apply, index) {
    for (size_t k = 0; k < t_index_count; k++) {
        const o_Index op = t_index(&t_indexes[k]);
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = t_frame_case(t_indexes[k].name, op.z, f, (f + k) % 3 == 0);
            of.seed = 1000 * k + f;
            of.a = op.op >= O_VALUEEQ ? op.x : o_type(t_types[(f + k) % T_COUNT(t_types)]);
            run_index(&of, &op, op.y);
        }
    }
}

GB_TEST(apply, index_typecasts) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        t_Random r = t_random(seed + 8);
        const t_Index *entry = &t_indexes[t_below(&r, t_index_count)];
        const o_Index op = t_index(entry);
        t_FrameCase of =
            t_frame_case(entry->name, op.z, (unsigned)t_below(&r, T_FLAGS_ALL), t_chance(&r, 0.4));
        of.seed = seed;
        t_frame_cast(&of, &r);
        run_index(&of, &op, o_type(t_types[t_below(&r, T_COUNT(t_types))]));
    }
}

/* ---------------------------------------------------------------------------- the user's own -- */

GB_TEST(apply, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        const t_User *user = &users[u];
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = t_frame_case("user", user->type, f, f % 4 == 0);
            of.seed = 1000 * u + f;
            of.accum = user->minus;
            run_unary(&of, &user->twist);
            run_index(&of, &user->place, user->type);
            run_bound(&of, &user->minus, f & 1, user->type);
        }
        /* the operators by position take values of any type, even the user's */
        const o_Type int64 = o_type(GBL_INT64_CODE);
        const o_Index row = {O_ROWINDEX, int64, int64, int64, NULL, GBL_ROWINDEX_INT64};
        t_FrameCase of = t_frame_case("ROWINDEX of user", int64, 4, false);
        of.a = user->type;
        run_index(&of, &row, int64);
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

/* ----------------------------------------------------------------------------------- select -- */

static gbl_Info select_matrix(t_Frame *f, gbl_IndexUnaryOp op, const given *g) {
    if (g->scalar)
        return gbl_Matrix_select_Scalar(f->gC, f->gM, f->accum, op, f->gA, g->s, f->desc);
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_select_##N(f->gC, f->gM, f->accum, op, f->gA,                            \
                                     *(const T *)(const void *)&g->x, f->desc);
    switch (g->type.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return gbl_Matrix_select_UDT(f->gC, f->gM, f->accum, op, f->gA, &g->x, f->desc);
    }
#undef CASE
}

static gbl_Info select_vector(t_Frame *f, gbl_IndexUnaryOp op, const given *g) {
    if (g->scalar) return gbl_Vector_select_Scalar(f->w, f->v, f->accum, op, f->u, g->s, f->desc);
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Vector_select_##N(f->w, f->v, f->accum, op, f->u,                               \
                                     *(const T *)(const void *)&g->x, f->desc);
    switch (g->type.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return gbl_Vector_select_UDT(f->w, f->v, f->accum, op, f->u, &g->x, f->desc);
    }
#undef CASE
}

static void run_select(const t_FrameCase *of, const o_Index *op, given g) {
    const o_Indexed by = {op, g.type, g.x};
    if (t_left_out()) return;
    t_Frame x;
    t_begin(&x, of);
    g.s = t_scalar(g.type, &g.x);
    OK(of->vector ? select_vector(&x, op->handle, &g) : select_matrix(&x, op->handle, &g));
    OK(gbl_Scalar_free(&g.s));
    o_select(&x.C, &x.rule, &by, x.a);
    t_end(&x);
}

/* operators that give a number keep the entries where it is not 0 */
GB_TEST(select, every_operator) {
    for (size_t k = 0; k < t_index_count; k++) {
        const o_Index op = t_index(&t_indexes[k]);
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            const o_Type type =
                op.op >= O_VALUEEQ ? op.x : o_type(t_types[(f + k) % T_COUNT(t_types)]);
            t_FrameCase of = t_frame_case(t_indexes[k].name, type, f, (f + k) % 3 == 0);
            of.seed = 1000 * k + f;
            of.iso = f % 9 == 4;
            const given g = random_given(of.seed + 424242, op.y);
            run_select(&of, &op, g);
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
        const given g = random_given(seed + 424242, o_type(t_types[t_below(&r, T_COUNT(t_types))]));
        run_select(&of, &op, g);
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
            const given g = {k & 1, int64, {.i64 = (int64_t)(k % 7) - 3}, NULL};
            run_select(&of, &ops[k % T_COUNT(ops)], g);
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
            const given g = {false, int64, {.i64 = bounds[b]}, NULL};
            run_select(&of, &op, g);
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
            given g = random_given(f + 424242, users[u].type);
            run_select(&of, &users[u].keep, g);
            g = random_given(f + 424242, int64);
            run_select(&of, &triu, g);
        }
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

/* A main diagonal that was found empty is remembered, but not beyond a change. */
GB_TEST(select, empty_diagonal) {
    gbl_Matrix A = t_new_matrix(GBL_INT32, 9, 7), D = t_new_matrix(GBL_INT32, 9, 7);
    for (gbl_Index i = 0; i < 9; i++) OK(gbl_Matrix_setElement_INT32(A, 5, i, (i + 3) % 7));
    OK(gbl_Matrix_removeElement(A, 3, 6));
    for (int again = 0; again < 3; again++) {
        OK(gbl_Matrix_select_INT64(D, NULL, NULL, GBL_DIAG, A, 0, NULL));
        CHECK_EQ(t_nvals(D), 0);
        OK(gbl_Matrix_select_INT64(D, NULL, NULL, GBL_DIAG, A, 3, NULL));
        CHECK_EQ(t_nvals(D), 3);
        OK(gbl_Matrix_select_INT64(D, NULL, GBL_PLUS_INT32, GBL_DIAG, A, 0, NULL)); /* stays */
        CHECK_EQ(t_nvals(D), 3);
    }
    OK(gbl_Matrix_setElement_INT32(A, 8, 2, 2));
    OK(gbl_Matrix_select_INT64(D, NULL, NULL, GBL_DIAG, A, 0, NULL));
    CHECK_EQ(t_nvals(D), 1);
    FREE(A, D);
}
