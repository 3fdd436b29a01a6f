/* SPDX-License-Identifier: Apache-2.0
 *
 * assign to lists of rows and columns: matrices, vectors and single values. The mask has the shape
 * of C, and what lies outside of the region is written through it too (replace deletes there).
 */
#include "support/frame.h"
#include "support/index_list.h"

/* `count` of 0 .. n-1 in random order; or all of them, in order, told by GBL_ALL */
typedef struct {
    gbl_Index i[64], n;
    bool all;
} list;

static list some(t_Random *r, gbl_Index n) {
    list l = {.n = n, .all = t_chance(r, 0.2)};
    for (gbl_Index k = 0; k < n; k++) l.i[k] = k;
    if (l.all) return l;
    for (gbl_Index k = 0; k + 1 < n; k++) {
        const gbl_Index swap = k + t_below(r, n - k), keep = l.i[k];
        l.i[k] = l.i[swap];
        l.i[swap] = keep;
    }
    l.n = t_below(r, n + 1);
    return l;
}

static const gbl_Index *passed(const list *l) {
    return l->all ? GBL_ALL : l->i;
}

static gbl_Info fill_matrix(t_Frame *f, o_Type type, const o_Value *x, const list *I,
                            const list *J) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_assign_##N(f->gC, f->gM, f->accum, *(const T *)(const void *)x,          \
                                     passed(I), I->n, passed(J), J->n, f->desc);
    switch (type.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return gbl_Matrix_assign_UDT(f->gC, f->gM, f->accum, x, passed(I), I->n, passed(J), J->n,
                                     f->desc);
    }
#undef CASE
}

static gbl_Info fill_vector(t_Frame *f, o_Type type, const o_Value *x, const list *I) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Vector_assign_##N(f->w, f->v, f->accum, *(const T *)(const void *)x, passed(I), \
                                     I->n, f->desc);
    switch (type.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return gbl_Vector_assign_UDT(f->w, f->v, f->accum, x, passed(I), I->n, f->desc);
    }
#undef CASE
}

static void assign_object(t_Frame *x, t_Random *r, const list *I, const list *J) {
    const t_FrameCase *of = x->of;
    const bool turned = of->flags.tran0;
    const o_Region region = {I->i, J->i, I->n, J->n};
    o_Matrix A = t_generate(r, &(t_Content){of->a, turned ? J->n : I->n, turned ? I->n : J->n,
                                            T_RANDOM, 0.5, true, of->iso});
    if (of->vector) {
        gbl_Vector u = t_vector(&A);
        OK(gbl_Vector_assign(x->w, x->v, x->accum, u, passed(I), I->n, x->desc));
        OK(gbl_Vector_free(&u));
    } else {
        gbl_Matrix g = t_matrix(&A);
        OK(gbl_Matrix_assign(x->gC, x->gM, x->accum, g, passed(I), I->n, passed(J), J->n, x->desc));
        OK(gbl_Matrix_free(&g));
    }
    o_assign_at(&x->C, &x->rule, &region, &A);
    o_free(&A);
}

static void assign_value(t_Frame *x, t_Random *r, const list *I, const list *J) {
    const t_FrameCase *of = x->of;
    const o_Region region = {I->i, J->i, I->n, J->n};
    const uint64_t how = t_below(r, 3); /* a C value, a Scalar, an empty Scalar */
    const o_Value value = t_value(r, of->a);
    o_Matrix A = o_new(of->a, I->n, J->n);
    for (gbl_Index p = 0; p < I->n * J->n && how < 2; p++) A.x[p] = (o_Cell){true, value};
    if (how == 0) {
        OK(of->vector ? fill_vector(x, of->a, &value, I) : fill_matrix(x, of->a, &value, I, J));
    } else {
        gbl_Scalar s = t_scalar(of->a, how == 1 ? &value : NULL);
        OK(of->vector ? gbl_Vector_assign_Scalar(x->w, x->v, x->accum, s, passed(I), I->n, x->desc)
                      : gbl_Matrix_assign_Scalar(x->gC, x->gM, x->accum, s, passed(I), I->n,
                                                 passed(J), J->n, x->desc));
        OK(gbl_Scalar_free(&s));
    }
    o_Rule rule = x->rule;
    rule.tran0 = false;
    o_assign_at(&x->C, &rule, &region, &A);
    o_free(&A);
}

