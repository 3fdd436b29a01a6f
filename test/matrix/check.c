/* SPDX-License-Identifier: Apache-2.0
 *
 * Nothing is believed that has not been checked before, so that a corrupt object gives a text and
 * not a crash.
 *
 * That all representations hold the same content, the compact matrix of a hypersparse object among
 * them, is verified by a sum over hashed entries, which does not depend on their order.
 */
#include "matrix/check.h"

#include "core/memory.h"
#include "matrix/updates.h"

typedef unsigned long long ull;

static gbl_Info broken(const char *what, uint64_t at) {
    return gb_fail(GBL_INVALID_OBJECT, "broken object: %s (at %llu)", what, (ull)at);
}

static uint64_t mix(uint64_t h) {
    h = (h ^ (h >> 31)) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
}

/* A, and what its rows and columns stand for: those of the axes, or, where these are NULL, its own.
 */
typedef struct {
    const gb_Matrix *A;
    const gb_RowList *rows, *cols;
} Named;

static uint64_t hash_entry(const Named *named, uint64_t row, uint64_t col, const char *x) {
    if (named->rows != NULL) row = named->rows->index[row];
    if (named->cols != NULL) col = named->cols->index[col];
    uint64_t h = mix(mix(row + 1) ^ col);
    for (size_t k = 0; k < named->A->type->size; k++) h = mix(h ^ (unsigned char)x[k]);
    return h;
}

/* -- compressed */

static gbl_Info check_pointers(const gb_Cs *cs) {
    if (cs->p == NULL) return broken("a valid format has no pointers", 0);
    if (cs->p[0] != 0) return broken("the first pointer is not 0", cs->p[0]);
    for (uint64_t k = 0; k < cs->nmajor; k++) {
        if (cs->p[k] > cs->p[k + 1]) return broken("pointers decrease", k);
    }
    if (cs->p[cs->nmajor] != cs->nvals)
        return broken("the last pointer is not nvals", cs->p[cs->nmajor]);
    return GBL_SUCCESS;
}

static gbl_Info check_rows(const gb_Cs *cs, uint64_t nminor) {
    const size_t bytes = nminor / 8 + 1;
    uint8_t *seen = gb_calloc(bytes);
    if (seen == NULL) return gb_fail_memory(bytes);
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t row = 0; row < cs->nmajor && info == GBL_SUCCESS; row++) {
        for (uint64_t k = cs->p[row]; k < cs->p[row + 1] && info == GBL_SUCCESS; k++) {
            const gb_Idx i = cs->i[k];
            if (i >= nminor) {
                info = broken("an index is out of range", k);
            } else if (seen[i / 8] >> (i % 8) & 1) {
                info = broken("an index repeats in its row", k);
            } else if (cs->sorted && k > cs->p[row] && cs->i[k - 1] > i) {
                info = broken("a row that is called sorted is not", k);
            } else {
                seen[i / 8] = (uint8_t)(seen[i / 8] | 1u << (i % 8));
            }
        }
        for (uint64_t k = cs->p[row]; k < cs->p[row + 1] && info == GBL_SUCCESS; k++)
            seen[cs->i[k] / 8] = 0;
    }
    gb_free(seen, bytes);
    return info;
}

static uint64_t hash_cs(const Named *named, gb_Format format) {
    const gb_Matrix *A = named->A;
    const gb_Cs *cs = &A->cs[format];
    uint64_t sum = 0;
    for (uint64_t k = 0; k < cs->nmajor; k++) {
        for (uint64_t e = cs->p[k]; e < cs->p[k + 1]; e++) {
            const char *x = (const char *)cs->x + (cs->iso ? 0 : e * A->type->size);
            sum += format == GB_CSR ? hash_entry(named, k, cs->i[e], x)
                                    : hash_entry(named, cs->i[e], k, x);
        }
    }
    return sum;
}

static gbl_Info check_cs(const gb_Matrix *A, gb_Format format) {
    const gb_Cs *cs = &A->cs[format];
    const uint64_t xvals = cs->iso ? cs->nvals > 0 : cs->nvals;
    if (!(A->has & gb_has_bit(format))) {
        if (cs->p != NULL || cs->i != NULL || cs->x != NULL)
            return broken("a format that is not valid has arrays", (uint64_t)format);
        return GBL_SUCCESS;
    }
    if (cs->nmajor != gb_nmajor(A, format))
        return broken("nmajor is not the dimension", cs->nmajor);
    if (cs->nvals != A->nvals) return broken("a format has another nvals", cs->nvals);
    if (cs->nvals > 0 && cs->iso != A->iso) return broken("iso differs between formats", 0);
    if (cs->icap < cs->nvals || (cs->nvals > 0 && cs->i == NULL))
        return broken("there are fewer indices than entries", cs->icap);
    if (cs->xcap / A->type->size < xvals || (xvals > 0 && cs->x == NULL))
        return broken("there are fewer values than entries", cs->xcap);
    gbl_Info info = check_pointers(cs);
    if (info == GBL_SUCCESS) info = check_rows(cs, gb_nminor(A, format));
    return info;
}

