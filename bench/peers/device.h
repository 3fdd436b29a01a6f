/* SPDX-License-Identifier: Apache-2.0
 *
 * Contenders that multiply on a GPU, gblite's or a peer's; the peers (cusparse.c, cub_esc.cu,
 * cublas.c), and what they share: memory that is counted, results that are summed up, time.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
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
double gpu_weight(uint64_t row, uint32_t column);
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

/* SpGEMM of cuSPARSE. */
extern const gpu_contender CUSPARSE;
int cusparse_version(void); /* as cusparseGetVersion says; 0: it is not here */

/* A product by expansion, sorting and compression, of CUB's device-wide algorithms. */
extern const gpu_contender CUB_ESC;

/* Products of square matrices by cuBLAS, which is loaded when the program runs. Values of factors;
 * sums are FP64 for the first, FP32 for all others. */
typedef enum { CUBLAS_FP64, CUBLAS_FP32, CUBLAS_TF32, CUBLAS_FP16, CUBLAS_BF16 } cublas_values;

/* Seconds of one product of x[n * n] by itself, which are rounded to such values: the median of
 * `rounds` after as many to warm up, from device memory to device memory. Negative after saying
 * why. */
double cublas_seconds(cublas_values values, int n, const double *x, int rounds);

/* -- what they share: device.c, checksum.c */

/* Memory of one product: factors first, then what the last run made. */
enum { DEVICE_BLOCKS = 24 };
typedef struct {
    void *block[DEVICE_BLOCKS];
    size_t bytes[DEVICE_BLOCKS];
    int count;
    uint64_t in_use, peak;
} device_blocks;
/* NULL after saying why; at least one byte. send: with what is on the host. */
void *device_allocate(device_blocks *blocks, size_t bytes);
void *device_send(device_blocks *blocks, const void *host, size_t bytes);
void device_drop(device_blocks *blocks, int keep); /* all but the first ones */

/* Blocks come from a pool, as those of gblite do, or no longer: the others get the memory back. */
bool device_keep_freed_memory(bool keep);

/* A result by rows on the device; its pointers have 32 or 64 bits. 0, or -1 without memory. */
typedef struct {
    uint64_t m, nvals;
    const void *p;
    bool wide;
    const void *i, *x;
} device_result;
int device_check(const device_result *result, gpu_checksum *sum);

/* Seconds between two events around a run; negative when it failed. */
double device_time(int (*run)(void *context), void *context);
/* Adds what the device, its driver and cuSPARSE are; -1 without a device. */
int device_describe(cJSON *document);
#ifdef __cplusplus
}
#endif
