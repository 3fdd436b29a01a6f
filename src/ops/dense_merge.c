/* SPDX-License-Identifier: Apache-2.0
 *
 * Dense merges; see finish.h. Positions are handled in batches: first the pick of every
 * position, then the values. A batch whose picks are all equal is one call on contiguous arrays;
 * otherwise values of built-in types are computed for all positions and the right one is kept,
 * while user-defined operators, which must not see absent values, get arrays of positions. A result
 * that replaces an operand is buffered in L1 until its batch ends, since operators may not write
 * their inputs.
 */
#include "ops/finish.h"

#include "semiring/cast.h"

typedef struct {
    const gb_DenseMerge *args;
    gb_Pairs pairs;
    size_t thread_bytes; /* workspace of one thread: pairs', and a buffer for lone values */
    char *work;          /* [threads][thread_bytes] */
    size_t pairs_bytes, raw_bytes;
    bool blends;    /* built-in types and operators: see blend_batch */
    bool by_buffer; /* Zx may be a side's values */
    int8_t *Zb;
    char *Zx;
    uint64_t present; /* atomic: entries of Z */
} Job;

/* The picks of n positions from k on; returns a set of bits 1 << pick. If the set has one element,
 * it is pick[0] and the rest of pick may be unset. */
static unsigned find_picks(const gb_DenseMerge *args, uint64_t k, uint64_t n, uint8_t *pick) {
    const int8_t *xb = args->X.b, *yb = args->Y.b, *allowed = args->allowed;
    const uint8_t *table = &args->pick[0][0];
    const uint8_t everywhere = (xb == NULL) + 2 * (yb == NULL) + 4 * (allowed == NULL);
    uint8_t at[GB_BATCH]; /* indices of the table; loops of bytes, for the compiler's vectors */
    unsigned possible = 0, set = 0;
    for (uint8_t entry = 0; entry < 8; entry++)
        if ((entry & everywhere) == everywhere) possible |= 1u << table[entry];
    pick[0] = table[7];
    if ((possible & (possible - 1)) == 0) return possible;
    memset(at, everywhere, n);
    for (uint64_t j = 0; xb != NULL && j < n; j++) at[j] += (uint8_t)xb[k + j];
    for (uint64_t j = 0; yb != NULL && j < n; j++) at[j] += (uint8_t)(2 * yb[k + j]);
    for (uint64_t j = 0; allowed != NULL && j < n; j++) at[j] += (uint8_t)(4 * allowed[k + j]);
    memset(pick, table[everywhere], n);
    for (uint8_t entry = everywhere + 1; entry < 8; entry++) {
        const uint8_t own = table[entry];
        if ((entry & everywhere) != everywhere || own == table[everywhere]) continue;
        for (uint64_t j = 0; j < n; j++) pick[j] = at[j] == entry ? own : pick[j];
    }
    for (uint8_t p = GB_PICK_NONE; p <= GB_PICK_OP; p++) {
        uint8_t seen = 0;
        if (!(possible & (1u << p))) continue;
        for (uint64_t j = 0; j < n; j++) seen |= (uint8_t)(pick[j] == p);
        set |= (unsigned)seen << p;
    }
    return set;
}

/* Lone values of one side: n positions at[], or from k on when at is NULL. */
static void put_lone(const Job *job, char *work, const gb_DenseView *view, const gb_Type *type,
                     const uint64_t *at, uint64_t k, uint64_t n) {
    const gb_Type *ztype = job->args->ztype;
    const char *x = view->x;
    char *raw = work, *cast = work + job->raw_bytes;
    if (view->iso) {
        gb_cast(ztype, cast, type, x, 1, 1);
        if (at == NULL) {
            gb_fill(job->Zx + k * ztype->size, cast, ztype->size, n);
        } else {
            for (uint64_t j = 0; j < n; j++)
                memcpy(job->Zx + at[j] * ztype->size, cast, ztype->size);
        }
    } else if (at == NULL) {
        gb_cast(ztype, job->Zx + k * ztype->size, type, x + k * type->size, 1, n);
    } else {
        gb_gather(raw, x, at, type->size, n);
        if (ztype != type) gb_cast(ztype, cast, type, raw, 1, n);
        gb_scatter(job->Zx, at, ztype != type ? cast : raw, ztype->size, n);
    }
}

