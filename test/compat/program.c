/* SPDX-License-Identifier: Apache-2.0
 *
 * program LIBGRAPHBLAS MAJOR: what a program that was linked with SuiteSparse:GraphBLAS does, by
 * names looked up in the library and prototypes declared here, without a header: options, fields,
 * products over predefined and made semirings, ranges of indices, with the program's allocator;
 * content as arrays (arrays.c), delta matrices, vectors cast to matrices, serialized vectors,
 * select operators, contexts, and what release 10 adds.
 */
#include "program.h"

static void *library;
int failures, major;
size_t blocks;

void *look_up(const char *name) {
    void *symbol = dlsym(library, name);
    if (symbol == NULL) {
        fprintf(stderr, "no symbol %s\n", name);
        exit(1);
    }
    return symbol;
}
void *counted_malloc(size_t size) {
    void *block = malloc(size);
    if (block != NULL) __atomic_add_fetch(&blocks, 1, __ATOMIC_RELAXED);
    return block;
}
void counted_free(void *block) {
    if (block != NULL) __atomic_sub_fetch(&blocks, 1, __ATOMIC_RELAXED);
    free(block);
}

void *new_matrix(void) {
    static const uint64_t I[] = {0, 0, 1, 2}, J[] = {0, 1, 2, 0};
    static const double X[] = {1, 2, 3, 4};
    void *A = NULL;
    CHECK(CALL(GrB_Matrix_new)(&A, OBJECT(GrB_FP64), (uint64_t)3, (uint64_t)3) == 0);
    CHECK(CALL(GrB_Matrix_build_FP64)(A, I, J, X, (uint64_t)4, OBJECT(GrB_PLUS_FP64)) == 0);
    return A;
}

double element(void *A, uint64_t i, uint64_t j) {
    double x = -1;
    CALL(GrB_Matrix_extractElement_FP64)(&x, A, i, j);
    return x;
}

void check_same(void *A, void *B) {
    uint64_t I[2][8], J[2][8], n[2] = {8, 8};
    double X[2][8];
    CHECK(CALL(GrB_Matrix_extractTuples_FP64)(I[0], J[0], X[0], &n[0], A) == 0);
    CHECK(CALL(GrB_Matrix_extractTuples_FP64)(I[1], J[1], X[1], &n[1], B) == 0);
    CHECK(n[0] == n[1] && memcmp(I[0], I[1], n[0] * 8) == 0 && memcmp(J[0], J[1], n[0] * 8) == 0 &&
          memcmp(X[0], X[1], n[0] * 8) == 0);
}

static void check_products(void) {
    void *A = new_matrix(), *C = NULL;
    uint64_t nvals = 0;
    CHECK(CALL(GrB_Matrix_new)(&C, OBJECT(GrB_FP64), (uint64_t)3, (uint64_t)3) == 0);
    CHECK(CALL(GrB_mxm)(C, NULL, NULL, OBJECT(GxB_PLUS_TIMES_FP64), A, A, NULL) == 0);
    CHECK(element(C, 0, 0) == 1 && element(C, 0, 2) == 6 && element(C, 1, 0) == 12);
    /* a semiring that gblite makes when it starts */
    CHECK(CALL(GrB_mxm)(C, NULL, NULL, OBJECT(GxB_MAX_RMINUS_FP64), A, A, NULL) == 0);
    CHECK(element(C, 0, 2) == 1 && element(C, 1, 0) == 1);
    CHECK(CALL(GrB_Matrix_nvals)(&nvals, C) == 0 && nvals == 6);
    /* rows 2 and 0, by a range that goes down in steps of 2 */
    const uint64_t rows[] = {2, 0, 2};
    void *R = NULL;
    CHECK(CALL(GrB_Matrix_new)(&R, OBJECT(GrB_FP64), (uint64_t)2, (uint64_t)3) == 0);
    CHECK(CALL(GrB_Matrix_extract)(R, NULL, NULL, A, rows, (uint64_t)(INT64_MAX - 2),
                                   OBJECT(GrB_ALL), (uint64_t)3, NULL) == 0);
    CHECK(element(R, 0, 0) == 4 && element(R, 1, 1) == 2);
    /* entries that are not 3, by a select operator of SuiteSparse's own kind */
    void *three = NULL;
    CHECK(CALL(GrB_Scalar_new)(&three, OBJECT(GrB_FP64)) == 0);
    CHECK(((int (*)(void *, double))look_up("GrB_Scalar_setElement_FP64"))(three, 3.0) == 0);
    CHECK(CALL(GxB_Matrix_select)(C, NULL, NULL, OBJECT(GxB_NE_THUNK), A, three, NULL) == 0);
    CHECK(CALL(GrB_Matrix_nvals)(&nvals, C) == 0 && nvals == 3);
    CALL(GrB_Scalar_free)(&three);
    CALL(GrB_Matrix_free)(&R);
    CALL(GrB_Matrix_free)(&C);
    CALL(GrB_Matrix_free)(&A);
}

