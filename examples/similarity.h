/* SPDX-License-Identifier: Apache-2.0
 *
 * How similar the rows of a matrix are, by what their columns have in common:
 *
 *   C = A * A' over (plus, pair):  jaccard(i, j) = C(i,j) / (degree(i) + degree(j) - C(i,j))
 *   C = A * A' over (plus, times): cosine(i, j) = C(i,j) / (norm(i) * norm(j))
 *
 * C is made some rows at a time, so that it is never in memory as a whole; of each row the best
 * stay.
 */
#ifndef GBLITE_EXAMPLES_SIMILARITY_H
#define GBLITE_EXAMPLES_SIMILARITY_H

#include <math.h>
#include <stdlib.h>

#include "gblite.h"

typedef struct {
    bool cosine;                   /* by values; else jaccard, by patterns */
    gbl_Index top;                 /* of each row; 0: all pairs, each once */
    double least;                  /* leave out what is less similar */
    bool (*progress)(double done); /* ends the call where it returns false; may be NULL */
} similarity_options;

/* Rows i and j have similarity x; by i, and of each the most similar first where there is a top.
 * Freed by similar_free. */
typedef struct {
    gbl_Index n, room;
    gbl_Index *I, *J;
    double *x;
} similar_pairs;

static inline void similar_free(similar_pairs *pairs) {
    free(pairs->I);
    free(pairs->J);
    free(pairs->x);
    *pairs = (similar_pairs){.n = 0};
}

typedef struct {
    gbl_Index j;
    double x;
} similar_pair;

typedef struct {
    const similarity_options *a;
    gbl_Matrix A;
    gbl_Index nrows, ncols;
    double *size, *flops; /* [nrows]: entries of a row, or its norm; multiplications for it */
    gbl_Index *list;      /* [nrows] */
    similar_pair *pair;   /* [nrows] of a row */
    similar_pairs found;
} similar_search;

static inline gbl_Info similar_no_memory(void) {
    return gbl_fail(GBL_OUT_OF_MEMORY, NULL,
                    "no memory for the pairs of rows: keep the best of each row alone");
}

static inline int similar_order(const void *a, const void *b) {
    const similar_pair *p = (const similar_pair *)a, *q = (const similar_pair *)b;
    if (p->x != q->x) return p->x > q->x ? -1 : 1;
    return p->j < q->j ? -1 : 1;
}

/* v, with zeros where it has no entries, as an array. */
static inline gbl_Info similar_read(double *x, gbl_Vector v, gbl_Index n) {
    gbl_Vector full = NULL;
    gbl_Info info;
    if ((info = gbl_Vector_new(&full, GBL_FP64, n)) ||
        (info = gbl_Vector_assign_FP64(full, NULL, NULL, 0, GBL_ALL, n, NULL)) ||
        (info = gbl_Vector_assign(full, v, NULL, v, GBL_ALL, n, GBL_DESC_S)))
        goto done;
    info = gbl_Vector_extractTuples_FP64(NULL, x, &n, full);
done:
    gbl_Vector_free(&full);
    return info;
}

static inline gbl_Info similar_degrees(gbl_Vector *degree, gbl_Matrix A, gbl_Index n,
                                       gbl_Descriptor desc) {
    gbl_Info info = gbl_Vector_new(degree, GBL_INT64, n);
    return info ? info : gbl_Matrix_degrees(*degree, NULL, NULL, A, desc);
}

/* The sizes of rows, and their flops: the sum of the entries of the columns that they have. */
static inline gbl_Info similar_measure(similar_search *s) {
    gbl_Matrix S = NULL;
    gbl_Vector rows = NULL, columns = NULL;
    gbl_Info info;
    if ((info = similar_degrees(&columns, s->A, s->ncols, GBL_DESC_T0)) ||
        (info = gbl_Vector_new(&rows, GBL_FP64, s->nrows)) ||
        (info = gbl_mxv(rows, NULL, NULL, GBL_PLUS_SECOND_SEMIRING_FP64, s->A, columns, NULL)) ||
        (info = similar_read(s->flops, rows, s->nrows)))
        goto done;
    if (s->a->cosine) {
        if ((info = gbl_Matrix_new(&S, GBL_FP64, s->nrows, s->ncols)) ||
            (info =
                 gbl_Matrix_eWiseMult_BinaryOp(S, NULL, NULL, GBL_TIMES_FP64, s->A, s->A, NULL)) ||
            (info = gbl_Matrix_reduce_Monoid(rows, NULL, NULL, GBL_PLUS_MONOID_FP64, S, NULL)) ||
            (info = gbl_Vector_apply(rows, NULL, NULL, GBL_SQRT_FP64, rows, NULL)))
            goto done;
    } else {
        gbl_Vector_free(&rows);
        if ((info = similar_degrees(&rows, s->A, s->nrows, NULL))) goto done;
    }
    info = similar_read(s->size, rows, s->nrows);
done:
    gbl_Matrix_free(&S);
    gbl_Vector_free(&rows);
    gbl_Vector_free(&columns);
    return info;
}

static inline gbl_Info similar_store(similar_pairs *to, gbl_Index i, const similar_pair *pair,
                                     gbl_Index n) {
    if (to->n + n > to->room) {
        const gbl_Index room = 2 * to->room + n + 1024;
        gbl_Index *I = (gbl_Index *)realloc(to->I, room * sizeof *I);
        if (I) to->I = I;
        gbl_Index *J = (gbl_Index *)realloc(to->J, room * sizeof *J);
        if (J) to->J = J;
        double *x = (double *)realloc(to->x, room * sizeof *x);
        if (x) to->x = x;
        if (!I || !J || !x) return similar_no_memory();
        to->room = room;
    }
    for (gbl_Index k = 0; k < n; k++, to->n++) {
        to->I[to->n] = i;
        to->J[to->n] = pair[k].j;
        to->x[to->n] = pair[k].x;
    }
    return GBL_SUCCESS;
}

