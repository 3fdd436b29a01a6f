/* SPDX-License-Identifier: Apache-2.0
 *
 * Semirings on the device: a struct gb_ring_<name> for each block of semiring/foreach.h, made from
 * the definitions of the host's kernels, and the atomic (+) of its values. Many threads add to an
 * entry of C in no fixed order: only PLUS of floats may differ in its last bits from run to run.
 *
 * Accumulators hold a gb_Store<Ring>::Type: the value itself; a word where it is a byte; its bits
 * where (+) is a compare-and-swap, because NaN is not equal to itself.
 */
#ifndef GB_CUDA_RINGS_CUH
#define GB_CUDA_RINGS_CUH

#include "cuda/prim/team.cuh"
#include "cuda/prim/typed.cuh"

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

/* A sum in a semiring, as a functor. */
template <class Ring> struct gb_RingPlus {
    typedef typename Ring::Value Value;
    GB_MEMBER Value operator()(Value x, Value y) const {
        return Ring::add(x, y);
    }
};

/* Of<Ring>::run() of semiring number `ring`; NULL where it is not of the type GB_OF_<type>. */
template <template <class> class Of, int TYPE, class R> static R gb_find_ring(int ring) {
    switch (ring) {
#define GB_CASE(name, add, multiply, type)                                                         \
    case GB_RING_##name:                                                                           \
        if constexpr ((int)GB_OF_##type == TYPE) return Of<gb_ring_##name>::run();                 \
        break;
        GB_FOREACH_RING(GB_CASE)
#undef GB_CASE
    }
    return NULL;
}

/* Values of factors at p; those that the semiring does not look at are not loaded. */
template <class Ring> GB_DEVICE typename Ring::Value gb_left(const void *x, uint64_t p) {
    return Ring::USES_A ? static_cast<const typename Ring::Value *>(x)[p] : typename Ring::Value();
}
template <class Ring> GB_DEVICE typename Ring::Value gb_right(const void *x, uint64_t p) {
    return Ring::USES_B ? static_cast<const typename Ring::Value *>(x)[p] : typename Ring::Value();
}

/* How atomic operations know a type: as words of 32 or 64 bits, and floats as their bits where (+)
 * is a compare-and-swap. */
template <class T, bool BITS> struct gb_Word { typedef T Type; };
template <bool BITS> struct gb_Word<uint8_t, BITS> { typedef unsigned Type; };
template <bool BITS> struct gb_Word<uint64_t, BITS> { typedef unsigned long long Type; };
template <bool BITS> struct gb_Word<int64_t, BITS> { typedef unsigned long long Type; };
template <> struct gb_Word<double, true> { typedef unsigned long long Type; };
template <> struct gb_Word<float, true> { typedef unsigned Type; };

template <class Ring> struct gb_Store {
    typedef typename Ring::Value Value;
    enum { ADD = gb_AddOf<Ring>::CODE, ORDERED = (int)ADD == GB_MIN || (int)ADD == GB_MAX };
    enum { BITS = ORDERED && Value(0.5) != Value(0) };
    typedef typename gb_Word<Value, (bool)BITS>::Type Type;

    static GB_MEMBER Type pack(Value value) {
        if constexpr (BITS) {
            Type bits;
            memcpy(&bits, &value, sizeof value);
            return bits;
        } else {
            return (Type)value;
        }
    }
    static GB_MEMBER Value unpack(Type bits) {
        if constexpr (BITS) {
            Value value;
            memcpy(&value, &bits, sizeof value);
            return value;
        } else {
            return (Value)bits;
        }
    }
};

/* *at = *at (+) value, whoever else does the same. */
template <class Ring, class P> GB_DEVICE void gb_join(P at, typename gb_Store<Ring>::Type value) {
    typedef gb_Store<Ring> Store;
    constexpr int add = Store::ADD;
    if constexpr (add == GB_PLUS) {
        atomicAdd(at, value);
    } else if constexpr (add == GB_LOR) {
        atomicOr(at, value);
    } else if constexpr (add == GB_ANY) {
        gb_poke(at, value);
    } else {
        typename Store::Type old = gb_peek(at);
        for (;;) {
            const auto sum = Store::pack(Ring::add(Store::unpack(old), Store::unpack(value)));
            if (sum == old) return;
            const auto seen = atomicCAS(at, old, sum);
            if (seen == old) return;
            old = seen;
        }
    }
}

#endif
