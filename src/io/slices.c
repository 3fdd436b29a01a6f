/* SPDX-License-Identifier: Apache-2.0
 *
 * See slices.h; and gbl_mxm_reduce_rows, which folds rows or columns of slices and stores none.
 */
#include "slices.h"

#include <math.h>

/* Of the memory: slices of C and A; buffers of C, and rows of B, take as much again. */
enum { SLICE_SHARE = 4 };
#define FILLED 0.9 /* of that, expected, by the first slice: one that does not fit is halved */

/* -- slices */

static gbl_Info extract_rows(gbl_Matrix *S, gbl_Matrix A, const gbl_Index *I, gbl_Index count) {
    gbl_Type type;
    gbl_Index ncols;
    gbl_Info info = gbl_Matrix_type(&type, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&ncols, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(S, type, count, ncols);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_extract(*S, NULL, NULL, A, I, count, GBL_ALL, ncols, NULL);
    return info;
}

/* S, all of A or the rows that M is of, times B, all of it or the rows that S wants. */
static gbl_Info multiply(gbl_Matrix *C, const gb_Product *c, gbl_Matrix M, gbl_Matrix S,
                         gbl_Matrix B) {
    const gbl_FileProduct *how = c->how;
    gbl_Index nrows;
    gbl_Info info = gbl_Matrix_nrows(&nrows, S);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(C, c->kind.type, nrows, c->ncols);
    if (info == GBL_SUCCESS)
        info = how->keep ? gbl_mxm_select(*C, M, NULL, c->ring, how->keep, S, B, how->desc)
                         : gbl_mxm(*C, M, NULL, c->ring, S, B, how->desc);
    if (info == GBL_SUCCESS) info = gbl_Matrix_wait(*C, GBL_MATERIALIZE);
    if (info != GBL_SUCCESS) gbl_Matrix_free(C);
    return info;
}

gbl_Info gb_product_whole(gbl_Matrix *C, gb_Product *c) {
    return multiply(C, c, c->how->M, c->A, c->B);
}

/* The bytes of rows of A and, expected, of C, which mask and filter only make fewer, or of rows of
 * B. */
static gbl_Info slice_bytes(double *bytes, const gb_Product *c, gbl_Matrix S, gbl_Matrix B) {
    gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
    gbl_Index n, m = 0;
    gbl_Info info = gbl_Matrix_nvals(&n, S);
    if (info == GBL_SUCCESS && B != c->B) info = gbl_Matrix_nvals(&m, B);
    if (info == GBL_SUCCESS) info = gbl_mxm_estimate(&e, c->ring, S, B, c->how->desc);
    *bytes = fmax((double)n * 12.0 + e.bytes, (double)m * 12.0);
    return info;
}

/* Moves the rows of S to rows I of a matrix that has all rows of A. */
static gbl_Info place(gbl_Matrix *S, const gb_Product *c, const gbl_Index *I, gbl_Index count) {
    gbl_Type type;
    gbl_Index ncols;
    gbl_Matrix T = NULL;
    gbl_Info info = gbl_Matrix_type(&type, *S);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&ncols, *S);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&T, type, c->how->nrows, ncols);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_assign(T, NULL, NULL, *S, I, count, GBL_ALL, ncols, NULL);
    gbl_Matrix_free(info == GBL_SUCCESS ? S : &T);
    if (info == GBL_SUCCESS) *S = T;
    return info;
}

/* Rows I of C<M> = S * B, of all rows of A. */
static gbl_Info multiply_placed(gbl_Matrix *C, const gb_Product *c, gbl_Matrix S,
                                const gbl_Index *I, gbl_Index count) {
    gbl_Matrix all = NULL;
    gbl_Info info = multiply(&all, c, c->how->M, S, c->B);
    if (info == GBL_SUCCESS) info = extract_rows(C, all, I, count);
    gbl_Matrix_free(&all);
    return info;
}

/* Rows I of C; NULL, where they are several and would not fit. One is made by all of B then. */
static gbl_Info make_rows(gbl_Matrix *C, double *bytes, const gb_Product *c, const gbl_Index *I,
                          gbl_Index count) {
    gbl_Matrix S = NULL, M = NULL, part = NULL;
    gbl_Info info = extract_rows(&S, c->A, I, count);
    if (info == GBL_SUCCESS && c->gathers) info = gb_product_gather(&part, &S, c, count);
    const gbl_Matrix B = part ? part : c->B;
    bool fits = part || !c->gathers;
    if (info == GBL_SUCCESS && fits) info = slice_bytes(bytes, c, S, B);
    fits = count == 1 || (fits && *bytes <= c->slice);
    if (info == GBL_SUCCESS && fits && c->placed) {
        info = place(&S, c, I, count);
        if (info == GBL_SUCCESS) info = multiply_placed(C, c, S, I, count);
    } else if (info == GBL_SUCCESS && fits) {
        if (c->how->M) info = extract_rows(&M, c->how->M, I, count);
        if (info == GBL_SUCCESS) info = multiply(C, c, M, S, B);
    }
    gbl_Matrix_free(&M);
    gbl_Matrix_free(&S);
    gbl_Matrix_free(&part);
    return info;
}

