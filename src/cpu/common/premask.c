/* SPDX-License-Identifier: Apache-2.0
 *
 * Masks before products; see premask.h.
 */
#include "cpu/common/premask.h"

#include <string.h>

#include "core/arrays.h"
#include "core/parallel.h"
#include "core/tune.h"

void gb_premask_free(gb_Premask *pre) {
    gb_free(pre->alive, (pre->m / 64 + 1) * sizeof *pre->alive);
    gb_free(pre->flops, (pre->m + 1) * sizeof *pre->flops);
    gb_cs_free(&pre->B);
    *pre = (gb_Premask){0};
}

/* -- rows -------------------------------------------------------------------------------------- */

/* Length of a row of the mask that masks out the whole row of C. */
static uint64_t forbidding_length(const gb_MxmArgs *g) {
    return g->mask_kind == GB_MASK_INSIDE ? 0 : g->M.nminor;
}

static bool some_are_dead(const gb_MxmArgs *g) {
    const uint64_t dead = forbidding_length(g);
    for (uint64_t i = 0; i < g->M.nmajor; i++)
        if (g->M.p[i + 1] - g->M.p[i] == dead && g->flops[i + 1] > g->flops[i]) return true;
    return false;
}

static gbl_Info find_alive(gb_Premask *pre, gb_MxmArgs *g) {
    const uint64_t m = g->M.nmajor, dead = forbidding_length(g);
    if (!some_are_dead(g)) return GBL_SUCCESS;
    pre->m = m;
    pre->alive = gb_calloc((m / 64 + 1) * sizeof *pre->alive);
    pre->flops = gb_malloc((m + 1) * sizeof *pre->flops);
    if (pre->alive == NULL || pre->flops == NULL) return gb_fail_memory(m * sizeof(uint64_t));
    pre->flops[0] = 0;
    for (uint64_t i = 0; i < m; i++) {
        const bool alive = g->M.p[i + 1] - g->M.p[i] != dead;
        pre->alive[i / 64] |= (uint64_t)alive << (i % 64);
        pre->flops[i + 1] = pre->flops[i] + (alive ? g->flops[i + 1] - g->flops[i] : 0);
    }
    g->flops = pre->flops;
    return GBL_SUCCESS;
}

/* -- columns ----------------------------------------------------------------------------------- */

/* Marks the columns that the mask names and counts them. */
static uint64_t name_columns(const gb_MxmArgs *g, uint8_t *named) {
    uint64_t n = 0;
    for (uint64_t q = 0; q < g->M.nvals; q++) {
        n += !named[g->M.i[q]];
        named[g->M.i[q]] = 1;
    }
    return n;
}

typedef struct {
    const gb_CsView *B;
    const uint8_t *named; /* [nminor] */
    gb_Off *p;            /* [nmajor + 1] counts of the rows */
    gb_Cs *out;
} Narrow;

/* Rows [from, to) of B without the columns that are not named; out->p says where they go. */
static void copy_named(void *context, uint64_t from, uint64_t to) {
    const uint8_t *named = ((Narrow *)context)->named;
    const gb_CsView *B = ((Narrow *)context)->B;
    gb_Cs *out = ((Narrow *)context)->out;
    const size_t size = B->x != NULL && !B->iso ? B->xsize : 0;
    for (uint64_t k = from; k < to; k++) {
        gb_Off at = out->p[k];
        for (gb_Off q = B->p[k]; q < B->p[k + 1]; q++) {
            if (!named[B->i[q]]) continue;
            out->i[at] = B->i[q];
            if (size > 0) memcpy((char *)out->x + at * size, (const char *)B->x + q * size, size);
            at++;
        }
    }
}

static void count_named(void *context, uint64_t from, uint64_t to) {
    const Narrow *job = context;
    const gb_CsView *B = job->B;
    for (uint64_t k = from; k < to; k++) {
        uint64_t n = 0;
        for (gb_Off q = B->p[k]; q < B->p[k + 1]; q++) n += job->named[B->i[q]];
        job->p[k] = n;
    }
}

/* B without the columns that are not named. */
static gbl_Info narrow(gb_Premask *pre, gb_MxmArgs *g, const uint8_t *named) {
    const gb_CsView *B = &g->B;
    const size_t size = B->x != NULL && !B->iso ? B->xsize : 0;
    const uint64_t rows = B->nmajor;
    const int threads = gb_threads_for(B->nvals, GB_GRAIN, g->nthreads);
    gb_Off *p = gb_malloc((rows + 1) * sizeof *p);
    if (p == NULL) return gb_fail_memory((rows + 1) * sizeof *p);
    gb_Cs *out = &pre->B;
    Narrow job = {B, named, p, out};
    gb_parallel_ranges(threads, rows, count_named, &job);
    uint64_t total = 0;
    for (uint64_t k = 0; k < rows; k++) {
        const uint64_t n = p[k];
        p[k] = total;
        total += n;
    }
    p[rows] = total;
    const gbl_Info info = gb_cs_alloc(out, rows, total, total * size);
    if (info == GBL_SUCCESS) {
        memcpy(out->p, p, (rows + 1) * sizeof *p);
        gb_parallel_ranges(threads, rows, copy_named, &job);
        g->B.p = out->p;
        g->B.i = out->i;
        g->B.nvals = total;
        if (size > 0) g->B.x = g->args.Bx = out->x;
    }
    gb_free(p, (rows + 1) * sizeof *p);
    return info;
}

/* A copy of B pays as soon as it spares half of the products. */
static gbl_Info drop_columns(gb_Premask *pre, gb_MxmArgs *g) {
    const uint64_t n = g->B.nminor;
    if (n / GB_NAMED_WIDTH > g->B.nvals + g->M.nvals) return GBL_SUCCESS;
    uint8_t *named = gb_calloc(n);
    if (named == NULL) return gb_fail_memory(n);
    const bool few = name_columns(g, named) * GB_NAMED_SHARE < n;
    const gbl_Info info = few ? narrow(pre, g, named) : GBL_SUCCESS;
    gb_free(named, n);
    return info;
}

gbl_Info gb_premask_new(gb_Premask *pre, gb_MxmArgs *g) {
    *pre = (gb_Premask){0};
    if (g->mask_kind == GB_MASK_NONE) return GBL_SUCCESS;
    gbl_Info info = find_alive(pre, g);
    if (info == GBL_SUCCESS && g->mask_kind == GB_MASK_INSIDE) info = drop_columns(pre, g);
    if (info != GBL_SUCCESS) gb_premask_free(pre);
    return info;
}
