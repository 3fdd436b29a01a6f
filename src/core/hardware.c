/* SPDX-License-Identifier: Apache-2.0
 *
 * What the machine has: limits of memory, caches, processors.
 *
 * A line of proc/self/cgroup is `id:controllers:path`; version 2 has no controllers. A line of
 * proc/self/mountinfo has `id parent device root point options ... - type source options`; the
 * folder of a group is its path, without the mount's root in front, below the mount's point. Every
 * group limits its children, so all folders from the group up to the point are read.
 *
 * Everything is read into fixed buffers: a name that does not fit, or a number that is none, is
 * passed over.
 */
#define _GNU_SOURCE
#include "core/hardware.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/parallel.h"

enum { LINE = 2 * PATH_MAX, FIELDS = 64 };

typedef struct {
    const char *type;       /* of the mount */
    const char *controller; /* among its options, or NULL: the mount has all */
    const char *files[2];   /* of a group, or NULL */
} Version;

static const Version versions[2] = {
    {"cgroup", "memory", {"memory.limit_in_bytes", NULL}},
    {"cgroup2", NULL, {"memory.max", "memory.high"}},
};

typedef struct {
    const char *root;
    char path[2][PATH_MAX]; /* of this process' group, by version; empty: none */
    uint64_t least;
} Search;

static void lower(uint64_t *least, uint64_t bytes) {
    if (bytes >= GB_MEMORY_LEAST && bytes < *least) *least = bytes;
}

/* A whole line without its end; false at the end of the file. What does not fit is cut off. */
static bool read_line(FILE *file, char line[LINE]) {
    if (fgets(line, LINE, file) == NULL) return false;
    const size_t length = strcspn(line, "\n");
    if (line[length] == '\0') {
        for (int c = fgetc(file); c != EOF && c != '\n';) c = fgetc(file);
    }
    line[length] = '\0';
    return true;
}

static FILE *open_below(const char *root, const char *path) {
    char name[2 * PATH_MAX];
    const int length = snprintf(name, sizeof name, "%s/%s", root, path);
    return length > 0 && (size_t)length < sizeof name ? fopen(name, "re") : NULL;
}

/* "max", or anything else that is no number, limits nothing. */
static void read_limit(const char *name, uint64_t *least) {
    char line[LINE], *end;
    FILE *file = fopen(name, "re");
    if (file == NULL) return;
    if (read_line(file, line) && line[0] >= '0' && line[0] <= '9') {
        const unsigned long long bytes = strtoull(line, &end, 10); /* ULLONG_MAX when too large */
        if (*end == '\0') lower(least, bytes);
    }
    fclose(file);
}

/* Is `word` one of the comma-separated words of the list? */
static bool is_listed(const char *list, const char *word) {
    const size_t length = strlen(word);
    while (*list != '\0') {
        const size_t next = strcspn(list, ",");
        if (next == length && strncmp(list, word, length) == 0) return true;
        list += next + (list[next] == ',');
    }
    return false;
}

static void read_own_groups(Search *search) {
    char line[LINE];
    FILE *file = open_below(search->root, "proc/self/cgroup");
    if (file == NULL) return;
    while (read_line(file, line)) {
        char *controllers = strchr(line, ':');
        char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (path == NULL || strlen(path + 1) >= PATH_MAX) continue;
        *path++ = '\0';
        controllers++;
        if (is_listed(controllers, versions[0].controller)) strcpy(search->path[0], path);
        if (*controllers == '\0') strcpy(search->path[1], path);
    }
    fclose(file);
}

/* Blanks and backslashes in names are written as three octal digits. */
static void unescape(char *text) {
    char *to = text;
    for (; *text != '\0'; to++) {
        const bool escaped = text[0] == '\\' && text[1] >= '0' && text[1] <= '3' &&
                             text[2] >= '0' && text[2] <= '7' && text[3] >= '0' && text[3] <= '7';
        *to = escaped ? (char)((text[1] - '0') * 64 + (text[2] - '0') * 8 + text[3] - '0') : *text;
        text += escaped ? 4 : 1;
    }
    *to = '\0';
}

/* The part of the group's path below the mount's root; empty when the mount does not show it, as
 * where a container sees its own group as the root. */
static const char *below_root(const char *path, const char *root) {
    const size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
    if (strstr(path, "/..") != NULL || strncmp(path, root, length) != 0) return "";
    return path[length] == '/' && path[length + 1] != '\0' ? path + length : "";
}

