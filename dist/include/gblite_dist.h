/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite_dist: matrices and vectors over the processes of an MPI program, on CombBLAS's grid of
 * processes, with gblite's products inside every process.
 *
 * Link with -lgblite_dist -lgblite_io -lgblite and MPI. Call MPI_Init, then gbl_init in every
 * process, then gbl_Grid_new.
 *
 * LAYOUT. q x q processes, q = 1, 2, 3, ..., hold q x q blocks: block (I, J) of a matrix has rows
 * I * (m / q) and on and columns J * (n / q) and on, the last row and column of blocks also what is
 * left over. A vector is split in q blocks in the same way, and block I in q pieces, which
 * processes (I, 0), (I, 1), ... hold. So does CombBLAS lay out what is transposed: its DCSC,
 * columns that have entries, are rows here.
 *
 * COMMON RULES beside those of gblite.h.
 *
 * Collective. All processes of the grid make the same calls in the same order, with the same
 * arguments as far as they are not objects of one process; handles that are NULL are so everywhere.
 *
 * Errors are agreed on: when a call fails in one process it fails in all with the same code, and
 * gbl_last_error() says everywhere what was wrong and in which process. Outputs are then as they
 * were in all of them. A process that dies ends the program, as MPI does.
 *
 * Types are the eleven built-in ones; others are GBL_DOMAIN_MISMATCH. A block has at most 2^31 - 2
 * rows, columns and entries: GBL_NOT_IMPLEMENTED beyond, more processes make blocks smaller.
 *
 * Results are the same on any number of processes, but for sums of floats: products whose inner
 * indices are in one block are summed in the order of the inner index, and blocks in their order.
 * So the last bits may differ from one number of processes to another, and on one number never do.
 * ANY takes a value that depends on the number of processes.
 *
 * Threads. One thread of a process makes calls; inside they use GBL_NTHREADS threads.
 */
#pragma once

#include <mpi.h>

#include "gblite.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gbl_Grid_opaque *gbl_Grid;
typedef struct gbl_DistMatrix_opaque *gbl_DistMatrix;
typedef struct gbl_DistVector_opaque *gbl_DistVector;

/* ------------------------------------------------------------------------------------- grids -- */

/* gbl_Grid_new: A grid of all processes of comm, which is copied.
 * GBL_INVALID_VALUE unless there are 1, 4, 9, 16, ... processes.
 * gbl_Grid_free: Frees it; objects on it must be freed before. */
gbl_Info gbl_Grid_new(gbl_Grid *grid, MPI_Comm comm);
gbl_Info gbl_Grid_free(gbl_Grid *grid);
/* gbl_Grid_place: This process's rank, its row and column of blocks, and q. Any may be NULL. */
gbl_Info gbl_Grid_place(int *rank, int *row, int *column, int *side, gbl_Grid grid);
/* gbl_Grid_agree: The worst of the results that the processes give, and its text, in all. */
gbl_Info gbl_Grid_agree(gbl_Grid grid, gbl_Info info);

/* gbl_Grid_set_kernels: Whose product multiplies blocks in gbl_dist_mxm, gblite's by default.
 * GBL_DIST_COMBBLAS takes CombBLAS's local product and merge in the same stages, and
 * GBL_DIST_COMBBLAS_SUMMA all of its function Mult_AnXBn_Synch: for comparisons. They know
 * PLUS_TIMES and MIN_PLUS of FP64, LOR_LAND of BOOL and PLUS_PAIR of INT64, on operands of that
 * type without a mask (else GBL_NOT_IMPLEMENTED), and no memory limit; when CombBLAS runs out of
 * memory the program ends. */
typedef enum {
    GBL_DIST_GBLITE = 0,
    GBL_DIST_COMBBLAS = 1,
    GBL_DIST_COMBBLAS_SUMMA = 2
} gbl_DistKernels;
gbl_Info gbl_Grid_set_kernels(gbl_Grid grid, gbl_DistKernels kernels);

/* gbl_Grid_counters: What this process has done since the grid was made or they were cleared.
 * Not collective. Bytes are those of arrays; what MPI adds is not known. */
typedef struct {
    uint64_t bytes_sent;     /* to each receiver anew */
    uint64_t bytes_received; /* from other processes */
    uint64_t panels_peak;    /* most bytes of blocks received for a stage, at once */
    uint64_t products;       /* products of two blocks, ... */
    uint64_t entries;        /* ... and their entries, before they are added */
    uint64_t phases;         /* most of any product of matrices */
    double seconds_multiply, seconds_merge, seconds_move;
} gbl_DistCounters;
gbl_Info gbl_Grid_counters(gbl_DistCounters *counters, gbl_Grid grid);
gbl_Info gbl_Grid_clear_counters(gbl_Grid grid);

/* ---------------------------------------------------------------------------------- matrices -- */

