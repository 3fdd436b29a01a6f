/* SPDX-License-Identifier: Apache-2.0
 *
 * The n-th allocation fails, for every n, in every operation, in what makes, fills and reads
 * objects (brutal_world.h), where algebra objects are made, and in gbl_init.
 */
#include "brutal_world.h"

#include "support/gb_test.h"

/* ---------------------------------------------------------------------------------- products -- */

#define PLUS GBL_PLUS_TIMES_SEMIRING_INT64
static gbl_Info select_rows(world *o) {
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    keep.op = GBL_VALUEGT_INT64;
    keep.y = o->s;
    keep.most = 2;
    keep.recover = 4;
    keep.share = 0.9;
    return gbl_mxm_select(o->C, o->M, GBL_PLUS_INT64, PLUS, &keep, o->A, o->B, NULL);
}
STEP(mxm, gbl_mxm(o->C, NULL, NULL, PLUS, o->A, o->B, NULL))
STEP(mxm_accum, gbl_mxm(o->C, NULL, GBL_PLUS_INT64, PLUS, o->A, o->B, NULL))
STEP(mxm_tran, gbl_mxm(o->C, NULL, NULL, PLUS, o->A, o->B, GBL_DESC_T0T1))
STEP(mxm_mask, gbl_mxm(o->C, o->M, GBL_PLUS_FP32, PLUS, o->A, o->B, GBL_DESC_R))
STEP(mxm_comp, gbl_mxm(o->C, o->M, NULL, PLUS, o->A, o->B, GBL_DESC_RSC))
STEP(mxm_alias, gbl_mxm(o->C, o->C, NULL, PLUS, o->C, o->C, GBL_DESC_T1))
STEP(mxm_select, select_rows(o))
STEP(mxm_generic, gbl_mxm(o->C, NULL, NULL, GBL_MAX_MIN_SEMIRING_INT16, o->B, o->A, NULL))
STEP(mxm_complex,
     gbl_mxm(o->C, o->M, GBL_PLUS_FC32, GBL_PLUS_TIMES_SEMIRING_FC64, o->A, o->B, NULL))
STEP(mxv_complex,
     gbl_mxv(o->w, o->m, GBL_PLUS_FC64, GBL_PLUS_MINUS_SEMIRING_FC32, o->A, o->u, NULL))
STEP(mxv, gbl_mxv(o->w, NULL, NULL, PLUS, o->A, o->u, NULL))
STEP(mxv_mask, gbl_mxv(o->w, o->m, GBL_PLUS_INT64, PLUS, o->B, o->v, GBL_DESC_T0))
STEP(vxm, gbl_vxm(o->w, NULL, NULL, PLUS, o->u, o->A, NULL))
STEP(vxm_mask, gbl_vxm(o->w, o->m, NULL, PLUS, o->u, o->B, GBL_DESC_RC))
STEP(vxm_alias, gbl_vxm(o->w, o->w, NULL, GBL_MIN_PLUS_SEMIRING_INT64, o->w, o->A, GBL_DESC_SC))

static gbl_Info mxm_by(gbl_Desc_Value method, gbl_Matrix C, gbl_Matrix M, gbl_Matrix A,
                       gbl_Matrix B) {
    gbl_Descriptor desc = NULL;
    gbl_Info info = gbl_Descriptor_new(&desc);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(desc, GBL_METHOD, method);
    if (info == GBL_SUCCESS) info = gbl_mxm(C, M, NULL, PLUS, A, B, desc);
    if (desc != NULL) OK(gbl_Descriptor_free(&desc));
    return info;
}

STEP(mxm_panel, mxm_by(GBL_METHOD_PANEL, o->C, o->M, o->A, o->B))

static gbl_Info multiply_grouped(world *o) {
    gbl_Descriptor desc = NULL;
    gbl_Info info = gbl_Descriptor_new(&desc);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_PANEL);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set(desc, GBL_WORKFLOW, GBL_WORKFLOW_GROUPED);
    if (info == GBL_SUCCESS) info = gbl_mxm(o->C, o->M, NULL, PLUS, o->A, o->B, desc);
    if (desc != NULL) OK(gbl_Descriptor_free(&desc));
    return info;
}
STEP(mxm_grouped, multiply_grouped(o))
STEP(mxm_dot, mxm_by(GBL_METHOD_DOT, o->C, o->M, o->A, o->B))

