/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads; see parallel.h.
 *
 * A loop is a Job with a door. Its caller opens the door, increments `calls` so that idle workers
 * search for a loop, takes parts itself, and once no part is left closes the door and waits until
 * all workers have left. A worker enters by one compare-and-swap on the door, which gives it its
 * number, takes parts until there are none, and leaves. Doors are static, so a late worker finds a
 * closed door, or one that a later loop has opened, which is as good.
 *
 * An idle thread spins for a short time, then sleeps on a futex. While it spins it yields its
 * processor; if it gets it back late, another thread needs it, and it sleeps at once.
 */
#define _GNU_SOURCE
#include "core/parallel.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/arch.h"
#include "core/clock.h"

enum {
    JOBS = 32, /* loops that can have workers at the same time; further ones run serially */
    BITS = 10,
    MOST = (1 << BITS) - 1, /* workers */
};

/* A door: workers inside, workers that have entered, workers that may enter (three numbers of BITS
 * bits), and whether the caller sleeps until it is empty. Closed: none may enter. */
#define INSIDE 1u
#define ENTERED (1u << BITS)
#define PLACE (1u << 2 * BITS)
#define ASLEEP (1u << 3 * BITS)
#define PLACES ((uint32_t)MOST * PLACE)

_Static_assert(GB_THREADS_MOST == MOST + 1, "a door counts the workers of a loop");

static inline uint32_t inside(uint32_t door) {
    return door & MOST;
}

static inline uint32_t entered(uint32_t door) {
    return door / ENTERED & MOST;
}

static inline uint32_t places(uint32_t door) {
    return door / PLACE & MOST;
}

typedef struct {
    alignas(64) uint32_t used; /* atomic: this is somebody's loop */
    uint32_t door;             /* atomic */
    uint64_t n, step;          /* parts, and how many are taken at a time */
    gb_RunPart *part;
    void *context;
    gb_Call *call;
    alignas(64) uint64_t taken; /* atomic: times that the caller took parts, from the first on, and
                                   above these 32 bits times of workers, from the last on */
} Job;

static Job jobs[JOBS];

static alignas(64) uint32_t calls; /* atomic: loops opened; idle workers watch it */
static uint32_t looking, sleeping; /* atomic: idle workers */
static uint32_t computing;         /* atomic: callers and workers in loops */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of making and ending workers */
static pthread_t worker[MOST];
static int nworkers;        /* atomic; written under the lock */
static int allowed;         /* atomic: workers that the user allows */
static int possible = MOST; /* atomic: workers that the system seems to allow */
static bool fork_is_seen;   /* under the lock */
static int quit;            /* atomic: workers are to end */

static _Thread_local int thread_id;
static _Thread_local bool in_loop; /* a nested loop runs serially */

int gb_thread_id(void) {
    return thread_id;
}

/* -- waiting ----------------------------------------------------------------------------------- */

static void futex_wait(uint32_t *word, uint32_t value) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void futex_wake(uint32_t *word, int threads) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0);
}

/* Spins until *word differs from this value, or no longer; whether it changed. */
static bool changes_soon(const uint32_t *word, uint32_t value) {
    const double begin = gb_seconds();
    double before = begin;
    for (;;) {
        for (int k = 0; k < GB_TEAM_LOOKS; k++) {
            if (__atomic_load_n(word, __ATOMIC_RELAXED) != value) return true;
            gb_relax();
        }
        sched_yield();
        const double now = gb_seconds();
        if (now - begin > GB_TEAM_SECONDS || now - before > GB_TEAM_LATE) return false;
        before = now;
    }
}

/* -- loops ------------------------------------------------------------------------------------- */

/* The first thread that finds no part left closes the door. Caller and workers start at opposite
 * ends, so that each of two threads mostly gets the part of the loop before, which its cache
 * holds. */
static void take_parts(Job *job, bool calls_for_help) {
    const uint64_t n = job->n, step = job->step, times = (n + step - 1) / step;
    for (;;) {
        const uint64_t one = calls_for_help ? 1 : (uint64_t)1 << 32;
        const uint64_t taken = __atomic_fetch_add(&job->taken, one, __ATOMIC_RELAXED);
        const uint64_t front = taken & UINT32_MAX, back = taken >> 32;
        if (front + back >= times) break;
        const uint64_t from = step * (calls_for_help ? front : times - 1 - back);
        const uint64_t to = n - from < step ? n : from + step;
        for (uint64_t k = from; k < to; k++) job->part(job->context, k);
    }
    __atomic_fetch_and(&job->door, ~PLACES, __ATOMIC_RELAXED);
}

