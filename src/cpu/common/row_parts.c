/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of rows; see row_parts.h.
 */
#include "cpu/common/row_parts.h"

#include <string.h>

#include "core/arrays.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/search.h"
#include "core/tune.h"

uint64_t gb_sum_rows(gb_Cs *T) {
    uint64_t most = 0, sum = 0;
    T->p[0] = 0;
    for (uint64_t r = 1; r <= T->nmajor; r++) {
        const uint64_t count = T->p[r];
        most = count > most ? count : most;
        sum = count < PTRDIFF_MAX - sum ? sum + count : PTRDIFF_MAX; /* no array is so long */
        T->p[r] = sum;
    }
    return most;
}

void gb_row_parts_renew(gb_RowParts *parts, const gb_Cs *T) {
    const uint64_t rows = T->nmajor, work = rows + T->p[rows];
    uint64_t from = 0;
    for (uint64_t t = 0; t < parts->n; t++) {
        const bool last = t + 1 == parts->n;
        const uint64_t end = gb_part(work, t + 1, parts->n);
        const uint64_t to = last ? rows : gb_row_at_work(T->p, rows, 1, end);
        parts->part[t] = (gb_RowPart){.from = from, .to = to, .first = T->p[from]};
        from = to;
    }
}

gbl_Info gb_row_parts_make(gb_RowParts *parts, const gb_Cs *T, int nthreads) {
    parts->threads = gb_threads_for(T->nmajor + T->p[T->nmajor], GB_GRAIN, nthreads);
    parts->n = (uint64_t)gb_parts_for(parts->threads);
    const size_t bytes = parts->n * sizeof *parts->part;
    parts->part = gb_malloc(bytes);
    if (parts->part == NULL) return gb_fail_memory(bytes);
    gb_row_parts_renew(parts, T);
    return GBL_SUCCESS;
}

void gb_row_parts_free(gb_RowParts *parts) {
    gb_free(parts->part, parts->n * sizeof *parts->part);
    parts->part = NULL;
}

gbl_Info gb_row_parts_alloc(gb_Cs *T, size_t xsize) {
    const uint64_t nvals = T->p[T->nmajor];
    size_t ibytes, xbytes;
    if (!gb_size_mul(&ibytes, nvals, sizeof *T->i) ||
        !gb_size_mul(&xbytes, T->iso && nvals > 0 ? 1 : nvals, xsize))
        return gb_fail_memory(SIZE_MAX);
    T->i = gb_malloc(ibytes);
    T->icap = nvals;
    T->x = gb_malloc(xbytes);
    T->xcap = xbytes;
    T->nvals = nvals;
    if (nvals == 0 || (T->i != NULL && (T->x != NULL || xbytes == 0))) return GBL_SUCCESS;
    return gb_fail_memory(ibytes <= SIZE_MAX - xbytes ? ibytes + xbytes : SIZE_MAX);
}

void gb_row_parts_close(const gb_RowParts *parts, gb_Cs *T, size_t xsize) {
    const size_t size = T->iso ? 0 : xsize;
    uint64_t q = 0;
    for (uint64_t t = 0; t < parts->n; t++) {
        const gb_RowPart *part = &parts->part[t];
        const uint64_t n = part->end - part->first, gap = part->first - q;
        for (uint64_t r = part->from; gap > 0 && r < part->to; r++) T->p[r] -= gap;
        if (gap > 0 && n > 0) {
            memmove(T->i + q, T->i + part->first, n * sizeof *T->i);
            memmove((char *)T->x + q * size, (char *)T->x + part->first * size, n * size);
        }
        q += n;
    }
    T->p[T->nmajor] = T->nvals = q;
    gb_cs_trim(T, xsize);
}