/* All groups from `path` below the mount point up to the mount point. */
static void read_groups(Search *search, const Version *version, const char *point,
                        const char *path) {
    char folder[2 * PATH_MAX], name[2 * PATH_MAX + 32];
    const int first = snprintf(folder, sizeof folder, "%s%s", search->root, point);
    if (first < 0 || (size_t)first + strlen(path) >= sizeof folder) return;
    strcpy(folder + first, path);
    for (;;) {
        for (int k = 0; k < 2 && version->files[k] != NULL; k++) {
            snprintf(name, sizeof name, "%s/%s", folder, version->files[k]);
            read_limit(name, &search->least);
        }
        char *last = strrchr(folder + first, '/');
        if (last == NULL) return;
        *last = '\0';
    }
}

static void read_mount(Search *search, char *line) {
    char *fields[FIELDS], *rest = line;
    int count = 0, dash = 0;
    for (char *word; count < FIELDS && (word = strtok_r(rest, " ", &rest)) != NULL; count++) {
        fields[count] = word;
        if (dash == 0 && count >= 6 && strcmp(word, "-") == 0) dash = count;
    }
    if (dash == 0 || dash + 3 >= count) return;
    unescape(fields[3]);
    unescape(fields[4]);
    for (int k = 0; k < 2; k++) {
        const Version *version = &versions[k];
        if (strcmp(fields[dash + 1], version->type) != 0 || search->path[k][0] == '\0') continue;
        if (version->controller != NULL && !is_listed(fields[dash + 3], version->controller))
            continue;
        read_groups(search, version, fields[4], below_root(search->path[k], fields[3]));
    }
}

uint64_t gb_cgroup_limit(const char *root) {
    Search search = {.root = root, .least = UINT64_MAX};
    char line[LINE];
    read_own_groups(&search);
    FILE *file = open_below(root, "proc/self/mountinfo");
    if (file == NULL) return search.least;
    while (read_line(file, line)) read_mount(&search, line);
    fclose(file);
    return search.least;
}

uint64_t gb_system_memory(void) {
    uint64_t least = UINT64_MAX;
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0) lower(&least, (uint64_t)pages * (uint64_t)page);
    lower(&least, gb_cgroup_limit(""));
    const int resources[] = {RLIMIT_AS, RLIMIT_DATA};
    for (int k = 0; k < 2; k++) {
        struct rlimit limit;
        if (getrlimit(resources[k], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
            lower(&least, limit.rlim_cur);
    }
    return least != UINT64_MAX ? least : 0;
}

/* -- caches ------------------------------------------------------------------------------------ */

size_t gb_cache_bytes(void) {
    long bytes = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    const size_t found = bytes > 0 ? (size_t)bytes : GB_CACHE_DEFAULT;
    return found < GB_CACHE_MOST ? found : GB_CACHE_MOST;
}

size_t gb_shared_cache_bytes(void) {
    long bytes = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    return bytes > 0 ? (size_t)bytes : 0;
}

void gb_cache_sizes(double bytes[3]) {
    long first = 0;
#ifdef _SC_LEVEL1_DCACHE_SIZE
    first = sysconf(_SC_LEVEL1_DCACHE_SIZE);
#endif
    const double third = (double)gb_shared_cache_bytes();
    bytes[0] = first > 0 ? (double)first : (double)GB_CACHE_FIRST;
    bytes[1] = (double)gb_cache_bytes();
    const double most = (double)GB_CACHE_THIRD;
    bytes[2] = third > 0.0 && third < most ? third : most;
}

/* -- threads ----------------------------------------------------------------------------------- */

enum { PROCESSORS_MOST = 1 << 16 };

int gb_first_number(const char *list, int most) {
    while (*list == ' ' || *list == '\t') list++;
    if (*list < '0' || *list > '9') return 0;
    char *end;
    const unsigned long number = strtoul(list, &end, 10); /* ULONG_MAX when too large */
    while (*end == ' ' || *end == '\t') end++;
    if (*end != '\0' && *end != ',') return 0;
    return number <= (unsigned long)most ? (int)number : 0;
}

/* The kernel refuses sets that are too small for its processors. */
static int processors(void) {
    for (int room = 1024; room <= PROCESSORS_MOST; room *= 8) {
        cpu_set_t *set = CPU_ALLOC(room);
        if (set == NULL) break;
        const size_t bytes = CPU_ALLOC_SIZE(room);
        const int n = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (n > 0) return n;
    }
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 && n < PROCESSORS_MOST ? (int)n : 1;
}

int gb_thread_count(void) {
    static const char *const names[] = {"GBLITE_THREADS", "OMP_NUM_THREADS"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *text = getenv(names[k]);
        const int asked = text != NULL ? gb_first_number(text, GB_THREADS_MOST) : 0;
        if (asked > 0) return asked;
    }
    const int n = processors();
    return n < GB_THREADS_MOST ? n : GB_THREADS_MOST;
}
