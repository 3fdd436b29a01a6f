/* SPDX-License-Identifier: Apache-2.0
 *
 * See team.h. Implements core/parallel.h. The imagined threads of a loop are contexts with a stack
 * each. One gives way where it takes its next part, or the next piece of work that threads share
 * (gb_parallel_take), to the one that has been busy for the shortest time; so pieces go to threads
 * as they would if all had run at once. Seconds are those of the processor, so other programs do
 * not count.
 */
#define _GNU_SOURCE
#include "scaling/team.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#include "core/parallel.h"

/* Seconds until a woken thread takes its first part, per doubling of the team: each woken thread
 * wakes others. */
#define WAKING 2e-6

enum { MOST_LOOPS = 1024, STACK = 1 << 20 };

typedef struct {
    ucontext_t context;
    char *stack;
    double busy;
    bool done;
} Thread;

/* The loop that is played. */
typedef struct {
    void (*part)(void *context, uint64_t k);
    void *context;
    uint64_t first, end, step; /* parts that are left, and how many are taken at a time */
    int threads;
    double since; /* when the thread that runs was resumed */
    ucontext_t caller;
} Play;

static team_loop loops[MOST_LOOPS];
static int loop_count, allowed = 1, number;
static bool in_loop;
static Thread team[GB_THREADS_MOST];
static Play play;

double team_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void team_begin(void) {
    loop_count = 0;
}

const team_loop *team_loops(int *count) {
    *count = loop_count;
    return loops;
}

static void give_up(const char *why) {
    fprintf(stderr, "scaling: %s\n", why);
    exit(1);
}

/* The function that the context begins with, of loops whose part only calls it. */
static const char *inner_of(const void *context) {
    extern const char __executable_start, etext;
    const char *inner = NULL;
    if (context != NULL) memcpy(&inner, context, sizeof inner);
    return inner >= &__executable_start && inner < &etext ? inner : NULL;
}

static team_loop *loop_of(void (*part)(void *, uint64_t), const void *context) {
    const char *inner = inner_of(context);
    for (team_loop *l = loops; l < loops + loop_count; l++)
        if (l->part == part && l->inner == inner) return l;
    if (loop_count == MOST_LOOPS) give_up("too many places with loops");
    loops[loop_count] = (team_loop){.part = part, .inner = inner};
    return &loops[loop_count++];
}

/* -- imagined threads -------------------------------------------------------------------------- */

/* Counts what the running thread did. */
static void charge(void) {
    const double now = team_seconds();
    team[number].busy += now - play.since;
}

/* The thread that is free first; -1 when all are done. */
static int least_busy(void) {
    int least = -1;
    for (int t = 0; t < play.threads; t++)
        if (!team[t].done && (least < 0 || team[t].busy < team[least].busy)) least = t;
    return least;
}

static void resume(ucontext_t *from, int t) {
    ucontext_t *to = t < 0 ? &play.caller : &team[t].context;
    number = t < 0 ? 0 : t;
    play.since = team_seconds();
    if (from != to) swapcontext(from, to);
}

/* Lets all others run that have been busy for a shorter time. */
static void give_way(void) {
    charge();
    resume(&team[number].context, least_busy());
}

static void work(void) {
    for (;;) {
        give_way();
        if (play.first == play.end) break;
        const uint64_t left = play.end - play.first, n = play.step < left ? play.step : left;
        const uint64_t from = number == 0 ? play.first : play.end - n;
        if (number == 0)
            play.first += n;
        else
            play.end -= n;
        for (uint64_t k = from; k < from + n; k++) play.part(play.context, k);
    }
    charge();
    team[number].done = true;
    resume(&team[number].context, least_busy());
}

static void prepare(int t) {
    Thread *thread = &team[t];
    if (thread->stack == NULL) {
        thread->stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
        if (thread->stack == MAP_FAILED) give_up("no memory for a stack");
    }
    if (getcontext(&thread->context) != 0) give_up("getcontext fails");
    thread->context.uc_stack.ss_sp = thread->stack;
    thread->context.uc_stack.ss_size = STACK;
    thread->context.uc_link = NULL;
    makecontext(&thread->context, work, 0);
    thread->busy = t == 0 ? 0 : WAKING * log2(play.threads);
    thread->done = false;
}

static void play_loop(int threads, uint64_t n, gb_RunPart *part, void *context, team_loop *loop) {
    double longest = 0;
    play = (Play){.part = part, .context = context, .end = n, .threads = threads};
    play.step = n / ((uint64_t)threads * GB_TEAM_TURNS) + 1;
    for (int t = 0; t < threads; t++) prepare(t);
    in_loop = true;
    resume(&play.caller, 0);
    in_loop = false;
    number = 0;
    for (int t = 0; t < threads; t++) {
        loop->work += team[t].busy;
        if (team[t].busy > longest) longest = team[t].busy;
    }
    loop->path += longest;
}

/* -- core/parallel.h --------------------------------------------------------------------------- */

static void run_alone(uint64_t n, void (*part)(void *, uint64_t), void *context) {
    const int own = number;
    number = 0;
    for (uint64_t k = 0; k < n; k++) part(context, k);
    number = own;
}

void gb_parallel_for(int threads, uint64_t n, gb_RunPart *part, void *context) {
    if (in_loop) {
        run_alone(n, part, context);
        return;
    }
    const double start = team_seconds();
    team_loop *loop = loop_of(part, context);
    if ((uint64_t)threads > n) threads = (int)n;
    if (threads > allowed) threads = allowed;
    if (threads > 1)
        play_loop(threads, n, part, context, loop);
    else
        run_alone(n, part, context);
    const double elapsed = team_seconds() - start;
    if (threads <= 1) {
        loop->work += elapsed;
        loop->path += elapsed;
    }
    loop->elapsed += elapsed;
    loop->loops++;
    loop->parts += n;
    if (threads > loop->threads) loop->threads = threads;
}

uint64_t gb_parallel_take(uint64_t *next) {
    if (in_loop) give_way();
    return (*next)++;
}

gbl_Info gb_parallel_try(int threads, uint64_t n, gb_RunPart *part, void *context) {
    gb_parallel_for(threads, n, part, context);
    return n < 2 || !gb_call_is_watched() ? GBL_SUCCESS : gb_call_end();
}

typedef struct {
    void (*range)(void *context, uint64_t from, uint64_t to);
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
    gb_parallel_ranges(threads, items, range, context);
    return gb_call_is_watched() ? gb_call_end() : GBL_SUCCESS;
}

void gb_parallel_items(int available, uint64_t items, gb_RunRange *range, void *context) {
    gb_parallel_ranges(gb_threads_for(items, GB_GRAIN, available), items, range, context);
}

gbl_Info gb_parallel_try_items(int available, uint64_t items, gb_RunRange *range, void *context) {
    return gb_parallel_try_ranges(gb_threads_for(items, GB_GRAIN, available), items, range,
                                  context);
}

int gb_thread_id(void) {
    return number;
}

void gb_parallel_allow(int n) {
    allowed = n < GB_THREADS_MOST ? n : GB_THREADS_MOST;
}

int gb_nthreads(void) {
    return allowed;
}

void gb_parallel_stop(void) {
}
