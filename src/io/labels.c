/* SPDX-License-Identifier: Apache-2.0
 *
 * Vertices by name or by number: numbering them, and what each is called.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edges.h"

void gbl_labels_free(gbl_Labels *labels) {
    if (!labels) return;
    gb_io_free(labels->id);
    gb_io_free(labels->text);
    gb_io_free(labels->start);
    *labels = (gbl_Labels){0};
}

const char *gbl_label(const gbl_Labels *labels, gbl_Index vertex, char *room) {
    if (labels->text) return labels->text + labels->start[vertex];
    const uint64_t number = labels->id ? labels->id[vertex] : vertex + 1;
    snprintf(room, 24, "%" PRIu64, number);
    return room;
}

gbl_Info gbl_label_find(gbl_Index *vertex, const gbl_Labels *labels, const char *label) {
    if (!vertex || !labels || !label)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_label_find: an argument is NULL");
    if (labels->text) {
        for (gbl_Index v = 0; v < labels->n; v++)
            if (strcmp(labels->text + labels->start[v], label) == 0)
                return *vertex = v, GBL_SUCCESS;
        return GBL_NO_VALUE;
    }
    char *end;
    const uint64_t number = strtoull(label, &end, 10);
    if (*label < '0' || *label > '9' || *end || (!labels->id && number == 0)) return GBL_NO_VALUE;
    *vertex = number - 1;
    if (!labels->id) return GBL_SUCCESS;
    for (gbl_Index v = 0; v < labels->n; v++)
        if (labels->id[v] == number) return *vertex = v, GBL_SUCCESS;
    return GBL_NO_VALUE;
}

/* -- names */

/* Makes a block long enough for `wanted` elements. */
static bool grow(void *block, uint64_t *room, uint64_t wanted, size_t size) {
    void **const at = block;
    if (wanted <= *room) return true;
    const uint64_t more = wanted > 512 ? 2 * wanted : 1024;
    void *const grown = gb_io_resize(*at, *room, more, size);
    if (!grown) return false;
    *at = grown;
    *room = more;
    return true;
}

static uint64_t hash(const char *p, const char *end) { /* FNV-1a */
    uint64_t h = UINT64_C(14695981039346656037);
    for (; p < end; p++) h = (h ^ (unsigned char)*p) * UINT64_C(1099511628211);
    return h ^ h >> 32;
}

/* The slot of the name, or the free one where it belongs. */
static uint32_t *find(const gb_Names *names, gb_Word word) {
    const gbl_Labels *const labels = names->labels;
    const size_t n = (size_t)(word.end - word.begin);
    uint64_t slot = hash(word.begin, word.end) & (names->slots - 1);
    for (; names->table[slot]; slot = (slot + 1) & (names->slots - 1)) {
        const char *const known = labels->text + labels->start[names->table[slot] - 1];
        if (strncmp(known, word.begin, n) == 0 && known[n] == '\0') break;
    }
    return &names->table[slot];
}

static bool rehash(gb_Names *names) {
    const gbl_Labels *const labels = names->labels;
    gb_io_free(names->table);
    names->slots = names->slots ? 2 * names->slots : 1024;
    names->table = gb_io_alloc(names->slots, sizeof *names->table);
    if (!names->table) return false;
    memset(names->table, 0, names->slots * sizeof *names->table);
    for (gbl_Index v = 0; v < labels->n; v++) {
        const char *const text = labels->text + labels->start[v];
        *find(names, (gb_Word){text, text + strlen(text)}) = (uint32_t)v + 1;
    }
    return true;
}

gbl_Info gb_names_number(gb_Names *names, gb_Word word, uint64_t *vertex) {
    gbl_Labels *const labels = names->labels;
    const size_t n = (size_t)(word.end - word.begin);
    if (2 * labels->n >= names->slots && !rehash(names)) return gb_io_no_memory("the labels");
    uint32_t *const slot = find(names, word);
    if (!*slot) {
        if (labels->n == UINT32_MAX - 1)
            return gbl_fail(GBL_INVALID_VALUE, NULL, "there are more than 2^32 - 2 labels");
        if (!grow(&labels->text, &names->text_room, names->text_size + n + 1, 1) ||
            !grow(&labels->start, &names->starts_room, labels->n + 1, sizeof *labels->start))
            return gb_io_no_memory("the labels");
        memcpy(labels->text + names->text_size, word.begin, n);
        labels->text[names->text_size + n] = '\0';
        labels->start[labels->n++] = names->text_size;
        names->text_size += n + 1;
        *slot = (uint32_t)labels->n;
    }
    *vertex = *slot - 1;
    return GBL_SUCCESS;
}

/* -- numbers */

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
/* Ranks come from a table of all numbers up to the largest where it is at most so much longer than
 * the list, else from sorting. */
enum { TABLE_PER_NUMBER = 8, TABLE_LEAST = 1 << 20 };

typedef struct {
    uint64_t *x, n, *rank, distinct;
    const uint64_t *id;
} Ranking;

enum { BLOCK = 1 << 16 };

