/* SPDX-License-Identifier: Apache-2.0
 *
 * Small products; see mxm.h. Explanations of such a product are made on request, from the shapes
 * and the flops of C's rows.
 */
#include "core/clock.h"
#include "mxm/mxm.h"

#include "core/tune_cuda.h"
#include "mxm/explain/explain.h"

_Static_assert(GB_SMALL_FLOPS < GB_ONE_ENTRY, "flops of a row and a bit");

/* What the note of a product has. */
typedef struct {
    gb_ReportedShape shape, reported; /* reported: what explanations say */
    uint64_t nnz_a, nnz_b, nnz_mask, nvals;
    gb_MaskKind mask;
    gb_ValueKind values;
    size_t zsize;
    bool iso_a, iso_b;
    unsigned formats_a, formats_b;
    size_t budget; /* of workspace, and threads, as they were set */
    int threads;
    gb_MxmStats stats;
    double seconds; /* all of the call: parts take no longer than asking the clock */
    char semiring[GB_SEMIRING_TEXT];
    gb_SmallRow row[];
} Note;

typedef struct {
    const gb_MxmCall *call;
    gb_Operands in;
    uint64_t flops[GB_SMALL_FLOPS + 1]; /* running sum over C's rows */
    Note *note;
    size_t note_bytes;
} Small;

/* -- explanations ------------------------------------------------------------------------------ */

static gb_Features features_of(const Note *note) {
    gb_Features f = {.m = note->shape.nrows,
                     .k = note->shape.inner,
                     .n = note->shape.ncols,
                     .A = {.nvals = note->nnz_a, .iso = note->iso_a},
                     .B = {.nvals = note->nnz_b, .iso = note->iso_b},
                     .mask = note->mask,
                     .nnz_m = note->nnz_mask,
                     .dot_work = UINT64_MAX,
                     .counted = true,
                     .values = note->values,
                     .zsize = note->zsize,
                     .accumulators = GB_ACCUMULATE_ALL,
                     .budget = (double)note->budget,
                     .warm = GB_POOL_MIN_BLOCK,
                     .threads = note->threads,
                     .place = GB_PLACE_UNASKED,
                     .machine = gb_machine()};
    f.A.has[GB_BY_ROWS] = f.B.has[GB_BY_ROWS] = true;
    f.flops = gb_count_small_rows(&f.rows, note->row, f.m, f.n);
    return f;
}

static void report(void *explanation, const void *block) {
    gbl_Explanation *why = explanation;
    const Note *note = block;
    const gb_Features f = features_of(note);
    gb_Plan plan = {.method = gb_method_of_small, .alone = true, .failed = GB_PLACE_NONE};
    while (gb_methods[plan.chosen] != gb_method_of_small) plan.chosen++;
    *why = (gbl_Explanation){.operation = "mxm",
                             .isa = gb_backend()->name,
                             .formats_a = note->formats_a,
                             .formats_b = note->formats_b,
                             .nvals = note->nvals,
                             .seconds_kernel = note->seconds};
    gb_explain_plan(why, &plan, &f);
    gb_explain_flops(why, &f);
    gb_report_stats(why, &note->stats);
    memcpy(why->semiring, note->semiring, sizeof note->semiring);
    why->nrows = note->reported.nrows;
    why->inner = note->reported.inner;
    why->ncols = note->reported.ncols;
}

static void fill_note(const Small *small) {
    const gb_MxmCall *call = small->call;
    const gb_CsView *A = &small->in.A.taken.view;
    Note *note = small->note;
    *note = (Note){.shape = {A->nmajor, A->nminor, small->in.B.taken.view.nminor},
                   .nnz_a = call->A->nvals,
                   .nnz_b = call->B->nvals,
                   .nnz_mask = call->mask.M != NULL ? call->mask.M->nvals : 0,
                   .mask = gb_mask_kind(&call->mask),
                   .values = gb_value_kind(call->ring),
                   .zsize = call->ring->add->op->ztype->size,
                   .iso_a = call->A->iso || small->in.A.type == NULL,
                   .iso_b = call->B->iso || small->in.B.type == NULL,
                   .formats_a = gb_reported_forms(call->A),
                   .formats_b = gb_reported_forms(call->B),
                   .budget = gb_workspace_budget(),
                   .threads = gb_nthreads()};
    gb_ring_describe(note->semiring, call->ring);
    note->reported = call->told != NULL ? *call->told : note->shape;
    for (uint64_t i = 0; i < A->nmajor; i++)
        note->row[i] = (gb_SmallRow)((small->flops[i + 1] - small->flops[i]) |
                                     (A->p[i + 1] - A->p[i] == 1 ? GB_ONE_ENTRY : 0));
}

/* -- which products ---------------------------------------------------------------------------- */

static bool has_rows(const gb_Matrix *X, gb_Format rows) {
    return (gb_has(X) & gb_has_bit(rows)) != 0;
}

