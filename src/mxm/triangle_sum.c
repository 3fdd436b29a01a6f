/* SPDX-License-Identifier: Apache-2.0
 *
 * The triangle sum; see mxm.h.
 */
#include "mxm/mxm.h"

#include "mxm/plan/plan.h"

/* As far as the call alone shows. */
static bool may_be_triangles(const gb_MxmCall *call) {
    const gb_Matrix *A = call->A;
    const bool counts = call->ring->kernel == GB_RING_PLUS_PAIR_INT64 ||
                        call->ring->kernel == GB_RING_PLUS_PAIR_INT32;
    return call->fold != NULL && counts && call->fold->monoid->op->code == GB_PLUS &&
           call->B == A && call->mask.M == A && call->mask.structural && !call->mask.complement &&
           A->nrows == A->ncols && (gb_has(A) & GB_HAS_LISTS) != 0 && gb_plan_is_open(call);
}

/* What is known of A, or found out where that takes no more memory than a call may. */
static gbl_Info look(gb_Matrix *A, gb_Format format, gb_CsView *view, gb_Facts *facts) {
    gbl_Info info = gb_acquire_sorted(A, format, view);
    const bool unknown = gb_symmetry_of(A) == GB_SYMMETRY_UNKNOWN;
    const bool may_look = A->nrows < gb_workspace_budget() / sizeof(gb_Off);
    if (info == GBL_SUCCESS && unknown && may_look) info = gb_find_symmetry(A, format);
    return info == GBL_SUCCESS ? gb_facts_get(facts, A, format) : info;
}

/* Closed walks of length 3 through loops of a symmetric pattern; the absence of loops is
 * recorded. */
static uint64_t loop_walks(gb_Matrix *A, const gb_CsView *view) {
    uint64_t walks = 0;
    if (__atomic_load_n(&A->diagonal, __ATOMIC_RELAXED) == GB_DIAGONAL_EMPTY) return 0;
    for (uint64_t v = 0; v < view->nmajor; v++) {
        const gb_Off end = view->p[v + 1];
        const gb_Off at = gb_first_at_least(view->i, view->p[v], end, v);
        if (at < end && view->i[at] == v) walks += 3 * (end - view->p[v] - 1) + 1;
    }
    if (walks == 0) __atomic_store_n(&A->diagonal, GB_DIAGONAL_EMPTY, __ATOMIC_RELAXED);
    return walks;
}

/* The graph as it is counted: A, whose rows are short, or each edge once; false: neither does. */
static bool choose_form(gb_TriangleArgs *args, gb_Matrix *A, gb_Format format,
                        const gb_Facts *facts) {
    const gb_Symmetry symmetry = gb_symmetry_of(A);
    const gb_Symmetry lower = format == GB_CSR ? GB_LOWER : GB_UPPER;
    if (symmetry == GB_UNSYMMETRIC || symmetry == GB_SYMMETRY_UNKNOWN) return false;
    if (facts->longest <= GB_TRIANGLE_SUM_LONGEST &&
        (symmetry == GB_SYMMETRIC || symmetry == lower))
        return true;
    const double n = (double)args->A.nvals;
    const bool skewed = facts->squares * (double)facts->rows_used >= GB_DEGREE_LOWER_SKEW * n * n;
    args->graph = gb_degree_lower_get(A, format, symmetry == GB_SYMMETRIC || skewed);
    return args->graph.lists.p != NULL;
}

static gbl_Info count(gb_TriangleArgs *args, uint64_t *triangles) {
    gb_Meter meter;
    const gb_CsView *lists = args->graph.lists.p != NULL ? &args->graph.lists : &args->A;
    gb_progress_begin(&meter, "mxm", lists->nvals);
    args->meter = &meter;
    args->nthreads =
        gb_threads_for(lists->nmajor + lists->nvals, GB_TRIANGLE_SUM_GRAIN, gb_nthreads());
    if (args->graph.lists.p != NULL) {
        const uint64_t fit = gb_workspace_budget() / gb_triangle_bytes(&args->graph);
        if (fit < (uint64_t)args->nthreads) args->nthreads = fit > 0 ? (int)fit : 1;
    }
    const gbl_Info info = gb_backend()->count_triangles(args, triangles);
    return info == GBL_SUCCESS ? gb_progress_end(&meter) : info;
}

gbl_Info gb_triangle_sum(const gb_MxmCall *call, bool *made) {
    gb_Matrix *A = call->A;
    gb_Folding *fold = call->fold;
    gb_TriangleArgs args = {.nthreads = 1};
    gb_Facts facts;
    uint64_t triangles = 0;
    *made = false;
    if (!may_be_triangles(call)) return GBL_SUCCESS;
    const gb_Format format = gb_has(A) & GBL_HAS_CSR ? GB_CSR : GB_CSC;
    gbl_Info info = look(A, format, &args.A, &facts);
    const bool symmetric = gb_symmetry_of(A) == GB_SYMMETRIC;
    if (!symmetric && call->transpose_a && call->transpose_b) return info;
    if (info != GBL_SUCCESS || !choose_form(&args, A, format, &facts)) return info;
    info = count(&args, &triangles);
    if (info == GBL_OUT_OF_MEMORY) gb_error_begin(); /* a plan may need less */
    if (info != GBL_SUCCESS) return info == GBL_OUT_OF_MEMORY ? GBL_SUCCESS : info;
    const uint64_t walks = symmetric ? 6 * triangles + loop_walks(A, &args.A) : triangles;
    memcpy(fold->z, &walks, fold->monoid->op->ztype->size);
    fold->nvals = walks > 0;
    *made = fold->done = true;
    return GBL_SUCCESS;
}