gbl_Info gb_product_row(gbl_Matrix *C, gb_Product *c, gbl_Index row) {
    double bytes;
    return make_rows(C, &bytes, c, &row, 1);
}

/* One slice of *count rows, or fewer where these would not fit; *count: of the next one. */
static gbl_Info next_slice(gb_Product *c, gbl_Index *count) {
    const gbl_Index first = c->how->rows_done, left = c->how->nrows - first;
    gbl_Matrix C = NULL;
    double bytes = 0.0;
    if (*count > left) *count = left;
    const gbl_Index rows = *count;
    gbl_Index *const I = gb_io_alloc(rows, sizeof *I);
    for (gbl_Index k = 0; k < rows && I; k++) I[k] = first + k;
    gbl_Info info = I ? make_rows(&C, &bytes, c, I, rows) : gb_io_no_memory("a slice of rows");
    const bool fits = C || info != GBL_SUCCESS;
    if (C) info = c->take(c, &C, I, rows);
    gbl_Memory_free(I);
    const bool lacks = info == GBL_OUT_OF_MEMORY || info == GBL_INSUFFICIENT_SPACE;
    if (!fits || (lacks && rows > 1 && c->how->rows_done == first)) {
        *count = rows / 2;
        return GBL_SUCCESS;
    }
    if (bytes < c->slice / 2) *count = 2 * rows;
    return info;
}

gbl_Info gb_product_run(gb_Product *c) {
    gbl_FileProduct *const how = c->how;
    gbl_Index count = (gbl_Index)((double)how->nrows * fmin(1.0, FILLED * c->slice / c->bytes));
    gbl_Matrix C = NULL;
    gbl_Info info = gb_product_fits(c) ? gb_product_whole(&C, c) : GBL_SUCCESS;
    if (C) return c->take(c, &C, GBL_ALL, how->nrows);
    while (info == GBL_SUCCESS && how->rows_done < how->nrows) {
        if (count == 0) count = 1;
        info = next_slice(c, &count);
    }
    return info;
}

double gb_product_seconds(const gb_Product *c) {
    enum { SAMPLES = 3, SHARE = 128, ROWS = 1 << 20, RUNS = 8, LEAST = 4 << 20 };
    const double n = (double)c->how->nrows, fit = n * fmin(1.0, FILLED * c->slice / c->bytes);
    gbl_Index rows = c->bytes < LEAST ? 0 : (gbl_Index)fmin(fmin(n / SHARE, ROWS), fit);
    gbl_Index *const I = gb_io_alloc(rows, sizeof *I);
    double seconds = 0.0, sampled = 0.0, bytes = 0.0;
    for (unsigned k = 0; k < SAMPLES && rows > 0 && I;) {
        const gbl_Index run = rows / RUNS + 1, step = c->how->nrows / ((rows - 1) / run + 1);
        const double start = gb_io_seconds();
        gbl_Matrix C = NULL;
        for (gbl_Index j = 0; j < rows; j++) I[j] = j / run * step + step / SAMPLES * k + j % run;
        if (make_rows(&C, &bytes, c, I, rows) != GBL_SUCCESS || !C) {
            rows /= 2;
        } else if (k++ > 0) {
            seconds += gb_io_seconds() - start;
            sampled += bytes;
        }
        gbl_Matrix_free(&C);
    }
    gbl_Memory_free(I);
    return sampled > 0.0 ? seconds / sampled * c->bytes : 0.0;
}

gbl_Info gb_product_report(const gb_Product *c) {
    const gbl_FileProduct *const how = c->how;
    if (how->progress && !how->progress(how->context, how))
        return gbl_fail(GBL_CANCELLED, NULL, "%s: cancelled by the progress callback", c->path);
    return gbl_call_state();
}

/* -- before the first slice */

