/* SPDX-License-Identifier: Apache-2.0
 *
 * ESC (expand, sort, compress; Bell, Dalton, Olson 2012) as it is written with CUB in a page: a
 * thread makes a product, wherever its entry of A is found by a search; one radix sort of all
 * products by row and column, of as many bits as these have; sums by key. From factors in device
 * memory to a product there, by rows, columns ascending.
 *
 * Memory: 32 bytes a product, and CUB's. At most INT32_MAX products. Never run on a GPU: compiled,
 * and its index arithmetic tested on the host (test/cpu/test_esc_index.c).
 */
#include "peers/device.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <stdio.h>
#include <stdlib.h>

#include "peers/esc_index.h"

enum { THREADS = 256, GRID_MOST = 1 << 16 };

struct esc_factor {
    uint64_t *p;
    uint32_t *i;
    double *x;
};

struct esc_product {
    uint64_t m, k, n, na;
    esc_factor A, B;
    device_blocks blocks;
    int nfactors; /* blocks that stay for the next run */
    uint64_t nvals;
    uint64_t *Cp;
    uint32_t *Ci;
    double *Cx;
};

static bool failed(cudaError_t error, const char *what) {
    if (error == cudaSuccess) return false;
    fprintf(stderr, "gpu: ESC: %s: %s\n", what, cudaGetErrorString(error));
    return true;
}

template <class T> static bool allocate(esc_product *P, T **block, uint64_t n) {
    *block = static_cast<T *>(device_allocate(&P->blocks, (n + 1) * sizeof(T)));
    return *block != NULL;
}

static unsigned grid(uint64_t n) {
    const uint64_t blocks = (n + THREADS - 1) / THREADS;
    if (blocks > GRID_MOST) return GRID_MOST;
    return blocks > 0 ? (unsigned)blocks : 1;
}

#define EACH(t, n)                                                                                 \
    for (uint64_t t = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; t < (n);                    \
         t += (uint64_t)gridDim.x * blockDim.x)

/* Products of each entry of A; one more, of none. */
static __global__ void count_products(esc_factor A, esc_factor B, uint64_t na, uint64_t *count) {
    EACH(q, na + 1) count[q] = q < na ? B.p[A.i[q] + 1] - B.p[A.i[q]] : 0;
}

static __global__ void expand(esc_factor A, esc_factor B, uint64_t m, uint64_t na,
                              const uint64_t *first, uint64_t products, int column_bits,
                              uint64_t *key, double *value) {
    EACH(t, products) {
        const uint64_t q = esc_owner(first, na, t), at = B.p[A.i[q]] + (t - first[q]);
        key[t] = esc_key(esc_owner(A.p, m, q), B.i[at], column_bits);
        value[t] = A.x[q] * B.x[at];
    }
}

static __global__ void take_columns(const uint64_t *key, uint64_t n, int column_bits,
                                    uint32_t *Ci) {
    EACH(e, n) Ci[e] = esc_column(key[e], column_bits);
}

static __global__ void find_rows(const uint64_t *key, uint64_t n, uint64_t m, int column_bits,
                                 uint64_t *Cp) {
    EACH(row, m + 1) Cp[row] = esc_row_start(key, n, row, column_bits);
}

/* CUB's two calls of one step, the first of which says how much memory it takes. */
template <class Step> static bool with_memory(esc_product *P, const char *what, const Step &step) {
    size_t bytes = 0;
    char *block = NULL;
    return !failed(step(static_cast<void *>(NULL), bytes), what) && allocate(P, &block, bytes) &&
           !failed(step(static_cast<void *>(block), bytes), what);
}

/* *products numbers, where those of each entry of A begin. */
static bool number_products(esc_product *P, uint64_t **first, uint64_t *products) {
    uint64_t *count = NULL;
    if (!allocate(P, &count, P->na) || !allocate(P, first, P->na)) return false;
    count_products<<<grid(P->na + 1), THREADS>>>(P->A, P->B, P->na, count);
    const bool good = with_memory(P, "sum", [&](void *block, size_t &bytes) {
        return cub::DeviceScan::ExclusiveSum(block, bytes, count, *first, (int)(P->na + 1));
    });
    if (!good || failed(cudaMemcpy(products, *first + P->na, sizeof *products, cudaMemcpyDefault),
                        "products"))
        return false;
    if (*products <= INT32_MAX) return true;
    fprintf(stderr, "gpu: ESC: %.0f products are too many\n", (double)*products);
    return false;
}

