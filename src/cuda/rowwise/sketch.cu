/* SPDX-License-Identifier: Apache-2.0
 *
 * HyperLogLog sketches of B's rows, and the sizes of C's rows from them; the encoding is in
 * core/hll.h. A warp owns a sketch, so nothing is atomic: lanes that meet the same register agree
 * on the larger code first, and one of them writes it. Long rows are divided over the warps of a
 * block, whose sketches are then united.
 */
#include "cuda/rowwise/rowwise.cuh"

extern "C" {
#include "core/hll.h"
}

enum { THREADS = 256, WARPS = THREADS / GB_WARP };
#define NO_REGISTER 0xffffffffu

/* Entries of a row above which a block does it, all warps together. */
#define LONG ((uint64_t)GB_CUDA_SHARE * GB_WARP)

/* Rows of a block's turn that are left to all of it. */
struct gb_Longs {
    gb_shared<unsigned> n;   /* [1] */
    gb_shared<gb_Idx> which; /* [WARPS] */

    __device__ __forceinline__ void begin() const {
        __syncthreads(); /* all have read the last turn's */
        if (threadIdx.x == 0) n[0] = 0u;
        __syncthreads();
    }
    __device__ __forceinline__ void add(uint64_t k) const {
        if (gb_lane() == 0) which[atomicAdd(&n[0], 1u)] = (gb_Idx)k;
    }
    __device__ __forceinline__ unsigned count() const {
        __syncthreads();
        return n[0];
    }
};

/* The sketch of entries [q, to) in steps, by a warp. */
static __device__ __forceinline__ void gb_sketch_part(const gb_Factors &F, gb_Off q, gb_Off to,
                                                      unsigned step, unsigned registers,
                                                      const gb_shared<uint8_t> &sketch) {
    const unsigned lane = gb_lane();
    for (unsigned r = lane; r < registers; r += GB_WARP) sketch[r] = 0;
    __syncwarp();
    for (; q < to; q += step) {
        unsigned reg = NO_REGISTER, code = 0;
        if (q + lane < to) {
            const uint32_t hash = gb_hll_hash(F.Bi[q + lane]);
            reg = hash & (registers - 1);
            code = gb_hll_code(hash);
        }
        const unsigned peers = __match_any_sync(GB_ALL_LANES, reg);
        const unsigned best = __reduce_max_sync(peers, code);
        const bool writes = reg != NO_REGISTER && lane == (unsigned)__ffs((int)peers) - 1;
        if (writes && best > sketch[reg]) sketch[reg] = (uint8_t)best;
        __syncwarp();
    }
}

__global__ void gb_sketch_rows(gb_Factors F, uint64_t rows, gb_Sketches S) {
    const unsigned registers = S.registers;
    GB_SHARED_ARRAY(uint8_t, all, WARPS * GB_HLL_MOST);
    GB_SHARED_ARRAY(unsigned, nlong, 1);
    GB_SHARED_ARRAY(gb_Idx, which, WARPS);
    const gb_Longs longs = {nlong + 0, which + 0};
    const unsigned warp = threadIdx.x / GB_WARP, lane = gb_lane();
    const gb_shared<uint8_t> sketch = all + warp * GB_HLL_MOST;
    for (uint64_t base = (uint64_t)blockIdx.x * WARPS; base < rows;
         base += (uint64_t)gridDim.x * WARPS) {
        const uint64_t k = base + warp;
        const gb_Off from = k < rows ? F.Bp[k] : 0, to = k < rows ? F.Bp[k + 1] : 0;
        longs.begin();
        if (to - from > LONG) {
            longs.add(k);
        } else if (k < rows) {
            gb_sketch_part(F, from, to, GB_WARP, registers, sketch);
            for (unsigned r = lane; r < registers; r += GB_WARP)
                S.byte[k * registers + r] = sketch[r];
        }
        const unsigned n = longs.count();
        for (unsigned h = 0; h < n; h++) {
            const uint64_t row = which[h];
            gb_sketch_part(F, F.Bp[row] + warp * GB_WARP, F.Bp[row + 1], THREADS, registers,
                           sketch);
            __syncthreads();
            for (unsigned r = threadIdx.x; r < registers; r += THREADS) {
                uint8_t best = 0;
                for (unsigned w = 0; w < WARPS; w++) {
                    const uint8_t code = all[w * GB_HLL_MOST + r];
                    if (code > best) best = code;
                }
                S.byte[row * registers + r] = best;
            }
            __syncthreads();
        }
    }
}

void gb_sketch_make(gb_Job *job, const gb_Factors &F, uint64_t rows, const gb_Sketches &S) {
    GB_START(job, gb_sketch_rows, gb_grid(rows, WARPS), THREADS, 0, F, rows, S);
}

/* The union of the sketches of entries [p, to) of A, by a warp: `parts` warps divide them. A lane
 * holds four registers; as many sketches are read side by side as fit in a warp. */
