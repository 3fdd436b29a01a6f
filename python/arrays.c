/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with dense arrays, conversions and largest entries, on scipy's arrays where they are.
 * Rows are cut into parts of about PART entries, which threads take as they come; a row belongs to
 * one part and is summed in scipy's order, so results are scipy's to the bit whatever the number of
 * threads. Indices are trusted as far as scipy trusts them.
 */
#include <stdlib.h>
#include <string.h>

#include "interface.h"

typedef gblite_python_Csr Csr;

enum {
    PART = 1 << 14, /* entries: 10 us of work, twice what waking a thread costs */
    BLOCK = 8,      /* columns of a dense factor that are summed in registers */
    /* transpose: counters take a quarter of the memory of the entries, at most */
    ENTRIES_PER_COUNTER = 4,
    MOST_PARTS = 16
};

/* ------------------------------------------------------------------------------------- parts -- */

typedef struct {
    void (*run)(void *call, int64_t begin, int64_t end);
    void *call;
    const Csr *A;
    int64_t parts;
} Split;

static int64_t first_row(const Split *s, int64_t part) {
    const int64_t all = s->A->p[s->A->rows];
    const int64_t goal = all / s->parts * part;
    int64_t low = 0, high = s->A->rows;
    if (part == s->parts) return high;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (s->A->p[middle] < goal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void run_part(void *of, gbl_Index k) {
    const Split *s = of;
    s->run(s->call, first_row(s, (int64_t)k), first_row(s, (int64_t)k + 1));
}

/* run(call, begin, end) for all rows, about PART entries at a time. */
static void each_part(void (*run)(void *, int64_t, int64_t), void *call, const Csr *A) {
    Split s = {run, call, A, 1 + A->p[A->rows] / PART};
    gbl_parallel((gbl_Index)s.parts, run_part, &s);
}

/* --------------------------------------------------------------------------- dense operands -- */

typedef struct {
    const Csr *A;
    const void *x;
    void *y;
    int64_t columns;
    size_t bytes; /* of a value, where its type does not matter */
} Dense;

/* Arithmetic of T is done in U, where whole numbers wrap. */
#define DEFINE_DENSE(N, T, U)                                                                      \
    static inline void row_##N(const Dense *d, int64_t r, int64_t begin, int64_t width) {          \
        const int32_t *p = d->A->p, *i = d->A->i;                                                  \
        const T *a = d->A->x, *x = d->x;                                                           \
        U sum[BLOCK] = {0};                                                                        \
        for (int64_t e = p[r]; e < p[r + 1]; e++) {                                                \
            const T *from = x + i[e] * d->columns + begin;                                         \
            for (int64_t c = 0; c < width; c++) sum[c] = (U)(sum[c] + (U)((U)a[e] * (U)from[c]));  \
        }                                                                                          \
        T *to = (T *)d->y + r * d->columns + begin;                                                \
        for (int64_t c = 0; c < width; c++) to[c] = (T)sum[c];                                     \
    }                                                                                              \
    static void matmat_##N(void *of, int64_t begin, int64_t end) {                                 \
        const Dense *d = of;                                                                       \
        for (int64_t r = begin; r < end; r++) {                                                    \
            int64_t c = 0;                                                                         \
            for (; c + BLOCK <= d->columns; c += BLOCK) row_##N(d, r, c, BLOCK);                   \
            for (; c + BLOCK / 2 <= d->columns; c += BLOCK / 2) row_##N(d, r, c, BLOCK / 2);       \
            if (c < d->columns) row_##N(d, r, c, d->columns - c);                                  \
        }                                                                                          \
    }
#define FOREACH_NUMBER(X)                                                                          \
    X(INT8, int8_t, uint32_t)                                                                      \
    X(INT16, int16_t, uint32_t)                                                                    \
    X(INT32, int32_t, uint32_t)                                                                    \
    X(INT64, int64_t, uint64_t)                                                                    \
    X(UINT8, uint8_t, uint32_t)                                                                    \
    X(UINT16, uint16_t, uint32_t)                                                                  \
    X(UINT32, uint32_t, uint32_t)                                                                  \
    X(UINT64, uint64_t, uint64_t)                                                                  \
    X(FP32, float, float)                                                                          \
    X(FP64, double, double)
