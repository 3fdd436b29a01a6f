/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorted rows that are collected from slices of a product.
 */
#include "dist.h"

#include <string.h>

gbl_Info gb_rows_new(gb_Rows *rows, uint64_t nrows) {
    *rows = (gb_Rows){.nrows = nrows};
    rows->arrays.p = gb_array(nrows + 1, sizeof *rows->arrays.p);
    if (!rows->arrays.p) return gb_no_memory("pointers to rows");
    rows->arrays.p[0] = 0;
    return GBL_SUCCESS;
}

void gb_rows_free(gb_Rows *rows) {
    gbl_Memory_free(rows->arrays.p);
    gbl_Memory_free(rows->arrays.i);
    gbl_Memory_free(rows->arrays.x);
    *rows = (gb_Rows){0};
}

/* The block grown, by a copy where the allocator cannot. */
static bool grow(void *array, uint64_t used, uint64_t room) {
    void **at = array;
    void *grown = room <= PTRDIFF_MAX ? gbl_Memory_realloc(*at, room > 0 ? room : 1) : NULL;
    if (!grown && (grown = gb_array(room, 1)) != NULL) {
        if (used > 0) memcpy(grown, *at, used);
        gbl_Memory_free(*at);
    }
    if (grown) *at = grown;
    return grown != NULL;
}

gbl_Info gb_rows_reserve(gb_Rows *rows, uint64_t more, size_t size) {
    gbl_Arrays *a = &rows->arrays;
    const uint64_t used = a->p[rows->done], wanted = used + more;
    if (wanted <= rows->room && a->i && a->x) return GBL_SUCCESS;
    if (!grow(&a->i, used * sizeof *a->i, wanted * sizeof *a->i) ||
        !grow(&a->x, used * size, wanted * size))
        return gb_no_memory("a product");
    rows->room = wanted;
    return GBL_SUCCESS;
}

static void free_arrays(gbl_Arrays *a) {
    gbl_Memory_free(a->p);
    gbl_Memory_free(a->i);
    gbl_Memory_free(a->x);
}

gbl_Info gb_rows_append(gb_Rows *rows, gbl_Matrix T, uint64_t nrows, size_t size) {
    gbl_Arrays a = {0};
    gbl_Info info = GBL_SUCCESS;
    const uint64_t base = rows->arrays.p[rows->done];
    if (T && (info = gbl_Matrix_moveOut(T, GBL_CSR_FORMAT, &a))) return info;
    const uint64_t n = T ? a.p[nrows] : 0;
    if ((info = gb_rows_reserve(rows, n, size))) goto done;
    for (uint64_t k = 0; k <= nrows; k++) rows->arrays.p[rows->done + k] = base + (T ? a.p[k] : 0);
    if (n > 0) memcpy(rows->arrays.i + base, a.i, n * sizeof *a.i);
    char *x = (char *)rows->arrays.x + base * size;
    for (uint64_t k = 0; a.iso && k < n; k++) memcpy(x + k * size, a.x, size);
    if (!a.iso && n > 0) memcpy(x, a.x, n * size);
    rows->done += nrows;
done:
    free_arrays(&a);
    return info;
}

gbl_Info gb_rows_to_matrix(gbl_Matrix *A, gb_Rows *rows, gbl_Type type, gbl_Index ncols) {
    return gbl_Matrix_moveIn(A, type, rows->nrows, ncols, GBL_CSR_FORMAT, &rows->arrays);
}
