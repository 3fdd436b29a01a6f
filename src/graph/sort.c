/* SPDX-License-Identifier: Apache-2.0
 *
 * sort. Values become keys, unsigned numbers of the same order that begin at 0: the bits of floats
 * ascend with them once those of negative ones are inverted, -0 is 0, and NaN comes last in either
 * direction. Keys within n values, such as degrees, are counted: one pass counts, one scatters, in
 * parts of the input that have slots of their own. Others are sorted by radix (matrix/radix.h).
 */
#include "graph/graph.h"
#include "ops/finish.h"

#include <string.h>

#include "core/context.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "matrix/radix.h"
#include "ops/entry_list.h"

#define SIGN ((uint64_t)1 << 63)

/* The n entries of u, and how their values become keys. */
typedef struct {
    const gb_Type *type, *as; /* of the values, and of the comparison */
    const char *x;
    const gb_Idx *i; /* positions, or NULL: entry k is at k */
    uint64_t n;
    bool iso, descending;
    uint64_t least, most; /* keys before `least` was taken away */
} Entries;

static bool is_signed(gbl_Type_Code code) {
    return code == GBL_INT8_CODE || code == GBL_INT16_CODE || code == GBL_INT32_CODE ||
           code == GBL_INT64_CODE;
}

static uint64_t key_of_float(uint64_t bits) {
    if (bits == SIGN) bits = 0;
    return bits & SIGN ? ~bits : bits | SIGN;
}

/* keys[k] of entry first + k, count <= GB_BATCH */
static void read_keys(const Entries *e, uint64_t first, size_t count, uint64_t *keys) {
    uint64_t space[GB_BATCH]; /* built-in values take up to 8 bytes */
    const char *x = e->x + first * e->type->size;
    const gbl_Type_Code code = e->as->code;
    if (e->type != e->as) {
        gb_cast(e->as, space, e->type, x, 1, count);
        x = (const char *)space;
    }
    const uint64_t turn = e->descending ? UINT64_MAX : 0;
    if (code == GBL_FP32_CODE || code == GBL_FP64_CODE) {
        double value[GB_BATCH];
        gb_cast(gb_type_of(GBL_FP64_CODE), value, e->as, x, 1, count);
        memcpy(keys, value, count * sizeof *keys);
        for (size_t k = 0; k < count; k++)
            keys[k] = value[k] != value[k] ? UINT64_MAX : key_of_float(keys[k]) ^ turn;
    } else {
        const bool sign = is_signed(code);
        gb_cast(gb_type_of(sign ? GBL_INT64_CODE : GBL_UINT64_CODE), keys, e->as, x, 1, count);
        for (size_t k = 0; k < count; k++) keys[k] = (sign ? keys[k] ^ SIGN : keys[k]) ^ turn;
    }
    for (size_t k = 0; k < count; k++) keys[k] -= e->least;
}

static void read_records(const void *input, uint64_t first, size_t count, uint64_t *keys,
                         uint64_t *loads) {
    for (size_t from = 0; from < count; from += GB_BATCH)
        read_keys(input, first + from, count - from < GB_BATCH ? count - from : GB_BATCH,
                  keys + from);
    if (loads == NULL) return;
    for (size_t k = 0; k < count; k++) loads[k] = first + k;
}

static void find_range(Entries *e) {
    uint64_t least = UINT64_MAX, most = 0, keys[GB_BATCH];
    e->least = 0;
    for (uint64_t first = 0; first < e->n; first += GB_BATCH) {
        const size_t count = e->n - first < GB_BATCH ? e->n - first : GB_BATCH;
        read_keys(e, first, count, keys);
        for (size_t k = 0; k < count; k++) {
            least = keys[k] < least ? keys[k] : least;
            most = keys[k] > most ? keys[k] : most;
        }
    }
    e->least = least;
    e->most = most;
}

/* -- few different keys */

