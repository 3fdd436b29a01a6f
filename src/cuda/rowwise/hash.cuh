/* SPDX-License-Identifier: Apache-2.0
 *
 * The hash accumulator: columns of a row in a table with linear probing, values in a parallel
 * array; entries are unsorted, and rowwise/place.cu sorts them. Slots hold a column or
 * GB_NO_COLUMN. A row that exceeds the table's limit or its capacity stops early and is recorded as
 * overflowed. Cost: O(products + slots) / threads.
 */
#ifndef GB_CUDA_ACCUM_HASH_CUH
#define GB_CUDA_ACCUM_HASH_CUH

#include "cuda/rowwise/rows.cuh"

#define GB_NO_COLUMN 0xffffffffu /* a matrix has at most 2^32 - 1 columns */

struct gb_HashTable {
    gb_shared<gb_Idx> column; /* [slots] */
    gb_shared<unsigned> used; /* [1] columns in the table, more than limit: overflow */
    unsigned slots, limit;
};

/* The slot of column j, which is inserted when it is new; slots when the table is full, or so full
 * that the row does not fit anyway, which a long probe makes likely. */
GB_DEVICE unsigned gb_hash_insert(const gb_HashTable &table, gb_Idx j) {
    unsigned slot = __umulhi(j * 0x9E3779B1u, table.slots);
    for (unsigned tries = 0; tries < table.slots; tries++) {
        gb_Idx old = gb_peek(&table.column[slot]);
        if (old == GB_NO_COLUMN) {
            old = atomicCAS(&table.column[slot], GB_NO_COLUMN, j);
            if (old == GB_NO_COLUMN) atomicAdd(&table.used[0], 1u);
        }
        if (old == GB_NO_COLUMN || old == j) return slot;
        if (++slot == table.slots) slot = 0;
        if (tries % GB_CUDA_LONG_PROBE == GB_CUDA_LONG_PROBE - 1 &&
            gb_peek(&table.used[0]) > table.limit)
            break;
    }
    return table.slots;
}

/* All products of a row into the table and its values. False when the row does not fit. */
template <class Team, class Values>
GB_DEVICE bool gb_hash_fill(const gb_Factors &F, const Team &team, const gb_RowTask &task,
                            const gb_HashTable &table, const Values &values) {
    for (unsigned s = team.rank(); s < table.slots; s += team.size()) {
        table.column[s] = GB_NO_COLUMN;
        values.clear(s);
    }
    if (team.rank() == 0) table.used[0] = 0u;
    team.sync();
    gb_each_product(
        F, team, task, values,
        [&](typename Values::Left a, typename Values::Right b, gb_Idx k, gb_Idx j) {
            const unsigned slot = gb_hash_insert(table, j);
            if (slot < table.slots) values.add(slot, a, b, k);
        },
        [&]() { return gb_peek(&table.used[0]) <= table.limit; });
    team.sync();
    return table.used[0] <= table.limit;
}

/* A row by a team. */
template <class Team, class Values>
GB_DEVICE void gb_hash_row(const gb_Factors &F, const Team &team, const gb_RowTask &task,
                           const gb_RowsOut &out, gb_HashTable table, const Values &values) {
    const uint64_t begin = out.x != NULL ? out.at[task.index] : 0;
    const uint64_t capacity = out.x != NULL ? out.at[task.index + 1] - begin : table.limit;
    if (capacity < table.limit) table.limit = (unsigned)capacity;
    const bool fits = gb_hash_fill(F, team, task, table, values);
    const unsigned n = table.used[0];
    if (!fits) {
        if (team.rank() == 0) gb_out_overflow(out, task);
        team.sync();
        return;
    }
    if (team.rank() == 0) out.count[task.index] = n;
    team.sync(); /* all have read the count, which now becomes the number of entries written */
    if (out.x != NULL) {
        if (team.rank() == 0) table.used[0] = 0u;
        team.sync();
        for (unsigned s = team.rank(); s < table.slots; s += team.size()) {
            const gb_Idx j = table.column[s];
            if (j == GB_NO_COLUMN) continue;
            const uint64_t place = begin + atomicAdd(&table.used[0], 1u);
            out.i[place] = j;
            values.emit(out.x, place, s);
        }
    }
    team.sync();
}

#endif
