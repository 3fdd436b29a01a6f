/* SPDX-License-Identifier: Apache-2.0
 *
 * Types and the operators of the standard, predefined and user-defined: unary, binary, and
 * index-unary ones; and what all algebra objects share: making and freeing them, the check of
 * handles, and their names. Operators by position never touch x, which may be NULL; the xtype of
 * index-unary ones is NULL then.
 */
#include <stdio.h>

#include "core/call.h"
#include "core/memory.h"
#include "semiring/objects.h"
#include "semiring/scalar_ops.h"

/* -- types, and what all algebra objects share ------------------------------------------------- */

#define GB_DEFINE(N, T)                                                                            \
    const gb_Type gb_type_##N = {GB_MAGIC_TYPE, 0, NULL, GB_STATIC, GBL_##N##_CODE, sizeof(T)};    \
    gbl_Type const GBL_##N = GB_TYPE(N);
GBL_FOREACH_TYPE(GB_DEFINE)
GBL_FOREACH_COMPLEX(GB_DEFINE)
#undef GB_DEFINE

void *gb_algebra_make(uint64_t magic, size_t bytes) {
    gb_Algebra *made = gb_calloc(bytes);
    if (made == NULL)
        gb_fail_memory(bytes);
    else
        *made = (gb_Algebra){.magic = magic, .serial = gb_serial_next(), .refs = 1};
    return made;
}

void *gb_retain(const void *object) {
    gb_Algebra *const o = (gb_Algebra *)object; /* what is constant is not written */
    if (!gb_refs_static(&o->refs)) __atomic_add_fetch(&o->refs, 1, __ATOMIC_RELAXED);
    return o;
}

/* Releases the parts; the bytes of the object itself. */
static size_t release_parts(void *object) {
    const uint64_t magic = ((gb_Algebra *)object)->magic;
    switch (magic) {
    case GB_MAGIC_UNARY:
    case GB_MAGIC_BINARY:
    case GB_MAGIC_INDEX: {
        gb_Operator *const op = object;
        gb_Type *const types[] = {op->ztype, op->xtype, op->ytype};
        for (size_t k = 0; k < 3; k++)
            if (types[k] != NULL) gb_release(types[k]);
        if (magic == GB_MAGIC_UNARY) return sizeof(gb_UnaryOp);
        if (magic == GB_MAGIC_INDEX) return sizeof(gb_IndexUnaryOp);
        gb_free(((gb_BinaryOp *)object)->theta, ((gb_BinaryOp *)object)->theta_bytes);
        return sizeof(gb_BinaryOp);
    }
    case GB_MAGIC_MONOID: {
        gb_Monoid *const monoid = object;
        const size_t bytes = gb_monoid_bytes(monoid->op);
        gb_release(monoid->op);
        return bytes;
    }
    case GB_MAGIC_SEMIRING: {
        gb_Semiring *const ring = object;
        gb_release(ring->add);
        gb_release(ring->multiply);
        return sizeof(gb_Semiring);
    }
    default:
        return sizeof(gb_Type);
    }
}

void gb_release(void *object) {
    gb_Algebra *const o = object;
    if (gb_refs_static(&o->refs) || __atomic_sub_fetch(&o->refs, 1, __ATOMIC_ACQ_REL) != 0) return;
    const size_t bytes = release_parts(object);
    gb_name_free(o->name);
    o->magic = GB_MAGIC_FREED;
    gb_free(object, bytes);
}

gbl_Info gb_check_object(const void *object, uint64_t magic, const char *name, const char *kind) {
    if (object == NULL) return gb_fail(GBL_NULL_POINTER, "%s is NULL; it must be a %s", name, kind);
    if (*(const uint64_t *)object != magic)
        return gb_fail(GBL_UNINITIALIZED_OBJECT,
                       "%s is not a %s: it was freed, never made, or is another kind of object",
                       name, kind);
    return GBL_SUCCESS;
}

static const struct {
    const gb_Type *type;
    const char *name;
} builtin_types[GBL_FC64_CODE + 1] = {
#define GB_ENTRY(N, T) [GBL_##N##_CODE] = {&gb_type_##N, #N},
    GBL_FOREACH_TYPE(GB_ENTRY) GBL_FOREACH_COMPLEX(GB_ENTRY)
#undef GB_ENTRY
};

