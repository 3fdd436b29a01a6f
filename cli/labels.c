/* SPDX-License-Identifier: Apache-2.0
 *
 * Label files, as mcl's --abc reads them: on each line two labels and, if it is not 1, the weight
 * of the edge between them, with blanks or tabs in between. A label is any other characters;
 * vertices are numbered by the first appearance of their label. Empty lines are skipped.
 *
 * Labels stand one after the other in `text`, each with its 0; label v begins at start[v]. `table`
 * is open hashing of the labels: 1 + vertex, 0 where a place is free, at most half of them taken.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define GAPS " \t\r\n"

typedef struct {
    cli_Labels *labels;
    uint32_t *table;
    size_t slots, text_size, text_room, starts_room;
    gbl_Index *I, *J;
    double *X;
    size_t edges, edges_room;
    const char *path;
    uint64_t line;
} Reading;

static gbl_Info no_memory(void) {
    return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the labels");
}

/* Room for `wanted` elements; false when there is no memory. */
static bool grow(void *array, size_t *room, size_t wanted, size_t size) {
    void **at = array;
    if (wanted <= *room) return true;
    const size_t more = wanted > 512 ? 2 * wanted : 1024;
    void *grown = more < SIZE_MAX / size ? realloc(*at, more * size) : NULL;
    if (!grown) return false;
    *at = grown;
    *room = more;
    return true;
}

static uint64_t hash(const char *label) { /* FNV-1a */
    uint64_t h = UINT64_C(14695981039346656037);
    for (; *label; label++) h = (h ^ (unsigned char)*label) * UINT64_C(1099511628211);
    return h ^ h >> 32;
}

/* The slot of the label, or the free one where it belongs. */
static uint32_t *find(const Reading *r, const char *label) {
    size_t slot = hash(label) & (r->slots - 1);
    while (r->table[slot] && strcmp(cli_label(r->labels, r->table[slot] - 1), label) != 0)
        slot = (slot + 1) & (r->slots - 1);
    return &r->table[slot];
}

static bool rehash(Reading *r) {
    cli_Labels *labels = r->labels;
    free(r->table);
    r->slots = r->slots ? 2 * r->slots : 1024;
    r->table = calloc(r->slots, sizeof *r->table);
    for (uint64_t v = 0; r->table && v < labels->n; v++)
        *find(r, cli_label(labels, v)) = (uint32_t)v + 1;
    return r->table != NULL;
}

static gbl_Info number_of(gbl_Index *vertex, Reading *r, const char *label) {
    cli_Labels *labels = r->labels;
    const size_t size = strlen(label) + 1;
    if (2 * labels->n >= r->slots && !rehash(r)) return no_memory();
    uint32_t *slot = find(r, label);
    if (!*slot) {
        if (labels->n == UINT32_MAX - 1)
            return gbl_fail(GBL_INVALID_VALUE, NULL, "%s has more than 2^32 - 2 labels", r->path);
        if (!grow(&labels->text, &r->text_room, r->text_size + size, 1) ||
            !grow(&labels->start, &r->starts_room, labels->n + 1, sizeof *labels->start))
            return no_memory();
        memcpy(labels->text + r->text_size, label, size);
        labels->start[labels->n++] = r->text_size;
        r->text_size += size;
        *slot = (uint32_t)labels->n;
    }
    *vertex = *slot - 1;
    return GBL_SUCCESS;
}

static gbl_Info fail_at(const Reading *r, const char *what, const char *found) {
    return gbl_fail(GBL_INVALID_VALUE, NULL, "%s, line %llu: %s '%.40s'", r->path,
                    (unsigned long long)r->line, what, found);
}

static gbl_Info read_edge(Reading *r, char *line) {
    char *rest, *end;
    const char *from = strtok_r(line, GAPS, &rest), *to = strtok_r(NULL, GAPS, &rest);
    const char *weight = strtok_r(NULL, GAPS, &rest), *more = strtok_r(NULL, GAPS, &rest);
    gbl_Info info;
    if (!from) return GBL_SUCCESS;
    if (*from == '#' || *from == '%')
        return fail_at(r, "label files have no comments; take out the line that begins with", from);
    if (!to) return fail_at(r, "an edge is two labels and a weight, but there is only", from);
    if (more) return fail_at(r, "an edge is two labels and a weight; there should not be", more);
    const size_t n = r->edges, room = r->edges_room;
    size_t same[2] = {room, room};
    if (!grow(&r->I, &same[0], n + 1, sizeof *r->I) ||
        !grow(&r->J, &same[1], n + 1, sizeof *r->J) ||
        !grow(&r->X, &r->edges_room, n + 1, sizeof *r->X))
        return no_memory();
    r->X[n] = weight ? strtod(weight, &end) : 1;
    if (weight && (*end || end == weight || !(r->X[n] > 0) || isinf(r->X[n])))
        return fail_at(r, "the weight must be a number above 0, not", weight);
    if ((info = number_of(&r->I[n], r, from)) || (info = number_of(&r->J[n], r, to))) return info;
    r->edges++;
    return GBL_SUCCESS;
}

static gbl_Info build(gbl_Matrix *A, const Reading *r) {
    const gbl_Index n = r->labels->n;
    gbl_Info info;
    if ((info = gbl_Matrix_new(A, GBL_FP64, n, n)) ||
        (info = gbl_Matrix_build_FP64(*A, r->I, r->J, r->X, r->edges, GBL_MAX_FP64)))
        gbl_Matrix_free(A);
    return info;
}

gbl_Info cli_read_labels(gbl_Matrix *A, cli_Labels *labels, const char *path) {
    Reading r = {.labels = labels, .path = path};
    char *line = NULL;
    size_t room = 0;
    gbl_Info info = GBL_SUCCESS;
    FILE *file = fopen(path, "r");
    *labels = (cli_Labels){0};
    if (!file) return gbl_fail(GBL_IO_ERROR, NULL, "cannot read %s: %s", path, strerror(errno));
    errno = 0;
    for (ssize_t size; !info && (size = getline(&line, &room, file)) >= 0;) {
        r.line++;
        info = strlen(line) < (size_t)size ? fail_at(&r, "there is a byte 0 behind", line)
                                           : read_edge(&r, line);
    }
    if (!info && !feof(file))
        info = gbl_fail(GBL_IO_ERROR, NULL, "cannot read %s: %s", path, strerror(errno));
    if (!info && r.edges == 0)
        info = gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s has no edges: give two labels and a weight "
                        "on each line",
                        path);
    if (!info) info = build(A, &r);
    fclose(file);
    free(line);
    free(r.table);
    free(r.I);
    free(r.J);
    free(r.X);
    return info;
}

const char *cli_label(const cli_Labels *labels, uint64_t vertex) {
    return labels->text + labels->start[vertex];
}

void cli_labels_free(cli_Labels *labels) {
    free(labels->text);
    free(labels->start);
    *labels = (cli_Labels){0};
}
