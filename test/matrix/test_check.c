/* SPDX-License-Identifier: Apache-2.0
 *
 * gb_matrix_check finds every kind of damage: each case takes a good object, spoils one rule of
 * matrix.h or view.h, expects GBL_INVALID_OBJECT, and repairs it again.
 */
#include "support/gb_test.h"

#include "core/memory.h"
#include "matrix/check.h"
#include "matrix/hyper.h"
#include "matrix/matrix.h"
#include "matrix/updates.h"

/* Sets the place to a value, expects the check to fail, and puts the old value back. */
#define SPOIL(place, value)                                                                        \
    do {                                                                                           \
        OK(gb_matrix_check(A));                                                                    \
        const __typeof__(place) t_kept = (place);                                                  \
        (place) = (__typeof__(place))(value);                                                      \
        t_case("%s = %s", #place, #value);                                                         \
        FAILS(GBL_INVALID_OBJECT, gb_matrix_check(A));                                             \
        (place) = t_kept;                                                                          \
    } while (0)

/* 4 x 5 with both formats:  row 0: 1, 3;  row 1: none;  row 2: 0, 1, 4;  row 3: 2 */
static gbl_Matrix good_matrix(bool iso) {
    const gbl_Index I[] = {0, 0, 2, 2, 2, 3}, J[] = {1, 3, 0, 1, 4, 2};
    const double X[] = {2.5, -1, 4, 8.5, 16, 31};
    gbl_Matrix made = t_new_matrix(GBL_FP64, 4, 5);
    if (iso) {
        gbl_Scalar s = NULL;
        OK(gbl_Scalar_new(&s, GBL_FP64));
        OK(gbl_Scalar_setElement_FP64(s, 7));
        OK(gbl_Matrix_build_Scalar(made, I, J, s, 6));
        OK(gbl_Scalar_free(&s));
    } else {
        OK(gbl_Matrix_build_FP64(made, I, J, X, 6, NULL));
    }
    gb_CsView view;
    OK(gb_acquire(&made->m, GB_CSC, &view));
    return made;
}

static gbl_Vector good_vector(gbl_Index n, gbl_Index entries) {
    gbl_Vector made = t_new_vector(GBL_INT32, n);
    for (gbl_Index k = 0; k < entries; k++)
        OK(gbl_Vector_setElement_INT32(made, (int32_t)(5 * k + 1), (k * 7) % n));
    gb_DenseView view;
    OK(gb_acquire_dense(&made->m, &view));
    return made;
}

GB_TEST(check, frame) {
    gbl_Matrix made = good_matrix(false);
    gb_Matrix *A = &made->m;
    SPOIL(A->magic, 12345);
    SPOIL(A->type, NULL);
    SPOIL(A->nrows, GBL_INDEX_MAX + 2);
    SPOIL(A->nrows, 5);
    SPOIL(A->ncols, GBL_INDEX_MAX + 2);
    SPOIL(A->ncols, 4);
    SPOIL(A->nvals, 5);
    SPOIL(A->has, A->has | GBL_HAS_TILE16);
    SPOIL(A->has, 0);
    SPOIL(A->has, GBL_HAS_CSR); /* the arrays of the other are still there */
    SPOIL(A->iso, true);
    FAILS(GBL_INVALID_OBJECT, gb_matrix_check(NULL));
    OK(gbl_Matrix_free(&made));

    OK(gbl_Matrix_new(&made, GBL_FP64, 4, 5));
    A = &made->m;
    SPOIL(A->nvals, 1);
    SPOIL(A->ready, GBL_HAS_CSR);
    SPOIL(A->magic, GB_MAGIC_VECTOR); /* a vector has one column */
    OK(gbl_Matrix_free(&made));
}

GB_TEST(check, compressed) {
    gbl_Matrix made = good_matrix(false);
    gb_Matrix *A = &made->m;
    for (int format = 0; format < 2; format++) {
        gb_Cs *cs = &A->cs[format];
        SPOIL(cs->p, NULL);
        SPOIL(cs->i, NULL);
        SPOIL(cs->x, NULL);
        SPOIL(cs->nmajor, cs->nmajor + 1);
        SPOIL(cs->nvals, 7);
        SPOIL(cs->icap, 5);
        SPOIL(cs->xcap, 6 * sizeof(double) - 1);
        SPOIL(cs->iso, true);
        SPOIL(cs->p[0], 1);
        SPOIL(cs->p[1], 6);
        SPOIL(cs->p[cs->nmajor], 5);
        SPOIL(cs->i[2], 1000);
        SPOIL(((double *)cs->x)[4], 17); /* the other format says otherwise */
    }
    gb_Cs *csr = &A->cs[GB_CSR];
    SPOIL(csr->i[0], 4);       /* sorted no more */
    SPOIL(csr->i[3], 0);       /* twice in its row */
    SPOIL(csr->i[5], 3);       /* sorted and distinct, but the other format says otherwise */
    SPOIL(csr->sorted, false); /* readers take it for sorted */
    csr->i[0] = 3, csr->i[1] = 1;
    ((double *)csr->x)[0] = -1, ((double *)csr->x)[1] = 2.5;
    A->ready = GBL_HAS_CSC;
    csr->sorted = false;
    SPOIL(csr->sorted, true);
    SPOIL(A->ready, GBL_HAS_CSR);
    OK(gbl_Matrix_free(&made));
}

GB_TEST(check, iso) {
    gbl_Matrix made = good_matrix(true);
    gb_Matrix *A = &made->m;
    SPOIL(A->iso, false);
    SPOIL(A->cs[GB_CSR].iso, false);
    SPOIL(A->cs[GB_CSC].xcap, 7);
    SPOIL(((double *)A->cs[GB_CSC].x)[0], 8);
    OK(gbl_Matrix_free(&made));
}

GB_TEST(check, dense) {
    gbl_Vector made = good_vector(9, 5);
    gb_Matrix *A = &made->m;
    CHECK(A->has == (GBL_HAS_CSC | GBL_HAS_BITMAP));
    SPOIL(A->has, GBL_HAS_CSC | GBL_HAS_FULL);
    SPOIL(A->has, GBL_HAS_CSC | GBL_HAS_FULL | GBL_HAS_BITMAP);
    SPOIL(A->has, GBL_HAS_CSC);
    SPOIL(A->dense.n, 8);
    SPOIL(A->dense.nvals, 6);
    SPOIL(A->dense.b, NULL);
    SPOIL(A->dense.x, NULL);
    SPOIL(A->dense.xcap, 9 * sizeof(int32_t) - 1);
    SPOIL(A->dense.iso, true);
    SPOIL(A->dense.b[0], 0);
    SPOIL(A->dense.b[0], 2);
    SPOIL(A->dense.b[2], 1);
    SPOIL(((int32_t *)A->dense.x)[7], -5); /* the list says otherwise */
    SPOIL(A->ncols, 2);
    OK(gbl_Vector_free(&made));

    made = good_vector(5, 5);
    A = &made->m;
    CHECK(A->has & GBL_HAS_FULL);
    SPOIL(A->has, GBL_HAS_CSC | GBL_HAS_BITMAP);
    SPOIL(A->dense.n, 4);
    OK(gbl_Vector_free(&made));
}

GB_TEST(check, pending) {
    gbl_Matrix made = good_matrix(false);
    gb_Matrix *A = &made->m;
    OK(gbl_Matrix_setElement_FP64(made, 3, 3, 4));
    OK(gbl_Matrix_removeElement(made, 0, 0));
    SPOIL(A->pending->n, 0);
    SPOIL(A->pending->n, A->pending->cap + 1);
    SPOIL(A->pending->row[0], 4);
    SPOIL(A->pending->col[1], 5);
    SPOIL(A->pending->keep[1], 2);
    OK(gb_matrix_check(A));
    OK(gbl_Matrix_free(&made));
}

/* 20 x 35, two rows of tiles of rows, three tiles:  (0,1)  (0,17), (3,17), (3,30)  (18,2) */
static gbl_Matrix tiled_matrix(void) {
    const gbl_Index I[] = {0, 0, 3, 3, 18}, J[] = {1, 17, 17, 30, 2};
    const double X[] = {2.5, -1, 4, 8.5, 16};
    gb_TileView view;
    gbl_Matrix made = t_new_matrix(GBL_FP64, 20, 35);
    OK(gbl_Matrix_build_FP64(made, I, J, X, 5, NULL));
    OK(gb_acquire_tiles(&made->m, GB_CSR, &view));
    OK(gb_acquire_tiles(&made->m, GB_CSC, &view));
    return made;
}

/* What tiles alone give away, without lists to compare them with. */
static void spoil_tiles(gb_Matrix *A, gb_Tiles *tiles) {
    SPOIL(tiles->p, NULL);
    SPOIL(tiles->i, NULL);
    SPOIL(tiles->nnz, NULL);
    SPOIL(tiles->row, NULL);
    SPOIL(tiles->mask, NULL);
    SPOIL(tiles->rc, NULL);
    SPOIL(tiles->x, NULL);
    SPOIL(tiles->nmajor, tiles->nmajor + 16);
    SPOIL(tiles->nminor, tiles->nminor - 1);
    SPOIL(tiles->nvals, 4);
    SPOIL(tiles->ntiles, 2);
    SPOIL(tiles->ntiles, 4);
    SPOIL(tiles->xcap, 5 * sizeof(double) - 1);
    SPOIL(tiles->iso, true);
    SPOIL(tiles->p[0], 1);
    SPOIL(tiles->p[1], 1000);
    SPOIL(tiles->p[gb_tile_count(tiles->nmajor)], 2);
    SPOIL(tiles->i[0], 1000);
    SPOIL(tiles->nnz[0], 1);
    SPOIL(tiles->nnz[1], 0);
    SPOIL(tiles->nnz[1], 1000);
    SPOIL(tiles->nnz[2], 5);
    SPOIL(tiles->nnz[3], 4);
    SPOIL(tiles->row[0], 1);
    SPOIL(tiles->row[GB_TILE + 15], tiles->row[GB_TILE + 15] + 1);
    SPOIL(tiles->row[3 * GB_TILE - 1], 255);
    SPOIL(tiles->mask[0], tiles->mask[0] ^ 2);
    SPOIL(tiles->mask[0], tiles->mask[0] | 0x8000);
    SPOIL(tiles->mask[GB_TILE], 0x8000);
    SPOIL(tiles->mask[3 * GB_TILE - 1], 1);
    SPOIL(tiles->rc[0], 0xFF);
    SPOIL(tiles->rc[4], tiles->rc[4] ^ 1);
}

GB_TEST(check, tiles) {
    gbl_Matrix made = tiled_matrix();
    gb_Matrix *A = &made->m;
    for (int format = 0; format < 2; format++) {
        gb_Tiles *tiles = &A->tiles[format];
        SPOIL(A->has, A->has & ~gb_tiles_bit((gb_Format)format)); /* its arrays are still there */
        SPOIL(((double *)tiles->x)[3], 17);                       /* the lists say otherwise */
        SPOIL(tiles->i[2], tiles->i[2] + 1);
        spoil_tiles(A, tiles);
    }
    for (int format = 0; format < 2; format++) {
        gb_matrix_keep_only(A, gb_tiles_bit((gb_Format)format));
        gb_Tiles *tiles = &A->tiles[format];
        spoil_tiles(A, tiles);
        SPOIL(A->nvals, 6);
        SPOIL(A->iso, true);
        gb_TileView view;
        OK(gb_acquire_tiles(A, (gb_Format)(1 - format), &view));
    }
    OK(gb_matrix_check(A));
    gb_matrix_keep_only(A, GBL_HAS_TILE16);
    SPOIL(A->tiles[GB_CSR].i[1], 0); /* not above the one before */
    OK(gbl_Matrix_free(&made));
}

/* -- hypersparse */

GB_TEST(check, hypersparse) {
    const gbl_Index I[] = {3, 9, 9}, J[] = {GBL_INDEX_MAX - 1, 0, 7};
    const double X[] = {1, 2, 3};
    gbl_Matrix made = t_new_matrix(GBL_FP64, GBL_INDEX_MAX, GBL_INDEX_MAX);
    OK(gbl_Matrix_build_FP64(made, I, J, X, 3, NULL));
    gb_Matrix *A = &made->m;
    gb_Hyper *hyper = A->hyper;
    SPOIL(hyper->rows->index[0], hyper->rows->index[1]);
    SPOIL(hyper->cols->index[hyper->cols->n - 1], GBL_INDEX_MAX);
    SPOIL(hyper->rows->n, hyper->rows->n - 1);
    SPOIL(hyper->rows->refs, 0);
    SPOIL(hyper->core->nvals, 2);
    SPOIL(hyper->core->iso, true);
    SPOIL(hyper->core->cs[GB_CSR].i[0], UINT32_MAX);
    SPOIL(hyper->core, NULL);
    SPOIL(A->nvals, 4);
    SPOIL(A->has, GBL_HAS_CSR);
    gbl_Matrix_free(&made);
}

/* A compact matrix holds what the forms beside it hold. */
GB_TEST(check, compact_beside_forms) {
    gbl_Matrix made = good_matrix(false);
    gb_Matrix *A = &made->m;
    gb_RowLists axes;
    gb_Compact compact;
    OK(gb_row_lists_of(&axes, A));
    OK(gb_compact_get(&compact, A, &axes, true));
    A->hyper = gb_malloc(sizeof *A->hyper);
    *A->hyper = (gb_Hyper){axes.rows, axes.cols, compact.m};
    double *x = compact.m->cs[gb_has(compact.m) & GBL_HAS_CSR ? GB_CSR : GB_CSC].x;
    SPOIL(x[2], 99);
    SPOIL(axes.rows->index[0], 1); /* in place of row 0: the axis ascends, row 1 is empty in A */
    gbl_Matrix_free(&made);
}
