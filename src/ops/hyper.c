/* SPDX-License-Identifier: Apache-2.0
 *
 * Hypersparse dispatch; see op.h.
 */
#include "matrix/updates.h"
#include "ops/entry_list.h"
#include "ops/op.h"

/* -- which calls */

bool gb_begins_hyper(const gb_Matrix *C, gb_Matrix *A, gb_Matrix *B) {
    gb_Matrix *const inputs[] = {A, B};
    uint64_t nvals = 0;
    for (int k = 0; k < 2; k++) {
        if (inputs[k] == NULL) continue;
        if (gb_assemble(inputs[k]) != GBL_SUCCESS) return false; /* the operation will say why */
        nvals += inputs[k]->nvals;
    }
    return gb_suits_hyper(C, nvals);
}

bool gb_any_huge(const gb_Matrix *C, const gb_Matrix *M, const gb_Matrix *A, const gb_Matrix *B) {
    return (C != NULL && gb_is_huge(C)) || (M != NULL && gb_is_huge(M)) ||
           (A != NULL && gb_is_huge(A)) || (B != NULL && gb_is_huge(B));
}

/* -- the call */

void gb_hyper_operand(gb_HyperCall *hyper, gb_OperandOf which, gb_Matrix *A, gb_Dimension rows,
                      gb_Dimension cols) {
    const bool vector = A != NULL && gb_is_vector(A);
    hyper->operand[which] =
        (gb_HyperOperand){.object = A, .rows = rows, .cols = vector ? GB_DIM_ONE : cols};
}

static void input(gb_HyperCall *hyper, gb_OperandOf which, const gb_OpInput *in) {
    const char *call = hyper->call;
    if (in->at == 0) return;
    gb_Matrix *const A = *(gb_Matrix *const *)(const void *)(call + in->at);
    const bool turned = in->transposed != 0 && *(const bool *)(call + in->transposed);
    gb_hyper_operand(hyper, which, A, turned ? in->cols : in->rows, turned ? in->rows : in->cols);
}

void gb_hyper_begin(gb_HyperCall *hyper, const gb_Op *op, const void *call) {
    const char *bytes = call;
    *hyper = (gb_HyperCall){.op = op, .call = call};
    if (op->mask != 0) hyper->mask = *(const gb_Mask *)(const void *)(bytes + op->mask);
    if (op->accum != 0)
        hyper->accum = *(const gb_BinaryOp *const *)(const void *)(bytes + op->accum);
    gb_hyper_operand(hyper, GB_OF_C, *(gb_Matrix *const *)call, GB_DIM_ROWS, GB_DIM_COLS);
    gb_hyper_operand(hyper, GB_OF_M, hyper->mask.M, GB_DIM_ROWS, GB_DIM_COLS);
    input(hyper, GB_OF_A, &op->A);
    input(hyper, GB_OF_B, &op->B);
}

void gb_hyper_core_call(const gb_HyperCall *hyper, void *call) {
    const gb_Op *op = hyper->op;
    char *bytes = call;
    memcpy(call, hyper->call, op->bytes);
    *(gb_Matrix **)call = gb_core(hyper, GB_OF_C);
    if (op->mask != 0) ((gb_Mask *)(void *)(bytes + op->mask))->M = gb_core(hyper, GB_OF_M);
    if (op->A.at != 0) *(gb_Matrix **)(void *)(bytes + op->A.at) = gb_core(hyper, GB_OF_A);
    if (op->B.at != 0) *(gb_Matrix **)(void *)(bytes + op->B.at) = gb_core(hyper, GB_OF_B);
}

/* -- row lists and compact forms */

/* Whether the output depends on C's entries. */
static bool keeps_output(const gb_HyperCall *hyper) {
    const gb_Matrix *C = hyper->operand[GB_OF_C].object;
    const gb_Mask *mask = &hyper->mask;
    const bool masked = mask->M != NULL || mask->complement;
    return C != NULL && C->nvals > 0 &&
           (hyper->keeps || hyper->accum != NULL || (masked && !mask->replace));
}

/* The row list of each dimension is the union of the operands' along it. Dimensions that unite the
 * same row lists share the union. */
