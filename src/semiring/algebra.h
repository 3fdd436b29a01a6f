/* SPDX-License-Identifier: Apache-2.0
 *
 * The algebra objects: types, operators, monoids, semirings.
 *
 * Every operator has a batch function over arrays, so that the operations (ewise, apply, reduce,
 * finish ...) are written once without knowing types: they find positions, gather values into short
 * buffers, and call the batch. For built-in operators the batch is a typed loop that the compiler
 * vectorises; for user-defined ones a loop over the user's function. A stride is 0 (one value for
 * all) or 1. z never overlaps x or y.
 *
 * Predefined objects are static and live for ever (refs = GB_STATIC). Others count references: a
 * matrix holds its type, an operator its types, a monoid its operator, a semiring both, so a user
 * may free a part while the whole is in use.
 */
#pragma once

#include "core/view.h"
#include "gblite.h"

#define GB_MAGIC_TYPE 0x6762747970650001u
#define GB_MAGIC_UNARY 0x6762756e6f700001u
#define GB_MAGIC_BINARY 0x676262696f700001u
#define GB_MAGIC_INDEX 0x6762696e6f700001u
#define GB_MAGIC_MONOID 0x67626d6f6e6f0001u
#define GB_MAGIC_SEMIRING 0x6762736d72670001u
#define GB_MAGIC_FREED 0x6762667265656400u

#define GB_STATIC (-1) /* reference count of predefined objects */

/* unary; binary; by position; index-unary */
#define GB_FOREACH_STANDARD_OPCODE(OP)                                                             \
    OP(IDENTITY), OP(ABS), OP(AINV), OP(MINV), OP(LNOT), OP(BNOT), OP(ONE), OP(FIRST), OP(SECOND), \
        OP(ONEB), OP(ANY), OP(MIN), OP(MAX), OP(PLUS), OP(MINUS), OP(TIMES), OP(DIV), OP(EQ),      \
        OP(NE), OP(GT), OP(LT), OP(GE), OP(LE), OP(LOR), OP(LAND), OP(LXOR), OP(LXNOR), OP(BOR),   \
        OP(BAND), OP(BXOR), OP(BXNOR), OP(ABSDIFF), OP(FIRSTI), OP(FIRSTJ), OP(SECONDI),           \
        OP(SECONDJ), OP(FIRSTI1), OP(FIRSTJ1), OP(SECONDI1), OP(SECONDJ1), OP(ROWINDEX),           \
        OP(COLINDEX), OP(DIAGINDEX), OP(TRIL), OP(TRIU), OP(DIAG), OP(OFFDIAG), OP(COLLE),         \
        OP(COLGT), OP(ROWLE), OP(ROWGT), OP(VALUEEQ), OP(VALUENE), OP(VALUELT), OP(VALUELE),       \
        OP(VALUEGT), OP(VALUEGE)
/* functions of floats, unary and binary, POW of all numbers; of complex numbers only (complex.c) */
#define GB_FOREACH_FLOAT_OPCODE(OP)                                                                \
    OP(SQRT), OP(CBRT), OP(EXP), OP(EXP2), OP(EXPM1), OP(LOG), OP(LOG2), OP(LOG10), OP(LOG1P),     \
        OP(SIN), OP(COS), OP(TAN), OP(ASIN), OP(ACOS), OP(ATAN), OP(SINH), OP(COSH), OP(TANH),     \
        OP(ASINH), OP(ACOSH), OP(ATANH), OP(ERF), OP(ERFC), OP(LGAMMA), OP(TGAMMA), OP(CEIL),      \
        OP(FLOOR), OP(ROUND), OP(TRUNC), OP(SIGNUM), OP(ISNAN), OP(ISINF), OP(ISFINITE), OP(POW),  \
        OP(ATAN2), OP(HYPOT), OP(FMOD), OP(REMAINDER), OP(COPYSIGN), OP(LDEXP), OP(CONJ),          \
        OP(CREAL), OP(CIMAG), OP(CARG), OP(CMPLX)
/* beyond the standard (extended_ops.c) */
#define GB_FOREACH_EXTENDED_OPCODE(OP, OF)                                                         \
    OP(ISEQ), OP(ISNE), OP(ISGT), OP(ISLT), OP(ISGE), OP(ISLE), OP(RMINUS), OP(RDIV), OF(LNOT),    \
        OF(LOR), OF(LAND), OF(LXOR), OP(BGET), OP(BSET), OP(BCLR), OP(BSHIFT), OP(FREXPX),         \
        OP(FREXPE), OP(POSITIONI), OP(POSITIONI1), OP(POSITIONJ), OP(POSITIONJ1)
