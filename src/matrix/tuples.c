/* SPDX-License-Identifier: Apache-2.0
 *
 * build and extractTuples for objects: ranges and casts here, sorting in build.c.
 */
#include "matrix/tuples.h"

#include "core/arrays.h"
#include "core/context.h"
#include "core/parallel.h"
#include "core/search.h"
#include "core/tune.h"
#include "matrix/build.h"
#include "matrix/hyper.h"
#include "matrix/lifetime.h"
#include "matrix/acquire.h"
#include "semiring/cast.h"

typedef struct {
    const gbl_Index *I;
    uint64_t limit;
    uint64_t found; /* atomic: the first index that is not below the limit */
} Outside;

static void look_outside(void *context, uint64_t k, uint64_t end) {
    Outside *o = context;
    while (k < end && o->I[k] < o->limit) k++;
    if (k == end) return;
    uint64_t seen = __atomic_load_n(&o->found, __ATOMIC_RELAXED);
    while (k < seen && !__atomic_compare_exchange_n(&o->found, &seen, k, true, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED)) {
    }
}

/* Number of the first index that is not below `limit`, or n. */
static uint64_t first_outside(const gbl_Index *I, uint64_t n, uint64_t limit) {
    Outside o = {.I = I, .limit = limit, .found = n};
    gb_parallel_ranges(gb_threads_for(n, GB_GRAIN, gb_nthreads()), n, look_outside, &o);
    return o.found;
}

static gbl_Info check_range(const gbl_Index *I, uint64_t n, uint64_t limit, const char *what) {
    const uint64_t k = first_outside(I, n, limit);
    if (k == n) return GBL_SUCCESS;
    return gb_fail(
        GBL_INDEX_OUT_OF_BOUNDS, "tuple %llu has %s index %llu, but %s indices must be below %llu",
        (unsigned long long)k, what, (unsigned long long)I[k], what, (unsigned long long)limit);
}

/* The tuples, whose values have type `from`, as arrays whose values have the type of A. */
static gbl_Info tuples_to_typed(gb_Cs *cs, gb_Tuples *tuples, const gb_Type *from, gb_Matrix *A,
                                const gb_BinaryOp *dup) {
    const gb_Type *work = dup != NULL && tuples->sx != 0 ? dup->ztype : A->type;
    void *x = NULL;
    size_t xbytes = 0;
    gbl_Info info = GBL_SUCCESS;
    if (from != work) {
        const gb_Array given = {.type = from, .x = tuples->x, .n = tuples->sx == 0 ? 1 : tuples->n};
        info = gb_cast_copy(&x, &xbytes, work, &given, gb_nthreads());
        tuples->x = x;
    }
    if (info == GBL_SUCCESS) info = gb_tuples_to_cs(cs, tuples, work, dup);
    if (info == GBL_SUCCESS && work != A->type) {
        void *z;
        size_t zbytes;
        const gb_Array made = {.type = work, .x = cs->x, .n = cs->iso ? 1 : cs->nvals};
        info = gb_cast_copy(&z, &zbytes, A->type, &made, gb_nthreads());
        if (info == GBL_SUCCESS) {
            gb_free(cs->x, cs->xcap);
            cs->x = z;
            cs->xcap = zbytes;
        } else {
            gb_cs_free(cs);
        }
    }
    gb_free(x, xbytes);
    return info;
}

/* -- hypersparse: indices become places on axes, which a square matrix has one of */

/* The axes of the tuples, and the places of rows and columns on them; J is NULL for vectors. */
static gbl_Info find_places(gb_RowLists *axes, const gb_Tuples *t, gb_Idx *I, gb_Idx *J) {
    const bool vector = t->major == NULL, square = !vector && t->nmajor == t->nminor;
    const gbl_Index *rows = vector ? t->minor : t->major;
    const gb_RowListMerge first = {.list = {rows, t->minor},
                                   .n = {t->n, square ? t->n : 0},
                                   .places = {I, J},
                                   .dimension = vector ? t->nminor : t->nmajor};
    const gb_RowListMerge second = {
        .list = {t->minor}, .n = {t->n}, .places = {J}, .dimension = t->nminor};
    *axes = (gb_RowLists){0};
    gbl_Info info = gb_row_list_of_lists(&axes->rows, &first);
    if (info == GBL_SUCCESS && square)
        axes->cols = gb_row_list_retain(axes->rows);
    else if (info == GBL_SUCCESS && !vector)
        info = gb_row_list_of_lists(&axes->cols, &second);
    if (info != GBL_SUCCESS) gb_row_lists_release(axes);
    return info;
}

static gbl_Info build_hyper(gb_Matrix *A, const gb_Tuples *given, const gb_Type *from,
                            const gb_BinaryOp *dup) {
    const bool vector = given->major == NULL;
    gb_Tuples tuples = *given;
    gb_RowLists axes;
    gb_Cs cs;
    gb_Matrix *core = NULL;
    size_t bytes;
    gb_Idx *places = NULL;
    if (gb_size_mul(&bytes, given->n, (vector ? 1 : 2) * sizeof *places)) places = gb_malloc(bytes);
    if (places == NULL) return gb_fail_memory(bytes);
    gb_Idx *const I = places, *const J = vector ? NULL : places + given->n;
    gbl_Info info = find_places(&axes, given, I, J);
    if (info != GBL_SUCCESS) goto done;
    tuples.short_major = vector ? NULL : I;
    tuples.short_minor = vector ? I : J;
    tuples.major_names = vector ? NULL : axes.rows->index;
    tuples.minor_names = vector ? axes.rows->index : axes.cols->index;
    tuples.nmajor = vector ? 1 : axes.rows->n;
    tuples.nminor = vector ? axes.rows->n : axes.cols->n;
    info = gb_compact_new(&core, A, A->type, &axes);
    if (info == GBL_SUCCESS) info = tuples_to_typed(&cs, &tuples, from, core, dup);
    if (info == GBL_SUCCESS) {
        gb_matrix_set_cs(core, vector ? GB_CSC : GB_CSR, &cs);
        info = gb_hyper_set(A, &axes, core);
    } else {
        gb_matrix_free(core);
        gb_row_lists_release(&axes);
    }
done:
    gb_free(places, bytes);
    return info;
}

