/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators one after the other on the same values, in one pass: a batch goes through all of them
 * while it is in the first cache, so that what lies between two is never stored. Each value is what
 * the operators give one by one, whatever the batch it is in.
 */
#include "cpu/ops/map.h"

enum { MOST_BYTES = 8 }; /* of a value of a built-in type */

static const void *operand(const void *array, int stride, uint64_t k, size_t size,
                           const void *before) {
    if (array == NULL) return before;
    return (const char *)array + (stride != 0 ? k * size : 0);
}

static void run_step(const gb_Step *step, size_t n, void *z, const void *x, const void *y) {
    if (step->unary != NULL)
        step->unary->batch(step->unary, n, z, x, step->sx);
    else
        step->binary->batch(step->binary, n, z, x, step->sx, y, step->sy);
}

static bool reads_before(const gb_Step *step) {
    return step->x == NULL || (step->binary != NULL && step->y == NULL);
}

/* n <= GB_BATCH values from k on. Operators may not write what they read: what becomes of the
 * values themselves waits in a buffer. */
static void run_batch(const gb_StepArgs *args, uint64_t k, size_t n) {
    uint64_t buffer[2][GB_BATCH * MOST_BYTES / sizeof(uint64_t)];
    char *values = (char *)args->values + k * args->size;
    const void *before = values;
    for (int s = 0; s < args->steps; s++) {
        const gb_Step *step = &args->step[s];
        const bool direct = s + 1 == args->steps && (s > 0 || !reads_before(step));
        void *z = direct ? (void *)values : buffer[s % 2];
        run_step(step, n, z, operand(step->x, step->sx, k, args->size, before),
                 operand(step->y, step->sy, k, args->size, before));
        before = z;
    }
    if (before != values) memcpy(values, before, n * args->size);
}

void gb_run_steps_on(const gb_StepArgs *args, uint64_t from, uint64_t to) {
    for (uint64_t k = from; k < to; k += GB_BATCH)
        run_batch(args, k, gb_min_size(GB_BATCH, to - k));
}

static void run_range(void *context, uint64_t from, uint64_t to) {
    gb_run_steps_on(context, from, to);
}

void gb_cpu_run_steps(const gb_StepArgs *args) {
    gb_StepArgs own = *args;
    const int threads = gb_threads_for(args->n, GB_GRAIN, args->nthreads);
    gb_parallel_ranges(threads, args->n, run_range, &own);
}
