/* SPDX-License-Identifier: Apache-2.0
 *
 * SuiteSparse's vectors are matrices of one column, and programs cast their handles. gblite's are
 * of two kinds: where a call finds the other one, it is made again on a copy. What C(vector) gets
 * is copied back into the vector.
 */
#include "compat.h"

#include "api/objects.h"
#include "matrix/object.h"

bool compat_is_other(const void *object, char wanted) {
    if (object == NULL) return false;
    const uint64_t magic = *(const uint64_t *)object;
    return magic == GB_MAGIC_SCALAR || magic == (wanted == 'm' ? GB_MAGIC_VECTOR : GB_MAGIC_MATRIX);
}

bool compat_is_matrix(const void *object) {
    return object != NULL && *(const uint64_t *)object == GB_MAGIC_MATRIX;
}

static bool is_scalar(const void *object) {
    return *(const uint64_t *)object == GB_MAGIC_SCALAR;
}

/* Scalars are vectors of one element, and matrices of one row and column. */
static void copy_scalar(compat_Copy *copy, gbl_Scalar s, bool to_matrix) {
    gbl_Type type;
    copy->of = s;
    if (gbl_Scalar_type(&type, s) != GBL_SUCCESS) return;
    if (to_matrix && gbl_Matrix_new(&copy->matrix, type, 1, 1) == GBL_SUCCESS)
        gbl_Matrix_setElement_Scalar(copy->matrix, s, 0, 0);
    if (!to_matrix && gbl_Vector_new(&copy->vector, type, 1) == GBL_SUCCESS)
        gbl_Vector_setElement_Scalar(copy->vector, s, 0);
}

gbl_Matrix compat_matrix_copy(compat_Copy *copy, const void *vector) {
    if (is_scalar(vector)) {
        copy_scalar(copy, (gbl_Scalar)vector, true);
        return copy->matrix;
    }
    gbl_Vector v = (gbl_Vector)vector;
    gbl_Type type;
    gbl_Index n;
    copy->of = vector;
    if (gbl_Vector_type(&type, v) == GBL_SUCCESS && gbl_Vector_size(&n, v) == GBL_SUCCESS &&
        gbl_Matrix_new(&copy->matrix, type, n, 1) == GBL_SUCCESS)
        gbl_Col_assign(copy->matrix, NULL, NULL, v, GBL_ALL, 0, 0, NULL);
    return copy->matrix;
}

gbl_Vector compat_vector_copy(compat_Copy *copy, const void *matrix) {
    if (is_scalar(matrix)) {
        copy_scalar(copy, (gbl_Scalar)matrix, false);
        return copy->vector;
    }
    gbl_Matrix A = (gbl_Matrix)matrix;
    gbl_Type type;
    gbl_Index nrows, ncols;
    copy->of = matrix;
    if (gbl_Matrix_type(&type, A) == GBL_SUCCESS && gbl_Matrix_nrows(&nrows, A) == GBL_SUCCESS &&
        gbl_Matrix_ncols(&ncols, A) == GBL_SUCCESS && ncols == 1 &&
        gbl_Vector_new(&copy->vector, type, nrows) == GBL_SUCCESS)
        gbl_Col_extract(copy->vector, NULL, NULL, A, GBL_ALL, 0, 0, NULL);
    return copy->vector;
}

gbl_Info compat_copy_back(compat_Copy *copy, gbl_Info info, bool is_output) {
    const bool back = is_output && info == GBL_SUCCESS && copy->of != NULL;
    if (back && is_scalar(copy->of))
        info = copy->matrix != NULL
                   ? gbl_Matrix_extractElement_Scalar((gbl_Scalar)copy->of, copy->matrix, 0, 0)
                   : gbl_Vector_extractElement_Scalar((gbl_Scalar)copy->of, copy->vector, 0);
    else if (back && copy->matrix != NULL)
        info = gbl_Col_extract((gbl_Vector)copy->of, NULL, NULL, copy->matrix, GBL_ALL, 0, 0, NULL);
    else if (back && copy->vector != NULL) {
        gbl_Matrix A = (gbl_Matrix)copy->of;
        info = gbl_Col_assign(A, NULL, NULL, copy->vector, GBL_ALL, 0, 0, NULL);
    }
    gbl_Matrix_free(&copy->matrix);
    gbl_Vector_free(&copy->vector);
    return info;
}

