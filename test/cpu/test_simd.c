/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector operations of the portable kernels: with what every processor of this kind has.
 */
#define SUITE simd
#include "simd_cases.h"
