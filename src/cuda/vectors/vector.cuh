/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors as kernels see them: a bit for each place that an entry may have, a value at each place.
 * Kernels over places give a warp 32 neighbouring ones, a word of bits: lanes agree on a new word
 * by a vote, and one writes it, so that bits need no atomic operations. Those of lists, several of
 * which may share a word, are set by atomicOr; entries are counted by an addition for each warp.
 */
#ifndef GB_CUDA_CELLS_CUH
#define GB_CUDA_CELLS_CUH

#include "cuda/device/job.cuh"
#include "cuda/prim/warp.cuh"

enum { GB_CELL_THREADS = 256, GB_CELL_WARPS = GB_CELL_THREADS / GB_WARP };

struct gb_Cells {
    uint64_t n;
    const uint32_t *bits; /* NULL: all are there */
    const void *x;

    __device__ __forceinline__ bool has(uint64_t k) const {
        return bits == NULL || (bits[k / GB_WARP] >> (k % GB_WARP) & 1u) != 0;
    }
};

static inline uint64_t gb_cell_words(uint64_t n) {
    return n / GB_WARP + (n % GB_WARP != 0);
}
static inline gb_Cells gb_cells_of(const gb_DeviceCs *v) {
    return gb_Cells{v->nminor, v->nvals == v->nminor ? NULL : v->bits, v->x};
}

/* Where a mask lets entries be written. */
struct gb_CellMask {
    gb_Cells M; /* x NULL: structural */
    bool any, complement;
    unsigned size; /* bytes of a value of M */
    bool has_sign; /* floats: 0 and -0 are false */

    /* The value at k is not zero. */
    __device__ __forceinline__ bool is_true(uint64_t k) const {
        switch (size) {
        case 1:
            return static_cast<const uint8_t *>(M.x)[k] != 0;
        case 2:
            return static_cast<const uint16_t *>(M.x)[k] != 0;
        case 4:
            return static_cast<const uint32_t *>(M.x)[k] << (has_sign ? 1 : 0) != 0;
        default:
            return static_cast<const uint64_t *>(M.x)[k] << (has_sign ? 1 : 0) != 0;
        }
    }
    __device__ __forceinline__ bool lets(uint64_t k) const {
        if (any) return true;
        return (M.has(k) && (M.x == NULL || is_true(k))) != complement;
    }
};

static inline gb_CellMask gb_cell_mask(const gb_DeviceMask *mask) {
    gb_CellMask made;
    memset(&made, 0, sizeof made);
    made.any = mask->M == NULL;
    if (made.any) return made;
    made.M = gb_cells_of(mask->M);
    if (mask->structural) made.M.x = NULL;
    made.complement = mask->complement;
    made.size = (unsigned)mask->M->xsize;
    made.has_sign = mask->type == GBL_FP32_CODE || mask->type == GBL_FP64_CODE;
    return made;
}

/* *total += the counts of all warps' first lanes. */
static __device__ __forceinline__ void gb_count_cells(unsigned long long *total, uint64_t counted) {
    if (gb_lane() == 0 && counted > 0) atomicAdd(total, (unsigned long long)counted);
}

/* vectors/vector.cu: v's entries are listed (v->i), by a part of the job; v is among the copies. */
void gb_cells_list(gb_Job *job, gb_DeviceCs *v);
void gb_cells_forget_list(gb_DeviceCs *v);

/* vectors/map.cu: what apply, select, merge and copy of the device do for vectors. */
gbl_Info gb_cells_apply(const gb_DeviceMap *map, const gb_DeviceCs *A, gb_DeviceCs **T);
gbl_Info gb_cells_select(const gb_DeviceMap *map, const gb_DeviceCs *A, gb_DeviceCs **T);
gbl_Info gb_cells_merge(const gb_DeviceMerge *args, gb_DeviceCs **T);
gbl_Info gb_cells_copy(const gb_DeviceCs *A, gb_DeviceCs **T);

/* Arrays of a vector of n places, which are the job's; no bit is set where `clear`. */
void gb_cells_new(gb_Job *job, gb_DeviceCs *v, uint64_t n, size_t xsize, bool clear);
/* *C = the bits of A; it has no values yet. */
void gb_cells_copy_pattern(gb_Job *job, const gb_DeviceCs *A, gb_DeviceCs *C);

#endif
