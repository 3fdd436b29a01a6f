/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of graph algorithms beyond the standard, as operations (ops/op.h).
 */
#pragma once

#include "mxm/model/call.h"
#include "ops/op.h"

/* -- degrees.c: w<m> accum= the number of entries in each row of A. */

/* Of the rows of A, or of A'; rows without entries give 0. Nothing is converted but tiles. */
typedef struct {
    gb_Matrix *w;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Matrix *A;
    bool transpose;
} gb_Degrees;
extern const gb_Op gb_op_degrees;

/* -- sort.c: The entries of each row of a matrix, or of a vector, in the order of their values. */

/* Entry k of a row of C and P is the k-th of that of A by a comparison, equal ones in the order of
 * A; by_column: of a column. */
typedef struct {
    gb_Matrix *C, *P; /* values, and positions in A; either may be NULL; P is complete */
    const gb_BinaryOp *op;
    gb_Matrix *A;
    bool by_column;
} gb_Sort;
extern const gb_Op gb_op_sort;

/* -- permute.c: C<M> accum= A(p,p), rows and columns of a square matrix permuted. */

/* Entries (i, j) of the result with low <= j - i <= high. */
typedef struct {
    int64_t low, high;
} gb_Band;

/* GBL_INVALID_VALUE or GBL_INDEX_OUT_OF_BOUNDS unless p is a permutation. Where a dimension is
 * huge, and p cannot have an entry for each row, rows without one stay. */
typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Matrix *A, *p;
    gb_Band band;
    bool transpose;
} gb_Permute;
extern const gb_Op gb_op_permute;

/* -- scatter.c: w<m> accum= T, T(I(k)) = the values u(k) of all k with that index, folded by dup in
 * the order of k; dup is T x T -> T. */

typedef struct {
    gb_Matrix *w;
    gb_Mask mask;
    const gb_BinaryOp *accum, *dup;
    gb_Matrix *u, *I;
} gb_Scatter;
extern const gb_Op gb_op_scatter;

/* -- forest.c: Forests: vectors of parents. */

/* w<m> accum= the root of the tree of each entry of u, whose values are integers. */
typedef struct {
    gb_Matrix *w;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Matrix *u;
} gb_Roots;
extern const gb_Op gb_op_roots;

/* Trees of w become one along entries [first, first + count) of each row of A, or of A', that the
 * mask has; then w has the roots of all. */
typedef struct {
    gb_Matrix *w;
    gb_Mask mask;
    gb_Matrix *A;
    bool transpose;
    uint64_t first, count;
} gb_Join;
extern const gb_Op gb_op_join;

/* -- closure.c: The least fixpoint of w = w (+) w * A. */

typedef struct {
    gb_Matrix *w;
    const gb_Semiring *ring;
    gb_Matrix *A;
    bool transpose;
    double width; /* of buckets; not above 0, or not finite: one for all */
    gb_Choices choices;
} gb_Closure;
extern const gb_Op gb_op_closure;