static void run(const t_FrameCase *of) {
    if (t_left_out()) return;
    t_Random r = t_random(of->seed + 5151);
    t_Frame x;
    t_begin(&x, of);
    const list I = some(&r, of->nrows);
    list J = {.n = 1, .all = true};
    J.i[0] = 0;
    if (!of->vector) J = some(&r, of->ncols);
    if (t_chance(&r, 0.5))
        assign_object(&x, &r, &I, &J);
    else
        assign_value(&x, &r, &I, &J);
    t_end(&x);
}

GB_TEST(assign_at, every_type) {
    for (size_t k = 0; k < T_COUNT(t_types); k++) {
        for (unsigned f = 0; f < 4 * T_FLAGS_ALL; f++) {
            t_FrameCase of =
                t_frame_case("assign at", o_type(t_types[k]), f % T_FLAGS_ALL, (f + k) % 2);
            of.seed = 1000 * k + f;
            of.wild = true;
            of.iso = f % 5 == 3;
            of.density = f % 7 == 1 ? 1 : 0.35;
            run(&of);
        }
    }
}

GB_TEST(assign_at, typecasts_and_shapes) {
    for (uint64_t seed = 0; seed < 6000; seed++) {
        t_Random r = t_random(seed + 616);
        t_FrameCase of = t_frame_case("assign at", o_type(GBL_INT8_CODE),
                                      (unsigned)t_below(&r, T_FLAGS_ALL), t_chance(&r, 0.5));
        of.seed = seed;
        t_frame_cast(&of, &r);
        of.nrows = t_below(&r, 60);
        if (!of.vector) of.ncols = t_below(&r, 25);
        of.alias = t_chance(&r, 0.3) ? T_C_IS_MASK : T_DISTINCT;
        run(&of);
    }
}

GB_TEST(assign_at, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        for (unsigned f = 0; f < 3 * T_FLAGS_ALL; f++) {
            t_FrameCase of = t_frame_case("assign at", users[u].type, f % T_FLAGS_ALL, f % 2);
            of.seed = 1000 * u + f;
            of.accum = users[u].minus;
            run(&of);
        }
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

/* A is C itself, read before it is written: here C(I, J) = C turned upside down. */
GB_TEST(assign_at, output_is_input) {
    const o_Type int32 = o_type(GBL_INT32_CODE);
    t_Random r = t_random(17);
    const gbl_Index order[] = {4, 3, 2, 1, 0};
    const o_Region region = {order, order, 5, 5};
    for (unsigned k = 0; k < 20; k++) {
        t_case("case %u", k);
        o_Matrix C = t_generate(&r, &(t_Content){int32, 5, 5, T_RANDOM, 0.5, false, false});
        o_Matrix A = o_copy(&C);
        gbl_Matrix g = t_matrix(&C);
        const o_Binary minus = t_find_binary(O_MINUS, GBL_INT32_CODE);
        const o_Rule rule = {.accum = k & 1 ? &minus : NULL};
        OK(gbl_Matrix_assign(g, NULL, k & 1 ? GBL_MINUS_INT32 : NULL, g, order, 5, order, 5, NULL));
        o_assign_at(&C, &rule, &region, &A);
        t_expect("C", &C, g, 0);
        FREE(g, A, C);
    }
}

/* The vector of D held as a bitmap or a full array: filled first, then given its content. */
static gbl_Vector dense_vector(const o_Matrix *D) {
    gbl_Vector v = t_new_vector(D->type.handle, D->nrows);
    OK(gbl_Vector_assign_INT8(v, NULL, NULL, 1, GBL_ALL, D->nrows, NULL));
    for (gbl_Index k = 0; k < D->nrows; k++) {
        if (D->x[k].has)
            OK(t_set_vector(v, D->type, &D->x[k].v, k));
        else
            OK(gbl_Vector_removeElement(v, k));
    }
    OK(gbl_Vector_wait(v, GBL_MATERIALIZE));
    return v;
}

GB_TEST(assign_at, dense_vectors) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        t_Random r = t_random(seed + 717);
        const gbl_Index n = 1 + t_below(&r, 60);
        const o_Type ct = o_type(t_types[t_below(&r, T_COUNT(t_types))]),
                     at = o_type(t_types[t_below(&r, T_COUNT(t_types))]);
        const double density = t_chance(&r, 0.5) ? 1 : 0.8;
        const list I = some(&r, n);
        const gbl_Index zero = 0;
        const o_Region region = {I.i, &zero, I.n, 1};
        const o_Value value = t_value(&r, at);
        t_case("dense %llu", (unsigned long long)seed);
        o_Matrix C = t_generate(&r, &(t_Content){ct, n, 1, T_RANDOM, density, true, seed % 5 == 2});
        o_Matrix A = t_generate(&r, &(t_Content){at, I.n, 1, T_RANDOM, t_chance(&r, 0.5) ? 1 : 0.3,
                                                 true, seed % 7 == 3});
        gbl_Vector w = dense_vector(&C), u = t_vector(&A);
        if (seed % 3 == 0) {
            gbl_Scalar s = t_scalar(at, seed % 6 == 0 ? &value : NULL);
            for (gbl_Index k = 0; k < I.n; k++) A.x[k] = (o_Cell){seed % 6 == 0, value};
            OK(gbl_Vector_assign_Scalar(w, NULL, NULL, s, passed(&I), I.n, NULL));
            OK(gbl_Scalar_free(&s));
        } else {
            OK(gbl_Vector_assign(w, NULL, NULL, u, passed(&I), I.n, NULL));
        }
        o_assign_at(&C, &(o_Rule){0}, &region, &A);
        t_expect_vector("w", &C, w, 0);
        FREE(w, u, A, C);
    }
}

