/* SPDX-License-Identifier: Apache-2.0
 *
 * The library's threads (core/parallel.h) and how many there are (core/hardware.h). Nothing
 * here depends on how fast a worker comes, or whether it comes at all, but where a test says so.
 */
#define _GNU_SOURCE
#include "support/gb_test.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "core/parallel.h"
#include "core/hardware.h"
#include "support/asleep.h"

#define TEAM_TEST(name) Test(team, name, .init = t_setup, .fini = t_teardown, .timeout = 60)

/* ------------------------------------------------------------------------- threads refused -- */

static atomic_int refuse_from = 1 << 30; /* this thread and later ones cannot be made */
static atomic_int made;

typedef int (*create_function)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* Comes before the system's. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
    static create_function real;
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (atomic_load(&made) >= atomic_load(&refuse_from)) return EAGAIN;
    atomic_fetch_add(&made, 1);
    return real(thread, attributes, start, argument);
}

static void set_threads(int32_t n) {
    OK(gbl_Global_set_INT32(GBL_GLOBAL, n, GBL_NTHREADS));
}

static int threads_now(void) {
    int32_t n = 0;
    OK(gbl_Global_get_INT32(GBL_GLOBAL, &n, GBL_NTHREADS));
    return n;
}

/* ----------------------------------------------------------------------------- one loop -- */

enum { MOST_PARTS = 20011, MOST_THREADS = 8 };

typedef struct {
    int threads;
    atomic_uchar times[MOST_PARTS]; /* that each part was run */
    atomic_int in[MOST_THREADS];    /* threads with this number, now */
    atomic_int bad;                 /* numbers that were out of range or taken */
    pthread_t caller;
    atomic_int others; /* parts that another thread than the caller's ran */
} Loop;

static Loop *loop_new(int threads) {
    Loop *loop = calloc(1, sizeof *loop);
    loop->threads = threads;
    loop->caller = pthread_self();
    return loop;
}

static void count_part(void *context, uint64_t k) {
    Loop *loop = context;
    const int number = gb_thread_id();
    if (number < 0 || number >= loop->threads) {
        atomic_fetch_add(&loop->bad, 1);
        return;
    }
    if (atomic_fetch_add(&loop->in[number], 1) != 0) atomic_fetch_add(&loop->bad, 1);
    atomic_fetch_add(&loop->times[k], 1);
    if (!pthread_equal(pthread_self(), loop->caller)) atomic_fetch_add(&loop->others, 1);
    if (k % 64 == 0) sched_yield(); /* others get a chance */
    atomic_fetch_sub(&loop->in[number], 1);
}

static bool is_done(const Loop *loop, uint64_t n) {
    bool good = atomic_load(&loop->bad) == 0;
    for (uint64_t k = 0; k < MOST_PARTS; k++) good = good && loop->times[k] == (k < n);
    return good;
}

/* Runs n parts; whether each was run once. */
static bool run_loop(int threads, uint64_t n) {
    Loop *loop = loop_new(threads);
    gb_parallel_for(threads, n, count_part, loop);
    const bool good = is_done(loop, n);
    free(loop);
    return good;
}

TEAM_TEST(every_part_runs_once) {
    const uint64_t parts[] = {0, 1, 2, 3, 7, 64, 1000, MOST_PARTS};
    set_threads(MOST_THREADS);
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        for (size_t k = 0; k < T_COUNT(parts); k++) {
            t_case("%d threads, %d parts", threads, (int)parts[k]);
            for (int round = 0; round < 20; round++) CHECK(run_loop(threads, parts[k]));
        }
    }
    CHECK_EQ(gb_thread_id(), 0);
}

/* Both parts wait until both have begun: there must be two threads. */
static void meet(void *context, uint64_t k) {
    atomic_int *here = context;
    (void)k;
    atomic_fetch_add(here, 1);
    while (atomic_load(here) < 2) sched_yield();
}

TEAM_TEST(workers_come_also_when_they_have_slept) {
    set_threads(2);
    for (int round = 0; round < 20; round++) {
        atomic_int here = 0;
        gb_parallel_for(2, 2, meet, &here);
        if (round % 4 == 3) t_until_others_sleep();
    }
}

typedef struct {
    atomic_uchar covered[1000];
    atomic_int ranges;
} Cover;

static void cover(void *context, uint64_t from, uint64_t to) {
    Cover *c = context;
    atomic_fetch_add(&c->ranges, 1);
    for (uint64_t k = from; k < to; k++) atomic_fetch_add(&c->covered[k], 1);
}

