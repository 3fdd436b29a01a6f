/* SPDX-License-Identifier: Apache-2.0
 *
 * Dual numbers x + x' e with e * e = 0: products that carry their derivative (forward automatic
 * differentiation).
 */
#ifndef SEMIRINGS_DUAL_H
#define SEMIRINGS_DUAL_H

#include "gblite.h"

typedef struct {
    double value, slope;
} dual_number;

GBL_KERNEL_FUNCTION dual_number dual_sum(dual_number x, dual_number y) {
    return (dual_number){x.value + y.value, x.slope + y.slope};
}

GBL_KERNEL_FUNCTION dual_number dual_product(dual_number a, dual_number b) {
    return (dual_number){a.value * b.value, a.value * b.slope + a.slope * b.value};
}

#define GBL_SEMIRING dual
#define GBL_SEMIRING_TYPE dual_number
#define GBL_SEMIRING_ADD(x, y) dual_sum(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) dual_product(a, b)
#define GBL_SEMIRING_IDENTITY ((dual_number){0, 0})
#include "gblite_semiring.h"

#endif
