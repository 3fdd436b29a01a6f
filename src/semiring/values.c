/* SPDX-License-Identifier: Apache-2.0
 *
 * See cast.h. Built-in types only: a user type casts into itself, which is a copy.
 */

#include "core/bits.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "semiring/cast.h"
#include "semiring/objects.h"

/* z[k] = (to) x[k] for k < n; one function per pair of types. */
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
#define GB_LOWEST(T, to) ((T)(-to##_MAX - 1)) /* 0 of unsigned ones */
#define GB_SATURATE(to, T, F, x)                                                                   \
    ((x) != (x)                   ? (T)0                                                           \
     : (x) >= (F)to##_MAX         ? (T)to##_MAX                                                    \
     : (x) <= (F)GB_LOWEST(T, to) ? GB_LOWEST(T, to)                                               \
                                  : (T)(x))

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
    if (to->code == from->code) {
        if (sx == 0)
            gb_fill(z, x, to->size, n);
        else
            memcpy(z, x, n * to->size);
    } else if (sx == 0) {
        gb_Builtin value;
        gb_cast(to, &value, from, x, 1, 1);
        gb_fill(z, &value, to->size, n);
    } else if (gb_type_is_complex(to) || gb_type_is_complex(from)) {
        gb_cast_complex(to, z, from, x, n);
    } else {
        gb_casts[from->code][to->code](z, x, n);
    }
}

/* z[k] = x[k] where b[k] is 1, else zero bytes, which are a value of every built-in type. */
#define GB_DEFINE_KEEP(T)                                                                          \
    static void keep_##T(char *z, const char *x, const int8_t *b, size_t n) {                      \
        for (size_t k = 0; k < n; k++) {                                                           \
            T value;                                                                               \
            memcpy(&value, x + k * sizeof value, sizeof value);                                    \
            value = (T)(value & (T)(0 - (T)(b[k] != 0)));                                          \
            memcpy(z + k * sizeof value, &value, sizeof value);                                    \
        }                                                                                          \
    }
typedef unsigned __int128 Widest;
GB_DEFINE_KEEP(uint8_t)
GB_DEFINE_KEEP(uint16_t)
GB_DEFINE_KEEP(uint32_t)
GB_DEFINE_KEEP(uint64_t)
GB_DEFINE_KEEP(Widest)

static void keep_present(char *z, const char *x, const int8_t *b, size_t size, size_t n) {
    (size == 1   ? keep_uint8_t
     : size == 2 ? keep_uint16_t
     : size == 4 ? keep_uint32_t
     : size == 8 ? keep_uint64_t
                 : keep_Widest)(z, x, b, n);
}

void gb_cast_present(const gb_Type *to, void *z, const gb_Array *from, size_t first, size_t n) {
    _Alignas(gb_Builtin) char known[GB_BATCH * sizeof(gb_Builtin)];
    const size_t size = from->type->size;
    const char *x = (const char *)from->x + first * size;
    if (from->b == NULL || to->code == GBL_UDT_CODE) {
        gb_cast(to, z, from->type, x, 1, n);
        return;
    }
    for (size_t k = 0; k < n; k += GB_BATCH) {
        const size_t m = n - k < GB_BATCH ? n - k : GB_BATCH;
        const int8_t *b = from->b + first + k;
        const bool all = memchr(b, 0, m) == NULL;
        if (!all) keep_present(known, x + k * size, b, size, m);
        gb_cast(to, (char *)z + k * to->size, from->type, all ? x + k * size : known, 1, m);
    }
}

typedef struct {
    const gb_Type *to;
    char *z;
    const gb_Array *from;
} CastJob;

static void cast_range(void *context, uint64_t first, uint64_t end) {
    const CastJob *job = context;
    gb_cast_present(job->to, job->z + first * job->to->size, job->from, first, end - first);
}

gbl_Info gb_cast_copy(void **z, size_t *bytes, const gb_Type *to, const gb_Array *from,
                      int nthreads) {
    *z = NULL;
    *bytes = gb_size_of(from->n, to->size);
    char *made = gb_malloc(*bytes);
    if (made == NULL && *bytes > 0) return gb_fail_memory(*bytes);
    const gbl_Info info = gb_parallel_try_ranges(gb_threads_for(from->n, GB_GRAIN, nthreads),
                                                 from->n, cast_range, &(CastJob){to, made, from});
    if (info == GBL_SUCCESS)
        *z = made;
    else
        gb_free(made, *bytes);
    return info;
}

/* -- moving values -------------------------------------------------------------------------- */

