/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations and methods of SuiteSparse that gblite has under another form.
 */
#include "compat.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------- building -- */

/* GxB_IGNORE_DUP keeps the last of several: SECOND of the type that the object has. */
static gbl_BinaryOp dup_of(gbl_BinaryOp dup, gbl_BinaryOp second) {
    return dup != NULL && dup == GxB_IGNORE_DUP ? second : dup;
}
/* SuiteSparse keeps n equal values as one; so does this, where no two were combined. */
static bool all_equal(const void *X, gbl_Index n, size_t size) {
    const char *x = X;
    for (gbl_Index k = 1; k < n; k++)
        if (memcmp(x, x + k * size, size) != 0) return false;
    return n > 0;
}
#define DEFINE(K, LOWER, FORMAL, ACTUAL)                                                           \
    static gbl_Info one_value_##LOWER(gbl_##K A, FORMAL, const void *X, gbl_Index n,               \
                                      gbl_Type type) {                                             \
        gbl_Index nvals;                                                                           \
        gbl_Scalar s = NULL;                                                                       \
        if (!all_equal(X, n, type->size)) return GBL_SUCCESS;                                      \
        COMPAT_TRY(gbl_##K##_nvals(&nvals, A));                                                    \
        if (nvals != n) return GBL_SUCCESS;                                                        \
        COMPAT_TRY(compat_scalar(&s, type, X));                                                    \
        gbl_Info info = gbl_##K##_clear(A);                                                        \
        if (info == GBL_SUCCESS) info = gbl_##K##_build_Scalar(A, ACTUAL, s, n);                   \
        gbl_Scalar_free(&s);                                                                       \
        return info;                                                                               \
    }
#define COMMA ,
DEFINE(Matrix, matrix, const gbl_Index *I COMMA const gbl_Index *J, I COMMA J)
DEFINE(Vector, vector, const gbl_Index *I, I)
#undef DEFINE
#define DEFINE(P, N, T, TYPE, SECOND)                                                              \
    COMPAT(P##_Matrix_build_##N, gbl_Matrix A, const gbl_Index *I, const gbl_Index *J, const T *X, \
           gbl_Index n, gbl_BinaryOp dup) {                                                        \
        gbl_Type type;                                                                             \
        COMPAT_TRY(gbl_Matrix_type(&type, A));                                                     \
        COMPAT_TRY(gbl_Matrix_build_##N(A, I, J, X, n, dup_of(dup, SECOND)));                      \
        return one_value_matrix(A, I, J, X, n, TYPE);                                              \
    }                                                                                              \
    COMPAT(P##_Vector_build_##N, gbl_Vector v, const gbl_Index *I, const T *X, gbl_Index n,        \
           gbl_BinaryOp dup) {                                                                     \
        gbl_Type type;                                                                             \
        COMPAT_TRY(gbl_Vector_type(&type, v));                                                     \
        COMPAT_TRY(gbl_Vector_build_##N(v, I, X, n, dup_of(dup, SECOND)));                         \
        return one_value_vector(v, I, X, n, TYPE);                                                 \
    }
#define PLAIN(N, T) DEFINE(GrB, N, T, GBL_##N, GBL_SECOND_##N)
GBL_FOREACH_TYPE(PLAIN)
#undef PLAIN
#define COMPLEX(N, T) DEFINE(GxB, N, T, GBL_##N, GBL_SECOND_##N)
GBL_FOREACH_COMPLEX(COMPLEX)
#undef COMPLEX
DEFINE(GrB, UDT, void, type, dup)
#undef DEFINE
SAME(GxB_Matrix_build_Scalar,
     (gbl_Matrix A, const gbl_Index *I, const gbl_Index *J, gbl_Scalar x, gbl_Index n),
     gbl_Matrix_build_Scalar(A, I, J, x, n))
SAME(GxB_Vector_build_Scalar, (gbl_Vector v, const gbl_Index *I, gbl_Scalar x, gbl_Index n),
     gbl_Vector_build_Scalar(v, I, x, n))

/* ---------------------------------------------------------------------------------- queries -- */

SAME(GxB_Scalar_wait, (gbl_Scalar * s),
     s == NULL ? GBL_NULL_POINTER : gbl_Scalar_wait(*s, GBL_MATERIALIZE))
COMPAT(GxB_Scalar_memoryUsage, size_t *size, gbl_Scalar s) {
    gbl_Type type;
    COMPAT_TRY(gbl_Scalar_type(&type, s));
    return GIVE(size, 64 + type->size);
}
#define DEFINE(K)                                                                                  \
    COMPAT(GxB_##K##_iso, bool *iso, gbl_##K A) {                                                  \
        gbl_Formats formats;                                                                       \
        COMPAT_TRY(compat_formats(&formats, A));                                                   \
        return GIVE(iso, formats.iso);                                                             \
    }                                                                                              \
    COMPAT(GxB_##K##_memoryUsage, size_t *size, gbl_##K A) {                                       \
        gbl_Formats formats;                                                                       \
        COMPAT_TRY(compat_formats(&formats, A));                                                   \
        return GIVE(size, 256 + formats.bytes);                                                    \
    }
DEFINE(Matrix)
DEFINE(Vector)
#undef DEFINE

/* ------------------------------------------------------------------------------ rearranging -- */

/* C = diag (v, k), in C's type. */
COMPAT(GxB_Matrix_diag, gbl_Matrix C, gbl_Vector v, int64_t k, gbl_Descriptor desc) {
    gbl_Matrix D = NULL;
    (void)desc;
    COMPAT_TRY(gbl_Matrix_diag(&D, v, k));
    const gbl_Info info = gbl_Matrix_assign(C, NULL, NULL, D, GBL_ALL, 0, GBL_ALL, 0, NULL);
    gbl_Matrix_free(&D);
    return info;
}

/* ---------------------------------------------------------------------------------- select -- */

static gbl_IndexUnaryOp value_operator(compat_Select code, gbl_Type_Code type) {
#define CALL(N, T)                                                                                 \
    case GBL_##N##_CODE: {                                                                         \
        static gbl_IndexUnaryOp const *const ops[] = {&GBL_VALUEEQ_##N, &GBL_VALUEGT_##N,          \
                                                      &GBL_VALUEGE_##N, &GBL_VALUELT_##N,          \
                                                      &GBL_VALUELE_##N};                           \
        if (code == SELECT_NONZERO || code == SELECT_NE_THUNK) return GBL_VALUENE_##N;             \
        return *ops[code >= SELECT_NE_THUNK ? code - SELECT_EQ_THUNK : code - SELECT_EQ_ZERO];     \
    }
#define EQUAL(N, T)                                                                                \
    case GBL_##N##_CODE:                                                                           \
        return code == SELECT_EQ_ZERO || code == SELECT_EQ_THUNK   ? GBL_VALUEEQ_##N               \
               : code == SELECT_NONZERO || code == SELECT_NE_THUNK ? GBL_VALUENE_##N               \
                                                                   : NULL;
    switch (type) {
        GBL_FOREACH_TYPE(CALL)
        GBL_FOREACH_COMPLEX(EQUAL)
    default:
        return NULL;
    }
#undef CALL
#undef EQUAL
}

/* The operator and the scalar of the standard's select that do what op does with thunk. */
static gbl_Info select_parts(gbl_IndexUnaryOp *op, gbl_Scalar *y, GxB_SelectOp select,
                             gbl_Type type, gbl_Scalar thunk) {
    if (select == NULL) return GBL_NULL_POINTER;
    gbl_IndexUnaryOp const shapes[] = {GBL_TRIL, GBL_TRIU, GBL_DIAG, GBL_OFFDIAG};
    const bool shape = select->code <= SELECT_OFFDIAG;
    *op = shape ? shapes[select->code] : value_operator(select->code, type->code);
    if (*op == NULL) return gbl_fail(GBL_DOMAIN_MISMATCH, NULL, "%s of this type", select->name);
    if (thunk != NULL && (shape || select->code >= SELECT_NE_THUNK))
        return gbl_Scalar_dup(y, thunk);
    COMPAT_TRY(gbl_Scalar_new(y, shape ? GBL_INT64 : type));
    return gbl_Scalar_setElement_INT64(*y, 0);
}
#define DEFINE(K)                                                                                  \
    COMPAT(GxB_##K##_select, gbl_##K C, gbl_##K M, gbl_BinaryOp accum, GxB_SelectOp select,        \
           gbl_##K A, gbl_Scalar thunk, gbl_Descriptor desc) {                                     \
        gbl_Type type;                                                                             \
        gbl_IndexUnaryOp op;                                                                       \
        gbl_Scalar y = NULL;                                                                       \
        COMPAT_TRY(gbl_##K##_type(&type, A));                                                      \
        gbl_Info info = select_parts(&op, &y, select, type, thunk);                                \
        if (info == GBL_SUCCESS) info = gbl_##K##_select_Scalar(C, M, accum, op, A, y, desc);      \
        gbl_Scalar_free(&y);                                                                       \
        return info;                                                                               \
    }
DEFINE(Matrix)
DEFINE(Vector)
#undef DEFINE

/* ------------------------------------------------------------------------------- serialized -- */

COMPAT(GxB_Matrix_serialize, void **blob, gbl_Index *size, gbl_Matrix A, gbl_Descriptor desc) {
    (void)desc;
    if (blob == NULL || size == NULL) return GBL_NULL_POINTER;
    COMPAT_TRY(gbl_Matrix_serializeSize(size, A));
    *blob = gbl_Memory_malloc(*size);
    if (*blob == NULL) return GBL_OUT_OF_MEMORY;
    const gbl_Info info = gbl_Matrix_serialize(*blob, size, A);
    if (info != GBL_SUCCESS) {
        gbl_Memory_free(*blob);
        *blob = NULL;
    }
    return info;
}
COMPAT(GxB_Matrix_deserialize, gbl_Matrix *A, gbl_Type type, const void *blob, gbl_Index size,
       gbl_Descriptor desc) {
    (void)desc;
    return gbl_Matrix_deserialize(A, type, blob, size);
}

COMPAT(GxB_Vector_serialize, void **blob, gbl_Index *size, gbl_Vector v, gbl_Descriptor desc) {
    compat_Copy copy = {0};
    if (v == NULL) return GBL_NULL_POINTER;
    gbl_Matrix A = compat_matrix_copy(&copy, v);
    const gbl_Info info = A != NULL ? GxB_Matrix_serialize(blob, size, A, desc) : GBL_OUT_OF_MEMORY;
    return compat_copy_back(&copy, info, false);
}
COMPAT(GxB_Vector_deserialize, gbl_Vector *v, gbl_Type type, const void *blob, gbl_Index size,
       gbl_Descriptor desc) {
    gbl_Matrix A = NULL;
    compat_Copy copy = {0};
    (void)desc;
    if (v == NULL) return GBL_NULL_POINTER;
    COMPAT_TRY(gbl_Matrix_deserialize(&A, type, blob, size));
    *v = compat_vector_copy(&copy, A);
    gbl_Matrix_free(&A);
    return *v != NULL ? GBL_SUCCESS : gbl_fail(GBL_INVALID_OBJECT, NULL, "it is no vector");
}

/* The C name of the type, which a block of bytes says; "" of a user-defined type without a name. */
COMPAT(GxB_deserialize_type_name, char *name, const void *blob, gbl_Index size) {
    gbl_Matrix A = NULL;
    gbl_Type type;
    if (name == NULL || blob == NULL) return GBL_NULL_POINTER;
    name[0] = '\0';
    const gbl_Info info = gbl_Matrix_deserialize(&A, NULL, blob, size);
    if (info == GBL_DOMAIN_MISMATCH) { /* of the user, whose name follows the header */
        uint32_t length;
        memcpy(&length, (const char *)blob + 20, sizeof length);
        snprintf(name, GxB_MAX_NAME_LEN, "%.*s", (int)length, (const char *)blob + 88);
        return GBL_SUCCESS;
    }
    if (info != GBL_SUCCESS) return info;
    gbl_Matrix_type(&type, A);
    gbl_Matrix_free(&A);
    return compat_type_name(name, type);
}
COMPAT(GxB_Serialized_get_String, const void *blob, char *value, int field, size_t size) {
    if (value == NULL) return GBL_NULL_POINTER;
    value[0] = '\0';
    if (field != GBL_NAME && field != GBL_EL_TYPE_STRING && field != GxB_JIT_C_NAME)
        return GBL_INVALID_VALUE;
    return field == GBL_EL_TYPE_STRING || field == GxB_JIT_C_NAME
               ? GxB_deserialize_type_name(value, blob, size)
               : GBL_SUCCESS;
}
SAME(GxB_Serialized_get_SIZE, (const void *blob, size_t *value, int field, size_t size),
     ((void)blob, (void)size,
      field == GBL_NAME || field == GBL_EL_TYPE_STRING || field == GxB_JIT_C_NAME
          ? GIVE(value, GxB_MAX_NAME_LEN)
          : GBL_INVALID_VALUE))
COMPAT(GxB_Matrix_reshapeDup, gbl_Matrix *C, gbl_Matrix A, bool by_column, gbl_Index nrows,
       gbl_Index ncols, gbl_Descriptor desc) {
    COMPAT_TRY(gbl_Matrix_dup(C, A));
    const gbl_Info info = gbl_Matrix_reshape(*C, by_column, nrows, ncols, desc);
    if (info != GBL_SUCCESS) gbl_Matrix_free(C);
    return info;
}

/* ------------------------------------------------------------------------ subassign a value -- */

gbl_Info GxB_Matrix_subassign_Scalar(gbl_Matrix, gbl_Matrix, gbl_BinaryOp, gbl_Scalar,
                                     const gbl_Index *, gbl_Index, const gbl_Index *, gbl_Index,
                                     gbl_Descriptor);
gbl_Info GxB_Vector_subassign_Scalar(gbl_Vector, gbl_Vector, gbl_BinaryOp, gbl_Scalar,
                                     const gbl_Index *, gbl_Index, gbl_Descriptor);
#define DEFINE(K, N, T, TYPE, SET, FORMAL, ACTUAL)                                                 \
    COMPAT(GxB_##K##_subassign_##N, gbl_##K C, gbl_##K M, gbl_BinaryOp accum, T x, FORMAL,         \
           gbl_Descriptor desc) {                                                                  \
        gbl_Scalar s = NULL;                                                                       \
        gbl_Type type = NULL;                                                                      \
        COMPAT_TRY(gbl_##K##_type(&type, C));                                                      \
        COMPAT_TRY(gbl_Scalar_new(&s, TYPE));                                                      \
        gbl_Info info = SET(s, x);                                                                 \
        if (info == GBL_SUCCESS) info = GxB_##K##_subassign_Scalar(C, M, accum, s, ACTUAL, desc);  \
        gbl_Scalar_free(&s);                                                                       \
        return info;                                                                               \
    }
#define LISTS const gbl_Index *I COMMA gbl_Index ni COMMA const gbl_Index *J COMMA gbl_Index nj
#define BOTH(N, T, TYPE, SET)                                                                      \
    DEFINE(Matrix, N, T, TYPE, SET, LISTS, I COMMA ni COMMA J COMMA nj)                            \
    DEFINE(Vector, N, T, TYPE, SET, const gbl_Index *I COMMA gbl_Index ni, I COMMA ni)
#define PLAIN(N, T) BOTH(N, T, GBL_##N, gbl_Scalar_setElement_##N)
GBL_FOREACH_TYPE(PLAIN)
GBL_FOREACH_COMPLEX(PLAIN)
#undef PLAIN
BOTH(UDT, const void *, type, gbl_Scalar_setElement_UDT)
#undef DEFINE
