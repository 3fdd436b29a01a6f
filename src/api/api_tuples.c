/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_{Matrix,Vector}_{build,extractTuples}. Arrays may be NULL when empty.
 */
#include "api/check.h"

/* -- build */

/* dup combines values of one type; what is passed casts into it, and it into the object. */
static gbl_Info gb_check_dup(gbl_BinaryOp dup, const gb_Type *passed, const gb_Matrix *A) {
    gbl_Info info = gb_check_binary(dup, "dup");
    if (info != GBL_SUCCESS) return info;
    if (gb_binary_is_positional(dup) || dup->xtype != dup->ztype || dup->ytype != dup->ztype)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "dup must take and give values of one type, such as GBL_PLUS_FP64");
    info = gb_check_cast(dup->ztype, passed, "X into dup's input");
    if (info == GBL_SUCCESS)
        info = gb_check_cast(A->type, dup->ztype, "dup's output into the object");
    return info;
}

/* J is NULL for vectors. */
static gbl_Info gb_build(gb_Matrix *A, const gbl_Index *I, const gbl_Index *J, const void *X,
                         gbl_Type_Code code, gbl_Index n, gbl_BinaryOp dup) {
    gb_Values values = {.x = X, .sx = 1};
    gbl_Info info = n == 0 ? GBL_SUCCESS : gb_check_pointer(X, "X");
    if (info == GBL_SUCCESS) info = gb_passed_type(&values.type, code, A->type);
    if (info == GBL_SUCCESS && dup != NULL) info = gb_check_dup(dup, values.type, A);
    if (info != GBL_SUCCESS) return info;

    return gb_matrix_build(A, I, J, &values, n, dup);
}

static gbl_Info gb_build_scalar(gb_Matrix *A, const gbl_Index *I, const gbl_Index *J, gbl_Scalar s,
                                gbl_Index n) {
    gbl_Info info = gb_check_scalar(s, "x");
    if (info == GBL_SUCCESS) info = gb_check_cast(A->type, s->type, "x into the object");
    if (info != GBL_SUCCESS) return info;
    if (!s->present) {
        return gb_fail(
            GBL_EMPTY_OBJECT,
            "x holds no value to give to the entries; set it with gbl_Scalar_setElement");
    }

    const gb_Values values = {.type = s->type, .x = s->value, .sx = 0};
    return gb_matrix_build(A, I, J, &values, n, NULL);
}

static gbl_Info gb_check_lists(const gbl_Index *I, const gbl_Index *J, gbl_Index n, bool matrix) {
    gbl_Info info = n > 0 ? gb_check_pointer(I, "I") : GBL_SUCCESS;
    return info == GBL_SUCCESS && n > 0 && matrix ? gb_check_pointer(J, "J") : info;
}

/* K; its lists of indices as parameters, J as an argument */
#define GB_LISTS_Matrix const gbl_Index *I, const gbl_Index *J
#define GB_LISTS_Vector const gbl_Index *I
#define GB_J_Matrix J
#define GB_J_Vector NULL
#define GB_DEFINE(K)                                                                               \
    static gbl_Info begin_##K(gbl_##K A, const gbl_Index *I, const gbl_Index *J, gbl_Index n) {    \
        const gbl_Info info = GB_BEGIN(K, A, OUTPUT);                                              \
        return info == GBL_SUCCESS ? gb_check_lists(I, J, n, GB_MAGIC_OF_##K == GB_MAGIC_MATRIX)   \
                                   : info;                                                         \
    }                                                                                              \
    gbl_Info gbl_##K##_build_Scalar(gbl_##K A, GB_LISTS_##K, gbl_Scalar x, gbl_Index n) {          \
        gbl_Info info = begin_##K(A, I, GB_J_##K, n);                                              \
        if (info == GBL_SUCCESS) info = gb_build_scalar(&A->m, I, GB_J_##K, x, n);                 \
        return gb_end(A, info);                                                                    \
    }
GB_DEFINE(Matrix)
GB_DEFINE(Vector)
#undef GB_DEFINE

#define GB_DEFINE_BUILD(K, N, T)                                                                   \
    gbl_Info gbl_##K##_build_##N(gbl_##K A, GB_LISTS_##K, const T *X, gbl_Index n,                 \
                                 gbl_BinaryOp dup) {                                               \
        gbl_Info info = begin_##K(A, I, GB_J_##K, n);                                              \
        if (info == GBL_SUCCESS) info = gb_build(&A->m, I, GB_J_##K, X, GBL_##N##_CODE, n, dup);   \
        return gb_end(A, info);                                                                    \
    }
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_BUILD(Matrix, N, T)                                                                  \
    GB_DEFINE_BUILD(Vector, N, T)
GBL_FOREACH_ARRAY(GB_DEFINE)
#undef GB_DEFINE

/* -- extractTuples */

static gbl_Info gb_extract_tuples(gbl_Index *I, gbl_Index *J, void *X, gbl_Type_Code code,
                                  gbl_Index *n, gb_Matrix *A) {
    const gb_Type *type;
    uint64_t nvals;
    gbl_Info info = gb_check_pointer(n, "n");
    if (info == GBL_SUCCESS) info = gb_passed_type(&type, code, A->type);
    if (info == GBL_SUCCESS) info = gb_matrix_nvals(A, &nvals);
    if (info != GBL_SUCCESS) return info;
    if (*n < nvals)
        return gb_fail(GBL_INSUFFICIENT_SPACE,
                       "*n is %llu, but there are %llu entries: give larger arrays",
                       (unsigned long long)*n, (unsigned long long)nvals);

    info = gb_matrix_extract(A, I, J, X, type);
    if (info == GBL_SUCCESS) *n = nvals;
    return info;
}

#define GB_DEFINE(N, T)                                                                            \
    gbl_Info gbl_Matrix_extractTuples_##N(gbl_Index *I, gbl_Index *J, T *X, gbl_Index *n,          \
                                          gbl_Matrix A) {                                          \
        const gbl_Info info = GB_BEGIN(Matrix, A, INPUT);                                          \
        return info == GBL_SUCCESS ? gb_extract_tuples(I, J, X, GBL_##N##_CODE, n, &A->m) : info;  \
    }                                                                                              \
    gbl_Info gbl_Vector_extractTuples_##N(gbl_Index *I, T *X, gbl_Index *n, gbl_Vector v) {        \
        const gbl_Info info = GB_BEGIN(Vector, v, INPUT);                                          \
        return info == GBL_SUCCESS ? gb_extract_tuples(I, NULL, X, GBL_##N##_CODE, n, &v->m)       \
                                   : info;                                                         \
    }
GBL_FOREACH_ARRAY(GB_DEFINE)
#undef GB_DEFINE
