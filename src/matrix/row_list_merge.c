/* SPDX-License-Identifier: Apache-2.0
 *
 * The axis of lists of indices and the place of each. The indices are scattered by their upper bits
 * into buckets that fit in the cache; a bucket is sorted in words of 64 bits, what the bucket
 * leaves open of an index above its number in the bucket, and the ranks go to these numbers. The
 * places are then read in the order in which the indices were scattered: as many streams as there
 * are buckets, and no place is looked for. 20 bytes and four passes an index.
 */
#include <string.h>

#include "core/context.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/tune.h"
#include "matrix/row_list.h"
#include "matrix/radix.h"

/* A split aims at buckets of BUCKET indices, of which 2^10 for 2 * 10^7 are an eighth faster than
 * 2^11: the streams then fill a sixteenth of a second-level cache of 1 MiB, and a bucket in words
 * and its copy half of it. One thread sorts LARGE at most, whose numbers in the bucket and 60 bits
 * without WIDTH have room in 64. SPREAD: counters of 16 bits that fill a first-level cache; CROWD:
 * words of a counter that are still sorted by insertion. AHEAD: places of the next line. */
#ifdef GB_TINY
enum { BUCKET = 4, LARGE = 16, WIDTH = 3, DIGIT = 2, SPREAD = 3, CROWD = 2 };
#else
enum { BUCKET = 32768, LARGE = 65535, WIDTH = 12, DIGIT = 10, SPREAD = 14, CROWD = 24 };
#endif
enum { INDEX_BITS = 60, AHEAD = 16 };

typedef struct {
    const gb_RowListMerge *lists;
    uint64_t n, nbuckets, nparts;
    int shift;        /* bits of an index that its bucket leaves open */
    uint64_t *at;     /* [nparts * nbuckets] indices of each part; then where its first goes */
    uint64_t *start;  /* [nbuckets + 1] of each bucket in `index` */
    uint64_t *before; /* [nbuckets + 1] distinct indices of each bucket; then of those before it */
    uint64_t *index; /* [n] by bucket; later the distinct ones of a bucket, ascending, come first */
    gb_Idx *rank;    /* [n] of each in its bucket, as they were scattered */
    uint64_t *scratch; /* [LARGE] for each thread */
} Ranks;

/* The indices from number `first` on, before `end`, that stand in one list. */
static const uint64_t *run_of(const Ranks *r, uint64_t first, uint64_t *end, gb_Idx **places) {
    const uint64_t n = r->lists->n[0];
    const int list = first >= n;
    const uint64_t skip = list == 0 ? first : first - n;
    if (list == 0 && *end > n) *end = n;
    *places = r->lists->places[list] == NULL ? NULL : r->lists->places[list] + skip;
    return r->lists->list[list] + skip;
}

static inline uint64_t bucket_of(const Ranks *r, uint64_t index) {
    return (index >> r->shift) & (r->nbuckets - 1);
}

static void count_part(void *context, uint64_t t) {
    const Ranks *r = context;
    uint64_t *at = r->at + t * r->nbuckets, end;
    const uint64_t last = gb_part(r->n, t + 1, r->nparts);
    gb_Idx *places;
    memset(at, 0, r->nbuckets * sizeof *at);
    for (uint64_t first = gb_part(r->n, t, r->nparts); first < last; first = end) {
        end = last;
        const uint64_t *list = run_of(r, first, &end, &places);
        for (uint64_t k = 0; k < end - first; k++) at[bucket_of(r, list[k])]++;
    }
}

static void scatter_part(void *context, uint64_t t) {
    const Ranks *r = context;
    uint64_t at[1 << WIDTH], end;
    const uint64_t last = gb_part(r->n, t + 1, r->nparts);
    gb_Idx *places;
    memcpy(at, r->at + t * r->nbuckets, r->nbuckets * sizeof *at);
    for (uint64_t first = gb_part(r->n, t, r->nparts); first < last; first = end) {
        end = last;
        const uint64_t *list = run_of(r, first, &end, &places);
        for (uint64_t k = 0; k < end - first; k++) r->index[at[bucket_of(r, list[k])]++] = list[k];
    }
}

/* Counts become where each part's first of a bucket goes. */
static void find_starts(const Ranks *r) {
    uint64_t sum = 0;
    for (uint64_t b = 0; b < r->nbuckets; b++) {
        r->start[b] = sum;
        for (uint64_t t = 0; t < r->nparts; t++) {
            uint64_t *at = &r->at[t * r->nbuckets + b];
            const uint64_t count = *at;
            *at = sum;
            sum += count;
        }
    }
    r->start[r->nbuckets] = sum;
}

static bool all_in_one_bucket(const Ranks *r) {
    const uint64_t first = r->n > 0 ? r->lists->list[r->lists->n[0] == 0][0] : 0;
    const uint64_t b = bucket_of(r, first);
    return r->start[b + 1] - r->start[b] == r->n;
}

