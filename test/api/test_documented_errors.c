/* SPDX-License-Identifier: Apache-2.0
 *
 * Every error that a comment of the public headers names with a method, provoked once: the code,
 * what the text says, and that all objects are as they were. test_header_errors.sh reads the
 * rows and the headers, and fails where a header names an error that no row has.
 *
 *     X(method as headers name it, code, a word of the text, the call)
 *
 * The codes of the common rules (gblite.h) are provoked for every method in test_errors*.c, the
 * n-th allocation that fails in test_brutal*.c.
 */
#include "support/errors.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    gbl_Matrix A, E, S, U, none; /* 2 x 3 and 3 x 3, E without entries, U of a user's type */
    gbl_Vector w, e, p, wrong;   /* of 3; p is no permutation; 7 is no place */
    gbl_Scalar one, empty, odd;
    gbl_Descriptor desc, dot;
    gbl_Monoid monoid;
    gbl_Semiring ring, lor_eq; /* none, and one of other types in than out */
    gbl_BinaryOp op;
    t_User user;
    unsigned char block[4096]; /* S, serialized */
    gbl_Index bytes;
    char text[8];
} World;
static World w0;

static const gbl_Index I2[] = {0, 1}, twice[] = {1, 1}, far[] = {0, 7}, line3[] = {0, 1, 2};
static const int32_t X2[] = {1, 2};
static gbl_Index small = 1, I1[1], n1;
static int32_t X1[1];

#define RING GBL_PLUS_TIMES_SEMIRING_INT32
#define SUM GBL_PLUS_MONOID_INT32

static void never_called(void *z, const void *x, gbl_Index ix, gbl_Index jx, const void *y,
                         gbl_Index iy, gbl_Index jy, const void *theta) {
    (void)z, (void)x, (void)ix, (void)jx, (void)y, (void)iy, (void)jy, (void)theta;
    abort();
}

static gbl_Info indexed(gbl_Scalar theta) {
    gbl_BinaryOp op;
    return gbl_BinaryOp_new_index(&op, never_called, GBL_INT8, GBL_INT8, GBL_INT8, theta);
}

static gbl_Info move_in(gbl_Format format) {
    uint64_t p[] = {0, 1, 1, 1};
    uint32_t i[] = {0};
    int32_t x[] = {1};
    gbl_Arrays arrays = {p, i, x, false};
    return gbl_Matrix_moveIn(&w0.none, GBL_INT32, 3, 3, format, &arrays);
}

static gbl_Info lend_to_large(void) {
    gbl_Vector v;
    OK(gbl_Vector_new(&v, GBL_INT32, GBL_INDEX_MAX));
    const gbl_Info info = gbl_Vector_lendDense(v, &(gbl_Dense){NULL, X1, false}, NULL);
    OK(gbl_Vector_free(&v));
    return info;
}

static gbl_Info lend(gbl_Format format) {
    uint64_t p[] = {0, 1, 1, 1};
    uint32_t i[] = {0};
    int32_t x[] = {1};
    gbl_Arrays arrays = {p, i, x, false};
    return gbl_Matrix_lend(&w0.none, GBL_INT32, 3, 3, format, &arrays, NULL);
}

static gbl_Info move_out(gbl_Format format) {
    gbl_Arrays arrays = {0};
    return gbl_Matrix_moveOut(w0.S, format, &arrays);
}

static gbl_Info view(gbl_Format format) {
    gbl_Arrays arrays = {0};
    return gbl_Matrix_view(&arrays, w0.S, format);
}

static gbl_Info import(gbl_Type type, gbl_Index *Ap, gbl_Index last, gbl_Index column,
                       gbl_Index len) {
    const gbl_Index ai[] = {column};
    Ap[2] = last;
    return gbl_Matrix_import_INT32(&w0.none, type, 2, 2, Ap, ai, X2, 3, len, len, GBL_CSR_FORMAT);
}
#define AP ((gbl_Index[]){0, 1, 1})

