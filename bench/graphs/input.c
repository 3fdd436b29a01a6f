/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs, made undirected, for both sides.
 */
#include "graphs/graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/values.h"

enum { MOST_ARRAYS = 16 };
struct graphs_arena {
    void *arrays[MOST_ARRAYS];
    int count;
};

void *graphs_array(const graphs_input *in, uint64_t n, size_t size) {
    struct graphs_arena *arena = in->arena;
    void *array = arena->count < MOST_ARRAYS ? calloc(n + 1, size) : NULL;
    if (array != NULL)
        arena->arrays[arena->count++] = array;
    else
        fprintf(stderr, "graphs: no memory for a job on %s\n", in->name);
    return array;
}

void graphs_free_job(graphs_input *in) {
    gbl_Vector_free(&in->found);
    while (in->arena->count > 0) free(in->arena->arrays[--in->arena->count]);
}

static int take_pattern(graphs_input *in) {
    gbl_Index n = 0;
    gbl_Arrays arrays = {0};
    gbl_Info info = bench_make_undirected(in->A, &n);
    if (info == GBL_SUCCESS) info = gbl_Matrix_view(&arrays, in->A, GBL_CSR_FORMAT);
    if (info == GBL_SUCCESS && (n == 0 || n > INT32_MAX))
        info = gbl_fail(GBL_INVALID_VALUE, NULL, "a graph has 1 to 2^31 - 1 rows");
    if (bench_failed(info, in->name)) return -1;
    in->n = (uint32_t)n;
    in->p = arrays.p;
    in->i = arrays.i;
    in->edges = in->p[n];
    return 0;
}

/* Vertices with neighbours, by a fixed sequence of random numbers. */
static int choose_sources(graphs_input *in) {
    uint64_t state = 27491095;
    if (in->edges == 0) {
        fprintf(stderr, "graphs: %s has no edges\n", in->name);
        return -1;
    }
    for (int k = 0; k < GRAPHS_SOURCES;) {
        const uint32_t v = (uint32_t)(bench_congruent(&state) % in->n);
        if (in->p[v + 1] > in->p[v]) in->source[k++] = v;
    }
    return 0;
}

int graphs_load(graphs_input *in, const char *operand, int threads) {
    memset(in, 0, sizeof *in);
    in->name = operand;
    in->threads = threads;
    in->arena = calloc(1, sizeof *in->arena);
    if (in->arena == NULL || bench_failed(gbl_load(&in->A, GBL_BOOL, operand), operand)) return -1;
    return take_pattern(in) == 0 ? choose_sources(in) : -1;
}

void graphs_unload(graphs_input *in) {
    gbl_Matrix_free(&in->A);
    free(in->arena);
}
