/* SPDX-License-Identifier: Apache-2.0
 *
 * See matrix.h.
 *
 * Symmetry: each entry (k, j) below the diagonal looks up its counterpart (j, k) above it. Where
 * rows k come in ascending order, those above the diagonal of row j are looked up in the order in
 * which they stand, so one cursor for each row is all it takes. A second thread takes rows in
 * descending order, from the last one on, with cursors that begin at the ends of rows, until both
 * meet. The pattern is symmetric when every look-up succeeds and both cursors of each row meet,
 * too: then each entry above the diagonal was looked up once.
 */
#include "matrix/matrix.h"

#include "core/hll.h"
#include "matrix/updates.h"

enum { FILL_BITS = 12 }; /* a map for GB_FILL_LIST columns of tiles */
enum { PARTS = 16 };     /* whatever the number of threads, so that sums do not depend on it */

/* Tiles per entry in the first rows of a row of tiles, as far as so many columns reach. */
static double sample_tile_row(const gb_CsView *A, uint64_t tile_row) {
    uint8_t seen_tiles[1u << FILL_BITS];
    const uint64_t first = tile_row * GB_TILE;
    const uint64_t end = first + GB_TILE < A->nmajor ? first + GB_TILE : A->nmajor;
    gb_Distinct tiles =
        gb_distinct(seen_tiles, A->p[end] - A->p[first], A->nminor / GB_TILE + 1, FILL_BITS);
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

typedef struct {
    const gb_CsView *A;
    gb_Facts of[PARTS];
} PartFacts;

/* Lengths of the part's rows, by blocks that stay in the first cache. */
static void measure_part(void *context, uint64_t t) {
    enum { BLOCK = 1024 };
    const gb_CsView *A = ((const PartFacts *)context)->A;
    gb_Facts *facts = &((PartFacts *)context)->of[t];
    const uint64_t from = gb_part(A->nmajor, t, PARTS), to = gb_part(A->nmajor, t + 1, PARTS);
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
    gb_lock_to_read(&A->lock);
    *facts = A->facts[format];
    gb_unlock(&A->lock);
    if (facts->known) return GBL_SUCCESS;
    gb_begin_making(A);
    *facts = A->facts[format]; /* which only those change that hold `making` */
    if (!facts->known) measure_all_rows(facts, &view);
    gb_lock(&A->lock);
    A->facts[format] = *facts;
    gb_unlock(&A->lock);
    gb_end_making(A);
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

typedef struct {
    const gb_CsView *A;
    int parts;
    uint32_t *count;
} MinorCounts;

static void count_part(void *context, int t) {
    const MinorCounts *c = context;
    const gb_CsView *A = c->A;
    const uint64_t parts = (uint64_t)c->parts, part = (uint64_t)t;
    uint32_t *restrict count = c->count + part * A->nminor;
    const gb_Off end = A->p[gb_first_row(A, part + 1, parts)];
    memset(count, 0, A->nminor * sizeof *count);
    for (gb_Off q = A->p[gb_first_row(A, part, parts)]; q < end; q++) count[A->i[q]]++;
}

void gb_count_minors(const gb_CsView *A, int parts, uint32_t *count) {
    gb_parallel(parts, count_part, &(MinorCounts){A, parts, count});
}

gbl_Info gb_facts_of_tiles(double *fill, gb_Matrix *A, gb_Format format) {
    gb_TileView tiles;
    *fill = 0.0;
    if (!(gb_has(A) & gb_tiles_bit(format))) return GBL_SUCCESS;
    const gbl_Info info = gb_acquire_tiles(A, format, &tiles);
    if (info == GBL_SUCCESS && tiles.ntiles > 0) *fill = (double)tiles.nvals / (double)tiles.ntiles;
    return info;
}

/* -- symmetry */

typedef struct {
    const gb_CsView *A;
    gb_Off *next;    /* [rows] of the ascending thread: the entry of a row that is looked up next */
    gb_Off *last;    /* [rows] of the descending thread: behind it; NULL: there is none */
    uint64_t blocks; /* of rows */
    uint64_t claimed;  /* atomic: blocks from the first on, and above 32 bits from the last on */
    uint64_t ascended; /* rows below were taken in ascending order */
    bool differs;      /* atomic */
} Symmetry;

/* *at becomes the next block in this order; false: there is none, or the pattern differs. */
static bool claim(Symmetry *w, bool up, uint64_t *at) {
    const uint64_t one = up ? 1 : (uint64_t)1 << 32;
    const uint64_t claimed = __atomic_fetch_add(&w->claimed, one, __ATOMIC_RELAXED);
    const uint64_t front = claimed & UINT32_MAX, back = claimed >> 32;
    *at = up ? front : w->blocks - 1 - back;
    return front + back < w->blocks && !__atomic_load_n(&w->differs, __ATOMIC_RELAXED);
}

/* An entry that is looked up may lie outside of its row: the cursors differ at the end then. */
static bool is_there(const gb_CsView *A, gb_Off at, uint64_t column) {
    return at < A->nvals && A->i[at] == column;
}

static bool row_up(const Symmetry *w, uint64_t k) {
    const gb_CsView *A = w->A;
    const gb_Off end = A->p[k + 1];
    gb_Off q = A->p[k];
    for (; q < end && A->i[q] < k; q++)
        if (!is_there(A, w->next[A->i[q]]++, k)) return false;
    w->next[k] = q + (q < end && A->i[q] == k);
    return true;
}

/* All rows behind it were taken, and have looked up what is above the diagonal here. */
static bool row_down(const Symmetry *w, uint64_t k) {
    const gb_CsView *A = w->A;
    const gb_Off end = A->p[k + 1];
    gb_Off q = A->p[k];
    for (; q < end && A->i[q] < k; q++)
        if (!is_there(A, --w->last[A->i[q]], k)) return false;
    return w->last[k] == q + (q < end && A->i[q] == k);
}

/* One thread goes up, and one down. */
static void compare(void *context, uint64_t down) {
    Symmetry *const w = context;
    bool same = true;
    if (down) memcpy(w->last, w->A->p + 1, w->A->nmajor * sizeof *w->last);
    for (uint64_t b; same && claim(w, !down, &b);) {
        const uint64_t from = gb_first_row(w->A, b, w->blocks);
        const uint64_t to = gb_first_row(w->A, b + 1, w->blocks);
        if (!down) w->ascended = to;
        for (uint64_t k = from; k < to && same; k++)
            same = down ? row_down(w, from + (to - 1 - k)) : row_up(w, k);
    }
    if (!same) __atomic_store_n(&w->differs, true, __ATOMIC_RELAXED);
}

static bool is_symmetric(Symmetry *w) {
    const gb_CsView *A = w->A;
    const gb_Off *end = w->last != NULL ? w->last : A->p + 1;
    const int threads = w->last != NULL ? 2 : 1;
    w->blocks = (A->nmajor + A->nvals) / GB_CHUNK_ENTRIES + 1;
    gb_parallel_for(threads, (uint64_t)threads, compare, w);
    return !w->differs && memcmp(w->next, end, w->ascended * sizeof *end) == 0;
}

/* Below or above the main diagonal, with sorted rows. */
static gb_Symmetry side_of(const gb_CsView *A) {
    bool below = true, above = true;
    for (uint64_t k = 0; k < A->nmajor && (below || above); k++) {
        if (A->p[k] == A->p[k + 1]) continue;
        below = below && A->i[A->p[k + 1] - 1] < k;
        above = above && A->i[A->p[k]] > k;
    }
    return below ? GB_LOWER : above ? GB_UPPER : GB_UNSYMMETRIC;
}

gbl_Info gb_find_symmetry(gb_Matrix *A, gb_Format format) {
    gb_CsView view;
    const gbl_Info info = gb_acquire_sorted(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    const size_t bytes = gb_size_of(view.nmajor, sizeof(gb_Off));
    Symmetry w = {.A = &view, .next = gb_malloc(bytes)};
    if (w.next == NULL) return gb_fail_memory(bytes);
    const bool two = gb_threads_for(view.nvals, GB_GRAIN, gb_nthreads()) > 1;
    if (two && bytes < gb_workspace_budget() / 2) w.last = gb_malloc(bytes);
    gb_Symmetry found = GB_SYMMETRIC;
    if (!is_symmetric(&w)) found = side_of(&view);
    if (format == GB_CSC && (found == GB_LOWER || found == GB_UPPER)) /* it is A' that was seen */
        found = found == GB_LOWER ? GB_UPPER : GB_LOWER;
    gb_free(w.last, bytes);
    gb_free(w.next, bytes);
    __atomic_store_n(&A->symmetry, (int)found, __ATOMIC_RELEASE);
    return GBL_SUCCESS;
}

bool gb_lists_coincide(gb_Matrix *A) {
    const gb_Format format = gb_list_is_ready(A, GB_CSR) ? GB_CSR : GB_CSC;
    if (!A->iso || !gb_is_known_symmetric(A) || !gb_list_is_ready(A, format)) return false;
    gb_lock_to_read(&A->lock); /* another reader may begin to share them */
    const bool own = !gb_is_the_users(A->cs[format].lender);
    gb_unlock(&A->lock);
    return own;
}

gbl_Info gb_matrix_set_symmetric(gb_Matrix *A, int64_t value) {
    bool check = value == 2;
    gb_Format format;
    if (value < 0 || value > 2)
        return gb_fail(GBL_INVALID_VALUE, "GBL_SYMMETRIC is 0, 1 or 2, not %lld", (long long)value);
    if (value == 1 && A->nrows != A->ncols)
        return gb_fail(GBL_INVALID_VALUE, "A is %llu x %llu; a symmetric matrix is square",
                       (unsigned long long)A->nrows, (unsigned long long)A->ncols);
#ifndef NDEBUG
    check = value != 0;
#endif
    gbl_Info info = gb_assemble(A);
    if (info != GBL_SUCCESS || A->nrows != A->ncols || gb_is_hyper(A)) return info;
    const bool full = A->nvals == gb_positions(A);
    if (check && !full && gb_symmetry_of(A) == GB_SYMMETRY_UNKNOWN) {
        info = gb_any_format(A, GB_CSR, &format);
        if (info == GBL_SUCCESS) info = gb_find_symmetry(A, format);
        if (info != GBL_SUCCESS) return info;
    }
    const gb_Symmetry known = gb_symmetry_of(A);
    if (value == 1 && known != GB_SYMMETRY_UNKNOWN && known != GB_SYMMETRIC)
        return gb_fail(GBL_INVALID_VALUE, "A is not symmetric: it has an entry without a mirror "
                                          "image");
    const gb_Symmetry now = value == 1 || full ? GB_SYMMETRIC : known;
    __atomic_store_n(&A->symmetry, value == 0 ? GB_SYMMETRY_UNKNOWN : now, __ATOMIC_RELEASE);
    return GBL_SUCCESS;
}

/* -- formats and tiles */

static uint64_t cs_bytes(const gb_Cs *cs) {
    return (cs->nmajor + 1 + cs->pspare) * sizeof(gb_Off) + cs->icap * sizeof(gb_Idx) + cs->xcap;
}

/* Under the lock: what the compact matrix has, and the row lists. */
static void hyper_formats(const gb_Matrix *A, gbl_Formats *formats) {
    const gb_Hyper *hyper = A->hyper;
    gbl_Formats core;
    gb_matrix_formats(hyper->core, &core);
    formats->present |= core.present;
    formats->sorted = formats->sorted && core.sorted;
    formats->conversions += core.conversions;
    formats->bytes += core.bytes + gb_row_list_bytes(hyper->rows);
    if (hyper->cols != NULL && hyper->cols != hyper->rows)
        formats->bytes += gb_row_list_bytes(hyper->cols);
}

void gb_matrix_formats(gb_Matrix *A, gbl_Formats *formats) {
    gb_lock_to_read(&A->lock); /* a reader may be assembling */
    *formats = (gbl_Formats){.present = A->has & ~(unsigned)GB_HAS_TILES_OF_COLUMNS,
                             .iso = A->iso,
                             .sorted = true,
                             .pending = gb_pending_count(A),
                             .conversions = A->conversions};
    for (gb_Format format = GB_CSR; format <= GB_CSC; format++) {
        if (A->has & gb_tiles_bit(format)) formats->bytes += gb_tiles_bytes(&A->tiles[format]);
        if (!(A->has & gb_has_bit(format))) continue;
        formats->sorted = formats->sorted && A->cs[format].sorted;
        formats->bytes += cs_bytes(&A->cs[format]);
    }
    if (A->has & GBL_HAS_BITMAP) formats->bytes += A->dense.n + A->dense.spare;
    formats->bytes += A->dense.xcap;
    if (A->hyper != NULL) hyper_formats(A, formats);
    gb_unlock(&A->lock);
}

void gb_matrix_explain(gb_Matrix *A, const gbl_Explanation *how) {
    gbl_Explanation *block = gb_malloc(sizeof *block);
    if (block == NULL) return;
    *block = *how;
    block->isa = gb_backend()->name;
    block->place = "cpu";
    block->chosen = -1;
    gb_matrix_set_note(A, (gb_Note){.block = block, .bytes = sizeof *block});
}

/* Tiles with entries: as many for A as for A', so any representation serves. */
static gbl_Info count_tiles(gb_Matrix *A, uint64_t *tiles) {
    const unsigned has = gb_has(A);
    if (has & (gb_tiles_bit(GB_CSR) | gb_tiles_bit(GB_CSC))) {
        gb_TileView view;
        const gb_Format format = has & gb_tiles_bit(GB_CSR) ? GB_CSR : GB_CSC;
        const gbl_Info info = gb_acquire_tiles(A, format, &view);
        for (uint64_t t = 0; info == GBL_SUCCESS && t < view.ntiles; t++)
            *tiles += view.nnz[t] < view.nnz[t + 1];
        return info;
    }
    gb_CsView view;
    gb_Format format;
    gbl_Info info = gb_any_format(A, GB_CSR, &format);
    if (info == GBL_SUCCESS) info = gb_acquire(A, format, &view);
    return info == GBL_SUCCESS ? gb_backend()->count_tiles(&view, tiles, gb_nthreads()) : info;
}

gbl_Info gb_matrix_tiles(gb_Matrix *A, gbl_TileFacts *facts) {
    uint64_t nvals, tiles = 0;
    gbl_Info info = gb_matrix_nvals(A, &nvals);
    if (info == GBL_SUCCESS && gb_is_huge(A)) info = gb_fail_hyper(A);
    if (info == GBL_SUCCESS && nvals > 0) info = count_tiles(A, &tiles);
    if (info != GBL_SUCCESS) return info;
    const size_t xbytes = (A->iso && nvals > 0 ? 1 : nvals) * A->type->size;
    const gb_Tiles as_tiles = {.nmajor = A->nrows, .ntiles = tiles, .nvals = nvals, .xcap = xbytes};
    const gb_Cs as_rows = {.nmajor = A->nrows, .icap = nvals, .xcap = xbytes};
    *facts = (gbl_TileFacts){.tiles = tiles,
                             .fill = tiles > 0 ? (double)nvals / (double)tiles : 0.0,
                             .bytes = gb_tiles_bytes(&as_tiles),
                             .bytes_rows = cs_bytes(&as_rows)};
    return GBL_SUCCESS;
}
