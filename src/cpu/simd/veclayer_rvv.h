/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of veclayer.h with RVV 1.0: groups of 8 registers where all elements have 4 bytes,
 * of 4 where elements or addresses have 8. A step is a group or what is left; as lengths are powers
 * of two, it begins at a whole byte of a mask, and masks are loaded from memory as they are. What
 * comparisons leave behind the last lane is unknown, and cleared.
 */
#ifndef GB_CPU_SIMD_VECLAYER_RVV_H
#define GB_CPU_SIMD_VECLAYER_RVV_H

#ifndef GB_CPU_SIMD_VECLAYER_H
#error "include cpu/simd/veclayer.h"
#endif

#include <riscv_vector.h>

/* Lanes of the step at l. */
GB_INLINE size_t gb_v_step32(unsigned l, unsigned n) {
    const size_t most = __riscv_vsetvlmax_e32m8();
    return n - l < most ? n - l : most;
}
GB_INLINE size_t gb_v_step64(unsigned l, unsigned n) {
    const size_t most = __riscv_vsetvlmax_e64m4();
    return n - l < most ? n - l : most;
}

GB_INLINE vbool4_t gb_v_live32(const gb_VMask *m, unsigned l, size_t step) {
    return __riscv_vlm_v_b4((const uint8_t *)m->w + l / 8, step);
}
GB_INLINE vbool16_t gb_v_live64(const gb_VMask *m, unsigned l, size_t step) {
    return __riscv_vlm_v_b16((const uint8_t *)m->w + l / 8, step);
}

/* Bytes from numbers of elements of 4 bytes or 8, both wider than 32 bits. */
GB_INLINE vuint64m4_t gb_v_places(const uint32_t *at, unsigned shift, size_t step) {
    const vuint32m2_t number = __riscv_vle32_v_u32m2(at, step);
    return __riscv_vsll_vx_u64m4(__riscv_vzext_vf2_u64m4(number, step), shift, step);
}
GB_INLINE vuint64m4_t gb_v_wide_places(const uint64_t *at, unsigned shift, size_t step) {
    return __riscv_vsll_vx_u64m4(__riscv_vle64_v_u64m4(at, step), shift, step);
}

