/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/mcl: options, the suite, the document, which is JSON. Every graph is written as a label
 * file, which all contenders read; edges of generated graphs weigh 1. Exit status 0 when all runs
 * went well. Where the program mcl is missing the others run without it.
 */
#define _GNU_SOURCE
#include "mcl/mcl.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/program.h"

enum { CONTENDERS = 4, WORDS = 24, MOST_ROUNDS = 64 };

static const struct {
    const char *name, *program; /* NULL: the program gblite */
    const char *words[4];
} contenders[CONTENDERS] = {{"mcl", "mcl", {NULL}},
                            {"gblite", NULL, {NULL}},
                            {"gblite float64", NULL, {"--float64"}},
                            {"gblite dust 1e-5", NULL, {"--dust", "1e-5"}}};

typedef struct {
    bench_options shared;
    char gblite[PATH_MAX], folder[64], threads[16];
    cJSON *list;
    int failures;
} run;

/* One graph. */
typedef struct {
    run *of;
    char input[128], output[CONTENDERS][128];
    gbl_Index n;
    bool fine;
    const char *inflation;
    mcl_partition partition[CONTENDERS];
    double seconds[CONTENDERS][MOST_ROUNDS], bytes[CONTENDERS];
} race;

/* -- the label file ---------------------------------------------------------------------------- */

static int write_labels(const char *path, gbl_Matrix A) {
    gbl_Index entries = 0;
    if (bench_failed(gbl_Matrix_nvals(&entries, A), "nvals")) return -1;
    gbl_Index *I = malloc((entries + 1) * sizeof *I), *J = malloc((entries + 1) * sizeof *J);
    double *X = malloc((entries + 1) * sizeof *X);
    FILE *file = fopen(path, "w");
    int status = -1;
    if (I == NULL || J == NULL || X == NULL || file == NULL) {
        fprintf(stderr, "mcl: cannot write %s\n", path);
    } else if (!bench_failed(gbl_Matrix_extractTuples_FP64(I, J, X, &entries, A), "extract")) {
        for (gbl_Index k = 0; k < entries; k++)
            fprintf(file, "%llu\t%llu\t%.9g\n", (unsigned long long)I[k] + 1,
                    (unsigned long long)J[k] + 1, X[k]);
        status = ferror(file) ? -1 : 0;
    }
    if (file != NULL && fclose(file) != 0) status = -1;
    free(I);
    free(J);
    free(X);
    return status;
}

/* Every vertex has a loop, so that none is missing in the file; loops are replaced by all. */
static int write_graph(race *r, const char *operand, cJSON *object) {
    const bool generated = strncmp(operand, "planted:", 8) == 0;
    gbl_Matrix A = NULL;
    gbl_Index edges = 0;
    int status = -1;
    if (bench_failed(gbl_load(&A, generated ? GBL_BOOL : GBL_FP64, operand), operand) ||
        bench_failed(gbl_Matrix_nrows(&r->n, A), "nrows") ||
        bench_failed(gbl_Matrix_nvals(&edges, A), "nvals"))
        goto done;
    for (gbl_Index v = 0; v < r->n; v++)
        if (bench_failed(gbl_Matrix_setElement_FP64(A, 1, v, v), "loop")) goto done;
    cJSON_AddNumberToObject(object, "vertices", (double)r->n);
    cJSON_AddNumberToObject(object, "entries", (double)edges);
    status = write_labels(r->input, A);
done:
    gbl_Matrix_free(&A);
    return status;
}

/* -- running ----------------------------------------------------------------------------------- */

static int run_one(race *r, int c, int round) {
    run *of = r->of;
    const char *words[WORDS];
    int n = 0;
    const bool is_mcl = contenders[c].program != NULL;
    words[n++] = is_mcl ? contenders[c].program : of->gblite;
    if (!is_mcl) words[n++] = "mcl";
    words[n++] = r->input;
    words[n++] = "--abc";
    words[n++] = "-I";
    words[n++] = r->inflation;
    words[n++] = "-o";
    words[n++] = r->output[c];
    words[n++] = is_mcl ? "-te" : "--threads";
    words[n++] = of->threads;
    for (int k = 0; contenders[c].words[k] != NULL; k++) words[n++] = contenders[c].words[k];
    if (r->fine) {
        static const char *const more[] = {"-P", "1000000000", "-S", "1000000", "-R", "1000000"};
        for (size_t k = 0; k < sizeof more / sizeof *more; k++) words[n++] = more[k];
    }
    words[n] = NULL;
    mcl_taken taken;
    if (mcl_run(&taken, (char *const *)words) != 0) return -1;
    r->seconds[c][round] = taken.seconds;
    if (taken.bytes > r->bytes[c]) r->bytes[c] = taken.bytes;
    return 0;
}

static int run_rounds(race *r, const bool *present) {
    for (int round = 0; round < r->of->shared.rounds; round++) {
        for (int k = 0; k < CONTENDERS; k++) {
            const int c = (k + round) % CONTENDERS;
            if (present[c] && run_one(r, c, round) != 0) return -1;
        }
    }
    return 0;
}

/* -- results ----------------------------------------------------------------------------------- */

