/* SPDX-License-Identifier: Apache-2.0
 *
 * Intel MKL, where its library can be loaded.
 */
#ifndef PEERS_MKL_H
#define PEERS_MKL_H

#include "peers/input.h"

/* Loads libmkl_rt.so from the folder, or from where the system looks when folder is NULL. False
 * when there is none; why says what is missing. */
bool peer_mkl_load(const char *folder, int threads, char *why, size_t size);
bool peer_mkl_is_loaded(void);
void peer_mkl_version(char *text, size_t size); /* "" without MKL */

/* A*A, or A*A' where A is not square. NULL after saying why; the input must outlive it. */
typedef struct peer_mkl_product peer_mkl_product;
peer_mkl_product *peer_mkl_new(const peer_input *in);
int peer_mkl_multiply(peer_mkl_product *p);         /* MKL's status, 0 when all went well */
void peer_mkl_drop(peer_mkl_product *p);            /* the result */
double peer_mkl_entries(const peer_mkl_product *p); /* of the result; -1 when it cannot tell */
/* Its entries, row by row; 0, or -1 where MKL cannot tell. */
int peer_mkl_tuples(const peer_mkl_product *p, gbl_Index *I, gbl_Index *J, double *X);
void peer_mkl_free(peer_mkl_product *p);

/* C = A * B for full B of so many columns, or from the left C = B * A for full B of so many rows; B
 * and C by rows. MKL's status. What is told beforehand of such calls lets it prepare for them. */
typedef struct {
    bool left;
    gbl_Index count; /* of columns, or rows */
} peer_mkl_full;
int peer_mkl_times_full(peer_mkl_product *p, peer_mkl_full full, const double *B, double *C);
int peer_mkl_optimize(peer_mkl_product *p, peer_mkl_full full, int calls);

/* Starts to look for a peak of the bytes held; false when MKL does not count. */
bool peer_mkl_count(void);
double peer_mkl_peak(void);

#endif
