/* SPDX-License-Identifier: Apache-2.0
 *
 * What the variants of SPAMM share: sub-matrices of a factor, their norms, these by rank, and the
 * search for tau.
 */
#pragma once

#include "mxm/model/method.h"

/* -- spamm_norms.c: a factor cut into sub-matrices, and their norms */

/* The sub-matrices of side x side of a factor that was taken, by rows of them. */
typedef struct {
    uint64_t rows, columns, n, room; /* capacity of i and norm */
    gb_Off *p;                       /* [rows + 1] */
    gb_Idx *i;                       /* [n] */
    double *norm;                    /* [n] */
} gb_SpammCut;

/* Whether a factor was taken as full rows, else as tiles. */
static inline bool gb_spamm_is_full(const gb_Factor *F) {
    return F->taken.view.x != NULL;
}
/* `rounded`: its values were rounded since. O(tiles), and O(entries) for norms that are not cached.
 * GBL_OUT_OF_MEMORY leaves nothing. */
gbl_Info gb_spamm_cut(gb_SpammCut *cut, const gb_Factor *F, unsigned side, bool rounded);
void gb_spamm_cut_free(gb_SpammCut *cut);
/* The factor as the kernel sees it. */
gb_SpammFactor gb_spamm_factor(const gb_SpammCut *cut, const gb_Factor *F);

/* Norms of A's columns and B's rows of sub-matrices, both descending, which give the effect of a
 * tau without traversing pairs. */
typedef struct {
    uint64_t inner; /* columns of A's sub-matrices, rows of B's */
    uint64_t an, bn;
    gb_Off *ap;         /* [inner + 1] */
    double *a;          /* [an] */
    double *most;       /* [inner] the first of each column; -1: it has none */
    const gb_Off *bp;   /* [inner + 1] B's */
    gb_SpammRank *rank; /* [bn] */
    double *beyond;     /* [bn + inner] of row k from bp[k] + k on: the norm of it and all later
                           sub-matrices of the row together */
    double triples;     /* products of sub-matrices if all had entries */
} gb_SpammNorms;
gbl_Info gb_spamm_norms(gb_SpammNorms *norms, const gb_SpammCut *A, const gb_SpammCut *B,
                        int nthreads);
void gb_spamm_norms_free(gb_SpammNorms *norms);

/* -- spamm_norms.c: what a tau leaves out of a product, and the tau for a requested ratio or bound
 * (cuSpAMM, section 3.5.2). O(sub-matrices) for one tau, whatever the number of their products:
 * both sequences of norms fall, so what a norm of A is multiplied with only grows shorter.
 *
 * The bound. Sub-matrices A(I,k) B(k,J) that are left out fall on different positions of C for one
 * k, so ||E||_F is at most the sum over k of sqrt(sum of (norm A(I,k) * norm B(k,J))^2) over those
 * left out: never more than the sum of their products of norms, and less by up to BDIM. */

/* What a tau does by the norms of a product. */
gb_SpammOutcome gb_spamm_outcome(const gb_SpammNorms *norms, double tau);

/* The requested tau, 0 without a request. Bisection over all doubles, to a relative error of 1e-6:
 * for a ratio the tau whose ratio of valid products to all is nearest, or within
 * GB_SPAMM_RATIO_ERROR of it, 0 where all existing products do not reach it; for an error the
 * largest tau whose bound does not exceed it. choices: a gb_Choices, as devices hand it on. */
double gb_spamm_find_tau(const void *choices, const gb_SpammAsk *ask);
