/* SPDX-License-Identifier: Apache-2.0
 *
 * apply. T has the pattern of A, so its positions are copied and only values are computed. Three
 * things make it cheaper:
 *   - a mask that exists in the orientation of T cuts the pattern before any value is computed,
 *     unless it is a vector far longer than A, in which gb_finish looks up what A has;
 *   - where all values of T are equal (A iso, or an operator that does not look at them), one is
 *     computed;
 *   - IDENTITY without a cast is a copy.
 * A = f(A) with nothing else asked for replaces values where they are: that cannot fail. A matrix
 * that is held as its cells stays so, unless a mask leaves few of them; of its transpose, cells are
 * made for the call.
 */
#include "ops/apply.h"

#include "core/tune.h"
#include "ops/map_device.h"

gbl_Info gb_map_source(gb_MapSource *source, gb_Matrix *A, bool transpose) {
    *source = (gb_MapSource){.format = GB_CSC, .width = A->ncols};
    gbl_Info info = gb_assemble(A);
    source->is_empty = A->nvals == 0;
    if (info != GBL_SUCCESS || source->is_empty) return info;
    if (gb_is_vector(A)) {
        const unsigned has = __atomic_load_n(&A->has, __ATOMIC_ACQUIRE);
        source->is_dense = (has & GBL_HAS_FULL) || ((has & GBL_HAS_BITMAP) && !(has & GBL_HAS_CSC));
        if (source->is_dense) return gb_acquire_dense(A, &source->dense);
        source->is_dense =
            A->nvals == A->nrows && gb_acquire_dense(A, &source->dense) == GBL_SUCCESS;
        if (source->is_dense) return GBL_SUCCESS;
        if (A->nvals == A->nrows) gb_error_begin(); /* a list will do */
        return gb_acquire(A, GB_CSC, &source->cs);
    }
    gb_Format format;
    info = gb_any_format(A, transpose ? GB_CSC : GB_CSR, &format);
    if (info != GBL_SUCCESS) return info;
    source->format = transpose ? (format == GB_CSR ? GB_CSC : GB_CSR) : format;
    return gb_acquire(A, format, &source->cs);
}

/* A mask that is held as rows and leaves few of A's cells: passing over all of them at every call
 * would take longer than making rows of A once. */
static bool is_short(const gb_Mask *mask, const gb_Matrix *A) {
    const gb_Matrix *M = mask->M;
    return M != NULL && !mask->complement && (gb_has(M) & gb_has_bit(GB_CSR)) &&
           M->nvals < gb_flat_size(A) / GB_LISTED_BELOW;
}

gbl_Info gb_map_source_or_cells(gb_MapSource *source, gb_Matrix *A, const gb_Mask *mask,
                                bool transpose) {
    gbl_Info info = mask->M != NULL ? gb_assemble(mask->M) : GBL_SUCCESS;
    if (info == GBL_SUCCESS) info = gb_assemble(A);
    if (info != GBL_SUCCESS) return info;
    if (!gb_only_dense(A) || A->nvals == 0 || is_short(mask, A))
        return gb_map_source(source, A, transpose);
    *source = (gb_MapSource){.format = GB_CSR, .is_dense = true, .width = A->ncols};
    info = gb_acquire_dense(A, &source->dense);
    if (info != GBL_SUCCESS || !transpose) return info;
    info = gb_backend()->transpose_dense(&source->dense, A->ncols, &source->turned, gb_nthreads());
    source->width = A->nrows;
    source->dense.b = source->turned.b;
    source->dense.x = source->turned.x;
    return info;
}

void gb_map_source_release(gb_MapSource *source) {
    gb_dense_free(&source->turned);
}

gb_MapArgs gb_map_args(const gb_Map *map, const gb_Matrix *A, const gb_MapSource *source) {
    return (gb_MapArgs){.map = *map,
                        .xtype = A->type,
                        .major_is_row = source->format == GB_CSR,
                        .width = source->width,
                        .nthreads = gb_nthreads()};
}

static gb_Type *map_ztype(const gb_Map *map) {
    return map->unary ? map->unary->ztype : map->binary ? map->binary->ztype : map->index->ztype;
}

static bool is_copy(const gb_Map *map, const gb_Type *type) {
    return map->unary && map->unary->code == GB_IDENTITY && map->unary->ztype == type;
}

/* Whether all entries of the result have the same value. */
static bool gives_one_value(const gb_Map *map, bool iso) {
    if (map->index) return iso && map->index->code >= GB_VALUEEQ && map->index->code <= GB_VALUEGE;
    if (map->unary) return iso || map->unary->code == GB_ONE;
    return iso ||
           !(map->bound_first ? gb_binary_uses_y(map->binary) : gb_binary_uses_x(map->binary));
}

/* z = the map of the value at x. */
static void compute_one(const gb_MapArgs *args, const void *x, void *z) {
    static const gb_Off p[2] = {0, 1};
    static const gb_Idx zero = 0;
    const gb_CsView one = {.nmajor = 1,
                           .nminor = 1,
                           .nvals = 1,
                           .p = p,
                           .i = &zero,
                           .x = x,
                           .xsize = args->xtype->size,
                           .iso = true,
                           .sorted = true};
    gb_backend()->apply_cs(args, &one, z);
}

/* all: every value will be written; else none may be indeterminate, see gb_dense_alloc. */
static gbl_Info new_values(void **z, size_t *bytes, uint64_t n, const gb_Type *type, bool all) {
    if (!gb_size_mul(bytes, n, type->size)) return gb_fail_memory(SIZE_MAX);
    *z = all ? gb_malloc(*bytes) : type->size == 1 ? gb_calloc(*bytes) : gb_malloc_set(*bytes);
    return *z != NULL || *bytes == 0 ? GBL_SUCCESS : gb_fail_memory(*bytes);
}

