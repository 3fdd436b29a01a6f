/* SPDX-License-Identifier: Apache-2.0
 *
 * libFuzzer target: any bytes as a Matrix Market text, plain or compressed, strictly and mended.
 * Besides what the sanitizers see, a success must give a matrix whose entries are in order and in
 * range, a failure no matrix and a text. The size picks the type, so that all casts occur and files
 * can be seeds.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gblite_io.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(bool right) {
    if (!right) abort();
}

/* Takes the arrays out as they are held: pointers to the rows of a narrow matrix, which is held by
 * columns, may be more than there is memory. */
static void check_matrix(gbl_Matrix A) {
    gbl_Index nrows, ncols, n;
    gbl_Format format;
    gbl_Arrays arrays;
    check(gbl_Matrix_nrows(&nrows, A) == GBL_SUCCESS);
    check(gbl_Matrix_ncols(&ncols, A) == GBL_SUCCESS);
    check(gbl_Matrix_nvals(&n, A) == GBL_SUCCESS);
    /* arrays have indices of 32 bits */
    if (n == 0 || nrows > UINT32_MAX || ncols > UINT32_MAX) return;
    check(gbl_Matrix_exportHint(&format, A) == GBL_SUCCESS);
    if (format == GBL_COO_FORMAT) return; /* hypersparse */
    const gbl_Info info = gbl_Matrix_moveOut(A, format, &arrays);
    if (info == GBL_OUT_OF_MEMORY || info == GBL_INSUFFICIENT_SPACE) return;
    check(info == GBL_SUCCESS);
    const gbl_Index major = format == GBL_CSR_FORMAT ? nrows : ncols;
    const gbl_Index minor = format == GBL_CSR_FORMAT ? ncols : nrows;
    check(arrays.p[0] == 0 && arrays.p[major] == n);
    for (gbl_Index m = 0; m < major; m++) {
        check(arrays.p[m] <= arrays.p[m + 1]);
        for (uint64_t k = arrays.p[m]; k < arrays.p[m + 1]; k++) {
            check(arrays.i[k] < minor && (k == arrays.p[m] || arrays.i[k - 1] < arrays.i[k]));
        }
    }
    gbl_Memory_free(arrays.p);
    gbl_Memory_free(arrays.i);
    gbl_Memory_free(arrays.x);
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
    for (int strict = 0; strict < 2; strict++) {
        gbl_MmText text = {.path = "text",
                           .bytes = bytes ? (const char *)bytes : "",
                           .size = size,
                           .strict = strict == 1};
        const gbl_Info info = gbl_mm_read_mended(&A, type, &text);
        check(info <= 0 && (info == GBL_SUCCESS) == (A != NULL));
        check(strlen(text.mended) < sizeof text.mended);
        if (info == GBL_SUCCESS) {
            check(!text.strict || !*text.mended);
            check_matrix(A);
            check(gbl_Matrix_free(&A) == GBL_SUCCESS);
        } else {
            check(strlen(gbl_last_error()) > 0);
        }
    }
    return 0;
}
