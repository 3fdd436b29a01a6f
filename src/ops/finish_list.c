/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing a list T into a dense vector C in place, in time of the lists' lengths: the step
 * `visited<frontier> = level` of a breadth-first search. Everything that can fail (cutting T,
 * finding what the mask deletes, memory) comes before the first write.
 *
 * C loses the entries at `remove`, then gets those of T: combined with accum where C has an entry,
 * else cast. All positions are distinct, so parts of the lists may be written in any order.
 */
#include <string.h>

#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "ops/finish_job.h"
#include "semiring/cast.h"

typedef struct {
    const gb_FinishJob *job;
    gb_Dense *C;
    gb_MaskView remove; /* entries of C that go, unless T has them; view.nvals is 0 for none */
    gb_Pairs pairs;     /* with accum */
    size_t pairs_bytes, raw_bytes, thread_bytes, work_bytes;
    char *work; /* [threads][thread_bytes]: of pairs; values of T; the same cast */
    int threads;
    uint64_t added; /* atomic: entries that are new in C */
    void *x;        /* [n] values that replace an iso C's one, or NULL */
    size_t x_bytes; /* of it */
    int8_t *b;      /* [n] the bitmap that a full C needs, or NULL */
    bool same_iso;  /* C is iso and T has no other value */
} Update;

/* If C were dense. */
static bool would_fit(const gb_FinishJob *job) {
    if (job->T->is_dense || !job->keep) return false;
    if (job->accum != NULL) return !(job->masked && job->mask->replace);
    return !job->mask->complement;
}

bool gb_finish_fits_list(const gb_FinishJob *job) {
    return would_fit(job) && gb_is_dense(job->C);
}

/* Few entries that were read as a list since they were written, and may be so again. */
void gb_finish_prefer_list(const gb_FinishJob *job) {
    gb_Matrix *C = job->C;
    if (!would_fit(job) || !gb_is_dense(C)) return;
    if (!(gb_has(C) & GB_HAS_LISTS)) return;
    if (C->nvals >= gb_flat_size(C) / GB_LIST_BELOW) return;
    gb_matrix_keep_only(C, GB_HAS_LISTS);
    C->merged = 0;
}

bool gb_finish_fills(uint64_t nvals, uint64_t cells, size_t size) {
    if (cells > GB_CELLS_BYTES / (1 + size)) return nvals >= cells / 2;
    return nvals >= cells / GB_DENSE_ABOVE;
}

static bool is_filled(const gb_Matrix *C) {
    return gb_may_be_dense(C) && gb_finish_fills(C->nvals, gb_flat_size(C), C->type->size);
}

/* Once the merges have cost about what the bitmap will. Not having the memory for it leaves the
 * list. */
void gb_finish_prefer_dense(const gb_FinishJob *job) {
    gb_Matrix *C = job->C;
    gb_DenseView view;
    if (gb_is_dense(C) || !would_fit(job)) return;
    C->merged += C->nvals + job->T->cs.nvals + GB_MERGE_LEAST;
    if (gb_is_vector(C) ? C->merged < C->nrows / GB_MERGES_WORTH
                        : !is_filled(C) || C->merged < gb_flat_size(C) / GB_MERGES_WORTH)
        return;
    C->merged = 0;
    gb_acquire_dense(C, &view);
}

static gbl_Info cut_to_mask(const gb_FinishJob *job) {
    gb_MaskView M = {0};
    gbl_Info info = GBL_SUCCESS;
    if (!job->masked || job->T->masked) return info;
    if (!gb_finish_looks_up(job)) info = gb_mask_get(&M, job->mask, GB_CSC);
    if (info == GBL_SUCCESS) info = gb_finish_cut(job, &M.view);
    gb_mask_release(&M);
    return info;
}

/* -- before the first write */

