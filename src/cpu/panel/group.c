/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that have many columns in common, eight at a time (docs/panel.md): MinHash (Broder 1997)
 * with the hash of core/hll.h. A sketch of a row is LANES numbers, number l the least of its
 * columns' hashes times odd[l]: of two rows with the share s of their columns in common about s
 * LANES numbers are equal. Lists of all rows sorted by one number each tell which rows have that
 * number in common.
 *
 * Groups are made greedily: of the rows that stand beside the first one in one of the lists, those
 * whose sketches have most in common with it, and the next best one begins the next group, so that
 * groups that follow each other are similar too. The result depends on the entries alone.
 *
 * Cost: LANES multiplications and minima an entry, in vectors; sorting rows LISTS times; up to
 * LISTS * 2 * LOOKS comparisons of sketches a group. Times: GROUP_ENTRY and GROUP_ROW of
 * mxm/machine/cost_table.h.
 */
#include "core/hll.h"
#include "core/memory.h"
#include "cpu/cpu.h"
#include "cpu/simd/lanes.h"
#include "cpu/common/sort.h"

enum {
    LANES = 16,               /* numbers of a sketch */
    LISTS = GB_GROUP_LISTS,   /* numbers by which rows are sorted */
    LOOKS = GB_GROUP_LOOKS,   /* rows on each side of a row in a list that are compared with it */
    GROUP = 8,                /* rows */
    FOUND = LISTS * 2 * LOOKS /* that are compared with a row, at most */
};

typedef struct {
    const gb_CsView *A;
    gb_Idx *order;
    gb_Lanes32 *sketch;      /* [m] on lines of the cache */
    uint64_t *list[LISTS];   /* [m] number of the sketch, row */
    gb_Idx *position[LISTS]; /* [m] of a row in the list */
    uint64_t *sort;          /* [LISTS * m] */
    uint32_t *seen;          /* [m] the group that last looked at a row, from 1 on */
    uint8_t *taken;          /* [m] */
    uint64_t done, next;     /* rows in order; of list 0 that were gone by */
} Grouping;

static gb_Lanes32 multipliers(void) {
    gb_Lanes32 odd;
    for (uint32_t l = 0; l < LANES; l++) odd[l] = gb_hll_hash(l + 1) | 1u;
    return odd;
}

static void sketch_rows(void *context, uint64_t from, uint64_t to) {
    const Grouping *of = context;
    const gb_CsView *A = of->A;
    const gb_Lanes32 odd = multipliers();
    for (uint64_t r = from; r < to; r++) {
        gb_Lanes32 least = ~(gb_Lanes32){0};
        for (gb_Off p = A->p[r]; p < A->p[r + 1]; p++) {
            const gb_Lanes32 hash = gb_hll_hash(A->i[p]) * odd;
            least = GB_PICK(hash < least, hash, least);
        }
        of->sketch[r] = least;
    }
}

static void sort_list(void *context, uint64_t l) {
    const Grouping *of = context;
    const uint64_t m = of->A->nmajor;
    uint64_t *list = of->list[l];
    for (uint64_t r = 0; r < m; r++) list[r] = (uint64_t)of->sketch[r][l] << 32 | r;
    gb_sort64(list, of->sort + l * m, m, 32, 64);
    for (uint64_t k = 0; k < m; k++) of->position[l][(uint32_t)list[k]] = (gb_Idx)k;
}

/* Rows that have something in common with another one, by how many numbers of their sketches. */
typedef struct {
    unsigned n;
    gb_Idx row[FOUND];
    uint8_t common[FOUND];
} Found;

static void look_at(Grouping *of, Found *found, gb_Idx first, gb_Idx row, uint32_t group) {
    if (of->taken[row] || of->seen[row] == group) return;
    of->seen[row] = group;
    found->row[found->n] = row;
    found->common[found->n++] =
        (uint8_t)__builtin_popcount(gb_equal32(of->sketch[first], of->sketch[row]));
}

