/* SPDX-License-Identifier: Apache-2.0
 *
 * Types: the predefined ones, user-defined ones, and what all algebra objects share: making and
 * freeing them, the check of handles, and their names.
 */
#include <stdio.h>

#include "core/memory.h"
#include "core/call.h"
#include "semiring/objects.h"

#define GB_DEFINE(N, T)                                                                            \
    const gb_Type gb_type_##N = {GB_MAGIC_TYPE, 0, NULL, GB_STATIC, GBL_##N##_CODE, sizeof(T)};    \
    gbl_Type const GBL_##N = GB_TYPE(N);
GBL_FOREACH_TYPE(GB_DEFINE)
GBL_FOREACH_COMPLEX(GB_DEFINE)
#undef GB_DEFINE

void *gb_algebra_make(uint64_t magic, size_t bytes) {
    gb_Algebra *made = gb_calloc(bytes);
    if (made == NULL)
        gb_fail_memory(bytes);
    else
        *made = (gb_Algebra){.magic = magic, .serial = gb_serial_next(), .refs = 1};
    return made;
}

void *gb_retain(const void *object) {
    gb_Algebra *const o = (gb_Algebra *)object; /* what is constant is not written */
    if (!gb_refs_static(&o->refs)) __atomic_add_fetch(&o->refs, 1, __ATOMIC_RELAXED);
    return o;
}

/* Releases the parts; the bytes of the object itself. */
static size_t release_parts(void *object) {
    const uint64_t magic = ((gb_Algebra *)object)->magic;
    switch (magic) {
    case GB_MAGIC_UNARY:
    case GB_MAGIC_BINARY:
    case GB_MAGIC_INDEX: {
        gb_Operator *const op = object;
        gb_Type *const types[] = {op->ztype, op->xtype, op->ytype};
        for (size_t k = 0; k < 3; k++)
            if (types[k] != NULL) gb_release(types[k]);
        if (magic == GB_MAGIC_UNARY) return sizeof(gb_UnaryOp);
        if (magic == GB_MAGIC_INDEX) return sizeof(gb_IndexUnaryOp);
        gb_free(((gb_BinaryOp *)object)->theta, ((gb_BinaryOp *)object)->theta_bytes);
        return sizeof(gb_BinaryOp);
    }
    case GB_MAGIC_MONOID: {
        gb_Monoid *const monoid = object;
        const size_t bytes = gb_monoid_bytes(monoid->op);
        gb_release(monoid->op);
        return bytes;
    }
    case GB_MAGIC_SEMIRING: {
        gb_Semiring *const ring = object;
        gb_release(ring->add);
        gb_release(ring->multiply);
        return sizeof(gb_Semiring);
    }
    default:
        return sizeof(gb_Type);
    }
}

void gb_release(void *object) {
    gb_Algebra *const o = object;
    if (gb_refs_static(&o->refs) || __atomic_sub_fetch(&o->refs, 1, __ATOMIC_ACQ_REL) != 0) return;
    const size_t bytes = release_parts(object);
    gb_name_free(o->name);
    o->magic = GB_MAGIC_FREED;
    gb_free(object, bytes);
}

gbl_Info gb_check_object(const void *object, uint64_t magic, const char *name, const char *kind) {
    if (object == NULL) return gb_fail(GBL_NULL_POINTER, "%s is NULL; it must be a %s", name, kind);
    if (*(const uint64_t *)object != magic)
        return gb_fail(GBL_UNINITIALIZED_OBJECT,
                       "%s is not a %s: it was freed, never made, or is another kind of object",
                       name, kind);
    return GBL_SUCCESS;
}

static const struct {
    const gb_Type *type;
    const char *name;
} builtin_types[GBL_FC64_CODE + 1] = {
#define GB_ENTRY(N, T) [GBL_##N##_CODE] = {&gb_type_##N, #N},
    GBL_FOREACH_TYPE(GB_ENTRY) GBL_FOREACH_COMPLEX(GB_ENTRY)
#undef GB_ENTRY
};

gb_Type *gb_type_of(gbl_Type_Code code) {
    return (size_t)code <= GBL_FC64_CODE ? (gb_Type *)builtin_types[code].type : NULL;
}

const char *gb_type_name(const gb_Type *type) {
    const char *const name = builtin_types[type->code].name;
    return name != NULL ? name : "a user-defined type";
}

bool gb_type_castable(const gb_Type *to, const gb_Type *from) {
    return to == from || (to->code != GBL_UDT_CODE && from->code != GBL_UDT_CODE);
}

gb_Type *gb_type_make(size_t size) {
    gb_Type *type = gb_algebra_make(GB_MAGIC_TYPE, sizeof(gb_Type));
    if (type == NULL) return NULL;
    type->code = GBL_UDT_CODE;
    type->size = size;
    return type;
}

/* -- names ------------------------------------------------------------------------------------- */

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

static const char *name_operator(const gb_Operator *op, char *room) {
    const gb_Opcode code = op->code;
    const gb_Type *type = op->magic == GB_MAGIC_INDEX ? op->ytype : op->xtype;
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
    case GB_MAGIC_BINARY:
    case GB_MAGIC_INDEX:
        return name_operator(object, room);
    case GB_MAGIC_MONOID:
        return name_monoid(object, room);
    case GB_MAGIC_SEMIRING:
        return name_semiring(object, room);
    default:
        snprintf(room, GB_NAME_ROOM, "%s_%s", prefix(true, object), gb_type_name(object));
        return room;
    }
}
