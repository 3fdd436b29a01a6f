/* SPDX-License-Identifier: Apache-2.0
 *
 * See row_list.h. Two row lists are united by a merge, or, where one is far shorter, by a search of
 * each of its indices: mostly all of them are found and the longer row list is the union.
 */
#include "matrix/row_list.h"

#include <string.h>

#include "core/context.h"
#include "core/memory.h"
#include "matrix/radix.h"

gbl_Info gb_row_list_new(gb_RowList **row_list, uint64_t n) {
    *row_list = NULL;
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
    *row_list = made;
    return GBL_SUCCESS;
}

gbl_Info gb_row_list_of_first(gb_RowList **row_list, uint64_t n) {
    const gbl_Info info = gb_row_list_new(row_list, n);
    for (uint64_t k = 0; info == GBL_SUCCESS && k < n; k++) (*row_list)->index[k] = k;
    return info;
}

gb_RowList *gb_row_list_retain(gb_RowList *row_list) {
    if (row_list != NULL) __atomic_add_fetch(&row_list->refs, 1, __ATOMIC_RELAXED);
    return row_list;
}

void gb_row_list_release(gb_RowList *row_list) {
    if (row_list != NULL && __atomic_sub_fetch(&row_list->refs, 1, __ATOMIC_ACQ_REL) == 0)
        gb_free(row_list, gb_row_list_bytes(row_list));
}

size_t gb_row_list_bytes(const gb_RowList *row_list) {
    return sizeof *row_list + row_list->n * sizeof *row_list->index;
}

uint64_t gb_row_list_from(const gb_RowList *row_list, uint64_t index) {
    return gb_first_from(row_list->index, 0, row_list->n, index);
}

uint64_t gb_row_list_find(const gb_RowList *row_list, uint64_t index) {
    const uint64_t at = gb_row_list_from(row_list, index);
    return at < row_list->n && row_list->index[at] == index ? at : GB_NOT_FOUND;
}

/* -- unions and parts */

enum { FAR_SHORTER = 16 }; /* a search takes about as many steps as a merge of so many indices */

/* As merge, by a search of each index of the shorter one. */
static uint64_t merge_far(uint64_t *index, const gb_RowList *longer, const gb_RowList *shorter) {
    uint64_t x = 0, n = 0;
    for (uint64_t s = 0; s < shorter->n; s++, n++) {
        const uint64_t i = shorter->index[s], end = gb_first_from(longer->index, x, longer->n, i);
        if (index != NULL) memcpy(index + n, longer->index + x, (end - x) * sizeof *index);
        n += end - x;
        if (index != NULL) index[n] = i;
        x = end + (end < longer->n && longer->index[end] == i);
    }
    if (index != NULL) memcpy(index + n, longer->index + x, (longer->n - x) * sizeof *index);
    return n + longer->n - x;
}

