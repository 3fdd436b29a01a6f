/* SPDX-License-Identifier: Apache-2.0
 *
 * What pull.tmpl.h works on: which entries u has, rows that may be computed, rows by their lengths.
 */
#ifndef GB_CPU_MXV_PULL_H
#define GB_CPU_MXV_PULL_H

#include "core/tune.h"
#include "cpu/mxv/mxv.h"

/* How u says which entries it has. */
typedef enum {
    GB_PULL_BYTES, /* u.b, or NULL */
    GB_PULL_BITS   /* g->bits, or NULL */
} gb_PullForm;

GB_OP bool gb_has_entry(const gb_PullArgs *g, const gb_PullForm form, uint64_t k) {
    if (form == GB_PULL_BITS) return g->bits == NULL || gb_bit(g->bits, k);
    return g->u.b == NULL || g->u.b[k];
}

/* Bit r: row base + r, which is below `end`, may be computed. */
static inline uint64_t gb_open_rows(const gb_MxvSink *to, uint64_t base, uint64_t end) {
    const uint64_t rows = end - base < 64 ? end - base : 64;
    const uint64_t all = UINT64_MAX >> (64 - rows);
    uint64_t open = 0;
    if (to->allowed == NULL) return all;
    if (rows == 64)
        open = gb_nonzero_bytes((const uint8_t *)to->allowed + base);
    else
        for (uint64_t r = 0; r < rows; r++) open |= (uint64_t)(to->allowed[base + r] != 0) << r;
    return to->refused ? ~open & all : open;
}

/* The first entries of open rows from base on. Always inlined, as gb_prefetch_rows. */
GB_OP void gb_prefetch_open(const gb_CsView *A, uint64_t base, uint64_t open) {
    for (; open != 0; open &= open - 1)
        __builtin_prefetch(A->i + A->p[base + (uint64_t)__builtin_ctzll(open)]);
}

/* -- rows of a window by their lengths. A loop over the entries of a short row ends with a branch
 * that nobody predicts where lengths vary, which takes as long as the row; one over rows of equal
 * length ends as the one before it did. */

enum { GB_ROW_CLASSES = GB_MXV_SHORT + 2, GB_ROW_STRANDS = 4 };

/* row[start[c]] to row[start[c + 1] - 1] have c entries each; those of the last class more than
 * GB_MXV_SHORT. */
typedef struct {
    uint16_t start[GB_ROW_CLASSES + 1];
    uint8_t row[GB_ROW_WINDOW];
} gb_RowClasses;

/* The n <= GB_ROW_WINDOW rows with pointers p[0] to p[n]; false, and nothing is sorted, where
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

/* The function of one semiring. */
typedef struct gb_PullKernel {
    uint64_t (*pull)(const gb_PullArgs *g, const gb_RingArgs *R, gb_RowSpan rows, const gb_Dense *w,
                     gb_Cs *out);
} gb_PullKernel;

#endif
