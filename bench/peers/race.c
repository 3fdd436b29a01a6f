/* SPDX-License-Identifier: Apache-2.0
 *
 * Races of gblite's products with SuiteSparse's; see race.h.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "peers/race.h"

#include <errno.h>
#include <stdio.h>

typedef struct {
    const peer_input *in;
    peer_csr csr;
} race_context;

static int run_other(void *context) {
    race_context *p = context;
    return peer_multiply(p->in, &p->csr);
}

static void reset_other(void *context) {
    race_context *p = context;
    peer_drop(&p->csr);
}

/* Every result against SuiteSparse's. */
static int check_other(cJSON *object, bench_product *products, int count, const peer_csr *csr) {
    uint64_t nvals = 0;
    for (int k = 0; k < count; k++) {
        if (peer_equal(products[k].C, csr, PEER_FP64, &nvals)) continue;
        fprintf(stderr, "%s: %s differs from SuiteSparse\n", program_invocation_short_name,
                products[k].way.name);
        return -1;
    }
    cJSON_AddNumberToObject(object, "result_entries", (double)nvals);
    return 0;
}

int peer_race(cJSON *object, const peer_input *in, bench_product *products, int count,
              const bench_setup *setup) {
    race_context other = {.in = in};
    bench_contender list[BENCH_MOST_PRODUCTS + 1];
    for (int k = 0; k < count; k++)
        list[k] = (bench_contender){products[k].way.name, bench_run, bench_reset, &products[k], 0};
    list[count] = (bench_contender){"suitesparse", run_other, reset_other, &other, 0};
    int status = bench_take_turns(list, count + 1, setup->rounds);
    for (int k = 0; k <= count && status == 0; k++)
        cJSON_AddNumberToObject(object, list[k].name, list[k].median);
    if (status == 0) status = peer_take(&other.csr);
    if (status == 0) status = check_other(object, products, count, &other.csr);
    reset_other(&other);
    return status;
}
