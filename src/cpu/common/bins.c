/* SPDX-License-Identifier: Apache-2.0
 *
 * Planning an outer product; see bins.h.
 */
#include "cpu/common/bins.h"

#include "core/arrays.h"
#include "core/hardware.h"

enum { BLOCKS = 256 }; /* of A's columns, whose work is summed apart */

void gb_bins_free(gb_Bins *b) {
    const uint64_t n = b->chunks.n;
    const uint64_t m = b->chunks.row != NULL ? b->chunks.row[n] : 0;
    gb_free(b->range, n * sizeof *b->range);
    gb_free(b->first, ((m >> b->row_shift) + 2) * sizeof *b->first);
    gb_free(b->column, ((uint64_t)b->parts + 1) * sizeof *b->column);
    gb_free(b->bytes, (uint64_t)b->parts * n * sizeof *b->bytes);
    gb_free(b->start, (uint64_t)b->parts * n * sizeof *b->start);
    gb_free(b->slice, (n + 1) * sizeof *b->slice);
    gb_chunks_free(&b->chunks);
    *b = (gb_Bins){0};
}

/* -- bins -------------------------------------------------------------------------------------- */

static void put_bin(gb_Bins *b, uint64_t bin, uint64_t row, uint32_t range, uint64_t capacity) {
    b->chunks.row[bin] = row;
    b->chunks.capacity[bin] = capacity;
    b->range[bin] = range;
}

/* Cuts the rows into bins and counts them; writes them down once there are arrays. */
static uint64_t cut_rows(gb_Bins *b, const gb_MxmArgs *g, uint64_t most) {
    const bool write = b->range != NULL;
    const uint64_t width = (uint64_t)1 << b->column_shift;
    uint64_t bin = 0, i = 0;
    while (i < g->A.nminor) {
        /* the first row behind i such that rows [i, end) have at most `most` products; i when row i
         * alone has more */
        const uint64_t rows = g->A.nminor - i;
        const uint64_t last = i + (rows < GB_BIN_ROWS ? rows : GB_BIN_ROWS);
        const uint64_t end = GB_FIRST(k, i, last, g->flops[k + 1] - g->flops[i] > most);
        const uint64_t capacity = g->flops[end] - g->flops[i];
        if (end > i) {
            if (write) put_bin(b, bin, i, 0, capacity);
            if (capacity > b->most_products) b->most_products = capacity;
            bin++;
            i = end;
            continue;
        }
        for (uint64_t from = 0; from < g->B.nminor; from += width, bin++) {
            const uint64_t here = g->B.nminor - from < width ? g->B.nminor - from : width;
            if (write) put_bin(b, bin, i + (from > 0), (uint32_t)(from / width) + 1, here);
        }
        i++;
    }
    if (write) b->chunks.row[bin] = i;
    return bin;
}

static gbl_Info make_bins(gb_Bins *b, const gb_MxmArgs *g) {
    const uint64_t cache = gb_cache_bytes();
    const uint64_t bytes = g->bin_bytes > 0 ? g->bin_bytes : cache / GB_BIN_SHARE;
    const uint64_t most = bytes / (sizeof(gb_Idx) + g->args.zsize) + 1;
    while (b->column_shift < 31 &&
           (((g->args.zsize + 1) << (b->column_shift + 1)) <= cache / GB_RANGE_SHARE ||
            g->B.nminor >> b->column_shift >= GB_RANGES_MOST))
        b->column_shift++;
    const uint64_t n = cut_rows(b, g, most);
    if (n >= UINT32_MAX) return gb_fail_memory(SIZE_MAX);
    const gbl_Info info = gb_chunks_new(&b->chunks, n);
    if (info != GBL_SUCCESS) return info;
    b->chunks.row[n] = 0; /* until it is known */
    b->range = gb_malloc(n * sizeof *b->range);
    if (b->range == NULL) return gb_fail_memory(n * sizeof *b->range);
    cut_rows(b, g, most);
    return GBL_SUCCESS;
}

/* A table of about eight times as many blocks as bins: few blocks then have a border inside, and
 * the table stays in the second cache. */
