/* SPDX-License-Identifier: Apache-2.0
 *
 * The multiplication kernel (cuSpAMM, sections 3.3 and 3.5.1). A block computes sub-matrices of C
 * at equal strides. For each it collects the k that count, as bits (the paper's bitmap) and then as
 * a list (map_offset), and multiplies in steps of 16 columns of A and 16 rows of B: while one step
 * is computed the next is loaded to registers, then stored to the other of two buffers in shared
 * memory.
 *
 * FP64, TF32, FP16 and BF16 go through tensor cores, in the hardware's order of sums. FP32 products
 * are added by ascending k without being rounded: half the instructions of the CPU's way, and bits
 * of their own, the same on every device.
 *
 * Preconditions: factors are padded with zeros to whole sub-matrices; every item has a product.
 * Cost: BDIM pairs of norms an item, 2 side^3 flops and 2 side^2 values a product.
 */
#include "cuda/prim/team.cuh"
#include "cuda/spamm/spamm.cuh"

#include <mma.h>

enum { STEP = 16 }; /* of k, in shared memory at a time */

/* -- values */

struct gb_Fp64 {
    typedef double In;
    typedef double Fragment;
    typedef double Sum;
    enum { M = 8, N = 8, K = 4 };
};
struct gb_Tf32 {
    typedef float In;
    typedef nvcuda::wmma::precision::tf32 Fragment;
    typedef float Sum;
    enum { M = 16, N = 16, K = 8 };
};
template <class T> struct gb_Bits16 {
    typedef T In;
    typedef T Fragment;
    typedef float Sum;
    enum { M = 16, N = 16, K = 16 };
};
struct gb_Fp32 {
    typedef float In;
    typedef float Sum;
};

/* -- shape of a block: `SIDE` is the side of sub-matrices */

template <class V, unsigned SIDE> struct gb_Shape {
    typedef typename V::In In;
    enum : unsigned {
        THREADS = SIDE == 16 ? 32 : 128,
        WARPS = THREADS / GB_WARP,
        SIZE = sizeof(In),
        /* rows in shared memory are 16 bytes longer, so that those below fall on other banks */
        A_LINE = STEP * SIZE + 16,
        B_LINE = SIDE * SIZE + 16,
        A_BYTES = SIDE * A_LINE,
        BUFFER = A_BYTES + STEP * B_LINE,
        C_BYTES = SIDE * SIDE * (unsigned)sizeof(typename V::Sum),
        BYTES = 2 * BUFFER > C_BYTES ? 2 * BUFFER : C_BYTES,
        PIECES = 2 * SIDE * SIZE / THREADS /* of 16 bytes, that a thread loads for a step */
    };
};

/* -- sums of a sub-matrix of C in registers */

/* By tensor cores; a warp has a square of fragments. */
template <class V, unsigned SIDE> struct gb_Sums {
    typedef gb_Shape<V, SIDE> Shape;
    typedef typename V::Fragment F;
    enum : unsigned {
        EACH = SIDE == 64 ? 32 : 16, /* the side of a warp's square */
        ACROSS = SIDE / EACH,
        DOWN_M = EACH / V::M,
        ACROSS_N = EACH / V::N
    };
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, V::M, V::N, V::K, typename V::Sum>
        sum[DOWN_M][ACROSS_N];

    GB_MEMBER void clear() {
        GB_UNROLL
        for (unsigned r = 0; r < DOWN_M; r++) GB_UNROLL
        for (unsigned c = 0; c < ACROSS_N; c++) nvcuda::wmma::fill_fragment(sum[r][c], 0);
    }
    GB_MEMBER void add(gb_shared<typename V::In> a, gb_shared<typename V::In> b) {
        using namespace nvcuda::wmma;
        const unsigned warp = threadIdx.x / GB_WARP;
        const unsigned la = Shape::A_LINE / Shape::SIZE, lb = Shape::B_LINE / Shape::SIZE;
        fragment<matrix_a, V::M, V::N, V::K, F, row_major> left[DOWN_M];
        fragment<matrix_b, V::M, V::N, V::K, F, row_major> right;
        GB_UNROLL
        for (unsigned k = 0; k < STEP; k += V::K) {
            GB_UNROLL
            for (unsigned r = 0; r < DOWN_M; r++)
                load_matrix_sync(left[r], &a[(warp / ACROSS * EACH + r * V::M) * la + k], la);
            GB_UNROLL
            for (unsigned c = 0; c < ACROSS_N; c++) {
                load_matrix_sync(right, &b[k * lb + warp % ACROSS * EACH + c * V::N], lb);
                GB_UNROLL
                for (unsigned r = 0; r < DOWN_M; r++)
                    mma_sync(sum[r][c], left[r], right, sum[r][c]);
            }
        }
    }
    /* To SIDE x SIDE values. */
    GB_MEMBER void store(gb_shared<typename V::Sum> to) const {
        const unsigned warp = threadIdx.x / GB_WARP;
        const unsigned row = warp / ACROSS * EACH, column = warp % ACROSS * EACH;
        GB_UNROLL
        for (unsigned r = 0; r < DOWN_M; r++) GB_UNROLL
        for (unsigned c = 0; c < ACROSS_N; c++)
            nvcuda::wmma::store_matrix_sync(&to[(row + r * V::M) * SIDE + column + c * V::N],
                                            sum[r][c], SIDE, nvcuda::wmma::mem_row_major);
    }
};

