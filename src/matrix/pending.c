/* SPDX-License-Identifier: Apache-2.0
 *
 * The list doubles when it is full.
 */
#include "matrix/pending.h"

#include <string.h>

#include "core/memory.h"

/* At most 25 bytes each with values of 8: a block that malloc keeps at hand for the thread (below
 * 1032). */
enum { FIRST_CAP = 32 };

/* huge: positions have upper halves */
static bool block_bytes(size_t *bytes, uint64_t cap, size_t size, bool huge) {
    return size <= PTRDIFF_MAX / 2 &&
           gb_size_mul(bytes, cap, size + (huge ? 4 : 2) * sizeof(gb_Idx) + sizeof(int8_t));
}

static void lay_out(gb_Pending *list, char *block, uint64_t cap, size_t size, bool huge) {
    list->cap = cap;
    list->x = block;
    list->row = (gb_Idx *)(void *)(block + cap * size);
    list->col = list->row + cap;
    list->row_up = huge ? list->col + cap : NULL;
    list->col_up = huge ? list->col + 2 * cap : NULL;
    list->keep = (int8_t *)(list->col + (huge ? 3 : 1) * cap);
}

/* Capacity for n more entries. */
static gbl_Info grow(gb_Pending *list, size_t size, bool huge, uint64_t n) {
    gb_Pending larger = *list;
    uint64_t cap = list->cap == 0 ? FIRST_CAP : 2 * list->cap;
    while (cap < list->n + n) cap *= 2; /* n is at most a dimension */
    if (!block_bytes(&larger.bytes, cap, size, huge)) return gb_fail_memory(SIZE_MAX);
    char *block = gb_malloc(larger.bytes);
    if (block == NULL) return gb_fail_memory(larger.bytes);
    lay_out(&larger, block, cap, size, huge);
    if (list->n > 0) {
        memcpy(larger.x, list->x, list->n * size);
        memcpy(larger.row, list->row, list->n * sizeof *list->row);
        memcpy(larger.col, list->col, list->n * sizeof *list->col);
        if (huge) memcpy(larger.row_up, list->row_up, list->n * sizeof *list->row_up);
        if (huge) memcpy(larger.col_up, list->col_up, list->n * sizeof *list->col_up);
        memcpy(larger.keep, list->keep, list->n * sizeof *list->keep);
    }
    gb_free(list->x, list->bytes);
    *list = larger;
    return GBL_SUCCESS;
}

static gbl_Info begin_list(gb_Matrix *A, uint64_t n) {
    gb_Pending *list = gb_malloc(sizeof *list);
    if (list == NULL) return gb_fail_memory(sizeof *list);
    *list = (gb_Pending){.row_low = UINT64_MAX, .col_low = UINT64_MAX};
    const gbl_Info info = grow(list, A->type->size, gb_is_huge(A), n);
    if (info != GBL_SUCCESS) {
        gb_free(list, sizeof *list);
        return info;
    }
    __atomic_store_n(&A->pending, list, __ATOMIC_RELEASE);
    return GBL_SUCCESS;
}

gbl_Info gb_pending_reserve(gb_Matrix *A, uint64_t n) {
    gb_Pending *list = A->pending;
    if (list == NULL) return begin_list(A, n);
    if (n <= list->cap - list->n) return GBL_SUCCESS;
    return grow(list, A->type->size, gb_is_huge(A), n);
}

static inline void widen(uint64_t *low, uint64_t *high, uint64_t index) {
    if (index < *low) *low = index;
    if (index > *high) *high = index;
}

gbl_Info gb_pending_append(gb_Matrix *A, uint64_t row, uint64_t col, const void *x) {
    const size_t size = A->type->size;
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
    gb_free(list->x, list->bytes);
    gb_free(list, sizeof *list);
}