static gbl_Info make_lookup(gb_Bins *b) {
    const uint64_t n = b->chunks.n, m = b->chunks.row[n];
    while (m >> b->row_shift > 8 * n) b->row_shift++;
    const uint64_t blocks = (m >> b->row_shift) + 1;
    b->first = gb_malloc((blocks + 1) * sizeof *b->first);
    if (b->first == NULL) return gb_fail_memory((blocks + 1) * sizeof *b->first);
    uint64_t bin = 0;
    for (uint64_t k = 0; k <= blocks; k++) {
        while (bin + 1 < n && b->chunks.row[bin + 1] <= k << b->row_shift) bin++;
        b->first[k] = (uint32_t)bin;
    }
    return GBL_SUCCESS;
}

/* -- parts ------------------------------------------------------------------------------------- */

/* Work of column k of A: its products, and something per entry. */
static inline uint64_t column_work(const gb_MxmArgs *g, uint64_t k) {
    return (g->A.p[k + 1] - g->A.p[k]) * (g->B.p[k + 1] - g->B.p[k] + 1) + 1;
}

typedef struct {
    const gb_MxmArgs *g;
    uint64_t before[BLOCKS + 1]; /* [t + 1]: work of block t of the columns; then up to its end */
} Work;

static void add_block(void *context, uint64_t t) {
    Work *w = context;
    const uint64_t columns = w->g->A.nmajor, end = gb_part(columns, t + 1, BLOCKS);
    uint64_t work = 0;
    for (uint64_t k = gb_part(columns, t, BLOCKS); k < end; k++) work += column_work(w->g, k);
    w->before[t + 1] = work;
}

static gbl_Info make_parts(gb_Bins *b, const gb_MxmArgs *g) {
    const uint64_t columns = g->A.nmajor, parts = (uint64_t)b->parts;
    Work w = {.g = g};
    uint64_t *before = w.before;
    b->column = gb_malloc((parts + 1) * sizeof *b->column);
    if (b->column == NULL) return gb_fail_memory((parts + 1) * sizeof *b->column);
    gb_parallel_for(gb_threads_for(columns, GB_GRAIN, g->nthreads), BLOCKS, add_block, &w);
    for (unsigned t = 0; t < BLOCKS; t++) before[t + 1] += before[t];
    unsigned block = 0;
    for (uint64_t t = 0; t < parts; t++) {
        const uint64_t target = gb_part(before[BLOCKS], t, parts);
        while (before[block + 1] < target) block++;
        uint64_t work = before[block], k = gb_part(columns, block, BLOCKS);
        for (; work < target; k++) work += column_work(g, k);
        b->column[t] = k;
    }
    b->column[parts] = columns;
    return GBL_SUCCESS;
}

/* The packets of one entry of A in a heavy row: one at least for each range that B's row meets. */
static void count_ranges(const gb_Bins *b, const gb_MxmArgs *g, uint64_t k, uint64_t *bytes) {
    for (gb_Off q = g->B.p[k], end = g->B.p[k + 1]; q < end;) {
        const gb_Off piece = end - q < b->shape.most ? end : q + b->shape.most;
        while (q < piece) {
            const gb_Off to = gb_range_end(g->B.i, q, piece, b->column_shift);
            bytes[g->B.i[q] >> b->column_shift] +=
                gb_packet_bytes(b->shape.value, (unsigned)(to - q));
            q = to;
        }
    }
}

static void count_part(gb_Bins *b, const gb_MxmArgs *g, int t) {
    uint64_t *bytes = b->bytes + (uint64_t)t * b->chunks.n;
    for (uint64_t k = b->column[t]; k < b->column[t + 1]; k++) {
        const uint64_t whole = gb_packets_bytes(&b->shape, g->B.p[k + 1] - g->B.p[k]);
        if (whole == 0) continue;
        for (gb_Off p = g->A.p[k]; p < g->A.p[k + 1]; p++) {
            const uint64_t i = g->A.i[p];
            const uint64_t bin = gb_bin_of(b, i);
            if (b->range[bin] == 0)
                bytes[bin] += whole;
            else
                count_ranges(b, g, k, bytes + bin);
        }
    }
}

typedef struct {
    gb_Bins *b;
    const gb_MxmArgs *g;
} Counting;

