/* SPDX-License-Identifier: Apache-2.0
 *
 * Job spmm: sparse times full, and full times sparse, for several numbers of columns (or rows) of
 * the full factor; plus-times on FP64, random values. gblite, the same in CSR as if B were not
 * full, and SuiteSparse make a new C in each round; MKL writes to an array that is there, as its
 * interface wants it, once with and once without its preparation.
 */
#include "jobs/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/values.h"
#include "peers/mkl.h"

/* rows x columns in CSR, an entry at every place; the same content for all. */
typedef struct {
    gbl_Index rows, columns;
    double *x; /* [rows * columns], at a cache line, as MKL advises */
    gbl_Matrix B;
    GrB_Matrix S;
} full_factor;

/* gblite's, and SuiteSparse's, which finds by itself that all entries are there. */
static int import_all(full_factor *full, gbl_Index *p, gbl_Index *j) {
    const gbl_Index n = full->rows, columns = full->columns, all = n * columns;
    gbl_Index *i = malloc((all + 1) * sizeof *i);
    int status = -1;
    if (i == NULL) {
        fprintf(stderr, "bench: no memory for a full matrix\n");
        return -1;
    }
    for (gbl_Index k = 0; k < all; k++) i[k] = k / columns;
    if (bench_failed(gbl_Matrix_import_FP64(&full->B, GBL_FP64, n, columns, p, j, full->x, n + 1,
                                            all, all, GBL_CSR_FORMAT),
                     "import"))
        goto done;
    GrB_Info info = GrB_Matrix_new(&full->S, GrB_FP64, n, columns);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_build_FP64(full->S, i, j, full->x, all, GrB_PLUS_FP64);
    if (info == GrB_SUCCESS) info = GrB_Matrix_wait(full->S, GrB_MATERIALIZE);
    if (!peer_failed(info, "build")) status = 0;
done:
    free(i);
    return status;
}

static double *new_array(gbl_Index n) {
    const size_t line = 64, bytes = n * sizeof(double);
    double *x = aligned_alloc(line, (bytes + line - 1) / line * line);
    if (x != NULL) memset(x, 0, bytes);
    return x;
}

static int full_new(full_factor *full, gbl_Index rows, gbl_Index columns) {
    uint64_t state = rows + columns;
    gbl_Index *p = malloc((rows + 1) * sizeof *p), *j = malloc(rows * columns * sizeof *j);
    int status = -1;
    *full = (full_factor){.rows = rows, .columns = columns, .x = new_array(rows * columns)};
    if (p == NULL || j == NULL || full->x == NULL) {
        fprintf(stderr, "bench: no memory for a full matrix\n");
        goto done;
    }
    for (gbl_Index k = 0; k < rows * columns; k++) {
        j[k] = k % columns;
        full->x[k] = (double)(1 + (bench_random(&state) >> 11)) * 0x1p-53;
    }
    for (gbl_Index k = 0; k <= rows; k++) p[k] = k * columns;
    status = import_all(full, p, j);
done:
    free(p);
    free(j);
    return status;
}

static void full_free(full_factor *full) {
    gbl_Matrix_free(&full->B);
    GrB_Matrix_free(&full->S);
    free(full->x);
    full->x = NULL;
}

