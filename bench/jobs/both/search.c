/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search from the vertex of highest degree, giving levels and parents.
 *   bfs min   the parent is the smallest possible: results are equal
 *   bfs any   the parent is any of the level above, which allows an early exit
 *
 * gblite chooses between push and pull. For SuiteSparse the caller does: "push" always multiplies
 * from the left, "push/pull" turns to pulling while the frontier is large.
 */
#include "jobs/both/both.h"

enum { MIN, ANY, PUSH = 0, PUSH_PULL = 1 };

/* u is the frontier, w has parents, f levels. */
static int renew(side_work *w) {
    GrB_Vector_free(&w->u);
    GrB_Vector_free(&w->w);
    return GrB_Vector_free(&w->f);
}

static GrB_Index busiest(const peer_input *in) {
    GrB_Index best = 0;
    for (GrB_Index v = 1; v < in->nrows; v++)
        if (in->Ap[v + 1] - in->Ap[v] > in->Ap[best + 1] - in->Ap[best]) best = v;
    return best;
}

/* `pulling` follows the size of the frontier: n / TO_PULL grows: pull; n / TO_PUSH shrinks: push.
 * The graph is undirected: it is its own transpose. */
static GrB_Info step(side_work *w, GrB_Index before, GrB_Index now, bool *pulling) {
    const GrB_Semiring semiring =
        w->row->of[0] == ANY ? GxB_ANY_SECONDI_INT64 : GxB_MIN_SECONDI_INT64;
#ifndef BOTH_GBLITE
    enum { TO_PULL = 8, TO_PUSH = 512 };
    const GrB_Index n = w->task->in->nrows;
    if (w->task->form == PUSH_PULL) {
        if (!*pulling && now > before && now > n / TO_PULL) *pulling = true;
        if (*pulling && now < before && now < n / TO_PUSH) *pulling = false;
        TRY(GxB_Vector_Option_set(w->u, GxB_SPARSITY_CONTROL, *pulling ? GxB_BITMAP : GxB_SPARSE));
    }
#endif
    (void)before, (void)now;
    return *pulling ? GrB_mxv(w->u, w->w, NULL, semiring, w->in, w->u, GrB_DESC_RSC)
                    : GrB_vxm(w->u, w->w, NULL, semiring, w->u, w->in, GrB_DESC_RSC);
}

static GrB_Info new_dense(GrB_Vector *v, GrB_Type type, GrB_Index n) {
    TRY(GrB_Vector_new(v, type, n));
#ifdef BOTH_GBLITE
    return GrB_SUCCESS;
#else
    return GxB_Vector_Option_set(*v, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL);
#endif
}

static int call(side_work *w) {
    const GrB_Index n = w->task->in->nrows, source = busiest(w->task->in);
    GrB_Index before = 0, now = 1;
    bool pulling = false;
    TRY(new_dense(&w->f, GrB_INT32, n));
    TRY(new_dense(&w->w, GrB_INT64, n));
    TRY(GrB_Vector_new(&w->u, GrB_INT64, n));
    TRY(GrB_Vector_setElement_INT32(w->f, 0, source));
    TRY(GrB_Vector_setElement_INT64(w->w, (int64_t)source, source));
    TRY(GrB_Vector_setElement_INT64(w->u, (int64_t)source, source));
    for (int32_t depth = 1; now > 0; depth++) {
        TRY(step(w, before, now, &pulling));
        before = now;
        TRY(GrB_Vector_nvals(&now, w->u));
        if (now == 0) break;
        TRY(GrB_Vector_assign(w->w, w->u, NULL, w->u, GrB_ALL, n, GrB_DESC_S));
        TRY(GrB_Vector_assign_INT32(w->f, w->u, NULL, depth, GrB_ALL, n, GrB_DESC_S));
    }
#ifdef BOTH_GBLITE
    return gbl_Vector_explain(&w->how, w->u);
#else
    return GrB_SUCCESS;
#endif
}

static const char *const FORMS[] = {"push", "push/pull", NULL}, *const ONE_FORM[] = {"push", NULL};
static const side_row SEARCHES[] = {{"bfs min", NULL, renew, call, side_same_tree, {MIN}, ONE_FORM},
                                    {"bfs any", NULL, renew, call, side_any_tree, {ANY}, FORMS}};
ROWS(bfs, SEARCHES);

/* -- a search along a path: u is the frontier, w has the parents of what was seen */

enum { PATH = 1 << 20 };

static int load_path(side_work *w) {
    TRY(GrB_Matrix_new(&w->A, GrB_BOOL, PATH, PATH));
    for (GrB_Index v = 0; v + 1 < PATH; v++) TRY(GrB_Matrix_setElement_BOOL(w->A, true, v, v + 1));
    TRY(GrB_Matrix_wait(w->A, GrB_MATERIALIZE));
    TRY(GrB_Vector_new(&w->u, GrB_INT64, PATH));
    TRY(GrB_Vector_new(&w->w, GrB_INT64, PATH));
    for (GrB_Index v = 0; v < w->task->entries; v++) {
        TRY(GrB_Vector_setElement_INT64(w->u, (int64_t)v, v));
        TRY(GrB_Vector_setElement_INT64(w->w, (int64_t)v, v));
    }
    return BOTH(finish_vector)(w->w);
}

static int call_level(side_work *w) {
    GrB_Index found;
    TRY(GrB_vxm(w->u, w->w, NULL, GxB_ANY_SECONDI_INT64, w->u, w->A, GrB_DESC_RSC));
    TRY(GrB_Vector_assign(w->w, w->u, NULL, w->u, GrB_ALL, PATH, GrB_DESC_S));
    return GrB_Vector_nvals(&found, w->u);
}

static const side_row LEVELS[] = {ROW("a level of a search along a path, three calls", load_path,
                                      NULL, call_level, side_same, 0)};
ROWS(path, LEVELS);
