/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_reduce_* and gbl_Vector_reduce_*: rows to a vector, everything to a Scalar or to a C
 * value; gbl_mxm_reduce_*: a product to a C value. Without entries a Scalar gets none, and a C
 * value gets the monoid's identity.
 */
#include <string.h>

#include "api/check.h"
#include "hyper/hyper.h"

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

static gbl_Info check_input(const gb_Fold *fold, const gb_Matrix *A) {
    return gb_check_cast(fold->op->ztype, A->type,
                         gb_is_vector(A) ? "u into op's input" : "A into op's input");
}

/* -- rows to a vector */

static gbl_Info reduce_rows(const gb_Settings *settings, gbl_Vector w, gbl_BinaryOp accum,
                            const gb_Fold *fold, gbl_Matrix A) {
    /* domains and dimensions */
    gbl_Info info = gb_check_output(&w->m, &settings->mask, accum, fold->op->ztype);
    if (info == GBL_SUCCESS) info = check_input(fold, &A->m);
    const uint64_t n = settings->transpose0 ? A->m.ncols : A->m.nrows;
    if (info == GBL_SUCCESS && w->m.nrows != n)
        info = gb_fail(GBL_DIMENSION_MISMATCH,
                       "w has %llu elements, but must have %llu, one per %s of A",
                       (unsigned long long)w->m.nrows, (unsigned long long)n,
                       settings->transpose0 ? "column" : "row");
    if (info != GBL_SUCCESS) return info;
    /* do */
    return gb_lifted_reduce_rows(&w->m, &settings->mask, accum, fold, &A->m, settings->transpose0);
}

gbl_Info gbl_Matrix_reduce_Monoid(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Monoid op,
                                  gbl_Matrix A, gbl_Descriptor desc) {
    gb_Settings settings;
    gb_Fold fold;
    gbl_Info info = gb_begin_vector(&settings, w, m, accum, desc);
    if (info == GBL_SUCCESS) info = fold_of_monoid(&fold, op);
    if (info == GBL_SUCCESS) info = gb_check_matrix(A, "A");
    return gb_end(w, info == GBL_SUCCESS ? reduce_rows(&settings, w, accum, &fold, A) : info);
}

gbl_Info gbl_Matrix_reduce_BinaryOp(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_BinaryOp op,
                                    gbl_Matrix A, gbl_Descriptor desc) {
    gb_Settings settings;
    gb_Fold fold;
    gbl_Info info = gb_begin_vector(&settings, w, m, accum, desc);
    if (info == GBL_SUCCESS) info = fold_of_op(&fold, op);
    if (info == GBL_SUCCESS) info = gb_check_matrix(A, "A");
    return gb_end(w, info == GBL_SUCCESS ? reduce_rows(&settings, w, accum, &fold, A) : info);
}

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

