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

/* Rates of the GPU, by products that grow until one takes `most` seconds (GB_MEASURE_DEVICE). */
#ifdef GB_TINY
#define GB_MEASURE_DEVICE 1e-3
#else
#define GB_MEASURE_DEVICE 0.03
#endif
gbl_Info gb_calibrate_device(gb_DeviceRates *rates, double most);

#endif
