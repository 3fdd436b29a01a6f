/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands of a product, see operands.h; and what methods share: arguments and statistics of
 * kernels that read CSR and CSC, and C from slices of rows, see method.h.
 */
#include "mxm/model/method.h"

#include "core/clock.h"

static gb_Format format_of(const gb_Factor *F, gb_Form form) {
    return form == GB_BY_COLUMNS ? (gb_Format)(1 - F->rows) : F->rows;
}

gb_Form gb_sparse_form(gb_Form form) {
    return form == GB_FULL_BY_ROWS ? GB_BY_ROWS : form == GB_FULL_BY_COLUMNS ? GB_BY_COLUMNS : form;
}

double gb_dense_row_bytes(const gb_Matrix *X) {
    if (!gb_only_dense(X)) return 0.0;
    const double size = (double)X->type->size, entries = (double)X->nvals;
    return ((double)X->nrows + 1.0) * sizeof(gb_Off) + entries * sizeof(gb_Idx) +
           (X->iso ? 1.0 : entries) * size;
}

/* Rows of a factor that is held dense alone. */
static gbl_Info make_rows(gb_Operands *in, gb_Matrix *X) {
    const double bytes = gb_dense_row_bytes(X), start = gb_seconds();
    const gbl_Info info = gb_acquire_rows(X);
    if (info != GBL_SUCCESS) return info;
    in->made_bytes += bytes;
    in->made_seconds += gb_seconds() - start;
    return GBL_SUCCESS;
}

/* Whether B, held dense alone, is full and may be wanted so. */
static bool keeps_dense(const gb_MxmCall *call) {
    const gb_Matrix *A = call->A, *B = call->B;
    const bool sparse = !gb_may_be_dense(A) || A->nvals < gb_flat_size(A);
    return sparse && B != A && gb_has(B) == GBL_HAS_FULL && gb_rows_of_b(call) == GB_CSR &&
           gb_mask_kind(&call->mask) == GB_MASK_NONE;
}

static gbl_Info look(gb_Factor *F, gb_Matrix *X, gb_Format rows, const gb_Type *type) {
    const unsigned has = gb_has(X) | (gb_lists_coincide(X) ? GB_HAS_LISTS : 0);
    *F = (gb_Factor){.X = X, .rows = rows, .type = type};
    F->has[GB_AS_TILES] = (has & gb_tiles_bit(rows)) != 0;
    gbl_Info info = GBL_SUCCESS;
    for (int form = 0; form < 2 && info == GBL_SUCCESS; form++) {
        const gb_Format format = format_of(F, (gb_Form)form);
        F->has[form] = (has & gb_has_bit(format)) != 0;
        if (F->has[form]) info = gb_acquire(X, format, &F->cs[form]);
    }
    const bool full = X->nvals == X->nrows * X->ncols;
    F->has[GB_FULL_BY_ROWS] = full && F->has[GB_BY_ROWS] && F->cs[GB_BY_ROWS].sorted;
    F->has[GB_FULL_BY_COLUMNS] = full && F->has[GB_BY_COLUMNS] && F->cs[GB_BY_COLUMNS].sorted;
    return info;
}

gbl_Info gb_operands_look(gb_Operands *in, const gb_MxmCall *call) {
    const gb_Matrix *M = call->mask.M;
    in->spec = &call->mask;
    in->mask_has_rows = M != NULL && (gb_has(M) & gb_has_bit(GB_CSR)) != 0;
    const bool keeps = keeps_dense(call), a = gb_only_dense(call->A);
    const bool b = call->B != call->A && gb_only_dense(call->B) && !keeps;
    gbl_Info info = a ? make_rows(in, call->A) : GBL_SUCCESS;
    if (info == GBL_SUCCESS && b) info = make_rows(in, call->B);
    if (info == GBL_SUCCESS)
        info = look(&in->A, call->A, gb_rows_of_a(call), gb_ring_left_type(call->ring));
    if (info == GBL_SUCCESS)
        info = look(&in->B, call->B, gb_rows_of_b(call), gb_ring_right_type(call->ring));
    in->B.has[GB_FULL_BY_ROWS] |= keeps;
    in->A.has[GB_AS_DENSE] = a;
    in->B.has[GB_AS_DENSE] = b; /* where B is A, its rows exist by then */
    return info;
}

