/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/spamm: approximate products of matrices that decay.
 *   main.c    options, the document, which is JSON
 *   blas.c    OpenBLAS, loaded when the program runs
 *   search.c  the taus that are found for the ratios of cuSpAMM's table 1, and what its taus give
 *   race.c    seconds at each ratio against dgemm or sgemm, and, at the same error, against a
 * sparse product of what is left after truncation (its tables 2 and 3) errors.c  errors and bounds
 * for exponential decay (its table 4)
 */
#ifndef SPAMM_H
#define SPAMM_H

#include "peers/suitesparse.h"

/* C = A * B, all n x n by rows, in FP64 or FP32. False where there is no OpenBLAS. */
bool blas_load(int threads, char *why, size_t size);
const char *blas_version(void);
void blas_multiply(bool single, int n, const void *A, const void *B, void *C);

/* What a product is asked for: a field of a descriptor and its value. */
typedef struct {
    int field; /* 0: exact */
    double value;
    int side; /* of sub-matrices; 0: the library's choice */
} spamm_how;

/* *C is new: A * A; *how tells of it. */
gbl_Info spamm_square(gbl_Matrix *C, gbl_Explanation *how, gbl_Matrix A, const spamm_how *by);
/* A full matrix, n x n, by rows; its values to x[n * n], FP64, zero where there is none. */
gbl_Info spamm_values(double *x, gbl_Matrix A);
/* ||x - y||_F of n numbers. */
double spamm_distance(const double *x, const double *y, size_t n);

/* Ratios to race at; whether truncated products run too. */
enum { SPAMM_RATIOS = 16 };
typedef struct {
    double ratio[SPAMM_RATIOS];
    int ratios;
    bool truncates;
} spamm_rules;

/* Each adds to the list what it found; 0, or -1 after saying why. */
int spamm_search(cJSON *list, int n);
int spamm_race(cJSON *list, int n, bool single, const bench_setup *setup, const spamm_rules *rules);
int spamm_errors(cJSON *list, int n);

#endif
