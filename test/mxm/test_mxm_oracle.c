/* SPDX-License-Identifier: Apache-2.0
 *
 * mxm against the oracle. Values are small enough for every sum to be exact, so results are
 * compared to the bit whatever the order in which a kernel adds.
 */
#include "support/product.h"

static const gbl_Desc_Value methods[] = {GBL_DEFAULT,      GBL_METHOD_ROWWISE, GBL_METHOD_DOT,
                                         GBL_METHOD_TILED, GBL_METHOD_OUTER,   GBL_METHOD_VECTOR,
                                         GBL_METHOD_PANEL};

/* DOT computes only what a mask asks for; without one it is refused (see test_errors.c). */
static bool legal(const t_Flags *flags, gbl_Desc_Value method) {
    return method != GBL_METHOD_DOT || flags->mask == T_VALUED || flags->mask == T_STRUCTURAL;
}

/* The method of the n-th case; over all flags, every mask, accumulator and transpose meets all. */
static void choose_method(t_ProductCase *of, size_t n) {
    const size_t k = n + n / T_MASKS + n / (4 * T_MASKS);
    const gbl_Desc_Value method = methods[k % T_COUNT(methods)];
    if (legal(&of->flags, method)) of->flags.method = method;
}

static t_ProductCase plain_case(const char *name, const o_Ring *ring, t_Flags flags) {
    t_ProductCase of = t_mxm_case(name, ring, 0);
    of.mask = o_type(GBL_INT16_CODE);
    of.shape = (t_Shape){13, 11, 12, T_RANDOM, T_RANDOM, 0.3, 0.35, 0.4};
    of.flags = flags;
    return of;
}

/* The way of a row-wise product varies with the seed; one case of four leaves it to the planner. */
static void run(t_ProductCase *of) {
    if (of->seed % 4 != 0) t_set_way(&of->flags, of->seed % T_WAYS);
    t_product(of);
}

/* -------------------------------------------------------- every semiring x every combination -- */

static void semirings(size_t first, size_t step) {
    for (size_t k = first; k < t_ring_count; k += step) {
        const o_Ring ring = t_ring(&t_rings[k]);
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_ProductCase of = plain_case(t_rings[k].name, &ring, t_flags(f));
            of.seed = 1000 * k + f;
            of.accum = t_some_accum(t_rings[k].type, k + f);
            of.mask = o_type(t_types[(k + f / 6) % T_COUNT(t_types)]);
            of.wild = t_rings[k].type != GBL_FP32_CODE && t_rings[k].type != GBL_FP64_CODE;
            choose_method(&of, k + f);
            run(&of);
        }
    }
}

GB_TEST(mxm_oracle, semirings_0) {
    semirings(0, 3);
}

GB_TEST(mxm_oracle, semirings_1) {
    semirings(1, 3);
}

GB_TEST(mxm_oracle, semirings_2) {
    semirings(2, 3);
}

/* The same for rows of some and of hundreds of products, which take other accumulators; a kernel
 * that is shared by many semirings may still go wrong for one. */
GB_TEST(mxm_oracle, semirings_by_accumulator) {
    static const t_Shape shapes_of_rows[] = {
        {12, 40, 700, T_RANDOM, T_RANDOM, 0.1, 0.02, 0.05},
        {12, 60, 300, T_FULL_ROW, T_RANDOM, 0.1, 0.1, 0.2},
        {10, 50, 90, T_RANDOM, T_RANDOM, 0.6, 0.5, 0.3},
    };
    for (size_t k = 0; k < t_ring_count; k++) {
        const o_Ring ring = t_ring(&t_rings[k]);
        for (unsigned n = 0; n < 12; n++) {
            const unsigned f = (unsigned)(13 * n + 5 * k) % T_FLAGS_ALL;
            t_ProductCase of = plain_case(t_rings[k].name, &ring, t_flags(f));
            of.seed = 400000 + 100 * k + n;
            of.shape = shapes_of_rows[n % T_COUNT(shapes_of_rows)];
            if (n < 6) of.flags.mask = T_NO_MASK;
            if (n % 4 == 3) of.flags.method = GBL_METHOD_ROWWISE;
            of.wild = t_rings[k].type != GBL_FP32_CODE && t_rings[k].type != GBL_FP64_CODE;
            run(&of);
        }
    }
}

/* ------------------------------------------------------------------------------------ shapes -- */

/* From nothing to full, and rows of 1, tens, hundreds and thousands of products: together they pass
 * every accumulator and every path that a planner could choose by size. */
