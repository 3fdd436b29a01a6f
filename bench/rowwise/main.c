/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/rowwise: options, the suite, the document. Exit status 0 when every part of every input
 * was measured, 1 when one failed, 64 for a wrong command line.
 */
#include "rowwise/rowwise.h"

#include <stdio.h>

static const struct {
    const char *name;
    cJSON *(*measure)(const rowwise_input *in);
} PARTS[] = {
    {"errors", rowwise_errors},     {"times", rowwise_times},     {"choice", rowwise_choice},
    {"ablation", rowwise_ablation}, {"scaling", rowwise_scaling},
};
enum { PART_COUNT = sizeof PARTS / sizeof *PARTS, PART_KEY = 256 };

typedef struct {
    bench_options shared;
    bool json;
    bool chosen[PART_COUNT];
} options;

typedef struct {
    cJSON *inputs;
    int failures;
} report;

typedef struct {
    const options *options;
    report *all;
} job;

static const struct argp_option OPTIONS[] = {
    {"errors", PART_KEY + 0, NULL, 0, "errors of the estimates of rows and of the sample", 0},
    {"times", PART_KEY + 1, NULL, 0, "where the time of a product goes", 0},
    {"choice", PART_KEY + 2, NULL, 0, "each workflow forced against the planner's choice", 0},
    {"ablation", PART_KEY + 3, NULL, 0, "what estimates, assistance and accumulators gain", 0},
    {"scaling", PART_KEY + 4, NULL, 0, "one thread against all", 0},
    {"json", 'j', NULL, 0, "print JSON instead of tables", 1},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    options *o = state->input;
    if (key >= PART_KEY && key < PART_KEY + PART_COUNT) {
        o->chosen[key - PART_KEY] = true;
        return 0;
    }
    (void)argument;
    if (key != 'j') return ARGP_ERR_UNKNOWN;
    o->json = true;
    return 0;
}

static bool wanted(const options *o, int part) {
    bool any = false;
    for (int k = 0; k < PART_COUNT; k++) any = any || o->chosen[k];
    return !any || o->chosen[part];
}

static void run_input(const options *o, const char *operand, report *all) {
    rowwise_input in = {.rounds = o->shared.rounds, .threads = o->shared.threads};
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

static void visit(void *context, const bench_line *line) {
    job *j = context;
    if (line->keyword[0] == '\0') {
        run_input(j->options, line->operand, j->all);
        return;
    }
    fprintf(stderr, "rowwise: a line of the suite is an input, not '%s %s'\n", line->keyword,
            line->operand);
    j->all->failures++;
}

static cJSON *describe(const options *o, const report *all, double others) {
    cJSON *root = cJSON_CreateObject();
    bench_describe(root, o->shared.threads, o->shared.rounds);
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
    return bench_print(document);
}

int main(int argc, char **argv) {
    static const bench_command COMMAND = {
        .about = "Measures the row-wise product C = A*A (A*A' where A is not square) of generator "
                 "specs like rmat:16:8 or Matrix Market files: errors of the estimates of its "
                 "size, shares of its time, and what the choices of the planner gain. Without a "
                 "part named, all are measured.",
        .lines = "INPUT",
        .takes = BENCH_THREADS | BENCH_DATA | BENCH_INPUTS,
        .own = {.options = OPTIONS, .parser = parse}};
    options o = {.shared = {.rounds = 3, .suite = BENCH_FOLDER "/rowwise/suite.txt"}};
    bench_parse(argc, argv, &COMMAND, &o.shared, &o);
    report all = {.inputs = cJSON_CreateArray()};
    bench_load load = bench_load_now();
    if (bench_failed(gbl_init(GBL_NONBLOCKING), "init")) return 1;
    if (bench_failed(gbl_Global_set_INT32(GBL_GLOBAL, o.shared.threads, GBL_NTHREADS), "threads"))
        return 1;

    job suite = {&o, &all};
    if (o.shared.input_count == 0 && bench_read_suite(&o.shared, visit, &suite) != 0)
        all.failures++;
    for (int i = 0; i < o.shared.input_count; i++) run_input(&o, o.shared.inputs[i], &all);
    cJSON *document = describe(&o, &all, bench_others_since(&load));
    if (put(&o, document) != 0) all.failures++;
    const bool complete = all.failures == 0 && cJSON_GetArraySize(all.inputs) > 0;
    cJSON_Delete(document);
    cJSON_Delete(all.inputs);
    gbl_finalize();
    return complete ? 0 : 1;
}
