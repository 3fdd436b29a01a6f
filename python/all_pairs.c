/* SPDX-License-Identifier: Apache-2.0
 *
 * What all shortest paths of a graph without weights add up to. Sources are cut into at most PARTS
 * parts, which threads take as they come, each with sums of its own that are added in order: the
 * result does not depend on the number of threads.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interface.h"

typedef gblite_python_Graph Graph;

enum { PARTS = 16, WORD = 64 };

/* A part's sources, its arrays, and how it ended. */
typedef struct {
    const uint32_t *source;
    uint64_t count;
    double *sum;
    gbl_Info info;
} Part;

typedef struct {
    const Graph *g;
    Part part[PARTS];
    gblite_python_Spread *to; /* of gblite_python_spread */
    const uint32_t *sources;
    bool of_edges; /* of gblite_python_shares */
} Call;

static gbl_Info no_memory(uint64_t n) {
    return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for searches of %llu vertices",
                    (unsigned long long)n);
}

/* Cuts the sources into parts of whole words, and adds the sums of all parts to `sum`. */
static gbl_Info run_parts(Call *call, uint64_t count, void (*run)(void *, gbl_Index), double *sum,
                          uint64_t width) {
    const uint64_t words = (count + WORD - 1) / WORD, parts = words < PARTS ? words : PARTS;
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t k = 0; k < parts; k++) {
        const uint64_t begin = words * k / parts * WORD, end = words * (k + 1) / parts * WORD;
        call->part[k].source = call->sources + begin;
        call->part[k].count = (end < count ? end : count) - begin;
        call->part[k].sum = calloc(width + 1, sizeof(double));
        if (!call->part[k].sum) info = no_memory(call->g->n);
    }
    if (!info) gbl_parallel(parts, run, call);
    for (uint64_t k = 0; k < parts; k++) {
        for (uint64_t v = 0; v < width && !info; v++) sum[v] += call->part[k].sum[v];
        if (!info && call->part[k].info) info = no_memory(call->g->n);
        free(call->part[k].sum);
    }
    return info;
}

/* ------------------------------------------------------------------------ 64 sources at once -- */

/* Bit s of seen[v]: source s of the word has reached v; of now[v]: in the last step. */
typedef struct {
    uint64_t *seen, *now, *then;
    uint32_t *list, *following; /* vertices with bits in now, and in then */
    uint64_t listed;
} Word;

static uint64_t next_vertices(const Graph *g, Word *word) {
    uint64_t found = 0;
    for (uint64_t k = 0; k < word->listed; k++) {
        const uint32_t v = word->list[k];
        for (uint64_t e = g->p[v]; e < g->p[v + 1]; e++) {
            const uint32_t w = g->i[e];
            const uint64_t fresh = word->now[v] & ~word->seen[w];
            if (!fresh) continue;
            if (!word->then[w]) word->following[found++] = w;
            word->then[w] |= fresh;
        }
    }
    for (uint64_t k = 0; k < word->listed; k++) word->now[word->list[k]] = 0;
    uint32_t *list = word->list;
    uint64_t *now = word->now;
    word->list = word->following;
    word->following = list;
    word->now = word->then;
    word->then = now;
    return found;
}

/* sum: for each vertex how many sources reach it, the sum of their distances, and of 1/distance. */
static void spread_word(const Call *call, Word *word, const uint32_t *source, uint64_t count,
                        double *sum) {
    const Graph *g = call->g;
    uint32_t *far = call->to->far + (source - call->sources);
    uint64_t *reached = call->to->reached + (source - call->sources);
    memset(word->seen, 0, g->n * sizeof *word->seen);
    word->listed = 0;
    for (uint64_t s = 0; s < count; s++) {
        if (!word->now[source[s]]) word->list[word->listed++] = source[s];
        word->now[source[s]] |= UINT64_C(1) << s;
        far[s] = 0;
        reached[s] = 0;
    }
    for (uint32_t level = 0; word->listed > 0; level++) {
        for (uint64_t k = 0; k < word->listed; k++) {
            const uint32_t v = word->list[k];
            uint64_t bits = word->now[v];
            const double fresh = (double)__builtin_popcountll(bits);
            word->seen[v] |= bits;
            sum[3 * v] += fresh;
            sum[3 * v + 1] += fresh * level;
            if (level > 0) sum[3 * v + 2] += fresh / level;
            for (; bits; bits &= bits - 1) {
                far[__builtin_ctzll(bits)] = level;
                reached[__builtin_ctzll(bits)]++;
            }
        }
        word->listed = call->to->cutoff > level ? next_vertices(g, word) : 0;
    }
}

