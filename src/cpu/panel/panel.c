/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the product by panels: 8 neighbouring rows of A at a time (16 where values have 4 bytes
 * or 1), one a lane of vectors (work.h). A row of B that several of them have as inner index is
 * read once for all of them, and the columns of C are put in order once. Rows that are similar but
 * far apart come together where g->order says so; C is made in that order, and its rows are put
 * back last (gb_ungroup).
 *
 * Rows of B are cut into pieces of some rows that have the same columns. Unknowns of a point of a
 * mesh have rows with the same columns; each row of a band leaves out the first column of the row
 * before and has one more at the end.
 *
 * Threads take chunks of whole panels, computed into buffers that cpu/common/compact.c puts in
 * their positions. The result does not depend on threads, nor on where panels begin: every sum is
 * one lane's, in the order of k.
 * Cost: rows of B that follow each other are compared once a product, in O(entries); rows that
 * differ do so within their first columns as a rule.
 */
#include "cpu/panel/work.h"

#define SR_TEMPLATE "cpu/panel/panel.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

#define ENTRY(name, add, multiply, type) [GB_RING_##name] = {panel_add_##name, panel_rest_##name},
static const gb_PanelKernel kernels[GB_RING_COUNT] = {
    GB_FOREACH_RING(ENTRY)[GB_RING_GENERIC] = {panel_add_GENERIC, panel_rest_GENERIC}};
#undef ENTRY

static const gb_PanelKernel *kernel_of(const gb_MxmArgs *g) {
    return g->ring == GB_RING_COMPILED ? g->args.compiled->panel : &kernels[g->ring];
}

/* -- pieces of rows of B ----------------------------------------------------------------------- */

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
            w->position[columns] = (uint32_t)at;
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
    piece.slot = w->found;
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
    piece->slot = g->B.i + piece->from[0];
    piece->base = w->low;
    add(w, g, piece);
}

typedef struct {
    const gb_CsView *B;
    uint8_t *shift;
} Relation;

/* How rows [from, to) of B lie to the rows before them: row k has the columns of row k - 1 without
 * the first shift[k] of them, and perhaps more columns behind these. GB_PANEL_APART where that is
 * not so, or not worth knowing. */
