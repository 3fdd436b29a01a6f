/* SPDX-License-Identifier: Apache-2.0
 *
 * Between the library's objects and the oracle's dense matrices, by build and extractTuples, and
 * the comparison of the two.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>

int64_t t_global(gbl_Field field) {
    int64_t value = -1;
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &value, field));
    return value;
}

int64_t t_blocks(void) {
    return t_global(GBL_BLOCKS_IN_USE);
}

void t_setup(void) {
    t_expect_end();
    OK(gbl_init(GBL_NONBLOCKING));
}

void t_teardown(void) {
    const int64_t blocks = t_blocks();
    cr_assert(blocks == 0, "%lld blocks are not freed", (long long)blocks);
    OK(gbl_finalize());
    t_end_reached();
}

/* ------------------------------------------------------------------- by the code of the type -- */

/* One switch over all types: `call` is the function without its suffix, T the value's C type. */
#define SWITCH(code, CASE)                                                                         \
    switch (code) {                                                                                \
        GBL_FOREACH_TYPE(CASE)                                                                     \
        GBL_FOREACH_COMPLEX(CASE)                                                                  \
    default:                                                                                       \
        break;                                                                                     \
    }

static gbl_Info build_matrix(gbl_Matrix A, const o_Matrix *D, const gbl_Index *I,
                             const gbl_Index *J, const void *X, gbl_Index n) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_build_##N(A, I, J, (const T *)X, n, NULL);
    SWITCH(D->type.code, CASE)
#undef CASE
    return gbl_Matrix_build_UDT(A, I, J, X, n, NULL);
}

static gbl_Info build_vector(gbl_Vector v, const o_Matrix *D, const gbl_Index *I, const void *X,
                             gbl_Index n) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Vector_build_##N(v, I, (const T *)X, n, NULL);
    SWITCH(D->type.code, CASE)
#undef CASE
    return gbl_Vector_build_UDT(v, I, X, n, NULL);
}

static gbl_Info matrix_tuples(gbl_Index *I, gbl_Index *J, void *X, gbl_Index *n, gbl_Matrix A,
                              gbl_Type_Code code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_extractTuples_##N(I, J, (T *)X, n, A);
    SWITCH(code, CASE)
#undef CASE
    return gbl_Matrix_extractTuples_UDT(I, J, X, n, A);
}

static gbl_Info vector_tuples(gbl_Index *I, void *X, gbl_Index *n, gbl_Vector v,
                              gbl_Type_Code code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Vector_extractTuples_##N(I, (T *)X, n, v);
    SWITCH(code, CASE)
#undef CASE
    return gbl_Vector_extractTuples_UDT(I, X, n, v);
}

gbl_Info t_set_matrix(gbl_Matrix A, o_Type type, const o_Value *x, gbl_Index i, gbl_Index j) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_setElement_##N(A, *(const T *)(const void *)x, i, j);
    SWITCH(type.code, CASE)
#undef CASE
    return gbl_Matrix_setElement_UDT(A, x, i, j);
}

gbl_Info t_set_vector(gbl_Vector v, o_Type type, const o_Value *x, gbl_Index i) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Vector_setElement_##N(v, *(const T *)(const void *)x, i);
    SWITCH(type.code, CASE)
#undef CASE
    return gbl_Vector_setElement_UDT(v, x, i);
}

gbl_Info t_get_matrix(o_Value *x, o_Type type, gbl_Matrix A, gbl_Index i, gbl_Index j) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_extractElement_##N((T *)(void *)x, A, i, j);
    SWITCH(type.code, CASE)
#undef CASE
    return gbl_Matrix_extractElement_UDT(x, A, i, j);
}

gbl_Info t_get_vector(o_Value *x, o_Type type, gbl_Vector v, gbl_Index i) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Vector_extractElement_##N((T *)(void *)x, v, i);
    SWITCH(type.code, CASE)
#undef CASE
    return gbl_Vector_extractElement_UDT(x, v, i);
}

