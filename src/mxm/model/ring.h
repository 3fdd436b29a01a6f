/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels need of the semiring and of the values of A and B, and what a call must satisfy.
 */
#ifndef GB_MXM_MODEL_RING_H
#define GB_MXM_MODEL_RING_H

#include "mxm/model/call.h"

gb_RingArgs gb_ring_args(const gb_Semiring *ring, const void *Ax, bool a_iso, const void *Bx,
                         bool b_iso);
/* The same for C' = B' * A': operands swapped. */
gb_RingArgs gb_ring_mirror(const gb_RingArgs *args);
/* The semiring for A and a vector with values ux: A becomes the left factor where a kernel
 * multiplies the other way round. */
gb_MxvRing gb_mxv_ring(const gb_Semiring *ring, bool u_is_left, const gb_CsView *A, const void *ux,
                       bool u_iso);
/* The type that a factor's values must have, or NULL when the multiplication ignores them. */
const gb_Type *gb_ring_left_type(const gb_Semiring *ring);
const gb_Type *gb_ring_right_type(const gb_Semiring *ring);
/* gbl_Explanation.semiring, [GB_SEMIRING_TEXT]. */
enum { GB_SEMIRING_TEXT = sizeof(((gbl_Explanation *)0)->semiring) };
void gb_ring_describe(char *to, const gb_Semiring *ring);
/* Whether it adds and multiplies floats, so that norms bound what a product adds. */
bool gb_ring_has_norms(const gb_Semiring *ring);
/* The semiring's domains fit operands of these types; GBL_DOMAIN_MISMATCH. */
gbl_Info gb_ring_check(const gb_Semiring *ring, const gb_Type *left, const gb_Type *right);
/* The columns of op(A) are the rows of op(B); GBL_DIMENSION_MISMATCH. */
gbl_Info gb_check_inner(const gb_MxmCall *call);

#endif
