/* SPDX-License-Identifier: Apache-2.0
 *
 * See strips.h.
 */
#include "matrix/strips.h"

#include "backend/backend.h"
#include "core/context.h"
#include "core/memory.h"
#include "matrix/bits.h"

/* Under the lock; leaves nothing where memory is short. */
static void make(gb_StripCache *cache, const gb_CsView *A, size_t size) {
    size_t rows, entries, bytes;
    if (!gb_size_mul(&rows, gb_strips_for(A->nmajor), sizeof(gb_Strip)) ||
        !gb_size_mul(&entries, A->nvals, sizeof(gb_Idx) + size) ||
        __builtin_add_overflow(rows, entries, &bytes))
        return;
    void *block = gb_malloc(bytes);
    if (block == NULL) return;
    gb_backend()->make_strips(A, size, block, &cache->view, gb_nthreads());
    if (cache->view.nstrips == 0) {
        gb_free(block, bytes);
        return;
    }
    cache->block = block;
    cache->bytes = bytes;
}

gb_StripView gb_strips_get(gb_Matrix *X, gb_Format format, const gb_CsView *A, bool values) {
    gb_StripView found = {0};
    pthread_mutex_lock(&X->lock);
    gb_RowCaches *rows = gb_row_caches(X, format);
    if (rows != NULL) {
        gb_StripCache *valued = &rows->strips[1];
        gb_StripCache *cache = values || valued->block != NULL ? valued : &rows->strips[0];
        if (cache->block == NULL && ++cache->products >= GB_STRIPS_WORTH)
            make(cache, A, values ? A->xsize : 0);
        found = cache->view;
    }
    pthread_mutex_unlock(&X->lock);
    return found;
}
