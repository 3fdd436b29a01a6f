/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/scaling measures jobs with 1, 2, 4 ... threads of this machine; bench/scaling_model, the
 * same program with the imagined team of team.h, says how they would be divided among up to 128.
 * Seconds are the least of the repeats, since noise only adds.
 *
 * Jobs are products, operations on matrices and graph algorithms; "fresh" stands for a matrix about
 * which nothing is known yet.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../examples/bfs.h"
#include "../../examples/components.h"
#include "../../examples/pagerank.h"
#include "../../examples/triangle_count.h"
#include "harness/program.h"
#include "harness/values.h"
#ifdef SCALING_MODEL
#include "scaling/team.h"
#endif

typedef struct {
    gbl_Matrix A;     /* square, FP64 */
    gbl_Matrix fresh; /* the same, made anew before every run */
    gbl_Matrix C;     /* empty before every run */
    gbl_Vector x, y;  /* full; empty */
    gbl_Index n, nvals;
    gbl_Index *rows, *cols; /* entries of A in an order of chance */
    double *values;
} scaling_input;

typedef struct {
    const char *name;
    gbl_Info (*run)(scaling_input *in); /* nothing is deferred when it returns */
} scaling_job;

/* What is timed is complete: C or y, or what the algorithm found. */
#define MATRIX_JOB(name, call)                                                                     \
    static gbl_Info run_##name(scaling_input *in) {                                                \
        const gbl_Info info = call;                                                                \
        return info == GBL_SUCCESS ? gbl_Matrix_wait(in->C, GBL_MATERIALIZE) : info;               \
    }
#define VECTOR_JOB(name, call)                                                                     \
    static gbl_Info run_##name(scaling_input *in) {                                                \
        const gbl_Info info = call;                                                                \
        return info == GBL_SUCCESS ? gbl_Vector_wait(in->y, GBL_MATERIALIZE) : info;               \
    }
#define GRAPH_JOB(name, call)                                                                      \
    static gbl_Info run_##name(scaling_input *in) {                                                \
        gbl_Vector found = NULL;                                                                   \
        const gbl_Info info = call;                                                                \
        gbl_Vector_free(&found);                                                                   \
        return info;                                                                               \
    }
#define RING GBL_PLUS_TIMES_SEMIRING_FP64
#define RANKS                                                                                      \
    &(pagerank_options) {                                                                          \
        .damping = .85, .tolerance = 1e-4, .steps = 100                                            \
    }
MATRIX_JOB(mxm, gbl_mxm(in->C, NULL, NULL, RING, in->A, in->A, NULL))
MATRIX_JOB(mxm_fresh, gbl_mxm(in->C, NULL, NULL, RING, in->fresh, in->fresh, NULL))
MATRIX_JOB(masked, gbl_mxm(in->C, in->A, NULL, RING, in->A, in->A, GBL_DESC_S))
MATRIX_JOB(transpose, gbl_transpose(in->C, NULL, NULL, in->fresh, NULL))
MATRIX_JOB(add, gbl_Matrix_eWiseAdd_BinaryOp(in->C, NULL, NULL, GBL_PLUS_FP64, in->A, in->A,
                                             GBL_DESC_T1))
MATRIX_JOB(select, gbl_Matrix_select_INT64(in->C, NULL, NULL, GBL_TRIL, in->A, -1, NULL))
MATRIX_JOB(build,
           gbl_Matrix_build_FP64(in->C, in->rows, in->cols, in->values, in->nvals, GBL_PLUS_FP64))
VECTOR_JOB(rows, gbl_Matrix_reduce_Monoid(in->y, NULL, NULL, GBL_PLUS_MONOID_FP64, in->A, NULL))
VECTOR_JOB(mxv, gbl_mxv(in->y, NULL, NULL, RING, in->A, in->x, NULL))
GRAPH_JOB(search, bfs(NULL, &found, in->A, in->rows[0], NULL, NULL))
GRAPH_JOB(components, components(&found, in->A))
GRAPH_JOB(pagerank, pagerank(&found, in->A, RANKS))

static gbl_Info run_triangles(scaling_input *in) {
    uint64_t count;
    return triangle_count(&count, in->fresh);
}

