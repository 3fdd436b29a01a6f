/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations for operands of any dimension: each takes what the ordinary one of src/ops or
 * src/mxm takes, passes it on where no operand is hypersparse, and else lifts it (lift.h). Domains
 * and shapes were checked, but those of products, which are checked here.
 */
#ifndef GB_HYPER_HYPER_H
#define GB_HYPER_HYPER_H

#include "mxm/chain/chain.h"
#include "lazy/queue.h"
#include "mxm/mxm.h"
#include "ops/apply.h"
#include "ops/assign.h"
#include "graph/closure.h"
#include "graph/degrees.h"
#include "ops/ewise.h"
#include "graph/forest.h"
#include "ops/gather.h"
#include "ops/kronecker.h"
#include "graph/permute.h"
#include "ops/reduce.h"
#include "graph/sort.h"
#include "ops/submatrix.h"

/* operations.c */
gbl_Info gb_lifted_mxm(const gb_MxmCall *call);
/* The same, or the product is put off; C may be incomplete. */
gbl_Info gb_lifted_mxm_later(const gb_MxmCall *call);
gbl_Info gb_lifted_mxm_reduce(const gb_MxmCall *call, gb_Folding *fold);
gbl_Info gb_lifted_mxm_plan(gbl_Explanation *why, const gb_MxmCall *call);
gbl_Info gb_lifted_mxm_estimate(gbl_MxmEstimate *estimate, const gb_MxmCall *call);
gbl_Info gb_lifted_mxv(const gb_MxvCall *call);
gbl_Info gb_lifted_update(gb_Matrix *w, gb_Matrix *changed, const gb_BinaryOp *accum, gb_Matrix *u);
gbl_Info gb_lifted_ewise(const gb_Ewise *call);
gbl_Info gb_lifted_transpose(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                             gb_Matrix *A, bool transpose);
gbl_Info gb_lifted_reduce_all(void *z, const gb_Fold *fold, gb_Matrix *A);
gbl_Info gb_lifted_reduce_rows(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                               const gb_Fold *fold, gb_Matrix *A, bool transpose);
gbl_Info gb_lifted_kronecker(const gb_Kronecker *call);

/* closure.c */
gbl_Info gb_lifted_closure(const gb_Closure *call, const gb_Choices *choices);

/* later.c: the same as without _later, or put off (lazy/queue.h). No object need be complete. */
gbl_Info gb_lifted_ewise_later(const gb_Ewise *call);
gbl_Info gb_lifted_apply_later(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                               const gb_Map *map, gb_Matrix *A, bool transpose);
gbl_Info gb_lifted_select_later(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                                const gb_Map *map, gb_Matrix *A, bool transpose);
gbl_Info gb_lifted_assign_later(const gb_Assign *call);
gbl_Info gb_lifted_mxv_later(const gb_MxvCall *call); /* its objects are complete */

/* chain.c */
gbl_Info gb_lifted_chain(const gb_ChainCall *call);
gbl_Info gb_lifted_chain_plan(gbl_ChainPlan *plan, const gb_ChainCall *call);

/* order.c */
gbl_Info gb_lifted_degrees(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                           gb_Matrix *A, bool transpose);
gbl_Info gb_lifted_sort(const gb_Sort *call, gb_Matrix *u);
/* On huge dimensions, where p cannot have an entry for each row, rows without one stay. */
gbl_Info gb_lifted_permute(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                           const gb_Permute *call);
gbl_Info gb_lifted_extract_at(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                              gb_Matrix *u, gb_Matrix *I);
gbl_Info gb_lifted_scatter_at(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                              const gb_ScatterAt *call);

/* Also above 2^32 - 1; the places are then of UINT64. */
gb_Type *gb_roots_type(const gb_Matrix *u);
gbl_Info gb_lifted_roots(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Matrix *u);
gbl_Info gb_lifted_join(gb_Matrix *w, const gb_Mask *mask, const gb_Join *call);

/* map.c */
gbl_Info gb_lifted_apply(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                         const gb_Map *map, gb_Matrix *A, bool transpose);
gbl_Info gb_lifted_select(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                          const gb_Map *map, gb_Matrix *A, bool transpose);
/* Whether the operator looks at positions. */
bool gb_sees_positions(const gb_IndexUnaryOp *op);
/* An operator by position for kernels on compact matrices: it sees the indices on the axes, which
 * must live as long. cols: NULL for vectors, whose column is 0. */
typedef struct {
    gb_IndexUnaryOp op; /* the first member, since its batch function gets its address */
    const gb_IndexUnaryOp *own;
    const gb_RowList *rows, *cols;
} gb_NamedOp;
gb_NamedOp gb_name_op(const gb_IndexUnaryOp *op, const gb_RowList *rows, const gb_RowList *cols);
/* *Z = a matrix of INT32 or INT64 with the pattern of A and, as values, indices of its rows (or
 * columns). To be freed also after a failure. */
gbl_Info gb_hyper_indices(gb_Matrix **Z, gb_Matrix *A, gb_Type *type, bool of_rows);

/* lists.c */
gbl_Info gb_lifted_submatrix(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                             const gb_Submatrix *call);
gbl_Info gb_lifted_column(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                          const gb_Column *call);
gbl_Info gb_lifted_extract(gb_Matrix *w, const gb_Mask *mask, const gb_BinaryOp *accum,
                           gb_Matrix *u, const gb_Indices *I);
gbl_Info gb_lifted_assign(const gb_Assign *call);
gbl_Info gb_lifted_assign_line(gb_Matrix *C, const gb_LineAssign *call);

/* C<M> accum= T, which is of C's shape. */
gbl_Info gb_lifted_write(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Matrix *T);

#endif
