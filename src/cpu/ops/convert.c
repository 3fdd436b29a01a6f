/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions between compressed forms.
 *
 * Transposing is a counting sort by minor index: the rows are cut into parts of equal entries, each
 * part counts its columns, a running sum over (column, part) gives every part its own slots, and
 * the parts scatter without conflict. The result has sorted rows and does not depend on the number
 * of parts. Cost O(nvals + parts * nminor), two passes over the entries.
 */
#include "core/arrays.h"
#include "cpu/common/sort.h"
#include "cpu/cpu.h"

/* -- dense matrices ------------------------------------------------------------------------- */

/* to[c * rows + r] = x[r * columns + c], each of `size` bytes; the arrays do not overlap. */
typedef struct {
    const char *x;
    char *to;
    uint64_t rows, columns;
    size_t size;
} gb_DenseTranspose;

/* Dense arrays turned. A stripe of columns is as many rows of the result, whose lines stay in the
 * first cache until they are filled; of a line of x, the stripe takes all or most. Bytes, those of
 * bitmaps and booleans, go by blocks of 8 x 8: eight words whose halves, quarters and bytes change
 * places, as bits do in Hacker's Delight, section 7-3. Cost: rows * columns values, each read and
 * written once. */

/* -- values ------------------------------------------------------------------------------------ */