static gbl_Info unite(gb_HyperCall *hyper, const gb_RowLists *held) {
    gb_RowList *parts[GB_DIMENSIONS][2 * GB_OPERANDS + 1] = {{NULL}};
    int count[GB_DIMENSIONS] = {0};
    for (int d = 0; d < GB_DIMENSIONS; d++)
        if (hyper->more[d] != NULL) parts[d][count[d]++] = hyper->more[d];
    for (int k = 0; k < GB_OPERANDS; k++) {
        const gb_HyperOperand *of = &hyper->operand[k];
        if (of->object == NULL) continue;
        if (held[k].rows != NULL) parts[of->rows][count[of->rows]++] = held[k].rows;
        if (held[k].cols != NULL) parts[of->cols][count[of->cols]++] = held[k].cols;
    }
    for (int d = 0; d < GB_DIMENSIONS; d++) {
        for (int e = 0; e < d && hyper->list[d] == NULL; e++)
            if (memcmp(parts[d], parts[e], sizeof parts[d]) == 0)
                hyper->list[d] = gb_row_list_retain(hyper->list[e]);
        if (hyper->list[d] != NULL) continue;
        const gbl_Info info = gb_row_list_unite(&hyper->list[d], parts[d], count[d]);
        if (info != GBL_SUCCESS) return info;
    }
    return GBL_SUCCESS;
}

/* -- operations that follow their operands */

/* Whether the operand lies along the dimension; *list: its row list there, or NULL. */
static bool lies_along(const gb_HyperCall *hyper, int k, int d, const gb_RowLists *held,
                       gb_RowList **list) {
    const gb_HyperOperand *of = &hyper->operand[k];
    *list = NULL;
    if (of->object == NULL || ((int)of->rows != d && (int)of->cols != d)) return false;
    *list = (int)of->rows == d ? held[k].rows : held[k].cols;
    return true;
}

enum {
    MUCH_SHORTER = 4, /* below, sharing arrays of a united list beats gathering */
    MET_SAMPLES = GB_TUNED(32, 2)
};

/* *list = what both have, or more that costs less; NULL ones have all. */
static gbl_Info meet(gb_RowList **list, gb_RowList *a, gb_RowList *b) {
    gb_RowList *one = NULL;
    if (a == NULL || (b != NULL && b->n < a->n / MUCH_SHORTER)) one = b;
    if (b == NULL || (a != NULL && a->n < b->n / MUCH_SHORTER)) one = a;
    *list = gb_row_list_retain(one);
    if (one != NULL || a == NULL || b == NULL) return GBL_SUCCESS;
    return gb_row_list_meet(list, a, b, MUCH_SHORTER);
}

/* hyper->list[d] becomes what it has in common with `by`, or both. */
static gbl_Info combine(gb_HyperCall *hyper, int d, gb_RowList *by, bool meets) {
    gb_RowList *made = NULL, *old = hyper->list[d];
    gbl_Info info = GBL_SUCCESS;
    if (meets)
        info = meet(&made, old, by);
    else if (old != NULL && by != NULL)
        info = gb_row_list_unite(&made, (gb_RowList *[]){old, by}, 2);
    if (info != GBL_SUCCESS) return info;
    gb_row_list_release(old);
    hyper->list[d] = made;
    return GBL_SUCCESS;
}

/* What A and B leave of each dimension, and the mask. */
static gbl_Info follow_lists(gb_HyperCall *hyper, const gb_RowLists *held) {
    const bool masks = hyper->mask.M != NULL && !hyper->mask.complement;
    gbl_Info info = GBL_SUCCESS;
    for (int d = 0; d < GB_DIMENSIONS && info == GBL_SUCCESS; d++) {
        gb_RowList *a, *b, *m;
        const bool in_a = lies_along(hyper, GB_OF_A, d, held, &a);
        const bool in_b = lies_along(hyper, GB_OF_B, d, held, &b);
        hyper->list[d] = gb_row_list_retain(in_a ? a : b);
        if (in_a && in_b) info = combine(hyper, d, b, (hyper->op->meets >> d & 1) != 0);
        if (info == GBL_SUCCESS && masks && lies_along(hyper, GB_OF_M, d, held, &m))
            info = combine(hyper, d, m, true);
    }
    return info;
}

/* Whether pointers along the result's other dimension are about as many as the indices on its list:
 * then this dimension needs none. */
static bool stays_open(const gb_HyperCall *hyper, gb_Dimension open) {
    const gb_Matrix *C = hyper->operand[GB_OF_C].object;
    const gb_RowList *other = hyper->list[open == GB_DIM_COLS ? GB_DIM_ROWS : GB_DIM_COLS];
    if (C == NULL || gb_is_huge(C) || other == NULL || hyper->op->meets != GB_MEETS(INNER) ||
        (open != GB_DIM_COLS && open != GB_DIM_ROWS))
        return false;
    return (open == GB_DIM_COLS ? C->nrows : C->ncols) / GB_ROW_LIST_SLACK <= other->n;
}

