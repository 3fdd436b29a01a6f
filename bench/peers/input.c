/* SPDX-License-Identifier: Apache-2.0
 *
 * One input for both sides: gblite makes it, SuiteSparse gets its arrays.
 */
#include "peers/input.h"

#include <stdlib.h>

#include "harness/values.h"
#include "peers/suitesparse.h"

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
static gbl_Info shuffle(peer_input *in, bool apart) {
    const gbl_Index m = in->nrows, n = in->ncols;
    gbl_Index *rows = random_order(m, 20261125);
    gbl_Index *columns = random_order(n, apart || m != n ? 7 : 20261125);
    gbl_Matrix S = NULL;
    gbl_Info info = gbl_Matrix_new(&S, GBL_FP64, m, n);
    if (rows == NULL || columns == NULL)
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for a random order");
    if (info == GBL_SUCCESS) info = gbl_extract(S, NULL, NULL, in->A, rows, m, columns, n, NULL);
    gbl_Matrix_free(&in->A);
    in->A = S;
    free(rows);
    free(columns);
    return info;
}

/* The lower triangle with its vertices by falling degree. */
static gbl_Info sort_lower(gbl_Matrix A, gbl_Index n) {
    gbl_Vector degrees = NULL, order = NULL;
    gbl_Info info = gbl_Vector_new(&degrees, GBL_INT64, n);
    if (info == GBL_SUCCESS) info = gbl_Vector_new(&order, GBL_INT64, n);
    if (info == GBL_SUCCESS) info = gbl_Matrix_degrees(degrees, NULL, NULL, A, NULL);
    if (info == GBL_SUCCESS) info = gbl_Vector_sort(NULL, order, GBL_GT_INT64, degrees, NULL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_permute(A, NULL, NULL, GBL_TRIL, A, order, -1, NULL);
    gbl_Vector_free(&degrees);
    gbl_Vector_free(&order);
    return info;
}

/* One value for all entries. */
static gbl_Info keep_pattern(peer_input *in) {
    const gbl_Index m = in->nrows, n = in->ncols;
    gbl_Matrix P = NULL;
    gbl_Info info = gbl_Matrix_new(&P, GBL_BOOL, m, n);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_assign_BOOL(P, in->A, NULL, true, GBL_ALL, m, GBL_ALL, n, GBL_DESC_S);
    gbl_Matrix_free(&in->A);
    in->A = P;
    return info;
}

static gbl_Info make(peer_input *in, peer_kind kind) {
    const bool weighted = kind <= PEER_SHUFFLED_APART;
    gbl_Info info = gbl_load(&in->A, kind <= PEER_PATTERN ? GBL_FP64 : GBL_BOOL, in->name);
    if (info == GBL_SUCCESS && kind >= PEER_UNDIRECTED) info = bench_make_undirected(in->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&in->nrows, in->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&in->ncols, in->A);
    if (info == GBL_SUCCESS && (kind == PEER_SHUFFLED || kind == PEER_SHUFFLED_APART))
        info = shuffle(in, kind == PEER_SHUFFLED_APART);
    if (info == GBL_SUCCESS && kind == PEER_LOWER)
        info = gbl_Matrix_select_INT64(in->A, NULL, NULL, GBL_TRIL, in->A, -1, NULL);
    if (info == GBL_SUCCESS && kind == PEER_SORTED_LOWER) info = sort_lower(in->A, in->nrows);
    if (info == GBL_SUCCESS) info = weighted ? bench_set_values(in->A) : keep_pattern(in);
    return info == GBL_SUCCESS ? gbl_Matrix_wait(in->A, GBL_MATERIALIZE) : info;
}

/* SuiteSparse's pattern, with one value for all entries as gblite's. */
static int share_pattern(peer_input *in, GrB_Matrix given) {
    const GrB_Index m = in->nrows, n = in->ncols;
    if (peer_failed(GrB_Matrix_new(&in->S, GrB_BOOL, m, n), "new")) return -1;
    if (peer_failed(
            GrB_Matrix_assign_BOOL(in->S, given, NULL, true, GrB_ALL, m, GrB_ALL, n, GrB_DESC_S),
            "assign"))
        return -1;
    return peer_failed(GrB_Matrix_wait(in->S, GrB_MATERIALIZE), "wait") ? -1 : 0;
}

/* Ap, Ai and S of in->A. */
static int share(peer_input *in, bool weighted) {
    gbl_Index np, ni, nx;
    GrB_Matrix given = NULL;
    int status = -1;
    gbl_Info info = gbl_Matrix_exportSize(&np, &ni, &nx, GBL_CSR_FORMAT, in->A);
    if (bench_failed(info, in->name)) return -1;
    in->nvals = ni;
    in->Ap = malloc(np * sizeof *in->Ap);
    in->Ai = malloc((ni + 1) * sizeof *in->Ai);
    void *X = malloc((nx + 1) * sizeof(double));
    if (in->Ap == NULL || in->Ai == NULL || X == NULL) goto done;
    if (weighted)
        info = gbl_Matrix_export_FP64(in->Ap, in->Ai, X, &np, &ni, &nx, GBL_CSR_FORMAT, in->A);
    else
        info = gbl_Matrix_export_BOOL(in->Ap, in->Ai, X, &np, &ni, &nx, GBL_CSR_FORMAT, in->A);
    if (bench_failed(info, in->name)) goto done;
    const GrB_Info imported =
        weighted ? GrB_Matrix_import_FP64(&in->S, GrB_FP64, in->nrows, in->ncols, in->Ap, in->Ai, X,
                                          np, ni, nx, GrB_CSR_FORMAT)
                 : GrB_Matrix_import_BOOL(&given, GrB_BOOL, in->nrows, in->ncols, in->Ap, in->Ai, X,
                                          np, ni, nx, GrB_CSR_FORMAT);
    if (!peer_failed(imported, "import")) status = weighted ? 0 : share_pattern(in, given);
done:
    free(X);
    GrB_Matrix_free(&given);
    return status;
}

int peer_load(peer_input *in, const char *operand, peer_kind kind) {
    *in = (peer_input){.name = operand};
    return bench_failed(make(in, kind), operand) ? -1 : share(in, kind <= PEER_SHUFFLED_APART);
}

void peer_unload(peer_input *in) {
    gbl_Matrix_free(&in->A);
    GrB_Matrix_free(&in->S);
    free(in->Ap);
    free(in->Ai);
    in->Ap = in->Ai = NULL;
}
