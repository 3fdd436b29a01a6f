/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_O_{get,set}_{INT32,SIZE,String,Scalar,VOID}.
 *
 * An object is read into a Field, whatever the caller wants, and given out as what he wants; it is
 * set by a number or a string.
 */
#include "api/check.h"

typedef struct {
    enum { NUMBER, BYTES, TEXT, REAL } kind;
    int64_t number; /* or bytes */
    double real;
    const char *text; /* in the object, in read-only memory, or in `room` */
    char room[GB_NAME_ROOM];
} Field;

static gbl_Info no_field(int field, const char *what) {
    return gb_fail(GBL_INVALID_VALUE, "field %d %s; gblite_fields.h lists the fields", field, what);
}

static gbl_Info not_of_object(int field) {
    return no_field(field, "does not exist for this kind of object");
}

/* What a function was called with. */
typedef struct {
    void *object;
    uint64_t magic;   /* that the object must have; 0: it must be GBL_GLOBAL */
    const char *kind; /* "gbl_Matrix" */
} Target;

static gbl_Info check(Target t) {
    const gbl_Info info = gb_check_init();
    if (info != GBL_SUCCESS) return info;
    if (t.magic != 0) return gb_check_object(t.object, t.magic, "object", t.kind);
    if (t.object == (void *)GBL_GLOBAL) return GBL_SUCCESS;
    return gb_fail(GBL_INVALID_OBJECT, "the only global object is GBL_GLOBAL");
}

/* Of a collection; NULL for what is none. */
static gb_Label *label_of(Target t) {
    switch (t.magic) {
    case GB_MAGIC_MATRIX:
    case GB_MAGIC_VECTOR:
        return &((gb_Matrix *)t.object)->label;
    case GB_MAGIC_SCALAR:
        return &((gbl_Scalar)t.object)->label;
    default:
        return NULL;
    }
}

/* -- reading */

static gbl_Info give_number(Field *f, int64_t number) {
    f->kind = NUMBER;
    f->number = number;
    return GBL_SUCCESS;
}

static gbl_Info give_text(Field *f, const char *text) {
    f->kind = TEXT;
    f->text = text;
    return GBL_SUCCESS;
}

/* The type, NULL for none, as its code or name. */
static gbl_Info give_type(Field *f, const gb_Type *type, bool as_code) {
    if (type == NULL) return GBL_NO_VALUE;
    return as_code ? give_number(f, type->code) : give_text(f, gb_name_of(type, f->room));
}

static gbl_Info read_collection(Field *f, const gb_Type *type, const gb_Label *label, int field) {
    switch (field) {
    case GBL_NAME:
        return give_text(f, gb_name_text(&label->name));
    case GBL_STORAGE_ORIENTATION_HINT:
        return give_number(f, label->hinted ? label->orientation : gb_orientation());
    case GBL_EL_TYPE_CODE:
    case GBL_EL_TYPE_STRING:
        return give_type(f, type, field == GBL_EL_TYPE_CODE);
    default:
        return not_of_object(field);
    }
}

static gbl_Info read_symmetry(Field *f, gb_Matrix *A) {
    const gbl_Info info = gb_complete(A, GB_WANTS_INPUT);
    return info == GBL_SUCCESS ? give_number(f, gb_is_known_symmetric(A)) : info;
}

/* What an operator takes and gives; NULL where it has no such type, or does not look at it. */
typedef struct {
    const gb_Type *z, *x, *y;
} Types;

static Types types_of(Target t) {
    const gb_UnaryOp *const unary = t.object;
    const gb_IndexUnaryOp *const index = t.object;
    const gb_BinaryOp *const binary =
        t.magic == GB_MAGIC_MONOID ? ((gb_Monoid *)t.object)->op : t.object;
    switch (t.magic) {
    case GB_MAGIC_UNARY:
        return (Types){unary->ztype, unary->xtype, NULL};
    case GB_MAGIC_INDEX:
        return (Types){index->ztype, index->xtype, index->ytype};
    case GB_MAGIC_SEMIRING:
        return (Types){.z = ((gb_Semiring *)t.object)->add->op->ztype};
    default:
        return (Types){binary->ztype, binary->xtype, binary->ytype};
    }
}