/* By threads, each with some rows and columns that lie apart. */
template <unsigned SIDE> struct gb_Sums<gb_Fp32, SIDE> {
    typedef gb_Shape<gb_Fp32, SIDE> Shape;
    enum : unsigned {
        ROWS = SIDE == 64 ? 4 : 2,
        COLUMNS = SIDE == 64 ? 8 : 4,
        ACROSS = SIDE / COLUMNS,
        DOWN = SIDE / ROWS
    };
    float sum[ROWS][COLUMNS];

    GB_MEMBER void clear() {
        GB_UNROLL
        for (unsigned r = 0; r < ROWS; r++) GB_UNROLL
        for (unsigned c = 0; c < COLUMNS; c++) sum[r][c] = 0.0f;
    }
    GB_MEMBER void add(gb_shared<float> a, gb_shared<float> b) {
        const unsigned la = Shape::A_LINE / 4, lb = Shape::B_LINE / 4;
        const unsigned row = threadIdx.x / ACROSS, column = threadIdx.x % ACROSS;
        GB_UNROLL
        for (unsigned k = 0; k < STEP; k++) {
            float right[COLUMNS];
            GB_UNROLL
            for (unsigned c = 0; c < COLUMNS; c++) right[c] = b[k * lb + column + c * ACROSS];
            GB_UNROLL
            for (unsigned r = 0; r < ROWS; r++) {
                const float left = a[(row + r * DOWN) * la + k];
                GB_UNROLL
                for (unsigned c = 0; c < COLUMNS; c++) sum[r][c] = fmaf(left, right[c], sum[r][c]);
            }
        }
    }
    GB_MEMBER void store(gb_shared<float> to) const {
        const unsigned row = threadIdx.x / ACROSS, column = threadIdx.x % ACROSS;
        GB_UNROLL
        for (unsigned r = 0; r < ROWS; r++) GB_UNROLL
        for (unsigned c = 0; c < COLUMNS; c++)
            to[(row + r * DOWN) * SIDE + column + c * ACROSS] = sum[r][c];
    }
};

/* -- steps */

struct alignas(16) gb_Bytes16 {
    uint32_t word[4];
};

/* Sub-matrices of A and of B, and which part of them a step takes. */
template <class V> struct gb_SpammStep {
    const typename V::In *a, *b; /* A(row of sub-matrices, 0), B(0, column of them) */
    uint64_t la, lb;             /* values of their rows */
    uint64_t k;                  /* the first column of A, row of B */
};

/* What this thread moves for a step, and where piece p of it is: 16 bytes of row `row` of A's or
 * B's part of the step, `at` pieces behind its begin. */
