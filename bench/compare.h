/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/compare: gblite and SuiteSparse:GraphBLAS do the same jobs in one process, and their
 * results are checked against each other. This header is what its parts share:
 *   compare.c          options, the suite, the table
 *   compare_data.c     one input for both sides; equality of results
 *   compare_lower.c    the lower triangle of a graph
 *   compare_product.c  mxm, mxv
 *   compare_bfs.c, compare_triangles.c
 *
 * A job is timed from ready inputs to a result in its final form: rows sorted, nothing left lazy.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include <GraphBLAS.h>
#include "program.h"

/* The same matrix on both sides. Ap, Ai: its pattern by rows, columns ascending. */
typedef struct {
    const char *name; /* generator spec or path, as given */
    gbl_Matrix A;
    GrB_Matrix S;
    gbl_Index nrows, ncols, nvals;
    gbl_Index *Ap; /* [nrows + 1] */
    gbl_Index *Ai; /* [nvals] */
} compare_input;

/* A result of SuiteSparse's in its final form: CSR, rows sorted. Belongs to the reader; freed by
 * compare_drop(). */
typedef struct {
    GrB_Index *p, *i;
    void *x;
    bool iso;
} compare_csr;

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

enum { COMPARE_MOST_ROWS = 2 }; /* lines that one job may add */

/* A job fills rows[COMPARE_MOST_ROWS] and returns how many, or -1 after saying why. */
typedef struct {
    const char *name;
    bool undirected; /* wants BOOL, symmetric, no self loops; else FP64, values positive */
    int (*run)(const compare_input *in, int rounds, compare_row *rows);
} compare_job;

/* S*S, or S*S' where S is not square, by SuiteSparse. */
int compare_multiply_other(const compare_input *in, compare_csr *out);

int compare_mxm(const compare_input *in, int rounds, compare_row *rows);
int compare_mxv(const compare_input *in, int rounds, compare_row *rows);
int compare_bfs(const compare_input *in, int rounds, compare_row *rows);
int compare_triangles(const compare_input *in, int rounds, compare_row *rows);

/* As bench_failed, of SuiteSparse's calls. */
bool compare_failed_other(GrB_Info info, const char *what);

/* Makes both sides of an operand; 0, or -1 after saying why. */
int compare_load(compare_input *in, const char *operand, bool undirected);
/* From edges I, J [n] of an n x n pattern without duplicates. */
int compare_pattern(compare_input *in, gbl_Index n, const gbl_Index *I, const gbl_Index *J,
                    gbl_Index edges);
/* The lower triangle of an undirected input, whose vertices keep their names or are called by
 * falling degree. */
int compare_lower(compare_input *L, const compare_input *in, bool by_degree);
void compare_unload(compare_input *in);

/* Takes the content of C. */
GrB_Info compare_finish(GrB_Matrix C, compare_csr *out);
void compare_drop(compare_csr *csr);

/* Whether C and other hold the same entries: FP64 within 1e-12 of each other (all terms of the
 * sums are positive), INT64 exactly. Takes the content of C; sets *nvals. */
bool compare_equal(gbl_Matrix C, const compare_csr *other, bool floats, uint64_t *nvals);
bool compare_close(double x, double y);

#endif