static gbl_Info read_type(Field *f, const gb_Type *type, int field) {
    if (field == GBL_EL_TYPE_CODE || field == GBL_EL_TYPE_STRING)
        return give_type(f, type, field == GBL_EL_TYPE_CODE);
    if (field != GBL_SIZE) return not_of_object(field);
    f->kind = BYTES;
    f->number = (int64_t)type->size;
    return GBL_SUCCESS;
}

static bool is_by_position(Target t) {
    const gb_Operator *const op = t.object;
    switch (t.magic) {
    case GB_MAGIC_UNARY:
        return op->code >= GB_POSITIONI;
    case GB_MAGIC_INDEX:
        return op->code < GB_VALUEEQ || op->code > GB_VALUEGE;
    case GB_MAGIC_BINARY:
        return gb_binary_is_positional(t.object);
    case GB_MAGIC_SEMIRING:
        return gb_binary_is_positional(((gb_Semiring *)t.object)->multiply);
    default:
        return false;
    }
}

static gbl_Info read_algebra(Field *f, Target t, int field) {
    if (field == GBL_NAME) return give_text(f, gb_name_of(t.object, f->room));
    if (t.magic == GB_MAGIC_TYPE) return read_type(f, t.object, field);
    const Types types = types_of(t);
    switch (field) {
    case GBL_BY_POSITION:
        return give_number(f, is_by_position(t));
    case GBL_INP0_TYPE_CODE:
    case GBL_INP0_TYPE_STRING:
        return give_type(f, types.x, field == GBL_INP0_TYPE_CODE);
    case GBL_INP1_TYPE_CODE:
    case GBL_INP1_TYPE_STRING:
        return give_type(f, types.y, field == GBL_INP1_TYPE_CODE);
    case GBL_OUTP_TYPE_CODE:
    case GBL_OUTP_TYPE_STRING:
        return give_type(f, types.z, field == GBL_OUTP_TYPE_CODE);
    default:
        return not_of_object(field);
    }
}

static gbl_Info read_descriptor(Field *f, gbl_Descriptor desc, int field) {
    if (field == GBL_NAME) return give_text(f, gb_name_text(&desc->name));
    if (gb_descriptor_is_real(field)) {
        f->kind = REAL;
        return gb_descriptor_get_real(desc, &f->real, field);
    }
    int32_t number = 0;
    const gbl_Info info = gb_descriptor_get(desc, &number, field);
    return info == GBL_SUCCESS ? give_number(f, number) : info;
}

static gbl_Info read_global(Field *f, int field) {
    if (field == GBL_NAME) return give_text(f, gb_library_name);
    if (field == GBL_STORAGE_ORIENTATION_HINT) return give_number(f, gb_orientation());
    int64_t number = 0;
    const gbl_Info info = gbl_Global_get_INT64(GBL_GLOBAL, &number, (gbl_Field)field);
    return info == GBL_SUCCESS ? give_number(f, number) : info;
}

static gbl_Info read_field(Field *f, Target t, int field) {
    if (field == GBL_SYMMETRIC && t.magic == GB_MAGIC_MATRIX) return read_symmetry(f, t.object);
    switch (t.magic) {
    case GB_MAGIC_MATRIX:
    case GB_MAGIC_VECTOR:
        return read_collection(f, ((gb_Matrix *)t.object)->type, label_of(t), field);
    case GB_MAGIC_SCALAR:
        return read_collection(f, ((gbl_Scalar)t.object)->type, label_of(t), field);
    case GB_MAGIC_DESCRIPTOR:
        return read_descriptor(f, t.object, field);
    case 0:
        return read_global(f, field);
    default:
        return read_algebra(f, t, field);
    }
}

/* -- as what the caller wants */

static gbl_Info read(Field *f, Target t, const void *value, int field) {
    gbl_Info info = check(t);
    if (info == GBL_SUCCESS) info = gb_check_pointer(value, "value");
    return info == GBL_SUCCESS ? read_field(f, t, field) : info;
}

static gbl_Info get_INT32(Target t, int32_t *value, int field) {
    Field f;
    const gbl_Info info = read(&f, t, value, field);
    if (info != GBL_SUCCESS) return info;
    if (f.kind == REAL) return no_field(field, "is a real number, to be read as FP64");
    if (f.kind != NUMBER) return no_field(field, "is no number");
    if (f.number > INT32_MAX)
        return gb_fail(GBL_INVALID_VALUE,
                       "the value of field %d needs more than 32 bits; use gbl_Global_get_INT64",
                       field);
    *value = (int32_t)f.number;
    return GBL_SUCCESS;
}

