/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads. A loop is cut into parts that threads take one by one: the caller at once, and workers
 * of the library as they come. Nobody waits for a worker that has not come, so on a busy machine
 * the caller does everything itself; it waits only for parts that workers have in hand. Results
 * must therefore not depend on who runs what, and a part must not wait for another.
 *
 * Any number of threads may call at once; they share the workers. A loop inside a part is run by
 * the thread of that part alone, unless the outer loop has but one thread. A child made by fork()
 * begins without workers; a part must not fork.
 */
#pragma once

#include "core/call.h"
#include "core/view.h"
#include "core/tune_host.h"

/* Threads of a loop at most. */
#define GB_THREADS_MOST 1024

/* Parts worth making for so many threads where parts cost nothing: enough that a part whose thread
 * has lost its processor is a small one, and the call, where it may have to end, can end soon. */
static inline int gb_parts_for(int threads) {
    const int few = threads == 1 ? 1 : 4 * threads;
    return gb_call_is_watched() && few < GB_CALL_PARTS ? GB_CALL_PARTS : few;
}

typedef void gb_RunPart(void *context, uint64_t k);
typedef void gb_RunRange(void *context, uint64_t from, uint64_t to);

/* part(context, k) once for every k in [0, n), on at most `threads` threads. The part's thread has
 * a number of its own, gb_thread_id() in [0, threads), for workspaces. */
void gb_parallel_for(int threads, uint64_t n, gb_RunPart *part, void *context);

/* range(context, from, to) for ranges that make up [0, items). */
void gb_parallel_ranges(int threads, uint64_t items, gb_RunRange *range, void *context);

/* The same for loops whose results are dropped when the call is to end (core/call.h): no part
 * of several is begun then, and they return GBL_CANCELLED. */
gbl_Info gb_parallel_try(int threads, uint64_t n, gb_RunPart *part, void *context);
gbl_Info gb_parallel_try_ranges(int threads, uint64_t items, gb_RunRange *range, void *context);

/* The same two of items of which GB_GRAIN are worth a thread, on at most `available`. */
void gb_parallel_items(int available, uint64_t items, gb_RunRange *range, void *context);
gbl_Info gb_parallel_try_items(int available, uint64_t items, gb_RunRange *range, void *context);

/* The next of the pieces of work that the parts of a loop share: *next, which then is one more. */
uint64_t gb_parallel_take(uint64_t *next);

/* The number of the calling thread in the loop that it is in; 0 outside of any. */
int gb_thread_id(void);

/* All loops together have at most n - 1 workers; none until this is called. */
void gb_parallel_allow(int n);
/* Threads that a loop, and so a call, can have, at least 1: what is allowed, or fewer after the
 * system has refused to make one, until gb_parallel_allow is called again. */
int gb_nthreads(void);

/* Ends the workers; the next loop makes new ones. No loop may be running. */
void gb_parallel_stop(void);

/* part(context, t) for t in [0, n) on at most n threads. */
typedef struct {
    void (*part)(void *context, int t);
    void *context;
} gb_Parts;

static inline void gb_parallel_part(void *parts, uint64_t t) {
    const gb_Parts *p = (const gb_Parts *)parts;
    p->part(p->context, (int)t);
}

static inline void gb_parallel(int n, void (*part)(void *context, int t), void *context) {
    gb_Parts parts = {part, context};
    gb_parallel_for(n, (uint64_t)n, gb_parallel_part, &parts);
}

/* So many of `parts`, at most, that counters of `slots` for each of them, cleared and summed, cost
 * no more than `units` that are counted. */
static inline int gb_parts_counting(int parts, uint64_t units, uint64_t slots) {
    while (parts > 1 && slots > units / (uint64_t)parts) parts--;
    return parts;
}

/* Borders of part t of n: items [gb_part(t), gb_part(t + 1)). */
static inline uint64_t gb_part(uint64_t items, uint64_t t, uint64_t n) {
    return (uint64_t)(((unsigned __int128)items * t) / n);
}

/* The first row of part t of n, where parts share rows + entries evenly. */
static inline uint64_t gb_first_row(const gb_CsView *A, uint64_t t, uint64_t n) {
    return gb_row_at_work(A->p, A->nmajor, 1, gb_part(A->nmajor + A->nvals, t, n));
}

/* Entries of the longest row. */
static inline uint64_t gb_longest_row(const gb_CsView *A) {
    uint64_t most = 0;
    for (uint64_t r = 0; A->nvals > 0 && r < A->nmajor; r++)
        if (A->p[r + 1] - A->p[r] > most) most = A->p[r + 1] - A->p[r];
    return most;
}

/* Threads worth starting for work of so many units, at least `grain` units each. */
static inline int gb_threads_for(uint64_t units, uint64_t grain, int available) {
    const uint64_t useful = units / grain + 1;
    return useful < (uint64_t)available ? (int)useful : available;
}

/* *least, which threads share, becomes at most k. */
static inline void gb_note_least(uint64_t *least, uint64_t k) {
    uint64_t seen = __atomic_load_n(least, __ATOMIC_RELAXED);
    while (k < seen && !__atomic_compare_exchange_n(least, &seen, k, true, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED)) {
    }
}
