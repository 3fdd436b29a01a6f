/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions are made with `making` held, so that readers that want the same form wait for one
 * instead of each making it; readers of forms that exist do not wait. What is there and stays
 * (object.h: `ready`) is read without a lock: a call on few entries asks five times, and a lock
 * taken and given back costs as much as two allocations.
 */

#include "matrix/hyper.h"
#include "matrix/matrix.h"
#include "matrix/updates.h"

/* Under the lock. */
static void publish(gb_Matrix *A, unsigned bit) {
    A->conversions++;
    __atomic_store_n(&A->has, A->has | bit, __ATOMIC_RELEASE);
}

/* If it was made. */
static gbl_Info publish_list(gbl_Info info, gb_Matrix *A, gb_Format format, const gb_Cs *cs) {
    if (info != GBL_SUCCESS) return info;
    gb_lock(&A->lock);
    A->cs[format] = *cs;
    publish(A, gb_has_bit(format));
    gb_unlock(&A->lock);
    return info;
}

/* An empty matrix: zero pointers. */
static gbl_Info make_empty(gb_Matrix *A, gb_Format format) {
    const uint64_t nmajor = gb_nmajor(A, format);
    const size_t bytes = gb_size_of(nmajor + 1, sizeof(gb_Off));
    const gb_Cs cs = {.p = gb_calloc(bytes), .nmajor = nmajor, .sorted = true};
    if (cs.p == NULL) return gb_fail_memory(bytes);
    gb_lock(&A->lock);
    A->cs[format] = cs;
    __atomic_store_n(&A->has, A->has | gb_has_bit(format), __ATOMIC_RELEASE);
    gb_unlock(&A->lock);
    return GBL_SUCCESS;
}

/* -- lists and dense forms: a vector is one column, a matrix goes by rows */

static inline uint64_t list_one(gb_Cs *cs, uint64_t n, const char *x, uint64_t k, size_t size) {
    if (size > 0) gb_copy_value((char *)cs->x + n * size, x + k * size, size);
    cs->i[n] = (gb_Idx)k;
    return n + 1;
}

/* Lists the entries of `width` elements of a bitmap from `first` on, from list position n on;
 * returns the end of the list. Reads eight bytes as a number, whose ones are the entries. */
static uint64_t list_bitmap(const gb_Dense *dense, uint64_t first, uint64_t width, gb_Cs *cs,
                            uint64_t n, size_t size) {
    const char *x = (const char *)dense->x + first * size;
    const int8_t *b = dense->b + first;
    uint64_t k = 0;
    for (; k + 8 <= width; k += 8) {
        uint64_t ones;
        for (memcpy(&ones, b + k, 8); ones != 0; ones &= ones - 1)
            n = list_one(cs, n, x, k + (uint64_t)__builtin_ctzll(ones) / 8, size);
    }
    for (; k < width; k++)
        if (b[k]) n = list_one(cs, n, x, k, size);
    return n;
}

/* Rows of a full matrix, whose positions are known: threads share them. */
typedef struct {
    const gb_Dense *dense;
    gb_Cs *cs;
    uint64_t width;
    size_t size; /* 0: one value for all */
} gb_FullRows;

static void list_full(void *context, uint64_t from, uint64_t to) {
    const gb_FullRows *f = context;
    gb_Idx *i = f->cs->i + from * f->width;
    for (uint64_t r = from; r < to; r++) {
        f->cs->p[r] = r * f->width;
        for (uint64_t k = 0; k < f->width; k++) *i++ = (gb_Idx)k;
    }
    const size_t at = from * f->width * f->size, bytes = (to - from) * f->width * f->size;
    if (bytes > 0) memcpy((char *)f->cs->x + at, (const char *)f->dense->x + at, bytes);
}

static gbl_Info list_from_dense(gb_Matrix *A) {
    const gb_Dense *dense = &A->dense;
    const size_t size = A->type->size;
    const bool is_vector = gb_is_vector(A);
    const uint64_t rows = is_vector ? 1 : A->nrows, width = is_vector ? A->nrows : A->ncols;
    gb_Cs cs;
    gbl_Info info = gb_cs_alloc(&cs, rows, A->nvals, (A->iso ? 1 : A->nvals) * size);
    if (info != GBL_SUCCESS) return gb_is_full_iso_only(A) ? gb_fail_positions(A) : info;
    uint64_t n = 0;
    if (dense->b == NULL)
        gb_parallel_ranges(gb_threads_for(dense->n, GB_GRAIN, gb_nthreads()), rows, list_full,
                           &(gb_FullRows){dense, &cs, width, A->iso ? 0 : size});
    for (uint64_t r = 0; r < rows && dense->b != NULL; r++) {
        cs.p[r] = n;
        n = list_bitmap(dense, r * width, width, &cs, n, A->iso ? 0 : size);
    }
    cs.p[rows] = A->nvals;
    cs.iso = A->iso;
    if (A->iso) memcpy(cs.x, dense->x, size);
    return publish_list(info, A, is_vector ? GB_CSC : GB_CSR, &cs);
}

