/* SPDX-License-Identifier: Apache-2.0
 *
 * What every kernel that reads lists of entries gets, and what it tells.
 */
#ifndef GB_MXM_METHODS_LIST_ARGS_H
#define GB_MXM_METHODS_LIST_ARGS_H

#include "mxm/model/method.h"

/* The values of X as a method has taken them. */
typedef struct {
    gb_Matrix *X;
    const void *x;
    bool iso;
} gb_TakenValues;

/* The kernel for factors as they are: an OR of ANDs where all values are true is that there is any
 * product. */
int gb_kernel_for(const gb_Semiring *ring, gb_TakenValues A, gb_TakenValues B);

/* Factors and mask as they were taken, the semiring, and threads for `work` flops or entries
 * scanned; without a meter. */
gb_MxmArgs gb_list_args(const gb_MxmRun *run, uint64_t work);

/* `avoid` of methods that apply the mask to finished rows. */
const char *gb_list_avoid(const gb_Method *m, const gb_MxmCall *call, const gb_Features *f);

/* What the kernel counted and took, for the explanation; what it did not is 0. */
void gb_list_stats(gbl_Explanation *why, const gb_MxmStats *stats);

#endif