static void put_pairs(const Job *job, char *work, const uint64_t *at, uint64_t k, uint64_t n) {
    const size_t zsize = job->args->ztype->size;
    const uint64_t batch = job->pairs.batch;
    for (uint64_t j = 0; j < n; j += batch) {
        const uint64_t count = n - j < batch ? n - j : batch;
        const uint64_t *own = at != NULL ? at + j : NULL;
        const gb_PairsAt where = {.x = own, .y = own, .from = k + j};
        char *to = own == NULL ? job->Zx + (k + j) * zsize : NULL;
        const void *z =
            gb_pairs_combine(&job->pairs, work, where, count, job->by_buffer ? NULL : to);
        if (own != NULL)
            gb_scatter(job->Zx, own, z, zsize, count);
        else if (job->by_buffer)
            memcpy(to, z, count * zsize);
    }
}

/* The values of all positions with one pick. */
static void put_pick(const Job *job, char *work, gb_Pick pick, const uint64_t *at, uint64_t k,
                     uint64_t n) {
    const gb_DenseMerge *args = job->args;
    char *lone = work + job->pairs_bytes;
    if (n == 0) return;
    if (pick == GB_PICK_X) put_lone(job, lone, &args->X, args->xtype, at, k, n);
    if (pick == GB_PICK_Y) put_lone(job, lone, &args->Y, args->ytype, at, k, n);
    if (pick == GB_PICK_OP) put_pairs(job, work, at, k, n);
}

/* -- batches of several picks, in which values of absent positions are some number */

#define DEFINE_BLEND(bits)                                                                         \
    static void blend_##bits(uint##bits##_t *restrict z, const uint8_t *restrict pick,             \
                             const void *const from[4], uint64_t n) {                              \
        const uint##bits##_t *x = from[GB_PICK_X], *y = from[GB_PICK_Y], *op = from[GB_PICK_OP];   \
        for (uint64_t j = 0; j < n; j++) {                                                         \
            const uint##bits##_t p = pick[j], zero = 0;                                            \
            const uint##bits##_t is_x = zero - (p == GB_PICK_X), is_y = zero - (p == GB_PICK_Y);   \
            const uint##bits##_t is_op = zero - (p == GB_PICK_OP);                                 \
            z[j] = (x[j] & is_x) | (y[j] & is_y) | (op[j] & is_op);                                \
        }                                                                                          \
    }
DEFINE_BLEND(8)
DEFINE_BLEND(16)
DEFINE_BLEND(32)
DEFINE_BLEND(64)

/* Values of one side from position k on as the result's type: where they are, or at `space`. */
static const void *side_values(const Job *job, const gb_DenseView *view, const gb_Type *type,
                               uint64_t k, uint64_t n, char *space) {
    const gb_Type *ztype = job->args->ztype;
    const char *x = view->x;
    if (!view->iso && type == ztype) return x + k * type->size;
    gb_cast(ztype, space, type, view->iso ? x : x + k * type->size, view->iso ? 0 : 1, n);
    return space;
}

