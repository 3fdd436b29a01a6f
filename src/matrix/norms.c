/* SPDX-License-Identifier: Apache-2.0
 *
 * Norms of tiles; see matrix.h. Squares are summed in 8 lanes, a value in that of its column, row
 * after row, and the lanes in a fixed order.
 */
#include "matrix/matrix.h"

enum { LANES = 8, STRIP = 64 }; /* STRIP: tiles of a row that are summed together */

static double value(const gb_NormSource *s, const void *x, uint64_t k) {
    return s->single ? (double)((const float *)x)[k] : ((const double *)x)[k];
}

static double sum_lanes(const double lane[LANES]) {
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* The root of the sum of squares of x(r, c) = x[r * stride + c], by a power of two near the largest
 * of them. */
static double scaled_norm(const gb_NormSource *s, const void *x, const uint64_t shape[2],
                          uint64_t stride) {
    double most = 0.0, squares = 0.0;
    int power;
    for (uint64_t r = 0; r < shape[0]; r++)
        for (uint64_t c = 0; c < shape[1]; c++) {
            const double v = fabs(value(s, x, r * stride + c));
            if (!isfinite(v)) return HUGE_VAL;
            most = v > most ? v : most;
        }
    if (most == 0.0) return 0.0;
    frexp(most, &power);
    for (uint64_t r = 0; r < shape[0]; r++)
        for (uint64_t c = 0; c < shape[1]; c++) {
            const double v = ldexp(value(s, x, r * stride + c), -power);
            squares += v * v;
        }
    const double norm = ldexp(sqrt(squares), power); /* a subnormal has lost bits: not below */
    return norm < 0x1p-1022 ? nextafter(norm, HUGE_VAL) : norm;
}

double gb_norms_join(const double *norm, uint64_t n) {
    const gb_NormSource reals = {0};
    double squares = 0.0;
    for (uint64_t k = 0; k < n; k++) squares += norm[k] * norm[k];
    if (gb_squares_are_plain(squares)) return sqrt(squares);
    return scaled_norm(&reals, norm, (const uint64_t[2]){1, n}, 0);
}

/* -- full rows --------------------------------------------------------------------------------- */

#define DEFINE_ADD_ROW(name, T)                                                                    \
    /* squares of a row of `width` values to the lanes of their tiles */                           \
    static void name(double(*lane)[LANES], const T *x, uint64_t width) {                           \
        uint64_t c = 0;                                                                            \
        for (; c + GB_TILE <= width; c += GB_TILE)                                                 \
            for (unsigned h = 0; h < GB_TILE; h += LANES)                                          \
                for (unsigned l = 0; l < LANES; l++) {                                             \
                    const double v = x[c + h + l];                                                 \
                    lane[c / GB_TILE][l] += v * v;                                                 \
                }                                                                                  \
        for (; c < width; c++) {                                                                   \
            const double v = x[c];                                                                 \
            lane[c / GB_TILE][c % LANES] += v * v;                                                 \
        }                                                                                          \
    }
DEFINE_ADD_ROW(add_row_fp64, double)
DEFINE_ADD_ROW(add_row_fp32, float)

typedef struct {
    const gb_NormSource *source;
    double *norm;
} NormJob;

/* The tiles of rows [row, row + height) and columns [column, column + width). */
static void strip_norms(const gb_NormSource *s, const char *x, uint64_t stride,
                        const uint64_t shape[2], double *norm) {
    const size_t size = s->single ? sizeof(float) : sizeof(double);
    double lane[STRIP][LANES];
    memset(lane, 0, sizeof lane);
    for (uint64_t r = 0; r < shape[0]; r++) {
        const void *row = x + r * stride * size;
        if (s->single)
            add_row_fp32(lane, row, shape[1]);
        else
            add_row_fp64(lane, row, shape[1]);
    }
    for (uint64_t c = 0, t = 0; c < shape[1]; c += GB_TILE, t++) {
        const double squares = sum_lanes(lane[t]);
        const uint64_t width = shape[1] - c < GB_TILE ? shape[1] - c : GB_TILE;
        norm[t] = gb_squares_are_plain(squares)
                      ? sqrt(squares)
                      : scaled_norm(s, x + c * size, (const uint64_t[2]){shape[0], width}, stride);
    }
}

static void full_row_norms(void *context, uint64_t I) {
    const NormJob *job = context;
    const gb_NormSource *s = job->source;
    const size_t size = s->single ? sizeof(float) : sizeof(double);
    const uint64_t row = I * GB_TILE, left = s->nmajor - row;
    double *norm = job->norm + I * gb_tile_count(s->nminor);
    double same[STRIP * GB_TILE]; /* where one value stands for all, FP32 or FP64 */
    for (unsigned k = 0; s->iso && k < STRIP * GB_TILE; k++)
        memcpy((char *)same + k * size, s->x, size);
    for (uint64_t c = 0; c < s->nminor; c += STRIP * GB_TILE) {
        const uint64_t width = s->nminor - c < STRIP * GB_TILE ? s->nminor - c : STRIP * GB_TILE;
        const char *x =
            s->iso ? (const char *)same : (const char *)s->x + (row * s->nminor + c) * size;
        strip_norms(s, x, s->iso ? 0 : s->nminor,
                    (const uint64_t[2]){left < GB_TILE ? left : GB_TILE, width},
                    norm + c / GB_TILE);
    }
}

/* -- tiles ------------------------------------------------------------------------------------- */

static void tile_row_norms(void *context, uint64_t I) {
    const NormJob *job = context;
    const gb_NormSource *s = job->source;
    const gb_TileView *A = &s->tiles;
    const size_t size = s->single ? sizeof(float) : sizeof(double);
    for (gb_Off t = A->p[I]; t < A->p[I + 1]; t++) {
        double lane[LANES] = {0.0};
        const uint64_t n = A->nnz[t + 1] - A->nnz[t];
        for (gb_Off q = A->nnz[t]; q < A->nnz[t + 1]; q++) {
            const double v = value(s, A->x, A->iso ? 0 : q);
            lane[A->rc[q] % LANES] += v * v;
        }
        const double squares = sum_lanes(lane);
        const char *x = (const char *)A->x + (A->iso ? 0 : A->nnz[t]) * size;
        const uint64_t shape[2] = {A->iso ? n : 1, A->iso ? n > 0 : n}; /* iso: one, n times */
        job->norm[t] = gb_squares_are_plain(squares) ? sqrt(squares) : scaled_norm(s, x, shape, 0);
    }
}

/* -- all of it --------------------------------------------------------------------------------- */

uint64_t gb_norms_count(const gb_NormSource *s) {
    return s->full ? gb_tile_count(s->nmajor) * gb_tile_count(s->nminor) : s->tiles.ntiles;
}

void gb_norms_compute(double *norm, const gb_NormSource *s) {
    NormJob job = {s, norm};
    const uint64_t work = s->full ? s->nmajor * s->nminor : s->tiles.nvals;
    gb_parallel_for(gb_threads_for(work, GB_GRAIN, gb_nthreads()), gb_tile_count(s->nmajor),
                    s->full ? full_row_norms : tile_row_norms, &job);
}

typedef struct {
    const gb_NormSource *source;
    uint64_t tiles;
} gb_NormRequest;

static void make_norms(gb_Derived *form, const void *context) {
    const gb_NormRequest *r = context;
    const size_t bytes = r->tiles * sizeof(double);
    double *norm = gb_malloc(bytes);
    if (norm == NULL) return;
    gb_norms_compute(norm, r->source);
    form->block[0] = (gb_Block){norm, bytes};
    form->view.norm = norm;
    form->made = true;
}

/* A reader that drops empty tiles leaves fewer of them, so their number says which norms serve. */
void gb_norms_get(double *norm, gb_Matrix *A, gb_Format format, const gb_NormSource *s) {
    const uint64_t tiles = gb_norms_count(s);
    if (tiles == 0) return;
    const gb_DerivedRequest request = {.key = {GB_DERIVED_NORMS, format, tiles},
                                       .cost = GB_DERIVED_NOW,
                                       .make = make_norms,
                                       .context = &(gb_NormRequest){s, tiles}};
    const double *made = gb_derived_get(A, &request).view.norm;
    if (made != NULL)
        memcpy(norm, made, tiles * sizeof *norm);
    else
        gb_norms_compute(norm, s);
}
