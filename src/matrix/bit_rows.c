/* SPDX-License-Identifier: Apache-2.0
 *
 * Derived forms of rows as bits; see derived.h.
 *
 * Heavy rows: rows are cut into as many parts as there are threads. Each part counts how often its
 * rows have each inner index; the counts tell which are heavy, and where the part's share of each
 * tail begins, so that parts fill their rows and their shares of tails side by side.
 */
#include "matrix/derived.h"

enum { LINE = 64, LINE_WORDS = LINE / sizeof(uint32_t), TAIL_PAD = 16 };

/* The first line of the cache in a block that has one more than it needs. */
static void *on_line(void *block) {
    return (char *)block + (LINE - (uintptr_t)block % LINE) % LINE;
}

/* -- rows with many entries for their span ----------------------------------------------------- */

bool gb_bits_suit(const gb_Idx *i, uint64_t entries, uint32_t *blocks) {
    if (entries < GB_BITS_LEAST) return false;
    *blocks = i[entries - 1] / GB_BITS_BLOCK - i[0] / GB_BITS_BLOCK + 1;
    return (uint64_t)*blocks * GB_BITS_BLOCK <= entries * GB_BITS_SPAN;
}

/* Where rows that suit are to be; blocks of all of them. */
static uint64_t locate_bit_rows(const gb_CsView *A, gb_BitRow *row, gb_BitRows *view) {
    uint64_t at = 0;
    view->first = UINT32_MAX;
    for (uint64_t j = 0; j < A->nmajor; j++) {
        const gb_Idx *i = A->i + A->p[j];
        uint32_t blocks;
        row[j] = (gb_BitRow){.at = (uint32_t)at};
        if (!gb_bits_suit(i, A->p[j + 1] - A->p[j], &blocks)) continue;
        row[j].block = i[0] / GB_BITS_BLOCK;
        row[j].blocks = blocks;
        at += blocks;
        view->rows++;
        if (row[j].block < view->first) view->first = row[j].block;
        if (row[j].block + blocks > view->end) view->end = row[j].block + blocks;
    }
    return at;
}

typedef struct {
    const gb_CsView *A;
    const gb_BitRow *row; /* [rows of A] */
    uint64_t *bits;
} gb_BitSetting;

static void set_bits(void *context, uint64_t from, uint64_t to) {
    const gb_BitSetting *s = context;
    const gb_CsView *A = s->A;
    for (uint64_t j = from; j < to; j++) {
        uint64_t *words = s->bits + (uint64_t)s->row[j].at * GB_BITS_WORDS;
        const uint64_t first = (uint64_t)s->row[j].block * GB_BITS_BLOCK;
        if (s->row[j].blocks == 0) continue;
        memset(words, 0, (uint64_t)s->row[j].blocks * GB_BITS_WORDS * sizeof *words);
        for (gb_Off q = A->p[j]; q < A->p[j + 1]; q++) {
            const uint64_t c = A->i[q] - first;
            words[c / 64] |= (uint64_t)1 << c % 64;
        }
    }
}

/* None where entries are few beside rows. */
static void make_bits(gb_Derived *form, const void *context) {
    const gb_CsView *A = context;
    gb_BitRows view = {0};
    gb_Block rows = {NULL, gb_size_of(A->nmajor, sizeof(gb_BitRow))}, bits = {0};
    form->rejected = true;
    if (A->nmajor / GB_FEW > A->nvals) return;
    gb_BitRow *row = rows.at = gb_malloc(rows.bytes);
    if (row == NULL) return;
    const uint64_t blocks = locate_bit_rows(A, row, &view);
    bits.bytes = gb_size_of(blocks + 1, LINE);
    if (blocks > 0 && blocks <= UINT32_MAX) bits.at = gb_malloc(bits.bytes);
    if (bits.at == NULL) {
        gb_free(row, rows.bytes);
        return;
    }
    uint64_t *words = on_line(bits.at);
    gb_parallel_ranges(gb_threads_for(blocks * GB_BITS_WORDS, GB_GRAIN, gb_nthreads()), A->nmajor,
                       set_bits, &(gb_BitSetting){A, row, words});
    view.row = row;
    view.bits = words;
    form->view.bits = view;
    form->block[0] = rows;
    form->block[1] = bits;
    form->made = true;
}

