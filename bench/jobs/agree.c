/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the results of two libraries agree. Terms of all sums are positive, so two orders of
 * summation differ by about n * 2^-53: a relative bound of 1e-12 finds any wrong or missing term.
 */
#include "jobs/sides.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_equal(double x, double y) {
    return x == y;
}

static bool is_close(double x, double y) {
    return fabs(x - y) <= 1e-12 * fmax(fabs(x), fabs(y));
}

static bool same_positions(const side_tuples *x, const side_tuples *y) {
    const size_t bytes = x->n * sizeof *x->I;
    return x->n == y->n && memcmp(x->I, y->I, bytes) == 0 &&
           (x->J == NULL || memcmp(x->J, y->J, bytes) == 0);
}

static bool same_tuples(const side_tuples *x, const side_tuples *y, bool (*same)(double, double)) {
    if (!same_positions(x, y)) return false;
    for (gbl_Index k = 0; k < x->n; k++)
        if (!same(x->X[k], y->X[k])) return false;
    return true;
}

bool side_tuples_agree(const side_tuples *x, const side_tuples *y, bool equal) {
    return same_tuples(x, y, equal ? is_equal : is_close);
}

bool side_tuples_new(side_tuples *t, gbl_Index n) {
    *t = (side_tuples){n, malloc((n + 1) * sizeof *t->I), malloc((n + 1) * sizeof *t->J),
                       malloc((n + 1) * sizeof *t->X)};
    return t->I != NULL && t->J != NULL && t->X != NULL;
}

void side_tuples_free(side_tuples *t) {
    free(t->I);
    free(t->J);
    free(t->X);
    *t = (side_tuples){0};
}

/* Parts that both have. */
static bool agree(const side_result *mine, const side_result *other, bool (*same)(double, double)) {
    if (mine->count != other->count) return false;
    for (int k = 0; k < SIDE_PARTS; k++) {
        const side_tuples *x = &mine->part[k], *y = &other->part[k];
        if (x->I != NULL && y->I != NULL && !same_tuples(x, y, same)) return false;
    }
    return true;
}

bool side_same(const side_task *task, const side_result *mine, const side_result *other) {
    (void)task;
    return agree(mine, other, is_equal);
}

bool side_close(const side_task *task, const side_result *mine, const side_result *other) {
    (void)task;
    return agree(mine, other, is_close);
}

bool side_same_count(const side_task *task, const side_result *mine, const side_result *other) {
    return mine->count == other->count && (task->form != 0 || agree(mine, other, is_equal));
}

bool side_same_size(const side_task *task, const side_result *mine, const side_result *other) {
    (void)task;
    return mine->part[SIDE_W].n == other->part[SIDE_W].n;
}

bool side_same_values(const side_result *mine, const side_result *other) {
    for (int k = 0; k < SIDE_PARTS; k++) {
        const side_tuples *x = &mine->part[k], *y = &other->part[k];
        if (x->n != y->n) return false;
        if (x->n > 0 && memcmp(x->X, y->X, x->n * sizeof *x->X) != 0) return false;
    }
    return true;
}

/* -- graphs */

static int by_index(const void *a, const void *b) {
    const gbl_Index x = *(const gbl_Index *)a, y = *(const gbl_Index *)b;
    return (x > y) - (x < y);
}

static bool has(const gbl_Index *list, gbl_Index n, gbl_Index x) {
    return bsearch(&x, list, n, sizeof x, by_index) != NULL;
}

static bool is_edge(const peer_input *in, gbl_Index from, gbl_Index to) {
    return from < in->nrows && has(in->Ai + in->Ap[from], in->Ap[from + 1] - in->Ap[from], to);
}

/* Every value of w is a position of u with an edge to its place. */
static bool values_are_edges(const side_task *task, const side_result *r) {
    const side_tuples *w = &r->part[SIDE_W], *u = &r->part[SIDE_U];
    for (gbl_Index k = 0; k < w->n; k++) {
        const gbl_Index from = (gbl_Index)w->X[k];
        if (!has(u->I, u->n, from) || !is_edge(task->in, from, w->I[k])) return false;
    }
    return true;
}

bool side_any_edge(const side_task *task, const side_result *mine, const side_result *other) {
    return same_positions(&mine->part[SIDE_W], &other->part[SIDE_W]) &&
           values_are_edges(task, mine) && values_are_edges(task, other);
}

/* Every vertex but the source has a parent one level up that an edge joins; w has parents, f
 * levels. */
static bool is_tree(const side_task *task, const side_result *r) {
    const side_tuples *parents = &r->part[SIDE_W], *levels = &r->part[SIDE_F];
    const gbl_Index n = task->in->nrows;
    int64_t *level = malloc((n + 1) * sizeof *level);
    bool good = level != NULL && same_positions(parents, levels);
    for (gbl_Index v = 0; good && v < n; v++) level[v] = -1;
    for (gbl_Index k = 0; good && k < levels->n; k++) level[levels->I[k]] = (int64_t)levels->X[k];
    for (gbl_Index k = 0; good && k < parents->n; k++) {
        const gbl_Index v = parents->I[k], parent = (gbl_Index)parents->X[k];
        good = level[v] == 0 ? parent == v
                             : is_edge(task->in, parent, v) && level[parent] == level[v] - 1;
    }
    free(level);
    return good;
}

bool side_any_tree(const side_task *task, const side_result *mine, const side_result *other) {
    return same_tuples(&mine->part[SIDE_F], &other->part[SIDE_F], is_equal) &&
           is_tree(task, mine) && is_tree(task, other);
}

bool side_same_tree(const side_task *task, const side_result *mine, const side_result *other) {
    return side_any_tree(task, mine, other) &&
           same_tuples(&mine->part[SIDE_W], &other->part[SIDE_W], is_equal);
}
