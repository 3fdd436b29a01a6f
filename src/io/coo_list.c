/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of entries: their arrays. See coo.h.
 */
#include "coo.h"
#include "files.h"

/* Grows one array, if info says that all is well so far. */
static gbl_Info grow(gbl_Info info, void *array, const gb_Coo *coo, uint64_t capacity, size_t size,
                     const char *what) {
    void **const at = array;
    if (size == 0 || info != GBL_SUCCESS) return info;
    if (coo->to) return gb_io_map(array, capacity, size);
    void *const block = gb_io_resize(*at, coo->capacity, capacity, size);
    if (!block)
        return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for %s: no block of %.0f bytes",
                        what, (double)capacity * (double)size);
    *at = block;
    return GBL_SUCCESS;
}

gbl_Info gb_coo_reserve(gb_Coo *coo, uint64_t n, uint64_t most, const char *what) {
    if (n <= coo->capacity) return GBL_SUCCESS;
    uint64_t capacity = n;
    if (coo->to)
        capacity += n / 8; /* nothing is copied */
    else if (capacity / 2 < coo->capacity)
        capacity = 2 * coo->capacity;
    if (capacity > most) capacity = most;
    const size_t index = coo->full || coo->wide ? 0 : sizeof(uint32_t);
    const size_t second = coo->by_rows ? 0 : index, wide = coo->wide ? sizeof(gbl_Index) : 0;
    uint64_t bytes;
    if (__builtin_mul_overflow(capacity, 2 * (index + second + 2 * wide + coo->size), &bytes))
        bytes = UINT64_MAX;
    gbl_Info info = coo->to ? GBL_SUCCESS : gb_io_claim(bytes, what);
    info = grow(info, &coo->i, coo, capacity, index, what);
    info = grow(info, &coo->j, coo, capacity, second, what);
    info = grow(info, &coo->wi, coo, capacity, wide, what);
    info = grow(info, &coo->wj, coo, capacity, wide, what);
    info = grow(info, &coo->x, coo, capacity, coo->size, what);
    if (info == GBL_SUCCESS) {
        coo->capacity = capacity;
    } else {
        gb_coo_free(coo);
    }
    return info;
}

void gb_coo_release(const gb_Coo *coo, void *block) {
    (coo->to ? gb_io_unmap : gbl_Memory_free)(block);
}

void gb_coo_free(gb_Coo *coo) {
    gb_coo_release(coo, coo->i);
    gb_coo_release(coo, coo->j);
    gb_coo_release(coo, coo->wi);
    gb_coo_release(coo, coo->wj);
    gb_coo_release(coo, coo->p);
    gb_coo_release(coo, coo->x);
    coo->i = coo->j = NULL;
    coo->wi = coo->wj = coo->p = NULL;
    coo->x = NULL;
    coo->n = coo->capacity = 0;
}

/* Elements of an array, which is mapped as the list is. */
void gb_coo_leave_some(const gb_Coo *coo, void *array, uint64_t from, uint64_t to, size_t size) {
    if (coo->to) gb_io_discard(array, from, to, size);
}

void gb_coo_leave(const gb_Coo *coo, uint64_t from, uint64_t to) {
    gb_coo_leave_some(coo, coo->i, from, to, sizeof *coo->i);
    gb_coo_leave_some(coo, coo->j, from, to, sizeof *coo->j);
    gb_coo_leave_some(coo, coo->wi, from, to, sizeof *coo->wi);
    gb_coo_leave_some(coo, coo->wj, from, to, sizeof *coo->wj);
    gb_coo_leave_some(coo, coo->x, from, to, coo->size);
}

void gb_coo_transpose(gb_Coo *coo) {
    uint32_t *const i = coo->i;
    const gbl_Index nrows = coo->nrows;
    coo->i = coo->j;
    coo->j = i;
    coo->nrows = coo->ncols;
    coo->ncols = nrows;
}

/* A block as the list has them, if info says that all is well so far. */
gbl_Info gb_coo_block(gbl_Info info, void *array, const gb_Coo *coo, uint64_t count, size_t size) {
    void **const at = array;
    if (size == 0 || info != GBL_SUCCESS) return info;
    if (coo->to) return gb_io_map(array, count + 1, size);
    *at = gbl_Memory_malloc(count * size + 1);
    return *at ? GBL_SUCCESS : gb_io_no_memory("the entries");
}

gbl_Info gb_coo_fail_sum(const char *name, const char *given) {
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "%s: %s is given more than once, and its type does not hold the sum; take "
                    "the largest, the smallest or the first value (duplicates), or real values",
                    name, given);
}

gbl_Info gb_coo_deliver(gbl_Matrix *A, const gb_Coo *coo, const gb_Kind *kind, gbl_Format format,
                        gbl_Arrays *arrays) {
    const bool by_rows = format == GBL_CSR_FORMAT;
    const gb_Shape shape = {by_rows ? coo->nrows : coo->ncols, by_rows ? coo->ncols : coo->nrows};
    gbl_Info info = GBL_SUCCESS;
    if (coo->size == 0) {
        arrays->iso = true;
        info = gb_coo_block(info, &arrays->x, coo, 1, kind->size);
        if (info == GBL_SUCCESS) gb_io_store_real(arrays->x, 0, kind->code, 1);
    }
    if (info == GBL_SUCCESS && !coo->to) return gb_io_move_in(A, kind, shape, format, arrays);
    if (info == GBL_SUCCESS) info = gb_file_arrays(coo->to, kind, shape, format, arrays);
    gb_coo_release(coo, arrays->p);
    gb_coo_release(coo, arrays->i);
    gb_coo_release(coo, arrays->x);
    return info;
}
