/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/overhead: what a call costs beside its work: microseconds of calls on objects so small that
 * the work is nothing, gblite and SuiteSparse:GraphBLAS in turns.
 *   main.c   options, rounds, the document
 *   calls.c  a 10 x 10 matrix with three diagonals (28 entries), FP64, plus-times, once for each
 *            library; and what it takes to plan products of under 10,000 multiplications
 *   lists.c  lists of a few entries of long vectors, FP64, and steps of a search along a path
 */
#ifndef OVERHEAD_H
#define OVERHEAD_H

#include "peers/suitesparse.h"

enum { OVERHEAD_N = 10, OVERHEAD_LONG = 65536, OVERHEAD_PATH = 1 << 20 };

/* What the calls of one library work on, those that a group needs; every call leaves it fit for the
 * next one. u: a list; m: half of the positions; f: full. Products of under 10,000 multiplications
 * for the planner: of few long rows, of many short ones. */
typedef struct {
    gbl_Matrix A, M, C;
    gbl_Vector u, w, m, f;
    gbl_Matrix full, full_out, band, band_out;
} overhead_mine;
typedef struct {
    GrB_Matrix A, M, C;
    GrB_Vector u, w, m, f;
} overhead_other;

typedef struct {
    const char *name;
    gbl_Info (*mine)(overhead_mine *o);
    GrB_Info (*other)(overhead_other *o); /* NULL: the other library has no such call */
} overhead_call;

/* Calls on objects that are made alike. entries: of the list u; a group may have its own. */
typedef struct {
    const overhead_call *calls;
    int count;
    gbl_Info (*mine_new)(overhead_mine *o, uint64_t entries);
    GrB_Info (*other_new)(overhead_other *o, uint64_t entries);
} overhead_group;
extern const overhead_group OVERHEAD_TINY, OVERHEAD_LISTS, OVERHEAD_SEARCH;

void overhead_mine_free(overhead_mine *o);
void overhead_other_free(overhead_other *o);

#endif