static void release(gb_Factor *F) {
    gb_operand_release(&F->taken);
    gb_tile_operand_release(&F->tiles);
    gb_dense_operand_release(&F->dense);
}

void gb_operands_release(gb_Operands *in) {
    release(&in->A);
    release(&in->B);
    gb_mask_release(&in->mask);
    gb_free(in->flops, in->flops_bytes);
    in->flops = NULL;
}

bool gb_operands_are_sparse(const gb_Operands *in) {
    const bool *a = in->A.has, *b = in->B.has;
    return (a[GB_BY_ROWS] || a[GB_BY_COLUMNS]) && (b[GB_BY_ROWS] || b[GB_BY_COLUMNS]);
}

static gbl_Info take_dense(gb_Factor *F) {
    const gbl_Info info = gb_dense_operand_get(&F->dense, F->X, F->type);
    F->taken.view = (gb_CsView){.nmajor = F->X->nrows,
                                .nminor = F->X->ncols,
                                .nvals = F->X->nvals,
                                .x = F->dense.view.x,
                                .xsize = F->dense.view.xsize,
                                .iso = F->dense.view.iso,
                                .sorted = true};
    return info;
}

gbl_Info gb_take_factor(gb_Factor *F, gb_Form form, bool sorted) {
    const gb_Form sparse = gb_sparse_form(form);
    const gb_Format format = format_of(F, sparse);
    gb_CsView view;
    if (form == GB_ON_DEVICE) return GBL_SUCCESS;
    if (form == GB_AS_TILES) return gb_tile_operand_get(&F->tiles, F->X, F->rows, F->type);
    if (form == GB_FULL_BY_ROWS && F->has[form] && !F->has[sparse]) return take_dense(F);
    const bool cast = F->type != NULL && F->type != F->X->type && F->type->code != F->X->type->code;
    sorted |= form != sparse;
    if (F->has[sparse] && !cast && (!sorted || F->cs[sparse].sorted)) { /* as it was looked at */
        F->taken.view = F->cs[sparse];
        if (F->type == NULL) F->taken.view.x = NULL;
        return GBL_SUCCESS;
    }
    const gbl_Info info = sorted ? gb_acquire_sorted(F->X, format, &view) : GBL_SUCCESS;
    return info == GBL_SUCCESS ? gb_operand_get(&F->taken, F->X, format, F->type) : info;
}

gbl_Info gb_take_mask(gb_Operands *in, bool bitmap_serves) {
    gb_Matrix *M = in->spec->M;
    gb_DenseView dense;
    gbl_Info info;
    if (M == NULL || in->mask_taken) return GBL_SUCCESS;
    if (bitmap_serves && in->spec->structural && gb_only_dense(M) && gb_has(M) & GBL_HAS_BITMAP) {
        info = gb_acquire_dense(M, &dense);
        in->mask.view = (gb_CsView){.nmajor = M->nrows, .nminor = M->ncols, .nvals = dense.nvals};
        in->mask_bitmap = dense.b;
    } else {
        info = gb_mask_get(&in->mask, in->spec, GB_CSR);
    }
    in->mask_taken = info == GBL_SUCCESS;
    return info;
}

/* -- what methods share ------------------------------------------------------------------------ */

static bool is_all_true(const gb_TakenValues *of) {
    return of->iso ? *(const bool *)of->x : gb_is_all_true(of->X);
}

int gb_kernel_for(const gb_Semiring *ring, gb_TakenValues A, gb_TakenValues B) {
    const bool is_or = ring->kernel == GB_RING_LOR_LAND_BOOL;
    return is_or && is_all_true(&A) && is_all_true(&B) ? GB_RING_ANY_PAIR_BOOL : ring->kernel;
}

