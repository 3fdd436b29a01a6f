/* SPDX-License-Identifier: Apache-2.0
 *
 * PageRank (S. Brin, L. Page, 1998): how often a walker is at each vertex who follows a random edge
 * with probability `damping`, and jumps anywhere otherwise, or where no edge leads on.
 *
 *   share = rank * damping / degree                 what each vertex passes along each of its edges
 *   rank  = (1 - damping + damping * lost) / n + share * A over (plus, first)
 *   until the ranks change by less than `tolerance`, summed over all vertices
 *
 * lost is the rank of the vertices without edges, which are few and looked at alone. Ranks sum to
 * 1.
 */
#ifndef GBLITE_EXAMPLES_PAGERANK_H
#define GBLITE_EXAMPLES_PAGERANK_H

#include <math.h>

#include "gblite.h"

typedef struct {
    double damping, tolerance; /* .85 and 1e-4 are usual */
    int64_t steps;             /* at most so many; afterwards, how many were made */
} pagerank_options;

/* factor(v) = damping / edges of v; ends has an entry for each vertex that has none. */
static inline gbl_Info pagerank_degrees(gbl_Vector factor, gbl_Vector ends, gbl_Matrix A,
                                        double damping) {
    gbl_Info info;
    if ((info = gbl_Matrix_degrees(factor, NULL, NULL, A, NULL)) ||
        (info = gbl_Vector_select_FP64(ends, NULL, NULL, GBL_VALUEEQ_FP64, factor, 0.0, NULL)) ||
        (info = gbl_Vector_apply_BinaryOp2nd_FP64(factor, NULL, NULL, GBL_MAX_FP64, factor, 1.0,
                                                  NULL)))
        return info;
    return gbl_Vector_apply_BinaryOp1st_FP64(factor, NULL, NULL, GBL_DIV_FP64, damping, factor,
                                             NULL);
}

/* *rank is a new FP64 vector. A is square; an entry (i,j) is an edge from i to j. */
static inline gbl_Info pagerank(gbl_Vector *rank, gbl_Matrix A, pagerank_options *options) {
    gbl_Vector r = NULL, next = NULL, share = NULL, factor = NULL, ends = NULL;
    double change = INFINITY, lost = 0, damping = options->damping;
    int64_t step = 0;
    gbl_Index n;
    gbl_Info info;

    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Vector_new(&r, GBL_FP64, n)) ||
        (info = gbl_Vector_new(&next, GBL_FP64, n)) ||
        (info = gbl_Vector_new(&share, GBL_FP64, n)) ||
        (info = gbl_Vector_new(&factor, GBL_FP64, n)) ||
        (info = gbl_Vector_new(&ends, GBL_FP64, n)) ||
        (info = pagerank_degrees(factor, ends, A, damping)) ||
        (info = gbl_Vector_assign_FP64(r, NULL, NULL, 1.0 / (double)n, GBL_ALL, n, NULL)))
        goto done;

    for (; step < options->steps && change > options->tolerance; step++) {
        if ((info =
                 gbl_Vector_eWiseMult_BinaryOp(ends, NULL, NULL, GBL_SECOND_FP64, ends, r, NULL)) ||
            (info = gbl_Vector_reduce_FP64(&lost, NULL, GBL_PLUS_MONOID_FP64, ends, NULL)) ||
            (info = gbl_Vector_eWiseMult_BinaryOp(share, NULL, NULL, GBL_TIMES_FP64, r, factor,
                                                  NULL)) ||
            (info = gbl_Vector_assign_FP64(
                 next, NULL, NULL, (1 - damping + damping * lost) / (double)n, GBL_ALL, n, NULL)) ||
            (info = gbl_vxm(next, NULL, GBL_PLUS_FP64, GBL_PLUS_FIRST_SEMIRING_FP64, share, A,
                            NULL)) ||
            (info = gbl_Vector_eWiseAdd_BinaryOp(r, NULL, NULL, GBL_ABSDIFF_FP64, r, next, NULL)) ||
            (info = gbl_Vector_reduce_FP64(&change, NULL, GBL_PLUS_MONOID_FP64, r, NULL)))
            goto done;
        gbl_Vector swap = r;
        r = next;
        next = swap;
    }
    options->steps = step;
    *rank = r;
    r = NULL;
done:
    gbl_Vector_free(&r);
    gbl_Vector_free(&next);
    gbl_Vector_free(&share);
    gbl_Vector_free(&factor);
    gbl_Vector_free(&ends);
    return info;
}

#endif