/* index[] = the union, or, where that is NULL, only how long it is. */
static uint64_t merge(uint64_t *index, const gb_RowList *a, const gb_RowList *b) {
    uint64_t x = 0, y = 0, n = 0;
    if (a->n < b->n / FAR_SHORTER) return merge_far(index, b, a);
    if (b->n < a->n / FAR_SHORTER) return merge_far(index, a, b);
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

bool gb_row_list_has_all(const gb_RowList *longer, const gb_RowList *shorter) {
    return shorter->n <= longer->n && merge(NULL, longer, shorter) == longer->n;
}

static gbl_Info unite_two(gb_RowList **row_list, gb_RowList *a, gb_RowList *b) {
    gb_RowList *const longer = a->n >= b->n ? a : b;
    const uint64_t n = a == b ? a->n : merge(NULL, a, b);
    if (n == longer->n) {
        *row_list = gb_row_list_retain(longer);
        return GBL_SUCCESS;
    }
    const gbl_Info info = gb_row_list_new(row_list, n);
    if (info == GBL_SUCCESS) merge((*row_list)->index, a, b);
    return info;
}

gbl_Info gb_row_list_unite(gb_RowList **row_list, gb_RowList *const *parts, int nparts) {
    gb_RowList *sum = NULL;
    gbl_Info info = GBL_SUCCESS;
    *row_list = NULL;
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
    *row_list = sum;
    return info;
}

gbl_Info gb_row_list_meet(gb_RowList **row_list, gb_RowList *a, gb_RowList *b, uint64_t times) {
    const uint64_t all = a == b ? a->n : merge(NULL, a, b), both = a->n + b->n - all;
    uint64_t x = 0, y = 0, n = 0;
    if (all / times <= both) return gb_row_list_unite(row_list, (gb_RowList *[]){a, b}, 2);
    const gbl_Info info = gb_row_list_new(row_list, both);
    while (info == GBL_SUCCESS && n < both) {
        const uint64_t i = a->index[x], j = b->index[y];
        if (i == j) (*row_list)->index[n++] = i;
        x += i <= j;
        y += j <= i;
    }
    return info;
}

gbl_Info gb_row_list_part(gb_RowList **row_list, const gb_RowList *of,
                          const gb_RowList *positions) {
    const gbl_Info info = gb_row_list_new(row_list, positions->n);
    for (uint64_t k = 0; info == GBL_SUCCESS && k < positions->n; k++)
        (*row_list)->index[k] = of->index[positions->index[k]];
    return info;
}

gbl_Info gb_row_list_head(gb_RowList **row_list, gb_RowList *of, uint64_t n) {
    if (n == of->n) {
        *row_list = gb_row_list_retain(of);
        return GBL_SUCCESS;
    }
    const gbl_Info info = gb_row_list_new(row_list, n);
    if (info == GBL_SUCCESS) memcpy((*row_list)->index, of->index, n * sizeof *of->index);
    return info;
}

/* -- of lists of indices ----------------------------------------------------------------------- */

static void read_lists(const void *input, uint64_t first, size_t count, uint64_t *keys,
                       uint64_t *loads) {
    const gb_RowListMerge *lists = input;
    for (size_t k = 0; k < count; k++) {
        const uint64_t at = first + k, n = lists->n[0];
        keys[k] = at < n ? lists->list[0][at] : lists->list[1][at - n];
        if (loads != NULL) loads[k] = at;
    }
}

typedef struct {
    const gb_RowListMerge *lists;
    const gb_Record *sorted;
    uint64_t n, nparts;
    uint64_t *before; /* [nparts + 1] distinct indices of each part; then of those before it */
    gb_RowList *made;
} gb_Ranking;

static bool is_first(const gb_Ranking *r, uint64_t k) {
    return k == 0 || r->sorted[k].key != r->sorted[k - 1].key;
}

static void count_distinct(void *context, uint64_t t) {
    const gb_Ranking *r = context;
    const uint64_t end = gb_part(r->n, t + 1, r->nparts);
    uint64_t distinct = 0;
    for (uint64_t k = gb_part(r->n, t, r->nparts); k < end; k++) distinct += is_first(r, k);
    r->before[t] = distinct;
}

static void write_ranks(void *context, uint64_t t) {
    const gb_Ranking *r = context;
    const uint64_t end = gb_part(r->n, t + 1, r->nparts), n = r->lists->n[0];
    uint64_t rank = r->before[t];
    for (uint64_t k = gb_part(r->n, t, r->nparts); k < end; k++) {
        const uint64_t from = r->sorted[k].load;
        if (is_first(r, k)) r->made->index[rank++] = r->sorted[k].key;
        gb_Idx *positions = r->lists->positions[from >= n];
        if (positions != NULL) positions[from < n ? from : from - n] = (gb_Idx)(rank - 1);
    }
}

static gbl_Info rank_sorted(gb_RowList **list, gb_Ranking *r, int threads) {
    uint64_t sum = 0;
    gb_parallel_for(threads, r->nparts, count_distinct, r);
    for (uint64_t t = 0; t < r->nparts; t++) {
        const uint64_t distinct = r->before[t];
        r->before[t] = sum;
        sum += distinct;
    }
    const gbl_Info info = gb_row_list_new(list, sum);
    if (info != GBL_SUCCESS) return info;
    r->made = *list;
    gb_parallel_for(threads, r->nparts, write_ranks, r);
    return GBL_SUCCESS;
}

gbl_Info gb_row_list_of_lists(gb_RowList **list, const gb_RowListMerge *lists) {
    const uint64_t n = lists->n[0] + lists->n[1];
    const int threads = gb_threads_for(n, GB_GRAIN, gb_nthreads());
    const gb_RecordInput in = {
        .read = read_lists, .input = lists, .n = n, .bits = gb_bits_below(lists->dimension)};
    gb_Ranking r = {.lists = lists, .n = n, .nparts = (uint64_t)threads};
    *list = NULL;
    if (n == 0) return gb_row_list_new(list, 0);
    const size_t bytes = gb_size_of(n, sizeof *r.sorted);
    gb_Block blocks[] = {{NULL, bytes}, {NULL, r.nparts * sizeof *r.before}};
    if (!gb_malloc_all(blocks, 2)) return gb_fail_memory(bytes);
    gb_Record *sorted = blocks[0].at;
    r.sorted = sorted;
    r.before = blocks[1].at;
    gbl_Info info = gb_records_sort(sorted, &in, gb_nthreads());
    if (info == GBL_SUCCESS) info = rank_sorted(list, &r, threads);
    gb_free_all(blocks, 2);
    return info;
}
