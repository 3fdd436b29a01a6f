/* SPDX-License-Identifier: Apache-2.0
 *
 * SPAMM of full factors on one GPU or several: values there, norms there, the search for tau here
 * (it asks the device what a tau does), values of C back. Kernels: src/cuda/spamm/spamm.cu.
 */
#include <math.h>

#include "backend/device.h"
#include "mxm/methods/spamm.h"
#include "mxm/methods/spamm_tau.h"

/* -- planning ---------------------------------------------------------------------------------- */

static double blocks(double n, double side) {
    return ceil(n / side);
}

/* On the host: norms of A, and products and places of C's sub-matrices, 28 bytes each. */
static gb_Workspace workspace(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    const gb_Features *f = s->f;
    const double side = 16.0; /* at least */
    const double rows = blocks((double)f->m, side), inner = blocks((double)f->k, side);
    const double columns = blocks((double)f->n, side);
    const double work = rows * inner * 8.0 + rows * columns * 28.0 + inner * 24.0;
    (void)m, (void)cut;
    return (gb_Workspace){.size = 1.0, .fixed = work, .beside = work, .slices = 1.0};
}

/* As if nothing were left out. */
static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const double rows = (double)f->m, inner = (double)f->k, columns = (double)f->n;
    (void)m;
    c->n[GB_RATE_GPU_SPAMM_PAIR] += blocks(rows, 16) * blocks(inner, 16) * blocks(columns, 16);
    c->n[GB_RATE_GPU_BYTE] += (rows * inner + inner * columns + rows * columns) * (double)f->zsize;
    c->n[GB_RATE_GPU_CALL] = 1.0;
}

/* -- run --------------------------------------------------------------------------------------- */

static double find_tau(const void *choices, const gb_SpammAsk *ask) {
    return gb_spamm_find_tau(ask, choices);
}

static gb_DeviceFull full_of(const gb_Factor *F) {
    const gb_CsView *view = &F->taken.view;
    return (gb_DeviceFull){view->nmajor, view->nminor, view->iso, view->x};
}

static void explain(const gb_MxmRun *run, const gb_DeviceSpammStats *stats,
                    const gb_DeviceFacts *before) {
    gbl_Explanation *why = run->why;
    gb_DeviceFacts now;
    gb_device()->facts(&now);
    why->isa = "cuda";
    why->slices = 1;
    why->devices = stats->devices;
    why->tau = stats->tau;
    why->valid_ratio = stats->valid / stats->triples;
    why->seconds_norms = stats->seconds_norms;
    why->seconds_search = stats->seconds_search;
    why->seconds_values = stats->seconds_products;
    why->bytes_to_device = now.bytes_up - before->bytes_up;
    why->bytes_from_device = now.bytes_down - before->bytes_down;
    why->seconds_transfer = now.seconds_moving - before->seconds_moving;
}

static gbl_Info multiply(const gb_MxmRun *run, const gb_SpammRounded *factors, gb_Result *T) {
    const gb_Choices choices = gb_spamm_choices(factors, run);
    gb_DeviceSpammStats stats;
    gb_DeviceFacts before;
    const gb_DeviceSpammArgs args = {
        .A = full_of(&factors->A),
        .B = full_of(&factors->B),
        .values = factors->values,
        .side = gb_spamm_side(run->call),
        .find_tau = find_tau,
        .context = &choices,
    };
    gb_device()->facts(&before);
    const gbl_Info info = gb_device()->mxm_spamm(&args, &T->cs, &stats);
    T->masked = false;
    if (info != GBL_SUCCESS) return info;
    explain(run, &stats, &before);
    gb_spamm_explain(run, factors, stats.bound);
    return info;
}

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    gb_SpammRounded factors;
    (void)m;
    gbl_Info info = gb_device()->open();
    if (info == GBL_SUCCESS) info = gb_spamm_round(&factors, run, true);
    if (info != GBL_SUCCESS) return info;
    info = multiply(run, &factors, T);
    gb_spamm_round_free(&factors);
    return info;
}

const gb_Method gb_method_spamm_gpu = {
    .name = "spamm",
    .variant = "full, by the GPU",
    .place = GBL_PLACE_GPU,
    .about = "the same on one GPU or several",
    .method = GBL_METHOD_SPAMM,
    .kind = GB_SPAMM_FULL,
    .a = GB_FULL_BY_ROWS,
    .b = GB_FULL_BY_ROWS,
    .may_fail = true,
    .refuse = gb_spamm_refuse,
    .avoid = gb_spamm_avoid,
    .workspace = workspace,
    .count = count,
    .run = run,
};
