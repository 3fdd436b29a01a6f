/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows by class (rowwise/classes.cu), and what a run over all of them gets.
 */
#ifndef GB_CUDA_CLASSES_CUH
#define GB_CUDA_CLASSES_CUH

#include "cuda/rowwise/rows.cuh"

/* How rows find their class. */
struct gb_ClassRules {
    unsigned value_bytes;          /* of an accumulated value; 0: rows are counted */
    double capacity_factor;        /* capacity of a row relative to its size; 0: its upper bound */
    double table_factor;           /* slots relative to its size */
    bool esc, hash, hybrid, dense; /* accumulators that may be used */
    bool keeps_capacity;           /* it becomes a part of the result */
};

struct gb_Classes {
    gb_Idx *order;                  /* [m] on the device: rows by class */
    uint64_t *capacity;             /* [m + 1] on the device: where each row begins */
    uint64_t begin[GB_CLASSES + 1]; /* of each class in order; rows of GB_CLASS_EMPTY come first */
    uint64_t entries;               /* sum of all rooms */
    uint64_t m;                     /* rows */
    uint64_t *device_begin;         /* begin, before it has been read */
};

/* size[i]: expected entries of row i; NULL: the upper bound. What it makes belongs to the job. */
void gb_classes_make(gb_Job *job, gb_Classes *classes, const gb_Factors &F,
                     const gb_RowFacts &facts, const uint64_t *size, const gb_ClassRules &rules);
/* `begin` and `entries` to the host, and something else with them, unless it is NULL. */
void gb_classes_read(gb_Job *job, gb_Classes *classes, const gb_Reading *also);
void gb_classes_drop(gb_Job *job, gb_Classes *classes);

struct gb_RowsCall {
    gb_Factors F;
    gb_RowFacts facts;
    const gb_Classes *classes;
    gb_RowsOut unsorted, sorted; /* for accumulators that give rows in no order, or in order */
    bool query;                  /* dense: look at bits before setting them */
};
typedef void (*gb_RowsRun)(gb_Job *job, const gb_RowsCall &call);

static inline gb_RowList gb_rows_of(const gb_RowsCall &c, int row_class) {
    const uint64_t begin = c.classes->begin[row_class];
    return gb_RowList{c.classes->order + begin, c.classes->begin[row_class + 1] - begin};
}

/* numeric_<type>.cu: NULL when the ring is over another type */
gb_RowsRun gb_numeric_fp64(int ring);
gb_RowsRun gb_numeric_fp32(int ring);
gb_RowsRun gb_numeric_int64(int ring);
gb_RowsRun gb_numeric_int32(int ring);
gb_RowsRun gb_numeric_bool(int ring);

/* The entries that a row can have at most. */
static __device__ __forceinline__ uint64_t gb_upper_bound(const gb_Factors &F,
                                                          const gb_RowFacts &facts, uint64_t row) {
    uint64_t most = facts.products[row];
    if (facts.width[row] < most) most = facts.width[row];
    if (F.mask_kind == GB_MASK_INSIDE && F.Mp[row + 1] - F.Mp[row] < most)
        most = F.Mp[row + 1] - F.Mp[row];
    return most;
}

#endif
