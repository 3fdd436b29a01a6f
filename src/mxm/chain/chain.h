/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of many factors: check -> sizes of all products that may be needed -> order -> products.
 *
 * Factors are counted from 0; i..j is the product of the factors i to j. Factor f is op(A[f]):
 * transposed where the descriptor says so of the first and of the last.
 */
#pragma once

#include "mxm/model/call.h"

enum { GB_CHAIN_MOST = GBL_CHAIN_MOST };

typedef struct {
    gb_Matrix *C; /* NULL: only planned */
    gb_Mask mask;
    const gb_BinaryOp *accum;
    const gb_Semiring *ring;
    gb_Matrix *A[GB_CHAIN_MOST];
    int count;
    bool transpose_first, transpose_last;
    gb_Choices choices;
    const uint64_t
        *told; /* [count + 1] shapes that explanations report; NULL: those of the factors */
} gb_ChainCall;

/* Shapes and domains; of factors alone where C is NULL. */
gbl_Info gb_chain_check(const gb_ChainCall *call);
gbl_Info gb_mxm_chain(const gb_ChainCall *call);
gbl_Info gb_mxm_chain_plan(gbl_ChainPlan *plan, const gb_ChainCall *call);

static inline bool gb_chain_transposed(const gb_ChainCall *call, int f) {
    return (f == 0 && call->transpose_first) || (f == call->count - 1 && call->transpose_last);
}

/* What all products i..j are expected to be. Arrays are of floats; those of one factor are exact up
 * to rounding. */
typedef struct {
    int n;
    uint64_t shape[GB_CHAIN_MOST + 1];            /* factor f is shape[f] x shape[f + 1] */
    double entries[GB_CHAIN_MOST][GB_CHAIN_MOST]; /* not of 0..n-1 */
    /* entries of each row of i..j, where i = j or i >= 2; of each column, where i = j or j <= n -
     * 3; else NULL, since products with them are sampled: */
    float *rows[GB_CHAIN_MOST][GB_CHAIN_MOST], *columns[GB_CHAIN_MOST][GB_CHAIN_MOST];
    double flops_first[GB_CHAIN_MOST]; /* of factor 0 times 1..j, j >= 2 */
    double flops_last[GB_CHAIN_MOST];  /* of i..n-2 times factor n - 1, i <= n - 3 */
} gb_ChainSizes;

/* chain_sizes.c. sizes is all zero before; to be released also after a failure. */
gbl_Info gb_chain_measure(gb_ChainSizes *sizes, const gb_ChainCall *call);
void gb_chain_release(gb_ChainSizes *sizes);
/* Multiplications of i..m times m+1..j. */
double gb_chain_flops(const gb_ChainSizes *sizes, int i, int m, int j);