static const t_Shape shapes[] = {
    {0, 0, 0, T_RANDOM, T_RANDOM, 0.5, 0.5, 0.5},
    {0, 5, 7, T_RANDOM, T_FULL, 0.5, 0.5, 0.5},
    {5, 0, 7, T_RANDOM, T_RANDOM, 0.5, 0.5, 0.5},
    {5, 7, 0, T_FULL, T_RANDOM, 0.5, 0.5, 0.5},
    {1, 1, 1, T_FULL, T_FULL, 1, 1, 0.5},
    {1, 1, 1, T_EMPTY, T_FULL, 1, 1, 1},
    {1, 40, 1, T_RANDOM, T_RANDOM, 0.6, 0.6, 1},
    {25, 1, 30, T_RANDOM, T_RANDOM, 0.5, 0.5, 0.3},
    {30, 30, 30, T_DIAGONAL, T_RANDOM, 1, 0.2, 0.2},
    {30, 30, 30, T_RANDOM, T_DIAGONAL, 0.2, 1, 0.2},
    {40, 50, 60, T_RANDOM, T_RANDOM, 0.02, 0.02, 0.05},
    {40, 50, 60, T_RANDOM, T_RANDOM, 0.2, 0.1, 0.02},
    {40, 50, 60, T_RANDOM, T_RANDOM, 0.5, 0.7, 0.5},
    {20, 20, 20, T_FULL, T_FULL, 1, 1, 0.1},
    {20, 20, 20, T_FULL, T_FULL, 1, 1, 1},
    {31, 31, 31, T_EMPTY, T_RANDOM, 0.5, 0.5, 0.5},
    {31, 31, 31, T_RANDOM, T_EMPTY, 0.5, 0.5, 0.5},
    {45, 40, 35, T_EMPTY_ROWS, T_RANDOM, 0.2, 0.2, 0.2},
    {45, 40, 35, T_RANDOM, T_EMPTY_ROWS, 0.2, 0.2, 0.2},
    {40, 40, 40, T_FULL_ROW, T_RANDOM, 0.05, 0.1, 0.2},
    {40, 40, 40, T_RANDOM, T_FULL_ROW, 0.05, 0.1, 0.2},
    {40, 40, 40, T_FULL_COLUMN, T_RANDOM, 0.05, 0.1, 0.2},
    {40, 40, 40, T_RANDOM, T_FULL_COLUMN, 0.05, 0.1, 0.2},
    {40, 40, 40, T_FULL_COLUMN, T_FULL_ROW, 0, 0, 0.2},
    {40, 40, 40, T_FULL_ROW, T_FULL_COLUMN, 0, 0, 0.2},
    {30, 60, 50, T_ONE_ROW, T_RANDOM, 1, 0.5, 0.3},
    {300, 5, 8, T_RANDOM, T_RANDOM, 0.3, 0.4, 0.1},
    {4, 6, 900, T_RANDOM, T_RANDOM, 0.5, 0.3, 0.1},
    {8, 300, 8, T_RANDOM, T_RANDOM, 0.3, 0.3, 0.5},
    {70, 64, 257, T_RANDOM, T_RANDOM, 0.05, 0.03, 0.02},
};

static const struct {
    o_Opcode add, multiply;
    gbl_Type_Code type;
} sample[] = {
    {O_PLUS, O_TIMES, GBL_FP64_CODE},   {O_MIN, O_PLUS, GBL_INT32_CODE},
    {O_ANY, O_SECONDI, GBL_INT64_CODE}, {O_PLUS, O_TIMES, GBL_UINT16_CODE},
    {O_LOR, O_LAND, GBL_BOOL_CODE},     {O_PLUS, O_ONEB, GBL_INT64_CODE},
    {O_MAX, O_SECOND, GBL_FP32_CODE},   {O_ANY, O_ONEB, GBL_BOOL_CODE},
    {O_MIN, O_FIRSTJ, GBL_INT32_CODE},
};

static const t_Ring *sampled(size_t k) {
    return t_find_ring(sample[k].add, sample[k].multiply, sample[k].type);
}

static void run_shapes(size_t from, size_t to) {
    for (size_t s = 0; s < T_COUNT(shapes); s++) {
        for (size_t k = from; k < to; k++) {
            const t_Ring *entry = sampled(k);
            const o_Ring ring = t_ring(entry);
            for (unsigned f = (unsigned)(s + k) % 3; f < T_FLAGS_ALL; f += 3) {
                t_ProductCase of = plain_case(entry->name, &ring, t_flags(f));
                of.seed = 100000 * s + 1000 * k + f;
                of.shape = shapes[s];
                of.accum = t_some_accum(entry->type, s + f);
                choose_method(&of, s + f);
                run(&of);
            }
        }
    }
}

