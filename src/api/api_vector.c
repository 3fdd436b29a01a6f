/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Vector_{new,dup,clear,resize,free,size,nvals,type,formats,explain,wait}.
 */
#include "api/check.h"
#include "matrix/acquire.h"
#include "matrix/facts.h"
#include "mxm/explain/explain.h"

static gbl_Info gb_begin(gbl_Vector v) {
    const gbl_Info info = gb_check_init();
    return info == GBL_SUCCESS ? gb_check_vector(v, "v") : info;
}

static gbl_Info gb_begin_reading(gbl_Vector v) {
    const gbl_Info info = gb_check_init();
    return info == GBL_SUCCESS ? gb_check_vector_input(v, "v") : info;
}

/* v, and where to put a fact about it. */
static gbl_Info gb_begin_fact(const void *out, const char *name, gbl_Vector v) {
    const gbl_Info info = gb_begin_reading(v);
    return info == GBL_SUCCESS ? gb_check_pointer(out, name) : info;
}

/* -- life */

gbl_Info gbl_Vector_new(gbl_Vector *v, gbl_Type type, gbl_Index size) {
    gbl_Info info = gb_check_pointer(v, "v");
    if (info != GBL_SUCCESS) return info;
    *v = NULL;
    info = gb_check_init();
    if (info == GBL_SUCCESS) info = gb_check_type(type, "type");
    if (info != GBL_SUCCESS) return info;

    gb_Matrix *made = NULL;
    info = gb_matrix_new(&made, GB_MAGIC_VECTOR, type, size, 1);
    *v = (gbl_Vector)made;
    return info;
}

gbl_Info gbl_Vector_dup(gbl_Vector *w, gbl_Vector u) {
    gbl_Info info = gb_check_init();
    if (info == GBL_SUCCESS) info = gb_check_vector_input(u, "u");
    if (info == GBL_SUCCESS) info = gb_check_pointer(w, "w");
    if (info != GBL_SUCCESS) return info;

    gb_Matrix *made = NULL;
    info = gb_matrix_dup(&made, &u->m);
    *w = (gbl_Vector)made;
    return info;
}

gbl_Info gbl_Vector_clear(gbl_Vector v) {
    const gbl_Info info = gb_begin(v);
    if (info == GBL_SUCCESS) gb_matrix_clear(&v->m);
    return gb_end(v, info);
}

gbl_Info gbl_Vector_resize(gbl_Vector v, gbl_Index size) {
    const gbl_Info info = gb_begin(v);
    return gb_end(v, info == GBL_SUCCESS ? gb_matrix_resize(&v->m, size, 1) : info);
}

gbl_Info gbl_Vector_free(gbl_Vector *object) {
    gbl_Info info = gb_check_pointer(object, "object");
    if (info != GBL_SUCCESS || *object == NULL) return info;
    info = gb_check_vector_handle(*object, "*object");
    if (!gb_may_be_freed(GB_OF(*object), info)) return info;

    if (gb_deferred_leave(&(*object)->m)) gb_matrix_free(&(*object)->m);
    *object = NULL;
    return GBL_SUCCESS;
}

/* -- facts */

gbl_Info gbl_Vector_size(gbl_Index *size, gbl_Vector v) {
    const gbl_Info info = gb_begin_fact(size, "size", v);
    if (info == GBL_SUCCESS) *size = v->m.nrows;
    return info;
}

gbl_Info gbl_Vector_nvals(gbl_Index *nvals, gbl_Vector v) {
    const gbl_Info info = gb_begin_fact(nvals, "nvals", v);
    return info == GBL_SUCCESS ? gb_matrix_count(&v->m, nvals) : info;
}

gbl_Info gbl_Vector_type(gbl_Type *type, gbl_Vector v) {
    const gbl_Info info = gb_begin_fact(type, "type", v);
    if (info == GBL_SUCCESS) *type = v->m.type;
    return info;
}

gbl_Info gbl_Vector_formats(gbl_Formats *formats, gbl_Vector v) {
    const gbl_Info info = gb_begin_fact(formats, "formats", v);
    if (info == GBL_SUCCESS) gb_matrix_formats(&v->m, formats);
    return info;
}

gbl_Info gbl_Vector_explain(gbl_Explanation *explanation, gbl_Vector w) {
    gbl_Explanation why;
    gbl_Info info = gb_begin_fact(explanation, "explanation", w);
    if (info == GBL_SUCCESS)
        info = gb_check_sized(explanation, "explanation", "GBL_EXPLANATION_INIT");
    if (info == GBL_SUCCESS) info = gb_explain_get(&why, &w->m);
    if (info == GBL_SUCCESS) gb_give_sized(explanation, &why, sizeof why);
    return info;
}

gbl_Info gbl_Vector_wait(gbl_Vector object, gbl_WaitMode mode) {
    if (gb_is_mode(mode) && gb_output_has_fast_path(gb_of_vector(object), GB_MAGIC_VECTOR) &&
        gb_is_settled(&object->m))
        return GBL_SUCCESS;
    gbl_Info info = gb_begin_reading(object);
    if (info == GBL_SUCCESS) info = gb_check_mode(mode);
    return gb_end(object, info == GBL_SUCCESS ? gb_matrix_wait(&object->m, mode) : info);
}