gbl_Scalar t_scalar(o_Type type, const o_Value *x) {
    gbl_Scalar s = NULL;
    OK(gbl_Scalar_new(&s, type.handle));
    if (x == NULL) return s;
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        OK(gbl_Scalar_setElement_##N(s, *(const T *)(const void *)x));                             \
        return s;
    SWITCH(type.code, CASE)
#undef CASE
    OK(gbl_Scalar_setElement_UDT(s, x));
    return s;
}

/* ---------------------------------------------------------------------------- there and back -- */

typedef struct {
    gbl_Index *I, *J, n;
    unsigned char *X;
} tuples;

static tuples tuples_new(gbl_Index n, size_t size) {
    const size_t room = (size_t)n + 1;
    return (tuples){malloc(room * sizeof(gbl_Index)), malloc(room * sizeof(gbl_Index)), n,
                    malloc(room * size)};
}

static void tuples_free(tuples *t) {
    free(t->I);
    free(t->J);
    free(t->X);
}

static tuples tuples_of(const o_Matrix *D) {
    tuples t = tuples_new(o_count(D), D->type.size);
    gbl_Index k = 0;
    for (gbl_Index p = 0; p < D->nrows * D->ncols; p++) {
        if (!D->x[p].has) continue;
        t.I[k] = p / D->ncols;
        t.J[k] = p % D->ncols;
        memcpy(t.X + k * D->type.size, &D->x[p].v, D->type.size);
        k++;
    }
    return t;
}

gbl_Matrix t_matrix(const o_Matrix *D) {
    gbl_Matrix A = t_new_matrix(D->type.handle, D->nrows, D->ncols);
    tuples t = tuples_of(D);
    OK(build_matrix(A, D, t.I, t.J, t.X, t.n));
    tuples_free(&t);
    return A;
}

gbl_Vector t_vector(const o_Matrix *D) {
    gbl_Vector v = t_new_vector(D->type.handle, D->nrows);
    tuples t = tuples_of(D);
    OK(build_vector(v, D, t.I, t.X, t.n));
    tuples_free(&t);
    return v;
}

gbl_Matrix t_new_matrix(gbl_Type type, gbl_Index nrows, gbl_Index ncols) {
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, type, nrows, ncols));
    return A;
}

gbl_Vector t_new_vector(gbl_Type type, gbl_Index size) {
    gbl_Vector v = NULL;
    OK(gbl_Vector_new(&v, type, size));
    return v;
}

gbl_Matrix t_random_matrix(t_Random *r, const t_Content *content) {
    o_Matrix D = t_generate(r, content);
    gbl_Matrix A = t_matrix(&D);
    o_free(&D);
    return A;
}

gbl_Matrix t_seeded_matrix(uint64_t seed, gbl_Type_Code code, gbl_Index nrows, gbl_Index ncols,
                           double density) {
    t_Random r = t_random(seed);
    return t_random_matrix(&r, &(t_Content){.type = o_type(code),
                                            .nrows = nrows,
                                            .ncols = ncols,
                                            .pattern = T_RANDOM,
                                            .density = density});
}

gbl_Index t_nrows(gbl_Matrix A) {
    gbl_Index n = GBL_INDEX_MAX;
    OK(gbl_Matrix_nrows(&n, A));
    return n;
}

gbl_Index t_ncols(gbl_Matrix A) {
    gbl_Index n = GBL_INDEX_MAX;
    OK(gbl_Matrix_ncols(&n, A));
    return n;
}

gbl_Index t_nvals(gbl_Matrix A) {
    gbl_Index n = GBL_INDEX_MAX;
    OK(gbl_Matrix_nvals(&n, A));
    return n;
}

gbl_Index t_nvals_vector(gbl_Vector v) {
    gbl_Index n = GBL_INDEX_MAX;
    OK(gbl_Vector_nvals(&n, v));
    return n;
}

gbl_Formats t_formats(gbl_Matrix A) {
    gbl_Formats formats;
    OK(gbl_Matrix_formats(&formats, A));
    return formats;
}

gbl_Explanation t_explain(gbl_Matrix C) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    OK(gbl_Matrix_explain(&how, C));
    return how;
}

gbl_Info t_free_dense(o_Matrix *A) {
    o_free(A);
    return GBL_SUCCESS;
}

gbl_Matrix t_iso_matrix(const o_Matrix *D) {
    gbl_Matrix A = t_new_matrix(D->type.handle, D->nrows, D->ncols);
    tuples t = tuples_of(D);
    if (t.n > 0) {
        gbl_Scalar x = t_scalar(D->type, (const o_Value *)(const void *)t.X);
        OK(gbl_Matrix_build_Scalar(A, t.I, t.J, x, t.n));
        OK(gbl_Scalar_free(&x));
    }
    tuples_free(&t);
    return A;
}