/* with a factor that has an entry at every place */
static gbl_Info mxm_full(world *o) {
    gbl_Matrix F = NULL;
    gbl_Info info = gbl_Matrix_new(&F, GBL_FP32, SIDE, 5);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_assign_FP32(F, NULL, NULL, 3, GBL_ALL, SIDE, GBL_ALL, 5, NULL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_setElement_FP32(F, 7, 1, 2);
    gbl_Matrix T = NULL;
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&T, GBL_INT64, SIDE, 5);
    if (info == GBL_SUCCESS) info = mxm_by(GBL_METHOD_SPMM, T, NULL, o->A, F);
    if (info == GBL_SUCCESS) info = mxm_by(GBL_METHOD_SPMM, T, T, o->A, F);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_reduce_FP64(&o->x, NULL, GBL_PLUS_MONOID_FP64, T, NULL);
    FREE(F, T);
    return info;
}

/* the same on the left, in few rows */
static gbl_Info mxm_full_left(world *o) {
    gbl_Matrix F = NULL, T = NULL;
    gbl_Info info = gbl_Matrix_new(&F, GBL_FP32, 5, SIDE);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_assign_FP32(F, NULL, NULL, 3, GBL_ALL, 5, GBL_ALL, SIDE, NULL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_setElement_FP32(F, 7, 1, 2);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&T, GBL_INT64, 5, SIDE);
    if (info == GBL_SUCCESS) info = mxm_by(GBL_METHOD_SPMM, T, NULL, F, o->A);
    if (info == GBL_SUCCESS) info = mxm_by(GBL_METHOD_SPMM, T, T, F, o->A);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_reduce_FP64(&o->x, NULL, GBL_PLUS_MONOID_FP64, T, NULL);
    FREE(F, T);
    return info;
}
STEP(mxm_vector, mxm_by(GBL_METHOD_VECTOR, o->C, o->M, o->A, o->B))
STEP(mxm_tiled, mxm_by(GBL_METHOD_TILED, o->C, NULL, o->A, o->B))
STEP(mxm_tiled_mask, mxm_by(GBL_METHOD_TILED, o->C, o->M, o->A, o->A))

/* a matrix that exists only as tiles: copied, changed, multiplied, transposed in place */
static gbl_Info tiles_used(world *o) {
    gbl_Matrix T = NULL, copy = NULL;
    gbl_Info info = gbl_Matrix_new(&T, GBL_INT64, SIDE, SIDE);
    if (info == GBL_SUCCESS) info = mxm_by(GBL_METHOD_TILED, T, NULL, o->A, o->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_dup(&copy, T);
    if (info == GBL_SUCCESS) info = mxm_by(GBL_METHOD_TILED, T, NULL, T, o->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_setElement_INT64(T, 3, 1, 2);
    if (info == GBL_SUCCESS) info = gbl_Matrix_wait(T, GBL_MATERIALIZE);
    if (info == GBL_SUCCESS) info = mxm_by(GBL_METHOD_TILED, T, NULL, copy, T);
    if (info == GBL_SUCCESS) info = gbl_transpose(T, NULL, NULL, T, NULL);
    if (info == GBL_SUCCESS) info = mxm_by(GBL_METHOD_TILED, T, NULL, T, T);
    if (info == GBL_SUCCESS) info = gbl_Matrix_apply(T, NULL, NULL, GBL_AINV_INT64, T, NULL);
    if (info == GBL_SUCCESS) info = mxm_by(GBL_METHOD_TILED, o->C, NULL, T, copy);
    FREE(T, copy);
    return info;
}

BRUTAL(products) {
    static const step steps[] = {
        {"mxm", mxm},
        {"mxm accum", mxm_accum},
        {"mxm transposed", mxm_tran},
        {"mxm mask", mxm_mask},
        {"mxm comp", mxm_comp},
        {"mxm alias", mxm_alias},
        {"mxm dot", mxm_dot},
        {"mxm panel", mxm_panel},
        {"mxm grouped", mxm_grouped},
        {"mxm full", mxm_full},
        {"mxm full left", mxm_full_left},
        {"mxm vector", mxm_vector},
        {"mxm tiled", mxm_tiled},
        {"mxm tiled mask", mxm_tiled_mask},
        {"tiles used", tiles_used},
        {"mxm generic", mxm_generic},
        {"mxm complex", mxm_complex},
        {"mxv complex", mxv_complex},
        {"mxm select", mxm_select},
        {"mxv", mxv},
        {"mxv mask", mxv_mask},
        {"vxm", vxm},
        {"vxm mask", vxm_mask},
        {"vxm alias", vxm_alias},
    };
    run_steps(steps, T_COUNT(steps));
}

static t_Flags way; /* of the next row-wise product */

static gbl_Info mxm_way(world *o) {
    gbl_Descriptor desc = NULL;
    gbl_Info info = gbl_Descriptor_new(&desc);
    if (info != GBL_SUCCESS) return info;
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_ROWWISE));
    OK(gbl_Descriptor_set(desc, GBL_WORKFLOW, way.workflow));
    OK(gbl_Descriptor_set_INT32(desc, way.accumulators, GBL_ACCUMULATORS));
    if (way.any_order) OK(gbl_Descriptor_set(desc, GBL_ROW_ORDER, GBL_ANY_ORDER));
    if (way.mask == T_COMP) OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_COMP));
    info = gbl_mxm(o->C, way.mask == T_NO_MASK ? NULL : o->M, NULL, PLUS, o->A, o->B, desc);
    OK(gbl_Descriptor_free(&desc));
    return info;
}

