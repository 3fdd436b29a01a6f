/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of many small matrices. A group of them is one product: left factors lie along the
 * diagonal of one matrix, right factors one below the other in a second, masks in a third, and the
 * results come out one below the other. Sums are those of a product alone, in the same order.
 * Outputs are written last, when nothing can fail any more.
 */
#include <stdio.h>
#include <string.h>

#include "core/context.h"
#include "core/parallel.h"
#include "lazy/operations.h"
#include "mxm/plan/plan.h"
#include "ops/finish.h"

/* Entries, rows and columns of an input of a group, at most, and of all of one, at least; columns
 * up to which rows are summed in arrays. */
enum { GB_BATCH_MOST = 4096, GB_BATCH_GROUP = 32768, GB_BATCH_DENSE = 64 };

typedef struct {
    const gb_MxmBatch *batch;
    gb_Matrix **out; /* [n] what outputs become; NULL: not made */
    uint64_t *start; /* [groups + 1] their first products; a group of one is an ordinary product */
    uint64_t groups;
} Batch;

gb_MxmCall gb_mxm_batch_call(const gb_MxmBatch *batch, uint64_t k) {
    gb_MxmCall call = batch->like;
    call.C = (gb_Matrix *)batch->C[k];
    call.A = (gb_Matrix *)batch->A[k];
    call.B = (gb_Matrix *)batch->B[k];
    call.mask.M = batch->M != NULL ? (gb_Matrix *)batch->M[k] : NULL;
    return call;
}

gbl_Info gb_mxm_batch_name(gbl_Info info, uint64_t product) {
    char text[256];
    if (info == GBL_SUCCESS) return info;
    snprintf(text, sizeof text, "%s", gbl_last_error());
    return gb_fail(info, "product %llu: %s", (unsigned long long)product, text);
}

static gb_Matrix *input_of(const gb_MxmCall *call, gb_OperandOf which) {
    return which == GB_OF_M ? call->mask.M : which == GB_OF_A ? call->A : call->B;
}

/* -- groups ------------------------------------------------------------------------------------ */

static gbl_Info complete(const gb_MxmCall *call) {
    gbl_Info info = gb_complete(call->C, GB_WANTS_OUTPUT);
    for (gb_OperandOf k = GB_OF_M; k < GB_OPERANDS && info == GBL_SUCCESS; k++) {
        gb_Matrix *X = input_of(call, k);
        if (X != NULL) info = gb_complete(X, GB_WANTS_INPUT);
        if (X != NULL && info == GBL_SUCCESS) info = gb_assemble(X);
    }
    return info;
}

/* Entries, rows and columns of the inputs; UINT64_MAX: the product is made alone. */
static uint64_t weight_of(const gb_MxmCall *call) {
    uint64_t sum = 0;
    if (gb_is_hyper(call->C) || !gb_plan_is_free(call) ||
        gb_binary_is_positional(call->ring->multiply) ||
        (call->mask.M != NULL ? !call->mask.structural : call->mask.complement))
        return UINT64_MAX;
    for (gb_OperandOf k = GB_OF_M; k < GB_OPERANDS; k++) {
        const gb_Matrix *X = input_of(call, k);
        if (X == NULL) continue;
        const uint64_t dimensions = X->nrows + X->ncols;
        if (gb_is_hyper(X) || (X->nvals > 0 && (gb_has(X) & GB_HAS_LISTS) == 0) ||
            dimensions > GB_BATCH_MOST || X->nvals > GB_BATCH_MOST - dimensions)
            return UINT64_MAX;
        sum += X->nvals + dimensions;
    }
    return sum;
}

static gbl_Info make_groups(Batch *w) {
    uint64_t sum = UINT64_MAX;
    gb_MxmCall before = w->batch->like;
    for (uint64_t k = 0; k < w->batch->n; k++) {
        const gb_MxmCall call = gb_mxm_batch_call(w->batch, k);
        const gbl_Info info = complete(&call);
        if (info != GBL_SUCCESS) return gb_mxm_batch_name(info, k);
        const uint64_t weight = weight_of(&call);
        const bool joins = sum < GB_BATCH_GROUP && weight < GB_BATCH_GROUP &&
                           call.A->type == before.A->type && call.B->type == before.B->type &&
                           (call.mask.M == NULL) == (before.mask.M == NULL);
        if (!joins) w->start[w->groups++] = k;
        sum = joins ? sum + weight : weight;
        before = call;
    }
    w->start[w->groups] = w->batch->n;
    return GBL_SUCCESS;
}

/* -- a group ----------------------------------------------------------------------------------- */