gbl_Info gb_matrix_build(gb_Matrix *A, const gbl_Index *I, const gbl_Index *J,
                         const gb_Values *values, uint64_t n, const gb_BinaryOp *dup) {
    /* any operator would do: one value for all is merged without a call */
    static const gb_BinaryOp merge = {.magic = GB_MAGIC_BINARY, .refs = GB_STATIC};
    uint64_t nvals;
    gbl_Info info = gb_matrix_nvals(A, &nvals);
    if (info != GBL_SUCCESS) return info;
    if (nvals > 0) {
        return gb_fail(GBL_OUTPUT_NOT_EMPTY,
                       "build needs an empty output, but this one has %llu entries; clear it first",
                       (unsigned long long)nvals);
    }
    info = check_range(I, n, A->nrows, J == NULL ? "element" : "row");
    if (info == GBL_SUCCESS && J != NULL) info = check_range(J, n, A->ncols, "column");
    if (info != GBL_SUCCESS || n == 0) return info;
    gb_Tuples tuples = {.major = J == NULL ? NULL : I,
                        .minor = J == NULL ? I : J,
                        .x = values->x,
                        .sx = values->sx,
                        .n = n,
                        .nmajor = J == NULL ? 1 : A->nrows,
                        .nminor = J == NULL ? A->nrows : A->ncols};
    const gb_BinaryOp *merger = values->sx == 0 ? &merge : dup;
    if (gb_suits_hyper(A, n)) return build_hyper(A, &tuples, values->type, merger);
    gb_Cs cs;
    info = tuples_to_typed(&cs, &tuples, values->type, A, merger);
    if (info != GBL_SUCCESS) return info;
    gb_matrix_set_cs(A, J == NULL ? GB_CSC : GB_CSR, &cs);
    if (gb_is_vector(A)) gb_choose_format(A);
    return GBL_SUCCESS;
}

typedef struct {
    const gb_CsView *view;
    const gb_RowList *major_names, *minor_names; /* NULL: rows and columns stand for themselves */
    gbl_Index *majors, *minors;                  /* or NULL */
    void *X;                                     /* or NULL */
    const gb_Type *type, *xtype;
} Extract;

static void extract_majors(const Extract *e, uint64_t first, uint64_t end) {
    const gb_CsView *view = e->view;
    if (first == end) return;
    uint64_t row = gb_holder(view->p, 0, view->nmajor, first);
    for (uint64_t k = first; k < end; k++) {
        while (view->p[row + 1] <= k) row++;
        e->majors[k] = e->major_names == NULL ? row : e->major_names->index[row];
    }
}

static void extract_minors(const Extract *e, uint64_t first, uint64_t end) {
    const gb_Idx *i = e->view->i;
    if (e->minor_names == NULL)
        for (uint64_t k = first; k < end; k++) e->minors[k] = i[k];
    else
        for (uint64_t k = first; k < end; k++) e->minors[k] = e->minor_names->index[i[k]];
}

static void extract_range(void *context, uint64_t first, uint64_t end) {
    const Extract *e = context;
    const gb_CsView *view = e->view;
    if (e->majors != NULL) extract_majors(e, first, end);
    if (e->minors != NULL) extract_minors(e, first, end);
    if (e->X == NULL) return;
    const char *x = (const char *)view->x + (view->iso ? 0 : first * view->xsize);
    gb_cast(e->xtype, (char *)e->X + first * e->xtype->size, e->type, x, view->iso ? 0 : 1,
            end - first);
}

gbl_Info gb_matrix_extract(gb_Matrix *A, gbl_Index *I, gbl_Index *J, void *X,
                           const gb_Type *xtype) {
    const bool vector = gb_is_vector(A);
    gb_CsView view;
    uint64_t nvals;
    gbl_Info info = gb_matrix_nvals(A, &nvals);
    if (info != GBL_SUCCESS || nvals == 0) return info; /* no pointers for an empty matrix */
    const gb_Hyper *hyper = gb_is_hyper(A) ? A->hyper : NULL;
    info = gb_acquire_sorted(hyper != NULL ? hyper->core : A, vector ? GB_CSC : GB_CSR, &view);
    if (info != GBL_SUCCESS) return info;
    Extract e = {.view = &view,
                 .majors = vector ? NULL : I,
                 .minors = vector ? I : J,
                 .X = X,
                 .type = A->type,
                 .xtype = xtype};
    if (hyper != NULL && !vector) e.major_names = hyper->rows;
    if (hyper != NULL) e.minor_names = vector ? hyper->rows : hyper->cols;
    const int threads = gb_threads_for(view.nvals, GB_GRAIN, gb_nthreads());
    gb_parallel_ranges(threads, view.nvals, extract_range, &e);
    return GBL_SUCCESS;
}
