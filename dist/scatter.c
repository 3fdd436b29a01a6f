/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of one process to all, and back.
 */
#include "dist.h"

#include <string.h>

enum { PIECE = 1 << 26 }; /* elements of one message */

/* What process root tells the others of its object. */
typedef struct {
    uint64_t nrows, ncols, type, pattern; /* pattern: BOOL, all true */
} Shape;

static gbl_Info look_at(Shape *shape, gbl_Matrix local) {
    gbl_Type type;
    gb_Kind kind;
    gbl_Formats formats;
    gbl_Info info;
    if (!local)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_scatter: local is NULL in root");
    if ((info = gbl_Matrix_nrows(&shape->nrows, local)) ||
        (info = gbl_Matrix_ncols(&shape->ncols, local)) || (info = gbl_Matrix_type(&type, local)) ||
        (info = gb_kind(&kind, type)) || (info = gbl_Matrix_formats(&formats, local)))
        return info;
    shape->type = kind.code;
    if (kind.code == GBL_BOOL_CODE && formats.iso && formats.pending == 0) {
        bool all = false;
        info = gbl_Matrix_reduce_BOOL(&all, NULL, GBL_LAND_MONOID_BOOL, local, NULL);
        shape->pattern = all;
    }
    return info;
}

gbl_Info gbl_DistMatrix_scatter(gbl_DistMatrix *A, gbl_Matrix local, int root, gbl_Grid grid) {
    Shape shape = {0};
    gb_Tuples tuples = {0}, here = {0};
    gbl_Matrix block = NULL;
    gbl_Info info = GBL_SUCCESS;
    if (!A || !grid)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_scatter: A or grid is NULL");
    *A = NULL;
    if (root < 0 || root >= grid->side * grid->side)
        return gbl_fail(GBL_INVALID_VALUE, NULL, "gbl_DistMatrix_scatter: there is no process %d",
                        root);
    const bool mine = grid->rank == root;
    if ((info = gb_agree(grid, mine ? look_at(&shape, local) : GBL_SUCCESS))) return info;
    MPI_Bcast(&shape, 4, MPI_UINT64_T, root, grid->all);
    const gbl_Type type = gb_type((gbl_Type_Code)shape.type);
    if ((info = gbl_DistMatrix_new(A, type, shape.nrows, shape.ncols, grid))) return info;
    /* without entries a list still says whether it would have values */
    if (mine) info = gb_tuples_of(&tuples, local, type);
    if (!mine && !shape.pattern && !(tuples.x = gb_array(0, 1))) info = gb_no_memory("a list");
    if (shape.pattern) {
        gbl_Memory_free(tuples.x);
        tuples.x = NULL;
    }
    info = gb_route(&here, &tuples, *A, info);
    gb_tuples_free(&tuples);
    if (!info) {
        info = gb_build(&block, type, gb_rows(*A).size, gb_cols(*A).size, &here, NULL);
        gb_tuples_free(&here);
        info = gb_agree_block(*A, info, block);
    }
    if (info) gbl_DistMatrix_free(A);
    return info;
}

/* -- gather */

static void send_array(const void *array, uint64_t n, const gb_Kind *kind, int root,
                       MPI_Comm comm) {
    for (uint64_t k = 0; k < n; k += PIECE) {
        const int count = n - k < PIECE ? (int)(n - k) : PIECE;
        MPI_Send((const char *)array + k * kind->size, count, kind->wire, root, 0, comm);
    }
}

static void take_array(void *array, uint64_t n, const gb_Kind *kind, int from, MPI_Comm comm) {
    for (uint64_t k = 0; k < n; k += PIECE) {
        const int count = n - k < PIECE ? (int)(n - k) : PIECE;
        MPI_Recv((char *)array + k * kind->size, count, kind->wire, from, 0, comm,
                 MPI_STATUS_IGNORE);
    }
}

static const gb_Kind index_kind = {.size = sizeof(gbl_Index)};

/* The lists of all processes, one behind the other, in root. */
static gbl_Info collect(gb_Tuples *all, const gb_Tuples *here, const gb_Kind *kind, int root,
                        gbl_Grid grid) {
    const int processes = grid->side * grid->side;
    const bool mine = grid->rank == root, matrix = here->j != NULL;
    gb_Kind index = index_kind;
    uint64_t total = 0, *count = gb_array((uint64_t)processes, sizeof *count);
    gbl_Info info = gb_agree(grid, count ? GBL_SUCCESS : gb_no_memory("a list of processes"));
    *all = (gb_Tuples){0};
    index.wire = MPI_UINT64_T;
    if (info) goto done;
    MPI_Allgather(&here->n, 1, MPI_UINT64_T, count, 1, MPI_UINT64_T, grid->all);
    for (int k = 0; k < processes; k++) total += count[k];
    if (mine) {
        all->i = gb_array(total, sizeof *all->i);
        all->j = matrix ? gb_array(total, sizeof *all->j) : NULL;
        all->x = gb_array(total, kind->size);
        if (!all->i || (matrix && !all->j) || !all->x) info = gb_no_memory("all entries");
    }
    if ((info = gb_agree(grid, info))) goto done;
    if (!mine) {
        send_array(here->i, here->n, &index, root, grid->all);
        if (matrix) send_array(here->j, here->n, &index, root, grid->all);
        send_array(here->x, here->n, kind, root, grid->all);
        grid->counters.bytes_sent += here->n * ((matrix ? 16 : 8) + kind->size);
    }
    for (int k = 0; mine && k < processes; all->n += count[k], k++) {
        void *x = (char *)all->x + all->n * kind->size;
        if (k == root) {
            memcpy(all->i + all->n, here->i, here->n * sizeof *here->i);
            if (matrix) memcpy(all->j + all->n, here->j, here->n * sizeof *here->j);
            memcpy(x, here->x, here->n * kind->size);
            continue;
        }
        take_array(all->i + all->n, count[k], &index, k, grid->all);
        if (matrix) take_array(all->j + all->n, count[k], &index, k, grid->all);
        take_array(x, count[k], kind, k, grid->all);
        grid->counters.bytes_received += count[k] * ((matrix ? 16 : 8) + kind->size);
    }
done:
    gbl_Memory_free(count);
    if (info) gb_tuples_free(all);
    return info;
}

