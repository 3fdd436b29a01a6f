/* SPDX-License-Identifier: Apache-2.0
 *
 * assign with I = J = GBL_ALL: matrices, vectors and single values, which fill whatever the mask
 * lets them; an empty Scalar assigns "no entry".
 */
#include "support/frame.h"

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
    gbl_Vector w = NULL, u = NULL;
    double x = 0;
    OK(gbl_Vector_new(&w, GBL_FP64, 50));
    OK(gbl_Vector_new(&u, GBL_FP64, 50));
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
    OK(gbl_Vector_free(&w));
    OK(gbl_Vector_free(&u));
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
            t_FrameCase of = t_frame_case("assign", o_type(t_types[k % 11]),
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
        run_value(&of, o_type(t_types[t_below(&r, 11)]));
    }
}

GB_TEST(assign, value_shapes) {
    for (unsigned s = 0; s < T_FRAME_SHAPES; s++) {
        for (unsigned k = 0; k < 48; k++) {
            t_FrameCase of = t_frame_case("assign value", o_type(t_types[k % 11]),
                                          (17 * k + s) % T_FLAGS_ALL, t_frame_sizes[s][1] == 1);
            if (!t_frame_shape(&of, s, k)) continue;
            run_value(&of, o_type(t_types[(k + s) % 11]));
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
