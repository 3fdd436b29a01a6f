/* SPDX-License-Identifier: Apache-2.0
 *
 * See bits.h. One block of memory has the bits, on a line of the cache, then the rows, then slots.
 */
#include "matrix/bits.h"

#include "core/context.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "matrix/need.h"

enum { LINE = 64 };

bool gb_bits_suit(const gb_Idx *i, uint64_t entries, uint32_t *blocks) {
    if (entries < GB_BITS_LEAST) return false;
    *blocks = i[entries - 1] / GB_BITS_BLOCK - i[0] / GB_BITS_BLOCK + 1;
    return (uint64_t)*blocks * GB_BITS_BLOCK <= entries * GB_BITS_SPAN;
}

/* Rows that suit, and blocks of all of them. */
static void count_rows(const gb_CsView *A, uint64_t *rows, uint64_t *blocks) {
    *rows = *blocks = 0;
    for (uint64_t j = 0; j < A->nmajor; j++) {
        uint32_t span;
        if (!gb_bits_suit(A->i + A->p[j], A->p[j + 1] - A->p[j], &span)) continue;
        *rows += 1;
        *blocks += span;
    }
}

static void place_rows(const gb_CsView *A, uint32_t *slot, gb_BitRow *row) {
    uint64_t n = 0, at = 0;
    for (uint64_t j = 0; j < A->nmajor; j++) {
        uint32_t span;
        slot[j] = 0;
        if (!gb_bits_suit(A->i + A->p[j], A->p[j + 1] - A->p[j], &span)) continue;
        row[n++] = (gb_BitRow){.at = at, .block = A->i[A->p[j]] / GB_BITS_BLOCK, .blocks = span};
        slot[j] = (uint32_t)n;
        at += span;
    }
}

static void set_bits(const gb_CsView *A, uint64_t j, const gb_BitRow *row, uint64_t *bits) {
    uint64_t *words = bits + row->at * GB_BITS_WORDS;
    const uint64_t first = (uint64_t)row->block * GB_BITS_BLOCK;
    for (uint64_t w = 0; w < (uint64_t)row->blocks * GB_BITS_WORDS; w++) words[w] = 0;
    for (gb_Off q = A->p[j]; q < A->p[j + 1]; q++) {
        const uint64_t c = A->i[q] - first;
        words[c / 64] |= (uint64_t)1 << c % 64;
    }
}

typedef struct {
    const gb_CsView *A;
    const uint32_t *slot; /* [rows of A] */
    const gb_BitRow *row;
    uint64_t *bits;
} gb_Setting;

static void set_rows(void *context, uint64_t from, uint64_t to) {
    const gb_Setting *s = context;
    for (uint64_t j = from; j < to; j++)
        if (s->slot[j] > 0) set_bits(s->A, j, &s->row[s->slot[j] - 1], s->bits);
}

/* Without memory there are none. */
static void make(gb_BitCache *cache, const gb_CsView *A) {
    uint64_t rows, blocks;
    size_t wide, rest;
    count_rows(A, &rows, &blocks);
    cache->known = true;
    if (rows == 0 || rows > UINT32_MAX) return;
    if (!gb_size_mul(&wide, blocks, LINE) || !gb_size_mul(&rest, A->nmajor, sizeof(uint32_t)))
        return;
    const size_t bytes = LINE + wide + rows * sizeof(gb_BitRow) + rest;
    if (bytes < wide) return;
    void *memory = gb_malloc(bytes);
    if (memory == NULL) return;
    uint64_t *bits = (uint64_t *)(((uintptr_t)memory + LINE - 1) / LINE * LINE);
    gb_BitRow *row = (gb_BitRow *)((char *)bits + wide);
    uint32_t *slot = (uint32_t *)(row + rows);
    place_rows(A, slot, row);
    gb_parallel_ranges(gb_threads_for(blocks * GB_BITS_WORDS, GB_GRAIN, gb_nthreads()), A->nmajor,
                       set_rows, &(gb_Setting){A, slot, row, bits});
    cache->memory = memory;
    cache->bytes = bytes;
    cache->view = (gb_BitRows){.rows = rows, .slot = slot, .row = row, .bits = bits};
}

gb_RowCaches *gb_row_caches(gb_Matrix *A, gb_Format format) {
    if (A->rows[format] == NULL) A->rows[format] = gb_calloc(sizeof *A->rows[format]);
    return A->rows[format];
}

gb_BitRows gb_bits_get(gb_Matrix *A, gb_Format format, uint64_t spared) {
    gb_BitRows found = {0};
    gb_CsView view;
    if (gb_need(A, format, &view) != GBL_SUCCESS || !view.sorted) return found;
    pthread_mutex_lock(&A->lock);
    gb_RowCaches *rows = gb_row_caches(A, format);
    if (rows != NULL) {
        gb_BitCache *cache = &rows->bits;
        cache->demand += spared;
        if (!cache->known && cache->demand >= view.nvals && view.nvals > 0) make(cache, &view);
        found = cache->view;
    }
    pthread_mutex_unlock(&A->lock);
    return found;
}
