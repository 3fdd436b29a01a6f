/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of simd.h with RVV 1.0, for registers of any length: groups of registers hold what
 * gb_Lanes32 has, 16 numbers of 32 bits, at the least length of 128 already. Masks of 16 bits are
 * masks of lanes in memory; bits of rows are masks too, ANDed and counted as such.
 */
#pragma once

#include <riscv_vector.h>

#define GB_HAS_COMPRESS 1

GB_OP vbool8_t gb_lanes_of(unsigned mask) {
    const uint16_t bits = (uint16_t)mask;
    return __riscv_vlm_v_b8((const uint8_t *)&bits, GB_LANES);
}

GB_OP unsigned gb_mask_of(vbool8_t lanes) {
    uint16_t bits;
    __riscv_vsm_v_b8((uint8_t *)&bits, lanes, GB_LANES);
    return bits;
}

GB_OP vuint32m4_t gb_group(const gb_Lanes32 *v) {
    return __riscv_vle32_v_u32m4((const uint32_t *)v, GB_LANES);
}

GB_OP size_t gb_least_lanes(unsigned n) {
    return n < GB_LANES ? n : (size_t)GB_LANES;
}

/* -- memory ------------------------------------------------------------------------------------ */

#define gb_load_first32 gb_load_first32
GB_OP gb_Lanes32 gb_load_first32(const void *p, unsigned n) {
    gb_Lanes32 v = {0};
    const size_t first = gb_least_lanes(n);
    __riscv_vse32_v_u32m4((uint32_t *)&v, __riscv_vle32_v_u32m4(p, first), first);
    return v;
}

#define gb_store_first32 gb_store_first32
GB_OP void gb_store_first32(void *p, gb_Lanes32 v, unsigned n) {
    __riscv_vse32_v_u32m4(p, gb_group(&v), gb_least_lanes(n));
}

/* -- lane by lane ------------------------------------------------------------------------------ */

#define gb_max8 gb_max8
GB_OP void gb_max8(gb_Bytes32 *x, const gb_Bytes32 *y) {
    const vuint8m2_t a = __riscv_vle8_v_u8m2((const uint8_t *)x, sizeof *x);
    const vuint8m2_t b = __riscv_vle8_v_u8m2((const uint8_t *)y, sizeof *y);
    __riscv_vse8_v_u8m2((uint8_t *)x, __riscv_vmaxu_vv_u8m2(a, b, sizeof *x), sizeof *x);
}

#define gb_transpose32 gb_transpose32
/* Columns are read, rows written. */
static inline void gb_transpose32(gb_Lanes32 r[GB_LANES]) {
    uint32_t from[GB_LANES][GB_LANES], *to = (uint32_t *)r;
    __builtin_memcpy(from, r, sizeof from);
    for (unsigned l = 0; l < GB_LANES; l++) {
        const vuint32m4_t column = __riscv_vlse32_v_u32m4(&from[0][l], sizeof from[0], GB_LANES);
        __riscv_vse32_v_u32m4(to + GB_LANES * l, column, GB_LANES);
    }
}

/* -- to masks ---------------------------------------------------------------------------------- */

#define gb_equal32 gb_equal32
GB_OP unsigned gb_equal32(gb_Lanes32 a, gb_Lanes32 b) {
    return gb_mask_of(__riscv_vmseq_vv_u32m4_b8(gb_group(&a), gb_group(&b), GB_LANES));
}

#define gb_less32 gb_less32
GB_OP unsigned gb_less32(gb_Lanes32 a, gb_Lanes32 b) {
    return gb_mask_of(__riscv_vmsltu_vv_u32m4_b8(gb_group(&a), gb_group(&b), GB_LANES));
}

#define gb_find32 gb_find32
GB_OP unsigned gb_find32(const uint32_t *line, uint32_t x) {
    const vuint32m4_t v = __riscv_vle32_v_u32m4(line, GB_LANES);
    return gb_mask_of(__riscv_vmseq_vx_u32m4_b8(v, x, GB_LANES));
}

#define gb_nonzero_bytes gb_nonzero_bytes
GB_OP uint64_t gb_nonzero_bytes(const uint8_t *m) {
    uint64_t bits;
    const vbool2_t nonzero = __riscv_vmsne_vx_u8m4_b2(__riscv_vle8_v_u8m4(m, 64), 0, 64);
    __riscv_vsm_v_b2((uint8_t *)&bits, nonzero, 64);
    return bits;
}

#define gb_nonzero_words gb_nonzero_words
GB_OP unsigned gb_nonzero_words(const uint16_t *m) {
    const vuint16m2_t v = __riscv_vle16_v_u16m2(m, GB_LANES);
    return gb_mask_of(__riscv_vmsne_vx_u16m2_b8(v, 0, GB_LANES));
}

/* -- by masks and numbers of lanes ------------------------------------------------------------- */

#define gb_compress32 gb_compress32
GB_OP gb_Lanes32 gb_compress32(gb_Lanes32 v, unsigned mask) {
    const vuint32m4_t zero = __riscv_vmv_v_x_u32m4(0, GB_LANES);
    const vbool8_t lanes = gb_lanes_of(mask);
    gb_Lanes32 packed;
    __riscv_vse32_v_u32m4((uint32_t *)&packed,
                          __riscv_vcompress_vm_u32m4_tu(zero, gb_group(&v), lanes, GB_LANES),
                          GB_LANES);
    return packed;
}

/* Lanes of v to to[0], to[1], ... */
GB_OP unsigned gb_store_packed32(uint32_t *to, vuint32m4_t v, unsigned mask) {
    const vbool8_t lanes = gb_lanes_of(mask);
    const unsigned n = (unsigned)__riscv_vcpop_m_b8(lanes, GB_LANES);
    __riscv_vse32_v_u32m4(to, __riscv_vcompress_vm_u32m4(v, lanes, GB_LANES), n);
    return n;
}

