/* SPDX-License-Identifier: Apache-2.0
 *
 * The arrays may say anything, so all that view.h demands of a
 * compressed view is checked first, in parallel, and nothing is kept of arrays that fail.
 *
 * The first thing wrong is reported, whatever the number of threads.
 */
#include "matrix/tuples.h"

#include "core/arrays.h"
#include "core/context.h"

typedef struct {
    const gb_Off *p;       /* [nmajor + 1] */
    const gb_Idx *i;       /* [p[nmajor]] minor indices, or NULL: wide has them */
    const gbl_Index *wide; /* [p[nmajor]] the same, of a huge dimension */
    uint64_t nmajor, nminor;
    const char *major_name, *minor_name;
    uint64_t wrong; /* atomic: the first position that is wrong, or UINT64_MAX */
    int sorted;     /* atomic */
    int unsure;     /* atomic: a row does not ascend to an index inside */
    uint64_t *seen; /* [nthreads * slots] sets of entries, + 1; NULL: none is needed */
    uint64_t slots; /* a power of two, twice the longest unsorted row */
    uint64_t nparts;
    uint64_t longest; /* atomic: unsorted row */
} Check;

static inline uint64_t index_at(const Check *c, uint64_t k) {
    return c->i != NULL ? c->i[k] : c->wide[k];
}

static void check_pointer_range(void *context, uint64_t k, uint64_t end) {
    Check *c = context;
    while (k < end && c->p[k] <= c->p[k + 1]) k++;
    if (k < end) gb_note_least(&c->wrong, k);
}

static gbl_Info check_pointers(Check *c, uint64_t entries) {
    if (c->p[0] != 0) {
        return gb_fail(GBL_INVALID_VALUE, "the first pointer is %llu, but must be 0",
                       (unsigned long long)c->p[0]);
    }
    const gbl_Info info = gb_parallel_try_items(gb_nthreads(), c->nmajor, check_pointer_range, c);
    if (info != GBL_SUCCESS) return info;
    if (c->wrong != UINT64_MAX) {
        return gb_fail(GBL_INVALID_VALUE,
                       "pointers must not decrease, but %s %llu begins at %llu and ends at %llu",
                       c->major_name, (unsigned long long)c->wrong,
                       (unsigned long long)c->p[c->wrong], (unsigned long long)c->p[c->wrong + 1]);
    }
    if (c->p[c->nmajor] > entries) {
        return gb_fail(GBL_INDEX_OUT_OF_BOUNDS,
                       "the last pointer is %llu, but there are only %llu entries",
                       (unsigned long long)c->p[c->nmajor], (unsigned long long)entries);
    }
    return GBL_SUCCESS;
}

static gbl_Info fail_range(const Check *c, uint64_t at, uint64_t index) {
    return gb_fail(GBL_INDEX_OUT_OF_BOUNDS,
                   "entry %llu has %s index %llu, but %s indices must be below %llu",
                   (unsigned long long)at, c->minor_name, (unsigned long long)index, c->minor_name,
                   (unsigned long long)c->nminor);
}

typedef struct {
    Check *check;
    gb_Idx *i;
    const gbl_Index *Ai;
} Copy;

static void copy_range(void *context, uint64_t k, uint64_t end) {
    const Copy *copy = context;
    const uint64_t n = copy->check->nminor;
    for (; k < end && copy->Ai[k] < n; k++) copy->i[k] = (gb_Idx)copy->Ai[k];
    if (k < end) gb_note_least(&copy->check->wrong, k);
}

/* Copies the n indices, narrower. */
static gbl_Info copy_indices(Check *c, gb_Idx *i, const gbl_Index *Ai, uint64_t n) {
    const gbl_Info info = gb_parallel_try_items(gb_nthreads(), n, copy_range, &(Copy){c, i, Ai});
    if (info != GBL_SUCCESS) return info;
    return c->wrong == UINT64_MAX ? GBL_SUCCESS : fail_range(c, c->wrong, Ai[c->wrong]);
}

static bool all_at_most(const gb_Idx *i, uint64_t n, gb_Idx last) {
    gb_Idx wrong = 0;
    for (uint64_t k = 0; k < n; k++) wrong |= i[k] > last;
    return !wrong;
}

