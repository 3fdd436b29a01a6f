/* SPDX-License-Identifier: Apache-2.0
 *
 * SpGEMM of cuSPARSE by its algorithm 1, which stores all products before it sums: from factors in
 * device memory to a result there, with the buffers that it asks for. Its offsets have 32 bits
 * here; larger results are refused.
 */
#include "peers/device.h"

#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime_api.h>
#include <cusparse.h>

#include "harness/program.h"

typedef struct {
    cusparseHandle_t handle;
    cusparseSpMatDescr_t A, B, C;
    uint64_t m, n;
    int64_t nvals;
    device_blocks blocks;
    int nfactors; /* of the blocks */
    int *Cp, *Ci;
    double *Cx;
} product;

/* cuSPARSE is loaded and not linked, so that gblite's own times do not want it. */
#define FUNCTIONS(F)                                                                               \
    F(Create)                                                                                      \
    F(CreateCsr)                                                                                   \
    F(CsrSetPointers)                                                                              \
    F(Destroy)                                                                                     \
    F(DestroySpMat)                                                                                \
    F(GetErrorString)                                                                              \
    F(GetVersion)                                                                                  \
    F(SpGEMM_compute)                                                                              \
    F(SpGEMM_copy)                                                                                 \
    F(SpGEMM_createDescr)                                                                          \
    F(SpGEMM_destroyDescr)                                                                         \
    F(SpGEMM_workEstimation)                                                                       \
    F(SpMatGetSize)

#define MEMBER(name) __typeof__(&cusparse##name) name;
static struct { FUNCTIONS(MEMBER) } peer;
#undef MEMBER

/* Looked for where the dynamic linker looks; gpu_check.sh adds the folders of Python's packages. */
static bool load(void) {
#define ROW(name) {"cusparse" #name, &peer.name},
    static const bench_function LIST[] = {FUNCTIONS(ROW){0}};
#undef ROW
    static bool tried, whole;
    char name[40];
    if (tried) return whole;
    tried = true;
    snprintf(name, sizeof name, "libcusparse.so.%d", CUSPARSE_VER_MAJOR);
    const char *why = bench_load_library(name, LIST);
    whole = why == NULL;
    if (!whole) fprintf(stderr, "gpu: %s\n", why);
    return whole;
}

int cusparse_version(void) {
    cusparseHandle_t handle = NULL;
    int version = 0;
    if (!load() || peer.Create(&handle) != CUSPARSE_STATUS_SUCCESS) return 0;
    if (peer.GetVersion(handle, &version) != CUSPARSE_STATUS_SUCCESS) version = 0;
    peer.Destroy(handle);
    return version;
}

static bool failed(cusparseStatus_t status, const char *what) {
    if (status == CUSPARSE_STATUS_SUCCESS) return false;
    fprintf(stderr, "gpu: cuSPARSE: %s: %s\n", what, peer.GetErrorString(status));
    return true;
}

static int *send_offsets(product *P, const uint64_t *p, uint64_t rows) {
    if (p[rows] > INT32_MAX) return NULL;
    int *narrow = malloc((rows + 1) * sizeof *narrow);
    if (narrow == NULL) return NULL;
    for (uint64_t r = 0; r <= rows; r++) narrow[r] = (int)p[r];
    int *sent = device_send(&P->blocks, narrow, (rows + 1) * sizeof *narrow);
    free(narrow);
    return sent;
}

/* A of the factors, or B. */
static bool make_factor(product *P, cusparseSpMatDescr_t *made, const gpu_factors *f, bool left) {
    const uint64_t rows = left ? f->m : f->k, columns = left ? f->k : f->n;
    const uint64_t *pointers = left ? f->Ap : f->Bp, nvals = pointers[rows];
    int *p = send_offsets(P, pointers, rows);
    int *i =
        p != NULL ? device_send(&P->blocks, left ? f->Ai : f->Bi, nvals * sizeof *f->Ai) : NULL;
    double *x =
        i != NULL ? device_send(&P->blocks, left ? f->Ax : f->Bx, nvals * sizeof *f->Ax) : NULL;
    return x != NULL &&
           !failed(peer.CreateCsr(made, (int64_t)rows, (int64_t)columns, (int64_t)nvals, p, i, x,
                                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                  CUDA_R_64F),
                   "a factor");
}

