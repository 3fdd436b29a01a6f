/* SPDX-License-Identifier: Apache-2.0
 *
 * Products by tiles: against the oracle for every semiring, mask and transpose over shapes that
 * cross the borders of tiles; against the row-wise product to the bit for floats that round, for
 * tiles of all fills, with NaN and infinities, whatever the number of threads.
 */
#include "support/sweeps.h"
#include "support/tuples.h"

#include <gblite_io.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------------ against the oracle -- */

static const t_Shape shapes[] = {
    {17, 33, 18, T_RANDOM, T_RANDOM, 0.2, 0.3, 0.4},
    {16, 16, 16, T_RANDOM, T_RANDOM, 0.9, 0.95, 0.3},
    {15, 32, 31, T_FULL, T_FULL, 1, 1, 0.5},
    {33, 17, 16, T_RANDOM, T_FULL, 0.5, 1, 0.2},
    {20, 16, 34, T_FULL_ROW, T_FULL_COLUMN, 0.1, 0.1, 0.3},
    {18, 47, 19, T_FULL_COLUMN, T_FULL_ROW, 0.05, 0.4, 0.3},
    {1, 48, 1, T_RANDOM, T_RANDOM, 0.7, 0.7, 1},
    {31, 1, 33, T_RANDOM, T_RANDOM, 0.6, 0.6, 0.3},
    {40, 35, 50, T_EMPTY_ROWS, T_RANDOM, 0.3, 0.1, 0.2},
    {49, 49, 49, T_DIAGONAL, T_RANDOM, 1, 0.3, 0.2},
    {34, 50, 33, T_ONE_ROW, T_EMPTY_ROWS, 1, 0.5, 0.2},
    {16, 33, 17, T_EMPTY, T_RANDOM, 1, 0.5, 0.5},
    {33, 0, 33, T_RANDOM, T_RANDOM, 1, 0.5, 0.5},
};

static t_ProductCase tiled_case(const char *name, const o_Ring *ring, size_t shape, unsigned f) {
    t_ProductCase of = t_mxm_case(name, ring, f);
    of.shape = shapes[shape % T_COUNT(shapes)];
    of.flags.method = GBL_METHOD_TILED;
    return of;
}

static void every_semiring(size_t first, size_t step) {
    for (size_t k = first; k < t_ring_count; k += step) {
        const o_Ring ring = t_ring(&t_rings[k]);
        for (unsigned n = 0; n < 5; n++) {
            const unsigned f = (unsigned)(29 * n + 7 * k) % T_FLAGS_ALL;
            t_ProductCase of = tiled_case(t_rings[k].name, &ring, 3 * k + n, f);
            of.seed = 10 * k + n;
            of.wild = !t_is_float(t_rings[k].type);
            of.iso = n == 3;
            t_product(&of);
        }
    }
}

GB_TEST(mxm_tiled, semirings_0) {
    every_semiring(0, 2);
}

GB_TEST(mxm_tiled, semirings_1) {
    every_semiring(1, 2);
}

/* Specialised kernels, generic ones and those by position; all masks, accumulators, transposes. */
GB_TEST(mxm_tiled, every_combination) {
    const t_Ring *const rings[] = {
        t_find_ring(O_PLUS, O_TIMES, GBL_FP64_CODE), t_find_ring(O_MIN, O_PLUS, GBL_INT16_CODE),
        t_find_ring(O_ANY, O_SECONDI, GBL_INT64_CODE), t_find_ring(O_LOR, O_LAND, GBL_BOOL_CODE)};
    t_sweep_flags(tiled_case, rings, T_COUNT(rings), 1);
}

/* Operands, output and mask of any type: tiles of a cast copy. */
GB_TEST(mxm_tiled, typecasts_and_aliases) {
    t_sweep_casts(tiled_case, 400, (t_Shape){21, 21, 21, T_RANDOM, T_RANDOM, 0.3, 0.2, 0.3});
}

GB_TEST(mxm_tiled, user_types) {
    t_sweep_user_types(tiled_case, 1);
}

/* ------------------------------------------------------------- against the row-wise product -- */

/* Values that round, with any exponent near 1, never zero. */
static void roughen(t_Random *r, o_Matrix *D) {
    for (gbl_Index p = 0; p < D->nrows * D->ncols; p++) {
        const double x = ((double)(t_next(r) >> 11) + 1) * 0x1p-53;
        const double y = ldexp(t_chance(r, 0.5) ? -x : x, (int)t_below(r, 12) - 6);
        if (D->type.code == GBL_FP32_CODE) D->x[p].v.f32 = (float)y;
        if (D->type.code == GBL_FP64_CODE) D->x[p].v.f64 = y;
    }
}

