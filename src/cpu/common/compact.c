/* SPDX-License-Identifier: Apache-2.0
 *
 * Compaction of chunks; see compact.h.
 */
#include "cpu/common/compact.h"

#include "core/clock.h"

/* The result may have so many entries. */
static gbl_Info check_result(const gb_Compaction *P, uint64_t entries) {
    const double share = P->known > 0 ? (double)P->known / (double)P->chunks->n : 1.0;
    return gb_allow_result(&P->allow, (double)entries * (double)(P->zsize + sizeof(gb_Idx)), share);
}

uint64_t gb_compaction_capacity(const gb_MxmArgs *g, const gb_Chunks *chunks) {
    const uint64_t allowed = gb_capacity_allowed(g);
    uint64_t sum = 0;
    for (uint64_t c = 0; c < chunks->n; c++) sum += chunks->capacity[c];
    if (g->mask_kind == GB_MASK_INSIDE && g->M.nvals < sum) sum = g->M.nvals;
    return sum < allowed ? sum : allowed;
}

uint64_t gb_filtered_capacity(const gb_MxmArgs *g, uint64_t capacity) {
    const gb_RowFilter *f = g->filter;
    const uint64_t row = f->most > f->recover ? f->most : f->recover, m = g->A.nmajor;
    uint64_t most = g->A.nvals + g->B.nvals;
    if (row < most / (m + 1)) most = row * m;
    return capacity < most ? capacity : most;
}

gbl_Info gb_compaction_begin(gb_Compaction *P, const gb_MxmArgs *g, const gb_Chunks *chunks,
                             gb_Cs *T, uint64_t capacity) {
    const int threads = gb_chunk_threads(g, chunks);
    const uint64_t n = chunks->n;
    *P = (gb_Compaction){.chunks = chunks,
                         .T = T,
                         .zsize = g->args.zsize,
                         .nthreads = threads,
                         .capacity = capacity,
                         .allow = g->allow};
    const size_t xbytes = gb_size_of(capacity, P->zsize);
    P->stream = xbytes >= GB_STREAM_MIN;
    pthread_mutex_init(&P->lock, NULL);
    gbl_Info info = check_result(P, capacity);
    if (info == GBL_SUCCESS) info = gb_cs_alloc(T, chunks->row[n], capacity, xbytes);
    P->thread = gb_calloc((size_t)threads * sizeof *P->thread);
    P->count = gb_calloc(n * sizeof *P->count);
    P->start = gb_malloc((n + 1) * sizeof *P->start);
    if (info == GBL_SUCCESS && (P->thread == NULL || P->count == NULL || P->start == NULL))
        info = gb_fail_memory(n * 2 * sizeof(uint64_t));
    if (info != GBL_SUCCESS) {
        gb_compaction_stop(P, info, 0);
        return gb_compaction_end(P);
    }
    P->start[0] = 0;
    for (int t = 0; t < threads; t++) P->thread[t].pending_end = &P->thread[t].pending;
    return GBL_SUCCESS;
}

void gb_compaction_open(gb_Compaction *P, uint64_t from, uint64_t to) {
    P->next = from;
    P->open = to;
    P->slices++;
}

void gb_compaction_stop(gb_Compaction *P, gbl_Info info, size_t wanted) {
    pthread_mutex_lock(&P->lock);
    if (P->failed == GBL_SUCCESS) P->wanted = wanted;
    if (P->failed == GBL_SUCCESS) __atomic_store_n(&P->failed, (int)info, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&P->lock);
}

static void buffer_free(gb_Buffer *buffer, size_t zsize) {
    gb_free(buffer->i, buffer->capacity * sizeof *buffer->i);
    gb_free(buffer->x, buffer->capacity * zsize);
    gb_free(buffer, sizeof *buffer);
}

static bool buffer_reserve(gb_Buffer *buffer, uint64_t capacity, size_t zsize) {
    if (buffer->capacity >= capacity + GB_BUFFER_PAD) return true;
    gb_free(buffer->i, buffer->capacity * sizeof *buffer->i);
    gb_free(buffer->x, buffer->capacity * zsize);
    size_t bytes;
    const uint64_t grown = gb_buffer_entries(capacity);
    *buffer = (gb_Buffer){.capacity = grown};
    if (!gb_size_mul(&bytes, grown, zsize)) return false;
    buffer->i = gb_malloc(grown * sizeof *buffer->i);
    buffer->x = gb_malloc(bytes);
    return buffer->i != NULL && buffer->x != NULL;
}

