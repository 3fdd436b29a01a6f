/* SPDX-License-Identifier: Apache-2.0
 *
 * THE list of semirings that have specialised kernels. A driver defines SR_TEMPLATE to the path of
 * a kernel body and includes this file; the body is included once per entry, and then once with
 * SR_GENERIC defined for every other semiring (through function pointers).
 *
 * Per entry, the first two always, the others where they differ from what stands here:
 *   SR_NAME       name of the entry; the enum constant is GB_RING_<SR_NAME>
 *   SR_T          C type of the values of A, B and C
 *   SR_ADD(x, y) x + y  the monoid
 *   SR_MUL(a, b, i, k, j) a * b  the multiplication of A(i,k) and B(k,j)
 *   SR_ZERO 0     where an accumulator starts: the identity of the monoid; NaN for MIN and MAX of
 *                 floats, since NaN loses against every number but must not lose against nothing
 *   SR_TERMINAL(x) SR_ANY  true when nothing can change x any more
 *   SR_USES_A, SR_USES_B !SR_PAIR  whether SR_MUL looks at a, at b
 *   SR_ANY 0      1 when the monoid keeps any one of its arguments, and SR_ADD is x
 *   SR_PAIR 0     1 when every product is 1 and the monoid is PLUS (it counts products) or ANY
 *   SR_TRUTH 0    1 for OR and AND of booleans
 *   SR_PLAIN 0    1 when SR_ADD and SR_MUL are + and *, so that an x of 0 adds nothing
 *   SR_SIDED 0    1 when no entry has the same multiplication with its arguments swapped
 *                 (gb_ring_mirrored); else a kernel may count on the caller to swap the factors
 *   SR_NO_LANES 0 1 when values are no lanes of vectors; such entries stand behind the others, for
 *                 drivers that define SR_WIDE
 * SR_ADD and SR_MUL use operators that C has for numbers and for vectors of lanes, and macros of
 * semiring/ids.h, which kernels on lanes redefine.
 * semiring/entry.h derives from these the macros that bodies use; see there.
 *
 * Unsigned integers run the signed entry where two's complement makes them equal (PLUS, TIMES,
 * FIRST, SECOND, PAIR, ANY): semiring/semiring.c knows which.
 * To add a semiring: one block here, one line in semiring/ids.h. Tests pick it up from there.
 */

#define SR_NAME PLUS_TIMES_FP64
#define SR_T double
#define SR_PLAIN 1
#include "semiring/entry.h"

#define SR_NAME PLUS_TIMES_FP32
#define SR_T float
#define SR_PLAIN 1
#include "semiring/entry.h"

#define SR_NAME PLUS_TIMES_INT64
#define SR_T uint64_t
#define SR_PLAIN 1
#include "semiring/entry.h"

#define SR_NAME PLUS_TIMES_INT32
#define SR_T uint32_t
#define SR_PLAIN 1
#include "semiring/entry.h"

#define SR_NAME PLUS_PAIR_FP64
#define SR_T double
#define SR_MUL(a, b, i, k, j) (1.0)
#define SR_PAIR 1
#include "semiring/entry.h"

#define SR_NAME PLUS_PAIR_INT64
#define SR_T uint64_t
#define SR_MUL(a, b, i, k, j) (1)
#define SR_PAIR 1
#include "semiring/entry.h"

#define SR_NAME PLUS_PAIR_INT32
#define SR_T uint32_t
#define SR_MUL(a, b, i, k, j) (1)
#define SR_PAIR 1
#include "semiring/entry.h"

#define SR_NAME PLUS_FIRST_FP64
#define SR_T double
#define SR_MUL(a, b, i, k, j) ((a))
#define SR_USES_B 0
#include "semiring/entry.h"

#define SR_NAME PLUS_SECOND_FP64
#define SR_T double
#define SR_MUL(a, b, i, k, j) ((b))
#define SR_USES_A 0
#include "semiring/entry.h"

#define SR_NAME PLUS_SECOND_FP32
#define SR_T float
#define SR_MUL(a, b, i, k, j) ((b))
#define SR_USES_A 0
#define SR_SIDED 1
#include "semiring/entry.h"

#define SR_NAME PLUS_SECOND_INT64
#define SR_T uint64_t
#define SR_MUL(a, b, i, k, j) ((b))
#define SR_USES_A 0
#define SR_SIDED 1
#include "semiring/entry.h"

#define SR_NAME MIN_PLUS_FP64
#define SR_T double
#define SR_ADD(x, y) (GB_FMIN(x, y))
#define SR_MUL(a, b, i, k, j) ((a) + (b))
#define SR_ZERO NAN
#include "semiring/entry.h"

#define SR_NAME MIN_PLUS_FP32
#define SR_T float
#define SR_ADD(x, y) (GB_FMIN(x, y))
#define SR_MUL(a, b, i, k, j) ((a) + (b))
#define SR_ZERO NAN
#include "semiring/entry.h"