FOREACH_NUMBER(DEFINE_DENSE)

void gblite_python_matmat(void *Y, const Csr *A, const void *X, int64_t columns,
                          gbl_Type_Code type) {
    Dense d = {.A = A, .x = X, .y = Y, .columns = columns};
    switch (type) {
#define CASE(N, T, U)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        each_part(matmat_##N, &d, A);                                                              \
        break;
        FOREACH_NUMBER(CASE)
#undef CASE
    default:
        break;
    }
}

/* ------------------------------------------------------------------- values of so many bytes -- */

static inline void copy_value(void *to, int64_t at, const void *from, int64_t of, size_t bytes) {
    memcpy((char *)to + (size_t)at * bytes, (const char *)from + (size_t)of * bytes, bytes);
}

/* Calls function(..., bytes) with a constant, so that copies become one move. */
#define WITH_BYTES(bytes, call)                                                                    \
    switch (bytes) {                                                                               \
    case 1:                                                                                        \
        call(1);                                                                                   \
        break;                                                                                     \
    case 2:                                                                                        \
        call(2);                                                                                   \
        break;                                                                                     \
    case 4:                                                                                        \
        call(4);                                                                                   \
        break;                                                                                     \
    case 8:                                                                                        \
        call(8);                                                                                   \
        break;                                                                                     \
    default:                                                                                       \
        call(bytes);                                                                               \
        break;                                                                                     \
    }

static inline void spread_rows(const Dense *d, int64_t begin, int64_t end, size_t bytes) {
    for (int64_t r = begin; r < end; r++)
        for (int64_t e = d->A->p[r]; e < d->A->p[r + 1]; e++)
            copy_value(d->y, r * d->columns + d->A->i[e], d->A->x, e, bytes);
}

static void spread_part(void *of, int64_t begin, int64_t end) {
    const Dense *d = of;
#define CALL(bytes) spread_rows(d, begin, end, bytes)
    WITH_BYTES(d->bytes, CALL)
#undef CALL
}

void gblite_python_spread_rows(void *Y, const Csr *A, int64_t columns, size_t bytes) {
    Dense d = {.A = A, .y = Y, .columns = columns, .bytes = bytes};
    each_part(spread_part, &d, A);
}

static void name_rows(void *of, int64_t begin, int64_t end) {
    const Dense *d = of;
    int32_t *to = d->y;
    for (int64_t r = begin; r < end; r++)
        for (int64_t e = d->A->p[r]; e < d->A->p[r + 1]; e++) to[e] = (int32_t)r;
}

void gblite_python_name_rows(int32_t *rows, const Csr *A) {
    each_part(name_rows, &(Dense){.A = A, .y = rows}, A);
}

/* ----------------------------------------------------------------------------- transposition -- */

/* Each part of the rows counts its entries of every column, from which it follows where it writes
 * them: the result does not depend on the number of parts. */
typedef struct {
    const Csr *A;
    int32_t *at; /* [parts * columns] */
    int64_t columns, parts;
    const gblite_python_Made *C;
    size_t bytes;
} Turn;

static int64_t turn_row(const Turn *t, int64_t part) {
    const Split s = {.A = t->A, .parts = t->parts};
    return first_row(&s, part);
}

static void count_columns(void *of, gbl_Index k) {
    const Turn *t = of;
    int32_t *count = t->at + (int64_t)k * t->columns;
    const int64_t end = t->A->p[turn_row(t, (int64_t)k + 1)];
    memset(count, 0, (size_t)t->columns * sizeof *count);
    for (int64_t e = t->A->p[turn_row(t, (int64_t)k)]; e < end; e++) count[t->A->i[e]]++;
}

static inline void scatter(const Turn *t, int64_t part, size_t bytes) {
    int32_t *at = t->at + part * t->columns;
    const int64_t end = turn_row(t, part + 1);
    for (int64_t r = turn_row(t, part); r < end; r++)
        for (int64_t e = t->A->p[r]; e < t->A->p[r + 1]; e++) {
            const int32_t to = at[t->A->i[e]]++;
            t->C->i[to] = (int32_t)r;
            copy_value(t->C->x, to, t->A->x, e, bytes);
        }
}

