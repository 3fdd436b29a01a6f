/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call holds beside its method's workspace; see memory.h.
 */
#include "mxm/model/memory.h"

#include <math.h>

#include "core/context.h"
#include "mxm/model/operands.h"
#include "mxm/model/ring.h"

/* Bytes of the copy that a valued mask makes of its true entries, and of the truths. */
static double mask_bytes(const gb_Mask *mask, double rows) {
    if (mask->M == NULL || mask->structural) return 0.0;
    return 5.0 * (double)mask->M->nvals + 8.0 * (rows + 1.0);
}

static double cast_bytes(const gb_Matrix *X, const gb_Type *type) {
    if (type == NULL || type->code == X->type->code) return 0.0;
    return (double)X->nvals * (double)type->size;
}

/* Pointers of rows, or slots of a conversion, where a factor is not held by rows. */
static double turn_bytes(const gb_Matrix *X, gb_Format rows) {
    const unsigned has = gb_only_dense(X) ? GBL_HAS_CSR : gb_has(X); /* cells become rows first */
    if (has & gb_has_bit(rows)) return 0.0;
    const double longer = fmax((double)X->nrows, (double)X->ncols);
    return 8.0 * (longer + 1.0) * (1.0 + (double)gb_nthreads());
}

gb_MemoryFacts gb_memory_facts(const gb_MxmCall *call) {
    const gb_Matrix *A = call->A, *B = call->B, *C = call->C;
    const bool masked = call->mask.M != NULL && call->mask.M->nvals > 0;
    const bool merges =
        C != NULL && C->nvals > 0 && (call->accum != NULL || (masked && !call->mask.replace));
    const bool casts = C != NULL && C->type != call->ring->add->op->ztype;
    const double rows = (double)(call->transpose_a ? A->ncols : A->nrows);
    double held = 8.0 * (rows + 1.0);
    held += turn_bytes(A, gb_rows_of_a(call));
    held += turn_bytes(B, gb_rows_of_b(call));
    held += cast_bytes(A, gb_ring_left_type(call->ring));
    held += cast_bytes(B, gb_ring_right_type(call->ring));
    held += mask_bytes(&call->mask, rows) * (merges ? 2.0 : 1.0);
    if (merges) /* what the mask leaves of C */
        held += (double)C->nvals * (double)(C->type->size + sizeof(gb_Idx)) + 8.0 * (rows + 1.0);
    return (gb_MemoryFacts){
        .limited = true, .held = held, .result_waits = merges || casts, .result_merges = merges};
}

gbl_Info gb_memory_for_plan(const gb_MxmCall *call) {
    const double limit = (double)gb_memory_limit();
    if (limit == 0.0) return GBL_SUCCESS;
    const double listed =
        gb_bytes_of_cells(call->A) + (call->B != call->A ? gb_bytes_of_cells(call->B) : 0.0);
    const double held = gb_memory_facts(call).held + listed;
    const double wanted = ceil((held + GB_SMALL_BYTES) / GB_BLOCK_SHARE);
    return wanted <= limit ? GBL_SUCCESS : gb_fail_limit(wanted, limit);
}
