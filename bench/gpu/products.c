/* SPDX-License-Identifier: Apache-2.0
 *
 * Products: every contender runs alone until clocks and pools have settled, then all of them in
 * turns for their medians, on the same factors; results are checked against each other. flops
 * counts multiplications; gflops counts their additions too, so it is twice as much a second.
 */
#include "gpu/gpu.h"

#include <math.h>
#include <string.h>

#include "harness/values.h"

/* gblite's come first. */
enum { OF_CUSPARSE = GPU_OWN, ESC, CONTENDERS };
#define AGREES 1e-9 /* sums of positive values in different orders */

static uint64_t count_flops(const gpu_factors *f) {
    uint64_t flops = 0;
    for (uint64_t q = 0; q < f->Ap[f->m]; q++) flops += f->Bp[f->Ai[q] + 1] - f->Bp[f->Ai[q]];
    return flops;
}

/* A contender in the race on one input. */
typedef struct {
    const gpu_contender *contender;
    void *state;
    bool runs, good; /* it takes part; nothing has failed */
    gpu_checksum sum;
    double seconds[BENCH_MOST_NUMBER], median; /* negative: it cannot do this input */
} runner;

/* Runs until clocks and pools have settled, and looks at the result and at the memory that it took.
 */
static void warm_up(const gpu_run *run, runner *r, const gpu_contender *contender,
                    const gpu_factors *f) {
    const double start = bench_seconds();
    *r = (runner){.contender = contender, .median = -1.0};
    r->runs = bench_is_chosen(&run->shared, contender->name) && !gpu_is_late(run);
    if (!r->runs) return;
    r->good = contender->open(&r->state, f) == 0;
    do {
        r->good = r->good && (r->seconds[0] = device_time(contender->run, r->state)) >= 0.0;
    } while (r->good && !run->once && bench_seconds() - start < run->warm_up);
    r->good = r->good && contender->check(r->state, &r->sum) == 0;
}

static void report_contender(runner *r, uint64_t flops, int rounds, cJSON *line) {
    if (!r->runs) return;
    cJSON *own = cJSON_AddObjectToObject(line, r->contender->name);
    if (r->good) {
        r->median = bench_median(r->seconds, rounds > 0 ? rounds : 1);
        cJSON_AddNumberToObject(own, "seconds", r->median);
        cJSON_AddNumberToObject(own, "gflops", 2e-9 * (double)flops / r->median);
        cJSON_AddNumberToObject(own, "bytes_peak", (double)r->contender->peak(r->state));
        cJSON_AddNumberToObject(own, "entries", (double)r->sum.nvals);
        if (r->contender >= GPU_GBLITE && r->contender < GPU_GBLITE + GPU_OWN)
            cJSON_AddItemToObject(own, "how", gpu_explain(r->state));
    } else {
        cJSON_AddStringToObject(own, "failed", "see the messages");
    }
    r->contender->close(r->state);
}

static const gpu_contender *contender_of(int w) {
    return w < GPU_OWN ? &GPU_GBLITE[w] : w == OF_CUSPARSE ? &CUSPARSE : &CUB_ESC;
}

/* Each contender warms up by itself; then all take turns, so that what the machine does meanwhile
 * happens to all of them. Without time for a round the last warm-up counts. */
static void race(const gpu_run *run, runner *runners, const gpu_factors *f, cJSON *line) {
    int rounds = 0;
    for (int w = 0; w < CONTENDERS; w++) warm_up(run, &runners[w], contender_of(w), f);
    while (!run->once && rounds < run->shared.rounds && !gpu_is_late(run)) {
        for (int w = 0; w < CONTENDERS; w++) {
            runner *r = &runners[w];
            if (r->good)
                r->good = (r->seconds[rounds] = device_time(r->contender->run, r->state)) >= 0.0;
        }
        rounds++;
    }
    cJSON_AddNumberToObject(line, "rounds", rounds);
    for (int w = 0; w < CONTENDERS; w++)
        report_contender(&runners[w], count_flops(f), rounds, line);
}

static void compare_sums(gpu_run *run, const runner *own, const runner *other) {
    if (own->sum.nvals == other->sum.nvals &&
        fabs(other->sum.sum - own->sum.sum) <= AGREES * fabs(own->sum.sum))
        return;
    fprintf(stderr, "gpu: %s and %s differ: %.17g and %.17g in %.0f and %.0f entries\n",
            own->contender->name, other->contender->name, own->sum.sum, other->sum.sum,
            (double)own->sum.nvals, (double)other->sum.nvals);
    run->failures++;
}

static void run_contenders(gpu_run *run, const gpu_factors *f, cJSON *line) {
    static runner r[CONTENDERS];
    const runner *peer = &r[OF_CUSPARSE];
    race(run, r, f, line);
    for (int w = 0; w < CONTENDERS; w++) {
        run->failures += w < GPU_OWN && r[w].runs && r[w].median < 0.0;
        if (w > 0 && r[w].median >= 0.0 && r[0].median >= 0.0) compare_sums(run, &r[0], &r[w]);
    }
    if (r[0].median <= 0.0) return;
    if (r[ESC].median > 0.0)
        cJSON_AddNumberToObject(line, "speedup_over_esc", r[ESC].median / r[0].median);
    if (peer->median < 0.0) return;
    cJSON_AddNumberToObject(line, "speedup", peer->median / r[0].median);
    if (r[1].median > 0.0)
        cJSON_AddNumberToObject(line, "speedup_tiled", peer->median / r[1].median);
}

void gpu_product(gpu_run *run, const char *operand) {
    gbl_Matrix A = NULL;
    gbl_Index nrows = 0, ncols = 0, nvals = 0;
    gpu_factors factors;
    cJSON *line = gpu_add_line(run, operand);
    if (bench_failed(gbl_load(&A, GBL_FP64, operand), operand) ||
        bench_failed(bench_set_values(A), operand) ||
        bench_failed(gbl_Matrix_nrows(&nrows, A), operand) ||
        bench_failed(gbl_Matrix_ncols(&ncols, A), operand) ||
        bench_failed(gbl_Matrix_nvals(&nvals, A), operand) ||
        gpu_factors_of(&factors, A, nrows == ncols) != 0) {
        run->failures++;
    } else {
        cJSON_AddNumberToObject(line, "rows", (double)nrows);
        cJSON_AddNumberToObject(line, "columns", (double)ncols);
        cJSON_AddNumberToObject(line, "entries", (double)nvals);
        cJSON_AddNumberToObject(line, "flops", (double)count_flops(&factors));
        run_contenders(run, &factors, line);
    }
    gpu_save(run);
    gbl_Matrix_free(&A);
}