static gbl_Info exported(gbl_Matrix A, gbl_Index room) {
    gbl_Index Ap[9], lp = room, li = room, lx = room;
    gbl_Index Ai[9];
    int32_t Ax[9];
    return gbl_Matrix_export_INT32(Ap, Ai, Ax, &lp, &li, &lx, GBL_CSR_FORMAT, A);
}

static gbl_Info damaged(void) {
    unsigned char copy[4096];
    memcpy(copy, w0.block, w0.bytes);
    copy[w0.bytes / 2] ^= 1;
    return gbl_Matrix_deserialize(&w0.none, NULL, copy, w0.bytes);
}

static gbl_Info selected(gbl_Matrix A, gbl_Semiring ring, gbl_RowFilter *keep) {
    keep->size = sizeof *keep;
    return gbl_mxm_select(A, NULL, NULL, ring, keep, A, A, NULL);
}

/* Under a limit that no product of the method keeps to. */
static gbl_Info in_no_memory(void) {
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 1, GBL_MEMORY_LIMIT));
    const gbl_Info info = gbl_mxm(w0.S, NULL, NULL, RING, w0.S, w0.S, NULL);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    return info;
}

static gbl_Info text_in(gbl_Info form(char *, size_t *, const gbl_Explanation *), int32_t chosen) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    size_t size = 2;
    char text[2];
    OK(gbl_mxm_plan(&how, w0.S, NULL, NULL, RING, w0.S, w0.S, NULL));
    if (chosen != 0) how.chosen = chosen;
    return form(text, &size, &how);
}

/* A circle of weight -1 goes round. */
static gbl_Info circle(void) {
    gbl_Vector w = t_new_vector(GBL_INT32, 2);
    gbl_Matrix A = t_new_matrix(GBL_INT32, 2, 2);
    OK(gbl_Vector_setElement_INT32(w, 1, 0));
    OK(gbl_Matrix_setElement_INT32(A, -1, 0, 0));
    const gbl_Info info = gbl_vxm_closure(w, GBL_MIN_PLUS_SEMIRING_INT32, A, 1, NULL);
    FREE(w, A);
    return info;
}

/* Parents that are each other's, also of a forest that is to be joined. */
static gbl_Info round_about(bool join) {
    gbl_Vector u = t_new_vector(GBL_INT32, 3);
    OK(gbl_Vector_setElement_INT32(u, 1, 0));
    OK(gbl_Vector_setElement_INT32(u, 0, 1));
    const gbl_Info info = join ? gbl_Vector_join(u, NULL, w0.S, 0, 3, NULL)
                               : gbl_Vector_roots(w0.w, NULL, NULL, u, NULL);
    OK(gbl_Vector_free(&u));
    return info;
}

/* Of so many vertices, in UINT8. */
static gbl_Info joined_in_bytes(gbl_Index n) {
    gbl_Matrix A = t_new_matrix(GBL_BOOL, n, n);
    gbl_Vector w = t_new_vector(GBL_UINT8, n);
    const gbl_Info info = gbl_Vector_join(w, NULL, A, 0, 1, NULL);
    FREE(A, w);
    return info;
}

static gbl_Info degrees_of_all(gbl_Index rows) {
    gbl_Matrix A = t_new_matrix(GBL_INT32, rows, 3);
    gbl_Vector w = t_new_vector(GBL_INT64, rows);
    const gbl_Info info = gbl_Matrix_degrees(w, NULL, NULL, A, NULL);
    FREE(A, w);
    return info;
}

static gbl_Info estimated(gbl_Semiring ring, gbl_Matrix A) {
    gbl_MxmEstimate estimate = GBL_MXM_ESTIMATE_INIT;
    return gbl_mxm_estimate(&estimate, ring, A, A, NULL);
}

static gbl_Info chained(gbl_Semiring ring, int32_t count) {
    const gbl_Matrix A[] = {w0.S, w0.S, w0.S};
    return gbl_mxm_chain(w0.S, NULL, NULL, ring, A, count, NULL);
}

