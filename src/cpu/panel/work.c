/* SPDX-License-Identifier: Apache-2.0
 *
 * Panels before they are multiplied: rows of A are united, and the columns of C get slots; see
 * work.h. Nothing here depends on the semiring.
 *
 * A matrix may keep its panels (core/forms.h): its rows are united once, and every later product
 * reads the inner indices one after the other, whose values are put into lanes.
 *
 * Cost: a panel of E entries takes O(E) where its inner indices are close together, since then
 * they are marked in a window and read off in order; else rows are merged by their heads, 16
 * comparisons for each distinct index.
 */
#include "cpu/panel/work.h"

/* -- arrays ------------------------------------------------------------------------------------ */

static bool reserve(gb_PanelWork *w, gb_PanelArrayName r, size_t bytes, int fill) {
    gb_Grown *array = &w->array[r];
    if (array->usable >= bytes) return true;
    char *at = gb_grow(array, bytes + bytes / 4, &w->wanted);
    if (at != NULL && fill >= 0) memset(at, fill, array->usable);
    return at != NULL;
}

/* Sums for so many slots, all at rest. */
static bool reserve_sums(gb_PanelWork *w, uint64_t slots) {
    const gb_Grown *array = &w->array[GB_ARRAY_SUM];
    const size_t before = array->usable;
    if (slots > SIZE_MAX / 4 / w->stride) {
        w->wanted = SIZE_MAX;
        return false;
    }
    if (!reserve(w, GB_ARRAY_SUM, slots * w->stride, -1)) return false;
    w->sum = gb_grown_begin(array);
    if (array->usable == before || w->stays) return true;
    for (size_t at = 0; at + w->stride <= array->usable; at += w->stride)
        memcpy(w->sum + at, w->rest, w->stride);
    return true;
}

/* Arrays of uint16_t are filled with 0, keys of the table with GB_NO_KEY, others not at all. */
#define RESERVE(name, r, count, fill)                                                              \
    (reserve(w, r, (count) * sizeof *w->name, fill) &&                                             \
     (w->name = (void *)gb_grown_begin(&w->array[r]), true))

gbl_Info GB_ISA_NAME(gb_panelwork_new)(gb_PanelWork *w, const gb_MxmArgs *g, bool values) {
    const bool generic = g->ring == GB_RING_GENERIC, iso = g->args.amask == 0;
    const size_t size = g->args.zsize, scratch = gb_scratch_bytes(&g->args);
    *w = (gb_PanelWork){.args = g->args,
                        .lanes = generic || size == 8 ? 8 : 16,
                        .values = generic          ? GB_PANEL_ENTRIES
                                  : !values || iso ? GB_PANEL_NO_VALUES
                                                   : GB_PANEL_VALUES,
                        .pattern = g->ring == GB_RING_ANY_PAIR_BOOL,
                        .stays = generic || g->ring == GB_RING_ANY_PAIR_BOOL};
    w->stride = w->lanes * size;
    w->step = w->values == GB_PANEL_NO_VALUES ? 0 : w->lanes;
    w->args.scratch = gb_malloc(scratch);
    if (w->args.scratch == NULL) return gb_fail_memory(scratch);
    if (w->values != GB_PANEL_NO_VALUES) return GBL_SUCCESS;
    if (!reserve(w, GB_ARRAY_A, w->stride, 0)) return gb_fail_memory(w->wanted);
    w->a = gb_grown_begin(&w->array[GB_ARRAY_A]);
    for (unsigned l = 0; values && l < w->lanes; l++) memcpy(w->a + l * size, g->args.Ax, size);
    return GBL_SUCCESS;
}

void GB_ISA_NAME(gb_panelwork_free)(gb_PanelWork *w) {
    for (int r = 0; r < GB_ARRAYS; r++) gb_grown_free(&w->array[r]);
    gb_free(w->args.scratch, gb_scratch_bytes(&w->args));
    GB_ISA_NAME(gb_rowwork_free)(&w->filter);
}

