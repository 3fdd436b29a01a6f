/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams and events that may lag. What is put into a stream is done at once or any time later, as
 * a seed decides, but in order, after what the stream was told to wait for, and before a
 * synchronisation returns. So a missing wait, memory that is freed too early, and a buffer of the
 * host that is used again too early are seen.
 */
#pragma once

#include <functional>

#include "runtime.h"

namespace cuda_on_cpu {

void put(cudaStream_t stream, std::function<void()> step); // nullptr: done at once
void finish_streams();                                     // all of them
void seed_streams(uint64_t seed);
uint64_t synchronisations(); // of the host with streams and events, so far
uint64_t timings();          // spans between events that it asked for

} // namespace cuda_on_cpu
