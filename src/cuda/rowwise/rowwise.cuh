/* SPDX-License-Identifier: Apache-2.0
 *
 * The stages of a row-wise product, for its driver (rowwise/rowwise.cu): facts of rows, their
 * classes, values, and positions in C.
 */
#ifndef GB_CUDA_ROWWISE_ROWWISE_CUH
#define GB_CUDA_ROWWISE_ROWWISE_CUH

#include "cuda/rowwise/rows.cuh"

/* -- rowwise/classes.cu */

/* How rows find their class. */
struct gb_ClassRules {
    unsigned value_bytes;   /* of an accumulated value; 0: rows are counted */
    double capacity_factor; /* capacity of a row relative to its size; 0: its upper bound */
    double table_factor;    /* slots relative to its size */
    bool esc, hash, dense;  /* accumulators that may be used */
    bool keeps_capacity;    /* it becomes a part of the result */
    double compression;     /* products that are expected to fall on one entry, if above 1 */
};

struct gb_Classes {
    gb_Idx *order;                  /* [m] on the device: rows by class */
    uint64_t *capacity;             /* [m + 1] on the device: where each row begins */
    uint64_t begin[GB_CLASSES + 1]; /* of each class in order; rows of GB_CLASS_EMPTY come first */
    uint64_t entries;               /* sum of all rooms */
    uint64_t m;                     /* rows */
    uint64_t *device_begin;         /* begin, before it has been read */
};

/* size[i]: expected entries of row i; NULL: by the rules. What it makes belongs to the job. */
void gb_classes_make(gb_Job *job, gb_Classes *classes, const gb_Factors &F,
                     const gb_RowFacts &facts, const uint64_t *size, const gb_ClassRules &rules);
/* `begin` and `entries` to the host, and something else with them, unless it is NULL. */
void gb_classes_read(gb_Job *job, gb_Classes *classes, const gb_Reading *also);

struct gb_RowsCall {
    gb_Factors F;
    gb_RowFacts facts;
    const gb_Classes *classes;
    gb_RowsOut out;
    bool query; /* dense: look at bits before setting them */
};
typedef void (*gb_RowsRun)(gb_Job *job, const gb_RowsCall &call);

static inline gb_ClassRows gb_rows_of(const gb_RowsCall &c, int row_class) {
    const uint64_t begin = c.classes->begin[row_class];
    return gb_ClassRows{c.classes->order + begin, c.classes->begin[row_class + 1] - begin, NULL};
}

/* rowwise/numeric.typed.cu: NULL where there is no kernel for the semiring. */
GB_DECLARE_TYPED(gb_RowsRun, gb_numeric)

/* The entries that a row can have at most. */
GB_DEVICE uint64_t gb_upper_bound(const gb_Factors &F, const gb_RowFacts &facts, uint64_t row) {
    uint64_t most = facts.products[row];
    if (facts.width[row] < most) most = facts.width[row];
    if (F.mask_kind == GB_MASK_INSIDE && F.Mp[row + 1] - F.Mp[row] < most)
        most = F.Mp[row + 1] - F.Mp[row];
    return most;
}

/* -- products, each as a part of a job, to which C's arrays belong; stats are zero before */

/* rowwise/rowwise.cu. *size, unless it is NULL, is what C->nvals is yet to be read from, or empty.
 */
void gb_rowwise_multiply(gb_Job *job, const gb_DeviceMxmArgs *args, gb_DeviceCs *C,
                         gb_DeviceMxmStats *stats, gb_Reading *size);
/* rowwise/dot.cu: inner products inside a mask, B by columns; C is empty if args->fold is given.
 * own, unless NULL: in place of the semiring's kernel. */
struct gb_DotKernel;
void gb_dot_multiply(gb_Job *job, const gb_DeviceMxmArgs *args, const gb_DotKernel *own,
                     gb_DeviceCs *C);
/* tiled/product.cu: tiles of factors and mask, which stay with their copies; the product. */
void gb_tiled_prepare(gb_Job *job, const gb_DeviceMxmArgs *args);
void gb_tiled_multiply(gb_Job *job, const gb_DeviceMxmArgs *args, gb_DeviceCs *C,
                       gb_DeviceMxmStats *stats);
gb_Factors gb_factors_of(const gb_DeviceMxmArgs *args);
struct gb_RingTraits {
    size_t bytes; /* of a value; 0: there is no kernel */
    bool uses_a, uses_b, only_ones, is_truth;
};
gb_RingTraits gb_traits_of(int ring);

/* -- the other stages */

/* rowwise/analysis.cu: facts of each row of C from the lengths of B's rows. longest[m]: the longest
 * row of B in it. Belongs to the job. */
struct gb_Analysed {
    gb_RowFacts facts;
    const gb_Idx *longest;
    const unsigned long long *total; /* [1] products of all rows, on the device; ... */
    uint64_t products;               /* ... and once they have been read */
};
void gb_analyse_rows(gb_Job *job, gb_Analysed *found, const gb_Factors &F);

/* Sketches of B's rows; sizes of C's rows from them. */
struct gb_Sketches {
    uint8_t *byte;     /* [rows of B * registers] */
    unsigned *sampled; /* [rows of B / 32 + 1] bits of the rows that the sample needed */
    unsigned registers;
};
/* Products and expected entries of `count` sampled rows of A, summed. Makes the sketches, of which
 * it fills those that the sample needs. */
void gb_sketch_sample(gb_Job *job, const gb_Factors &F, const gb_Analysed &found, uint64_t rows,
                      gb_Sketches *S, uint64_t count, double sums[2]);
/* Fills the others, too. */
void gb_sketch_sizes(gb_Job *job, const gb_Factors &F, const gb_Analysed &found, uint64_t rows,
                     const gb_Sketches &S, uint64_t *size);

/* rowwise/classes.cu: size[i] = entries of row i, counted, without waiting for the device. */
void gb_count_rows(gb_Job *job, const gb_Factors &F, const gb_RowFacts &facts,
                   const gb_ClassRules &rules, uint64_t *size);

/* Shared memory of a block for the longest rows: as much as there may be. */
static inline unsigned gb_long_bytes(const gb_Job *job) {
    return job->shared >= GB_CUDA_LONG_SHARED ? GB_CUDA_LONG_SHARED : GB_CUDA_SHARED;
}

#endif
