/* SPDX-License-Identifier: Apache-2.0
 *
 * Tier 2, operations: products of many factors, multiplied in the order that is expected to be
 * cheapest, and many small products in one call. All of it is a gblite addition. Included by
 * gblite.h, whose common rules hold here.
 */
#ifndef GBLITE_CHAIN_H
#define GBLITE_CHAIN_H

#include "gblite_explain.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GBL_CHAIN_MOST = 64,   /* factors */
    GBL_CHAIN_ORDERS = 14, /* that a plan shows: all there are up to five factors */
    GBL_CHAIN_TEXT = 512
};

/* gbl_mxm_chain: C<M> accum= A[0] * A[1] * ... * A[count - 1] over a semiring.
 * 2 <= count <= GBL_CHAIN_MOST, else GBL_INVALID_VALUE. GBL_INP0 = GBL_TRAN in desc transposes the
 * first factor, GBL_INP1 = GBL_TRAN the last one; the rest of desc holds for every product. A
 * matrix may be there several times, and C may be one of them.
 *
 * From three factors on there are products between, which take the type of ring's monoid: it must
 * be both input types of its multiplication, GBL_DOMAIN_MISMATCH else. The order is free only for a
 * semiring whose multiplication is associative and distributes over its addition; for others
 * (MINUS, PAIR with PLUS) the result depends on the order taken. Sums of floats are rounded in that
 * order.
 *
 * Writing and errors: as gbl_mxm. Cost: that of the products in the order taken, and O(entries of
 * the factors) for sketches. Workspace beside the products: 64 to 128 bytes for each row or column
 * of a factor, and 4 for each of a product of factors. Source: docs/chains.md. */
gbl_Info gbl_mxm_chain(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Semiring ring,
                       const gbl_Matrix *A, int32_t count, gbl_Descriptor desc);

/* An order of multiplication, and what it is expected to take. Does not grow. */
typedef struct {
    char text[GBL_CHAIN_TEXT]; /* "A1 (A2 A3)" */
    /* product s is of the matrices step[s] and step[s] + 1 of those that are left, from 0 */
    uint8_t step[GBL_CHAIN_MOST - 1];
    double flops;   /* of all products */
    double entries; /* of all products but the last */
    double seconds; /* of one thread; the last product's entries are not counted, since every order
                       writes the same */
} gbl_ChainOrder;

/* The orders compared: all of them up to five factors; else from left to right, from right to left,
 * and the cheapest of all. */
typedef struct {
    size_t size; /* bytes of this struct, which may grow: see gblite_explain.h */
    int32_t nfactors, norders;
    int32_t chosen; /* index into orders */
    gbl_ChainOrder orders[GBL_CHAIN_ORDERS];
    double seconds_plan; /* what the plan took */
} gbl_ChainPlan;
#define GBL_CHAIN_PLAN_INIT GBL_SIZED(gbl_ChainPlan)
/* gbl_mxm_chain_plan: The orders that gbl_mxm_chain would compare, and the one it would take.
 * Nothing is multiplied: HyperLogLog sketches of a product's rows are unions of sketches of its
 * right factor's rows, of its columns unions of sketches of its left factor's columns. Errors as
 * above. */
gbl_Info gbl_mxm_chain_plan(gbl_ChainPlan *plan, gbl_Semiring ring, const gbl_Matrix *A,
                            int32_t count, gbl_Descriptor desc);

/* gbl_mxm_batch: C[k]<M[k]> accum= A[k] * B[k] over a semiring, for each k in [0, n).
 * Shapes may differ from product to product, types too; accum, ring and desc are those of all. M is
 * NULL or an array of masks, each of which may be NULL. A matrix may be there several times, also
 * as an output of one product and an input of others: all inputs are read before any output is
 * written. Outputs are different matrices. Results have the bits of gbl_mxm.
 *
 * Small products, of matrices with up to 4096 entries, rows and columns together, are planned and
 * made some hundreds at once, groups on several threads; others one after the other as by gbl_mxm.
 * Small are none of hypersparse or dense operands, of multiplications by position, with a mask by
 * value, with a descriptor that requests a method, under GBL_MEMORY_LIMIT, or with a progress
 * callback. Products that were made in a group explain nothing. Cost: that of the products; all
 * results are held beside the outputs, and up to twice the operands of a group for each thread.
 *
 * Errors: those of gbl_mxm, and the text says which product failed, from 0; all outputs are as they
 * were then. Other threads may read inputs that are no outputs. */
gbl_Info gbl_mxm_batch(const gbl_Matrix *C, const gbl_Matrix *M, gbl_BinaryOp accum,
                       gbl_Semiring ring, const gbl_Matrix *A, const gbl_Matrix *B, gbl_Index n,
                       gbl_Descriptor desc);

#ifdef __cplusplus
}
#endif

#endif
