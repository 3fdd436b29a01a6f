/* SPDX-License-Identifier: Apache-2.0
 *
 * Tiles of 16 x 16 from CSR or CSC and back, cell by cell: every invariant of gb_TileView, of tiles
 * of rows and of columns, for all shapes around the borders of tiles. Calls that work on tiles:
 * what they find, and that they convert nothing.
 */
#include "support/gb_test.h"
#include "support/product.h"

#include "core/arrays.h"
#include "kernel_api/backend.h"
#include "matrix/matrix.h"

#include <gblite_io.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/check.h"

static const gb_Format formats[] = {GB_CSR, GB_CSC};

/* ------------------------------------------------------------------------------ expectations -- */

static const o_Cell *cell_of(const o_Matrix *D, gb_Format format, uint64_t major, uint64_t minor) {
    return format == GB_CSR ? &D->x[major * D->ncols + minor] : &D->x[minor * D->ncols + major];
}

static void expect_cell(const o_Matrix *D, gb_Format format, const gb_TileView *T, uint64_t I,
                        gb_Off t, unsigned r, unsigned c, gb_Off *e) {
    const uint64_t major = I * GB_TILE + r, minor = (uint64_t)T->i[t] * GB_TILE + c;
    const bool has = T->mask[t * GB_TILE + r] >> c & 1u;
    if (major >= T->nmajor || minor >= T->nminor) {
        CHECK(!has);
        return;
    }
    const o_Cell *cell = cell_of(D, format, major, minor);
    CHECK_EQ(has, cell->has);
    if (!has) return;
    CHECK_EQ(T->rc[*e], r << 4 | c);
    const char *x = (const char *)T->x + (T->iso ? 0 : *e * T->xsize);
    CHECK(memcmp(x, &cell->v, T->xsize) == 0);
    (*e)++;
}

/* T holds exactly the entries of D, and no empty tile. */
static void expect_tiles(const o_Matrix *D, gb_Format format, const gb_TileView *T) {
    const uint64_t rows = gb_tile_count(T->nmajor);
    gb_Off e = 0;
    CHECK_EQ(T->nmajor, format == GB_CSR ? D->nrows : D->ncols);
    CHECK_EQ(T->nminor, format == GB_CSR ? D->ncols : D->nrows);
    CHECK_EQ(T->nvals, o_count(D));
    CHECK_EQ(T->xsize, D->type.size);
    CHECK_EQ(T->p[0], 0);
    CHECK_EQ(T->nnz[0], 0);
    CHECK_EQ(T->p[rows], T->ntiles);
    CHECK_EQ(T->nnz[T->ntiles], T->nvals);
    for (uint64_t I = 0; I < rows; I++) {
        CHECK(T->p[I] <= T->p[I + 1]);
        for (gb_Off t = T->p[I]; t < T->p[I + 1]; t++) {
            CHECK(t == T->p[I] || T->i[t - 1] < T->i[t]);
            CHECK(T->nnz[t] < T->nnz[t + 1]);
            for (unsigned r = 0; r < GB_TILE; r++) {
                CHECK_EQ(T->row[t * GB_TILE + r], e - T->nnz[t]);
                for (unsigned c = 0; c < GB_TILE; c++) expect_cell(D, format, T, I, t, r, c, &e);
            }
            CHECK_EQ(e, T->nnz[t + 1]);
        }
    }
    CHECK_EQ(e, T->nvals); /* no entry of D is in no tile */
}

static void expect_lists(const o_Matrix *D, gb_Format format, const gb_CsView *view) {
    uint64_t n = 0;
    CHECK_EQ(view->nvals, o_count(D));
    for (uint64_t k = 0; k < view->nmajor; k++) {
        CHECK_EQ(view->p[k], n);
        for (uint64_t j = 0; j < view->nminor; j++) {
            const o_Cell *cell = cell_of(D, format, k, j);
            if (!cell->has) continue;
            CHECK(n < view->nvals && view->i[n] == j);
            const char *x = (const char *)view->x + (view->iso ? 0 : n * view->xsize);
            CHECK(memcmp(x, &cell->v, view->xsize) == 0);
            n++;
        }
    }
    CHECK_EQ(n, view->nvals);
}