/* Of an index that is listed twice the last place counts, also where A has no entry there. */
GB_TEST(assign_at, repeated_indices) {
    for (uint64_t seed = 0; seed < 1500; seed++) {
        t_Random r = t_random(seed + 99);
        const o_Type type = o_type(t_types[seed % T_COUNT(t_types)]);
        const gbl_Index m = 1 + t_below(&r, 12), n = seed % 4 == 0 ? 1 : 1 + t_below(&r, 12);
        const t_List I = t_list(&r, T_LIST_REPEATED, m), J = t_list(&r, T_LIST_REPEATED, n);
        const gbl_Index nj = n == 1 ? 1 : J.n;
        o_Matrix C = t_generate(&r, &(t_Content){type, m, n, T_RANDOM, 0.5, true, false});
        o_Matrix A = t_generate(&r, &(t_Content){type, I.n, nj, T_RANDOM, 0.5, true, false});
        const o_Binary accum = t_some_accum(type.code, seed);
        t_case("repeated %llu", (unsigned long long)seed);
        o_Region last = {I.i, J.i, I.n, nj};
        const gbl_BinaryOp op = seed % 3 == 0 ? accum.handle : NULL;
        o_Matrix kept = o_copy(&C); /* entries at last places of both lists */
        o_Matrix T = o_new(type, m, n);
        for (gbl_Index a = 0; a < last.ni; a++)
            for (gbl_Index b = 0; b < last.nj; b++)
                T.x[last.I[a] * n + last.J[b]] = A.x[a * nj + b];
        for (gbl_Index p = 0; p < m * n; p++) {
            bool listed_row = false, listed_column = false;
            for (gbl_Index a = 0; a < last.ni; a++) listed_row |= last.I[a] == p / n;
            for (gbl_Index b = 0; b < last.nj; b++) listed_column |= last.J[b] == p % n;
            if (!listed_row || !listed_column) {
                T.x[p] = (o_Cell){0};
                if (op == NULL) T.x[p] = kept.x[p];
            }
        }
        if (n == 1) {
            gbl_Vector w = t_vector(&C), u = t_vector(&A);
            OK(gbl_Vector_assign(w, NULL, op, u, I.i, I.n, NULL));
            o_assign(&C, &(o_Rule){.accum = op != NULL ? &accum : NULL}, &T);
            t_expect_vector("w", &C, w, 0);
            FREE(w, u);
        } else {
            gbl_Matrix g = t_matrix(&C), a = t_matrix(&A);
            OK(gbl_Matrix_assign(g, NULL, op, a, I.i, I.n, J.i, J.n, NULL));
            o_assign(&C, &(o_Rule){.accum = op != NULL ? &accum : NULL}, &T);
            t_expect("C", &C, g, 0);
            FREE(g, a);
        }
        FREE(kept, T, A, C);
    }
}

