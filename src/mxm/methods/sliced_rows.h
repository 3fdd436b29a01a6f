/* SPDX-License-Identifier: Apache-2.0
 *
 * C by rows, put together from slices of rows that come in order.
 */
#ifndef GB_MXM_METHODS_SLICED_ROWS_H
#define GB_MXM_METHODS_SLICED_ROWS_H

#include "mxm/model/method.h"

typedef struct {
    gb_Cs *C;
    size_t size;               /* of a value */
    bool exact;                /* arrays are made for what is there, not for what is expected */
    const gb_Allowance *allow; /* what they may take */
    uint64_t rows;             /* there so far */
} gb_SlicedRows;

gbl_Info gb_slices_begin(gb_SlicedRows *s, uint64_t nmajor);
/* The next rows; share: of all work, that is done with them. */
gbl_Info gb_slices_add(gb_SlicedRows *s, const gb_CsView *part, double share);
/* Gives back what C's arrays are too long; frees C after an error, which it returns. */
gbl_Info gb_slices_end(gb_SlicedRows *s, gbl_Info info);

#endif
