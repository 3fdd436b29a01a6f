/* SPDX-License-Identifier: Apache-2.0
 *
 * What bench/gpu has of CUDA, in a rehearsal on the stand-in: time by the host's clock, and peers
 * that multiply on the host.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"

double device_time(int (*run_once)(void *context), void *context) {
    const double start = bench_seconds();
    return run_once(context) == 0 ? bench_seconds() - start : -1.0;
}

int device_describe(cJSON *document) {
    cJSON_AddStringToObject(document, "device", "a rehearsal");
    return 0;
}

typedef struct {
    const gpu_factors *f;
    double *row; /* [n] */
    bool *seen;
    gpu_checksum sum;
} product;

static int open_product(void **state, const gpu_factors *f) {
    product *P = calloc(1, sizeof *P);
    *state = P;
    if (P == NULL) return -1;
    P->f = f;
    P->row = calloc(f->n + 1, sizeof *P->row);
    P->seen = calloc(f->n + 1, sizeof *P->seen);
    return P->row != NULL && P->seen != NULL ? 0 : -1;
}

/* Adds row i of the product to the sum. */
static void add_row(product *P, uint64_t i) {
    const gpu_factors *f = P->f;
    memset(P->row, 0, f->n * sizeof *P->row);
    memset(P->seen, 0, f->n * sizeof *P->seen);
    for (uint64_t p = f->Ap[i]; p < f->Ap[i + 1]; p++)
        for (uint64_t q = f->Bp[f->Ai[p]]; q < f->Bp[f->Ai[p] + 1]; q++) {
            P->row[f->Bi[q]] += f->Ax[p] * f->Bx[q];
            P->seen[f->Bi[q]] = true;
        }
    for (uint32_t j = 0; j < f->n; j++) {
        P->sum.nvals += P->seen[j];
        P->sum.sum += P->row[j] * gpu_weight(i, j);
    }
}

static int run_product(void *state) {
    product *P = state;
    P->sum = (gpu_checksum){0, 0.0};
    for (uint64_t i = 0; i < P->f->m; i++) add_row(P, i);
    return 0;
}

static int check_product(void *state, gpu_checksum *sum) {
    *sum = ((product *)state)->sum;
    return 0;
}

static uint64_t peak_of_product(void *state) {
    return ((product *)state)->f->n * sizeof(double);
}

static void close_product(void *state) {
    product *P = state;
    if (P == NULL) return;
    free(P->row);
    free(P->seen);
    free(P);
}

#define PEER(name)                                                                                 \
    { name, open_product, run_product, check_product, peak_of_product, close_product }
const gpu_contender CUSPARSE = PEER("cusparse_alg1"), CUB_ESC = PEER("cub_esc");

double cublas_seconds(cublas_values values, int n, const double *x, int rounds) {
    (void)values, (void)x, (void)rounds;
    return 1e-9 * n;
}
