/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts "memory" and "growth": the most memory that a product holds at any time, its result
 * included; after figure 9 of TileSpGEMM (PPoPP '22). Two numbers: bytes that were asked for, by
 * the counting allocator, and bytes of pages that were touched, as the system counts
 * them. The library's pool is off, and malloc gives large blocks back at once.
 */
#include "tiled/tiled.h"
#include "harness/counted.h"
#include "harness/values.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gbl_Info tiled_start_counted(void) {
    bench_return_freed_memory();
    const gbl_Info info =
        gbl_init_with_allocator(GBL_NONBLOCKING, counted_malloc, counted_realloc, counted_free);
    return info == GBL_SUCCESS ? gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT) : info;
}

/* -- touched */

/* A number of /proc/self/status in bytes, 0 where the system does not tell. */
static double status_bytes(const char *key) {
    char line[256];
    double kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    if (file == NULL) return 0;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0) sscanf(line + strlen(key), ": %lf", &kilobytes);
    fclose(file);
    return 1024 * kilobytes;
}

static gbl_Info forget_touched_peak(void) {
    malloc_trim(0);
    FILE *file = fopen("/proc/self/clear_refs", "w");
    const bool done = file != NULL && fputs("5", file) >= 0;
    if (file == NULL || fclose(file) != 0 || !done)
        return gbl_fail(GBL_IO_ERROR, NULL, "cannot reset the peak in /proc/self/clear_refs");
    return GBL_SUCCESS;
}

/* -- products */

static const bench_way WAYS[] = {
    {"tiled", GBL_METHOD_TILED, 0, GBL_HAS_TILE16, false},
    {"upper_bound", GBL_METHOD_ROWWISE, GBL_WORKFLOW_UPPER_BOUND, GBL_HAS_CSR, false},
    {"estimate", GBL_METHOD_ROWWISE, GBL_WORKFLOW_ESTIMATE, GBL_HAS_CSR, false}};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS, MOST_RUNS = 3 };

/* One product whose operands are ready. */
static gbl_Info run_once(bench_product *p, double *asked, double *touched) {
    bench_reset(p);
    gbl_Info info = forget_touched_peak();
    if (info != GBL_SUCCESS) return info;
    const double touched_before = status_bytes("VmRSS");
    counted_begin();
    info = bench_multiply(p);
    *asked = counted_peak();
    *touched = status_bytes("VmHWM") - touched_before;
    return info;
}

/* Adds asked, touched and result (bytes of C): medians, since it depends on who is early how many
 * chunks wait for their place. The first product makes what it needs of its operands and is not
 * counted. */
static gbl_Info measure(cJSON *object, bench_product *p, int rounds) {
    double asked[MOST_RUNS], touched[MOST_RUNS];
    gbl_TileFacts facts = {0};
    const int runs = rounds < MOST_RUNS ? rounds : MOST_RUNS;
    gbl_Info info = bench_multiply(p);
    for (int r = 0; r < runs && info == GBL_SUCCESS; r++)
        info = run_once(p, &asked[r], &touched[r]);
    if (info == GBL_SUCCESS) info = gbl_Matrix_tiles(&facts, p->C);
    if (info != GBL_SUCCESS) return info;
    cJSON *way = cJSON_AddObjectToObject(object, p->way.name);
    cJSON_AddNumberToObject(way, "asked", bench_median(asked, runs));
    cJSON_AddNumberToObject(way, "touched", bench_median(touched, runs));
    const uint64_t result = p->way.form == GBL_HAS_CSR ? facts.bytes_rows : facts.bytes;
    cJSON_AddNumberToObject(way, "result", (double)result);
    return GBL_SUCCESS;
}

/* All ways, one after the other; results must be the same as that of tiles. */
static gbl_Info measure_all(cJSON *object, gbl_Matrix A, gbl_Matrix B, int rounds) {
    bench_product products[WAY_COUNT];
    gbl_Matrix first = NULL;
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < WAY_COUNT; k++)
        products[k] = (bench_product){
            .way = WAYS[k], .A = A, .B = B, .ring = GBL_PLUS_TIMES_SEMIRING_FP64, .type = GBL_FP64};
    for (int k = 0; k < WAY_COUNT && info == GBL_SUCCESS; k++) {
        bool same = true;
        info = measure(object, &products[k], rounds);
        if (info == GBL_SUCCESS && k == 0) info = gbl_Matrix_explain(&how, products[k].C);
        if (info == GBL_SUCCESS) info = gbl_Matrix_dup(&first, products[0].C);
        if (info == GBL_SUCCESS && k > 0) info = bench_same(&same, first, products[k].C);
        if (info == GBL_SUCCESS && !same)
            info = gbl_fail(GBL_INVALID_OBJECT, NULL, "%s differs from tiles", WAYS[k].name);
        gbl_Matrix_free(&first);
        if (k > 0) bench_reset(&products[k]);
    }
    if (info == GBL_SUCCESS) cJSON_AddNumberToObject(object, "flops", (double)how.flops);
    for (int k = 0; k < WAY_COUNT; k++) bench_drop(&products[k]);
    return info;
}

