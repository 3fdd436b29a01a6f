/* SPDX-License-Identifier: Apache-2.0
 *
 * Several devices: each has streams, events and blocks of memory of its own. A kernel of one that
 * touches a block of another is found by AddressSanitizer, from which such blocks are hidden while
 * it runs; work that is put into a stream of another device than it is for ends the program, and so
 * does an event that is recorded there.
 */
#pragma once

#include "runtime.h"

namespace cuda_on_cpu {

void use_device(int device); /* cudaSetDevice */
int device_in_use();
void check_stream(cudaStream_t stream, int device); /* streams.cpp */

void own_block(void *block, size_t bytes, int device);
void disown_block(void *block);
void hide_other_blocks(int device); /* while a kernel of this device runs */
void show_all_blocks(int device);

} // namespace cuda_on_cpu
