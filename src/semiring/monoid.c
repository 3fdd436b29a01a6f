/* SPDX-License-Identifier: Apache-2.0
 *
 * Monoids: predefined ones with vectorised reductions, user-defined ones.
 *
 * Reductions go by steps of GB_REDUCE_STEP values and stop between steps once the result is
 * terminal. A reduction with ANY takes the first value, never acc: acc may be the identity, which
 * stands for no value at all.
 */
#include "core/memory.h"
#include "core/call.h"
#include "semiring/complex_ops.h"
#include "semiring/objects.h"
#include "semiring/scalar_ops.h"

#define GB_DEFINE_REDUCE_INTEGER(op, N, T, IS_TERMINAL)                                            \
    static void gb_reduce_##op##_##N(const gb_Monoid *self, size_t n, void *acc_,                  \
                                     const void *x_) {                                             \
        const T *x = x_;                                                                           \
        T acc = *(T *)acc_;                                                                        \
        (void)self;                                                                                \
        for (size_t k = 0; k < n && !(IS_TERMINAL);) {                                             \
            const size_t end = n - k < GB_REDUCE_STEP ? n : k + GB_REDUCE_STEP;                    \
            for (; k < end; k++) acc = gb_##op##_##N(acc, x[k]);                                   \
        }                                                                                          \
        *(T *)acc_ = acc;                                                                          \
    }
#define GB_DEFINE_REDUCE_FLOAT(op, N, T, IS_TERMINAL)                                              \
    GB_DEFINE_REDUCE(gb_reduce_##op##_##N, gb_##op##_##N, T, IS_TERMINAL)
#define GB_DEFINE_REDUCE_ANY(op, N, T, IS_TERMINAL)                                                \
    static void gb_reduce_##op##_##N(const gb_Monoid *self, size_t n, void *acc, const void *x) {  \
        (void)self;                                                                                \
        if (n > 0) *(T *)acc = *(const T *)x;                                                      \
    }

/* FAMILY picks the loop */
#define GB_DEFINE_OBJECT(FAMILY, o, N, T, zero, IS_TERMINAL, TERMINAL)                             \
    GB_DEFINE_REDUCE_##FAMILY(o, N, T, IS_TERMINAL) static const T gb_identity_##o##_##N = zero;   \
    const gb_Monoid gb_monoid_##o##_##N = {.magic = GB_MAGIC_MONOID,                               \
                                           .refs = GB_STATIC,                                      \
                                           .op = GB_BINARY(o, N),                                  \
                                           .reduce = gb_reduce_##o##_##N,                          \
                                           .identity = (void *)&gb_identity_##o##_##N,             \
                                           .terminal = TERMINAL};                                  \
    gbl_Monoid const GBL_##o##_MONOID_##N = GB_MONOID(o, N);
/* without a terminal value, and with one */
#define GB_DEFINE_MONOID(FAMILY, op, N, T, zero)                                                   \
    GB_DEFINE_OBJECT(FAMILY, op, N, T, zero, false, NULL)
