/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose. Nothing is computed: the CSR arrays of A are the CSC arrays of A'. They are copied, or
 * exchanged where C is A without mask and accumulator. A dense matrix stays dense.
 * And operations whose T is small beside C.
 */
#include "ops/operations.h"

#include "ops/device.h"

/* A = A' for a matrix that is held dense alone. */
static gbl_Info transpose_dense(gb_Matrix *A) {
    gb_DenseView cells;
    gb_Dense turned = {0};
    gbl_Info info = gb_acquire_dense(A, &cells);
    if (info == GBL_SUCCESS && A->nvals > 0)
        info = gb_backend()->transpose_dense(&cells, A->ncols, &turned, gb_nthreads());
    if (info == GBL_SUCCESS) gb_matrix_set_dense(A, &turned);
    return info;
}

/* A = A' for a square matrix; sparse forms cannot fail once pending updates are assembled. */
static gbl_Info transpose_in_place(gb_Matrix *A) {
    gb_CsView view;
    gbl_Info info = gb_assemble(A);
    if (info == GBL_SUCCESS && gb_only_dense(A)) return transpose_dense(A);
    if (info == GBL_SUCCESS && gb_has_no_list(A)) info = gb_acquire(A, GB_CSR, &view);
    if (info != GBL_SUCCESS) return info;
    const unsigned both = GBL_HAS_CSR | GBL_HAS_CSC;
    gb_matrix_keep_only(A, both);
    const gb_Cs cs = A->cs[GB_CSR];
    A->cs[GB_CSR] = A->cs[GB_CSC];
    A->cs[GB_CSC] = cs;
    if (gb_has(A) == GBL_HAS_CSR || gb_has(A) == GBL_HAS_CSC)
        __atomic_store_n(&A->has, A->has ^ both, __ATOMIC_RELEASE);
    return GBL_SUCCESS;
}

static gbl_Info check(const void *call) {
    const gb_Transpose *t = call;
    const gbl_Info info = gb_check_output(t->C, &t->mask, t->accum, t->A->type);
    if (info != GBL_SUCCESS) return info;
    return gb_check_shape(t->A, t->transpose, t->C->nrows, t->C->ncols, "A");
}

static gbl_Info transpose_host(const void *call) {
    const gb_Transpose *t = call;
    gb_Matrix *C = t->C, *A = t->A;
    const bool plain = t->mask.M == NULL && !t->mask.complement && t->accum == NULL;
    if (plain && C == A) return t->transpose ? transpose_in_place(A) : gb_assemble(A);
    gb_MapSource source;
    const gb_Mask none = {0}; /* all is copied in any form */
    gbl_Info info = gb_map_source_or_cells(&source, A, &none, t->transpose);
    if (info != GBL_SUCCESS) return info;
    gb_Result T = {.type = A->type, .format = source.format, .is_dense = source.is_dense};
    if (source.is_empty) return gb_finish(C, &t->mask, t->accum, &T);
    if (source.is_dense && t->transpose)
        T.dense = source.turned;
    else if (source.is_dense)
        info = gb_backend()->copy_dense(&source.dense, &T.dense, gb_nthreads());
    else
        info = gb_backend()->copy_cs(&source.cs, &T.cs, gb_nthreads());
    return gb_finish_if(info, C, &t->mask, t->accum, &T);
}

static const char *refuse(const void *call) {
    return gb_refuse_operand(((const gb_Transpose *)call)->A);
}

static gbl_Info transpose_device(const void *call) {
    const gb_Transpose *t = call;
    const gb_Device *device = gb_device();
    gb_Result T = {.type = t->A->type};
    gb_DeviceCs *A, *made = NULL;
    gbl_Info info = gb_acquire_device(t->A, GB_CSR, true, &A);
    if (info != GBL_SUCCESS) return info;
    info = t->transpose ? device->transpose(A, false, &made) : device->copy(A, &made);
    device->unpin(A);
    if (info != GBL_SUCCESS) return info;
    gb_result_adopt(&T, t->C, made);
    return gb_finish(t->C, &t->mask, t->accum, &T);
}

gbl_Info gb_write_few(const gb_Transpose *call, bool *done) {
    gb_Assign assign = gb_assign_to_all(call->C, &call->mask, call->accum);
    assign.A = call->A;
    assign.atransposed = call->transpose;
    return gb_assign_few(&assign, done);
}

static gbl_Info few(const gb_Op *op, const void *call, bool *done) {
    (void)op;
    return gb_write_few(call, done);
}

#define GB_OP_OF_TRANSPOSE(NAME)                                                                   \
    GB_OP(NAME, gb_Transpose), .A = GB_INPUT_TRANSPOSED(gb_Transpose, A, transpose, ROWS, COLS),   \
                               .check = check, .full_iso = gb_copy_full_iso, .few = few,           \
                               .host = transpose_host, .device = transpose_device,                 \
                               .refuse = refuse, .follows = true

const gb_Op gb_op_transpose = {GB_OP_OF_TRANSPOSE("transpose")};
const gb_Op gb_op_extract_all = {GB_OP_OF_TRANSPOSE("extract")};
const gb_Op gb_op_assign_all = {GB_OP_OF_TRANSPOSE("assign")};

/* -- operations whose T is small beside C ------------------------------------------------------ */

/* T is computed as an object of its own, and written to C. */

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
    if (info == GBL_SUCCESS && write.A->note.block != NULL) gb_matrix_move_note(C, write.A);
    gb_matrix_free(write.A);
    *done = true;
    return info;
}
