/* SPDX-License-Identifier: Apache-2.0
 *
 * Job spmm: sparse times full, and full times sparse, for several numbers of columns (or rows) of
 * the full factor; plus-times on FP64, random values. gblite, the same in CSR as if B were not
 * full, and SuiteSparse make a new C in each round; MKL writes to an array that is there, as its
 * interface wants it, once with and once without its preparation.
 */
#include "jobs/job.h"
#include "jobs/sides.h"

#include <stdio.h>
#include <string.h>

#include "peers/suitesparse.h"

static const side_row MKL = {.name = "mkl"}, OPTIMIZED = {.name = "mkl_optimized", .of = {1000}};

enum { MOST_COLUMNS = 16 };
static struct {
    const char *peers;
    bool left; /* the full factor is the left one */
    int columns[MOST_COLUMNS], count;
} own = {.peers = BENCH_FOLDER "/../build-peers"};

/* The first call, which nothing has been prepared for, and the bytes that it held at its peak. */
static int first_call(cJSON *row, const side_task *task) {
    int64_t before = 0, peak = 0;
    side_work *w = GBLITE_SIDE.open(&gblite_full.rows[0], task);
    if (w == NULL) return -1;
    gbl_Info info = gbl_trim(0);
    if (info == GBL_SUCCESS) info = gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_BYTES_PEAK);
    if (info == GBL_SUCCESS) info = gbl_Global_get_INT64(GBL_GLOBAL, &before, GBL_BYTES_IN_USE);
    const double start = bench_seconds();
    const int status = GBLITE_SIDE.run(w);
    cJSON_AddNumberToObject(row, "first", bench_seconds() - start);
    if (info == GBL_SUCCESS) info = gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_BYTES_PEAK);
    cJSON_AddNumberToObject(row, "peak_bytes", (double)(peak - before));
    const gbl_Explanation how = GBLITE_SIDE.explain(w);
    cJSON_AddNumberToObject(row, "flops", (double)how.flops);
    cJSON_AddNumberToObject(row, "predicted", how.seconds_predicted);
    GBLITE_SIDE.close(w);
    return bench_failed(info, "settings") ? -1 : status;
}

static void visit(void *of, const bench_line *line) {
    bench_sink *to = of;
    const side_setup setup = {.rules = {.rounds = to->o->rounds, .least = 3, .budget = 0.6}};
    peer_input in;
    const int loaded = peer_load(&in, line->operand, PEER_WEIGHTED);
    for (int k = 0; k < own.count; k++) {
        char name[32];
        snprintf(name, sizeof name, "%d %s", own.columns[k], own.left ? "rows" : "columns");
        const side_task t = {.in = &in, .left = own.left, .count = (gbl_Index)own.columns[k]};
        const side_entrant list[] = {{"gblite", &GBLITE_SIDE, &gblite_full.rows[0], t},
                                     {"rowwise", &GBLITE_SIDE, &gblite_full.rows[1], t},
                                     {"suitesparse", &SUITESPARSE_SIDE, suitesparse_full.rows, t},
                                     {"mkl", &MKL_FULL_SIDE, &MKL, t},
                                     {"mkl_optimized", &MKL_FULL_SIDE, &OPTIMIZED, t}};
        cJSON *row = bench_row(to, "spmm", name, line->operand);
        int status = loaded == 0 ? first_call(row, &t) : -1;
        if (status == 0) status = side_race(row, list, bench_has_mkl() ? 5 : 3, &setup);
        bench_row_done(to, status);
    }
    peer_unload(&in);
}

static int start(const bench_job *job, const bench_options *o) {
    static const int COLUMNS[] = {2, 4, 8, 16, 32, 64, 128, 256};
    (void)job;
    if (own.count == 0) {
        memcpy(own.columns, COLUMNS, sizeof COLUMNS);
        own.count = sizeof COLUMNS / sizeof *COLUMNS;
    }
    if (bench_start(o->threads) != 0 || peer_start(o->threads) != 0) return -1;
    bench_load_mkl(own.peers, o->threads);
    return 0;
}

static const bench_option OPTIONS[] = {
    {"columns", 'c', "N", "of the full factor, or its rows with --left; may be given several times",
     bench_take_numbers, own.columns, MOST_COLUMNS, &own.count},
    {"left", 'l', NULL, "full times sparse", bench_take_flag, &own.left, 0, NULL},
    {"mkl", 'm', "DIR",
     "folder of libmkl_rt.so (default: build-peers, filled by scripts/bench_peers.sh)",
     bench_take_text, &own.peers, 0, NULL},
    {0}};
const bench_job JOB_SPMM = {.name = "spmm",
                            .about = "sparse times full, against SuiteSparse and MKL",
                            .lines = "INPUT",
                            .suite = "suites/spmm.txt",
                            .rounds = 9,
                            .takes = BENCH_THREADS | BENCH_DATA | BENCH_INPUTS | BENCH_JSON,
                            .own = OPTIONS,
                            .start = start,
                            .visit = visit};
