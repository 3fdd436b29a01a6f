/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector operations and long vectors of an instruction set, by whose flags this file is compiled.
 */
#define SUITE simd_set
#include "simd_cases.h"
#include "veclayer_cases.h"
