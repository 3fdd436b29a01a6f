/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors of objects, elements and tuples, of types, operators, monoids and semirings, and their
 * life: predefined objects stay, parts may be freed before the whole. Each failing call must leave
 * what it was given as it was. (Operations: test_errors_operations.c; arrays given to import:
 * test_import.c; descriptors: test_fields.c; settings: test_context.c.)
 */
#include "support/errors.h"

#include <string.h>

/* ------------------------------------------------------------------ free, wait, error, kinds -- */

ERROR_TEST(errors, handles_of_every_kind) {
    gbl_Vector v = t_new_vector(GBL_INT8, 3);
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
    gbl_Descriptor d = NULL;
    gbl_Matrix A = t_new_matrix(GBL_INT8, 3, 3);
    gbl_Vector v = t_new_vector(GBL_INT8, 3);
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
    FREE(A, v, d);
}

/* the text is that of the object's last error, and says what would be right */
ERROR_TEST(errors, texts) {
    gbl_Matrix A = t_new_matrix(GBL_INT8, 3, 4);
    FAILS(GBL_INVALID_INDEX, gbl_Matrix_setElement_INT8(A, 1, 3, 0));
    const char *text = NULL;
    OK(gbl_Matrix_error(&text, A));
    CHECK(text != NULL && strstr(text, "row") != NULL && strchr(text, '3') != NULL);
    CHECK(strcmp(text, gbl_last_error()) == 0);
    gbl_Matrix B = t_new_matrix(GBL_INT8, 3, 4);
    OK(gbl_Matrix_error(&text, B));
    CHECK(text != NULL && text[0] == '\0');
    CHECK_EQ(gbl_fail(GBL_IO_ERROR, B, "line %d of %s", 12, "a.mtx"), GBL_IO_ERROR);
    OK(gbl_Matrix_error(&text, B));
    CHECK(strstr(text, "line 12 of a.mtx") != NULL);
    FREE(A, B);
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
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_resize(A, GBL_INDEX_MAX + 2, 2));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_resize(A, 2, UINT64_MAX));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_removeElement(NULL, 0, 0));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Matrix_removeElement(wrong, 0, 0));
    FAILS(GBL_INVALID_INDEX, gbl_Matrix_removeElement(A, 2, 0));
    FAILS(GBL_INVALID_INDEX, gbl_Matrix_removeElement(A, 0, 3));
    gbl_Vector v = t_new_vector(GBL_INT8, 4);
    FAILS(GBL_NULL_POINTER, gbl_Matrix_diag(NULL, v, 0));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_diag(&C, NULL, 0));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Matrix_diag(&C, WRONG(Vector), 0));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_diag(&C, v, (int64_t)GBL_INDEX_MAX));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_diag(&C, v, INT64_MIN));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_diag(&C, v, INT64_MAX));
    CHECK(C == NULL);
    OK(gbl_Matrix_nvals(&n, A));
    CHECK_EQ(n, 1);
    FREE(v, A);
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
    FAILS(GBL_INVALID_VALUE, gbl_Vector_new(&v, GBL_INT8, GBL_INDEX_MAX + 2));
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
    FAILS(GBL_INVALID_VALUE, gbl_Vector_resize(v, GBL_INDEX_MAX + 2));
    FAILS(GBL_NULL_POINTER, gbl_Vector_removeElement(NULL, 0));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Vector_removeElement(wrong, 0));
    FAILS(GBL_INVALID_INDEX, gbl_Vector_removeElement(v, 2));
    OK(gbl_Vector_free(&v));
}

