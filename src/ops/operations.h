/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of this folder: a call and a descriptor each (ops/op.h), and what they share.
 */
#pragma once

#include "ops/finish.h"
#include "semiring/cast.h"
#include "semiring/fold.h"

/* Their `full_iso`; full_iso.c. That of copy serves transpose and extract. */
gbl_Info gb_apply_full_iso(const gb_Op *op, const void *call, bool *done);
gbl_Info gb_select_full_iso(const gb_Op *op, const void *call, bool *done);
gbl_Info gb_assign_full_iso(const gb_Op *op, const void *call, bool *done);
gbl_Info gb_ewise_full_iso(const gb_Op *op, const void *call, bool *done);
gbl_Info gb_kronecker_full_iso(const gb_Op *op, const void *call, bool *done);
gbl_Info gb_reduce_full_iso(const gb_Op *op, const void *call, bool *done);
gbl_Info gb_copy_full_iso(const gb_Op *op, const void *call, bool *done);
/* Whether the mask allows few of C's positions; it is assembled then. */
gbl_Info gb_mask_is_narrow(bool *narrow, const gb_Mask *mask, const gb_Matrix *C);

/* -- apply.c: C<M> accum= f(A): an operator applied to every entry; and A where an index operator
 * is true */

/* f(A), or f(A') when `transpose`; index operators see the positions of A'. Of select map.index is
 * the operator and map.bound its y, and entries keep the type and values of A. */
typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Map map;
    gb_Matrix *A;
    bool transpose;
} gb_Apply;
extern const gb_Op gb_op_apply, gb_op_select;
gb_Type *gb_map_ztype(const gb_Map *map); /* of the operator's results */

/* Converts an index operator that selects among values of a type to a map of the device; returns
 * why there is no kernel, else NULL. */
const char *gb_device_test(gb_DeviceMap *device, const gb_Map *map, const gb_Type *type);

/* -- shared with transpose and extract */

/* z = the map of the value at x, of args->xtype. */
void gb_map_one(const gb_MapArgs *args, const void *x, void *z);

/* -- assign.c: C<M>(I, J) accum= A, or = one value. The mask has C's shape. Without accum, entries
 * of C at (I, J) where A has none are deleted. */

typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Matrix *A; /* or NULL: the value at x everywhere; x NULL: no entry anywhere */
    bool atransposed;
    const gb_Type *xtype;
    const void *x;
    gb_Indices I, J; /* rows and columns; for a vector J is all of its one column */
} gb_Assign;
extern const gb_Op gb_op_assign;

/* All of C, which nothing survives in, becomes a value. C is complete. */
static inline bool gb_assign_fills(const gb_Assign *call) {
    const gb_Mask *mask = &call->mask;
    return call->x != NULL && call->A == NULL && call->I.all && call->J.all && mask->M == NULL &&
           !mask->complement &&
           (call->accum == NULL || (gb_is_assembled(call->C) && call->C->nvals == 0));
}

/* Its `hyper`; hyper_lists.c. */
gbl_Info gb_assign_hyper(const void *call);

/* A call that writes all of C, but for what is assigned. */
gb_Assign gb_assign_to_all(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum);
/* C<M> accum= the value at all positions; x NULL: no entries. */
gbl_Info gb_write_value(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                        const gb_Array *value);
/* C<M> accum= T, which is of C's shape; of any dimension. */
gbl_Info gb_write(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Matrix *T);
/* The same where info is GBL_SUCCESS. T is freed whatever comes. */
gbl_Info gb_write_and_free(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                           gb_Matrix *T, gbl_Info info);

/* One row or column of a matrix, its mask as long as it is: replace deletes in this line only. */
typedef struct {
    gb_Assign assign; /* to the line as a vector, its C: an empty one of C's type */
    uint64_t line;
    bool is_row;
} gb_LineAssign;
/* assign.check has been called; all objects are complete. */
gbl_Info gb_assign_line(gb_Matrix *C, const gb_LineAssign *call);

/* -- few.c: where few positions are written, by elements. *done: C has what the call says, now in
 * blocking mode, else perhaps when it is next read. Else nothing has happened. Any dimension. */

gbl_Info gb_assign_few(const gb_Assign *call, bool *done);
gbl_Info gb_assign_few_line(gb_Matrix *C, const gb_LineAssign *call, bool *done);

/* -- assign_indices.c */

/* The general case, of ordinary objects. */
gbl_Info gb_assign_at(const gb_Assign *call);

/* -- ewise.c: C<M> accum= A op B, entry by entry: on the union of the patterns, where an entry that
 * stands alone keeps its value, or on the intersection */

typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum, *op;
    gb_Matrix *A, *B;
    bool atransposed, btransposed; /* matrices only */
    bool unite;                    /* union, else intersection */
} gb_Ewise;

/* By `unite`. */
extern const gb_Op gb_op_ewise_add, gb_op_ewise_mult;

/* C<M> accum= the Kronecker product of A and B; kronecker.c. */
typedef gb_Ewise gb_Kronecker; /* all but `unite` */
extern const gb_Op gb_op_kronecker;

/* On the host, of a gb_Ewise whose operands are assembled. */
gbl_Info gb_ewise_host(const void *call);

/* -- position.c: binary operators that see the indices of their operands, in operations other than
 * products: their operands are replaced by matrices of located values, a value with its row and
 * column, and the operator by one on these. So they run on every form, hypersparse ones included.
 * And unions of three parts, which such an operator, or values for what is missing, make of two
 * operands. */