static void blend_batch(const Job *job, char *work, const uint8_t *pick, unsigned set, uint64_t k,
                        uint64_t n) {
    const gb_DenseMerge *args = job->args;
    const size_t size = args->ztype->size;
    char *raw = work + job->pairs_bytes, *z = job->Zx + k * size;
    const void *from[4] = {NULL};
    if (set & (1u << GB_PICK_X))
        from[GB_PICK_X] = side_values(job, &args->X, args->xtype, k, n, raw);
    if (set & (1u << GB_PICK_Y))
        from[GB_PICK_Y] = side_values(job, &args->Y, args->ytype, k, n, raw + job->raw_bytes);
    if (set & (1u << GB_PICK_OP))
        from[GB_PICK_OP] = gb_pairs_combine(&job->pairs, work, (gb_PairsAt){.from = k}, n, NULL);
    const void *some = from[GB_PICK_X] ? from[GB_PICK_X] : from[GB_PICK_Y];
    for (gb_Pick p = GB_PICK_X; p <= GB_PICK_OP; p++) /* read everywhere, used where picked */
        if (from[p] == NULL) from[p] = some != NULL ? some : from[GB_PICK_OP];
    if (size == 1)
        blend_8((uint8_t *)z, pick, from, n);
    else if (size == 2)
        blend_16((uint16_t *)(void *)z, pick, from, n);
    else if (size == 4)
        blend_32((uint32_t *)(void *)z, pick, from, n);
    else
        blend_64((uint64_t *)(void *)z, pick, from, n);
}

static bool is_built_in(const gb_DenseMerge *args) {
    return gb_type_is_real(args->xtype) && gb_type_is_real(args->ytype) &&
           gb_type_is_real(args->ztype) && (args->op == NULL || args->op->code != GB_USER);
}

/* Positions [k, k + n), n <= GB_BATCH; returns how many are present. */
static uint64_t merge_batch(const Job *job, char *work, uint64_t k, uint64_t n) {
    uint8_t pick[GB_BATCH];
    const unsigned set = find_picks(job->args, k, n, pick);
    const size_t zsize = job->args->ztype->size;
    const bool one_pick = (set & (set - 1)) == 0, blends = !one_pick && job->blends;
    if (!blends && set & (1u << GB_PICK_NONE)) memset(job->Zx + k * zsize, 0, n * zsize);
    if (one_pick) {
        if (job->Zb != NULL) memset(job->Zb + k, pick[0] != GB_PICK_NONE, n);
        put_pick(job, work, pick[0], NULL, k, n);
        return pick[0] != GB_PICK_NONE ? n : 0;
    }
    uint64_t present = 0;
    if (blends) blend_batch(job, work, pick, set, k, n);
    for (gb_Pick p = GB_PICK_X; !blends && p <= GB_PICK_OP; p++) {
        uint64_t at[GB_BATCH + 1], count = 0;
        if (!(set & (1u << p))) continue;
        for (uint64_t j = 0; j < n; j++) {
            at[count] = k + j;
            count += pick[j] == p;
        }
        put_pick(job, work, p, at, k, count);
    }
    for (uint64_t j = 0; j < n; j++) job->Zb[k + j] = pick[j] != GB_PICK_NONE;
    for (uint64_t j = 0; j < n; j++) present += pick[j] != GB_PICK_NONE;
    return present;
}

/* Batches [from, to). */
static void merge_range(void *context, uint64_t from, uint64_t to) {
    Job *job = context;
    char *work = job->work + (size_t)gb_thread_id() * job->thread_bytes;
    const uint64_t n = job->args->X.n;
    uint64_t present = 0;
    for (uint64_t k = from * GB_BATCH; k < to * GB_BATCH && k < n; k += GB_BATCH)
        present += merge_batch(job, work, k, n - k < GB_BATCH ? n - k : GB_BATCH);
    __atomic_add_fetch(&job->present, present, __ATOMIC_RELAXED);
}

