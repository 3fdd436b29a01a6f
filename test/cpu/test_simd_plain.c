/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector operations in plain C, as a processor gets them that has no header of its own.
 */
#include "support/gb_test.h"

#include <string.h>

#undef __SSE2__
#undef __ARM_NEON
#define SUITE simd_plain
#include "simd_cases.h"
#include "veclayer_cases.h"
