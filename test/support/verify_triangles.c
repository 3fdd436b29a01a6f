/* SPDX-License-Identifier: Apache-2.0
 *
 * Triangles, trusses and clustering coefficients of small undirected graphs, on adjacency matrices
 * of bytes without loops; see verify.h.
 */
#include "support/verify.h"

#include <math.h>
#include <stdlib.h>

static uint8_t *adjacency(const v_Graph *g) {
    uint8_t *a = calloc(g->n * g->n + 1, 1);
    for (gbl_Index v = 0; v < g->n; v++)
        for (gbl_Index e = g->p[v]; e < g->p[v + 1]; e++)
            if (g->i[e] != v) a[v * g->n + g->i[e]] = 1;
    return a;
}

static int64_t common(const uint8_t *a, gbl_Index n, gbl_Index u, gbl_Index v) {
    int64_t count = 0;
    for (gbl_Index k = 0; k < n; k++) count += a[u * n + k] && a[v * n + k];
    return count;
}

void v_truss(const v_Graph *g, gbl_Matrix truss, int64_t k) {
    v_Graph t = v_graph(truss);
    uint8_t *a = adjacency(g), *b = adjacency(&t);
    const gbl_Index n = g->n;
    CHECK_EQ(t.n, n);
    for (gbl_Index v = 0; v < n; v++) {
        for (gbl_Index e = t.p[v]; e < t.p[v + 1]; e++) {
            const gbl_Index w = t.i[e];
            CHECK(w != v && a[v * n + w] && b[w * n + v]);
            CHECK_EQ(t.x[e], common(b, n, v, w));
            CHECK(t.x[e] >= (double)(k - 2));
        }
    }
    bool gone = true;
    while (gone) {
        gone = false;
        for (gbl_Index v = 0; v < n; v++) {
            for (gbl_Index w = 0; w < n; w++) {
                if (!a[v * n + w] || common(a, n, v, w) >= k - 2) continue;
                a[v * n + w] = a[w * n + v] = 0;
                gone = true;
            }
        }
    }
    for (gbl_Index e = 0; e < n * n; e++) CHECK(a[e] == b[e]);
    free(a);
    free(b);
    v_graph_free(&t);
}

void v_coefficients(const v_Graph *g, gbl_Vector coefficient) {
    double *c = v_values(coefficient);
    uint8_t *a = adjacency(g);
    for (gbl_Index v = 0; v < g->n; v++) {
        int64_t degree = 0, pairs = 0;
        for (gbl_Index w = 0; w < g->n; w++) {
            if (!a[v * g->n + w]) continue;
            degree++;
            pairs += common(a, g->n, v, w);
        }
        const double expected =
            degree < 2 ? 0 : (double)pairs / ((double)degree * (double)(degree - 1));
        CHECK(fabs(c[v] - expected) <= 1e-14);
    }
    free(c);
    free(a);
}

void v_triangles(const v_Graph *g, uint64_t triangles) {
    uint8_t *a = adjacency(g);
    int64_t sum = 0;
    for (gbl_Index v = 0; v < g->n; v++)
        for (gbl_Index w = 0; w < g->n; w++)
            if (a[v * g->n + w]) sum += common(a, g->n, v, w);
    CHECK_EQ(triangles, sum / 6);
    free(a);
}
