/* SPDX-License-Identifier: Apache-2.0
 *
 * The hash accumulator: columns of a row in a table with linear probing, values in a parallel
 * array. Slots hold a column or GB_NO_COLUMN. A row that exceeds the table's limit or its capacity
 * stops early and is recorded as overflowed.
 *
 * Entries leave in order: bits of near columns say the position of each, O(slots + width / 32) /
 * threads; others are sorted in the table, O(n log(n)^2) / threads. Before: O(products + slots).
 */
#pragma once

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

/* A table whose row is whole: each thread holds the columns of SLOTS slots, so that the table's
 * memory is free to find the position of each. */
template <int SLOTS, class Team, class Values> struct gb_HashRow {
    const Team &team;
    const gb_HashTable &table;
    const gb_RowTask &task;
    const gb_RowsOut &out;
    const Values &values;
    const uint64_t begin; /* of the row in `out` */
    gb_Idx held[SLOTS];

    GB_MEMBER void hold() {
        GB_UNROLL
        for (int k = 0; k < SLOTS; k++) {
            const unsigned slot = team.rank() + (unsigned)k * team.size();
            held[k] = GB_NO_COLUMN;
            if (slot < table.slots) held[k] = table.column[slot];
        }
        team.sync();
    }
    GB_MEMBER void write(uint64_t position, int k) const {
        const uint64_t place = begin + position;
        out.i[place] = held[k];
        values.emit(out.x, place, team.rank() + (unsigned)k * team.size());
    }
    /* Positions by bits of the row's columns, window after window. */
    GB_MEMBER void rank_by_bits() const {
        const unsigned words = table.slots / 2;
        const gb_Bits bits = {table.column, table.column + words, words};
        unsigned before = 0;
        for (gb_Idx first = 0;; first += bits.columns()) {
            bits.clear(team);
            team.sync();
            GB_UNROLL
            for (int k = 0; k < SLOTS; k++) {
                const gb_Idx c = held[k] - task.low - first;
                if (held[k] != GB_NO_COLUMN && c < bits.columns()) bits.set(c);
            }
            team.sync();
            const unsigned n = bits.count(team, true);
            GB_UNROLL
            for (int k = 0; k < SLOTS; k++) {
                const gb_Idx c = held[k] - task.low - first;
                if (held[k] != GB_NO_COLUMN && c < bits.columns()) write(before + bits.rank(c), k);
            }
            before += n;
            if (task.width - first <= bits.columns()) return;
            team.sync(); /* the bits may be cleared */
        }
    }
    /* Positions by a search in the sorted columns. */
    GB_MEMBER void rank_by_sorting() const {
        unsigned mine = 0, n, step = 1;
        GB_UNROLL
        for (int k = 0; k < SLOTS; k++) mine += held[k] != GB_NO_COLUMN;
        unsigned at = team.scan(mine, &n);
        GB_UNROLL
        for (int k = 0; k < SLOTS; k++)
            if (held[k] != GB_NO_COLUMN) table.column[at++] = held[k];
        team.sync();
        gb_team_sort(team, table.column, n);
        while (2 * step <= n) step *= 2;
        GB_UNROLL
        for (int k = 0; k < SLOTS; k++) {
            unsigned position = 0;
            if (held[k] == GB_NO_COLUMN) continue;
            for (unsigned s = step; s > 0; s /= 2)
                if (position + s <= n && table.column[position + s - 1] < held[k]) position += s;
            write(position, k);
        }
    }
};

/* A row by a team. */
template <int SLOTS, class Team, class Values>
GB_DEVICE void gb_hash_row(const gb_Factors &F, const Team &team, const gb_RowTask &task,
                           const gb_RowsOut &out, gb_HashTable table, const Values &values) {
    const uint64_t begin = SLOTS > 0 ? out.at[task.index] : 0;
    const uint64_t capacity = SLOTS > 0 ? out.at[task.index + 1] - begin : table.limit;
    if (capacity < table.limit) table.limit = (unsigned)capacity;
    const bool fits = gb_hash_fill(F, team, task, table, values);
    if (!fits && team.rank() == 0) gb_out_overflow(out, task);
    if (fits && team.rank() == 0) out.count[task.index] = table.used[0];
    if constexpr (SLOTS > 0) {
        gb_HashRow<SLOTS, Team, Values> row = {team, table, task, out, values, begin, {}};
        row.hold();
        if (fits && task.width <= GB_CUDA_RANK_WINDOWS * (table.slots / 2) * 32)
            row.rank_by_bits();
        else if (fits)
            row.rank_by_sorting();
    }
    team.sync();
}
