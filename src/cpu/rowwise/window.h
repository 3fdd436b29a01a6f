/* SPDX-License-Identifier: Apache-2.0
 *
 * A window: rows of C whose products are brought together, and sorted by columns, before they are
 * joined row by row. Rows are sorted 16 at a time by networks, those of about the same length
 * together, which is why there are more than 16 rows in a window.
 *
 * A key is the column of a product << bits | its number within the row; so equal columns stay in
 * the order of their products, and keys of a row differ. A row's keys make runs of at most
 * GB_RUN_MOST keys, ascending from run to run: one run for a short row, several for a longer one,
 * which is cut at columns as quicksort does (GB_HAS_ROWS only, up to GB_CUT_MOST). Runs begin at
 * multiples of 16 keys, and keys behind their end up to the next multiple are GB_NO_KEY or free; so
 * vectors need no masks. Values stay where they were put: value e of a row belongs to number e.
 */
#pragma once

#include "cpu/rowwise/probe.h"
#include "cpu/common/bins.h"

enum { GB_WINDOW_KEYS = 2 * GB_WINDOW, GB_WINDOW_RUNS = GB_WINDOW_KEYS / 16 };

typedef struct {
    uint32_t at, keys;
} gb_KeyRun;

typedef struct {
    uint64_t row;
    uint32_t values; /* slot of its first value */
    uint32_t products;
    uint32_t run, runs;
} gb_WindowRow;

typedef struct {
    unsigned bits; /* of a number */
    unsigned most; /* products of a row that may be put here */
    size_t zsize;
    uint32_t *key;   /* [GB_WINDOW_KEYS + 16] */
    char *x;         /* [GB_WINDOW + 32 values] */
    uint32_t *whole; /* [GB_WINDOW + 16] keys of a row that is to be cut */
    uint32_t *aside; /* [GB_WINDOW + 16] those behind the cut */
    gb_Grown arrays; /* what these are in */
    unsigned rows, runs, keys, values;
    gb_WindowRow row[GB_WINDOW / 16];
    gb_KeyRun run[GB_WINDOW_RUNS];
    uint16_t order[GB_WINDOW_RUNS]; /* runs, the longest first */
} gb_Window;

/* For columns below ncols. */
gbl_Info GB_ISA_NAME(gb_window_new)(gb_Window *w, uint64_t ncols, size_t zsize);
void GB_ISA_NAME(gb_window_free)(gb_Window *w);
/* Puts a row of some products, at most w->most, given by its packets, in the order of k. */
void GB_ISA_NAME(gb_window_add)(gb_Window *w, uint64_t row, unsigned products,
                                const char *const *packets, unsigned count, size_t value);
void GB_ISA_NAME(gb_window_sort)(gb_Window *w);

static inline void gb_window_clear(gb_Window *w) {
    w->rows = w->runs = w->keys = w->values = 0;
}

/* Whether a row of so many products has to wait for the next window. */
static inline bool gb_window_full(const gb_Window *w, unsigned products) {
    return w->values + products + 16 > GB_WINDOW || w->rows == GB_WINDOW / 16;
}

/* Columns and values of the first n <= 16 of sorted keys, to Ci and Cx, when no two columns are
 * equal, the one before, `last`, among them. x: the row's `products` values, of 4 or 8 bytes; 16 of
 * them may be read where a row has fewer, and `products` 1 stands for any number of equal ones, of
 * which 16 are there. May write 16 entries. False when there is something to be joined, and without
 * GB_HAS_ROWS. */
static inline bool gb_emit_distinct(const gb_Window *w, const uint32_t *key, unsigned n,
                                    gb_Idx last, const void *x, unsigned products, size_t size,
                                    gb_Idx *Ci, void *Cx) {
    if (!GB_HAS_ROWS || (size != 8 && size != 4)) return false;
    const unsigned bits = w->bits, lanes = (1u << (n < GB_LANES ? n : (unsigned)GB_LANES)) - 1u;
    const gb_Lanes32 k = gb_load32(key), j = k >> bits;
    if ((gb_equal32(j, gb_previous32(j, last)) & lanes) != 0) return false;
    const gb_Lanes32 number = gb_first_or32(n, k & ~(j << bits), gb_all32(0));
    gb_store32(Ci, j);
    if (products <= GB_LANES) {
        gb_shuffle(Cx, x, number, size);
        return true;
    }
    uint32_t of[GB_LANES];
    gb_store32(of, number);
    for (unsigned e = 0; e < GB_LANES; e++)
        memcpy((char *)Cx + e * size, (const char *)x + of[e] * size, size);
    return true;
}