static void spread_part(void *of, gbl_Index k) {
    Call *call = of;
    Part *part = &call->part[k];
    const uint64_t n = call->g->n;
    uint64_t *words = calloc(3 * n + 1, sizeof *words);
    uint32_t *lists = malloc((2 * n + 1) * sizeof *lists);
    Word word = {words, words + n, words + 2 * n, lists, lists + n, 0};
    part->info = words && lists ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
    for (uint64_t s = 0; s < part->count && !part->info; s += WORD) {
        const uint64_t left = part->count - s;
        spread_word(call, &word, part->source + s, left < WORD ? left : WORD, part->sum);
    }
    free(words);
    free(lists);
}

gbl_Info gblite_python_spread(double *sum, gblite_python_Spread *to, const Graph *g,
                              const uint32_t *sources, uint64_t count) {
    Call call = {.g = g, .to = to, .sources = sources};
    memset(sum, 0, 3 * g->n * sizeof *sum);
    return run_parts(&call, count, spread_part, sum, 3 * g->n);
}

/* -------------------------------------------------------------------------------- betweenness --
 */

typedef struct {
    uint32_t *order, *level;
    double *paths, *share;
} Brandes;

/* Counts the shortest paths from s; returns how many vertices there are in b->order. */
static uint64_t count_paths(const Graph *g, uint32_t s, Brandes *b) {
    uint64_t end = 1;
    for (uint64_t v = 0; v < g->n; v++) b->level[v] = UINT32_MAX;
    b->order[0] = s;
    b->level[s] = 0;
    b->paths[s] = 1;
    for (uint64_t k = 0; k < end; k++) {
        const uint32_t v = b->order[k];
        b->share[v] = 0;
        for (uint64_t e = g->p[v]; e < g->p[v + 1]; e++) {
            const uint32_t w = g->i[e];
            if (b->level[w] == UINT32_MAX) {
                b->level[w] = b->level[v] + 1;
                b->paths[w] = 0;
                b->order[end++] = w;
            }
            if (b->level[w] == b->level[v] + 1) b->paths[w] += b->paths[v];
        }
    }
    return end;
}

/* Adds the shares of the shortest paths from s that lead through each vertex to sum, and, if asked
 * for, along each edge to sum + n. Latest first, as networkx adds. */
static void add_shares(const Graph *g, uint64_t found, Brandes *b, double *sum, bool of_edges) {
    while (found-- > 0) {
        const uint32_t v = b->order[found];
        for (uint64_t e = g->p[v + 1]; e-- > g->p[v];) {
            const uint32_t w = g->i[e];
            if (b->level[w] != b->level[v] + 1) continue;
            const double part = b->paths[v] * ((1 + b->share[w]) / b->paths[w]);
            if (of_edges) sum[g->n + e] += part;
            b->share[v] += part;
        }
        if (found > 0) sum[v] += b->share[v];
    }
}

static void betweenness_part(void *of, gbl_Index k) {
    Call *call = of;
    Part *part = &call->part[k];
    const uint64_t n = call->g->n;
    uint32_t *whole = malloc((2 * n + 1) * sizeof *whole);
    double *real = malloc((2 * n + 1) * sizeof *real);
    Brandes b = {whole, whole + n, real, real + n};
    part->info = whole && real ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
    for (uint64_t s = 0; s < part->count && !part->info; s++) {
        const uint64_t found = count_paths(call->g, part->source[s], &b);
        add_shares(call->g, found, &b, part->sum, call->of_edges);
    }
    free(whole);
    free(real);
}

gbl_Info gblite_python_shares(double *sum, const Graph *g, const uint32_t *sources, uint64_t count,
                              bool of_edges) {
    Call call = {.g = g, .sources = sources, .of_edges = of_edges};
    const uint64_t width = g->n + (of_edges ? g->p[g->n] : 0);
    memset(sum, 0, width * sizeof *sum);
    return run_parts(&call, count, betweenness_part, sum, width);
}