/* -- uniting rows of A ------------------------------------------------------------------------- */

/* Whether a window of so many positions, of `most`, is worth it for so many marks. */
static bool suits_window(uint64_t span, uint64_t marks, uint64_t most) {
    return span <= most && span / GB_PANEL_SPARSE <= marks;
}

/* The value of entry p of A to lane `at`. */
static void put_value(gb_PanelWork *w, uint64_t at, gb_Off p) {
    const size_t size = w->args.zsize;
    if (w->values == GB_PANEL_ENTRIES)
        ((uint64_t *)w->a)[at] = p;
    else
        memcpy(w->a + size * at, (const char *)w->args.Ax + size * p, size);
}

/* Entries [from, to) of a row of A to their lanes: k has the value at a + rank[k - low] * step. */
typedef struct {
    const gb_Idx *k;
    const char *x;
    const uint32_t *rank; /* of k = low */
    gb_Idx low;
    char *a;
    size_t step;
} Values;

GB_INLINE void put_row(const Values *v, gb_Off from, gb_Off to, const size_t size) {
    const gb_Idx *restrict k = v->k;
    const uint32_t *restrict rank = v->rank;
    const char *restrict x = v->x;
    const gb_Idx low = v->low;
    const size_t step = v->step;
    char *restrict a = v->a;
    for (gb_Off p = from; p < to; p++) memcpy(a + rank[k[p] - low] * step, x + p * size, size);
}

static void put_values_of(const gb_PanelWork *w, const gb_MxmArgs *g, gb_Idx low, unsigned l) {
    const size_t size = w->values == GB_PANEL_ENTRIES ? sizeof(gb_Off) : w->args.zsize;
    const gb_Off from = g->A.p[w->rows[l]], to = g->A.p[w->rows[l] + 1];
    const Values v = {g->A.i, w->args.Ax, w->rank, low, w->a + l * size, w->lanes * size};
    if (w->values == GB_PANEL_ENTRIES)
        for (gb_Off p = from; p < to; p++)
            memcpy(v.a + v.rank[v.k[p] - low] * v.step, &p, sizeof p);
    else if (size == 8)
        put_row(&v, from, to, 8);
    else if (size == 4)
        put_row(&v, from, to, 4);
    else
        put_row(&v, from, to, 1);
}

/* The entries of the rows, marked in a window that begins with k = low. */
static bool unite_window(gb_PanelWork *w, const gb_MxmArgs *g, unsigned open, gb_Idx low,
                         uint64_t span) {
    const gb_Idx *restrict Ai = g->A.i;
    uint64_t n = 0;
    if (!RESERVE(seen, GB_ARRAY_SEEN, span + 16, 0) || !RESERVE(rank, GB_ARRAY_RANK, span + 16, -1))
        return false;
    uint16_t *restrict seen = w->seen;
    for (unsigned left = open; left != 0; left &= left - 1) {
        const unsigned l = (unsigned)__builtin_ctz(left);
        const gb_Off end = g->A.p[w->rows[l] + 1];
        for (gb_Off p = g->A.p[w->rows[l]]; p < end; p++) seen[Ai[p] - low] |= (uint16_t)(1u << l);
    }
    gb_Idx *restrict k = w->k;
    uint16_t *restrict holders = w->holders;
    uint32_t *restrict rank = w->rank;
    for (uint64_t from = 0; from < span; from += 16)
        for (unsigned some = gb_nonzero_words(seen + from); some != 0; some &= some - 1) {
            const uint64_t at = from + (unsigned)__builtin_ctz(some);
            k[n] = (gb_Idx)(low + at);
            holders[n] = seen[at];
            rank[at] = (uint32_t)n++;
            seen[at] = 0;
        }
    w->count = n;
    if (w->values == GB_PANEL_NO_VALUES) return true;
    for (unsigned left = open; left != 0; left &= left - 1)
        put_values_of(w, g, low, (unsigned)__builtin_ctz(left));
    return true;
}

