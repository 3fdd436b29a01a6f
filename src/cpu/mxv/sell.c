/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes strips (core/sell.h): a sort of the rows of each window by length, and a copy of its
 * entries. Cost: O(rows + entries); windows are independent.
 */
#include <string.h>

#include "kernel_api/backend.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "cpu/cpu.h"
#include "cpu/simd/simd.h"
#include "cpu/common/sort.h"
#include "cpu/mxv/sell.h"

typedef struct {
    const gb_CsView *A;
    gb_SellSlice *made; /* NULL: `strip` and their indices are there */
    const gb_SellSlice *strip;
    bool near;
    gb_Idx *base; /* where near */
    void *column;
    char *x;        /* NULL: no values are wanted */
    size_t size;    /* bytes of one */
    uint64_t *keys; /* [threads][2 * GB_SELL_WINDOW] */
    uint64_t used;  /* atomic */
} gb_SellMaking;

/* The rows of the window from `base` on as lanes; returns how many have entries. Places beyond the
 * last row count as rows without. */
static uint64_t order_rows(const gb_SellMaking *of, uint64_t base, uint64_t strips,
                           gb_SellSlice *strip) {
    const gb_CsView *A = of->A;
    const uint64_t places = strips * GB_SELL_ROWS, rows = A->nmajor - base;
    uint64_t *key = of->keys + 2 * GB_SELL_WINDOW * (uint64_t)gb_thread_id(), used = 0;
    gb_Off at = A->p[base];
    gb_Idx longest = 0;
    for (uint64_t r = 0; r < places; r++) {
        key[r] = r < rows ? A->p[base + r + 1] - A->p[base + r] : 0;
        if (key[r] > longest) longest = (gb_Idx)key[r];
        used += key[r] > 0;
    }
    for (uint64_t r = 0; r < places; r++) key[r] = (longest - key[r]) << 32 | r;
    gb_sort64(key, key + GB_SELL_WINDOW, places, 32, 32 + gb_key_bits((uint64_t)longest + 1));
    for (uint64_t r = 0; r < places; r++) {
        gb_SellSlice *to = &strip[r / GB_SELL_ROWS];
        const unsigned l = r % GB_SELL_ROWS;
        if (l == 0) to->at = at;
        to->length[l] = longest - (gb_Idx)(key[r] >> 32);
        to->row[l] = (uint16_t)key[r];
        at += to->length[l];
    }
    return used;
}

/* What belongs to the entries of a strip, `size` bytes each, a constant, in its order. p: of the
 * rows of its window. */
GB_OP void copy_entries(const gb_SellSlice *strip, const gb_Off *p, const void *from, void *to,
                        const size_t size) {
    const char *restrict x = from;
    char *restrict y = (char *)to + strip->at * size;
    gb_Off first[GB_SELL_ROWS];
    gb_Idx step = 0;
    for (unsigned l = 0; l < GB_SELL_ROWS; l++)
        first[l] = strip->length[l] > 0 ? p[strip->row[l]] : 0;
    for (unsigned lanes = GB_SELL_ROWS; lanes > 0; lanes--)
        for (; step < strip->length[lanes - 1]; step++, y += lanes * size)
            for (unsigned l = 0; l < lanes; l++)
                memcpy(y + l * size, x + (first[l] + step) * size, size);
}

/* The first column of rows [from, to), which are sorted; 0 where they are empty. */
static gb_Idx first_column(const gb_CsView *A, uint64_t from, uint64_t to) {
    gb_Idx first = 0;
    bool found = false;
    for (uint64_t r = from; r < to; r++) {
        if (A->p[r] == A->p[r + 1]) continue;
        if (!found || A->i[A->p[r]] < first) first = A->i[A->p[r]];
        found = true;
    }
    return first;
}

/* Columns of a strip's entries from `base` on, in its order. */
static void copy_near(const gb_SellSlice *strip, const gb_Off *p, const gb_Idx *column, gb_Idx base,
                      uint16_t *near) {
    gb_Idx step = 0;
    uint16_t *to = near + strip->at;
    for (unsigned lanes = GB_SELL_ROWS; lanes > 0; lanes--)
        for (; step < strip->length[lanes - 1]; step++)
            for (unsigned l = 0; l < lanes; l++)
                *to++ = (uint16_t)(column[p[strip->row[l]] + step] - base);
}

static void copy_columns(const gb_SellMaking *of, const gb_SellSlice *strip, const gb_Off *p,
                         uint64_t window) {
    if (of->near)
        copy_near(strip, p, of->A->i, of->base[window], of->column);
    else
        copy_entries(strip, p, of->A->i, of->column, sizeof(gb_Idx));
}

static void strip_window(void *context, uint64_t window) {
    gb_SellMaking *of = context;
    const gb_CsView *A = of->A;
    const uint64_t base = window * GB_SELL_WINDOW, left = A->nmajor - base;
    const uint64_t strips = gb_sell_for(left < GB_SELL_WINDOW ? left : GB_SELL_WINDOW);
    const uint64_t first = window * GB_WINDOW_STRIPS;
    const gb_Off *p = A->p + base;
    if (of->made != NULL)
        __atomic_add_fetch(&of->used, order_rows(of, base, strips, of->made + first),
                           __ATOMIC_RELAXED);
    if (of->made != NULL && of->near)
        of->base[window] =
            first_column(A, base, left < GB_SELL_WINDOW ? A->nmajor : base + GB_SELL_WINDOW);
    for (const gb_SellSlice *s = of->strip + first; s < of->strip + first + strips; s++) {
        if (of->made != NULL) copy_columns(of, s, p, window);
        if (of->x != NULL && of->size == 4) copy_entries(s, p, A->x, of->x, 4);
        if (of->x != NULL && of->size == 8) copy_entries(s, p, A->x, of->x, 8);
    }
}

bool gb_cpu_make_sell(const gb_CsView *A, void *block, void *values, size_t size, gb_SellView *view,
                      int nthreads) {
    const uint64_t windows = (A->nmajor + GB_SELL_WINDOW - 1) / GB_SELL_WINDOW;
    const int threads = gb_threads_for(A->nvals + A->nmajor, GB_GRAIN, nthreads);
    const size_t bytes =
        block == NULL ? 0 : (size_t)threads * 2 * GB_SELL_WINDOW * sizeof(uint64_t);
    gb_SellMaking of = {
        .A = A, .strip = view->strip, .near = view->near, .x = values, .size = size};
    if (block != NULL) {
        of.keys = gb_malloc(bytes);
        if (of.keys == NULL) return false;
        of.strip = of.made = block;
        of.base = (gb_Idx *)(void *)(of.made + gb_sell_for(A->nmajor));
        of.column = of.near ? of.base + windows : of.base;
        *view = (gb_SellView){.nstrips = gb_sell_for(A->nmajor),
                              .strip = block,
                              .near = of.near,
                              .base = of.base,
                              .column = of.column};
    }
    gb_parallel_for(threads, windows, strip_window, &of);
    if (block != NULL) view->used = of.used;
    view->x = values;
    gb_free(of.keys, bytes);
    return true;
}
