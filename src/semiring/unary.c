/* SPDX-License-Identifier: Apache-2.0
 *
 * Unary operators: predefined and user-defined.
 */
#include "core/memory.h"
#include "core/status.h"
#include "semiring/objects.h"
#include "semiring/scalar_ops.h"

#define GB_DEFINE_UNARY(op, name, N, T)                                                            \
    static void gb_batch_##op##_##N(const gb_UnaryOp *self, size_t n, void *z_, const void *x_,    \
                                    int sx) {                                                      \
        T *restrict z = z_;                                                                        \
        const T *restrict x = x_;                                                                  \
        (void)self;                                                                                \
        if (n == 0) return;                                                                        \
        if (sx != 0) {                                                                             \
            for (size_t k = 0; k < n; k++) z[k] = gb_##op##_##N(x[k]);                             \
        } else {                                                                                   \
            const T c = gb_##op##_##N(*x);                                                         \
            gb_fill(z, &c, sizeof(T), n);                                                          \
        }                                                                                          \
    }                                                                                              \
    static const gb_UnaryOp gb_unary_##op##_##N =                                                  \
        GB_UNARY_OBJECT(GB_##op, GB_TYPE(N), GB_TYPE(N), gb_batch_##op##_##N, NULL);               \
    gbl_UnaryOp const GBL_##name = (gb_UnaryOp *)&gb_unary_##op##_##N;

#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_UNARY(IDENTITY, IDENTITY_##N, N, T)                                                  \
    GB_DEFINE_UNARY(ABS, ABS_##N, N, T)                                                            \
    GB_DEFINE_UNARY(AINV, AINV_##N, N, T)                                                          \
    GB_DEFINE_UNARY(MINV, MINV_##N, N, T)                                                          \
    GB_DEFINE_UNARY(ONE, ONE_##N, N, T)
GBL_FOREACH_TYPE(GB_DEFINE)
#undef GB_DEFINE
GB_DEFINE_UNARY(LNOT, LNOT, BOOL, bool)
#define GB_DEFINE(N, T) GB_DEFINE_UNARY(BNOT, BNOT_##N, N, T)
GBL_FOREACH_INTEGER(GB_DEFINE)
#undef GB_DEFINE

void gb_batch_unary(const gb_UnaryOp *op, size_t n, void *z, const void *x, int sx) {
    const size_t zsize = op->ztype->size;
    const size_t xstep = sx != 0 ? op->xtype->size : 0;
    for (size_t k = 0; k < n; k++) op->user((char *)z + k * zsize, (const char *)x + k * xstep);
}

gb_UnaryOp *gb_unary_make(gbl_unary_function f, gb_Type *z, gb_Type *x) {
    gb_UnaryOp *op = gb_malloc(sizeof(gb_UnaryOp));
    if (op == NULL)
        gb_fail_memory(sizeof(gb_UnaryOp));
    else
        *op = (gb_UnaryOp){.magic = GB_MAGIC_UNARY,
                           .serial = gb_serial_next(),
                           .refs = 1,
                           .code = GB_USER,
                           .ztype = gb_type_retain(z),
                           .xtype = gb_type_retain(x),
                           .batch = gb_batch_unary,
                           .user = f};
    return op;
}

void gb_unary_release(gb_UnaryOp *op) {
    if (!gb_refs_drop(&op->refs)) return;
    gb_type_release(op->ztype);
    gb_type_release(op->xtype);
    gb_name_free(op->name);
    op->magic = GB_MAGIC_FREED;
    gb_free(op, sizeof(gb_UnaryOp));
}

gbl_Info gb_check_unary(const gb_UnaryOp *op, const char *name) {
    return gb_check_object(op, GB_MAGIC_UNARY, name, "gbl_UnaryOp");
}
