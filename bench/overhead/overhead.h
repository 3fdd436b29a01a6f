/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/overhead: what a call costs beside its work: microseconds of calls on objects so small that
 * the work is nothing, gblite and SuiteSparse:GraphBLAS in turns. A 10 x 10 matrix with three
 * diagonals (28 entries), FP64, plus-times; and what it takes to plan products of under 10,000
 * multiplications.
 *   main.c   options, rounds, the document
 *   calls.c  the calls, once for each library
 */
#ifndef OVERHEAD_H
#define OVERHEAD_H

#include "peers/suitesparse.h"

enum { OVERHEAD_N = 10 };

/* What the calls of one library work on; every call leaves it fit for the next one. Products of
 * under 10,000 multiplications for the planner: of few long rows, of many short ones. */
typedef struct {
    gbl_Matrix A, M, C;
    gbl_Vector u, w;
    gbl_Matrix full, full_out, band, band_out;
} overhead_mine;
typedef struct {
    GrB_Matrix A, M, C;
    GrB_Vector u, w;
} overhead_other;

typedef struct {
    const char *name;
    gbl_Info (*mine)(overhead_mine *o);
    GrB_Info (*other)(overhead_other *o); /* NULL: the other library has no such call */
} overhead_call;

extern const overhead_call OVERHEAD_CALLS[];
extern const int OVERHEAD_CALL_COUNT;

gbl_Info overhead_mine_new(overhead_mine *o);
void overhead_mine_free(overhead_mine *o);
GrB_Info overhead_other_new(overhead_other *o);
void overhead_other_free(overhead_other *o);

#endif
