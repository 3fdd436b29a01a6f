/* SPDX-License-Identifier: Apache-2.0
 *
 * What the planner knows, as a struct; see explain.h.
 */
#include "mxm/explain/explain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct gb_FormatName gb_format_names[GB_FORMAT_NAMES] = {{GBL_HAS_CSR, "rows"},
                                                               {GBL_HAS_CSC, "columns"},
                                                               {GBL_HAS_TILE16, "tiles"},
                                                               {GBL_HAS_BITMAP, "bitmap"},
                                                               {GBL_HAS_FULL, "full"}};

static double mask_density(const gb_Features *f) {
    const double inside = (double)f->nnz_m / ((double)f->m * (double)f->n);
    return f->mask == GB_MASK_NONE ? 1.0 : f->mask == GB_MASK_INSIDE ? inside : 1.0 - inside;
}

/* Standard deviation relative to the mean, of n numbers. */
static double spread(double sum, double squares, uint64_t n) {
    const double mean = sum / (double)n, variance = squares / (double)n - mean * mean;
    return mean > 0.0 && variance > 0.0 ? sqrt(variance) / mean : 0.0;
}

static void explain_rows(gbl_Explanation *why, const gb_Features *f) {
    why->flops_mean = (double)f->flops / (double)f->m;
    why->flops_spread = spread((double)f->flops, f->rows.squares, f->m);
    why->expansion_ratio = (double)f->flops / (double)f->A.nvals;
    why->flops_most = f->rows.most;
}

/* The legal candidate of a place with the least seconds, or NULL. */
static const gbl_Candidate *best_of(const gb_Plan *plan, gbl_Place place) {
    const gbl_Candidate *best = NULL;
    for (int k = 0; k < plan->n; k++) {
        const gbl_Candidate *c = &plan->candidates[k];
        if (gb_methods[k]->place != place || !c->legal) continue;
        if (best == NULL || c->seconds < best->seconds) best = c;
    }
    return best;
}

/* Why the GPU cannot do it. */
static const char *why_no_gpu(const gb_Plan *plan) {
    for (int k = 0; k < plan->n; k++)
        if (gb_methods[k]->place == GBL_PLACE_GPU) return plan->candidates[k].why_not;
    return "there is no method for the GPU";
}

static void explain_place(gbl_Explanation *why, const gb_Plan *plan, const gb_Features *f) {
    char *to = why->place_reason;
    const size_t capacity = sizeof why->place_reason;
    const gbl_Candidate *gpu = best_of(plan, GBL_PLACE_GPU), *cpu = best_of(plan, GBL_PLACE_CPU);
    why->place = plan->candidates[plan->chosen].place;
    if (f->place == GBL_PLACE_GPU)
        snprintf(to, capacity, "the GPU is asked for");
    else if (f->place == GBL_PLACE_CPU)
        snprintf(to, capacity,
                 f->place_is_asked ? "the CPU is asked for" : "no place is asked for");
    else if (gpu != NULL && cpu != NULL)
        snprintf(to, capacity, "predicted %.3g s on the GPU, %.3g s on the CPU", gpu->seconds,
                 cpu->seconds);
    else
        snprintf(to, capacity, "%s", gpu == NULL ? why_no_gpu(plan) : "the CPU cannot do it");
}

void gb_explain_plan(gbl_Explanation *why, const gb_Plan *plan, const gb_Features *f) {
    const gbl_Candidate *c = &plan->candidates[plan->chosen];
    explain_place(why, plan, f);
    why->method = c->method;
    why->workflow = c->workflow;
    why->ncandidates = plan->n;
    why->chosen = plan->chosen;
    why->forced = plan->forced;
    memcpy(why->candidates, plan->candidates, (size_t)plan->n * sizeof *plan->candidates);
    why->seconds_predicted = c->seconds;
    why->flops = f->flops;
    why->nrows = f->m;
    why->inner = f->k;
    why->ncols = f->n;
    why->nnz_a = f->A.nvals;
    why->nnz_b = f->B.nvals;
    why->nnz_mask = f->nnz_m;
    why->mask_density = mask_density(f);
    if (f->counted) explain_rows(why, f);
    why->compression_ratio = f->compression;
    why->compression_error = f->compression_error;
    why->rows_sampled = f->sampled;
    why->entries_expected = gb_expect_entries(f);
    why->fill_a = f->A.fill;
    why->fill_b = f->B.fill;
    why->rows_used_a = f->A.rows_used;
    why->rows_used_b = f->B.rows_used;
    why->longest_a = f->A.longest;
    why->longest_b = f->B.longest;
    why->spread_a = spread((double)f->A.nvals, f->A.squares, f->m);
    why->spread_b = spread((double)f->B.nvals, f->B.squares, f->k);
    why->tile_pairs = f->A.fill > 0.0 && f->B.fill > 0.0 ? gb_tile_pairs(f) : 0.0;
    why->iso_a = f->A.iso;
    why->iso_b = f->B.iso;
    why->bytes_limit = (uint64_t)f->budget;
    why->machine = f->machine->source;
    why->panel_share = f->panels.share;
    why->panel_share_grouped = f->panels.grouped;
}

/* The legal candidate that comes next to the one chosen, or NULL. */
static const gbl_Candidate *runner_up(const gbl_Explanation *why) {
    const gbl_Candidate *best = NULL;
    for (int w = 0; w < why->ncandidates; w++) {
        const gbl_Candidate *c = &why->candidates[w];
        if (w != why->chosen && c->legal && (best == NULL || c->seconds < best->seconds)) best = c;
    }
    return best;
}

void gb_explain_reason(gbl_Explanation *why) {
    if (why->chosen < 0 || why->ncandidates == 0) return;
    const gbl_Candidate *c = &why->candidates[why->chosen], *next = runner_up(why);
    const bool tie = gb_is_tie(why->candidates, why->ncandidates, why->chosen);
    const char *how = why->forced ? "asked for"
                      : tie       ? "a tie with the fastest, and ready"
                                  : "the fastest";
    char other[64] = "", compression[32] = "was not sampled";
    if (next != NULL)
        snprintf(other, sizeof other, ", %s (%s) %.3g s", next->method, next->workflow,
                 next->seconds);
    const int n = snprintf(why->reason, sizeof why->reason, "%s: %s, predicted %.3g s%s", c->method,
                           how, c->seconds, other);
    if (why->compression_ratio > 0.0)
        snprintf(compression, sizeof compression, "%.3g", why->compression_ratio);
    if (why->flops_mean > 0.0 && n > 0 && (size_t)n < sizeof why->reason)
        snprintf(why->reason + n, sizeof why->reason - (size_t)n,
                 "; %.3g flops per row, expansion %.3g, compression %s", why->flops_mean,
                 why->expansion_ratio, compression);
}

gbl_Info gb_explain_get(gbl_Explanation *why, gb_Matrix *A) {
    gbl_Info info = gb_assemble(A); /* which ends what the product's explanation was about */
    if (info != GBL_SUCCESS) return info;
    if (A->hyper != NULL) return gb_explain_get(why, A->hyper->core);
    pthread_mutex_lock(&A->lock);
    if (A->note.block != NULL) {
        if (A->note.tell != NULL)
            A->note.tell(why, A->note.block);
        else
            *why = *(const gbl_Explanation *)A->note.block;
        why->bytes_from_device += A->fetched.bytes;
        why->seconds_transfer += A->fetched.seconds;
    } else {
        info = GBL_NO_VALUE;
    }
    pthread_mutex_unlock(&A->lock);
    if (info == GBL_SUCCESS) gb_explain_reason(why);
    return info;
}