static void scatter_part(void *of, gbl_Index k) {
    const Turn *t = of;
#define CALL(bytes) scatter(t, (int64_t)k, bytes)
    WITH_BYTES(t->bytes, CALL)
#undef CALL
}

gbl_Info gblite_python_transpose(const gblite_python_Made *C, const Csr *A, int64_t columns,
                                 size_t bytes) {
    int64_t parts = A->p[A->rows] / (ENTRIES_PER_COUNTER * (columns + 1));
    parts = parts < 1 ? 1 : parts > MOST_PARTS ? MOST_PARTS : parts;
    int32_t *at = malloc((size_t)(parts * columns + 1) * sizeof *at);
    if (!at) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory to count entries of columns");
    Turn t = {A, at, columns, parts, C, bytes};
    gbl_parallel((gbl_Index)parts, count_columns, &t);
    int32_t sum = 0;
    for (int64_t c = 0; c < columns; c++) {
        C->p[c] = sum;
        for (int64_t k = 0; k < parts; k++) {
            const int32_t n = at[k * columns + c];
            at[k * columns + c] = sum;
            sum += n;
        }
    }
    C->p[columns] = sum;
    gbl_parallel((gbl_Index)parts, scatter_part, &t);
    free(at);
    return GBL_SUCCESS;
}

/* -------------------------------------------------------------------------------------- union --
 */

/* Each part of the rows writes where its entries of both factors would begin, from which they move
 * down: nothing is counted beforehand. */
typedef struct {
    const Csr *A, *B;
    const gblite_python_Made *C;
} Union;

/* No branch depends on which index is smaller, which a processor would not predict. Z = OP(x, y),
 * 0 standing for what is not stored; entries that are not KEPT are left out. */
#define BITS(T)                                                                                    \
    __typeof__(_Generic((T)0, float : (uint32_t)0, double : (uint64_t)0, default : (T)0))
#define DEFINE_UNION(NAME, N, T, Z, OP, KEPT)                                                      \
    static void NAME##_##N(void *of, int64_t begin, int64_t end) {                                 \
        const Union *u = of;                                                                       \
        const int32_t *restrict ai = u->A->i, *restrict bi = u->B->i;                              \
        const T *restrict ax = u->A->x, *restrict bx = u->B->x, none = 0;                          \
        int32_t *restrict ci = u->C->i, *restrict cp = u->C->p;                                    \
        Z *restrict cx = u->C->x;                                                                  \
        int64_t a = u->A->p[begin], b = u->B->p[begin], n = a + b;                                 \
        for (int64_t r = begin; r < end; r++) {                                                    \
            const int64_t a_end = u->A->p[r + 1], b_end = u->B->p[r + 1];                          \
            while (a < a_end && b < b_end) {                                                       \
                const int32_t i = ai[a], j = bi[b];                                                \
                const bool from_a = i <= j, from_b = j <= i;                                       \
                const T x = value_##N(ax + a, from_a), y = value_##N(bx + b, from_b);              \
                ci[n] = i < j ? i : j;                                                             \
                cx[n] = (Z)OP(x, y);                                                               \
                n += KEPT(cx[n]);                                                                  \
                a += from_a;                                                                       \
                b += from_b;                                                                       \
            }                                                                                      \
            for (; a < a_end; a++) {                                                               \
                ci[n] = ai[a];                                                                     \
                cx[n] = (Z)OP(ax[a], none);                                                        \
                n += KEPT(cx[n]);                                                                  \
            }                                                                                      \
            for (; b < b_end; b++) {                                                               \
                ci[n] = bi[b];                                                                     \
                cx[n] = (Z)OP(none, bx[b]);                                                        \
                n += KEPT(cx[n]);                                                                  \
            }                                                                                      \
            cp[r + 1] = (int32_t)n;                                                                \
        }                                                                                          \
    }
