/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows by Intel MKL: A*A, or A*A' where A is not square; and sparse times full, to an array that is
 * there, as its interface wants it.
 */
#include "peers/mkl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/values.h"
#include "jobs/sides.h"

struct side_work {
    const side_task *task;
    peer_mkl_product *mkl;
    double bytes;
    /* times full */
    peer_mkl_full of;
    gbl_Index rows, columns; /* of C */
    double *B, *C;           /* by rows, at a cache line, as MKL advises */
};

static void close(side_work *w) {
    peer_mkl_free(w->mkl);
    free(w->B);
    free(w->C);
    free(w);
}

static double *new_array(gbl_Index n) {
    const size_t line = 64, bytes = n * sizeof(double);
    double *x = aligned_alloc(line, (bytes + line - 1) / line * line);
    if (x != NULL) memset(x, 0, bytes);
    return x;
}

/* of[0]: calls that MKL may prepare for, 0: it is not asked to. */
static bool make_full(side_work *w, const side_row *row) {
    const side_task *t = w->task;
    const gbl_Index rows = t->left ? t->count : t->in->ncols;
    const gbl_Index columns = t->left ? t->in->nrows : t->count;
    uint64_t state = rows + columns;
    w->of = (peer_mkl_full){t->left, t->count};
    w->rows = t->left ? t->count : t->in->nrows;
    w->columns = t->left ? t->in->ncols : t->count;
    w->B = new_array(rows * columns);
    w->C = new_array(w->rows * w->columns);
    if (w->B == NULL || w->C == NULL) return false;
    for (gbl_Index k = 0; k < rows * columns; k++) w->B[k] = bench_unit(&state);
    return row->of[0] == 0 || peer_mkl_optimize(w->mkl, w->of, row->of[0]) == 0;
}

static side_work *open(const side_row *row, const side_task *task) {
    side_work *w = calloc(1, sizeof *w);
    if (w == NULL) return NULL;
    w->task = task;
    w->mkl = peer_mkl_new(task->in);
    if (w->mkl != NULL && (task->count == 0 || make_full(w, row))) return w;
    close(w);
    return NULL;
}

static int renew(side_work *w) {
    peer_mkl_drop(w->mkl);
    return 0;
}

static int multiply(const side_work *w) {
    return w->task->count > 0 ? peer_mkl_times_full(w->mkl, w->of, w->B, w->C)
                              : peer_mkl_multiply(w->mkl);
}

static int run(side_work *w) {
    const int status = multiply(w);
    if (status != 0) fprintf(stderr, "bench: MKL failed with status %d\n", status);
    return status == 0 ? 0 : -1;
}

static int attempt(side_work *w, char *why_not, size_t size) {
    const bool counts = peer_mkl_count();
    const int status = multiply(w);
    w->bytes = counts ? peer_mkl_peak() : -1;
    if (status != 0) snprintf(why_not, size, "MKL failed with status %d", status);
    return status == 0 ? 1 : 0;
}

static double peak(side_work *w) {
    return w->bytes;
}

static int64_t entries(side_work *w) {
    return (int64_t)peer_mkl_entries(w->mkl);
}

static int take(side_work *w, side_part part, side_result *r) {
    side_tuples *t = &r->part[SIDE_C];
    (void)part; /* it is the whole */
    *r = (side_result){.count = 0};
    const int64_t n = entries(w);
    return n >= 0 && side_tuples_new(t, (gbl_Index)n) ? peer_mkl_tuples(w->mkl, t->I, t->J, t->X)
                                                      : -1;
}

static int take_full(side_work *w, side_part part, side_result *r) {
    const gbl_Index n = w->rows * w->columns;
    side_tuples *t = &r->part[SIDE_C];
    (void)part;
    *r = (side_result){.count = 0};
    if (!side_tuples_new(t, n)) return -1;
    t->n = 0;
    for (gbl_Index k = 0; k < n; k++) {
        if (w->C[k] == 0) continue; /* no product: all values are positive */
        t->I[t->n] = k / w->columns;
        t->J[t->n] = k % w->columns;
        t->X[t->n++] = w->C[k];
    }
    return 0;
}

const side_library MKL_SIDE = {"mkl", open, renew, run, attempt, entries, take, NULL, peak, close},
                   MKL_FULL_SIDE = {"mkl", open,      renew, run,  attempt,
                                    NULL,  take_full, NULL,  peak, close};
