/* SPDX-License-Identifier: Apache-2.0
 *
 * sort. Entries of a vector by LT or GT of a built-in type: values become keys, unsigned numbers of
 * the same order that begin at 0: the bits of floats ascend with them once those of negative ones
 * are inverted, -0 is 0, and NaN comes last in either direction. Keys within n values, such as
 * degrees, are counted: one pass counts, one scatters, in parts of the input that have slots of
 * their own. Others are sorted by radix (matrix/radix.h). Other comparisons, rows of matrices and
 * hypersparse objects: entries are listed, merged line by line, and built again. Outputs are
 * written last, so a failure leaves them as they were.
 */
#include "graph/graph.h"

#include "matrix/radix.h"
#include "ops/entry_list.h"
#include "ops/operations.h"

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
        const bool sign = code == GBL_INT8_CODE || code == GBL_INT16_CODE ||
                          code == GBL_INT32_CODE || code == GBL_INT64_CODE;
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
        if (first % GB_CALL_ENTRIES == 0 && gb_call_stops()) break; /* and nothing can be sorted */
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

typedef struct {
    const Entries *e;
    uint64_t keys, *at; /* [parts * keys] */
    gb_Idx *order;      /* NULL: the pass that counts */
    int parts;
} CountSort;

/* Each key of part t of the entries: it is counted, or the entry put at its next position. */
static void pass_part(void *context, int t) {
    const CountSort *s = context;
    const uint64_t n = s->e->n, parts = (uint64_t)s->parts;
    const uint64_t from = gb_part(n, (uint64_t)t, parts), to = gb_part(n, (uint64_t)t + 1, parts);
    uint64_t keys[GB_BATCH], *at = s->at + (uint64_t)t * s->keys;
    for (uint64_t first = from; first < to; first += GB_BATCH) {
        const size_t count = to - first < GB_BATCH ? to - first : GB_BATCH;
        if ((first - from) % GB_CALL_ENTRIES == 0 && gb_call_stops()) return;
        read_keys(s->e, first, count, keys);
        if (s->order == NULL)
            for (size_t k = 0; k < count; k++) at[keys[k]]++;
        else
            for (size_t k = 0; k < count; k++) s->order[at[keys[k]]++] = (gb_Idx)(first + k);
    }
}

static gbl_Info sort_by_count(const Entries *e, gb_Idx *order) {
    const uint64_t n = e->n, keys = e->most - e->least + 1; /* at most n */
    const int parts = gb_parts_counting(gb_threads_for(n, GB_GRAIN, gb_nthreads()), n, keys);
    const size_t bytes = keys * (size_t)parts * sizeof(uint64_t);
    uint64_t *at = gb_calloc(bytes);
    if (at == NULL) return gb_fail_memory(bytes);
    CountSort sort = {.e = e, .keys = keys, .at = at, .parts = parts};
    gb_parallel(parts, pass_part, &sort);
    uint64_t sum = 0;
    for (uint64_t key = 0; key < keys; key++) {
        for (int t = 0; t < parts; t++) {
            uint64_t *slot = &at[(uint64_t)t * keys + key];
            const uint64_t count = *slot;
            *slot = sum;
            sum += count;
        }
    }
    sort.order = order;
    gb_parallel(parts, pass_part, &sort);
    gb_free(at, bytes);
    return gb_call_end();
}

/* -- many */

typedef struct {
    const Entries *e;
    const gb_Record *loads;
    const gb_Idx *order;
    void *to;
} Output;

static void put_order(void *context, uint64_t from, uint64_t end) {
    const Output *out = context;
    gb_Idx *order = out->to;
    for (uint64_t k = from; k < end; k++) order[k] = (gb_Idx)out->loads[k].load;
}

static void put_values(void *context, uint64_t from, uint64_t end) {
    const Output *out = context;
    const Entries *e = out->e;
    const size_t size = e->type->size;
    for (uint64_t k = from; k < end; k++)
        gb_copy_value((char *)out->to + k * size, e->x + (e->iso ? 0 : out->order[k] * size), size);
}

static void put_positions(void *context, uint64_t from, uint64_t end) {
    const Output *out = context;
    const Entries *e = out->e;
    gb_Idx *position = out->to;
    for (uint64_t k = from; k < end; k++)
        position[k] = e->i != NULL ? e->i[out->order[k]] : out->order[k];
}

