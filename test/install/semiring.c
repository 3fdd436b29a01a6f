/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's semiring, compiled against an installed gblite: the larger of two probabilities, and
 * their product.
 */
#define GBL_SEMIRING reliable
#define GBL_SEMIRING_TYPE double
#define GBL_SEMIRING_ADD(x, y) ((x) > (y) ? (x) : (y))
#define GBL_SEMIRING_MULTIPLY(a, b) ((a) * (b))
#define GBL_SEMIRING_IDENTITY 0.0
#include <gblite_semiring.h>
