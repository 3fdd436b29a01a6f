/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts of C's rows in O(nnz(A)): products, the longest row of B, the range of columns. Four lanes
 * per row, since most rows of A are short; then a block for each long one.
 *
 * HyperLogLog sketches of B's rows, and sizes of C's rows from them; the encoding is in core/hll.h.
 * A warp owns a sketch: lanes with the same register agree on the larger code, and one writes it.
 * Long rows are divided over the warps of a block, which then unite their sketches.
 */
#include "cuda/rowwise/rowwise.cuh"

extern "C" {
#include "core/hll.h"
}

enum { THREADS = 256, LANES = 4, ROWS = THREADS / LANES, WARPS = THREADS / GB_WARP };

/* Entries of a row above which a block does it. */
#define LONG ((uint64_t)GB_CUDA_SHARE * LANES)

/* Rows of a block's iteration that all of its threads process. */
struct gb_Longs {
    gb_shared<unsigned> n;   /* [1] */
    gb_shared<gb_Idx> which; /* [rows of an iteration] */

    GB_MEMBER void begin() const {
        __syncthreads(); /* all have read the last iteration's */
        if (threadIdx.x == 0) n[0] = 0u;
        __syncthreads();
    }
    /* By one thread. */
    GB_MEMBER void add(uint64_t k) const {
        which[atomicAdd(&n[0], 1u)] = (gb_Idx)k;
    }
    GB_MEMBER unsigned count() const {
        __syncthreads();
        return n[0];
    }
};

/* Of a row of C, or of what some lanes have seen of it. */
struct gb_Seen {
    uint64_t sum;
    gb_Idx most, low, high;
};

struct gb_FactsOut {
    uint64_t *products;               /* [m] */
    gb_Idx *longest, *lowest, *width; /* [m] */
    unsigned long long *total;
};

GB_DEVICE gb_Seen gb_nothing_seen(void) {
    return gb_Seen{0, 0, GB_LAST_COLUMN, 0};
}

/* Every step-th entry of A's row from p on. */
GB_DEVICE gb_Seen gb_see(const gb_Factors &F, gb_Off p, gb_Off to, unsigned step) {
    gb_Seen s = gb_nothing_seen();
    for (; p < to; p += step) {
        const gb_Idx k = F.Ai[p];
        const gb_Off from = F.Bp[k], end = F.Bp[k + (uint64_t)1];
        if (from == end) continue;
        const gb_Idx length = (gb_Idx)(end - from), first = F.Bi[from], last = F.Bi[end - 1];
        s.sum += length;
        if (length > s.most) s.most = length;
        if (first < s.low) s.low = first;
        if (last > s.high) s.high = last;
    }
    return s;
}

/* What so many neighbouring lanes have seen together; all of them get it. */
GB_DEVICE gb_Seen gb_seen_by(gb_Seen s, int lanes) {
    for (int with = lanes / 2; with > 0; with /= 2) {
        s.sum += __shfl_xor_sync(GB_ALL_LANES, s.sum, with);
        const gb_Idx most = __shfl_xor_sync(GB_ALL_LANES, s.most, with);
        const gb_Idx low = __shfl_xor_sync(GB_ALL_LANES, s.low, with);
        const gb_Idx high = __shfl_xor_sync(GB_ALL_LANES, s.high, with);
        if (most > s.most) s.most = most;
        if (low < s.low) s.low = low;
        if (high > s.high) s.high = high;
    }
    return s;
}

/* By one thread, which gets the products. */
static __device__ uint64_t gb_store_facts(const gb_Factors &F, const gb_FactsOut &out, uint64_t i,
                                          gb_Seen s) {
    if (F.mask_kind == GB_MASK_INSIDE && F.Mp[i] < F.Mp[i + 1]) {
        const gb_Idx first = F.Mi[F.Mp[i]], last = F.Mi[F.Mp[i + 1] - 1];
        if (first > s.low) s.low = first;
        if (last < s.high) s.high = last;
    }
    out.products[i] = s.sum;
    out.longest[i] = s.most;
    out.lowest[i] = s.low;
    out.width[i] = s.sum > 0 && s.low <= s.high ? s.high - s.low + 1 : 0;
    return s.sum;
}

