/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of entries (row, column, value) in any order, and their conversion to sorted rows.
 */
#ifndef GB_IO_COO_H
#define GB_IO_COO_H

#include "io.h"

/* A row index that says "this slot holds no entry"; no matrix has such a row. */
#define GB_COO_NONE UINT32_MAX

typedef struct {
    gbl_Index nrows, ncols;
    uint64_t n;      /* slots, with an entry or without */
    uint32_t *i, *j; /* [n] */
    void *x;         /* [n] values of `size` bytes; NULL when size is 0 */
    size_t size;     /* 0, 1, 2, 4 or 8 */
} gb_Coo;

/* Allocates the slots; `what` names the matrix in error texts. Claims the memory of the conversion
 * as well. */
gbl_Info gb_coo_alloc(gb_Coo *coo, const char *what);
void gb_coo_free(gb_Coo *coo);

enum { GB_COO_DROP, GB_COO_REFUSE };

/* Rows with ascending columns, in out->p, out->i and out->x; coo is used up, also on failure. Where
 * an entry is met twice, GB_COO_DROP (no values) keeps one; GB_COO_REFUSE sets *twice, returns
 * GBL_NO_VALUE and leaves the error text to the caller. The result does not depend on the number of
 * threads. */
typedef struct {
    uint32_t i, j;
} gb_Place;
gbl_Info gb_coo_to_rows(gb_Coo *coo, int repeated, gbl_Arrays *out, gb_Place *twice);

/* Sorts n pairs (c, x) by c, where c < 2^bits and x has `size` bytes; stable. c2 and x2 are
 * workspace of the same size. */
typedef struct {
    uint32_t *c, *c2;
    void *x, *x2;
    size_t size;
    unsigned bits;
} gb_Sort;
void gb_coo_sort(const gb_Sort *sort, uint64_t begin, uint64_t end);

/* to[k] = from[l] for values of `size` bytes; none when size is 0. */
static inline void gb_coo_move(void *to, uint64_t k, const void *from, uint64_t l, size_t size) {
    switch (size) {
    case 1:
        ((uint8_t *)to)[k] = ((const uint8_t *)from)[l];
        break;
    case 2:
        ((uint16_t *)to)[k] = ((const uint16_t *)from)[l];
        break;
    case 4:
        ((uint32_t *)to)[k] = ((const uint32_t *)from)[l];
        break;
    case 8:
        ((uint64_t *)to)[k] = ((const uint64_t *)from)[l];
        break;
    default:
        break;
    }
}

#endif
