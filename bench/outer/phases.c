/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts "phases", "bins" and "threads": seconds of each step of A*A by outer products beside what
 * the memory can do at the time; the same for bins of several sizes and local bins of several
 * widths, after figure 6 of PB-SpGEMM (IPDPS '20); and for 1, 2, 4, ... threads, after its figures
 * 12 and 13, beside the row-wise product.
 */
#include "outer/outer.h"

#include <stdlib.h>

/* Loads an input and says what it is. */
static gbl_Info load(cJSON *object, gbl_Matrix *A, const char *operand) {
    char name[64];
    bench_operand_name(name, sizeof name, operand);
    cJSON_AddStringToObject(object, "name", name);
    const gbl_Info info = bench_load_weighted(A, operand);
    return info == GBL_SUCCESS ? outer_describe(object, *A) : info;
}

int outer_phases(cJSON *object, const char *operand, const bench_setup *setup) {
    gbl_Matrix A = NULL;
    outer_turn turns[2] = {0};
    int status = -1;
    if (bench_failed(load(object, &A, operand), operand)) goto done;
    turns[0].product = outer_product(&OUTER_WARM, A);
    turns[1].product = outer_product(&OUTER_ROWWISE, A);
    const double rate = outer_stream_rate(setup);
    if (rate < 0 || outer_take_turns(turns, 2, setup) != 0) goto done;
    cJSON_AddNumberToObject(object, "stream", rate);
    outer_describe_product(object, &turns[0].product.how);
    outer_add_times(object, &turns[0].median);
    cJSON_AddNumberToObject(object, "rowwise", turns[1].median.total);
    status = 0;
done:
    gbl_Matrix_free(&A);
    return status;
}

/* 0 leaves the size, or the width, to the planner. */
static const int32_t BYTES[] = {0,         16 << 10,  32 << 10, 64 << 10, 128 << 10,
                                256 << 10, 512 << 10, 1 << 20,  2 << 20,  4 << 20};
static const int32_t LINES[] = {1, 2, 3, 4, 8, 16};
enum {
    SIZES = sizeof BYTES / sizeof *BYTES,
    WIDTHS = sizeof LINES / sizeof *LINES,
    POINTS = SIZES + WIDTHS
};

int outer_bins(cJSON *object, const char *operand, const bench_setup *setup) {
    gbl_Matrix A = NULL;
    outer_turn turns[POINTS] = {0};
    int status = -1;
    if (bench_failed(load(object, &A, operand), operand)) goto done;
    for (int k = 0; k < POINTS; k++) {
        turns[k].product = outer_product(&OUTER_WARM, A);
        if (k < SIZES)
            turns[k].product.bin_bytes = BYTES[k];
        else
            turns[k].product.bin_lines = LINES[k - SIZES];
    }
    if (outer_take_turns(turns, POINTS, setup) != 0) goto done;
    cJSON *points = cJSON_AddArrayToObject(object, "points");
    for (int k = 0; k < POINTS; k++) {
        cJSON *point = cJSON_CreateObject();
        cJSON_AddItemToArray(points, point);
        cJSON_AddNumberToObject(point, "bin_bytes", turns[k].product.bin_bytes);
        cJSON_AddNumberToObject(point, "bin_lines", turns[k].product.bin_lines);
        outer_describe_product(point, &turns[k].product.how);
        outer_add_times(point, &turns[k].median);
    }
    status = 0;
done:
    gbl_Matrix_free(&A);
    return status;
}

enum { MOST_STEPS = 16 }; /* of doubling the threads */

int outer_threads(cJSON *object, const char *operand, const bench_setup *setup) {
    gbl_Matrix A = NULL;
    outer_turn turns[2 * MOST_STEPS] = {0};
    int status = -1, steps = 0;
    if (bench_failed(load(object, &A, operand), operand)) goto done;
    for (int n = 1; n > 0 && steps < MOST_STEPS; steps++) {
        for (int k = 0; k < 2; k++)
            turns[2 * steps + k] = (outer_turn){
                .product = outer_product(k == 0 ? &OUTER_WARM : &OUTER_ROWWISE, A), .threads = n};
        n = n == setup->threads ? 0 : 2 * n < setup->threads ? 2 * n : setup->threads;
    }
    if (outer_take_turns(turns, 2 * steps, setup) != 0) goto done;
    cJSON *points = cJSON_AddArrayToObject(object, "points");
    for (int s = 0; s < steps; s++) {
        cJSON *point = cJSON_CreateObject();
        cJSON_AddItemToArray(points, point);
        cJSON_AddNumberToObject(point, "threads", turns[2 * s].threads);
        outer_add_times(point, &turns[2 * s].median);
        cJSON_AddNumberToObject(point, "rowwise", turns[2 * s + 1].median.total);
    }
    status = 0;
done:
    gbl_Matrix_free(&A);
    return status;
}
