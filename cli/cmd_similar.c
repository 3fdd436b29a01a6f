/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite jaccard, gblite cosine: how similar the rows of a matrix are.
 *
 *   C = A * A' over (plus, pair): what rows i and j have in common; jaccard = C(i,j) / (degree(i) +
 *       degree(j) - C(i,j))
 *   C = A * A' over (plus, times): cosine = C(i,j) / (norm(i) * norm(j))
 *
 * C is made some rows at a time, so that it is never in memory as a whole; of each row the best
 * stay.
 */
#include <math.h>
#include <stdlib.h>

#include "cli.h"

typedef struct {
    cli_Common common;
    bool cosine;
    uint64_t top; /* of each row; 0: all pairs, each once */
    double least;
} Arguments;

static const struct argp_option options[] = {
    {"topn", 'n', "N", 0, "Of each row the N that are most similar (all pairs, each once)", 0},
    {"threshold", 'x', "X", 0, "Leave out what is less similar than X (0)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case 'n':
        a->top = cli_parse_count(state, "--topn", text, 1, GBL_INDEX_MAX);
        return 0;
    case 'x':
        a->least = cli_parse_real(state, "--threshold", text, -1, 1);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

typedef struct {
    gbl_Index j;
    double x;
} Pair;

typedef struct {
    const Arguments *a;
    gbl_Matrix A;
    gbl_Index nrows, ncols;
    double *size, *flops; /* [nrows]: entries of a row, or its norm; multiplications for it */
    gbl_Index *list;      /* [nrows] */
    Pair *pair;           /* [nrows] of a row */
    gbl_Index n, room;    /* what is found */
    gbl_Index *I, *J;
    double *x;
} Search;

static gbl_Info no_memory(void) {
    return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the pairs; give --topn");
}

static int by_similarity(const void *a, const void *b) {
    const Pair *p = a, *q = b;
    if (p->x != q->x) return p->x > q->x ? -1 : 1;
    return p->j < q->j ? -1 : 1;
}

/* v, with zeros where it has no entries, as an array. */
static gbl_Info read_all(double *x, gbl_Vector v, gbl_Index n) {
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

/* The sizes of rows, and their flops: the sum of the entries of the columns that they have. */
static gbl_Info measure(Search *s) {
    gbl_Matrix S = NULL;
    gbl_Vector rows = NULL, columns = NULL;
    gbl_Info info;
    if ((info = cli_degrees(&columns, s->A, true)) ||
        (info = gbl_Vector_new(&rows, GBL_FP64, s->nrows)) ||
        (info = gbl_mxv(rows, NULL, NULL, GBL_PLUS_SECOND_SEMIRING_FP64, s->A, columns, NULL)) ||
        (info = read_all(s->flops, rows, s->nrows)))
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
        if ((info = cli_degrees(&rows, s->A, false))) goto done;
    }
    info = read_all(s->size, rows, s->nrows);
done:
    gbl_Matrix_free(&S);
    gbl_Vector_free(&rows);
    gbl_Vector_free(&columns);
    return info;
}

static gbl_Info store(Search *s, gbl_Index i, const Pair *pair, gbl_Index n) {
    if (s->n + n > s->room) {
        const gbl_Index room = 2 * s->room + n + 1024;
        gbl_Index *I = realloc(s->I, room * sizeof *I);
        if (I) s->I = I;
        gbl_Index *J = realloc(s->J, room * sizeof *J);
        if (J) s->J = J;
        double *x = realloc(s->x, room * sizeof *x);
        if (x) s->x = x;
        if (!I || !J || !x) return no_memory();
        s->room = room;
    }
    for (gbl_Index k = 0; k < n; k++, s->n++) {
        s->I[s->n] = i;
        s->J[s->n] = pair[k].j;
        s->x[s->n] = pair[k].x;
    }
    return GBL_SUCCESS;
}

/* Leaves the best of pairs; what is not better than *least cannot be among them any more. */
static gbl_Index cut(const Search *s, gbl_Index n, double *least) {
    qsort(s->pair, n, sizeof *s->pair, by_similarity);
    if (n < s->a->top) return n;
    *least = s->pair[s->a->top - 1].x;
    return s->a->top;
}

/* The pairs of row i, which is row `row` of C. Columns ascend, so that of equal pairs the first
 * stay. */
static gbl_Info take_row(Search *s, const gbl_Arrays *c, gbl_Index row, gbl_Index i) {
    const double *const x = c->x;
    const gbl_Index top = s->a->top, most = top > 0 && top < s->nrows / 2 ? 2 * top : s->nrows;
    double least = -INFINITY; /* of the pairs that are kept, once there are enough */
    gbl_Index n = 0;
    for (uint64_t e = c->p[row]; e < c->p[row + 1]; e++) {
        const gbl_Index j = c->i[e];
        const double common = x[c->iso ? 0 : e];
        if (j == i || (top == 0 && j < i)) continue;
        const double of = s->a->cosine ? s->size[i] * s->size[j] : s->size[i] + s->size[j] - common;
        if (!(of > 0) || common / of < s->a->least || common / of <= least) continue;
        s->pair[n++] = (Pair){j, common / of};
        if (top > 0 && n == most) n = cut(s, n, &least);
    }
    return store(s, i, s->pair, top > 0 ? cut(s, n, &least) : n);
}

static gbl_Info take_rows(Search *s, gbl_Index first, gbl_Index count) {
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
    for (gbl_Index k = 0; k < count && !info; k++) info = take_row(s, &c, k, first + k);
done:
    gbl_Memory_free(c.p);
    gbl_Memory_free(c.i);
    gbl_Memory_free(c.x);
    gbl_Matrix_free(&X);
    gbl_Matrix_free(&C);
    return info;
}

static gbl_Info search(Search *s) {
    const double most = 1 << 23; /* flops at once, and so entries of C: some 100 MB */
    gbl_Info info = measure(s);
    for (gbl_Index k = 0; k < s->nrows; k++) s->list[k] = k;
    for (gbl_Index first = 0, end; first < s->nrows && !info; first = end) {
        double flops = 0;
        for (end = first; end < s->nrows && (end == first || flops + s->flops[end] <= most); end++)
            flops += s->flops[end];
        info = take_rows(s, first, end - first);
        cli_progress_part("similarities", (double)end / (double)s->nrows);
    }
    return info;
}

/* As a matrix, where the name of the file says so, else as lines, of each row the best first. */
static gbl_Info write_pairs(const Search *s) {
    const cli_Common *common = &s->a->common;
    const cli_Kind kind = cli_kind_of(common->output);
    gbl_Matrix M = NULL;
    char room[24];
    FILE *file;
    gbl_Info info;
    if (kind != CLI_EDGES && kind != CLI_UNKNOWN) {
        if (!(info = gbl_Matrix_new(&M, GBL_FP64, s->nrows, s->nrows)) &&
            !(info = gbl_Matrix_build_FP64(M, s->I, s->J, s->x, s->n, NULL)))
            info = cli_save(M, common->output, NULL, &common->reading.labels);
        gbl_Matrix_free(&M);
        return info;
    }
    if ((info = cli_open(&file, common->output))) return info;
    for (gbl_Index k = 0; k < s->n; k++) {
        fprintf(file, "%s\t", cli_vertex(common, s->I[k], room));
        fprintf(file, "%s\t%.9g\n", cli_vertex(common, s->J[k], room), s->x[k]);
    }
    return cli_close(&file, common->output);
}

static gbl_Info load(Search *s, Arguments *a) {
    gbl_Info info;
    if ((info = cli_load(&s->A, a->cosine ? GBL_FP64 : GBL_BOOL, a->common.operand,
                         &a->common.reading)) ||
        (info = gbl_Matrix_nrows(&s->nrows, s->A)) || (info = gbl_Matrix_ncols(&s->ncols, s->A)))
        return info;
    if (a->common.undirected && s->nrows != s->ncols)
        return gbl_fail(GBL_DIMENSION_MISMATCH, NULL, "--undirected is for square matrices");
    if (a->common.undirected &&
        (info = gbl_Matrix_eWiseAdd_BinaryOp(s->A, NULL, NULL, a->cosine ? GBL_MAX_FP64 : GBL_LOR,
                                             s->A, s->A, GBL_DESC_T1)))
        return info;
    s->size = malloc((s->nrows + 1) * sizeof *s->size);
    s->flops = malloc((s->nrows + 1) * sizeof *s->flops);
    s->list = malloc((s->nrows + 1) * sizeof *s->list);
    s->pair = malloc((s->nrows + 1) * sizeof *s->pair);
    return s->size && s->flops && s->list && s->pair ? GBL_SUCCESS : no_memory();
}

static int run(int argc, char **argv, cli_Usage *usage, bool cosine) {
    Arguments a = {.cosine = cosine};
    Search s = {.a = &a};
    cli_Report *report = NULL;
    gbl_Info info;

    usage->reads = true;
    usage->operand = "matrix";
    usage->output = "Write a line \"row row similarity\" for each pair, or a matrix to FILE.mtx";
    usage->undirected = true;
    usage->options = options;
    usage->parse = parse;
    cli_parse(argc, argv, usage, &a.common, &a);
    if ((info = cli_begin(&a.common, &report)) || (info = load(&s, &a))) goto done;
    const double start = cli_seconds();
    if ((info = search(&s))) goto done;
    const double seconds = cli_seconds() - start;
    cli_progress_stop();
    if (a.common.output && (info = write_pairs(&s))) goto done;
    cli_report_count(report, "rows", s.nrows);
    cli_report_count(report, "pairs", s.n);
    cli_report_text(report, "method", "products");
    cli_report_number(report, "seconds", seconds);
done:
    free(s.size);
    free(s.flops);
    free(s.list);
    free(s.pair);
    free(s.I);
    free(s.J);
    free(s.x);
    gbl_Matrix_free(&s.A);
    return cli_end(info, &report, &a.common);
}

int cmd_jaccard(int argc, char **argv) {
    cli_Usage usage = {
        .args = "MATRIX",
        .about = "Tell for pairs of rows of MATRIX, a file or a generator, which share of the "
                 "columns that one of them has both have. Of a graph: of the neighbours of two "
                 "vertices the share that is common. Pairs that have none are left out.\v"
                 "  gblite jaccard links.csv --topn 10 -o similar.tsv\n"
                 "  gblite jaccard buyers_items.csv --threshold 0.5 -o similar.mtx"};
    return run(argc, argv, &usage, false);
}

int cmd_cosine(int argc, char **argv) {
    cli_Usage usage = {
        .args = "MATRIX",
        .about = "Tell for pairs of rows of MATRIX, a file or a generator, the cosine of the angle "
                 "between them, by their values. Pairs that have no column in common are left "
                 "out.\v"
                 "  gblite cosine terms.mtx --topn 10 -o similar.tsv\n"
                 "  gblite cosine ratings.csv --threshold 0.8 -o similar.mtx"};
    return run(argc, argv, &usage, true);
}
