/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes of few positions into an object of many entries, as updates of elements: values of entries
 * that exist are written where they stand, entries that come or go wait as those of setElement do.
 * O(positions * log) a call. The positions are those of the region I x J, of the entries of A, or
 * of the mask, whichever are fewest and tell all that changes. All edits are computed before the
 * first is written, so operands may be C, and C is unchanged after a failure.
 */
#include "matrix/updates.h"
#include "ops/operations.h"

typedef struct {
    uint64_t row, col;
    void *stored; /* the value in C's list; NULL: not there, or not looked up */
    bool keep;    /* else the entry goes */
} Edit;

typedef struct {
    const gb_Assign *call; /* to C, or to a line of it as a vector */
    const gb_LineAssign *line;
    gb_Matrix *C;
    bool by_mask;  /* the entries of the mask tell the positions, not those of A */
    bool in_place; /* values of entries of C's list in this format may be written */
    gb_Format format;
    uint64_t n, moves; /* edits, and how many of them add or remove an entry */
    uint64_t waiting;  /* updates of C that a whole line passes over */
    size_t bytes;
    Edit *edit; /* a block of so many bytes with ... */
    char *x;    /* ... as many values of C's type */
} Few;

/* -- entries of operands, in the order of their form */

/* A hypersparse matrix is its compact one and row lists. */
typedef struct {
    gb_CsView view;
    gb_Format format;
    const gb_RowList *rows, *cols;
    size_t step;
    uint64_t major; /* of the entry that was last asked for; they are in ascending order */
} Source;

static gbl_Info open_source(Source *s, gb_Matrix *A) {
    gb_Matrix *core = A->hyper != NULL ? A->hyper->core : A;
    *s = (Source){.format = GB_CSC, .step = A->iso || core->iso ? 0 : A->type->size};
    if (A->hyper != NULL) s->rows = A->hyper->rows;
    if (A->hyper != NULL) s->cols = A->hyper->cols;
    if (A->nvals == 0) return GBL_SUCCESS;
    const gbl_Info info = gb_is_vector(A) ? GBL_SUCCESS : gb_any_format(core, GB_CSR, &s->format);
    return info == GBL_SUCCESS ? gb_acquire_sorted(core, s->format, &s->view) : info;
}

/* Where entry q is; its value. O(log rows) from the entry before. */
static const void *source_entry(Source *s, uint64_t q, uint64_t *row, uint64_t *col) {
    s->major = gb_holder_from(s->view.p, s->major, s->view.nmajor, q);
    const bool by_rows = s->format == GB_CSR;
    const uint64_t minor = s->view.i[q];
    *row = by_rows ? s->major : minor;
    *col = by_rows ? minor : s->major;
    if (s->rows != NULL) *row = s->rows->index[*row];
    if (s->cols != NULL) *col = s->cols->index[*col];
    return (const char *)s->view.x + q * s->step;
}

/* Whether C may be written at (i, j). */
static gbl_Info allows(const gb_Mask *mask, uint64_t i, uint64_t j, bool *allowed) {
    const void *x = NULL;
    *allowed = true;
    if (mask->M == NULL) return GBL_SUCCESS;
    const gbl_Info info = gb_element_find(mask->M, i, j, &x);
    *allowed =
        (x != NULL && (mask->structural || gb_is_true(mask->M->type, x))) != mask->complement;
    return info;
}

/* *x: what is assigned to (i, j) of the region; NULL: no entry. */
static gbl_Info find_value(const gb_Assign *call, uint64_t i, uint64_t j, const void **x) {
    *x = call->x;
    if (call->A == NULL) return GBL_SUCCESS;
    return call->atransposed ? gb_element_find(call->A, j, i, x)
                             : gb_element_find(call->A, i, j, x);
}

/* -- edits */

static gbl_Info reserve(Few *f, uint64_t most) {
    f->bytes = gb_size_of(most, sizeof *f->edit + f->C->type->size);
    f->edit = gb_malloc(f->bytes);
    if (f->edit == NULL) return gb_fail_memory(f->bytes);
    f->x = (char *)(f->edit + most);
    return GBL_SUCCESS;
}

