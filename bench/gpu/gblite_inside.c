/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite's product from device memory to device memory. The public interface brings the result to
 * the host, so this file asks the device itself; it needs the static library.
 */
#include "gpu/gpu.h"

#include <stdlib.h>

#include "kernel_api/device.h"
#include "core/arrays.h"
#include "matrix/matrix.h"
#include "mxm/machine/cost_table.h"
#include "semiring/ids.h"

typedef struct {
    gb_DeviceCs *A, *B, *C;
    gb_DeviceMxmStats stats;
    uint64_t peak;
} product;

int gpu_factors_of(gpu_factors *f, gbl_Matrix matrix, bool square) {
    gb_CsView A, B;
    gbl_Info info = gb_acquire_sorted(&matrix->m, GB_CSR, &A);
    if (info == GBL_SUCCESS) info = gb_acquire_sorted(&matrix->m, square ? GB_CSR : GB_CSC, &B);
    if (bench_failed(info, "factors")) return -1;
    *f = (gpu_factors){A.nmajor, A.nminor, B.nminor, A.p, B.p, A.i, B.i, A.x, B.x};
    return 0;
}

static gb_CsView view_of(uint64_t nmajor, uint64_t nminor, const uint64_t *p, const uint32_t *i,
                         const double *x) {
    return (gb_CsView){.nmajor = nmajor,
                       .nminor = nminor,
                       .nvals = p[nmajor],
                       .p = p,
                       .i = i,
                       .x = x,
                       .xsize = sizeof *x,
                       .sorted = true};
}

static void close_product(void *state) {
    product *P = state;
    if (P == NULL) return;
    gb_device()->release(P->A);
    gb_device()->release(P->B);
    gb_device()->release(P->C);
    free(P);
}

static int open_product(void **state, const gpu_factors *f) {
    product *P = calloc(1, sizeof *P);
    const gb_CsView A = view_of(f->m, f->k, f->Ap, f->Ai, f->Ax);
    const gb_CsView B = view_of(f->k, f->n, f->Bp, f->Bi, f->Bx);
    *state = NULL;
    if (P == NULL) return -1;
    gbl_Info info = gb_device()->open();
    if (info == GBL_SUCCESS) info = gb_device()->upload(&A, &P->A);
    if (info == GBL_SUCCESS) info = gb_device()->upload(&B, &P->B);
    if (bench_failed(info, "gblite")) {
        close_product(P);
        return -1;
    }
    gb_device()->forget_peak();
    *state = P;
    return 0;
}

static int run_product(product *P, gb_DeviceWay way) {
    const gb_DeviceMxmArgs args = {
        .A = P->A,
        .B = P->B,
        .ring = GB_RING_PLUS_TIMES_FP64,
        .accumulators = GB_ACCUMULATE_ALL,
        .rules = GB_DEVICE_RULES,
    };
    gb_device()->release(P->C);
    P->C = NULL;
    return bench_failed(gb_device()->mxm(way, &args, &P->C, &P->stats), "gblite") ? -1 : 0;
}

static int run_rowwise(void *state) {
    return run_product(state, GB_DEVICE_ROWWISE);
}

/* From the second run on the factors are there in tiles. */
static int run_tiled(void *state) {
    return run_product(state, GB_DEVICE_TILED);
}

static int check_product(void *state, gpu_checksum *sum) {
    product *P = state;
    gb_DeviceFacts facts;
    gb_Cs C;
    gb_device()->facts(&facts);
    P->peak = facts.bytes_peak;
    if (bench_failed(gb_device()->download(P->C, &C), "gblite")) return -1;
    *sum = gpu_check(C.nmajor, C.p, C.i, C.x);
    gb_cs_free(&C);
    return 0;
}

static uint64_t peak_of_product(void *state) {
    return ((product *)state)->peak;
}

cJSON *gpu_explain(void *state) {
    const gb_DeviceMxmStats *s = &((product *)state)->stats;
    cJSON *how = cJSON_CreateObject();
    if (s->rows.workflow != NULL) cJSON_AddStringToObject(how, "workflow", s->rows.workflow);
    cJSON_AddNumberToObject(how, "expansion_ratio", s->expansion);
    cJSON_AddNumberToObject(how, "compression_ratio", s->compression);
    cJSON_AddNumberToObject(how, "rows_sorted", (double)s->rows.sorted);
    cJSON_AddNumberToObject(how, "rows_hashed", (double)s->rows.hashed);
    cJSON_AddNumberToObject(how, "rows_dense", (double)s->rows.dense);
    cJSON_AddNumberToObject(how, "rows_overflowed", (double)s->rows.overflowed);
    const struct {
        const char *name;
        double seconds;
    } stages[] = {{"analysis", s->seconds_analysis}, {"sketch", s->seconds_sketch},
                  {"estimate", s->seconds_estimate}, {"symbolic", s->rows.seconds_symbolic},
                  {"numeric", s->seconds_numeric},   {"compact", s->rows.seconds_compact},
                  {"layout", s->seconds_layout},     {"masks", s->seconds_masks},
                  {"values", s->seconds_values},     {"sort", s->rows.seconds_sort}};
    cJSON *split = cJSON_AddObjectToObject(how, "seconds_of_stages"); /* of the last run */
    for (size_t k = 0; k < sizeof stages / sizeof stages[0]; k++)
        cJSON_AddNumberToObject(split, stages[k].name, stages[k].seconds);
    return how;
}

const gpu_contender GPU_GBLITE[GPU_OWN] = {
    {"gblite", open_product, run_rowwise, check_product, peak_of_product, close_product},
    {"gblite_tiled", open_product, run_tiled, check_product, peak_of_product, close_product}};
