/* SPDX-License-Identifier: Apache-2.0
 *
 * degrees. Where rows are held, their pointers give them: O(rows). Where only columns are, the
 * entries are counted by row, each part of them into counters of its own. Every row has a degree,
 * so where dimensions are huge they are for the rows that the mask has.
 */
#include "graph/graph.h"

#include "ops/operations.h"

/* How many entries each of n rows has: from row pointers, or the sums of `parts` counters. */
typedef struct {
    const gb_Off *p;       /* row pointers, or NULL: */
    const uint32_t *count; /* [parts * n] counters */
    uint64_t n;
    int parts;
} Counts;

static void read_counts(const Counts *c, uint64_t first, size_t count, uint32_t *z) {
    if (c->p != NULL) {
        for (size_t k = 0; k < count; k++) z[k] = (uint32_t)(c->p[first + k + 1] - c->p[first + k]);
        return;
    }
    for (size_t k = 0; k < count; k++) z[k] = c->count[first + k];
    for (int t = 1; t < c->parts; t++)
        for (size_t k = 0; k < count; k++) z[k] += c->count[(uint64_t)t * c->n + first + k];
}

typedef struct {
    const Counts *counts;
    const gb_Type *type;
    char *x;
} Writing;

static void write_counts(void *context, uint64_t first, uint64_t end) {
    const Writing *w = context;
    while (first < end) {
        uint32_t z[GB_BATCH];
        const size_t count = end - first < GB_BATCH ? end - first : GB_BATCH;
        read_counts(w->counts, first, count, z);
        gb_cast(w->type, w->x + first * w->type->size, gb_type_of(GBL_UINT32_CODE), z, 1, count);
        first += count;
    }
}

/* Minor indices of A, counted. */
static gbl_Info count_minor(uint32_t **counters, size_t *bytes, int *parts, const gb_CsView *A) {
    const uint64_t n = A->nminor;
    *parts = gb_parts_counting(gb_threads_for(A->nvals, GB_GRAIN, gb_nthreads()), A->nvals, n);
    *bytes = gb_size_of(n, (size_t)*parts * sizeof **counters);
    *counters = gb_malloc(*bytes);
    if (*counters == NULL) return gb_fail_memory(*bytes);
    gb_count_minors(A, *parts, *counters);
    return GBL_SUCCESS;
}

static gbl_Info degrees_host(const void *asked) {
    const gb_Degrees *call = asked;
    gb_Matrix *const w = call->w;
    const gb_Type *type = call->accum == NULL ? w->type : gb_type_of(GBL_INT64_CODE);
    gb_Result T = {.type = type, .is_dense = true};
    gb_MapSource source;
    gbl_Info info = gb_map_source(&source, call->A, call->transpose);
    if (info != GBL_SUCCESS) return info;
    const uint64_t n = w->nrows;
    const bool by_rows = !source.is_empty && source.format == GB_CSR;
    const int threads = gb_threads_for(n, GB_GRAIN, gb_nthreads());
    uint32_t *counters = NULL;
    size_t bytes = 0;
    static const gb_Off no_entries[2] = {0, 0};
    Counts counts = {.p = source.is_empty ? no_entries : source.cs.p, .n = n};
    if (!source.is_empty && !by_rows) {
        info = count_minor(&counters, &bytes, &counts.parts, &source.cs);
        counts.count = counters;
        counts.p = NULL;
    }
    if (source.is_empty) counts.n = n > 0 ? 1 : 0; /* one 0 for all */
    if (info == GBL_SUCCESS)
        info = gb_dense_alloc(&T.dense, n, gb_size_of(counts.n, type->size), false);
    if (info == GBL_SUCCESS) {
        T.dense.nvals = n;
        T.dense.iso = source.is_empty;
        gb_parallel_ranges(threads, counts.n, write_counts, &(Writing){&counts, type, T.dense.x});
    }
    gb_free(counters, bytes);
    return info == GBL_SUCCESS ? gb_finish(w, &call->mask, call->accum, &T) : info;
}

static gbl_Info degrees_hyper(const void *asked) {
    const gb_Degrees *call = asked;
    gb_Matrix *const w = call->w;
    const gb_Mask *mask = &call->mask;
    const bool inside = mask->M != NULL ? !mask->complement : mask->complement;
    if (!inside && !gb_any_huge(w, mask->M, call->A, NULL)) return degrees_host(call);
    if (!inside && gb_is_huge(w))
        return gb_fail(GBL_OUT_OF_MEMORY,
                       "degrees of all of %llu rows or columns do not fit in memory; give a mask "
                       "that is not complemented, such as a vector of those that are wanted",
                       (unsigned long long)w->nrows);
    gb_RowList *all = NULL;
    gb_HyperCall hyper;
    gbl_Info info = inside ? GBL_SUCCESS : gb_row_list_of_first(&all, w->nrows);
    if (info != GBL_SUCCESS) return info;
    gb_hyper_begin(&hyper, &gb_op_degrees, call);
    hyper.more[GB_DIM_ROWS] = all;
    info = gb_hyper_run(&hyper);
    gb_row_list_release(all);
    return info;
}

static gbl_Info check(const void *asked) {
    const gb_Degrees *call = asked;
    const gbl_Info info =
        gb_check_output(call->w, &call->mask, call->accum, gb_type_of(GBL_INT64_CODE));
    return info == GBL_SUCCESS ? gb_check_per_row(call->w, call->A, call->transpose) : info;
}

const gb_Op gb_op_degrees = {GB_OP("degrees", gb_Degrees),
                             .A = GB_INPUT_TRANSPOSED(gb_Degrees, A, transpose, ROWS, INNER),
                             .check = check, .hyper = degrees_hyper, .host = degrees_host};