/* gbl_DistMatrix_new: A matrix without entries.
 * gbl_DistMatrix_dup: A copy.
 * gbl_DistMatrix_free: Frees it in this process; not collective. */
gbl_Info gbl_DistMatrix_new(gbl_DistMatrix *A, gbl_Type type, gbl_Index nrows, gbl_Index ncols,
                            gbl_Grid grid);
gbl_Info gbl_DistMatrix_dup(gbl_DistMatrix *C, gbl_DistMatrix A);
gbl_Info gbl_DistMatrix_free(gbl_DistMatrix *A);
/* gbl_DistMatrix_shape: Its numbers of rows and columns, and its type. Any may be NULL.
 * gbl_DistMatrix_nvals: The number of entries of all blocks. */
gbl_Info gbl_DistMatrix_shape(gbl_Index *nrows, gbl_Index *ncols, gbl_Type *type, gbl_DistMatrix A);
gbl_Info gbl_DistMatrix_nvals(gbl_Index *nvals, gbl_DistMatrix A);
/* gbl_DistMatrix_block: The block of this process, which is A's and not to be written or freed.
 * It is there until A is written or freed. row and col are the indices of its first row and column
 * in A. Not collective. */
gbl_Info gbl_DistMatrix_block(gbl_Matrix *block, gbl_Index *row, gbl_Index *col, gbl_DistMatrix A);

/* gbl_DistMatrix_scatter: A new matrix from a matrix of process `root`, NULL elsewhere.
 * gbl_DistMatrix_gather: A new matrix of process `root` with all of A; NULL elsewhere.
 * gbl_DistMatrix_load: A new matrix from a file or a generator, as gbl_load in gblite_io.h.
 * Edges of er, rmat, rmats and planted are made by all processes, an equal share by each; other
 * generators run in process 0, which scatters. A Matrix Market file in coordinate form that is not
 * compressed is read by all processes, each a range of its bytes; other files by process 0. Memory
 * beside A: 32 bytes and two values for each entry of the share, half as much again while lists
 * grow, for files also 8 a row. Errors: those
 * of gbl_load. */
gbl_Info gbl_DistMatrix_scatter(gbl_DistMatrix *A, gbl_Matrix local, int root, gbl_Grid grid);
gbl_Info gbl_DistMatrix_gather(gbl_Matrix *local, gbl_DistMatrix A, int root);
gbl_Info gbl_DistMatrix_load(gbl_DistMatrix *A, gbl_Type type, const char *operand, gbl_Grid grid);

/* ----------------------------------------------------------------------------------- vectors -- */

/* The same for vectors; the piece of a process begins at element `first`. */
gbl_Info gbl_DistVector_new(gbl_DistVector *v, gbl_Type type, gbl_Index size, gbl_Grid grid);
gbl_Info gbl_DistVector_dup(gbl_DistVector *w, gbl_DistVector u);
gbl_Info gbl_DistVector_free(gbl_DistVector *v);
gbl_Info gbl_DistVector_shape(gbl_Index *size, gbl_Type *type, gbl_DistVector v);
gbl_Info gbl_DistVector_nvals(gbl_Index *nvals, gbl_DistVector v);
gbl_Info gbl_DistVector_piece(gbl_Vector *piece, gbl_Index *first, gbl_DistVector v);
gbl_Info gbl_DistVector_scatter(gbl_DistVector *v, gbl_Vector local, int root, gbl_Grid grid);
gbl_Info gbl_DistVector_gather(gbl_Vector *local, gbl_DistVector v, int root);
/* gbl_DistVector_setElement_INT64: The element at i becomes x, cast to the vector's type. */
gbl_Info gbl_DistVector_setElement_INT64(gbl_DistVector v, int64_t x, gbl_Index i);

/* -------------------------------------------------------------------------------- operations -- */

/* C<M> accum= f(A, B) as the function of gblite.h of that name, with all that a descriptor can ask.
 * Operands of an entry-wise operation have blocks in the same processes, so nothing moves but what
 * is transposed. */

/* gbl_dist_mxm: C<M> accum= A * B over a semiring, by the stages of sparse SUMMA.
 * In stage k the blocks (I, k) of A and (k, J) of B are sent along rows and columns of processes,
 * multiplied by gbl_mxm where they arrive, inside the mask's block, and added. With
 * GBL_MEMORY_LIMIT the products are estimated first (gbl_mxm_estimate), and made in phases of rows
 * of A, so that blocks received, one phase's product and its workspace stay below the limit in
 * every process; GBL_OUT_OF_MEMORY where a block of B leaves no room. Semirings are the predefined
 * ones without positions (FIRSTI ...); others are GBL_NOT_IMPLEMENTED. */
gbl_Info gbl_dist_mxm(gbl_DistMatrix C, gbl_DistMatrix M, gbl_BinaryOp accum, gbl_Semiring ring,
                      gbl_DistMatrix A, gbl_DistMatrix B, gbl_Descriptor desc);
