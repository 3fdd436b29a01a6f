/* SPDX-License-Identifier: Apache-2.0
 *
 * From here to laneops_end.h the operators that SR_ADD and SR_MUL are written with take registers:
 * the template that includes both defines LANES64 and LANES32, registers of unsigned integers as
 * long as its own. Sums of integers wrap around in them; a NaN loses against all else.
 *
 * This header has no guard, as template.h.
 */
#ifndef LANES64
#error "define LANES64 and LANES32"
#endif
#include "cpu/simd/lanes.h"
#pragma push_macro("GB_FMIN")
#pragma push_macro("GB_FMAX")
#pragma push_macro("GB_IMIN")
#pragma push_macro("GB_IADD")
#undef GB_FMIN
#undef GB_FMAX
#undef GB_IMIN
#undef GB_IADD
#define GB_FMIN(x, y) GB_PICK(((x) < (y)) | ((y) != (y)), x, y)
#define GB_FMAX(x, y) GB_PICK(((x) > (y)) | ((y) != (y)), x, y)
#define GB_IMIN(x, y) GB_PICK((x) < (y), x, y)
#define GB_IADD(x, y)                                                                              \
    (sizeof(SR_T) == 8 ? (__typeof__(x))((LANES64)(x) + (LANES64)(y))                              \
                       : (__typeof__(x))((LANES32)(x) + (LANES32)(y)))
