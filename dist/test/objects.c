/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices and vectors to all processes and back.
 */
#include "dist_test.h"

static const char *const specs[] = {"er:7:5", "rect:2:3:2", "rect:1:200:40", "rect:300:1:1",
                                    "band:20:0"};
enum { SPECS = sizeof specs / sizeof *specs };

static void round_trips(gbl_Type type) {
    for (int k = 0; k < SPECS; k++) {
        gbl_Matrix A = t_make(type, specs[k]);
        gbl_DistMatrix D = t_spread(A), E;
        gbl_Type found;
        t_compare(D, A, 0, specs[k]);
        OK(gbl_DistMatrix_dup(&E, D));
        OK(gbl_DistMatrix_free(&D));
        t_compare(E, A, 0, specs[k]);
        OK(gbl_DistMatrix_shape(NULL, NULL, &found, E));
        CHECK(found == type);
        OK(gbl_DistMatrix_free(&E));
        OK(gbl_Matrix_free(&A));
    }
}

/* Pieces follow each other, blocks are where they say. */
static void places(void) {
    gbl_Matrix A = t_make(GBL_FP64, "er:7:5"), block;
    gbl_DistMatrix D = t_spread(A);
    gbl_Index row, col, n, nrows, ncols, here, all;
    int rank, grid_row, grid_col, side;
    OK(gbl_Grid_place(&rank, &grid_row, &grid_col, &side, t_grid));
    CHECK(rank == t_rank && side * side == t_processes);
    OK(gbl_DistMatrix_block(&block, &row, &col, D));
    OK(gbl_Matrix_nrows(&nrows, block));
    OK(gbl_Matrix_ncols(&ncols, block));
    OK(gbl_Matrix_nvals(&here, block));
    CHECK(row == (gbl_Index)grid_row * (128 / (gbl_Index)side));
    CHECK(col == (gbl_Index)grid_col * (128 / (gbl_Index)side));
    n = here;
    MPI_Allreduce(&n, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    OK(gbl_Matrix_nvals(&n, A));
    CHECK(n == all);
    n = nrows * ncols;
    MPI_Allreduce(&n, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == 128 * 128);
    OK(gbl_DistMatrix_free(&D));
    OK(gbl_Matrix_free(&A));
}

static void vectors(void) {
    static const gbl_Index sizes[] = {0, 1, 2, 7, 100, 1000};
    for (int k = 0; k < 6; k++) {
        gbl_Vector v = t_vector(GBL_INT32, sizes[k], 3, 5), first;
        gbl_DistVector d = t_spread_vector(v), e;
        gbl_Index at, size;
        t_compare_vector(d, v, 0, "vector");
        OK(gbl_DistVector_dup(&e, d));
        OK(gbl_DistVector_piece(&first, &at, e));
        OK(gbl_Vector_size(&size, first));
        CHECK(at + size <= sizes[k]);
        if (sizes[k] > 0) {
            OK(gbl_DistVector_setElement_INT64(e, 77, sizes[k] / 2));
            OK(gbl_Vector_setElement_INT64(v, 77, sizes[k] / 2));
        }
        CHECK(gbl_DistVector_setElement_INT64(e, 77, sizes[k]) == GBL_INVALID_INDEX);
        t_compare_vector(e, v, 0, "element");
        OK(gbl_DistVector_free(&d));
        OK(gbl_DistVector_free(&e));
        OK(gbl_Vector_free(&v));
    }
}

static void wrong_arguments(void) {
    gbl_DistMatrix D;
    gbl_Type mine;
    CHECK(gbl_DistMatrix_new(NULL, GBL_FP64, 1, 1, t_grid) == GBL_NULL_POINTER);
    OK(gbl_Type_new(&mine, 8));
    CHECK(gbl_DistMatrix_new(&D, mine, 1, 1, t_grid) == GBL_DOMAIN_MISMATCH && !D);
    OK(gbl_Type_free(&mine));
    CHECK(gbl_DistMatrix_new(&D, GBL_FP64, (gbl_Index)1 << 40, 1, t_grid) == GBL_NOT_IMPLEMENTED);
    CHECK(gbl_DistMatrix_scatter(&D, NULL, 0, t_grid) == GBL_NULL_POINTER && !D);
    CHECK(gbl_DistMatrix_scatter(&D, NULL, t_processes, t_grid) == GBL_INVALID_VALUE);
}

void test_objects(void) {
    round_trips(GBL_FP64);
    round_trips(GBL_FP32);
    round_trips(GBL_BOOL);
    round_trips(GBL_INT8);
    round_trips(GBL_UINT16);
    round_trips(GBL_INT64);
    gbl_Matrix none = t_empty(GBL_FP64, 0, 5);
    gbl_DistMatrix D = t_spread(none);
    t_compare(D, none, 0, "no rows");
    OK(gbl_DistMatrix_free(&D));
    OK(gbl_Matrix_free(&none));
    places();
    vectors();
    wrong_arguments();
}