/* Values that follow each other to the lanes that `has` names. */
static void put_lanes(char *a, const char *x, unsigned has, size_t size) {
    for (; has != 0; has &= has - 1, x += size) {
        char *to = a + (unsigned)__builtin_ctz(has) * size;
        if (size == 8)
            memcpy(to, x, 8);
        else if (size == 4)
            memcpy(to, x, 4);
        else
            memcpy(to, x, 1);
    }
}

/* The rows merged by their heads. */
static void unite_heads(gb_PanelWork *w, const gb_MxmArgs *g, unsigned open) {
    _Alignas(64) gb_Idx head[GB_PANEL_LANES];
    gb_Off at[GB_PANEL_LANES], end[GB_PANEL_LANES];
    for (unsigned l = 0; l < GB_PANEL_LANES; l++) {
        const bool has = (open >> l & 1u) != 0;
        at[l] = has ? g->A.p[w->rows[l]] : 0;
        end[l] = has ? g->A.p[w->rows[l] + 1] : 0;
        head[l] = has ? g->A.i[at[l]] : GB_NO_KEY;
    }
    for (uint64_t n = 0;; n++) {
        gb_Idx least = GB_NO_KEY;
        for (unsigned l = 0; l < GB_PANEL_LANES; l++) least = head[l] < least ? head[l] : least;
        w->count = n;
        if (least == GB_NO_KEY) return;
        const unsigned holders = gb_equal32(gb_load32(head), gb_all32(least));
        w->k[n] = least;
        w->holders[n] = (uint16_t)holders;
        for (unsigned left = holders; left != 0; left &= left - 1) {
            const unsigned l = (unsigned)__builtin_ctz(left);
            if (w->values != GB_PANEL_NO_VALUES) put_value(w, n * w->lanes + l, at[l]);
            at[l]++;
            head[l] = at[l] < end[l] ? g->A.i[at[l]] : GB_NO_KEY;
        }
    }
}

/* From panels that A keeps: inner indices of open rows, their values put into lanes. */
static bool unite_kept(gb_PanelWork *w, const gb_MxmArgs *g, unsigned open) {
    const gb_PanelView *kept = &g->kept;
    const uint64_t panel = w->at / kept->lanes, count = kept->count[panel];
    const gb_Idx *k = kept->k + kept->at[panel];
    const uint16_t *holders = kept->holders + kept->at[panel];
    const size_t size = kept->size;
    const char *x = kept->x + kept->at[panel] * size;
    const bool values = w->values == GB_PANEL_VALUES;
    if (!RESERVE(k, GB_ARRAY_K, count + 1, -1) ||
        !RESERVE(holders, GB_ARRAY_HOLDERS, count + 1, -1))
        return false;
    if (values && !RESERVE(a, GB_ARRAY_A, count * w->stride, 0)) return false;
    const bool whole = GB_HAS_EXPAND && w->stride == GB_REGISTER;
    for (uint64_t u = 0; u < count; u++) {
        const unsigned has = holders[u];
        char *a = w->a + w->count * w->stride;
        w->k[w->count] = k[u];
        w->holders[w->count] = (uint16_t)(has & open);
        w->count += (has & open) != 0;
        if (!values) continue;
        if (whole && size == 8)
            gb_expand(a, x, has, 8);
        else if (whole)
            gb_expand(a, x, has, 4);
        else
            put_lanes(a, x, has, size);
        x += size * (unsigned)__builtin_popcount(has);
    }
    if (w->count > 0) w->k[w->count] = w->k[w->count - 1];
    return true;
}

void GB_ISA_NAME(gb_panel_begin)(gb_PanelWork *w, const gb_MxmArgs *g, uint64_t at, uint64_t to) {
    w->at = at;
    w->height = to - at < w->lanes ? (unsigned)(to - at) : w->lanes;
    for (unsigned l = 0; l < w->height; l++)
        w->rows[l] = g->order != NULL ? g->order[at + l] : (gb_Idx)(at + l);
}

