/* SPDX-License-Identifier: Apache-2.0
 *
 * Names without a type suffix, for C11: gbl_Matrix_setElement(A, 3.5, i, j) is
 * gbl_Matrix_setElement_FP64. Included by gblite.h; C++ and older C use the typed names.
 *
 * The choice falls on the type of a value or array, or on an object: BOOL to FC64 by the C type (a
 * plain integer constant is INT32; char and both 64-bit integer types are known), gbl_Scalar where
 * such a function exists, and everything else is a user-defined type, given as a pointer. No
 * argument is evaluated twice. These are macros: a compound literal with a comma in it needs
 * parentheses around it.
 */
#ifndef GBLITE_GENERIC_H
#define GBLITE_GENERIC_H

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

#include <limits.h>

#define GBL_HAS_GENERIC 1

#if CHAR_MIN < 0
#define GBL_CHAR(P) P##_INT8
#else
#define GBL_CHAR(P) P##_UINT8
#endif
/* of long and long long, the one that int64_t is not */
#if defined(__APPLE__) || defined(__OpenBSD__)
#define GBL_LONG long
#else
#define GBL_LONG long long
#endif

/* clang-format off */

/* ------------------------------------------------------------------- 1. choices by C type -- */
/* P_<type> for the value x, the array x, the read-only array x. The last argument is one more
 * association, or `default: P_UDT` alone. */
#define GBL_ASSOCIATE(P, Q)                                                                        \
    bool Q: P##_BOOL, char Q: GBL_CHAR(P),                                                         \
    int8_t Q: P##_INT8, int16_t Q: P##_INT16, int32_t Q: P##_INT32, int64_t Q: P##_INT64,          \
    uint8_t Q: P##_UINT8, uint16_t Q: P##_UINT16, uint32_t Q: P##_UINT32, uint64_t Q: P##_UINT64,  \
    GBL_LONG Q: P##_INT64, unsigned GBL_LONG Q: P##_UINT64, float Q: P##_FP32, double Q: P##_FP64, \
    gbl_FC32 Q: P##_FC32, gbl_FC64 Q: P##_FC64
