/* SPDX-License-Identifier: Apache-2.0
 *
 * degrees, sort, permute and scatter with every fold there is, against dense loops: types, masks,
 * accumulators, forms of the inputs.
 */
#include "support/frame.h"

#include "matrix/matrix.h"

#include <math.h>
#include <stdlib.h>

static const o_Cell *cell(const o_Matrix *A, bool transposed, gbl_Index i, gbl_Index j) {
    return transposed ? &A->x[j * A->ncols + i] : &A->x[i * A->ncols + j];
}

/* C<M> accum= T, in the oracle; T is as the operation saw it. */
static void write_result(t_Frame *x, o_Matrix *T) {
    o_Rule rule = x->rule;
    rule.tran0 = false;
    o_assign(&x->C, &rule, T);
    o_free(T);
}

/* A is then held as it was, or by rows and columns. */
static void choose_form(gbl_Matrix A, uint64_t seed) {
    if (seed % 3 == 0) return;
    const gbl_Index n = t_ncols(A), m = t_nrows(A);
    gbl_Vector w = t_new_vector(GBL_INT64, n), u = t_new_vector(GBL_INT64, m);
    OK(gbl_Vector_assign_INT64(u, NULL, NULL, 1, GBL_ALL, m, NULL));
    gbl_Descriptor pull = NULL;
    OK(gbl_Descriptor_new(&pull));
    OK(gbl_Descriptor_set(pull, GBL_METHOD, GBL_METHOD_PULL));
    OK(gbl_vxm(w, NULL, NULL, GBL_PLUS_PAIR_SEMIRING_INT64, u, A, pull));
    FREE(pull, w, u);
}

/* -- degrees */

static void run_degrees(const t_FrameCase *of) {
    const o_Type int64 = o_type(GBL_INT64_CODE);
    t_Frame x;
    t_begin(&x, of);
    o_Matrix T = o_new(int64, of->nrows, 1);
    for (gbl_Index i = 0; i < of->nrows; i++) {
        T.x[i] = (o_Cell){true, {.i64 = 0}};
        for (gbl_Index j = 0; j < of->ncols; j++)
            T.x[i].v.i64 += cell(x.a, of->flags.tran0, i, j)->has;
    }
    if (of->seed % 2) choose_form(x.gA, of->seed / 2);
    OK(gbl_Matrix_degrees(x.w, x.v, x.accum, x.gA, x.desc));
    write_result(&x, &T);
    t_end(&x);
}

GB_TEST(order, degrees) {
    for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
        for (int k = 0; k < 11; k++) {
            t_FrameCase of = t_frame_case("degrees", o_type(t_types[k]), f, false);
            of.seed = 11 * f + (unsigned)k;
            of.output_vector = true;
            of.nrows = k % 4 == 0 ? 300 : 14;
            of.pattern = (t_Pattern)(of.seed % T_PATTERNS);
            of.iso = f % 7 == 3;
            run_degrees(&of);
        }
    }
}

/* Columns of what is held by rows: the parts of several threads add up. */
GB_TEST(order, degrees_by_columns) {
    const gbl_Index n = 20000;
    gbl_Matrix A = t_new_matrix(GBL_BOOL, 3, n);
    for (gbl_Index k = 0; k < n; k++) {
        OK(gbl_Matrix_setElement_BOOL(A, true, k % 3, k));
        if (k % 5 == 0) OK(gbl_Matrix_setElement_BOOL(A, true, (k + 1) % 3, k));
    }
    gbl_Vector w = t_new_vector(GBL_UINT16, n);
    for (int32_t threads = 1; threads < 4; threads++) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        OK(gbl_Matrix_degrees(w, NULL, NULL, A, GBL_DESC_T0));
        for (gbl_Index k = 0; k < n; k += 7) {
            uint16_t d;
            OK(gbl_Vector_extractElement_UINT16(&d, w, k));
            CHECK_EQ(d, k % 5 == 0 ? 2 : 1);
        }
    }
    FREE(A, w);
}

/* -- sort */

typedef struct {
    o_Value v;
    gbl_Index at;
} entry;
static const o_Binary *less;

static int compare(const void *a, const void *b) {
    const entry *x = a, *y = b;
    const o_Place here = {0, 0, 0};
    if (o_binary(less, x->v, y->v, here).b) return -1;
    if (o_binary(less, y->v, x->v, here).b) return 1;
    return x->at < y->at ? -1 : 1;
}

