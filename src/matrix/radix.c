/* SPDX-License-Identifier: Apache-2.0
 *
 * The sort goes from the top: one pass over the input scatters the records by their upper bits into
 * buckets that fit in the cache (each thread counts and scatters its own part of the input, parts
 * in order, hence stable); then each bucket is sorted from the lowest digit by one thread. A bucket
 * that is still too large, because the keys are skewed, is split again by all threads.
 */
#include "matrix/radix.h"

#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"

/* BUCKET: records that a split aims at, 128 KiB; LARGE: those that one thread sorts at most, 512
 * KiB, so that bucket and scratch stay in the second-level cache. 2^WIDTH write streams of one
 * cache line each fill 128 KiB: wider digits lose more to misses than they save in passes. */
#ifdef GB_TINY
enum { BUCKET = 4, LARGE = 16, WIDTH = 3, SHORT = 3 };
#else
enum { BUCKET = 8192, LARGE = 32768, WIDTH = 11, SHORT = 24 };
#endif

void gb_record_read(const void *input, uint64_t first, size_t count, uint64_t *keys,
                    uint64_t *loads) {
    const gb_Record *r = (const gb_Record *)input + first;
    if (loads == NULL) {
        for (size_t k = 0; k < count; k++) keys[k] = r[k].key;
        return;
    }
    for (size_t k = 0; k < count; k++) {
        keys[k] = r[k].key;
        loads[k] = r[k].load;
    }
}

static bool range_ascends(const gb_RecordInput *in, uint64_t first, uint64_t end) {
    uint64_t keys[GB_RECORD_BLOCK];
    uint64_t last = 0;
    if (first > 0) in->read(in->input, first - 1, 1, &last, NULL);
    bool ascends = true;
    while (first < end && ascends) {
        const size_t count = end - first < GB_RECORD_BLOCK ? end - first : GB_RECORD_BLOCK;
        in->read(in->input, first, count, keys, NULL);
        for (size_t k = 0; k < count; k++) {
            ascends = ascends && keys[k] >= last;
            last = keys[k];
        }
        first += count;
    }
    return ascends;
}

typedef struct {
    const gb_RecordInput *in;
    int ascending; /* atomic */
} Order;

static void check_range(void *context, uint64_t first, uint64_t end) {
    Order *order = context;
    if (__atomic_load_n(&order->ascending, __ATOMIC_RELAXED) &&
        !range_ascends(order->in, first, end))
        __atomic_store_n(&order->ascending, 0, __ATOMIC_RELAXED);
}

bool gb_records_ascend(const gb_RecordInput *in, int nthreads) {
    Order order = {in, 1};
    const gbl_Info info = gb_parallel_try_ranges(nthreads, in->n, check_range, &order);
    return info == GBL_SUCCESS && order.ascending; /* else sorting ends the call */
}

static void insertion_sort(gb_Record *r, size_t n) {
    for (size_t k = 1; k < n; k++) {
        const gb_Record moving = r[k];
        size_t at = k;
        for (; at > 0 && r[at - 1].key > moving.key; at--) r[at] = r[at - 1];
        r[at] = moving;
    }
}

/* One pass by the digit (key >> shift) & mask from r to s; false when all digits are equal. */
static bool digit_pass(const gb_Record *r, gb_Record *s, size_t n, int shift, uint64_t mask) {
    uint32_t at[1 << WIDTH];
    memset(at, 0, (mask + 1) * sizeof *at);
    for (size_t k = 0; k < n; k++) at[(r[k].key >> shift) & mask]++;
    if (at[(r[0].key >> shift) & mask] == n) return false;
    uint32_t sum = 0;
    for (uint64_t d = 0; d <= mask; d++) {
        const uint32_t count = at[d];
        at[d] = sum;
        sum += count;
    }
    for (size_t k = 0; k < n; k++) s[at[(r[k].key >> shift) & mask]++] = r[k];
    return true;
}

