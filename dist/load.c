/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices from files and generators.
 */
#include "load.h"

gbl_Info gb_take_tuples(gbl_DistMatrix A, gb_Tuples *tuples, gbl_BinaryOp dup) {
    gb_Tuples here = {0};
    gbl_Matrix block = NULL;
    gbl_Info info = gb_route(&here, tuples, A, GBL_SUCCESS);
    gb_tuples_free(tuples);
    if (info) return info;
    info = gb_build(&block, A->type, gb_rows(A).size, gb_cols(A).size, &here, dup);
    gb_tuples_free(&here);
    return gb_agree_block(A, info, block);
}

/* An operator for equal entries that have equal values. */
static gbl_BinaryOp second_of(gbl_Type type) {
#define SECOND(N, T)                                                                               \
    if (type == GBL_##N) return GBL_SECOND_##N;
    GBL_FOREACH_TYPE(SECOND)
#undef SECOND
    return NULL;
}

/* This process's share of the edges. */
static gbl_Info make_share(gb_Tuples *tuples, gbl_Type type, const char *spec, gbl_Index edges,
                           gbl_Grid grid) {
    gb_Kind kind;
    const gb_Range own = gb_part(edges, grid->side * grid->side, grid->rank);
    gbl_EdgePart part = {.spec = spec, .type = type, .first = own.first, .count = own.size};
    gbl_Info info = gb_kind(&kind, type);
    if (info) return info;
    tuples->i = gb_array(2 * own.size, sizeof *tuples->i);
    tuples->j = gb_array(2 * own.size, sizeof *tuples->j);
    if (type != GBL_BOOL) tuples->x = gb_array(2 * own.size, kind.size);
    if (!tuples->i || !tuples->j || (type != GBL_BOOL && !tuples->x))
        return gb_no_memory("edges of the graph");
    part.I = tuples->i;
    part.J = tuples->j;
    part.X = tuples->x;
    info = gbl_generate_edges(&part);
    tuples->n = part.n;
    return info;
}

static gbl_Info make_graph(gbl_DistMatrix *A, gbl_Type type, const char *spec, gbl_Index n,
                           gbl_Index edges, gbl_Grid grid) {
    gb_Tuples tuples = {0};
    gbl_Info info = gbl_DistMatrix_new(A, type, n, n, grid);
    if (info) return info;
    info = gb_agree(grid, make_share(&tuples, type, spec, edges, grid));
    if (!info) info = gb_take_tuples(*A, &tuples, second_of(type));
    gb_tuples_free(&tuples);
    if (info) gbl_DistMatrix_free(A);
    return info;
}

static gbl_Info load_in_one(gbl_DistMatrix *A, gbl_Type type, const char *operand, gbl_Grid grid) {
    gbl_Matrix local = NULL;
    gbl_Info info = gb_agree(grid, grid->rank == 0 ? gbl_load(&local, type, operand) : GBL_SUCCESS);
    if (!info) info = gbl_DistMatrix_scatter(A, local, 0, grid);
    gbl_Matrix_free(&local);
    return info;
}

gbl_Info gbl_DistMatrix_load(gbl_DistMatrix *A, gbl_Type type, const char *operand, gbl_Grid grid) {
    gbl_Index n = 0, edges = 0;
    bool cut = false;
    if (!A || !grid || !operand)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_DistMatrix_load: an argument is NULL");
    *A = NULL;
    const gbl_Info made = gbl_generate_shape(&n, &edges, operand);
    gbl_Info info = gb_agree(grid, made);
    if (info) return info;
    if (made == GBL_SUCCESS && n > 0)
        return make_graph(A, type ? type : GBL_FP64, operand, n, edges, grid);
    if (made == GBL_NO_VALUE && ((info = gb_read(A, &cut, type, operand, grid)) || cut))
        return info;
    return load_in_one(A, type, operand, grid);
}
