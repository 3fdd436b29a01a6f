/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_{Matrix,Vector}_{new,dup,clear,resize,renew,free,nvals,type,formats,explain,wait},
 * gbl_Matrix_{nrows,ncols,diag,tiles} and gbl_Vector_size.
 */
#include "api/check.h"
#include "lazy/operations.h"
#include "mxm/explain/explain.h"

/* -- of both */

static gbl_Info explain(gbl_Explanation *explanation, gb_Matrix *X) {
    gbl_Explanation why;
    gbl_Info info = gb_check_sized(explanation, "explanation", "GBL_EXPLANATION_INIT");
    if (info == GBL_SUCCESS) info = gb_deferred_explain(&why, X);
    if (info == GBL_SUCCESS) gb_give_sized(explanation, &why, sizeof why);
    return info;
}

/* The shape of a K as parameters, and as rows and columns. */
#define GB_SHAPE_Matrix gbl_Index nrows, gbl_Index ncols
#define GB_SHAPE_Vector gbl_Index size
#define GB_EXTENT_Matrix nrows, ncols
#define GB_EXTENT_Vector size, 1

/* begin_fact_K: there is space for what is to be said of the object. */
#define GB_DEFINE(K)                                                                               \
    static gbl_Info begin_fact_##K(const void *out, const char *name, gbl_##K X) {                 \
        const gbl_Info info = GB_BEGIN(K, X, INPUT);                                               \
        return info == GBL_SUCCESS ? gb_check_pointer(out, name) : info;                           \
    }                                                                                              \
    gbl_Info gbl_##K##_new(gbl_##K *X, gbl_Type type, GB_SHAPE_##K) {                              \
        gb_Matrix *made = NULL;                                                                    \
        gbl_Info info = gb_begin_new(X, GB_NAME_##K);                                              \
        if (info == GBL_SUCCESS) info = gb_check_type(type, "type");                               \
        if (info != GBL_SUCCESS) return info;                                                      \
        info = gb_matrix_new(&made, GB_MAGIC_OF_##K, type, GB_EXTENT_##K);                         \
        *X = (gbl_##K)made;                                                                        \
        return info;                                                                               \
    }                                                                                              \
    gbl_Info gbl_##K##_renew(gbl_##K X, gbl_Type type, GB_SHAPE_##K) {                             \
        gbl_Info info = GB_BEGIN(K, X, OUTPUT);                                                    \
        if (info == GBL_SUCCESS) info = gb_check_type(type, "type");                               \
        if (info == GBL_SUCCESS) info = gb_matrix_renew(GB_OF(X), type, GB_EXTENT_##K);            \
        return gb_end(X, info);                                                                    \
    }                                                                                              \
    gbl_Info gbl_##K##_resize(gbl_##K X, GB_SHAPE_##K) {                                           \
        gbl_Info info = GB_BEGIN(K, X, OUTPUT);                                                    \
        if (info == GBL_SUCCESS) info = gb_matrix_resize(GB_OF(X), GB_EXTENT_##K);                 \
        return gb_end(X, info);                                                                    \
    }                                                                                              \
    gbl_Info gbl_##K##_dup(gbl_##K *copy, gbl_##K X) {                                             \
        gb_Matrix *made = NULL;                                                                    \
        gbl_Info info = begin_fact_##K(copy, "the copy", X);                                       \
        if (info != GBL_SUCCESS) return info;                                                      \
        info = gb_matrix_dup(&made, GB_OF(X));                                                     \
        *copy = (gbl_##K)made;                                                                     \
        return info;                                                                               \
    }                                                                                              \
    gbl_Info gbl_##K##_clear(gbl_##K X) {                                                          \
        const gbl_Info info = GB_BEGIN(K, X, OUTPUT);                                              \
        if (info == GBL_SUCCESS) gb_matrix_clear(GB_OF(X));                                        \
        return gb_end(X, info);                                                                    \
    }                                                                                              \
    gbl_Info gbl_##K##_free(gbl_##K *object) {                                                     \
        gbl_Info info = gb_check_pointer(object, "object");                                        \
        if (info != GBL_SUCCESS || *object == NULL) return info;                                   \
        info = GB_CHECK(K, *object, "*object", HANDLE);                                            \
        if (!gb_may_be_freed(GB_OF(*object), info)) return info;                                   \
        if (gb_deferred_leave(GB_OF(*object))) gb_matrix_free(GB_OF(*object));                     \
        *object = NULL;                                                                            \
        return GBL_SUCCESS;                                                                        \
    }                                                                                              \
    gbl_Info gbl_##K##_nvals(gbl_Index *nvals, gbl_##K X) {                                        \
        const gbl_Info info = begin_fact_##K(nvals, "nvals", X);                                   \
        return info == GBL_SUCCESS ? gb_matrix_count(GB_OF(X), nvals) : info;                      \
    }                                                                                              \
    gbl_Info gbl_##K##_formats(gbl_Formats *formats, gbl_##K X) {                                  \
        const gbl_Info info = begin_fact_##K(formats, "formats", X);                               \
        if (info == GBL_SUCCESS) gb_matrix_formats(GB_OF(X), formats);                             \
        return info;                                                                               \
    }                                                                                              \
    gbl_Info gbl_##K##_explain(gbl_Explanation *explanation, gbl_##K X) {                          \
        const gbl_Info info = GB_BEGIN(K, X, HANDLE);                                              \
        return info == GBL_SUCCESS ? explain(explanation, GB_OF(X)) : info;                        \
    }                                                                                              \
    gbl_Info gbl_##K##_wait(gbl_##K object, gbl_WaitMode mode) {                                   \
        if (gb_has_fast_path(GB_OF(object), GB_MAGIC_OF_##K, true) &&                              \
            gb_is_settled(GB_OF(object)) && gb_check_mode(mode) == GBL_SUCCESS)                    \
            return GBL_SUCCESS;                                                                    \
        gbl_Info info = GB_BEGIN(K, object, INPUT);                                                \
        if (info == GBL_SUCCESS) info = gb_check_mode(mode);                                       \
        return gb_end(object, info == GBL_SUCCESS ? gb_matrix_wait(GB_OF(object), mode) : info);   \
    }
