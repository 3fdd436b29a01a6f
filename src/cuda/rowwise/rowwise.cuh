/* SPDX-License-Identifier: Apache-2.0
 *
 * The stages of a row-wise product, for its driver (rowwise/rowwise.cu).
 */
#ifndef GB_CUDA_MXM_ROWWISE_CUH
#define GB_CUDA_MXM_ROWWISE_CUH

#include "cuda/rowwise/classes.cuh"

/* rowwise/rowwise.cu: a product by rows as a part of a job, to which C's arrays belong. Everything
 * else that it took is freed. */
void gb_rowwise_multiply(gb_Job *job, const gb_DeviceMxmArgs *args, gb_DeviceCs *C,
                         gb_DeviceMxmStats *stats);
/* The same inside a mask as inner products (rowwise/dot.cu), B by columns; nothing is in C when
 * args->fold is given. */
void gb_dot_multiply(gb_Job *job, const gb_DeviceMxmArgs *args, gb_DeviceCs *C,
                     gb_DeviceMxmStats *stats);
gb_Factors gb_factors_of(const gb_DeviceMxmArgs *args);
size_t gb_bytes_of_ring(int ring); /* of a value; 0: there is no kernel */

/* rowwise/analysis.cu: what the lengths of B's rows say of each row of C. longest[m]: the longest
 * row of B in it. Belongs to the job. */
struct gb_Analysed {
    gb_RowFacts facts;
    const gb_Idx *longest;
    const unsigned long long *total; /* [1] products of all rows, on the device; ... */
    uint64_t products;               /* ... and once they have been read */
};
void gb_analyse_rows(gb_Job *job, gb_Analysed *found, const gb_Factors &F);

/* rowwise/sketch.cu: sketches of B's rows; sizes of C's rows from them. */
struct gb_Sketches {
    uint8_t *byte; /* [rows of B * registers] */
    unsigned registers;
};
void gb_sketch_make(gb_Job *job, const gb_Factors &F, uint64_t rows, const gb_Sketches &S);
/* Products and expected entries of `count` sampled rows of A, summed. */
void gb_sketch_sample(gb_Job *job, const gb_Factors &F, const gb_Analysed &found,
                      const gb_Sketches &S, uint64_t count, double sums[2]);
void gb_sketch_sizes(gb_Job *job, const gb_Factors &F, const gb_Analysed &found,
                     const gb_Sketches &S, uint64_t *size);

/* rowwise/symbolic.cu: size[i] = entries of row i, counted; `compression` products are expected to
 * fall on one entry (1 when that is not known). Returns the rows that were counted twice. */
uint64_t gb_count_rows(gb_Job *job, const gb_Factors &F, const gb_RowFacts &facts,
                       double compression, const gb_ClassRules &rules, uint64_t *size);

/* rowwise/place.cu: rows of a list to their places p[row] of C, sorted by column. */
struct gb_Placement {
    gb_RowList list;
    gb_RowsOut from; /* where they are, and how long */
    gb_RowFacts facts;
    const gb_Off *p; /* where they go */
    gb_Idx *i;
    void *x;
    size_t xsize;
};
void gb_copy_rows(gb_Job *job, const gb_Placement &place, bool are_short);
/* row_class: of the list; it bounds the length of the rows */
size_t gb_longest_sort_bytes(void); /* shared memory that rows of GB_CLASS_HYBRID need */
void gb_sort_rows(gb_Job *job, const gb_Placement &place, int row_class);

#endif
