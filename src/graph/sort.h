/* SPDX-License-Identifier: Apache-2.0
 *
 * The entries of a vector in the order of their values.
 */
#ifndef GB_GRAPH_SORT_H
#define GB_GRAPH_SORT_H

#include "ops/finish.h"

/* Entry k of w and p is the k-th entry of u by value, equal ones in the order of u. p is complete.
 */
typedef struct {
    gb_Matrix *w, *p;    /* values and positions in ascending order; either may be NULL */
    const gb_Type *type; /* built in; values are compared as such */
    bool descending;
    gb_Matrix *u;
} gb_Sort;
extern const gb_Op gb_op_sort;

#endif
