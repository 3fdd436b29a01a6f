/* SPDX-License-Identifier: Apache-2.0
 *
 * Norms of sub-matrices (cuSpAMM, section 3.2), what a tau keeps of them (the tuning kernel of
 * section 3.5.2), and the products of each sub-matrix of C (the valid multiplications of 3.5.1).
 *
 * Norms have the bits of matrix/norms.c, whose order of summation suits threads: 8 lanes a tile of
 * 16 x 16, a value in that of its column, and a tree over the lanes.
 */
#include "cuda/prim/team.cuh"
#include "cuda/spamm/spamm.cuh"

enum : unsigned { TILE = 16, LANES = 8, THREADS = 128, TILES = THREADS / LANES, TAU_THREADS = 256 };

/* See GB_SQUARES_LEAST of matrix/matrix.h. */
GB_DEVICE bool gb_are_plain(double squares) {
    return squares >= 1e-270 && squares <= 1e270;
}

/* A root of squares of values times 2^-power. */
static __device__ double gb_scaled_root(double squares, int power) {
    const double norm = ldexp(sqrt(squares), power);
    return norm < 2.2250738585072014e-308 ? nextafter(norm, (double)INFINITY) : norm;
}

/* The norm of value(0) .. value(n - 1) where squares overflow or vanish; by one thread. most: the
 * largest absolute value. */
template <class Value> GB_DEVICE double gb_careful_norm(unsigned n, double most, Value value) {
    double squares = 0.0;
    int power;
    frexp(most, &power);
    for (unsigned k = 0; k < n; k++) {
        const double v = ldexp(value(k), -power);
        squares += v * v;
    }
    return gb_scaled_root(squares, power);
}

/* -- norms of tiles */

struct gb_Fp16 {
    uint16_t bits;
};
struct gb_Bf16 {
    uint16_t bits;
};
GB_DEVICE double gb_real(double x) {
    return x;
}
GB_DEVICE double gb_real(float x) {
    return (double)x;
}
GB_DEVICE double gb_real(gb_Bf16 x) {
    return (double)__uint_as_float((unsigned)x.bits << 16);
}
/* Without the sign, which no norm depends on; NaN counts as infinite. */
GB_DEVICE double gb_real(gb_Fp16 x) {
    const unsigned magnitude = x.bits & 0x7fffu;
    if (magnitude >= 0x7c00u) return (double)INFINITY;
    return (double)__uint_as_float(magnitude << 13) * 0x1p112;
}

/* The norm of the tile at x by 8 neighbouring lanes; the first of them gets it. All lanes of the
 * warp call. */
template <class T> static __device__ double gb_tile_norm(const T *x, uint64_t ld) {
    const unsigned lane = threadIdx.x % LANES;
    double squares = 0.0, most = 0.0;
    for (unsigned r = 0; r < TILE; r++)
        for (unsigned half = 0; half < TILE; half += LANES) {
            const double v = gb_real(x[r * ld + half + lane]);
            squares += v * v;
            most = !(fabs(v) <= most) ? fabs(v) : most; /* NaN stays */
        }
    for (unsigned with = LANES / 2; with > 0; with /= 2) {
        squares += __shfl_xor_sync(GB_ALL_LANES, squares, (int)with);
        const double other = __shfl_xor_sync(GB_ALL_LANES, most, (int)with);
        most = !(other <= most) ? other : most;
    }
    if (gb_are_plain(squares)) return sqrt(squares);
    if (!(most < (double)INFINITY)) return (double)INFINITY;
    if (lane > 0 || most == 0.0) return 0.0;
    return gb_careful_norm(TILE * TILE, most,
                           [&](unsigned k) { return gb_real(x[k / TILE * ld + k % TILE]); });
}

