/* SPDX-License-Identifier: Apache-2.0
 *
 * The n-th allocation fails in what makes, fills and reads objects (brutal_world.h).
 */
#include "brutal_world.h"

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

static gbl_Info element(world *o) {
    int64_t x = 0;
    const gbl_Info info = gbl_Matrix_extractElement_INT64(&x, o->A, 1, 7);
    return info == GBL_NO_VALUE ? GBL_PANIC : info;
}

BRUTAL(containers) {
    static const step steps[] = {
        {"dup", dup},           {"dup v", dup_v},
        {"new", new},           {"diag", diag},
        {"wait", wait},         {"wait v", wait_v},
        {"set", set},           {"set v", set_v},
        {"resize", resize},     {"resize v", resize_v},
        {"build", build},       {"import", import},
        {"tuples", tuples},     {"export", export_columns},
        {"move out", move_out}, {"element", element},
    };
    run_steps(steps, T_COUNT(steps));
}

/* Each setElement stands for itself: those before the failure stay. */
BRUTAL(many_set_elements) {
    for (int64_t n = 1; n < MOST; n++) {
        world o = world_new();
        OK(gbl_Matrix_new(&o.made, GBL_INT64, SIDE, SIDE));
        t_case("allocation %lld fails", (long long)n);
        t_fail_at(n);
        gbl_Info info = many_sets(&o);
        const bool failed = t_failed();
        t_fail_at(0);
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
