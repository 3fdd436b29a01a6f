/* SPDX-License-Identifier: Apache-2.0
 *
 * See hubs.h. Rows are cut into as many parts as there are threads. Each part counts how often its
 * rows have each inner index; the counts tell which are hubs, and where the part's share of each
 * tail begins, so that parts fill their rows and their shares of tails side by side.
 */
#include "matrix/heavy_rows.h"

#include <math.h>
#include <string.h>

#include "core/context.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/search.h"
#include "core/tune.h"
#include "matrix/bits.h"
#include "matrix/acquire.h"

enum { LINE = 64, LINE_WORDS = LINE / sizeof(uint32_t), TAIL_PAD = 16 };

typedef struct {
    const gb_CsView *A;
    int parts;
    uint32_t
        *count; /* [parts * inner indices] by each part; then where its shares of tails begin */
    uint64_t hubs, tails, tail_entries;
    double tail_squares; /* sum of the squares of the frequencies of what is no hub */
    gb_HeavyCache *cache;
    uint32_t *place, *tail_p, *tail, *content;
    gb_HeavyRow *row;
    uint64_t words; /* of content */
} gb_HeavyMaking;

/* Where the rows of part t begin. */
static uint64_t first_row(const gb_HeavyMaking *m, int t) {
    return gb_first_row(m->A, (uint64_t)t, (uint64_t)m->parts);
}

/* -- which are hubs ---------------------------------------------------------------------------- */

static void count_part(void *context, int t) {
    const gb_HeavyMaking *m = context;
    const gb_CsView *A = m->A;
    uint32_t *count = m->count + (uint64_t)t * A->nminor;
    memset(count, 0, A->nminor * sizeof *count);
    const gb_Off end = A->p[first_row(m, t + 1)];
    for (gb_Off q = A->p[first_row(m, t)]; q < end; q++) count[A->i[q]]++;
}

static uint32_t frequency(const gb_HeavyMaking *m, uint64_t k) {
    uint32_t sum = 0;
    for (int t = 0; t < m->parts; t++) sum += m->count[(uint64_t)t * m->A->nminor + k];
    return sum;
}

/* next[f] = the number of the first hub of frequency f, for f >= the least of a hub, which is
 * returned; m->hubs of them. next[0 .. most] are the inner indices of each frequency before. */
static uint32_t number_hubs(gb_HeavyMaking *m, uint32_t *next, uint32_t most) {
    const double entries = (double)m->A->nvals, mean = entries / (double)m->A->nminor;
    const double root = sqrt(entries) / GB_HEAVY_SHARE;
    const double least = fmax(root, fmin(2.0 * root, GB_HEAVY_SKEW * mean));
    uint32_t f = most + 1;
    while (f > 1 && (double)(f - 1) >= least && m->hubs + next[f - 1] <= GB_HEAVY_MOST) {
        const uint32_t here = next[--f];
        next[f] = (uint32_t)m->hubs;
        m->hubs += here;
    }
    return f;
}

