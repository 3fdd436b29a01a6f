/* SPDX-License-Identifier: Apache-2.0
 *
 * SPAMM: an approximate product (Challacombe and Bock 2010; cuSpAMM, Liu et al. 2021). Products of
 * sub-matrices whose norms have a product below tau are left out; tau is given, or found for a
 * ratio of products or for a bound of the error. Never chosen unless it is asked for, since it
 * changes the result. Kernel: cpu/spamm/spamm.c; with measurements: docs/spamm.md.
 */
#include <math.h>

#include "core/arrays.h"
#include "core/clock.h"
#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "mxm/methods/spamm.h"
#include "mxm/methods/spamm_blocks.h"
#include "mxm/methods/spamm_tau.h"
#include "semiring/ids.h"

unsigned gb_spamm_side(const gb_MxmCall *call) {
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

const char *gb_spamm_refuse(const gb_Method *m, const gb_MxmCall *call, const gb_Features *f) {
    (void)call;
    if (!f->by_norms) return "norms bound the error of PLUS_TIMES in FP64 and FP32 alone";
    if (m->kind == GB_SPAMM_FULL &&
        !(gb_is_full(&f->A, f->m, f->k) && gb_is_full(&f->B, f->k, f->n)))
        return "needs full factors: with an entry at every place";
    return NULL;
}

const char *gb_spamm_avoid(const gb_Method *m, const gb_MxmCall *call, const gb_Features *f) {
    (void)m, (void)call, (void)f;
    return "leaves out small products; has to be asked for";
}

void gb_spamm_explain(const gb_MxmRun *run, const gb_SpammRounded *factors, double bound) {
    run->why->submatrix = (int32_t)gb_spamm_side(run->call);
    run->why->error_bound = bound + factors->error;
    run->why->rounding = gb_spamm_rounding_name(run->call->choices.rounding);
    run->why->rounding_error = factors->error;
}

/* -- run --------------------------------------------------------------------------------------- */

/* What a product holds beside C. */
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
    gb_spamm_round_free(&h->factors);
}

static gbl_Info measure(Held *h, const gb_MxmRun *run, bool full, int nthreads) {
    gbl_Info info = gb_spamm_round(&h->factors, run, false);
    const gb_SpammTaken how = {full, h->factors.rounded, gb_spamm_side(run->call)};
    if (info == GBL_SUCCESS) info = gb_spamm_cut(&h->A, &h->factors.A, &how);
    if (info == GBL_SUCCESS) info = gb_spamm_cut(&h->B, &h->factors.B, &how);
    return info == GBL_SUCCESS ? gb_spamm_norms(&h->norms, &h->A, &h->B, nthreads) : info;
}

static gb_SpammOutcome tell(void *norms, double tau) {
    return gb_spamm_outcome(norms, tau);
}

static gbl_Info multiply(const gb_Method *m, const gb_MxmRun *run, Held *h, gb_Result *T) {
    const bool full = m->kind == GB_SPAMM_FULL;
    const int nthreads =
        gb_threads_for(run->f->flops + run->f->A.nvals, GB_GRAIN, run->budget->cut.threads);
    gbl_Explanation *why = run->why;
    gb_Meter meter;
    gb_SpammStats stats = {0};
    const double start = gb_seconds();
    const gb_SpammAsk ask = {tell, &h->norms, h->norms.triples};
    const gb_Choices choices = gb_spamm_choices(&h->factors, run);
    const double tau = gb_spamm_find_tau(&ask, &choices);
    const gb_SpammOutcome outcome = gb_spamm_outcome(&h->norms, tau);
    why->seconds_search = gb_seconds() - start;
    why->tau = tau;
    why->valid_ratio = outcome.valid / h->norms.triples;
    gb_spamm_explain(run, &h->factors, outcome.bound);
    const gb_SpammArgs args = {
        .A = gb_spamm_factor(&h->A, &h->factors.A, full),
        .B = gb_spamm_factor(&h->B, &h->factors.B, full),
        .rank = h->norms.rank,
        .most = h->norms.most,
        .tau = tau,
        .side = gb_spamm_side(run->call),
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
    gbl_Info info = measure(&held, run, m->kind == GB_SPAMM_FULL, run->budget->cut.threads);
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
    .kind = GB_SPAMM_TILES,
    .a = GB_AS_TILES,
    .b = GB_AS_TILES,
    .makes_tiles = true,
    .refuse = gb_spamm_refuse,
    .avoid = gb_spamm_avoid,
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
    .kind = GB_SPAMM_FULL,
    .a = GB_FULL_BY_ROWS,
    .b = GB_FULL_BY_ROWS,
    .refuse = gb_spamm_refuse,
    .avoid = gb_spamm_avoid,
    .workspace = workspace,
    .count = count,
    .run = run,
};
