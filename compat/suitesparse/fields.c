/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields of objects: GrB_get and GrB_set, GxB_Matrix_Option, GxB_Vector_Option, GxB_Desc. Codes of
 * types and names of predefined objects are translated; what gblite does not keep is kept in the
 * table of extras.c and changes nothing but what is reported.
 */
#include "compat.h"

#include "api/objects.h"
#include "matrix/object.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------------ descriptors -- */

static bool is_desc_extra(int field) {
    return field >= GxB_AxB_METHOD && field <= GxB_VALUE_LIST;
}

static gbl_Info desc_set(gbl_Descriptor desc, int32_t value, int field) {
    if (field >= GxB_NTHREADS && field <= GxB_GPU_ID) return GBL_SUCCESS; /* of contexts */
    if (!is_desc_extra(field))
        return gbl_Descriptor_set(desc, (gbl_Desc_Field)field, (gbl_Desc_Value)value);
    size_t size;
    COMPAT_TRY(gbl_Descriptor_get_SIZE(desc, &size, GBL_NAME)); /* is it one? */
    const bool known = field != GxB_AxB_METHOD || value == 0 || value == GxB_AxB_GUSTAVSON ||
                       (value >= GxB_AxB_DOT && value <= GxB_AxB_SAXPY);
    if (!known) return gbl_fail(GBL_INVALID_VALUE, desc, "%d is no method", value);
    compat_Extra *extra = compat_extra_made(desc);
    if (extra == NULL) return GBL_OUT_OF_MEMORY;
    extra->desc[field - GxB_AxB_METHOD] = value;
    return GBL_SUCCESS;
}

gbl_Info compat_desc_get(gbl_Descriptor desc, int32_t *value, int field) {
    if (value == NULL) return GBL_NULL_POINTER;
    if (field >= GxB_NTHREADS && field <= GxB_GPU_ID) {
        *value = 0;
        return GBL_SUCCESS;
    }
    if (!is_desc_extra(field)) {
        if (desc == NULL) *value = GBL_DEFAULT;
        return desc == NULL ? GBL_SUCCESS : gbl_Descriptor_get_INT32(desc, value, field);
    }
    compat_Extra *extra = compat_extra(desc);
    *value = extra != NULL ? extra->desc[field - GxB_AxB_METHOD] : 0;
    return GBL_SUCCESS;
}

bool compat_is_structural(gbl_Descriptor desc) {
    int32_t value = 0;
    return desc != NULL && gbl_Descriptor_get_INT32(desc, &value, GBL_MASK) == GBL_SUCCESS &&
           value == GBL_STRUCTURE;
}

SAME(GrB_Descriptor_set, (gbl_Descriptor desc, int field, int value), desc_set(desc, value, field))
SAME(GrB_Descriptor_set_INT32, (gbl_Descriptor desc, int32_t value, int field),
     desc_set(desc, value, field))
SAME(GrB_Descriptor_get_INT32, (gbl_Descriptor desc, int32_t *value, int field),
     compat_desc_get(desc, value, field))
SAME(GxB_Desc_set_INT32, (gbl_Descriptor desc, int field, int32_t value),
     desc_set(desc, value, field))
SAME(GxB_Desc_get_INT32, (gbl_Descriptor desc, int field, int32_t *value),
     compat_desc_get(desc, value, field))
SAME(GxB_Desc_set_FP64, (gbl_Descriptor desc, int field, double value),
     ((void)desc, (void)value, field == GxB_CHUNK ? GBL_SUCCESS : GBL_INVALID_VALUE))
SAME(GxB_Desc_get_FP64, (gbl_Descriptor desc, int field, double *value),
     ((void)desc, field != GxB_CHUNK ? GBL_INVALID_VALUE : GIVE(value, 0)))
