/* SPDX-License-Identifier: Apache-2.0
 *
 * Uses of fragments and of several devices with and without faults; see planted.h.
 */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A product of fragments of each kind against loops over whole numbers: the largest difference. */
double planted_fragments(void);
const char *planted_fragment_lanes(void);     /* lanes leave before the product */
const char *planted_fragment_alignment(void); /* one begins 8 bytes into shared memory */
const char *planted_fragment_race(void);      /* read before another warp has met to write it */
/* 0, or lanes leave before it: the product of 8 x 4 and 4 x 8 by one instruction. */
const char *planted_mma(bool leaves, double *difference);
/* The program ends: a kernel reads the memory of another device; a launch goes to its stream. */
void planted_foreign_memory(void);
void planted_foreign_stream(void);

#ifdef __cplusplus
}
#endif
