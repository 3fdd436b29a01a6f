/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/spamm: options and the document, which is JSON. Exit status 0 when all was measured.
 */
#include "spamm/spamm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_MOST = 8 };

typedef struct {
    bench_options shared;
    int size[SIZES_MOST], count;
    bool search, race, errors, double_only;
    spamm_rules rules;
} options;

static void add_ratio(options *o, const char *text, const struct argp_state *state) {
    char *end;
    const double ratio = strtod(text, &end);
    if (end == text || *end != '\0' || !(ratio > 0.0 && ratio <= 1.0))
        argp_error(state, "--ratio is '%s'; it must be above 0, and 1 at most", text);
    else if (o->rules.ratios == SPAMM_RATIOS)
        argp_error(state, "--ratio at most %d times", SPAMM_RATIOS);
    else
        o->rules.ratio[o->rules.ratios++] = ratio;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    options *o = state->input;
    switch (key) {
    case 'n':
        if (o->count == SIZES_MOST)
            argp_error(state, "--size at most %d times", SIZES_MOST);
        else
            o->size[o->count++] = bench_positive(argument, "--size", state);
        return 0;
    case 's':
        return o->search = true, 0;
    case 'r':
        return o->race = true, 0;
    case 'e':
        return o->errors = true, 0;
    case 'T':
        return o->rules.truncates = true, 0;
    case 'd':
        return o->double_only = true, 0;
    case 'R':
        return add_ratio(o, argument, state), 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* -- shared by the parts */

gbl_Info spamm_square(gbl_Matrix *C, gbl_Explanation *how, gbl_Matrix A, const spamm_how *by) {
    gbl_Descriptor desc = NULL;
    gbl_Index n;
    gbl_Type type = NULL;
    *C = NULL;
    *how = (gbl_Explanation)GBL_EXPLANATION_INIT;
    gbl_Info info = gbl_Descriptor_new(&desc);
    if (info == GBL_SUCCESS && by->field != 0)
        info = gbl_Descriptor_set_FP64(desc, by->value, by->field);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set_INT32(desc, by->side, GBL_SUBMATRIX);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&n, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_type(&type, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(C, type, n, n);
    const gbl_Semiring ring =
        type == GBL_FP32 ? GBL_PLUS_TIMES_SEMIRING_FP32 : GBL_PLUS_TIMES_SEMIRING_FP64;
    if (info == GBL_SUCCESS) info = gbl_mxm(*C, NULL, NULL, ring, A, A, desc);
    if (info == GBL_SUCCESS) info = gbl_Matrix_explain(how, *C);
    gbl_Descriptor_free(&desc);
    return info;
}

gbl_Info spamm_values(double *x, gbl_Matrix A) {
    gbl_Index n, nvals;
    gbl_Info info = gbl_Matrix_nrows(&n, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&nvals, A);
    if (info != GBL_SUCCESS) return info;
    gbl_Index *I = malloc(nvals * sizeof *I), *J = malloc(nvals * sizeof *J);
    double *values = malloc(nvals * sizeof *values);
    if (nvals > 0 && (I == NULL || J == NULL || values == NULL)) info = GBL_OUT_OF_MEMORY;
    if (info == GBL_SUCCESS) info = gbl_Matrix_extractTuples_FP64(I, J, values, &nvals, A);
    memset(x, 0, n * n * sizeof *x);
    for (gbl_Index k = 0; info == GBL_SUCCESS && k < nvals; k++) x[I[k] * n + J[k]] = values[k];
    free(I);
    free(J);
    free(values);
    return info;
}

double spamm_distance(const double *x, const double *y, size_t n) {
    double squares = 0.0;
    for (size_t k = 0; k < n; k++) squares += (x[k] - y[k]) * (x[k] - y[k]);
    return sqrt(squares);
}

/* -- the document */

static int measure(cJSON *document, const options *o) {
    const bench_setup setup = {o->shared.rounds, o->shared.threads};
    int failures = 0;
    cJSON *search = cJSON_AddArrayToObject(document, "search");
    cJSON *race = cJSON_AddArrayToObject(document, "race");
    cJSON *errors = cJSON_AddArrayToObject(document, "errors");
    for (int k = 0; k < o->count; k++) {
        fprintf(stderr, "spamm: N = %d\n", o->size[k]);
        if (o->search) failures += spamm_search(search, o->size[k]) != 0;
        for (int single = 0; o->race && single < (o->double_only ? 1 : 2); single++)
            failures += spamm_race(race, o->size[k], single, &setup, &o->rules) != 0;
        if (o->errors) failures += spamm_errors(errors, o->size[k]) != 0;
    }
    return failures;
}

int main(int argc, char **argv) {
    static const struct argp_option OPTIONS[] = {
        {"size", 'n', "N", 0, "of the matrices; may be given several times (1024 and 2048)", 0},
        {"search", 's', NULL, 0, "tau for the ratios of cuSpAMM's table 1", 0},
        {"race", 'r', NULL, 0, "seconds beside OpenBLAS, at several ratios", 0},
        {"truncated", 'T', NULL, 0, "... and beside sparse products with the same error (FP64)", 0},
        {"ratio", 'R', "R", 0, "to race at; may be given several times (0.05 to 1)", 0},
        {"fp64", 'd', NULL, 0, "race in FP64 alone", 0},
        {"errors", 'e', NULL, 0, "errors and bounds for exponential decay", 0},
        {0}};
    static const bench_command COMMAND = {
        .about = "Approximate products of matrices that decay: taus, seconds, errors; prints JSON. "
                 "Without --search, --race and --errors it does all three.",
        .takes = BENCH_THREADS,
        .own = {.options = OPTIONS, .parser = parse}};
    static const spamm_rules ALL = {{0.05, 0.1, 0.15, 0.2, 0.3, 0.45, 0.6, 1.0}, 8, false};
    options o = {.shared = {.rounds = 5}};
    char why[256] = "";
    bench_parse(argc, argv, &COMMAND, &o.shared, &o);
    if (o.count == 0) o.size[o.count++] = 1024, o.size[o.count++] = 2048;
    if (o.rules.ratios == 0) {
        const bool truncates = o.rules.truncates;
        o.rules = ALL;
        o.rules.truncates = truncates;
    }
    if (!o.search && !o.race && !o.errors) o.search = o.race = o.errors = true;
    if (o.race && !blas_load(o.shared.threads, why, sizeof why)) {
        fprintf(stderr, "spamm: --race needs OpenBLAS (Debian: libopenblas0): %s\n", why);
        return 1;
    }
    if (bench_start(o.shared.threads) != 0 || peer_start(o.shared.threads) != 0) return 1;
    bench_load load = bench_load_now();
    cJSON *document = cJSON_CreateObject();
    bench_describe(document, o.shared.threads, o.shared.rounds);
    peer_version(why, sizeof why);
    cJSON_AddStringToObject(document, "suitesparse", why);
    cJSON_AddStringToObject(document, "openblas", o.race ? blas_version() : "");
    int failures = measure(document, &o);
    peer_stop();
    return bench_end(document, &load, failures);
}