static gbl_Info cut_to_mask(gb_Result *T, const gb_Mask *mask, const gb_CsView *view) {
    gb_MaskView cut;
    gbl_Info info = gb_mask_get(&cut, mask, T->format);
    if (info != GBL_SUCCESS) return info;
    info = gb_backend()->filter(view, &cut.view, !mask->complement, &T->cs, gb_nthreads());
    gb_mask_release(&cut);
    T->masked = info == GBL_SUCCESS;
    return info;
}

/* A has entries. */
static gbl_Info apply_cs(gb_Result *T, const gb_Mask *mask, const gb_MapArgs *args,
                         const gb_CsView *A) {
    const bool copy = is_copy(&args->map, args->xtype);
    const bool one = gives_one_value(&args->map, A->iso) && !copy;
    const bool cut = mask->M != NULL && A->sorted && (gb_has(mask->M) & gb_has_bit(T->format)) &&
                     !(gb_is_vector(mask->M) && A->nvals < mask->M->nvals / GB_GALLOP_RATIO);
    gb_CsView taken = *A, values = *A;
    if (one || !(cut || copy)) taken.x = NULL;
    gbl_Info info =
        cut ? cut_to_mask(T, mask, &taken) : gb_backend()->copy_cs(&taken, &T->cs, args->nthreads);
    if (info != GBL_SUCCESS || copy) return info;

    if (cut) values = gb_cs_view(&T->cs, A->nminor, A->xsize);
    void *z;
    size_t bytes;
    info = new_values(&z, &bytes, one && T->cs.nvals > 0 ? 1 : T->cs.nvals, T->type, true);
    if (info != GBL_SUCCESS) return info;
    if (!one)
        gb_backend()->apply_cs(args, &values, z);
    else if (T->cs.nvals > 0)
        compute_one(args, A->x, z);
    gb_free(T->cs.x, T->cs.xcap);
    T->cs.x = z;
    T->cs.xcap = bytes;
    T->cs.iso = one;
    return GBL_SUCCESS;
}

/* A value of u, which has one. */
static const void *any_value(const gb_DenseView *u) {
    uint64_t k = 0;
    while (u->b != NULL && !u->b[k]) k++;
    return (const char *)u->x + (u->iso ? 0 : k * u->xsize);
}

static gbl_Info apply_dense(gb_Result *T, const gb_MapArgs *args, const gb_DenseView *u) {
    const bool copy = is_copy(&args->map, args->xtype);
    const bool one = gives_one_value(&args->map, u->iso) && !copy;
    gb_DenseView taken = *u;
    if (!copy) taken.x = NULL;
    gbl_Info info = gb_backend()->copy_dense(&taken, &T->dense, args->nthreads);
    if (info != GBL_SUCCESS || copy) return info;
    info = new_values(&T->dense.x, &T->dense.xcap, one ? 1 : u->n, T->type, u->b == NULL);
    if (info != GBL_SUCCESS) return info;
    if (one)
        compute_one(args, any_value(u), T->dense.x);
    else
        gb_backend()->apply_dense(args, u, T->dense.x);
    T->dense.iso = one;
    return GBL_SUCCESS;
}

/* A = f(A) can be done on the values of the one representation in source. */
static bool is_in_place(const gb_MapSource *source, const gb_Map *map, const gb_Matrix *A) {
    return map_ztype(map) == A->type && A->type->code != GBL_UDT_CODE && !A->iso &&
           !source->is_empty && (source->is_dense || A->cs[source->format].lender == NULL) &&
           !is_copy(map, A->type) && !gives_one_value(map, false);
}

static void apply_in_place(gb_Matrix *A, const gb_MapSource *source, const gb_MapArgs *args) {
    if (source->is_dense) {
        gb_matrix_keep_only(A, GBL_HAS_BITMAP | GBL_HAS_FULL);
        gb_backend()->apply_dense(args, &source->dense, A->dense.x);
    } else {
        gb_matrix_keep_only(A, gb_has_bit(source->format));
        gb_backend()->apply_cs(args, &source->cs, A->cs[source->format].x);
    }
}

static gbl_Info apply_here(const void *call) {
    const gb_MapJob *job = call;
    gb_Matrix *C = job->C, *A = job->A;
    const gb_Mask *mask = job->mask;
    const bool onto_itself =
        C == A && !job->transpose && mask->M == NULL && !mask->complement && job->accum == NULL;
    gb_MapSource source = {0};
    gbl_Info info = gb_map_source_or_cells(&source, A, mask, job->transpose);
    if (info != GBL_SUCCESS) return info;
    gb_Result T = {
        .type = map_ztype(job->map), .format = source.format, .is_dense = source.is_dense};
    const gb_MapArgs args = gb_map_args(job->map, A, &source);
    if (source.is_empty) return gb_finish(C, mask, job->accum, &T);
    if (onto_itself && is_in_place(&source, job->map, A)) {
        apply_in_place(A, &source, &args);
        return GBL_SUCCESS;
    }
    info = source.is_dense ? apply_dense(&T, &args, &source.dense)
                           : apply_cs(&T, mask, &args, &source.cs);
    gb_map_source_release(&source);
    if (info != GBL_SUCCESS) {
        gb_result_free(&T);
        return info;
    }
    return gb_finish(C, mask, job->accum, &T);
}

gbl_Info gb_apply(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum, const gb_Map *map,
                  gb_Matrix *A, bool transpose) {
    const gb_MapJob job = {C, mask, accum, map, A, transpose};
    return gb_apply_placed(&job, apply_here);
}
