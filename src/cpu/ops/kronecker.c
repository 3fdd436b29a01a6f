/* SPDX-License-Identifier: Apache-2.0
 *
 * The Kronecker product: row ia * mb + ib of the result has, for each entry (ia, ja) of A and each
 * entry (ib, jb) of B, ascending, the entry ja * nb + jb with the value op(a, b). So row pointers
 * follow from those of A and B without counting, columns come sorted, and parts of equal work write
 * where nobody else does. Values are combined in batches of pairs (semiring/cast.h). Cost: O(rows
 * + entries of the result).
 */
#include "cpu/ops/map.h"
#include "semiring/cast.h"

typedef struct {
    const gb_KroneckerArgs *args;
    gb_Cs *T;
    gb_Pairs pairs;
    char *work; /* [threads][work_bytes] */
    size_t work_bytes;
    uint64_t parts;
} Job;

static void set_pointers(void *context, uint64_t from, uint64_t to) {
    const Job *job = context;
    const gb_CsView *A = &job->args->A, *B = &job->args->B;
    for (uint64_t r = from; r < to; r++) {
        const uint64_t ia = r / B->nmajor, ib = r % B->nmajor;
        job->T->p[r] = A->p[ia] * B->nvals + (A->p[ia + 1] - A->p[ia]) * B->p[ib];
    }
}

/* Pairs that wait to be combined; the results stand behind each other from place `first` on. */
typedef struct {
    uint64_t n, first, a[GB_BATCH], b[GB_BATCH];
} Pairs;

static void combine(const Job *job, Pairs *pairs) {
    char *work = job->work + (size_t)gb_thread_id() * job->work_bytes;
    const gb_PairsAt at = {.x = pairs->a, .y = pairs->b};
    if (pairs->n > 0 && !job->T->iso)
        gb_pairs_combine(&job->pairs, work, at, pairs->n,
                         (char *)job->T->x + pairs->first * job->pairs.ztype->size);
    pairs->first += pairs->n;
    pairs->n = 0;
}

static void fill_row(const Job *job, uint64_t r, Pairs *pairs) {
    const gb_CsView *A = &job->args->A, *B = &job->args->B;
    const uint64_t ia = r / B->nmajor, ib = r % B->nmajor, batch = job->pairs.batch;
    gb_Idx *i = job->T->i + job->T->p[r];
    for (gb_Off a = A->p[ia]; a < A->p[ia + 1]; a++) {
        const uint64_t column = A->i[a] * B->nminor;
        for (gb_Off b = B->p[ib]; b < B->p[ib + 1]; b++) {
            *i++ = (gb_Idx)(column + B->i[b]);
            pairs->a[pairs->n] = a;
            pairs->b[pairs->n++] = b;
            if (pairs->n == batch) combine(job, pairs);
        }
    }
}

static void fill_part(void *context, uint64_t t) {
    const Job *job = context;
    const gb_Cs *T = job->T;
    const uint64_t n = T->nmajor, work = n + T->nvals;
    const uint64_t to = gb_row_at_work(T->p, n, 1, gb_part(work, t + 1, job->parts));
    uint64_t r = gb_row_at_work(T->p, n, 1, gb_part(work, t, job->parts));
    Pairs pairs;
    pairs.n = 0;
    pairs.first = T->p[r];
    for (; r < to; r++) fill_row(job, r, &pairs);
    combine(job, &pairs);
}

gbl_Info gb_cpu_kronecker(const gb_KroneckerArgs *args, gb_Cs *T) {
    const gb_CsView *A = &args->A, *B = &args->B;
    const gb_BinaryOp *op = args->op;
    Job job = {.args = args,
               .T = T,
               .pairs = {.op = op,
                         .xtype = args->xtype,
                         .ytype = args->ytype,
                         .ztype = op->ztype,
                         .x = A->x,
                         .y = B->x,
                         .xiso = A->iso,
                         .yiso = B->iso}};
    const gb_Pairs *pairs = &job.pairs;
    const bool one = (pairs->xiso || !gb_binary_uses_x(pairs->op)) &&
                     (pairs->yiso || !gb_binary_uses_y(pairs->op));
    size_t nvals, xbytes, bytes;
    if (!gb_size_mul(&nvals, A->nvals, B->nvals) ||
        !gb_size_mul(&xbytes, one ? 1 : nvals, op->ztype->size))
        return gb_fail_memory(SIZE_MAX);
    const int threads = gb_threads_for(A->nmajor * B->nmajor + nvals, GB_GRAIN, args->nthreads);
    job.work_bytes = gb_pairs_prepare(&job.pairs, GB_BATCH);
    if (!gb_size_mul(&bytes, (uint64_t)threads, job.work_bytes)) return gb_fail_memory(SIZE_MAX);
    gbl_Info info = gb_cs_alloc(T, A->nmajor * B->nmajor, nvals, xbytes);
    if (info != GBL_SUCCESS) return info;
    job.work = gb_malloc(bytes);
    if (job.work == NULL) {
        gb_cs_free(T);
        return gb_fail_memory(bytes);
    }
    T->iso = one;
    if (one) gb_pairs_combine(&job.pairs, job.work, (gb_PairsAt){.from = 0}, 1, T->x);
    job.parts = (uint64_t)gb_parts_for(threads);
    info = gb_parallel_try_ranges(threads, T->nmajor, set_pointers, &job);
    T->p[T->nmajor] = nvals;
    if (info == GBL_SUCCESS) info = gb_parallel_try(threads, job.parts, fill_part, &job);
    if (info != GBL_SUCCESS) gb_cs_free(T);
    gb_free(job.work, bytes);
    return info;
}
