/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/lists: extract and assign by lists of rows and columns, and Kronecker products, by gblite
 * and SuiteSparse:GraphBLAS in turns. FP64, random values.
 *   main.c   options, the suite, the document
 *   cases.c  the lists and operands of each case
 *   race.c   one case by both, and whether they agree
 */
#ifndef LISTS_H
#define LISTS_H

#include "peers/suitesparse.h"

typedef enum {
    LISTS_EXTRACT,       /* C = A(I, J) */
    LISTS_ROW,           /* w = A(i, :), for every i of I */
    LISTS_ASSIGN,        /* C(I, J) = B, where C begins as A */
    LISTS_ASSIGN_MASK,   /* C<M>(I, J) = B, M structural */
    LISTS_ACCUM,         /* C(I, J) += B */
    LISTS_VALUE,         /* C(I, J) = x */
    LISTS_ROW_ASSIGN,    /* C(i, :) = w for every i of I, w has B's values */
    LISTS_VECTOR,        /* w(I) = u, where w is full */
    LISTS_VECTOR_VALUE,  /* w(I) = x */
    LISTS_KRONECKER,     /* C = A x B */
    LISTS_KRONECKER_LEFT /* C = B x A */
} lists_kind;

/* What one case works on; lists are NULL for all. */
typedef struct {
    const char *name;
    lists_kind kind;
    const peer_input *in;
    gbl_Index *I, *J, ni, nj;
    gbl_Matrix B;
    GrB_Matrix SB;
    gbl_Vector u, w;
    GrB_Vector su, sw;
} lists_case;

/* The cases of an input, in turns: calls visit for each; 0, or -1 after saying why. */
int lists_each(const peer_input *in, int (*visit)(void *context, lists_case *of), void *context);

/* Seconds of both into the object; 0, or -1 after saying why, also where results differ. */
int lists_race(cJSON *object, lists_case *of, int rounds, double *ratio);

#endif
