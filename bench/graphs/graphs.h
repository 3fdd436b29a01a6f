/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/graphs: graph algorithms of examples/ against the same algorithms written by hand in plain
 * C and OpenMP, in turns, on the same undirected graphs. What is compared is the mean over sources
 * where an algorithm has one.
 *   main.c    options, the suite, rows
 *   input.c   graphs and their sources
 *   bfs.c, paths.c, components.c, pagerank.c, betweenness.c, triangles.c   the jobs, by hand and
 * all A further algorithm is a graphs_job of its own file and a line in JOBS of main.c.
 */
#pragma once

#include <stdint.h>

#include "harness/program.h"

enum { GRAPHS_SOURCES = 16, GRAPHS_ARRAYS = 16 };

typedef struct {
    const char *name;
    gbl_Matrix A; /* BOOL, symmetric, no self loops */
    uint32_t n;
    uint64_t edges;                  /* entries: each edge twice */
    const uint64_t *p;               /* [n + 1] of A */
    const uint32_t *i;               /* [edges] of A, ascending within a row */
    uint32_t source[GRAPHS_SOURCES]; /* vertices with neighbours */
    int threads;
    /* of the job that runs */
    gbl_Vector found; /* what gblite's side found last */
    void *arrays[GRAPHS_ARRAYS];
    int array_count;
} graphs_input;

/* 0, or -1 after saying why. */
int graphs_load(graphs_input *in, const char *operand, int threads);
void graphs_unload(graphs_input *in);
/* n elements for the job that runs, all zero, until it ends; NULL without memory, after saying so.
 */
void *graphs_array(graphs_input *in, uint64_t n, size_t size);
void graphs_free_job(graphs_input *in); /* all arrays, and what was found */

/* Both contenders do all sources in one run. The state begins zeroed but for its first member,
 * which is the input. */
typedef struct {
    const char *name;
    size_t state_size;
    int sources;
    int (*open)(void *state); /* 0; 1: the graph is nothing for this job; or -1; both said why */
    int (*mine)(void *state);
    int (*plain)(void *state);
    void (*reset)(void *state); /* before each run of gblite's, not timed; or NULL */
    int (*check)(void *state);  /* the results of the last runs; 0, or -1 after saying why */
    void (*close)(void *state); /* frees what the job made of gblite's; or NULL */
} graphs_job;
extern const graphs_job graphs_bfs, graphs_paths, graphs_components, graphs_pagerank,
    graphs_betweenness, graphs_triangles;