#define SR_NAME MIN_PLUS_INT64
#define SR_T int64_t
#define SR_ADD(x, y) (GB_IMIN(x, y))
#define SR_MUL(a, b, i, k, j) (GB_IADD(a, b))
#define SR_ZERO INT64_MAX
#include "semiring/entry.h"

#define SR_NAME MIN_PLUS_INT32
#define SR_T int32_t
#define SR_ADD(x, y) (GB_IMIN(x, y))
#define SR_MUL(a, b, i, k, j) (GB_IADD(a, b))
#define SR_ZERO INT32_MAX
#include "semiring/entry.h"

#define SR_NAME MAX_PLUS_FP64
#define SR_T double
#define SR_ADD(x, y) (GB_FMAX(x, y))
#define SR_MUL(a, b, i, k, j) ((a) + (b))
#define SR_ZERO NAN
#include "semiring/entry.h"

#define SR_NAME MIN_MAX_FP64
#define SR_T double
#define SR_ADD(x, y) (GB_FMIN(x, y))
#define SR_MUL(a, b, i, k, j) (GB_FMAX(a, b))
#define SR_ZERO NAN
#define SR_SIDED 1
#include "semiring/entry.h"

#define SR_NAME MAX_MIN_FP64
#define SR_T double
#define SR_ADD(x, y) (GB_FMAX(x, y))
#define SR_MUL(a, b, i, k, j) (GB_FMIN(a, b))
#define SR_ZERO NAN
#define SR_SIDED 1
#include "semiring/entry.h"

#define SR_NAME MAX_TIMES_FP64
#define SR_T double
#define SR_ADD(x, y) (GB_FMAX(x, y))
#define SR_ZERO NAN
#include "semiring/entry.h"

#define SR_NAME MIN_FIRST_INT64
#define SR_T int64_t
#define SR_ADD(x, y) (GB_IMIN(x, y))
#define SR_MUL(a, b, i, k, j) ((a))
#define SR_ZERO INT64_MAX
#define SR_TERMINAL(x) ((x) == INT64_MIN)
#define SR_USES_B 0
#include "semiring/entry.h"

#define SR_NAME MIN_SECOND_INT64
#define SR_T int64_t
#define SR_ADD(x, y) (GB_IMIN(x, y))
#define SR_MUL(a, b, i, k, j) ((b))
#define SR_ZERO INT64_MAX
#define SR_TERMINAL(x) ((x) == INT64_MIN)
#define SR_USES_A 0
#include "semiring/entry.h"

#define SR_NAME LOR_LAND_BOOL
#define SR_T uint8_t
#define SR_ADD(x, y) ((uint8_t)((x) | (y)))
#define SR_MUL(a, b, i, k, j) ((uint8_t)((a) & (b)))
#define SR_TERMINAL(x) (x)
#define SR_TRUTH 1
#include "semiring/entry.h"

#define SR_NAME ANY_PAIR_BOOL
#define SR_T uint8_t
#define SR_MUL(a, b, i, k, j) (1)
#define SR_ANY 1
#define SR_PAIR 1
#include "semiring/entry.h"

#define SR_NAME ANY_FIRST_INT64
#define SR_T int64_t
#define SR_MUL(a, b, i, k, j) ((a))
#define SR_USES_B 0
#define SR_ANY 1
#include "semiring/entry.h"

#define SR_NAME ANY_SECOND_INT64
#define SR_T int64_t
#define SR_MUL(a, b, i, k, j) ((b))
#define SR_USES_A 0
#define SR_ANY 1
#include "semiring/entry.h"

#define SR_NAME ANY_SECONDI_INT64
#define SR_T int64_t
#define SR_MUL(a, b, i, k, j) ((k))
#define SR_USES_A 0
#define SR_USES_B 0
#define SR_ANY 1
#include "semiring/entry.h"

#define SR_NAME ANY_SECONDI_INT32
#define SR_T int32_t
#define SR_MUL(a, b, i, k, j) ((k))
#define SR_USES_A 0
#define SR_USES_B 0
#define SR_ANY 1
#include "semiring/entry.h"

#define SR_NAME MIN_SECONDI_INT64
#define SR_T int64_t
#define SR_ADD(x, y) (GB_IMIN(x, y))
#define SR_MUL(a, b, i, k, j) ((k))
#define SR_ZERO INT64_MAX
#define SR_USES_A 0
#define SR_USES_B 0
#include "semiring/entry.h"

/* Of complex numbers. */
#ifdef SR_WIDE
#include "semiring/complex_ops.h"

#define SR_NAME PLUS_TIMES_FC64
#define SR_T gbl_FC64
#define SR_MUL(a, b, i, k, j) (gb_TIMES_FC64(a, b))
#define SR_NO_LANES 1
#include "semiring/entry.h"

#define SR_NAME PLUS_TIMES_FC32
#define SR_T gbl_FC32
#define SR_MUL(a, b, i, k, j) (gb_TIMES_FC32(a, b))
#define SR_NO_LANES 1
#include "semiring/entry.h"
#endif

#define SR_GENERIC
#define SR_NAME GENERIC
#include "semiring/entry.h"
#undef SR_GENERIC
