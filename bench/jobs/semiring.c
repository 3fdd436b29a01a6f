/* SPDX-License-Identifier: Apache-2.0
 *
 * Job semiring: products, searches and paths over one semiring: predefined, compiled as users
 * compile theirs (gblite_semiring.h), through function pointers, and through those of SuiteSparse
 * and its JIT, where that is on. The JIT's first call, a row's "first_jit", compiles what its cache
 * (GRAPHBLAS_CACHE_PATH) lacks.
 */
#include "jobs/semiring.h"

#include <stdio.h>
#include <stdlib.h>

#include "jobs/job.h"
#include "jobs/sides.h"

static void free_entries(bench_entries *e) {
    free(e->row);
    free(e->column);
    free(e->value);
}

/* The input with values of the semiring's type. */
static gbl_Info take_entries(bench_entries *e, const bench_semiring *f, gbl_Matrix A) {
    gbl_Index ncols = 0;
    gbl_Info info = gbl_Matrix_nrows(&e->n, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&ncols, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&e->nvals, A);
    if (info == GBL_SUCCESS && ncols != e->n)
        info = gbl_fail(GBL_DIMENSION_MISMATCH, NULL, "the matrix is not square");
    if (info != GBL_SUCCESS) return info;
    double *x = malloc((e->nvals + 1) * sizeof *x);
    e->row = malloc((e->nvals + 1) * sizeof *e->row);
    e->column = malloc((e->nvals + 1) * sizeof *e->column);
    e->value = malloc((e->nvals + 1) * f->size);
    if (x == NULL || e->row == NULL || e->column == NULL || e->value == NULL)
        info = GBL_OUT_OF_MEMORY;
    else if (f->kind == BENCH_INT32)
        info = gbl_Matrix_extractTuples_INT32(e->row, e->column, e->value, &e->nvals, A);
    else
        info = gbl_Matrix_extractTuples_FP64(e->row, e->column,
                                             f->kind == BENCH_FP64 ? e->value : x, &e->nvals, A);
    for (gbl_Index k = 0; info == GBL_SUCCESS && f->kind == BENCH_STRUCT && k < e->nvals; k++)
        f->of_weight((char *)e->value + k * f->size, x[k]);
    free(x);
    return info;
}

static gbl_Info load(bench_entries *e, const bench_semiring *f, const char *input) {
    gbl_Matrix A = NULL;
    gbl_Info info = gbl_load(&A, f->kind == BENCH_INT32 ? GBL_INT32 : GBL_FP64, input);
    if (info == GBL_SUCCESS) info = take_entries(e, f, A);
    gbl_Matrix_free(&A);
    return info;
}

static const bench_semiring *ring; /* that is measured */

/* Seconds of the first call. */
static int add_first(cJSON *row, const side_entrant *e) {
    side_work *w = e->library->open(e->row, &e->task);
    int status = w != NULL ? e->library->renew(w) : -1;
    const double start = bench_seconds();
    if (status == 0) status = e->library->run(w);
    cJSON_AddNumberToObject(row, "first_jit", bench_seconds() - start);
    if (w != NULL) e->library->close(w);
    return status;
}

/* One operation by all ways; the entries of the results must be as many, their values are for
 * test/mxm/compiled_semiring.c. */
static int race(cJSON *row, int rounds, const bench_entries *e, int k) {
    static const char *const names[BENCH_WAYS] = {"compiled", "pointers", "predefined", "jit"};
    const side_setup setup = {.rules = bench_all_rounds(rounds)};
    side_entrant list[BENCH_WAYS + 1];
    const side_row *other = &suitesparse_own.rows[k];
    int count = 0, status = 0;
    for (int way = 0; way < (ring->predefined != NULL ? BENCH_JIT : BENCH_PREDEFINED); way++) {
        const side_task task = {.own = ring, .typed = e, .form = way};
        list[count++] = (side_entrant){names[way], &GBLITE_SIDE, &gblite_own.rows[k], task};
    }
    side_task task = {.own = ring, .typed = e};
    list[count++] = (side_entrant){"suitesparse", &SUITESPARSE_SIDE, other, task};
    if (suitesparse_has_jit()) {
        task.form = BENCH_JIT;
        list[count] = (side_entrant){names[BENCH_JIT], &SUITESPARSE_SIDE, other, task};
        status = add_first(row, &list[count++]);
    }
    return status == 0 ? side_race(row, list, count, &setup) : status;
}

static void visit(void *context, const bench_line *line) {
    bench_sink *to = context;
    bench_entries entries = {0};
    const bool failed = bench_failed(load(&entries, ring, line->operand), line->operand);
    to->failures += failed;
    for (int k = 0; k < ring->operations && !failed; k++) {
        const char *operation = gblite_own.rows[k].name;
        char name[64];
        snprintf(name, sizeof name, "%s, %s", ring->name, operation);
        cJSON *row = bench_row(to, operation, name, line->operand);
        bench_row_done(to, race(row, to->o->rounds, &entries, k));
    }
    free_entries(&entries);
}

static void measure(bench_sink *to) {
    for (ring = bench_semirings; ring < bench_semirings + BENCH_SEMIRINGS; ring++)
        if (bench_is_chosen(to->o, ring->name) && bench_read_inputs(to->o, visit, to) != 0)
            to->failures++;
}

const bench_job JOB_SEMIRING = {
    .name = "semiring",
    .about = "own semirings: kernels compiled by users, function pointers, predefined ones",
    .lines = "INPUT",
    .suite = "suites/semiring.txt",
    .rounds = 5,
    .takes = BENCH_THREADS | BENCH_INPUTS | BENCH_ONLY | BENCH_JSON,
    .measure = measure};