/* A row by the block; its first thread gets the products, others 0. */
static __device__ uint64_t gb_long_row(const gb_Factors &F, const gb_FactsOut &out, uint64_t i) {
    GB_SHARED_ARRAY(uint64_t, sum, WARPS);
    GB_SHARED_ARRAY(gb_Idx, most, WARPS);
    GB_SHARED_ARRAY(gb_Idx, low, WARPS);
    GB_SHARED_ARRAY(gb_Idx, high, WARPS);
    const gb_Seen s = gb_seen_by(gb_see(F, F.Ap[i] + threadIdx.x, F.Ap[i + 1], THREADS), GB_WARP);
    const unsigned warp = threadIdx.x / GB_WARP;
    if (gb_lane() == 0) {
        sum[warp] = s.sum;
        most[warp] = s.most;
        low[warp] = s.low;
        high[warp] = s.high;
    }
    __syncthreads();
    uint64_t products = 0;
    if (warp == 0) {
        const unsigned w = threadIdx.x;
        gb_Seen part = gb_nothing_seen();
        if (w < WARPS) part = gb_Seen{sum[w], most[w], low[w], high[w]};
        const gb_Seen all = gb_seen_by(part, GB_WARP);
        if (w == 0) products = gb_store_facts(F, out, i, all);
    }
    __syncthreads(); /* the arrays may be used again */
    return products;
}

__global__ void gb_row_facts(gb_Factors F, gb_FactsOut out) {
    GB_SHARED_ARRAY(unsigned, nlong, 1);
    GB_SHARED_ARRAY(gb_Idx, which, ROWS);
    const gb_Longs longs = {nlong + 0, which + 0};
    const unsigned lane = threadIdx.x % LANES;
    uint64_t sum = 0;
    for (uint64_t base = (uint64_t)blockIdx.x * ROWS; base < F.m;
         base += (uint64_t)gridDim.x * ROWS) {
        const uint64_t i = base + threadIdx.x / LANES;
        const gb_Off from = i < F.m ? F.Ap[i] : 0, to = i < F.m ? F.Ap[i + 1] : 0;
        const bool is_long = to - from > LONG;
        longs.begin();
        const gb_Seen s = gb_seen_by(gb_see(F, is_long ? to : from + lane, to, LANES), LANES);
        if (lane == 0 && is_long) longs.add(i);
        if (lane == 0 && i < F.m && !is_long) sum += gb_store_facts(F, out, i, s);
        const unsigned n = longs.count();
        for (unsigned h = 0; h < n; h++) sum += gb_long_row(F, out, which[h]);
    }
    gb_block_add(out.total, sum);
}

void gb_analyse_rows(gb_Job *job, gb_Analysed *found, const gb_Factors &F) {
    const gb_FactsOut out = {gb_job_scratch<uint64_t>(job, F.m), gb_job_scratch<gb_Idx>(job, F.m),
                             gb_job_scratch<gb_Idx>(job, F.m), gb_job_scratch<gb_Idx>(job, F.m),
                             gb_job_zeros<unsigned long long>(job, 1)};
    GB_START(job, gb_row_facts, gb_grid(F.m, ROWS), THREADS, 0, F, out);
    found->facts = gb_RowFacts{out.products, out.lowest, out.width};
    found->longest = out.longest;
    found->total = out.total;
}

/* -- sketches */

#define NO_REGISTER 0xffffffffu

/* Entries of a row above which a block does it, all warps together. */
#define SKETCHED_LONG ((uint64_t)GB_CUDA_SHARE * GB_WARP)

