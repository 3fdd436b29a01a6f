/* SPDX-License-Identifier: Apache-2.0
 *
 * The same matrix for gblite and for SuiteSparse:GraphBLAS. Needs no <GraphBLAS.h>: jobs/both/ is
 * compiled with that of either library.
 *   input.c  files and generators, with rows and columns in order or shuffled
 *   lower.c  the lower triangle of a graph
 */
#ifndef PEERS_INPUT_H
#define PEERS_INPUT_H

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

/* Makes both sides of an operand, FP64 with positive random values, or undirected: BOOL, symmetric,
 * without self loops. 0, or -1 after saying why. */
int peer_load(peer_input *in, const char *operand, bool undirected);
/* The same, directed, with rows and columns in a random order: one for both, or one each. */
typedef enum { PEER_IN_ORDER, PEER_SHUFFLED, PEER_SHUFFLED_APART } peer_order;
int peer_load_shuffled(peer_input *in, const char *operand, peer_order order);
/* The pattern of another input, BOOL. */
int peer_pattern_of(peer_input *in, const peer_input *other);
/* The lower triangle of an undirected input, whose vertices keep their numbers or are renumbered by
 * falling degree. */
int peer_lower(peer_input *L, const peer_input *in, bool by_degree);
void peer_unload(peer_input *in);

/* From edges I, J [n] of an n x n pattern without duplicates. */
int peer_pattern(peer_input *in, gbl_Index n, const gbl_Index *I, const gbl_Index *J,
                 gbl_Index edges);

#endif
