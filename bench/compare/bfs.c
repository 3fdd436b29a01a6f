/* SPDX-License-Identifier: Apache-2.0
 *
 * Job: breadth-first search from the vertex of highest degree, giving levels and parents.
 *   bfs min   the parent is the smallest possible; the same calls on both sides, results equal
 *   bfs any   the parent is any of the level above, which allows an early exit; levels must be
 *             equal, and every parent must be one level up and joined by an edge
 *
 * gblite decides by itself between push and pull. For SuiteSparse the caller does: "push" always
 * multiplies from the left, "push/pull" turns to pulling while the frontier is large.
 */
#include "compare/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TO_PULL = 8, TO_PUSH = 512 }; /* n / TO_PULL grows: pull; n / TO_PUSH shrinks: push */

typedef struct {
    const peer_input *in;
    gbl_Index source;
    bool any, pull;
    gbl_Vector level, parent;
    GrB_Vector level_other, parent_other;
    gbl_Explanation how; /* of the last step that reached something */
} bfs_context;

static int run_bfs(void *context) {
    bfs_context *c = context;
    gbl_Index n = c->in->nrows, s = c->source, reached = 1;
    gbl_Semiring ring = c->any ? GBL_ANY_SECONDI_SEMIRING_INT64 : GBL_MIN_SECONDI_SEMIRING_INT64;
    gbl_Vector q = NULL;
    gbl_Info info = gbl_Vector_new(&c->level, GBL_INT32, n);
    if (info == GBL_SUCCESS) info = gbl_Vector_new(&c->parent, GBL_INT64, n);
    if (info == GBL_SUCCESS) info = gbl_Vector_new(&q, GBL_INT64, n);
    if (info == GBL_SUCCESS) info = gbl_Vector_setElement_INT32(c->level, 0, s);
    if (info == GBL_SUCCESS) info = gbl_Vector_setElement_INT64(c->parent, (int64_t)s, s);
    if (info == GBL_SUCCESS) info = gbl_Vector_setElement_INT64(q, (int64_t)s, s);
    for (int32_t depth = 1; info == GBL_SUCCESS && reached > 0; depth++) {
        info = gbl_vxm(q, c->parent, NULL, ring, q, c->in->A, GBL_DESC_RSC);
        if (info == GBL_SUCCESS) info = gbl_Vector_nvals(&reached, q);
        if (info != GBL_SUCCESS || reached == 0) break;
        info = gbl_Vector_assign(c->parent, q, NULL, q, GBL_ALL, n, GBL_DESC_S);
        if (info == GBL_SUCCESS)
            info = gbl_Vector_assign_INT32(c->level, q, NULL, depth, GBL_ALL, n, GBL_DESC_S);
    }
    if (info == GBL_SUCCESS) info = gbl_Vector_explain(&c->how, q);
    bool failed = bench_failed(info, "breadth-first search");
    gbl_Vector_free(&q);
    return failed ? -1 : 0;
}

static void reset_bfs(void *context) {
    bfs_context *c = context;
    gbl_Vector_free(&c->level);
    gbl_Vector_free(&c->parent);
}

static GrB_Info new_dense(GrB_Vector *v, GrB_Type type, GrB_Index n) {
    GrB_Info info = GrB_Vector_new(v, type, n);
    if (info == GrB_SUCCESS)
        info = GxB_Vector_Option_set(*v, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL);
    return info;
}

/* One step; *pulling follows the size of the frontier. */
static GrB_Info step_other(bfs_context *c, GrB_Vector q, GrB_Index before, GrB_Index now,
                           bool *pulling) {
    GrB_Index n = c->in->nrows;
    GrB_Matrix S = c->in->S;
    GrB_Semiring ring = c->any ? GxB_ANY_SECONDI_INT64 : GxB_MIN_SECONDI_INT64;
    if (c->pull) {
        if (!*pulling && now > before && now > n / TO_PULL) *pulling = true;
        if (*pulling && now < before && now < n / TO_PUSH) *pulling = false;
        GrB_Info info =
            GxB_Vector_Option_set(q, GxB_SPARSITY_CONTROL, *pulling ? GxB_BITMAP : GxB_SPARSE);
        if (info != GrB_SUCCESS) return info;
    }
    /* the graph is undirected: S is its own transpose */
    if (*pulling) return GrB_mxv(q, c->parent_other, NULL, ring, S, q, GrB_DESC_RSC);
    return GrB_vxm(q, c->parent_other, NULL, ring, q, S, GrB_DESC_RSC);
}

static int run_bfs_other(void *context) {
    bfs_context *c = context;
    GrB_Index n = c->in->nrows, s = c->source, before = 0, now = 1;
    GrB_Vector q = NULL;
    bool pulling = false;
    GrB_Info info = new_dense(&c->level_other, GrB_INT32, n);
    if (info == GrB_SUCCESS) info = new_dense(&c->parent_other, GrB_INT64, n);
    if (info == GrB_SUCCESS) info = GrB_Vector_new(&q, GrB_INT64, n);
    if (info == GrB_SUCCESS) info = GrB_Vector_setElement_INT32(c->level_other, 0, s);
    if (info == GrB_SUCCESS) info = GrB_Vector_setElement_INT64(c->parent_other, (int64_t)s, s);
    if (info == GrB_SUCCESS) info = GrB_Vector_setElement_INT64(q, (int64_t)s, s);
    for (int32_t depth = 1; info == GrB_SUCCESS && now > 0; depth++) {
        info = step_other(c, q, before, now, &pulling);
        before = now;
        if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&now, q);
        if (info != GrB_SUCCESS || now == 0) break;
        info = GrB_Vector_assign(c->parent_other, q, NULL, q, GrB_ALL, n, GrB_DESC_S);
        if (info == GrB_SUCCESS)
            info = GrB_Vector_assign_INT32(c->level_other, q, NULL, depth, GrB_ALL, n, GrB_DESC_S);
    }
    bool failed = peer_failed(info, "breadth-first search");
    GrB_Vector_free(&q);
    return failed ? -1 : 0;
}