/* When there is a list. */
static gbl_Info dense_from_list(gb_Matrix *A) {
    const uint64_t n = gb_flat_size(A);
    const bool by_columns = (A->has & GBL_HAS_CSC) != 0, full = A->nvals == n && n > 0;
    const gb_Strides step = by_columns ? (gb_Strides){1, A->ncols} : (gb_Strides){A->ncols, 1};
    gb_Dense dense = {.n = n};
    const gbl_Info info =
        gb_dense_of_cs(&dense, &A->cs[by_columns ? GB_CSC : GB_CSR], step, A->type->size, !full);
    if (info != GBL_SUCCESS) return info;
    gb_lock(&A->lock);
    A->dense = dense;
    publish(A, full ? GBL_HAS_FULL : GBL_HAS_BITMAP);
    gb_unlock(&A->lock);
    return GBL_SUCCESS;
}

static gbl_Info cs_from_tiles(gb_Matrix *A, gb_Format format) {
    const gb_TileView tiles = gb_tiles_view(&A->tiles[format], A->type->size);
    gb_Cs cs;
    const gbl_Info info = gb_backend()->cs_from_tiles(&tiles, &cs, gb_nthreads());
    return publish_list(info, A, format, &cs);
}

/* Where all content is on the device. From now on it has a copy of what the host
 * has: rows, or the dense form of a vector. */
static gbl_Info download_content(gb_Matrix *A) {
    gb_DeviceFacts before, after;
    gb_DeviceCs *there = A->device[gb_device_format(A)];
    const bool is_vector = gb_is_vector(A);
    gb_device()->facts(&before);
    const gbl_Info info = is_vector ? gb_device()->download_cells(there, &A->dense)
                                    : gb_device()->download(there, &A->cs[GB_CSR]);
    if (info != GBL_SUCCESS) return info;
    gb_device()->facts(&after);
    gb_lock(&A->lock);
    A->fetched.bytes += after.bytes_down - before.bytes_down;
    A->fetched.seconds += after.seconds_moving - before.seconds_moving;
    A->conversions++;
    const unsigned has = !is_vector           ? GBL_HAS_CSR
                         : A->dense.b == NULL ? GBL_HAS_FULL
                                              : GBL_HAS_BITMAP;
    __atomic_store_n(&A->has, has, __ATOMIC_RELEASE);
    gb_unlock(&A->lock);
    return GBL_SUCCESS;
}

/* The list by rows is that by columns. */
static gbl_Info share_list(gb_Matrix *A, gb_Format format) {
    gb_Cs cs;
    gb_lock(&A->lock);
    const gbl_Info info = gb_cs_share(&cs, &A->cs[gb_other(format)]);
    gb_unlock(&A->lock);
    return publish_list(info, A, format, &cs);
}

/* Pending updates are assembled. */
static gbl_Info convert(gb_Matrix *A, gb_Format format) {
    if (A->has & gb_has_bit(format)) return GBL_SUCCESS;
    if (A->nvals == 0) return make_empty(A, format);
    const gb_Format other = gb_other(format);
    gbl_Info info = GBL_SUCCESS;
    if (A->has == GBL_HAS_DEVICE) {
        info = download_content(A);
        if (info != GBL_SUCCESS || (A->has & gb_has_bit(format))) return info;
    }
    if (gb_lists_coincide(A)) return share_list(A, format);
    if (A->has & gb_tiles_bit(format)) return cs_from_tiles(A, format);
    if (!(A->has & gb_has_bit(other)) && (A->has & gb_tiles_bit(other))) {
        info = cs_from_tiles(A, other);
        if (info != GBL_SUCCESS) return info;
    }
    if (!(A->has & gb_has_bit(other))) {
        info = list_from_dense(A);
        if (info != GBL_SUCCESS || (A->has & gb_has_bit(format))) return info;
    }
    const gb_CsView from = gb_cs_view(&A->cs[other], gb_nminor(A, other), A->type->size);
    gb_Cs cs;
    info = gb_backend()->transpose(&from, &cs, gb_nthreads());
    return publish_list(info, A, format, &cs);
}

