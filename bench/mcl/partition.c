/* SPDX-License-Identifier: Apache-2.0
 *
 * Partitions of the vertices; see mcl.h.
 */
#define _GNU_SOURCE
#include "mcl/mcl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int partition_new(mcl_partition *p, uint64_t n) {
    *p = (mcl_partition){.n = n, .cluster = malloc((n + 1) * sizeof *p->cluster)};
    if (p->cluster != NULL) return 0;
    fprintf(stderr, "mcl: not enough memory for a partition\n");
    return -1;
}

void mcl_partition_free(mcl_partition *p) {
    free(p->cluster);
    *p = (mcl_partition){0};
}

/* The vertices of one line; how many are new, or -1. */
static int64_t read_line(mcl_partition *p, const char *line) {
    int64_t found = 0;
    char *end;
    for (const char *at = line; *at != '\0' && *at != '\n'; at = end, found++) {
        const uint64_t v = strtoull(at, &end, 10);
        if (end == at || v < 1 || v > p->n || p->cluster[v - 1] != UINT32_MAX) return -1;
        p->cluster[v - 1] = (uint32_t)p->clusters;
    }
    p->clusters++;
    return found;
}

int mcl_partition_read(mcl_partition *p, const char *path, uint64_t n) {
    char *line = NULL;
    size_t room = 0;
    int64_t found = 0, more = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "mcl: cannot open %s: %s\n", path, strerror(errno));
        return -1;
    }
    if (partition_new(p, n) == 0) {
        memset(p->cluster, 0xFF, n * sizeof *p->cluster);
        while (more >= 0 && getline(&line, &room, file) >= 0) found += more = read_line(p, line);
    }
    free(line);
    fclose(file);
    if (more >= 0 && (uint64_t)found == n) return 0;
    fprintf(stderr, "mcl: %s has not each of %llu vertices once\n", path, (unsigned long long)n);
    mcl_partition_free(p);
    return -1;
}

int mcl_partition_planted(mcl_partition *p, uint64_t n, uint64_t k) {
    if (partition_new(p, n) != 0) return -1;
    p->clusters = k;
    for (uint64_t v = 0; v < n; v++) p->cluster[v] = (uint32_t)(v % k);
    return 0;
}

int64_t mcl_apart(const mcl_partition *a, const mcl_partition *b) {
    uint64_t *size = calloc(a->clusters + b->clusters + 1, sizeof *size);
    uint32_t *match = malloc((a->clusters + 1) * sizeof *match); /* the cluster of b it may be */
    bool *split = calloc(a->clusters + 1, sizeof *split);
    int64_t apart = size != NULL && match != NULL && split != NULL ? 0 : -1;
    for (uint64_t v = 0; apart == 0 && v < a->n; v++) {
        const uint32_t x = a->cluster[v], y = b->cluster[v];
        if (size[x] > 0 && match[x] != y) split[x] = true;
        match[x] = y;
        size[x]++;
        size[a->clusters + y]++;
    }
    for (uint64_t x = 0; apart >= 0 && x < a->clusters; x++)
        if (size[x] > 0 && (split[x] || size[x] != size[a->clusters + match[x]]))
            apart += (int64_t)size[x];
    free(size);
    free(match);
    free(split);
    return apart;
}
