/* SPDX-License-Identifier: Apache-2.0
 *
 * Casts of whole arrays, in which values may be absent. (gb_cast, of a few values: algebra.h.)
 */
#ifndef GB_SEMIRING_CAST_H
#define GB_SEMIRING_CAST_H

#include "semiring/algebra.h"

/* n values. Where b is given and b[k] is 0 there is none: x[k] is unspecified and not looked at. */
typedef struct {
    const gb_Type *type;
    const void *x;
    const int8_t *b; /* [n] or NULL */
    uint64_t n;
} gb_Array;
/* The values [first, first + n) cast to z[0], z[1], ...; absent ones become zero bytes. */
void gb_cast_present(const gb_Type *to, void *z, const gb_Array *from, size_t first, size_t n);
/* *z: all of them, in a fresh block of *bytes. */
gbl_Info gb_cast_copy(void **z, size_t *bytes, const gb_Type *to, const gb_Array *from,
                      int nthreads);

#endif
