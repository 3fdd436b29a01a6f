/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about an object; see inspect.h.
 */
#include "matrix/inspect.h"

#include "kernel_api/backend.h"
#include "core/context.h"
#include "core/tiles.h"
#include "matrix/lifetime.h"
#include "matrix/acquire.h"
#include "matrix/pending.h"

static uint64_t cs_bytes(const gb_Cs *cs) {
    return (cs->nmajor + 1) * sizeof(gb_Off) + cs->icap * sizeof(gb_Idx) + cs->xcap;
}

/* Under the lock: what the compact matrix has, and the axes. */
static void hyper_formats(const gb_Matrix *A, gbl_Formats *formats) {
    const gb_Hyper *hyper = A->hyper;
    gbl_Formats core;
    gb_matrix_formats(hyper->core, &core);
    formats->present |= core.present;
    formats->sorted = formats->sorted && core.sorted;
    formats->conversions += core.conversions;
    formats->bytes += core.bytes + gb_row_list_bytes(hyper->rows);
    if (hyper->cols != NULL && hyper->cols != hyper->rows)
        formats->bytes += gb_row_list_bytes(hyper->cols);
}

void gb_matrix_formats(gb_Matrix *A, gbl_Formats *formats) {
    pthread_mutex_lock(&A->lock); /* a reader may be assembling */
    *formats = (gbl_Formats){.present = A->has & ~(unsigned)GB_HAS_TILES_OF_COLUMNS,
                             .iso = A->iso,
                             .sorted = true,
                             .pending = gb_pending_count(A),
                             .conversions = A->conversions};
    for (gb_Format format = GB_CSR; format <= GB_CSC; format++) {
        if (A->has & gb_tiles_bit(format)) formats->bytes += gb_tiles_bytes(&A->tiles[format]);
        if (!(A->has & gb_has_bit(format))) continue;
        formats->sorted = formats->sorted && A->cs[format].sorted;
        formats->bytes += cs_bytes(&A->cs[format]);
    }
    if (A->has & GBL_HAS_BITMAP) formats->bytes += A->dense.n;
    formats->bytes += A->dense.xcap;
    if (A->hyper != NULL) hyper_formats(A, formats);
    pthread_mutex_unlock(&A->lock);
}

/* Tiles with entries: as many for A as for A', so any representation serves. */
static gbl_Info count_tiles(gb_Matrix *A, uint64_t *tiles) {
    const unsigned has = gb_has(A);
    if (has & (gb_tiles_bit(GB_CSR) | gb_tiles_bit(GB_CSC))) {
        gb_TileView view;
        const gb_Format format = has & gb_tiles_bit(GB_CSR) ? GB_CSR : GB_CSC;
        const gbl_Info info = gb_acquire_tiles(A, format, &view);
        for (uint64_t t = 0; info == GBL_SUCCESS && t < view.ntiles; t++)
            *tiles += view.nnz[t] < view.nnz[t + 1];
        return info;
    }
    gb_CsView view;
    gb_Format format;
    gbl_Info info = gb_any_format(A, GB_CSR, &format);
    if (info == GBL_SUCCESS) info = gb_acquire(A, format, &view);
    return info == GBL_SUCCESS ? gb_backend()->count_tiles(&view, tiles, gb_nthreads()) : info;
}

gbl_Info gb_matrix_tiles(gb_Matrix *A, gbl_TileFacts *facts) {
    uint64_t nvals, tiles = 0;
    gbl_Info info = gb_matrix_nvals(A, &nvals);
    if (info == GBL_SUCCESS && gb_is_huge(A)) info = gb_fail_hyper(A);
    if (info == GBL_SUCCESS && nvals > 0) info = count_tiles(A, &tiles);
    if (info != GBL_SUCCESS) return info;
    const size_t xbytes = (A->iso && nvals > 0 ? 1 : nvals) * A->type->size;
    const gb_Tiles as_tiles = {.nmajor = A->nrows, .ntiles = tiles, .nvals = nvals, .xcap = xbytes};
    const gb_Cs as_rows = {.nmajor = A->nrows, .icap = nvals, .xcap = xbytes};
    *facts = (gbl_TileFacts){.tiles = tiles,
                             .fill = tiles > 0 ? (double)nvals / (double)tiles : 0.0,
                             .bytes = gb_tiles_bytes(&as_tiles),
                             .bytes_rows = cs_bytes(&as_rows)};
    return GBL_SUCCESS;
}

gbl_Info gb_matrix_wait(gb_Matrix *A, gbl_WaitMode mode) {
    gbl_Info info = gb_assemble(A);
    if (info != GBL_SUCCESS || mode == GBL_COMPLETE) return info;
    if (A->hyper != NULL) info = gb_matrix_wait(A->hyper->core, mode);
    if (info != GBL_SUCCESS) return info;
    if (gb_has(A) == GBL_HAS_DEVICE) {
        gb_CsView view;
        info = gb_acquire(A, gb_device_format(A), &view);
    }
    const unsigned has = gb_has(A);
    for (gb_Format format = GB_CSR; format <= GB_CSC && info == GBL_SUCCESS; format++) {
        gb_CsView view;
        if (has & gb_has_bit(format)) info = gb_acquire_sorted(A, format, &view);
        if (info == GBL_SUCCESS && has & gb_tiles_bit(format))
            info = gb_drop_empty_tiles(A, format);
    }
    return info;
}
