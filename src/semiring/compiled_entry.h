/* SPDX-License-Identifier: Apache-2.0
 *
 * The entry (entry.h) of the user's semiring, whose macros gblite_semiring.h explains: the body
 * SR_TEMPLATE for GBL_SEMIRING. Bodies see the functions and the type of cpu/compiled/helpers.h
 * and not the user's own names, which could be those of their variables; on lanes of vectors they
 * see the expressions. The vector of a product may be the left factor (SR_SIDED), since nothing is
 * known of the multiplication.
 */
#define SR_COMPILED
#ifndef SR_NAME
#define SR_NAME GBL_SEMIRING
#endif
#define SR_T GB_CAT(gb_value, GBL_SEMIRING)
#if GBL_SEMIRING_LANES
#define SR_ADD(x, y) (GBL_SEMIRING_ADD((x), (y)))
#define SR_MUL(a, b, i, k, j) (GBL_SEMIRING_MULTIPLY((a), (b)))
#define SR_ZERO (GBL_SEMIRING_IDENTITY)
#else
#define SR_ADD(x, y) GB_CAT(gb_plus, GBL_SEMIRING)(x, y)
#define SR_MUL(a, b, i, k, j) GB_CAT(gb_times, GBL_SEMIRING)(a, b)
#define SR_ZERO GB_CAT(gb_identity, GBL_SEMIRING)
#endif
#define SR_TERMINAL(x) GB_CAT(gb_is_terminal, GBL_SEMIRING)(x)
#define SR_SIDED 1
#include "semiring/entry.h"
#undef SR_TEMPLATE
#undef SR_COMPILED
