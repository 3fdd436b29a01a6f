/* SPDX-License-Identifier: Apache-2.0
 *
 * Closeness centrality: how near the other vertices are. Of the distances d(u, v), in edges, of the
 * r vertices u != v that reach v, of n in all:
 *
 *   closeness(v) = r / (n - 1) * r / (sum of d(u, v))   (S. Wasserman, K. Faust, 1994)
 *   harmonic(v)  = sum of 1 / d(u, v)
 *
 * Searches from 64 vertices go together: bit s of seen(v) says whether source s has reached v, so
 * that an edge takes one step for all of them (M. Then et al., The more the merrier, 2014). Sources
 * are cut into parts that threads take as they come, each with sums of its own, added in order: the
 * result does not depend on threads.
 */
#ifndef GBLITE_EXAMPLES_CLOSENESS_H
#define GBLITE_EXAMPLES_CLOSENESS_H

#include <stdlib.h>
#include <string.h>

#include "gblite.h"

enum { CLOSENESS_PARTS = 16, CLOSENESS_WORD = 64 };

typedef struct {
    double *reached, *distance, *inverse; /* [n] sums over the sources of the part */
    bool lost;                            /* there was no memory */
} closeness_part;

typedef struct {
    gbl_Arrays edges;        /* CSR */
    gbl_Index n, first, end; /* sources */
    closeness_part part[CLOSENESS_PARTS];
} closeness_search;

/* The bits of now that are new where their edges lead; they become the next. */
typedef struct {
    uint64_t *seen, *now, *next;
    uint32_t *list, *following; /* vertices with bits in now, in next */
    gbl_Index listed;
} closeness_word;

static inline void closeness_advance(const closeness_search *s, closeness_word *w) {
    gbl_Index found = 0;
    for (gbl_Index k = 0; k < w->listed; k++) {
        const uint32_t v = w->list[k];
        for (uint64_t e = s->edges.p[v]; e < s->edges.p[v + 1]; e++) {
            const uint32_t to = s->edges.i[e];
            const uint64_t fresh = w->now[v] & ~w->seen[to];
            if (fresh == 0) continue;
            if (w->next[to] == 0) w->following[found++] = to;
            w->next[to] |= fresh;
        }
        w->now[v] = 0;
    }
    uint64_t *const bits = w->now;
    uint32_t *const list = w->list;
    w->now = w->next;
    w->next = bits;
    w->list = w->following;
    w->following = list;
    w->listed = found;
}

static inline void closeness_from(const closeness_search *s, closeness_word *w,
                                  closeness_part *part, gbl_Index source, gbl_Index end) {
    memset(w->seen, 0, s->n * sizeof *w->seen);
    w->listed = 0;
    for (gbl_Index v = source; v < end; v++) {
        w->now[v] = UINT64_C(1) << (v - source);
        w->list[w->listed++] = (uint32_t)v;
    }
    for (double level = 0; w->listed > 0; level++) {
        for (gbl_Index k = 0; k < w->listed; k++) {
            const uint32_t v = w->list[k];
            const double fresh = (double)__builtin_popcountll(w->now[v]);
            w->seen[v] |= w->now[v];
            if (level == 0) continue;
            part->reached[v] += fresh;
            part->distance[v] += fresh * level;
            part->inverse[v] += fresh / level;
        }
        closeness_advance(s, w);
    }
}

static inline void closeness_run(void *of, gbl_Index k) {
    closeness_search *const s = (closeness_search *)of;
    closeness_part *const part = &s->part[k];
    const gbl_Index words = (s->end - s->first + CLOSENESS_WORD - 1) / CLOSENESS_WORD;
    const gbl_Index first = words * k / CLOSENESS_PARTS, last = words * (k + 1) / CLOSENESS_PARTS;
    if (first == last) return;
    uint64_t *const bits = (uint64_t *)calloc(3 * s->n + 1, sizeof *bits);
    uint32_t *const lists = (uint32_t *)malloc((2 * s->n + 1) * sizeof *lists);
    closeness_word w = {bits, bits + s->n, bits + 2 * s->n, lists, lists + s->n, 0};
    part->lost = !bits || !lists;
    for (gbl_Index word = first; word < last && !part->lost; word++) {
        const gbl_Index v = s->first + word * CLOSENESS_WORD, end = v + CLOSENESS_WORD;
        closeness_from(s, &w, part, v, end < s->end ? end : s->end);
    }
    free(bits);
    free(lists);
}

