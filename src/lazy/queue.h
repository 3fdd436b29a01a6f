/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that are put off, in non-blocking mode alone.
 *
 * Products. One under a mask whose values are whole numbers is not made when gbl_mxm returns, since
 * programs mostly ask for its sum alone:
 *   - gb_deferred_fold sums C as it is made, without storing it. C stays put off; where it is read
 *     after all it is made a second time. That is counted: sums are formed so only while products
 *     made again are few beside those that nobody read (GB_FOLDS_WORTH), one more at most.
 *   - Whoever else reads C, or writes C or an input, makes the product first (gb_complete);
 *     products that read inputs do not wait (gb_complete_output), other readers do.
 *   - A product whose C is freed, or gets another product, is never made.
 *   - select and apply in place, C = f(C), join the product: they are made with it, and a select
 *     that comes first drops entries of rows before these are stored, where the method can.
 * Errors of arguments belong to the call. Without the memory for it a product stays put off: the
 * call that asked for it fails, and the next one tries again.
 *
 * Sequences on values (deferred_values.c): w = f(w, ...), one call after the other, and a reduction
 * of w to a value, which ends it. They are made in one pass when w is read, when an operand is
 * written or freed, or when one that is a vector is read, and cannot fail then: what could is not
 * put off. A sequence whose w is freed is never made.
 *
 * Products with vectors that grow a search (deferred_visit.c): w<!m, replace> = u * A by structure,
 * and assigns through w, which join it and, like w, are made when one of their outputs is read or
 * written, or an input is written or freed. A product whose w is freed before an assign joined is
 * never made.
 *
 * An object is part of one product or sequence at most, and `deferred` of the object is that. Any
 * number of threads may complete one; the first does it, the others wait.
 */
#ifndef GB_LAZY_QUEUE_H
#define GB_LAZY_QUEUE_H

#include "core/context.h"
#include "core/tune.h"
#include "mxm/model/call.h"
#include "mxm/machine/cost_table.h"
#include "ops/apply.h"
#include "ops/assign.h"
#include "ops/reduce.h"

static inline bool gb_is_deferred(const gb_Matrix *X) {
    return __atomic_load_n(&X->deferred, __ATOMIC_ACQUIRE) != NULL;
}

/* Whether putting the product off may pay; cheap, and false for small products. M is complete. */
static inline bool gb_may_defer(const gb_MxmCall *call) {
    const gb_Matrix *M = call->mask.M;
    return M != NULL && !call->mask.complement && call->accum == NULL && !gb_blocking() &&
           gb_is_assembled(M) && M->nvals >= GB_DEFER_LEAST;
}
/* *deferred: the product was checked and is put off, in the place of one that C had. C may be
 * incomplete, the other operands are not, and nothing is hypersparse. */
gbl_Info gb_mxm_defer(const gb_MxmCall *call, bool *deferred);

/* Whether C = the map of C, checked, joined the product that C is to become: a select where
 * map->index is set, else an apply. */
bool gb_product_join(gb_Matrix *C, const gb_Map *map);

/* w = unary(x), binary(x, y), or binary of x and a bound value; checked, without mask, accumulator
 * or transpose. */
typedef struct {
    gb_Matrix *w, *x, *y; /* y NULL: unary, or the bound value */
    const gb_UnaryOp *unary;
    const gb_BinaryOp *binary;
    const void *bound; /* of the operator's type */
    bool bound_first;
} gb_ValueCall;
/* Whether it may pay; cheap, and false for few entries. */
static inline bool gb_may_defer_values(const gb_Matrix *w) {
    return !gb_blocking() && (gb_is_deferred(w) || w->nvals >= GB_VALUES_LEAST);
}
/* Whether the call was put off. No object need be complete. */
bool gb_values_defer(const gb_ValueCall *call);

/* Whether putting a product with a vector off may pay; cheap. */
static inline bool gb_may_defer_fused(const gb_MxvCall *call) {
    const gb_Mask *mask = &call->mask;
    return mask->replace && mask->complement && mask->structural && mask->M != NULL &&
           call->accum == NULL && !gb_blocking() && gb_has(mask->M) == GBL_HAS_BITMAP &&
           __atomic_load_n(&mask->M->unjoined, __ATOMIC_RELAXED) < GB_FUSED_IN_VAIN;
}
/* *deferred: the product was checked and is put off. All objects are complete, and none is
 * hypersparse. */
gbl_Info gb_fused_defer(const gb_MxvCall *call, bool *deferred);
/* Whether the assign, checked, joined the product that its mask is to become. */
bool gb_fused_join(const gb_Assign *call);

/* Makes the product that X is part of. */
gbl_Info gb_complete_deferred(gb_Matrix *X);
static inline gbl_Info gb_complete(gb_Matrix *X) {
    return gb_is_deferred(X) ? gb_complete_deferred(X) : GBL_SUCCESS;
}
/* Makes what X is to become or gets. */
gbl_Info gb_complete_output_deferred(gb_Matrix *X);
static inline gbl_Info gb_complete_output(gb_Matrix *X) {
    return gb_is_deferred(X) ? gb_complete_output_deferred(X) : GBL_SUCCESS;
}

/* C may be written and the others read; each but C may be NULL. */
static inline gbl_Info gb_complete_operands(gb_Matrix *C, gb_Matrix *M, gb_Matrix *A,
                                            gb_Matrix *B) {
    gbl_Info info = gb_complete(C);
    if (info == GBL_SUCCESS && M != NULL) info = gb_complete_output(M);
    if (info == GBL_SUCCESS && A != NULL) info = gb_complete_output(A);
    if (info == GBL_SUCCESS && B != NULL) info = gb_complete_output(B);
    return info;
}

/* *folded: *z is the sum of C, or nothing (GBL_NO_VALUE) where C will have no entries. Else C is
 * complete. */
gbl_Info gb_deferred_fold(void *z, const gb_Fold *fold, gb_Matrix *C, bool *folded);
/* How the product was made, or its sum. Completes C where neither was. */
gbl_Info gb_deferred_explain(gbl_Explanation *why, gb_Matrix *C);
/* Before X is freed. False: a product that cannot be made for want of memory keeps X, and frees it.
 */
bool gb_deferred_leave(gb_Matrix *X);

#endif
