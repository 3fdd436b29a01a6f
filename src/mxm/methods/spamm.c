/* SPDX-License-Identifier: Apache-2.0
 *
 * SPAMM: an approximate product (Challacombe and Bock 2010; cuSpAMM, Liu et al. 2021). Products of
 * sub-matrices are left out if the product of their norms is below tau; tau is given, or found for
 * a ratio of products or an error bound. Chosen only on request, since it changes the result.
 * Kernels: cpu/spamm/spamm.c, and src/cuda/spamm/spamm.cu for full factors on one GPU or several;
 * measurements: docs/spamm.md.
 */
#include "mxm/methods/spamm.h"

#include "core/clock.h"

/* -- rounding of factors ----------------------------------------------------------------------- */

/* To FP16, BF16 or TF32, to the nearest value and half way to even, before norms are taken and
 * products made; sums stay FP32. Products of two such values are exact in FP32, but for BF16 and
 * TF32 that leave its range. Integer arithmetic only, so that all instruction sets give the same
 * bits (AVX-512's conversion to BF16 flushes subnormals); bound by memory bandwidth.
 *
 * The error: A B - A' B' = (A - A') B + A' (B - B'), and ||X Y|| <= ||X|| ||Y||. */

/* The factors of a product as used, rounded on request. */
typedef struct {
    gb_Factor A, B;
    gb_SpammValues values; /* what they are now */
    bool rounded;
    double error; /* of A * B by rounding, in the Frobenius norm; 0 without */
    double bytes; /* held */
    struct {
        void *x;
        size_t bytes;
    } own[2];
} Rounded;

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static float of_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Without its last `drop` bits; NaN stays NaN. */
static uint32_t round_bits(uint32_t bits, unsigned drop) {
    const uint32_t half = (1u << (drop - 1)) - 1u + (bits >> drop & 1u);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return (bits | 0x00400000u) >> drop << drop;
    return (bits + half) >> drop << drop;
}

/* Of FP16: 10 bits after the first, 2^-24 the least, below 65520. */
static float round_fp16(float x) {
    const uint32_t bits = bits_of(x), size = bits & 0x7fffffffu, sign = bits & 0x80000000u;
    if (size >= 0x477ff000u && size <= 0x7f800000u) return of_bits(sign | 0x7f800000u);
    if (size >= 0x38800000u) return of_bits(round_bits(bits, 13));
    const float magic = 0.75f; /* whose last bit is 2^-24: adding it rounds */
    return of_bits(sign | bits_of((of_bits(size) + magic) - magic));
}

/* 16 bits of a value that is rounded. */
static uint16_t pack_one(float x, gb_SpammValues values) {
    const uint32_t bits = bits_of(x), size = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
    if (values == GB_SPAMM_BF16) return (uint16_t)(bits >> 16);
    if (size >= 0x7f800000u) return (uint16_t)(sign | 0x7c00u | (size >> 13 & 0x3ffu));
    if (size >= 0x38800000u) return (uint16_t)(sign | ((size - 0x38000000u) >> 13));
    return (uint16_t)(sign | (uint32_t)(of_bits(size) * 0x1p24f));
}

/* Sums of squares: of values, of rounded ones, of their differences. */
typedef struct {
    double before, after, lost;
} Squares;

typedef struct {
    const float *from;
    void *to;
    uint64_t n, each;
    gb_SpammValues values;
    bool pack;
    Squares *part;
} RoundJob;

static double square_of(double x) {
    return isfinite(x) ? x * x : HUGE_VAL;
}

static void round_part(void *context, uint64_t part) {
    const RoundJob *job = context;
    const uint64_t first = part * job->each;
    const uint64_t end = job->n - first < job->each ? job->n : first + job->each;
    Squares sum = {0.0, 0.0, 0.0};
    for (uint64_t k = first; k < end; k++) {
        const float x = job->from[k];
        const float y =
            job->values == GB_SPAMM_FP16
                ? round_fp16(x)
                : of_bits(round_bits(bits_of(x), job->values == GB_SPAMM_BF16 ? 16 : 13));
        if (job->pack)
            ((uint16_t *)job->to)[k] = pack_one(y, job->values);
        else
            ((float *)job->to)[k] = y;
        sum.before += square_of(x);
        sum.after += square_of(y);
        sum.lost += bits_of(x) == bits_of(y) ? 0.0 : square_of((double)x - (double)y);
    }
    job->part[part] = sum;
}

/* Parts do not depend on threads, nor does the order in which they are summed. `times`: one value
 * stands for so many. */
