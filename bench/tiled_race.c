/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "race": A*A, plus-times on FP64, by SuiteSparse, row by row and by tiles. SuiteSparse's
 * result comes in sorted rows; that of tiles is left as it is, or wanted by rows, or wanted by rows
 * with the conversion of A counted too.
 */
#include "tiled.h"

#include <stdio.h>

static const tiled_way *const WAYS[] = {&TILED_ROWWISE, &TILED_AS_TILES, &TILED_BY_ROWS,
                                        &TILED_COLD};
enum { WAYS_COUNT = sizeof WAYS / sizeof *WAYS };

typedef struct {
    const compare_input *in;
    compare_csr csr;
} other_product;

static int run_other(void *context) {
    other_product *p = context;
    return compare_multiply_other(p->in, &p->csr);
}

static void reset_other(void *context) {
    other_product *p = context;
    compare_drop(&p->csr);
}

/* Every result against SuiteSparse's; takes their content. */
static int check(cJSON *object, tiled_product *products, const compare_csr *csr) {
    gbl_Explanation how;
    uint64_t nvals = 0;
    if (bench_failed(gbl_Matrix_explain(&how, products[1].C), "explain")) return -1;
    for (int k = 0; k < WAYS_COUNT; k++) {
        if (compare_equal(products[k].C, csr, true, &nvals)) continue;
        fprintf(stderr, "tiled: %s differs from SuiteSparse\n", products[k].way.name);
        return -1;
    }
    cJSON_AddNumberToObject(object, "products", (double)how.flops);
    cJSON_AddNumberToObject(object, "slices", (double)how.slices);
    cJSON_AddNumberToObject(object, "result_entries", (double)nvals);
    return 0;
}

static int race(cJSON *object, const compare_input *in, const tiled_setup *setup) {
    int status = -1;
    other_product other = {.in = in};
    tiled_product products[WAYS_COUNT];
    bench_contender list[WAYS_COUNT + 1];
    for (int k = 0; k < WAYS_COUNT; k++) {
        products[k] = (tiled_product){.way = *WAYS[k],
                                      .A = in->A,
                                      .B = in->A,
                                      .ring = GBL_PLUS_TIMES_SEMIRING_FP64,
                                      .type = GBL_FP64};
        list[k] = (bench_contender){WAYS[k]->name, tiled_run, tiled_reset, &products[k], 0};
    }
    list[WAYS_COUNT] = (bench_contender){"suitesparse", run_other, reset_other, &other, 0};
    if (bench_take_turns(list, WAYS_COUNT + 1, setup->rounds) != 0) goto done;
    for (int k = 0; k <= WAYS_COUNT; k++)
        cJSON_AddNumberToObject(object, list[k].name, list[k].median);
    status = check(object, products, &other.csr);
done:
    for (int k = 0; k < WAYS_COUNT; k++) tiled_free(&products[k]);
    reset_other(&other);
    return status;
}

int tiled_race(cJSON *object, const char *operand, const tiled_setup *setup) {
    compare_input in;
    int status = -1;
    if (compare_load(&in, operand, false) != 0) goto done;
    if (in.nrows != in.ncols) {
        fprintf(stderr, "tiled: %s is not square\n", operand);
        goto done;
    }
    if (bench_failed(tiled_describe(object, operand, in.A), operand)) goto done;
    status = race(object, &in, setup);
done:
    compare_unload(&in);
    return status;
}
