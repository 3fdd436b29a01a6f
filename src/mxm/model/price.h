/* SPDX-License-Identifier: Apache-2.0
 *
 * What a method would cost: its kernel, the conversions that the forms it reads ask for, transfers
 * to and from a device, and fresh pages. Pure.
 */
#ifndef GB_MXM_PLAN_PRICE_H
#define GB_MXM_PLAN_PRICE_H

#include "mxm/model/method.h"

typedef struct {
    double seconds; /* all of it; of that ... */
    double plan;    /* ... facts and choice */
    double size;    /* ... what tells how long rows of C are, before they are computed */
    double convert; /* ... conversions and transfers */
    double pages;   /* ... pages that are touched for the first time */
    double bytes;   /* workspace and C at the peak, conversions that stay included */
    double slices;
} gb_Cost;

/* Seconds that the left factor takes to be in the form that the method reads. */
double gb_price_left(const gb_Method *m, const gb_Features *f, const gb_MachineTable *machine);
gb_Cost gb_price(const gb_Method *m, const gb_CostCase *s);
/* The same where the budget is known. */
gb_Cost gb_price_within(const gb_Budget *budget, const gb_Method *m, const gb_CostCase *s);
/* What the seconds are made of: the kernel apart from conversions and transfers. */
void gb_price_counts(gb_Counts *kernel, gb_Counts *convert, const gb_Method *m,
                     const gb_CostCase *s);

#endif
