/* SPDX-License-Identifier: Apache-2.0
 *
 * Starting SuiteSparse, the final form of its results, and equality.
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

/* The numbers of options: those of <GraphBLAS.h>, and those of the releases from 9 on. */
typedef struct {
    int version, threads, sparsity, pool;
} numbers;
static const numbers OF_HEADER = {GxB_LIBRARY_VERSION, GxB_GLOBAL_NTHREADS, GxB_SPARSITY_CONTROL,
                                  GxB_MEMORY_POOL},
                     OF_LATER = {7005, 7086, 7036, 7022}, *option = &OF_HEADER;

int peer_configure(int threads) {
    int version[3];
    option = &OF_HEADER;
    if (GxB_Global_Option_get(option->version, version) != GrB_SUCCESS) option = &OF_LATER;
    return peer_failed(GxB_Global_Option_set(option->threads, threads), "threads") ? -1 : 0;
}

int peer_start(int threads) {
    return peer_failed(GrB_init(GrB_NONBLOCKING), "init") ? -1 : peer_configure(threads);
}

void peer_pool(bool on) {
    int64_t none[64] = {0};
    GxB_Global_Option_set(option->pool, on ? NULL : none);
}

GrB_Info peer_keep_sparse(GrB_Matrix C) {
    return GxB_Matrix_Option_set(C, option->sparsity, GxB_SPARSE + GxB_HYPERSPARSE);
}

void peer_stop(void) {
    GrB_finalize();
}

void peer_version(char *text, size_t size) {
    int version[3] = {0};
    peer_failed(GxB_Global_Option_get(option->version, version), "version");
    snprintf(text, size, "%d.%d.%d", version[0], version[1], version[2]);
}

int peer_take(peer_csr *csr) {
    if (csr->C == NULL) return 0;
    const GrB_Info info = peer_finish(csr->C, csr);
    GrB_Matrix_free(&csr->C);
    return peer_failed(info, "unpack") ? -1 : 0;
}

GrB_Info peer_finish(GrB_Matrix C, peer_csr *out) {
    GrB_Index p_size, i_size, x_size;
    /* no place for "jumbled" means that the rows must come sorted */
    return GxB_Matrix_unpack_CSR(C, &out->p, &out->i, &out->x, &p_size, &i_size, &x_size, &out->iso,
                                 NULL, NULL);
}

void peer_drop(peer_csr *csr) {
    GrB_Matrix_free(&csr->C);
    free(csr->p);
    free(csr->i);
    free(csr->x);
    memset(csr, 0, sizeof *csr);
}

bool peer_close(double x, double y) {
    return fabs(x - y) <= 1e-12 * fmax(fabs(x), fabs(y));
}

static bool is_same(const void *x, uint64_t k, const void *y, uint64_t l, peer_type type) {
    if (type == PEER_INT64) return ((const int64_t *)x)[k] == ((const int64_t *)y)[l];
    return peer_close(((const double *)x)[k], ((const double *)y)[l]);
}

static bool same_values(const gbl_Arrays *mine, const peer_csr *other, peer_type type, uint64_t n) {
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t km = mine->iso ? 0 : k, ko = other->iso ? 0 : k;
        if (!is_same(mine->x, km, other->x, ko, type)) {
            fprintf(stderr, "the values of entry %llu differ\n", (unsigned long long)k);
            return false;
        }
    }
    return true;
}

bool peer_equal(gbl_Matrix C, const peer_csr *other, peer_type type, uint64_t *nvals) {
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
    equal = same_values(&mine, other, type, *nvals);
done:
    free(mine.p);
    free(mine.i);
    free(mine.x);
    return equal;
}
