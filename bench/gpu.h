/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/gpu: the row-wise product on a GPU against cuSPARSE's SpGEMM, in one process, from factors
 * in device memory to a result there; plus-times on FP64, C = A*A, or A*A' where A is not square.
 * The parts:
 *   gpu.c            options, the suite, the document
 *   gpu_inside.c     gblite's product, without the way to the host; looks inside the library
 *   gpu_cusparse.c   cuSPARSE's, each of its three algorithms; device, driver, time
 */
#ifndef GPU_H
#define GPU_H

#include "program.h"

/* Factors on the host, by rows, columns ascending. */
typedef struct {
    uint64_t m, k, n; /* A is m x k, B is k x n */
    const uint64_t *Ap, *Bp;
    const uint32_t *Ai, *Bi;
    const double *Ax, *Bx;
} gpu_factors;

/* What is said of a result: entries, and a sum of all values, each with a weight that only its
 * place decides, so that the order of a row's entries does not matter. */
typedef struct {
    uint64_t nvals;
    double sum;
} gpu_checksum;
gpu_checksum gpu_check(uint64_t m, const uint64_t *p, const uint32_t *i, const double *x);

/* One way to multiply. open puts the factors onto the device; run multiplies and drops the result
 * of the run before; check reads the last one. All return 0, or -1 after saying why. */
typedef struct {
    const char *name;
    int (*open)(void **state, const gpu_factors *factors);
    int (*run)(void *state);
    int (*check)(void *state, gpu_checksum *sum);
    uint64_t (*peak)(void *state); /* bytes on the device while it ran, factors included */
    void (*close)(void *state);    /* NULL is fine */
} gpu_way;
extern const gpu_way GPU_GBLITE, GPU_CUSPARSE[3];

/* gpu_inside.c: the factors of an input; they stay with A. And how the last product was made. */
int gpu_factors_of(gpu_factors *factors, gbl_Matrix A, bool square);
cJSON *gpu_explain(void *gblite_state);

/* gpu_cusparse.c: seconds of one run between two events; negative when it failed. */
double gpu_time(const gpu_way *way, void *state);
int gpu_describe(cJSON *document); /* device and driver */

#endif
