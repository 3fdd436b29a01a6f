/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of simd.h with NEON, which every AArch64 has.
 *
 * NEON has no masks of bits: comparisons give lanes of ones. Each lane keeps its own bit of a mask,
 * and the sum over lanes is the mask.
 */
#pragma once

#include <arm_neon.h>

/* -- lane by lane ------------------------------------------------------------------------------ */

#ifndef gb_order32
#define gb_order32 gb_order32
GB_OP void gb_order32(gb_Register32 *x, gb_Register32 *y) {
    const uint32x4_t a = (uint32x4_t)*x, b = (uint32x4_t)*y;
    *x = (gb_Register32)vminq_u32(a, b);
    *y = (gb_Register32)vmaxq_u32(a, b);
}
#endif

#ifndef gb_max8
#define gb_max8 gb_max8
GB_OP void gb_max8(gb_Bytes32 *x, const gb_Bytes32 *y) {
    uint8_t *a = (uint8_t *)x;
    const uint8_t *b = (const uint8_t *)y;
    vst1q_u8(a, vmaxq_u8(vld1q_u8(a), vld1q_u8(b)));
    vst1q_u8(a + 16, vmaxq_u8(vld1q_u8(a + 16), vld1q_u8(b + 16)));
}
#endif

#ifndef gb_transpose32
#define gb_transpose32 gb_transpose32
/* Squares of 4 x 4, each to where it belongs. */
static inline void gb_transpose32(gb_Lanes32 r[GB_LANES]) {
    uint32_t from[GB_LANES][GB_LANES], *to = (uint32_t *)r;
    __builtin_memcpy(from, r, sizeof from);
    for (unsigned l = 0; l < GB_LANES; l += 4)
        for (unsigned k = 0; k < GB_LANES; k += 4) {
            const uint32x4_t a = vld1q_u32(&from[l][k]), b = vld1q_u32(&from[l + 1][k]);
            const uint32x4_t c = vld1q_u32(&from[l + 2][k]), d = vld1q_u32(&from[l + 3][k]);
            const uint64x2_t ab0 = vreinterpretq_u64_u32(vtrn1q_u32(a, b));
            const uint64x2_t ab1 = vreinterpretq_u64_u32(vtrn2q_u32(a, b));
            const uint64x2_t cd0 = vreinterpretq_u64_u32(vtrn1q_u32(c, d));
            const uint64x2_t cd1 = vreinterpretq_u64_u32(vtrn2q_u32(c, d));
            uint32_t *square = to + GB_LANES * k + l;
            vst1q_u32(square, vreinterpretq_u32_u64(vtrn1q_u64(ab0, cd0)));
            vst1q_u32(square + GB_LANES, vreinterpretq_u32_u64(vtrn1q_u64(ab1, cd1)));
            vst1q_u32(square + 2 * GB_LANES, vreinterpretq_u32_u64(vtrn2q_u64(ab0, cd0)));
            vst1q_u32(square + 3 * GB_LANES, vreinterpretq_u32_u64(vtrn2q_u64(ab1, cd1)));
        }
}
#endif

/* -- to masks ---------------------------------------------------------------------------------- */

/* Of 4 x 4 lanes that are all ones or 0. */
GB_OP unsigned gb_mask_of(uint32x4_t a, uint32x4_t b, uint32x4_t c, uint32x4_t d) {
    static const uint32_t bit[GB_LANES] = {1,   2,   4,    8,    16,   32,   64,    128,
                                           256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    const uint32x4_t low =
        vorrq_u32(vandq_u32(a, vld1q_u32(bit)), vandq_u32(b, vld1q_u32(bit + 4)));
    const uint32x4_t high =
        vorrq_u32(vandq_u32(c, vld1q_u32(bit + 8)), vandq_u32(d, vld1q_u32(bit + 12)));
    return vaddvq_u32(vorrq_u32(low, high));
}

#ifndef gb_mask32
#define gb_mask32 gb_mask32
GB_OP unsigned gb_mask32(gb_Lanes32 v) {
    const uint32_t *lane = (const uint32_t *)&v;
    return gb_mask_of(vld1q_u32(lane), vld1q_u32(lane + 4), vld1q_u32(lane + 8),
                      vld1q_u32(lane + 12));
}
#endif

#ifndef gb_nonzero_bytes
#define gb_nonzero_bytes gb_nonzero_bytes
/* Sums of neighbours, three times: 8 lanes become one byte of the mask. */
GB_OP uint64_t gb_nonzero_bytes(const uint8_t *m) {
    const uint8x16_t bit = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201u));
    uint8x16_t own[4];
    for (unsigned k = 0; k < 4; k++) {
        const uint8x16_t v = vld1q_u8(m + 16 * k);
        own[k] = vandq_u8(vtstq_u8(v, v), bit);
    }
    const uint8x16_t low = vpaddq_u8(own[0], own[1]), high = vpaddq_u8(own[2], own[3]);
    const uint8x16_t both = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(both, both)), 0);
}
#endif

#ifndef gb_nonzero_words
#define gb_nonzero_words gb_nonzero_words
GB_OP unsigned gb_nonzero_words(const uint16_t *m) {
    static const uint16_t bit[GB_LANES] = {1,   2,   4,    8,    16,   32,   64,    128,
                                           256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    const uint16x8_t a = vld1q_u16(m), b = vld1q_u16(m + 8);
    const uint16x8_t low = vandq_u16(vtstq_u16(a, a), vld1q_u16(bit));
    return vaddvq_u16(vorrq_u16(low, vandq_u16(vtstq_u16(b, b), vld1q_u16(bit + 8))));
}
#endif

/* -- rows of bits ------------------------------------------------------------------------------ */

#ifndef gb_count64
#define gb_count64 gb_count64
GB_OP uint64_t gb_count64(uint64_t x) {
    return vaddv_u8(vcnt_u8(vcreate_u8(x)));
}
#endif

#ifndef gb_and_count
#define gb_and_count gb_and_count
static inline uint64_t gb_and_count(const uint64_t *a, const uint64_t *b, uint64_t blocks) {
    enum { FULL = 31 }; /* registers whose counts fit a byte */
    const uint64_t n = 8 * blocks;
    uint64x2_t sum = vdupq_n_u64(0);
    for (uint64_t k = 0; k < n;) {
        const uint64_t end = n - k > 2 * FULL ? k + 2 * FULL : n;
        uint8x16_t bytes = vdupq_n_u8(0);
        for (; k < end; k += 2) {
            const uint64x2_t both = vandq_u64(vld1q_u64(a + k), vld1q_u64(b + k));
            bytes = vaddq_u8(bytes, vcntq_u8(vreinterpretq_u8_u64(both)));
        }
        sum = vpadalq_u32(sum, vpaddlq_u16(vpaddlq_u8(bytes)));
    }
    return vaddvq_u64(sum);
}
#endif
