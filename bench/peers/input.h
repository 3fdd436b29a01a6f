/* SPDX-License-Identifier: Apache-2.0
 *
 * The same matrix for gblite and for SuiteSparse:GraphBLAS. Needs no <GraphBLAS.h>: jobs/both/ is
 * compiled with that of either library.
 */
#pragma once

#include "harness/program.h"

struct GB_Matrix_opaque; /* SuiteSparse's GrB_Matrix points to it */

/* Ap, Ai: the pattern in CSR, columns ascending. */
typedef struct {
    const char *name; /* generator spec or path, as given */
    gbl_Matrix A;
    struct GB_Matrix_opaque *S;
    gbl_Index nrows, ncols, nvals;
    gbl_Index *Ap; /* [nrows + 1] */
    gbl_Index *Ai; /* [nvals] */
} peer_input;

/* What an operand is made into: FP64 with positive random values, its rows and columns as they are
 * or in a random order, one for both or one each; or a BOOL pattern, one value for all entries: of
 * the operand, of it without direction and self loops, and of the lower triangle of that, whose
 * vertices keep their numbers or are renumbered by falling degree. */
typedef enum {
    PEER_WEIGHTED,
    PEER_SHUFFLED,
    PEER_SHUFFLED_APART,
    PEER_PATTERN,
    PEER_UNDIRECTED,
    PEER_LOWER,
    PEER_SORTED_LOWER
} peer_kind;
/* Makes both sides; 0, or -1 after saying why. To be unloaded in any case. */
int peer_load(peer_input *in, const char *operand, peer_kind kind);
void peer_unload(peer_input *in);