/* Leaves the best of pairs; what is not better than *least cannot be among them any more. */
static inline gbl_Index similar_cut(const similar_search *s, gbl_Index n, double *least) {
    qsort(s->pair, n, sizeof *s->pair, similar_order);
    if (n < s->a->top) return n;
    *least = s->pair[s->a->top - 1].x;
    return s->a->top;
}

/* The pairs of row i, which is row `row` of C. Columns ascend, so that of equal pairs the first
 * stay. */
static inline gbl_Info similar_row(similar_search *s, const gbl_Arrays *c, gbl_Index row,
                                   gbl_Index i) {
    const double *const x = (const double *)c->x;
    const gbl_Index top = s->a->top, most = top > 0 && top < s->nrows / 2 ? 2 * top : s->nrows;
    double least = -INFINITY; /* of the pairs that are kept, once there are enough */
    gbl_Index n = 0;
    for (uint64_t e = c->p[row]; e < c->p[row + 1]; e++) {
        const gbl_Index j = c->i[e];
        const double common = x[c->iso ? 0 : e];
        if (j == i || (top == 0 && j < i)) continue;
        const double of = s->a->cosine ? s->size[i] * s->size[j] : s->size[i] + s->size[j] - common;
        if (!(of > 0) || common / of < s->a->least || common / of <= least) continue;
        s->pair[n++] = (similar_pair){j, common / of};
        if (top > 0 && n == most) n = similar_cut(s, n, &least);
    }
    return similar_store(&s->found, i, s->pair, top > 0 ? similar_cut(s, n, &least) : n);
}

static inline gbl_Info similar_take(similar_search *s, gbl_Index first, gbl_Index count) {
    const gbl_Semiring ring =
        s->a->cosine ? GBL_PLUS_TIMES_SEMIRING_FP64 : GBL_PLUS_PAIR_SEMIRING_FP64;
    gbl_Matrix X = NULL, C = NULL;
    gbl_Arrays c = {.p = NULL};
    gbl_Info info;
    if ((info = gbl_Matrix_new(&X, s->a->cosine ? GBL_FP64 : GBL_BOOL, count, s->ncols)) ||
        (info = gbl_Matrix_new(&C, GBL_FP64, count, s->nrows)) ||
        (info = gbl_Matrix_extract(X, NULL, NULL, s->A, s->list + first, count, GBL_ALL, s->ncols,
                                   NULL)) ||
        (info = gbl_mxm(C, NULL, NULL, ring, X, s->A, GBL_DESC_T1)) ||
        (info = gbl_Matrix_moveOut(C, GBL_CSR_FORMAT, &c)))
        goto done;
    for (gbl_Index k = 0; k < count && !info; k++) info = similar_row(s, &c, k, first + k);
done:
    gbl_Memory_free(c.p);
    gbl_Memory_free(c.i);
    gbl_Memory_free(c.x);
    gbl_Matrix_free(&X);
    gbl_Matrix_free(&C);
    return info;
}

static inline gbl_Info similar_run(similar_search *s) {
    const double most = 1 << 23; /* flops at once, and so entries of C: some 100 MB */
    gbl_Info info = similar_measure(s);
    for (gbl_Index k = 0; k < s->nrows; k++) s->list[k] = k;
    for (gbl_Index first = 0, end; first < s->nrows && !info; first = end) {
        double flops = 0;
        for (end = first; end < s->nrows && (end == first || flops + s->flops[end] <= most); end++)
            flops += s->flops[end];
        info = similar_take(s, first, end - first);
        if (!info && s->a->progress && !s->a->progress((double)end / (double)s->nrows))
            info = gbl_fail(GBL_CANCELLED, s->A, "ended by the progress callback");
    }
    return info;
}

/* The pairs of rows of A that have columns in common, of each row those asked for. */
static inline gbl_Info similar_rows(similar_pairs *found, gbl_Matrix A,
                                    const similarity_options *options) {
    similar_search s = {.a = options, .A = A};
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&s.nrows, A)) || (info = gbl_Matrix_ncols(&s.ncols, A)))
        return info;
    s.size = (double *)malloc((2 * s.nrows + 1) * sizeof *s.size);
    s.list = (gbl_Index *)malloc((s.nrows + 1) * sizeof *s.list);
    s.pair = (similar_pair *)malloc((s.nrows + 1) * sizeof *s.pair);
    s.flops = s.size + s.nrows;
    info = s.size && s.list && s.pair ? similar_run(&s) : similar_no_memory();
    free(s.size);
    free(s.list);
    free(s.pair);
    if (info) similar_free(&s.found);
    *found = s.found;
    return info;
}

/* *S is a new FP64 matrix: S(i,j) is the similarity of rows i and j of A, of each row those asked
 * for, or where options->top is 0 all pairs with i < j. Jaccard takes the pattern of A, the cosine
 * its values. */
static inline gbl_Info similarity(gbl_Matrix *S, gbl_Matrix A, const similarity_options *options) {
    similar_pairs found = {.n = 0};
    gbl_Matrix M = NULL;
    gbl_Index n;
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&n, A)) || (info = similar_rows(&found, A, options)) ||
        (info = gbl_Matrix_new(&M, GBL_FP64, n, n)) ||
        (info = gbl_Matrix_build_FP64(M, found.I, found.J, found.x, found.n, NULL)))
        goto done;
    *S = M;
    M = NULL;
done:
    similar_free(&found);
    gbl_Matrix_free(&M);
    return info;
}

#endif