static gbl_Info round_values(RoundJob *job, double times, int nthreads, Squares *norms) {
    const uint64_t parts = job->n / job->each + (job->n % job->each != 0);
    Squares sum = {0.0, 0.0, 0.0};
    job->part = gb_malloc(parts * sizeof *job->part);
    if (job->part == NULL && parts > 0) return gb_fail_memory(parts * sizeof *job->part);
    gb_parallel_for(nthreads, parts, round_part, job);
    for (uint64_t k = 0; k < parts; k++) {
        sum.before += job->part[k].before;
        sum.after += job->part[k].after;
        sum.lost += job->part[k].lost;
    }
    gb_free(job->part, parts * sizeof *job->part);
    *norms = (Squares){sqrt(sum.before * times), sqrt(sum.after * times), sqrt(sum.lost * times)};
    return GBL_SUCCESS;
}

static gbl_Info round_factor(Rounded *to, int which, bool pack, const gb_MxmRun *run,
                             Squares *norms) {
    gb_Factor *F = which == 0 ? &to->A : &to->B;
    const bool full = gb_spamm_is_full(F);
    const uint64_t nvals = full ? F->taken.view.nvals : F->tiles.view.nvals;
    const bool iso = full ? F->taken.view.iso : F->tiles.view.iso;
    const void **x = full ? &F->taken.view.x : &F->tiles.view.x;
    RoundJob job = {.from = *x,
                    .n = iso && nvals > 0 ? 1 : nvals,
                    .each = GB_SPAMM_ROUND,
                    .values = to->values,
                    .pack = pack};
    size_t *bytes = &to->own[which].bytes;
    *bytes = (size_t)job.n * (pack ? sizeof(uint16_t) : sizeof(float)); /* values are floats */
    const double held = run->f->memory.held + to->bytes + (double)*bytes;
    if (run->budget->limited && held > run->f->budget) {
        *bytes = 0;
        return gb_fail_limit(held + 1.0, run->f->budget);
    }
    job.to = to->own[which].x = gb_malloc(*bytes);
    if (job.to == NULL && *bytes > 0) return gb_fail_memory(*bytes);
    const int nthreads = gb_threads_for(job.n, GB_GRAIN, run->budget->cut.threads);
    *x = job.to;
    to->bytes += (double)*bytes;
    return round_values(&job, iso ? (double)nvals : 1.0, nthreads, norms);
}

static void free_rounded(Rounded *rounded) {
    for (int k = 0; k < 2; k++) gb_free(rounded->own[k].x, rounded->own[k].bytes);
    *rounded = (Rounded){.values = rounded->values};
}

static const char *rounding_name(int rounding) {
    return rounding == GBL_ROUND_FP16   ? "fp16"
           : rounding == GBL_ROUND_BF16 ? "bf16"
           : rounding == GBL_ROUND_TF32 ? "tf32"
                                        : NULL;
}

static double product_of(double x, double y) {
    return x == 0.0 || y == 0.0 ? 0.0 : x * y; /* nothing times what is infinite is nothing */
}

/* Arrays may be lent to two matrices, and of one more may belong to it. */
static bool are_the_same(const gb_MxmRun *run) {
    const gb_CsView *a = &run->in->A.taken.view, *b = &run->in->B.taken.view;
    const gb_TileView *s = &run->in->A.tiles.view, *t = &run->in->B.tiles.view;
    return a->x == b->x && a->nvals == b->nvals && a->iso == b->iso && s->x == t->x &&
           s->nvals == t->nvals && s->iso == t->iso;
}

static gbl_Info round_both(Rounded *to, const gb_MxmRun *run, bool pack) {
    const bool same = are_the_same(run);
    Squares a, b;
    gbl_Info info = round_factor(to, 0, pack, run, &a);
    b = a;
    if (info == GBL_SUCCESS && !same) info = round_factor(to, 1, pack, run, &b);
    if (info != GBL_SUCCESS) return info;
    if (same) {
        to->B.taken.view.x = to->A.taken.view.x;
        to->B.tiles.view.x = to->A.tiles.view.x;
    }
    to->error = product_of(a.lost, b.before) + product_of(a.after, b.lost);
    to->error *= 1.0 + GB_SPAMM_ROUNDING;
    const gb_Choices *choices = &run->call->choices;
    if (choices->approximates == GBL_ERROR_BOUND && !(to->error <= choices->approximate))
        return gb_fail(GBL_INVALID_VALUE,
                       "rounding the factors to %s may err by %.6g, and GBL_ERROR_BOUND is %.6g; "
                       "allow more, or round less",
                       rounding_name(choices->rounding), to->error, choices->approximate);
    return GBL_SUCCESS;
}

