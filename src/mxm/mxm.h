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
#include "mxm/features.h"
#include "ops/finish.h"

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
    gb_Choices choices;
} gb_MxvCall;

gbl_Info gb_mxm(const gb_MxmCall *call);
/* The columns of op(A) are the rows of op(B); GBL_DIMENSION_MISMATCH. */
gbl_Info gb_mxm_check_inner(const gb_MxmCall *call);
gbl_Info gb_mxv(const gb_MxvCall *call);

/* How gb_mxm would do it. */
gbl_Info gb_mxm_plan(gbl_Explanation *why, const gb_MxmCall *call);

/* What the choice would be made of, for shapes that fit and factors that have entries; whatever C
 * is. */
gbl_Info gb_mxm_features(gb_Features *f, const gb_MxmCall *call);

/* features.c: shapes and formats alone; ... */
void gb_features_begin(gb_Features *f, const gb_MxmCall *call);
/* ... for factors of which one is held as tiles and in no other form, without a conversion; ... */
gbl_Info gb_features_of_tiles(gb_Features *f, const gb_MxmCall *call);
/* ... the products alone; ... */
gbl_Info gb_features_count(gb_Features *f, const gb_MxmCall *call, const gb_CsView *A,
                           uint64_t *flops);
/* ... all there is to know. flops[m + 1] receives the running sum of products per row of op(A) when
 * they are counted. */
gbl_Info gb_features_get(gb_Features *f, const gb_MxmCall *call, const gb_CsView *A,
                         const gb_CsView *mask, uint64_t *flops);
/* sample.c: compression and tiles of C into f, whose products are counted, flops[m] > 0. Takes a
 * few percent of the product. */
gbl_Info gb_sample(gb_Features *f, const gb_CsView *A, const gb_CsView *B, const uint64_t *flops);

/* outer.c: T = op(A) * op(B), masked, by columns of op(A). */
typedef struct {
    gb_CsView mask;        /* by rows */
    const uint64_t *flops; /* [m + 1] running sum of products per row */
    const struct gb_Budget *budget;
    gb_Operand A, B;        /* empty before and after */
    double seconds_convert; /* out: conversions of operands */
} gb_OuterInput;
gbl_Info gb_outer_run(const gb_MxmCall *call, const gb_Features *features, gb_OuterInput *in,
                      gb_Cs *T, gb_MxmStats *stats);

/* place.c: where a product runs. forced: nothing else will do. */
typedef struct {
    bool on_device, forced;
    char reason[sizeof((gbl_Explanation *)0)->place_reason];
} gb_Place;
gbl_Info gb_place_choose(gb_Place *place, const gb_MxmCall *call);
/* device.c: T = op(A) * op(B), masked, on the device, and how. leave: T may stay there alone. */
gbl_Info gb_device_multiply(const gb_MxmCall *call, bool leave, gb_Result *T, gbl_Explanation *why);

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
