/* SPDX-License-Identifier: Apache-2.0
 *
 * Random matrices of a given shape, and random matrices of tiles of a given fill.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "coo.h"
#include "gen.h"
#include "text.h"

enum { TILE = 16, CELL_BITS = 8 };

/* A random number below n. */
static uint32_t below(uint64_t random, uint64_t n) {
    return (uint32_t)((unsigned __int128)random * n >> 64);
}

typedef struct {
    const gb_Spec *spec;
    uint64_t key;
    gb_Coo coo;
} Making;

/* All slots, in n parts. */
static gbl_Info make_list(Making *making, gb_Shape shape, unsigned __int128 slots, gbl_Index n,
                          void (*make_part)(void *, gbl_Index), gbl_Arrays *arrays) {
    gb_Coo *const coo = &making->coo;
    if (slots > INT64_MAX) return gb_io_no_memory("the generated matrix");
    *coo = (gb_Coo){.nrows = shape.nrows, .ncols = shape.ncols, .n = (uint64_t)slots};
    const gbl_Info info = gb_coo_reserve(coo, coo->n, coo->n, "the generated matrix");
    if (info != GBL_SUCCESS) return info;
    gbl_parallel(n, make_part, making);
    return gb_coo_to_rows(coo, GBL_DUPLICATES_SUM, arrays, NULL);
}

static void make_row(void *context, gbl_Index row) {
    const Making *const making = context;
    const gb_Spec *const spec = making->spec;
    const uint64_t first = row * spec->c;
    for (uint64_t k = first; k < first + spec->c; k++) {
        making->coo.i[k] = (uint32_t)row;
        making->coo.j[k] = below(gb_gen_mix(making->key + k * GB_GEN_STEP), spec->b);
    }
}

gbl_Info gb_gen_rect(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    Making making = {.spec = spec, .key = gb_gen_mix(spec->seed * GB_GEN_STEP + 1)};
    *shape = (gb_Shape){spec->a, spec->b};
    return make_list(&making, *shape, (unsigned __int128)spec->a * spec->c, spec->a, make_row,
                     arrays);
}

/* The columns of tiles are cut into T parts; each part has one tile, at a random place. */
static uint32_t tile_column(const gb_Spec *spec, uint64_t t, uint64_t random) {
    const uint64_t from = spec->a * t / spec->b, to = spec->a * (t + 1) / spec->b;
    return (uint32_t)from + below(random, to - from);
}

static void make_tile(void *context, gbl_Index tile) {
    const Making *const making = context;
    const gb_Spec *const spec = making->spec;
    const uint64_t fill = spec->c, random = gb_gen_mix(making->key + tile * GB_GEN_STEP);
    const uint32_t row = (uint32_t)(tile / spec->b) * TILE;
    const uint32_t column = tile_column(spec, tile % spec->b, random) * TILE;
    for (uint64_t k = 0; k < fill; k++) {
        const uint32_t cell = gb_gen_permute((uint32_t)k, CELL_BITS, random);
        making->coo.i[tile * fill + k] = row + cell / TILE;
        making->coo.j[tile * fill + k] = column + cell % TILE;
    }
}

gbl_Info gb_gen_tiles(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    if (spec->b > spec->a)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "tiles:%llu:%llu:F has %llu tiles in a row of tiles; T is at most N",
                        (unsigned long long)spec->a, (unsigned long long)spec->b,
                        (unsigned long long)spec->b);
    Making making = {.spec = spec, .key = gb_gen_mix(spec->seed * GB_GEN_STEP + 1)};
    *shape = (gb_Shape){spec->a * TILE, spec->a * TILE};
    const unsigned __int128 tiles = (unsigned __int128)spec->a * spec->b;
    return make_list(&making, *shape, tiles * spec->c, (gbl_Index)tiles, make_tile, arrays);
}

/* -- entries that decay --------------------------------------------------------------------- */

