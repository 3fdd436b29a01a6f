/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks that a child of fork() can tell from those of its own threads. A process has a generation,
 * one more than that of the process that forked it, and a held lock names the generation of its
 * holder. A lock of an older generation belongs to a thread that the child does not have: it is
 * stale. Whoever wants it takes it over, and nobody waits without end. The word also says whether
 * the holder only read: then what the lock guards is whole.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint32_t word; /* atomic; 0: free, else generation | GB_LOCK_HELD | other bits */
} gb_Lock;
enum { GB_LOCK_HELD = 1, GB_LOCK_AWAITED = 2, GB_LOCK_READS = 4, GB_LOCK_GENERATION = 8 };

extern uint32_t gb_lock_generation; /* atomic; a multiple of GB_LOCK_GENERATION; 0: no child */

/* Counts the generations; to be called before the first lock is held. */
void gb_lock_watch_forks(void);

bool gb_lock_slowly(gb_Lock *lock, uint32_t how);
/* how: GB_LOCK_HELD, or with GB_LOCK_READS. True: it was stale, so what it guards is as the thread
 * that is gone left it. */
static inline bool gb_lock_as(gb_Lock *lock, uint32_t how) {
    const uint32_t own = __atomic_load_n(&gb_lock_generation, __ATOMIC_RELAXED) | how;
    uint32_t word = 0;
    return !__atomic_compare_exchange_n(&lock->word, &word, own, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED) &&
           gb_lock_slowly(lock, how);
}
static inline bool gb_lock(gb_Lock *lock) {
    return gb_lock_as(lock, GB_LOCK_HELD);
}
static inline bool gb_lock_to_read(gb_Lock *lock) {
    return gb_lock_as(lock, GB_LOCK_HELD | GB_LOCK_READS);
}
/* From now on the holder only reads. */
static inline void gb_lock_reads_now(gb_Lock *lock) {
    __atomic_or_fetch(&lock->word, GB_LOCK_READS, __ATOMIC_RELEASE);
}

void gb_lock_wake(gb_Lock *lock);
static inline void gb_unlock(gb_Lock *lock) {
    if (__atomic_exchange_n(&lock->word, 0, __ATOMIC_RELEASE) & GB_LOCK_AWAITED) gb_lock_wake(lock);
}

/* In a child: a thread that is gone holds it, and was changing what it guards. */
static inline bool gb_lock_is_broken(const gb_Lock *lock) {
    const uint32_t word = __atomic_load_n(&lock->word, __ATOMIC_RELAXED);
    return word != 0 && (word & GB_LOCK_READS) == 0 &&
           (word & ~(uint32_t)(GB_LOCK_GENERATION - 1)) !=
               __atomic_load_n(&gb_lock_generation, __ATOMIC_RELAXED);
}