/* Where a large operand has a list along one dimension only, its entries there list the other,
 * unless the second operand adds to that. They are its compact form, where C adds nothing. */
static gbl_Info follow_entries(gb_HyperCall *hyper, const gb_RowLists *held, gb_OperandOf k) {
    const gb_HyperOperand *of = &hyper->operand[k];
    const gb_OperandOf second = k == GB_OF_A ? GB_OF_B : GB_OF_A;
    gb_RowList *ignored;
    if (!of->large || gb_is_vector(of->object) || hyper->compact[k].m != NULL) return GBL_SUCCESS;
    gb_RowLists lists = {hyper->list[of->rows], hyper->list[of->cols]};
    if ((lists.rows == NULL) == (lists.cols == NULL)) return GBL_SUCCESS;
    gb_RowList **const unlisted = lists.rows == NULL ? &lists.rows : &lists.cols;
    const bool by_rows = unlisted == &lists.cols;
    const gb_Dimension open = by_rows ? of->cols : of->rows;
    if (lies_along(hyper, second, (int)open, held, &ignored) && (hyper->op->meets >> open & 1) == 0)
        return GBL_SUCCESS;
    gb_Compact *part = &hyper->compact[k];
    const gb_Hyper *const own = of->object->hyper;
    gb_RowLists used = {0};
    if (own != NULL) *unlisted = by_rows ? own->cols : own->rows;
    gb_RowList *const within = *unlisted;
    gbl_Info info = gb_compact_gather(part, of->object, &lists);
    if (info != GBL_SUCCESS || (within == NULL && stays_open(hyper, open))) return info;
    if (hyper->op->meets == 0 && open == GB_DIM_INNER) { /* rows are folded along it */
        hyper->list[open] = gb_row_list_retain(within);
        return info;
    }
    if (gb_has(part->m) == gb_has_bit(by_rows ? GB_CSR : GB_CSC))
        return gb_compact_list_minors(part, &hyper->list[open], within);
    info = gb_row_lists_of(&used, part->m);
    gb_RowList *const list = by_rows ? used.cols : used.rows;
    if (info == GBL_SUCCESS && within != NULL)
        info = gb_row_list_part(&hyper->list[open], within, list);
    else if (info == GBL_SUCCESS)
        hyper->list[open] = gb_row_list_retain(list);
    gb_row_lists_release(&used);
    gb_compact_release(part);
    return info;
}

static gbl_Info follow(gb_HyperCall *hyper, const gb_RowLists *held, bool keeps) {
    static const gb_OperandOf turns[] = {GB_OF_A, GB_OF_B, GB_OF_A};
    gbl_Info info = follow_lists(hyper, held);
    for (int t = 0; t < 3 && info == GBL_SUCCESS; t++) info = follow_entries(hyper, held, turns[t]);
    for (int k = GB_OF_A; k < GB_OPERANDS && keeps; k++) gb_compact_release(&hyper->compact[k]);
    for (int d = 0; d < GB_DIMENSIONS && info == GBL_SUCCESS && keeps; d++) {
        gb_RowList *c;
        if (lies_along(hyper, GB_OF_C, d, held, &c)) info = combine(hyper, d, c, false);
    }
    return info;
}

/* Whether A, which has the row list, has no entry outside the other. */
static bool is_inside(const gb_RowList *list, const gb_RowList *held) {
    return list == NULL || list == held || (held != NULL && gb_row_list_has_all(list, held));
}

static gbl_Info open_input(gb_HyperCall *hyper, int k, const gb_RowLists *lists,
                           const gb_RowLists *held) {
    gb_Matrix *const object = hyper->operand[k].object;
    if (hyper->compact[k].m != NULL) return GBL_SUCCESS;
    if (!hyper->follows ||
        (is_inside(lists->rows, held->rows) && is_inside(lists->cols, held->cols)))
        return gb_compact_get(&hyper->compact[k], object, lists, false);
    return gb_compact_gather(&hyper->compact[k], object, lists);
}