/* -- tiles */

static uint64_t hash_tiles(const Named *named, gb_Format format) {
    const gb_Matrix *A = named->A;
    const gb_Tiles *tiles = &A->tiles[format];
    uint64_t sum = 0;
    for (uint64_t I = 0; I < gb_tile_count(tiles->nmajor); I++)
        for (gb_Off t = tiles->p[I]; t < tiles->p[I + 1]; t++)
            for (gb_Off e = tiles->nnz[t]; e < tiles->nnz[t + 1]; e++) {
                const char *x = (const char *)tiles->x + (tiles->iso ? 0 : e * A->type->size);
                const uint64_t k = I * GB_TILE + (tiles->rc[e] >> 4);
                const uint64_t j = (uint64_t)tiles->i[t] * GB_TILE + (tiles->rc[e] & 15u);
                sum += format == GB_CSR ? hash_entry(named, k, j, x) : hash_entry(named, j, k, x);
            }
    return sum;
}

/* Masks, row offsets and positions of one tile agree, and nothing outside the matrix. */
static gbl_Info check_tile(const gb_Tiles *tiles, uint64_t I, gb_Off t) {
    gb_Off e = tiles->nnz[t];
    for (unsigned r = 0; r < GB_TILE; r++) {
        const unsigned mask = tiles->mask[t * GB_TILE + r];
        if (tiles->row[t * GB_TILE + r] != (uint8_t)(e - tiles->nnz[t]))
            return broken("a row offset of a tile is wrong", t);
        if (mask != 0 && I * GB_TILE + r >= tiles->nmajor)
            return broken("a tile has a row outside the matrix", t);
        for (unsigned c = 0; c < GB_TILE; c++) {
            if (!(mask >> c & 1u)) continue;
            if ((uint64_t)tiles->i[t] * GB_TILE + c >= tiles->nminor)
                return broken("a tile has a column outside the matrix", t);
            if (e >= tiles->nnz[t + 1] || tiles->rc[e] != (r << 4 | c))
                return broken("an entry of a tile is not where its mask says", t);
            e++;
        }
    }
    return e == tiles->nnz[t + 1] ? GBL_SUCCESS
                                  : broken("a tile has more entries than its masks", t);
}

static gbl_Info check_tiles(const gb_Matrix *A, gb_Format format) {
    const gb_Tiles *tiles = &A->tiles[format];
    const uint64_t rows = gb_tile_count(tiles->nmajor);
    const uint64_t xvals = tiles->iso ? tiles->nvals > 0 : tiles->nvals;
    if (!(A->has & gb_tiles_bit(format)))
        return tiles->p == NULL && tiles->x == NULL
                   ? GBL_SUCCESS
                   : broken("tiles that are not valid have arrays", (uint64_t)format);
    if (tiles->nmajor != gb_nmajor(A, format) || tiles->nminor != gb_nminor(A, format))
        return broken("tiles have another shape", tiles->nmajor);
    if (tiles->nvals != A->nvals) return broken("tiles have another nvals", tiles->nvals);
    if (tiles->nvals > 0 && tiles->iso != A->iso) return broken("iso differs between formats", 0);
    if (tiles->xcap / A->type->size < xvals || (xvals > 0 && tiles->x == NULL))
        return broken("there are fewer values than entries", tiles->xcap);
    if (tiles->p == NULL || tiles->nnz == NULL || (tiles->nvals > 0 && tiles->rc == NULL) ||
        (tiles->ntiles > 0 && (tiles->i == NULL || tiles->row == NULL || tiles->mask == NULL)))
        return broken("valid tiles lack an array", tiles->ntiles);
    if (tiles->p[0] != 0 || tiles->p[rows] != tiles->ntiles || tiles->nnz[0] != 0)
        return broken("tiles are not counted right", tiles->ntiles);
    for (uint64_t I = 0; I < rows; I++)
        if (tiles->p[I] > tiles->p[I + 1]) return broken("tile pointers decrease", I);
    if (tiles->nnz[tiles->ntiles] != tiles->nvals)
        return broken("tiles are not counted right", tiles->ntiles);
    for (uint64_t I = 0; I < rows; I++)
        for (gb_Off t = tiles->p[I]; t < tiles->p[I + 1]; t++) {
            if (t > tiles->p[I] && tiles->i[t] <= tiles->i[t - 1])
                return broken("tiles of a row do not ascend", t);
            const gbl_Info info = check_tile(tiles, I, t);
            if (info != GBL_SUCCESS) return info;
        }
    return GBL_SUCCESS;
}

