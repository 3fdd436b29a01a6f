/* SPDX-License-Identifier: Apache-2.0
 *
 * eWiseAdd and eWiseMult of matrices and vectors, with operators, monoids and semirings, against
 * the oracle.
 */
#include "support/frame.h"

typedef enum { BY_OPERATOR, BY_MONOID, BY_RING } by;

typedef struct {
    by by;
    bool mult; /* eWiseMult, else eWiseAdd */
    const o_Binary *op;
    gbl_Monoid monoid;
    gbl_Semiring ring;
} operation;

static void run_matrix(t_Frame *x, const operation *o) {
    gbl_BinaryOp op = o->op->handle;
    gbl_Info info = GBL_PANIC;
    switch (o->by) {
    case BY_OPERATOR:
        info =
            o->mult
                ? gbl_Matrix_eWiseMult_BinaryOp(x->gC, x->gM, x->accum, op, x->gA, x->gB, x->desc)
                : gbl_Matrix_eWiseAdd_BinaryOp(x->gC, x->gM, x->accum, op, x->gA, x->gB, x->desc);
        break;
    case BY_MONOID:
        info = o->mult ? gbl_Matrix_eWiseMult_Monoid(x->gC, x->gM, x->accum, o->monoid, x->gA,
                                                     x->gB, x->desc)
                       : gbl_Matrix_eWiseAdd_Monoid(x->gC, x->gM, x->accum, o->monoid, x->gA, x->gB,
                                                    x->desc);
        break;
    default:
        info = o->mult ? gbl_Matrix_eWiseMult_Semiring(x->gC, x->gM, x->accum, o->ring, x->gA,
                                                       x->gB, x->desc)
                       : gbl_Matrix_eWiseAdd_Semiring(x->gC, x->gM, x->accum, o->ring, x->gA, x->gB,
                                                      x->desc);
    }
    OK(info);
}

static void run_vector(t_Frame *x, const operation *o) {
    gbl_BinaryOp op = o->op->handle;
    gbl_Info info = GBL_PANIC;
    switch (o->by) {
    case BY_OPERATOR:
        info = o->mult
                   ? gbl_Vector_eWiseMult_BinaryOp(x->w, x->v, x->accum, op, x->u, x->t, x->desc)
                   : gbl_Vector_eWiseAdd_BinaryOp(x->w, x->v, x->accum, op, x->u, x->t, x->desc);
        break;
    case BY_MONOID:
        info =
            o->mult
                ? gbl_Vector_eWiseMult_Monoid(x->w, x->v, x->accum, o->monoid, x->u, x->t, x->desc)
                : gbl_Vector_eWiseAdd_Monoid(x->w, x->v, x->accum, o->monoid, x->u, x->t, x->desc);
        break;
    default:
        info =
            o->mult
                ? gbl_Vector_eWiseMult_Semiring(x->w, x->v, x->accum, o->ring, x->u, x->t, x->desc)
                : gbl_Vector_eWiseAdd_Semiring(x->w, x->v, x->accum, o->ring, x->u, x->t, x->desc);
    }
    OK(info);
}

static void run(const t_FrameCase *of, const operation *o) {
    if (t_left_out()) return;
    t_Frame x;
    t_begin(&x, of);
    if (of->vector)
        run_vector(&x, o);
    else
        run_matrix(&x, o);
    o_ewise(&x.C, &x.rule, o->op, &(o_Pair){x.a, x.b, o->mult});
    t_end(&x);
}

static void every_operator(bool mult, bool vector) {
    for (size_t k = 0; k < t_binary_count; k++) {
        const o_Binary op = t_binary(&t_binaries[k]);
        const operation o = {.by = BY_OPERATOR, .mult = mult, .op = &op};
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = t_frame_case(t_binaries[k].name, op.x, f, vector);
            of.seed = 1000 * k + f;
            of.c = op.z;
            of.accum = t_some_accum(op.z.code, k + f / 6);
            of.wild = !t_is_float(op.x.code);
            run(&of, &o);
        }
    }
}

GB_TEST(ewise, add_matrix) {
    every_operator(false, false);
}

GB_TEST(ewise, add_vector) {
    every_operator(false, true);
}

GB_TEST(ewise, mult_matrix) {
    every_operator(true, false);
}

GB_TEST(ewise, mult_vector) {
    every_operator(true, true);
}

