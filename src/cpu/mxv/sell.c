/* SPDX-License-Identifier: Apache-2.0
 *
 * SELL slices (core/forms.h): the pull that reads them (sell.tmpl.h) and their maker. Parts of a
 * pull share the entries and the rows; no two write the same position, and the result does not
 * depend on how many there are. The maker sorts the rows of each window by length and copies its
 * entries: O(rows + entries), windows being independent.
 *
 * With gathers of AVX-512 a pattern in slices of 8 took 1.25 (grid:400:400), 1.4 (road:150:150) and
 * 1.06 (web:16:8) of the time (FP64, one thread of a Zen 4).
 */
#include "cpu/common/sort.h"
#include "cpu/mxv/mxv.h"

_Static_assert(GB_SELL_WINDOW % GB_SELL_ROWS == 0 && GB_SELL_WINDOW <= UINT16_MAX,
               "a row of a window is a number of 16 bits");

/* -- the product */

/* SELL slices [from, to), and what they write. */
typedef struct {
    uint64_t from, to;
    gb_Dense *w;
} gb_SellRange;

/* The columns of entries, and the values of u that they are counted from. */
typedef struct {
    bool near;
    const void *column, *b;
} gb_SellColumns;

#define SR_TEMPLATE "cpu/mxv/sell.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

typedef void (*gb_SellKernel)(const gb_PullArgs *g, const gb_RingArgs *R, gb_SellRange range);
/* Each takes 4 to 6 KB of the library. */
#define ENTRY(name) [GB_RING_##name] = slices_##name
static const gb_SellKernel kernels[GB_RING_COUNT] = {
    ENTRY(PLUS_TIMES_FP64), ENTRY(PLUS_TIMES_FP32), ENTRY(PLUS_TIMES_INT64),
    ENTRY(PLUS_SECOND_FP64), ENTRY(PLUS_SECOND_FP32)};
#undef ENTRY

bool gb_cpu_mxv_has_sell(int ring) {
    return kernels[ring] != NULL;
}

/* The first slice of part t of n. */
static uint64_t first_slice(const gb_PullArgs *g, uint64_t t, uint64_t n) {
    enum { COST = GB_SELL_ROWS }; /* of a slice, in entries */
    const gb_SellView *S = &g->sell;
    const uint64_t wanted = gb_part(g->A.nvals + COST * S->nslices, t, n);
    return GB_FIRST(k, 0, S->nslices, S->slice[k].at + COST * k >= wanted);
}

typedef struct {
    const gb_PullArgs *g;
    gb_Dense *w;
    uint64_t parts;
} gb_SellRun;

static void run_part(void *context, uint64_t t) {
    const gb_SellRun *run = context;
    const gb_SellRange range = {first_slice(run->g, t, run->parts),
                                first_slice(run->g, t + 1, run->parts), run->w};
    kernels[run->g->ring.id](run->g, &run->g->ring.args, range);
}

gbl_Info gb_mxv_pull_sell(const gb_PullArgs *g, gb_Dense *w) {
    const uint64_t m = g->A.nmajor;
    const int threads = gb_threads_for(g->A.nvals + m, GB_GRAIN, g->nthreads);
    const bool full = g->base != NULL || g->sell.used == m;
    gb_SellRun run = {.g = g, .w = w, .parts = (uint64_t)gb_parts_for(2 * threads)};
    *w = (gb_Dense){0};
    const size_t xbytes = gb_size_of(m, g->ring.args.zsize);
    gbl_Info info = gb_dense_alloc(w, m, xbytes, false); /* all of it will be written */
    if (info != GBL_SUCCESS) return info;
    w->b = full ? NULL : gb_malloc(m);
    if (!full && w->b == NULL) {
        gb_dense_free(w);
        return gb_fail_memory(m);
    }
    info = gb_parallel_try(threads, run.parts, run_part, &run);
    w->nvals = full ? m : g->sell.used;
    if (info != GBL_SUCCESS) gb_dense_free(w);
    return info;
}

/* -- the maker */

typedef struct {
    const gb_CsView *A;
    gb_SellSlice *made; /* NULL: `slice` and their indices are there */
    const gb_SellSlice *slice;
    bool near;
    gb_Idx *base; /* where near */
    void *column;
    char *x;        /* NULL: no values are wanted */
    size_t size;    /* bytes of one */
    uint64_t *keys; /* [threads][2 * GB_SELL_WINDOW] */
    uint64_t used;  /* atomic */
} gb_SellMaking;

/* The rows of the window from `base` on as lanes; returns how many have entries. Lanes beyond the
 * last row count as rows without. */
