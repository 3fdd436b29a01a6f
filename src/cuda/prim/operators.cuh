/* SPDX-License-Identifier: Apache-2.0
 *
 * Built-in operators on the device, by their gb_Opcode, from the definitions of the host
 * (semiring/scalar_ops.h). The operator is a number that all threads of a launch share, not a
 * template: kernels that apply one wait for memory, and there is one kernel for each type.
 *
 * Types are double, float, int64_t, int32_t and, for BOOL, uint8_t of 0 and 1; reductions know the
 * unsigned numbers of 32 and 64 bits too. Operators that a type does not have must not be asked
 * for: gb_has_operator, on the host, tells which it has.
 */
#ifndef GB_CUDA_OPERATORS_CUH
#define GB_CUDA_OPERATORS_CUH

#include "cuda/device/portable.cuh"

extern "C" {
#include "semiring/algebra.h"
#include "semiring/scalar_ops.h"
}

/* Calls F(N, T) for the types that operations have kernels for. */
#define GB_FOREACH_DEVICE_TYPE(F)                                                                  \
    F(FP64, double) F(FP32, float) F(INT64, int64_t) F(INT32, int32_t) F(BOOL, uint8_t)
#define GB_FOREACH_DEVICE_NUMBER(F)                                                                \
    F(FP64, double)                                                                                \
    F(FP32, float) F(INT64, int64_t) F(INT32, int32_t) F(UINT64, uint64_t) F(UINT32, uint32_t)
#define GB_FOREACH_DEVICE_INTEGER(F)                                                               \
    F(INT64, int64_t) F(INT32, int32_t) F(UINT64, uint64_t) F(UINT32, uint32_t)

#define GB_CASE_1(op, N, T)                                                                        \
    case GB_##op:                                                                                  \
        return (T)gb_##op##_##N(x);
#define GB_CASE_2(op, N, T)                                                                        \
    case GB_##op:                                                                                  \
        return (T)gb_##op##_##N(x, y);

/* -- unary: T to T */

/* What only integers have; IDENTITY is left. */
static __device__ __forceinline__ double gb_unary_bits(int, double x) {
    return x;
}
static __device__ __forceinline__ float gb_unary_bits(int, float x) {
    return x;
}
#define GB_DEFINE(N, T)                                                                            \
    static __device__ __forceinline__ T gb_unary_bits(int op, T x) {                               \
        return op == GB_BNOT ? gb_BNOT_##N(x) : x;                                                 \
    }
GB_FOREACH_DEVICE_INTEGER(GB_DEFINE)
#undef GB_DEFINE

#define GB_DEFINE(N, T)                                                                            \
    static __device__ __forceinline__ T gb_unary(int op, T x) {                                    \
        switch (op) {                                                                              \
            GB_CASE_1(ABS, N, T)                                                                   \
            GB_CASE_1(AINV, N, T)                                                                  \
            GB_CASE_1(MINV, N, T)                                                                  \
            GB_CASE_1(ONE, N, T)                                                                   \
        default:                                                                                   \
            return gb_unary_bits(op, x);                                                           \
        }                                                                                          \
    }
GB_FOREACH_DEVICE_NUMBER(GB_DEFINE)
#undef GB_DEFINE
static __device__ __forceinline__ uint8_t gb_unary(int op, uint8_t x) {
    if (op == GB_LNOT) return x ^ 1;
    return op == GB_MINV || op == GB_ONE ? 1 : x; /* ABS and AINV change nothing */
}

/* -- binary: T and T to T, of BOOL also those that compare */

