/* SPDX-License-Identifier: Apache-2.0
 *
 * Grids of processes, how indices are cut, and agreement on errors.
 */
#include "dist.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 512 }; /* bytes of an error's text */

/* One number that is smallest for the worst code and among its processes the lowest rank. */
static gbl_Info agree_on(MPI_Comm comm, gbl_Info info) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int64_t code = info < 0 ? info : 0;
    int64_t mine[2] = {code * size + rank, -code}, worst[2];
    MPI_Allreduce(mine, worst, 2, MPI_INT64_T, MPI_MIN, comm);
    int64_t first = worst[0] % size;
    if (first < 0) first += size;
    const gbl_Info common = (gbl_Info)((worst[0] - first) / size);
    if (common == GBL_SUCCESS) return GBL_SUCCESS;
    char text[TEXT] = "";
    if (rank == first) snprintf(text, sizeof text, "%s", gbl_last_error());
    MPI_Bcast(text, TEXT, MPI_CHAR, (int)first, comm);
    if (-worst[1] == common) return gbl_fail(common, NULL, "%s", text); /* the same everywhere */
    return gbl_fail(common, NULL, "process %d of %d: %s", (int)first, size, text);
}

gbl_Info gb_agree(gbl_Grid grid, gbl_Info info) {
    return agree_on(grid->all, info);
}

gbl_Info gbl_Grid_agree(gbl_Grid grid, gbl_Info info) {
    if (!grid) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_Grid_agree: grid is NULL");
    return gb_agree(grid, info);
}

gb_Range gb_part(gbl_Index n, int parts, int k) {
    const gbl_Index each = n / (gbl_Index)parts, first = (gbl_Index)k * each;
    return (gb_Range){first, k + 1 < parts ? each : n - first};
}

int gb_part_of(gbl_Index i, gbl_Index n, int parts) {
    const gbl_Index each = n / (gbl_Index)parts;
    return each == 0 || i / each >= (gbl_Index)parts ? parts - 1 : (int)(i / each);
}

static int side_of(int processes) {
    int side = 1;
    while ((side + 1) * (side + 1) <= processes) side++;
    return side * side == processes ? side : 0;
}

gbl_Info gbl_Grid_new(gbl_Grid *grid, MPI_Comm comm) {
    int ready = 0, processes;
    if (!grid) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_Grid_new: grid is NULL");
    *grid = NULL;
    MPI_Initialized(&ready);
    if (!ready) return gbl_fail(GBL_PANIC, NULL, "gbl_Grid_new: call MPI_Init first");
    MPI_Comm_size(comm, &processes);
    const int side = side_of(processes);
    if (!side)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "gbl_Grid_new: a grid is square: start 1, 4, 9, 16, ... processes, not %d",
                        processes);
    gbl_Grid g = gb_array(1, sizeof *g);
    if (g) memset(g, 0, sizeof *g);
    gbl_Info info = agree_on(comm, g ? GBL_SUCCESS : gb_no_memory("a grid"));
    if (!info) {
        MPI_Comm_dup(comm, &g->all);
        g->side = side;
        MPI_Comm_rank(g->all, &g->rank);
        g->row = g->rank % side;
        g->col = g->rank / side;
        g->combblas = gb_combblas_grid(g->all, side, &g->post, &g->line);
    }
    if (info) {
        gbl_Grid_free(&g);
        return info;
    }
    *grid = g;
    return GBL_SUCCESS;
}

gbl_Info gbl_Grid_free(gbl_Grid *grid) {
    if (!grid || !*grid) return GBL_SUCCESS;
    if ((*grid)->combblas) gb_combblas_grid_free((*grid)->combblas);
    if ((*grid)->side > 0) MPI_Comm_free(&(*grid)->all);
    gbl_Memory_free(*grid);
    *grid = NULL;
    return GBL_SUCCESS;
}

static gbl_Info no_grid(const char *name) {
    return gbl_fail(GBL_NULL_POINTER, NULL, "%s: grid is NULL", name);
}

gbl_Info gbl_Grid_place(int *rank, int *row, int *column, int *side, gbl_Grid grid) {
    if (!grid) return no_grid("gbl_Grid_place");
    if (rank) *rank = grid->rank;
    if (row) *row = grid->row;
    if (column) *column = grid->col;
    if (side) *side = grid->side;
    return GBL_SUCCESS;
}

gbl_Info gbl_Grid_set_kernels(gbl_Grid grid, gbl_DistKernels kernels) {
    if (!grid) return no_grid("gbl_Grid_set_kernels");
    if (kernels != GBL_DIST_GBLITE && kernels != GBL_DIST_COMBBLAS &&
        kernels != GBL_DIST_COMBBLAS_SUMMA)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "gbl_Grid_set_kernels: %d is none of gbl_DistKernels", (int)kernels);
    grid->kernels = kernels;
    return GBL_SUCCESS;
}

gbl_Info gbl_Grid_counters(gbl_DistCounters *counters, gbl_Grid grid) {
    if (!grid) return no_grid("gbl_Grid_counters");
    if (!counters) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_Grid_counters: counters is NULL");
    *counters = grid->counters;
    return GBL_SUCCESS;
}

gbl_Info gbl_Grid_clear_counters(gbl_Grid grid) {
    if (!grid) return no_grid("gbl_Grid_clear_counters");
    grid->counters = (gbl_DistCounters){0};
    return GBL_SUCCESS;
}

gbl_Info gb_kind(gb_Kind *kind, gbl_Type type) {
    gbl_Info info;
    if ((info = gbl_Type_code(&kind->code, type)) || (info = gbl_Type_size(&kind->size, type)))
        return info;
    if (kind->code == GBL_UDT_CODE)
        return gbl_fail(GBL_DOMAIN_MISMATCH, NULL,
                        "values over many processes have built-in types, not the user's");
    kind->wire = kind->size == 1   ? MPI_UINT8_T
                 : kind->size == 2 ? MPI_UINT16_T
                 : kind->size == 4 ? MPI_UINT32_T
                                   : MPI_UINT64_T;
    return GBL_SUCCESS;
}

gbl_Type gb_type(gbl_Type_Code code) {
    switch (code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return GBL_##N;
        GBL_FOREACH_TYPE(CASE)
#undef CASE
    default:
        return NULL;
    }
}

void *gb_array(uint64_t count, size_t size) {
    uint64_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX) return NULL;
    return gbl_Memory_malloc(bytes > 0 ? bytes : 1);
}

gbl_Info gb_no_memory(const char *what) {
    return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for %s", what);
}
