/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory and its history: of every four bytes who wrote and who read them last, in which
 * step of which stream. Two accesses race when none happens before the other, at least one is a
 * write, and not both are atomic. Before comes
 *   - what the same thread did, or threads of its block that it has met since (history.h);
 *   - what an earlier step of the stream did, or one that the stream or the host has waited for;
 *   - nothing that another block of the same launch does.
 * The compiler tells of accesses: AddressSanitizer's checks are calls, which this file answers
 * before AddressSanitizer does. Of several readers the last is remembered; and of a place that is
 * read and written with no call between, compilers check the read alone, so that the write is not
 * seen.
 */
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cuda_on_cpu {

/* Steps of each stream, by its number, that come before something. */
typedef std::vector<uint32_t> Clock;
void clock_join(Clock &clock, const Clock &other);

/* A step of a stream: a launch, a copy, a clearing. */
struct Moment {
    unsigned stream;
    uint32_t step;
    Clock before;
};
void global_begin(const Moment &now); /* the step that is done from now on */
extern uint64_t global_bytes[2];      /* that blocks have read, and written: see control.h */

void global_add(void *block, size_t bytes);
void global_remove(void *block);

enum GlobalAccess { GLOBAL_READ, GLOBAL_WRITE, GLOBAL_ATOMIC_READ, GLOBAL_ATOMIC_WRITE };
/* What copies and clearings do; false when it races, and failure_text says how. */
bool global_touch(const void *at, size_t bytes, GlobalAccess access);
/* What kernels call, where threads race on purpose. */
void global_atomic_read(const void *at, void *value, size_t bytes);
void global_atomic_write(void *at, const void *value, size_t bytes);

} // namespace cuda_on_cpu
