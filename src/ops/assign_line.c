/* SPDX-License-Identifier: Apache-2.0
 *
 * assign to one row or column of a matrix.
 *
 * Without mask and accumulator the places of the list become updates that wait, as those of
 * setElement do: O(line) a call, and C is rewritten once for many. In blocking mode that is so for
 * cells, which updates are written into at once. In all other cases the line is a vector with a
 * mask of its own: it is taken out, written as a vector is, and put back: into the same arrays
 * where it has as many entries as before, O(line), else C is copied.
 */
#include <string.h>

#include "kernel_api/backend.h"
#include "core/arrays.h"
#include "core/tune.h"
#include "matrix/updates.h"
#include "ops/assign.h"
#include "ops/submatrix.h"

/* -- as updates */

/* Where the list is all, and what the line has is known: only the entries that it has go. */
typedef struct {
    gb_Matrix *C;
    const gb_LineAssign *call;
    gb_CsView u; /* values of C's type */
    bool is_known;
    const gb_Idx *old; /* [nold] places of the line's entries; is_known */
    uint64_t nold;
} Updates;

/* Looks for the line in sorted lists along it, while none of the updates that wait are its. */
static void look_up(Updates *s) {
    const gb_Matrix *C = s->C;
    const uint64_t line = s->call->line;
    const gb_Format along = s->call->is_row ? GB_CSR : GB_CSC;
    const gb_Cs *cs = &C->cs[along];
    const bool has_list = (gb_has(C) & gb_has_bit(along)) && cs->sorted;
    if (!s->call->assign.I.all || gb_pending_touches(C, s->call->is_row, line)) return;
    s->is_known = has_list || C->nvals == 0;
    if (!s->is_known || C->nvals == 0) return;
    s->old = cs->i + cs->p[line];
    s->nold = cs->p[line + 1] - cs->p[line];
}

static uint64_t most_updates(const Updates *s) {
    return s->is_known ? s->nold + s->u.nvals : s->call->assign.I.n;
}

/* Room for it was made. */
static void append(const Updates *s, uint64_t place, const void *x) {
    const gb_LineAssign *call = s->call;
    gb_pending_append(s->C, call->is_row ? call->line : place, call->is_row ? place : call->line,
                      x);
}

static const void *value_of(const Updates *s, uint64_t e) {
    return (const char *)s->u.x + (s->u.iso ? 0 : e * s->u.xsize);
}

static void append_known(const Updates *s) {
    uint64_t e = 0, k = 0;
    while (e < s->u.nvals || k < s->nold) {
        const uint64_t place = e < s->u.nvals ? s->u.i[e] : UINT64_MAX;
        if (k < s->nold && s->old[k] < place) {
            append(s, s->old[k++], NULL);
            continue;
        }
        k += k < s->nold && s->old[k] == place;
        append(s, place, value_of(s, e++));
    }
}

/* Of a place that is listed twice the last update stays. */
static void append_listed(const Updates *s) {
    const gb_Indices *I = &s->call->assign.I;
    uint64_t e = 0;
    for (uint64_t k = 0; k < I->n; k++) {
        const bool has = e < s->u.nvals && s->u.i[e] == k;
        append(s, I->all ? k : I->i[k], has ? value_of(s, e) : NULL);
        e += has;
    }
}

static bool may_wait(const gb_Matrix *C, const gb_Assign *call) {
    const bool plain = call->mask->M == NULL && !call->mask->complement && call->accum == NULL;
    return plain && (!gb_blocking() || gb_is_dense(C));
}

/* *done: C has the line, at once or when it is next read. */
static gbl_Info assign_as_updates(gb_Matrix *C, const gb_LineAssign *call, bool *done) {
    gb_Matrix *u = call->assign.A;
    Updates s = {.C = C, .call = call};
    gb_Operand operand = {0};
    const uint64_t size = C->nvals + (call->is_row ? C->nrows : C->ncols);
    const bool at_once = gb_blocking();
    gbl_Info info = gb_assemble(u);
    if (info == GBL_SUCCESS && (at_once || gb_pending_count(C) > size)) info = gb_assemble(C);
    if (info == GBL_SUCCESS && u->nvals > 0)
        info = gb_operand_get_sorted(&operand, u, GB_CSC, C->type);
    s.u = operand.view;
    if (info == GBL_SUCCESS) look_up(&s);
    const uint64_t most = most_updates(&s);
    *done = info == GBL_SUCCESS && (gb_is_dense(C) || most <= size / GB_UPDATE_COST);
    if (*done && most > 0) info = gb_pending_reserve(C, most);
    if (*done && info == GBL_SUCCESS) (s.is_known ? append_known : append_listed)(&s);
    gb_operand_release(&operand);
    if (!*done || !at_once || info != GBL_SUCCESS) return info;
    info = gb_assemble(C);
    if (info != GBL_SUCCESS) gb_pending_clear(C); /* these alone */
    return info;
}

/* -- as a vector */

/* The line has as many entries as before: they take their places. */
static bool fits(const gb_Matrix *C, gb_Format format, uint64_t at, const gb_Matrix *line) {
    const gb_Cs *cs = &C->cs[format];
    if (!(gb_has(C) & gb_has_bit(format)) || C->iso || cs->lender != NULL) return false;
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
    gbl_Info info = gb_assign_format(&T.format, C);
    const bool in_one_piece = call->is_row == (T.format == GB_CSR);
    base = (gb_CsView){.nmajor = gb_nmajor(C, T.format), .xsize = C->type->size};
    if (info == GBL_SUCCESS && C->nvals > 0) info = gb_acquire_sorted(C, T.format, &base);
    if (info == GBL_SUCCESS && line->nvals > 0) info = gb_acquire_sorted(line, GB_CSC, &list);
    if (info == GBL_SUCCESS && line->nvals > 0 && in_one_piece &&
        fits(C, T.format, call->line, line)) {
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
    const gb_Mask none = {0};
    gb_Matrix *line = call->assign.C;
    const gb_Column taken = {
        .A = C, .transpose = call->is_row, .I = {.n = line->nrows, .all = true}, .j = call->line};
    bool done = false;
    gbl_Info info = GBL_SUCCESS;
    if (may_wait(C, &call->assign)) info = assign_as_updates(C, call, &done);
    if (info != GBL_SUCCESS || done) return info;
    info = gb_extract_column(line, &none, NULL, &taken);
    if (info == GBL_SUCCESS) info = gb_assign(&call->assign);
    if (info == GBL_SUCCESS) info = gb_assemble(line);
    return info == GBL_SUCCESS ? put_line(C, call, line) : info;
}
