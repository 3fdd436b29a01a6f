/* SPDX-License-Identifier: Apache-2.0
 *
 * EXTENSIONS: no part of the GraphBLAS C API, but names of SuiteSparse:GraphBLAS that programs use
 * most beside it, with its meaning: predefined operators, monoids and semirings
 * (grb_extension_names.h), text (grb_print.h), and what stands here. docs/conformance.md lists all;
 * other GxB_ names there are none. Included by GraphBLAS.h.
 */
#ifndef GRB_EXTENSIONS_H
#define GRB_EXTENSIONS_H

#include "grb_extension_names.h"
#include "grb_print.h"

/* GxB_Matrix_type_name, GxB_Vector_type_name, GxB_Scalar_type_name: name[GxB_MAX_NAME_LEN] = the C
 * name of the type of the entries. Errors: as gbl_Matrix_type. */
#define GBL_GRB_DEFINE(K)                                                                          \
    static inline gbl_Info GxB_##K##_type_name(char *name, const gbl_##K object) {                 \
        gbl_Type type = NULL;                                                                      \
        const gbl_Info info = gbl_##K##_type(&type, object);                                       \
        if (info != GBL_SUCCESS) return info;                                                      \
        return name == NULL ? GBL_NULL_POINTER : gbl_grb_type_name(name, type);                    \
    }
GBL_GRB_DEFINE(Matrix)
GBL_GRB_DEFINE(Vector)
GBL_GRB_DEFINE(Scalar)
#undef GBL_GRB_DEFINE

/* GxB_Matrix_iso, GxB_Vector_iso: *iso = whether one value stands for all entries.
 * GxB_Matrix_memoryUsage, GxB_Vector_memoryUsage: *size = the bytes of all forms of the content.
 * Elements that wait are put in first. Errors: as gbl_Matrix_wait and gbl_Matrix_formats. */
#define GBL_GRB_DEFINE(K)                                                                          \
    static inline gbl_Info gbl_grb_##K##_formats(gbl_Formats *formats, const gbl_##K object) {     \
        const gbl_Info info = gbl_##K##_wait(object, GBL_MATERIALIZE);                             \
        return info == GBL_SUCCESS ? gbl_##K##_formats(formats, object) : info;                    \
    }                                                                                              \
    static inline gbl_Info GxB_##K##_iso(bool *iso, const gbl_##K object) {                        \
        gbl_Formats formats;                                                                       \
        const gbl_Info info = gbl_grb_##K##_formats(&formats, object);                             \
        if (info != GBL_SUCCESS) return info;                                                      \
        if (iso == NULL) return GBL_NULL_POINTER;                                                  \
        *iso = formats.iso;                                                                        \
        return info;                                                                               \
    }                                                                                              \
    static inline gbl_Info GxB_##K##_memoryUsage(size_t *size, const gbl_##K object) {             \
        gbl_Formats formats;                                                                       \
        const gbl_Info info = gbl_grb_##K##_formats(&formats, object);                             \
        if (info != GBL_SUCCESS) return info;                                                      \
        if (size == NULL) return GBL_NULL_POINTER;                                                 \
        *size = (size_t)formats.bytes;                                                             \
        return info;                                                                               \
    }
GBL_GRB_DEFINE(Matrix)
GBL_GRB_DEFINE(Vector)
#undef GBL_GRB_DEFINE

/* GxB_init: gbl_init_with_allocator, which does without a calloc. */
static inline gbl_Info GxB_init(gbl_Mode mode, void *(*user_malloc)(size_t),
                                void *(*user_calloc)(size_t, size_t),
                                void *(*user_realloc)(void *, size_t), void (*user_free)(void *)) {
    (void)user_calloc;
    return gbl_init_with_allocator(mode, user_malloc, user_realloc, user_free);
}

/* GxB_Global_Option_set_INT32, GxB_Global_Option_get_INT32: The number of threads, the one option
 * that there is; GBL_INVALID_VALUE for another field. In C11 also as GxB_set(GxB_NTHREADS, n) and
 * GxB_get(GxB_NTHREADS, &n). */
typedef enum { GxB_NTHREADS = 5, GxB_GLOBAL_NTHREADS = 5 } GxB_Option_Field;
static inline gbl_Info GxB_Global_Option_set_INT32(GxB_Option_Field field, int32_t value) {
    if (field != GxB_NTHREADS) return GBL_INVALID_VALUE;
    return gbl_Global_set_INT32(GBL_GLOBAL, value, GBL_NTHREADS);
}
static inline gbl_Info GxB_Global_Option_get_INT32(GxB_Option_Field field, int32_t *value) {
    if (field != GxB_NTHREADS) return GBL_INVALID_VALUE;
    return gbl_Global_get_INT32(GBL_GLOBAL, value, GBL_NTHREADS);
}
#define GxB_Global_Option_set(field, value) GxB_Global_Option_set_INT32(field, value)
#define GxB_Global_Option_get(field, value) GxB_Global_Option_get_INT32(field, value)
#define GxB_set(field, value) GxB_Global_Option_set_INT32(field, value)
#define GxB_get(field, value) GxB_Global_Option_get_INT32(field, value)

#endif