/* Upper bits that all share are not worth a scatter. */
static void split(Ranks *r, int width, int threads) {
    int bits = gb_bits_below(r->lists->dimension);
    do {
        const int taken = bits < width ? bits : width;
        bits -= taken;
        r->shift = bits;
        r->nbuckets = (uint64_t)1 << taken;
        gb_parallel_for(threads, r->nparts, count_part, r);
        find_starts(r);
    } while (bits > 0 && width > 0 && all_in_one_bucket(r));
    gb_parallel_for(threads, r->nparts, scatter_part, r);
}

/* Words sorted by `bits` bits above the lowest `from`, which ascend where the others are equal. */
typedef struct {
    uint64_t *w, *scratch; /* [n] each */
    size_t n;
    int from, bits;
} Words;

static void digit_pass(const uint64_t *w, uint64_t *s, size_t n, int shift, int width) {
    const uint64_t mask = ((uint64_t)1 << width) - 1;
    uint32_t at[1 << DIGIT] = {0}, sum = 0;
    for (size_t k = 0; k < n; k++) at[(w[k] >> shift) & mask]++;
    for (uint64_t d = 0; d <= mask; d++) {
        const uint32_t count = at[d];
        at[d] = sum;
        sum += count;
    }
    for (size_t k = 0; k < n; k++) s[at[(w[k] >> shift) & mask]++] = w[k];
}

/* From the lowest digit. */
static const uint64_t *sort_by_digits(const Words *given) {
    uint64_t *w = given->w, *s = given->scratch;
    const int passes = (given->bits + DIGIT - 1) / DIGIT;
    for (int pass = 0, done = 0; pass < passes; pass++) {
        const int width = (given->bits - done) / (passes - pass);
        digit_pass(w, s, given->n, given->from + done, width);
        uint64_t *const swap = w;
        w = s;
        s = swap;
        done += width;
    }
    return w;
}

/* By the uppermost bits, about as many as tell the words from each other, and then by insertion.
 * NULL, and w is as it was: too many are alike. */
static const uint64_t *sort_by_spread(const Words *given) {
    const int enough = gb_bits_below(given->n) + 1, wide = enough < SPREAD ? enough : SPREAD;
    const int width = given->bits < wide ? given->bits : wide;
    const int shift = given->from + given->bits - width;
    uint64_t *const w = given->w, *const s = given->scratch;
    uint16_t at[1 << SPREAD], sum = 0, most = 0;
    memset(at, 0, sizeof *at << width);
    for (size_t k = 0; k < given->n; k++) at[w[k] >> shift]++;
    for (uint64_t d = 0; d < (uint64_t)1 << width; d++) {
        const uint16_t count = at[d];
        most = count > most ? count : most;
        at[d] = sum;
        sum = (uint16_t)(sum + count);
    }
    if (most > CROWD) return NULL;
    for (size_t k = 0; k < given->n; k++) s[at[w[k] >> shift]++] = w[k];
    for (size_t k = 1; k < given->n; k++) {
        const uint64_t moving = s[k];
        size_t to = k;
        for (; to > 0 && s[to - 1] > moving; to--) s[to] = s[to - 1];
        s[to] = moving;
    }
    return s;
}

static void rank_bucket(void *context, uint64_t b) {
    const Ranks *r = context;
    uint64_t *const index = r->index + r->start[b];
    const uint64_t n = r->start[b + 1] - r->start[b];
    r->before[b] = 0;
    if (n == 0 || n > LARGE) return;
    gb_Idx *const rank = r->rank + r->start[b];
    const int bits = gb_bits_below(n);
    const uint64_t open = ((uint64_t)1 << r->shift) - 1, shared = index[0] & ~open;
    for (uint64_t k = 0; k < n; k++) index[k] = (index[k] & open) << bits | k;
    const Words given = {index, r->scratch + (size_t)gb_thread_id() * LARGE, n, bits, r->shift};
    const uint64_t *words = sort_by_spread(&given);
    if (words == NULL) words = sort_by_digits(&given);
    uint64_t distinct = 0, last = UINT64_MAX;
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t word = words[k], rest = word >> bits;
        distinct += rest != last || k == 0;
        last = rest;
        index[distinct - 1] = shared | rest; /* at most word k's place, which has been read */
        rank[word & (((uint64_t)1 << bits) - 1)] = (gb_Idx)(distinct - 1);
    }
    r->before[b] = distinct;
}

static void read_bucket(const void *input, uint64_t first, size_t count, uint64_t *keys,
                        uint64_t *loads) {
    memcpy(keys, (const uint64_t *)input + first, count * sizeof *keys);
    for (size_t k = 0; loads != NULL && k < count; k++) loads[k] = first + k;
}

