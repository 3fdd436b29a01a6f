/* SPDX-License-Identifier: Apache-2.0
 *
 * One entry of semiring/foreach.h: derives what kernel bodies use, includes the body, cleans up.
 *
 * Bodies see values only through slots (pointers), so that one body serves C types and user-defined
 * types of any size:
 *   SR_AT(x, p)              slot of the p-th value of array x
 *   SR_SIZE                  bytes of a value of C
 *   SR_A(p), SR_B(p)         slots of the p-th values of A and B (iso: the only one)
 *   SR_SET(c, a, b, i, k, j) *c = a (x) b
 *   SR_FMA(c, a, b, i, k, j) *c = *c (+) (a (x) b)
 *   SR_JOIN(c, d)            *c = *c (+) *d
 *   SR_CLEAR(c)              *c = identity
 *   SR_COPY(c, d)            *c = *d
 *   SR_DONE(c)               nothing can change *c any more
 *   SR_ACCUMULATE            SR_FMA, or SR_SET where the monoid keeps any one of its arguments
 *   SR_HOLD_A(name, p)       declares `name`, a slot of the p-th value of A in a register
 *   SR_COUNT                 1 when the result is the number of products
 *   SR_BY_BITS               1 when the inner indices of the products tell all: how many there are,
 *                            or any one of them
 * They need in scope `const gb_RingArgs *R`, which carries A's and B's values and, for the generic
 * entry, the functions. In the generic entry positional multiplications see i, k and j too.
 */
/* what an entry leaves out; see foreach.h */
#ifndef SR_ANY
#define SR_ANY 0
#endif
#ifndef SR_PAIR
#define SR_PAIR 0
#endif
#ifndef SR_ADD
#if SR_ANY
#define SR_ADD(x, y) ((x))
#else
#define SR_ADD(x, y) ((x) + (y))
#endif
#endif
#ifndef SR_MUL
#define SR_MUL(a, b, i, k, j) ((a) * (b))
#endif
#ifndef SR_ZERO
#define SR_ZERO ((SR_T)0)
#endif
#ifndef SR_TERMINAL
#define SR_TERMINAL(x) SR_ANY
#endif
#ifndef SR_USES_A
#define SR_USES_A (!SR_PAIR)
#endif
#ifndef SR_USES_B
#define SR_USES_B (!SR_PAIR)
#endif
#ifndef SR_TRUTH
#define SR_TRUTH 0
#endif
#ifndef SR_PLAIN
#define SR_PLAIN 0
#endif
#ifndef SR_SIDED
#define SR_SIDED 0
#endif
#ifndef SR_NO_LANES
#define SR_NO_LANES 0
#endif

#ifdef SR_GENERIC
#include "semiring/generic.h"
#define SR_T char
#define SR_SIZE (R->zsize)
#define SR_AT(x, p) ((SR_T *)(x) + (size_t)(p)*R->zsize)
#define SR_A(p) ((const char *)R->Ax + (size_t)(p)*R->astride)
#define SR_B(p) ((const char *)R->Bx + (size_t)(p)*R->bstride)
#define SR_SET(c, a, b, i, k, j) gb_generic_set(R, c, a, b, (gb_Triple){i, k, j})
#define SR_FMA(c, a, b, i, k, j) gb_generic_fma(R, c, a, b, (gb_Triple){i, k, j})
#define SR_JOIN(c, d) gb_generic_join(R, c, d)
#define SR_CLEAR(c) gb_generic_copy(R, c, R->identity)
#define SR_COPY(c, d) gb_generic_copy(R, c, d)
#define SR_DONE(c) gb_generic_done(R, c)
#define SR_HOLD_A(name, p) const SR_T *name = SR_A(p)
#else
#define SR_SIZE sizeof(SR_T)
#define SR_AT(x, p) ((SR_T *)(x) + (p))
#if SR_USES_A
#define SR_A(p) ((const SR_T *)R->Ax + ((p)&R->amask))
#define SR_LOAD_A(a) (*(a))
#define SR_HOLD_A(name, p)                                                                         \
    const SR_T name##_value = *SR_A(p);                                                            \
    const SR_T *name = &name##_value
#else
#define SR_A(p) ((void)R, (void)(p), (const SR_T *)NULL)
#define SR_LOAD_A(a) ((void)(a), 0)
#define SR_HOLD_A(name, p) const SR_T *name = SR_A(p)
#endif
#if SR_USES_B
#define SR_B(p) ((const SR_T *)R->Bx + ((p)&R->bmask))
#define SR_LOAD_B(b) (*(b))
#else
#define SR_B(p) ((void)R, (void)(p), (const SR_T *)NULL)
#define SR_LOAD_B(b) ((void)(b), 0)
#endif
#define SR_SET(c, a, b, i, k, j) (*(c) = (SR_T)SR_MUL(SR_LOAD_A(a), SR_LOAD_B(b), i, k, j))
#define SR_FMA(c, a, b, i, k, j)                                                                   \
    do {                                                                                           \
        const SR_T sr_t = (SR_T)SR_MUL(SR_LOAD_A(a), SR_LOAD_B(b), i, k, j);                       \
        *(c) = SR_ADD(*(c), sr_t);                                                                 \
        (void)sr_t;                                                                                \
    } while (0)
#define SR_JOIN(c, d) (*(c) = SR_ADD(*(c), *(d)))
#define SR_CLEAR(c) (*(c) = SR_ZERO)
#define SR_COPY(c, d) (*(c) = *(d))
#define SR_DONE(c) SR_TERMINAL(*(c))
#endif
#if SR_ANY
#define SR_ACCUMULATE SR_SET
#else
#define SR_ACCUMULATE SR_FMA
#endif
#define SR_COUNT (SR_PAIR && !SR_ANY)
#define SR_BY_BITS (SR_COUNT || (SR_ANY && !SR_USES_A && !SR_USES_B))

#include SR_TEMPLATE

#undef SR_NAME
#undef SR_T
#undef SR_ADD
#undef SR_MUL
#undef SR_ZERO
#undef SR_TERMINAL
#undef SR_USES_A
#undef SR_ANY
#undef SR_PAIR
#undef SR_TRUTH
#undef SR_SIDED
#undef SR_NO_LANES
#undef SR_COUNT
#undef SR_BY_BITS
#undef SR_HOLD_A
#undef SR_ACCUMULATE
#undef SR_PLAIN
#undef SR_USES_B
#undef SR_SIZE
#undef SR_AT
#undef SR_A
#undef SR_B
#undef SR_SET
#undef SR_FMA
#undef SR_JOIN
#undef SR_CLEAR
#undef SR_COPY
#undef SR_DONE
#undef SR_LOAD_A
#undef SR_LOAD_B
