/* SPDX-License-Identifier: Apache-2.0
 *
 * See derived.h. Vertices are sorted by counting; then each edge is counted at its end of the
 * higher number, and written there. Parts of the rows count for themselves, so that each knows
 * where it writes.
 */
#include "matrix/matrix.h"

enum { LINE = 64 };

typedef struct {
    const gb_CsView *A;
    bool symmetric; /* an edge is held in both rows */
    int parts, threads;
    uint64_t n, edges, numbered; /* vertices, all and those with edges */
    uint32_t *degree;            /* [n] */
    gb_Idx *number;              /* [n] of a vertex; those without edges come last */
    gb_Idx *vertex;              /* [n] of a number */
    uint32_t *count;             /* [parts][n] */
    gb_Derived *form;
    gb_Off *p;
    gb_Idx *i;
    uint64_t *bits;
} Making;

static uint64_t first_row(const Making *m, int t) {
    return gb_first_row(m->A, (uint64_t)t, (uint64_t)m->parts);
}

/* -- numbers ----------------------------------------------------------------------------------- */

static void count_degrees(Making *m) {
    const gb_Off *p = m->A->p;
    if (!m->symmetric) gb_count_minors(m->A, m->parts, m->count);
    for (uint64_t v = 0; v < m->n; v++) m->degree[v] = (uint32_t)(p[v + 1] - p[v]);
    for (int t = 0; t < m->parts && !m->symmetric; t++)
        for (uint64_t v = 0; v < m->n; v++) m->degree[v] += m->count[(uint64_t)t * m->n + v];
}

/* next[d] = the first number of a vertex of degree d, for degrees up to `most`. */
static void number_degrees(const Making *m, gb_Idx *next, uint64_t most) {
    for (uint64_t v = 0; v < m->n; v++) next[m->degree[v]]++;
    gb_Idx sum = 0;
    for (uint64_t d = most + 1; d-- > 0;) {
        const gb_Idx here = next[d];
        next[d] = sum;
        sum += here;
    }
}

/* Vertices of one degree keep their order. False without memory. */
static bool number_vertices(Making *m) {
    uint64_t most = 0;
    count_degrees(m);
    for (uint64_t v = 0; v < m->n; v++) most = m->degree[v] > most ? m->degree[v] : most;
    const size_t bytes = (most + 1) * sizeof(gb_Idx);
    gb_Idx *next = gb_calloc(bytes);
    if (next == NULL) return false;
    number_degrees(m, next, most);
    m->numbered = next[0];
    for (uint64_t v = 0; v < m->n; v++) {
        const gb_Idx number = next[m->degree[v]]++;
        m->number[v] = number;
        m->vertex[number] = (gb_Idx)v;
    }
    gb_free(next, bytes);
    return true;
}

/* -- lists ------------------------------------------------------------------------------------- */

/* Each edge at its end of the higher number: counted, or with m->i written at the count so far. */
static void visit_part(void *context, int t) {
    const Making *m = context;
    const gb_Idx *restrict columns = m->A->i, *restrict number = m->number;
    uint32_t *restrict next = m->count + (uint64_t)t * m->n;
    const uint64_t to = first_row(m, t + 1);
    gb_Idx *const list = m->i;
    if (list == NULL) memset(next, 0, m->n * sizeof *next);
    for (uint64_t v = first_row(m, t); v < to; v++) {
        /* of a symmetric matrix the entries below row v are its edges, each once */
        const gb_Idx mine = number[v], end = m->symmetric ? (gb_Idx)v : UINT32_MAX;
        for (gb_Off q = m->A->p[v]; q < m->A->p[v + 1] && columns[q] < end; q++) {
            const gb_Idx other = number[columns[q]];
            const uint32_t at = next[other > mine ? other : mine]++;
            if (list != NULL) list[at] = other > mine ? mine : other;
        }
    }
}

static void *reserve(Making *m, int block, size_t bytes) {
    m->form->block[block] = (gb_Block){gb_malloc(bytes), bytes};
    return m->form->block[block].at;
}

static void locate_lists(Making *m) {
    gb_DegreeLower *graph = &m->form->view.degree_lower;
    uint32_t sum = 0;
    for (uint64_t v = 0; v < m->numbered; v++) {
        m->p[v] = sum;
        for (int t = 0; t < m->parts; t++) {
            uint32_t *at = m->count + (uint64_t)t * m->n + v;
            const uint32_t length = *at;
            *at = sum;
            sum += length;
        }
        if (sum - m->p[v] > graph->longest) graph->longest = sum - m->p[v];
    }
    m->p[m->numbered] = m->edges = sum;
}

/* False without memory. */
static bool make_lists(Making *m) {
    gb_DegreeLower *graph = &m->form->view.degree_lower;
    m->p = reserve(m, 0, (m->numbered + 1) * sizeof(gb_Off));
    if (m->p == NULL) return false;
    gb_parallel(m->parts, visit_part, m);
    locate_lists(m);
    m->i = reserve(m, 1, (m->edges + 1) * sizeof(gb_Idx));
    if (m->i == NULL) return false;
    gb_parallel(m->parts, visit_part, m);
    graph->lists = (gb_CsView){
        .nmajor = m->numbered, .nminor = m->numbered, .nvals = m->edges, .p = m->p, .i = m->i};
    return true;
}

/* -- bits -------------------------------------------------------------------------------------- */

