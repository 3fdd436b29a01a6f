/* SPDX-License-Identifier: Apache-2.0
 *
 * A user of an installed gblite_dist, on as many processes as it is started with: the square of a
 * graph.
 */
#include <gblite_dist.h>
#include <stdio.h>

int main(int argc, char **argv) {
    gbl_Grid grid = NULL;
    gbl_DistMatrix A = NULL, C = NULL;
    gbl_Index n, nvals = 0;
    gbl_Info info;
    MPI_Init(&argc, &argv);
    if ((info = gbl_init(GBL_NONBLOCKING)) || (info = gbl_Grid_new(&grid, MPI_COMM_WORLD)) ||
        (info = gbl_DistMatrix_load(&A, GBL_FP64, "er:6:4", grid)) ||
        (info = gbl_DistMatrix_shape(&n, NULL, NULL, A)) ||
        (info = gbl_DistMatrix_new(&C, GBL_FP64, n, n, grid)) ||
        (info = gbl_dist_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL)) ||
        (info = gbl_DistMatrix_nvals(&nvals, C)))
        fprintf(stderr, "%s\n", gbl_last_error());
    gbl_DistMatrix_free(&A);
    gbl_DistMatrix_free(&C);
    gbl_Grid_free(&grid);
    gbl_finalize();
    MPI_Finalize();
    return info != GBL_SUCCESS || nvals == 0;
}
