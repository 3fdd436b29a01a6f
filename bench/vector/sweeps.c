/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "sweeps": figures 3 to 5 of the paper from counts of vector instructions. The operand is Z,
 * for matrices of 2560 rows of Z entries each, by SPARS and HASH in blocks of b rows; or `hybrid`,
 * for H-HASH with other parameters, the geometric mean over table 1 (matrices like its).
 */
#include "vector/vector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int cycles_of(double *cycles, const vector_matrix *m, vector_setting s) {
    if (bench_failed(vector_count(m, &s), "count")) return -1;
    *cycles = vector_cycles(&vector_counts, VECTOR_LENGTHS - 1);
    return 0;
}

/* Speed-ups over SPA, by rows of a block. */
static int sweep_blocks(cJSON *object, uint32_t z) {
    static const int32_t blocks[] = {8, 16, 24, 32, 40, 64, 96, 128, 192, 256};
    const vector_row like = {.n = 2560, .nnz = 2560 * z, .least = z, .most = z};
    vector_matrix m;
    double spa = 0.0, spars = 1.0, hash = 1.0;
    int status = -1;
    if (vector_random(&m, &like) != 0) return -1;
    cJSON_AddNumberToObject(object, "entries_of_a_row", z);
    cJSON *points = cJSON_AddArrayToObject(object, "points");
    if (cycles_of(&spa, &m, (vector_setting){.variant = GBL_VECTOR_SPA}) != 0) goto done;
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        const int32_t b = blocks[k];
        if (cycles_of(&spars, &m, (vector_setting){GBL_VECTOR_SPARS_40_40, b, b, 0}) != 0 ||
            cycles_of(&hash, &m, (vector_setting){GBL_VECTOR_HASH_256_256, b, b, 0}) != 0)
            goto done;
        cJSON *point = cJSON_CreateObject();
        cJSON_AddItemToArray(points, point);
        cJSON_AddNumberToObject(point, "block", b);
        cJSON_AddNumberToObject(point, "spars", spa / spars);
        cJSON_AddNumberToObject(point, "hash", spa / hash);
    }
    status = 0;
done:
    vector_matrix_free(&m);
    return status;
}

/* The settings of figure 5: t, then b_min, then b_max. */
static const vector_setting settings[] = {
    {GBL_VECTOR_H_HASH_32_256, 128, 128, 20}, {GBL_VECTOR_H_HASH_32_256, 128, 128, 30},
    {GBL_VECTOR_H_HASH_32_256, 128, 128, 40}, {GBL_VECTOR_H_HASH_32_256, 128, 128, 50},
    {GBL_VECTOR_H_HASH_32_256, 128, 128, 60}, {GBL_VECTOR_H_HASH_32_256, 32, 128, 40},
    {GBL_VECTOR_H_HASH_32_256, 64, 128, 40},  {GBL_VECTOR_H_HASH_32_256, 96, 128, 40},
    {GBL_VECTOR_H_HASH_32_256, 128, 160, 40}, {GBL_VECTOR_H_HASH_32_256, 128, 192, 40},
    {GBL_VECTOR_H_HASH_32_256, 128, 256, 40}};
enum { SETTINGS = sizeof settings / sizeof *settings };

static int sweep_hybrid(cJSON *object) {
    static double speedup[SETTINGS][VECTOR_ROWS];
    for (int r = 0; r < VECTOR_ROWS; r++) {
        vector_matrix m;
        double spa = 0.0, cycles = 1.0;
        if (vector_random(&m, &vector_table[r]) != 0) return -1;
        int status = cycles_of(&spa, &m, (vector_setting){.variant = GBL_VECTOR_SPA});
        for (int s = 0; s < SETTINGS && status == 0; s++) {
            status = cycles_of(&cycles, &m, settings[s]);
            speedup[s][r] = spa / cycles;
        }
        vector_matrix_free(&m);
        if (status != 0) return -1;
    }
    cJSON *points = cJSON_AddArrayToObject(object, "points");
    for (int s = 0; s < SETTINGS; s++) {
        cJSON *point = cJSON_CreateObject();
        cJSON_AddItemToArray(points, point);
        cJSON_AddNumberToObject(point, "below", settings[s].below);
        cJSON_AddNumberToObject(point, "least", settings[s].least);
        cJSON_AddNumberToObject(point, "most", settings[s].most);
        cJSON_AddNumberToObject(point, "mean", bench_geometric_mean(speedup[s], VECTOR_ROWS));
        cJSON_AddNumberToObject(point, "median", bench_median(speedup[s], VECTOR_ROWS));
    }
    return 0;
}

int vector_sweeps(cJSON *object, const char *operand, const bench_setup *setup) {
    const int z = atoi(operand);
    (void)setup;
    cJSON_AddStringToObject(object, "name", operand);
    if (strcmp(operand, "hybrid") == 0) return sweep_hybrid(object);
    if (z >= 1 && z <= 256) return sweep_blocks(object, (uint32_t)z);
    fprintf(stderr, "vector: %s is neither `hybrid` nor entries of a row, 1 to 256\n", operand);
    return -1;
}
