/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything built in (the lists are in lists.h), with what the oracle needs to know of it.
 */
#include "support/gb_test.h"
#include "support/lists.h"

#include <math.h>
#include <string.h>

const gbl_Type_Code t_types[13] = {
    GBL_BOOL_CODE,  GBL_INT8_CODE,   GBL_INT16_CODE,  GBL_INT32_CODE,  GBL_INT64_CODE,
    GBL_UINT8_CODE, GBL_UINT16_CODE, GBL_UINT32_CODE, GBL_UINT64_CODE, GBL_FP32_CODE,
    GBL_FP64_CODE,  GBL_FC32_CODE,   GBL_FC64_CODE,
};

/* --------------------------------------------------------------------------------- semirings -- */

#define RING(T, ADD, MUL)                                                                          \
    {#ADD "_" #MUL "_" #T, &GBL_##ADD##_##MUL##_SEMIRING_##T, O_##ADD, O_##MUL, GBL_##T##_CODE},
#define PAIR_RING(T, ADD)                                                                          \
    {#ADD "_PAIR_" #T, &GBL_##ADD##_PAIR_SEMIRING_##T, O_##ADD, O_ONEB, GBL_##T##_CODE},

const t_Ring t_rings[] = {T_RING_LIST(RING, PAIR_RING) T_COMPLEX_RING_LIST(RING, PAIR_RING)};
const size_t t_ring_count = T_COUNT(t_rings);

o_Ring t_ring(const t_Ring *entry) {
    const o_Type type = o_type(entry->type);
    return (o_Ring){{entry->add, type, type, type, NULL, NULL},
                    {entry->multiply, type, type, type, NULL, NULL},
                    *entry->handle};
}

const t_Ring *t_find_ring(o_Opcode add, o_Opcode multiply, gbl_Type_Code type) {
    for (size_t k = 0; k < t_ring_count; k++)
        if (t_rings[k].add == add && t_rings[k].multiply == multiply && t_rings[k].type == type)
            return &t_rings[k];
    cr_assert_fail("semiring %d %d %d is not in the table", (int)add, (int)multiply, (int)type);
    return NULL;
}

/* -------------------------------------------------------------------------- binary operators -- */

#define BINARY(T, OP) {#OP "_" #T, &GBL_##OP##_##T, O_##OP, GBL_##T##_CODE},
#define LOGICAL(OP) {#OP, &GBL_##OP, O_##OP, GBL_BOOL_CODE},

const t_Binary t_binaries[] = {T_BINARY_LIST(BINARY, LOGICAL) T_COMPLEX_BINARY_LIST(BINARY)};
const size_t t_binary_count = T_COUNT(t_binaries);

o_Binary t_binary(const t_Binary *entry) {
    const o_Type type = o_type(entry->type);
    const bool compares = entry->op >= O_EQ && entry->op <= O_LE;
    return (o_Binary){entry->op,     compares ? o_type(GBL_BOOL_CODE) : type, type, type, NULL,
                      *entry->handle};
}

o_Binary t_find_binary(o_Opcode op, gbl_Type_Code type) {
    size_t k = 0;
    while (k < t_binary_count && (t_binaries[k].op != op || t_binaries[k].type != type)) k++;
    cr_assert(k < t_binary_count, "no operator %d of type %d", (int)op, (int)type);
    return t_binary(&t_binaries[k]);
}

/* --------------------------------------------------------------------------- unary operators -- */

#define LOGICAL_UNARY(OP) {#OP, &GBL_##OP, O_##OP, GBL_BOOL_CODE},
#define UNARY(T, OP) {#OP "_" #T, &GBL_##OP##_##T, O_##OP, GBL_##T##_CODE},

const t_Unary t_unaries[] = {T_UNARY_LIST(UNARY, LOGICAL_UNARY) T_COMPLEX_UNARY_LIST(UNARY)};
const size_t t_unary_count = T_COUNT(t_unaries);

o_Unary t_unary(const t_Unary *entry) {
    const o_Type type = o_type(entry->type);
    return (o_Unary){entry->op, type, type, NULL, *entry->handle};
}

/* --------------------------------------------------------------------- index-unary operators -- */

#define PLACED(OP) {#OP, &GBL_##OP, O_##OP, GBL_INT64_CODE},

const t_Index t_indexes[] = {T_INDEX_LIST(UNARY, PLACED) T_COMPLEX_INDEX_LIST(UNARY)};
const size_t t_index_count = T_COUNT(t_indexes);

o_Index t_index(const t_Index *entry) {
    const o_Type type = o_type(entry->type);
    const bool number = entry->op <= O_DIAGINDEX;
    return (o_Index){entry->op,     number ? type : o_type(GBL_BOOL_CODE), type, type, NULL,
                     *entry->handle};
}

/* ----------------------------------------------------------------------------------- monoids -- */

#define MONOID(T, OP) {#OP "_" #T, &GBL_##OP##_MONOID_##T, O_##OP, GBL_##T##_CODE},

const t_Monoid t_monoids[] = {T_MONOID_LIST(MONOID) T_COMPLEX_MONOID_LIST(MONOID)};
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
