/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries of matrices and of dense vectors as kernels see them, one thread an entry, so that long
 * rows cost no thread more: values, the row of an entry, the position of a column in a row, and
 * which entries are kept.
 *
 * An entry is kept where its bit is set, bit k % 32 of word k / 32. Words carry the number of bits
 * before them: the new position of an entry, or the entries that a row keeps, takes two loads.
 *
 * Kernels over dense vectors give a warp 32 neighbouring indices, a word of bits: lanes vote on a
 * new word, and one writes it, without atomic operations. Entries of sparse vectors may share a
 * word and set their bits by atomicOr.
 */
#ifndef GB_CUDA_ENTRIES_CUH
#define GB_CUDA_ENTRIES_CUH

#include "cuda/prim/arrays.cuh"
#include "cuda/prim/team.cuh"

/* The values of a matrix, in the order of its entries, or of a dense vector, by index. */
struct gb_Values {
    uint64_t n;
    const uint32_t *bits; /* NULL: all are set */
    const void *x;        /* NULL: no value is looked at, and all are true */
    uint64_t mask;        /* all ones, or 0 when iso */
    unsigned size;        /* bytes of a value */
    bool is_float;        /* 0 and -0 are false; see is_true */

    GB_MEMBER bool has(uint64_t k) const {
        return bits == NULL || (bits[k / GB_WARP] >> (k % GB_WARP) & 1u) != 0;
    }
    template <class T> GB_MEMBER T at(uint64_t k) const {
        return static_cast<const T *>(x)[k & mask];
    }
    GB_MEMBER bool is_true(uint64_t k) const {
        if (x == NULL) return true;
        if (size == 1) return at<uint8_t>(k) != 0;
        if (size == 2) return at<uint16_t>(k) != 0;
        if (size == 4) return at<uint32_t>(k) << (is_float ? 1 : 0) != 0;
        return at<uint64_t>(k) << (is_float ? 1 : 0) != 0;
    }
};

static inline gb_Values gb_values_of(const gb_DeviceCs *A) {
    const bool dense = A->bits != NULL;
    return gb_Values{dense ? A->nminor : A->nvals,
                     dense && A->nvals < A->nminor ? A->bits : NULL,
                     A->x,
                     A->iso ? 0 : UINT64_MAX,
                     (unsigned)A->xsize,
                     false};
}
static inline gb_Values gb_typed_values_of(const gb_DeviceCs *A, gbl_Type_Code type) {
    gb_Values made = gb_values_of(A);
    made.is_float = type == GBL_FP32_CODE || type == GBL_FP64_CODE;
    return made;
}

/* Sorted rows without values. */
struct gb_Pattern {
    const gb_Off *p; /* [m + 1] */
    const gb_Idx *i; /* [n] */
    uint64_t m, n;
};
static inline gb_Pattern gb_pattern_of(const gb_DeviceCs *A) {
    return gb_Pattern{A->p, A->i, A->nmajor, A->nvals};
}

/* The row of entry k, at or behind row `from`: steps that double, then halves. */
GB_DEVICE uint64_t gb_row_of(const gb_Pattern &A, uint64_t from, uint64_t k) {
    uint64_t step = 1, low = from; /* p[low] <= k */
    while (low + step < A.m && A.p[low + step] <= k) {
        low += step;
        step *= 2;
    }
    return gb_interval_of(A.p, low, low + step < A.m ? low + step : A.m, k); /* p[high] > k */
}

/* The first entry of a row whose column is at least j; the end if none. */
GB_DEVICE gb_Off gb_position_of(const gb_Pattern &A, uint64_t row, gb_Idx j) {
    return gb_lower_bound(A.i, A.p[row], A.p[row + 1], j);
}

/* C of A's shape, with capacity for so many entries of values of `size` bytes; the arrays are the
 * job's. */
void gb_new_matrix(gb_Job *job, const gb_DeviceCs *like, uint64_t nvals, size_t size,
                   gb_DeviceCs *C);
void gb_copy_array(gb_Job *job, void *to, const void *from, size_t bytes);
/* C = the pattern of A, a matrix or a vector, and capacity for values of `size` bytes; the arrays
 * are the job's. */
void gb_copy_pattern(gb_Job *job, const gb_DeviceCs *A, size_t size, gb_DeviceCs *C);
/* z[k] = x[position[k] & mask] for n values of `size` bytes; position NULL: k. */
void gb_gather(gb_Job *job, size_t size, const void *x, uint64_t mask, const gb_Idx *position,
               uint64_t n, void *z);

