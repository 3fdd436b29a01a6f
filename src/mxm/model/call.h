/* SPDX-License-Identifier: Apache-2.0
 *
 * The arguments of a product, handles checked: the first stage of call -> features -> plan ->
 * operands -> kernel -> finish.
 */
#pragma once

#include "matrix/matrix.h"

/* -- what a descriptor asks -------------------------------------------------------------------- */

/* Of the method VECTOR; 0: as the variant has it. */
typedef struct {
    gbl_Desc_Value variant;
    int32_t block_least, block_most, block_below;
} gb_VectorChoices;

/* 0 everywhere leaves the choice to the planner. */
typedef struct {
    gbl_Desc_Value method, workflow, row_order;
    int32_t accumulators, registers, bin_bytes, bin_lines;
    gb_VectorChoices vector;
    int32_t submatrix;  /* side */
    int approximates;   /* GBL_TAU, GBL_VALID_RATIO or GBL_ERROR_BOUND; 0: the product is exact */
    double approximate; /* its value */
    gbl_Desc_Value rounding; /* GBL_ROUND_ of factors */
    int place;               /* a gbl_Place, whatever GBL_PLACE says; DEFAULT: as it says */
} gb_Choices;

/* Whether the result may be another one than that of an exact product. */
static inline bool gb_is_approximate(const gb_Choices *choices) {
    return choices->approximates != 0 || choices->rounding != GBL_DEFAULT;
}

/* -- a call ------------------------------------------------------------------------------------ */

/* The shape that explanations report where operands are compact forms of hypersparse ones. */
typedef struct {
    uint64_t nrows, inner, ncols;
} gb_ReportedShape;

/* C<M> accum= op(A) * op(B); op transposes on request, and rows of the product may be filtered. */
typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    const gb_Semiring *ring;
    gb_Matrix *A, *B;
    bool transpose_a, transpose_b;
    const gb_RowFilter *filter; /* NULL: rows stay whole */
    bool filter_is_optional; /* methods that cannot filter rows leave them whole; explanations tell
                              */
    gb_Choices choices;
    gb_Folding *fold; /* NULL: C is wanted. Else a method may fold the product as it makes it */
    const gb_ReportedShape *told; /* NULL: the operands' */
} gb_MxmCall;

/* What follows a product over ANY, w<!m, replace> = u * A by structure: m<w> = w, or = a value,
 * where m is a bitmap whose values are as large as w's. It is made in the same pass where the
 * kernel can. */
typedef struct {
    const void *value; /* of m's type; NULL: w */
    int32_t calls;     /* that are made together, for explanations */
    bool made;         /* out */
} gb_FusedAssigns;

/* w<m> accum= op(A) * u, or u * op(A) when u_is_left. With `best`, which is dense: best add= the
 * product, and w becomes the changes; then there is no mask and no accum. */
typedef struct {
    gb_Matrix *w, *best;
    gb_FusedAssigns *fused; /* NULL: nothing follows */
    gb_Mask mask;
    const gb_BinaryOp *accum;
    const gb_Semiring *ring;
    gb_Matrix *A, *u;
    bool transpose, u_is_left;
    gb_Choices choices;
    const gb_ReportedShape *told; /* NULL: the operands' */
} gb_MxvCall;

/* The formats of A and B that are op(A) and op(B) by rows; the other one is by columns. */
static inline gb_Format gb_rows_of_a(const gb_MxmCall *call) {
    return call->transpose_a ? GB_CSC : GB_CSR;
}
static inline gb_Format gb_rows_of_b(const gb_MxmCall *call) {
    return call->transpose_b ? GB_CSC : GB_CSR;
}

static inline gb_MaskKind gb_mask_kind(const gb_Mask *mask) {
    return mask->M == NULL ? GB_MASK_NONE : mask->complement ? GB_MASK_OUTSIDE : GB_MASK_INSIDE;
}

/* The forms of a factor, as explanations report them. */
static inline unsigned gb_reported_forms(const gb_Matrix *X) {
    return gb_has(X) & ~(unsigned)GB_HAS_TILES_OF_COLUMNS;
}

/* -- semirings as kernels see them (ring.c) ---------------------------------------------------- */

gb_RingArgs gb_ring_args(const gb_Semiring *ring, const void *Ax, bool a_iso, const void *Bx,
                         bool b_iso);
/* The same for C' = B' * A': operands swapped. */
gb_RingArgs gb_ring_mirror(const gb_RingArgs *args);
/* The semiring for A and a vector with values ux: A becomes the left factor where a kernel
 * multiplies the other way round. */
gb_MxvRing gb_mxv_ring(const gb_Semiring *ring, bool u_is_left, const gb_CsView *A, const void *ux,
                       bool u_iso);
/* The type that a factor's values must have, or NULL when the multiplication ignores them. */
const gb_Type *gb_ring_left_type(const gb_Semiring *ring);
const gb_Type *gb_ring_right_type(const gb_Semiring *ring);
/* gbl_Explanation.semiring, [GB_SEMIRING_TEXT]. */
enum { GB_SEMIRING_TEXT = sizeof(((gbl_Explanation *)0)->semiring) };
void gb_ring_describe(char *to, const gb_Semiring *ring);
/* Whether it adds and multiplies floats, so that norms bound what a product adds. */
bool gb_ring_has_norms(const gb_Semiring *ring);
/* The semiring's domains fit operands of these types; GBL_DOMAIN_MISMATCH. */
gbl_Info gb_ring_check(const gb_Semiring *ring, const gb_Type *left, const gb_Type *right);
/* The columns of op(A) are the rows of op(B); GBL_DIMENSION_MISMATCH. */
gbl_Info gb_check_inner(const gb_MxmCall *call);
