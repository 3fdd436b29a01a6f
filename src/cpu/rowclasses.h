/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a window in the order of their lengths. A loop over the entries of a short row ends with
 * a branch that nobody predicts where lengths vary, which takes as long as the row; behind a row of
 * equal length it ends as that did.
 */
#ifndef GB_CPU_ROWCLASSES_H
#define GB_CPU_ROWCLASSES_H

#include "core/tune.h"
#include "core/view.h"

enum { GB_ROW_CLASSES = GB_MXV_SHORT + 2, GB_ROW_STRANDS = 4 };

/* Before the first window all is 0 but `trusted`, which is its first row. */
typedef struct {
    uint8_t row[GB_ROW_WINDOW]; /* the rows of the window, less its first */
    bool as_they_come;          /* row[r] = r */
    uint64_t trusted;           /* rows before that one are taken to be alike */
} gb_RowOrder;

/* The n rows of these classes. They are counted in strands, every fourth row each, since a count
 * has to wait for the one before it. */
static inline void gb_sort_rows(uint8_t *row, const uint8_t *class, unsigned n) {
    uint16_t at[GB_ROW_STRANDS][GB_ROW_CLASSES] = {{0}}, next = 0;
    for (unsigned r = 0; r < n; r++) at[r % GB_ROW_STRANDS][class[r]]++;
    for (unsigned c = 0; c < GB_ROW_CLASSES; c++)
        for (unsigned s = 0; s < GB_ROW_STRANDS; s++) {
            const uint16_t count = at[s][c];
            at[s][c] = next;
            next = (uint16_t)(next + count);
        }
    for (unsigned r = 0; r < n; r++) row[at[r % GB_ROW_STRANDS][class[r]]++] = (uint8_t)r;
}

/* The order of rows [base, base + n), n <= GB_ROW_WINDOW, with pointers p: by their lengths, those
 * of more than GB_MXV_SHORT entries last, or as they come where lengths are mostly those of the row
 * before. */
__attribute__((noinline, unused)) static void gb_order_rows(gb_RowOrder *order, const gb_Off *p,
                                                            uint64_t base, unsigned n) {
    uint8_t class[GB_ROW_WINDOW];
    unsigned changes = 0;
    if (base >= order->trusted) {
        for (unsigned r = 0; r < n; r++) {
            const gb_Off entries = p[base + r + 1] - p[base + r];
            class[r] = (uint8_t)(entries <= GB_MXV_SHORT ? entries : GB_MXV_SHORT + 1);
        }
        for (unsigned r = 1; r < n; r++) changes += class[r] != class[r - 1];
        if (changes * GB_ROW_CHANGES >= n) {
            gb_sort_rows(order->row, class, n);
            order->as_they_come = false;
            return;
        }
        order->trusted = base + GB_ROW_TRUST * GB_ROW_WINDOW;
    }
    for (unsigned r = 0; !order->as_they_come && r < GB_ROW_WINDOW; r++) order->row[r] = (uint8_t)r;
    order->as_they_come = true;
}

#endif