ERROR_TEST(errors, scalar_functions) {
    gbl_Scalar s = NULL, t = NULL;
    gbl_Vector v = t_new_vector(GBL_INT8, 2);
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
    FREE(s, v);
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
        FAILS(GBL_INVALID_VALUE, gbl_Matrix_import_##N(&made, GBL_##N, GBL_INDEX_MAX + 2, 2, I, I, \
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
    gbl_Type type = NULL;
    OK(gbl_Type_new(&type, 5));
    gbl_Matrix A = t_new_matrix(GBL_INT32, 3, 3), user = t_new_matrix(type, 3, 3);
    gbl_Vector v = t_new_vector(GBL_INT32, 3);
#define CASE(N, T) element_errors_##N(A, v, user);
    GBL_FOREACH_TYPE(CASE)
#undef CASE
    CHECK_EQ(t_nvals(A), 0);
    CHECK_EQ(t_nvals_vector(v), 0);
    FREE(A, user, v, type);
}

ERROR_TEST(errors, elements_of_user_types_and_scalars) {
    gbl_Matrix A = t_new_matrix(GBL_INT32, 3, 3);
    gbl_Vector v = t_new_vector(GBL_INT32, 3);
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
    FREE(user, type, A, v);
}

ERROR_TEST(errors, arrays_in_and_out) {
    gbl_Matrix A = t_new_matrix(GBL_INT32, 3, 3);
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
    FAILS(GBL_NULL_POINTER, gbl_Matrix_view(NULL, A, GBL_CSR_FORMAT));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_view(&arrays, NULL, GBL_CSR_FORMAT));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveOut(A, GBL_CSR_FORMAT, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveOut(NULL, GBL_CSR_FORMAT, &arrays));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_moveOut(A, GBL_COO_FORMAT, &arrays));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveInto(A, GBL_CSR_FORMAT, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveInto(NULL, GBL_CSR_FORMAT, &arrays));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_moveInto(A, GBL_COO_FORMAT, &arrays));
    gbl_Matrix B = NULL;
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveIn(NULL, GBL_INT32, 3, 3, GBL_CSR_FORMAT, &arrays));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveIn(&B, NULL, 3, 3, GBL_CSR_FORMAT, &arrays));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveIn(&B, GBL_INT32, 3, 3, GBL_CSR_FORMAT, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveIn(&B, GBL_INT32, 3, 3, GBL_CSR_FORMAT, &arrays));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_moveIn(&B, GBL_INT32, 3, 3, GBL_COO_FORMAT, &arrays));
    CHECK(B == NULL && n == 7);
    OK(gbl_Matrix_free(&A));
}

/* ---------------------------------------------------------------------------------- algebra -- */

static void nothing(void *z, const void *x) {
    (void)z;
    (void)x;
}

static void nothing2(void *z, const void *x, const void *y) {
    (void)y;
    nothing(z, x);
}

static void nothing_at(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    (void)i;
    (void)j;
    nothing2(z, x, y);
}

