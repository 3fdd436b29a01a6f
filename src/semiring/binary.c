/* SPDX-License-Identifier: Apache-2.0
 *
 * Binary operators: user-defined ones, references, and facts about what they use.
 */
#include "core/memory.h"
#include "core/status.h"
#include "semiring/objects.h"

void gb_batch_scalar(const gb_BinaryOp *op, size_t n, void *z, const void *x, int sx, const void *y,
                     int sy) {
    const size_t zsize = op->ztype->size;
    const size_t xstep = sx != 0 ? op->xtype->size : 0;
    const size_t ystep = sy != 0 ? op->ytype->size : 0;
    for (size_t k = 0; k < n; k++)
        op->scalar((char *)z + k * zsize, (const char *)x + k * xstep, (const char *)y + k * ystep);
}

gb_BinaryOp *gb_binary_make(gbl_binary_function f, gb_Type *z, gb_Type *x, gb_Type *y) {
    gb_BinaryOp *op = gb_malloc(sizeof(gb_BinaryOp));
    if (op == NULL)
        gb_fail_memory(sizeof(gb_BinaryOp));
    else
        *op = (gb_BinaryOp){.magic = GB_MAGIC_BINARY,
                            .serial = gb_serial_next(),
                            .refs = 1,
                            .code = GB_USER,
                            .ztype = gb_type_retain(z),
                            .xtype = gb_type_retain(x),
                            .ytype = gb_type_retain(y),
                            .batch = gb_batch_scalar,
                            .scalar = f};
    return op;
}

gb_BinaryOp *gb_binary_make_index(gbl_index_binary_function f, gb_Type *z, gb_Type *x, gb_Type *y,
                                  void *theta, size_t theta_bytes) {
    gb_BinaryOp *op = gb_binary_make(NULL, z, x, y);
    if (op == NULL) return NULL;
    op->batch = NULL;
    op->index = f;
    op->theta = theta;
    op->theta_bytes = theta_bytes;
    return op;
}

gb_BinaryOp *gb_binary_retain(gb_BinaryOp *op) {
    gb_refs_retain(&op->refs);
    return op;
}

void gb_binary_release(gb_BinaryOp *op) {
    if (!gb_refs_drop(&op->refs)) return;
    gb_type_release(op->ztype);
    gb_type_release(op->xtype);
    gb_type_release(op->ytype);
    gb_name_free(op->name);
    gb_free(op->theta, op->theta_bytes);
    op->magic = GB_MAGIC_FREED;
    gb_free(op, sizeof(gb_BinaryOp));
}

gbl_Info gb_check_binary(const gb_BinaryOp *op, const char *name) {
    return gb_check_object(op, GB_MAGIC_BINARY, name, "gbl_BinaryOp");
}

static gb_Opcode gb_opcode_of_bool(gb_Opcode code) {
    switch (code) {
    case GB_PLUS:
    case GB_MAX:
        return GB_LOR;
    case GB_TIMES:
    case GB_MIN:
        return GB_LAND;
    case GB_MINUS:
    case GB_ABSDIFF:
    case GB_NE:
        return GB_LXOR;
    case GB_EQ:
        return GB_LXNOR;
    case GB_DIV:
        return GB_FIRST;
    default:
        return code;
    }
}

gb_Opcode gb_opcode_canonical(gb_Opcode code, gbl_Type_Code type) {
    if (type == GBL_BOOL_CODE) return gb_opcode_of_bool(code);
    return code == GB_FIRSTJ ? GB_SECONDI : code == GB_FIRSTJ1 ? GB_SECONDI1 : code;
}

bool gb_binary_uses_x(const gb_BinaryOp *op) {
    const gb_Opcode code = gb_opcode_canonical(op->code, op->xtype->code);
    return code != GB_SECOND && code != GB_ONEB && !gb_binary_is_index(op);
}

bool gb_binary_uses_y(const gb_BinaryOp *op) {
    const gb_Opcode code = gb_opcode_canonical(op->code, op->xtype->code);
    return code != GB_FIRST && code != GB_ANY && code != GB_ONEB && !gb_binary_is_index(op);
}