/* Each key of entries [from, to): *at counted, or the entry put at its next position. */
static void count_keys(const Entries *e, uint64_t from, uint64_t to, uint64_t *at) {
    uint64_t keys[GB_BATCH];
    for (uint64_t first = from; first < to; first += GB_BATCH) {
        const size_t count = to - first < GB_BATCH ? to - first : GB_BATCH;
        read_keys(e, first, count, keys);
        for (size_t k = 0; k < count; k++) at[keys[k]]++;
    }
}

static void put_keys(const Entries *e, uint64_t from, uint64_t to, uint64_t *at, gb_Idx *order) {
    uint64_t keys[GB_BATCH];
    for (uint64_t first = from; first < to; first += GB_BATCH) {
        const size_t count = to - first < GB_BATCH ? to - first : GB_BATCH;
        if ((first - from) % GB_CALL_ENTRIES == 0 && gb_call_stops()) return;
        read_keys(e, first, count, keys);
        for (size_t k = 0; k < count; k++) order[at[keys[k]]++] = (gb_Idx)(first + k);
    }
}

typedef struct {
    const Entries *e;
    uint64_t keys, *at; /* [parts * keys] */
    gb_Idx *order;
    int parts;
} CountSort;

static void count_part(void *context, int t) {
    const CountSort *s = context;
    const uint64_t n = s->e->n, parts = (uint64_t)s->parts;
    count_keys(s->e, gb_part(n, (uint64_t)t, parts), gb_part(n, (uint64_t)t + 1, parts),
               s->at + (uint64_t)t * s->keys);
}

static void put_part(void *context, int t) {
    const CountSort *s = context;
    const uint64_t n = s->e->n, parts = (uint64_t)s->parts;
    put_keys(s->e, gb_part(n, (uint64_t)t, parts), gb_part(n, (uint64_t)t + 1, parts),
             s->at + (uint64_t)t * s->keys, s->order);
}

static gbl_Info sort_by_count(const Entries *e, gb_Idx *order) {
    const uint64_t n = e->n, keys = e->most - e->least + 1; /* at most n */
    const int parts = gb_parts_counting(gb_threads_for(n, GB_GRAIN, gb_nthreads()), n, keys);
    const size_t bytes = keys * (size_t)parts * sizeof(uint64_t);
    uint64_t *at = gb_calloc(bytes);
    if (at == NULL) return gb_fail_memory(bytes);
    CountSort sort = {.e = e, .keys = keys, .at = at, .order = order, .parts = parts};
    gb_parallel(parts, count_part, &sort);
    uint64_t sum = 0;
    for (uint64_t key = 0; key < keys; key++) {
        for (int t = 0; t < parts; t++) {
            uint64_t *slot = &at[(uint64_t)t * keys + key];
            const uint64_t count = *slot;
            *slot = sum;
            sum += count;
        }
    }
    gb_parallel(parts, put_part, &sort);
    gb_free(at, bytes);
    return gb_call_end();
}

/* -- many */

static gbl_Info sort_by_radix(const Entries *e, gb_Idx *order) {
    const uint64_t range = e->most - e->least;
    const gb_RecordInput in = {.read = read_records,
                               .input = e,
                               .n = e->n,
                               .bits = range == UINT64_MAX ? 64 : gb_bits_below(range + 1)};
    gb_Record *r = gb_malloc(e->n * sizeof *r);
    if (r == NULL) return gb_fail_memory(e->n * sizeof *r);
    const gbl_Info info = gb_records_sort(r, &in, gb_nthreads());
    if (info == GBL_SUCCESS)
        for (uint64_t k = 0; k < e->n; k++) order[k] = (gb_Idx)r[k].load;
    gb_free(r, e->n * sizeof *r);
    return info;
}

static gbl_Info find_order(Entries *e, gb_Idx *order) {
    if (!e->iso) find_range(e);
    if (e->iso || e->most == e->least) {
        for (uint64_t k = 0; k < e->n; k++) order[k] = (gb_Idx)k;
        return GBL_SUCCESS;
    }
    return e->most - e->least < e->n ? sort_by_count(e, order) : sort_by_radix(e, order);
}

/* -- results */