static void check_index_range(void *context, uint64_t k, uint64_t end) {
    Check *c = context;
    for (uint64_t n; c->i != NULL && k < end; k += n) {
        n = end - k < GB_BATCH ? end - k : GB_BATCH;
        if (c->nminor == 0 || !all_at_most(c->i + k, n, (gb_Idx)(c->nminor - 1))) break;
    }
    while (k < end && index_at(c, k) < c->nminor) k++;
    if (k < end) gb_note_least(&c->wrong, k);
}

static gbl_Info check_indices(Check *c) {
    const uint64_t n = c->p[c->nmajor];
    const gbl_Info info = gb_parallel_try_items(gb_nthreads(), n, check_index_range, c);
    if (info != GBL_SUCCESS) return info;
    return c->wrong == UINT64_MAX ? GBL_SUCCESS : fail_range(c, c->wrong, index_at(c, c->wrong));
}

static bool row_ascends(const Check *c, uint64_t row) {
    const uint64_t end = c->p[row + 1];
    uint64_t k = c->p[row] + 1;
    if (c->i != NULL)
        while (k < end && c->i[k - 1] < c->i[k]) k++;
    else
        while (k < end && c->wide[k - 1] < c->wide[k]) k++;
    return k >= end;
}

/* First entry of the row whose minor index came before in the row, or UINT64_MAX. A slot belongs to
 * this row when its entry does, so the set need not be cleared between rows. */
static uint64_t find_duplicate(const Check *c, uint64_t row, uint64_t *seen) {
    const uint64_t first = c->p[row], length = c->p[row + 1] - first;
    for (uint64_t k = first; k < first + length; k++) {
        const uint64_t index = index_at(c, k);
        uint64_t slot = (index * 0x9E3779B97F4A7C15u >> 20) & (c->slots - 1);
        for (; seen[slot] - 1 - first < length; slot = (slot + 1) & (c->slots - 1))
            if (index_at(c, seen[slot] - 1) == index) return k;
        seen[slot] = k + 1;
    }
    return UINT64_MAX;
}

/* Whether rows [first, end) ascend, to indices inside: then indices fall where a row begins and
 * nowhere else, and the last one of a row is the largest. */
static bool rows_ascend(const Check *c, uint64_t first, uint64_t end) {
    uint64_t falls = 0;
    bool outside = c->p[end] > c->p[first] && c->i[c->p[end] - 1] >= c->nminor;
    for (uint64_t k = c->p[first] + 1, stop; k < c->p[end]; k = stop) {
        uint32_t some = 0; /* of so few that it does not overflow */
        stop = c->p[end] - k < GB_GRAIN ? c->p[end] : k + GB_GRAIN;
        for (uint64_t e = k; e < stop; e++) some += c->i[e] <= c->i[e - 1];
        falls += some;
    }
    for (uint64_t row = first + 1; row < end; row++) {
        const uint64_t k = c->p[row];
        if (k == c->p[first] || k == c->p[row + 1]) continue;
        falls -= c->i[k] <= c->i[k - 1];
        outside |= c->i[k - 1] >= c->nminor;
    }
    return falls == 0 && !outside;
}

/* Rows [first, end); with sets, looks for duplicates in those that do not ascend. Returns the
 * longest of them. */
static uint64_t check_rows(Check *c, uint64_t first, uint64_t end) {
    uint64_t longest = 0;
    if (c->seen == NULL && c->i != NULL && rows_ascend(c, first, end)) return 0;
    __atomic_store_n(&c->unsure, 1, __ATOMIC_RELAXED);
    for (uint64_t row = first; row < end; row++) {
        const uint64_t length = c->p[row + 1] - c->p[row];
        if (length < 2 || row_ascends(c, row)) continue;
        if (length > longest) longest = length;
        if (c->seen == NULL) continue;
        const uint64_t at = find_duplicate(c, row, c->seen + (size_t)gb_thread_id() * c->slots);
        if (at != UINT64_MAX) gb_note_least(&c->wrong, at);
    }
    return longest;
}

