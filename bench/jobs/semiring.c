/* SPDX-License-Identifier: Apache-2.0
 *
 * Job semiring: A*A and A*u over one semiring in three ways: predefined, compiled as users compile
 * theirs (gblite_semiring.h), and through function pointers. All must give the same bytes.
 */
#include "jobs/semiring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs/job.h"

/* -- the semirings as functions */

static void add_numbers(void *z, const void *x, const void *y) {
    *(double *)z = *(const double *)x + *(const double *)y;
}

static void multiply_numbers(void *z, const void *x, const void *y) {
    *(double *)z = *(const double *)x * *(const double *)y;
}

static void shorter(void *z, const void *x, const void *y) {
    const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    *(int32_t *)z = a < b ? a : b;
}

static void sum_lengths(void *z, const void *x, const void *y) {
    *(int32_t *)z = (int32_t)(*(const uint32_t *)x + *(const uint32_t *)y);
}

static void better(void *z, const void *x, const void *y) {
    *(bench_path *)z = bench_better(*(const bench_path *)x, *(const bench_path *)y);
}

static void follow(void *z, const void *x, const void *y) {
    *(bench_path *)z = bench_follow(*(const bench_path *)x, *(const bench_path *)y);
}

/* A semiring in all ways; predefined: NULL where there is none. */
typedef struct {
    const char *name;
    size_t size;
    const gbl_CompiledSemiring *kernels;
    gbl_Semiring predefined;
    gbl_binary_function add, multiply;
    gbl_Type type;
    gbl_Type own; /* to be freed */
    gbl_BinaryOp plus, times;
    gbl_Monoid monoid;
    gbl_Semiring compiled, pointers;
} Ring;

typedef struct {
    gbl_Semiring ring;
    gbl_Matrix A, C;
    gbl_Vector u, w;
    bool vector;
} Work;

static void to_path(void *z, const void *x, gbl_Index i, gbl_Index j, const void *unused) {
    (void)i, (void)j, (void)unused;
    *(bench_path *)z = (bench_path){*(const double *)x, 1};
}

static gbl_Info open_ring(Ring *r) {
    static const double zero = 0;
    static const int32_t most = INT32_MAX;
    static const bench_path none = {1e300, 0};
    const void *identity = r->size == 4   ? (const void *)&most
                           : r->size == 8 ? (const void *)&zero
                                          : (const void *)&none;
    gbl_Info info = GBL_SUCCESS;
    if (r->type == NULL) {
        info = gbl_Type_new(&r->own, r->size);
        r->type = r->own;
    }
    if (!info) info = gbl_BinaryOp_new(&r->plus, r->add, r->type, r->type, r->type);
    if (!info) info = gbl_BinaryOp_new(&r->times, r->multiply, r->type, r->type, r->type);
    if (!info && r->size == 4) info = gbl_Monoid_new_INT32(&r->monoid, r->plus, most);
    if (!info && r->size == 8) info = gbl_Monoid_new_FP64(&r->monoid, r->plus, zero);
    if (!info && r->own != NULL) info = gbl_Monoid_new_UDT(&r->monoid, r->plus, identity);
    if (!info) info = gbl_Semiring_new(&r->pointers, r->monoid, r->times);
    return info ? info : gbl_Semiring_compiled(&r->compiled, r->type, r->kernels);
}

static void close_ring(Ring *r) {
    gbl_Semiring_free(&r->compiled);
    gbl_Semiring_free(&r->pointers);
    gbl_Monoid_free(&r->monoid);
    gbl_BinaryOp_free(&r->times);
    gbl_BinaryOp_free(&r->plus);
    gbl_Type_free(&r->own);
}

/* The input with values of the semiring's type. */
static gbl_Info load(gbl_Matrix *A, const Ring *r, const char *input) {
    if (r->own == NULL) return gbl_load(A, r->type, input);
    gbl_Matrix lengths = NULL;
    gbl_IndexUnaryOp op = NULL;
    gbl_Index m = 0, n = 0;
    gbl_Info info = gbl_load(&lengths, GBL_FP64, input);
    if (!info) info = gbl_Matrix_nrows(&m, lengths);
    if (!info) info = gbl_Matrix_ncols(&n, lengths);
    if (!info) info = gbl_IndexUnaryOp_new(&op, to_path, r->type, GBL_FP64, GBL_INT64);
    if (!info) info = gbl_Matrix_new(A, r->type, m, n);
    if (!info) info = gbl_Matrix_apply_IndexOp_INT64(*A, NULL, NULL, op, lengths, 0, NULL);
    if (!info) info = gbl_Matrix_wait(*A, GBL_MATERIALIZE);
    gbl_IndexUnaryOp_free(&op);
    gbl_Matrix_free(&lengths);
    return info;
}

static int multiply(void *context) {
    Work *w = context;
    gbl_Info info;
    if (w->vector) {
        info = gbl_mxv(w->w, NULL, NULL, w->ring, w->A, w->u, NULL);
        if (!info) info = gbl_Vector_wait(w->w, GBL_MATERIALIZE);
    } else {
        info = gbl_mxm(w->C, NULL, NULL, w->ring, w->A, w->A, NULL);
        if (!info) info = gbl_Matrix_wait(w->C, GBL_MATERIALIZE);
    }
    return bench_failed(info, "a product") ? -1 : 0;
}

