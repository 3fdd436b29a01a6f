/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of veclayer.h with SVE, in steps of what registers hold: a power of two of lanes
 * that divides a word of a mask. Words become predicates by shifts, predicates words by sums of
 * bits.
 */
#ifndef GB_CPU_SIMD_VECLAYER_SVE_H
#define GB_CPU_SIMD_VECLAYER_SVE_H

#ifndef GB_CPU_SIMD_VECLAYER_H
#error "include cpu/simd/veclayer.h"
#endif

#include <arm_sve.h>

/* Lanes of a step: of 4 bytes, of 8. Registers need not have a power of two of them. */
GB_INLINE unsigned gb_v_step32(void) {
    return 1u << (31 - __builtin_clz((unsigned)svcntw()));
}
GB_INLINE unsigned gb_v_step64(void) {
    return gb_v_step32() / 2;
}

/* Of the step at l, lanes before n. */
GB_INLINE svbool_t gb_v_first32(unsigned l, unsigned n) {
    const unsigned end = n - l < gb_v_step32() ? n : l + gb_v_step32();
    return svwhilelt_b32_u32(l, end);
}
GB_INLINE svbool_t gb_v_first64(unsigned l, unsigned n) {
    const unsigned end = n - l < gb_v_step64() ? n : l + gb_v_step64();
    return svwhilelt_b64_u32(l, end);
}

/* ... and of these those of the mask. Shifts by more than an element has bits give 0. */
GB_INLINE svbool_t gb_v_live32(const gb_VMask *m, unsigned l, unsigned n) {
    const svbool_t first = gb_v_first32(l, n);
    const uint64_t bits = m->w[l / 64] >> l % 64;
    const svuint32_t lane = svindex_u32(0, 1);
    const svuint32_t low = svlsr_u32_x(first, svdup_u32((uint32_t)bits), lane);
    const svuint32_t high =
        svlsr_u32_x(first, svdup_u32((uint32_t)(bits >> 32)), svsub_n_u32_x(first, lane, 32));
    return svcmpne_n_u32(first, svand_n_u32_x(first, svorr_u32_x(first, low, high), 1), 0);
}
GB_INLINE svbool_t gb_v_live64(const gb_VMask *m, unsigned l, unsigned n) {
    const svbool_t first = gb_v_first64(l, n);
    const svuint64_t bits = svdup_u64(m->w[l / 64] >> l % 64);
    const svuint64_t own = svlsr_u64_x(first, bits, svindex_u64(0, 1));
    return svcmpne_n_u64(first, svand_n_u64_x(first, own, 1), 0);
}

/* Bit k for lane k, of at most 64. */
GB_INLINE uint64_t gb_v_bits64(svbool_t p) {
    return svorv_u64(p, svlsl_u64_x(p, svdup_u64(1), svindex_u64(0, 1)));
}
GB_INLINE uint64_t gb_v_bits32(svbool_t p) {
    const uint64_t half = svcntd();
    return gb_v_bits64(svunpklo_b(p)) |
           svorv_u64(svunpkhi_b(p), svlsl_u64_x(svunpkhi_b(p), svdup_u64(1), svindex_u64(half, 1)));
}

/* -- indexed ----------------------------------------------------------------------------------- */

/* Loads of 4 bytes by addresses of 8 stand in lanes of 8 until they are stored. */
#define GB_V_GATHER_INDEX(lanes)                                                                   \
    for (unsigned l = 0; l < n; l += gb_v_step64()) {                                              \
        const svbool_t here = lanes;                                                               \
        const svuint64_t number = svld1_u64(here, at + l);                                         \
        svst1w_u64(here, to + l, svld1uw_gather_u64index_u64(here, x, number));                    \
    }

#define gb_v_gather_index gb_v_gather_index
GB_INLINE void gb_v_gather_index(uint32_t *restrict to, const uint32_t *x, const uint64_t *at,
                                 unsigned n) {
    GB_V_GATHER_INDEX(gb_v_first64(l, n))
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}

#define gb_v_gather_index_if gb_v_gather_index_if
GB_INLINE void gb_v_gather_index_if(uint32_t *restrict to, const uint32_t *x, const uint64_t *at,
                                    const gb_VMask *m, unsigned n) {
    GB_V_GATHER_INDEX(gb_v_live64(m, l, n))
    GB_VEC_NOTE(GB_VEC_GATHER, n, gb_m_count(m, n), sizeof *to);
}
#undef GB_V_GATHER_INDEX

#define GB_V_GATHER_WIDE(lanes)                                                                    \
    for (unsigned l = 0; l < n; l += gb_v_step64()) {                                              \
        const svbool_t here = lanes;                                                               \
        const svuint64_t number = svld1uw_u64(here, at + l);                                       \
        svst1_u64(here, to + l, svld1_gather_u64index_u64(here, x, number));                       \
    }

