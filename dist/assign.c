/* SPDX-License-Identifier: Apache-2.0
 *
 * Assignment, reduction to a scalar, transposition and diagonals.
 */
#include "dist.h"

#include <string.h>

gbl_Info gbl_DistMatrix_assign(gbl_DistMatrix C, gbl_DistMatrix M, gbl_BinaryOp accum,
                               gbl_DistMatrix A, gbl_Descriptor desc) {
    const gbl_DistMatrix objects[] = {A, M ? M : C};
    gbl_DistMatrix made = NULL, from = NULL;
    gbl_Matrix T = NULL;
    gbl_Info info;
    if (!C) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_assign: C is NULL");
    if ((info = gb_on_grid(C->grid, objects, 2)) ||
        (info = gb_operand(&from, &made, A, desc, GBL_INP0)))
        goto done;
    if (C->nrows != from->nrows || C->ncols != from->ncols ||
        (M && (M->nrows != C->nrows || M->ncols != C->ncols)))
        info = gbl_fail(GBL_DIMENSION_MISMATCH, NULL,
                        "gbl_DistMatrix_assign: C, A and the mask have one shape");
    else
        info = gb_write(C, M, accum, &T, desc, gbl_Matrix_dup(&T, from->block));
done:
    gbl_DistMatrix_free(&made);
    return info;
}

static gbl_Info check_vectors(gbl_DistVector w, gbl_DistVector m, gbl_DistVector u) {
    if (!w || !u) return gbl_fail(GBL_NULL_POINTER, NULL, "a distributed vector is NULL");
    if (w->grid != u->grid || (m && m->grid != w->grid))
        return gbl_fail(GBL_INVALID_VALUE, NULL, "operands are on different grids");
    if (w->size != u->size || (m && m->size != w->size))
        return gbl_fail(GBL_DIMENSION_MISMATCH, NULL, "w, u and the mask have one size");
    return GBL_SUCCESS;
}

gbl_Info gbl_DistVector_assign(gbl_DistVector w, gbl_DistVector m, gbl_BinaryOp accum,
                               gbl_DistVector u, gbl_Descriptor desc) {
    gbl_Vector t = NULL;
    gbl_Info info = check_vectors(w, m, u);
    if (info) return info;
    info = gbl_Vector_dup(&t, u->piece);
    return gb_write_vector(w, m, accum, &t, desc, info);
}

gbl_Info gbl_DistMatrix_assign_Scalar(gbl_DistMatrix C, gbl_DistMatrix M, gbl_BinaryOp accum,
                                      gbl_Scalar x, gbl_Descriptor desc) {
    const gbl_DistMatrix objects[] = {M ? M : C};
    gbl_Matrix T = NULL;
    gbl_Info info;
    if (!C) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_assign_Scalar: C is NULL");
    if ((info = gb_on_grid(C->grid, objects, 1))) return info;
    if (M && (M->nrows != C->nrows || M->ncols != C->ncols))
        return gbl_fail(GBL_DIMENSION_MISMATCH, NULL,
                        "gbl_DistMatrix_assign_Scalar: the mask has C's shape");
    if (!(info = gb_output(&T, C, true)))
        info = gbl_Matrix_assign_Scalar(T, M ? M->block : NULL, accum, x, GBL_ALL, 0, GBL_ALL, 0,
                                        desc);
    return gb_agree_block(C, info, T);
}

gbl_Info gbl_DistVector_assign_Scalar(gbl_DistVector w, gbl_DistVector m, gbl_BinaryOp accum,
                                      gbl_Scalar x, gbl_Descriptor desc) {
    gbl_Vector t = NULL;
    gbl_Info info = check_vectors(w, m, w);
    if (info) return info;
    if (!(info = gb_output_piece(&t, w, true)))
        info = gbl_Vector_assign_Scalar(t, m ? m->piece : NULL, accum, x, GBL_ALL, 0, desc);
    return gb_agree_piece(w, info, t);
}

/* -- reduction */