static gbl_Info real(double value, int field) {
    return gbl_Descriptor_set_FP64(w0.desc, value, field);
}

static gbl_Info get_real(void) {
    double value;
    return gbl_Descriptor_get_FP64(w0.desc, &value, GBL_TAU);
}

static gbl_Info get_number(int field) {
    int32_t value;
    return gbl_Matrix_get_INT32(w0.S, &value, field);
}

#define ROWS_OF_OBJECTS(X)                                                                         \
    X(Type_new, INVALID_VALUE, "bytes", gbl_Type_new(&(gbl_Type){NULL}, 0))                        \
    X(Monoid_new_T, DOMAIN_MISMATCH, "operator", gbl_Monoid_new_INT8(&w0.monoid, GBL_LT_INT8, 0))  \
    X(Semiring_new, DOMAIN_MISMATCH, "monoid", gbl_Semiring_new(&w0.ring, SUM, GBL_LT_INT32))      \
    X(Descriptor_set, INVALID_VALUE, "field",                                                      \
      gbl_Descriptor_set(w0.desc, (gbl_Desc_Field)99, GBL_TRAN))                                   \
    X(Descriptor_set, ALREADY_SET, "predefined",                                                   \
      gbl_Descriptor_set(GBL_DESC_T0, GBL_INP1, GBL_TRAN))                                         \
    X(Vector_new, INVALID_VALUE, "",                                                               \
      gbl_Vector_new(&(gbl_Vector){NULL}, GBL_INT8, GBL_INDEX_MAX + 2))                            \
    X(Matrix_new, INVALID_VALUE, "", gbl_Matrix_new(&w0.none, GBL_INT8, 1, GBL_INDEX_MAX + 2))     \
    X(K_resize, INVALID_VALUE, "", gbl_Matrix_resize(w0.S, GBL_INDEX_MAX + 2, 3))                  \
    X(Matrix_diag, INVALID_VALUE, "", gbl_Matrix_diag(&w0.none, w0.w, INT64_MAX))                  \
    X(K_setElement_T, INVALID_INDEX, "row", gbl_Matrix_setElement_INT32(w0.S, 1, 3, 0))            \
    X(K_removeElement, INVALID_INDEX, "", gbl_Vector_removeElement(w0.w, 3))                       \
    X(O_extractElement_T, NO_VALUE, NULL, gbl_Matrix_extractElement_INT32(X1, w0.S, 2, 2))         \
    X(O_extractElement_T, INVALID_INDEX, "column",                                                 \
      gbl_Matrix_extractElement_INT32(X1, w0.S, 2, 3))                                             \
    X(K_extractTuples_T, INSUFFICIENT_SPACE, "",                                                   \
      (n1 = 1, gbl_Matrix_extractTuples_INT32(I1, I1, X1, &n1, w0.S)))                             \
    X(K_build_T, INVALID_VALUE, "dup", gbl_Matrix_build_INT32(w0.E, twice, twice, X2, 2, NULL))    \
    X(K_build_T, OUTPUT_NOT_EMPTY, "", gbl_Matrix_build_INT32(w0.S, I2, I2, X2, 2, NULL))          \
    X(K_build_T, INDEX_OUT_OF_BOUNDS, "7", gbl_Matrix_build_INT32(w0.E, I2, far, X2, 2, NULL))     \
    X(K_build_T, DOMAIN_MISMATCH, "dup", gbl_Vector_build_INT32(w0.e, I2, X2, 2, GBL_LT_INT32))    \
    X(K_build_T, EMPTY_OBJECT, "", gbl_Matrix_build_Scalar(w0.E, I2, I2, w0.empty, 2))             \
    X(Matrix_import_T, INVALID_VALUE, "", import(GBL_INT32, AP, 0, 0, 1))                          \
    X(Matrix_import_T, INDEX_OUT_OF_BOUNDS, "", import(GBL_INT32, AP, 1, 2, 1))                    \
    X(Matrix_import_T, DOMAIN_MISMATCH, "type", import(GBL_INT8, AP, 1, 0, 1))                     \
    X(Matrix_export_T, INSUFFICIENT_SPACE, "", exported(w0.S, 1))                                  \
    X(Matrix_export_T, DOMAIN_MISMATCH, "type", exported(w0.U, 9))                                 \
    X(Matrix_serialize, INSUFFICIENT_SPACE, "bytes", gbl_Matrix_serialize(w0.text, &small, w0.S))  \
    X(Matrix_deserialize, INVALID_OBJECT, "", damaged())                                           \
    X(Matrix_deserialize, DOMAIN_MISMATCH, "type",                                                 \
      gbl_Matrix_deserialize(&w0.none, GBL_INT8, w0.block, w0.bytes))                              \
    X(Matrix_moveIn, INVALID_VALUE, "format", move_in(GBL_COO_FORMAT))                             \
    X(Matrix_moveOut, INVALID_VALUE, "format", move_out(GBL_COO_FORMAT))                           \
    X(K_lendDense, NOT_IMPLEMENTED, "", lend_to_large())                                           \
    X(K_lendDense, INVALID_VALUE, "dense.b",                                                       \
      gbl_Vector_lendDense(w0.w, &(gbl_Dense){(int8_t[]){0, 1, 2}, (int32_t[3]){0}, false}, NULL)) \
    X(Matrix_lend, INVALID_VALUE, "format", lend(GBL_COO_FORMAT))                                  \
    X(Matrix_view, INVALID_VALUE, "format", view(GBL_COO_FORMAT))                                  \
    X(Matrix_map, INVALID_VALUE, "multiple",                                                       \
      gbl_Matrix_map(&w0.none, NULL, w0.block + 1, w0.bytes - 1, true, NULL))                      \
    X(O_wait, INVALID_VALUE, "", gbl_Matrix_wait(w0.S, (gbl_WaitMode)9))
