/* SPDX-License-Identifier: Apache-2.0
 *
 * Long vectors of the portable kernels.
 */
#include "support/gb_test.h"

#include <string.h>

#define VECLAYER every_operation
#include "veclayer_cases.h"

GB_TEST(veclayer, plain) {
    every_operation();
}