/* A delta matrix: A = (M + plus) without the entries of minus, in hypersparse deltas. */
static void check_deltas(void) {
    void *M = new_matrix(), *plus = NULL, *minus = NULL, *A = NULL;
    uint64_t nvals = 0;
    CHECK(CALL(GrB_Matrix_new)(&plus, OBJECT(GrB_FP64), (uint64_t)3, (uint64_t)3) == 0);
    CHECK(CALL(GrB_Matrix_new)(&minus, OBJECT(GrB_BOOL), (uint64_t)3, (uint64_t)3) == 0);
    CHECK(CALL(GrB_Matrix_new)(&A, OBJECT(GrB_FP64), (uint64_t)3, (uint64_t)3) == 0);
    CHECK(CALL(GxB_Matrix_Option_set)(plus, 7036, 1) == 0); /* hypersparse */
    CHECK(((int (*)(void *, double, uint64_t, uint64_t))look_up("GrB_Matrix_setElement_FP64"))(
              plus, 9.0, 1, 1) == 0);
    CHECK(CALL(GrB_Matrix_setElement_BOOL)(minus, 1, (uint64_t)0, (uint64_t)1) == 0);
    CHECK(CALL(GrB_Matrix_eWiseAdd_Semiring)(A, minus, NULL, OBJECT(GxB_ANY_PAIR_FP64), M, plus,
                                             OBJECT(GrB_DESC_RSC)) == 0);
    CHECK(CALL(GrB_Matrix_nvals)(&nvals, A) == 0 && nvals == 4);
    CHECK(CALL(GxB_Matrix_isStoredElement)(A, (uint64_t)0, (uint64_t)1) == 1);
    CHECK(CALL(GxB_Matrix_isStoredElement)(A, (uint64_t)1, (uint64_t)1) == 0);
    CHECK(CALL(GrB_Matrix_removeElement)(plus, (uint64_t)1, (uint64_t)1) == 0);
    CHECK(CALL(GrB_transpose)(M, minus, NULL, M, OBJECT(GrB_DESC_RSCT0)) == 0);
    CHECK(CALL(GrB_Matrix_nvals)(&nvals, M) == 0 && nvals == 3);
    for (void **each = (void *[]){&M, &plus, &minus, &A, NULL}; *each != NULL; each++)
        CALL(GrB_Matrix_free)(*each);
}

/* Options that do nothing are accepted, as docs/conformance.md lists them. */
static void check_accepted(void) {
    static const int integers[] = {7023, 7029, 7032, 7088}; /* 1-based ... GPU */
    static const int texts[] = {7024, 7025, 7026, 7027, 7028, 7030, 7031, 7033, 7100};
    static const int desc_fields[] = {7090, 7091, 7092, 7093};
    void *desc = NULL, *A = new_matrix();
    for (size_t k = 0; k < sizeof integers / sizeof *integers; k++)
        CHECK(CALL(GxB_Global_Option_set_INT32)(integers[k], 0) == 0);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        CHECK(CALL(GxB_Global_Option_set_CHAR)(texts[k], "x") == 0);
    CHECK(CALL(GrB_Descriptor_new)(&desc) == 0);
    for (size_t k = 0; k < sizeof desc_fields / sizeof *desc_fields; k++)
        CHECK(CALL(GxB_Desc_set_INT32)(desc, desc_fields[k], 0) == 0);
    CHECK(CALL(GrB_Matrix_set_INT32)(A, 0, 7048) == 0); /* hyper hash */
    CHECK(CALL(GrB_Descriptor_free)(&desc) == 0);
    CALL(GrB_Matrix_free)(&A);
}

