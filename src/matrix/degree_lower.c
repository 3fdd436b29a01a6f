/* SPDX-License-Identifier: Apache-2.0
 *
 * See derived.h. Vertices are sorted by counting; then each vertex counts its neighbours of lower
 * numbers, and writes them.
 */
#include "matrix/matrix.h"

enum { LINE = 64, VIEWS = 2 };

typedef struct {
    gb_CsView half[VIEWS]; /* a vertex's neighbours: its row, and of a triangle its column */
    int halves, threads;
    uint64_t n, edges, numbered; /* vertices, all and those with edges */
    gb_Idx *number;              /* [n] of a vertex; those without edges come last */
    gb_Idx *vertex;              /* [n] of a number */
    gb_Derived *form;
    gb_Off *p;
    gb_Idx *i;
    uint64_t *bits;
} Making;

static uint64_t degree(const Making *m, uint64_t vertex) {
    uint64_t sum = 0;
    for (int h = 0; h < m->halves; h++) sum += m->half[h].p[vertex + 1] - m->half[h].p[vertex];
    return sum;
}

/* -- numbers ----------------------------------------------------------------------------------- */

/* next[d] = the first number of a vertex of degree d, for degrees up to `most`. */
static void number_degrees(const Making *m, gb_Idx *next, uint64_t most) {
    for (uint64_t v = 0; v < m->n; v++) next[degree(m, v)]++;
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
    for (uint64_t v = 0; v < m->n; v++) most = degree(m, v) > most ? degree(m, v) : most;
    const size_t bytes = (most + 1) * sizeof(gb_Idx);
    gb_Idx *next = gb_calloc(bytes);
    if (next == NULL) return false;
    number_degrees(m, next, most);
    m->numbered = next[0];
    for (uint64_t v = 0; v < m->n; v++) {
        const gb_Idx number = next[degree(m, v)]++;
        m->number[v] = number;
        m->vertex[number] = (gb_Idx)v;
    }
    gb_free(next, bytes);
    return true;
}

/* -- lists ------------------------------------------------------------------------------------- */

static uint64_t count_lower(const Making *m, uint64_t vertex) {
    const gb_Idx *restrict number = m->number;
    const gb_Idx mine = number[vertex];
    uint64_t found = 0;
    for (int h = 0; h < m->halves; h++) {
        const gb_CsView *A = &m->half[h];
        for (gb_Off q = A->p[vertex]; q < A->p[vertex + 1]; q++) found += number[A->i[q]] < mine;
    }
    return found;
}

/* So many neighbours of lower numbers, and nothing behind them, where other threads write. */
static void list_lower(const Making *m, uint64_t vertex, gb_Idx *restrict list, uint64_t length) {
    const gb_Idx *restrict number = m->number;
    const gb_Idx mine = number[vertex];
    uint64_t found = 0;
    for (int h = 0; h < m->halves; h++) {
        const gb_CsView *A = &m->half[h];
        for (gb_Off q = A->p[vertex]; q < A->p[vertex + 1] && found < length; q++) {
            const gb_Idx other = number[A->i[q]];
            list[found] = other;
            found += other < mine;
        }
    }
}

static uint64_t part_begin(const Making *m, uint64_t t) {
    return gb_first_row(&m->half[0], t, (uint64_t)gb_parts_for(m->threads));
}

static void count_part(void *context, uint64_t t) {
    const Making *m = context;
    const uint64_t to = part_begin(m, t + 1);
    for (uint64_t v = part_begin(m, t); v < to; v++)
        if (m->number[v] < m->numbered) m->p[m->number[v] + 1] = count_lower(m, v);
}

static void list_part(void *context, uint64_t t) {
    const Making *m = context;
    const uint64_t to = part_begin(m, t + 1);
    for (uint64_t v = part_begin(m, t); v < to; v++) {
        const gb_Idx k = m->number[v];
        if (k < m->numbered) list_lower(m, v, m->i + m->p[k], m->p[k + 1] - m->p[k]);
    }
}

static void *reserve(Making *m, int block, size_t bytes) {
    m->form->block[block] = (gb_Block){gb_malloc(bytes), bytes};
    return m->form->block[block].at;
}

/* False without memory. */
static bool make_lists(Making *m) {
    gb_DegreeLower *graph = &m->form->view.degree_lower;
    m->p = reserve(m, 0, (m->numbered + 1) * sizeof(gb_Off));
    if (m->p == NULL) return false;
    gb_parallel_for(m->threads, (uint64_t)gb_parts_for(m->threads), count_part, m);
    m->p[0] = 0;
    for (uint64_t v = 0; v < m->numbered; v++) {
        const uint64_t length = m->p[v + 1];
        graph->longest = length > graph->longest ? length : graph->longest;
        m->p[v + 1] += m->p[v];
    }
    m->edges = m->p[m->numbered];
    m->i = reserve(m, 1, (m->edges + 1) * sizeof(gb_Idx));
    if (m->i == NULL) return false;
    gb_parallel_for(m->threads, (uint64_t)gb_parts_for(m->threads), list_part, m);
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
        const double looked_up = (double)degree(m, m->vertex[v]) - length;
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
    gb_Block numbers[2] = {{NULL, m.n * sizeof(gb_Idx)}, {NULL, m.n * sizeof(gb_Idx)}};
    m.form = form;
    if (!gb_malloc_all(numbers, 2)) return;
    m.number = numbers[0].at;
    m.vertex = numbers[1].at;
    form->made = number_vertices(&m) && make_lists(&m);
    if (form->made) {
        make_bits(&m);
    } else {
        gb_free_all(form->block, GB_DERIVED_BLOCKS);
        memset(form->block, 0, sizeof form->block);
        form->view.degree_lower = (gb_DegreeLower){0};
    }
    gb_free_all(numbers, 2);
}

/* Numbers are 32 bits wide, and what is made is within what a call may take. */
static bool is_in_range(const Making *m, uint64_t entries) {
    const uint64_t lines = GB_DEGREE_LOWER_LEAST + entries / GB_DEGREE_LOWER_SHARE;
    const uint64_t bytes = 4 * entries + 16 * m->n + lines * LINE;
    return entries < UINT32_MAX / 2 && m->n < INT32_MAX && bytes < gb_workspace_budget();
}

gb_DegreeLower gb_degree_lower_get(gb_Matrix *A, gb_Format format) {
    Making m = {.halves = gb_symmetry_of(A) == GB_SYMMETRIC ? 1 : 2};
    gb_DerivedRequest request = {
        .key = {GB_DERIVED_DEGREE_LOWER, format, 0}, .credit = 1, .cost = INFINITY};
    gb_Derived form = gb_derived_get(A, &request);
    if (form.made || form.credit < m.halves) return form.view.degree_lower;
    const gb_DegreeLower none = {0};
    if (gb_acquire(A, format, &m.half[0]) != GBL_SUCCESS) return none;
    m.n = m.half[0].nmajor;
    m.threads = gb_threads_for(m.half[0].nvals, GB_GRAIN, gb_nthreads());
    if (!is_in_range(&m, m.half[0].nvals)) return none;
    if (m.halves == 2 && gb_acquire(A, (gb_Format)(1 - format), &m.half[1]) != GBL_SUCCESS)
        return none;
    request = (gb_DerivedRequest){
        .key = request.key, .cost = GB_DERIVED_NOW, .make = make_degree_lower, .context = &m};
    return gb_derived_get(A, &request).view.degree_lower;
}
