/* SPDX-License-Identifier: Apache-2.0
 *
 * How an operation is lifted to hypersparse operands (matrix/hyper.h): the call says which of its
 * dimensions are rows and columns of which operand; along each dimension the axes of all operands
 * are united; operands become compact matrices on these; the ordinary operation runs on them; and
 * its output gets the axes. Time and memory follow entries and axes, never dimensions. What has no
 * index on a common axis has no entries, so neither inner indices without a partner nor masks that
 * are complemented need any care.
 */
#ifndef GB_HYPER_LIFT_H
#define GB_HYPER_LIFT_H

#include "core/tune.h"
#include "matrix/hyper.h"
#include "matrix/operand.h"

/* The dimensions of a call: rows and columns of the output, and the one that is summed over.
 * GB_DIM_ONE is that of a vector's one column. */
typedef enum { GB_DIM_ROWS, GB_DIM_COLS, GB_DIM_INNER, GB_DIMENSIONS, GB_DIM_ONE } gb_Dimension;
typedef enum { GB_OF_C, GB_OF_M, GB_OF_A, GB_OF_B, GB_OPERANDS } gb_OperandOf;

typedef struct {
    gb_Matrix *object; /* NULL: there is none */
    gb_Dimension rows, cols;
} gb_Lifted;

typedef struct {
    gb_Lifted operand[GB_OPERANDS];
    const gb_Mask *mask; /* of the call; its M is operand[GB_OF_M] */
    const gb_BinaryOp *accum;
    bool keeps;                      /* C's content counts, whatever mask and accum */
    gb_RowList *more[GB_DIMENSIONS]; /* NULL, or indices that are wanted besides */
    /* made by gb_lift_begin */
    gb_RowList *axis[GB_DIMENSIONS];
    gb_Compact compact[GB_OPERANDS];
    gb_Mask core_mask; /* the mask with a compact M */
    bool in_place;     /* C's own compact matrix is written */
} gb_Lift;

/* Whether any of them is hypersparse, or C, which is empty, will be: A and B have few entries
 * beside its dimensions. Operands that are not there are NULL. */
bool gb_any_hyper(const gb_Matrix *C, const gb_Mask *mask, gb_Matrix *A, gb_Matrix *B);
/* Whether a dimension of any is beyond what ordinary operations take. */
bool gb_any_huge(const gb_Matrix *C, const gb_Mask *mask, const gb_Matrix *A, const gb_Matrix *B);

/* So many entries that lists of their indices would take more than pointers to all rows. */
static inline bool gb_is_filled(const gb_Matrix *v) {
    return v->nvals > v->nrows / GB_HYPER_FEW;
}

/* C and the mask in a lift: of a matrix, or of a vector. */
void gb_lift_output(gb_Lift *lift, gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum);
void gb_lift_input(gb_Lift *lift, gb_OperandOf which, gb_Matrix *A, gb_Dimension rows,
                   gb_Dimension cols);

/* Afterwards every operand has its compact form. */
gbl_Info gb_lift_begin(gb_Lift *lift);
/* info: what the operation on the compact forms gave. The output becomes C's content after a
 * success; all is released. */
gbl_Info gb_lift_end(gb_Lift *lift, gbl_Info info);

static inline gb_Matrix *gb_core(const gb_Lift *lift, gb_OperandOf which) {
    return lift->compact[which].m;
}

#endif
