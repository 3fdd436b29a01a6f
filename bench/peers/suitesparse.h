/* SPDX-License-Identifier: Apache-2.0
 *
 * SuiteSparse:GraphBLAS, the peer of every comparison: starting it, the final form of its results,
 * equality of results.
 *
 * The final form of a result is CSR with sorted rows, nothing left lazy. Any release from 7 on may
 * stand behind the functions: another one than <GraphBLAS.h> is of when it was preloaded.
 */
#ifndef PEERS_SUITESPARSE_H
#define PEERS_SUITESPARSE_H

#include <GraphBLAS.h>
#include "harness/program.h"

/* A result of SuiteSparse's in its final form: C as the product left it, then by peer_take()
 * arrays, whose integers later releases hold in another width. Belongs to the reader; freed by
 * peer_drop(), or by the allocator that SuiteSparse was started with. */
typedef struct {
    GrB_Matrix C; /* NULL: taken */
    GrB_Index *p, *i;
    void *x;
    bool iso;
} peer_csr;

/* Starts SuiteSparse on so many threads; 0, or -1 after saying why. */
int peer_start(int threads);
/* The same for one that was started by GxB_init(). */
int peer_configure(int threads);
void peer_stop(void);
void peer_pool(bool on); /* whether small freed blocks are kept, where a release does so */
/* The version of the library that this process uses. */
void peer_version(char *text, size_t size);

/* C is wanted in CSR: spares SuiteSparse a detour through its bitmap. */
GrB_Info peer_keep_sparse(GrB_Matrix C);

/* As bench_failed, of SuiteSparse's calls. */
bool peer_failed(GrB_Info info, const char *what);

/* C becomes arrays. 0, or -1 after saying why. */
int peer_take(peer_csr *csr);
/* Takes the content of C. */
GrB_Info peer_finish(GrB_Matrix C, peer_csr *out);
void peer_drop(peer_csr *csr);

/* Whether C and other hold the same entries: FP64 within 1e-12 of each other (all terms of the
 * sums are positive), INT64 exactly. Takes the content of C; sets *nvals. */
typedef enum { PEER_FP64, PEER_INT64 } peer_type;
bool peer_equal(gbl_Matrix C, const peer_csr *other, peer_type type, uint64_t *nvals);
bool peer_close(double x, double y);

#endif
