/* SPDX-License-Identifier: Apache-2.0
 *
 * The least fixpoint of w = w (+) w * A, of any semiring and any dimension: what has changed last
 * is multiplied until nothing changes (Bellman-Ford with lists). Shortest paths have a kernel of
 * their own, graph/closure.c. Hypersparse operands are lifted once, to one axis of the indices that
 * w and both dimensions of A have.
 *
 * A path without a circle has no more edges than A has entries, and fewer than there are places, so
 * what still changes after as many rounds will not end.
 */
#include "kernel_api/backend.h"
#include "gblite_explain.h"
#include "hyper/hyper.h"
#include "hyper/lift.h"
#include "matrix/copy.h"

static gbl_Info repeat(gb_Matrix *best, gb_Matrix *changed, const gb_Closure *call,
                       const gb_Choices *choices) {
    const gb_MxvCall round = {.w = changed,
                              .best = best,
                              .ring = call->ring,
                              .A = call->A,
                              .u = changed,
                              .transpose = call->transpose,
                              .u_is_left = true,
                              .choices = *choices};
    uint64_t edges, now = 0;
    gbl_Info info = gb_matrix_nvals(call->A, &edges);
    const uint64_t most = edges < best->nrows ? edges + 1 : best->nrows;
    for (uint64_t k = 0; info == GBL_SUCCESS; k++) {
        info = gb_matrix_nvals(changed, &now);
        if (info != GBL_SUCCESS || now == 0) return info;
        if (k == most)
            return gb_fail(GBL_INVALID_VALUE,
                           "w still changes after %llu rounds: A has a circle that improves what "
                           "goes round, such as one of negative length",
                           (unsigned long long)k);
        info = gb_lifted_mxv(&round);
    }
    return info;
}

static const gb_Mask no_mask = {0};

static void tell(void *explanation, const void *block) {
    const bool *paths = block;
    gbl_Explanation *why = explanation;
    *why = (gbl_Explanation){.operation = "closure",
                             .method = *paths ? "buckets" : "rounds",
                             .workflow = *paths ? "delta-stepping" : "push or pull",
                             .isa = gb_backend()->name,
                             .place = "cpu",
                             .reason = "shortest paths have a kernel; GBL_METHOD is for rounds",
                             .chosen = -1};
}

/* Without memory there is no explanation. */
static void note(gb_Matrix *w, bool paths) {
    bool *block = gb_malloc(sizeof *block);
    if (block == NULL) return;
    *block = paths;
    gb_matrix_set_note(w, (gb_Note){block, sizeof *block, tell});
}

/* Of objects that are no hypersparse ones; *paths = whether the kernel of shortest paths did it. */
static gbl_Info find_fixpoint(const gb_Closure *call, const gb_Choices *choices, bool *paths) {
    gb_Matrix *const w = call->w, *best = NULL, *changed = NULL;
    gbl_Info info = gb_closure_paths(call, paths);
    if (info != GBL_SUCCESS || *paths) return info;
    info = gb_matrix_dup(&best, w);
    if (info == GBL_SUCCESS) info = gb_matrix_dup(&changed, w);
    if (info == GBL_SUCCESS) info = repeat(best, changed, call, choices);
    if (info == GBL_SUCCESS) info = gb_lifted_write(w, &no_mask, NULL, best);
    gb_matrix_free(best);
    gb_matrix_free(changed);
    return info;
}

static gbl_Info lift_closure(const gb_Closure *call, const gb_Choices *choices, bool *paths) {
    gb_Lift lift;
    gb_lift_output(&lift, call->w, &no_mask, NULL);
    lift.keeps = true;
    gb_lift_input(&lift, GB_OF_A, call->A, GB_DIM_ROWS, GB_DIM_ROWS);
    gbl_Info info = gb_lift_begin(&lift);
    if (info == GBL_SUCCESS) {
        gb_Closure core = *call;
        core.w = gb_core(&lift, GB_OF_C);
        core.A = gb_core(&lift, GB_OF_A);
        info = find_fixpoint(&core, choices, paths);
    }
    return gb_lift_end(&lift, info);
}

gbl_Info gb_lifted_closure(const gb_Closure *call, const gb_Choices *choices) {
    gb_Matrix *const w = call->w, *const A = call->A;
    bool paths = false;
    gbl_Info info = gb_mxv_check(&(gb_MxvCall){.w = w,
                                               .ring = call->ring,
                                               .A = A,
                                               .u = w,
                                               .transpose = call->transpose,
                                               .u_is_left = true});
    if (info == GBL_SUCCESS) info = gb_assemble(w);
    if (info == GBL_SUCCESS) info = gb_assemble(A);
    if (info != GBL_SUCCESS) return info;
    const bool stays = gb_is_filled(w) && !gb_any_huge(w, &no_mask, A, NULL);
    info = stays || !gb_any_hyper(w, &no_mask, A, NULL) ? find_fixpoint(call, choices, &paths)
                                                        : lift_closure(call, choices, &paths);
    if (info == GBL_SUCCESS) note(w, paths);
    return info;
}
