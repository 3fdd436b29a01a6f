/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_{Matrix,Vector}_{setElement,removeElement,extractElement}.
 */
#include "api/check.h"
#include "matrix/updates.h"

/* -- the one body of each; A is a checked object, a vector has column 0 */

static gbl_Info gb_check_position(const gb_Matrix *A, gbl_Index i, gbl_Index j) {
    const bool vector = gb_is_vector(A);
    gbl_Info info = gb_check_index_below(i, A->nrows, vector ? "index" : "row index");
    if (info == GBL_SUCCESS) info = gb_check_index_below(j, A->ncols, "column index");
    return info;
}

static inline bool gb_is_within(const gb_Matrix *A, gbl_Type_Code code, gbl_Index i, gbl_Index j) {
    return A->type->code == code && i < A->nrows && j < A->ncols;
}

static gbl_Info gb_set_element(gb_Matrix *A, const void *x, gbl_Type_Code code, gbl_Index i,
                               gbl_Index j) {
    if (x != NULL && gb_is_within(A, code, i, j)) return gb_update(A, i, j, x);
    const gb_Type *type;
    gbl_Info info = gb_check_pointer(x, "x");
    if (info == GBL_SUCCESS) info = gb_passed_type(&type, code, A->type);
    if (info == GBL_SUCCESS) info = gb_check_position(A, i, j);
    if (info != GBL_SUCCESS) return info;

    gb_Builtin cast; /* only built-in types cast */
    if (type != A->type) {
        gb_cast(A->type, &cast, type, x, 0, 1);
        x = &cast;
    }
    return gb_update(A, i, j, x);
}

static gbl_Info gb_set_scalar(gb_Matrix *A, gbl_Scalar s, gbl_Index i, gbl_Index j) {
    gbl_Info info = gb_check_scalar(s, "x");
    if (info == GBL_SUCCESS) info = gb_check_cast(A->type, s->type, "x into the object");
    if (info == GBL_SUCCESS) info = gb_check_position(A, i, j);
    if (info != GBL_SUCCESS) return info;

    if (!s->present) return gb_update(A, i, j, NULL);
    return gb_set_element(A, s->value, s->type->code, i, j);
}

static gbl_Info gb_extract_element(void *x, gbl_Type_Code code, gb_Matrix *A, gbl_Index i,
                                   gbl_Index j) {
    const gb_Type *type;
    bool exists = false;
    gbl_Info info = gb_check_pointer(x, "x");
    if (info == GBL_SUCCESS) info = gb_passed_type(&type, code, A->type);
    if (info == GBL_SUCCESS) info = gb_check_position(A, i, j);
    if (info == GBL_SUCCESS) info = gb_element_extract(A, i, j, type, x, &exists);
    return info == GBL_SUCCESS && !exists ? GBL_NO_VALUE : info;
}

static gbl_Info gb_extract_scalar(gbl_Scalar s, gb_Matrix *A, gbl_Index i, gbl_Index j) {
    bool exists = false;
    gbl_Info info = gb_check_scalar(s, "x");
    if (info == GBL_SUCCESS) info = gb_check_cast(s->type, A->type, "the object into x");
    if (info == GBL_SUCCESS) info = gb_check_position(A, i, j);
    if (info == GBL_SUCCESS) info = gb_element_extract(A, i, j, s->type, s->value, &exists);
    if (info == GBL_SUCCESS) s->present = exists;
    return info;
}

/* -- the usual case, without the functions that others go through: an element that is at hand, as a
 * value of the object's own type */

/* Another value for an entry that exists. False: another case. */
static inline bool gb_set_at_hand(gb_Matrix *A, uint64_t magic, const void *x, gbl_Type_Code code,
                                  gbl_Index i, gbl_Index j) {
    return x != NULL && gb_has_fast_path(A, magic, true) && gb_is_within(A, code, i, j) &&
           gb_overwrite_at_hand(A, i, j, x);
}

/* *found: where the value of the entry is, or NULL. False: another case. */
static inline bool gb_find_at_hand(const void **found, const gb_Matrix *A, uint64_t magic,
                                   gbl_Type_Code code, gbl_Index i, gbl_Index j) {
    const gb_Format usual = magic == GB_MAGIC_VECTOR ? GB_CSC : GB_CSR;
    return gb_has_fast_path(A, magic, false) && gb_is_within(A, code, i, j) &&
           gb_element_at_hand(A, usual, i, j, found);
}

/* -- setElement, removeElement */