/* *out has what survives of C. */
static gbl_Info stage(gb_Matrix **out, const gb_MxmCall *call) {
    const gb_Mask *mask = &call->mask;
    const bool masked = mask->M != NULL || mask->complement;
    if (call->accum != NULL || (masked && !mask->replace)) return gb_matrix_dup(out, call->C);
    return gb_matrix_new(out, GB_MAGIC_MATRIX, call->C->type, call->C->nrows, call->C->ncols);
}

/* The rows, from `row` and `entry` on; size: of a value, 0: one stands for all. */
static void append(gb_Cs *cs, const gb_CsView *rows, uint64_t row, gb_Off entry, uint64_t shift,
                   size_t size) {
    for (uint64_t r = 0; r < rows->nmajor; r++) cs->p[row + r] = entry + rows->p[r];
    for (uint64_t q = 0; q < rows->nvals; q++) cs->i[entry + q] = (gb_Idx)(rows->i[q] + shift);
    if (rows->nvals > 0 && size == 0) memcpy(cs->x, rows->x, cs->xcap);
    if (size > 0 && !rows->iso && rows->nvals > 0)
        memcpy((char *)cs->x + entry * size, rows->x, rows->nvals * size);
    for (uint64_t q = 0; size > 0 && rows->iso && q < rows->nvals; q++)
        memcpy((char *)cs->x + (entry + q) * size, rows->x, size);
}

/* *made = inputs of the group; `values`: they are read. */
static gbl_Info stack(gb_Matrix **made, const gb_MxmBatch *batch, const uint64_t *group,
                      gb_OperandOf which, bool values) {
    const gb_MxmCall *like = &batch->like;
    const gb_Format format = which == GB_OF_A   ? gb_rows_of_a(like)
                             : which == GB_OF_B ? gb_rows_of_b(like)
                                                : GB_CSR;
    const gb_MxmCall first = gb_mxm_batch_call(batch, group[0]);
    gb_Type *const type = input_of(&first, which)->type;
    const size_t size = values ? type->size : 0;
    uint64_t rows = 0, entries = 0, sum = 0, widest = 0;
    gb_CsView view;
    gb_Cs cs;
    for (uint64_t k = group[0]; k < group[1]; k++) {
        const gb_MxmCall call = gb_mxm_batch_call(batch, k);
        const gb_Matrix *X = input_of(&call, which);
        rows += gb_nmajor(X, format);
        entries += X->nvals;
        sum += gb_nminor(X, format);
        widest = gb_nminor(X, format) > widest ? gb_nminor(X, format) : widest;
    }
    gbl_Info info =
        gb_matrix_new(made, GB_MAGIC_MATRIX, type, rows, which == GB_OF_A ? sum : widest);
    if (info == GBL_SUCCESS)
        info = gb_cs_alloc(&cs, rows, entries, values ? entries * size : type->size);
    if (info != GBL_SUCCESS) return info;
    rows = entries = sum = 0;
    for (uint64_t k = group[0]; k < group[1] && info == GBL_SUCCESS; k++) {
        const gb_MxmCall call = gb_mxm_batch_call(batch, k);
        info = gb_acquire_sorted(input_of(&call, which), format, &view);
        if (info != GBL_SUCCESS) break;
        append(&cs, &view, rows, entries, which == GB_OF_A ? sum : 0, size);
        rows += view.nmajor;
        entries += view.nvals;
        sum += view.nminor;
    }
    if (info == GBL_SUCCESS) {
        cs.p[rows] = entries;
        cs.iso = !values;
        gb_matrix_set_cs(*made, GB_CSR, &cs);
    } else {
        gb_cs_free(&cs);
    }
    return info;
}

/* The results, one below the other in `all`, go to their places. */
static gbl_Info take_apart(const Batch *w, const uint64_t *group, gb_Matrix *all) {
    gb_CsView view;
    gbl_Info info = gb_acquire_sorted(all, GB_CSR, &view);
    for (uint64_t k = group[0], row = 0; k < group[1] && info == GBL_SUCCESS; k++) {
        const gb_MxmCall call = gb_mxm_batch_call(w->batch, k);
        const uint64_t rows = call.C->nrows;
        const gb_Off from = view.p[row], nvals = view.p[row + rows] - from;
        gb_Result T = {.type = all->type, .format = GB_CSR, .masked = call.mask.M != NULL};
        info = stage(&w->out[k], &call);
        if (info == GBL_SUCCESS)
            info = gb_cs_alloc(&T.cs, rows, nvals, (view.iso ? nvals > 0 : nvals) * view.xsize);
        if (info != GBL_SUCCESS) return info;
        for (uint64_t r = 0; r <= rows; r++) T.cs.p[r] = view.p[row + r] - from;
        if (nvals > 0) {
            memcpy(T.cs.i, view.i + from, nvals * sizeof *T.cs.i);
            memcpy(T.cs.x, (const char *)view.x + (view.iso ? 0 : from * view.xsize), T.cs.xcap);
        }
        T.cs.iso = view.iso && nvals > 0;
        info = gb_finish(w->out[k], &call.mask, call.accum, &T);
        row += rows;
    }
    return info;
}

