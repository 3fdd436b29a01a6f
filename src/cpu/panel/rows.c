/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of C out of a finished panel (work.h): its columns in order, once for all its rows; of
 * each row those whose bit is set and that the mask lets through. How many these are is known
 * before anything is written, so rows go one behind the other at once.
 *
 * Inside a mask only columns from the first to the last one that the mask has in the panel's rows
 * get slots, and where columns are looked up in a table it holds those of the mask alone: products
 * elsewhere go to a slot of their own, which nobody reads. When all products are made the entries
 * of the mask say which rows it has which columns for. Cost: O(entries of the mask in the panel's
 * rows), and a search for each piece of a row of B that reaches beyond them.
 *
 * Values are transposed, 8 columns by 8 rows (16 by 16 of 4 bytes) in registers where there are
 * instructions to pack them; else they are copied one by one.
 */
#include "cpu/panel/work.h"

uint64_t GB_ISA_NAME(gb_panel_reach)(const gb_CsView *A, const gb_Idx *rows, uint64_t n,
                                     gb_Idx *low, gb_Idx *high) {
    gb_Idx first = GB_NO_KEY, last = 0;
    uint64_t entries = 0;
    for (uint64_t l = 0; l < n; l++) {
        const gb_Off from = A->p[rows[l]], to = A->p[rows[l] + 1];
        if (from == to) continue;
        entries += to - from;
        if (A->i[from] < first) first = A->i[from];
        if (A->i[to - 1] > last) last = A->i[to - 1];
    }
    if (*low < first) *low = first;
    if (*high > last) *high = last;
    return entries;
}

/* -- the mask ---------------------------------------------------------------------------------- */

void GB_ISA_NAME(gb_panel_mask_keys)(gb_PanelWork *w, const gb_MxmArgs *g) {
    for (unsigned l = 0; l < w->height; l++) {
        const gb_Off end = g->M.p[w->rows[l] + 1];
        for (gb_Off from = g->M.p[w->rows[l]], to; from < end; from = to) {
            to = end - from > GB_PANEL_PIECE ? from + GB_PANEL_PIECE : end;
            GB_ISA_NAME(gb_panel_find)(w, g->M.i + from, to - from);
        }
    }
    w->closed = true;
}

void GB_ISA_NAME(gb_panel_clip)(const gb_PanelWork *w, const gb_MxmArgs *g, gb_PanelPiece *piece) {
    const gb_Idx *column = g->B.i + piece->from[0];
    uint64_t from = 0, to = piece->count;
    if (column[0] < w->low) from = gb_first_at_least(column, 0, to, w->low);
    if (from < to && column[to - 1] > w->high)
        to = gb_first_at_least(column, from, to, (uint64_t)w->high + 1);
    for (unsigned r = 0; r < piece->rows; r++) piece->from[r] += from;
    piece->count = to - from;
}

/* The bit of lane l to columns Mi[from], ..., Mi[to - 1] that its row has a product for. */
static void mark_window(gb_PanelWork *w, const gb_Idx *Mi, gb_Off from, gb_Off to, unsigned l) {
    const uint16_t *restrict filled = w->filled;
    uint16_t *restrict listed = w->listed;
    const unsigned bit = 1u << l;
    const gb_Idx low = w->low, high = w->high;
    from = gb_first_at_least(Mi, from, to, low);
    for (gb_Off q = from; q < to && Mi[q] <= high; q++)
        listed[Mi[q] - low] |= (uint16_t)(filled[Mi[q] - low] & bit);
}

static void mark_table(gb_PanelWork *w, const gb_Idx *Mi, gb_Off from, gb_Off to, unsigned l) {
    const gb_Table table = gb_table(w->key, w->table_bits);
    for (gb_Off q = from; q < to; q++) {
        bool is_new;
        const uint64_t at = gb_table_find(&table, Mi[q], &is_new);
        if (is_new) continue;
        const uint32_t s = w->number[at];
        w->listed[s] |= (uint16_t)(w->filled[s] & 1u << l);
    }
}