/* the estimates come back as numbers, so that they are compared like other results */
static gbl_Info estimates(world *o) {
    gbl_MxmEstimate e[2] = {GBL_MXM_ESTIMATE_INIT, GBL_MXM_ESTIMATE_INIT};
    gbl_Info info = gbl_mxm_estimate(&e[0], PLUS, o->A, o->B, NULL);
    if (info == GBL_SUCCESS) info = gbl_mxm_estimate(&e[1], PLUS, o->B, o->A, GBL_DESC_T0T1);
    if (info == GBL_SUCCESS) o->x = (double)(e[0].flops + e[1].flops) + e[0].nvals + e[1].nvals;
    return info;
}

static gbl_Info plans(world *o) {
    gbl_Explanation plan[2] = {GBL_EXPLANATION_INIT, GBL_EXPLANATION_INIT};
    gbl_Info info = gbl_mxm_plan(&plan[0], o->C, NULL, NULL, PLUS, o->A, o->B, NULL);
    if (info == GBL_SUCCESS)
        info = gbl_mxm_plan(&plan[1], o->C, o->M, NULL, PLUS, o->A, o->B, GBL_DESC_T1);
    if (info == GBL_SUCCESS) o->x = (double)(plan[0].flops + plan[1].nnz_mask);
    return info;
}

BRUTAL(rowwise_products) {
    static const t_Mask masks[] = {T_NO_MASK, T_VALUED, T_COMP};
    for (size_t w = 0; w < T_COUNT(t_workflows); w++) {
        for (size_t a = 0; a < T_COUNT(t_accumulators); a++) {
            way = (t_Flags){.mask = masks[(w + a) % T_COUNT(masks)],
                            .workflow = t_workflows[w],
                            .accumulators = t_accumulators[a],
                            .any_order = a % 2 == 1};
            run_steps(&(step){t_flags_text(&way), mxm_way}, 1);
        }
    }
    run_steps(&(step){"estimates", estimates}, 1);
    run_steps(&(step){"plans", plans}, 1);
}

/* -------------------------------------------------------------------------- other operations -- */

STEP(add, gbl_Matrix_eWiseAdd_BinaryOp(o->C, o->M, NULL, GBL_PLUS_FP64, o->A, o->B, GBL_DESC_T0))
STEP(mult, gbl_Matrix_eWiseMult_BinaryOp(o->C, o->M, GBL_MIN_INT64, GBL_TIMES_INT64, o->A, o->B,
                                         GBL_DESC_RC))
STEP(add_v, gbl_Vector_eWiseAdd_Monoid(o->w, o->m, NULL, GBL_MAX_MONOID_INT64, o->u, o->v, NULL))
STEP(mult_v, gbl_Vector_eWiseMult_Semiring(o->w, NULL, GBL_PLUS_INT64, PLUS, o->u, o->v, NULL))
STEP(apply, gbl_Matrix_apply(o->C, o->M, NULL, GBL_AINV_FP32, o->A, GBL_DESC_T0))
STEP(apply_1, gbl_Matrix_apply_BinaryOp1st_FP64(o->C, NULL, GBL_PLUS_INT64, GBL_MINUS_INT64, 3.5,
                                                o->B, NULL))
STEP(apply_2,
     gbl_Vector_apply_BinaryOp2nd_Scalar(o->w, o->m, NULL, GBL_MINUS_INT64, o->u, o->s, GBL_DESC_R))
