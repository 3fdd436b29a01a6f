/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of a matrix in the memory of the device, by sorted rows, or of a vector, cached beside the
 * representations of the host: repeated products by the same matrix move it once. A copy is dropped
 * when the object is written on the host, or when the device wants its memory.
 */
#ifndef GB_MATRIX_DEVICE_H
#define GB_MATRIX_DEVICE_H

#include "kernel_api/device.h"
#include "matrix/object.h"

/* Made once under the lock; with values when they are requested, also later on. The copy is pinned:
 * unpin it after use. */
gbl_Info gb_acquire_device(gb_Matrix *A, gb_Format format, bool values, gb_DeviceCs **copy);
bool gb_on_device(gb_Matrix *A, gb_Format format);
/* The same of a vector, which is made of whichever form it has, and may be empty. */
gbl_Info gb_acquire_device_vector(gb_Matrix *v, gb_DeviceCs **there);
/* With values: a matrix by rows of the format, or a vector. */
gbl_Info gb_acquire_device_operand(gb_Matrix *A, gb_Format format, gb_DeviceCs **copy);
/* What is there, pinned, rows or a vector, is A's content from now on, and nowhere else: its own
 * copy that was written, or a new one, which is A's then. Unpins it; cannot fail. */
void gb_device_becomes(gb_Matrix *A, gb_DeviceCs *there);

#endif
