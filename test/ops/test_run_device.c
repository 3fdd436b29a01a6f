/* SPDX-License-Identifier: Apache-2.0
 *
 * The device that products run on, on a machine that may or may not have a GPU, in a build that may
 * or may not have kernels for one: a setting is followed or refused with a reason, and no content
 * is lost by it.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 20 };

static o_Matrix content(uint64_t seed) {
    t_Random r = t_random(seed);
    return t_generate(
        &r, &(t_Content){o_type(GBL_INT64_CODE), SIDE, SIDE, T_RANDOM, 0.3, false, false});
}

static gbl_Info multiply(gbl_Matrix C, gbl_Matrix A) {
    return gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, NULL);
}

static char reason[sizeof((gbl_Explanation *)0)->place_reason]; /* of the last product */

/* C as it was, or A * A as `expected` has it and made on the device. */
static void try_device(gbl_Matrix A, const o_Matrix *expected, const char *device, bool must) {
    o_Matrix before = content(9);
    gbl_Matrix C = t_matrix(&before);
    const gbl_Info info = multiply(C, A);
    if (info == GBL_SUCCESS) {
        const gbl_Explanation why = t_explain(C);
        if (device != NULL) cr_assert_str_eq(why.place, device);
        CHECK(why.place_reason[0] != '\0');
        memcpy(reason, why.place_reason, sizeof reason);
        t_expect("product", expected, C, 0.0);
    } else {
        CHECK(!must);
        CHECK_EQ(info, GBL_INVALID_VALUE);
        CHECK(strstr(gbl_last_error(), "GPU") != NULL);
        t_expect("untouched", &before, C, 0.0);
    }
    FREE(C, before);
}

GB_TEST(run_device, is_heard_or_refused) {
    o_Matrix dense = content(1);
    gbl_Matrix A = t_matrix(&dense), C = NULL;
    OK(gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE));
    OK(multiply(C, A));
    o_Matrix expected = t_dense(C);
    try_device(A, &expected, "cpu", true); /* by default */
    cr_assert_str_eq(reason, "the GPU was not asked for");
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_GPU, GBL_PLACE));
    try_device(A, &expected, "gpu", false);
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_AUTO, GBL_PLACE));
    try_device(A, &expected, NULL, true);
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_DEFAULT, GBL_PLACE));
    setenv("GBLITE_PLACE", "gpu", 1);
    try_device(A, &expected, "gpu", false);
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_CPU, GBL_PLACE)); /* stronger */
    try_device(A, &expected, "cpu", true);
    cr_assert_str_eq(reason, "the CPU is asked for");
    unsetenv("GBLITE_PLACE");
    FREE(A, C, dense, expected);
}

GB_TEST(run_device, settings_are_checked) {
    int32_t place = -1;
    int64_t bytes = -1;
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_AUTO + 1, GBL_PLACE));
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT32(GBL_GLOBAL, -1, GBL_PLACE));
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT64(GBL_GLOBAL, 5, GBL_DEVICE_BYTES_PEAK));
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT64(GBL_GLOBAL, 5, GBL_DEVICE_BYTES_IN_USE));
    OK(gbl_Global_get_INT32(GBL_GLOBAL, &place, GBL_PLACE));
    CHECK_EQ(place, GBL_PLACE_DEFAULT);
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &bytes, GBL_DEVICE_BYTES_IN_USE));
    CHECK_EQ(bytes, 0);
    setenv("GBLITE_PLACE", "moon", 1);
    gbl_Matrix A = t_new_matrix(GBL_INT64, 1, 1);
    OK(gbl_Matrix_setElement_INT64(A, 1, 0, 0));
    FAILS(GBL_INVALID_VALUE, multiply(A, A));
    CHECK(strstr(gbl_last_error(), "cpu, gpu or auto") != NULL);
    unsetenv("GBLITE_PLACE");
    OK(gbl_Matrix_free(&A));
}
