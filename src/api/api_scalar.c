/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Scalar_{new,dup,clear,nvals,type,setElement,extractElement,free,wait}.
 */
#include "api/check.h"

static gbl_Info gb_begin(gbl_Scalar s) {
    const gbl_Info info = gb_check_init();
    return info == GBL_SUCCESS ? gb_check_scalar(s, "s") : info;
}

/* -- life */

static gbl_Info gb_new_scalar(gbl_Scalar *s, gb_Type *type) {
    gbl_Scalar made = gb_malloc(sizeof *made);
    if (made == NULL) return gb_fail_memory(sizeof *made);
    void *value = gb_calloc(type->size);
    if (value == NULL) {
        gb_free(made, sizeof *made);
        return gb_fail_memory(type->size);
    }
    *made = (struct gbl_Scalar_opaque){
        .magic = GB_MAGIC_SCALAR, .type = gb_retain(type), .value = value};
    *s = made;
    return GBL_SUCCESS;
}

gbl_Info gbl_Scalar_new(gbl_Scalar *s, gbl_Type type) {
    gbl_Info info = gb_begin_new(s, "s");
    if (info == GBL_SUCCESS) info = gb_check_type(type, "type");
    return info == GBL_SUCCESS ? gb_new_scalar(s, type) : info;
}

gbl_Info gbl_Scalar_dup(gbl_Scalar *t, gbl_Scalar s) {
    gbl_Info info = gb_check_pointer(t, "t");
    if (info == GBL_SUCCESS) info = gb_begin(s);
    if (info != GBL_SUCCESS) return info;

    gbl_Scalar copy = NULL;
    info = gb_new_scalar(&copy, s->type);
    *t = copy;
    if (info != GBL_SUCCESS) return info;
    copy->present = s->present;
    memcpy(copy->value, s->value, s->type->size);
    return GBL_SUCCESS;
}

gbl_Info gbl_Scalar_clear(gbl_Scalar s) {
    const gbl_Info info = gb_begin(s);
    if (info == GBL_SUCCESS) s->present = false;
    return gb_end(s, info);
}

gbl_Info gbl_Scalar_free(gbl_Scalar *object) {
    gbl_Info info = gb_check_pointer(object, "object");
    if (info != GBL_SUCCESS || *object == NULL) return info;
    gbl_Scalar s = *object;
    info = gb_check_scalar(s, "*object");
    if (info != GBL_SUCCESS) return info;

    gb_free(s->value, s->type->size);
    gb_release(s->type);
    gb_name_free(s->label.name);
    s->magic = GB_MAGIC_FREED;
    gb_free(s, sizeof *s);
    *object = NULL;
    return GBL_SUCCESS;
}

/* -- facts */

gbl_Info gbl_Scalar_nvals(gbl_Index *nvals, gbl_Scalar s) {
    gbl_Info info = gb_begin(s);
    if (info == GBL_SUCCESS) info = gb_check_pointer(nvals, "nvals");
    if (info == GBL_SUCCESS) *nvals = s->present ? 1 : 0;
    return info;
}

gbl_Info gbl_Scalar_type(gbl_Type *type, gbl_Scalar s) {
    gbl_Info info = gb_begin(s);
    if (info == GBL_SUCCESS) info = gb_check_pointer(type, "type");
    if (info == GBL_SUCCESS) *type = s->type;
    return info;
}

/* A scalar is complete at any time. */
gbl_Info gbl_Scalar_wait(gbl_Scalar object, gbl_WaitMode mode) {
    const gbl_Info info = gb_begin(object);
    return gb_end(object, info == GBL_SUCCESS ? gb_check_mode(mode) : info);
}

/* -- the value */

static gbl_Info gb_set_value(gbl_Scalar s, const void *x, gbl_Type_Code code) {
    const gb_Type *type;
    gbl_Info info = gb_begin(s);
    if (info == GBL_SUCCESS) info = gb_check_pointer(x, "x");
    if (info == GBL_SUCCESS) info = gb_passed_type(&type, code, s->type);
    if (info != GBL_SUCCESS) return info;

    gb_cast(s->type, s->value, type, x, 0, 1);
    s->present = true;
    return GBL_SUCCESS;
}

static gbl_Info gb_get_value(void *x, gbl_Type_Code code, gbl_Scalar s) {
    const gb_Type *type;
    gbl_Info info = gb_begin(s);
    if (info == GBL_SUCCESS) info = gb_check_pointer(x, "x");
    if (info == GBL_SUCCESS) info = gb_passed_type(&type, code, s->type);
    if (info != GBL_SUCCESS) return info;

    if (!s->present) return GBL_NO_VALUE;
    gb_cast(type, x, s->type, s->value, 0, 1);
    return GBL_SUCCESS;
}

#define GB_DEFINE(N, T)                                                                            \
    gbl_Info gbl_Scalar_setElement_##N(gbl_Scalar s, T x) {                                        \
        return gb_end(s, gb_set_value(s, &x, GBL_##N##_CODE));                                     \
    }
GBL_FOREACH_TYPE(GB_DEFINE)
GBL_FOREACH_COMPLEX(GB_DEFINE)
#undef GB_DEFINE

gbl_Info gbl_Scalar_setElement_UDT(gbl_Scalar s, const void *x) {
    return gb_end(s, gb_set_value(s, x, GBL_UDT_CODE));
}

#define GB_DEFINE(N, T)                                                                            \
    gbl_Info gbl_Scalar_extractElement_##N(T *x, gbl_Scalar s) {                                   \
        return gb_get_value(x, GBL_##N##_CODE, s);                                                 \
    }
GBL_FOREACH_ARRAY(GB_DEFINE)
#undef GB_DEFINE
