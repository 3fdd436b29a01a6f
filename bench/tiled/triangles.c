/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "triangles": sum of C<L> = L*L' over plus-pair, L the lower triangle of an undirected graph,
 * by every method that takes a mask inside; vertices as they come and by falling degree.
 */
#include "tiled/tiled.h"

#include "peers/suitesparse.h"

#include <stdio.h>

static const bench_way WAYS[] = {{"tiled", GBL_METHOD_TILED, 0, GBL_HAS_TILE16, false},
                                 {"dot", GBL_METHOD_DOT, 0, GBL_HAS_CSR, false},
                                 {"rowwise", GBL_METHOD_ROWWISE, 0, GBL_HAS_CSR, false}};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS };

typedef struct {
    bench_product product;
    int64_t triangles;
} counter;

static int run(void *context) {
    counter *c = context;
    gbl_Info info = bench_multiply(&c->product);
    if (info == GBL_SUCCESS)
        info =
            gbl_Matrix_reduce_INT64(&c->triangles, NULL, GBL_PLUS_MONOID_INT64, c->product.C, NULL);
    return bench_failed(info, c->product.way.name) ? -1 : 0;
}

static void reset(void *context) {
    counter *c = context;
    bench_reset(&c->product);
}

static int race(cJSON *object, gbl_Matrix L, const bench_setup *setup, int64_t *triangles) {
    int status = -1;
    counter counters[WAY_COUNT];
    bench_contender list[WAY_COUNT];
    for (int k = 0; k < WAY_COUNT; k++) {
        counters[k] = (counter){.product = {.way = WAYS[k],
                                            .A = L,
                                            .B = L,
                                            .M = L,
                                            .transpose_b = true,
                                            .ring = GBL_PLUS_PAIR_SEMIRING_INT64,
                                            .type = GBL_INT64}};
        list[k] = (bench_contender){WAYS[k].name, run, reset, &counters[k], 0};
    }
    if (bench_take_turns(list, WAY_COUNT, setup->rounds) != 0) goto done;
    status = 0;
    *triangles = counters[0].triangles;
    for (int k = 0; k < WAY_COUNT; k++) {
        cJSON_AddNumberToObject(object, list[k].name, list[k].median);
        if (counters[k].triangles == *triangles) continue;
        fprintf(stderr, "tiled: %lld triangles by tiles, %lld by %s\n", (long long)*triangles,
                (long long)counters[k].triangles, WAYS[k].name);
        status = -1;
    }
done:
    for (int k = 0; k < WAY_COUNT; k++) bench_drop(&counters[k].product);
    return status;
}

int tiled_triangles(cJSON *object, const char *operand, const bench_setup *setup) {
    peer_input in, L = {0};
    int64_t triangles[2] = {0, 0};
    int status = -1;
    cJSON *orders = cJSON_AddArrayToObject(object, "orders");
    if (peer_load(&in, operand, true) != 0) goto done;
    for (int k = 0; k < 2; k++) {
        cJSON *order = cJSON_CreateObject();
        cJSON_AddItemToArray(orders, order);
        cJSON_AddStringToObject(order, "order", k == 1 ? "by degree" : "as they come");
        peer_unload(&L);
        if (peer_lower(&L, &in, k == 1) != 0) goto done;
        if (bench_failed(tiled_describe(order, operand, L.A), operand)) goto done;
        if (race(order, L.A, setup, &triangles[k]) != 0) goto done;
    }
    cJSON_AddNumberToObject(object, "triangles", (double)triangles[0]);
    status = triangles[0] == triangles[1] ? 0 : -1;
    if (status != 0) fprintf(stderr, "tiled: orders of %s differ in their triangles\n", operand);
done:
    peer_unload(&L);
    peer_unload(&in);
    return status;
}
