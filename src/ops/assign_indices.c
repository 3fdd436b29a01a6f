/* SPDX-License-Identifier: Apache-2.0
 *
 * assign to the rows I and columns J. T is A spread out to C's shape. With accum, C accum= T is all
 * there is to do. Without, entries of C in the region I x J go: T becomes what C has outside the
 * region, together with A spread out, and C = T under the mask.
 *
 * Matrices are handled by rows, or by columns where they have only these; vectors as the one column
 * they are. `major` and `minor` are I and J, or J and I. A list of few indices is a sorted array,
 * so that assigning to one index takes no array as long as the dimension.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "core/arrays.h"
#include "core/search.h"
#include "core/tune.h"
#include "matrix/radix.h"
#include "ops/assign.h"

/* The indices of a list, each once. */
typedef struct {
    bool all;     /* of the dimension, and no arrays */
    uint64_t n;   /* how many; when all: the dimension */
    gb_Idx *i;    /* [capacity] of which n are used, ascending */
    int8_t *mark; /* [dimension] 1 for those in the list; NULL where these are few */
    uint64_t capacity, dimension;
} gb_IndexSet;

typedef struct {
    const gb_Assign *call;
    gb_Format format;
    const gb_Indices *major, *minor;
    uint64_t nmajor, nminor; /* of C */
    gb_IndexSet in_major, in_minor;
} Spread;

/* -- sets of indices */
static void set_free(gb_IndexSet *set) {
    gb_free(set->i, set->capacity * sizeof *set->i);
    gb_free(set->mark, set->dimension);
}

static gbl_Info fail_twice(const char *name, uint64_t index) {
    return gb_fail(GBL_INVALID_VALUE, NULL, "%s lists %llu twice; indices must be distinct", name,
                   (unsigned long long)index);
}

static void read_indices(const void *input, uint64_t first, size_t count, uint64_t *keys,
                         uint64_t *loads) {
    memcpy(keys, (const gbl_Index *)input + first, count * sizeof *keys);
    if (loads != NULL) memset(loads, 0, count * sizeof *loads);
}

/* set->i = the list, sorted; equal ones follow each other. */
static gbl_Info sort_indices(gb_IndexSet *set, const gb_Indices *list) {
    const gb_RecordInput in = {.read = read_indices,
                               .input = list->i,
                               .n = list->n,
                               .bits = gb_bits_below(set->dimension)};
    size_t bytes = 0;
    gb_Record *sorted = NULL;
    if (gb_records_ascend(&in, gb_nthreads())) {
        for (uint64_t k = 0; k < list->n; k++) set->i[k] = (gb_Idx)list->i[k];
        return GBL_SUCCESS;
    }
    if (gb_size_mul(&bytes, list->n, sizeof *sorted)) sorted = gb_malloc(bytes);
    if (sorted == NULL) return gb_fail_memory(NULL, bytes);
    const gbl_Info info = gb_records_sort(sorted, &in, gb_nthreads());
    for (uint64_t k = 0; info == GBL_SUCCESS && k < list->n; k++) set->i[k] = (gb_Idx)sorted[k].key;
    gb_free(sorted, bytes);
    return info;
}

/* The same for many indices: a sweep over the dimension finds them in order. */
static gbl_Info mark_indices(gb_IndexSet *set, const gb_Indices *list, bool distinct,
                             const char *name) {
    set->mark = gb_calloc(set->dimension);
    if (set->mark == NULL) return gb_fail_memory(NULL, set->dimension);
    for (uint64_t k = 0; k < list->n; k++) {
        if (set->mark[list->i[k]] && distinct) return fail_twice(name, list->i[k]);
        set->mark[list->i[k]] = 1;
    }
    for (uint64_t k = 0; k < set->dimension; k++)
        if (set->mark[k]) set->i[set->n++] = (gb_Idx)k;
    return GBL_SUCCESS;
}

