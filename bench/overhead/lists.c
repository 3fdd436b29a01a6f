/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls on lists of long vectors: what they cost must follow the entries of the lists. Each is
 * written once, in lists.tmpl.h, which is included for either library.
 */
#include <stdlib.h>

#include "overhead/overhead.h"

static uint64_t draw(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Above 0, up to 1. */
static double value(uint64_t *state) {
    return (double)(1 + draw(state)) / 0x1p31;
}

#define LIB(name) gbl_##name
#define CONSTANT(name) GBL_##name
#define ANY_SECONDI GBL_ANY_SECONDI_SEMIRING_INT64
#define OBJECTS overhead_mine
#define FUNCTION(name) mine_##name
#include "overhead/lists.tmpl.h"
#undef LIB
#undef CONSTANT
#undef ANY_SECONDI
#undef OBJECTS
#undef FUNCTION

#define LIB(name) GrB_##name
#define CONSTANT(name) GrB_##name
#define ANY_SECONDI GxB_ANY_SECONDI_INT64
#define OBJECTS overhead_other
#define FUNCTION(name) other_##name
#include "overhead/lists.tmpl.h"

#define CALL(text, function)                                                                       \
    { text, mine_##function, other_##function }
#define COUNT(calls) ((int)(sizeof(calls) / sizeof *(calls)))

static const overhead_call CALLS[] = {
    CALL("vxm", vxm),
    CALL("vxm outside half of the positions", vxm_outside),
    CALL("assign of a value through the list", assign),
    CALL("select by value", select),
    CALL("reduce to a value", reduce),
    CALL("mxv inside the list", mxv),
    CALL("assign of the list through itself", assign_list),
    CALL("extract of a full vector inside the list", extract_inside),
    CALL("apply", apply),
    CALL("apply of an index operator", index),
    CALL("apply outside half of the positions", apply_outside),
    CALL("apply into a full vector, accumulated", accumulate),
    CALL("eWiseAdd of two lists", add),
    CALL("eWiseAdd of a full vector, into it", add_full),
    CALL("dup and free", copy),
    CALL("extractTuples", tuples),
    CALL("eWiseMult with a full vector", multiply)};
const overhead_group OVERHEAD_LISTS = {CALLS, COUNT(CALLS), mine_new, other_new};

static const overhead_call LEVELS[] = {
    CALL("a level of a search along a path, three calls", level)};
const overhead_group OVERHEAD_SEARCH = {LEVELS, COUNT(LEVELS), mine_new_search, other_new_search};