/* Without accum, entries of C inside the mask go where T has none. */
static gbl_Info find_removed(Update *u) {
    const gb_Mask *mask = u->job->mask;
    const uint64_t nT = u->job->T->cs.nvals;
    if (u->job->accum != NULL || (mask->structural && mask->M->nvals == nT)) return GBL_SUCCESS;
    const gbl_Info info = gb_mask_get(&u->remove, mask, GB_CSC);
    if (info != GBL_SUCCESS || u->remove.view.nvals != nT) return info;
    gb_mask_release(&u->remove);
    return GBL_SUCCESS;
}

/* Whether T's values leave an iso C iso; needs the workspace. */
static bool is_same_iso(const Update *u) {
    const gb_Result *T = u->job->T;
    const gb_Type *ctype = u->job->C->type;
    if (!u->C->iso || u->job->accum != NULL) return false;
    if (T->cs.nvals == 0) return true;
    if (!T->cs.iso) return false;
    gb_cast(ctype, u->work, T->type, T->cs.x, 1, 1);
    return memcmp(u->work, u->C->x, ctype->size) == 0;
}

static size_t whole_lines(size_t bytes) {
    return (bytes + GB_LINE_BYTES - 1) / GB_LINE_BYTES * GB_LINE_BYTES;
}

/* For a batch of T's values as they are, and cast; few values take a block that malloc has at hand.
 */
static bool size_work(Update *u) {
    const uint64_t n = u->job->T->cs.nvals, batch = n == 0 ? 1 : n < GB_BATCH ? n : GB_BATCH;
    size_t cast_bytes;
    if (!gb_size_mul(&u->raw_bytes, batch, u->job->T->type->size) ||
        !gb_size_mul(&cast_bytes, batch, u->job->C->type->size))
        return false;
    u->raw_bytes = whole_lines(u->raw_bytes);
    return !__builtin_add_overflow(u->raw_bytes, whole_lines(cast_bytes), &u->thread_bytes) &&
           !__builtin_add_overflow(u->thread_bytes, u->pairs_bytes, &u->thread_bytes);
}

static gbl_Info prepare(Update *u) {
    const gb_FinishJob *job = u->job;
    const gb_Type *ctype = job->C->type, *ttype = job->T->type;
    const uint64_t nT = job->T->cs.nvals;
    u->threads = gb_threads_for(nT, GB_GRAIN, gb_nthreads());
    u->pairs = (gb_Pairs){.op = job->accum,
                          .xtype = ctype,
                          .ytype = ttype,
                          .ztype = ctype,
                          .y = job->T->cs.x,
                          .yiso = job->T->cs.iso};
    if (job->accum != NULL) u->pairs_bytes = gb_pairs_prepare(&u->pairs, nT);
    if (!size_work(u)) return gb_fail_memory(SIZE_MAX);
    if (!gb_size_mul(&u->work_bytes, (uint64_t)u->threads, u->thread_bytes))
        return gb_fail_memory(SIZE_MAX);
    u->work = gb_malloc(u->work_bytes);
    if (u->work == NULL) return gb_fail_memory(u->work_bytes);
    u->same_iso = is_same_iso(u);
    if (u->C->iso && !u->same_iso) {
        if (!gb_size_mul(&u->x_bytes, u->C->n, ctype->size)) return gb_fail_memory(SIZE_MAX);
        u->x = gb_malloc(u->x_bytes);
        if (u->x == NULL) return gb_fail_memory(u->x_bytes);
        gb_fill(u->x, u->C->x, ctype->size, u->C->n);
    }
    if (u->C->b == NULL && u->remove.view.nvals > 0) {
        u->b = gb_malloc(u->C->n);
        if (u->b == NULL) return gb_fail_memory(u->C->n);
        memset(u->b, 1, u->C->n);
    }
    return GBL_SUCCESS;
}

/* -- writing */

