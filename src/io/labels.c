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
    gbl_Memory_free(labels->id);
    gbl_Memory_free(labels->text);
    gbl_Memory_free(labels->start);
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
    gbl_Memory_free(names->table);
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
enum { TABLE_PER_NUMBER = 4, TABLE_LEAST = 1 << 20 };

/* Numbers of rows and columns: of which there are `ends`, rows before columns. */
typedef struct {
    gb_Coo *list;
    uint64_t ends;
    uint32_t *rank;     /* of each number up to the largest */
    const uint64_t *id; /* [distinct] ascending */
    uint64_t distinct;
} Ranking;

enum { BLOCK = 1 << 16 };

static uint64_t end_at(const gb_Coo *list, uint64_t k) {
    const bool column = k >= list->n;
    const uint64_t at = column ? k - list->n : k;
    return list->wide ? (column ? list->wj : list->wi)[at] : (column ? list->j : list->i)[at];
}

static void set_end(const gb_Coo *list, uint64_t k, uint32_t rank) {
    *(k >= list->n ? &list->j[k - list->n] : &list->i[k]) = rank;
}

static uint64_t block_end(const Ranking *r, gbl_Index b) {
    return r->ends - b * BLOCK < BLOCK ? r->ends : (b + 1) * BLOCK;
}

static void mark_block(void *context, gbl_Index b) {
    const Ranking *const r = context;
    for (uint64_t k = b * BLOCK; k < block_end(r, b); k++) {
        uint32_t *const mark = &r->rank[end_at(r->list, k)];
        if (!__atomic_load_n(mark, __ATOMIC_RELAXED)) __atomic_store_n(mark, 1, __ATOMIC_RELAXED);
    }
}

static void rank_block(void *context, gbl_Index b) {
    const Ranking *const r = context;
    for (uint64_t k = b * BLOCK; k < block_end(r, b); k++)
        set_end(r->list, k, r->rank[end_at(r->list, k)]);
}

static void search_block(void *context, gbl_Index b) {
    const Ranking *const r = context;
    for (uint64_t k = b * BLOCK; k < block_end(r, b); k++) {
        const uint64_t number = end_at(r->list, k);
        uint64_t low = 0, high = r->distinct;
        while (high - low > 1) {
            const uint64_t mid = low + (high - low) / 2;
            *(r->id[mid] <= number ? &low : &high) = mid;
        }
        set_end(r->list, k, (uint32_t)low);
    }
}

/* By marks in a table of most + 1 numbers. */
static gbl_Info rank_by_table(gbl_Labels *labels, Ranking *r, uint64_t most) {
    const gbl_Index blocks = (r->ends + BLOCK - 1) / BLOCK;
    r->rank = gb_io_alloc(most + 1, sizeof *r->rank);
    if (!r->rank) return gb_io_no_memory("the numbers of vertices");
    memset(r->rank, 0, (most + 1) * sizeof *r->rank);
    gbl_parallel(blocks, mark_block, r);
    for (uint64_t v = 0; v <= most; v++) labels->n += r->rank[v];
    labels->id = gb_io_alloc(labels->n, sizeof *labels->id);
    if (!labels->id) {
        gbl_Memory_free(r->rank);
        return gb_io_no_memory("the numbers of vertices");
    }
    uint32_t rank = 0;
    for (uint64_t v = 0; v <= most; v++) {
        if (!r->rank[v]) continue;
        labels->id[rank] = v;
        r->rank[v] = rank++;
    }
    gbl_parallel(blocks, rank_block, r);
    gbl_Memory_free(r->rank);
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

static gbl_Info find_distinct(gbl_Labels *labels, const Ranking *r) {
    uint64_t *const a = gb_io_alloc(r->ends, sizeof *a), *const b = gb_io_alloc(r->ends, sizeof *b);
    gbl_Info info = a && b ? GBL_SUCCESS : gb_io_no_memory("the numbers of vertices");
    uint64_t n = 0;
    for (uint64_t k = 0; k < r->ends && info == GBL_SUCCESS; k++) a[k] = end_at(r->list, k);
    uint64_t *const x = info == GBL_SUCCESS ? sort_numbers(a, b, r->ends) : a;
    for (uint64_t k = 0; k < r->ends && info == GBL_SUCCESS; k++)
        if (k == 0 || x[k] != x[n - 1]) x[n++] = x[k];
    if (info == GBL_SUCCESS) labels->id = gb_io_alloc(n, sizeof *labels->id);
    if (labels->id)
        memcpy(labels->id, x, n * sizeof *x);
    else if (info == GBL_SUCCESS)
        info = gb_io_no_memory("the numbers of vertices");
    labels->n = n;
    gbl_Memory_free(a);
    gbl_Memory_free(b);
    return info;
}

static gbl_Info rank_by_sorting(gbl_Labels *labels, Ranking *r) {
    gb_Coo *const list = r->list;
    gbl_Info info = find_distinct(labels, r);
    if (info == GBL_SUCCESS && list->wide) {
        list->i = gb_io_alloc(list->capacity, sizeof *list->i);
        list->j = gb_io_alloc(list->capacity, sizeof *list->j);
        if (!list->i || !list->j) info = gb_io_no_memory("the edges");
    }
    if (info != GBL_SUCCESS) return info;
    r->id = labels->id;
    r->distinct = labels->n;
    gbl_parallel((r->ends + BLOCK - 1) / BLOCK, search_block, r);
    gbl_Memory_free(list->wi);
    gbl_Memory_free(list->wj);
    list->wi = list->wj = NULL;
    list->wide = false;
    return GBL_SUCCESS;
}

gbl_Info gb_labels_rank(gbl_Labels *labels, gb_Coo *list, gbl_Index *n) {
    Ranking ranking = {.list = list, .ends = 2 * list->n};
    uint64_t most = 0;
    for (uint64_t k = 0; k < ranking.ends; k++)
        if (end_at(list, k) > most) most = end_at(list, k);
    const bool dense =
        !list->wide && (most / TABLE_PER_NUMBER <= ranking.ends || most <= TABLE_LEAST);
    const gbl_Info info =
        dense ? rank_by_table(labels, &ranking, most) : rank_by_sorting(labels, &ranking);
    *n = labels->n;
    if (info != GBL_SUCCESS || labels->id[0] != 1 || labels->id[labels->n - 1] != labels->n)
        return info;
    gbl_Memory_free(labels->id); /* they are called as they are numbered */
    labels->id = NULL;
    labels->n = 0;
    return GBL_SUCCESS;
}
