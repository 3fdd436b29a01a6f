/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/gpu: the row-wise product on a GPU against cuSPARSE's SpGEMM, in one process, from factors
 * in device memory to a result there; plus-times on FP64, C = A*A, or A*A' where A is not square.
 * The parts:
 *   main.c           options; which job
 *   document.c       the document, the time that is left, two places in turns
 *   products.c       products, all contenders in turns
 *   gblite_inside.c  gblite's product, without the download; looks inside the library
 *   spamm.c          approximate products, against cuBLAS and truncated ones
 *   graphs.c         triangles, searches and PageRank, against the CPU
 *   operations.c     operations on matrices and Markov clustering, against the CPU
 *   rehearsed.c      in the place of all peers and of peers/device.c, on the stand-in for a GPU
 *
 * A lent GPU may go at any time: the document is saved after every line, and whatever takes long
 * asks gpu_is_late before each round.
 */
#pragma once

#include "harness/program.h"
#include "peers/device.h"

typedef struct {
    bench_options shared;
    const char *output; /* NULL: stdout at the end */
    double warm_up;     /* seconds of a contender before it is timed */
    double end;         /* of bench_seconds; 0: none */
    bool once;          /* each contender runs once, for a profiler */
    cJSON *document, *lines;
    int failures, left_out;
} gpu_run;

/* -- document.c */
bool gpu_is_late(const gpu_run *run);
cJSON *gpu_add_line(gpu_run *run, const char *input);
void gpu_save(gpu_run *run); /* the file is whole at any time */
/* Something that the GPU and the CPU do in turns. */
enum { GPU_PLACES = 2 }; /* GPU, CPU */
typedef struct {
    const char *name;
    gbl_Info (*run)(void *context, int place);
    int runs; /* that run() makes, of which one is measured */
    /* Whether the places agree on the last results, and what was done, for the rate. */
    gbl_Info (*compare)(void *context, bool *agree, double *done);
    const char *unit; /* of the rate: "edges_per_second" */
} gpu_duel;
gbl_Info gpu_go_to(int place);
/* One run each, then rounds in turns while there is time; adds an object to the line, saves. */
void gpu_fight(gpu_run *run, const gpu_duel *duel, void *context, cJSON *line);

/* -- the jobs, on one input each */
void gpu_product(gpu_run *run, const char *input);
void gpu_spamm(gpu_run *run, const char *input);
void gpu_graph(gpu_run *run, const char *input);
void gpu_operations(gpu_run *run, const char *input);
void gpu_clusters(gpu_run *run, const char *input);

/* gblite_inside.c: gblite's contenders, by rows first; the factors of an input, which stay with A;
 * how the last product was made. */
enum { GPU_OWN = 2 };
extern const gpu_contender GPU_GBLITE[GPU_OWN];
int gpu_factors_of(gpu_factors *factors, gbl_Matrix A, bool square);
cJSON *gpu_explain(void *gblite_state);
