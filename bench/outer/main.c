/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/outer: its parts and ways, and what is said of an input and of a product.
 */
#include "outer/outer.h"

#include "peers/suitesparse.h"

const bench_way OUTER_WARM = {"outer", GBL_METHOD_OUTER, 0, GBL_HAS_CSR, false};
const bench_way OUTER_COLD = {"cold", GBL_METHOD_OUTER, 0, GBL_HAS_CSR, true};
const bench_way OUTER_ROWWISE = {"rowwise", GBL_METHOD_ROWWISE, 0, GBL_HAS_CSR, false};
const bench_way OUTER_AUTO = {"auto", GBL_DEFAULT, 0, GBL_HAS_CSR, false};
const bench_way OUTER_AUTO_COLD = {"auto_cold", GBL_DEFAULT, 0, GBL_HAS_CSR, true};

bench_product outer_product(const bench_way *way, gbl_Matrix A) {
    gbl_Index nrows = 0, ncols = 0;
    gbl_Matrix_nrows(&nrows, A);
    gbl_Matrix_ncols(&ncols, A);
    return (bench_product){.way = *way,
                           .A = A,
                           .B = A,
                           .transpose_b = nrows != ncols,
                           .ring = GBL_PLUS_TIMES_SEMIRING_FP64,
                           .type = GBL_FP64};
}

gbl_Info outer_describe(cJSON *object, gbl_Matrix A) {
    gbl_Index nrows = 0, ncols = 0, nvals = 0;
    gbl_Info info = gbl_Matrix_nrows(&nrows, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&ncols, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&nvals, A);
    if (info != GBL_SUCCESS) return info;
    cJSON_AddNumberToObject(object, "rows", (double)nrows);
    cJSON_AddNumberToObject(object, "columns", (double)ncols);
    cJSON_AddNumberToObject(object, "entries", (double)nvals);
    return GBL_SUCCESS;
}

void outer_describe_product(cJSON *object, const gbl_Explanation *how) {
    cJSON_AddNumberToObject(object, "flops", (double)how->flops);
    cJSON_AddNumberToObject(object, "result_entries", (double)how->nvals);
    cJSON_AddNumberToObject(object, "bins", (double)how->bins);
    cJSON_AddNumberToObject(object, "slices", (double)how->slices);
    cJSON_AddNumberToObject(object, "bytes_expanded", (double)how->bytes_expanded);
}

int main(int argc, char **argv) {
    static const bench_part PARTS[] = {
        {"stream", "stream", outer_stream, NULL},       {"race", "race", outer_race, NULL},
        {"phases", "phases", outer_phases, NULL},       {"bins", "bins", outer_bins, NULL},
        {"threads", "threads", outer_threads, NULL},    {"labels", "labels", outer_labels, NULL},
        {"crossing", "crossing", outer_crossing, NULL},
    };
    static const bench_program PROGRAM = {
        .about = "Measures the outer product on generator specs like er:20:4 or Matrix Market "
                 "files, checks every result, and prints JSON. Without a part named, all are "
                 "measured; inputs of stream are sizes in last-level caches, those of crossing "
                 "er:SCALE or skew:SCALE:EDGES.",
        .suite = BENCH_FOLDER "/outer/suite.txt",
        .parts = PARTS,
        .count = sizeof PARTS / sizeof *PARTS,
        .start_peer = peer_start,
        .stop_peer = peer_stop};
    return bench_measure_parts(argc, argv, &PROGRAM);
}
