/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/tiled: its parts and ways, and what is said of a matrix in tiles.
 */
#include "tiled/tiled.h"

#include "peers/suitesparse.h"

const bench_way TILED_AS_TILES = {"tiles", GBL_METHOD_TILED, 0, GBL_HAS_TILE16, false};
const bench_way TILED_BY_ROWS = {"by_rows", GBL_METHOD_TILED, 0, GBL_HAS_CSR, false};
const bench_way TILED_COLD = {"cold", GBL_METHOD_TILED, 0, GBL_HAS_CSR, true};
const bench_way TILED_ROWWISE = {"rowwise", GBL_METHOD_ROWWISE, 0, GBL_HAS_CSR, false};

gbl_Info tiled_describe(cJSON *object, const char *operand, gbl_Matrix A) {
    char name[64];
    gbl_TileFacts facts = {0};
    gbl_Index nrows = 0, nvals = 0;
    gbl_Info info = gbl_Matrix_nrows(&nrows, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&nvals, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_tiles(&facts, A);
    if (info != GBL_SUCCESS) return info;
    bench_operand_name(name, sizeof name, operand);
    cJSON_AddStringToObject(object, "name", name);
    cJSON_AddNumberToObject(object, "rows", (double)nrows);
    cJSON_AddNumberToObject(object, "entries", (double)nvals);
    cJSON_AddNumberToObject(object, "tile_count", (double)facts.tiles);
    cJSON_AddNumberToObject(object, "fill", facts.fill);
    cJSON_AddNumberToObject(object, "tiles_bytes", (double)facts.bytes);
    cJSON_AddNumberToObject(object, "rows_bytes", (double)facts.bytes_rows);
    return GBL_SUCCESS;
}

int main(int argc, char **argv) {
    static const bench_part PARTS[] = {
        {"race", "mxm", tiled_race, NULL},
        {"steps", "mxm", tiled_steps, NULL},
        {"sweep", "sweep", tiled_sweep, NULL},
        {"memory", "mxm", tiled_memory, tiled_start_counted},
        {"growth", "growth", tiled_growth, tiled_start_counted},
        {"triangles", "triangles", tiled_triangles, NULL},
        {"galerkin", "galerkin", tiled_galerkin, NULL},
        {"cube", "cube", tiled_cube, NULL},
    };
    static const bench_program PROGRAM = {
        .about = "Measures the tiled product on generator specs like fem:12:6 or Matrix Market "
                 "files, checks every result, and prints JSON. Without a part named, all are "
                 "measured; inputs of sweep are SEMIRING:ENTRIES.",
        .suite = BENCH_FOLDER "/tiled/suite.txt",
        .parts = PARTS,
        .count = sizeof PARTS / sizeof *PARTS,
        .start_peer = peer_start,
        .stop_peer = peer_stop};
    return bench_measure_parts(argc, argv, &PROGRAM);
}
