/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of veclayer.h that no set has defined, as loops over lanes.
 */
#ifndef GB_CPU_SIMD_VECLAYER_PLAIN_H
#define GB_CPU_SIMD_VECLAYER_PLAIN_H

#ifndef GB_CPU_SIMD_VECLAYER_H
#error "include cpu/simd/veclayer.h"
#endif

/* Lanes of the mask, ascending. */
#define GB_V_EACH(l, m, n)                                                                         \
    for (unsigned gb_k = 0; gb_k < gb_m_words(n); gb_k++)                                          \
        for (uint64_t gb_bits = (m)->w[gb_k]; gb_bits != 0; gb_bits &= gb_bits - 1)                \
            for (unsigned l = 64 * gb_k + (unsigned)__builtin_ctzll(gb_bits), gb_once = 1;         \
                 gb_once != 0; gb_once = 0)

/* A mask of what `condition` says of each lane l. */
#define GB_V_MASK(m, l, n, condition)                                                              \
    for (unsigned gb_k = 0; gb_k < gb_m_words(n); gb_k++) {                                        \
        const unsigned gb_end = (n) < 64 * gb_k + 64 ? (n) : 64 * gb_k + 64;                       \
        uint64_t gb_bits = 0;                                                                      \
        for (unsigned l = 64 * gb_k; l < gb_end; l++)                                              \
            gb_bits |= (uint64_t)(condition) << (l % 64);                                          \
        (m)->w[gb_k] = gb_bits;                                                                    \
    }                                                                                              \
    GB_VEC_NOTE(GB_VEC_MASK, n, n, 0)

/* Operations of one shape: gathers of all lanes or a mask's, comparisons with b or with one c. */
#define GB_V_GATHER(name, T, N)                                                                    \
    GB_INLINE void name(T *restrict to, const T *x, const N *at, unsigned n) {                     \
        for (unsigned l = 0; l < n; l++) to[l] = x[at[l]];                                         \
        GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);                                              \
    }
#define GB_V_GATHER_IF(name, T, N)                                                                 \
    GB_INLINE void name(T *restrict to, const T *x, const N *at, const gb_VMask *m, unsigned n) {  \
        GB_V_EACH(l, m, n) to[l] = x[at[l]];                                                       \
        GB_VEC_NOTE(GB_VEC_GATHER, n, gb_m_count(m, n), sizeof *to);                               \
    }
#define GB_V_WITH(name, T, op)                                                                     \
    GB_INLINE void name(gb_VMask *m, const T *a, const T *b, unsigned n) {                         \
        GB_V_MASK(m, l, n, a[l] op b[l]);                                                          \
    }
#define GB_V_WITH_ONE(name, op)                                                                    \
    GB_INLINE void name(gb_VMask *m, const uint32_t *a, uint32_t c, unsigned n) {                  \
        GB_V_MASK(m, l, n, a[l] op c);                                                             \
    }

#ifndef gb_v_gather_index
GB_V_GATHER(gb_v_gather_index, uint32_t, uint64_t)
#endif
#ifndef gb_v_gather_index_if
GB_V_GATHER_IF(gb_v_gather_index_if, uint32_t, uint64_t)
#endif
#ifndef gb_v_gather_offset_if
GB_V_GATHER_IF(gb_v_gather_offset_if, uint64_t, uint32_t)
#endif
#ifndef gb_v_gather_slot
GB_V_GATHER(gb_v_gather_slot, uint32_t, uint32_t)
#endif
#ifndef gb_v_gather_slot_if
GB_V_GATHER_IF(gb_v_gather_slot_if, uint32_t, uint32_t)
#endif

#ifndef gb_v_scatter_slot_if
GB_INLINE void gb_v_scatter_slot_if(uint32_t *x, const uint32_t *at, const uint32_t *v,
                                    const gb_VMask *m, unsigned n) {
    GB_V_EACH(l, m, n) x[at[l]] = v[l];
    GB_VEC_NOTE(GB_VEC_SCATTER, n, gb_m_count(m, n), sizeof *x);
}
#endif

