/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Vector_scatter with every fold there is, against a loop: outputs full or not, values and
 * places held as lists, cells or one value, every kind of mask and accumulator.
 */
#include "matrix/matrix.h"
#include "support/frame.h"

typedef struct {
    t_Random r;
    o_Monoid fold;
    t_Flags flags;
    o_Binary accum;
    o_Matrix w, m, u, I;
    bool same; /* the accumulator is the fold: a full output is written where it stands */
} Case;

static o_Matrix vector(Case *c, o_Type type, gbl_Index n, bool full) {
    return t_generate(&c->r, &(t_Content){type, n, 1, full ? T_FULL : T_RANDOM, 0.5, false,
                                          t_chance(&c->r, 0.15)});
}

static Case make(uint64_t seed) {
    static const gbl_Type_Code integers[] = {GBL_INT8_CODE, GBL_INT32_CODE, GBL_INT64_CODE,
                                             GBL_UINT16_CODE, GBL_UINT64_CODE};
    Case c = {.r = t_random(seed), .fold = t_monoid(&t_monoids[seed % t_monoid_count])};
    t_Random *r = &c.r;
    const o_Type type = c.fold.op.z;
    const gbl_Index n = 1 + t_below(r, 12), length = 1 + t_below(r, 30);
    c.same = t_chance(r, 0.5) && type.code != GBL_UDT_CODE;
    c.flags = t_flags(c.same ? 6 : (unsigned)t_below(r, T_FLAGS_ALL)); /* 6: accum, no mask */
    c.flags.tran0 = c.flags.tran1 = false;
    c.w = vector(&c, type, length, c.same || t_chance(r, 0.4));
    c.m = vector(&c, o_type(t_types[t_below(r, T_COUNT(t_types))]), length, false);
    c.u =
        vector(&c, t_chance(r, 0.7) ? type : o_type(t_types[t_below(r, 11)]), n, t_chance(r, 0.5));
    c.I = vector(&c, o_type(integers[t_below(r, T_COUNT(integers))]), n, t_chance(r, 0.5));
    for (gbl_Index k = 0; k < n; k++)
        c.I.x[k].v =
            o_cast(c.I.type, o_type(GBL_UINT64_CODE), (o_Value){.u64 = t_below(r, length)});
    c.accum = c.same ? t_find_binary(c.fold.op.op, type.code) : t_some_accum(type.code, t_next(r));
    return c;
}

static o_Matrix expected(const Case *c) {
    o_Matrix T = o_new(c->fold.op.z, c->w.nrows, 1), w = o_copy(&c->w);
    for (gbl_Index k = 0; k < c->u.nrows; k++) {
        if (!c->u.x[k].has || !c->I.x[k].has) continue;
        const o_Value x = o_cast(T.type, c->u.type, c->u.x[k].v);
        o_Cell *t = &T.x[o_cast(o_type(GBL_UINT64_CODE), c->I.type, c->I.x[k].v).u64];
        *t = (o_Cell){true, t->has ? o_binary(&c->fold.op, t->v, x, (o_Place){0, 0, 0}) : x};
    }
    const o_Rule rule = t_rule(&c->flags, &c->m, &c->accum);
    o_assign(&w, &rule, &T);
    o_free(&T);
    return w;
}

static gbl_Vector held(Case *c, const o_Matrix *D) {
    gbl_Vector v = t_vector(D);
    gb_DenseView cells;
    if (t_chance(&c->r, 0.7) && o_count(D) > 0) OK(gb_acquire_dense(&v->m, &cells));
    return v;
}

GB_TEST(scatter, every_fold) {
    for (uint64_t seed = 0; seed < 60 * t_monoid_count; seed++) {
        if (t_left_out()) continue;
        if (t_monoids[seed % t_monoid_count].op == O_ANY) continue; /* any value is right */
        Case c = make(seed);
        t_case("%s seed %llu: %s%s", t_monoids[seed % t_monoid_count].name,
               (unsigned long long)seed, t_flags_text(&c.flags), c.same ? ", in place" : "");
        gbl_Vector w = held(&c, &c.w), m = held(&c, &c.m), u = held(&c, &c.u), I = held(&c, &c.I);
        gbl_Descriptor desc = t_descriptor(&c.flags);
        const gbl_Vector mask = t_has_mask(c.flags.mask) ? m : NULL;
        const gbl_BinaryOp accum = c.flags.accum ? c.accum.handle : NULL;
        const gbl_BinaryOp dup = t_find_binary(c.fold.op.op, c.fold.op.z.code).handle;
        const bool float_product = c.fold.op.op == O_TIMES && t_is_float(c.fold.op.z.code);
        o_Matrix want = expected(&c);
        OK(gbl_Vector_scatter(w, mask, accum, dup, u, I, desc));
        t_expect_vector("w", &want, w, float_product ? 1e-5 : 0);
        if (c.I.type.code == GBL_INT64_CODE && c.u.x[0].has) {
            OK(gbl_Vector_setElement_INT64(I, (int64_t)c.w.nrows, 0));
            FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Vector_scatter(w, mask, accum, dup, u, I, desc));
            t_expect_vector("w", &want, w, float_product ? 1e-5 : 0);
        }
        o_free(&want);
        o_free(&c.w);
        o_free(&c.m);
        o_free(&c.u);
        o_free(&c.I);
        OK(gbl_Vector_free(&w));
        OK(gbl_Vector_free(&m));
        OK(gbl_Vector_free(&u));
        OK(gbl_Vector_free(&I));
        OK(gbl_Descriptor_free(&desc));
    }
}
