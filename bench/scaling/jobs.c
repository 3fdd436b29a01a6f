/* SPDX-License-Identifier: Apache-2.0
 *
 * What is looked at: products, operations on matrices, graph algorithms. "fresh" stands for a
 * matrix about which nothing is known yet.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../examples/bfs.h"
#include "../../examples/components.h"
#include "../../examples/pagerank.h"
#include "../../examples/triangle_count.h"
#include "harness/program.h"
#include "scaling/scaling.h"

static gbl_Info complete(gbl_Info info, gbl_Matrix C) {
    return info == GBL_SUCCESS ? gbl_Matrix_wait(C, GBL_MATERIALIZE) : info;
}

static gbl_Info multiply(scaling_input *in, gbl_Matrix A) {
    return complete(gbl_mxm(in->C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL), in->C);
}

static gbl_Info run_mxm(scaling_input *in) {
    return multiply(in, in->A);
}

static gbl_Info run_mxm_fresh(scaling_input *in) {
    return multiply(in, in->fresh);
}

static gbl_Info run_masked(scaling_input *in) {
    return complete(
        gbl_mxm(in->C, in->A, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, in->A, in->A, GBL_DESC_S), in->C);
}

static gbl_Info run_triangles(scaling_input *in) {
    uint64_t count;
    return triangle_count(&count, in->fresh);
}

static gbl_Info run_transpose(scaling_input *in) {
    return complete(gbl_transpose(in->C, NULL, NULL, in->fresh, NULL), in->C);
}

static gbl_Info run_add(scaling_input *in) {
    return complete(
        gbl_Matrix_eWiseAdd_BinaryOp(in->C, NULL, NULL, GBL_PLUS_FP64, in->A, in->A, GBL_DESC_T1),
        in->C);
}

static gbl_Info run_select(scaling_input *in) {
    return complete(gbl_Matrix_select_INT64(in->C, NULL, NULL, GBL_TRIL, in->A, -1, NULL), in->C);
}

static gbl_Info run_build(scaling_input *in) {
    return complete(
        gbl_Matrix_build_FP64(in->C, in->rows, in->cols, in->values, in->nvals, GBL_PLUS_FP64),
        in->C);
}

static gbl_Info run_rows(scaling_input *in) {
    gbl_Info info = gbl_Matrix_reduce_Monoid(in->y, NULL, NULL, GBL_PLUS_MONOID_FP64, in->A, NULL);
    return info == GBL_SUCCESS ? gbl_Vector_wait(in->y, GBL_MATERIALIZE) : info;
}

static gbl_Info run_mxv(scaling_input *in) {
    gbl_Info info = gbl_mxv(in->y, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, in->A, in->x, NULL);
    return info == GBL_SUCCESS ? gbl_Vector_wait(in->y, GBL_MATERIALIZE) : info;
}

static gbl_Info run_search(scaling_input *in) {
    gbl_Vector parent = NULL;
    const gbl_Info info = bfs(NULL, &parent, in->A, in->rows[0], NULL, NULL);
    gbl_Vector_free(&parent);
    return info;
}

static gbl_Info run_components(scaling_input *in) {
    gbl_Vector label = NULL;
    const gbl_Info info = components(&label, in->A);
    gbl_Vector_free(&label);
    return info;
}

static gbl_Info run_pagerank(scaling_input *in) {
    gbl_Vector rank = NULL;
    pagerank_options options = {.damping = .85, .tolerance = 1e-4, .steps = 100};
    const gbl_Info info = pagerank(&rank, in->A, &options);
    gbl_Vector_free(&rank);
    return info;
}

const scaling_job scaling_jobs[] = {{"mxm", run_mxm},
                                    {"mxm_fresh", run_mxm_fresh},
                                    {"masked", run_masked},
                                    {"triangles", run_triangles},
                                    {"transpose", run_transpose},
                                    {"add", run_add},
                                    {"select", run_select},
                                    {"build", run_build},
                                    {"rows", run_rows},
                                    {"mxv", run_mxv},
                                    {"search", run_search},
                                    {"components", run_components},
                                    {"pagerank", run_pagerank}};
const int scaling_job_count = sizeof scaling_jobs / sizeof *scaling_jobs;

/* -- inputs ------------------------------------------------------------------------------------ */

