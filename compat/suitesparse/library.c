/* SPDX-License-Identifier: Apache-2.0
 *
 * The library as a whole: predefined objects are set when it is loaded, and made by GrB_init where
 * gblite has none; options of the library, which are kept and, but for the number of threads, the
 * orientation and the burble, which is gblite's trace, change nothing.
 */
#include "compat.h"

#include <stdlib.h>

static const double bitmap_switches[GxB_NBITMAP_SWITCH] = {0.04, 0.05, 0.06, 0.08,
                                                           0.10, 0.20, 0.30, 0.40};
#define HYPER_SWITCH 0.0625
#define CHUNK 65536.0

compat_Library compat_library;

/* These are constants of the ABI. */
extern const gbl_Index *GrB_ALL;
extern gbl_Global GrB_GLOBAL;
extern const int GxB_FORMAT_DEFAULT;
extern const double GxB_ALWAYS_HYPER, GxB_HYPER_DEFAULT, GxB_NEVER_HYPER;
const gbl_Index *GrB_ALL;
gbl_Global GrB_GLOBAL;
const int GxB_FORMAT_DEFAULT = GxB_BY_ROW;
const double GxB_ALWAYS_HYPER = 1, GxB_HYPER_DEFAULT = HYPER_SWITCH, GxB_NEVER_HYPER = -1;

/* A store through a pointer to another type of pointer. */
static void set_object(const compat_Object *object, const void *value) {
    memcpy(object->object, &value, sizeof value);
}
static void *get_object(void **object) {
    void *value;
    memcpy(&value, object, sizeof value);
    return value;
}

__attribute__((constructor)) static void set_objects(void) {
    GrB_ALL = GBL_ALL;
    GrB_GLOBAL = GBL_GLOBAL;
    for (size_t k = 0; k < compat_object_count; k++)
        if (compat_objects[k].core != NULL)
            set_object(&compat_objects[k], get_object((void **)compat_objects[k].core));
}

const char *compat_name_of(const void *object) {
    for (size_t k = 0; k < compat_object_count; k++)
        if (get_object(compat_objects[k].object) == object) return compat_objects[k].name;
    return NULL;
}

static void set_made(const compat_Object *object, const void *made) {
    compat_library.serial = ((const gb_Algebra *)made)->serial; /* they grow */
    set_object(object, made);
}

static gbl_Info make_function(const compat_Object *object) {
    const compat_Function *made = object->made;
    if (made->y == NULL) {
        gbl_UnaryOp op;
        COMPAT_TRY(gbl_UnaryOp_new(&op, (gbl_unary_function)made->function, *made->z, *made->x));
        set_made(object, op);
    } else if (strncmp(object->name, "GxB_FLIP", 8) == 0 ||
               strncmp(object->name, "GxB_NONZ", 8) == 0) {
        gbl_IndexUnaryOp op;
        COMPAT_TRY(gbl_IndexUnaryOp_new(&op, (gbl_index_unary_function)made->function, *made->z,
                                        *made->x, *made->y));
        set_made(object, op);
    } else {
        gbl_BinaryOp op;
        COMPAT_TRY(gbl_BinaryOp_new(&op, (gbl_binary_function)made->function, *made->z, *made->x,
                                    *made->y));
        set_made(object, op);
    }
    return GBL_SUCCESS;
}

static gbl_Info make_objects(void) {
    for (size_t k = 0; k < compat_object_count; k++) {
        const compat_Object *object = &compat_objects[k];
        if (object->made != NULL) COMPAT_TRY(make_function(object));
        if (object->add == NULL) continue;
        gbl_Semiring ring;
        COMPAT_TRY(gbl_Semiring_new(&ring, get_object(object->add), get_object(object->multiply)));
        set_made(object, ring);
    }
    return GBL_SUCCESS;
}

static void free_objects(void) {
    for (size_t k = compat_object_count; k-- > 0;) {
        const compat_Object *object = &compat_objects[k];
        void *value = get_object(object->object);
        if (object->core != NULL || value == NULL) continue;
        const uint64_t magic = *(const uint64_t *)value;
        if (magic == GB_MAGIC_SEMIRING) gbl_Semiring_free((gbl_Semiring *)&value);
        if (magic == GB_MAGIC_UNARY) gbl_UnaryOp_free((gbl_UnaryOp *)&value);
        if (magic == GB_MAGIC_BINARY) gbl_BinaryOp_free((gbl_BinaryOp *)&value);
        if (magic == GB_MAGIC_INDEX) gbl_IndexUnaryOp_free((gbl_IndexUnaryOp *)&value);
        set_object(object, NULL);
    }
}

