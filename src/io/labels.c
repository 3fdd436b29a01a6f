/* SPDX-License-Identifier: Apache-2.0
 *
 * Vertices by name or by number: numbering them, and what each is called.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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
    char *end;
    const uint64_t number = strtoull(label, &end, 10);
    const bool whole = *label >= '0' && *label <= '9' && !*end;
    *vertex = number - 1;
    if (!labels->text && !labels->id) return whole && number > 0 ? GBL_SUCCESS : GBL_NO_VALUE;
    for (gbl_Index v = 0; v < labels->n; v++)
        if (labels->text ? strcmp(labels->text + labels->start[v], label) == 0
                         : whole && labels->id[v] == number)
            return *vertex = v, GBL_SUCCESS;
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

static uint64_t mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 32;
}

static uint32_t hash(const char *p, uint64_t n) {
    uint64_t h = n, word = 0;
    uint32_t half[2];
    for (; n > 8; p += 8, n -= 8) {
        memcpy(&word, p, 8);
        h = mix(h, word);
    }
    if (n < 4) { /* all bytes, some twice */
        if (n > 0)
            word = (uint64_t)(uint8_t)p[0] << 16 | (uint8_t)p[n / 2] << 8 | (uint8_t)p[n - 1];
        return (uint32_t)mix(h, word);
    }
    memcpy(&half[0], p, 4);
    memcpy(&half[1], p + n - 4, 4);
    return (uint32_t)mix(h, (uint64_t)half[0] << 32 | half[1]);
}

/* The slot of the name, or the free one where it belongs. */
static gb_NameSlot *find(const gb_Names *names, gb_Word word, uint32_t tag) {
    const gbl_Labels *const labels = names->labels;
    const uint64_t n = (uint64_t)(word.end - word.begin);
    uint64_t at = tag & (names->slots - 1);
    for (; names->table[at].name; at = (at + 1) & (names->slots - 1)) {
        if (names->table[at].tag != tag) continue;
        const uint64_t start = labels->start[names->table[at].name - 1];
        const char *const known = labels->text + start;
        if (start + n < names->text_size && memcmp(known, word.begin, n) == 0 && !known[n]) break;
    }
    return &names->table[at];
}

/* Makes the table long enough for some more names. */
static bool reserve(gb_Names *names) {
    while (4 * (names->labels->n + GB_NAMES_AT_ONCE) > 3 * names->slots) {
        const uint64_t old = names->slots;
        gb_NameSlot *const table = names->table;
        names->slots = old ? 2 * old : 1024;
        names->table = gb_io_alloc(names->slots, sizeof *table);
        if (names->table) memset(names->table, 0, names->slots * sizeof *table);
        for (uint64_t k = 0; k < old && names->table; k++) {
            uint64_t at = table[k].tag & (names->slots - 1);
            while (names->table[at].name) at = (at + 1) & (names->slots - 1);
            names->table[at] = table[k];
        }
        gbl_Memory_free(table);
        if (!names->table) return false;
    }
    return true;
}

int gb_names_find(const gb_Names *names, const gb_Word *words, int n, uint32_t *const ends[2],
                  gb_NewName *unknown) {
    const gbl_Labels *const labels = names->labels;
    uint32_t tag[GB_NAMES_AT_ONCE], name[GB_NAMES_AT_ONCE];
    int found = 0;
    /* what find() will read is prefetched for all words at once */
    for (int k = 0; k < n; k++) {
        tag[k] = hash(words[k].begin, (uint64_t)(words[k].end - words[k].begin));
        __builtin_prefetch(&names->table[tag[k] & (names->slots - 1)]);
    }
    for (int k = 0; k < n; k++) {
        name[k] = names->table[tag[k] & (names->slots - 1)].name;
        if (name[k]) __builtin_prefetch(&labels->start[name[k] - 1]);
    }
    for (int k = 0; k < n; k++)
        if (name[k]) __builtin_prefetch(labels->text + labels->start[name[k] - 1]);
    for (int k = 0; k < n; k++) {
        uint32_t *const vertex = &ends[k % 2][k / 2];
        const uint32_t known = find(names, words[k], tag[k])->name;
        if (known)
            *vertex = known - 1;
        else
            unknown[found++] = (gb_NewName){words[k], vertex, tag[k]};
    }
    return found;
}

