/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of updates, its index, and lists that share both; see updates.h.
 *
 * The owner of shared arrays appends while holders of earlier n read: an update and its links are
 * written before the heads of its chains, by release stores, and readers pass over numbers that are
 * not below their n.
 */
#include "matrix/updates.h"

#include "core/arrays.h"

/* At most 25 bytes each with values of 8, a block that malloc keeps at hand for the thread (below
 * 1032). */
enum { FIRST_CAP = 32, AHEAD = 8 /* updates, of a search that is prefetched */ };

/* -- the index --------------------------------------------------------------------------------- */

static uint64_t chain_of(const gb_EditIndex *index, uint64_t row, uint64_t col) {
    const uint64_t mixed = (row * 0x9e3779b97f4a7c15u + col) * 0xd6e8feb86659fd93u;
    return (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93u >> (64 - index->bits);
}

static gb_Idx head(const gb_Idx *heads, uint64_t chain) {
    return __atomic_load_n(&heads[chain], __ATOMIC_ACQUIRE);
}

/* The last update of the position before update n. */
static uint64_t find_before(const gb_Pending *list, uint64_t n, uint64_t row, uint64_t col) {
    const gb_EditIndex *index = list->index;
    gb_Idx k = head(index->of_position, chain_of(index, row, col));
    for (; k != 0; k = index->next_of_position[k - 1])
        if (k <= n && gb_pending_row(list, k - 1) == row && gb_pending_col(list, k - 1) == col)
            return k - 1;
    return GB_NOT_FOUND;
}

uint64_t gb_pending_find(const gb_Pending *list, uint64_t row, uint64_t col) {
    return find_before(list, list->n, row, col);
}

/* The number of the last update of the row before that one (GB_NOT_FOUND: of all); GB_NOT_FOUND:
 * there is none. */
static uint64_t next_of_row(const gb_Pending *list, uint64_t row, uint64_t before) {
    const gb_EditIndex *index = list->index;
    gb_Idx k = before == GB_NOT_FOUND ? head(index->of_row, chain_of(index, row, 0))
                                      : index->next_of_row[before];
    while (k != 0 && (k > list->n || gb_pending_row(list, k - 1) != row))
        k = index->next_of_row[k - 1];
    return k == 0 ? GB_NOT_FOUND : k - 1;
}

/* Update k is the last one of its chains. */
static void link(gb_EditIndex *index, const gb_Pending *list, uint64_t k) {
    const uint64_t row = gb_pending_row(list, k), col = gb_pending_col(list, k);
    const uint64_t chain = chain_of(index, row, col), of_row = chain_of(index, row, 0);
    index->next_of_position[k] = index->of_position[chain];
    index->next_of_row[k] = index->of_row[of_row];
    __atomic_store_n(&index->of_position[chain], (gb_Idx)(k + 1), __ATOMIC_RELEASE);
    __atomic_store_n(&index->of_row[of_row], (gb_Idx)(k + 1), __ATOMIC_RELEASE);
}

/* How many entries update k adds to what those before it leave: 1, 0 or -1. */
static int growth_of(const gb_Matrix *A, const gb_Pending *list, uint64_t k) {
    const uint64_t row = gb_pending_row(list, k), col = gb_pending_col(list, k);
    const uint64_t before = find_before(list, k, row, col);
    const bool exists =
        before != GB_NOT_FOUND ? list->keep[before] : gb_element_assembled(A, row, col) != NULL;
    return list->keep[k] - (int)exists;
}

/* Empty chains for an own list. */
static gbl_Info index_new(gb_EditIndex **index, uint64_t cap) {
    const int bits = 64 - __builtin_clzll(cap - 1);
    const uint64_t chains = (uint64_t)1 << bits;
    size_t bytes;
    *index = NULL;
    if (!gb_size_mul(&bytes, 2 * (chains + cap), sizeof(gb_Idx))) return gb_fail_memory(SIZE_MAX);
    bytes += sizeof **index;
    gb_EditIndex *made = gb_calloc(bytes);
    if (made == NULL) return gb_fail_memory(bytes);
    gb_Idx *arrays = (gb_Idx *)(made + 1);
    *made = (gb_EditIndex){.holders = 1,
                           .bytes = bytes,
                           .bits = bits,
                           .of_position = arrays,
                           .of_row = arrays + chains,
                           .next_of_position = arrays + 2 * chains,
                           .next_of_row = arrays + 2 * chains + cap};
    *index = made;
    return GBL_SUCCESS;
}

gbl_Info gb_pending_index(gb_Matrix *A) {
    gb_Pending *list = A->pending;
    if (list->index != NULL) return GBL_SUCCESS;
    const gbl_Info info = index_new(&list->index, list->cap);
    if (info != GBL_SUCCESS) return info;
    list->grown = 0;
    for (uint64_t k = 0; k < list->n; k++) {
        for (uint64_t a = 1; a <= 2 && k + a * AHEAD < list->n; a++)
            gb_element_prefetch(A, gb_pending_row(list, k + a * AHEAD), a == 1);
        list->grown += growth_of(A, list, k);
        link(list->index, list, k);
    }
    return GBL_SUCCESS;
}

/* Entries and rows that folding the updates would pass over. */
static uint64_t folding_cost(const gb_Matrix *A) {
    if (A->nvals == 0) return 0;
    if (A->hyper != NULL) return folding_cost(A->hyper->core);
    if (gb_is_dense(A)) return A->dense.n;
    const unsigned lists = gb_has(A) & GB_HAS_LISTS;
    return lists == 0 ? 0 : A->nvals + A->cs[lists & GBL_HAS_CSR ? GB_CSR : GB_CSC].nmajor;
}

static bool is_few(const gb_Pending *list, uint64_t cost) {
    return cost >= GB_DELTA_LEAST && list->n <= cost / GB_DELTA_SHARE &&
           list->cap <= GB_COMPACT_MAX;
}

bool gb_pending_is_delta(const gb_Matrix *A) {
    const uint64_t cost = folding_cost(A);
    return is_few(A->pending, cost) && A->pending->found <= cost / GB_DELTA_SHARE;
}

bool gb_delta_is_ready(const gb_Matrix *A) {
    if (A->pending == NULL) return true;
    if (A->pending->index == NULL || !gb_pending_is_delta(A)) return false;
    for (gb_Format format = GB_CSR; format <= GB_CSC; format++)
        if ((A->has & gb_has_bit(format)) && !A->cs[format].sorted && A->nvals > 0) return false;
    return true;
}

void gb_delta_close(gb_Matrix *A) {
    gb_unlock(&A->lock);
}

gbl_Info gb_delta_count(gb_Matrix *A, uint64_t *nvals) {
    const gbl_Info info = gb_delta_open(A);
    if (info != GBL_SUCCESS) return info;
    *nvals = A->nvals + (A->pending != NULL ? (uint64_t)A->pending->grown : 0);
    gb_delta_close(A);
    return GBL_SUCCESS;
}

/* -- the list; it doubles when it is full ------------------------------------------------------ */

static void release(gb_Pending *list) {
    gb_EditIndex *index = list->index;
    if (index != NULL && __atomic_sub_fetch(&index->holders, 1, __ATOMIC_ACQ_REL) > 0) return;
    if (index != NULL) gb_free(index, index->bytes);
    gb_free(list->x, list->bytes);
}

/* A list of its own with a capacity for n more entries; positions of huge objects have upper
 * halves. Too many updates to be read as a delta lose their index. */
static gbl_Info grow(gb_Pending *list, const gb_Matrix *A, uint64_t n) {
    gb_Pending larger = *list;
    const size_t size = A->type->size;
    const bool huge = gb_is_huge(A);
    const size_t each = size + (huge ? 4 : 2) * sizeof(gb_Idx) + sizeof(int8_t);
    uint64_t cap = list->cap == 0 ? FIRST_CAP : 2 * list->cap;
    while (cap < list->n + n) cap *= 2; /* n is at most a dimension */
    larger.bytes = gb_size_of(cap, each);
    larger.x = gb_malloc(larger.bytes);
    if (larger.x == NULL) return gb_fail_memory(larger.bytes);
    larger.cap = cap;
    larger.row = (gb_Idx *)(void *)(larger.x + cap * size);
    larger.col = larger.row + cap;
    larger.row_up = huge ? larger.col + cap : NULL;
    larger.col_up = huge ? larger.col + 2 * cap : NULL;
    larger.keep = (int8_t *)(larger.col + (huge ? 3 : 1) * cap);
    larger.index = NULL;
    larger.owns = true;
    gbl_Info info = GBL_SUCCESS;
    if (list->index != NULL && is_few(&larger, folding_cost(A)))
        info = index_new(&larger.index, cap);
    if (info != GBL_SUCCESS) {
        gb_free(larger.x, larger.bytes);
        return info;
    }
    if (list->n > 0) {
        memcpy(larger.x, list->x, list->n * size);
        memcpy(larger.row, list->row, list->n * sizeof *list->row);
        memcpy(larger.col, list->col, list->n * sizeof *list->col);
        if (huge) memcpy(larger.row_up, list->row_up, list->n * sizeof *list->row_up);
        if (huge) memcpy(larger.col_up, list->col_up, list->n * sizeof *list->col_up);
        memcpy(larger.keep, list->keep, list->n * sizeof *list->keep);
    }
    for (uint64_t k = 0; larger.index != NULL && k < list->n; k++) link(larger.index, &larger, k);
    release(list);
    *list = larger;
    return GBL_SUCCESS;
}

gbl_Info gb_pending_reserve(gb_Matrix *A, uint64_t n) {
    gb_Pending *list = A->pending;
    if (list != NULL)
        return list->owns && n <= list->cap - list->n ? GBL_SUCCESS : grow(list, A, n);
    list = gb_malloc(sizeof *list);
    if (list == NULL) return gb_fail_memory(sizeof *list);
    *list = (gb_Pending){.row_low = UINT64_MAX, .col_low = UINT64_MAX};
    const gbl_Info info = grow(list, A, n);
    if (info != GBL_SUCCESS) {
        gb_free(list, sizeof *list);
        return info;
    }
    __atomic_store_n(&A->pending, list, __ATOMIC_RELEASE);
    return GBL_SUCCESS;
}

static inline void widen(uint64_t *low, uint64_t *high, uint64_t index) {
    if (index < *low) *low = index;
    if (index > *high) *high = index;
}

/* The last update of the position gets another value; false: it has none, or others may read it. */
static bool overwrite(gb_Pending *list, uint64_t row, uint64_t col, const void *x, size_t size) {
    if (list == NULL || list->index == NULL || x == NULL || !list->owns) return false;
    if (__atomic_load_n(&list->index->holders, __ATOMIC_ACQUIRE) > 1) return false;
    const uint64_t k = gb_pending_find(list, row, col);
    if (k == GB_NOT_FOUND || !list->keep[k]) return false;
    gb_copy_value(list->x + k * size, x, size);
    return true;
}

gbl_Info gb_pending_append(gb_Matrix *A, uint64_t row, uint64_t col, const void *x) {
    const size_t size = A->type->size;
    if (overwrite(A->pending, row, col, x, size)) return GBL_SUCCESS;
    const gbl_Info info = gb_pending_reserve(A, 1);
    if (info != GBL_SUCCESS) return info;
    gb_Pending *list = A->pending;
    widen(&list->row_low, &list->row_high, row);
    widen(&list->col_low, &list->col_high, col);
    const uint64_t k = list->n++;
    list->row[k] = (gb_Idx)row;
    list->col[k] = (gb_Idx)col;
    if (list->row_up != NULL) list->row_up[k] = (gb_Idx)(row >> 32);
    if (list->col_up != NULL) list->col_up[k] = (gb_Idx)(col >> 32);
    list->keep[k] = x != NULL;
    if (x != NULL) memcpy(list->x + k * size, x, size);
    if (list->index == NULL) return GBL_SUCCESS;
    const int growth = growth_of(A, list, k);
    if (x == NULL && growth == 0) { /* there is nothing to remove */
        list->n--;
        return GBL_SUCCESS;
    }
    list->grown += growth;
    link(list->index, list, k);
    return GBL_SUCCESS;
}

bool gb_pending_touches(const gb_Matrix *A, bool is_row, uint64_t line) {
    const gb_Pending *list = A->pending;
    if (list == NULL) return false;
    return is_row ? line >= list->row_low && line <= list->row_high
                  : line >= list->col_low && line <= list->col_high;
}

uint64_t gb_pending_count(const gb_Matrix *A) {
    return A->pending == NULL ? 0 : A->pending->n;
}

void gb_pending_clear(gb_Matrix *A) {
    gb_Pending *list = A->pending;
    if (list == NULL) return;
    __atomic_store_n(&A->pending, NULL, __ATOMIC_RELEASE);
    release(list);
    gb_free(list, sizeof *list);
}

gbl_Info gb_pending_share(gb_Matrix *copy, const gb_Matrix *A) {
    gb_Pending *list = gb_malloc(sizeof *list);
    if (list == NULL) return gb_fail_memory(sizeof *list);
    *list = *A->pending;
    list->owns = false;
    list->found = 0;
    __atomic_add_fetch(&list->index->holders, 1, __ATOMIC_RELAXED);
    copy->pending = list;
    return GBL_SUCCESS;
}

/* -- rows of the content with its updates ------------------------------------------------------ */

static uint64_t row_length(const gb_CsView *rows, uint64_t r) {
    return rows->p[r + 1] - rows->p[r];
}

/* Entries and updates of the rows. */
static uint64_t count(const gb_Pending *list, const gb_CsView *rows, const gb_RowList *of) {
    uint64_t n = 0;
    for (uint64_t e = 0; e < of->n; e++) {
        n += row_length(rows, of->index[e]);
        for (uint64_t k = GB_NOT_FOUND; (k = next_of_row(list, of->index[e], k)) != GB_NOT_FOUND;)
            n++;
    }
    return n;
}

static gbl_Info copy_rows(gb_Matrix *copy, const gb_CsView *rows, const gb_RowList *of) {
    const size_t size = rows->xsize;
    uint64_t n = 0;
    gb_Cs cs;
    for (uint64_t e = 0; e < of->n; e++) n += row_length(rows, of->index[e]);
    const gbl_Info info = gb_cs_alloc(&cs, of->n, n, gb_size_of(rows->iso ? 1 : n, size));
    if (info != GBL_SUCCESS) return info;
    cs.iso = rows->iso;
    if (rows->iso) gb_copy_value(cs.x, rows->x, size);
    n = 0;
    for (uint64_t e = 0; e < of->n; e++) {
        const gb_Off from = rows->p[of->index[e]], length = row_length(rows, of->index[e]);
        cs.p[e] = n;
        if (length == 0) continue;
        memcpy(cs.i + n, rows->i + from, length * sizeof *cs.i);
        if (!rows->iso)
            memcpy((char *)cs.x + n * size, (const char *)rows->x + from * size, length * size);
        n += length;
    }
    cs.p[of->n] = n;
    gb_matrix_set_cs(copy, GB_CSR, &cs);
    return info;
}

static gbl_Info copy_updates(gb_Matrix *copy, const gb_Matrix *A, const gb_RowList *of) {
    const gb_Pending *list = A->pending;
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t e = 0; e < of->n; e++) {
        for (uint64_t k = GB_NOT_FOUND;
             info == GBL_SUCCESS && (k = next_of_row(list, of->index[e], k)) != GB_NOT_FOUND;) {
            const uint64_t col = gb_pending_col(list, k);
            if (gb_pending_find(list, of->index[e], col) == k)
                info = gb_pending_append(copy, e, col,
                                         list->keep[k] ? list->x + k * A->type->size : NULL);
        }
    }
    return info;
}

gbl_Info gb_delta_rows(gb_Matrix **rows, gb_Matrix *A, const gb_RowList *of) {
    *rows = NULL;
    if (gb_is_hyper(A) || gb_is_vector(A)) return GBL_SUCCESS;
    gbl_Info info = gb_delta_open(A);
    if (info != GBL_SUCCESS) return info;
    if (A->pending != NULL && A->has & GBL_HAS_CSR) {
        const gb_CsView view = gb_cs_view(&A->cs[GB_CSR], A->ncols, A->type->size);
        const uint64_t n = count(A->pending, &view, of);
        if (n <= A->nvals / GB_DELTA_SHARE) {
            info = gb_matrix_new(rows, GB_MAGIC_MATRIX, A->type, of->n, A->ncols);
            if (info == GBL_SUCCESS) info = copy_rows(*rows, &view, of);
            if (info == GBL_SUCCESS) info = copy_updates(*rows, A, of);
            A->pending->found += of->n + n;
        }
    }
    gb_delta_close(A);
    if (info == GBL_SUCCESS && *rows != NULL) info = gb_assemble(*rows);
    if (info == GBL_SUCCESS) return info;
    gb_matrix_free(*rows);
    *rows = NULL;
    return info;
}
