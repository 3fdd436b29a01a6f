/* SPDX-License-Identifier: Apache-2.0
 *
 * SuiteSparse's products, their final form, and equality of results.
 *
 * Values are positive, so that sums have no cancellation and two orders of summation agree to about
 * n * 2^-53: a relative bound of 1e-12 then holds and finds any wrong or missing term.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "peers/suitesparse.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool peer_failed(GrB_Info info, const char *what) {
    if (info == GrB_SUCCESS || info == GrB_NO_VALUE) return false;
    fprintf(stderr, "%s: SuiteSparse: %s: error %d\n", program_invocation_short_name, what,
            (int)info);
    return true;
}

int peer_start(int threads) {
    if (peer_failed(GrB_init(GrB_NONBLOCKING), "init")) return -1;
    return peer_failed(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads), "threads") ? -1 : 0;
}

void peer_stop(void) {
    GrB_finalize();
}

void peer_version(char *text, size_t size) {
    int version[3] = {0};
    peer_failed(GxB_Global_Option_get(GxB_LIBRARY_VERSION, version), "version");
    snprintf(text, size, "%d.%d.%d", version[0], version[1], version[2]);
}

int peer_multiply(const peer_input *in, peer_csr *out) {
    GrB_Matrix S = in->S, C = NULL;
    int status = -1;
    bool square = in->nrows == in->ncols;
    if (peer_failed(GrB_Matrix_new(&C, GrB_FP64, in->nrows, in->nrows), "new")) goto done;
    /* the result is wanted in CSR: spare SuiteSparse a detour through its bitmap */
    if (peer_failed(GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, GxB_SPARSE + GxB_HYPERSPARSE),
                    "option"))
        goto done;
    if (peer_failed(
            GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, S, S, square ? NULL : GrB_DESC_T1),
            "mxm"))
        goto done;
    if (peer_failed(peer_finish(C, out), "sort")) goto done;
    status = 0;
done:
    GrB_Matrix_free(&C);
    return status;
}

int peer_multiply_masked(const peer_input *in, peer_csr *out) {
    GrB_Matrix L = in->S, C = NULL;
    GrB_Info info = GrB_Matrix_new(&C, GrB_INT64, in->nrows, in->nrows);
    if (info == GrB_SUCCESS)
        info = GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, GxB_SPARSE + GxB_HYPERSPARSE);
    if (info == GrB_SUCCESS) info = GrB_mxm(C, L, NULL, GxB_PLUS_PAIR_INT64, L, L, GrB_DESC_ST1);
    if (info == GrB_SUCCESS) info = peer_finish(C, out);
    GrB_Matrix_free(&C);
    return peer_failed(info, "masked mxm") ? -1 : 0;
}

GrB_Info peer_finish(GrB_Matrix C, peer_csr *out) {
    GrB_Index p_size, i_size, x_size;
    /* no place for "jumbled" means that the rows must come sorted */
    return GxB_Matrix_unpack_CSR(C, &out->p, &out->i, &out->x, &p_size, &i_size, &x_size, &out->iso,
                                 NULL, NULL);
}

void peer_drop(peer_csr *csr) {
    free(csr->p);
    free(csr->i);
    free(csr->x);
    memset(csr, 0, sizeof *csr);
}

bool peer_close(double x, double y) {
    return fabs(x - y) <= 1e-12 * fmax(fabs(x), fabs(y));
}

static bool same_values(const gbl_Arrays *mine, const peer_csr *other, bool floats, uint64_t n) {
    for (uint64_t k = 0; k < n; k++) {
        uint64_t km = mine->iso ? 0 : k, ko = other->iso ? 0 : k;
        bool same = floats ? peer_close(((double *)mine->x)[km], ((double *)other->x)[ko])
                           : ((int64_t *)mine->x)[km] == ((int64_t *)other->x)[ko];
        if (!same) {
            fprintf(stderr, "the values of entry %llu differ\n", (unsigned long long)k);
            return false;
        }
    }
    return true;
}

bool peer_equal(gbl_Matrix C, const peer_csr *other, bool floats, uint64_t *nvals) {
    bool equal = false;
    gbl_Arrays mine = {NULL, NULL, NULL, false};
    gbl_Index nrows;
    if (bench_failed(gbl_Matrix_nrows(&nrows, C), "nrows")) goto done;
    if (bench_failed(gbl_Matrix_moveOut(C, GBL_CSR_FORMAT, &mine), "moveOut")) goto done;
    *nvals = mine.p[nrows];
    for (gbl_Index i = 0; i <= nrows; i++)
        if (mine.p[i] != other->p[i]) {
            fprintf(stderr, "row pointer %llu is %llu here and %llu there\n", (unsigned long long)i,
                    (unsigned long long)mine.p[i], (unsigned long long)other->p[i]);
            goto done;
        }
    for (uint64_t k = 0; k < *nvals; k++)
        if (mine.i[k] != other->i[k]) {
            fprintf(stderr, "the columns of entry %llu differ\n", (unsigned long long)k);
            goto done;
        }
    equal = same_values(&mine, other, floats, *nvals);
done:
    free(mine.p);
    free(mine.i);
    free(mine.x);
    return equal;
}
