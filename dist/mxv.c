/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with vectors, and sums of rows and columns.
 *
 * A vector whose pieces lie along lines (as all do) meets rows of blocks where its pieces are
 * joined along the line; to meet columns of blocks, pieces change places with those of the
 * transposed process first, and are joined along the post. Results go the same ways back, and are
 * merged where they arrive. So a product moves q - 1 pieces there and as many back.
 */
#include "dist.h"

typedef struct {
    gbl_Grid grid;
    gb_Exchange exchange;
    bool rows; /* the vector has an element for each row of the matrix, else column */
} Way;

static Way way_of(gbl_Grid grid, bool rows) {
    return (Way){grid, {.grid = grid, .comm = rows ? grid->line : grid->post}, rows};
}

/* The block of u that the rows, or columns, of this process's block meet. */
static gbl_Info bring(gbl_Vector *block, gbl_DistVector u, const Way *way) {
    gbl_Vector swapped = NULL;
    gbl_Info info = GBL_SUCCESS;
    const gbl_Grid grid = way->grid;
    const gb_Range part = gb_part(u->size, grid->side, way->rows ? grid->row : grid->col);
    if (way->rows) return gb_join_parts(block, &way->exchange, u->piece, part.size);
    const gbl_Index size = gb_part(part.size, grid->side, grid->row).size;
    if (!(info = gb_swap(&swapped, grid, u->piece, size)))
        info = gb_join_parts(block, &way->exchange, swapped, part.size);
    gbl_Vector_free(&swapped);
    return info;
}

/* From blocks, one in each process, to the pieces of their sums. */
static gbl_Info give_back(gbl_Vector *piece, gbl_Vector block, const Way *way, gbl_Index size,
                          gbl_Info info) {
    gbl_Vector merged = NULL;
    const gbl_Grid grid = way->grid;
    if ((info = gb_send_parts(&merged, &way->exchange, block, info))) return info;
    if (way->rows) {
        *piece = merged;
        return GBL_SUCCESS;
    }
    const gb_Range part = gb_part(size, grid->side, grid->row);
    info = gb_swap(piece, grid, merged, gb_part(part.size, grid->side, grid->col).size);
    gbl_Vector_free(&merged);
    return info;
}

typedef struct {
    gbl_DistVector w, m, u;
    gbl_DistMatrix A;
    gbl_BinaryOp accum;
    gbl_Semiring ring;
    gbl_Descriptor desc;
    bool vector_first, transposed;
} Product;

static gbl_Info check(const Product *p, const char *name) {
    if (!p->w || !p->A || !p->u) return gbl_fail(GBL_NULL_POINTER, NULL, "%s: NULL", name);
    const bool rows = p->vector_first != p->transposed; /* u meets rows */
    const gbl_Index in = rows ? p->A->nrows : p->A->ncols, out = rows ? p->A->ncols : p->A->nrows;
    if (p->w->grid != p->A->grid || p->u->grid != p->A->grid || (p->m && p->m->grid != p->A->grid))
        return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: operands are on different grids", name);
    if (p->u->size != in || p->w->size != out || (p->m && p->m->size != out))
        return gbl_fail(GBL_DIMENSION_MISMATCH, NULL,
                        "%s: u has %llu elements and w %llu, the matrix wants %llu and %llu", name,
                        (unsigned long long)p->u->size, (unsigned long long)p->w->size,
                        (unsigned long long)in, (unsigned long long)out);
    return GBL_SUCCESS;
}

