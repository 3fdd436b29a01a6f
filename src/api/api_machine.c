/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_machine, gbl_calibrate.
 */
#include "api/check.h"
#include "mxm/machine/calibrate.h"
#include "mxm/machine/machine_file.h"

gbl_Info gbl_machine(gbl_MachineFacts *facts) {
    gbl_MachineFacts found;
    gbl_Info info = gb_check_init();
    if (info == GBL_SUCCESS) info = gb_check_sized(facts, "facts", "GBL_MACHINE_FACTS_INIT");
    if (info != GBL_SUCCESS) return info;
    gb_machine_facts(&found);
    gb_give_sized(facts, &found, sizeof found);
    return GBL_SUCCESS;
}

gbl_Info gbl_calibrate(const char *path) {
    char place[GB_PATH_MOST];
    gb_MachineTable measured;
    gbl_Info info = gb_check_init();
    if (info != GBL_SUCCESS) return info;
    if (path == NULL && !gb_machine_path(place))
        return gb_fail(GBL_INVALID_VALUE,
                       "there is no folder for the calibration: give a path, or set HOME, "
                       "XDG_CONFIG_HOME or GBLITE_CONFIG");
    if (path != NULL && *path == '\0')
        return gb_fail(GBL_INVALID_VALUE,
                       "path is empty; name a file, or give NULL for the usual place");
    info = gb_calibrate(&measured);
    if (info == GBL_SUCCESS) info = gb_machine_write(&measured, path != NULL ? path : place);
    if (info == GBL_SUCCESS) gb_machine_use(&measured);
    return info;
}
