/* SPDX-License-Identifier: Apache-2.0
 *
 * Triangles of an undirected graph.
 *
 * Of a list of short sorted rows: a row's neighbours below its own number are intersected with the
 * rows of those, as in the GAP benchmark (S. Beamer, K. Asanovic, D. Patterson, 2015). Most
 * vertices of grids and roads have fewer than two such neighbours and are passed over without a
 * branch.
 *
 * Of a degree-ordered lower triangle (core/forms.h), with vertex v and its list L(v): |L(v)
 * & L(w)| for each w in L(v). Panel by panel the bits of L(v) stay in a register and are
 * intersected with those of each w that is beyond; most lists have few panels, and no list is as
 * long as a loop that is foreseen. A w without bits has its list looked up in marks.
 *
 * Preconditions: those of gb_TriangleArgs. Cost: for each edge (v, w) a line of eight words for
 * each panel that L(v) has bits in below w, or the length of L(w); of short rows that length alone.
 */
#include <stdalign.h>

#include "kernel_api/backend.h"
#include "core/arrays.h"
#include "cpu/simd/isa.h"

enum { MARK_PAD = 4 }; /* what vectors may load behind the last */

/* -- short rows -------------------------------------------------------------------------------- */

/* Rows of [from, to), a batch, whose second entry is below their own number; how many. */
static unsigned find_rows(const gb_CsView *A, uint64_t from, uint64_t to, gb_Idx *restrict rows) {
    const gb_Off *restrict p = A->p;
    const gb_Off last = A->nvals - 1;
    unsigned n = 0;
    for (uint64_t v = from; v < to; v++) {
        const gb_Off second = p[v] + 1;
        const gb_Idx neighbour = A->i[second < last ? second : last];
        rows[n] = (gb_Idx)v;
        n += (second < p[v + 1]) & (neighbour < v);
    }
    return n;
}

/* Of the neighbours of v before its k-th, those of the k-th. */
GB_OP uint64_t count_before(const gb_CsView *A, const gb_Idx *row, uint64_t k) {
    const gb_Off begin = A->p[row[k]], end = A->p[row[k] + 1ull];
    return gb_count_few(gb_few(row, k), A->i + begin, end - begin);
}

/* Its first two neighbours are below v. Mostly these are all, and one look at the second's row
 * tells. */
static uint64_t count_row(const gb_CsView *A, uint64_t v) {
    const gb_Off *restrict p = A->p;
    const gb_Idx *restrict row = A->i + p[v];
    const uint64_t n = p[v + 1] - p[v];
    uint64_t found = count_before(A, row, 1), k = 2;
    for (; k < n && row[k] < v && k <= GB_FEW_MOST; k++) found += count_before(A, row, k);
    for (; k < n && row[k] < v; k++) {
        const gb_Off w = p[row[k]];
        found += gb_count_common(row, k, A->i + w, p[row[k] + 1ull] - w);
    }
    return found;
}

static uint64_t count_rows(const gb_CsView *A, uint64_t from, uint64_t to) {
    gb_Idx rows[GB_DOT_BATCH];
    uint64_t found = 0;
    for (uint64_t v = from; v < to; v += GB_DOT_BATCH) {
        const unsigned n = find_rows(A, v, to - v < GB_DOT_BATCH ? to : v + GB_DOT_BATCH, rows);
        for (unsigned k = 0; k < n; k++) found += count_row(A, rows[k]);
    }
    return found;
}

/* -- a degree-ordered lower triangle ----------------------------------------------------------- */

typedef struct {
    gb_Idx *list;  /* [longest] those of L(v) that are still intersected */
    uint8_t *mark; /* [vertices + MARK_PAD] 0 between lists */
} Work;

/* L(v) in bits, by panels; 0 between lists. */
typedef struct {
    alignas(64) uint64_t bits[GB_DEGREE_LOWER_BLOCKS * GB_BITS_WORDS];
    uint64_t panels; /* that have bits, one bit each */
} Row;

/* Sets the bits of L(v); those below `end` go to `list`; how many. */
static uint64_t spread(Row *row, gb_Idx *restrict list, const gb_Idx *restrict neighbours,
                       uint64_t n, gb_Idx end) {
    uint64_t *restrict bits = row->bits;
    uint64_t kept = 0, panels = 0;
    for (uint64_t k = 0; k < n; k++) {
        const gb_Idx w = neighbours[k];
        list[kept] = w;
        if (w >= end) continue;
        kept++;
        bits[w / 64] |= (uint64_t)1 << w % 64;
        panels |= (uint64_t)1 << w / GB_BITS_BLOCK;
    }
    row->panels = panels;
    return kept;
}

/* Those of `list`, n of them, that have a number from `least` on; how many. */
static uint64_t keep_from(gb_Idx *list, uint64_t n, gb_Idx least) {
    uint64_t kept = 0;
    for (uint64_t k = 0; k < n; k++) {
        const gb_Idx w = list[k];
        list[kept] = w;
        kept += w >= least;
    }
    return kept;
}

