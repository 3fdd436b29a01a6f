/* SPDX-License-Identifier: Apache-2.0
 *
 * What methods share: arguments and statistics of kernels that read CSR and CSC, and C by rows, put
 * together from slices of rows that come in order.
 */
#ifndef GB_MXM_METHODS_COMMON_H
#define GB_MXM_METHODS_COMMON_H

#include "mxm/model/method.h"

/* The values of X as a method has taken them. */
typedef struct {
    gb_Matrix *X;
    const void *x;
    bool iso;
} gb_TakenValues;

/* The kernel for factors as stored: an OR of ANDs whose values are all true is ANY_PAIR. */
int gb_kernel_for(const gb_Semiring *ring, gb_TakenValues A, gb_TakenValues B);

/* Factors and mask as they were taken, the semiring, and threads for `work` flops or entries
 * scanned; without a meter. */
gb_MxmArgs gb_sparse_args(const gb_MxmRun *run, uint64_t work);

/* How VECTOR sums rows, as requested (vector.c). */
gb_VectorWay gb_vector_way(const gb_VectorChoices *c);

/* What the kernel counted and took, for the explanation; what it did not is 0. */
void gb_report_stats(gbl_Explanation *why, const gb_MxmStats *stats);

typedef struct {
    gb_Cs *C;
    size_t size;               /* of a value */
    bool exact;                /* allocate arrays for actual entries, not for expected ones */
    const gb_Allowance *allow; /* what they may take */
    uint64_t rows;             /* actual entries so far */
} gb_SlicedRows;

gbl_Info gb_slices_begin(gb_SlicedRows *s, uint64_t nmajor);
/* The next rows; share: of all work, that is done with them. */
gbl_Info gb_slices_add(gb_SlicedRows *s, const gb_CsView *part, double share);
/* Gives back what C's arrays are too long; frees C after an error, which it returns. */
gbl_Info gb_slices_end(gb_SlicedRows *s, gbl_Info info);

#endif
