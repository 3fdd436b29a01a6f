/* SPDX-License-Identifier: Apache-2.0
 *
 * Types: the predefined ones, user-defined ones, and what all algebra objects share: reference
 * counts and the check of handles.
 */
#include "core/memory.h"
#include "core/status.h"
#include "semiring/objects.h"

#define GB_DEFINE(N, T)                                                                            \
    const gb_Type gb_type_##N = {GB_MAGIC_TYPE, 0, GB_STATIC, GBL_##N##_CODE, sizeof(T), NULL};    \
    gbl_Type const GBL_##N = GB_TYPE(N);
GBL_FOREACH_TYPE(GB_DEFINE)
GBL_FOREACH_COMPLEX(GB_DEFINE)
#undef GB_DEFINE

void gb_refs_retain(int *refs) {
    if (!gb_refs_static(refs)) __atomic_add_fetch(refs, 1, __ATOMIC_RELAXED);
}

bool gb_refs_drop(int *refs) {
    if (gb_refs_static(refs)) return false;
    return __atomic_sub_fetch(refs, 1, __ATOMIC_ACQ_REL) == 0;
}

gbl_Info gb_check_object(const void *object, uint64_t magic, const char *name, const char *kind) {
    if (object == NULL) return gb_fail(GBL_NULL_POINTER, "%s is NULL; it must be a %s", name, kind);
    if (*(const uint64_t *)object != magic)
        return gb_fail(GBL_UNINITIALIZED_OBJECT,
                       "%s is not a %s: it was freed, never made, or is another kind of object",
                       name, kind);
    return GBL_SUCCESS;
}

gbl_Info gb_check_type(const gb_Type *type, const char *name) {
    return gb_check_object(type, GB_MAGIC_TYPE, name, "gbl_Type");
}

gb_Type *gb_type_of(gbl_Type_Code code) {
    switch (code) {
#define GB_CASE(N, T)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        return GB_TYPE(N);
        GBL_FOREACH_TYPE(GB_CASE)
        GBL_FOREACH_COMPLEX(GB_CASE)
#undef GB_CASE
    default:
        return NULL;
    }
}

const char *gb_type_name(const gb_Type *type) {
    switch (type->code) {
#define GB_CASE(N, T)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        return #N;
        GBL_FOREACH_TYPE(GB_CASE)
        GBL_FOREACH_COMPLEX(GB_CASE)
#undef GB_CASE
    default:
        return "a user-defined type";
    }
}

bool gb_type_castable(const gb_Type *to, const gb_Type *from) {
    return to == from || (to->code != GBL_UDT_CODE && from->code != GBL_UDT_CODE);
}

gb_Type *gb_type_make(size_t size) {
    gb_Type *type = gb_malloc(sizeof(gb_Type));
    if (type == NULL)
        gb_fail_memory(sizeof(gb_Type));
    else
        *type = (gb_Type){GB_MAGIC_TYPE, gb_serial_next(), 1, GBL_UDT_CODE, size, NULL};
    return type;
}

gb_Type *gb_type_retain(gb_Type *type) {
    gb_refs_retain(&type->refs);
    return type;
}

void gb_type_release(gb_Type *type) {
    if (!gb_refs_drop(&type->refs)) return;
    gb_name_free(type->name);
    type->magic = GB_MAGIC_FREED;
    gb_free(type, sizeof(gb_Type));
}
