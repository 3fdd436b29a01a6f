/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of one thread of the masked inner product: a row of A, spread over the inner dimension.
 */
#ifndef GB_CPU_ISA_DOTWORK_H
#define GB_CPU_ISA_DOTWORK_H

#include <string.h>

#include "backend/backend.h"
#include "core/tune.h"

typedef struct {
    gb_RingArgs args;
    uint8_t *mark; /* [k + 1] 1: row i of A has column k; 0 between rows. Bytes, since testing a
                    * bit takes three times the instructions and hot columns stay in L1 anyway */
    gb_Idx *at;    /* [k + 1] position of k within the row, where marked */
    gb_Off start;  /* of row i in A */
    void *scratch;
} gb_DotWork;

#endif