/* What the library would use for the product as a whole, without a limit. */
static gbl_Info workspace(double *bytes, gb_Product *c) {
    gbl_Explanation plan = GBL_EXPLANATION_INIT;
    gbl_Matrix C = NULL;
    int64_t limit = 0;
    gbl_Info info = gbl_Global_get_INT64(GBL_GLOBAL, &limit, GBL_MEMORY_LIMIT);
    *bytes = (double)limit;
    if (info != GBL_SUCCESS || limit > 0) return info;
    info = gbl_Matrix_new(&C, c->kind.type, c->how->nrows, c->ncols);
    if (info == GBL_SUCCESS)
        info = gbl_mxm_plan(&plan, C, NULL, NULL, c->ring, c->A, c->B, c->how->desc);
    gbl_Matrix_free(&C);
    *bytes = (double)plan.bytes_limit;
    return info;
}

/* Entries of C, at most and expected, by the mask, the filter, and the product's estimate. */
static gbl_Info predict(gb_Product *c, gbl_MxmEstimate *e) {
    gbl_FileProduct *const how = c->how;
    int32_t mask = GBL_DEFAULT;
    gbl_Index rows, columns, n;
    gbl_Info info = gbl_mxm_estimate(e, c->ring, c->A, c->B, how->desc);
    if (info != GBL_SUCCESS) return info;
    how->nrows = e->nrows;
    c->ncols = e->ncols;
    c->most = e->nvals_most;
    if (how->M) {
        if ((info = gbl_Matrix_nrows(&rows, how->M)) || (info = gbl_Matrix_ncols(&columns, how->M)))
            return info;
        if (rows != e->nrows || columns != e->ncols)
            return gbl_fail(GBL_DIMENSION_MISMATCH, NULL,
                            "the mask is %llu x %llu, but A * B is %llu x %llu",
                            (unsigned long long)rows, (unsigned long long)columns,
                            (unsigned long long)e->nrows, (unsigned long long)e->ncols);
        if ((info = gbl_Matrix_nvals(&n, how->M)) ||
            (how->desc && (info = gbl_Descriptor_get_INT32(how->desc, &mask, GBL_MASK))))
            return info;
        if (mask != GBL_COMP && mask != GBL_COMP_STRUCTURE) c->most = fmin(c->most, (double)n);
    }
    if (how->keep && how->keep->most > 0)
        c->most = fmin(c->most, (double)e->nrows *
                                    fmax((double)how->keep->most, (double)how->keep->recover));
    how->nvals_predicted = fmin(e->nvals, c->most);
    return GBL_SUCCESS;
}

/* The built-in type of the code of an operator's values. */
static gbl_Info type_of_code(gbl_Type *type, int32_t code) {
#define GBL_DECLARE(N, T)                                                                          \
    if (code == GBL_##N##_CODE) *type = GBL_##N;
    GBL_FOREACH_TYPE(GBL_DECLARE)
    GBL_FOREACH_COMPLEX(GBL_DECLARE)
#undef GBL_DECLARE
    if (code != GBL_UDT_CODE) return GBL_SUCCESS;
    return gbl_fail(GBL_DOMAIN_MISMATCH, NULL, "products of user-defined types have no file form");
}

static gbl_Info describe(gb_Product *c) {
    int32_t transposed = GBL_DEFAULT, code = GBL_UDT_CODE, by_indices = 0, keeps_by_indices = 0;
    gbl_Type type = c->how->type;
    const gbl_RowFilter *const keep = c->how->keep;
    gbl_Info info = gbl_Semiring_get_INT32(c->ring, &code, GBL_OUTP_TYPE_CODE);
    if (info == GBL_SUCCESS && !type) info = type_of_code(&type, code);
    if (info == GBL_SUCCESS) info = gb_io_kind(&c->kind, type);
    if (info == GBL_SUCCESS) info = gbl_Semiring_get_INT32(c->ring, &by_indices, GBL_BY_POSITION);
    if (info == GBL_SUCCESS && keep && keep->op)
        info = gbl_IndexUnaryOp_get_INT32(keep->op, &keeps_by_indices, GBL_BY_POSITION);
    c->placed = by_indices || keeps_by_indices;
    if (info == GBL_SUCCESS && c->how->desc)
        info = gbl_Descriptor_get_INT32(c->how->desc, &transposed, GBL_INP0);
    if (info == GBL_SUCCESS && transposed == GBL_TRAN)
        info = gbl_fail(
            GBL_INVALID_VALUE, NULL,
            "%s: the descriptor transposes A, whose rows are wanted: gbl_transpose first", c->path);
    return info;
}

gbl_Info gb_product_plan(gb_Product *c) {
    gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
    gbl_FileProduct *const how = c->how;
    double memory;
    gbl_Index nnz;
    how->nrows = how->rows_done = how->rows_resumed = how->nvals = how->slices = how->bytes = 0;
    gbl_Info info = describe(c);
    if (info == GBL_SUCCESS) info = predict(c, &e);
    if (info == GBL_SUCCESS) info = workspace(&memory, c);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&nnz, c->A);
    if (info != GBL_SUCCESS) return info;
    c->slice = memory / SLICE_SHARE;
    c->bytes = e.bytes + (double)nnz * 12.0;
    return gb_product_gathers(c);
}