COMPAT(GxB_Desc_set, gbl_Descriptor desc, int field, ...) {
    va_list list;
    va_start(list, field);
    const gbl_Info info =
        field == GxB_CHUNK ? GBL_SUCCESS : desc_set(desc, va_arg(list, int), field);
    va_end(list);
    return info;
}
COMPAT(GxB_Desc_get, gbl_Descriptor desc, int field, ...) {
    va_list list;
    va_start(list, field);
    const gbl_Info info = field == GxB_CHUNK
                              ? GxB_Desc_get_FP64(desc, field, va_arg(list, double *))
                              : compat_desc_get(desc, va_arg(list, int32_t *), field);
    va_end(list);
    return info;
}
SAME(GxB_Descriptor_get, (int *value, gbl_Descriptor desc, int field),
     compat_desc_get(desc, value, field))

/* What free returns there: success for what is no object, too, whose handle stays. */
static gbl_Info freed(gbl_Info info) {
    return info == GBL_UNINITIALIZED_OBJECT ? GBL_SUCCESS : info;
}

/* Handles of predefined objects stay. */
COMPAT(GrB_Descriptor_free, gbl_Descriptor *desc) {
    if (desc == NULL || *desc == NULL || (*desc)->predefined) return GBL_SUCCESS;
    compat_extra_drop(*desc);
    return freed(gbl_Descriptor_free(desc));
}

/* --------------------------------------------------------------------- matrices and vectors -- */

static gbl_Info option_get(const void *object, bool is_matrix, int32_t *value, int field) {
    if (object == NULL || value == NULL) return GBL_NULL_POINTER;
    if (*(const uint64_t *)object == GB_MAGIC_SCALAR) { /* as SuiteSparse's vector of one element */
        compat_Copy copy = {0};
        gbl_Vector v = compat_vector_copy(&copy, object);
        const gbl_Info info = v != NULL ? option_get(v, false, value, field) : GBL_OUT_OF_MEMORY;
        return compat_copy_back(&copy, info, false);
    }
    const compat_Extra *extra = compat_extra(object);
    gbl_Formats formats;
    const bool bits = field >= GxB_ROWINDEX_INTEGER_BITS && field <= GxB_OFFSET_INTEGER_BITS;
    if (bits || compat_is_hint(field) || field == GxB_HYPER_HASH) {
        const bool wide = field == GxB_OFFSET_INTEGER_BITS || gb_is_huge((const gb_Matrix *)object);
        *value = bits ? (wide ? 64 : 32) /* of the arrays of Containers */
                      : field == GxB_HYPER_HASH;
        return GBL_SUCCESS;
    }
    switch (field) {
    case GxB_WILL_WAIT:
        COMPAT_TRY(is_matrix ? gbl_Matrix_formats(&formats, (gbl_Matrix)object)
                             : gbl_Vector_formats(&formats, (gbl_Vector)object));
        *value = formats.pending > 0;
        return GBL_SUCCESS;
    case GxB_ISO:
        COMPAT_TRY(compat_formats(&formats, object));
        *value = formats.iso;
        return GBL_SUCCESS;
    case GxB_IS_READONLY:
        *value = extra != NULL && extra->lent != NULL && extra->lent->keeps;
        return GBL_SUCCESS;
    case GxB_FORMAT:
        *value = is_matrix ? compat_by_column((gbl_Matrix)object) : GxB_BY_COL;
        return GBL_SUCCESS;
    case GBL_STORAGE_ORIENTATION_HINT:
        *value = !is_matrix || compat_by_column((gbl_Matrix)object) ? GBL_COLMAJOR : GBL_ROWMAJOR;
        return GBL_SUCCESS;
    case GxB_SPARSITY_CONTROL:
        *value = extra != NULL ? extra->sparsity : GxB_AUTO_SPARSITY;
        return GBL_SUCCESS;
    case GxB_SPARSITY_STATUS:
    case GxB_IS_HYPER:
        COMPAT_TRY(is_matrix ? compat_matrix_status(value, (gbl_Matrix)object, true)
                             : compat_vector_status(value, (gbl_Vector)object));
        if (field == GxB_IS_HYPER) *value = *value == GxB_HYPERSPARSE;
        return GBL_SUCCESS;
    default:
        return is_matrix ? gbl_Matrix_get_INT32((gbl_Matrix)object, value, field)
                         : gbl_Vector_get_INT32((gbl_Vector)object, value, field);
    }
}