static uint64_t order_rows(const gb_SellMaking *of, uint64_t base, uint64_t slices,
                           gb_SellSlice *slice) {
    const gb_CsView *A = of->A;
    const uint64_t lanes = slices * GB_SELL_ROWS, rows = A->nmajor - base;
    uint64_t *key = of->keys + 2 * GB_SELL_WINDOW * (uint64_t)gb_thread_id(), used = 0;
    gb_Off at = A->p[base];
    gb_Idx longest = 0;
    for (uint64_t r = 0; r < lanes; r++) {
        key[r] = r < rows ? A->p[base + r + 1] - A->p[base + r] : 0;
        if (key[r] > longest) longest = (gb_Idx)key[r];
        used += key[r] > 0;
    }
    for (uint64_t r = 0; r < lanes; r++) key[r] = (longest - key[r]) << 32 | r;
    gb_sort64(key, key + GB_SELL_WINDOW, lanes, 32, 32 + gb_key_bits((uint64_t)longest + 1));
    for (uint64_t r = 0; r < lanes; r++) {
        gb_SellSlice *to = &slice[r / GB_SELL_ROWS];
        const unsigned l = r % GB_SELL_ROWS;
        if (l == 0) to->at = at;
        to->length[l] = longest - (gb_Idx)(key[r] >> 32);
        to->row[l] = (uint16_t)key[r];
        at += to->length[l];
    }
    return used;
}

/* What belongs to the entries of a slice, `size` bytes each, a constant, in its order; with `base`
 * columns, of which `to` gets what they are above it in 2 bytes. p: of the rows of its window. */
GB_OP void copy_entries(const gb_SellSlice *slice, const gb_Off *p, const void *from, void *to,
                        const size_t size, const gb_Idx *base) {
    const size_t step_bytes = base != NULL ? sizeof(uint16_t) : size;
    char *restrict y = (char *)to + slice->at * step_bytes;
    gb_Idx step = 0;
    for (unsigned lanes = GB_SELL_ROWS; lanes > 0; lanes--) {
        for (; step < slice->length[lanes - 1]; step++) {
            for (unsigned l = 0; l < lanes; l++, y += step_bytes) {
                const gb_Off at = p[slice->row[l]] + step;
                const uint16_t near =
                    base == NULL ? 0 : (uint16_t)(((const gb_Idx *)from)[at] - *base);
                memcpy(y, base != NULL ? (const char *)&near : (const char *)from + at * size,
                       step_bytes);
            }
        }
    }
}

/* The first column of rows [from, to), which are sorted; 0 where they are empty. */
static gb_Idx first_column(const gb_CsView *A, uint64_t from, uint64_t to) {
    gb_Idx first = UINT32_MAX;
    for (uint64_t r = from; r < to; r++)
        if (A->p[r] < A->p[r + 1] && A->i[A->p[r]] < first) first = A->i[A->p[r]];
    return first == UINT32_MAX ? 0 : first;
}

static void sell_window(void *context, uint64_t window) {
    gb_SellMaking *of = context;
    const gb_CsView *A = of->A;
    const uint64_t base = window * GB_SELL_WINDOW, left = A->nmajor - base;
    const uint64_t rows = left < GB_SELL_WINDOW ? left : GB_SELL_WINDOW;
    const gb_SellSlice *s = of->slice + window * GB_SELL_WINDOW_SLICES;
    const gb_SellSlice *const end = s + gb_sell_slices(rows);
    const gb_Off *p = A->p + base;
    gb_Idx *first = of->made != NULL && of->near ? &of->base[window] : NULL;
    if (of->made != NULL)
        __atomic_add_fetch(
            &of->used,
            order_rows(of, base, gb_sell_slices(rows), of->made + window * GB_SELL_WINDOW_SLICES),
            __ATOMIC_RELAXED);
    if (first != NULL) *first = first_column(A, base, base + rows);
    for (; s < end; s++) {
        if (first != NULL)
            copy_entries(s, p, A->i, of->column, sizeof(gb_Idx), first);
        else if (of->made != NULL)
            copy_entries(s, p, A->i, of->column, sizeof(gb_Idx), NULL);
        if (of->x != NULL && of->size == 4) copy_entries(s, p, A->x, of->x, 4, NULL);
        if (of->x != NULL && of->size == 8) copy_entries(s, p, A->x, of->x, 8, NULL);
    }
}

bool gb_cpu_make_sell(const gb_CsView *A, void *block, void *values, size_t size, gb_SellView *view,
                      int nthreads) {
    const uint64_t windows = (A->nmajor + GB_SELL_WINDOW - 1) / GB_SELL_WINDOW;
    const int threads = gb_threads_for(A->nvals + A->nmajor, GB_GRAIN, nthreads);
    const size_t bytes =
        block == NULL ? 0 : (size_t)threads * 2 * GB_SELL_WINDOW * sizeof(uint64_t);
    gb_SellMaking of = {
        .A = A, .slice = view->slice, .near = view->near, .x = values, .size = size};
    if (block != NULL) {
        of.keys = gb_malloc(bytes);
        if (of.keys == NULL) return false;
        of.slice = of.made = block;
        of.base = (gb_Idx *)(void *)(of.made + gb_sell_slices(A->nmajor));
        of.column = of.near ? of.base + windows : of.base;
        *view = (gb_SellView){.nslices = gb_sell_slices(A->nmajor),
                              .slice = block,
                              .near = of.near,
                              .base = of.base,
                              .column = of.column};
    }
    gb_parallel_for(threads, windows, sell_window, &of);
    if (block != NULL) view->used = of.used;
    view->x = values;
    gb_free(of.keys, bytes);
    return true;
}
