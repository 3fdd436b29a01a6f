/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of one thread of the row-wise product, and the rule that gives each row its
 * accumulator.
 *
 * Between rows everything is clean: val[j] is the monoid's identity, mark[j] = 0, block[j / 64] =
 * 0, slot_key[s] = GB_NO_KEY. A row cleans what it touched, so a row costs what it computes and not
 * n.
 */
#ifndef GB_CPU_ISA_ROWWORK_H
#define GB_CPU_ISA_ROWWORK_H

#include "backend/backend.h"
#include "core/tune.h"

#define GB_NO_KEY 0xFFFFFFFFu /* never a column: dimensions are at most 2^32 - 1 */

enum { GB_MARK_LISTED = 1, GB_MARK_FOUND = 2 }; /* masked rows: in the mask's row; has a value */

typedef struct {
    gb_RingArgs args; /* the thread's copy, with its own scratch */
    /* dense: any column at once, values in place */
    void *val;      /* [n] */
    uint8_t *mark;  /* [n + 64] the column has a value (masked rows: GB_MARK_ bits) */
    uint8_t *block; /* [n / 64 + 64] some column of the 64 has a value */
    /* hash: open addressing, linear probing, at most half full */
    gb_Idx *slot_key; /* [slots] */
    void *slot_val;   /* [slots] */
    uint64_t *key;    /* [slots / 2] column << 32 | slot of each entry, in order of insertion */
    uint64_t *tmp;    /* [slots / 2] */
    uint64_t slots;
    /* sort: the products of a short row */
    void *prod; /* [GB_SORT_MAX] */
    void *scratch;
    uint64_t copied, sorted, hashed, dense; /* rows by accumulator */
    bool runs;                              /* B's columns come in runs: add GB_RUN at a time */
} gb_RowWork;

typedef enum { GB_ROW_EMPTY, GB_ROW_COPY, GB_ROW_SORT, GB_ROW_HASH, GB_ROW_DENSE } gb_RowKind;

/* f products, n columns, a entries in A's row, zsize bytes a value. */
static inline gb_RowKind gb_row_kind(const gb_MxmArgs *g, uint64_t a, uint64_t f) {
    if (f == 0) return GB_ROW_EMPTY;
    if (a == 1 && g->mask_kind == GB_MASK_NONE && g->B.sorted) return GB_ROW_COPY;
    if (f <= GB_SORT_MAX) return GB_ROW_SORT;
    const uint64_t n = g->B.nminor;
    if (n * (g->args.zsize + 1) <= GB_DENSE_BYTES || f > n / GB_DENSE_FILL) return GB_ROW_DENSE;
    return GB_ROW_HASH;
}

#endif
