/* SPDX-License-Identifier: Apache-2.0
 *
 * See insert.h.
 */
#include "matrix/insert.h"

#include <string.h>

#include "core/memory.h"
#include "core/search.h"

enum { LEAST_CAPACITY = 16 }; /* entries */

/* Capacity for one more entry; the arrays stay as they are when there is no memory. */
static gbl_Info make_capacity(gb_Cs *cs, size_t size) {
    const bool grows_x = !cs->iso && cs->xcap / size <= cs->nvals;
    if (cs->icap > cs->nvals && !grows_x) return GBL_SUCCESS;
    const uint64_t wanted = cs->nvals < LEAST_CAPACITY ? LEAST_CAPACITY : 2 * cs->nvals;
    size_t ibytes, xbytes;
    if (!gb_size_mul(&ibytes, wanted, sizeof(gb_Idx)) || !gb_size_mul(&xbytes, wanted, size))
        return gb_fail_memory(SIZE_MAX);
    gb_Idx *i = gb_resize(cs->i, cs->icap * sizeof(gb_Idx), ibytes, cs->nvals * sizeof(gb_Idx));
    if (i == NULL) return gb_fail_memory(ibytes);
    cs->i = i;
    cs->icap = wanted;
    if (!grows_x) return GBL_SUCCESS;
    void *x = gb_resize(cs->x, cs->xcap, xbytes, cs->nvals * size);
    if (x == NULL) return gb_fail_memory(xbytes);
    cs->x = x;
    cs->xcap = xbytes;
    return GBL_SUCCESS;
}

static void put(gb_Cs *cs, uint64_t major, uint64_t minor, gb_Off at, const void *x, size_t size) {
    const uint64_t behind = cs->nvals - at;
    memmove(cs->i + at + 1, cs->i + at, behind * sizeof(gb_Idx));
    cs->i[at] = (gb_Idx)minor;
    if (!cs->iso) {
        char *here = (char *)cs->x + at * size;
        memmove(here + size, here, behind * size);
        memcpy(here, x, size);
    }
    for (uint64_t k = major + 1; k <= cs->nmajor; k++) cs->p[k]++;
    cs->nvals++;
}

static void take(gb_Cs *cs, uint64_t major, gb_Off at, size_t size) {
    const uint64_t behind = cs->nvals - at - 1;
    memmove(cs->i + at, cs->i + at + 1, behind * sizeof(gb_Idx));
    if (!cs->iso) {
        char *here = (char *)cs->x + at * size;
        memmove(here, here + size, behind * size);
    }
    for (uint64_t k = major + 1; k <= cs->nmajor; k++) cs->p[k]--;
    cs->nvals--;
}

gbl_Info gb_insert(gb_Matrix *A, uint64_t row, uint64_t col, const void *x, bool moves,
                   bool *done) {
    const unsigned lists = A->has & GB_HAS_LISTS;
    const gb_Format usual = gb_is_vector(A) ? GB_CSC : GB_CSR;
    const gb_Format format = lists & gb_has_bit(usual) ? usual : 1 - usual;
    const size_t size = A->type->size;
    gb_Cs *cs = &A->cs[format];
    *done = false;
    if (lists == 0 || gb_is_dense(A) || !cs->sorted) return GBL_SUCCESS;
    if (x != NULL && cs->iso && memcmp(x, cs->x, size) != 0) return GBL_SUCCESS;
    const uint64_t major = format == GB_CSR ? row : col, minor = format == GB_CSR ? col : row;
    const gb_Off end = cs->p[major + 1], at = gb_first_at_least(cs->i, cs->p[major], end, minor);
    const bool exists = at < end && cs->i[at] == minor;
    const bool has_to_move = x == NULL || !exists;
    if (cs->lender != NULL) return GBL_SUCCESS;
    if (has_to_move && (!moves || cs->foreign)) return GBL_SUCCESS;
    *done = true;
    if (x == NULL && !exists) return GBL_SUCCESS;
    if (!has_to_move) {
        gb_overwrite(A, format, cs->iso ? NULL : (char *)cs->x + at * size, x);
        return GBL_SUCCESS;
    }
    if (x == NULL && cs->nvals == 1) {
        gb_matrix_clear(A);
        return GBL_SUCCESS;
    }
    const gbl_Info info = x != NULL ? make_capacity(cs, size) : GBL_SUCCESS;
    if (info != GBL_SUCCESS) return info;
    gb_matrix_keep_only(A, gb_has_bit(format));
    if (x == NULL)
        take(cs, major, at, size);
    else
        put(cs, major, minor, at, x, size);
    A->nvals = cs->nvals;
    gb_matrix_set_ready(A, format); /* still sorted */
    return GBL_SUCCESS;
}