/* The sketch of entries [q, to) in steps, by a warp. */
GB_DEVICE void gb_sketch_part(const gb_Factors &F, gb_Off q, gb_Off to, unsigned step,
                              unsigned registers, const gb_shared<uint8_t> &sketch) {
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

/* Whether row k of B has a sketch already. */
GB_DEVICE bool gb_is_sketched(const gb_Sketches &S, uint64_t k) {
    return (S.sampled[k / 32] >> k % 32 & 1) != 0;
}

/* The rows of B that sampled rows need, or all others. */
__global__ void gb_sketch_rows(gb_Factors F, uint64_t rows, gb_Sketches S, bool sampled) {
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
        const bool has = k < rows && gb_is_sketched(S, k) == sampled;
        const gb_Off from = has ? F.Bp[k] : 0, to = has ? F.Bp[k + 1] : 0;
        longs.begin();
        if (to - from > SKETCHED_LONG) {
            if (lane == 0) longs.add(k);
        } else if (has) {
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

/* Calls report(k, expected entries of row row_of(k) of C) for k < count, by one lane each: a warp a
 * row, or, where A's row is long, a block. */
template <class RowOf, class Report>
GB_DEVICE void gb_each_size(const gb_Factors &F, const gb_Sketches &S, uint64_t count, RowOf row_of,
                            Report report) {
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
        if (k < count && to - from > SKETCHED_LONG) {
            if (lane == 0) longs.add(k);
        } else if (k < count) {
            const double size = gb_size_of_codes(gb_union_part(F, S, from, to, 1), S.registers);
            if (lane == 0) report(k, row, size);
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
                if (lane == 0) report(long_k, long_row, size);
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

void gb_sketch_sizes(gb_Job *job, const gb_Factors &F, const gb_Analysed &found, uint64_t rows,
                     const gb_Sketches &S, uint64_t *size) {
    GB_START_WARPS(job, rows, gb_sketch_rows, F, rows, S, false);
    GB_START_WARPS(job, F.m, gb_sizes_of_rows, F, found.facts, found.longest, S, size);
}

/* One row from each of `count` <= m equal parts of A, the one that the host would choose. */
GB_DEVICE uint64_t gb_sampled_row(uint64_t m, uint64_t s, uint64_t count) {
    const uint64_t from = m * s / count, next = m * (s + 1) / count;
    return from + gb_hll_hash((uint32_t)s) % (next - from);
}

/* Sets the bits of the rows of B that they need; a warp a row. */
__global__ void gb_mark_sampled(gb_Factors F, uint64_t count, unsigned *sampled) {
    GB_EACH_TEAM(s, count, GB_WARP) {
        const uint64_t i = gb_sampled_row(F.m, s, count);
        for (gb_Off p = F.Ap[i] + gb_lane(); p < F.Ap[i + 1]; p += GB_WARP) {
            const gb_Idx k = F.Ai[p];
            if (!(gb_peek(&sampled[k / 32]) >> k % 32 & 1))
                atomicOr(&sampled[k / 32], 1u << k % 32);
        }
    }
}

__global__ void gb_sample_rows(gb_Factors F, gb_RowFacts facts, gb_Sketches S, uint64_t count,
                               double *sums) {
    gb_each_size(
        F, S, count, [&](uint64_t s) { return gb_sampled_row(F.m, s, count); },
        [&](uint64_t, uint64_t i, double expected) {
            atomicAdd(&sums[0], (double)facts.products[i]);
            atomicAdd(&sums[1], expected);
        });
}

void gb_sketch_sample(gb_Job *job, const gb_Factors &F, const gb_Analysed &found, uint64_t rows,
                      gb_Sketches *S, uint64_t count, double sums[2]) {
    double *device = gb_job_zeros<double>(job, 2);
    sums[0] = sums[1] = 0.0;
    S->byte = (uint8_t *)gb_job_bytes(job, rows, S->registers);
    S->sampled = gb_job_zeros<unsigned>(job, rows / 32 + 1);
    GB_START_WARPS(job, count, gb_mark_sampled, F, count, S->sampled);
    GB_START_WARPS(job, rows, gb_sketch_rows, F, rows, *S, true);
    GB_START_WARPS(job, count, gb_sample_rows, F, found.facts, *S, count, device);
    gb_job_read(job, sums, device, 2 * sizeof *device);
    gb_job_drop(job, device);
}
