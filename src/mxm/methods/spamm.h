/* SPDX-License-Identifier: Apache-2.0
 *
 * What the variants of SPAMM share, on the CPU (spamm.c) and on the GPU (spamm_gpu.c).
 */
#ifndef GB_MXM_METHODS_SPAMM_H
#define GB_MXM_METHODS_SPAMM_H

#include "mxm/methods/spamm_round.h"

enum { GB_SPAMM_TILES, GB_SPAMM_FULL }; /* kinds */

/* Of sub-matrices. */
unsigned gb_spamm_side(const gb_MxmCall *call);
const char *gb_spamm_refuse(const gb_Method *m, const gb_MxmCall *call, const gb_Features *f);
const char *gb_spamm_avoid(const gb_Method *m, const gb_MxmCall *call, const gb_Features *f);
/* Side, rounding, and the bound of what was left out with what rounding adds. */
void gb_spamm_explain(const gb_MxmRun *run, const gb_SpammRounded *factors, double bound);

#endif