TEAM_TEST(ranges_make_up_all_items) {
    set_threads(3);
    for (int threads = 1; threads <= 3; threads++) {
        for (uint64_t n = 0; n <= 1000; n += n < 20 ? 1 : 49) {
            Cover c = {0};
            t_case("%d threads, %d items", threads, (int)n);
            gb_parallel_ranges(threads, n, cover, &c);
            for (uint64_t k = 0; k < 1000; k++) CHECK_EQ(c.covered[k], k < n);
            CHECK_EQ(c.ranges, gb_parts_for(threads));
        }
    }
}

/* ------------------------------------------------------------------------ loops in loops -- */

typedef struct {
    atomic_int wrong, inner;
    pthread_t thread; /* of the inner loop */
} Nest;

static void inner_part(void *context, uint64_t k) {
    Nest *own = context;
    (void)k;
    atomic_fetch_add(&own->inner, 1);
    if (gb_thread_id() != 0 || !pthread_equal(pthread_self(), own->thread))
        atomic_fetch_add(&own->wrong, 1);
}

static void outer_part(void *context, uint64_t k) {
    Nest *all = context;
    Nest own = {.thread = pthread_self()};
    const int number = gb_thread_id();
    gb_parallel_for(1 + (int)(k % 3), 10, inner_part, &own);
    if (gb_thread_id() != number) atomic_fetch_add(&own.wrong, 1);
    atomic_fetch_add(&all->wrong, own.wrong);
    atomic_fetch_add(&all->inner, own.inner);
}

TEAM_TEST(a_loop_in_a_part_runs_alone) {
    Nest all = {0};
    set_threads(3);
    for (int round = 0; round < 100; round++) gb_parallel_for(3, 30, outer_part, &all);
    CHECK_EQ(all.wrong, 0);
    CHECK_EQ(all.inner, 100 * 30 * 10);
}

/* A loop on one thread is no team, so that one inside it may have threads. */
static void outer_alone(void *context, uint64_t k) {
    (void)k;
    gb_parallel_for(2, 2, meet, context);
}

TEAM_TEST(a_loop_in_a_loop_of_one_thread_has_threads) {
    atomic_int here = 0;
    set_threads(2);
    gb_parallel_for(1, 1, outer_alone, &here);
    CHECK_EQ(here, 2);
}

/* -------------------------------------------------------------------------- many callers -- */

enum { CALLERS = 40 };

static void *call_often(void *argument) {
    const uint64_t number = (uint64_t)(size_t)argument;
    size_t good = 1;
    for (uint64_t round = 0; round < 60; round++)
        good = good && run_loop(1 + (int)((number + round) % 4), 1 + 37 * ((number + round) % 9));
    return (void *)good;
}

TEAM_TEST(many_callers_share_the_workers) {
    pthread_t callers[CALLERS];
    set_threads(4);
    for (size_t k = 0; k < CALLERS; k++)
        CHECK_EQ(pthread_create(&callers[k], NULL, call_often, (void *)k), 0);
    for (size_t k = 0; k < CALLERS; k++) {
        void *good;
        CHECK_EQ(pthread_join(callers[k], &good), 0);
        CHECK(good != NULL);
    }
}

typedef struct {
    sem_t begun, go_on;
} Hold;

static void hold_part(void *context, uint64_t k) {
    Hold *hold = context;
    (void)k;
    sem_post(&hold->begun);
    while (sem_wait(&hold->go_on) != 0) continue;
}

static void *hold_threads(void *hold) {
    gb_parallel_for(2, 2, hold_part, hold);
    return NULL;
}

/* The only worker, and another caller, are busy for as long as this call takes. */
TEAM_TEST(a_call_does_not_wait_for_busy_workers) {
    Hold hold;
    pthread_t other;
    set_threads(2);
    sem_init(&hold.begun, 0, 0);
    sem_init(&hold.go_on, 0, 0);
    CHECK_EQ(pthread_create(&other, NULL, hold_threads, &hold), 0);
    for (int k = 0; k < 2; k++)
        while (sem_wait(&hold.begun) != 0) continue;
    Loop *loop = loop_new(2);
    gb_parallel_for(2, 1000, count_part, loop);
    CHECK(is_done(loop, 1000));
    CHECK_EQ(loop->others, 0);
    free(loop);
    for (int k = 0; k < 2; k++) sem_post(&hold.go_on);
    CHECK_EQ(pthread_join(other, NULL), 0);
}

/* ------------------------------------------------------------- the life of the workers -- */