static const scaling_job JOBS[] = {{"mxm", run_mxm},
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
enum { JOB_COUNT = sizeof JOBS / sizeof *JOBS };

/* -- inputs: 0, or -1 after saying why */

/* Entries in an order of chance (Fisher and Yates), the same each time. */
static void shuffle(scaling_input *in) {
    uint64_t state = 27491095;
    for (gbl_Index k = in->nvals; k > 1; k--) {
        const gbl_Index other = bench_random(&state) % k;
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

static int scaling_load(scaling_input *in, const char *operand) {
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

static int scaling_reset(scaling_input *in) {
    gbl_Matrix_free(&in->C);
    gbl_Matrix_free(&in->fresh);
    gbl_Info info = gbl_Matrix_new(&in->C, GBL_FP64, in->n, in->n);
    if (!info) info = gbl_Matrix_new(&in->fresh, GBL_FP64, in->n, in->n);
    if (!info)
        info = gbl_Matrix_build_FP64(in->fresh, in->rows, in->cols, in->values, in->nvals, NULL);
    if (!info) info = gbl_Matrix_wait(in->fresh, GBL_MATERIALIZE);
    return bench_failed(info, "copy of the input") ? -1 : 0;
}

static void scaling_unload(scaling_input *in) {
    gbl_Matrix_free(&in->A);
    gbl_Matrix_free(&in->C);
    gbl_Matrix_free(&in->fresh);
    gbl_Vector_free(&in->x);
    gbl_Vector_free(&in->y);
    free(in->rows);
    free(in->cols);
    free(in->values);
}

/* -- the program */

enum { MOST_STEPS = 12 };

/* One run: seconds in all, of which outside of loops, those of all parts, and of the busiest
 * threads. */
typedef struct {
    double total, outside, work, path;
} measure;

typedef struct {
    bench_options shared;
    int loops; /* how many are listed of each job */
    int steps, threads[MOST_STEPS];
    int failures;
    double sum[MOST_STEPS]; /* of the logarithms of speed-ups */
    int jobs;
} options;

#ifdef SCALING_MODEL
static void look(measure *m, double seconds) {
    int count;
    const team_loop *loop = team_loops(&count);
    *m = (measure){.outside = seconds};
    for (int k = 0; k < count; k++) {
        m->outside -= loop[k].elapsed;
        if (loop[k].threads > 1) {
            m->work += loop[k].work;
            m->path += loop[k].path;
        } else
            m->outside += loop[k].work;
    }
    m->total = m->outside + m->path;
}

static int by_cost(const void *x, const void *y) {
    const double a = ((const team_loop *)x)->path, b = ((const team_loop *)y)->path;
    return (a < b) - (a > b);
}

/* The function behind an address of this program, by addr2line. */
static void name_of(char *name, int size, const char *address) {
    extern const char __executable_start;
    char command[128];
    snprintf(command, sizeof command, "addr2line -f -e /proc/%d/exe %#lx", (int)getpid(),
             (unsigned long)(address - &__executable_start));
    FILE *pipe = popen(command, "r");
    if (pipe == NULL || fgets(name, size, pipe) == NULL) snprintf(name, (size_t)size, "?");
    if (pipe != NULL) pclose(pipe);
    name[strcspn(name, "\n")] = '\0';
}

/* The loops with the longest path, and what the most busy thread does of a mean one. */
static void list_loops(const options *o, const measure *m) {
    int count;
    const team_loop *recorded = team_loops(&count);
    team_loop *loop = malloc((size_t)count * sizeof *loop + 1);
    if (loop == NULL) return;
    memcpy(loop, recorded, (size_t)count * sizeof *loop);
    qsort(loop, (size_t)count, sizeof *loop, by_cost);
    printf("    %5.1f%% outside of loops\n", 100 * m->outside / m->total);
    for (int k = 0; k < count && k < o->loops; k++) {
        char name[200], inner[200] = "";
        const double mean = loop[k].work / loop[k].threads;
        name_of(name, sizeof name, (const char *)(uintptr_t)loop[k].part);
        if (loop[k].inner != NULL) name_of(inner, sizeof inner, loop[k].inner);
        printf("    %5.1f%% %s %s: %llu times, %llu parts, %d threads, %.2f max / mean\n",
               100 * loop[k].path / m->total, name, inner, (unsigned long long)loop[k].loops,
               (unsigned long long)loop[k].parts, loop[k].threads,
               mean > 0 ? loop[k].path / mean : 1);
    }
    free(loop);
}
#else
#define team_begin() (void)0
#define team_seconds bench_seconds
static void look(measure *m, double seconds) {
    *m = (measure){.total = seconds};
}

static void list_loops(const options *o, const measure *m) {
    (void)o, (void)m;
}
#endif

/* The fastest of the runs; the recorded loops are those of the last. */
static int measure_job(const options *o, const scaling_job *job, scaling_input *in, measure *best) {
    for (int k = 0; k < o->shared.rounds; k++) {
        measure m;
        if (scaling_reset(in) != 0) return -1;
        team_begin();
        const double start = team_seconds();
        if (bench_failed(job->run(in), job->name)) return -1;
        look(&m, team_seconds() - start);
        if (k == 0 || m.total < best->total) *best = m;
    }
    return 0;
}

static int run_job(options *o, const scaling_job *job, scaling_input *in, const char *name) {
    measure m[MOST_STEPS] = {{0}};
    printf("%-24s %-12s", name, job->name);
    for (int k = 0; k < o->steps; k++) {
        if (bench_failed(gbl_Global_set_INT32(GBL_GLOBAL, o->threads[k], GBL_NTHREADS),
                         "threads") ||
            measure_job(o, job, in, &m[k]) != 0)
            return -1;
        if (k == 0)
            printf(" %10.3f", 1e3 * m[k].total);
        else
            printf(" %7.2f", m[0].total / m[k].total);
        o->sum[k] += log(m[0].total / m[k].total);
        fflush(stdout);
    }
    const measure *last = &m[o->steps - 1];
#ifdef SCALING_MODEL
    printf(" %7.2f%% %7.2f", 100 * last->outside / m[0].total,
           last->work > 0 ? last->path * o->threads[o->steps - 1] / last->work : 1);
#endif
    printf("\n");
    list_loops(o, last);
    o->jobs++;
    return 0;
}

static void visit(void *context, const bench_line *line) {
    options *o = context;
    scaling_input in = {.A = NULL};
    char name[64];
    bench_operand_name(name, sizeof name, line->operand);
    if (scaling_load(&in, line->operand) != 0)
        o->failures++;
    else
        for (int k = 0; k < JOB_COUNT; k++)
            if (bench_is_chosen(&o->shared, JOBS[k].name) && run_job(o, &JOBS[k], &in, name) != 0)
                o->failures++;
    scaling_unload(&in);
}

static void print_head(options *o) {
    for (int t = 1; o->steps < MOST_STEPS;
         t = 2 * t < o->shared.threads ? 2 * t : o->shared.threads) {
        o->threads[o->steps++] = t;
        if (t == o->shared.threads) break;
    }
    printf("%-24s %-12s %10s", "input", "job", "1, ms");
    for (int k = 1; k < o->steps; k++) printf(" %7d", o->threads[k]);
#ifdef SCALING_MODEL
    printf(" %8s %7s", "outside", "max/mean");
#endif
    printf("\n");
}

int main(int argc, char **argv) {
    static options o = {.shared = {.rounds = 5, .suite = BENCH_FOLDER "/scaling/suite.txt"}};
    static const bench_option OWN[] = {{"loops", 'l', "N",
                                        "List the N loops that take longest with the most threads",
                                        bench_take_number, &o.loops, 0, NULL},
                                       {0}};
    static const char *names[JOB_COUNT + 1]; /* the last one stays NULL */
    static const bench_command COMMAND = {
        .about = "Speed-ups over one thread; milliseconds of one.",
        .lines = "INPUT",
        .takes = BENCH_THREADS | BENCH_DATA | BENCH_INPUTS | BENCH_ONLY,
        .own = OWN,
        .names = names};
    for (int k = 0; k < JOB_COUNT; k++) names[k] = JOBS[k].name;
    bench_parse(argc, argv, &COMMAND, &o.shared);
    if (bench_start(o.shared.threads) != 0) return 1;
    print_head(&o);
    if (bench_read_inputs(&o.shared, visit, &o) != 0) o.failures++;
    printf("%-37s %10s", "geometric means", "");
    for (int k = 1; k < o.steps && o.jobs > 0; k++) printf(" %7.2f", exp(o.sum[k] / o.jobs));
    printf("\n");
    gbl_finalize();
    return o.failures == 0 ? 0 : 1;
}
