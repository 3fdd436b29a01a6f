/* SPDX-License-Identifier: Apache-2.0
 *
 * update: a sparse u into a dense w in place, as in finish_dense.c, with a record of what that
 * changed. Positions of u are distinct, so parts of it are written in any order. Everything that
 * can fail comes before the first write: `changed` gets room for as many entries as u has.
 *
 * flag[k] is 1 where entry k of u has changed w, 0 elsewhere. Absent values of w are unspecified,
 * and operators must not see them: a batch is told apart into entries of u that are alone and
 * entries that meet one of w.
 */
#include "ops/update.h"

#include <string.h>

#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "matrix/matrix.h"
#include "semiring/cast.h"

enum { MOST_PARTS = 64 }; /* of u, whose starts are on the stack; other numbers were not tried */

typedef struct {
    const gb_Type *type, *utype; /* of w, of u */
    gb_Dense w;                  /* not iso */
    gb_CsView u;
    gb_Pairs pairs; /* of w and u */
    size_t pairs_bytes, raw_bytes, thread_bytes, work_bytes;
    char *work; /* [threads][thread_bytes] */
    void *x;    /* [n] values in the place of an iso w's one, or NULL */
    size_t x_bytes;
    int8_t *flag; /* [entries of u] */
    gb_Cs out;    /* changed */
    uint64_t parts;
    uint64_t added;  /* atomic: entries that are new in w */
    uint64_t *start; /* [MOST_PARTS + 1] changes before each part */
} Update;

/* -- before the first write */

static gbl_Info alloc_work(Update *u, int threads) {
    const uint64_t n = u->u.nvals, batch = n < GB_BATCH ? n : GB_BATCH;
    size_t wider = u->type->size > u->utype->size ? u->type->size : u->utype->size;
    u->pairs_bytes = gb_pairs_prepare(&u->pairs, n);
    if (!gb_size_mul(&u->raw_bytes, batch, wider)) return gb_fail_memory(SIZE_MAX);
    u->raw_bytes = (u->raw_bytes + GB_LINE_BYTES - 1) / GB_LINE_BYTES * GB_LINE_BYTES;
    if (!gb_size_mul(&u->thread_bytes, 2, u->raw_bytes) ||
        __builtin_add_overflow(u->thread_bytes, u->pairs_bytes, &u->thread_bytes) ||
        !gb_size_mul(&u->work_bytes, (uint64_t)threads, u->thread_bytes))
        return gb_fail_memory(SIZE_MAX);
    u->work = gb_malloc(u->work_bytes);
    u->flag = gb_malloc(n);
    if (u->work != NULL && u->flag != NULL) return GBL_SUCCESS;
    return gb_fail_memory(u->work_bytes + n);
}

/* A value for each element of an iso w. */
static gbl_Info widen(Update *u) {
    if (!u->w.iso) return GBL_SUCCESS;
    if (!gb_size_mul(&u->x_bytes, u->w.n, u->type->size)) return gb_fail_memory(SIZE_MAX);
    u->x = gb_malloc(u->x_bytes);
    if (u->x == NULL) return gb_fail_memory(u->x_bytes);
    gb_fill(u->x, u->w.x, u->type->size, u->w.n);
    return GBL_SUCCESS;
}

static gbl_Info prepare(Update *u, int threads) {
    const uint64_t parts = (uint64_t)gb_parts_for(threads);
    size_t bytes;
    u->parts = parts < MOST_PARTS ? parts : MOST_PARTS;
    if (!gb_size_mul(&bytes, u->u.nvals, u->type->size)) return gb_fail_memory(SIZE_MAX);
    gbl_Info info = alloc_work(u, threads);
    if (info == GBL_SUCCESS) info = widen(u);
    if (info == GBL_SUCCESS) info = gb_cs_alloc(&u->out, 1, u->u.nvals, bytes);
    return info;
}

/* -- writing */

/* Two zeros are one value, and so are all NaN: what w has then stays, to the bit. */
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
    const gbl_Type_Code code = u->type->code;
    for (uint64_t k = 0; k < n; k++) {
        char *slot = (char *)u->w.x + to[k] * size;
        const bool differs = !is_same(code, slot, z + k * size, size);
        u->flag[from[k]] = differs;
        if (differs) memcpy(slot, z + k * size, size);
    }
}

