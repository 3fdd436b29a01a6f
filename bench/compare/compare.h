/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/compare: gblite and SuiteSparse:GraphBLAS do the same jobs in one process, and their
 * results are checked against each other. This header is what its parts share:
 *   main.c      options, the suite, the table
 *   products.c  mxm, mxv; boolean.c: mxm of patterns; push.c: vxm with lists
 *   bfs.c, triangles.c
 *   beside.c    busy processes beside the jobs
 *
 * A job is timed from ready inputs to a result in its final form: rows sorted, nothing left lazy.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "peers/suitesparse.h"

/* One line of the table. */
typedef struct {
    const char *operation;
    const char *input;
    const char *other_form; /* how SuiteSparse was fastest, or "" when there is one way */
    double gblite, other;   /* medians, seconds */
    uint64_t result;        /* entries, triangles or vertices reached */
    const char *result_unit;
    bool equal;
    gbl_Explanation how; /* how gblite computed its (last) product */
} compare_row;

enum { COMPARE_MOST_ROWS = 12 }; /* lines that one job may add */

/* A job fills rows[COMPARE_MOST_ROWS] and returns how many, or -1 after saying why. */
typedef struct {
    const char *name;
    bool undirected; /* wants BOOL, symmetric, no self loops; else FP64, values positive */
    int (*run)(const peer_input *in, int rounds, compare_row *rows);
} compare_job;

/* Results of both sides, read as FP64, and what makes values at a place equal. */
typedef struct {
    gbl_Vector w;
    GrB_Vector z;
    gbl_Index size;
    bool (*equal)(const void *context, gbl_Index i, double x, double y);
    const void *context;
} compare_pair;
/* The same places and equal values; *nvals = how many. */
bool compare_vectors(const compare_pair *pair, uint64_t *nvals);

/* n processes that compute from now on; 0, or -1 after saying why. */
enum { COMPARE_MOST_BUSY = 1000 };
int compare_start_busy(int n);
void compare_stop_busy(void);

int compare_mxm(const peer_input *in, int rounds, compare_row *rows);
int compare_boolean(const peer_input *in, int rounds, compare_row *rows);
int compare_mxv(const peer_input *in, int rounds, compare_row *rows);
int compare_push(const peer_input *in, int rounds, compare_row *rows);
int compare_bfs(const peer_input *in, int rounds, compare_row *rows);
int compare_triangles(const peer_input *in, int rounds, compare_row *rows);

#endif
