/* SPDX-License-Identifier: Apache-2.0
 *
 * One product by everybody, in turns. gblite and SuiteSparse make a new C in each round; MKL writes
 * to an array that is there, as its interface wants it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spmm/spmm.h"

typedef struct {
    const peer_input *in;
    const spmm_full *full;
    peer_mkl_full of;
    gbl_Index rows, columns; /* of C */
    gbl_Descriptor desc;     /* of gblite; NULL: its own choice */
    gbl_Matrix C;
    GrB_Matrix S;
    peer_mkl_product *mkl;
    double *x; /* [rows * columns] of MKL */
} contender;

/* -- gblite */

static int run_mine(void *context) {
    contender *c = context;
    gbl_Info info = gbl_Matrix_new(&c->C, GBL_FP64, c->rows, c->columns);
    const gbl_Matrix A = c->in->A, B = c->full->B;
    if (info == GBL_SUCCESS)
        info = gbl_mxm(c->C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, c->of.left ? B : A,
                       c->of.left ? A : B, c->desc);
    if (info == GBL_SUCCESS) info = gbl_Matrix_wait(c->C, GBL_MATERIALIZE);
    return bench_failed(info, "mxm") ? -1 : 0;
}

static void reset_mine(void *context) {
    contender *c = context;
    gbl_Matrix_free(&c->C);
}

/* -- SuiteSparse */

static int run_other(void *context) {
    contender *c = context;
    GrB_Info info = GrB_Matrix_new(&c->S, GrB_FP64, c->rows, c->columns);
    const GrB_Matrix A = c->in->S, B = c->full->S;
    if (info == GrB_SUCCESS)
        info = GrB_mxm(c->S, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, c->of.left ? B : A,
                       c->of.left ? A : B, NULL);
    if (info == GrB_SUCCESS) info = GrB_Matrix_wait(c->S, GrB_MATERIALIZE);
    return peer_failed(info, "mxm") ? -1 : 0;
}

static void reset_other(void *context) {
    contender *c = context;
    GrB_Matrix_free(&c->S);
}

/* -- MKL */

static int run_mkl(void *context) {
    contender *c = context;
    return peer_mkl_times_full(c->mkl, c->of, c->full->x, c->x);
}

static void reset_nothing(void *context) {
    (void)context;
}

/* `calls`: that MKL may prepare for, by mkl_sparse_optimize; 0: it is not asked to. */
static int new_mkl(contender *c, int calls) {
    c->x = spmm_array(c->rows * c->columns);
    c->mkl = c->x != NULL ? peer_mkl_new(c->in) : NULL;
    if (c->mkl == NULL) return -1;
    return calls > 0 ? peer_mkl_optimize(c->mkl, c->of, calls) : 0;
}

/* -- checks */

/* Whether C, which loses its content, is what SuiteSparse and MKL have. */
static int check(contender *mine, contender *other, const contender *mkl) {
    const gbl_Index rows = mine->rows, columns = mine->columns;
    peer_csr csr = {.C = other->S};
    gbl_Arrays arrays = {0};
    gbl_Matrix copy = NULL;
    uint64_t nvals = 0;
    int status = -1;
    other->S = NULL;
    if (bench_failed(gbl_Matrix_dup(&copy, mine->C), "dup")) goto done;
    if (peer_take(&csr) != 0 || !peer_equal(mine->C, &csr, PEER_FP64, &nvals)) goto done;
    if (bench_failed(gbl_Matrix_moveOut(copy, GBL_CSR_FORMAT, &arrays), "moveOut")) goto done;
    status = 0;
    for (gbl_Index i = 0; mkl != NULL && i < rows; i++)
        for (uint64_t q = arrays.p[i]; q < arrays.p[i + 1]; q++)
            if (!peer_close(((double *)arrays.x)[q], mkl->x[i * columns + arrays.i[q]]))
                status = -1;
done:
    if (status != 0) fprintf(stderr, "spmm: %s: the results differ\n", mine->in->name);
    free(arrays.p), free(arrays.i), free(arrays.x);
    peer_drop(&csr);
    gbl_Matrix_free(&copy);
    return status;
}