#define GB_DEFINE_SET(K, N, T, X)                                                                  \
    gbl_Info gbl_##K##_setElement_##N(gbl_##K A, T x, GB_AT_##K) {                                 \
        if (gb_set_at_hand(GB_OF(A), GB_MAGIC_OF_##K, X, GBL_##N##_CODE, i, GB_COLUMN_##K))        \
            return GBL_SUCCESS;                                                                    \
        gbl_Info info = GB_BEGIN(K, A, OUTPUT);                                                    \
        if (info == GBL_SUCCESS)                                                                   \
            info = gb_set_element(&A->m, X, GBL_##N##_CODE, i, GB_COLUMN_##K);                     \
        return gb_end(A, info);                                                                    \
    }
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_SET(Matrix, N, T, &x)                                                                \
    GB_DEFINE_SET(Vector, N, T, &x)
GBL_FOREACH_TYPE(GB_DEFINE)
GBL_FOREACH_COMPLEX(GB_DEFINE)
GB_DEFINE_SET(Matrix, UDT, const void *, x)
GB_DEFINE_SET(Vector, UDT, const void *, x)
#undef GB_DEFINE

/* -- extractElement */

/* Bytes of a value of the object, which are known where it is of a built-in type. */
#define GB_SIZE(N, T, A) (GBL_##N##_CODE == GBL_UDT_CODE ? (A)->m.type->size : sizeof(T))

#define GB_DEFINE_EXTRACT(K, N, T)                                                                 \
    gbl_Info gbl_##K##_extractElement_##N(T *x, gbl_##K A, GB_AT_##K) {                            \
        const void *found;                                                                         \
        if (x != NULL && gb_find_at_hand(&found, GB_OF(A), GB_MAGIC_OF_##K, GBL_##N##_CODE, i,     \
                                         GB_COLUMN_##K)) {                                         \
            if (found == NULL) return GBL_NO_VALUE;                                                \
            gb_copy_value(x, found, GB_SIZE(N, T, A));                                             \
            return GBL_SUCCESS;                                                                    \
        }                                                                                          \
        const gbl_Info info = GB_BEGIN(K, A, INPUT);                                               \
        if (info != GBL_SUCCESS) return info;                                                      \
        return gb_extract_element(x, GBL_##N##_CODE, &A->m, i, GB_COLUMN_##K);                     \
    }
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_EXTRACT(Matrix, N, T)                                                                \
    GB_DEFINE_EXTRACT(Vector, N, T)
GBL_FOREACH_ARRAY(GB_DEFINE)
#undef GB_DEFINE

/* -- elements as Scalars, and whether there is one */

static gbl_Info gb_remove(gb_Matrix *A, gbl_Index i, gbl_Index j) {
    const gbl_Info info = gb_check_position(A, i, j);
    return info == GBL_SUCCESS ? gb_update(A, i, j, NULL) : info;
}

static gbl_Info gb_is_stored(gb_Matrix *A, gbl_Index i, gbl_Index j) {
    const void *found = NULL;
    gbl_Info info = gb_check_position(A, i, j);
    if (info == GBL_SUCCESS) info = gb_element_find(A, i, j, &found);
    return info == GBL_SUCCESS && found == NULL ? GBL_NO_VALUE : info;
}

#define GB_DEFINE(K)                                                                               \
    gbl_Info gbl_##K##_setElement_Scalar(gbl_##K A, gbl_Scalar x, GB_AT_##K) {                     \
        const gbl_Info info = GB_BEGIN(K, A, OUTPUT);                                              \
        return gb_end(A, info == GBL_SUCCESS ? gb_set_scalar(&A->m, x, i, GB_COLUMN_##K) : info);  \
    }                                                                                              \
    gbl_Info gbl_##K##_removeElement(gbl_##K A, GB_AT_##K) {                                       \
        if (gb_has_fast_path(GB_OF(A), GB_MAGIC_OF_##K, true) &&                                   \
            gb_is_within(GB_OF(A), GB_OF(A)->type->code, i, GB_COLUMN_##K) &&                      \
            gb_overwrite_at_hand(GB_OF(A), i, GB_COLUMN_##K, NULL))                                \
            return GBL_SUCCESS;                                                                    \
        const gbl_Info info = GB_BEGIN(K, A, OUTPUT);                                              \
        return gb_end(A, info == GBL_SUCCESS ? gb_remove(&A->m, i, GB_COLUMN_##K) : info);         \
    }                                                                                              \
    gbl_Info gbl_##K##_extractElement_Scalar(gbl_Scalar x, gbl_##K A, GB_AT_##K) {                 \
        gbl_Info info = GB_BEGIN(K, A, INPUT);                                                     \
        if (info == GBL_SUCCESS) info = gb_extract_scalar(x, &A->m, i, GB_COLUMN_##K);             \
        return gb_end(x, info);                                                                    \
    }                                                                                              \
    gbl_Info gbl_##K##_isStoredElement(gbl_##K A, GB_AT_##K) {                                     \
        const gbl_Info info = GB_BEGIN(K, A, OUTPUT);                                              \
        return info == GBL_SUCCESS ? gb_is_stored(&A->m, i, GB_COLUMN_##K) : info;                 \
    }
GB_DEFINE(Matrix)
GB_DEFINE(Vector)
