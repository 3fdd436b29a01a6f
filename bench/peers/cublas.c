/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of cuBLAS by the names and numbers of its documentation. Matrices are by columns there:
 * a square matrix times itself by rows is the same product, transposed.
 */
#include "peers/device.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "harness/program.h"

enum { PLAIN = 0, DEFAULT_MATH = 0, TF32_MATH = 3, BEST = -1, COMPUTE_FP32 = 68 };
enum { DATA_FP32 = 0, DATA_FP16 = 2, DATA_BF16 = 14 }; /* cudaDataType */

static struct {
    int (*create)(void **handle);
    int (*set_math)(void *handle, int mode);
    int (*dgemm)(void *, int, int, int, int, int, const double *, const double *, int,
                 const double *, int, const double *, double *, int);
    int (*sgemm)(void *, int, int, int, int, int, const float *, const float *, int, const float *,
                 int, const float *, float *, int);
    int (*gemm)(void *, int, int, int, int, int, const void *, const void *, int, int, const void *,
                int, int, const void *, void *, int, int, int, int);
    void *handle;
} blas;

/* At the first call. */
static bool load(void) {
    static const bench_function FUNCTIONS[] = {
        {"cublasCreate_v2", &blas.create}, {"cublasSetMathMode", &blas.set_math},
        {"cublasDgemm_v2", &blas.dgemm},   {"cublasSgemm_v2", &blas.sgemm},
        {"cublasGemmEx", &blas.gemm},      {0}};
    if (blas.handle != NULL) return true;
    const char *why = bench_load_library("libcublas.so.13", FUNCTIONS);
    if (why == NULL && blas.create(&blas.handle) == 0) return true;
    fprintf(stderr, "gpu: cuBLAS: %s\n", why != NULL ? why : "it cannot start");
    return false;
}

/* -- values */

static size_t bytes_of(cublas_values values) {
    return values == CUBLAS_FP64 ? 8 : values == CUBLAS_FP32 || values == CUBLAS_TF32 ? 4 : 2;
}

/* Normal values of the type, which is what the matrices of this bench have. */
static void convert(void *to, const double *x, size_t n, cublas_values values) {
    for (size_t k = 0; k < n; k++) {
        const float single = (float)x[k];
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        const uint32_t size = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
        if (values == CUBLAS_FP64)
            ((double *)to)[k] = x[k];
        else if (values == CUBLAS_FP16)
            ((uint16_t *)to)[k] =
                (uint16_t)(sign | ((size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13));
        else if (values == CUBLAS_BF16)
            ((uint16_t *)to)[k] = (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
        else
            ((float *)to)[k] = single;
    }
}

/* -- products */

typedef struct {
    cublas_values values;
    int n;
    void *x, *c; /* on the device */
} product;

static int run(void *context) {
    const product *P = context;
    static const double one = 1.0, zero = 0.0;
    static const float one_single = 1.0F, zero_single = 0.0F;
    const int n = P->n;
    if (P->values == CUBLAS_FP64)
        return blas.dgemm(blas.handle, PLAIN, PLAIN, n, n, n, &one, P->x, n, P->x, n, &zero, P->c,
                          n);
    if (P->values == CUBLAS_FP16 || P->values == CUBLAS_BF16) {
        const int type = P->values == CUBLAS_FP16 ? DATA_FP16 : DATA_BF16;
        return blas.gemm(blas.handle, PLAIN, PLAIN, n, n, n, &one_single, P->x, type, n, P->x, type,
                         n, &zero_single, P->c, DATA_FP32, n, COMPUTE_FP32, BEST);
    }
    const int status =
        blas.set_math(blas.handle, P->values == CUBLAS_TF32 ? TF32_MATH : DEFAULT_MATH);
    return status != 0 ? status
                       : blas.sgemm(blas.handle, PLAIN, PLAIN, n, n, n, &one_single, P->x, n, P->x,
                                    n, &zero_single, P->c, n);
}

static void close_product(product *P) {
    cudaFree(P->x);
    cudaFree(P->c);
}

static bool open_product(product *P, cublas_values values, int n, const double *x) {
    const size_t cells = (size_t)n * (size_t)n, bytes = cells * bytes_of(values);
    void *host = malloc(bytes);
    *P = (product){.values = values, .n = n};
    bool good = host != NULL && cudaMalloc(&P->x, bytes) == cudaSuccess &&
                cudaMalloc(&P->c, cells * (values == CUBLAS_FP64 ? 8 : 4)) == cudaSuccess;
    if (good) convert(host, x, cells, values);
    good = good && cudaMemcpy(P->x, host, bytes, cudaMemcpyHostToDevice) == cudaSuccess;
    free(host);
    if (!good) close_product(P);
    return good;
}

double cublas_seconds(cublas_values values, int n, const double *x, int rounds) {
    double seconds[BENCH_MOST_NUMBER], median = -1.0;
    product P;
    bool good = load() && open_product(&P, values, n, x);
    if (good) {
        for (int k = 0; k < 2 * rounds && good; k++)
            good = (seconds[k % rounds] = device_time(run, &P)) >= 0.0;
        if (good) median = bench_median(seconds, rounds);
        close_product(&P);
    }
    if (!good) fprintf(stderr, "gpu: cuBLAS failed at N = %d\n", n);
    return median;
}