/* An object cannot be assigned to one index twice: then the list must be distinct. */
static gbl_Info set_make(gb_IndexSet *set, const gb_Indices *list, bool distinct,
                         const char *name) {
    size_t bytes;
    set->all = list->all;
    if (list->all || list->n == 0) {
        set->n = list->n;
        return GBL_SUCCESS;
    }
    const bool many = list->n > set->dimension / GB_FEW;
    const uint64_t capacity = list->n < set->dimension ? list->n : set->dimension;
    if (!gb_size_mul(&bytes, capacity, sizeof *set->i)) return gb_fail_memory(NULL, SIZE_MAX);
    set->i = gb_malloc(bytes);
    if (set->i == NULL) return gb_fail_memory(NULL, bytes);
    set->capacity = capacity;
    if (many) return mark_indices(set, list, distinct, name);
    const gbl_Info info = sort_indices(set, list);
    if (info != GBL_SUCCESS) return info;
    for (uint64_t k = 0; k < list->n; k++) {
        const bool again = set->n > 0 && set->i[set->n - 1] == set->i[k];
        if (again && distinct) return fail_twice(name, set->i[k]);
        if (!again) set->i[set->n++] = set->i[k];
    }
    return GBL_SUCCESS;
}

static bool set_has(const gb_IndexSet *set, uint64_t k) {
    if (set->all) return true;
    if (set->mark != NULL) return set->mark[k];
    const gb_Off at = gb_first_at_least(set->i, 0, set->n, k);
    return at < set->n && set->i[at] == k;
}

static uint64_t index_at(const gb_Indices *list, uint64_t k) {
    return list->all ? k : list->i[k];
}

/* -- T from an object: its entries as tuples */
static gbl_Info spread_object(const Spread *s, gb_Cs *T) {
    const gb_Assign *call = s->call;
    gb_Matrix *A = call->A;
    const gb_Format other = s->format == GB_CSR ? GB_CSC : GB_CSR;
    gb_CsView view;
    gbl_Info info = gb_assemble(A);
    if (info != GBL_SUCCESS || A->nvals == 0) return info;
    info = gb_need_sorted(A, call->atransposed ? other : s->format, &view);
    if (info != GBL_SUCCESS) return info;
    size_t bytes;
    if (!gb_size_mul(&bytes, view.nvals, 2 * sizeof(gbl_Index)))
        return gb_fail_memory(call->C, SIZE_MAX);
    gbl_Index *at = gb_malloc(bytes);
    if (at == NULL) return gb_fail_memory(call->C, bytes);
    gbl_Index *major = at, *minor = at + view.nvals;
    for (uint64_t r = 0; r < view.nmajor; r++) {
        for (uint64_t p = view.p[r]; p < view.p[r + 1]; p++) {
            major[p] = index_at(s->major, r);
            minor[p] = index_at(s->minor, view.i[p]);
        }
    }
    const gb_Tuples tuples = {.major = major,
                              .minor = minor,
                              .x = view.x,
                              .sx = view.iso ? 0 : 1,
                              .n = view.nvals,
                              .nmajor = s->nmajor,
                              .nminor = s->nminor};
    info = gb_tuples_to_cs(T, &tuples, A->type, NULL);
    gb_free(at, bytes);
    return info;
}

/* -- T from a value: every position of the region */
static gbl_Info spread_value(const Spread *s, gb_Cs *T) {
    const gb_Assign *call = s->call;
    const gb_IndexSet *major = &s->in_major, *minor = &s->in_minor;
    const size_t size = call->xtype->size;
    if (call->x == NULL || major->n == 0 || minor->n == 0) return GBL_SUCCESS;
    const gbl_Info info = gb_cs_alloc(T, s->nmajor, major->n * minor->n, size);
    if (info != GBL_SUCCESS) return info;
    memcpy(T->x, call->x, size);
    T->iso = true;
    uint64_t rows = 0;
    for (uint64_t r = 0; r < s->nmajor; r++) {
        gb_Idx *row = T->i + rows * minor->n;
        T->p[r] = rows * minor->n;
        if (!major->all && (rows == major->n || major->i[rows] != r)) continue;
        for (uint64_t c = 0; c < minor->n; c++) row[c] = minor->all ? (gb_Idx)c : minor->i[c];
        rows++;
    }
    T->p[s->nmajor] = rows * minor->n;
    return GBL_SUCCESS;
}

/* -- what C has outside the region */
static bool is_inside(const Spread *s, uint64_t r, uint64_t c) {
    return set_has(&s->in_major, r) && set_has(&s->in_minor, c);
}

