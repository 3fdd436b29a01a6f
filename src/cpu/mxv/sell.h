/* SPDX-License-Identifier: Apache-2.0
 *
 * What makers and readers of strips share beside their encoding (core/sell.h).
 */
#ifndef GB_CPU_MXV_SELL_H
#define GB_CPU_MXV_SELL_H

#include "core/sell.h"
#include "core/tune.h"

enum { GB_WINDOW_STRIPS = GB_SELL_WINDOW / GB_SELL_ROWS };
_Static_assert(GB_SELL_WINDOW % GB_SELL_ROWS == 0 && GB_SELL_WINDOW <= UINT16_MAX,
               "a row of a window is a number of 16 bits");

#endif