static gbl_Info multiply_group(const Batch *w, const uint64_t *group) {
    const gb_MxmBatch *batch = w->batch;
    const gb_Semiring *ring = batch->like.ring;
    gb_MxmCall call = {.ring = ring, .mask = batch->like.mask};
    gbl_Info info = stack(&call.A, batch, group, GB_OF_A, gb_binary_uses_x(ring->multiply));
    if (info == GBL_SUCCESS)
        info = stack(&call.B, batch, group, GB_OF_B, gb_binary_uses_y(ring->multiply));
    if (info == GBL_SUCCESS && gb_mxm_batch_call(batch, group[0]).mask.M != NULL)
        info = stack(&call.mask.M, batch, group, GB_OF_M, false);
    if (info == GBL_SUCCESS)
        info = gb_matrix_new(&call.C, GB_MAGIC_MATRIX, ring->add->op->ztype, call.A->nrows,
                             call.B->ncols);
    if (info == GBL_SUCCESS && call.B->ncols <= GB_BATCH_DENSE) {
        call.choices.method = GBL_METHOD_ROWWISE;
        call.choices.accumulators = GBL_ACCUMULATE_DENSE;
    }
    if (info == GBL_SUCCESS) info = gb_mxm(&call);
    if (info == GBL_SUCCESS) info = take_apart(w, group, call.C);
    gb_matrix_free(call.A);
    gb_matrix_free(call.B);
    gb_matrix_free(call.mask.M);
    gb_matrix_free(call.C);
    return info;
}

/* Nothing is made after a failure. */
static gbl_Info multiply(const Batch *w, const uint64_t *group) {
    gb_CsView view;
    gb_MxmCall call = gb_mxm_batch_call(w->batch, group[0]);
    gbl_Info info = GBL_SUCCESS;
    if (group[1] > group[0] + 1) {
        info = multiply_group(w, group);
    } else {
        info = stage(&w->out[group[0]], &call);
        call.C = w->out[group[0]];
        if (info == GBL_SUCCESS) info = gb_run_now(&gb_op_mxm, &call);
        if (info == GBL_SUCCESS && gb_has_no_list(call.C)) info = gb_acquire(call.C, GB_CSR, &view);
    }
    for (uint64_t k = group[0]; info != GBL_SUCCESS && k < group[1]; k++) {
        gb_matrix_free(w->out[k]);
        w->out[k] = NULL;
    }
    return info;
}

static void multiply_part(void *context, uint64_t g) {
    const Batch *w = context;
    if (w->start[g + 1] > w->start[g] + 1) multiply(w, w->start + g);
}

static void commit(gb_Matrix *C, gb_Matrix *out) {
    const gb_Lock before = gb_begin_writing(C);
    gb_matrix_move(C, out);
    gb_matrix_move_note(C, out);
    gb_end_writing(C, before);
}

gbl_Info gb_mxm_batch(const gb_MxmBatch *batch) {
    const uint64_t n = batch->n;
    gb_Block blocks[2] = {{.bytes = gb_size_of(n + 1, sizeof(gb_Matrix *))},
                          {.bytes = gb_size_of(n + 1, sizeof(uint64_t))}};
    if (!gb_malloc_all(blocks, 2)) return gb_fail_memory(blocks[0].bytes);
    Batch w = {.batch = batch, .out = blocks[0].at, .start = blocks[1].at};
    memset(w.out, 0, n * sizeof *w.out);
    gbl_Info info = make_groups(&w);
    if (info == GBL_SUCCESS) gb_parallel_for(gb_nthreads(), w.groups, multiply_part, &w);
    /* once more what has failed, so that its error is this thread's */
    for (uint64_t g = 0; g < w.groups && info == GBL_SUCCESS; g++)
        if (w.out[w.start[g]] == NULL)
            info = gb_mxm_batch_name(multiply(&w, w.start + g), w.start[g]);
    for (uint64_t k = 0; k < n; k++) {
        if (info == GBL_SUCCESS) commit((gb_Matrix *)batch->C[k], w.out[k]);
        gb_matrix_free(w.out[k]);
    }
    gb_free_all(blocks, 2);
    return info;
}
