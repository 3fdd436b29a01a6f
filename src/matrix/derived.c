/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of derived forms, see derived.h, and those of rows that a kernel makes: sketches, groups
 * of similar rows, panels, SELL slices. Objects have few, so a list is searched faster than
 * anything else.
 */
#include "matrix/derived.h"

static gb_Derived *find(const gb_Matrix *A, gb_DerivedKey key) {
    gb_Derived *node = A->derived;
    while (node != NULL && (node->key.kind != key.kind || node->key.format != key.format ||
                            node->key.variant != key.variant))
        node = node->next;
    return node;
}

static gb_Derived *node_of(gb_Matrix *A, gb_DerivedKey key) {
    gb_Derived *node = find(A, key);
    if (node != NULL) return node;
    node = gb_calloc(sizeof *node);
    if (node == NULL) return NULL;
    node->key = key;
    node->next = A->derived;
    A->derived = node;
    return node;
}

static bool is_wanted(const gb_Derived *form, const gb_DerivedRequest *r) {
    const bool pays = !form->rejected && form->credit >= r->cost;
    return !form->made && (pays || r->cost == GB_DERIVED_NOW);
}

/* Under `making`: the form, unless another thread has just made it. */
static gb_Derived make(gb_Matrix *A, gb_Derived *node, const gb_DerivedRequest *r) {
    gb_lock_to_read(&A->lock);
    gb_Derived form = *node;
    gb_unlock(&A->lock);
    if (!is_wanted(&form, r)) return form;
    r->make(&form, r->context);
    gb_lock(&A->lock);
    form.credit = node->credit; /* others may have added theirs */
    form.next = node->next;
    form.rejected = form.rejected || node->rejected;
    *node = form;
    gb_unlock(&A->lock);
    return form;
}

gb_Derived gb_derived_get(gb_Matrix *A, const gb_DerivedRequest *r) {
    gb_Derived found = {0};
    gb_lock_to_read(&A->lock); /* a new node is there or not, at any moment */
    gb_Derived *node = node_of(A, r->key);
    if (node != NULL) {
        node->credit += r->credit;
        found = *node;
    }
    gb_unlock(&A->lock);
    if (node == NULL || !is_wanted(&found, r)) return found;
    gb_begin_making(A);
    found = make(A, node, r);
    gb_end_making(A);
    return found;
}

gb_Derived gb_derived_at_hand(gb_Matrix *A, gb_DerivedKey key) {
    gb_lock_to_read(&A->lock);
    const gb_Derived *node = find(A, key);
    const gb_Derived found = node != NULL ? *node : (gb_Derived){0};
    gb_unlock(&A->lock);
    return found;
}

void gb_derived_drop(gb_Matrix *A) {
    for (gb_Derived *node; (node = A->derived) != NULL;) {
        A->derived = node->next;
        for (int k = 0; k < GB_DERIVED_BLOCKS; k++)
            gb_free(node->block[k].at, node->block[k].bytes);
        gb_free(node, sizeof *node);
    }
}

/* -- sketches */

typedef struct {
    const gb_CsView *A;
    unsigned registers;
} gb_Sketching;

static void make_sketch(gb_Derived *form, const void *context) {
    const gb_Sketching *s = context;
    const size_t bytes = gb_size_of(s->A->nmajor, s->registers);
    uint8_t *sketch = gb_malloc(bytes);
    if (sketch == NULL) return;
    gb_backend()->sketch_rows(s->A, s->registers, sketch,
                              gb_threads_for(s->A->nvals, GB_GRAIN, gb_nthreads()));
    form->block[0] = (gb_Block){sketch, bytes};
    form->view.sketch = sketch;
    form->made = true;
}