/* Adds to *sum what each w of `list` has in common with the row. */
static void intersect_panels(const gb_DegreeLower *graph, Row *row, gb_Idx *list, uint64_t n,
                             gb_AndSum *sum) {
    gb_AndSum all = *sum;
    for (; row->panels != 0; row->panels &= row->panels - 1) {
        const uint64_t b = (uint64_t)__builtin_ctzll(row->panels);
        const uint64_t *panel = graph->bits + gb_panel_start(graph->blocks, b) * GB_BITS_WORDS;
        uint64_t *bits = row->bits + b * GB_BITS_WORDS;
        if (b > 0) n = keep_from(list, n, (gb_Idx)(b * GB_BITS_BLOCK));
        for (uint64_t k = 0; k < n; k++)
            gb_and_sum(&all, bits, panel + (uint64_t)list[k] * GB_BITS_WORDS, 1);
        memset(bits, 0, GB_BITS_WORDS * sizeof *bits);
    }
    *sum = all;
}

/* What each w of L(v) from `end` on has in common with L(v). */
static uint64_t look_up(const gb_DegreeLower *graph, uint8_t *mark, uint64_t v, gb_Idx end) {
    const gb_Off *restrict p = graph->lists.p;
    const gb_Idx *restrict columns = graph->lists.i;
    const gb_Off ahead = graph->lists.nvals;
    uint64_t found = 0;
    for (gb_Off q = p[v]; q < p[v + 1]; q++) mark[columns[q]] = 1;
    for (gb_Off q = p[v]; q < p[v + 1]; q++) {
        const gb_Idx w = columns[q];
        if (w < end) continue;
        if (q + GB_DOT_PREFETCH < ahead)
            __builtin_prefetch(columns + p[columns[q + GB_DOT_PREFETCH]]);
        const uint64_t n = p[w + 1] - p[w];
        const gb_Idx *list = columns + p[w];
        if (n > GB_DOT_LOOKED)
            found += gb_count_marked(mark, list, n);
        else
            for (uint64_t k = 0; k < n; k++) found += mark[list[k]];
    }
    for (gb_Off q = p[v]; q < p[v + 1]; q++) mark[columns[q]] = 0;
    return found;
}

static uint64_t count_lists(const gb_DegreeLower *graph, Work *w, uint64_t from, uint64_t to) {
    const gb_Off *restrict p = graph->lists.p;
    const gb_Idx end = graph->blocks * GB_BITS_BLOCK;
    gb_AndSum sum = {0};
    uint64_t found = 0;
    Row row = {.panels = 0};
    for (uint64_t v = from; v < to; v++) {
        const uint64_t n = p[v + 1] - p[v];
        if (n < 2) continue;
        const uint64_t kept = spread(&row, w->list, graph->lists.i + p[v], n, end);
        intersect_panels(graph, &row, w->list, kept, &sum);
        if (kept < n) found += look_up(graph, w->mark, v, end);
    }
    return found + gb_and_total(&sum);
}

/* -- both -------------------------------------------------------------------------------------- */

typedef struct {
    const gb_TriangleArgs *g;
    const gb_CsView *lists; /* that are shared out */
    uint64_t parts;
    Work *work;     /* [threads]; NULL: short rows */
    uint64_t found; /* atomic */
} Counting;

static void count_part(void *context, uint64_t t) {
    Counting *c = context;
    const gb_CsView *A = c->lists;
    const uint64_t from = gb_first_row(A, t, c->parts), to = gb_first_row(A, t + 1, c->parts);
    if (!gb_progress_add(c->g->meter, A->p[to] - A->p[from])) return;
    const uint64_t found = c->work != NULL
                               ? count_lists(&c->g->graph, &c->work[gb_thread_id()], from, to)
                               : count_rows(A, from, to);
    __atomic_fetch_add(&c->found, found, __ATOMIC_RELAXED);
}

static void free_work(Work *work, int threads, const gb_DegreeLower *graph) {
    for (int t = 0; work != NULL && t < threads; t++) {
        gb_free(work[t].list, (graph->longest + 1) * sizeof *work[t].list);
        gb_free(work[t].mark, graph->lists.nmajor + MARK_PAD);
    }
    gb_free(work, (size_t)threads * sizeof *work);
}

static Work *make_work(int threads, const gb_DegreeLower *graph) {
    Work *work = gb_calloc((size_t)threads * sizeof *work);
    for (int t = 0; work != NULL && t < threads; t++) {
        work[t].list = gb_malloc((graph->longest + 1) * sizeof *work[t].list);
        work[t].mark = gb_calloc(graph->lists.nmajor + MARK_PAD);
        if (work[t].list != NULL && work[t].mark != NULL) continue;
        free_work(work, threads, graph);
        return NULL;
    }
    return work;
}

gbl_Info GB_ISA_NAME(gb_count_triangles)(const gb_TriangleArgs *args, uint64_t *triangles) {
    const gb_DegreeLower *graph = &args->graph;
    const bool ordered = graph->lists.p != NULL;
    Counting c = {.g = args, .lists = ordered ? &graph->lists : &args->A};
    const int threads = args->nthreads;
    const uint64_t units = c.lists->nmajor + c.lists->nvals;
    const bool whole = threads == 1 && !args->meter->active;
    c.parts = whole ? 1 : units / GB_CHUNK_ENTRIES + 1;
    if (ordered) c.work = make_work(threads, graph);
    if (ordered && c.work == NULL)
        return gb_fail_memory((size_t)threads * gb_triangle_bytes(graph));
    gb_parallel_for(threads, c.parts, count_part, &c);
    free_work(c.work, threads, graph);
    *triangles = c.found;
    return GBL_SUCCESS;
}