int tiled_memory(cJSON *object, const char *operand, const bench_setup *setup) {
    gbl_Matrix A = NULL;
    gbl_Info info = bench_load_square(&A, operand);
    if (info == GBL_SUCCESS) info = tiled_describe(object, operand, A);
    if (info == GBL_SUCCESS) info = measure_all(object, A, A, setup->rounds);
    gbl_Matrix_free(&A);
    return bench_failed(info, operand) ? -1 : 0;
}

/* -- the same result from more products */

/* `copies` times the pattern of n x n rows p, i: side by side, or one below the other. */
static gbl_Info repeat(gbl_Matrix *R, const gbl_Arrays *one, gbl_Index n, unsigned copies,
                       bool below) {
    const uint64_t nvals = one->p[n] * copies, rows = below ? n * copies : n;
    gbl_Arrays all = {.p = calloc(rows + 1, sizeof *all.p),
                      .i = malloc((nvals + 1) * sizeof *all.i),
                      .x = malloc(sizeof(double)),
                      .iso = true};
    gbl_Info info = GBL_SUCCESS;
    if (all.p == NULL || all.i == NULL || all.x == NULL)
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for %u copies", copies);
    if (info == GBL_SUCCESS) {
        uint64_t at = 0;
        *(double *)all.x = 1.0;
        for (gbl_Index r = 0; r < rows; r++) {
            const gbl_Index from = r % n;
            for (unsigned c = 0; c < (below ? 1 : copies); c++)
                for (uint64_t q = one->p[from]; q < one->p[from + 1]; q++)
                    all.i[at++] = one->i[q] + (uint32_t)(c * n);
            all.p[r + 1] = at;
        }
        info = gbl_Matrix_moveIn(R, GBL_FP64, rows, below ? n : n * copies, GBL_CSR_FORMAT, &all);
    }
    free(all.p), free(all.i), free(all.x);
    return info == GBL_SUCCESS ? bench_set_values(*R) : info;
}

/* [X X ...] times the same below each other: the pattern of X * X, from `copies` times as many
 * products. */
static gbl_Info measure_copies(cJSON *point, const gbl_Arrays *X, gbl_Index n, unsigned copies,
                               int rounds) {
    gbl_Matrix A = NULL, B = NULL;
    gbl_TileFacts of_A = {0}, of_B = {0};
    gbl_Info info = repeat(&A, X, n, copies, false);
    if (info == GBL_SUCCESS) info = repeat(&B, X, n, copies, true);
    if (info == GBL_SUCCESS) info = gbl_Matrix_tiles(&of_A, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_tiles(&of_B, B);
    if (info == GBL_SUCCESS) info = measure_all(point, A, B, rounds);
    cJSON_AddNumberToObject(point, "copies", copies);
    cJSON_AddNumberToObject(point, "tile_count", (double)(of_A.tiles + of_B.tiles));
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&B);
    return info;
}

int tiled_growth(cJSON *object, const char *operand, const bench_setup *setup) {
    gbl_Matrix A = NULL;
    gbl_Arrays X = {0};
    gbl_Index n = 0;
    gbl_Info info = bench_load_square(&A, operand);
    if (info == GBL_SUCCESS) info = tiled_describe(object, operand, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&n, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_moveOut(A, GBL_CSR_FORMAT, &X);
    gbl_Matrix_free(&A);
    cJSON *points = cJSON_AddArrayToObject(object, "points");
    for (unsigned copies = 1; copies <= 8 && info == GBL_SUCCESS; copies *= 2) {
        cJSON *point = cJSON_CreateObject();
        cJSON_AddItemToArray(points, point);
        info = measure_copies(point, &X, n, copies, setup->rounds);
    }
    free(X.p), free(X.i), free(X.x);
    return bench_failed(info, operand) ? -1 : 0;
}
