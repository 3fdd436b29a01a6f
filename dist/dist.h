/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of gblite_dist share: the grid, layouts, agreement on errors, and moving tuples.
 *
 * Process (row, col) of the grid holds block (row, col) of each matrix. CombBLAS's grid is the same
 * with rows and columns exchanged, so that a block by rows (CSR) is what CombBLAS calls a block by
 * columns of the transposed matrix: `i` and `x` of gbl_Arrays are ir and numx of its DCSC, and only
 * the pointers differ: p has one for each row, cp those of the rows in jc.
 *
 * Failures. Between two exchanges a process may fail; gb_agree is called before the next exchange,
 * so that all of them take part in it or none. Exchanges themselves fail only as MPI does, which
 * ends the program.
 */
#pragma once

#include "combblas.h"
#include "gblite_dist.h"

struct gbl_Grid_opaque {
    MPI_Comm all;  /* rank = column * side + row, CombBLAS's order of the transposed grid */
    MPI_Comm line; /* the processes of this row of blocks; rank = column */
    MPI_Comm post; /* the processes of this column of blocks; rank = row */
    int rank, row, col, side;
    gb_CombGrid *combblas; /* owns line and post */
    gbl_DistKernels kernels;
    gbl_DistCounters counters;
};

/* `block` reads `arrays`, sorted rows, which are A's: what is sent, and what CombBLAS reads. */
struct gbl_DistMatrix_opaque {
    gbl_Grid grid;
    gbl_Type type;
    gbl_Index nrows, ncols;
    gbl_Matrix block;
    gbl_Arrays arrays;
};

struct gbl_DistVector_opaque {
    gbl_Grid grid;
    gbl_Type type;
    gbl_Index size;
    gbl_Vector piece;
};

/* -- grid.c */

/* The worst of all processes' results; its text becomes everybody's. Collective on grid->all. */
gbl_Info gb_agree(gbl_Grid grid, gbl_Info info);

typedef struct {
    gbl_Index first, size;
} gb_Range;
/* Part k of n indices in so many parts, as CombBLAS cuts them; and the part that has an index. */
gb_Range gb_part(gbl_Index n, int parts, int k);
int gb_part_of(gbl_Index i, gbl_Index n, int parts);

typedef struct {
    gbl_Type_Code code;
    size_t size;       /* 1, 2, 4 or 8 bytes */
    MPI_Datatype wire; /* that moves values of this size */
} gb_Kind;
gbl_Info gb_kind(gb_Kind *kind, gbl_Type type); /* GBL_DOMAIN_MISMATCH for the user's */
gbl_Type gb_type(gbl_Type_Code code);

void *gb_array(uint64_t count, size_t size); /* from gbl_Memory_malloc, at least one byte */
gbl_Info gb_no_memory(const char *what);

/* -- matrix.c */

gb_Range gb_rows(gbl_DistMatrix A); /* of this process's block */
gb_Range gb_cols(gbl_DistMatrix A);
/* Agrees on info, and then makes T the block of A, or else frees it. */
gbl_Info gb_agree_block(gbl_DistMatrix A, gbl_Info info, gbl_Matrix T);
/* A new block for the result of C<M> accum= ...: a copy of C where it is needed, else empty. */
gbl_Info gb_output(gbl_Matrix *block, gbl_DistMatrix C, bool needed);
/* Whether all are objects on one grid; NULL ends the list. */
gbl_Info gb_on_grid(gbl_Grid grid, const gbl_DistMatrix *objects, int n);
/* A matrix that reads rows [first, first + size) of arrays; *p is the new array of its pointers,
 * which lives as long. */
gbl_Info gb_slice(gbl_Matrix *A, uint64_t **p, gbl_Type type, gbl_Index ncols,
                  const gbl_Arrays *arrays, gb_Range rows);

/* -- vector.c */

gb_Range gb_piece(gbl_DistVector v);
gbl_Info gb_agree_piece(gbl_DistVector v, gbl_Info info, gbl_Vector piece);
gbl_Info gb_output_piece(gbl_Vector *piece, gbl_DistVector w, bool needed);

/* -- tuples.c: entries as lists */

typedef struct {
    gbl_Index *i, *j; /* [n]; j NULL: of a vector */
    void *x;          /* [n] values; NULL: all are true */
    uint64_t n;
} gb_Tuples;
void gb_tuples_free(gb_Tuples *tuples);
gbl_Info gb_tuples_of(gb_Tuples *tuples, gbl_Matrix A, gbl_Type type);
gbl_Info gb_tuples_of_vector(gb_Tuples *tuples, gbl_Vector v, gbl_Type type);
/* A new matrix, vector of the tuples; dup as in build. */
gbl_Info gb_build(gbl_Matrix *A, gbl_Type type, gbl_Index nrows, gbl_Index ncols,
                  const gb_Tuples *tuples, gbl_BinaryOp dup);
gbl_Info gb_build_vector(gbl_Vector *v, gbl_Type type, gbl_Index size, const gb_Tuples *tuples);
/* Sends tuples, whose indices are those in A, to where A has them; they come with indices inside
 * the block, by process and then in their order. `info` is what making them gave: if it failed
 * anywhere nothing is sent. Collective. */
gbl_Info gb_route(gb_Tuples *here, const gb_Tuples *tuples, gbl_DistMatrix A, gbl_Info info);