static __device__ unsigned gb_union_part(const gb_Factors &F, const gb_Sketches &S, gb_Off p,
                                         gb_Off to, unsigned parts) {
    const unsigned words = S.registers / 4, lane = gb_lane(), word = lane % words;
    unsigned codes = 0;
    for (p += lane / words; p < to; p += parts * (GB_WARP / words)) {
        const unsigned *sketch =
            reinterpret_cast<const unsigned *>(S.byte + F.Ai[p] * (uint64_t)S.registers);
        codes = __vmaxu4(codes, sketch[word]);
    }
    for (unsigned with = GB_WARP / 2; with >= words; with /= 2)
        codes = __vmaxu4(codes, __shfl_xor_sync(GB_ALL_LANES, codes, (int)with));
    return codes;
}

/* The expected entries of a row of C with this sketch; all lanes get them. */
static __device__ double gb_size_of_codes(unsigned codes, unsigned registers) {
    double sum = 0.0;
    unsigned unused = 0;
    for (unsigned b = 0; b < 32 && gb_lane() < registers / 4; b += 8) {
        const unsigned code = codes >> b & 255u;
        sum += (double)__uint_as_float(gb_hll_bits(code));
        unused += code == 0;
    }
    return gb_hll_size(gb_warp_sum(sum), gb_warp_sum(unused), registers);
}

/* Calls tell(k, expected entries of row row_of(k) of C) for k < count, by one lane each: a warp a
 * row, or, where A's row is long, a block. */
template <class RowOf, class Tell>
static __device__ __forceinline__ void gb_each_size(const gb_Factors &F, const gb_Sketches &S,
                                                    uint64_t count, RowOf row_of, Tell tell) {
    GB_SHARED_ARRAY(unsigned, parts, WARPS *GB_WARP);
    GB_SHARED_ARRAY(unsigned, nlong, 1);
    GB_SHARED_ARRAY(gb_Idx, which, WARPS);
    const gb_Longs longs = {nlong + 0, which + 0};
    const unsigned warp = threadIdx.x / GB_WARP, lane = gb_lane();
    const unsigned per = GB_WARP / (S.registers / 4); /* sketches that a warp reads at once */
    for (uint64_t base = (uint64_t)blockIdx.x * WARPS; base < count;
         base += (uint64_t)gridDim.x * WARPS) {
        const uint64_t k = base + warp;
        const uint64_t row = k < count ? row_of(k) : 0;
        const gb_Off from = F.Ap[row], to = F.Ap[row + 1];
        longs.begin();
        if (k < count && to - from > LONG) {
            longs.add(k);
        } else if (k < count) {
            const double size = gb_size_of_codes(gb_union_part(F, S, from, to, 1), S.registers);
            if (lane == 0) tell(k, row, size);
        }
        const unsigned n = longs.count();
        for (unsigned h = 0; h < n; h++) {
            const uint64_t long_k = which[h], long_row = row_of(long_k);
            parts[threadIdx.x] =
                gb_union_part(F, S, F.Ap[long_row] + warp * per, F.Ap[long_row + 1], WARPS);
            __syncthreads();
            if (warp == 0) {
                unsigned codes = 0;
                for (unsigned w = 0; w < WARPS; w++)
                    codes = __vmaxu4(codes, parts[w * GB_WARP + lane]);
                const double size = gb_size_of_codes(codes, S.registers);
                if (lane == 0) tell(long_k, long_row, size);
            }
            __syncthreads();
        }
    }
}

__global__ void gb_sizes_of_rows(gb_Factors F, gb_RowFacts facts, const gb_Idx *longest,
                                 gb_Sketches S, uint64_t *size) {
    gb_each_size(
        F, S, F.m, [](uint64_t i) { return i; },
        [&](uint64_t, uint64_t i, double found) {
            double expected = ceil(found);
            if (expected < (double)longest[i] || facts.products[i] == longest[i])
                expected = longest[i];
            const uint64_t most = gb_upper_bound(F, facts, i);
            size[i] = expected < (double)most ? (uint64_t)expected : most;
        });
}

void gb_sketch_sizes(gb_Job *job, const gb_Factors &F, const gb_Analysed &found,
                     const gb_Sketches &S, uint64_t *size) {
    GB_START(job, gb_sizes_of_rows, gb_grid(F.m, WARPS), THREADS, 0, F, found.facts, found.longest,
             S, size);
}

/* One row from each of `count` <= m equal parts of A, the one that the host would choose. */
__global__ void gb_sample_rows(gb_Factors F, gb_RowFacts facts, gb_Sketches S, uint64_t count,
                               double *sums) {
    gb_each_size(
        F, S, count,
        [&](uint64_t s) {
            const uint64_t from = F.m * s / count, next = F.m * (s + 1) / count;
            return from + gb_hll_hash((uint32_t)s) % (next - from);
        },
        [&](uint64_t, uint64_t i, double expected) {
            atomicAdd(&sums[0], (double)facts.products[i]);
            atomicAdd(&sums[1], expected);
        });
}

void gb_sketch_sample(gb_Job *job, const gb_Factors &F, const gb_Analysed &found,
                      const gb_Sketches &S, uint64_t count, double sums[2]) {
    double *device = gb_job_zeros<double>(job, 2);
    sums[0] = sums[1] = 0.0;
    GB_START(job, gb_sample_rows, gb_grid(count, WARPS), THREADS, 0, F, found.facts, S, count,
             device);
    gb_job_read(job, sums, device, 2 * sizeof *device);
    gb_job_drop(job, device);
}
