/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that work on tiles as they are: what they find, and that they convert nothing.
 */
#include "support/gb_test.h"

#include <string.h>

#include "kernel_api/backend.h"
#include "matrix/check.h"
#include "matrix/matrix.h"

enum { SIDE = 50 };

static gbl_Matrix random_matrix(uint64_t seed, double density) {
    t_Random r = t_random(seed);
    const t_Content content = {o_type(GBL_INT64_CODE), SIDE, SIDE, T_RANDOM, density, false, false};
    o_Matrix D = t_generate(&r, &content);
    gbl_Matrix A = t_matrix(&D);
    o_free(&D);
    return A;
}

/* A * A inside the pattern of A, which leaves tiles without entries; TILED leaves it as tiles. */
static gbl_Matrix square(gbl_Matrix A, gbl_Desc_Value method) {
    const t_Flags flags = {.mask = T_STRUCTURAL, .method = method};
    gbl_Descriptor desc = t_descriptor(&flags);
    gbl_Matrix C = NULL;
    OK(gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE));
    OK(gbl_mxm(C, A, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, desc));
    OK(gbl_Descriptor_free(&desc));
    return C;
}

static gbl_Formats formats_of(gbl_Matrix A) {
    gbl_Formats formats;
    OK(gbl_Matrix_formats(&formats, A));
    return formats;
}

/* -------------------------------------------------------------------------------------- wait -- */

static uint64_t empty_tiles(gbl_Matrix C) {
    gb_TileView tiles;
    uint64_t n = 0;
    OK(gb_acquire_tiles(&C->m, GB_CSR, &tiles));
    for (uint64_t t = 0; t < tiles.ntiles; t++) n += tiles.nnz[t] == tiles.nnz[t + 1];
    return n;
}

/* The view of a reader from before the tiles were dropped still shows the rows of R. */
static void expect_old_view(const gb_TileView *before, gbl_Matrix R) {
    gb_CsView rows;
    gb_Cs old;
    OK(gb_acquire(&R->m, GB_CSR, &rows));
    OK(gb_backend()->cs_from_tiles(before, &old, 1));
    CHECK_EQ(old.nvals, rows.nvals);
    CHECK(memcmp(old.p, rows.p, (SIDE + 1) * sizeof *old.p) == 0);
    CHECK(memcmp(old.i, rows.i, rows.nvals * sizeof *old.i) == 0);
    CHECK(memcmp(old.x, rows.x, rows.nvals * sizeof(int64_t)) == 0);
    gb_cs_free(&old);
}

GB_TEST(tiles_calls, wait_drops_empty_tiles) {
    gbl_Matrix A = random_matrix(1, 0.03), C = square(A, GBL_METHOD_TILED);
    gbl_Matrix R = square(A, GBL_METHOD_ROWWISE);
    gb_TileView before;
    OK(gb_acquire_tiles(&C->m, GB_CSR, &before));
    const uint64_t empty = empty_tiles(C), bytes = formats_of(C).bytes;
    CHECK(empty > 0); /* else there is nothing to test */
    OK(gbl_Matrix_wait(C, GBL_COMPLETE));
    CHECK_EQ(empty_tiles(C), empty);
    for (int n = 0; n < 2; n++) { /* the second time there is nothing to do */
        OK(gbl_Matrix_wait(C, GBL_MATERIALIZE));
        OK(gb_matrix_check(&C->m));
        CHECK_EQ(empty_tiles(C), 0);
        CHECK_EQ(C->m.tiles[GB_CSR].ntiles, before.ntiles - empty);
        CHECK_EQ(formats_of(C).present, GBL_HAS_TILE16);
        CHECK_EQ(formats_of(C).conversions, 1);
        CHECK(formats_of(C).bytes < bytes);
    }
    expect_old_view(&before, R);
    o_Matrix expected = t_dense(R);
    t_expect("C", &expected, C, 0);
    o_free(&expected);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&R));
    CHECK_EQ(t_blocks(), 0);
}

/* Whichever allocation fails, the tiles stay as they were or are as they should be. */
Test(tiles_calls, wait_without_memory, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        gbl_Matrix A = random_matrix(1, 0.03), C = square(A, GBL_METHOD_TILED);
        const uint64_t empty = empty_tiles(C);
        t_case("allocation %lld fails", (long long)n);
        t_fail_at(n);
        const gbl_Info info = gbl_Matrix_wait(C, GBL_MATERIALIZE);
        failed = t_failed();
        t_fail_at(0);
        CHECK_EQ(info, failed ? GBL_OUT_OF_MEMORY : GBL_SUCCESS);
        CHECK(n > 1 || failed);
        CHECK_EQ(empty_tiles(C), failed ? empty : 0);
        OK(gb_matrix_check(&C->m));
        OK(gbl_Matrix_free(&A));
        OK(gbl_Matrix_free(&C));
        CHECK_EQ(t_live(), 0);
    }
}

/* ------------------------------------------------------------------------------------ reduce -- */

/* The order of the values cannot be seen in sums of integers, so the tiles stay alone; it can in
 * sums of floats, which are folded by rows whatever the matrix is held as. */
