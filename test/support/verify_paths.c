/* SPDX-License-Identifier: Apache-2.0
 *
 * Levels, distances and components; see verify.h.
 */
#include "support/verify.h"

#include <math.h>
#include <stdlib.h>

v_Graph v_graph(gbl_Matrix A) {
    v_Graph g = {0};
    OK(gbl_Matrix_nrows(&g.n, A));
    gbl_Index edges = t_nvals(A);
    gbl_Index *row = malloc((edges + 1) * sizeof *row);
    g.p = calloc(g.n + 1, sizeof *g.p);
    g.i = malloc((edges + 1) * sizeof *g.i);
    g.x = malloc((edges + 1) * sizeof *g.x);
    OK(gbl_Matrix_extractTuples_FP64(row, g.i, g.x, &edges, A));
    for (gbl_Index e = 0; e < edges; e++) {
        g.p[row[e] + 1]++;
        CHECK(e == 0 || row[e - 1] < row[e] || (row[e - 1] == row[e] && g.i[e - 1] < g.i[e]));
    }
    for (gbl_Index v = 0; v < g.n; v++) g.p[v + 1] += g.p[v];
    free(row);
    return g;
}

void v_graph_free(v_Graph *g) {
    free(g->p);
    free(g->i);
    free(g->x);
}

static bool has_edge(const v_Graph *g, gbl_Index from, gbl_Index to) {
    for (gbl_Index e = g->p[from]; e < g->p[from + 1]; e++)
        if (g->i[e] == to) return true;
    return false;
}

double *v_values(gbl_Vector v) {
    gbl_Index n;
    OK(gbl_Vector_size(&n, v));
    gbl_Index count = t_nvals_vector(v);
    gbl_Index *at = malloc((count + 1) * sizeof *at);
    double *x = malloc((count + 1) * sizeof *x), *all = malloc((n + 1) * sizeof *all);
    OK(gbl_Vector_extractTuples_FP64(at, x, &count, v));
    for (gbl_Index k = 0; k < n; k++) all[k] = NAN;
    for (gbl_Index k = 0; k < count; k++) all[at[k]] = x[k];
    free(at);
    free(x);
    return all;
}

void v_levels(const v_Graph *g, gbl_Index source, gbl_Vector level, gbl_Vector parent) {
    double *l = v_values(level), *p = v_values(parent);
    CHECK(l[source] == 0 && p[source] == (double)source);
    for (gbl_Index v = 0; v < g->n; v++) {
        CHECK(isnan(l[v]) == isnan(p[v]));
        if (isnan(l[v])) continue;
        const gbl_Index before = (gbl_Index)p[v];
        if (v != source) CHECK(l[before] == l[v] - 1 && has_edge(g, before, v));
        for (gbl_Index e = g->p[v]; e < g->p[v + 1]; e++) CHECK(l[g->i[e]] <= l[v] + 1);
    }
    free(l);
    free(p);
}

void v_distances(const v_Graph *g, gbl_Index source, gbl_Vector distance) {
    double *d = v_values(distance);
    bool *attained = calloc(g->n + 1, sizeof *attained);
    CHECK(d[source] == 0);
    attained[source] = true;
    for (gbl_Index v = 0; v < g->n; v++) {
        if (isnan(d[v])) continue;
        for (gbl_Index e = g->p[v]; e < g->p[v + 1]; e++) {
            CHECK(g->x[e] > 0);
            CHECK(d[g->i[e]] <= d[v] + g->x[e]); /* also says that it is reached */
            if (d[g->i[e]] == d[v] + g->x[e]) attained[g->i[e]] = true;
        }
    }
    for (gbl_Index v = 0; v < g->n; v++) CHECK(isnan(d[v]) || attained[v]);
    free(d);
    free(attained);
}

/* How many vertices a search from v reaches; they are marked. */
static gbl_Index reach(const v_Graph *g, gbl_Index v, bool *seen) {
    gbl_Index *queue = malloc((g->n + 1) * sizeof *queue), first = 0, last = 0;
    queue[last++] = v;
    seen[v] = true;
    while (first < last) {
        v = queue[first++];
        for (gbl_Index e = g->p[v]; e < g->p[v + 1]; e++) {
            if (seen[g->i[e]]) continue;
            seen[g->i[e]] = true;
            queue[last++] = g->i[e];
        }
    }
    free(queue);
    return last;
}

void v_components(const v_Graph *g, gbl_Vector label) {
    double *l = v_values(label);
    bool *seen = calloc(g->n + 1, sizeof *seen);
    gbl_Index *size = calloc(g->n + 1, sizeof *size);
    for (gbl_Index v = 0; v < g->n; v++) {
        CHECK(l[v] >= 0 && l[v] <= (double)v);
        CHECK(l[(gbl_Index)l[v]] == l[v]);
        size[(gbl_Index)l[v]]++;
        for (gbl_Index e = g->p[v]; e < g->p[v + 1]; e++) CHECK(l[g->i[e]] == l[v]);
    }
    for (gbl_Index v = 0; v < g->n; v++)
        if (l[v] == (double)v) CHECK_EQ(reach(g, v, seen), size[v]);
    free(l);
    free(seen);
    free(size);
}
