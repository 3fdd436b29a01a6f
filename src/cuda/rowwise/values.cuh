/* SPDX-License-Identifier: Apache-2.0
 *
 * What an accumulator does with the values of products: sums them over a semiring, or, in the
 * symbolic pass, nothing.
 */
#ifndef GB_CUDA_VALUES_CUH
#define GB_CUDA_VALUES_CUH

#include "cuda/prim/semirings.cuh"
#include "cuda/rowwise/rows.cuh"

/* P: gb_shared<Type> or, for values in global memory, Type *. */
template <class Ring, class P> struct gb_RingValues {
    typedef typename Ring::Value Value;
    typedef gb_Store<Ring> Store;
    typedef typename Store::Type Type;
    P at;

    __device__ __forceinline__ void clear(unsigned slot) const {
        at[slot] = Store::pack(Ring::zero());
    }
    typedef Value Left;
    typedef Value Right;
    /* The factors at places p and q; those that the semiring does not look at are not loaded. */
    __device__ __forceinline__ Left left(const gb_Factors &F, gb_Off p) const {
        return Ring::USES_A ? static_cast<const Value *>(F.Ax)[p & F.amask] : Value();
    }
    __device__ __forceinline__ Right right(const gb_Factors &F, gb_Off q) const {
        return Ring::USES_B ? static_cast<const Value *>(F.Bx)[q & F.bmask] : Value();
    }
    __device__ __forceinline__ void add(unsigned slot, Left a, Right b, gb_Idx k) const {
        gb_join<Ring>(&at[slot], Store::pack(Ring::multiply(a, b, k)));
    }
    __device__ __forceinline__ void emit(void *x, uint64_t place, unsigned slot) const {
        static_cast<Value *>(x)[place] = Store::unpack(at[slot]);
    }
};

struct gb_NoValues {
    __device__ __forceinline__ void clear(unsigned) const {
    }
    struct Nothing {};
    typedef Nothing Left;
    typedef Nothing Right;
    __device__ __forceinline__ Left left(const gb_Factors &, gb_Off) const {
        return Nothing();
    }
    __device__ __forceinline__ Right right(const gb_Factors &, gb_Off) const {
        return Nothing();
    }
    __device__ __forceinline__ void add(unsigned, Left, Right, gb_Idx) const {
    }
    __device__ __forceinline__ void emit(void *, uint64_t, unsigned) const {
    }
};

#endif
