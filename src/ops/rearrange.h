/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations that move entries to other positions, of objects of any dimension: entries are listed,
 * get new positions, and are built again.
 */
#ifndef GB_OPS_REARRANGE_H
#define GB_OPS_REARRANGE_H

#include "ops/op.h"

/* v = the k-th diagonal of A. */
typedef struct {
    gb_Matrix *v;
    gb_Matrix *A;
    bool transpose;
    int64_t k;
} gb_DiagonalOf;
extern const gb_Op gb_op_diagonal;

/* C = a grid of m x n matrices, which are complete. */
typedef struct {
    gb_Matrix *C;
    gb_Matrix *const *tiles;
    uint64_t m, n;
} gb_Concat;
extern const gb_Op gb_op_concat;

/* tiles[m * n] = what A is cut into. */
typedef struct {
    gb_Matrix *A;
    gb_Matrix **tiles;
    uint64_t m, n;
    const gbl_Index *nrows, *ncols;
} gb_Split;
gbl_Info gb_split(const gb_Split *call);

/* A gets the shape nrows x ncols. */
typedef struct {
    gb_Matrix *A;
    bool by_column;
    uint64_t nrows, ncols;
} gb_Reshape;
extern const gb_Op gb_op_reshape;

/* Entries of each row of A, or column, by an operator; of a vector, all. C or P may be NULL; P is
 * complete. */
typedef struct {
    gb_Matrix *C, *P;
    const gb_BinaryOp *op;
    gb_Matrix *A;
    bool by_column;
} gb_SortLines;
extern const gb_Op gb_op_sort_lines;

#endif
