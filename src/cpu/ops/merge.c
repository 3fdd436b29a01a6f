/* SPDX-License-Identifier: Apache-2.0
 *
 * Union, intersection and filter of sorted compressed views.
 *
 * Two passes over slices of equal work: the first counts matches, which gives every slice its place
 * in Z, the second writes. Where a slice begins depends on the number of threads, what is written
 * does not. A single slice is not counted: Z gets as much room as it may take, and is trimmed.
 * Values: see merge.h.
 */
#include "core/arrays.h"
#include "cpu/cpu.h"
#include "cpu/ops/map.h"
#include "cpu/ops/merge.h"

/* Entries of a slice, in units of GB_GRAIN: a cut costs two binary searches, a few us. Many slices
 * balance the load, and an intersection skips those that it finds empty. */
enum { SLICE_GRAINS = 4 };

/* -- cutting a merge into slices of equal work */

/* A cut is a place between two entries of the merged order (by row, then column): entries of X
 * before position x and of Y before position y lie before it, all others after it. Equal columns of
 * a row are never parted. A row may be cut, so that one long row (a vector) is shared by all
 * threads. */
typedef struct {
    uint64_t row, x, y; /* row of the first entry after the cut; positions in X.i and Y.i */
} Cut;

enum { MAX_SLICES = 256 };

/* The row lies wholly or with its first entries after the cut. */
static bool is_before_row(const Cut *cut, const gb_CsView *X, const gb_CsView *Y) {
    return cut->x == X->p[cut->row] && cut->y == Y->p[cut->row];
}

static gb_RowPart part_of_row(const Cut *slice, uint64_t row, const gb_CsView *X,
                              const gb_CsView *Y) {
    const bool first = row == slice[0].row, last = row == slice[1].row;
    return (gb_RowPart){.x = first ? slice[0].x : X->p[row],
                        .xend = last ? slice[1].x : X->p[row + 1],
                        .y = first ? slice[0].y : Y->p[row],
                        .yend = last ? slice[1].y : Y->p[row + 1]};
}

/* Moves the cut to the place before column j of its row; returns the entries before it. */
static uint64_t cut_before(Cut *cut, const gb_CsView *X, const gb_CsView *Y, uint64_t j) {
    cut->x = gb_first_at_least(X->i, X->p[cut->row], X->p[cut->row + 1], j);
    cut->y = gb_first_at_least(Y->i, Y->p[cut->row], Y->p[cut->row + 1], j);
    return cut->x + cut->y;
}

static Cut find_cut(const gb_CsView *X, const gb_CsView *Y, uint64_t work) {
    /* the last row with at most `work` entries of X and Y before it */
    const uint64_t row = GB_FIRST(k, 1, X->nmajor, X->p[k] + Y->p[k] > work) - 1;
    Cut cut = {.row = row, .x = X->p[row], .y = Y->p[row]};
    if (cut.x + cut.y == work) return cut;
    const uint64_t column = GB_FIRST(j, 0, X->nminor, cut_before(&cut, X, Y, j) >= work);
    cut_before(&cut, X, Y, column);
    return cut;
}

/* cuts[0 .. n], n <= MAX_SLICES. Two binary searches each: for the row by the sum of both pointer
 * arrays, then for the column inside the row. */
static void find_cuts(Cut *cuts, uint64_t n, const gb_CsView *X, const gb_CsView *Y) {
    const uint64_t work = X->nvals + Y->nvals;
    cuts[0] = (Cut){0};
    for (uint64_t t = 1; t < n; t++) cuts[t] = find_cut(X, Y, gb_part(work, t, n));
    cuts[n] = (Cut){.row = X->nmajor, .x = X->nvals, .y = Y->nvals};
}

typedef struct {
    uint64_t n; /* slices */
    int nthreads;
    Cut cuts[MAX_SLICES + 1];
    uint64_t place[MAX_SLICES + 1]; /* position in Z where each slice begins */
    uint64_t matches;
} Slices;

typedef struct {
    const gb_MergeJob *job;
    const Slices *slices;
    uint64_t *out; /* [slices] matches of each; of the second pass, the end of the last one */
    gb_Off *Zp;    /* second pass */
} Pass;

/* -- first pass */

static void count_slice(void *context, uint64_t t) {
    const Pass *c = context;
    const gb_MergeJob *job = c->job;
    const Cut *cut = &c->slices->cuts[t];
    uint64_t n = 0;
    for (uint64_t r = cut[0].row; r < job->X.nmajor && r <= cut[1].row; r++)
        n += gb_merge_count(job, part_of_row(cut, r, &job->X, &job->Y));
    c->out[t] = n;
}

