/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels with and without faults, to prove that the stand-in finds what it is there to find. Each
 * returns what the launch said: "" when nothing was wrong.
 */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

const char *planted_sum(int *result);           /* of 1 .. 256, without fault */
const char *planted_missing_barrier(void);      /* the same sum, one barrier left out */
const char *planted_missing_warp_barrier(void); /* lanes read what others may not have written */
const char *planted_divergent_barrier(void);    /* half of the threads leave before it */
const char *planted_different_barriers(void);   /* two branches with a barrier each */
const char *planted_wrong_mask(void);           /* a shuffle whose mask names absent lanes */
const char *planted_uninitialised(void);        /* reads shared memory that nobody wrote */
const char *planted_shared_overrun(void);       /* writes one behind an array in shared memory */
const char *planted_too_much_shared(void);      /* asks for more than a block can have */
/* writes one behind an array in device memory: the program ends */
void planted_global_overrun(void);
/* Races in device memory, and the same without. */
const char *planted_count(bool atomically, int *result); /* 5, by five blocks */
const char *planted_turn(bool waits);                    /* threads of one block */
const char *planted_two_streams(bool waits);
/* 64 bits are exchanged and votes counted, 11; or a ballot names lanes that do not come to it */
const char *planted_vote(unsigned lanes, int *result);
int planted_join(void);          /* 7, from a side stream that is waited for */
void planted_missing_join(void); /* the same, not waited for: with some seeds the program ends */
int planted_reused_buffer(void); /* 1, or with some seeds 2: the host has changed it too early */

#ifdef __cplusplus
}
#endif
