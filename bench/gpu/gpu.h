/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/gpu: the row-wise product on a GPU against cuSPARSE's SpGEMM, in one process, from factors
 * in device memory to a result there; plus-times on FP64, C = A*A, or A*A' where A is not square.
 * The parts:
 *   main.c           options, the suite, the document
 *   gblite_inside.c  gblite's product, without the download; looks inside the library
 *   device.c         time on the device, its name
 *   spamm.c          approximate products, against cuBLAS and truncated ones
 *   graphs.c         searches and PageRank, against the CPU
 *   operations.c     operations on matrices and Markov clustering, against the CPU
 *   triangles.c      triangles of large graphs, against the CPU
 * cuSPARSE's products are in peers/cusparse.c, those by CUB's sort in peers/cub_esc.cu, those of
 * cuBLAS in peers/cublas.c.
 */
#ifndef GPU_H
#define GPU_H

#include "harness/gpu_contender.h"
#include "harness/program.h"

/* gblite_inside.c: gblite's contenders, by rows first; the factors of an input, which stay with A;
 * how the last product was made. */
enum { GPU_OWN = 2 };
extern const gpu_contender GPU_GBLITE[GPU_OWN];
int gpu_factors_of(gpu_factors *factors, gbl_Matrix A, bool square);
cJSON *gpu_explain(void *gblite_state);

/* device.c: seconds of one run between two events; negative when it failed. Device and driver. */
double gpu_time(const gpu_contender *contender, void *state);
int gpu_describe(cJSON *document);

/* spamm.c: adds "spamm" to the document; no size is begun after `end` (bench_seconds; 0: never).
 * How many failed. */
int gpu_spamm(cJSON *document, int rounds, double end);

/* graphs.c: the same, "graphs". */
int gpu_graphs(cJSON *document, int rounds, double end);
/* operations.c: "operations" and "markov_cluster". */
int gpu_operations(cJSON *document, int rounds, double end);
/* triangles.c: the same for "triangles". */
int gpu_triangles(cJSON *document, int rounds, double end);

#endif
