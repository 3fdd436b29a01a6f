/* SPDX-License-Identifier: Apache-2.0
 *
 * Semirings of strict C11 and C++17, which no compiler warns of: numbers on lanes, and
 * a struct with a terminal value.
 */
#include <gblite.h>
#include <math.h>

#define GBL_SEMIRING nearest
#define GBL_SEMIRING_TYPE float
#define GBL_SEMIRING_ADD(x, y) GBL_LANES_FMIN(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) ((a) + (b))
#define GBL_SEMIRING_IDENTITY INFINITY
#define GBL_SEMIRING_LANES 1
#include <gblite_semiring.h>

typedef struct {
    double length;
    int64_t hops;
} path;

GBL_KERNEL_FUNCTION path better(path x, path y) {
    return x.length < y.length || (x.length == y.length && x.hops < y.hops) ? x : y;
}

GBL_KERNEL_FUNCTION path follow(path x, path y) {
    x.length += y.length;
    x.hops += y.hops;
    return x;
}

#define GBL_SEMIRING shortest
#define GBL_SEMIRING_TYPE path
#define GBL_SEMIRING_ADD(x, y) better(x, y)
#define GBL_SEMIRING_MULTIPLY(x, y) follow(x, y)
#ifdef __cplusplus
#define GBL_SEMIRING_IDENTITY path({INFINITY, 0})
#else /* which is no constant by ISO C */
#define GBL_SEMIRING_IDENTITY ((path){INFINITY, 0})
#endif
#define GBL_SEMIRING_TERMINAL(x) ((x).length <= 0)
#include <gblite_semiring.h>
