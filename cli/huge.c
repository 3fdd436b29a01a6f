/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices of which few rows and columns have entries, with dimensions of any size: commands see
 * those that have some, in time and memory of the entries.
 */
#include <stdlib.h>

#include "cli.h"

/* Smaller ones are looked at as a whole; so are those with an entry in one of so many rows. */
enum { LEAST = 1 << 26, PER_ENTRY = 64 };

bool cli_is_huge(gbl_Index dimension, gbl_Index nvals) {
    return dimension >= UINT32_MAX || (dimension > LEAST && dimension / PER_ENTRY > nvals);
}

static int ascend(const void *a, const void *b) {
    const gbl_Index x = *(const gbl_Index *)a, y = *(const gbl_Index *)b;
    return (x > y) - (x < y);
}

gbl_Info cli_entries_of(gbl_Index **I, gbl_Index **J, gbl_Index *n, gbl_Matrix A) {
    gbl_Matrix pattern = NULL;
    gbl_Index nrows, ncols;
    gbl_Info info;
    *I = *J = NULL;
    if ((info = gbl_Matrix_nrows(&nrows, A)) || (info = gbl_Matrix_ncols(&ncols, A)) ||
        (info = gbl_Matrix_new(&pattern, GBL_BOOL, nrows, ncols)) ||
        (info = gbl_Matrix_eWiseMult_BinaryOp(pattern, NULL, NULL, GBL_ONEB_BOOL, A, A, NULL)) ||
        (info = gbl_Matrix_nvals(n, pattern)))
        goto done;
    *I = malloc((*n + 1) * sizeof **I);
    *J = malloc((*n + 1) * sizeof **J);
    info = *I && *J ? gbl_Matrix_extractTuples_BOOL(*I, *J, NULL, n, pattern)
                    : gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the entries");
done:
    gbl_Matrix_free(&pattern);
    return info;
}

/* Sorts indices and drops those that are there before; returns how many stay, and at count, unless
 * it is NULL, how often each was there. */
static gbl_Index sort_distinct(gbl_Index *index, gbl_Index n, int64_t *count) {
    gbl_Index kept = 0;
    qsort(index, n, sizeof *index, ascend);
    for (gbl_Index k = 0; k < n; k++) {
        const bool again = kept > 0 && index[kept - 1] == index[k];
        if (!again && count) count[kept] = 0;
        if (!again) index[kept++] = index[k];
        if (count) count[kept - 1]++;
    }
    return kept;
}

gbl_Info cli_huge_degrees(gbl_Vector degree, gbl_Matrix A, bool of_columns) {
    gbl_Index *I, *J, n;
    gbl_Info info = cli_entries_of(&I, &J, &n, A);
    int64_t *const count = info ? NULL : malloc((n + 1) * sizeof *count);
    if (!info && !count) info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for degrees");
    if (!info) {
        gbl_Index *const index = of_columns ? J : I;
        n = sort_distinct(index, n, count);
        info = gbl_Vector_build_INT64(degree, index, count, n, NULL);
    }
    free(count);
    free(I);
    free(J);
    return info;
}

/* The vertices with edges, ascending, *n of them, in memory of the library. */
static gbl_Info find_vertices(gbl_Index **vertex, gbl_Index *n, gbl_Matrix A) {
    gbl_Index *I, *J;
    gbl_Info info = cli_entries_of(&I, &J, n, A);
    *vertex = info ? NULL : gbl_Memory_malloc((2 * *n + 1) * sizeof **vertex);
    if (!info && !*vertex)
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the vertices");
    for (gbl_Index k = 0; !info && k < *n; k++) {
        (*vertex)[2 * k] = I[k];
        (*vertex)[2 * k + 1] = J[k];
    }
    if (!info) *n = sort_distinct(*vertex, 2 * *n, NULL);
    free(I);
    free(J);
    return info;
}

gbl_Info cli_compact(gbl_Matrix *A, gbl_Index *n, cli_Common *common) {
    gbl_Labels *const labels = &common->reading.labels;
    gbl_Matrix C = NULL;
    gbl_Index *vertex = NULL, kept;
    gbl_Type type;
    gbl_Info info;
    if ((info = gbl_Matrix_nvals(&kept, *A)) || !cli_is_huge(*n, kept) || labels->n > 0)
        return info;
    if ((info = find_vertices(&vertex, &kept, *A)) || (info = gbl_Matrix_type(&type, *A)) ||
        (info = gbl_Matrix_new(&C, type, kept, kept)) ||
        (info = gbl_Matrix_extract(C, NULL, NULL, *A, vertex, kept, vertex, kept, NULL)))
        goto done;
    fprintf(
        stderr,
        "gblite: note: %s: %llu of the %llu vertices have edges; the others count for nothing\n",
        common->operand, (unsigned long long)kept, (unsigned long long)*n);
    for (gbl_Index k = 0; k < kept; k++) vertex[k]++;
    *labels = (gbl_Labels){.n = kept, .id = vertex};
    vertex = NULL;
    common->vertices = *n;
    *n = kept;
    gbl_Matrix_free(A);
    *A = C;
    C = NULL;
done:
    gbl_Memory_free(vertex);
    gbl_Matrix_free(&C);
    return info;
}

gbl_Info cli_expand(gbl_Matrix *A, cli_Common *common) {
    gbl_Index *const vertex = common->reading.labels.id, n = common->reading.labels.n;
    gbl_Matrix C = NULL;
    gbl_Type type;
    gbl_Info info;
    if (common->vertices == 0) return GBL_SUCCESS;
    for (gbl_Index k = 0; k < n; k++) vertex[k]--;
    if (!(info = gbl_Matrix_type(&type, *A)) &&
        !(info = gbl_Matrix_new(&C, type, common->vertices, common->vertices)))
        info = gbl_Matrix_assign(C, NULL, NULL, *A, vertex, n, vertex, n, NULL);
    for (gbl_Index k = 0; k < n; k++) vertex[k]++;
    if (!info) gbl_Matrix_free(A);
    if (!info) *A = C;
    if (info) gbl_Matrix_free(&C);
    return info;
}