#define GB_DEFINE_MONOID_ENDING(FAMILY, op, N, T, zero, end)                                       \
    static const T gb_terminal_##op##_##N = end;                                                   \
    GB_DEFINE_OBJECT(FAMILY, op, N, T, zero, acc == (T)end, (void *)&gb_terminal_##op##_##N)

#define GB_DEFINE_INTEGER(N, T, lowest, highest)                                                   \
    GB_DEFINE_MONOID(INTEGER, PLUS, N, T, 0)                                                       \
    GB_DEFINE_MONOID_ENDING(INTEGER, TIMES, N, T, 1, 0)                                            \
    GB_DEFINE_MONOID_ENDING(INTEGER, MIN, N, T, highest, lowest)                                   \
    GB_DEFINE_MONOID_ENDING(INTEGER, MAX, N, T, lowest, highest)
#define GB_DEFINE(N, T) GB_DEFINE_INTEGER(N, T, N##_MIN, N##_MAX)
GBL_FOREACH_SIGNED(GB_DEFINE)
#undef GB_DEFINE
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_INTEGER(N, T, 0, N##_MAX)                                                            \
    GB_DEFINE_MONOID_ENDING(INTEGER, BOR, N, T, 0, N##_MAX)                                        \
    GB_DEFINE_MONOID_ENDING(INTEGER, BAND, N, T, N##_MAX, 0)                                       \
    GB_DEFINE_MONOID(INTEGER, BXOR, N, T, 0)                                                       \
    GB_DEFINE_MONOID(INTEGER, BXNOR, N, T, N##_MAX)
GBL_FOREACH_UNSIGNED(GB_DEFINE)
#undef GB_DEFINE
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_MONOID(FLOAT, PLUS, N, T, 0)                                                         \
    GB_DEFINE_MONOID(FLOAT, TIMES, N, T, 1)                                                        \
    GB_DEFINE_MONOID_ENDING(FLOAT, MIN, N, T, INFINITY, -INFINITY)                                 \
    GB_DEFINE_MONOID_ENDING(FLOAT, MAX, N, T, -INFINITY, INFINITY)
GBL_FOREACH_FLOAT(GB_DEFINE)
#undef GB_DEFINE
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_MONOID(FLOAT, PLUS, N, T, 0)                                                         \
    GB_DEFINE_MONOID(FLOAT, TIMES, N, T, 1)
GBL_FOREACH_COMPLEX(GB_DEFINE)
#undef GB_DEFINE
#define GB_DEFINE(N, T) GB_DEFINE_MONOID(ANY, ANY, N, T, 0)
GBL_FOREACH_TYPE(GB_DEFINE)
GBL_FOREACH_COMPLEX(GB_DEFINE)
#undef GB_DEFINE
GB_DEFINE_MONOID_ENDING(INTEGER, LOR, BOOL, bool, false, true)
GB_DEFINE_MONOID_ENDING(INTEGER, LAND, BOOL, bool, true, false)
GB_DEFINE_MONOID(INTEGER, LXOR, BOOL, bool, false)
GB_DEFINE_MONOID(INTEGER, LXNOR, BOOL, bool, true)

/* -- finding the predefined monoid of an operator */

#define GB_OF(op, N) [GB_##op][GBL_##N##_CODE] = &gb_monoid_##op##_##N,
#define GB_ENTRY(N, T) GB_OF(ANY, N)
#define GB_ENTRY_COMPLEX(N, T) GB_OF(PLUS, N) GB_OF(TIMES, N)
static const gb_Monoid *const gb_monoids[GB_BXNOR + 1][GBL_FC64_CODE + 1] = {
    GB_ENTRIES_OF_FOLDS GBL_FOREACH_TYPE(GB_ENTRY) GBL_FOREACH_COMPLEX(GB_ENTRY)
        GBL_FOREACH_COMPLEX(GB_ENTRY_COMPLEX)};

const gb_Monoid *gb_monoid_predefined(const gb_BinaryOp *op) {
    const gb_Opcode code = gb_opcode_canonical(op->code, op->xtype->code);
    return code <= GB_BXNOR ? gb_monoids[code][op->xtype->code] : NULL;
}

/* -- monoids of the user */

/* acc = acc + x[0] + ...; the operator's output must not overlap its inputs, so two buffers take
 * turns. Each has room for 64 bytes more: functions that numba compiles for a short array write the
 * 56 bytes of an array's description. */
static void gb_reduce_any_operator(const gb_Monoid *monoid, size_t n, void *acc, const void *x) {
    const size_t size = monoid->op->ztype->size, stride = (size + 64 + 15) / 16 * 16;
    _Alignas(16) char buffers[2 * stride];
    const char *from = acc;
    for (size_t k = 0; k < n; k++) {
        char *const to = buffers + k % 2 * stride;
        monoid->op->scalar(to, from, (const char *)x + k * size);
        from = to;
    }
    if (from != acc) memcpy(acc, from, size);
}

/* the identity and the terminal value lie behind the struct, in the same block, aligned for any
 * type */
#define GB_IDENTITY_OFFSET ((sizeof(gb_Monoid) + 15) / 16 * 16)
static size_t gb_terminal_offset(const gb_BinaryOp *op) {
    return GB_IDENTITY_OFFSET + (op->ztype->size + 15) / 16 * 16;
}
size_t gb_monoid_bytes(const gb_BinaryOp *op) {
    return gb_terminal_offset(op) + op->ztype->size;
}

gb_Monoid *gb_monoid_make(gb_BinaryOp *op, const void *identity, const void *terminal) {
    const gb_Monoid *const like = gb_monoid_predefined(op);
    gb_Monoid *monoid = gb_algebra_make(GB_MAGIC_MONOID, gb_monoid_bytes(op));
    if (monoid == NULL) return NULL;
    monoid->op = gb_retain(op);
    monoid->reduce = like != NULL ? like->reduce : gb_reduce_any_operator;
    monoid->identity = (char *)monoid + GB_IDENTITY_OFFSET;
    monoid->terminal = like != NULL ? like->terminal : NULL;
    memcpy(monoid->identity, identity, op->ztype->size);
    if (terminal == NULL || like != NULL) return monoid;
    monoid->terminal = (char *)monoid + gb_terminal_offset(op);
    memcpy(monoid->terminal, terminal, op->ztype->size);
    return monoid;
}