/* Full matrices whose values decay away from the diagonal: decay:N:exp:L, decay:N:alg:L and
 * decay:N:paper, with :SEED behind if wanted. The value at distance d = |i - j| is L^d, 1 / (d^L +
 * 1) or 0.1 / (d^0.1 + 1); with a seed it is multiplied by a number between -1 and 1 that is a
 * function of seed, i and j. What would be subnormal is 0. */

enum { SIDE_MOST = 1 << 20 };

typedef struct {
    uint64_t n;
    enum { EXP, ALG, PAPER } kind;
    double lambda;
    bool random;
    uint64_t key;
    gbl_Type_Code code;
    const double *at; /* [n] value at each distance */
    gbl_Arrays *arrays;
} Decay;

bool gb_gen_is_decay(const char *text) {
    return strncmp(text, "decay:", 6) == 0;
}

static bool read_decay(Decay *to, const char *text) {
    static const char *const kinds[] = {":exp:", ":alg:", ":paper"};
    const char *p = text + strlen("decay");
    uint64_t seed = 0;
    *to = (Decay){.lambda = 0.1};
    if (!gb_gen_read_number(&p, (gb_Limits){1, SIDE_MOST}, &to->n)) return false;
    while (strncmp(p, kinds[to->kind], strlen(kinds[to->kind])) != 0)
        if (to->kind++ == PAPER) return false;
    p += strlen(kinds[to->kind]);
    if (to->kind != PAPER) {
        if (!gb_number_read(&p, &to->lambda)) return false;
        if (!(to->lambda > 0.0) || !isfinite(to->lambda)) return false;
        if (to->kind == EXP && to->lambda > 1.0) return false;
    }
    to->random = *p == ':';
    if (to->random && !gb_gen_read_number(&p, (gb_Limits){0, UINT64_MAX}, &seed)) return false;
    to->key = gb_gen_mix(seed * GB_GEN_STEP + 2);
    return *p == '\0';
}

static double value_at(const Decay *of, uint64_t distance) {
    const double d = (double)distance;
    if (of->kind == EXP) return pow(of->lambda, d);
    return (of->kind == ALG ? 1.0 : 0.1) / (pow(d, of->lambda) + 1.0);
}

static void fill_row(void *context, gbl_Index i) {
    const Decay *of = context;
    const double least = of->code == GBL_FP32_CODE ? (double)FLT_MIN : DBL_MIN;
    const uint64_t n = of->n;
    for (uint64_t j = 0; j < n; j++) {
        double x = of->at[j > i ? j - i : i - j];
        if (of->random) {
            const uint64_t place = i << 32 | j;
            const uint64_t random = gb_gen_mix(of->key + place * GB_GEN_STEP);
            x *= (double)(int64_t)random * 0x1p-63;
        }
        if (fabs(x) < least) x = 0.0;
        of->arrays->i[i * n + j] = (uint32_t)j;
        if (of->code == GBL_FP32_CODE) ((float *)of->arrays->x)[i * n + j] = (float)x;
        if (of->code == GBL_FP64_CODE) ((double *)of->arrays->x)[i * n + j] = x;
    }
    of->arrays->p[i + 1] = (i + 1) * n;
}

static gbl_Info make(Decay *of, const gb_Kind *kind, gbl_Arrays *arrays) {
    const uint64_t n = of->n, entries = n * n;
    double *at = NULL;
    arrays->iso = of->code == GBL_BOOL_CODE;
    gbl_Info info = gb_io_claim(entries * (kind->size + sizeof *arrays->i), "the decaying matrix");
    if (info != GBL_SUCCESS) return info;
    arrays->p = gb_io_alloc(n + 1, sizeof *arrays->p);
    arrays->i = gb_io_alloc(entries, sizeof *arrays->i);
    arrays->x = gb_io_alloc(arrays->iso ? 1 : entries, kind->size);
    at = gb_io_alloc(n, sizeof *at);
    if (!arrays->p || !arrays->i || !arrays->x || !at) {
        gbl_Memory_free(at);
        return gb_io_no_memory("the decaying matrix");
    }
    for (uint64_t d = 0; d < n; d++) at[d] = value_at(of, d);
    of->at = at;
    of->arrays = arrays;
    arrays->p[0] = 0;
    if (arrays->iso) *(bool *)arrays->x = true;
    gbl_parallel(n, fill_row, of);
    gbl_Memory_free(at);
    return GBL_SUCCESS;
}