COMPAT(GxB_init, gbl_Mode mode, void *(*user_malloc)(size_t), void *(*user_calloc)(size_t, size_t),
       void *(*user_realloc)(void *, size_t), void (*user_free)(void *)) {
    const int plain = (int)mode % 2 != 0 && (int)mode != GBL_BLOCKING ? GBL_NONBLOCKING
                      : (int)mode == GxB_BLOCKING_GPU                 ? GBL_BLOCKING
                                                                      : (int)mode;
    COMPAT_TRY(gbl_init_with_allocator((gbl_Mode)plain, user_malloc, user_realloc, user_free));
    const gbl_Info info = make_objects();
    if (info != GBL_SUCCESS) {
        free_objects();
        gbl_finalize();
        return info;
    }
    compat_library = (compat_Library){
        .finalized = compat_library.finalized, .ready = true, .serial = compat_library.serial};
    compat_library.mode = mode;
    compat_library.major = COMPAT_MAJOR;
    compat_library.hyper_switch = HYPER_SWITCH;
    compat_library.chunk = CHUNK;
    compat_library.gpu_id = -1;
    memcpy(compat_library.bitmap_switch, bitmap_switches, sizeof bitmap_switches);
    compat_library.malloc_function = user_malloc != NULL ? user_malloc : malloc;
    compat_library.calloc_function = user_malloc != NULL ? user_calloc : calloc;
    compat_library.realloc_function = user_malloc != NULL ? user_realloc : realloc;
    compat_library.free_function = user_malloc != NULL ? user_free : free;
    return GBL_SUCCESS;
}

SAME(GrB_init, (gbl_Mode mode), GxB_init(mode, NULL, NULL, NULL, NULL))

COMPAT(GrB_finalize, void) {
    if (!compat_library.ready) return GBL_SUCCESS;
    compat_extras_end();
    free_objects();
    compat_library.ready = false;
    compat_library.finalized = true;
    return gbl_finalize();
}

SAME(GB_Global_GrB_init_called_set, (bool called), ((void)called, GBL_SUCCESS)) /* it may anyway */
SAME(GrB_getVersion, (unsigned *version, unsigned *subversion),
     gbl_getVersion(version != NULL ? version : &(unsigned){0},
                    subversion != NULL ? subversion : &(unsigned){0}))

/* --------------------------------------------------------------------------------- options -- */

static const struct {
    int field;
    const char *text;
} texts[] = {COMPAT_TEXTS};

static const char *text_option(int field) {
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (texts[k].field == field) return texts[k].text;
    const bool jit = field >= GxB_JIT_C_COMPILER_NAME && field <= GxB_JIT_ERROR_LOG &&
                     field != GxB_JIT_C_CONTROL && field != GxB_JIT_USE_CMAKE;
    return jit ? "" : NULL;
}

/* Numbers that nothing changes, one or the three of a version. */
static const int32_t fixed_options[][4] = {COMPAT_NUMBERS};

/* What is kept; a function is a pointer to data, as the ABI passes it. */
static const struct { int field, *number; } kept[] = {COMPAT_KEPT};
static const struct {
    int field;
    void *pointer;
} pointers[] = {COMPAT_POINTERS};

static int *kept_option(int field) {
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        if (kept[k].field == field) return kept[k].number;
    return NULL;
}
static void **function_option(int field) {
    for (size_t k = 0; k < sizeof pointers / sizeof *pointers; k++)
        if (pointers[k].field == field) return pointers[k].pointer;
    return NULL;
}

static gbl_Info int_option(int32_t *value, int field) {
    if (value == NULL) return GBL_NULL_POINTER;
    for (size_t k = 0; k < sizeof fixed_options / sizeof *fixed_options; k++)
        if (fixed_options[k][0] == field) {
            const bool three = field >= GxB_LIBRARY_VERSION && field <= GxB_COMPILER_VERSION;
            memcpy(value, &fixed_options[k][1], (three ? 3 : 1) * sizeof *value);
            return GBL_SUCCESS;
        }
    const int *number = kept_option(field);
    if (field == GxB_NTHREADS || field == 5)
        return gbl_Global_get_INT32(GBL_GLOBAL, value, GBL_NTHREADS);
    if (number != NULL)
        *value = *number;
    else if (compat_is_hint(field))
        *value = 32;
    else if (field == GBL_STORAGE_ORIENTATION_HINT)
        *value = compat_library.format == GxB_BY_COL ? GBL_COLMAJOR : GBL_ROWMAJOR;
    else
        return gbl_fail(GBL_INVALID_VALUE, NULL, "the library has no option %d", field);
    return GBL_SUCCESS;
}