static void put_pairs(const Update *u, char *work, const uint64_t *to, const uint64_t *from,
                      uint64_t n) {
    const size_t size = u->type->size;
    for (uint64_t k = 0; k < n; k += u->pairs.batch) {
        const uint64_t count = n - k < u->pairs.batch ? n - k : u->pairs.batch;
        const gb_PairsAt at = {.x = to + k, .y = from + k};
        const char *z = gb_pairs_combine(&u->pairs, work, at, count, NULL);
        if (size == 8)
            exchange(u, 8, z, to + k, from + k, count);
        else if (size == 4)
            exchange(u, 4, z, to + k, from + k, count);
        else
            exchange(u, size, z, to + k, from + k, count);
    }
}

static void put_lone(const Update *u, char *work, const uint64_t *to, const uint64_t *from,
                     uint64_t n) {
    char *raw = work + u->pairs_bytes, *cast = raw + u->raw_bytes;
    if (n == 0) return;
    if (!u->u.iso) gb_gather(raw, u->u.x, from, u->utype->size, n);
    gb_cast(u->type, cast, u->utype, u->u.iso ? u->u.x : raw, u->u.iso ? 0 : 1, n);
    gb_scatter(u->w.x, to, cast, u->type->size, n);
    for (uint64_t k = 0; k < n; k++) {
        u->w.b[to[k]] = 1;
        u->flag[from[k]] = 1;
    }
}

static void write_part(void *context, uint64_t t) {
    Update *u = context;
    const gb_Idx *i = u->u.i;
    const int8_t *b = u->w.b;
    char *work = u->work + (size_t)gb_thread_id() * u->thread_bytes;
    const uint64_t end = gb_part(u->u.nvals, t + 1, u->parts);
    uint64_t added = 0, changes = 0, p = gb_part(u->u.nvals, t, u->parts);
    while (p < end) {
        uint64_t to[2][GB_BATCH], from[2][GB_BATCH], count[2] = {0, 0};
        const uint64_t first = p, stop = end - p < GB_BATCH ? end : p + GB_BATCH;
        for (; p < stop; p++) {
            const int both = b == NULL || b[i[p]];
            to[both][count[both]] = i[p];
            from[both][count[both]++] = p;
        }
        put_lone(u, work, to[0], from[0], count[0]);
        put_pairs(u, work, to[1], from[1], count[1]);
        added += count[0];
        for (uint64_t k = first; k < stop; k++) changes += (uint64_t)u->flag[k];
    }
    u->start[t + 1] = changes;
    __atomic_add_fetch(&u->added, added, __ATOMIC_RELAXED);
}

/* What w has now where it has changed. */
static void list_part(void *context, uint64_t t) {
    const Update *u = context;
    const size_t size = u->type->size;
    uint64_t at = u->start[t], k = gb_part(u->u.nvals, t, u->parts);
    for (; at < u->start[t + 1]; k++) {
        if (!u->flag[k]) continue;
        char *z = (char *)u->out.x + at * size;
        const char *x = (const char *)u->w.x + u->u.i[k] * size;
        u->out.i[at++] = u->u.i[k];
        gb_copy_value(z, x, size);
    }
}

/* Cannot fail. */
static void write(Update *u, int threads) {
    if (u->x != NULL) {
        gb_free(u->w.x, u->w.xcap);
        u->w.x = u->x;
        u->w.xcap = u->x_bytes;
        u->w.iso = false;
        u->x = NULL;
    }
    u->pairs.x = u->w.x;
    gb_parallel_for(threads, u->parts, write_part, u);
    u->start[0] = 0;
    for (uint64_t t = 0; t < u->parts; t++) u->start[t + 1] += u->start[t];
    gb_parallel_for(threads, u->parts, list_part, u);
    u->w.nvals += u->added;
    u->out.p[0] = 0;
    u->out.p[1] = u->out.nvals = u->start[u->parts];
    gb_cs_trim(&u->out, u->type->size);
}