/* Steps over n lanes, of 4 or 8 bytes. */
#define GB_V_STEPS(size)                                                                           \
    for (unsigned l = 0, step = 0; l < n && (step = (unsigned)gb_v_step##size(l, n)) > 0; l += step)

/* -- indexed ----------------------------------------------------------------------------------- */

#define gb_v_gather_index gb_v_gather_index
GB_INLINE void gb_v_gather_index(uint32_t *restrict to, const uint32_t *x, const uint64_t *at,
                                 unsigned n) {
    GB_V_STEPS(64) {
        const vuint64m4_t place = gb_v_wide_places(at + l, 2, step);
        __riscv_vse32_v_u32m2(to + l, __riscv_vluxei64_v_u32m2(x, place, step), step);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}

#define gb_v_gather_index_if gb_v_gather_index_if
GB_INLINE void gb_v_gather_index_if(uint32_t *restrict to, const uint32_t *x, const uint64_t *at,
                                    const gb_VMask *m, unsigned n) {
    GB_V_STEPS(64) {
        const vbool16_t live = gb_v_live64(m, l, step);
        const vuint64m4_t place = gb_v_wide_places(at + l, 2, step);
        const vuint32m2_t v = __riscv_vluxei64_v_u32m2_m(live, x, place, step);
        __riscv_vse32_v_u32m2_m(live, to + l, v, step);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, gb_m_count(m, n), sizeof *to);
}

#define gb_v_gather_offset_if gb_v_gather_offset_if
GB_INLINE void gb_v_gather_offset_if(uint64_t *restrict to, const uint64_t *x, const uint32_t *at,
                                     const gb_VMask *m, unsigned n) {
    GB_V_STEPS(64) {
        const vbool16_t live = gb_v_live64(m, l, step);
        const vuint64m4_t place = gb_v_places(at + l, 3, step);
        const vuint64m4_t v = __riscv_vluxei64_v_u64m4_m(live, x, place, step);
        __riscv_vse64_v_u64m4_m(live, to + l, v, step);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, gb_m_count(m, n), sizeof *to);
}

#define gb_v_gather_wide gb_v_gather_wide
GB_INLINE void gb_v_gather_wide(uint64_t *restrict to, const uint64_t *x, const uint32_t *at,
                                unsigned n) {
    GB_V_STEPS(64) {
        const vuint64m4_t place = gb_v_places(at + l, 3, step);
        __riscv_vse64_v_u64m4(to + l, __riscv_vluxei64_v_u64m4(x, place, step), step);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}

#define gb_v_gather_slot gb_v_gather_slot
GB_INLINE void gb_v_gather_slot(uint32_t *restrict to, const uint32_t *x, const uint32_t *at,
                                unsigned n) {
    GB_V_STEPS(64) {
        const vuint64m4_t place = gb_v_places(at + l, 2, step);
        __riscv_vse32_v_u32m2(to + l, __riscv_vluxei64_v_u32m2(x, place, step), step);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}

#define gb_v_gather_slot_if gb_v_gather_slot_if
GB_INLINE void gb_v_gather_slot_if(uint32_t *restrict to, const uint32_t *x, const uint32_t *at,
                                   const gb_VMask *m, unsigned n) {
    GB_V_STEPS(64) {
        const vbool16_t live = gb_v_live64(m, l, step);
        const vuint64m4_t place = gb_v_places(at + l, 2, step);
        const vuint32m2_t v = __riscv_vluxei64_v_u32m2_m(live, x, place, step);
        __riscv_vse32_v_u32m2_m(live, to + l, v, step);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, gb_m_count(m, n), sizeof *to);
}

#define gb_v_scatter_slot_if gb_v_scatter_slot_if
GB_INLINE void gb_v_scatter_slot_if(uint32_t *x, const uint32_t *at, const uint32_t *v,
                                    const gb_VMask *m, unsigned n) {
    GB_V_STEPS(64) {
        const vbool16_t live = gb_v_live64(m, l, step);
        const vuint64m4_t place = gb_v_places(at + l, 2, step);
        __riscv_vsuxei64_v_u32m2_m(live, x, place, __riscv_vle32_v_u32m2(v + l, step), step);
    }
    GB_VEC_NOTE(GB_VEC_SCATTER, n, gb_m_count(m, n), sizeof *x);
}

#define gb_v_scatter_all gb_v_scatter_all
GB_INLINE void gb_v_scatter_all(uint32_t *x, const uint32_t *at, uint32_t c, unsigned n) {
    GB_V_STEPS(64) {
        const vuint64m4_t place = gb_v_places(at + l, 2, step);
        __riscv_vsuxei64_v_u32m2(x, place, __riscv_vmv_v_x_u32m2(c, step), step);
    }
    GB_VEC_NOTE(GB_VEC_SCATTER, n, n, sizeof *x);
}

/* -- to masks ---------------------------------------------------------------------------------- */

GB_INLINE void gb_v_clear_behind(gb_VMask *m, unsigned n) {
    if (n % 64 != 0) m->w[n / 64] &= ((uint64_t)1 << n % 64) - 1;
}

#define GB_V_COMPARE(size, store, compare)                                                         \
    gb_m_none(m);                                                                                  \
    GB_V_STEPS(size) store((uint8_t *)m->w + l / 8, compare, step);                                \
    gb_v_clear_behind(m, n);                                                                       \
    GB_VEC_NOTE(GB_VEC_MASK, n, n, 0)
#define GB_V_X32(x) __riscv_vle32_v_u32m8((x) + l, step)
#define GB_V_X64(x) __riscv_vle64_v_u64m4((x) + l, step)

#define gb_v_equal gb_v_equal
GB_INLINE void gb_v_equal(gb_VMask *m, const uint32_t *a, const uint32_t *b, unsigned n) {
    GB_V_COMPARE(32, __riscv_vsm_v_b4, __riscv_vmseq_vv_u32m8_b4(GB_V_X32(a), GB_V_X32(b), step));
}

#define gb_v_equal_to gb_v_equal_to
GB_INLINE void gb_v_equal_to(gb_VMask *m, const uint32_t *a, uint32_t c, unsigned n) {
    GB_V_COMPARE(32, __riscv_vsm_v_b4, __riscv_vmseq_vx_u32m8_b4(GB_V_X32(a), c, step));
}

#define gb_v_below gb_v_below
GB_INLINE void gb_v_below(gb_VMask *m, const uint32_t *a, uint32_t c, unsigned n) {
    GB_V_COMPARE(32, __riscv_vsm_v_b4, __riscv_vmsltu_vx_u32m8_b4(GB_V_X32(a), c, step));
}

#define gb_v_equal_wide gb_v_equal_wide
GB_INLINE void gb_v_equal_wide(gb_VMask *m, const uint64_t *a, const uint64_t *b, unsigned n) {
    GB_V_COMPARE(64, __riscv_vsm_v_b16, __riscv_vmseq_vv_u64m4_b16(GB_V_X64(a), GB_V_X64(b), step));
}

#define gb_v_less_wide gb_v_less_wide
GB_INLINE void gb_v_less_wide(gb_VMask *m, const uint64_t *a, const uint64_t *b, unsigned n) {
    GB_V_COMPARE(64, __riscv_vsm_v_b16,
                 __riscv_vmsltu_vv_u64m4_b16(GB_V_X64(a), GB_V_X64(b), step));
}

#define gb_v_differs_wide gb_v_differs_wide
GB_INLINE void gb_v_differs_wide(gb_VMask *m, const uint64_t *a, const uint64_t *b, unsigned n) {
    GB_V_COMPARE(64, __riscv_vsm_v_b16, __riscv_vmsne_vv_u64m4_b16(GB_V_X64(a), GB_V_X64(b), step));
}
#undef GB_V_COMPARE

/* -- by masks ---------------------------------------------------------------------------------- */

#define gb_v_compress gb_v_compress
GB_INLINE unsigned gb_v_compress(uint32_t *to, const uint32_t *from, const gb_VMask *m,
                                 unsigned n) {
    unsigned count = 0;
    GB_V_STEPS(32) {
        const vbool4_t live = gb_v_live32(m, l, step);
        const size_t more = __riscv_vcpop_m_b4(live, step);
        const vuint32m8_t packed = __riscv_vcompress_vm_u32m8(GB_V_X32(from), live, step);
        __riscv_vse32_v_u32m8(to + count, packed, more);
        count += (unsigned)more;
    }
    GB_VEC_NOTE(GB_VEC_STREAM, n, count, sizeof *to);
    return count;
}

#define gb_v_add_if gb_v_add_if
GB_INLINE void gb_v_add_if(uint32_t *x, uint32_t c, const gb_VMask *m, unsigned n) {
    GB_V_STEPS(32) {
        const vbool4_t live = gb_v_live32(m, l, step);
        __riscv_vse32_v_u32m8_m(live, x + l, __riscv_vadd_vx_u32m8(GB_V_X32(x), c, step), step);
    }
    GB_VEC_NOTE(GB_VEC_ARITH, n, gb_m_count(m, n), 0);
}

#define gb_v_add_wide_if gb_v_add_wide_if
GB_INLINE void gb_v_add_wide_if(uint64_t *x, uint64_t c, const gb_VMask *m, unsigned n) {
    GB_V_STEPS(64) {
        const vbool16_t live = gb_v_live64(m, l, step);
        __riscv_vse64_v_u64m4_m(live, x + l, __riscv_vadd_vx_u64m4(GB_V_X64(x), c, step), step);
    }
    GB_VEC_NOTE(GB_VEC_ARITH, n, gb_m_count(m, n), 0);
}
#undef GB_V_X32
#undef GB_V_X64

/* -- of values --------------------------------------------------------------------------------- */

GB_INLINE vfloat64m4_t gb_v_factor(const double *x, const uint64_t *at, uint64_t mask,
                                   size_t step) {
    const vuint64m4_t number = __riscv_vand_vx_u64m4(__riscv_vle64_v_u64m4(at, step), mask, step);
    return __riscv_vluxei64_v_f64m4(x, __riscv_vsll_vx_u64m4(number, 3, step), step);
}

#define gb_v_multiply_fp64 gb_v_multiply_fp64
GB_INLINE void gb_v_multiply_fp64(double *restrict to, const gb_VFactors *f, unsigned n) {
    GB_V_STEPS(64) {
        const vfloat64m4_t a = gb_v_factor(f->a, f->p + l, f->amask, step);
        const vfloat64m4_t b = gb_v_factor(f->b, f->q + l, f->bmask, step);
        __riscv_vse64_v_f64m4(to + l, __riscv_vfmul_vv_f64m4(a, b, step), step);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}

#define gb_v_accumulate_fp64 gb_v_accumulate_fp64
GB_INLINE void gb_v_accumulate_fp64(double *x, const uint32_t *at, const double *v,
                                    const gb_VMask *live, const gb_VMask *fresh, unsigned n) {
    GB_V_STEPS(64) {
        const vbool16_t here = gb_v_live64(live, l, step);
        const vbool16_t old = __riscv_vmandn_mm_b16(here, gb_v_live64(fresh, l, step), step);
        const vuint64m4_t place = gb_v_places(at + l, 3, step);
        const vfloat64m4_t product = __riscv_vle64_v_f64m4(v + l, step);
        const vfloat64m4_t had = __riscv_vluxei64_v_f64m4_m(old, x, place, step);
        const vfloat64m4_t sum = __riscv_vfadd_vv_f64m4_mu(old, product, had, product, step);
        __riscv_vsuxei64_v_f64m4_m(here, x, place, sum, step);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, gb_m_count(live, n), sizeof *x);
    GB_VEC_NOTE(GB_VEC_FMA, n, gb_m_count(live, n), 0);
    GB_VEC_NOTE(GB_VEC_SCATTER, n, gb_m_count(live, n), sizeof *x);
}
#undef GB_V_STEPS

#endif