static gbl_Info switch_set(const void *object, int field, double value) {
    if (object == NULL) return GBL_NULL_POINTER;
    if (field != GxB_HYPER_SWITCH && field != GxB_BITMAP_SWITCH) return GBL_INVALID_VALUE;
    compat_Extra *extra = compat_extra_made(object);
    if (extra == NULL) return GBL_OUT_OF_MEMORY;
    *(field == GxB_HYPER_SWITCH ? &extra->hyper_switch : &extra->bitmap_switch) = value;
    extra->status = 0;
    return GBL_SUCCESS;
}

static bool is_switch(int field) {
    return field == GxB_HYPER_SWITCH || field == GxB_BITMAP_SWITCH;
}

static gbl_Info option_set(const void *object, int32_t value, int field) {
    if (object == NULL) return GBL_NULL_POINTER;
    if (compat_is_hint(field) && value != 0 && value != 32 && value != 64) return GBL_INVALID_VALUE;
    if (is_switch(field)) return switch_set(object, field, value);
    if (field == GxB_HYPER_HASH || field == GxB_ISO || compat_is_hint(field)) return GBL_SUCCESS;
    compat_Extra *extra = compat_extra_made(object);
    if (extra == NULL) return GBL_OUT_OF_MEMORY;
    if (field == GxB_FORMAT || field == GBL_STORAGE_ORIENTATION_HINT) {
        if (value != GxB_BY_ROW && value != GxB_BY_COL) return GBL_INVALID_VALUE;
        extra->by_column = 1 + value;
        extra->status = 0;
        return GBL_SUCCESS;
    }
    if (field != GxB_SPARSITY_CONTROL) return GBL_INVALID_VALUE;
    extra->sparsity =
        (value & GxB_AUTO_SPARSITY) != 0 ? value & GxB_AUTO_SPARSITY : GxB_AUTO_SPARSITY;
    if ((extra->status & extra->sparsity) == 0) extra->status = 0;
    return GBL_SUCCESS;
}

static gbl_Info switch_get(const void *object, bool is_matrix, int field, double *value) {
    if (object == NULL || value == NULL) return GBL_NULL_POINTER;
    const compat_Extra *extra = compat_extra(object);
    if (field == GxB_HYPER_SWITCH) {
        *value = extra != NULL && extra->hyper_switch != -1 ? extra->hyper_switch
                                                            : compat_library.hyper_switch;
        return GBL_SUCCESS;
    }
    if (field != GxB_BITMAP_SWITCH) return GBL_INVALID_VALUE;
    *value = extra != NULL && extra->bitmap_switch != -1 ? extra->bitmap_switch
                                                         : compat_bitmap_switch(object, is_matrix);
    return GBL_SUCCESS;
}

