/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about rows; see facts.h.
 */
#include "matrix/facts.h"

#include <string.h>

#include "core/context.h"
#include "core/hll.h"
#include "core/parallel.h"
#include "core/runs.h"
#include "core/search.h"
#include "core/tune.h"
#include "matrix/acquire.h"

enum { FILL_BITS = 12 }; /* a map for GB_FILL_LIST columns of tiles */
enum { PARTS = 16 };     /* whatever the number of threads, so that sums do not depend on it */

/* Tiles per entry in the first rows of a row of tiles, as far as so many columns reach. */
static double sample_tile_row(const gb_CsView *A, uint64_t tile_row) {
    uint8_t met[1u << FILL_BITS];
    const uint64_t first = tile_row * GB_TILE;
    const uint64_t end = first + GB_TILE < A->nmajor ? first + GB_TILE : A->nmajor;
    gb_Distinct tiles =
        gb_distinct(met, A->p[end] - A->p[first], A->nminor / GB_TILE + 1, FILL_BITS);
    uint64_t seen = 0, listed = 0;
    for (uint64_t r = first; r < end; r++)
        for (gb_Off q = A->p[r]; q < A->p[r + 1] && listed < GB_FILL_LIST; q++, seen++) {
            const gb_Idx J = A->i[q] / GB_TILE;
            if (q > A->p[r] && J == A->i[q - 1] / GB_TILE) continue;
            gb_distinct_add(&tiles, J);
            listed++;
        }
    return gb_distinct_count(&tiles) / (double)seen;
}

/* Entries per tile of 16 x 16, from rows of tiles that are spread evenly over the entries: a row of
 * tiles is sampled in proportion to its entries, so the mean of tiles per entry is not biased. */
static double sample_fill(const gb_CsView *A) {
    const uint64_t worthwhile = A->nvals / GB_FILL_ENTRIES + GB_FILL_SAMPLES_LEAST;
    const uint64_t samples = worthwhile < GB_FILL_SAMPLES ? worthwhile : GB_FILL_SAMPLES;
    double tiles_per_entry = 0.0;
    for (uint64_t s = 0; s < samples; s++) {
        const uint64_t row = gb_holder(A->p, 0, A->nmajor, gb_part(A->nvals, s, samples));
        tiles_per_entry += sample_tile_row(A, row / GB_TILE);
    }
    return (double)samples / tiles_per_entry;
}

/* Squares of the lengths of `rows` rows: as integers, whose sum no vector has to wait for, where
 * they cannot exceed 64 bits. */
static double sum_squares(const gb_Off *p, uint64_t rows) {
    uint64_t sum = 0;
    double of_many = 0.0;
    if (p[rows] - p[0] <= UINT32_MAX) {
        for (uint64_t r = 0; r < rows; r++) {
            const uint32_t length = (uint32_t)(p[r + 1] - p[r]);
            sum += (uint64_t)length * length;
        }
        return (double)sum;
    }
    for (uint64_t r = 0; r < rows; r++)
        of_many += (double)(p[r + 1] - p[r]) * (double)(p[r + 1] - p[r]);
    return of_many;
}

/* Lengths of the rows [from, to), by blocks that stay in the first cache. */
static void measure_rows(gb_Facts *facts, const gb_CsView *A, uint64_t from, uint64_t to) {
    enum { BLOCK = 1024 };
    *facts = (gb_Facts){0};
    for (uint64_t r = from; r < to; r += BLOCK) {
        const gb_Off *p = A->p + r;
        const uint64_t rows = to - r < BLOCK ? to - r : BLOCK;
        uint32_t used = 0, longest = 0;
        for (uint64_t k = 0; k < rows; k++) {
            const uint32_t length = (uint32_t)(p[k + 1] - p[k]);
            used += length > 0;
            longest = length > longest ? length : longest;
        }
        facts->rows_used += used;
        if (longest > facts->longest) facts->longest = longest;
        facts->squares += sum_squares(p, rows);
    }
}

typedef struct {
    const gb_CsView *A;
    gb_Facts of[PARTS];
} PartFacts;

static void measure_part(void *context, uint64_t t) {
    PartFacts *part = context;
    const uint64_t n = part->A->nmajor;
    measure_rows(&part->of[t], part->A, gb_part(n, t, PARTS), gb_part(n, t + 1, PARTS));
}

static void measure_all_rows(gb_Facts *facts, const gb_CsView *A) {
    PartFacts part;
    part.A = A;
    *facts = (gb_Facts){.known = true};
    gb_parallel_for(gb_threads_for(A->nmajor, GB_COUNT_GRAIN, gb_nthreads()), PARTS, measure_part,
                    &part);
    for (uint64_t t = 0; t < PARTS; t++) {
        facts->rows_used += part.of[t].rows_used;
        facts->squares += part.of[t].squares;
        if (part.of[t].longest > facts->longest) facts->longest = part.of[t].longest;
    }
    facts->fill = sample_fill(A);
    facts->runs = gb_comes_in_runs(A);
    facts->adjacent = gb_is_adjacent(A);
}

gbl_Info gb_facts_get(gb_Facts *facts, gb_Matrix *A, gb_Format format) {
    gb_CsView view;
    const gbl_Info info = gb_acquire(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    pthread_mutex_lock(&A->lock);
    if (!A->facts[format].known) measure_all_rows(&A->facts[format], &view);
    *facts = A->facts[format];
    pthread_mutex_unlock(&A->lock);
    return GBL_SUCCESS;
}

bool gb_is_all_true(gb_Matrix *A) {
    const unsigned lists = gb_has(A) & GB_HAS_LISTS;
    gb_CsView view;
    if (A->type->code != GBL_BOOL_CODE || lists == 0 || A->nvals == 0) return false;
    int truth = __atomic_load_n(&A->truth, __ATOMIC_RELAXED);
    if (truth == GB_TRUTH_UNKNOWN) {
        const gb_Format format = lists & GBL_HAS_CSR ? GB_CSR : GB_CSC;
        if (gb_acquire(A, format, &view) != GBL_SUCCESS) return false;
        const bool is_false = memchr(view.x, 0, view.iso ? 1 : view.nvals) != NULL;
        truth = is_false ? GB_NOT_ALL_TRUE : GB_ALL_TRUE;
        __atomic_store_n(&A->truth, truth, __ATOMIC_RELAXED);
    }
    return truth == GB_ALL_TRUE;
}

gbl_Info gb_facts_of_tiles(double *fill, gb_Matrix *A, gb_Format format) {
    gb_TileView tiles;
    *fill = 0.0;
    if (!(gb_has(A) & gb_tiles_bit(format))) return GBL_SUCCESS;
    const gbl_Info info = gb_acquire_tiles(A, format, &tiles);
    if (info == GBL_SUCCESS && tiles.ntiles > 0) *fill = (double)tiles.nvals / (double)tiles.ntiles;
    return info;
}