static gbl_Info get_SIZE(Target t, size_t *value, int field) {
    Field f;
    const gbl_Info info = read(&f, t, value, field);
    if (info != GBL_SUCCESS) return info;
    if (f.kind == NUMBER) return no_field(field, "is a number, to be read as INT32");
    if (f.kind == REAL) return no_field(field, "is a real number, to be read as FP64");
    *value = f.kind == TEXT ? strlen(f.text) + 1 : (size_t)f.number;
    return GBL_SUCCESS;
}

static gbl_Info get_String(Target t, char *value, int field) {
    Field f;
    const gbl_Info info = read(&f, t, value, field);
    if (info != GBL_SUCCESS) return info;
    if (f.kind != TEXT) return no_field(field, "is no string");
    memcpy(value, f.text, strlen(f.text) + 1);
    return GBL_SUCCESS;
}

static gbl_Info get_Scalar(Target t, gbl_Scalar value, int field) {
    Field f;
    gbl_Info info = check(t);
    if (info == GBL_SUCCESS) info = gb_check_scalar(value, "value");
    if (info == GBL_SUCCESS) info = read_field(&f, t, field);
    if (info != GBL_SUCCESS) return info;
    if (f.kind == TEXT) return no_field(field, "is a string, which no scalar holds");
    if (f.kind == REAL) return gbl_Scalar_setElement_FP64(value, f.real);
    return gbl_Scalar_setElement_INT64(value, f.number);
}

static gbl_Info refuse_VOID(Target t, int field) {
    const gbl_Info info = check(t);
    return info == GBL_SUCCESS ? no_field(field, "is no block of bytes") : info;
}

/* -- setting */

static gbl_Info set_number(Target t, int64_t value, int field) {
    const gbl_Info info = check(t);
    if (info != GBL_SUCCESS) return info;
    if (field == GBL_NAME) return no_field(field, "is a string");
    if (t.magic == GB_MAGIC_DESCRIPTOR && value == (int32_t)value)
        return gb_descriptor_set(t.object, (int32_t)value, field);
    if (t.magic == GB_MAGIC_DESCRIPTOR)
        return gb_fail(GBL_INVALID_VALUE, "%lld is more than a field of a descriptor holds",
                       (long long)value);
    gb_Label *const label = label_of(t);
    if (field == GBL_STORAGE_ORIENTATION_HINT && (label != NULL || t.magic == 0)) {
        if (value < GBL_ROWMAJOR || value > GBL_UNKNOWN)
            return gb_fail(GBL_INVALID_VALUE, "%lld is not one of gbl_Orientation",
                           (long long)value);
        if (label == NULL)
            gb_set_orientation((gbl_Orientation)value);
        else
            label->hinted = true, label->orientation = (gbl_Orientation)value;
        return GBL_SUCCESS;
    }
    if (field == GBL_SYMMETRIC && t.magic == GB_MAGIC_MATRIX) {
        const gbl_Info whole = gb_complete(t.object, GB_WANTS_INPUT);
        return whole == GBL_SUCCESS ? gb_matrix_set_symmetric(t.object, value) : whole;
    }
    if (t.magic == 0) return gbl_Global_set_INT64(GBL_GLOBAL, value, (gbl_Field)field);
    return no_field(field, "cannot be set to a number");
}

static gbl_Info set_from_scalar(Target t, gbl_Scalar value, int field) {
    int64_t number = 0;
    double real = 0.0;
    gbl_Info info = check(t);
    const bool is_real = t.magic == GB_MAGIC_DESCRIPTOR && gb_descriptor_is_real(field);
    if (info == GBL_SUCCESS) info = gb_check_scalar(value, "value");
    if (info == GBL_SUCCESS)
        info = is_real ? gbl_Scalar_extractElement_FP64(&real, value)
                       : gbl_Scalar_extractElement_INT64(&number, value);
    if (info == GBL_NO_VALUE) return gb_fail(GBL_EMPTY_OBJECT, "value has no entry");
    if (info != GBL_SUCCESS) return info;
    return is_real ? gb_descriptor_set_real(t.object, real, field) : set_number(t, number, field);
}