static void run_sort(uint64_t seed, o_Type type, gbl_Index n, double density, bool down) {
    t_case("sort seed %llu, type %d, n %llu, density %g, %s", (unsigned long long)seed,
           (int)type.code, (unsigned long long)n, density, down ? "descending" : "ascending");
    t_Random r = t_random(seed);
    const t_Content c = {type, n, 1, T_RANDOM, density, seed % 3 == 0, seed % 11 == 5};
    o_Matrix u = t_generate(&r, &c);
    const o_Binary op = t_find_binary(down ? O_GT : O_LT, type.code);
    entry *e = calloc(n + 1, sizeof *e);
    gbl_Index count = 0;
    for (gbl_Index k = 0; k < n; k++)
        if (u.x[k].has) e[count++] = (entry){u.x[k].v, k};
    less = &op;
    qsort(e, count, sizeof *e, compare);
    o_Matrix w = o_new(type, n, 1), p = o_new(o_type(GBL_INT64_CODE), n, 1);
    for (gbl_Index k = 0; k < count; k++) {
        w.x[k] = (o_Cell){true, e[k].v};
        p.x[k] = (o_Cell){true, {.i64 = (int64_t)e[k].at}};
    }
    gbl_Vector gu = seed % 11 == 5 ? t_iso_vector(&u) : t_vector(&u), gw = NULL, gp = NULL;
    OK(gbl_Vector_new(&gw, type.handle, n));
    OK(gbl_Vector_new(&gp, GBL_INT64, n));
    OK(gbl_Vector_sort(gw, seed % 5 == 1 ? NULL : gp, op.handle, gu, NULL));
    t_expect_vector("w", &w, gw, 0);
    if (seed % 5 == 1) OK(gbl_Vector_sort(NULL, gp, op.handle, gu, NULL));
    t_expect_vector("p", &p, gp, 0);
    t_expect_vector("u", &u, gu, 0);
    OK(gbl_Vector_sort(gu, NULL, op.handle, gu, NULL));
    t_expect_vector("u sorted", &w, gu, 0);
    FREE(gu, gw, gp, u, w, p);
    free(e);
}

GB_TEST(order, sort) {
    static const gbl_Index sizes[] = {0, 1, 2, 57, 500};
    static const double densities[] = {1, 0.5, 0.02};
    uint64_t seed = 0;
    for (int k = 0; k < 11; k++)
        for (size_t s = 0; s < T_COUNT(sizes); s++)
            for (size_t d = 0; d < T_COUNT(densities); d++)
                for (int down = 0; down < 2; down++)
                    run_sort(seed++, o_type(t_types[k]), sizes[s], densities[d], down);
    run_sort(3, o_type(GBL_INT64_CODE), 90000, 1, false);  /* a radix sort of several threads */
    run_sort(4, o_type(GBL_INT32_CODE), 90000, 1, true);   /* few different values */
    run_sort(6, o_type(GBL_FP64_CODE), 60000, 0.5, false); /* a list */
}

GB_TEST(order, sort_special_floats) {
    const double x[] = {0.0, -0.0, NAN, 1, -INFINITY, INFINITY, -1, NAN, 5e-324, -5e-324};
    static const int64_t up[] = {4, 6, 9, 0, 1, 8, 3, 5, 2, 7};
    static const int64_t down[] = {5, 3, 8, 0, 1, 9, 6, 4, 2, 7};
    gbl_Vector u = t_new_vector(GBL_FP64, 10), p = t_new_vector(GBL_INT64, 10);
    for (gbl_Index k = 0; k < 10; k++) OK(gbl_Vector_setElement_FP64(u, x[k], k));
    for (int d = 0; d < 2; d++) {
        OK(gbl_Vector_sort(NULL, p, d ? GBL_GT_FP64 : GBL_LT_FP64, u, NULL));
        for (gbl_Index k = 0; k < 10; k++) {
            int64_t at;
            OK(gbl_Vector_extractElement_INT64(&at, p, k));
            CHECK_EQ(at, d ? down[k] : up[k]);
        }
    }
    /* compared as integers all but the large ones are 0 */
    OK(gbl_Vector_sort(NULL, p, GBL_LT_INT8, u, NULL));
    int64_t at;
    OK(gbl_Vector_extractElement_INT64(&at, p, 9));
    CHECK_EQ(at, 5);
    FREE(u, p);
}