gbl_Info gb_gen_decay(gbl_Matrix *A, gbl_Type type, const char *text) {
    Decay decay;
    gb_Kind kind;
    gbl_Arrays arrays = {0};
    gbl_Info info = gb_number_init();
    if (info != GBL_SUCCESS) return info;
    if (!read_decay(&decay, text))
        return gbl_fail(
            GBL_INVALID_VALUE, NULL,
            "'%.40s' should be decay:N:exp:L with L above 0 and at most 1, decay:N:alg:L "
            "with L above 0, or decay:N:paper, perhaps with :SEED, N in 1..%d",
            text, (int)SIDE_MOST);
    info = gb_io_kind(&kind, type ? type : GBL_FP64);
    if (info != GBL_SUCCESS) return info;
    decay.code = kind.code;
    if (kind.code != GBL_FP64_CODE && kind.code != GBL_FP32_CODE && kind.code != GBL_BOOL_CODE)
        return gbl_fail(
            GBL_DOMAIN_MISMATCH, NULL,
            "'%.40s' has values below 1, which integers cannot hold; make it FP64, FP32 "
            "or BOOL",
            text);
    info = make(&decay, &kind, &arrays);
    if (info != GBL_SUCCESS) {
        gb_io_free_arrays(&arrays);
        return info;
    }
    return gb_io_move_in(A, &kind, (gb_Shape){decay.n, decay.n}, GBL_CSR_FORMAT, &arrays);
}

/* -- grids and finite elements -------------------------------------------------------------- */

/* The entries of a row; i gets their columns, ascending, where it is not NULL. */
typedef uint64_t RowOf(const gb_Spec *spec, uint64_t row, uint32_t *i);

typedef struct {
    const gb_Spec *spec;
    RowOf *row_of;
    gbl_Arrays *arrays;
} Structure;

static void fill_columns(void *context, gbl_Index row) {
    const Structure *const s = context;
    s->row_of(s->spec, row, s->arrays->i + s->arrays->p[row]);
}

/* Makes n rows of nvals entries in all. */
static gbl_Info make_rows(const Structure *s, gbl_Index n, unsigned __int128 nvals,
                          gb_Shape *shape) {
    gbl_Arrays *const arrays = s->arrays;
    const unsigned __int128 bytes =
        nvals * sizeof *arrays->i + ((unsigned __int128)n + 1) * sizeof *arrays->p;
    if (bytes > INT64_MAX) return gb_io_no_memory("the generated matrix");
    const gbl_Info info = gb_io_claim((uint64_t)bytes, "the generated matrix");
    if (info != GBL_SUCCESS) return info;
    *shape = (gb_Shape){n, n};
    arrays->p = gb_io_alloc(n + 1, sizeof *arrays->p);
    arrays->i = gb_io_alloc((uint64_t)nvals, sizeof *arrays->i);
    if (!arrays->p || !arrays->i) return gb_io_no_memory("the generated matrix");
    arrays->p[0] = 0;
    for (uint64_t k = 0; k < n; k++) arrays->p[k + 1] = arrays->p[k] + s->row_of(s->spec, k, NULL);
    gbl_parallel(n, fill_columns, (void *)(uintptr_t)s);
    return GBL_SUCCESS;
}

