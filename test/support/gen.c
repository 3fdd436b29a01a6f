/* SPDX-License-Identifier: Apache-2.0
 *
 * Random content. The generator is splitmix64: its state is a counter, so a seed is all there is to
 * repeat a case.
 */
#include "support/gb_test.h"

#include <string.h>

const char *const t_pattern_names[T_PATTERNS] = {
    "random", "empty rows", "full row", "full column", "one row", "full", "empty", "diagonal",
};

t_Random t_random(uint64_t seed) {
    return (t_Random){seed * 0x9E3779B97F4A7C15u + 0x2545F4914F6CDD1Du};
}

uint64_t t_next(t_Random *r) {
    uint64_t z = (r->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint64_t t_below(t_Random *r, uint64_t n) {
    return t_next(r) % n;
}

bool t_chance(t_Random *r, double p) {
    return (double)(t_next(r) >> 11) * 0x1p-53 < p;
}

o_Value t_value(t_Random *r, o_Type type) {
    o_Value v;
    memset(&v, 0, sizeof v);
    if (type.code == GBL_UDT_CODE) {
        for (size_t k = 0; k < type.size; k++) v.raw[k] = (unsigned char)t_next(r);
        return v;
    }
    if (t_chance(r, 0.05)) return v; /* an explicit zero */
    o_Value x;
    memset(&x, 0, sizeof x);
    if (type.code >= GBL_FC32_CODE) {
        const double re = (double)((int64_t)t_below(r, 31) - 15) / 4;
        x.c64 = __builtin_complex(re, (double)((int64_t)t_below(r, 7) - 3) / 2);
        return o_cast(type, o_type(GBL_FC64_CODE), x);
    }
    if (t_is_float(type.code)) {
        x.f64 = (double)((int64_t)t_below(r, 63) - 31) / 4;
        return o_cast(type, o_type(GBL_FP64_CODE), x);
    }
    const bool is_unsigned = type.code == GBL_UINT8_CODE || type.code == GBL_UINT16_CODE ||
                             type.code == GBL_UINT32_CODE || type.code == GBL_UINT64_CODE;
    x.i64 = (int64_t)t_below(r, 25) - (is_unsigned ? 0 : 12);
    return o_cast(type, o_type(GBL_INT64_CODE), x);
}

o_Value t_wild(t_Random *r, o_Type type) {
    if (type.code == GBL_UDT_CODE || t_is_float(type.code)) return t_value(r, type);
    o_Value x;
    memset(&x, 0, sizeof x);
    x.u64 = t_next(r) >> t_below(r, 64);
    return o_cast(type, o_type(GBL_UINT64_CODE), x);
}

typedef struct {
    t_Random *r;
    const t_Content *content;
    gbl_Index row, column; /* the special ones */
} chooser;

static bool chosen(const chooser *c, gbl_Index i, gbl_Index j) {
    const bool by_density = t_chance(c->r, c->content->density);
    switch (c->content->pattern) {
    case T_EMPTY_ROWS:
        return by_density && i % 3 == 1;
    case T_FULL_ROW:
        return by_density || i == c->row;
    case T_FULL_COLUMN:
        return by_density || j == c->column;
    case T_ONE_ROW:
        return by_density && i == c->row;
    case T_FULL:
        return true;
    case T_EMPTY:
        return false;
    case T_DIAGONAL:
        return i == j;
    default:
        return by_density;
    }
}

o_Matrix t_generate(t_Random *r, const t_Content *content) {
    o_Matrix A = o_new(content->type, content->nrows, content->ncols);
    chooser c = {r, content, 0, 0};
    c.row = A.nrows > 0 ? t_below(r, A.nrows) : 0;
    c.column = A.ncols > 0 ? t_below(r, A.ncols) : 0;
    const o_Value common = t_value(r, content->type);
    for (gbl_Index i = 0; i < A.nrows; i++) {
        for (gbl_Index j = 0; j < A.ncols; j++) {
            if (!chosen(&c, i, j)) continue;
            o_Cell *cell = &A.x[i * A.ncols + j];
            cell->has = true;
            cell->v = content->iso                         ? common
                      : content->wild && t_chance(r, 0.25) ? t_wild(r, content->type)
                                                           : t_value(r, content->type);
        }
    }
    return A;
}