GB_DEFINE(Matrix)
GB_DEFINE(Vector)

/* -- of one */

/* A fact that is a field of the object. */
#define GB_DEFINE_FACT(K, NAME, T, FIELD)                                                          \
    gbl_Info gbl_##K##_##NAME(T *NAME, gbl_##K X) {                                                \
        const gbl_Info info = begin_fact_##K(NAME, #NAME, X);                                      \
        if (info == GBL_SUCCESS) *NAME = GB_OF(X)->FIELD;                                          \
        return info;                                                                               \
    }
GB_DEFINE_FACT(Matrix, type, gbl_Type, type)
GB_DEFINE_FACT(Vector, type, gbl_Type, type)
GB_DEFINE_FACT(Matrix, nrows, gbl_Index, nrows)
GB_DEFINE_FACT(Matrix, ncols, gbl_Index, ncols)
GB_DEFINE_FACT(Vector, size, gbl_Index, nrows)

gbl_Info gbl_Matrix_diag(gbl_Matrix *C, gbl_Vector v, int64_t k) {
    gb_Matrix *made = NULL;
    gbl_Info info = begin_fact_Vector(C, "C", v);
    if (info != GBL_SUCCESS) return info;
    info = gb_matrix_diag(&made, GB_OF(v), k);
    *C = (gbl_Matrix)made;
    return info;
}

gbl_Info gbl_Matrix_tiles(gbl_TileFacts *facts, gbl_Matrix A) {
    const gbl_Info info = begin_fact_Matrix(facts, "facts", A);
    return info == GBL_SUCCESS ? gb_matrix_tiles(GB_OF(A), facts) : info;
}
