/* SPDX-License-Identifier: Apache-2.0
 *
 * A(p,p), the rows and columns of a square matrix in another order.
 *
 * Renaming the columns of a row would leave it unsorted, so the result is made the other way round:
 * the rows of A are taken in their new order, and each entry is put behind those that its column
 * has got already. That is a counting sort by the new column, as transposing is: what was by rows
 * comes out by columns, sorted. Each part of the rows counts its entries of every column, a running
 * sum over (column, part) gives the parts their own slots, and they scatter without conflict.
 * Entries outside the band are dropped in both passes. Cost: two passes over the entries of A, with
 * a lookup each; workspace: parts * n offsets.
 */
#include "cpu/cpu.h"

#include <string.h>

#include "core/arrays.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "cpu/map.h"

/* Rows [from, to) of the result. */
typedef struct {
    const gb_PermuteArgs *args;
    const gb_CsView *A;
    gb_Off *slot; /* [n] of each column of the part */
    uint64_t from, to;
} Part;

static inline bool inside(const gb_PermuteArgs *args, uint64_t i, uint64_t j) {
    const int64_t offset = (int64_t)j - (int64_t)i;
    return offset >= args->low && offset <= args->high;
}

static void count(const Part *part) {
    const gb_CsView *A = part->A;
    for (uint64_t i = part->from; i < part->to; i++) {
        const uint64_t row = part->args->order[i];
        for (gb_Off e = A->p[row]; e < A->p[row + 1]; e++) {
            const gb_Idx j = part->args->place[A->i[e]];
            part->slot[j] += inside(part->args, i, j);
        }
    }
}

static void scatter(const Part *part, gb_Cs *T) {
    const gb_CsView *A = part->A;
    const bool values = !A->iso;
    for (uint64_t i = part->from; i < part->to; i++) {
        const uint64_t row = part->args->order[i];
        for (gb_Off e = A->p[row]; e < A->p[row + 1]; e++) {
            const gb_Idx j = part->args->place[A->i[e]];
            if (!inside(part->args, i, j)) continue;
            const gb_Off q = part->slot[j]++;
            T->i[q] = (gb_Idx)i;
            if (values)
                gb_copy_value((char *)T->x + q * A->xsize, (const char *)A->x + e * A->xsize,
                              A->xsize);
        }
    }
}

/* Cuts the rows, in their new order, into parts of equal work. */
static void cut(const gb_PermuteArgs *args, const gb_CsView *A, Part *part, int parts) {
    const uint64_t n = A->nmajor, work = n + A->nvals;
    uint64_t sum = 0, i = 0;
    for (int t = 0; t < parts; t++) {
        part[t].from = i;
        const uint64_t end = gb_part(work, (uint64_t)t + 1, (uint64_t)parts);
        for (; i < n && (sum < end || t == parts - 1); i++) {
            const uint64_t row = args->order[i];
            sum += 1 + A->p[row + 1] - A->p[row];
        }
        part[t].to = i;
    }
}

/* The slots of each part become its first places of every column; Tp is filled. */
static void place_columns(const Part *part, int parts, gb_Off *Tp, uint64_t n) {
    gb_Off sum = 0;
    for (uint64_t j = 0; j < n; j++) {
        Tp[j] = sum;
        for (int t = 0; t < parts; t++) {
            const gb_Off entries = part[t].slot[j];
            part[t].slot[j] = sum;
            sum += entries;
        }
    }
    Tp[n] = sum;
}

gbl_Info gb_cpu_permute(const gb_PermuteArgs *args, const gb_CsView *A, gb_Cs *T) {
    const uint64_t n = A->nmajor;
    int parts = gb_threads_for(A->nvals, GB_GRAIN, args->nthreads);
    while (parts > 1 && n > A->nvals / (uint64_t)parts) parts--; /* counting must stay cheap */
    const size_t part_bytes = (size_t)parts * sizeof(Part);
    size_t bytes;
    if (!gb_size_mul(&bytes, n + 1, (size_t)parts * sizeof(gb_Off)))
        return gb_fail_memory(NULL, SIZE_MAX);
    gb_Off *slots = gb_calloc(bytes), *p = gb_malloc((n + 1) * sizeof *p);
    Part *part = gb_malloc(part_bytes);
    gbl_Info info = GBL_SUCCESS;
    if (slots == NULL || p == NULL || part == NULL) {
        info = gb_fail_memory(NULL, bytes + (n + 1) * sizeof *p + part_bytes);
        goto done;
    }
    for (int t = 0; t < parts; t++)
        part[t] = (Part){.args = args, .A = A, .slot = slots + (uint64_t)t * n};
    cut(args, A, part, parts);
    GB_PARALLEL_FOR(parts)
    for (int t = 0; t < parts; t++) count(&part[t]);
    place_columns(part, parts, p, n);

    const uint64_t total = p[n];
    info = gb_cs_alloc(T, n, total, A->iso && total > 0 ? A->xsize : total * A->xsize);
    if (info != GBL_SUCCESS) goto done;
    memcpy(T->p, p, (n + 1) * sizeof *p);
    GB_PARALLEL_FOR(parts)
    for (int t = 0; t < parts; t++) scatter(&part[t], T);
    if (A->iso && total > 0) memcpy(T->x, A->x, A->xsize);
    T->iso = A->iso;
done:
    gb_free(slots, bytes);
    gb_free(p, (n + 1) * sizeof *p);
    gb_free(part, part_bytes);
    return info;
}
