/* SPDX-License-Identifier: Apache-2.0
 *
 * The dense accumulator: a value and a bit for every column of a row, in shared memory. Entries
 * come out in ascending order. Cost: O(products + width) / threads.
 */
#ifndef GB_CUDA_ACCUM_DENSE_CUH
#define GB_CUDA_ACCUM_DENSE_CUH

#include "cuda/rowwise/bits.cuh"
#include "cuda/rowwise/rows.cuh"

/* A row by a team; the bits have all of its columns. query: see gb_Bits::find_or_set. */
template <class Team, class Values>
GB_DEVICE void gb_dense_row(const gb_Factors &F, const Team &team, const gb_RowTask &task,
                            const gb_RowsOut &out, const gb_Bits &bits, bool query,
                            const Values &values) {
    const bool emits = out.x != NULL;
    for (unsigned c = team.rank(); c < task.width; c += team.size()) values.clear(c);
    bits.clear(team);
    team.sync();
    gb_each_product(
        F, team, task, values,
        [&](typename Values::Left a, typename Values::Right b, gb_Idx k, gb_Idx j) {
            const unsigned c = j - task.low;
            values.add(c, a, b, k);
            if (query)
                bits.find_or_set(c);
            else
                bits.set(c);
        },
        []() { return true; });
    team.sync();
    const unsigned n = bits.count(team, emits);
    const uint64_t begin = emits ? out.at[task.index] : 0;
    if (emits && n > out.at[task.index + 1] - begin) {
        if (team.rank() == 0) gb_out_overflow(out, task);
        team.sync();
        return;
    }
    if (team.rank() == 0) out.count[task.index] = n;
    for (unsigned c = team.rank(); emits && c < task.width; c += team.size()) {
        if (!bits.has(c)) continue;
        const uint64_t place = begin + bits.rank(c);
        out.i[place] = task.low + c;
        values.emit(out.x, place, c);
    }
    team.sync();
}

#endif
