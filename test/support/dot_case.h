/* SPDX-License-Identifier: Apache-2.0
 *
 * Products by DOT under a mask, against the oracle: what tests of bits and of hubs share.
 */
#pragma once

#include "support/gb_test.h"

/* The same content twice: for the oracle, and as the library's objects. */
typedef struct {
    const char *name;
    o_Ring ring;
    o_Matrix A, B, M; /* B: by the columns of op(B) */
    gbl_Matrix gA, gB, gM;
    t_Flags flags;
} t_DotCase;

/* The library's objects of A, B and M; iso: held with one value. */
void t_dot_begin(t_DotCase *of, bool iso);
void t_dot_end(t_DotCase *of);
/* The product, which is the oracle's; the caller frees it. */
gbl_Matrix t_dot_product(const t_DotCase *of);
