/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/hyper: a matrix of 2^50 x 2^50 against the same pattern compacted, and against
 * SuiteSparse:GraphBLAS with the same huge dimensions. Random entries, values in (0, 1]; each step
 * is timed alone, and the results of all three are compared. Prints JSON. Exit status 0 when every
 * call worked and all results agree, 64 for a wrong command line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program.h"
#include "harness/values.h"
#include "peers/suitesparse.h"

enum { BITS = 50 }; /* of the huge dimension */

/* One pattern: entries on compact indices, and where these stand in the huge dimension. */
typedef struct {
    gbl_Index n, entries;
    gbl_Index most, listed; /* indices in the list; those that the step extracts, its first */
    gbl_Index *I, *J, *hugeI, *hugeJ, *list, *huge_list;
    double *X;
} pattern;

typedef struct {
    const pattern *of;
    gbl_Index n;
    const gbl_Index *I, *J, *list;
    gbl_Index *outI, *outJ; /* [entries] */
    double *outX;
    gbl_Matrix A, C;
    gbl_Vector w;
} mine;

typedef struct {
    const pattern *of;
    gbl_Index *outI, *outJ;
    double *outX;
    GrB_Matrix A, C;
    GrB_Vector w;
} theirs;

/* -- gblite */

static int build(void *context) {
    mine *m = context;
    gbl_Matrix_free(&m->A);
    gbl_Info info = gbl_Matrix_new(&m->A, GBL_FP64, m->n, m->n);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_build_FP64(m->A, m->I, m->J, m->of->X, m->of->entries, GBL_PLUS_FP64);
    return bench_failed(info, "build") ? -1 : 0;
}

static int renew(mine *m, gbl_Index nrows) {
    gbl_Matrix_free(&m->C);
    return bench_failed(gbl_Matrix_new(&m->C, GBL_FP64, nrows, nrows), "new") ? -1 : 0;
}

static int multiply(void *context) {
    mine *m = context;
    if (renew(m, m->n) != 0) return -1;
    const gbl_Info info = gbl_mxm(m->C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, m->A, m->A, NULL);
    return bench_failed(info, "mxm") ? -1 : 0;
}

static int reduce(void *context) {
    mine *m = context;
    gbl_Vector_free(&m->w);
    gbl_Info info = gbl_Vector_new(&m->w, GBL_FP64, m->n);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_reduce_Monoid(m->w, NULL, NULL, GBL_PLUS_MONOID_FP64, m->A, NULL);
    return bench_failed(info, "reduce") ? -1 : 0;
}

static int extract(void *context) {
    mine *m = context;
    if (renew(m, m->of->listed) != 0) return -1;
    const gbl_Info info = gbl_Matrix_extract(m->C, NULL, NULL, m->A, m->list, m->of->listed,
                                             m->list, m->of->listed, NULL);
    return bench_failed(info, "extract") ? -1 : 0;
}

static int export(void *context) {
    mine *m = context;
    gbl_Index n = m->of->entries;
    return bench_failed(gbl_Matrix_extractTuples_FP64(m->outI, m->outJ, m->outX, &n, m->A),
                        "extractTuples")
               ? -1
               : 0;
}

/* -- SuiteSparse */

static int build_theirs(void *context) {
    theirs *t = context;
    const gbl_Index n = (gbl_Index)1 << BITS;
    GrB_Matrix_free(&t->A);
    GrB_Info info = GrB_Matrix_new(&t->A, GrB_FP64, n, n);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_build_FP64(t->A, t->of->hugeI, t->of->hugeJ, t->of->X, t->of->entries,
                                     GrB_PLUS_FP64);
    if (info == GrB_SUCCESS) info = GrB_Matrix_wait(t->A, GrB_MATERIALIZE);
    return peer_failed(info, "build") ? -1 : 0;
}

static int renew_theirs(theirs *t, gbl_Index n) {
    GrB_Matrix_free(&t->C);
    return peer_failed(GrB_Matrix_new(&t->C, GrB_FP64, n, n), "new") ? -1 : 0;
}

static int finish_theirs(theirs *t, GrB_Info info, const char *what) {
    if (info == GrB_SUCCESS) info = GrB_Matrix_wait(t->C, GrB_MATERIALIZE);
    return peer_failed(info, what) ? -1 : 0;
}

static int multiply_theirs(void *context) {
    theirs *t = context;
    if (renew_theirs(t, (gbl_Index)1 << BITS) != 0) return -1;
    return finish_theirs(
        t, GrB_mxm(t->C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, t->A, t->A, NULL), "mxm");
}

static int reduce_theirs(void *context) {
    theirs *t = context;
    GrB_Vector_free(&t->w);
    GrB_Info info = GrB_Vector_new(&t->w, GrB_FP64, (gbl_Index)1 << BITS);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_reduce_Monoid(t->w, NULL, NULL, GrB_PLUS_MONOID_FP64, t->A, NULL);
    if (info == GrB_SUCCESS) info = GrB_Vector_wait(t->w, GrB_MATERIALIZE);
    return peer_failed(info, "reduce") ? -1 : 0;
}

