/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with dense arrays, and sparse arrays in dense ones. Sums go in scipy's order, so results
 * are scipy's to the bit whatever the number of threads. Indices are trusted as far as scipy trusts
 * them.
 */
#include "parts.h"

enum {
    BLOCK = 8, /* columns of a dense factor that are summed in registers */
    NAMES = 16 /* of rows, written at once: most rows have fewer entries */
};

typedef struct {
    const Csr *A;
    const void *x, *left; /* left: sampled products alone have it */
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
    static void vector_##N(const Dense *d, int64_t begin, int64_t end) {                           \
        const int32_t *p = d->A->p, *i = d->A->i;                                                  \
        const T *a = d->A->x, *x = d->x;                                                           \
        T *y = d->y;                                                                               \
        for (int64_t r = begin, e = p[begin]; r < end; r++) {                                      \
            U sum = 0;                                                                             \
            for (; e < p[r + 1]; e++) sum = (U)(sum + (U)((U)a[e] * (U)x[i[e]]));                  \
            y[r] = (T)sum;                                                                         \
        }                                                                                          \
    }                                                                                              \
    static void matmat_##N(void *of, int64_t begin, int64_t end) {                                 \
        const Dense *d = of;                                                                       \
        if (d->columns == 1) {                                                                     \
            vector_##N(d, begin, end);                                                             \
            return;                                                                                \
        }                                                                                          \
        for (int64_t r = begin; r < end; r++) {                                                    \
            int64_t c = 0;                                                                         \
            for (; c + BLOCK <= d->columns; c += BLOCK) row_##N(d, r, c, BLOCK);                   \
            for (; c + BLOCK / 2 <= d->columns; c += BLOCK / 2) row_##N(d, r, c, BLOCK / 2);       \
            for (; c + BLOCK / 4 <= d->columns; c += BLOCK / 4) row_##N(d, r, c, BLOCK / 4);       \
            if (c < d->columns) row_##N(d, r, c, 1);                                               \
        }                                                                                          \
    }                                                                                              \
    static void add_##N(const Dense *d) {                                                          \
        const int32_t *restrict p = d->A->p, *restrict i = d->A->i;                                \
        const T *restrict a = d->A->x, *restrict x = d->x;                                         \
        T *restrict y = d->y;                                                                      \
        for (int64_t r = 0; r < d->A->rows; r++)                                                   \
            for (int64_t e = p[r]; e < p[r + 1]; e++)                                              \
                y[i[e]] = (T)((U)y[i[e]] + (U)((U)a[e] * (U)x[r]));                                \
    }                                                                                              \
    static void sampled_##N(void *of, int64_t begin, int64_t end) {                                \
        const Dense *d = of;                                                                       \
        T *y = d->y;                                                                               \
        for (int64_t r = begin; r < end; r++)                                                      \
            for (int64_t e = d->A->p[r]; e < d->A->p[r + 1]; e++) {                                \
                const T *l = (const T *)d->left + r * d->columns;                                  \
                const T *x = (const T *)d->x + d->A->i[e] * d->columns;                            \
                U sum[BLOCK] = {0};                                                                \
                int64_t c = 0;                                                                     \
                for (; c + BLOCK <= d->columns; c += BLOCK)                                        \
                    for (int k = 0; k < BLOCK; k++)                                                \
                        sum[k] = (U)(sum[k] + (U)((U)l[c + k] * (U)x[c + k]));                     \
                for (; c < d->columns; c++) sum[0] = (U)(sum[0] + (U)((U)l[c] * (U)x[c]));         \
                for (int k = 1; k < BLOCK; k++) sum[0] = (U)(sum[0] + sum[k]);                     \
                y[e] = (T)sum[0];                                                                  \
            }                                                                                      \
    }
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

void gblite_python_add_turned(void *y, const Csr *A, const void *x, gbl_Type_Code type) {
    const Dense d = {.A = A, .x = x, .y = y};
    switch (type) {
#define CASE(N, T, U)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        add_##N(&d);                                                                               \
        break;
        FOREACH_NUMBER(CASE)
#undef CASE
    default:
        break;
    }
}

void gblite_python_sampled(void *y, const Csr *A, const void *left, const void *right,
                           int64_t columns, gbl_Type_Code type) {
    Dense d = {.A = A, .x = right, .left = left, .y = y, .columns = columns};
    switch (type) {
#define CASE(N, T, U)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        each_part(sampled_##N, &d, A);                                                             \
        break;
        FOREACH_NUMBER(CASE)
#undef CASE
    default:
        break;
    }
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

/* A block at a time: what is written past the end of a row belongs to the next one. */
static void name_rows(void *of, int64_t begin, int64_t end) {
    const Dense *d = of;
    const int32_t *restrict p = d->A->p;
    int32_t *restrict to = d->y;
    const int64_t last = p[end];
    for (int64_t r = begin, e = p[begin]; r < end; r++) {
        for (; e < p[r + 1] && e + NAMES <= last; e += NAMES)
            for (int k = 0; k < NAMES; k++) to[e + k] = (int32_t)r;
        for (; e < p[r + 1]; e++) to[e] = (int32_t)r;
        e = p[r + 1];
    }
}

void gblite_python_name_rows(int32_t *rows, const Csr *A) {
    each_part(name_rows, &(Dense){.A = A, .y = rows}, A);
}