#define ROWS_OF_OPERATIONS(X)                                                                      \
    X(mxm, INVALID_VALUE, "mask", gbl_mxm(w0.S, NULL, NULL, RING, w0.S, w0.S, w0.dot))             \
    X(mxm, OUT_OF_MEMORY, "GBL_MEMORY_LIMIT", in_no_memory())                                      \
    X(mxm, DIMENSION_MISMATCH, "columns", gbl_mxm(w0.S, NULL, NULL, RING, w0.A, w0.A, NULL))       \
    X(mxm, DOMAIN_MISMATCH, "", gbl_mxm(w0.S, NULL, NULL, RING, w0.U, w0.S, NULL))                 \
    X(mxm_select, NULL_POINTER, "keep",                                                            \
      gbl_mxm_select(w0.S, NULL, NULL, RING, NULL, w0.S, w0.S, NULL))                              \
    X(mxm_select, INVALID_VALUE, "share", selected(w0.S, RING, &(gbl_RowFilter){.share = 2}))      \
    X(mxm_select, DOMAIN_MISMATCH, "",                                                             \
      selected(w0.U, w0.user.ring.handle, &(gbl_RowFilter){.most = 1}))                            \
    X(mxv, INVALID_VALUE, "GBL_METHOD_PULL", gbl_mxv(w0.w, NULL, NULL, RING, w0.S, w0.w, w0.dot))  \
    X(vxm, INVALID_VALUE, "GBL_METHOD_PULL", gbl_vxm(w0.w, NULL, NULL, RING, w0.w, w0.S, w0.dot))  \
    X(K_apply_BinaryOp1st_T, EMPTY_OBJECT, "empty",                                                \
      gbl_Matrix_apply_BinaryOp1st_Scalar(w0.S, NULL, NULL, GBL_PLUS_INT32, w0.empty, w0.S, NULL)) \
    X(K_apply_BinaryOp2nd_T, EMPTY_OBJECT, "empty",                                                \
      gbl_Vector_apply_BinaryOp2nd_Scalar(w0.w, NULL, NULL, GBL_PLUS_INT32, w0.w, w0.empty, NULL)) \
    X(K_apply_IndexOp_T, EMPTY_OBJECT, "empty",                                                    \
      gbl_Matrix_apply_IndexOp_Scalar(w0.S, NULL, NULL, GBL_TRIL, w0.S, w0.empty, NULL))           \
    X(K_select_T, EMPTY_OBJECT, "empty",                                                           \
      gbl_Vector_select_Scalar(w0.w, NULL, NULL, GBL_TRIL, w0.w, w0.empty, NULL))                  \
    X(K_assign_T, INDEX_OUT_OF_BOUNDS, "7",                                                        \
      gbl_Matrix_assign_INT32(w0.S, NULL, NULL, 1, I2, 2, far, 2, NULL))                           \
    X(K_assign, INDEX_OUT_OF_BOUNDS, "7",                                                          \
      gbl_Matrix_assign(w0.S, NULL, NULL, w0.A, far, 2, line3, 3, NULL))                           \
    X(Row_assign, INVALID_INDEX, "row",                                                            \
      gbl_Row_assign(w0.S, NULL, NULL, w0.w, 3, GBL_ALL, 3, NULL))                                 \
    X(Row_assign, INDEX_OUT_OF_BOUNDS, "7",                                                        \
      gbl_Row_assign(w0.A, NULL, NULL, w0.e, 0, (gbl_Index[]){0, 1, 7}, 3, NULL))                  \
    X(Col_assign, INVALID_INDEX, "column",                                                         \
      gbl_Col_assign(w0.S, NULL, NULL, w0.w, GBL_ALL, 3, 3, NULL))                                 \
    X(Matrix_extract, INDEX_OUT_OF_BOUNDS, "7",                                                    \
      gbl_Matrix_extract(w0.A, NULL, NULL, w0.S, far, 2, line3, 3, NULL))                          \
    X(Col_extract, INVALID_INDEX, "column",                                                        \
      gbl_Col_extract(w0.w, NULL, NULL, w0.S, GBL_ALL, 3, 3, NULL))                                \
    X(Vector_extract, INDEX_OUT_OF_BOUNDS, "7",                                                    \
      gbl_Vector_extract(w0.w, NULL, NULL, w0.e, (gbl_Index[]){0, 1, 7}, 3, NULL))                 \
    X(Vector_extract_Vector, INDEX_OUT_OF_BOUNDS, "7",                                             \
      gbl_Vector_extract_Vector(w0.w, NULL, NULL, w0.w, w0.wrong, NULL))                           \
    X(Vector_scatter, INDEX_OUT_OF_BOUNDS, "7",                                                    \
      gbl_Vector_scatter(w0.w, NULL, NULL, GBL_PLUS_INT32, w0.w, w0.wrong, NULL))                  \
    X(Vector_roots, INDEX_OUT_OF_BOUNDS, "7", gbl_Vector_roots(w0.w, NULL, NULL, w0.wrong, NULL))  \
    X(Vector_roots, INVALID_VALUE, "round", round_about(false))                                    \
    X(Vector_join, INDEX_OUT_OF_BOUNDS, "7", gbl_Vector_join(w0.wrong, NULL, w0.S, 0, 3, NULL))    \
    X(Vector_join, INVALID_VALUE, "round", round_about(true))                                      \
    X(Vector_join, DOMAIN_MISMATCH, "UINT32", joined_in_bytes(257))                                \
    X(vxm_closure, INVALID_VALUE, "circle", circle())                                              \
    X(vxm_closure, DOMAIN_MISMATCH, "MIN or MAX", gbl_vxm_closure(w0.w, RING, w0.S, 1, NULL))      \
    X(Matrix_degrees, OUT_OF_MEMORY, "mask", degrees_of_all(GBL_INDEX_MAX))                        \
    X(Vector_update, INVALID_VALUE, "", gbl_Vector_update(w0.w, w0.w, GBL_MIN_INT32, w0.p, NULL))  \
    X(Matrix_permute, INVALID_VALUE, "permutation",                                                \
      gbl_Matrix_permute(w0.S, NULL, NULL, NULL, w0.S, w0.p, 0, NULL))                             \
    X(Matrix_permute, INDEX_OUT_OF_BOUNDS, "7",                                                    \
      gbl_Matrix_permute(w0.S, NULL, NULL, NULL, w0.S, w0.wrong, 0, NULL))                         \
    X(Matrix_reduce_BinaryOp, DOMAIN_MISMATCH, "BOOL",                                             \
      gbl_Matrix_reduce_BinaryOp(w0.w, NULL, NULL, GBL_LT_INT32, w0.S, NULL))                      \
    X(K_reduce_T, DOMAIN_MISMATCH, "", gbl_Matrix_reduce_INT32(X1, NULL, SUM, w0.U, NULL))         \
    X(mxm_chain, INVALID_VALUE, "factors", chained(RING, 1))                                       \
    X(mxm_chain, DOMAIN_MISMATCH, "", chained(w0.lor_eq, 3))
