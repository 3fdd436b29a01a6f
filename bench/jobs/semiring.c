/* SPDX-License-Identifier: Apache-2.0
 *
 * Job semiring: products, searches and paths over one semiring: predefined, compiled as users
 * compile theirs (gblite_semiring.h), through function pointers, and through those of SuiteSparse.
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
    bench_functions f;
    const gbl_CompiledSemiring *kernels;
    gbl_Semiring predefined;
    int operations; /* how many of bench_operation */
    gbl_Type type;
    gbl_Type own; /* to be freed */
    gbl_BinaryOp plus, times;
    gbl_Monoid monoid;
    gbl_Semiring compiled, pointers;
} Ring;

typedef struct {
    gbl_Semiring ring;
    gbl_Monoid monoid;
    gbl_BinaryOp add;
    gbl_Matrix A, C;
    gbl_Vector u, w, front;
    bench_operation operation;
} Work;

static void to_path(void *z, const void *x, gbl_Index i, gbl_Index j, const void *unused) {
    (void)i, (void)j, (void)unused;
    *(bench_path *)z = (bench_path){*(const double *)x, 1};
}

static gbl_Info make_monoid(Ring *r) {
    const void *identity = r->f.identity;
    if (r->f.kind == BENCH_FP64)
        return gbl_Monoid_new_FP64(&r->monoid, r->plus, *(const double *)identity);
    if (r->f.kind == BENCH_INT32)
        return gbl_Monoid_new_INT32(&r->monoid, r->plus, *(const int32_t *)identity);
    return gbl_Monoid_new_UDT(&r->monoid, r->plus, identity);
}

static gbl_Info open_ring(Ring *r) {
    gbl_Info info = GBL_SUCCESS;
    r->type = r->f.kind == BENCH_FP64 ? GBL_FP64 : GBL_INT32;
    if (r->f.kind == BENCH_STRUCT) {
        info = gbl_Type_new(&r->own, r->f.size);
        r->type = r->own;
    }
    if (!info) info = gbl_BinaryOp_new(&r->plus, r->f.add, r->type, r->type, r->type);
    if (!info) info = gbl_BinaryOp_new(&r->times, r->f.multiply, r->type, r->type, r->type);
    if (!info) info = make_monoid(r);
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
    if (!info) info = gbl_IndexUnaryOp_new(&op, r->f.edge, r->type, GBL_FP64, GBL_INT64);
    if (!info) info = gbl_Matrix_new(A, r->type, m, n);
    if (!info) info = gbl_Matrix_apply_IndexOp_INT64(*A, NULL, NULL, op, lengths, 0, NULL);
    if (!info) info = gbl_Matrix_wait(*A, GBL_MATERIALIZE);
    gbl_IndexUnaryOp_free(&op);
    gbl_Matrix_free(&lengths);
    return info;
}

/* The entries for SuiteSparse; 0, or -1 after saying why. */
static int list_entries(bench_entries *e, const Ring *r, gbl_Matrix A) {
    gbl_Info info = gbl_Matrix_nvals(&e->nvals, A);
    if (!info) info = gbl_Matrix_nrows(&e->n, A);
    e->row = malloc((e->nvals + 1) * sizeof *e->row);
    e->column = malloc((e->nvals + 1) * sizeof *e->column);
    e->value = malloc((e->nvals + 1) * r->f.size);
    if (e->row == NULL || e->column == NULL || e->value == NULL) info = GBL_OUT_OF_MEMORY;
    if (!info && r->f.kind == BENCH_FP64)
        info = gbl_Matrix_extractTuples_FP64(e->row, e->column, e->value, &e->nvals, A);
    if (!info && r->f.kind == BENCH_INT32)
        info = gbl_Matrix_extractTuples_INT32(e->row, e->column, e->value, &e->nvals, A);
    if (!info && r->f.kind == BENCH_STRUCT)
        info = gbl_Matrix_extractTuples_UDT(e->row, e->column, e->value, &e->nvals, A);
    return bench_failed(info, "listing entries") ? -1 : 0;
}

static void free_entries(bench_entries *e) {
    free(e->row);
    free(e->column);
    free(e->value);
}

gbl_Index bench_begin(gbl_Index *at, bench_operation operation, const bench_entries *e) {
    const gbl_Index step = operation == BENCH_MXV ? 1 : BENCH_STRIDE;
    gbl_Index n = 0;
    if (operation >= BENCH_SEARCH && e->nvals > 0) at[n++] = e->row[0];
    for (gbl_Index k = 0; operation < BENCH_SEARCH && k < e->n; k += step) at[n++] = k;
    return n;
}

