/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose. Nothing is computed: the CSR arrays of A are the CSC arrays of A'. They are copied,
 * or, where C is A and nothing else is asked for, change places. Cells are moved to where those of
 * A' are, and stay cells.
 */
#include "ops/transpose.h"

#include "ops/apply.h"

/* The same for a matrix that is held as its cells alone. */
static gbl_Info turn_cells(gb_Matrix *A) {
    gb_DenseView cells;
    gb_Dense turned = {0};
    gbl_Info info = gb_need_dense(A, &cells);
    if (info == GBL_SUCCESS && A->nvals > 0)
        info = gb_backend()->turn_dense(&cells, A->ncols, &turned, gb_nthreads());
    if (info == GBL_SUCCESS) gb_matrix_set_dense(A, &turned);
    return info;
}

/* A = A' for a square matrix; lists cannot fail once pending updates are in. */
static gbl_Info transpose_in_place(gb_Matrix *A) {
    gb_CsView view;
    gbl_Info info = gb_assemble(A);
    if (info == GBL_SUCCESS && gb_only_dense(A)) return turn_cells(A);
    if (info == GBL_SUCCESS && gb_has_no_list(A)) info = gb_need(A, GB_CSR, &view);
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

gbl_Info gb_transpose(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Matrix *A,
                      bool transpose) {
    const bool plain = mask->M == NULL && !mask->complement && accum == NULL;
    if (plain && C == A) return transpose ? transpose_in_place(A) : gb_assemble(A);
    gb_MapSource source;
    const gb_Mask none = {0}; /* all is copied in any form */
    gbl_Info info = gb_map_source_or_cells(&source, A, &none, transpose);
    if (info != GBL_SUCCESS) return info;
    gb_Result T = {.type = A->type, .format = source.format, .is_dense = source.is_dense};
    if (source.is_empty) return gb_finish(C, mask, accum, &T);
    if (source.is_dense && transpose)
        T.dense = source.turned;
    else if (source.is_dense)
        info = gb_backend()->copy_dense(&source.dense, &T.dense, gb_nthreads());
    else
        info = gb_backend()->copy_cs(&source.cs, &T.cs, gb_nthreads());
    if (info != GBL_SUCCESS) return info;
    return gb_finish(C, mask, accum, &T);
}