/* -- dense */

static uint64_t hash_dense(const Named *named) {
    const gb_Matrix *v = named->A;
    const gb_Dense *dense = &v->dense;
    uint64_t sum = 0;
    for (uint64_t k = 0; k < dense->n; k++) {
        if (dense->b != NULL && !dense->b[k]) continue;
        const char *x = (const char *)dense->x + (dense->iso ? 0 : k * v->type->size);
        sum += hash_entry(named, k / v->ncols, k % v->ncols, x);
    }
    return sum;
}

static gbl_Info check_dense(const gb_Matrix *A) {
    const gb_Dense *dense = &A->dense;
    const unsigned has = A->has & (GBL_HAS_BITMAP | GBL_HAS_FULL);
    if (has == 0) {
        if (dense->b != NULL || dense->x != NULL)
            return broken("a dense form that is not valid has arrays", 0);
        return GBL_SUCCESS;
    }
    if (has == (GBL_HAS_BITMAP | GBL_HAS_FULL))
        return broken("an object is both bitmap and full", has);
    const bool full_iso = A->iso && has == GBL_HAS_FULL;
    if (!gb_may_be_dense(A) && !full_iso)
        return broken("a matrix too large for that has a dense form", has);
    if (dense->n != gb_positions(A))
        return broken("the dense length is not the number of cells", dense->n);
    if (dense->nvals != A->nvals) return broken("the dense form has another nvals", dense->nvals);
    if (dense->nvals > 0 && dense->iso != A->iso) return broken("iso differs between formats", 0);
    if (dense->n > 0 && (dense->b == NULL) != (has == GBL_HAS_FULL))
        return broken("only a bitmap has a bitmap", has);
    const uint64_t xvals = dense->iso ? dense->nvals > 0 : dense->n;
    if (dense->xcap / A->type->size < xvals || (xvals > 0 && dense->x == NULL))
        return broken("there are fewer values than elements", dense->xcap);
    uint64_t count = dense->b == NULL ? dense->n : 0;
    for (uint64_t k = 0; dense->b != NULL && k < dense->n; k++) {
        if (dense->b[k] != 0 && dense->b[k] != 1) return broken("a bitmap byte is not 0 or 1", k);
        count += dense->b[k] == 1;
    }
    return count == dense->nvals ? GBL_SUCCESS : broken("the bitmap does not count nvals", count);
}

/* -- the whole */

static gbl_Info check_frame(const gb_Matrix *A) {
    const unsigned known = GBL_HAS_CSR | GBL_HAS_CSC | GBL_HAS_BITMAP | GBL_HAS_FULL |
                           GBL_HAS_TILE16 | GB_HAS_TILES_OF_COLUMNS | GBL_HAS_DEVICE;
    if (A->magic != GB_MAGIC_MATRIX && A->magic != GB_MAGIC_VECTOR)
        return broken("the magic number is wrong", A->magic);
    if (A->type == NULL || A->type->magic != GB_MAGIC_TYPE || A->type->size == 0)
        return broken("the type is not a live type", 0);
    if (A->nrows > GBL_INDEX_MAX + 1) return broken("too many rows", A->nrows);
    if (A->ncols > GBL_INDEX_MAX + 1) return broken("too many columns", A->ncols);
    if (gb_is_vector(A) && A->ncols != 1) return broken("a vector has columns", A->ncols);
    if (A->has & ~known) return broken("an unknown format is marked valid", A->has);
    if (gb_is_huge(A) && A->has != 0 && !(A->has == GBL_HAS_FULL && A->iso))
        return broken("an object of huge dimensions has a form of its own", A->has);
    if (A->has == 0 && A->hyper == NULL && A->nvals != 0)
        return broken("there are entries in no format", A->nvals);
    if ((A->has & GBL_HAS_DEVICE) &&
        (A->has != GBL_HAS_DEVICE || A->device[gb_device_format(A)] == NULL))
        return broken("content left on the device is elsewhere too, or nowhere", A->has);
    return GBL_SUCCESS;
}

/* -- hypersparse */

static gbl_Info check_axis(const gb_RowList *axis, uint64_t rows, uint64_t dimension) {
    if (axis == NULL || axis->refs < 1) return broken("a hypersparse object lacks an axis", 0);
    if (axis->n != rows) return broken("an axis is not as long as the compact matrix", axis->n);
    for (uint64_t k = 0; k < axis->n; k++) {
        if (axis->index[k] >= dimension) return broken("an axis leaves the dimension", k);
        if (k > 0 && axis->index[k] <= axis->index[k - 1])
            return broken("an axis does not ascend", k);
    }
    return GBL_SUCCESS;
}

