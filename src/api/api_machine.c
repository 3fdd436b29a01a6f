/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_machine, gbl_calibrate, gbl_calibrate_device.
 */
#include "api/check.h"
#include "mxm/calibrate/calibrate.h"
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

static gbl_Info check_path(char place[GB_PATH_MOST], const char *path) {
    if (path == NULL && !gb_machine_path(place))
        return gb_fail(GBL_INVALID_VALUE,
                       "there is no folder for the calibration: give a path, or set HOME, "
                       "XDG_CONFIG_HOME or GBLITE_CONFIG");
    if (path != NULL && *path == '\0')
        return gb_fail(GBL_INVALID_VALUE,
                       "path is empty; name a file, or give NULL for the usual place");
    return GBL_SUCCESS;
}

gbl_Info gbl_calibrate(const char *path) {
    char place[GB_PATH_MOST];
    gb_MachineTable measured;
    gbl_Info info = gb_check_init();
    if (info == GBL_SUCCESS) info = check_path(place, path);
    if (info == GBL_SUCCESS) info = gb_calibrate(&measured);
    if (info == GBL_SUCCESS) info = gb_machine_write(&measured, path != NULL ? path : place);
    if (info == GBL_SUCCESS) gb_machine_use(&measured);
    return info;
}

/* What is known of GPUs; nothing where there is no file yet. A file that cannot be used is not to
 * be replaced: others may know more of it, and what it says of other GPUs would be lost. */
static gbl_Info read_known(gb_DevicesKnown *known, const char *file) {
    char why[GB_MACHINE_TEXT];
    known->n = 0;
    const gbl_Info info = gb_devices_read(known, file, why);
    if (info == GBL_SUCCESS || info == GBL_NO_VALUE) return GBL_SUCCESS;
    return gb_fail(info,
                   "%.200s: %.150s; make it right, move it away, or calibrate to another file",
                   file, why);
}

gbl_Info gbl_calibrate_device(const char *path) {
    char place[GB_PATH_MOST], file[GB_PATH_MOST];
    gb_DeviceRates measured;
    gb_DevicesKnown known;
    gbl_Info info = gb_check_init();
    if (info == GBL_SUCCESS) info = check_path(place, path);
    if (info != GBL_SUCCESS) return info;
    if (!gb_devices_path(file, path != NULL ? path : place))
        return gb_fail(GBL_INVALID_VALUE, "the path of the calibration is too long");
    info = read_known(&known, file);
    if (info == GBL_SUCCESS) info = gb_calibrate_device(&measured, GB_MEASURE_DEVICE);
    if (info != GBL_SUCCESS) return info;
    gb_devices_add(&known, &measured);
    info = gb_devices_write(&known, file);
    if (info == GBL_SUCCESS) gb_machine_use_devices(&known);
    return info;
}
