/* SPDX-License-Identifier: Apache-2.0
 *
 * See small_rows.h. Kernel: push (cpu/mxv/push.c), whose threads share out the columns of one row.
 */
#include "mxm/methods/small_rows.h"

#include <string.h>

#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "mxm/ring.h"

bool gb_suits_small_rows(const gb_MxmRun *run, const gb_MxmArgs *args) {
    const gb_Features *f = run->f;
    if (run->call->ring->multiply->code == GB_FIRSTI) return false; /* a vector has one row */
    if (f->n / GB_FEW > f->B.nvals + f->k) return false; /* nothing is as long as a wide row */
    return f->mask != GB_MASK_NONE && f->m <= GB_SMALL_ROWS &&
           f->accumulators == GB_ACCUMULATE_ALL && !f->memory.limited && args->filter == NULL;
}

/* Row i of the product. */
static gbl_Info push_row(const gb_MxmArgs *g, const gb_Semiring *ring, uint64_t i,
                         const gb_Scratch *found, gb_Cs *row) {
    const gb_CsView *A = &g->A, *B = &g->B;
    const gb_Off from = A->p[i], n = A->p[i + 1] - from, p[2] = {0, n};
    const uint64_t flops = g->flops[i + 1] - g->flops[i];
    const char *x = A->x;
    if (x != NULL && !A->iso) x += from * A->xsize;
    const gb_PushArgs args = {
        .A = *B,
        .u = {.nmajor = 1,
              .nminor = B->nmajor,
              .nvals = n,
              .p = p,
              .i = A->i + from,
              .x = x,
              .xsize = A->xsize,
              .iso = A->iso,
              .sorted = A->sorted},
        .ring = gb_mxv_ring(ring, true, B, x, A->iso),
        .to = {.allowed = g->Mb == NULL ? NULL : g->Mb + i * B->nminor,
               .refused = g->mask_kind == GB_MASK_OUTSIDE,
               .found = found->set,
               .val = found->val},
        .work = flops,
        .nthreads = g->nthreads,
    };
    return gb_backend()->mxv_push(&args, row);
}

/* The rows, one behind the other. */
static gbl_Info join(const gb_Cs *row, uint64_t m, size_t size, gb_Cs *T) {
    uint64_t nvals = 0;
    size_t bytes;
    for (uint64_t i = 0; i < m; i++) nvals += row[i].nvals;
    if (!gb_size_mul(&bytes, nvals, size)) return gb_fail_memory(SIZE_MAX);
    const gbl_Info info = gb_cs_alloc(T, m, nvals, bytes);
    if (info != GBL_SUCCESS) return info;
    T->p[0] = 0;
    for (uint64_t i = 0; i < m; i++) {
        const gb_Off at = T->p[i], n = row[i].nvals;
        T->p[i + 1] = at + n;
        if (n == 0) continue;
        memcpy(T->i + at, row[i].i, n * sizeof *T->i);
        memcpy((char *)T->x + at * size, row[i].x, n * size);
    }
    return GBL_SUCCESS;
}

/* The rows inside, or outside, of a mask that is a list. */
static gbl_Info cut(const gb_MxmArgs *g, gb_Cs *T) {
    const gb_CsView rows = gb_cs_view(T, g->B.nminor, g->args.zsize);
    gb_Cs kept;
    if (g->Mb != NULL || T->nvals == 0) return GBL_SUCCESS;
    const gbl_Info info =
        gb_backend()->filter(&rows, &g->M, g->mask_kind == GB_MASK_INSIDE, &kept, g->nthreads);
    if (info != GBL_SUCCESS) return info;
    gb_cs_free(T);
    *T = kept;
    return GBL_SUCCESS;
}

gbl_Info gb_multiply_small_rows(const gb_MxmRun *run, const gb_MxmArgs *g, gb_Cs *T) {
    const gb_Factor *B = &run->in->B;
    const gb_Format axis = B->rows == GB_CSR ? GB_CSC : GB_CSR;
    const uint64_t m = g->A.nmajor;
    const size_t size = g->args.zsize;
    gb_Cs row[GB_SMALL_ROWS] = {{0}};
    gb_Scratch *found = NULL;
    size_t bytes;
    *T = (gb_Cs){0};
    if (!gb_size_mul(&bytes, g->B.nminor, size)) return gb_fail_memory(SIZE_MAX);
    gbl_Info info = gb_scratch_take(&found, B->X, axis, bytes);
    for (uint64_t i = 0; i < m && info == GBL_SUCCESS; i++) {
        const uint64_t flops = g->flops[i + 1] - g->flops[i];
        if (flops > 0 && gb_progress_add(g->meter, flops))
            info = push_row(g, run->call->ring, i, found, &row[i]);
    }
    gb_scratch_give(B->X, axis, found);
    const gbl_Info state = gb_progress_end(g->meter);
    if (info == GBL_SUCCESS) info = state;
    if (info == GBL_SUCCESS) info = join(row, m, size, T);
    if (info == GBL_SUCCESS) info = cut(g, T);
    if (info != GBL_SUCCESS) gb_cs_free(T);
    for (uint64_t i = 0; i < m; i++) gb_cs_free(&row[i]);
    return info;
}
