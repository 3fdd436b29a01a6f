/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of products with vectors that stays with the matrix between calls: a set of positions
 * along a dimension, empty between calls, and values for them, which are not initialised. Clearing
 * an array as long as a dimension would cost more than a small product.
 *
 * A call takes it and gives it back; while it is taken, calls of other threads make their own, of
 * which as many stay as the library has threads. They go when the matrix is written.
 */
#ifndef GB_MATRIX_SCRATCH_H
#define GB_MATRIX_SCRATCH_H

#include "core/bitset.h"
#include "matrix/object.h"

struct gb_Scratch {
    gb_BitSet set;
    uint64_t *memory; /* of the set */
    void *val;
    size_t bytes, val_bytes;
    struct gb_Scratch *next; /* another that waits with the matrix, and how many there are then */
    int behind;
};

/* Along the rows (GB_CSR) or the columns (GB_CSC) of A, with so many bytes of values. */
gbl_Info gb_scratch_take(gb_Scratch **scratch, gb_Matrix *A, gb_Format dimension, size_t val_bytes);
/* The set is empty again; NULL is fine. */
void gb_scratch_give(gb_Matrix *A, gb_Format dimension, gb_Scratch *scratch);
void gb_scratch_free(gb_Scratch *scratch);

/* The set of one that was taken gets the entries of a vector, a list (nmajor = 1) or a bitmap ...
 */
void gb_scratch_mark(gb_Scratch *scratch, const gb_CsView *list);
void gb_scratch_mark_bytes(gb_Scratch *scratch, const gb_DenseView *bitmap);
/* ... and is empty again; list->i NULL: it was no list. */
void gb_scratch_unmark(gb_Scratch *scratch, const gb_CsView *list);
/* The values of a list, of so many bytes each, at their positions; the others hold anything. */
void gb_scratch_spread(gb_Scratch *scratch, const gb_CsView *list, size_t size);

static inline bool gb_has_scratch(const gb_Matrix *A, gb_Format dimension) {
    return __atomic_load_n(&A->scratch[dimension], __ATOMIC_RELAXED) != NULL;
}

#endif
