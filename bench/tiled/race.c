/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "race": A*A, plus-times on FP64, by SuiteSparse, row by row and by tiles. SuiteSparse's
 * result comes in sorted rows; that of tiles is left as it is, or wanted by rows, or wanted by rows
 * with the conversion of A counted too.
 */
#include "tiled/tiled.h"

#include "peers/race.h"

#include <stdio.h>

static const bench_way *const WAYS[] = {&TILED_ROWWISE, &TILED_AS_TILES, &TILED_BY_ROWS,
                                        &TILED_COLD};
enum { WAYS_COUNT = sizeof WAYS / sizeof *WAYS };

static int race(cJSON *object, const peer_input *in, const bench_setup *setup) {
    bench_product products[WAYS_COUNT];
    for (int k = 0; k < WAYS_COUNT; k++)
        products[k] = (bench_product){.way = *WAYS[k],
                                      .A = in->A,
                                      .B = in->A,
                                      .ring = GBL_PLUS_TIMES_SEMIRING_FP64,
                                      .type = GBL_FP64};
    const int status = peer_race(object, in, products, WAYS_COUNT, setup);
    cJSON_AddNumberToObject(object, "flops", (double)products[1].how.flops);
    cJSON_AddNumberToObject(object, "slices", (double)products[1].how.slices);
    for (int k = 0; k < WAYS_COUNT; k++) bench_drop(&products[k]);
    return status;
}

int tiled_race(cJSON *object, const char *operand, const bench_setup *setup) {
    peer_input in;
    int status = -1;
    if (peer_load(&in, operand, false) != 0) goto done;
    if (in.nrows != in.ncols) {
        fprintf(stderr, "tiled: %s is not square\n", operand);
        goto done;
    }
    if (bench_failed(tiled_describe(object, operand, in.A), operand)) goto done;
    status = race(object, &in, setup);
done:
    peer_unload(&in);
    return status;
}
