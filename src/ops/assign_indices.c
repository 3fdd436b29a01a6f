/* SPDX-License-Identifier: Apache-2.0
 *
 * assign to the rows I and columns J. With accum T is A scattered to C's shape, and C accum= T is
 * the whole call. Without, entries of C in the region I x J are deleted: T is the entries of C
 * outside the region and A scattered, and C = T under the mask.
 *
 * Matrices are handled by rows, or by columns where they have only these; vectors as one column.
 *
 * One row or column of a matrix, without mask and accumulator, becomes pending updates, as those of
 * setElement: O(line) per call, and C is rewritten once for many. In blocking mode only for dense
 * matrices, which take updates in place. In all other cases the line is a vector with a mask of its
 * own: it is extracted, written as a vector, and put back: into the same arrays where it has as
 * many entries as before, O(line), else C is copied.
 */
#include <string.h>

#include "matrix/updates.h"
#include "ops/operations.h"

/* The index lists of a call as C's major and minor indices. */
typedef struct {
    gb_IndexMap major, minor;
} Lists;

static gbl_Info make_lists(Lists *lists, const gb_Assign *call, gb_Format format,
                           const gb_AssignArgs *args) {
    const gb_Matrix *C = call->C;
    const bool by_rows = format == GB_CSR;
    const uint64_t nmajor = gb_nmajor(C, format), nminor = gb_nminor(C, format);
    const uint64_t entries =
        args->C.nvals + args->M.nvals + (call->A != NULL ? call->A->nvals : 0); /* looked up */
    const gb_Indices *major = by_rows ? &call->I : &call->J, *minor = by_rows ? &call->J : &call->I;
    gbl_Info info = gb_index_map_make(&lists->major, major, nmajor, nmajor);
    if (info == GBL_SUCCESS) info = gb_index_map_make(&lists->minor, minor, nminor, entries);
    return info;
}

static void free_lists(Lists *lists) {
    gb_index_map_free(&lists->major);
    gb_index_map_free(&lists->minor);
}

/* A as values of `type`; without entries only what kernels want to know of that. */
static gbl_Info open_object(gb_Operand *operand, const gb_Assign *call, gb_Format format,
                            const gb_Type *type) {
    const gb_Format other = gb_other(format);
    const gb_Format held = call->atransposed ? other : format;
    operand->view = (gb_CsView){.xsize = type->size};
    if (call->A->nvals == 0) return GBL_SUCCESS;
    const gbl_Info info = gb_acquire_sorted(call->A, held, &operand->view);
    return info == GBL_SUCCESS ? gb_operand_get(operand, call->A, held, type) : info;
}

/* T = base with A, or the value, in the region. args has the base, and mask and accumulator if they
 * are to act at once. */
static gbl_Info spread(gb_Result *T, const gb_Assign *call, gb_AssignArgs *args) {
    Lists lists = {0};
    gb_Operand A = {0};
    gb_Builtin value;
    gbl_Info info = make_lists(&lists, call, T->format, args);
    args->rows = &lists.major;
    args->columns = &lists.minor;
    args->type = T->type;
    args->nthreads = gb_nthreads();
    if (info == GBL_SUCCESS && call->A != NULL) {
        info = open_object(&A, call, T->format, T->type);
        args->A = A.view;
    } else if (info == GBL_SUCCESS) {
        args->fills = call->x != NULL;
        args->A = (gb_CsView){.xsize = T->type->size, .x = call->x, .iso = true};
        if (args->fills && T->type->code != call->xtype->code) {
            gb_cast(T->type, &value, call->xtype, call->x, 1, 1);
            args->A.x = &value;
        }
    }
    if (info == GBL_SUCCESS) info = gb_backend()->assign(args, &T->cs);
    gb_operand_release(&A);
    free_lists(&lists);
    return info;
}

/* How C is written: by columns where it has nothing else, or where rows would be far more than
 * columns. */
static gbl_Info choose_format(gb_Format *format, gb_Matrix *C) {
    *format = GB_CSC;
    if (gb_is_vector(C)) return GBL_SUCCESS;
    const bool tall = C->nvals == 0 && C->nrows / GB_FEW > C->ncols;
    return gb_any_format(C, tall ? GB_CSC : GB_CSR, format);
}

/* What T begins with where nothing of C takes part. */
static gb_CsView no_entries(const gb_Matrix *C, const gb_Result *T) {
    return (gb_CsView){.nmajor = gb_nmajor(C, T->format), .xsize = T->type->size};
}

