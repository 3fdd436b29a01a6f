/* SPDX-License-Identifier: Apache-2.0
 *
 * libFuzzer target: any bytes as a list of edges, plain or compressed. The size picks the form that
 * is requested, so that files can be seeds. A success must give a square matrix with as many
 * vertices as labels, each found by its label; a failure no matrix and a text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gblite_io.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(bool right) {
    if (!right) abort();
}

static void check_labels(gbl_Matrix A, const gbl_Labels *labels) {
    gbl_Index nrows, ncols, v;
    char room[24];
    check(gbl_Matrix_nrows(&nrows, A) == GBL_SUCCESS);
    check(gbl_Matrix_ncols(&ncols, A) == GBL_SUCCESS);
    check(nrows == ncols && (labels->n == 0 || labels->n == nrows));
    for (gbl_Index k = 0; k < nrows && k < 20; k++)
        check(gbl_label_find(&v, labels, gbl_label(labels, k, room)) == GBL_SUCCESS && v == k);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static bool ready;
    if (!ready) {
        check(gbl_init(GBL_NONBLOCKING) == GBL_SUCCESS);
        check(gbl_Global_set_INT64(GBL_GLOBAL, 32 << 20, GBL_MEMORY_LIMIT) == GBL_SUCCESS);
        ready = true;
    }
    static const char separators[] = {0, '\t', ',', ' '};
    gbl_EdgeText text = {.path = "text",
                         .bytes = size > 0 ? (const char *)bytes : "",
                         .size = size,
                         .separator = separators[size % 4],
                         .names = size / 4 % 2,
                         .percent_labels = size / 8 % 2,
                         .weights = size / 16 % 2,
                         .duplicates = (gbl_Duplicates)(size % 6)};
    gbl_Matrix A = NULL;
    gbl_Labels labels;
    const gbl_Info info = gbl_edges_read(&A, &labels, size % 3 ? NULL : GBL_FP32, &text);
    check(info <= 0 && (info == GBL_SUCCESS) == (A != NULL));
    if (A)
        check_labels(A, &labels);
    else
        check(strlen(gbl_last_error()) > 0);
    gbl_labels_free(&labels);
    check(gbl_Matrix_free(&A) == GBL_SUCCESS);
    return 0;
}