#define gb_pack32 gb_pack32
GB_OP unsigned gb_pack32(uint32_t *to, const uint32_t *from, unsigned mask) {
    return gb_store_packed32(to, __riscv_vle32_v_u32m4(from, GB_LANES), mask);
}

#define gb_pack64 gb_pack64
GB_OP unsigned gb_pack64(uint64_t *to, const uint64_t *from, unsigned mask) {
    const vbool8_t lanes = gb_lanes_of(mask);
    const unsigned n = (unsigned)__riscv_vcpop_m_b8(lanes, GB_LANES);
    const vuint64m8_t v = __riscv_vle64_v_u64m8(from, GB_LANES);
    __riscv_vse64_v_u64m8(to, __riscv_vcompress_vm_u64m8(v, lanes, GB_LANES), n);
    return n;
}

#define gb_pack_numbers gb_pack_numbers
GB_OP unsigned gb_pack_numbers(uint32_t *to, uint32_t x, unsigned mask) {
    const vuint32m4_t number = __riscv_vid_v_u32m4(GB_LANES);
    return gb_store_packed32(to, __riscv_vadd_vx_u32m4(number, x, GB_LANES), mask);
}

#define gb_gather_first gb_gather_first
/* Offsets in bytes, which may exceed 32 bits. */
GB_OP void gb_gather_first(void *to, const void *x, gb_Lanes32 at, unsigned n, size_t size) {
    const size_t first = gb_least_lanes(n);
    const vuint64m8_t wide = __riscv_vzext_vf2_u64m8(gb_group(&at), first);
    const vuint64m8_t offset = __riscv_vmul_vx_u64m8(wide, size, first);
    if (size == 4)
        __riscv_vse32_v_u32m4(to, __riscv_vluxei64_v_u32m4(x, offset, first), first);
    else
        __riscv_vse64_v_u64m8(to, __riscv_vluxei64_v_u64m8(x, offset, first), first);
}

/* Offsets of 16 numbers of 32 bits, which may exceed them. */
GB_OP vuint64m8_t gb_offsets32(const uint32_t *at) {
    const vuint32m4_t number = __riscv_vle32_v_u32m4(at, GB_LANES);
    return __riscv_vsll_vx_u64m8(__riscv_vzext_vf2_u64m8(number, GB_LANES), 2, GB_LANES);
}

#define gb_gather32 gb_gather32
GB_OP void gb_gather32(uint32_t *to, const uint32_t *x, const uint32_t *at, unsigned mask) {
    const vbool8_t lanes = gb_lanes_of(mask);
    const vuint32m4_t v = __riscv_vluxei64_v_u32m4_m(lanes, x, gb_offsets32(at), GB_LANES);
    __riscv_vse32_v_u32m4_m(lanes, to, v, GB_LANES);
}

#define gb_scatter32 gb_scatter32
GB_OP void gb_scatter32(uint32_t *x, const uint32_t *at, const uint32_t *v, unsigned mask) {
    __riscv_vsuxei64_v_u32m4_m(gb_lanes_of(mask), x, gb_offsets32(at),
                               __riscv_vle32_v_u32m4(v, GB_LANES), GB_LANES);
}

/* -- rows of bits ------------------------------------------------------------------------------ */

#define gb_and_count gb_and_count
static inline uint64_t gb_and_count(const uint64_t *a, const uint64_t *b, uint64_t blocks) {
    const uint8_t *x = (const uint8_t *)a, *y = (const uint8_t *)b;
    const uint64_t most = __riscv_vsetvlmax_e8m8(); /* bits of a register, a power of 2 */
    uint64_t sum = 0, left = 512 * blocks;
    while (left > 0) {
        const size_t bits = left < most ? left : most;
        const vbool1_t both =
            __riscv_vmand_mm_b1(__riscv_vlm_v_b1(x, bits), __riscv_vlm_v_b1(y, bits), bits);
        sum += __riscv_vcpop_m_b1(both, bits);
        x += bits / 8;
        y += bits / 8;
        left -= bits;
    }
    return sum;
}

#define gb_count_marked gb_count_marked
GB_OP uint64_t gb_count_marked(const uint8_t *mark, const uint32_t *i, uint64_t n) {
    uint64_t found = 0;
    while (n > 0) {
        const size_t step = __riscv_vsetvl_e32m8(n);
        const vuint32m8_t at = __riscv_vle32_v_u32m8(i, step);
        const vuint8m2_t x = __riscv_vluxei32_v_u8m2(mark, at, step);
        found += __riscv_vcpop_m_b4(__riscv_vmsne_vx_u8m2_b4(x, 0, step), step);
        i += step;
        n -= step;
    }
    return found;
}

#define gb_raise_marked gb_raise_marked
GB_OP void gb_raise_marked(uint32_t *mark, const uint32_t *i, uint64_t n) {
    while (n > 0) {
        const size_t step = __riscv_vsetvl_e32m4(n);
        const vuint32m4_t at = __riscv_vle32_v_u32m4(i, step);
        const vuint64m8_t offset =
            __riscv_vsll_vx_u64m8(__riscv_vzext_vf2_u64m8(at, step), 2, step);
        const vuint32m4_t x = __riscv_vluxei64_v_u32m4(mark, offset, step);
        const vbool8_t marked = __riscv_vmsne_vx_u32m4_b8(x, 0, step);
        const vuint32m4_t raised = __riscv_vadd_vx_u32m4(x, 1, step);
        __riscv_vsuxei64_v_u32m4_m(marked, mark, offset, raised, step);
        i += step;
        n -= step;
    }
}