/* Capacity for the e->n first of n elements, as values of `type`; *x is their destination. */
static gbl_Info open_result(gb_Result *T, const Entries *e, uint64_t n, const gb_Type *type,
                            char **x) {
    size_t bytes;
    *T = (gb_Result){.type = type, .format = GB_CSC, .is_dense = e->n == n};
    if (!gb_size_mul(&bytes, e->n, type->size)) return gb_fail_memory(SIZE_MAX);
    gbl_Info info;
    if (T->is_dense) {
        info = gb_dense_alloc(&T->dense, n, bytes, false);
        T->dense.nvals = n;
        *x = T->dense.x;
        return info;
    }
    info = gb_cs_alloc(&T->cs, 1, e->n, bytes);
    if (info != GBL_SUCCESS) return info;
    T->cs.p[0] = 0;
    T->cs.p[1] = e->n;
    for (uint64_t k = 0; k < e->n; k++) T->cs.i[k] = (gb_Idx)k;
    *x = T->cs.x;
    return GBL_SUCCESS;
}

static gbl_Info make_values(gb_Result *T, const gb_Matrix *w, const Entries *e,
                            const gb_Idx *order) {
    char *x;
    gbl_Info info = open_result(T, e, w->nrows, e->type, &x);
    if (info != GBL_SUCCESS) return info;
    const size_t size = e->type->size;
    for (uint64_t k = 0; k < e->n; k++)
        memcpy(x + k * size, e->x + (e->iso ? 0 : order[k] * size), size);
    return gb_result_cast(T, w->type);
}

static gbl_Info make_positions(gb_Result *T, const gb_Matrix *p, const Entries *e,
                               const gb_Idx *order) {
    char *x;
    gbl_Info info = open_result(T, e, p->nrows, gb_type_of(GBL_UINT32_CODE), &x);
    if (info != GBL_SUCCESS) return info;
    gb_Idx *position = (gb_Idx *)(void *)x;
    for (uint64_t k = 0; k < e->n; k++) position[k] = e->i != NULL ? e->i[order[k]] : order[k];
    return gb_result_cast(T, p->type);
}

static gbl_Info read_entries(Entries *e, gb_Matrix *u) {
    gb_CsView list = {0};
    gb_DenseView full;
    gbl_Info info = gb_assemble(u);
    e->n = u->nvals;
    if (info != GBL_SUCCESS || e->n == 0) return info;
    if (e->n == u->nrows) {
        info = gb_acquire_dense(u, &full);
        if (info != GBL_SUCCESS) return info;
        e->x = full.x;
        e->iso = full.iso;
        return info;
    }
    info = gb_acquire_sorted(u, GB_CSC, &list);
    e->x = list.x;
    e->i = list.i;
    e->iso = list.iso;
    return info;
}

static gbl_Info sort_host(const void *asked) {
    const gb_Sort *call = asked;
    gb_Matrix *const u = call->u;
    Entries e = {.type = u->type, .as = call->type, .descending = call->descending};
    const gb_Mask no_mask = {0};
    gb_Result w = {.format = GB_CSC, .type = u->type};
    gb_Result p = {.format = GB_CSC, .type = gb_type_of(GBL_UINT32_CODE)};
    gbl_Info info = read_entries(&e, u);
    if (info != GBL_SUCCESS) return info;
    const size_t bytes = e.n * sizeof(gb_Idx);
    gb_Idx *order = gb_malloc(bytes);
    if (order == NULL && bytes > 0) return gb_fail_memory(bytes);
    if (e.n > 0) info = find_order(&e, order);
    if (info == GBL_SUCCESS && call->w != NULL && e.n > 0)
        info = make_values(&w, call->w, &e, order);
    if (info == GBL_SUCCESS && call->p != NULL && e.n > 0)
        info = make_positions(&p, call->p, &e, order);
    gb_free(order, bytes);
    /* so that writing the second output cannot fail once the first is written */
    if (info == GBL_SUCCESS && call->w != NULL) info = gb_assemble(call->w);
    if (info == GBL_SUCCESS && call->p != NULL) info = gb_assemble(call->p);
    if (info == GBL_SUCCESS && call->w != NULL) info = gb_finish(call->w, &no_mask, NULL, &w);
    if (info == GBL_SUCCESS && call->p != NULL) info = gb_finish(call->p, &no_mask, NULL, &p);
    gb_result_free(&w);
    gb_result_free(&p);
    return info;
}

