/* SPDX-License-Identifier: Apache-2.0
 *
 * The cast copy is made per call and not cached: a caller that multiplies often should hold the
 * matrix in the right type.
 */
#include "matrix/operand.h"

#include "core/context.h"
#include "core/memory.h"
#include "core/tiles.h"
#include "matrix/acquire.h"
#include "semiring/cast.h"

/* The values of a view as the operand's own, cast to `type`. */
static gbl_Info own_cast(const void **x, void **owned, size_t *bytes, const gb_Type *type,
                         const gb_Array *values) {
    const gbl_Info info = gb_cast_copy(owned, bytes, type, values, gb_nthreads());
    *x = *owned;
    return info;
}

static bool must_cast(const gb_Type *type, const gb_Matrix *A) {
    return type != A->type && type->code != A->type->code;
}

/* The view has been got: its values as ones of `type`. */
static gbl_Info cast_values(gb_Operand *operand, const gb_Matrix *A, const gb_Type *type) {
    gb_CsView *view = &operand->view;
    gbl_Info info = GBL_SUCCESS;
    if (type == NULL) {
        view->x = NULL;
    } else if (must_cast(type, A)) {
        const gb_Array values = {
            .type = A->type, .x = view->x, .n = view->iso && view->nvals > 0 ? 1 : view->nvals};
        info = own_cast(&view->x, &operand->owned, &operand->owned_bytes, type, &values);
        view->xsize = type->size;
    }
    return info;
}

gbl_Info gb_operand_get(gb_Operand *operand, gb_Matrix *A, gb_Format format, const gb_Type *type) {
    *operand = (gb_Operand){0};
    const gbl_Info info = gb_acquire(A, format, &operand->view);
    return info == GBL_SUCCESS ? cast_values(operand, A, type) : info;
}

gbl_Info gb_operand_get_sorted(gb_Operand *operand, gb_Matrix *A, gb_Format format,
                               const gb_Type *type) {
    *operand = (gb_Operand){0};
    const gbl_Info info = gb_acquire_sorted(A, format, &operand->view);
    return info == GBL_SUCCESS ? cast_values(operand, A, type) : info;
}

void gb_operand_release(gb_Operand *operand) {
    gb_free(operand->owned, operand->owned_bytes);
    *operand = (gb_Operand){0};
}

gbl_Info gb_tile_operand_get(gb_TileOperand *operand, gb_Matrix *A, gb_Format format,
                             const gb_Type *type) {
    *operand = (gb_TileOperand){0};
    gb_TileView *view = &operand->view;
    gbl_Info info = gb_acquire_tiles(A, format, view);
    if (info != GBL_SUCCESS) return info;
    if (type == NULL) {
        view->x = NULL;
    } else if (must_cast(type, A)) {
        const gb_Array values = {
            .type = A->type, .x = view->x, .n = view->iso && view->nvals > 0 ? 1 : view->nvals};
        info = own_cast(&view->x, &operand->owned.x, &operand->owned.xcap, type, &values);
        view->xsize = type->size;
    }
    return info;
}

void gb_tile_operand_release(gb_TileOperand *operand) {
    gb_tiles_free(&operand->owned);
    *operand = (gb_TileOperand){0};
}

gbl_Info gb_dense_operand_get(gb_DenseOperand *operand, gb_Matrix *v, const gb_Type *type) {
    *operand = (gb_DenseOperand){0};
    gb_DenseView *view = &operand->view;
    gbl_Info info = gb_acquire_dense(v, view);
    if (info != GBL_SUCCESS) return info;
    if (type == NULL) {
        view->x = NULL;
    } else if (must_cast(type, v)) {
        const gb_Array values = {.type = v->type,
                                 .x = view->x,
                                 .b = view->iso ? NULL : view->b,
                                 .n = view->iso ? 1 : view->n};
        info = own_cast(&view->x, &operand->owned, &operand->owned_bytes, type, &values);
        view->xsize = type->size;
    }
    return info;
}

void gb_dense_operand_release(gb_DenseOperand *operand) {
    gb_free(operand->owned, operand->owned_bytes);
    *operand = (gb_DenseOperand){0};
}