/* A becomes tiles, the lists go, and come back from the tiles alone. */
static void there_and_back(const o_Matrix *D, gbl_Matrix A) {
    for (int f = 0; f < 2; f++) {
        gb_TileView tiles, again;
        gb_CsView view;
        OK(gb_acquire_tiles(&A->m, formats[f], &tiles));
        OK(gb_matrix_check(&A->m));
        expect_tiles(D, formats[f], &tiles);
        OK(gb_acquire_tiles(&A->m, formats[f], &again));
        CHECK(again.p == tiles.p && again.x == tiles.x);
        if (o_count(D) > 0) gb_matrix_keep_only(&A->m, gb_tiles_bit(formats[f]));
        OK(gb_matrix_check(&A->m));
        for (int g = 0; g < 2; g++) {
            OK(gb_acquire_sorted(&A->m, formats[f == g], &view));
            expect_lists(D, formats[f == g], &view);
            OK(gb_matrix_check(&A->m));
        }
    }
    t_expect("A", D, A, 0);
}

/* ------------------------------------------------------------------------------ all contents -- */

static void run(const o_Matrix *D) {
    gbl_Matrix A = t_matrix(D);
    there_and_back(D, A);
    OK(gbl_Matrix_free(&A));
}

/* Drops what is in every second row of tiles, or every second column of tiles. */
static void thin(o_Matrix *D, bool rows) {
    for (gbl_Index p = 0; p < D->nrows * D->ncols; p++) {
        const gbl_Index k = rows ? p / D->ncols : p % D->ncols;
        if (k / GB_TILE % 2 == 0) D->x[p].has = false;
    }
}

GB_TEST(tiles, all_shapes) {
    static const gbl_Index sides[] = {0, 1, 15, 16, 17, 33, 100};
    static const double densities[] = {0.02, 0.3, 0.9};
    t_User path = t_user_path();
    const o_Type types[] = {o_type(GBL_BOOL_CODE), o_type(GBL_INT16_CODE), o_type(GBL_FP32_CODE),
                            o_type(GBL_FP64_CODE), path.type};
    t_Random r = t_random(16);
    unsigned n = 0;
    for (size_t a = 0; a < T_COUNT(sides); a++)
        for (size_t b = 0; b < T_COUNT(sides); b++)
            for (int pattern = 0; pattern < T_PATTERNS; pattern++, n++) {
                const t_Content content = {types[n % T_COUNT(types)],
                                           sides[a],
                                           sides[b],
                                           (t_Pattern)pattern,
                                           densities[n / 3 % T_COUNT(densities)],
                                           true,
                                           n % 7 == 0};
                o_Matrix D = t_generate(&r, &content);
                if (n % 3 != 0) thin(&D, n % 3 == 1);
                t_case("case %u: %llu x %llu, %s %g, type %d", n, (unsigned long long)D.nrows,
                       (unsigned long long)D.ncols, t_pattern_names[pattern], content.density,
                       (int)content.type.code);
                run(&D);
                o_free(&D);
            }
    t_user_free(&path);
}

/* Tile number k has k + 1 entries; as a row of tiles, and as a column. */
GB_TEST(tiles, every_fill) {
    enum { LONG = GB_TILE * GB_TILE_CELLS };
    t_Random r = t_random(256);
    for (int wide = 0; wide < 2; wide++) {
        o_Matrix D = o_new(o_type(GBL_INT64_CODE), wide ? GB_TILE : LONG, wide ? LONG : GB_TILE);
        for (gbl_Index k = 0; k < GB_TILE_CELLS; k++) {
            for (gbl_Index n = 0; n <= k;) {
                const gbl_Index i = t_below(&r, GB_TILE), j = t_below(&r, GB_TILE);
                o_Cell *cell =
                    wide ? &D.x[i * LONG + k * GB_TILE + j] : &D.x[(k * GB_TILE + i) * GB_TILE + j];
                n += !cell->has;
                cell->has = true;
                cell->v = t_wild(&r, D.type);
            }
        }
        t_case("wide %d", wide);
        run(&D);
        o_free(&D);
    }
}