/* The sums of all processes, as the entries of a vector, in every process. */
static gbl_Info gather_sums(gbl_Vector *sums, gbl_Scalar own, gbl_Type type, gbl_Grid grid) {
    const uint64_t processes = (uint64_t)grid->side * (uint64_t)grid->side;
    gbl_Vector here = NULL;
    gbl_Info info;
    *sums = NULL;
    if (!(info = gbl_Vector_new(&here, type, 1))) info = gbl_Vector_setElement_Scalar(here, own, 0);
    info = gb_agree(grid, info);
    const gb_Exchange exchange = {.grid = grid, .comm = grid->all};
    if (!info) info = gb_join_parts(sums, &exchange, here, processes);
    gbl_Vector_free(&here);
    return info;
}

/* *s accum= the sums of all processes, in their order. */
static gbl_Info reduce(gbl_Scalar s, gbl_BinaryOp accum, gbl_Monoid op, gbl_Scalar own,
                       gbl_Type type, gbl_Grid grid) {
    gbl_Vector sums = NULL;
    gbl_Scalar result = NULL;
    gbl_Info info = gather_sums(&sums, own, type, grid);
    if (!info && !(info = gbl_Scalar_dup(&result, s)))
        info = gbl_Vector_reduce_Monoid_Scalar(result, accum, op, sums, NULL);
    info = gb_agree(grid, info);
    if (!info) info = gb_agree(grid, gbl_Vector_reduce_Monoid_Scalar(s, accum, op, sums, NULL));
    gbl_Vector_free(&sums);
    gbl_Scalar_free(&result);
    return info;
}

static gbl_Info monoid_type(gbl_Type *type, gbl_Monoid op) {
    int32_t code = 0;
    const gbl_Info info = gbl_Monoid_get_INT32(op, &code, GBL_OUTP_TYPE_CODE);
    if (info) return info;
    *type = gb_type((gbl_Type_Code)code);
    return *type ? GBL_SUCCESS
                 : gbl_fail(GBL_DOMAIN_MISMATCH, NULL, "the monoid has a type of the user's");
}

gbl_Info gbl_DistMatrix_reduce(gbl_Scalar s, gbl_BinaryOp accum, gbl_Monoid op, gbl_DistMatrix A) {
    gbl_Scalar own = NULL;
    gbl_Type type;
    gbl_Info info;
    if (!A) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_reduce: A is NULL");
    if ((info = monoid_type(&type, op))) return info;
    if (!(info = gbl_Scalar_new(&own, type)))
        info = gbl_Matrix_reduce_Monoid_Scalar(own, NULL, op, A->block, NULL);
    if (!(info = gb_agree(A->grid, info))) info = reduce(s, accum, op, own, type, A->grid);
    gbl_Scalar_free(&own);
    return info;
}

gbl_Info gbl_DistVector_reduce(gbl_Scalar s, gbl_BinaryOp accum, gbl_Monoid op, gbl_DistVector u) {
    gbl_Scalar own = NULL;
    gbl_Type type;
    gbl_Info info;
    if (!u) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistVector_reduce: u is NULL");
    if ((info = monoid_type(&type, op))) return info;
    if (!(info = gbl_Scalar_new(&own, type)))
        info = gbl_Vector_reduce_Monoid_Scalar(own, NULL, op, u->piece, NULL);
    if (!(info = gb_agree(u->grid, info))) info = reduce(s, accum, op, own, type, u->grid);
    gbl_Scalar_free(&own);
    return info;
}

/* -- transposition */