/* Options of thousands of objects at once. */
static void check_many(void) {
    enum { MANY = 5000, OPTION = 7036 }; /* sparsity control */
    static void *vectors[MANY];
    int sparsity = 0;
    for (int k = 0; k < MANY; k++) {
        CHECK(CALL(GrB_Vector_new)(&vectors[k], OBJECT(GrB_FP64), (uint64_t)9) == 0);
        CHECK(CALL(GxB_Vector_Option_set_INT32)(vectors[k], OPTION, 1 + k % 15) == 0);
    }
    for (int k = 0; k < MANY; k += 2) CHECK(CALL(GrB_Vector_free)(&vectors[k]) == 0);
    for (int k = 1; k < MANY; k += 2) {
        CHECK(CALL(GxB_Vector_Option_get_INT32)(vectors[k], OPTION, &sparsity) == 0);
        CHECK(sparsity == 1 + k % 15);
        CHECK(CALL(GrB_Vector_free)(&vectors[k]) == 0 && vectors[k] == NULL);
    }
}

/* Freeing what is no object, or is predefined, is no error and leaves the handle. */
static void check_freed(void) {
    static const char *const kinds[] = {"Type",   "UnaryOp",  "BinaryOp",   "IndexUnaryOp",
                                        "Monoid", "Semiring", "Descriptor", "Scalar",
                                        "Vector", "Matrix"};
    static const char *const objects[] = {
        "GrB_FP64",   "GrB_AINV_FP64",        "GrB_PLUS_FP64",
        "GrB_TRIL",   "GrB_PLUS_MONOID_FP64", "GxB_MAX_RMINUS_FP64",
        "GrB_DESC_T0"};
    static uint64_t nothing[200];
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char name[64];
        snprintf(name, sizeof name, "GrB_%s_free", kinds[k]);
        int (*const release)(void **) = (int (*)(void **))look_up(name);
        void *object = nothing, *none = NULL;
        CHECK(release(&object) == 0 && object == nothing);
        CHECK(release(&none) == 0 && release(NULL) == 0);
        if (k >= sizeof objects / sizeof *objects) continue;
        void *const predefined = object = *(void **)look_up(objects[k]);
        CHECK(release(&object) == 0 && object == predefined);
    }
}

/* The burble is gblite's trace on stderr. */
static void check_burble(void) {
    char text[256] = "";
    int32_t on = 0;
    void *A = new_matrix(), *C = NULL;
    FILE *const file = tmpfile();
    const int kept = dup(2);
    CHECK(CALL(GrB_Matrix_new)(&C, OBJECT(GrB_FP64), (uint64_t)3, (uint64_t)3) == 0);
    for (int burble = 1; burble >= 0 && file != NULL; burble--) {
        CHECK(CALL(GxB_Global_Option_set_INT32)(7019, burble) == 0);
        CHECK(CALL(GxB_Global_Option_get_INT32)(7019, &on) == 0 && on == burble);
        CHECK(ftruncate(fileno(file), 0) == 0 && dup2(fileno(file), 2) == 2);
        const int info =
            CALL(GrB_mxm)(C, NULL, NULL, OBJECT(GrB_PLUS_TIMES_SEMIRING_FP64), A, A, NULL);
        const int waited = CALL(GrB_Matrix_wait)(C, 1);
        dup2(kept, 2);
        memset(text, 0, sizeof text);
        CHECK(info == 0 && waited == 0 && pread(fileno(file), text, sizeof text - 1, 0) >= 0);
        CHECK((strstr(text, "mxm of 3 x 3") != NULL) == burble);
    }
    fclose(file);
    close(kept);
    CALL(GrB_Matrix_free)(&C);
    CALL(GrB_Matrix_free)(&A);
}