static gbl_Info check_hyper(const gb_Matrix *A) {
    const gb_Hyper *hyper = A->hyper;
    if (hyper == NULL) return GBL_SUCCESS;
    gb_Matrix *core = hyper->core;
    if (core == NULL || core->magic != A->magic || core->type != A->type)
        return broken("the compact matrix is none of this kind", 0);
    if (core->nvals != A->nvals || core->iso != A->iso)
        return broken("the compact matrix has another nvals", core->nvals);
    if (core->nvals == 0 && A->pending == NULL && gb_is_huge(A))
        return broken("a compact matrix is empty", 0);
    if (core->hyper != NULL || core->pending != NULL)
        return broken("the compact matrix is not compact", 0);
    gbl_Info info = check_axis(hyper->rows, core->nrows, A->nrows);
    if (info == GBL_SUCCESS && !gb_is_vector(A))
        info = check_axis(hyper->cols, core->ncols, A->ncols);
    return info == GBL_SUCCESS ? gb_matrix_check(core) : info;
}

enum { FORMS = 5 };

/* A sum for each form that there is; returns how many. */
static int sum_forms(uint64_t sums[FORMS], const Named *named) {
    const unsigned has = named->A->has;
    int count = 0;
    if (has & GBL_HAS_CSR) sums[count++] = hash_cs(named, GB_CSR);
    if (has & GBL_HAS_CSC) sums[count++] = hash_cs(named, GB_CSC);
    if (has & gb_tiles_bit(GB_CSR)) sums[count++] = hash_tiles(named, GB_CSR);
    if (has & gb_tiles_bit(GB_CSC)) sums[count++] = hash_tiles(named, GB_CSC);
    if (has & (GBL_HAS_BITMAP | GBL_HAS_FULL) && gb_may_be_dense(named->A))
        sums[count++] = hash_dense(named);
    return count;
}

static gbl_Info check_same(const gb_Matrix *A) {
    const gb_Hyper *hyper = A->hyper;
    uint64_t sums[2 * FORMS];
    int count = sum_forms(sums, &(Named){.A = A});
    if (hyper != NULL && A->has != 0 && A->nvals > 0)
        count += sum_forms(sums + count, &(Named){hyper->core, hyper->rows, hyper->cols});
    for (int k = 1; k < count; k++) {
        if (sums[k] != sums[0]) return broken("the formats hold different content", A->has);
    }
    return GBL_SUCCESS;
}

static gbl_Info check_ready(const gb_Matrix *A) {
    for (gb_Format format = GB_CSR; format <= GB_CSC; format++) {
        if (!(A->ready & gb_has_bit(format))) continue;
        if (!(A->has & gb_has_bit(format))) return broken("a list is ready and not there", format);
        if (!A->cs[format].sorted) return broken("a ready list is not sorted", format);
    }
    return GBL_SUCCESS;
}

static gbl_Info check_pending(const gb_Matrix *A) {
    const gb_Pending *list = A->pending;
    if (list == NULL) return GBL_SUCCESS;
    if (list->n == 0 || list->n > list->cap)
        return broken("the list of updates is empty or overfull", list->n);
    for (uint64_t k = 0; k < list->n; k++) {
        if (gb_pending_row(list, k) >= A->nrows || gb_pending_col(list, k) >= A->ncols)
            return broken("an update is out of range", k);
        if (list->keep[k] != 0 && list->keep[k] != 1)
            return broken("an update neither sets nor removes", k);
    }
    return GBL_SUCCESS;
}

gbl_Info gb_matrix_check(gb_Matrix *A) {
    if (A == NULL) return gb_fail(GBL_INVALID_OBJECT, "broken object: there is none");
    gb_lock(&A->lock);
    gbl_Info info = check_frame(A);
    if (info == GBL_SUCCESS) info = check_cs(A, GB_CSR);
    if (info == GBL_SUCCESS) info = check_cs(A, GB_CSC);
    if (info == GBL_SUCCESS) info = check_tiles(A, GB_CSR);
    if (info == GBL_SUCCESS) info = check_tiles(A, GB_CSC);
    if (info == GBL_SUCCESS) info = check_dense(A);
    if (info == GBL_SUCCESS) info = check_hyper(A);
    if (info == GBL_SUCCESS) info = check_same(A);
    if (info == GBL_SUCCESS) info = check_ready(A);
    if (info == GBL_SUCCESS) info = check_pending(A);
    gb_unlock(&A->lock);
    return info;
}
