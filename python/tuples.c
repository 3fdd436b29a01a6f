/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices of lists of entries and of dense arrays. Entries that come in order are copied; others
 * are dealt out by column and then by row, which sorts them and keeps the order of what comes
 * twice, so that the result does not depend on the number of threads.
 */
#include "parts.h"

/* -------------------------------------------------------------------------- lists of entries -- */

typedef struct {
    const Tuples *t;
    int64_t parts;
    size_t bytes;
    uint64_t *p;
    uint32_t *i;
    char *x;
    bool outside, unordered; /* atomic */
} Build;

static inline int64_t index_of(const void *list, bool wide, int64_t k) {
    return wide ? ((const int64_t *)list)[k] : ((const int32_t *)list)[k];
}

static int64_t part_of(const Build *b, gbl_Index k) {
    return (int64_t)k == b->parts ? b->t->n : b->t->n / b->parts * (int64_t)k;
}

static inline void look_at(Build *b, int64_t k, int64_t end, bool wide) {
    const Tuples *t = b->t;
    const uint64_t rows = (uint64_t)t->rows, columns = (uint64_t)t->columns;
    uint64_t last = 0; /* 1 more than the key before */
    bool outside = false, unordered = false;
    if (k > 0)
        last = 1 + ((uint64_t)index_of(t->i, wide, k - 1) << 32 |
                    (uint64_t)index_of(t->j, wide, k - 1));
    for (; k < end; k++) {
        const uint64_t i = (uint64_t)index_of(t->i, wide, k), j = (uint64_t)index_of(t->j, wide, k);
        const uint64_t next = 1 + (i << 32 | j);
        outside |= i >= rows || j >= columns;
        unordered |= next <= last;
        last = next;
    }
    if (outside) __atomic_store_n(&b->outside, true, __ATOMIC_RELAXED);
    if (unordered) __atomic_store_n(&b->unordered, true, __ATOMIC_RELAXED);
}

static void look_part(void *of, gbl_Index k) {
    Build *b = of;
    if (b->t->wide)
        look_at(b, part_of(b, k), part_of(b, k + 1), true);
    else
        look_at(b, part_of(b, k), part_of(b, k + 1), false);
}

/* The part writes the pointers of the rows that begin in it. */
static inline void copy_at(const Build *b, int64_t k, int64_t end, bool wide) {
    const Tuples *t = b->t;
    int64_t row = k > 0 ? index_of(t->i, wide, k - 1) + 1 : 0;
    memcpy(b->x + (size_t)k * b->bytes, (const char *)t->x + (size_t)k * b->bytes,
           (size_t)(end - k) * b->bytes);
    for (; k < end; k++) {
        const int64_t i = index_of(t->i, wide, k);
        for (; row <= i; row++) b->p[row] = (uint64_t)k;
        b->i[k] = (uint32_t)index_of(t->j, wide, k);
    }
    if (end == t->n)
        for (; row <= t->rows; row++) b->p[row] = (uint64_t)end;
}

static void copy_part(void *of, gbl_Index k) {
    const Build *b = of;
    if (b->t->wide)
        copy_at(b, part_of(b, k), part_of(b, k + 1), true);
    else
        copy_at(b, part_of(b, k), part_of(b, k + 1), false);
}

static inline void deal_values(const Build *b, int32_t *at, const gblite_python_Made *to,
                               size_t bytes) {
    const Tuples *t = b->t;
    for (int64_t k = 0; k < t->n; k++) {
        const int32_t e = at[index_of(t->j, t->wide, k)]++;
        to->i[e] = (int32_t)index_of(t->i, t->wide, k);
        copy_value(to->x, e, t->x, k, bytes);
    }
}

/* The entries by column; p has room for two pointers more than there are columns. */
static void deal_by_column(const Build *b, const gblite_python_Made *to) {
    const Tuples *t = b->t;
    int32_t *at = to->p + 1;
    memset(to->p, 0, ((size_t)t->columns + 2) * sizeof *to->p);
    for (int64_t k = 0; k < t->n; k++) at[index_of(t->j, t->wide, k) + 1]++;
    for (int64_t c = 0; c < t->columns; c++) at[c + 1] += at[c];
#define CALL(bytes) deal_values(b, at, to, bytes)
    WITH_BYTES(b->bytes, CALL)
#undef CALL
}

/* Adds entries of one position, which stand side by side. */
#define DEFINE_ADD(N, T, U)                                                                        \
    static void add_##N(const Build *b, const int32_t *p) {                                        \
        T *x = (T *)b->x;                                                                          \
        uint64_t n = 0;                                                                            \
        b->p[0] = 0;                                                                               \
        for (int64_t r = 0; r < b->t->rows; r++) {                                                 \
            for (int64_t e = p[r]; e < p[r + 1]; e++) {                                            \
                if (e > p[r] && b->i[e] == b->i[n - 1]) {                                          \
                    x[n - 1] = (T)((U)x[n - 1] + (U)x[e]);                                         \
                    continue;                                                                      \
                }                                                                                  \
                b->i[n] = b->i[e];                                                                 \
                x[n++] = x[e];                                                                     \
            }                                                                                      \
            b->p[r + 1] = n;                                                                       \
        }                                                                                          \
    }
FOREACH_VALUE(DEFINE_ADD)

static void add_repeated(const Build *b, const int32_t *p, gbl_Type_Code code) {
    switch (code) {
#define CASE(N, T, U)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        add_##N(b, p);                                                                             \
        break;
        FOREACH_VALUE(CASE)
#undef CASE
    default:
        break;
    }
}

