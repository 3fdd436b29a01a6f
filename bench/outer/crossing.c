/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "crossing": outer products against the row-wise product while the compression ratio
 * rises: uniform graphs (er:SCALE) of growing density, and graphs of growing skew
 * (skew:SCALE:EDGES). Evidence for the planner's choice, which every point has too.
 *
 * The skewed graphs are R-MAT (Chakrabarti, Zhan, Faloutsos 2004): an edge picks a quarter of the
 * matrix SCALE times, the upper left one with probability a. They lead from a = 1/4, which is
 * uniform, to a = 0.57, b = c = 0.19, d = 0.05, that of Graph 500; vertices are shuffled.
 */
#include "outer/outer.h"
#include "harness/values.h"

#include <stdio.h>
#include <stdlib.h>

static const unsigned EDGES[] = {1, 2, 3, 4, 6, 8, 12, 16, 32};
static const double SKEWS[] = {0.25, 0.32, 0.38, 0.44, 0.48, 0.52, 0.57};
enum {
    EDGES_COUNT = sizeof EDGES / sizeof *EDGES,
    SKEWS_COUNT = sizeof SKEWS / sizeof *SKEWS,
    MOST_SCALE = 24,
    MOST_EDGES = 64,
    MOST_ROUNDS = 3 /* of a point, since there are many of them */
};

/* -- skewed graphs */

/* The share of b, and of c, falls in a straight line with a. */
static double share_of_b(double a) {
    return 0.25 - (a - 0.25) * (0.25 - 0.19) / (0.57 - 0.25);
}

static void place_edges(gbl_Index *I, gbl_Index *J, const uint32_t *name, unsigned scale,
                        uint64_t edges, double a) {
    const double b = share_of_b(a);
    uint64_t state = edges;
    for (uint64_t e = 0; e < edges; e++) {
        uint32_t i = 0, j = 0;
        for (unsigned level = 0; level < scale; level++) {
            const double u = (double)(bench_random(&state) >> 11) * 0x1p-53;
            i = i << 1 | (u >= a + b);
            j = j << 1 | ((u >= a && u < a + b) || u >= a + 2 * b);
        }
        I[e] = name[i];
        J[e] = name[j];
    }
}

static gbl_Info make_skewed(gbl_Matrix *A, unsigned scale, unsigned per_vertex, double a) {
    const uint64_t n = (uint64_t)1 << scale, edges = n * per_vertex;
    gbl_Index *I = malloc(edges * sizeof *I), *J = malloc(edges * sizeof *J);
    uint32_t *name = malloc(n * sizeof *name);
    gbl_Info info = GBL_SUCCESS;
    if (I == NULL || J == NULL || name == NULL)
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for %llu edges",
                        (unsigned long long)edges);
    if (info == GBL_SUCCESS) {
        uint64_t state = n;
        for (uint64_t v = 0; v < n; v++) name[v] = (uint32_t)v;
        bench_shuffle(name, n, n, &state);
        place_edges(I, J, name, scale, edges, a);
        info = bench_build(A, n, I, J, edges);
    }
    free(I);
    free(J);
    free(name);
    return info;
}

/* -- points */

/* What the planner takes for A, by rows and columns at hand; not timed. */
static gbl_Info add_choice(cJSON *point, gbl_Matrix A) {
    bench_product chosen = outer_product(&OUTER_AUTO, A);
    const gbl_Info info = bench_multiply(&chosen);
    if (info == GBL_SUCCESS) cJSON_AddStringToObject(point, "auto_method", chosen.how.method);
    bench_drop(&chosen);
    return info;
}

static int measure(cJSON *point, gbl_Matrix A, const bench_setup *setup) {
    outer_turn turns[2] = {{.product = outer_product(&OUTER_WARM, A)},
                           {.product = outer_product(&OUTER_ROWWISE, A)}};
    const bench_setup few = {setup->rounds < MOST_ROUNDS ? setup->rounds : MOST_ROUNDS,
                             setup->threads};
    if (bench_failed(outer_describe(point, A), "describe")) return -1;
    if (outer_take_turns(turns, 2, &few) != 0) return -1;
    outer_describe_product(point, &turns[0].product.how);
    outer_add_times(point, &turns[0].median);
    cJSON_AddNumberToObject(point, "rowwise", turns[1].median.total);
    return bench_failed(add_choice(point, A), "choose") ? -1 : 0;
}

static int measure_uniform(cJSON *points, unsigned scale, unsigned per_vertex,
                           const bench_setup *setup) {
    char spec[32];
    gbl_Matrix A = NULL;
    cJSON *point = cJSON_CreateObject();
    cJSON_AddItemToArray(points, point);
    cJSON_AddNumberToObject(point, "edges", per_vertex);
    snprintf(spec, sizeof spec, "er:%u:%u", scale, per_vertex);
    int status = bench_failed(bench_load_weighted(&A, spec), spec) ? -1 : 0;
    if (status == 0) status = measure(point, A, setup);
    gbl_Matrix_free(&A);
    return status;
}

static int measure_skewed(cJSON *points, unsigned scale, unsigned per_vertex, double a,
                          const bench_setup *setup) {
    gbl_Matrix A = NULL;
    cJSON *point = cJSON_CreateObject();
    cJSON_AddItemToArray(points, point);
    cJSON_AddNumberToObject(point, "a", a);
    int status = bench_failed(make_skewed(&A, scale, per_vertex, a), "make graph") ? -1 : 0;
    if (status == 0) status = measure(point, A, setup);
    gbl_Matrix_free(&A);
    return status;
}

int outer_crossing(cJSON *object, const char *operand, const bench_setup *setup) {
    unsigned scale = 0, edges = 0;
    char rest;
    const bool uniform = sscanf(operand, "er:%u%c", &scale, &rest) == 1;
    const bool skewed = sscanf(operand, "skew:%u:%u%c", &scale, &edges, &rest) == 2;
    if (!(uniform || (skewed && edges > 0)) || scale > MOST_SCALE || edges > MOST_EDGES) {
        fprintf(stderr,
                "outer: '%s' must be er:SCALE or skew:SCALE:EDGES, SCALE up to %d and EDGES from 1 "
                "to %d\n",
                operand, MOST_SCALE, MOST_EDGES);
        return -1;
    }
    cJSON_AddStringToObject(object, "name", operand);
    cJSON *points = cJSON_AddArrayToObject(object, "points");
    for (int k = 0; k < (uniform ? EDGES_COUNT : SKEWS_COUNT); k++) {
        const int status = uniform ? measure_uniform(points, scale, EDGES[k], setup)
                                   : measure_skewed(points, scale, edges, SKEWS[k], setup);
        if (status != 0) return -1;
    }
    return 0;
}
