/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors over a grid: life and pieces.
 */
#include "dist.h"

gb_Range gb_piece(gbl_DistVector v) {
    const gb_Range block = gb_part(v->size, v->grid->side, v->grid->row);
    const gb_Range piece = gb_part(block.size, v->grid->side, v->grid->col);
    return (gb_Range){block.first + piece.first, piece.size};
}

gbl_Info gb_agree_piece(gbl_DistVector v, gbl_Info info, gbl_Vector piece) {
    info = gb_agree(v->grid, info);
    if (info) {
        gbl_Vector_free(&piece);
        return info;
    }
    gbl_Vector_free(&v->piece);
    v->piece = piece;
    return GBL_SUCCESS;
}

gbl_Info gb_output_piece(gbl_Vector *piece, gbl_DistVector w, bool needed) {
    return needed ? gbl_Vector_dup(piece, w->piece)
                  : gbl_Vector_new(piece, w->type, gb_piece(w).size);
}

gbl_Info gbl_DistVector_new(gbl_DistVector *v, gbl_Type type, gbl_Index size, gbl_Grid grid) {
    gb_Kind kind;
    gbl_DistVector made = NULL;
    gbl_Info info;
    if (!v || !grid)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistVector_new: v or grid is NULL");
    *v = NULL;
    if ((info = gb_kind(&kind, type))) goto done;
    if (size > GBL_INDEX_MAX || gb_part(size, grid->side, grid->side - 1).size >= INT32_MAX) {
        info = gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                        "%llu elements: blocks have less than 2^31 - 1; start more processes",
                        (unsigned long long)size);
        goto done;
    }
    if (!(made = gb_array(1, sizeof *made))) {
        info = gb_no_memory("a distributed vector");
        goto done;
    }
    *made = (struct gbl_DistVector_opaque){.grid = grid, .type = type, .size = size};
    info = gbl_Vector_new(&made->piece, type, gb_piece(made).size);
done:
    info = gb_agree(grid, info);
    if (info)
        gbl_DistVector_free(&made);
    else
        *v = made;
    return info;
}

gbl_Info gbl_DistVector_free(gbl_DistVector *v) {
    if (!v || !*v) return GBL_SUCCESS;
    gbl_Vector_free(&(*v)->piece);
    gbl_Memory_free(*v);
    *v = NULL;
    return GBL_SUCCESS;
}

gbl_Info gbl_DistVector_dup(gbl_DistVector *w, gbl_DistVector u) {
    gbl_Vector piece = NULL;
    gbl_Info info;
    if (!w || !u) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistVector_dup: w or u is NULL");
    if ((info = gbl_DistVector_new(w, u->type, u->size, u->grid))) return info;
    info = gbl_Vector_dup(&piece, u->piece);
    if ((info = gb_agree_piece(*w, info, piece))) gbl_DistVector_free(w);
    return info;
}

gbl_Info gbl_DistVector_shape(gbl_Index *size, gbl_Type *type, gbl_DistVector v) {
    if (!v) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistVector_shape: v is NULL");
    if (size) *size = v->size;
    if (type) *type = v->type;
    return GBL_SUCCESS;
}

gbl_Info gbl_DistVector_nvals(gbl_Index *nvals, gbl_DistVector v) {
    gbl_Index here = 0;
    if (!v || !nvals)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistVector_nvals: v or nvals is NULL");
    const gbl_Info info = gb_agree(v->grid, gbl_Vector_nvals(&here, v->piece));
    if (info) return info;
    MPI_Allreduce(&here, nvals, 1, MPI_UINT64_T, MPI_SUM, v->grid->all);
    return GBL_SUCCESS;
}

gbl_Info gbl_DistVector_piece(gbl_Vector *piece, gbl_Index *first, gbl_DistVector v) {
    if (!v) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistVector_piece: v is NULL");
    if (piece) *piece = v->piece;
    if (first) *first = gb_piece(v).first;
    return GBL_SUCCESS;
}

gbl_Info gbl_DistVector_setElement_INT64(gbl_DistVector v, int64_t x, gbl_Index i) {
    gbl_Vector piece = NULL;
    gbl_Info info;
    if (!v) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistVector_setElement_INT64: v is NULL");
    const gb_Range own = gb_piece(v);
    if (i >= v->size)
        return gbl_fail(GBL_INVALID_INDEX, NULL, "element %llu of a vector of %llu",
                        (unsigned long long)i, (unsigned long long)v->size);
    if (!(info = gb_output_piece(&piece, v, true)) && i >= own.first && i - own.first < own.size)
        info = gbl_Vector_setElement_INT64(piece, x, i - own.first);
    return gb_agree_piece(v, info, piece);
}