/* C accum= *x at (i, j), which the mask allows. Capacity is there. */
static gbl_Info edit(Few *f, uint64_t i, uint64_t j, const void *x) {
    const gb_Assign *call = f->call;
    const gb_Type *ctype = f->C->type, *type = call->A != NULL ? call->A->type : call->xtype;
    const gb_LineAssign *line = f->line;
    char *z = f->x + f->n * ctype->size;
    const void *old = NULL;
    if (x == NULL && call->accum != NULL) return GBL_SUCCESS;
    Edit *e = &f->edit[f->n++];
    *e = (Edit){.row = i, .col = j, .keep = x != NULL};
    if (line != NULL) e->row = line->is_row ? line->line : i;
    if (line != NULL) e->col = line->is_row ? i : line->line;
    if (f->in_place) {
        old = e->stored = (void *)(uintptr_t)gb_element_assembled(f->C, e->row, e->col);
        f->moves += e->keep != (old != NULL);
    } else if (x != NULL && call->accum != NULL) {
        const gbl_Info info = gb_element_find(f->C, e->row, e->col, &old);
        if (info != GBL_SUCCESS) return info;
    }
    if (x == NULL) return GBL_SUCCESS;
    if (old == NULL || call->accum == NULL) {
        gb_cast(ctype, z, type, x, 1, 1);
        return GBL_SUCCESS;
    }
    memcpy(z, old, ctype->size);
    return gb_accum_value(&(gb_Variable){ctype, z}, call->accum, type, x);
}

static gbl_Info edit_region(Few *f, const gb_IndexMap lists[2]) {
    const gb_Assign *call = f->call;
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t k = 0; k < call->I.n; k++) {
        const uint64_t i = call->I.all ? k : call->I.i[k];
        if (lists[0].n > 0 && gb_last_place(&lists[0], gb_rank_of(&lists[0], i)) != k) continue;
        for (uint64_t l = 0; l < call->J.n && info == GBL_SUCCESS; l++) {
            const uint64_t j = call->J.all ? l : call->J.i[l];
            const void *x;
            bool allowed;
            if (lists[1].n > 0 && gb_last_place(&lists[1], gb_rank_of(&lists[1], j)) != l) continue;
            info = allows(&call->mask, i, j, &allowed);
            if (info != GBL_SUCCESS || !allowed) continue;
            info = find_value(call, k, l, &x);
            if (info == GBL_SUCCESS) info = edit(f, i, j, x);
        }
    }
    return info;
}

/* The entries of the mask, or of A. */
static gbl_Info edit_listed(Few *f) {
    const gb_Assign *call = f->call;
    gb_Matrix *const X = f->by_mask ? call->mask.M : call->A;
    const bool turned = !f->by_mask && call->atransposed;
    Source s;
    gbl_Info info = open_source(&s, X);
    for (uint64_t q = 0; info == GBL_SUCCESS && q < X->nvals; q++) {
        uint64_t k, l;
        bool allowed = true;
        const void *x = turned ? source_entry(&s, q, &l, &k) : source_entry(&s, q, &k, &l);
        const uint64_t i = call->I.all ? k : call->I.i[k], j = call->J.all ? l : call->J.i[l];
        if (!f->by_mask)
            info = allows(&call->mask, i, j, &allowed);
        else if (!call->mask.structural && !gb_is_true(X->type, x))
            continue;
        else
            info = find_value(call, i, j, &x);
        if (info == GBL_SUCCESS && allowed) info = edit(f, i, j, x);
    }
    return info;
}

/* -- a whole line: entries that it has and u lacks go */

/* Entries of the line before its updates, as a part of a list along it. */
typedef struct {
    const gb_Idx *i;
    const gb_RowList *index; /* what these stand for; NULL: themselves */
    uint64_t n;
} Line;

/* False: no list is sorted along it. */
static bool find_line(Line *line, const Few *f) {
    const bool is_row = f->line->is_row;
    const gb_Hyper *hyper = f->C->hyper;
    const gb_Matrix *C = hyper != NULL ? hyper->core : f->C;
    const gb_Format along = is_row ? GB_CSR : GB_CSC;
    const gb_Cs *cs = &C->cs[along];
    uint64_t at = f->line->line;
    *line = (Line){0};
    if (hyper != NULL) at = gb_row_list_find(is_row ? hyper->rows : hyper->cols, at);
    if (hyper != NULL) line->index = is_row ? hyper->cols : hyper->rows;
    if (C->nvals == 0 || at == GB_NOT_FOUND) return true;
    if (!(gb_has(C) & gb_has_bit(along)) || !cs->sorted) return false;
    line->i = cs->i + cs->p[at];
    line->n = cs->p[at + 1] - cs->p[at];
    return true;
}

/* Where update k of C is on the line, or GB_NOT_FOUND. */
static uint64_t on_line(const Few *f, uint64_t k) {
    const gb_Pending *list = f->C->pending;
    const uint64_t row = gb_pending_row(list, k), col = gb_pending_col(list, k);
    if ((f->line->is_row ? row : col) != f->line->line) return GB_NOT_FOUND;
    return f->line->is_row ? col : row;
}