static gb_RowLists lists_for(const gb_HyperCall *hyper, int k) {
    const gb_HyperOperand *of = &hyper->operand[k];
    return (gb_RowLists){hyper->list[of->rows],
                         of->cols == GB_DIM_ONE ? NULL : hyper->list[of->cols]};
}

/* Whether none of MET_SAMPLES columns of A, far more than that, is a row of B: what both have along
 * the inner dimension is then likely to be far less than their union. */
static bool hardly_meet(const gb_HyperCall *hyper, const gb_RowLists *held) {
    gb_RowList *a, *b;
    uint64_t met = 0;
    if (hyper->op->meets != GB_MEETS(INNER)) return false;
    lies_along(hyper, GB_OF_A, GB_DIM_INNER, held, &a);
    lies_along(hyper, GB_OF_B, GB_DIM_INNER, held, &b);
    if (a == NULL || b == NULL || a->n < MET_SAMPLES * MET_SAMPLES) return false;
    for (uint64_t k = 0; k < MET_SAMPLES; k++)
        met += gb_row_list_find(b, a->index[a->n / MET_SAMPLES * k]) != GB_NOT_FOUND;
    return met == 0;
}

/* C's compact form: its own if that has the row lists, else a copy, or an empty one. */
static gbl_Info open_output(gb_HyperCall *hyper, bool keeps) {
    gb_Matrix *C = hyper->operand[GB_OF_C].object;
    gb_Compact *compact = &hyper->compact[GB_OF_C];
    const gb_RowLists lists = lists_for(hyper, GB_OF_C);
    if (!keeps) return gb_compact_new(&compact->m, C, C->type, &lists);
    hyper->in_place =
        C->hyper != NULL && C->hyper->rows == lists.rows && C->hyper->cols == lists.cols;
    return gb_compact_get(compact, C, &lists, !hyper->in_place);
}

gbl_Info gb_hyper_open(gb_HyperCall *hyper) {
    gb_RowLists held[GB_OPERANDS] = {{NULL, NULL}};
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < GB_OPERANDS && info == GBL_SUCCESS; k++)
        if (hyper->operand[k].object != NULL && !hyper->operand[k].large)
            info = gb_assemble(hyper->operand[k].object);
    const bool keeps = info == GBL_SUCCESS && keeps_output(hyper);
    for (int k = 0; k < GB_OPERANDS && info == GBL_SUCCESS; k++)
        if (hyper->operand[k].object != NULL && (k != GB_OF_C || keeps) &&
            !(hyper->follows && hyper->operand[k].large))
            info = gb_row_lists_of(&held[k], hyper->operand[k].object);
    if (info == GBL_SUCCESS) hyper->follows = hyper->follows || hardly_meet(hyper, held);
    if (info == GBL_SUCCESS)
        info = hyper->follows ? follow(hyper, held, keeps) : unite(hyper, held);
    for (int k = 0; k < GB_OPERANDS && info == GBL_SUCCESS; k++) {
        const gb_RowLists lists = lists_for(hyper, k);
        gb_Matrix *const object = hyper->operand[k].object;
        if (object == NULL) continue;
        info = k == GB_OF_C ? open_output(hyper, keeps) : open_input(hyper, k, &lists, &held[k]);
    }
    for (int k = 0; k < GB_OPERANDS; k++) gb_row_lists_release(&held[k]);
    return info;
}

gbl_Info gb_hyper_close(gb_HyperCall *hyper, gbl_Info info) {
    gb_Matrix *C = hyper->operand[GB_OF_C].object;
    gb_Compact *output = &hyper->compact[GB_OF_C];
    if (info == GBL_SUCCESS && C != NULL) {
        if (hyper->in_place) info = gb_assemble(output->m);
        if (hyper->in_place && info == GBL_SUCCESS) {
            gb_hyper_written(C);
        } else if (!hyper->in_place) {
            gb_RowLists lists = lists_for(hyper, GB_OF_C);
            lists = (gb_RowLists){gb_row_list_retain(lists.rows), gb_row_list_retain(lists.cols)};
            gb_Matrix *const core = output->m;
            *output = (gb_Compact){0};
            info = gb_hyper_set(C, &lists, core);
        }
    }
    for (int k = 0; k < GB_OPERANDS; k++) gb_compact_release(&hyper->compact[k]);
    for (int d = 0; d < GB_DIMENSIONS; d++) gb_row_list_release(hyper->list[d]);
    return info;
}

