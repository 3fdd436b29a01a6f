/* SPDX-License-Identifier: Apache-2.0
 *
 * The outer product on the device (PB-SpGEMM, IPDPS '20, sections III and IV): what its steps
 * share.
 *
 * Every product has a place of its own from the start: products are numbered by rows of C, within a
 * row by the inner index and then as they stand in B's row. So they can be made in any order, here
 * column after column of A, without a counter that many write to, and a stable sort by column
 * leaves the products of an entry in the order of the inner index.
 *
 * A bin is what a block sorts: the rows whose products begin in the same interval of GB_CUDA_BIN /
 * 2 numbers. Only rows with more products than that make a bin that has more than GB_CUDA_BIN.
 */
#ifndef GB_CUDA_OUTER_CUH
#define GB_CUDA_OUTER_CUH

#include "cuda/rows.cuh"

struct gb_OuterCall {
    gb_Factors F;
    uint64_t entries;      /* of A's rows, which begin at Ap[0] */
    uint64_t products;     /* of all rows */
    const uint64_t *start; /* [entries + 1] number of the first product of each entry of A */
    const uint64_t *row;   /* [m + 1] of each row of C */
    /* the entries of A by columns, those of a column in any order */
    const gb_Idx *entry;  /* [entries] */
    const uint64_t *made; /* [entries + 1] products of those before, in this order */
    /* the products */
    gb_Idx *column;  /* [products] */
    void *x;         /* [products] */
    unsigned *order; /* [products] of each bin: its products as they are to be added; see below */
    uint64_t *count; /* [m] entries of each row of C */
    const gb_Off *p; /* C */
    gb_Idx *i;
    void *values;
};

/* order[q]: the place of a product in its bin; the first one of an entry of C has GB_OUTER_FIRST,
 * and one that the mask forbids GB_OUTER_FORBIDDEN instead. */
#define GB_OUTER_FIRST 0x80000000u
#define GB_OUTER_FORBIDDEN 0x40000000u
#define GB_OUTER_PLACE 0x3fffffffu

enum { GB_OUTER_HALF = GB_CUDA_BIN / 2 };
static inline uint64_t gb_outer_bins(uint64_t products) {
    return products / GB_OUTER_HALF + (products % GB_OUTER_HALF != 0);
}

/* Rows [from, to) of a bin, and its products [begin, end). */
struct gb_OuterBin {
    uint64_t from, to, begin, end;
};

/* The first row that begins at `number` or later; m where there is none. */
static __device__ __forceinline__ uint64_t gb_outer_row_at(const gb_OuterCall &c, uint64_t number) {
    uint64_t low = 0, high = c.F.m;
    while (low < high) {
        const uint64_t mid = low + (high - low) / 2;
        if (c.row[mid] < number)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static __device__ __forceinline__ gb_OuterBin gb_outer_bin(const gb_OuterCall &c, uint64_t b) {
    const uint64_t from = gb_outer_row_at(c, b * GB_OUTER_HALF);
    const uint64_t to = gb_outer_row_at(c, (b + 1) * GB_OUTER_HALF);
    return gb_OuterBin{from, to, c.row[from], c.row[to]};
}

/* The row of [from, to) that product number `number` is in. */
static __device__ __forceinline__ uint64_t gb_outer_row_of(const gb_OuterCall &c,
                                                           const gb_OuterBin &bin,
                                                           uint64_t number) {
    uint64_t low = bin.from, high = bin.to;
    while (high - low > 1) {
        const uint64_t mid = low + (high - low) / 2;
        if (c.row[mid] <= number)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* Bits for numbers below n. */
static inline __host__ __device__ int gb_outer_bits(uint64_t n) {
    int bits = 0;
    while (bits < 64 && n > (uint64_t)1 << bits) bits++;
    return bits;
}

/* The mark of a product that begins an entry of C; counts the entry. */
static __device__ __forceinline__ unsigned gb_outer_begin_entry(const gb_OuterCall &c, uint64_t row,
                                                                gb_Idx column) {
    if (!gb_allowed(c.F, (gb_Idx)row, column)) return GB_OUTER_FORBIDDEN;
    atomicAdd(reinterpret_cast<unsigned long long *>(&c.count[row]), 1ull);
    return GB_OUTER_FIRST;
}

/* outer_sort.cu: order and count, by bins. */
void gb_outer_sort(gb_Job *job, const gb_OuterCall &call);

/* outer_<type>.cu: all products; then C's values and columns from them in order. */
struct gb_OuterRun {
    void (*expand)(gb_Job *job, const gb_OuterCall &call);
    void (*compress)(gb_Job *job, const gb_OuterCall &call);
};
gb_OuterRun gb_outer_fp64(int ring); /* NULL when the ring is over another type */
gb_OuterRun gb_outer_fp32(int ring);
gb_OuterRun gb_outer_int64(int ring);
gb_OuterRun gb_outer_int32(int ring);
gb_OuterRun gb_outer_bool(int ring);

#endif