GB_TEST(order, sort_errors) {
    gbl_Vector u = t_new_vector(GBL_FP64, 10), p = t_new_vector(GBL_INT64, 10);
    gbl_Vector q = t_new_vector(GBL_INT64, 9);
    FAILS(GBL_NULL_POINTER, gbl_Vector_sort(NULL, NULL, GBL_LT_FP64, u, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_sort(u, p, NULL, u, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_sort(u, p, GBL_LT_FP64, NULL, NULL));
    FAILS(GBL_INVALID_VALUE, gbl_Vector_sort(p, p, GBL_LT_FP64, u, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_sort(u, p, GBL_LE_FP64, u, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Vector_sort(u, q, GBL_LT_FP64, u, NULL));
    FREE(u, p, q);
}

/* -- permute */

static gbl_Vector random_order(gbl_Index *order, gbl_Index n, uint64_t seed) {
    t_Random r = t_random(seed + 5);
    for (gbl_Index k = 0; k < n; k++) order[k] = k;
    for (gbl_Index k = n; k > 1; k--) {
        const gbl_Index other = t_below(&r, k), swap = order[k - 1];
        order[k - 1] = order[other];
        order[other] = swap;
    }
    gbl_Vector p = t_new_vector(seed % 2 ? GBL_UINT16 : GBL_INT64, n);
    for (gbl_Index k = 0; k < n; k++) OK(gbl_Vector_setElement_UINT64(p, order[k], k));
    return p;
}

static void run_permute(const t_FrameCase *of) {
    static const gbl_Index bound = 4;
    const gbl_Index n = of->nrows;
    gbl_Index *order = malloc((n + 1) * sizeof *order);
    t_Frame x;
    t_begin(&x, of);
    gbl_Vector p = random_order(order, n, of->seed);
    gbl_IndexUnaryOp const ops[] = {NULL, GBL_TRIL, GBL_TRIU, GBL_DIAG};
    const unsigned kind = of->seed / 2 % 4;
    const int64_t y = (int64_t)(of->seed % (2 * bound + 1)) - (int64_t)bound;
    o_Matrix T = o_new(x.a->type, n, n);
    for (gbl_Index i = 0; i < n; i++) {
        for (gbl_Index j = 0; j < n; j++) {
            const int64_t offset = (int64_t)j - (int64_t)i;
            const bool keeps = kind == 0 || (kind == 1   ? offset <= y
                                             : kind == 2 ? offset >= y
                                                         : offset == y);
            if (keeps) T.x[i * n + j] = *cell(x.a, of->flags.tran0, order[i], order[j]);
        }
    }
    if (x.gA != x.gC && of->seed % 5) choose_form(x.gA, of->seed / 5);
    OK(gbl_Matrix_permute(x.gC, x.gM, x.accum, ops[kind], x.gA, p, y, x.desc));
    write_result(&x, &T);
    OK(gbl_Vector_free(&p));
    free(order);
    t_end(&x);
}

GB_TEST(order, permute) {
    static const gbl_Index sizes[] = {12, 1, 40, 130};
    for (unsigned f = 0; f < 4 * T_FLAGS_ALL; f++) {
        t_FrameCase of =
            t_frame_case("permute", o_type(t_types[f % T_COUNT(t_types)]), f % T_FLAGS_ALL, false);
        of.seed = f;
        of.nrows = of.ncols = sizes[f % 16 == 7 ? 3 : f % 3];
        of.pattern = (t_Pattern)(f % T_PATTERNS);
        of.iso = f % 7 == 3;
        if (f % 13 == 4) of.alias = T_C_IS_A;
        run_permute(&of);
    }
}

GB_TEST(order, permute_user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = t_frame_case("permute", users[u].type, f, false);
            of.nrows = of.ncols = 30;
            of.seed = f;
            of.accum = users[u].minus;
            run_permute(&of);
        }
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

GB_TEST(order, permute_errors) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, 3, 3);
    OK(gbl_Matrix_setElement_FP64(A, 1, 0, 2));
    gbl_Matrix wide = t_new_matrix(GBL_FP64, 3, 4);
    gbl_Vector p = t_new_vector(GBL_INT64, 3), f = t_new_vector(GBL_FP64, 3);
    OK(gbl_Vector_setElement_INT64(p, 1, 0));
    OK(gbl_Vector_setElement_INT64(p, 1, 1));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_permute(A, NULL, NULL, NULL, A, p, 0, NULL));
    OK(gbl_Vector_setElement_INT64(p, 2, 2));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_permute(A, NULL, NULL, NULL, A, p, 0, NULL));
    OK(gbl_Vector_setElement_INT64(p, 3, 1));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Matrix_permute(A, NULL, NULL, NULL, A, p, 0, NULL));
    OK(gbl_Vector_setElement_INT64(p, -1, 1));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Matrix_permute(A, NULL, NULL, NULL, A, p, 0, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_permute(A, NULL, NULL, NULL, A, f, 0, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_permute(A, NULL, NULL, GBL_OFFDIAG, A, p, 0, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_permute(A, NULL, NULL, NULL, wide, p, 0, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_permute(wide, NULL, NULL, NULL, wide, p, 0, NULL));
    FREE(A, wide, p, f);
}

/* ---------------------------------------------------------------------------------- scatter -- */

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
    c.u = vector(&c, t_chance(r, 0.7) ? type : o_type(t_types[t_below(r, T_COUNT(t_types))]), n,
                 t_chance(r, 0.5));
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
        FREE(want, c.w, c.m, c.u, c.I, w, m, u);
        FREE(I, desc);
    }
}