GB_TEST(tiles_calls, reduce_takes_tiles_as_they_are) {
    gbl_Matrix A = random_matrix(5, 0.1), C = square(A, GBL_METHOD_TILED);
    gbl_Matrix R = square(A, GBL_METHOD_ROWWISE);
    const struct {
        gbl_Monoid monoid;
        bool converts;
    } cases[] = {
        {GBL_PLUS_MONOID_INT64, false}, {GBL_MIN_MONOID_INT64, false}, {GBL_MAX_MONOID_FP64, false},
        {GBL_LXOR_MONOID_BOOL, false},  {GBL_PLUS_MONOID_FP64, true},
    };
    gb_TileView tiles;
    for (int columns = 0; columns < 2; columns++) {
        if (columns) OK(gb_acquire_tiles(&C->m, GB_CSC, &tiles));
        for (size_t k = 0; k < T_COUNT(cases); k++) {
            gb_matrix_keep_only(&C->m, gb_tiles_bit(columns ? GB_CSC : GB_CSR));
            const uint64_t before = formats_of(C).conversions;
            double x = 0, y = 1;
            t_case("monoid %zu, tiles of %s", k, columns ? "columns" : "rows");
            OK(gbl_Matrix_reduce_FP64(&x, NULL, cases[k].monoid, C, NULL));
            OK(gbl_Matrix_reduce_FP64(&y, NULL, cases[k].monoid, R, NULL));
            CHECK(x == y);
            CHECK_EQ(formats_of(C).conversions > before, cases[k].converts);
        }
    }
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&R));
}

/* ------------------------------------------------------------------------------------- count -- */

static void expect_facts(gbl_Matrix A, uint64_t tiles, const gbl_TileFacts *like) {
    const gbl_Formats before = formats_of(A);
    gbl_TileFacts facts;
    gbl_Index nvals = 0;
    OK(gbl_Matrix_nvals(&nvals, A));
    OK(gbl_Matrix_tiles(&facts, A));
    CHECK_EQ(facts.tiles, tiles);
    CHECK(facts.fill == (double)nvals / (double)tiles);
    CHECK_EQ(facts.bytes, like->bytes);
    CHECK_EQ(facts.bytes_rows, like->bytes_rows);
    CHECK_EQ(formats_of(A).present, before.present);
    CHECK_EQ(formats_of(A).conversions, before.conversions);
}

/* The same count whatever the matrix is held as: what the representations really take. */
GB_TEST(tiles_calls, tiles_are_counted) {
    for (uint64_t seed = 0; seed < 40; seed++) {
        gbl_Matrix A = random_matrix(seed, 0.002 * (double)(seed + 1)), C = NULL;
        gb_TileView tiles;
        gb_CsView rows;
        gbl_TileFacts like = {0};
        t_case("seed %llu", (unsigned long long)seed);
        OK(gb_acquire_tiles(&A->m, GB_CSR, &tiles));
        const uint64_t n = tiles.ntiles;
        gb_matrix_keep_only(&A->m, GBL_HAS_CSR);
        like.bytes_rows = formats_of(A).bytes;
        OK(gb_acquire_tiles(&A->m, GB_CSR, &tiles));
        gb_matrix_keep_only(&A->m, GBL_HAS_TILE16);
        like.bytes = formats_of(A).bytes;
        expect_facts(A, n, &like);
        OK(gb_acquire(&A->m, GB_CSR, &rows));
        gb_matrix_keep_only(&A->m, GBL_HAS_CSR);
        expect_facts(A, n, &like);
        OK(gb_acquire(&A->m, GB_CSC, &rows));
        gb_matrix_keep_only(&A->m, GBL_HAS_CSC);
        expect_facts(A, n, &like);
        OK(gb_acquire_tiles(&A->m, GB_CSC, &tiles));
        gb_matrix_keep_only(&A->m, gb_tiles_bit(GB_CSC));
        expect_facts(A, n, &like);
        C = square(A, GBL_METHOD_TILED); /* may have empty tiles, which do not count */
        gbl_TileFacts facts, again;
        OK(gbl_Matrix_tiles(&facts, C));
        OK(gbl_Matrix_wait(C, GBL_MATERIALIZE));
        OK(gbl_Matrix_tiles(&again, C));
        CHECK(facts.tiles == again.tiles && facts.bytes == again.bytes);
        OK(gbl_Matrix_free(&A));
        OK(gbl_Matrix_free(&C));
    }
}

GB_TEST(tiles_calls, tiles_of_nothing) {
    gbl_Matrix A = NULL;
    gbl_TileFacts facts = {.tiles = 7};
    OK(gbl_Matrix_new(&A, GBL_FP64, T_COMPACT_MAX, T_COMPACT_MAX));
    OK(gbl_Matrix_tiles(&facts, A));
    CHECK(facts.tiles == 0 && facts.fill == 0.0);
    CHECK_EQ(formats_of(A).present, 0);
    FAILS(GBL_NULL_POINTER, gbl_Matrix_tiles(NULL, A));
    OK(gbl_Matrix_free(&A));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_tiles(&facts, A));
}