gb_BitRows gb_bits_get(gb_Matrix *A, gb_Format format, uint64_t saved) {
    gb_CsView view;
    if (gb_acquire(A, format, &view) != GBL_SUCCESS || !view.sorted) return (gb_BitRows){0};
    const gb_DerivedRequest request = {.key = {GB_DERIVED_BITS, format, 0},
                                       .credit = (double)saved,
                                       .cost = view.nvals > 0 ? (double)view.nvals : INFINITY,
                                       .make = make_bits,
                                       .context = &view};
    return gb_derived_get(A, &request).view.bits;
}

/* -- heavy inner indices: which */

typedef struct {
    const gb_CsView *A;
    int parts;
    uint32_t
        *count; /* [parts * inner indices] by each part; then where its shares of tails begin */
    uint64_t heavy, tails, tail_entries;
    double tail_squares; /* sum of the squares of the frequencies of light inner indices */
    gb_Derived *form;
    uint32_t *place, *tail_p, *tail, *content;
    gb_HeavyRow *row;
    uint64_t words; /* of content */
} gb_HeavyMaking;

/* Where the rows of part t begin. */
static uint64_t first_row(const gb_HeavyMaking *m, int t) {
    return gb_first_row(m->A, (uint64_t)t, (uint64_t)m->parts);
}

static uint32_t frequency(const gb_HeavyMaking *m, uint64_t k) {
    uint32_t sum = 0;
    for (int t = 0; t < m->parts; t++) sum += m->count[(uint64_t)t * m->A->nminor + k];
    return sum;
}

/* next[f] = the number of the first heavy inner index of frequency f, for f >= the least frequency
 * of one, which is returned; m->heavy of them. next[0 .. most] are the inner indices of each
 * frequency before. */
static uint32_t number_heavy(gb_HeavyMaking *m, uint32_t *next, uint32_t most) {
    const double entries = (double)m->A->nvals, mean = entries / (double)m->A->nminor;
    const double root = sqrt(entries) / GB_HEAVY_SHARE;
    const double least = fmax(root, fmin(2.0 * root, GB_HEAVY_SKEW * mean));
    uint32_t f = most + 1;
    while (f > 1 && (double)(f - 1) >= least && m->heavy + next[f - 1] <= GB_HEAVY_MOST) {
        const uint32_t here = next[--f];
        next[f] = (uint32_t)m->heavy;
        m->heavy += here;
    }
    return f;
}

/* place and tail_p; counts become the beginnings of the parts' shares of tails. */
static void number_all(gb_HeavyMaking *m, uint32_t *next, uint32_t least) {
    const uint64_t inner = m->A->nminor;
    const uint32_t base = m->form->view.heavy.blocks * GB_BITS_BLOCK;
    for (uint64_t k = 0; k < inner; k++) {
        const uint32_t f = frequency(m, k);
        if (f >= least) {
            m->place[k] = next[f]++;
            continue;
        }
        m->place[k] = base + (uint32_t)m->tails;
        m->tail_p[m->tails++] = (uint32_t)m->tail_entries;
        m->tail_squares += (double)f * f;
        for (int t = 0; t < m->parts; t++) {
            uint32_t *count = &m->count[(uint64_t)t * inner + k];
            const uint32_t here = *count;
            *count = (uint32_t)m->tail_entries;
            m->tail_entries += here;
        }
    }
    m->tail_p[m->tails] = (uint32_t)m->tail_entries;
}

