/* SPDX-License-Identifier: Apache-2.0
 *
 * See strips.h.
 */
#include "matrix/strips.h"

#include "backend/backend.h"
#include "core/context.h"
#include "core/memory.h"
#include "core/tune.h"
#include "matrix/bits.h"

/* The product that makes them, or their values of `size` bytes. */
static unsigned worth(const gb_CsView *A, size_t size) {
    const bool is_long = A->nvals / GB_STRIPS_LONG >= A->nmajor;
    const bool is_large = A->nvals >= GB_STRIPS_LARGE / (sizeof(gb_Idx) + size);
    return size > 0 && is_long && is_large ? GB_STRIPS_WORTH_LONG : GB_STRIPS_WORTH;
}

/* Under the lock. Strips that are there stay where they are, since others may be reading them, and
 * get values. Where memory is short all is as before. */
static void make(gb_StripCache *cache, const gb_CsView *A, size_t size) {
    gb_StripCache made = *cache;
    const bool fresh = made.block == NULL;
    size_t strips, indices;
    if (!gb_size_mul(&strips, gb_strips_for(A->nmajor), sizeof(gb_Strip)) ||
        !gb_size_mul(&indices, A->nvals, sizeof(gb_Idx)) ||
        !gb_size_mul(&made.value_bytes, A->nvals, size) ||
        __builtin_add_overflow(strips, indices, &made.bytes))
        return;
    if (fresh) made.block = gb_malloc(made.bytes);
    if (size > 0 && made.block != NULL) made.values = gb_malloc(made.value_bytes);
    if (made.block != NULL && (size == 0 || made.values != NULL) &&
        gb_backend()->make_strips(A, fresh ? made.block : NULL, made.values, size, &made.view,
                                  gb_nthreads())) {
        *cache = made;
        return;
    }
    gb_free(made.values, made.value_bytes);
    if (fresh) gb_free(made.block, made.bytes);
}

gb_StripView gb_strips_get(gb_Matrix *X, gb_Format format, const gb_CsView *A, bool values) {
    gb_StripView found = {0};
    pthread_mutex_lock(&X->lock);
    gb_RowCaches *rows = gb_row_caches(X, format);
    if (rows != NULL) {
        gb_StripCache *cache = &rows->strips;
        void *const *wanted = values ? &cache->values : &cache->block;
        const size_t size = values ? A->xsize : 0;
        if (*wanted == NULL && ++cache->products[values] >= worth(A, size)) make(cache, A, size);
        if (*wanted != NULL) found = cache->view;
    }
    pthread_mutex_unlock(&X->lock);
    return found;
}
