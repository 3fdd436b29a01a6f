/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the GPU's kernels: every test begins with products forced to the GPU and ends with
 * nothing left in its memory. On the stand-in a test may ask for another order of threads; with
 * GB_TEST_ON_GPU the same tests run on a GPU, which has its own.
 */
#pragma once

#include "support/gb_test.h"

#include "mxm/machine/machine.h"

#ifdef GB_TEST_ON_GPU
static inline void cuda_seed(uint64_t seed) {
    (void)seed;
}
#else
#include "cuda_on_cpu/control.h"
static inline void cuda_seed(uint64_t seed) {
    cuda_on_cpu_seed(seed);
}
#endif

static inline void set_place(gbl_Place place) {
    OK(gbl_Global_set_INT32(GBL_GLOBAL, place, GBL_PLACE));
}

static inline unsigned formats_of(gbl_Matrix A) {
    gbl_Formats formats;
    OK(gbl_Matrix_formats(&formats, A));
    return formats.present;
}

static inline void cuda_setup(void) {
    unsetenv("GBLITE_TENSOR_CORES"); /* tests of a suite may share a process */
    t_setup();
    set_place(GBL_PLACE_GPU);
}

static inline void cuda_teardown(void) {
    int64_t in_use = 0;
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &in_use, GBL_DEVICE_BYTES_IN_USE));
    CHECK_EQ(in_use, 0);
    t_teardown();
}

/* Row i gets so many entries that A is not hypersparse. */
static inline void cuda_fill_row(gbl_Matrix A, gbl_Index i) {
    gbl_Index columns;
    OK(gbl_Matrix_ncols(&columns, A));
    for (gbl_Index j = 0; j < columns; j += 4) OK(gbl_Matrix_setElement_FP64(A, 1.0, i, j));
}

/* From now on the planner believes that products take no time on the GPU. */
static inline void cuda_gpu_is_fast(void) {
    gb_MachineTable table = *gb_machine();
    table.ns[GB_RATE_GPU_CALL] = table.ns[GB_RATE_GPU_PRODUCT] = table.ns[GB_RATE_GPU_BYTE] = 1e-6;
    table.ns[GB_RATE_GPU_SPAMM_PAIR] = 1e-6;
    gb_machine_use(&table);
}

/* Whether a kernel stands behind a semiring: asked of the library itself, by a product of 1 x 1. */
static inline bool cuda_has_kernel(const t_Ring *entry) {
    const o_Ring ring = t_ring(entry);
    gbl_Matrix A, C;
    t_Random r = t_random(7);
    const t_Content one = {.type = ring.multiply.x, .nrows = 1, .ncols = 1, .pattern = T_FULL};
    o_Matrix dense = t_generate(&r, &one);
    A = t_matrix(&dense);
    const t_Content result = {.type = ring.add.z, .nrows = 1, .ncols = 1, .pattern = T_EMPTY};
    o_Matrix empty = t_generate(&r, &result);
    C = t_matrix(&empty);
    const gbl_Info info = gbl_mxm(C, NULL, NULL, *entry->handle, A, A, NULL);
    CHECK(info == GBL_SUCCESS || info == GBL_INVALID_VALUE);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
    o_free(&dense);
    o_free(&empty);
    return info == GBL_SUCCESS;
}

#define CUDA_TEST(suite, name) Test(suite, name, .init = cuda_setup, .fini = cuda_teardown)