GB_TEST(mxm_oracle, shapes_0) {
    run_shapes(0, 3);
}

GB_TEST(mxm_oracle, shapes_1) {
    run_shapes(3, 6);
}

GB_TEST(mxm_oracle, shapes_2) {
    run_shapes(6, T_COUNT(sample));
}

/* Rows of thousands of products, dimensions beyond 16 bits, outputs of both kinds. */
GB_TEST(mxm_oracle, large_shapes) {
    static const t_Shape large[] = {
        {3, 70000, 4, T_RANDOM, T_RANDOM, 0.001, 0.002, 0.5},
        {70000, 3, 4, T_RANDOM, T_RANDOM, 0.001, 0.8, 0.001},
        {3, 40, 100000, T_RANDOM, T_RANDOM, 0.3, 0.0005, 0.0003},
        {2, 700, 1500, T_RANDOM, T_RANDOM, 0.9, 0.02, 0.3},
        {3, 200, 3000, T_RANDOM, T_RANDOM, 0.4, 0.3, 0.02},
        {260, 260, 260, T_FULL_ROW, T_RANDOM, 0.01, 0.2, 0.1},
        {150, 90, 260, T_RANDOM, T_RANDOM, 0.4, 0.4, 0.3},
    };
    for (size_t s = 0; s < T_COUNT(large); s++) {
        for (size_t k = 0; k < 6; k++) {
            const t_Ring *entry = sampled(k);
            const o_Ring ring = t_ring(entry);
            const unsigned f = (unsigned)(17 * k + 29 * s) % T_FLAGS_ALL;
            t_ProductCase of = plain_case(entry->name, &ring, t_flags(f));
            of.seed = 7000000 + 100 * s + k;
            of.shape = large[s];
            if (k % 2 == 0) of.flags.mask = T_NO_MASK;
            run(&of);
            of.flags.method = GBL_METHOD_ROWWISE;
            of.flags.mask = k % 2 == 0 ? T_STRUCTURAL : T_COMP_STRUCTURAL;
            run(&of);
        }
    }
}

/* ------------------------------------------------------------------------- types and aliases -- */

/* Every type of C, A, B and mask with every type of semiring, at random. */
GB_TEST(mxm_oracle, typecasts) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        t_Random r = t_random(seed + 31337);
        const t_Ring *entry = &t_rings[t_below(&r, t_ring_count)];
        const o_Ring ring = t_ring(entry);
        t_ProductCase of =
            plain_case(entry->name, &ring, t_flags((unsigned)t_below(&r, T_FLAGS_ALL)));
        of.seed = seed;
        of.c = o_type(t_types[t_below(&r, T_COUNT(t_types))]);
        of.a = o_type(t_types[t_below(&r, T_COUNT(t_types))]);
        of.b = o_type(t_types[t_below(&r, T_COUNT(t_types))]);
        of.mask = o_type(t_types[t_below(&r, T_COUNT(t_types))]);
        of.accum = t_some_accum(of.c.code, t_next(&r));
        of.wild = !t_is_float(entry->type);
        of.shape = (t_Shape){1 + t_below(&r, 20),
                             1 + t_below(&r, 20),
                             1 + t_below(&r, 20),
                             T_RANDOM,
                             T_RANDOM,
                             0.3,
                             0.3,
                             0.4};
        run(&of);
    }
}

GB_TEST(mxm_oracle, aliases) {
    for (size_t k = 0; k < T_COUNT(sample); k++) {
        const t_Ring *entry = sampled(k);
        const o_Ring ring = t_ring(entry);
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            for (int alias = T_C_IS_A; alias < T_ALIASES; alias++) {
                t_ProductCase of = plain_case(entry->name, &ring, t_flags(f));
                of.seed = 5000000 + 1000 * k + f;
                of.shape = (t_Shape){14, 14, 14, T_RANDOM, T_RANDOM, 0.25, 0.25, 0.3};
                of.a = of.b = of.c = of.mask = o_type(entry->type);
                of.alias = (t_Alias)alias;
                of.accum = t_some_accum(entry->type, f);
                choose_method(&of, k + f);
                run(&of);
            }
        }
    }
}