typedef struct {
    uint64_t i, j;
    char value[];
} gb_LocatedValue;

/* The factors of a product become new ones of located values, and *made a semiring on these, which
 * `ring` outlives. After a failure all is as it was. */
gbl_Info gb_locate_factors(gb_Semiring **made, const gb_Semiring *ring, gb_Matrix **left,
                           bool *left_transposed, gb_Matrix **right, bool *right_transposed);
/* The operator on one pair of located values. */
static inline void gb_apply_located(const gb_BinaryOp *op, void *z, const void *x, const void *y) {
    const gb_LocatedValue *a = x, *b = y;
    op->index(z, a->value, a->i, a->j, b->value, b->i, b->j, op->theta);
}

/* eWiseAdd, eWiseMult or kronecker (its call begins as a gb_Ewise) by an operator that sees
 * positions. */
gbl_Info gb_run_pairs(const gb_Op *op, const gb_Ewise *call);

/* apply of a binary operator that sees positions and has one argument bound, which stands where the
 * entry stands. */
gbl_Info gb_apply_by_position(const gb_Apply *call);

/* eWiseAdd where an entry of one operand alone meets a value: op(A, beta), op(alpha, B); these have
 * the types of the operator. */
typedef struct {
    gb_Ewise ewise;
    const void *alpha, *beta;
} gb_Union;
gbl_Info gb_run_union(const gb_Union *call);

/* -- extract.c: C<M> accum= A(I, J): parts of a matrix, one column of it, or elements of a vector
 */

/* Rows I and columns J of A, or of A'; both in any order, also repeated. Where C is a vector and A
 * a matrix, J is one column; where A is a vector, J is all of its one column. */
typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Matrix *A;
    bool transpose;
    gb_Indices I, J;
} gb_Extract;
extern const gb_Op gb_op_extract;

/* For a gb_Extract of ordinary objects; for one with hypersparse ones (hyper_lists.c). */
gbl_Info gb_extract_hyper(const void *call);
/* Its `few`, which reads few rows or elements beside updates that wait (hyper_lists.c). */
gbl_Info gb_extract_beside(const gb_Op *op, const void *call, bool *done);

/* w<m> accum= u(I(k)) for each entry I(k) of a vector of integers; GBL_INDEX_OUT_OF_BOUNDS for one
 * that is no index of u. */
typedef struct {
    gb_Matrix *w;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Matrix *u, *I;
} gb_ExtractAt;
extern const gb_Op gb_op_extract_at;

/* -- reduce.c: entries folded by a monoid or an associative operator: everything to one value, or
 * rows to a vector */

/* *z (of the operator's type) = all entries of A, a matrix or a vector; without entries
 * GBL_NO_VALUE, *z unchanged. Precondition: domains are checked, A is complete. */
gbl_Info gb_reduce_all(void *z, const gb_Fold *fold, gb_Matrix *A);

/* w<m> accum= the rows of A, or of A'; rows without entries give none. */
typedef struct {
    gb_Matrix *w;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Fold fold;
    gb_Matrix *A;
    bool transpose;
} gb_ReduceRows;
extern const gb_Op gb_op_reduce;

/* Values of A, a matrix or a vector, can be folded. */
gbl_Info gb_reduce_check(const gb_Fold *fold, const gb_Matrix *A);

/* A C value of the user. */
typedef struct {
    const gb_Type *type;
    void *x;
} gb_Variable;
/* *x = accum(*x, *z) with casts. */
gbl_Info gb_accum_value(const gb_Variable *x, const gb_BinaryOp *accum, const gb_Type *ztype,
                        const void *z);

/* -- transpose.c: C<M> accum= A' */

/* A', or A itself unless `transpose`. */
typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Matrix *A;
    bool transpose;
} gb_Transpose;
/* The others are transposes under the names of the operations that they are a case of. */
extern const gb_Op gb_op_transpose, gb_op_extract_all, gb_op_assign_all;
/* Where few positions of C are written: few.c */
gbl_Info gb_write_few(const gb_Transpose *call, bool *done);

/* -- update.c: w accum= u, and which entries of w that has changed */

/* Three vectors; `changed`, which is complete, gets the entries of w that were changed. */
typedef struct {
    gb_Matrix *w, *changed;
    const gb_BinaryOp *accum;
    gb_Matrix *u;
} gb_Update;
extern const gb_Op gb_op_update;

/* On the host; of ordinary objects. */
gbl_Info gb_update_vector(const void *call);
/* Domains and shapes of both outputs, w and changed, for values of u. */
gbl_Info gb_update_check(const gb_Matrix *w, const gb_Matrix *changed, const gb_Matrix *u);

/* Hypersparse updates: w is dense on its row list and stays so; a step costs O(nvals(u)) unless u
 * has an index that w never had. `changed` is built separately and replaced last, after all that
 * can fail. *fresh: a vector like it, whose compact form is empty and has the row list. */
gbl_Info gb_changes_new(gb_Matrix **fresh, const gb_Matrix *changed, const gb_HyperCall *hyper);
/* The dispatch has w as its output. info: what the operation on the compact forms gave. */
gbl_Info gb_changes_end(gb_HyperCall *hyper, gb_Matrix *changed, gb_Matrix *fresh, gbl_Info info);

/* -- rearrange.c: operations that move entries to other positions, of objects of any dimension:
 * entries are listed, get new positions, and are built again */

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
