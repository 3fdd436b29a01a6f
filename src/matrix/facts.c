/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about rows; see facts.h.
 */
#include "matrix/facts.h"

#include "core/context.h"
#include "core/distinct.h"
#include "core/parallel.h"
#include "core/search.h"
#include "core/tune.h"
#include "matrix/need.h"

enum { FILL_BITS = 12 }; /* a map for GB_FILL_LIST columns of tiles */
enum { PARTS = 16 };     /* whatever the number of threads, so that sums do not depend on it */

/* Tiles per entry in the first rows of a row of tiles, as far as so many columns reach. */
static double sample_tile_row(const gb_CsView *A, uint64_t tile_row) {
    uint64_t words[(1u << FILL_BITS) / 64];
    const uint64_t first = tile_row * GB_TILE;
    const uint64_t end = first + GB_TILE < A->nmajor ? first + GB_TILE : A->nmajor;
    const gb_Distinct tiles = gb_distinct(words, A->p[end] - A->p[first], FILL_BITS);
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
    double tiles_per_entry = 0.0;
    for (uint64_t s = 0; s < GB_FILL_SAMPLES; s++) {
        const uint64_t row = gb_holder(A->p, 0, A->nmajor, gb_part(A->nvals, s, GB_FILL_SAMPLES));
        tiles_per_entry += sample_tile_row(A, row / GB_TILE);
    }
    return GB_FILL_SAMPLES / tiles_per_entry;
}

/* Whether columns come in runs, from the first entries; kernels use the same rule (GB_RUN_SHARE).
 */
static bool has_runs(const gb_CsView *A) {
    if (!A->sorted) return false;
    const uint64_t n = A->nvals < GB_RUN_ENTRIES ? A->nvals : GB_RUN_ENTRIES;
    uint64_t next = 0;
    for (uint64_t q = 1; q < n; q++) next += A->i[q] == A->i[q - 1] + 1;
    return next * GB_RUN_SHARE > n;
}

/* Lengths of the rows [from, to). Two sums of squares, since one is bound by its own latency. */
static void measure_rows(gb_Facts *facts, const gb_CsView *A, uint64_t from, uint64_t to) {
    double squares[2] = {0.0, 0.0};
    uint64_t used = 0, longest = 0;
    for (uint64_t r = from; r < to; r++) {
        const uint64_t length = A->p[r + 1] - A->p[r];
        used += length > 0;
        squares[r % 2] += (double)length * (double)length;
        longest = length > longest ? length : longest;
    }
    *facts = (gb_Facts){.rows_used = used, .longest = longest, .squares = squares[0] + squares[1]};
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
    gb_parallel_for(gb_threads_for(A->nmajor, GB_GRAIN, gb_nthreads()), PARTS, measure_part, &part);
    for (uint64_t t = 0; t < PARTS; t++) {
        facts->rows_used += part.of[t].rows_used;
        facts->squares += part.of[t].squares;
        if (part.of[t].longest > facts->longest) facts->longest = part.of[t].longest;
    }
    facts->fill = sample_fill(A);
    facts->runs = has_runs(A);
}

gbl_Info gb_facts_get(gb_Facts *facts, gb_Matrix *A, gb_Format format) {
    gb_CsView view;
    const gbl_Info info = gb_need(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    pthread_mutex_lock(&A->lock);
    if (!A->facts[format].known) measure_all_rows(&A->facts[format], &view);
    *facts = A->facts[format];
    pthread_mutex_unlock(&A->lock);
    return GBL_SUCCESS;
}

gbl_Info gb_facts_of_tiles(double *fill, gb_Matrix *A, gb_Format format) {
    gb_TileView tiles;
    *fill = 0.0;
    if (!(gb_has(A) & gb_tiles_bit(format))) return GBL_SUCCESS;
    const gbl_Info info = gb_need_tiles(A, format, &tiles);
    if (info == GBL_SUCCESS && tiles.ntiles > 0) *fill = (double)tiles.nvals / (double)tiles.ntiles;
    return info;
}
