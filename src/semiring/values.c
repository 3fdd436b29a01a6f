/* SPDX-License-Identifier: Apache-2.0
 *
 * Moving values of any type: cast, fill, gather.
 *
 * Arrays of user-defined types are aligned as the user's C type is, which may be less than its size
 * suggests; so values move by memcpy of a constant size, which compilers turn into plain moves.
 */
#include <string.h>

#include "core/parallel.h"
#include "core/tune.h"
#include "semiring/objects.h"

/* -- casts: z[k] = (to) x[k] for k < n; one function per pair of types */
typedef void (*gb_cast_function)(void *z, const void *x, size_t n);

#define GB_DEFINE_CAST(to, T, from, F, CONVERT)                                                    \
    static void gb_cast_##to##_##from(void *z, const void *x, size_t n) {                          \
        T *restrict to_values = z;                                                                 \
        const F *restrict from_values = x;                                                         \
        for (size_t k = 0; k < n; k++) to_values[k] = CONVERT(to, T, F, from_values[k]);           \
    }
#define GB_PLAIN(to, T, F, x) ((T)(x))
#define GB_NONZERO(to, T, F, x) ((x) != 0)
/* float to integer; the largest integer may round up to a float that does not fit, hence >= */
#define GB_SATURATE(to, T, F, x)                                                                   \
    ((x) != (x)                 ? (T)0                                                             \
     : (x) >= (F)to##_MAX       ? (T)to##_MAX                                                      \
     : (x) <= (F)GB_LOWEST_##to ? (T)GB_LOWEST_##to                                                \
                                : (T)(x))
#define GB_LOWEST_INT8 INT8_MIN
#define GB_LOWEST_INT16 INT16_MIN
#define GB_LOWEST_INT32 INT32_MIN
#define GB_LOWEST_INT64 INT64_MIN
#define GB_LOWEST_UINT8 0
#define GB_LOWEST_UINT16 0
#define GB_LOWEST_UINT32 0
#define GB_LOWEST_UINT64 0

#define GB_DEFINE_CASTS(from, F, TO_INTEGER)                                                       \
    GB_DEFINE_CAST(BOOL, bool, from, F, GB_NONZERO)                                                \
    GB_DEFINE_CAST(INT8, int8_t, from, F, TO_INTEGER)                                              \
    GB_DEFINE_CAST(INT16, int16_t, from, F, TO_INTEGER)                                            \
    GB_DEFINE_CAST(INT32, int32_t, from, F, TO_INTEGER)                                            \
    GB_DEFINE_CAST(INT64, int64_t, from, F, TO_INTEGER)                                            \
    GB_DEFINE_CAST(UINT8, uint8_t, from, F, TO_INTEGER)                                            \
    GB_DEFINE_CAST(UINT16, uint16_t, from, F, TO_INTEGER)                                          \
    GB_DEFINE_CAST(UINT32, uint32_t, from, F, TO_INTEGER)                                          \
    GB_DEFINE_CAST(UINT64, uint64_t, from, F, TO_INTEGER)                                          \
    GB_DEFINE_CAST(FP32, float, from, F, GB_PLAIN)                                                 \
    GB_DEFINE_CAST(FP64, double, from, F, GB_PLAIN)

GB_DEFINE_CASTS(BOOL, bool, GB_PLAIN)
#define GB_DEFINE(N, T) GB_DEFINE_CASTS(N, T, GB_PLAIN)
GBL_FOREACH_INTEGER(GB_DEFINE)
#undef GB_DEFINE
#define GB_DEFINE(N, T) GB_DEFINE_CASTS(N, T, GB_SATURATE)
GBL_FOREACH_FLOAT(GB_DEFINE)
#undef GB_DEFINE

enum { GB_NCODES = GBL_FP64_CODE + 1 };