/* -- dense vectors: the region is a mask of its own */

static bool suits_region(const gb_Assign *call) {
    const gb_Matrix *C = call->C;
    const gb_Mask *mask = &call->mask;
    return gb_is_vector(C) && gb_is_dense(C) && C->nvals > 0 && call->I.n > 0 && mask->M == NULL &&
           !mask->complement && call->accum == NULL;
}

/* An element for every index, which ascend: they are written where they stand. */
static bool suits_elements(const gb_Assign *call) {
    const gb_Matrix *C = call->C, *A = call->A;
    const gb_Type *type = A != NULL ? A->type : call->xtype;
    if (A == C || C->iso || !gb_type_is_real(C->type) || !gb_type_is_real(type)) return false;
    if (A != NULL ? A->nvals < call->I.n : call->x == NULL) return false;
    return gb_indices_ascend(&call->I);
}

static gbl_Info write_object(const gb_Assign *call, const gb_CsView *at) {
    gb_DenseOperand dense = {0};
    gb_Operand list = {0};
    const gb_Type *type = call->C->type;
    const bool is_dense = gb_is_dense(call->A);
    gbl_Info info = is_dense ? gb_dense_operand_get(&dense, call->A, type)
                             : open_object(&list, call, GB_CSC, type);
    if (info == GBL_SUCCESS && is_dense)
        gb_dense_write_list(call->C, at, dense.view.x, dense.view.iso);
    else if (info == GBL_SUCCESS)
        gb_dense_write_list(call->C, at, list.view.x, list.view.iso);
    gb_dense_operand_release(&dense);
    gb_operand_release(&list);
    return info;
}

static gbl_Info write_elements(const gb_Assign *call) {
    const gb_Matrix *C = call->C;
    const uint64_t n = call->I.n;
    const size_t bytes = n * sizeof(gb_Idx); /* n is at most a dimension */
    gb_Idx *i = gb_malloc(bytes);
    gbl_Info info = GBL_SUCCESS;
    if (i == NULL) return gb_fail_memory(bytes);
    for (uint64_t k = 0; k < n; k++) i[k] = (gb_Idx)call->I.i[k];
    const gb_CsView at = {.nmajor = 1, .nminor = C->nrows, .nvals = n, .i = i};
    if (call->A != NULL) {
        info = write_object(call, &at);
    } else {
        uint64_t value; /* real types fit */
        gb_cast(C->type, &value, call->xtype, call->x, 1, 1);
        gb_dense_write_list(call->C, &at, &value, true);
    }
    gb_free(i, bytes);
    return info;
}

/* *region = a vector with an entry at each index of I. */
static gbl_Info make_region(gb_Matrix **region, const gb_Assign *call) {
    static const bool yes = true;
    gb_Type *type = gb_type_of(GBL_BOOL_CODE);
    gb_Assign filled = *call;
    gb_Result T = {.type = type, .format = GB_CSC};
    gb_AssignArgs args = {.C = no_entries(call->C, &T)};
    filled.A = NULL;
    filled.x = &yes;
    filled.xtype = type;
    gbl_Info info = spread(&T, &filled, &args);
    if (info == GBL_SUCCESS) info = gb_matrix_new(region, GB_MAGIC_VECTOR, type, call->C->nrows, 1);
    if (info == GBL_SUCCESS) gb_matrix_set_cs(*region, GB_CSC, &T.cs);
    gb_result_free(&T);
    return info;
}

/* C<I> = A spread out, or the value, which costs nothing as long as C. */
static gbl_Info assign_region(const gb_Assign *call, gb_Result *T) {
    gb_AssignArgs args = {.C = no_entries(call->C, T)};
    gb_Mask mask = {.structural = true};
    const bool gives = call->A != NULL ? call->A->nvals > 0 : call->x != NULL;
    gbl_Info info = GBL_SUCCESS;
    if (gives) info = spread(T, call, &args);
    if (info == GBL_SUCCESS) info = make_region(&mask.M, call);
    T->masked = true;
    if (info == GBL_SUCCESS)
        info = gb_finish(call->C, &mask, NULL, T);
    else
        gb_result_free(T);
    gb_matrix_free(mask.M);
    return info;
}

/* -- the whole */

/* Mask and accumulator can act while A is scattered: then T is all of C. Not with replace, which
 * deletes outside T; not with values of another type, which are not C's before they are combined;
 * not for vectors, to which finish adds in place. */
