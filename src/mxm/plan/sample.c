/* SPDX-License-Identifier: Apache-2.0
 *
 * Compression ratio and number of tiles of C without sketches: counts the columns of a few rows of
 * C (count table below). Rows are sampled at equal distances in flops, so a row's probability is
 * proportional to its flops, and the mean of entries per flop is that of C. Rows with very many
 * flops sample every step-th row of B, and of long rows of B a range of columns; the total follows
 * as if every row of B had the same share of the columns at random. Serial and deterministic.
 */
#include "mxm/plan/plan.h"

#include <stdlib.h>

#include "core/hll.h"

enum { MAP_BITS = 14 }; /* four times GB_SAMPLE_FLOPS_MOST, and half of a first cache */
enum { ROWS_MOST = GB_SAMPLE_ROWS + GB_SAMPLE_TILE_ROWS * GB_TILE };

/* The rows of A that are looked at: A itself, or its chosen rows alone. */
typedef struct {
    gb_CsView A;
    const gb_CsView *B;
    const uint64_t *flops; /* [m + 1] */
    uint64_t m, most;      /* most: flops of one row, or row of tiles, that are looked at */
    uint64_t samples;      /* rows that may be taken for the compression ratio */
    uint8_t *met;          /* [2^MAP_BITS] */
    /* where A is held by columns: */
    gb_Cs picked;                        /* the chosen rows */
    uint64_t chosen[ROWS_MOST], nchosen; /* their indices, ascending; 0: all rows */
} gb_Sampling;

uint64_t gb_spread(uint64_t total, uint32_t k) {
    uint32_t mirrored = 0;
    for (unsigned b = 0; b < 32; b++) mirrored |= (k >> b & 1u) << (31 - b);
    return (uint64_t)((double)total * ((double)mirrored + 0.5) / 4294967296.0);
}

/* -- which rows -------------------------------------------------------------------------------- */

static uint64_t sampled_row(const gb_Sampling *s, uint64_t k) {
    return gb_holder(s->flops, 0, s->m, gb_spread(s->flops[s->m], (uint32_t)k));
}

/* Rows [*from, *to) of A: the k-th row of tiles that is looked at. */
static void sampled_tile_row(const gb_Sampling *s, uint64_t k, uint64_t rows[2]) {
    const uint64_t total = s->flops[s->m];
    const uint64_t at = gb_part(total, k, GB_SAMPLE_TILE_ROWS) + total / GB_SAMPLE_TILE_ROWS / 2;
    rows[0] = gb_holder(s->flops, 0, s->m, at) / GB_TILE * GB_TILE;
    rows[1] = rows[0] + GB_TILE < s->m ? rows[0] + GB_TILE : s->m;
}

/* Flops that may be looked at. */
static uint64_t affordable(const gb_Features *f) {
    const uint64_t few = f->flops < GB_SAMPLE_FEW ? f->flops : GB_SAMPLE_FEW;
    const uint64_t of_few = few / GB_SAMPLE_PART_OF_FEW, of_all = f->flops / GB_SAMPLE_PART;
    return of_few > of_all ? of_few : of_all;
}

/* Affordable rows by flops, and by about nnz(A) in all, since where entries have many flops each,
 * tiles may take little time per flop. Sampled at random, a row has squares / flops of them. */
static uint64_t choose_samples(const gb_Features *f, uint64_t most) {
    const double row = fmin(f->rows.squares / (double)f->flops, (double)most);
    const double rows = fmin((double)affordable(f), (double)f->A.nvals) / row;
    if (rows >= GB_SAMPLE_ROWS) return GB_SAMPLE_ROWS;
    return rows > GB_SAMPLE_ROWS_LEAST ? (uint64_t)rows : GB_SAMPLE_ROWS_LEAST;
}

static bool wants_tiles(const gb_Features *f) {
    return f->A.fill >= GB_SAMPLE_FILL && f->B.fill >= GB_SAMPLE_FILL;
}

/* -- rows of a matrix that is held by columns -------------------------------------------------- */