/* The rows that stand beside `first` in the lists. */
static void find_similar(Grouping *of, Found *found, gb_Idx first, uint32_t group) {
    const uint64_t m = of->A->nmajor;
    found->n = 0;
    for (unsigned l = 0; l < LISTS; l++) {
        const uint64_t *list = of->list[l], at = of->position[l][first], key = list[at] >> 32;
        for (uint64_t k = at + 1; k < m && k <= at + LOOKS && list[k] >> 32 == key; k++)
            look_at(of, found, first, (gb_Idx)list[k], group);
        for (uint64_t k = at; k > 0 && k + LOOKS > at && list[k - 1] >> 32 == key; k--)
            look_at(of, found, first, (gb_Idx)list[k - 1], group);
    }
}

static void take(Grouping *of, gb_Idx row) {
    of->taken[row] = 1;
    of->order[of->done++] = row;
}

/* The next row that nobody has taken; there is one. */
static gb_Idx next_row(Grouping *of) {
    while (of->taken[(gb_Idx)of->list[0][of->next]]) of->next++;
    return (gb_Idx)of->list[0][of->next];
}

/* Takes the most similar of those found, until the group is full; returns the next best one, or
 * nmajor. */
static uint64_t take_best(Grouping *of, const Found *found) {
    unsigned left = GROUP - 1;
    for (unsigned common = LANES; common > 0; common--)
        for (unsigned k = 0; k < found->n; k++) {
            if (found->common[k] != common) continue;
            if (left == 0) return found->row[k];
            take(of, found->row[k]);
            left--;
        }
    for (; left > 0 && of->done < of->A->nmajor; left--) take(of, next_row(of));
    return of->A->nmajor;
}

static void make_groups(Grouping *of) {
    const uint64_t m = of->A->nmajor;
    Found found;
    uint64_t best = m;
    for (uint32_t group = 1; of->done < m; group++) {
        const gb_Idx first = best < m ? (gb_Idx)best : next_row(of);
        take(of, first);
        find_similar(of, &found, first, group);
        best = take_best(of, &found);
    }
}

/* Each array but the first begins where the one before ends. */
static void lay_out(Grouping *of, char *block) {
    const uint64_t m = of->A->nmajor;
    char *at = block + (-(uintptr_t)block & (GB_LINE_BYTES - 1));
    of->sketch = (gb_Lanes32 *)(void *)at;
    of->sort = (uint64_t *)(void *)(of->sketch + m);
    for (unsigned l = 0; l < LISTS; l++) of->list[l] = of->sort + (LISTS + l) * m;
    gb_Idx *indices = (gb_Idx *)(of->sort + 2 * LISTS * m);
    for (unsigned l = 0; l < LISTS; l++) of->position[l] = indices + l * m;
    of->seen = indices + LISTS * m;
    of->taken = (uint8_t *)(of->seen + m);
    memset(of->seen, 0, m * sizeof *of->seen);
    memset(of->taken, 0, m);
}

gbl_Info GB_ISA_NAME(gb_group_rows)(const gb_CsView *A, gb_Idx *order, int nthreads) {
    Grouping of = {.A = A, .order = order};
    const int threads = gb_threads_for(A->nvals + A->nmajor, GB_GRAIN, nthreads);
    const uint64_t row =
        sizeof(gb_Lanes32) + LISTS * (2 * sizeof(uint64_t) + sizeof(gb_Idx)) + sizeof(uint32_t) + 1;
    const size_t bytes = GB_LINE_BYTES + A->nmajor * row; /* of all arrays */
    char *block = gb_malloc(bytes);
    if (block == NULL) return gb_fail_memory(bytes);
    lay_out(&of, block);
    gb_parallel_ranges(threads, A->nmajor, sketch_rows, &of);
    gb_parallel_for(threads, LISTS, sort_list, &of);
    make_groups(&of);
    gb_free(block, bytes);
    return GBL_SUCCESS;
}
