/* SPDX-License-Identifier: Apache-2.0
 *
 * select. The result keeps the representation of A, and its one value when A is iso. The mask is
 * left to finish: what it would cut is mostly dropped here anyway. That the main diagonal was found
 * empty is remembered with A until it is written, so that who asks again for loops gets none at
 * once.
 */
#include "ops/select.h"

#include "ops/map_device.h"

static bool is_main_diagonal(const gb_Map *map) {
    int64_t k;
    if (map->index->code != GB_DIAG) return false;
    gb_cast(gb_type_of(GBL_INT64_CODE), &k, map->index->ytype, map->bound, 1, 1);
    return k == 0;
}

static bool has_no_diagonal(gb_Matrix *A) {
    return __atomic_load_n(&A->diagonal, __ATOMIC_RELAXED) == GB_DIAGONAL_EMPTY;
}

static gbl_Info select_entries(gb_Result *T, const gb_MapArgs *args, const gb_MapSource *source) {
    return source->is_dense ? gb_backend()->select_dense(args, &source->dense, &T->dense)
                            : gb_backend()->select_cs(args, &source->cs, &T->cs);
}

static gbl_Info select_here(const void *call) {
    const gb_MapJob *job = call;
    gb_Matrix *C = job->C, *A = job->A;
    gb_MapSource source;
    const bool diagonal = is_main_diagonal(job->map);
    gbl_Info info = gb_map_source_or_cells(&source, A, job->mask, job->transpose);
    if (info != GBL_SUCCESS) return info;
    gb_Result T = {.type = A->type, .format = source.format, .is_dense = source.is_dense};
    if (!source.is_empty && diagonal && has_no_diagonal(A)) {
        gb_map_source_release(&source);
        source.is_empty = true;
        T.is_dense = false;
    }
    if (source.is_empty) return gb_finish(C, job->mask, job->accum, &T);
    const gb_MapArgs args = gb_map_args(job->map, A, &source);
    info = select_entries(&T, &args, &source);
    gb_map_source_release(&source);
    if (info != GBL_SUCCESS) return info;
    if (diagonal && (source.is_dense ? T.dense.nvals : T.cs.nvals) == 0)
        __atomic_store_n(&A->diagonal, GB_DIAGONAL_EMPTY, __ATOMIC_RELAXED);
    return gb_finish(C, job->mask, job->accum, &T);
}

gbl_Info gb_select(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum, const gb_Map *map,
                   gb_Matrix *A, bool transpose) {
    const gb_MapJob job = {C, mask, accum, map, A, transpose};
    return gb_select_placed(&job, select_here);
}