static void run_count(void *context, uint64_t part) {
    const Counting *c = context;
    count_part(c->b, c->g, (int)part);
}

static gbl_Info count_packets(gb_Bins *b, const gb_MxmArgs *g) {
    size_t bytes;
    if (!gb_size_mul(&bytes, (uint64_t)b->parts * b->chunks.n, sizeof *b->bytes))
        return gb_fail_memory(SIZE_MAX);
    b->bytes = gb_calloc(bytes);
    b->start = gb_malloc(bytes);
    if (b->bytes == NULL || b->start == NULL) return gb_fail_memory(2 * bytes);
    gb_parallel_for(g->nthreads, (uint64_t)b->parts, run_count, &(Counting){b, g});
    return GBL_SUCCESS;
}

/* -- slices ------------------------------------------------------------------------------------ */

/* A bin of a heavy row has no more entries than products, whatever its columns allow. */
static void limit_room(gb_Bins *b, uint64_t bin) {
    uint64_t bytes = 0;
    for (uint64_t t = 0; t < (uint64_t)b->parts; t++) bytes += b->bytes[t * b->chunks.n + bin];
    const uint64_t most = bytes / (sizeof(gb_Idx) + b->shape.value);
    if (most < b->chunks.capacity[bin]) b->chunks.capacity[bin] = most;
}

/* Places the packets of a bin from `at` on; returns where they end. */
static uint64_t place_bin(gb_Bins *b, uint64_t bin, uint64_t at) {
    for (uint64_t t = 0; t < (uint64_t)b->parts; t++) {
        b->start[t * b->chunks.n + bin] = at;
        at += (b->bytes[t * b->chunks.n + bin] + GB_LINE - 1) & ~(uint64_t)(GB_LINE - 1);
    }
    return at;
}

static gbl_Info make_slices(gb_Bins *b, const gb_MxmArgs *g) {
    const uint64_t n = b->chunks.n;
    const uint64_t local = gb_cache_bytes() * GB_LOCAL_CACHES / b->shape.stride + 1;
    const double work = (double)g->allow.work;
    double waiting = 0.0; /* bytes of the slice's buffers */
    uint64_t at = 0;
    b->slice = gb_malloc((n + 1) * sizeof *b->slice);
    if (b->slice == NULL) return gb_fail_memory((n + 1) * sizeof *b->slice);
    b->slice[0] = 0;
    b->slices = 1;
    for (uint64_t bin = 0; bin < n; bin++) {
        uint64_t end = place_bin(b, bin, at);
        b->total += end - at;
        if (b->range[bin] > 0)
            limit_room(b, bin);
        else if (end - at > b->most_bytes)
            b->most_bytes = end - at;
        const uint64_t from = b->slice[b->slices - 1];
        const double buffer = gb_buffer_bytes(b->chunks.capacity[bin], g->args.zsize);
        waiting += buffer;
        if (bin > from && (end > g->allow.packets || waiting > work || bin - from == local)) {
            b->slice[b->slices++] = bin;
            end = place_bin(b, bin, 0);
            waiting = buffer;
        }
        at = end;
        b->slice[b->slices] = bin + 1;
        if (bin + 1 - b->slice[b->slices - 1] > b->most_bins)
            b->most_bins = bin + 1 - b->slice[b->slices - 1];
        if (at > b->most) b->most = at;
    }
    return GBL_SUCCESS;
}

gbl_Info gb_bins_new(gb_Bins *b, const gb_MxmArgs *g, size_t value) {
    const unsigned lines = g->bin_lines > 0 ? g->bin_lines : GB_LOCAL_LINES;
    *b = (gb_Bins){.shape = gb_packet_shape(value, lines), .parts = g->nthreads * (int)GB_PARTS};
    gbl_Info info = make_bins(b, g);
    if (info == GBL_SUCCESS) info = make_lookup(b);
    if (info == GBL_SUCCESS) info = make_parts(b, g);
    if (info == GBL_SUCCESS) info = count_packets(b, g);
    if (info == GBL_SUCCESS) info = make_slices(b, g);
    if (info != GBL_SUCCESS) gb_bins_free(b);
    return info;
}
