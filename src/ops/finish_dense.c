/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing vectors where one side is dense. Where nothing of C survives, C becomes T. A sparse T is
 * written into a dense C in place, in O(nvals(T) + nvals(mask)): the step `visited<frontier> =
 * level` of a breadth-first search. Else both become dense and are merged by a table
 * (dense_merge.c). A matrix is written as the vector of its flat array, so an update of one that is
 * full, or nearly, is O(nvals(T)).
 */
#include "ops/finish.h"
#include "semiring/cast.h"

/* -- a sparse T into a dense C, in place. All that can fail (cutting T, finding entries that the
 * mask deletes, allocation) precedes the first write. C loses the entries at `remove`, then gets
 * those of T: combined with accum where C has an entry, else cast. All positions are distinct, so
 * parts of T may be written in any order. */

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
    int8_t *flag;   /* NULL, or [entries of T] out: 1 where that has changed C, else 0 */
} Update;

/* If C were dense. */
static bool would_fit(const gb_FinishJob *job) {
    if (job->T->is_dense || !job->keep) return false;
    if (job->accum != NULL) return !(job->masked && job->mask->replace);
    return !job->mask->complement;
}

bool gb_finish_updates(const gb_FinishJob *job) {
    return would_fit(job) && gb_is_dense(job->C);
}

