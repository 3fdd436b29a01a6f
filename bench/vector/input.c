/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices to count on; see vector.h. A random one has the paper's n and nnz, the least and most
 * entries of a column once each, and others of a shifted log-normal distribution that gives the
 * variance; their rows are uniform.
 */
#include "vector/vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/values.h"

static int take(vector_matrix *m, uint64_t nnz) {
    m->p = calloc((size_t)m->n + 1, sizeof *m->p);
    m->i = malloc((nnz + 1) * sizeof *m->i);
    m->x = malloc((nnz + 1) * sizeof *m->x);
    if (m->p != NULL && m->i != NULL && m->x != NULL) return 0;
    fprintf(stderr, "vector: no memory for a matrix\n");
    return -1;
}

void vector_matrix_free(vector_matrix *m) {
    free(m->p);
    free(m->i);
    free(m->x);
    *m = (vector_matrix){0};
}

int vector_load(vector_matrix *m, const char *path) {
    gbl_Matrix A = NULL;
    gbl_Index n = 0, columns = 0, p_len = 0, i_len = 0, x_len = 0, *p = NULL, *i = NULL;
    int status = -1;
    *m = (vector_matrix){0};
    if (bench_failed(gbl_load(&A, GBL_FP64, path), path)) goto done;
    if (bench_failed(gbl_Matrix_nrows(&n, A), "nrows") ||
        bench_failed(gbl_Matrix_ncols(&columns, A), "ncols") ||
        bench_failed(gbl_Matrix_wait(A, GBL_MATERIALIZE), "wait") ||
        bench_failed(gbl_Matrix_exportSize(&p_len, &i_len, &x_len, GBL_CSC_FORMAT, A), "size"))
        goto done;
    m->n = (uint32_t)n;
    if (n != columns || take(m, i_len) != 0) goto done;
    p = malloc(p_len * sizeof *p);
    i = malloc((i_len + 1) * sizeof *i);
    if (p == NULL || i == NULL ||
        bench_failed(gbl_Matrix_export_FP64(p, i, m->x, &p_len, &i_len, &x_len, GBL_CSC_FORMAT, A),
                     "export"))
        goto done;
    for (gbl_Index k = 0; k < p_len; k++) m->p[k] = p[k];
    for (gbl_Index k = 0; k < i_len; k++) m->i[k] = (uint32_t)i[k];
    status = 0;
done:
    gbl_Matrix_free(&A);
    free(p);
    free(i);
    if (status != 0) vector_matrix_free(m);
    return status;
}

static double uniform(uint64_t *state) {
    return ((double)(bench_random(state) >> 11) + 0.5) * 0x1p-53;
}

/* Entries of a column: least + a log-normal number of that mean and variance. */
static double some_degree(uint64_t *state, double least, double mean, double variance) {
    const double u = uniform(state), v = uniform(state), over = mean - least;
    if (variance <= 1e-9 || over <= 1e-9) return mean + u - 0.5;
    const double sigma2 = log1p(variance / (over * over));
    const double normal = sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
    return least + exp(log(over) - sigma2 / 2.0 + sqrt(sigma2) * normal);
}

static void choose_degrees(uint32_t *degree, const vector_row *like, uint64_t *state) {
    const double n = like->n, mean = like->nnz / n, most = like->most, least = like->least;
    const double rest = fmax(n - 2.0, 1.0), inner = (like->nnz - most - least) / rest;
    const double spread =
        (like->variance * n - (most - mean) * (most - mean) - (least - mean) * (least - mean)) /
        rest;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < like->n; k++) {
        const double d = k == 0 ? most : k == 1 ? least : some_degree(state, least, inner, spread);
        degree[k] = (uint32_t)fmin(fmax(floor(d + 0.5), least), most);
        sum += degree[k];
    }
    while (sum != like->nnz) { /* by ones, anywhere */
        const uint32_t k = 2 + (uint32_t)(bench_random(state) % (like->n - 2));
        if (sum < like->nnz && degree[k] < like->most)
            degree[k]++, sum++;
        else if (sum > like->nnz && degree[k] > like->least)
            degree[k]--, sum--;
    }
}

static int compare(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

int vector_random(vector_matrix *m, const vector_row *like) {
    uint64_t state = like->n + like->nnz;
    uint32_t *degree = malloc(like->n * sizeof *degree);
    uint32_t *seen = calloc(like->n, sizeof *seen);
    int status = -1;
    *m = (vector_matrix){.n = like->n};
    if (degree == NULL || seen == NULL || take(m, like->nnz) != 0) goto done;
    choose_degrees(degree, like, &state);
    for (uint32_t k = 0; k < like->n; k++) {
        /* columns of all lengths come in any order */
        const uint32_t other = k + (uint32_t)(bench_random(&state) % (like->n - k));
        const uint32_t d = degree[other];
        degree[other] = degree[k];
        m->p[k + 1] = m->p[k] + d;
        for (uint32_t e = 0; e < d;) {
            const uint32_t i = (uint32_t)(bench_random(&state) % like->n);
            if (seen[i] == k + 1) continue;
            seen[i] = k + 1;
            m->x[m->p[k] + e] = uniform(&state);
            m->i[m->p[k] + e++] = i;
        }
        qsort(m->i + m->p[k], d, sizeof *m->i, compare);
    }
    status = 0;
done:
    free(degree);
    free(seen);
    if (status != 0) vector_matrix_free(m);
    return status;
}
