/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of simd.h with SVE, for registers of any length: what is known only when the
 * program runs cannot be a type of C, so gb_Lanes32 and GB_REGISTER are as NEON has them, and what
 * works on memory goes through it in steps of the length that there is. Masks come from numbers, a
 * lane l has bit l. What becomes a number again is left to NEON.
 */
#pragma once

#include <arm_sve.h>

#define GB_HAS_COMPRESS 1

/* Of lanes [from, from + svcntw()) those in the mask, whose bits beyond the 16th are 0. */
GB_OP svbool_t gb_lanes_of(unsigned mask, unsigned from) {
    const svbool_t all = svptrue_b32();
    const svuint32_t bit = svlsr_u32_x(all, svdup_u32(mask), svindex_u32(from, 1));
    return svcmpne_n_u32(all, svand_n_u32_x(all, bit, 1), 0);
}

GB_OP svbool_t gb_wide_lanes_of(unsigned mask, unsigned from) {
    const svbool_t all = svptrue_b64();
    const svuint64_t bit = svlsr_u64_x(all, svdup_u64(mask), svindex_u64(from, 1));
    return svcmpne_n_u64(all, svand_n_u64_x(all, bit, 1), 0);
}

GB_OP unsigned gb_least_lanes(unsigned n) {
    return n < GB_LANES ? n : (unsigned)GB_LANES;
}

/* -- memory ------------------------------------------------------------------------------------ */

#define gb_load_first32 gb_load_first32
GB_OP gb_Lanes32 gb_load_first32(const void *p, unsigned n) {
    const unsigned step = (unsigned)svcntw(), first = gb_least_lanes(n);
    gb_Lanes32 v;
    for (unsigned l = 0; l < GB_LANES; l += step)
        svst1_u32(svwhilelt_b32_u32(l, GB_LANES), (uint32_t *)&v + l,
                  svld1_u32(svwhilelt_b32_u32(l, first), (const uint32_t *)p + l));
    return v;
}

#define gb_store_first32 gb_store_first32
GB_OP void gb_store_first32(void *p, gb_Lanes32 v, unsigned n) {
    const unsigned step = (unsigned)svcntw(), first = gb_least_lanes(n);
    for (unsigned l = 0; l < first; l += step) {
        const svbool_t here = svwhilelt_b32_u32(l, first);
        svst1_u32(here, (uint32_t *)p + l, svld1_u32(here, (const uint32_t *)&v + l));
    }
}

/* -- by masks and numbers of lanes ------------------------------------------------------------- */

/* The first lanes of v, as many as `packed` has, to to[0], to[1], ... */
GB_OP unsigned gb_store_packed32(uint32_t *to, svuint32_t v, svbool_t lanes) {
    const unsigned n = (unsigned)svcntp_b32(svptrue_b32(), lanes);
    svst1_u32(svwhilelt_b32_u32(0, n), to, svcompact_u32(lanes, v));
    return n;
}

#define gb_pack32 gb_pack32
GB_OP unsigned gb_pack32(uint32_t *to, const uint32_t *from, unsigned mask) {
    const unsigned step = (unsigned)svcntw();
    unsigned n = 0;
    for (unsigned l = 0; l < GB_LANES; l += step) {
        const svbool_t lanes = gb_lanes_of(mask, l);
        n += gb_store_packed32(to + n, svld1_u32(lanes, from + l), lanes);
    }
    return n;
}

#define gb_pack64 gb_pack64
GB_OP unsigned gb_pack64(uint64_t *to, const uint64_t *from, unsigned mask) {
    const unsigned step = (unsigned)svcntd();
    unsigned n = 0;
    for (unsigned l = 0; l < GB_LANES; l += step) {
        const svbool_t lanes = gb_wide_lanes_of(mask, l);
        const unsigned here = (unsigned)svcntp_b64(svptrue_b64(), lanes);
        svst1_u64(svwhilelt_b64_u32(0, here), to + n,
                  svcompact_u64(lanes, svld1_u64(lanes, from + l)));
        n += here;
    }
    return n;
}

#define gb_pack_numbers gb_pack_numbers
GB_OP unsigned gb_pack_numbers(uint32_t *to, uint32_t x, unsigned mask) {
    const unsigned step = (unsigned)svcntw();
    unsigned n = 0;
    for (unsigned l = 0; l < GB_LANES; l += step)
        n += gb_store_packed32(to + n, svindex_u32(x + l, 1), gb_lanes_of(mask, l));
    return n;
}

#define gb_compress32 gb_compress32
GB_OP gb_Lanes32 gb_compress32(gb_Lanes32 v, unsigned mask) {
    gb_Lanes32 packed = {0};
    gb_pack32((uint32_t *)&packed, (const uint32_t *)&v, mask);
    return packed;
}