/* The unsorted arrays may be in use by other readers: retire them. */
static gbl_Info sort(gb_Matrix *A, gb_Format format) {
    gb_Cs *cs = &A->cs[format];
    if (cs->sorted || A->nvals == 0) return GBL_SUCCESS;
    const gb_CsView from = gb_cs_view(cs, gb_nminor(A, format), A->type->size);
    gb_Cs sorted;
    gbl_Info info = gb_backend()->sort_rows(&from, &sorted, gb_nthreads());
    if (info != GBL_SUCCESS) return info;
    gb_lock(&A->lock);
    info = gb_matrix_retire(A, cs, NULL);
    if (info == GBL_SUCCESS) {
        *cs = sorted;
        A->conversions++;
    }
    gb_unlock(&A->lock);
    if (info != GBL_SUCCESS) gb_cs_free(&sorted);
    return info;
}

bool gb_fills_dense(uint64_t nvals, uint64_t n, size_t size) {
    if (n > GB_DENSE_MATRIX_BYTES / (1 + size)) return nvals >= n / 2;
    return nvals >= n / GB_DENSE_ABOVE;
}

bool gb_merges_repay_dense(gb_Matrix *C, uint64_t entries, bool filled) {
    C->merged += entries;
    if (!gb_may_be_dense(C) || C->merged < gb_flat_size(C) / GB_MERGES_WORTH) return false;
    if (filled && !gb_fills_dense(C->nvals, gb_flat_size(C), C->type->size)) return false;
    C->merged = 0;
    return true;
}

/* Under `making`, as what follows. */
static gbl_Info assemble_making(gb_Matrix *A) {
    if (A->pending == NULL) return GBL_SUCCESS;
    const bool hyper = gb_is_hyper(A);
    gbl_Info info = GBL_SUCCESS; /* updates are merged into lists of entries */
    if (!hyper && gb_has_no_list(A)) info = convert(A, gb_is_vector(A) ? GB_CSC : GB_CSR);
    if (info != GBL_SUCCESS) return info;
    if (gb_is_vector(A) && !hyper && A->nvals > 0 && !gb_is_dense(A) &&
        gb_merges_repay_dense(A, A->nvals + A->pending->n, true) &&
        dense_from_list(A) != GBL_SUCCESS)
        gb_error_begin(); /* the list takes the updates too */
    gb_lock(&A->lock);
    info = hyper ? gb_hyper_assemble(A) : gb_assemble_pending(A);
    gb_unlock(&A->lock);
    return info;
}

/* An operation that is not there for hypersparse objects reads one of ordinary
 * dimensions as what it would be without: with all pointers. */
static gbl_Info cs_from_hyper(gb_Matrix *A) {
    gb_Format format;
    gb_Cs cs;
    const gbl_Info info = gb_compact_expand(&cs, &format, A);
    return publish_list(info, A, format, &cs);
}

static gbl_Info list_or_refuse(gb_Matrix *A) {
    if (gb_is_huge(A)) return gb_is_full_iso(A) ? gb_fail_positions(A) : gb_fail_hyper(A);
    const gbl_Info info = assemble_making(A);
    if (info != GBL_SUCCESS || A->hyper == NULL || A->nvals == 0 || A->has != 0) return info;
    return cs_from_hyper(A);
}

gbl_Info gb_assemble(gb_Matrix *A) {
    if (gb_is_assembled(A)) return GBL_SUCCESS;
    gb_begin_making(A);
    const gbl_Info info = assemble_making(A);
    gb_end_making(A);
    return info;
}

/* False: it is to be made first. */
static bool find_list(gb_Matrix *A, gb_Format format, bool sorted, gb_CsView *view) {
    gb_lock_to_read(&A->lock);
    const bool exists = gb_is_assembled(A) && (A->has & gb_has_bit(format)) != 0;
    const bool fits = exists && (A->cs[format].sorted || A->nvals == 0 || !sorted);
    if (fits) *view = gb_cs_view(&A->cs[format], gb_nminor(A, format), A->type->size);
    if (fits && view->sorted) gb_matrix_set_ready(A, format);
    gb_unlock(&A->lock);
    return fits;
}

static gbl_Info acquire_list(gb_Matrix *A, gb_Format format, bool sorted, gb_CsView *view) {
    if (gb_list_is_ready(A, format)) {
        *view = gb_cs_view(&A->cs[format], gb_nminor(A, format), A->type->size);
        return GBL_SUCCESS;
    }
    if (find_list(A, format, sorted, view)) return GBL_SUCCESS;
    gb_begin_making(A);
    gbl_Info info = list_or_refuse(A);
    if (info == GBL_SUCCESS) info = convert(A, format);
    if (info == GBL_SUCCESS && sorted) info = sort(A, format);
    if (info == GBL_SUCCESS) find_list(A, format, sorted, view);
    gb_end_making(A);
    return info;
}