gb_MxmArgs gb_sparse_args(const gb_MxmRun *run, uint64_t work) {
    const gb_Semiring *ring = run->call->ring;
    const gb_CsView *A = &run->in->A.taken.view, *B = &run->in->B.taken.view;
    return (gb_MxmArgs){
        .A = *A,
        .B = *B,
        .M = run->in->mask.view,
        .Mb = run->in->mask_bitmap,
        .mask_kind = run->f->mask,
        .ring = gb_kernel_for(ring, (gb_TakenValues){run->in->A.X, A->x, A->iso},
                              (gb_TakenValues){run->in->B.X, B->x, B->iso}),
        .args = gb_ring_args(ring, A->x, A->iso, B->x, B->iso),
        .flops = run->in->flops,
        .allow = run->budget->allow,
        .nthreads = gb_threads_for(work + A->nvals, GB_GRAIN, run->budget->cut.threads),
    };
}

void gb_report_stats(gbl_Explanation *why, const gb_MxmStats *stats) {
    why->rows_copied = stats->copied;
    why->rows_sorted = stats->sorted;
    why->rows_hashed = stats->hashed;
    why->rows_dense = stats->dense;
    why->rows_bits = stats->by_bits;
    why->rows_overflowed = stats->overflowed;
    why->hubs_bits = stats->hubs_bits;
    why->slices = stats->slices;
    why->bins = stats->bins;
    why->bytes_expanded = stats->bytes_expanded;
    why->seconds_symbolic = stats->seconds_symbolic;
    why->seconds_expand = stats->seconds_expand;
    why->seconds_compact = stats->seconds_compact;
    why->seconds_sort = stats->seconds_sort;
}

gbl_Info gb_run_kernel(gb_MxmKernel *kernel, gb_MxmArgs *args, const gb_MxmRun *run, uint64_t work,
                       gb_Cs *T) {
    gb_Meter meter;
    gb_MxmStats stats = {0};
    args->meter = &meter;
    gb_progress_begin(&meter, "mxm", work);
    const gbl_Info info = kernel(args, T, &stats);
    if (info == GBL_SUCCESS) gb_report_stats(run->why, &stats);
    return info;
}

/* -- C from slices ----------------------------------------------------------------------------- */

gbl_Info gb_slices_begin(gb_SlicedRows *s, uint64_t nmajor) {
    const gbl_Info info = gb_cs_alloc(s->C, nmajor, 0, 0);
    if (info != GBL_SUCCESS) {
        *s->C = (gb_Cs){0};
        return info;
    }
    s->rows = 0;
    s->C->p[0] = 0;
    s->C->sorted = true;
    return GBL_SUCCESS;
}

/* Capacity in C for n entries, and for those expected of the remaining work. */
static gbl_Info grow(gb_SlicedRows *s, uint64_t n, double share) {
    const double expected = (double)n / (share > 0.01 ? share : 0.01);
    const double bytes = (double)n * (double)(s->size + sizeof(gb_Idx));
    if (n <= s->C->icap) return GBL_SUCCESS;
    const gbl_Info info = gb_allow_result(s->allow, bytes, share > 0.01 ? share : 0.01);
    if (info != GBL_SUCCESS) return info;
    const uint64_t capacity = s->exact || expected <= (double)n ? n : (uint64_t)expected + 1;
    return gb_cs_resize(s->C, capacity, s->C->nvals, s->size);
}

gbl_Info gb_slices_add(gb_SlicedRows *s, const gb_CsView *part, double share) {
    gb_Cs *C = s->C;
    if (part->nvals > 0) C->iso = part->iso;
    const gbl_Info info = grow(s, C->nvals + part->nvals, share);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t r = 0; r < part->nmajor; r++)
        C->p[s->rows + r + 1] = C->nvals + (part->p[r + 1] - part->p[0]);
    s->rows += part->nmajor;
    if (part->nvals > 0) {
        char *to = (char *)C->x + (C->iso ? 0 : C->nvals * s->size);
        memcpy(C->i + C->nvals, part->i, part->nvals * sizeof *C->i);
        memcpy(to, part->x, (C->iso ? 1 : part->nvals) * s->size);
    }
    C->nvals += part->nvals;
    return GBL_SUCCESS;
}

gbl_Info gb_slices_end(gb_SlicedRows *s, gbl_Info info) {
    gb_Cs *C = s->C;
    if (info == GBL_SUCCESS && (double)C->icap > GB_SLACK_MAX * (double)C->nvals && C->nvals > 0)
        info = gb_cs_resize(C, C->nvals, C->nvals, s->size);
    if (info != GBL_SUCCESS) gb_cs_free(C);
    return info;
}