static int ascending(const void *x, const void *y) {
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static void choose_rows(gb_Sampling *s, const gb_Features *f) {
    uint64_t n = 0, rows[2];
    for (uint64_t k = 0; k < s->samples; k++) s->chosen[n++] = sampled_row(s, k);
    for (uint64_t k = 0; wants_tiles(f) && k < GB_SAMPLE_TILE_ROWS; k++) {
        sampled_tile_row(s, k, rows);
        for (uint64_t i = rows[0]; i < rows[1]; i++) s->chosen[n++] = i;
    }
    qsort(s->chosen, n, sizeof *s->chosen, ascending);
    for (uint64_t k = 0; k < n; k++)
        if (k == 0 || s->chosen[k] != s->chosen[k - 1]) s->chosen[s->nchosen++] = s->chosen[k];
}

/* The number of row i among the chosen ones. */
static uint64_t place_of(const gb_Sampling *s, uint64_t i) {
    if (s->nchosen == 0) return i;
    uint64_t k = 0;
    for (uint64_t step = 256; step > 0; step /= 2)
        if (k + step <= s->nchosen && s->chosen[k + step - 1] < i) k += step;
    return k;
}

/* Entries of the chosen rows: their numbers first, then columns k, ascending within a row. */
static gbl_Info pick_entries(gb_Sampling *s, const gb_Features *f, const gb_CsView *columns,
                             const uint64_t *is_chosen) {
    uint64_t at[ROWS_MOST + 1] = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t k = 0; k < columns->nmajor; k++)
            for (gb_Off q = columns->p[k]; q < columns->p[k + 1]; q++) {
                const uint64_t i = columns->i[q];
                if (!(is_chosen[i / 64] >> i % 64 & 1)) continue;
                const uint64_t row = place_of(s, i);
                if (pass == 0)
                    at[row + 1]++;
                else
                    s->picked.i[at[row]++] = (gb_Idx)k;
            }
        if (pass > 0) break;
        for (uint64_t r = 0; r < s->nchosen; r++) at[r + 1] += at[r];
        if (f->memory.limited && (double)at[s->nchosen] * sizeof(gb_Idx) >
                                     (f->budget - f->memory.held) / GB_SAMPLE_MEMORY)
            return GBL_SUCCESS;
        const gbl_Info info = gb_cs_alloc(&s->picked, s->nchosen, at[s->nchosen], 0);
        if (info != GBL_SUCCESS) return info;
        memcpy(s->picked.p, at, (s->nchosen + 1) * sizeof *at);
        s->picked.nvals = at[s->nchosen];
    }
    s->A = gb_cs_view(&s->picked, columns->nmajor, 0);
    return GBL_SUCCESS;
}

static gbl_Info pick_rows(gb_Sampling *s, const gb_Features *f, const gb_CsView *columns) {
    const size_t bytes = (s->m / 64 + 1) * sizeof(uint64_t);
    uint64_t *is_chosen = gb_calloc(bytes);
    if (is_chosen == NULL) return gb_fail_memory(bytes);
    choose_rows(s, f);
    for (uint64_t k = 0; k < s->nchosen; k++)
        is_chosen[s->chosen[k] / 64] |= UINT64_C(1) << s->chosen[k] % 64;
    const gbl_Info info = pick_entries(s, f, columns, is_chosen);
    gb_free(is_chosen, bytes);
    return info;
}

/* -- looking ----------------------------------------------------------------------------------- */

/* Which part of the rows of A is looked at: every step-th entry, and of its row of B the columns
 * low .. high - 1. */
typedef struct {
    uint64_t step, low, high;
} gb_Look;

/* What was looked at: partial products, and rows of B that have any. */
typedef struct {
    uint64_t flops, rows;
} gb_Seen;

/* Columns, or columns of tiles, of a part of the rows [from, to) of A. */
static gb_Seen add_rows(const gb_Sampling *s, gb_Distinct *d, const uint64_t rows[2],
                        const gb_Look *look, unsigned shift) {
    const gb_CsView *A = &s->A, *B = s->B;
    const gb_Off end = A->p[place_of(s, rows[1])];
    gb_Distinct met = *d; /* a copy, which no store to the map can change */
    gb_Seen seen = {0};
    for (gb_Off p = A->p[place_of(s, rows[0])]; p < end; p += look->step) {
        gb_Off from = B->p[A->i[p]], to = B->p[A->i[p] + 1];
        if (look->low > 0) from = gb_first_at_least(B->i, from, to, look->low);
        if (look->high < B->nminor) to = gb_first_at_least(B->i, from, to, look->high);
        for (gb_Off q = from; q < to; q++) gb_distinct_add(&met, B->i[q] >> shift);
        seen.flops += to - from;
        seen.rows += to > from;
    }
    *d = met;
    return seen;
}

