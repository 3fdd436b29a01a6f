/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors of objects, elements and tuples. Each failing call must leave what it was given as it was.
 * (Types, operators, monoids: test_errors_algebra.c; operations: test_errors_operations.c; arrays
 * given to import: test_import.c; descriptors: test_descriptor.c; settings: test_context.c.)
 */
#include "support/errors.h"

#include <string.h>

/* ------------------------------------------------------------------ free, wait, error, kinds -- */

ERROR_TEST(errors, handles_of_every_kind) {
    gbl_Vector v = NULL;
    OK(gbl_Vector_new(&v, GBL_INT8, 3));
    const char *text = NULL;
#define CASE(O)                                                                                    \
    {                                                                                              \
        t_case("%s", #O);                                                                          \
        gbl_##O none = NULL;                                                                       \
        gbl_##O wrong = strcmp(#O, "Scalar") == 0 ? (gbl_##O)(void *)v : WRONG(O);                 \
        OK(gbl_##O##_free(&none));                                                                 \
        FAILS(GBL_NULL_POINTER, gbl_##O##_free(NULL));                                             \
        FAILS(GBL_UNINITIALIZED_OBJECT, gbl_##O##_free(&wrong));                                   \
        CHECK(wrong != NULL);                                                                      \
        FAILS(GBL_NULL_POINTER, gbl_##O##_wait(NULL, GBL_COMPLETE));                               \
        FAILS(GBL_UNINITIALIZED_OBJECT, gbl_##O##_wait(wrong, GBL_COMPLETE));                      \
        FAILS(GBL_NULL_POINTER, gbl_##O##_error(NULL, wrong));                                     \
        FAILS(GBL_NULL_POINTER, gbl_##O##_error(&text, NULL));                                     \
        FAILS(GBL_UNINITIALIZED_OBJECT, gbl_##O##_error(&text, wrong));                            \
    }
    GBL_FOREACH_OBJECT(CASE)
#undef CASE
    OK(gbl_Vector_free(&v));
}

ERROR_TEST(errors, wait_modes) {
    gbl_Matrix A = NULL;
    gbl_Vector v = NULL;
    gbl_Descriptor d = NULL;
    OK(gbl_Matrix_new(&A, GBL_INT8, 3, 3));
    OK(gbl_Vector_new(&v, GBL_INT8, 3));
    OK(gbl_Descriptor_new(&d));
    const gbl_WaitMode bad = (gbl_WaitMode)17;
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_wait(A, bad));
    FAILS(GBL_INVALID_VALUE, gbl_Vector_wait(v, bad));
    FAILS(GBL_INVALID_VALUE, gbl_Scalar_wait(t_stranger, bad));
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_wait(d, bad));
    FAILS(GBL_INVALID_VALUE, gbl_Type_wait(GBL_FP32, bad));
    FAILS(GBL_INVALID_VALUE, gbl_UnaryOp_wait(GBL_ABS_FP32, bad));
    FAILS(GBL_INVALID_VALUE, gbl_BinaryOp_wait(GBL_PLUS_FP32, bad));
    FAILS(GBL_INVALID_VALUE, gbl_IndexUnaryOp_wait(GBL_TRIL, bad));
    FAILS(GBL_INVALID_VALUE, gbl_Monoid_wait(GBL_PLUS_MONOID_FP32, bad));
    FAILS(GBL_INVALID_VALUE, gbl_Semiring_wait(GBL_MIN_PLUS_SEMIRING_FP32, bad));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Vector_free(&v));
    OK(gbl_Descriptor_free(&d));
}

/* the text is that of the object's last error, and says what would be right */
ERROR_TEST(errors, texts) {
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, GBL_INT8, 3, 4));
    FAILS(GBL_INVALID_INDEX, gbl_Matrix_setElement_INT8(A, 1, 3, 0));
    const char *text = NULL;
    OK(gbl_Matrix_error(&text, A));
    CHECK(text != NULL && strstr(text, "row") != NULL && strchr(text, '3') != NULL);
    CHECK(strcmp(text, gbl_last_error()) == 0);
    gbl_Matrix B = NULL;
    OK(gbl_Matrix_new(&B, GBL_INT8, 3, 4));
    OK(gbl_Matrix_error(&text, B));
    CHECK(text != NULL && text[0] == '\0');
    CHECK_EQ(gbl_fail(GBL_IO_ERROR, B, "line %d of %s", 12, "a.mtx"), GBL_IO_ERROR);
    OK(gbl_Matrix_error(&text, B));
    CHECK(strstr(text, "line 12 of a.mtx") != NULL);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}

/* -------------------------------------------------------------------------------- containers -- */

ERROR_TEST(errors, matrix_functions) {
    gbl_Matrix A = NULL, C = NULL;
    gbl_Matrix wrong = WRONG(Matrix);
    gbl_Index n = 77;
    gbl_Type type = NULL;
    gbl_Formats formats;
    gbl_Explanation explanation = GBL_EXPLANATION_INIT;
    FAILS(GBL_NULL_POINTER, gbl_Matrix_new(NULL, GBL_INT8, 2, 2));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_new(&A, NULL, 2, 2));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Matrix_new(&A, WRONG(Type), 2, 2));
    CHECK(A == NULL);
    OK(gbl_Matrix_new(&A, GBL_INT8, 2, 3));
    OK(gbl_Matrix_setElement_INT8(A, 9, 1, 2));
    FACT(gbl_Matrix_dup(&C, NULL), gbl_Matrix_dup(&C, wrong), gbl_Matrix_dup(NULL, A));
    FACT(gbl_Matrix_nrows(&n, NULL), gbl_Matrix_nrows(&n, wrong), gbl_Matrix_nrows(NULL, A));
    FACT(gbl_Matrix_ncols(&n, NULL), gbl_Matrix_ncols(&n, wrong), gbl_Matrix_ncols(NULL, A));
    FACT(gbl_Matrix_nvals(&n, NULL), gbl_Matrix_nvals(&n, wrong), gbl_Matrix_nvals(NULL, A));
    FACT(gbl_Matrix_type(&type, NULL), gbl_Matrix_type(&type, wrong), gbl_Matrix_type(NULL, A));
    FACT(gbl_Matrix_formats(&formats, NULL), gbl_Matrix_formats(&formats, wrong),
         gbl_Matrix_formats(NULL, A));
    FACT(gbl_Matrix_explain(&explanation, NULL), gbl_Matrix_explain(&explanation, wrong),
         gbl_Matrix_explain(NULL, A));
    CHECK(n == 77 && C == NULL && type == NULL);
    CHECK_EQ(gbl_Matrix_explain(&explanation, A), GBL_NO_VALUE);
    FAILS(GBL_NULL_POINTER, gbl_Matrix_clear(NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Matrix_clear(wrong));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_resize(NULL, 2, 2));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Matrix_resize(wrong, 2, 2));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_resize(A, GBL_INDEX_MAX + 1, 2));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_resize(A, 2, UINT64_MAX));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_removeElement(NULL, 0, 0));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Matrix_removeElement(wrong, 0, 0));
    FAILS(GBL_INVALID_INDEX, gbl_Matrix_removeElement(A, 2, 0));
    FAILS(GBL_INVALID_INDEX, gbl_Matrix_removeElement(A, 0, 3));
    gbl_Vector v = NULL;
    OK(gbl_Vector_new(&v, GBL_INT8, 4));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_diag(NULL, v, 0));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_diag(&C, NULL, 0));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Matrix_diag(&C, WRONG(Vector), 0));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_diag(&C, v, (int64_t)GBL_INDEX_MAX));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_diag(&C, v, INT64_MIN));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_diag(&C, v, INT64_MAX));
    CHECK(C == NULL);
    OK(gbl_Matrix_nvals(&n, A));
    CHECK_EQ(n, 1);
    OK(gbl_Vector_free(&v));
    OK(gbl_Matrix_free(&A));
}