enum { GB_PANEL_APART = 255 };
static void relate(void *context, uint64_t from, uint64_t to) {
    const Relation *of = context;
    const gb_CsView *B = of->B;
    uint8_t *shift = of->shift;
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

/* Hands all products of the panel to `add`, by pieces in the order of k. */
static void multiply_panel(gb_PanelWork *w, const gb_MxmArgs *g, gb_PanelAdd *add) {
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

/* -- panels ------------------------------------------------------------------------------------ */

/* Entries to make C's arrays for: as samples say with a margin, and no more than products allow. */
static uint64_t expected_entries(const gb_MxmArgs *g, const gb_Chunks *chunks) {
    const uint64_t most = gb_compaction_capacity(g, chunks);
    if (g->filter != NULL) return gb_filtered_capacity(g, most);
    const double flops = (double)g->flops[g->A.nmajor];
    const double wanted =
        g->compression > 1.0 ? flops / g->compression * GB_ESTIMATE_MARGIN + 1.0 : flops;
    return wanted < (double)most ? gb_to_u64(wanted) : most;
}

/* Rows of the panel that can have entries. */
static unsigned open_rows(const gb_PanelWork *w, const gb_MxmArgs *g) {
    const uint64_t closed = g->mask_kind == GB_MASK_INSIDE ? 0 : g->B.nminor;
    unsigned rows = (1u << w->height) - 1u;
    for (unsigned l = 0; g->mask_kind != GB_MASK_NONE && l < w->height; l++)
        if (g->M.p[w->rows[l] + 1] - g->M.p[w->rows[l]] == closed) rows &= ~(1u << l);
    return rows;
}

/* Filters the rows of the panel, `entries` together; returns what is left of these. */
static uint64_t filter_rows(gb_PanelWork *w, const gb_MxmArgs *g, gb_ChunkOut out,
                            uint64_t entries) {
    const size_t size = w->args.zsize;
    uint64_t at = out.n;
    for (unsigned l = 0; l < w->height; l++) {
        const uint64_t from = out.p[w->at + l];
        const uint64_t to = l + 1 < w->height ? out.p[w->at + l + 1] : out.n + entries;
        char *x = out.x + from * size;
        const uint64_t kept =
            GB_ISA_NAME(gb_filter_row)(g, &w->filter, w->rows[l], out.i + from, x, to - from);
        memmove(out.i + at, out.i + from, kept * sizeof *out.i);
        memmove(out.x + at * size, x, kept * size);
        out.p[w->at + l] = at;
        at += kept;
    }
    if (w->filter.wanted > 0) w->wanted = w->filter.wanted;
    return at - out.n;
}

/* The panel of the rows from w->at on of the chunk's; returns its entries. */
static uint64_t run_panel(gb_PanelWork *w, const gb_MxmArgs *g, gb_ChunkOut out) {
    GB_ISA_NAME(gb_panel_begin)(w, g, w->at, out.to);
    for (unsigned l = 0; l < w->height; l++) out.p[w->at + l] = out.n;
    if (!GB_ISA_NAME(gb_panel_unite)(w, g, open_rows(w, g)) || w->count == 0) return 0;
    if (!GB_ISA_NAME(gb_panel_frame)(w, g) || w->span == 0) return 0;
    multiply_panel(w, g, kernel_of(g)->add);
    *(w->hashed ? &w->tables : &w->windows) += w->height;
    const uint64_t entries = GB_ISA_NAME(gb_panel_write)(w, g, out);
    return g->filter != NULL ? filter_rows(w, g, out, entries) : entries;
}

static void run_chunk(void *work, const gb_MxmArgs *g, gb_ChunkOut *out) {
    gb_PanelWork *w = work;
    for (w->at = out->from; w->at < out->to && w->wanted == 0; w->at += w->height)
        out->n += run_panel(w, g, *out);
    out->wanted = w->wanted;
}

/* `shift` is of B's rows. */
static gbl_Info begin_work(void *work, const void *shift, const gb_MxmArgs *g) {
    gb_PanelWork *w = work;
    const gbl_Info info = GB_ISA_NAME(gb_panelwork_new)(w, g, g->A.x != NULL);
    kernel_of(g)->rest(w->rest);
    w->shift = shift;
    return info;
}

static void end_work(void *work, const gb_MxmArgs *g, gb_MxmStats *stats) {
    gb_PanelWork *w = work;
    (void)g;
    stats->dense += w->windows;
    stats->hashed += w->tables;
    GB_ISA_NAME(gb_panelwork_free)(w);
}

/* Rows of T are in the order of panels. */
static gbl_Info multiply(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats) {
    gb_Chunks chunks = {0};
    uint8_t *shift = gb_malloc(g->B.nmajor);
    const gb_ChunkMethod method = {
        sizeof(gb_PanelWork), shift, begin_work, run_chunk, end_work, false};
    *T = (gb_Cs){0};
    gbl_Info info = shift != NULL || g->B.nmajor == 0
                        ? gb_chunks_by_flops(&chunks, g, GB_PANEL_LANES)
                        : gb_fail_memory(g->B.nmajor);
    if (info == GBL_SUCCESS) {
        gb_parallel_ranges(g->nthreads, g->B.nmajor, relate, &(Relation){&g->B, shift});
        info = gb_multiply_chunks(&method, g, &chunks, expected_entries(g, &chunks), T, stats);
    }
    if (info == GBL_SUCCESS) T->sorted = true;
    gb_chunks_free(&chunks);
    gb_free(shift, g->B.nmajor);
    return info;
}

/* The order of panels is one of its own: flops are summed in it, and T's rows go back. */
static gbl_Info multiply_grouped(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats) {
    const uint64_t m = g->A.nmajor;
    const size_t bytes = (m + 1) * sizeof(uint64_t);
    uint64_t *flops = gb_malloc(bytes);
    gb_MxmArgs args = *g;
    gb_Cs grouped = {0};
    if (flops == NULL) return gb_fail_memory(bytes);
    flops[0] = 0;
    for (uint64_t k = 0; k < m; k++)
        flops[k + 1] = flops[k] + g->flops[g->order[k] + 1] - g->flops[g->order[k]];
    args.flops = flops;
    gbl_Info info = multiply(&args, &grouped, stats);
    gb_free(flops, bytes);
    if (info == GBL_SUCCESS) info = gb_ungroup(&grouped, g->order, T, g->args.zsize, g->nthreads);
    gb_cs_free(&grouped);
    return info;
}

gbl_Info GB_ISA_NAME(gb_mxm_panel)(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats) {
    *T = (gb_Cs){0};
    *stats = (gb_MxmStats){0};
    return g->order != NULL ? multiply_grouped(g, T, stats) : multiply(g, T, stats);
}