/* Wakes sleeping workers for so many free slots, two at most: they wake the next. */
static void call_workers(uint32_t wanted) {
    const uint32_t awake = __atomic_load_n(&looking, __ATOMIC_SEQ_CST);
    if (wanted <= awake || __atomic_load_n(&sleeping, __ATOMIC_SEQ_CST) == 0) return;
    futex_wake(&calls, wanted - awake < 2 ? 1 : 2);
}

/* The caller waits until no worker is inside. */
static void wait_until_empty(Job *job) {
    uint32_t door = __atomic_load_n(&job->door, __ATOMIC_ACQUIRE);
    while (inside(door) > 0) {
        if (!changes_soon(&job->door, door)) {
            door = __atomic_or_fetch(&job->door, ASLEEP, __ATOMIC_ACQUIRE);
            if (inside(door) > 0) futex_wait(&job->door, door);
        }
        door = __atomic_load_n(&job->door, __ATOMIC_ACQUIRE);
    }
}

static Job *find_unused(void) {
    for (Job *job = jobs; job < jobs + JOBS; job++) {
        uint32_t none = 0;
        if (__atomic_load_n(&job->used, __ATOMIC_RELAXED) == 0 &&
            __atomic_compare_exchange_n(&job->used, &none, 1, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            return job;
    }
    return NULL;
}

static void run_alone(uint64_t n, void (*part)(void *, uint64_t), void *context) {
    const int number = thread_id;
    thread_id = 0;
    for (uint64_t k = 0; k < n; k++) part(context, k);
    thread_id = number;
}

/* -- workers ----------------------------------------------------------------------------------- */

/* Enters the loop if it has a free slot; false if not. */
static bool help(Job *job) {
    uint32_t door = __atomic_load_n(&job->door, __ATOMIC_RELAXED);
    do {
        if (entered(door) >= places(door)) return false;
    } while (!__atomic_compare_exchange_n(&job->door, &door, door + ENTERED + INSIDE, true,
                                          __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
    __atomic_fetch_add(&computing, 1, __ATOMIC_RELAXED);
    call_workers(places(door) - entered(door) - 1);
    thread_id = (int)entered(door) + 1;
    gb_call_work_for(job->call);
    take_parts(job, false);
    gb_call_work_for(NULL);
    thread_id = 0;
    __atomic_fetch_sub(&computing, 1, __ATOMIC_RELAXED);
    door = __atomic_fetch_sub(&job->door, INSIDE, __ATOMIC_RELEASE);
    if (inside(door) == 1 && (door & ASLEEP)) futex_wake(&job->door, 1);
    return true;
}

static bool help_somebody(void) {
    for (Job *job = jobs; job < jobs + JOBS; job++)
        if (help(job)) return true;
    return false;
}

static void *work(void *unused) {
    in_loop = true;
    for (;;) {
        const uint32_t seen = __atomic_load_n(&calls, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&quit, __ATOMIC_RELAXED)) return unused;
        if (help_somebody()) continue;
        __atomic_fetch_add(&looking, 1, __ATOMIC_SEQ_CST);
        const bool called = changes_soon(&calls, seen);
        __atomic_fetch_sub(&looking, 1, __ATOMIC_SEQ_CST);
        if (called) continue;
        /* A thread that opens a door after this worker's last check sees that it sleeps, or it does
         * not sleep. */
        __atomic_fetch_add(&sleeping, 1, __ATOMIC_SEQ_CST);
        futex_wait(&calls, seen);
        __atomic_fetch_sub(&sleeping, 1, __ATOMIC_SEQ_CST);
    }
}

static void before_fork(void) {
    pthread_mutex_lock(&lock);
}

static void after_fork(void) {
    pthread_mutex_unlock(&lock);
}

/* The child has this thread alone, and no loop. */
static void in_child(void) {
    memset(jobs, 0, sizeof jobs);
    looking = sleeping = computing = 0;
    nworkers = 0;
    pthread_mutex_unlock(&lock);
}

/* Workers block the user's signals, but for faults of their own: those of mapped files, say. */
static bool make_worker(pthread_t *made) {
    sigset_t all, own;
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGSEGV);
    pthread_sigmask(SIG_SETMASK, &all, &own);
    const int error = pthread_create(made, NULL, work, NULL);
    pthread_sigmask(SIG_SETMASK, &own, NULL);
    return error == 0;
}

/* A thread that cannot get the lock goes on with the existing workers. */
static void make_workers(int wanted) {
    if (pthread_mutex_trylock(&lock) != 0) return;
    if (!fork_is_seen) fork_is_seen = pthread_atfork(before_fork, after_fork, in_child) == 0;
    bool made = fork_is_seen;
    int n = nworkers;
    while (n < wanted && made) {
        made = make_worker(&worker[n]);
        n += made;
    }
    __atomic_store_n(&nworkers, n, __ATOMIC_RELAXED);
    if (n < wanted) __atomic_store_n(&possible, n, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

void gb_parallel_allow(int n) {
    __atomic_store_n(&allowed, n - 1 < MOST ? n - 1 : MOST, __ATOMIC_RELAXED);
    __atomic_store_n(&possible, MOST, __ATOMIC_RELAXED);
}

int gb_nthreads(void) {
    const int a = __atomic_load_n(&allowed, __ATOMIC_RELAXED);
    const int p = __atomic_load_n(&possible, __ATOMIC_RELAXED);
    return (a < p ? a : p) + 1;
}

void gb_parallel_stop(void) {
    pthread_mutex_lock(&lock);
    __atomic_store_n(&quit, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST);
    futex_wake(&calls, MOST);
    for (int t = 0; t < nworkers; t++) pthread_join(worker[t], NULL);
    __atomic_store_n(&nworkers, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&quit, 0, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

/* -- all of it --------------------------------------------------------------------------------- */

/* Workers that a loop of so many threads may have, besides those already computing: a program that
 * calls from many threads must not use more threads than it requested. */
static int workers_for(int threads) {
    const int others = (int)__atomic_load_n(&computing, __ATOMIC_RELAXED);
    const int room = gb_nthreads() - 1 - others;
    const int wanted = threads - 1 < room ? threads - 1 : room;
    if (wanted <= 0) return 0;
    if (wanted > __atomic_load_n(&nworkers, __ATOMIC_RELAXED)) make_workers(wanted);
    const int n = __atomic_load_n(&nworkers, __ATOMIC_RELAXED);
    return wanted < n ? wanted : n;
}

void gb_parallel_for(int threads, uint64_t n, gb_RunPart *part, void *context) {
    if ((uint64_t)threads > n) threads = (int)n;
    const int workers = threads > 1 && !in_loop ? workers_for(threads) : 0;
    Job *job = workers > 0 ? find_unused() : NULL;
    if (job == NULL) {
        run_alone(n, part, context);
        return;
    }
    job->n = n;
    job->step = n / ((uint64_t)threads * GB_TEAM_TURNS) + 1;
    job->part = part;
    job->context = context;
    job->call = gb_call_current();
    __atomic_store_n(&job->taken, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&job->door, (uint32_t)workers * PLACE, __ATOMIC_RELEASE);
    __atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST);
    call_workers((uint32_t)workers);
    __atomic_fetch_add(&computing, 1, __ATOMIC_RELAXED);
    in_loop = true;
    take_parts(job, true);
    in_loop = false;
    __atomic_fetch_sub(&computing, 1, __ATOMIC_RELAXED);
    wait_until_empty(job);
    __atomic_store_n(&job->door, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&job->used, 0, __ATOMIC_RELEASE);
}

uint64_t gb_parallel_take(uint64_t *next) {
    return __atomic_fetch_add(next, 1, __ATOMIC_RELAXED);
}

typedef struct {
    gb_RunPart *part;
    void *context;
} Watched;

static void try_part(void *context, uint64_t k) {
    const Watched *w = context;
    if (!gb_call_stops()) w->part(w->context, k);
}

gbl_Info gb_parallel_try(int threads, uint64_t n, gb_RunPart *part, void *context) {
    if (n < 2 || !gb_call_is_watched()) {
        gb_parallel_for(threads, n, part, context);
        return GBL_SUCCESS;
    }
    gb_parallel_for(threads, n, try_part, &(Watched){part, context});
    return gb_call_end();
}

typedef struct {
    gb_RunRange *range;
    void *context;
    uint64_t items, parts;
} Ranges;

static void run_range(void *context, uint64_t k) {
    const Ranges *r = context;
    r->range(r->context, gb_part(r->items, k, r->parts), gb_part(r->items, k + 1, r->parts));
}

void gb_parallel_ranges(int threads, uint64_t items, gb_RunRange *range, void *context) {
    const uint64_t parts = (uint64_t)gb_parts_for(threads);
    gb_parallel_for(threads, parts, run_range, &(Ranges){range, context, items, parts});
}

gbl_Info gb_parallel_try_ranges(int threads, uint64_t items, gb_RunRange *range, void *context) {
    const uint64_t parts = (uint64_t)gb_parts_for(threads);
    return gb_parallel_try(threads, parts, run_range, &(Ranges){range, context, items, parts});
}

void gb_parallel_items(int available, uint64_t items, gb_RunRange *range, void *context) {
    gb_parallel_ranges(gb_threads_for(items, GB_GRAIN, available), items, range, context);
}

gbl_Info gb_parallel_try_items(int available, uint64_t items, gb_RunRange *range, void *context) {
    const int threads = gb_threads_for(items, GB_GRAIN, available);
    return gb_parallel_try_ranges(threads, items, range, context);
}