/* Sets w->listed, once all products are made. */
static void mark_mask(gb_PanelWork *w, const gb_MxmArgs *g) {
    for (unsigned l = 0; l < w->height; l++) {
        const gb_Off from = g->M.p[w->rows[l]], to = g->M.p[w->rows[l] + 1];
        if (w->hashed)
            mark_table(w, g->M.i, from, to, l);
        else
            mark_window(w, g->M.i, from, to, l);
    }
}

/* -- columns ----------------------------------------------------------------------------------- */

/* Columns of a window, in order. */
static void list_window(gb_PanelWork *w) {
    uint64_t n = 0;
    for (uint64_t from = 0; from < w->span; from += 16) {
        const unsigned some = gb_nonzero_words(w->filled + from);
        if (some == 0) continue;
        gb_pack_numbers(w->slot + n, (uint32_t)from, some);
        n += gb_pack_numbers(w->column + n, (gb_Idx)(w->low + from), some);
    }
    w->columns = n;
}

/* Columns of the table, which is empty afterwards. */
static void list_table(gb_PanelWork *w, uint64_t ncols) {
    const uint64_t n = w->columns;
    for (uint64_t c = 0; c < n; c++) w->key[w->position[c]] = GB_NO_KEY;
    gb_sort64(w->list, w->sort, n, 32, 32 + gb_key_bits(ncols));
    for (uint64_t c = 0; c < n; c++) {
        w->column[c] = (gb_Idx)(w->list[c] >> 32);
        w->slot[c] = (uint32_t)w->list[c];
    }
}

/* Who has a product in each column. */
static void open_columns(gb_PanelWork *w) {
    for (uint64_t c = 0; c < w->columns; c++) {
        w->open[c] = w->filled[w->slot[c]];
        w->filled[w->slot[c]] = 0;
    }
}

/* The same where a mask lets it through; columns that nobody has are dropped, and at rest. */
static void open_masked(gb_PanelWork *w, bool inside) {
    const unsigned flip = inside ? 0 : 0xFFFFu;
    uint64_t n = 0;
    for (uint64_t c = 0; c < w->columns; c++) {
        const uint32_t s = w->slot[c];
        const unsigned open = w->filled[s] & (w->listed[s] ^ flip);
        w->filled[s] = w->listed[s] = 0;
        w->slot[n] = s;
        w->column[n] = w->column[c];
        w->open[n] = (uint16_t)open;
        n += open != 0;
        if (open == 0 && !w->stays) memcpy(w->sum + s * w->stride, w->rest, w->stride);
    }
    w->columns = n;
    if (!w->closed) return;
    w->filled[w->nowhere] = 0;
    if (!w->stays) memcpy(w->sum + w->nowhere * w->stride, w->rest, w->stride);
}

/* Up to a multiple of 16 columns that nobody has. */
static void fill_up(gb_PanelWork *w) {
    for (uint64_t c = w->columns; c % 16 != 0; c++) {
        w->open[c] = 0;
        w->slot[c] = w->slot[0];
        w->column[c] = 0;
    }
}

/* -- values ------------------------------------------------------------------------------------ */

/* Where the next value of each lane goes. */
typedef struct {
    char *to[GB_PANEL_LANES];
} Lanes;

/* Bit c of bits[l] says that lane l has column c of the 16 whose slots are given. */
static void put_lanes64(const gb_PanelWork *w, const uint32_t *slot, const uint16_t *bits,
                        Lanes *out) {
    for (unsigned half = 0; half < 16; half += 8) {
        gb_Lanes64 r[8];
        for (unsigned c = 0; c < 8; c++)
            __builtin_memcpy(&r[c], w->sum + (size_t)slot[half + c] * 64, 64);
        for (unsigned c = 0; c < 8; c++)
            __builtin_memcpy(w->sum + (size_t)slot[half + c] * 64, w->rest, 64);
        gb_transpose64(r);
        for (unsigned l = 0; l < 8; l++)
            out->to[l] += 8 * gb_put64(out->to[l], r[l], bits[l] >> half & 0xFFu);
    }
}

