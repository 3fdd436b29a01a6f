/* SPDX-License-Identifier: Apache-2.0
 *
 * The choice among the methods of the table. It depends on features and rates alone, so plans with
 * all their candidates are not stored: an explanation prices them again. And the
 * features that it depends on.
 */
#pragma once

#include "mxm/model/method.h"

enum { GB_PLACE_NONE = -1 };

typedef struct {
    const gb_Method *method;
    int chosen;  /* gb_methods[chosen] */
    bool forced; /* the call requests a method or workflow */
    bool alone;  /* the product is so small that nothing else was compared */
    int failed;  /* the device on which a method has failed before, or GB_PLACE_NONE */
    gb_Cost cost;
    gb_Budget budget;
    /* seconds that an order of A's rows, or B's columns, would have saved */
    double saved_by_groups, saved_by_columns;
} gb_Plan;

/* Whether it is a value of GBL_METHOD, of mxm or of mxv and vxm. */
bool gb_is_method(int method);
/* The method that GBLITE_METHOD names, of mxm or of mxv and vxm; GBL_DEFAULT where it is not set.
 * It is for a whole program: each operation takes the names of the other's methods for none. */
gbl_Info gb_plan_environment(gbl_Desc_Value *method);
/* The method of mxm that the descriptor or, failing that, GBLITE_METHOD requests. */
gbl_Info gb_plan_forced(gbl_Desc_Value *method, const gb_MxmCall *call);
/* Everything is left to the planner, by descriptor, settings and environment, and the product is
 * whole. */
bool gb_plan_is_open(const gb_MxmCall *call);
/* Memory has no limit either, and nobody watches how it is made or has it traced. */
bool gb_plan_is_free(const gb_MxmCall *call);

/* Pure: the legal method of least predicted seconds; ties (GB_TIE) go to the one that needs no
 * conversion. A request that is not possible is an error that says why, never a silent fallback;
 * GBL_OUT_OF_MEMORY where nothing fits into the limit. Illegal methods are not priced.
 * failed: the device whose methods are out, since one has failed, or GB_PLACE_NONE. */
gbl_Info gb_plan_choose(gb_Plan *plan, const gb_Features *f, const gb_MachineTable *machine,
                        int failed);
/* Pure: every method as gb_plan_choose sees it; returns how many. */
int gb_plan_candidates(gbl_Candidate candidates[GBL_CANDIDATES_MOST], const gb_Plan *plan,
                       const gb_Features *f, const gb_MachineTable *machine);
/* Credits A with the seconds that grouping its rows would have saved this product, and B with those
 * that its columns would have. */
void gb_plan_credit(const gb_Plan *plan, const gb_Operands *in);

/* -- features ---------------------------------------------------------------------------------- */

/* Measured without converting anything, in two steps. First what costs O(1): shapes, formats,
 * means; they suffice where a method that needs no counts is clearly best. Then flops per row of C,
 * counted from whichever orientation of the factors exists, and samples. */
/* -- features.c */

gb_ValueKind gb_value_kind(const gb_Semiring *ring);
/* Shapes, formats, means, and the device that GBL_PLACE or GBLITE_PLACE requests. */
gbl_Info gb_features_begin(gb_Features *f, const gb_MxmCall *call, gb_Operands *in);
/* All of it: for factors by rows or by columns. in->flops is made. */
gbl_Info gb_features_count(gb_Features *f, gb_Operands *in);
/* Registers of HyperLogLog sketches for an expansion ratio. */
unsigned gb_registers(double expansion);
/* GBL_OUT_OF_MEMORY where the limit does not even allow to make rows of dense factors and to count
 * flops. */
gbl_Info gb_memory_for_plan(const gb_MxmCall *call);

/* -- counts.c: flops of every row of C, counted from the forms that the factors are held in.
 * O(nnz(A)
 * + m); op(B) by columns takes a pass over its entries besides. */

/* Of a small product: flops of a row of C, with GB_ONE_ENTRY where the row of A has one entry. */
typedef uint16_t gb_SmallRow;
enum { GB_ONE_ENTRY = 1 << 15 };
/* Counts of m such rows in a product of n columns, added to counts; their flops. */
uint64_t gb_count_small_rows(gb_RowCounts *counts, const gb_SmallRow *row, uint64_t m, uint64_t n);

/* flops[m + 1] receives the running sum; f->rows and f->flops what they say. */
gbl_Info gb_count_flops(gb_Features *f, const gb_Operands *in, uint64_t *flops);

/* -- sample.c: compression ratio of C, and its tiles, from a few of its rows */

/* The k-th of the positions in [0, total) that are looked at, spread evenly however many are taken:
 * the bits of k mirrored. */
uint64_t gb_spread(uint64_t total, uint32_t k);

/* Into f, whose flops are counted, flops[m] > 0; B exists by rows. Takes a few percent of the
 * product; where A exists by columns alone, two passes over its indices besides. */
gbl_Info gb_sample(gb_Features *f, const gb_Operands *in);

/* Estimate of the flops of A, by rows, times B, by columns, without counting: looks up inner
 * indices of a sample of A's entries in a sample of B's and scales the share of pairs that agree. 0
 * where too few agree to be significant. 20 us. */
double gb_sample_flops(const gb_CsView *A, const gb_CsView *columns);

/* -- panels.c: how similar rows of A are, from a few panels of neighbouring rows, and of similar
 * rows wherever they are */

/* f->panels, from sorted rows of A and B; flops are counted, flops[m] > 0. At most some ten
 * thousand entries of A are looked at, some 3 ns each, and where similar rows are looked for in a
 * product of many flops an entry of A, once all of A's. */
void gb_sample_panels(gb_Features *f, const gb_Operands *in);