GB_TEST(tiles, one_value_for_all) {
    t_Random r = t_random(77);
    for (gbl_Index side = 1; side < 40; side += 6) {
        o_Matrix D = t_generate(
            &r, &(t_Content){o_type(GBL_INT32_CODE), side, 50 - side, T_RANDOM, 0.3, false, true});
        gbl_Matrix source = t_matrix(&D), A = NULL;
        gbl_Index I[1000], J[1000], n = T_COUNT(I);
        const o_Value x = {.i32 = -7};
        gbl_Scalar s = t_scalar(D.type, &x);
        for (gbl_Index p = 0; p < D.nrows * D.ncols; p++) D.x[p].v = x;
        OK(gbl_Matrix_extractTuples_INT32(I, J, NULL, &n, source));
        OK(gbl_Matrix_new(&A, GBL_INT32, D.nrows, D.ncols));
        OK(gbl_Matrix_build_Scalar(A, I, J, s, n));
        t_case("side %llu", (unsigned long long)side);
        there_and_back(&D, A);
        gb_TileView tiles;
        OK(gb_acquire_tiles(&A->m, GB_CSR, &tiles));
        CHECK_EQ(tiles.iso, n > 0);
        FREE(s, source, A, D);
    }
}

/* Rows and columns that come in falling order. */
GB_TEST(tiles, unsorted_lists) {
    t_Random r = t_random(4);
    o_Matrix D = t_generate(
        &r, &(t_Content){o_type(GBL_FP64_CODE), 37, 53, T_EMPTY_ROWS, 0.6, false, false});
    gbl_Index p[60], i[37 * 53];
    double x[37 * 53];
    for (int f = 0; f < 2; f++) {
        const gbl_Index nmajor = f == 0 ? 37 : 53, nminor = f == 0 ? 53 : 37;
        gbl_Index n = 0;
        for (gbl_Index k = 0; k < nmajor; k++) {
            p[k] = n;
            for (gbl_Index j = nminor; j-- > 0;) {
                const o_Cell *cell = cell_of(&D, formats[f], k, j);
                if (!cell->has) continue;
                i[n] = j;
                x[n++] = cell->v.f64;
            }
        }
        p[nmajor] = n;
        gbl_Matrix A = NULL;
        gbl_Formats facts;
        OK(gbl_Matrix_import_FP64(&A, GBL_FP64, 37, 53, p, i, x, nmajor + 1, n, n,
                                  f == 0 ? GBL_CSR_FORMAT : GBL_CSC_FORMAT));
        OK(gbl_Matrix_formats(&facts, A));
        CHECK(!facts.sorted); /* else there is nothing to test */
        t_case("format %d", f);
        there_and_back(&D, A);
        OK(gbl_Matrix_free(&A));
    }
    o_free(&D);
}

/* Updates that wait are in the tiles, and tiles of before are not. */
GB_TEST(tiles, pending_updates) {
    t_Random r = t_random(5);
    o_Matrix D =
        t_generate(&r, &(t_Content){o_type(GBL_INT64_CODE), 40, 35, T_RANDOM, 0.2, false, false});
    gbl_Matrix A = t_matrix(&D);
    for (int round = 0; round < 30; round++) {
        for (int k = 0; k < 9; k++) {
            const gbl_Index i = t_below(&r, 40), j = t_below(&r, 35);
            o_Cell *cell = &D.x[i * 35 + j];
            cell->has = t_chance(&r, 0.6);
            cell->v = t_value(&r, D.type);
            OK(cell->has ? t_set_matrix(A, D.type, &cell->v, i, j)
                         : gbl_Matrix_removeElement(A, i, j));
        }
        t_case("round %d", round);
        if (round % 3 == 2) {
            there_and_back(&D, A);
            continue;
        }
        gb_TileView tiles;
        OK(gb_acquire_tiles(&A->m, formats[round % 2], &tiles));
        expect_tiles(&D, formats[round % 2], &tiles);
        if (round % 3 == 1) gb_matrix_keep_only(&A->m, gb_tiles_bit(formats[round % 2]));
    }
    FREE(A, D);
}

/* ----------------------------------------------------------------------------------- threads -- */

