/* SPDX-License-Identifier: Apache-2.0
 *
 * See product.h. The dense operands are made first, in a fixed order, so that the same seed gives
 * the same content whatever the aliases; an alias then only drops one of them.
 */
#include "support/product.h"

typedef struct {
    o_Matrix C, M, A, B;       /* dense; aliases share cells */
    o_Matrix *m, *a, *b;       /* which of them is used as what */
    gbl_Matrix gC, gM, gA, gB; /* library: matrices, or vectors in the fields below */
    gbl_Vector w, v, u;        /* output, mask, input */
} operands;

o_Binary t_some_accum(gbl_Type_Code type, uint64_t n) {
    static const o_Opcode ops[] = {O_PLUS, O_MINUS, O_FIRST, O_SECOND, O_MIN, O_TIMES};
    const o_Opcode op = ops[n % T_COUNT(ops)];
    return t_find_binary(op == O_MIN && type >= GBL_FC32_CODE ? O_RMINUS : op, type);
}

t_ProductCase t_mxm_case(const char *name, const o_Ring *ring, unsigned f) {
    const o_Binary none = {.op = O_USER};
    const o_Type type = ring->add.z;
    return (t_ProductCase){.kind = T_MXM,
                           .name = name,
                           .ring = ring,
                           .accum = type.code == GBL_UDT_CODE ? none : t_some_accum(type.code, f),
                           .c = type,
                           .a = ring->multiply.x,
                           .b = ring->multiply.y,
                           .mask = o_type(t_types[f % T_COUNT(t_types)]),
                           .flags = t_flags(f)};
}

void t_mix_types(t_ProductCase *of, t_Random *r, const t_Ring *entry, t_Shape square) {
    of->c = o_type(t_types[t_below(r, T_COUNT(t_types))]);
    of->a = o_type(t_types[t_below(r, T_COUNT(t_types))]);
    of->b = o_type(t_types[t_below(r, T_COUNT(t_types))]);
    if (of->seed % 2 == 0) {
        of->alias = (t_Alias)(of->seed / 2 % T_ALIASES);
        of->a = of->b = of->c = of->mask = o_type(entry->type);
        of->shape = square;
    }
    of->accum = t_some_accum(of->c.code, t_next(r));
}

static t_Content content(const t_ProductCase *of, o_Type type, gbl_Index nrows, gbl_Index ncols) {
    return (t_Content){type, nrows, ncols, T_RANDOM, of->shape.dc, of->wild, of->iso};
}

static void make_dense(operands *x, const t_ProductCase *of) {
    const t_Shape *s = &of->shape;
    t_Random r = t_random(of->seed);
    const bool ta = of->flags.tran0, tb = of->flags.tran1;
    t_Content c = content(of, of->a, ta ? s->inner : s->rows, ta ? s->rows : s->inner);
    c.pattern = s->a;
    c.density = s->da;
    c.iso = of->iso || of->a_iso;
    x->A = t_generate(&r, &c);
    c = content(of, of->b, tb ? s->columns : s->inner, tb ? s->inner : s->columns);
    c.pattern = s->b;
    c.density = s->db;
    c.iso = of->iso || of->b_iso;
    x->B = t_generate(&r, &c);
    c = content(of, of->c, s->rows, s->columns);
    x->C = t_generate(&r, &c);
    c = content(of, of->mask, s->rows, s->columns);
    x->M = t_generate(&r, &c);
    x->a = of->alias == T_C_IS_A || of->alias == T_ALL_ONE ? &x->C : &x->A;
    x->b = of->alias == T_C_IS_B || of->alias == T_ALL_ONE ? &x->C
           : of->alias == T_A_IS_B                         ? x->a
                                                           : &x->B;
    x->m = of->alias == T_C_IS_MASK || of->alias == T_ALL_ONE ? &x->C
           : of->alias == T_A_IS_MASK                         ? x->a
                                                              : &x->M;
}

/* vxm computes w' = u' A: as rows, the same cells */
static void as_rows(operands *x) {
    x->C = o_as_row(&x->C);
    x->M = o_as_row(&x->M);
    x->A = o_as_row(&x->A);
}

static gbl_Matrix held(const o_Matrix *D, bool iso) {
    return iso ? t_iso_matrix(D) : t_matrix(D);
}

static void run_matrices(operands *x, const t_ProductCase *of, gbl_Descriptor desc) {
    x->gC = t_matrix(&x->C);
    x->gA = x->a == &x->C ? x->gC : held(x->a, of->a_iso);
    x->gB = x->b == &x->C ? x->gC : x->b == x->a ? x->gA : held(x->b, of->b_iso);
    if (t_has_mask(of->flags.mask))
        x->gM = x->m == &x->C ? x->gC : x->m == x->a ? x->gA : t_matrix(x->m);
    if (of->hold != NULL) {
        of->hold(x->gC);
        if (x->gA != x->gC) of->hold(x->gA);
        if (x->gB != x->gC && x->gB != x->gA) of->hold(x->gB);
        if (x->gM != NULL && x->gM != x->gC && x->gM != x->gA) of->hold(x->gM);
    }
    OK(gbl_mxm(x->gC, x->gM, of->flags.accum ? of->accum.handle : NULL, of->ring->handle, x->gA,
               x->gB, desc));
}

