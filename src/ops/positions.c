/* SPDX-License-Identifier: Apache-2.0
 *
 * See positions.h. The batch function looks up what rows and columns of the compact matrix stand
 * for, then computes.
 */
#include "ops/positions.h"

#include <string.h>

#include "semiring/algebra.h"

/* Predefined operators: what they give, as an integer. y is INT64, or INT32 as ztype is. */
static int64_t compute(gb_Opcode code, int64_t i, int64_t j, int64_t y) {
    const uint64_t moved = (uint64_t)y; /* sums wrap */
    switch (code) {
    case GB_ROWINDEX:
        return (int64_t)((uint64_t)i + moved);
    case GB_COLINDEX:
        return (int64_t)((uint64_t)j + moved);
    case GB_DIAGINDEX:
        return (int64_t)((uint64_t)j - (uint64_t)i + moved);
    case GB_TRIL:
        return j - i <= y;
    case GB_TRIU:
        return j - i >= y;
    case GB_DIAG:
        return j - i == y;
    case GB_OFFDIAG:
        return j - i != y;
    case GB_COLLE:
        return j <= y;
    case GB_COLGT:
        return j > y;
    case GB_ROWLE:
        return i <= y;
    default: /* GB_ROWGT */
        return i > y;
    }
}

static void put_integer(void *z, const gb_Type *type, int64_t value) {
    const int32_t narrow = (int32_t)value;
    const bool truth = value != 0;
    if (type->code == GBL_BOOL_CODE)
        memcpy(z, &truth, sizeof truth);
    else if (type->code == GBL_INT32_CODE)
        memcpy(z, &narrow, sizeof narrow);
    else
        memcpy(z, &value, sizeof value);
}

/* The batch function of a gb_PositionOp. */
static void compute_at(const gb_IndexUnaryOp *op, size_t n, void *z, const void *x, int sx,
                       gb_Positions at, const void *y) {
    const gb_PositionOp *self = (const gb_PositionOp *)(const void *)op;
    const gb_IndexUnaryOp *own = self->own;
    const size_t zsize = own->ztype->size;
    const size_t xstep = sx != 0 && own->xtype != NULL ? own->xtype->size : 0;
    const size_t si = (size_t)at.si, sj = (size_t)at.sj;
    int64_t number = 0;
    if (own->code != GB_USER) gb_cast(gb_type_of(GBL_INT64_CODE), &number, own->ytype, y, 1, 1);
    for (size_t k = 0; k < n; k++) {
        const uint64_t i = self->rows->index[at.i[k * si]];
        const uint64_t j = self->cols != NULL ? self->cols->index[at.j[k * sj]] : 0;
        char *to = (char *)z + k * zsize;
        if (own->code == GB_USER)
            own->user(to, (const char *)x + k * xstep, i, j, y);
        else
            put_integer(to, own->ztype, compute(own->code, (int64_t)i, (int64_t)j, number));
    }
}

gb_PositionOp gb_position_op(const gb_IndexUnaryOp *op, const gb_RowList *rows,
                             const gb_RowList *cols) {
    gb_PositionOp self = {.op = *op, .own = op, .rows = rows, .cols = cols};
    self.op.code = GB_USER; /* nothing is known of it */
    self.op.batch = compute_at;
    return self;
}
