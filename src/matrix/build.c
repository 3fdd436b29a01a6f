/* SPDX-License-Identifier: Apache-2.0
 *
 * A tuple becomes a record: the key is major << bits(nminor) | minor; the load is the value itself
 * when it has at most 8 bytes, else the number of the tuple. Records are sorted, unless the tuples
 * come in order, and then written out: equal keys stand next to each other, in the order given, and
 * are folded from the left by dup.
 */
#include "matrix/radix.h"
#include "matrix/tuples.h"

#include "core/arrays.h"
#include "core/context.h"
#include "matrix/hyper.h"
#include "semiring/cast.h"
#include "semiring/fold.h"

/* Fewer entries than `below` come with both indices instead of pointers. */
typedef struct {
    uint64_t below;
    gbl_Index *major, *minor; /* [entries], one block; NULL: there are pointers */
    size_t bytes;
} Listed;

typedef struct {
    const gb_Tuples *tuples;
    Listed *listed;
    size_t size; /* bytes of a value; 0: values are not moved (iso) */
    int minor_bits;
    gb_RecordInput in; /* the tuples, or the sorted records, as records */
    const gb_BinaryOp *dup;
    gb_Cs *cs;
    uint64_t *start; /* [nparts + 1] records of part t; then entries of part t */
    uint64_t *count; /* [nparts + 1] */
    char *fold;      /* [nparts * size] */
    int threads, nparts;
} Build;

static void read_tuples(const void *input, uint64_t first, size_t count, uint64_t *keys,
                        uint64_t *loads) {
    const Build *b = input;
    const gb_Tuples *t = b->tuples;
    if (t->short_major != NULL) {
        const gb_Idx *major = t->short_major + first, *minor = t->short_minor + first;
        for (size_t k = 0; k < count; k++) keys[k] = (uint64_t)major[k] << b->minor_bits | minor[k];
    } else if (t->short_minor != NULL) {
        for (size_t k = 0; k < count; k++) keys[k] = t->short_minor[first + k];
    } else if (t->major != NULL) {
        const gbl_Index *major = t->major + first, *minor = t->minor + first;
        for (size_t k = 0; k < count; k++) keys[k] = major[k] << b->minor_bits | minor[k];
    } else {
        memcpy(keys, t->minor + first, count * sizeof *keys);
    }
    if (loads == NULL) return;
    if (b->size == 0 || b->size > sizeof *loads) {
        for (size_t k = 0; k < count; k++) loads[k] = first + k;
        return;
    }
    const char *x = (const char *)t->x + first * b->size;
    for (size_t k = 0; k < count; k++) gb_copy_value(&loads[k], x + k * b->size, b->size);
}

static inline const void *value_of(const Build *b, const uint64_t *load) {
    return b->size <= sizeof *load ? (const void *)load
                                   : (const char *)b->tuples->x + *load * b->size;
}

/* First record at or after `at` that begins a new position. */
static uint64_t next_border(const Build *b, uint64_t at) {
    uint64_t before, keys[GB_RECORD_BLOCK];
    if (at == 0) return 0;
    b->in.read(b->in.input, at - 1, 1, &before, NULL);
    while (at < b->in.n) {
        const uint64_t left = b->in.n - at;
        const size_t count = left < GB_RECORD_BLOCK ? left : GB_RECORD_BLOCK;
        b->in.read(b->in.input, at, count, keys, NULL);
        for (size_t k = 0; k < count; k++)
            if (keys[k] != before) return at + k;
        at += count;
    }
    return at;
}

static void count_part(void *context, uint64_t t) {
    const Build *b = context;
    uint64_t keys[GB_RECORD_BLOCK];
    uint64_t last = UINT64_MAX, distinct = 0;
    for (uint64_t first = b->start[t]; first < b->start[t + 1];) {
        const uint64_t left = b->start[t + 1] - first;
        const size_t count = left < GB_RECORD_BLOCK ? left : GB_RECORD_BLOCK;
        b->in.read(b->in.input, first, count, keys, NULL);
        distinct += keys[0] != last || first == b->start[t];
        for (size_t k = 1; k < count; k++) distinct += keys[k] != keys[k - 1];
        last = keys[count - 1];
        first += count;
    }
    b->count[t] = distinct;
}

