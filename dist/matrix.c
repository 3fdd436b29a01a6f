/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices over a grid: life, blocks, and the arrays of blocks.
 */
#include "dist.h"

#include <string.h>

gb_Range gb_rows(gbl_DistMatrix A) {
    return gb_part(A->nrows, A->grid->side, A->grid->row);
}

gb_Range gb_cols(gbl_DistMatrix A) {
    return gb_part(A->ncols, A->grid->side, A->grid->col);
}

static void free_block(gbl_Matrix *block, gbl_Arrays *arrays) {
    gbl_Matrix_free(block);
    gbl_Memory_free(arrays->p);
    gbl_Memory_free(arrays->i);
    gbl_Memory_free(arrays->x);
    *arrays = (gbl_Arrays){0};
}

/* The arrays of *T move out, and a matrix that reads them takes its place. */
static gbl_Info lend_arrays(gbl_Matrix *T, gbl_Arrays *arrays, gbl_DistMatrix A) {
    gbl_Index nvals;
    gbl_Matrix lent = NULL;
    gbl_Info info;
    if ((info = gbl_Matrix_nvals(&nvals, *T))) return info;
    if (nvals > INT32_MAX)
        return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                        "a block has %llu entries, at most 2^31 - 1: start more processes",
                        (unsigned long long)nvals);
    if ((info = gbl_Matrix_moveOut(*T, GBL_CSR_FORMAT, arrays)) ||
        (info = gbl_Matrix_lend(&lent, A->type, gb_rows(A).size, gb_cols(A).size, GBL_CSR_FORMAT,
                                arrays, NULL)))
        return info;
    gbl_Matrix_free(T);
    *T = lent;
    return GBL_SUCCESS;
}

gbl_Info gb_agree_block(gbl_DistMatrix A, gbl_Info info, gbl_Matrix T) {
    gbl_Arrays arrays = {0};
    if (!info) info = lend_arrays(&T, &arrays, A);
    info = gb_agree(A->grid, info);
    if (info) {
        free_block(&T, &arrays);
        return info;
    }
    free_block(&A->block, &A->arrays);
    A->block = T;
    A->arrays = arrays;
    return GBL_SUCCESS;
}

gbl_Info gb_slice(gbl_Matrix *A, uint64_t **p, gbl_Type type, gbl_Index ncols,
                  const gbl_Arrays *arrays, gb_Range rows) {
    size_t size;
    gbl_Info info = gbl_Type_size(&size, type);
    *A = NULL;
    *p = NULL;
    if (info) return info;
    if (!(*p = gb_array(rows.size + 1, sizeof **p))) return gb_no_memory("pointers to rows");
    const uint64_t base = arrays->p[rows.first];
    for (gbl_Index k = 0; k <= rows.size; k++) (*p)[k] = arrays->p[rows.first + k] - base;
    const gbl_Arrays part = {*p, arrays->i + base,
                             (char *)arrays->x + (arrays->iso ? 0 : base * size), arrays->iso};
    info = gbl_Matrix_lend(A, type, rows.size, ncols, GBL_CSR_FORMAT, &part, NULL);
    if (info) {
        gbl_Memory_free(*p);
        *p = NULL;
    }
    return info;
}

gbl_Info gb_output(gbl_Matrix *block, gbl_DistMatrix C, bool needed) {
    return needed ? gbl_Matrix_dup(block, C->block)
                  : gbl_Matrix_new(block, C->type, gb_rows(C).size, gb_cols(C).size);
}

gbl_Info gb_on_grid(gbl_Grid grid, const gbl_DistMatrix *objects, int n) {
    for (int k = 0; k < n; k++) {
        if (!objects[k]) return gbl_fail(GBL_NULL_POINTER, NULL, "a distributed matrix is NULL");
        if (objects[k]->grid != grid)
            return gbl_fail(GBL_INVALID_VALUE, NULL, "operands are on different grids");
    }
    return GBL_SUCCESS;
}

