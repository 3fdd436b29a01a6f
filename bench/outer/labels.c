/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "labels": the same graph with its vertices' names as they come, by falling degree, and
 * shuffled: A becomes P*A*P'. What one method gains or loses by them tells how it meets the caches.
 */
#include "outer/outer.h"
#include "harness/values.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    gbl_Index *I, *J;
    double *X;
    gbl_Index n, entries;
    uint32_t *name; /* [n] new names */
} edges;

static void free_edges(edges *e) {
    free(e->I), free(e->J), free(e->X), free(e->name);
}

static gbl_Info take_edges(edges *e, gbl_Matrix A) {
    gbl_Info info = gbl_Matrix_nrows(&e->n, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&e->entries, A);
    if (info != GBL_SUCCESS) return info;
    e->I = malloc((e->entries + 1) * sizeof *e->I);
    e->J = malloc((e->entries + 1) * sizeof *e->J);
    e->X = malloc((e->entries + 1) * sizeof *e->X);
    e->name = malloc((e->n + 1) * sizeof *e->name);
    if (e->I == NULL || e->J == NULL || e->X == NULL || e->name == NULL)
        return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for %llu edges",
                        (unsigned long long)e->entries);
    return gbl_Matrix_extractTuples_FP64(e->I, e->J, e->X, &e->entries, A);
}

static void name_shuffled(edges *e) {
    uint64_t state = e->entries;
    for (gbl_Index v = 0; v < e->n; v++) e->name[v] = (uint32_t)v;
    bench_shuffle(e->name, e->n, e->n, &state);
}

static int by_value(const void *x, const void *y) {
    const uint64_t v = *(const uint64_t *)x, w = *(const uint64_t *)y;
    return (v > w) - (v < w);
}

/* Degrees count edges in both directions; a key has what is missing to the highest in its upper
 * half, and the vertex. */
static gbl_Info name_by_degree(edges *e) {
    uint64_t *key = malloc((e->n + 1) * sizeof *key);
    if (key == NULL) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for degrees");
    for (gbl_Index v = 0; v < e->n; v++) key[v] = (uint64_t)UINT32_MAX << 32 | v;
    for (gbl_Index k = 0; k < e->entries; k++) {
        key[e->I[k]] -= (uint64_t)1 << 32;
        key[e->J[k]] -= (uint64_t)1 << 32;
    }
    qsort(key, e->n, sizeof *key, by_value);
    for (gbl_Index k = 0; k < e->n; k++) e->name[(uint32_t)key[k]] = (uint32_t)k;
    free(key);
    return GBL_SUCCESS;
}

static gbl_Info rename_vertices(gbl_Matrix *A, const edges *e) {
    gbl_Index *I = malloc((e->entries + 1) * sizeof *I), *J = malloc((e->entries + 1) * sizeof *J);
    gbl_Info info = GBL_SUCCESS;
    if (I == NULL || J == NULL)
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for %llu edges",
                        (unsigned long long)e->entries);
    for (gbl_Index k = 0; k < e->entries && info == GBL_SUCCESS; k++) {
        I[k] = e->name[e->I[k]];
        J[k] = e->name[e->J[k]];
    }
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(A, GBL_FP64, e->n, e->n);
    if (info == GBL_SUCCESS) info = gbl_Matrix_build_FP64(*A, I, J, e->X, e->entries, NULL);
    free(I);
    free(J);
    return info;
}

enum { NATURAL, SORTED, SHUFFLED, LABELS };
static const char *const NAMES[LABELS] = {"natural", "sorted", "shuffled"};

static gbl_Info make_labels(gbl_Matrix *A) {
    edges e = {0};
    gbl_Info info = take_edges(&e, A[NATURAL]);
    if (info == GBL_SUCCESS) info = name_by_degree(&e);
    if (info == GBL_SUCCESS) info = rename_vertices(&A[SORTED], &e);
    if (info == GBL_SUCCESS) {
        name_shuffled(&e);
        info = rename_vertices(&A[SHUFFLED], &e);
    }
    free_edges(&e);
    return info;
}

int outer_labels(cJSON *object, const char *operand, const bench_setup *setup) {
    char name[64];
    gbl_Matrix A[LABELS] = {NULL};
    outer_turn turns[2 * LABELS] = {0};
    int status = -1;
    bench_operand_name(name, sizeof name, operand);
    cJSON_AddStringToObject(object, "name", name);
    gbl_Info info = bench_load_square(&A[NATURAL], operand);
    if (info == GBL_SUCCESS) info = outer_describe(object, A[NATURAL]);
    if (info == GBL_SUCCESS) info = make_labels(A);
    if (bench_failed(info, operand)) goto done;
    for (int k = 0; k < 2 * LABELS; k++)
        turns[k].product = outer_product(k % 2 == 0 ? &OUTER_WARM : &OUTER_ROWWISE, A[k / 2]);
    if (outer_take_turns(turns, 2 * LABELS, setup) != 0) goto done;
    status = 0;
    for (int k = 0; k < LABELS; k++) {
        cJSON *label = cJSON_AddObjectToObject(object, NAMES[k]);
        outer_describe_product(label, &turns[2 * k].product.how);
        outer_add_times(label, &turns[2 * k].median);
        cJSON_AddNumberToObject(label, "rowwise", turns[2 * k + 1].median.total);
        if (turns[2 * k].product.how.nvals == turns[0].product.how.nvals) continue;
        fprintf(stderr, "outer: the %s labels of %s change the entries of the result\n", NAMES[k],
                operand);
        status = -1;
    }
done:
    for (int k = 0; k < LABELS; k++) gbl_Matrix_free(&A[k]);
    return status;
}
