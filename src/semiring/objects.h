/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of this folder share, and what the API needs to make and free algebra objects.
 *
 * Predefined objects are constants in read-only memory, gb_<kind>_<name>; handles point to them
 * with the const cast away, and GB_STATIC in refs keeps everybody from writing.
 */
#pragma once

#include "core/text.h"
#include "semiring/batch.h"
#include "semiring/ids.h"

/* Values of user types live on the stack now and then, so their size has a bound. */
#define GB_TYPE_SIZE_MAX ((size_t)65536)

#define GB_TYPE(N) ((gb_Type *)&gb_type_##N)
#define GB_BINARY(op, N) ((gb_BinaryOp *)&gb_binary_##op##_##N)
#define GB_MONOID(op, N) ((gb_Monoid *)&gb_monoid_##op##_##N)

#define GB_UNARY_OBJECT(CODE, Z, X, BATCH, USER)                                                   \
    {                                                                                              \
        .magic = GB_MAGIC_UNARY, .refs = GB_STATIC, .code = CODE, .ztype = Z, .xtype = X,          \
        .batch = BATCH, .user = USER                                                               \
    }
#define GB_BINARY_OBJECT(CODE, Z, X, Y, BATCH, SCALAR)                                             \
    {                                                                                              \
        .magic = GB_MAGIC_BINARY, .refs = GB_STATIC, .code = CODE, .ztype = Z, .xtype = X,         \
        .ytype = Y, .batch = BATCH, .scalar = SCALAR                                               \
    }
#define GB_INDEX_OBJECT(CODE, Z, X, Y, BATCH, USER)                                                \
    {                                                                                              \
        .magic = GB_MAGIC_INDEX, .refs = GB_STATIC, .code = CODE, .ztype = Z, .xtype = X,          \
        .ytype = Y, .batch = BATCH, .user = USER                                                   \
    }

/* -- predefined operators made of a function of values; linkage: static where no other file refers
 * to the object */
