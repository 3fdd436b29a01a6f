/* SPDX-License-Identifier: Apache-2.0
 *
 * Options of Markov clustering, and clusters as text: one per line, largest first, equally large
 * ones by their smallest vertex: vertices from 1, ascending, separated by tabs.
 */
#include "markov.h"

#include <stdlib.h>

error_t cli_parse_markov(int key, char *text, struct argp_state *state, markov_options *m) {
    switch (key) {
    case 'I':
        m->keep.power = cli_parse_real(state, "--inflation", text, 1.01, 100);
        return 0;
    case 'p':
        m->prune = cli_parse_real(state, "--prune", text, 0, 0.1);
        return 0;
    case 'P':
        m->prune = 1 / (double)cli_parse_count(state, "--precision", text, 10, UINT64_C(1) << 53);
        return 0;
    case 'S':
        m->keep.most = cli_parse_count(state, "--select", text, 0, GBL_INDEX_MAX);
        return 0;
    case 'R':
        m->keep.recover = cli_parse_count(state, "--recover", text, 1, GBL_INDEX_MAX);
        return 0;
    case CLI_PERCENT:
        m->keep.share = cli_parse_real(state, "--pct", text, 1, 100) / 100;
        return 0;
    case CLI_DUST:
        m->dust = cli_parse_real(state, "--dust", text, 0, 0.01);
        return 0;
    case CLI_FLOAT64:
        m->single = false;
        return 0;
    case 'n':
        m->steps = (int64_t)cli_parse_count(state, "--steps", text, 1, 1000000);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int compare_clusters(const void *x, const void *y) {
    const cli_Cluster *a = x, *b = y;
    if (a->size != b->size) return a->size > b->size ? -1 : 1;
    return a->smallest < b->smallest ? -1 : 1;
}

/* Sorts the vertices by the label of their cluster, labels being vertices. */
gbl_Info cli_clusters_of(cli_Clusters *c, gbl_Vector cluster, gbl_Index n) {
    *c = (cli_Clusters){.n = n};
    int64_t *label = malloc((c->n + 1) * sizeof *label);
    uint64_t *next = calloc(c->n + 1, sizeof *next);
    gbl_Index labels = c->n;
    gbl_Info info;
    c->vertices = malloc((c->n + 1) * sizeof *c->vertices);
    c->clusters = malloc((c->n + 1) * sizeof *c->clusters);
    if (!label || !next || !c->vertices || !c->clusters) {
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the clusters");
        goto done;
    }
    if ((info = gbl_Vector_extractTuples_INT64(NULL, label, &labels, cluster))) goto done;
    for (gbl_Index v = 0; v < c->n; v++) next[label[v]]++;
    for (gbl_Index name = 0, first = 0; name < c->n; name++) {
        uint64_t size = next[name];
        next[name] = first;
        if (size) c->clusters[c->count++] = (cli_Cluster){.first = first, .size = size};
        first += size;
    }
    for (gbl_Index v = 0; v < c->n; v++) c->vertices[next[label[v]]++] = v;
    for (gbl_Index k = 0; k < c->count; k++)
        c->clusters[k].smallest = c->vertices[c->clusters[k].first];
    qsort(c->clusters, c->count, sizeof *c->clusters, compare_clusters);
done:
    free(label);
    free(next);
    return info;
}

gbl_Info cli_clusters_write(const cli_Clusters *c, const gbl_Labels *labels, const char *path) {
    const gbl_Labels none = {0};
    char room[24];
    FILE *file;
    gbl_Info info = cli_open(&file, path);
    if (info) return info;
    for (gbl_Index k = 0; k < c->count; k++)
        for (uint64_t v = 0; v < c->clusters[k].size; v++) {
            const uint64_t vertex = c->vertices[c->clusters[k].first + v];
            const char *end = v + 1 < c->clusters[k].size ? "\t" : "\n";
            fprintf(file, "%s%s", gbl_label(labels ? labels : &none, vertex, room), end);
        }
    return cli_close(&file, path);
}

gbl_Info cli_clusters_write_native(const cli_Clusters *c, const gbl_Labels *labels,
                                   const char *path) {
    const uint64_t *const id = labels->id;
    FILE *file;
    gbl_Info info = cli_open(&file, path);
    if (info) return info;
    fprintf(file, "(mclheader\nmcltype matrix\ndimensions %llux%llu\n)\n", (unsigned long long)c->n,
            (unsigned long long)c->count);
    if (id && c->n > 0 && id[c->n - 1] != c->n - 1) { /* not all numbers from 0 */
        fputs("(mclrows\n", file);
        for (gbl_Index v = 0; v < c->n; v++) fprintf(file, "%llu ", (unsigned long long)id[v]);
        fputs("$\n)\n", file);
    }
    fputs("(mclmatrix\nbegin\n", file);
    for (gbl_Index k = 0; k < c->count; k++) {
        fprintf(file, "%llu", (unsigned long long)k);
        for (uint64_t v = 0; v < c->clusters[k].size; v++) {
            const uint64_t vertex = c->vertices[c->clusters[k].first + v];
            fprintf(file, " %llu", (unsigned long long)(id ? id[vertex] : vertex));
        }
        fputs(" $\n", file);
    }
    fputs(")\n", file);
    return cli_close(&file, path);
}

gbl_Info cli_clusters_report(cli_Report *report, const cli_Clusters *c,
                             const cli_MarkovFacts *facts) {
    uint64_t *sizes = malloc((c->count + 1) * sizeof *sizes);
    if (!sizes) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the report");
    for (gbl_Index k = 0; k < c->count; k++) sizes[k] = c->clusters[k].size;
    cli_report_count(report, "clusters", c->count);
    cli_report_counts(report, "sizes", sizes, c->count);
    cli_report_count(report, "attractors", facts->attractors);
    cli_report_count(report, "overlap", facts->overlap);
    cli_report_count(report, "steps", (uint64_t)facts->steps);
    cli_report_number(report, "chaos", facts->chaos);
    cli_report_text(report, "method", facts->method);
    free(sizes);
    return GBL_SUCCESS;
}

void cli_clusters_free(cli_Clusters *clusters) {
    free(clusters->vertices);
    free(clusters->clusters);
    *clusters = (cli_Clusters){0};
}