static int extract_theirs(void *context) {
    theirs *t = context;
    const gbl_Index n = t->of->listed;
    if (renew_theirs(t, n) != 0) return -1;
    return finish_theirs(
        t,
        GrB_Matrix_extract(t->C, NULL, NULL, t->A, t->of->huge_list, n, t->of->huge_list, n, NULL),
        "extract");
}

static int export_theirs(void *context) {
    theirs *t = context;
    GrB_Index n = t->of->entries;
    return peer_failed(GrB_Matrix_extractTuples_FP64(t->outI, t->outJ, t->outX, &n, t->A),
                       "extractTuples")
               ? -1
               : 0;
}

/* -- results: entries and sums */

static int sums_agree(mine *compact, mine *huge, theirs *other, bool of_vector) {
    double x[3] = {0};
    gbl_Index n[3] = {0};
    mine *side[2] = {compact, huge};
    for (int k = 0; k < 2; k++) {
        gbl_Info info =
            of_vector ? gbl_Vector_nvals(&n[k], side[k]->w) : gbl_Matrix_nvals(&n[k], side[k]->C);
        if (info == GBL_SUCCESS)
            info =
                of_vector
                    ? gbl_Vector_reduce_FP64(&x[k], NULL, GBL_PLUS_MONOID_FP64, side[k]->w, NULL)
                    : gbl_Matrix_reduce_FP64(&x[k], NULL, GBL_PLUS_MONOID_FP64, side[k]->C, NULL);
        if (bench_failed(info, "sum")) return -1;
    }
    if (other == NULL) return n[0] == n[1] && x[0] == x[1] ? 0 : -1;
    GrB_Info info =
        of_vector ? GrB_Vector_nvals(&n[2], other->w) : GrB_Matrix_nvals(&n[2], other->C);
    if (info == GrB_SUCCESS)
        info = of_vector
                   ? GrB_Vector_reduce_FP64(&x[2], NULL, GrB_PLUS_MONOID_FP64, other->w, NULL)
                   : GrB_Matrix_reduce_FP64(&x[2], NULL, GrB_PLUS_MONOID_FP64, other->C, NULL);
    if (peer_failed(info, "sum")) return -1;
    const bool same = n[0] == n[1] && n[1] == n[2] && x[0] == x[1] && peer_close(x[1], x[2]);
    if (!same) fprintf(stderr, "hyper: results differ\n");
    return same ? 0 : -1;
}

static int tuples_agree(const mine *compact, const mine *huge, const theirs *other) {
    gbl_Index n;
    if (bench_failed(gbl_Matrix_nvals(&n, huge->A), "nvals")) return -1;
    const bool same = memcmp(huge->outI, other->outI, n * sizeof *huge->outI) == 0 &&
                      memcmp(huge->outJ, other->outJ, n * sizeof *huge->outJ) == 0 &&
                      memcmp(huge->outX, compact->outX, n * sizeof *huge->outX) == 0;
    if (!same) fprintf(stderr, "hyper: the entries differ\n");
    return same ? 0 : -1;
}

/* -- steps */

static void reset(void *context) {
    (void)context;
}

typedef struct {
    const char *name;
    int (*mine)(void *), (*theirs)(void *);
    enum { NOTHING, MATRIX, VECTOR, TUPLES } result;
    gbl_Index share; /* extract: one of so many of the list */
} step;

/* SuiteSparse 7.4 takes minutes for the long list. */
static const step STEPS[] = {{"build", build, build_theirs, NOTHING, 1},
                             {"reduce rows", reduce, reduce_theirs, VECTOR, 1},
                             {"extract a tenth", extract, NULL, MATRIX, 1},
                             {"extract a 10000th", extract, extract_theirs, MATRIX, 1000},
                             {"export", export, export_theirs, TUPLES, 1},
                             {"multiply", multiply, multiply_theirs, MATRIX, 1}};