/* A vector cast to a matrix; one value by a mask of itself; tuples by column. */
static void check_kinds(void) {
    void *v = NULL, *A = new_matrix(), *C = NULL;
    uint64_t I[4], J[4], n = 4;
    double X[4];
    bool iso = false;
    CHECK(CALL(GrB_Vector_new)(&v, OBJECT(GrB_FP64), (uint64_t)3) == 0);
    CHECK(((int (*)(void *, double, uint64_t))look_up("GrB_Vector_setElement_FP64"))(v, 8.0, 2) ==
          0);
    CHECK(CALL(GrB_Matrix_new)(&C, OBJECT(GrB_FP64), (uint64_t)3, (uint64_t)4) == 0);
    CHECK(CALL(GxB_Matrix_concat)(C, (void *[]){A, v}, (uint64_t)1, (uint64_t)2, NULL) == 0);
    CHECK(element(C, 2, 3) == 8 && element(C, 0, 1) == 2);
    CHECK(((int (*)(void *, void *, void *, double, void *, uint64_t, void *, uint64_t,
                    void *))look_up("GrB_Matrix_assign_FP64"))(
              A, A, NULL, 7.0, OBJECT(GrB_ALL), 3, OBJECT(GrB_ALL), 3, OBJECT(GrB_DESC_S)) == 0);
    CHECK(CALL(GxB_Matrix_iso)(&iso, A) == 0 && iso && element(A, 1, 2) == 7);
    CHECK(CALL(GxB_Matrix_Option_set)(A, 7002, 1) == 0); /* by column */
    CHECK(CALL(GrB_Matrix_extractTuples_FP64)(I, J, X, &n, A) == 0 && n == 4);
    CHECK(I[1] == 2 && J[1] == 0 && I[2] == 0 && J[2] == 1);
    CALL(GrB_Vector_free)(&v);
    CALL(GrB_Matrix_free)(&C);
    CALL(GrB_Matrix_free)(&A);
}

static void greater(void *z, const void *x, const void *y) {
    *(bool *)z = *(const int32_t *)x > *(const int32_t *)y;
}

/* Sorting by an operator of the user: stable, downwards. */
static void check_sort(void) {
    static const int32_t X[] = {5, 9, 5, 7};
    static const uint64_t I[] = {3, 4, 6, 8};
    static const int64_t expected[] = {4, 8, 3, 6};
    void *v = NULL, *w = NULL, *p = NULL, *op = NULL;
    CHECK(CALL(GrB_Vector_new)(&v, OBJECT(GrB_INT32), (uint64_t)10) == 0);
    CHECK(CALL(GrB_Vector_new)(&w, OBJECT(GrB_INT32), (uint64_t)10) == 0);
    CHECK(CALL(GrB_Vector_new)(&p, OBJECT(GrB_INT64), (uint64_t)10) == 0);
    CHECK(CALL(GrB_Vector_build_INT32)(v, I, X, (uint64_t)4, NULL) == 0);
    CHECK(CALL(GrB_BinaryOp_new)(&op, greater, OBJECT(GrB_BOOL), OBJECT(GrB_INT32),
                                 OBJECT(GrB_INT32)) == 0);
    CHECK(CALL(GxB_Vector_sort)(w, p, op, v, NULL) == 0);
    for (uint64_t k = 0; k < 4; k++) {
        int64_t at = -1;
        int32_t x = -1, same = -2;
        CALL(GrB_Vector_extractElement_INT64)(&at, p, k);
        CALL(GrB_Vector_extractElement_INT32)(&x, w, k);
        CALL(GrB_Vector_extractElement_INT32)(&same, v, (uint64_t)at);
        CHECK(at == expected[k] && x == same);
    }
    CHECK(CALL(GxB_Vector_sort)(w, p, OBJECT(GrB_PLUS_INT32), v, NULL) == -5);
    CALL(GrB_BinaryOp_free)(&op);
    CALL(GrB_Vector_free)(&v);
    CALL(GrB_Vector_free)(&w);
    CALL(GrB_Vector_free)(&p);
}

