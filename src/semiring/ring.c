/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding the specialised kernel of a semiring from its parts.
 */
#include <string.h>

#include "semiring/objects.h"

static const struct {
    gb_Opcode add, multiply;
    gbl_Type_Code type;
} gb_rings[GB_RING_GENERIC] = {
#define GB_ENTRY(name, add, multiply, type) {GB_##add, GB_##multiply, GBL_##type##_CODE},
    GB_FOREACH_RING(GB_ENTRY)
#undef GB_ENTRY
};

/* in two's complement the same bits come out, whether signed or not */
static bool gb_ignores_sign(gb_Opcode code) {
    return code == GB_PLUS || code == GB_TIMES || code == GB_FIRST || code == GB_SECOND ||
           code == GB_ONEB || code == GB_ANY;
}

static gbl_Type_Code gb_signed_code(gbl_Type_Code type) {
    switch (type) {
    case GBL_UINT8_CODE:
        return GBL_INT8_CODE;
    case GBL_UINT16_CODE:
        return GBL_INT16_CODE;
    case GBL_UINT32_CODE:
        return GBL_INT32_CODE;
    case GBL_UINT64_CODE:
        return GBL_INT64_CODE;
    default:
        return type;
    }
}

int gb_ring_lookup(const gb_Monoid *add, const gb_BinaryOp *multiply) {
    const gb_Monoid *const like = gb_monoid_predefined(add->op);
    const gb_Type *const type = add->op->ztype;
    if (like == NULL || memcmp(add->identity, like->identity, type->size) != 0 ||
        multiply->ztype != type || (gb_binary_uses_x(multiply) && multiply->xtype != type) ||
        (gb_binary_uses_y(multiply) && multiply->ytype != type))
        return GB_RING_GENERIC;

    const gb_Opcode plus = like->op->code;
    const gb_Opcode times = gb_opcode_canonical(multiply->code, multiply->xtype->code);
    const gbl_Type_Code code =
        gb_ignores_sign(plus) && gb_ignores_sign(times) ? gb_signed_code(type->code) : type->code;
    int ring = 0;
    while (ring < GB_RING_GENERIC &&
           !(gb_rings[ring].add == plus && gb_rings[ring].multiply == times &&
             gb_rings[ring].type == code))
        ring++;
    return ring;
}

/* MIN and MAX as multiplications stay out: of 0 and -0 they may take either. */
static gb_Opcode mirrored_multiply(gb_Opcode code) {
    if (code == GB_MIN || code == GB_MAX) return GB_USER;
    return code == GB_FIRST ? GB_SECOND : code == GB_SECOND ? GB_FIRST : code;
}

int gb_ring_mirrored(int ring) {
    if (ring < 0 || ring >= GB_RING_GENERIC) return GB_RING_GENERIC;
    const gb_Opcode wanted = mirrored_multiply(gb_rings[ring].multiply);
    int k = 0;
    while (k < GB_RING_GENERIC &&
           !(gb_rings[k].add == gb_rings[ring].add && gb_rings[k].multiply == wanted &&
             gb_rings[k].type == gb_rings[ring].type))
        k++;
    return k;
}
