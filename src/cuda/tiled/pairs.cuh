/* SPDX-License-Identifier: Apache-2.0
 *
 * The pairs of tiles that make a tile of C (TileSpGEMM, PPoPP '22, section 3.3, algorithm 2): a
 * warp intersects A's row of tiles with B's column of tiles, by ascending inner index. All lanes
 * call; every visit is a barrier.
 *
 * Where one list is much shorter, its entries are searched in the other, 32 at a time, each batch
 * behind the one before, as in the paper. Otherwise the lists are merged: lanes hold 32 entries of
 * each and compare them by shuffles, with one independent load a step.
 */
#ifndef GB_CUDA_TILE_PAIRS_CUH
#define GB_CUDA_TILE_PAIRS_CUH

#include "cuda/tiled/tiled.cuh"

struct gb_TileList {
    const gb_Idx *key; /* ascending */
    unsigned n;
};

/* Calls visit(position in a, position in b) for each key that both have. */
template <class Visit>
GB_DEVICE void gb_search_keys(const gb_TileList &a, const gb_TileList &b, Visit visit) {
    unsigned low = 0;
    for (unsigned base = 0; base < a.n && low < b.n; base += GB_WARP) {
        const unsigned e = base + gb_lane();
        const gb_Idx key = e < a.n ? a.key[e] : GB_NO_TILE;
        const unsigned at = (unsigned)gb_lower_bound(b.key, low, b.n, key);
        const bool found = e < a.n && at < b.n && b.key[at] == key;
        unsigned hits = __ballot_sync(GB_ALL_LANES, found);
        for (; hits != 0; hits &= hits - 1) {
            const int lane = __ffs((int)hits) - 1;
            visit(base + (unsigned)lane, __shfl_sync(GB_ALL_LANES, at, lane));
        }
        low = __shfl_sync(GB_ALL_LANES, at, GB_WARP - 1);
    }
}

GB_DEVICE unsigned gb_at_most_a_warp(unsigned n) {
    return n < GB_WARP ? n : (unsigned)GB_WARP;
}

template <class Visit>
GB_DEVICE void gb_merge_keys(const gb_TileList &a, const gb_TileList &b, Visit visit) {
    unsigned pa = 0, pb = 0;
    while (pa < a.n && pb < b.n) {
        const unsigned na = gb_at_most_a_warp(a.n - pa);
        const unsigned nb = gb_at_most_a_warp(b.n - pb);
        const gb_Idx mine = gb_lane() < na ? a.key[pa + gb_lane()] : GB_NO_TILE;
        const gb_Idx theirs = gb_lane() < nb ? b.key[pb + gb_lane()] : GB_NO_TILE;
        unsigned at = 0;
        for (unsigned step = GB_WARP / 2; step > 0; step /= 2) {
            const gb_Idx seen = __shfl_sync(GB_ALL_LANES, theirs, (int)(at + step - 1));
            if (seen < mine) at += step;
        }
        const gb_Idx seen = __shfl_sync(GB_ALL_LANES, theirs, (int)at);
        unsigned hits = __ballot_sync(GB_ALL_LANES, gb_lane() < na && seen == mine);
        for (; hits != 0; hits &= hits - 1) {
            const int lane = __ffs((int)hits) - 1;
            visit(pa + (unsigned)lane, pb + __shfl_sync(GB_ALL_LANES, at, lane));
        }
        const gb_Idx last_a = __shfl_sync(GB_ALL_LANES, mine, (int)na - 1);
        const gb_Idx last_b = __shfl_sync(GB_ALL_LANES, theirs, (int)nb - 1);
        if (last_a <= last_b) pa += na;
        if (last_b <= last_a) pb += nb;
    }
}

/* Whether merging takes fewer loads, one after the other, than searching the shorter list. */
GB_DEVICE bool gb_merges(unsigned shorter, unsigned longer) {
    const unsigned steps = (shorter + longer) / GB_WARP, bits = 32u - (unsigned)__clz((int)longer);
    return steps <= (shorter / GB_WARP + 1) * bits / 2;
}

/* Calls visit(tile of A, tile of B) for every pair of row I of tiles and column J of tiles. */
template <class Visit>
GB_DEVICE void gb_each_pair(const gb_TileFactor &A, const gb_TileFactor &B, gb_Idx I, gb_Idx J,
                            Visit visit) {
    const gb_Off a0 = A.p[I], b0 = B.cp[J];
    const gb_TileList a = {A.i + a0, (unsigned)(A.p[I + 1] - a0)};
    const gb_TileList b = {B.crow + b0, (unsigned)(B.cp[J + 1] - b0)};
    const auto both = [&](unsigned pa, unsigned pb) { visit(a0 + pa, (gb_Off)B.ctile[b0 + pb]); };
    if (gb_merges(a.n < b.n ? a.n : b.n, a.n < b.n ? b.n : a.n))
        gb_merge_keys(a, b, both);
    else if (a.n <= b.n)
        gb_search_keys(a, b, both);
    else
        gb_search_keys(b, a, [&](unsigned pb, unsigned pa) { both(pa, pb); });
}

#endif
