/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands in for CUDA's header of this name: fragments of matrices that the lanes of a warp hold
 * together, and their products. A lane has every 32nd element, which no kernel may rely on, so
 * elements cannot be looked at. Every function is a meeting point of the warp; loads and stores are
 * checked as those of single threads are, and for the alignment that a GPU wants.
 *
 * Products are summed in the order of the inner index, each rounded to the type of the sum; what a
 * GPU does within a product is not specified.
 */
#pragma once

#include "cuda_runtime.h"

struct __half {
    uint16_t bits;
};
struct __nv_bfloat16 {
    uint16_t bits;
};

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

/* What an element is in memory and as a factor: tensor cores do not read the last 13 bits of TF32.
 */
template <class T> struct element {
    typedef T Stored;
    static T factor(T x) {
        return x;
    }
};
template <> struct element<precision::tf32> {
    typedef float Stored;
    static float factor(float x) {
        uint32_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        return __uint_as_float(bits & 0xffffe000u);
    }
};
template <> struct element<__nv_bfloat16> {
    typedef __nv_bfloat16 Stored;
    static float factor(__nv_bfloat16 x) {
        return __uint_as_float(static_cast<uint32_t>(x.bits) << 16);
    }
};
template <> struct element<__half> {
    typedef __half Stored;
    static float factor(__half x) {
        const uint32_t sign = static_cast<uint32_t>(x.bits & 0x8000u) << 16;
        const uint32_t exponent = x.bits >> 10 & 31u, rest = x.bits & 1023u;
        if (exponent == 0) { /* subnormal */
            const float value = static_cast<float>(rest) * 0x1p-24f;
            return sign != 0 ? -value : value;
        }
        const uint32_t moved = exponent == 31 ? 255u : exponent + 112u;
        return __uint_as_float(sign | moved << 23 | rest << 13);
    }
};

/* Rows and columns of a fragment of this use, M x N x K. */
template <class Use, int M, int N, int K> struct extent;
template <int M, int N, int K> struct extent<matrix_a, M, N, K> {
    enum { ROWS = M, COLUMNS = K };
};
template <int M, int N, int K> struct extent<matrix_b, M, N, K> {
    enum { ROWS = K, COLUMNS = N };
};
template <int M, int N, int K> struct extent<accumulator, M, N, K> {
    enum { ROWS = M, COLUMNS = N };
};

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
  public:
    typedef typename element<T>::Stored Stored;
    enum {
        ROWS = extent<Use, M, N, K>::ROWS,
        COLUMNS = extent<Use, M, N, K>::COLUMNS,
        EACH = ROWS * COLUMNS / 32
    };

  private:
    Stored x[EACH];
    template <class U, int A, int B, int C, class V, class L>
    friend void fill_fragment(fragment<U, A, B, C, V, L> &, typename element<V>::Stored);
    template <class U, int A, int B, int C, class V, class L, class P>
    friend void load_matrix_sync(fragment<U, A, B, C, V, L> &, P, unsigned);
    template <class P, int A, int B, int C, class V>
    friend void store_matrix_sync(P, const fragment<accumulator, A, B, C, V> &, unsigned, layout_t);
    template <int A, int B, int C, class V, class X, class L, class R>
    friend void
    mma_sync(fragment<accumulator, A, B, C, V> &, const fragment<matrix_a, A, B, C, X, L> &,
             const fragment<matrix_b, A, B, C, X, R> &, const fragment<accumulator, A, B, C, V> &);
};

static inline void meet(const char *operation, const void *mine, const void *all[32]) {
    const uint64_t *got =
        cuda_on_cpu::exchange(0xffffffffu, reinterpret_cast<uintptr_t>(mine), operation);
    for (unsigned l = 0; l < cuda_on_cpu::WARP && all != nullptr; l++)
        all[l] = reinterpret_cast<const void *>(static_cast<uintptr_t>(got[l]));
}

template <class T> static void check_place(const T *p, unsigned ldm) {
    if (reinterpret_cast<uintptr_t>(p) % 16 != 0 || ldm * sizeof(T) % 16 != 0)
        cuda_on_cpu::fail("a fragment is not aligned to 16 bytes");
}
template <class T> static void check_place(gb_shared<T> p, unsigned ldm) {
    if (p.byte() % 32 != 0 || ldm * sizeof(T) % 16 != 0)
        cuda_on_cpu::fail("a fragment at byte %zu of shared memory, rows %zu bytes apart, is not "
                          "aligned to 32 and 16 bytes",
                          p.byte(), ldm * sizeof(T));
}

template <class Use, int M, int N, int K, class T, class Layout>
void fill_fragment(fragment<Use, M, N, K, T, Layout> &to, typename element<T>::Stored value) {
    for (auto &x : to.x) x = value;
}

template <class Use, int M, int N, int K, class T, class Layout, class P>
void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &to, P from, unsigned ldm) {
    typedef fragment<Use, M, N, K, T, Layout> F;
    check_place(from, ldm);
    meet("load_matrix_sync", nullptr, nullptr);
    for (unsigned k = 0; k < F::EACH; k++) {
        const unsigned e = cuda_on_cpu_lane() + 32 * k, r = e / F::COLUMNS, c = e % F::COLUMNS;
        to.x[k] = from[std::is_same<Layout, col_major>::value ? c * ldm + r : r * ldm + c];
    }
}

template <class P, int M, int N, int K, class T>
void store_matrix_sync(P to, const fragment<accumulator, M, N, K, T> &from, unsigned ldm,
                       layout_t layout) {
    typedef fragment<accumulator, M, N, K, T> F;
    check_place(to, ldm);
    meet("store_matrix_sync", nullptr, nullptr);
    for (unsigned k = 0; k < F::EACH; k++) {
        const unsigned e = cuda_on_cpu_lane() + 32 * k, r = e / F::COLUMNS, c = e % F::COLUMNS;
        to[layout == mem_col_major ? c * ldm + r : r * ldm + c] = from.x[k];
    }
}

/* d = a * b + c; each lane sums its own elements of d from all lanes' of a and b, which stay until
 * the second meeting. */
template <int M, int N, int K, class T, class X, class L, class R>
void mma_sync(fragment<accumulator, M, N, K, T> &d, const fragment<matrix_a, M, N, K, X, L> &a,
              const fragment<matrix_b, M, N, K, X, R> &b,
              const fragment<accumulator, M, N, K, T> &c) {
    typedef fragment<matrix_a, M, N, K, X, L> A;
    typedef fragment<matrix_b, M, N, K, X, R> B;
    const void *all_a[32], *all_b[32];
    meet("mma_sync", &a, all_a);
    meet("mma_sync", &b, all_b);
    for (unsigned e = 0; e < M * N / 32; e++) {
        const unsigned at = cuda_on_cpu_lane() + 32 * e, row = at / N, column = at % N;
        T sum = c.x[e];
        for (unsigned k = 0; k < K; k++) {
            const unsigned p = row * K + k, q = k * N + column;
            const T x = element<X>::factor(static_cast<const A *>(all_a[p % 32])->x[p / 32]);
            const T y = element<X>::factor(static_cast<const B *>(all_b[q % 32])->x[q / 32]);
            const T product = x * y;
            sum += product;
        }
        d.x[e] = sum;
    }
    meet("mma_sync", nullptr, nullptr);
}

} // namespace wmma
} // namespace nvcuda