/* A row with entries takes 16 bytes at most, listed or not. */
bool gb_product_fits(const gb_Product *c) {
    return !c->gathers && c->most * (double)(20 + c->kind.size) <= c->slice;
}

/* -- products that are folded ------------------------------------------------------------------ */

typedef struct {
    gb_Product of;
    gbl_Monoid op;
    bool columns;
    gbl_Vector sums; /* of the monoid's type */
    gbl_Type type;   /* of the monoid */
} Folding;

static gbl_Info fold_slice(gb_Product *c, gbl_Matrix *rows, const gbl_Index *I, gbl_Index count) {
    Folding *const f = c->to;
    const gbl_Vector sums = f->sums;
    gbl_Vector part = NULL;
    gbl_Index n;
    gbl_Info info = gbl_Matrix_nvals(&n, *rows);
    if (info == GBL_SUCCESS) info = gbl_Vector_new(&part, f->type, f->columns ? c->ncols : count);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_reduce_Monoid(part, NULL, NULL, f->op, *rows,
                                        f->columns ? GBL_DESC_T0 : NULL);
    if (info == GBL_SUCCESS)
        info = f->columns ? gbl_Vector_eWiseAdd_Monoid(sums, NULL, NULL, f->op, sums, part, NULL)
                          : gbl_Vector_assign(sums, NULL, NULL, part, I, count, NULL);
    if (info == GBL_SUCCESS) info = gbl_Vector_wait(sums, GBL_MATERIALIZE);
    gbl_Vector_free(&part);
    gbl_Matrix_free(rows);
    if (info != GBL_SUCCESS) return info;
    c->how->nvals += n;
    c->how->rows_done += count;
    c->how->slices++;
    return gb_product_report(c);
}

/* What the monoid is of, and where sums go. */
static gbl_Info describe_folding(Folding *f, gbl_Descriptor desc) {
    int32_t turned = GBL_DEFAULT, code = GBL_UDT_CODE;
    gbl_Info info = gbl_Monoid_get_INT32(f->op, &code, GBL_OUTP_TYPE_CODE);
    if (info == GBL_SUCCESS) info = type_of_code(&f->type, code);
    if (info == GBL_SUCCESS && desc) info = gbl_Descriptor_get_INT32(desc, &turned, GBL_INP0);
    f->columns = turned == GBL_TRAN;
    if (info == GBL_SUCCESS) info = gb_product_plan(&f->of);
    if (f->columns) f->of.slice /= 2; /* which is turned */
    if (info == GBL_SUCCESS)
        info = gbl_Vector_new(&f->sums, f->type, f->columns ? f->of.ncols : f->of.how->nrows);
    return info;
}

gbl_Info gbl_mxm_reduce_rows(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Monoid op,
                             gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B, gbl_FileProduct *how,
                             gbl_Descriptor desc) {
    gbl_FileProduct usual = {0};
    gbl_Vector probe = NULL;
    Folding f = {.of = {.path = "gbl_mxm_reduce_rows",
                        .ring = ring,
                        .A = A,
                        .B = B,
                        .how = how ? how : &usual,
                        .take = fold_slice},
                 .op = op};
    f.of.to = &f;
    gbl_call_begin();
    gbl_Info info = gbl_Vector_wait(w, GBL_COMPLETE);
    if (info == GBL_SUCCESS) info = describe_folding(&f, desc);
    /* what is wrong with w, m and accum shows before the work */
    if (info == GBL_SUCCESS) info = gbl_Vector_dup(&probe, w);
    if (info == GBL_SUCCESS) info = gbl_Vector_assign(probe, m, accum, f.sums, GBL_ALL, 0, desc);
    gbl_Vector_free(&probe);
    if (info == GBL_SUCCESS) info = gb_product_report(&f.of);
    if (info == GBL_SUCCESS) info = gb_product_run(&f.of);
    if (info == GBL_SUCCESS) info = gbl_Vector_assign(w, m, accum, f.sums, GBL_ALL, 0, desc);
    gbl_Vector_free(&f.sums);
    gbl_call_end();
    return info;
}