typedef struct {
    const peer_input *in;
    const full_factor *full;
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
    c->x = new_array(c->rows * c->columns);
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
    if (status != 0) fprintf(stderr, "bench: %s: the results differ\n", mine->in->name);
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

static int take_turns(cJSON *object, contender all[5], int rounds) {
    const int count = peer_mkl_is_loaded() ? 5 : 3;
    bench_contender list[] = {{"gblite", run_mine, reset_mine, &all[0], 0},
                              {"rowwise", run_mine, reset_mine, &all[1], 0},
                              {"suitesparse", run_other, reset_other, &all[2], 0},
                              {"mkl", run_mkl, reset_nothing, &all[3], 0},
                              {"mkl_optimized", run_mkl, reset_nothing, &all[4], 0}};
    if (first_call(object, &all[0]) != 0) return -1;
    const bench_rules rules = {.rounds = rounds, .least = 3, .budget = 0.6};
    if (bench_take_turns_by(&rules, list, count) < 0) return -1;
    cJSON *seconds = cJSON_AddObjectToObject(object, "seconds");
    for (int k = 0; k < count; k++) cJSON_AddNumberToObject(seconds, list[k].name, list[k].median);
    if (explain(object, &all[0]) != 0) return -1;
    return check(&all[0], &all[2], count == 5 ? &all[4] : NULL);
}

static int race(cJSON *object, const peer_input *in, peer_mkl_full of, int rounds) {
    full_factor full = {0};
    contender all[5] = {0};
    int status =
        of.left ? full_new(&full, of.count, in->nrows) : full_new(&full, in->ncols, of.count);
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
    status = take_turns(object, all, rounds);
done:
    for (int k = 0; k < 5; k++) {
        gbl_Matrix_free(&all[k].C);
        gbl_Descriptor_free(&all[k].desc);
        GrB_Matrix_free(&all[k].S);
        peer_mkl_free(all[k].mkl);
        free(all[k].x);
    }
    full_free(&full);
    return status;
}

/* -- the job */

enum { MOST_COLUMNS = 16 };
static struct {
    const char *peers;
    bool left; /* the full factor is the left one */
    int columns[MOST_COLUMNS], count;
} own = {.peers = BENCH_FOLDER "/../build-peers"};

static error_t parse(int key, char *argument, struct argp_state *state) {
    switch (key) {
    case 'm':
        own.peers = argument;
        return 0;
    case 'l':
        own.left = true;
        return 0;
    case 'c':
        if (own.count == MOST_COLUMNS)
            argp_error(state, "--columns at most %d times", MOST_COLUMNS);
        else
            own.columns[own.count++] = bench_positive(argument, "--columns", state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

typedef struct {
    cJSON *document;
    const bench_options *o;
    int failures;
} visiting;

static void visit(void *context, const bench_line *line) {
    visiting *v = context;
    peer_input in;
    const int loaded = peer_load(&in, line->operand, false);
    for (int k = 0; k < own.count; k++) {
        char name[32];
        snprintf(name, sizeof name, "%d %s", own.columns[k], own.left ? "rows" : "columns");
        cJSON *row = bench_row(v->document, "spmm", name, line->operand);
        const peer_mkl_full of = {own.left, (gbl_Index)own.columns[k]};
        const int status = loaded == 0 ? race(row, &in, of, v->o->rounds) : -1;
        v->failures += bench_row_done(v->document, v->o, status);
    }
    peer_unload(&in);
}

static int measure(cJSON *document, const bench_job *job, const bench_options *o) {
    static const int COLUMNS[] = {2, 4, 8, 16, 32, 64, 128, 256};
    visiting v = {document, o, 0};
    char text[256];
    (void)job;
    if (own.count == 0) {
        memcpy(own.columns, COLUMNS, sizeof COLUMNS);
        own.count = sizeof COLUMNS / sizeof *COLUMNS;
    }
    bench_load_mkl(own.peers, o->threads);
    peer_mkl_version(text, sizeof text);
    cJSON_ReplaceItemInObject(document, "mkl", cJSON_CreateString(text));
    if (bench_read_inputs(o, visit, &v) != 0) v.failures++;
    bench_rows_end(document, o);
    return v.failures;
}

static const struct argp_option OPTIONS[] = {
    {"columns", 'c', "N", 0,
     "of the full factor, or its rows with --left; may be given several times", 0},
    {"left", 'l', NULL, 0, "full times sparse", 0},
    {"mkl", 'm', "DIR", 0,
     "folder of libmkl_rt.so (default: build-peers, filled by scripts/bench_peers.sh)", 0},
    {0}};
const bench_job JOB_SPMM = {.name = "spmm",
                            .about = "sparse times full, against SuiteSparse and MKL",
                            .lines = "INPUT",
                            .suite = "suites/spmm.txt",
                            .rounds = 9,
                            .takes = BENCH_THREADS | BENCH_DATA | BENCH_INPUTS | BENCH_JSON,
                            .own = {.options = OPTIONS, .parser = parse},
                            .measure = measure};
