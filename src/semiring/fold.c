/* SPDX-License-Identifier: Apache-2.0
 *
 * See fold.h.
 */
#include "semiring/fold.h"

#include <float.h>

#include "semiring/objects.h"
#include "semiring/scalar_ops.h"

gb_Fold gb_fold_monoid(const gb_Monoid *monoid) {
    return (gb_Fold){monoid, monoid->op};
}

/* Built-in operators with a predefined monoid run as that monoid, whose batch is faster. */
gb_Fold gb_fold_op(const gb_BinaryOp *op) {
    return (gb_Fold){gb_monoid_predefined(op), op};
}

bool gb_fold_order_is_unseen(const gb_Fold *fold) {
    const gbl_Type_Code type = fold->op->ztype->code;
    const gb_Opcode op = fold->op->code;
    if (op == GB_USER || fold->monoid == NULL) return false;
    if (type < GBL_FP32_CODE) return true;
    return op == GB_MIN || op == GB_MAX || op == GB_ANY;
}

/* -- one value many times ---------------------------------------------------------------------- */

/* z + x + ... + x, n times. While sums stay between two powers of two, all have the same spacing,
 * and from the second on each addition moves the sum by the same multiple of it: a first one may
 * round to odd, ties after it do not. So the steps up to the next power of two are made at once,
 * and that is exact. */
#define GB_DEFINE_ADD(N, T, FREXP, LDEXP)                                                          \
    static void gb_add_repeat_##N(void *sum, const void *x, uint64_t n) {                          \
        T z, by;                                                                                   \
        memcpy(&z, sum, sizeof z);                                                                 \
        memcpy(&by, x, sizeof by);                                                                 \
        while (n >= 4) {                                                                           \
            const T one = z + by, two = one + by, three = two + by, step = three - two;            \
            int exponent, of_one;                                                                  \
            z = three;                                                                             \
            n -= 3;                                                                                \
            if (three == two || !isfinite(three)) n = 0;                                           \
            (void)FREXP(one, &of_one);                                                             \
            (void)FREXP(three, &exponent);                                                         \
            if (n == 0 || exponent != of_one || (three < 0) != (step < 0)) continue;               \
            const T steps =                                                                        \
                (LDEXP((T)1, exponent) - (z < 0 ? -z : z)) / (step < 0 ? -step : step);            \
            if (!(steps >= 2)) continue;                                                           \
            uint64_t most = (uint64_t)steps - 1;                                                   \
            most = most < n ? most : n;                                                            \
            z += (T)most * step;                                                                   \
            n -= most;                                                                             \
        }                                                                                          \
        for (; n > 0; n--) z += by;                                                                \
        memcpy(sum, &z, sizeof z);                                                                 \
    }
GB_DEFINE_ADD(FP32, float, frexpf, ldexpf)
GB_DEFINE_ADD(FP64, double, frexp, ldexp)

/* Any grouping gives the same bits. */
static bool is_exact(const gb_BinaryOp *op) {
    const gbl_Type_Code type = op->ztype->code;
    return op->code != GB_USER && type < GBL_FP32_CODE;
}

static void repeat_exact(const gb_BinaryOp *op, void *z, uint64_t n, void *power, void *spare) {
    const size_t size = op->ztype->size;
    for (; n > 0; n /= 2) {
        if (n % 2 != 0) {
            op->scalar(spare, z, power);
            memcpy(z, spare, size);
        }
        op->scalar(spare, power, power);
        memcpy(power, spare, size);
    }
}

void gb_fold_repeat(const gb_BinaryOp *op, void *z, const void *x, uint64_t n, void *space) {
    const size_t size = op->ztype->size;
    char *spare = space, *power = spare + size;
    const bool plus = op->code == GB_PLUS, exact = is_exact(op);
    if (plus && op->ztype->code == GBL_FP32_CODE) {
        gb_add_repeat_FP32(z, x, n);
    } else if (plus && op->ztype->code == GBL_FP64_CODE) {
        gb_add_repeat_FP64(z, x, n);
    } else if (exact) {
        memcpy(power, x, size);
        repeat_exact(op, z, n, power, spare);
    } else {
        for (uint64_t k = 0; k < n; k++) {
            op->scalar(spare, z, x);
            if (memcmp(spare, z, size) == 0) return; /* nor will another one change it */
            memcpy(z, spare, size);
        }
    }
}

#define GB_DEFINE(op, N, T)                                                                        \
    static void gb_fold_##op##_##N(const gb_ScatterFold *f) {                                      \
        const uint64_t *at = f->at, *from = f->from;                                               \
        const T *x = f->x;                                                                         \
        T *z = f->z;                                                                               \
        for (size_t k = 0; k < f->n; k++) z[at[k]] = gb_##op##_##N(z[at[k]], x[from[k]]);          \
    }
#define GB_DEFINE_NUMERIC(N, T)                                                                    \
    GB_DEFINE(PLUS, N, T) GB_DEFINE(TIMES, N, T) GB_DEFINE(MIN, N, T) GB_DEFINE(MAX, N, T)
GBL_FOREACH_NUMERIC(GB_DEFINE_NUMERIC)
#define GB_DEFINE_BITS(N, T)                                                                       \
    GB_DEFINE(BOR, N, T) GB_DEFINE(BAND, N, T) GB_DEFINE(BXOR, N, T) GB_DEFINE(BXNOR, N, T)
GBL_FOREACH_UNSIGNED(GB_DEFINE_BITS)
GB_DEFINE(LOR, BOOL, bool)
GB_DEFINE(LAND, BOOL, bool)
GB_DEFINE(LXOR, BOOL, bool)
GB_DEFINE(LXNOR, BOOL, bool)

#define GB_OF(op, N) [GB_##op][GBL_##N##_CODE] = gb_fold_##op##_##N,
static const gb_scatter_fold gb_folds[GB_BXNOR + 1][GBL_FC64_CODE + 1] = {GB_ENTRIES_OF_FOLDS};

gb_scatter_fold gb_scatter_fold_of(const gb_BinaryOp *op) {
    const gb_Opcode code = gb_opcode_canonical(op->code, op->xtype->code);
    const bool one_type = op->xtype == op->ztype && op->ytype == op->ztype;
    return one_type && code <= GB_BXNOR ? gb_folds[code][op->xtype->code] : NULL;
}