static void reset_bfs_other(void *context) {
    bfs_context *c = context;
    GrB_Vector_free(&c->level_other);
    GrB_Vector_free(&c->parent_other);
}

/* Levels and parents of every vertex, -1 where it was not reached. */
typedef struct {
    int64_t *level, *parent;
    uint64_t reached;
} bfs_result;

static int64_t *spread(const gbl_Index *I, const int64_t *X, gbl_Index count, gbl_Index n) {
    int64_t *dense = malloc((n + 1) * sizeof *dense);
    for (gbl_Index v = 0; dense != NULL && v < n; v++) dense[v] = -1;
    for (gbl_Index k = 0; dense != NULL && k < count; k++) dense[I[k]] = X[k];
    return dense;
}

static bool take_result(const bfs_context *c, bool other, bfs_result *r) {
    bool failed = true;
    gbl_Index n = c->in->nrows;
    gbl_Index *I = malloc((n + 1) * sizeof *I);
    int64_t *X = malloc((n + 1) * sizeof *X);
    gbl_Index count = n;
    if (I == NULL || X == NULL) goto done;
    failed =
        other ? peer_failed(GrB_Vector_extractTuples_INT64(I, X, &count, c->level_other), "levels")
              : bench_failed(gbl_Vector_extractTuples_INT64(I, X, &count, c->level), "levels");
    if (failed) goto done;
    r->level = spread(I, X, count, n);
    r->reached = count;
    count = n;
    failed =
        other
            ? peer_failed(GrB_Vector_extractTuples_INT64(I, X, &count, c->parent_other), "parents")
            : bench_failed(gbl_Vector_extractTuples_INT64(I, X, &count, c->parent), "parents");
    if (failed) goto done;
    r->parent = spread(I, X, count, n);
    failed = r->level == NULL || r->parent == NULL;
done:
    free(I);
    free(X);
    return !failed;
}

static int by_index(const void *a, const void *b) {
    gbl_Index x = *(const gbl_Index *)a, y = *(const gbl_Index *)b;
    return (x > y) - (x < y);
}

/* Every reached vertex but the source has a parent one level up, joined by an edge. */
static bool parents_valid(const bfs_context *c, const bfs_result *r) {
    const peer_input *in = c->in;
    for (gbl_Index v = 0; v < in->nrows; v++) {
        int64_t parent = r->parent[v];
        if ((parent < 0) != (r->level[v] < 0)) return false;
        if (parent < 0 || v == c->source) continue;
        if ((gbl_Index)parent >= in->nrows || r->level[parent] != r->level[v] - 1) return false;
        gbl_Index from = (gbl_Index)parent, start = in->Ap[from], end = in->Ap[from + 1];
        if (bsearch(&v, in->Ai + start, end - start, sizeof v, by_index) == NULL) return false;
    }
    return r->parent[c->source] == (int64_t)c->source;
}

static bool results_equal(const bfs_context *mine, const bfs_context *other, uint64_t *reached) {
    bfs_result r = {NULL, NULL, 0}, s = {NULL, NULL, 0};
    size_t bytes = mine->in->nrows * sizeof(int64_t);
    bool equal = take_result(mine, false, &r) && take_result(other, true, &s) &&
                 memcmp(r.level, s.level, bytes) == 0 && parents_valid(mine, &r) &&
                 (mine->any || memcmp(r.parent, s.parent, bytes) == 0);
    *reached = r.reached;
    free(r.level);
    free(r.parent);
    free(s.level);
    free(s.parent);
    return equal;
}

static int search(const bfs_context *start, int rounds, compare_row *row) {
    int status = -1, forms = start->any ? 2 : 1;
    bfs_context mine = *start, others[2] = {*start, *start};
    others[1].pull = true;
    bench_contender list[3] = {
        {"push", run_bfs_other, reset_bfs_other, &others[0], 0},
        {"push/pull", run_bfs_other, reset_bfs_other, &others[1], 0},
    };
    list[forms] = (bench_contender){"gblite", run_bfs, reset_bfs, &mine, 0};
    if (bench_take_turns(list, forms + 1, rounds) != 0) goto done;
    int best = forms == 2 && list[1].median < list[0].median ? 1 : 0;
    *row = (compare_row){.operation = start->any ? "bfs any" : "bfs min",
                         .input = start->in->name,
                         .other_form = list[best].name,
                         .other = list[best].median,
                         .gblite = list[forms].median,
                         .result_unit = "reached",
                         .equal = true,
                         .how = mine.how};
    for (int f = 0; f < forms; f++)
        if (!results_equal(&mine, &others[f], &row->result)) {
            fprintf(stderr, "compare: %s differs from SuiteSparse's %s form\n", row->operation,
                    list[f].name);
            row->equal = false;
        }
    status = 0;
done:
    reset_bfs(&mine);
    reset_bfs_other(&others[0]);
    reset_bfs_other(&others[1]);
    return status;
}

int compare_bfs(const peer_input *in, int rounds, compare_row *rows) {
    bfs_context start = {.in = in, .how = GBL_EXPLANATION_INIT};
    for (gbl_Index v = 1; v < in->nrows; v++)
        if (in->Ap[v + 1] - in->Ap[v] > in->Ap[start.source + 1] - in->Ap[start.source])
            start.source = v;
    for (int k = 0; k < 2; k++) {
        start.any = k == 1;
        if (search(&start, rounds, &rows[k]) != 0) return -1;
    }
    return 2;
}