GB_TEST(ewise, monoids) {
    for (size_t k = 0; k < t_monoid_count; k++) {
        const o_Monoid monoid = t_monoid(&t_monoids[k]);
        if (monoid.op.op == O_ANY) continue;
        for (unsigned f = 0; f < T_FLAGS_ALL; f += 5) {
            const operation o = {BY_MONOID, f & 1, &monoid.op, monoid.handle, NULL};
            t_FrameCase of = t_frame_case(t_monoids[k].name, monoid.op.z, f, f % 10 == 0);
            of.seed = 300000 + 1000 * k + f;
            run(&of, &o);
        }
    }
}

/* eWiseAdd takes the additive monoid of a semiring, eWiseMult the multiplication. */
GB_TEST(ewise, semirings) {
    for (size_t k = 0; k < t_ring_count; k++) {
        const o_Ring ring = t_ring(&t_rings[k]);
        for (unsigned f = 0; f < T_FLAGS_ALL; f += 7) {
            const bool mult = f & 1;
            const o_Binary *op = mult ? &ring.multiply : &ring.add;
            if (op->op == O_ANY || (op->op >= O_FIRSTI && op->op <= O_SECONDJ)) continue;
            const operation o = {BY_RING, mult, op, NULL, ring.handle};
            t_FrameCase of = t_frame_case(t_rings[k].name, op->z, f, f % 14 == 0);
            of.seed = 600000 + 1000 * k + f;
            run(&of, &o);
        }
    }
}

GB_TEST(ewise, typecasts) {
    for (uint64_t seed = 0; seed < 6000; seed++) {
        t_Random r = t_random(seed + 4711);
        const t_Binary *entry = &t_binaries[t_below(&r, t_binary_count)];
        const o_Binary op = t_binary(entry);
        const operation o = {.by = BY_OPERATOR, .mult = t_chance(&r, 0.5), .op = &op};
        t_FrameCase of =
            t_frame_case(entry->name, op.x, (unsigned)t_below(&r, T_FLAGS_ALL), t_chance(&r, 0.5));
        of.seed = seed;
        t_frame_cast(&of, &r);
        of.b = o_type(t_types[t_below(&r, T_COUNT(t_types))]);
        of.wild = true;
        run(&of, &o);
    }
}

GB_TEST(ewise, aliases) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        t_Random r = t_random(seed + 99);
        const t_Binary *entry = &t_binaries[t_below(&r, t_binary_count)];
        const o_Binary op = t_binary(entry);
        const operation o = {.by = BY_OPERATOR, .mult = t_chance(&r, 0.5), .op = &op};
        t_FrameCase of =
            t_frame_case(entry->name, op.x, (unsigned)t_below(&r, T_FLAGS_ALL), t_chance(&r, 0.5));
        of.seed = seed;
        of.alias = (t_Alias)(1 + t_below(&r, T_ALIASES - 1));
        if (!of.vector) of.ncols = of.nrows;
        run(&of, &o);
    }
}

GB_TEST(ewise, shapes) {
    static const gbl_Index sizes[][2] = {{0, 0},   {0, 7},     {7, 0},     {1, 1},    {1, 200},
                                         {200, 1}, {3, 70000}, {70000, 3}, {130, 140}};
    static const double densities[] = {0.0001, 0.02, 0.4, 0.97};
    const o_Binary plus = t_find_binary(O_PLUS, GBL_INT32_CODE);
    const o_Binary minus = t_find_binary(O_MINUS, GBL_FP64_CODE);
    for (unsigned s = 0; s < T_COUNT(sizes); s++) {
        const bool large = sizes[s][0] * sizes[s][1] > 100000;
        for (unsigned d = 0; d < T_COUNT(densities); d++) {
            for (unsigned p = 0; p < T_PATTERNS; p++) {
                if (large && (p + d + s) % 4 != 0) continue;
                for (unsigned k = 0; k < (large ? 1u : 8u); k++) {
                    const unsigned f = (13 * k + 7 * p + 29 * d + s) % T_FLAGS_ALL;
                    const operation o = {.mult = k & 1, .op = k & 2 ? &plus : &minus};
                    t_FrameCase of = t_frame_case("shapes", o.op->z, f, sizes[s][1] == 1);
                    of.seed = 1000 * s + 100 * d + 10 * p + k;
                    of.nrows = sizes[s][0];
                    of.ncols = sizes[s][1];
                    of.pattern = (t_Pattern)p;
                    of.density = densities[d];
                    of.iso = k % 3 == 2;
                    run(&of, &o);
                }
            }
        }
    }
}