/* Updates of C that may be on the line; by the lower halves of their indices. */
static uint64_t count_waiting(const Few *f) {
    const gb_LineAssign *line = f->line;
    const gb_Pending *list = f->C->pending;
    uint64_t n = 0;
    if (!gb_pending_touches(f->C, line->is_row, line->line)) return n;
    const gb_Idx *const lower = line->is_row ? list->row : list->col;
    for (uint64_t k = 0; k < list->n; k++) n += lower[k] == (gb_Idx)line->line;
    return n;
}

static gbl_Info remove_unless_in(Few *f, gb_Matrix *u, uint64_t index) {
    const void *x = NULL;
    const gbl_Info info = gb_element_find(u, index, 0, &x);
    return info == GBL_SUCCESS && x == NULL ? edit(f, index, 0, NULL) : info;
}

static gbl_Info edit_line(Few *f) {
    gb_Matrix *const u = f->call->A;
    Line line;
    find_line(&line, f);
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t k = 0; f->waiting > 0 && k < gb_pending_count(f->C) && info == GBL_SUCCESS; k++)
        if (on_line(f, k) != GB_NOT_FOUND) info = remove_unless_in(f, u, on_line(f, k));
    for (uint64_t k = 0; k < line.n && info == GBL_SUCCESS; k++) {
        const gb_Idx i = line.i[k];
        info = remove_unless_in(f, u, line.index != NULL ? line.index->index[i] : i);
    }
    return info == GBL_SUCCESS ? edit_listed(f) : info;
}

/* -- writing */

/* False, and nothing has happened: the dense arrays cannot take the edits. Entries go first: a
 * bitmap that gets full is dropped. */
static bool write_dense(const Few *f) {
    gb_Matrix *C = f->C;
    if (!gb_is_dense(C) || C->pending != NULL || C->iso) return false;
    for (uint64_t k = 0; k < f->n; k++)
        if (!f->edit[k].keep && C->dense.b == NULL) return false;
    for (int keep = 0; keep < 2; keep++) {
        for (uint64_t k = 0; k < f->n; k++) {
            const Edit *e = &f->edit[k];
            const void *x = keep ? f->x + k * C->type->size : NULL;
            if (e->keep == keep && !gb_dense_write(C, gb_flat_index(C, e->row, e->col), x))
                return false; /* the first of all: the arrays are not C's alone */
        }
    }
    return true;
}

/* Whether C, a matrix whose entries come and go in call after call, is held dense from now on. */
static bool becomes_dense(Few *f) {
    if (f->moves == 0 || !gb_edits_make_dense(f->C, f->n)) return false;
    f->in_place = false; /* where the edits are stored has gone */
    f->moves = f->n;
    return true;
}

/* Capacity for moves updates is reserved. */
static void write_edits(const Few *f) {
    const bool in_place = f->in_place;
    const size_t size = f->C->type->size;
    if (in_place) gb_matrix_keep_only(f->C, gb_has_bit(f->format));
    for (uint64_t k = 0; k < f->n; k++) {
        const Edit *e = &f->edit[k];
        const char *x = f->x + k * size;
        if (in_place && e->keep && e->stored != NULL)
            gb_copy_value(e->stored, x, size);
        else if (!in_place || e->keep || e->stored != NULL)
            gb_pending_append(f->C, e->row, e->col, e->keep ? x : NULL);
    }
    if (in_place) gb_matrix_set_ready(f->C, f->format);
}

/* The entries and rows that folding updates into C passes over. */
static uint64_t size_of(const gb_Matrix *C) {
    return C->nvals + (gb_is_vector(C) || gb_is_hyper(C) ? 0 : C->nrows);
}

/* Before the first edit. */
static gbl_Info begin(Few *f, uint64_t most) {
    gb_Matrix *C = f->C;
    gbl_Info info = GBL_SUCCESS;
    const uint64_t size = size_of(C), sought = C->pending != NULL ? C->pending->found : 0;
    if (gb_blocking() || gb_pending_count(C) > size || sought > size / GB_FEW_EDITS)
        info = gb_assemble(C); /* before a lookup among the edits folds what waits */
    const unsigned lists = gb_has(C) & GB_HAS_LISTS;
    const gb_Format usual = gb_is_vector(C) ? GB_CSC : GB_CSR;
    f->format = lists & gb_has_bit(usual) ? usual : 1 - usual;
    f->in_place = lists != 0 && C->pending == NULL && C->hyper == NULL && !gb_is_dense(C) &&
                  !C->iso && C->cs[f->format].sorted && !gb_is_lent(C->cs[f->format].lender);
    return info == GBL_SUCCESS && most > 0 ? reserve(f, most) : info;
}

