/* SPDX-License-Identifier: Apache-2.0
 *
 * assign to the rows I and columns J. T is A spread out to C's shape. With accum, C accum= T is all
 * there is to do. Without, entries of C in the region I x J go: T becomes what C has outside the
 * region, together with A spread out, and C = T under the mask.
 *
 * Matrices are handled by rows, vectors as the one column they are, so that `major` and `minor` are
 * I and J, or J and I.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "core/arrays.h"
#include "ops/assign.h"

typedef struct {
    const gb_Assign *call;
    gb_Format format;
    const gb_Indices *major, *minor;
    uint64_t nmajor, nminor;     /* of C */
    int8_t *in_major, *in_minor; /* [nmajor], [nminor]: is in the list; NULL: all are */
} Spread;

/* Marks the indices of a list; an object cannot be assigned to one index twice. */
static gbl_Info mark(int8_t **in, const gb_Indices *list, uint64_t n, bool distinct,
                     const char *name) {
    if (list->all || n == 0) return GBL_SUCCESS;
    *in = gb_calloc(n);
    if (*in == NULL) return gb_fail_memory(NULL, n);
    for (uint64_t k = 0; k < list->n; k++) {
        if ((*in)[list->i[k]] && distinct)
            return gb_fail(GBL_INVALID_VALUE, NULL, "%s lists %llu twice; indices must be distinct",
                           name, (unsigned long long)list->i[k]);
        (*in)[list->i[k]] = 1;
    }
    return GBL_SUCCESS;
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
static uint64_t count_marks(const int8_t *in, uint64_t n) {
    uint64_t count = 0;
    if (in == NULL) return n;
    for (uint64_t k = 0; k < n; k++) count += (uint64_t)in[k];
    return count;
}

static gbl_Info spread_value(const Spread *s, gb_Cs *T) {
    const gb_Assign *call = s->call;
    if (call->x == NULL) return GBL_SUCCESS;
    const uint64_t rows = s->major->n == 0 ? 0 : count_marks(s->in_major, s->nmajor);
    const uint64_t width = s->minor->n == 0 ? 0 : count_marks(s->in_minor, s->nminor);
    if (rows == 0 || width == 0) return GBL_SUCCESS;
    const size_t size = call->xtype->size;
    const gbl_Info info = gb_cs_alloc(T, s->nmajor, rows * width, size);
    if (info != GBL_SUCCESS) return info;
    memcpy(T->x, call->x, size);
    T->iso = true;
    uint64_t n = 0;
    for (uint64_t r = 0; r < s->nmajor; r++) {
        T->p[r] = n;
        if (s->in_major != NULL && !s->in_major[r]) continue;
        for (uint64_t c = 0; c < s->nminor; c++)
            if (s->in_minor == NULL || s->in_minor[c]) T->i[n++] = (gb_Idx)c;
    }
    T->p[s->nmajor] = n;
    return GBL_SUCCESS;
}

/* -- what C has outside the region */
static bool is_inside(const Spread *s, uint64_t r, uint64_t c) {
    return (s->in_major == NULL || s->in_major[r]) && (s->in_minor == NULL || s->in_minor[c]);
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

gbl_Info gb_assign_at(const gb_Assign *call) {
    const bool vector = gb_is_vector(call->C);
    gb_Matrix *C = call->C;
    gb_Result T = {.type = call->A != NULL ? call->A->type : call->xtype,
                   .format = vector ? GB_CSC : GB_CSR};
    Spread s = {.call = call,
                .format = T.format,
                .major = vector ? &call->J : &call->I,
                .minor = vector ? &call->I : &call->J,
                .nmajor = gb_nmajor(C, T.format),
                .nminor = gb_nminor(C, T.format)};
    const bool distinct = call->A != NULL;
    gbl_Info info = gb_assemble(C);
    if (info == GBL_SUCCESS)
        info = mark(&s.in_major, s.major, s.nmajor, distinct, vector ? "J" : "I");
    if (info == GBL_SUCCESS)
        info = mark(&s.in_minor, s.minor, s.nminor, distinct, vector ? "I" : "J");
    if (info == GBL_SUCCESS)
        info = call->A != NULL ? spread_object(&s, &T.cs) : spread_value(&s, &T.cs);
    if (info == GBL_SUCCESS && call->accum == NULL && C->nvals > 0) info = add_outside(&s, &T);
    gb_free(s.in_major, s.nmajor);
    gb_free(s.in_minor, s.nminor);
    if (info == GBL_SUCCESS) return gb_finish(C, call->mask, call->accum, &T);
    gb_result_free(&T);
    return info;
}