/* Rounded values are floats or, for a device, FP16 and BF16 in 16 bits each. GBL_OUT_OF_MEMORY;
 * GBL_INVALID_VALUE where rounding alone exceeds the GBL_ERROR_BOUND requested. Frees itself on
 * failure. */
static gbl_Info round_factors(Rounded *to, const gb_MxmRun *run, bool for_device) {
    const gbl_Desc_Value rounding = run->call->choices.rounding;
    const bool single = run->call->ring->kernel == GB_RING_PLUS_TIMES_FP32;
    *to = (Rounded){.A = run->in->A,
                    .B = run->in->B,
                    .values = single ? GB_SPAMM_FP32 : GB_SPAMM_FP64,
                    .rounded = rounding != GBL_DEFAULT};
    if (!to->rounded) return GBL_SUCCESS;
    to->values = rounding == GBL_ROUND_FP16   ? GB_SPAMM_FP16
                 : rounding == GBL_ROUND_BF16 ? GB_SPAMM_BF16
                                              : GB_SPAMM_TF32;
    const gbl_Info info = round_both(to, run, for_device && to->values != GB_SPAMM_TF32);
    if (info != GBL_SUCCESS) free_rounded(to);
    return info;
}

/* The requested bound, less the error of rounding. */
static gb_Choices choices_after(const Rounded *rounded, const gb_MxmRun *run) {
    gb_Choices choices = run->call->choices;
    if (choices.approximates == GBL_ERROR_BOUND &&
        rounded->error > 0.0) /* and their sum is no more */
        choices.approximate = (choices.approximate - rounded->error) * (1.0 - 0x1p-50);
    return choices;
}

enum { TILES, FULL }; /* kinds */

/* Of sub-matrices. */
static unsigned side_of(const gb_MxmCall *call) {
    const int32_t asked = call->choices.submatrix;
    return asked > 0 ? (unsigned)asked : GB_SPAMM_SIDE_UNASKED;
}

/* -- workspace --------------------------------------------------------------------------------- */

/* Values of the copies of a factor's sub-matrices. */
static double copied(const gb_FactorFacts *X, double rows, double columns) {
    const double side = GB_SPAMM_SIDE_UNASKED;
    return fmin(gb_expect_tiles(X), ceil(rows / side) * ceil(columns / side)) * side * side;
}

/* Copies, norms and indices; C has its exact length. The kernel checks the limit, since sizes are
 * known only once norms are. */
static gb_Workspace workspace(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    const gb_Features *f = s->f;
    const double rows = (double)f->m, inner = (double)f->k, columns = (double)f->n;
    const double copies = copied(&f->A, rows, inner) + copied(&f->B, inner, columns);
    const double tiles = gb_expect_tiles(&f->A) + gb_expect_tiles(&f->B);
    const double lists = cut->threads * (fmin(GB_SPAMM_PAIRS, s->pairs) * 8.0 + columns * 4.0);
    const double work = copies * (double)f->zsize + tiles * 24.0 + lists + rows + inner;
    (void)m;
    return (gb_Workspace){.size = 1.0, .fixed = work, .beside = work, .slices = 1.0};
}

/* -- cost -------------------------------------------------------------------------------------- */

/* As if nothing were left out: only the norms show what is. */
static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    (void)m;
    c->n[GB_RATE_SPAMM_PAIR] += fmax(s->pairs, 1.0);
    c->n[GB_RATE_SPAMM_VALUE] +=
        copied(&f->A, (double)f->m, (double)f->k) + copied(&f->B, (double)f->k, (double)f->n);
    gb_count_streaming(c, s);
    gb_cost_scale(c, 1.0 / gb_busy_threads(f, true));
    c->n[GB_RATE_CALL_TILED] = 1.0;
}

/* Side, rounding, and the bound of what was left out with what rounding adds. */
static void explain(const gb_MxmRun *run, const Rounded *factors, double bound) {
    run->why->submatrix = (int32_t)side_of(run->call);
    run->why->error_bound = bound + factors->error;
    run->why->rounding = rounding_name(run->call->choices.rounding);
    run->why->rounding_error = factors->error;
}

/* -- run --------------------------------------------------------------------------------------- */

