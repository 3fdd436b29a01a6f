/* SPDX-License-Identifier: Apache-2.0
 *
 * The variants of the method VECTOR.
 */
#ifndef GB_MXM_METHODS_VECTOR_H
#define GB_MXM_METHODS_VECTOR_H

#include "mxm/model/call.h"

/* How the request sums rows. */
gb_VectorWay gb_vector_way(const gb_VectorChoices *c);

#endif
