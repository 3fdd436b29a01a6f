/* SPDX-License-Identifier: Apache-2.0
 *
 * Dense arrays turned. A stripe of columns is as many rows of the result, whose lines stay in the
 * first cache until they are filled; of a line of x, the stripe takes all or most. Bytes, those of
 * bitmaps and booleans, go by blocks of 8 x 8: eight words whose halves, quarters and bytes change
 * places, as bits do in Hacker's Delight, section 7-3. Cost: rows * columns values, each read and
 * written once.
 */
#include "cpu/ops/dense_transpose.h"

#include <string.h>

#include "core/arrays.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "cpu/cpu.h"

/* -- values ------------------------------------------------------------------------------------ */

/* Columns from `first` on, at most `most`. */
__attribute__((always_inline)) static inline void turn_stripe(const gb_DenseTranspose *t,
                                                              const uint64_t rows[2],
                                                              uint64_t first, uint64_t most,
                                                              const size_t size) {
    const uint64_t left = t->columns - first, columns = left < most ? left : most;
    const char *x = t->x + first * size;
    char *to = t->to + first * t->rows * size;
    for (uint64_t r = rows[0]; r < rows[1]; r++)
        for (uint64_t c = 0; c < columns; c++)
            memcpy(to + (c * t->rows + r) * size, x + (r * t->columns + c) * size, size);
}

/* -- bytes ------------------------------------------------------------------------------------- */

enum { SIDE = 8 };

/* Parts of s bytes of word w beside the diagonal change places with those of word w + s. */
static inline void swap_parts(uint64_t *w, unsigned s, uint64_t mask) {
    const uint64_t t = ((w[0] >> 8 * s) ^ w[s]) & mask;
    w[s] ^= t;
    w[0] ^= t << 8 * s;
}

/* SIDE rows of x from `x` on, and as many of its columns. */
static inline void turn_block(const gb_DenseTranspose *t, const char *x, char *to) {
    uint64_t w[SIDE];
    for (unsigned k = 0; k < SIDE; k++) memcpy(&w[k], x + k * t->columns, SIDE);
    for (unsigned k = 0; k < 4; k++) swap_parts(w + k, 4, UINT64_C(0x00000000FFFFFFFF));
    for (unsigned k = 0; k < 8; k += k % 2 ? 3 : 1)
        swap_parts(w + k, 2, UINT64_C(0x0000FFFF0000FFFF));
    for (unsigned k = 0; k < 8; k += 2) swap_parts(w + k, 1, UINT64_C(0x00FF00FF00FF00FF));
    for (unsigned k = 0; k < SIDE; k++) memcpy(to + k * t->rows, &w[k], SIDE);
}

/* Rows [rows[0], rows[1]) and columns [columns[0], columns[1]), one by one. */
static void turn_edge(const gb_DenseTranspose *t, const uint64_t rows[2],
                      const uint64_t columns[2]) {
    for (uint64_t c = columns[0]; c < columns[1]; c++)
        for (uint64_t r = rows[0]; r < rows[1]; r++)
            t->to[c * t->rows + r] = t->x[r * t->columns + c];
}

static void turn_bytes(const gb_DenseTranspose *t, const uint64_t rows[2]) {
    const uint64_t columns = t->columns - t->columns % SIDE;
    const uint64_t end = rows[1] - (rows[1] - rows[0]) % SIDE;
    for (uint64_t first = 0; first < columns; first += GB_TURN_COLUMNS) {
        const uint64_t last =
            columns - first < GB_TURN_COLUMNS ? columns : first + (uint64_t)GB_TURN_COLUMNS;
        for (uint64_t r = rows[0]; r < end; r += SIDE)
            for (uint64_t c = first; c < last; c += SIDE)
                turn_block(t, t->x + r * t->columns + c, t->to + c * t->rows + r);
    }
    turn_edge(t, (const uint64_t[]){end, rows[1]}, (const uint64_t[]){0, columns});
    turn_edge(t, rows, (const uint64_t[]){columns, t->columns});
}

/* -- both -------------------------------------------------------------------------------------- */

void gb_turn_rows(const gb_DenseTranspose *t, uint64_t from, uint64_t to) {
    const uint64_t rows[2] = {from, to};
    if (t->size == 1) {
        turn_bytes(t, rows);
        return;
    }
    const bool aliased = t->rows * t->size % GB_TURN_APART == 0;
    const uint64_t most = aliased ? GB_TURN_ALIASED : GB_TURN_COLUMNS;
    for (uint64_t c = 0; c < t->columns; c += most) {
        if (t->size == 8)
            turn_stripe(t, rows, c, most, 8);
        else if (t->size == 4)
            turn_stripe(t, rows, c, most, 4);
        else
            turn_stripe(t, rows, c, most, t->size);
    }
}

static void turn_range(void *context, uint64_t from, uint64_t to) {
    gb_turn_rows(context, from, to);
}

gbl_Info gb_cpu_transpose_dense(const gb_DenseView *u, uint64_t columns, gb_Dense *z,
                                int nthreads) {
    const uint64_t rows = u->n / columns;
    const int threads = gb_threads_for(u->n, GB_GRAIN, nthreads);
    size_t xbytes;
    if (!gb_size_mul(&xbytes, u->iso ? 1 : u->n, u->xsize)) return gb_fail_memory(SIZE_MAX);
    gbl_Info info = gb_dense_alloc(z, u->n, xbytes, false); /* all of it will be written */
    if (info != GBL_SUCCESS) return info;
    z->b = u->b != NULL ? gb_malloc(u->n) : NULL;
    if (u->b != NULL && z->b == NULL) {
        gb_dense_free(z);
        return gb_fail_memory(u->n);
    }
    gb_DenseTranspose bits = {(const char *)u->b, (char *)z->b, rows, columns, 1};
    gb_DenseTranspose values = {u->x, z->x, rows, columns, u->xsize};
    if (u->b != NULL) gb_parallel_ranges(threads, rows, turn_range, &bits);
    if (!u->iso) gb_parallel_ranges(threads, rows, turn_range, &values);
    if (u->iso) memcpy(z->x, u->x, u->xsize);
    z->nvals = u->nvals;
    z->iso = u->iso;
    return GBL_SUCCESS;
}