#define ROWS_OF_UTILITIES(X)                                                                       \
    X(init, INVALID_VALUE, "", gbl_init(GBL_NONBLOCKING))                                          \
    X(K_explain, NO_VALUE, NULL, gbl_Matrix_explain(&(gbl_Explanation)GBL_EXPLANATION_INIT, w0.A)) \
    X(Explanation_text, INVALID_VALUE, "", text_in(gbl_Explanation_text, 99))                      \
    X(Explanation_text, INSUFFICIENT_SPACE, "", text_in(gbl_Explanation_text, 0))                  \
    X(Explanation_json, INSUFFICIENT_SPACE, "", text_in(gbl_Explanation_json, 0))                  \
    X(mxm_method, NO_VALUE, NULL, gbl_mxm_method(NULL, NULL, 99))                                  \
    X(calibrate, INVALID_VALUE, "", gbl_calibrate(""))                                             \
    X(calibrate_device, INVALID_VALUE, "", gbl_calibrate_device(""))                               \
    X(mxm_estimate, DIMENSION_MISMATCH, "", estimated(RING, w0.A))                                 \
    X(mxm_estimate, DOMAIN_MISMATCH, "", estimated(w0.user.ring.handle, w0.S))                     \
    X(O_get_INT32, INVALID_VALUE, "field", get_number(4711))                                       \
    X(O_get_INT32, INVALID_OBJECT, "GBL_GLOBAL",                                                   \
      gbl_Global_get_INT32((gbl_Global)(void *)w0.S, X1, GBL_NTHREADS))                            \
    X(O_get_Scalar, DOMAIN_MISMATCH, "", gbl_Matrix_get_Scalar(w0.S, w0.odd, GBL_EL_TYPE_CODE))    \
    X(O_get_VOID, INVALID_VALUE, "", gbl_Matrix_get_VOID(w0.S, w0.text, GBL_NAME))                 \
    X(O_set_INT32, INVALID_VALUE, "", gbl_Matrix_set_INT32(w0.S, 1, GBL_EL_TYPE_CODE))             \
    X(O_set_String, ALREADY_SET, "", gbl_BinaryOp_set_String(w0.op, "second", GBL_NAME))           \
    X(O_set_Scalar, EMPTY_OBJECT, "",                                                              \
      gbl_Matrix_set_Scalar(w0.S, w0.empty, GBL_STORAGE_ORIENTATION_HINT))                         \
    X(Descriptor_set_FP64, INVALID_VALUE, "", real(-1, GBL_TAU))                                   \
    X(Descriptor_set_FP64, ALREADY_SET, "predefined",                                              \
      gbl_Descriptor_set_FP64(GBL_DESC_T0, 1, GBL_TAU))                                            \
    X(Descriptor_get_FP64, NO_VALUE, NULL, get_real())

