/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorting the columns of one row, with their values: insertion for short rows, else by bytes from
 * the lowest, between the row and its workspace at the same positions.
 */
#include "row_sort.h"

#include <string.h>

enum { SHORT_ROW = 48, DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

static bool is_sorted(const uint32_t *c, uint64_t begin, uint64_t end) {
    for (uint64_t k = begin + 1; k < end; k++) {
        if (c[k - 1] > c[k]) return false;
    }
    return true;
}

static void sort_short(const gb_RowSort *sort, uint64_t begin, uint64_t end) {
    uint32_t *const c = sort->c;
    for (uint64_t k = begin + 1; k < end; k++) {
        const uint32_t column = c[k];
        uint64_t value = 0;
        uint64_t at = k;
        gb_io_copy_value(&value, 0, sort->x, k, sort->size);
        for (; at > begin && c[at - 1] > column; at--) {
            c[at] = c[at - 1];
            gb_io_copy_value(sort->x, at, sort->x, at - 1, sort->size);
        }
        c[at] = column;
        gb_io_copy_value(sort->x, at, &value, 0, sort->size);
    }
}

/* One pass by the digit at `shift`, from c and x to c2 and x2. */
static void sort_digit(const gb_RowSort *sort, uint64_t begin, uint64_t end, unsigned shift) {
    uint64_t next[DIGITS] = {0};
    for (uint64_t k = begin; k < end; k++) next[sort->c[k] >> shift & (DIGITS - 1)]++;
    uint64_t sum = begin;
    for (int d = 0; d < DIGITS; d++) {
        const uint64_t count = next[d];
        next[d] = sum;
        sum += count;
    }
    for (uint64_t k = begin; k < end; k++) {
        const uint64_t to = next[sort->c[k] >> shift & (DIGITS - 1)]++;
        sort->c2[to] = sort->c[k];
        gb_io_copy_value(sort->x2, to, sort->x, k, sort->size);
    }
}

void gb_row_sort(const gb_RowSort *sort, uint64_t begin, uint64_t end) {
    if (is_sorted(sort->c, begin, end)) return;
    if (end - begin <= SHORT_ROW) {
        sort_short(sort, begin, end);
        return;
    }
    gb_RowSort pass = *sort;
    for (unsigned shift = 0; shift < sort->bits; shift += DIGIT_BITS) {
        sort_digit(&pass, begin, end, shift);
        pass.c = pass.c == sort->c ? sort->c2 : sort->c;
        pass.x = pass.x == sort->x ? sort->x2 : sort->x;
        pass.c2 = pass.c == sort->c ? sort->c2 : sort->c;
        pass.x2 = pass.x == sort->x ? sort->x2 : sort->x;
    }
    if (pass.c == sort->c) return;
    memcpy(sort->c + begin, sort->c2 + begin, (end - begin) * sizeof *sort->c);
    if (sort->size > 0) {
        memcpy((char *)sort->x + begin * sort->size, (const char *)sort->x2 + begin * sort->size,
               (end - begin) * sort->size);
    }
}
