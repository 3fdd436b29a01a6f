/* SPDX-License-Identifier: Apache-2.0
 *
 * An operation whose T is small beside C: T is computed as an object of its own, and written to C.
 */
#include "ops/operations.h"

gbl_Info gb_write_few(const gb_Transpose *call, bool *done) {
    return gb_assign_few(&(gb_Assign){.C = call->C,
                                      .mask = call->mask,
                                      .accum = call->accum,
                                      .A = call->A,
                                      .atransposed = call->transpose,
                                      .I = {.n = call->C->nrows, .all = true},
                                      .J = {.n = call->C->ncols, .all = true}},
                         done);
}

/* Whether T's values, cast to type, are combined and stored as they would be without that. */
static bool fits(const gb_Matrix *C, const gb_BinaryOp *accum) {
    if (accum == NULL || accum->ytype == C->type) return true;
    return accum->ytype->code == C->type->code && C->type->code != GBL_UDT_CODE;
}

gbl_Info gb_run_beside(const gb_Op *op, const void *call, bool *done) {
    _Alignas(max_align_t) char copy[GB_CALL_MOST];
    memcpy(copy, call, op->bytes);
    const gb_BinaryOp **const accum = (const gb_BinaryOp **)(void *)(copy + op->accum);
    gb_Matrix *const C = *(gb_Matrix *const *)call;
    gb_Transpose write = {.C = C, .mask = *(gb_Mask *)(void *)(copy + op->mask), .accum = *accum};
    if (op->host == gb_op_transpose.host || !fits(C, *accum)) return GBL_SUCCESS; /* it writes T */
    gbl_Info info = gb_matrix_new(&write.A, C->magic, C->type, C->nrows, C->ncols);
    if (info != GBL_SUCCESS) return info;
    *(gb_Matrix **)(void *)copy = write.A;
    *accum = NULL;
    info = gb_run_now(op, copy);
    if (info == GBL_SUCCESS) info = gb_write_few(&write, done);
    if (info == GBL_SUCCESS && !*done) info = gb_write(C, &write.mask, write.accum, write.A);
    if (info == GBL_SUCCESS && write.A->note.block != NULL) {
        gb_matrix_set_note(C, write.A->note);
        write.A->note = (gb_Note){0};
    }
    gb_matrix_free(write.A);
    *done = true;
    return info;
}