bool GB_ISA_NAME(gb_panel_unite)(gb_PanelWork *w, const gb_MxmArgs *g, unsigned open) {
    const size_t size = w->values == GB_PANEL_ENTRIES ? sizeof(uint64_t) : w->args.zsize;
    uint64_t entries = 0;
    gb_Idx low = GB_NO_KEY, high = 0;
    w->count = 0;
    if (g->kept.lanes > 0) return unite_kept(w, g, open);
    for (unsigned left = open; left != 0; left &= left - 1) {
        const unsigned l = (unsigned)__builtin_ctz(left);
        const gb_Off from = g->A.p[w->rows[l]], to = g->A.p[w->rows[l] + 1];
        if (from == to) {
            open &= ~(1u << l);
            continue;
        }
        entries += to - from;
        if (g->A.i[from] < low) low = g->A.i[from];
        if (g->A.i[to - 1] > high) high = g->A.i[to - 1];
    }
    if (entries == 0) return true;
    const uint64_t span = (uint64_t)high - low + 1, most = entries < span ? entries : span;
    if (!RESERVE(k, GB_ARRAY_K, most + 1, -1) || !RESERVE(holders, GB_ARRAY_HOLDERS, most, -1))
        return false;
    if (w->values != GB_PANEL_NO_VALUES && !RESERVE(a, GB_ARRAY_A, most * w->lanes * size, 0))
        return false;
    if (suits_window(span, entries, GB_PANEL_WINDOW)) {
        if (!unite_window(w, g, open, low, span)) return false;
    } else {
        unite_heads(w, g, open);
    }
    w->k[w->count] = w->k[w->count - 1];
    return true;
}

/* -- slots of columns -------------------------------------------------------------------------- */

/* A table that is at most three quarters full with so many keys. */
static bool reserve_table(gb_PanelWork *w, uint64_t keys) {
    unsigned bits = 5;
    if (keys > UINT32_MAX / 2) { /* positions are numbers of 32 bits */
        w->wanted = SIZE_MAX;
        return false;
    }
    while (((uint64_t)3 << bits) / 4 < keys) bits++;
    const uint64_t positions = (uint64_t)1 << bits;
    if (!RESERVE(key, GB_ARRAY_KEY, positions, 0xFF) ||
        !RESERVE(number, GB_ARRAY_NUMBER, positions, -1))
        return false;
    w->table_bits = bits;
    return RESERVE(position, GB_ARRAY_POSITION, keys, -1) &&
           RESERVE(list, GB_ARRAY_LIST, keys, -1) && RESERVE(sort, GB_ARRAY_SORT, keys, -1);
}

bool GB_ISA_NAME(gb_panel_frame)(gb_PanelWork *w, const gb_MxmArgs *g) {
    uint64_t keys = UINT64_MAX;
    gb_Idx low = 0, high = GB_NO_KEY;
    const uint64_t steps = GB_ISA_NAME(gb_panel_reach)(&g->B, w->k, w->count, &low, &high);
    if (g->mask_kind == GB_MASK_INSIDE)
        keys = GB_ISA_NAME(gb_panel_reach)(&g->M, w->rows, w->height, &low, &high);
    w->columns = 0;
    w->closed = false;
    w->low = low;
    w->high = high;
    w->span = low <= high ? (uint64_t)high - low + 1 : 0;
    if (w->span == 0) return true;
    w->hashed = !suits_window(w->span, steps, gb_panel_slots(w->stride));
    const uint64_t most = steps < w->span ? steps : w->span;
    const uint64_t slots = w->hashed ? most + 1 : w->span;
    w->nowhere = (uint32_t)most;
    if (w->hashed && !reserve_table(w, most)) return false;
    if (!reserve_sums(w, slots) || !RESERVE(filled, GB_ARRAY_FILLED, slots + 64, 0) ||
        !RESERVE(column, GB_ARRAY_COLUMN, most + 32, -1) ||
        !RESERVE(slot, GB_ARRAY_SLOT, most + 32, -1) ||
        !RESERVE(open, GB_ARRAY_OPEN, most + 32, -1) ||
        !RESERVE(bits, GB_ARRAY_BITS, most + 32, -1))
        return false;
    if (g->mask_kind == GB_MASK_NONE) return true;
    if (!RESERVE(listed, GB_ARRAY_LISTED, slots + 64, 0)) return false;
    if (w->hashed && keys <= most) GB_ISA_NAME(gb_panel_mask_keys)(w, g);
    return true;
}