/* C(to[k]) = T(from[k]) cast to C's type, n <= GB_BATCH. */
static void put_lone(const Update *u, char *work, const uint64_t *to, const uint64_t *from,
                     uint64_t n) {
    const gb_Type *ctype = u->job->C->type, *ttype = u->job->T->type;
    char *raw = work + u->pairs_bytes, *cast = raw + u->raw_bytes;
    if (n == 0 || u->same_iso) return;
    if (u->job->T->cs.iso) {
        gb_cast(ctype, cast, ttype, u->job->T->cs.x, 0, n);
    } else {
        gb_gather(raw, u->job->T->cs.x, from, ttype->size, n);
        gb_cast(ctype, cast, ttype, raw, 1, n);
    }
    gb_scatter(u->C->x, to, cast, ctype->size, n);
}

static void put_pairs(const Update *u, char *work, const uint64_t *to, const uint64_t *from,
                      uint64_t n) {
    for (uint64_t k = 0; k < n; k += u->pairs.batch) {
        const uint64_t count = n - k < u->pairs.batch ? n - k : u->pairs.batch;
        const gb_PairsAt at = {.x = to + k, .y = from + k};
        const void *z = gb_pairs_combine(&u->pairs, work, at, count, NULL);
        gb_scatter(u->C->x, to + k, z, u->job->C->type->size, count);
    }
}

/* Entries [k, k + n) of T; returns how many are new in C. */
static uint64_t write_batch(const Update *u, char *work, uint64_t k, uint64_t n) {
    const gb_Idx *i = u->job->T->cs.i;
    int8_t *b = u->C->b;
    uint64_t to[2][GB_BATCH], from[2][GB_BATCH], count[2] = {0, 0};
    uint64_t added = 0;
    for (uint64_t p = k; p < k + n; p++) {
        const bool present = b == NULL || b[i[p]];
        const int both = present && u->job->accum != NULL;
        to[both][count[both]] = i[p];
        from[both][count[both]++] = p;
        added += !present;
        if (!present) b[i[p]] = 1;
    }
    put_lone(u, work, to[0], from[0], count[0]);
    if (count[1] > 0) put_pairs(u, work, to[1], from[1], count[1]);
    return added;
}

static void write_range(void *context, uint64_t from, uint64_t to) {
    Update *u = context;
    char *work = u->work + (size_t)gb_thread_id() * u->thread_bytes;
    uint64_t added = 0;
    for (uint64_t k = from; k < to; k += GB_BATCH)
        added += write_batch(u, work, k, to - k < GB_BATCH ? to - k : GB_BATCH);
    __atomic_add_fetch(&u->added, added, __ATOMIC_RELAXED);
}

/* Nothing here can fail. */
static void write(Update *u) {
    const gb_CsView *remove = &u->remove.view;
    gb_Dense C = *u->C; /* taken out of the object while its representations are replaced */
    if (u->x != NULL) {
        gb_free(C.x, C.xcap);
        C.x = u->x;
        C.xcap = u->x_bytes;
        u->x = NULL;
    }
    if (u->b != NULL) C.b = u->b;
    u->b = NULL;
    C.iso = u->same_iso;
    C.nvals = u->job->C->nvals;
    for (uint64_t k = 0; k < remove->nvals; k++) {
        C.nvals -= (uint64_t)C.b[remove->i[k]];
        C.b[remove->i[k]] = 0;
    }
    *u->C = C;
    u->pairs.x = C.x;
    gb_parallel_ranges(u->threads, u->job->T->cs.nvals, write_range, u);
    C = *u->C;
    C.nvals += u->added;
    *u->C = (gb_Dense){0};
    gb_matrix_set_dense(u->job->C, &C);
}

gbl_Info gb_finish_list(const gb_FinishJob *job) {
    Update u = {.job = job, .C = &job->C->dense};
    gbl_Info info = cut_to_mask(job);
    if (info == GBL_SUCCESS) info = find_removed(&u);
    if (info == GBL_SUCCESS) info = prepare(&u);
    if (info == GBL_SUCCESS) write(&u);
    gb_mask_release(&u.remove);
    gb_free(u.x, u.x_bytes);
    gb_free(u.b, u.C->n);
    gb_free(u.work, u.work_bytes);
    return info;
}