static gbl_Info set_int_option(int32_t value, int field) {
    if (compat_is_hint(field) && (value == 0 || value == 32 || value == 64)) return GBL_SUCCESS;
    if (field == GxB_NTHREADS || field == 5)
        return gbl_Global_set_INT32(GBL_GLOBAL, value > 0 ? value : 0, GBL_NTHREADS);
    if (field == GxB_FORMAT || field == GBL_STORAGE_ORIENTATION_HINT) {
        if (value != GxB_BY_ROW && value != GxB_BY_COL)
            return gbl_fail(GBL_INVALID_VALUE, NULL, "%d is neither by row nor by column", value);
        compat_library.format = value;
        return gbl_Global_set_INT32(GBL_GLOBAL, value, GBL_STORAGE_ORIENTATION_HINT);
    }
    int *number = kept_option(field);
    if (number == NULL || number == &compat_library.mode)
        return gbl_fail(GBL_INVALID_VALUE, NULL, "the library has no option %d to set", field);
    if (field == GxB_JIT_C_CONTROL && (value < 0 || value > GxB_JIT_ON)) return GBL_INVALID_VALUE;
    *number = field == GxB_GPU_ID          ? value
              : field == GxB_JIT_C_CONTROL ? 0 /* there is no compiler */
                                           : value != 0;
    return field == GxB_BURBLE ? gbl_Global_set_INT32(GBL_GLOBAL, value != 0, GBL_TRACE)
                               : GBL_SUCCESS;
}

static double *float_option(int field) {
    if (field == GxB_HYPER_SWITCH) return &compat_library.hyper_switch;
    if (field == GxB_CHUNK || field == 7) return &compat_library.chunk;
    return NULL;
}

#define READY(call)                                                                                \
    (compat_library.ready ? (call) : gbl_fail(GBL_PANIC, NULL, "call GrB_init first"))
#define NEED_INIT COMPAT_TRY(READY(GBL_SUCCESS))

SAME(GxB_Global_Option_get_INT32, (int field, int32_t *value), READY(int_option(value, field)))
SAME(GxB_Global_Option_set_INT32, (int field, int32_t value), READY(set_int_option(value, field)))
COMPAT(GxB_Global_Option_get_FP64, int field, double *value) {
    NEED_INIT;
    if (value == NULL) return GBL_NULL_POINTER;
    if (field == GxB_BITMAP_SWITCH) {
        memcpy(value, compat_library.bitmap_switch, sizeof compat_library.bitmap_switch);
        return GBL_SUCCESS;
    }
    const double *option = float_option(field);
    if (option == NULL) return GBL_INVALID_VALUE;
    *value = *option;
    return GBL_SUCCESS;
}
COMPAT(GxB_Global_Option_set_FP64, int field, double value) {
    NEED_INIT;
    double *option = float_option(field);
    if (option == NULL) return GBL_INVALID_VALUE;
    *option = field == GxB_CHUNK && value <= 0 ? CHUNK : value;
    return GBL_SUCCESS;
}
COMPAT(GxB_Global_Option_set_FP64_ARRAY, int field, const double *value) {
    NEED_INIT;
    if (field != GxB_BITMAP_SWITCH) return GBL_INVALID_VALUE;
    memcpy(compat_library.bitmap_switch, value != NULL ? value : bitmap_switches,
           sizeof compat_library.bitmap_switch);
    return GBL_SUCCESS;
}
COMPAT(GxB_Global_Option_get_INT64, int field, int64_t *value) {
    NEED_INIT;
    if (field != GxB_MEMORY_POOL) return GBL_INVALID_VALUE;
    memcpy(value, compat_library.pool, sizeof compat_library.pool);
    return GBL_SUCCESS;
}
SAME(GxB_Global_Option_set_INT64_ARRAY, (int field, const int64_t *value),
     ((void)value, READY(field == GxB_MEMORY_POOL ? GBL_SUCCESS : GBL_INVALID_VALUE)))
COMPAT(GxB_Global_Option_get_CHAR, int field, const char **value) {
    NEED_INIT;
    const char *text = text_option(field);
    return text == NULL ? GBL_INVALID_VALUE : GIVE(value, text);
}
/* Texts of the JIT, which all are empty, are accepted. */
COMPAT(GxB_Global_Option_set_CHAR, int field, const char *value) {
    const char *text = text_option(field);
    NEED_INIT;
    (void)value;
    return text && *text == '\0' && field != GxB_LIBRARY_URL ? GBL_SUCCESS : GBL_INVALID_VALUE;
}

COMPAT(GxB_Global_Option_get_FUNCTION, int field, void **value) {
    NEED_INIT;
    void **option = function_option(field);
    if (option != NULL) *value = get_object(option);
    return option != NULL ? GBL_SUCCESS : GBL_INVALID_VALUE;
}
COMPAT(GxB_Global_Option_set_FUNCTION, int field, void *value) {
    NEED_INIT;
    if (field != GxB_PRINTF && field != GxB_FLUSH) return GBL_INVALID_VALUE;
    *function_option(field) = value;
    return GBL_SUCCESS;
}

