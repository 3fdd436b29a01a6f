/* SPDX-License-Identifier: Apache-2.0
 *
 * Factors of an approximate product rounded to FP16, BF16 or TF32, to the nearest value and half
 * way to even, before norms are taken and products made; sums stay FP32. Products of two such
 * values are exact in FP32, but for BF16 and TF32 that leave its range.
 */
#ifndef GB_MXM_METHODS_SPAMM_ROUND_H
#define GB_MXM_METHODS_SPAMM_ROUND_H

#include "mxm/model/method.h"

/* The factors of a product as taken, and rounded where that was asked for. */
typedef struct {
    gb_Factor A, B;
    gb_SpammValues values; /* what they are now */
    bool rounded;
    double error; /* of A * B by rounding, in the Frobenius norm; 0 without */
    double bytes; /* held */
    struct {
        void *x;
        size_t bytes;
    } own[2];
} gb_SpammRounded;

/* Rounded values are floats or, for a device, FP16 and BF16 in 16 bits each. GBL_OUT_OF_MEMORY;
 * GBL_INVALID_VALUE where rounding alone exceeds the GBL_ERROR_BOUND that was asked for. Frees
 * itself on failure. */
gbl_Info gb_spamm_round(gb_SpammRounded *to, const gb_MxmRun *run, bool for_device);
void gb_spamm_round_free(gb_SpammRounded *rounded);
/* What was asked for, less what rounding has taken of an error. */
gb_Choices gb_spamm_choices(const gb_SpammRounded *rounded, const gb_MxmRun *run);
const char *gb_spamm_rounding_name(int rounding); /* "fp16"; NULL: none */

#endif