/* -- parts.c: vectors whose parts the processes of a line or post hold, one after the other */

typedef struct {
    gbl_Grid grid;
    MPI_Comm comm;
    gbl_Semiring ring; /* whose addition merges, or if NULL ... */
    gbl_Monoid monoid; /* ... this */
} gb_Exchange;
/* Part k of v goes to process k of comm; what comes is merged in the order of processes. *merged is
 * a new vector. `info` is what making v gave. */
gbl_Info gb_send_parts(gbl_Vector *merged, const gb_Exchange *exchange, gbl_Vector v,
                       gbl_Info info);
/* *whole is a new vector of `size` elements, whose parts are those of all processes of comm. */
gbl_Info gb_join_parts(gbl_Vector *whole, const gb_Exchange *exchange, gbl_Vector part,
                       gbl_Index size);
/* Process (i, j) gets the vector of process (j, i), which has `size` elements. */
gbl_Info gb_swap(gbl_Vector *got, gbl_Grid grid, gbl_Vector v, gbl_Index size);

/* -- write.c: what ends each operation */

/* C<M> accum= T, agreed on; *T is used up. info is what making T gave. Only GBL_OUTP and GBL_MASK
 * of desc count. */
gbl_Info gb_write(gbl_DistMatrix C, gbl_DistMatrix M, gbl_BinaryOp accum, gbl_Matrix *T,
                  gbl_Descriptor desc, gbl_Info info);
gbl_Info gb_write_vector(gbl_DistVector w, gbl_DistVector m, gbl_BinaryOp accum, gbl_Vector *t,
                         gbl_Descriptor desc, gbl_Info info);
/* A new descriptor with these fields of desc, which may be NULL. */
gbl_Info gb_descriptor(gbl_Descriptor *made, gbl_Descriptor desc, const gbl_Desc_Field *fields,
                       int n);
/* Whether the field has this value. */
bool gb_asks(gbl_Descriptor desc, gbl_Desc_Field field, gbl_Desc_Value value);
/* A itself, or if desc asks for it by `field` its transposed matrix, which is then *made. */
gbl_Info gb_operand(gbl_DistMatrix *operand, gbl_DistMatrix *made, gbl_DistMatrix A,
                    gbl_Descriptor desc, gbl_Desc_Field field);

/* -- entrywise.c */

bool gb_looks_at_values(gbl_IndexUnaryOp op); /* alone, and is a predefined one */

/* -- mxm.c */

/* C = A * B of these shapes, and the mask or NULL has C's. */
gbl_Info gb_check_product(gbl_DistMatrix C, gbl_DistMatrix M, gbl_DistMatrix A, gbl_DistMatrix B);

/* The type of products over a semiring that many processes can multiply with; else an error. */
gbl_Info gb_ring_type(gbl_Type *type, gbl_Semiring ring);

/* -- summa.c */

/* A block that takes part in a stage. */
typedef struct {
    gbl_Index nrows, ncols;
    gbl_Matrix matrix; /* reads arrays */
    gbl_Arrays arrays;
} gb_Block;

typedef struct gb_Summa gb_Summa;
struct gb_Summa {
    gbl_DistMatrix A, B;
    gbl_DistMatrix mask; /* or NULL */
    gbl_Semiring ring;
    gbl_Type type;       /* of products */
    gbl_Descriptor desc; /* of gbl_mxm, with the mask's flags; or NULL */
    /* Multiplies blocks into the phase's product *T, which is NULL at first. */
    gbl_Info (*multiply)(gb_Summa *s, gbl_Matrix *T, gbl_Matrix mask, const gb_Block *a,
                         const gb_Block *b);
    /* Takes a phase's product, rows `rows` of this block of A * B; NULL if it is empty. Collective;
     * what it returns is agreed on. */
    gbl_Info (*finish)(gb_Summa *s, gbl_Matrix *T, gb_Range rows);
    void *context;
    bool bounded;       /* phases also without a memory limit: the product does not stay */
    gb_CombPhase *comb; /* products of CombBLAS's kernels */
    int phases;
};
gbl_Info gb_summa(gb_Summa *s);
gbl_Info gb_summa_multiply(gb_Summa *s, gbl_Matrix *T, gbl_Matrix mask, const gb_Block *a,
                           const gb_Block *b);

/* -- phases.c: as many as the memory limit of every process wants, in s->phases */
gbl_Info gb_plan_phases(gb_Summa *s);

/* -- rows.c: sorted rows that are collected from slices */

typedef struct {
    gbl_Arrays arrays;
    uint64_t nrows, done, room; /* rows, those that are there, entries that arrays hold */
} gb_Rows;
gbl_Info gb_rows_new(gb_Rows *rows, uint64_t nrows);
void gb_rows_free(gb_Rows *rows);
/* Room for so many more entries. */
gbl_Info gb_rows_reserve(gb_Rows *rows, uint64_t more, size_t size);
/* Appends the nrows rows of T, or empty ones where T is NULL; T is emptied. */
gbl_Info gb_rows_append(gb_Rows *rows, gbl_Matrix T, uint64_t nrows, size_t size);
/* *A takes the arrays. */
gbl_Info gb_rows_to_matrix(gbl_Matrix *A, gb_Rows *rows, gbl_Type type, gbl_Index ncols);
