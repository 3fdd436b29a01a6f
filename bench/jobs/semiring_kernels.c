/* SPDX-License-Identifier: Apache-2.0
 *
 * The semirings of the job semiring, with kernels made as users make theirs.
 */
#include <math.h>

#include "jobs/semiring.h"

#define GBL_SEMIRING bench_plus_times
#define GBL_SEMIRING_TYPE double
#define GBL_SEMIRING_ADD(x, y) ((x) + (y))
#define GBL_SEMIRING_MULTIPLY(a, b) ((a) * (b))
#define GBL_SEMIRING_IDENTITY 0.0
#define GBL_SEMIRING_LANES 1
#include "gblite_semiring.h"

#define GBL_SEMIRING bench_min_plus
#define GBL_SEMIRING_TYPE int32_t
#define GBL_SEMIRING_ADD(x, y) GBL_LANES_IMIN(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) ((a) + (b))
#define GBL_SEMIRING_IDENTITY INT32_MAX
#define GBL_SEMIRING_LANES 1
#include "gblite_semiring.h"

#define GBL_SEMIRING bench_paths
#define GBL_SEMIRING_TYPE bench_path
#define GBL_SEMIRING_ADD(x, y) bench_better(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) bench_follow(a, b)
#define GBL_SEMIRING_IDENTITY ((bench_path){INFINITY, 0})
#include "gblite_semiring.h"