gbl_Info gb_acquire(gb_Matrix *A, gb_Format format, gb_CsView *view) {
    return acquire_list(A, format, false, view);
}

gbl_Info gb_acquire_sorted(gb_Matrix *A, gb_Format format, gb_CsView *view) {
    return acquire_list(A, format, true, view);
}

static bool find_tiles(gb_Matrix *A, gb_Format format, gb_TileView *view) {
    gb_lock_to_read(&A->lock);
    const bool exists = gb_is_assembled(A) && (A->has & gb_tiles_bit(format)) != 0;
    if (exists) *view = gb_tiles_view(&A->tiles[format], A->type->size);
    gb_unlock(&A->lock);
    return exists;
}

gbl_Info gb_acquire_tiles(gb_Matrix *A, gb_Format format, gb_TileView *view) {
    if (find_tiles(A, format, view)) return GBL_SUCCESS;
    gb_begin_making(A);
    gbl_Info info = list_or_refuse(A);
    if (info == GBL_SUCCESS && !(A->has & gb_tiles_bit(format))) {
        info = convert(A, format);
        if (info == GBL_SUCCESS) info = sort(A, format);
        gb_Tiles tiles;
        const gb_CsView cs = gb_cs_view(&A->cs[format], gb_nminor(A, format), A->type->size);
        if (info == GBL_SUCCESS) info = gb_backend()->tiles_from_cs(&cs, &tiles, gb_nthreads());
        if (info == GBL_SUCCESS) {
            gb_lock(&A->lock);
            A->tiles[format] = tiles;
            publish(A, gb_tiles_bit(format));
            gb_unlock(&A->lock);
        }
    }
    if (info == GBL_SUCCESS) find_tiles(A, format, view);
    gb_end_making(A);
    return info;
}

/* Readers may hold the old layout; positions and values do not move: both layouts refer to them. */
static gbl_Info drop_empty_tiles(gb_Matrix *A, gb_Format format) {
    gb_begin_making(A);
    gb_Tiles *tiles = &A->tiles[format], used = {0};
    gbl_Info info = GBL_SUCCESS;
    if (A->has & gb_tiles_bit(format)) {
        const gb_TileView view = gb_tiles_view(tiles, A->type->size);
        info = gb_backend()->drop_empty_tiles(&view, &used, gb_nthreads());
    }
    if (info == GBL_SUCCESS && used.p != NULL) {
        gb_Tiles layout = *tiles;
        layout.rc = NULL;
        layout.x = NULL;
        gb_lock(&A->lock);
        info = gb_matrix_retire(A, NULL, &layout);
        if (info == GBL_SUCCESS) {
            used.rc = tiles->rc;
            used.x = tiles->x;
            used.nvals = tiles->nvals;
            used.xcap = tiles->xcap;
            used.iso = tiles->iso;
            *tiles = used;
            A->conversions++;
        }
        gb_unlock(&A->lock);
        if (info != GBL_SUCCESS) gb_tiles_free(&used);
    }
    gb_end_making(A);
    return info;
}

static void view_dense(const gb_Matrix *v, gb_DenseView *view) {
    *view = (gb_DenseView){.n = v->dense.n,
                           .nvals = v->nvals,
                           .b = v->dense.b,
                           .x = v->dense.x,
                           .xsize = v->type->size,
                           .iso = v->iso};
}

gbl_Info gb_acquire_dense(gb_Matrix *v, gb_DenseView *view) {
    if (gb_is_assembled(v) && gb_is_dense(v)) {
        view_dense(v, view);
        return GBL_SUCCESS;
    }
    gb_begin_making(v);
    gbl_Info info = list_or_refuse(v);
    if (info == GBL_SUCCESS && v->has == GBL_HAS_DEVICE) info = download_content(v);
    if (info == GBL_SUCCESS && !(v->has & (GBL_HAS_BITMAP | GBL_HAS_FULL))) {
        if (!(v->has & GB_HAS_LISTS)) info = convert(v, gb_is_vector(v) ? GB_CSC : GB_CSR);
        if (info == GBL_SUCCESS) info = dense_from_list(v);
    }
    if (info == GBL_SUCCESS) view_dense(v, view);
    gb_end_making(v);
    return info;
}

gbl_Info gb_acquire_rows(gb_Matrix *A) {
    gb_CsView view;
    return gb_only_dense(A) ? gb_acquire(A, GB_CSR, &view) : GBL_SUCCESS;
}

