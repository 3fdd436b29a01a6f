/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks of tiles; see tiles.h.
 */
#include "cpu/tiles.h"

#include "core/memory.h"

void gb_tile_marks_free(gb_TileMarks *marks, int nthreads, uint64_t columns) {
    for (int t = 0; marks != NULL && t < nthreads; t++) {
        gb_free(marks[t].stamp, columns * sizeof *marks->stamp);
        gb_free(marks[t].slot, columns * sizeof *marks->slot);
        gb_free(marks[t].list, columns * sizeof *marks->list);
        gb_free(marks[t].tmp, columns * sizeof *marks->tmp);
    }
    gb_free(marks, (size_t)nthreads * sizeof *marks);
}

gb_TileMarks *gb_tile_marks_new(int nthreads, uint64_t columns) {
    gb_TileMarks *marks = gb_calloc((size_t)nthreads * sizeof *marks);
    bool ok = marks != NULL;
    for (int t = 0; ok && t < nthreads; t++) {
        gb_TileMarks *m = &marks[t];
        m->stamp = gb_calloc(columns * sizeof *m->stamp);
        m->slot = gb_malloc(columns * sizeof *m->slot);
        m->list = gb_malloc(columns * sizeof *m->list);
        m->tmp = gb_malloc(columns * sizeof *m->tmp);
        ok = columns == 0 ||
             (m->stamp != NULL && m->slot != NULL && m->list != NULL && m->tmp != NULL);
    }
    if (ok) return marks;
    gb_tile_marks_free(marks, nthreads, columns);
    return NULL;
}
