/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_reduce_* and gbl_Vector_reduce_*: rows to a vector, everything to a Scalar or to a C
 * value; gbl_mxm_reduce_*: a product to a C value. Without entries a Scalar gets none, and a C
 * value gets the monoid's identity.
 */
#include "api/check.h"
#include "lazy/operations.h"
#include "ops/operations.h"

/* -- operators */

static gbl_Info fold_of_monoid(gb_Fold *fold, gbl_Monoid monoid) {
    const gbl_Info info = gb_check_monoid(monoid, "op");
    if (info == GBL_SUCCESS) *fold = gb_fold_monoid(monoid);
    return info;
}

static gbl_Info fold_of_op(gb_Fold *fold, gbl_BinaryOp op) {
    const gbl_Info info = gb_check_binary(op, "op");
    if (info != GBL_SUCCESS) return info;
    if (gb_binary_is_positional(op))
        return gb_fail(
            GBL_DOMAIN_MISMATCH,
            "op works by position, which reduce does not offer; use an operator on values");
    if (op->xtype != op->ztype || op->ytype != op->ztype) {
        char space[3][GB_TYPE_TEXT];
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "op takes %s and %s and gives %s; reduce wants one type for all three",
                       gb_type_text(op->xtype, space[0]), gb_type_text(op->ytype, space[1]),
                       gb_type_text(op->ztype, space[2]));
    }
    *fold = gb_fold_op(op);
    return GBL_SUCCESS;
}

/* -- rows to a vector */

#define GB_DEFINE(O, FOLD_OF)                                                                      \
    gbl_Info gbl_Matrix_reduce_##O(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_##O op,     \
                                   gbl_Matrix A, gbl_Descriptor desc) {                            \
        gb_ReduceRows call = {.w = GB_OF(w), .mask.M = GB_OF(m), .accum = accum, .A = GB_OF(A)};   \
        gbl_Info info = gb_begin_call(&gb_op_reduce, &call, "wmA", desc);                          \
        if (info == GBL_SUCCESS) info = FOLD_OF(&call.fold, op);                                   \
        return gb_end(w, info == GBL_SUCCESS ? gb_run(&gb_op_reduce, &call) : info);               \
    }
GB_DEFINE(Monoid, fold_of_monoid)
GB_DEFINE(BinaryOp, fold_of_op)
#undef GB_DEFINE

/* -- everything to one value */

/* accum takes (x, T) and gives what x can hold. */
static gbl_Info check_accum(const gb_Type *type, const gb_BinaryOp *accum, const gb_Type *ztype) {
    if (accum == NULL) return gb_check_cast(type, ztype, "op's result to the output");
    if (gb_binary_is_positional(accum))
        return gb_fail(GBL_DOMAIN_MISMATCH, "accum works by position; use one on values");
    gbl_Info info = gb_check_cast(accum->xtype, type, "the output into accum's first input");
    if (info == GBL_SUCCESS)
        info = gb_check_cast(accum->ytype, ztype, "op's result into accum's second input");
    if (info == GBL_SUCCESS)
        info = gb_check_cast(type, accum->ztype, "accum's result to the output");
    return info;
}

/* Takes the result of a reduction to the user's C value. */
static gbl_Info put_value(const gb_Variable *x, const gb_BinaryOp *accum, const gb_Type *ztype,
                          const void *z) {
    if (accum != NULL) return gb_accum_value(x, accum, ztype, z);
    gb_cast(x->type, x->x, ztype, z, 1, 1);
    return GBL_SUCCESS;
}

/* The user's C value x of a type; code UDT stands for the type that accum or the monoid gives. */
static gb_Variable variable_of(void *x, gbl_Type_Code code, const gb_BinaryOp *accum,
                               const gb_Monoid *op) {
    const gb_Type *wanted = accum != NULL ? accum->ztype : op->op->ztype;
    return (gb_Variable){code == GBL_UDT_CODE ? wanted : gb_type_of(code), x};
}

/* The sum of what is deferred is formed as it is made, where that can be. */
static gbl_Info reduce_all(void *z, const gb_Fold *fold, gb_Matrix *A) {
    bool folded;
    const gbl_Info info = gb_deferred_fold(z, fold, A, &folded);
    return folded || info != GBL_SUCCESS ? info : gb_reduce_all(z, fold, A);
}

static gbl_Info reduce_to_value(void *x, gbl_Type_Code code, gbl_BinaryOp accum, gbl_Monoid op,
                                gb_Matrix *A) {
    /* handles */
    gb_Fold fold;
    gbl_Info info = gb_check_pointer(x, "x");
    if (info == GBL_SUCCESS) info = fold_of_monoid(&fold, op);
    if (info != GBL_SUCCESS) return info;
    /* domains */
    const gb_Type *ztype = fold.op->ztype;
    const gb_Variable variable = variable_of(x, code, accum, op);
    info = check_accum(variable.type, accum, ztype);
    if (info == GBL_SUCCESS) info = gb_reduce_check(&fold, A);
    if (info != GBL_SUCCESS) return info;
    /* do */
    void *z = gb_malloc(ztype->size);
    if (z == NULL) return gb_fail_memory(ztype->size);
    info = reduce_all(z, &fold, A);
    if (info == GBL_NO_VALUE) {
        memcpy(z, op->identity, ztype->size);
        info = GBL_SUCCESS;
    }
    if (info == GBL_SUCCESS) info = put_value(&variable, accum, ztype, z);
    gb_free(z, ztype->size);
    return info;
}

