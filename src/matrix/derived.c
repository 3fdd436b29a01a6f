/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of derived forms; see derived.h. Objects have few, so a list is searched faster than
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

gb_Derived *gb_derived_node(gb_Matrix *A, gb_DerivedKey key) {
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
    gb_Derived *node = gb_derived_node(A, r->key);
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

void gb_derived_reject(gb_Matrix *A, gb_DerivedKey key) {
    gb_lock(&A->lock);
    gb_Derived *node = gb_derived_node(A, key);
    if (node != NULL) node->rejected = true;
    gb_unlock(&A->lock);
}

void gb_derived_drop(gb_Matrix *A) {
    for (gb_Derived *node; (node = A->derived) != NULL;) {
        A->derived = node->next;
        for (int k = 0; k < GB_DERIVED_BLOCKS; k++)
            gb_free(node->block[k].at, node->block[k].bytes);
        gb_free(node, sizeof *node);
    }
}
