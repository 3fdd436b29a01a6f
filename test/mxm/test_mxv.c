/* SPDX-License-Identifier: Apache-2.0
 *
 * mxv and vxm against the oracle: every semiring with every combination of flags, vectors from
 * empty to full, so that both the push and the pull form run.
 */
#include "support/product.h"

static t_ProductCase plain_case(t_Kind kind, const char *name, const o_Ring *ring, unsigned f) {
    const o_Type type = ring->add.z;
    t_ProductCase of = {.kind = kind,
                        .name = name,
                        .ring = ring,
                        .accum = t_some_accum(type.code, f),
                        .c = type,
                        .a = ring->multiply.x,
                        .b = ring->multiply.y,
                        .mask = o_type(GBL_INT16_CODE),
                        .shape = {19, 17, 1, T_RANDOM, T_RANDOM, 0.3, 0.5, 0.4},
                        .flags = t_flags(f)};
    if (kind == T_MXV) of.flags.tran1 = false;
    if (kind == T_VXM) {
        of.flags.tran0 = false;
        of.shape = (t_Shape){1, 17, 19, T_RANDOM, T_RANDOM, 0.5, 0.3, 0.4};
    }
    return of;
}

/* mxv knows one transpose, vxm the other: half of all flags would repeat */
static bool repeats(t_Kind kind, unsigned f) {
    const t_Flags flags = t_flags(f);
    return kind == T_MXV ? flags.tran1 : flags.tran0;
}

static void semirings(t_Kind kind) {
    for (size_t k = 0; k < t_ring_count; k++) {
        const o_Ring ring = t_ring(&t_rings[k]);
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            if (repeats(kind, f)) continue;
            t_ProductCase of = plain_case(kind, t_rings[k].name, &ring, f);
            of.seed = 1000 * k + f;
            of.mask = o_type(t_types[(k + f / 6) % T_COUNT(t_types)]);
            of.wild = t_rings[k].type != GBL_FP32_CODE && t_rings[k].type != GBL_FP64_CODE;
            t_product(&of);
        }
    }
}

GB_TEST(mxv, semirings) {
    semirings(T_MXV);
}

GB_TEST(vxm, semirings) {
    semirings(T_VXM);
}

/* ------------------------------------------------------------------------------------ shapes -- */

typedef struct {
    gbl_Index rows, inner; /* of the matrix as mxv sees it */
    t_Pattern pattern, vector;
    double density, filled, output;
} shape;

static const shape shapes[] = {
    {0, 0, T_RANDOM, T_RANDOM, 0.5, 0.5, 0.5},
    {0, 9, T_RANDOM, T_FULL, 0.5, 1, 0.5},
    {9, 0, T_RANDOM, T_RANDOM, 0.5, 0.5, 0.5},
    {1, 1, T_FULL, T_FULL, 1, 1, 0.5},
    {1, 300, T_RANDOM, T_RANDOM, 0.5, 0.5, 1},
    {300, 1, T_RANDOM, T_FULL, 0.5, 1, 0.3},
    {50, 60, T_RANDOM, T_FULL, 0.1, 1, 0.3},
    {50, 60, T_RANDOM, T_EMPTY, 0.1, 1, 0.3},
    {50, 60, T_RANDOM, T_RANDOM, 0.1, 0.02, 0.3},
    {50, 60, T_EMPTY_ROWS, T_RANDOM, 0.3, 0.6, 1},
    {50, 60, T_FULL_ROW, T_RANDOM, 0.05, 0.4, 0.05},
    {50, 60, T_FULL_COLUMN, T_RANDOM, 0.05, 0.4, 0.05},
    {64, 64, T_FULL, T_FULL, 1, 1, 1},
    {200, 300, T_RANDOM, T_RANDOM, 0.02, 0.005, 0.1},
    {300, 200, T_RANDOM, T_RANDOM, 0.02, 0.3, 0.9},
    {2, 70000, T_RANDOM, T_RANDOM, 0.05, 0.05, 0.5},
    {70000, 2, T_RANDOM, T_FULL, 0.05, 1, 0.01},
};

