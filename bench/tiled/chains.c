/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts "galerkin" and "cube": products of products, R*(A*P) and (A*A)*A, plus-times on FP64. By
 * tiles nothing between the products is converted.
 */
#include "tiled/tiled.h"
#include "harness/values.h"

#include <stdlib.h>

/* Y = A * B, Z = Y * C or C * Y. */
typedef struct {
    bench_way way;
    gbl_Matrix A, B, C;
    bool C_left;
    bench_product first, second;
} chain;

static int run(void *context) {
    chain *c = context;
    const bench_product step = {
        .way = c->way, .ring = GBL_PLUS_TIMES_SEMIRING_FP64, .type = GBL_FP64};
    c->first = c->second = step;
    c->first.A = c->A;
    c->first.B = c->B;
    if (bench_run(&c->first) != 0) return -1;
    c->second.A = c->C_left ? c->C : c->first.C;
    c->second.B = c->C_left ? c->first.C : c->C;
    return bench_run(&c->second);
}

static void reset(void *context) {
    chain *c = context;
    bench_drop(&c->first);
    bench_drop(&c->second);
}

/* Conversions that the results went through, which a next round would have again. */
static gbl_Info add_conversions(cJSON *object, const chain *c) {
    gbl_Formats first, second;
    gbl_Info info = gbl_Matrix_formats(&first, c->first.C);
    if (info == GBL_SUCCESS) info = gbl_Matrix_formats(&second, c->second.C);
    if (info != GBL_SUCCESS) return info;
    cJSON_AddNumberToObject(object, "conversions",
                            (double)(first.conversions + second.conversions));
    return GBL_SUCCESS;
}

static gbl_Info check(cJSON *object, chain *chains) {
    bool same;
    gbl_Index nvals = 0;
    gbl_Info info = gbl_Matrix_nvals(&nvals, chains[0].second.C);
    if (info == GBL_SUCCESS) info = bench_same(&same, chains[0].second.C, chains[1].second.C);
    if (info != GBL_SUCCESS) return info;
    cJSON_AddNumberToObject(object, "result_entries", (double)nvals);
    if (same) return GBL_SUCCESS;
    return gbl_fail(GBL_INVALID_OBJECT, NULL, "the chain by tiles differs from that by rows");
}

static int race(cJSON *object, const chain *model, const bench_setup *setup) {
    static const bench_way *const WAYS[] = {&TILED_AS_TILES, &TILED_ROWWISE};
    int status = -1;
    chain chains[2] = {*model, *model};
    bench_contender list[2];
    for (int k = 0; k < 2; k++) {
        chains[k].way = *WAYS[k];
        list[k] = (bench_contender){WAYS[k]->name, run, reset, &chains[k], 0};
    }
    if (bench_take_turns(list, 2, setup->rounds) != 0) goto done;
    for (int k = 0; k < 2; k++) {
        cJSON *way = cJSON_AddObjectToObject(object, list[k].name);
        cJSON_AddNumberToObject(way, "seconds", list[k].median);
        if (bench_failed(add_conversions(way, &chains[k]), "formats")) goto done;
    }
    status = bench_failed(check(object, chains), "check") ? -1 : 0;
done:
    for (int k = 0; k < 2; k++) reset(&chains[k]);
    return status;
}

int tiled_cube(cJSON *object, const char *operand, const bench_setup *setup) {
    gbl_Matrix A = NULL;
    gbl_Info info = bench_load_square(&A, operand);
    if (info == GBL_SUCCESS) info = tiled_describe(object, operand, A);
    const chain model = {.A = A, .B = A, .C = A};
    const int status = bench_failed(info, operand) ? -1 : race(object, &model, setup);
    gbl_Matrix_free(&A);
    return status;
}

/* Unknowns come three a point; eight points in a row become one, whose unknowns each depend on all
 * of theirs: dense blocks of 24 rows and 3 columns. */
static gbl_Info make_prolongation(gbl_Matrix *P, gbl_Index n) {
    enum { UNKNOWNS = 3, POINTS = 8, GROUP = UNKNOWNS * POINTS };
    const gbl_Index columns = (n + GROUP - 1) / GROUP * UNKNOWNS;
    gbl_Arrays arrays = {.p = malloc((n + 1) * sizeof *arrays.p),
                         .i = malloc((n + 1) * UNKNOWNS * sizeof *arrays.i),
                         .x = malloc(sizeof(double)),
                         .iso = true};
    gbl_Info info = GBL_SUCCESS;
    if (arrays.p == NULL || arrays.i == NULL || arrays.x == NULL)
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for the prolongation");
    if (info == GBL_SUCCESS) {
        *(double *)arrays.x = 1.0;
        for (gbl_Index i = 0; i <= n; i++) arrays.p[i] = i * UNKNOWNS;
        for (gbl_Index q = 0; q < n * UNKNOWNS; q++)
            arrays.i[q] = (uint32_t)(q / UNKNOWNS / GROUP * UNKNOWNS + q % UNKNOWNS);
        info = gbl_Matrix_moveIn(P, GBL_FP64, n, columns, GBL_CSR_FORMAT, &arrays);
    }
    free(arrays.p), free(arrays.i), free(arrays.x);
    return info == GBL_SUCCESS ? bench_set_values(*P) : info;
}

static gbl_Info transpose(gbl_Matrix *R, gbl_Matrix P) {
    gbl_Index nrows = 0, ncols = 0;
    gbl_Info info = gbl_Matrix_nrows(&nrows, P);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&ncols, P);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(R, GBL_FP64, ncols, nrows);
    return info == GBL_SUCCESS ? gbl_transpose(*R, NULL, NULL, P, NULL) : info;
}

int tiled_galerkin(cJSON *object, const char *operand, const bench_setup *setup) {
    gbl_Matrix A = NULL, P = NULL, R = NULL;
    gbl_Index n = 0;
    gbl_TileFacts facts = {0};
    gbl_Info info = bench_load_square(&A, operand);
    if (info == GBL_SUCCESS) info = tiled_describe(object, operand, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&n, A);
    if (info == GBL_SUCCESS) info = make_prolongation(&P, n);
    if (info == GBL_SUCCESS) info = transpose(&R, P);
    if (info == GBL_SUCCESS) info = gbl_Matrix_tiles(&facts, P);
    cJSON_AddNumberToObject(object, "fill_of_P", facts.fill);
    const chain model = {.A = A, .B = P, .C = R, .C_left = true};
    const int status = bench_failed(info, operand) ? -1 : race(object, &model, setup);
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&P);
    gbl_Matrix_free(&R);
    return status;
}