#define GB_DEFINE_UNARY_BY_VALUE(op, name, N, T, ZN, Z, call)                                      \
    static void gb_batch_##op##_##N(const gb_UnaryOp *self, size_t n, void *z_, const void *x_,    \
                                    int sx) {                                                      \
        Z *restrict z = z_;                                                                        \
        const T *restrict x = x_;                                                                  \
        (void)self;                                                                                \
        if (n == 0) return;                                                                        \
        const Z c = (Z)call(*x);                                                                   \
        for (size_t k = 0; k < n; k++) z[k] = sx != 0 ? (Z)call(x[k]) : c;                         \
    }                                                                                              \
    static const gb_UnaryOp gb_unary_##op##_##N =                                                  \
        GB_UNARY_OBJECT(GB_##op, GB_TYPE(ZN), GB_TYPE(N), gb_batch_##op##_##N, NULL);              \
    gbl_UnaryOp const GBL_##name = (gb_UnaryOp *)&gb_unary_##op##_##N;
#define GB_DEFINE_BINARY_BY_VALUE(linkage, op, name, N, T, ZN, Z, call)                            \
    GB_DEFINE_OPERATOR(gb_scalar_##op##_##N, gb_batch_##op##_##N, call, Z, T)                      \
    linkage const gb_BinaryOp gb_binary_##op##_##N = GB_BINARY_OBJECT(                             \
        GB_##op, GB_TYPE(ZN), GB_TYPE(N), GB_TYPE(N), gb_batch_##op##_##N, gb_scalar_##op##_##N);  \
    gbl_BinaryOp const GBL_##name = GB_BINARY(op, N);

/* The index-unary operator that compares x with y, by the binary one */
#define GB_DEFINE_COMPARING(op, N)                                                                 \
    static void gb_batch_VALUE##op##_##N(const gb_IndexUnaryOp *self, size_t n, void *z,           \
                                         const void *x, int sx, gb_Positions at, const void *y) {  \
        (void)self, (void)at;                                                                      \
        gb_batch_##op##_##N(&gb_binary_##op##_##N, n, z, x, sx, y, 0);                             \
    }                                                                                              \
    static const gb_IndexUnaryOp gb_index_VALUE##op##_##N = GB_INDEX_OBJECT(                       \
        GB_VALUE##op, GB_TYPE(BOOL), GB_TYPE(N), GB_TYPE(N), gb_batch_VALUE##op##_##N, NULL);      \
    gbl_IndexUnaryOp const GBL_VALUE##op##_##N = (gb_IndexUnaryOp *)&gb_index_VALUE##op##_##N;

/* -- predefined objects that others point to */
#define GB_DECLARE(N, T)                                                                           \
    extern const gb_Type gb_type_##N;                                                              \
    extern const gb_BinaryOp gb_binary_FIRST_##N, gb_binary_SECOND_##N, gb_binary_ONEB_##N,        \
        gb_binary_ANY_##N;                                                                         \
    extern const gb_BinaryOp gb_binary_MIN_##N, gb_binary_MAX_##N, gb_binary_PLUS_##N,             \
        gb_binary_MINUS_##N, gb_binary_TIMES_##N, gb_binary_DIV_##N, gb_binary_ABSDIFF_##N;        \
    extern const gb_BinaryOp gb_binary_EQ_##N, gb_binary_NE_##N, gb_binary_GT_##N,                 \
        gb_binary_LT_##N, gb_binary_GE_##N, gb_binary_LE_##N;                                      \
    extern const gb_Monoid gb_monoid_ANY_##N;
GBL_FOREACH_TYPE(GB_DECLARE)
#undef GB_DECLARE
#define GB_DECLARE(N, T)                                                                           \
    extern const gb_Type gb_type_##N;                                                              \
    extern const gb_BinaryOp gb_binary_FIRST_##N, gb_binary_SECOND_##N, gb_binary_ONEB_##N,        \
        gb_binary_ANY_##N, gb_binary_PLUS_##N, gb_binary_MINUS_##N, gb_binary_RMINUS_##N,          \
        gb_binary_TIMES_##N, gb_binary_DIV_##N, gb_binary_RDIV_##N;                                \
    extern const gb_Monoid gb_monoid_PLUS_##N, gb_monoid_TIMES_##N, gb_monoid_ANY_##N;
GBL_FOREACH_COMPLEX(GB_DECLARE)
#undef GB_DECLARE
#define GB_DECLARE(N, T)                                                                           \
    extern const gb_Monoid gb_monoid_PLUS_##N, gb_monoid_TIMES_##N, gb_monoid_MIN_##N,             \
        gb_monoid_MAX_##N;
GBL_FOREACH_NUMERIC(GB_DECLARE)
#undef GB_DECLARE
#define GB_DECLARE(N, T)                                                                           \
    extern const gb_BinaryOp gb_binary_BOR_##N, gb_binary_BAND_##N, gb_binary_BXOR_##N,            \
        gb_binary_BXNOR_##N;
GBL_FOREACH_INTEGER(GB_DECLARE)
#undef GB_DECLARE
#define GB_DECLARE(op)                                                                             \
    extern const gb_BinaryOp gb_binary_##op##_BOOL;                                                \
    extern const gb_Monoid gb_monoid_##op##_BOOL;
GB_DECLARE(LOR)
GB_DECLARE(LAND)
GB_DECLARE(LXOR)
GB_DECLARE(LXNOR)
#undef GB_DECLARE
#define GB_DECLARE(N)                                                                              \
    extern const gb_BinaryOp gb_binary_FIRSTI_##N, gb_binary_FIRSTJ_##N, gb_binary_SECONDI_##N,    \
        gb_binary_SECONDJ_##N, gb_binary_FIRSTI1_##N, gb_binary_FIRSTJ1_##N,                       \
        gb_binary_SECONDI1_##N, gb_binary_SECONDJ1_##N;
GB_DECLARE(INT32)
GB_DECLARE(INT64)
#undef GB_DECLARE

/* GB_OF(op, N) of the operators of monoids on real types, but for ANY */
#define GB_ENTRY_OF_NUMBERS(N, T) GB_OF(PLUS, N) GB_OF(TIMES, N) GB_OF(MIN, N) GB_OF(MAX, N)
#define GB_ENTRY_OF_BITS(N, T) GB_OF(BOR, N) GB_OF(BAND, N) GB_OF(BXOR, N) GB_OF(BXNOR, N)
#define GB_ENTRIES_OF_FOLDS                                                                        \
    GBL_FOREACH_NUMERIC(GB_ENTRY_OF_NUMBERS)                                                       \
    GBL_FOREACH_UNSIGNED(GB_ENTRY_OF_BITS)                                                         \
    GB_OF(LOR, BOOL) GB_OF(LAND, BOOL) GB_OF(LXOR, BOOL) GB_OF(LXNOR, BOOL)

/* Batch functions for every operator that has a function of one value. */
void gb_batch_unary(const gb_UnaryOp *op, size_t n, void *z, const void *x, int sx);
void gb_batch_scalar(const gb_BinaryOp *op, size_t n, void *z, const void *x, int sx, const void *y,
                     int sy);

/* -- making objects. Arguments were checked; NULL: no memory (gb_fail_memory was called). The new
 * object holds references to its parts. */
gb_Type *gb_type_make(size_t size);
gb_UnaryOp *gb_unary_make(gbl_unary_function f, gb_Type *z, gb_Type *x);
gb_BinaryOp *gb_binary_make(gbl_binary_function f, gb_Type *z, gb_Type *x, gb_Type *y);
/* The block becomes the operator's. */
gb_BinaryOp *gb_binary_make_index(gbl_index_binary_function f, gb_Type *z, gb_Type *x, gb_Type *y,
                                  void *theta, size_t theta_bytes);
gb_IndexUnaryOp *gb_index_make(gbl_index_unary_function f, gb_Type *z, gb_Type *x, gb_Type *y);
/* terminal: NULL where the operator is not known to have one. */
gb_Monoid *gb_monoid_make(gb_BinaryOp *op, const void *identity, const void *terminal);
gb_Semiring *gb_semiring_make(gb_Monoid *add, gb_BinaryOp *multiply);
/* Of kernels that were checked. */
gb_Semiring *gb_semiring_make_compiled(gb_Type *type, const gbl_CompiledSemiring *compiled);

/* For these: zeros behind the common beginning, of `bytes` in all. */
void *gb_algebra_make(uint64_t magic, size_t bytes);
size_t gb_monoid_bytes(const gb_BinaryOp *op);

/* The opcode that stands for all that compute the same: on BOOL, PLUS is LOR and so on; FIRSTJ is
 * SECONDI. type is that of x. */
gb_Opcode gb_opcode_canonical(gb_Opcode code, gbl_Type_Code type);

/* The predefined monoid that computes what op does, or NULL. */
const gb_Monoid *gb_monoid_predefined(const gb_BinaryOp *op);

const char *gb_type_name(const gb_Type *type); /* "INT32", or "a user-defined type" */

static inline bool gb_refs_static(const int *refs) {
    return __atomic_load_n(refs, __ATOMIC_RELAXED) == GB_STATIC;
}

/* -- names of predefined and user-defined objects ------------------------------------------- */

/* GBL_NAME of types, operators, monoids and semirings. That of a predefined object is put together
 * in `room`, as the standard's identifier ("GrB_MIN_PLUS_SEMIRING_FP64"), or gblite's where the
 * standard has none ("GBL_ANY_FP64"); that of another one is what the user has set, or "". */

enum { GB_NAME_ROOM = 64 };

const char *gb_name_of(const void *object, char *room);