/* Bytes that a product holds in addition to C. */
typedef struct {
    Rounded factors;
    gb_SpammCut A, B;
    gb_SpammNorms norms;
} Held;

static double held_bytes(const Held *h, const gb_MxmRun *run, int nthreads) {
    const double n = (double)(h->A.room + h->B.room);
    const double lines = (double)(h->A.rows + h->B.rows + h->norms.inner + h->B.columns);
    const double threads = (double)nthreads * (64.0 * 64.0 * 8.0 + 100.0 * (double)h->B.columns);
    return run->f->memory.held + h->factors.bytes + GB_SMALL_BYTES + n * 44.0 + lines * 32.0 +
           threads;
}

/* How often C's bytes count in addition to C itself: as tiles that may become rows, and while the
 * result waits to be merged or cast. */
static double of_result(const gb_MxmRun *run, bool full) {
    const gb_MemoryFacts *memory = &run->f->memory;
    return (full ? 0.0 : 1.0) + (memory->result_merges ? 4.0 : memory->result_waits ? 2.0 : 0.0);
}

static void held_free(Held *h) {
    gb_spamm_norms_free(&h->norms);
    gb_spamm_cut_free(&h->A);
    gb_spamm_cut_free(&h->B);
    free_rounded(&h->factors);
}

static gbl_Info measure(Held *h, const gb_MxmRun *run, int nthreads) {
    const unsigned side = side_of(run->call);
    gbl_Info info = round_factors(&h->factors, run, false);
    const bool rounded = h->factors.rounded;
    if (info == GBL_SUCCESS) info = gb_spamm_cut(&h->A, &h->factors.A, side, rounded);
    if (info == GBL_SUCCESS) info = gb_spamm_cut(&h->B, &h->factors.B, side, rounded);
    return info == GBL_SUCCESS ? gb_spamm_norms(&h->norms, &h->A, &h->B, nthreads) : info;
}

static gb_SpammOutcome outcome_at(void *norms, double tau) {
    return gb_spamm_outcome(norms, tau);
}

static gbl_Info multiply(const gb_Method *m, const gb_MxmRun *run, Held *h, gb_Result *T) {
    const bool full = m->kind == FULL;
    const int nthreads =
        gb_threads_for(run->f->flops + run->f->A.nvals, GB_GRAIN, run->budget->cut.threads);
    gbl_Explanation *why = run->why;
    gb_Meter meter;
    gb_SpammStats stats = {0};
    const double start = gb_seconds();
    const gb_SpammAsk ask = {outcome_at, &h->norms, h->norms.triples};
    const gb_Choices choices = choices_after(&h->factors, run);
    const double tau = gb_spamm_find_tau(&choices, &ask);
    const gb_SpammOutcome outcome = gb_spamm_outcome(&h->norms, tau);
    why->seconds_search = gb_seconds() - start;
    why->tau = tau;
    why->valid_ratio = outcome.valid / h->norms.triples;
    explain(run, &h->factors, outcome.bound);
    const gb_SpammArgs args = {
        .A = gb_spamm_factor(&h->A, &h->factors.A),
        .B = gb_spamm_factor(&h->B, &h->factors.B),
        .rank = h->norms.rank,
        .most = h->norms.most,
        .tau = tau,
        .side = side_of(run->call),
        .single = run->call->ring->kernel == GB_RING_PLUS_TIMES_FP32,
        .valid = outcome.valid,
        .limited = run->budget->limited,
        .limit = run->f->budget,
        .held = held_bytes(h, run, nthreads),
        .margin = 1.0 / GB_BLOCK_SHARE,
        .of_result = of_result(run, full),
        .nthreads = nthreads,
        .meter = &meter,
    };
    const gbl_Info info = gb_backend()->mxm_spamm(&args, &T->cs, &T->tiles, &stats);
    T->is_tiled = !full;
    T->masked = false;
    why->seconds_layout = stats.seconds_layout;
    why->seconds_values = stats.seconds_values;
    why->slices = 1;
    return info;
}

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    Held held = {0};
    const double start = gb_seconds();
    gbl_Info info = measure(&held, run, run->budget->cut.threads);
    run->why->seconds_norms = gb_seconds() - start;
    if (info == GBL_SUCCESS) info = multiply(m, run, &held, T);
    held_free(&held);
    return info;
}