static __device__ __forceinline__ double gb_binary_bits(int, double x, double) {
    return x;
}
static __device__ __forceinline__ float gb_binary_bits(int, float x, float) {
    return x;
}
#define GB_DEFINE(N, T)                                                                            \
    static __device__ __forceinline__ T gb_binary_bits(int op, T x, T y) {                         \
        switch (op) {                                                                              \
            GB_CASE_2(BOR, N, T)                                                                   \
            GB_CASE_2(BAND, N, T)                                                                  \
            GB_CASE_2(BXOR, N, T)                                                                  \
            GB_CASE_2(BXNOR, N, T)                                                                 \
        default:                                                                                   \
            return x; /* FIRST and ANY */                                                          \
        }                                                                                          \
    }
GB_FOREACH_DEVICE_INTEGER(GB_DEFINE)
#undef GB_DEFINE

#define GB_DEFINE(N, T)                                                                            \
    static __device__ __forceinline__ T gb_binary(int op, T x, T y) {                              \
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
        default:                                                                                   \
            return gb_binary_bits(op, x, y);                                                       \
        }                                                                                          \
    }
GB_FOREACH_DEVICE_NUMBER(GB_DEFINE)
#undef GB_DEFINE
static __device__ __forceinline__ uint8_t gb_binary(int op, uint8_t x, uint8_t y) {
    switch (op) {
        GB_CASE_2(SECOND, BOOL, uint8_t)
        GB_CASE_2(ONEB, BOOL, uint8_t)
        GB_CASE_2(LOR, BOOL, uint8_t)
        GB_CASE_2(LAND, BOOL, uint8_t)
        GB_CASE_2(LXOR, BOOL, uint8_t)
        GB_CASE_2(LXNOR, BOOL, uint8_t)
        GB_CASE_2(PLUS, BOOL, uint8_t)
        GB_CASE_2(MINUS, BOOL, uint8_t)
        GB_CASE_2(TIMES, BOOL, uint8_t)
        GB_CASE_2(MIN, BOOL, uint8_t)
        GB_CASE_2(MAX, BOOL, uint8_t)
        GB_CASE_2(ABSDIFF, BOOL, uint8_t)
        GB_CASE_2(EQ, BOOL, uint8_t)
        GB_CASE_2(NE, BOOL, uint8_t)
        GB_CASE_2(GT, BOOL, uint8_t)
        GB_CASE_2(LT, BOOL, uint8_t)
        GB_CASE_2(GE, BOOL, uint8_t)
        GB_CASE_2(LE, BOOL, uint8_t)
    default:
        return x; /* FIRST, ANY and DIV */
    }
}

/* -- comparisons: T and T to BOOL; VALUEEQ and so on compare with the bound value */

static inline __host__ __device__ bool gb_is_comparison(int op) {
    return (op >= GB_EQ && op <= GB_LE) || (op >= GB_VALUEEQ && op <= GB_VALUEGE);
}

