/* SPDX-License-Identifier: Apache-2.0
 *
 * Features of a product. Counting costs O(nnz(A) + nnz(M)) reads of row lengths; what depends on
 * entries is sampled, for products that are worth it.
 */
#include "core/clock.h"
#include "mxm/plan/plan.h"

#include <stdlib.h>

/* -- what needs no look at entries ------------------------------------------------------------- */

gb_ValueKind gb_value_kind(const gb_Semiring *ring) {
    switch (ring->kernel) {
    case GB_RING_ANY_PAIR_BOOL:
    case GB_RING_LOR_LAND_BOOL:
        return GB_VALUES_NONE;
    case GB_RING_PLUS_PAIR_FP64:
    case GB_RING_PLUS_PAIR_INT64:
    case GB_RING_PLUS_PAIR_INT32:
        return GB_VALUES_COUNTED;
    case GB_RING_GENERIC:
        return GB_VALUES_GENERIC;
    default:
        return GB_VALUES_TYPED;
    }
}

static gb_FactorFacts factor_facts(const gb_Factor *F) {
    const gb_Matrix *X = F->X;
    const double entry = (double)(sizeof(gb_Idx) + (X->iso ? 0 : X->type->size));
    gb_FactorFacts facts = {.nvals = X->nvals,
                            .iso = X->iso || F->type == NULL,
                            .bytes = (double)X->nvals * entry +
                                     (double)gb_nmajor(X, F->rows) * sizeof(gb_Off),
                            .only_on_device = gb_has(X) == GBL_HAS_DEVICE};
    memcpy(facts.has, F->has, sizeof facts.has);
    facts.saved = 1e-9 * (double)__atomic_load_n(&X->demand[1 - F->rows], __ATOMIC_RELAXED);
    if (F->has[GB_BY_ROWS]) facts.unsorted = !F->cs[GB_BY_ROWS].sorted;
    return facts;
}

/* Its rates, once it has been started: those that were measured on it, or the built-in ones by the
 * bandwidth of its memory. */
static void find_device_rates(gb_Features *f, const gb_MxmCall *call) {
    gb_DeviceFacts facts;
    gb_device()->facts(&facts);
    f->device_tensors = facts.tensor_cores && call->ring->kernel == GB_RING_PLUS_TIMES_FP64;
    const gb_MachineTable *measured = gb_machine_on(facts.name);
    if (measured != NULL)
        f->machine = measured;
    else if (facts.bandwidth > 0.0)
        f->device_slower = GB_DEVICE_BANDWIDTH / facts.bandwidth;
}

/* Entries of the mask, and those that inner products inside it would scan, by means. */
static void expect_mask(gb_Features *f, const gb_MxmCall *call) {
    f->mask = gb_mask_kind(&call->mask);
    f->dot_work = UINT64_MAX;
    if (f->mask == GB_MASK_NONE) return;
    f->nnz_m = call->mask.M->nvals;
    if (f->mask == GB_MASK_INSIDE) f->dot_work = f->nnz_m * (f->B.nvals / (f->n + 1) + 1);
    f->memory.mask_most = f->nnz_m < f->n ? f->nnz_m : f->n;
}

/* -- masks ------------------------------------------------------------------------------------- */

/* Whether the inner indices of products determine the result, as SR_BY_BITS of semiring/entry.h. */
static bool is_by_bits(const gb_MxmCall *call) {
    switch (call->ring->kernel) {
    case GB_RING_PLUS_PAIR_FP64:
    case GB_RING_PLUS_PAIR_INT64:
    case GB_RING_PLUS_PAIR_INT32:
    case GB_RING_ANY_PAIR_BOOL:
    case GB_RING_ANY_SECONDI_INT64:
    case GB_RING_ANY_SECONDI_INT32:
        return true;
    case GB_RING_LOR_LAND_BOOL: /* then ANY_PAIR multiplies (model/method.c) */
        return (call->A->iso || gb_is_all_true(call->A)) &&
               (call->B->iso || gb_is_all_true(call->B));
    default:
        return false;
    }
}