/* Entries of a merge of nx and ny entries, so many of which are in common. */
static uint64_t merged(gb_MergeMode mode, uint64_t nx, uint64_t ny, uint64_t common) {
    return mode == GB_MERGE_UNITE       ? nx + ny - common
           : mode == GB_MERGE_INTERSECT ? common
                                        : nx - common;
}

static gbl_Info count_slices(const gb_MergeJob *job, Slices *slices) {
    uint64_t common[MAX_SLICES];
    const gbl_Info info = gb_parallel_try(slices->nthreads, slices->n, count_slice,
                                          &(Pass){job, slices, common, NULL});
    if (info != GBL_SUCCESS) return info;
    slices->place[0] = 0;
    slices->matches = 0;
    for (uint64_t t = 0; t < slices->n; t++) {
        const Cut *cut = &slices->cuts[t];
        const uint64_t nx = cut[1].x - cut[0].x, ny = cut[1].y - cut[0].y;
        slices->place[t + 1] = slices->place[t] + merged(job->mode, nx, ny, common[t]);
        slices->matches += common[t];
    }
    return GBL_SUCCESS;
}

/* Whether the values of an intersection differ, as far as their sources tell. */
static bool varies(const gb_Pairs *pairs) {
    return (!pairs->xiso && gb_binary_uses_x(pairs->op)) ||
           (!pairs->yiso && gb_binary_uses_y(pairs->op));
}

/* One slice, and nobody asks whether there are matches. */
static bool is_bounded(const gb_MergeJob *job, const Slices *slices) {
    if (slices->n > 1) return false;
    if (job->mode == GB_MERGE_UNITE) return job->xlone.mask != 0 || job->ylone.mask != 0;
    return job->mode != GB_MERGE_INTERSECT || !job->combine || varies(&job->pairs);
}

/* Its room in the place of its entries, and the most matches in the place of theirs. */
static void bound_slice(const gb_MergeJob *job, Slices *slices) {
    const uint64_t nx = job->X.nvals, ny = job->Y.nvals;
    slices->matches = nx < ny ? nx : ny;
    slices->place[0] = 0;
    slices->place[1] = job->mode == GB_MERGE_UNITE       ? nx + ny
                       : job->mode == GB_MERGE_INTERSECT ? slices->matches
                                                         : nx;
}

/* -- second pass */

static void fill_slice(void *context, uint64_t t) {
    const Pass *f = context;
    const gb_MergeJob *job = f->job;
    const Cut *cut = &f->slices->cuts[t];
    const bool owns_first = is_before_row(&cut[0], &job->X, &job->Y);
    const bool enters_last = !is_before_row(&cut[1], &job->X, &job->Y);
    const uint64_t end = cut[1].row + enters_last, last = f->slices->place[t + 1];
    uint64_t k = f->slices->place[t];
    gb_Matches matches;
    matches.n = 0;
    for (uint64_t r = cut[0].row; r < end; r++) {
        if (r > cut[0].row || owns_first) f->Zp[r] = k;
        if (k == last) continue;
        const gb_RowPart part = part_of_row(cut, r, &job->X, &job->Y);
        k = gb_merge_row(job, part, k, last, &matches);
    }
    gb_merge_flush(job, &matches);
    if (t + 1 == f->slices->n) *f->out = k;
}

/* -- results with one value for all entries */

/* The value that all entries of Z share, as Z's type, or NULL. */
static const void *find_iso(const gb_MergeJob *job, const Slices *slices) {
    const gb_Pairs *pairs = &job->pairs;
    if (!job->combine && job->mode != GB_MERGE_UNITE)
        return job->xlone.mask == 0 ? job->xlone.x : NULL;
    const gb_PairsAt first = {.from = 0};
    if (job->mode == GB_MERGE_INTERSECT) {
        if (varies(pairs) || slices->matches == 0) return NULL;
        return gb_pairs_combine(pairs, job->work, first, 1, NULL);
    }
    const void *x = job->xlone.x, *y = job->ylone.x;
    if (job->xlone.mask != 0 || job->ylone.mask != 0 || memcmp(x, y, job->zsize) != 0) return NULL;
    if (!job->combine || slices->matches == 0) return y;
    const void *both = gb_pairs_combine(pairs, job->work, first, 1, NULL);
    return memcmp(both, y, job->zsize) == 0 ? y : NULL;
}

/* -- memory */
static gbl_Info alloc_result(gb_Cs *Z, uint64_t nmajor, uint64_t nvals, size_t xsize, bool iso) {
    const gbl_Info info = gb_cs_alloc(Z, nmajor, nvals, gb_size_of(iso ? 1 : nvals, xsize));
    Z->iso = iso && info == GBL_SUCCESS;
    return info;
}