static gbl_Info prepare(Job *job, const gb_DenseMerge *args, int threads, size_t *bytes) {
    *job = (Job){.args = args,
                 .blends = is_built_in(args),
                 .by_buffer = args->onto != NULL,
                 .pairs = {.op = args->op,
                           .xtype = args->xtype,
                           .ytype = args->ytype,
                           .ztype = args->ztype,
                           .x = args->X.x,
                           .y = args->Y.x,
                           .xiso = args->X.iso,
                           .yiso = args->Y.iso}};
    const size_t xsize = args->xtype->size, ysize = args->ytype->size, zsize = args->ztype->size;
    const size_t wider = xsize > ysize ? xsize : ysize;
    const size_t raw = GB_BATCH * (wider > zsize ? wider : zsize), cast = GB_BATCH * zsize;
    job->pairs_bytes = args->op != NULL ? gb_pairs_prepare(&job->pairs, args->X.n) : 0;
    job->raw_bytes = (raw + 63) / 64 * 64;
    job->thread_bytes = job->pairs_bytes + job->raw_bytes + (cast + 63) / 64 * 64;
    *bytes = gb_size_of((uint64_t)threads, job->thread_bytes);
    job->work = gb_malloc(*bytes);
    return job->work != NULL ? GBL_SUCCESS : gb_fail_memory(*bytes);
}

/* Unlike gb_dense_alloc with a bitmap, values are not cleared: merge_batch sees to those absent. */
static gbl_Info alloc_result(gb_Dense *Z, const gb_DenseMerge *args, size_t xbytes) {
    const uint64_t n = args->X.n;
    const bool one_pick = args->X.b == NULL && args->Y.b == NULL && args->allowed == NULL;
    const gbl_Info info = gb_dense_alloc(Z, n, xbytes, false);
    if (info != GBL_SUCCESS || (one_pick && args->pick[1][3] != GB_PICK_NONE)) return info;
    Z->b = gb_malloc(n);
    if (Z->b != NULL || n == 0) return GBL_SUCCESS;
    gb_dense_free(Z);
    return gb_fail_memory(n);
}

bool gb_dense_may_reuse(const gb_DenseMerge *args, const gb_Dense *dense, const gb_Type *type) {
    const bool combines = args->X.b == NULL && args->Y.b == NULL && args->allowed == NULL &&
                          args->pick[1][3] == GB_PICK_OP;
    return combines && args->X.n > 0 && type == args->ztype && !dense->iso &&
           dense->nvals == args->X.n;
}

gbl_Info gb_dense_merge(const gb_DenseMerge *args, gb_Dense *Z) {
    const uint64_t n = args->X.n, batches = (n + GB_BATCH - 1) / GB_BATCH;
    const int threads = gb_threads_for(n, GB_GRAIN, gb_nthreads());
    size_t work_bytes;
    Job job;
    *Z = (gb_Dense){0};
    const size_t xbytes = gb_size_of(n, args->ztype->size);
    gbl_Info info = prepare(&job, args, threads, &work_bytes);
    if (info != GBL_SUCCESS) return info;
    if (args->onto != NULL) {
        *Z = *args->onto;
        *args->onto = (gb_Dense){0};
    } else {
        info = alloc_result(Z, args, xbytes);
    }
    if (info == GBL_SUCCESS) {
        job.Zb = Z->b;
        job.Zx = Z->x;
        if (args->onto != NULL) /* an operand is written over */
            gb_parallel_ranges(threads, batches, merge_range, &job);
        else
            info = gb_parallel_try_ranges(threads, batches, merge_range, &job);
        Z->nvals = job.present;
        if (info != GBL_SUCCESS) gb_dense_free(Z);
    }
    gb_free(job.work, work_bytes);
    return info;
}

/* -- sparse vectors with dense vectors
 * ---------------------------------------------------------- */

/* Whether both sides have an entry at index j. */
static inline bool intersects(const gb_ListDense *args, uint64_t j) {
    const int8_t *a = args->first != NULL ? args->first->b : NULL, *b = args->dense.b;
    return (a == NULL || a[j]) && (b == NULL || b[j]);
}