static void check_vectors(void) {
    void *v = NULL, *w = NULL, *blob = NULL;
    uint64_t size = 0;
    int32_t x = 0;
    CHECK(CALL(GrB_Vector_new)(&v, OBJECT(GrB_INT32), (uint64_t)100) == 0);
    CHECK(CALL(GrB_Vector_setElement_INT32)(v, 7, (uint64_t)42) == 0);
    CHECK(CALL(GxB_Vector_serialize)(&blob, &size, v, NULL) == 0);
    CHECK(CALL(GxB_Vector_deserialize)(&w, NULL, blob, size, NULL) == 0);
    CHECK(CALL(GrB_Vector_extractElement_INT32)(&x, w, (uint64_t)42) == 0 && x == 7);
    CHECK(CALL(GxB_Vector_isStoredElement)(w, (uint64_t)41) == 1);
    counted_free(blob);
    CALL(GrB_Vector_free)(&v);
    CALL(GrB_Vector_free)(&w);
}

static void check_fields(void) {
    char text[256];
    int32_t version[3] = {0}, code = 0;
    void *type = NULL, *context = NULL;
    CHECK(CALL(GxB_Global_Option_get_INT32)(7005, version) == 0 && version[0] == major);
    CHECK(CALL(GrB_BinaryOp_get_String)(OBJECT(GxB_ISEQ_INT8), text, 10) == 0);
    CHECK(strcmp(text, "GxB_ISEQ_INT8") == 0);
    CHECK(CALL(GrB_Type_get_INT32)(OBJECT(GxB_FC64), &code, 102) == 0 && code == 7071);
    CHECK(CALL(GxB_Type_new)(&type, (size_t)12, "triple", "typedef struct {...} triple ;") == 0);
    CHECK(CALL(GxB_Type_name)(text, type) == 0 && strcmp(text, "triple") == 0);
    CHECK(CALL(GrB_Type_get_String)(type, text, 7041) == 0 && strcmp(text, "triple") == 0);
    CHECK(CALL(GrB_Type_set_String)(type, "other", 7041) == -9);
    CHECK(CALL(GrB_Type_free)(&type) == 0 && CALL(GrB_Type_free)(NULL) == 0);
    CHECK(CALL(GrB_Type_get_String)(OBJECT(GxB_FC32), text, 106) == 0);
    CHECK(strcmp(text, "GxB_FC32") == 0);
    CHECK(CALL(GrB_Type_get_String)(OBJECT(GrB_INT8), text, 7041) == 0);
    CHECK(strcmp(text, "int8_t") == 0);
    CHECK(CALL(GrB_BinaryOp_get_String)(OBJECT(GrB_LT_INT32), text, 7041) == 0);
    CHECK(strcmp(text, "lt") == 0);
    CHECK(CALL(GxB_Type_from_name)(&type, "double complex") == 0 && type == OBJECT(GxB_FC64));
    CHECK(CALL(GxB_Context_new)(&context) == 0 && CALL(GxB_Context_engage)(context) == 0);
    CHECK(CALL(GxB_Context_disengage)(context) == 0 && CALL(GxB_Context_free)(&context) == 0);
    /* there is no compiler: it says so, and programs go on */
    CHECK(CALL(GxB_Global_Option_set_INT32)(7029, 4) == 0);
}

/* The name of a user's type is in blocks of bytes; scalars pass for vectors. */
static void check_blocks(void) {
    char text[256] = "";
    int32_t code = 0;
    void *type = NULL, *other = NULL, *A = NULL, *B = NULL, *blob = NULL, *scalar = NULL;
    uint64_t size = 0;
    bool iso = false;
    CHECK(CALL(GxB_Type_new)(&type, (size_t)12, "triple", "typedef struct {...} triple ;") == 0);
    CHECK(CALL(GxB_Type_new)(&other, (size_t)12, "colour", NULL) == 0);
    CHECK(CALL(GrB_Matrix_new)(&A, type, (uint64_t)3, (uint64_t)1) == 0);
    CHECK(CALL(GrB_Matrix_setElement_UDT)(A, text, (uint64_t)1, (uint64_t)0) == 0);
    CHECK(CALL(GxB_Matrix_serialize)(&blob, &size, A, NULL) == 0);
    CHECK(CALL(GxB_deserialize_type_name)(text, blob, size) == 0 && strcmp(text, "triple") == 0);
    CHECK(CALL(GxB_Matrix_deserialize)(&B, other, blob, size, NULL) == -5 && B == NULL);
    CHECK(CALL(GxB_Matrix_deserialize)(&B, type, blob, size, NULL) == 0);
    CHECK(CALL(GrB_Matrix_get_INT32)(B, &code, 7002) == 0 && code == 1); /* a column */
    counted_free(blob);
    CHECK(CALL(GrB_Scalar_new)(&scalar, OBJECT(GrB_FP64)) == 0);
    CHECK(CALL(GrB_Scalar_setElement_INT32)(scalar, 4) == 0);
    CHECK(CALL(GrB_Vector_wait)(scalar, 1) == 0);
    CHECK(CALL(GxB_Vector_iso)(&iso, scalar) == 0 && iso);
    CHECK(CALL(GrB_Vector_free)(&scalar) == 0 && scalar == NULL);
    for (void **each = (void *[]){&A, &B, NULL}; *each != NULL; each++)
        CALL(GrB_Matrix_free)(*each);
    for (void **each = (void *[]){&type, &other, NULL}; *each != NULL; each++)
        CALL(GrB_Type_free)(*each);
}