/* NaN, both infinities and the largest number, here and there. */
static void poison(t_Random *r, o_Matrix *D, double chance) {
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e300};
    for (gbl_Index p = 0; p < D->nrows * D->ncols; p++) {
        if (!t_chance(r, chance)) continue;
        const double x = bad[t_below(r, T_COUNT(bad))];
        if (D->type.code == GBL_FP32_CODE) D->x[p].v.f32 = (float)x;
        if (D->type.code == GBL_FP64_CODE) D->x[p].v.f64 = x;
    }
}

static o_Matrix multiply(const t_Ring *ring, gbl_Matrix A, gbl_Matrix B, gbl_Desc_Value method,
                         int32_t accumulator) {
    const t_Flags flags = {.method = method, .accumulators = accumulator};
    const o_Ring known = t_ring(ring);
    gbl_Matrix C = t_mxm(*ring->handle, known.add.z.handle, A, B, NULL, &flags);
    o_Matrix D = t_dense(C);
    OK(gbl_Matrix_free(&C));
    return D;
}

/* Cells start as 0, so a sum of -0 alone, of which parts of complex products are, is 0 here. */
static bool same_part(double x, double y) {
    return x == y || (isnan(x) && isnan(y));
}

static bool same_bits(o_Type type, const o_Value *x, const o_Value *y) {
    switch (type.code) {
    case GBL_FC32_CODE:
        return same_part(__real__ x->c32, __real__ y->c32) &&
               same_part(__imag__ x->c32, __imag__ y->c32);
    case GBL_FC64_CODE:
        return same_part(__real__ x->c64, __real__ y->c64) &&
               same_part(__imag__ x->c64, __imag__ y->c64);
    case GBL_FP32_CODE:
        if (isnan(x->f32) && isnan(y->f32)) return true;
        break;
    case GBL_FP64_CODE:
        if (isnan(x->f64) && isnan(y->f64)) return true;
        break;
    default:
        break;
    }
    return memcmp(x, y, type.size) == 0;
}

/* The same bits, but that one NaN is as good as another. */
static void expect_bits(const o_Matrix *expected, const o_Matrix *found) {
    for (gbl_Index p = 0; p < expected->nrows * expected->ncols; p++) {
        const o_Cell *e = &expected->x[p], *f = &found->x[p];
        if (!e->has && !f->has) continue;
        if (e->has && f->has && same_bits(expected->type, &e->v, &f->v)) continue;
        t_expect_dense("C", expected, found, 0); /* says which */
        cr_assert_fail("the bits of cell %llu differ\n  case: %s", (unsigned long long)p,
                       t_case_text());
    }
}

static const int32_t accumulators[] = {GBL_ACCUMULATE_HASH, GBL_ACCUMULATE_DENSE};

static void compare(const t_Ring *ring, const o_Matrix *dense_A, const o_Matrix *dense_B) {
    gbl_Matrix A = t_matrix(dense_A), B = t_matrix(dense_B);
    o_Matrix tiles = multiply(ring, A, B, GBL_METHOD_TILED, GBL_DEFAULT);
    for (size_t k = 0; k < T_COUNT(accumulators); k++) {
        o_Matrix rows = multiply(ring, A, B, GBL_METHOD_ROWWISE, accumulators[k]);
        expect_bits(&rows, &tiles);
        o_free(&rows);
    }
    FREE(tiles, A, B);
}

/* A side x side matrix with exactly `count` entries. */
static o_Matrix filled(t_Random *r, o_Type type, gbl_Index side, gbl_Index count) {
    o_Matrix D = o_new(type, side, side);
    for (gbl_Index n = 0; n < count;) {
        o_Cell *cell = &D.x[t_below(r, side * side)];
        n += !cell->has;
        cell->has = true;
        cell->v = t_value(r, type);
    }
    if (t_is_float(type.code)) roughen(r, &D);
    return D;
}

static const gbl_Index fills[] = {1, 2, 15, 16, 17, 23, 24, 25, 40, 63, 64, 65, 128, 255, 256};

