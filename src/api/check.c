/* SPDX-License-Identifier: Apache-2.0
 *
 * Argument checks, see check.h; gbl_{Matrix,Vector,...}_error, gbl_last_error, gbl_fail, and the
 * exit of every call that has an output.
 *
 * A magic number at the start of every object identifies its kind, so an object of another kind, or
 * one that was freed, is recognised while its memory is readable.
 *
 * A matrix, vector, scalar or descriptor keeps the text of its own last failure. Algebra objects
 * and predefined descriptors are constants that any thread may use, so each thread records the last
 * failure of a call on one of them.
 */
#include "api/check.h"

#include <stdio.h>

static gbl_Info check_magic(const uint64_t *magic, uint64_t wanted, const char *name,
                            const char *kind) {
    if (magic == NULL) {
        return gb_fail(GBL_NULL_POINTER, "%s is NULL; pass a %s made by gbl_%s_new", name, kind,
                       kind);
    }
    if (*magic != wanted)
        return gb_fail(GBL_UNINITIALIZED_OBJECT, "%s is not a %s: %s", name, kind,
                       *magic == GB_MAGIC_FREED ? "it was freed"
                                                : "it was never made or is another kind of object");
    return GBL_SUCCESS;
}

gbl_Info gb_check_init(void) {
    gb_error_begin();
    gb_call_begin();
    if (!gb_initialised())
        return gb_fail(GBL_PANIC, "the library is not initialised: call gbl_init first");
    return GBL_SUCCESS;
}

gbl_Info gb_check_pointer(const void *pointer, const char *name) {
    if (pointer == NULL) return gb_fail(GBL_NULL_POINTER, "%s is NULL", name);
    return GBL_SUCCESS;
}

gbl_Info gb_begin_new(void *handle, const char *name) {
    const gbl_Info info = gb_check_pointer(handle, name);
    if (info != GBL_SUCCESS) return info;
    memset(handle, 0, sizeof(void *));
    return gb_check_init();
}

/* No struct of any version is larger; a size that was never set mostly is, or is 0. */
enum { GB_SIZED_MOST = 1 << 16 };

gbl_Info gb_check_sized(const void *sized, const char *name, const char *initialiser) {
    const gbl_Info info = gb_check_pointer(sized, name);
    if (info != GBL_SUCCESS) return info;
    const size_t size = *(const size_t *)sized;
    if (size <= sizeof(size_t) || size > GB_SIZED_MOST)
        return gb_fail(GBL_INVALID_VALUE,
                       "%s has size %llu, which was not set: initialise the struct with %s", name,
                       (unsigned long long)size, initialiser);
    return GBL_SUCCESS;
}

void gb_give_sized(void *sized, const void *from, size_t whole) {
    const size_t given = *(const size_t *)sized, size = given < whole ? given : whole;
    memcpy(sized, from, size);
    *(size_t *)sized = size;
}

void gb_take_sized(void *to, size_t whole, const void *sized) {
    const size_t given = *(const size_t *)sized, size = given < whole ? given : whole;
    memset(to, 0, whole);
    memcpy(to, sized, size);
    *(size_t *)to = whole;
}

gbl_Info gb_check_collection(gb_Matrix *X, uint64_t magic, const char *name, gb_Wanted wanted) {
    const bool vector = magic == GB_MAGIC_VECTOR;
    if (X != NULL && X->magic == magic) {
        gb_find_lost(X);
        if (X->magic == magic) return gb_complete(X, wanted);
    }
    if (X != NULL && X->magic == (vector ? GB_MAGIC_LOST_VECTOR : GB_MAGIC_LOST_MATRIX))
        return gb_fail_lost(X, name);
    return check_magic(X != NULL ? &X->magic : NULL, magic, name, vector ? "Vector" : "Matrix");
}

gbl_Info gb_check_scalar(gbl_Scalar s, const char *name) {
    return check_magic(s ? &s->magic : NULL, GB_MAGIC_SCALAR, name, "Scalar");
}

gbl_Info gb_check_descriptor(gbl_Descriptor desc, const char *name) {
    return check_magic(desc ? &desc->magic : NULL, GB_MAGIC_DESCRIPTOR, name, "Descriptor");
}