/* The largest dimension is 2^60. */
static void check_large(void) {
    const uint64_t n = (uint64_t)1 << 60;
    void *A = NULL, *B = NULL;
    uint64_t nvals = 0;
    CHECK(CALL(GrB_Matrix_new)(&B, OBJECT(GrB_FP64), n + 1, n) == -3);
    CHECK(CALL(GrB_Matrix_new)(&A, OBJECT(GrB_FP64), n, n) == 0);
    int (*set)(void *, double, uint64_t, uint64_t) =
        (int (*)(void *, double, uint64_t, uint64_t))look_up("GrB_Matrix_setElement_FP64");
    CHECK(set(A, 3, n - 1, 0) == 0 && set(A, 2, 0, n - 1) == 0 && set(A, 1, n, 0) == -4);
    CHECK(CALL(GrB_Matrix_dup)(&B, A) == 0);
    CHECK(CALL(GrB_mxm)(B, NULL, NULL, OBJECT(GrB_PLUS_TIMES_SEMIRING_FP64), A, A, NULL) == 0);
    CHECK(CALL(GrB_Matrix_nvals)(&nvals, B) == 0 && nvals == 2);
    CHECK(element(B, n - 1, n - 1) == 6 && element(B, 0, 0) == 6);
    CALL(GrB_Matrix_free)(&A);
    CALL(GrB_Matrix_free)(&B);
}

/* -- release 10 */

/* A 2 x 2 part of A by lists that are vectors: values, indices, a stride downwards. */
static void check_lists(void) {
    static const uint64_t at[] = {0, 2};
    void *A = new_matrix(), *C = NULL, *I = NULL, *J = NULL, *S = NULL, *X = NULL, *desc = NULL;
    double x = 0;
    uint64_t n = 0;
    CHECK(CALL(GrB_Matrix_new)(&C, OBJECT(GrB_FP64), (uint64_t)2, (uint64_t)2) == 0);
    CHECK(CALL(GrB_Vector_new)(&I, OBJECT(GrB_INT32), (uint64_t)2) == 0);
    CHECK(CALL(GrB_Vector_new)(&J, OBJECT(GrB_BOOL), (uint64_t)3) == 0);
    CHECK(CALL(GrB_Vector_new)(&S, OBJECT(GrB_INT64), (uint64_t)3) == 0);
    CHECK(CALL(GrB_Vector_new)(&X, OBJECT(GrB_BOOL), (uint64_t)3) == 0);
    CHECK(CALL(GrB_Descriptor_new)(&desc) == 0);
    for (uint64_t k = 0; k < 2; k++) {
        CHECK(CALL(GrB_Vector_setElement_INT32)(I, (int)(2 * k), k) == 0);
        CHECK(CALL(GrB_Vector_setElement_BOOL)(J, 1, at[k]) == 0);
    }
    CHECK(CALL(GrB_Descriptor_set_INT32)(desc, 7060, 7095) == 0); /* J: its indices */
    CHECK(CALL(GxB_Matrix_extract_Vector)(C, NULL, NULL, A, I, J, desc) == 0);
    CHECK(CALL(GrB_Matrix_extractElement_FP64)(&x, C, (uint64_t)1, (uint64_t)0) == 0 && x == 4);
    CHECK(CALL(GrB_Vector_setElement_INT64)(S, (int64_t)2, (uint64_t)0) == 0); /* 2, 0 */
    CHECK(CALL(GrB_Vector_setElement_INT64)(S, (int64_t)0, (uint64_t)1) == 0);
    CHECK(CALL(GrB_Vector_setElement_INT64)(S, (int64_t)-2, (uint64_t)2) == 0);
    CHECK(CALL(GrB_Descriptor_set_INT32)(desc, 7061, 7094) == 0);
    CHECK(CALL(GxB_Matrix_extract_Vector)(C, NULL, NULL, A, S, J, desc) == 0);
    CHECK(CALL(GrB_Matrix_extractElement_FP64)(&x, C, (uint64_t)0, (uint64_t)0) == 0 && x == 4);
    /* tuples into vectors, and a matrix from them */
    void *B = NULL;
    CHECK(CALL(GrB_Matrix_new)(&B, OBJECT(GrB_FP64), (uint64_t)3, (uint64_t)3) == 0);
    CHECK(CALL(GxB_Matrix_extractTuples_Vector)(I, S, X, A, NULL) == 0);
    CHECK(CALL(GrB_Vector_size)(&n, X) == 0 && n == 4);
    CHECK(CALL(GxB_Matrix_build_Vector)(B, I, S, X, NULL, NULL) == 0);
    check_same(A, B);
    CALL(GrB_Matrix_free)(&A);
    CALL(GrB_Matrix_free)(&B);
    CALL(GrB_Matrix_free)(&C);
    CALL(GrB_Vector_free)(&I);
    CALL(GrB_Vector_free)(&J);
    CALL(GrB_Vector_free)(&S);
    CALL(GrB_Vector_free)(&X);
    CALL(GrB_Descriptor_free)(&desc);
}