/* What it saves to AND b + 1 blocks with each vertex of block b that is looked up instead of
 * scanning its list: one that has f neighbours of higher numbers is looked up f times. */
static double saved_by(const Making *m, uint64_t b) {
    const uint64_t end = (b + 1) * GB_BITS_BLOCK;
    double saved = 0.0;
    for (uint64_t v = b * GB_BITS_BLOCK; v < end && v < m->numbered; v++) {
        const double length = (double)(m->p[v + 1] - m->p[v]);
        const double looked_up = (double)m->degree[m->vertex[v]] - length;
        saved += looked_up * (length - GB_DEGREE_LOWER_COST * (double)(b + 1));
    }
    return saved;
}

/* The number of blocks that saves most. */
static uint64_t choose_blocks(const Making *m) {
    double sum = 0.0, most = 0.0;
    uint64_t blocks = 0;
    for (uint64_t b = 0; b < GB_DEGREE_LOWER_BLOCKS && b * GB_BITS_BLOCK < m->numbered; b++) {
        if (gb_panel_lines(b + 1, b + 1) > GB_DEGREE_LOWER_LEAST + m->edges / GB_DEGREE_LOWER_SHARE)
            break;
        sum += saved_by(m, b);
        if (sum <= most) continue;
        most = sum;
        blocks = b + 1;
    }
    return blocks;
}

static void set_bits(void *context, uint64_t from, uint64_t to) {
    const Making *m = context;
    const uint64_t blocks = m->form->view.degree_lower.blocks;
    for (uint64_t v = from; v < to; v++)
        for (gb_Off q = m->p[v]; q < m->p[v + 1]; q++) {
            const gb_Idx k = m->i[q];
            const uint64_t line = gb_panel_start(blocks, k / GB_BITS_BLOCK) + v;
            m->bits[line * GB_BITS_WORDS + k / 64 % GB_BITS_WORDS] |= (uint64_t)1 << k % 64;
        }
}

/* Without memory there are none. */
static void make_bits(Making *m) {
    gb_DegreeLower *graph = &m->form->view.degree_lower;
    const uint64_t blocks = choose_blocks(m), end = blocks * GB_BITS_BLOCK;
    const size_t bytes = gb_panel_lines(blocks, blocks) * LINE;
    char *block = blocks > 0 ? reserve(m, 2, bytes + LINE) : NULL;
    if (block == NULL) return;
    m->bits = (uint64_t *)(void *)(block + (LINE - (uintptr_t)block % LINE) % LINE);
    memset(m->bits, 0, bytes);
    graph->blocks = (uint32_t)blocks;
    graph->bits = m->bits;
    gb_parallel_ranges(m->threads, end < m->numbered ? end : m->numbered, set_bits, m);
}

/* -- all --------------------------------------------------------------------------------------- */

static void make_degree_lower(gb_Derived *form, const void *context) {
    Making m = *(const Making *)context;
    const size_t bytes = m.n * sizeof(gb_Idx);
    gb_Block work[4] = {
        {.bytes = bytes}, {.bytes = bytes}, {.bytes = bytes}, {.bytes = (size_t)m.parts * bytes}};
    m.form = form;
    if (!gb_malloc_all(work, 4)) return;
    m.number = work[0].at;
    m.vertex = work[1].at;
    m.degree = work[2].at;
    m.count = work[3].at;
    form->made = number_vertices(&m) && make_lists(&m);
    if (form->made) {
        make_bits(&m);
    } else {
        gb_free_all(form->block, GB_DERIVED_BLOCKS);
        memset(form->block, 0, sizeof form->block);
        form->view.degree_lower = (gb_DegreeLower){0};
    }
    gb_free_all(work, 4);
}

/* Numbers are 32 bits wide, and what is made is within what a call may take. */
static bool is_in_range(const Making *m) {
    const uint64_t entries = m->A->nvals;
    const uint64_t lines = GB_DEGREE_LOWER_LEAST + entries / GB_DEGREE_LOWER_SHARE;
    const uint64_t bytes = 4 * entries + (20 + 4 * (uint64_t)m->parts) * m->n + lines * LINE;
    return entries < UINT32_MAX / 2 && m->n < INT32_MAX && bytes < gb_workspace_budget();
}

gb_DegreeLower gb_degree_lower_get(gb_Matrix *A, gb_Format format, bool now) {
    gb_CsView view;
    const gb_DegreeLower none = {0};
    gb_DerivedRequest request = {
        .key = {GB_DERIVED_DEGREE_LOWER, format, 0}, .credit = now ? 2 : 1, .cost = INFINITY};
    const gb_Derived form = gb_derived_get(A, &request);
    if (form.made || form.credit < 2) return form.view.degree_lower;
    if (gb_acquire(A, format, &view) != GBL_SUCCESS) return none;
    Making m = {.A = &view, .symmetric = gb_symmetry_of(A) == GB_SYMMETRIC, .n = view.nmajor};
    m.threads = gb_threads_for(view.nvals, GB_GRAIN, gb_nthreads());
    m.parts = m.threads < GB_HEAVY_PARTS ? m.threads : GB_HEAVY_PARTS;
    if (!is_in_range(&m)) return none;
    request = (gb_DerivedRequest){
        .key = request.key, .cost = GB_DERIVED_NOW, .make = make_degree_lower, .context = &m};
    return gb_derived_get(A, &request).view.degree_lower;
}