GB_TEST(ewise, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            for (unsigned way = 0; way < 8; way++) {
                const bool mult = way & 1;
                const t_User *user = &users[u];
                const o_Binary *op = way < 4            ? &user->minus
                                     : way < 6 || !mult ? &user->monoid.op
                                                        : &user->ring.multiply;
                const operation o = {way < 4   ? BY_OPERATOR
                                     : way < 6 ? BY_MONOID
                                               : BY_RING,
                                     mult, op, user->monoid.handle, user->ring.handle};
                t_FrameCase of = t_frame_case("user", user->type, f, way & 2);
                of.seed = 1000 * f + way;
                of.accum = user->minus;
                run(&of, &o);
            }
        }
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

/* ANY keeps one of the two values where both are present. */
GB_TEST(ewise, any) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        t_FrameCase of = t_frame_case("ANY_INT64", o_type(GBL_INT64_CODE), 0, false);
        of.seed = seed;
        t_Frame x;
        t_begin(&x, &of);
        OK(gbl_Matrix_eWiseAdd_BinaryOp(x.gC, NULL, NULL, GBL_ANY_INT64, x.gA, x.gB, NULL));
        o_Matrix found = t_dense(x.gC);
        for (gbl_Index p = 0; p < found.nrows * found.ncols; p++) {
            const o_Cell *a = &x.A.x[p], *b = &x.B.x[p], *c = &found.x[p];
            CHECK_EQ(c->has, a->has || b->has);
            if (c->has) CHECK((a->has && a->v.i64 == c->v.i64) || (b->has && b->v.i64 == c->v.i64));
        }
        o_free(&x.C);
        x.C = found;
        t_end(&x);
    }
}

enum { IN_PLACE = 20011 }; /* many batches, an odd end, several threads */

static gbl_Vector full_of(const int64_t *x, gbl_Index n) {
    gbl_Index *at = malloc(n * sizeof *at);
    for (gbl_Index k = 0; k < n; k++) at[k] = k;
    gbl_Vector v = t_new_vector(GBL_INT64, n);
    OK(gbl_Vector_build_INT64(v, at, x, n, NULL));
    free(at);
    return v;
}

static void check_full(gbl_Vector v, const int64_t *expected, gbl_Index n) {
    int64_t *x = malloc(n * sizeof *x);
    gbl_Index count = n, wrong = 0;
    OK(gbl_Vector_extractTuples_INT64(NULL, x, &count, v));
    CHECK_EQ(count, n);
    for (gbl_Index k = 0; k < n; k++) wrong += x[k] != expected[k];
    CHECK_EQ(wrong, 0);
    free(x);
}

/* Full vectors are updated where they stand; the operator sees what was there before. */
GB_TEST(ewise, full_vectors_in_place) {
    static const gbl_Index sizes[] = {1, 5, 300, IN_PLACE};
    static int64_t x[IN_PLACE], y[IN_PLACE], z[IN_PLACE];
    for (unsigned s = 0; s < T_COUNT(sizes); s++) {
        const gbl_Index n = sizes[s];
        for (gbl_Index k = 0; k < n; k++) {
            x[k] = (int64_t)(k * k % 1009) - 500;
            y[k] = (int64_t)(k * 31 % 997) - 490;
        }
        for (unsigned way = 0; way < 6; way++) {
            gbl_Vector u = full_of(x, n), v = full_of(y, n);
            t_case("way %u, %llu elements", way, (unsigned long long)n);
            for (gbl_Index k = 0; k < n; k++)
                z[k] = way == 0   ? x[k] - y[k]
                       : way == 1 ? y[k] - x[k]
                       : way == 2 ? 0
                       : way == 3 ? llabs(x[k] - y[k])
                       : way == 4 ? x[k] - (y[k] - x[k])
                                  : x[k] - 7;
            if (way == 0)
                OK(gbl_Vector_eWiseAdd_BinaryOp(u, NULL, NULL, GBL_MINUS_INT64, u, v, NULL));
            if (way == 1)
                OK(gbl_Vector_eWiseMult_BinaryOp(u, NULL, NULL, GBL_MINUS_INT64, v, u, NULL));
            if (way == 2)
                OK(gbl_Vector_eWiseAdd_BinaryOp(u, NULL, NULL, GBL_MINUS_INT64, u, u, NULL));
            if (way == 3)
                OK(gbl_Vector_eWiseMult_BinaryOp(u, NULL, NULL, GBL_ABSDIFF_INT64, u, v, NULL));
            if (way == 4)
                OK(gbl_Vector_eWiseAdd_BinaryOp(u, NULL, GBL_MINUS_INT64, GBL_MINUS_INT64, v, u,
                                                NULL));
            if (way == 5)
                OK(gbl_Vector_assign_INT64(u, NULL, GBL_MINUS_INT64, 7, GBL_ALL, n, NULL));
            check_full(u, z, n);
            check_full(v, y, n);
            FREE(u, v);
        }
    }
}
