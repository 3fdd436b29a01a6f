/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusterings as text: a line of members for each cluster, lines of a member and its cluster, or a
 * matrix of mcl; see cli.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static int by_name(const void *a, const void *b) {
    return strcmp(((const cli_Member *)a)->name, ((const cli_Member *)b)->name);
}

static gbl_Info add(cli_Clustering *c, const char *name, gbl_Index cluster) {
    if (c->n == c->room) {
        const gbl_Index room = 2 * c->room + 1024;
        cli_Member *more = realloc(c->member, room * sizeof *more);
        if (!more) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the clusters");
        c->member = more;
        c->room = room;
    }
    c->member[c->n++] = (cli_Member){name, cluster};
    return GBL_SUCCESS;
}

/* A line of members between tabs, or blanks where it has no tab. */
static gbl_Info read_cluster(cli_Clustering *c, char *line) {
    gbl_Info info = GBL_SUCCESS;
    const char *const gaps = strchr(line, '\t') ? "\t" : " ";
    char *rest = NULL;
    for (char *name = strtok_r(line, gaps, &rest); name && !info;
         name = strtok_r(NULL, gaps, &rest))
        info = add(c, name, c->clusters);
    c->clusters++;
    return info;
}

/* Sorts "cluster member" by cluster; members then get numbers for their clusters. */
static void number_clusters(cli_Clustering *c, cli_Member *of) {
    qsort(of, c->n, sizeof *of, by_name);
    for (gbl_Index k = 0; k < c->n; k++) {
        c->clusters += k == 0 || strcmp(of[k - 1].name, of[k].name) != 0;
        c->member[of[k].cluster].cluster = c->clusters - 1;
    }
}

/* Lines "member cluster": the names of clusters are noted beside the members. */
static gbl_Info read_pairs(cli_Clustering *c, char *line, cli_Clustering *of, const char *path) {
    const char *const gaps = strchr(line, '\t') ? "\t" : " ";
    char *rest = NULL;
    char *const name = strtok_r(line, gaps, &rest), *const cluster = strtok_r(NULL, gaps, &rest);
    if (!cluster || strtok_r(NULL, gaps, &rest))
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s: the line of '%s' must have a vertex and its cluster", path, name);
    const gbl_Info info = add(of, cluster, of->n);
    return info ? info : add(c, name, 0);
}

static gbl_Info check_members(const cli_Clustering *c, const char *path) {
    for (gbl_Index k = 1; k < c->n; k++)
        if (!strcmp(c->member[k - 1].name, c->member[k].name))
            return gbl_fail(GBL_INVALID_VALUE, NULL,
                            "%s: '%s' comes twice; each name is in one cluster, whose members "
                            "are a line (--by-vertex: lines of a name and its cluster)",
                            path, c->member[k].name);
    return GBL_SUCCESS;
}

/* A matrix of mcl has a line for each cluster, which ends in $, behind its number. */
static char *find_lines(char *text, bool *native) {
    char *const matrix = strstr(text, "(mclmatrix"), *const begin =
                                                         matrix ? strstr(matrix, "begin") : NULL;
    *native = begin != NULL;
    return begin ? begin + strlen("begin") : text;
}

static gbl_Info read_native(cli_Clustering *c, char *at, const char *path) {
    gbl_Info info = GBL_SUCCESS;
    bool inside = false; /* a cluster, whose number has been read */
    char *rest = NULL;
    for (char *word = strtok_r(at, " \t\r\n", &rest); word && *word != ')' && !info;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        word[strcspn(word, ":")] = '\0';
        if (*word == '$')
            c->clusters++;
        else if (inside)
            info = add(c, word, c->clusters);
        inside = *word != '$';
    }
    if (!info && inside)
        info = gbl_fail(GBL_INVALID_VALUE, NULL, "%s: the last cluster does not end in $", path);
    return info;
}

gbl_Info cli_clustering_read(cli_Clustering *c, const char *path, bool pairs) {
    cli_Clustering of = {0};
    size_t size;
    bool native = false;
    gbl_Info info = gbl_file_bytes(&c->text, &size, SIZE_MAX / 2, path);
    if (info) return info;
    char *const at = find_lines(c->text, &native), *rest = NULL;
    if (native) info = read_native(c, at, path);
    for (char *line = native ? NULL : strtok_r(at, "\r\n", &rest); line && !info;
         line = strtok_r(NULL, "\r\n", &rest))
        if (*line != '#' && line[strspn(line, " \t")])
            info = pairs ? read_pairs(c, line, &of, path) : read_cluster(c, line);
    if (!info && pairs && of.n > 0) number_clusters(c, of.member);
    free(of.member);
    if (info) return info;
    if (c->n == 0) return gbl_fail(GBL_INVALID_VALUE, NULL, "%s has no clusters", path);
    qsort(c->member, c->n, sizeof *c->member, by_name);
    return check_members(c, path);
}

void cli_clustering_free(cli_Clustering *c) {
    gbl_Memory_free(c->text);
    free(c->member);
    *c = (cli_Clustering){0};
}
