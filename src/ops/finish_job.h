/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of finish share; private to src/ops/finish*.c.
 */
#ifndef GB_OPS_FINISH_JOB_H
#define GB_OPS_FINISH_JOB_H

#include "ops/result.h"

typedef struct {
    gb_Matrix *C;
    const gb_Mask *mask;
    const gb_BinaryOp *accum;
    gb_Result *T;
    bool masked; /* there is a mask and it neither allows nor forbids everything */
    bool keep;   /* C has entries of which some may survive */
} gb_FinishJob;

/* There is a mask and T, whose nT entries lie inside it, has one wherever it allows one: nothing of
 * C is left there. */
static inline bool gb_finish_covers(const gb_FinishJob *job, uint64_t nT) {
    const gb_Mask *mask = job->mask;
    return job->accum == NULL && !mask->complement && !mask->replace && nT == mask->M->nvals;
}

/* finish_filter.c: whether the mask is looked up, and not needed as a list; ... */
bool gb_finish_looks_up(const gb_FinishJob *job);
/* ... *Z = the entries of the list inside (or outside) the mask, of which M is a view unless it is
 * looked up; ... */
gbl_Info gb_finish_filter(const gb_FinishJob *job, const gb_CsView *list, const gb_CsView *M,
                          bool inside, gb_Cs *Z);
/* ... T loses its entries outside the mask. */
gbl_Info gb_finish_cut(const gb_FinishJob *job, const gb_CsView *M);
/* finish_rows_there.c: whether a matrix T that is on the device can be finished there, ... */
bool gb_finish_fits_device(const gb_FinishJob *job);
/* ... and that; after an error T is as it was. */
gbl_Info gb_finish_rows_device(const gb_FinishJob *job);
/* finish_there.c: a vector T that is on the device. *done: C is written; else T is on the host, or
 * empty where nothing may be written. whole: T becomes C as it is. */
gbl_Info gb_finish_device(const gb_FinishJob *job, bool whole, bool *done);
/* finish_dense.c: vectors where T, or C and its content counts, is dense. */
gbl_Info gb_finish_dense(const gb_FinishJob *job);
/* finish_cells.c: matrices where T, or C and its content counts, is dense. */
gbl_Info gb_finish_cells(const gb_FinishJob *job);
/* finish_list.c: T is a list and C is dense; costs no more than the lists are long. */
bool gb_finish_fits_list(const gb_FinishJob *job);
/* ... a short C that somebody reads as a list is a list again. */
void gb_finish_prefer_list(const gb_FinishJob *job);
/* ... a list C that results are merged into again and again becomes dense. */
void gb_finish_prefer_dense(const gb_FinishJob *job);
gbl_Info gb_finish_list(const gb_FinishJob *job);

#endif
