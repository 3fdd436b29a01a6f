/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and writing machine tables; see machine_file.h.
 */
#include "mxm/machine/machine_file.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "backend/backend.h"
#include "core/arch.h"
#include "core/status.h"

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

/* Numbers are written with a point, whatever the program's language is. */
static locale_t plain_numbers(locale_t *before) {
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    return plain;
}

static void usual_numbers(locale_t plain, locale_t before) {
    if (plain == (locale_t)0) return;
    uselocale(before);
    freelocale(plain);
}

/* -- reading */

typedef struct {
    gb_MachineTable table;
    bool seen[KEYS], format, cpu, isa;
    char *why;
    int line;
} gb_Reader;

static bool refuse(gb_Reader *r, const char *what, const char *value) {
    snprintf(r->why, GB_MACHINE_TEXT, "line %d: %s '%.40s'", r->line, what, value);
    return false;
}

/* What the table was measured for has to be what is here. */
static bool check_origin(gb_Reader *r, const char *name, const char *value) {
    char cpu[LINE_MOST];
    if (strcmp(name, "format") == 0) {
        r->format = true;
        return atoi(value) == GB_MACHINE_FORMAT || refuse(r, "another format,", value);
    }
    if (strcmp(name, "cpu") == 0) {
        r->cpu = true;
        cpu_name(cpu);
        return strcmp(value, cpu) == 0 || refuse(r, "measured on another processor,", value);
    }
    r->isa = true;
    return strcmp(value, gb_backend()->name) == 0 ||
           refuse(r, "measured with other kernels,", value);
}

static bool take_number(gb_Reader *r, const char *name, const char *value) {
    char *end;
    int k = 0;
    while (k < KEYS && strcmp(name, key(k)) != 0) k++;
    if (k == KEYS) return refuse(r, "no such key,", name);
    if (r->seen[k]) return refuse(r, "a second value for", name);
    const double x = strtod(value, &end);
    const bool sound = end != value && *end == '\0' && isfinite(x);
    if (!sound || x < least(k) || x > GB_RATE_MOST * 1e3)
        return refuse(r, "not a sensible number,", value);
    r->seen[k] = true;
    *number(&r->table, k) = x;
    return true;
}

static bool take_line(gb_Reader *r, char *line) {
    line[strcspn(line, "#\n")] = '\0';
    char *name = line + strspn(line, " \t\r");
    if (*name == '\0') return true;
    char *value = name + strcspn(name, " \t");
    if (*value != '\0') *value++ = '\0';
    value += strspn(value, " \t");
    for (size_t n = strlen(value); n > 0 && strchr(" \t\r", value[n - 1]) != NULL;)
        value[--n] = '\0';
    if (*value == '\0') return refuse(r, "no value for", name);
    const bool origin =
        strcmp(name, "format") == 0 || strcmp(name, "cpu") == 0 || strcmp(name, "isa") == 0;
    return origin ? check_origin(r, name, value) : take_number(r, name, value);
}

/* Everything has to be there. */
static bool is_complete(gb_Reader *r) {
    const char *missing = !r->format ? "format" : !r->cpu ? "cpu" : !r->isa ? "isa" : NULL;
    for (int k = 0; k < KEYS && missing == NULL; k++)
        if (!r->seen[k]) missing = key(k);
    if (missing != NULL) snprintf(r->why, GB_MACHINE_TEXT, "no value for '%s'", missing);
    return missing == NULL;
}

gbl_Info gb_machine_read(gb_MachineTable *machine, const char *path, char why[GB_MACHINE_TEXT]) {
    gb_Reader r = {.why = why};
    char line[LINE_MOST];
    FILE *file = fopen(path, "r");
    why[0] = '\0';
    if (file == NULL && errno == ENOENT) return GBL_NO_VALUE;
    if (file == NULL) {
        snprintf(why, GB_MACHINE_TEXT, "cannot be read: %s", strerror(errno));
        return GBL_IO_ERROR;
    }
    bool good = true;
    locale_t before;
    const locale_t plain = plain_numbers(&before);
    while (good && fgets(line, sizeof line, file) != NULL) {
        r.line++;
        good = strchr(line, '\n') != NULL || feof(file) || refuse(&r, "too long,", line);
        good = good && take_line(&r, line);
    }
    usual_numbers(plain, before);
    if (good && ferror(file)) {
        snprintf(why, GB_MACHINE_TEXT, "cannot be read: %s", strerror(errno));
        good = false;
    }
    fclose(file);
    if (!good || !is_complete(&r)) return GBL_INVALID_VALUE;
    *machine = r.table;
    machine->source = "calibrated";
    return GBL_SUCCESS;
}

/* -- writing */

/* The folders that hold the file. */
static void make_folders(const char *path) {
    char folder[GB_PATH_MOST];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + (folder[0] == '/'), '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0755); /* what fails here fails again when the file is opened */
        *slash = '/';
    }
}

static void print_table(FILE *file, const gb_MachineTable *machine) {
    gb_MachineTable m = *machine;
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
    char beside[GB_PATH_MOST + 16];
    make_folders(path);
    snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(beside, "w");
    if (file == NULL)
        return gb_fail(GBL_IO_ERROR, "cannot create %.200s: %s", beside, strerror(errno));
    locale_t before;
    const locale_t plain = plain_numbers(&before);
    print_table(file, machine);
    usual_numbers(plain, before);
    const bool lost = ferror(file) != 0;
    const bool failed = fclose(file) != 0 || lost;
    if (!failed && rename(beside, path) == 0) return GBL_SUCCESS;
    const int reason = errno;
    remove(beside);
    return gb_fail(GBL_IO_ERROR, "cannot write %.200s: %s", path, strerror(reason));
}
