/* SPDX-License-Identifier: Apache-2.0
 *
 * What work costs on this machine: the table that the cost model multiplies counts with. It is the
 * built-in one of the instruction set in use (cost_table.h), or one that was measured on this
 * machine, with rates of GPUs that were measured.
 */
#pragma once

#include "gblite.h"
#include "mxm/machine/cost_table.h"

#define GB_RATE_NAME(name, portable, avx2, avx512) GB_RATE_##name,
typedef enum { GB_FOREACH_RATE(GB_RATE_NAME) GB_RATES } gb_Rate;
#undef GB_RATE_NAME
enum { GB_FIRST_DEVICE_RATE = GB_RATE_GPU_CALL }; /* from there on: those of a GPU */
#define GB_RATE_NONE GB_RATE_PLAN_ENTRY           /* the planner's: no method bounds itself by it */

typedef struct {
    double ns[GB_RATES]; /* of one thread, per thing counted */
    double cache[3];     /* bytes of the first, second, third cache that one thread may count on */
    double latency;      /* ns of a load from memory */
    double bandwidth;    /* bytes per ns that one thread reads from memory, all being busy */
    double error;        /* median |log2(predicted / measured)| of the calibration; 0: not known */
    const char *source;  /* "built in", "calibrated", and those of gb_machine_on */
} gb_MachineTable;

extern const char *const gb_rate_names[GB_RATES]; /* as in files: small letters */

/* The built-in rates of an instruction set; "portable" for names that are not known. */
void gb_machine_builtin(gb_MachineTable *machine, const char *isa);

/* -- files ------------------------------------------------------------------------------------- */

/* Text, a key and a value per line, # begins a comment. Numbers have a point whatever the program's
 * language is. Values are found by key, whatever the order of lines. A file is used only where all
 * of it is there and makes sense; a key that is not known is refused.
 *
 * The table: `format`, `cpu`, `isa` say what it was measured for, the others are numbers. It is
 * used only on this processor with the kernels in use. */
enum { GB_MACHINE_FORMAT = 4, GB_MACHINE_TEXT = 160, GB_PATH_MOST = 4096 };

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

/* -- what is in use ---------------------------------------------------------------------------- */

/* The table in use; set by gbl_init, when no other call runs, and read by any thread. */
const gb_MachineTable *gb_machine(void);
void gb_machine_use(const gb_MachineTable *machine);
/* The same with the rates that were measured on the GPU of this name, and a source that says so;
 * NULL: none were. */
const gb_MachineTable *gb_machine_on(const char *device);
void gb_machine_use_devices(const gb_DevicesKnown *known);
void gb_machine_init(void); /* by gbl_init, when the backend is ready */
/* What gbl_machine says. */
void gb_machine_facts(gbl_MachineFacts *facts);
/* Large products since gbl_init: the first ones find an empty pool. */
void gb_machine_count_product(uint64_t flops);
uint64_t gb_machine_products(void);