/* Counts the positions of each part, and the duplicates. */
static gbl_Info count_positions(Build *b, uint64_t *duplicates) {
    const gbl_Info info = gb_parallel_try(b->threads, (uint64_t)b->nparts, count_part, b);
    if (info != GBL_SUCCESS) return info;
    uint64_t sum = 0;
    for (int t = 0; t <= b->nparts; t++) {
        const uint64_t distinct = t < b->nparts ? b->count[t] : 0;
        b->count[t] = sum;
        sum += distinct;
    }
    *duplicates = b->in.n - sum;
    return GBL_SUCCESS;
}

/* Writes the entries of part t, and the pointers of the rows that begin in it. */
static void emit_part(void *context, uint64_t t) {
    const Build *b = context;
    uint64_t keys[GB_RECORD_BLOCK], loads[GB_RECORD_BLOCK];
    const uint64_t minor_mask = ((uint64_t)1 << b->minor_bits) - 1;
    char *scratch = b->fold ? b->fold + t * b->size : NULL;
    char *x = b->cs->x;
    uint64_t q = b->count[t], row = 0, last = 0; /* pointers below `row` are written */
    if (b->start[t] == b->start[t + 1]) return;
    if (b->start[t] > 0) {
        b->in.read(b->in.input, b->start[t] - 1, 1, &last, NULL);
        row = (last >> b->minor_bits) + 1;
    }
    bool fresh = true; /* the part begins with a new position, even when the key is 0 */
    for (uint64_t first = b->start[t]; first < b->start[t + 1];) {
        const uint64_t left = b->start[t + 1] - first;
        const size_t count = left < GB_RECORD_BLOCK ? left : GB_RECORD_BLOCK;
        b->in.read(b->in.input, first, count, keys, b->size > 0 ? loads : NULL);
        for (size_t k = 0; k < count; k++) {
            if (keys[k] == last && !fresh) {
                void *const z = x + (q - 1) * b->size;
                if (b->size > 0) gb_fold_one(b->dup, z, value_of(b, &loads[k]), scratch);
                continue;
            }
            fresh = false;
            last = keys[k];
            const uint64_t major = last >> b->minor_bits;
            if (b->listed->major != NULL) {
                b->listed->major[q] = major;
                b->listed->minor[q] = last & minor_mask;
                row = major + 1;
            }
            for (; row <= major; row++) b->cs->p[row] = q;
            b->cs->i[q] = (gb_Idx)(last & minor_mask);
            if (b->size > 0) gb_copy_value(x + q * b->size, value_of(b, &loads[k]), b->size);
            q++;
        }
        first += count;
    }
}

static gbl_Info fail_duplicate(const Build *b) {
    uint64_t last, key = 0;
    b->in.read(b->in.input, 0, 1, &last, NULL);
    for (uint64_t k = 1; k < b->in.n; k++, last = key) {
        b->in.read(b->in.input, k, 1, &key, NULL);
        if (key == last) break;
    }
    const gb_Tuples *tuples = b->tuples;
    uint64_t minor = key & (((uint64_t)1 << b->minor_bits) - 1), major = key >> b->minor_bits;
    if (tuples->minor_names != NULL) minor = tuples->minor_names[minor];
    if (tuples->major_names != NULL) major = tuples->major_names[major];
    if (tuples->major == NULL) {
        return gb_fail(GBL_INVALID_VALUE,
                       "two tuples have index %llu; each may come once unless build has an "
                       "operator dup to combine them",
                       (unsigned long long)minor);
    }
    return gb_fail(GBL_INVALID_VALUE,
                   "two tuples have row %llu and column %llu; each pair may come once unless build "
                   "has an operator dup to combine them",
                   (unsigned long long)major, (unsigned long long)minor);
}