gbl_Info gb_any_format(gb_Matrix *A, gb_Format preferred, gb_Format *format) {
    const gbl_Info info = gb_assemble(A);
    if (info != GBL_SUCCESS) return info;
    const unsigned has = gb_has(A);
    const gb_Format other = gb_other(preferred);
    *format = (has & gb_has_bit(other)) && !(has & gb_has_bit(preferred)) ? other : preferred;
    return GBL_SUCCESS;
}

bool gb_repays(gb_Matrix *A, gb_Format format, double saving) {
    if ((gb_has(A) & gb_has_bit(format)) || gb_lists_coincide(A)) return true;
    if (saving <= 0.0) return false;
    /* no pointers where they far outnumber the entries */
    if (gb_nmajor(A, format) / GB_FEW > A->nvals + gb_nmajor(A, 1 - format)) return false;
    const uint64_t demand =
        __atomic_add_fetch(&A->demand[format], gb_to_u64(saving) + 1, __ATOMIC_RELAXED);
    return (double)demand >= (double)A->nvals * GB_NS_CONVERT;
}

gbl_Info gb_matrix_nvals(gb_Matrix *A, uint64_t *nvals) {
    const gbl_Info info = gb_assemble(A);
    if (info == GBL_SUCCESS) *nvals = A->nvals;
    return info;
}

/* Under `making`: they are read beside sorted lists, or are folded. */
static gbl_Info prepare_delta(gb_Matrix *A) {
    gbl_Info info = GBL_SUCCESS;
    gb_lock_to_read(&A->lock); /* readers count what they look up */
    const bool is_delta = A->pending != NULL && gb_pending_is_delta(A);
    gb_unlock(&A->lock);
    if (!is_delta) return assemble_making(A);
    for (gb_Format format = GB_CSR; format <= GB_CSC && info == GBL_SUCCESS; format++)
        if (A->has & gb_has_bit(format)) info = sort(A, format);
    return info;
}

gbl_Info gb_delta_open(gb_Matrix *A) {
    gb_lock_to_read(&A->lock);
    if (gb_delta_is_ready(A)) return GBL_SUCCESS;
    gb_unlock(&A->lock);
    gb_begin_making(A);
    gbl_Info info = prepare_delta(A);
    gb_lock(&A->lock);
    if (info == GBL_SUCCESS && A->pending != NULL) info = gb_pending_index(A);
    gb_lock_reads_now(&A->lock);
    if (info != GBL_SUCCESS) gb_unlock(&A->lock);
    gb_end_making(A);
    return info;
}

void gb_choose_format(gb_Matrix *w) {
    const bool dense = gb_is_dense(w), vector = gb_is_vector(w);
    const gb_Format format = vector ? GB_CSC : GB_CSR;
    const double n = (double)w->nrows, size = w->iso ? 0.0 : (double)w->type->size;
    const double list_bytes = (double)w->nvals * (sizeof(gb_Idx) + size);
    const bool is_full = w->nvals == w->nrows && w->nvals > 0;
    if (vector && !dense && (is_full || list_bytes > 2.0 * n * (1.0 + size))) {
        gb_DenseView view;
        if (gb_acquire_dense(w, &view) == GBL_SUCCESS)
            gb_matrix_keep_only(w, GBL_HAS_BITMAP | GBL_HAS_FULL);
    } else if (dense && w->nvals < gb_flat_size(w) / GB_LIST_BELOW) {
        gb_CsView view;
        if (gb_acquire(w, format, &view) == GBL_SUCCESS) gb_matrix_keep_only(w, gb_has_bit(format));
    }
}

gbl_Info gb_matrix_wait(gb_Matrix *A, gbl_WaitMode mode) {
    gbl_Info info = gb_assemble(A);
    if (info != GBL_SUCCESS || mode == GBL_COMPLETE || gb_is_settled(A)) return info;
    if (A->hyper != NULL) info = gb_matrix_wait(A->hyper->core, mode);
    if (info != GBL_SUCCESS) return info;
    if (gb_has(A) == GBL_HAS_DEVICE) {
        gb_CsView view;
        info = gb_acquire(A, gb_device_format(A), &view);
    }
    const unsigned has = gb_has(A);
    for (gb_Format format = GB_CSR; format <= GB_CSC && info == GBL_SUCCESS; format++) {
        gb_CsView view;
        if (has & gb_has_bit(format)) info = gb_acquire_sorted(A, format, &view);
        if (info == GBL_SUCCESS && has & gb_tiles_bit(format)) info = drop_empty_tiles(A, format);
    }
    return info;
}