/* Rows of the partner's block, which are columns of its transposed one. */
static gbl_Info swap_rows(gbl_Arrays *got, gbl_DistMatrix A, gb_Kind *kind, gbl_Index nrows) {
    const gbl_Grid grid = A->grid;
    const int partner = grid->row * grid->side + grid->col;
    const gbl_Index own = gb_rows(A).size;
    uint64_t mine[2] = {A->arrays.p[own], A->arrays.iso}, theirs[2];
    MPI_Sendrecv(mine, 2, MPI_UINT64_T, partner, 0, theirs, 2, MPI_UINT64_T, partner, 0, grid->all,
                 MPI_STATUS_IGNORE);
    const uint64_t n = theirs[0], values = theirs[1] && n > 0 ? 1 : n;
    const uint64_t sent = mine[1] && mine[0] > 0 ? 1 : mine[0];
    *got = (gbl_Arrays){gb_array(nrows + 1, 8), gb_array(n, 4), gb_array(values, kind->size),
                        theirs[1] != 0};
    const gbl_Info info =
        gb_agree(grid, got->p && got->i && got->x ? GBL_SUCCESS : gb_no_memory("a block"));
    if (info) return info;
    MPI_Sendrecv(A->arrays.p, (int)own + 1, MPI_UINT64_T, partner, 0, got->p, (int)nrows + 1,
                 MPI_UINT64_T, partner, 0, grid->all, MPI_STATUS_IGNORE);
    MPI_Sendrecv(A->arrays.i, (int)mine[0], MPI_UINT32_T, partner, 0, got->i, (int)n, MPI_UINT32_T,
                 partner, 0, grid->all, MPI_STATUS_IGNORE);
    MPI_Sendrecv(A->arrays.x, (int)sent, kind->wire, partner, 0, got->x, (int)values, kind->wire,
                 partner, 0, grid->all, MPI_STATUS_IGNORE);
    if (partner != grid->rank) {
        grid->counters.bytes_sent += 8 * (own + 1) + 4 * mine[0] + kind->size * sent;
        grid->counters.bytes_received += 8 * (nrows + 1) + 4 * n + kind->size * values;
    }
    return GBL_SUCCESS;
}

gbl_Info gbl_DistMatrix_transpose(gbl_DistMatrix C, gbl_DistMatrix M, gbl_BinaryOp accum,
                                  gbl_DistMatrix A, gbl_Descriptor desc) {
    const gbl_DistMatrix objects[] = {A, M ? M : C};
    gbl_Arrays got = {0};
    gbl_Matrix T = NULL;
    gb_Kind kind;
    gbl_Info info;
    if (!C) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_transpose: C is NULL");
    if ((info = gb_on_grid(C->grid, objects, 2)) || (info = gb_kind(&kind, A->type))) return info;
    if (gb_asks(desc, GBL_INP0, GBL_TRAN)) { /* transposed twice */
        gbl_Descriptor how = NULL;
        static const gbl_Desc_Field kept[] = {GBL_OUTP, GBL_MASK};
        if (!(info = gb_agree(C->grid, gb_descriptor(&how, desc, kept, 2))))
            info = gbl_DistMatrix_assign(C, M, accum, A, how);
        gbl_Descriptor_free(&how);
        return info;
    }
    if (C->nrows != A->ncols || C->ncols != A->nrows ||
        (M && (M->nrows != C->nrows || M->ncols != C->ncols)))
        return gbl_fail(
            GBL_DIMENSION_MISMATCH, NULL,
            "gbl_DistMatrix_transpose: C, and the mask, have the shape of A transposed");
    const gb_Range rows = gb_rows(C), cols = gb_cols(C);
    if (!(info = swap_rows(&got, A, &kind, cols.size)))
        info = gb_write(C, M, accum, &T, desc,
                        gbl_Matrix_moveIn(&T, A->type, rows.size, cols.size, GBL_CSC_FORMAT, &got));
    gbl_Memory_free(got.p);
    gbl_Memory_free(got.i);
    gbl_Memory_free(got.x);
    return info;
}

/* -- diagonals */

gbl_Info gbl_DistMatrix_diag(gbl_DistMatrix *C, gbl_DistVector v) {
    gb_Tuples here = {0}, came = {0};
    gbl_Matrix block = NULL;
    gbl_Info info;
    if (!C || !v) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_diag: C or v is NULL");
    if ((info = gbl_DistMatrix_new(C, v->type, v->size, v->size, v->grid))) return info;
    info = gb_tuples_of_vector(&here, v->piece, v->type);
    if (!info && !(here.j = gb_array(here.n, sizeof *here.j)))
        info = gb_no_memory("a list of entries");
    for (uint64_t k = 0; !info && k < here.n; k++) here.j[k] = here.i[k] += gb_piece(v).first;
    if (!(info = gb_route(&came, &here, *C, info))) {
        info = gb_build(&block, v->type, gb_rows(*C).size, gb_cols(*C).size, &came, NULL);
        info = gb_agree_block(*C, info, block);
    }
    gb_tuples_free(&here);
    gb_tuples_free(&came);
    if (info) gbl_DistMatrix_free(C);
    return info;
}
