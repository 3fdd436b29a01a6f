/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/spmm: sparse times full, and full times sparse, for several numbers of columns (or rows) of
 * the full factor. Plus-times on FP64, random values.
 *   main.c  options, the suite, the document
 *   race.c  one product: gblite, the same by rows as if B were not full, SuiteSparse, Intel MKL
 *   full.c  the full factor for all of them
 */
#ifndef SPMM_H
#define SPMM_H

#include "peers/mkl.h"

enum { SPMM_COLUMNS_MOST = 16 };

/* rows x columns by rows, an entry at every place; the same content for all. */
typedef struct {
    gbl_Index rows, columns;
    double *x; /* [rows * columns] */
    gbl_Matrix B;
    GrB_Matrix S;
} spmm_full;

/* n zeros that begin with a line of the cache, as MKL advises; NULL without memory. */
double *spmm_array(gbl_Index n);
/* 0, or -1 after saying why; freed in either case. */
int spmm_full_new(spmm_full *full, gbl_Index rows, gbl_Index columns);
void spmm_full_free(spmm_full *full);

/* Measures A times a full matrix of so many columns, or from the left one of so many rows times A,
 * into the object: medians by contender, seconds of gblite's first call, bytes at its peak. 0, or
 * -1 after saying why. */
int spmm_race(cJSON *object, const peer_input *in, peer_mkl_full of, const bench_setup *setup);

#endif
