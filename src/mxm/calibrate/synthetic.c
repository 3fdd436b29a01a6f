/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices to measure with; see calibrate.h.
 */
#include "mxm/calibrate/calibrate.h"

/* Where entries go. */
typedef struct {
    gbl_Index *i, *j;
    uint64_t n, capacity;
} gb_List;

/* The k-th random number (splitmix64), in [0, 1). */
static double chance(uint64_t k) {
    uint64_t x = (k + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

static void put(gb_List *list, uint64_t i, uint64_t j) {
    list->i[list->n] = i;
    list->j[list->n++] = j;
}

static void fill_random(gb_List *list, const gb_Synthetic *s) {
    const bool skewed = s->shape == GB_SKEWED;
    for (uint64_t e = 0; e < s->nrows * s->a; e++) {
        const double x = chance(2 * e), y = chance(2 * e + 1);
        /* density ~ index^(-2/3), much like the degrees of R-MAT graphs */
        put(list, (uint64_t)((skewed ? x * x * x : x) * (double)s->nrows),
            (uint64_t)((skewed ? y * y * y : y) * (double)s->ncols));
    }
}

/* Up to `wide` diagonals on both sides of the main one. */
static void fill_band(gb_List *list, const gb_Synthetic *s, uint64_t wide) {
    for (uint64_t i = 0; i < s->nrows; i++)
        for (uint64_t j = i > wide ? i - wide : 0; j <= i + wide && j < s->ncols; j++)
            put(list, i, j);
}

static void fill_blocks(gb_List *list, const gb_Synthetic *s) {
    const uint64_t side = (uint64_t)sqrt((double)s->nrows / s->a), a = s->a;
    for (uint64_t p = 0; p < side * side; p++)
        for (uint64_t d = 0; d < 9; d++) {
            const uint64_t x = p % side + d % 3, y = p / side + d / 3; /* one more than they are */
            if (x < 1 || y < 1 || x > side || y > side) continue;
            const uint64_t q = (y - 1) * side + x - 1;
            for (uint64_t e = 0; e < a * a; e++) put(list, p * a + e / a, q * a + e % a);
        }
}

static uint64_t capacity_for(const gb_Synthetic *s) {
    if (s->shape == GB_BANDED) return s->nrows * (2 * s->a + 1);
    if (s->shape == GB_FILLED) return s->nrows * s->ncols;
    return s->nrows * s->a * (s->shape == GB_BLOCKS ? 9 : 1);
}

/* The matrix of the list's entries. */
static gbl_Info build(gb_Matrix *A, const gb_List *list) {
    const size_t bytes = list->n * sizeof(double);
    double *x = gb_malloc(bytes);
    gb_Cs cs;
    if (x == NULL) return gb_fail_memory(bytes);
    for (uint64_t e = 0; e < list->n; e++) x[e] = 0.5 + 0.5 * chance(e);
    const gb_Tuples tuples = {.major = list->i,
                              .minor = list->j,
                              .x = x,
                              .sx = sizeof *x,
                              .n = list->n,
                              .nmajor = A->nrows,
                              .nminor = A->ncols};
    const gbl_Info info = gb_tuples_to_cs(&cs, &tuples, A->type, GBL_PLUS_FP64);
    if (info == GBL_SUCCESS) gb_matrix_set_cs(A, GB_CSR, &cs);
    gb_free(x, bytes);
    return info;
}

gbl_Info gb_synthetic_new(gb_Matrix **A, const gb_Synthetic *s) {
    gb_List list = {.capacity = capacity_for(s)};
    const size_t bytes = list.capacity * sizeof *list.i;
    *A = NULL;
    list.i = gb_malloc(bytes);
    list.j = gb_malloc(bytes);
    gbl_Info info = list.i != NULL && list.j != NULL ? GBL_SUCCESS : gb_fail_memory(2 * bytes);
    if (info == GBL_SUCCESS) info = gb_matrix_new(A, GB_MAGIC_MATRIX, GBL_FP64, s->nrows, s->ncols);
    if (info == GBL_SUCCESS) {
        if (s->shape == GB_BANDED || s->shape == GB_FILLED)
            fill_band(&list, s, s->shape == GB_BANDED ? s->a : s->nrows + s->ncols);
        else if (s->shape == GB_BLOCKS)
            fill_blocks(&list, s);
        else
            fill_random(&list, s);
        info = build(*A, &list);
    }
    gb_free(list.i, bytes);
    gb_free(list.j, bytes);
    if (info == GBL_SUCCESS) return info;
    gb_matrix_free(*A);
    *A = NULL;
    return info;
}
