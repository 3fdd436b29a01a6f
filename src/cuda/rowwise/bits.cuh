/* SPDX-License-Identifier: Apache-2.0
 *
 * Bits of columns in shared memory, and what they say in order: how many columns there are, and how
 * many before each. Windows of dense rows, rows whose values lie in C, and hash tables rank their
 * columns by them. O(words / threads) and O(1) a column.
 */
#ifndef GB_CUDA_BITS_CUH
#define GB_CUDA_BITS_CUH

#include "cuda/prim/team.cuh"

struct gb_Bits {
    gb_shared<unsigned> word;   /* [words] */
    gb_shared<unsigned> before; /* [words] bits before each word, once they have been counted */
    unsigned words;

    GB_MEMBER unsigned columns() const {
        return words * 32;
    }
    template <class Team> GB_MEMBER void clear(const Team &team) const {
        GB_ROLLED
        for (unsigned c = team.rank(); c < words; c += team.size()) word[c] = 0u;
    }
    GB_MEMBER void set(unsigned c) const {
        atomicOr(&word[c / 32], 1u << c % 32);
    }
    /* Looks first: fewer writes where most are set. */
    GB_MEMBER void find_or_set(unsigned c) const {
        if (!(gb_peek(&word[c / 32]) >> c % 32 & 1)) set(c);
    }
    GB_MEMBER bool has(unsigned c) const {
        return ((unsigned)word[c / 32] >> c % 32 & 1) != 0;
    }
    /* Columns before c, which is in the bits. */
    GB_MEMBER unsigned rank(unsigned c) const {
        return (unsigned)before[c / 32] +
               (unsigned)__popc((unsigned)word[c / 32] & ((1u << c % 32) - 1));
    }
    /* All bits; every thread gets the number. They do not change any more. An odd number of words
     * a thread keeps the threads of a warp in different banks. */
    template <class Team> GB_MEMBER unsigned count(const Team &team, bool remember) const {
        const unsigned each = ((words + team.size() - 1) / team.size()) | 1;
        const unsigned from = team.rank() * each, to = from + each < words ? from + each : words;
        unsigned mine = 0, total;
        GB_ROLLED
        for (unsigned c = from; c < to; c++) mine += (unsigned)__popc((unsigned)word[c]);
        unsigned sum = team.scan(mine, &total);
        GB_ROLLED
        for (unsigned c = from; remember && c < to; c++) {
            before[c] = sum;
            sum += (unsigned)__popc((unsigned)word[c]);
        }
        team.sync();
        return total;
    }
};

#endif