static bool acts_at_once(const gb_Assign *call) {
    const gb_Mask *mask = &call->mask;
    const gb_Type *ctype = call->C->type, *type = call->A != NULL ? call->A->type : call->xtype;
    const bool same = type == ctype || (type->code == ctype->code && type->code != GBL_UDT_CODE);
    if (mask->M == NULL ? mask->complement : mask->replace) return false;
    return call->C->nvals > 0 && (call->accum == NULL || (same && !gb_is_vector(call->C)));
}

static gbl_Info assign_at_once(const gb_Assign *call, gb_Result *T) {
    const gb_Mask none = {0}, *mask = &call->mask;
    gb_MaskView M = {0};
    gb_AssignArgs args = {.accum = call->accum};
    T->type = call->C->type;
    gbl_Info info = gb_acquire_sorted(call->C, T->format, &args.C);
    if (info == GBL_SUCCESS && mask->M != NULL) info = gb_mask_get(&M, mask, T->format);
    args.M = M.view;
    args.masked = mask->M != NULL;
    args.outside = mask->complement;
    if (info == GBL_SUCCESS) info = spread(T, call, &args);
    gb_mask_release(&M);
    return gb_finish_if(info, call->C, &none, NULL, T);
}

/* T first, then mask and accumulator. A value is put only where the mask allows one, so that no
 * region is too large for it. */
static gbl_Info assign_in_turn(const gb_Assign *call, gb_Result *T, bool gives) {
    const gb_Mask *mask = &call->mask;
    const bool keeps = call->accum == NULL && call->C->nvals > 0;
    const bool by_mask = call->A == NULL && gives && mask->M != NULL && !mask->complement;
    gb_MaskView M = {0};
    gbl_Info info = GBL_SUCCESS;
    if (keeps) T->type = call->C->type;
    gb_AssignArgs args = {.C = no_entries(call->C, T), .masked = by_mask};
    if (keeps) info = gb_acquire_sorted(call->C, T->format, &args.C);
    if (info == GBL_SUCCESS && by_mask) info = gb_mask_get(&M, mask, T->format);
    args.M = M.view;
    T->masked = by_mask && !keeps; /* nothing of T lies outside of the mask */
    if (info == GBL_SUCCESS && (keeps || gives)) info = spread(T, call, &args);
    gb_mask_release(&M);
    return gb_finish_if(info, call->C, mask, call->accum, T);
}

gbl_Info gb_assign_at(const gb_Assign *call) {
    gb_Matrix *C = call->C;
    gb_Result T = {.type = call->A != NULL ? call->A->type : call->xtype};
    gbl_Info info = gb_assemble(C);
    if (info == GBL_SUCCESS && call->A != NULL) info = gb_assemble(call->A);
    if (info == GBL_SUCCESS && call->mask.M != NULL) info = gb_assemble(call->mask.M);
    if (info == GBL_SUCCESS) info = choose_format(&T.format, C);
    if (info != GBL_SUCCESS) return info;
    if (suits_region(call))
        return suits_elements(call) ? write_elements(call) : assign_region(call, &T);
    const bool gives = call->A != NULL ? call->A->nvals > 0 : call->x != NULL;
    if (acts_at_once(call) && (gives || call->accum == NULL)) return assign_at_once(call, &T);
    return assign_in_turn(call, &T, gives);
}

/* -- a line, as updates */

/* For GBL_ALL and a line whose entries are known: delete only these entries. */
typedef struct {
    gb_Matrix *C;
    const gb_LineAssign *call;
    gb_CsView u; /* values of C's type */
    bool is_known;
    const gb_Idx *old; /* [nold] indices of the line's entries; is_known */
    uint64_t nold;
    uint64_t nwaiting, waiting; /* updates that wait; of them, in the line; is_known */
} Updates;

static const gb_Idx *waiting_lines(const Updates *s) {
    return s->call->is_row ? s->C->pending->row : s->C->pending->col;
}

static void count_waiting(Updates *s) {
    const gb_Idx *lines = waiting_lines(s);
    s->nwaiting = gb_pending_count(s->C);
    for (uint64_t k = 0; k < s->nwaiting; k++) s->waiting += lines[k] == s->call->line;
}