/* Every step-th entry of a row of A; where its rows of B are so long that too few would be sampled,
 * a range of columns that holds `part` entries of the k-th of these rows. */
static gb_Look choose_look(const gb_Sampling *s, const uint64_t rows[2], uint64_t most,
                           uint64_t k) {
    const uint64_t flops = s->flops[rows[1]] - s->flops[rows[0]];
    const gb_Off first = s->A.p[place_of(s, rows[0])], end = s->A.p[place_of(s, rows[1])];
    const uint64_t entries = end - first, part = most / GB_SAMPLE_ROWS_SEEN;
    gb_Look look = {.step = flops / most + 1, .high = s->B->nminor};
    if (look.step == 1 || flops / entries <= part || !s->B->sorted) return look;
    const gb_Idx inner = s->A.i[first + gb_spread(entries, (uint32_t)k)];
    const gb_Off from = s->B->p[inner], length = s->B->p[inner + 1] - from;
    look.step = entries / GB_SAMPLE_ROWS_SEEN + 1;
    if (length <= part) return look;
    const gb_Idx *i = s->B->i + from + gb_spread(length - part, (uint32_t)(7 * k + 3));
    look.low = i[0];
    look.high = (uint64_t)i[part - 1] + 1;
    return look;
}

/* `seen` partial products of so many rows of B gave `entries`: how many entries do `flops` give, if
 * each row of B has the share x of the columns, at random? The share of partial products that
 * create an entry is (1 - (1 - x)^rows) / (rows x): convex and decreasing in x, so Newton's method
 * from below never overshoots. */
static double extrapolate(double seen, double rows, double entries, double flops) {
    const double share = entries / seen;
    if (share >= 0.999) return flops;
    double x = 2.0 * (1.0 - share) / (rows - 1.0), step = x;
    for (int k = 0; k < 40 && step > 1e-3 * x; k++) {
        const double missed = exp((rows - 1.0) * log1p(-x)), met = 1.0 - (1.0 - x) * missed;
        step = (share - met / (rows * x)) / ((missed - met / (rows * x)) / x);
        x = fmin(x + step, 1.0 - 1e-9);
    }
    return seen / (rows * x) * -expm1(rows * flops / seen * log1p(-x));
}

/* Entries (shift 0) or tiles (shift 4) per flop of rows of C in the k-th sample. false: the sample
 * has no flops, or those of one row of B of several. */
static bool count(double *share, const gb_Sampling *s, const uint64_t rows[2], uint64_t k,
                  unsigned shift) {
    const uint64_t flops = s->flops[rows[1]] - s->flops[rows[0]];
    const uint64_t most = shift == 0 ? s->most : s->most / GB_SAMPLE_TILE_PART;
    const gb_Look look = choose_look(s, rows, most, k);
    const uint64_t range = (s->B->nminor >> shift) + 1;
    gb_Distinct d =
        gb_distinct(s->met, flops / look.step < most ? flops / look.step : most, range, MAP_BITS);
    const gb_Seen seen = add_rows(s, &d, rows, &look, shift);
    if (seen.flops == 0 || (seen.rows == 1 && look.step > 1)) return false;
    const double looked = (double)seen.flops;
    const bool within = look.low > 0 || look.high < s->B->nminor;
    const double all = within ? looked * (double)look.step : (double)flops;
    double places = fmin(gb_distinct_count(&d), looked);
    /* a row of B has an entry once, but several in a tile, each by chance */
    const double by_chance = shift == 0 ? (double)seen.rows : looked;
    if (looked < all) places = extrapolate(looked, by_chance, places, all);
    *share = places / all;
    return true;
}

