/* SPDX-License-Identifier: Apache-2.0
 *
 * Widest paths: a path is as wide as its narrowest edge, and the widest of all paths counts.
 */
#ifndef SEMIRINGS_WIDEST_H
#define SEMIRINGS_WIDEST_H

#include "gblite.h"

GBL_KERNEL_FUNCTION double wider(double x, double y) {
    return x > y ? x : y;
}

GBL_KERNEL_FUNCTION double narrower(double a, double b) {
    return a < b ? a : b;
}

#define GBL_SEMIRING widest
#define GBL_SEMIRING_TYPE double
#define GBL_SEMIRING_ADD(x, y) wider(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) narrower(a, b)
#define GBL_SEMIRING_IDENTITY 0.0
#include "gblite_semiring.h"

#endif
