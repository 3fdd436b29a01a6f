/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases for methods of the GPU: every semiring against the oracle, and matrices whose tiles are
 * full, sparse, in long rows and in long columns against the CPU, floats to the bit.
 */
#pragma once

#include "cuda/cuda_test.h"
#include "support/product.h"
#include "support/tuples.h"

/* across the borders of tiles, with tiles of one entry and of all */
static const t_Shape cuda_shapes[] = {
    {14, 11, 12, T_RANDOM, T_RANDOM, 0.2, 0.3, 0.4},
    {17, 33, 49, T_FULL, T_FULL, 0.2, 0.3, 0.4},
    {40, 18, 70, T_RANDOM, T_FULL_ROW, 0.5, 0.4, 0.3},
    {50, 65, 34, T_EMPTY_ROWS, T_RANDOM, 0.1, 0.05, 0.1},
    {33, 47, 16, T_DIAGONAL, T_RANDOM, 0.2, 0.6, 0.3},
};

/* Every built-in semiring that has a kernel, so many times, in turns with all masks and shapes. */
static inline void cuda_every_semiring(gbl_Desc_Value method, unsigned times) {
    size_t kernels = 0;
    for (size_t k = 0; k < t_ring_count; k++) {
        const o_Ring ring = t_ring(&t_rings[k]);
        if (!cuda_has_kernel(&t_rings[k])) continue;
        kernels++;
        for (unsigned f = 0; f < times; f++) {
            const uint64_t n = times * k + f;
            t_ProductCase of = {.kind = T_MXM,
                                .name = t_rings[k].name,
                                .ring = &ring,
                                .accum = t_some_accum(ring.add.z.code, 0),
                                .c = ring.add.z,
                                .a = ring.multiply.x,
                                .b = ring.multiply.y,
                                .mask = o_type(GBL_INT16_CODE),
                                .flags = t_flags((unsigned)(n * 7) % T_FLAGS_ALL),
                                .seed = n,
                                .iso = n % 6 == 0,
                                .shape = cuda_shapes[n % T_COUNT(cuda_shapes)]};
            of.flags.method = method;
            of.wild = t_rings[k].type != GBL_FP32_CODE && t_rings[k].type != GBL_FP64_CODE;
            cuda_seed(n);
            t_product(&of);
        }
    }
    CHECK(kernels >= 27); /* the blocks of semiring/foreach.h; some serve two types */
}

typedef struct {
    gbl_Index rows, columns;
    double tiles;    /* share of the tiles that have entries */
    double fill;     /* of their places */
    gbl_Index strip; /* row and column that are full, in whole or every strip-th entry; 0: none */
    gbl_Index at_row, at_column;
} cuda_Plan;

/* Sums of such values depend on their order. */
static inline double cuda_value(t_Random *r) {
    return (double)(1 + t_below(r, 1000000)) / 997.0;
}

static inline gbl_Matrix cuda_make(const cuda_Plan *of, uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, GBL_FP64, of->rows, of->columns));
    for (gbl_Index I = 0; I < of->rows; I += 16)
        for (gbl_Index J = 0; J < of->columns; J += 16) {
            if (!t_chance(&r, of->tiles)) continue;
            for (gbl_Index c = 0; c < 256; c++) {
                const gbl_Index i = I + c / 16, j = J + c % 16;
                if (i >= of->rows || j >= of->columns || !t_chance(&r, of->fill)) continue;
                OK(gbl_Matrix_setElement_FP64(A, cuda_value(&r), i, j));
            }
        }
    for (gbl_Index k = 0; of->strip > 0 && k < of->columns; k += of->strip)
        OK(gbl_Matrix_setElement_FP64(A, cuda_value(&r), of->at_row, k));
    for (gbl_Index k = 0; of->strip > 0 && k < of->rows; k += of->strip)
        OK(gbl_Matrix_setElement_FP64(A, cuda_value(&r), k, of->at_column));
    return A;
}

typedef struct {
    gbl_Desc_Value method;
    gbl_Semiring ring;
    gbl_Type type;
    gbl_Matrix mask;
    bool complement;
} cuda_How;

static inline gbl_Matrix cuda_multiply(const cuda_How *h, gbl_Matrix A, gbl_Matrix B,
                                       gbl_Place place, gbl_Explanation *why) {
    gbl_Matrix C = NULL;
    gbl_Descriptor desc = NULL;
    gbl_Index m, n;
    OK(gbl_Matrix_nrows(&m, A));
    OK(gbl_Matrix_ncols(&n, B));
    OK(gbl_Matrix_new(&C, h->type, m, n));
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD,
                          place == GBL_PLACE_GPU ? h->method : GBL_METHOD_ROWWISE));
    OK(gbl_Descriptor_set(desc, GBL_MASK, h->complement ? GBL_COMP_STRUCTURE : GBL_STRUCTURE));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, place, GBL_PLACE));
    OK(gbl_mxm(C, h->mask, NULL, h->ring, A, B, desc));
    OK(gbl_Matrix_explain(why, C));
    OK(gbl_Descriptor_free(&desc));
    return C;
}

/* The same entries and bits as by the CPU, which adds in the same order. */
static inline void cuda_compare(const cuda_How *h, gbl_Matrix A, gbl_Matrix B) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Matrix expected = cuda_multiply(h, A, B, GBL_PLACE_CPU, &why);
    gbl_Matrix actual = cuda_multiply(h, A, B, GBL_PLACE_GPU, &why);
    cr_assert_str_eq(why.place, "gpu");
    t_Tuples tuples = t_tuples_of(expected);
    t_expect_tuples(&tuples, actual);
    t_tuples_free(&tuples);
    OK(gbl_Matrix_free(&expected));
    OK(gbl_Matrix_free(&actual));
}

static inline cuda_How cuda_plus_times(gbl_Desc_Value method) {
    return (cuda_How){.method = method, .ring = GBL_PLUS_TIMES_SEMIRING_FP64, .type = GBL_FP64};
}

/* A * B of a plan and its transposed. */
static inline void cuda_square(gbl_Desc_Value method, const cuda_Plan *of, uint64_t seed) {
    const cuda_How plus = cuda_plus_times(method);
    const cuda_Plan across = {.rows = of->columns,
                              .columns = of->rows,
                              .tiles = of->tiles,
                              .fill = of->fill,
                              .strip = of->strip,
                              .at_row = of->at_column,
                              .at_column = of->at_row};
    gbl_Matrix A = cuda_make(of, seed), B = cuda_make(&across, seed + 1);
    t_case("%d x %d, tiles %g, fill %g, strip %d", (int)of->rows, (int)of->columns, of->tiles,
           of->fill, (int)of->strip);
    cuda_seed(seed);
    cuda_compare(&plus, A, B);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
}