void gb_finish_choose(const gb_FinishJob *job) {
    gb_Matrix *C = job->C;
    gb_DenseView view;
    if (!would_fit(job)) return;
    /* few entries that were read as a sparse vector since they were written, and may be so again */
    if (gb_is_dense(C) && gb_has(C) & GB_HAS_LISTS && C->nvals < gb_flat_size(C) / GB_LIST_BELOW) {
        gb_matrix_keep_only(C, GB_HAS_LISTS);
        C->merged = 0;
    }
    const uint64_t entries = C->nvals + job->T->cs.nvals + GB_MERGE_LEAST;
    if (!gb_is_dense(C) && gb_merges_repay_dense(C, entries, !gb_is_vector(C)))
        gb_acquire_dense(C, &view); /* not having the memory for it leaves C sparse */
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
    /* a batch of T's values as they are, and cast; few take a block that malloc has at hand */
    const uint64_t batch = nT == 0 ? 1 : nT < GB_BATCH ? nT : GB_BATCH;
    u->raw_bytes = whole_lines(batch * ttype->size);
    u->thread_bytes = u->pairs_bytes + u->raw_bytes + whole_lines(batch * ctype->size);
    u->work_bytes = gb_size_of((uint64_t)u->threads, u->thread_bytes);
    u->work = gb_malloc(u->work_bytes);
    if (u->work == NULL) return gb_fail_memory(u->work_bytes);
    u->same_iso = is_same_iso(u);
    if (u->C->iso && !u->same_iso) {
        u->x_bytes = gb_size_of(u->C->n, ctype->size);
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
    for (uint64_t k = 0; u->flag != NULL && k < n; k++) u->flag[from[k]] = 1;
}

/* Zeros are equal, and so are all NaN: then w's value stays, bit for bit. */
static inline bool is_same(gbl_Type_Code code, const char *a, const char *b, size_t size) {
    double x, y;
    float v, w;
    if (memcmp(a, b, size) == 0) return true;
    if (code == GBL_FP64_CODE) {
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        return x == y || (x != x && y != y);
    }
    if (code != GBL_FP32_CODE) return false;
    memcpy(&v, a, sizeof v);
    memcpy(&w, b, sizeof w);
    return v == w || (v != v && w != w);
}

/* Values z for the positions `to` of w; a flag for each that was another. */
static inline void exchange(const Update *u, size_t size, const char *z, const uint64_t *to,
                            const uint64_t *from, uint64_t n) {
    const gbl_Type_Code code = u->job->C->type->code;
    for (uint64_t k = 0; k < n; k++) {
        char *slot = (char *)u->C->x + to[k] * size;
        const bool differs = !is_same(code, slot, z + k * size, size);
        u->flag[from[k]] = differs;
        if (differs) memcpy(slot, z + k * size, size);
    }
}

static void put_pairs(const Update *u, char *work, const uint64_t *to, const uint64_t *from,
                      uint64_t n) {
    const size_t size = u->job->C->type->size;
    for (uint64_t k = 0; k < n; k += u->pairs.batch) {
        const uint64_t count = n - k < u->pairs.batch ? n - k : u->pairs.batch;
        const gb_PairsAt at = {.x = to + k, .y = from + k};
        const void *z = gb_pairs_combine(&u->pairs, work, at, count, NULL);
        if (u->flag == NULL)
            gb_scatter(u->C->x, to + k, z, size, count);
        else if (size == 8)
            exchange(u, 8, z, to + k, from + k, count);
        else if (size == 4)
            exchange(u, 4, z, to + k, from + k, count);
        else
            exchange(u, size, z, to + k, from + k, count);
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

/* Cannot fail. */
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

static gbl_Info update(const gb_FinishJob *job, int8_t *flag) {
    Update u = {.job = job, .C = &job->C->dense, .flag = flag};
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

gbl_Info gb_finish_record(gb_Matrix *C, const gb_BinaryOp *accum, gb_Result *T, int8_t *flag) {
    const gb_FinishJob job = {.C = C, .mask = &(gb_Mask){0}, .accum = accum, .T = T, .keep = true};
    return update(&job, flag);
}

/* -- dense */

/* A sparse T as a bitmap. */
static gbl_Info make_dense(const gb_FinishJob *job) {
    gb_Result *T = job->T;
    T->dense.n = job->C->nrows;
    const gbl_Info info =
        gb_dense_of_cs(&T->dense, &T->cs, (gb_Strides){0, 1}, T->type->size, true);
    T->is_dense = info == GBL_SUCCESS;
    return info;
}

static gb_DenseView view_dense(const gb_Dense *dense, size_t size) {
    return (gb_DenseView){.n = dense->n,
                          .nvals = dense->nvals,
                          .b = dense->nvals < dense->n ? dense->b : NULL,
                          .x = dense->x,
                          .xsize = size,
                          .iso = dense->iso};
}

/* Which entries survive where: the three cases of finish.h as a table. */
static void fill_table(const gb_FinishJob *job, gb_DenseMerge *merge, bool covered) {
    const bool outside_stays = !job->mask->replace;
    for (int present = 0; present < 4; present++) {
        const bool x = present & 1, y = present & 2;
        merge->pick[0][present] = x && outside_stays ? GB_PICK_X : GB_PICK_NONE;
        merge->pick[1][present] = y && x && job->accum != NULL           ? GB_PICK_OP
                                  : y                                    ? GB_PICK_Y
                                  : x && (covered || job->accum != NULL) ? GB_PICK_X
                                                                         : GB_PICK_NONE;
    }
}

/* T's array, or else C's own, takes the result where it can. */
static gb_Dense *reusable(const gb_FinishJob *job, const gb_DenseMerge *merge) {
    if (gb_dense_may_reuse(merge, &job->T->dense, job->T->type)) return &job->T->dense;
    return gb_dense_may_reuse(merge, &job->C->dense, job->C->type) ? &job->C->dense : NULL;
}

/* C keeps something. */
static gbl_Info merge_dense(const gb_FinishJob *job) {
    const gb_Type *ctype = job->C->type;
    const uint64_t n = job->C->nrows;
    gb_Dense Z = {0};
    int8_t *allowed = NULL;
    gb_DenseMerge merge = {.Y = view_dense(&job->T->dense, job->T->type->size),
                           .xtype = ctype,
                           .ytype = job->T->type,
                           .ztype = ctype,
                           .op = job->accum};
    const bool covered =
        job->masked && job->T->masked && gb_finish_covers(job, job->T->dense.nvals);
    fill_table(job, &merge, covered);
    gbl_Info info = gb_acquire_dense(job->C, &merge.X);
    if (info == GBL_SUCCESS && job->masked && !covered)
        info = gb_mask_bytes(&allowed, job->mask, n);
    merge.allowed = allowed;
    if (info == GBL_SUCCESS) merge.onto = reusable(job, &merge);
    if (info == GBL_SUCCESS) info = gb_dense_merge(&merge, &Z);
    gb_free(allowed, n);
    if (info == GBL_SUCCESS) gb_matrix_set_dense(job->C, &Z);
    return info;
}

/* Nothing of C survives and T is to be cut: only its bitmap changes. */
static gbl_Info cut_dense(const gb_FinishJob *job) {
    gb_Dense *dense = &job->T->dense;
    int8_t *allowed;
    const gbl_Info info = gb_mask_bytes(&allowed, job->mask, dense->n);
    if (info != GBL_SUCCESS) return info;
    uint64_t nvals = 0;
    for (uint64_t k = 0; dense->b != NULL && k < dense->n; k++) allowed[k] &= dense->b[k];
    for (uint64_t k = 0; k < dense->n; k++) nvals += (uint64_t)allowed[k];
    gb_free(dense->b, dense->n);
    dense->b = allowed;
    dense->nvals = nvals;
    return GBL_SUCCESS;
}

gbl_Info gb_finish_dense(const gb_FinishJob *job) {
    gb_Result *T = job->T;
    gbl_Info info = GBL_SUCCESS;
    if (gb_finish_updates(job)) return update(job, NULL);
    if (!T->is_dense) info = make_dense(job);
    if (info != GBL_SUCCESS) return info;
    if (job->keep) return merge_dense(job);
    if (job->masked && !T->masked) info = cut_dense(job);
    if (info == GBL_SUCCESS) info = gb_result_cast(T, job->C->type);
    if (info == GBL_SUCCESS) gb_matrix_set_dense(job->C, &T->dense);
    return info;
}

/* -- matrices */

/* T, unless it is dense, gets flat indices. */
static gbl_Info flatten_result(const gb_FinishJob *job) {
    gb_Result *T = job->T;
    const gb_Matrix *C = job->C;
    if (T->is_dense || T->is_flat) return GBL_SUCCESS;
    const bool turned = T->format == GB_CSC;
    gbl_Info info = GBL_SUCCESS;
    if (T->cs.nvals > 0 && (turned || !T->cs.sorted)) info = gb_result_arrange(T, C, turned);
    if (info == GBL_SUCCESS) info = gb_flat_from_rows(&T->cs, C->ncols);
    if (info != GBL_SUCCESS) return info;
    T->is_flat = info == GBL_SUCCESS;
    T->format = GB_CSC;
    return info;
}

/* The flat mask: the matrix's own array where it is dense, else a sparse vector of what is true. */
static gbl_Info open_flat_mask(const gb_FinishJob *job, gb_FlatVector *cells, gb_Mask *mask) {
    gb_Matrix *M = job->mask->M;
    gb_MaskView list;
    *mask = *job->mask;
    if (!job->masked) return GBL_SUCCESS;
    mask->M = &cells->v;
    if (gb_is_dense(M)) return gb_flat_open(cells, M);
    mask->structural = true;
    gbl_Info info = gb_mask_get(&list, job->mask, GB_CSR);
    if (info == GBL_SUCCESS) info = gb_flat_of_pattern(cells, &list.view);
    gb_mask_release(&list);
    return info;
}

gbl_Info gb_finish_flat(const gb_FinishJob *job) {
    gb_Matrix *C = job->C;
    gb_FlatVector cells, masked = {0};
    gb_Mask mask;
    gb_DenseView view;
    gbl_Info info = flatten_result(job);
    if (info == GBL_SUCCESS && job->keep) info = gb_acquire_dense(C, &view);
    if (info == GBL_SUCCESS) info = open_flat_mask(job, &masked, &mask);
    if (info == GBL_SUCCESS) {
        const gb_FinishJob flat = {.C = &cells.v,
                                   .mask = &mask,
                                   .accum = job->accum,
                                   .T = job->T,
                                   .masked = job->masked,
                                   .keep = job->keep};
        gb_flat_take(&cells, C);
        info = gb_finish_dense(&flat);
        gb_flat_give(&cells, C, info == GBL_SUCCESS);
    }
    gb_flat_close(&masked);
    return info;
}
