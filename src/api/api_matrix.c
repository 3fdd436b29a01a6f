/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_{new,dup,diag,clear,resize,free,nrows,ncols,nvals,type,formats,explain,tiles,
 * wait}.
 */
#include "api/check.h"
#include "matrix/copy.h"
#include "matrix/acquire.h"
#include "matrix/facts.h"
#include "lazy/operations.h"
#include "mxm/explain/explain.h"

static gbl_Info gb_begin(gbl_Matrix A) {
    const gbl_Info info = gb_check_init();
    return info == GBL_SUCCESS ? gb_check_matrix(A, "A") : info;
}

static gbl_Info gb_begin_reading(gbl_Matrix A) {
    const gbl_Info info = gb_check_init();
    return info == GBL_SUCCESS ? gb_check_input(A, "A") : info;
}

/* A, and where to put a fact about it. */
static gbl_Info gb_begin_fact(const void *out, const char *name, gbl_Matrix A) {
    const gbl_Info info = gb_begin_reading(A);
    return info == GBL_SUCCESS ? gb_check_pointer(out, name) : info;
}

/* -- lifetime */

gbl_Info gbl_Matrix_new(gbl_Matrix *A, gbl_Type type, gbl_Index nrows, gbl_Index ncols) {
    gbl_Info info = gb_check_pointer(A, "A");
    if (info != GBL_SUCCESS) return info;
    *A = NULL;
    info = gb_check_init();
    if (info == GBL_SUCCESS) info = gb_check_type(type, "type");
    if (info != GBL_SUCCESS) return info;

    gb_Matrix *made = NULL;
    info = gb_matrix_new(&made, GB_MAGIC_MATRIX, type, nrows, ncols);
    *A = (gbl_Matrix)made;
    return info;
}

gbl_Info gbl_Matrix_dup(gbl_Matrix *C, gbl_Matrix A) {
    const gbl_Info begun = gb_begin_fact(C, "C", A);
    if (begun != GBL_SUCCESS) return begun;

    gb_Matrix *made = NULL;
    const gbl_Info info = gb_matrix_dup(&made, &A->m);
    *C = (gbl_Matrix)made;
    return info;
}

gbl_Info gbl_Matrix_diag(gbl_Matrix *C, gbl_Vector v, int64_t k) {
    gbl_Info info = gb_check_init();
    if (info == GBL_SUCCESS) info = gb_check_pointer(C, "C");
    if (info == GBL_SUCCESS) info = gb_check_vector_input(v, "v");
    if (info != GBL_SUCCESS) return info;

    gb_Matrix *made = NULL;
    info = gb_matrix_diag(&made, &v->m, k);
    *C = (gbl_Matrix)made;
    return info;
}

gbl_Info gbl_Matrix_clear(gbl_Matrix A) {
    const gbl_Info info = gb_begin(A);
    if (info == GBL_SUCCESS) gb_matrix_clear(&A->m);
    return gb_end(A, info);
}

gbl_Info gbl_Matrix_resize(gbl_Matrix A, gbl_Index nrows, gbl_Index ncols) {
    const gbl_Info info = gb_begin(A);
    return gb_end(A, info == GBL_SUCCESS ? gb_matrix_resize(&A->m, nrows, ncols) : info);
}

gbl_Info gbl_Matrix_free(gbl_Matrix *object) {
    gbl_Info info = gb_check_pointer(object, "object");
    if (info != GBL_SUCCESS || *object == NULL) return info;
    info = gb_check_handle(*object, "*object");
    if (!gb_may_be_freed(GB_OF(*object), info)) return info;

    if (gb_deferred_leave(&(*object)->m)) gb_matrix_free(&(*object)->m);
    *object = NULL;
    return GBL_SUCCESS;
}

/* -- facts */

gbl_Info gbl_Matrix_nrows(gbl_Index *nrows, gbl_Matrix A) {
    const gbl_Info info = gb_begin_fact(nrows, "nrows", A);
    if (info == GBL_SUCCESS) *nrows = A->m.nrows;
    return info;
}

gbl_Info gbl_Matrix_ncols(gbl_Index *ncols, gbl_Matrix A) {
    const gbl_Info info = gb_begin_fact(ncols, "ncols", A);
    if (info == GBL_SUCCESS) *ncols = A->m.ncols;
    return info;
}

gbl_Info gbl_Matrix_nvals(gbl_Index *nvals, gbl_Matrix A) {
    const gbl_Info info = gb_begin_fact(nvals, "nvals", A);
    return info == GBL_SUCCESS ? gb_matrix_count(&A->m, nvals) : info;
}

gbl_Info gbl_Matrix_type(gbl_Type *type, gbl_Matrix A) {
    const gbl_Info info = gb_begin_fact(type, "type", A);
    if (info == GBL_SUCCESS) *type = A->m.type;
    return info;
}

gbl_Info gbl_Matrix_formats(gbl_Formats *formats, gbl_Matrix A) {
    const gbl_Info info = gb_begin_fact(formats, "formats", A);
    if (info == GBL_SUCCESS) gb_matrix_formats(&A->m, formats);
    return info;
}

gbl_Info gbl_Matrix_explain(gbl_Explanation *explanation, gbl_Matrix C) {
    gbl_Explanation why;
    gbl_Info info = gb_check_init();
    if (info == GBL_SUCCESS) info = gb_check_handle(C, "C");
    if (info == GBL_SUCCESS) info = gb_check_pointer(explanation, "explanation");
    if (info == GBL_SUCCESS)
        info = gb_check_sized(explanation, "explanation", "GBL_EXPLANATION_INIT");
    if (info == GBL_SUCCESS) info = gb_deferred_explain(&why, &C->m);
    if (info == GBL_SUCCESS) gb_give_sized(explanation, &why, sizeof why);
    return info;
}

gbl_Info gbl_Matrix_tiles(gbl_TileFacts *facts, gbl_Matrix A) {
    const gbl_Info info = gb_begin_fact(facts, "facts", A);
    return info == GBL_SUCCESS ? gb_matrix_tiles(&A->m, facts) : info;
}

gbl_Info gbl_Matrix_wait(gbl_Matrix object, gbl_WaitMode mode) {
    if (gb_is_mode(mode) && gb_output_has_fast_path(gb_of_matrix(object), GB_MAGIC_MATRIX) &&
        gb_is_settled(&object->m))
        return GBL_SUCCESS;
    gbl_Info info = gb_begin_reading(object);
    if (info == GBL_SUCCESS) info = gb_check_mode(mode);
    return gb_end(object, info == GBL_SUCCESS ? gb_matrix_wait(&object->m, mode) : info);
}