/* Bits of entries, and how many are set before each word. Word [words] does not exist, so the
 * number before the entry behind the last is read off the sums. */
struct gb_Kept {
    unsigned *word;   /* [words] */
    uint64_t *before; /* [words + 1] */
    uint64_t words;
};
/* How many are kept of the entries before k. */
GB_DEVICE uint64_t gb_kept_before(const gb_Kept &kept, uint64_t k) {
    const unsigned bits = (unsigned)(k % 32);
    if (bits == 0) return kept.before[k / 32];
    return kept.before[k / 32] + (unsigned)__popc(kept.word[k / 32] & ((1u << bits) - 1u));
}
GB_DEVICE bool gb_is_kept(const gb_Kept &kept, uint64_t k) {
    return (kept.word[k / 32] >> k % 32 & 1u) != 0;
}

/* Capacity for n bits, which all lanes of a warp then set by gb_keep, also those with k >= n; or by
 * bytes that are not 0. */
gb_Kept gb_kept_new(gb_Job *job, uint64_t n);
GB_DEVICE void gb_keep(const gb_Kept &kept, uint64_t n, uint64_t k, bool keep) {
    const unsigned word = __ballot_sync(GB_ALL_LANES, keep && k < n);
    if (gb_lane() != 0 || k >= n) return;
    kept.word[k / 32] = word;
    if (kept.before != NULL) kept.before[k / 32] = (unsigned)__popc(word);
}
void gb_kept_marked(gb_Job *job, const uint8_t *marks, uint64_t n, const gb_Kept *kept);
/* C = the entries of A that are kept, with their values or, unless it is 0, with capacity for
 * values of another size, once all bits are set. Waits for their number. A may be some rows of a
 * matrix: entries are counted from the first of them on. */
void gb_kept_take(gb_Job *job, const gb_DeviceCs *A, const gb_Kept *kept, size_t other,
                  gb_DeviceCs *C);

/* ops/columns.cu: the columns of a matrix by rows. */
struct gb_Columns {
    gb_Off *p;        /* [columns + 1] */
    gb_Idx *row;      /* [n] ascending in a column */
    gb_Idx *position; /* [n] number of the entry in the matrix by rows */
};

/* Fills the arrays. Cost: an entry is written twice, in no order, and read about four times; a
 * column of more than 256 entries is read once for each 32 * GB_CUDA_TILE_WINDOW rows. */
void gb_list_columns(gb_Job *job, const gb_Pattern &A, uint64_t columns, const gb_Columns &out);

/* row_of[k] = the row of entry k. */
void gb_entry_rows(gb_Job *job, const gb_Pattern &A, gb_Idx *row_of);

/* ops/map.cu: sets the bits of the entries for which an operator is true. */
void gb_mark_selected(gb_Job *job, const gb_DeviceMap *map, const gb_DeviceCs *A,
                      const gb_Kept *kept);
/* ops/filter.cu: what a filter leaves of C's rows, whose arrays are the job's; NULL: all. */
void gb_prune(gb_Job *job, const gb_DeviceFilter *filter, gb_DeviceCs *C);

/* -- dense vectors: a bit and a value for each index */

/* Where a mask lets entries of a vector be written. */
struct gb_VectorMask {
    gb_Values M;
    bool any, complement;

    GB_MEMBER bool allows(uint64_t k) const {
        return any || (M.has(k) && M.is_true(k)) != complement;
    }
};
static inline gb_VectorMask gb_vector_mask(const gb_DeviceMask *mask) {
    gb_VectorMask made = {{}, mask->M == NULL, mask->complement};
    if (made.any) return made;
    made.M = gb_typed_values_of(mask->M, mask->type);
    if (mask->structural) made.M.x = NULL;
    return made;
}

static inline uint64_t gb_bit_words(uint64_t n) {
    return n / GB_WARP + (n % GB_WARP != 0);
}
/* Sizes and arrays of a dense vector, which are the job's; no bit is set where `clear`. */
void gb_vector_new(gb_Job *job, gb_DeviceCs *v, uint64_t n, size_t xsize, bool clear);
/* A new one, whose bits gb_keep writes; then its entries are counted and their number is read. */
gb_Kept gb_vector_fill(gb_Job *job, gb_DeviceCs *v, uint64_t n, size_t xsize);
void gb_vector_count(gb_Job *job, gb_DeviceCs *v);
/* v->i = the indices of v's entries, by a part of the job; v is among the copies. */
void gb_vector_list(gb_Job *job, gb_DeviceCs *v);
void gb_vector_forget_list(gb_DeviceCs *v);

#endif