static gbl_Info list_indices(Listed *listed, uint64_t n) {
    listed->bytes = gb_size_of(n, 2 * sizeof *listed->major);
    listed->major = gb_malloc(listed->bytes);
    if (listed->major == NULL) return gb_fail_memory(listed->bytes);
    listed->minor = listed->major + n;
    return GBL_SUCCESS;
}

/* The records in b->in are sorted: count, allocate, write. */
static gbl_Info write_out(Build *b, const gb_Type *type) {
    const uint64_t n = b->in.n;
    for (int t = 0; t <= b->nparts; t++) {
        const uint64_t at = gb_part(n, (uint64_t)t, (uint64_t)b->nparts);
        b->start[t] = t > 0 && b->start[t - 1] >= at ? b->start[t - 1] : next_border(b, at);
    }
    uint64_t duplicates;
    gbl_Info info = count_positions(b, &duplicates);
    if (info != GBL_SUCCESS) return info;
    if (duplicates > 0 && b->dup == NULL) return fail_duplicate(b);
    const uint64_t nvals = n - duplicates;
    const size_t xbytes = gb_size_of(b->size == 0 ? 1 : nvals, type->size);
    const bool lists = nvals < b->listed->below;
    if (lists) info = list_indices(b->listed, nvals);
    const uint64_t pointers = lists ? 0 : b->tuples->nmajor;
    if (info == GBL_SUCCESS) info = gb_cs_alloc(b->cs, pointers, nvals, xbytes);
    if (info != GBL_SUCCESS) return info;
    info = gb_parallel_try(b->threads, (uint64_t)b->nparts, emit_part, b);
    if (info != GBL_SUCCESS) {
        gb_cs_free(b->cs);
        return info;
    }
    uint64_t key = 0;
    b->in.read(b->in.input, n - 1, 1, &key, NULL);
    for (uint64_t row = (key >> b->minor_bits) + 1; row <= pointers; row++) b->cs->p[row] = nvals;
    if (b->size == 0) memcpy(b->cs->x, b->tuples->x, type->size);
    b->cs->iso = b->size == 0;
    b->cs->sorted = true;
    return GBL_SUCCESS;
}

static gbl_Info tuples_to_cs(gb_Cs *cs, const gb_Tuples *tuples, const gb_Type *type,
                             const gb_BinaryOp *dup, Listed *listed) {
    *cs = (gb_Cs){0};
    if (tuples->n == 0) return gb_cs_empty(cs, tuples->nmajor);
    Build b = {.tuples = tuples,
               .listed = listed,
               .size = tuples->sx == 0 ? 0 : type->size,
               .minor_bits = gb_bits_below(tuples->nminor),
               .dup = dup,
               .cs = cs,
               .threads = gb_threads_for(tuples->n, GB_GRAIN, gb_nthreads())};
    b.nparts = gb_parts_for(b.threads);
    b.in = (gb_RecordInput){.read = read_tuples,
                            .input = &b,
                            .n = tuples->n,
                            .bits = b.minor_bits + gb_bits_below(tuples->nmajor)};
    gbl_Info info = GBL_SUCCESS;
    gb_Record *records = NULL;
    size_t record_bytes = 0;
    const size_t fold_bytes = gb_size_of((uint64_t)b.nparts, b.size);
    const size_t border_bytes = 2 * ((size_t)b.nparts + 1) * sizeof(uint64_t);
    b.start = gb_malloc(border_bytes);
    b.fold = gb_malloc(fold_bytes);
    if (b.start == NULL || (b.fold == NULL && fold_bytes > 0)) {
        info = gb_fail_memory(border_bytes + fold_bytes);
        goto done;
    }
    b.count = b.start + b.nparts + 1;
    if (!gb_records_ascend(&b.in, b.threads)) {
        record_bytes = gb_size_of(tuples->n, sizeof *records);
        records = gb_malloc(record_bytes);
        if (records == NULL) {
            info = gb_fail_memory(record_bytes);
            goto done;
        }
        info = gb_records_sort(records, &b.in, gb_nthreads());
        if (info != GBL_SUCCESS) goto done;
        b.in.read = gb_record_read;
        b.in.input = records;
    }
    info = write_out(&b, type);

done:
    gb_free(records, record_bytes);
    gb_free(b.fold, fold_bytes);
    gb_free(b.start, border_bytes);
    return info;
}