#define gb_v_gather_offset_if gb_v_gather_offset_if
GB_INLINE void gb_v_gather_offset_if(uint64_t *restrict to, const uint64_t *x, const uint32_t *at,
                                     const gb_VMask *m, unsigned n) {
    GB_V_GATHER_WIDE(gb_v_live64(m, l, n))
    GB_VEC_NOTE(GB_VEC_GATHER, n, gb_m_count(m, n), sizeof *to);
}

#define gb_v_gather_wide gb_v_gather_wide
GB_INLINE void gb_v_gather_wide(uint64_t *restrict to, const uint64_t *x, const uint32_t *at,
                                unsigned n) {
    GB_V_GATHER_WIDE(gb_v_first64(l, n))
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}
#undef GB_V_GATHER_WIDE

#define GB_V_GATHER_SLOT(lanes)                                                                    \
    for (unsigned l = 0; l < n; l += gb_v_step32()) {                                              \
        const svbool_t here = lanes;                                                               \
        const svuint32_t number = svld1_u32(here, at + l);                                         \
        svst1_u32(here, to + l, svld1_gather_u32index_u32(here, x, number));                       \
    }

#define gb_v_gather_slot gb_v_gather_slot
GB_INLINE void gb_v_gather_slot(uint32_t *restrict to, const uint32_t *x, const uint32_t *at,
                                unsigned n) {
    GB_V_GATHER_SLOT(gb_v_first32(l, n))
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}

#define gb_v_gather_slot_if gb_v_gather_slot_if
GB_INLINE void gb_v_gather_slot_if(uint32_t *restrict to, const uint32_t *x, const uint32_t *at,
                                   const gb_VMask *m, unsigned n) {
    GB_V_GATHER_SLOT(gb_v_live32(m, l, n))
    GB_VEC_NOTE(GB_VEC_GATHER, n, gb_m_count(m, n), sizeof *to);
}
#undef GB_V_GATHER_SLOT

#define gb_v_scatter_slot_if gb_v_scatter_slot_if
GB_INLINE void gb_v_scatter_slot_if(uint32_t *x, const uint32_t *at, const uint32_t *v,
                                    const gb_VMask *m, unsigned n) {
    for (unsigned l = 0; l < n; l += gb_v_step32()) {
        const svbool_t here = gb_v_live32(m, l, n);
        svst1_scatter_u32index_u32(here, x, svld1_u32(here, at + l), svld1_u32(here, v + l));
    }
    GB_VEC_NOTE(GB_VEC_SCATTER, n, gb_m_count(m, n), sizeof *x);
}

#define gb_v_scatter_all gb_v_scatter_all
GB_INLINE void gb_v_scatter_all(uint32_t *x, const uint32_t *at, uint32_t c, unsigned n) {
    for (unsigned l = 0; l < n; l += gb_v_step32()) {
        const svbool_t here = gb_v_first32(l, n);
        svst1_scatter_u32index_u32(here, x, svld1_u32(here, at + l), svdup_u32(c));
    }
    GB_VEC_NOTE(GB_VEC_SCATTER, n, n, sizeof *x);
}

/* -- to masks ---------------------------------------------------------------------------------- */

#define GB_V_COMPARE(size, compare)                                                                \
    gb_m_none(m);                                                                                  \
    for (unsigned l = 0; l < n; l += gb_v_step##size()) {                                          \
        const svbool_t here = gb_v_first##size(l, n);                                              \
        m->w[l / 64] |= gb_v_bits##size(compare) << l % 64;                                        \
    }                                                                                              \
    GB_VEC_NOTE(GB_VEC_MASK, n, n, 0)

#define gb_v_equal gb_v_equal
GB_INLINE void gb_v_equal(gb_VMask *m, const uint32_t *a, const uint32_t *b, unsigned n) {
    GB_V_COMPARE(32, svcmpeq_u32(here, svld1_u32(here, a + l), svld1_u32(here, b + l)));
}

#define gb_v_equal_to gb_v_equal_to
GB_INLINE void gb_v_equal_to(gb_VMask *m, const uint32_t *a, uint32_t c, unsigned n) {
    GB_V_COMPARE(32, svcmpeq_n_u32(here, svld1_u32(here, a + l), c));
}

#define gb_v_below gb_v_below
GB_INLINE void gb_v_below(gb_VMask *m, const uint32_t *a, uint32_t c, unsigned n) {
    GB_V_COMPARE(32, svcmplt_n_u32(here, svld1_u32(here, a + l), c));
}

#define gb_v_equal_wide gb_v_equal_wide
GB_INLINE void gb_v_equal_wide(gb_VMask *m, const uint64_t *a, const uint64_t *b, unsigned n) {
    GB_V_COMPARE(64, svcmpeq_u64(here, svld1_u64(here, a + l), svld1_u64(here, b + l)));
}

