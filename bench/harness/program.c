/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs share; see program.h.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "harness/program.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool bench_failed(gbl_Info info, const char *what) {
    if (info >= GBL_SUCCESS) return false;
    fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, gbl_last_error());
    return true;
}

/* False when the operand is a file of the suite that is not there. */
static bool find_operand(char *path, size_t size, const char *operand, const char *data) {
    if (operand[0] != '?') return snprintf(path, size, "%s", operand) < (int)size;
    if (data == NULL) return false;
    return snprintf(path, size, "%s/%s", data, operand + 1) < (int)size && access(path, R_OK) == 0;
}

int bench_read_suite(const bench_options *options, bench_visit visit, void *context) {
    char text[512], keyword[64], operand[400], mark[16], path[1024];
    int skipped = 0, status = 0;
    FILE *file = fopen(options->suite, "r");
    if (file == NULL) {
        fprintf(stderr, "%s: cannot open the suite %s: %s\n", program_invocation_short_name,
                options->suite, strerror(errno));
        return -1;
    }
    while (fgets(text, sizeof text, file) != NULL) {
        text[strcspn(text, "#\n")] = '\0';
        const int words = sscanf(text, "%63s %399s %15s", keyword, operand, mark);
        if (words < 1) continue;
        if (words == 1) {
            snprintf(operand, sizeof operand, "%s", keyword);
            keyword[0] = '\0';
        }
        const bool held_out = words == 3;
        if (held_out && strcmp(mark, "held-out") != 0) {
            fprintf(stderr, "%s: '%s' behind '%s %s' in %s: only held-out may stand there\n",
                    program_invocation_short_name, mark, keyword, operand, options->suite);
            status = -1;
            break;
        }
        if (find_operand(path, sizeof path, operand, options->data))
            visit(context, &(bench_line){keyword, path, held_out});
        else
            skipped++;
    }
    fclose(file);
    if (skipped > 0)
        fprintf(stderr, "%s: %d lines of the suite name files that are not there%s\n",
                program_invocation_short_name, skipped,
                options->data == NULL ? "; --data names their folder" : "");
    return status;
}

int bench_read_inputs(const bench_options *options, bench_visit visit, void *context) {
    for (int k = 0; k < options->input_count; k++)
        visit(context, &(bench_line){.keyword = "", .operand = options->inputs[k]});
    return options->input_count > 0 ? 0 : bench_read_suite(options, visit, context);
}

void bench_operand_name(char *name, size_t size, const char *operand) {
    const char *slash = strrchr(operand, '/');
    snprintf(name, size, "%s", slash != NULL ? slash + 1 : operand);
    char *dot = strstr(name, ".mtx");
    if (dot != NULL) *dot = '\0';
}

gbl_Info bench_make_undirected(gbl_Matrix A) {
    gbl_Info info = gbl_Matrix_select_INT64(A, NULL, NULL, GBL_OFFDIAG, A, 0, NULL);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_eWiseAdd_BinaryOp(A, NULL, NULL, GBL_LOR, A, A, GBL_DESC_T1);
    return info == GBL_SUCCESS ? gbl_Matrix_wait(A, GBL_MATERIALIZE) : info;
}

const char *bench_load_library(const char *path, const bench_function *functions) {
    static char why[512];
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return dlerror();
    for (; functions->name != NULL; functions++) {
        void *found = dlsym(library, functions->name);
        memcpy(functions->to, &found, sizeof found);
        if (found != NULL) continue;
        snprintf(why, sizeof why, "%s has no %s", path, functions->name);
        return why;
    }
    return NULL;
}

void bench_describe(cJSON *document, int threads, int rounds) {
    char cpu[128], version[32];
    bench_cpu_name(cpu, sizeof cpu);
    snprintf(version, sizeof version, "%d.%d.%d", GBLITE_VERSION_MAJOR, GBLITE_VERSION_MINOR,
             GBLITE_VERSION_PATCH);
    cJSON_AddStringToObject(document, "machine", cpu);
    cJSON_AddNumberToObject(document, "threads", threads);
    cJSON_AddStringToObject(document, "gblite", version);
    cJSON_AddNumberToObject(document, "rounds", rounds);
}

int bench_print(const cJSON *document) {
    char *text = cJSON_Print(document);
    const int status = text != NULL && puts(text) >= 0 ? 0 : -1;
    free(text);
    return status;
}

int bench_write(const cJSON *document, const char *path) {
    char fresh[4096];
    char *text = cJSON_Print(document);
    const int length = snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *file = text != NULL && length < (int)sizeof fresh ? fopen(fresh, "w") : NULL;
    bool written = file != NULL && fprintf(file, "%s\n", text) >= 0;
    if (file != NULL) written = fclose(file) == 0 && written && rename(fresh, path) == 0;
    free(text);
    if (written) return 0;
    fprintf(stderr, "%s: cannot write %s: %s\n", program_invocation_short_name, path,
            strerror(errno));
    return -1;
}

void bench_set_number(cJSON *object, const char *name, double number) {
    cJSON_DeleteItemFromObject(object, name);
    cJSON_AddNumberToObject(object, name, number);
}

void bench_keep_freed_memory(void) {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    mallopt(M_TOP_PAD, 64 << 20);
}

int bench_start(int threads) {
    bench_keep_freed_memory();
    if (bench_failed(gbl_init(GBL_NONBLOCKING), "init")) return -1;
    return bench_failed(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS), "threads") ? -1
                                                                                            : 0;
}
