/* SPDX-License-Identifier: Apache-2.0
 *
 * get and set: every field of every kind of object, each of the five forms, what cannot be set, and
 * the polymorphic names. Descriptors: fields, combinations, the predefined ones.
 */
#include "support/gb_test.h"

#include <string.h>

static bool is_text(const char *found, const char *wanted) {
    if (strcmp(found, wanted) == 0) return true;
    t_case("'%s' instead of '%s'", found, wanted);
    return false;
}

/* Reads a string in two calls, and compares. */
#define CHECK_TEXT(O, object, field, wanted)                                                       \
    {                                                                                              \
        char found[200] = "untouched";                                                             \
        size_t size = 0;                                                                           \
        OK(gbl_##O##_get_SIZE(object, &size, field));                                              \
        OK(gbl_##O##_get_String(object, found, field));                                            \
        CHECK(is_text(found, wanted));                                                             \
        CHECK_EQ(size, strlen(wanted) + 1);                                                        \
    }
#define CHECK_NUMBER(O, object, field, wanted)                                                     \
    {                                                                                              \
        int32_t found = -77;                                                                       \
        int64_t also = -77;                                                                        \
        gbl_Scalar held = NULL;                                                                    \
        OK(gbl_##O##_get_INT32(object, &found, field));                                            \
        OK(gbl_Scalar_new(&held, GBL_INT64));                                                      \
        OK(gbl_##O##_get_Scalar(object, held, field));                                             \
        OK(gbl_Scalar_extractElement_INT64(&also, held));                                          \
        OK(gbl_Scalar_free(&held));                                                                \
        CHECK_EQ(found, wanted);                                                                   \
        CHECK_EQ(also, wanted);                                                                    \
    }

/* -------------------------------------------------------------------- predefined objects -- */

#define CHECK_OPERATORS(N, T)                                                                      \
    CHECK_TEXT(Type, GBL_##N, GBL_NAME, "GrB_" #N)                                                 \
    CHECK_TEXT(Type, GBL_##N, GBL_EL_TYPE_STRING, "GrB_" #N)                                       \
    CHECK_NUMBER(Type, GBL_##N, GBL_EL_TYPE_CODE, GBL_##N##_CODE)                                  \
    CHECK_TEXT(UnaryOp, GBL_ABS_##N, GBL_NAME, "GrB_ABS_" #N)                                      \
    CHECK_TEXT(UnaryOp, GBL_ONE_##N, GBL_NAME, "GBL_ONE_" #N)                                      \
    CHECK_TEXT(BinaryOp, GBL_PLUS_##N, GBL_NAME, "GrB_PLUS_" #N)                                   \
    CHECK_TEXT(BinaryOp, GBL_ONEB_##N, GBL_NAME, "GrB_ONEB_" #N)                                   \
    CHECK_TEXT(BinaryOp, GBL_ANY_##N, GBL_NAME, "GBL_ANY_" #N)                                     \
    CHECK_TEXT(BinaryOp, GBL_LE_##N, GBL_NAME, "GrB_LE_" #N)                                       \
    CHECK_TEXT(BinaryOp, GBL_LE_##N, GBL_INP0_TYPE_STRING, "GrB_" #N)                              \
    CHECK_TEXT(BinaryOp, GBL_LE_##N, GBL_OUTP_TYPE_STRING, "GrB_BOOL")                             \
    CHECK_TEXT(IndexUnaryOp, GBL_VALUEGE_##N, GBL_NAME, "GrB_VALUEGE_" #N)                         \
    CHECK_NUMBER(IndexUnaryOp, GBL_VALUEGE_##N, GBL_INP1_TYPE_CODE, GBL_##N##_CODE)                \
    CHECK_TEXT(Monoid, GBL_ANY_MONOID_##N, GBL_NAME, "GBL_ANY_MONOID_" #N)
#define CHECK_RINGS(N, T)                                                                          \
    CHECK_TEXT(Monoid, GBL_MAX_MONOID_##N, GBL_NAME, "GrB_MAX_MONOID_" #N)                         \
    CHECK_NUMBER(Monoid, GBL_MAX_MONOID_##N, GBL_INP1_TYPE_CODE, GBL_##N##_CODE)                   \
    CHECK_TEXT(Semiring, GBL_MIN_FIRST_SEMIRING_##N, GBL_NAME, "GrB_MIN_FIRST_SEMIRING_" #N)       \
    CHECK_TEXT(Semiring, GBL_PLUS_PAIR_SEMIRING_##N, GBL_NAME, "GBL_PLUS_PAIR_SEMIRING_" #N)       \
    CHECK_TEXT(Semiring, GBL_PLUS_FIRST_SEMIRING_##N, GBL_NAME, "GBL_PLUS_FIRST_SEMIRING_" #N)     \
    CHECK_TEXT(Semiring, GBL_PLUS_MIN_SEMIRING_##N, GBL_OUTP_TYPE_STRING, "GrB_" #N)

GB_TEST(fields, names_of_predefined) {
    GBL_FOREACH_TYPE(CHECK_OPERATORS)
    GBL_FOREACH_NUMERIC(CHECK_RINGS)
    CHECK_TEXT(UnaryOp, GBL_LNOT, GBL_NAME, "GrB_LNOT")
    CHECK_TEXT(UnaryOp, GBL_BNOT_UINT16, GBL_NAME, "GrB_BNOT_UINT16")
    CHECK_TEXT(BinaryOp, GBL_LXNOR, GBL_NAME, "GrB_LXNOR")
    CHECK_TEXT(BinaryOp, GBL_BXOR_INT8, GBL_NAME, "GrB_BXOR_INT8")
    CHECK_TEXT(BinaryOp, GBL_SECONDJ_INT32, GBL_NAME, "GBL_SECONDJ_INT32")
    CHECK_TEXT(IndexUnaryOp, GBL_TRIL, GBL_NAME, "GrB_TRIL")
    CHECK_TEXT(IndexUnaryOp, GBL_ROWGT, GBL_NAME, "GrB_ROWGT")
    CHECK_TEXT(IndexUnaryOp, GBL_DIAGINDEX_INT32, GBL_NAME, "GrB_DIAGINDEX_INT32")
    CHECK_TEXT(Monoid, GBL_LXOR_MONOID_BOOL, GBL_NAME, "GrB_LXOR_MONOID_BOOL")
    CHECK_TEXT(Monoid, GBL_BAND_MONOID_UINT8, GBL_NAME, "GBL_BAND_MONOID_UINT8")
    CHECK_TEXT(Semiring, GBL_LXNOR_LOR_SEMIRING_BOOL, GBL_NAME, "GrB_LXNOR_LOR_SEMIRING_BOOL")
    CHECK_TEXT(Semiring, GBL_MIN_FIRSTJ_SEMIRING_INT64, GBL_NAME, "GBL_MIN_FIRSTJ_SEMIRING_INT64")
    CHECK_TEXT(Descriptor, GBL_DESC_RSCT0, GBL_NAME, "GrB_DESC_RSCT0")
    FAILS(GBL_INVALID_VALUE, gbl_Type_set_String(GBL_FP64, "double", GBL_NAME));
    FAILS(GBL_INVALID_VALUE, gbl_Monoid_set_String(GBL_MAX_MONOID_FP64, "max", GBL_NAME));
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_String(GBL_DESC_R, "r", GBL_NAME));
}

/* Types that an operator does not have leave the value alone. */
GB_TEST(fields, no_value) {
    int32_t code = 42;
    char text[20] = "untouched";
    size_t size = 42;
    CHECK(gbl_UnaryOp_get_INT32(GBL_ABS_FP64, &code, GBL_INP1_TYPE_CODE) == GBL_NO_VALUE);
    CHECK(gbl_IndexUnaryOp_get_INT32(GBL_TRIL, &code, GBL_INP0_TYPE_CODE) == GBL_NO_VALUE);
    CHECK_NUMBER(IndexUnaryOp, GBL_TRIL, GBL_INP1_TYPE_CODE, GBL_INT64_CODE)
    CHECK_NUMBER(IndexUnaryOp, GBL_ROWINDEX_INT32, GBL_INP1_TYPE_CODE, GBL_INT32_CODE)
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP32;
    CHECK(gbl_Semiring_get_INT32(ring, &code, GBL_INP0_TYPE_CODE) == GBL_NO_VALUE);
    CHECK(gbl_Semiring_get_String(ring, text, GBL_INP1_TYPE_STRING) == GBL_NO_VALUE);
    CHECK(gbl_Semiring_get_SIZE(ring, &size, GBL_INP1_TYPE_STRING) == GBL_NO_VALUE);
    CHECK(code == 42 && size == 42 && is_text(text, "untouched"));
    CHECK_NUMBER(Semiring, ring, GBL_OUTP_TYPE_CODE, GBL_FP32_CODE)
    CHECK_NUMBER(UnaryOp, GBL_ABS_INT8, GBL_INP0_TYPE_CODE, GBL_INT8_CODE)
    size_t bytes = 0;
    OK(gbl_Type_get_SIZE(GBL_UINT32, &bytes, GBL_SIZE));
    CHECK_EQ(bytes, 4);
    FAILS(GBL_INVALID_VALUE, gbl_Type_get_INT32(GBL_UINT32, &code, GBL_SIZE));
}

GB_TEST(fields, by_position) {
    CHECK_NUMBER(Semiring, GBL_MIN_FIRSTJ_SEMIRING_INT64, GBL_BY_POSITION, 1)
    CHECK_NUMBER(Semiring, GBL_PLUS_TIMES_SEMIRING_FP64, GBL_BY_POSITION, 0)
    CHECK_NUMBER(BinaryOp, GBL_SECONDI1_INT32, GBL_BY_POSITION, 1)
    CHECK_NUMBER(BinaryOp, GBL_SECOND_INT32, GBL_BY_POSITION, 0)
    CHECK_NUMBER(IndexUnaryOp, GBL_TRIL, GBL_BY_POSITION, 1)
    CHECK_NUMBER(IndexUnaryOp, GBL_VALUEGE_FP64, GBL_BY_POSITION, 0)
    CHECK_NUMBER(UnaryOp, GBL_POSITIONJ_INT64, GBL_BY_POSITION, 1)
    CHECK_NUMBER(UnaryOp, GBL_ABS_INT64, GBL_BY_POSITION, 0)
    CHECK_NUMBER(Monoid, GBL_MIN_MONOID_INT64, GBL_BY_POSITION, 0)
}

/* ----------------------------------------------------------------------- the user's objects -- */

static void keep(void *z, const void *x) {
    memcpy(z, x, 24);
}
static void first(void *z, const void *x, const void *y) {
    (void)y;
    memcpy(z, x, 24);
}
static void index_first(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    (void)i, (void)j, (void)y;
    memcpy(z, x, 24);
}

#define CHECK_ONCE(O, object, name)                                                                \
    CHECK_TEXT(O, object, GBL_NAME, "")                                                            \
    FAILS(GBL_NULL_POINTER, gbl_##O##_set_String(object, NULL, GBL_NAME));                         \
    OK(gbl_##O##_set_String(object, name, GBL_NAME));                                              \
    FAILS(GBL_ALREADY_SET, gbl_##O##_set_String(object, "other", GBL_NAME));                       \
    CHECK_TEXT(O, object, GBL_NAME, name)                                                          \
    FAILS(GBL_INVALID_VALUE, gbl_##O##_set_INT32(object, 1, GBL_STORAGE_ORIENTATION_HINT));        \
    FAILS(GBL_INVALID_VALUE, gbl_##O##_set_INT32(object, 1, GBL_NAME));

GB_TEST(fields, names_that_are_set_once) {
    gbl_Type type = NULL;
    gbl_UnaryOp unary = NULL;
    gbl_BinaryOp binary = NULL;
    gbl_IndexUnaryOp index = NULL;
    gbl_Monoid monoid = NULL;
    gbl_Semiring ring = NULL;
    const char zero[24] = {0};
    OK(gbl_Type_new(&type, 24));
    OK(gbl_UnaryOp_new(&unary, keep, type, type));
    OK(gbl_BinaryOp_new(&binary, first, type, type, type));
    OK(gbl_IndexUnaryOp_new(&index, index_first, type, type, type));
    OK(gbl_Monoid_new_UDT(&monoid, binary, zero));
    OK(gbl_Semiring_new(&ring, monoid, binary));
    CHECK_ONCE(Type, type, "block")
    CHECK_ONCE(UnaryOp, unary, "keep")
    CHECK_ONCE(BinaryOp, binary, "first")
    CHECK_ONCE(IndexUnaryOp, index, "index first")
    CHECK_ONCE(Monoid, monoid, "firsts")
    CHECK_ONCE(Semiring, ring,
               "a ring of which the name is longer than what the library itself "
               "would ever put together for one of its own")
    CHECK_TEXT(UnaryOp, unary, GBL_INP0_TYPE_STRING, "block")
    CHECK_NUMBER(BinaryOp, binary, GBL_OUTP_TYPE_CODE, GBL_UDT_CODE)
    CHECK_TEXT(Monoid, monoid, GBL_INP1_TYPE_STRING, "block")
    FREE(ring, monoid, index, binary, unary, type);
}

#define CHECK_COLLECTION(O, object)                                                                \
    CHECK_TEXT(O, object, GBL_NAME, "")                                                            \
    OK(gbl_##O##_set_String(object, "one", GBL_NAME));                                             \
    OK(gbl_##O##_set_String(object, "another name", GBL_NAME));                                    \
    CHECK_TEXT(O, object, GBL_NAME, "another name")                                                \
    CHECK_TEXT(O, object, GBL_EL_TYPE_STRING, "GrB_INT16")                                         \
    CHECK_NUMBER(O, object, GBL_EL_TYPE_CODE, GBL_INT16_CODE)                                      \
    CHECK_NUMBER(O, object, GBL_STORAGE_ORIENTATION_HINT, GBL_BOTH)                                \
    OK(gbl_##O##_set_INT32(object, GBL_COLMAJOR, GBL_STORAGE_ORIENTATION_HINT));                   \
    CHECK_NUMBER(O, object, GBL_STORAGE_ORIENTATION_HINT, GBL_COLMAJOR)                            \
    FAILS(GBL_INVALID_VALUE, gbl_##O##_set_INT32(object, 4, GBL_STORAGE_ORIENTATION_HINT));        \
    FAILS(GBL_INVALID_VALUE, gbl_##O##_set_INT32(object, 4, GBL_EL_TYPE_CODE));                    \
    FAILS(GBL_INVALID_VALUE, gbl_##O##_set_String(object, "x", GBL_EL_TYPE_STRING));               \
    FAILS(GBL_INVALID_VALUE, gbl_##O##_set_VOID(object, "x", GBL_NAME, 1));

GB_TEST(fields, collections) {
    gbl_Matrix C = NULL;
    gbl_Scalar s = NULL, number = NULL;
    gbl_Matrix A = t_new_matrix(GBL_INT16, 3, 4);
    gbl_Vector v = t_new_vector(GBL_INT16, 3);
    OK(gbl_Scalar_new(&s, GBL_INT16));
    CHECK_NUMBER(Matrix, A, GBL_STORAGE_ORIENTATION_HINT, GBL_ROWMAJOR)
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_BOTH, GBL_STORAGE_ORIENTATION_HINT));
    CHECK_NUMBER(Global, GBL_GLOBAL, GBL_STORAGE_ORIENTATION_HINT, GBL_BOTH)
    CHECK_COLLECTION(Matrix, A)
    CHECK_COLLECTION(Vector, v)
    CHECK_COLLECTION(Scalar, s)
    OK(gbl_Scalar_new(&number, GBL_UINT8));
    FAILS(GBL_EMPTY_OBJECT, gbl_Matrix_set_Scalar(A, number, GBL_STORAGE_ORIENTATION_HINT));
    gbl_Scalar wide = NULL;
    int64_t limit = 0;
    OK(gbl_Scalar_new(&wide, GBL_INT64));
    OK(gbl_Scalar_setElement_INT64(wide, ((int64_t)1 << 32) + GBL_COLMAJOR)); /* nothing wraps */
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_set_Scalar(A, wide, GBL_STORAGE_ORIENTATION_HINT));
    OK(gbl_Scalar_setElement_INT64(wide, (int64_t)8 << 30));
    OK(gbl_Global_set_Scalar(GBL_GLOBAL, wide, GBL_MEMORY_LIMIT));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &limit, GBL_MEMORY_LIMIT));
    CHECK_EQ(limit, (int64_t)8 << 30);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    OK(gbl_Scalar_free(&wide));
    OK(gbl_Scalar_setElement_UINT8(number, GBL_UNKNOWN));
    OK(gbl_Matrix_set_Scalar(A, number, GBL_STORAGE_ORIENTATION_HINT));
    CHECK_NUMBER(Matrix, A, GBL_STORAGE_ORIENTATION_HINT, GBL_UNKNOWN)
    OK(gbl_Matrix_dup(&C, A));
    CHECK_TEXT(Matrix, C, GBL_NAME, "")
    FREE(A, C, v, s, number);
}

GB_TEST(fields, descriptors) {
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set_String(desc, "mine", GBL_NAME));
    OK(gbl_Descriptor_set_String(desc, "still mine", GBL_NAME));
    CHECK_TEXT(Descriptor, desc, GBL_NAME, "still mine")
    OK(gbl_Descriptor_set_INT32(desc, GBL_REPLACE, GBL_OUTP_FIELD));
    OK(gbl_Descriptor_set_INT32(desc, GBL_COMP_STRUCTURE, GBL_MASK_FIELD));
    OK(gbl_Descriptor_set_INT32(desc, GBL_TRAN, GBL_INP1_FIELD));
    CHECK_NUMBER(Descriptor, desc, GBL_OUTP_FIELD, GBL_REPLACE)
    CHECK_NUMBER(Descriptor, desc, GBL_MASK, GBL_COMP_STRUCTURE)
    CHECK_NUMBER(Descriptor, desc, GBL_INP0_FIELD, GBL_DEFAULT)
    CHECK_NUMBER(Descriptor, desc, GBL_INP1_FIELD, GBL_TRAN)
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_INT32(desc, GBL_TRAN, GBL_OUTP_FIELD));
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_INT32(desc, 1, GBL_NAME));
    FAILS(GBL_ALREADY_SET, gbl_Descriptor_set_INT32(GBL_DESC_R, GBL_DEFAULT, GBL_OUTP_FIELD));
    OK(gbl_Descriptor_free(&desc));
}

/* ---------------------------------------------------------------------------------- misuse -- */

GB_TEST(fields, wrong_calls) {
    gbl_Scalar s = NULL;
    gbl_Type udt = NULL;
    int32_t number = 7;
    size_t size = 7;
    char text[100];
    gbl_Matrix A = t_new_matrix(GBL_FP32, 3, 4);
    OK(gbl_Type_new(&udt, 3));
    OK(gbl_Scalar_new(&s, udt));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_get_INT32(A, &number, GBL_NAME));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_get_INT32(A, &number, GBL_SIZE));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_get_INT32(A, &number, 12345));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_get_SIZE(A, &size, GBL_EL_TYPE_CODE));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_get_String(A, text, GBL_EL_TYPE_CODE));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_get_VOID(A, text, GBL_NAME));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_get_Scalar(A, s, GBL_NAME));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_get_Scalar(A, s, GBL_EL_TYPE_CODE));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_get_INT32(A, NULL, GBL_EL_TYPE_CODE));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_get_Scalar(A, NULL, GBL_EL_TYPE_CODE));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_get_INT32(NULL, &number, GBL_EL_TYPE_CODE));
    FAILS(GBL_UNINITIALIZED_OBJECT, gbl_Vector_get_INT32((gbl_Vector)A, &number, GBL_EL_TYPE_CODE));
    FAILS(GBL_INVALID_OBJECT, gbl_Global_get_INT32(NULL, &number, GBL_API_VER_MAJOR));
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_String(GBL_GLOBAL, "mine", GBL_NAME));
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT32(GBL_GLOBAL, 9, GBL_API_VER_MAJOR));
    CHECK(number == 7 && size == 7);
    const char *said = NULL;
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_set_INT32(A, 1, GBL_SIZE));
    OK(gbl_Matrix_error(&said, A));
    CHECK(strlen(said) > 0);
    FREE(A, s, udt);
}

GB_TEST(fields, names_without_a_type) {
    gbl_Scalar s = NULL;
    gbl_Descriptor desc = NULL;
    int32_t number = 0;
    size_t size = 0;
    char text[40] = "";
    gbl_Matrix A = t_new_matrix(GBL_FP32, 3, 4);
    OK(gbl_Scalar_new(&s, GBL_INT32));
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_set(A, "graph", GBL_NAME));
    OK(gbl_set(A, GBL_COLMAJOR, GBL_STORAGE_ORIENTATION_HINT));
    OK(gbl_set(desc, GBL_REPLACE, GBL_OUTP_FIELD));
    OK(gbl_get(A, &size, GBL_NAME));
    OK(gbl_get(A, text, GBL_NAME));
    CHECK(size == 6 && is_text(text, "graph"));
    OK(gbl_get(A, &number, GBL_EL_TYPE_CODE));
    CHECK_EQ(number, GBL_FP32_CODE);
    OK(gbl_get(A, s, GBL_STORAGE_ORIENTATION_HINT));
    OK(gbl_set(A, s, GBL_STORAGE_ORIENTATION_HINT));
    OK(gbl_get(GBL_GLOBAL, &number, GBL_API_VER_MAJOR));
    CHECK_EQ(number, 2);
    OK(gbl_get(GBL_LOR, text, GBL_NAME));
    CHECK(is_text(text, "GrB_LOR"));
    FAILS(GBL_INVALID_VALUE, gbl_get(A, (void *)text, GBL_NAME));
    FAILS(GBL_INVALID_VALUE, gbl_set(A, (void *)text, GBL_NAME, sizeof text));
    FREE(A, s, desc);
}

/* ------------------------------------------------------------------------------ descriptors -- */

static int32_t field(gbl_Descriptor desc, gbl_Desc_Field which) {
    int32_t value = -1;
    OK(gbl_Descriptor_get_INT32(desc, &value, which));
    return value;
}

GB_TEST(descriptor, fields) {
    gbl_Descriptor d = NULL;
    OK(gbl_Descriptor_new(&d));
    static const gbl_Desc_Field all[] = {
        GBL_OUTP,      GBL_MASK,           GBL_INP0,        GBL_INP1,       GBL_METHOD,
        GBL_WORKFLOW,  GBL_ACCUMULATORS,   GBL_REGISTERS,   GBL_ROW_ORDER,  GBL_BIN_BYTES,
        GBL_BIN_LINES, GBL_VECTOR_VARIANT, GBL_BLOCK_LEAST, GBL_BLOCK_MOST, GBL_BLOCK_BELOW};
    for (size_t k = 0; k < T_COUNT(all); k++) CHECK_EQ(field(d, all[k]), GBL_DEFAULT);
    OK(gbl_Descriptor_set(d, GBL_OUTP, GBL_REPLACE));
    OK(gbl_Descriptor_set(d, GBL_INP1, GBL_TRAN));
    CHECK_EQ(field(d, GBL_OUTP), GBL_REPLACE);
    CHECK_EQ(field(d, GBL_INP0), GBL_DEFAULT);
    CHECK_EQ(field(d, GBL_INP1), GBL_TRAN);
    OK(gbl_Descriptor_set_INT32(d, GBL_TRAN, GBL_INP0));
    CHECK_EQ(field(d, GBL_INP0), GBL_TRAN);
    OK(gbl_Descriptor_set(d, GBL_INP1, GBL_DEFAULT));
    CHECK_EQ(field(d, GBL_INP1), GBL_DEFAULT);
    OK(gbl_Descriptor_set(d, GBL_METHOD, GBL_METHOD_ROWWISE));
    CHECK_EQ(field(d, GBL_METHOD), GBL_METHOD_ROWWISE);
    OK(gbl_Descriptor_wait(d, GBL_MATERIALIZE));
    OK(gbl_Descriptor_free(&d));
    CHECK(d == NULL);
    OK(gbl_Descriptor_free(&d));
}

/* Every value that a field of the row-wise product may have is kept, beside those of the others. */
GB_TEST(descriptor, rowwise_fields) {
    gbl_Descriptor d = NULL;
    OK(gbl_Descriptor_new(&d));
    t_Flags flags = {.mask = T_NO_MASK};
    for (uint64_t n = 0; n < T_WAYS; n++) {
        t_case("way %llu", (unsigned long long)n);
        t_set_way(&flags, n);
        OK(gbl_Descriptor_set(d, GBL_WORKFLOW, flags.workflow));
        OK(gbl_Descriptor_set_INT32(d, flags.accumulators, GBL_ACCUMULATORS));
        OK(gbl_Descriptor_set_INT32(d, flags.registers, GBL_REGISTERS));
        OK(gbl_Descriptor_set(d, GBL_ROW_ORDER, flags.any_order ? GBL_ANY_ORDER : GBL_DEFAULT));
        CHECK_EQ(field(d, GBL_WORKFLOW), flags.workflow);
        CHECK_EQ(field(d, GBL_ACCUMULATORS), flags.accumulators);
        CHECK_EQ(field(d, GBL_REGISTERS), flags.registers);
        CHECK_EQ(field(d, GBL_ROW_ORDER), flags.any_order ? GBL_ANY_ORDER : GBL_DEFAULT);
        CHECK_EQ(field(d, GBL_METHOD), GBL_DEFAULT);
    }
    OK(gbl_Descriptor_free(&d));
}

/* Sets of accumulators: those that can sum every row, with or without the others. */
GB_TEST(descriptor, accumulators) {
    gbl_Descriptor d = NULL;
    OK(gbl_Descriptor_new(&d));
    OK(gbl_Descriptor_set_INT32(d, GBL_ACCUMULATE_HASH, GBL_ACCUMULATORS));
    for (int32_t set = -1; set <= 33; set++) {
        t_case("accumulators %d", (int)set);
        const bool any_row = (set & (GBL_ACCUMULATE_HASH | GBL_ACCUMULATE_DENSE)) != 0;
        if (set == GBL_DEFAULT || (set > 0 && set < 16 && any_row)) {
            OK(gbl_Descriptor_set_INT32(d, set, GBL_ACCUMULATORS));
            CHECK_EQ(field(d, GBL_ACCUMULATORS), set);
        } else {
            const int32_t before = field(d, GBL_ACCUMULATORS);
            FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_INT32(d, set, GBL_ACCUMULATORS));
            CHECK_EQ(field(d, GBL_ACCUMULATORS), before);
        }
    }
    OK(gbl_Descriptor_free(&d));
}

/* the bits of the mask add up: complement and structure in any order, or both at once */
GB_TEST(descriptor, mask) {
    gbl_Descriptor d = NULL;
    OK(gbl_Descriptor_new(&d));
    OK(gbl_Descriptor_set(d, GBL_MASK, GBL_COMP));
    CHECK_EQ(field(d, GBL_MASK), GBL_COMP);
    OK(gbl_Descriptor_set(d, GBL_MASK, GBL_STRUCTURE));
    CHECK_EQ(field(d, GBL_MASK), GBL_COMP_STRUCTURE);
    OK(gbl_Descriptor_set(d, GBL_MASK, GBL_DEFAULT));
    CHECK_EQ(field(d, GBL_MASK), GBL_DEFAULT);
    OK(gbl_Descriptor_set(d, GBL_MASK, GBL_COMP_STRUCTURE));
    CHECK_EQ(field(d, GBL_MASK), GBL_COMP_STRUCTURE);
    OK(gbl_Descriptor_free(&d));
}

GB_TEST(descriptor, values_that_do_not_fit) {
    gbl_Descriptor d = NULL;
    OK(gbl_Descriptor_new(&d));
    static const struct {
        gbl_Desc_Field field;
        gbl_Desc_Value value;
    } wrong[] = {{GBL_OUTP, GBL_TRAN},
                 {GBL_OUTP, GBL_COMP},
                 {GBL_MASK, GBL_REPLACE},
                 {GBL_MASK, GBL_TRAN},
                 {GBL_INP0, GBL_REPLACE},
                 {GBL_INP1, GBL_STRUCTURE},
                 {GBL_METHOD, GBL_TRAN},
                 {GBL_METHOD, (gbl_Desc_Value)7999},
                 {GBL_INP0, GBL_METHOD_DOT},
                 {(gbl_Desc_Field)55, GBL_TRAN},
                 {GBL_OUTP, (gbl_Desc_Value)99},
                 {GBL_WORKFLOW, GBL_METHOD_DOT},
                 {GBL_WORKFLOW, (gbl_Desc_Value)7010},
                 {GBL_WORKFLOW, (gbl_Desc_Value)7016},
                 {GBL_WORKFLOW, GBL_ANY_ORDER},
                 {GBL_REGISTERS, (gbl_Desc_Value)16},
                 {GBL_REGISTERS, (gbl_Desc_Value)33},
                 {GBL_REGISTERS, (gbl_Desc_Value)256},
                 {GBL_REGISTERS, (gbl_Desc_Value)-64},
                 {GBL_BIN_BYTES, (gbl_Desc_Value)1023},
                 {GBL_BIN_LINES, (gbl_Desc_Value)65},
                 {GBL_BIN_LINES, (gbl_Desc_Value)-1},
                 {GBL_ROW_ORDER, GBL_TRAN},
                 {GBL_ROW_ORDER, (gbl_Desc_Value)7042},
                 {GBL_METHOD, GBL_WORKFLOW_SYMBOLIC},
                 {GBL_INP0, GBL_ANY_ORDER}};
    for (size_t k = 0; k < T_COUNT(wrong); k++) {
        t_case("case %zu", k);
        FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set(d, wrong[k].field, wrong[k].value));
        FAILS(GBL_INVALID_VALUE,
              gbl_Descriptor_set_INT32(d, (int32_t)wrong[k].value, wrong[k].field));
    }
    int32_t value = 5;
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_get_INT32(d, &value, (gbl_Desc_Field)55));
    CHECK_EQ(value, 5);
    CHECK_EQ(field(d, GBL_WORKFLOW), GBL_DEFAULT);
    CHECK_EQ(field(d, GBL_REGISTERS), GBL_DEFAULT);
    CHECK_EQ(field(d, GBL_ROW_ORDER), GBL_DEFAULT);
    CHECK_EQ(field(d, GBL_OUTP), GBL_DEFAULT);
    CHECK_EQ(field(d, GBL_MASK), GBL_DEFAULT);
    OK(gbl_Descriptor_free(&d));
}

#define ROW(F, replace, mask)                                                                      \
    {&GBL_DESC_##F, replace, mask, false, false}, {&GBL_DESC_##F##T1, replace, mask, false, true}, \
        {&GBL_DESC_##F##T0, replace, mask, true, false}, {                                         \
        &GBL_DESC_##F##T0T1, replace, mask, true, true                                             \
    }
static const struct {
    const gbl_Descriptor *desc;
    bool replace;
    gbl_Desc_Value mask;
    bool tran0, tran1;
} predefined[] = {
    {&GBL_DESC_T1, false, GBL_DEFAULT, false, true},
    {&GBL_DESC_T0, false, GBL_DEFAULT, true, false},
    {&GBL_DESC_T0T1, false, GBL_DEFAULT, true, true},
    ROW(C, false, GBL_COMP),
    ROW(S, false, GBL_STRUCTURE),
    ROW(SC, false, GBL_COMP_STRUCTURE),
    ROW(R, true, GBL_DEFAULT),
    ROW(RC, true, GBL_COMP),
    ROW(RS, true, GBL_STRUCTURE),
    ROW(RSC, true, GBL_COMP_STRUCTURE),
};

GB_TEST(descriptor, predefined) {
    for (size_t k = 0; k < T_COUNT(predefined); k++) {
        t_case("predefined descriptor %zu", k);
        const gbl_Descriptor d = *predefined[k].desc;
        CHECK_EQ(field(d, GBL_OUTP), predefined[k].replace ? GBL_REPLACE : GBL_DEFAULT);
        CHECK_EQ(field(d, GBL_MASK), predefined[k].mask);
        CHECK_EQ(field(d, GBL_INP0), predefined[k].tran0 ? GBL_TRAN : GBL_DEFAULT);
        CHECK_EQ(field(d, GBL_INP1), predefined[k].tran1 ? GBL_TRAN : GBL_DEFAULT);
        CHECK_EQ(field(d, GBL_METHOD), GBL_DEFAULT);
    }
}

/* predefined objects cannot be changed, and freeing them only clears the handle */
GB_TEST(descriptor, predefined_stay) {
    FAILS(GBL_ALREADY_SET, gbl_Descriptor_set(GBL_DESC_R, GBL_INP0, GBL_TRAN));
    CHECK_EQ(field(GBL_DESC_R, GBL_INP0), GBL_DEFAULT);
    gbl_Descriptor d = GBL_DESC_R;
    OK(gbl_Descriptor_free(&d));
    CHECK(d == NULL);
    CHECK_EQ(field(GBL_DESC_R, GBL_OUTP), GBL_REPLACE);
}
