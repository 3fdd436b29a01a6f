/* SPDX-License-Identifier: Apache-2.0
 *
 * Built-in operators on the device, by their gb_Opcode, from the definitions of the host
 * (semiring/scalar_ops.h). The operator is a number that all threads of a launch share, not a
 * template: kernels that apply one wait for memory, and there is one kernel for each type.
 *
 * BOOL is uint8_t of 0 and 1. gb_cuda_has_operator, on the host, says which operators a type has;
 * others must not be used.
 */
#ifndef GB_CUDA_OPERATORS_CUH
#define GB_CUDA_OPERATORS_CUH

#include "cuda/device/job.cuh"

extern "C" {
#include "semiring/scalar_ops.h"
}

/* Calls F(N, T) for the types that operations have kernels for; reductions know more numbers. */
#define GB_FOREACH_DEVICE_TYPE(F)                                                                  \
    F(FP64, double) F(FP32, float) F(INT64, int64_t) F(INT32, int32_t) F(BOOL, uint8_t)
#define GB_FOREACH_REDUCED_TYPE(F) GB_FOREACH_DEVICE_TYPE(F) F(UINT64, uint64_t) F(UINT32, uint32_t)

/* Calls visit(T()) for one of these types; where it is none of them the job fails. */
#define GB_CASE(N, T)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        return visit(T());
#define GB_DISPATCH(name, FOREACH)                                                                 \
    template <class Visit> static inline void name(gb_Job *job, gbl_Type_Code type, Visit visit) { \
        switch (type) {                                                                            \
            FOREACH(GB_CASE)                                                                       \
        default:                                                                                   \
            gb_job_fail(job, gb_fail(GBL_INVALID_VALUE, "there is no GPU kernel for this type"));  \
        }                                                                                          \
    }
GB_DISPATCH(gb_by_type, GB_FOREACH_DEVICE_TYPE)
GB_DISPATCH(gb_by_reduced_type, GB_FOREACH_REDUCED_TYPE)
#undef GB_DISPATCH
#undef GB_CASE

#define GB_CASE_1(op, N, T)                                                                        \
    case GB_##op:                                                                                  \
        return (T)gb_##op##_##N(x);
#define GB_CASE_2(op, N, T)                                                                        \
    case GB_##op:                                                                                  \
        return (T)gb_##op##_##N(x, y);

/* -- unary and binary: to T; MORE_1 and MORE_2 are the cases of integers */

#define GB_DEFINE(N, T, MORE_1, MORE_2)                                                            \
    GB_DEVICE T gb_unary(int op, T x) {                                                            \
        switch (op) {                                                                              \
            GB_CASE_1(ABS, N, T)                                                                   \
            GB_CASE_1(AINV, N, T)                                                                  \
            GB_CASE_1(MINV, N, T)                                                                  \
            GB_CASE_1(ONE, N, T)                                                                   \
            MORE_1(N, T)                                                                           \
        default:                                                                                   \
            return x; /* IDENTITY */                                                               \
        }                                                                                          \
    }                                                                                              \
    GB_DEVICE T gb_binary(int op, T x, T y) {                                                      \
        switch (op) {                                                                              \
            GB_CASE_2(SECOND, N, T)                                                                \
            GB_CASE_2(ONEB, N, T)                                                                  \
            GB_CASE_2(PLUS, N, T)                                                                  \
            GB_CASE_2(MINUS, N, T)                                                                 \
            GB_CASE_2(TIMES, N, T)                                                                 \
            GB_CASE_2(DIV, N, T)                                                                   \
            GB_CASE_2(MIN, N, T)                                                                   \
            GB_CASE_2(MAX, N, T)                                                                   \
            GB_CASE_2(ABSDIFF, N, T)                                                               \
            MORE_2(N, T)                                                                           \
        default:                                                                                   \
            return x; /* FIRST and ANY */                                                          \
        }                                                                                          \
    }
#define GB_NO_MORE(N, T)
#define GB_BITS_1(N, T) GB_CASE_1(BNOT, N, T)
#define GB_BITS_2(N, T)                                                                            \
    GB_CASE_2(BOR, N, T) GB_CASE_2(BAND, N, T) GB_CASE_2(BXOR, N, T) GB_CASE_2(BXNOR, N, T)
GB_DEFINE(FP64, double, GB_NO_MORE, GB_NO_MORE)
GB_DEFINE(FP32, float, GB_NO_MORE, GB_NO_MORE)
GB_DEFINE(INT64, int64_t, GB_BITS_1, GB_BITS_2)
GB_DEFINE(INT32, int32_t, GB_BITS_1, GB_BITS_2)
GB_DEFINE(UINT64, uint64_t, GB_BITS_1, GB_BITS_2)
GB_DEFINE(UINT32, uint32_t, GB_BITS_1, GB_BITS_2)
#undef GB_BITS_2
#undef GB_BITS_1
#undef GB_NO_MORE
#undef GB_DEFINE

