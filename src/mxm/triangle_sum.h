/* SPDX-License-Identifier: Apache-2.0
 *
 * The sum of C<A> = A * A over (plus, pair), with whatever transposes: the closed walks of three
 * steps of a graph. Where the pattern of A is symmetric these are six for each triangle, three for
 * each other entry of a row with a loop, and one for the loop; where it lies on one side of the
 * main diagonal, one for each triangle. So they are counted as triangles are counted best, without
 * a plan: on short rows as they are, else in the order of degrees (matrix/derived.h).
 */
#ifndef GB_MXM_TRIANGLE_SUM_H
#define GB_MXM_TRIANGLE_SUM_H

#include "mxm/model/call.h"

/* call->fold, and *made, where the product is such a sum whose making is left to the library; else
 * nothing. The call has been checked, its operands are assembled and have entries. */
gbl_Info gb_triangle_sum(const gb_MxmCall *call, bool *made);

#endif