gbl_Vector t_iso_vector(const o_Matrix *D) {
    gbl_Vector v = t_new_vector(D->type.handle, D->nrows);
    tuples t = tuples_of(D);
    if (t.n > 0) {
        gbl_Scalar x = t_scalar(D->type, (const o_Value *)(const void *)t.X);
        OK(gbl_Vector_build_Scalar(v, t.I, x, t.n));
        OK(gbl_Scalar_free(&x));
    }
    tuples_free(&t);
    return v;
}

static o_Type type_of(gbl_Type handle) {
    gbl_Type_Code code;
    OK(gbl_Type_code(&code, handle));
    if (code != GBL_UDT_CODE) return o_type(code);
    o_Type type = {GBL_UDT_CODE, 0, handle};
    OK(gbl_Type_size(&type.size, handle));
    return type;
}

static void scatter(o_Matrix *D, const tuples *t) {
    gbl_Index before = 0;
    for (gbl_Index k = 0; k < t->n; k++) {
        CHECK(t->I[k] < D->nrows && t->J[k] < D->ncols);
        const gbl_Index p = t->I[k] * D->ncols + t->J[k];
        cr_assert(k == 0 || p > before, "tuples are not by row then column\n  case: %s",
                  t_case_text());
        before = p;
        D->x[p].has = true;
        memcpy(&D->x[p].v, t->X + k * D->type.size, D->type.size);
    }
}

o_Matrix t_dense(gbl_Matrix A) {
    gbl_Type handle = NULL;
    gbl_Index nrows = 0, ncols = 0, nvals = 0;
    OK(gbl_Matrix_type(&handle, A));
    OK(gbl_Matrix_nrows(&nrows, A));
    OK(gbl_Matrix_ncols(&ncols, A));
    OK(gbl_Matrix_nvals(&nvals, A));
    o_Matrix D = o_new(type_of(handle), nrows, ncols);
    tuples t = tuples_new(nvals, D.type.size);
    OK(matrix_tuples(t.I, t.J, t.X, &t.n, A, D.type.code));
    CHECK_EQ(t.n, nvals);
    scatter(&D, &t);
    tuples_free(&t);
    return D;
}

o_Matrix t_dense_vector(gbl_Vector v) {
    gbl_Type handle = NULL;
    gbl_Index size = 0, nvals = 0;
    OK(gbl_Vector_type(&handle, v));
    OK(gbl_Vector_size(&size, v));
    OK(gbl_Vector_nvals(&nvals, v));
    o_Matrix D = o_new(type_of(handle), size, 1);
    tuples t = tuples_new(nvals, D.type.size);
    memset(t.J, 0, ((size_t)nvals + 1) * sizeof(gbl_Index));
    OK(vector_tuples(t.I, t.X, &t.n, v, D.type.code));
    CHECK_EQ(t.n, nvals);
    scatter(&D, &t);
    tuples_free(&t);
    return D;
}

/* -------------------------------------------------------------------------------- comparison -- */

void t_expect_dense(const char *what, const o_Matrix *expected, const o_Matrix *actual,
                    double tolerance) {
    const o_Type type = expected->type;
    cr_assert(type.code == actual->type.code && type.size == actual->type.size,
              "%s has another type\n  case: %s", what, t_case_text());
    cr_assert(expected->nrows == actual->nrows && expected->ncols == actual->ncols,
              "%s has another shape\n  case: %s", what, t_case_text());
    for (gbl_Index p = 0; p < expected->nrows * expected->ncols; p++) {
        const o_Cell *e = &expected->x[p], *a = &actual->x[p];
        if (!e->has && !a->has) continue;
        if (e->has && a->has && o_close(type, &e->v, &a->v, tolerance)) continue;
        char e_text[64] = "no entry", a_text[64] = "no entry";
        if (e->has) o_text(e_text, type, &e->v);
        if (a->has) o_text(a_text, type, &a->v);
        cr_assert_fail("%s(%llu,%llu) is %s, not %s\n  case: %s", what,
                       (unsigned long long)(p / expected->ncols),
                       (unsigned long long)(p % expected->ncols), a_text, e_text, t_case_text());
    }
}

void t_expect(const char *what, const o_Matrix *expected, gbl_Matrix actual, double tolerance) {
    o_Matrix D = t_dense(actual);
    t_expect_dense(what, expected, &D, tolerance);
    o_free(&D);
}

void t_expect_vector(const char *what, const o_Matrix *expected, gbl_Vector actual,
                     double tolerance) {
    o_Matrix D = t_dense_vector(actual);
    t_expect_dense(what, expected, &D, tolerance);
    o_free(&D);
}