/* Built-in operators by what they compute: OP(name), or OF(name), the one of a numeric type where
 * the standard's is of BOOL. Those by position from 1 come GB_FROM_1 behind those from 0. */
#define GB_FOREACH_OPCODE(OP, OF)                                                                  \
    GB_FOREACH_STANDARD_OPCODE(OP), GB_FOREACH_FLOAT_OPCODE(OP), GB_FOREACH_EXTENDED_OPCODE(OP, OF)
typedef enum {
    GB_USER = 0,
#define GB_OP_CODE(name) GB_##name
#define GB_OF_CODE(name) GB_##name##_OF
    GB_FOREACH_OPCODE(GB_OP_CODE, GB_OF_CODE)
} gb_Opcode;
enum { GB_FROM_1 = GB_FIRSTI1 - GB_FIRSTI };

typedef struct gbl_Type_opaque gb_Type;
typedef struct gbl_UnaryOp_opaque gb_UnaryOp;
typedef struct gbl_BinaryOp_opaque gb_BinaryOp;
typedef struct gbl_IndexUnaryOp_opaque gb_IndexUnaryOp;
typedef struct gbl_Monoid_opaque gb_Monoid;
typedef struct gbl_Semiring_opaque gb_Semiring;

/* All begin like this. serial: gb_serial_next, 0 of predefined objects; name: core/text.h, NULL for
 * predefined objects, see objects.h; refs: atomic. */
#define GB_ALGEBRA                                                                                 \
    uint64_t magic;                                                                                \
    uint64_t serial;                                                                               \
    char *name;                                                                                    \
    int refs;
typedef struct {
    GB_ALGEBRA
} gb_Algebra;

struct gbl_Type_opaque {
    GB_ALGEBRA
    gbl_Type_Code code; /* GBL_UDT_CODE for user types */
    size_t size;
};

/* z[k] = op(x[k * sx]) for k < n */
typedef void (*gb_unary_batch)(const gb_UnaryOp *op, size_t n, void *z, const void *x, int sx);
/* z[k] = op(x[k * sx], y[k * sy]) for k < n */
typedef void (*gb_binary_batch)(const gb_BinaryOp *op, size_t n, void *z, const void *x, int sx,
                                const void *y, int sy);
/* z[k] = op(x[k * sx], i[k * si], j[k * sj], y) for k < n */
typedef struct {
    const gb_Idx *i, *j;
    int si, sj;
} gb_Positions;
typedef void (*gb_index_batch)(const gb_IndexUnaryOp *op, size_t n, void *z, const void *x, int sx,
                               gb_Positions at, const void *y);
/* *acc = acc + x[0] + ... + x[n-1]; floats in 8 interleaved partial sums, joined in fixed order */
typedef void (*gb_reduce_batch)(const gb_Monoid *monoid, size_t n, void *acc, const void *x);

/* Operators go on like this. Types that are NULL: there is no y, or x is not used (ROWINDEX, TRIL,
 * ...). */
#define GB_OPERATOR                                                                                \
    GB_ALGEBRA                                                                                     \
    gb_Opcode code;                                                                                \
    gb_Type *ztype, *xtype, *ytype;
typedef struct {
    GB_OPERATOR
} gb_Operator;

struct gbl_UnaryOp_opaque {
    GB_OPERATOR
    gb_unary_batch batch;
    gbl_unary_function user; /* NULL for built-in operators */
};

struct gbl_BinaryOp_opaque {
    GB_OPERATOR
    gb_binary_batch batch;      /* NULL for operators by position */
    gbl_binary_function scalar; /* the same for one value; the user's function */
    /* Operators that see the indices of their operands: the function, and what it gets as theta, a
     * block of the operator's. */
    gbl_index_binary_function index;
    void *theta;
    size_t theta_bytes;
    /* Of an operator on located values (ops/operations.h): the one by position that it stands for.
     */
    const gb_BinaryOp *located;
};

struct gbl_IndexUnaryOp_opaque {
    GB_OPERATOR
    gb_index_batch batch;
    gbl_index_unary_function user; /* the same for one value; NULL where a predefined one has x */
};