/* A bucket that is too large for one thread, since many indices are alike. */
static gbl_Info rank_large(const Ranks *r, uint64_t b) {
    uint64_t *const index = r->index + r->start[b];
    gb_Idx *const rank = r->rank + r->start[b];
    const gb_RecordInput in = {.read = read_bucket,
                               .input = index,
                               .n = r->start[b + 1] - r->start[b],
                               .bits = INDEX_BITS};
    size_t bytes;
    gb_Record *sorted = NULL;
    if (gb_size_mul(&bytes, in.n, sizeof *sorted)) sorted = gb_malloc(bytes);
    if (sorted == NULL) return gb_fail_memory(bytes);
    const gbl_Info info = gb_records_sort(sorted, &in, gb_nthreads());
    uint64_t distinct = 0;
    for (uint64_t k = 0; info == GBL_SUCCESS && k < in.n; k++) {
        if (k == 0 || sorted[k].key != sorted[k - 1].key) index[distinct++] = sorted[k].key;
        rank[sorted[k].load] = (gb_Idx)(distinct - 1);
    }
    r->before[b] = distinct;
    gb_free(sorted, bytes);
    return info;
}

static gbl_Info rank_buckets(const Ranks *r, int threads) {
    gbl_Info info = GBL_SUCCESS;
    gb_parallel_for(threads, r->nbuckets, rank_bucket, (void *)(uintptr_t)r);
    for (uint64_t b = 0; b < r->nbuckets && info == GBL_SUCCESS; b++)
        if (r->start[b + 1] - r->start[b] > LARGE) info = rank_large(r, b);
    uint64_t sum = 0;
    for (uint64_t b = 0; b <= r->nbuckets; b++) {
        const uint64_t count = b < r->nbuckets ? r->before[b] : 0;
        r->before[b] = sum;
        sum += count;
    }
    return info;
}

typedef struct {
    const Ranks *ranks;
    gb_RowList *axis;
} Gathering;

static void gather_bucket(void *context, uint64_t b) {
    const Gathering *g = context;
    const uint64_t *before = g->ranks->before;
    memcpy(g->axis->index + before[b], g->ranks->index + g->ranks->start[b],
           (before[b + 1] - before[b]) * sizeof *before);
}

static void write_part(void *context, uint64_t t) {
    const Ranks *r = context;
    uint64_t at[1 << WIDTH], end;
    const uint64_t last = gb_part(r->n, t + 1, r->nparts);
    gb_Idx *places;
    gb_Idx before[1 << WIDTH];
    for (uint64_t b = 0; b < r->nbuckets; b++) {
        at[b] = r->at[t * r->nbuckets + b];
        before[b] = (gb_Idx)r->before[b];
    }
    for (uint64_t first = gb_part(r->n, t, r->nparts); first < last; first = end) {
        end = last;
        const uint64_t *list = run_of(r, first, &end, &places);
        for (uint64_t k = 0; k < end - first; k++) {
            const uint64_t b = bucket_of(r, list[k]), from = at[b]++;
            __builtin_prefetch(r->rank + from + AHEAD);
            if (places != NULL) places[k] = before[b] + r->rank[from];
        }
    }
}

static gbl_Info make(gb_RowList **axis, Ranks *r, int width, int threads) {
    split(r, width, threads);
    gbl_Info info = rank_buckets(r, threads);
    if (info == GBL_SUCCESS) info = gb_row_list_new(axis, r->before[r->nbuckets]);
    if (info != GBL_SUCCESS) return info;
    gb_parallel_for(threads, r->nbuckets, gather_bucket, &(Gathering){r, *axis});
    if (r->lists->places[0] != NULL || r->lists->places[1] != NULL)
        gb_parallel_for(threads, r->nparts, write_part, r);
    return GBL_SUCCESS;
}

gbl_Info gb_row_list_of_lists(gb_RowList **axis, const gb_RowListMerge *lists) {
    const uint64_t n = lists->n[0] + lists->n[1];
    const int threads = gb_threads_for(n, GB_GRAIN, gb_nthreads());
    Ranks r = {.lists = lists, .n = n, .nparts = (uint64_t)threads};
    *axis = NULL;
    if (n == 0) return gb_row_list_new(axis, 0);
    const uint64_t most = n < LARGE ? n : LARGE;
    const int wanted = gb_bits_below(n / BUCKET + 1);
    const int needed = gb_bits_below(lists->dimension) + gb_bits_below(most) - 64;
    const int least = wanted > needed ? wanted : needed;
    const int width = least < WIDTH ? least : WIDTH;
    const uint64_t slots = ((uint64_t)1 << width) + 1;
    size_t bytes, rank_bytes;
    if (!gb_size_mul(&bytes, n, sizeof *r.index) || !gb_size_mul(&rank_bytes, n, sizeof *r.rank))
        return gb_fail_memory(SIZE_MAX);
    gb_Block blocks[] = {
        {NULL, (r.nparts + 2) * slots * sizeof *r.at},
        {NULL, bytes},
        {NULL, rank_bytes},
        {NULL, (size_t)threads * (threads == 1 ? most : LARGE) * sizeof *r.scratch}};
    const int count = sizeof blocks / sizeof *blocks;
    if (!gb_malloc_all(blocks, count)) return gb_fail_memory(bytes + rank_bytes);
    r.start = blocks[0].at;
    r.before = r.start + slots;
    r.at = r.before + slots;
    r.index = blocks[1].at;
    r.rank = blocks[2].at;
    r.scratch = blocks[3].at;
    const gbl_Info info = make(axis, &r, width, threads);
    gb_free_all(blocks, count);
    return info;
}
