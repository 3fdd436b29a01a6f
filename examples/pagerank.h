/* SPDX-License-Identifier: Apache-2.0
 *
 * PageRank (S. Brin, L. Page, 1998): how often a walker is at each vertex who follows a random edge
 * with probability `damping`, and jumps anywhere otherwise, or where no edge leads on.
 *
 *   share = rank * damping / degree                 what each vertex passes along each of its edges
 *   rank  = (1 - damping + damping * lost) / n + A' * share over (plus, second)
 *
 * or, where edges have weights and the walker prefers some vertices to jump to:
 *
 *   share = rank * damping / sum of weights         of the edges of each vertex
 *   rank  = (1 - damping + damping * lost) * jump + A' * share over (plus, times)
 *   until the ranks change by less than `tolerance`, summed over all vertices
 *
 * Where edges go both ways, steps that lean on the two ranks before them are fewer by a root
 * (Chebyshev's; G. Golub, R. Varga, 1961), from the first one that leaves half of the change:
 *
 *   rank  = before + weight * (rank - before),   weight = 1 / (1 - damping^2 * weight / 4)
 *
 * lost is the rank of the vertices without edges, few and looked at alone. Ranks sum to 1. */
#ifndef GBLITE_EXAMPLES_PAGERANK_H
#define GBLITE_EXAMPLES_PAGERANK_H

#include <math.h>

#include "gblite.h"

typedef struct {
    double damping, tolerance; /* .85 and 1e-4 are usual; narrow ranks may not settle below 1e-7 */
    int64_t steps;             /* at most so many; afterwards, how many were made */
    bool narrow;               /* ranks are FP32 instead of FP64 */
    bool undirected;           /* the caller knows that edges go both ways: fewer steps */
    bool weighted;             /* edges are taken in proportion to their values, 0 or more */
    gbl_Vector jump;           /* a value at each vertex, in sum 1; NULL: all are the same */
    double change;             /* afterwards, that of the last step: above tolerance where the */
                               /* ranks have not settled */
} pagerank_options;

#define PAGERANK(what) (options->narrow ? GBL_##what##_FP32 : GBL_##what##_FP64)

/* factor(v) = damping / edges of v, or their weights; ends has an entry where there are none. */
static inline gbl_Info pagerank_degrees(gbl_Vector factor, gbl_Vector ends, gbl_Matrix A,
                                        const pagerank_options *options) {
    gbl_Index n;
    gbl_Info info = gbl_Vector_size(&n, factor);
    if (!info && !options->weighted) info = gbl_Matrix_degrees(factor, NULL, NULL, A, NULL);
    if (!info && options->weighted)
        info = gbl_Vector_assign_FP64(factor, NULL, NULL, 0, GBL_ALL, n, NULL);
    if (!info && options->weighted)
        info =
            gbl_Matrix_reduce_Monoid(factor, NULL, PAGERANK(PLUS), PAGERANK(PLUS_MONOID), A, NULL);
    if (info ||
        (info = gbl_Vector_select_FP64(ends, NULL, NULL, PAGERANK(VALUEEQ), factor, 0, NULL)) ||
        (info = gbl_Vector_assign_FP64(factor, ends, NULL, 1, GBL_ALL, n, GBL_DESC_S)))
        return info;
    return gbl_Vector_apply_BinaryOp1st_FP64(factor, NULL, NULL, PAGERANK(DIV), options->damping,
                                             factor, NULL);
}

/* next = the part of the ranks that jumps. */
static inline gbl_Info pagerank_jump(gbl_Vector next, double part, gbl_Index n,
                                     const pagerank_options *options) {
    if (!options->jump)
        return gbl_Vector_assign_FP64(next, NULL, NULL, part / (double)n, GBL_ALL, n, NULL);
    return gbl_Vector_apply_BinaryOp2nd_FP64(next, NULL, NULL, PAGERANK(TIMES), options->jump, part,
                                             NULL);
}