/* A value is put where the mask allows one, whatever the size of the region. */
GB_TEST(assign_at, a_mask_in_a_large_region) {
    enum { LARGE = 1 << 20 };
    gbl_Index *rows = malloc((LARGE - 1) * sizeof *rows), entries;
    gbl_Matrix C = NULL;
    CHECK(rows != NULL);
    for (gbl_Index k = 0; k + 1 < LARGE; k++) rows[k] = k;
    gbl_Matrix M = t_new_matrix(GBL_BOOL, LARGE, LARGE);
    for (gbl_Index k = 0; k < 3; k++) OK(gbl_Matrix_setElement_BOOL(M, true, 400000 * k, 7 * k));
    OK(gbl_Matrix_setElement_BOOL(M, true, LARGE - 1, 3)); /* is not listed */
    for (int way = 0; way < 8; way++) {
        const gbl_BinaryOp accum = way & 1 ? GBL_PLUS_INT32 : NULL;
        const bool replace = way & 2, held = way & 4;
        int32_t x = 0;
        t_case("accum %d, replace %d, held %d", way & 1, replace, held);
        OK(gbl_Matrix_new(&C, GBL_INT32, LARGE, LARGE));
        if (held) OK(gbl_Matrix_setElement_INT32(C, 40, 0, 0));
        if (held) OK(gbl_Matrix_setElement_INT32(C, 50, 5, 5)); /* outside of the mask */
        OK(gbl_Matrix_assign_INT32(C, M, accum, 2, rows, LARGE - 1, GBL_ALL, LARGE,
                                   replace ? GBL_DESC_RS : GBL_DESC_S));
        OK(gbl_Matrix_nvals(&entries, C));
        CHECK_EQ(entries, 3 + (held && !replace));
        OK(gbl_Matrix_extractElement_INT32(&x, C, 0, 0));
        CHECK_EQ(x, held && accum != NULL ? 42 : 2);
        OK(gbl_Matrix_extractElement_INT32(&x, C, 800000, 14));
        CHECK_EQ(x, 2);
        OK(gbl_Matrix_free(&C));
    }
    free(rows);
    OK(gbl_Matrix_free(&M));
}

GB_TEST(assign_at, errors) {
    gbl_Matrix C = t_new_matrix(GBL_INT32, 4, 5);
    OK(gbl_Matrix_setElement_INT32(C, 7, 2, 2));
    gbl_Matrix A = t_new_matrix(GBL_INT32, 2, 2);
    gbl_Vector w = t_new_vector(GBL_INT32, 4), u = t_new_vector(GBL_INT32, 2);
    const gbl_Index good[] = {0, 1}, bad[] = {0, 5}, far[] = {UINT64_MAX, 0};
    FAILS(GBL_NULL_POINTER, gbl_Matrix_assign(C, NULL, NULL, A, NULL, 2, good, 2, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_assign(C, NULL, NULL, A, good, 2, NULL, 2, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Matrix_assign(C, NULL, NULL, A, bad, 2, good, 2, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Matrix_assign(C, NULL, NULL, A, good, 2, bad, 2, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Matrix_assign(C, NULL, NULL, A, far, 2, good, 2, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_assign(C, NULL, NULL, A, good, 1, good, 2, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_assign(C, NULL, NULL, A, good, 2, GBL_ALL, 2, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_assign_INT32(C, NULL, NULL, 1, NULL, 2, good, 2, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS,
          gbl_Matrix_assign_INT32(C, NULL, NULL, 1, good, 2, bad, 2, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_assign(w, NULL, NULL, u, NULL, 2, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Vector_assign(w, NULL, NULL, u, bad, 2, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Vector_assign(w, NULL, NULL, u, good, 1, NULL));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Vector_assign_FP64(w, NULL, NULL, 1, far, 2, NULL));
    CHECK_EQ(t_nvals(C), 1);
    FREE(C, A, w, u);
}