GB_DEVICE uint8_t gb_unary(int op, uint8_t x) {
    if (op == GB_LNOT) return x ^ 1;
    return op == GB_MINV || op == GB_ONE ? 1 : x; /* ABS and AINV change nothing */
}
#define GB_CASE(op) GB_CASE_2(op, BOOL, uint8_t)
GB_DEVICE uint8_t gb_binary(int op, uint8_t x, uint8_t y) {
    switch (op) {
        GB_CASE(SECOND)
        GB_CASE(ONEB)
        GB_CASE(LOR)
        GB_CASE(LAND)
        GB_CASE(LXOR)
        GB_CASE(LXNOR)
        GB_CASE(PLUS)
        GB_CASE(MINUS)
        GB_CASE(TIMES)
        GB_CASE(MIN)
        GB_CASE(MAX)
        GB_CASE(ABSDIFF)
        GB_CASE(EQ)
        GB_CASE(NE)
        GB_CASE(GT) GB_CASE(LT) GB_CASE(GE) GB_CASE(LE) default : return x; /* FIRST, ANY and DIV */
    }
}
#undef GB_CASE

/* -- comparisons: T and T to BOOL; VALUEEQ and so on compare with the bound value */

GB_HOST_DEVICE bool gb_is_comparison(int op) {
    return (op >= GB_EQ && op <= GB_LE) || (op >= GB_VALUEEQ && op <= GB_VALUEGE);
}

template <class T> GB_DEVICE bool gb_compare(int op, T x, T y) {
    switch (op) {
    case GB_EQ:
    case GB_VALUEEQ:
        return x == y;
    case GB_NE:
    case GB_VALUENE:
        return x != y;
    case GB_GT:
    case GB_VALUEGT:
        return x > y;
    case GB_LT:
    case GB_VALUELT:
        return x < y;
    case GB_GE:
    case GB_VALUEGE:
        return x >= y;
    default:
        return x <= y;
    }
}

/* -- by position: (i, j) and a bound number */

/* Of operators by position (gb_is_by_position) those that are true or false. */
GB_HOST_DEVICE bool gb_is_position_test(int op) {
    return op >= GB_TRIL && op <= GB_ROWGT;
}

GB_DEVICE bool gb_position_test(int op, int64_t i, int64_t j, int64_t y) {
    switch (op) {
#define GB_CASE(op)                                                                                \
    case GB_##op:                                                                                  \
        return gb_##op##_INT64(i, j, y);
        GB_CASE(TRIL)
        GB_CASE(TRIU)
        GB_CASE(DIAG)
        GB_CASE(OFFDIAG)
        GB_CASE(COLLE)
        GB_CASE(COLGT)
        GB_CASE(ROWLE)
#undef GB_CASE
    default:
        return gb_ROWGT_INT64(i, j, y);
    }
}

/* ROWINDEX, COLINDEX, DIAGINDEX; those of INT32 are its lowest 32 bits. */
GB_DEVICE int64_t gb_position_number(int op, int64_t i, int64_t j, int64_t y) {
    if (op == GB_ROWINDEX) return gb_ROWINDEX_INT64(i, j, y);
    return op == GB_COLINDEX ? gb_COLINDEX_INT64(i, j, y) : gb_DIAGINDEX_INT64(i, j, y);
}

/* -- casts, as gb_cast: floats to integers saturate, NaN gives 0, BOOL is whether it is not 0 */

template <class To, class From> GB_DEVICE To gb_cast_to(From x) {
    constexpr bool saturates = From(0.5) != From(0) && To(0.5) == To(0);
    if constexpr (sizeof(To) == 1) {
        return x != From(0);
    } else if constexpr (saturates) {
        constexpr To most = To(sizeof(To) == 8 ? INT64_MAX : INT32_MAX), least = -most - 1;
        return x != x ? 0 : x >= (From)most ? most : x <= (From)least ? least : (To)x;
    } else {
        return (To)x;
    }
}

/* -- as functors */

struct gb_Binary {
    enum { ACCUMULATES = 1 };
    int op; /* gb_Opcode */
    template <class T> GB_MEMBER T operator()(T x, T y) const {
        return gb_binary(op, x, y);
    }
};

/* A binary operator, or a comparison, whose Z is uint8_t. */
template <class Z, class T> GB_DEVICE Z gb_binary_or_compare(int op, T x, T y) {
    return gb_is_comparison(op) ? (Z)gb_compare(op, x, y) : (Z)gb_binary(op, x, y);
}

/* Any unary operator, or a binary one with a bound argument: T to T. */
template <class T> struct gb_Bound {
    int op;
    bool is_unary, bound_first;
    T bound;

    GB_MEMBER T operator()(T x) const {
        if (is_unary) return gb_unary(op, x);
        return bound_first ? gb_binary(op, bound, x) : gb_binary(op, x, bound);
    }
    /* The same of a comparison. */
    GB_MEMBER bool compare(T x) const {
        return bound_first ? gb_compare(op, bound, x) : gb_compare(op, x, bound);
    }
};

#undef GB_CASE_1
#undef GB_CASE_2

/* -- on the host */

template <class T> static inline gb_Bound<T> gb_bound_of(const gb_DeviceMap *map) {
    gb_Bound<T> f = {map->op, map->is_unary, map->bound_first, T()};
    memcpy(&f.bound, &map->bound, sizeof f.bound);
    return f;
}

static inline bool gb_is_device_type(gbl_Type_Code type) {
#define GB_IS(N, T) || type == GBL_##N##_CODE
    return false GB_FOREACH_DEVICE_TYPE(GB_IS);
#undef GB_IS
}

#endif
