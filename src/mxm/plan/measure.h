/* SPDX-License-Identifier: Apache-2.0
 *
 * Measuring the features of a product; nothing is converted for them.
 *
 * They come in two steps. First what costs O(1): shapes, formats, means; they suffice where a
 * method that needs no counts is clearly best. Then flops per row of C, counted from whichever
 * orientation of the factors exists, and samples.
 */
#ifndef GB_MXM_PLAN_MEASURE_H
#define GB_MXM_PLAN_MEASURE_H

#include "mxm/model/features.h"

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
/* Counts of m such rows in a product of n columns; their flops. */
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

#endif