/* False without memory. */
static bool find_heavy(gb_HeavyMaking *m) {
    uint32_t most = 0;
    for (uint64_t k = 0; k < m->A->nminor; k++) {
        const uint32_t f = frequency(m, k);
        if (f > most) most = f;
    }
    const size_t bytes = ((size_t)most + 2) * sizeof(uint32_t);
    uint32_t *next = gb_calloc(bytes);
    if (next == NULL) return false;
    for (uint64_t k = 0; k < m->A->nminor; k++) next[frequency(m, k)]++;
    const uint32_t least = number_heavy(m, next, most);
    m->form->view.heavy.blocks = (uint32_t)((m->heavy + GB_BITS_BLOCK - 1) / GB_BITS_BLOCK);
    number_all(m, next, least);
    gb_free(next, bytes);
    return true;
}

/* Whether they save a product anything. */
static bool pays(const gb_HeavyMaking *m, const gb_HeavyUse *use) {
    const double traversed = (double)use->others * m->tail_squares / (double)m->A->nvals;
    const double steps = GB_HEAVY_TAIL * traversed + GB_HEAVY_STEPS * (double)use->mask;
    return m->heavy > 0 && steps < (double)use->steps;
}

/* -- rows -------------------------------------------------------------------------------------- */

static void size_part(void *context, int t) {
    const gb_HeavyMaking *m = context;
    const gb_CsView *A = m->A;
    const uint32_t end = m->form->view.heavy.blocks * GB_BITS_BLOCK;
    const uint64_t to = first_row(m, t + 1);
    for (uint64_t j = first_row(m, t); j < to; j++) {
        uint32_t entries = 0, last = 0;
        for (gb_Off q = A->p[j]; q < A->p[j + 1]; q++) {
            const uint32_t c = m->place[A->i[q]];
            if (c >= end) continue;
            entries++;
            last = c > last ? c : last;
        }
        const uint32_t blocks = last / GB_BITS_BLOCK + 1;
        const bool by_bits = entries >= GB_HEAVY_LIST * blocks;
        m->row[j] = (gb_HeavyRow){.blocks = (uint16_t)(by_bits ? blocks : 0),
                                  .entries = (uint16_t)(by_bits ? 0 : entries)};
    }
}

/* Bits first, so that all are on lines of the cache; then lists. */
static void locate_heavy_rows(gb_HeavyMaking *m) {
    gb_HeavyRows *view = &m->form->view.heavy;
    for (uint64_t j = 0; j < m->A->nmajor; j++) {
        m->row[j].at = (uint32_t)m->words;
        m->words += (uint64_t)m->row[j].blocks * LINE_WORDS;
        view->bit_rows += m->row[j].blocks > 0;
    }
    for (uint64_t j = 0; j < m->A->nmajor; j++) {
        if (m->row[j].blocks > 0) continue;
        m->row[j].at = (uint32_t)m->words;
        m->words += m->row[j].entries;
    }
}

static void fill_part(void *context, int t) {
    const gb_HeavyMaking *m = context;
    const gb_CsView *A = m->A;
    const uint32_t end = m->form->view.heavy.blocks * GB_BITS_BLOCK;
    const uint64_t to = first_row(m, t + 1);
    uint32_t *next = m->count + (uint64_t)t * A->nminor;
    for (uint64_t j = first_row(m, t); j < to; j++) {
        const gb_HeavyRow row = m->row[j];
        uint32_t *list = m->content + row.at;
        uint64_t *bits = (uint64_t *)(void *)list;
        if (row.blocks > 0) memset(bits, 0, (size_t)row.blocks * LINE);
        for (gb_Off q = A->p[j]; q < A->p[j + 1]; q++) {
            const uint32_t k = A->i[q], c = m->place[k];
            if (c >= end)
                m->tail[next[k]++] = (uint32_t)j;
            else if (row.blocks > 0)
                bits[c / 64] |= (uint64_t)1 << c % 64;
            else
                *list++ = c;
        }
    }
}

/* -- all --------------------------------------------------------------------------------------- */

