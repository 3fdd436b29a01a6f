/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite's variants to compute a product.
 */
#ifndef JOBS_VARIANTS_H
#define JOBS_VARIANTS_H

#include <stdbool.h>

#include "gblite.h"

/* Found among the candidates of an explanation by method and workflow. */
typedef struct product_variant {
    const char *name;
    gbl_Desc_Value method, workflow;
    const char *method_text, *workflow_text; /* "" where they do not matter */
    int with_mask;                           /* 1: only with, -1: only without, 0: either */
    bool extra;                              /* runs only where a job or --contender names it */
    bool warm;                               /* A keeps the forms that earlier products made */
    bool in_tiles;                           /* C may stay in tiles */
    gbl_Desc_Value vector;                   /* of VECTOR */
} product_variant;
extern const product_variant PRODUCT_VARIANTS[];
extern const int PRODUCT_VARIANT_COUNT; /* the first is the automatic choice */

#endif
