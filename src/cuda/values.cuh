/* SPDX-License-Identifier: Apache-2.0
 *
 * What an accumulator does with the values of products: sums them over a semiring, or, in the
 * symbolic pass, nothing.
 */
#ifndef GB_CUDA_VALUES_CUH
#define GB_CUDA_VALUES_CUH

#include "cuda/rings.cuh"
#include "cuda/rows.cuh"

/* P: gb_shared<Type> or, for values in global memory, Type *. */
template <class Ring, class P> struct gb_RingValues {
    typedef typename Ring::Value Value;
    typedef gb_Store<Ring> Store;
    typedef typename Store::Type Type;
    P at;

    __device__ __forceinline__ void clear(unsigned slot) const {
        at[slot] = Store::pack(Ring::zero());
    }
    __device__ __forceinline__ void add(const gb_Factors &F, unsigned slot, gb_Off p, gb_Off q,
                                        gb_Idx k) const {
        Value a = Value(), b = Value();
        if (Ring::USES_A) a = static_cast<const Value *>(F.Ax)[p & F.amask];
        if (Ring::USES_B) b = static_cast<const Value *>(F.Bx)[q & F.bmask];
        gb_join<Ring>(&at[slot], Store::pack(Ring::multiply(a, b, k)));
    }
    __device__ __forceinline__ void emit(void *x, uint64_t place, unsigned slot) const {
        static_cast<Value *>(x)[place] = Store::unpack(at[slot]);
    }
};

struct gb_NoValues {
    __device__ __forceinline__ void clear(unsigned) const {
    }
    __device__ __forceinline__ void add(const gb_Factors &, unsigned, gb_Off, gb_Off,
                                        gb_Idx) const {
    }
    __device__ __forceinline__ void emit(void *, uint64_t, unsigned) const {
    }
};

#endif
