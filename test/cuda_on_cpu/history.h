/* SPDX-License-Identifier: Apache-2.0
 *
 * The history of every byte of shared memory: whether it was written since the block began, who
 * wrote it last and who read it last, and whether a barrier lies between then and now.
 */
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuda_on_cpu {

unsigned current_thread();

void history_begin(size_t dynamic_bytes);        /* a new block: nothing is written */
void history_barrier();                          /* all threads have met */
void history_warp(unsigned warp, unsigned mask); /* these lanes have; warp: its first thread */

/* Meetings are numbered; whether that thread has met the one that runs now after number `when`. */
uint32_t meeting_now();
bool met_since(uint32_t when, unsigned thread);

} // namespace cuda_on_cpu
