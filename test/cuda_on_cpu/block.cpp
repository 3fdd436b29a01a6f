// SPDX-License-Identifier: Apache-2.0
//
// The scheduler of a block: see block.h. A thread is ready, at the barrier, in a warp operation, or
// done. Who waits hands over to the next that is ready; when none is, the scheduler's turn has
// come: either all are at one barrier, which opens, or the block is stuck, which is an error.
#include "block.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <sys/mman.h>

#include "fiber.h"
#include "history.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(from, bytes) ((void)(from), (void)(bytes))
#endif

namespace cuda_on_cpu {

Self self;
bool running;

namespace {

enum State { READY, AT_BARRIER, IN_WARP, DONE };
enum { MOST_THREADS = 1024, INTERRUPT_ONE_IN = 16 };

struct Thread {
    Fiber fiber;
    State state;
    const char *file; // of the barrier
    int line;
    unsigned mask; // of the warp operation
    const char *operation;
    uint64_t value;
    struct Values *got;
};
// What the lanes of a meeting came with, until all of them have gone to another one.
struct Values {
    uint64_t of[WARP];
    unsigned readers;
};

Thread threads[MOST_THREADS];
Values values[MOST_THREADS / WARP][WARP]; // a lane reads one at most: who meets finds a free one
Fiber scheduler;
char *stacks;
const Body *kernel_body;
const char *kernel_name;
unsigned nthreads, current;
std::vector<unsigned> ready;
uint64_t random_state = 1;
char failure[512];
bool failed;

uint64_t next_random() {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

void make_ready(unsigned t) {
    threads[t].state = READY;
    ready.push_back(t);
    std::swap(ready.back(), ready[(next_random() >> 32) * ready.size() >> 32]);
}

// The fiber that goes on: a thread that is ready, which becomes the current one, or the scheduler.
Fiber *next_fiber() {
    if (failed || ready.empty()) return &scheduler;
    current = ready.back();
    ready.pop_back();
    self.thread = Index3{current, 0, 0};
    return &threads[current].fiber;
}

void run_thread() {
    kernel_body->run();
    threads[current].state = DONE;
    Fiber *me = &threads[current].fiber;
    fiber_leave(me, next_fiber());
}

// Until this thread's turn comes again.
void let_others_run() {
    Fiber *me = &threads[current].fiber, *next = next_fiber();
    if (next != me) fiber_switch(me, next);
}

// All threads that are not done wait. Opens the barrier, or says who is missing.
void open_barrier() {
    const Thread *first = nullptr;
    unsigned waiting = nthreads, done = nthreads;
    for (unsigned t = 0; t < nthreads; t++) {
        if (threads[t].state == IN_WARP) waiting = t;
        if (threads[t].state == DONE) done = t;
        if (threads[t].state == AT_BARRIER && first == nullptr) first = &threads[t];
    }
    const int room = static_cast<int>(sizeof failure);
    if (waiting < nthreads) {
        const Thread &t = threads[waiting];
        failed = true;
        snprintf(failure, room,
                 "%s: %s by thread %u waits for lanes 0x%x, not all of which come to it",
                 kernel_name, t.operation, waiting, t.mask);
    } else if (done < nthreads) {
        failed = true;
        snprintf(failure, room,
                 "%s: the barrier at %s:%d is not reached by thread %u, which is done", kernel_name,
                 first->file, first->line, done);
    }
    for (unsigned t = 0; t < nthreads && !failed; t++) {
        if (threads[t].file == first->file && threads[t].line == first->line) continue;
        failed = true;
        snprintf(failure, room, "%s: threads are at different barriers, %s:%d and %s:%d",
                 kernel_name, first->file, first->line, threads[t].file, threads[t].line);
    }
    if (failed) return;
    history_barrier();
    for (unsigned t = 0; t < nthreads; t++) make_ready(t);
}

bool all_done() {
    for (unsigned t = 0; t < nthreads; t++)
        if (threads[t].state != DONE) return false;
    return true;
}

void run_block(unsigned block, const Shape &shape) {
    self.block = Index3{block, 0, 0};
    history_begin(shape.dynamic_bytes);
    for (unsigned warp = 0; warp * WARP < nthreads; warp++)
        for (Values &v : values[warp]) v.readers = 0;
    ready.clear();
    for (unsigned t = 0; t < nthreads; t++) {
        threads[t].operation = nullptr;
        threads[t].got = nullptr;
        threads[t].file = nullptr;
        fiber_start(&threads[t].fiber, stacks + static_cast<size_t>(t) * STACK_BYTES, run_thread);
        make_ready(t);
    }
    while (!failed) {
        if (!ready.empty())
            fiber_switch(&scheduler, next_fiber());
        else if (all_done())
            return;
        else
            open_barrier();
    }
}

// The threads of `mask` in the warp of thread t; all of them have come.
bool all_here(unsigned warp, unsigned mask) {
    for (unsigned lane = 0; lane < WARP; lane++) {
        if (!(mask >> lane & 1)) continue;
        if (warp + lane >= nthreads) fail("a warp operation names lane %u of a shorter warp", lane);
        const Thread &t = threads[warp + lane];
        if (t.state == DONE) fail("a warp operation waits for lane %u, which is done", lane);
        if (t.state != IN_WARP) return false;
    }
    return true;
}

// All lanes of the mask have come: each will read the values of all.
void meet(unsigned warp, unsigned mask, const char *operation) {
    Values *all = values[warp / WARP];
    while (all->readers > 0) all++;
    for (unsigned l = 0; l < WARP; l++) {
        all->of[l] = 0;
        if (!(mask >> l & 1)) continue;
        Thread &t = threads[warp + l];
        const bool same = t.operation == operation || std::strcmp(t.operation, operation) == 0;
        if (t.mask != mask || !same)
            fail("%s with lanes 0x%x meets %s with lanes 0x%x", operation, mask, t.operation,
                 t.mask);
        all->of[l] = t.value;
        t.got = all;
        all->readers++;
        make_ready(warp + l);
    }
    history_warp(warp, mask);
}

} // namespace

void fail(const char *format, ...) {
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    failed = true;
    snprintf(failure, sizeof failure, "%s: %s (block %u, thread %u)", kernel_name, text,
             self.block.x, self.thread.x);
    let_others_run();
    std::abort();
}

void barrier(const char *file, int line) {
    threads[current].state = AT_BARRIER;
    threads[current].file = file;
    threads[current].line = line;
    let_others_run();
}

const uint64_t *exchange(unsigned mask, uint64_t value, const char *operation) {
    const unsigned warp = current / WARP * WARP, lane = current % WARP;
    Thread &me = threads[current];
    if (!(mask >> lane & 1)) fail("%s with a mask without its own lane", operation);
    me.state = IN_WARP;
    me.mask = mask;
    me.operation = operation;
    me.value = value;
    if (me.got != nullptr) me.got->readers--;
    me.got = nullptr;
    if (all_here(warp, mask)) meet(warp, mask, operation);
    let_others_run();
    return me.got->of;
}

void interrupt() {
    if (next_random() % INTERRUPT_ONE_IN != 0) return;
    make_ready(current);
    let_others_run();
}

bool run_grid(const Shape &shape, const Body &body) {
    if (failed) // its threads were left where they were
        ASAN_UNPOISON_MEMORY_REGION(stacks, static_cast<size_t>(MOST_THREADS) * STACK_BYTES);
    failed = false;
    kernel_name = shape.kernel;
    if (shape.grid == 0 || shape.block == 0 || shape.block > MOST_THREADS ||
        shape.dynamic_bytes > SHARED_BYTES) {
        snprintf(failure, sizeof failure, "%s: cannot launch %u blocks of %u threads, %zu bytes",
                 shape.kernel, shape.grid, shape.block, shape.dynamic_bytes);
        return false;
    }
    if (stacks == nullptr) {
        stacks = static_cast<char *>(mmap(nullptr, static_cast<size_t>(MOST_THREADS) * STACK_BYTES,
                                          PROT_READ | PROT_WRITE,
                                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        if (stacks == MAP_FAILED) std::abort();
    }
    fiber_adopt(&scheduler);
    kernel_body = &body;
    running = true;
    nthreads = shape.block;
    self.block_size = Index3{shape.block, 1, 1};
    self.grid_size = Index3{shape.grid, 1, 1};
    // Blocks one after the other, from any of them on, forwards or backwards.
    const unsigned first = static_cast<unsigned>(next_random() % shape.grid);
    const unsigned step = next_random() % 2 == 0 ? 1 : shape.grid - 1;
    unsigned b = first;
    for (unsigned k = 0; k < shape.grid && !failed; k++, b = (b + step) % shape.grid)
        run_block(b, shape);
    running = false;
    return !failed;
}

bool on_stack(uintptr_t at) {
    return at - reinterpret_cast<uintptr_t>(stacks) <
           static_cast<size_t>(MOST_THREADS) * STACK_BYTES;
}

void set_failure(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(failure, sizeof failure, format, args);
    va_end(args);
}

const char *failure_text() {
    return failure;
}

void set_seed(uint64_t seed) {
    random_state = seed * 2 + 1;
}

unsigned current_thread() {
    return current;
}

} // namespace cuda_on_cpu
