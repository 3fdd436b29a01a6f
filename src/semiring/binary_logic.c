/* SPDX-License-Identifier: Apache-2.0
 *
 * Predefined binary operators: choices, logic, bits, and those by position, which have no
 * functions: the kernels compute them from the indices.
 */
#include "semiring/binary_loops.h"

#define GB_DEFINE(N, T)                                                                            \
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

#define GB_DEFINE(op, N)                                                                           \
    const gb_BinaryOp gb_binary_##op##_##N = {                                                     \
        .magic = GB_MAGIC_BINARY,                                                                  \
        .refs = GB_STATIC,                                                                         \
        .code = GB_##op,                                                                           \
        .ztype = GB_TYPE(N),                                                                       \
        .xtype = GB_TYPE(N),                                                                       \
        .ytype = GB_TYPE(N),                                                                       \
    };                                                                                             \
    gbl_BinaryOp const GBL_##op##_##N = GB_BINARY(op, N);
GB_DEFINE(FIRSTI, INT32)
GB_DEFINE(FIRSTJ, INT32)
GB_DEFINE(SECONDI, INT32)
GB_DEFINE(SECONDJ, INT32)
GB_DEFINE(FIRSTI, INT64)
GB_DEFINE(FIRSTJ, INT64)
GB_DEFINE(SECONDI, INT64)
GB_DEFINE(SECONDJ, INT64)
