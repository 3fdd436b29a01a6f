/* SPDX-License-Identifier: Apache-2.0
 *
 * The expand-sort-compress accumulator, for rows of few products: they are listed, sorted by a
 * network in registers, and neighbours of one column summed by ascending k. LANES lanes (16 or 32)
 * do a row of at most 2 * LANES products; the halves of a warp do a row each.
 *
 * A key is (column - low) << GB_ESC_BITS | number of the product: keys differ, and a row must be
 * narrower than 2^26 columns. Values wait in shared memory under their numbers.
 */
#ifndef GB_CUDA_ACCUM_ESC_CUH
#define GB_CUDA_ACCUM_ESC_CUH

#include "cuda/rowwise/rows.cuh"

#define GB_ESC_NONE 0xffffffffu /* no product; sorts behind all of them */

template <class Ring> struct gb_EscRow {
    gb_shared<unsigned> key;               /* [LANES * ITEMS] */
    gb_shared<typename Ring::Value> value; /* [LANES * ITEMS] */
};

/* Expands the products of a row; all lanes of the warp call, also those without a row (from == to).
 * A lane takes one entry of A at a time, in round robin; returns the number of products. */
template <class Ring, int LANES>
static __device__ unsigned gb_esc_expand(const gb_Factors &F, const gb_RowTask &task, gb_Off from,
                                         gb_Off to, const gb_EscRow<Ring> &r) {
    typedef typename Ring::Value Value;
    const unsigned lane = gb_lane() % LANES;
    const unsigned turns = (unsigned)((to - from + LANES - 1) / LANES);
    const unsigned most = gb_warp_max(turns); /* the halves of a warp go on together */
    unsigned n = 0;
    for (unsigned turn = 0; turn < most; turn++) {
        const gb_Off p = from + (gb_Off)turn * LANES + lane;
        const bool has = p < to;
        const gb_Idx k = has ? F.Ai[p] : 0;
        const gb_Off begin = has ? F.Bp[k] : 0, end = has ? F.Bp[k + (uint64_t)1] : 0;
        unsigned total;
        unsigned at = n + gb_warp_scan<LANES>((unsigned)(end - begin), &total);
        Value a = Value(), b = Value();
        if (Ring::USES_A && has) a = static_cast<const Value *>(F.Ax)[p & F.amask];
        for (gb_Off q = begin; q < end; q++, at++) {
            const gb_Idx j = F.Bi[q];
            if (Ring::USES_B) b = static_cast<const Value *>(F.Bx)[q & F.bmask];
            r.key[at] =
                gb_allowed(F, task.row, j) ? (j - task.low) << GB_ESC_BITS | at : GB_ESC_NONE;
            r.value[at] = Ring::multiply(a, b, k);
        }
        n += total;
    }
    return n;
}

/* Sorts and sums; lanes of a row that exceeds the capacity, or without a row, have n = 0. Returns
 * the row's entries. */
template <class Ring, int LANES>
static __device__ unsigned gb_esc_compress(const gb_EscRow<Ring> &r, unsigned n, gb_Idx low,
                                           gb_Idx *Ci, void *Cx) {
    typedef typename Ring::Value Value;
    const unsigned lane = gb_lane() % LANES;
    unsigned key[GB_ESC_ITEMS];
    __syncwarp(); /* all products are written down */
    for (int item = 0; item < GB_ESC_ITEMS; item++) {
        const unsigned e = (unsigned)item * LANES + lane;
        key[item] = e < n ? (unsigned)r.key[e] : GB_ESC_NONE;
    }
    gb_warp_sort<unsigned, LANES, GB_ESC_ITEMS>(key);
    __syncwarp(); /* all have read their keys */
    for (int item = 0; item < GB_ESC_ITEMS; item++)
        r.key[(unsigned)item * LANES + lane] = key[item];
    __syncwarp();
    unsigned written = 0;
    for (int item = 0; item < GB_ESC_ITEMS; item++) {
        const unsigned e = (unsigned)item * LANES + lane, column = key[item] >> GB_ESC_BITS;
        const bool head =
            key[item] != GB_ESC_NONE && (e == 0 || (unsigned)r.key[e - 1] >> GB_ESC_BITS != column);
        unsigned total;
        const unsigned place = written + gb_warp_scan<LANES>(head ? 1u : 0u, &total);
        written += total;
        if (!head) continue;
        const unsigned number = (1u << GB_ESC_BITS) - 1;
        Value sum = r.value[key[item] & number];
        for (unsigned f = e + 1; f < n; f++) {
            const unsigned next = r.key[f];
            if (next == GB_ESC_NONE || next >> GB_ESC_BITS != column) break;
            sum = Ring::add(sum, r.value[next & number]);
        }
        Ci[place] = low + column;
        static_cast<Value *>(Cx)[place] = sum;
    }
    return written;
}

#endif
