/* SPDX-License-Identifier: Apache-2.0
 *
 * One input for both sides.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "peers/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/values.h"
#include "peers/suitesparse.h"

/* Ap, Ai and the sizes of in->A. *X receives the values of an FP64 matrix, unless X is NULL. */
static int take_pattern(peer_input *in, double **X) {
    gbl_Arrays arrays = {0};
    gbl_Info info = gbl_Matrix_nrows(&in->nrows, in->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&in->ncols, in->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_view(&arrays, in->A, GBL_CSR_FORMAT);
    if (bench_failed(info, in->name)) return -1;
    in->nvals = arrays.p[in->nrows];
    in->Ap = malloc((in->nrows + 1) * sizeof *in->Ap);
    in->Ai = malloc((in->nvals + 1) * sizeof *in->Ai);
    if (X != NULL) *X = malloc((in->nvals + 1) * sizeof **X);
    if (in->Ap == NULL || in->Ai == NULL || (X != NULL && *X == NULL)) return -1;
    memcpy(in->Ap, arrays.p, (in->nrows + 1) * sizeof *in->Ap);
    for (gbl_Index k = 0; k < in->nvals; k++) {
        in->Ai[k] = arrays.i[k];
        if (X != NULL) (*X)[k] = ((double *)arrays.x)[arrays.iso ? 0 : k];
    }
    return 0;
}

/* Numbers below n in an order that depends on the seed alone. */
static gbl_Index *random_order(gbl_Index n, uint64_t seed) {
    gbl_Index *list = malloc((n + 1) * sizeof *list);
    for (gbl_Index k = 0; list != NULL && k < n; k++) { /* inside out, by Knuth */
        const gbl_Index other = bench_random(&seed) % (k + 1);
        list[k] = k;
        list[k] = list[other];
        list[other] = k;
    }
    return list;
}

/* Values stay with their entries. */
static int shuffle(gbl_Matrix *A, peer_order order) {
    int status = -1;
    gbl_Index m = 0, n = 0;
    gbl_Matrix S = NULL;
    if (bench_failed(gbl_Matrix_nrows(&m, *A), "nrows")) return -1;
    if (bench_failed(gbl_Matrix_ncols(&n, *A), "ncols")) return -1;
    const bool apart = order == PEER_SHUFFLED_APART || m != n;
    gbl_Index *rows = random_order(m, 20261125), *columns = random_order(n, apart ? 7 : 20261125);
    if (rows == NULL || columns == NULL) goto done;
    if (bench_failed(gbl_Matrix_new(&S, GBL_FP64, m, n), "new")) goto done;
    if (bench_failed(gbl_extract(S, NULL, NULL, *A, rows, m, columns, n, NULL), "shuffle"))
        goto done;
    gbl_Matrix_free(A);
    *A = S;
    S = NULL;
    status = 0;
done:
    gbl_Matrix_free(&S);
    free(rows);
    free(columns);
    return status;
}

static int load_weighted(peer_input *in, peer_order order) {
    int status = -1;
    double *X = NULL;
    if (bench_failed(gbl_load(&in->A, GBL_FP64, in->name), in->name)) goto done;
    if (order != PEER_IN_ORDER && shuffle(&in->A, order) != 0) goto done;
    if (bench_failed(bench_set_values(in->A), "values")) goto done;
    if (take_pattern(in, &X) != 0) goto done;
    if (peer_failed(GrB_Matrix_import_FP64(&in->S, GrB_FP64, in->nrows, in->ncols, in->Ap, in->Ai,
                                           X, in->nrows + 1, in->nvals, in->nvals, GrB_CSR_FORMAT),
                    "import"))
        goto done;
    status = 0;
done:
    free(X);
    return status;
}

/* The pattern of in->A for SuiteSparse, one value for all entries as in gblite. */
static int share_pattern(peer_input *in) {
    int status = -1;
    GrB_Scalar one = NULL;
    gbl_Index *I = malloc((in->nvals + 1) * sizeof *I);
    if (I == NULL) goto done;
    for (gbl_Index i = 0; i < in->nrows; i++)
        for (gbl_Index p = in->Ap[i]; p < in->Ap[i + 1]; p++) I[p] = i;
    if (peer_failed(GrB_Scalar_new(&one, GrB_BOOL), "scalar")) goto done;
    if (peer_failed(GrB_Scalar_setElement_BOOL(one, true), "scalar")) goto done;
    if (peer_failed(GrB_Matrix_new(&in->S, GrB_BOOL, in->nrows, in->ncols), "new")) goto done;
    if (peer_failed(GxB_Matrix_build_Scalar(in->S, I, in->Ai, one, in->nvals), "build")) goto done;
    if (peer_failed(GrB_Matrix_wait(in->S, GrB_MATERIALIZE), "wait")) goto done;
    status = 0;
done:
    free(I);
    GrB_Scalar_free(&one);
    return status;
}

static int load_undirected(peer_input *in) {
    if (bench_failed(gbl_load(&in->A, GBL_BOOL, in->name), in->name)) return -1;
    if (bench_failed(bench_make_undirected(in->A, &in->nrows), in->name)) return -1;
    return take_pattern(in, NULL) == 0 ? share_pattern(in) : -1;
}

int peer_load(peer_input *in, const char *operand, bool undirected) {
    memset(in, 0, sizeof *in);
    in->name = operand;
    return undirected ? load_undirected(in) : load_weighted(in, PEER_IN_ORDER);
}

int peer_load_shuffled(peer_input *in, const char *operand, peer_order order) {
    memset(in, 0, sizeof *in);
    in->name = operand;
    return load_weighted(in, order);
}

int peer_pattern(peer_input *in, gbl_Index n, const gbl_Index *I, const gbl_Index *J,
                 gbl_Index edges) {
    int status = -1;
    gbl_Scalar one = NULL;
    memset(in, 0, sizeof *in);
    in->name = "pattern";
    if (bench_failed(gbl_Scalar_new(&one, GBL_BOOL), "scalar")) goto done;
    if (bench_failed(gbl_Scalar_setElement_BOOL(one, true), "scalar")) goto done;
    if (bench_failed(gbl_Matrix_new(&in->A, GBL_BOOL, n, n), "new")) goto done;
    if (bench_failed(gbl_Matrix_build_Scalar(in->A, I, J, one, edges), "build")) goto done;
    if (take_pattern(in, NULL) != 0) goto done;
    status = share_pattern(in);
done:
    gbl_Scalar_free(&one);
    return status;
}

int peer_pattern_of(peer_input *in, const peer_input *other) {
    gbl_Index *rows = malloc((other->nvals + 1) * sizeof *rows);
    if (rows == NULL) return -1;
    for (gbl_Index i = 0; i < other->nrows; i++)
        for (gbl_Index e = other->Ap[i]; e < other->Ap[i + 1]; e++) rows[e] = i;
    const int status = peer_pattern(in, other->nrows, rows, other->Ai, other->nvals);
    free(rows);
    return status;
}

void peer_unload(peer_input *in) {
    gbl_Matrix_free(&in->A);
    GrB_Matrix_free(&in->S);
    free(in->Ap);
    free(in->Ai);
    in->Ap = in->Ai = NULL;
}
