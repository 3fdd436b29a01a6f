/* SPDX-License-Identifier: Apache-2.0
 *
 * Putting rows into a window and sorting them; see window.h.
 */
#include "cpu/rowwise/window.h"

#include "core/arrays.h"
#include "cpu/simd/lanes.h"
#include "cpu/common/sort.h"

enum {
    ROW_MOST = GB_HAS_ROWS ? GB_CUT_MOST : GB_RUN_MOST,
    KEYS_BYTES = (GB_WINDOW_KEYS + 16) * 4,
    ROW_BYTES = (GB_WINDOW + 16) * 4,
    LANES = GB_LANES
};

static const uint32_t no_keys[LANES] = {
    GB_NO_KEY, GB_NO_KEY, GB_NO_KEY, GB_NO_KEY, GB_NO_KEY, GB_NO_KEY, GB_NO_KEY, GB_NO_KEY,
    GB_NO_KEY, GB_NO_KEY, GB_NO_KEY, GB_NO_KEY, GB_NO_KEY, GB_NO_KEY, GB_NO_KEY, GB_NO_KEY};

gbl_Info GB_ISA_NAME(gb_window_new)(gb_Window *w, uint64_t ncols, size_t zsize) {
    const unsigned column = (unsigned)gb_key_bits(ncols), bits = column < 32 ? 32 - column : 0;
    size_t bytes, wanted = 0;
    *w = (gb_Window){.zsize = zsize};
    w->bits = bits < 16 ? bits : 16;
    w->most = 1u << w->bits < ROW_MOST ? 1u << w->bits : ROW_MOST;
    if (!gb_size_mul(&bytes, GB_WINDOW + 32, zsize)) return gb_fail_memory(SIZE_MAX);
    char *at = gb_grow(&w->arrays, bytes + KEYS_BYTES + 2 * ROW_BYTES, &wanted);
    if (at == NULL) return gb_fail_memory(wanted);
    w->key = gb_carve(&at, KEYS_BYTES);
    w->whole = gb_carve(&at, ROW_BYTES);
    w->aside = gb_carve(&at, ROW_BYTES);
    w->x = at;
    return GBL_SUCCESS;
}

void GB_ISA_NAME(gb_window_free)(gb_Window *w) {
    gb_grown_free(&w->arrays);
}

/* -- putting rows in --------------------------------------------------------------------------- */

/* The products of a packet become number `from` and on of a row. With GB_HAS_ROWS 16 are written,
 * whatever their number: the next packet replaces what was too much. */
GB_INLINE unsigned put_packet(size_t value, const gb_Window *w, const char *packet, uint32_t *key,
                              char *x, unsigned from) {
    const gb_PacketView p = gb_packet_view(packet);
    char *to = x + from * value;
    if (GB_HAS_ROWS) {
        gb_store32(key + from, gb_load32(p.columns) << w->bits | gb_numbers32(from));
        if (value == 8 || value == 4) {
            gb_store32(to, gb_load32(p.values));
            if (value == 8) gb_store32(to + 64, gb_load32(p.values + 64));
            return p.products;
        }
    } else {
        for (unsigned e = 0; e < p.products; e++)
            key[from + e] = (uint32_t)((uint64_t)gb_packet_column(&p, e) << w->bits) | (from + e);
    }
    if (value > 0) memcpy(to, p.values, p.products * value);
    return p.products;
}

/* Sorts 16 keys, each at a distance; returns the ninth. */
static uint32_t middle(const uint32_t *key, unsigned n) {
    uint32_t sample[LANES];
    const unsigned step = n / LANES;
    for (unsigned k = 0; k < LANES; k++) {
        const uint32_t x = key[k * step];
        unsigned at = k;
        for (; at > 0 && sample[at - 1] > x; at--) sample[at] = sample[at - 1];
        sample[at] = x;
    }
    return sample[LANES / 2];
}

/* Moves the keys below the pivot to the front: how many. */
static unsigned partition(uint32_t *key, unsigned n, uint32_t pivot, uint32_t *aside) {
    unsigned low = 0, high = 0, e = 0;
    const gb_Lanes32 p = gb_all32(pivot);
    for (; GB_HAS_COMPRESS && e + LANES <= n; e += LANES) {
        const gb_Lanes32 k = gb_load32(key + e);
        const unsigned below = gb_less32(k, p), count = (unsigned)__builtin_popcount(below);
        gb_store32(key + low, gb_compress32(k, below));
        gb_store32(aside + high, gb_compress32(k, ~below & 0xFFFFu));
        low += count;
        high += LANES - count;
    }
    for (; e < n; e++) {
        const uint32_t k = key[e];
        key[low] = aside[high] = k;
        low += k < pivot;
        high += k >= pivot;
    }
    memcpy(key + low, aside, high * sizeof *key);
    return low;
}

static void add_run(gb_Window *w, const uint32_t *key, unsigned n) {
    uint32_t *to = w->key + w->keys;
    memcpy(to, key, n * sizeof *key);
    memcpy(to + n, no_keys, sizeof no_keys);
    w->run[w->runs++] = (gb_KeyRun){w->keys, n};
    w->keys += (n + LANES - 1) & ~(LANES - 1u);
}

/* Cuts w->whole[n] into runs. Each side of a cut has at least 8 keys, since that many of the sample
 * are below the pivot, and as many are not; so the keys of all runs fit. */
