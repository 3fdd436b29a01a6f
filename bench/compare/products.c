/* SPDX-License-Identifier: Apache-2.0
 *
 * Jobs: C = A*A, or A*A' where A is not square, and w = A*u with a full vector u; plus-times on
 * FP64.
 */
#include "compare/compare.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const peer_input *in;
    gbl_Matrix C;
    peer_csr other;
} mxm_context;

static int run_mxm(void *context) {
    mxm_context *c = context;
    gbl_Matrix A = c->in->A;
    bool square = c->in->nrows == c->in->ncols;
    if (bench_failed(gbl_Matrix_new(&c->C, GBL_FP64, c->in->nrows, c->in->nrows), "new")) return -1;
    if (bench_failed(gbl_mxm(c->C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A,
                             square ? NULL : GBL_DESC_T1),
                     "mxm"))
        return -1;
    if (bench_failed(gbl_Matrix_wait(c->C, GBL_MATERIALIZE), "wait")) return -1;
    double first; /* a look at one entry: C is wanted by rows, not in tiles */
    return bench_failed(gbl_Matrix_extractElement_FP64(&first, c->C, 0, 0), "look") ? -1 : 0;
}

static void reset_mxm(void *context) {
    mxm_context *c = context;
    gbl_Matrix_free(&c->C);
}

static int run_mxm_other(void *context) {
    mxm_context *c = context;
    return peer_multiply(c->in, &c->other);
}

static void reset_mxm_other(void *context) {
    mxm_context *c = context;
    peer_drop(&c->other);
}

int compare_mxm(const peer_input *in, int rounds, compare_row *rows) {
    int count = -1;
    mxm_context c = {.in = in};
    bench_contender list[2] = {{"SuiteSparse", run_mxm_other, reset_mxm_other, &c, 0},
                               {"gblite", run_mxm, reset_mxm, &c, 0}};
    if (bench_take_turns(list, 2, rounds) != 0) goto done;
    compare_row *row = &rows[0];
    *row = (compare_row){.operation = "mxm",
                         .input = in->name,
                         .other_form = "",
                         .other = list[0].median,
                         .gblite = list[1].median,
                         .result_unit = "entries",
                         .how = GBL_EXPLANATION_INIT};
    if (bench_failed(gbl_Matrix_explain(&row->how, c.C), "explain")) goto done;
    if (peer_take(&c.other) != 0) goto done;
    row->equal = peer_equal(c.C, &c.other, PEER_FP64, &row->result);
    count = 1;
done:
    reset_mxm(&c);
    reset_mxm_other(&c);
    return count;
}

typedef struct {
    const peer_input *in;
    gbl_Vector u, w;
    GrB_Vector v, z;
} mxv_context;

static int run_mxv(void *context) {
    mxv_context *c = context;
    if (bench_failed(gbl_Vector_new(&c->w, GBL_FP64, c->in->nrows), "new")) return -1;
    if (bench_failed(gbl_mxv(c->w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, c->in->A, c->u, NULL),
                     "mxv"))
        return -1;
    return bench_failed(gbl_Vector_wait(c->w, GBL_MATERIALIZE), "wait") ? -1 : 0;
}

static void reset_mxv(void *context) {
    mxv_context *c = context;
    gbl_Vector_free(&c->w);
}

static int run_mxv_other(void *context) {
    mxv_context *c = context;
    if (peer_failed(GrB_Vector_new(&c->z, GrB_FP64, c->in->nrows), "new")) return -1;
    if (peer_failed(GrB_mxv(c->z, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, c->in->S, c->v, NULL),
                    "mxv"))
        return -1;
    return peer_failed(GrB_Vector_wait(c->z, GrB_MATERIALIZE), "wait") ? -1 : 0;
}

static void reset_mxv_other(void *context) {
    mxv_context *c = context;
    GrB_Vector_free(&c->z);
}

/* u(j) in (0, 1], the same on both sides */
static int fill_vectors(mxv_context *c) {
    int status = -1;
    gbl_Index n = c->in->ncols;
    gbl_Index *I = malloc((n + 1) * sizeof *I);
    double *X = malloc((n + 1) * sizeof *X);
    if (I == NULL || X == NULL) goto done;
    uint64_t state = 12345;
    for (gbl_Index j = 0; j < n; j++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        I[j] = j;
        X[j] = (double)((state >> 40) + 1) / (double)(1 << 24);
    }
    if (bench_failed(gbl_Vector_new(&c->u, GBL_FP64, n), "new")) goto done;
    if (bench_failed(gbl_Vector_build_FP64(c->u, I, X, n, NULL), "build")) goto done;
    if (peer_failed(GrB_Vector_new(&c->v, GrB_FP64, n), "new")) goto done;
    if (peer_failed(GrB_Vector_build_FP64(c->v, I, X, n, GrB_PLUS_FP64), "build")) goto done;
    if (peer_failed(GrB_Vector_wait(c->v, GrB_MATERIALIZE), "wait")) goto done;
    status = 0;
done:
    free(I);
    free(X);
    return status;
}

bool compare_vectors(const compare_pair *pair, uint64_t *nvals) {
    bool equal = false;
    gbl_Index size = pair->size, n = size, n_other = size;
    gbl_Index *I = malloc((size + 1) * 2 * sizeof *I);
    double *X = malloc((size + 1) * 2 * sizeof *X);
    if (I == NULL || X == NULL) goto done;
    if (bench_failed(gbl_Vector_extractTuples_FP64(I, X, &n, pair->w), "tuples")) goto done;
    if (peer_failed(GrB_Vector_extractTuples_FP64(I + size, X + size, &n_other, pair->z), "tuples"))
        goto done;
    *nvals = n;
    equal = n == n_other && memcmp(I, I + size, n * sizeof *I) == 0;
    for (gbl_Index k = 0; equal && k < n; k++)
        equal = pair->equal(pair->context, I[k], X[k], X[size + k]);
done:
    free(I);
    free(X);
    return equal;
}

static bool is_close(const void *context, gbl_Index i, double x, double y) {
    (void)context;
    (void)i;
    return peer_close(x, y);
}

int compare_mxv(const peer_input *in, int rounds, compare_row *rows) {
    int count = -1;
    mxv_context c = {.in = in};
    bench_contender list[2] = {{"SuiteSparse", run_mxv_other, reset_mxv_other, &c, 0},
                               {"gblite", run_mxv, reset_mxv, &c, 0}};
    if (fill_vectors(&c) != 0) goto done;
    if (bench_take_turns(list, 2, rounds) != 0) goto done;
    compare_row *row = &rows[0];
    *row = (compare_row){.operation = "mxv",
                         .input = in->name,
                         .other_form = "",
                         .other = list[0].median,
                         .gblite = list[1].median,
                         .result_unit = "entries",
                         .how = GBL_EXPLANATION_INIT};
    if (bench_failed(gbl_Vector_explain(&row->how, c.w), "explain")) goto done;
    const compare_pair pair = {.w = c.w, .z = c.z, .size = in->nrows, .equal = is_close};
    row->equal = compare_vectors(&pair, &row->result);
    count = 1;
done:
    reset_mxv(&c);
    reset_mxv_other(&c);
    gbl_Vector_free(&c.u);
    GrB_Vector_free(&c.v);
    return count;
}
