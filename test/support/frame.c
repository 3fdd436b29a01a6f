/* SPDX-License-Identifier: Apache-2.0
 *
 * See frame.h.
 */
#include "support/frame.h"

#include <string.h>

t_FrameCase t_frame_case(const char *name, o_Type type, unsigned n, bool vector) {
    t_FrameCase of;
    memset(&of, 0, sizeof of);
    of.name = name;
    of.vector = vector;
    of.nrows = vector ? 47 : 14;
    of.ncols = vector ? 1 : 12;
    of.c = of.a = of.b = type;
    of.mask = o_type(t_types[n % T_COUNT(t_types)]);
    if (type.code != GBL_UDT_CODE) of.accum = t_some_accum(type.code, n / 6);
    of.flags = t_flags(n);
    if (vector) of.flags.tran0 = of.flags.tran1 = false;
    return of;
}

void t_frame_cast(t_FrameCase *of, t_Random *r) {
    of->c = o_type(t_types[t_below(r, T_COUNT(t_types))]);
    of->a = o_type(t_types[t_below(r, T_COUNT(t_types))]);
    of->accum = t_some_accum(of->c.code, t_next(r));
}

const gbl_Index t_frame_sizes[T_FRAME_SHAPES][2] = {{0, 0},     {0, 7},   {7, 0},     {1, 1},
                                                    {1, 3000},  {9, 9},   {70000, 2}, {2, 70000},
                                                    {250, 230}, {3000, 1}};

bool t_frame_shape(t_FrameCase *of, unsigned s, unsigned k) {
    of->seed = 100 * s + k;
    of->nrows = t_frame_sizes[s][0];
    of->ncols = t_frame_sizes[s][1];
    of->pattern = (t_Pattern)(k % T_PATTERNS);
    of->density = k % 2 ? 0.02 : 0.6;
    return of->nrows * of->ncols <= 10000 || k % 8 == s % 8;
}

static void describe(const t_FrameCase *of) {
    t_case("%s seed %llu: %llu x %llu, %s, types C %d A %d B %d M %d, alias %d, accum %d%s, %s",
           of->name, (unsigned long long)of->seed, (unsigned long long)of->nrows,
           (unsigned long long)of->ncols, t_pattern_names[of->pattern], (int)of->c.code,
           (int)of->a.code, (int)of->b.code, (int)of->mask.code, (int)of->alias, (int)of->accum.op,
           of->iso ? ", iso" : "", t_flags_text(&of->flags));
}

static void make_dense(t_Frame *x) {
    const t_FrameCase *of = x->of;
    t_Random r = t_random(of->seed);
    const double density = of->density > 0 ? of->density : 0.35;
    const gbl_Index n = of->nrows, m = of->ncols, out = of->output_vector ? 1 : m;
    const bool ta = of->flags.tran0, tb = of->flags.tran1;
    t_Content c = {of->a, ta ? m : n, ta ? n : m, of->pattern, density, of->wild, of->iso};
    x->A = t_generate(&r, &c);
    c = (t_Content){of->b, tb ? m : n, tb ? n : m, T_RANDOM, density, of->wild, of->iso};
    x->B = t_generate(&r, &c);
    c = (t_Content){of->c, n, out, T_RANDOM, density, of->wild, of->iso};
    x->C = t_generate(&r, &c);
    c = (t_Content){of->mask, n, out, T_RANDOM, 0.5, false, of->iso};
    x->M = t_generate(&r, &c);
    const bool all = of->alias == T_ALL_ONE;
    x->a = of->alias == T_C_IS_A || all ? &x->C : &x->A;
    x->b = of->alias == T_C_IS_B || all ? &x->C : of->alias == T_A_IS_B ? x->a : &x->B;
    x->m = of->alias == T_C_IS_MASK || all ? &x->C : of->alias == T_A_IS_MASK ? x->a : &x->M;
}

static void make_matrices(t_Frame *x, bool masked) {
    x->gC = t_matrix(&x->C);
    x->gA = x->a == &x->C ? x->gC : t_matrix(x->a);
    x->gB = x->b == &x->C ? x->gC : x->b == x->a ? x->gA : t_matrix(x->b);
    if (masked) x->gM = x->m == &x->C ? x->gC : x->m == x->a ? x->gA : t_matrix(x->m);
}

static void hold_matrices(const t_Frame *x) {
    void (*hold)(gbl_Matrix) = x->of->hold;
    if (hold == NULL) return;
    if (x->gC != NULL) hold(x->gC);
    if (x->gA != NULL && x->gA != x->gC) hold(x->gA);
    if (x->gB != NULL && x->gB != x->gC && x->gB != x->gA) hold(x->gB);
    if (x->gM != NULL && x->gM != x->gC && x->gM != x->gA) hold(x->gM);
}

static void make_vectors(t_Frame *x, bool masked) {
    x->w = t_vector(&x->C);
    x->u = x->a == &x->C ? x->w : t_vector(x->a);
    x->t = x->b == &x->C ? x->w : x->b == x->a ? x->u : t_vector(x->b);
    if (masked) x->v = x->m == &x->C ? x->w : x->m == x->a ? x->u : t_vector(x->m);
}

void t_begin(t_Frame *x, const t_FrameCase *of) {
    memset(x, 0, sizeof *x);
    x->of = of;
    describe(of);
    make_dense(x);
    const bool masked = t_has_mask(of->flags.mask);
    if (of->output_vector) {
        x->w = t_vector(&x->C);
        x->gA = t_matrix(x->a);
        if (masked) x->v = x->m == &x->C ? x->w : t_vector(x->m);
    } else if (of->vector) {
        make_vectors(x, masked);
    } else {
        make_matrices(x, masked);
    }
    hold_matrices(x);
    x->desc = t_descriptor(&of->flags);
    x->rule = t_rule(&of->flags, x->m, &of->accum);
    x->accum = of->flags.accum ? of->accum.handle : NULL;
}

static void free_matrices(t_Frame *x) {
    if (x->gM != x->gC && x->gM != x->gA && x->gM != NULL) OK(gbl_Matrix_free(&x->gM));
    if (x->gB != x->gC && x->gB != x->gA && x->gB != NULL) OK(gbl_Matrix_free(&x->gB));
    if (x->gA != x->gC && x->gA != NULL) OK(gbl_Matrix_free(&x->gA));
    if (x->gC != NULL) OK(gbl_Matrix_free(&x->gC));
}

static void free_vectors(t_Frame *x) {
    if (x->v != x->w && x->v != x->u && x->v != NULL) OK(gbl_Vector_free(&x->v));
    if (x->t != x->w && x->t != x->u && x->t != NULL) OK(gbl_Vector_free(&x->t));
    if (x->u != x->w && x->u != NULL) OK(gbl_Vector_free(&x->u));
    if (x->w != NULL) OK(gbl_Vector_free(&x->w));
}

void t_end(t_Frame *x) {
    if (x->w != NULL)
        t_expect_vector("w", &x->C, x->w, x->of->tolerance);
    else
        t_expect("C", &x->C, x->gC, x->of->tolerance);
    /* inputs that are not outputs are as they were */
    if (x->gA != NULL && x->gA != x->gC) t_expect("A", x->a, x->gA, 0);
    if (x->u != NULL && x->u != x->w) t_expect_vector("u", x->a, x->u, 0);
    OK(gbl_Descriptor_free(&x->desc));
    free_matrices(x);
    free_vectors(x);
    FREE(x->A, x->B, x->C, x->M);
}