/* Whether some operands, of two that add up both, or the mask leave little of the others. */
static bool limits_some(const gb_HyperCall *hyper, bool by_mask, bool by_a, bool by_b) {
    const gb_HyperOperand *A = &hyper->operand[GB_OF_A], *B = &hyper->operand[GB_OF_B];
    const bool two = B->object != NULL;
    const bool alike =
        (A->rows == B->rows && A->cols == B->cols) || (A->rows == B->cols && A->cols == B->rows);
    const bool adds = two && alike && (hyper->op->meets & GB_MEETS(ROWS)) == 0;
    if (hyper->operand[GB_OF_M].object != NULL && !hyper->mask.complement && by_mask) return true;
    return adds ? by_a && by_b : by_a || (two && by_b);
}

/* Updates of a matrix with more entries wait until its rows are gathered, unless it is written. */
static gbl_Info settle(gb_Matrix *X, bool all) {
    const bool waits = !gb_is_vector(X) && gb_pending_count(X) <= X->nvals && !gb_is_few(X);
    return all || !waits ? gb_assemble(X) : GBL_SUCCESS;
}

bool gb_follows_few(const gb_Op *op, const void *call, bool by_mask, bool *stays) {
    gb_Matrix *X[GB_OPERANDS];
    gb_HyperCall hyper;
    gb_read_operands(X, op, call);
    gb_hyper_begin(&hyper, op, call);
    for (int k = 0; k < GB_OPERANDS; k++)
        if (X[k] != NULL && settle(X[k], k == GB_OF_C) != GBL_SUCCESS) return false;
    const bool by_a = X[GB_OF_A] != NULL && gb_is_hyper(X[GB_OF_A]);
    const bool by_b = X[GB_OF_B] != NULL && gb_is_hyper(X[GB_OF_B]);
    *stays = keeps_output(&hyper) && !gb_is_few(X[GB_OF_C]);
    if (*stays && !by_a && !by_b && !gb_is_hyper(X[GB_OF_M])) return false; /* finish does it */
    return limits_some(&hyper, by_mask, by_a, by_b);
}

/* Finds operands to gather from: those that no row lists suit, and those with far more entries than
 * others that limit what contributes. */
static gbl_Info find_large(gb_HyperCall *hyper) {
    gb_HyperOperand *const of = hyper->operand;
    uint64_t least = UINT64_MAX;
    for (int k = 0; k < GB_OPERANDS; k++) {
        gb_Matrix *X = of[k].object;
        const gbl_Info info = X != NULL ? settle(X, k == GB_OF_C) : GBL_SUCCESS;
        if (info != GBL_SUCCESS) return info;
        if (X != NULL && k != GB_OF_C && X->nvals < least) least = X->nvals;
    }
    for (int only = 0; only < 2; only++) {
        for (int k = GB_OF_C + 1; k < GB_OPERANDS; k++) {
            gb_Matrix *X = of[k].object;
            of[k].large =
                X != NULL && (!gb_is_few(X) || (!only && X->nvals / GB_FEW_EDITS > least));
            hyper->follows = hyper->follows || of[k].large;
        }
        if (limits_some(hyper, !of[GB_OF_M].large, !of[GB_OF_A].large, !of[GB_OF_B].large)) break;
        if (!only) hyper->follows = false;
    }
    hyper->follows = hyper->follows || (hyper->op->meets & GB_MEETS(ROWS)) != 0;
    return GBL_SUCCESS;
}

gbl_Info gb_hyper_run(gb_HyperCall *hyper) {
    const gb_Op *op = hyper->op;
    _Alignas(max_align_t) char core[GB_CALL_MOST];
    gbl_Info info = GBL_SUCCESS;
    if (op->follows) info = find_large(hyper);
    if (info == GBL_SUCCESS) info = gb_hyper_open(hyper);
    if (info == GBL_SUCCESS) {
        gb_hyper_core_call(hyper, core);
        info = op->compact != NULL ? op->compact(hyper, core) : gb_execute(op, core, NULL);
    }
    return gb_hyper_close(hyper, info);
}

gbl_Info gb_run_compact(const gb_Op *op, const void *call) {
    gb_HyperCall hyper;
    gb_hyper_begin(&hyper, op, call);
    return gb_hyper_run(&hyper);
}

/* -- operators by position: the batch function looks up what rows and columns of the compact matrix
 * stand for, then computes */

