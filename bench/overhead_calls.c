/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls that bench/overhead times. Both libraries have the same functions under other prefixes,
 * so each call is written once, in overhead.tmpl.h, which is included for either.
 */
#include "overhead.h"

#define LIB(name) gbl_##name
#define CONSTANT(name) GBL_##name
#define SEMIRING GBL_PLUS_TIMES_SEMIRING_FP64
#define MONOID GBL_PLUS_MONOID_FP64
#define OBJECTS overhead_mine
#define FUNCTION(name) mine_##name
#include "overhead.tmpl.h"
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
#include "overhead.tmpl.h"

gbl_Info overhead_mine_new(overhead_mine *o) {
    return mine_new(o);
}

void overhead_mine_free(overhead_mine *o) {
    mine_free(o);
}

GrB_Info overhead_other_new(overhead_other *o) {
    return other_new(o);
}

void overhead_other_free(overhead_other *o) {
    other_free(o);
}

#define CALL(text, function)                                                                       \
    { text, mine_##function, other_##function }

const overhead_call OVERHEAD_CALLS[] = {
    CALL("mxm", mxm),
    CALL("mxm with a mask", mxm_masked),
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
const int OVERHEAD_CALL_COUNT = sizeof OVERHEAD_CALLS / sizeof *OVERHEAD_CALLS;