/* The norm of what `n` norms are those of, as gb_norms_join. */
static __device__ double gb_join(gb_shared<double> norm, unsigned n) {
    double squares = 0.0, most = 0.0;
    for (unsigned k = 0; k < n; k++) squares += (double)norm[k] * (double)norm[k];
    if (gb_are_plain(squares)) return sqrt(squares);
    for (unsigned k = 0; k < n; k++) most = !((double)norm[k] <= most) ? (double)norm[k] : most;
    if (most == 0.0 || !(most < (double)INFINITY)) return most;
    return gb_careful_norm(n, most, [&](unsigned k) { return (double)norm[k]; });
}

/* Tile `t` of those of a block: a block does TILES / across^2 adjacent sub-matrices of a row. */
struct gb_TilePosition {
    uint64_t row, column; /* of tiles */
    bool exists;
};
GB_DEVICE gb_TilePosition gb_tile_place(const gb_SpammNormed &what, unsigned across, uint64_t step,
                                        unsigned t) {
    const unsigned each = across * across;
    const uint64_t wide = (what.columns + TILES / each - 1) / (TILES / each);
    const uint64_t I = what.from + step / wide, J = step % wide * (TILES / each) + t / each;
    return gb_TilePosition{I * across + t % each / across, J * across + t % across,
                           J < what.columns};
}

/* By the block, after the norms of its tiles. */
GB_DEVICE void gb_store_norms(const gb_SpammNormed &what, unsigned across, uint64_t step,
                              gb_shared<double> norm) {
    const unsigned each = across * across;
    __syncthreads();
    if (threadIdx.x < TILES / each) {
        const gb_TilePosition at = gb_tile_place(what, across, step, threadIdx.x * each);
        if (at.exists)
            what.norm[at.row / across * what.columns + at.column / across] =
                gb_join(norm + threadIdx.x * each, each);
    }
    __syncthreads();
}

GB_HOST_DEVICE uint64_t gb_norm_steps(const gb_SpammNormed &what, unsigned across) {
    const unsigned at_once = TILES / (across * across);
    return (what.to - what.from) * ((what.columns + at_once - 1) / at_once);
}

template <class T>
__global__ void __launch_bounds__(THREADS) gb_get_norms(gb_SpammNormed what, unsigned across) {
    GB_SHARED_ARRAY(double, norm, TILES);
    const unsigned t = threadIdx.x / LANES;
    const uint64_t ld = what.columns * across * TILE, steps = gb_norm_steps(what, across);
    GB_EACH_BLOCK(step, steps) {
        const gb_TilePosition at = gb_tile_place(what, across, step, t);
        /* lanes beyond the last column read the first tile: the warp stays together */
        const T *x = static_cast<const T *>(what.x) + at.row * TILE * ld;
        const double found = gb_tile_norm(at.exists ? x + at.column * TILE : x, ld);
        if (threadIdx.x % LANES == 0) norm[t] = found;
        gb_store_norms(what, across, step, norm);
    }
}

void gb_spamm_norms(gb_Job *job, const gb_SpammNormed &what, gb_SpammValues values, unsigned side) {
    const unsigned across = side / TILE, grid = gb_grid(gb_norm_steps(what, across), 1);
    if (values == GB_SPAMM_FP64)
        GB_START(job, gb_get_norms<double>, grid, THREADS, 0, what, across);
    else if (values == GB_SPAMM_FP16)
        GB_START(job, gb_get_norms<gb_Fp16>, grid, THREADS, 0, what, across);
    else if (values == GB_SPAMM_BF16)
        GB_START(job, gb_get_norms<gb_Bf16>, grid, THREADS, 0, what, across);
    else
        GB_START(job, gb_get_norms<float>, grid, THREADS, 0, what, across);
}

/* -- what a tau keeps */

/* Of one thread, of column k of A with row k of B: what is left, and squares of what is left out,
 * times 2^-power each. */
struct gb_Outcome {
    uint64_t valid;
    double squares, most;
};

