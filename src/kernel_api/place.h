/* SPDX-License-Identifier: Apache-2.0
 *
 * Where operations are asked to run.
 */
#ifndef GB_KERNEL_API_PLACE_H
#define GB_KERNEL_API_PLACE_H

#include <stdbool.h>

#include "gblite.h"

/* What GBL_PLACE or, failing that, the environment variable GBLITE_PLACE asks for, else
 * GB_PLACE_UNASKED; *asked: one of them does. GBL_INVALID_VALUE where the variable names no place.
 */
gbl_Info gb_place_wanted(int *place, bool *asked);

#endif