/* The sum of what was put off is formed as it is made, where that can be. */
static gbl_Info reduce_all(void *z, const gb_Fold *fold, gb_Matrix *A) {
    bool folded;
    const gbl_Info info = gb_deferred_fold(z, fold, A, &folded);
    return folded || info != GBL_SUCCESS ? info : gb_lifted_reduce_all(z, fold, A);
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
    if (info == GBL_SUCCESS) info = check_input(&fold, A);
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

static gbl_Info reduce_product(void *x, gbl_Type_Code code, gbl_Monoid op, const gb_MxmCall *call) {
    /* handles */
    gbl_Info info = gb_check_pointer(x, "x");
    if (info == GBL_SUCCESS) info = gb_check_monoid(op, "op");
    if (info != GBL_SUCCESS) return info;
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
    gb_MxmCall product = *call;
    product.accum = NULL;
    if (folding.z == NULL) return gb_fail_memory(ztype->size);
    info = gb_lifted_mxm_reduce(&product, &folding);
    if (info == GBL_SUCCESS && folding.nvals == 0) memcpy(folding.z, op->identity, ztype->size);
    if (info == GBL_SUCCESS) info = put_value(&variable, accum, ztype, folding.z);
    gb_free(folding.z, ztype->size);
    return info;
}

static gbl_Info fill_product(gb_MxmCall *call, gbl_Matrix M, gbl_BinaryOp accum, gbl_Semiring ring,
                             gbl_Matrix A, gbl_Matrix B, gbl_Descriptor desc) {
    gb_Settings settings;
    gbl_Info info = gb_begin_value(&settings, accum, desc);
    if (info == GBL_SUCCESS && M != NULL) info = gb_check_matrix(M, "the mask M");
    if (info == GBL_SUCCESS) info = gb_check_semiring(ring, "semiring");
    if (info == GBL_SUCCESS) info = gb_check_matrix(A, "A");
    if (info == GBL_SUCCESS) info = gb_check_matrix(B, "B");
    if (info != GBL_SUCCESS) return info;
    settings.mask.M = gb_of_matrix(M);
    *call = (gb_MxmCall){.mask = settings.mask,
                         .accum = accum,
                         .ring = ring,
                         .A = &A->m,
                         .B = &B->m,
                         .transpose_a = settings.transpose0,
                         .transpose_b = settings.transpose1,
                         .choices = settings.choices};
    return GBL_SUCCESS;
}

static gbl_Info reduce_to_scalar(gbl_Scalar s, gbl_BinaryOp accum, const gb_Fold *fold,
                                 gb_Matrix *A) {
    /* domains */
    const gb_Type *ztype = fold->op->ztype;
    gbl_Info info = check_accum(s->type, accum, ztype);
    if (info == GBL_SUCCESS) info = gb_check_cast(s->type, ztype, "op's result to the scalar");
    if (info == GBL_SUCCESS) info = check_input(fold, A);
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

/* K, OF, CHECK: Matrix or Vector, how to get at its object, the check of its handle */
#define GB_DEFINE_SCALAR(K, OF, CHECK, NAME, O, FOLD_OF)                                           \
    gbl_Info gbl_##K##_reduce_##O##_Scalar(gbl_Scalar s, gbl_BinaryOp accum, gbl_##O op,           \
                                           gbl_##K A, gbl_Descriptor desc) {                       \
        gb_Settings settings;                                                                      \
        gb_Fold fold;                                                                              \
        gbl_Info info = gb_begin_value(&settings, accum, desc);                                    \
        if (info == GBL_SUCCESS) info = gb_check_scalar(s, "s");                                   \
        if (info == GBL_SUCCESS) info = FOLD_OF(&fold, op);                                        \
        if (info == GBL_SUCCESS) info = CHECK(A, NAME);                                            \
        if (info == GBL_SUCCESS) info = reduce_to_scalar(s, accum, &fold, OF(A));                  \
        return gb_end(s, info);                                                                    \
    }
GB_DEFINE_SCALAR(Matrix, gb_of_matrix, gb_check_handle, "A", Monoid, fold_of_monoid)
GB_DEFINE_SCALAR(Matrix, gb_of_matrix, gb_check_handle, "A", BinaryOp, fold_of_op)
GB_DEFINE_SCALAR(Vector, gb_of_vector, gb_check_vector_handle, "u", Monoid, fold_of_monoid)
GB_DEFINE_SCALAR(Vector, gb_of_vector, gb_check_vector_handle, "u", BinaryOp, fold_of_op)

#define GB_DEFINE(N, T)                                                                            \
    gbl_Info gbl_Matrix_reduce_##N(T *x, gbl_BinaryOp accum, gbl_Monoid op, gbl_Matrix A,          \
                                   gbl_Descriptor desc) {                                          \
        gb_Settings settings;                                                                      \
        gbl_Info info = gb_begin_value(&settings, accum, desc);                                    \
        if (info == GBL_SUCCESS) info = gb_check_handle(A, "A");                                   \
        return info == GBL_SUCCESS ? reduce_to_value(x, GBL_##N##_CODE, accum, op, &A->m) : info;  \
    }                                                                                              \
    gbl_Info gbl_Vector_reduce_##N(T *x, gbl_BinaryOp accum, gbl_Monoid op, gbl_Vector u,          \
                                   gbl_Descriptor desc) {                                          \
        gb_Settings settings;                                                                      \
        gbl_Info info = gb_begin_value(&settings, accum, desc);                                    \
        if (info == GBL_SUCCESS) info = gb_check_vector_handle(u, "u");                            \
        return info == GBL_SUCCESS ? reduce_to_value(x, GBL_##N##_CODE, accum, op, &u->m) : info;  \
    }                                                                                              \
    gbl_Info gbl_mxm_reduce_##N(T *x, gbl_Matrix M, gbl_BinaryOp accum, gbl_Monoid op,             \
                                gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B,                     \
                                gbl_Descriptor desc) {                                             \
        gb_MxmCall call;                                                                           \
        const gbl_Info info = fill_product(&call, M, accum, ring, A, B, desc);                     \
        return info == GBL_SUCCESS ? reduce_product(x, GBL_##N##_CODE, op, &call) : info;          \
    }
GBL_FOREACH_ARRAY(GB_DEFINE)
#undef GB_DEFINE