static gbl_Info check_root(int root, gbl_Grid grid, const char *name) {
    return root >= 0 && root < grid->side * grid->side
               ? GBL_SUCCESS
               : gbl_fail(GBL_INVALID_VALUE, NULL, "%s: there is no process %d", name, root);
}

gbl_Info gbl_DistMatrix_gather(gbl_Matrix *local, gbl_DistMatrix A, int root) {
    gb_Tuples here = {0}, all = {0};
    gb_Kind kind;
    gbl_Info info;
    if (!local || !A)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_gather: local or A is NULL");
    *local = NULL;
    if ((info = check_root(root, A->grid, "gbl_DistMatrix_gather"))) return info;
    if (!(info = gb_kind(&kind, A->type))) info = gb_tuples_of(&here, A->block, A->type);
    if ((info = gb_agree(A->grid, info))) goto done;
    for (uint64_t k = 0; k < here.n; k++) {
        here.i[k] += gb_rows(A).first;
        here.j[k] += gb_cols(A).first;
    }
    if ((info = collect(&all, &here, &kind, root, A->grid))) goto done;
    if (A->grid->rank == root) info = gb_build(local, A->type, A->nrows, A->ncols, &all, NULL);
    info = gb_agree(A->grid, info);
done:
    gb_tuples_free(&here);
    gb_tuples_free(&all);
    if (info) gbl_Matrix_free(local);
    return info;
}

gbl_Info gbl_DistVector_gather(gbl_Vector *local, gbl_DistVector v, int root) {
    gb_Tuples here = {0}, all = {0};
    gb_Kind kind;
    gbl_Info info;
    if (!local || !v)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistVector_gather: local or v is NULL");
    *local = NULL;
    if ((info = check_root(root, v->grid, "gbl_DistVector_gather"))) return info;
    if (!(info = gb_kind(&kind, v->type))) info = gb_tuples_of_vector(&here, v->piece, v->type);
    if ((info = gb_agree(v->grid, info))) goto done;
    for (uint64_t k = 0; k < here.n; k++) here.i[k] += gb_piece(v).first;
    if ((info = collect(&all, &here, &kind, root, v->grid))) goto done;
    if (v->grid->rank == root) info = gb_build_vector(local, v->type, v->size, &all);
    info = gb_agree(v->grid, info);
done:
    gb_tuples_free(&here);
    gb_tuples_free(&all);
    if (info) gbl_Vector_free(local);
    return info;
}

/* Process root sends all of it: a vector is smaller than a matrix with a dimension of its size. */
gbl_Info gbl_DistVector_scatter(gbl_DistVector *v, gbl_Vector local, int root, gbl_Grid grid) {
    uint64_t head[3] = {0};
    gb_Tuples t = {0};
    gb_Kind kind;
    gbl_Type type = NULL;
    gbl_Vector piece = NULL;
    gbl_Info info = GBL_SUCCESS;
    if (!v || !grid)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistVector_scatter: v or grid is NULL");
    *v = NULL;
    if ((info = check_root(root, grid, "gbl_DistVector_scatter"))) return info;
    const bool mine = grid->rank == root;
    if (mine && !local)
        info = gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistVector_scatter: local is NULL in root");
    if (mine && !info && !(info = gbl_Vector_type(&type, local)) && !(info = gb_kind(&kind, type)))
        info = gb_tuples_of_vector(&t, local, type);
    if (mine && !info && !(info = gbl_Vector_size(&head[0], local))) {
        head[1] = kind.code;
        head[2] = t.n;
    }
    if ((info = gb_agree(grid, info))) goto done;
    MPI_Bcast(head, 3, MPI_UINT64_T, root, grid->all);
    type = gb_type((gbl_Type_Code)head[1]);
    if ((info = gb_kind(&kind, type)) || (info = gbl_DistVector_new(v, type, head[0], grid)))
        goto done;
    if (!mine) {
        t = (gb_Tuples){gb_array(head[2], 8), NULL, gb_array(head[2], kind.size), head[2]};
        if (!t.i || !t.x) info = gb_no_memory("a list of entries");
    }
    if (!info && t.n > INT32_MAX)
        info = gbl_fail(GBL_NOT_IMPLEMENTED, NULL, "more than 2^31 - 1 entries");
    if ((info = gb_agree(grid, info))) goto done;
    MPI_Bcast(t.i, (int)t.n, MPI_UINT64_T, root, grid->all);
    MPI_Bcast(t.x, (int)t.n, kind.wire, root, grid->all);
    const gb_Range part = gb_piece(*v);
    gb_Tuples own = t;
    while (own.n > 0 && own.i[0] < part.first) {
        own.i++;
        own.x = (char *)own.x + kind.size;
        own.n--;
    }
    while (own.n > 0 && own.i[own.n - 1] >= part.first + part.size) own.n--;
    for (uint64_t k = 0; k < own.n; k++) own.i[k] -= part.first;
    info = gb_build_vector(&piece, type, part.size, &own);
    info = gb_agree_piece(*v, info, piece);
done:
    gb_tuples_free(&t);
    if (info) gbl_DistVector_free(v);
    return info;
}