static gbl_Info sort_by_radix(const Entries *e, gb_Idx *order) {
    const uint64_t range = e->most - e->least;
    const gb_RecordInput in = {.read = read_records,
                               .input = e,
                               .n = e->n,
                               .bits = range == UINT64_MAX ? 64 : gb_bits_below(range + 1)};
    gb_Record *r = gb_malloc(e->n * sizeof *r);
    if (r == NULL) return gb_fail_memory(e->n * sizeof *r);
    gbl_Info info = gb_records_sort(r, &in, gb_nthreads());
    if (info == GBL_SUCCESS)
        info = gb_parallel_try_items(gb_nthreads(), e->n, put_order,
                                     &(Output){.e = e, .loads = r, .to = order});
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
    *T = (gb_Result){.type = type, .format = GB_CSC, .is_dense = e->n == n};
    const size_t bytes = gb_size_of(e->n, type->size);
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

/* The values, or positions, that `put` writes, of that type, then cast into the output's. */
static gbl_Info make_output(gb_Result *T, const gb_Matrix *out, const Entries *e,
                            const gb_Idx *order, const gb_Type *type, gb_RunRange *put) {
    char *x;
    gbl_Info info = open_result(T, e, out->nrows, type, &x);
    if (info != GBL_SUCCESS) return info;
    info =
        gb_parallel_try_items(gb_nthreads(), e->n, put, &(Output){.e = e, .order = order, .to = x});
    return info == GBL_SUCCESS ? gb_result_cast(T, out->type) : info;
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

/* Whether the comparison is an order of values. */
static bool is_by_value(const gb_BinaryOp *op) {
    return op->code == GB_LT || op->code == GB_GT;
}

static Entries entries_of(const gb_BinaryOp *op, const gb_Type *type) {
    return (Entries){.type = type, .as = op->xtype, .descending = op->code == GB_GT};
}

static gbl_Info sort_vector(const gb_Sort *call) {
    gb_Matrix *const u = call->A;
    Entries e = entries_of(call->op, u->type);
    gb_Result w = {.format = GB_CSC, .type = u->type};
    gb_Result p = {.format = GB_CSC, .type = gb_type_of(GBL_UINT32_CODE)};
    gbl_Info info = read_entries(&e, u);
    if (info != GBL_SUCCESS) return info;
    const size_t bytes = e.n * sizeof(gb_Idx);
    gb_Idx *order = gb_malloc(bytes);
    if (order == NULL && bytes > 0) return gb_fail_memory(bytes);
    if (e.n > 0) info = find_order(&e, order);
    if (info == GBL_SUCCESS && call->C != NULL && e.n > 0)
        info = make_output(&w, call->C, &e, order, e.type, put_values);
    if (info == GBL_SUCCESS && call->P != NULL && e.n > 0)
        info = make_output(&p, call->P, &e, order, p.type, put_positions);
    gb_free(order, bytes);
    /* so that writing the second output cannot fail once the first is written */
    if (info == GBL_SUCCESS && call->C != NULL) info = gb_assemble(call->C);
    if (info == GBL_SUCCESS && call->P != NULL) info = gb_assemble(call->P);
    if (info == GBL_SUCCESS && call->C != NULL) info = gb_finish(call->C, &(gb_Mask){0}, NULL, &w);
    if (info == GBL_SUCCESS && call->P != NULL) info = gb_finish(call->P, &(gb_Mask){0}, NULL, &p);
    gb_result_free(&w);
    gb_result_free(&p);
    return info;
}

/* -- by any comparison, line by line */

typedef struct {
    const gb_BinaryOp *op;
    const char *x; /* values of the operator's type */
    bool floats;   /* NaN is behind all */
} Order;

static bool is_nan(const Order *o, const char *x) {
    double value;
    if (!o->floats) return false;
    gb_cast(gb_type_of(GBL_FP64_CODE), &value, o->op->xtype, x, 1, 1);
    return value != value;
}

static bool comes_before(const Order *o, uint64_t a, uint64_t b) {
    const size_t size = o->op->xtype->size;
    const char *x = o->x + a * size, *y = o->x + b * size;
    bool before = false;
    if (o->floats && (is_nan(o, x) || is_nan(o, y))) return !is_nan(o, x);
    o->op->scalar(&before, x, y);
    return before;
}

/* Merges order[0, n) by halves; equal entries stay. */
static void sort_range(const Order *o, uint64_t *order, uint64_t n, uint64_t *space) {
    if (n < 2 || (n > GB_CALL_ENTRIES && gb_call_stops())) return;
    const uint64_t half = n / 2;
    sort_range(o, order, half, space);
    sort_range(o, order + half, n - half, space);
    memcpy(space, order, half * sizeof *order);
    for (uint64_t a = 0, b = half, to = 0; a < half; to++) {
        const bool right =
            b < n && comes_before(o, order[b], space[a]) && !comes_before(o, space[a], order[b]);
        order[to] = right ? order[b++] : space[a++];
    }
}

/* Entry e of `to`, and its position among the entries of its line, is entry order[e] of `from`; at
 * = where it was. */
static void put_in_order(const gb_EntryList *from, gb_EntryList *to, gbl_Index *at,
                         uint64_t *order) {
    const size_t size = from->type->size;
    const gbl_Index *lines = from->J != NULL ? from->I : NULL;
    uint64_t first = 0;
    for (uint64_t e = 0; e < from->n; e++) {
        if (lines != NULL && e > 0 && lines[e] != lines[e - 1]) first = e;
        memcpy(to->X + e * size, from->X + order[e] * size, size);
        at[e] = (lines != NULL ? from->J : from->I)[order[e]];
        if (lines != NULL) to->I[e] = lines[e];
        (lines != NULL ? to->J : to->I)[e] = e - first;
    }
}

static gbl_Info merge_lines(const gb_EntryList *list, const Order *o, uint64_t *order) {
    const size_t bytes = list->n * sizeof *order;
    uint64_t *space = gb_malloc(bytes);
    if (space == NULL && bytes > 0) return gb_fail_memory(bytes);
    for (uint64_t e = 0; e < list->n; e++) order[e] = e;
    for (uint64_t from = 0, to = 0; from < list->n && !gb_call_stops(); from = to) {
        to = list->J != NULL ? from + 1 : list->n;
        while (to < list->n && list->I[to] == list->I[from]) to++;
        sort_range(o, order + from, to - from, space);
    }
    gb_free(space, bytes);
    return gb_call_end();
}

/* Of a vector's entries, by value. */
static gbl_Info order_entries(const gb_EntryList *list, const gb_BinaryOp *op, uint64_t *order) {
    Entries e = entries_of(op, list->type);
    e.x = list->X;
    e.n = list->n;
    const gbl_Info info = find_order(&e, (gb_Idx *)(void *)order);
    for (uint64_t k = list->n; info == GBL_SUCCESS && k-- > 0;) {
        gb_Idx at;
        memcpy(&at, (const char *)order + k * sizeof at, sizeof at);
        order[k] = at;
    }
    return info;
}

/* *order, a block of 8 bytes an entry: that of the list. */
static gbl_Info order_lines(const gb_EntryList *list, const gb_BinaryOp *op, uint64_t *order) {
    if (list->J == NULL && is_by_value(op) && list->n > 0 && list->n <= UINT32_MAX)
        return order_entries(list, op, order);
    const gbl_Type_Code code = op->xtype->code;
    Order o = {.op = op,
               .x = list->X,
               .floats = op->code != GB_USER && (code == GBL_FP32_CODE || code == GBL_FP64_CODE)};
    void *cast = NULL;
    size_t bytes = 0;
    if (op->xtype != list->type) {
        bytes = gb_size_of(list->n + 1, op->xtype->size);
        o.x = cast = gb_malloc(bytes);
        if (cast == NULL) return gb_fail_memory(bytes);
        gb_cast(op->xtype, cast, list->type, list->X, 1, list->n);
    }
    const gbl_Info info = merge_lines(list, &o, order);
    gb_free(cast, bytes);
    return info;
}

/* A column of A is sorted as a row of A'. */
static gbl_Info list_lines(gb_EntryList *list, const gb_Sort *call) {
    gb_Matrix *A = call->A, *T = NULL;
    if (!call->by_column) return gb_entry_list_of(list, A, A->type);
    gbl_Info info = gb_matrix_new(&T, GB_MAGIC_MATRIX, A->type, A->ncols, A->nrows);
    if (info == GBL_SUCCESS)
        info = gb_run_now(&gb_op_transpose, &(gb_Transpose){.C = T, .A = A, .transpose = true});
    if (info == GBL_SUCCESS) info = gb_entry_list_of(list, T, A->type);
    gb_matrix_free(T);
    return info;
}

/* The outputs, NULL where not wanted, get copies, and only then their contents. */
static gbl_Info write_sorted(const gb_Sort *call, const gb_EntryList *values, const gbl_Index *at) {
    gb_EntryList list = *values, positions = *values;
    gb_Matrix *C = NULL, *P = NULL;
    if (call->by_column) {
        list.I = positions.I = values->J;
        list.J = positions.J = values->I;
    }
    positions.X = (char *)(uintptr_t)at;
    positions.type = gb_type_of(GBL_UINT64_CODE);
    gbl_Info info = GBL_SUCCESS;
    if (call->C != NULL) info = gb_entry_list_to(&C, call->C, call->C->type, &list, NULL);
    if (info == GBL_SUCCESS && call->P != NULL)
        info = gb_entry_list_to(&P, call->P, call->P->type, &positions, NULL);
    if (info == GBL_SUCCESS && C != NULL) gb_matrix_move(call->C, C);
    if (info == GBL_SUCCESS && P != NULL) gb_matrix_move(call->P, P);
    gb_matrix_free(C);
    gb_matrix_free(P);
    return info;
}

static gbl_Info sort_lines(const gb_Sort *call) {
    gb_EntryList list = {0}, sorted = {0}, order = {0};
    gbl_Info info = list_lines(&list, call);
    if (info == GBL_SUCCESS) info = gb_entry_list_new(&sorted, list.n, list.J == NULL, list.type);
    if (info == GBL_SUCCESS)
        info = gb_entry_list_new(&order, list.n, true, gb_type_of(GBL_UINT64_CODE));
    if (info == GBL_SUCCESS) info = order_lines(&list, call->op, order.I);
    if (info == GBL_SUCCESS) {
        gbl_Index *at = gb_entry_indices(&order);
        put_in_order(&list, &sorted, at, order.I);
        info = write_sorted(call, &sorted, at);
    }
    gb_entry_list_release(&list);
    gb_entry_list_release(&sorted);
    gb_entry_list_release(&order);
    return info;
}

static gbl_Info sort(const void *asked) {
    const gb_Sort *call = asked;
    const bool by_value = gb_is_vector(call->A) && is_by_value(call->op) && !gb_is_hyper(call->A);
    return by_value ? sort_vector(call) : sort_lines(call);
}

/* -- the descriptor */

static gbl_Info check_sorted(const gb_Matrix *out, const gb_Matrix *A, const gb_Type *type,
                             const char *name) {
    if (out == NULL) return GBL_SUCCESS;
    const gbl_Info info = gb_check_output(out, &(gb_Mask){0}, NULL, type);
    return info == GBL_SUCCESS ? gb_check_shape(out, false, A->nrows, A->ncols, name) : info;
}

static gbl_Info check_sort(const void *asked) {
    const gb_Sort *call = asked;
    const gb_BinaryOp *op = call->op;
    const gb_Matrix *A = call->A;
    const bool vector = gb_is_vector(A);
    if (op->ztype->code != GBL_BOOL_CODE || op->xtype != op->ytype || op->scalar == NULL)
        return gb_fail(GBL_DOMAIN_MISMATCH, "op must be a comparison of values of one type, such "
                                            "as GBL_LT_FP64, which gives BOOL");
    gbl_Info info = gb_check_cast(op->xtype, A->type, "values into op's input");
    if (info == GBL_SUCCESS) info = check_sorted(call->C, A, A->type, vector ? "w" : "C");
    if (info == GBL_SUCCESS)
        info = check_sorted(call->P, A, gb_type_of(GBL_UINT64_CODE), vector ? "p" : "P");
    return info;
}

const gb_Op gb_op_sort = {.name = "sort",
                          .bytes = sizeof(gb_Sort),
                          .A = {.at = offsetof(gb_Sort, A)},
                          .check = check_sort,
                          .hyper = sort,
                          .host = sort};