#ifndef gb_v_scatter_all
GB_INLINE void gb_v_scatter_all(uint32_t *x, const uint32_t *at, uint32_t c, unsigned n) {
    for (unsigned l = 0; l < n; l++) x[at[l]] = c;
    GB_VEC_NOTE(GB_VEC_SCATTER, n, n, sizeof *x);
}
#endif

#ifndef gb_v_gather_wide
GB_V_GATHER(gb_v_gather_wide, uint64_t, uint32_t)
#endif
#ifndef gb_v_equal
GB_V_WITH(gb_v_equal, uint32_t, ==)
#endif
#ifndef gb_v_equal_to
GB_V_WITH_ONE(gb_v_equal_to, ==)
#endif
#ifndef gb_v_below
GB_V_WITH_ONE(gb_v_below, <)
#endif
#ifndef gb_v_equal_wide
GB_V_WITH(gb_v_equal_wide, uint64_t, ==)
#endif
#ifndef gb_v_less_wide
GB_V_WITH(gb_v_less_wide, uint64_t, <)
#endif
#ifndef gb_v_differs_wide
GB_V_WITH(gb_v_differs_wide, uint64_t, !=)
#endif

#ifndef gb_v_compress
GB_INLINE unsigned gb_v_compress(uint32_t *to, const uint32_t *from, const gb_VMask *m,
                                 unsigned n) {
    unsigned count = 0;
    GB_V_EACH(l, m, n) to[count++] = from[l];
    GB_VEC_NOTE(GB_VEC_STREAM, n, count, sizeof *to);
    return count;
}
#endif

#ifndef gb_v_list_used
GB_INLINE unsigned gb_v_list_used(uint32_t *restrict to, uint32_t *restrict number,
                                  const uint32_t *x, uint32_t c, uint32_t first, unsigned n) {
    unsigned count = 0;
    for (unsigned l = 0; l < n; l++) {
        if (x[l] == c) continue;
        to[count] = x[l];
        number[count++] = first + l;
    }
    GB_VEC_NOTE(GB_VEC_STREAM, n, n, sizeof *to);
    GB_VEC_NOTE(GB_VEC_MASK, n, n, 0);
    GB_VEC_NOTE(GB_VEC_STREAM, n, count, sizeof *to);
    GB_VEC_NOTE(GB_VEC_STREAM, n, count, sizeof *number);
    return count;
}
#endif

#ifndef gb_v_add_if
GB_INLINE void gb_v_add_if(uint32_t *x, uint32_t c, const gb_VMask *m, unsigned n) {
    GB_V_EACH(l, m, n) x[l] += c;
    GB_VEC_NOTE(GB_VEC_ARITH, n, gb_m_count(m, n), 0);
}
#endif

#ifndef gb_v_add_wide_if
GB_INLINE void gb_v_add_wide_if(uint64_t *x, uint64_t c, const gb_VMask *m, unsigned n) {
    GB_V_EACH(l, m, n) x[l] += c;
    GB_VEC_NOTE(GB_VEC_ARITH, n, gb_m_count(m, n), 0);
}
#endif

#ifndef gb_v_multiply_fp64
GB_INLINE void gb_v_multiply_fp64(double *restrict to, const gb_VFactors *f, unsigned n) {
    for (unsigned l = 0; l < n; l++) to[l] = f->a[f->p[l] & f->amask] * f->b[f->q[l] & f->bmask];
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
    GB_VEC_NOTE(GB_VEC_GATHER, n, n, sizeof *to);
}
#endif

#ifndef gb_v_accumulate_fp64
GB_INLINE void gb_v_accumulate_fp64(double *x, const uint32_t *at, const double *v,
                                    const gb_VMask *live, const gb_VMask *fresh, unsigned n) {
    GB_V_EACH(l, live, n) x[at[l]] = gb_m_test(fresh, l) ? v[l] : x[at[l]] + v[l];
    GB_VEC_NOTE(GB_VEC_GATHER, n, gb_m_count(live, n), sizeof *x);
    GB_VEC_NOTE(GB_VEC_FMA, n, gb_m_count(live, n), 0);
    GB_VEC_NOTE(GB_VEC_SCATTER, n, gb_m_count(live, n), sizeof *x);
}
#endif

#undef GB_V_GATHER
#undef GB_V_GATHER_IF
#undef GB_V_WITH
#undef GB_V_WITH_ONE

#endif