/* The s-th of the entries that are looked at: at no equal distances, since rows may all be of one
 * length (Weyl's sequence of the golden ratio). */
static uint64_t sampled_entry(uint64_t nvals, uint64_t s) {
    return (uint64_t)((unsigned __int128)nvals * (s * UINT64_C(0x9E3779B97F4A7C15)) >> 64);
}

/* Of lists that are looked at: entries, and those that bits would save. */
typedef struct {
    uint64_t work, spared;
    double share; /* of all lists, one for each that was looked at */
} Lengths;

/* The lists of B, by rows or by columns, that `of` selects, from a sample of its entries; `cost`:
 * of a block of bits in entries, 0 where bits do not serve. */
static Lengths sample_lengths(const gb_CsView *of, const gb_CsView *B, unsigned cost) {
    const uint64_t samples = of->nvals < GB_MASK_SAMPLES ? of->nvals : GB_MASK_SAMPLES;
    Lengths seen = {.share = samples > 0 ? (double)of->nvals / (double)samples : 0.0};
    for (uint64_t s = 0; s < samples; s++) {
        const gb_Idx k = of->i[sampled_entry(of->nvals, s)];
        const uint64_t from = B->p[k], length = B->p[k + 1] - from;
        uint32_t blocks;
        seen.work += length;
        if (cost == 0 || !B->sorted || !gb_bits_suit(B->i + from, length, &blocks)) continue;
        const uint64_t met = (uint64_t)blocks * cost;
        if (met < length) seen.spared += length - met;
    }
    return seen;
}

/* Flops that uniting rows of B as bits would save. */
static void expect_unions(gb_Features *f, const gb_Operands *in) {
    const gb_CsView *A = &in->A.cs[GB_BY_ROWS], *B = &in->B.cs[GB_BY_ROWS];
    if (!f->by_pattern || !in->A.has[GB_BY_ROWS] || !in->B.has[GB_BY_ROWS] || !B->sorted) return;
    const Lengths seen = sample_lengths(A, B, GB_BITS_UNION);
    f->bits_share = seen.work > 0 ? (double)seen.spared / (double)seen.work : 0.0;
}

/* The columns that the mask selects, and the work that bits would save on them. */
static void expect_scans(gb_Features *f, const gb_CsView *M, const gb_CsView *columns) {
    const Lengths seen = sample_lengths(M, columns, f->by_bits ? GB_BITS_COST : 0);
    f->dot_spared = gb_to_u64((double)seen.spared * seen.share);
    f->dot_work = gb_to_u64((double)seen.work * seen.share) - f->dot_spared;
}

/* Products inside the mask, from a sample of A's entries: the row of B of each is looked up in the
 * mask's row. */
static void expect_found(gb_Features *f, const gb_Operands *in) {
    const gb_CsView *A = &in->A.cs[GB_BY_ROWS], *B = &in->B.cs[GB_BY_ROWS];
    const gb_CsView *M = &in->mask.view;
    const bool by_rows = in->A.has[GB_BY_ROWS] && in->B.has[GB_BY_ROWS] && B->sorted;
    uint64_t products = 0, found = 0;
    if (f->mask != GB_MASK_INSIDE || !in->mask_taken || !by_rows) return;
    for (uint64_t s = 0; s < GB_FOUND_SAMPLES; s++) {
        const uint64_t p = sampled_entry(A->nvals, s);
        const uint64_t i = gb_holder(A->p, 0, A->nmajor, p), k = A->i[p];
        gb_Off m = M->p[i];
        const gb_Off end =
            B->p[k] + GB_FOUND_LOOKS < B->p[k + 1] ? B->p[k] + GB_FOUND_LOOKS : B->p[k + 1];
        for (gb_Off q = B->p[k]; q < end; q++) {
            m = gb_gallop(M->i, m, M->p[i + 1], B->i[q]);
            found += m < M->p[i + 1] && M->i[m] == B->i[q];
            products++;
        }
    }
    if (products > 0) f->dot_found = (double)f->flops * (double)found / (double)products;
}

