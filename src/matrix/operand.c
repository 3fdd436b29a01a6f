/* SPDX-License-Identifier: Apache-2.0
 *
 * See matrix.h. A valued mask whose entries are all true is the same as a structural one and costs
 * no copy; otherwise the true entries are copied out.
 */
#include "matrix/matrix.h"

#include "semiring/cast.h"

/* The values of a view, and where their cast copy belongs. */
typedef struct {
    const void **x;
    size_t *xsize;
    void **owned;
    size_t *bytes;
} Slot;

/* The values become ones of `type`, or none where it is NULL. */
static gbl_Info cast_values(const Slot *slot, const gb_Type *type, const gb_Array *values) {
    if (type == NULL) *slot->x = NULL;
    if (type == NULL || type == values->type || type->code == values->type->code)
        return GBL_SUCCESS;
    const gbl_Info info = gb_cast_copy(slot->owned, slot->bytes, type, values, gb_nthreads());
    *slot->x = *slot->owned;
    *slot->xsize = type->size;
    return info;
}

static gbl_Info cast_list(gb_Operand *operand, const gb_Matrix *A, const gb_Type *type) {
    gb_CsView *view = &operand->view;
    return cast_values(
        &(Slot){&view->x, &view->xsize, &operand->owned, &operand->owned_bytes}, type,
        &(gb_Array){A->type, view->x, NULL, view->iso && view->nvals > 0 ? 1 : view->nvals});
}

gbl_Info gb_operand_get(gb_Operand *operand, gb_Matrix *A, gb_Format format, const gb_Type *type) {
    *operand = (gb_Operand){0};
    const gbl_Info info = gb_acquire(A, format, &operand->view);
    return info == GBL_SUCCESS ? cast_list(operand, A, type) : info;
}

gbl_Info gb_operand_get_sorted(gb_Operand *operand, gb_Matrix *A, gb_Format format,
                               const gb_Type *type) {
    *operand = (gb_Operand){0};
    const gbl_Info info = gb_acquire_sorted(A, format, &operand->view);
    return info == GBL_SUCCESS ? cast_list(operand, A, type) : info;
}

gbl_Info gb_operand_get_rows(gb_Operand *operand, gb_Matrix *A, gb_Format format,
                             const gb_Type *type, const gb_CsView *of) {
    gb_CsView *view = &operand->view;
    if (of->i == NULL || type == NULL || type->code == A->type->code || A->iso)
        return gb_operand_get_sorted(operand, A, format, type);
    const gbl_Info info = gb_operand_get_sorted(operand, A, format, A->type);
    if (info != GBL_SUCCESS) return info;
    operand->owned_bytes = gb_size_of(view->nvals, type->size);
    char *const x = operand->owned = gb_malloc(operand->owned_bytes);
    if (x == NULL) return gb_fail_memory(operand->owned_bytes);
    for (gb_Off e = 0; e < of->nvals; e++) {
        const gb_Off from = view->p[of->i[e]], end = view->p[of->i[e] + 1];
        gb_cast(type, x + from * type->size, A->type, (const char *)view->x + from * view->xsize, 1,
                end - from);
    }
    view->x = x;
    view->xsize = type->size;
    return GBL_SUCCESS;
}

void gb_operand_release(gb_Operand *operand) {
    gb_free(operand->owned, operand->owned_bytes);
    *operand = (gb_Operand){0};
}

gbl_Info gb_tile_operand_get(gb_TileOperand *operand, gb_Matrix *A, gb_Format format,
                             const gb_Type *type) {
    *operand = (gb_TileOperand){0};
    gb_TileView *view = &operand->view;
    const gbl_Info info = gb_acquire_tiles(A, format, view);
    if (info != GBL_SUCCESS) return info;
    return cast_values(
        &(Slot){&view->x, &view->xsize, &operand->owned.x, &operand->owned.xcap}, type,
        &(gb_Array){A->type, view->x, NULL, view->iso && view->nvals > 0 ? 1 : view->nvals});
}

void gb_tile_operand_release(gb_TileOperand *operand) {
    gb_tiles_free(&operand->owned);
    *operand = (gb_TileOperand){0};
}

gbl_Info gb_dense_operand_get(gb_DenseOperand *operand, gb_Matrix *v, const gb_Type *type) {
    *operand = (gb_DenseOperand){0};
    gb_DenseView *view = &operand->view;
    const gbl_Info info = gb_acquire_dense(v, view);
    if (info != GBL_SUCCESS) return info;
    return cast_values(
        &(Slot){&view->x, &view->xsize, &operand->owned, &operand->owned_bytes}, type,
        &(gb_Array){v->type, view->x, view->iso ? NULL : view->b, view->iso ? 1 : view->n});
}

