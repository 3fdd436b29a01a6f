/* SPDX-License-Identifier: Apache-2.0
 *
 * What the distances, in edges, from many vertices add up to. Searches from 64 sources go together:
 * bit s of seen(v) says whether source s has reached v, so that an edge takes one step for all of
 * them (M. Then et al., The more the merrier, 2014). Sources are cut into parts that threads take
 * as they come, each with sums of its own, added in order: the result does not depend on threads.
 */
#ifndef GBLITE_EXAMPLES_DISTANCE_SUMS_H
#define GBLITE_EXAMPLES_DISTANCE_SUMS_H

#include <stdlib.h>
#include <string.h>

#include "gblite.h"

enum { DISTANCE_PARTS = 16, DISTANCE_WORD = 64 };

typedef struct {
    const gbl_Arrays *edges; /* CSR, an entry (i,j) is an edge from i to j */
    gbl_Index n, count;      /* vertices, below 2^32 - 1; sources */
    const uint32_t *source;  /* [count] */
    uint32_t *far;           /* [count] how far each source's last vertex is; may be NULL */
    uint64_t *reached;       /* [count] how many it reaches, itself too; with far */
    struct {
        double *sum; /* [3 n] over the sources of the part */
        bool lost;   /* there was no memory */
    } part[DISTANCE_PARTS];
} distance_search;

/* The bits of now that are new where their edges lead; they become the next. */
typedef struct {
    uint64_t *seen, *now, *next;
    uint32_t *list, *following; /* vertices with bits in now, in next */
    gbl_Index listed;
} distance_word;

static inline void distance_advance(const gbl_Arrays *edges, distance_word *w) {
    gbl_Index found = 0;
    for (gbl_Index k = 0; k < w->listed; k++) {
        const uint32_t v = w->list[k];
        for (uint64_t e = edges->p[v]; e < edges->p[v + 1]; e++) {
            const uint32_t to = edges->i[e];
            const uint64_t fresh = w->now[v] & ~w->seen[to];
            if (fresh == 0) continue;
            if (w->next[to] == 0) w->following[found++] = to;
            w->next[to] |= fresh;
        }
    }
    for (gbl_Index k = 0; k < w->listed; k++) w->now[w->list[k]] = 0;
    uint64_t *const bits = w->now;
    uint32_t *const list = w->list;
    w->now = w->next;
    w->next = bits;
    w->list = w->following;
    w->following = list;
    w->listed = found;
}

/* From sources [first, end), 64 at most. */
static inline void distance_from(const distance_search *s, distance_word *w, double *sum,
                                 gbl_Index first, gbl_Index end) {
    memset(w->seen, 0, s->n * sizeof *w->seen);
    w->listed = 0;
    for (gbl_Index k = first; k < end; k++) {
        if (!w->now[s->source[k]]) w->list[w->listed++] = s->source[k];
        w->now[s->source[k]] |= UINT64_C(1) << (k - first);
        if (s->far) s->far[k] = 0, s->reached[k] = 0;
    }
    for (uint32_t level = 0; w->listed > 0; level++) {
        for (gbl_Index k = 0; k < w->listed; k++) {
            const uint32_t v = w->list[k];
            uint64_t bits = w->now[v];
            const double fresh = (double)__builtin_popcountll(bits);
            w->seen[v] |= bits;
            sum[3 * (size_t)v] += fresh;
            sum[3 * (size_t)v + 1] += fresh * level;
            if (level > 0) sum[3 * (size_t)v + 2] += fresh / level;
            for (; s->far && bits; bits &= bits - 1) {
                const gbl_Index source = first + (gbl_Index)__builtin_ctzll(bits);
                s->far[source] = level;
                s->reached[source]++;
            }
        }
        distance_advance(s->edges, w);
    }
}

static inline void distance_part(void *of, gbl_Index k) {
    distance_search *const s = (distance_search *)of;
    const gbl_Index words = (s->count + DISTANCE_WORD - 1) / DISTANCE_WORD;
    const gbl_Index first = words * k / DISTANCE_PARTS, last = words * (k + 1) / DISTANCE_PARTS;
    if (first == last) return;
    uint64_t *const bits = (uint64_t *)calloc(3 * s->n + 1, sizeof *bits);
    uint32_t *const lists = (uint32_t *)malloc((2 * s->n + 1) * sizeof *lists);
    double *const sum = s->part[k].sum = (double *)calloc(3 * s->n + 1, sizeof *sum);
    distance_word w = {bits, bits + s->n, bits + 2 * s->n, lists, lists + s->n, 0};
    s->part[k].lost = !bits || !lists || !sum;
    for (gbl_Index word = first; word < last && !s->part[k].lost; word++) {
        const gbl_Index source = word * DISTANCE_WORD, end = source + DISTANCE_WORD;
        distance_from(s, &w, sum, source, end < s->count ? end : s->count);
    }
    free(bits);
    free(lists);
}

/* Adds to sum[3v], [3v + 1] and [3v + 2] how many sources reach v, itself too, the sum of their
 * distances, and of 1 / distance. `s` has all but its parts. */
static inline gbl_Info distance_sums(double *sum, distance_search *s) {
    bool lost = false;
    gbl_parallel(DISTANCE_PARTS, distance_part, s);
    for (int k = 0; k < DISTANCE_PARTS; k++) lost |= s->part[k].lost;
    for (int k = 0; k < DISTANCE_PARTS; k++) {
        for (gbl_Index v = 0; v < 3 * s->n && s->part[k].sum && !lost; v++)
            sum[v] += s->part[k].sum[v];
        free(s->part[k].sum);
        s->part[k].sum = NULL;
    }
    return lost ? gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for searches of %zu vertices",
                           (size_t)s->n)
                : GBL_SUCCESS;
}

#endif