/* [from][to] */
static const gb_cast_function gb_casts[GB_NCODES][GB_NCODES] = {
#define GB_ROW(from, F)                                                                            \
    [GBL_##from##_CODE] = {                                                                        \
        [GBL_BOOL_CODE] = gb_cast_BOOL_##from,     [GBL_INT8_CODE] = gb_cast_INT8_##from,          \
        [GBL_INT16_CODE] = gb_cast_INT16_##from,   [GBL_INT32_CODE] = gb_cast_INT32_##from,        \
        [GBL_INT64_CODE] = gb_cast_INT64_##from,   [GBL_UINT8_CODE] = gb_cast_UINT8_##from,        \
        [GBL_UINT16_CODE] = gb_cast_UINT16_##from, [GBL_UINT32_CODE] = gb_cast_UINT32_##from,      \
        [GBL_UINT64_CODE] = gb_cast_UINT64_##from, [GBL_FP32_CODE] = gb_cast_FP32_##from,          \
        [GBL_FP64_CODE] = gb_cast_FP64_##from,                                                     \
    },
    GBL_FOREACH_TYPE(GB_ROW)
#undef GB_ROW
};

void gb_cast(const gb_Type *to, void *z, const gb_Type *from, const void *x, int sx, size_t n) {
    if (n == 0) return;
    if (to->code == GBL_UDT_CODE) {
        if (sx == 0)
            gb_fill(z, x, to->size, n);
        else
            memcpy(z, x, n * to->size);
    } else if (sx == 0) {
        uint64_t value;
        gb_casts[from->code][to->code](&value, x, 1);
        gb_fill(z, &value, to->size, n);
    } else {
        gb_casts[from->code][to->code](z, x, n);
    }
}

void gb_cast_parallel(const gb_Type *to, void *z, const gb_Type *from, const void *x, uint64_t n,
                      int nthreads) {
    const int parts = gb_threads_for(n, GB_GRAIN, nthreads);
    GB_PARALLEL_FOR(parts)
    for (int t = 0; t < parts; t++) {
        const uint64_t first = gb_part(n, (uint64_t)t, (uint64_t)parts);
        const uint64_t end = gb_part(n, (uint64_t)t + 1, (uint64_t)parts);
        gb_cast(to, (char *)z + first * to->size, from, (const char *)x + first * from->size, 1,
                end - first);
    }
}

/* -- fill and gather, by size */

#define GB_DEFINE_MOVES(bytes)                                                                     \
    static void gb_fill_##bytes(char *restrict z, const void *x, size_t n) {                       \
        char value[bytes];                                                                         \
        memcpy(value, x, bytes);                                                                   \
        for (size_t k = 0; k < n; k++) memcpy(z + k * bytes, value, bytes);                        \
    }                                                                                              \
    static void gb_gather_##bytes(char *restrict z, const char *restrict x, const uint64_t *at,    \
                                  size_t n) {                                                      \
        for (size_t k = 0; k < n; k++)                                                             \
            if (at[k] != UINT64_MAX) memcpy(z + k * bytes, x + at[k] * bytes, bytes);              \
    }
GB_DEFINE_MOVES(1)
GB_DEFINE_MOVES(2)
GB_DEFINE_MOVES(4)
GB_DEFINE_MOVES(8)
GB_DEFINE_MOVES(16)

void gb_fill(void *z, const void *x, size_t size, size_t n) {
    switch (size) {
    case 1:
        gb_fill_1(z, x, n);
        break;
    case 2:
        gb_fill_2(z, x, n);
        break;
    case 4:
        gb_fill_4(z, x, n);
        break;
    case 8:
        gb_fill_8(z, x, n);
        break;
    case 16:
        gb_fill_16(z, x, n);
        break;
    default:
        for (size_t k = 0; k < n; k++) memcpy((char *)z + k * size, x, size);
    }
}

void gb_gather(void *z, const void *x, const uint64_t *at, size_t size, size_t n) {
    switch (size) {
    case 1:
        gb_gather_1(z, x, at, n);
        break;
    case 2:
        gb_gather_2(z, x, at, n);
        break;
    case 4:
        gb_gather_4(z, x, at, n);
        break;
    case 8:
        gb_gather_8(z, x, at, n);
        break;
    case 16:
        gb_gather_16(z, x, at, n);
        break;
    default:
        for (size_t k = 0; k < n; k++)
            if (at[k] != UINT64_MAX)
                memcpy((char *)z + k * size, (const char *)x + at[k] * size, size);
    }
}