void gb_dense_operand_release(gb_DenseOperand *operand) {
    gb_free(operand->owned, operand->owned_bytes);
    *operand = (gb_DenseOperand){0};
}

/* -- masks */

enum { MAX_PARTS = 128 };

bool gb_mask_allows_none(const gb_Mask *mask) {
    const gb_Matrix *M = mask->M;
    if (M == NULL) return mask->complement;
    if (!mask->complement) return M->nvals == 0;
    return mask->structural && gb_may_be_dense(M) && M->nvals == gb_flat_size(M);
}

bool gb_is_true(const gb_Type *type, const void *x) {
    bool value = false;
    gb_cast(gb_type_of(GBL_BOOL_CODE), &value, type, x, 1, 1);
    return value;
}

typedef struct {
    gb_CsView M;
    const gb_Type *type;
    bool *truth; /* [nvals] values as BOOL */
    gb_Cs *out;
    uint64_t parts;
    uint64_t count[MAX_PARTS + 1]; /* [t + 1]: true entries of part t; then of all up to it */
} Filter;

static void find_true(void *context, uint64_t t) {
    Filter *f = context;
    const gb_CsView *M = &f->M;
    const uint64_t from = gb_part(M->nvals, t, f->parts), to = gb_part(M->nvals, t + 1, f->parts);
    gb_cast(gb_type_of(GBL_BOOL_CODE), f->truth + from, f->type,
            (const char *)M->x + from * f->type->size, 1, to - from);
    uint64_t trues = 0;
    for (uint64_t k = from; k < to; k++) trues += f->truth[k];
    f->count[t + 1] = trues;
}

/* The part's true entries, and the pointers of the rows that begin in it. */
static void copy_true(void *context, uint64_t t) {
    const Filter *f = context;
    const gb_CsView *M = &f->M;
    gb_Cs *out = f->out;
    const uint64_t from = gb_part(M->nvals, t, f->parts), to = gb_part(M->nvals, t + 1, f->parts);
    uint64_t row = gb_first_from(M->p, 0, M->nmajor, from), n = f->count[t];
    for (uint64_t k = from; k < to; k++) {
        while (row < M->nmajor && M->p[row] == k) out->p[row++] = n;
        if (f->truth[k]) out->i[n++] = M->i[k];
    }
    while (t + 1 == f->parts && row <= M->nmajor) out->p[row++] = n;
}

static gbl_Info filter_true(gb_MaskView *mask, const gb_Type *type) {
    const uint64_t nvals = mask->view.nvals;
    const int threads = gb_threads_for(nvals, GB_GRAIN, gb_nthreads());
    const uint64_t parts = (uint64_t)gb_parts_for(threads);
    Filter f;
    f.M = mask->view;
    f.type = type;
    f.truth = gb_malloc(nvals);
    f.out = &mask->owned;
    f.parts = parts < MAX_PARTS ? parts : MAX_PARTS;
    f.count[0] = 0;
    if (f.truth == NULL) return gb_fail_memory(nvals);
    gb_parallel_for(threads, f.parts, find_true, &f);
    for (uint64_t t = 0; t < f.parts; t++) f.count[t + 1] += f.count[t];
    gbl_Info info = GBL_SUCCESS;
    if (f.count[f.parts] < nvals) {
        info = gb_cs_alloc(f.out, f.M.nmajor, f.count[f.parts], 0);
        if (info == GBL_SUCCESS) {
            gb_parallel_for(threads, f.parts, copy_true, &f);
            mask->view = gb_cs_view(f.out, f.M.nminor, 0);
        }
    }
    gb_free(f.truth, nvals);
    return info;
}

gbl_Info gb_mask_get(gb_MaskView *mask, const gb_Mask *spec, gb_Format format) {
    *mask = (gb_MaskView){0};
    const gb_Type *type = spec->M->type;
    gbl_Info info = gb_acquire_sorted(spec->M, format, &mask->view);
    if (info != GBL_SUCCESS) return info;
    const gb_CsView M = mask->view;
    if (!spec->structural && M.nvals > 0) {
        if (!M.iso) {
            info = filter_true(mask, type);
        } else if (!gb_is_true(type, M.x)) {
            info = gb_cs_empty(&mask->owned, M.nmajor);
            if (info == GBL_SUCCESS) mask->view = gb_cs_view(&mask->owned, M.nminor, 0);
        }
    }
    mask->view.x = NULL;
    mask->view.iso = false;
    return info;
}

void gb_mask_release(gb_MaskView *mask) {
    gb_cs_free(&mask->owned);
    *mask = (gb_MaskView){0};
}