/* The batch function of a gb_PositionOp. */
static void compute_at(const gb_IndexUnaryOp *op, size_t n, void *z, const void *x, int sx,
                       gb_Positions at, const void *y) {
    const gb_PositionOp *self = (const gb_PositionOp *)(const void *)op;
    const gb_IndexUnaryOp *own = self->own;
    const size_t zsize = own->ztype->size;
    const size_t xstep = sx != 0 && own->xtype != NULL ? own->xtype->size : 0;
    const size_t si = (size_t)at.si, sj = (size_t)at.sj;
    const gb_Opcode code = own->code; /* which may read one index only */
    const bool by_row = code == GB_ROWINDEX || code == GB_ROWLE || code == GB_ROWGT;
    const bool by_col = code == GB_COLINDEX || code == GB_COLLE || code == GB_COLGT;
    const gb_RowList *rows = by_col ? NULL : self->rows;
    const gb_RowList *cols = by_row ? NULL : self->cols;
    if ((code == GB_ROWINDEX || code == GB_COLINDEX) && own->ztype->code == GBL_INT64_CODE) {
        const gb_RowList *names = by_row ? rows : cols; /* without a call for each */
        const gb_Idx *index = by_row ? at.i : at.j;
        const size_t step = by_row ? si : sj;
        for (size_t k = 0; k < n; k++)
            ((uint64_t *)z)[k] = gb_row_list_at(names, index[k * step]) + *(const uint64_t *)y;
        return;
    }
    for (size_t k = 0; k < n; k++)
        own->user((char *)z + k * zsize, (const char *)x + k * xstep,
                  gb_row_list_at(rows, at.i[k * si]), gb_row_list_at(cols, at.j[k * sj]), y);
}

gb_PositionOp gb_position_op(const gb_IndexUnaryOp *op, const gb_RowList *rows,
                             const gb_RowList *cols) {
    gb_PositionOp self = {.op = *op, .own = op, .rows = rows, .cols = cols};
    self.op.code = GB_USER; /* nothing is known of it */
    self.op.batch = compute_at;
    return self;
}

/* -- entries one by one (entry_list.h) */

void gb_entry_list_release(gb_EntryList *t) {
    gb_free(t->block, t->bytes);
    gb_free(t->X, t->xbytes);
    *t = (gb_EntryList){0};
}

gbl_Info gb_entry_list_new(gb_EntryList *t, uint64_t n, bool vector, const gb_Type *type) {
    *t = (gb_EntryList){.n = n,
                        .type = type,
                        .bytes = gb_size_of(n + 1, (vector ? 1 : 2) * sizeof *t->I),
                        .xbytes = gb_size_of(n + 1, type->size)};
    t->block = t->I = gb_malloc(t->bytes);
    t->X = gb_malloc(t->xbytes);
    if (!vector && t->I != NULL) t->J = t->I + n;
    if (t->I != NULL && t->X != NULL) return GBL_SUCCESS;
    const size_t bytes = t->bytes > t->xbytes ? t->bytes : t->xbytes;
    gb_entry_list_release(t);
    return gb_fail_memory(bytes);
}

gbl_Info gb_entry_list_of(gb_EntryList *t, gb_Matrix *A, const gb_Type *type) {
    *t = (gb_EntryList){0};
    gbl_Info info = gb_assemble(A);
    if (info == GBL_SUCCESS) info = gb_entry_list_new(t, A->nvals, gb_is_vector(A), type);
    if (info == GBL_SUCCESS) info = gb_matrix_extract(A, t->I, t->J, t->X, type);
    if (info != GBL_SUCCESS) gb_entry_list_release(t);
    return info;
}

gbl_Info gb_entry_list_check(const gb_EntryList *t, const char *name, uint64_t limit) {
    const gbl_Index *value = gb_entry_indices(t);
    for (uint64_t k = 0; k < t->n; k++)
        if (value[k] >= limit) return gb_fail_index(name, t->I[k], value[k], limit);
    return GBL_SUCCESS;
}

gbl_Info gb_entry_list_to(gb_Matrix **T, const gb_Matrix *like, gb_Type *type,
                          const gb_EntryList *t, const gb_BinaryOp *dup) {
    const gb_Values values = {.type = t->type, .x = t->X, .sx = 1};
    gbl_Info info = gb_matrix_new(T, like->magic, type, like->nrows, like->ncols);
    if (info == GBL_SUCCESS) info = gb_matrix_build(*T, t->I, t->J, &values, t->n, dup);
    if (info == GBL_SUCCESS) return info;
    gb_matrix_free(*T);
    *T = NULL;
    return info;
}
