/* SPDX-License-Identifier: Apache-2.0
 *
 * Index-binary operators: a function and its types, of which GxB_BinaryOp_new_IndexOp makes an
 * operator of gblite's with a value for theta.
 */
#include "compat.h"

#include <stdlib.h>

typedef struct GB_IndexBinaryOp_opaque {
    gbl_index_binary_function function;
    gbl_Type z, x, y, theta;
    char *name, *c_name, *definition;
} * GxB_IndexBinaryOp;

static char *copy_text(const char *text) {
    return strdup(text != NULL ? text : "");
}

COMPAT(GxB_IndexBinaryOp_free, GxB_IndexBinaryOp *op) {
    if (op == NULL || *op == NULL) return GBL_SUCCESS;
    free((*op)->name);
    free((*op)->c_name);
    free((*op)->definition);
    free(*op);
    *op = NULL;
    return GBL_SUCCESS;
}
COMPAT(GxB_IndexBinaryOp_new, GxB_IndexBinaryOp *op, gbl_index_binary_function f, gbl_Type z,
       gbl_Type x, gbl_Type y, gbl_Type theta, const char *name, const char *definition) {
    if (op == NULL || f == NULL || z == NULL || x == NULL || y == NULL || theta == NULL)
        return GBL_NULL_POINTER;
    *op = malloc(sizeof **op);
    if (*op == NULL) return GBL_OUT_OF_MEMORY;
    **op = (struct GB_IndexBinaryOp_opaque){
        f, z, x, y, theta, copy_text(NULL), copy_text(name), copy_text(definition)};
    if ((*op)->name != NULL && (*op)->c_name != NULL && (*op)->definition != NULL)
        return GBL_SUCCESS;
    GxB_IndexBinaryOp_free(op);
    return GBL_OUT_OF_MEMORY;
}
COMPAT(GxB_BinaryOp_new_IndexOp, gbl_BinaryOp *op, GxB_IndexBinaryOp index, gbl_Scalar theta) {
    gbl_Scalar value = NULL;
    if (op == NULL || index == NULL || theta == NULL) return GBL_NULL_POINTER;
    gbl_Type type;
    COMPAT_TRY(gbl_Scalar_type(&type, theta));
    if (type == index->theta)
        return gbl_BinaryOp_new_index(op, index->function, index->z, index->x, index->y, theta);
    void *block = malloc(compat_type_size(index->theta));
    if (block == NULL) return GBL_OUT_OF_MEMORY;
    gbl_Info info = compat_scalar_value(block, index->theta, theta);
    if (info == GBL_NO_VALUE) info = GBL_EMPTY_OBJECT;
    if (info == GBL_SUCCESS) info = compat_scalar(&value, index->theta, block);
    if (info == GBL_SUCCESS)
        info = gbl_BinaryOp_new_index(op, index->function, index->z, index->x, index->y, value);
    gbl_Scalar_free(&value);
    free(block);
    return info;
}
COMPAT(GxB_IndexBinaryOp_wait, GxB_IndexBinaryOp op, int mode) {
    (void)mode;
    return op == NULL ? GBL_NULL_POINTER : GBL_SUCCESS;
}
COMPAT(GxB_IndexBinaryOp_error, const char **text, GxB_IndexBinaryOp op) {
    if (text == NULL || op == NULL) return GBL_NULL_POINTER;
    *text = "";
    return GBL_SUCCESS;
}

static char **text_of(GxB_IndexBinaryOp op, int field) {
    if (field == GBL_NAME) return &op->name;
    if (field == GxB_JIT_C_NAME) return &op->c_name;
    if (field == GxB_JIT_C_DEFINITION) return &op->definition;
    return NULL;
}
COMPAT(GxB_IndexBinaryOp_get_String, GxB_IndexBinaryOp op, char *value, int field) {
    if (op == NULL || value == NULL) return GBL_NULL_POINTER;
    if (text_of(op, field) == NULL) return GBL_INVALID_VALUE;
    strcpy(value, *text_of(op, field));
    return GBL_SUCCESS;
}
COMPAT(GxB_IndexBinaryOp_get_SIZE, GxB_IndexBinaryOp op, size_t *value, int field) {
    if (op == NULL || value == NULL) return GBL_NULL_POINTER;
    if (text_of(op, field) == NULL) return GBL_INVALID_VALUE;
    *value = strlen(*text_of(op, field)) + 1;
    return GBL_SUCCESS;
}
COMPAT(GxB_IndexBinaryOp_set_String, GxB_IndexBinaryOp op, const char *value, int field) {
    if (op == NULL || value == NULL) return GBL_NULL_POINTER;
    if (text_of(op, field) == NULL) return GBL_INVALID_VALUE;
    char *copy = strdup(value);
    if (copy == NULL) return GBL_OUT_OF_MEMORY;
    free(*text_of(op, field));
    *text_of(op, field) = copy;
    return GBL_SUCCESS;
}
COMPAT(GxB_IndexBinaryOp_get_INT32, GxB_IndexBinaryOp op, int32_t *value, int field) {
    if (op == NULL || value == NULL) return GBL_NULL_POINTER;
    const gbl_Type type = field == GBL_INP0_TYPE_CODE    ? op->x
                          : field == GBL_INP1_TYPE_CODE  ? op->y
                          : field == GBL_OUTP_TYPE_CODE  ? op->z
                          : field == GxB_THETA_TYPE_CODE ? op->theta
                                                         : NULL;
    if (type != NULL) *value = compat_type_code(type);
    return type != NULL ? GBL_SUCCESS : GBL_INVALID_VALUE;
}
