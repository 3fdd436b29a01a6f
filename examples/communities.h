/* SPDX-License-Identifier: Apache-2.0
 *
 * Communities of an undirected graph by modularity (V. Blondel, J. Guillaume, R. Lambiotte, E.
 * Lefebvre, Fast unfolding of communities in large networks, 2008):
 *
 *   Q = sum over communities c of  inside(c) / all - resolution * (total(c) / all)^2
 *
 * where inside(c) is the sum of the entries between vertices of c, total(c) that of their rows, and
 * all that of the matrix. Vertices move, one after the other by their numbers, to the community of
 * a neighbour that raises Q most, until none moves; then communities become vertices:
 *
 *   S(v, c) = 1 where v is in c;  A = S' * A * S
 *
 * and all again until nothing changes. The order is fixed, so the result is too. Moves read the
 * arrays of the graph in place, as one vertex at a time is no product.
 */
#ifndef GBLITE_EXAMPLES_COMMUNITIES_H
#define GBLITE_EXAMPLES_COMMUNITIES_H

#include <stdlib.h>
#include <string.h>

#include "gblite.h"

typedef struct {
    gbl_Arrays edges; /* CSR, FP64 */
    uint32_t n, found;
    uint32_t *community, *near;      /* [n]; near: communities of the neighbours of a vertex */
    double *degree, *total, *toward; /* [n]; toward: weights of edges from a vertex to each */
    double all, resolution;
} community_search;

static inline double community_weight(const community_search *s, uint64_t e) {
    const double *const x = (const double *)s->edges.x;
    return x[s->edges.iso ? 0 : e];
}

/* Moves v where that raises Q; whether it has moved. */
static inline bool community_move(community_search *s, uint32_t v) {
    const uint32_t own = s->community[v];
    uint32_t nears = 0, best = own;
    s->near[nears++] = own;
    for (uint64_t e = s->edges.p[v]; e < s->edges.p[v + 1]; e++) {
        const uint32_t c = s->community[s->edges.i[e]];
        if (s->edges.i[e] == v) continue;
        if (s->toward[c] == 0 && c != own) s->near[nears++] = c;
        s->toward[c] += community_weight(s, e);
    }
    const double share = s->resolution * s->degree[v] / s->all;
    s->total[own] -= s->degree[v];
    double most = s->toward[own] - share * s->total[own];
    for (uint32_t k = 1; k < nears; k++) {
        const uint32_t c = s->near[k];
        const double gain = s->toward[c] - share * s->total[c];
        if (gain > most + 1e-12 * s->all || (gain == most && best != own && c < best))
            best = c, most = gain;
    }
    for (uint32_t k = 0; k < nears; k++) s->toward[s->near[k]] = 0;
    s->total[best] += s->degree[v];
    s->community[v] = best;
    return best != own;
}

/* Moves all vertices until none moves, at most `rounds` times; then numbers the communities by
 * their first vertices. */
static inline gbl_Info community_level(community_search *s, int rounds) {
    enum { BETWEEN = 1 << 12 }; /* vertices between two looks whether the call is to end */
    bool moved = true;
    for (uint32_t v = 0; v < s->n; v++) {
        s->community[v] = v;
        s->degree[v] = s->toward[v] = 0;
        for (uint64_t e = s->edges.p[v]; e < s->edges.p[v + 1]; e++)
            s->degree[v] += community_weight(s, e);
        s->total[v] = s->degree[v];
    }
    for (; moved && rounds > 0; rounds--) {
        moved = false;
        for (uint32_t v = 0; v < s->n; v++) {
            if (v % BETWEEN == 0 && gbl_call_state() != GBL_SUCCESS) return GBL_CANCELLED;
            moved |= community_move(s, v);
        }
    }
    s->found = 0;
    memset(s->near, 0xff, s->n * sizeof *s->near);
    for (uint32_t v = 0; v < s->n; v++) {
        uint32_t *const number = &s->near[s->community[v]];
        if (*number == UINT32_MAX) *number = s->found++;
        s->community[v] = *number;
    }
    return GBL_SUCCESS;
}

/* S, with the community of each vertex. */
static inline gbl_Info community_matrix(gbl_Matrix *S, const community_search *s) {
    gbl_Arrays a = {.iso = true};
    a.p = (uint64_t *)gbl_Memory_malloc((s->n + 1) * sizeof *a.p);
    a.i = (uint32_t *)gbl_Memory_malloc((s->n + 1) * sizeof *a.i);
    a.x = gbl_Memory_malloc(sizeof(bool));
    gbl_Info info = GBL_SUCCESS;
    if (a.p && a.i && a.x) {
        for (uint64_t v = 0; v <= s->n; v++) a.p[v] = v;
        memcpy(a.i, s->community, s->n * sizeof *a.i);
        *(bool *)a.x = true;
        info = gbl_Matrix_moveIn(S, GBL_BOOL, s->n, s->found, GBL_CSR_FORMAT, &a);
    } else {
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for the communities");
    }
    gbl_Memory_free(a.p);
    gbl_Memory_free(a.i);
    gbl_Memory_free(a.x);
    return info;
}

