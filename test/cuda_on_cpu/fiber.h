/* SPDX-License-Identifier: Apache-2.0
 *
 * Fibers: threads of a block that take turns on one thread of the host. AddressSanitizer is told of
 * every switch, so that it knows on which stack the program is.
 */
#pragma once

#include <cstddef>

namespace cuda_on_cpu {

struct Fiber {
    void *stack_pointer; /* where it goes on */
    char *stack;         /* [STACK_BYTES]; NULL for the scheduler, which runs on the host's stack */
    void *fake_stack;    /* AddressSanitizer's */
};

enum { STACK_BYTES = 64 * 1024 };

/* The scheduler's own fiber; call it on the stack that will run the others. */
void fiber_adopt(Fiber *host);
/* A fiber that will call body() when it is switched to; the body never returns, it calls
 * fiber_leave. A fiber may be started again at any time, whatever it was doing. */
void fiber_start(Fiber *fiber, char *stack, void (*body)());
void fiber_switch(Fiber *from, Fiber *to);
/* Does not return, and does not say so: before a call that does, AddressSanitizer cleans the whole
 * stack and asks the system about another one, as often as a thread ends here. */
void fiber_leave(Fiber *from, Fiber *to);

} // namespace cuda_on_cpu