static void run_vectors(operands *x, const t_ProductCase *of, gbl_Descriptor desc) {
    const bool mxv = of->kind == T_MXV;
    const o_Matrix *matrix = mxv ? x->a : x->b, *vector = mxv ? x->b : x->a;
    gbl_BinaryOp accum = of->flags.accum ? of->accum.handle : NULL;
    x->w = t_vector(&x->C);
    const bool u_iso = mxv ? of->b_iso : of->a_iso;
    x->u = vector == &x->C ? x->w : u_iso ? t_iso_vector(vector) : t_vector(vector);
    x->gA = held(matrix, mxv ? of->a_iso : of->b_iso);
    if (of->hold != NULL) of->hold(x->gA);
    if (t_has_mask(of->flags.mask))
        x->v = x->m == &x->C ? x->w : x->m == vector ? x->u : t_vector(x->m);
    if (mxv)
        OK(gbl_mxv(x->w, x->v, accum, of->ring->handle, x->gA, x->u, desc));
    else
        OK(gbl_vxm(x->w, x->v, accum, of->ring->handle, x->u, x->gA, desc));
}

static void free_library(operands *x) {
    if (x->gM != x->gC && x->gM != x->gA) OK(gbl_Matrix_free(&x->gM));
    if (x->gB != x->gC && x->gB != x->gA) OK(gbl_Matrix_free(&x->gB));
    if (x->gA != x->gC) OK(gbl_Matrix_free(&x->gA));
    if (x->gC != NULL) OK(gbl_Matrix_free(&x->gC));
    if (x->v != x->w && x->v != x->u && x->v != NULL) OK(gbl_Vector_free(&x->v));
    if (x->u != x->w && x->u != NULL) OK(gbl_Vector_free(&x->u));
    if (x->w != NULL) OK(gbl_Vector_free(&x->w));
}

static void expect_inputs(const operands *x, const t_ProductCase *of) {
    if (of->kind == T_MXM) {
        if (x->gA != x->gC) t_expect("A", x->a, x->gA, 0);
        if (x->gB != x->gC) t_expect("B", x->b, x->gB, 0);
        if (x->gM != NULL && x->gM != x->gC) t_expect("M", x->m, x->gM, 0);
        return;
    }
    t_expect("A", of->kind == T_MXV ? x->a : x->b, x->gA, 0);
    if (x->u != x->w) t_expect_vector("u", of->kind == T_MXV ? x->b : x->a, x->u, 0);
    if (x->v != NULL && x->v != x->w) t_expect_vector("m", x->m, x->v, 0);
}

void t_product(const t_ProductCase *of) {
    static const char *const kinds[] = {"mxm", "mxv", "vxm"};
    const t_Shape *s = &of->shape;
    if (t_left_out()) return;
    t_case("%s %s seed %llu: %llu x %llu x %llu, A %s %g, B %s %g, types C %d A %d B %d M %d, "
           "alias %d, accum %d%s%s%s, %s",
           kinds[of->kind], of->name, (unsigned long long)of->seed, (unsigned long long)s->rows,
           (unsigned long long)s->inner, (unsigned long long)s->columns, t_pattern_names[s->a],
           s->da, t_pattern_names[s->b], s->db, (int)of->c.code, (int)of->a.code, (int)of->b.code,
           (int)of->mask.code, (int)of->alias, (int)of->accum.op, of->iso ? ", iso" : "",
           of->a_iso ? ", A held iso" : "", of->b_iso ? ", B held iso" : "",
           t_flags_text(&of->flags));
    operands x = {.gC = NULL};
    make_dense(&x, of);
    gbl_Descriptor desc = t_descriptor(&of->flags);
    if (of->kind == T_MXM) {
        run_matrices(&x, of, desc);
    } else {
        if (of->kind == T_VXM) { /* stored as columns, like every vector */
            x.C = o_as_row(&x.C);
            x.M = o_as_row(&x.M);
            x.A = o_as_row(&x.A);
        }
        run_vectors(&x, of, desc);
    }
    o_Matrix found = of->kind == T_MXM ? t_dense(x.gC) : t_dense_vector(x.w);
    if (of->seed % 4 == 0) expect_inputs(&x, of);
    if (of->kind == T_VXM) {
        as_rows(&x);
        found = o_as_row(&found);
    }
    o_Rule rule = t_rule(&of->flags, x.m, &of->accum);
    o_mxm(&x.C, &rule, &(o_Product){of->ring, x.a, x.b, &found});
    t_expect_dense("C", &x.C, &found, 0);
    OK(gbl_Descriptor_free(&desc));
    free_library(&x);
    FREE(found, x.A, x.B, x.C, x.M);
}

gbl_Matrix t_mxm(gbl_Semiring ring, gbl_Type type, gbl_Matrix A, gbl_Matrix B, gbl_Matrix M,
                 const t_Flags *flags) {
    gbl_Index rows = 0, columns = 0;
    gbl_Descriptor desc = t_descriptor(flags);
    OK(flags->tran0 ? gbl_Matrix_ncols(&rows, A) : gbl_Matrix_nrows(&rows, A));
    OK(flags->tran1 ? gbl_Matrix_nrows(&columns, B) : gbl_Matrix_ncols(&columns, B));
    gbl_Matrix C = t_new_matrix(type, rows, columns);
    OK(gbl_mxm(C, t_has_mask(flags->mask) ? M : NULL, NULL, ring, A, B, desc));
    OK(gbl_Descriptor_free(&desc));
    return C;
}

t_NamedRing t_plus_times(void) {
    return (t_NamedRing){"PLUS_TIMES_FP64", GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64};
}