/* *A becomes S' * A * S. */
static inline gbl_Info community_merge(gbl_Matrix *A, const community_search *s) {
    gbl_Matrix S = NULL, T = NULL, C = NULL;
    gbl_Info info;
    if ((info = community_matrix(&S, s)) || (info = gbl_Matrix_new(&T, GBL_FP64, s->found, s->n)) ||
        (info = gbl_Matrix_new(&C, GBL_FP64, s->found, s->found)) ||
        (info = gbl_mxm(T, NULL, NULL, GBL_PLUS_SECOND_SEMIRING_FP64, S, *A, GBL_DESC_T0)) ||
        (info = gbl_mxm(C, NULL, NULL, GBL_PLUS_FIRST_SEMIRING_FP64, T, S, NULL)))
        goto done;
    gbl_Matrix_free(A);
    *A = C;
    C = NULL;
done:
    gbl_Matrix_free(&S);
    gbl_Matrix_free(&T);
    gbl_Matrix_free(&C);
    return info;
}

/* Q of communities that have become the vertices of A. */
static inline gbl_Info community_quality(double *quality, gbl_Matrix A, double all,
                                         double resolution) {
    gbl_Matrix D = NULL;
    gbl_Vector total = NULL;
    double inside = 0, squares = 0;
    gbl_Index n;
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Matrix_new(&D, GBL_FP64, n, n)) ||
        (info = gbl_Vector_new(&total, GBL_FP64, n)) ||
        (info = gbl_Matrix_select_INT64(D, NULL, NULL, GBL_DIAG, A, 0, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(&inside, NULL, GBL_PLUS_MONOID_FP64, D, NULL)) ||
        (info = gbl_Matrix_reduce_Monoid(total, NULL, NULL, GBL_PLUS_MONOID_FP64, A, NULL)) ||
        (info = gbl_Vector_eWiseMult_BinaryOp(total, NULL, NULL, GBL_TIMES_FP64, total, total,
                                              NULL)) ||
        (info = gbl_Vector_reduce_FP64(&squares, NULL, GBL_PLUS_MONOID_FP64, total, NULL)))
        goto done;
    *quality = all > 0 ? inside / all - resolution * squares / all / all : 0;
done:
    gbl_Matrix_free(&D);
    gbl_Vector_free(&total);
    return info;
}

/* One level on A, whose vertices hold the original ones by whole[count]. */
static inline gbl_Info community_step(community_search *s, gbl_Matrix *A, uint32_t *whole,
                                      gbl_Index count) {
    enum { ROUNDS = 100 };
    gbl_Matrix B = NULL;
    gbl_Info info;
    if (!(info = gbl_Matrix_dup(&B, *A)) &&
        !(info = gbl_Matrix_moveOut(B, GBL_CSR_FORMAT, &s->edges)) &&
        !(info = community_level(s, ROUNDS))) {
        for (gbl_Index v = 0; v < count; v++) whole[v] = s->community[whole[v]];
        info = community_merge(A, s);
    }
    gbl_Memory_free(s->edges.p);
    gbl_Memory_free(s->edges.i);
    gbl_Memory_free(s->edges.x);
    s->edges = (gbl_Arrays){.p = NULL};
    gbl_Matrix_free(&B);
    return info;
}

/* *community is a new UINT32 vector: the lowest vertex of the community of each vertex. *quality is
 * Q. A is symmetric, with weights of edges that are not negative. The usual
 * resolution is 1; more makes smaller communities. One call of the library, for GBL_DEADLINE and
 * for progress. */
static inline gbl_Info communities(gbl_Vector *community, double *quality, gbl_Matrix A,
                                   double resolution) {
    community_search s = {.resolution = resolution};
    gbl_Matrix B = NULL;
    gbl_Vector v = NULL;
    gbl_Index n, *all = NULL;
    uint32_t *whole = NULL; /* of each vertex of A the one of B */
    gbl_Info info;
    gbl_call_begin();
    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Vector_new(&v, GBL_UINT32, n)) ||
        (info = gbl_Matrix_new(&B, GBL_FP64, n, n)) ||
        (info = gbl_Matrix_select_FP64(B, NULL, NULL, GBL_VALUENE_FP64, A, 0, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(&s.all, NULL, GBL_PLUS_MONOID_FP64, B, NULL)))
        goto done;
    if (n >= UINT32_MAX) {
        info = gbl_fail(GBL_NOT_IMPLEMENTED, A,
                        "more than 2^32 - 2 vertices: take their compact graph");
        goto done;
    }
    whole = (uint32_t *)malloc((3 * n + 1) * sizeof *whole);
    all = (gbl_Index *)malloc((n + 1) * sizeof *all);
    s.degree = (double *)malloc((3 * n + 1) * sizeof *s.degree);
    if (!whole || !all || !s.degree) {
        info = gbl_fail(GBL_OUT_OF_MEMORY, A, "no memory for %zu vertices", (size_t)n);
        goto done;
    }
    s.community = whole + n;
    s.near = s.community + n;
    s.total = s.degree + n;
    s.toward = s.total + n;
    for (gbl_Index k = 0; k < n; k++) whole[k] = (uint32_t)(all[k] = k);
    s.found = (uint32_t)n;
    do {
        s.n = s.found;
        if ((info = community_step(&s, &B, whole, n))) goto done;
    } while (s.found < s.n);
    if ((info = community_quality(quality, B, s.all, resolution))) goto done;
    for (gbl_Index k = n; k-- > 0;) s.near[whole[k]] = (uint32_t)k;
    for (gbl_Index k = 0; k < n; k++) whole[k] = s.near[whole[k]];
    info = gbl_Vector_build_UINT32(v, all, whole, n, NULL);
    if (!info) *community = v, v = NULL;
done:
    free(whole);
    free(all);
    free(s.degree);
    gbl_Vector_free(&v);
    gbl_Matrix_free(&B);
    gbl_call_end();
    return info;
}

#endif
