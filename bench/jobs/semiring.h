/* SPDX-License-Identifier: Apache-2.0
 *
 * The semirings of the job semiring, whose kernels semiring_kernels.c has.
 */
#ifndef JOBS_SEMIRING_H
#define JOBS_SEMIRING_H

#include "gblite.h"

typedef struct {
    double length;
    int64_t hops;
} bench_path;

static inline bench_path bench_better(bench_path x, bench_path y) {
    return x.length < y.length || (x.length == y.length && x.hops <= y.hops) ? x : y;
}

static inline bench_path bench_follow(bench_path a, bench_path b) {
    return (bench_path){a.length + b.length, a.hops + b.hops};
}

extern const gbl_CompiledSemiring bench_plus_times, bench_min_plus, bench_paths;

#endif
