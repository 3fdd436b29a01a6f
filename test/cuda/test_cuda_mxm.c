/* SPDX-License-Identifier: Apache-2.0
 *
 * Products by the GPU's kernels against the oracle: every built-in semiring that has one, every
 * mask, every workflow and accumulator, shapes with rows of every kind.
 */
#include "cuda/cuda_test.h"
#include "support/product.h"

/* rows of no, few and hundreds of products, narrow and wide */
static const t_Shape shapes[] = {
    {14, 11, 12, T_RANDOM, T_RANDOM, 0.2, 0.3, 0.4},
    {9, 30, 60, T_FULL_ROW, T_RANDOM, 0.2, 0.15, 0.2},
    {7, 40, 90, T_RANDOM, T_FULL_ROW, 0.7, 0.4, 0.3},
    {20, 16, 200, T_EMPTY_ROWS, T_EMPTY_ROWS, 0.6, 0.5, 0.1},
    {70, 33, 31, T_DIAGONAL, T_RANDOM, 0.2, 0.3, 0.3},
    {40, 1, 65, T_FULL, T_FULL, 0.2, 0.3, 0.5},
};

static t_ProductCase plain_case(const t_Ring *entry, const o_Ring *ring, t_Flags flags) {
    flags.method = GBL_METHOD_ROWWISE;
    return (t_ProductCase){.kind = T_MXM,
                           .name = entry->name,
                           .ring = ring,
                           .accum = t_some_accum(ring->add.z.code, 0),
                           .c = ring->add.z,
                           .a = ring->multiply.x,
                           .b = ring->multiply.y,
                           .mask = o_type(GBL_INT16_CODE),
                           .flags = flags};
}

CUDA_TEST(cuda_mxm, every_semiring) {
    size_t kernels = 0;
    for (size_t k = 0; k < t_ring_count; k++) {
        const o_Ring ring = t_ring(&t_rings[k]);
        if (!cuda_has_kernel(&t_rings[k])) continue;
        kernels++;
        for (unsigned f = 0; f < 6; f++) {
            const uint64_t n = 6 * k + f;
            t_ProductCase of =
                plain_case(&t_rings[k], &ring, t_flags((unsigned)(n * 7) % T_FLAGS_ALL));
            of.seed = n;
            of.shape = shapes[n % T_COUNT(shapes)];
            of.iso = n % 5 == 0;
            of.wild = t_rings[k].type != GBL_FP32_CODE && t_rings[k].type != GBL_FP64_CODE;
            t_set_way(&of.flags, n * 13 % T_WAYS);
            cuda_seed(n);
            t_product(&of);
        }
    }
    CHECK(kernels >= 27); /* the blocks of semiring/foreach.h; some serve two types */
}

static const t_Ring *find_ring(o_Opcode add, o_Opcode multiply, gbl_Type_Code type) {
    size_t k = 0;
    while (k < t_ring_count &&
           (t_rings[k].add != add || t_rings[k].multiply != multiply || t_rings[k].type != type))
        k++;
    cr_assert(k < t_ring_count, "there is no such ring");
    return &t_rings[k];
}

/* Every workflow with every set of accumulators, and with every mask, transposed and not, over
 * three calls whose `from` are 8 apart: each takes one combination of flags in 23. */
enum { STEP = 23 };

static void every_way(o_Opcode add, o_Opcode multiply, gbl_Type_Code type, unsigned from) {
    const t_Ring *entry = find_ring(add, multiply, type);
    const o_Ring ring = t_ring(entry);
    for (unsigned w = 0; w < T_COUNT(t_workflows); w++)
        for (unsigned a = 0; a < T_COUNT(t_accumulators); a++)
            for (unsigned f = (5 * w + a + from) % STEP; f < T_FLAGS_ALL; f += STEP) {
                t_ProductCase of = plain_case(entry, &ring, t_flags(f));
                of.seed = 4096 * w + 512 * a + f;
                t_set_way(&of.flags, of.seed % T_WAYS);
                of.flags.workflow = t_workflows[w];
                of.flags.accumulators = t_accumulators[a];
                of.shape = shapes[(w + a + f) % T_COUNT(shapes)];
                cuda_seed(of.seed);
                t_product(&of);
            }
}

CUDA_TEST(cuda_mxm, every_way_fp64) {
    every_way(O_PLUS, O_TIMES, GBL_FP64_CODE, 0);
}

CUDA_TEST(cuda_mxm, every_way_min_plus) {
    every_way(O_MIN, O_PLUS, GBL_FP32_CODE, 8);
}

CUDA_TEST(cuda_mxm, every_way_bool) {
    every_way(O_LOR, O_LAND, GBL_BOOL_CODE, 16);
}

#ifndef GB_TEST_ON_GPU
/* Predictions follow the bandwidth of the GPU that is there: the stand-in has that of an H200, 4917
 * bytes per ns by its clock and width, where the rates have 3350. */
CUDA_TEST(cuda_mxm, predictions_follow_the_gpu) {
    enum { SIDE = 40 };
    gbl_Matrix A = NULL, C = NULL;
    double kernel[2];
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
    OK(gbl_Matrix_new(&A, GBL_FP64, SIDE, SIDE));
    OK(gbl_Matrix_new(&C, GBL_FP64, SIDE, SIDE));
    for (gbl_Index i = 0; i < SIDE * SIDE; i++)
        OK(gbl_Matrix_setElement_FP64(A, 1.5, i / SIDE, i % SIDE));
    gbl_Descriptor desc = NULL; /* by rows: those of tiles depend on tensor cores too */
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_ROWWISE));
    gb_MachineTable table = *gb_machine();
    table.ns[GB_RATE_GPU_CALL] = 0.0;
    gb_machine_use(&table);
    for (int k = 0; k < 2; k++) { /* before it is started, and after */
        gbl_Explanation why = GBL_EXPLANATION_INIT;
        OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, desc));
        OK(gbl_Matrix_explain(&why, C));
        kernel[k] = why.candidates[why.chosen].seconds_kernel;
    }
    CHECK(kernel[1] > 0.68 * kernel[0] && kernel[1] < 0.683 * kernel[0]);
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
}
#endif

/* Values of another type than the semiring's are cast on the way. */
CUDA_TEST(cuda_mxm, casts) {
    const t_Ring *entry = find_ring(O_PLUS, O_TIMES, GBL_INT64_CODE);
    const o_Ring ring = t_ring(entry);
    for (unsigned n = 0; n < 12; n++) {
        t_ProductCase of = plain_case(entry, &ring, t_flags(n * 5 % T_FLAGS_ALL));
        of.seed = n;
        of.a = o_type(t_types[n % T_COUNT(t_types)]);
        of.b = o_type(t_types[(n + 3) % T_COUNT(t_types)]);
        of.c = o_type(GBL_INT32_CODE);
        of.shape = shapes[n % T_COUNT(shapes)];
        t_product(&of);
    }
}
