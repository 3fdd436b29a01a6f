/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of veclayer.h that NEON has: comparisons, and sums under masks, 16 lanes at a
 * time, since vectors have room up to the next multiple of 16. There are no gathers, scatters or
 * compressions.
 */
#ifndef GB_CPU_SIMD_VECLAYER_NEON_H
#define GB_CPU_SIMD_VECLAYER_NEON_H

#ifndef GB_CPU_SIMD_VECLAYER_H
#error "include cpu/simd/veclayer.h"
#endif

/* Bits of a step of 16 lanes at l whose lanes stand before n. */
GB_INLINE uint64_t gb_v_before(unsigned l, unsigned n) {
    return n - l < 16 ? ((uint64_t)1 << (n - l)) - 1 : 0xffff;
}

/* Lanes of 8 bytes that are all ones or 0, as lanes of 4. */
GB_INLINE uint32x4_t gb_v_narrow(uint64x2_t low, uint64x2_t high) {
    return vuzp1q_u32(vreinterpretq_u32_u64(low), vreinterpretq_u32_u64(high));
}

/* -- to masks ---------------------------------------------------------------------------------- */

/* `four` compares the 4 lanes at k. */
#define GB_V_COMPARE(four)                                                                         \
    gb_m_none(m);                                                                                  \
    for (unsigned l = 0; l < n; l += 16) {                                                         \
        uint32x4_t part[4];                                                                        \
        for (unsigned k = l; k < l + 16; k += 4) part[(k - l) / 4] = four;                         \
        const uint64_t bits = gb_mask_of(part[0], part[1], part[2], part[3]);                      \
        m->w[l / 64] |= (bits & gb_v_before(l, n)) << l % 64;                                      \
    }                                                                                              \
    GB_VEC_NOTE(GB_VEC_MASK, n, n, 0)

#define gb_v_equal gb_v_equal
GB_INLINE void gb_v_equal(gb_VMask *m, const uint32_t *a, const uint32_t *b, unsigned n) {
    GB_V_COMPARE(vceqq_u32(vld1q_u32(a + k), vld1q_u32(b + k)));
}

#define gb_v_equal_to gb_v_equal_to
GB_INLINE void gb_v_equal_to(gb_VMask *m, const uint32_t *a, uint32_t c, unsigned n) {
    GB_V_COMPARE(vceqq_u32(vld1q_u32(a + k), vdupq_n_u32(c)));
}

#define gb_v_below gb_v_below
GB_INLINE void gb_v_below(gb_VMask *m, const uint32_t *a, uint32_t c, unsigned n) {
    GB_V_COMPARE(vcltq_u32(vld1q_u32(a + k), vdupq_n_u32(c)));
}

#define gb_v_equal_wide gb_v_equal_wide
GB_INLINE void gb_v_equal_wide(gb_VMask *m, const uint64_t *a, const uint64_t *b, unsigned n) {
    GB_V_COMPARE(gb_v_narrow(vceqq_u64(vld1q_u64(a + k), vld1q_u64(b + k)),
                             vceqq_u64(vld1q_u64(a + k + 2), vld1q_u64(b + k + 2))));
}

#define gb_v_less_wide gb_v_less_wide
GB_INLINE void gb_v_less_wide(gb_VMask *m, const uint64_t *a, const uint64_t *b, unsigned n) {
    GB_V_COMPARE(gb_v_narrow(vcltq_u64(vld1q_u64(a + k), vld1q_u64(b + k)),
                             vcltq_u64(vld1q_u64(a + k + 2), vld1q_u64(b + k + 2))));
}

#define gb_v_differs_wide gb_v_differs_wide
GB_INLINE void gb_v_differs_wide(gb_VMask *m, const uint64_t *a, const uint64_t *b, unsigned n) {
    GB_V_COMPARE(vmvnq_u32(gb_v_narrow(vceqq_u64(vld1q_u64(a + k), vld1q_u64(b + k)),
                                       vceqq_u64(vld1q_u64(a + k + 2), vld1q_u64(b + k + 2)))));
}
#undef GB_V_COMPARE

/* -- by masks ---------------------------------------------------------------------------------- */

#define gb_v_add_if gb_v_add_if
GB_INLINE void gb_v_add_if(uint32_t *x, uint32_t c, const gb_VMask *m, unsigned n) {
    static const uint32_t own[4] = {1, 2, 4, 8};
    for (unsigned l = 0; l < n; l += 4) {
        const uint32x4_t bits = vdupq_n_u32((uint32_t)(m->w[l / 64] >> l % 64));
        const uint32x4_t more = vandq_u32(vtstq_u32(bits, vld1q_u32(own)), vdupq_n_u32(c));
        vst1q_u32(x + l, vaddq_u32(vld1q_u32(x + l), more));
    }
    GB_VEC_NOTE(GB_VEC_ARITH, n, gb_m_count(m, n), 0);
}

#define gb_v_add_wide_if gb_v_add_wide_if
GB_INLINE void gb_v_add_wide_if(uint64_t *x, uint64_t c, const gb_VMask *m, unsigned n) {
    static const uint64_t own[2] = {1, 2};
    for (unsigned l = 0; l < n; l += 2) {
        const uint64x2_t bits = vdupq_n_u64(m->w[l / 64] >> l % 64);
        const uint64x2_t more = vandq_u64(vtstq_u64(bits, vld1q_u64(own)), vdupq_n_u64(c));
        vst1q_u64(x + l, vaddq_u64(vld1q_u64(x + l), more));
    }
    GB_VEC_NOTE(GB_VEC_ARITH, n, gb_m_count(m, n), 0);
}

#endif
