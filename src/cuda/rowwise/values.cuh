/* SPDX-License-Identifier: Apache-2.0
 *
 * What an accumulator does with the values of products: it sums them over a semiring, or, where
 * rows are only counted (gb_NoRing), ignores them.
 */
#ifndef GB_CUDA_ROW_VALUES_CUH
#define GB_CUDA_ROW_VALUES_CUH

#include "cuda/prim/semirings.cuh"
#include "cuda/rowwise/rows.cuh"

/* P: gb_shared<Type> or, for values in global memory, Type *. */
template <class Ring, class P> struct gb_RingValues {
    typedef typename Ring::Value Value;
    typedef gb_Store<Ring> Store;
    typedef typename Store::Type Type;
    P at;

    GB_MEMBER void clear(unsigned slot) const {
        at[slot] = Store::pack(Ring::zero());
    }
    typedef Value Left;
    typedef Value Right;
    GB_MEMBER Left left(const gb_Factors &F, gb_Off p) const {
        return gb_left<Ring>(F.Ax, p & F.amask);
    }
    GB_MEMBER Right right(const gb_Factors &F, gb_Off q) const {
        return gb_right<Ring>(F.Bx, q & F.bmask);
    }
    GB_MEMBER void add(unsigned slot, Left a, Right b, gb_Idx k) const {
        gb_join<Ring>(&at[slot], Store::pack(Ring::multiply(a, b, k)));
    }
    GB_MEMBER void emit(void *x, uint64_t place, unsigned slot) const {
        static_cast<Value *>(x)[place] = Store::unpack(at[slot]);
    }
};

struct gb_NoValues {
    GB_MEMBER void clear(unsigned) const {
    }
    struct Nothing {};
    typedef Nothing Left;
    typedef Nothing Right;
    GB_MEMBER Left left(const gb_Factors &, gb_Off) const {
        return Nothing();
    }
    GB_MEMBER Right right(const gb_Factors &, gb_Off) const {
        return Nothing();
    }
    GB_MEMBER void add(unsigned, Left, Right, gb_Idx) const {
    }
    GB_MEMBER void emit(void *, uint64_t, unsigned) const {
    }
};

/* Stands for a semiring where rows are only counted. */
struct gb_NoRing {};

template <class Ring> struct gb_ValuesOf {
    typedef typename gb_Store<Ring>::Type Type;
    typedef gb_RingValues<Ring, gb_shared<Type>> Shared;
    typedef gb_RingValues<Ring, Type *> Global;
    enum { BYTES = sizeof(Type), TRUTH = sizeof(typename Ring::Value) == 1 };
    enum { BITMAPS = TRUTH ? 3 : 2 };                    /* see gb_BitmapWindow */
    enum { SLOTS = (64 + 4 + BYTES - 1) / (4 + BYTES) }; /* of a table, per thread at most */
    GB_DEVICE Shared carve(size_t byte, unsigned n) {
        return Shared{gb_shared_carve<Type>(byte, n)};
    }
};
template <> struct gb_ValuesOf<gb_NoRing> {
    typedef gb_NoValues Shared;
    enum { BYTES = 0, TRUTH = 0, BITMAPS = 1, SLOTS = 0 };
    GB_DEVICE Shared carve(size_t, unsigned) {
        return Shared{};
    }
};

#endif
