/* SPDX-License-Identifier: Apache-2.0
 *
 * CMPLX and CMPLXF for every compiler: headers of glibc define them for gcc alone.
 */
#ifndef COMPLEX_VALUES_H
#define COMPLEX_VALUES_H

#include <complex.h>

#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#define CMPLXF(re, im) __builtin_complex((float)(re), (float)(im))
#endif

#endif
