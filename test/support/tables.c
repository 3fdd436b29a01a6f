/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything built in, with what the oracle needs to know of it. The lists follow the tables of the
 * GraphBLAS C API; what is an addition of gblite stands at the end of each.
 */
#include "support/gb_test.h"

#include <math.h>
#include <string.h>

const gbl_Type_Code t_types[11] = {
    GBL_BOOL_CODE,   GBL_INT8_CODE,  GBL_INT16_CODE,  GBL_INT32_CODE,
    GBL_INT64_CODE,  GBL_UINT8_CODE, GBL_UINT16_CODE, GBL_UINT32_CODE,
    GBL_UINT64_CODE, GBL_FP32_CODE,  GBL_FP64_CODE,
};

#define INTEGERS(X, ...)                                                                           \
    X(INT8, __VA_ARGS__)                                                                           \
    X(INT16, __VA_ARGS__)                                                                          \
    X(INT32, __VA_ARGS__)                                                                          \
    X(INT64, __VA_ARGS__)                                                                          \
    X(UINT8, __VA_ARGS__)                                                                          \
    X(UINT16, __VA_ARGS__)                                                                         \
    X(UINT32, __VA_ARGS__)                                                                         \
    X(UINT64, __VA_ARGS__)
#define NUMBERS(X, ...)                                                                            \
    INTEGERS(X, __VA_ARGS__)                                                                       \
    X(FP32, __VA_ARGS__)                                                                           \
    X(FP64, __VA_ARGS__)
#define UNSIGNED(X, ...)                                                                           \
    X(UINT8, __VA_ARGS__)                                                                          \
    X(UINT16, __VA_ARGS__)                                                                         \
    X(UINT32, __VA_ARGS__)                                                                         \
    X(UINT64, __VA_ARGS__)
#define ALL(X, ...)                                                                                \
    X(BOOL, __VA_ARGS__)                                                                           \
    NUMBERS(X, __VA_ARGS__)

/* The tables are lists of macro calls without commas; the formatter cannot read them. */
/* clang-format off */

/* ------------------------------------------------------------------------------- semirings -- */