/* w: the vertices found, with the sum of their products when they are. */
static gbl_Info search(Work *w) {
    gbl_Index found = 1;
    gbl_Info info = gbl_Vector_assign(w->w, NULL, NULL, w->u, GBL_ALL, 0, NULL);
    if (!info) info = gbl_Vector_assign(w->front, NULL, NULL, w->u, GBL_ALL, 0, NULL);
    while (!info && found > 0) {
        info = gbl_vxm(w->front, w->w, NULL, w->ring, w->front, w->A, GBL_DESC_RSC);
        if (!info) info = gbl_Vector_assign(w->w, w->front, NULL, w->front, GBL_ALL, 0, GBL_DESC_S);
        if (!info) info = gbl_Vector_nvals(&found, w->front);
    }
    return info;
}

static gbl_Info find_paths(Work *w) {
    gbl_Info info = gbl_Vector_assign(w->w, NULL, NULL, w->u, GBL_ALL, 0, NULL);
    for (int round = 0; round < BENCH_ROUNDS && !info; round++)
        info = gbl_vxm(w->w, NULL, w->add, w->ring, w->w, w->A, NULL);
    return info;
}

static gbl_Info operate(Work *w) {
    switch (w->operation) {
    case BENCH_MXM:
        return gbl_mxm(w->C, NULL, NULL, w->ring, w->A, w->A, NULL);
    case BENCH_MXV:
        return gbl_mxv(w->w, NULL, NULL, w->ring, w->A, w->u, NULL);
    case BENCH_PUSH:
        return gbl_vxm(w->w, NULL, NULL, w->ring, w->u, w->A, NULL);
    case BENCH_SEARCH:
        return search(w);
    default:
        return find_paths(w);
    }
}

static int multiply(void *context) {
    Work *w = context;
    gbl_Info info = operate(w);
    if (!info) info = gbl_Matrix_wait(w->C, GBL_MATERIALIZE);
    if (!info) info = gbl_Vector_wait(w->w, GBL_MATERIALIZE);
    return bench_failed(info, "a product") ? -1 : 0;
}

static void clear(void *context) {
    Work *w = context;
    gbl_Matrix_clear(w->C);
    gbl_Vector_clear(w->w);
}

/* -- the race ---------------------------------------------------------------------------------- */

static int entries_of(const Work *w, gbl_Index *n) {
    const gbl_Info info =
        w->operation == BENCH_MXM ? gbl_Matrix_nvals(n, w->C) : gbl_Vector_nvals(n, w->w);
    return bench_failed(info, "counting") ? -1 : 0;
}

/* *u: the sums of rows, where `at` says. */
static gbl_Info make_vector(gbl_Vector *u, const Ring *r, const Work *w, const bench_entries *e) {
    gbl_Vector sums = NULL, mask = NULL;
    gbl_Index *at = malloc((e->n + 1) * sizeof *at);
    gbl_Info info = at != NULL ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
    const gbl_Index n = !info ? bench_begin(at, w->operation, e) : 0;
    if (!info) info = gbl_Vector_new(&sums, r->type, e->n);
    if (!info) info = gbl_Vector_new(&mask, GBL_BOOL, e->n);
    if (!info) info = gbl_Vector_new(u, r->type, e->n);
    if (!info) info = gbl_Matrix_reduce_BinaryOp(sums, NULL, NULL, r->plus, w->A, NULL);
    if (!info) info = gbl_Vector_assign_BOOL(mask, NULL, NULL, true, at, n, NULL);
    if (!info) info = gbl_Vector_assign(*u, mask, NULL, sums, GBL_ALL, 0, GBL_DESC_S);
    if (!info) info = gbl_Vector_wait(*u, GBL_MATERIALIZE);
    gbl_Vector_free(&sums);
    gbl_Vector_free(&mask);
    free(at);
    return info;
}

static gbl_Info open_work(Work *w, const Ring *r, gbl_Matrix A, gbl_Semiring ring,
                          const bench_entries *e) {
    w->ring = ring;
    w->A = A;
    gbl_Info info = gbl_Semiring_add(&w->monoid, ring);
    if (!info) info = gbl_Monoid_operator(&w->add, w->monoid);
    if (!info) info = gbl_Matrix_new(&w->C, r->type, e->n, e->n);
    if (!info) info = gbl_Vector_new(&w->w, r->type, e->n);
    if (!info) info = gbl_Vector_new(&w->front, r->type, e->n);
    return info ? info : make_vector(&w->u, r, w, e);
}

static void close_work(Work *w) {
    gbl_Monoid_free(&w->monoid);
    gbl_BinaryOp_free(&w->add);
    gbl_Matrix_free(&w->C);
    gbl_Vector_free(&w->w);
    gbl_Vector_free(&w->u);
    gbl_Vector_free(&w->front);
}

enum { WAYS = 3 };