/* Workspace for combining values, when there is anything to combine. */
static gbl_Info alloc_work(gb_MergeJob *job, const Slices *slices, size_t *bytes) {
    *bytes = 0;
    job->work = NULL;
    if (!job->combine || slices->matches == 0) return GBL_SUCCESS;
    job->work_bytes = gb_pairs_prepare(&job->pairs, slices->matches);
    job->batch = job->pairs.batch;
    if (!gb_size_mul(bytes, (uint64_t)slices->nthreads, job->work_bytes))
        return gb_fail_memory(SIZE_MAX);
    job->work = gb_malloc(*bytes);
    return job->work != NULL ? GBL_SUCCESS : gb_fail_memory(*bytes);
}

/* Values of a side as Z's type: a cast copy when the types differ. */
static gbl_Info lone_values(gb_Column *lone, void **owned, size_t *bytes, const gb_CsView *view,
                            const gb_Type *type, const gb_Type *ztype, int nthreads) {
    const uint64_t n = view->nvals > 0 && view->iso ? 1 : view->nvals;
    *lone = (gb_Column){.x = view->x, .mask = view->iso ? 0 : UINT64_MAX};
    *owned = NULL;
    *bytes = 0;
    if (type == ztype || n == 0) return GBL_SUCCESS;
    const gb_Array values = {.type = type, .x = view->x, .n = n};
    const gbl_Info info = gb_cast_copy(owned, bytes, ztype, &values, nthreads);
    lone->x = *owned;
    return info;
}

/* -- equal patterns: every entry is a match */

/* Nothing is known of values that do not vary; they may be one for all. */
static bool has_equal_patterns(const gb_MergeJob *job) {
    const gb_CsView *X = &job->X, *Y = &job->Y;
    return job->combine && X->nvals == Y->nvals && varies(&job->pairs) &&
           (X->i == Y->i || memcmp(X->i, Y->i, X->nvals * sizeof *X->i) == 0) &&
           (X->p == Y->p || memcmp(X->p, Y->p, (X->nmajor + 1) * sizeof *X->p) == 0);
}

static void combine_range(void *context, uint64_t from, uint64_t to) {
    const gb_MergeJob *job = context;
    char *work = job->work + (size_t)gb_thread_id() * job->work_bytes;
    for (uint64_t k = from; k < to; k += job->batch) {
        const uint64_t n = gb_min_size(job->batch, to - k);
        gb_pairs_combine(&job->pairs, work, (gb_PairsAt){.from = k}, n, job->Zx + k * job->zsize);
    }
}

static gbl_Info combine_all(gb_MergeJob *job, int nthreads, gb_Cs *Z) {
    const uint64_t n = job->X.nvals;
    Slices slices = {.nthreads = gb_threads_for(n, GB_GRAIN, nthreads), .matches = n};
    size_t work_bytes;
    gbl_Info info = alloc_work(job, &slices, &work_bytes);
    if (info == GBL_SUCCESS) info = alloc_result(Z, job->X.nmajor, n, job->zsize, false);
    if (info == GBL_SUCCESS) {
        job->Zx = Z->x;
        memcpy(Z->i, job->X.i, n * sizeof *Z->i);
        memcpy(Z->p, job->X.p, (Z->nmajor + 1) * sizeof *Z->p);
        info = gb_parallel_try_ranges(slices.nthreads, n, combine_range, job);
        if (info != GBL_SUCCESS) gb_cs_free(Z);
    }
    gb_free(job->work, work_bytes);
    return info;
}

/* -- the whole of a merge */
/* The merge itself, once the job knows where its values are. */
static gbl_Info merge(gb_MergeJob *job, int nthreads, gb_Cs *Z) {
    const uint64_t work = job->X.nvals + job->Y.nvals, n = work / (SLICE_GRAINS * GB_GRAIN) + 1;
    const size_t size = job->zsize;
    Slices slices;
    size_t work_bytes;
    if (has_equal_patterns(job)) return combine_all(job, nthreads, Z);
    slices.n = n < MAX_SLICES ? n : MAX_SLICES;
    slices.nthreads = gb_threads_for(work, GB_GRAIN, nthreads);
    find_cuts(slices.cuts, slices.n, &job->X, &job->Y);
    const bool bounded = is_bounded(job, &slices);
    gbl_Info info = GBL_SUCCESS;
    if (bounded)
        bound_slice(job, &slices);
    else
        info = count_slices(job, &slices);
    if (info == GBL_SUCCESS) info = alloc_work(job, &slices, &work_bytes);
    if (info != GBL_SUCCESS) return info;
    const void *iso = find_iso(job, &slices);
    info = alloc_result(Z, job->X.nmajor, slices.place[slices.n], job->zsize, iso != NULL);
    if (info == GBL_SUCCESS) {
        job->Zi = Z->i;
        job->Zx = Z->x;
        if (iso != NULL) {
            if (Z->x != NULL) memcpy(Z->x, iso, job->zsize);
            job->zsize = 0;
            job->combine = false;
        }
        info = gb_parallel_try(slices.nthreads, slices.n, fill_slice,
                               &(Pass){job, &slices, &Z->nvals, Z->p});
        Z->p[job->X.nmajor] = Z->nvals;
        if (info != GBL_SUCCESS)
            gb_cs_free(Z);
        else if (bounded)
            gb_cs_trim(Z, size);
    }
    gb_free(job->work, work_bytes);
    return info;
}

