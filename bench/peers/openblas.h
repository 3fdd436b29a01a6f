/* SPDX-License-Identifier: Apache-2.0
 *
 * Dense products by OpenBLAS, loaded when the program runs.
 */
#ifndef PEERS_OPENBLAS_H
#define PEERS_OPENBLAS_H

#include <stdbool.h>
#include <stddef.h>

bool blas_load(int threads, char *why, size_t size); /* false where there is none */
const char *blas_version(void);
/* C = A * B, all n x n by rows, in FP64 or FP32. */
void blas_multiply(bool single, int n, const void *A, const void *B, void *C);

#endif