STEP(apply_index,
     gbl_Matrix_apply_IndexOp_INT64(o->C, NULL, NULL, GBL_COLINDEX_INT32, o->A, 2, NULL))
STEP(select_m, gbl_Matrix_select_INT64(o->C, o->M, NULL, GBL_TRIL, o->A, -1, NULL))
STEP(select_v,
     gbl_Vector_select_FP32(o->w, NULL, GBL_PLUS_INT64, GBL_VALUEGT_FP32, o->v, 0.5f, NULL))
STEP(transpose, gbl_transpose(o->C, o->M, GBL_PLUS_INT64, o->B, NULL))
STEP(transpose_plain, gbl_transpose(o->C, NULL, NULL, o->A, NULL))
STEP(assign, gbl_Matrix_assign(o->C, o->M, NULL, o->B, GBL_ALL, SIDE, GBL_ALL, SIDE, GBL_DESC_T0))
STEP(assign_v, gbl_Vector_assign(o->w, o->m, GBL_PLUS_INT64, o->v, GBL_ALL, SIDE, NULL))
STEP(assign_x,
     gbl_Matrix_assign_FP32(o->C, o->M, NULL, 1.5f, GBL_ALL, SIDE, GBL_ALL, SIDE, GBL_DESC_SC))
STEP(assign_x_v, gbl_Vector_assign_Scalar(o->w, o->m, NULL, o->s, GBL_ALL, SIDE, GBL_DESC_S))
STEP(reduce_rows,
     gbl_Matrix_reduce_Monoid(o->w, o->m, NULL, GBL_PLUS_MONOID_INT64, o->A, GBL_DESC_T0))
STEP(reduce_op, gbl_Matrix_reduce_BinaryOp(o->w, NULL, GBL_PLUS_INT64, GBL_MIN_FP32, o->B, NULL))
STEP(reduce, gbl_Matrix_reduce_FP64(&o->x, GBL_PLUS_FP64, GBL_PLUS_MONOID_INT64, o->A, NULL))
STEP(fold_product, gbl_mxm_reduce_FP64(&o->x, o->M, GBL_PLUS_FP64, GBL_PLUS_MONOID_INT64,
                                       GBL_PLUS_TIMES_SEMIRING_INT64, o->A, o->B, GBL_DESC_T1))
STEP(fold_stored, gbl_mxm_reduce_FP64(&o->x, NULL, NULL, GBL_MAX_MONOID_INT32,
                                      GBL_PLUS_TIMES_SEMIRING_INT64, o->A, o->B, NULL))
STEP(reduce_v, gbl_Vector_reduce_FP64(&o->x, NULL, GBL_PLUS_MONOID_FP64, o->u, NULL))
STEP(reduce_s, gbl_Matrix_reduce_Monoid_Scalar(o->s, NULL, GBL_MAX_MONOID_INT32, o->B, NULL))

static const gbl_Index some_rows[] = {5, 2, 30}, some_columns[] = {7, 1, 0, 20};
STEP(assign_at, gbl_Matrix_assign_INT64(o->C, o->M, GBL_PLUS_INT64, 4, some_rows, 3, some_columns,
                                        4, GBL_DESC_R))
STEP(assign_at_v, gbl_Vector_assign_FP32(o->w, NULL, NULL, 4.5f, some_rows, 3, NULL))

BRUTAL(operations) {
    static const step steps[] = {
        {"eWiseAdd", add},
        {"eWiseMult", mult},
        {"eWiseAdd v", add_v},
        {"eWiseMult v", mult_v},
        {"apply", apply},
        {"apply 1st", apply_1},
        {"apply 2nd", apply_2},
        {"apply index", apply_index},
        {"select", select_m},
        {"select v", select_v},
        {"transpose", transpose},
        {"transpose plain", transpose_plain},
        {"assign", assign},
        {"assign v", assign_v},
        {"assign x", assign_x},
        {"assign x v", assign_x_v},
        {"reduce rows", reduce_rows},
        {"reduce op", reduce_op},
        {"reduce", reduce},
        {"fold product", fold_product},
        {"fold stored product", fold_stored},
        {"reduce v", reduce_v},
        {"reduce scalar", reduce_s},
        {"assign at", assign_at},
        {"assign at v", assign_at_v},
    };
    run_steps(steps, T_COUNT(steps));
}

/* ------------------------------------------------------------------------------- containers -- */