/* Columns from `first` on, at most `most`. */
GB_INLINE void transpose_stripe(const size_t size, const gb_DenseTranspose *t,
                                const uint64_t rows[2], uint64_t first, uint64_t most) {
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

/* Rows [from, to) of x. Calls for other rows may run side by side. O(rows * columns). */
static void transpose_rows(const gb_DenseTranspose *t, uint64_t from, uint64_t to) {
    const uint64_t rows[2] = {from, to};
    if (t->size == 1) {
        turn_bytes(t, rows);
        return;
    }
    const bool aliased = t->rows * t->size % GB_TURN_APART == 0;
    const uint64_t most = aliased ? GB_TURN_ALIASED : GB_TURN_COLUMNS;
    for (uint64_t c = 0; c < t->columns; c += most)
        GB_BY_SIZE(transpose_stripe, t->size, t, rows, c, most);
}

static void turn_range(void *context, uint64_t from, uint64_t to) {
    transpose_rows(context, from, to);
}

gbl_Info gb_cpu_transpose_dense(const gb_DenseView *u, uint64_t columns, gb_Dense *z,
                                int nthreads) {
    const uint64_t rows = u->n / columns;
    const int threads = gb_threads_for(u->n, GB_GRAIN, nthreads);
    const size_t xbytes = gb_size_of(u->iso ? 1 : u->n, u->xsize);
    gbl_Info info = gb_dense_alloc(z, u->n, xbytes, false); /* all of it will be written */
    if (info != GBL_SUCCESS) return info;
    z->b = u->b != NULL ? gb_malloc(u->n) : NULL;
    if (u->b != NULL && z->b == NULL) {
        gb_dense_free(z);
        return gb_fail_memory(u->n);
    }
    gb_DenseTranspose bits = {(const char *)u->b, (char *)z->b, rows, columns, 1};
    gb_DenseTranspose values = {u->x, z->x, rows, columns, u->xsize};
    if (u->b != NULL) info = gb_parallel_try_ranges(threads, rows, turn_range, &bits);
    if (!u->iso && info == GBL_SUCCESS)
        info = gb_parallel_try_ranges(threads, rows, turn_range, &values);
    if (u->iso) memcpy(z->x, u->x, u->xsize);
    z->nvals = u->nvals;
    z->iso = u->iso;
    if (info != GBL_SUCCESS) gb_dense_free(z);
    return info;
}

/* -- CSR and CSC */

static inline void put(char *z, uint64_t to, const char *x, uint64_t from, size_t size) {
    gb_copy_value(z + size * to, x + size * from, size);
}

/* First row whose entries start in part t of `parts`, or later. */
static uint64_t row_at(const gb_CsView *A, int t, int parts) {
    return gb_first_from(A->p, 0, A->nmajor, gb_part(A->nvals, (uint64_t)t, (uint64_t)parts));
}

/* slot[c] of each part becomes the first place of the part's entries of column c; Tp is filled. */
static void place_columns(gb_Off *slots, gb_Off *Tp, uint64_t columns, int parts) {
    gb_Off sum = 0;
    for (uint64_t c = 0; c < columns; c++) {
        Tp[c] = sum;
        for (int t = 0; t < parts; t++) {
            gb_Off *slot = &slots[(uint64_t)t * columns + c];
            const gb_Off count = *slot;
            *slot = sum;
            sum += count;
        }
    }
    Tp[columns] = sum;
}

typedef struct {
    const gb_CsView *A;
    gb_Cs *T;
    gb_Off *slots; /* [parts * columns] */
    int parts;
} Transposition;

static void count_part(void *context, int t) {
    const Transposition *job = context;
    const gb_CsView *A = job->A;
    gb_Off *count = job->slots + (uint64_t)t * A->nminor;
    const gb_Off from = A->p[row_at(A, t, job->parts)], to = A->p[row_at(A, t + 1, job->parts)];
    for (gb_Off p = from; p < to && !gb_call_stops();)
        for (const gb_Off end = to - p < GB_CALL_ENTRIES ? to : p + GB_CALL_ENTRIES; p < end; p++)
            count[A->i[p]]++;
}

static void scatter_part(void *context, int t) {
    const Transposition *job = context;
    const gb_CsView *A = job->A;
    gb_Cs *T = job->T;
    gb_Off *slot = job->slots + (uint64_t)t * A->nminor;
    const uint64_t from = row_at(A, t, job->parts), to = row_at(A, t + 1, job->parts);
    const bool values = A->x != NULL && !A->iso;
    for (uint64_t r = from; r < to; r++) {
        if (r % GB_CALL_ROWS == 0 && gb_call_stops()) return;
        for (gb_Off p = A->p[r]; p < A->p[r + 1]; p++) {
            const gb_Off q = slot[A->i[p]]++;
            T->i[q] = (gb_Idx)r;
            if (values) put(T->x, q, A->x, p, A->xsize);
        }
    }
}

static size_t value_bytes(const gb_CsView *A) {
    return A->x == NULL ? 0 : (A->iso ? 1 : A->nvals) * A->xsize;
}

/* T has the entries of A in another order, or is freed after an error. */
static gbl_Info complete(const gb_CsView *A, gb_Cs *T, gbl_Info info) {
    if (info != GBL_SUCCESS) {
        gb_cs_free(T);
        return info;
    }
    if (A->iso && A->x != NULL) memcpy(T->x, A->x, A->xsize);
    T->iso = A->iso;
    return GBL_SUCCESS;
}

/* -- full ones --------------------------------------------------------------------------------- */

typedef struct {
    const gb_CsView *A;
    gb_Cs *T;
    uint64_t parts;
} FullTransposition;

static void turn_part(void *context, uint64_t t) {
    const FullTransposition *job = context;
    const gb_CsView *A = job->A;
    const uint64_t end = gb_part(A->nminor, t + 1, job->parts);
    for (uint64_t c = gb_part(A->nminor, t, job->parts); c < end; c++) {
        job->T->p[c] = c * A->nmajor;
        for (uint64_t r = 0; r < A->nmajor; r++) job->T->i[c * A->nmajor + r] = (gb_Idx)r;
    }
    if (A->x == NULL || A->iso) return;
    const gb_DenseTranspose values = {A->x, job->T->x, A->nmajor, A->nminor, A->xsize};
    transpose_rows(&values, gb_part(A->nmajor, t, job->parts),
                   gb_part(A->nmajor, t + 1, job->parts));
}

static gbl_Info transpose_full(const gb_CsView *A, gb_Cs *T, int nthreads) {
    const int threads = gb_threads_for(A->nvals, GB_GRAIN, nthreads);
    const gbl_Info info = gb_cs_alloc(T, A->nminor, A->nvals, value_bytes(A));
    if (info != GBL_SUCCESS) return info;
    T->p[A->nminor] = A->nvals;
    FullTransposition job = {A, T, (uint64_t)gb_parts_for(threads)};
    return complete(A, T, gb_parallel_try(threads, job.parts, turn_part, &job));
}

/* -- all --------------------------------------------------------------------------------------- */

gbl_Info gb_cpu_transpose(const gb_CsView *A, gb_Cs *T, int nthreads) {
    const uint64_t columns = A->nminor;
    /* an entry at every place, in order: where values go needs no counting */
    if (A->sorted && A->nvals > 0 && A->nvals == A->nmajor * A->nminor)
        return transpose_full(A, T, nthreads);
    const int parts =
        gb_parts_counting(gb_threads_for(A->nvals, GB_GRAIN, nthreads), A->nvals, columns);
    const size_t bytes = gb_size_of(columns, (size_t)parts * sizeof(gb_Off));
    gb_Off *slots = gb_calloc(bytes);
    if (slots == NULL && bytes > 0) return gb_fail_memory(bytes);
    gbl_Info info = gb_cs_alloc(T, columns, A->nvals, value_bytes(A));
    if (info == GBL_SUCCESS) {
        Transposition job = {A, T, slots, parts};
        gb_parallel(parts, count_part, &job);
        info = gb_call_end();
        if (info == GBL_SUCCESS) {
            place_columns(slots, T->p, columns, parts);
            gb_parallel(parts, scatter_part, &job);
            info = gb_call_end();
        }
        info = complete(A, T, info);
    }
    gb_free(slots, bytes);
    return info;
}

/* Sorts one row through keys column << 32 | position; key and tmp have room for the row. */
static void sort_row(const gb_CsView *A, gb_Cs *T, uint64_t row, uint64_t *key, uint64_t *tmp) {
    const gb_Off start = A->p[row];
    const uint64_t n = A->p[row + 1] - start;
    for (uint64_t k = 0; k < n; k++) key[k] = (uint64_t)A->i[start + k] << 32 | k;
    gb_sort64(key, tmp, n, 32, 32 + gb_key_bits(A->nminor));
    for (uint64_t k = 0; k < n; k++) {
        T->i[start + k] = (gb_Idx)(key[k] >> 32);
        if (A->x != NULL && !A->iso)
            put(T->x, start + k, A->x, start + (key[k] & 0xFFFFFFFFu), A->xsize);
    }
}

typedef struct {
    const gb_CsView *A;
    gb_Cs *T;
    uint64_t *keys; /* [threads * 2 * room] */
    uint64_t room;  /* entries of the longest row */
    int parts;
} Sorting;

static void sort_part(void *context, uint64_t t) {
    const Sorting *job = context;
    const gb_CsView *A = job->A;
    uint64_t *key = job->keys + (uint64_t)gb_thread_id() * 2 * job->room;
    const uint64_t to = row_at(A, (int)t + 1, job->parts);
    for (uint64_t r = row_at(A, (int)t, job->parts); r < to; r++)
        sort_row(A, job->T, r, key, key + job->room);
}

gbl_Info gb_cpu_sort_rows(const gb_CsView *A, gb_Cs *T, int nthreads) {
    const int threads = gb_threads_for(A->nvals, GB_GRAIN, nthreads);
    const int parts = gb_parts_for(threads);
    const uint64_t room = gb_longest_row(A);
    const size_t bytes = (size_t)threads * 2 * room * sizeof(uint64_t);
    uint64_t *keys = gb_malloc(bytes);
    if (keys == NULL && bytes > 0) return gb_fail_memory(bytes);
    gbl_Info info = gb_cs_alloc(T, A->nmajor, A->nvals, value_bytes(A));
    if (info == GBL_SUCCESS) {
        memcpy(T->p, A->p, (A->nmajor + 1) * sizeof(gb_Off));
        Sorting job = {A, T, keys, room, parts};
        info = complete(A, T, gb_parallel_try(threads, (uint64_t)parts, sort_part, &job));
    }
    gb_free(keys, bytes);
    return info;
}