GB_TEST(mxm_oracle, iso_operands) {
    for (size_t k = 0; k < t_ring_count; k++) {
        const o_Ring ring = t_ring(&t_rings[k]);
        for (unsigned f = (unsigned)k % 5; f < T_FLAGS_ALL; f += 5) {
            t_ProductCase of = plain_case(t_rings[k].name, &ring, t_flags(f));
            of.seed = 8000000 + 1000 * k + f;
            of.iso = true;
            of.accum = t_some_accum(t_rings[k].type, k);
            run(&of);
        }
    }
}

/* ---------------------------------------------------------------------- the user's semirings -- */

GB_TEST(mxm_oracle, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        const t_User *user = &users[u];
        for (size_t s = 0; s < T_COUNT(shapes); s += 2) {
            for (unsigned f = (unsigned)s % 4; f < T_FLAGS_ALL; f += 4) {
                t_ProductCase of = plain_case(u == 0 ? "path" : "colour", &user->ring, t_flags(f));
                of.accum = user->minus;
                of.seed = 9000000 + 1000 * s + f;
                of.shape = shapes[s];
                /* a mask of a user type has no truth values: structural only */
                const bool structural =
                    of.flags.mask == T_STRUCTURAL || of.flags.mask == T_COMP_STRUCTURAL;
                if (structural) of.mask = user->type;
                choose_method(&of, s + f);
                run(&of);
            }
        }
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

static void saturating_add(void *z, const void *x, const void *y) {
    const int sum = *(const int16_t *)x + *(const int16_t *)y;
    *(int16_t *)z = (int16_t)(sum > 500 ? 500 : sum < -500 ? -500 : sum);
}

static void distance(void *z, const void *x, const void *y) {
    const double d = *(const double *)x - (double)*(const int8_t *)y;
    *(float *)z = (float)(d < 0 ? -d : d);
}

/* A monoid and a multiplication of the user over built-in types, with three types in one operator.
 */
GB_TEST(mxm_oracle, user_operators) {
    const o_Type fp32 = o_type(GBL_FP32_CODE), fp64 = o_type(GBL_FP64_CODE);
    const o_Type int8 = o_type(GBL_INT8_CODE);
    o_Binary mixed = {O_USER, fp32, fp64, int8, distance, NULL};
    OK(gbl_BinaryOp_new(&mixed.handle, distance, GBL_FP32, GBL_FP64, GBL_INT8));
    o_Ring ring = {{O_MIN, fp32, fp32, fp32, NULL, NULL}, mixed, NULL};
    OK(gbl_Semiring_new(&ring.handle, GBL_MIN_MONOID_FP32, mixed.handle));
    const o_Type int16 = o_type(GBL_INT16_CODE);
    o_Binary clamp = {O_USER, int16, int16, int16, saturating_add, NULL};
    OK(gbl_BinaryOp_new(&clamp.handle, saturating_add, GBL_INT16, GBL_INT16, GBL_INT16));
    for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
        t_ProductCase of = plain_case("min distance", &ring, t_flags(f));
        of.seed = 9500000 + f;
        of.c = int16;
        of.a = o_type(t_types[f % T_COUNT(t_types)]);
        of.b = o_type(t_types[(f / 3) % T_COUNT(t_types)]);
        of.accum = clamp;
        run(&of);
    }
    FREE(ring.handle, mixed.handle, clamp.handle);
}

/* Semirings that are not predefined, of built-in parts: all monoids with operators that fit. */
GB_TEST(mxm_oracle, built_semirings) {
    for (size_t m = 0; m < t_monoid_count; m++) {
        const o_Monoid monoid = t_monoid(&t_monoids[m]);
        for (size_t b = 0; b < t_binary_count; b++) {
            const o_Binary op = t_binary(&t_binaries[b]);
            const bool inexact =
                t_is_float(op.z.code) && (op.op == O_DIV || monoid.op.op == O_TIMES);
            if (op.z.code != monoid.op.z.code || inexact) continue;
            o_Ring ring = {monoid.op, op, NULL};
            OK(gbl_Semiring_new(&ring.handle, monoid.handle, op.handle));
            for (unsigned f = 0; f < T_FLAGS_ALL; f += 41) {
                t_ProductCase of =
                    plain_case("built", &ring, t_flags((unsigned)(f + m + b) % T_FLAGS_ALL));
                of.seed = 100 * (m * t_binary_count + b) + f;
                of.name = t_binaries[b].name;
                of.wild = !t_is_float(op.x.code) && !t_is_float(op.z.code);
                run(&of);
            }
            OK(gbl_Semiring_free(&ring.handle));
        }
    }
}
