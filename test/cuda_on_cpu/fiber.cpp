// SPDX-License-Identifier: Apache-2.0
//
// Switching between fibers: a few instructions on x86-64, ucontext elsewhere (which asks the kernel
// for the signal mask at every switch and is ten times slower).
#include "fiber.h"

#include <cstdint>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace cuda_on_cpu {

namespace {

#ifdef WITH_ASAN
const void *host_bottom;
size_t host_size;
#endif

void announce(Fiber *from, Fiber *to, bool leaves) {
#ifdef WITH_ASAN
    const void *bottom = to->stack != nullptr ? to->stack : host_bottom;
    const size_t size = to->stack != nullptr ? static_cast<size_t>(STACK_BYTES) : host_size;
    __sanitizer_start_switch_fiber(leaves ? nullptr : &from->fake_stack, bottom, size);
#else
    (void)from, (void)to, (void)leaves;
#endif
}

// On the new stack; self is the fiber that runs now. The first switch away from the host tells
// where its stack is.
void arrive(Fiber *self) {
#ifdef WITH_ASAN
    const void *bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(self->fake_stack, &bottom, &size);
    if (host_bottom == nullptr) {
        host_bottom = bottom;
        host_size = size;
    }
#else
    (void)self;
#endif
}

Fiber *entering;
void (*entry_body)();

void enter() {
    arrive(entering);
    entry_body();
    std::abort();
}
} // namespace

#if defined(__x86_64__)

// Saves what a called function must keep, and goes on where `to` has done the same.
asm(".text\n"
    ".type cuda_on_cpu_swap,@function\n"
    "cuda_on_cpu_swap:\n"
    "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
    "  ret\n"
    ".size cuda_on_cpu_swap,.-cuda_on_cpu_swap\n");
extern "C" void cuda_on_cpu_swap(void **save, void *go_on);

namespace {
void swap(Fiber *from, Fiber *to) {
    entering = to;
    cuda_on_cpu_swap(&from->stack_pointer, to->stack_pointer);
}
} // namespace

void fiber_start(Fiber *fiber, char *stack, void (*body)()) {
    auto *top = reinterpret_cast<uintptr_t *>(stack + STACK_BYTES);
    *--top = 0;                                  // keeps the stack aligned as after a call
    *--top = reinterpret_cast<uintptr_t>(enter); // where `ret` goes
    for (int k = 0; k < 6; k++) *--top = 0;
    entry_body = body;
    *fiber = Fiber{top, stack, nullptr};
}

#else

namespace {
void swap(Fiber *from, Fiber *to) {
    entering = to;
    swapcontext(static_cast<ucontext_t *>(from->stack_pointer),
                static_cast<ucontext_t *>(to->stack_pointer));
}
} // namespace

// The context lies at the low end of the fiber's stack.
void fiber_start(Fiber *fiber, char *stack, void (*body)()) {
    auto *context = reinterpret_cast<ucontext_t *>(stack);
    const size_t used = (sizeof *context + 63) / 64 * 64;
    getcontext(context);
    context->uc_stack.ss_sp = stack + used;
    context->uc_stack.ss_size = STACK_BYTES - used;
    context->uc_link = nullptr;
    makecontext(context, enter, 0);
    entry_body = body;
    *fiber = Fiber{context, stack, nullptr};
}

#endif

void fiber_adopt(Fiber *host) {
    *host = Fiber{nullptr, nullptr, nullptr};
#if !defined(__x86_64__)
    static ucontext_t context;
    host->stack_pointer = &context;
#endif
#ifdef WITH_ASAN
    host_bottom = nullptr;
#endif
}

void fiber_switch(Fiber *from, Fiber *to) {
    announce(from, to, false);
    swap(from, to);
    arrive(from);
}

void fiber_leave(Fiber *from, Fiber *to) {
    announce(from, to, true);
    swap(from, to);
    std::abort();
}

} // namespace cuda_on_cpu
