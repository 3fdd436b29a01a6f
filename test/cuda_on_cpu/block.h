/* SPDX-License-Identifier: Apache-2.0
 *
 * One block of threads at work. Threads are fibers; between barriers they run in an order that a
 * seed decides, and they may be interrupted at every atomic operation, so that code that relies on
 * an order gives different results. What no GPU would forgive is an error that ends the launch:
 *   - a barrier that some threads of the block do not reach, or reach at another line;
 *   - a warp operation whose mask names lanes that do not come to it, or come with another mask;
 *   - a read of shared memory that nobody has written since the block began;
 *   - two accesses of different threads to one place of shared memory with no barrier between,
 *     at least one of them a write, unless both are atomic;
 *   - an access outside an array in shared memory.
 * Global memory is watched by AddressSanitizer, and for races in global.h.
 */
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuda_on_cpu {

struct Index3 {
    unsigned x = 1, y = 1, z = 1;
};

/* What the thread that runs now sees. */
struct Self {
    Index3 thread, block, block_size, grid_size;
};
extern Self self;

struct Shape {
    unsigned grid, block;
    size_t dynamic_bytes; /* of shared memory */
    const char *kernel;
};

enum { WARP = 32, SHARED_BYTES = 227 * 1024 };

/* What each thread of a launch does: a kernel with its arguments. Not std::function, whose header
 * takes longer to compile than most kernels. */
struct Body {
    virtual ~Body() {
    }
    virtual void run() const = 0;
};

/* Runs all blocks of a launch, one after the other. False when something above went wrong:
 * failure_text says what. */
bool run_grid(const Shape &shape, const Body &body);
const char *failure_text();
void set_failure(const char *format, ...) __attribute__((format(printf, 1, 2)));
extern bool running;         /* a thread of a block */
bool on_stack(uintptr_t at); /* of such a thread */
void set_seed(uint64_t seed);

/* -- what kernels call */
void barrier(const char *file, int line);
/* All lanes of `mask` come here with a value; the result is that of each lane, zero of others, and
 * stays until this thread comes again. */
const uint64_t *exchange(unsigned mask, uint64_t value, const char *operation);
/* Maybe lets other threads run, where the order of atomic operations must not matter. */
void interrupt();
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* -- shared memory: an arena of bytes, each with its history */
unsigned char *arena(size_t offset);
/* The place of a static array, the same for all threads of the block; id is an address that stands
 * for the declaration. */
size_t place_static(const void *id, size_t bytes);
size_t dynamic_bytes();
enum Access { READ, WRITE, ATOMIC };
void touch(size_t offset, size_t bytes, Access access);
[[noreturn]] void out_of_bounds(long long index, size_t length);

} // namespace cuda_on_cpu
