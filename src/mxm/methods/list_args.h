/* SPDX-License-Identifier: Apache-2.0
 *
 * What every kernel that reads lists of entries gets.
 */
#ifndef GB_MXM_METHODS_LIST_ARGS_H
#define GB_MXM_METHODS_LIST_ARGS_H

#include "mxm/methods/method.h"

/* Factors and mask as they were taken, the semiring, and threads for `work` flops or entries
 * scanned; without a meter. */
gb_MxmArgs gb_list_args(const gb_MxmRun *run, uint64_t work);

#endif
