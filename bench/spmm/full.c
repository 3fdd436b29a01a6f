/* SPDX-License-Identifier: Apache-2.0
 *
 * A full matrix for every side; see spmm.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/values.h"
#include "spmm/spmm.h"

/* gblite's, and SuiteSparse's, which finds by itself that all entries are there. */
static int import_all(spmm_full *full, gbl_Index *p, gbl_Index *j) {
    const gbl_Index n = full->rows, columns = full->columns, all = n * columns;
    gbl_Index *i = malloc((all + 1) * sizeof *i);
    int status = -1;
    if (i == NULL) {
        fprintf(stderr, "spmm: no memory for a full matrix\n");
        return -1;
    }
    for (gbl_Index k = 0; k < all; k++) i[k] = k / columns;
    if (bench_failed(gbl_Matrix_import_FP64(&full->B, GBL_FP64, n, columns, p, j, full->x, n + 1,
                                            all, all, GBL_CSR_FORMAT),
                     "import"))
        goto done;
    GrB_Info info = GrB_Matrix_new(&full->S, GrB_FP64, n, columns);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_build_FP64(full->S, i, j, full->x, all, GrB_PLUS_FP64);
    if (info == GrB_SUCCESS) info = GrB_Matrix_wait(full->S, GrB_MATERIALIZE);
    if (!peer_failed(info, "build")) status = 0;
done:
    free(i);
    return status;
}

double *spmm_array(gbl_Index n) {
    const size_t line = 64, bytes = n * sizeof(double);
    double *x = aligned_alloc(line, (bytes + line - 1) / line * line);
    if (x != NULL) memset(x, 0, bytes);
    return x;
}

int spmm_full_new(spmm_full *full, gbl_Index rows, gbl_Index columns) {
    uint64_t state = rows + columns;
    gbl_Index *p = malloc((rows + 1) * sizeof *p), *j = malloc(rows * columns * sizeof *j);
    int status = -1;
    *full = (spmm_full){.rows = rows, .columns = columns, .x = spmm_array(rows * columns)};
    if (p == NULL || j == NULL || full->x == NULL) {
        fprintf(stderr, "spmm: no memory for a full matrix\n");
        goto done;
    }
    for (gbl_Index k = 0; k < rows * columns; k++) {
        j[k] = k % columns;
        full->x[k] = (double)(1 + (bench_random(&state) >> 11)) * 0x1p-53;
    }
    for (gbl_Index k = 0; k <= rows; k++) p[k] = k * columns;
    status = import_all(full, p, j);
done:
    free(p);
    free(j);
    return status;
}

void spmm_full_free(spmm_full *full) {
    gbl_Matrix_free(&full->B);
    GrB_Matrix_free(&full->S);
    free(full->x);
    full->x = NULL;
}