static gbl_Info cut_region(const Spread *s, gb_Cs *base) {
    const size_t size = s->call->C->type->size;
    gb_CsView C;
    gbl_Info info = gb_need_sorted(s->call->C, s->format, &C);
    if (info != GBL_SUCCESS) return info;
    uint64_t kept = 0;
    for (uint64_t r = 0; r < C.nmajor; r++)
        for (uint64_t p = C.p[r]; p < C.p[r + 1]; p++) kept += !is_inside(s, r, C.i[p]);
    info = gb_cs_alloc(base, C.nmajor, kept, (C.iso ? 1 : kept) * size);
    if (info != GBL_SUCCESS) return info;
    base->iso = C.iso;
    if (C.iso) memcpy(base->x, C.x, size);
    uint64_t n = 0;
    for (uint64_t r = 0; r < C.nmajor; r++) {
        base->p[r] = n;
        for (uint64_t p = C.p[r]; p < C.p[r + 1]; p++) {
            if (is_inside(s, r, C.i[p])) continue;
            if (!C.iso) memcpy((char *)base->x + n * size, (const char *)C.x + p * size, size);
            base->i[n++] = C.i[p];
        }
    }
    base->p[C.nmajor] = n;
    return GBL_SUCCESS;
}

/* T = C outside the region, and T; as values of C's type. */
static gbl_Info add_outside(const Spread *s, gb_Result *T) {
    const gb_Type *ctype = s->call->C->type;
    gb_Cs base = {0}, joined = {0};
    gbl_Info info = cut_region(s, &base);
    if (info != GBL_SUCCESS) return info;
    const gb_MergeArgs args = {.X = gb_cs_view(&base, s->nminor, ctype->size),
                               .Y = gb_cs_view(&T->cs, s->nminor, T->type->size),
                               .xtype = ctype,
                               .ytype = T->type,
                               .ztype = ctype,
                               .nthreads = gb_nthreads()};
    if (base.nvals + T->cs.nvals > 0) info = gb_backend()->unite(&args, &joined);
    gb_cs_free(&base);
    if (info != GBL_SUCCESS) return info;
    gb_cs_free(&T->cs);
    T->cs = joined;
    T->type = ctype;
    return GBL_SUCCESS;
}

/* By columns where C has nothing else, or where rows would be far more than columns. */
static gbl_Info choose_format(gb_Format *format, gb_Matrix *C) {
    *format = GB_CSC;
    if (gb_is_vector(C)) return GBL_SUCCESS;
    const bool tall = C->nvals == 0 && C->nrows / GB_FEW > C->ncols;
    return gb_any_format(C, tall ? GB_CSC : GB_CSR, format);
}

gbl_Info gb_assign_at(const gb_Assign *call) {
    gb_Matrix *C = call->C;
    gb_Result T = {.type = call->A != NULL ? call->A->type : call->xtype};
    gbl_Info info = gb_assemble(C);
    if (info == GBL_SUCCESS) info = choose_format(&T.format, C);
    if (info != GBL_SUCCESS) return info;
    const bool by_rows = T.format == GB_CSR, distinct = call->A != NULL;
    Spread s = {.call = call,
                .format = T.format,
                .major = by_rows ? &call->I : &call->J,
                .minor = by_rows ? &call->J : &call->I,
                .nmajor = gb_nmajor(C, T.format),
                .nminor = gb_nminor(C, T.format)};
    s.in_major.dimension = s.nmajor;
    s.in_minor.dimension = s.nminor;
    info = set_make(&s.in_major, s.major, distinct, by_rows ? "I" : "J");
    if (info == GBL_SUCCESS) info = set_make(&s.in_minor, s.minor, distinct, by_rows ? "J" : "I");
    if (info == GBL_SUCCESS)
        info = call->A != NULL ? spread_object(&s, &T.cs) : spread_value(&s, &T.cs);
    if (info == GBL_SUCCESS && call->accum == NULL && C->nvals > 0) info = add_outside(&s, &T);
    set_free(&s.in_major);
    set_free(&s.in_minor);
    if (info == GBL_SUCCESS) return gb_finish(C, call->mask, call->accum, &T);
    gb_result_free(&T);
    return info;
}
