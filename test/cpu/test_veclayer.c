/* SPDX-License-Identifier: Apache-2.0
 *
 * Long vectors of the portable kernels.
 */
#define SUITE veclayer
#include "veclayer_cases.h"