/* rows, place, tail_p in one block; false without memory. */
static bool reserve_index(gb_HeavyMaking *m) {
    gb_Block *index = &m->form->block[0];
    const uint64_t rows = m->A->nmajor, inner = m->A->nminor;
    index->bytes = rows * sizeof *m->row + (2 * inner + 1) * sizeof(uint32_t);
    m->row = index->at = gb_malloc(index->bytes);
    if (m->row == NULL) return false;
    m->place = (uint32_t *)(m->row + rows);
    m->tail_p = m->place + inner;
    return true;
}

static bool reserve_content(gb_HeavyMaking *m) {
    gb_Block *memory = &m->form->block[1];
    memory->bytes = LINE + (m->words + m->tail_entries + TAIL_PAD) * sizeof(uint32_t);
    memory->at = gb_malloc(memory->bytes);
    if (memory->at == NULL) return false;
    m->content = on_line(memory->at);
    m->tail = m->content + m->words;
    return true;
}

static bool make_parts(gb_HeavyMaking *m, const gb_HeavyUse *use) {
    gb_count_minors(m->A, m->parts, m->count);
    if (!find_heavy(m) || !pays(m, use)) return false;
    gb_parallel(m->parts, size_part, m);
    locate_heavy_rows(m);
    if (!reserve_content(m)) return false;
    gb_parallel(m->parts, fill_part, m);
    return true;
}

/* Offsets are 32 bits wide, and nothing may be longer than the entries. */
static bool is_in_range(const gb_CsView *A) {
    const uint64_t most = A->nmajor > A->nminor ? A->nmajor : A->nminor;
    return A->nvals < UINT32_MAX / 8 && most < INT32_MAX && most <= A->nvals;
}

typedef struct {
    const gb_CsView *A;
    const gb_HeavyUse *use;
} gb_HeavyRequest;

static void make_heavy(gb_Derived *form, const void *context) {
    const gb_CsView *A = ((const gb_HeavyRequest *)context)->A;
    const gb_HeavyUse *use = ((const gb_HeavyRequest *)context)->use;
    int parts = gb_threads_for(A->nvals, GB_GRAIN, gb_nthreads());
    if (parts > GB_HEAVY_PARTS) parts = GB_HEAVY_PARTS;
    gb_HeavyMaking m = {.A = A, .parts = parts, .form = form};
    const size_t bytes = (size_t)parts * A->nminor * sizeof *m.count;
    m.count = gb_malloc(bytes);
    form->made = m.count != NULL && reserve_index(&m) && make_parts(&m, use);
    if (form->made) {
        gb_HeavyRows *view = &form->view.heavy;
        view->row = m.row;
        view->place = m.place;
        view->content = m.content;
        view->tail_p = m.tail_p;
        view->tail = m.tail;
    } else {
        gb_free_all(form->block, 2);
        form->block[0] = form->block[1] = (gb_Block){0};
        form->view.heavy = (gb_HeavyRows){0};
        /* rows are skewed, but this product saves nothing: another may, once credit adds up anew */
        form->rejected = m.heavy == 0 || pays(&m, use);
        form->credit = 0.0;
    }
    gb_free(m.count, bytes);
}

gb_HeavyRows gb_heavy_get(gb_Matrix *A, gb_Format format, const gb_HeavyUse *use) {
    gb_CsView view;
    if (gb_acquire(A, format, &view) != GBL_SUCCESS) return (gb_HeavyRows){0};
    const uint64_t with = GB_HEAVY_STEPS * use->mask;
    const double cost = (double)GB_HEAVY_WORTH * (double)view.nvals;
    const gb_DerivedRequest request = {.key = {GB_DERIVED_HEAVY, format, 0},
                                       .credit =
                                           use->steps > with ? (double)(use->steps - with) : 0.0,
                                       .cost = is_in_range(&view) ? cost : INFINITY,
                                       .make = make_heavy,
                                       .context = &(gb_HeavyRequest){&view, use}};
    return gb_derived_get(A, &request).view.heavy;
}