gbl_Info gb_sketch_get(const uint8_t **sketch, gb_Matrix *A, gb_Format format, unsigned registers) {
    gb_CsView view;
    const gbl_Info info = gb_acquire(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    const gb_DerivedRequest request = {.key = {GB_DERIVED_SKETCH, format, registers},
                                       .cost = GB_DERIVED_NOW,
                                       .make = make_sketch,
                                       .context = &(gb_Sketching){&view, registers}};
    *sketch = gb_derived_get(A, &request).view.sketch;
    const bool made = *sketch != NULL || view.nmajor == 0;
    return made ? GBL_SUCCESS : gb_fail_memory(view.nmajor * registers);
}

const uint8_t *gb_sketch_at_hand(gb_Matrix *A, gb_Format format, unsigned registers) {
    return gb_derived_at_hand(A, (gb_DerivedKey){GB_DERIVED_SKETCH, format, registers}).view.sketch;
}

/* -- groups of similar rows */

static gb_DerivedKey groups_key(gb_Format format) {
    return (gb_DerivedKey){GB_DERIVED_GROUPS, format, 0};
}

gb_Derived gb_groups_at_hand(gb_Matrix *A, gb_Format format) {
    return gb_derived_at_hand(A, groups_key(format));
}

typedef struct {
    const gb_CsView *A;
    gbl_Info *info;
} gb_Grouping;

static void make_groups(gb_Derived *form, const void *context) {
    const gb_Grouping *g = context;
    const size_t bytes = gb_size_of(g->A->nmajor, sizeof(gb_Idx));
    gb_Idx *order = gb_malloc(bytes);
    *g->info = order != NULL ? gb_backend()->group_rows(g->A, order, gb_nthreads())
                             : gb_fail_memory(bytes);
    if (*g->info != GBL_SUCCESS) {
        gb_free(order, bytes);
        return;
    }
    form->block[0] = (gb_Block){order, bytes};
    form->view.order = order;
    form->made = true;
}

gbl_Info gb_groups_get(const gb_Idx **order, gb_Matrix *A, gb_Format format) {
    gb_CsView view;
    gbl_Info info = gb_acquire(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    const gb_DerivedRequest request = {.key = groups_key(format),
                                       .cost = GB_DERIVED_NOW,
                                       .make = make_groups,
                                       .context = &(gb_Grouping){&view, &info}};
    *order = gb_derived_get(A, &request).view.order;
    return *order == NULL && info == GBL_SUCCESS ? gb_fail_memory(sizeof(gb_Derived)) : info;
}

void gb_groups_credit(gb_Matrix *A, gb_Format format, double seconds) {
    gb_derived_get(
        A, &(gb_DerivedRequest){.key = groups_key(format), .credit = seconds, .cost = INFINITY});
}

void gb_groups_give_up(gb_Matrix *A, gb_Format format) {
    gb_lock(&A->lock);
    gb_Derived *node = node_of(A, groups_key(format));
    if (node != NULL) node->rejected = true;
    gb_unlock(&A->lock);
}

/* -- panels */

enum { PANELS_MADE_BY = 2 }; /* which product */

static gb_DerivedKey panels_key(gb_Format format, gb_PanelKind kind) {
    const unsigned variant = kind.lanes * 4 + kind.grouped * 2u + kind.values;
    return (gb_DerivedKey){GB_DERIVED_PANELS, format, variant};
}

typedef struct {
    const gb_MxmArgs *g;
    bool values;
} gb_Paneling;

static void make_panels(gb_Derived *form, const void *context) {
    const gb_MxmArgs *g = ((const gb_Paneling *)context)->g;
    const size_t size = ((const gb_Paneling *)context)->values ? g->args.zsize : 0;
    const unsigned lanes = gb_panel_rows(g->args.zsize);
    size_t bytes;
    if (!gb_size_mul(&bytes, g->A.nvals, sizeof(gb_Idx) + sizeof(uint16_t) + size)) return;
    bytes += (g->A.nmajor / lanes + 2) * (sizeof(gb_Off) + sizeof(uint32_t));
    void *block = gb_malloc(bytes);
    if (block == NULL) return;
    gb_PanelView view = {.lanes = lanes, .size = size};
    if (!gb_backend()->keep_panels(g, block, &view)) {
        gb_free(block, bytes);
        return;
    }
    form->block[0] = (gb_Block){block, bytes};
    form->view.panels = view;
    form->made = true;
}

gb_Derived gb_panels_at_hand(gb_Matrix *A, gb_Format format, gb_PanelKind kind) {
    const gb_PanelKind valued = {kind.lanes, kind.grouped, true};
    const gb_Derived found = gb_derived_at_hand(A, panels_key(format, valued));
    if (found.made || kind.values) return found;
    return gb_derived_at_hand(A, panels_key(format, kind));
}

gb_PanelView gb_panels_get(gb_Matrix *A, gb_Format format, const gb_MxmArgs *g, bool values) {
    const gb_PanelKind kind = {gb_panel_rows(g->args.zsize), g->order != NULL, values};
    const gb_Derived found = gb_panels_at_hand(A, format, kind);
    if (found.made) return found.view.panels;
    const gb_DerivedRequest request = {.key = panels_key(format, kind),
                                       .credit = 1,
                                       .cost = PANELS_MADE_BY,
                                       .make = make_panels,
                                       .context = &(gb_Paneling){g, values}};
    return gb_derived_get(A, &request).view.panels;
}

/* -- SELL slices */

/* The product that makes them, or their values of `size` bytes. */
static unsigned sell_worth(const gb_CsView *A, size_t size) {
    const bool is_long = A->nvals / GB_SELL_LONG >= A->nmajor;
    const bool is_large = A->nvals >= GB_SELL_LARGE / (sizeof(gb_Idx) + size);
    return size > 0 && is_long && is_large ? GB_SELL_WORTH_LONG : GB_SELL_WORTH;
}

/* Whether the columns of every window are so close that 2 bytes tell them apart. A is sorted. */
static bool is_near(const gb_CsView *A) {
    for (uint64_t from = 0, to; from < A->nmajor; from = to) {
        gb_Idx first = UINT32_MAX, last = 0;
        to = A->nmajor - from < GB_SELL_WINDOW ? A->nmajor : from + GB_SELL_WINDOW;
        for (uint64_t r = from; r < to; r++) {
            if (A->p[r] == A->p[r + 1]) continue;
            if (A->i[A->p[r]] < first) first = A->i[A->p[r]];
            if (A->i[A->p[r + 1] - 1] > last) last = A->i[A->p[r + 1] - 1];
        }
        if (last >= first && last - first > GB_SELL_NEAR) return false;
    }
    return true;
}

/* Bytes of slices without values; false: too many. */
static bool sell_bytes(size_t *bytes, const gb_CsView *A, bool near) {
    const uint64_t windows = (A->nmajor + GB_SELL_WINDOW - 1) / GB_SELL_WINDOW;
    size_t slices, bases, columns;
    return gb_size_mul(&slices, gb_sell_slices(A->nmajor), sizeof(gb_SellSlice)) &&
           gb_size_mul(&bases, near ? windows : 0, sizeof(gb_Idx)) &&
           gb_size_mul(&columns, A->nvals, near ? sizeof(uint16_t) : sizeof(gb_Idx)) &&
           !__builtin_add_overflow(slices, bases, &slices) &&
           !__builtin_add_overflow(slices, columns, bytes);
}

typedef struct {
    gb_Matrix *X;
    const gb_CsView *A;
    size_t size; /* of values; 0: the pattern alone */
} gb_Slicing;

/* The pattern, which stays where it is when it is there, and the form's own values. */
static void make_sell(gb_Derived *form, const void *context) {
    const gb_Slicing *s = context;
    const gb_CsView *A = s->A;
    gb_Derived *pattern = form;
    gb_Block slices = {0}, values = {0};
    if (s->size > 0) {
        gb_lock(&s->X->lock);
        pattern = node_of(s->X, (gb_DerivedKey){GB_DERIVED_SELL, form->key.format, false});
        gb_unlock(&s->X->lock);
    }
    if (pattern == NULL) return;
    gb_SellView view = pattern->view.sell;
    if (!pattern->made) {
        view.near = is_near(A);
        if (!sell_bytes(&slices.bytes, A, view.near)) return;
    }
    if (!gb_size_mul(&values.bytes, A->nvals, s->size)) return;
    gb_Block blocks[] = {slices, values};
    for (int k = 0; k < 2; k++) blocks[k].at = gb_malloc(blocks[k].bytes);
    const bool reserved =
        (blocks[0].at != NULL || pattern->made) && (blocks[1].at != NULL || s->size == 0);
    if (!reserved ||
        !gb_backend()->make_sell(A, blocks[0].at, blocks[1].at, s->size, &view, gb_nthreads())) {
        for (int k = 0; k < 2; k++) gb_free(blocks[k].at, blocks[k].bytes);
        return;
    }
    form->made = true;
    form->view.sell = view;
    if (s->size > 0) form->block[0] = blocks[1];
    if (pattern->made && pattern != form) return;
    gb_lock(&s->X->lock);
    pattern->made = true;
    pattern->block[0] = blocks[0];
    pattern->view.sell = view;
    gb_unlock(&s->X->lock);
}

gb_SellView gb_sell_get(gb_Matrix *X, gb_Format format, const gb_CsView *A, bool values) {
    const size_t size = values ? A->xsize : 0;
    const gb_DerivedRequest request = {.key = {GB_DERIVED_SELL, format, values},
                                       .credit = 1,
                                       .cost = sell_worth(A, size),
                                       .make = make_sell,
                                       .context = &(gb_Slicing){X, A, size}};
    return gb_derived_get(X, &request).view.sell;
}