/* Entries in an order of chance (Fisher and Yates), the same each time. */
static void shuffle(scaling_input *in) {
    uint64_t state = 27491095;
    for (gbl_Index k = in->nvals; k > 1; k--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const gbl_Index other = (gbl_Index)(((state >> 32) * k) >> 32);
        const gbl_Index row = in->rows[k - 1], col = in->cols[k - 1];
        const double value = in->values[k - 1];
        in->rows[k - 1] = in->rows[other];
        in->cols[k - 1] = in->cols[other];
        in->values[k - 1] = in->values[other];
        in->rows[other] = row;
        in->cols[other] = col;
        in->values[other] = value;
    }
}

static gbl_Info make_objects(scaling_input *in) {
    gbl_Info info = gbl_Vector_new(&in->x, GBL_FP64, in->n);
    if (!info) info = gbl_Vector_new(&in->y, GBL_FP64, in->n);
    if (!info) info = gbl_Vector_assign_FP64(in->x, NULL, NULL, 1.5, GBL_ALL, in->n, NULL);
    if (!info) info = gbl_Vector_setElement_FP64(in->x, 2.5, 0); /* so that it isn't one value */
    if (!info) info = gbl_Vector_wait(in->x, GBL_MATERIALIZE);
    return info;
}

int scaling_load(scaling_input *in, const char *operand) {
    gbl_Index ncols;
    if (bench_failed(gbl_load(&in->A, GBL_FP64, operand), operand)) return -1;
    gbl_Info info = gbl_Matrix_nrows(&in->n, in->A);
    if (!info) info = gbl_Matrix_ncols(&ncols, in->A);
    if (!info) info = gbl_Matrix_nvals(&in->nvals, in->A);
    if (bench_failed(info, operand)) return -1;
    if (in->n != ncols || in->nvals == 0 || in->n > UINT32_MAX) {
        fprintf(stderr, "scaling: %s is not square, or empty\n", operand);
        return -1;
    }
    in->rows = malloc(in->nvals * sizeof *in->rows);
    in->cols = malloc(in->nvals * sizeof *in->cols);
    in->values = malloc(in->nvals * sizeof *in->values);
    if (in->rows == NULL || in->cols == NULL || in->values == NULL) {
        fprintf(stderr, "scaling: no memory for %s\n", operand);
        return -1;
    }
    info = gbl_Matrix_extractTuples_FP64(in->rows, in->cols, in->values, &in->nvals, in->A);
    shuffle(in);
    if (!info) info = make_objects(in);
    return bench_failed(info, operand) ? -1 : 0;
}

int scaling_reset(scaling_input *in) {
    gbl_Matrix_free(&in->C);
    gbl_Matrix_free(&in->fresh);
    gbl_Info info = gbl_Matrix_new(&in->C, GBL_FP64, in->n, in->n);
    if (!info) info = gbl_Matrix_new(&in->fresh, GBL_FP64, in->n, in->n);
    if (!info)
        info = gbl_Matrix_build_FP64(in->fresh, in->rows, in->cols, in->values, in->nvals, NULL);
    if (!info) info = gbl_Matrix_wait(in->fresh, GBL_MATERIALIZE);
    return bench_failed(info, "copy of the input") ? -1 : 0;
}

void scaling_unload(scaling_input *in) {
    gbl_Matrix_free(&in->A);
    gbl_Matrix_free(&in->C);
    gbl_Matrix_free(&in->fresh);
    gbl_Vector_free(&in->x);
    gbl_Vector_free(&in->y);
    free(in->rows);
    free(in->cols);
    free(in->values);
}
