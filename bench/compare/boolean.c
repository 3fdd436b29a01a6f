/* SPDX-License-Identifier: Apache-2.0
 *
 * Job: C = A*A of the pattern of a square A, over or-and and over any-pair on BOOL, rows of C
 * sorted.
 */
#include "compare/compare.h"

#include <stdlib.h>

typedef struct {
    const peer_input *in; /* BOOL */
    bool any;
    gbl_Matrix C;
    peer_csr other;
} boolean_context;

static int run_mine(void *context) {
    boolean_context *c = context;
    gbl_Matrix A = c->in->A;
    const gbl_Semiring ring = c->any ? GBL_ANY_PAIR_SEMIRING_BOOL : GBL_LOR_LAND_SEMIRING_BOOL;
    if (bench_failed(gbl_Matrix_new(&c->C, GBL_BOOL, c->in->nrows, c->in->nrows), "new")) return -1;
    if (bench_failed(gbl_mxm(c->C, NULL, NULL, ring, A, A, NULL), "mxm")) return -1;
    if (bench_failed(gbl_Matrix_wait(c->C, GBL_MATERIALIZE), "wait")) return -1;
    bool first; /* a look at one entry: C is wanted by rows, not in tiles */
    return bench_failed(gbl_Matrix_extractElement_BOOL(&first, c->C, 0, 0), "look") ? -1 : 0;
}

static void reset_mine(void *context) {
    boolean_context *c = context;
    gbl_Matrix_free(&c->C);
}

static int run_other(void *context) {
    boolean_context *c = context;
    return peer_multiply_boolean(c->in, c->any, &c->other);
}

static void reset_other(void *context) {
    boolean_context *c = context;
    peer_drop(&c->other);
}

static int multiply(boolean_context *c, int rounds, compare_row *row) {
    int status = -1;
    bench_contender list[2] = {{"SuiteSparse", run_other, reset_other, c, 0},
                               {"gblite", run_mine, reset_mine, c, 0}};
    if (bench_take_turns(list, 2, rounds) != 0) goto done;
    row->other = list[0].median;
    row->gblite = list[1].median;
    if (bench_failed(gbl_Matrix_explain(&row->how, c->C), "explain")) goto done;
    if (peer_take(&c->other) != 0) goto done;
    row->equal = peer_equal(c->C, &c->other, PEER_BOOL, &row->result);
    status = 0;
done:
    reset_mine(c);
    reset_other(c);
    return status;
}

/* The pattern of in, on both sides. */
static int make_pattern(peer_input *A, const peer_input *in) {
    gbl_Index *rows = malloc((in->nvals + 1) * sizeof *rows);
    if (rows == NULL) return -1;
    for (gbl_Index i = 0; i < in->nrows; i++)
        for (gbl_Index e = in->Ap[i]; e < in->Ap[i + 1]; e++) rows[e] = i;
    const int status = peer_pattern(A, in->nrows, rows, in->Ai, in->nvals);
    free(rows);
    return status;
}

int compare_boolean(const peer_input *in, int rounds, compare_row *rows) {
    static const char *const NAMES[2] = {"or-and", "any-pair"};
    peer_input A = {0};
    int count = 0;
    if (in->nrows != in->ncols) return 0;
    if (make_pattern(&A, in) != 0) count = -1;
    for (int any = 0; any < 2 && count >= 0; any++) {
        boolean_context c = {.in = &A, .any = any};
        rows[any] = (compare_row){.operation = NAMES[any],
                                  .input = in->name,
                                  .other_form = "",
                                  .result_unit = "entries",
                                  .how = GBL_EXPLANATION_INIT};
        count = multiply(&c, rounds, &rows[any]) == 0 ? count + 1 : -1;
    }
    peer_unload(&A);
    return count;
}