static int measure(cJSON *document, pattern *of, int rounds) {
    const size_t bytes = of->entries * sizeof(gbl_Index);
    mine compact = {.of = of, .n = of->n, .I = of->I, .J = of->J, .list = of->list};
    mine huge = {
        .of = of, .n = (gbl_Index)1 << BITS, .I = of->hugeI, .J = of->hugeJ, .list = of->huge_list};
    theirs other = {.of = of};
    gbl_Index **arrays[] = {&compact.outI, &compact.outJ, &huge.outI,
                            &huge.outJ,    &other.outI,   &other.outJ};
    double **values[] = {&compact.outX, &huge.outX, &other.outX};
    for (int k = 0; k < 6; k++) *arrays[k] = malloc(bytes);
    for (int k = 0; k < 3; k++) *values[k] = malloc(bytes);
    int status = 0;
    double sums[3] = {0};
    for (size_t k = 0; k < sizeof STEPS / sizeof *STEPS && status == 0; k++) {
        const step *s = &STEPS[k];
        bench_contender list[3] = {{"compact", s->mine, reset, &compact, 0},
                                   {"huge", s->mine, reset, &huge, 0},
                                   {"suitesparse", s->theirs, reset, &other, 0}};
        const int count = s->theirs != NULL ? 3 : 2;
        of->listed = of->most / s->share;
        status = bench_take_turns(list, count, rounds);
        if (status == 0 && (s->result == MATRIX || s->result == VECTOR))
            status = sums_agree(&compact, &huge, count == 3 ? &other : NULL, s->result == VECTOR);
        if (status == 0 && s->result == TUPLES) status = tuples_agree(&compact, &huge, &other);
        cJSON *object = cJSON_AddObjectToObject(document, s->name);
        for (int c = 0; c < count; c++) {
            cJSON_AddNumberToObject(object, list[c].name, list[c].median);
            if (count == 3) sums[c] += list[c].median;
        }
    }
    cJSON_AddNumberToObject(document, "huge / compact", sums[1] / sums[0]);
    cJSON_AddNumberToObject(document, "suitesparse / huge", sums[2] / sums[1]);
    for (int k = 0; k < 6; k++) free(*arrays[k]);
    for (int k = 0; k < 3; k++) free(*values[k]);
    gbl_Matrix_free(&compact.A);
    gbl_Matrix_free(&compact.C);
    gbl_Matrix_free(&huge.A);
    gbl_Matrix_free(&huge.C);
    gbl_Vector_free(&compact.w);
    gbl_Vector_free(&huge.w);
    GrB_Matrix_free(&other.A);
    GrB_Matrix_free(&other.C);
    GrB_Vector_free(&other.w);
    return status;
}

static int make_pattern(pattern *p) {
    const size_t bytes = p->entries * sizeof(gbl_Index);
    gbl_Index **arrays[] = {&p->I, &p->J, &p->hugeI, &p->hugeJ, &p->list, &p->huge_list};
    uint64_t state = 1;
    for (int k = 0; k < 6; k++)
        if ((*arrays[k] = malloc(bytes)) == NULL) return -1;
    gbl_Index *at = malloc(p->n * sizeof *at);
    p->X = malloc(bytes);
    if (at == NULL || p->X == NULL) return -1;
    const gbl_Index part = ((gbl_Index)1 << BITS) / p->n;
    for (gbl_Index k = 0; k < p->n; k++) at[k] = k * part + bench_random(&state) % part;
    for (gbl_Index k = 0; k < p->entries; k++) {
        p->I[k] = bench_random(&state) % p->n;
        p->J[k] = bench_random(&state) % p->n;
        p->X[k] = (double)(bench_random(&state) % 1000 + 1) / 1000;
        p->hugeI[k] = at[p->I[k]];
        p->hugeJ[k] = at[p->J[k]];
    }
    const gbl_Index stride = p->n / p->most;
    for (gbl_Index k = 0; k < p->most; k++) {
        p->list[k] = k * stride + bench_random(&state) % stride;
        p->huge_list[k] = at[p->list[k]];
    }
    free(at);
    return 0;
}

int main(int argc, char **argv) {
    bench_options options = {.rounds = 5};
    const bench_command command = {
        .about = "A huge matrix against its compact pattern. INPUT is the number of entries and, "
                 "after a colon, of the indices that they have; 10000000:16777216 unless given.",
        .takes = BENCH_THREADS | BENCH_INPUTS};
    bench_parse(argc, argv, &command, &options, NULL);
    pattern p = {.entries = 10000000, .n = (gbl_Index)1 << 24};
    if (options.input_count > 0) {
        char *end;
        p.entries = strtoull(options.inputs[0], &end, 10);
        if (*end == ':') p.n = strtoull(end + 1, &end, 10);
        if (*end != '\0' || p.entries < 100 || p.n < 100) {
            fprintf(stderr, "hyper: %s is not ENTRIES:INDICES, at least 100 each\n",
                    options.inputs[0]);
            return 64;
        }
    }
    p.most = p.n / 10 < p.entries ? p.n / 10 : p.entries;
    if (bench_start(options.threads) != 0 || peer_start(options.threads) != 0 ||
        make_pattern(&p) != 0)
        return 1;
    cJSON *document = cJSON_CreateObject();
    bench_describe(document, options.threads, options.rounds);
    const int status = measure(document, &p, options.rounds);
    if (bench_print(document) != 0) return 1;
    cJSON_Delete(document);
    gbl_Index *arrays[] = {p.I, p.J, p.hugeI, p.hugeJ, p.list, p.huge_list};
    for (int k = 0; k < 6; k++) free(arrays[k]);
    free(p.X);
    peer_stop();
    return gbl_finalize() == GBL_SUCCESS && status == 0 ? 0 : 1;
}