struct gbl_Monoid_opaque {
    GB_ALGEBRA
    gb_BinaryOp *op;
    gb_reduce_batch reduce;
    void *identity; /* [op->ztype->size] */
    void *terminal; /* the same, or NULL: acc + x = acc for every x once acc is terminal */
};

struct gbl_Semiring_opaque {
    GB_ALGEBRA
    gb_Monoid *add;
    gb_BinaryOp *multiply;
    int kernel; /* a gb_Ring of semiring/ids.h: the specialised kernel, or GB_RING_GENERIC */
    const gbl_CompiledSemiring *compiled; /* the user's, of GB_RING_COMPILED; for the GPU: */
    const struct gb_DeviceSemiring *device;
};

/* -- built-in types by code; NULL for GBL_UDT_CODE */
gb_Type *gb_type_of(gbl_Type_Code code);

/* BOOL to FP64: of at most 8 bytes, and ordered. The others are complex or of the user. */
static inline bool gb_type_is_real(const gb_Type *type) {
    return type->code != GBL_UDT_CODE && type->code <= GBL_FP64_CODE;
}
static inline bool gb_type_is_complex(const gb_Type *type) {
    return type->code > GBL_FP64_CODE;
}
/* Space for a value of any built-in type. */
typedef struct {
    uint64_t bits[2];
} gb_Builtin;

/* Built-in types cast into each other; a user type only into itself. */
bool gb_type_castable(const gb_Type *to, const gb_Type *from);
/* z[k] = (to) x[k * sx]; floats to integers saturate and NaN gives 0; to BOOL is x != 0. The same
 * type copies. */
void gb_cast(const gb_Type *to, void *z, const gb_Type *from, const void *x, int sx, size_t n);
/* The same of different types one of which is complex. */
void gb_cast_complex(const gb_Type *to, void *z, const gb_Type *from, const void *x, size_t n);
/* z[k] = *x for k < n, values of any size. */
void gb_fill(void *z, const void *x, size_t size, size_t n);
/* z[k] = x[at[k]]; entries where at[k] == UINT64_MAX are left alone. */
void gb_gather(void *z, const void *x, const uint64_t *at, size_t size, size_t n);

/* -- references to any of these objects; retain returns its argument, release frees at zero (never
 * predefined objects) */
void *gb_retain(const void *object);
void gb_release(void *object);

/* Whether the multiplication looks at the values of A, of B; and whether it sees indices, at all or
 * alone. */
bool gb_binary_uses_x(const gb_BinaryOp *op);
bool gb_binary_uses_y(const gb_BinaryOp *op);
static inline bool gb_binary_is_positional(const gb_BinaryOp *op) {
    return op->index != NULL;
}
static inline bool gb_binary_is_index(const gb_BinaryOp *op) {
    return op->code >= GB_FIRSTI && op->code <= GB_SECONDJ1;
}

/* The specialised kernel for (add, multiply), or GB_RING_GENERIC. */
int gb_ring_lookup(const gb_Monoid *add, const gb_BinaryOp *multiply);
/* The kernel whose multiplication takes its arguments the other way round, to the bit. */
int gb_ring_mirrored(int ring);

/* Checks of handles: GBL_NULL_POINTER, GBL_UNINITIALIZED_OBJECT (freed or never made), or success.
 * `name` is the argument's name in the message; object is what the message is about. */
gbl_Info gb_check_object(const void *object, uint64_t magic, const char *name, const char *kind);
#define GB_DEFINE(kind, MAGIC, O)                                                                  \
    static inline gbl_Info gb_check_##kind(const struct gbl_##O##_opaque *object,                  \
                                           const char *name) {                                     \
        return gb_check_object(object, MAGIC, name, "gbl_" #O);                                    \
    }
GB_DEFINE(type, GB_MAGIC_TYPE, Type)
GB_DEFINE(unary, GB_MAGIC_UNARY, UnaryOp)
GB_DEFINE(binary, GB_MAGIC_BINARY, BinaryOp)
GB_DEFINE(index, GB_MAGIC_INDEX, IndexUnaryOp)
GB_DEFINE(monoid, GB_MAGIC_MONOID, Monoid)
GB_DEFINE(semiring, GB_MAGIC_SEMIRING, Semiring)
#undef GB_DEFINE