#define gb_v_less_wide gb_v_less_wide
GB_INLINE void gb_v_less_wide(gb_VMask *m, const uint64_t *a, const uint64_t *b, unsigned n) {
    GB_V_COMPARE(64, svcmplt_u64(here, svld1_u64(here, a + l), svld1_u64(here, b + l)));
}

#define gb_v_differs_wide gb_v_differs_wide
GB_INLINE void gb_v_differs_wide(gb_VMask *m, const uint64_t *a, const uint64_t *b, unsigned n) {
    GB_V_COMPARE(64, svcmpne_u64(here, svld1_u64(here, a + l), svld1_u64(here, b + l)));
}
#undef GB_V_COMPARE

/* -- by masks ---------------------------------------------------------------------------------- */

#define gb_v_compress gb_v_compress
GB_INLINE unsigned gb_v_compress(uint32_t *to, const uint32_t *from, const gb_VMask *m,
                                 unsigned n) {
    unsigned count = 0;
    for (unsigned l = 0; l < n; l += gb_v_step32()) {
        const svbool_t here = gb_v_live32(m, l, n);
        const unsigned more = (unsigned)svcntp_b32(svptrue_b32(), here);
        svst1_u32(svwhilelt_b32_u32(0, more), to + count,
                  svcompact_u32(here, svld1_u32(here, from + l)));
        count += more;
    }
    GB_VEC_NOTE(GB_VEC_STREAM, n, count, sizeof *to);
    return count;
}

#define gb_v_add_if gb_v_add_if
GB_INLINE void gb_v_add_if(uint32_t *x, uint32_t c, const gb_VMask *m, unsigned n) {
    for (unsigned l = 0; l < n; l += gb_v_step32()) {
        const svbool_t here = gb_v_live32(m, l, n);
        svst1_u32(here, x + l, svadd_n_u32_x(here, svld1_u32(here, x + l), c));
    }
    GB_VEC_NOTE(GB_VEC_ARITH, n, gb_m_count(m, n), 0);
}

#define gb_v_add_wide_if gb_v_add_wide_if
GB_INLINE void gb_v_add_wide_if(uint64_t *x, uint64_t c, const gb_VMask *m, unsigned n) {
    for (unsigned l = 0; l < n; l += gb_v_step64()) {
        const svbool_t here = gb_v_live64(m, l, n);
        svst1_u64(here, x + l, svadd_n_u64_x(here, svld1_u64(here, x + l), c));
    }
    GB_VEC_NOTE(GB_VEC_ARITH, n, gb_m_count(m, n), 0);
}

/* -- of values --------------------------------------------------------------------------------- */

#define gb_v_multiply_fp64 gb_v_multiply_fp64
GB_INLINE void gb_v_multiply_fp64(double *restrict to, const gb_VFactors *f, unsigned n) {
    for (unsigned l = 0; l < n; l += gb_v_step64()) {
        const svbool_t here = gb_v_first64(l, n);
        const svuint64_t p = svand_n_u64_x(here, svld1_u64(here, f->p + l), f->amask);
        const svuint64_t q = svand_n_u64_x(here, svld1_u64(here, f->q + l), f->bmask);
        const svfloat64_t a = svld1_gather_u64index_f64(here, f->a, p);
        svst1_f64(here, to + l, svmul_f64_x(here, a, svld1_gather_u64index_f64(here, f->b, q)));
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}

#define gb_v_accumulate_fp64 gb_v_accumulate_fp64
GB_INLINE void gb_v_accumulate_fp64(double *x, const uint32_t *at, const double *v,
                                    const gb_VMask *live, const gb_VMask *fresh, unsigned n) {
    for (unsigned l = 0; l < n; l += gb_v_step64()) {
        const svbool_t here = gb_v_live64(live, l, n);
        const svbool_t old = svbic_b_z(here, here, gb_v_live64(fresh, l, n));
        const svuint64_t number = svld1uw_u64(here, at + l);
        const svfloat64_t product = svld1_f64(here, v + l);
        const svfloat64_t had = svld1_gather_u64index_f64(old, x, number);
        const svfloat64_t sum = svsel_f64(old, svadd_f64_x(old, had, product), product);
        svst1_scatter_u64index_f64(here, x, number, sum);
    }
    GB_VEC_NOTE(GB_VEC_GATHER, n, gb_m_count(live, n), sizeof *x);
    GB_VEC_NOTE(GB_VEC_FMA, n, gb_m_count(live, n), 0);
    GB_VEC_NOTE(GB_VEC_SCATTER, n, gb_m_count(live, n), sizeof *x);
}

#endif
