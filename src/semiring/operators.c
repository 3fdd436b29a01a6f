/* SPDX-License-Identifier: Apache-2.0
 *
 * The operators of the standard, predefined and user-defined: unary, binary, and index-unary ones.
 * Those by position never touch x, which may be NULL; the xtype of index-unary ones is NULL then.
 */
#include "core/memory.h"
#include "core/call.h"
#include "semiring/objects.h"
#include "semiring/scalar_ops.h"

#define GB_DEFINE_UNARY(op, name, N, T)                                                            \
    GB_DEFINE_UNARY_BY_VALUE(op, name, N, T, N, T, gb_##op##_##N)

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

/* y NULL: there is none. */
static void *make_operator(uint64_t magic, size_t bytes, gb_Type *z, gb_Type *x, gb_Type *y) {
    gb_Operator *op = gb_algebra_make(magic, bytes);
    if (op == NULL) return NULL;
    op->ztype = gb_retain(z);
    op->xtype = gb_retain(x);
    op->ytype = y != NULL ? gb_retain(y) : NULL;
    return op;
}

gb_UnaryOp *gb_unary_make(gbl_unary_function f, gb_Type *z, gb_Type *x) {
    gb_UnaryOp *op = make_operator(GB_MAGIC_UNARY, sizeof *op, z, x, NULL);
    if (op == NULL) return NULL;
    op->batch = gb_batch_unary;
    op->user = f;
    return op;
}

/* -- binary operators. GB_DEFINE_BINARY(op, name, N, Z, ZN, T): gb_<op>_<N>, T x T -> Z (type name
 * ZN), as gb_binary_<op>_<N> and the handle GBL_<name>. */

#define GB_DEFINE_BINARY(op, name, N, Z, ZN, T)                                                    \
    GB_DEFINE_BINARY_BY_VALUE(, op, name, N, T, ZN, Z, gb_##op##_##N)
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_BINARY(MIN, MIN_##N, N, T, N, T)                                                     \
    GB_DEFINE_BINARY(MAX, MAX_##N, N, T, N, T)                                                     \
    GB_DEFINE_BINARY(PLUS, PLUS_##N, N, T, N, T)                                                   \
    GB_DEFINE_BINARY(MINUS, MINUS_##N, N, T, N, T)                                                 \
    GB_DEFINE_BINARY(TIMES, TIMES_##N, N, T, N, T)                                                 \
    GB_DEFINE_BINARY(DIV, DIV_##N, N, T, N, T)                                                     \
    GB_DEFINE_BINARY(ABSDIFF, ABSDIFF_##N, N, T, N, T)                                             \
    GB_DEFINE_BINARY(EQ, EQ_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(NE, NE_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(GT, GT_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(LT, LT_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(GE, GE_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(LE, LE_##N, N, bool, BOOL, T)                                                 \
    GB_DEFINE_BINARY(FIRST, FIRST_##N, N, T, N, T)                                                 \
    GB_DEFINE_BINARY(SECOND, SECOND_##N, N, T, N, T)                                               \
    GB_DEFINE_BINARY(ONEB, ONEB_##N, N, T, N, T)                                                   \
    GB_DEFINE_BINARY(ANY, ANY_##N, N, T, N, T)
GBL_FOREACH_TYPE(GB_DEFINE)
#undef GB_DEFINE

GB_DEFINE_BINARY(LOR, LOR, BOOL, bool, BOOL, bool)
GB_DEFINE_BINARY(LAND, LAND, BOOL, bool, BOOL, bool)
GB_DEFINE_BINARY(LXOR, LXOR, BOOL, bool, BOOL, bool)
GB_DEFINE_BINARY(LXNOR, LXNOR, BOOL, bool, BOOL, bool)

#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_BINARY(BOR, BOR_##N, N, T, N, T)                                                     \
    GB_DEFINE_BINARY(BAND, BAND_##N, N, T, N, T)                                                   \
    GB_DEFINE_BINARY(BXOR, BXOR_##N, N, T, N, T)                                                   \
    GB_DEFINE_BINARY(BXNOR, BXNOR_##N, N, T, N, T)
GBL_FOREACH_INTEGER(GB_DEFINE)
#undef GB_DEFINE

void gb_batch_scalar(const gb_BinaryOp *op, size_t n, void *z, const void *x, int sx, const void *y,
                     int sy) {
    const size_t zsize = op->ztype->size;
    const size_t xstep = sx != 0 ? op->xtype->size : 0;
    const size_t ystep = sy != 0 ? op->ytype->size : 0;
    for (size_t k = 0; k < n; k++)
        op->scalar((char *)z + k * zsize, (const char *)x + k * xstep, (const char *)y + k * ystep);
}

gb_BinaryOp *gb_binary_make(gbl_binary_function f, gb_Type *z, gb_Type *x, gb_Type *y) {
    gb_BinaryOp *op = make_operator(GB_MAGIC_BINARY, sizeof *op, z, x, y);
    if (op == NULL) return NULL;
    op->batch = gb_batch_scalar;
    op->scalar = f;
    return op;
}

gb_BinaryOp *gb_binary_make_index(gbl_index_binary_function f, gb_Type *z, gb_Type *x, gb_Type *y,
                                  void *theta, size_t theta_bytes) {
    gb_BinaryOp *op = gb_binary_make(NULL, z, x, y);
    if (op == NULL) return NULL;
    op->batch = NULL;
    op->index = f;
    op->theta = theta;
    op->theta_bytes = theta_bytes;
    return op;
}

static gb_Opcode gb_opcode_of_bool(gb_Opcode code) {
    switch (code) {
    case GB_PLUS:
    case GB_MAX:
        return GB_LOR;
    case GB_TIMES:
    case GB_MIN:
        return GB_LAND;
    case GB_MINUS:
    case GB_ABSDIFF:
    case GB_NE:
        return GB_LXOR;
    case GB_EQ:
        return GB_LXNOR;
    case GB_DIV:
        return GB_FIRST;
    default:
        return code;
    }
}

gb_Opcode gb_opcode_canonical(gb_Opcode code, gbl_Type_Code type) {
    if (type == GBL_BOOL_CODE) return gb_opcode_of_bool(code);
    return code == GB_FIRSTJ ? GB_SECONDI : code == GB_FIRSTJ1 ? GB_SECONDI1 : code;
}

bool gb_binary_uses_x(const gb_BinaryOp *op) {
    const gb_Opcode code = gb_opcode_canonical(op->code, op->xtype->code);
    return code != GB_SECOND && code != GB_ONEB && !gb_binary_is_index(op);
}

bool gb_binary_uses_y(const gb_BinaryOp *op) {
    const gb_Opcode code = gb_opcode_canonical(op->code, op->xtype->code);
    return code != GB_FIRST && code != GB_ANY && code != GB_ONEB && !gb_binary_is_index(op);
}

/* -- index-unary operators */

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

#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_COMPARING(EQ, N)                                                                     \
    GB_DEFINE_COMPARING(NE, N)                                                                     \
    GB_DEFINE_COMPARING(LT, N)                                                                     \
    GB_DEFINE_COMPARING(LE, N)                                                                     \
    GB_DEFINE_COMPARING(GT, N)                                                                     \
    GB_DEFINE_COMPARING(GE, N)
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
    gb_IndexUnaryOp *op = make_operator(GB_MAGIC_INDEX, sizeof *op, z, x, y);
    if (op == NULL) return NULL;
    op->batch = gb_batch_user_index;
    op->user = f;
    return op;
}
