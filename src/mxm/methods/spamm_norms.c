/* SPDX-License-Identifier: Apache-2.0
 *
 * Sub-matrices, their norms, and the search for tau; see spamm.h.
 */
#include "mxm/methods/spamm.h"

#include <float.h>
#include <stdlib.h>

static uint64_t blocks_of(uint64_t n, unsigned side) {
    return n / side + (n % side != 0);
}

/* -- sub-matrices ------------------------------------------------------------------------------ */

static gb_NormSource source_of(const gb_Factor *F) {
    const gb_CsView *rows = &F->taken.view;
    const gb_TileView *tiles = &F->tiles.view;
    const bool single = F->type->code == GBL_FP32_CODE;
    if (!gb_spamm_is_full(F))
        return (gb_NormSource){
            .nmajor = tiles->nmajor, .nminor = tiles->nminor, .single = single, .tiles = *tiles};
    return (gb_NormSource){.nmajor = rows->nmajor,
                           .nminor = rows->nminor,
                           .full = true,
                           .iso = rows->iso,
                           .single = single,
                           .x = rows->x};
}

/* Norms of the factor's tiles of 16 x 16. */
static gbl_Info tile_norms(double **norm, size_t *bytes, const gb_Factor *F, bool rounded,
                           const gb_NormSource *source) {
    const bool cast = F->type != F->X->type && F->type->code != F->X->type->code;
    *norm = NULL;
    if (!gb_size_mul(bytes, gb_norms_count(source), sizeof **norm)) return gb_fail_memory(SIZE_MAX);
    *norm = gb_malloc(*bytes);
    if (*norm == NULL && *bytes > 0) return gb_fail_memory(*bytes);
    if (cast || rounded)
        gb_norms_compute(*norm, source);
    else
        gb_norms_get(*norm, F->X, F->rows, source);
    return GBL_SUCCESS;
}

/* Tiles of a row of sub-matrices: at[h] is the next one in its h-th row of tiles. */
typedef struct {
    const gb_TileView *T;
    unsigned across; /* tiles of a side */
    gb_Off at[4], end[4];
} TileWalk;

static void walk_begin(TileWalk *walk, const gb_TileView *T, unsigned across, uint64_t I) {
    const uint64_t rows = gb_tile_count(T->nmajor);
    *walk = (TileWalk){.T = T, .across = across};
    for (unsigned h = 0; h < across && I * across + h < rows; h++) {
        walk->at[h] = T->p[I * across + h];
        walk->end[h] = T->p[I * across + h + 1];
    }
}

/* The next sub-matrix with tiles: its column, and the norms of its tiles; false: none is left. */
static bool walk_next(TileWalk *walk, gb_Idx *column, const double *norm, double *of, unsigned *n) {
    bool found = false;
    for (unsigned h = 0; h < walk->across; h++) {
        if (walk->at[h] == walk->end[h]) continue;
        const gb_Idx J = walk->T->i[walk->at[h]] / walk->across;
        if (!found || J < *column) *column = J;
        found = true;
    }
    *n = 0;
    for (unsigned h = 0; found && h < walk->across; h++)
        for (; walk->at[h] < walk->end[h] && walk->T->i[walk->at[h]] / walk->across == *column;
             walk->at[h]++)
            of[(*n)++] = norm[walk->at[h]];
    return found;
}

static void cut_tiles(gb_SpammCut *cut, const gb_TileView *T, const double *norm, unsigned side) {
    TileWalk walk;
    double of[16];
    unsigned n;
    gb_Idx column = 0;
    uint64_t at = 0;
    for (uint64_t I = 0; I < cut->rows; I++) {
        cut->p[I] = at;
        walk_begin(&walk, T, side / GB_TILE, I);
        for (; walk_next(&walk, &column, norm, of, &n); at++) {
            cut->i[at] = column;
            cut->norm[at] = gb_norms_join(of, n);
        }
    }
    cut->p[cut->rows] = cut->n = at;
}

static void cut_full(gb_SpammCut *cut, const gb_NormSource *s, const double *norm, unsigned side) {
    const unsigned across = side / GB_TILE;
    const uint64_t rows = gb_tile_count(s->nmajor), columns = gb_tile_count(s->nminor);
    double of[16];
    for (uint64_t I = 0; I < cut->rows; I++) {
        cut->p[I] = I * cut->columns;
        for (uint64_t J = 0; J < cut->columns; J++) {
            unsigned n = 0;
            for (uint64_t r = I * across; r < (I + 1) * across && r < rows; r++)
                for (uint64_t c = J * across; c < (J + 1) * across && c < columns; c++)
                    of[n++] = norm[r * columns + c];
            cut->i[cut->p[I] + J] = (gb_Idx)J;
            cut->norm[cut->p[I] + J] = gb_norms_join(of, n);
        }
    }
    cut->p[cut->rows] = cut->n = cut->rows * cut->columns;
}