/* The tiles of a structural mask, or of one whose entries are all true, stay with M. */
gbl_Info gb_tile_mask_get(gb_TileOperand *mask, const gb_Mask *spec) {
    *mask = (gb_TileOperand){0};
    gb_MaskView rows = {0};
    gbl_Info info = GBL_SUCCESS;
    if (!spec->structural) info = gb_mask_get(&rows, spec, GB_CSR);
    if (info != GBL_SUCCESS) return info;
    if (rows.owned.p == NULL) {
        info = gb_acquire_tiles(spec->M, GB_CSR, &mask->view);
    } else {
        info = gb_backend()->tiles_from_cs(&rows.view, &mask->owned, gb_nthreads());
        mask->view = gb_tiles_view(&mask->owned, 0);
    }
    mask->view.x = NULL;
    gb_mask_release(&rows);
    return info;
}

typedef struct {
    int8_t *allowed;
    const gb_Mask *spec;
    const gb_DenseView *M;
} Truth;

/* allowed[k] = M(k) is present and, unless structural, true, for k in [from, to). */
static void dense_truth(void *context, uint64_t from, uint64_t to) {
    int8_t *allowed = ((Truth *)context)->allowed;
    const gb_Mask *spec = ((Truth *)context)->spec;
    const gb_DenseView *M = ((Truth *)context)->M;
    const gb_Array values = {.type = spec->M->type, .x = M->x, .b = M->b, .n = M->n};
    uint8_t truth[GB_BATCH];
    for (uint64_t k = from; k < to; k += GB_BATCH) {
        const uint64_t n = to - k < GB_BATCH ? to - k : GB_BATCH;
        if (spec->structural) {
            memset(truth, 1, n);
        } else if (M->iso) {
            memset(truth, gb_is_true(values.type, M->x), n);
        } else {
            gb_cast_present(gb_type_of(GBL_BOOL_CODE), truth, &values, k, n);
        }
        for (uint64_t j = 0; M->b != NULL && j < n; j++) truth[j] &= (uint8_t)M->b[k + j];
        for (uint64_t j = 0; j < n; j++) allowed[k + j] = (int8_t)(truth[j] != spec->complement);
    }
}

gbl_Info gb_mask_bytes(int8_t **allowed, const gb_Mask *spec, uint64_t n) {
    *allowed = NULL;
    gbl_Info info = spec->M != NULL ? gb_assemble(spec->M) : GBL_SUCCESS;
    if (info != GBL_SUCCESS || n == 0) return info;
    int8_t *bytes = gb_malloc(n);
    if (bytes == NULL) return gb_fail_memory(n);
    const unsigned has = spec->M != NULL ? __atomic_load_n(&spec->M->has, __ATOMIC_ACQUIRE) : 0;
    if (has & (GBL_HAS_BITMAP | GBL_HAS_FULL)) {
        gb_DenseView M;
        info = gb_acquire_dense(spec->M, &M);
        if (info == GBL_SUCCESS)
            gb_parallel_items(gb_nthreads(), n, dense_truth, &(Truth){bytes, spec, &M});
    } else {
        const int8_t listed = spec->complement ? 0 : 1;
        memset(bytes, spec->M == NULL ? listed : !listed, n);
        if (has != 0) {
            gb_MaskView list;
            info = gb_mask_get(&list, spec, GB_CSC);
            for (uint64_t k = 0; info == GBL_SUCCESS && k < list.view.nvals; k++)
                bytes[list.view.i[k]] = listed;
            gb_mask_release(&list);
        }
    }
    if (info != GBL_SUCCESS) {
        gb_free(bytes, n);
        return info;
    }
    *allowed = bytes;
    return GBL_SUCCESS;
}

void gb_mask_seek(gb_Matrix *M, uint64_t positions) {
    const uint64_t n = M->nrows, now = positions + GB_SOUGHT_CALL;
    gb_DenseView view;
    if (gb_is_dense(M) || M->nvals < n / GB_SOUGHT_FULL) return;
    if (positions == 0 || positions >= M->nvals / GB_GALLOP_RATIO) return; /* they are merged */
    if (__atomic_fetch_add(&M->sought, now, __ATOMIC_RELAXED) + now < n / GB_SOUGHT_WORTH) return;
    if (gb_acquire_dense(M, &view) != GBL_SUCCESS) gb_error_begin();
}

/* -- sources of maps */

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
        if (A->nvals == A->nrows) gb_error_begin(); /* a sparse vector suffices */
        return gb_acquire(A, GB_CSC, &source->cs);
    }
    gb_Format format;
    info = gb_any_format(A, transpose ? GB_CSC : GB_CSR, &format);
    if (info != GBL_SUCCESS) return info;
    source->format = transpose ? gb_other(format) : format;
    return gb_acquire(A, format, &source->cs);
}

/* A mask that is held by rows and leaves few entries of A: passing over all of a dense A at every
 * call would take longer than converting it to rows once. */
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
