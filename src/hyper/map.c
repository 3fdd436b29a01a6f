/* SPDX-License-Identifier: Apache-2.0
 *
 * apply and select, lifted. Operators on values run on compact matrices as they are. Those that
 * look at positions must see true indices, which are wider than those of kernels: in their place
 * kernels get one whose batch function looks up what rows and columns of the compact matrix stand
 * for, and then computes.
 */
#include <string.h>

#include "kernel_api/backend.h"
#include "hyper/hyper.h"
#include "hyper/lift.h"
#include "ops/select.h"

static const gb_Mask no_mask = {0};

bool gb_sees_positions(const gb_IndexUnaryOp *op) {
    return op->code < GB_VALUEEQ;
}

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

/* The batch function of a gb_NamedOp. */
static void compute_named(const gb_IndexUnaryOp *op, size_t n, void *z, const void *x, int sx,
                          gb_Positions at, const void *y) {
    const gb_NamedOp *named = (const gb_NamedOp *)(const void *)op;
    const gb_IndexUnaryOp *own = named->own;
    const size_t zsize = own->ztype->size;
    const size_t xstep = sx != 0 && own->xtype != NULL ? own->xtype->size : 0;
    const size_t si = (size_t)at.si, sj = (size_t)at.sj;
    int64_t number = 0;
    if (own->code != GB_USER) gb_cast(gb_type_of(GBL_INT64_CODE), &number, own->ytype, y, 1, 1);
    for (size_t k = 0; k < n; k++) {
        const uint64_t i = named->rows->index[at.i[k * si]];
        const uint64_t j = named->cols != NULL ? named->cols->index[at.j[k * sj]] : 0;
        char *to = (char *)z + k * zsize;
        if (own->code == GB_USER)
            own->user(to, (const char *)x + k * xstep, i, j, y);
        else
            put_integer(to, own->ztype, compute(own->code, (int64_t)i, (int64_t)j, number));
    }
}

gb_NamedOp gb_name_op(const gb_IndexUnaryOp *op, const gb_RowList *rows, const gb_RowList *cols) {
    gb_NamedOp named = {.op = *op, .own = op, .rows = rows, .cols = cols};
    named.op.code = GB_USER; /* nothing is known of it */
    named.op.batch = compute_named;
    return named;
}

/* -- the operations */

typedef gbl_Info Operation(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                           const gb_Map *map, gb_Matrix *A, bool transpose);

static gbl_Info lift_map(gb_Lift *lift, Operation *operation, const gb_Map *asked, bool transpose) {
    gbl_Info info = gb_lift_begin(lift);
    if (info == GBL_SUCCESS) {
        const bool vector = gb_is_vector(lift->operand[GB_OF_C].object);
        gb_NamedOp named;
        gb_Map map = *asked;
        if (map.index != NULL && gb_sees_positions(map.index)) {
            named = gb_name_op(map.index, lift->axis[GB_DIM_ROWS],
                               vector ? NULL : lift->axis[GB_DIM_COLS]);
            map.index = &named.op;
        }
        info = operation(gb_core(lift, GB_OF_C), &lift->core_mask, lift->accum, &map,
                         gb_core(lift, GB_OF_A), transpose);
    }
    return gb_lift_end(lift, info);
}

static void begin_map(gb_Lift *lift, gb_Matrix *A, bool transpose) {
    gb_lift_input(lift, GB_OF_A, A, transpose ? GB_DIM_COLS : GB_DIM_ROWS,
                  transpose ? GB_DIM_ROWS : GB_DIM_COLS);
}

gbl_Info gb_lifted_apply(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                         const gb_Map *map, gb_Matrix *A, bool transpose) {
    if (!gb_any_hyper(C, mask, A, NULL)) return gb_apply(C, mask, accum, map, A, transpose);
    gb_Lift lift;
    gb_lift_output(&lift, C, mask, accum);
    begin_map(&lift, A, transpose);
    return lift_map(&lift, gb_apply, map, transpose);
}

gbl_Info gb_lifted_select(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                          const gb_Map *map, gb_Matrix *A, bool transpose) {
    if (!gb_any_hyper(C, mask, A, NULL)) return gb_select(C, mask, accum, map, A, transpose);
    gb_Lift lift;
    gb_lift_output(&lift, C, mask, accum);
    begin_map(&lift, A, transpose);
    return lift_map(&lift, gb_select, map, transpose);
}

gbl_Info gb_hyper_indices(gb_Matrix **Z, gb_Matrix *A, gb_Type *type, bool of_rows) {
    static const int64_t zero = 0;
    const gb_IndexUnaryOp *op = type->code == GBL_INT64_CODE
                                    ? of_rows ? GBL_ROWINDEX_INT64 : GBL_COLINDEX_INT64
                                : of_rows ? GBL_ROWINDEX_INT32
                                          : GBL_COLINDEX_INT32;
    const gb_Map map = {.index = op, .bound = &zero};
    const gbl_Info info = gb_matrix_new(Z, A->magic, type, A->nrows, A->ncols);
    return info == GBL_SUCCESS ? gb_lifted_apply(*Z, &no_mask, NULL, &map, A, false) : info;
}
