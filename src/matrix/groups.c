/* SPDX-License-Identifier: Apache-2.0
 *
 * See groups.h.
 */
#include "matrix/groups.h"

#include "kernel_api/backend.h"
#include "core/context.h"
#include "core/memory.h"
#include "matrix/bits.h"
#include "matrix/acquire.h"

gb_GroupCache gb_groups_at_hand(gb_Matrix *A, gb_Format format) {
    gb_GroupCache found = {0};
    pthread_mutex_lock(&A->lock);
    if (A->rows[format] != NULL) found = A->rows[format]->groups;
    pthread_mutex_unlock(&A->lock);
    return found;
}

/* Under the lock. */
static gbl_Info make(gb_GroupCache *cache, const gb_CsView *A) {
    size_t bytes;
    if (!gb_size_mul(&bytes, A->nmajor, sizeof *cache->order)) return gb_fail_memory(SIZE_MAX);
    gb_Idx *order = gb_malloc(bytes);
    if (order == NULL) return gb_fail_memory(bytes);
    const gbl_Info info = gb_backend()->group_rows(A, order, gb_nthreads());
    if (info != GBL_SUCCESS) {
        gb_free(order, bytes);
        return info;
    }
    cache->order = order;
    cache->bytes = bytes;
    return GBL_SUCCESS;
}

gbl_Info gb_groups_get(const gb_Idx **order, gb_Matrix *A, gb_Format format) {
    gb_CsView view;
    gbl_Info info = gb_acquire(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    pthread_mutex_lock(&A->lock);
    gb_RowCaches *rows = gb_row_caches(A, format);
    if (rows == NULL)
        info = gb_fail_memory(sizeof *rows);
    else if (rows->groups.order == NULL)
        info = make(&rows->groups, &view);
    *order = info == GBL_SUCCESS ? rows->groups.order : NULL;
    pthread_mutex_unlock(&A->lock);
    return info;
}

void gb_groups_credit(gb_Matrix *A, gb_Format format, double seconds) {
    pthread_mutex_lock(&A->lock);
    gb_RowCaches *rows = gb_row_caches(A, format);
    if (rows != NULL) rows->groups.saved += seconds;
    pthread_mutex_unlock(&A->lock);
}

void gb_groups_give_up(gb_Matrix *A, gb_Format format) {
    pthread_mutex_lock(&A->lock);
    gb_RowCaches *rows = gb_row_caches(A, format);
    if (rows != NULL) rows->groups.hopeless = true;
    pthread_mutex_unlock(&A->lock);
}