/* Z = the view, its values cast to ztype. */
static gbl_Info copy_side(gb_Cs *Z, const gb_CsView *view, const gb_Type *type,
                          const gb_Type *ztype, int nthreads) {
    gb_Column lone;
    void *cast;
    size_t bytes;
    gbl_Info info = lone_values(&lone, &cast, &bytes, view, type, ztype, nthreads);
    gb_CsView values = *view;
    values.x = lone.x;
    values.xsize = ztype->size;
    if (info == GBL_SUCCESS) info = gb_cpu_copy_cs(&values, Z, nthreads);
    gb_free(cast, bytes);
    return info;
}

static gb_MergeJob start_job(gb_MergeMode mode, const gb_MergeArgs *args) {
    return (gb_MergeJob){.mode = mode,
                         .X = args->X,
                         .Y = args->Y,
                         .combine = args->op != NULL,
                         .pairs = {.op = args->op,
                                   .xtype = args->xtype,
                                   .ytype = args->ytype,
                                   .ztype = args->ztype,
                                   .x = args->X.x,
                                   .y = args->Y.x,
                                   .xiso = args->X.iso,
                                   .yiso = args->Y.iso},
                         .batch = GB_BATCH,
                         .zsize = args->ztype->size};
}

gbl_Info gb_cpu_unite(const gb_MergeArgs *args, gb_Cs *Z) {
    *Z = (gb_Cs){0};
    if (args->Y.nvals == 0) return copy_side(Z, &args->X, args->xtype, args->ztype, args->nthreads);
    if (args->X.nvals == 0) return copy_side(Z, &args->Y, args->ytype, args->ztype, args->nthreads);
    gb_MergeJob job = start_job(GB_MERGE_UNITE, args);
    void *xowned, *yowned = NULL;
    size_t xbytes, ybytes = 0;
    gbl_Info info = lone_values(&job.xlone, &xowned, &xbytes, &args->X, args->xtype, args->ztype,
                                args->nthreads);
    if (info == GBL_SUCCESS)
        info = lone_values(&job.ylone, &yowned, &ybytes, &args->Y, args->ytype, args->ztype,
                           args->nthreads);
    if (info == GBL_SUCCESS) info = merge(&job, args->nthreads, Z);
    gb_free(xowned, xbytes);
    gb_free(yowned, ybytes);
    return info;
}

gbl_Info gb_cpu_intersect(const gb_MergeArgs *args, gb_Cs *Z) {
    gb_MergeJob job = start_job(GB_MERGE_INTERSECT, args);
    *Z = (gb_Cs){0};
    return merge(&job, args->nthreads, Z);
}

gbl_Info gb_cpu_filter(const gb_CsView *A, const gb_CsView *M, bool inside, gb_Cs *Z,
                       int nthreads) {
    gb_MergeJob job = {.mode = inside ? GB_MERGE_INTERSECT : GB_MERGE_OUTSIDE,
                       .X = *A,
                       .Y = *M,
                       .batch = GB_BATCH,
                       .xlone = {.x = A->x, .mask = A->iso ? 0 : UINT64_MAX},
                       .zsize = A->x == NULL ? 0 : A->xsize};
    *Z = (gb_Cs){0};
    return merge(&job, nthreads, Z);
}

/* -- combining the values of matches */

void gb_merge_flush(const gb_MergeJob *job, gb_Matches *matches) {
    const uint64_t n = matches->n;
    if (n == 0) return;
    char *work = job->work + (size_t)gb_thread_id() * job->work_bytes;
    const gb_PairsAt at = {.x = matches->x, .y = matches->y};
    gb_scatter(job->Zx, matches->z, gb_pairs_combine(&job->pairs, work, at, n, NULL), job->zsize,
               n);
    matches->n = 0;
}
