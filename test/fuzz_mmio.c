/* SPDX-License-Identifier: Apache-2.0
 *
 * libFuzzer target: any bytes as a Matrix Market text, plain or compressed. Besides what the
 * sanitizers see, a success must give a matrix whose entries are in order and in range, a failure
 * no matrix and a text. The size picks the type, so that all casts occur and files can be seeds.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gblite_io.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(bool right) {
    if (!right) abort();
}

static void check_matrix(gbl_Matrix A) {
    gbl_Index nrows, ncols, n;
    check(gbl_Matrix_nrows(&nrows, A) == GBL_SUCCESS);
    check(gbl_Matrix_ncols(&ncols, A) == GBL_SUCCESS);
    check(gbl_Matrix_nvals(&n, A) == GBL_SUCCESS);
    if (n == 0) return;
    gbl_Index *const I = malloc((n + 1) * sizeof *I), *const J = malloc((n + 1) * sizeof *J);
    double *const X = malloc((n + 1) * sizeof *X);
    check(I && J && X);
    check(gbl_Matrix_extractTuples_FP64(I, J, X, &n, A) == GBL_SUCCESS);
    for (gbl_Index k = 0; k < n; k++) {
        check(I[k] < nrows && J[k] < ncols);
        check(k == 0 || I[k - 1] < I[k] || (I[k - 1] == I[k] && J[k - 1] < J[k]));
    }
    free(I);
    free(J);
    free(X);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static bool ready;
    if (!ready) {
        check(gbl_init(GBL_NONBLOCKING) == GBL_SUCCESS);
        check(gbl_Global_set_INT64(GBL_GLOBAL, 32 << 20, GBL_MEMORY_LIMIT) == GBL_SUCCESS);
        ready = true;
    }
#define GBL_DECLARE(N, T) GBL_##N,
    const gbl_Type types[] = {NULL, GBL_FOREACH_TYPE(GBL_DECLARE)};
#undef GBL_DECLARE
    gbl_Matrix A = NULL;
    const gbl_Type type = types[size % (sizeof types / sizeof *types)];
    const gbl_Info info = gbl_mm_read_memory(&A, type, (const char *)bytes, size);
    check(info <= 0 && (info == GBL_SUCCESS) == (A != NULL));
    if (info == GBL_SUCCESS) {
        check_matrix(A);
        check(gbl_Matrix_free(&A) == GBL_SUCCESS);
    } else {
        check(strlen(gbl_last_error()) > 0);
    }
    return 0;
}
