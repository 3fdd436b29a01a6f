/* SPDX-License-Identifier: Apache-2.0
 *
 * An object is made, freed, written, see object.h; and the scratch of products with vectors.
 */
#include "matrix/matrix.h"

#include "matrix/updates.h"

/* -- scratch ----------------------------------------------------------------------------------- */

/* Those not in use are a chain. Who exchanges its head for NULL owns all of it, so no two threads
 * ever read a link at once. */

static void free_scratch(gb_Scratch *chain) {
    while (chain != NULL) {
        gb_Scratch *s = chain;
        chain = s->next;
        gb_free(s->memory, s->bytes);
        gb_free(s->val, s->val_bytes);
        gb_free(s, sizeof *s);
    }
}

static gbl_Info grow_values(gb_Scratch *s, size_t bytes) {
    gb_free(s->val, s->val_bytes);
    s->val = bytes > 0 ? gb_malloc(bytes) : NULL;
    s->val_bytes = s->val != NULL ? bytes : 0;
    return s->val != NULL || bytes == 0 ? GBL_SUCCESS : gb_fail_memory(bytes);
}

/* A chain joins those that were given meanwhile, as many as there are threads. Of a long chain the
 * first alone keeps values, which need no clearing. */
void gb_scratch_give(gb_Matrix *A, gb_Format axis, gb_Scratch *chain) {
    gb_Scratch *none = NULL;
    while (chain != NULL && !__atomic_compare_exchange_n(&A->scratch[axis], &none, chain, false,
                                                         __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
        gb_Scratch *next, *s = __atomic_exchange_n(&A->scratch[axis], NULL, __ATOMIC_ACQUIRE);
        for (; s != NULL && chain->behind + 1 < gb_nthreads(); s = next) {
            next = s->next;
            s->next = chain;
            s->behind = chain->behind + 1;
            const uint64_t most = 8 * (A->nvals + gb_nmajor(A, axis)); /* about A's bytes */
            if ((uint64_t)chain->behind >= most / (chain->val_bytes + 1))
                (void)grow_values(chain, 0);
            chain = s;
        }
        free_scratch(s);
        none = NULL;
    }
}

static gb_Scratch *new_scratch(uint64_t n) {
    gb_Scratch *s = gb_malloc(sizeof *s);
    if (s == NULL) return NULL;
    *s = (gb_Scratch){.bytes = gb_bitset_bytes(n)};
    s->memory = gb_calloc(s->bytes);
    if (s->memory == NULL) {
        gb_free(s, sizeof *s);
        return NULL;
    }
    s->set = gb_bitset_at(s->memory, n);
    return s;
}

gbl_Info gb_scratch_take(gb_Scratch **scratch, gb_Matrix *A, gb_Format axis, size_t val_bytes) {
    const uint64_t n = gb_nmajor(A, axis);
    gb_Scratch *s = __atomic_exchange_n(&A->scratch[axis], NULL, __ATOMIC_ACQUIRE);
    *scratch = NULL;
    if (s == NULL) s = new_scratch(n);
    if (s == NULL) return gb_fail_memory(gb_bitset_bytes(n));
    if (s->next != NULL) gb_scratch_give(A, axis, s->next);
    s->next = NULL;
    s->behind = 0;
    const gbl_Info info = s->val_bytes < val_bytes ? grow_values(s, val_bytes) : GBL_SUCCESS;
    if (info == GBL_SUCCESS)
        *scratch = s;
    else
        gb_scratch_give(A, axis, s);
    return info;
}

/* -- entries of a vector */

typedef struct {
    uint64_t *words;
    const gb_CsView *list;
} gb_Marking;

/* Words [from, to). */
static void mark_range(void *context, uint64_t from, uint64_t to) {
    const gb_Marking *m = context;
    const gb_CsView *list = m->list;
    const gb_Off end = gb_first_at_least(list->i, 0, list->nvals, 64 * to);
    for (gb_Off q = gb_first_at_least(list->i, 0, list->nvals, 64 * from); q < end; q++)
        m->words[list->i[q] / 64] |= (uint64_t)1 << (list->i[q] % 64);
}

void gb_scratch_mark(gb_Scratch *s, const gb_CsView *list) {
    gb_Marking m = {s->set.words, list};
    for (gb_Off q = 0; q < list->nvals && list->p == NULL; q++)
        m.words[list->i[q] / 64] |= (uint64_t)1 << (list->i[q] % 64);
    if (list->p == NULL) return;
    gb_parallel_ranges(gb_threads_for(list->nvals, 4 * GB_GRAIN, gb_nthreads()),
                       gb_words_for(s->set.n), mark_range, &m);
}

/* Bits of eight bytes 0 or 1. */
static uint64_t pack8(const int8_t *b) {
    uint64_t bytes;
    memcpy(&bytes, b, sizeof bytes);
    return bytes * UINT64_C(0x0102040810204080) >> 56;
}

void gb_scratch_mark_bytes(gb_Scratch *s, const gb_DenseView *bitmap) {
    uint64_t *words = s->set.words, k = 0;
    for (; k + 8 <= bitmap->n; k += 8) words[k / 64] |= pack8(bitmap->b + k) << (k % 64);
    for (; k < bitmap->n; k++) words[k / 64] |= (uint64_t)bitmap->b[k] << (k % 64);
}

void gb_scratch_unmark(gb_Scratch *s, const gb_CsView *list) {
    uint64_t *words = s->set.words;
    if (list->i == NULL || list->nvals > s->set.n / 64) {
        memset(words, 0, gb_words_for(s->set.n) * sizeof *words);
        return;
    }
    for (gb_Off q = 0; q < list->nvals; q++) words[list->i[q] / 64] = 0;
}

/* Sizes that are constants make each copy one instruction. */
static inline void spread_sized(char *val, const gb_CsView *list, size_t size) {
    for (gb_Off q = 0; q < list->nvals; q++)
        memcpy(val + list->i[q] * size, (const char *)list->x + q * size, size);
}

void gb_scratch_spread(gb_Scratch *s, const gb_CsView *list, size_t size) {
    if (size == 8)
        spread_sized(s->val, list, 8);
    else if (size == 4)
        spread_sized(s->val, list, 4);
    else
        spread_sized(s->val, list, size);
}

struct gb_Retired {
    gb_Cs cs;
    gb_Tiles tiles;
    gb_Retired *next;
};

static gbl_Info check_dimensions(uint64_t nrows, uint64_t ncols) {
    if (nrows <= GB_DIMENSION_MAX && ncols <= GB_DIMENSION_MAX) return GBL_SUCCESS;
    return gb_fail(
        GBL_INVALID_VALUE, "a %llu x %llu object is too large; each dimension may be at most %llu",
        (unsigned long long)nrows, (unsigned long long)ncols, (unsigned long long)GB_DIMENSION_MAX);
}

gbl_Info gb_matrix_new(gb_Matrix **A, uint64_t magic, gb_Type *type, uint64_t nrows,
                       uint64_t ncols) {
    *A = NULL;
    const gbl_Info info = check_dimensions(nrows, ncols);
    if (info != GBL_SUCCESS) return info;
    gb_Matrix *made = gb_malloc(sizeof *made);
    if (made == NULL) return gb_fail_memory(sizeof *made);
    memset(made, 0, sizeof *made);
    made->magic = magic;
    made->type = gb_retain(type);
    made->nrows = nrows;
    made->ncols = ncols;
    *A = made;
    return GBL_SUCCESS;
}

gbl_Info gb_fail_hyper(const gb_Matrix *A) {
    return gb_fail(GBL_NOT_IMPLEMENTED,
                   "this operation is not there for hypersparse objects such as one of %llu x "
                   "%llu; docs/hypersparse.md lists what is not",
                   (unsigned long long)A->nrows, (unsigned long long)A->ncols);
}

gbl_Info gb_fail_positions(const gb_Matrix *A) {
    return gb_fail(
        GBL_OUT_OF_MEMORY,
        "a %llu x %llu object holds one value at all its positions, which the call needs "
        "one by one, at least 4 bytes each; use a mask that is not complemented, or fewer "
        "positions",
        (unsigned long long)A->nrows, (unsigned long long)A->ncols);
}

gbl_Info gb_fail_pointers(const gb_Matrix *A) {
    return gb_fail(GBL_NOT_IMPLEMENTED,
                   "the arrays of a %llu x %llu matrix do not move: there would be pointers to "
                   "all rows or columns, and indices of 32 bits; import or export copies",
                   (unsigned long long)A->nrows, (unsigned long long)A->ncols);
}

gbl_Info gb_matrix_retire(gb_Matrix *A, const gb_Cs *cs, const gb_Tiles *tiles) {
    gb_Retired *node = gb_malloc(sizeof *node);
    if (node == NULL) return gb_fail_memory(sizeof *node);
    *node = (gb_Retired){.next = A->retired};
    if (cs != NULL) node->cs = *cs;
    if (tiles != NULL) node->tiles = *tiles;
    A->retired = node;
    return GBL_SUCCESS;
}

void gb_matrix_set_note(gb_Matrix *A, gb_Note note) {
    gb_free(A->note.block, A->note.bytes);
    A->note = note;
}

void gb_matrix_move_note(gb_Matrix *to, gb_Matrix *from) {
    gb_matrix_set_note(to, from->note);
    from->note = (gb_Note){0};
}

static void free_retired(gb_Matrix *A) {
    for (gb_Retired *node; (node = A->retired) != NULL;) {
        A->retired = node->next;
        gb_cs_free(&node->cs);
        gb_tiles_free(&node->tiles);
        gb_free(node, sizeof *node);
    }
}

static void free_hyper(gb_Hyper *hyper) {
    if (hyper == NULL) return;
    gb_row_list_release(hyper->rows);
    gb_row_list_release(hyper->cols);
    gb_matrix_free(hyper->core);
    gb_free(hyper, sizeof *hyper);
}

/* Each setElement comes by here, mostly with nothing to free. */
void gb_matrix_keep_only(gb_Matrix *A, unsigned which) {
    __atomic_store_n(&A->ready, 0, __ATOMIC_RELAXED);
    if (A->retired != NULL) free_retired(A);
    if (A->derived != NULL) gb_derived_drop(A);
    for (gb_Format format = GB_CSR; format <= GB_CSC; format++) {
        if (A->cs[format].p != NULL && !(which & gb_has_bit(format))) gb_cs_free(&A->cs[format]);
        if (A->tiles[format].p != NULL && !(which & gb_tiles_bit(format)))
            gb_tiles_free(&A->tiles[format]);
        if (A->device[format] != NULL) gb_device()->release(A->device[format]);
        if (A->scratch[format] != NULL) free_scratch(A->scratch[format]);
        A->device[format] = NULL;
        A->scratch[format] = NULL;
        A->facts[format].known = false;
        A->demand[format] = 0;
    }
    if (A->dense.n > 0 && !(which & (GBL_HAS_BITMAP | GBL_HAS_FULL))) gb_dense_free(&A->dense);
    A->pushed = 0;
    A->sought = 0;
    A->symmetry = GB_SYMMETRY_UNKNOWN;
    A->truth = GB_TRUTH_UNKNOWN;
    A->diagonal = GB_DIAGONAL_UNKNOWN;
    A->fetched = (gb_Transfer){0};
    if (A->note.block != NULL) gb_matrix_set_note(A, (gb_Note){0});
    __atomic_store_n(&A->has, A->has & which, __ATOMIC_RELEASE);
    if (A->has != 0 && A->hyper != NULL) { /* an ordinary form is what is written */
        gb_Hyper *const old = A->hyper;
        __atomic_store_n(&A->hyper, NULL, __ATOMIC_RELEASE);
        free_hyper(old);
    }
}

/* A is clear: its content becomes what was put into this form. */
static void publish(gb_Matrix *A, unsigned has, uint64_t nvals, bool iso) {
    A->nvals = nvals;
    A->iso = iso;
    __atomic_store_n(&A->has, has, __ATOMIC_RELEASE);
}

void gb_matrix_clear(gb_Matrix *A) {
    if (A->pending != NULL) gb_pending_clear(A);
    gb_matrix_keep_only(A, 0);
    A->nvals = 0;
    A->iso = false;
    if (A->hyper != NULL) gb_matrix_swap_hyper(A, NULL);
}

gbl_Info gb_matrix_renew(gb_Matrix *A, gb_Type *type, uint64_t nrows, uint64_t ncols) {
    const gbl_Info info = check_dimensions(nrows, ncols);
    if (info != GBL_SUCCESS) return info;
    gb_matrix_clear(A);
    gb_Type *const old = A->type;
    A->type = gb_retain(type);
    gb_release(old);
    A->nrows = nrows;
    A->ncols = ncols;
    return GBL_SUCCESS;
}

void gb_matrix_free(gb_Matrix *A) {
    if (A == NULL) return;
    if (!gb_is_lost(A)) gb_matrix_clear(A);
    gb_release(A->type);
    gb_name_free(A->label.name);
    A->magic = GB_MAGIC_FREED;
    gb_free(A, sizeof *A);
}

gbl_Info gb_matrix_give(gb_Matrix **A, gb_Matrix *made, gbl_Info info) {
    if (info == GBL_SUCCESS)
        *A = made;
    else
        gb_matrix_free(made);
    return info;
}

void gb_matrix_lose(gb_Matrix *A) {
    const bool vector = A->magic == GB_MAGIC_VECTOR || A->magic == GB_MAGIC_LOST_VECTOR;
    __atomic_store_n(&A->magic, vector ? GB_MAGIC_LOST_VECTOR : GB_MAGIC_LOST_MATRIX,
                     __ATOMIC_RELAXED);
}

void gb_find_lost_slowly(gb_Matrix *A) {
    if (A->magic != GB_MAGIC_MATRIX && A->magic != GB_MAGIC_VECTOR) return;
    const gb_Hyper *hyper = __atomic_load_n(&A->hyper, __ATOMIC_ACQUIRE);
    if (gb_lock_is_broken(&A->lock) || gb_lock_is_broken(&A->writing) ||
        (hyper != NULL && gb_lock_is_broken(&hyper->core->lock)))
        gb_matrix_lose(A);
}

gbl_Info gb_fail_lost(const gb_Matrix *A, const char *name) {
    return gb_fail(GBL_INVALID_OBJECT,
                   "%s (name: '%s', %llu x %llu) was being changed by another thread when this "
                   "process was forked, and its content is unknown here: free it and make it anew",
                   name, gb_name_text(&A->label.name), (unsigned long long)A->nrows,
                   (unsigned long long)A->ncols);
}

void gb_matrix_forget(gb_Matrix *A) {
    const gb_Matrix empty = {.magic = A->magic,
                             .type = A->type,
                             .nrows = A->nrows,
                             .ncols = A->ncols,
                             .deferred = A->deferred,
                             .label = A->label};
    *A = empty;
}

void gb_matrix_swap_hyper(gb_Matrix *A, gb_Hyper *hyper) {
    gb_Hyper *const old = A->hyper;
    __atomic_store_n(&A->hyper, hyper, __ATOMIC_RELEASE);
    A->nvals = hyper != NULL ? hyper->core->nvals : 0;
    A->iso = hyper != NULL && hyper->core->iso;
    free_hyper(old); /* last: meanwhile other readers may check whether A is hypersparse */
}

void gb_matrix_set_cs(gb_Matrix *A, gb_Format format, gb_Cs *arrays) {
    gb_matrix_clear(A);
    if (arrays->nvals == 0) {
        gb_cs_free(arrays);
        return;
    }
    A->cs[format] = *arrays;
    *arrays = (gb_Cs){0};
    publish(A, gb_has_bit(format), A->cs[format].nvals, A->cs[format].iso);
    if (A->cs[format].sorted) gb_matrix_set_ready(A, format);
}

void gb_matrix_set_ready(gb_Matrix *A, gb_Format format) {
    const unsigned ready = A->ready | gb_has_bit(format);
    __atomic_store_n(&A->ready, (uint8_t)ready, __ATOMIC_RELEASE);
}

void gb_matrix_move(gb_Matrix *A, gb_Matrix *from) {
    gb_matrix_clear(A);
    for (gb_Format format = GB_CSR; format <= GB_CSC; format++) {
        A->cs[format] = from->cs[format];
        from->cs[format] = (gb_Cs){0};
    }
    A->dense = from->dense;
    from->dense = (gb_Dense){0};
    A->hyper = from->hyper;
    from->hyper = NULL;
    A->pending = from->pending;
    from->pending = NULL;
    publish(A, from->has & (GB_HAS_LISTS | GBL_HAS_BITMAP | GBL_HAS_FULL), from->nvals, from->iso);
    from->has = 0;
    from->ready = 0;
    from->nvals = 0;
}

void gb_matrix_set_tiles(gb_Matrix *A, gb_Tiles *arrays) {
    gb_matrix_clear(A);
    if (arrays->nvals == 0) {
        gb_tiles_free(arrays);
        return;
    }
    A->tiles[GB_CSR] = *arrays;
    *arrays = (gb_Tiles){0};
    publish(A, GBL_HAS_TILE16, A->tiles[GB_CSR].nvals, A->tiles[GB_CSR].iso);
}

void gb_matrix_set_device(gb_Matrix *A, gb_DeviceCs *arrays, uint64_t nvals) {
    gb_matrix_clear(A);
    A->device[gb_device_format(A)] = arrays;
    publish(A, GBL_HAS_DEVICE, nvals, false);
}

void gb_matrix_set_dense(gb_Matrix *v, gb_Dense *arrays) {
    gb_matrix_clear(v);
    if (arrays->nvals == 0) {
        gb_dense_free(arrays);
        return;
    }
    v->dense = *arrays;
    *arrays = (gb_Dense){0};
    gb_dense_changed(v);
}

void gb_dense_changed(gb_Matrix *v) {
    gb_dense_fill(&v->dense);
    publish(v, v->dense.b == NULL ? GBL_HAS_FULL : GBL_HAS_BITMAP, v->dense.nvals, v->dense.iso);
}

gbl_Info gb_matrix_fill(gb_Matrix *A, const gb_Type *type, const void *x) {
    const uint64_t n = gb_positions(A);
    const size_t size = A->type->size;
    gb_Dense one = {.n = n, .nvals = n, .iso = true};
    if (n > 0) {
        one.x = gb_malloc(size);
        one.xcap = size;
        if (one.x == NULL) return gb_fail_memory(size);
        gb_cast(A->type, one.x, type, x, 1, 1);
    }
    gb_matrix_set_dense(A, &one);
    return GBL_SUCCESS;
}
