/* SPDX-License-Identifier: Apache-2.0
 *
 * Connected components of an undirected graph. Each vertex has a parent with no higher number, so
 * parents form trees, whose roots are their lowest vertices. Roots hook onto lower ones until each
 * component is one tree, of depth 1 after every step. As in Afforest (M. Sutton, T. Ben-Nun, A.
 * Barak, 2018) few edges join most vertices, and those of the largest tree look at no other:
 *
 *   parent(v) min= the first neighbour of v           A * parent over (any, secondi)
 *   where no tree has a quarter of all: a step of the lowest eighth of the vertices, then of all
 *   else: of the vertices outside the largest tree, until nothing changes
 *
 * A step of some vertices: the root of each hooks onto the least root of a neighbour, where the
 * largest tree counts as the least of all (A * root over (min, second), then scatter). Edges are
 * seen from their higher end, so those of the large tree need not look. Rounds are few, as in
 * FastSV (Y. Zhang, A. Azad, Z. Hu, 2020).
 */
#ifndef GBLITE_EXAMPLES_COMPONENTS_H
#define GBLITE_EXAMPLES_COMPONENTS_H

#include "gblite.h"

typedef struct {
    gbl_Vector parent, some, root, least, joined;
    gbl_Index n;
    int64_t sum;   /* of the parents, which only fall, when they were flattened last */
    int64_t large; /* root of the largest tree, or -1 */
} components_state;

/* s->large = the root that most of a sample have; *share = the part of it that does. */
static inline gbl_Info components_find_large(components_state *s, double *share) {
    enum { SAMPLES = 64 };
    int64_t root[SAMPLES];
    int most = 0;
    gbl_Info info;
    for (gbl_Index k = 0; k < SAMPLES; k++) {
        int same = 1;
        info = gbl_Vector_extractElement_INT64(&root[k], s->parent, k * s->n / SAMPLES);
        if (info) return info;
        for (gbl_Index j = 0; j < k; j++) same += root[j] == root[k];
        if (same > most) s->large = root[k];
        if (same > most) most = same;
    }
    *share = (double)most / SAMPLES;
    return GBL_SUCCESS;
}

/* Parents become roots. */
static inline gbl_Info components_flatten(components_state *s) {
    const gbl_Info info = gbl_Vector_roots(s->parent, NULL, NULL, s->parent, NULL);
    if (info) return info;
    return gbl_Vector_reduce_INT64(&s->sum, NULL, GBL_PLUS_MONOID_INT64, s->parent, NULL);
}

/* What hooked onto the largest tree, marked by INT64_MIN, gets its root, and it the lowest of all.
 */
static inline gbl_Info components_join(components_state *s) {
    int64_t low;
    gbl_Info info;
    if ((info = gbl_Vector_select_INT64(s->joined, NULL, NULL, GBL_VALUELT_INT64, s->parent, 0,
                                        NULL)) ||
        (info = gbl_Vector_apply_IndexOp_INT64(s->joined, NULL, NULL, GBL_ROWINDEX_INT64, s->joined,
                                               0, NULL)) ||
        (info = gbl_Vector_reduce_INT64(&low, NULL, GBL_MIN_MONOID_INT64, s->joined, NULL)))
        return info;
    if (low > s->large) low = s->large;
    if ((info =
             gbl_Vector_assign_INT64(s->parent, s->joined, NULL, low, GBL_ALL, s->n, GBL_DESC_S)) ||
        (info = gbl_Vector_setElement_INT64(s->parent, low, (gbl_Index)s->large)))
        return info;
    s->large = low;
    return info;
}

/* A step of the vertices that s->some has, with their roots; or of all, while no tree is large. */
static inline gbl_Info components_step(components_state *s, gbl_Matrix A, bool all) {
    gbl_Vector root = s->parent, some = all ? NULL : s->some;
    gbl_Index edges;
    gbl_Info info = GBL_SUCCESS;

    if (s->large >= 0) {
        root = s->root;
        if ((info = gbl_Vector_assign_INT64(root, NULL, NULL, INT64_MIN, GBL_ALL, s->n, NULL)) ||
            (info = gbl_Vector_assign(root, some, NULL, some, GBL_ALL, s->n, GBL_DESC_S)))
            return info;
    }
    if ((info = gbl_mxv(s->least, some, NULL, GBL_MIN_SECOND_SEMIRING_INT64, A, root,
                        all ? NULL : GBL_DESC_RS)) ||
        (info = gbl_Vector_nvals(&edges, s->least)) || edges == 0 ||
        (info = gbl_Vector_scatter(s->parent, NULL, GBL_MIN_INT64, GBL_MIN_INT64, s->least,
                                   all ? s->parent : some, NULL)) ||
        (s->large >= 0 && (info = components_join(s))))
        return info;
    return components_flatten(s);
}

static inline gbl_Info components_run(components_state *s, gbl_Matrix A) {
    gbl_Info info;
    int64_t before = -1;
    double share = 0;
    if ((info = gbl_Vector_assign_INT64(s->parent, NULL, NULL, 0, GBL_ALL, s->n, NULL)) ||
        (info = gbl_Vector_apply_IndexOp_INT64(s->parent, NULL, NULL, GBL_ROWINDEX_INT64, s->parent,
                                               0, NULL)) ||
        (info = gbl_mxv(s->parent, NULL, GBL_MIN_INT64, GBL_ANY_SECONDI_SEMIRING_INT64, A,
                        s->parent, NULL)) ||
        (info = components_flatten(s)))
        return info;
    for (int step = 0; s->sum != before; step++) {
        before = s->sum;
        if ((info = components_find_large(s, &share))) return info;
        const bool is_large = share >= .25;
        if (!is_large) s->large = -1;
        if (is_large) {
            gbl_Index outside = 0;
            info = gbl_Vector_select_INT64(s->some, NULL, NULL, GBL_VALUENE_INT64, s->parent,
                                           s->large, NULL);
            if (info || (info = gbl_Vector_nvals(&outside, s->some)) || outside == 0) return info;
        } else if (step == 0)
            info = gbl_Vector_select_INT64(s->some, NULL, NULL, GBL_ROWLE, s->parent,
                                           (int64_t)s->n / 8, NULL);
        if (info || (info = components_step(s, A, !is_large && step > 0))) return info;
        if (step == 0 && !is_large) before = -1; /* the others have not looked */
    }
    return info;
}

/* *label is a new INT64 vector: the lowest vertex of the component of each vertex. A is square and
 * has a symmetric pattern. */
static inline gbl_Info components(gbl_Vector *label, gbl_Matrix A) {
    components_state s = {.sum = -1, .large = -1};
    gbl_Vector *all[] = {&s.parent, &s.some, &s.root, &s.least, &s.joined};
    enum { VECTORS = sizeof all / sizeof *all };
    gbl_Info info = gbl_Matrix_nrows(&s.n, A);
    for (int k = 0; !info && k < VECTORS; k++) info = gbl_Vector_new(all[k], GBL_INT64, s.n);
    if (!info && s.n > 0) info = components_run(&s, A);
    if (!info) {
        *label = s.parent;
        s.parent = NULL;
    }
    for (int k = 0; k < VECTORS; k++) gbl_Vector_free(all[k]);
    return info;
}

#endif
