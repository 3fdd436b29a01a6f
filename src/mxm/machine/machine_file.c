/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and writing machine tables; see machine_file.h.
 */
#include "mxm/machine/machine_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernel_api/backend.h"
#include "core/arch.h"

enum { LINE_MOST = 256, CACHES = 3, FACTS = CACHES + 3, KEYS = FACTS + GB_RATES };
/* No rate is outside of these, in ns. */
#define GB_RATE_LEAST 1e-9
#define GB_RATE_MOST 1e9
/* No cache has fewer bytes. */
#define GB_CACHE_LEAST 4096.0

/* The k-th number of a table, and its key. */
static double *number(gb_MachineTable *m, int k) {
    if (k < CACHES) return &m->cache[k];
    if (k == CACHES) return &m->latency;
    if (k == CACHES + 1) return &m->bandwidth;
    return k < FACTS ? &m->error : &m->ns[k - FACTS];
}

static const char *key(int k) {
    static const char *const facts[FACTS] = {"cache1",  "cache2",    "cache3",
                                             "latency", "bandwidth", "error"};
    return k < FACTS ? facts[k] : gb_rate_names[k - FACTS];
}

/* No sensible value is smaller. */
static double least(int k) {
    if (k < CACHES) return GB_CACHE_LEAST;
    return k == CACHES + 2 ? 0.0 : GB_RATE_LEAST; /* the error may be 0 */
}

/* The processor's name as the system tells it. */
static void cpu_name(char name[LINE_MOST]) {
    char line[LINE_MOST];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, LINE_MOST, "unknown");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *value = strchr(line, ':');
        if (strncmp(line, GB_ARCH_NAME_LINE, sizeof GB_ARCH_NAME_LINE - 1) != 0 || value == NULL)
            continue;
        snprintf(name, LINE_MOST, "%s", value + 2);
        name[strcspn(name, "\n")] = '\0';
        break;
    }
    if (file != NULL) fclose(file);
}

bool gb_machine_path(char path[GB_PATH_MOST]) {
    const char *given = getenv("GBLITE_CONFIG"), *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    int n;
    if (given != NULL && strcmp(given, "off") == 0) return false;
    if (given != NULL && *given != '\0')
        n = snprintf(path, GB_PATH_MOST, "%s", given);
    else if (config != NULL && *config == '/')
        n = snprintf(path, GB_PATH_MOST, "%s/gblite/machine", config);
    else if (home != NULL && *home == '/')
        n = snprintf(path, GB_PATH_MOST, "%s/.config/gblite/machine", home);
    else
        return false;
    return n < GB_PATH_MOST;
}

/* -- reading */

typedef struct {
    gb_MachineTable table;
    bool seen[KEYS], format, cpu, isa;
} gb_Reader;

/* What the table was measured for has to be what is here. */
static bool check_origin(gb_Reader *m, gb_TextReader *r, const char *name, const char *value) {
    char cpu[LINE_MOST];
    if (strcmp(name, "format") == 0) {
        m->format = true;
        return atoi(value) == GB_MACHINE_FORMAT || gb_text_refuse(r, "another format,", value);
    }
    if (strcmp(name, "cpu") == 0) {
        m->cpu = true;
        cpu_name(cpu);
        return strcmp(value, cpu) == 0 ||
               gb_text_refuse(r, "measured on another processor,", value);
    }
    m->isa = true;
    return strcmp(value, gb_backend()->name) == 0 ||
           gb_text_refuse(r, "measured with other kernels,", value);
}

static bool take_number(gb_Reader *m, gb_TextReader *r, const char *name, const char *value) {
    int k = 0;
    while (k < KEYS && strcmp(name, key(k)) != 0) k++;
    if (k == KEYS) return gb_text_refuse(r, "no such key,", name);
    if (m->seen[k]) return gb_text_refuse(r, "a second value for", name);
    const double limits[2] = {least(k), GB_RATE_MOST * 1e3};
    m->seen[k] = true;
    return gb_text_number(r, value, limits, number(&m->table, k));
}

static bool take_line(void *to, gb_TextReader *r, const char *name, const char *value) {
    const bool origin =
        strcmp(name, "format") == 0 || strcmp(name, "cpu") == 0 || strcmp(name, "isa") == 0;
    return origin ? check_origin(to, r, name, value) : take_number(to, r, name, value);
}

/* Everything has to be there. */
static bool is_complete(const gb_Reader *r, char why[GB_MACHINE_TEXT]) {
    const char *missing = !r->format ? "format" : !r->cpu ? "cpu" : !r->isa ? "isa" : NULL;
    for (int k = 0; k < KEYS && missing == NULL; k++)
        if (!r->seen[k]) missing = key(k);
    if (missing != NULL) snprintf(why, GB_MACHINE_TEXT, "no value for '%s'", missing);
    return missing == NULL;
}

gbl_Info gb_machine_read(gb_MachineTable *machine, const char *path, char why[GB_MACHINE_TEXT]) {
    gb_Reader r = {.format = false};
    const gbl_Info info = gb_text_read(path, why, take_line, &r);
    if (info != GBL_SUCCESS) return info;
    if (!is_complete(&r, why)) return GBL_INVALID_VALUE;
    *machine = r.table;
    machine->source = "calibrated";
    return GBL_SUCCESS;
}

/* -- writing */

static void print_table(FILE *file, const void *what) {
    gb_MachineTable m = *(const gb_MachineTable *)what;
    char cpu[LINE_MOST], date[32];
    const time_t now = time(NULL);
    struct tm day;
    cpu_name(cpu);
    gmtime_r(&now, &day);
    strftime(date, sizeof date, "%Y-%m-%d", &day);
    fprintf(file, "# gblite calibrate, %s; rates in ns of one thread\n", date);
    fprintf(file, "format %d\ncpu %s\nisa %s\n", GB_MACHINE_FORMAT, cpu, gb_backend()->name);
    for (int k = 0; k < KEYS; k++) fprintf(file, "%s %.9g\n", key(k), *number(&m, k));
}

gbl_Info gb_machine_write(const gb_MachineTable *machine, const char *path) {
    return gb_text_write(path, print_table, machine);
}
