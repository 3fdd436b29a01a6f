/* SPDX-License-Identifier: Apache-2.0
 *
 * What a mask forbids before a product is expanded: rows of C that can have no entry, and, where
 * the mask names few columns, entries of B in all the others. What is left of the mask is applied
 * to finished rows.
 */
#ifndef GB_CPU_COMMON_PREMASK_H
#define GB_CPU_COMMON_PREMASK_H

#include "kernel_api/backend.h"

typedef struct {
    uint64_t *alive; /* [m / 64 + 1] a bit per row of C; NULL: all are */
    uint64_t *flops; /* [m + 1] products of the rows that are alive, where some are not */
    gb_Cs B;         /* entries in columns that the mask names, where these are few */
    uint64_t m;
} gb_Premask;

/* Replaces g's flops and B by what the mask leaves of them. */
gbl_Info gb_premask_new(gb_Premask *pre, gb_MxmArgs *g);
void gb_premask_free(gb_Premask *pre);

#endif
