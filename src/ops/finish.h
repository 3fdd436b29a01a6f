/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M, replace> accum= T: the only writer of C. Every operation computes its result T without
 * reading C and passes it to finish.
 *
 * With T cut to the mask first, three cases remain:
 *   base = accum ? (replace ? C inside M : C) : (replace or no mask ? nothing : C outside M)
 *   C    = base united with T, accum where both have an entry.
 * C is changed by a swap after the last step that can fail; the one exception is an update of a
 * dense vector, or of a dense matrix, in place at the positions of T, which cannot
 * fail once it has begun.
 */
#pragma once

#include "ops/op.h"

/* The result T of an operation, before it is written to C. */
typedef struct {
    const gb_Type *type; /* of T's values */
    gb_Format format;    /* of cs */
    bool is_tiled;       /* the result is `tiles`, of rows, until gb_finish needs more of it */
    bool is_dense;       /* the result is `dense`, else `cs` (sorted rows) */
    bool is_flat;        /* cs has flat indices of a matrix; see matrix/matrix.h */
    bool masked;         /* T has no entry outside the mask: the kernel has seen to it */
    gb_Cs cs;
    gb_Dense dense;
    gb_Tiles tiles;
    gb_DeviceCs *device;   /* of rows; the result, unless it is a copy of cs */
    uint64_t device_nvals; /* entries on the device; 0: `device` is a copy of cs */
} gb_Result;

void gb_result_free(gb_Result *T);
/* Values of T become values of `type`; T is cs or dense. */
gbl_Info gb_result_cast(gb_Result *T, const gb_Type *type);

/* T's rows, or columns, become sorted; or it gets the other format. */
gbl_Info gb_result_arrange(gb_Result *T, const gb_Matrix *C, bool turn);

/* T is consumed whether or not the call succeeds. accum may be NULL. */
gbl_Info gb_finish(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Result *T);
/* The same where T could be made, of which `info` tells. */
gbl_Info gb_finish_if(gbl_Info info, gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                      gb_Result *T);

/* C accum= T in place, of a dense vector C with entries and a sparse T, which is not consumed.
 * flag[k] = 1 where entry k of T has changed C, else 0. finish_dense.c */
gbl_Info gb_finish_record(gb_Matrix *C, const gb_BinaryOp *accum, gb_Result *T, int8_t *flag);

/* -- shared by finish*.c alone */

typedef struct {
    gb_Matrix *C;
    const gb_Mask *mask;
    const gb_BinaryOp *accum;
    gb_Result *T;
    bool masked; /* the mask exists and neither allows nor forbids everything */
    bool keep;   /* C has entries of which some may survive */
} gb_FinishJob;

/* T, whose nT entries lie inside the mask, fills the whole mask, so no entry of C under the mask
 * survives. */
bool gb_finish_covers(const gb_FinishJob *job, uint64_t nT);

/* finish.c: whether the mask is looked up, and not needed as sorted indices; ... */
bool gb_finish_looks_up(const gb_FinishJob *job);
/* ... T loses its entries outside the mask, of which M is a view unless it is looked up. */
gbl_Info gb_finish_cut(const gb_FinishJob *job, const gb_CsView *M);
/* device.c: T is on the device. It is finished on the device if that has kernels and memory,
 * or downloaded and finished on the host. *done: C is written. */
gbl_Info gb_finish_device(const gb_FinishJob *job, bool *done);
/* T becomes C as it is, in whatever representation. */
bool gb_finish_takes_all(const gb_FinishJob *job, uint64_t nvals);
/* finish_dense.c: vectors where T is dense, or C is dense and its content is needed. */
gbl_Info gb_finish_dense(const gb_FinishJob *job);
/* The same for matrices, as vectors of their flat arrays. */
gbl_Info gb_finish_flat(const gb_FinishJob *job);
/* T is sparse, and if C is dense, it is updated in place in O(nvals(T) + nvals(mask)). */
bool gb_finish_updates(const gb_FinishJob *job);
/* The form of C before a sparse T is written: a short C that is read as a sparse vector becomes
 * one, and one that results are merged into again and again becomes dense. */
void gb_finish_choose(const gb_FinishJob *job);

/* -- dense_merge.c: merging two dense vectors position by position; what may stand at a position is
 * a table, so that union, intersection, and every kind of masked and accumulated write are one loop
 */

typedef enum { GB_PICK_NONE, GB_PICK_X, GB_PICK_Y, GB_PICK_OP } gb_Pick;

typedef struct {
    gb_DenseView X, Y; /* of the same length */
    const gb_Type *xtype, *ytype, *ztype;
    const gb_BinaryOp *op; /* for GB_PICK_OP; NULL when the table has none */
    const int8_t *allowed; /* [n] or NULL: all 1 */
    uint8_t pick[2][4];    /* [allowed][x is present + 2 * y is present] a gb_Pick */
    gb_Dense *onto;        /* NULL, or what gb_dense_may_reuse allows: Z takes its arrays over */
} gb_DenseMerge;

/* Whether the result can be written where the values of `dense` stand, which has type `type`: both
 * sides are full and combined everywhere. X and Y may be views of it. */
bool gb_dense_may_reuse(const gb_DenseMerge *args, const gb_Dense *dense, const gb_Type *type);
/* Z is a bitmap, or full when all n are present. After a failure *args->onto is as it was. */
gbl_Info gb_dense_merge(const gb_DenseMerge *args, gb_Dense *Z);

/* Entries of the sparse vector (nmajor = 1) where the dense vector has one, with z = op(sparse,
 * dense), or op(dense, sparse) when flip. `first`: the sparse vector only gives positions; its
 * values are replaced by those of another dense vector, where that has an entry too. */
typedef struct {
    gb_CsView list;
    const gb_DenseView *first; /* or NULL */
    gb_DenseView dense;
    const gb_Type *list_type, *dense_type, *ztype;
    const gb_BinaryOp *op;
    bool flip;
} gb_ListDense;
gbl_Info gb_list_dense_intersect(const gb_ListDense *args, gb_Cs *Z);
