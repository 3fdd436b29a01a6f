/* SPDX-License-Identifier: Apache-2.0
 *
 * w accum= u, and which entries of w that has changed.
 */
#ifndef GB_OPS_UPDATE_H
#define GB_OPS_UPDATE_H

#include "ops/op.h"

/* Three vectors; `changed`, which is complete, gets the entries of w that were changed. */
typedef struct {
    gb_Matrix *w, *changed;
    const gb_BinaryOp *accum;
    gb_Matrix *u;
} gb_Update;
extern const gb_Op gb_op_update;

/* On the host; of ordinary objects. */
gbl_Info gb_update_vector(gb_Matrix *w, gb_Matrix *changed, const gb_BinaryOp *accum, gb_Matrix *u);
/* Domains and shapes of both outputs, w and changed, for values of u. */
gbl_Info gb_update_check(const gb_Matrix *w, const gb_Matrix *changed, const gb_Matrix *u);

/* Hypersparse updates: w is dense on its row list and stays so; a step costs O(nvals(u)) unless u
 * has an index that w never had. `changed` is built separately and replaced last, after all that
 * can fail. *fresh: a vector like it, whose compact form is empty and has the row list. */
gbl_Info gb_changes_new(gb_Matrix **fresh, const gb_Matrix *changed, const gb_HyperCall *hyper);
/* The dispatch has w as its output. info: what the operation on the compact forms gave. */
gbl_Info gb_changes_end(gb_HyperCall *hyper, gb_Matrix *changed, gb_Matrix *fresh, gbl_Info info);

#endif