gbl_Info gb_tuples_to_cs(gb_Cs *cs, const gb_Tuples *tuples, const gb_Type *type,
                         const gb_BinaryOp *dup) {
    return tuples_to_cs(cs, tuples, type, dup, &(Listed){0});
}

/* -- build: ranges, casts, row lists */

typedef struct {
    const gbl_Index *I;
    uint64_t limit;
    uint64_t found; /* atomic: the first index that is not below the limit */
} Outside;

static void look_outside(void *context, uint64_t k, uint64_t end) {
    Outside *o = context;
    while (k < end && o->I[k] < o->limit) k++;
    if (k < end) gb_note_least(&o->found, k);
}

static gbl_Info check_range(const gbl_Index *I, uint64_t n, uint64_t limit, const char *what) {
    Outside o = {.I = I, .limit = limit, .found = n};
    const gbl_Info info = gb_parallel_try_items(gb_nthreads(), n, look_outside, &o);
    const uint64_t k = o.found;
    if (info != GBL_SUCCESS || k == n) return info;
    return gb_fail(
        GBL_INDEX_OUT_OF_BOUNDS, "tuple %llu has %s index %llu, but %s indices must be below %llu",
        (unsigned long long)k, what, (unsigned long long)I[k], what, (unsigned long long)limit);
}