/* Sorts n <= LARGE records by the lowest `bits` bits of their keys; the others are equal. */
static void sort_bucket(gb_Record *r, gb_Record *scratch, size_t n, int bits) {
    if (n <= SHORT) {
        insertion_sort(r, n);
        return;
    }
    const int log = gb_bits_below(n);
    const int widest = log < WIDTH ? log : WIDTH;
    const int passes = (bits + widest - 1) / widest;
    gb_Record *from = r, *to = scratch;
    for (int pass = 0, shift = 0; pass < passes; pass++) {
        const int width = (bits - shift) / (passes - pass);
        if (digit_pass(from, to, n, shift, ((uint64_t)1 << width) - 1)) {
            gb_Record *swap = from;
            from = to;
            to = swap;
        }
        shift += width;
    }
    if (from != r) memcpy(r, from, n * sizeof *r);
}

/* One split by the digit (key >> shift) & mask. Part t of the input counts into at[t], which then
 * says where its next record of each bucket goes. */
typedef struct {
    gb_Record *out;
    const gb_RecordInput *in;
    int shift, nparts;
    uint64_t nbuckets;  /* 2^width */
    uint64_t *at;       /* [nparts * nbuckets] */
    uint64_t *start;    /* [nbuckets + 1] of the buckets in out */
    gb_Record *scratch; /* [LARGE] for each thread */
} Split;

static void count_part(void *context, uint64_t t) {
    const Split *s = context;
    uint64_t *at = s->at + t * s->nbuckets;
    memset(at, 0, s->nbuckets * sizeof *at);
    uint64_t keys[GB_RECORD_BLOCK];
    const uint64_t end = gb_part(s->in->n, t + 1, (uint64_t)s->nparts);
    for (uint64_t first = gb_part(s->in->n, t, (uint64_t)s->nparts); first < end;) {
        const size_t count = end - first < GB_RECORD_BLOCK ? end - first : GB_RECORD_BLOCK;
        s->in->read(s->in->input, first, count, keys, NULL);
        for (size_t k = 0; k < count; k++) at[(keys[k] >> s->shift) & (s->nbuckets - 1)]++;
        first += count;
        if (first / GB_RECORD_BLOCK % GB_CALL_ROWS == 0 && gb_call_stops()) return;
    }
}

static void scatter_part(void *context, uint64_t t) {
    const Split *s = context;
    uint64_t *at = s->at + t * s->nbuckets;
    uint64_t keys[GB_RECORD_BLOCK], loads[GB_RECORD_BLOCK];
    const uint64_t end = gb_part(s->in->n, t + 1, (uint64_t)s->nparts);
    for (uint64_t first = gb_part(s->in->n, t, (uint64_t)s->nparts); first < end;) {
        const size_t count = end - first < GB_RECORD_BLOCK ? end - first : GB_RECORD_BLOCK;
        s->in->read(s->in->input, first, count, keys, loads);
        for (size_t k = 0; k < count; k++) {
            const uint64_t bucket = (keys[k] >> s->shift) & (s->nbuckets - 1);
            s->out[at[bucket]++] = (gb_Record){keys[k], loads[k]};
        }
        first += count;
        if (first / GB_RECORD_BLOCK % GB_CALL_ROWS == 0 && gb_call_stops()) return;
    }
}

static void find_starts(const Split *s) {
    uint64_t sum = 0;
    for (uint64_t bucket = 0; bucket < s->nbuckets; bucket++) {
        s->start[bucket] = sum;
        for (int t = 0; t < s->nparts; t++) {
            uint64_t *at = s->at + (uint64_t)t * s->nbuckets + bucket;
            const uint64_t count = *at;
            *at = sum;
            sum += count;
        }
    }
    s->start[s->nbuckets] = sum;
}

static bool all_in_one_bucket(const Split *s) {
    for (uint64_t bucket = 0; bucket < s->nbuckets; bucket++) {
        const uint64_t size = s->start[bucket + 1] - s->start[bucket];
        if (size != 0) return size == s->in->n;
    }
    return true;
}

static gbl_Info split(gb_Record *out, const gb_RecordInput *in, gb_Record *scratch, int nthreads);

typedef struct {
    gb_Record *out;
    const gb_RecordInput *in;
} Reading;

static void read_range(void *context, uint64_t first, uint64_t end) {
    const gb_RecordInput *in = ((Reading *)context)->in;
    gb_Record *r = ((Reading *)context)->out;
    uint64_t keys[GB_RECORD_BLOCK], loads[GB_RECORD_BLOCK];
    while (first < end) {
        const size_t count = end - first < GB_RECORD_BLOCK ? end - first : GB_RECORD_BLOCK;
        in->read(in->input, first, count, keys, loads);
        for (size_t k = 0; k < count; k++) r[first + k] = (gb_Record){keys[k], loads[k]};
        first += count;
    }
}