/* Lengths of the columns that the mask selects; the mean stands for each if B has no columns. */
static gbl_Info look_at_mask(gb_Features *f, gb_Operands *in) {
    if (!in->mask_has_rows) return GBL_SUCCESS;
    const gbl_Info info = gb_take_mask(in, false);
    if (info != GBL_SUCCESS) return info;
    const gb_CsView *M = &in->mask.view;
    f->nnz_m = M->nvals;
    f->memory.mask_most = gb_longest_row(M);
    if (f->mask == GB_MASK_INSIDE && in->B.has[GB_BY_COLUMNS])
        expect_scans(f, M, &in->B.cs[GB_BY_COLUMNS]);
    const bool small = f->dot_work + f->A.nvals < GB_MEETINGS_WORTH;
    if (f->dot_work != UINT64_MAX && !small && in->A.has[GB_BY_ROWS] && in->B.has[GB_BY_COLUMNS])
        f->flops = gb_to_u64(fmax(
            (double)f->flops, gb_sample_flops(&in->A.cs[GB_BY_ROWS], &in->B.cs[GB_BY_COLUMNS])));
    return GBL_SUCCESS;
}

/* -- memory that every method needs ------------------------------------------------------------ */

static double cast_bytes(const gb_Matrix *X, const gb_Type *type) {
    if (type == NULL || type->code == X->type->code) return 0.0;
    return (double)X->nvals * (double)type->size;
}

/* Pointers of rows, or slots of a conversion, where a factor is not held by rows. */
static double turn_bytes(const gb_Matrix *X, gb_Format rows) {
    const unsigned has =
        gb_only_dense(X) ? GBL_HAS_CSR : gb_has(X); /* dense factors become rows first */
    if (has & gb_has_bit(rows)) return 0.0;
    const double longer = fmax((double)X->nrows, (double)X->ncols);
    return 8.0 * (longer + 1.0) * (1.0 + (double)gb_nthreads());
}

/* What reduces the memory that GBL_MEMORY_LIMIT leaves. */
static gb_MemoryFacts memory_facts(const gb_MxmCall *call) {
    const gb_Matrix *A = call->A, *B = call->B, *C = call->C;
    const bool masked = call->mask.M != NULL && call->mask.M->nvals > 0;
    const bool merges =
        C != NULL && C->nvals > 0 && (call->accum != NULL || (masked && !call->mask.replace));
    const bool casts = C != NULL && C->type != call->ring->add->op->ztype;
    const double rows = (double)(call->transpose_a ? A->ncols : A->nrows);
    double held = 8.0 * (rows + 1.0);
    held += turn_bytes(A, gb_rows_of_a(call));
    held += turn_bytes(B, gb_rows_of_b(call));
    held += cast_bytes(A, gb_ring_left_type(call->ring));
    held += cast_bytes(B, gb_ring_right_type(call->ring));
    if (call->mask.M != NULL && !call->mask.structural) /* its true entries, and the truths */
        held += (5.0 * (double)call->mask.M->nvals + 8.0 * (rows + 1.0)) * (merges ? 2.0 : 1.0);
    if (merges) /* what the mask leaves of C */
        held += (double)C->nvals * (double)(C->type->size + sizeof(gb_Idx)) + 8.0 * (rows + 1.0);
    return (gb_MemoryFacts){
        .limited = true, .held = held, .result_waits = merges || casts, .result_merges = merges};
}