template <class V, unsigned SIDE> using gb_Pieces = gb_Bytes16[gb_Shape<V, SIDE>::PIECES];
template <class V, unsigned SIDE> struct gb_PiecePlace {
    typedef gb_Shape<V, SIDE> Shape;
    enum : unsigned { EACH = 16 / Shape::SIZE, OF_A = SIDE * STEP / EACH };
    bool is_a;
    unsigned row, at;
    GB_MEMBER explicit gb_PiecePlace(unsigned p) {
        const unsigned q = threadIdx.x + p * Shape::THREADS;
        is_a = q < OF_A;
        const unsigned wide = is_a ? STEP / EACH : SIDE / EACH, in = is_a ? q : q - OF_A;
        row = in / wide;
        at = in % wide;
    }
};
template <class V, unsigned SIDE>
GB_DEVICE void gb_load(gb_Pieces<V, SIDE> &piece, const gb_SpammStep<V> &step) {
    GB_UNROLL
    for (unsigned p = 0; p < gb_Shape<V, SIDE>::PIECES; p++) {
        const gb_PiecePlace<V, SIDE> from(p);
        const typename V::In *line = from.is_a ? step.a + from.row * step.la + step.k
                                               : step.b + (step.k + from.row) * step.lb;
        piece[p] = *reinterpret_cast<const gb_Bytes16 *>(line + from.at * from.EACH);
    }
}

template <class V, unsigned SIDE>
GB_DEVICE void gb_store(unsigned buffer, const gb_Pieces<V, SIDE> &piece) {
    typedef gb_Shape<V, SIDE> Shape;
    const gb_shared<gb_Bytes16> to =
        gb_shared_carve<gb_Bytes16>(buffer * Shape::BUFFER, Shape::BUFFER / 16);
    GB_UNROLL
    for (unsigned p = 0; p < Shape::PIECES; p++) {
        const gb_PiecePlace<V, SIDE> at(p);
        const unsigned line = at.is_a ? Shape::A_LINE / 16 : Shape::B_LINE / 16;
        to[(at.is_a ? 0 : Shape::A_BYTES / 16) + at.row * line + at.at] = piece[p];
    }
}

/* The products of a list of k. */
template <class V, unsigned SIDE>
GB_DEVICE void gb_multiply_list(gb_Sums<V, SIDE> &sums, gb_SpammStep<V> step,
                                gb_shared<uint32_t> map_offset, unsigned n) {
    typedef gb_Shape<V, SIDE> Shape;
    typedef typename V::In In;
    enum : unsigned { STEPS = SIDE / STEP };
    gb_Bytes16 piece[Shape::PIECES];
    if (n == 0) return;
    step.k = (uint64_t)map_offset[0] * SIDE;
    gb_load<V, SIDE>(piece, step);
    gb_store<V, SIDE>(0, piece);
    __syncthreads();
    for (unsigned t = 0; t < n * STEPS; t++) {
        const unsigned next = t + 1;
        if (next < n * STEPS) {
            step.k = (uint64_t)map_offset[next / STEPS] * SIDE + next % STEPS * STEP;
            gb_load<V, SIDE>(piece, step);
        }
        const unsigned at = t % 2 * Shape::BUFFER;
        sums.add(gb_shared_carve<In>(at, Shape::A_BYTES / Shape::SIZE),
                 gb_shared_carve<In>(at + Shape::A_BYTES, STEP * Shape::B_LINE / Shape::SIZE));
        if (next < n * STEPS) gb_store<V, SIDE>(next % 2, piece);
        __syncthreads();
    }
}

/* -- which k count */

/* Lists those of [from, from + GB_CUDA_SPAMM_LIST): returns how many they are. By the block. */
static __device__ unsigned gb_list_products(const gb_SpammMap &map, const gb_SpammItem &item,
                                            uint64_t from, gb_shared<uint32_t> bitmap,
                                            gb_shared<uint32_t> map_offset) {
    const unsigned warps = blockDim.x / GB_WARP, warp = threadIdx.x / GB_WARP;
    const double *a = map.anorm + item.row * map.inner, *b = map.bnorm + item.column;
    unsigned n = 0;
    for (unsigned k = 0; k < GB_CUDA_SPAMM_LIST && from + k < map.inner; k += blockDim.x) {
        const uint64_t mine = from + k + threadIdx.x;
        const bool valid =
            mine < map.inner && !gb_is_skipped(a[mine], b[mine * map.columns], map.tau);
        const unsigned bits = __ballot_sync(GB_ALL_LANES, valid);
        if (gb_lane() == 0) bitmap[warp] = bits;
        __syncthreads();
        unsigned at = n + (unsigned)__popc(bits & ((1u << gb_lane()) - 1u));
        for (unsigned w = 0; w < warps; w++) {
            const unsigned found = (unsigned)__popc(bitmap[w]);
            at += w < warp ? found : 0;
            n += found;
        }
        if (valid) map_offset[at] = (uint32_t)mine;
        __syncthreads();
    }
    return n;
}