/* Arrays of user-defined types are aligned as the user's C type is, which may be less than its size
 * suggests; so values move by memcpy of a constant size, which compilers turn into plain moves. */

GB_INLINE void fill(size_t size, char *restrict z, const void *x, size_t n) {
    for (size_t k = 0; k < n; k++) memcpy(z + k * size, x, size);
}

void gb_fill(void *z, const void *x, size_t size, size_t n) {
    gb_Builtin value;
    if (size <= sizeof value) x = memcpy(&value, x, size); /* which no store to z changes */
    GB_BY_SIZE(fill, size, z, x, n);
}

GB_INLINE void gather(size_t size, char *restrict z, const char *restrict x, const uint64_t *at,
                      size_t n) {
    for (size_t k = 0; k < n; k++)
        if (at[k] != UINT64_MAX) memcpy(z + k * size, x + at[k] * size, size);
}

void gb_gather(void *z, const void *x, const uint64_t *at, size_t size, size_t n) {
    GB_BY_SIZE(gather, size, z, x, at, n);
}

GB_INLINE void scatter(size_t size, char *z, const uint64_t *at, const char *values, uint64_t n) {
    for (uint64_t k = 0; k < n; k++) memcpy(z + at[k] * size, values + k * size, size);
}

void gb_scatter(void *z, const uint64_t *at, const void *values, size_t size, uint64_t n) {
    GB_BY_SIZE(scatter, size, z, at, values, n);
}

/* -- values of pairs ------------------------------------------------------------------------ */

/* Values of pairs; see cast.h. A thread's workspace is six buffers: what was gathered and what it
 * was cast to, for x, y and z. */

enum { X_RAW, X_CAST, Y_RAW, Y_CAST, Z_RAW, Z_CAST, BUFFERS };
enum { BUFFER_LIMIT = 64 << 10 }; /* large user types are combined in shorter batches */

static size_t largest(size_t a, size_t b) {
    return a > b ? a : b;
}

size_t gb_pairs_prepare(gb_Pairs *pairs, uint64_t most) {
    const gb_BinaryOp *op = pairs->op;
    const size_t size = largest(largest(largest(pairs->xtype->size, pairs->ytype->size),
                                        largest(op->xtype->size, op->ytype->size)),
                                largest(pairs->ztype->size, op->ztype->size));
    pairs->batch = GB_BATCH;
    if (size > BUFFER_LIMIT / GB_BATCH)
        pairs->batch = size < BUFFER_LIMIT ? BUFFER_LIMIT / size : 1;
    if (pairs->batch > most) pairs->batch = most > 0 ? most : 1;
    pairs->buffer_bytes = (pairs->batch * size + 63) / 64 * 64;
    return BUFFERS * pairs->buffer_bytes;
}

typedef struct {
    const gb_Type *want, *type;
    const void *x;
    bool iso;
    const uint64_t *at;
    uint64_t from;
} Side;

/* The n values of one side as the operator's type; iso sides give one value and stride 0. */
static const void *load(char *raw, char *cast, const Side *side, uint64_t n, int *stride) {
    const void *values = raw;
    *stride = side->iso ? 0 : 1;
    if (side->iso) {
        values = side->x;
    } else if (side->at != NULL) {
        gb_gather(raw, side->x, side->at, side->type->size, n);
    } else {
        values = (const char *)side->x + side->from * side->type->size;
    }
    if (side->want == side->type) return values;
    gb_cast(side->want, cast, side->type, values, 1, side->iso ? 1 : n);
    return cast;
}

const void *gb_pairs_combine(const gb_Pairs *pairs, char *work, gb_PairsAt at, uint64_t n,
                             void *z) {
    const size_t step = pairs->buffer_bytes;
    const gb_BinaryOp *op = pairs->op;
    const Side xside = {op->xtype, pairs->xtype, pairs->x, pairs->xiso, at.x, at.from};
    const Side yside = {op->ytype, pairs->ytype, pairs->y, pairs->yiso, at.y, at.from};
    const bool casts = op->ztype != pairs->ztype;
    int sx, sy;
    const void *x = load(work + X_RAW * step, work + X_CAST * step, &xside, n, &sx);
    const void *y = load(work + Y_RAW * step, work + Y_CAST * step, &yside, n, &sy);
    void *raw = z != NULL && !casts ? z : work + Z_RAW * step;
    void *cast = z != NULL ? z : work + Z_CAST * step;
    op->batch(op, n, raw, x, sx, y, sy);
    if (casts) gb_cast(pairs->ztype, cast, op->ztype, raw, 1, n);
    return casts ? cast : raw;
}