static gbl_Info add(gb_Names *names, const gb_NewName *new) {
    gbl_Labels *const labels = names->labels;
    const size_t n = (size_t)(new->word.end - new->word.begin);
    gb_NameSlot *const slot = find(names, new->word, new->tag);
    if (!slot->name) {
        if (labels->n == UINT32_MAX - 1)
            return gbl_fail(GBL_INVALID_VALUE, NULL, "there are more than 2^32 - 2 labels");
        if (!grow(&labels->text, &names->text_room, names->text_size + n + 1, 1) ||
            !grow(&labels->start, &names->starts_room, labels->n + 1, sizeof *labels->start))
            return gb_io_no_memory("the labels");
        memcpy(labels->text + names->text_size, new->word.begin, n);
        labels->text[names->text_size + n] = '\0';
        labels->start[labels->n++] = names->text_size;
        names->text_size += n + 1;
        *slot = (gb_NameSlot){(uint32_t)labels->n, new->tag};
    }
    *new->vertex = slot->name - 1;
    return GBL_SUCCESS;
}

gbl_Info gb_names_add(gb_Names *names, const gb_NewName *new, uint64_t n) {
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t k = 0; k <= n && !info; k++) {
        if (k % GB_NAMES_AT_ONCE == 0) {
            if (!reserve(names)) return gb_io_no_memory("the labels");
            for (uint64_t l = k; l < n && l < k + GB_NAMES_AT_ONCE; l++)
                __builtin_prefetch(&names->table[new[l].tag &(names->slots - 1)]);
        }
        if (k < n) info = add(names, &new[k]);
    }
    return info;
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
    uint8_t *seen;      /* [most + 1] 1 for numbers that occur */
    uint32_t *rank;     /* [most + 1] of these; NULL: the number, less the first */
    const uint64_t *id; /* [distinct] ascending */
    uint64_t distinct;
} Ranking;

enum { BLOCK = 1 << 16 };

static uint64_t end_at(const gb_Coo *list, uint64_t k) {
    const bool column = k >= list->n;
    const uint64_t at = column ? k - list->n : k;
    return list->wide ? (column ? list->wj : list->wi)[at] : (column ? list->j : list->i)[at];
}

static uint64_t block_end(uint64_t n, gbl_Index b) {
    return n - b * BLOCK < BLOCK ? n : (b + 1) * BLOCK;
}

static void mark(uint8_t *seen) { /* its cache line stays with all threads */
    if (!__atomic_load_n(seen, __ATOMIC_RELAXED)) __atomic_store_n(seen, 1, __ATOMIC_RELAXED);
}

static void mark_block(void *context, gbl_Index b) {
    const Ranking *const r = context;
    const gb_Coo *const list = r->list;
    for (uint64_t k = b * BLOCK; k < block_end(list->n, b); k++) {
        mark(&r->seen[list->i[k]]);
        mark(&r->seen[list->j[k]]);
    }
    gb_coo_leave(list, b * BLOCK, block_end(list->n, b));
}

static void rank_block(void *context, gbl_Index b) {
    const Ranking *const r = context;
    const gb_Coo *const list = r->list;
    const uint32_t first = (uint32_t)r->id[0];
    for (uint64_t k = b * BLOCK; k < block_end(list->n, b); k++) {
        list->i[k] = r->rank ? r->rank[list->i[k]] : list->i[k] - first;
        list->j[k] = r->rank ? r->rank[list->j[k]] : list->j[k] - first;
    }
    gb_coo_leave(list, b * BLOCK, block_end(list->n, b));
}

static void search_block(void *context, gbl_Index b) {
    const Ranking *const r = context;
    const gb_Coo *const list = r->list;
    for (uint64_t k = b * BLOCK; k < block_end(r->ends, b); k++) {
        const uint64_t number = end_at(list, k);
        uint64_t low = 0, high = r->distinct;
        while (high - low > 1) {
            const uint64_t mid = low + (high - low) / 2;
            *(r->id[mid] <= number ? &low : &high) = mid;
        }
        *(k < list->n ? &list->i[k] : &list->j[k - list->n]) = (uint32_t)low;
    }
}