/* -- hypersparse */

/* *out = a vector like u with the entries of `sorted`. Values that are positions in
 * `rows` become its indices. */
static gbl_Info widen(gb_Matrix **out, const gb_Matrix *u, gb_Type *type, gb_Matrix *sorted,
                      const gb_RowList *rows) {
    gb_EntryList t;
    gbl_Info info = gb_entry_list_of(&t, sorted, sorted->type);
    if (info != GBL_SUCCESS) return info;
    gbl_Index *at = gb_entry_indices(&t);
    for (uint64_t k = 0; rows != NULL && k < t.n; k++) at[k] = rows->index[at[k]];
    info = gb_entry_list_to(out, u, type, &t, NULL);
    gb_entry_list_release(&t);
    return info;
}

/* Sorts the compact vector; w and p are new ones with the results, or stay NULL. */
static gbl_Info sort_compact(const gb_Sort *call, gb_Matrix **w, gb_Matrix **p) {
    gb_Matrix *const u = call->u;
    gb_RowLists own = {0};
    gb_Compact from = {0};
    gb_Matrix *values = NULL, *positions = NULL;
    gbl_Info info = gb_row_lists_of(&own, u);
    if (info == GBL_SUCCESS) info = gb_compact_get(&from, u, &own, false);
    if (info == GBL_SUCCESS && call->w != NULL)
        info = gb_compact_new(&values, u, call->w->type, &own);
    if (info == GBL_SUCCESS && call->p != NULL)
        info = gb_compact_new(&positions, u, gb_type_of(GBL_UINT64_CODE), &own);
    if (info == GBL_SUCCESS)
        info = sort_host(&(gb_Sort){values, positions, call->type, call->descending, from.m});
    if (info == GBL_SUCCESS && values != NULL) info = widen(w, u, call->w->type, values, NULL);
    if (info == GBL_SUCCESS && positions != NULL)
        info = widen(p, u, call->p->type, positions, own.rows);
    gb_matrix_free(values);
    gb_matrix_free(positions);
    gb_compact_release(&from);
    gb_row_lists_release(&own);
    return info;
}

static gbl_Info sort_hyper(const void *asked) {
    const gb_Sort *call = asked;
    gb_Matrix *w = NULL, *p = NULL;
    if (!gb_is_hyper(call->u)) return sort_host(call);
    gbl_Info info = gb_assemble(call->u);
    if (info == GBL_SUCCESS) info = sort_compact(call, &w, &p);
    if (info == GBL_SUCCESS && call->w != NULL) gb_matrix_move(call->w, w);
    if (info == GBL_SUCCESS && call->p != NULL) gb_matrix_move(call->p, p);
    gb_matrix_free(w);
    gb_matrix_free(p);
    return info;
}

/* -- the descriptor */

static gbl_Info check_sorted(const gb_Matrix *out, const gb_Matrix *u, const gb_Type *type,
                             const char *name) {
    static const gb_Mask no_mask = {0};
    if (out == NULL) return GBL_SUCCESS;
    const gbl_Info info = gb_check_output(out, &no_mask, NULL, type);
    return info == GBL_SUCCESS ? gb_check_shape(out, false, u->nrows, 1, name) : info;
}

static gbl_Info check(const void *asked) {
    const gb_Sort *call = asked;
    const gb_Matrix *u = call->u;
    gbl_Info info = gb_check_cast(call->type, u->type, "u into op's input");
    if (info == GBL_SUCCESS) info = check_sorted(call->w, u, u->type, "w");
    if (info == GBL_SUCCESS) info = check_sorted(call->p, u, gb_type_of(GBL_UINT32_CODE), "p");
    return info;
}

const gb_Op gb_op_sort = {.name = "sort",
                          .bytes = sizeof(gb_Sort),
                          .A = {.at = offsetof(gb_Sort, u)},
                          .check = check,
                          .hyper = sort_hyper,
                          .host = sort_host};