ERROR_TEST(errors, vector_functions) {
    gbl_Vector v = NULL, w = NULL, wrong = WRONG(Vector);
    gbl_Index n = 77;
    gbl_Type type = NULL;
    gbl_Formats formats;
    gbl_Explanation explanation = GBL_EXPLANATION_INIT;
    FAILS(GBL_NULL_POINTER, gbl_Vector_new(NULL, GBL_INT8, 2));
    FAILS(GBL_NULL_POINTER, gbl_Vector_new(&v, NULL, 2));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Vector_new(&v, WRONG(Type), 2));
    FAILS(GBL_INVALID_VALUE, gbl_Vector_new(&v, GBL_INT8, GBL_INDEX_MAX + 1));
    CHECK(v == NULL);
    OK(gbl_Vector_new(&v, GBL_INT8, 2));
    FACT(gbl_Vector_dup(&w, NULL), gbl_Vector_dup(&w, wrong), gbl_Vector_dup(NULL, v));
    FACT(gbl_Vector_size(&n, NULL), gbl_Vector_size(&n, wrong), gbl_Vector_size(NULL, v));
    FACT(gbl_Vector_nvals(&n, NULL), gbl_Vector_nvals(&n, wrong), gbl_Vector_nvals(NULL, v));
    FACT(gbl_Vector_type(&type, NULL), gbl_Vector_type(&type, wrong), gbl_Vector_type(NULL, v));
    FACT(gbl_Vector_formats(&formats, NULL), gbl_Vector_formats(&formats, wrong),
         gbl_Vector_formats(NULL, v));
    FACT(gbl_Vector_explain(&explanation, NULL), gbl_Vector_explain(&explanation, wrong),
         gbl_Vector_explain(NULL, v));
    CHECK(n == 77 && w == NULL && type == NULL);
    CHECK_EQ(gbl_Vector_explain(&explanation, v), GBL_NO_VALUE);
    FAILS(GBL_NULL_POINTER, gbl_Vector_clear(NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Vector_clear(wrong));
    FAILS(GBL_NULL_POINTER, gbl_Vector_resize(NULL, 2));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Vector_resize(wrong, 2));
    FAILS(GBL_INVALID_VALUE, gbl_Vector_resize(v, GBL_INDEX_MAX + 1));
    FAILS(GBL_NULL_POINTER, gbl_Vector_removeElement(NULL, 0));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Vector_removeElement(wrong, 0));
    FAILS(GBL_INVALID_INDEX, gbl_Vector_removeElement(v, 2));
    OK(gbl_Vector_free(&v));
}