static const struct {
    o_Opcode add, multiply;
    gbl_Type_Code type;
} sample[] = {
    {O_PLUS, O_TIMES, GBL_FP64_CODE},   {O_PLUS, O_SECOND, GBL_FP32_CODE},
    {O_MIN, O_PLUS, GBL_INT32_CODE},    {O_ANY, O_SECONDI, GBL_INT64_CODE},
    {O_MIN, O_SECONDI, GBL_INT32_CODE}, {O_ANY, O_ONEB, GBL_BOOL_CODE},
    {O_LOR, O_LAND, GBL_BOOL_CODE},     {O_MIN, O_SECOND, GBL_INT64_CODE},
    {O_PLUS, O_TIMES, GBL_UINT8_CODE},  {O_MIN, O_FIRSTI, GBL_INT32_CODE},
    {O_MAX, O_SECONDJ, GBL_INT64_CODE}, {O_ANY, O_FIRST, GBL_UINT32_CODE},
};

static t_Shape as_seen(const shape *s, t_Kind kind) {
    if (kind == T_MXV)
        return (t_Shape){s->rows,   s->inner,   1,         s->pattern,
                         s->vector, s->density, s->filled, s->output};
    const t_Pattern turned = s->pattern == T_FULL_ROW      ? T_FULL_COLUMN
                             : s->pattern == T_FULL_COLUMN ? T_FULL_ROW
                                                           : s->pattern;
    return (t_Shape){1, s->inner, s->rows, s->vector, turned, s->filled, s->density, s->output};
}

static void run_shapes(t_Kind kind) {
    for (size_t n = 0; n < t_ring_count; n++) {
        size_t k = 0;
        while (k < T_COUNT(sample) &&
               (sample[k].add != t_rings[n].add || sample[k].multiply != t_rings[n].multiply ||
                sample[k].type != t_rings[n].type))
            k++;
        if (k == T_COUNT(sample)) continue;
        const o_Ring ring = t_ring(&t_rings[n]);
        for (size_t s = 0; s < T_COUNT(shapes); s++) {
            const unsigned step = shapes[s].rows + shapes[s].inner > 10000 ? 23 : 1;
            for (unsigned f = (unsigned)(s + k) % step; f < T_FLAGS_ALL; f += step) {
                if (repeats(kind, f)) continue;
                t_ProductCase of = plain_case(kind, t_rings[n].name, &ring, f);
                of.seed = 100000 * s + 1000 * k + f;
                of.shape = as_seen(&shapes[s], kind);
                t_product(&of);
            }
        }
    }
}

GB_TEST(mxv, shapes) {
    run_shapes(T_MXV);
}

GB_TEST(vxm, shapes) {
    run_shapes(T_VXM);
}

/* ------------------------------------------------------------ types, aliases, the user's own -- */

GB_TEST(mxv, typecasts) {
    for (uint64_t seed = 0; seed < 4000; seed++) {
        t_Random r = t_random(seed + 777);
        const t_Ring *entry = &t_rings[t_below(&r, t_ring_count)];
        const o_Ring ring = t_ring(entry);
        const t_Kind kind = t_chance(&r, 0.5) ? T_MXV : T_VXM;
        t_ProductCase of = plain_case(kind, entry->name, &ring, (unsigned)t_below(&r, T_FLAGS_ALL));
        of.seed = seed;
        of.c = o_type(t_types[t_below(&r, T_COUNT(t_types))]);
        of.a = o_type(t_types[t_below(&r, T_COUNT(t_types))]);
        of.b = o_type(t_types[t_below(&r, T_COUNT(t_types))]);
        of.mask = o_type(t_types[t_below(&r, T_COUNT(t_types))]);
        of.accum = t_some_accum(of.c.code, t_next(&r));
        of.wild = entry->type != GBL_FP32_CODE && entry->type != GBL_FP64_CODE;
        t_product(&of);
    }
}