static gbl_Info write(Few *f) {
    gb_Matrix *C = f->C;
    gbl_Info info = GBL_SUCCESS;
    if (f->n == 0) return info;
    if (f->n == 1 && !f->in_place)
        return gb_update(C, f->edit->row, f->edit->col, f->edit->keep ? f->x : NULL);
    if (write_dense(f)) return info;
    if (!f->in_place) f->moves = f->n;
    if (becomes_dense(f) && write_dense(f)) return info;
    if (gb_blocking() && f->moves > 0) { /* which fails as a whole */
        f->in_place = false;
        f->moves = f->n;
    }
    if (f->moves > 0) info = gb_pending_reserve(C, f->moves);
    if (info != GBL_SUCCESS) return info;
    write_edits(f);
    if (!gb_blocking() || f->moves == 0) return info;
    info = gb_assemble(C);
    if (info != GBL_SUCCESS) gb_pending_clear(C); /* these alone */
    return info;
}

/* -- which calls */

/* Edits that cost less than passing over C. */
static uint64_t most_edits(const gb_Matrix *C) {
    const uint64_t most = size_of(C) / GB_FEW_EDITS;
    return most > 0 ? most : 1;
}

typedef gbl_Info (*Editor)(Few *f);

/* Lists that do not ascend, which may hold an index twice: then the last position counts. So does
 * the last of updates that wait, as those of huge objects do. */
static gbl_Info by_region(Few *f) {
    const gb_Assign *call = f->call;
    const gb_Indices *lists[2] = {&call->I, &call->J};
    const uint64_t dimension[2] = {call->C->nrows, call->C->ncols};
    gb_IndexMap maps[2] = {{0}, {0}};
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < 2 && info == GBL_SUCCESS; k++)
        if (!gb_is_huge(f->C) && !gb_indices_ascend(lists[k]))
            info = gb_index_map_make(&maps[k], lists[k], dimension[k], lists[k]->n);
    if (info == GBL_SUCCESS) info = edit_region(f, maps);
    for (int k = 0; k < 2; k++) gb_index_map_free(&maps[k]);
    return info;
}

/* What edits the call, and *n, how many there are at most; NULL: they are not few. */
static Editor choose(Few *f, uint64_t most, uint64_t *n) {
    const gb_Assign *call = f->call;
    const gb_Mask *mask = &call->mask;
    const gb_Matrix *M = mask->M, *A = call->A;
    const bool all = call->I.all && call->J.all;
    if (M == NULL ? mask->complement : mask->replace) return NULL;
    if (A != NULL && call->accum != NULL && A->nvals <= most && gb_indices_ascend(&call->I) &&
        gb_indices_ascend(&call->J)) {
        *n = A->nvals;
        return edit_listed;
    }
    if (M != NULL && !mask->complement && M->nvals <= most && all) {
        *n = M->nvals;
        f->by_mask = true;
        return edit_listed;
    }
    return __builtin_mul_overflow(call->I.n, call->J.n, n) || *n > most ? NULL : by_region;
}

/* finish updates whole dense objects in place, assign_indices.c dense vectors. */
static bool is_served(const gb_Matrix *C, const gb_Assign *call) {
    if (gb_has_no_list(C) || (call->A != NULL && gb_has_no_list(call->A))) return true;
    if (call->mask.M != NULL && gb_has_no_list(call->mask.M)) return true;
    if (!gb_is_dense(C)) return false;
    if (gb_is_vector(C)) return call->mask.M == NULL || (call->I.all && call->J.all);
    return call->I.all && call->J.all &&
           (call->mask.M == NULL || call->A == NULL || call->A->nvals <= call->mask.M->nvals);
}

/* C(i, j) accum= the value, as setElement. */
static bool is_one_value(const Few *f) {
    const gb_Assign *call = f->call;
    return call->I.n == 1 && call->J.n == 1 && call->A == NULL && call->mask.M == NULL &&
           !call->mask.complement && f->line == NULL && f->C->type->size <= sizeof(gb_Builtin) &&
           !gb_has_no_list(f->C);
}

