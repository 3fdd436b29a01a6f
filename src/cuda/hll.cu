/* SPDX-License-Identifier: Apache-2.0
 *
 * HyperLogLog sketches of B's rows, and the sizes of C's rows from them; the encoding is in
 * core/hll.h. A warp owns a sketch, so nothing is atomic: lanes that meet the same register agree
 * on the larger code first, and one of them writes it.
 */
#include "cuda/mxm_rowwise.cuh"

extern "C" {
#include "core/hll.h"
}

enum { THREADS = 128, WARPS = THREADS / GB_WARP };
#define NO_REGISTER 0xffffffffu

__global__ void gb_sketch_rows(gb_Factors F, uint64_t rows, gb_Sketches S) {
    const unsigned registers = S.registers;
    GB_SHARED_ARRAY(uint8_t, all, WARPS * GB_HLL_MOST);
    const unsigned warp = threadIdx.x / GB_WARP, lane = gb_lane();
    const gb_shared<uint8_t> sketch = all + warp * GB_HLL_MOST;
    for (uint64_t k = (uint64_t)blockIdx.x * WARPS + warp; k < rows;
         k += (uint64_t)gridDim.x * WARPS) {
        const gb_Off from = F.Bp[k], to = F.Bp[k + 1];
        for (unsigned r = lane; r < registers; r += GB_WARP) sketch[r] = 0;
        __syncwarp();
        for (gb_Off q = from; q < to; q += GB_WARP) {
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
        for (unsigned r = lane; r < registers; r += GB_WARP) S.byte[k * registers + r] = sketch[r];
        __syncwarp();
    }
}

void gb_sketch_make(gb_Job *job, const gb_Factors &F, uint64_t rows, const gb_Sketches &S) {
    GB_START(job, gb_sketch_rows, gb_grid(rows, WARPS), THREADS, 0, F, rows, S);
}

/* Expected entries of row i of A; all lanes get it. A lane holds four registers of the sketch; as
 * many sketches are read side by side as fit in a warp. */
static __device__ double size_of_row(const gb_Factors &F, const gb_Sketches &S, uint64_t i) {
    const unsigned registers = S.registers;
    const unsigned words = registers / 4, lane = gb_lane(), word = lane % words;
    const gb_Off to = F.Ap[i + 1];
    unsigned codes = 0;
    for (gb_Off p = F.Ap[i] + lane / words; p < to; p += GB_WARP / words) {
        const unsigned *sketch =
            reinterpret_cast<const unsigned *>(S.byte + F.Ai[p] * (uint64_t)registers);
        codes = __vmaxu4(codes, sketch[word]);
    }
    for (unsigned with = GB_WARP / 2; with >= words; with /= 2)
        codes = __vmaxu4(codes, __shfl_xor_sync(GB_ALL_LANES, codes, (int)with));
    double sum = 0.0;
    unsigned unused = 0;
    for (unsigned b = 0; b < 32 && lane < words; b += 8) {
        const unsigned code = codes >> b & 255u;
        sum += (double)__uint_as_float(gb_hll_bits(code));
        unused += code == 0;
    }
    return gb_hll_size(gb_warp_sum(sum), gb_warp_sum(unused), registers);
}

__global__ void gb_sizes_of_rows(gb_Factors F, gb_RowFacts facts, const gb_Idx *longest,
                                 gb_Sketches S, uint64_t *size) {
    const uint64_t step = (uint64_t)gridDim.x * WARPS;
    for (uint64_t i = (uint64_t)blockIdx.x * WARPS + threadIdx.x / GB_WARP; i < F.m; i += step) {
        double expected = ceil(size_of_row(F, S, i));
        if (expected < (double)longest[i] || facts.products[i] == longest[i]) expected = longest[i];
        const uint64_t most = gb_upper_bound(F, facts, i);
        if (gb_lane() == 0) size[i] = expected < (double)most ? (uint64_t)expected : most;
    }
}

void gb_sketch_sizes(gb_Job *job, const gb_Factors &F, const gb_Analysed &found,
                     const gb_Sketches &S, uint64_t *size) {
    GB_START(job, gb_sizes_of_rows, gb_grid(F.m, WARPS), THREADS, 0, F, found.facts, found.longest,
             S, size);
}

/* One row from each of `count` <= m equal parts of A, the one that the host would choose. */
__global__ void gb_sample_rows(gb_Factors F, gb_RowFacts facts, gb_Sketches S, uint64_t count,
                               double *sums) {
    const uint64_t step = (uint64_t)gridDim.x * WARPS;
    for (uint64_t s = (uint64_t)blockIdx.x * WARPS + threadIdx.x / GB_WARP; s < count; s += step) {
        const uint64_t from = F.m * s / count, next = F.m * (s + 1) / count;
        const uint64_t i = from + gb_hll_hash((uint32_t)s) % (next - from);
        const double expected = size_of_row(F, S, i);
        if (gb_lane() != 0) continue;
        atomicAdd(&sums[0], (double)facts.products[i]);
        atomicAdd(&sums[1], expected);
    }
}

void gb_sketch_sample(gb_Job *job, const gb_Factors &F, const gb_Analysed &found,
                      const gb_Sketches &S, uint64_t count, double sums[2]) {
    double *device = gb_job_new<double>(job, 2);
    sums[0] = sums[1] = 0.0;
    gb_job_zero(job, device, 2 * sizeof *device);
    GB_START(job, gb_sample_rows, gb_grid(count, WARPS), THREADS, 0, F, found.facts, S, count,
             device);
    gb_job_read(job, sums, device, 2 * sizeof *device);
    gb_job_drop(job, device);
}