static int compare(race *r, cJSON *object, const mcl_partition *planted, const bool *present) {
    cJSON *list = cJSON_AddArrayToObject(object, "contenders");
    for (int c = 0; c < CONTENDERS; c++) {
        if (!present[c]) continue;
        cJSON *one = cJSON_CreateObject();
        cJSON_AddItemToArray(list, one);
        if (mcl_partition_read(&r->partition[c], r->output[c], r->n) != 0) return -1;
        cJSON_AddStringToObject(one, "name", contenders[c].name);
        cJSON_AddNumberToObject(one, "seconds", bench_median(r->seconds[c], r->of->shared.rounds));
        cJSON_AddNumberToObject(one, "bytes", r->bytes[c]);
        cJSON_AddNumberToObject(one, "clusters", (double)r->partition[c].clusters);
        if (present[0])
            cJSON_AddNumberToObject(one, "apart_from_mcl",
                                    (double)mcl_apart(&r->partition[c], &r->partition[0]));
        if (planted->n > 0)
            cJSON_AddNumberToObject(one, "apart_from_planted",
                                    (double)mcl_apart(&r->partition[c], planted));
    }
    return 0;
}

static int run_graph(race *r, const char *operand, cJSON *object) {
    bool present[CONTENDERS];
    mcl_partition planted = {0};
    unsigned long long k = 0;
    int status = -1;
    snprintf(r->input, sizeof r->input, "%s/graph.abc", r->of->folder);
    for (int c = 0; c < CONTENDERS; c++) {
        present[c] = contenders[c].program == NULL || mcl_is_there(contenders[c].program);
        snprintf(r->output[c], sizeof r->output[c], "%s/clusters%d", r->of->folder, c);
    }
    if (write_graph(r, operand, object) != 0) goto done;
    if (sscanf(operand, "planted:%llu:", &k) == 1 && mcl_partition_planted(&planted, r->n, k) != 0)
        goto done;
    if (run_rounds(r, present) == 0) status = compare(r, object, &planted, present);
done:
    for (int c = 0; c < CONTENDERS; c++) {
        mcl_partition_free(&r->partition[c]);
        unlink(r->output[c]);
    }
    mcl_partition_free(&planted);
    unlink(r->input);
    return status;
}

static void visit(void *context, const bench_line *line) {
    run *of = context;
    char name[64], pruning[16];
    race *r = calloc(1, sizeof *r);
    cJSON *object = cJSON_CreateObject();
    bench_operand_name(name, sizeof name, line->operand);
    fprintf(stderr, "mcl: %s\n", name);
    cJSON_AddItemToArray(of->list, object);
    cJSON_AddStringToObject(object, "graph", name);
    /* fine or usual, and the inflation behind @ */
    const int length = (int)strcspn(line->keyword, "@");
    snprintf(pruning, sizeof pruning, "%.*s", length, line->keyword);
    cJSON_AddStringToObject(object, "pruning", pruning);
    if (r != NULL) {
        r->of = of;
        r->fine = strcmp(pruning, "fine") == 0;
        r->inflation = line->keyword[length] == '@' ? line->keyword + length + 1 : "2";
        cJSON_AddStringToObject(object, "inflation", r->inflation);
    }
    if (r == NULL || run_graph(r, line->operand, object) != 0) of->failures++;
    free(r);
}

/* -- the program ------------------------------------------------------------------------------- */

/* The program gblite of the same build: ../gblite from here. */
static bool find_gblite(run *of) {
    char self[PATH_MAX] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return false;
    const char *folder = dirname(self);
    return snprintf(of->gblite, sizeof of->gblite, "%s/../gblite", folder) <
               (int)sizeof of->gblite &&
           mcl_is_there(of->gblite);
}

int main(int argc, char **argv) {
    static const bench_command COMMAND = {
        .about = "Runs `mcl` and `gblite mcl` on the graphs of a suite, compares seconds, memory "
                 "and clusters, and prints JSON.",
        .lines = "PRUNING GRAPH",
        .takes = BENCH_THREADS | BENCH_DATA};
    run of = {.shared = {.rounds = 3, .suite = BENCH_FOLDER "/mcl/suite.txt"},
              .folder = "/tmp/gblite-mcl-XXXXXX"};
    bench_parse(argc, argv, &COMMAND, &of.shared, &of);
    if (of.shared.rounds > MOST_ROUNDS) of.shared.rounds = MOST_ROUNDS;
    if (!find_gblite(&of) || mkdtemp(of.folder) == NULL) {
        fprintf(stderr, "mcl: the program gblite is not built, or /tmp cannot be written\n");
        return 1;
    }
    snprintf(of.threads, sizeof of.threads, "%d", of.shared.threads);
    if (bench_failed(gbl_init(GBL_NONBLOCKING), "init")) return 1;
    cJSON *document = cJSON_CreateObject();
    bench_describe(document, of.shared.threads, of.shared.rounds);
    of.list = cJSON_AddArrayToObject(document, "graphs");
    if (bench_read_suite(&of.shared, visit, &of) != 0) of.failures++;
    if (bench_print(document) != 0) of.failures++;
    cJSON_Delete(document);
    rmdir(of.folder);
    gbl_finalize();
    return of.failures == 0 ? 0 : 1;
}
