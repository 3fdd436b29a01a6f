/* SPDX-License-Identifier: Apache-2.0
 *
 * One contender that multiplies on a GPU, gblite's or a peer's, and what is said of its result.
 */
#ifndef HARNESS_GPU_CONTENDER_H
#define HARNESS_GPU_CONTENDER_H

#include <stdint.h>

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

/* One contender that multiplies. open puts the factors onto the device; run multiplies and drops
 * the result of the run before; check reads the last one. All return 0, or -1 after saying why. */
typedef struct {
    const char *name;
    int (*open)(void **state, const gpu_factors *factors);
    int (*run)(void *state);
    int (*check)(void *state, gpu_checksum *sum);
    uint64_t (*peak)(void *state); /* bytes on the device while it ran, factors included */
    void (*close)(void *state);    /* NULL is fine */
} gpu_contender;

#endif
