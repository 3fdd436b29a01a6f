/* SPDX-License-Identifier: Apache-2.0
 *
 * Measuring the machine: small products with every method forced, and the rates that explain their
 * times.
 */
#ifndef GB_MXM_CALIBRATE_H
#define GB_MXM_CALIBRATE_H

#include "mxm/machine/machine.h"

/* A table for this machine and the kernels in use, less than two minutes later. GBL_CANCELLED when
 * the progress callback says so. */
gbl_Info gb_calibrate(gb_MachineTable *machine);

#endif
