/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/vector: the method VECTOR, its ten variants. Plus-times on FP64. The parts:
 *   main.c     its parts
 *   race.c     A*A of short rows by every variant, ROWWISE, OUTER and SuiteSparse, random values
 *   counts.c   vector instructions of every variant on the paper's matrices, and speed-ups over SPA
 *              that follow from them, beside those that the paper measured (table1.c)
 *   sweeps.c   the same for rows of Z entries and for parameters of the variants (figures 3 to 5)
 *   input.c    the matrices: files, or random ones with the paper's n, nnz and variance
 *   counts_inside.c  runs the kernels that count (counter.h)
 */
#ifndef VECTOR_H
#define VECTOR_H

#include "harness/parts.h"
#include "vector/counter.h"

enum { VECTOR_VARIANTS = 10, VECTOR_ROWS = 40 };

typedef struct {
    const char *name;
    gbl_Desc_Value value;
} vector_variant;
extern const vector_variant vector_variants[VECTOR_VARIANTS];

/* A row of table 1: what columns of the matrix have, and speed-ups over SPA by variant. */
typedef struct {
    const char *name;
    uint32_t n, nnz, least, most; /* entries of a column */
    double variance, speedup[VECTOR_VARIANTS];
} vector_row;
extern const vector_row vector_table[VECTOR_ROWS];

/* A square matrix by columns, which the kernels take for rows. */
typedef struct {
    uint32_t n;
    uint64_t *p; /* [n + 1] */
    uint32_t *i;
    double *x;
} vector_matrix;
/* 0, or -1 after saying why; freed in either case. */
int vector_load(vector_matrix *m, const char *path);
int vector_random(vector_matrix *m, const vector_row *like);
void vector_matrix_free(vector_matrix *m);

/* What a variant does; parameters of 0 are the variant's. */
typedef struct {
    gbl_Desc_Value variant;
    int32_t least, most, below;
} vector_setting;

/* Counts the product of the matrix with itself into vector_counts. */
gbl_Info vector_count(const vector_matrix *m, const vector_setting *s);
/* Cycles of the counted instructions on vectors of vector_lengths[length]. */
double vector_cycles(const vector_counter *c, int length);

int vector_race(cJSON *object, const char *operand, const bench_setup *setup);
int vector_counts_of(cJSON *object, const char *operand, const bench_setup *setup);
int vector_sweeps(cJSON *object, const char *operand, const bench_setup *setup);

#endif