/* Takes rows until their mean is known well enough. Where none has flops, nothing is known. */
static void sample_rows(gb_Features *f, const gb_Sampling *s) {
    double sum = 0.0, squares = 0.0, error = 1.0, n = 0.0, share;
    for (uint64_t k = 0; k < s->samples && (n < GB_SAMPLE_ROWS_LEAST || error > GB_SAMPLE_ERROR);
         k++) {
        const uint64_t i = sampled_row(s, k);
        if (!count(&share, s, (const uint64_t[]){i, i + 1}, k, 0)) continue;
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

static void sample_tiles(gb_Features *f, const gb_Sampling *s) {
    double sum = 0.0, n = 0.0, share;
    uint64_t rows[2];
    for (uint64_t k = 0; k < GB_SAMPLE_TILE_ROWS; k++) {
        sampled_tile_row(s, k, rows);
        if (!count(&share, s, rows, k, 4)) continue;
        n += 1.0;
        sum += share;
    }
    if (n > 0.0) f->tiles_per_flop = sum / n;
}

gbl_Info gb_sample(gb_Features *f, const gb_Operands *in) {
    const size_t bytes = (size_t)1 << MAP_BITS;
    const uint64_t most = affordable(f) / GB_SAMPLE_ROWS_LEAST;
    gb_Sampling s = {.A = in->A.cs[GB_BY_ROWS],
                     .B = &in->B.cs[GB_BY_ROWS],
                     .flops = in->flops,
                     .m = f->m,
                     /* so few that the fewest rows can be afforded */
                     .most = most > GB_SAMPLE_FLOPS_MOST    ? GB_SAMPLE_FLOPS_MOST
                             : most > GB_SAMPLE_FLOPS_LEAST ? most
                                                            : GB_SAMPLE_FLOPS_LEAST,
                     .met = gb_malloc(bytes)};
    if (s.met == NULL) return gb_fail_memory(bytes);
    s.samples = choose_samples(f, s.most);
    gbl_Info info = GBL_SUCCESS;
    if (!in->A.has[GB_BY_ROWS]) info = pick_rows(&s, f, &in->A.cs[GB_BY_COLUMNS]);
    if (info == GBL_SUCCESS && s.A.p != NULL) { /* else there is no memory for the sample */
        sample_rows(f, &s);
        if (wants_tiles(f)) sample_tiles(f, &s);
    }
    gb_cs_free(&s.picked);
    gb_free(s.met, bytes);
    return info;
}

/* -- flops, where B is not held by rows -------------------------------------------------------- */

enum { MEETINGS_BITS = 12, MEETINGS_SAMPLES = 1 << (MEETINGS_BITS - 1), MEETINGS_LEAST = 16 };

/* Occurrences of each index; open addressing, load at most 1/2. */
typedef struct {
    uint32_t key[1 << MEETINGS_BITS]; /* where count is not 0 */
    uint16_t count[1 << MEETINGS_BITS];
} gb_Met;

static unsigned find_met(const gb_Met *met, uint32_t k) {
    unsigned at = (k * 0x9E3779B9u) >> (32 - MEETINGS_BITS);
    while (met->count[at] != 0 && met->key[at] != k) at = (at + 1) % (1u << MEETINGS_BITS);
    return at;
}

double gb_sample_flops(const gb_CsView *A, const gb_CsView *columns) {
    const uint64_t a = A->nvals < MEETINGS_SAMPLES ? A->nvals : MEETINGS_SAMPLES;
    const uint64_t b = columns->nvals < MEETINGS_SAMPLES ? columns->nvals : MEETINGS_SAMPLES;
    gb_Met met;
    uint64_t meetings = 0;
    memset(met.count, 0, sizeof met.count);
    for (uint64_t s = 0; s < b; s++) {
        /* between those of A: A and B may share arrays, and equal samples would match themselves */
        const uint32_t k = columns->i[gb_part(columns->nvals, 2 * s + 1, 2 * b)];
        const unsigned at = find_met(&met, k);
        met.key[at] = k;
        met.count[at]++;
    }
    for (uint64_t s = 0; s < a; s++)
        meetings += met.count[find_met(&met, A->i[gb_part(A->nvals, s, a)])];
    if (meetings < MEETINGS_LEAST) return 0.0;
    return (double)meetings * ((double)A->nvals / (double)a) * ((double)columns->nvals / (double)b);
}
