/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts: how many threads the calls of a user's thread run on. gblite's number is one for the
 * process, so engage and disengage are accepted, and only GxB_CONTEXT_WORLD changes it.
 */
#include "compat.h"

typedef struct GB_Context_opaque {
    int32_t nthreads, gpu_id;
    double chunk;
} * GxB_Context;

static struct GB_Context_opaque world = {0, -1, 65536};
extern GxB_Context GxB_CONTEXT_WORLD;
GxB_Context GxB_CONTEXT_WORLD = &world;

COMPAT(GxB_Context_new, GxB_Context *context) {
    if (context == NULL) return GBL_NULL_POINTER;
    *context = gbl_Memory_malloc(sizeof **context);
    if (*context == NULL) return GBL_OUT_OF_MEMORY;
    **context = (struct GB_Context_opaque){0, -1, 65536};
    return gbl_Global_get_INT32(GBL_GLOBAL, &(*context)->nthreads, GBL_NTHREADS);
}
COMPAT(GxB_Context_free, GxB_Context *context) {
    if (context == NULL || *context == NULL) return GBL_SUCCESS;
    if (*context != &world) gbl_Memory_free(*context);
    *context = NULL;
    return GBL_SUCCESS;
}
static _Thread_local GxB_Context engaged;
COMPAT(GxB_Context_engage, GxB_Context context) {
    if (context == NULL) return GBL_NULL_POINTER;
    engaged = context == &world ? NULL : context;
    return GBL_SUCCESS;
}
COMPAT(GxB_Context_disengage, GxB_Context context) {
    if (context != NULL && context != &world && engaged != NULL && context != engaged)
        return GBL_INVALID_VALUE;
    engaged = NULL;
    return GBL_SUCCESS;
}
SAME(GxB_Context_wait, (GxB_Context context, int mode),
     ((void)mode, context == NULL ? GBL_NULL_POINTER : GBL_SUCCESS))
SAME(GxB_Context_error, (const char **text, GxB_Context context),
     context == NULL ? GBL_NULL_POINTER : GIVE(text, ""))
COMPAT(GxB_Context_get_INT, GxB_Context context, int32_t *value, int field) {
    if (context == NULL || value == NULL) return GBL_NULL_POINTER;
    if (field == GxB_NTHREADS && context == &world)
        return gbl_Global_get_INT32(GBL_GLOBAL, value, GBL_NTHREADS);
    if (field == GxB_NTHREADS)
        *value = context->nthreads;
    else if (field == GxB_GPU_ID)
        *value = context->gpu_id;
    else
        return GBL_INVALID_VALUE;
    return GBL_SUCCESS;
}
COMPAT(GxB_Context_set_INT, GxB_Context context, int32_t value, int field) {
    if (context == NULL) return GBL_NULL_POINTER;
    if (field == GxB_NTHREADS && context == &world)
        return gbl_Global_set_INT32(GBL_GLOBAL, value > 0 ? value : 0, GBL_NTHREADS);
    if (field == GxB_NTHREADS) {
        context->nthreads = value;
        return value > 0 ? GBL_SUCCESS
                         : gbl_Global_get_INT32(GBL_GLOBAL, &context->nthreads, GBL_NTHREADS);
    }
    if (field != GxB_GPU_ID) return GBL_INVALID_VALUE;
    context->gpu_id = -1; /* none is ever used */
    return GBL_SUCCESS;
}
SAME(GxB_Context_get_INT32, (GxB_Context context, int field, int32_t *value),
     GxB_Context_get_INT(context, value, field))
SAME(GxB_Context_set_INT32, (GxB_Context context, int field, int32_t value),
     GxB_Context_set_INT(context, value, field))
SAME(GxB_Context_get_FP64, (GxB_Context context, int field, double *value),
     context == NULL      ? GBL_NULL_POINTER
     : field != GxB_CHUNK ? GBL_INVALID_VALUE
                          : GIVE(value, context->chunk))
SAME(GxB_Context_set_FP64, (GxB_Context context, int field, double value),
     context == NULL      ? GBL_NULL_POINTER
     : field != GxB_CHUNK ? GBL_INVALID_VALUE
                          : (context->chunk = value > 0 ? value : 65536, GBL_SUCCESS))
COMPAT(GxB_Context_get, GxB_Context context, int field, ...) {
    va_list list;
    va_start(list, field);
    void *value = va_arg(list, void *);
    va_end(list);
    return field == GxB_CHUNK ? GxB_Context_get_FP64(context, field, value)
                              : GxB_Context_get_INT(context, value, field);
}
COMPAT(GxB_Context_set, GxB_Context context, int field, ...) {
    va_list list;
    va_start(list, field);
    const gbl_Info info = field == GxB_CHUNK
                              ? GxB_Context_set_FP64(context, field, va_arg(list, double))
                              : GxB_Context_set_INT(context, va_arg(list, int), field);
    va_end(list);
    return info;
}
COMPAT(GxB_Context_fprint, GxB_Context context, const char *name, int level, FILE *f) {
    int32_t nthreads;
    COMPAT_TRY(GxB_Context_get_INT(context, &nthreads, GxB_NTHREADS));
    if (level > 0)
        fprintf(
            f != NULL ? f : stdout,
            "\n    GraphBLAS Context: %s \n    Context.nthreads: %d\n    Context.chunk:    %g\n",
            name, nthreads, context->chunk);
    return GBL_SUCCESS;
}
