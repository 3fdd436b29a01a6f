/* SPDX-License-Identifier: Apache-2.0
 *
 * The least fixpoint of w = w (+) w * A, of any semiring and any dimension: multiplies the latest
 * changes until nothing changes (Bellman-Ford with sparse vectors). Shortest paths have a kernel of
 * their own (shortest_paths.c). Hypersparse operands get one common row list, of the indices of w
 * and both dimensions of A.
 *
 * A path without a cycle has at most nvals(A) edges, and fewer than there are vertices, so changes
 * after as many rounds never end.
 */
#include "graph/graph.h"

#include "lazy/operations.h"
#include "ops/operations.h"

static gbl_Info repeat(gb_Matrix *best, gb_Matrix *changed, const gb_Closure *call) {
    const gb_MxvCall round = {.w = changed,
                              .best = best,
                              .ring = call->ring,
                              .A = call->A,
                              .u = changed,
                              .transpose = call->transpose,
                              .u_is_left = true,
                              .choices = call->choices};
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
        info = gb_run_now(&gb_op_vxm_update, &round);
    }
    return info;
}

static void report(gb_Matrix *w, bool paths) {
    gb_matrix_explain(
        w, &(gbl_Explanation){.operation = "closure",
                              .method = paths ? "buckets" : "rounds",
                              .workflow = paths ? "delta-stepping" : "push or pull",
                              .reason = "shortest paths have a kernel; GBL_METHOD is for rounds"});
}

static gbl_Info closure_host(const void *asked) {
    static const gb_Mask no_mask = {0};
    const gb_Closure *call = asked;
    gb_Matrix *const w = call->w, *best = NULL, *changed = NULL;
    bool paths = false;
    gbl_Info info = gb_assemble(w);
    if (info == GBL_SUCCESS) info = gb_assemble(call->A);
    if (info == GBL_SUCCESS) info = gb_closure_paths(call, &paths);
    if (info == GBL_SUCCESS && !paths) {
        info = gb_matrix_copy(&best, w);
        if (info == GBL_SUCCESS) info = gb_matrix_copy(&changed, w);
        if (info == GBL_SUCCESS) info = repeat(best, changed, call);
        if (info == GBL_SUCCESS) info = gb_write(w, &no_mask, NULL, best);
        gb_matrix_free(best);
        gb_matrix_free(changed);
    }
    if (info == GBL_SUCCESS) report(w, paths);
    return info;
}

static gbl_Info closure_hyper(const void *asked) {
    const gb_Closure *call = asked;
    gb_Matrix *const w = call->w;
    gb_HyperCall hyper;
    const gbl_Info info = gb_assemble(w);
    if (info != GBL_SUCCESS) return info;
    if (gb_is_filled(w) && !gb_any_huge(w, NULL, call->A, NULL)) return closure_host(call);
    gb_hyper_begin(&hyper, &gb_op_closure, call);
    hyper.keeps = true;
    return gb_hyper_run(&hyper);
}

static gbl_Info check(const void *asked) {
    const gb_Closure *call = asked;
    gb_Matrix *const w = call->w;
    const gb_Opcode add = call->ring->add->op->code;
    if (add != GB_MIN && add != GB_MAX)
        return gb_fail(GBL_DOMAIN_MISMATCH, "the addition of the semiring must be MIN or MAX");
    const gbl_Info info = gb_check_shape(call->A, false, w->nrows, w->nrows, "A");
    return info == GBL_SUCCESS ? gb_mxv_check(&(gb_MxvCall){.w = w,
                                                            .ring = call->ring,
                                                            .A = call->A,
                                                            .u = w,
                                                            .transpose = call->transpose,
                                                            .u_is_left = true})
                               : info;
}

const gb_Op gb_op_closure = {.name = "closure",
                             .bytes = sizeof(gb_Closure),
                             .B = GB_INPUT_TRANSPOSED(gb_Closure, A, transpose, ROWS, ROWS),
                             .check = check,
                             .hyper = closure_hyper,
                             .host = closure_host};
