/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels outside of the library (gblite_semiring.h): the functions that they call of it, through
 * the table that it lends them, and the table of kernels that they are.
 */
#pragma once

/* Names of their own: a program may have the library's beside them, linked statically. */
#define gb_reserve_slots gb_lent_reserve_slots
#define gb_filter_row gb_lent_filter_row
#define gb_short_sort gb_lent_short_sort

#include "cpu/compiled/layout.h"
#include "semiring/batch.h"

/* One for all files of a program, whose linker keeps one of these. */
#define GB_ONCE __attribute__((weak, visibility("hidden")))

extern const gb_KernelHelpers *GB_ISA_NAME(gb_kernel_helpers_lent);
GB_ONCE const gb_KernelHelpers *GB_ISA_NAME(gb_kernel_helpers_lent);

GB_ONCE bool GB_ISA_NAME(gb_reserve_slots)(gb_RowWork *w, unsigned bits) {
    return GB_ISA_NAME(gb_kernel_helpers_lent)->rows->reserve_slots(w, bits);
}
GB_ONCE uint64_t GB_ISA_NAME(gb_filter_row)(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i,
                                            gb_Idx *Ci, void *Cx, uint64_t n) {
    return GB_ISA_NAME(gb_kernel_helpers_lent)->rows->filter_row(g, w, i, Ci, Cx, n);
}
GB_ONCE void GB_ISA_NAME(gb_short_sort)(gb_ShortKeys *keys, uint64_t ncols,
                                        const gb_ShortRows *batch, const gb_Idx *const *col) {
    GB_ISA_NAME(gb_kernel_helpers_lent)->rows->short_sort(keys, ncols, batch, col);
}

#define GB_EXPANDED(macro, name) macro(name)
#define GB_TEXT_OF(x) GB_TEXT_AS_IS(x)
#define GB_TEXT_AS_IS(x) #x

/* The semiring as functions; its macros are expanded here. GB_OP: always inlined, since they are
 * the body of loops. */
#define GB_COMPILED_FUNCTIONS(name, T)                                                             \
    typedef T GB_CAT(gb_value, name);                                                              \
    static const T GB_CAT(gb_identity, name) = GBL_SEMIRING_IDENTITY;                              \
    GB_OP T GB_CAT(gb_plus, name)(T x, T y) {                                                      \
        return GBL_SEMIRING_ADD(x, y);                                                             \
    }                                                                                              \
    GB_OP T GB_CAT(gb_times, name)(T x, T y) {                                                     \
        return GBL_SEMIRING_MULTIPLY(x, y);                                                        \
    }                                                                                              \
    GB_OP bool GB_CAT(gb_is_terminal, name)(T x) {                                                 \
        (void)x;                                                                                   \
        return GBL_SEMIRING_TERMINAL(x);                                                           \
    }                                                                                              \
    GB_DEFINE_OPERATOR(GB_CAT(gb_add, name), GB_CAT(gb_add_batch, name), GB_CAT(gb_plus, name), T, \
                       T)                                                                          \
    GB_DEFINE_OPERATOR(GB_CAT(gb_multiply, name), GB_CAT(gb_multiply_batch, name),                 \
                       GB_CAT(gb_times, name), T, T)                                               \
    GB_DEFINE_REDUCE(GB_CAT(gb_reduce, name), GB_CAT(gb_plus, name), T,                            \
                     GB_CAT(gb_is_terminal, name)(acc))

/* Tables of the sets that the user compiled the file for besides: `name` of the set, where there is
 * one. A table of these has no others. */
#ifdef GBL_KERNEL_SET
#define GB_TABLE_NAME(name) GB_CAT(name, GB_ISA)
#define GB_OTHER_TABLES(name)
#define GB_OTHERS(name) NULL
#define GB_DEVICE_TABLE(name) NULL
#else
#define GB_TABLE_NAME(name) name
#define GB_OTHER_TABLES(name)                                                                      \
    extern const gbl_CompiledSemiring name##_avx512 __attribute__((weak));                         \
    extern const gbl_CompiledSemiring name##_avx2 __attribute__((weak));                           \
    extern const struct gb_DeviceSemiring name##_cuda __attribute__((weak));                       \
    static const gbl_CompiledSemiring *const GB_CAT(gb_others, name)[GB_KERNEL_OTHERS] = {         \
        &name##_avx512, &name##_avx2};
#define GB_OTHERS(name) GB_CAT(gb_others, name)
#define GB_DEVICE_TABLE(name) &GB_CAT(name, cuda)
#endif

/* The table, once all templates are expanded. */
#define GB_COMPILED_SEMIRING(ring)                                                                 \
    GB_EXPANDED(GB_OTHER_TABLES, ring)                                                             \
    static const gb_RowKernel GB_CAT(gb_rows, ring) = {                                            \
        GB_CAT(row, ring), GB_CAT(short_rows, ring), GB_CAT(begin_dense, ring)};                   \
    static const gb_DotKernel GB_CAT(gb_dot, ring) = {GB_CAT(dot_rows, ring)};                     \
    static const gb_OuterKernel GB_CAT(gb_outer, ring) = {                                         \
        GB_CAT(carries_outer, ring),     GB_CAT(prepare_outer, ring),                              \
        GB_CAT(clean_outer, ring),       GB_CAT(expand_outer, ring),                               \
        GB_CAT(join_sorted_outer, ring), GB_CAT(join_long_outer, ring),                            \
        GB_CAT(join_dense_outer, ring),  GB_CAT(join_range_outer, ring)};                          \
    static const gb_PushKernel GB_CAT(gb_push, ring) = {GB_CAT(push, ring),                        \
                                                        GB_CAT(push_compress, ring)};              \
    static const gb_PullKernel GB_CAT(gb_pull, ring) = {GB_CAT(pull, ring)};                       \
    extern const gbl_CompiledSemiring GB_TABLE_NAME(ring);                                         \
    const gbl_CompiledSemiring GB_TABLE_NAME(ring) = {                                             \
        .contract = GB_KERNEL_CONTRACT,                                                            \
        .size = (uint32_t)sizeof(GB_CAT(gb_value, ring)),                                          \
        .layout = GB_KERNEL_LAYOUT,                                                                \
        .name = GB_TEXT_OF(ring),                                                                  \
        .set = GB_TEXT_OF(GB_ISA),                                                                 \
        .identity = &GB_CAT(gb_identity, ring),                                                    \
        .add = GB_CAT(gb_add, ring),                                                               \
        .multiply = GB_CAT(gb_multiply, ring),                                                     \
        .add_batch = GB_CAT(gb_add_batch, ring),                                                   \
        .multiply_batch = GB_CAT(gb_multiply_batch, ring),                                         \
        .reduce = GB_CAT(gb_reduce, ring),                                                         \
        .helpers = &GB_ISA_NAME(gb_kernel_helpers_lent),                                           \
        .rowwise = &GB_CAT(gb_rows, ring),                                                         \
        .dot = &GB_CAT(gb_dot, ring),                                                              \
        .push = &GB_CAT(gb_push, ring),                                                            \
        .pull = &GB_CAT(gb_pull, ring),                                                            \
        .outer = &GB_CAT(gb_outer, ring),                                                          \
        .panel = GB_LANE_KERNEL(gb_panel, ring),                                                   \
        .spmm = GB_LANE_KERNEL(gb_spmm, ring),                                                     \
        .others = GB_OTHERS(ring),                                                                 \
        .device = GB_DEVICE_TABLE(ring)};
