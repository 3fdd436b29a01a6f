/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes strips (core/strips.h): a sort of the rows of each window by length, and a copy of its
 * entries. Cost: O(rows + entries); windows are independent.
 */
#include <string.h>

#include "backend/backend.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "cpu/cpu.h"
#include "cpu/isa/simd.h"
#include "cpu/sort.h"
#include "cpu/strips.h"

typedef struct {
    const gb_CsView *A;
    size_t size; /* bytes of a value that is kept, or 0 */
    gb_Strip *strip;
    gb_Idx *i;
    char *x;
    uint64_t *keys; /* [threads][2 * GB_STRIP_WINDOW] */
    uint64_t used;  /* atomic */
} gb_Stripping;

/* The rows of the window from `base` on as lanes, all but where their entries begin; returns how
 * many have any. Places beyond the last row count as rows without entries. */
static uint64_t order_rows(const gb_Stripping *of, uint64_t base, uint64_t strips,
                           gb_Strip *strip) {
    const gb_CsView *A = of->A;
    const uint64_t places = strips * GB_STRIP_ROWS, rows = A->nmajor - base;
    uint64_t *key = of->keys + 2 * GB_STRIP_WINDOW * (uint64_t)gb_thread_id(), used = 0;
    gb_Idx longest = 0;
    for (uint64_t r = 0; r < places; r++) {
        key[r] = r < rows ? A->p[base + r + 1] - A->p[base + r] : 0;
        if (key[r] > longest) longest = (gb_Idx)key[r];
        used += key[r] > 0;
    }
    for (uint64_t r = 0; r < places; r++) key[r] = (longest - key[r]) << 32 | r;
    gb_sort64(key, key + GB_STRIP_WINDOW, places, 32, 32 + gb_key_bits((uint64_t)longest + 1));
    for (uint64_t r = 0; r < places; r++) {
        strip[r / GB_STRIP_ROWS].length[r % GB_STRIP_ROWS] = longest - (gb_Idx)(key[r] >> 32);
        strip[r / GB_STRIP_ROWS].row[r % GB_STRIP_ROWS] = (uint16_t)key[r];
    }
    return used;
}

/* The entries of a strip from its place on, with values of `size` bytes, a constant; returns where
 * the next one's begin. */
GB_OP gb_Off copy_entries(const gb_Stripping *of, uint64_t base, const gb_Strip *strip,
                          const size_t size) {
    const gb_Idx *restrict i = of->A->i;
    const char *restrict x = of->A->x;
    gb_Off at = strip->at, first[GB_STRIP_ROWS];
    gb_Idx step = 0;
    for (unsigned l = 0; l < GB_STRIP_ROWS; l++)
        first[l] = strip->length[l] > 0 ? of->A->p[base + strip->row[l]] : 0;
    for (unsigned lanes = GB_STRIP_ROWS; lanes > 0; lanes--) {
        for (; step < strip->length[lanes - 1]; step++, at += lanes) {
            for (unsigned l = 0; l < lanes; l++) of->i[at + l] = i[first[l] + step];
            for (unsigned l = 0; size > 0 && l < lanes; l++)
                memcpy(of->x + (at + l) * size, x + (first[l] + step) * size, size);
        }
    }
    return at;
}

static void strip_window(void *context, uint64_t window) {
    gb_Stripping *of = context;
    const uint64_t base = window * GB_STRIP_WINDOW, left = of->A->nmajor - base;
    const uint64_t strips = gb_strips_for(left < GB_STRIP_WINDOW ? left : GB_STRIP_WINDOW);
    gb_Strip *strip = of->strip + window * GB_WINDOW_STRIPS;
    const uint64_t used = order_rows(of, base, strips, strip);
    gb_Off at = of->A->p[base];
    for (uint64_t s = 0; s < strips; s++) {
        strip[s].at = at;
        at = of->size == 0   ? copy_entries(of, base, &strip[s], 0)
             : of->size == 4 ? copy_entries(of, base, &strip[s], 4)
                             : copy_entries(of, base, &strip[s], 8);
    }
    __atomic_add_fetch(&of->used, used, __ATOMIC_RELAXED);
}

void gb_cpu_make_strips(const gb_CsView *A, size_t size, void *block, gb_StripView *view,
                        int nthreads) {
    const uint64_t windows = (A->nmajor + GB_STRIP_WINDOW - 1) / GB_STRIP_WINDOW;
    const int threads = gb_threads_for(A->nvals + A->nmajor, GB_GRAIN, nthreads);
    const size_t bytes = (size_t)threads * 2 * GB_STRIP_WINDOW * sizeof(uint64_t);
    gb_Stripping of = {.A = A, .size = size, .strip = block, .keys = gb_malloc(bytes)};
    if (of.keys == NULL) return;
    *view = (gb_StripView){.nstrips = gb_strips_for(A->nmajor), .strip = block};
    of.x = (char *)(of.strip + view->nstrips);
    of.i = (gb_Idx *)(void *)(of.x + A->nvals * size);
    gb_parallel_for(threads, windows, strip_window, &of);
    gb_free(of.keys, bytes);
    view->i = of.i;
    view->x = size > 0 ? of.x : NULL;
    view->used = of.used;
}