/* Of the steps to come, the part done: changes shrink by about the same factor each. */
static inline double pagerank_part(double first, double change, int64_t step,
                                   const pagerank_options *options) {
    const double made = (double)step / (double)options->steps;
    const double shrunk = log(first / change) / log(first / options->tolerance);
    return shrunk > made ? fmin(shrunk, 1) : made;
}

/* *rank is a new vector. A is square; an entry (i,j) is an edge from i to j. One call of the
 * library, for GBL_DEADLINE and for progress. */
static inline gbl_Info pagerank(gbl_Vector *rank, gbl_Matrix A, pagerank_options *options) {
    enum { R, NEXT, BEFORE, SHARE, FACTOR, ENDS, COUNT };
    gbl_Vector v[COUNT] = {NULL};
    double change = INFINITY, plain = INFINITY, weight = 1, lost = 0, d = options->damping;
    double first = 0;
    const gbl_Semiring ring =
        options->weighted ? PAGERANK(PLUS_TIMES_SEMIRING) : PAGERANK(PLUS_SECOND_SEMIRING);
    bool leans = options->undirected;
    int64_t step = 0;
    gbl_Index n;
    gbl_call_begin();
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    for (int k = 0; k < COUNT && !info; k++)
        info = gbl_Vector_new(&v[k], options->narrow ? GBL_FP32 : GBL_FP64, n);
    if (info || (info = pagerank_degrees(v[FACTOR], v[ENDS], A, options)) ||
        (info = gbl_Vector_assign_FP64(v[R], NULL, NULL, 1.0 / (double)n, GBL_ALL, n, NULL)))
        goto done;

    for (; step < options->steps && change > options->tolerance; step++) {
        const gbl_Vector r = v[R], next = v[NEXT], share = v[SHARE], ends = v[ENDS];
        if ((info = gbl_Vector_eWiseMult_BinaryOp(ends, NULL, NULL, PAGERANK(SECOND), ends, r,
                                                  NULL)) ||
            (info = gbl_Vector_reduce_FP64(&lost, NULL, PAGERANK(PLUS_MONOID), ends, NULL)) ||
            (info = gbl_Vector_eWiseMult_BinaryOp(share, NULL, NULL, PAGERANK(TIMES), r, v[FACTOR],
                                                  NULL)) ||
            (info = pagerank_jump(next, 1 - d + d * lost, n, options)) ||
            (info = gbl_mxv(next, NULL, PAGERANK(PLUS), ring, A, share, GBL_DESC_T0)) ||
            (info = gbl_Vector_eWiseAdd_BinaryOp(share, NULL, NULL, PAGERANK(ABSDIFF), r, next,
                                                 NULL)) ||
            (info = gbl_Vector_reduce_FP64(&change, NULL, PAGERANK(PLUS_MONOID), share, NULL)))
            goto done;
        leans = leans && change <= plain; /* it grows where edges do not go both ways after all */
        weight = leans && (weight > 1 || change > plain / 2)
                     ? 1 / (1 - d * d * weight / (weight > 1 ? 4 : 2))
                     : 1;
        if (weight == 1) plain = change;
        if (weight > 1 && change > options->tolerance &&
            ((info = gbl_Vector_apply_BinaryOp2nd_FP64(next, NULL, NULL, PAGERANK(TIMES), next,
                                                       weight, NULL)) ||
             (info = gbl_Vector_apply_BinaryOp2nd_FP64(next, NULL, PAGERANK(PLUS), PAGERANK(TIMES),
                                                       v[BEFORE], 1 - weight, NULL))))
            goto done;
        v[R] = next;
        v[NEXT] = v[BEFORE];
        v[BEFORE] = r;
        if (step == 0) first = change;
        if ((info = gbl_call_part(pagerank_part(first, change, step + 1, options)))) goto done;
    }
    options->steps = step;
    options->change = change;
    *rank = v[R];
    v[R] = NULL;
done:
    for (int k = 0; k < COUNT; k++) gbl_Vector_free(&v[k]);
    gbl_call_end();
    return info;
}
#undef PAGERANK
#endif