/* place and tail_p; counts become the beginnings of the parts' shares of tails. */
static void place_all(gb_HeavyMaking *m, uint32_t *next, uint32_t least) {
    const uint64_t inner = m->A->nminor;
    const uint32_t base = m->cache->view.blocks * GB_BITS_BLOCK;
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
static bool find_hubs(gb_HeavyMaking *m) {
    uint32_t most = 0;
    for (uint64_t k = 0; k < m->A->nminor; k++) {
        const uint32_t f = frequency(m, k);
        if (f > most) most = f;
    }
    const size_t bytes = ((size_t)most + 2) * sizeof(uint32_t);
    uint32_t *next = gb_calloc(bytes);
    if (next == NULL) return false;
    for (uint64_t k = 0; k < m->A->nminor; k++) next[frequency(m, k)]++;
    const uint32_t least = number_hubs(m, next, most);
    m->cache->view.blocks = (uint32_t)((m->hubs + GB_BITS_BLOCK - 1) / GB_BITS_BLOCK);
    place_all(m, next, least);
    gb_free(next, bytes);
    return true;
}

/* Whether a product is spared something with them. */
static bool pays(const gb_HeavyMaking *m, const gb_HeavyUse *use) {
    const double walked = (double)use->others * m->tail_squares / (double)m->A->nvals;
    const double steps = GB_HEAVY_TAIL * walked + GB_HEAVY_STEPS * (double)use->mask;
    return m->hubs > 0 && steps < (double)use->steps;
}

/* -- rows -------------------------------------------------------------------------------------- */

static void size_part(void *context, int t) {
    const gb_HeavyMaking *m = context;
    const gb_CsView *A = m->A;
    const uint32_t end = m->cache->view.blocks * GB_BITS_BLOCK;
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
static void place_rows(gb_HeavyMaking *m) {
    gb_HeavyRows *hubs = &m->cache->view;
    for (uint64_t j = 0; j < m->A->nmajor; j++) {
        m->row[j].at = (uint32_t)m->words;
        m->words += (uint64_t)m->row[j].blocks * LINE_WORDS;
        hubs->bit_rows += m->row[j].blocks > 0;
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
    const uint32_t end = m->cache->view.blocks * GB_BITS_BLOCK;
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
    gb_HeavyCache *cache = m->cache;
    const uint64_t rows = m->A->nmajor, inner = m->A->nminor;
    cache->index_bytes = rows * sizeof *m->row + (2 * inner + 1) * sizeof(uint32_t);
    cache->index = gb_malloc(cache->index_bytes);
    if (cache->index == NULL) return false;
    m->row = cache->index;
    m->place = (uint32_t *)(m->row + rows);
    m->tail_p = m->place + inner;
    return true;
}

static bool reserve_content(gb_HeavyMaking *m) {
    gb_HeavyCache *cache = m->cache;
    cache->bytes = LINE + (m->words + m->tail_entries + TAIL_PAD) * sizeof(uint32_t);
    cache->memory = gb_malloc(cache->bytes);
    if (cache->memory == NULL) return false;
    m->content = (uint32_t *)(((uintptr_t)cache->memory + LINE - 1) / LINE * LINE);
    m->tail = m->content + m->words;
    return true;
}

static bool make_parts(gb_HeavyMaking *m, const gb_HeavyUse *use) {
    gb_parallel(m->parts, count_part, m);
    if (!find_hubs(m) || !pays(m, use)) return false;
    gb_parallel(m->parts, size_part, m);
    place_rows(m);
    if (!reserve_content(m)) return false;
    gb_parallel(m->parts, fill_part, m);
    return true;
}

/* Offsets are 32 bits wide, and nothing may be longer than the entries. */
static bool is_in_range(const gb_CsView *A) {
    const uint64_t most = A->nmajor > A->nminor ? A->nmajor : A->nminor;
    return A->nvals < UINT32_MAX / 8 && most < INT32_MAX && most <= A->nvals;
}

static void make(gb_HeavyCache *cache, const gb_CsView *A, const gb_HeavyUse *use) {
    int parts = gb_threads_for(A->nvals, GB_GRAIN, gb_nthreads());
    if (parts > GB_HEAVY_PARTS) parts = GB_HEAVY_PARTS;
    gb_HeavyMaking m = {.A = A, .parts = parts, .cache = cache};
    const size_t bytes = (size_t)parts * A->nminor * sizeof *m.count;
    m.count = gb_malloc(bytes);
    cache->known = true;
    if (m.count != NULL && reserve_index(&m) && make_parts(&m, use)) {
        cache->view.row = m.row;
        cache->view.place = m.place;
        cache->view.content = m.content;
        cache->view.tail_p = m.tail_p;
        cache->view.tail = m.tail;
    } else {
        gb_free(cache->index, cache->index_bytes);
        gb_free(cache->memory, cache->bytes);
        /* there are hubs, but not for such a product: others are asked again, once they add up */
        *cache = (gb_HeavyCache){.known = m.hubs == 0 || pays(&m, use)};
    }
    gb_free(m.count, bytes);
}

gb_HeavyRows gb_heavy_get(gb_Matrix *A, gb_Format format, const gb_HeavyUse *use) {
    gb_HeavyRows found = {0};
    gb_CsView view;
    if (gb_acquire(A, format, &view) != GBL_SUCCESS) return found;
    const uint64_t with = GB_HEAVY_STEPS * use->mask;
    pthread_mutex_lock(&A->lock);
    gb_RowCaches *rows = gb_row_caches(A, format);
    if (rows != NULL) {
        gb_HeavyCache *cache = &rows->hubs;
        cache->demand += use->steps > with ? use->steps - with : 0;
        if (!cache->known && cache->demand / GB_HEAVY_WORTH >= view.nvals && is_in_range(&view))
            make(cache, &view, use);
        found = cache->view;
    }
    pthread_mutex_unlock(&A->lock);
    return found;
}
