/* SPDX-License-Identifier: Apache-2.0
 *
 * How many products of a row fall on the same entry of C, and how many tiles C has, without
 * sketches: the columns of a few rows' products are counted (core/distinct.h). Rows are taken at
 * equal distances in products, so a row is met as often as it has products, and the mean of entries
 * per product is that of C. A row with very many products is looked at in part, and what it would
 * have as a whole follows from random meetings. Serial, and the same for the same operands.
 */
#include "mxm/mxm.h"

#include <math.h>

#include "core/distinct.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/search.h"
#include "core/view.h"
#include "mxm/machine/cost_table.h"

enum { MAP_BITS = 17 }; /* for GB_SAMPLE_PRODUCTS, which may be exceeded */

typedef struct {
    const gb_CsView *A, *B;
    const uint64_t *flops;
    uint64_t most;   /* products of one row, or row of tiles, that are looked at */
    uint64_t *words; /* [2^MAP_BITS / 64] */
} gb_Sampling;

/* Columns, or columns of tiles, of every step-th entry of the rows [from, to) of A. */
static uint64_t add_rows(const gb_Sampling *s, const gb_Distinct *d, const uint64_t rows[2],
                         uint64_t step, unsigned shift) {
    const gb_CsView *A = s->A, *B = s->B;
    uint64_t products = 0;
    for (gb_Off p = A->p[rows[0]]; p < A->p[rows[1]]; p += step) {
        const gb_Off from = B->p[A->i[p]], to = B->p[A->i[p] + 1];
        for (gb_Off q = from; q < to; q++) gb_distinct_add(d, B->i[q] >> shift);
        products += to - from;
    }
    return products;
}

/* `seen` products met `met` places: how many places would `products` meet, if that was chance? */
static double extrapolate(double seen, double met, double products) {
    double lo = met, hi = 1e3 * met;
    if (met >= 0.999 * seen) return products;
    for (int k = 0; k < 40; k++) { /* the places n for which n (1 - exp(-seen / n)) = met */
        const double n = 0.5 * (lo + hi);
        if (n * -expm1(-seen / n) < met)
            lo = n;
        else
            hi = n;
    }
    return lo * -expm1(-products / lo);
}

/* Entries (shift 0) or tiles (shift 4) per product of rows of C with so many products. false: what
 * was looked at has none of them. */
static bool count(double *share, const gb_Sampling *s, const uint64_t rows[2], unsigned shift) {
    const uint64_t products = s->flops[rows[1]] - s->flops[rows[0]];
    const uint64_t step = products / s->most + 1;
    const gb_Distinct d = gb_distinct(s->words, products / step, MAP_BITS);
    const uint64_t seen = add_rows(s, &d, rows, step, shift);
    if (seen == 0) return false;
    double places = fmin(gb_distinct_count(&d), (double)seen);
    if (step > 1) places = extrapolate((double)seen, places, (double)products);
    *share = places / (double)products;
    return true;
}

/* The k-th of n places, spread evenly however many are taken: the bits of k mirrored. */
static uint64_t spread(uint64_t total, uint32_t k) {
    uint32_t mirrored = 0;
    for (unsigned b = 0; b < 32; b++) mirrored |= (k >> b & 1u) << (31 - b);
    return (uint64_t)((double)total * ((double)mirrored + 0.5) / 4294967296.0);
}

/* Takes up to so many rows, until their mean is known well enough. Where none of them shows a
 * product, nothing is known. */
static void sample_rows(gb_Features *f, const gb_Sampling *s, uint64_t most) {
    const uint64_t m = s->A->nmajor, total = s->flops[m];
    double sum = 0.0, squares = 0.0, error = 1.0, n = 0.0, share;
    for (uint64_t k = 0; k < most && (n < GB_SAMPLE_ROWS_LEAST || error > GB_SAMPLE_ERROR); k++) {
        const uint64_t i = gb_holder(s->flops, 0, m, spread(total, (uint32_t)k));
        if (!count(&share, s, (const uint64_t[]){i, i + 1}, 0)) continue;
        n += 1.0;
        sum += share;
        squares += share * share;
        error = sqrt(fmax(squares / n - sum / n * (sum / n), 0.0) / n) * n / sum;
    }
    f->sampled = (uint64_t)n;
    if (!(sum > 0.0)) return;
    f->compression = fmax(n / sum, 1.0);
    f->compression_error = sqrt(GB_CHEBYSHEV) * error;
}

static void sample_tiles(gb_Features *f, gb_Sampling *s) {
    const uint64_t m = s->A->nmajor, total = s->flops[m];
    double sum = 0.0, n = 0.0, share;
    for (uint64_t k = 0; k < GB_SAMPLE_TILE_ROWS; k++) {
        const uint64_t at =
            gb_part(total, k, GB_SAMPLE_TILE_ROWS) + total / GB_SAMPLE_TILE_ROWS / 2;
        const uint64_t from = gb_holder(s->flops, 0, m, at) / GB_TILE * GB_TILE;
        const uint64_t to = from + GB_TILE < m ? from + GB_TILE : m;
        if (!count(&share, s, (const uint64_t[]){from, to}, 4)) continue;
        n += 1.0;
        sum += share;
    }
    if (n > 0.0) f->tiles_per_product = sum / n;
}

/* Products of one look: so few that the fewest rows stay within a part of all products. */
static uint64_t choose_most(const gb_Features *f) {
    const uint64_t most = f->flops / GB_SAMPLE_PART / GB_SAMPLE_ROWS_LEAST;
    if (most > GB_SAMPLE_PRODUCTS) return GB_SAMPLE_PRODUCTS;
    return most > GB_SAMPLE_PRODUCTS_LEAST ? most : GB_SAMPLE_PRODUCTS_LEAST;
}

/* Rows whose products stay within a part of all products, and about the entries of A, since where
 * these have many products each, tiles may take little time for a product. Met by chance, a row has
 * squares / flops of them. */
static uint64_t choose_samples(const gb_Features *f, uint64_t most) {
    const double products = (double)f->flops / GB_SAMPLE_PART, entries = (double)f->A.nvals;
    const double row = fmin(f->rows.squares / (double)f->flops, (double)most);
    const double affordable = fmin(products, entries) / row;
    if (affordable >= GB_SAMPLE_ROWS) return GB_SAMPLE_ROWS;
    return affordable > GB_SAMPLE_ROWS_LEAST ? (uint64_t)affordable : GB_SAMPLE_ROWS_LEAST;
}

gbl_Info gb_sample(gb_Features *f, const gb_CsView *A, const gb_CsView *B, const uint64_t *flops) {
    const size_t bytes = ((size_t)1 << MAP_BITS) / 8;
    gb_Sampling s = {.A = A, .B = B, .flops = flops, .words = gb_malloc(bytes)};
    if (s.words == NULL) return gb_fail_memory(NULL, bytes);
    s.most = choose_most(f);
    sample_rows(f, &s, choose_samples(f, s.most));
    if (f->A.fill >= GB_SAMPLE_FILL && f->B.fill >= GB_SAMPLE_FILL) sample_tiles(f, &s);
    gb_free(s.words, bytes);
    return GBL_SUCCESS;
}
