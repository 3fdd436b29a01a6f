/* SPDX-License-Identifier: Apache-2.0
 *
 * Semirings on the device: one struct gb_ring_<name> per block of semiring/foreach.h, made from the
 * same definitions as the kernels of the host, and the atomic (+) of its values.
 *
 * Sums: the order of (+) over one entry of C is not fixed, since many threads add to it at once. It
 * does not matter but for PLUS of floats, whose last bits may differ from run to run.
 *
 * Accumulators hold a gb_Store<Ring>::Type: the value itself; a word where it is a byte; its bits
 * where (+) goes by compare-and-swap, because NaN is not equal to itself.
 */
#ifndef GB_CUDA_RINGS_CUH
#define GB_CUDA_RINGS_CUH

#include "cuda/prim/warp.cuh"

extern "C" {
#include "semiring/ids.h"
}

#define SR_TEMPLATE "cuda/prim/semiring.tmpl.cuh"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

/* The monoid of a ring, by its operator's code. */
template <class Ring> struct gb_AddOf;
#define GB_ADD_OF(name, add, multiply, type)                                                       \
    template <> struct gb_AddOf<gb_ring_##name> {                                                  \
        enum { CODE = GB_##add };                                                                  \
    };
GB_FOREACH_RING(GB_ADD_OF)
#undef GB_ADD_OF

/* How atomic operations know a type of that size. */
template <class T> struct gb_Word { typedef T Type; };
template <> struct gb_Word<uint8_t> { typedef unsigned Type; };
template <> struct gb_Word<uint64_t> { typedef unsigned long long Type; };
template <> struct gb_Word<int64_t> {
    typedef unsigned long long Type; /* compare-and-swap knows no other */
};
/* The bits of ordered floats. */
template <class T, bool FLOAT_BITS> struct gb_Stored {
    typedef typename gb_Word<T>::Type Type;
    static __device__ __forceinline__ Type pack(T value) {
        return (Type)value;
    }
    static __device__ __forceinline__ T unpack(Type bits) {
        return (T)bits;
    }
};
template <class T, class Bits> struct gb_StoredBits {
    typedef Bits Type;
    static __device__ __forceinline__ Type pack(T value) {
        Type bits;
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    static __device__ __forceinline__ T unpack(Type bits) {
        T value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
};
template <> struct gb_Stored<double, true> : gb_StoredBits<double, unsigned long long> {};
template <> struct gb_Stored<float, true> : gb_StoredBits<float, unsigned> {};
template <class Ring>
struct gb_Store : gb_Stored<typename Ring::Value, (int)gb_AddOf<Ring>::CODE == (int)GB_MIN ||
                                                      (int)gb_AddOf<Ring>::CODE == (int)GB_MAX> {};

/* *at = *at (+) value, whoever else does the same; Code is the monoid. */
template <class Ring, int CODE> struct gb_Join {
    template <class P>
    static __device__ __forceinline__ void join(P at, typename gb_Store<Ring>::Type value) {
        typedef typename gb_Store<Ring>::Type Type;
        Type old = gb_peek(at);
        for (;;) {
            const Type sum = gb_Store<Ring>::pack(
                Ring::add(gb_Store<Ring>::unpack(old), gb_Store<Ring>::unpack(value)));
            if (sum == old) return;
            const Type seen = atomicCAS(at, old, sum);
            if (seen == old) return;
            old = seen;
        }
    }
};
template <class Ring> struct gb_Join<Ring, GB_PLUS> {
    template <class P>
    static __device__ __forceinline__ void join(P at, typename gb_Store<Ring>::Type value) {
        atomicAdd(at, value);
    }
};
template <class Ring> struct gb_Join<Ring, GB_LOR> {
    template <class P>
    static __device__ __forceinline__ void join(P at, typename gb_Store<Ring>::Type value) {
        atomicOr(at, value);
    }
};
template <class Ring> struct gb_Join<Ring, GB_ANY> {
    template <class P>
    static __device__ __forceinline__ void join(P at, typename gb_Store<Ring>::Type value) {
        gb_poke(at, value);
    }
};
template <class Ring, class P>
static __device__ __forceinline__ void gb_join(P at, typename gb_Store<Ring>::Type value) {
    gb_Join<Ring, (int)gb_AddOf<Ring>::CODE>::join(at, value);
}

#endif
