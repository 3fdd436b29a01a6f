/* SPDX-License-Identifier: Apache-2.0
 *
 * Regular matrices. Where each row starts follows from its number, so all rows are written at once.
 */
#include "gen.h"

static gbl_Info alloc_structure(gbl_Arrays *arrays, gbl_Index n, unsigned __int128 nvals) {
    const unsigned __int128 bytes =
        nvals * sizeof *arrays->i + ((unsigned __int128)n + 1) * sizeof *arrays->p;
    if (bytes > INT64_MAX) return gb_io_no_memory("the generated matrix");
    const gbl_Info info = gb_io_claim((uint64_t)bytes, "the generated matrix");
    if (info != GBL_SUCCESS) return info;
    arrays->p = gb_io_alloc(n + 1, sizeof *arrays->p);
    arrays->i = gb_io_alloc((uint64_t)nvals, sizeof *arrays->i);
    if (!arrays->p || !arrays->i) return gb_io_no_memory("the generated matrix");
    arrays->p[n] = (uint64_t)nvals;
    return GBL_SUCCESS;
}

/* Neighbours of a point along one axis, itself included: first, count, and the sum of the counts of
 * all points before it. */
typedef struct {
    uint64_t first, count, before;
} gb_RowList;

static gb_RowList axis_at(uint64_t x, uint64_t grid) {
    return (gb_RowList){.first = x > 0 ? x - 1 : 0,
                        .count = 1 + (uint64_t)(x > 0) + (uint64_t)(x + 1 < grid),
                        .before = x > 0 ? 3 * x - 1 : 0};
}

typedef struct {
    const gb_Spec *spec;
    gbl_Arrays *arrays;
} Grid;

/* The rows of one grid point: block by block in the order of the columns. */
static void fill_point(void *context, gbl_Index point) {
    const gb_Spec *const spec = ((Grid *)context)->spec;
    const gbl_Arrays *const arrays = ((Grid *)context)->arrays;
    const uint64_t grid = spec->a, block = spec->b, all = 3 * grid - 2;
    const gb_RowList x = axis_at(point % grid, grid), y = axis_at(point / grid % grid, grid);
    const gb_RowList z = axis_at(point / grid / grid, grid);
    const uint64_t row = x.count * y.count * z.count * block;
    uint64_t at =
        (z.before * all * all + z.count * (y.before * all + y.count * x.before)) * block * block;
    for (uint64_t d = 0; d < block; d++) arrays->p[point * block + d] = at + d * row;
    for (uint64_t zz = z.first; zz < z.first + z.count; zz++) {
        for (uint64_t yy = y.first; yy < y.first + y.count; yy++) {
            const uint64_t first = ((zz * grid + yy) * grid + x.first) * block;
            for (uint64_t k = 0; k < x.count * block; k++, at++) {
                for (uint64_t d = 0; d < block; d++) {
                    arrays->i[at + d * row] = (uint32_t)(first + k);
                }
            }
        }
    }
}

gbl_Info gb_gen_fem(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    const unsigned __int128 points = (unsigned __int128)spec->a * spec->a * spec->a;
    const unsigned __int128 rows = points * spec->b, all = 3 * spec->a - 2;
    if (rows > GB_IO_DIMENSION_MAX) {
        return gbl_fail(GBL_INVALID_VALUE, NULL, "fem:%llu:%llu has more than %llu rows: D * G^3",
                        (unsigned long long)spec->a, (unsigned long long)spec->b,
                        (unsigned long long)GB_IO_DIMENSION_MAX);
    }
    *shape = (gb_Shape){(gbl_Index)rows, (gbl_Index)rows};
    const gbl_Info info =
        alloc_structure(arrays, (gbl_Index)rows, all * all * all * spec->b * spec->b);
    if (info != GBL_SUCCESS) return info;
    gbl_parallel((gbl_Index)points, fill_point, &(Grid){spec, arrays});
    return GBL_SUCCESS;
}

/* The row of a point: itself, and of the points of all planes, lines and places those next to it.
 * Returns its entries, of which i gets the columns where it is not NULL. */
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

static void fill_cross(void *context, gbl_Index point) {
    const gbl_Arrays *const arrays = ((Grid *)context)->arrays;
    cross_row(((Grid *)context)->spec, point, arrays->i + arrays->p[point]);
}

gbl_Info gb_gen_cross(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    const unsigned __int128 points = (unsigned __int128)spec->a * spec->b * spec->c;
    if (points > GB_IO_DIMENSION_MAX)
        return gbl_fail(GBL_INVALID_VALUE, NULL, "cross:%llu:%llu:%llu has more than %llu points",
                        (unsigned long long)spec->a, (unsigned long long)spec->b,
                        (unsigned long long)spec->c, (unsigned long long)GB_IO_DIMENSION_MAX);
    const uint64_t n = (uint64_t)points;
    const uint64_t pairs = 3 * n - n / spec->a - n / spec->b - n / spec->c;
    *shape = (gb_Shape){n, n};
    const gbl_Info info = alloc_structure(arrays, n, n + 2 * pairs);
    if (info != GBL_SUCCESS) return info;
    uint64_t at = 0;
    for (uint64_t point = 0; point < n; point++) {
        arrays->p[point] = at;
        at += cross_row(spec, point, NULL);
    }
    gbl_parallel(n, fill_cross, &(Grid){spec, arrays});
    return GBL_SUCCESS;
}

/* Entries before row i: 2 w + 1 each, less what the left and the right border cut off. */
static unsigned __int128 band_before(uint64_t i, uint64_t n, uint64_t w) {
    const unsigned __int128 left = i < w ? i : w;
    const unsigned __int128 right = i + w > n ? i + w - n : 0;
    return (unsigned __int128)i * (2 * w + 1) - (left * w - left * (left - 1) / 2) -
           right * (right + 1) / 2;
}

static void fill_band_row(void *context, gbl_Index i) {
    const gbl_Arrays *const arrays = ((Grid *)context)->arrays;
    const gb_Spec *const spec = ((Grid *)context)->spec;
    const uint64_t size = spec->a, w = spec->b < size ? spec->b : size - 1;
    const uint64_t end = i + w < size ? i + w + 1 : size;
    uint64_t at = arrays->p[i] = (uint64_t)band_before(i, size, w);
    for (uint64_t j = i < w ? 0 : i - w; j < end; j++) arrays->i[at++] = (uint32_t)j;
}

gbl_Info gb_gen_band(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays) {
    *shape = (gb_Shape){spec->a, spec->a};
    const uint64_t size = spec->a, w = spec->b < size ? spec->b : size - 1;
    const gbl_Info info = alloc_structure(arrays, size, band_before(size, size, w));
    if (info != GBL_SUCCESS) return info;
    gbl_parallel(size, fill_band_row, &(Grid){spec, arrays});
    return GBL_SUCCESS;
}
