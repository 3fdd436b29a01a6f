/* SPDX-License-Identifier: Apache-2.0
 *
 * See sell.h.
 */
#include "matrix/sell.h"

#include "kernel_api/backend.h"
#include "core/context.h"
#include "core/memory.h"
#include "core/tune.h"
#include "matrix/bits.h"

/* The product that makes them, or their values of `size` bytes. */
static unsigned worth(const gb_CsView *A, size_t size) {
    const bool is_long = A->nvals / GB_SELL_LONG >= A->nmajor;
    const bool is_large = A->nvals >= GB_SELL_LARGE / (sizeof(gb_Idx) + size);
    return size > 0 && is_long && is_large ? GB_SELL_WORTH_LONG : GB_SELL_WORTH;
}

/* Whether the columns of every window are so close that 2 bytes tell them apart. A is sorted. */
static bool is_near(const gb_CsView *A) {
    for (uint64_t from = 0, to; from < A->nmajor; from = to) {
        gb_Idx first = UINT32_MAX, last = 0;
        to = A->nmajor - from < GB_SELL_WINDOW ? A->nmajor : from + GB_SELL_WINDOW;
        for (uint64_t r = from; r < to; r++) {
            if (A->p[r] == A->p[r + 1]) continue;
            if (A->i[A->p[r]] < first) first = A->i[A->p[r]];
            if (A->i[A->p[r + 1] - 1] > last) last = A->i[A->p[r + 1] - 1];
        }
        if (last >= first && last - first > GB_SELL_NEAR) return false;
    }
    return true;
}

/* Bytes of slices without values; false: too many. */
static bool bytes_of(size_t *bytes, const gb_CsView *A, bool near) {
    const uint64_t windows = (A->nmajor + GB_SELL_WINDOW - 1) / GB_SELL_WINDOW;
    size_t slices, bases, columns;
    return gb_size_mul(&slices, gb_sell_slices(A->nmajor), sizeof(gb_SellSlice)) &&
           gb_size_mul(&bases, near ? windows : 0, sizeof(gb_Idx)) &&
           gb_size_mul(&columns, A->nvals, near ? sizeof(uint16_t) : sizeof(gb_Idx)) &&
           !__builtin_add_overflow(slices, bases, &slices) &&
           !__builtin_add_overflow(slices, columns, bytes);
}

/* Under the lock. Slices that are there stay where they are, since others may be reading them, and
 * get values. Where memory is short all is as before. */
static void make(gb_SellCache *cache, const gb_CsView *A, size_t size) {
    gb_SellCache made = *cache;
    const bool fresh = made.block == NULL;
    if (fresh) made.view.near = is_near(A);
    if (!bytes_of(&made.bytes, A, made.view.near) ||
        !gb_size_mul(&made.value_bytes, A->nvals, size))
        return;
    if (fresh) made.block = gb_malloc(made.bytes);
    if (size > 0 && made.block != NULL) made.values = gb_malloc(made.value_bytes);
    if (made.block != NULL && (size == 0 || made.values != NULL) &&
        gb_backend()->make_sell(A, fresh ? made.block : NULL, made.values, size, &made.view,
                                gb_nthreads())) {
        *cache = made;
        return;
    }
    gb_free(made.values, made.value_bytes);
    if (fresh) gb_free(made.block, made.bytes);
}

gb_SellView gb_sell_get(gb_Matrix *X, gb_Format format, const gb_CsView *A, bool values) {
    gb_SellView found = {0};
    pthread_mutex_lock(&X->lock);
    gb_RowCaches *rows = gb_row_caches(X, format);
    if (rows != NULL) {
        gb_SellCache *cache = &rows->strips;
        void *const *wanted = values ? &cache->values : &cache->block;
        const size_t size = values ? A->xsize : 0;
        if (*wanted == NULL && ++cache->products[values] >= worth(A, size)) make(cache, A, size);
        if (*wanted != NULL) found = cache->view;
    }
    pthread_mutex_unlock(&X->lock);
    return found;
}
