/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of a pull of few rows that are added where w stands: w<m> += the product, m a list, makes no
 * list of its own and writes nothing but what the mask has.
 */
#ifndef GB_MXM_MXV_INTO_H
#define GB_MXM_MXV_INTO_H

#include "mxm/model/call.h"

/* Whether w is dense and takes sums as they are: accum is the addition of the semiring, all of one
 * type, and nothing of w goes or is read by the product. The mask is a list that is looked at by
 * structure. */
bool gb_mxv_adds_in_place(const gb_MxvCall *call);

#endif
