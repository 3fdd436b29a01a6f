/* SPDX-License-Identifier: Apache-2.0
 *
 * Sketches depend on the pattern alone, not on the order of a row's entries.
 */
#include "matrix/sketch.h"

#include "kernel_api/backend.h"
#include "core/context.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/tune.h"
#include "matrix/acquire.h"

static int slot(unsigned registers) {
    return registers == 32 ? 0 : registers == 64 ? 1 : 2;
}

gbl_Info gb_sketch_get(const uint8_t **sketch, gb_Matrix *A, gb_Format format, unsigned registers) {
    gb_CsView view;
    gbl_Info info = gb_acquire(A, format, &view);
    if (info != GBL_SUCCESS) return info;
    uint8_t **cached = &A->sketch[format][slot(registers)];
    size_t bytes;
    pthread_mutex_lock(&A->lock);
    if (*cached == NULL && gb_size_mul(&bytes, view.nmajor, registers)) {
        uint8_t *made = gb_malloc(bytes);
        if (made != NULL) {
            gb_backend()->sketch_rows(&view, registers, made,
                                      gb_threads_for(view.nvals, GB_GRAIN, gb_nthreads()));
            *cached = made;
        }
    }
    *sketch = *cached;
    pthread_mutex_unlock(&A->lock);
    const bool made = *sketch != NULL || view.nmajor == 0;
    return made ? GBL_SUCCESS : gb_fail_memory(view.nmajor * registers);
}

const uint8_t *gb_sketch_at_hand(gb_Matrix *A, gb_Format format, unsigned registers) {
    pthread_mutex_lock(&A->lock);
    const uint8_t *sketch = A->sketch[format][slot(registers)];
    pthread_mutex_unlock(&A->lock);
    return sketch;
}
