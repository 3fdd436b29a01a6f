/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_{Matrix,Vector,...}_error, gbl_last_error, gbl_fail, and the exit of every call that has an
 * output.
 *
 * A matrix, vector, scalar or descriptor keeps the text of its own last failure. Algebra objects
 * and predefined descriptors are constants that any thread may use, so each thread remembers the
 * last failure of a call on one of them.
 */
#include "api/check.h"

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
    switch (*(const uint64_t *)object) {
    case GB_MAGIC_TYPE:
    case GB_MAGIC_UNARY:
    case GB_MAGIC_BINARY:
    case GB_MAGIC_INDEX:
    case GB_MAGIC_MONOID:
    case GB_MAGIC_SEMIRING:
        *serial = ((const uint64_t *)object)[1];
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
static pthread_mutex_t lock_of_others = PTHREAD_MUTEX_INITIALIZER;
static void file(const void *object, gb_Error *error, gbl_Info info) {
    const uint64_t magic = *(const uint64_t *)object;
    const bool has_lock = magic == GB_MAGIC_MATRIX || magic == GB_MAGIC_VECTOR;
    pthread_mutex_t *lock = has_lock ? &((gb_Matrix *)object)->lock : &lock_of_others;
    pthread_mutex_lock(lock);
    gb_error_file(error, info);
    pthread_mutex_unlock(lock);
}

gbl_Info gb_end(const void *output, gbl_Info info) {
    uint64_t serial;
    if (output == NULL || !gb_initialised()) return info; /* nobody has looked at it then */
    gb_Error *error = own_error(output);
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
GB_DEFINE(Vector, gb_check_vector)
GB_DEFINE(Matrix, gb_check_handle)
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
