/* SPDX-License-Identifier: Apache-2.0
 *
 * See bits.h.
 */
#include "matrix/bits.h"

#include "core/context.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "matrix/acquire.h"

enum { LINE = 64 };

bool gb_bits_suit(const gb_Idx *i, uint64_t entries, uint32_t *blocks) {
    if (entries < GB_BITS_LEAST) return false;
    *blocks = i[entries - 1] / GB_BITS_BLOCK - i[0] / GB_BITS_BLOCK + 1;
    return (uint64_t)*blocks * GB_BITS_BLOCK <= entries * GB_BITS_SPAN;
}

/* Where rows that suit are to be; blocks of all of them. */
static uint64_t place_rows(const gb_CsView *A, gb_BitRow *row, gb_BitRows *view) {
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

static void set_bits(const gb_CsView *A, uint64_t j, const gb_BitRow *row, uint64_t *bits) {
    uint64_t *words = bits + (uint64_t)row->at * GB_BITS_WORDS;
    const uint64_t first = (uint64_t)row->block * GB_BITS_BLOCK;
    for (uint64_t w = 0; w < (uint64_t)row->blocks * GB_BITS_WORDS; w++) words[w] = 0;
    for (gb_Off q = A->p[j]; q < A->p[j + 1]; q++) {
        const uint64_t c = A->i[q] - first;
        words[c / 64] |= (uint64_t)1 << c % 64;
    }
}

typedef struct {
    const gb_CsView *A;
    const gb_BitRow *row; /* [rows of A] */
    uint64_t *bits;
} gb_Setting;

static void set_rows(void *context, uint64_t from, uint64_t to) {
    const gb_Setting *s = context;
    for (uint64_t j = from; j < to; j++)
        if (s->row[j].blocks > 0) set_bits(s->A, j, &s->row[j], s->bits);
}

/* Without memory there are none, and where entries are few beside rows. */
static void make(gb_BitCache *cache, const gb_CsView *A) {
    gb_BitRows view = {0};
    size_t row_bytes, bytes;
    cache->known = true;
    if (A->nmajor / GB_FEW > A->nvals) return;
    if (!gb_size_mul(&row_bytes, A->nmajor, sizeof(gb_BitRow))) return;
    gb_BitRow *row = gb_malloc(row_bytes);
    if (row == NULL) return;
    const uint64_t blocks = place_rows(A, row, &view);
    uint64_t *memory = NULL;
    if (blocks > 0 && blocks <= UINT32_MAX && gb_size_mul(&bytes, blocks + 1, LINE))
        memory = gb_malloc(bytes);
    if (memory == NULL) {
        gb_free(row, row_bytes);
        return;
    }
    uint64_t *bits = (uint64_t *)(((uintptr_t)memory + LINE - 1) / LINE * LINE);
    gb_parallel_ranges(gb_threads_for(blocks * GB_BITS_WORDS, GB_GRAIN, gb_nthreads()), A->nmajor,
                       set_rows, &(gb_Setting){A, row, bits});
    view.row = row;
    view.bits = bits;
    *cache = (gb_BitCache){.known = true,
                           .demand = cache->demand,
                           .view = view,
                           .rows = row,
                           .row_bytes = row_bytes,
                           .memory = memory,
                           .bytes = bytes};
}

gb_RowCaches *gb_row_caches(gb_Matrix *A, gb_Format format) {
    if (A->rows[format] == NULL) A->rows[format] = gb_calloc(sizeof *A->rows[format]);
    return A->rows[format];
}

gb_BitRows gb_bits_get(gb_Matrix *A, gb_Format format, uint64_t spared) {
    gb_BitRows found = {0};
    gb_CsView view;
    if (gb_acquire(A, format, &view) != GBL_SUCCESS || !view.sorted) return found;
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