ERROR_TEST(errors, scalar_functions) {
    gbl_Scalar s = NULL, t = NULL;
    gbl_Vector v = NULL;
    OK(gbl_Vector_new(&v, GBL_INT8, 2));
    gbl_Scalar wrong = (gbl_Scalar)(void *)v;
    gbl_Index n = 77;
    gbl_Type type = NULL;
    FAILS(GBL_NULL_POINTER, gbl_Scalar_new(NULL, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_Scalar_new(&s, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Scalar_new(&s, WRONG(Type)));
    CHECK(s == NULL);
    OK(gbl_Scalar_new(&s, GBL_INT8));
    FACT(gbl_Scalar_dup(&t, NULL), gbl_Scalar_dup(&t, wrong), gbl_Scalar_dup(NULL, s));
    FACT(gbl_Scalar_nvals(&n, NULL), gbl_Scalar_nvals(&n, wrong), gbl_Scalar_nvals(NULL, s));
    FACT(gbl_Scalar_type(&type, NULL), gbl_Scalar_type(&type, wrong), gbl_Scalar_type(NULL, s));
    FAILS(GBL_NULL_POINTER, gbl_Scalar_clear(NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Scalar_clear(wrong));
    CHECK(n == 77 && t == NULL && type == NULL);
    OK(gbl_Scalar_free(&s));
    OK(gbl_Vector_free(&v));
}

/* ----------------------------------------------------------------------- elements and tuples -- */

/* every function that exists once per type; x is a value or a pointer to one */
#define ELEMENT_ERRORS(N, T)                                                                       \
    static void element_errors_##N(gbl_Matrix A, gbl_Vector v, gbl_Matrix user) {                  \
        T in[2] = {0}, out[2] = {0};                                                               \
        const T value = (T)1;                                                                      \
        gbl_Index I[2] = {0, 1}, n = 2;                                                            \
        gbl_Scalar empty = NULL;                                                                   \
        t_case("%s", #N);                                                                          \
        FAILS(GBL_NULL_POINTER, gbl_Matrix_setElement_##N(NULL, value, 0, 0));                     \
        FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Matrix_setElement_##N(WRONG(Matrix), value, 0, 0));    \
        FAILS(GBL_INVALID_INDEX, gbl_Matrix_setElement_##N(A, value, 3, 0));                       \
        FAILS(GBL_INVALID_INDEX, gbl_Matrix_setElement_##N(A, value, 0, UINT64_MAX));              \
        FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_setElement_##N(user, value, 0, 0));                  \
        FAILS(GBL_NULL_POINTER, gbl_Vector_setElement_##N(NULL, value, 0));                        \
        FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Vector_setElement_##N(WRONG(Vector), value, 0));       \
        FAILS(GBL_INVALID_INDEX, gbl_Vector_setElement_##N(v, value, 3));                          \
        FAILS(GBL_NULL_POINTER, gbl_Scalar_setElement_##N(empty, value));                          \
        FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Scalar_setElement_##N((gbl_Scalar)(void *)v, value));  \
        FAILS(GBL_NULL_POINTER, gbl_Matrix_extractElement_##N(out, NULL, 0, 0));                   \
        FAILS(GBL_NULL_POINTER, gbl_Matrix_extractElement_##N(NULL, A, 0, 0));                     \
        FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Matrix_extractElement_##N(out, WRONG(Matrix), 0, 0));  \
        FAILS(GBL_INVALID_INDEX, gbl_Matrix_extractElement_##N(out, A, 0, 3));                     \
        FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_extractElement_##N(out, user, 0, 0));                \
        FAILS(GBL_NULL_POINTER, gbl_Vector_extractElement_##N(out, NULL, 0));                      \
        FAILS(GBL_NULL_POINTER, gbl_Vector_extractElement_##N(NULL, v, 0));                        \
        FAILS(GBL_INVALID_INDEX, gbl_Vector_extractElement_##N(out, v, 3));                        \
        FAILS(GBL_NULL_POINTER, gbl_Scalar_extractElement_##N(out, NULL));                         \
        FAILS(GBL_NULL_POINTER, gbl_Scalar_extractElement_##N(NULL, t_stranger));                  \
        FAILS(GBL_NULL_POINTER, gbl_Matrix_extractTuples_##N(I, I, out, NULL, A));                 \
        FAILS(GBL_NULL_POINTER, gbl_Matrix_extractTuples_##N(I, I, out, &n, NULL));                \
        FAILS(GBL_UNINITIALIZED_OBJECT,                                                            \
              gbl_Matrix_extractTuples_##N(I, I, out, &n, WRONG(Matrix)));                         \
        FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_extractTuples_##N(I, I, out, &n, user));             \
        FAILS(GBL_NULL_POINTER, gbl_Vector_extractTuples_##N(I, out, NULL, v));                    \
        FAILS(GBL_NULL_POINTER, gbl_Vector_extractTuples_##N(I, out, &n, NULL));                   \
        FAILS(GBL_NULL_POINTER, gbl_Matrix_build_##N(NULL, I, I, in, 2, NULL));                    \
        FAILS(GBL_NULL_POINTER, gbl_Matrix_build_##N(A, NULL, I, in, 2, NULL));                    \
        FAILS(GBL_NULL_POINTER, gbl_Matrix_build_##N(A, I, NULL, in, 2, NULL));                    \
        FAILS(GBL_NULL_POINTER, gbl_Matrix_build_##N(A, I, I, NULL, 2, NULL));                     \
        FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Matrix_build_##N(A, I, I, in, 2, WRONG(BinaryOp)));    \
        FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_build_##N(A, I, I, in, 2, GBL_LT_##N##_OR_INT32));   \
        FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_build_##N(A, I, I, in, 2, GBL_FIRSTI_INT32));        \
        FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_build_##N(user, I, I, in, 2, NULL));                 \
        FAILS(GBL_NULL_POINTER, gbl_Vector_build_##N(NULL, I, in, 2, NULL));                       \
        FAILS(GBL_NULL_POINTER, gbl_Vector_build_##N(v, NULL, in, 2, NULL));                       \
        FAILS(GBL_NULL_POINTER, gbl_Vector_build_##N(v, I, NULL, 2, NULL));                        \
        FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Vector_build_##N(v, I, in, 2, WRONG(BinaryOp)));       \
        FAILS(GBL_NULL_POINTER,                                                                    \
              gbl_Matrix_import_##N(NULL, GBL_##N, 0, 0, I, I, in, 2, 2, 2, GBL_COO_FORMAT));      \
        gbl_Matrix made = NULL;                                                                    \
        FAILS(GBL_NULL_POINTER,                                                                    \
              gbl_Matrix_import_##N(&made, NULL, 2, 2, I, I, in, 2, 2, 2, GBL_COO_FORMAT));        \
        FAILS(GBL_NULL_POINTER,                                                                    \
              gbl_Matrix_import_##N(&made, GBL_##N, 2, 2, NULL, I, in, 2, 2, 2, GBL_COO_FORMAT));  \
        FAILS(GBL_NULL_POINTER,                                                                    \
              gbl_Matrix_import_##N(&made, GBL_##N, 2, 2, I, NULL, in, 2, 2, 2, GBL_COO_FORMAT));  \
        FAILS(GBL_NULL_POINTER,                                                                    \
              gbl_Matrix_import_##N(&made, GBL_##N, 2, 2, I, I, NULL, 2, 2, 2, GBL_COO_FORMAT));   \
        FAILS(GBL_INVALID_VALUE, gbl_Matrix_import_##N(&made, GBL_##N, GBL_INDEX_MAX + 1, 2, I, I, \
                                                       in, 2, 2, 2, GBL_COO_FORMAT));              \
        CHECK(made == NULL);                                                                       \
        gbl_Index np = 2, ni = 2, nx = 2;                                                          \
        FAILS(GBL_NULL_POINTER,                                                                    \
              gbl_Matrix_export_##N(I, I, out, &np, &ni, &nx, GBL_CSR_FORMAT, NULL));              \
        FAILS(GBL_NULL_POINTER,                                                                    \
              gbl_Matrix_export_##N(I, I, out, NULL, &ni, &nx, GBL_CSR_FORMAT, user));             \
        FAILS(GBL_NULL_POINTER,                                                                    \
              gbl_Matrix_export_##N(I, I, out, &np, NULL, &nx, GBL_CSR_FORMAT, user));             \
        FAILS(GBL_NULL_POINTER,                                                                    \
              gbl_Matrix_export_##N(I, I, out, &np, &ni, NULL, GBL_CSR_FORMAT, user));             \
        FAILS(GBL_DOMAIN_MISMATCH,                                                                 \
              gbl_Matrix_export_##N(I, I, out, &np, &ni, &nx, GBL_CSR_FORMAT, user));              \
    }
GBL_FOREACH_TYPE(ELEMENT_ERRORS)

ERROR_TEST(errors, elements_and_tuples_of_every_type) {
    gbl_Matrix A = NULL, user = NULL;
    gbl_Vector v = NULL;
    gbl_Type type = NULL;
    OK(gbl_Type_new(&type, 5));
    OK(gbl_Matrix_new(&A, GBL_INT32, 3, 3));
    OK(gbl_Matrix_new(&user, type, 3, 3));
    OK(gbl_Vector_new(&v, GBL_INT32, 3));
#define CASE(N, T) element_errors_##N(A, v, user);
    GBL_FOREACH_TYPE(CASE)
#undef CASE
    gbl_Index n = 9;
    OK(gbl_Matrix_nvals(&n, A));
    CHECK_EQ(n, 0);
    OK(gbl_Vector_nvals(&n, v));
    CHECK_EQ(n, 0);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&user));
    OK(gbl_Vector_free(&v));
    OK(gbl_Type_free(&type));
}

ERROR_TEST(errors, elements_of_user_types_and_scalars) {
    gbl_Matrix A = NULL;
    gbl_Vector v = NULL;
    OK(gbl_Matrix_new(&A, GBL_INT32, 3, 3));
    OK(gbl_Vector_new(&v, GBL_INT32, 3));
    int32_t x = 5;
    gbl_Index I[2] = {0, 1}, n = 2;
    FAILS(GBL_NULL_POINTER, gbl_Matrix_setElement_UDT(A, NULL, 0, 0));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_setElement_UDT(A, &x, 0, 0));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_setElement_UDT(v, &x, 0));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Scalar_setElement_UDT(t_stranger, &x));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_extractElement_UDT(&x, A, 0, 0));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_extractElement_UDT(&x, v, 0));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Scalar_extractElement_UDT(&x, t_stranger));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_extractTuples_UDT(I, I, &x, &n, A));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_extractTuples_UDT(I, &x, &n, v));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_build_UDT(A, I, I, &x, 1, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_build_UDT(v, I, &x, 1, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_setElement_Scalar(A, NULL, 0, 0));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_setElement_Scalar(NULL, t_stranger, 0, 0));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Matrix_setElement_Scalar(A, (gbl_Scalar)(void *)v, 0, 0));
    FAILS(GBL_INVALID_INDEX, gbl_Matrix_setElement_Scalar(A, t_stranger, 0, 3));
    FAILS(GBL_NULL_POINTER, gbl_Vector_setElement_Scalar(v, NULL, 0));
    FAILS(GBL_INVALID_INDEX, gbl_Vector_setElement_Scalar(v, t_stranger, 3));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_extractElement_Scalar(NULL, A, 0, 0));
    FAILS(GBL_INVALID_INDEX, gbl_Matrix_extractElement_Scalar(t_stranger, A, 3, 0));
    FAILS(GBL_NULL_POINTER, gbl_Vector_extractElement_Scalar(NULL, v, 0));
    FAILS(GBL_INVALID_INDEX, gbl_Vector_extractElement_Scalar(t_stranger, v, 3));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_build_Scalar(A, I, I, NULL, 2));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_build_Scalar(A, NULL, I, t_stranger, 2));
    FAILS(GBL_NULL_POINTER, gbl_Vector_build_Scalar(v, I, NULL, 2));
    FAILS(GBL_EMPTY_OBJECT, gbl_Vector_build_Scalar(v, I, t_stranger, 2));
    gbl_Type type = NULL;
    gbl_Scalar user = NULL;
    OK(gbl_Type_new(&type, 4));
    OK(gbl_Scalar_new(&user, type));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_setElement_Scalar(A, user, 0, 0));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_extractElement_Scalar(user, v, 0));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_build_Scalar(A, I, I, user, 2));
    OK(gbl_Scalar_free(&user));
    OK(gbl_Type_free(&type));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Vector_free(&v));
}

ERROR_TEST(errors, arrays_in_and_out) {
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, GBL_INT32, 3, 3));
    gbl_Index n = 7;
    gbl_Format format = GBL_COO_FORMAT;
    gbl_Arrays arrays = {NULL, NULL, NULL, false};
    FAILS(GBL_NULL_POINTER, gbl_Matrix_exportSize(&n, &n, &n, GBL_CSR_FORMAT, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_exportSize(NULL, &n, &n, GBL_CSR_FORMAT, A));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_exportSize(&n, NULL, &n, GBL_CSR_FORMAT, A));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_exportSize(&n, &n, NULL, GBL_CSR_FORMAT, A));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_exportSize(&n, &n, &n, (gbl_Format)9, A));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_exportHint(NULL, A));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_exportHint(&format, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveOut(A, GBL_CSR_FORMAT, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveOut(NULL, GBL_CSR_FORMAT, &arrays));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_moveOut(A, GBL_COO_FORMAT, &arrays));
    gbl_Matrix B = NULL;
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveIn(NULL, GBL_INT32, 3, 3, GBL_CSR_FORMAT, &arrays));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveIn(&B, NULL, 3, 3, GBL_CSR_FORMAT, &arrays));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveIn(&B, GBL_INT32, 3, 3, GBL_CSR_FORMAT, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveIn(&B, GBL_INT32, 3, 3, GBL_CSR_FORMAT, &arrays));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_moveIn(&B, GBL_INT32, 3, 3, GBL_COO_FORMAT, &arrays));
    CHECK(B == NULL && n == 7);
    OK(gbl_Matrix_free(&A));
}