gbl_Info gb_begin_value(const gb_BinaryOp *accum, gbl_Descriptor desc) {
    gbl_Info info = gb_check_init();
    if (info == GBL_SUCCESS && accum) info = gb_check_binary(accum, "accum");
    if (info == GBL_SUCCESS && desc) info = gb_check_descriptor(desc, "desc");
    if (info == GBL_SUCCESS && desc) gb_call_limit(desc->deadline);
    return info;
}

gbl_Info gb_begin_call(const gb_Op *op, void *call, const char *handles, gbl_Descriptor desc) {
    gb_Matrix *X[GB_OPERANDS];
    gb_read_operands(X, op, call);
    void *const accum = (char *)call + op->accum;
    gb_Mask *mask = op->mask != 0 ? (void *)((char *)call + op->mask) : NULL;
    gbl_Info info = gb_begin_value(op->accum != 0 ? *(const gb_BinaryOp **)accum : NULL, desc);
    for (gb_OperandOf k = GB_OF_C; k < GB_OPERANDS && info == GBL_SUCCESS; k++) {
        const gb_OpInput *in = k == GB_OF_A ? &op->A : k == GB_OF_B ? &op->B : NULL;
        const bool is_mask = k == GB_OF_M, vector = *handles >= 'a';
        if (is_mask ? mask == NULL : in != NULL && in->at == 0) continue;
        const char letter[] = {*handles, '\0'};
        const char *const name = !is_mask ? letter : vector ? "the mask m" : "the mask M";
        if (*handles != '\0' && *handles != '-' && !(is_mask && X[k] == NULL))
            info = gb_check_collection(X[k], vector ? GB_MAGIC_VECTOR : GB_MAGIC_MATRIX, name,
                                       GB_WANTS_HANDLE);
        if (in != NULL && in->transposed != 0 && desc != NULL && !vector)
            *((bool *)call + in->transposed) = k == GB_OF_A ? desc->transpose0 : desc->transpose1;
        handles += *handles != '\0';
    }
    if (info != GBL_SUCCESS || desc == NULL || mask == NULL) return info;
    mask->structural = desc->structure;
    mask->complement = desc->complement;
    mask->replace = desc->replace;
    return GBL_SUCCESS;
}

gb_Choices gb_choices_of(gbl_Descriptor desc) {
    return desc != NULL ? desc->choices : (gb_Choices){0};
}

gbl_Info gb_value_bind(const void **bound, const gb_Value *value, const gb_Type *to,
                       gb_Builtin *space, const char *name) {
    gb_Value v = *value;
    gbl_Info info = v.is_scalar ? gb_check_scalar(v.scalar, name) : gb_check_pointer(v.x, name);
    if (info != GBL_SUCCESS) return info;
    if (v.is_scalar) {
        if (!v.scalar->present)
            return gb_fail(GBL_EMPTY_OBJECT, "the scalar %s is empty; it must hold a value", name);
        v.x = v.scalar->value;
        v.type = v.scalar->type;
    }
    *bound = v.x;
    if (v.type == NULL || v.type == to) return GBL_SUCCESS;
    char what[64];
    snprintf(what, sizeof what, "%s into op's argument", name);
    info = gb_check_cast(to, v.type, what);
    if (info != GBL_SUCCESS) return info;
    gb_cast(to, space, v.type, v.x, 1, 1);
    *bound = space;
    return GBL_SUCCESS;
}

static gbl_Info fail_type(gbl_Type_Code code, const gb_Type *own, const char *hint) {
    char space[2][GB_TYPE_TEXT];
    return gb_fail(GBL_DOMAIN_MISMATCH, "the values passed are %s, but the object is %s; %s",
                   code == GBL_UDT_CODE ? "of a user type"
                                        : gb_type_text(gb_type_of(code), space[0]),
                   gb_type_text(own, space[1]), hint);
}

gbl_Info gb_passed_type(const gb_Type **type, gbl_Type_Code code, const gb_Type *own) {
    *type = code == GBL_UDT_CODE ? own : gb_type_of(code);
    if ((code == GBL_UDT_CODE) == (own->code == GBL_UDT_CODE)) return GBL_SUCCESS;
    return fail_type(code, own,
                     "only built-in types cast into each other; user types need the _UDT function");
}

gbl_Info gb_passed_same(gbl_Type_Code code, const gb_Type *own) {
    if (code == own->code) return GBL_SUCCESS;
    return fail_type(code, own, "this function casts nothing, use the one for that type");
}

