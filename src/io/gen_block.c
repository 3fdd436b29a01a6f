/* SPDX-License-Identifier: Apache-2.0
 *
 * Random matrices of a given shape, and random matrices of tiles of a given fill.
 */
#include "coo.h"
#include "gen.h"

enum { TILE = 16, CELL_BITS = 8 };

static gbl_Info alloc_slots(gb_Coo *coo, gb_Shape shape, unsigned __int128 slots) {
    if (slots > INT64_MAX) return gb_io_no_memory("the generated matrix");
    *coo = (gb_Coo){.nrows = shape.nrows, .ncols = shape.ncols, .n = (uint64_t)slots};
    return gb_coo_reserve(coo, coo->n, coo->n, "the generated matrix");
}

/* A random number below n. */
static uint32_t below(uint64_t random, uint64_t n) {
    return (uint32_t)((unsigned __int128)random * n >> 64);
}

typedef struct {
    const gb_Spec *spec;
    uint64_t key;
    gb_Coo coo;
} Making;

static void make_row(void *context, gbl_Index row) {
    const Making *const making = context;
    const gb_Spec *const spec = making->spec;
    const uint64_t first = row * spec->c;
    for (uint64_t k = first; k < first + spec->c; k++) {
        making->coo.i[k] = (uint32_t)row;
        making->coo.j[k] = below(gb_gen_mix(making->key + k * GB_GEN_STEP), spec->b);
    }
}

gbl_Info gb_gen_rect(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    Making making = {.spec = spec, .key = gb_gen_mix(spec->seed * GB_GEN_STEP + 1)};
    *shape = (gb_Shape){spec->a, spec->b};
    const gbl_Info info = alloc_slots(&making.coo, *shape, (unsigned __int128)spec->a * spec->c);
    if (info != GBL_SUCCESS) return info;
    gbl_parallel(spec->a, make_row, &making);
    return gb_coo_to_rows(&making.coo, GB_COO_DROP, arrays, NULL);
}

/* The columns of tiles are cut into T parts; each part has one tile, at a random place. */
static uint32_t tile_column(const gb_Spec *spec, uint64_t t, uint64_t random) {
    const uint64_t from = spec->a * t / spec->b, to = spec->a * (t + 1) / spec->b;
    return (uint32_t)from + below(random, to - from);
}

static void make_tile(void *context, gbl_Index tile) {
    const Making *const making = context;
    const gb_Spec *const spec = making->spec;
    const uint64_t fill = spec->c, random = gb_gen_mix(making->key + tile * GB_GEN_STEP);
    const uint32_t row = (uint32_t)(tile / spec->b) * TILE;
    const uint32_t column = tile_column(spec, tile % spec->b, random) * TILE;
    for (uint64_t k = 0; k < fill; k++) {
        const uint32_t cell = gb_gen_permute((uint32_t)k, CELL_BITS, random);
        making->coo.i[tile * fill + k] = row + cell / TILE;
        making->coo.j[tile * fill + k] = column + cell % TILE;
    }
}

gbl_Info gb_gen_tiles(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    if (spec->b > spec->a)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "tiles:%llu:%llu:F has %llu tiles in a row of tiles; T is at most N",
                        (unsigned long long)spec->a, (unsigned long long)spec->b,
                        (unsigned long long)spec->b);
    Making making = {.spec = spec, .key = gb_gen_mix(spec->seed * GB_GEN_STEP + 1)};
    *shape = (gb_Shape){spec->a * TILE, spec->a * TILE};
    const unsigned __int128 tiles = (unsigned __int128)spec->a * spec->b;
    const gbl_Info info = alloc_slots(&making.coo, *shape, tiles * spec->c);
    if (info != GBL_SUCCESS) return info;
    gbl_parallel((gbl_Index)tiles, make_tile, &making);
    return gb_coo_to_rows(&making.coo, GB_COO_DROP, arrays, NULL);
}