static void add_runs(gb_Window *w, unsigned n) {
    struct {
        unsigned from, to;
    } todo[GB_WINDOW_RUNS], part = {0, n};
    unsigned left = 0;
    for (;;) {
        uint32_t *key = w->whole + part.from;
        const unsigned keys = part.to - part.from;
        if (keys > GB_RUN_MOST) {
            const unsigned low = partition(key, keys, middle(key, keys), w->aside);
            todo[left].from = part.from + low;
            todo[left++].to = part.to;
            part.to = part.from + low;
            continue;
        }
        add_run(w, key, keys);
        if (left == 0) return;
        part = todo[--left];
    }
}

void GB_ISA_NAME(gb_window_add)(gb_Window *w, uint64_t row, unsigned products,
                                const char *const *packets, unsigned count, size_t value) {
    gb_WindowRow *r = &w->row[w->rows++];
    *r = (gb_WindowRow){.row = row, .values = w->values, .products = products, .run = w->runs};
    char *x = w->x + w->values * w->zsize;
    const bool cut = ROW_MOST > GB_RUN_MOST && products > GB_RUN_MOST;
    uint32_t *key = cut ? w->whole : w->key + w->keys;
    const unsigned slots = (products + LANES - 1) & ~(LANES - 1u);
    unsigned at = 0;
    for (unsigned k = 0; k < count; k++)
        at += value == 0 ? put_packet(0, w, packets[k], key, x, at)
                         : GB_BY_SIZE(put_packet, value, w, packets[k], key, x, at);
    w->values += slots;
    if (cut) {
        add_runs(w, products);
    } else {
        memcpy(key + products, no_keys, sizeof no_keys);
        w->run[w->runs++] = (gb_KeyRun){w->keys, products};
        w->keys += slots;
    }
    r->runs = w->runs - r->run;
}

/* -- sorting ----------------------------------------------------------------------------------- */

/* The runs with more than one key, the longest first: how many. */
static unsigned order_runs(gb_Window *w) {
    unsigned start[GB_RUN_MOST + 2] = {0}, n = 0;
    for (unsigned r = 0; r < w->runs; r++) start[w->run[r].keys]++;
    for (unsigned f = GB_RUN_MOST; f > 1; f--) {
        const unsigned count = start[f];
        start[f] = n;
        n += count;
    }
    for (unsigned r = 0; r < w->runs; r++)
        if (w->run[r].keys > 1) w->order[start[w->run[r].keys]++] = (uint16_t)r;
    return n;
}

/* Keys of 16 runs, to and from lanes. run[l].keys 0: lane l is not used. */
static inline void rows_to_lanes(const gb_Window *w, const gb_KeyRun *run, unsigned size,
                                 gb_Lanes32 *v) {
    for (unsigned s = 0; s < size; s += LANES) {
        for (unsigned l = 0; l < LANES; l++)
            v[s + l] = gb_load32(run[l].keys > s ? w->key + run[l].at + s : no_keys);
        gb_transpose32(v + s);
    }
}

static inline void lanes_to_rows(gb_Window *w, const gb_KeyRun *run, unsigned size, gb_Lanes32 *v) {
    uint32_t nowhere[LANES];
    for (unsigned s = 0; s < size; s += LANES) {
        gb_transpose32(v + s);
        for (unsigned l = 0; l < LANES; l++)
            gb_store32(run[l].keys > s ? w->key + run[l].at + s : nowhere, v[s + l]);
    }
}

/* The same key by key. */
static inline void keys_to_lanes(const gb_Window *w, const gb_KeyRun *run, unsigned size,
                                 gb_Lanes32 *v) {
    memset(v, 0xFF, size * sizeof *v);
    for (unsigned l = 0; l < LANES; l++) {
        uint32_t *to = (uint32_t *)v + l;
        for (unsigned s = 0; s < run[l].keys; s++) to[LANES * s] = w->key[run[l].at + s];
    }
}

static inline void lanes_to_keys(gb_Window *w, const gb_KeyRun *run, const gb_Lanes32 *v) {
    for (unsigned l = 0; l < LANES; l++) {
        const uint32_t *from = (const uint32_t *)v + l;
        for (unsigned s = 0; s < run[l].keys; s++) w->key[run[l].at + s] = from[LANES * s];
    }
}

void GB_ISA_NAME(gb_window_sort)(gb_Window *w) {
    const unsigned n = order_runs(w);
    for (unsigned r = 0; r < n; r += LANES) {
        gb_Lanes32 v[64];
        gb_KeyRun run[LANES] = {{0, 0}};
        for (unsigned l = 0; l < LANES && r + l < n; l++) run[l] = w->run[w->order[r + l]];
        const unsigned longest = run[0].keys;
        const unsigned size = longest <= 16 ? 16 : longest <= 32 ? 32 : 64;
        if (GB_HAS_ROWS)
            rows_to_lanes(w, run, size, v);
        else
            keys_to_lanes(w, run, size, v);
        GB_ISA_NAME(gb_sort_lanes32)(v, longest <= 8 ? 8 : size);
        if (GB_HAS_ROWS)
            lanes_to_rows(w, run, size, v);
        else
            lanes_to_keys(w, run, v);
    }
}