#define ROWS_OF_EXTENDED(X)                                                                        \
    X(BinaryOp_new_index, EMPTY_OBJECT, "theta", indexed(w0.empty))                                \
    X(Monoid_new_terminal_T, DOMAIN_MISMATCH, "operator",                                          \
      gbl_Monoid_new_terminal_INT8(&w0.monoid, GBL_LT_INT8, 0, 1))                                 \
    X(K_eWiseUnion, EMPTY_OBJECT, "empty",                                                         \
      gbl_Matrix_eWiseUnion(w0.S, NULL, NULL, GBL_PLUS_INT32, w0.S, w0.empty, w0.S, w0.one, NULL)) \
    X(Matrix_concat, DIMENSION_MISMATCH, "rows", gbl_Matrix_concat(w0.S, &w0.A, 1, 1, NULL))       \
    X(Matrix_split, DIMENSION_MISMATCH, "rows",                                                    \
      gbl_Matrix_split(&w0.none, 1, 1, I2 + 1, line3 + 2, w0.S, NULL))                             \
    X(Matrix_reshape, DIMENSION_MISMATCH, "positions",                                             \
      gbl_Matrix_reshape(w0.S, false, 2, 4, NULL))                                                 \
    X(Matrix_sort, DOMAIN_MISMATCH, "comparison",                                                  \
      gbl_Matrix_sort(w0.S, NULL, GBL_PLUS_INT32, w0.S, NULL))                                     \
    X(K_isStoredElement, NO_VALUE, NULL, gbl_Matrix_isStoredElement(w0.S, 2, 2))                   \
    X(K_isStoredElement, INVALID_INDEX, "row", gbl_Matrix_isStoredElement(w0.S, 3, 0))             \
    X(K_renew, INVALID_VALUE, "large", gbl_Vector_renew(w0.w, GBL_FP64, GBL_INDEX_MAX + 2))