static gbl_Info assign_value(Few *f) {
    const gb_Indices *I = &f->call->I, *J = &f->call->J;
    gb_Builtin value;
    Edit one;
    f->edit = &one;
    f->x = (char *)&value;
    const gbl_Info info = edit(f, I->all ? 0 : *I->i, J->all ? 0 : *J->i, f->call->x);
    if (info != GBL_SUCCESS || f->n == 0) return info;
    return gb_update(f->C, one.row, one.col, one.keep ? f->x : NULL);
}

/* The same of a line without mask and accumulator, which may be as long as a part of C is. */
static Editor choose_for_line(Few *f, uint64_t *n) {
    const gb_Assign *call = f->call;
    const uint64_t most = size_of(f->C) / GB_UPDATE_COST;
    Line line;
    *n = call->I.n;
    if (gb_is_dense(f->C) && !gb_is_hyper(f->C)) return by_region;
    if (!call->I.all || !find_line(&line, f)) return NULL;
    f->waiting = count_waiting(f);
    *n = call->A->nvals + line.n + f->waiting;
    return *n <= most ? edit_line : NULL;
}

static gbl_Info assign_few(Few *f, bool *done) {
    const gb_Assign *call = f->call;
    uint64_t n;
    const bool plain = f->line != NULL && call->A != NULL && call->mask.M == NULL &&
                       !call->mask.complement && call->accum == NULL;
    *done = is_one_value(f);
    if (*done) return assign_value(f);
    if (is_served(f->C, call)) return GBL_SUCCESS;
    gbl_Info info = call->A != NULL ? gb_assemble(call->A) : GBL_SUCCESS;
    if (info == GBL_SUCCESS && call->mask.M != NULL) info = gb_assemble(call->mask.M);
    if (info != GBL_SUCCESS) return info;
    if (plain && gb_pending_touches(f->C, f->line->is_row, f->line->line) &&
        gb_pending_count(f->C) > size_of(f->C) / GB_FEW_EDITS) /* all are passed over */
        info = gb_assemble(f->C);
    if (info != GBL_SUCCESS) return info;
    Editor editor = plain ? choose_for_line(f, &n) : NULL;
    if (editor == NULL) editor = choose(f, most_edits(f->C), &n);
    const bool begins = f->C->nvals == 0 && f->C->pending == NULL; /* elements choose its form */
    if (editor == NULL || (begins && n > 1)) return info;
    info = begin(f, n);
    if (info == GBL_SUCCESS && n > 0) info = editor(f);
    if (info == GBL_SUCCESS) info = write(f);
    gb_free(f->edit, f->bytes);
    *done = true;
    return info;
}

gbl_Info gb_assign_few(const gb_Assign *call, bool *done) {
    return assign_few(&(Few){.call = call, .C = call->C}, done);
}

gbl_Info gb_assign_few_line(gb_Matrix *C, const gb_LineAssign *call, bool *done) {
    return assign_few(&(Few){.call = &call->assign, .line = call, .C = C}, done);
}

/* -- other operations */

static uint64_t entries_of(gb_Matrix *A) {
    uint64_t nvals = 0;
    if (A != NULL && gb_matrix_count(A, &nvals) != GBL_SUCCESS) return UINT64_MAX;
    return nvals;
}

gbl_Info gb_run_few(const gb_Op *op, const void *call, bool *done) {
    const char *const bytes = call;
    const gb_Mask *const mask = (const gb_Mask *)(const void *)(bytes + op->mask);
    const bool accumulates = *(const void *const *)(const void *)(bytes + op->accum) != NULL;
    if (mask->M == NULL ? mask->complement || !accumulates : mask->replace) return GBL_SUCCESS;
    gb_Matrix *X[GB_OPERANDS];
    gb_read_operands(X, op, call);
    gb_Matrix *const C = X[GB_OF_C], *const A = X[GB_OF_A], *const B = X[GB_OF_B];
    const uint64_t most = most_edits(C);
    if (C->nvals < GB_FEW_LEAST && entries_of(A) < GB_FEW_LEAST && entries_of(B) < GB_FEW_LEAST)
        return GBL_SUCCESS;
    if (C->nvals == 0 || (gb_has_no_list(C) && !gb_is_dense(C))) return GBL_SUCCESS;
    const bool inside = mask->M != NULL && !mask->complement && entries_of(mask->M) <= most;
    /* finish writes few of a dense object's places */
    if (gb_is_dense(C) &&
        (!inside || gb_wants_gpu() || (entries_of(A) <= most && entries_of(B) <= most)))
        return GBL_SUCCESS;
    if (!inside && (!accumulates || entries_of(A) > most / 2 || entries_of(B) > most / 2))
        return GBL_SUCCESS;
    return gb_run_beside(op, call, done);
}