static void every_fill(const t_Ring *ring, double bad) {
    const o_Ring known = t_ring(ring);
    for (size_t a = 0; a < T_COUNT(fills); a++)
        for (size_t b = 0; b < T_COUNT(fills); b++) {
            t_Random r = t_random(1000 * a + b);
            t_case("%s, tiles of %llu and %llu, bad %g", ring->name, (unsigned long long)fills[a],
                   (unsigned long long)fills[b], bad);
            o_Matrix A = filled(&r, known.multiply.x, 16, fills[a]);
            o_Matrix B = filled(&r, known.multiply.y, 16, fills[b]);
            poison(&r, &A, bad);
            poison(&r, &B, bad);
            compare(ring, &A, &B);
            FREE(A, B);
        }
}

GB_TEST(mxm_tiled, tiles_of_every_fill) {
    every_fill(t_find_ring(O_PLUS, O_TIMES, GBL_FP64_CODE), 0);
    every_fill(t_find_ring(O_PLUS, O_TIMES, GBL_FP32_CODE), 0);
    every_fill(t_find_ring(O_MIN, O_PLUS, GBL_INT64_CODE), 0);
    every_fill(t_find_ring(O_PLUS, O_ONEB, GBL_INT64_CODE), 0);
    every_fill(t_find_ring(O_LOR, O_LAND, GBL_BOOL_CODE), 0);
}

/* What is not there must not be multiplied: 0 times infinity would tell. */
GB_TEST(mxm_tiled, not_a_number_and_infinities) {
    every_fill(t_find_ring(O_PLUS, O_TIMES, GBL_FP64_CODE), 0.05);
    every_fill(t_find_ring(O_PLUS, O_TIMES, GBL_FP32_CODE), 0.3);
    every_fill(t_find_ring(O_MIN, O_PLUS, GBL_FP64_CODE), 0.3);
    every_fill(t_find_ring(O_MAX, O_PLUS, GBL_FP64_CODE), 0.9);
}

/* All semirings of real floats; ANY may take any product, so its values are the oracle's business,
 * and so are products of complex numbers, which are -0 now and then (sums of nothing but these). */
GB_TEST(mxm_tiled, floats_to_the_bit) {
    for (size_t k = 0; k < t_ring_count; k++) {
        const t_Ring *ring = &t_rings[k];
        if (!t_is_float(ring->type) || ring->type > GBL_FP64_CODE || ring->add == O_ANY) continue;
        const o_Ring known = t_ring(ring);
        for (uint64_t n = 0; n < 8; n++) {
            t_Random r = t_random(100 * k + n);
            const gbl_Index side = 17 + t_below(&r, 40);
            const double bad = n < 4 ? 0 : n < 6 ? 0.02 : 0.4;
            o_Matrix A = filled(&r, known.multiply.x, side, side * side * (n % 4 + 1) / 5);
            o_Matrix B = filled(&r, known.multiply.y, side, side * side * (5 - n % 3) / 6);
            poison(&r, &A, bad);
            poison(&r, &B, bad);
            t_case("%s, case %llu", ring->name, (unsigned long long)n);
            compare(ring, &A, &B);
            FREE(A, B);
        }
    }
}

/* ----------------------------------------------------------------------------------- threads -- */

static t_Tuples square(gbl_Matrix A, gbl_Desc_Value method, int32_t threads) {
    const t_Flags flags = {.method = method};
    OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
    gbl_Matrix C = t_mxm(GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64, A, A, NULL, &flags);
    t_Tuples t = t_tuples_of(C);
    OK(gbl_Matrix_free(&C));
    return t;
}

GB_TEST(mxm_tiled, any_number_of_threads) {
    static const char *const specs[] = {"rmat:9:8", "er:11:5", "fem:5:3", "band:900:30"};
    for (size_t s = 0; s < T_COUNT(specs); s++) {
        gbl_Matrix A = NULL;
        OK(gbl_generate(&A, GBL_FP64, specs[s]));
        t_Tuples rows = square(A, GBL_METHOD_ROWWISE, 1);
        CHECK(rows.n > 0);
        for (int32_t threads = 1; threads <= 3; threads++) {
            t_case("%s, %d threads", specs[s], (int)threads);
            t_Tuples tiles = square(A, GBL_METHOD_TILED, threads);
            t_same_tuples(&rows, &tiles, false);
            t_tuples_free(&tiles);
        }
        t_tuples_free(&rows);
        OK(gbl_Matrix_free(&A));
    }
}