/* As far as can be said before flops are counted. Where B has columns, DOT may be faster. */
static bool may_be_small(const gb_MxmCall *call) {
    const gb_Matrix *A = call->A, *B = call->B, *M = call->mask.M;
    const gb_Format rows = gb_rows_of_b(call);
    if (gb_method_of_small == NULL || call->fold != NULL) return false;
    if (A->nvals > GB_SMALL_FLOPS || gb_nmajor(A, gb_rows_of_a(call)) > GB_SMALL_FLOPS)
        return false;
    if (!has_rows(A, gb_rows_of_a(call)) || !has_rows(B, rows)) return false;
    const bool fits = M == NULL || (M->nvals <= GB_SMALL_FLOPS && has_rows(M, GB_CSR) &&
                                    (call->mask.complement || !has_rows(B, (gb_Format)(1 - rows))));
    return fits && gb_plan_is_free(call);
}

/* Small flops; C's rows then have them. */
static bool count(Small *small, const gb_CsView *A, const gb_CsView *B) {
    uint64_t sum = 0;
    small->flops[0] = 0;
    for (uint64_t i = 0; i < A->nmajor && sum < GB_SMALL_FLOPS; i++) {
        for (gb_Off p = A->p[i]; p < A->p[i + 1]; p++) sum += B->p[A->i[p] + 1] - B->p[A->i[p]];
        small->flops[i + 1] = sum;
    }
    return sum < GB_SMALL_FLOPS;
}

static bool needs_cast(const gb_Factor *F) {
    return F->type != NULL && F->type->code != F->X->type->code;
}

/* -- the product ------------------------------------------------------------------------------- */

static gbl_Info take_operands(gb_Operands *in) {
    gbl_Info info = gb_take_factor(&in->A, GB_BY_ROWS, false);
    if (info == GBL_SUCCESS) info = gb_take_factor(&in->B, GB_BY_ROWS, false);
    return info == GBL_SUCCESS ? gb_take_mask(in, false) : info;
}

/* The note is made first, so that nothing can fail once C has been written. */
static gbl_Info make_note(Small *small) {
    small->note_bytes =
        sizeof *small->note + small->in.A.taken.view.nmajor * sizeof *small->note->row;
    small->note = gb_malloc(small->note_bytes);
    if (small->note == NULL) return gb_fail_memory(small->note_bytes);
    fill_note(small);
    return GBL_SUCCESS;
}

static gbl_Info multiply(Small *small, gb_Cs *T) {
    const gb_Features f = {.mask = small->note->mask};
    const gb_Budget budget = {.allow = gb_allow_all(GB_CHUNK_FLOPS), .cut = {.threads = 1}};
    const uint64_t flops = small->flops[small->in.A.taken.view.nmajor];
    gb_Meter meter;
    gb_MxmArgs args = gb_sparse_args(
        &(gb_MxmRun){.call = small->call, .f = &f, .budget = &budget, .in = &small->in}, flops);
    args.flops = small->flops;
    args.workflow = GB_UPPER_BOUND;
    args.accumulators = GB_ACCUMULATE_ALL;
    args.meter = &meter;
    gb_progress_begin(&meter, "mxm", flops);
    return gb_backend()->mxm_rowwise(&args, T, &small->note->stats);
}

static gbl_Info make(Small *small, double start) {
    const gb_MxmCall *call = small->call;
    gb_Result T = {
        .type = call->ring->add->op->ztype, .format = GB_CSR, .masked = call->mask.M != NULL};
    gbl_Info info = take_operands(&small->in);
    if (info == GBL_SUCCESS) info = make_note(small);
    if (info != GBL_SUCCESS) return info;
    Note *note = small->note;
    info = multiply(small, &T.cs);
    if (info != GBL_SUCCESS) return info;
    note->nvals = T.cs.nvals;
    info = gb_finish(call->C, &call->mask, call->accum, &T);
    if (info != GBL_SUCCESS) return info;
    note->seconds = gb_seconds() - start;
    gb_matrix_set_note(call->C, (gb_Note){note, small->note_bytes, report});
    small->note = NULL;
    return GBL_SUCCESS;
}

/* -- what others call -------------------------------------------------------------------------- */

/* Looks at the operands; whether the product has few flops. */
static gbl_Info begin(bool *is_small, Small *small, const gb_MxmCall *call) {
    small->call = call;
    small->note = NULL;
    small->note_bytes = 0;
    memset(&small->in, 0, sizeof small->in);
    const gb_Factor *A = &small->in.A, *B = &small->in.B;
    const gbl_Info info = gb_operands_look(&small->in, call);
    *is_small = info == GBL_SUCCESS && !needs_cast(A) && !needs_cast(B) &&
                count(small, &A->cs[GB_BY_ROWS], &B->cs[GB_BY_ROWS]);
    return info;
}

static void end(Small *small) {
    gb_free(small->note, small->note_bytes);
    gb_operands_release(&small->in);
}

gbl_Info gb_mxm_small(const gb_MxmCall *call, bool *made) {
    Small small;
    *made = false;
    if (!may_be_small(call)) return GBL_SUCCESS;
    const double start = gb_seconds();
    gbl_Info info = begin(made, &small, call);
    if (*made) info = make(&small, start);
    end(&small);
    return info;
}

gbl_Info gb_plan_small(gbl_Explanation *why, const gb_MxmCall *call, bool *planned) {
    Small small;
    *planned = false;
    if (!may_be_small(call)) return GBL_SUCCESS;
    gbl_Info info = begin(planned, &small, call);
    if (*planned) info = take_operands(&small.in);
    if (*planned && info == GBL_SUCCESS) info = make_note(&small);
    if (small.note != NULL) report(why, small.note);
    end(&small);
    return info;
}