#define DEFINE(K)                                                                                  \
    COMPAT(GrB_##K##_get_INT32, gbl_##K A, int32_t *value, int field) {                            \
        COMPAT_TRY(option_get(A, compat_is_matrix(A), value, field));                              \
        if (field == GBL_EL_TYPE_CODE && *value > GBL_FP64_CODE)                                   \
            *value += GxB_FC32_CODE - GBL_FC32_CODE;                                               \
        return GBL_SUCCESS;                                                                        \
    }                                                                                              \
    SAME(GrB_##K##_set_INT32, (gbl_##K A, int32_t value, int field), option_set(A, value, field))  \
    COMPAT(GrB_##K##_get_Scalar, gbl_##K A, gbl_Scalar value, int field) {                         \
        int32_t number;                                                                            \
        double real;                                                                               \
        if (is_switch(field)) {                                                                    \
            COMPAT_TRY(switch_get(A, compat_is_matrix(A), field, &real));                          \
            return gbl_Scalar_setElement_FP64(value, real);                                        \
        }                                                                                          \
        COMPAT_TRY(GrB_##K##_get_INT32(A, &number, field));                                        \
        return gbl_Scalar_setElement_INT32(value, number);                                         \
    }                                                                                              \
    COMPAT(GrB_##K##_set_Scalar, gbl_##K A, gbl_Scalar value, int field) {                         \
        double real;                                                                               \
        COMPAT_TRY(compat_number(&real, value));                                                   \
        return is_switch(field) ? switch_set(A, field, real) : option_set(A, (int)real, field);    \
    }                                                                                              \
    SAME(GxB_##K##_Option_get_INT32, (gbl_##K A, int field, int32_t *value),                       \
         option_get(A, compat_is_matrix(A), value, field))                                         \
    SAME(GxB_##K##_Option_set_INT32, (gbl_##K A, int field, int32_t value),                        \
         option_set(A, value, field))                                                              \
    SAME(GxB_##K##_Option_get_FP64, (gbl_##K A, int field, double *value),                         \
         switch_get(A, compat_is_matrix(A), field, value))                                         \
    SAME(GxB_##K##_Option_set_FP64, (gbl_##K A, int field, double value),                          \
         switch_set(A, field, value))                                                              \
    COMPAT(GxB_##K##_Option_get, gbl_##K A, int field, ...) {                                      \
        va_list list;                                                                              \
        va_start(list, field);                                                                     \
        void *value = va_arg(list, void *);                                                        \
        va_end(list);                                                                              \
        return is_switch(field) ? switch_get(A, compat_is_matrix(A), field, value)                 \
                                : option_get(A, compat_is_matrix(A), value, field);                \
    }                                                                                              \
    COMPAT(GxB_##K##_Option_set, gbl_##K A, int field, ...) {                                      \
        va_list list;                                                                              \
        va_start(list, field);                                                                     \
        const gbl_Info info = is_switch(field) ? switch_set(A, field, va_arg(list, double))        \
                                               : option_set(A, va_arg(list, int), field);          \
        va_end(list);                                                                              \
        return info;                                                                               \
    }                                                                                              \
    SAME(GrB_##K##_wait, (gbl_##K A, gbl_WaitMode mode),                                           \
         compat_wait(A, #K[0] == 'M' ? 'm' : 'v', mode))
DEFINE(Matrix)
DEFINE(Vector)
#undef DEFINE
#define DEFINE(K, kind)                                                                            \
    COMPAT(GrB_##K##_free, gbl_##K *A) {                                                           \
        if (A == NULL || *A == NULL) return GBL_SUCCESS;                                           \
        compat_extra_drop(*A);                                                                     \
        return freed(compat_free((void **)A, kind));                                               \
    }
DEFINE(Matrix, 'm')
DEFINE(Vector, 'v')
DEFINE(Scalar, 'v')
#undef DEFINE

/* --------------------------------------------------------------------------- other objects -- */

#define OF_ALGEBRA(X) X(Type) X(UnaryOp) X(BinaryOp) X(IndexUnaryOp) X(Monoid) X(Semiring)

#define DEFINE(O)                                                                                  \
    COMPAT(GrB_##O##_get_INT32, gbl_##O object, int32_t *value, int field) {                       \
        COMPAT_TRY(gbl_##O##_get_INT32(object, value, field));                                     \
        if (field >= GBL_EL_TYPE_CODE && field <= GBL_OUTP_TYPE_CODE && *value > GBL_FP64_CODE)    \
            *value += GxB_FC32_CODE - GBL_FC32_CODE;                                               \
        return GBL_SUCCESS;                                                                        \
    }                                                                                              \
    COMPAT(GrB_##O##_get_Scalar, gbl_##O object, gbl_Scalar value, int field) {                    \
        int32_t number;                                                                            \
        return GrB_##O##_get_INT32(object, &number, field) == GBL_SUCCESS                          \
                   ? gbl_Scalar_setElement_INT32(value, number)                                    \
                   : gbl_##O##_get_Scalar(object, value, field);                                   \
    }
OF_ALGEBRA(DEFINE)
DEFINE(Scalar)
#undef DEFINE
COMPAT(GrB_Descriptor_get_Scalar, gbl_Descriptor desc, gbl_Scalar value, int field) {
    int32_t number;
    COMPAT_TRY(compat_desc_get(desc, &number, field));
    return gbl_Scalar_setElement_INT32(value, number);
}
COMPAT(GrB_Descriptor_set_Scalar, gbl_Descriptor desc, gbl_Scalar value, int field) {
    double number;
    COMPAT_TRY(compat_number(&number, value));
    return desc_set(desc, (int32_t)number, field);
}

/* Texts: names of predefined objects are the ABI's, names in C are kept beside the object. */
static const char *own_text(const void *object, int field) {
    static _Thread_local char word[GxB_MAX_NAME_LEN];
    const uint64_t magic = *(const uint64_t *)object;
    gbl_Type type = magic == GB_MAGIC_TYPE ? (gbl_Type)object : NULL;
    const compat_Extra *extra = compat_extra(object);
    const char *known = compat_name_of(object);
    if ((field == GBL_NAME || field == GBL_EL_TYPE_STRING) && type != NULL && known == NULL)
        return extra != NULL && extra->text[TEXT_NAME] != NULL ? extra->text[TEXT_NAME] : "";
    if (field == GBL_NAME) return known;
    if (magic == GB_MAGIC_MATRIX || magic == GB_MAGIC_VECTOR)
        type = ((const gb_Matrix *)object)->type;
    if (magic == GB_MAGIC_SCALAR) gbl_Scalar_type(&type, (gbl_Scalar)object);
    word[0] = '\0';
    if (type != NULL)
        compat_type_name(word, type);
    else
        compat_word(word, object);
    if (field == GxB_JIT_C_NAME) return word;
    if (field != GxB_JIT_C_DEFINITION || (type != NULL && type != object)) return NULL;
    return extra != NULL && extra->text[TEXT_DEFINITION] ? extra->text[TEXT_DEFINITION] : "";
}

#define MAGIC_Type GB_MAGIC_TYPE
#define MAGIC_UnaryOp GB_MAGIC_UNARY
#define MAGIC_BinaryOp GB_MAGIC_BINARY
#define MAGIC_IndexUnaryOp GB_MAGIC_INDEX
#define MAGIC_Monoid GB_MAGIC_MONOID
#define MAGIC_Semiring GB_MAGIC_SEMIRING
#define MAGIC_Scalar GB_MAGIC_SCALAR
#define MAGIC_Vector GB_MAGIC_VECTOR
#define MAGIC_Matrix GB_MAGIC_MATRIX
#define MAGIC_Descriptor GB_MAGIC_DESCRIPTOR

/* Blocks of bytes have the first name that a type gets, which is gblite's. */
gbl_Info compat_keep_text(const void *object, const char *value, int text) {
    if (value == NULL) return GBL_SUCCESS;
    compat_Extra *extra = compat_extra_made(object);
    if (extra == NULL) return GBL_OUT_OF_MEMORY;
    if (extra->text[text] != NULL) return GBL_ALREADY_SET;
    if (text != TEXT_DEFINITION && *(const uint64_t *)object == GB_MAGIC_TYPE)
        gbl_Type_set_String((gbl_Type)object, value, GBL_NAME);
    extra->text[text] = strdup(value);
    return extra->text[text] != NULL ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
}

#define DEFINE(O)                                                                                  \
    COMPAT(GrB_##O##_get_String, gbl_##O object, char *value, int field) {                         \
        const char *text = object != NULL ? own_text(object, field) : NULL;                        \
        if (text != NULL && value == NULL) return GBL_NULL_POINTER;                                \
        if (text == NULL) COMPAT_TRY(gbl_##O##_get_String(object, value, field));                  \
        if (text != NULL) strcpy(value, text);                                                     \
        if (strncmp(value, "GBL_FC", 6) == 0) memcpy(value, "GxB", 3);                             \
        return GBL_SUCCESS;                                                                        \
    }                                                                                              \
    COMPAT(GrB_##O##_get_SIZE, gbl_##O object, size_t *value, int field) {                         \
        const char *text = object != NULL ? own_text(object, field) : NULL;                        \
        if (value == NULL) return GBL_NULL_POINTER;                                                \
        if (field >= GxB_MONOID_OPERATOR && field <= GxB_SEMIRING_MULTIPLY && object != NULL &&    \
            (MAGIC_##O == GB_MAGIC_SEMIRING ||                                                     \
             (MAGIC_##O == GB_MAGIC_MONOID && field == GxB_MONOID_OPERATOR))) {                    \
            *value = sizeof(void *);                                                               \
            return GBL_SUCCESS;                                                                    \
        }                                                                                          \
        if (text == NULL) return gbl_##O##_get_SIZE(object, value, field);                         \
        *value = strlen(text) + 1;                                                                 \
        return GBL_SUCCESS;                                                                        \
    }                                                                                              \
    COMPAT(GrB_##O##_set_String, gbl_##O object, const char *value, int field) {                   \
        const bool own_name = MAGIC_##O == GB_MAGIC_TYPE && compat_name_of(object) == NULL;        \
        const int text = field == GxB_JIT_C_NAME         ? TEXT_C_NAME                             \
                         : field == GxB_JIT_C_DEFINITION ? TEXT_DEFINITION                         \
                         : field == GBL_NAME && own_name ? TEXT_NAME                               \
                                                         : -1;                                     \
        if (object != NULL && value != NULL && text >= 0)                                          \
            return compat_keep_text(object, value, text);                                          \
        return gbl_##O##_set_String(object, value, field);                                         \
    }
GBL_FOREACH_OBJECT(DEFINE)
#undef DEFINE

COMPAT(GrB_Monoid_get_VOID, gbl_Monoid monoid, void *value, int field) {
    if (monoid == NULL || value == NULL) return GBL_NULL_POINTER;
    if (field == GxB_MONOID_OPERATOR)
        memcpy(value, &monoid->op, sizeof monoid->op);
    else if (field == GxB_MONOID_IDENTITY)
        memcpy(value, monoid->identity, monoid->op->ztype->size);
    else if (field == GxB_MONOID_TERMINAL && monoid->terminal == NULL)
        return GBL_NO_VALUE;
    else if (field == GxB_MONOID_TERMINAL)
        memcpy(value, monoid->terminal, monoid->op->ztype->size);
    else
        return GBL_INVALID_VALUE;
    return GBL_SUCCESS;
}
COMPAT(GrB_Semiring_get_VOID, gbl_Semiring ring, void *value, int field) {
    if (ring == NULL || value == NULL) return GBL_NULL_POINTER;
    if (field == GxB_SEMIRING_MONOID)
        memcpy(value, &ring->add, sizeof ring->add);
    else if (field == GxB_SEMIRING_MULTIPLY)
        memcpy(value, &ring->multiply, sizeof ring->multiply);
    else
        return GBL_INVALID_VALUE;
    return GBL_SUCCESS;
}

#define DEFINE(O)                                                                                  \
    COMPAT(GrB_##O##_free, gbl_##O *object) {                                                      \
        if (object == NULL || *object == NULL || (*object)->serial <= compat_library.serial)       \
            return GBL_SUCCESS; /* predefined, there or in gblite */                               \
        if ((*object)->refs == 1) compat_extra_drop(*object);                                      \
        return freed(gbl_##O##_free(object));                                                      \
    }
OF_ALGEBRA(DEFINE)
#undef DEFINE

/* A text is always there, also where the object is none. */
#define DEFINE(O)                                                                                  \
    COMPAT(GrB_##O##_error, const char **text, gbl_##O object) {                                   \
        if (text == NULL) return GBL_NULL_POINTER;                                                 \
        *text = gbl_last_error();                                                                  \
        if (object != NULL && *(const uint64_t *)object == MAGIC_##O)                              \
            gbl_##O##_error(text, object);                                                         \
        return GBL_SUCCESS;                                                                        \
    }
GBL_FOREACH_OBJECT(DEFINE)
#undef DEFINE
SAME(GxB_Scalar_error, (const char **text, gbl_Scalar s), GrB_Scalar_error(text, s))
