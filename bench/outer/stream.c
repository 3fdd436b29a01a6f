/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "stream": what the memory can do, by the four loops of STREAM (McCalpin): copy c = a, scale
 * b = s c, add c = a + b, triad a = b + s c. Bytes are counted as STREAM counts them: each array
 * read and written once, whatever the caches do besides. Stores are ordinary ones, which bring a
 * line in before they change it, or go past the caches where the processor can. An operand is the
 * size of an array in last-level caches (STREAM asks for 4); the best of 10 runs counts, for one
 * thread and for all.
 */
#include "outer/outer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#ifdef __SSE2__
#include <emmintrin.h>
enum { PAST_CACHES = 1 };
#else
enum { PAST_CACHES = 0 };
#endif

enum { COPY, SCALE, ADD, TRIAD, LOOPS, STORES = 1 + PAST_CACHES, RUNS = 10, MOST_THREADS = 256 };
static const char *const NAMES[STORES][LOOPS] = {
    {"copy", "scale", "add", "triad"},
#ifdef __SSE2__
    {"copy_past", "scale_past", "add_past", "triad_past"},
#endif
};
static const int ARRAYS[LOOPS] = {2, 2, 3, 3}; /* read and written */
enum { ALIGN = 2 << 20, PAIRS_A_LINE = 4, ENOUGH_CACHES = 4 };

typedef double pair __attribute__((vector_size(16)));

typedef struct {
    pair *a, *b, *c; /* [n] */
    size_t n;        /* pairs of each; a multiple of a line's */
    int threads;
    pthread_barrier_t barrier;
    double best[STORES][LOOPS]; /* seconds */
} stream;

typedef struct {
    stream *s;
    int number;
} worker;

static inline void store(pair *to, pair x, bool past) {
#ifdef __SSE2__
    if (past) {
        _mm_stream_pd((double *)to, (__m128d)x);
        return;
    }
#endif
    (void)past;
    *to = x;
}

/* Line by line; what the compiler may not see through keeps it from calling memcpy, which chooses
 * the kind of its stores itself. */
#define LOOP(TO, VALUE)                                                                            \
    for (size_t line = from; line < to; line += PAIRS_A_LINE) {                                    \
        for (size_t k = line; k < line + PAIRS_A_LINE; k++) store(&TO[k], VALUE, past);            \
        __asm__ volatile("" ::: "memory");                                                         \
    }

static inline __attribute__((always_inline)) void run_loop(const stream *s, int loop, size_t from,
                                                           size_t to, bool past) {
    pair *a = s->a, *b = s->b, *c = s->c;
    const pair scalar = {3.0, 3.0};
    if (loop == COPY) LOOP(c, a[k])
    if (loop == SCALE) LOOP(b, scalar * c[k])
    if (loop == ADD) LOOP(c, a[k] + b[k])
    if (loop == TRIAD) LOOP(a, b[k] + scalar * c[k])
#ifdef __SSE2__
    if (past) _mm_sfence();
#endif
}

static void run(const stream *s, int loop, bool past, size_t from, size_t to) {
    if (past)
        run_loop(s, loop, from, to, true);
    else
        run_loop(s, loop, from, to, false);
}

/* A thread touches its part first, so that its pages are near; the first thread holds the clock. */
static void *work(void *context) {
    const worker *w = context;
    stream *s = w->s;
    const size_t lines = s->n / PAIRS_A_LINE;
    const size_t from = lines * (size_t)w->number / (size_t)s->threads * PAIRS_A_LINE;
    const size_t to = lines * (size_t)(w->number + 1) / (size_t)s->threads * PAIRS_A_LINE;
    for (size_t k = from; k < to; k++) {
        s->a[k] = (pair){1.0, 1.0};
        s->b[k] = (pair){2.0, 2.0};
        s->c[k] = (pair){0.0, 0.0};
    }
    for (int n = 0; n < RUNS * STORES * LOOPS; n++) {
        const int stores = n / LOOPS % STORES, loop = n % LOOPS;
        pthread_barrier_wait(&s->barrier);
        const double start = bench_seconds();
        run(s, loop, stores == 1, from, to);
        pthread_barrier_wait(&s->barrier);
        const double seconds = bench_seconds() - start;
        double *best = &s->best[stores][loop];
        if (w->number == 0 && (*best == 0 || seconds < *best)) *best = seconds;
    }
    return NULL;
}

/* STREAM's own check: every element went through the same operations. */
static int check(const stream *s) {
    double a = 1, b = 2, c = 0;
    for (int n = 0; n < RUNS * STORES; n++) {
        c = a;
        b = 3 * c;
        c = a + b;
        a = b + 3 * c;
    }
    for (size_t k = 0; k < s->n; k++)
        for (int e = 0; e < 2; e++)
            if (s->a[k][e] != a || s->b[k][e] != b || s->c[k][e] != c) {
                fprintf(stderr, "outer: stream: element %zu is wrong\n", 2 * k + (size_t)e);
                return -1;
            }
    return 0;
}

