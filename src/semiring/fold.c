/* SPDX-License-Identifier: Apache-2.0
 *
 * See fold.h.
 */
#include "semiring/fold.h"

#include "semiring/objects.h"
#include "semiring/scalar_ops.h"

gb_Fold gb_fold_monoid(const gb_Monoid *monoid) {
    return (gb_Fold){monoid, monoid->op};
}

/* Built-in operators with a predefined monoid run as that monoid, whose batch is faster. */
gb_Fold gb_fold_op(const gb_BinaryOp *op) {
    return (gb_Fold){gb_monoid_predefined(op), op};
}

bool gb_fold_order_is_unseen(const gb_Fold *fold) {
    const gbl_Type_Code type = fold->op->ztype->code;
    const gb_Opcode op = fold->op->code;
    if (op == GB_USER || fold->monoid == NULL) return false;
    if (type != GBL_FP32_CODE && type != GBL_FP64_CODE) return true;
    return op == GB_MIN || op == GB_MAX || op == GB_ANY;
}

#define GB_DEFINE(op, N, T)                                                                        \
    static void gb_fold_##op##_##N(const gb_ScatterFold *f) {                                      \
        const uint64_t *at = f->at, *from = f->from;                                               \
        const T *x = f->x;                                                                         \
        T *z = f->z;                                                                               \
        for (size_t k = 0; k < f->n; k++) z[at[k]] = gb_##op##_##N(z[at[k]], x[from[k]]);          \
    }
#define GB_DEFINE_NUMERIC(N, T)                                                                    \
    GB_DEFINE(PLUS, N, T) GB_DEFINE(TIMES, N, T) GB_DEFINE(MIN, N, T) GB_DEFINE(MAX, N, T)
GBL_FOREACH_NUMERIC(GB_DEFINE_NUMERIC)
#define GB_DEFINE_BITS(N, T)                                                                       \
    GB_DEFINE(BOR, N, T) GB_DEFINE(BAND, N, T) GB_DEFINE(BXOR, N, T) GB_DEFINE(BXNOR, N, T)
GBL_FOREACH_UNSIGNED(GB_DEFINE_BITS)
GB_DEFINE(LOR, BOOL, bool)
GB_DEFINE(LAND, BOOL, bool)
GB_DEFINE(LXOR, BOOL, bool)
GB_DEFINE(LXNOR, BOOL, bool)

#define GB_OF(op, N) [GB_##op][GBL_##N##_CODE] = gb_fold_##op##_##N
static const gb_scatter_fold gb_folds[GB_BXNOR + 1][GBL_FP64_CODE + 1] = {
#define GB_ENTRY(N, T) GB_OF(PLUS, N), GB_OF(TIMES, N), GB_OF(MIN, N), GB_OF(MAX, N),
    GBL_FOREACH_NUMERIC(GB_ENTRY)
#undef GB_ENTRY
#define GB_ENTRY(N, T) GB_OF(BOR, N), GB_OF(BAND, N), GB_OF(BXOR, N), GB_OF(BXNOR, N),
        GBL_FOREACH_UNSIGNED(GB_ENTRY)
#undef GB_ENTRY
            GB_OF(LOR, BOOL),
    GB_OF(LAND, BOOL), GB_OF(LXOR, BOOL), GB_OF(LXNOR, BOOL)};

gb_scatter_fold gb_scatter_fold_of(const gb_BinaryOp *op) {
    const gb_Opcode code = gb_opcode_canonical(op->code, op->xtype->code);
    const bool one_type = op->xtype == op->ztype && op->ytype == op->ztype;
    return one_type && code <= GB_BXNOR ? gb_folds[code][op->xtype->code] : NULL;
}
