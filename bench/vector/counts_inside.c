/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the kernels that count, on one thread and with all rows in one chunk, so that they are
 * sorted as in the paper, and without a limit to accumulators.
 */
#include "vector/vector.h"

#include <stdlib.h>
#include <string.h>

#include "core/arrays.h"
#include "cpu/simd/veclayer.h"
#include "mxm/methods/vector.h"
#include "semiring/ids.h"

_Static_assert((int)VECTOR_STRIDED == GB_VEC_STRIDED && (int)VECTOR_GATHER == GB_VEC_GATHER &&
                   (int)VECTOR_SCATTER == GB_VEC_SCATTER && (int)VECTOR_KINDS == GB_VEC_KINDS,
               "the counter's numbers are those of the kernels");

vector_counter vector_counts;
const unsigned vector_lengths[VECTOR_LENGTHS] = {8, 16, 64, 256};

gbl_Info gb_mxm_vector_counted(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats);

/* Running sum of the products of rows. */
static uint64_t *count_flops(const vector_matrix *m) {
    uint64_t *flops = malloc((m->n + 1) * sizeof *flops);
    if (flops == NULL) return NULL;
    flops[0] = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        flops[i + 1] = flops[i];
        for (uint64_t p = m->p[i]; p < m->p[i + 1]; p++)
            flops[i + 1] += m->p[m->i[p] + 1] - m->p[m->i[p]];
    }
    return flops;
}

gbl_Info vector_count(const vector_matrix *m, const vector_setting *s) {
    static const double zero = 0.0;
    const gb_CsView A = {.nmajor = m->n,
                         .nminor = m->n,
                         .nvals = m->p[m->n],
                         .p = m->p,
                         .i = m->i,
                         .x = m->x,
                         .xsize = sizeof *m->x,
                         .sorted = true};
    const gb_VectorChoices choices = {s->variant, s->least, s->most, s->below};
    uint64_t *flops = count_flops(m);
    gb_Meter meter;
    gb_Cs T;
    gb_MxmStats stats;
    if (flops == NULL) return GBL_OUT_OF_MEMORY;
    gb_MxmArgs g = {
        .A = A,
        .B = A,
        .ring = GB_RING_PLUS_TIMES_FP64,
        .args = {.Ax = m->x,
                 .Bx = m->x,
                 .amask = UINT64_MAX,
                 .bmask = UINT64_MAX,
                 .astride = sizeof *m->x,
                 .bstride = sizeof *m->x,
                 .zsize = sizeof *m->x,
                 .identity = &zero},
        .allow = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0.0, 0.0, UINT64_MAX / 2},
        .flops = flops,
        .way = gb_vector_way(&choices),
        .nthreads = 1,
        .meter = &meter};
    g.way.bytes = (size_t)1 << 31;
    memset(&vector_counts, 0, sizeof vector_counts);
    gb_progress_begin(&meter, "count", flops[m->n]);
    const gbl_Info info = gb_mxm_vector_counted(&g, &T, &stats);
    if (info == GBL_SUCCESS) gb_cs_free(&T);
    for (uint32_t i = 0; i < m->n && g.way.kind == GB_BLOCKS_DENSE; i++)
        if (flops[i + 1] - flops[i] < g.way.below)
            vector_counts.in_blocks += (double)(flops[i + 1] - flops[i]);
    vector_counts.range = (double)g.way.block_most * m->n * (sizeof *m->x + sizeof(uint32_t));
    free(flops);
    return info;
}
