/* SPDX-License-Identifier: Apache-2.0
 *
 * Types: the predefined ones, user-defined ones, and what all algebra objects share: making and
 * freeing them, and the check of handles.
 */
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
    switch (((gb_Algebra *)object)->magic) {
    case GB_MAGIC_UNARY: {
        gb_UnaryOp *const op = object;
        gb_release(op->ztype);
        gb_release(op->xtype);
        return sizeof(gb_UnaryOp);
    }
    case GB_MAGIC_BINARY: {
        gb_BinaryOp *const op = object;
        gb_release(op->ztype);
        gb_release(op->xtype);
        gb_release(op->ytype);
        gb_free(op->theta, op->theta_bytes);
        return sizeof(gb_BinaryOp);
    }
    case GB_MAGIC_INDEX: {
        gb_IndexUnaryOp *const op = object;
        gb_release(op->ztype);
        gb_release(op->xtype);
        gb_release(op->ytype);
        return sizeof(gb_IndexUnaryOp);
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
