/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of methods.
 */
#ifndef GB_MXM_METHODS_METHODS_H
#define GB_MXM_METHODS_METHODS_H

#include "mxm/model/method.h"

extern const gb_Method *const gb_methods[]; /* in the order in which explanations list them */
extern const int gb_nmethods;               /* at most GBL_CANDIDATES_MOST */

/* The method of small products, used without a comparison (mxm/small_product.c). NULL: a program
 * has registered methods of its own, which must be compared with it. */
extern const gb_Method *const gb_method_of_small;

/* Why a device cannot filter rows as the call requests; NULL: it can, or need not. Loads its
 * library. */
const char *gb_device_refuses_filter(const gb_MxmCall *call);

/* The value of GBL_METHOD for a name; false: no such name. */
bool gb_method_find(gbl_Desc_Value *value, const char *name);
/* The k-th name of a method, each once; NULL behind the last. */
const char *gb_method_name(int k);
/* Whether a value of GBL_METHOD is one of a method. */
bool gb_method_exists(int value);

#endif