static void expect_same_tiles(const gb_Tiles *a, const gb_Tiles *b, size_t xsize) {
    CHECK_EQ(a->ntiles, b->ntiles);
    CHECK_EQ(a->nvals, b->nvals);
    CHECK(memcmp(a->p, b->p, (gb_tile_count(a->nmajor) + 1) * sizeof *a->p) == 0);
    CHECK(memcmp(a->i, b->i, a->ntiles * sizeof *a->i) == 0);
    CHECK(memcmp(a->nnz, b->nnz, (a->ntiles + 1) * sizeof *a->nnz) == 0);
    CHECK(memcmp(a->row, b->row, a->ntiles * GB_TILE) == 0);
    CHECK(memcmp(a->mask, b->mask, a->ntiles * GB_TILE * sizeof *a->mask) == 0);
    CHECK(memcmp(a->rc, b->rc, a->nvals) == 0);
    CHECK(memcmp(a->x, b->x, a->nvals * xsize) == 0);
}

/* Large enough for several threads; the lists that come back are those that went in. */
GB_TEST(tiles, any_number_of_threads) {
    static const char *const specs[] = {"rmat:12:12", "fem:8:3", "er:13:5"};
    for (size_t s = 0; s < T_COUNT(specs); s++) {
        gbl_Matrix A = NULL;
        gb_CsView view;
        gb_Tiles one, many;
        OK(gbl_generate(&A, GBL_FP64, specs[s]));
        OK(gb_acquire_sorted(&A->m, GB_CSR, &view));
        OK(gb_backend()->tiles_from_cs(&view, &one, 1));
        for (int threads = 1; threads <= 4; threads++) {
            t_case("%s, %d threads", specs[s], threads);
            gb_Cs back;
            OK(gb_backend()->tiles_from_cs(&view, &many, threads));
            expect_same_tiles(&one, &many, view.xsize);
            const gb_TileView tiles = gb_tiles_view(&many, view.xsize);
            OK(gb_backend()->cs_from_tiles(&tiles, &back, threads));
            CHECK_EQ(back.nvals, view.nvals);
            CHECK(back.sorted);
            CHECK(memcmp(back.p, view.p, (view.nmajor + 1) * sizeof *view.p) == 0);
            CHECK(memcmp(back.i, view.i, view.nvals * sizeof *view.i) == 0);
            CHECK(memcmp(back.x, view.x, view.nvals * view.xsize) == 0);
            gb_cs_free(&back);
            gb_tiles_free(&many);
        }
        gb_tiles_free(&one);
        OK(gbl_Matrix_free(&A));
    }
}

/* Only the pattern: no values are asked for, none are made. */
GB_TEST(tiles, without_values) {
    gbl_Matrix A = NULL;
    gb_CsView view;
    gb_Tiles tiles;
    gb_Cs back;
    OK(gbl_generate(&A, GBL_FP64, "er:8:5"));
    OK(gb_acquire_sorted(&A->m, GB_CSR, &view));
    view.x = NULL;
    OK(gb_backend()->tiles_from_cs(&view, &tiles, 2));
    CHECK(tiles.x == NULL && tiles.xcap == 0);
    const gb_TileView from = gb_tiles_view(&tiles, view.xsize);
    OK(gb_backend()->cs_from_tiles(&from, &back, 2));
    CHECK(back.x == NULL);
    CHECK(memcmp(back.p, view.p, (view.nmajor + 1) * sizeof *view.p) == 0);
    CHECK(memcmp(back.i, view.i, view.nvals * sizeof *view.i) == 0);
    gb_cs_free(&back);
    gb_tiles_free(&tiles);
    OK(gbl_Matrix_free(&A));
}

/* ------------------------------------------------------------------------------------ calls -- */

enum { SIDE = 50 };

static gbl_Matrix random_matrix(uint64_t seed, double density) {
    return t_seeded_matrix(seed, GBL_INT64_CODE, SIDE, SIDE, density);
}