STEP(dup, gbl_Matrix_dup(&o->made, o->A))
STEP(dup_v, gbl_Vector_dup(&o->made_vector, o->u))
STEP(new, gbl_Matrix_new(&o->made, GBL_FP64, 5, 5))
STEP(diag, gbl_Matrix_diag(&o->made, o->u, -3))
STEP(wait, gbl_Matrix_wait(o->A, GBL_MATERIALIZE))
STEP(wait_v, gbl_Vector_wait(o->u, GBL_MATERIALIZE))
STEP(set, gbl_Matrix_setElement_INT64(o->B, 5, 1, 1))
/* An entry that is not there yet: the value of one that is changes where it stands. */
static gbl_Info set_v(world *o) {
    gbl_Index at = 0;
    int64_t x;
    while (gbl_Vector_extractElement_INT64(&x, o->v, at) == GBL_SUCCESS) at++;
    return gbl_Vector_setElement_INT64(o->v, 5, at);
}

static gbl_Info many_sets(world *o) {
    gbl_Info info = GBL_SUCCESS;
    for (gbl_Index k = 0; k < 200 && info == GBL_SUCCESS; k++)
        info = gbl_Matrix_setElement_INT64(o->made, (int64_t)k, k % SIDE, (3 * k) % SIDE);
    return info;
}

/* dimensions are what resize may not change when it fails; expect_state sees the shape */
STEP(resize, gbl_Matrix_resize(o->A, SIDE / 2, SIDE + 9))
STEP(resize_v, gbl_Vector_resize(o->u, SIDE / 3))

static gbl_Info build(world *o) {
    static const gbl_Index I[] = {5, 5, 0, 9}, J[] = {1, 1, 2, 3};
    static const float X[] = {1, 2, 3, 4};
    gbl_Matrix A = NULL;
    gbl_Info info = gbl_Matrix_new(&A, GBL_INT64, SIDE, SIDE);
    if (info == GBL_SUCCESS) info = gbl_Matrix_build_FP32(A, I, J, X, 4, GBL_PLUS_FP64);
    if (info == GBL_SUCCESS)
        o->made = A;
    else
        OK(gbl_Matrix_free(&A));
    return info;
}

static gbl_Info import(world *o) {
    static const gbl_Index p[] = {0, 2, 3}, i[] = {2, 0, 1};
    static const double x[] = {1, 2, 3};
    return gbl_Matrix_import_FP64(&o->made, GBL_FP64, 2, 3, p, i, x, 3, 3, 3, GBL_CSR_FORMAT);
}

static gbl_Info tuples(world *o) {
    static gbl_Index I[SIDE * SIDE], J[SIDE * SIDE];
    static double X[SIDE * SIDE];
    gbl_Index n = SIDE * SIDE;
    return gbl_Matrix_extractTuples_FP64(I, J, X, &n, o->A);
}

static gbl_Info export_columns(world *o) {
    static gbl_Index p[SIDE + 1], i[SIDE * SIDE];
    static int64_t x[SIDE * SIDE];
    gbl_Index np = SIDE + 1, ni = SIDE * SIDE, nx = SIDE * SIDE;
    return gbl_Matrix_export_INT64(p, i, x, &np, &ni, &nx, GBL_CSC_FORMAT, o->A);
}

static gbl_Info move_out(world *o) {
    gbl_Arrays arrays = {NULL, NULL, NULL, false};
    const gbl_Info info = gbl_Matrix_moveOut(o->A, GBL_CSC_FORMAT, &arrays);
    if (info != GBL_SUCCESS) return info;
    t_free(arrays.p);
    t_free(arrays.i);
    t_free(arrays.x);
    return info;
}

static gbl_Info move_out_dense(world *o) {
    gbl_Dense dense = {NULL, NULL, false};
    const gbl_Info info = gbl_Matrix_moveOutDense(o->A, &dense);
    if (info != GBL_SUCCESS) return info;
    t_free(dense.b);
    t_free(dense.x);
    return info;
}

static gbl_Info lend_dense(world *o) {
    static int64_t x[SIDE * SIDE];
    return gbl_Matrix_lendDense(o->A, &(gbl_Dense){NULL, x, false}, NULL);
}

static gbl_Info element(world *o) {
    int64_t x = 0;
    const gbl_Info info = gbl_Matrix_extractElement_INT64(&x, o->A, 1, 7);
    return info == GBL_NO_VALUE ? GBL_PANIC : info;
}