static gb_Pairs pairs_of(const gb_ListDense *args) {
    const gb_DenseView *first = args->first, *dense = &args->dense;
    const void *x = first != NULL ? first->x : args->list.x;
    const bool xiso = first != NULL ? first->iso : args->list.iso;
    return (gb_Pairs){.op = args->op,
                      .xtype = args->flip ? args->dense_type : args->list_type,
                      .ytype = args->flip ? args->list_type : args->dense_type,
                      .ztype = args->ztype,
                      .x = args->flip ? dense->x : x,
                      .y = args->flip ? x : dense->x,
                      .xiso = args->flip ? dense->iso : xiso,
                      .yiso = args->flip ? xiso : dense->iso};
}

enum { MOST_PARTS = 64 };

typedef struct {
    const gb_ListDense *args;
    gb_Cs *Z;
    gb_Pairs pairs;
    char *work; /* [threads][work_bytes] */
    size_t work_bytes;
    uint64_t parts;
    uint64_t *start; /* [MOST_PARTS + 1] entries before each part */
} Intersection;

static void count_part(void *context, uint64_t t) {
    Intersection *m = context;
    const gb_CsView *list = &m->args->list;
    const uint64_t to = gb_part(list->nvals, t + 1, m->parts);
    uint64_t n = 0;
    for (uint64_t k = gb_part(list->nvals, t, m->parts); k < to; k++)
        n += intersects(m->args, list->i[k]);
    m->start[t + 1] = n;
}

static void combine_part(void *context, uint64_t t) {
    const Intersection *m = context;
    const gb_ListDense *args = m->args;
    const gb_Idx *i = args->list.i;
    const int mine = args->flip ? 1 : 0;
    char *work = m->work + (size_t)gb_thread_id() * m->work_bytes;
    uint64_t at[2][GB_BATCH], filled = 0, done = m->start[t];
    const uint64_t end = m->start[t + 1];
    for (uint64_t k = gb_part(args->list.nvals, t, m->parts); done + filled < end; k++) {
        if (!intersects(args, i[k])) continue;
        m->Z->i[done + filled] = i[k];
        at[mine][filled] = args->first != NULL ? i[k] : k;
        at[1 - mine][filled++] = i[k];
        if (filled < m->pairs.batch && done + filled < end) continue;
        const gb_PairsAt where = {.x = at[0], .y = at[1]};
        gb_pairs_combine(&m->pairs, work, where, filled,
                         (char *)m->Z->x + done * args->ztype->size);
        done += filled;
        filled = 0;
    }
}

gbl_Info gb_list_dense_intersect(const gb_ListDense *args, gb_Cs *Z) {
    const uint64_t n = args->list.nvals;
    const int threads = gb_threads_for(n, GB_GRAIN, gb_nthreads());
    const uint64_t parts = (uint64_t)gb_parts_for(threads);
    uint64_t start[MOST_PARTS + 1];
    Intersection m = {.args = args, .Z = Z, .pairs = pairs_of(args), .start = start};
    *Z = (gb_Cs){0};
    m.parts = parts < MOST_PARTS ? parts : MOST_PARTS;
    m.work_bytes = gb_pairs_prepare(&m.pairs, n);
    const size_t bytes = gb_size_of((uint64_t)threads, m.work_bytes);
    gb_parallel_for(threads, m.parts, count_part, &m);
    start[0] = 0;
    for (uint64_t t = 0; t < m.parts; t++) start[t + 1] += start[t];
    const uint64_t nvals = start[m.parts];
    const size_t xbytes = gb_size_of(nvals, args->ztype->size);
    m.work = gb_malloc(bytes);
    if (m.work == NULL) return gb_fail_memory(bytes);
    gbl_Info info = gb_cs_alloc(Z, 1, nvals, xbytes);
    if (info == GBL_SUCCESS) {
        Z->p[0] = 0;
        Z->p[1] = nvals;
        info = gb_parallel_try(threads, m.parts, combine_part, &m);
        if (info != GBL_SUCCESS) gb_cs_free(Z);
    }
    gb_free(m.work, bytes);
    return info;
}