/* The rows of one grid point: blocks of itself and its neighbours, along x first. */
static uint64_t fem_row(const gb_Spec *spec, uint64_t row, uint32_t *i) {
    const uint64_t grid = spec->a, block = spec->b, point = row / block;
    const uint64_t at[] = {point % grid, point / grid % grid, point / grid / grid};
    uint64_t first[3], end[3], n = 0;
    for (unsigned axis = 0; axis < 3; axis++) {
        first[axis] = at[axis] - (at[axis] > 0);
        end[axis] = at[axis] + 1 + (at[axis] + 1 < grid);
    }
    const uint64_t width = (end[0] - first[0]) * block;
    if (!i) return width * (end[1] - first[1]) * (end[2] - first[2]);
    for (uint64_t z = first[2]; z < end[2]; z++)
        for (uint64_t y = first[1]; y < end[1]; y++)
            for (uint64_t k = 0; k < width; k++)
                i[n++] = (uint32_t)(((z * grid + y) * grid + first[0]) * block + k);
    return n;
}

gbl_Info gb_gen_fem(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    const unsigned __int128 rows = (unsigned __int128)spec->a * spec->a * spec->a * spec->b;
    const unsigned __int128 all = 3 * spec->a - 2;
    if (rows > GB_IO_DIMENSION_MAX)
        return gbl_fail(GBL_INVALID_VALUE, NULL, "fem:%llu:%llu has more than %llu rows: D * G^3",
                        (unsigned long long)spec->a, (unsigned long long)spec->b,
                        (unsigned long long)GB_IO_DIMENSION_MAX);
    return make_rows(&(Structure){spec, fem_row, arrays}, (gbl_Index)rows,
                     all * all * all * spec->b * spec->b, shape);
}

/* The row of a point: itself, and of the points of all planes, lines, places those next to it. */
static uint64_t cross_row(const gb_Spec *spec, uint64_t point, uint32_t *i) {
    const uint64_t size[] = {spec->a, spec->b, spec->c};
    const uint64_t step[] = {spec->b * spec->c, spec->c, 1};
    uint64_t n = 0, at[3], column[7];
    for (unsigned axis = 0; axis < 3; axis++) at[axis] = point / step[axis] % size[axis];
    for (unsigned axis = 0; axis < 3; axis++)
        if (at[axis] > 0) column[n++] = point - step[axis];
    column[n++] = point;
    for (unsigned axis = 3; axis-- > 0;)
        if (at[axis] + 1 < size[axis]) column[n++] = point + step[axis];
    for (uint64_t k = 0; i != NULL && k < n; k++) i[k] = (uint32_t)column[k];
    return n;
}

gbl_Info gb_gen_cross(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    const unsigned __int128 points = (unsigned __int128)spec->a * spec->b * spec->c;
    if (points > GB_IO_DIMENSION_MAX)
        return gbl_fail(GBL_INVALID_VALUE, NULL, "cross:%llu:%llu:%llu has more than %llu points",
                        (unsigned long long)spec->a, (unsigned long long)spec->b,
                        (unsigned long long)spec->c, (unsigned long long)GB_IO_DIMENSION_MAX);
    const uint64_t n = (uint64_t)points;
    const uint64_t pairs = 3 * n - n / spec->a - n / spec->b - n / spec->c;
    return make_rows(&(Structure){spec, cross_row, arrays}, n, n + 2 * pairs, shape);
}

static uint64_t band_row(const gb_Spec *spec, uint64_t row, uint32_t *i) {
    const uint64_t first = row < spec->b ? 0 : row - spec->b;
    const uint64_t end = row + spec->b < spec->a ? row + spec->b + 1 : spec->a;
    for (uint64_t j = first; j < end && i; j++) i[j - first] = (uint32_t)j;
    return end - first;
}

gbl_Info gb_gen_band(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    const unsigned __int128 n = spec->a, w = spec->b < spec->a ? spec->b : spec->a - 1;
    return make_rows(&(Structure){spec, band_row, arrays}, spec->a, n * (2 * w + 1) - w * (w + 1),
                     shape);
}
