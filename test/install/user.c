/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's program against an installed gblite: reads a graph from memory with gblite_io,
 * multiplies with gblite and checks the result by hand. Exit status 0 when all is right.
 *
 * A is the directed cycle 0 -> 1 -> 2 -> 0 with weights 2, 3, 5, so that A*A has the three entries
 * (0,2) = 6, (1,0) = 15, (2,1) = 10.
 */
#include <gblite.h>
#include <gblite_io.h>
#include <stdio.h>
#include <string.h>

static const char TEXT[] = "%%MatrixMarket matrix coordinate real general\n"
                           "3 3 3\n"
                           "1 2 2\n"
                           "2 3 3\n"
                           "3 1 5\n";

static int square(void) {
    static const gbl_Index rows[3] = {0, 1, 2}, cols[3] = {2, 0, 1};
    static const double values[3] = {6, 15, 10};
    gbl_Index I[3], J[3], n = 3;
    double X[3];
    gbl_Matrix A = NULL, C = NULL;
    int bad = 1;
    if (gbl_mm_read_memory(&A, NULL, TEXT, strlen(TEXT)) != GBL_SUCCESS) goto done;
    if (gbl_Matrix_new(&C, GBL_FP64, 3, 3) != GBL_SUCCESS) goto done;
    if (gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL) != GBL_SUCCESS) goto done;
    if (gbl_Matrix_extractTuples_FP64(I, J, X, &n, C) != GBL_SUCCESS) goto done;
    bad = n != 3 || memcmp(I, rows, sizeof rows) != 0 || memcmp(J, cols, sizeof cols) != 0 ||
          memcmp(X, values, sizeof values) != 0;
done:
    if (bad) fprintf(stderr, "user: wrong product; last error: %s\n", gbl_last_error());
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&C);
    return bad;
}

int main(void) {
    if (gbl_init(GBL_NONBLOCKING) != GBL_SUCCESS) {
        fprintf(stderr, "user: %s\n", gbl_last_error());
        return 1;
    }
    int bad = square();
    gbl_finalize();
    return bad;
}