gb_Type *gb_type_of(gbl_Type_Code code) {
    return (size_t)code <= GBL_FC64_CODE ? (gb_Type *)builtin_types[code].type : NULL;
}

const char *gb_type_name(const gb_Type *type) {
    const char *const name = builtin_types[type->code].name;
    return name != NULL ? name : "a user-defined type";
}

bool gb_type_castable(const gb_Type *to, const gb_Type *from) {
    return to == from || (to->code != GBL_UDT_CODE && from->code != GBL_UDT_CODE);
}

gb_Type *gb_type_make(size_t size) {
    gb_Type *type = gb_algebra_make(GB_MAGIC_TYPE, sizeof(gb_Type));
    if (type == NULL) return NULL;
    type->code = GBL_UDT_CODE;
    type->size = size;
    return type;
}

/* -- names ------------------------------------------------------------------------------------- */

static const char *const opcode_names[] = {
#define OP(name) [GB_##name] = #name
#define OF(name) [GB_##name##_OF] = #name
    GB_FOREACH_OPCODE(OP, OF)};

/* Of an object on `type`; the standard has no complex numbers. */
static const char *prefix(bool is_standard, const gb_Type *type) {
    return is_standard && !gb_type_is_complex(type) ? "GrB" : "GBL";
}

/* There is one operator of this code, so its identifier has no type. */
static bool has_one_type(gb_Opcode code) {
    return code == GB_LNOT || (code >= GB_LOR && code <= GB_LXNOR) ||
           (code >= GB_TRIL && code <= GB_ROWGT);
}

static bool is_addition(gb_Opcode code) {
    return code == GB_ONE || code == GB_ANY || (code >= GB_ABSDIFF && code <= GB_SECONDJ1) ||
           code > GB_VALUEGE;
}

static const char *name_operator(const gb_Operator *op, char *room) {
    const gb_Opcode code = op->code;
    const gb_Type *type = op->magic == GB_MAGIC_INDEX ? op->ytype : op->xtype;
    const bool one = has_one_type(code);
    snprintf(room, GB_NAME_ROOM, "%s_%s%s%s", prefix(!is_addition(code), type), opcode_names[code],
             one ? "" : "_", one ? "" : gb_type_name(type));
    return room;
}

static const char *name_monoid(const gb_Monoid *monoid, char *room) {
    const gb_Opcode code = monoid->op->code;
    const gb_Type *type = monoid->op->ztype;
    const bool is_standard = code != GB_ANY && (code < GB_BOR || code > GB_BXNOR);
    snprintf(room, GB_NAME_ROOM, "%s_%s_MONOID_%s", prefix(is_standard, type), opcode_names[code],
             gb_type_name(type));
    return room;
}

static const char *name_semiring(const gb_Semiring *ring, char *room) {
    const gb_Type *type = ring->add->op->ztype;
    const gb_Opcode add = ring->add->op->code, multiply = ring->multiply->code;
    const bool on_one_side = multiply == GB_FIRST || multiply == GB_SECOND;
    const bool is_standard = add != GB_ANY && multiply != GB_ONEB && !is_addition(multiply) &&
                             !(add == GB_PLUS && on_one_side);
    snprintf(room, GB_NAME_ROOM, "%s_%s_%s_SEMIRING_%s", prefix(is_standard, type),
             opcode_names[add], multiply == GB_ONEB ? "PAIR" : opcode_names[multiply],
             gb_type_name(type));
    return room;
}

const char *gb_name_of(const void *object, char *room) {
    const gb_Algebra *const o = object;
    if (!gb_refs_static(&o->refs)) return gb_name_text(&o->name);
    switch (o->magic) {
    case GB_MAGIC_UNARY:
    case GB_MAGIC_BINARY:
    case GB_MAGIC_INDEX:
        return name_operator(object, room);
    case GB_MAGIC_MONOID:
        return name_monoid(object, room);
    case GB_MAGIC_SEMIRING:
        return name_semiring(object, room);
    default:
        snprintf(room, GB_NAME_ROOM, "%s_%s", prefix(true, object), gb_type_name(object));
        return room;
    }
}

/* -- unary operators --------------------------------------------------------------------------- */

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