#define ROWS(X) ROWS_OF_OBJECTS(X) ROWS_OF_OPERATIONS(X) ROWS_OF_EXTENDED(X) ROWS_OF_UTILITIES(X)
#define FUNCTION(method, code, word, call)                                                         \
    static gbl_Info method##_##code(void) {                                                        \
        return call;                                                                               \
    }
ROWS(FUNCTION)
#undef FUNCTION

static const struct {
    const char *name, *word; /* NULL: this is no error, and has no text */
    gbl_Info code, (*call)(void);
} rows[] = {
#define ENTRY(method, code, word, call) {#method " " #code, word, GBL_##code, method##_##code},
    ROWS(ENTRY)
#undef ENTRY
};

/* -- the world */

static gbl_Vector vector_of(int32_t a, int32_t b, int32_t c) {
    const int32_t x[] = {a, b, c};
    gbl_Vector v = t_new_vector(GBL_INT32, 3);
    OK(gbl_Vector_build_INT32(v, line3, x, 3, NULL));
    return v;
}

static void nothing(void *z, const void *x, const void *y) {
    (void)x;
    memcpy(z, y, sizeof(int32_t));
}

static void make_world(void) {
    World *w = &w0;
    memset(w, 0, sizeof *w);
    w->user = t_user_colour();
    OK(gbl_Matrix_new(&w->A, GBL_INT32, 2, 3));
    OK(gbl_Matrix_setElement_INT32(w->A, 5, 0, 1));
    OK(gbl_Matrix_new(&w->E, GBL_INT32, 2, 3));
    OK(gbl_Matrix_new(&w->S, GBL_INT32, 3, 3));
    for (gbl_Index k = 0; k < 3; k++) OK(gbl_Matrix_setElement_INT32(w->S, (int)k + 2, k, 0));
    OK(gbl_Matrix_new(&w->U, w->user.type.handle, 3, 3));
    OK(gbl_Matrix_setElement_UDT(w->U, &(t_Colour){1, 2, 3}, 1, 1));
    w->w = vector_of(4, 5, 6);
    w->p = vector_of(0, 1, 1);
    w->wrong = vector_of(0, 7, 1);
    OK(gbl_Vector_new(&w->e, GBL_INT32, 3));
    OK(gbl_Scalar_new(&w->one, GBL_INT32));
    OK(gbl_Scalar_setElement_INT32(w->one, 1));
    OK(gbl_Scalar_new(&w->empty, GBL_INT32));
    OK(gbl_Scalar_new(&w->odd, w->user.type.handle));
    OK(gbl_Descriptor_new(&w->desc));
    OK(gbl_Descriptor_new(&w->dot));
    OK(gbl_Descriptor_set(w->dot, GBL_METHOD, GBL_METHOD_DOT));
    OK(gbl_Semiring_new(&w->lor_eq, GBL_LOR_MONOID_BOOL, GBL_EQ_INT32));
    OK(gbl_BinaryOp_new(&w->op, nothing, GBL_INT32, GBL_INT32, GBL_INT32));
    OK(gbl_BinaryOp_set_String(w->op, "first", GBL_NAME));
    w->bytes = sizeof w->block;
    OK(gbl_Matrix_serialize(w->block, &w->bytes, w->S));
}