template <class T> static __device__ __forceinline__ bool gb_compare(int op, T x, T y) {
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
static inline __host__ __device__ bool gb_is_place_test(int op) {
    return op >= GB_TRIL && op <= GB_ROWGT;
}

static __device__ __forceinline__ bool gb_place_test(int op, int64_t i, int64_t j, int64_t y) {
    switch (op) {
    case GB_TRIL:
        return gb_TRIL_INT64(i, j, y);
    case GB_TRIU:
        return gb_TRIU_INT64(i, j, y);
    case GB_DIAG:
        return gb_DIAG_INT64(i, j, y);
    case GB_OFFDIAG:
        return gb_OFFDIAG_INT64(i, j, y);
    case GB_COLLE:
        return gb_COLLE_INT64(i, j, y);
    case GB_COLGT:
        return gb_COLGT_INT64(i, j, y);
    case GB_ROWLE:
        return gb_ROWLE_INT64(i, j, y);
    default:
        return gb_ROWGT_INT64(i, j, y);
    }
}

/* ROWINDEX, COLINDEX, DIAGINDEX; those of INT32 are its lowest 32 bits. */
static __device__ __forceinline__ int64_t gb_place_number(int op, int64_t i, int64_t j, int64_t y) {
    if (op == GB_ROWINDEX) return gb_ROWINDEX_INT64(i, j, y);
    return op == GB_COLINDEX ? gb_COLINDEX_INT64(i, j, y) : gb_DIAGINDEX_INT64(i, j, y);
}

/* -- casts, as of semiring/cast.c: floats to integers saturate, NaN gives 0, BOOL is not 0 */

template <class To> struct gb_Cast {
    template <class From> static __device__ __forceinline__ To of(From x) {
        return (To)x;
    }
};
template <> struct gb_Cast<uint8_t> {
    template <class From> static __device__ __forceinline__ uint8_t of(From x) {
        return x != 0;
    }
};
#define GB_DEFINE(To, LEAST, MOST)                                                                 \
    template <class From> static __device__ __forceinline__ To gb_saturate_##To(From x) {          \
        return x != x ? 0 : x >= (From)MOST ? MOST : x <= (From)LEAST ? LEAST : (To)x;             \
    }                                                                                              \
    template <> struct gb_Cast<To> {                                                               \
        template <class From> static __device__ __forceinline__ To of(From x) {                    \
            return (To)x;                                                                          \
        }                                                                                          \
        static __device__ __forceinline__ To of(double x) {                                        \
            return gb_saturate_##To(x);                                                            \
        }                                                                                          \
        static __device__ __forceinline__ To of(float x) {                                         \
            return gb_saturate_##To(x);                                                            \
        }                                                                                          \
    };
GB_DEFINE(int64_t, INT64_MIN, INT64_MAX)
GB_DEFINE(int32_t, INT32_MIN, INT32_MAX)
#undef GB_DEFINE

/* -- as functors */

struct gb_Binary {
    int op; /* gb_Opcode */
    template <class T> __device__ __forceinline__ T operator()(T x, T y) const {
        return gb_binary(op, x, y);
    }
};

/* Any unary operator, or a binary one with a bound argument: T to T. */
template <class T> struct gb_Bound {
    int op;
    bool is_unary, bound_first;
    T bound;

    __device__ __forceinline__ T operator()(T x) const {
        if (is_unary) return gb_unary(op, x);
        return bound_first ? gb_binary(op, bound, x) : gb_binary(op, x, bound);
    }
    /* The same of a comparison. */
    __device__ __forceinline__ bool compare(T x) const {
        return bound_first ? gb_compare(op, bound, x) : gb_compare(op, x, bound);
    }
};

#undef GB_CASE_1
#undef GB_CASE_2

/* -- on the host */

template <class T> static inline gb_Bound<T> gb_bound_of(const gb_DeviceMap *map) {
    gb_Bound<T> f = {map->op, map->is_unary, map->bound_first, T()};
    memcpy(&f.bound, map->bound, sizeof f.bound);
    return f;
}

static inline bool gb_is_device_type(gbl_Type_Code type) {
    return type == GBL_FP64_CODE || type == GBL_FP32_CODE || type == GBL_INT64_CODE ||
           type == GBL_INT32_CODE || type == GBL_BOOL_CODE;
}

/* Whether a unary or binary operator, or one that compares with a bound value, takes values of the
 * type; those by position take any. */
static inline bool gb_has_operator(int op, gbl_Type_Code type) {
    const bool is_integer = type == GBL_INT64_CODE || type == GBL_INT32_CODE;
    if (gb_is_by_position(op)) return true;
    if (!gb_is_device_type(type)) return false;
    if (gb_is_comparison(op)) return true;
    if (op >= GB_IDENTITY && op <= GB_ONE)
        return op == GB_LNOT ? type == GBL_BOOL_CODE : op != GB_BNOT || is_integer;
    if (op >= GB_LOR && op <= GB_LXNOR) return type == GBL_BOOL_CODE;
    if (op >= GB_BOR && op <= GB_BXNOR) return is_integer;
    return (op >= GB_FIRST && op <= GB_DIV) || op == GB_ABSDIFF;
}

#endif