#define EVERY(z) 1
#define TRUE_ONES(z) (z)
#define LESS(x, y) ((x) < (y))
#define GREATER(x, y) ((x) > (y))
#define UNEQUAL(x, y) ((x) != (y))
#define DEFINE_UNIONS(N, T, U)                                                                     \
    static inline T value_##N(const T *x, bool is) {                                               \
        BITS(T) bits;                                                                              \
        T value;                                                                                   \
        memcpy(&bits, x, sizeof bits);                                                             \
        bits = (BITS(T))(bits & (BITS(T)) - (BITS(T))is);                                          \
        memcpy(&value, &bits, sizeof bits);                                                        \
        return value;                                                                              \
    }                                                                                              \
    static inline T plus_##N(T x, T y) {                                                           \
        return (T)((U)x + (U)y);                                                                   \
    }                                                                                              \
    static inline T minus_##N(T x, T y) {                                                          \
        return (T)((U)x - (U)y);                                                                   \
    }                                                                                              \
    DEFINE_UNION(sum, N, T, T, plus_##N, EVERY)                                                    \
    DEFINE_UNION(difference, N, T, T, minus_##N, EVERY)                                            \
    DEFINE_UNION(less, N, T, bool, LESS, TRUE_ONES)                                                \
    DEFINE_UNION(greater, N, T, bool, GREATER, TRUE_ONES)                                          \
    DEFINE_UNION(unequal, N, T, bool, UNEQUAL, TRUE_ONES)
FOREACH_NUMBER(DEFINE_UNIONS)

typedef void (*UnionRows)(void *call, int64_t begin, int64_t end);

static UnionRows union_rows(char op, gbl_Type_Code type) {
    switch (type) {
#define CASE(N, T, U)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        return op == '+'   ? sum_##N                                                               \
               : op == '-' ? difference_##N                                                        \
               : op == '<' ? less_##N                                                              \
               : op == '>' ? greater_##N                                                           \
                           : unequal_##N;
        FOREACH_NUMBER(CASE)
#undef CASE
    default:
        return NULL;
    }
}

void gblite_python_union(const gblite_python_Made *C, const Csr *A, const Csr *B, char op,
                         gbl_Type_Code type, size_t bytes) {
    Union u = {A, B, C};
    const Csr *more = A->p[A->rows] > B->p[B->rows] ? A : B;
    const Split s = {.A = more, .parts = 1 + more->p[more->rows] / PART};
    int32_t n = 0;
    each_part(union_rows(op, type), &u, more);
    C->p[0] = 0;
    for (int64_t k = 0; k < s.parts; k++) {
        const int64_t begin = first_row(&s, k), end = first_row(&s, k + 1);
        if (begin == end) continue;
        const int32_t from = A->p[begin] + B->p[begin], count = C->p[end] - from;
        memmove(C->i + n, C->i + from, (size_t)count * sizeof *C->i);
        memmove((char *)C->x + (size_t)n * bytes, (char *)C->x + (size_t)from * bytes,
                (size_t)count * bytes);
        for (int64_t r = begin; r < end; r++) C->p[r + 1] -= from - n;
        n += count;
    }
}

/* --------------------------------------------------------------- largest entry of each column --
 */

static bool ascends(const Csr *A, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        bool wrong = false;
        for (int64_t e = (int64_t)A->p[r] + 1; e < A->p[r + 1]; e++)
            wrong |= A->i[e] <= A->i[e - 1];
        if (wrong) return false;
    }
    return true;
}

/* What a NaN meets becomes NaN, as in numpy. */
#define DEFINE_EXTREME(N, T, U)                                                                    \
    static void extreme_##N(T *best, int32_t *count, const Csr *A, bool largest) {                 \
        const T *x = A->x;                                                                         \
        for (int64_t e = 0; e < A->p[A->rows]; e++) {                                              \
            T *b = best + A->i[e];                                                                 \
            const bool better = (largest ? x[e] > *b : x[e] < *b) || x[e] != x[e];                 \
            if (count[A->i[e]]++ == 0 || better) *b = x[e];                                        \
        }                                                                                          \
    }
FOREACH_NUMBER(DEFINE_EXTREME)

bool gblite_python_extremes(void *best, int32_t *count, const Csr *A, bool largest,
                            gbl_Type_Code type) {
    if (!ascends(A, 0, A->rows)) return false;
    switch (type) {
#define CASE(N, T, U)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        extreme_##N(best, count, A, largest);                                                      \
        break;
        FOREACH_NUMBER(CASE)
#undef CASE
    default:
        break;
    }
    return true;
}
