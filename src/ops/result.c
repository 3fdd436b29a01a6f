/* SPDX-License-Identifier: Apache-2.0
 *
 * See result.h.
 */
#include "ops/result.h"

#include "kernel_api/device.h"
#include "core/context.h"
#include "semiring/cast.h"

void gb_result_free(gb_Result *T) {
    gb_cs_free(&T->cs);
    gb_tiles_free(&T->tiles);
    gb_dense_free(&T->dense);
    gb_device()->release(T->device);
    T->device = NULL;
}

gbl_Info gb_result_cast(gb_Result *T, const gb_Type *type) {
    const bool iso = T->is_dense ? T->dense.iso : T->cs.iso;
    const uint64_t nvals = T->is_dense ? T->dense.nvals : T->cs.nvals;
    const gb_Array values = {.type = T->type,
                             .x = T->is_dense ? T->dense.x : T->cs.x,
                             .b = T->is_dense && !iso ? T->dense.b : NULL,
                             .n = nvals == 0    ? 0
                                  : iso         ? 1
                                  : T->is_dense ? T->dense.n
                                                : T->cs.nvals};
    void *z;
    size_t bytes;
    if (T->type == type) return GBL_SUCCESS;
    const gbl_Info info = gb_cast_copy(&z, &bytes, type, &values, gb_nthreads());
    if (info != GBL_SUCCESS) return info;
    if (T->is_dense) {
        gb_free(T->dense.x, T->dense.xcap);
        T->dense.x = z;
        T->dense.xcap = bytes;
    } else {
        (T->cs.foreign ? gb_free_foreign : gb_free)(T->cs.x, T->cs.xcap);
        T->cs.x = z;
        T->cs.xcap = bytes;
    }
    T->type = type;
    return GBL_SUCCESS;
}