/* Products by row and column of C: entries of C with the sums of theirs. */
static bool compress(esc_product *P, cub::DoubleBuffer<uint64_t> *keys,
                     cub::DoubleBuffer<double> *values, int products, int key_bits) {
    uint64_t *found = NULL;
    const bool sorted = with_memory(P, "sort", [&](void *block, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(block, bytes, *keys, *values, products, 0, key_bits);
    });
    return sorted && allocate(P, &found, 1) &&
           with_memory(P, "sums",
                       [&](void *block, size_t &bytes) {
                           return cub::DeviceReduce::ReduceByKey(
                               block, bytes, keys->Current(), keys->Alternate(), values->Current(),
                               values->Alternate(), found, cuda::std::plus<double>(), products);
                       }) &&
           !failed(cudaMemcpy(&P->nvals, found, sizeof P->nvals, cudaMemcpyDefault), "entries");
}

static int run_product(void *state) {
    esc_product *P = static_cast<esc_product *>(state);
    const int column_bits = esc_bits(P->n), key_bits = column_bits + esc_bits(P->m);
    uint64_t *first = NULL, *key[2] = {NULL, NULL}, products = 0;
    double *value[2] = {NULL, NULL};
    device_drop(&P->blocks, P->nfactors);
    P->nvals = 0;
    if (!allocate(P, &P->Cp, P->m) || !number_products(P, &first, &products)) return -1;
    for (int k = 0; k < 2; k++)
        if (!allocate(P, &key[k], products) || !allocate(P, &value[k], products)) return -1;
    expand<<<grid(products), THREADS>>>(P->A, P->B, P->m, P->na, first, products, column_bits,
                                        key[0], value[0]);
    cub::DoubleBuffer<uint64_t> keys(key[0], key[1]);
    cub::DoubleBuffer<double> values(value[0], value[1]);
    if (products > 0 && !compress(P, &keys, &values, (int)products, key_bits)) return -1;
    if (!allocate(P, &P->Ci, P->nvals)) return -1;
    P->Cx = values.Alternate();
    take_columns<<<grid(P->nvals), THREADS>>>(keys.Alternate(), P->nvals, column_bits, P->Ci);
    find_rows<<<grid(P->m + 1), THREADS>>>(keys.Alternate(), P->nvals, P->m, column_bits, P->Cp);
    return failed(cudaGetLastError(), "launch") || failed(cudaDeviceSynchronize(), "run") ? -1 : 0;
}

static int check_product(void *state, gpu_checksum *sum) {
    const esc_product *P = static_cast<const esc_product *>(state);
    const device_result C = {P->m, P->nvals, P->Cp, true, P->Ci, P->Cx};
    return device_check(&C, sum);
}

static uint64_t peak_of_product(void *state) {
    return static_cast<esc_product *>(state)->blocks.peak;
}

static void close_product(void *state) {
    esc_product *P = static_cast<esc_product *>(state);
    if (P == NULL) return;
    device_drop(&P->blocks, 0);
    device_keep_freed_memory(false);
    free(P);
}

template <class T> static bool send(esc_product *P, T **there, const T *host, uint64_t n) {
    *there = static_cast<T *>(device_send(&P->blocks, host, n * sizeof *host));
    return *there != NULL;
}

static int open_product(void **state, const gpu_factors *f) {
    esc_product *P = static_cast<esc_product *>(calloc(1, sizeof *P));
    *state = NULL;
    if (P == NULL) return -1;
    P->m = f->m;
    P->k = f->k;
    P->n = f->n;
    P->na = f->Ap[f->m];
    const uint64_t nb = f->Bp[f->k];
    if (P->na >= INT32_MAX || !device_keep_freed_memory(true) ||
        !send(P, &P->A.p, f->Ap, f->m + 1) || !send(P, &P->A.i, f->Ai, P->na) ||
        !send(P, &P->A.x, f->Ax, P->na) || !send(P, &P->B.p, f->Bp, f->k + 1) ||
        !send(P, &P->B.i, f->Bi, nb) || !send(P, &P->B.x, f->Bx, nb)) {
        close_product(P);
        return -1;
    }
    P->nfactors = P->blocks.count;
    *state = P;
    return 0;
}

const gpu_contender CUB_ESC = {"cub_esc",     open_product,    run_product,
                               check_product, peak_of_product, close_product};
