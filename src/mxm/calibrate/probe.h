/* SPDX-License-Identifier: Apache-2.0
 *
 * What the machine's memory does.
 */
#ifndef GB_MXM_PROBE_H
#define GB_MXM_PROBE_H

#include "mxm/machine/machine.h"

/* latency and bandwidth, with blocks of several times the third cache. */
gbl_Info gb_probe_memory(gb_MachineTable *machine);

#endif
