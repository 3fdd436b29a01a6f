/* SPDX-License-Identifier: Apache-2.0
 *
 * See axis.h. Two axes are united by a merge, or, where one is far shorter, by a search of each of
 * its indices: mostly all of them are found and the longer axis is the union.
 */
#include "matrix/row_list.h"

#include <string.h>

#include "core/memory.h"
#include "core/search.h"
#include "core/status.h"

gbl_Info gb_row_list_new(gb_RowList **axis, uint64_t n) {
    *axis = NULL;
    if (n > GB_COMPACT_MAX)
        return gb_fail(GBL_OUT_OF_MEMORY,
                       "entries stand in %llu different rows or columns; at most %llu of a "
                       "dimension can have any",
                       (unsigned long long)n, (unsigned long long)GB_COMPACT_MAX);
    const size_t bytes = sizeof(gb_RowList) + n * sizeof(uint64_t);
    gb_RowList *made = gb_malloc(bytes);
    if (made == NULL) return gb_fail_memory(bytes);
    made->refs = 1;
    made->n = n;
    *axis = made;
    return GBL_SUCCESS;
}

gbl_Info gb_row_list_of_first(gb_RowList **axis, uint64_t n) {
    const gbl_Info info = gb_row_list_new(axis, n);
    for (uint64_t k = 0; info == GBL_SUCCESS && k < n; k++) (*axis)->index[k] = k;
    return info;
}

gb_RowList *gb_row_list_retain(gb_RowList *axis) {
    if (axis != NULL) __atomic_add_fetch(&axis->refs, 1, __ATOMIC_RELAXED);
    return axis;
}

void gb_row_list_release(gb_RowList *axis) {
    if (axis != NULL && __atomic_sub_fetch(&axis->refs, 1, __ATOMIC_ACQ_REL) == 0)
        gb_free(axis, gb_row_list_bytes(axis));
}

size_t gb_row_list_bytes(const gb_RowList *axis) {
    return sizeof *axis + axis->n * sizeof *axis->index;
}

uint64_t gb_row_list_from(const gb_RowList *axis, uint64_t index) {
    return gb_first_from(axis->index, 0, axis->n, index);
}

uint64_t gb_row_list_find(const gb_RowList *axis, uint64_t index) {
    const uint64_t at = gb_row_list_from(axis, index);
    return at < axis->n && axis->index[at] == index ? at : GB_NOT_FOUND;
}

/* -- unions and parts */

enum { FAR_SHORTER = 16 }; /* a search takes about as many steps as a merge of so many indices */

static bool has_all(const gb_RowList *longer, const gb_RowList *shorter) {
    if (shorter->n > longer->n) return false;
    if (shorter->n >= longer->n / FAR_SHORTER) {
        uint64_t k = 0;
        for (uint64_t s = 0; s < shorter->n; s++, k++) {
            while (k < longer->n && longer->index[k] < shorter->index[s]) k++;
            if (k == longer->n || longer->index[k] != shorter->index[s]) return false;
        }
        return true;
    }
    for (uint64_t s = 0; s < shorter->n; s++)
        if (gb_row_list_find(longer, shorter->index[s]) == GB_NOT_FOUND) return false;
    return true;
}

/* index[] = the union, or, where that is NULL, only how long it is. */
static uint64_t merge(uint64_t *index, const gb_RowList *a, const gb_RowList *b) {
    uint64_t x = 0, y = 0, n = 0;
    while (x < a->n && y < b->n) {
        const uint64_t i = a->index[x], j = b->index[y];
        if (index != NULL) index[n] = i < j ? i : j;
        n++;
        x += i <= j;
        y += j <= i;
    }
    if (index != NULL) {
        memcpy(index + n, a->index + x, (a->n - x) * sizeof *index);
        memcpy(index + n + (a->n - x), b->index + y, (b->n - y) * sizeof *index);
    }
    return n + (a->n - x) + (b->n - y);
}

static gbl_Info unite_two(gb_RowList **axis, gb_RowList *a, gb_RowList *b) {
    gb_RowList *longer = a->n >= b->n ? a : b, *shorter = longer == a ? b : a;
    if (a == b || has_all(longer, shorter)) {
        *axis = gb_row_list_retain(longer);
        return GBL_SUCCESS;
    }
    const gbl_Info info = gb_row_list_new(axis, merge(NULL, a, b));
    if (info == GBL_SUCCESS) merge((*axis)->index, a, b);
    return info;
}

gbl_Info gb_row_list_unite(gb_RowList **axis, gb_RowList *const *parts, int nparts) {
    gb_RowList *sum = NULL;
    gbl_Info info = GBL_SUCCESS;
    *axis = NULL;
    for (int k = 0; k < nparts && info == GBL_SUCCESS; k++) {
        gb_RowList *larger = NULL;
        if (parts[k] == NULL) continue;
        if (sum == NULL)
            larger = gb_row_list_retain(parts[k]);
        else
            info = unite_two(&larger, sum, parts[k]);
        gb_row_list_release(sum);
        sum = larger;
    }
    if (info == GBL_SUCCESS && sum == NULL) info = gb_row_list_new(&sum, 0);
    *axis = sum;
    return info;
}

gbl_Info gb_row_list_part(gb_RowList **axis, const gb_RowList *of, const gb_RowList *places) {
    const gbl_Info info = gb_row_list_new(axis, places->n);
    for (uint64_t k = 0; info == GBL_SUCCESS && k < places->n; k++)
        (*axis)->index[k] = of->index[places->index[k]];
    return info;
}

gbl_Info gb_row_list_head(gb_RowList **axis, gb_RowList *of, uint64_t n) {
    if (n == of->n) {
        *axis = gb_row_list_retain(of);
        return GBL_SUCCESS;
    }
    const gbl_Info info = gb_row_list_new(axis, n);
    if (info == GBL_SUCCESS) memcpy((*axis)->index, of->index, n * sizeof *of->index);
    return info;
}
