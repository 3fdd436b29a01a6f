/* SPDX-License-Identifier: Apache-2.0
 *
 * Products that do not fit into the GPU's memory: slices of rows that go to the host, by every
 * method, within the limit; failures on the way leave C as it was and nothing behind.
 */
#include "cuda/cuda_test.h"
#include "support/tuples.h"

/* ONE_ROW: the factors fit, but with no row of the product. */
enum { ROWS = 80, INNER = 6, COLUMNS = 100, LIMIT = 48000, OF_MASK = 34000, ONE_ROW = 14000 };

static const gbl_Desc_Value methods[] = {GBL_METHOD_ROWWISE, GBL_METHOD_TILED, GBL_METHOD_DOT};

static gbl_Matrix make(uint64_t seed, gbl_Index rows, gbl_Index columns, double density) {
    t_Random r = t_random(seed);
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_new(&A, GBL_FP64, rows, columns));
    for (gbl_Index i = 0; i < rows; i++)
        for (gbl_Index j = 0; j < columns; j++)
            if (t_chance(&r, i % 10 == 3 ? 0.01 : density))
                OK(gbl_Matrix_setElement_FP64(A, (double)(1 + t_below(&r, 50)), i, j));
    return A;
}

typedef struct {
    gbl_Matrix A, B, M, C;
    gbl_Descriptor desc;
    t_Tuples product;
} world;

static gbl_Info multiply(const world *o, gbl_Matrix C) {
    return gbl_mxm(C, o->M, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, o->A, o->B, o->desc);
}

/* The whole product is more than the limit; mask: 0 none, 1 inside, 2 outside. */
static world world_new(gbl_Desc_Value method, int mask) {
    world o = {.A = make(1, ROWS, INNER, 0.6), .B = make(2, INNER, COLUMNS, 0.9)};
    if (mask > 0)
        o.M = make(3, ROWS, COLUMNS, mask == 2 ? 0.1 : method == GBL_METHOD_DOT ? 0.5 : 0.9);
    OK(gbl_Matrix_new(&o.C, GBL_FP64, ROWS, COLUMNS));
    OK(gbl_Descriptor_new(&o.desc));
    OK(gbl_Descriptor_set(o.desc, GBL_MASK, mask == 2 ? GBL_COMP_STRUCTURE : GBL_STRUCTURE));
    OK(gbl_Descriptor_set(o.desc, GBL_OUTP, GBL_REPLACE));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_CPU, GBL_PLACE));
    OK(multiply(&o, o.C));
    o.product = t_tuples_of(o.C);
    OK(gbl_Matrix_clear(o.C));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_GPU, GBL_PLACE));
    OK(gbl_Descriptor_set(o.desc, GBL_METHOD, method));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, LIMIT + (mask == 1 ? OF_MASK : 0),
                            GBL_DEVICE_MEMORY_LIMIT));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_BYTES_PEAK));
    return o;
}

static void world_free(world *o) {
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_MEMORY_LIMIT));
    t_tuples_free(&o->product);
    OK(gbl_Matrix_free(&o->A));
    OK(gbl_Matrix_free(&o->B));
    OK(gbl_Matrix_free(&o->C));
    OK(gbl_Matrix_free(&o->M));
    OK(gbl_Descriptor_free(&o->desc));
}

CUDA_TEST(cuda_slices, within_the_limit) {
    for (size_t k = 0; k < 3 * T_COUNT(methods); k++) {
        const bool dot = methods[k / 3] == GBL_METHOD_DOT; /* inside a mask alone */
        /* every other method without a mask, two with one */
        if (dot ? k % 3 != 1 : k % 3 != 0 && k % 3 != k / 3) continue;
        gbl_Explanation why = GBL_EXPLANATION_INIT;
        int64_t peak = 0;
        t_case("method %d, mask %d", (int)methods[k / 3], (int)(k % 3));
        world o = world_new(methods[k / 3], (int)(k % 3));
        cuda_seed(k);
        OK(multiply(&o, o.C));
        OK(gbl_Matrix_explain(&why, o.C));
        cr_assert_str_eq(why.place, "gpu");
        CHECK(why.slices > 2);
        CHECK_EQ(why.nvals, o.product.n);
        OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_DEVICE_BYTES_PEAK));
        CHECK(peak > 0 && peak <= LIMIT + (k % 3 == 1 ? OF_MASK : 0));
        t_expect_tuples(&o.product, o.C);
        world_free(&o);
    }
}

/* The stream home and the main one in many orders: buffers and arrays are not used too early. */
CUDA_TEST(cuda_slices, in_every_order) {
    world o = world_new(GBL_METHOD_TILED, 0);
    for (uint64_t seed = 0; seed < 4; seed++) {
        cuda_seed(200 + seed);
        OK(multiply(&o, o.C));
        t_expect_tuples(&o.product, o.C);
    }
    world_free(&o);
}

/* Not even one row fits. */
CUDA_TEST(cuda_slices, too_little_for_one) {
    world o = world_new(GBL_METHOD_ROWWISE, 0);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, ONE_ROW, GBL_DEVICE_MEMORY_LIMIT));
    FAILS(GBL_OUT_OF_MEMORY, multiply(&o, o.C));
    t_Tuples none = {0};
    t_expect_tuples(&none, o.C);
    world_free(&o);
}

#ifndef GB_TEST_ON_GPU
/* Whether the product failed, as it may at its n-th step; then it left nothing behind. */
static bool fails(world *o, void (*fail)(int64_t n), int64_t n, gbl_Info expected) {
    gbl_Matrix C = NULL;
    OK(gbl_Matrix_new(&C, GBL_FP64, ROWS, COLUMNS));
    fail(n);
    const gbl_Info info = multiply(o, C);
    fail(0);
    t_Tuples none = {0};
    if (info != GBL_SUCCESS) CHECK_EQ(info, expected);
    t_expect_tuples(info == GBL_SUCCESS ? &o->product : &none, C);
    OK(gbl_Matrix_free(&C));
    return info != GBL_SUCCESS;
}

CUDA_TEST(cuda_slices, launches_are_refused) {
    world o = world_new(GBL_METHOD_ROWWISE, 0);
    int64_t n = 1;
    while (fails(&o, cuda_on_cpu_refuse_launch, n, GBL_PANIC)) n += 1 + n / 2;
    CHECK(n > 60);
    world_free(&o);
}

/* Memory that is there the next time is no failure: smaller slices do. */
CUDA_TEST(cuda_slices, allocations_fail) {
    world o = world_new(GBL_METHOD_TILED, 0);
    int64_t n = 1;
    while (fails(&o, cuda_on_cpu_fail_allocation, n, GBL_OUT_OF_MEMORY)) n += 1 + n / 3;
    CHECK(n > 60);
    world_free(&o);
}
#endif
