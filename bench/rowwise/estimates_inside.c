/* SPDX-License-Identifier: Apache-2.0
 *
 * Estimates of all rows of a product. The public interface has only their sum, so this file asks
 * the modules that the planner asks; it needs the static library.
 */
#include "rowwise/rowwise.h"

#include "kernel_api/backend.h"
#include "matrix/matrix.h"

gbl_Info rowwise_estimates(float *size, const rowwise_input *in, unsigned registers, bool clamp) {
    gb_Matrix *matrix = &in->A->m;
    const gb_Format format = in->square ? GB_CSR : GB_CSC;
    gb_CsView A, B;
    const uint8_t *sketch;
    gbl_Info info = gb_acquire(matrix, GB_CSR, &A);
    if (info == GBL_SUCCESS) info = gb_acquire(matrix, format, &B);
    if (info == GBL_SUCCESS) info = gb_sketch_get(&sketch, matrix, format, registers);
    if (info != GBL_SUCCESS) return info;
    gb_backend()->sketch_sizes(&(gb_SketchArgs){.A = A,
                                                .Bp = B.p,
                                                .sketch = sketch,
                                                .registers = registers,
                                                .ncols = B.nminor,
                                                .count = A.nmajor,
                                                .size = size,
                                                .clamp = clamp,
                                                .nthreads = in->threads});
    return GBL_SUCCESS;
}
