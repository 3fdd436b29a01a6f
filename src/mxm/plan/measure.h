/* SPDX-License-Identifier: Apache-2.0
 *
 * Gathering the facts about a product; nothing is converted for them.
 *
 * They come in two steps. First what costs O(1): shapes, formats, means; they suffice where a
 * method that needs no counts is clearly best. Then flops per row of C, counted from whichever
 * orientation of the factors exists, and samples.
 */
#ifndef GB_MXM_PLAN_GATHER_FEATURES_H
#define GB_MXM_PLAN_GATHER_FEATURES_H

#include "mxm/model/features.h"

gb_ValueKind gb_value_kind(const gb_Semiring *ring);
/* Shapes, formats and means, and what GBL_PLACE or GBLITE_PLACE ask for. */
gbl_Info gb_features_begin(gb_Features *f, const gb_MxmCall *call, gb_Operands *in);
/* Registers of HyperLogLog sketches for an expansion ratio. */
unsigned gb_registers(double expansion);
/* All of it: for listed factors. in->flops is made. */
gbl_Info gb_features_count(gb_Features *f, gb_Operands *in);

#endif
