/* SPDX-License-Identifier: Apache-2.0
 *
 * SuiteSparse:GraphBLAS, the peer of every comparison. The final form of a result is CSR with
 * sorted rows, nothing deferred. Any release from 7 on may stand behind the functions: another one
 * than <GraphBLAS.h> is of when it was preloaded.
 */
#pragma once

#include <GraphBLAS.h>
#include "harness/program.h"

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