GB_TEST(mxv, aliases) {
    static const t_Alias aliases[2][3] = {{T_C_IS_B, T_C_IS_MASK, T_DISTINCT},
                                          {T_C_IS_A, T_C_IS_MASK, T_A_IS_MASK}};
    for (size_t n = 0; n < t_ring_count; n += 3) {
        const o_Ring ring = t_ring(&t_rings[n]);
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            const t_Kind kind = (f + n) % 2 ? T_MXV : T_VXM;
            if (repeats(kind, f)) continue;
            t_ProductCase of = plain_case(kind, t_rings[n].name, &ring, f);
            of.seed = 1000 * n + f;
            of.shape = (t_Shape){18, 18, 1, T_RANDOM, T_RANDOM, 0.3, 0.4, 0.4};
            if (kind == T_VXM) of.shape.rows = 1, of.shape.columns = 18;
            of.a = of.b = of.c = of.mask = o_type(t_rings[n].type);
            for (size_t k = 0; k < 3; k++) {
                of.alias = aliases[kind == T_VXM][k];
                t_product(&of);
            }
        }
    }
}

GB_TEST(mxv, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        for (size_t s = 0; s + 2 < T_COUNT(shapes); s++) {
            for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
                const t_Kind kind = (f + s) % 2 ? T_MXV : T_VXM;
                if (repeats(kind, f)) continue;
                t_ProductCase of = {.seed = 1000 * s + f, .kind = kind, .name = "user"};
                of.ring = &users[u].ring;
                of.accum = users[u].minus;
                of.a = of.b = of.c = users[u].type;
                of.mask = o_type(GBL_FP32_CODE);
                of.shape = as_seen(&shapes[s], kind);
                of.flags = t_flags(f);
                t_product(&of);
            }
        }
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

/* A vector in its dense form (after an operation asked for it) and in its list form give the same.
 */
GB_TEST(mxv, repeated_traversal) {
    const gbl_Index n = 400;
    t_Random r = t_random(99);
    o_Matrix A =
        t_generate(&r, &(t_Content){o_type(GBL_BOOL_CODE), n, n, T_RANDOM, 0.008, false, true});
    gbl_Matrix gA = t_matrix(&A);
    o_Matrix seen = o_new(o_type(GBL_BOOL_CODE), n, 1);
    seen.x[0] = (o_Cell){true, {.b = true}};
    o_Matrix front = o_copy(&seen);
    gbl_Vector gseen = t_vector(&seen), gfront = t_vector(&front);
    const o_Type boolean = o_type(GBL_BOOL_CODE);
    const o_Ring ring = {{O_ANY, boolean, boolean, boolean, NULL, NULL},
                         {O_ONEB, boolean, boolean, boolean, NULL, NULL},
                         GBL_ANY_PAIR_SEMIRING_BOOL};
    for (int step = 0; step < 12; step++) {
        t_case("breadth-first search, step %d", step);
        OK(gbl_vxm(gfront, gseen, NULL, ring.handle, gfront, gA, GBL_DESC_RSC));
        OK(gbl_Vector_assign_BOOL(gseen, gfront, NULL, true, GBL_ALL, n, GBL_DESC_S));
        o_Rule rule = {&seen, true, true, true, NULL, false, false};
        o_Matrix C = o_as_row(&front), M = o_as_row(&seen), u = o_copy(&front);
        o_Matrix row = o_as_row(&u);
        rule.mask = &M;
        o_mxm(&C, &rule, &(o_Product){&ring, &row, &A, NULL});
        o_free(&u);
        const o_Rule mark = {&front, false, true, false, NULL, false, false};
        o_assign_value(&seen, &mark, boolean, (o_Value){.b = true});
        t_expect_vector("front", &front, gfront, 0);
        t_expect_vector("seen", &seen, gseen, 0);
    }
    FREE(gseen, gfront, gA, A, seen, front);
}

