/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions, unions and largest entries, on scipy's arrays where they are. The result does not
 * depend on the number of threads. Indices are trusted as far as scipy trusts them.
 */
#include "parts.h"

#include <math.h>

enum {
    SAMPLES = 64,
    /* transpose: counters take a quarter of the memory of the entries, at most */
    ENTRIES_PER_COUNTER = 4,
    MOST_PARTS = 16,
    LONG = 32, /* equal rows of fewer are taken by scipy as fast */
    SHORT = 8  /* entries that are not worth a loop over vectors */
};

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
    const int32_t *restrict i = t->A->i;
    int32_t *restrict count = t->at + (int64_t)k * t->columns;
    const int64_t end = t->A->p[turn_row(t, (int64_t)k + 1)];
    memset(count, 0, (size_t)t->columns * sizeof *count);
    for (int64_t e = t->A->p[turn_row(t, (int64_t)k)]; e < end; e++) count[i[e]]++;
}

static inline void scatter(const Turn *t, int64_t part, size_t bytes) {
    const int32_t *restrict p = t->A->p, *restrict i = t->A->i;
    const char *restrict x = t->A->x;
    int32_t *restrict at = t->at + part * t->columns, *restrict ci = t->C->i;
    char *restrict cx = t->C->x;
    const int64_t end = turn_row(t, part + 1);
    for (int64_t r = turn_row(t, part); r < end; r++)
        for (int64_t e = p[r]; e < p[r + 1]; e++) {
            const int32_t to = at[i[e]]++;
            ci[to] = (int32_t)r;
            copy_value(cx, to, x, e, bytes);
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

/* ------------------------------------------------------------------------------------- union -- */

/* Each part of the rows writes where its entries of both factors would begin, from which they move
 * down: nothing is counted beforehand. */
typedef struct {
    const Csr *A, *B;
    const gblite_python_Made *C;
} Union;

/* Entries of rows that meet no other, or that have the same indices: all are taken to be kept.
 * Returns how many are. */
#define DEFINE_APPEND(NAME, N, T, Z, VALUE, KEPT)                                                  \
    static int64_t NAME##_##N(int32_t *restrict ci, Z *restrict cx, const int32_t *restrict i,     \
                              const T *restrict x, const T *restrict y, int64_t count) {           \
        int64_t kept = 0;                                                                          \
        const T none = 0;                                                                          \
        (void)y, (void)none;                                                                       \
        if (count < SHORT) {                                                                       \
            for (int64_t k = 0; k < count; k++) {                                                  \
                ci[kept] = i[k];                                                                   \
                cx[kept] = (Z)VALUE;                                                               \
                kept += KEPT(cx[kept]);                                                            \
            }                                                                                      \
            return kept;                                                                           \
        }                                                                                          \
        for (int64_t k = 0; k < count; k++) {                                                      \
            cx[k] = (Z)VALUE;                                                                      \
            kept += KEPT(cx[k]);                                                                   \
        }                                                                                          \
        memcpy(ci, i, (size_t)count * sizeof *ci);                                                 \
        if (kept == count) return kept;                                                            \
        kept = 0;                                                                                  \
        for (int64_t k = 0; k < count; k++) {                                                      \
            ci[kept] = ci[k];                                                                      \
            cx[kept] = cx[k];                                                                      \
            kept += KEPT(cx[kept]);                                                                \
        }                                                                                          \
        return kept;                                                                               \
    }
#define BITS(T)                                                                                    \
    __typeof__(_Generic((T)0, float : (uint32_t)0, double : (uint64_t)0, default : (T)0))
/* No branch depends on which index is smaller, which a processor would not predict. Z = OP(x, y),
 * 0 standing for what is not stored; entries that are not KEPT are left out. */
#define DEFINE_UNION(NAME, N, T, Z, OP, KEPT)                                                      \
    DEFINE_APPEND(NAME##_left, N, T, Z, OP(x[k], none), KEPT)                                      \
    DEFINE_APPEND(NAME##_right, N, T, Z, OP(none, x[k]), KEPT)                                     \
    DEFINE_APPEND(NAME##_both, N, T, Z, OP(x[k], y[k]), KEPT)                                      \
    static void NAME##_##N(void *of, int64_t begin, int64_t end) {                                 \
        const Union *u = of;                                                                       \
        const int32_t *restrict ai = u->A->i, *restrict bi = u->B->i;                              \
        const T *restrict ax = u->A->x, *restrict bx = u->B->x;                                    \
        int32_t *restrict ci = u->C->i, *restrict cp = u->C->p;                                    \
        Z *restrict cx = u->C->x;                                                                  \
        int64_t a = u->A->p[begin], b = u->B->p[begin], n = a + b;                                 \
        for (int64_t r = begin; r < end; r++) {                                                    \
            const int64_t a_end = u->A->p[r + 1], b_end = u->B->p[r + 1], count = a_end - a;       \
            if (count == b_end - b && !memcmp(ai + a, bi + b, (size_t)count * sizeof *ai)) {       \
                n += NAME##_both_##N(ci + n, cx + n, ai + a, ax + a, bx + b, count);               \
                a = a_end;                                                                         \
                b = b_end;                                                                         \
            } else if (count > 0 && b < b_end && ai[a_end - 1] < bi[b]) {                          \
                n += NAME##_left_##N(ci + n, cx + n, ai + a, ax + a, NULL, count);                 \
                a = a_end;                                                                         \
            }                                                                                      \
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
            n += NAME##_left_##N(ci + n, cx + n, ai + a, ax + a, NULL, a_end - a);                 \
            n += NAME##_right_##N(ci + n, cx + n, bi + b, bx + b, NULL, b_end - b);                \
            a = a_end;                                                                             \
            b = b_end;                                                                             \
            cp[r + 1] = (int32_t)n;                                                                \
        }                                                                                          \
    }
#define EVERY(z) 1
#define TRUE_ONES(z) (z)
#define LESS(x, y) ((x) < (y))
#define GREATER(x, y) ((x) > (y))
#define UNEQUAL(x, y) ((x) != (y))
#define NOT_ZERO(z) ((z) != 0)
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
    static inline T times_##N(T x, T y) {                                                          \
        return (T)((U)x * (U)y);                                                                   \
    }                                                                                              \
    /* NaN where one is, as in numpy. The first line is one instruction, the other predicted. */   \
    static inline T max_##N(T x, T y) {                                                            \
        const T z = x > y ? x : y;                                                                 \
        return x != x ? x : z;                                                                     \
    }                                                                                              \
    static inline T min_##N(T x, T y) {                                                            \
        const T z = x < y ? x : y;                                                                 \
        return x != x ? x : z;                                                                     \
    }                                                                                              \
    DEFINE_UNION(sum, N, T, T, plus_##N, EVERY)                                                    \
    DEFINE_UNION(difference, N, T, T, minus_##N, EVERY)                                            \
    DEFINE_UNION(sum_not_zero, N, T, T, plus_##N, NOT_ZERO)                                        \
    DEFINE_UNION(difference_not_zero, N, T, T, minus_##N, NOT_ZERO)                                \
    DEFINE_UNION(product, N, T, T, times_##N, NOT_ZERO)                                            \
    DEFINE_UNION(larger, N, T, T, max_##N, NOT_ZERO)                                               \
    DEFINE_UNION(smaller, N, T, T, min_##N, NOT_ZERO)                                              \
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
               : op == 'P' ? sum_not_zero_##N                                                      \
               : op == 'M' ? difference_not_zero_##N                                               \
               : op == '*' ? product_##N                                                           \
               : op == 'x' ? larger_##N                                                            \
               : op == 'n' ? smaller_##N                                                           \
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
    int32_t n = 0, threads = 0;
    C->p[0] = 0;
    if (gbl_Global_get_INT32(GBL_GLOBAL, &threads, GBL_NTHREADS) == GBL_SUCCESS && threads == 1) {
        union_rows(op, type)(&u, 0, A->rows);
        return;
    }
    each_part(union_rows(op, type), &u, more);
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

/* -------------------------------------------------------------- largest entry of each column -- */

/* Indices fall where a row begins and nowhere else. */
static bool ascends(const Csr *A, int64_t begin, int64_t end) {
    const int32_t *restrict p = A->p, *restrict i = A->i;
    int32_t falls = 0;
    for (int64_t e = (int64_t)p[begin] + 1; e < p[end]; e++) falls += i[e] <= i[e - 1];
    for (int64_t r = begin + 1; r < end; r++)
        if (p[r] > p[begin] && p[r] < p[r + 1]) falls -= i[p[r]] <= i[p[r] - 1];
    return falls == 0;
}

typedef struct {
    const Csr *A;
    bool *wrong; /* atomic */
} Order;

static void look_at_rows(void *of, int64_t begin, int64_t end) {
    const Order *order = of;
    if (!ascends(order->A, begin, end)) __atomic_store_n(order->wrong, true, __ATOMIC_RELAXED);
}

bool gblite_python_ascends(const Csr *A) {
    bool wrong = false;
    each_part(look_at_rows, &(Order){A, &wrong}, A);
    return !wrong;
}

/* What a NaN meets becomes NaN, as in numpy. */
#define DEFINE_EXTREME(N, T, U)                                                                    \
    static void extreme_##N(T *restrict best, int32_t *restrict count, const Csr *A,               \
                            bool largest) {                                                        \
        const int32_t *restrict i = A->i;                                                          \
        const T *restrict x = A->x;                                                                \
        for (int64_t e = 0; e < A->p[A->rows]; e++) {                                              \
            const T old = best[i[e]], new = x[e];                                                  \
            const bool better = (largest ? new > old : new < old) || new != new;                   \
            best[i[e]] = better || count[i[e]] == 0 ? new : old;                                   \
            count[i[e]]++;                                                                         \
        }                                                                                          \
    }
FOREACH_NUMBER(DEFINE_EXTREME)

bool gblite_python_extremes(void *best, int32_t *count, const Csr *A, bool largest,
                            gbl_Type_Code type) {
    if (!gblite_python_ascends(A)) return false;
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

/* ----------------------------------------------------------------------------------- samples -- */

gblite_python_Sample gblite_python_sample(const int32_t *at, int64_t n, const int32_t *p,
                                          int64_t rows, const int32_t *i, int64_t entries) {
    gblite_python_Sample mean = {0, 0};
    const int64_t all = at ? n : rows, step = all / SAMPLES + 1;
    const double share = (double)step / (double)all;
    for (int64_t k = 0; k < all; k += step) {
        const int64_t row = at ? at[k] : k;
        if (row < 0 || row >= rows) continue;
        const int64_t begin = p[row], end = p[row + 1];
        if (begin < 0 || begin >= end || end > entries) continue;
        mean.length += share * (double)(end - begin);
        mean.span += share * fabs((double)i[end - 1] - i[begin]);
    }
    return mean;
}

static bool is_inside(const Csr *A, int64_t row) {
    return A->p[row] >= 0 && A->p[row] <= A->p[row + 1] && A->p[row + 1] <= A->p[A->rows];
}

double gblite_python_mixed(const Csr *A, const Csr *B) {
    const int64_t step = A->rows / SAMPLES + 1;
    double mixed = 0, all = 0;
    for (int64_t r = 0; r < A->rows; r += step) {
        if (!is_inside(A, r) || !is_inside(B, r)) continue;
        const int32_t *a = A->i + A->p[r], *b = B->i + B->p[r];
        const int64_t n = A->p[r + 1] - A->p[r], m = B->p[r + 1] - B->p[r], less = n < m ? n : m;
        all += (double)(n + m);
        if (less <= 0 || a[n - 1] < b[0] || b[m - 1] < a[0]) continue;
        if (n != m || n >= LONG || memcmp(a, b, (size_t)n * sizeof *a)) mixed += 2 * (double)less;
    }
    return mixed > 0 ? mixed / all : 0;
}