COMPAT(GxB_Global_Option_get, int field, ...) {
    va_list list;
    va_start(list, field);
    void *value = va_arg(list, void *);
    va_end(list);
    if (function_option(field) != NULL) return GxB_Global_Option_get_FUNCTION(field, value);
    if (text_option(field) != NULL) return GxB_Global_Option_get_CHAR(field, value);
    if (field == GxB_BITMAP_SWITCH || float_option(field) != NULL)
        return GxB_Global_Option_get_FP64(field, value);
    if (field == GxB_MEMORY_POOL) return GxB_Global_Option_get_INT64(field, value);
    return GxB_Global_Option_get_INT32(field, value);
}
COMPAT(GxB_Global_Option_set, int field, ...) {
    gbl_Info info;
    va_list list;
    va_start(list, field);
    if (function_option(field) != NULL)
        info = GxB_Global_Option_set_FUNCTION(field, va_arg(list, void *));
    else if (text_option(field) != NULL)
        info = GxB_Global_Option_set_CHAR(field, va_arg(list, char *));
    else if (field == GxB_BITMAP_SWITCH)
        info = GxB_Global_Option_set_FP64_ARRAY(field, va_arg(list, double *));
    else if (float_option(field) != NULL)
        info = GxB_Global_Option_set_FP64(field, va_arg(list, double));
    else if (field == GxB_MEMORY_POOL)
        info = GBL_SUCCESS;
    else
        info = GxB_Global_Option_set_INT32(field, va_arg(list, int));
    va_end(list);
    return info;
}

/* The same by the standard's functions, whose first argument is GrB_GLOBAL. */
SAME(GrB_Global_get_INT32, (gbl_Global g, int32_t *value, int field),
     ((void)g, GxB_Global_Option_get_INT32(field, value)))
SAME(GrB_Global_set_INT32, (gbl_Global g, int32_t value, int field),
     ((void)g, GxB_Global_Option_set_INT32(field, value)))
COMPAT(GrB_Global_get_String, gbl_Global g, char *value, int field) {
    (void)g;
    const char *text;
    COMPAT_TRY(GxB_Global_Option_get_CHAR(field, &text));
    if (value == NULL) return GBL_NULL_POINTER;
    strcpy(value, text);
    return GBL_SUCCESS;
}
SAME(GrB_Global_set_String, (gbl_Global g, const char *value, int field),
     ((void)g, GxB_Global_Option_set_CHAR(field, value)))
COMPAT(GrB_Global_get_SIZE, gbl_Global g, size_t *value, int field) {
    (void)g;
    NEED_INIT;
    const char *text = text_option(field);
    if (value == NULL) return GBL_NULL_POINTER;
    if (text != NULL)
        *value = strlen(text) + 1;
    else if (function_option(field) != NULL)
        *value = sizeof(void *);
    else if (field == GxB_BITMAP_SWITCH)
        *value = sizeof compat_library.bitmap_switch;
    else if (field == GxB_LIBRARY_VERSION || field == GxB_API_VERSION ||
             field == GxB_COMPILER_VERSION)
        *value = 3 * sizeof(int32_t);
    else
        return GBL_INVALID_VALUE;
    return GBL_SUCCESS;
}
COMPAT(GrB_Global_get_VOID, gbl_Global g, void *value, int field) {
    (void)g;
    if (function_option(field) != NULL) return GxB_Global_Option_get_FUNCTION(field, value);
    if (field == GxB_BITMAP_SWITCH) return GxB_Global_Option_get_FP64(field, value);
    return field >= GxB_LIBRARY_VERSION && field <= GxB_COMPILER_VERSION
               ? GxB_Global_Option_get_INT32(field, value)
               : GBL_INVALID_VALUE;
}
COMPAT(GrB_Global_set_VOID, gbl_Global g, void *value, int field, size_t size) {
    (void)g, (void)size;
    if (field == GxB_BITMAP_SWITCH) return GxB_Global_Option_set_FP64_ARRAY(field, value);
    return GxB_Global_Option_set_FUNCTION(field, value);
}
COMPAT(GrB_Global_get_Scalar, gbl_Global g, gbl_Scalar value, int field) {
    (void)g;
    NEED_INIT;
    int32_t number[3];
    const double *option = float_option(field);
    if (option != NULL) return gbl_Scalar_setElement_FP64(value, *option);
    COMPAT_TRY(int_option(number, field));
    return gbl_Scalar_setElement_INT32(value, number[0]);
}
COMPAT(GrB_Global_set_Scalar, gbl_Global g, gbl_Scalar value, int field) {
    (void)g;
    double number;
    COMPAT_TRY(compat_number(&number, value));
    if (float_option(field) != NULL) return GxB_Global_Option_set_FP64(field, number);
    return GxB_Global_Option_set_INT32(field, (int32_t)number);
}
