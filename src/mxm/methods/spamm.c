/* SPDX-License-Identifier: Apache-2.0
 *
 * SPAMM: an approximate product (Challacombe and Bock 2010; cuSpAMM, Liu et al. 2021). Products of
 * sub-matrices are left out if the product of their norms is below tau; tau is given, or found for
 * a ratio of products or an error bound. Chosen only on request, since it changes the result.
 * Kernels: cpu/spamm/spamm.c, and src/cuda/spamm/spamm.cu for full factors on one GPU or several;
 * measurements: docs/spamm.md.
 */
#include "mxm/methods/spamm.h"

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
static void explain(const gb_MxmRun *run, const gb_SpammRounded *factors, double bound) {
    run->why->submatrix = (int32_t)side_of(run->call);
    run->why->error_bound = bound + factors->error;
    run->why->rounding = gb_spamm_rounding_name(run->call->choices.rounding);
    run->why->rounding_error = factors->error;
}

/* -- run --------------------------------------------------------------------------------------- */

/* Bytes that a product holds in addition to C. */
typedef struct {
    gb_SpammRounded factors;
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
    gb_spamm_round_free(&h->factors);
}

static gbl_Info measure(Held *h, const gb_MxmRun *run, int nthreads) {
    const unsigned side = side_of(run->call);
    gbl_Info info = gb_spamm_round(&h->factors, run, false);
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
    const gb_Choices choices = gb_spamm_choices(&h->factors, run);
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
    gb_SpammRounded factors;
    gb_DeviceSpammStats stats;
    gb_DeviceFacts before;
    (void)m;
    gbl_Info info = gb_device()->open();
    if (info == GBL_SUCCESS) info = gb_spamm_round(&factors, run, true);
    if (info != GBL_SUCCESS) return info;
    const gb_Choices choices = gb_spamm_choices(&factors, run);
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
    gb_spamm_round_free(&factors);
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
