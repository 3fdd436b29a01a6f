/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a sorted list in slices of GB_SELL_ROWS, for products with full vectors: rows of about
 * the same length lie side by side, so that their sums, which are independent, are made together
 * and branches at the ends of rows are predicted. Sliced ELLPACK with rows sorted within windows
 * (M. Kreutzer, G. Hager, G. Wellein, H. Fehske, A. R. Bishop, 2014), without padding: a slice
 * becomes narrower where its rows end.
 *
 * Encoding: of each window of GB_SELL_WINDOW rows the longest come first, equal ones in their
 * order. Lane l of a slice is row base + row[l], where base is the first row of its window, and has
 * length[l] entries; lengths do not grow with l. Lanes beyond the last row are empty. Entries are
 * stored step after step, step s has those numbered s of the rows that are longer than s; a slice's
 * begin at `at`, and those of a window lie where they lie in the list. Columns take 2 bytes where
 * those of every window are within 65536 of each other, as in bands and meshes, or of any matrix
 * that has no more: they are counted from the window's first one then. In memory come the slices,
 * the first columns of windows where they are wanted, and the columns; values are elsewhere.
 */
#ifndef GB_CORE_SELL_H
#define GB_CORE_SELL_H

#include "core/view.h"

enum { GB_SELL_ROWS = 8 };

typedef struct {
    gb_Off at;
    gb_Idx length[GB_SELL_ROWS];
    uint16_t row[GB_SELL_ROWS];
} gb_SellSlice;

typedef struct {
    uint64_t nstrips; /* slices; 0: there are none */
    uint64_t used;    /* rows with entries */
    const gb_SellSlice *strip;
    bool near;          /* columns are uint16_t, from base[window] on; else gb_Idx */
    const gb_Idx *base; /* [windows] where near */
    const void *column; /* [entries] */
    const void *x;      /* [entries], or NULL: without values */
} gb_SellView;

static inline uint64_t gb_sell_for(uint64_t rows) {
    return (rows + GB_SELL_ROWS - 1) / GB_SELL_ROWS;
}

#endif
