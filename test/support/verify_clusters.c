/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters of the Markov process, by plain loops over a square of all flow; see verify.h.
 */
#include "support/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double settled = 1e-4;

/* Row i becomes its values squared, scaled to sum 1; returns its chaos. */
static double inflate(double *row, gbl_Index n, bool square) {
    double sum = 0, most = 0, squares = 0;
    for (gbl_Index j = 0; j < n; j++) {
        if (square) row[j] *= row[j];
        sum += row[j];
    }
    for (gbl_Index j = 0; j < n; j++) {
        row[j] /= sum;
        most = fmax(most, row[j]);
        squares += row[j] * row[j];
    }
    return most - squares;
}

static double *first_flow(const v_Graph *g) {
    const gbl_Index n = g->n;
    double *f = calloc(n * n + 1, sizeof *f);
    for (gbl_Index v = 0; v < n; v++) {
        for (gbl_Index e = g->p[v]; e < g->p[v + 1]; e++) {
            const gbl_Index w = g->i[e];
            if (w != v) f[v * n + w] = f[w * n + v] = fmax(f[v * n + w], g->x[e]);
        }
    }
    for (gbl_Index v = 0; v < n; v++) {
        double most = 0;
        for (gbl_Index w = 0; w < n; w++) most = fmax(most, f[v * n + w]);
        f[v * n + v] = most > 0 ? most : 1;
        inflate(f + v * n, n, false);
    }
    return f;
}

/* The flow in the end, nothing pruned; to be freed. */
static double *settle(const v_Graph *g) {
    const gbl_Index n = g->n;
    double *f = first_flow(g), *next = malloc((n * n + 1) * sizeof *next), chaos = 1;
    while (chaos > settled && n > 0) {
        chaos = 0;
        memset(next, 0, n * n * sizeof *next);
        for (gbl_Index i = 0; i < n; i++) {
            double *row = next + i * n;
            for (gbl_Index k = 0; k < n; k++) {
                const double x = f[i * n + k];
                for (gbl_Index j = 0; x != 0 && j < n; j++) row[j] += x * f[k * n + j];
            }
            chaos = fmax(chaos, inflate(row, n, true));
        }
        double *const swap = f;
        f = next;
        next = swap;
    }
    free(next);
    return f;
}

/* attractor[i]: the lowest attractor of those that flow joins with i, NAN for others. */
static double *join_attractors(const double *f, gbl_Index n) {
    double *a = malloc((n + 1) * sizeof *a);
    bool falls = true;
    for (gbl_Index i = 0; i < n; i++) a[i] = f[i * n + i] >= settled ? (double)i : NAN;
    while (falls) {
        falls = false;
        for (gbl_Index i = 0; i < n; i++) {
            for (gbl_Index j = 0; j < n; j++) {
                if (isnan(a[i]) || isnan(a[j]) || a[i] == a[j] || f[i * n + j] < settled) continue;
                a[i] = a[j] = fmin(a[i], a[j]);
                falls = true;
            }
        }
    }
    return a;
}

void v_clusters(const v_Graph *g, gbl_Vector cluster, gbl_Vector attractors, gbl_Vector overlap) {
    const gbl_Index n = g->n;
    double *f = settle(g), *a = join_attractors(f, n);
    double *c = v_values(cluster), *b = v_values(attractors), *o = v_values(overlap);
    for (gbl_Index i = 0; i < n; i++) {
        double first = INFINITY, last = -1;
        for (gbl_Index j = 0; j < n; j++) {
            if (isnan(a[j]) || f[i * n + j] < settled) continue;
            first = fmin(first, a[j]);
            last = fmax(last, a[j]);
        }
        CHECK(c[i] == first);
        CHECK(isnan(a[i]) ? isnan(b[i]) : a[i] == b[i]);
        CHECK(isnan(o[i]) == (first == last));
    }
    free(f);
    free(a);
    free(b);
    free(c);
    free(o);
}