/* The text of the object at GxB_SHORT; to be freed. */
static char *short_text(void *A) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    CHECK(CALL(GxB_Matrix_fprint)(A, "A", 2, f) == 0);
    fclose(f);
    return text;
}

/* Entries come by column where the matrix is held so, and 29 of more. */
static void check_print(void) {
    void *A = new_matrix(), *full = NULL;
    CHECK(CALL(GrB_Matrix_set_INT32)(A, 1, 100) == 0); /* by column */
    char *text = short_text(A), *below = strstr(text, "(2,0)");
    CHECK(strstr(text, "by col") != NULL && below != NULL && strstr(below, "(0,1)") != NULL);
    CHECK(strstr(text, "...") == NULL);
    free(text);
    CHECK(CALL(GrB_Matrix_new)(&full, OBJECT(GrB_FP64), (uint64_t)6, (uint64_t)5) == 0);
    CHECK(CALL(GrB_Matrix_assign_INT32)(full, NULL, NULL, 1, OBJECT(GrB_ALL), (uint64_t)6,
                                        OBJECT(GrB_ALL), (uint64_t)5, NULL) == 0);
    text = short_text(full);
    CHECK(strstr(text, "(5,3)") != NULL && strstr(text, "(5,4)") == NULL);
    CHECK(strstr(text, "...") != NULL);
    free(text);
    CALL(GrB_Matrix_free)(&A);
    CALL(GrB_Matrix_free)(&full);
}

int main(int argc, char **argv) {
    if (argc != 3 || (library = dlopen(argv[1], RTLD_NOW)) == NULL) {
        fprintf(stderr, "usage: program LIBGRAPHBLAS MAJOR: %s\n", dlerror());
        return 2;
    }
    major = atoi(argv[2]);
    CHECK(CALL(GxB_Global_Option_get_INT32)(7003, &failures) == -101); /* not yet begun */
    failures = 0;
    CHECK(CALL(GxB_init)(0, counted_malloc, NULL, NULL, counted_free) == 0);
    check_products();
    check_arrays();
    check_deltas();
    check_kinds();
    check_accepted();
    check_many();
    check_freed();
    check_burble();
    check_sort();
    check_vectors();
    check_fields();
    check_blocks();
    check_large();
    check_lists();
    check_print();
    CHECK(CALL(GrB_finalize)() == 0);
    CHECK(blocks == 0);
    printf(failures == 0 ? "all right\n" : "%d failures\n", failures);
    return failures != 0;
}
