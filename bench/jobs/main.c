/* SPDX-License-Identifier: Apache-2.0
 *
 * bench JOB [OPTION]...: the table of jobs. Exit status 0 when everything was measured and all
 * results were right, 1 when something was not, 64 for a wrong command line.
 */
#include "jobs/job.h"

#include <stdio.h>
#include <string.h>

#include "peers/suitesparse.h"

static const bench_job *const JOBS[] = {&JOB_RUN,   &JOB_ROWWISE,  &JOB_TILED,   &JOB_OUTER,
                                        &JOB_PANEL, &JOB_VECTOR,   &JOB_COMPARE, &JOB_OVERHEAD,
                                        &JOB_LISTS, &JOB_HYPER,    &JOB_SPMM,    &JOB_CHAIN,
                                        &JOB_SPAMM, &JOB_SEMIRING, &JOB_UPDATES};
enum { JOB_COUNT = sizeof JOBS / sizeof *JOBS, USAGE = 64, WORDS = 256 };

/* The versions of the peers. */
static void describe_peers(cJSON *document) {
    char text[256];
    peer_version(text, sizeof text);
    cJSON_AddStringToObject(document, "suitesparse", text);
    bench_mkl_version(text, sizeof text);
    cJSON_AddStringToObject(document, "mkl", text);
}

static const bench_job *find(const char *name) {
    for (int k = 0; k < JOB_COUNT; k++)
        if (strcmp(JOBS[k]->name, name) == 0) return JOBS[k];
    return NULL;
}

static int list_jobs(FILE *file, int status) {
    fprintf(file, "usage: bench JOB [OPTION]...; bench JOB --help lists its options\n");
    for (int k = 0; k < JOB_COUNT; k++) fprintf(file, "  %-10s%s\n", JOBS[k]->name, JOBS[k]->about);
    return status;
}

static int start(const bench_job *job, const bench_options *o) {
    if (job->start != NULL) return job->start(job, o);
    return bench_start(o->threads) == 0 && peer_start(o->threads) == 0 ? 0 : -1;
}

static int run(const bench_job *job, const bench_options *o) {
    const bench_load load = bench_load_now();
    cJSON *document = cJSON_CreateObject();
    int failures = 1;
    if (start(job, o) == 0) {
        bench_describe(document, o->threads, o->rounds);
        describe_peers(document);
        bench_sink to = {document, o, 0};
        if (job->measure != NULL)
            job->measure(&to);
        else if (bench_read_inputs(o, job->visit, &to) != 0)
            to.failures++;
        if (job->takes & BENCH_JSON) bench_rows_end(&to);
        failures = to.failures;
        const bool json = o->json || !(job->takes & BENCH_JSON);
        if (!job->writes && bench_show(document, &load, json) != 0) failures++;
    }
    cJSON_Delete(document);
    peer_stop();
    gbl_finalize();
    return failures == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    char suite[1024], name[64];
    if (argc < 2) return list_jobs(stderr, USAGE);
    if (strcmp(argv[1], "--help") == 0) return list_jobs(stdout, 0);
    const bench_job *job = find(argv[1]);
    if (job == NULL) {
        fprintf(stderr, "bench: no job '%s'\n", argv[1]);
        return list_jobs(stderr, USAGE);
    }
    const bench_command command = {job->about, job->lines, job->takes, job->own, job->names};
    char *words[WORDS] = {argv[0]};
    for (int k = 1; k < argc && k < WORDS - 1; k++) words[k] = argv[k];
    bench_options o = {.rounds = job->rounds, .suite = suite, .words = words};
    snprintf(suite, sizeof suite, BENCH_FOLDER "/%s", job->suite != NULL ? job->suite : "");
    snprintf(name, sizeof name, "bench %s", job->name);
    argv[1] = name; /* what messages begin with */
    bench_parse(argc - 1, argv + 1, &command, &o);
    return run(job, &o);
}
