/* SPDX-License-Identifier: Apache-2.0
 *
 * Products: check -> call -> features -> plan -> need -> kernel -> finish. The structs below are
 * the stations; arrows never run back.
 */
#ifndef GB_MXM_MXM_H
#define GB_MXM_MXM_H

#include "backend/backend.h"
#include "core/clock.h"
#include "matrix/matrix.h"

/* C<M> accum= op(A) * op(B), checked for handles; op transposes when asked. */
typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    const gb_Semiring *ring;
    gb_Matrix *A, *B;
    bool transpose_a, transpose_b;
    gb_Choices choices;
} gb_MxmCall;

/* w<m> accum= op(A) * u, or u * op(A) when u_is_left. */
typedef struct {
    gb_Matrix *w;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    const gb_Semiring *ring;
    gb_Matrix *A, *u;
    bool transpose, u_is_left;
} gb_MxvCall;

gbl_Info gb_mxm(const gb_MxmCall *call);
/* The columns of op(A) are the rows of op(B); GBL_DIMENSION_MISMATCH. */
gbl_Info gb_mxm_check_inner(const gb_MxmCall *call);
gbl_Info gb_mxv(const gb_MxvCall *call);

/* Facts about the operands of a product, none of which needs a conversion. */
typedef struct {
    uint64_t m, k, n; /* op(A) is m x k, op(B) is k x n */
    uint64_t nnz_a, nnz_b, nnz_m;
    uint64_t flops; /* products before masking; expected from the means until counted */
    bool flops_counted;
    uint64_t dot_work; /* entries that masked inner products would scan; UINT64_MAX: no mask */
    bool b_by_rows, b_by_columns; /* which form of op(B) exists */
    double fill;                  /* entries per tile of the emptier factor; 0: not looked at */
    double fill_least;            /* ... from which tiled is the faster way */
    double compression;           /* products per entry of C; 0: not looked at, or not known */
} gb_Features;

typedef enum { GB_ROWWISE, GB_DOT, GB_TILED, GB_OUTER } gb_Method;
typedef struct {
    gb_Method method;
    const char *name;
    double predicted; /* seconds of one thread */
    char reason[sizeof((gbl_Explanation *)0)->reason];
} gb_Plan;

/* features.c: flops[m + 1] receives the running sum of products per row of op(A) when they are
 * counted. */
gbl_Info gb_features_get(gb_Features *features, const gb_MxmCall *call, const gb_CsView *A,
                         const gb_CsView *mask, uint64_t *flops);
/* Whether tiles may be chosen: the result may stay as tiles, the semiring has a kernel, and nobody
 * asked for a workflow or an accumulator, which means the row-wise method. And the entries per tile
 * from which they are. */
bool gb_may_tile(const gb_MxmCall *call);
double gb_tiled_fill(const gb_MxmCall *call);
/* fill.c: entries per tile of 16 x 16, from a sample; microseconds. */
double gb_tile_fill(const gb_CsView *A);
/* compression.c: products per entry of C, from a sample, flops[m] > 0; 0.0 when a row is too long.
 * Less than a millisecond. */
double gb_sample_compression(const gb_CsView *A, const gb_CsView *B, const uint64_t *flops);
/* plan.c: pure, but that the method forced comes from the descriptor or from GBLITE_METHOD. */
gbl_Info gb_plan_forced(gbl_Desc_Value *method, const gb_MxmCall *call);
bool gb_plan_is_clear(const gb_Features *features); /* dot, whatever the products are */
gbl_Info gb_plan_choose(gb_Plan *plan, const gb_MxmCall *call, const gb_Features *features);

/* outer.c: T = op(A) * op(B), masked, by columns of op(A). */
typedef struct {
    gb_CsView mask;        /* by rows */
    const uint64_t *flops; /* [m + 1] running sum of products per row */
    gb_Operand A, B;       /* empty before and after */
} gb_OuterInput;
gbl_Info gb_outer_run(const gb_MxmCall *call, const gb_Features *features, gb_OuterInput *in,
                      gb_Cs *T, gb_MxmStats *stats);

/* ring.c: what kernels need of the semiring and of the values of A and B. */
gb_RingArgs gb_ring_args(const gb_Semiring *ring, const void *Ax, bool a_iso, const void *Bx,
                         bool b_iso);
/* The type that a factor's values must have, or NULL when the multiplication ignores them. */
const gb_Type *gb_ring_left_type(const gb_Semiring *ring);
const gb_Type *gb_ring_right_type(const gb_Semiring *ring);
/* The semiring's domains fit operands of these types; GBL_DOMAIN_MISMATCH. */
gbl_Info gb_ring_check(const gb_Semiring *ring, const gb_Matrix *object, const gb_Type *left,
                       const gb_Type *right);

#endif
