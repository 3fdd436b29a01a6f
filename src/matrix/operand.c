/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands: views whose values have the type an operator wants. The cast copy is made per call and
 * not cached: a caller that multiplies often should hold the matrix in the right type.
 */
#include "matrix/matrix.h"

#include "core/context.h"

gbl_Info gb_cast_copy(void **z, size_t *bytes, const gb_Type *to, const gb_Type *from,
                      const void *x, uint64_t n) {
    *z = NULL;
    if (!gb_size_mul(bytes, n, to->size)) return gb_fail_memory(NULL, SIZE_MAX);
    char *made = gb_malloc(*bytes);
    if (made == NULL && *bytes > 0) return gb_fail_memory(NULL, *bytes);
    gb_cast_parallel(to, made, from, x, n, gb_nthreads());
    *z = made;
    return GBL_SUCCESS;
}

gbl_Info gb_operand_get(gb_Operand *operand, gb_Matrix *A, gb_Format format, const gb_Type *type) {
    *operand = (gb_Operand){0};
    gb_CsView *view = &operand->view;
    gbl_Info info = gb_need(A, format, view);
    if (info != GBL_SUCCESS) return info;
    if (type == NULL) {
        view->x = NULL;
    } else if (type != A->type && type->code != A->type->code) {
        info = gb_cast_copy(&operand->owned, &operand->owned_bytes, type, A->type, view->x,
                            view->iso && view->nvals > 0 ? 1 : view->nvals);
        view->x = operand->owned;
        view->xsize = type->size;
    }
    return info;
}

void gb_operand_release(gb_Operand *operand) {
    gb_free(operand->owned, operand->owned_bytes);
    *operand = (gb_Operand){0};
}

gbl_Info gb_tile_operand_get(gb_TileOperand *operand, gb_Matrix *A, gb_Format format,
                             const gb_Type *type) {
    *operand = (gb_TileOperand){0};
    gb_TileView *view = &operand->view;
    gbl_Info info = gb_need_tiles(A, format, view);
    if (info != GBL_SUCCESS) return info;
    if (type == NULL) {
        view->x = NULL;
    } else if (type != A->type && type->code != A->type->code) {
        info = gb_cast_copy(&operand->owned.x, &operand->owned.xcap, type, A->type, view->x,
                            view->iso && view->nvals > 0 ? 1 : view->nvals);
        view->x = operand->owned.x;
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
    gbl_Info info = gb_need_dense(v, view);
    if (info != GBL_SUCCESS) return info;
    if (type == NULL) {
        view->x = NULL;
    } else if (type != v->type && type->code != v->type->code) {
        info = gb_cast_copy(&operand->owned, &operand->owned_bytes, type, v->type, view->x,
                            view->iso ? 1 : view->n);
        view->x = operand->owned;
        view->xsize = type->size;
    }
    return info;
}

void gb_dense_operand_release(gb_DenseOperand *operand) {
    gb_free(operand->owned, operand->owned_bytes);
    *operand = (gb_DenseOperand){0};
}
