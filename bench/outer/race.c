/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "race": A*A, plus-times on FP64, by SuiteSparse, row by row, by outer products and by the
 * planner's choice. All results come in sorted rows. Outer products find A by columns too; "cold"
 * and "auto_cold" start from an A that has but its rows.
 */
#include "outer/outer.h"

#include "peers/race.h"

static const bench_way *const WAYS[] = {&OUTER_ROWWISE, &OUTER_WARM, &OUTER_COLD, &OUTER_AUTO,
                                        &OUTER_AUTO_COLD};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS, WARM = 1, AUTO = 3, AUTO_COLD = 4 };

int outer_race(cJSON *object, const char *operand, const bench_setup *setup) {
    char name[64];
    peer_input in;
    bench_product products[WAY_COUNT] = {0};
    int status = -1;
    bench_operand_name(name, sizeof name, operand);
    cJSON_AddStringToObject(object, "name", name);
    if (peer_load(&in, operand, false) != 0) goto done;
    if (bench_failed(outer_describe(object, in.A), operand)) goto done;
    for (int k = 0; k < WAY_COUNT; k++) products[k] = outer_product(WAYS[k], in.A);
    const double rate = outer_stream_rate(setup);
    if (rate < 0 || peer_race(object, &in, products, WAY_COUNT, setup) != 0) goto done;
    cJSON_AddNumberToObject(object, "stream", rate);
    outer_describe_product(object, &products[WARM].how);
    cJSON_AddStringToObject(object, "auto_method", products[AUTO].how.method);
    cJSON_AddStringToObject(object, "auto_cold_method", products[AUTO_COLD].how.method);
    status = 0;
done:
    for (int k = 0; k < WAY_COUNT; k++) bench_drop(&products[k]);
    peer_unload(&in);
    return status;
}