bool gb_compaction_next(gb_Compaction *P, int t, uint64_t *c, gb_Buffer **out) {
    gb_CompactionThread *me = &P->thread[t];
    if (__atomic_load_n(&P->failed, __ATOMIC_ACQUIRE) != GBL_SUCCESS) return false;
    *c = gb_parallel_take(&P->next);
    if (*c >= P->open) return false;
    gb_Buffer *buffer = me->idle != NULL ? me->idle : gb_calloc(sizeof *buffer);
    if (me->idle != NULL) me->idle = me->idle->next;
    const uint64_t capacity = P->chunks->capacity[*c];
    if (buffer == NULL || !buffer_reserve(buffer, capacity, P->zsize)) {
        if (buffer != NULL) buffer_free(buffer, P->zsize);
        gb_compaction_stop(P, GBL_OUT_OF_MEMORY, capacity * (P->zsize + sizeof(gb_Idx)));
        return false;
    }
    buffer->chunk = *c;
    *out = buffer;
    return true;
}

/* Under the lock: places become known as far as lengths are. */
static void announce(gb_Compaction *P, uint64_t c, uint64_t count) {
    P->count[c] = 1 + count;
    while (P->known < P->chunks->n && P->count[P->known] != 0) {
        P->start[P->known + 1] = P->start[P->known] + P->count[P->known] - 1;
        P->known++;
    }
}

typedef struct {
    const gb_Idx *i;
    const char *x;
    uint64_t n;
} gb_Entries;

/* Entries to T from place `at` on, past the caches where they are streamed. */
static inline void put_entries(gb_Cs *T, gb_Off at, gb_Entries from, size_t size, bool stream) {
    char *x = (char *)T->x + at * size;
    if (stream) {
        gb_stream_copy((char *)(T->i + at), (const char *)from.i, from.n * sizeof *from.i);
        gb_stream_copy(x, from.x, from.n * size);
    } else {
        memcpy(T->i + at, from.i, from.n * sizeof *from.i);
        memcpy(x, from.x, from.n * size);
    }
}

static void move(const gb_Compaction *P, const gb_Buffer *b) {
    const gb_Off at = P->start[b->chunk];
    gb_Cs *T = P->T;
    for (uint64_t r = P->chunks->row[b->chunk]; r < P->chunks->row[b->chunk + 1]; r++)
        T->p[r] += at;
    if (b->count == 0) return;
    put_entries(T, at, (gb_Entries){b->i, b->x, b->count}, P->zsize, P->stream);
    if (P->stream) gb_stream_end();
}

/* Places the thread's chunks of which it is known where they belong and that fit. */
static void place_pending(gb_Compaction *P, gb_CompactionThread *me, uint64_t known) {
    while (me->pending != NULL && me->pending->chunk < known) {
        gb_Buffer *b = me->pending;
        if (P->start[b->chunk] + b->count > P->capacity) return;
        move(P, b);
        me->pending = b->next;
        b->next = me->idle;
        me->idle = b;
    }
    if (me->pending == NULL) me->pending_end = &me->pending;
}

void gb_compaction_done(gb_Compaction *P, int t, gb_Buffer *buffer, uint64_t count) {
    gb_CompactionThread *me = &P->thread[t];
    buffer->count = count;
    buffer->next = NULL;
    *me->pending_end = buffer;
    me->pending_end = &buffer->next;
    pthread_mutex_lock(&P->lock);
    announce(P, buffer->chunk, count);
    const uint64_t known = P->known;
    pthread_mutex_unlock(&P->lock);
    const double begin = gb_seconds();
    place_pending(P, me, known);
    me->seconds += gb_seconds() - begin;
}

/* Arrays of `total` entries; the first `placed` move along. */
static gbl_Info fit(gb_Compaction *P, uint64_t total, uint64_t placed) {
    gbl_Info info = check_result(P, total);
    if (info == GBL_SUCCESS) info = gb_cs_resize(P->T, total, placed, P->zsize);
    if (info == GBL_SUCCESS) P->capacity = total;
    return info;
}

static void buffers_free(gb_Buffer **list, size_t zsize) {
    while (*list != NULL) {
        gb_Buffer *b = *list;
        *list = b->next;
        buffer_free(b, zsize);
    }
}

static void place_rest(void *context, int t) {
    const gb_Compaction *P = context;
    place_pending(context, &P->thread[t], P->known);
}