/* The accumulator of the call is for x. */
static gbl_Info reduce_product(void *x, gbl_Type_Code code, gbl_Monoid op, gb_MxmCall *call,
                               gbl_Descriptor desc) {
    /* handles */
    gbl_Info info = gb_begin_call(&gb_op_mxm, call, "-MAB", desc);
    if (info == GBL_SUCCESS) info = gb_check_semiring((gbl_Semiring)call->ring, "semiring");
    if (info == GBL_SUCCESS) info = gb_check_pointer(x, "x");
    if (info == GBL_SUCCESS) info = gb_check_monoid(op, "op");
    if (info != GBL_SUCCESS) return info;
    call->choices = gb_choices_of(desc);
    /* domains */
    const gb_Type *ztype = op->op->ztype;
    const gb_BinaryOp *accum = call->accum;
    const gb_Variable variable = variable_of(x, code, accum, op);
    info = check_accum(variable.type, accum, ztype);
    if (info == GBL_SUCCESS)
        info = gb_check_cast(ztype, call->ring->add->op->ztype, "the product into op's input");
    if (info != GBL_SUCCESS) return info;
    /* do */
    gb_Folding folding = {.monoid = op, .z = gb_malloc(ztype->size)};
    gb_MxmReduceCall product = {.mxm = *call, .fold = &folding};
    product.mxm.accum = NULL;
    if (folding.z == NULL) return gb_fail_memory(ztype->size);
    info = gb_run(&gb_op_mxm_reduce, &product);
    if (info == GBL_SUCCESS && folding.nvals == 0) memcpy(folding.z, op->identity, ztype->size);
    if (info == GBL_SUCCESS) info = put_value(&variable, accum, ztype, folding.z);
    gb_free(folding.z, ztype->size);
    return info;
}

static gbl_Info reduce_to_scalar(gbl_Scalar s, gbl_BinaryOp accum, const gb_Fold *fold,
                                 gb_Matrix *A) {
    /* domains */
    const gb_Type *ztype = fold->op->ztype;
    gbl_Info info = check_accum(s->type, accum, ztype);
    if (info == GBL_SUCCESS) info = gb_check_cast(s->type, ztype, "op's result to the scalar");
    if (info == GBL_SUCCESS) info = gb_reduce_check(fold, A);
    if (info != GBL_SUCCESS) return info;
    /* do */
    void *z = gb_malloc(ztype->size);
    if (z == NULL) return gb_fail_memory(ztype->size);
    info = reduce_all(z, fold, A);
    if (info == GBL_NO_VALUE) {
        if (accum == NULL) s->present = false;
        info = GBL_SUCCESS;
    } else if (info == GBL_SUCCESS) {
        const gb_Variable variable = {s->type, s->value};
        info = put_value(&variable, s->present ? accum : NULL, ztype, z);
        if (info == GBL_SUCCESS) s->present = true;
    }
    gb_free(z, ztype->size);
    return info;
}

/* K: Matrix or Vector, which need not be complete */
#define GB_DEFINE_SCALAR(K, NAME, O, FOLD_OF)                                                      \
    gbl_Info gbl_##K##_reduce_##O##_Scalar(gbl_Scalar s, gbl_BinaryOp accum, gbl_##O op,           \
                                           gbl_##K A, gbl_Descriptor desc) {                       \
        gb_Fold fold;                                                                              \
        gbl_Info info = gb_begin_value(accum, desc);                                               \
        if (info == GBL_SUCCESS) info = gb_check_scalar(s, "s");                                   \
        if (info == GBL_SUCCESS) info = FOLD_OF(&fold, op);                                        \
        if (info == GBL_SUCCESS) info = GB_CHECK(K, A, NAME, HANDLE);                              \
        if (info == GBL_SUCCESS) info = reduce_to_scalar(s, accum, &fold, GB_OF(A));               \
        return gb_end(s, info);                                                                    \
    }
GB_DEFINE_SCALAR(Matrix, "A", Monoid, fold_of_monoid)
GB_DEFINE_SCALAR(Matrix, "A", BinaryOp, fold_of_op)
GB_DEFINE_SCALAR(Vector, "u", Monoid, fold_of_monoid)
GB_DEFINE_SCALAR(Vector, "u", BinaryOp, fold_of_op)

#define GB_DEFINE_VALUE(K, NAME, N, T)                                                             \
    gbl_Info gbl_##K##_reduce_##N(T *x, gbl_BinaryOp accum, gbl_Monoid op, gbl_##K A,              \
                                  gbl_Descriptor desc) {                                           \
        gbl_Info info = gb_begin_value(accum, desc);                                               \
        if (info == GBL_SUCCESS) info = GB_CHECK(K, A, NAME, HANDLE);                              \
        if (info != GBL_SUCCESS) return info;                                                      \
        return reduce_to_value(x, GBL_##N##_CODE, accum, op, GB_OF(A));                            \
    }
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_VALUE(Matrix, "A", N, T)                                                             \
    GB_DEFINE_VALUE(Vector, "u", N, T)                                                             \
    gbl_Info gbl_mxm_reduce_##N(T *x, gbl_Matrix M, gbl_BinaryOp accum, gbl_Monoid op,             \
                                gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B,                     \
                                gbl_Descriptor desc) {                                             \
        gb_MxmCall call = {                                                                        \
            .mask.M = GB_OF(M), .accum = accum, .ring = ring, .A = GB_OF(A), .B = GB_OF(B)};       \
        return reduce_product(x, GBL_##N##_CODE, op, &call, desc);                                 \
    }
GBL_FOREACH_ARRAY(GB_DEFINE)
#undef GB_DEFINE