static gbl_Info check_block(gbl_Index nrows, gbl_Index ncols, gbl_Grid grid) {
    const gb_Range rows = gb_part(nrows, grid->side, grid->side - 1); /* the largest is the last */
    const gb_Range cols = gb_part(ncols, grid->side, grid->side - 1);
    if (nrows > GBL_INDEX_MAX || ncols > GBL_INDEX_MAX)
        return gbl_fail(GBL_INVALID_VALUE, NULL, "a dimension is above GBL_INDEX_MAX");
    if (rows.size >= INT32_MAX || cols.size >= INT32_MAX)
        return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                        "blocks of %llu x %llu: at most 2^31 - 2 each; start more processes",
                        (unsigned long long)rows.size, (unsigned long long)cols.size);
    return GBL_SUCCESS;
}

gbl_Info gbl_DistMatrix_new(gbl_DistMatrix *A, gbl_Type type, gbl_Index nrows, gbl_Index ncols,
                            gbl_Grid grid) {
    gb_Kind kind;
    gbl_DistMatrix a = NULL;
    gbl_Matrix block = NULL;
    gbl_Info info;
    if (!A || !grid)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_new: A or grid is NULL");
    *A = NULL;
    if ((info = gb_kind(&kind, type)) || (info = check_block(nrows, ncols, grid))) goto done;
    if (!(a = gb_array(1, sizeof *a))) {
        info = gb_no_memory("a distributed matrix");
        goto done;
    }
    *a = (struct gbl_DistMatrix_opaque){.grid = grid, .type = type, .nrows = nrows, .ncols = ncols};
    info = gbl_Matrix_new(&block, type, gb_rows(a).size, gb_cols(a).size);
done:
    info = gb_agree(grid, info);
    if (info)
        gbl_Matrix_free(&block);
    else
        info = gb_agree_block(a, info, block);
    if (info) {
        gbl_DistMatrix_free(&a);
        return info;
    }
    *A = a;
    return GBL_SUCCESS;
}

gbl_Info gbl_DistMatrix_free(gbl_DistMatrix *A) {
    if (!A || !*A) return GBL_SUCCESS;
    free_block(&(*A)->block, &(*A)->arrays);
    gbl_Memory_free(*A);
    *A = NULL;
    return GBL_SUCCESS;
}

gbl_Info gbl_DistMatrix_dup(gbl_DistMatrix *C, gbl_DistMatrix A) {
    gbl_Matrix block = NULL;
    gbl_Info info;
    if (!C || !A) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_dup: C or A is NULL");
    if ((info = gbl_DistMatrix_new(C, A->type, A->nrows, A->ncols, A->grid))) return info;
    info = gbl_Matrix_dup(&block, A->block);
    if ((info = gb_agree_block(*C, info, block))) gbl_DistMatrix_free(C);
    return info;
}

gbl_Info gbl_DistMatrix_shape(gbl_Index *nrows, gbl_Index *ncols, gbl_Type *type,
                              gbl_DistMatrix A) {
    if (!A) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_shape: A is NULL");
    if (nrows) *nrows = A->nrows;
    if (ncols) *ncols = A->ncols;
    if (type) *type = A->type;
    return GBL_SUCCESS;
}

gbl_Info gbl_DistMatrix_nvals(gbl_Index *nvals, gbl_DistMatrix A) {
    gbl_Index here = 0;
    if (!A || !nvals)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_nvals: A or nvals is NULL");
    const gbl_Info info = gb_agree(A->grid, gbl_Matrix_nvals(&here, A->block));
    if (info) return info;
    MPI_Allreduce(&here, nvals, 1, MPI_UINT64_T, MPI_SUM, A->grid->all);
    return GBL_SUCCESS;
}

gbl_Info gbl_DistMatrix_block(gbl_Matrix *block, gbl_Index *row, gbl_Index *col, gbl_DistMatrix A) {
    if (!A) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_block: A is NULL");
    if (block) *block = A->block;
    if (row) *row = gb_rows(A).first;
    if (col) *col = gb_cols(A).first;
    return GBL_SUCCESS;
}