ERROR_TEST(errors_algebra, types_and_operators) {
    gbl_Type type = NULL, wrong = WRONG(Type);
    size_t size = 7;
    gbl_Type_Code code = GBL_FP32_CODE;
    FAILS(GBL_NULL_POINTER, gbl_Type_new(NULL, 4));
    FAILS(GBL_INVALID_VALUE, gbl_Type_new(&type, 0));
    FAILS(GBL_INVALID_VALUE, gbl_Type_new(&type, SIZE_MAX));
    CHECK(type == NULL);
    FACT(gbl_Type_size(&size, NULL), gbl_Type_size(&size, wrong), gbl_Type_size(NULL, GBL_FP32));
    FACT(gbl_Type_code(&code, NULL), gbl_Type_code(&code, wrong), gbl_Type_code(NULL, GBL_FP32));
    CHECK(size == 7 && code == GBL_FP32_CODE);
    gbl_UnaryOp unary = NULL;
    FAILS(GBL_NULL_POINTER, gbl_UnaryOp_new(NULL, nothing, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_UnaryOp_new(&unary, NULL, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_UnaryOp_new(&unary, nothing, NULL, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_UnaryOp_new(&unary, nothing, GBL_INT8, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_UnaryOp_new(&unary, nothing, wrong, GBL_INT8));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_UnaryOp_new(&unary, nothing, GBL_INT8, wrong));
    gbl_BinaryOp binary = NULL;
    FAILS(GBL_NULL_POINTER, gbl_BinaryOp_new(NULL, nothing2, GBL_INT8, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_BinaryOp_new(&binary, NULL, GBL_INT8, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_BinaryOp_new(&binary, nothing2, NULL, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_BinaryOp_new(&binary, nothing2, GBL_INT8, NULL, GBL_INT8));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_BinaryOp_new(&binary, nothing2, GBL_INT8, GBL_INT8, wrong));
    gbl_IndexUnaryOp index = NULL;
    FAILS(GBL_NULL_POINTER, gbl_IndexUnaryOp_new(NULL, nothing_at, GBL_INT8, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_IndexUnaryOp_new(&index, NULL, GBL_INT8, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_IndexUnaryOp_new(&index, nothing_at, NULL, GBL_INT8, GBL_INT8));
    FAILS(GBL_NULL_POINTER, gbl_IndexUnaryOp_new(&index, nothing_at, GBL_INT8, GBL_INT8, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT,
          gbl_IndexUnaryOp_new(&index, nothing_at, GBL_INT8, wrong, GBL_INT8));
    CHECK(unary == NULL && binary == NULL && index == NULL);
}

ERROR_TEST(errors_algebra, monoids_and_semirings) {
    gbl_Monoid monoid = NULL;
    t_User user = t_user_colour();
#define CASE(N, T)                                                                                 \
    t_case("%s", #N);                                                                              \
    FAILS(GBL_NULL_POINTER, gbl_Monoid_new_##N(NULL, GBL_PLUS_##N, (T)0));                         \
    FAILS(GBL_NULL_POINTER, gbl_Monoid_new_##N(&monoid, NULL, (T)0));                              \
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Monoid_new_##N(&monoid, WRONG(BinaryOp), (T)0));           \
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Monoid_new_##N(&monoid, user.minus.handle, (T)0));              \
    FAILS(GBL_DOMAIN_MISMATCH,                                                                     \
          gbl_Monoid_new_##N(&monoid, GBL_LT_##N##_OR_INT32, (T)0)); /* T x T -> BOOL */
    GBL_FOREACH_TYPE(CASE)
#undef CASE
    const t_Colour zero = {0, 0, 0};
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Monoid_new_INT8(&monoid, GBL_PLUS_INT16, 0));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Monoid_new_INT32(&monoid, GBL_FIRSTI_INT32, 0));
    FAILS(GBL_NULL_POINTER, gbl_Monoid_new_UDT(&monoid, user.minus.handle, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Monoid_new_UDT(NULL, user.minus.handle, &zero));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Monoid_new_UDT(&monoid, GBL_PLUS_INT8, &zero));
    CHECK(monoid == NULL);
    gbl_Semiring ring = NULL;
    FAILS(GBL_NULL_POINTER, gbl_Semiring_new(NULL, GBL_PLUS_MONOID_INT8, GBL_TIMES_INT8));
    FAILS(GBL_NULL_POINTER, gbl_Semiring_new(&ring, NULL, GBL_TIMES_INT8));
    FAILS(GBL_NULL_POINTER, gbl_Semiring_new(&ring, GBL_PLUS_MONOID_INT8, NULL));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Semiring_new(&ring, WRONG(Monoid), GBL_TIMES_INT8));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Semiring_new(&ring, GBL_PLUS_MONOID_INT8, WRONG(BinaryOp)));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Semiring_new(&ring, GBL_PLUS_MONOID_INT8, GBL_TIMES_INT16));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Semiring_new(&ring, GBL_PLUS_MONOID_INT8, GBL_LT_INT8));
    CHECK(ring == NULL);
    t_user_free(&user);
}

/* predefined objects are not freed: only the handle is cleared */
ERROR_TEST(errors_algebra, predefined_objects_stay) {
    gbl_Type type = GBL_INT32;
    gbl_BinaryOp op = GBL_PLUS_INT32;
    gbl_Semiring ring = GBL_MIN_PLUS_SEMIRING_FP64;
    FREE(type, op, ring);
    CHECK(type == NULL && op == NULL && ring == NULL);
    gbl_Matrix A = t_new_matrix(GBL_INT32, 2, 2);
    OK(gbl_mxm(A, NULL, GBL_PLUS_INT32, GBL_MIN_PLUS_SEMIRING_FP64, A, A, NULL));
    OK(gbl_Matrix_free(&A));
}

/* the parts of an operator may be freed first */
ERROR_TEST(errors_algebra, parts_may_be_freed_first) {
    t_User user = t_user_colour();
    gbl_Matrix A = t_new_matrix(user.type.handle, 4, 4);
    const t_Colour colour = {3, 5, 7};
    OK(gbl_Matrix_setElement_UDT(A, &colour, 1, 1));
    FREE(user.type.handle, user.monoid.op.handle, user.ring.multiply.handle, user.monoid.handle);
    OK(gbl_mxm(A, NULL, user.minus.handle, user.ring.handle, A, A, NULL));
    t_user_free(&user);
    t_Colour out = {0, 0, 0};
    OK(gbl_Matrix_extractElement_UDT(&out, A, 1, 1));
    CHECK_EQ(out.r, (uint8_t)(3 - 9));
    OK(gbl_Matrix_free(&A));
}