gbl_Info gb_memory_for_plan(const gb_MxmCall *call) {
    const double limit = (double)gb_memory_limit();
    if (limit == 0.0) return GBL_SUCCESS;
    const double made =
        gb_dense_row_bytes(call->A) + (call->B != call->A ? gb_dense_row_bytes(call->B) : 0.0);
    const double held = memory_facts(call).held + made;
    const double wanted = ceil((held + GB_SMALL_BYTES) / GB_BLOCK_SHARE);
    return wanted <= limit ? GBL_SUCCESS : gb_fail_limit(wanted, limit);
}

/* -- the first step: without counts ------------------------------------------------------------ */

/* By means, which are exact where a factor is full. */
static uint64_t expect_flops(const gb_Features *f) {
    if (gb_is_full(&f->B, f->k, f->n)) return f->A.nvals * f->n;
    if (gb_is_full(&f->A, f->m, f->k)) return f->m * f->B.nvals;
    return (uint64_t)((double)f->A.nvals * (double)f->B.nvals / ((double)f->k + 1.0));
}

static double fill_of_full(uint64_t rows, uint64_t columns) {
    return fmin((double)rows, GB_TILE) * fmin((double)columns, GB_TILE);
}

gbl_Info gb_features_begin(gb_Features *f, const gb_MxmCall *call, gb_Operands *in) {
    const gb_Choices *c = &call->choices;
    *f = (gb_Features){.m = gb_nmajor(call->A, gb_rows_of_a(call)),
                       .k = gb_nminor(call->A, gb_rows_of_a(call)),
                       .n = gb_nminor(call->B, gb_rows_of_b(call)),
                       .A = factor_facts(&in->A),
                       .B = factor_facts(&in->B),
                       .filtered = call->filter != NULL,
                       .values = gb_value_kind(call->ring),
                       .zsize = call->ring->add->op->ztype->size,
                       .accumulators =
                           c->accumulators != 0 ? (unsigned)c->accumulators : GB_ACCUMULATE_ALL,
                       .registers = (unsigned)c->registers,
                       .choices = *c,
                       .accumulated = call->accum != NULL,
                       .filter_optional = call->filter_is_optional,
                       .stays_tiled = gb_only_tiles(call->A) && gb_only_tiles(call->B),
                       .budget = (double)gb_workspace_budget(),
                       .warm = GB_POOL_MIN_BLOCK,
                       .fresh_share = exp2(-2.0 * (double)gb_machine_products()),
                       .made_bytes = in->made_bytes,
                       .machine = gb_machine(),
                       .threads = gb_nthreads()};
    if (gb_memory_limit() > 0) {
        f->memory = memory_facts(call);
        f->memory.held += in->made_bytes;
    }
    f->flops = expect_flops(f);
    f->by_bits = is_by_bits(call);
    f->wide = gb_ring_is_wide(call->ring->kernel);
    f->compiled = call->ring->kernel == GB_RING_COMPILED;
    f->compiled_for_device = call->ring->device != NULL;
    f->lanes = !f->compiled || call->ring->compiled->panel != NULL;
    f->by_norms = gb_ring_has_norms(call->ring);
    f->by_pattern = f->by_bits && f->values == GB_VALUES_NONE;
    expect_mask(f, call);
    if ((double)(f->flops + f->A.nvals + f->B.nvals) * (double)(f->zsize + sizeof(gb_Idx)) >
        GB_POOL_MIN_BLOCK)
        f->warm += (double)gb_memory_pool_bytes();
    f->place = c->place;
    f->place_is_asked = f->place != GBL_PLACE_DEFAULT;
    gbl_Info info =
        f->place_is_asked ? GBL_SUCCESS : gb_place_wanted(&f->place, &f->place_is_asked);
    if (info == GBL_SUCCESS && f->place != GBL_PLACE_CPU) {
        f->A.has[GB_ON_DEVICE] = gb_on_device(call->A, in->A.rows);
        f->B.has[GB_ON_DEVICE] = gb_on_device(call->B, in->B.rows);
        f->no_device_columns = gb_rows_of_b(call) == GB_CSR && gb_has(call->B) == GBL_HAS_DEVICE;
        find_device_rates(f, call);
        if (f->values != GB_VALUES_GENERIC) f->no_device_filter = gb_device_refuses_filter(call);
    }
    const bool looks = f->mask != GB_MASK_NONE && gb_operands_are_sparse(in);
    if (info == GBL_SUCCESS && looks && f->place != GBL_PLACE_GPU) info = look_at_mask(f, in);
    if (info == GBL_SUCCESS) info = gb_facts_of_tiles(&f->A.fill, call->A, in->A.rows);
    if (info == GBL_SUCCESS) info = gb_facts_of_tiles(&f->B.fill, call->B, in->B.rows);
    if (gb_is_full(&f->A, f->m, f->k)) f->A.fill = fill_of_full(f->m, f->k);
    if (gb_is_full(&f->B, f->k, f->n)) f->B.fill = fill_of_full(f->k, f->n);
    return info;
}