/* gblite's ways, and SuiteSparse's functions last. */
static int take_turns(cJSON *row, bench_contender *list, int ways, bench_theirs *theirs,
                      const bench_options *o) {
    const bench_rules rules = bench_all_rounds(o->rounds);
    list[ways] =
        (bench_contender){"suitesparse", bench_theirs_multiply, bench_theirs_clear, theirs, 0};
    if (bench_take_turns_by(&rules, list, ways + 1) < 0) return -1;
    cJSON *seconds = cJSON_AddObjectToObject(row, "seconds");
    for (int k = 0; k <= ways; k++) cJSON_AddNumberToObject(seconds, list[k].name, list[k].median);
    return 0;
}

/* One operation by all ways; the entries of the results must be as many, their values are for
 * test/mxm/compiled_semiring.c. */
static int race(cJSON *row, const Ring *r, gbl_Matrix A, bench_operation operation,
                const bench_options *o) {
    static const char *const names[WAYS] = {"compiled", "pointers", "predefined"};
    const gbl_Semiring rings[WAYS] = {r->compiled, r->pointers, r->predefined};
    const int ways = r->predefined != NULL ? WAYS : WAYS - 1;
    bench_contender list[WAYS + 1];
    bench_entries entries = {0};
    Work work[WAYS] = {{0}};
    gbl_Info info = GBL_SUCCESS;
    bench_theirs *theirs = NULL;
    int status = list_entries(&entries, r, A);
    if (status == 0) theirs = bench_theirs_open(&r->f, &entries, operation);
    for (int k = 0; k < ways && !info && status == 0; k++) {
        work[k].operation = operation;
        info = open_work(&work[k], r, A, rings[k], &entries);
        list[k] = (bench_contender){names[k], multiply, clear, &work[k], 0};
    }
    free_entries(&entries);
    if (bench_failed(info, r->f.name) || theirs == NULL) status = -1;
    if (status == 0) status = take_turns(row, list, ways, theirs, o);
    for (int k = 0; k < ways && status == 0; k++) {
        gbl_Index n = 0;
        status = entries_of(&work[k], &n);
        if (n != bench_theirs_entries(theirs)) status = -1;
    }
    for (int k = 0; k < ways; k++) close_work(&work[k]);
    if (theirs != NULL) bench_theirs_close(theirs);
    return status;
}

typedef struct {
    cJSON *document;
    const bench_options *o;
    Ring *ring;
    int failures;
} Visit;

static const char *const operations[BENCH_OPERATIONS] = {"mxm", "mxv", "push", "search", "paths"};

static void visit(void *context, const bench_line *line) {
    Visit *v = context;
    gbl_Matrix A = NULL;
    if (bench_failed(load(&A, v->ring, line->operand), line->operand)) v->failures++;
    for (int k = 0; A != NULL && k < v->ring->operations; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s, %s", v->ring->f.name, operations[k]);
        cJSON *row = bench_row(v->document, operations[k], name, line->operand);
        v->failures +=
            bench_row_done(v->document, v->o, race(row, v->ring, A, (bench_operation)k, v->o));
    }
    gbl_Matrix_free(&A);
}

static void measure_all(Visit *v, Ring *rings, size_t n) {
    for (size_t k = 0; k < n; k++) {
        v->ring = &rings[k];
        if (!bench_is_chosen(v->o, v->ring->f.name)) continue;
        if (bench_failed(open_ring(v->ring), v->ring->f.name) ||
            bench_read_inputs(v->o, visit, v) != 0)
            v->failures++;
        close_ring(v->ring);
    }
}

static int measure(cJSON *document, const bench_job *job, const bench_options *o) {
    static const double zero = 0;
    static const int32_t most = INT32_MAX;
    static const bench_path none = {1e300, 0};
    Ring rings[] = {
        {.f = {"plus_times FP64", BENCH_FP64, 8, add_numbers, multiply_numbers, &zero, NULL},
         .kernels = &bench_plus_times,
         .operations = BENCH_PATHS,
         .predefined = GBL_PLUS_TIMES_SEMIRING_FP64},
        {.f = {"min_plus INT32", BENCH_INT32, 4, shorter, sum_lengths, &most, NULL},
         .kernels = &bench_min_plus,
         .operations = BENCH_OPERATIONS,
         .predefined = GBL_MIN_PLUS_SEMIRING_INT32},
        {.f = {"(distance, hops)", BENCH_STRUCT, sizeof(bench_path), better, follow, &none,
               to_path},
         .kernels = &bench_paths,
         .operations = BENCH_OPERATIONS}};
    Visit v = {.document = document, .o = o};
    (void)job;
    measure_all(&v, rings, sizeof rings / sizeof *rings);
    for (const bench_example *e = bench_examples; e < bench_examples + BENCH_EXAMPLES; e++) {
        Ring ring = {.f = e->functions, .kernels = e->kernels, .operations = BENCH_PUSH};
        measure_all(&v, &ring, 1);
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
