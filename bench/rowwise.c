/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/rowwise: options, the suite, the document. Exit status 0 when every part of every input
 * was measured, 1 when one failed, 64 for a wrong command line.
 */
#include "rowwise.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    cJSON *(*measure)(const rowwise_input *in);
} PARTS[] = {
    {"errors", rowwise_errors},     {"times", rowwise_times},     {"choice", rowwise_choice},
    {"ablation", rowwise_ablation}, {"scaling", rowwise_scaling},
};
enum { PART_COUNT = sizeof PARTS / sizeof *PARTS, MOST_INPUTS = 64, PART_KEY = 256 };

typedef struct {
    int rounds, threads;
    bool json;
    const char *suite, *data;
    bool chosen[PART_COUNT];
    char *inputs[MOST_INPUTS];
    int input_count;
} options;

typedef struct {
    cJSON *inputs;
    int failures, skipped;
} report;

static const struct argp_option OPTIONS[] = {
    {"errors", PART_KEY + 0, NULL, 0, "errors of the estimates of rows and of the sample", 0},
    {"times", PART_KEY + 1, NULL, 0, "where the time of a product goes", 0},
    {"choice", PART_KEY + 2, NULL, 0, "each workflow forced against the planner's choice", 0},
    {"ablation", PART_KEY + 3, NULL, 0, "what estimates, assistance and accumulators gain", 0},
    {"scaling", PART_KEY + 4, NULL, 0, "one thread against all", 0},
    {"repeats", 'r', "N", 0, "rounds; the median counts (default 3)", 1},
    {"threads", 't', "N", 0, "threads (default: all processors)", 1},
    {"suite", 's', "FILE", 0, "inputs to run when none is named, one a line", 1},
    {"data", 'd', "DIR", 0, "folder of the suite's files", 1},
    {"json", 'j', NULL, 0, "print JSON instead of tables", 1},
    {0},
};

static int positive(const char *text, const char *what, struct argp_state *state) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno != 0 || *end != '\0' || end == text || value < 1 || value > 10000)
        argp_error(state, "%s is '%s'; give a number from 1 to 10000", what, text);
    return (int)value;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    options *o = state->input;
    if (key >= PART_KEY && key < PART_KEY + PART_COUNT) {
        o->chosen[key - PART_KEY] = true;
        return 0;
    }
    switch (key) {
    case 'r':
        o->rounds = positive(argument, "--repeats", state);
        return 0;
    case 't':
        o->threads = positive(argument, "--threads", state);
        return 0;
    case 's':
        o->suite = argument;
        return 0;
    case 'd':
        o->data = argument;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->input_count == MOST_INPUTS)
            argp_error(state, "at most %d inputs", MOST_INPUTS);
        else
            o->inputs[o->input_count++] = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool wanted(const options *o, int part) {
    bool any = false;
    for (int k = 0; k < PART_COUNT; k++) any = any || o->chosen[k];
    return !any || o->chosen[part];
}

static void run_input(const options *o, const char *operand, report *all) {
    rowwise_input in = {.rounds = o->rounds, .threads = o->threads};
    cJSON *object = NULL;
    int failures = 1;
    fprintf(stderr, "rowwise: %s\n", operand);
    if (rowwise_load(&in, operand) != 0) goto done;
    object = rowwise_features(&in);
    if (object == NULL) goto done;
    failures = 0;
    for (int k = 0; k < PART_COUNT; k++) {
        if (!wanted(o, k)) continue;
        cJSON *part = PARTS[k].measure(&in);
        if (part != NULL)
            cJSON_AddItemToObject(object, PARTS[k].name, part);
        else
            failures++;
    }
    cJSON_AddItemToArray(all->inputs, object);
done:
    if (failures > 0) fprintf(stderr, "rowwise: %s failed\n", operand);
    all->failures += failures;
    rowwise_unload(&in);
}

/* Generator specs as they are; files lie in the folder of --data. */
static void run_line(const options *o, const char *word, report *all) {
    char path[1024];
    const bool optional = word[0] == '?';
    const char *operand = word + optional;
    if (strchr(operand, ':') == NULL && operand[0] != '/' && o->data != NULL) {
        snprintf(path, sizeof path, "%s/%s", o->data, operand);
        operand = path;
    }
    if (optional && access(operand, R_OK) != 0)
        all->skipped++;
    else
        run_input(o, operand, all);
}

static int run_suite(const options *o, report *all) {
    char line[512], word[500];
    FILE *file = fopen(o->suite, "r");
    if (file == NULL) {
        fprintf(stderr, "rowwise: cannot open the suite %s: %s\n", o->suite, strerror(errno));
        return -1;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "#\n")] = '\0';
        if (sscanf(line, "%499s", word) == 1) run_line(o, word, all);
    }
    fclose(file);
    if (all->skipped > 0)
        fprintf(stderr, "rowwise: %d files of the suite are not there and were skipped%s\n",
                all->skipped, o->data == NULL ? "; --data names their folder" : "");
    return 0;
}

static cJSON *describe(const options *o, const report *all, double others) {
    char cpu[128], version[32];
    cJSON *root = cJSON_CreateObject();
    bench_cpu_name(cpu, sizeof cpu);
    snprintf(version, sizeof version, "%d.%d.%d", GBLITE_VERSION_MAJOR, GBLITE_VERSION_MINOR,
             GBLITE_VERSION_PATCH);
    cJSON_AddStringToObject(root, "machine", cpu);
    cJSON_AddNumberToObject(root, "threads", o->threads);
    cJSON_AddStringToObject(root, "gblite", version);
    cJSON_AddNumberToObject(root, "rounds", o->rounds);
    cJSON_AddNumberToObject(root, "share_of_other_programs", others);
    cJSON_AddItemToObject(root, "summary", rowwise_summary(all->inputs));
    cJSON_AddItemReferenceToObject(root, "inputs", all->inputs);
    return root;
}

static int put(const options *o, const cJSON *document) {
    if (!o->json) {
        rowwise_print(document);
        return 0;
    }
    char *text = cJSON_Print(document);
    const int status = text != NULL && puts(text) >= 0 ? 0 : -1;
    free(text);
    return status;
}

int main(int argc, char **argv) {
    static const struct argp ARGP = {
        OPTIONS,
        parse,
        "[INPUT...]",
        "Measures the row-wise product C = A*A (A*A' where A is not square) of generator specs "
        "like rmat:16:8 or Matrix Market files: errors of the estimates of its size, shares of its "
        "time, and what the choices of the planner gain. Without a part named, all are measured.",
        NULL,
        NULL,
        NULL};
    options o = {.rounds = 3, .suite = ROWWISE_SUITE_FILE};
    argp_parse(&ARGP, argc, argv, 0, NULL, &o);
    if (o.threads == 0) o.threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    report all = {.inputs = cJSON_CreateArray()};
    bench_load load = bench_load_now();
    if (rowwise_failed(gbl_init(GBL_NONBLOCKING), "init")) return 1;
    if (rowwise_failed(gbl_Global_set_INT32(GBL_GLOBAL, o.threads, GBL_NTHREADS), "threads"))
        return 1;

    if (o.input_count == 0 && run_suite(&o, &all) != 0) all.failures++;
    for (int i = 0; i < o.input_count; i++) run_input(&o, o.inputs[i], &all);
    cJSON *document = describe(&o, &all, bench_others_since(&load));
    if (put(&o, document) != 0) all.failures++;
    const bool complete = all.failures == 0 && cJSON_GetArraySize(all.inputs) > 0;
    cJSON_Delete(document);
    cJSON_Delete(all.inputs);
    gbl_finalize();
    return complete ? 0 : 1;
}