static void check_part(void *context, uint64_t t) {
    Check *c = context;
    if (gb_call_stops()) return;
    const gb_CsView A = {.p = c->p, .nmajor = c->nmajor, .nvals = c->p[c->nmajor]};
    const uint64_t mine =
        check_rows(c, gb_first_row(&A, t, c->nparts), gb_first_row(&A, t + 1, c->nparts));
    uint64_t now = __atomic_load_n(&c->longest, __ATOMIC_RELAXED);
    while (mine > now && !__atomic_compare_exchange_n(&c->longest, &now, mine, true,
                                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static uint64_t check_all_rows(Check *c, int nthreads) {
    c->nparts = nthreads == 1 ? 1 : 16 * (uint64_t)nthreads;
    c->longest = 0;
    gb_parallel_for(nthreads, c->nparts, check_part, c);
    return c->longest;
}

/* Finds indices outside, duplicates, and whether the rows are sorted. */
static gbl_Info check_entries(Check *c) {
    const int nthreads = gb_threads_for(c->p[c->nmajor], GB_GRAIN, gb_nthreads());
    const uint64_t longest = check_all_rows(c, nthreads);
    const gbl_Info inside = c->unsure ? check_indices(c) : GBL_SUCCESS;
    if (inside != GBL_SUCCESS) return inside;
    c->sorted = longest == 0;
    if (c->sorted) return gb_call_end();
    for (c->slots = 4; c->slots < 2 * longest; c->slots *= 2) {
    }
    const size_t bytes = gb_size_of(c->slots * (uint64_t)nthreads, sizeof *c->seen);
    c->seen = gb_calloc(bytes);
    if (c->seen == NULL) return gb_fail_memory(bytes);
    check_all_rows(c, nthreads);
    gb_free(c->seen, bytes);
    c->seen = NULL;
    if (c->wrong == UINT64_MAX) return gb_call_end();
    return gb_fail(GBL_INVALID_VALUE,
                   "entry %llu repeats %s index %llu of the same %s; each may come once",
                   (unsigned long long)c->wrong, c->minor_name,
                   (unsigned long long)index_at(c, c->wrong), c->major_name);
}

static Check begin_check(const gb_Off *p, uint64_t nrows, uint64_t ncols, gb_Format format) {
    return (Check){.p = p,
                   .nmajor = format == GB_CSR ? nrows : ncols,
                   .nminor = format == GB_CSR ? ncols : nrows,
                   .major_name = format == GB_CSR ? "row" : "column",
                   .minor_name = format == GB_CSR ? "column" : "row",
                   .wrong = UINT64_MAX};
}

/* Indices beyond 32 bits are those of tuples. */
static gbl_Info import_wide(gb_Matrix *A, const gb_Import *in, Check *c, gb_Format format) {
    const uint64_t n = in->Ap[c->nmajor];
    const gb_Values values = {.type = A->type, .x = in->Ax, .sx = 1};
    c->wide = in->Ai;
    gbl_Info info = check_entries(c);
    if (info != GBL_SUCCESS) return info;
    const size_t bytes = gb_size_of(n, sizeof(gbl_Index));
    gbl_Index *majors = gb_malloc(bytes);
    if (majors == NULL) return gb_fail_memory(bytes);
    info = gb_list_majors(&(gb_CsView){.p = in->Ap, .nmajor = c->nmajor, .nvals = n}, majors);
    const bool by_rows = format == GB_CSR;
    if (info == GBL_SUCCESS)
        info = gb_matrix_build(A, by_rows ? majors : in->Ai, by_rows ? in->Ai : majors, &values, n,
                               NULL);
    gb_free(majors, bytes);
    return info;
}

static gbl_Info import_compressed(gb_Matrix *A, const gb_Import *in, gb_Format format) {
    Check c = begin_check(in->Ap, in->nrows, in->ncols, format);
    if (in->plen < c.nmajor + 1) {
        return gb_fail(GBL_INVALID_VALUE,
                       "Ap_len is %llu, but a matrix of %llu %ss has %llu pointers",
                       (unsigned long long)in->plen, (unsigned long long)c.nmajor, c.major_name,
                       (unsigned long long)(c.nmajor + 1));
    }
    gbl_Info info = check_pointers(&c, in->ilen < in->xlen ? in->ilen : in->xlen);
    if (info != GBL_SUCCESS || in->Ap[c.nmajor] == 0) return info;
    if (gb_is_huge(A)) return import_wide(A, in, &c, format);
    const uint64_t n = in->Ap[c.nmajor];
    const size_t size = A->type->size;
    const size_t xbytes = gb_size_of(n, size);
    gb_Cs cs;
    info = gb_cs_alloc(&cs, c.nmajor, n, xbytes);
    if (info != GBL_SUCCESS) return info;
    memcpy(cs.p, in->Ap, (c.nmajor + 1) * sizeof(gb_Off));
    memcpy(cs.x, in->Ax, xbytes);
    c.i = cs.i;
    info = copy_indices(&c, cs.i, in->Ai, n);
    if (info == GBL_SUCCESS) info = check_entries(&c);
    if (info != GBL_SUCCESS) {
        gb_cs_free(&cs);
        return info;
    }
    cs.sorted = c.sorted;
    gb_matrix_set_cs(A, format, &cs);
    return GBL_SUCCESS;
}

static gbl_Info import_tuples(gb_Matrix *A, const gb_Import *in) {
    if (in->plen != in->ilen || in->xlen < in->ilen) {
        return gb_fail(GBL_INVALID_VALUE,
                       "Ap_len, Ai_len and Ax_len are %llu, %llu and %llu, but tuples need as many "
                       "rows as columns, and values for all",
                       (unsigned long long)in->plen, (unsigned long long)in->ilen,
                       (unsigned long long)in->xlen);
    }
    const gb_Values values = {.type = A->type, .x = in->Ax, .sx = 1};
    return gb_matrix_build(A, in->Ap, in->Ai, &values, in->ilen, NULL);
}

gbl_Info gb_matrix_import(gb_Matrix **A, gb_Type *type, const gb_Import *in) {
    gb_Matrix *made;
    gbl_Info info = gb_matrix_new(&made, GB_MAGIC_MATRIX, type, in->nrows, in->ncols);
    if (info != GBL_SUCCESS) return info;
    info = in->format == GBL_COO_FORMAT
               ? import_tuples(made, in)
               : import_compressed(made, in, in->format == GBL_CSR_FORMAT ? GB_CSR : GB_CSC);
    return gb_matrix_give(A, made, info);
}

/* All that can be checked of arrays whose lengths are not given. */
static gbl_Info check_moved(Check *c, const gbl_Arrays *arrays, size_t size, size_t *xbytes) {
    const gbl_Info info = check_pointers(c, UINT64_MAX);
    if (info != GBL_SUCCESS) return info;
    const uint64_t n = c->p[c->nmajor];
    if (n > (unsigned __int128)c->nmajor * c->nminor) {
        return gb_fail(GBL_INVALID_VALUE,
                       "the last pointer is %llu: more than a matrix of %llu %ss has positions",
                       (unsigned long long)n, (unsigned long long)c->nmajor, c->major_name);
    }
    if (n > 0 && (arrays->i == NULL || arrays->x == NULL)) {
        return gb_fail(GBL_NULL_POINTER, "arrays.%s is NULL, but there are %llu entries",
                       arrays->i == NULL ? "i" : "x", (unsigned long long)n);
    }
    if (!gb_size_mul(xbytes, arrays->iso && n > 0 ? 1 : n, size)) {
        return gb_fail(GBL_INVALID_VALUE, "%llu values of %zu bytes do not fit in memory",
                       (unsigned long long)n, size);
    }
    return check_entries(c);
}

static gbl_Info copy_lender(gb_Lender **copy, const gbl_Lender *lender) {
    *copy = gb_malloc(sizeof **copy);
    if (*copy == NULL) return gb_fail_memory(sizeof **copy);
    **copy = (gb_Lender){.release = lender->release, .context = lender->context};
    return GBL_SUCCESS;
}

gbl_Info gb_matrix_move_in(gb_Matrix **A, gb_Type *type, const gb_MoveIn *in) {
    const gbl_Arrays *arrays = in->arrays;
    gb_Matrix *made;
    gbl_Info info = gb_matrix_new(&made, GB_MAGIC_MATRIX, type, in->nrows, in->ncols);
    if (info != GBL_SUCCESS) return info;
    Check c = begin_check(arrays->p, in->nrows, in->ncols, in->format);
    c.i = arrays->i;
    size_t xbytes = 0;
    gb_Lender *lender = NULL;
    if (gb_is_huge(made))
        info = gb_fail_pointers(made);
    else if (in->trusted)
        xbytes = (arrays->iso ? 1 : c.p[c.nmajor]) * type->size;
    else
        info = check_moved(&c, arrays, type->size, &xbytes);
    if (info == GBL_SUCCESS && in->lender != NULL) info = copy_lender(&lender, in->lender);
    if (info != GBL_SUCCESS) return gb_matrix_give(A, made, info);
    gb_Cs cs = {.p = arrays->p,
                .i = arrays->i,
                .x = arrays->x,
                .nmajor = c.nmajor,
                .nvals = c.p[c.nmajor],
                .icap = c.p[c.nmajor],
                .xcap = xbytes,
                .iso = arrays->iso,
                .sorted = in->trusted || c.sorted,
                .foreign = lender == NULL,
                .lender = lender};
    if (lender == NULL) {
        gb_adopt((cs.nmajor + 1) * sizeof(gb_Off));
        if (cs.i != NULL) gb_adopt(cs.icap * sizeof(gb_Idx));
        if (cs.x != NULL) gb_adopt(cs.xcap);
    }
    gb_matrix_set_cs(made, in->format, &cs);
    return gb_matrix_give(A, made, GBL_SUCCESS);
}

gbl_Info gb_matrix_lend_dense(gb_Matrix *A, const gbl_Dense *dense, const gbl_Lender *lender) {
    const uint64_t n = gb_positions(A);
    gb_Dense made = {.b = dense->b, .x = dense->x, .n = n, .nvals = n, .iso = dense->iso};
    int8_t bits = 0;
    if (!gb_may_be_dense(A) && !(made.iso && made.b == NULL)) return gb_fail_pointers(A);
    if (n > 0 && dense->x == NULL) return gb_fail(GBL_NULL_POINTER, "dense.x is NULL");
    for (uint64_t k = 0; made.b != NULL && k < n; k++) {
        made.nvals -= made.b[k] == 0;
        bits |= made.b[k];
    }
    if ((bits & ~1) != 0) return gb_fail(GBL_INVALID_VALUE, "a byte of dense.b is neither 0 nor 1");
    if (made.nvals == n) made.b = NULL;
    made.xcap = gb_size_of(made.iso ? 1 : n, A->type->size);
    const gbl_Info info = copy_lender(&made.lender, lender);
    if (info == GBL_SUCCESS) gb_matrix_set_dense(A, &made);
    return info;
}

gbl_Info gb_matrix_take(gb_Matrix **A, gb_Type *type, uint64_t nrows, uint64_t ncols,
                        gb_Format format, gb_Cs *cs) {
    gb_Matrix *made;
    gbl_Info info = gb_matrix_new(&made, GB_MAGIC_MATRIX, type, nrows, ncols);
    if (info != GBL_SUCCESS) return info;
    Check c = begin_check(cs->p, nrows, ncols, format);
    c.i = cs->i;
    info = gb_is_huge(made) ? gb_fail_pointers(made) : check_pointers(&c, cs->nvals);
    if (info == GBL_SUCCESS && cs->p[c.nmajor] != cs->nvals)
        info = gb_fail(GBL_INVALID_VALUE, "the last pointer is %llu, but must be %llu",
                       (unsigned long long)cs->p[c.nmajor], (unsigned long long)cs->nvals);
    if (info == GBL_SUCCESS) info = check_entries(&c);
    cs->sorted = c.sorted;
    if (info == GBL_SUCCESS) gb_matrix_set_cs(made, format, cs);
    return gb_matrix_give(A, made, info);
}