void gb_compaction_settle(gb_Compaction *P) {
    if (P->failed != GBL_SUCCESS) return;
    const uint64_t total = P->start[P->known];
    gbl_Info info = GBL_SUCCESS;
    if (total > P->capacity) {
        /* with a limit no more than these, else what the chunks to come will bring if they are like
         * those so far, and a little more */
        const double share = (double)P->known / (double)P->chunks->n;
        const bool exact = P->allow.limit > 0.0 || share == 1.0;
        info = fit(P, exact ? total : gb_to_u64((double)total / share * GB_GROWN_MARGIN) + 1,
                   P->capacity);
    }
    if (info != GBL_SUCCESS) {
        gb_compaction_stop(P, info, 0);
        return;
    }
    gb_parallel(P->nthreads, place_rest, P);
    if (P->known == P->chunks->n) return;
    for (int t = 0; t < P->nthreads; t++) buffers_free(&P->thread[t].idle, P->zsize);
}

/* The end of the slice that begins with chunk `from`. */
static uint64_t slice_end(const gb_Compaction *P, uint64_t from) {
    uint64_t to = from;
    if (P->allow.work == UINT64_MAX) return P->chunks->n;
    for (double sum = 0.0; to < P->chunks->n; to++) {
        sum += gb_buffer_bytes(P->chunks->capacity[to], P->zsize);
        if (to > from && sum > (double)P->allow.work) break;
    }
    return to;
}

gbl_Info gb_compaction_end(gb_Compaction *P) {
    gbl_Info info = (gbl_Info)P->failed;
    if (info == GBL_SUCCESS) { /* everything is settled */
        const uint64_t total = P->start[P->chunks->n];
        P->T->nvals = P->T->p[P->T->nmajor] = total;
        if ((double)P->capacity > GB_SLACK_MAX * (double)total) info = fit(P, total, total);
    }
    if (info == GBL_OUT_OF_MEMORY && P->wanted > 0) info = gb_fail_memory(P->wanted);
    for (int t = 0; P->thread != NULL && t < P->nthreads; t++) {
        buffers_free(&P->thread[t].pending, P->zsize);
        buffers_free(&P->thread[t].idle, P->zsize);
    }
    gb_free(P->thread, (size_t)P->nthreads * sizeof *P->thread);
    gb_free(P->count, P->chunks->n * sizeof *P->count);
    gb_free(P->start, (P->chunks->n + 1) * sizeof *P->start);
    pthread_mutex_destroy(&P->lock);
    if (info != GBL_SUCCESS) gb_cs_free(P->T);
    return info;
}

/* -- methods that multiply chunk by chunk --------------------------------------------------- */

gbl_Info gb_works_new(void **work, const gb_ChunkMethod *method, const gb_MxmArgs *g, int threads) {
    const size_t bytes = (size_t)threads * method->bytes;
    gbl_Info info = GBL_SUCCESS;
    *work = gb_calloc(bytes);
    if (*work == NULL) return gb_fail_memory(bytes);
    for (int t = 0; t < threads && info == GBL_SUCCESS; t++)
        info = method->begin((char *)*work + (size_t)t * method->bytes, method->how, g);
    return info;
}

void gb_works_free(void *work, const gb_ChunkMethod *method, const gb_MxmArgs *g, int threads,
                   gb_MxmStats *stats) {
    for (int t = 0; work != NULL && t < threads; t++)
        method->end((char *)work + (size_t)t * method->bytes, g, stats);
    gb_free(work, (size_t)threads * method->bytes);
}

typedef struct {
    const gb_ChunkMethod *method;
    const gb_MxmArgs *g;
    gb_Compaction *P;
    void *work;
} Run;

/* One thread's part: chunks until there are none left. */
static void run_chunks(void *context, int t) {
    const Run *run = context;
    const gb_MxmArgs *g = run->g;
    gb_Compaction *P = run->P;
    const uint64_t *before = run->method->by_mask ? g->M.p : g->flops, *row = P->chunks->row;
    uint64_t c;
    gb_Buffer *buffer;
    while (gb_compaction_next(P, t, &c, &buffer)) {
        gb_ChunkOut out = {row[c], row[c + 1], P->T->p, buffer->i, buffer->x, 0, 0};
        if (gb_progress_add(g->meter, before[out.to] - before[out.from]))
            run->method->chunk((char *)run->work + (size_t)t * run->method->bytes, g, &out);
        if (out.wanted > 0) gb_compaction_stop(P, GBL_OUT_OF_MEMORY, out.wanted);
        gb_compaction_done(P, t, buffer, out.wanted == 0 ? out.n : 0);
    }
}