/* -- panels that a matrix keeps ---------------------------------------------------------------- */

typedef struct {
    const gb_MxmArgs *g;
    gb_Off *at;
    gb_Idx *k;
    uint32_t *count;
    uint16_t *holders;
    char *x;
    unsigned lanes;
    size_t size;
    uint64_t panels;
    bool failed; /* atomic */
} Keeping;

/* Inner indices, their holders and values of the panel that was united. */
static void keep_panel(const Keeping *of, const gb_PanelWork *w, uint64_t panel) {
    const gb_Off at = of->at[panel];
    char *x = of->x + at * of->size;
    of->count[panel] = (uint32_t)w->count;
    if (w->count == 0) return;
    memcpy(of->k + at, w->k, w->count * sizeof *of->k);
    memcpy(of->holders + at, w->holders, w->count * sizeof *of->holders);
    if (of->size == 0) return;
    for (uint64_t u = 0; u < w->count; u++)
        for (unsigned left = w->holders[u]; left != 0; left &= left - 1, x += of->size)
            memcpy(x, w->a + (u * w->lanes + (unsigned)__builtin_ctz(left)) * of->size, of->size);
}

static void keep_range(void *context, uint64_t from, uint64_t to) {
    Keeping *of = context;
    const gb_MxmArgs *g = of->g;
    gb_PanelWork *w = gb_malloc(sizeof *w);
    bool good = w != NULL && GB_ISA_NAME(gb_panelwork_new)(w, g, of->size > 0) == GBL_SUCCESS;
    for (uint64_t panel = from; good && panel < to; panel++) {
        GB_ISA_NAME(gb_panel_begin)(w, g, panel * of->lanes, g->A.nmajor);
        good = GB_ISA_NAME(gb_panel_unite)(w, g, (1u << w->height) - 1u);
        if (good) keep_panel(of, w, panel);
    }
    if (!good) __atomic_store_n(&of->failed, true, __ATOMIC_RELAXED);
    if (w == NULL) return;
    GB_ISA_NAME(gb_panelwork_free)(w);
    gb_free(w, sizeof *w);
}

bool GB_ISA_NAME(gb_keep_panels)(const gb_MxmArgs *g, void *block, gb_PanelView *view) {
    const uint64_t m = g->A.nmajor, nvals = g->A.nvals;
    Keeping of = {.g = g, .lanes = view->lanes, .size = view->size, .at = block};
    of.panels = (m + of.lanes - 1) / of.lanes;
    of.k = (gb_Idx *)(of.at + of.panels + 1);
    of.count = of.k + nvals;
    of.x = (char *)(of.count + of.panels);
    of.holders = (uint16_t *)(void *)(of.x + nvals * of.size);
    for (uint64_t k = 0, sum = 0; k <= m; k++) {
        if (k % of.lanes == 0) of.at[k / of.lanes] = sum;
        if (k == m) of.at[of.panels] = sum;
        if (k == m) break;
        const gb_Idx row = g->order != NULL ? g->order[k] : (gb_Idx)k;
        sum += g->A.p[row + 1] - g->A.p[row];
    }
    gb_parallel_ranges(g->nthreads, of.panels, keep_range, &of);
    view->at = of.at;
    view->k = of.k;
    view->count = of.count;
    view->holders = of.holders;
    view->x = of.x;
    return !of.failed;
}
