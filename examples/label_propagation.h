/* SPDX-License-Identifier: Apache-2.0
 *
 * Communities of an undirected graph by label propagation (U. Raghavan, R. Albert, S. Kumara,
 * 2007), all vertices at once, as LDBC Graphalytics defines it. Each vertex has its own number as
 * its label; in a step each takes
 *
 *   label(v) = the label that most of its neighbours have, of several the least
 *
 * until no label changes, or for so many steps: in bipartite parts labels may swap sides for ever.
 * Parts of about as many edges are taken by threads, and no vertex sees a label of the same step:
 * the result does not depend on threads. Counting labels is no product over a semiring whose values
 * have a fixed size, so the arrays of the graph are read in place.
 */
#ifndef GBLITE_EXAMPLES_LABEL_PROPAGATION_H
#define GBLITE_EXAMPLES_LABEL_PROPAGATION_H

#include <stdlib.h>

#include "gblite.h"

enum { LABEL_PARTS = 16 };

typedef struct {
    gbl_Arrays edges; /* CSR */
    gbl_Index n;
    uint32_t *label, *next, *count; /* [n], [n], [LABEL_PARTS][n]: 0 between two vertices */
    bool changed[LABEL_PARTS];
} label_search;

/* The first vertex of a part: edges before it are the share of the parts before. */
static inline gbl_Index label_first(const label_search *s, gbl_Index part) {
    const uint64_t edge = s->edges.p[s->n] / LABEL_PARTS * part;
    gbl_Index low = 0, high = s->n;
    if (part == LABEL_PARTS) return s->n;
    while (low < high) {
        const gbl_Index middle = low + (high - low) / 2;
        if (s->edges.p[middle] < edge)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline uint32_t label_most(const label_search *s, uint32_t *count, gbl_Index v) {
    uint32_t best = s->label[v], most = 0;
    for (uint64_t e = s->edges.p[v]; e < s->edges.p[v + 1]; e++) {
        const uint32_t label = s->label[s->edges.i[e]], now = ++count[label];
        if (now > most || (now == most && label < best)) best = label, most = now;
    }
    for (uint64_t e = s->edges.p[v]; e < s->edges.p[v + 1]; e++) count[s->label[s->edges.i[e]]] = 0;
    return best;
}

static inline void label_part(void *of, gbl_Index k) {
    label_search *const s = (label_search *)of;
    const gbl_Index end = label_first(s, k + 1);
    for (gbl_Index v = label_first(s, k); v < end; v++) {
        s->next[v] = label_most(s, s->count + k * s->n, v);
        s->changed[k] |= s->next[v] != s->label[v];
    }
}

/* One step; whether a label has changed. */
static inline bool label_step(label_search *s) {
    uint32_t *const before = s->label;
    bool changed = false;
    for (int k = 0; k < LABEL_PARTS; k++) s->changed[k] = false;
    gbl_parallel(LABEL_PARTS, label_part, s);
    for (int k = 0; k < LABEL_PARTS; k++) changed |= s->changed[k];
    s->label = s->next;
    s->next = before;
    return changed;
}

/* *community is a new UINT32 vector: the lowest vertex of the community, those of one label, of
 * each vertex. A is symmetric; loops do not count. *steps: how many at most, and how many it took.
 */
static inline gbl_Info label_propagation(gbl_Vector *community, gbl_Matrix A, int64_t *steps) {
    label_search s = {.n = 0};
    gbl_Matrix B = NULL;
    gbl_Vector v = NULL;
    gbl_Index *all = NULL;
    uint32_t *room = NULL;
    int64_t made = 0;
    gbl_Info info;
    gbl_call_begin();
    if ((info = gbl_Matrix_nrows(&s.n, A)) || (info = gbl_Vector_new(&v, GBL_UINT32, s.n)) ||
        (info = gbl_Matrix_new(&B, GBL_BOOL, s.n, s.n)) ||
        (info = gbl_Matrix_select_INT64(B, NULL, NULL, GBL_OFFDIAG, A, 0, NULL)))
        goto done;
    if (s.n >= UINT32_MAX) {
        info = gbl_fail(GBL_NOT_IMPLEMENTED, A,
                        "more than 2^32 - 2 vertices: take their compact graph");
        goto done;
    }
    room = (uint32_t *)calloc((2 + LABEL_PARTS) * s.n + 1, sizeof *room);
    all = (gbl_Index *)malloc((s.n + 1) * sizeof *all);
    if (!room || !all) {
        info = gbl_fail(GBL_OUT_OF_MEMORY, A, "no memory for %zu vertices", (size_t)s.n);
        goto done;
    }
    s.label = room;
    s.next = room + s.n;
    s.count = s.next + s.n;
    if ((info = gbl_Matrix_moveOut(B, GBL_CSR_FORMAT, &s.edges))) goto done;
    for (gbl_Index k = 0; k < s.n; k++) s.label[k] = (uint32_t)(all[k] = k);
    while (made < *steps) {
        made++;
        if (!label_step(&s)) break;
        if ((info = gbl_call_part((double)made / (double)*steps))) goto done;
    }
    for (gbl_Index k = s.n; k-- > 0;) s.count[s.label[k]] = (uint32_t)k;
    for (gbl_Index k = 0; k < s.n; k++) s.next[k] = s.count[s.label[k]];
    if ((info = gbl_Vector_build_UINT32(v, all, s.next, s.n, NULL))) goto done;
    *steps = made;
    *community = v;
    v = NULL;
done:
    gbl_Memory_free(s.edges.p);
    gbl_Memory_free(s.edges.i);
    gbl_Memory_free(s.edges.x);
    free(room);
    free(all);
    gbl_Vector_free(&v);
    gbl_Matrix_free(&B);
    gbl_call_end();
    return info;
}

#endif
