/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs, made undirected, for both sides.
 */
#include "graphs/graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/values.h"

void *graphs_array(graphs_input *in, uint64_t n, size_t size) {
    void *array = in->array_count < GRAPHS_ARRAYS ? calloc(n + 1, size) : NULL;
    if (array != NULL)
        in->arrays[in->array_count++] = array;
    else
        fprintf(stderr, "graphs: no memory for a job on %s\n", in->name);
    return array;
}

void graphs_free_job(graphs_input *in) {
    gbl_Vector_free(&in->found);
    while (in->array_count > 0) free(in->arrays[--in->array_count]);
}

static gbl_Info take_pattern(graphs_input *in) {
    gbl_Index n = 0;
    gbl_Arrays arrays = {0};
    gbl_Info info = bench_make_undirected(in->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&n, in->A);
    if (info == GBL_SUCCESS && n > INT32_MAX)
        info = gbl_fail(GBL_INVALID_VALUE, NULL, "a graph has at most 2^31 - 1 rows");
    if (info == GBL_SUCCESS) info = gbl_Matrix_view(&arrays, in->A, GBL_CSR_FORMAT);
    if (info != GBL_SUCCESS) return info;
    in->n = (uint32_t)n;
    in->p = arrays.p;
    in->i = arrays.i;
    in->edges = in->p[n];
    return bench_choose_sources(in->source, GRAPHS_SOURCES, in->p, n);
}

int graphs_load(graphs_input *in, const char *operand, int threads) {
    *in = (graphs_input){.name = operand, .threads = threads};
    gbl_Info info = gbl_load(&in->A, GBL_BOOL, operand);
    if (info == GBL_SUCCESS) info = take_pattern(in);
    return bench_failed(info, operand) ? -1 : 0;
}

void graphs_unload(graphs_input *in) {
    gbl_Matrix_free(&in->A);
}
