/* SPDX-License-Identifier: Apache-2.0
 *
 * The axis of lists and the places on it, where sizes cross the borders between one bucket, many
 * buckets, crowded ones and those that all threads sort. qsort and bsearch are the judges.
 */
#include "support/gb_test.h"

#include "matrix/row_list.h"

#include <stdlib.h>
#include <string.h>

/* How indices are spread over [0, 2^bits). */
typedef enum { EVEN, FEW, ONE, HUBS, CLUSTERS, LAST, SPREADS } Spread;

static uint64_t index_at(t_Random *r, Spread spread, int bits) {
    const uint64_t mask = ((uint64_t)1 << bits) - 1, index = t_next(r) & mask;
    switch (spread) {
    case EVEN:
        return index;
    case FEW:
        return mask / 7 * t_below(r, 7);
    case ONE:
        return mask;
    case HUBS: /* half of them are one, the others anywhere */
        return t_below(r, 2) == 0 ? mask / 3 : index;
    case CLUSTERS: /* near to each other, in 16 places */
        return (index & ~(mask >> 4)) | t_below(r, (mask >> 4) < 5000 ? (mask >> 4) + 1 : 5000);
    default: /* upper bits are all alike */
        return mask - t_below(r, mask < 3000 ? mask + 1 : 3000);
    }
}

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void check_places(const gb_RowList *axis, const uint64_t *list, const gb_Idx *places,
                         uint64_t n) {
    uint64_t wrong = 0;
    for (uint64_t k = 0; k < n; k++)
        wrong += places[k] >= axis->n || axis->index[places[k]] != list[k];
    CHECK(wrong == 0);
}

/* The list in two parts, the first of `front`. */
static void check_lists(const uint64_t *list, uint64_t n, uint64_t front, int bits) {
    gb_RowList *axis, *bare;
    gb_Idx *places = malloc((n + 1) * sizeof *places);
    uint64_t *sorted = malloc((n + 1) * sizeof *sorted), distinct = 0;
    gb_RowListMerge lists = {.list = {list, list + front},
                             .n = {front, n - front},
                             .positions = {places, places + front},
                             .dimension = (uint64_t)1 << bits};
    memcpy(sorted, list, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    for (uint64_t k = 0; k < n; k++)
        if (k == 0 || sorted[k] != sorted[k - 1]) sorted[distinct++] = sorted[k];
    OK(gb_row_list_of_lists(&axis, &lists));
    CHECK(axis->n == distinct);
    CHECK(memcmp(axis->index, sorted, distinct * sizeof *sorted) == 0);
    check_places(axis, list, places, n);
    lists.positions[0] = NULL;
    memset(places, 0xff, n * sizeof *places);
    OK(gb_row_list_of_lists(&bare, &lists));
    CHECK(bare->n == distinct);
    check_places(axis, list + front, places + front, n - front);
    uint64_t written = 0;
    for (uint64_t k = 0; k < front; k++) written += places[k] != UINT32_MAX;
    CHECK(written == 0);
    gb_row_list_release(axis);
    gb_row_list_release(bare);
    free(sorted);
    free(places);
}

static void check_sizes(const uint64_t *sizes, int count) {
    static const int bits[] = {1, 13, 33, 60};
    t_Random r = t_random(8);
    for (int s = 0; s < count; s++)
        for (size_t b = 0; b < T_COUNT(bits); b++)
            for (Spread spread = 0; spread < SPREADS; spread++) {
                const uint64_t n = sizes[s];
                if (t_left_out()) continue;
                t_case("%llu indices of %d bits, spread %d", (unsigned long long)n, bits[b],
                       (int)spread);
                uint64_t *list = malloc((n + 1) * sizeof *list);
                for (uint64_t k = 0; k < n; k++) list[k] = index_at(&r, spread, bits[b]);
                check_lists(list, n, spread % 2 == 0 ? n : t_below(&r, n + 1), bits[b]);
                free(list);
            }
}

GB_TEST(axis, few_indices) {
    const uint64_t sizes[] = {0, 1, 2, 3, 17, 40, 300, 1000};
    check_sizes(sizes, T_COUNT(sizes));
}

GB_TEST(axis, many_indices) {
    const uint64_t sizes[] = {66000, 150000};
    check_sizes(sizes, T_COUNT(sizes));
}