/* sums: those of part 0 become those of all. */
static inline gbl_Info closeness_add(closeness_search *s) {
    bool lost = s->part[0].lost;
    for (int k = 1; k < CLOSENESS_PARTS; k++) {
        lost |= s->part[k].lost;
        for (gbl_Index v = 0; v < 3 * s->n; v++) s->part[0].reached[v] += s->part[k].reached[v];
    }
    return lost ? gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for searches") : GBL_SUCCESS;
}

/* The progress callback gets the part done, or is NULL; it ends the call where it is false. */
typedef bool (*closeness_progress)(double done);

/* *closeness and *harmonic are new FP64 vectors with an entry for each vertex; either may be NULL.
 * A is square, an entry (i,j) is an edge from i to j. */
static inline gbl_Info closeness(gbl_Vector *close, gbl_Vector *harmonic, gbl_Matrix A,
                                 closeness_progress progress) {
    enum { AT_ONCE = CLOSENESS_PARTS * CLOSENESS_WORD * 4 }; /* sources between two reports */
    closeness_search s = {.n = 0};
    gbl_Matrix B = NULL;
    gbl_Vector c = NULL, h = NULL;
    gbl_Index *all = NULL;
    double *sums = NULL;
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&s.n, A)) || (info = gbl_Vector_new(&c, GBL_FP64, s.n)) ||
        (info = gbl_Vector_new(&h, GBL_FP64, s.n)) || (info = gbl_Matrix_dup(&B, A)))
        goto done;
    all = (gbl_Index *)malloc((s.n + 1) * sizeof *all);
    sums = s.n < UINT32_MAX ? (double *)calloc(3 * CLOSENESS_PARTS * s.n + 1, sizeof *sums) : NULL;
    if (!all || !sums) {
        info = gbl_fail(GBL_OUT_OF_MEMORY, A, "no memory for %zu vertices", (size_t)s.n);
        goto done;
    }
    for (gbl_Index k = 0; k < CLOSENESS_PARTS; k++) {
        s.part[k].reached = sums + 3 * k * s.n;
        s.part[k].distance = s.part[k].reached + s.n;
        s.part[k].inverse = s.part[k].distance + s.n;
    }
    if ((info = gbl_Matrix_moveOut(B, GBL_CSR_FORMAT, &s.edges))) goto done;
    for (; s.first < s.n; s.first = s.end) {
        s.end = s.n - s.first < AT_ONCE ? s.n : s.first + AT_ONCE;
        gbl_parallel(CLOSENESS_PARTS, closeness_run, &s);
        if (progress && !progress((double)s.end / (double)s.n)) {
            info = gbl_fail(GBL_CANCELLED, A, "the searches were ended by their progress callback");
            goto done;
        }
    }
    if ((info = closeness_add(&s))) goto done;
    for (gbl_Index v = 0; v < s.n; v++) {
        const double r = sums[v], d = sums[s.n + v];
        all[v] = v;
        sums[v] = r > 0 ? r / (double)(s.n - 1) * r / d : 0;
    }
    if ((info = gbl_Vector_build_FP64(c, all, sums, s.n, NULL)) ||
        (info = gbl_Vector_build_FP64(h, all, sums + 2 * s.n, s.n, NULL)))
        goto done;
    if (close) *close = c, c = NULL;
    if (harmonic) *harmonic = h, h = NULL;
done:
    gbl_Memory_free(s.edges.p);
    gbl_Memory_free(s.edges.i);
    gbl_Memory_free(s.edges.x);
    free(all);
    free(sums);
    gbl_Vector_free(&c);
    gbl_Vector_free(&h);
    gbl_Matrix_free(&B);
    return info;
}

#endif