#define RING(T, ADD, MUL)                                                                          \
    {#ADD "_" #MUL "_" #T, &GBL_##ADD##_##MUL##_SEMIRING_##T, O_##ADD, O_##MUL, GBL_##T##_CODE},
#define PAIR_RING(T, ADD)                                                                          \
    {#ADD "_PAIR_" #T, &GBL_##ADD##_PAIR_SEMIRING_##T, O_##ADD, O_ONEB, GBL_##T##_CODE},
#define INDEX_RINGS(ADD)                                                                           \
    RING(INT32, ADD, FIRSTI)                                                                       \
    RING(INT32, ADD, FIRSTJ)                                                                       \
    RING(INT32, ADD, SECONDI)                                                                      \
    RING(INT32, ADD, SECONDJ)                                                                      \
    RING(INT64, ADD, FIRSTI)                                                                       \
    RING(INT64, ADD, FIRSTJ)                                                                       \
    RING(INT64, ADD, SECONDI)                                                                      \
    RING(INT64, ADD, SECONDJ)

const t_Ring t_rings[] = {
    NUMBERS(RING, PLUS, TIMES) NUMBERS(RING, MIN, PLUS) NUMBERS(RING, MAX, PLUS)
    NUMBERS(RING, MIN, TIMES) NUMBERS(RING, MIN, MAX) NUMBERS(RING, MAX, MIN)
    NUMBERS(RING, MAX, TIMES) NUMBERS(RING, PLUS, MIN) NUMBERS(RING, MIN, FIRST)
    NUMBERS(RING, MIN, SECOND) NUMBERS(RING, MAX, FIRST) NUMBERS(RING, MAX, SECOND)
    RING(BOOL, LOR, LAND) RING(BOOL, LAND, LOR) RING(BOOL, LXOR, LAND) RING(BOOL, LXNOR, LOR)
    NUMBERS(PAIR_RING, PLUS) NUMBERS(RING, PLUS, FIRST) NUMBERS(RING, PLUS, SECOND)
    ALL(PAIR_RING, ANY) ALL(RING, ANY, FIRST) ALL(RING, ANY, SECOND)
    INDEX_RINGS(MIN) INDEX_RINGS(MAX) INDEX_RINGS(ANY)
};
const size_t t_ring_count = T_COUNT(t_rings);

o_Ring t_ring(const t_Ring *entry) {
    const o_Type type = o_type(entry->type);
    return (o_Ring){{entry->add, type, type, type, NULL, NULL},
                    {entry->multiply, type, type, type, NULL, NULL},
                    *entry->handle};
}

/* ------------------------------------------------------------------------ binary operators -- */

#define BINARY(T, OP) {#OP "_" #T, &GBL_##OP##_##T, O_##OP, GBL_##T##_CODE},
#define LOGICAL(OP) {#OP, &GBL_##OP, O_##OP, GBL_BOOL_CODE},

const t_Binary t_binaries[] = {
    ALL(BINARY, FIRST) ALL(BINARY, SECOND) ALL(BINARY, ONEB) ALL(BINARY, MIN) ALL(BINARY, MAX)
    ALL(BINARY, PLUS) ALL(BINARY, MINUS) ALL(BINARY, TIMES) ALL(BINARY, DIV)
    ALL(BINARY, EQ) ALL(BINARY, NE) ALL(BINARY, GT) ALL(BINARY, LT) ALL(BINARY, GE) ALL(BINARY, LE)
    LOGICAL(LOR) LOGICAL(LAND) LOGICAL(LXOR) LOGICAL(LXNOR)
    INTEGERS(BINARY, BOR) INTEGERS(BINARY, BAND) INTEGERS(BINARY, BXOR) INTEGERS(BINARY, BXNOR)
};
const size_t t_binary_count = T_COUNT(t_binaries);

o_Binary t_binary(const t_Binary *entry) {
    const o_Type type = o_type(entry->type);
    const bool compares = entry->op >= O_EQ && entry->op <= O_LE;
    return (o_Binary){entry->op, compares ? o_type(GBL_BOOL_CODE) : type, type, type, NULL,
                      *entry->handle};
}

o_Binary t_find_binary(o_Opcode op, gbl_Type_Code type) {
    size_t k = 0;
    while (k < t_binary_count && (t_binaries[k].op != op || t_binaries[k].type != type)) k++;
    cr_assert(k < t_binary_count, "no operator %d of type %d", (int)op, (int)type);
    return t_binary(&t_binaries[k]);
}

/* ------------------------------------------------------------------------- unary operators -- */

#define UNARY(T, OP) {#OP "_" #T, &GBL_##OP##_##T, O_##OP, GBL_##T##_CODE},

const t_Unary t_unaries[] = {
    ALL(UNARY, IDENTITY) ALL(UNARY, ABS) ALL(UNARY, AINV) ALL(UNARY, MINV)
    ALL(UNARY, ONE) INTEGERS(UNARY, BNOT) {"LNOT", &GBL_LNOT, O_LNOT, GBL_BOOL_CODE},
};
const size_t t_unary_count = T_COUNT(t_unaries);

o_Unary t_unary(const t_Unary *entry) {
    const o_Type type = o_type(entry->type);
    return (o_Unary){entry->op, type, type, NULL, *entry->handle};
}

/* ------------------------------------------------------------------- index-unary operators -- */

#define PLACED(OP) {#OP, &GBL_##OP, O_##OP, GBL_INT64_CODE},

const t_Index t_indexes[] = {
    UNARY(INT32, ROWINDEX) UNARY(INT64, ROWINDEX) UNARY(INT32, COLINDEX) UNARY(INT64, COLINDEX)
    UNARY(INT32, DIAGINDEX) UNARY(INT64, DIAGINDEX)
    PLACED(TRIL) PLACED(TRIU) PLACED(DIAG) PLACED(OFFDIAG)
    PLACED(COLLE) PLACED(COLGT) PLACED(ROWLE) PLACED(ROWGT)
    ALL(UNARY, VALUEEQ) ALL(UNARY, VALUENE) ALL(UNARY, VALUELT) ALL(UNARY, VALUELE)
    ALL(UNARY, VALUEGT) ALL(UNARY, VALUEGE)
};
const size_t t_index_count = T_COUNT(t_indexes);

o_Index t_index(const t_Index *entry) {
    const o_Type type = o_type(entry->type);
    const bool number = entry->op <= O_DIAGINDEX;
    return (o_Index){entry->op, number ? type : o_type(GBL_BOOL_CODE), type, type, NULL,
                     *entry->handle};
}

/* ----------------------------------------------------------------------------------- monoids -- */

#define MONOID(T, OP) {#OP "_" #T, &GBL_##OP##_MONOID_##T, O_##OP, GBL_##T##_CODE},

const t_Monoid t_monoids[] = {
    NUMBERS(MONOID, PLUS) NUMBERS(MONOID, TIMES) NUMBERS(MONOID, MIN) NUMBERS(MONOID, MAX)
    MONOID(BOOL, LOR) MONOID(BOOL, LAND) MONOID(BOOL, LXOR) MONOID(BOOL, LXNOR)
    ALL(MONOID, ANY)
    UNSIGNED(MONOID, BOR) UNSIGNED(MONOID, BAND) UNSIGNED(MONOID, BXOR) UNSIGNED(MONOID, BXNOR)
};
const size_t t_monoid_count = T_COUNT(t_monoids);

static o_Value extreme(o_Type type, bool largest) {
    o_Value x;
    memset(&x, 0, sizeof x);
    x.f64 = largest ? INFINITY : -INFINITY;
    return o_cast(type, o_type(GBL_FP64_CODE), x); /* integers saturate */
}

o_Monoid t_monoid(const t_Monoid *entry) {
    const o_Type type = o_type(entry->type);
    o_Monoid m = {{entry->op, type, type, type, NULL, NULL}, {.raw = {0}}, *entry->handle};
    o_Value one;
    memset(&one, 0, sizeof one);
    one.b = true;
    one = o_cast(type, o_type(GBL_BOOL_CODE), one);
    if (entry->op == O_TIMES || entry->op == O_LAND || entry->op == O_LXNOR) m.identity = one;
    if (entry->op == O_MIN || entry->op == O_BAND || entry->op == O_BXNOR)
        m.identity = extreme(type, true);
    if (entry->op == O_MAX) m.identity = extreme(type, false);
    return m;
}