gbl_Info gb_update_vector(gb_Matrix *w, gb_Matrix *changed, const gb_BinaryOp *accum,
                          gb_Matrix *u) {
    uint64_t start[MOST_PARTS + 1];
    Update update = {.type = w->type, .utype = u->type, .start = start};
    gb_DenseView dense;
    gbl_Info info = gb_acquire_dense(w, &dense);
    if (info == GBL_SUCCESS) info = gb_acquire_sorted(u, GB_CSC, &update.u);
    if (info == GBL_SUCCESS) info = gb_assemble(changed);
    if (info != GBL_SUCCESS) return info;
    if (update.u.nvals == 0) {
        gb_matrix_clear(changed);
        return info;
    }
    const int threads = gb_threads_for(update.u.nvals, GB_GRAIN, gb_nthreads());
    update.w = w->dense;
    update.pairs = (gb_Pairs){.op = accum,
                              .xtype = w->type,
                              .ytype = u->type,
                              .ztype = w->type,
                              .y = update.u.x,
                              .yiso = update.u.iso};
    info = prepare(&update, threads);
    if (info == GBL_SUCCESS) {
        w->dense = (gb_Dense){0}; /* taken out while other representations go */
        write(&update, threads);
        gb_matrix_set_dense(w, &update.w);
        gb_matrix_set_cs(changed, GB_CSC, &update.out);
        gb_choose_format(changed);
    }
    gb_cs_free(&update.out);
    gb_free(update.x, update.x_bytes);
    gb_free(update.work, update.work_bytes);
    gb_free(update.flag, update.u.nvals);
    return info;
}

/* -- hypersparse */

gbl_Info gb_changes_new(gb_Matrix **fresh, const gb_Matrix *changed, const gb_HyperCall *call) {
    const gb_RowLists lists = {call->list[GB_DIM_ROWS], NULL};
    gb_Matrix *core = NULL;
    gb_Hyper *hyper = NULL;
    gbl_Info info = gb_matrix_new(fresh, GB_MAGIC_VECTOR, changed->type, changed->nrows, 1);
    if (info == GBL_SUCCESS) info = gb_compact_new(&core, changed, changed->type, &lists);
    if (info != GBL_SUCCESS) return info;
    hyper = gb_malloc(sizeof *hyper);
    if (hyper == NULL) {
        gb_matrix_free(core);
        return gb_fail_memory(sizeof *hyper);
    }
    *hyper = (gb_Hyper){gb_row_list_retain(lists.rows), NULL, core};
    gb_matrix_swap_hyper(*fresh, hyper);
    return GBL_SUCCESS;
}

gbl_Info gb_changes_end(gb_HyperCall *hyper, gb_Matrix *changed, gb_Matrix *fresh, gbl_Info info) {
    info = gb_hyper_close(hyper, info);
    if (info == GBL_SUCCESS) {
        gb_hyper_written(fresh);
        gb_matrix_move(changed, fresh);
        gb_matrix_set_note(changed, fresh->note);
        fresh->note = (gb_Note){0};
    }
    gb_matrix_free(fresh);
    return info;
}

static gbl_Info update_hyper(const void *asked) {
    const gb_Update *call = asked;
    gb_Matrix *fresh = NULL;
    gb_HyperCall hyper;
    if (!gb_is_huge(call->w)) return gb_update_vector(call->w, call->changed, call->accum, call->u);
    gb_hyper_begin(&hyper, &gb_op_update, call);
    hyper.keeps = true;
    gbl_Info info = gb_hyper_open(&hyper);
    if (info == GBL_SUCCESS) info = gb_changes_new(&fresh, call->changed, &hyper);
    if (info == GBL_SUCCESS)
        info = gb_update_vector(gb_core(&hyper, GB_OF_C), fresh->hyper->core, call->accum,
                                gb_core(&hyper, GB_OF_A));
    return gb_changes_end(&hyper, call->changed, fresh, info);
}

/* -- the descriptor */

gbl_Info gb_update_check(const gb_Matrix *w, const gb_Matrix *changed, const gb_Matrix *u) {
    if (w == changed || w == u)
        return gb_fail(GBL_INVALID_VALUE, "w and %s are the same vector; pass two",
                       w == u ? "u" : "changed");
    if (changed->type != w->type)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "changed must have the type of w, whose values it gets");
    return gb_check_shape(changed, false, w->nrows, 1, "changed");
}

static gbl_Info check(const void *asked) {
    static const gb_Mask no_mask = {0};
    const gb_Update *call = asked;
    gbl_Info info = gb_update_check(call->w, call->changed, call->u);
    if (info == GBL_SUCCESS) info = gb_check_output(call->w, &no_mask, call->accum, call->u->type);
    return info == GBL_SUCCESS ? gb_check_shape(call->u, false, call->w->nrows, 1, "u") : info;
}

static gbl_Info update_host(const void *asked) {
    const gb_Update *call = asked;
    return gb_update_vector(call->w, call->changed, call->accum, call->u);
}

const gb_Op gb_op_update = {.name = "update",
                            .bytes = sizeof(gb_Update),
                            .accum = offsetof(gb_Update, accum),
                            .A = GB_INPUT(gb_Update, u, ROWS, ONE),
                            .check = check,
                            .hyper = update_hyper,
                            .host = update_host};
