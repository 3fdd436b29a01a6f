/* SPDX-License-Identifier: Apache-2.0
 *
 * Index-unary operators: predefined and user-defined.
 *
 * Those by position never touch x, which may be NULL; their xtype is NULL.
 */
#include "core/memory.h"
#include "core/status.h"
#include "semiring/objects.h"
#include "semiring/scalar_ops.h"

/* y and the result by type name and C type */
#define GB_DEFINE_POSITION(op, name, Z, ZN, T, N)                                                  \
    static void gb_scalar_##op##_##N(void *z, const void *x, gbl_Index i, gbl_Index j,             \
                                     const void *y) {                                              \
        (void)x;                                                                                   \
        *(Z *)z = gb_##op##_##N((int64_t)i, (int64_t)j, *(const T *)y);                            \
    }                                                                                              \
    static void gb_batch_##op##_##N(const gb_IndexUnaryOp *self, size_t n, void *z_,               \
                                    const void *x, int sx, gb_Positions at, const void *y_) {      \
        Z *restrict z = z_;                                                                        \
        (void)self;                                                                                \
        (void)x;                                                                                   \
        (void)sx;                                                                                  \
        if (n == 0) return;                                                                        \
        const T y = *(const T *)y_;                                                                \
        const size_t si = (size_t)at.si, sj = (size_t)at.sj;                                       \
        for (size_t k = 0; k < n; k++) z[k] = gb_##op##_##N(at.i[k * si], at.j[k * sj], y);        \
    }                                                                                              \
    static const gb_IndexUnaryOp gb_index_##op##_##N = GB_INDEX_OBJECT(                            \
        GB_##op, GB_TYPE(ZN), NULL, GB_TYPE(N), gb_batch_##op##_##N, gb_scalar_##op##_##N);        \
    gbl_IndexUnaryOp const GBL_##name = (gb_IndexUnaryOp *)&gb_index_##op##_##N;

#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_POSITION(ROWINDEX, ROWINDEX_##N, T, N, T, N)                                         \
    GB_DEFINE_POSITION(COLINDEX, COLINDEX_##N, T, N, T, N)                                         \
    GB_DEFINE_POSITION(DIAGINDEX, DIAGINDEX_##N, T, N, T, N)
GB_DEFINE(INT32, int32_t)
GB_DEFINE(INT64, int64_t)
#undef GB_DEFINE

#define GB_DEFINE(op) GB_DEFINE_POSITION(op, op, bool, BOOL, int64_t, INT64)
GB_DEFINE(TRIL)
GB_DEFINE(TRIU)
GB_DEFINE(DIAG)
GB_DEFINE(OFFDIAG)
GB_DEFINE(COLLE)
GB_DEFINE(COLGT)
GB_DEFINE(ROWLE)
GB_DEFINE(ROWGT)
#undef GB_DEFINE

/* x compared with y: the binary operator */
#define GB_DEFINE_VALUE(op, N, T)                                                                  \
    static void gb_batch_VALUE##op##_##N(const gb_IndexUnaryOp *self, size_t n, void *z,           \
                                         const void *x, int sx, gb_Positions at, const void *y) {  \
        (void)self;                                                                                \
        (void)at;                                                                                  \
        gb_binary_##op##_##N.batch(&gb_binary_##op##_##N, n, z, x, sx, y, 0);                      \
    }                                                                                              \
    static const gb_IndexUnaryOp gb_index_VALUE##op##_##N = GB_INDEX_OBJECT(                       \
        GB_VALUE##op, GB_TYPE(BOOL), GB_TYPE(N), GB_TYPE(N), gb_batch_VALUE##op##_##N, NULL);      \
    gbl_IndexUnaryOp const GBL_VALUE##op##_##N = (gb_IndexUnaryOp *)&gb_index_VALUE##op##_##N;

#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_VALUE(EQ, N, T)                                                                      \
    GB_DEFINE_VALUE(NE, N, T)                                                                      \
    GB_DEFINE_VALUE(LT, N, T)                                                                      \
    GB_DEFINE_VALUE(LE, N, T)                                                                      \
    GB_DEFINE_VALUE(GT, N, T)                                                                      \
    GB_DEFINE_VALUE(GE, N, T)
GBL_FOREACH_TYPE(GB_DEFINE)
#undef GB_DEFINE

static void gb_batch_user_index(const gb_IndexUnaryOp *op, size_t n, void *z, const void *x, int sx,
                                gb_Positions at, const void *y) {
    const size_t zsize = op->ztype->size;
    const size_t xstep = sx != 0 ? op->xtype->size : 0;
    const size_t si = (size_t)at.si, sj = (size_t)at.sj;
    for (size_t k = 0; k < n; k++)
        op->user((char *)z + k * zsize, (const char *)x + k * xstep, at.i[k * si], at.j[k * sj], y);
}

gb_IndexUnaryOp *gb_index_make(gbl_index_unary_function f, gb_Type *z, gb_Type *x, gb_Type *y) {
    gb_IndexUnaryOp *op = gb_malloc(sizeof(gb_IndexUnaryOp));
    if (op == NULL)
        gb_fail_memory(sizeof(gb_IndexUnaryOp));
    else
        *op = (gb_IndexUnaryOp){.magic = GB_MAGIC_INDEX,
                                .serial = gb_serial_next(),
                                .refs = 1,
                                .code = GB_USER,
                                .ztype = gb_type_retain(z),
                                .xtype = gb_type_retain(x),
                                .ytype = gb_type_retain(y),
                                .batch = gb_batch_user_index,
                                .user = f};
    return op;
}

void gb_index_release(gb_IndexUnaryOp *op) {
    if (!gb_refs_drop(&op->refs)) return;
    gb_type_release(op->ztype);
    gb_type_release(op->xtype);
    gb_type_release(op->ytype);
    gb_name_free(op->name);
    op->magic = GB_MAGIC_FREED;
    gb_free(op, sizeof(gb_IndexUnaryOp));
}

gbl_Info gb_check_index(const gb_IndexUnaryOp *op, const char *name) {
    return gb_check_object(op, GB_MAGIC_INDEX, name, "gbl_IndexUnaryOp");
}