static gbl_Info set_string(Target t, const char *value, int field) {
    gbl_Info info = check(t);
    if (info == GBL_SUCCESS) info = gb_check_pointer(value, "value");
    if (info != GBL_SUCCESS) return info;
    if (field != GBL_NAME) return no_field(field, "cannot be set to a string");
    if (label_of(t) != NULL) return gb_name_set(&label_of(t)->name, value);
    if (t.magic == GB_MAGIC_DESCRIPTOR && !((gbl_Descriptor)t.object)->predefined)
        return gb_name_set(&((gbl_Descriptor)t.object)->name, value);
    gb_Algebra *const o = t.magic != 0 && t.magic != GB_MAGIC_DESCRIPTOR ? t.object : NULL;
    if (o != NULL && !gb_refs_static(&o->refs)) return gb_name_set_once(&o->name, value);
    return gb_fail(GBL_INVALID_VALUE, "the name of what is predefined is only read");
}

/* -- the functions. GBL_GLOBAL keeps no text of an error. */

static gbl_Info end(Target t, gbl_Info info) {
    return t.magic == 0 ? info : gb_end(t.object, info);
}

#define GB_DEFINE(O, MAGIC)                                                                        \
    static Target target_##O(gbl_##O object) {                                                     \
        return (Target){object, MAGIC, "gbl_" #O};                                                 \
    }                                                                                              \
    gbl_Info gbl_##O##_get_INT32(gbl_##O object, int32_t *value, int field) {                      \
        return get_INT32(target_##O(object), value, field);                                        \
    }                                                                                              \
    gbl_Info gbl_##O##_get_SIZE(gbl_##O object, size_t *value, int field) {                        \
        return get_SIZE(target_##O(object), value, field);                                         \
    }                                                                                              \
    gbl_Info gbl_##O##_get_String(gbl_##O object, char *value, int field) {                        \
        return get_String(target_##O(object), value, field);                                       \
    }                                                                                              \
    gbl_Info gbl_##O##_get_Scalar(gbl_##O object, gbl_Scalar value, int field) {                   \
        return gb_end(value, get_Scalar(target_##O(object), value, field));                        \
    }                                                                                              \
    gbl_Info gbl_##O##_get_VOID(gbl_##O object, void *value, int field) {                          \
        (void)value;                                                                               \
        return refuse_VOID(target_##O(object), field);                                             \
    }                                                                                              \
    gbl_Info gbl_##O##_set_INT32(gbl_##O object, int32_t value, int field) {                       \
        return end(target_##O(object), set_number(target_##O(object), value, field));              \
    }                                                                                              \
    gbl_Info gbl_##O##_set_Scalar(gbl_##O object, gbl_Scalar value, int field) {                   \
        return end(target_##O(object), set_from_scalar(target_##O(object), value, field));         \
    }                                                                                              \
    gbl_Info gbl_##O##_set_String(gbl_##O object, const char *value, int field) {                  \
        return end(target_##O(object), set_string(target_##O(object), value, field));              \
    }                                                                                              \
    gbl_Info gbl_##O##_set_VOID(gbl_##O object, const void *value, int field, size_t size) {       \
        (void)value, (void)size;                                                                   \
        return end(target_##O(object), refuse_VOID(target_##O(object), field));                    \
    }

GB_DEFINE(Matrix, GB_MAGIC_MATRIX)
GB_DEFINE(Vector, GB_MAGIC_VECTOR)
GB_DEFINE(Scalar, GB_MAGIC_SCALAR)
GB_DEFINE(Type, GB_MAGIC_TYPE)
GB_DEFINE(UnaryOp, GB_MAGIC_UNARY)
GB_DEFINE(BinaryOp, GB_MAGIC_BINARY)
GB_DEFINE(IndexUnaryOp, GB_MAGIC_INDEX)
GB_DEFINE(Monoid, GB_MAGIC_MONOID)
GB_DEFINE(Semiring, GB_MAGIC_SEMIRING)
GB_DEFINE(Descriptor, GB_MAGIC_DESCRIPTOR)
GB_DEFINE(Global, 0)
