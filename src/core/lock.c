/* SPDX-License-Identifier: Apache-2.0
 *
 * See lock.h.
 */
#define _GNU_SOURCE
#include "core/lock.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

uint32_t gb_lock_generation;

static void in_child(void) {
    __atomic_add_fetch(&gb_lock_generation, GB_LOCK_GENERATION, __ATOMIC_RELAXED);
}

static void watch(void) {
    pthread_atfork(NULL, NULL, in_child);
}

void gb_lock_watch_forks(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch);
}

static bool replace(gb_Lock *lock, uint32_t *word, uint32_t by) {
    return __atomic_compare_exchange_n(&lock->word, word, by, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

/* Whoever has waited does not know of others who do, and so leaves the lock marked as awaited. */
bool gb_lock_slowly(gb_Lock *lock, uint32_t how) {
    const uint32_t generation = __atomic_load_n(&gb_lock_generation, __ATOMIC_RELAXED);
    uint32_t word = __atomic_load_n(&lock->word, __ATOMIC_RELAXED);
    for (;;) {
        const bool stale = word != 0 && (word & ~(uint32_t)(GB_LOCK_GENERATION - 1)) != generation;
        if (word == 0 || stale) {
            if (replace(lock, &word, generation | how | GB_LOCK_AWAITED)) return stale;
        } else if ((word & GB_LOCK_AWAITED) || replace(lock, &word, word | GB_LOCK_AWAITED)) {
            syscall(SYS_futex, &lock->word, FUTEX_WAIT_PRIVATE, word | GB_LOCK_AWAITED, NULL, NULL,
                    0);
            word = __atomic_load_n(&lock->word, __ATOMIC_RELAXED);
        }
    }
}

void gb_lock_wake(gb_Lock *lock) {
    syscall(SYS_futex, &lock->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