/* All chunks, slice by slice. */
static void run_slices(gb_Compaction *P, Run *run) {
    uint64_t most = 0; /* slices get twice the work of the one before up to this; 0: all alike */
    if (run->g->filter != NULL && !run->method->by_mask && P->allow.work == UINT64_MAX) {
        /* buffers have room for whole rows, of which filters leave little */
        P->allow.work = (uint64_t)P->nthreads * GB_FILTER_FIRST;
        most = (uint64_t)P->nthreads * GB_FILTER_BUFFERS;
    }
    for (uint64_t from = 0, to; from < P->chunks->n && P->failed == GBL_SUCCESS; from = to) {
        to = slice_end(P, from);
        gb_compaction_open(P, from, to);
        gb_parallel(P->nthreads, run_chunks, run);
        gb_compaction_settle(P);
        if (P->allow.work < most)
            P->allow.work = 2 * P->allow.work < most ? 2 * P->allow.work : most;
    }
}

gbl_Info gb_multiply_chunks(const gb_ChunkMethod *method, const gb_MxmArgs *g,
                            const gb_Chunks *chunks, uint64_t capacity, gb_Cs *T,
                            gb_MxmStats *stats) {
    gb_Compaction P;
    gbl_Info info = gb_compaction_begin(&P, g, chunks, T, capacity);
    if (info != GBL_SUCCESS) return info;
    Run run = {method, g, &P, NULL};
    info = gb_works_new(&run.work, method, g, P.nthreads);
    if (info == GBL_SUCCESS) {
        run_slices(&P, &run);
        info = gb_progress_end(g->meter);
    }
    gb_works_free(run.work, method, g, P.nthreads, stats);
    for (int t = 0; t < P.nthreads; t++) stats->seconds_compact += P.thread[t].seconds / P.nthreads;
    if (info != GBL_SUCCESS) gb_compaction_stop(&P, info, 0);
    stats->slices = P.slices;
    return gb_compaction_end(&P);
}

/* -- rows that were grouped ----------------------------------------------------------------- */

typedef struct {
    const gb_Cs *from;
    const gb_Idx *order;
    gb_Cs *T;
    size_t size;
    int parts;
    bool stream; /* past the caches: T does not fit into them */
} Ungrouping;

/* Parts have about as many entries and rows each. */
static uint64_t first_row(const Ungrouping *u, int t) {
    const uint64_t m = u->from->nmajor, work = m + u->from->nvals;
    return gb_row_at_work(u->from->p, m, 1, gb_part(work, (uint64_t)t, (uint64_t)u->parts));
}

static void move_rows(void *context, int t) {
    const Ungrouping *u = context;
    const gb_Off *p = u->from->p;
    const char *x = u->from->x;
    const uint64_t end = t + 1 < u->parts ? first_row(u, t + 1) : u->from->nmajor;
    for (uint64_t k = first_row(u, t); k < end; k++) {
        const gb_Off at = u->T->p[u->order[k]], n = p[k + 1] - p[k];
        if (n == 0) continue;
        const gb_Entries row = {u->from->i + p[k], x + p[k] * u->size, n};
        put_entries(u->T, at, row, u->size, u->stream);
    }
    if (u->stream) gb_stream_end();
}

gbl_Info gb_ungroup(const gb_Cs *from, const gb_Idx *order, gb_Cs *T, size_t size, int nthreads) {
    const uint64_t m = from->nmajor, nvals = from->nvals;
    const size_t bytes = nvals * size; /* of values that exist */
    const gbl_Info info = gb_cs_alloc(T, m, nvals, bytes);
    if (info != GBL_SUCCESS) return info;
    T->p[0] = 0;
    for (uint64_t k = 0; k < m; k++) T->p[order[k] + 1] = from->p[k + 1] - from->p[k];
    for (uint64_t i = 0; i < m; i++) T->p[i + 1] += T->p[i];
    T->nvals = nvals;
    T->sorted = from->sorted;
    Ungrouping u = {
        from, order, T, size, gb_threads_for(nvals, GB_GRAIN, nthreads), bytes >= GB_STREAM_MIN};
    gb_parallel(u.parts, move_rows, &u);
    return GBL_SUCCESS;
}