static gbl_Info read_all(gb_Record *r, const gb_RecordInput *in, int nthreads) {
    return gb_parallel_try_ranges(nthreads, in->n, read_range, &(Reading){r, in});
}

/* Bucket r[n] is too large for one thread. */
static gbl_Info split_again(gb_Record *r, uint64_t n, int bits, gb_Record *scratch, int nthreads) {
    gb_Record *copy = gb_malloc(n * sizeof *copy);
    if (copy == NULL) return gb_fail_memory(n * sizeof *copy);
    gb_RecordInput in = {.read = gb_record_read, .input = r, .n = n, .bits = bits};
    gbl_Info info = read_all(copy, &in, nthreads);
    in.input = copy;
    if (info == GBL_SUCCESS) info = split(r, &in, scratch, nthreads);
    gb_free(copy, n * sizeof *copy);
    return info;
}

static void sort_part(void *context, uint64_t b) {
    const Split *s = context;
    const uint64_t n = s->start[b + 1] - s->start[b];
    if (n > 1 && n <= LARGE)
        sort_bucket(s->out + s->start[b], s->scratch + (size_t)gb_thread_id() * LARGE, n, s->shift);
}

static gbl_Info sort_buckets(Split *s, int nthreads) {
    gbl_Info info = gb_parallel_try(nthreads, s->nbuckets, sort_part, s);
    for (uint64_t b = 0; b < s->nbuckets && info == GBL_SUCCESS; b++) {
        const uint64_t n = s->start[b + 1] - s->start[b];
        if (n > LARGE) info = split_again(s->out + s->start[b], n, s->shift, s->scratch, nthreads);
    }
    return info;
}

/* Sorts by the lowest in->bits bits; scratch has LARGE records for each thread. */
static gbl_Info split(gb_Record *out, const gb_RecordInput *in, gb_Record *scratch, int nthreads) {
    const int wanted = gb_bits_below(in->n / BUCKET + 1);
    const int widest = wanted < 1 ? 1 : wanted < WIDTH ? wanted : WIDTH;
    const size_t bytes = (((size_t)nthreads + 1) << widest) * sizeof(uint64_t) + sizeof(uint64_t);
    uint64_t *counts = gb_malloc(bytes);
    if (counts == NULL) return gb_fail_memory(bytes);
    Split s = {.out = out, .in = in, .nparts = nthreads, .scratch = scratch};
    int bits = in->bits;
    do { /* upper bits that all keys share are not worth a scatter */
        const int width = bits < widest ? bits : widest;
        bits -= width;
        s.shift = bits;
        s.nbuckets = (uint64_t)1 << width;
        s.start = counts;
        s.at = counts + s.nbuckets + 1;
        gb_parallel_for(nthreads, (uint64_t)nthreads, count_part, &s);
        find_starts(&s);
    } while (bits > 0 && all_in_one_bucket(&s));
    gbl_Info info = gb_call_end(); /* counts of a call that ends are not whole */
    if (info == GBL_SUCCESS) gb_parallel_for(nthreads, (uint64_t)nthreads, scatter_part, &s);
    if (info == GBL_SUCCESS) info = gb_call_end();
    if (info == GBL_SUCCESS && bits > 0) info = sort_buckets(&s, nthreads);
    gb_free(counts, bytes);
    return info;
}

gbl_Info gb_records_sort(gb_Record *r, const gb_RecordInput *in, int nthreads) {
    const bool small = in->n <= LARGE;
    const int threads = small ? 1 : gb_threads_for(in->n, GB_GRAIN, nthreads);
    if (gb_records_ascend(in, threads)) return read_all(r, in, threads);
    const size_t bytes = (small ? in->n : (size_t)threads * LARGE) * sizeof(gb_Record);
    gb_Record *scratch = gb_malloc(bytes);
    if (scratch == NULL) return gb_fail_memory(bytes);
    gbl_Info info;
    if (small) {
        info = read_all(r, in, 1);
        if (info == GBL_SUCCESS) sort_bucket(r, scratch, in->n, in->bits);
    } else {
        info = split(r, in, scratch, threads);
    }
    gb_free(scratch, bytes);
    return info;
}