static void clear(void *context) {
    Work *w = context;
    gbl_Matrix_clear(w->C);
    gbl_Vector_clear(w->w);
}

/* -- the race ---------------------------------------------------------------------------------- */

static int entries_of(const Work *w, gbl_Index *n) {
    const gbl_Info info = w->vector ? gbl_Vector_nvals(n, w->w) : gbl_Matrix_nvals(n, w->C);
    return bench_failed(info, "counting") ? -1 : 0;
}

static gbl_Info open_work(Work *w, const Ring *r, gbl_Matrix A, gbl_Semiring ring, bool vector) {
    gbl_Index n = 0;
    *w = (Work){.ring = ring, .A = A, .vector = vector};
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    if (!info) info = gbl_Matrix_new(&w->C, r->type, n, n);
    if (!info) info = gbl_Vector_new(&w->w, r->type, n);
    if (!info) info = gbl_Vector_new(&w->u, r->type, n);
    if (!info) info = gbl_Matrix_reduce_BinaryOp(w->u, NULL, NULL, r->plus, A, NULL);
    return info;
}

static void close_work(Work *w) {
    gbl_Matrix_free(&w->C);
    gbl_Vector_free(&w->w);
    gbl_Vector_free(&w->u);
}

/* One product by all ways; the entries of the results must be as many, their values are for
 * test/mxm/compiled_semiring.c. */
static int race(cJSON *row, const Ring *r, gbl_Matrix A, bool vector, const bench_options *o) {
    enum { WAYS = 3 };
    static const char *const names[WAYS] = {"compiled", "pointers", "predefined"};
    const gbl_Semiring rings[WAYS] = {r->compiled, r->pointers, r->predefined};
    const int ways = r->predefined != NULL ? WAYS : WAYS - 1;
    const bench_rules rules = bench_all_rounds(o->rounds);
    bench_contender list[WAYS];
    Work work[WAYS] = {{0}};
    gbl_Index n[WAYS] = {0};
    gbl_Info info = GBL_SUCCESS;
    int status = 0;
    for (int k = 0; k < ways && !info; k++) {
        info = open_work(&work[k], r, A, rings[k], vector);
        list[k] = (bench_contender){names[k], multiply, clear, &work[k], 0};
    }
    status = bench_failed(info, r->name) || bench_take_turns_by(&rules, list, ways) < 0 ? -1 : 0;
    cJSON *seconds = cJSON_AddObjectToObject(row, "seconds");
    for (int k = 0; k < ways && status == 0; k++) {
        cJSON_AddNumberToObject(seconds, names[k], list[k].median);
        status = entries_of(&work[k], &n[k]);
        if (n[k] != n[0]) status = -1;
    }
    for (int k = 0; k < ways; k++) close_work(&work[k]);
    return status;
}

typedef struct {
    cJSON *document;
    const bench_options *o;
    Ring *ring;
    int failures;
} Visit;

static void visit(void *context, const bench_line *line) {
    Visit *v = context;
    gbl_Matrix A = NULL;
    if (bench_failed(load(&A, v->ring, line->operand), line->operand)) v->failures++;
    for (int vector = 0; A != NULL && vector < 2; vector++) {
        cJSON *row = bench_row(v->document, vector ? "mxv" : "mxm", v->ring->name, line->operand);
        v->failures += bench_row_done(v->document, v->o, race(row, v->ring, A, vector, v->o));
    }
    gbl_Matrix_free(&A);
}

static int measure(cJSON *document, const bench_job *job, const bench_options *o) {
    Ring rings[] = {{.name = "plus_times FP64",
                     .size = 8,
                     .kernels = &bench_plus_times,
                     .predefined = GBL_PLUS_TIMES_SEMIRING_FP64,
                     .add = add_numbers,
                     .multiply = multiply_numbers,
                     .type = GBL_FP64},
                    {.name = "min_plus INT32",
                     .size = 4,
                     .kernels = &bench_min_plus,
                     .predefined = GBL_MIN_PLUS_SEMIRING_INT32,
                     .add = shorter,
                     .multiply = sum_lengths,
                     .type = GBL_INT32},
                    {.name = "(distance, hops)",
                     .size = sizeof(bench_path),
                     .kernels = &bench_paths,
                     .add = better,
                     .multiply = follow}};
    Visit v = {.document = document, .o = o};
    (void)job;
    for (size_t k = 0; k < sizeof rings / sizeof *rings; k++) {
        v.ring = &rings[k];
        if (bench_failed(open_ring(v.ring), v.ring->name) || bench_read_inputs(o, visit, &v) != 0)
            v.failures++;
        close_ring(v.ring);
    }
    return v.failures + bench_rows_end(document, o);
}

const bench_job JOB_SEMIRING = {
    .name = "semiring",
    .about = "own semirings: kernels compiled by users, function pointers, predefined ones",
    .lines = "INPUT",
    .suite = "suites/semiring.txt",
    .rounds = 5,
    .takes = BENCH_THREADS | BENCH_INPUTS | BENCH_ONLY | BENCH_JSON,
    .measure = measure};