/* -- C */

/* A sub-matrix of C from shared memory to global memory, without what is outside of C. */
template <class Sum, unsigned SIDE>
GB_DEVICE void gb_write(const gb_SpammProduct &P, const gb_SpammItem &item, gb_shared<Sum> from) {
    Sum *to = static_cast<Sum *>(P.C) + item.at;
    const uint64_t row = (uint64_t)item.row * SIDE, column = (uint64_t)item.column * SIDE;
    for (unsigned q = threadIdx.x; q < SIDE * SIDE; q += blockDim.x) {
        const unsigned r = q / SIDE, c = q % SIDE;
        if (row + r < P.height && column + c < P.width) to[(uint64_t)r * item.pitch + c] = from[q];
    }
}

template <class V, unsigned SIDE>
__global__ void __launch_bounds__(gb_Shape<V, SIDE>::THREADS) gb_multiply_items(gb_SpammProduct P) {
    GB_SHARED_ARRAY(uint32_t, map_offset, GB_CUDA_SPAMM_LIST);
    GB_SHARED_ARRAY(uint32_t, bitmap, 4);
    const uint64_t la = P.map.inner * SIDE, lb = P.map.columns * SIDE;
    GB_EACH_BLOCK(number, P.n) {
        const gb_SpammItem item = P.item[number];
        const gb_SpammStep<V> step = {
            static_cast<const typename V::In *>(P.A) + (uint64_t)item.row * SIDE * la,
            static_cast<const typename V::In *>(P.B) + (uint64_t)item.column * SIDE, la, lb, 0};
        gb_Sums<V, SIDE> sums;
        sums.clear();
        for (uint64_t k = 0; k < P.map.inner; k += GB_CUDA_SPAMM_LIST) {
            const unsigned n = gb_list_products(P.map, item, k, bitmap, map_offset);
            gb_multiply_list<V, SIDE>(sums, step, map_offset, n);
        }
        const gb_shared<typename V::Sum> tile =
            gb_shared_carve<typename V::Sum>(0, SIDE * SIDE); /* the buffers are free */
        sums.store(tile);
        __syncthreads();
        gb_write<typename V::Sum, SIDE>(P, item, tile);
        __syncthreads();
    }
}

template <class V, unsigned SIDE> static void start_items(gb_Job *job, const gb_SpammProduct &P) {
    typedef gb_Shape<V, SIDE> Shape;
    GB_START(job, (gb_multiply_items<V, SIDE>), gb_grid(P.n, GB_CUDA_SPAMM_STRIDE), Shape::THREADS,
             Shape::BYTES, P);
}

template <class V> static void start(gb_Job *job, const gb_SpammProduct &P, unsigned side) {
    if (side == 16)
        start_items<V, 16>(job, P);
    else if (side == 32)
        start_items<V, 32>(job, P);
    else
        start_items<V, 64>(job, P);
}

void gb_spamm_multiply(gb_Job *job, const gb_SpammProduct &product, gb_SpammValues values,
                       unsigned side) {
    if (values == GB_SPAMM_FP64)
        start<gb_Fp64>(job, product, side);
    else if (values == GB_SPAMM_TF32)
        start<gb_Tf32>(job, product, side);
    else if (values == GB_SPAMM_FP16)
        start<gb_Bits16<__half>>(job, product, side);
    else if (values == GB_SPAMM_BF16)
        start<gb_Bits16<__nv_bfloat16>>(job, product, side);
    else
        start<gb_Fp32>(job, product, side);
}
