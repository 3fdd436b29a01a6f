/* SPDX-License-Identifier: Apache-2.0
 *
 * Calibration of the GPU, as of the processor (calibrate.c): products by every method that learns
 * on the device, and the rates that explain their times. Each shape is measured with growing
 * matrices until a product takes long enough, since the GPU's speed is unknown. Factors are
 * uploaded first, which gives the time per byte; results stay on the device.
 */
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/context.h"
#include "core/memory.h"
#include "mxm/calibrate/calibrate.h"
#include "mxm/calibrate/fit.h"
#include "mxm/calibrate/synthetic.h"
#include "mxm/methods/methods.h"
#include "mxm/mxm.h"
#include "mxm/model/method.h"

/* Rows of the smallest matrix of a shape, how much more the next has, and of the largest; products
 * of one, of which the least time counts, after one that makes tiles and fills the pool. */
enum { FIRST_ROWS = 32, MORE_ROWS = 4, LAST_ROWS = 1 << 20, ROUNDS = 3 };

static const gb_Synthetic shapes[] = {
    {GB_UNIFORM, 0, 0, 4}, {GB_UNIFORM, 0, 0, 16}, {GB_SKEWED, 0, 0, 8},
    {GB_BANDED, 0, 0, 7},  {GB_BLOCKS, 0, 0, 3},   {GB_BLOCKS, 0, 0, 8},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

typedef struct {
    gb_MachineTable prior; /* built-in rates, by the bandwidth of this GPU; then by its speed */
    gb_Fit fit;
    gb_Matrix *A;
    double most; /* seconds */
} gb_Bench;

static gb_MxmCall call_for(const gb_Bench *b, gb_Matrix *C, const gb_Method *m) {
    gb_MxmCall call = {.C = C, .ring = GBL_PLUS_TIMES_SEMIRING_FP64, .A = b->A, .B = b->A};
    call.choices.method = m->method;
    call.choices.place = GBL_PLACE_GPU;
    return call;
}

/* One product on the device, and the bytes transferred. */
static gbl_Info multiply(double *seconds, double *moved, const gb_Bench *b, const gb_Method *m) {
    gb_DeviceFacts before, after;
    gb_Matrix *C = NULL;
    gbl_Info info = gb_matrix_new(&C, GB_MAGIC_MATRIX, GBL_FP64, b->A->nrows, b->A->ncols);
    if (info != GBL_SUCCESS) return info;
    const gb_MxmCall call = call_for(b, C, m);
    gb_device()->facts(&before);
    const double start = gb_seconds();
    info = gb_mxm(&call);
    *seconds = gb_seconds() - start;
    gb_device()->facts(&after);
    *moved = (double)(after.bytes_down - before.bytes_down + after.bytes_up - before.bytes_up);
    gb_matrix_free(C);
    return info;
}

/* *grows: larger matrices may be tried. */
static gbl_Info measure(gb_Bench *b, const gb_Method *m, bool *grows) {
    double least = INFINITY, seconds = 0.0, moved = 0.0;
    gb_Counts kernel, convert;
    gb_Features f;
    gb_CostCase s;
    gbl_Info info = multiply(&seconds, &moved, b, m);
    for (int k = 0; k < ROUNDS && info == GBL_SUCCESS && (k == 0 || least < b->most); k++) {
        info = multiply(&seconds, &moved, b, m);
        least = fmin(least, seconds);
    }
    const gb_MxmCall call = call_for(b, b->A, m);
    if (info == GBL_SUCCESS) info = gb_mxm_features(&f, &call);
    if (info != GBL_SUCCESS) return info;
    f.device_slower = 0.0; /* the prior rates are this GPU's already */
    gb_cost_case(&s, &f, &b->prior);
    gb_price_counts(&kernel, &convert, m, &s);
    kernel.n[GB_RATE_GPU_BYTE] = moved;
    gb_fit_add(&b->fit, &kernel, least);
    *grows = *grows && least < b->most;
    return GBL_SUCCESS;
}

/* The first upload of the factor. */
static gbl_Info measure_transfer(gb_Bench *b) {
    gb_DeviceFacts before, after;
    gb_DeviceCs *copy = NULL;
    gb_Counts counts = {0};
    gb_device()->facts(&before);
    const double start = gb_seconds();
    const gbl_Info info = gb_acquire_device(b->A, GB_CSR, true, &copy);
    const double seconds = gb_seconds() - start;
    if (info != GBL_SUCCESS) return info;
    gb_device()->unpin(copy);
    gb_device()->facts(&after);
    counts.n[GB_RATE_GPU_BYTE] = (double)(after.bytes_up - before.bytes_up);
    gb_fit_add(&b->fit, &counts, seconds);
    return GBL_SUCCESS;
}

static gbl_Info measure_shape(gb_Bench *b, gb_Synthetic of) {
    gbl_Info info = GBL_SUCCESS;
    bool grows = true;
    for (of.nrows = FIRST_ROWS; of.nrows <= LAST_ROWS && grows; of.nrows *= MORE_ROWS) {
        of.ncols = of.nrows;
        info = gb_synthetic_new(&b->A, &of);
        if (info == GBL_SUCCESS) info = measure_transfer(b);
        for (int k = 0; k < gb_nmethods && info == GBL_SUCCESS; k++)
            if (gb_methods[k]->learn & GB_LEARN_DEVICE) info = measure(b, gb_methods[k], &grows);
        gb_matrix_free(b->A);
        b->A = NULL;
        if (info != GBL_SUCCESS) break;
    }
    return info;
}

/* All rates but those of calls and transfers scale with the bandwidth of its memory
 * (docs/cost_model.md). */
static void begin(gb_Bench *b, const gb_DeviceFacts *facts) {
    const double slower = facts->bandwidth > 0.0 ? GB_DEVICE_BANDWIDTH / facts->bandwidth : 1.0;
    gb_machine_builtin(&b->prior, gb_backend()->name);
    for (int r = GB_FIRST_DEVICE_RATE; r < GB_RATES; r++)
        if (r != GB_RATE_GPU_CALL && r != GB_RATE_GPU_BYTE) b->prior.ns[r] *= slower;
    gb_fit_begin(&b->fit, &b->prior);
}

gbl_Info gb_calibrate_device(gb_DeviceRates *rates, double most) {
    gb_DeviceFacts facts;
    gb_Meter meter;
    gbl_Info info = gb_device()->open();
    if (info != GBL_SUCCESS) return info;
    gb_device()->facts(&facts);
    gb_Bench *b = gb_malloc(sizeof *b);
    if (b == NULL) return gb_fail_memory(sizeof *b);
    b->A = NULL;
    b->most = most;
    begin(b, &facts);
    gb_progress_begin(&meter, "calibrate", SHAPES + 1);
    for (int k = 0; k < SHAPES && info == GBL_SUCCESS; k++) {
        if (!gb_progress_add(&meter, 1)) break;
        info = measure_shape(b, shapes[k]);
    }
    if (info == GBL_SUCCESS) info = gb_progress_end(&meter);
    if (info == GBL_SUCCESS) {
        memset(rates, 0, sizeof *rates);
        memcpy(rates->name, facts.name, sizeof rates->name - 1);
        gb_fit_scale_prior(&b->fit, &b->prior);
        gb_fit_solve(&b->fit, rates->ns);
        rates->error = gb_fit_error(&b->fit, rates->ns);
    }
    gb_free(b, sizeof *b);
    return info;
}
