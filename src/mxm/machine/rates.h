/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine table: what each thing that the cost model counts takes. The built-in ones are those of
 * cost_table.h.
 */
#ifndef GB_MXM_MACHINE_RATES_H
#define GB_MXM_MACHINE_RATES_H

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

#endif
