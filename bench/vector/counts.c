/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "counts": table 1 of the paper from counts of vector instructions; see vector.h.
 *
 * Cycles of an instruction on the paper's processor, of 8 lanes: a start, then 8 elements a cycle
 * where they are contiguous; where each has an address of its own an active one takes several, and
 * more in an accumulator that exceeds the second cache, of which flags and values are read and
 * written. The three constants are those of a grid of powers of two with which speed-ups come
 * nearest to the paper's 360: docs/vector.md.
 */
#include "vector/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define START 16.0
#define LANES 8.0
#define INDEXED 4.0
#define FAR 8.0
#define CACHE 1048576.0

const vector_variant vector_variants[VECTOR_VARIANTS] = {
    {"spa", GBL_VECTOR_SPA},
    {"spars-16/64", GBL_VECTOR_SPARS_16_64},
    {"spars-40/40", GBL_VECTOR_SPARS_40_40},
    {"h-spa-16/64", GBL_VECTOR_H_SPA_16_64},
    {"h-spa-40/40", GBL_VECTOR_H_SPA_40_40},
    {"hash-32/256", GBL_VECTOR_HASH_32_256},
    {"hash-256/256", GBL_VECTOR_HASH_256_256},
    {"h-hash-32/256", GBL_VECTOR_H_HASH_32_256},
    {"h-hash-256/256", GBL_VECTOR_H_HASH_256_256},
    {"esc", GBL_VECTOR_ESC}};

/* Strided loads and stores, gathers, scatters. */
static bool is_indexed(int kind) {
    return kind >= VECTOR_STRIDED && kind <= VECTOR_SCATTER;
}

double vector_cycles(const vector_counter *c, int length) {
    double cycles = 0.0;
    for (int k = 0; k < VECTOR_KINDS; k++) {
        cycles += START * (double)c->instructions[length][k];
        cycles += is_indexed(k) ? INDEXED * (double)c->active[k] : (double)c->lanes[k] / LANES;
    }
    return cycles + 4.0 * FAR * c->in_blocks * fmax(1.0 - CACHE / c->range, 0.0);
}

static double sum(const uint64_t *x) {
    double total = 0.0;
    for (int k = 0; k < VECTOR_KINDS; k++) total += (double)x[k];
    return total;
}

/* Instructions by length, elements in them, active ones, bytes gathered and scattered. */
static void describe(cJSON *object, const vector_counter *c) {
    char name[32];
    for (int k = 0; k < VECTOR_LENGTHS; k++) {
        snprintf(name, sizeof name, "instructions_%u", vector_lengths[k]);
        cJSON_AddNumberToObject(object, name, sum(c->instructions[k]));
        snprintf(name, sizeof name, "cycles_%u", vector_lengths[k]);
        cJSON_AddNumberToObject(object, name, vector_cycles(c, k));
    }
    cJSON_AddNumberToObject(object, "lanes", sum(c->lanes));
    cJSON_AddNumberToObject(object, "active", sum(c->active));
    cJSON_AddNumberToObject(object, "bytes_gathered", (double)c->bytes[VECTOR_GATHER]);
    cJSON_AddNumberToObject(object, "bytes_scattered", (double)c->bytes[VECTOR_SCATTER]);
}

/* Spearman's: the correlation of ranks, ties at their means. */
static void rank(const double *x, double *r) {
    for (int a = 0; a < VECTOR_VARIANTS; a++) {
        r[a] = 0.0;
        for (int b = 0; b < VECTOR_VARIANTS; b++)
            r[a] += x[b] < x[a] ? 1.0 : x[b] == x[a] && b != a ? 0.5 : 0.0;
    }
}

static double rank_correlation(const double *x, const double *y) {
    double a[VECTOR_VARIANTS], b[VECTOR_VARIANTS], ab = 0.0, aa = 0.0, bb = 0.0;
    const double mean = (VECTOR_VARIANTS - 1) / 2.0;
    rank(x, a);
    rank(y, b);
    for (int k = 0; k < VECTOR_VARIANTS; k++) {
        ab += (a[k] - mean) * (b[k] - mean);
        aa += (a[k] - mean) * (a[k] - mean);
        bb += (b[k] - mean) * (b[k] - mean);
    }
    return aa > 0.0 && bb > 0.0 ? ab / sqrt(aa * bb) : 0.0;
}

static int count_all(cJSON *object, const vector_matrix *m, const vector_row *row) {
    double speedup[VECTOR_VARIANTS], spa = 1.0;
    cJSON *variants = cJSON_AddArrayToObject(object, "variants");
    for (int v = 0; v < VECTOR_VARIANTS; v++) {
        const vector_setting s = {.variant = vector_variants[v].value};
        cJSON *one = cJSON_CreateObject();
        cJSON_AddItemToArray(variants, one);
        if (bench_failed(vector_count(m, &s), vector_variants[v].name)) return -1;
        const double cycles = vector_cycles(&vector_counts, VECTOR_LENGTHS - 1);
        if (v == 0) spa = cycles;
        speedup[v] = spa / cycles;
        cJSON_AddStringToObject(one, "name", vector_variants[v].name);
        cJSON_AddNumberToObject(one, "paper", row->speedup[v]);
        cJSON_AddNumberToObject(one, "counted", speedup[v]);
        describe(one, &vector_counts);
    }
    cJSON_AddNumberToObject(object, "rank_correlation", rank_correlation(speedup, row->speedup));
    return 0;
}

/* The operand is a file of the paper's matrix, or its name for a random one like it. */
int vector_counts_of(cJSON *object, const char *operand, const bench_setup *setup) {
    char name[64];
    const bool file = strstr(operand, ".mtx") != NULL;
    const vector_row *row = NULL;
    vector_matrix m;
    (void)setup;
    bench_operand_name(name, sizeof name, operand);
    for (int k = 0; k < VECTOR_ROWS; k++)
        if (strcmp(vector_table[k].name, name) == 0) row = &vector_table[k];
    if (row == NULL) {
        fprintf(stderr, "vector: table 1 has no matrix named %s\n", name);
        return -1;
    }
    if ((file ? vector_load(&m, operand) : vector_random(&m, row)) != 0) return -1;
    cJSON_AddStringToObject(object, "name", name);
    cJSON_AddBoolToObject(object, "random", !file);
    cJSON_AddNumberToObject(object, "rows", m.n);
    cJSON_AddNumberToObject(object, "entries", (double)m.p[m.n]);
    const int status = count_all(object, &m, row);
    vector_matrix_free(&m);
    return status;
}
