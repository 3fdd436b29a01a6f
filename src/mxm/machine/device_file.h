/* SPDX-License-Identifier: Apache-2.0
 *
 * Rates of GPUs in a file beside the machine table, which knows nothing of them: text of a key and
 * a value per line. `device NAME` begins the rates of the GPU of this name, of which all have to be
 * there. They are used for GPUs of that name alone, so that one folder serves several machines, and
 * what was measured on a stand-in is nobody else's.
 */
#ifndef GB_MXM_DEVICE_FILE_H
#define GB_MXM_DEVICE_FILE_H

#include "mxm/machine/machine_file.h"

enum { GB_DEVICE_FORMAT = 1, GB_DEVICES_MOST = 8, GB_DEVICE_NAME = 64 };

typedef struct {
    char name[GB_DEVICE_NAME];
    double ns[GB_RATES]; /* from GB_FIRST_DEVICE_RATE on */
    double error;        /* as in gb_MachineTable */
} gb_DeviceRates;

typedef struct {
    int n;
    gb_DeviceRates at[GB_DEVICES_MOST];
} gb_DevicesKnown;

/* The file that belongs to a machine table's. */
bool gb_devices_path(char path[GB_PATH_MOST], const char *machine);
/* As gb_machine_read and gb_machine_write. */
gbl_Info gb_devices_read(gb_DevicesKnown *known, const char *path, char why[GB_MACHINE_TEXT]);
gbl_Info gb_devices_write(const gb_DevicesKnown *known, const char *path);
/* NULL: there are none. */
const gb_DeviceRates *gb_devices_find(const gb_DevicesKnown *known, const char *name);
/* In the place of those of its name, of nobody, or of the first when there are too many. */
void gb_devices_add(gb_DevicesKnown *known, const gb_DeviceRates *rates);

#endif
