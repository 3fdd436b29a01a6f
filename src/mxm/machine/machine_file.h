/* SPDX-License-Identifier: Apache-2.0
 *
 * Machine tables in files: text, a key and a value per line, # begins a comment. Numbers have a
 * point whatever the program's language is. Values are found by key, whatever the order of lines. A
 * file is used only where all of it is there and makes sense; a key that is not known is refused.
 */
#ifndef GB_MXM_MACHINE_FILE_H
#define GB_MXM_MACHINE_FILE_H

#include "gblite.h"
#include "mxm/machine/rates.h"

enum { GB_MACHINE_FORMAT = 4, GB_MACHINE_TEXT = 160, GB_PATH_MOST = 4096 };

/* -- the table: `format`, `cpu`, `isa` say what it was measured for, the others are numbers. It is
 * used only on this processor with the kernels in use. */

/* Where the table is kept: GBLITE_CONFIG (a file; "off": nowhere), else $XDG_CONFIG_HOME/gblite,
 * else ~/.config/gblite. false: nowhere. */
bool gb_machine_path(char path[GB_PATH_MOST]);
/* GBL_NO_VALUE: no such file. On other failures `why` says what is wrong, and the table is
 * unchanged. */
gbl_Info gb_machine_read(gb_MachineTable *machine, const char *path, char why[GB_MACHINE_TEXT]);
/* Makes the folder, if it is missing, and replaces the file as a whole. */
gbl_Info gb_machine_write(const gb_MachineTable *machine, const char *path);

/* -- rates of GPUs, in a second file next to the table's: `device NAME` begins those of the GPU of
 * this name, all of which must be present. They apply to GPUs of that name only, so one folder
 * serves several machines, and rates of an emulator apply to no GPU. */

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
/* NULL: none. */
const gb_DeviceRates *gb_devices_find(const gb_DevicesKnown *known, const char *name);
/* Replaces those of its name, else fills a free slot, else replaces the first. */
void gb_devices_add(gb_DevicesKnown *known, const gb_DeviceRates *rates);

#endif