/* -- what costs a pass over rows or a look at entries ------------------------------------------ */

static gbl_Info look_at_factor(gb_FactorFacts *to, const gb_Factor *F) {
    const bool by_rows = F->has[GB_BY_ROWS];
    gb_Facts facts;
    const gbl_Info info = gb_facts_get(&facts, F->X, by_rows ? F->rows : (gb_Format)(1 - F->rows));
    if (info != GBL_SUCCESS) return info;
    to->fill = facts.fill; /* tiles of X' are as full as those of X */
    if (!by_rows) return GBL_SUCCESS;
    to->rows_used = facts.rows_used;
    to->longest = facts.longest;
    to->squares = facts.squares;
    to->runs = facts.runs;
    to->adjacent = facts.adjacent;
    return GBL_SUCCESS;
}

static gbl_Info look_closer(gb_Features *f, const gb_Operands *in) {
    gbl_Info info = look_at_factor(&f->A, &in->A);
    if (info == GBL_SUCCESS) info = look_at_factor(&f->B, &in->B);
    if (info != GBL_SUCCESS || !in->B.has[GB_BY_ROWS]) return info;
    expect_unions(f, in);
    f->by_runs = f->B.runs && !f->B.iso && f->values != GB_VALUES_GENERIC;
    gb_sample_panels(f, in);
    return gb_sample(f, in);
}

unsigned gb_registers(double expansion) {
    return expansion < GB_REGISTERS_EXPANSION ? 32 : 64;
}

gbl_Info gb_features_count(gb_Features *f, gb_Operands *in) {
    in->flops_bytes = (f->m + 1) * sizeof *in->flops;
    in->flops = gb_malloc(in->flops_bytes);
    if (in->flops == NULL) return gb_fail_memory(in->flops_bytes);
    const bool timed = f->A.nvals + f->m >= GB_GRAIN;
    const double start = timed ? gb_seconds() : 0.0;
    const gbl_Info info = gb_count_flops(f, in, in->flops);
    if (timed) f->seconds_count = gb_seconds() - start;
    if (info != GBL_SUCCESS) return info;
    if (f->registers == 0) f->registers = gb_registers((double)f->flops / (double)f->A.nvals);
    f->sketched = gb_sketch_at_hand(in->B.X, in->B.rows, f->registers) != NULL;
    const bool worthwhile =
        f->flops >= GB_SAMPLE_FLOPS && f->flops >= (f->m + f->k) / GB_FACTS_ROWS;
    if (!worthwhile) return GBL_SUCCESS;
    if (f->mask == GB_MASK_NONE) return look_closer(f, in);
    gb_sample_panels(f, in);
    expect_found(f, in);
    /* a mask that is complemented takes away no more entries of C than it has */
    const bool by_rows = in->A.has[GB_BY_ROWS] && in->B.has[GB_BY_ROWS];
    if (f->mask != GB_MASK_OUTSIDE || !by_rows) return GBL_SUCCESS;
    expect_unions(f, in);
    return gb_sample(f, in);
}