#define gb_gather_first gb_gather_first
GB_OP void gb_gather_first(void *to, const void *x, gb_Lanes32 at, unsigned n, size_t size) {
    const unsigned step = (unsigned)(size == 4 ? svcntw() : svcntd()), first = gb_least_lanes(n);
    const uint32_t *number = (const uint32_t *)&at;
    for (unsigned l = 0; l < first; l += step) {
        if (size == 4) {
            const svbool_t here = svwhilelt_b32_u32(l, first);
            const svuint32_t v = svld1_gather_u32index_u32(here, x, svld1_u32(here, number + l));
            svst1_u32(here, (uint32_t *)to + l, v);
        } else {
            const svbool_t here = svwhilelt_b64_u32(l, first);
            const svuint64_t v = svld1_gather_u64index_u64(here, x, svld1uw_u64(here, number + l));
            svst1_u64(here, (uint64_t *)to + l, v);
        }
    }
}

#define gb_gather32 gb_gather32
GB_OP void gb_gather32(uint32_t *to, const uint32_t *x, const uint32_t *at, unsigned mask) {
    for (unsigned l = 0; l < GB_LANES; l += (unsigned)svcntw()) {
        const svbool_t lanes = gb_lanes_of(mask, l);
        const svuint32_t number = svld1_u32(lanes, at + l);
        svst1_u32(lanes, to + l, svld1_gather_u32index_u32(lanes, x, number));
    }
}

#define gb_scatter32 gb_scatter32
GB_OP void gb_scatter32(uint32_t *x, const uint32_t *at, const uint32_t *v, unsigned mask) {
    for (unsigned l = 0; l < GB_LANES; l += (unsigned)svcntw()) {
        const svbool_t lanes = gb_lanes_of(mask, l);
        svst1_scatter_u32index_u32(lanes, x, svld1_u32(lanes, at + l), svld1_u32(lanes, v + l));
    }
}

/* -- rows of bits ------------------------------------------------------------------------------ */

#define gb_and_count gb_and_count
static inline uint64_t gb_and_count(const uint64_t *a, const uint64_t *b, uint64_t blocks) {
    const uint64_t n = 8 * blocks, step = svcntd();
    svuint64_t sum = svdup_u64(0);
    for (uint64_t k = 0; k < n; k += step) {
        const svbool_t here = svwhilelt_b64_u64(k, n);
        const svuint64_t both = svand_u64_x(here, svld1_u64(here, a + k), svld1_u64(here, b + k));
        sum = svadd_u64_m(here, sum, svcnt_u64_x(here, both));
    }
    return svaddv_u64(svptrue_b64(), sum);
}

#define gb_and_words gb_and_words
static inline uint64_t gb_and_words(const uint64_t *b, uint32_t base, uint32_t end, gb_Words w,
                                    uint64_t n) {
    const uint64_t step = svcntd();
    svuint64_t sum = svdup_u64(0);
    for (uint64_t k = 0; k < n; k += step) {
        const svbool_t here = svwhilelt_b64_u64(k, n);
        const svuint64_t number = svld1uw_u64(here, w.number + k);
        const svbool_t below = svcmplt_n_u64(here, number, end);
        const svbool_t in = svcmpge_n_u64(below, number, base);
        const svuint64_t at = svsub_n_u64_x(in, number, base);
        const svuint64_t x = svld1_gather_u64index_u64(in, b, at);
        const svuint64_t both = svand_u64_x(in, x, svld1_u64(in, w.bits + k));
        sum = svadd_u64_m(in, sum, svcnt_u64_x(in, both));
        if (svcntp_b64(here, below) < step) break;
    }
    return svaddv_u64(svptrue_b64(), sum);
}

#define gb_count_marked gb_count_marked
GB_OP uint64_t gb_count_marked(const uint8_t *mark, const uint32_t *i, uint64_t n) {
    const uint64_t step = svcntw();
    svuint32_t sum = svdup_u32(0);
    for (uint64_t k = 0; k < n; k += step) {
        const svbool_t here = svwhilelt_b32_u64(k, n);
        const svuint32_t at = svld1_u32(here, i + k);
        sum = svadd_u32_m(here, sum, svld1ub_gather_u32offset_u32(here, mark, at));
    }
    return svaddv_u32(svptrue_b32(), sum);
}

#define gb_raise_marked gb_raise_marked
GB_OP void gb_raise_marked(uint32_t *mark, const uint32_t *i, uint64_t n) {
    const uint64_t step = svcntw();
    for (uint64_t k = 0; k < n; k += step) {
        const svbool_t here = svwhilelt_b32_u64(k, n);
        const svuint32_t at = svld1_u32(here, i + k);
        const svuint32_t x = svld1_gather_u32index_u32(here, mark, at);
        const svbool_t marked = svcmpne_n_u32(here, x, 0);
        svst1_scatter_u32index_u32(marked, mark, at, svadd_n_u32_x(marked, x, 1));
    }
}
