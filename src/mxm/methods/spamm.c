/* SPDX-License-Identifier: Apache-2.0
 *
 * SPAMM: an approximate product (Challacombe and Bock 2010; cuSpAMM, Liu et al. 2021). Products of
 * sub-matrices whose norms have a product below tau are left out; tau is given, or found for a
 * ratio of products or for a bound of the error. Never chosen unless it is asked for, since it
 * changes the result. Kernel: cpu/isa/mxm_spamm.c; with measurements: docs/spamm.md.
 */
#include <math.h>

#include "core/arrays.h"
#include "core/clock.h"
#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "mxm/methods/method.h"
#include "mxm/methods/spamm_blocks.h"
#include "mxm/methods/spamm_tau.h"
#include "semiring/ids.h"

enum { TILES, FULL }; /* kinds */

static unsigned side_of(const gb_MxmCall *call) {
    const int32_t asked = call->choices.submatrix;
    return asked > 0 ? (unsigned)asked : GB_SPAMM_SIDE_UNASKED;
}

/* -- workspace --------------------------------------------------------------------------------- */

/* Values of the copies of a factor's sub-matrices. */
static double copied(const gb_FactorFacts *X, double rows, double columns) {
    const double side = GB_SPAMM_SIDE_UNASKED, cells = side * side;
    return fmin(gb_expect_tiles(X), ceil(rows / side) * ceil(columns / side)) * cells;
}

/* Copies, norms and lists; C is made as long as it will be. What the limit has to hold is only
 * known once norms are: the kernel checks it. */
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

/* As if nothing were left out: what is, only the norms can tell. */
static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    (void)m;
    c->n[GB_RATE_SPAMM_PAIR] += fmax(s->pairs, 1.0);
    c->n[GB_RATE_SPAMM_CELL] +=
        copied(&f->A, (double)f->m, (double)f->k) + copied(&f->B, (double)f->k, (double)f->n);
    gb_count_streaming(c, s);
    gb_cost_scale(c, 1.0 / gb_busy_threads(f, true));
    c->n[GB_RATE_CALL_TILED] = 1.0;
}

static const char *refuse(const gb_Method *m, const gb_MxmCall *call, const gb_Features *f) {
    (void)call;
    if (!f->by_norms) return "norms bound the error of PLUS_TIMES in FP64 and FP32 alone";
    if (m->kind == FULL && !(gb_is_full(&f->A, f->m, f->k) && gb_is_full(&f->B, f->k, f->n)))
        return "needs full factors: with an entry at every place";
    return NULL;
}

static const char *avoid(const gb_Method *m, const gb_MxmCall *call, const gb_Features *f) {
    (void)m, (void)call, (void)f;
    return "leaves out small products; has to be asked for";
}

/* -- run --------------------------------------------------------------------------------------- */

/* What a product holds beside C. */
typedef struct {
    gb_SpammCut A, B;
    gb_SpammNorms norms;
} Held;

static double held_bytes(const Held *h, const gb_MxmRun *run, int nthreads) {
    const double n = (double)(h->A.room + h->B.room);
    const double lines = (double)(h->A.rows + h->B.rows + h->norms.inner + h->B.columns);
    const double threads = (double)nthreads * (64.0 * 64.0 * 8.0 + 100.0 * (double)h->B.columns);
    return run->f->memory.held + GB_SMALL_BYTES + n * 44.0 + lines * 32.0 + threads;
}

/* How often C's bytes count beside what the call leaves: as tiles that may become rows, and while
 * the result waits to be merged or cast. */
static double of_result(const gb_MxmRun *run, bool full) {
    const gb_MemoryFacts *memory = &run->f->memory;
    return (full ? 0.0 : 1.0) + (memory->result_merges ? 4.0 : memory->result_waits ? 2.0 : 0.0);
}

static void held_free(Held *h) {
    gb_spamm_norms_free(&h->norms);
    gb_spamm_cut_free(&h->A);
    gb_spamm_cut_free(&h->B);
}

static gbl_Info measure(Held *h, const gb_MxmRun *run, bool full, int nthreads) {
    const unsigned side = side_of(run->call);
    gbl_Info info = gb_spamm_cut(&h->A, &run->in->A, full, side);
    if (info == GBL_SUCCESS) info = gb_spamm_cut(&h->B, &run->in->B, full, side);
    return info == GBL_SUCCESS ? gb_spamm_norms(&h->norms, &h->A, &h->B, nthreads) : info;
}

static double find_tau(const gb_SpammNorms *norms, const gb_Choices *choices) {
    if (choices->approximates == GBL_TAU) return choices->approximate;
    if (choices->approximates == GBL_VALID_RATIO)
        return gb_spamm_tau_for_ratio(norms, choices->approximate);
    if (choices->approximates == GBL_ERROR_BOUND)
        return gb_spamm_tau_for_bound(norms, choices->approximate);
    return 0.0;
}

static gbl_Info multiply(const gb_Method *m, const gb_MxmRun *run, const Held *h, gb_Result *T) {
    const bool full = m->kind == FULL;
    const int nthreads =
        gb_threads_for(run->f->flops + run->f->A.nvals, GB_GRAIN, run->budget->cut.threads);
    gbl_Explanation *why = run->why;
    gb_Meter meter;
    gb_SpammStats stats = {0};
    const double start = gb_seconds();
    const double tau = find_tau(&h->norms, &run->call->choices);
    const gb_SpammOutcome outcome = gb_spamm_outcome(&h->norms, tau);
    why->seconds_search = gb_seconds() - start;
    why->tau = tau;
    why->valid_ratio = outcome.valid / h->norms.triples;
    why->error_bound = outcome.bound;
    why->submatrix = (int32_t)side_of(run->call);
    const gb_SpammArgs args = {
        .A = gb_spamm_factor(&h->A, &run->in->A, full),
        .B = gb_spamm_factor(&h->B, &run->in->B, full),
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
    gbl_Info info = measure(&held, run, m->kind == FULL, run->budget->cut.threads);
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
    .refuse = refuse,
    .avoid = avoid,
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
    .refuse = refuse,
    .avoid = avoid,
    .workspace = workspace,
    .count = count,
    .run = run,
};