/* By marks in a table of most + 1 numbers. */
static gbl_Info rank_by_table(gbl_Labels *labels, Ranking *r, uint64_t most) {
    const gbl_Index blocks = (r->list->n + BLOCK - 1) / BLOCK;
    r->seen = gb_io_alloc(most + 1, 1);
    if (!r->seen) return gb_io_no_memory("the numbers of vertices");
    memset(r->seen, 0, most + 1);
    gbl_parallel(blocks, mark_block, r);
    for (uint64_t v = 0; v <= most; v++) labels->n += r->seen[v];
    const uint64_t first = (uint64_t)((uint8_t *)memchr(r->seen, 1, most + 1) - r->seen);
    const bool gaps = most + 1 - first > labels->n;
    if (gaps) r->rank = gb_io_alloc(most + 1, sizeof *r->rank);
    labels->id = gb_io_alloc(labels->n, sizeof *labels->id);
    uint32_t rank = 0;
    for (uint64_t v = first; v <= most && labels->id && (r->rank || !gaps); v++) {
        if (!r->seen[v]) continue;
        labels->id[rank] = v;
        if (gaps) r->rank[v] = rank;
        rank++;
    }
    gbl_Memory_free(r->seen);
    r->id = labels->id;
    if (rank > 0) gbl_parallel(blocks, rank_block, r);
    gbl_Memory_free(r->rank);
    return rank > 0 ? GBL_SUCCESS : gb_io_no_memory("the numbers of vertices");
}

/* Sorts x[n] by digits from the lowest, in an even number of passes; other has the same length. */
static void sort_numbers(uint64_t *x, uint64_t *other, uint64_t n) {
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
}

static gbl_Info find_distinct(gbl_Labels *labels, const Ranking *r) {
    uint64_t *const a = gb_io_alloc(r->ends, sizeof *a), *const b = gb_io_alloc(r->ends, sizeof *b);
    if (!a || !b) {
        gbl_Memory_free(a);
        gbl_Memory_free(b);
        return gb_io_no_memory("the numbers of vertices");
    }
    for (uint64_t k = 0; k < r->ends; k++) a[k] = end_at(r->list, k);
    sort_numbers(a, b, r->ends);
    gbl_Memory_free(b);
    for (uint64_t k = 0; k < r->ends; k++)
        if (k == 0 || a[k] != a[labels->n - 1]) a[labels->n++] = a[k];
    uint64_t *const shorter = gb_io_resize(a, r->ends, labels->n, sizeof *a);
    labels->id = shorter ? shorter : a;
    return GBL_SUCCESS;
}

static gbl_Info rank_by_sorting(gbl_Labels *labels, Ranking *r) {
    gb_Coo *const list = r->list;
    gbl_Info info = find_distinct(labels, r);
    if (info == GBL_SUCCESS && list->wide) {
        info = gb_coo_block(info, &list->i, list, list->capacity, sizeof *list->i);
        info = gb_coo_block(info, &list->j, list, list->capacity, sizeof *list->j);
    }
    if (info != GBL_SUCCESS) return info;
    r->id = labels->id;
    r->distinct = labels->n;
    gbl_parallel((r->ends + BLOCK - 1) / BLOCK, search_block, r);
    gb_coo_release(list, list->wi);
    gb_coo_release(list, list->wj);
    list->wi = list->wj = NULL;
    list->wide = false;
    return GBL_SUCCESS;
}

gbl_Info gb_labels_rank(gbl_Labels *labels, gb_Coo *list, uint64_t most, gbl_Index *n) {
    Ranking ranking = {.list = list, .ends = 2 * list->n};
    const bool dense =
        !list->wide && (most / TABLE_PER_NUMBER <= ranking.ends || most <= TABLE_LEAST);
    gbl_Info info = GBL_SUCCESS; /* the rest must fit in memory */
    if (list->to) info = gb_io_claim(dense ? 5 * most : 32 * list->n, "the numbers of vertices");
    if (info == GBL_SUCCESS)
        info = dense ? rank_by_table(labels, &ranking, most) : rank_by_sorting(labels, &ranking);
    *n = labels->n;
    if (info != GBL_SUCCESS || labels->id[0] != 1 || labels->id[labels->n - 1] != labels->n)
        return info;
    gbl_Memory_free(labels->id); /* they are called as they are numbered */
    labels->id = NULL;
    labels->n = 0;
    return GBL_SUCCESS;
}
