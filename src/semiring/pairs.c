/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of pairs; see pairs.h. A thread's workspace is six buffers: what was gathered and what it
 * was cast to, for x, y and z.
 */
#include "semiring/cast.h"

#include <string.h>

#include "core/tune.h"

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

void gb_scatter(void *z, const uint64_t *at, const void *values, size_t size, uint64_t n) {
    char *to = z;
    const char *from = values;
    switch (size) {
    case 1:
        for (uint64_t k = 0; k < n; k++) to[at[k]] = from[k];
        break;
    case 4:
        for (uint64_t k = 0; k < n; k++) memcpy(to + at[k] * 4, from + k * 4, 4);
        break;
    case 8:
        for (uint64_t k = 0; k < n; k++) memcpy(to + at[k] * 8, from + k * 8, 8);
        break;
    default:
        for (uint64_t k = 0; k < n; k++) memcpy(to + at[k] * size, from + k * size, size);
    }
}
