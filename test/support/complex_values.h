/* SPDX-License-Identifier: Apache-2.0
 *
 * CMPLX and CMPLXF for every compiler: headers of glibc define them for gcc alone.
 */
#pragma once

#include <complex.h>

#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#define CMPLXF(re, im) __builtin_complex((float)(re), (float)(im))
#endif
