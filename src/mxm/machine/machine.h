/* SPDX-License-Identifier: Apache-2.0
 *
 * What work costs on this machine: the table that the cost model multiplies counts with. It is the
 * built-in one of the instruction set in use (cost_table.h), or one that was measured on this
 * machine (machine_file.c), with rates of GPUs that were measured.
 */
#ifndef GB_MXM_MACHINE_H
#define GB_MXM_MACHINE_H

#include "gblite.h"
#include "mxm/machine/machine_file.h"

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
#endif
