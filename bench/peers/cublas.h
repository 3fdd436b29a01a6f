/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of square matrices by cuBLAS, which is loaded when the program runs.
 */
#ifndef PEERS_CUBLAS_H
#define PEERS_CUBLAS_H

#include <stdbool.h>
#include <stddef.h>

/* Values of factors; sums are FP64 for the first, FP32 for all others. */
typedef enum { CUBLAS_FP64, CUBLAS_FP32, CUBLAS_TF32, CUBLAS_FP16, CUBLAS_BF16 } cublas_values;

bool cublas_load(char *why, size_t size); /* false: it is not here, or lacks a function */
void cublas_unload(void);
/* Seconds of one product of x[n * n] by itself, which are rounded to such values: the median of
 * `rounds` after as many to warm up, from device memory to device memory. Negative after saying
 * why. */
double cublas_seconds(cublas_values values, int n, const double *x, int rounds);

#endif