TEAM_TEST(refused_threads_are_said) {
    set_threads(5);
    atomic_store(&refuse_from, atomic_load(&made) + 2);
    CHECK(run_loop(5, 1000));
    CHECK_EQ(threads_now(), 3);
    CHECK(run_loop(5, 1000));
    atomic_store(&refuse_from, 0);
    set_threads(5); /* asks for another try */
    CHECK_EQ(threads_now(), 5);
    CHECK(run_loop(5, 1000));
    CHECK_EQ(threads_now(), 3);
    atomic_store(&refuse_from, 1 << 30);
    set_threads(5);
    const int before = atomic_load(&made);
    CHECK(run_loop(5, 1000));
    CHECK_EQ(threads_now(), 5);
    CHECK_EQ(atomic_load(&made) - before, 2);
}

TEAM_TEST(no_thread_at_all) {
    atomic_store(&refuse_from, 0);
    set_threads(4);
    Loop *loop = loop_new(4);
    gb_parallel_for(4, 1000, count_part, loop);
    CHECK(is_done(loop, 1000));
    CHECK_EQ(loop->others, 0);
    free(loop);
    CHECK_EQ(threads_now(), 1);
    atomic_store(&refuse_from, 1 << 30);
}

static void nothing(void *context, uint64_t k) {
    (void)context;
    (void)k;
}

TEAM_TEST(finalize_ends_them_and_init_begins_anew) {
    for (int round = 0; round < 5; round++) {
        set_threads(4);
        const int before = atomic_load(&made);
        CHECK(run_loop(4, 1000));
        CHECK_EQ(atomic_load(&made) - before, 3);
        OK(gbl_finalize());
        gb_parallel_for(gb_nthreads(), 100, nothing, NULL); /* the caller does it all */
        CHECK_EQ(atomic_load(&made) - before, 3);
        OK(gbl_init(GBL_NONBLOCKING));
    }
}

static bool child_works(void) {
    bool good = true;
    for (int round = 0; round < 20; round++) good = good && run_loop(4, 1000);
    atomic_int here = 0;
    gb_parallel_for(2, 2, meet, &here); /* it has workers of its own */
    return good && gbl_finalize() == GBL_SUCCESS;
}

TEAM_TEST(a_child_has_workers_of_its_own) {
    set_threads(4);
    for (int round = 0; round < 10; round++) {
        CHECK(run_loop(4, 1000));
#ifdef __SANITIZE_ADDRESS__
        t_until_others_sleep(); /* its allocator stays locked in a child of a thread that is inside
                                 */
#endif
        const pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) _exit(child_works() ? 0 : 1);
        CHECK(run_loop(4, 1000));
        int status = -1;
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

/* ------------------------------------------------------------------------- how many -- */

TEAM_TEST(numbers_of_threads_in_texts) {
    const struct {
        const char *text;
        int number;
    } cases[] = {{"3", 3},     {" 3 ", 3},
                 {"4,2", 4},   {"4 , 2,1", 4},
                 {"100", 100}, {"101", 0},
                 {"0", 0},     {"", 0},
                 {"-2", 0},    {"many", 0},
                 {"3x", 0},    {",3", 0},
                 {"+3", 0},    {"99999999999999999999999", 0}};
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        t_case("'%s'", cases[k].text);
        CHECK_EQ(gb_first_number(cases[k].text, 100), cases[k].number);
    }
}

static void begin_again(void) {
    OK(gbl_finalize());
    OK(gbl_init(GBL_NONBLOCKING));
}

TEAM_TEST(threads_by_default) {
    cpu_set_t all, one;
    CPU_ZERO(&all);
    CPU_ZERO(&one);
    CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    CHECK_EQ(unsetenv("GBLITE_THREADS"), 0);
    CHECK_EQ(unsetenv("OMP_NUM_THREADS"), 0);
    begin_again();
    CHECK_EQ(threads_now(), CPU_COUNT(&all));
    CHECK_EQ(setenv("OMP_NUM_THREADS", "3,1", 1), 0);
    begin_again();
    CHECK_EQ(threads_now(), 3);
    set_threads(2);
    CHECK_EQ(threads_now(), 2);
    set_threads(0);
    CHECK_EQ(threads_now(), 3);
    CHECK_EQ(setenv("GBLITE_THREADS", "2", 1), 0);
    begin_again();
    CHECK_EQ(threads_now(), 2);
    CHECK_EQ(setenv("GBLITE_THREADS", "none", 1), 0);
    begin_again();
    CHECK_EQ(threads_now(), 3);
    CHECK_EQ(unsetenv("GBLITE_THREADS"), 0);
    CHECK_EQ(setenv("OMP_NUM_THREADS", "some", 1), 0);
    int first = 0;
    while (!CPU_ISSET(first, &all)) first++;
    CPU_SET(first, &one);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    begin_again();
    CHECK_EQ(threads_now(), 1);
}
