/* SPDX-License-Identifier: Apache-2.0
 *
 * The least fixpoint of w = w (+) w * A, of any semiring and any dimension: what has changed last
 * is multiplied until nothing changes (Bellman-Ford with lists). Shortest paths have a kernel of
 * their own, ops/closure.c. Hypersparse operands are lifted once, to one axis of the indices that w
 * and both dimensions of A have.
 *
 * A path without a circle has no more edges than A has entries, and fewer than there are places, so
 * what still changes after as many rounds will not end.
 */
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

/* Of objects that are no hypersparse ones. */
static gbl_Info find_fixpoint(const gb_Closure *call, const gb_Choices *choices) {
    gb_Matrix *const w = call->w, *best = NULL, *changed = NULL;
    bool done = false;
    gbl_Info info = gb_closure_paths(call, &done);
    if (info != GBL_SUCCESS || done) return info;
    info = gb_matrix_dup(&best, w);
    if (info == GBL_SUCCESS) info = gb_matrix_dup(&changed, w);
    if (info == GBL_SUCCESS) info = repeat(best, changed, call, choices);
    if (info == GBL_SUCCESS) info = gb_lifted_write(w, &no_mask, NULL, best);
    gb_matrix_free(best);
    gb_matrix_free(changed);
    return info;
}

gbl_Info gb_lifted_closure(const gb_Closure *call, const gb_Choices *choices) {
    gb_Matrix *const w = call->w, *const A = call->A;
    gb_Lift lift;
    gbl_Info info = gb_mxv_check(&(gb_MxvCall){.w = w,
                                               .ring = call->ring,
                                               .A = A,
                                               .u = w,
                                               .transpose = call->transpose,
                                               .u_is_left = true});
    if (info == GBL_SUCCESS) info = gb_assemble(w);
    if (info == GBL_SUCCESS) info = gb_assemble(A);
    if (info != GBL_SUCCESS) return info;
    if (!gb_any_hyper(w, &no_mask, A, NULL)) return find_fixpoint(call, choices);
    if (gb_is_filled(w) && !gb_any_huge(w, &no_mask, A, NULL)) return find_fixpoint(call, choices);
    gb_lift_output(&lift, w, &no_mask, NULL);
    lift.keeps = true;
    gb_lift_input(&lift, GB_OF_A, A, GB_ALONG_ROWS, GB_ALONG_ROWS);
    info = gb_lift_begin(&lift);
    if (info == GBL_SUCCESS) {
        gb_Closure core = *call;
        core.w = gb_core(&lift, GB_OF_C);
        core.A = gb_core(&lift, GB_OF_A);
        info = find_fixpoint(&core, choices);
    }
    return gb_lift_end(&lift, info);
}
