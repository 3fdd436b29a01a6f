/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "sweep": from which fill of the tiles on the tiled product is the faster one. The matrices
 * have the same number of entries, in tiles of the same fill at random places: 16 tiles in a row of
 * tiles. An operand is SEMIRING:ENTRIES.
 */
#include "tiled/tiled.h"
#include "harness/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 16, CELLS = 256, TILES_A_ROW = 16, LEAST_ROWS = 8 };
static const int FILLS[] = {1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 160, 192, 224, 256};
enum { FILL_COUNT = sizeof FILLS / sizeof *FILLS };

/* Entries of rows x rows tiles to I, J; returns how many. `columns` has the numbers below rows. */
static uint64_t place_entries(gbl_Index *I, gbl_Index *J, uint32_t *columns, uint64_t rows,
                              int fill) {
    uint32_t cells[CELLS];
    uint64_t n = 0, state = (uint64_t)fill;
    const uint64_t tiles = rows < TILES_A_ROW ? rows : TILES_A_ROW;
    for (uint32_t c = 0; c < CELLS; c++) cells[c] = c;
    for (uint64_t R = 0; R < rows; R++) {
        bench_shuffle(columns, rows, tiles, &state);
        for (uint64_t t = 0; t < tiles; t++) {
            bench_shuffle(cells, CELLS, (uint64_t)fill, &state);
            for (int k = 0; k < fill; k++, n++) {
                I[n] = R * TILE + cells[k] / TILE;
                J[n] = (gbl_Index)columns[t] * TILE + cells[k] % TILE;
            }
        }
    }
    return n;
}

static gbl_Info make_tiles(gbl_Matrix *A, uint64_t entries, int fill) {
    uint64_t rows = entries / (uint64_t)(TILES_A_ROW * fill);
    if (rows < LEAST_ROWS) rows = LEAST_ROWS;
    const uint64_t most = rows * TILES_A_ROW * (uint64_t)fill;
    gbl_Index *I = malloc(most * sizeof *I), *J = malloc(most * sizeof *J);
    uint32_t *columns = malloc(rows * sizeof *columns);
    gbl_Info info = GBL_SUCCESS;
    if (I == NULL || J == NULL || columns == NULL)
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for %llu entries",
                        (unsigned long long)most);
    if (info == GBL_SUCCESS) {
        for (uint64_t c = 0; c < rows; c++) columns[c] = (uint32_t)c;
        info = bench_build(A, rows * TILE, I, J, place_entries(I, J, columns, rows, fill));
    }
    free(I);
    free(J);
    free(columns);
    return info;
}

/* The random values of A, cast: half of the booleans are true. */
static gbl_Info cast(gbl_Matrix *X, gbl_Matrix A, gbl_Type type) {
    gbl_Index n = 0;
    if (type == GBL_FP64) return gbl_Matrix_dup(X, A);
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(X, type, n, n);
    if (info != GBL_SUCCESS) return info;
    if (type == GBL_BOOL)
        return gbl_Matrix_apply_BinaryOp2nd_FP64(*X, NULL, NULL, GBL_GT_FP64, A, 0.5, NULL);
    return gbl_Matrix_apply_BinaryOp2nd_FP64(*X, NULL, NULL, GBL_TIMES_FP64, A, 1000.0, NULL);
}

/* A point of the curve: the products of one fill. */
static int measure(cJSON *point, const bench_product *product, uint64_t entries, int fill,
                   const bench_setup *setup) {
    int status = -1;
    gbl_Matrix A = NULL, X = NULL;
    bench_product products[] = {*product, *product, *product};
    gbl_Info info = make_tiles(&A, entries, fill);
    if (info == GBL_SUCCESS) info = cast(&X, A, product->type);
    gbl_Matrix_free(&A);
    if (bench_failed(info, "make tiles")) goto done;
    const bench_way ways[] = {TILED_ROWWISE, TILED_AS_TILES, TILED_BY_ROWS};
    for (int k = 0; k < 3; k++) {
        products[k].way = ways[k];
        products[k].A = products[k].B = X;
    }
    if (bench_failed(tiled_describe(point, "", X), "describe")) goto done;
    status = bench_race(point, products, 3, setup);
done:
    for (int k = 0; k < 3; k++) bench_drop(&products[k]);
    gbl_Matrix_free(&X);
    return status;
}

int tiled_sweep(cJSON *object, const char *operand, const bench_setup *setup) {
    const struct {
        const char *name;
        gbl_Semiring ring;
        gbl_Type type;
    } RINGS[] = {{"plus_times", GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64},
                 {"min_plus", GBL_MIN_PLUS_SEMIRING_FP64, GBL_FP64},
                 {"plus_pair", GBL_PLUS_PAIR_SEMIRING_INT64, GBL_INT64},
                 {"lor_land", GBL_LOR_LAND_SEMIRING_BOOL, GBL_BOOL}};
    char name[32];
    unsigned long long entries;
    size_t r = 0;
    if (sscanf(operand, "%31[^:]:%llu", name, &entries) == 2)
        while (r < sizeof RINGS / sizeof *RINGS && strcmp(name, RINGS[r].name) != 0) r++;
    else
        r = sizeof RINGS / sizeof *RINGS;
    if (r == sizeof RINGS / sizeof *RINGS || entries > 100000000) {
        fprintf(stderr,
                "tiled: '%s' must be plus_times, min_plus, plus_pair or lor_land, a colon, "
                "and a number of entries up to 100 million\n",
                operand);
        return -1;
    }
    cJSON_AddStringToObject(object, "name", name);
    cJSON *points = cJSON_AddArrayToObject(object, "points");
    const bench_product product = {.ring = RINGS[r].ring, .type = RINGS[r].type};
    for (int k = 0; k < FILL_COUNT; k++) {
        cJSON *point = cJSON_CreateObject();
        cJSON_AddItemToArray(points, point);
        if (measure(point, &product, entries, FILLS[k], setup) != 0) return -1;
    }
    return 0;
}