/* A * A inside the pattern of A, which leaves tiles without entries; TILED leaves it as tiles. */
static gbl_Matrix square(gbl_Matrix A, gbl_Desc_Value method) {
    const t_Flags flags = {.mask = T_STRUCTURAL, .method = method};
    return t_mxm(GBL_PLUS_TIMES_SEMIRING_INT64, GBL_INT64, A, A, A, &flags);
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
    const uint64_t empty = empty_tiles(C), bytes = t_formats(C).bytes;
    CHECK(empty > 0); /* else there is nothing to test */
    OK(gbl_Matrix_wait(C, GBL_COMPLETE));
    CHECK_EQ(empty_tiles(C), empty);
    for (int n = 0; n < 2; n++) { /* the second time there is nothing to do */
        OK(gbl_Matrix_wait(C, GBL_MATERIALIZE));
        OK(gb_matrix_check(&C->m));
        CHECK_EQ(empty_tiles(C), 0);
        CHECK_EQ(C->m.tiles[GB_CSR].ntiles, before.ntiles - empty);
        CHECK_EQ(t_formats(C).present, GBL_HAS_TILE16);
        CHECK_EQ(t_formats(C).conversions, 1);
        CHECK(t_formats(C).bytes < bytes);
    }
    expect_old_view(&before, R);
    o_Matrix expected = t_dense(R);
    t_expect("C", &expected, C, 0);
    FREE(expected, A, C, R);
    CHECK_EQ(t_blocks(), 0);
}

/* Whichever allocation fails, the tiles stay as they were or are as they should be. */
Test(tiles_calls, wait_without_memory, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        gbl_Matrix A = random_matrix(1, 0.03), C = square(A, GBL_METHOD_TILED);
        const uint64_t empty = empty_tiles(C);
        t_case("allocation %lld fails", (long long)n);
        const gbl_Info info = FAIL_AT(n, gbl_Matrix_wait(C, GBL_MATERIALIZE), &failed);
        CHECK_EQ(info, failed ? GBL_OUT_OF_MEMORY : GBL_SUCCESS);
        CHECK(n > 1 || failed);
        CHECK_EQ(empty_tiles(C), failed ? empty : 0);
        OK(gb_matrix_check(&C->m));
        FREE(A, C);
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
            const uint64_t before = t_formats(C).conversions;
            double x = 0, y = 1;
            t_case("monoid %zu, tiles of %s", k, columns ? "columns" : "rows");
            OK(gbl_Matrix_reduce_FP64(&x, NULL, cases[k].monoid, C, NULL));
            OK(gbl_Matrix_reduce_FP64(&y, NULL, cases[k].monoid, R, NULL));
            CHECK(x == y);
            CHECK_EQ(t_formats(C).conversions > before, cases[k].converts);
        }
    }
    FREE(A, C, R);
}

/* ------------------------------------------------------------------------------------- count -- */

static void expect_facts(gbl_Matrix A, uint64_t tiles, const gbl_TileFacts *like) {
    const gbl_Formats before = t_formats(A);
    gbl_TileFacts facts;
    const gbl_Index nvals = t_nvals(A);
    OK(gbl_Matrix_tiles(&facts, A));
    CHECK_EQ(facts.tiles, tiles);
    CHECK(facts.fill == (double)nvals / (double)tiles);
    CHECK_EQ(facts.bytes, like->bytes);
    CHECK_EQ(facts.bytes_rows, like->bytes_rows);
    CHECK_EQ(t_formats(A).present, before.present);
    CHECK_EQ(t_formats(A).conversions, before.conversions);
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
        like.bytes_rows = t_formats(A).bytes;
        OK(gb_acquire_tiles(&A->m, GB_CSR, &tiles));
        gb_matrix_keep_only(&A->m, GBL_HAS_TILE16);
        like.bytes = t_formats(A).bytes;
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
        FREE(A, C);
    }
}

GB_TEST(tiles_calls, tiles_of_nothing) {
    gbl_TileFacts facts = {.tiles = 7};
    gbl_Matrix A = t_new_matrix(GBL_FP64, T_COMPACT_MAX, T_COMPACT_MAX);
    OK(gbl_Matrix_tiles(&facts, A));
    CHECK(facts.tiles == 0 && facts.fill == 0.0);
    CHECK_EQ(t_formats(A).present, 0);
    FAILS(GBL_NULL_POINTER, gbl_Matrix_tiles(NULL, A));
    OK(gbl_Matrix_free(&A));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_tiles(&facts, A));
}
