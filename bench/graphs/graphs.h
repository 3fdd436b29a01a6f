/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/graphs: graph algorithms of examples/ against the same algorithms written by hand in plain
 * C and OpenMP, in turns, on the same undirected graphs. What is compared is the mean over sources
 * where an algorithm has one.
 *   main.c    options, the suite, the table
 *   input.c   graphs and their sources
 *   bfs.c     breadth-first search: the job, its check; bfs_plain.c: by hand
 *   paths.c, components.c, pagerank.c, betweenness.c, triangles.c   the other jobs, by hand and all
 * A further algorithm is a graphs_job of its own file and a line in JOBS of main.c.
 */
#ifndef GRAPHS_H
#define GRAPHS_H

#include <stdint.h>

#include "harness/program.h"

enum { GRAPHS_SOURCES = 16 };

typedef struct {
    const char *name;
    gbl_Matrix A; /* BOOL, symmetric, no self loops */
    uint32_t n;
    uint64_t edges;                  /* entries: each edge twice */
    uint64_t *p;                     /* [n + 1] */
    uint32_t *i;                     /* [edges] ascending within a row */
    uint32_t source[GRAPHS_SOURCES]; /* vertices with neighbours */
    int threads;
} graphs_input;

/* 0, or -1 after saying why. */
int graphs_load(graphs_input *in, const char *operand, int threads);
void graphs_unload(graphs_input *in);

/* Both contenders do all sources in one run. */
typedef struct {
    const char *name;
    /* 0; 1: the graph is nothing for this job; or -1; both after saying why */
    int (*open)(void **state, const graphs_input *in);
    int (*mine)(void *state);
    int (*plain)(void *state);
    void (*reset)(void *state); /* before each run of gblite's, not timed; or NULL */
    int (*check)(void *state);  /* the results of the last runs; 0, or -1 after saying why */
    void (*close)(void *state);
    int sources;
} graphs_job;
extern const graphs_job graphs_bfs, graphs_paths, graphs_components, graphs_pagerank,
    graphs_betweenness, graphs_triangles;

/* bfs_plain.c: parent[n] becomes the vertex before on a shortest path, the source its own, -1 where
 * nothing leads to; direction-optimizing (Beamer, Asanovic, Patterson, SC '12). */
typedef struct graphs_plain_bfs graphs_plain_bfs;
graphs_plain_bfs *graphs_plain_bfs_new(const graphs_input *in);
void graphs_plain_bfs_free(graphs_plain_bfs *work);
void graphs_plain_bfs_run(graphs_plain_bfs *work, uint32_t source, int32_t *parent);

#endif