/* A pull inside a list of few positions looks at their rows alone; the sums are those of push, and
 * parts of the list that several threads take come together, whatever rows have no sum. They are
 * added to nothing (0), to values everywhere (1), or at some places (2). */
GB_TEST(mxv, inside_few_positions) {
    enum { N = 2000, FEW = N / 70, THREADS = 3, CASES = 9 };
    int32_t threads = 0;
    OK(gbl_Global_get_INT32(GBL_GLOBAL, &threads, GBL_NTHREADS));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, THREADS, GBL_NTHREADS));
    const gbl_Semiring rings[] = {GBL_ANY_SECONDI_SEMIRING_INT64, GBL_MIN_SECOND_SEMIRING_INT64,
                                  GBL_PLUS_FIRST_SEMIRING_INT64, GBL_MAX_SECONDI_SEMIRING_INT64};
    const gbl_BinaryOp adds[] = {GBL_PLUS_INT64, GBL_MIN_INT64, GBL_PLUS_INT64, GBL_MAX_INT64};
    for (size_t k = 0; k < CASES * T_COUNT(rings); k++) {
        const gbl_Index step = (gbl_Index[]){1, 7, 90}[k % 3]; /* between entries of u */
        const size_t added = k / 3 % 3, ring = k / CASES;
        t_Random r = t_random(k);
        gbl_Vector m = NULL, u = NULL, w[2] = {NULL, NULL};
        gbl_Index found[2] = {0, 0}, I[2][N];
        int64_t X[2][N];
        gbl_Matrix A = t_new_matrix(GBL_INT64, N, N);
        OK(gbl_Vector_new(&m, GBL_BOOL, N));
        OK(gbl_Vector_new(&u, GBL_INT64, N));
        for (gbl_Index e = 0; e < 12 * N; e++)
            OK(gbl_Matrix_setElement_INT64(A, (int64_t)t_below(&r, 99), t_below(&r, N),
                                           t_below(&r, N)));
        for (gbl_Index e = 0; e < FEW; e++) OK(gbl_Vector_setElement_BOOL(m, false, 70 * e + 1));
        for (gbl_Index v = 0; v < N; v += step)
            OK(gbl_Vector_setElement_INT64(u, (int64_t)t_below(&r, 99), v));
        for (int pull = 0; pull < 2; pull++) {
            gbl_Descriptor desc = NULL;
            OK(gbl_Descriptor_new(&desc));
            OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_STRUCTURE));
            OK(gbl_Descriptor_set(desc, GBL_METHOD, pull ? GBL_METHOD_PULL : GBL_METHOD_PUSH));
            OK(gbl_Vector_new(&w[pull], GBL_INT64, N));
            for (gbl_Index v = 0; added > 0 && v < N; v += added)
                OK(gbl_Vector_setElement_INT64(w[pull], (int64_t)(v * 7 % 60), v));
            for (int turn = 0; turn < 2; turn++) /* scratch is there for the second */
                OK(gbl_vxm(w[pull], m, added > 0 ? adds[ring] : NULL, rings[ring], u, A, desc));
            found[pull] = N;
            OK(gbl_Vector_extractTuples_INT64(I[pull], X[pull], &found[pull], w[pull]));
            OK(gbl_Descriptor_free(&desc));
        }
        t_case("case %zu", k);
        CHECK(found[0] > 0 && found[0] == found[1]);
        CHECK(memcmp(I[0], I[1], found[0] * sizeof *I[0]) == 0);
        CHECK(memcmp(X[0], X[1], found[0] * sizeof *X[0]) == 0);
        gbl_Vector *all[] = {&m, &u, &w[0], &w[1]};
        for (size_t v = 0; v < T_COUNT(all); v++) OK(gbl_Vector_free(all[v]));
        OK(gbl_Matrix_free(&A));
    }
    OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
}

/* A full vector meets every entry: what its product is expected to cost is the same wherever the
 * row stands that has most of them. */
