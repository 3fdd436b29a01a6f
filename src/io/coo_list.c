/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of entries: their arrays. See coo.h.
 */
#include "coo.h"

/* Grows one array; *grown says whether that worked. */
static void *grow(void *array, const gb_Coo *coo, uint64_t capacity, size_t size, bool *grown) {
    if (size == 0 || !*grown) return array;
    void *const block = gb_io_resize(array, coo->capacity, capacity, size);
    *grown = block != NULL;
    return block ? block : array;
}

gbl_Info gb_coo_reserve(gb_Coo *coo, uint64_t n, uint64_t most, const char *what) {
    if (n <= coo->capacity) return GBL_SUCCESS;
    uint64_t capacity = n;
    if (capacity / 2 < coo->capacity) capacity = 2 * coo->capacity;
    if (capacity > most) capacity = most;
    const size_t index = coo->full || coo->wide ? 0 : sizeof(uint32_t);
    const size_t wide = coo->wide ? sizeof(gbl_Index) : 0;
    uint64_t bytes;
    bool grown = !__builtin_mul_overflow(capacity, 2 * (2 * (index + wide) + coo->size), &bytes);
    gbl_Info info = grown ? gb_io_claim(bytes, what) : GBL_SUCCESS;
    if (info == GBL_SUCCESS) {
        coo->i = grow(coo->i, coo, capacity, index, &grown);
        coo->j = grow(coo->j, coo, capacity, index, &grown);
        coo->wi = grow(coo->wi, coo, capacity, wide, &grown);
        coo->wj = grow(coo->wj, coo, capacity, wide, &grown);
        coo->x = grow(coo->x, coo, capacity, coo->size, &grown);
        if (!grown) info = gb_io_no_memory(what);
    }
    if (info == GBL_SUCCESS) {
        coo->capacity = capacity;
    } else {
        gb_coo_free(coo);
    }
    return info;
}

void gb_coo_free(gb_Coo *coo) {
    gbl_Memory_free(coo->i);
    gbl_Memory_free(coo->j);
    gbl_Memory_free(coo->wi);
    gbl_Memory_free(coo->wj);
    gbl_Memory_free(coo->x);
    coo->i = coo->j = NULL;
    coo->wi = coo->wj = NULL;
    coo->x = NULL;
    coo->n = coo->capacity = 0;
}

void gb_coo_transpose(gb_Coo *coo) {
    uint32_t *const i = coo->i;
    const gbl_Index nrows = coo->nrows;
    coo->i = coo->j;
    coo->j = i;
    coo->nrows = coo->ncols;
    coo->ncols = nrows;
}
