/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a window by their lengths. A loop over the entries of a short row ends with a branch that
 * nobody predicts where lengths vary, which takes as long as the row; one over rows of equal length
 * ends as the one before it did.
 */
#ifndef GB_CPU_MXV_ROWCLASSES_H
#define GB_CPU_MXV_ROWCLASSES_H

#include "core/tune.h"
#include "core/view.h"

enum { GB_ROW_CLASSES = GB_MXV_SHORT + 2, GB_ROW_STRANDS = 4 };

/* row[start[c]] to row[start[c + 1] - 1] have c entries each; those of the last class more than
 * GB_MXV_SHORT. */
typedef struct {
    uint16_t start[GB_ROW_CLASSES + 1];
    uint8_t row[GB_ROW_WINDOW];
} gb_RowClasses;

/* The n <= GB_ROW_WINDOW rows with pointers p[0] to p[n]; false, and nothing is told apart, where
 * lengths are mostly those of the row before. The window is counted in strands, every fourth row
 * each, since a count has to wait for the one before it. */
__attribute__((noinline, unused)) static bool gb_class_rows(gb_RowClasses *to,
                                                            const gb_Off *restrict p, unsigned n) {
    uint8_t class[GB_ROW_WINDOW];
    unsigned changes = 0;
    uint16_t at[GB_ROW_STRANDS][GB_ROW_CLASSES] = {{0}};
    for (unsigned r = 0; r < n; r++) {
        const gb_Off entries = p[r + 1] - p[r];
        class[r] = (uint8_t)(entries <= GB_MXV_SHORT ? entries : GB_MXV_SHORT + 1);
    }
    for (unsigned r = 1; r < n; r++) changes += class[r] != class[r - 1];
    if (changes * GB_ROW_CHANGES < n) return false;
    for (unsigned r = 0; r < n; r++) at[r % GB_ROW_STRANDS][class[r]]++;
    uint16_t next = 0;
    for (unsigned c = 0; c < GB_ROW_CLASSES; c++) {
        to->start[c] = next;
        for (unsigned s = 0; s < GB_ROW_STRANDS; s++) {
            const uint16_t count = at[s][c];
            at[s][c] = next;
            next = (uint16_t)(next + count);
        }
    }
    to->start[GB_ROW_CLASSES] = next;
    for (unsigned r = 0; r < n; r++) to->row[at[r % GB_ROW_STRANDS][class[r]]++] = (uint8_t)r;
    return true;
}

#endif
