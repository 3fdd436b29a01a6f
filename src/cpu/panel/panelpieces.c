/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of B that a panel meets, cut into pieces of some rows that have the same columns
 * (panelwork.h). Unknowns of a point of a mesh have rows with the same columns; each row of a band
 * leaves out the first column of the row before and has one more at the end. Every column gets its
 * products in the order of k.
 *
 * Cost: rows of B that follow each other are compared once a product, in O(entries); rows that
 * differ do so within their first columns as a rule.
 */
#include <string.h>

#include "cpu/panel/panelwork.h"
#include "cpu/rowwise/probe.h"

void GB_ISA_NAME(gb_panel_find)(gb_PanelWork *w, const gb_Idx *column, uint64_t n) {
    const gb_Table table = gb_table(w->key, w->table_bits);
    uint64_t columns = w->columns;
    for (uint64_t q = 0; q < n; q++) {
        bool is_new;
        const uint64_t at = gb_table_find(&table, column[q], &is_new);
        if (is_new && w->closed) {
            w->found[q] = w->nowhere;
            continue;
        }
        if (is_new) {
            w->key[at] = column[q];
            w->number[at] = (uint32_t)columns;
            w->place[columns] = (uint32_t)at;
            w->list[columns] = (uint64_t)column[q] << 32 | columns;
            columns++;
        }
        w->found[q] = w->number[at];
    }
    w->columns = columns;
}

/* A piece whose columns are looked up. */
static void add_hashed(gb_PanelWork *w, const gb_MxmArgs *g, gb_PanelAdd *add,
                       gb_PanelPiece piece) {
    const uint64_t count = piece.count;
    piece.place = w->found;
    piece.base = 0;
    for (uint64_t at = 0; at < count; at += piece.count) {
        piece.count = count - at < GB_PANEL_PIECE ? count - at : GB_PANEL_PIECE;
        GB_ISA_NAME(gb_panel_find)(w, g->B.i + piece.from[0], piece.count);
        add(w, g, &piece);
        for (unsigned r = 0; r < piece.rows; r++) piece.from[r] += piece.count;
    }
}

static void add_piece(gb_PanelWork *w, const gb_MxmArgs *g, gb_PanelAdd *add,
                      gb_PanelPiece *piece) {
    if (g->mask_kind == GB_MASK_INSIDE) {
        GB_ISA_NAME(gb_panel_clip)(w, g, piece);
        if (piece->count == 0) return;
    }
    if (w->hashed) {
        add_hashed(w, g, add, *piece);
        return;
    }
    piece->place = g->B.i + piece->from[0];
    piece->base = w->low;
    add(w, g, piece);
}

void GB_ISA_NAME(gb_panel_relate)(const gb_CsView *B, uint64_t from, uint64_t to, uint8_t *shift) {
    for (uint64_t k = from; k < to; k++) {
        shift[k] = GB_PANEL_APART;
        if (k == 0 || B->p[k] == B->p[k - 1]) continue;
        const gb_Idx *before = B->i + B->p[k - 1], *row = B->i + B->p[k];
        const uint64_t count = B->p[k + 1] - B->p[k], others = B->p[k] - B->p[k - 1];
        uint64_t d = 0;
        while (count > 0 && d < others && d < GB_PANEL_APART && before[d] < *row) d++;
        const uint64_t shared = others - d;
        if (shared == 0 || shared > count || d == GB_PANEL_APART) continue;
        if (shared < GB_PANEL_SHARED && (d > 0 || shared < count)) continue;
        if (memcmp(before + d, row, shared * sizeof *row) == 0) shift[k] = (uint8_t)d;
    }
}

/* Rows of B that are taken at once, u to u + rows - 1 of the panel: their columns are numbered from
 * the first one of row u on. Row r has those from left[r] to right[r] - 1, both of which ascend. */
typedef struct {
    uint64_t u;
    unsigned rows;
    uint64_t left[GB_PANEL_AT_ONCE], right[GB_PANEL_AT_ONCE];
} Group;

/* How row u of the panel lies to the one before. */
GB_INLINE uint8_t shift_of(const gb_PanelWork *w, uint64_t u) {
    return w->k[u] == w->k[u - 1] + 1 ? w->shift[w->k[u]] : (uint8_t)GB_PANEL_APART;
}

/* Row u of the panel, and those behind it that leave enough columns that all have. */
static Group group_at(const gb_PanelWork *w, const gb_MxmArgs *g, uint64_t u) {
    const gb_Off *p = g->B.p;
    Group of = {.u = u, .rows = 1, .right = {p[w->k[u] + 1] - p[w->k[u]]}};
    while (of.rows < GB_PANEL_GROUP && u + of.rows < w->count) {
        const uint64_t shift = shift_of(w, u + of.rows), k = w->k[u + of.rows];
        if (shift == GB_PANEL_APART) break;
        const uint64_t left = of.left[of.rows - 1] + shift, right = left + p[k + 1] - p[k];
        if ((left > 0 || right > of.right[0]) && left + GB_PANEL_SHARED > of.right[0]) break;
        of.left[of.rows] = left;
        of.right[of.rows++] = right;
    }
    return of;
}

/* The columns of the group by the rows that have them: first row 0 alone, then rows 0 and 1, ...,
 * all, ..., the last row alone. */
static void add_group(gb_PanelWork *w, const gb_MxmArgs *g, gb_PanelAdd *add, const Group *of) {
    const unsigned rows = of->rows;
    uint64_t at = 0;
    for (unsigned j = 0; j + 1 < 2 * rows; j++) {
        const unsigned first = j < rows ? 0 : j - rows + 1, last = j < rows ? j : rows - 1;
        const uint64_t end = j + 1 < rows ? of->left[j + 1] : of->right[j + 1 - rows];
        gb_PanelPiece piece;
        if (at == end) continue;
        piece.u = of->u + first;
        piece.rows = last - first + 1;
        piece.count = end - at;
        for (unsigned r = first; r <= last; r++)
            piece.from[r - first] = g->B.p[w->k[of->u + r]] + at - of->left[r];
        add_piece(w, g, add, &piece);
        at = end;
    }
}

void GB_ISA_NAME(gb_panel_multiply)(gb_PanelWork *w, const gb_MxmArgs *g, gb_PanelAdd *add) {
    uint64_t next;
    for (uint64_t u = 0; u < w->count; u = next) {
        const gb_Off *p = g->B.p + w->k[u];
        next = u + 1;
        if (GB_PANEL_GROUP > 1 && next < w->count && shift_of(w, next) != GB_PANEL_APART) {
            const Group of = group_at(w, g, u);
            next = u + of.rows;
            add_group(w, g, add, &of);
        } else if (p[0] < p[1]) {
            gb_PanelPiece piece;
            piece.u = u;
            piece.rows = 1;
            piece.from[0] = p[0];
            piece.count = p[1] - p[0];
            add_piece(w, g, add, &piece);
        }
        __builtin_prefetch(g->B.i + g->B.p[w->k[next]]);
    }
}
