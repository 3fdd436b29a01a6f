/* SPDX-License-Identifier: Apache-2.0
 *
 * update: a sparse u into a dense w in place (finish_dense.c), with a record of the changes. All
 * that can fail precedes the first write: `changed` gets capacity for nvals(u) entries.
 */
#include "ops/operations.h"

#include "semiring/cast.h"

enum { MOST_PARTS = 64 }; /* of u, whose starts are on the stack; other numbers were not tried */

/* The entries of w that changed. */
typedef struct {
    const gb_CsView *u;
    const char *x; /* values of w */
    size_t size;
    int8_t *flag; /* [entries of u] 1 where that has changed w, else 0 */
    gb_Cs out;
    uint64_t parts;
    uint64_t start[MOST_PARTS + 1]; /* changes before each part */
} Changes;

static void count_part(void *context, uint64_t t) {
    Changes *c = context;
    const uint64_t end = gb_part(c->u->nvals, t + 1, c->parts);
    uint64_t n = 0;
    for (uint64_t k = gb_part(c->u->nvals, t, c->parts); k < end; k++) n += (uint64_t)c->flag[k];
    c->start[t + 1] = n;
}

static void list_part(void *context, uint64_t t) {
    const Changes *c = context;
    uint64_t at = c->start[t], k = gb_part(c->u->nvals, t, c->parts);
    for (; at < c->start[t + 1]; k++) {
        if (!c->flag[k]) continue;
        c->out.i[at] = c->u->i[k];
        gb_copy_value((char *)c->out.x + at++ * c->size, c->x + c->u->i[k] * c->size, c->size);
    }
}

static void list_changes(Changes *c, int threads) {
    gb_parallel_for(threads, c->parts, count_part, c);
    c->start[0] = 0;
    for (uint64_t t = 0; t < c->parts; t++) c->start[t + 1] += c->start[t];
    gb_parallel_for(threads, c->parts, list_part, c);
    c->out.p[0] = 0;
    c->out.p[1] = c->out.nvals = c->start[c->parts];
    gb_cs_trim(&c->out, c->size);
}

static gbl_Info alloc_changes(Changes *c) {
    const uint64_t n = c->u->nvals;
    const size_t bytes = gb_size_of(n, c->size);
    c->flag = gb_malloc(n);
    return c->flag != NULL ? gb_cs_alloc(&c->out, 1, n, bytes) : gb_fail_memory(n);
}

gbl_Info gb_update_vector(const void *asked) {
    const gb_Update *call = asked;
    gb_Matrix *const w = call->w, *const changed = call->changed, *const u = call->u;
    gb_DenseView dense;
    gb_CsView list;
    gbl_Info info = gb_matrix_own_dense(w);
    if (info == GBL_SUCCESS) info = gb_acquire_dense(w, &dense);
    if (info == GBL_SUCCESS) info = gb_acquire_sorted(u, GB_CSC, &list);
    if (info == GBL_SUCCESS) info = gb_assemble(changed);
    if (info != GBL_SUCCESS) return info;
    if (list.nvals == 0) {
        gb_matrix_clear(changed);
        return info;
    }
    const int threads = gb_threads_for(list.nvals, GB_GRAIN, gb_nthreads());
    const uint64_t parts = (uint64_t)gb_parts_for(threads);
    Changes c = {.u = &list, .size = w->type->size};
    c.parts = parts < MOST_PARTS ? parts : MOST_PARTS;
    gb_Result T = {.type = u->type, /* which is read, and stays u's */
                   .format = GB_CSC,
                   .cs = {.nmajor = 1,
                          .nvals = list.nvals,
                          .i = (gb_Idx *)list.i,
                          .x = (void *)list.x,
                          .iso = list.iso,
                          .sorted = true}};
    info = alloc_changes(&c);
    if (info == GBL_SUCCESS) info = gb_finish_record(w, call->accum, &T, c.flag);
    if (info == GBL_SUCCESS) {
        c.x = w->dense.x;
        list_changes(&c, threads);
        gb_matrix_set_cs(changed, GB_CSC, &c.out);
        gb_choose_format(changed);
    }
    gb_cs_free(&c.out);
    gb_free(c.flag, list.nvals);
    return info;
}

/* -- hypersparse */

gbl_Info gb_changes_new(gb_Matrix **fresh, const gb_Matrix *changed, const gb_HyperCall *call) {
    gb_RowLists lists = {gb_row_list_retain(call->list[GB_DIM_ROWS]), NULL};
    gb_Matrix *core;
    gb_Hyper *hyper;
    gbl_Info info = gb_matrix_new(fresh, GB_MAGIC_VECTOR, changed->type, changed->nrows, 1);
    if (info == GBL_SUCCESS) info = gb_compact_new(&core, changed, changed->type, &lists);
    if (info == GBL_SUCCESS) info = gb_hyper_new(&hyper, &lists, core);
    if (info == GBL_SUCCESS) gb_matrix_swap_hyper(*fresh, hyper);
    gb_row_lists_release(&lists);
    return info;
}

gbl_Info gb_changes_end(gb_HyperCall *hyper, gb_Matrix *changed, gb_Matrix *fresh, gbl_Info info) {
    info = gb_hyper_close(hyper, info);
    if (info == GBL_SUCCESS) {
        gb_hyper_written(fresh);
        gb_matrix_move(changed, fresh);
        gb_matrix_move_note(changed, fresh);
    }
    gb_matrix_free(fresh);
    return info;
}

static gbl_Info update_hyper(const void *asked) {
    const gb_Update *call = asked;
    gb_Matrix *fresh = NULL;
    gb_HyperCall hyper;
    if (!gb_is_huge(call->w)) return gb_update_vector(call);
    gb_hyper_begin(&hyper, &gb_op_update, call);
    hyper.keeps = true;
    gbl_Info info = gb_hyper_open(&hyper);
    if (info == GBL_SUCCESS) info = gb_changes_new(&fresh, call->changed, &hyper);
    if (info == GBL_SUCCESS)
        info = gb_update_vector(&(gb_Update){gb_core(&hyper, GB_OF_C), fresh->hyper->core,
                                             call->accum, gb_core(&hyper, GB_OF_A)});
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

const gb_Op gb_op_update = {.name = "update",
                            .bytes = sizeof(gb_Update),
                            .accum = offsetof(gb_Update, accum),
                            .A = GB_INPUT(gb_Update, u, ROWS, ONE),
                            .check = check,
                            .hyper = update_hyper,
                            .host = gb_update_vector};