static gbl_Info multiply(const Product *p, const char *name) {
    gbl_Vector u = NULL, t = NULL, piece = NULL;
    gbl_Type type;
    gbl_Info info;
    if ((info = check(p, name)) || (info = gb_ring_type(&type, p->ring))) return info;
    const bool rows = p->vector_first != p->transposed;
    const gbl_Grid grid = p->A->grid;
    const Way in = way_of(grid, rows);
    Way out = way_of(grid, !rows);
    out.exchange.ring = p->ring;
    if ((info = bring(&u, p->u, &in))) goto done;
    const double start = MPI_Wtime();
    info = gbl_Vector_new(&t, type, rows ? gb_cols(p->A).size : gb_rows(p->A).size);
    if (!info && p->vector_first)
        info = gbl_vxm(t, NULL, NULL, p->ring, u, p->A->block, p->transposed ? GBL_DESC_T1 : NULL);
    else if (!info)
        info = gbl_mxv(t, NULL, NULL, p->ring, p->A->block, u, p->transposed ? GBL_DESC_T0 : NULL);
    grid->counters.seconds_multiply += MPI_Wtime() - start;
    if ((info = give_back(&piece, t, &out, p->w->size, info))) goto done;
    info = gb_write_vector(p->w, p->m, p->accum, &piece, p->desc, info);
done:
    gbl_Vector_free(&u);
    gbl_Vector_free(&t);
    gbl_Vector_free(&piece);
    return info;
}

gbl_Info gbl_dist_mxv(gbl_DistVector w, gbl_DistVector m, gbl_BinaryOp accum, gbl_Semiring ring,
                      gbl_DistMatrix A, gbl_DistVector u, gbl_Descriptor desc) {
    const bool transposed = gb_asks(desc, GBL_INP0, GBL_TRAN);
    const Product p = {w, m, u, A, accum, ring, desc, false, transposed};
    return multiply(&p, "gbl_dist_mxv");
}

gbl_Info gbl_dist_vxm(gbl_DistVector w, gbl_DistVector m, gbl_BinaryOp accum, gbl_Semiring ring,
                      gbl_DistVector u, gbl_DistMatrix A, gbl_Descriptor desc) {
    const bool transposed = gb_asks(desc, GBL_INP1, GBL_TRAN);
    const Product p = {w, m, u, A, accum, ring, desc, true, transposed};
    return multiply(&p, "gbl_dist_vxm");
}

gbl_Info gbl_DistMatrix_reduce_rows(gbl_DistVector w, gbl_DistVector m, gbl_BinaryOp accum,
                                    gbl_Monoid op, gbl_DistMatrix A, gbl_Descriptor desc) {
    gbl_Vector t = NULL, piece = NULL;
    int32_t code = 0;
    gbl_Info info;
    if (!w || !A)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_reduce_rows: w or A is NULL");
    const bool transposed = gb_asks(desc, GBL_INP0, GBL_TRAN);
    const gbl_Index size = transposed ? A->ncols : A->nrows;
    if (w->grid != A->grid || (m && m->grid != A->grid))
        return gbl_fail(GBL_INVALID_VALUE, NULL, "operands are on different grids");
    if (w->size != size || (m && m->size != size))
        return gbl_fail(GBL_DIMENSION_MISMATCH, NULL,
                        "gbl_DistMatrix_reduce_rows: w has %llu elements, there are %llu",
                        (unsigned long long)w->size, (unsigned long long)size);
    if ((info = gbl_Monoid_get_INT32(op, &code, GBL_OUTP_TYPE_CODE))) return info;
    if (!gb_type((gbl_Type_Code)code))
        return gbl_fail(GBL_DOMAIN_MISMATCH, NULL, "the monoid has a type of the user's");
    Way out = way_of(A->grid, !transposed);
    out.exchange.monoid = op;
    info = gbl_Vector_new(&t, gb_type((gbl_Type_Code)code),
                          transposed ? gb_cols(A).size : gb_rows(A).size);
    if (!info)
        info =
            gbl_Matrix_reduce_Monoid(t, NULL, NULL, op, A->block, transposed ? GBL_DESC_T0 : NULL);
    if (!(info = give_back(&piece, t, &out, w->size, info)))
        info = gb_write_vector(w, m, accum, &piece, desc, info);
    gbl_Vector_free(&t);
    return info;
}
