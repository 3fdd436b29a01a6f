/* SPDX-License-Identifier: Apache-2.0
 *
 * See ungroup.h.
 */
#include "cpu/common/ungroup.h"

#include <string.h>

#include "core/parallel.h"
#include "core/tune.h"
#include "cpu/common/stream.h"

typedef struct {
    const gb_Cs *from;
    const gb_Idx *order;
    gb_Cs *T;
    size_t size;
    int parts;
    bool stream; /* past the caches: T does not fit into them */
} Ungrouping;

/* Parts have about as many entries and rows each. */
static uint64_t first_row(const Ungrouping *u, int t) {
    const uint64_t m = u->from->nmajor, work = m + u->from->nvals;
    return gb_row_at_work(u->from->p, m, 1, gb_part(work, (uint64_t)t, (uint64_t)u->parts));
}

static void move_rows(void *context, int t) {
    const Ungrouping *u = context;
    const gb_Off *p = u->from->p;
    const char *x = u->from->x;
    const uint64_t end = t + 1 < u->parts ? first_row(u, t + 1) : u->from->nmajor;
    for (uint64_t k = first_row(u, t); k < end; k++) {
        const gb_Off at = u->T->p[u->order[k]], n = p[k + 1] - p[k];
        if (n == 0) continue;
        char *to = (char *)u->T->x + at * u->size;
        if (u->stream) {
            gb_stream_copy((char *)(u->T->i + at), (const char *)(u->from->i + p[k]),
                           n * sizeof(gb_Idx));
            gb_stream_copy(to, x + p[k] * u->size, n * u->size);
        } else {
            memcpy(u->T->i + at, u->from->i + p[k], n * sizeof(gb_Idx));
            memcpy(to, x + p[k] * u->size, n * u->size);
        }
    }
    if (u->stream) gb_stream_end();
}

gbl_Info gb_ungroup(const gb_Cs *from, const gb_Idx *order, gb_Cs *T, size_t size, int nthreads) {
    const uint64_t m = from->nmajor, nvals = from->nvals;
    const size_t bytes = nvals * size; /* of values that exist */
    const gbl_Info info = gb_cs_alloc(T, m, nvals, bytes);
    if (info != GBL_SUCCESS) return info;
    T->p[0] = 0;
    for (uint64_t k = 0; k < m; k++) T->p[order[k] + 1] = from->p[k + 1] - from->p[k];
    for (uint64_t i = 0; i < m; i++) T->p[i + 1] += T->p[i];
    T->nvals = nvals;
    T->sorted = from->sorted;
    Ungrouping u = {
        from, order, T, size, gb_threads_for(nvals, GB_GRAIN, nthreads), bytes >= GB_STREAM_MIN};
    gb_parallel(u.parts, move_rows, &u);
    return GBL_SUCCESS;
}