static void free_world(void) {
    World *w = &w0;
    gbl_Matrix *const matrices[] = {&w->A, &w->E, &w->S, &w->U};
    gbl_Vector *const vectors[] = {&w->w, &w->e, &w->p, &w->wrong};
    gbl_Scalar *const scalars[] = {&w->one, &w->empty, &w->odd};
    for (size_t k = 0; k < T_COUNT(matrices); k++) OK(gbl_Matrix_free(matrices[k]));
    for (size_t k = 0; k < T_COUNT(vectors); k++) OK(gbl_Vector_free(vectors[k]));
    for (size_t k = 0; k < T_COUNT(scalars); k++) OK(gbl_Scalar_free(scalars[k]));
    FREE(w->desc, w->dot, w->lor_eq, w->op);
    t_user_free(&w->user);
}

GB_TEST(documented_errors, rows) {
    make_world();
    gbl_Matrix const matrices[] = {w0.A, w0.E, w0.S, w0.U};
    gbl_Vector const vectors[] = {w0.w, w0.e, w0.p, w0.wrong};
    o_Matrix before[T_COUNT(matrices)], of_vectors[T_COUNT(vectors)];
    for (size_t k = 0; k < T_COUNT(matrices); k++) before[k] = t_dense(matrices[k]);
    for (size_t k = 0; k < T_COUNT(vectors); k++) of_vectors[k] = t_dense_vector(vectors[k]);
    for (size_t r = 0; r < T_COUNT(rows); r++) {
        t_case("%s", rows[r].name);
        X1[0] = 77;
        const gbl_Info info = rows[r].call();
        if (rows[r].word == NULL)
            CHECK_EQ(info, rows[r].code);
        else
            FAILS(rows[r].code, info);
        if (rows[r].word != NULL && strstr(gbl_last_error(), rows[r].word) == NULL)
            cr_assert_fail("%s: no \"%s\" in: %s", rows[r].name, rows[r].word, gbl_last_error());
        CHECK(w0.none == NULL && w0.monoid == NULL && w0.ring == NULL);
        CHECK(X1[0] == 77 && I1[0] == 0 && w0.text[0] == 0 && small == 1);
        for (size_t k = 0; k < T_COUNT(matrices); k++)
            t_expect("matrix", &before[k], matrices[k], 0);
        for (size_t k = 0; k < T_COUNT(vectors); k++)
            t_expect_vector("vector", &of_vectors[k], vectors[k], 0);
    }
    for (size_t k = 0; k < T_COUNT(matrices); k++) o_free(&before[k]);
    for (size_t k = 0; k < T_COUNT(vectors); k++) o_free(&of_vectors[k]);
    free_world();
}

BRUTAL(calibrate_without_memory) {
    t_refuse_above(100000);
    FAILS(GBL_OUT_OF_MEMORY, gbl_calibrate("/nowhere/at/all"));
    t_refuse_above(0);
}

Test(documented_errors, before_init) {
    FAILS(GBL_NULL_POINTER, gbl_init_with_allocator(GBL_NONBLOCKING, malloc, NULL, NULL));
    FAILS(GBL_NULL_POINTER, gbl_init_with_allocator(GBL_NONBLOCKING, NULL, NULL, free));
}
