/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls on tiny objects that bench/overhead times. Both libraries have the same functions under
 * other prefixes, so each call is written once, in calls.tmpl.h, which is included for either.
 */
#include "overhead/overhead.h"

#define LIB(name) gbl_##name
#define CONSTANT(name) GBL_##name
#define SEMIRING GBL_PLUS_TIMES_SEMIRING_FP64
#define MONOID GBL_PLUS_MONOID_FP64
#define OBJECTS overhead_mine
#define FUNCTION(name) mine_##name
#include "overhead/calls.tmpl.h"
#undef LIB
#undef CONSTANT
#undef SEMIRING
#undef MONOID
#undef OBJECTS
#undef FUNCTION

#define LIB(name) GrB_##name
#define CONSTANT(name) GrB_##name
#define SEMIRING GrB_PLUS_TIMES_SEMIRING_FP64
#define MONOID GrB_PLUS_MONOID_FP64
#define OBJECTS overhead_other
#define FUNCTION(name) other_##name
#include "overhead/calls.tmpl.h"

/* All positions (i, j) with |i - j| < width, and a matrix for A * A. */
static gbl_Info new_band(gbl_Matrix *A, gbl_Matrix *C, gbl_Index n, gbl_Index width) {
    gbl_Info info = gbl_Matrix_new(A, GBL_FP64, n, n);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(C, GBL_FP64, n, n);
    for (gbl_Index i = 0; i < n; i++)
        for (gbl_Index j = i + 1 > width ? i + 1 - width : 0;
             j < i + width && j < n && info == GBL_SUCCESS; j++)
            info = gbl_Matrix_setElement_FP64(*A, 1.0 / (double)(1 + i + j), i, j);
    return info == GBL_SUCCESS ? gbl_Matrix_wait(*A, GBL_MATERIALIZE) : info;
}

static gbl_Info plan(gbl_Matrix C, gbl_Matrix A) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    return gbl_mxm_plan(&how, C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL);
}

static gbl_Info plan_tiny(overhead_mine *o) {
    return plan(o->C, o->A);
}

static gbl_Info plan_full(overhead_mine *o) {
    return plan(o->full_out, o->full);
}

static gbl_Info plan_band(overhead_mine *o) {
    return plan(o->band_out, o->band);
}

static gbl_Info new_tiny(overhead_mine *o, uint64_t entries) {
    gbl_Info info = mine_new(o, entries);
    if (info == GBL_SUCCESS) info = new_band(&o->full, &o->full_out, 21, 21);
    return info == GBL_SUCCESS ? new_band(&o->band, &o->band_out, 1100, 2) : info;
}

#define CALL(text, function)                                                                       \
    { text, mine_##function, other_##function }

static const overhead_call CALLS[] = {
    CALL("mxm", mxm),
    CALL("mxm with a mask", mxm_masked),
    {"mxm_plan, 82 flops", plan_tiny, NULL},
    {"mxm_plan, 9261 flops of 441 entries", plan_full, NULL},
    {"mxm_plan, 9890 flops of 3298 entries", plan_band, NULL},
    CALL("mxv", mxv),
    CALL("vxm", vxm),
    CALL("eWiseAdd", add),
    CALL("eWiseMult", multiply),
    CALL("apply", apply),
    CALL("select", select),
    CALL("transpose", transpose),
    CALL("reduce to a scalar", reduce),
    CALL("reduce to a vector", reduce_rows),
    CALL("Matrix_new and free", matrix),
    CALL("Vector_new and free", vector),
    CALL("Matrix_dup and free", dup),
    CALL("Matrix_build of 28 tuples and free", build),
    CALL("Matrix_nvals", nvals),
    CALL("Matrix_extractElement", extract_element),
    CALL("Matrix_setElement of an entry that is there", set_element),
    CALL("Matrix_setElement of 28 new entries, and wait", set_elements),
    CALL("Matrix_extractTuples of 28", tuples)};
const overhead_group OVERHEAD_TINY = {CALLS, sizeof CALLS / sizeof *CALLS, new_tiny, other_new};
