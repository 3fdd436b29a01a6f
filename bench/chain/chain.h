/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/chain: whether the order that gbl_mxm_chain takes is the quickest one. Plus-times on FP64,
 * random values.
 *   main.c  options, the suite, the document
 *   race.c  one chain: every order that the plan shows, product by product, in turns
 */
#ifndef CHAIN_H
#define CHAIN_H

#include "harness/program.h"

typedef struct {
    char name[64];
    char specs[GBL_CHAIN_MOST][128]; /* as in the suite, with ' where transposed */
    gbl_Matrix A[GBL_CHAIN_MOST];
    int count;
} chain_factors;

/* Measures a chain into the object; 0, or -1 after saying why. */
int chain_race(cJSON *object, chain_factors *factors, int rounds);

#endif