/* Looks the line up in sorted rows along it, and among the updates that wait. */
static void find_line(Updates *s) {
    const gb_Matrix *C = s->C;
    const uint64_t line = s->call->line;
    const gb_Format along = s->call->is_row ? GB_CSR : GB_CSC;
    const gb_Cs *cs = &C->cs[along];
    const bool has_list = (gb_has(C) & gb_has_bit(along)) && cs->sorted;
    if (!s->call->assign.I.all) return;
    s->is_known = has_list || C->nvals == 0;
    if (s->is_known && gb_pending_touches(C, s->call->is_row, line)) count_waiting(s);
    if (!s->is_known || C->nvals == 0) return;
    s->old = cs->i + cs->p[line];
    s->nold = cs->p[line + 1] - cs->p[line];
}

/* Capacity is already reserved. */
static void append(const Updates *s, uint64_t index, const void *x) {
    const gb_LineAssign *call = s->call;
    gb_pending_append(s->C, call->is_row ? call->line : index, call->is_row ? index : call->line,
                      x);
}

static const void *value_of(const Updates *s, uint64_t e) {
    return (const char *)s->u.x + (s->u.iso ? 0 : e * s->u.xsize);
}

static void append_known(const Updates *s) {
    uint64_t e = 0, k = 0;
    for (uint64_t w = 0; s->waiting > 0 && w < s->nwaiting; w++) {
        const gb_Pending *list = s->C->pending;
        const gb_Idx *across = s->call->is_row ? list->col : list->row;
        if (waiting_lines(s)[w] == s->call->line) append(s, across[w], NULL);
    }
    while (e < s->u.nvals || k < s->nold) {
        const uint64_t index = e < s->u.nvals ? s->u.i[e] : UINT64_MAX;
        if (k < s->nold && s->old[k] < index) {
            append(s, s->old[k++], NULL);
            continue;
        }
        k += k < s->nold && s->old[k] == index;
        append(s, index, value_of(s, e++));
    }
}

/* Of an index that is listed twice the last update stays. */
static void append_listed(const Updates *s) {
    const gb_Indices *I = &s->call->assign.I;
    uint64_t e = 0;
    for (uint64_t k = 0; k < I->n; k++) {
        const bool has = e < s->u.nvals && s->u.i[e] == k;
        append(s, I->all ? k : I->i[k], has ? value_of(s, e) : NULL);
        e += has;
    }
}

static bool may_pend(const gb_Matrix *C, const gb_Assign *call) {
    const bool plain = call->mask.M == NULL && !call->mask.complement && call->accum == NULL;
    return plain && (!gb_blocking() || gb_is_dense(C));
}

/* *done: C has the line, at once or when it is next read. */
static gbl_Info assign_line_as_updates(gb_Matrix *C, const gb_LineAssign *call, bool *done) {
    gb_Matrix *u = call->assign.A;
    Updates s = {.C = C, .call = call};
    gb_Operand operand = {0};
    const uint64_t size = C->nvals + (call->is_row ? C->nrows : C->ncols);
    const bool at_once = gb_blocking();
    gbl_Info info = gb_assemble(u);
    const uint64_t scanned = gb_pending_touches(C, call->is_row, call->line) ? GB_FEW_EDITS : 1;
    if (info == GBL_SUCCESS && (at_once || gb_pending_count(C) > size / scanned))
        info = gb_assemble(C);
    if (info == GBL_SUCCESS && u->nvals > 0)
        info = gb_operand_get_sorted(&operand, u, GB_CSC, C->type);
    s.u = operand.view;
    if (info == GBL_SUCCESS) find_line(&s);
    const uint64_t most = s.is_known ? s.nold + s.waiting + s.u.nvals : s.call->assign.I.n;
    *done = info == GBL_SUCCESS && (gb_is_dense(C) || most <= size / GB_UPDATE_COST);
    if (*done && most > 0) info = gb_pending_reserve(C, most);
    if (*done && info == GBL_SUCCESS) (s.is_known ? append_known : append_listed)(&s);
    gb_operand_release(&operand);
    if (!*done || !at_once || info != GBL_SUCCESS) return info;
    info = gb_assemble(C);
    if (info != GBL_SUCCESS) gb_pending_clear(C); /* these alone */
    return info;
}

/* -- a line, as a vector */

/* The line has as many entries as before: they replace those. */
static bool fits_line(const gb_Matrix *C, gb_Format format, uint64_t at, const gb_Matrix *line) {
    const gb_Cs *cs = &C->cs[format];
    if (!(gb_has(C) & gb_has_bit(format)) || C->iso || gb_is_lent(cs->lender)) return false;
    return cs->sorted && cs->p[at + 1] - cs->p[at] == line->nvals;
}

