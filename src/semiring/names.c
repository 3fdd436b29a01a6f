/* SPDX-License-Identifier: Apache-2.0
 *
 * See objects.h.
 */

#include <stdio.h>

#include "semiring/objects.h"

static const char *const opcode_names[] = {
#define OP(name) [GB_##name] = #name
#define OF(name) [GB_##name##_OF] = #name
    GB_FOREACH_OPCODE(OP, OF)};

/* Of an object on `type`; the standard has no complex numbers. */
static const char *prefix(bool is_standard, const gb_Type *type) {
    return is_standard && !gb_type_is_complex(type) ? "GrB" : "GBL";
}

/* There is one operator of this code, so its identifier has no type. */
static bool has_one_type(gb_Opcode code) {
    return code == GB_LNOT || (code >= GB_LOR && code <= GB_LXNOR) ||
           (code >= GB_TRIL && code <= GB_ROWGT);
}

static bool is_addition(gb_Opcode code) {
    return code == GB_ONE || code == GB_ANY || (code >= GB_ABSDIFF && code <= GB_SECONDJ1) ||
           code > GB_VALUEGE;
}

static const char *name_operator(gb_Opcode code, const gb_Type *type, char *room) {
    const bool one = has_one_type(code);
    snprintf(room, GB_NAME_ROOM, "%s_%s%s%s", prefix(!is_addition(code), type), opcode_names[code],
             one ? "" : "_", one ? "" : gb_type_name(type));
    return room;
}

static const char *name_monoid(const gb_Monoid *monoid, char *room) {
    const gb_Opcode code = monoid->op->code;
    const gb_Type *type = monoid->op->ztype;
    const bool is_standard = code != GB_ANY && (code < GB_BOR || code > GB_BXNOR);
    snprintf(room, GB_NAME_ROOM, "%s_%s_MONOID_%s", prefix(is_standard, type), opcode_names[code],
             gb_type_name(type));
    return room;
}

static const char *name_semiring(const gb_Semiring *ring, char *room) {
    const gb_Type *type = ring->add->op->ztype;
    const gb_Opcode add = ring->add->op->code, multiply = ring->multiply->code;
    const bool on_one_side = multiply == GB_FIRST || multiply == GB_SECOND;
    const bool is_standard = add != GB_ANY && multiply != GB_ONEB && !is_addition(multiply) &&
                             !(add == GB_PLUS && on_one_side);
    snprintf(room, GB_NAME_ROOM, "%s_%s_%s_SEMIRING_%s", prefix(is_standard, type),
             opcode_names[add], multiply == GB_ONEB ? "PAIR" : opcode_names[multiply],
             gb_type_name(type));
    return room;
}

const char *gb_name_of(const void *object, char *room) {
    const gb_Algebra *const o = object;
    if (!gb_refs_static(&o->refs)) return gb_name_text(&o->name);
    switch (o->magic) {
    case GB_MAGIC_UNARY:
        return name_operator(((const gb_UnaryOp *)o)->code, ((const gb_UnaryOp *)o)->xtype, room);
    case GB_MAGIC_BINARY:
        return name_operator(((const gb_BinaryOp *)o)->code, ((const gb_BinaryOp *)o)->xtype, room);
    case GB_MAGIC_INDEX:
        return name_operator(((const gb_IndexUnaryOp *)o)->code,
                             ((const gb_IndexUnaryOp *)o)->ytype, room);
    case GB_MAGIC_MONOID:
        return name_monoid(object, room);
    case GB_MAGIC_SEMIRING:
        return name_semiring(object, room);
    default:
        snprintf(room, GB_NAME_ROOM, "%s_%s", prefix(true, object), gb_type_name(object));
        return room;
    }
}