/* The tuples, whose values have type `from`, as arrays whose values have the type of A. */
static gbl_Info tuples_to_typed(gb_Cs *cs, gb_Tuples *tuples, const gb_Type *from, gb_Matrix *A,
                                const gb_BinaryOp *dup, Listed *listed) {
    const gb_Type *work = dup != NULL && tuples->sx != 0 ? dup->ztype : A->type;
    void *x = NULL;
    size_t xbytes = 0;
    gbl_Info info = GBL_SUCCESS;
    if (from != work) {
        const gb_Array given = {.type = from, .x = tuples->x, .n = tuples->sx == 0 ? 1 : tuples->n};
        info = gb_cast_copy(&x, &xbytes, work, &given, gb_nthreads());
        tuples->x = x;
    }
    if (info == GBL_SUCCESS) info = tuples_to_cs(cs, tuples, work, dup, listed);
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

/* -- hypersparse: indices become positions in row lists, which a square matrix has one of */

/* The row lists of the tuples, and the positions of rows and columns in them; J is NULL for
 * vectors. */
static gbl_Info find_positions(gb_RowLists *row_lists, const gb_Tuples *t, gb_Idx *I, gb_Idx *J) {
    const bool vector = t->major == NULL, square = !vector && t->nmajor == t->nminor;
    const gbl_Index *rows = vector ? t->minor : t->major;
    const gb_RowListMerge first = {.list = {rows, t->minor},
                                   .n = {t->n, square ? t->n : 0},
                                   .positions = {I, J},
                                   .dimension = vector ? t->nminor : t->nmajor};
    const gb_RowListMerge second = {
        .list = {t->minor}, .n = {t->n}, .positions = {J}, .dimension = t->nminor};
    *row_lists = (gb_RowLists){0};
    gbl_Info info = gb_row_list_of_lists(&row_lists->rows, &first);
    if (info == GBL_SUCCESS && square)
        row_lists->cols = gb_row_list_retain(row_lists->rows);
    else if (info == GBL_SUCCESS && !vector)
        info = gb_row_list_of_lists(&row_lists->cols, &second);
    if (info != GBL_SUCCESS) gb_row_lists_release(row_lists);
    return info;
}

static gbl_Info build_hyper(gb_Matrix *A, const gb_Tuples *given, const gb_Type *from,
                            const gb_BinaryOp *dup) {
    const bool vector = given->major == NULL;
    gb_Tuples tuples = *given;
    gb_RowLists row_lists;
    gb_Cs cs;
    gb_Matrix *core = NULL;
    const size_t bytes = gb_size_of(given->n, (vector ? 1 : 2) * sizeof(gb_Idx));
    gb_Idx *const positions = gb_malloc(bytes);
    if (positions == NULL) return gb_fail_memory(bytes);
    gb_Idx *const I = positions, *const J = vector ? NULL : positions + given->n;
    gbl_Info info = find_positions(&row_lists, given, I, J);
    if (info != GBL_SUCCESS) goto done;
    tuples.short_major = vector ? NULL : I;
    tuples.short_minor = vector ? I : J;
    tuples.major_names = vector ? NULL : row_lists.rows->index;
    tuples.minor_names = vector ? row_lists.rows->index : row_lists.cols->index;
    tuples.nmajor = vector ? 1 : row_lists.rows->n;
    tuples.nminor = vector ? row_lists.rows->n : row_lists.cols->n;
    info = gb_compact_new(&core, A, A->type, &row_lists);
    if (info == GBL_SUCCESS) info = tuples_to_typed(&cs, &tuples, from, core, dup, &(Listed){0});
    if (info == GBL_SUCCESS) gb_matrix_set_cs(core, vector ? GB_CSC : GB_CSR, &cs);
    info = gb_hyper_set_if(info, A, &row_lists, core);
done:
    gb_free(positions, bytes);
    return info;
}

/* -- build: a vector from all of its elements */

/* Whether the tuples list each element of the vector once, in order, with values that need no cast
 * on the way to its type. */
static bool lists_all(const gb_Matrix *v, const gbl_Index *I, const gb_Values *values, uint64_t n,
                      const gb_BinaryOp *dup) {
    if (n != v->nrows || values->sx == 0 || !gb_may_be_dense(v)) return false;
    if (dup != NULL && dup->ztype != values->type) return false;
    uint64_t wrong = 0, k = 0;
    while (k < n && wrong == 0) {
        const uint64_t end = n - k < GB_BATCH ? n : k + GB_BATCH;
        for (; k < end; k++) wrong |= I[k] ^ k;
    }
    return wrong == 0;
}

static gbl_Info build_full(gb_Matrix *v, const gb_Values *values, uint64_t n) {
    gb_Dense full;
    const gbl_Info info = gb_dense_alloc(&full, n, gb_size_of(n, v->type->size), false);
    if (info != GBL_SUCCESS) return info;
    gb_cast(v->type, full.x, values->type, values->x, 1, n);
    full.nvals = n;
    gb_matrix_set_dense(v, &full);
    return GBL_SUCCESS;
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
    if (J == NULL && n > 0 && lists_all(A, I, values, n, dup)) return build_full(A, values, n);
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
    gb_Cs cs = {0};
    const uint64_t longer = A->nrows > A->ncols ? A->nrows : A->ncols;
    Listed few = {.below = J != NULL && longer > GB_HYPER_LEAST ? longer / GB_HYPER_FEW : 0};
    info = tuples_to_typed(&cs, &tuples, values->type, A, merger, &few);
    if (info == GBL_SUCCESS && few.major != NULL) { /* most tuples were duplicates */
        tuples.major = few.major;
        tuples.minor = few.minor;
        tuples.x = cs.x;
        tuples.n = cs.nvals;
        info = build_hyper(A, &tuples, A->type, NULL);
        gb_cs_free(&cs);
    } else if (info == GBL_SUCCESS) {
        gb_matrix_set_cs(A, J == NULL ? GB_CSC : GB_CSR, &cs);
    }
    gb_free(few.major, few.bytes);
    if (info != GBL_SUCCESS) return info;
    if (gb_is_vector(A)) gb_choose_format(A);
    return GBL_SUCCESS;
}