BRUTAL(containers) {
    static const step steps[] = {
        {"dup", dup},
        {"dup v", dup_v},
        {"new", new},
        {"diag", diag},
        {"wait", wait},
        {"wait v", wait_v},
        {"set", set},
        {"set v", set_v},
        {"resize", resize},
        {"resize v", resize_v},
        {"build", build},
        {"import", import},
        {"tuples", tuples},
        {"export", export_columns},
        {"move out", move_out},
        {"element", element},
        {"dense out", move_out_dense},
        {"lend", lend_dense},
    };
    run_steps(steps, T_COUNT(steps));
}

/* Each setElement stands for itself: those before the failure stay. */
BRUTAL(many_set_elements) {
    for (int64_t n = 1; n < MOST; n++) {
        world o = world_new();
        OK(gbl_Matrix_new(&o.made, GBL_INT64, SIDE, SIDE));
        t_case("allocation %lld fails", (long long)n);
        bool failed;
        gbl_Info info = FAIL_AT(n, many_sets(&o), &failed);
        CHECK(failed ? info == GBL_OUT_OF_MEMORY : info == GBL_SUCCESS);
        if (failed) OK(many_sets(&o));
        int64_t x = -1;
        for (gbl_Index k = 200 - SIDE; k < 200; k++) {
            OK(gbl_Matrix_extractElement_INT64(&x, o.made, k % SIDE, (3 * k) % SIDE));
            CHECK_EQ(x, k);
        }
        world_free(&o);
        CHECK_EQ(t_live(), 0);
        if (!failed) break;
    }
}

/* ---------------------------------------------------------------------------------- algebra -- */

static void add_bytes(void *z, const void *x, const void *y) {
    for (int k = 0; k < 24; k++)
        ((char *)z)[k] = (char)(((const char *)x)[k] ^ ((const char *)y)[k]);
}

/* everything that algebra objects allocate, one after the other; the first failure ends it */
static gbl_Info make_algebra(void) {
    gbl_Type type = NULL;
    gbl_BinaryOp op = NULL;
    gbl_Monoid monoid = NULL;
    gbl_Semiring ring = NULL;
    gbl_Descriptor desc = NULL;
    gbl_Scalar s = NULL, t = NULL;
    gbl_Matrix A = NULL;
    const char zero[24] = {0}, one[24] = {1};
    gbl_Info info = gbl_Type_new(&type, 24);
    if (info == GBL_SUCCESS) info = gbl_BinaryOp_new(&op, add_bytes, type, type, type);
    if (info == GBL_SUCCESS) info = gbl_Monoid_new_UDT(&monoid, op, zero);
    if (info == GBL_SUCCESS) info = gbl_Semiring_new(&ring, monoid, op);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_new(&desc);
    if (info == GBL_SUCCESS) info = gbl_Type_set_String(type, "bytes", GBL_NAME);
    if (info == GBL_SUCCESS) info = gbl_Semiring_set_String(ring, "ring", GBL_NAME);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set_String(desc, "desc", GBL_NAME);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set_String(desc, "again", GBL_NAME);
    if (info == GBL_SUCCESS) info = gbl_Scalar_new(&s, type);
    if (info == GBL_SUCCESS) info = gbl_Scalar_set_String(s, "scalar", GBL_NAME);
    if (info == GBL_SUCCESS) info = gbl_Scalar_setElement_UDT(s, one);
    if (info == GBL_SUCCESS) info = gbl_Scalar_dup(&t, s);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&A, type, 20, 20);
    if (info == GBL_SUCCESS) info = gbl_Matrix_set_String(A, "matrix", GBL_NAME);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_assign_Scalar(A, NULL, NULL, t, GBL_ALL, 20, GBL_ALL, 20, desc);
    if (info == GBL_SUCCESS) info = gbl_mxm(A, NULL, op, ring, A, A, desc);
    FREE(ring, monoid, op);
    if (desc != NULL) OK(gbl_Descriptor_free(&desc));
    FREE(s, t, A, type);
    return info;
}

BRUTAL(algebra) {
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        t_case("allocation %lld fails", (long long)n);
        FAIL_AT(n, make_algebra(), &failed);
        CHECK_EQ(t_live(), 0);
        CHECK_EQ(t_blocks(), 0);
    }
}

Test(brutal, init) {
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        t_case("allocation %lld fails", (long long)n);
        const gbl_Info info = FAIL_AT(
            n, gbl_init_with_allocator(GBL_NONBLOCKING, t_malloc, t_realloc, t_free), &failed);
        if (info == GBL_SUCCESS) OK(gbl_finalize());
        CHECK_EQ(t_live(), 0);
    }
}