/* Arrays for `most` sub-matrices. */
static gbl_Info cut_alloc(gb_SpammCut *cut, uint64_t most) {
    if (most >= UINT32_MAX / 2)
        return gb_fail(GBL_OUT_OF_MEMORY,
                       "a factor has up to %llu sub-matrices, and SPAMM numbers no more than 2^31; "
                       "set GBL_SUBMATRIX to 64 or leave the approximation out",
                       (unsigned long long)most);
    const size_t bytes = gb_size_of(most, sizeof *cut->norm);
    cut->p = gb_malloc((cut->rows + 1) * sizeof *cut->p);
    cut->i = gb_malloc(most * sizeof *cut->i);
    cut->norm = gb_malloc(bytes);
    cut->room = most;
    if (cut->p != NULL && cut->i != NULL && cut->norm != NULL) return GBL_SUCCESS;
    gb_spamm_cut_free(cut);
    return gb_fail_memory(bytes);
}

gbl_Info gb_spamm_cut(gb_SpammCut *cut, const gb_Factor *F, unsigned side, bool rounded) {
    const gb_NormSource source = source_of(F);
    const bool full = source.full;
    double *norm = NULL;
    size_t bytes = 0;
    *cut = (gb_SpammCut){.rows = blocks_of(source.nmajor, side),
                         .columns = blocks_of(source.nminor, side)};
    gbl_Info info = cut_alloc(cut, full ? cut->rows * cut->columns : source.tiles.ntiles);
    if (info == GBL_SUCCESS) info = tile_norms(&norm, &bytes, F, rounded, &source);
    if (info == GBL_SUCCESS && full) cut_full(cut, &source, norm, side);
    if (info == GBL_SUCCESS && !full) cut_tiles(cut, &source.tiles, norm, side);
    gb_free(norm, bytes);
    if (info != GBL_SUCCESS) gb_spamm_cut_free(cut);
    return info;
}

void gb_spamm_cut_free(gb_SpammCut *cut) {
    gb_free(cut->p, (cut->rows + 1) * sizeof *cut->p);
    gb_free(cut->i, cut->room * sizeof *cut->i);
    gb_free(cut->norm, cut->room * sizeof *cut->norm);
    *cut = (gb_SpammCut){0};
}

gb_SpammFactor gb_spamm_factor(const gb_SpammCut *cut, const gb_Factor *F) {
    const gb_NormSource s = source_of(F);
    return (gb_SpammFactor){.nmajor = s.nmajor,
                            .nminor = s.nminor,
                            .full = s.full,
                            .iso = s.iso,
                            .x = s.x,
                            .tiles = s.tiles,
                            .n = cut->n,
                            .p = cut->p,
                            .i = cut->i,
                            .norm = cut->norm};
}

/* -- norms by rank ----------------------------------------------------------------------------- */

static int by_norm(const void *x, const void *y) {
    const double a = *(const double *)x, b = *(const double *)y;
    return (a < b) - (a > b);
}

static int by_rank(const void *x, const void *y) {
    const gb_SpammRank *a = x, *b = y;
    if (a->norm != b->norm) return a->norm < b->norm ? 1 : -1;
    return (a->column > b->column) - (a->column < b->column);
}

/* Norms of A by columns, and where each column begins. */
static void transpose_norms(gb_SpammNorms *to, const gb_SpammCut *A) {
    for (uint64_t k = 0; k <= to->inner; k++) to->ap[k] = 0;
    for (gb_Off q = 0; q < A->n; q++) to->ap[A->i[q] + 1]++;
    for (uint64_t k = 0; k < to->inner; k++) to->ap[k + 1] += to->ap[k];
    for (gb_Off q = 0; q < A->n; q++) to->a[to->ap[A->i[q]]++] = A->norm[q];
    for (uint64_t k = to->inner; k > 0; k--) to->ap[k] = to->ap[k - 1];
    to->ap[0] = 0;
}

typedef struct {
    gb_SpammNorms *norms;
    const gb_SpammCut *B;
} RankJob;

static void rank_one(void *context, uint64_t k) {
    const RankJob *job = context;
    gb_SpammNorms *to = job->norms;
    const gb_Off first = to->bp[k], end = to->bp[k + 1];
    double *beyond = to->beyond + first + k;
    qsort(to->a + to->ap[k], to->ap[k + 1] - to->ap[k], sizeof *to->a, by_norm);
    to->most[k] = to->ap[k + 1] > to->ap[k] ? to->a[to->ap[k]] : -1.0;
    for (gb_Off q = first; q < end; q++)
        to->rank[q] = (gb_SpammRank){job->B->norm[q], job->B->i[q], (uint32_t)q};
    qsort(to->rank + first, end - first, sizeof *to->rank, by_rank);
    beyond[end - first] = 0.0;
    for (gb_Off q = end; q-- > first;)
        beyond[q - first] =
            gb_norms_join((const double[]){beyond[q - first + 1], to->rank[q].norm}, 2);
}

