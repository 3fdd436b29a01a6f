/* SPDX-License-Identifier: Apache-2.0
 *
 * The n-th allocation fails, for every n, in the operations of gblite_extended.h and in those by
 * operators that see positions; see brutal_world.h.
 */
#include "brutal_world.h"

static const gbl_Index rows[] = {5, 2, 30}, columns[] = {7, 1, 0, 20};

static void mix(void *z, const void *x, gbl_Index ix, gbl_Index jx, const void *y, gbl_Index iy,
                gbl_Index jy, const void *theta) {
    *(int64_t *)z = *(const int64_t *)x + *(const int64_t *)y + *(const int64_t *)theta +
                    (int64_t)(ix + 2 * jx + 3 * iy + 4 * jy);
}

static gbl_Info by_position(world *o, bool add) {
    gbl_BinaryOp op = NULL;
    gbl_Scalar theta = NULL;
    gbl_Info info = gbl_Scalar_new(&theta, GBL_INT64);
    if (info == GBL_SUCCESS) info = gbl_Scalar_setElement_INT64(theta, 9);
    if (info == GBL_SUCCESS)
        info = gbl_BinaryOp_new_index(&op, mix, GBL_INT64, GBL_INT64, GBL_INT64, theta);
    if (info == GBL_SUCCESS && add)
        info = gbl_Matrix_eWiseAdd_BinaryOp(o->C, o->M, GBL_PLUS_INT64, op, o->A, o->B, NULL);
    if (info == GBL_SUCCESS && !add)
        info = gbl_Vector_apply_BinaryOp1st_INT64(o->w, NULL, NULL, op, 3, o->u, NULL);
    FREE(op, theta);
    return info;
}

static gbl_Info concat_parts(world *o) {
    const gbl_Index heights[] = {30, 6}, widths[] = {1, 35};
    gbl_Matrix tiles[4] = {0};
    gbl_Info info = gbl_Matrix_split(tiles, 2, 2, heights, widths, o->A, NULL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_concat(o->C, tiles, 2, 2, NULL);
    FREE(tiles[0], tiles[1], tiles[2], tiles[3]);
    return info;
}

STEP(add_index, by_position(o, true))
STEP(apply_index, by_position(o, false))
STEP(mult_position,
     gbl_Matrix_eWiseMult_BinaryOp(o->C, NULL, NULL, GBL_SECONDJ1_INT32, o->A, o->B, GBL_DESC_T0))
STEP(unite, gbl_Matrix_eWiseUnion(o->C, o->M, NULL, GBL_MINUS_INT64, o->A, o->s, o->B, o->s, NULL))
STEP(subassign,
     gbl_Matrix_subassign_Scalar(o->C, NULL, GBL_PLUS_INT64, o->s, rows, 3, columns, 4, NULL))
STEP(subassign_v, gbl_Vector_subassign_Scalar(o->w, NULL, NULL, o->s, rows, 3, NULL))
STEP(diagonal, gbl_Vector_diag(o->w, o->A, 0, NULL))
STEP(concat, concat_parts(o))
STEP(sort, gbl_Matrix_sort(o->C, NULL, GBL_GT_INT64, o->A, NULL))
STEP(sort_columns, gbl_Matrix_sort(NULL, o->C, GBL_LT_FP32, o->B, GBL_DESC_T0))

/* From one shape to another and back, so that shapes are as expected after a failure of either. */
static gbl_Info reshape(world *o) {
    gbl_Matrix T = NULL;
    gbl_Info info = gbl_Matrix_dup(&T, o->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_reshape(T, true, SIDE / 2, 2 * SIDE, NULL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_reshape(T, true, SIDE, SIDE, NULL);
    if (info == GBL_SUCCESS) info = gbl_transpose(o->C, NULL, NULL, T, NULL);
    FREE(T);
    return info;
}

BRUTAL(extended) {
    static const step steps[] = {
        {"eWiseAdd by position", add_index},
        {"apply by position", apply_index},
        {"eWiseMult by position", mult_position},
        {"eWiseUnion", unite},
        {"subassign", subassign},
        {"subassign v", subassign_v},
        {"diag", diagonal},
        {"split and concat", concat},
        {"sort", sort},
        {"sort columns", sort_columns},
        {"reshape", reshape},
    };
    run_steps(steps, T_COUNT(steps));
}
