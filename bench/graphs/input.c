/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs, made undirected, for both sides.
 */
#include "graphs/graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first edge of every vertex of a WIDTH x HEIGHT grid that leads right, and that leads down. */
static gbl_Info build_grid(gbl_Matrix *A, gbl_Index width, gbl_Index height) {
    const gbl_Index n = width * height;
    gbl_Index *I = malloc(4 * n * sizeof *I), count = 0;
    gbl_Scalar one = NULL;
    gbl_Info info = GBL_OUT_OF_MEMORY;
    if (I == NULL) return gbl_fail(info, NULL, "no memory for the edges of a grid");
    gbl_Index *const J = I + 2 * n;
    for (gbl_Index v = 0; v < n; v++) {
        const gbl_Index next[2] = {v % width + 1 < width ? v + 1 : n, v + width};
        for (int k = 0; k < 2; k++)
            if (next[k] < n) {
                I[count] = v;
                J[count++] = next[k];
            }
    }
    info = gbl_Scalar_new(&one, GBL_BOOL);
    if (info == GBL_SUCCESS) info = gbl_Scalar_setElement_BOOL(one, true);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(A, GBL_BOOL, n, n);
    if (info == GBL_SUCCESS) info = gbl_Matrix_build_Scalar(*A, I, J, one, count);
    gbl_Scalar_free(&one);
    free(I);
    return info;
}

/* A file, a generator, or grid:WIDTH:HEIGHT. */
static gbl_Info load(gbl_Matrix *A, const char *operand) {
    unsigned width, height;
    if (sscanf(operand, "grid:%5u:%5u", &width, &height) == 2 && width > 0 && height > 0)
        return build_grid(A, width, height);
    return gbl_load(A, GBL_BOOL, operand);
}

/* A without direction and self loops; in->n and in->edges. */
static int make_undirected(graphs_input *in) {
    gbl_Matrix A = in->A;
    gbl_Index nrows = 0, ncols = 0;
    gbl_Info info = gbl_Matrix_nrows(&nrows, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&ncols, A);
    if (bench_failed(info, "size")) return -1;
    if (nrows != ncols || nrows == 0 || nrows > INT32_MAX) {
        fprintf(stderr, "graphs: %s is %llu x %llu; a graph is square, with 1 to 2^31 - 1 rows\n",
                in->name, (unsigned long long)nrows, (unsigned long long)ncols);
        return -1;
    }
    info = gbl_Matrix_select_INT64(A, NULL, NULL, GBL_OFFDIAG, A, 0, NULL);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_eWiseAdd_BinaryOp(A, NULL, NULL, GBL_LOR, A, A, GBL_DESC_T1);
    if (info == GBL_SUCCESS) info = gbl_Matrix_wait(A, GBL_MATERIALIZE);
    in->n = (uint32_t)nrows;
    return bench_failed(info, "undirected graph") ? -1 : 0;
}

static int take_pattern(graphs_input *in) {
    gbl_Index p_len, i_len, x_len;
    gbl_Info info = gbl_Matrix_exportSize(&p_len, &i_len, &x_len, GBL_CSR_FORMAT, in->A);
    if (bench_failed(info, "size")) return -1;
    gbl_Index *wide = malloc((i_len + 1) * sizeof *wide);
    bool *x = malloc(x_len + 1);
    in->edges = i_len;
    in->p = malloc((p_len + 1) * sizeof *in->p);
    in->i = malloc((i_len + 1) * sizeof *in->i);
    int status = -1;
    if (wide == NULL || x == NULL || in->p == NULL || in->i == NULL) {
        fprintf(stderr, "graphs: no memory for %s\n", in->name);
        goto done;
    }
    info = gbl_Matrix_export_BOOL(in->p, wide, x, &p_len, &i_len, &x_len, GBL_CSR_FORMAT, in->A);
    if (bench_failed(info, "export")) goto done;
    for (gbl_Index k = 0; k < i_len; k++) in->i[k] = (uint32_t)wide[k];
    status = 0;
done:
    free(wide);
    free(x);
    return status;
}

/* Vertices with neighbours, by a fixed sequence of random numbers. */
static int choose_sources(graphs_input *in) {
    uint64_t state = 27491095;
    if (in->edges == 0) {
        fprintf(stderr, "graphs: %s has no edges\n", in->name);
        return -1;
    }
    for (int k = 0; k < GRAPHS_SOURCES;) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const uint32_t v = (uint32_t)((state >> 33) % in->n);
        if (in->p[v + 1] > in->p[v]) in->source[k++] = v;
    }
    return 0;
}

int graphs_load(graphs_input *in, const char *operand, int threads) {
    memset(in, 0, sizeof *in);
    in->name = operand;
    in->threads = threads;
    if (bench_failed(load(&in->A, operand), operand)) return -1;
    if (make_undirected(in) != 0 || take_pattern(in) != 0) return -1;
    return choose_sources(in);
}

void graphs_unload(graphs_input *in) {
    gbl_Matrix_free(&in->A);
    free(in->p);
    free(in->i);
    in->p = NULL;
    in->i = NULL;
}
