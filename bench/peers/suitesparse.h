/* SPDX-License-Identifier: Apache-2.0
 *
 * SuiteSparse:GraphBLAS, the peer of every comparison: the same matrix for both libraries, its
 * products, equality of results.
 *   input.c        one matrix for both sides; lower.c the lower triangle of a graph
 *   suitesparse.c  starting it, its products, their final form, equality
 *
 * The final form of a result is CSR with sorted rows, nothing left lazy. Any release from 7 on may
 * stand behind the functions: another one than <GraphBLAS.h> is of when it was preloaded.
 */
#ifndef PEERS_SUITESPARSE_H
#define PEERS_SUITESPARSE_H

#include <GraphBLAS.h>
#include "harness/program.h"

/* The same matrix on both sides. Ap, Ai: its pattern by rows, columns ascending. */
typedef struct {
    const char *name; /* generator spec or path, as given */
    gbl_Matrix A;
    GrB_Matrix S;
    gbl_Index nrows, ncols, nvals;
    gbl_Index *Ap; /* [nrows + 1] */
    gbl_Index *Ai; /* [nvals] */
} peer_input;

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

/* As bench_failed, of SuiteSparse's calls. */
bool peer_failed(GrB_Info info, const char *what);

/* Makes both sides of an operand, FP64 with positive random values, or undirected: BOOL, symmetric,
 * without self loops. 0, or -1 after saying why. */
int peer_load(peer_input *in, const char *operand, bool undirected);
/* The same, directed, with rows and columns in a random order: one for both, or one each. */
typedef enum { PEER_IN_ORDER, PEER_SHUFFLED, PEER_SHUFFLED_APART } peer_order;
int peer_load_shuffled(peer_input *in, const char *operand, peer_order order);
/* From edges I, J [n] of an n x n pattern without duplicates. */
int peer_pattern(peer_input *in, gbl_Index n, const gbl_Index *I, const gbl_Index *J,
                 gbl_Index edges);
/* The lower triangle of an undirected input, whose vertices keep their names or are called by
 * falling degree. */
int peer_lower(peer_input *L, const peer_input *in, bool by_degree);
void peer_unload(peer_input *in);

/* S*S, or S*S' where S is not square, over plus-times on FP64. 0, or -1 after saying why. */
int peer_multiply(const peer_input *in, peer_csr *out);
/* S*S of a BOOL input that is square, over or-and, or any-pair. */
int peer_multiply_boolean(const peer_input *in, bool any, peer_csr *out);
/* C<S> = S*S' over plus-pair on INT64. */
int peer_multiply_masked(const peer_input *in, peer_csr *out);
/* C becomes arrays. 0, or -1 after saying why. */
int peer_take(peer_csr *csr);
/* Takes the content of C. */
GrB_Info peer_finish(GrB_Matrix C, peer_csr *out);
void peer_drop(peer_csr *csr);

/* Whether C and other hold the same entries: FP64 within 1e-12 of each other (all terms of the
 * sums are positive), INT64 and BOOL exactly. Takes the content of C; sets *nvals. */
typedef enum { PEER_FP64, PEER_INT64, PEER_BOOL } peer_type;
bool peer_equal(gbl_Matrix C, const peer_csr *other, peer_type type, uint64_t *nvals);
bool peer_close(double x, double y);

#endif