static int run_threads(stream *s) {
    pthread_t threads[MOST_THREADS];
    worker workers[MOST_THREADS];
    int started = 1;
    if (pthread_barrier_init(&s->barrier, NULL, (unsigned)s->threads) != 0) return -1;
    for (; started < s->threads; started++) {
        workers[started] = (worker){s, started};
        if (pthread_create(&threads[started], NULL, work, &workers[started]) != 0) {
            fprintf(stderr, "outer: stream: cannot start %d threads\n", s->threads);
            exit(EXIT_FAILURE); /* those that wait at the barrier cannot be called back */
        }
    }
    workers[0] = (worker){s, 0};
    work(&workers[0]);
    for (int t = 1; t < started; t++) pthread_join(threads[t], NULL);
    pthread_barrier_destroy(&s->barrier);
    return check(s);
}

static pair *new_array(size_t bytes) {
    pair *array = aligned_alloc(ALIGN, bytes);
    if (array != NULL) madvise(array, bytes, MADV_HUGEPAGE); /* as the library asks for */
    return array;
}

/* Bytes of the last cache that the first processor has, GUESS where the system does not tell. */
static size_t last_cache(void) {
    enum { GUESS = 32 << 20 };
    unsigned long kilobytes = 0;
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");
    if (file == NULL) return GUESS;
    const bool found = fscanf(file, "%luK", &kilobytes) == 1;
    fclose(file);
    return found && kilobytes > 0 ? kilobytes << 10 : GUESS;
}

/* Of each array. One round only tries, which takes seconds with the arrays that some processors
 * want: a last cache may have 300 MB. */
static size_t array_bytes(const bench_setup *setup, unsigned caches) {
    enum { TRIED = 4 << 20 };
    if (setup->rounds == 1) return TRIED;
    return (caches * last_cache() + ALIGN - 1) / ALIGN * ALIGN;
}

static int measure(stream *s, int threads, size_t bytes) {
    int status = -1;
    *s = (stream){.n = bytes / sizeof(pair), .threads = threads};
    if (threads > MOST_THREADS) {
        fprintf(stderr, "outer: stream runs on at most %d threads\n", MOST_THREADS);
        return -1;
    }
    s->a = new_array(bytes);
    s->b = new_array(bytes);
    s->c = new_array(bytes);
    if (s->a != NULL && s->b != NULL && s->c != NULL)
        status = run_threads(s);
    else
        fprintf(stderr, "outer: stream: no memory for three arrays of %zu bytes\n", bytes);
    free(s->a);
    free(s->b);
    free(s->c);
    return status;
}

static double rate(const stream *s, int stores, int loop) {
    return (double)s->n * sizeof(pair) * ARRAYS[loop] / s->best[stores][loop];
}

double outer_stream_rate(const bench_setup *setup) {
    stream s;
    double best = 0;
    if (measure(&s, setup->threads, array_bytes(setup, ENOUGH_CACHES)) != 0) return -1;
    for (int stores = 0; stores < STORES; stores++)
        for (int loop = 0; loop < LOOPS; loop++)
            if (rate(&s, stores, loop) > best) best = rate(&s, stores, loop);
    return best;
}

static int add_point(cJSON *points, int threads, size_t bytes) {
    stream s;
    cJSON *point = cJSON_CreateObject();
    cJSON_AddItemToArray(points, point);
    if (measure(&s, threads, bytes) != 0) return -1;
    cJSON_AddNumberToObject(point, "threads", threads);
    cJSON_AddNumberToObject(point, "array_bytes", (double)s.n * sizeof(pair));
    for (int stores = 0; stores < STORES; stores++)
        for (int loop = 0; loop < LOOPS; loop++)
            cJSON_AddNumberToObject(point, NAMES[stores][loop], rate(&s, stores, loop));
    return 0;
}

int outer_stream(cJSON *object, const char *operand, const bench_setup *setup) {
    unsigned caches = 0;
    char rest;
    if (sscanf(operand, "%u%c", &caches, &rest) != 1 || caches < 1 || caches > 64) {
        fprintf(stderr,
                "outer: stream takes a number of last-level caches from 1 to 64, not '%s'\n",
                operand);
        return -1;
    }
    cJSON_AddNumberToObject(object, "last_cache_bytes", (double)last_cache());
    cJSON *points = cJSON_AddArrayToObject(object, "points");
    const size_t bytes = array_bytes(setup, caches);
    if (setup->threads > 1 && add_point(points, 1, bytes) != 0) return -1;
    return add_point(points, setup->threads, bytes);
}