#define GBL_OF_VALUE(x, P) _Generic((x), GBL_ASSOCIATE(P, ), default: P##_UDT)
#define GBL_OF_VALUE_OR_SCALAR(x, P)                                                               \
    _Generic((x), GBL_ASSOCIATE(P, ), gbl_Scalar: P##_Scalar, default: P##_UDT)
#define GBL_OF_ARRAY(x, P) _Generic((x), GBL_ASSOCIATE(P, *), default: P##_UDT)
#define GBL_OF_ARRAY_OR_SCALAR(x, P)                                                               \
    _Generic((x), GBL_ASSOCIATE(P, *), gbl_Scalar: P##_Scalar, default: P##_UDT)
#define GBL_OF_INPUT(x, P)                                                                         \
    _Generic((x), GBL_ASSOCIATE(P, *), GBL_ASSOCIATE(P, const *), default: P##_UDT)
#define GBL_OF_INPUT_OR_SCALAR(x, P)                                                               \
    _Generic((x), GBL_ASSOCIATE(P, *), GBL_ASSOCIATE(P, const *), gbl_Scalar: P##_Scalar,          \
             default: P##_UDT)

/* An array as the typed function takes it: pointers to char and to GBL_LONG have another type than
 * the parameter and the same representation. */
#define GBL_OUTPUT(x)                                                                              \
    _Generic((x), char *: (void *)(x), GBL_LONG *: (void *)(x), unsigned GBL_LONG *: (void *)(x),  \
             default: (x))
#define GBL_INPUT(x)                                                                               \
    _Generic((x), char *: (const void *)(x), const char *: (const void *)(x),                      \
             GBL_LONG *: (const void *)(x), const GBL_LONG *: (const void *)(x),                   \
             unsigned GBL_LONG *: (const void *)(x),                                               \
             const unsigned GBL_LONG *: (const void *)(x), default: (x))

#define GBL_FIRST_OF(x, ...) x
#define GBL_SECOND_OF(x, y, ...) y

/* ------------------------------------------------------------------------------ 2. objects -- */
#define GBL_OF_OBJECT(x, F, Q)                                                                     \
    _Generic((x), gbl_Type Q: gbl_Type_##F, gbl_UnaryOp Q: gbl_UnaryOp_##F,                        \
             gbl_BinaryOp Q: gbl_BinaryOp_##F, gbl_IndexUnaryOp Q: gbl_IndexUnaryOp_##F,           \
             gbl_Monoid Q: gbl_Monoid_##F, gbl_Semiring Q: gbl_Semiring_##F,                       \
             gbl_Scalar Q: gbl_Scalar_##F, gbl_Vector Q: gbl_Vector_##F,                           \
             gbl_Matrix Q: gbl_Matrix_##F, gbl_Descriptor Q: gbl_Descriptor_##F)
#define gbl_free(object) GBL_OF_OBJECT(object, free, *)(object)
#define gbl_wait(object, mode) GBL_OF_OBJECT(object, wait, )(object, mode)
#define gbl_error(text, object) GBL_OF_OBJECT(object, error, )(text, object)

/* (object, value, field): value is a gbl_Scalar, char *, int32_t *, size_t *, or else void * */
#define GBL_OF_OBJECT_OR_GLOBAL(x, F, v)                                                           \
    _Generic((x), gbl_Type: F(Type, v), gbl_UnaryOp: F(UnaryOp, v), gbl_BinaryOp: F(BinaryOp, v),  \
             gbl_IndexUnaryOp: F(IndexUnaryOp, v), gbl_Monoid: F(Monoid, v),                       \
             gbl_Semiring: F(Semiring, v), gbl_Scalar: F(Scalar, v), gbl_Vector: F(Vector, v),     \
             gbl_Matrix: F(Matrix, v), gbl_Descriptor: F(Descriptor, v), gbl_Global: F(Global, v))
#define GBL_OF_GET(O, v)                                                                           \
    _Generic((v), gbl_Scalar: gbl_##O##_get_Scalar, char *: gbl_##O##_get_String,                  \
             int32_t *: gbl_##O##_get_INT32, size_t *: gbl_##O##_get_SIZE,                         \
             default: gbl_##O##_get_VOID)
#define gbl_get(object, value, field)                                                              \
    GBL_OF_OBJECT_OR_GLOBAL(object, GBL_OF_GET, value)(object, value, field)
/* (object, value, field): value is a gbl_Scalar, a string or a number; (object, block, field, size)
 */
#define GBL_OF_SET(O, v)                                                                           \
    _Generic((v), gbl_Scalar: gbl_##O##_set_Scalar, char *: gbl_##O##_set_String,                  \
             const char *: gbl_##O##_set_String, void *: gbl_##O##_set_VOID,                       \
             const void *: gbl_##O##_set_VOID, default: gbl_##O##_set_INT32)
#define gbl_set(object, value, ...)                                                                \
    GBL_OF_OBJECT_OR_GLOBAL(object, GBL_OF_SET, value)(object, value, __VA_ARGS__)

#define gbl_Monoid_new(monoid, op, identity)                                                       \
    GBL_OF_VALUE(identity, gbl_Monoid_new)(monoid, op, identity)

#define gbl_Scalar_setElement(s, x) GBL_OF_VALUE(x, gbl_Scalar_setElement)(s, x)
#define gbl_Vector_setElement(v, x, i) GBL_OF_VALUE_OR_SCALAR(x, gbl_Vector_setElement)(v, x, i)
#define gbl_Matrix_setElement(A, x, i, j)                                                          \
    GBL_OF_VALUE_OR_SCALAR(x, gbl_Matrix_setElement)(A, x, i, j)

#define gbl_Scalar_extractElement(x, s)                                                            \
    GBL_OF_ARRAY(x, gbl_Scalar_extractElement)(GBL_OUTPUT(x), s)
#define gbl_Vector_extractElement(x, v, i)                                                         \
    GBL_OF_ARRAY_OR_SCALAR(x, gbl_Vector_extractElement)(GBL_OUTPUT(x), v, i)
#define gbl_Matrix_extractElement(x, A, i, j)                                                      \
    GBL_OF_ARRAY_OR_SCALAR(x, gbl_Matrix_extractElement)(GBL_OUTPUT(x), A, i, j)

#define gbl_Vector_extractTuples(I, X, n, v)                                                       \
    GBL_OF_ARRAY(X, gbl_Vector_extractTuples)(I, GBL_OUTPUT(X), n, v)
#define gbl_Matrix_extractTuples(I, J, X, n, A)                                                    \
    GBL_OF_ARRAY(X, gbl_Matrix_extractTuples)(I, J, GBL_OUTPUT(X), n, A)

/* (..., X, n, dup), or with a gbl_Scalar (..., x, n) */
#define gbl_Vector_build(v, I, X, ...)                                                             \
    GBL_OF_INPUT_OR_SCALAR(X, gbl_Vector_build)(v, I, GBL_INPUT(X), __VA_ARGS__)
#define gbl_Matrix_build(A, I, J, X, ...)                                                          \
    GBL_OF_INPUT_OR_SCALAR(X, gbl_Matrix_build)(A, I, J, GBL_INPUT(X), __VA_ARGS__)

#define gbl_Matrix_import(A, type, nrows, ncols, Ap, Ai, Ax, Ap_len, Ai_len, Ax_len, format)       \
    GBL_OF_INPUT(Ax, gbl_Matrix_import)(A, type, nrows, ncols, Ap, Ai, GBL_INPUT(Ax), Ap_len,      \
                                        Ai_len, Ax_len, format)
#define gbl_Matrix_export(Ap, Ai, Ax, Ap_len, Ai_len, Ax_len, format, A)                           \
    GBL_OF_ARRAY(Ax, gbl_Matrix_export)(Ap, Ai, GBL_OUTPUT(Ax), Ap_len, Ai_len, Ax_len, format, A)

/* --------------------------------------------------------------------------- 3. operations -- */
#define GBL_OF_EWISE(C, op, F)                                                                     \
    _Generic((C),                                                                                  \
        gbl_Vector: _Generic((op), gbl_BinaryOp: gbl_Vector_##F##_BinaryOp,                        \
                             gbl_Monoid: gbl_Vector_##F##_Monoid,                                  \
                             gbl_Semiring: gbl_Vector_##F##_Semiring),                             \
        gbl_Matrix: _Generic((op), gbl_BinaryOp: gbl_Matrix_##F##_BinaryOp,                        \
                             gbl_Monoid: gbl_Matrix_##F##_Monoid,                                  \
                             gbl_Semiring: gbl_Matrix_##F##_Semiring))
#define gbl_eWiseAdd(C, M, accum, op, A, B, desc)                                                  \
    GBL_OF_EWISE(C, op, eWiseAdd)(C, M, accum, op, A, B, desc)
#define gbl_eWiseMult(C, M, accum, op, A, B, desc)                                                 \
    GBL_OF_EWISE(C, op, eWiseMult)(C, M, accum, op, A, B, desc)

/* (C, M, accum, unary op, A, desc), (C, M, accum, binary op, x, A, desc) or (..., A, y, desc),
 * (C, M, accum, index op, A, y, desc); a and b are the fifth and sixth argument */
#define GBL_OF_APPLY(K, op, a, b)                                                                  \
    _Generic((op), gbl_UnaryOp: gbl_##K##_apply,                                                   \
        gbl_IndexUnaryOp: GBL_OF_VALUE_OR_SCALAR(b, gbl_##K##_apply_IndexOp),                      \
        gbl_BinaryOp: _Generic((a),                                                                \
            gbl_##K: GBL_OF_VALUE_OR_SCALAR(b, gbl_##K##_apply_BinaryOp2nd),                       \
            default: GBL_OF_VALUE_OR_SCALAR(a, gbl_##K##_apply_BinaryOp1st)))
#define gbl_apply(C, M, accum, op, ...)                                                            \
    _Generic((C),                                                                                  \
        gbl_Vector: GBL_OF_APPLY(Vector, op, GBL_FIRST_OF(__VA_ARGS__, 0),                         \
                                 GBL_SECOND_OF(__VA_ARGS__, 0)),                                   \
        gbl_Matrix: GBL_OF_APPLY(Matrix, op, GBL_FIRST_OF(__VA_ARGS__, 0),                         \
                                 GBL_SECOND_OF(__VA_ARGS__, 0)))(C, M, accum, op, __VA_ARGS__)

#define gbl_select(C, M, accum, op, A, y, desc)                                                    \
    _Generic((C), gbl_Vector: GBL_OF_VALUE_OR_SCALAR(y, gbl_Vector_select),                        \
             gbl_Matrix: GBL_OF_VALUE_OR_SCALAR(y, gbl_Matrix_select))(C, M, accum, op, A, y, desc)

/* (w, m, accum, x, I, ni, desc) or (C, M, accum, x, I, ni, J, nj, desc); x is a value, a gbl_Scalar
 * or an object like C. (C, m, accum, u, i, J, nj, desc) and (C, m, accum, u, I, ni, j, desc): a row
 * and a column of a matrix, told apart by whether the fifth argument, k, is a list */
#define GBL_OF_LINE(k)                                                                             \
    _Generic((k), gbl_Index *: gbl_Col_assign, const gbl_Index *: gbl_Col_assign,                  \
             default: gbl_Row_assign)
#define GBL_OF_ASSIGN(K, x)                                                                        \
    _Generic((x), GBL_ASSOCIATE(gbl_##K##_assign, ), gbl_Scalar: gbl_##K##_assign_Scalar,          \
             gbl_##K: gbl_##K##_assign, default: gbl_##K##_assign_UDT)
#define gbl_assign(C, M, accum, x, ...)                                                            \
    _Generic((C), gbl_Vector: GBL_OF_ASSIGN(Vector, x),                                            \
             gbl_Matrix: _Generic((x), gbl_Vector: GBL_OF_LINE(GBL_FIRST_OF(__VA_ARGS__, 0)),      \
                                  default: GBL_OF_ASSIGN(Matrix, x)))(C, M, accum, x, __VA_ARGS__)

/* (w, m, accum, u, I, ni, desc) and with a gbl_Vector for a list (w, m, accum, u, I, desc),
 * (w, m, accum, A, I, ni, j, desc), (C, M, accum, A, I, ni, J, nj, desc); a is the fourth argument
 * and I the fifth */
#define gbl_extract(C, M, accum, a, ...)                                                           \
    _Generic((C),                                                                                  \
        gbl_Vector: _Generic((a), gbl_Matrix: gbl_Col_extract,                                     \
            default: _Generic((GBL_FIRST_OF(__VA_ARGS__, 0)),                                      \
                gbl_Vector: gbl_Vector_extract_Vector, default: gbl_Vector_extract)),              \
        gbl_Matrix: gbl_Matrix_extract)(C, M, accum, a, __VA_ARGS__)

#define gbl_kronecker(C, M, accum, op, A, B, desc)                                                 \
    _Generic((op), gbl_BinaryOp: gbl_Matrix_kronecker_BinaryOp,                                    \
             gbl_Monoid: gbl_Matrix_kronecker_Monoid,                                              \
             gbl_Semiring: gbl_Matrix_kronecker_Semiring)(C, M, accum, op, A, B, desc)

/* (w, m, accum, op, A, desc): rows to a vector; (s, accum, op, A, desc): everything to a C value or
 * a gbl_Scalar */
#define GBL_OF_REDUCE_SCALAR(K, op)                                                                \
    _Generic((op), gbl_BinaryOp: gbl_##K##_reduce_BinaryOp_Scalar,                                 \
             default: gbl_##K##_reduce_Monoid_Scalar)
#define GBL_OF_REDUCE(K, x, op)                                                                    \
    _Generic((x), GBL_ASSOCIATE(gbl_##K##_reduce, *), gbl_Scalar: GBL_OF_REDUCE_SCALAR(K, op),     \
             default: gbl_##K##_reduce_UDT)
#define gbl_reduce(x, a, b, c, ...)                                                                \
    _Generic((x),                                                                                  \
        gbl_Vector: _Generic((c), gbl_BinaryOp: gbl_Matrix_reduce_BinaryOp,                        \
                             default: gbl_Matrix_reduce_Monoid),                                   \
        default: _Generic((c), gbl_Vector: GBL_OF_REDUCE(Vector, x, b),                            \
                          default: GBL_OF_REDUCE(Matrix, x, b)))(GBL_OUTPUT(x), a, b, c,           \
                                                                 __VA_ARGS__)

/* (x, M, accum, monoid, semiring, A, B, desc); x points to a C value */
#define gbl_mxm_reduce(x, ...)                                                                     \
    GBL_OF_ARRAY(x, gbl_mxm_reduce)(GBL_OUTPUT(x), __VA_ARGS__)

/* clang-format on */

#endif
#endif