static gbl_Info sort(const Build *b, gbl_Type_Code code) {
    const Tuples *t = b->t;
    const size_t n = (size_t)t->n;
    int32_t *p = malloc(((size_t)t->rows + 1) * sizeof *p);
    gblite_python_Made turned = {.p = malloc(((size_t)t->columns + 2) * sizeof *p),
                                 .i = gbl_Memory_malloc(n * sizeof *p),
                                 .x = gbl_Memory_malloc(n * b->bytes)};
    gbl_Info info = p && turned.p && turned.i && turned.x ? GBL_SUCCESS : fail_memory(n);
    if (info == GBL_SUCCESS) {
        deal_by_column(b, &turned);
        info = gblite_python_transpose(&(gblite_python_Made){p, (int32_t *)b->i, b->x},
                                       &(Csr){t->columns, turned.p, turned.i, turned.x}, t->rows,
                                       b->bytes);
    }
    if (info == GBL_SUCCESS) add_repeated(b, p, code);
    free(p);
    free(turned.p);
    gbl_Memory_free(turned.i);
    gbl_Memory_free(turned.x);
    return info;
}

gbl_Info gblite_python_tuples(gbl_Matrix *made, gbl_Type type, gbl_Type_Code code,
                              const Tuples *t) {
    Build b = {.t = t, .parts = 1 + t->n / PART, .bytes = size_of(code)};
    if (has_many_rows((gbl_Index)t->rows, (gbl_Index)t->n) ||
        has_many_rows((gbl_Index)t->columns, (gbl_Index)t->n))
        return GBL_NO_VALUE;
    gbl_parallel((gbl_Index)b.parts, look_part, &b);
    if (b.outside) return GBL_NO_VALUE;
    Made to = {
        .rows = (gbl_Index)t->rows, .columns = (gbl_Index)t->columns, .format = GBL_CSR_FORMAT};
    gbl_Info info = allocate(&to, (size_t)t->n, b.bytes);
    b.p = to.arrays.p;
    b.i = to.arrays.i;
    b.x = to.arrays.x;
    if (info == GBL_SUCCESS && b.unordered) {
        info = sort(&b, code);
        if (info == GBL_SUCCESS && b.p[t->rows] < (uint64_t)t->n) shrink(&to, b.bytes);
    } else if (info == GBL_SUCCESS) {
        gbl_parallel((gbl_Index)b.parts, copy_part, &b);
    }
    return finish(made, type, &to, info);
}

/* ------------------------------------------------------------------------------ dense arrays -- */

typedef struct {
    const void *x;
    int64_t rows, columns, height; /* height: rows that a thread takes at a time */
    gbl_Arrays to;
} Dense;

#define DEFINE_NONZEROS(N, T, U)                                                                   \
    static void count_##N(void *of, gbl_Index part) {                                              \
        const Dense *d = of;                                                                       \
        const int64_t begin = (int64_t)part * d->height, after = begin + d->height;                \
        for (int64_t r = begin; r < after && r < d->rows; r++) {                                   \
            const T *x = (const T *)d->x + r * d->columns;                                         \
            uint64_t n = 0;                                                                        \
            for (int64_t c = 0; c < d->columns; c++) n += x[c] != 0;                               \
            d->to.p[r + 1] = n;                                                                    \
        }                                                                                          \
    }                                                                                              \
    static void pack_##N(void *of, gbl_Index part) {                                               \
        const Dense *d = of;                                                                       \
        const int64_t begin = (int64_t)part * d->height, after = begin + d->height;                \
        for (int64_t r = begin; r < after && r < d->rows; r++) {                                   \
            const T *x = (const T *)d->x + r * d->columns;                                         \
            uint64_t e = d->to.p[r];                                                               \
            for (int64_t c = 0; e < d->to.p[r + 1]; c++)                                           \
                if (x[c] != 0) {                                                                   \
                    d->to.i[e] = (uint32_t)c;                                                      \
                    ((T *)d->to.x)[e++] = x[c];                                                    \
                }                                                                                  \
        }                                                                                          \
    }
FOREACH_VALUE(DEFINE_NONZEROS)

typedef void (*Part)(void *of, gbl_Index part);

static Part nonzeros(gbl_Type_Code code, bool counted) {
    switch (code) {
#define CASE(N, T, U)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        return counted ? pack_##N : count_##N;
        FOREACH_VALUE(CASE)
#undef CASE
    default:
        return NULL;
    }
}

gbl_Info gblite_python_nonzeros(gbl_Matrix *made, gbl_Type type, gbl_Type_Code code, const void *x,
                                int64_t rows, int64_t columns) {
    Made to = {.rows = (gbl_Index)rows, .columns = (gbl_Index)columns, .format = GBL_CSR_FORMAT};
    Dense d = {.x = x, .rows = rows, .columns = columns, .height = 1 + PART / (columns + 1)};
    const gbl_Index parts = (gbl_Index)(rows / d.height + 1);
    uint64_t *p = gbl_Memory_malloc(((size_t)rows + 1) * sizeof *p);
    if (!p) return fail_memory((size_t)rows);
    d.to.p = p;
    gbl_parallel(parts, nonzeros(code, false), &d);
    p[0] = 0;
    for (int64_t r = 0; r < rows; r++) p[r + 1] += p[r];
    to.arrays = (gbl_Arrays){.p = p,
                             .i = gbl_Memory_malloc((p[rows] + 1) * sizeof *to.arrays.i),
                             .x = gbl_Memory_malloc((p[rows] + 1) * size_of(code))};
    d.to = to.arrays;
    if (!to.arrays.i || !to.arrays.x) return finish(made, type, &to, fail_memory(p[rows]));
    gbl_parallel(parts, nonzeros(code, true), &d);
    return finish(made, type, &to, GBL_SUCCESS);
}
