/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "steps": where the time of A*A by tiles goes, what conversions cost beside it, and how many
 * bytes matrices take as tiles and by rows; after figures 10 to 12 of TileSpGEMM (PPoPP '22).
 */
#include "tiled/tiled.h"

enum { LAYOUT, MASKS, VALUES, REST, STEPS };
static const char *const KEYS[STEPS] = {"layout", "masks", "values", "rest"};
enum { MOST_RUNS = 50 };
static const double LEAST_SECONDS = 0.1; /* short products run more often than `rounds` */

typedef struct {
    double total[MOST_RUNS]; /* the kernel without conversions */
    double step[STEPS][MOST_RUNS];
    double convert[MOST_RUNS]; /* A from rows, by a cold product */
    double to_rows[MOST_RUNS]; /* C from tiles */
    int runs;
} samples;

static gbl_Info take_steps(samples *s, const bench_product *p) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    const gbl_Info info = gbl_Matrix_explain(&how, p->C);
    if (info != GBL_SUCCESS) return info;
    const double total = how.seconds_kernel - how.seconds_convert;
    s->total[s->runs] = total;
    s->step[LAYOUT][s->runs] = how.seconds_layout;
    s->step[MASKS][s->runs] = how.seconds_masks;
    s->step[VALUES][s->runs] = how.seconds_values;
    s->step[REST][s->runs] = total - how.seconds_layout - how.seconds_masks - how.seconds_values;
    return GBL_SUCCESS;
}

static gbl_Info take_conversions(samples *s, bench_product *warm, bench_product *cold) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    const double start = bench_seconds();
    gbl_Info info = bench_look(warm->C);
    s->to_rows[s->runs] = bench_seconds() - start;
    if (info == GBL_SUCCESS) bench_reset(cold);
    if (info == GBL_SUCCESS) info = bench_multiply(cold);
    if (info == GBL_SUCCESS) info = gbl_Matrix_explain(&how, cold->C);
    if (info == GBL_SUCCESS) s->convert[s->runs] = how.seconds_convert;
    return info;
}

/* The first product converts A and is not counted. */
static gbl_Info measure(samples *s, bench_product *warm, bench_product *cold, int rounds) {
    const double start = bench_seconds();
    gbl_Info info = bench_multiply(warm);
    while (info == GBL_SUCCESS && s->runs < MOST_RUNS &&
           (s->runs < rounds || bench_seconds() - start < LEAST_SECONDS)) {
        bench_reset(warm);
        info = bench_multiply(warm);
        if (info == GBL_SUCCESS) info = take_steps(s, warm);
        if (info == GBL_SUCCESS) info = take_conversions(s, warm, cold);
        if (info == GBL_SUCCESS) s->runs++;
    }
    return info;
}

static gbl_Info add_result_bytes(cJSON *object, gbl_Matrix C) {
    gbl_TileFacts facts;
    const gbl_Info info = gbl_Matrix_tiles(&facts, C);
    if (info != GBL_SUCCESS) return info;
    cJSON_AddNumberToObject(object, "result_fill", facts.fill);
    cJSON_AddNumberToObject(object, "result_tiles_bytes", (double)facts.bytes);
    cJSON_AddNumberToObject(object, "result_rows_bytes", (double)facts.bytes_rows);
    return GBL_SUCCESS;
}

static void add_times(cJSON *object, samples *s) {
    const int median = bench_median_index(s->total, s->runs);
    cJSON_AddNumberToObject(object, "total", s->total[median]);
    for (int k = 0; k < STEPS; k++) cJSON_AddNumberToObject(object, KEYS[k], s->step[k][median]);
    cJSON_AddNumberToObject(object, "convert", bench_median(s->convert, s->runs));
    cJSON_AddNumberToObject(object, "to_rows", bench_median(s->to_rows, s->runs));
}

int tiled_steps(cJSON *object, const char *operand, const bench_setup *setup) {
    samples s = {.runs = 0};
    gbl_Matrix A = NULL;
    gbl_Info info = bench_load_square(&A, operand);
    if (info == GBL_SUCCESS) info = tiled_describe(object, operand, A);
    bench_product warm = {.way = TILED_AS_TILES,
                          .A = A,
                          .B = A,
                          .ring = GBL_PLUS_TIMES_SEMIRING_FP64,
                          .type = GBL_FP64};
    bench_product cold = warm;
    cold.way = TILED_COLD;
    const int rounds = setup->rounds < MOST_RUNS ? setup->rounds : MOST_RUNS;
    if (info == GBL_SUCCESS) info = measure(&s, &warm, &cold, rounds);
    if (info == GBL_SUCCESS) info = add_result_bytes(object, warm.C);
    if (info == GBL_SUCCESS) add_times(object, &s);
    bench_drop(&warm);
    bench_drop(&cold);
    gbl_Matrix_free(&A);
    return bench_failed(info, operand) ? -1 : 0;
}