static void put_lanes32(const gb_PanelWork *w, const uint32_t *slot, const uint16_t *bits,
                        Lanes *out) {
    gb_Lanes32 r[16];
    for (unsigned c = 0; c < 16; c++) r[c] = gb_load32(w->sum + (size_t)slot[c] * 64);
    for (unsigned c = 0; c < 16; c++) __builtin_memcpy(w->sum + (size_t)slot[c] * 64, w->rest, 64);
    gb_transpose32(r);
    for (unsigned l = 0; l < 16; l++) out->to[l] += 4 * gb_put32(out->to[l], r[l], bits[l]);
}

/* Values of any size, one by one. */
GB_INLINE void put_each(const gb_PanelWork *w, const uint32_t *slot, const uint16_t *bits,
                        Lanes *out, const size_t size) {
    for (unsigned l = 0; l < w->lanes; l++)
        for (unsigned left = bits[l]; left != 0; left &= left - 1) {
            const unsigned c = (unsigned)__builtin_ctz(left);
            memcpy(out->to[l], w->sum + slot[c] * w->stride + l * size, size);
            out->to[l] += size;
        }
    for (unsigned c = 0; c < 16 && !w->stays; c++)
        memcpy(w->sum + slot[c] * w->stride, w->rest, w->stride);
}

static void put_values(const gb_PanelWork *w, Lanes *out) {
    const size_t size = w->args.zsize;
    for (uint64_t c = 0; c < w->columns; c += 16) {
        const uint32_t *slot = w->slot + c;
        const uint16_t *bits = w->bits + c;
        if (GB_HAS_COMPRESS && size == 8 && !w->stays)
            put_lanes64(w, slot, bits, out);
        else if (GB_HAS_COMPRESS && size == 4 && !w->stays)
            put_lanes32(w, slot, bits, out);
        else if (size == 8)
            put_each(w, slot, bits, out, 8);
        else if (size == 4)
            put_each(w, slot, bits, out, 4);
        else
            put_each(w, slot, bits, out, size);
    }
}

/* -- rows -------------------------------------------------------------------------------------- */

static void count_lanes(gb_PanelWork *w, uint64_t count[GB_PANEL_LANES]) {
    for (uint64_t c = 0; c < w->columns; c += 16) {
        gb_transpose_masks(w->bits + c, w->open + c);
        for (unsigned l = 0; l < w->lanes; l++)
            count[l] += (unsigned)__builtin_popcount(w->bits[c + l]);
    }
}

static void put_columns(const gb_PanelWork *w, gb_Idx *to[GB_PANEL_LANES]) {
    for (uint64_t c = 0; c < w->columns; c += 16) {
        const gb_Lanes32 column = gb_load32(w->column + c);
        for (unsigned l = 0; l < w->lanes; l++) to[l] += gb_put32(to[l], column, w->bits[c + l]);
    }
}

uint64_t GB_ISA_NAME(gb_panel_write)(gb_PanelWork *w, const gb_MxmArgs *g, gb_ChunkOut out) {
    const size_t size = w->args.zsize;
    uint64_t count[GB_PANEL_LANES] = {0}, at = out.n;
    gb_Idx *columns[GB_PANEL_LANES];
    Lanes values;
    if (g->mask_kind != GB_MASK_NONE) mark_mask(w, g);
    if (w->hashed)
        list_table(w, g->B.nminor);
    else
        list_window(w);
    if (g->mask_kind == GB_MASK_NONE)
        open_columns(w);
    else
        open_masked(w, g->mask_kind == GB_MASK_INSIDE);
    if (w->columns == 0) return 0;
    fill_up(w);
    count_lanes(w, count);
    for (unsigned l = 0; l < w->lanes; l++) {
        if (l < w->height) out.p[w->at + l] = at;
        columns[l] = out.i + at;
        values.to[l] = out.x + at * size;
        at += count[l];
    }
    put_columns(w, columns);
    if (w->pattern)
        memset(out.x + out.n, 1, at - out.n);
    else
        put_values(w, &values);
    return at - out.n;
}
