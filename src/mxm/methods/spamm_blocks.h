/* SPDX-License-Identifier: Apache-2.0
 *
 * A factor of an approximate product cut into sub-matrices, their norms, and these by rank.
 */
#ifndef GB_MXM_METHODS_SPAMM_BLOCKS_H
#define GB_MXM_METHODS_SPAMM_BLOCKS_H

#include "kernel_api/backend.h"
#include "mxm/model/operands.h"

/* The sub-matrices of side x side of a factor that was taken, by rows of them. */
typedef struct {
    uint64_t rows, columns, n, room; /* room: of i and norm */
    gb_Off *p;                       /* [rows + 1] */
    gb_Idx *i;                       /* [n] */
    double *norm;                    /* [n] */
} gb_SpammCut;

/* How a factor was taken: as full rows, else as tiles; its values rounded since. */
typedef struct {
    bool full, rounded;
    unsigned side;
} gb_SpammTaken;
/* O(tiles), and O(entries) for norms that are not cached. GBL_OUT_OF_MEMORY leaves nothing. */
gbl_Info gb_spamm_cut(gb_SpammCut *cut, const gb_Factor *F, const gb_SpammTaken *how);
void gb_spamm_cut_free(gb_SpammCut *cut);
/* The factor as the kernel sees it. */
gb_SpammFactor gb_spamm_factor(const gb_SpammCut *cut, const gb_Factor *F, bool full);

/* Norms of A's columns and B's rows of sub-matrices, both falling, which tell what a tau leaves out
 * without a look at pairs. */
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

#endif