GB_TEST(mxv, a_full_vector_meets_every_entry) {
    enum { N = 3000, PLACES = 24 };
    gbl_Vector u = t_new_vector(GBL_INT64, N), w = t_new_vector(GBL_INT64, N);
    OK(gbl_Vector_assign_INT64(u, NULL, NULL, 1, GBL_ALL, N, NULL));
    double predicted = 0;
    for (gbl_Index hub = 0; hub < PLACES; hub++) {
        gbl_Matrix A = t_new_matrix(GBL_INT64, N, N);
        for (gbl_Index i = 0; i < N; i++) {
            OK(gbl_Matrix_setElement_INT64(A, 2, hub, i));
            OK(gbl_Matrix_setElement_INT64(A, 3, PLACES + i / 2, i));
        }
        gbl_Explanation how = GBL_EXPLANATION_INIT;
        OK(gbl_vxm(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, u, A, NULL));
        OK(gbl_Vector_explain(&how, w));
        t_case("hub at %d", (int)hub);
        CHECK_EQ(how.ncandidates, 2);
        for (int32_t c = 0; c < how.ncandidates; c++)
            if (strcmp(how.candidates[c].method, "push") == 0) {
                if (hub == 0) predicted = how.candidates[c].seconds_kernel;
                CHECK(predicted > 0 && how.candidates[c].seconds_kernel == predicted);
            }
        OK(gbl_Matrix_free(&A));
    }
    FREE(u, w);
}

/* The mask is a list. Where it has half of the positions, it is a bitmap too once it has been
 * looked up often; where it has few it stays a list. Either way results are the same. */
static void look_up_again(gbl_Index apart, gbl_Descriptor desc, bool inside) {
    enum { N = 1000, ROUNDS = 100 };
    gbl_Formats formats;
    t_Random r = t_random(apart);
    gbl_Matrix A = t_new_matrix(GBL_INT64, N, N);
    for (gbl_Index v = 0; v < N; v++)
        for (int e = 0; e < 3; e++)
            OK(gbl_Matrix_setElement_INT64(A, (int64_t)t_below(&r, 99), v, t_below(&r, N)));
    gbl_Vector u = t_new_vector(GBL_INT64, N), w = t_new_vector(GBL_INT64, N);
    gbl_Vector m = t_new_vector(GBL_FP64, N);
    for (gbl_Index k = 0; k < N; k += apart) OK(gbl_Vector_setElement_FP64(m, 0, k));
    for (int round = 0; round < ROUNDS; round++) {
        int64_t expected = 0, sum = 0;
        OK(gbl_Vector_clear(u));
        for (int k = 0; k < 4; k++) OK(gbl_Vector_setElement_INT64(u, 1 + k, t_below(&r, N)));
        OK(gbl_vxm(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, u, A, NULL));
        for (gbl_Index k = 0; k < N; k++) {
            int64_t x = 0;
            if ((k % apart == 0) == inside && gbl_Vector_extractElement_INT64(&x, w, k) == 0)
                expected += x * (int64_t)(k + 1);
        }
        OK(gbl_vxm(w, m, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, u, A, desc));
        for (gbl_Index k = 0; k < N; k++) {
            int64_t x = 0;
            if (gbl_Vector_extractElement_INT64(&x, w, k) == 0) sum += x * (int64_t)(k + 1);
        }
        t_case("apart %d, round %d", (int)apart, round);
        CHECK_EQ(sum, expected);
        OK(gbl_Vector_formats(&formats, m));
        if (round == 0) CHECK(!(formats.present & GBL_HAS_BITMAP));
    }
    CHECK_EQ((formats.present & GBL_HAS_BITMAP) != 0, apart == 2);
    FREE(A, u, w, m);
}

GB_TEST(mxv, a_list_that_is_looked_up_again) {
    for (gbl_Index apart = 2; apart <= 32; apart *= 16) {
        look_up_again(apart, GBL_DESC_RSC, false);
        look_up_again(apart, GBL_DESC_RS, true);
    }
}