static void close_product(void *state) {
    product *P = state;
    if (P == NULL) return;
    if (P->C != NULL) peer.DestroySpMat(P->C);
    if (P->A != NULL) peer.DestroySpMat(P->A);
    if (P->B != NULL) peer.DestroySpMat(P->B);
    if (P->handle != NULL) peer.Destroy(P->handle);
    device_drop(&P->blocks, 0);
    device_keep_freed_memory(false);
    free(P);
}

static int open_product(void **state, const gpu_factors *f) {
    product *P = calloc(1, sizeof *P);
    *state = NULL;
    if (P == NULL || !load()) {
        free(P);
        return -1;
    }
    P->m = f->m;
    P->n = f->n;
    if (!device_keep_freed_memory(true) || failed(peer.Create(&P->handle), "start") ||
        !make_factor(P, &P->A, f, true) || !make_factor(P, &P->B, f, false)) {
        close_product(P);
        return -1;
    }
    P->nfactors = P->blocks.count;
    *state = P;
    return 0;
}

static const cusparseOperation_t PLAIN = CUSPARSE_OPERATION_NON_TRANSPOSE;
static const cusparseSpGEMMAlg_t ALGORITHM = CUSPARSE_SPGEMM_ALG1;
static const double one = 1.0, zero = 0.0;

/* The two calls of one step, the first of which says how large the buffer must be. */
static bool do_step(product *P, cusparseSpGEMMDescr_t d, const char *what,
                    __typeof__(&cusparseSpGEMM_compute) step) {
    size_t bytes = 0;
    void *buffer = NULL;
    for (int call = 0; call < 2; call++) {
        if (call == 1 && (buffer = device_allocate(&P->blocks, bytes)) == NULL) return false;
        if (failed(step(P->handle, PLAIN, PLAIN, &one, P->A, P->B, &zero, P->C, CUDA_R_64F,
                        ALGORITHM, d, &bytes, buffer),
                   what))
            return false;
    }
    return true;
}

static bool take_result(product *P, cusparseSpGEMMDescr_t d) {
    int64_t rows, columns;
    if (failed(peer.SpMatGetSize(P->C, &rows, &columns, &P->nvals), "size")) return false;
    P->Ci = device_allocate(&P->blocks, (size_t)P->nvals * sizeof *P->Ci);
    P->Cx = P->Ci != NULL ? device_allocate(&P->blocks, (size_t)P->nvals * sizeof *P->Cx) : NULL;
    return P->Cx != NULL && !failed(peer.CsrSetPointers(P->C, P->Cp, P->Ci, P->Cx), "result") &&
           !failed(peer.SpGEMM_copy(P->handle, PLAIN, PLAIN, &one, P->A, P->B, &zero, P->C,
                                    CUDA_R_64F, ALGORITHM, d),
                   "copy");
}

static int run_product(void *state) {
    product *P = state;
    cusparseSpGEMMDescr_t d = NULL;
    device_drop(&P->blocks, P->nfactors);
    if (P->C != NULL) peer.DestroySpMat(P->C);
    P->C = NULL;
    P->Cp = device_allocate(&P->blocks, (P->m + 1) * sizeof *P->Cp);
    bool good = P->Cp != NULL &&
                !failed(peer.CreateCsr(&P->C, (int64_t)P->m, (int64_t)P->n, 0, P->Cp, NULL, NULL,
                                       CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                       CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
                        "result") &&
                !failed(peer.SpGEMM_createDescr(&d), "descriptor") &&
                do_step(P, d, "work estimation", peer.SpGEMM_workEstimation) &&
                do_step(P, d, "compute", peer.SpGEMM_compute) && take_result(P, d) &&
                cudaDeviceSynchronize() == cudaSuccess;
    if (d != NULL) peer.SpGEMM_destroyDescr(d);
    return good ? 0 : -1;
}

static int check_product(void *state, gpu_checksum *sum) {
    const product *P = state;
    return device_check(&(device_result){P->m, (uint64_t)P->nvals, P->Cp, false, P->Ci, P->Cx},
                        sum);
}

static uint64_t peak_of_product(void *state) {
    return ((product *)state)->blocks.peak;
}

const gpu_contender CUSPARSE = {"cusparse_alg1", open_product,    run_product,
                                check_product,   peak_of_product, close_product};
