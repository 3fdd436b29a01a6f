/* SPDX-License-Identifier: Apache-2.0
 *
 * What work costs on this machine: the table that the cost model multiplies counts with. It is the
 * built-in one of the instruction set in use (cost_table.h), or one that was measured on this
 * machine (machine_file.c).
 */
#ifndef GB_MXM_MACHINE_H
#define GB_MXM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "gblite.h"
#include "mxm/machine/cost_table.h"

#define GB_RATE_NAME(name, portable, avx2, avx512) GB_RATE_##name,
typedef enum { GB_FOREACH_RATE(GB_RATE_NAME) GB_RATES } gb_Rate;
#undef GB_RATE_NAME

typedef struct {
    double ns[GB_RATES]; /* of one thread, per thing counted */
    double cache[3];     /* bytes of the first, second, third cache that one thread may count on */
    double latency;      /* ns of a load from memory */
    double bandwidth;    /* bytes per ns that one thread reads from memory, all being busy */
    double error;        /* median |log2(predicted / measured)| of the calibration; 0: not known */
    const char *source;  /* "built in", "calibrated" */
} gb_MachineTable;

extern const char *const gb_rate_names[GB_RATES]; /* as in files: small letters */

/* The table in use; set by gbl_init, when no other call runs, and read by any thread. */
const gb_MachineTable *gb_machine(void);
void gb_machine_use(const gb_MachineTable *machine);
void gb_machine_init(void); /* by gbl_init, when the backend is ready */
/* What gbl_machine says. */
void gb_machine_facts(gbl_MachineFacts *facts);
/* Whether and how GBLITE_TRACE asked to tell of every product when gbl_init was called. */
typedef enum { GB_TRACE_OFF, GB_TRACE_TEXT, GB_TRACE_JSON } gb_Trace;
gb_Trace gb_tracing(void);
/* Large products since gbl_init: the first ones meet an empty pool. */
void gb_machine_count_product(uint64_t flops);
uint64_t gb_machine_products(void);
/* The built-in rates of an instruction set; "portable" for names that are not known. */
void gb_machine_builtin(gb_MachineTable *machine, const char *isa);

#endif