gbl_Info gb_check_index_below(uint64_t k, uint64_t n, const char *what) {
    if (k < n) return GBL_SUCCESS;
    return gb_fail(GBL_INVALID_INDEX, "%s is %llu, but must be below %llu", what,
                   (unsigned long long)k, (unsigned long long)n);
}

/* -- failures */

/* Where an object keeps its text; NULL when it is shared, freed, or no object. */
static gb_Error *own_error(const void *object) {
    switch (*(const uint64_t *)object) {
    case GB_MAGIC_MATRIX:
    case GB_MAGIC_VECTOR:
        return &((gb_Matrix *)object)->error;
    case GB_MAGIC_SCALAR:
        return &((gbl_Scalar)object)->error;
    case GB_MAGIC_DESCRIPTOR:
        return ((gbl_Descriptor)object)->predefined ? NULL : &((gbl_Descriptor)object)->error;
    default:
        return NULL;
    }
}

/* Of an object that keeps no text; see algebra.h. */
static bool find_serial(uint64_t *serial, const void *object) {
    switch (((const gb_Algebra *)object)->magic) {
    case GB_MAGIC_TYPE:
    case GB_MAGIC_UNARY:
    case GB_MAGIC_BINARY:
    case GB_MAGIC_INDEX:
    case GB_MAGIC_MONOID:
    case GB_MAGIC_SEMIRING:
        *serial = ((const gb_Algebra *)object)->serial;
        return true;
    case GB_MAGIC_DESCRIPTOR:
        *serial = 0;
        return true;
    default:
        return false;
    }
}

/* Threads may wait for one object together, so its text is written under its lock; scalars and
 * descriptors share one. */
static gb_Lock lock_of_others;
static void file(const void *object, gb_Error *error, gbl_Info info) {
    const uint64_t magic = *(const uint64_t *)object;
    const bool has_lock = magic == GB_MAGIC_MATRIX || magic == GB_MAGIC_VECTOR;
    gb_Lock *lock = has_lock ? &((gb_Matrix *)object)->lock : &lock_of_others;
    gb_lock(lock);
    gb_error_file(error, info);
    gb_unlock(lock);
}

gbl_Info gb_end(const void *output, gbl_Info info) {
    uint64_t serial;
    if (output == NULL || !gb_initialised()) return info; /* nobody has looked at it then */
    gb_Error *error = own_error(output);
    if (info == GBL_OUT_OF_MEMORY && gb_call_has_stopped()) info = gb_call_end();
    if (error != NULL) {
        if (info < GBL_SUCCESS || gb_error_is_filed(error)) file(output, error, info);
    } else if (find_serial(&serial, output)) {
        gb_error_file_shared(output, serial, info);
    }
    return info;
}

static const char *text_of(const void *object) {
    uint64_t serial;
    const gb_Error *error = own_error(object);
    if (error != NULL) return error->text;
    return find_serial(&serial, object) ? gb_error_of_shared(object, serial) : "";
}

#define GB_HANDLE_Vector(v, name) GB_CHECK(Vector, v, name, HANDLE)
#define GB_HANDLE_Matrix(A, name) GB_CHECK(Matrix, A, name, HANDLE)
#define GB_DEFINE(O, CHECK)                                                                        \
    gbl_Info gbl_##O##_error(const char **text, gbl_##O object) {                                  \
        gbl_Info info = gb_check_pointer(text, "text");                                            \
        if (info == GBL_SUCCESS) info = CHECK(object, "object");                                   \
        if (info == GBL_SUCCESS) *text = text_of(object);                                          \
        return info;                                                                               \
    }
GB_DEFINE(Type, gb_check_type)
GB_DEFINE(UnaryOp, gb_check_unary)
GB_DEFINE(BinaryOp, gb_check_binary)
GB_DEFINE(IndexUnaryOp, gb_check_index)
GB_DEFINE(Monoid, gb_check_monoid)
GB_DEFINE(Semiring, gb_check_semiring)
GB_DEFINE(Scalar, gb_check_scalar)
GB_DEFINE(Vector, GB_HANDLE_Vector)
GB_DEFINE(Matrix, GB_HANDLE_Matrix)
GB_DEFINE(Descriptor, gb_check_descriptor)
#undef GB_DEFINE

const char *gbl_last_error(void) {
    return gb_error_last();
}

gbl_Info gbl_fail(gbl_Info code, const void *object, const char *format, ...) {
    va_list args;
    va_start(args, format);
    gb_fail_v(code, format, args);
    va_end(args);
    return gb_end(object, code);
}