gbl_Info gb_spamm_norms(gb_SpammNorms *norms, const gb_SpammCut *A, const gb_SpammCut *B,
                        int nthreads) {
    *norms = (gb_SpammNorms){.inner = B->rows,
                             .an = A->n,
                             .bn = B->n,
                             .bp = B->p,
                             .triples = (double)A->rows * (double)A->columns * (double)B->columns};
    norms->ap = gb_malloc((norms->inner + 1) * sizeof *norms->ap);
    norms->a = gb_malloc(A->n * sizeof *norms->a);
    norms->most = gb_malloc(norms->inner * sizeof *norms->most);
    norms->rank = gb_malloc(B->n * sizeof *norms->rank);
    norms->beyond = gb_malloc((B->n + norms->inner) * sizeof *norms->beyond);
    if (norms->ap == NULL || norms->a == NULL || norms->most == NULL || norms->rank == NULL ||
        norms->beyond == NULL) {
        gb_spamm_norms_free(norms);
        return gb_fail_memory((A->n + 4 * B->n) * sizeof(double));
    }
    transpose_norms(norms, A);
    gb_parallel_for(nthreads, norms->inner, rank_one, &(RankJob){norms, B});
    return GBL_SUCCESS;
}

void gb_spamm_norms_free(gb_SpammNorms *norms) {
    gb_free(norms->ap, (norms->inner + 1) * sizeof *norms->ap);
    gb_free(norms->a, norms->an * sizeof *norms->a);
    gb_free(norms->most, norms->inner * sizeof *norms->most);
    gb_free(norms->rank, norms->bn * sizeof *norms->rank);
    gb_free(norms->beyond, (norms->bn + norms->inner) * sizeof *norms->beyond);
    *norms = (gb_SpammNorms){0};
}

/* -- tau --------------------------------------------------------------------------------------- */

/* Column k of A with row k of B: adds to the outcome. Careful: squares overflow or vanish; products
 * that vanish count as the least number. */
static void add_inner(gb_SpammOutcome *to, const gb_SpammNorms *norms, uint64_t k, double tau,
                      bool careful) {
    const gb_SpammRank *b = norms->rank + norms->bp[k];
    const double *beyond = norms->beyond + norms->bp[k] + k;
    uint64_t valid = norms->bp[k + 1] - norms->bp[k];
    double squares = 0.0, bound = 0.0, some = 0.0;
    for (gb_Off p = norms->ap[k]; p < norms->ap[k + 1]; p++) {
        const double a = norms->a[p];
        while (valid > 0 && gb_spamm_skips(a, b[valid - 1].norm, tau)) valid--;
        some += (double)valid;
        const double out = beyond[valid] > 0.0 ? a * beyond[valid] : 0.0; /* no 0 * inf */
        squares += out * out;
        if (careful && a > 0.0 && beyond[valid] > 0.0)
            bound = gb_norms_join((const double[]){bound, out + DBL_TRUE_MIN}, 2);
    }
    if (!careful && !gb_squares_are_plain(squares)) {
        add_inner(to, norms, k, tau, true);
        return;
    }
    to->valid += some;
    to->bound += careful ? bound : sqrt(squares);
}

gb_SpammOutcome gb_spamm_outcome(const gb_SpammNorms *norms, double tau) {
    gb_SpammOutcome outcome = {0.0, 0.0};
    for (uint64_t k = 0; k < norms->inner; k++) add_inner(&outcome, norms, k, tau, false);
    outcome.bound *= 1.0 + GB_SPAMM_ROUNDING;
    return outcome;
}

/* Doubles that are not negative come in the order of their bits. */
static double of_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Bits of infinity, and of a double below those that count for a millionth. */
#define INFINITE ((uint64_t)0x7ff << 52)
#define FINE ((uint64_t)1 << 32)

static double ratio_at(const gb_SpammAsk *ask, double tau) {
    return ask->outcome(ask->context, tau).valid / ask->triples;
}

static double tau_for_ratio(const gb_SpammAsk *ask, double ratio) {
    uint64_t low = 0, high = INFINITE;
    double above = ratio_at(ask, 0.0), below = 0.0; /* ratios at low and high */
    if (above <= ratio) return 0.0;
    while (high - low > FINE) {
        const uint64_t middle = low + (high - low) / 2;
        const double found = ratio_at(ask, of_bits(middle));
        if (fabs(found - ratio) <= GB_SPAMM_RATIO_ERROR * ratio) return of_bits(middle);
        if (found >= ratio)
            low = middle, above = found;
        else
            high = middle, below = found;
    }
    return of_bits(above - ratio <= ratio - below ? low : high);
}

static double tau_for_bound(const gb_SpammAsk *ask, double error) {
    uint64_t low = 0, high = INFINITE;
    while (high - low > FINE) {
        const uint64_t middle = low + (high - low) / 2;
        if (ask->outcome(ask->context, of_bits(middle)).bound <= error)
            low = middle;
        else
            high = middle;
    }
    return of_bits(low);
}

double gb_spamm_find_tau(const void *asked, const gb_SpammAsk *ask) {
    const gb_Choices *choices = asked;
    if (choices->approximates == GBL_TAU) return choices->approximate;
    if (choices->approximates == GBL_VALID_RATIO) return tau_for_ratio(ask, choices->approximate);
    if (choices->approximates == GBL_ERROR_BOUND) return tau_for_bound(ask, choices->approximate);
    return 0.0;
}
