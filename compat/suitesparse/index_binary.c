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
    char *text[3]; /* name, name in C, definition */
} * GxB_IndexBinaryOp;

COMPAT(GxB_IndexBinaryOp_free, GxB_IndexBinaryOp *op) {
    if (op == NULL || *op == NULL) return GBL_SUCCESS;
    for (int k = 0; k < 3; k++) free((*op)->text[k]);
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
    **op = (struct GB_IndexBinaryOp_opaque){f, z, x, y, theta, {NULL}};
    const char *const texts[] = {"", name != NULL ? name : "",
                                 definition != NULL ? definition : ""};
    for (int k = 0; k < 3 && *op != NULL; k++) {
        (*op)->text[k] = strdup(texts[k]);
        if ((*op)->text[k] == NULL) GxB_IndexBinaryOp_free(op);
    }
    return *op != NULL ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
}
COMPAT(GxB_BinaryOp_new_IndexOp, gbl_BinaryOp *op, GxB_IndexBinaryOp index, gbl_Scalar theta) {
    gbl_Scalar value = NULL;
    if (op == NULL || index == NULL || theta == NULL) return GBL_NULL_POINTER;
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
SAME(GxB_IndexBinaryOp_wait, (GxB_IndexBinaryOp op, int mode),
     ((void)mode, op == NULL ? GBL_NULL_POINTER : GBL_SUCCESS))
SAME(GxB_IndexBinaryOp_error, (const char **text, GxB_IndexBinaryOp op),
     op == NULL ? GBL_NULL_POINTER : GIVE(text, ""))

/* The text of the field; *info says what is wrong where there is none. */
static char **text_of(gbl_Info *info, GxB_IndexBinaryOp op, const void *value, int field) {
    const int k = field == GBL_NAME               ? 0
                  : field == GxB_JIT_C_NAME       ? 1
                  : field == GxB_JIT_C_DEFINITION ? 2
                                                  : -1;
    *info = op == NULL || value == NULL ? GBL_NULL_POINTER
            : k < 0                     ? GBL_INVALID_VALUE
                                        : GBL_SUCCESS;
    return *info == GBL_SUCCESS ? &op->text[k] : NULL;
}
COMPAT(GxB_IndexBinaryOp_get_String, GxB_IndexBinaryOp op, char *value, int field) {
    gbl_Info info;
    char **text = text_of(&info, op, value, field);
    if (text != NULL) strcpy(value, *text);
    return info;
}
COMPAT(GxB_IndexBinaryOp_get_SIZE, GxB_IndexBinaryOp op, size_t *value, int field) {
    gbl_Info info;
    char **text = text_of(&info, op, value, field);
    if (text != NULL) *value = strlen(*text) + 1;
    return info;
}
COMPAT(GxB_IndexBinaryOp_set_String, GxB_IndexBinaryOp op, const char *value, int field) {
    gbl_Info info;
    char **text = text_of(&info, op, value, field), *copy = text != NULL ? strdup(value) : NULL;
    if (text == NULL) return info;
    if (copy == NULL) return GBL_OUT_OF_MEMORY;
    free(*text);
    *text = copy;
    return GBL_SUCCESS;
}
COMPAT(GxB_IndexBinaryOp_get_INT32, GxB_IndexBinaryOp op, int32_t *value, int field) {
    if (op == NULL || value == NULL) return GBL_NULL_POINTER;
    const gbl_Type type = field == GBL_INP0_TYPE_CODE    ? op->x
                          : field == GBL_INP1_TYPE_CODE  ? op->y
                          : field == GBL_OUTP_TYPE_CODE  ? op->z
                          : field == GxB_THETA_TYPE_CODE ? op->theta
                                                         : NULL;
    return type != NULL ? GIVE(value, compat_type_code(type)) : GBL_INVALID_VALUE;
}
