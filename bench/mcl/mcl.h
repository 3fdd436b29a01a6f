/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/mcl: the program `mcl` of S. van Dongen and `gblite mcl` on the same label files, each as a
 * process of its own: seconds from start to end and the most memory that was resident, and whether
 * they find the same clusters.
 *
 *   main.c       options, the suite, the document
 *   process.c    running a program and waiting for what it took
 *   partition.c  clusters in files, compared with each other and with planted ones
 */
#ifndef BENCH_MCL_H
#define BENCH_MCL_H

#include <stdbool.h>
#include <stdint.h>

/* What a process took. */
typedef struct {
    double seconds, bytes; /* wall; resident at the peak */
} mcl_taken;

/* Runs words[0] with these words, NULL behind the last, its output dropped. 0, or -1 after saying
 * why: it could not be started or did not end well. */
int mcl_run(mcl_taken *taken, char *const *words);
/* Whether the program is in the PATH, or is a path that can be run. */
bool mcl_is_there(const char *program);

/* Vertices 0 .. n - 1; cluster[v] is the number of the cluster of v. */
typedef struct {
    uint64_t n, clusters;
    uint32_t *cluster;
} mcl_partition;

/* From a file with a cluster on each line: vertices, from 1, with tabs between them. 0, or -1 after
 * saying why, also when a vertex is missing or there twice. */
int mcl_partition_read(mcl_partition *p, const char *path, uint64_t n);
/* Vertex v in cluster v mod k, as the generator `planted` makes them. */
int mcl_partition_planted(mcl_partition *p, uint64_t n, uint64_t k);
void mcl_partition_free(mcl_partition *p);
/* Vertices in clusters of a that b does not have; -1: out of memory. */
int64_t mcl_apart(const mcl_partition *a, const mcl_partition *b);

#endif
