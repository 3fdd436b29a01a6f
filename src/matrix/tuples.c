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
#include "matrix/life.h"
#include "matrix/need.h"
#include "semiring/cast.h"

/* Number of the first index that is not below `limit`, or n. */
static uint64_t first_outside(const gbl_Index *I, uint64_t n, uint64_t limit) {
    uint64_t found = n;
    const int nparts = gb_threads_for(n, GB_GRAIN, gb_nthreads());
    GB_PARALLEL_FOR(nparts)
    for (int t = 0; t < nparts; t++) {
        const uint64_t end = gb_part(n, (uint64_t)t + 1, (uint64_t)nparts);
        uint64_t k = gb_part(n, (uint64_t)t, (uint64_t)nparts);
        while (k < end && I[k] < limit) k++;
        if (k == end) continue;
        uint64_t seen = __atomic_load_n(&found, __ATOMIC_RELAXED);
        while (k < seen && !__atomic_compare_exchange_n(&found, &seen, k, true, __ATOMIC_RELAXED,
                                                        __ATOMIC_RELAXED)) {
        }
    }
    return found;
}

static gbl_Info check_range(const gb_Matrix *A, const gbl_Index *I, uint64_t n, uint64_t limit,
                            const char *what) {
    const uint64_t k = first_outside(I, n, limit);
    if (k == n) return GBL_SUCCESS;
    return gb_fail(GBL_INDEX_OUT_OF_BOUNDS, A,
                   "tuple %llu has %s index %llu, but %s indices must be below %llu",
                   (unsigned long long)k, what, (unsigned long long)I[k], what,
                   (unsigned long long)limit);
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

gbl_Info gb_matrix_build(gb_Matrix *A, const gbl_Index *I, const gbl_Index *J,
                         const gb_Values *values, uint64_t n, const gb_BinaryOp *dup) {
    /* any operator would do: one value for all is merged without a call */
    static const gb_BinaryOp merge = {.magic = GB_MAGIC_BINARY, .refs = GB_STATIC};
    uint64_t nvals;
    gbl_Info info = gb_matrix_nvals(A, &nvals);
    if (info != GBL_SUCCESS) return info;
    if (nvals > 0) {
        return gb_fail(GBL_OUTPUT_NOT_EMPTY, A,
                       "build needs an empty output, but this one has %llu entries; clear it first",
                       (unsigned long long)nvals);
    }
    info = check_range(A, I, n, A->nrows, J == NULL ? "element" : "row");
    if (info == GBL_SUCCESS && J != NULL) info = check_range(A, J, n, A->ncols, "column");
    if (info != GBL_SUCCESS || n == 0) return info;
    gb_Tuples tuples = {.major = J == NULL ? NULL : I,
                        .minor = J == NULL ? I : J,
                        .x = values->x,
                        .sx = values->sx,
                        .n = n,
                        .nmajor = J == NULL ? 1 : A->nrows,
                        .nminor = J == NULL ? A->nrows : A->ncols};
    gb_Cs cs;
    info = tuples_to_typed(&cs, &tuples, values->type, A, values->sx == 0 ? &merge : dup);
    if (info == GBL_SUCCESS) gb_matrix_set_cs(A, J == NULL ? GB_CSC : GB_CSR, &cs);
    return info;
}

static void extract_majors(const gb_CsView *view, uint64_t first, uint64_t end, gbl_Index *I) {
    if (first == end) return;
    uint64_t row = gb_holder(view->p, 0, view->nmajor, first);
    for (uint64_t k = first; k < end; k++) {
        while (view->p[row + 1] <= k) row++;
        I[k] = row;
    }
}

gbl_Info gb_matrix_extract(gb_Matrix *A, gbl_Index *I, gbl_Index *J, void *X,
                           const gb_Type *xtype) {
    const bool vector = gb_is_vector(A);
    gbl_Index *majors = vector ? NULL : I, *minors = vector ? I : J;
    gb_CsView view;
    uint64_t nvals;
    gbl_Info info = gb_matrix_nvals(A, &nvals);
    if (info != GBL_SUCCESS || nvals == 0) return info; /* no pointers for an empty matrix */
    info = gb_need_sorted(A, vector ? GB_CSC : GB_CSR, &view);
    if (info != GBL_SUCCESS) return info;
    const int nparts = gb_threads_for(view.nvals, GB_GRAIN, gb_nthreads());
    GB_PARALLEL_FOR(nparts)
    for (int t = 0; t < nparts; t++) {
        const uint64_t first = gb_part(view.nvals, (uint64_t)t, (uint64_t)nparts);
        const uint64_t end = gb_part(view.nvals, (uint64_t)t + 1, (uint64_t)nparts);
        if (majors != NULL) extract_majors(&view, first, end, majors);
        for (uint64_t k = first; minors != NULL && k < end; k++) minors[k] = view.i[k];
        if (X != NULL) {
            const char *x = (const char *)view.x + (view.iso ? 0 : first * view.xsize);
            gb_cast(xtype, (char *)X + first * xtype->size, A->type, x, view.iso ? 0 : 1,
                    end - first);
        }
    }
    return GBL_SUCCESS;
}