static __device__ gb_Outcome gb_outcome_of_thread(const gb_SpammMap &map, uint64_t k, int power,
                                                  gb_shared<double> a) {
    gb_Outcome outcome = {0, 0.0, 0.0};
    for (uint64_t from = 0; from < map.rows; from += TAU_THREADS) {
        const uint64_t n = map.rows - from < TAU_THREADS ? map.rows - from : (uint64_t)TAU_THREADS;
        if (threadIdx.x < n) a[threadIdx.x] = map.anorm[(from + threadIdx.x) * map.inner + k];
        __syncthreads();
        for (uint64_t j = threadIdx.x; j < map.columns; j += TAU_THREADS) {
            const double b = map.bnorm[k * map.columns + j];
            for (unsigned r = 0; r < n; r++) {
                const double left = a[r], product = left * b;
                if (!gb_is_skipped(left, b, map.tau)) {
                    outcome.valid++;
                } else if (left > 0.0 && b > 0.0) { /* one that vanishes: the least number */
                    const double p = product > 0.0 ? product : 4.9406564584124654e-324;
                    const double v = power != 0 ? ldexp(p, -power) : p;
                    outcome.squares += v * v;
                    outcome.most = p > outcome.most ? p : outcome.most;
                }
            }
        }
        __syncthreads();
    }
    return outcome;
}

/* The largest of the threads; all get it. */
static __device__ double gb_block_most(gb_shared<double> scratch, double value) {
    const double most = gb_warp_max(value);
    if (gb_lane() == 0) scratch[threadIdx.x / GB_WARP] = most;
    __syncthreads();
    double all = scratch[0];
    for (unsigned w = 1; w < blockDim.x / GB_WARP; w++)
        if ((double)scratch[w] > all) all = scratch[w];
    __syncthreads();
    return all;
}

__global__ void __launch_bounds__(TAU_THREADS) gb_try_tau(gb_SpammMap map, double *outcome) {
    GB_SHARED_ARRAY(double, a, TAU_THREADS);
    GB_SHARED_ARRAY(double, scratch, GB_WARP + 1);
    GB_SHARED_ARRAY(uint64_t, counts, GB_WARP + 1);
    GB_EACH_BLOCK(k, map.inner) {
        const gb_Outcome mine = gb_outcome_of_thread(map, k, 0, a);
        uint64_t valid;
        double squares;
        gb_block_scan<uint64_t>(counts, mine.valid, &valid);
        gb_block_scan<double>(scratch, mine.squares, &squares);
        const double most = gb_block_most(scratch, mine.most);
        double root = sqrt(squares);
        if (!gb_are_plain(squares) && most > 0.0) {
            int power;
            frexp(most, &power);
            gb_block_scan<double>(scratch, gb_outcome_of_thread(map, k, power, a).squares,
                                  &squares);
            root = gb_scaled_root(squares, power);
        }
        if (threadIdx.x == 0) {
            outcome[2 * k] = (double)valid;
            outcome[2 * k + 1] = root;
        }
    }
}

void gb_spamm_try_tau(gb_Job *job, const gb_SpammMap &map, double *outcome) {
    GB_START(job, gb_try_tau, gb_grid(map.inner, 1), TAU_THREADS, 0, map, outcome);
}

/* -- products of each sub-matrix of C */

__global__ void __launch_bounds__(TAU_THREADS)
    gb_count_products(gb_SpammMap map, uint32_t *counts) {
    const uint64_t n = map.rows * map.columns;
    GB_EACH_THREAD(c, n) {
        const double *a = map.anorm + c / map.columns * map.inner;
        const double *b = map.bnorm + c % map.columns;
        uint32_t valid = 0;
        for (uint64_t k = 0; k < map.inner; k++)
            valid += !gb_is_skipped(a[k], b[k * map.columns], map.tau);
        counts[c] = valid;
    }
}

void gb_spamm_count(gb_Job *job, const gb_SpammMap &map, uint32_t *counts) {
    GB_START(job, gb_count_products, gb_grid(map.rows * map.columns, TAU_THREADS), TAU_THREADS, 0,
             map, counts);
}