/* gbl_dist_mxm_select: C = what a filter keeps of each row of A * B, as gbl_mxm_select.
 * Rows of a phase's product are brought together, each in one process, filtered and sent back.
 * There are phases without a limit too: of some times the bytes of blocks of A and B.
 * GBL_NOT_IMPLEMENTED for operators by position, and above 2^32 - 1 columns. */
gbl_Info gbl_dist_mxm_select(gbl_DistMatrix C, gbl_Semiring ring, const gbl_RowFilter *keep,
                             gbl_DistMatrix A, gbl_DistMatrix B);
/* gbl_dist_mxm_count: *sum = the sum of C<M> = A * B over PLUS_PAIR of INT64, M as a structure.
 * Nothing of the product is stored: triangles, for one. */
gbl_Info gbl_dist_mxm_count(int64_t *sum, gbl_DistMatrix M, gbl_DistMatrix A, gbl_DistMatrix B);
gbl_Info gbl_dist_mxv(gbl_DistVector w, gbl_DistVector m, gbl_BinaryOp accum, gbl_Semiring ring,
                      gbl_DistMatrix A, gbl_DistVector u, gbl_Descriptor desc);
gbl_Info gbl_dist_vxm(gbl_DistVector w, gbl_DistVector m, gbl_BinaryOp accum, gbl_Semiring ring,
                      gbl_DistVector u, gbl_DistMatrix A, gbl_Descriptor desc);

#define GBL_DECLARE(K)                                                                             \
    gbl_Info gbl_Dist##K##_eWiseAdd(gbl_Dist##K C, gbl_Dist##K M, gbl_BinaryOp accum,              \
                                    gbl_BinaryOp op, gbl_Dist##K A, gbl_Dist##K B,                 \
                                    gbl_Descriptor desc);                                          \
    gbl_Info gbl_Dist##K##_eWiseMult(gbl_Dist##K C, gbl_Dist##K M, gbl_BinaryOp accum,             \
                                     gbl_BinaryOp op, gbl_Dist##K A, gbl_Dist##K B,                \
                                     gbl_Descriptor desc);                                         \
    gbl_Info gbl_Dist##K##_apply(gbl_Dist##K C, gbl_Dist##K M, gbl_BinaryOp accum, gbl_UnaryOp op, \
                                 gbl_Dist##K A, gbl_Descriptor desc);                              \
    /* the predefined operators, whose positions are those in A; others: GBL_NOT_IMPLEMENTED */    \
    gbl_Info gbl_Dist##K##_apply_IndexOp(gbl_Dist##K C, gbl_Dist##K M, gbl_BinaryOp accum,         \
                                         gbl_IndexUnaryOp op, gbl_Dist##K A, gbl_Scalar y,         \
                                         gbl_Descriptor desc);                                     \
    gbl_Info gbl_Dist##K##_select(gbl_Dist##K C, gbl_Dist##K M, gbl_BinaryOp accum,                \
                                  gbl_IndexUnaryOp op, gbl_Dist##K A, gbl_Scalar y,                \
                                  gbl_Descriptor desc);                                            \
    /* *s in every process; sums in the order of processes */                                      \
    gbl_Info gbl_Dist##K##_reduce(gbl_Scalar s, gbl_BinaryOp accum, gbl_Monoid op, gbl_Dist##K A); \
    /* C<M> accum= A, or the value of x everywhere */                                              \
    gbl_Info gbl_Dist##K##_assign(gbl_Dist##K C, gbl_Dist##K M, gbl_BinaryOp accum, gbl_Dist##K A, \
                                  gbl_Descriptor desc);                                            \
    gbl_Info gbl_Dist##K##_assign_Scalar(gbl_Dist##K C, gbl_Dist##K M, gbl_BinaryOp accum,         \
                                         gbl_Scalar x, gbl_Descriptor desc);
GBL_DECLARE(Matrix)
GBL_DECLARE(Vector)
#undef GBL_DECLARE
/* gbl_DistMatrix_reduce_rows: w<m> accum= the sum of each row, with GBL_INP0 = GBL_TRAN column. */
gbl_Info gbl_DistMatrix_reduce_rows(gbl_DistVector w, gbl_DistVector m, gbl_BinaryOp accum,
                                    gbl_Monoid op, gbl_DistMatrix A, gbl_Descriptor desc);
gbl_Info gbl_DistMatrix_transpose(gbl_DistMatrix C, gbl_DistMatrix M, gbl_BinaryOp accum,
                                  gbl_DistMatrix A, gbl_Descriptor desc);
/* gbl_DistMatrix_diag: A new square matrix with v on its diagonal. */
gbl_Info gbl_DistMatrix_diag(gbl_DistMatrix *C, gbl_DistVector v);

#ifdef __cplusplus
}
#endif