const gb_Method gb_method_spamm_tiles = {
    .name = "spamm",
    .variant = "tiles",
    .place = GBL_PLACE_CPU,
    .about = "approximate: leaves out sub-matrices whose norms have a small product",
    .method = GBL_METHOD_SPAMM,
    .kind = TILES,
    .a = GB_AS_TILES,
    .b = GB_AS_TILES,
    .makes_tiles = true,
    .needs = GB_IF_NORMS,
    .suits = GB_IF_ASKED,
    .workspace = workspace,
    .count = count,
    .run = run,
};

const gb_Method gb_method_spamm_full = {
    .name = "spamm",
    .variant = "full",
    .place = GBL_PLACE_CPU,
    .about = "the same of factors with an entry at every place",
    .method = GBL_METHOD_SPAMM,
    .kind = FULL,
    .a = GB_FULL_BY_ROWS,
    .b = GB_FULL_BY_ROWS,
    .needs = GB_IF_NORMS | GB_IF_A_FULL | GB_IF_B_FULL,
    .suits = GB_IF_ASKED,
    .workspace = workspace,
    .count = count,
    .run = run,
};

/* -- on a GPU: upload values, norms on the device, search for tau on the host, download C
 * --------- */

static double blocks(double n, double side) {
    return ceil(n / side);
}

/* On the host: norms of A, and products and positions of C's sub-matrices, 28 bytes each. */
static gb_Workspace workspace_there(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    const gb_Features *f = s->f;
    const double side = 16.0; /* at least */
    const double rows = blocks((double)f->m, side), inner = blocks((double)f->k, side);
    const double columns = blocks((double)f->n, side);
    const double work = rows * inner * 8.0 + rows * columns * 28.0 + inner * 24.0;
    (void)m, (void)cut;
    return (gb_Workspace){.size = 1.0, .fixed = work, .beside = work, .slices = 1.0};
}

/* As if nothing were left out. */
static void count_there(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const double rows = (double)f->m, inner = (double)f->k, columns = (double)f->n;
    (void)m;
    c->n[GB_RATE_GPU_SPAMM_PAIR] += blocks(rows, 16) * blocks(inner, 16) * blocks(columns, 16);
    c->n[GB_RATE_GPU_BYTE] += (rows * inner + inner * columns + rows * columns) * (double)f->zsize;
    c->n[GB_RATE_GPU_CALL] = 1.0;
}

static gb_DeviceFull full_of(const gb_Factor *F) {
    const gb_CsView *view = &F->taken.view;
    return (gb_DeviceFull){view->nmajor, view->nminor, view->iso, view->x};
}

static void explain_there(const gb_MxmRun *run, const gb_DeviceSpammStats *stats,
                          const gb_DeviceFacts *before) {
    gbl_Explanation *why = run->why;
    gb_report_moves(why, before);
    why->slices = 1;
    why->devices = stats->devices;
    why->tau = stats->tau;
    why->valid_ratio = stats->valid / stats->triples;
    why->seconds_norms = stats->seconds_norms;
    why->seconds_search = stats->seconds_search;
    why->seconds_values = stats->seconds_products;
}

static gbl_Info run_there(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    Rounded factors;
    gb_DeviceSpammStats stats;
    gb_DeviceFacts before;
    (void)m;
    gbl_Info info = gb_device()->open();
    if (info == GBL_SUCCESS) info = round_factors(&factors, run, true);
    if (info != GBL_SUCCESS) return info;
    const gb_Choices choices = choices_after(&factors, run);
    const gb_DeviceSpammArgs args = {
        .A = full_of(&factors.A),
        .B = full_of(&factors.B),
        .values = factors.values,
        .side = side_of(run->call),
        .find_tau = gb_spamm_find_tau,
        .context = &choices,
    };
    gb_device()->facts(&before);
    info = gb_device()->mxm_spamm(&args, &T->cs, &stats);
    T->masked = false;
    if (info == GBL_SUCCESS) {
        explain_there(run, &stats, &before);
        explain(run, &factors, stats.bound);
    }
    free_rounded(&factors);
    return info;
}

const gb_Method gb_method_spamm_gpu = {
    .name = "spamm",
    .variant = "full, by the GPU",
    .place = GBL_PLACE_GPU,
    .about = "the same on one GPU or several",
    .method = GBL_METHOD_SPAMM,
    .kind = FULL,
    .a = GB_FULL_BY_ROWS,
    .b = GB_FULL_BY_ROWS,
    .may_fail = true,
    .needs = GB_IF_NORMS | GB_IF_A_FULL | GB_IF_B_FULL,
    .suits = GB_IF_ASKED,
    .workspace = workspace_there,
    .count = count_there,
    .run = run_there,
};
