/* SPDX-License-Identifier: Apache-2.0
 *
 * Products in turns, and the times of their steps.
 */
#include "outer/outer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_RUNS = 10 };
static const double SHORT_RUN = 0.02; /* seconds; shorter products run more often than `rounds` */

static gbl_Info run(outer_turn *turn, int threads, outer_times *t) {
    bench_product *p = &turn->product;
    bench_reset(p);
    gbl_Info info =
        gbl_Global_set_INT32(GBL_GLOBAL, turn->threads > 0 ? turn->threads : threads, GBL_NTHREADS);
    const double start = bench_seconds();
    if (info == GBL_SUCCESS) info = bench_multiply(p);
    *t = (outer_times){bench_seconds() - start, p->how.seconds_prepare, p->how.seconds_symbolic,
                       p->how.seconds_expand, p->how.seconds_sort};
    return info;
}

/* Every product once, so that conversions are made and memory is at hand; compares results. */
static gbl_Info warm_up(outer_turn *list, int count, int threads, double *slowest) {
    gbl_Info info = GBL_SUCCESS;
    gbl_Matrix reference = NULL, copy = NULL;
    for (int k = 0; k < count && info == GBL_SUCCESS; k++) {
        bench_product *p = &list[k].product;
        outer_times t = {0};
        bool same = true;
        info = run(&list[k], threads, &t);
        if (t.total > *slowest) *slowest = t.total;
        if (k > 0 && p->A == list[k - 1].product.A) {
            if (info == GBL_SUCCESS) info = gbl_Matrix_dup(&copy, reference);
            if (info == GBL_SUCCESS) info = bench_same(&same, copy, p->C);
            gbl_Matrix_free(&copy);
            if (info == GBL_SUCCESS && !same)
                info = gbl_fail(GBL_INVALID_VALUE, NULL, "results %d and %d differ", k - 1, k);
        } else if (info == GBL_SUCCESS) {
            gbl_Matrix_free(&reference);
            reference = p->C;
            p->C = NULL;
        }
        bench_reset(p);
    }
    gbl_Matrix_free(&reference);
    return info;
}

static outer_times median_of(const outer_times *runs, double *totals, int n) {
    for (int r = 0; r < n; r++) totals[r] = runs[r].total;
    return runs[bench_median_index(totals, n)];
}

int outer_take_turns(outer_turn *list, int count, const bench_setup *setup) {
    double slowest = 0;
    gbl_Info info = warm_up(list, count, setup->threads, &slowest);
    const int repeats = slowest > 0 ? (int)fmin(MOST_RUNS, ceil(SHORT_RUN / slowest)) : 1;
    const int rounds = setup->rounds * repeats;
    outer_times *runs = calloc((size_t)count * (size_t)rounds, sizeof *runs);
    double *totals = calloc((size_t)rounds, sizeof *totals);
    if (info == GBL_SUCCESS && (runs == NULL || totals == NULL))
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for %d rounds", rounds);
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < count && info == GBL_SUCCESS; k++) {
            const int c = (k + r) % count;
            info = run(&list[c], setup->threads, &runs[c * rounds + r]);
            bench_reset(&list[c].product);
        }
    for (int c = 0; c < count && info == GBL_SUCCESS; c++)
        list[c].median = median_of(runs + c * rounds, totals, rounds);
    const bool failed = bench_failed(info, "multiply");
    for (int c = 0; c < count; c++) bench_drop(&list[c].product);
    gbl_Global_set_INT32(GBL_GLOBAL, setup->threads, GBL_NTHREADS);
    free(runs);
    free(totals);
    return failed ? -1 : 0;
}

void outer_add_times(cJSON *object, const outer_times *t) {
    cJSON_AddNumberToObject(object, "total", t->total);
    cJSON_AddNumberToObject(object, "analysis", t->analysis);
    cJSON_AddNumberToObject(object, "symbolic", t->symbolic);
    cJSON_AddNumberToObject(object, "expand", t->expand);
    cJSON_AddNumberToObject(object, "sort", t->sort);
}