/* -- the whole */

static int explain(cJSON *object, contender *mine) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    if (bench_failed(gbl_Matrix_explain(&how, mine->C), "explain")) return -1;
    cJSON_AddStringToObject(object, "method", how.method);
    cJSON_AddNumberToObject(object, "predicted", how.seconds_predicted);
    cJSON_AddNumberToObject(object, "flops", (double)how.flops);
    return 0;
}

/* The first call, which nothing has been prepared for, and the bytes that it held at its peak. */
static int first_call(cJSON *object, contender *mine) {
    int64_t before = 0, peak = 0;
    gbl_Info info = gbl_trim(0);
    if (info == GBL_SUCCESS) info = gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_BYTES_PEAK);
    if (info == GBL_SUCCESS) info = gbl_Global_get_INT64(GBL_GLOBAL, &before, GBL_BYTES_IN_USE);
    if (bench_failed(info, "settings")) return -1;
    const double start = bench_seconds();
    const int status = run_mine(mine);
    cJSON_AddNumberToObject(object, "first", bench_seconds() - start);
    if (bench_failed(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_BYTES_PEAK), "peak")) return -1;
    cJSON_AddNumberToObject(object, "peak_bytes", (double)(peak - before));
    reset_mine(mine);
    return status;
}

static int take_turns(cJSON *object, contender all[5], const bench_setup *setup) {
    const int count = peer_mkl_is_loaded() ? 5 : 3;
    bench_contender list[] = {{"gblite", run_mine, reset_mine, &all[0], 0},
                              {"rowwise", run_mine, reset_mine, &all[1], 0},
                              {"suitesparse", run_other, reset_other, &all[2], 0},
                              {"mkl", run_mkl, reset_nothing, &all[3], 0},
                              {"mkl_optimized", run_mkl, reset_nothing, &all[4], 0}};
    if (first_call(object, &all[0]) != 0) return -1;
    const bench_rules rules = {.rounds = setup->rounds, .least = 3, .budget = 0.6};
    if (bench_take_turns_by(&rules, list, count) < 0) return -1;
    for (int k = 0; k < count; k++) cJSON_AddNumberToObject(object, list[k].name, list[k].median);
    if (explain(object, &all[0]) != 0) return -1;
    return check(&all[0], &all[2], count == 5 ? &all[4] : NULL);
}

int spmm_race(cJSON *object, const peer_input *in, peer_mkl_full of, const bench_setup *setup) {
    spmm_full full;
    contender all[5] = {0};
    int status = of.left ? spmm_full_new(&full, of.count, in->nrows)
                         : spmm_full_new(&full, in->ncols, of.count);
    for (int k = 0; k < 5; k++)
        all[k] = (contender){.in = in,
                             .full = &full,
                             .of = of,
                             .rows = of.left ? of.count : in->nrows,
                             .columns = of.left ? in->ncols : of.count};
    if (status != 0) goto done;
    status = -1;
    if (bench_failed(gbl_Descriptor_new(&all[1].desc), "descriptor")) goto done;
    if (bench_failed(gbl_Descriptor_set(all[1].desc, GBL_METHOD, GBL_METHOD_ROWWISE), "method"))
        goto done;
    if (peer_mkl_is_loaded() && (new_mkl(&all[3], 0) != 0 || new_mkl(&all[4], 1000) != 0))
        goto done;
    cJSON_AddNumberToObject(object, of.left ? "rows" : "columns", (double)of.count);
    status = take_turns(object, all, setup);
done:
    for (int k = 0; k < 5; k++) {
        gbl_Matrix_free(&all[k].C);
        gbl_Descriptor_free(&all[k].desc);
        GrB_Matrix_free(&all[k].S);
        peer_mkl_free(all[k].mkl);
        free(all[k].x);
    }
    spmm_full_free(&full);
    return status;
}