static void put_in_place(gb_Matrix *C, gb_Format format, uint64_t at, const gb_CsView *list) {
    gb_Cs *cs = &C->cs[format];
    const size_t size = C->type->size;
    gb_matrix_keep_only(C, gb_has_bit(format));
    memcpy(cs->i + cs->p[at], list->i, list->nvals * sizeof *cs->i);
    char *x = (char *)cs->x + cs->p[at] * size;
    if (list->iso)
        gb_fill(x, list->x, size, list->nvals);
    else
        memcpy(x, list->x, list->nvals * size);
    gb_matrix_set_ready(C, format);
}

/* The line as rows or columns of C see it: one row with all columns, or all rows with one. */
static gbl_Info put_line(gb_Matrix *C, const gb_LineAssign *call, gb_Matrix *line) {
    const gb_Mask none = {0};
    const gb_Indices all = {.n = line->nrows, .all = true}, one = {.i = &call->line, .n = 1};
    gb_Result T = {.type = C->type};
    gb_CsView base, list = {.xsize = C->type->size};
    gb_Cs turned = {0};
    gbl_Info info = choose_format(&T.format, C);
    const bool in_one_piece = call->is_row == (T.format == GB_CSR);
    base = (gb_CsView){.nmajor = gb_nmajor(C, T.format), .xsize = C->type->size};
    if (info == GBL_SUCCESS && C->nvals > 0) info = gb_acquire_sorted(C, T.format, &base);
    if (info == GBL_SUCCESS && line->nvals > 0) info = gb_acquire_sorted(line, GB_CSC, &list);
    if (info == GBL_SUCCESS && line->nvals > 0 && in_one_piece &&
        fits_line(C, T.format, call->line, line)) {
        put_in_place(C, T.format, call->line, &list);
        return GBL_SUCCESS;
    }
    if (info == GBL_SUCCESS && line->nvals > 0 && !in_one_piece) {
        info = gb_backend()->transpose(&list, &turned, gb_nthreads());
        list = gb_cs_view(&turned, 1, C->type->size);
    }
    gb_IndexMap rows = {0}, columns = {0};
    const uint64_t nminor = gb_nminor(C, T.format);
    if (info == GBL_SUCCESS)
        info = gb_index_map_make(&rows, in_one_piece ? &one : &all, base.nmajor, base.nmajor);
    if (info == GBL_SUCCESS)
        info = gb_index_map_make(&columns, in_one_piece ? &all : &one, nminor, C->nvals);
    const gb_AssignArgs args = {.C = base,
                                .A = list,
                                .rows = &rows,
                                .columns = &columns,
                                .type = C->type,
                                .nthreads = gb_nthreads()};
    if (info == GBL_SUCCESS) info = gb_backend()->assign(&args, &T.cs);
    gb_index_map_free(&rows);
    gb_index_map_free(&columns);
    gb_cs_free(&turned);
    return info == GBL_SUCCESS ? gb_finish(C, &none, NULL, &T) : info;
}

gbl_Info gb_assign_line(gb_Matrix *C, const gb_LineAssign *call) {
    gb_Matrix *line = call->assign.C;
    bool done = false;
    gbl_Info info = gb_assign_few_line(C, call, &done);
    if (info != GBL_SUCCESS || done) return info;
    const bool waits = may_pend(C, &call->assign);
    if (waits && C->nvals > 0 && !gb_is_hyper(C)) /* before hypersparse dispatch assembles C */
        info = assign_line_as_updates(C, call, &done);
    if (info != GBL_SUCCESS || done) return info;
    if (gb_any_hyper(C, call->assign.mask.M, call->assign.A, line))
        return gb_assign_line_hyper(C, call);
    const gb_Extract taken = {.C = line,
                              .A = C,
                              .transpose = call->is_row,
                              .I = {.n = line->nrows, .all = true},
                              .J = {.i = &call->line, .n = 1}};
    if (waits) info = assign_line_as_updates(C, call, &done);
    if (info != GBL_SUCCESS || done) return info;
    info = gb_extract_host(&taken);
    if (info == GBL_SUCCESS) info = gb_execute(&gb_op_assign, &call->assign, NULL);
    if (info == GBL_SUCCESS) info = gb_assemble(line);
    return info == GBL_SUCCESS ? put_line(C, call, line) : info;
}
