/* SPDX-License-Identifier: Apache-2.0
 *
 * Starting SuiteSparse; see suitesparse.h.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "peers/suitesparse.h"

#include <stdio.h>

bool peer_failed(GrB_Info info, const char *what) {
    if (info == GrB_SUCCESS || info == GrB_NO_VALUE) return false;
    fprintf(stderr, "%s: SuiteSparse: %s: error %d\n", program_invocation_short_name, what,
            (int)info);
    return true;
}

/* The numbers of options: those of <GraphBLAS.h>, and those of the releases from 9 on. */
typedef struct {
    int version, threads, sparsity, pool;
} numbers;
static const numbers OF_HEADER = {GxB_LIBRARY_VERSION, GxB_GLOBAL_NTHREADS, GxB_SPARSITY_CONTROL,
                                  GxB_MEMORY_POOL},
                     OF_LATER = {7005, 7086, 7036, 7022}, *option = &OF_HEADER;

int peer_configure(int threads) {
    int version[3];
    option = &OF_HEADER;
    if (GxB_Global_Option_get(option->version, version) != GrB_SUCCESS) option = &OF_LATER;
    return peer_failed(GxB_Global_Option_set(option->threads, threads), "threads") ? -1 : 0;
}

int peer_start(int threads) {
    return peer_failed(GrB_init(GrB_NONBLOCKING), "init") ? -1 : peer_configure(threads);
}

void peer_pool(bool on) {
    int64_t none[64] = {0};
    GxB_Global_Option_set(option->pool, on ? NULL : none);
}

GrB_Info peer_keep_sparse(GrB_Matrix C) {
    return GxB_Matrix_Option_set(C, option->sparsity, GxB_SPARSE + GxB_HYPERSPARSE);
}

void peer_stop(void) {
    GrB_finalize();
}

void peer_version(char *text, size_t size) {
    int version[3] = {0};
    peer_failed(GxB_Global_Option_get(option->version, version), "version");
    snprintf(text, size, "%d.%d.%d", version[0], version[1], version[2]);
}
