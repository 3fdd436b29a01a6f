/* SPDX-License-Identifier: Apache-2.0
 *
 * The four least different lengths of paths, in ascending order; INFINITY where there are fewer.
 *
 *   x + y = the four least of both
 *   a * b = the four least sums of a length of a and one of b
 */
#ifndef SEMIRINGS_K_SHORTEST_H
#define SEMIRINGS_K_SHORTEST_H

#include <math.h>

#include "gblite.h"

enum { LENGTHS = 4 };
typedef struct {
    double length[LENGTHS];
} lengths;

/* Puts a length where it belongs, unless it is there or too long. */
GBL_KERNEL_FUNCTION lengths with_length(lengths x, double length) {
    for (int k = 0; k < LENGTHS; k++) {
        const double other = x.length[k];
        if (length == other) return x;
        if (length < other) {
            x.length[k] = length;
            length = other;
        }
    }
    return x;
}

GBL_KERNEL_FUNCTION lengths least(lengths x, lengths y) {
    for (int k = 0; k < LENGTHS && y.length[k] < x.length[LENGTHS - 1]; k++)
        x = with_length(x, y.length[k]);
    return x;
}

GBL_KERNEL_FUNCTION lengths sums(lengths a, lengths b) {
    lengths c = {{INFINITY, INFINITY, INFINITY, INFINITY}};
    for (int i = 0; i < LENGTHS && a.length[i] < INFINITY; i++)
        for (int k = 0; k < LENGTHS && b.length[k] < INFINITY; k++)
            c = with_length(c, a.length[i] + b.length[k]);
    return c;
}

#define GBL_SEMIRING k_shortest
#define GBL_SEMIRING_TYPE lengths
#define GBL_SEMIRING_ADD(x, y) least(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) sums(a, b)
#define GBL_SEMIRING_IDENTITY ((lengths){{INFINITY, INFINITY, INFINITY, INFINITY}})
#include "gblite_semiring.h"

#endif
