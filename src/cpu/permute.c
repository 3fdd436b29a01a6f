/* SPDX-License-Identifier: Apache-2.0
 *
 * A(p,p), the rows and columns of a square matrix in another order.
 *
 * Each row is taken once: its columns get their new names, those outside the band are left out, and
 * the rest is sorted while it is in the cache. (Scattering the entries by column instead, which
 * needs no sort, takes 8 times as long where the rows are long, as every write then misses.) Parts
 * of the rows are written where they would stand if nothing were left out, and move together in the
 * end. Cost: a lookup for each entry of A and a sort of each row of the result; workspace: room for
 * the longest row in each thread.
 */
#include "cpu/cpu.h"

#include <string.h>

#include "core/arrays.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "cpu/map.h"
#include "cpu/sort.h"

enum { PARTS = 8 }; /* for each thread, as some rows keep less than others */

/* Rows [from, to) of the result, whose entries have room from entry `first` on. */
typedef struct {
    uint64_t from, to, first, kept;
} Part;

typedef struct {
    const gb_PermuteArgs *args;
    const gb_CsView *A;
    gb_Cs *T; /* T->p counts within the part */
    Part *part;
    uint64_t *scratch; /* [threads * 2 * longest] */
    uint64_t longest;
    int bits; /* of an index */
} Job;

static inline bool inside(const gb_PermuteArgs *args, uint64_t i, uint64_t j) {
    const int64_t offset = (int64_t)j - (int64_t)i;
    return offset >= args->low && offset <= args->high;
}

/* The new columns of row i that are kept, ascending, to out; how many. Writes one more. */
static uint64_t name_columns(const Job *job, uint64_t i, gb_Idx *out, gb_Idx *scratch) {
    const gb_CsView *A = job->A;
    const uint64_t row = job->args->order[i], length = A->p[row + 1] - A->p[row];
    const gb_Idx *columns = A->i + A->p[row];
    uint64_t kept = 0;
    for (uint64_t e = 0; e < length; e++) {
        const gb_Idx j = job->args->place[columns[e]];
        out[kept] = j;
        kept += inside(job->args, i, j);
    }
    if (kept > 1) gb_sort32(out, scratch, kept, 0, job->bits);
    return kept;
}

/* The same with values: keys are column << 32 | number of the entry in its row. */
static uint64_t take_entries(const Job *job, uint64_t i, uint64_t q, uint64_t *key) {
    const gb_CsView *A = job->A;
    const uint64_t row = job->args->order[i], length = A->p[row + 1] - A->p[row];
    uint64_t kept = 0;
    for (uint64_t e = 0; e < length; e++) {
        const uint64_t j = job->args->place[A->i[A->p[row] + e]];
        if (inside(job->args, i, j)) key[kept++] = j << 32 | e;
    }
    if (kept > 1) gb_sort64(key, key + job->longest, kept, 32, 32 + job->bits);
    const size_t size = A->xsize;
    const char *x = (const char *)A->x + A->p[row] * size;
    for (uint64_t k = 0; k < kept; k++) {
        job->T->i[q + k] = (gb_Idx)(key[k] >> 32);
        gb_copy_value((char *)job->T->x + (q + k) * size, x + (key[k] & UINT32_MAX) * size, size);
    }
    return kept;
}

static void fill(const Job *job, Part *part) {
    uint64_t *scratch = job->scratch + (uint64_t)gb_thread_id() * 2 * job->longest;
    gb_Idx *columns = (gb_Idx *)(void *)scratch, *more = columns + job->longest;
    uint64_t kept = 0;
    for (uint64_t i = part->from; i < part->to; i++) {
        const uint64_t q = part->first + kept;
        job->T->p[i] = kept;
        if (!job->A->iso) {
            kept += take_entries(job, i, q, scratch);
        } else {
            const uint64_t n = name_columns(job, i, columns, more);
            memcpy(job->T->i + q, columns, n * sizeof *columns);
            kept += n;
        }
    }
    part->kept = kept;
}

/* Cuts the rows, in their new order, into parts of equal work; finds the longest. */
static void cut(Job *job, int parts) {
    const gb_CsView *A = job->A;
    const uint64_t n = A->nmajor, work = n + A->nvals;
    uint64_t sum = 0, i = 0;
    for (int t = 0; t < parts; t++) {
        job->part[t].from = i;
        job->part[t].first = sum - i;
        const uint64_t end = gb_part(work, (uint64_t)t + 1, (uint64_t)parts);
        for (; i < n && (sum < end || t == parts - 1); i++) {
            const uint64_t row = job->args->order[i], length = A->p[row + 1] - A->p[row];
            if (length > job->longest) job->longest = length;
            sum += 1 + length;
        }
        job->part[t].to = i;
    }
}

/* The parts stand behind each other, and T->p says where rows start. */
static void join(const Job *job, int parts) {
    gb_Cs *T = job->T;
    const size_t size = job->A->iso ? 0 : job->A->xsize;
    uint64_t q = 0;
    for (int t = 0; t < parts; t++) {
        const Part *part = &job->part[t];
        for (uint64_t i = part->from; i < part->to; i++) T->p[i] += q;
        if (part->kept > 0 && q < part->first) {
            memmove(T->i + q, T->i + part->first, part->kept * sizeof *T->i);
            memmove((char *)T->x + q * size, (char *)T->x + part->first * size, part->kept * size);
        }
        q += part->kept;
    }
    T->p[job->A->nmajor] = T->nvals = q;
}

static void fill_part(void *context, uint64_t t) {
    Job *job = context;
    fill(job, &job->part[t]);
}

gbl_Info gb_cpu_permute(const gb_PermuteArgs *args, const gb_CsView *A, gb_Cs *T) {
    const int threads = gb_threads_for(A->nvals, GB_GRAIN, args->nthreads);
    const int parts = threads == 1 ? 1 : threads * PARTS;
    const size_t part_bytes = (size_t)parts * sizeof(Part);
    Job job = {.args = args, .A = A, .T = T, .bits = gb_key_bits(A->nminor)};
    size_t scratch_bytes = 0;
    job.part = gb_malloc(part_bytes);
    if (job.part == NULL) return gb_fail_memory(part_bytes);
    cut(&job, parts);
    gbl_Info info = gb_cs_alloc(T, A->nmajor, A->nvals, A->iso ? A->xsize : A->nvals * A->xsize);
    if (info != GBL_SUCCESS) goto done;
    if (gb_size_mul(&scratch_bytes, 2 * job.longest, (size_t)threads * sizeof *job.scratch))
        job.scratch = gb_malloc(scratch_bytes);
    if (job.scratch == NULL) {
        gb_cs_free(T);
        info = gb_fail_memory(scratch_bytes);
        goto done;
    }
    gb_parallel_for(threads, (uint64_t)parts, fill_part, &job);
    join(&job, parts);
    if (A->iso) memcpy(T->x, A->x, A->xsize);
    T->iso = A->iso;
    gb_cs_trim(T, A->xsize);
done:
    gb_free(job.part, part_bytes);
    gb_free(job.scratch, scratch_bytes);
    return info;
}
