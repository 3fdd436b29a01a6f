/* SPDX-License-Identifier: Apache-2.0
 *
 * See entry_list.h.
 */
#include "ops/entry_list.h"

void gb_entry_list_release(gb_EntryList *t) {
    gb_free(t->block, t->bytes);
    gb_free(t->X, t->xbytes);
    *t = (gb_EntryList){0};
}

gbl_Info gb_entry_list_new(gb_EntryList *t, uint64_t n, bool vector, const gb_Type *type) {
    *t = (gb_EntryList){.n = n,
                        .type = type,
                        .bytes = gb_size_of(n + 1, (vector ? 1 : 2) * sizeof *t->I),
                        .xbytes = gb_size_of(n + 1, type->size)};
    t->block = t->I = gb_malloc(t->bytes);
    t->X = gb_malloc(t->xbytes);
    if (!vector && t->I != NULL) t->J = t->I + n;
    if (t->I != NULL && t->X != NULL) return GBL_SUCCESS;
    const size_t bytes = t->bytes > t->xbytes ? t->bytes : t->xbytes;
    gb_entry_list_release(t);
    return gb_fail_memory(bytes);
}

gbl_Info gb_entry_list_of(gb_EntryList *t, gb_Matrix *A, const gb_Type *type) {
    *t = (gb_EntryList){0};
    gbl_Info info = gb_assemble(A);
    if (info == GBL_SUCCESS) info = gb_entry_list_new(t, A->nvals, gb_is_vector(A), type);
    if (info == GBL_SUCCESS) info = gb_matrix_extract(A, t->I, t->J, t->X, type);
    if (info != GBL_SUCCESS) gb_entry_list_release(t);
    return info;
}

gbl_Info gb_entry_list_check(const gb_EntryList *t, const char *name, uint64_t limit) {
    const gbl_Index *value = gb_entry_indices(t);
    for (uint64_t k = 0; k < t->n; k++)
        if (value[k] >= limit) return gb_fail_index(name, t->I[k], value[k], limit);
    return GBL_SUCCESS;
}

gbl_Info gb_entry_list_to(gb_Matrix **T, const gb_Matrix *like, gb_Type *type,
                          const gb_EntryList *t, const gb_BinaryOp *dup) {
    const gb_Values values = {.type = t->type, .x = t->X, .sx = 1};
    gbl_Info info = gb_matrix_new(T, like->magic, type, like->nrows, like->ncols);
    if (info == GBL_SUCCESS) info = gb_matrix_build(*T, t->I, t->J, &values, t->n, dup);
    if (info == GBL_SUCCESS) return info;
    gb_matrix_free(*T);
    *T = NULL;
    return info;
}
