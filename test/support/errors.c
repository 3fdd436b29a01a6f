/* SPDX-License-Identifier: Apache-2.0
 *
 * See errors.h.
 */
#include "support/errors.h"

gbl_Scalar t_stranger;

void t_errors_setup(void) {
    t_setup();
    OK(gbl_Scalar_new(&t_stranger, GBL_INT8));
}

void t_errors_teardown(void) {
    OK(gbl_Scalar_free(&t_stranger));
    t_teardown();
}