/* Whether an object that a call takes for another kind, perhaps, is a matrix. */
static bool is_matrix(const void *object, char wanted) {
    return (wanted == 'm') != compat_is_other(object, wanted);
}
gbl_Info compat_wait(const void *object, char wanted, gbl_WaitMode mode) {
    if (object != NULL && is_scalar(object)) return gbl_Scalar_wait((gbl_Scalar)object, mode);
    return is_matrix(object, wanted) ? gbl_Matrix_wait((gbl_Matrix)object, mode)
                                     : gbl_Vector_wait((gbl_Vector)object, mode);
}
gbl_Info compat_free(void **object, char wanted) {
    if (is_scalar(*object)) return gbl_Scalar_free((gbl_Scalar *)object);
    return is_matrix(*object, wanted) ? gbl_Matrix_free((gbl_Matrix *)object)
                                      : gbl_Vector_free((gbl_Vector *)object);
}

gbl_Info compat_formats(gbl_Formats *formats, const void *object) {
    compat_Copy copy = {0};
    if (object == NULL) return GBL_NULL_POINTER;
    if (is_scalar(object)) object = compat_vector_copy(&copy, object);
    gbl_Info info = compat_wait(object, 'm', GBL_MATERIALIZE);
    if (info == GBL_SUCCESS)
        info = compat_is_matrix(object) ? gbl_Matrix_formats(formats, (gbl_Matrix)object)
                                        : gbl_Vector_formats(formats, (gbl_Vector)object);
    if (info == GBL_SUCCESS)
        formats->iso = formats->present != 0 && (formats->iso || copy.vector != NULL);
    return compat_copy_back(&copy, info, false);
}

/* -- tiles */

/* Matrices in place of the vectors and scalars among n tiles; NULL without memory. */
static gbl_Matrix *tiles_as_matrices(compat_Copy *copies, const gbl_Matrix *tiles, gbl_Index n) {
    gbl_Matrix *matrices = gbl_Memory_malloc((n + 1) * sizeof *matrices);
    for (gbl_Index k = 0; matrices != NULL && k < n; k++)
        matrices[k] =
            compat_is_other(tiles[k], 'm') ? compat_matrix_copy(&copies[k], tiles[k]) : tiles[k];
    return matrices;
}
COMPAT(GxB_Matrix_concat, gbl_Matrix C, const gbl_Matrix *tiles, gbl_Index m, gbl_Index n,
       gbl_Descriptor desc) {
    gbl_Info info = gbl_Matrix_concat(C, tiles, m, n, desc);
    if (info != GBL_UNINITIALIZED_OBJECT || tiles == NULL) return info;
    const gbl_Index count = m * n;
    compat_Copy *copies = gbl_Memory_malloc((count + 1) * sizeof *copies), to = {0};
    if (copies != NULL) memset(copies, 0, (count + 1) * sizeof *copies);
    gbl_Matrix *matrices = copies != NULL ? tiles_as_matrices(copies, tiles, count) : NULL;
    info = GBL_OUT_OF_MEMORY;
    if (matrices != NULL) {
        if (compat_is_other(C, 'm')) C = compat_matrix_copy(&to, C);
        info = gbl_Matrix_concat(C, matrices, m, n, desc);
        for (gbl_Index k = 0; k < count; k++) info = compat_copy_back(&copies[k], info, false);
        info = compat_copy_back(&to, info, true);
    }
    gbl_Memory_free(matrices);
    gbl_Memory_free(copies);
    return info;
}