static void mark_block(void *context, gbl_Index b) {
    const Ranking *const r = context;
    const uint64_t end = r->n - b * BLOCK < BLOCK ? r->n : (b + 1) * BLOCK;
    for (uint64_t k = b * BLOCK; k < end; k++)
        if (!__atomic_load_n(&r->rank[r->x[k]], __ATOMIC_RELAXED))
            __atomic_store_n(&r->rank[r->x[k]], 1, __ATOMIC_RELAXED);
}

static void rank_block(void *context, gbl_Index b) {
    const Ranking *const r = context;
    const uint64_t end = r->n - b * BLOCK < BLOCK ? r->n : (b + 1) * BLOCK;
    for (uint64_t k = b * BLOCK; k < end; k++) r->x[k] = r->rank[r->x[k]];
}

static void search_block(void *context, gbl_Index b) {
    const Ranking *const r = context;
    const uint64_t end = r->n - b * BLOCK < BLOCK ? r->n : (b + 1) * BLOCK;
    for (uint64_t k = b * BLOCK; k < end; k++) {
        uint64_t low = 0, high = r->distinct;
        while (high - low > 1) {
            const uint64_t mid = low + (high - low) / 2;
            *(r->id[mid] <= r->x[k] ? &low : &high) = mid;
        }
        r->x[k] = low;
    }
}

/* By marks in a table of most + 1 numbers. */
static gbl_Info rank_by_table(gbl_Labels *labels, Ranking *r, uint64_t most) {
    const gbl_Index blocks = (r->n + BLOCK - 1) / BLOCK;
    r->rank = gb_io_alloc(most + 1, sizeof *r->rank);
    if (!r->rank) return gb_io_no_memory("the numbers of vertices");
    memset(r->rank, 0, (most + 1) * sizeof *r->rank);
    gbl_parallel(blocks, mark_block, r);
    for (uint64_t v = 0; v <= most; v++) labels->n += r->rank[v];
    labels->id = gb_io_alloc(labels->n, sizeof *labels->id);
    if (!labels->id) {
        gb_io_free(r->rank);
        return gb_io_no_memory("the numbers of vertices");
    }
    uint64_t rank = 0;
    for (uint64_t v = 0; v <= most; v++) {
        if (!r->rank[v]) continue;
        labels->id[rank] = v;
        r->rank[v] = rank++;
    }
    gbl_parallel(blocks, rank_block, r);
    gb_io_free(r->rank);
    return GBL_SUCCESS;
}

/* Sorts x[n] by digits from the lowest; other has the same length. Returns which of both it is. */
static uint64_t *sort_numbers(uint64_t *x, uint64_t *other, uint64_t n) {
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        uint64_t next[DIGITS] = {0}, sum = 0;
        for (uint64_t k = 0; k < n; k++) next[x[k] >> shift & (DIGITS - 1)]++;
        for (int d = 0; d < DIGITS; d++) {
            const uint64_t count = next[d];
            next[d] = sum;
            sum += count;
        }
        for (uint64_t k = 0; k < n; k++) other[next[x[k] >> shift & (DIGITS - 1)]++] = x[k];
        uint64_t *const sorted = other;
        other = x;
        x = sorted;
    }
    return x;
}

static gbl_Info rank_by_sorting(gbl_Labels *labels, Ranking *r) {
    uint64_t *const a = gb_io_alloc(r->n, sizeof *a), *const b = gb_io_alloc(r->n, sizeof *b);
    gbl_Info info = a && b ? GBL_SUCCESS : gb_io_no_memory("the numbers of vertices");
    if (info == GBL_SUCCESS) {
        memcpy(a, r->x, r->n * sizeof *a);
        const uint64_t *const sorted = sort_numbers(a, b, r->n);
        for (uint64_t k = 0; k < r->n; k++) labels->n += k == 0 || sorted[k] != sorted[k - 1];
        labels->id = gb_io_alloc(labels->n, sizeof *labels->id);
        if (!labels->id) info = gb_io_no_memory("the numbers of vertices");
        uint64_t rank = 0;
        for (uint64_t k = 0; labels->id && k < r->n; k++)
            if (k == 0 || sorted[k] != sorted[k - 1]) labels->id[rank++] = sorted[k];
    }
    if (info == GBL_SUCCESS) {
        r->id = labels->id;
        r->distinct = labels->n;
        gbl_parallel((r->n + BLOCK - 1) / BLOCK, search_block, r);
    }
    gb_io_free(a);
    gb_io_free(b);
    return info;
}

gbl_Info gb_labels_rank(gbl_Labels *labels, uint64_t *x, uint64_t n) {
    Ranking ranking = {.x = x, .n = n};
    uint64_t most = 0;
    if (n == 0) return GBL_SUCCESS;
    for (uint64_t k = 0; k < n; k++)
        if (x[k] > most) most = x[k];
    const bool dense = most / TABLE_PER_NUMBER <= n || most <= TABLE_LEAST;
    const gbl_Info info =
        dense ? rank_by_table(labels, &ranking, most) : rank_by_sorting(labels, &ranking);
    if (info != GBL_SUCCESS || labels->id[0] != 1 || labels->id[labels->n - 1] != labels->n)
        return info;
    gb_io_free(labels->id); /* they are called as they are numbered */
    labels->id = NULL;
    labels->n = 0;
    return GBL_SUCCESS;
}
