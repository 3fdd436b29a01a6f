/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries as they are read, and the matrix that they make.
 */
#include <stdlib.h>
#include <string.h>

#include "formats.h"

static gbl_Info no_memory(void) {
    return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the entries");
}

static gbl_Info grow(format_Entries *e) {
    const gbl_Index room = 2 * e->room + 1024;
    const size_t parts = e->field == FORMAT_COMPLEX ? 2 : 1;
    gbl_Index *I = realloc(e->I, room * sizeof *I);
    if (I) e->I = I;
    gbl_Index *J = realloc(e->J, room * sizeof *J);
    if (J) e->J = J;
    format_Value *x = e->field == FORMAT_PATTERN ? NULL : realloc(e->x, parts * room * sizeof *x);
    if (x) e->x = x;
    if (!I || !J || (e->field != FORMAT_PATTERN && !x)) return no_memory();
    e->room = room;
    return GBL_SUCCESS;
}

gbl_Info format_add(format_Entries *e, gbl_Index i, gbl_Index j, const format_Value *x) {
    const gbl_Info info = e->n == e->room ? grow(e) : GBL_SUCCESS;
    if (info) return info;
    e->I[e->n] = i;
    e->J[e->n] = j;
    if (e->field == FORMAT_COMPLEX)
        memcpy(e->x + 2 * e->n, x, 2 * sizeof *x);
    else if (e->field != FORMAT_PATTERN)
        e->x[e->n] = *x;
    e->n++;
    return GBL_SUCCESS;
}

static gbl_Info build_pattern(gbl_Matrix A, const format_Entries *e) {
    gbl_Scalar one = NULL;
    gbl_Info info;
    if ((info = gbl_Scalar_new(&one, GBL_BOOL)) || (info = gbl_Scalar_setElement_BOOL(one, true)) ||
        (info = gbl_Matrix_build_Scalar(A, e->I, e->J, one, e->n)))
        goto done;
done:
    gbl_Scalar_free(&one);
    return info;
}

gbl_Info format_check_sums(gbl_Matrix A, const format_Entries *e, double low, double high,
                           const char *path) {
    gbl_Matrix B = NULL;
    cli_Tuples sums = {0};
    gbl_Index nvals;
    gbl_Info info = gbl_Matrix_nvals(&nvals, A);
    if (info || nvals == e->n) return info;
    if ((info = gbl_Matrix_new(&B, GBL_FP64, e->nrows, e->ncols)) ||
        (info = gbl_Matrix_build_FP64(B, e->I, e->J, &e->x->real, e->n, GBL_PLUS_FP64)) ||
        (info = cli_tuples_read(&sums, B)))
        goto done;
    for (gbl_Index k = 0; k < sums.n && !info; k++)
        if (!(sums.x[k] >= low && sums.x[k] < high))
            info = gbl_fail(GBL_INVALID_VALUE, NULL,
                            "%s: the entry (%llu, %llu) is given more than once, and its type does "
                            "not hold the sum",
                            path, (unsigned long long)sums.I[k] + 1,
                            (unsigned long long)sums.J[k] + 1);
done:
    cli_tuples_free(&sums);
    gbl_Matrix_free(&B);
    return info;
}

/* Whole values, of which sums must fit. */
static gbl_Info build_whole(gbl_Matrix A, const format_Entries *e, const char *path) {
    const gbl_Info info = gbl_Matrix_build_INT64(A, e->I, e->J, &e->x->whole, e->n, GBL_PLUS_INT64);
    if (info) return info;
    for (gbl_Index k = 0; k < e->n; k++) e->x[k].real = (double)e->x[k].whole;
    return format_check_sums(A, e, -0x1p63, 0x1p63, path);
}

gbl_Info format_build(gbl_Matrix *A, gbl_Type type, const format_Entries *e, const char *path) {
    const gbl_Type types[] = {GBL_BOOL, GBL_INT64, GBL_FP64, GBL_FC64};
    gbl_Matrix B = NULL;
    gbl_Info info = gbl_Matrix_new(&B, type ? type : types[e->field], e->nrows, e->ncols);
    if (info == GBL_DIMENSION_MISMATCH || info == GBL_INVALID_VALUE)
        info = gbl_fail(info, NULL, "%s: the matrix has too many rows or columns", path);
    if (!info && e->n > 0) /* else there may be no arrays */
        info = e->field == FORMAT_PATTERN ? build_pattern(B, e)
               : e->field == FORMAT_COMPLEX
                   ? gbl_Matrix_build_FC64(B, e->I, e->J, (const gbl_FC64 *)(const void *)e->x,
                                           e->n, GBL_PLUS_FC64)
               : e->field == FORMAT_WHOLE
                   ? build_whole(B, e, path)
                   : gbl_Matrix_build_FP64(B, e->I, e->J, &e->x->real, e->n, GBL_PLUS_FP64);
    if (!info) {
        *A = B;
        B = NULL;
    }
    gbl_Matrix_free(&B);
    return info;
}

void format_free(format_Entries *e) {
    free(e->I);
    free(e->J);
    free(e->x);
    *e = (format_Entries){0};
}
