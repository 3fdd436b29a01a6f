/* SPDX-License-Identifier: Apache-2.0
 *
 * Products that stay on the device until somebody needs them, and copies that make room: what is
 * moved and when, every way to need a product, memory limits that drop copies or send products
 * home.
 */
#include "cuda/cuda_test.h"
#include "support/tuples.h"

#include <pthread.h>
#include <string.h>

enum { SIDE = 60 };

static gbl_Matrix matrix(uint64_t seed, double density) {
    t_Random r = t_random(seed);
    o_Matrix dense = t_generate(
        &r, &(t_Content){o_type(GBL_INT64_CODE), SIDE, SIDE, T_RANDOM, density, false, false});
    gbl_Matrix A = t_matrix(&dense);
    o_free(&dense);
    return A;
}

static gbl_Info multiply(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B) {
    return gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, B, NULL);
}

/* A * B, made at a place. */
static gbl_Matrix product(gbl_Matrix A, gbl_Matrix B, gbl_Place place) {
    gbl_Matrix C = NULL;
    OK(gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE));
    set_place(place);
    OK(multiply(C, A, B));
    set_place(GBL_PLACE_GPU);
    return C;
}

static int64_t bytes_in_use(void) {
    int64_t bytes = 0;
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &bytes, GBL_DEVICE_BYTES_IN_USE));
    return bytes;
}

static void limit_memory(int64_t bytes) {
    OK(gbl_Global_set_INT64(GBL_GLOBAL, bytes, GBL_DEVICE_MEMORY_LIMIT));
}

static gbl_Explanation explain(gbl_Matrix C) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    OK(gbl_Matrix_explain(&why, C));
    return why;
}

typedef struct {
    gbl_Matrix A, B;
    t_Tuples AB, ABA; /* A * B and A * B * A */
} world;

static world world_new(void) {
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_BYTES_PEAK));
    world o = {.A = matrix(1, 0.2), .B = matrix(2, 0.2)};
    gbl_Matrix AB = product(o.A, o.B, GBL_PLACE_CPU), ABA = product(AB, o.A, GBL_PLACE_CPU);
    o.AB = t_tuples_of(AB);
    o.ABA = t_tuples_of(ABA);
    OK(gbl_Matrix_free(&AB));
    OK(gbl_Matrix_free(&ABA));
    return o;
}

static void world_free(world *o) {
    t_tuples_free(&o->AB);
    t_tuples_free(&o->ABA);
    OK(gbl_Matrix_free(&o->A));
    OK(gbl_Matrix_free(&o->B));
}

/* --------------------------------------------------------------------------- left on the GPU -- */

CUDA_TEST(cuda_left, until_somebody_looks) {
    world o = world_new();
    gbl_Matrix C = product(o.A, o.B, GBL_PLACE_GPU);
    gbl_Index nvals = 0;
    CHECK_EQ(formats_of(C), GBL_HAS_DEVICE);
    CHECK_EQ(explain(C).bytes_from_device, 0);
    CHECK(explain(C).bytes_to_device > 0);
    OK(gbl_Matrix_nvals(&nvals, C));
    OK(gbl_Matrix_wait(C, GBL_COMPLETE));
    CHECK_EQ(nvals, o.AB.n);
    CHECK_EQ(formats_of(C), GBL_HAS_DEVICE); /* nobody has looked at entries */
    t_expect_tuples(&o.AB, C);
    CHECK_EQ(formats_of(C), GBL_HAS_CSR);
    CHECK_EQ(explain(C).bytes_from_device, 8 * (SIDE + 1) + 12 * o.AB.n);
    OK(gbl_Matrix_free(&C));
    world_free(&o);
}

/* A chain of products moves its factors there, once, and its result back. */
CUDA_TEST(cuda_left, chains_move_nothing_between) {
    world o = world_new();
    gbl_Matrix AB = product(o.A, o.B, GBL_PLACE_GPU), C = product(AB, o.A, GBL_PLACE_GPU);
    CHECK_EQ(explain(C).bytes_to_device, 0);
    CHECK_EQ(formats_of(AB), GBL_HAS_DEVICE);
    t_expect_tuples(&o.ABA, C);
    OK(multiply(AB, AB, o.A)); /* in the place of a factor */
    CHECK_EQ(explain(AB).bytes_to_device, 0);
    t_expect_tuples(&o.ABA, AB);
    OK(gbl_Matrix_free(&AB));
    OK(gbl_Matrix_free(&C));
    world_free(&o);
}

/* The CPU may need it, too. */
CUDA_TEST(cuda_left, products_elsewhere) {
    world o = world_new();
    gbl_Matrix AB = product(o.A, o.B, GBL_PLACE_GPU), C = product(AB, o.A, GBL_PLACE_CPU);
    t_expect_tuples(&o.ABA, C);
    CHECK(formats_of(AB) & GBL_HAS_CSR);
    OK(gbl_Matrix_free(&C));
    C = product(AB, o.A, GBL_PLACE_GPU); /* what it left there is good yet */
    CHECK_EQ(explain(C).bytes_to_device, 0);
    t_expect_tuples(&o.ABA, C);
    OK(gbl_Matrix_free(&AB));
    OK(gbl_Matrix_free(&C));
    world_free(&o);
}

/* Where the place was left open the host has it at once, whatever happens to the device later. */
CUDA_TEST(cuda_left, only_when_asked_for) {
    enum { ROWS = 3000, COLUMNS = 2000 };
    gbl_Matrix A = NULL, B = NULL, C = NULL;
    OK(gbl_Matrix_new(&A, GBL_BOOL, ROWS, 2));
    OK(gbl_Matrix_new(&B, GBL_BOOL, 2, COLUMNS));
    OK(gbl_Matrix_new(&C, GBL_BOOL, ROWS, COLUMNS));
    for (gbl_Index i = 0; i < ROWS; i++) OK(gbl_Matrix_setElement_BOOL(A, true, i, 0));
    for (gbl_Index j = 0; j < COLUMNS; j++) OK(gbl_Matrix_setElement_BOOL(B, true, 1, j));
    OK(gbl_Matrix_setElement_BOOL(B, true, 0, 7)); /* the only column of C */
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
    set_place(GBL_PLACE_AUTO);
    cuda_gpu_is_fast();
    OK(gbl_mxm(C, NULL, NULL, GBL_LOR_LAND_SEMIRING_BOOL, A, B, NULL));
    cr_assert_str_eq(explain(C).place, "gpu");
    CHECK_EQ(formats_of(C), GBL_HAS_CSR);
    CHECK_EQ(explain(C).nvals, ROWS);
    CHECK(explain(C).bytes_from_device > 0);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    const int64_t copy = bytes_in_use(); /* of C, for the next product */
    CHECK(copy > 0);
    OK(gbl_Matrix_free(&C));
    CHECK_EQ(bytes_in_use(), 0);
}

/* Every way to need content finds it. */
static void use(gbl_Matrix C, int way, const t_Tuples *AB) {
    gbl_Matrix D = NULL;
    int64_t sum = 0, expected = 0;
    switch (way) {
    case 0:
        OK(gbl_Matrix_dup(&D, C));
        t_expect_tuples(AB, D);
        break;
    case 1:
        OK(gbl_transpose(C, NULL, NULL, C, NULL));
        OK(gbl_transpose(C, NULL, NULL, C, NULL));
        break;
    case 2:
        OK(gbl_Matrix_setElement_INT64(C, AB->n > 0 ? 1 : 0, SIDE - 1, SIDE - 1));
        OK(gbl_Matrix_removeElement(C, SIDE - 1, SIDE - 1));
        OK(gbl_Matrix_new(&D, GBL_INT64, SIDE, SIDE));
        OK(gbl_Matrix_apply(D, NULL, NULL, GBL_IDENTITY_INT64, C, NULL));
        OK(gbl_Matrix_free(&D));
        return; /* the last cell may have had an entry */
    case 3:
        OK(gbl_Matrix_resize(C, SIDE, SIDE + 1));
        OK(gbl_Matrix_resize(C, SIDE, SIDE));
        break;
    case 4:
        for (gbl_Index k = 0; k < AB->n; k++) expected += 1;
        OK(gbl_Matrix_new(&D, GBL_INT64, SIDE, SIDE));
        OK(gbl_Matrix_apply(D, NULL, NULL, GBL_ONE_INT64, C, NULL));
        OK(gbl_Matrix_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, D, NULL));
        CHECK_EQ(sum, expected);
        break;
    default:
        OK(gbl_Matrix_new(&D, GBL_INT64, SIDE, SIDE));
        OK(gbl_Matrix_eWiseAdd_BinaryOp(D, NULL, NULL, GBL_PLUS_INT64, C, C, NULL));
        break;
    }
    t_expect_tuples(AB, C);
    OK(gbl_Matrix_free(&D));
}

CUDA_TEST(cuda_left, for_every_use) {
    world o = world_new();
    for (int way = 0; way < 6; way++) {
        gbl_Matrix C = product(o.A, o.B, GBL_PLACE_GPU);
        t_case("way %d", way);
        CHECK_EQ(formats_of(C), GBL_HAS_DEVICE);
        use(C, way, &o.AB);
        OK(gbl_Matrix_free(&C));
    }
    world_free(&o);
}

/* As mask, as a factor by columns, as what accum adds to. */
CUDA_TEST(cuda_left, for_products) {
    world o = world_new();
    gbl_Matrix got[3], want[3];
    for (int at = 0; at < 2; at++) {
        const gbl_Place place = at == 0 ? GBL_PLACE_CPU : GBL_PLACE_GPU;
        gbl_Matrix *C = at == 0 ? want : got, AB = product(o.A, o.B, place);
        for (int k = 0; k < 3; k++) C[k] = product(o.B, o.A, place);
        set_place(place);
        OK(gbl_mxm(C[0], AB, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, o.A, o.A, GBL_DESC_R));
        OK(gbl_mxm(C[1], NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, AB, o.A, GBL_DESC_T0));
        OK(gbl_mxm(C[2], AB, GBL_PLUS_INT64, GBL_PLUS_TIMES_SEMIRING_INT64, AB, o.A, GBL_DESC_S));
        OK(gbl_Matrix_free(&AB));
    }
    for (int k = 0; k < 3; k++) {
        t_Tuples tuples = t_tuples_of(want[k]);
        t_case("product %d", k);
        t_expect_tuples(&tuples, got[k]);
        t_tuples_free(&tuples);
        OK(gbl_Matrix_free(&want[k]));
        OK(gbl_Matrix_free(&got[k]));
    }
    set_place(GBL_PLACE_GPU);
    world_free(&o);
}

typedef struct {
    const world *o;
    gbl_Matrix C;
} shared;

static void *look(void *context) {
    const shared *s = context;
    t_expect_tuples(&s->o->AB, s->C);
    gbl_Matrix D = NULL;
    OK(gbl_Matrix_new(&D, GBL_INT64, SIDE, SIDE));
    OK(multiply(D, s->C, s->o->A));
    t_expect_tuples(&s->o->ABA, D);
    OK(gbl_Matrix_free(&D));
    return NULL;
}

CUDA_TEST(cuda_left, readers_share_it) {
    enum { THREADS = 4 };
    world o = world_new();
    pthread_t thread[THREADS];
    shared s = {&o, product(o.A, o.B, GBL_PLACE_GPU)};
    for (int t = 0; t < THREADS; t++) CHECK_EQ(pthread_create(&thread[t], NULL, look, &s), 0);
    for (int t = 0; t < THREADS; t++) CHECK_EQ(pthread_join(thread[t], NULL), 0);
    OK(gbl_Matrix_free(&s.C));
    world_free(&o);
}

/* ------------------------------------------------------------------------------------- making room
 */

/* Copies go, the one used longest ago first, and come back. */
CUDA_TEST(cuda_left, copies_make_room) {
    world o = world_new();
    gbl_Matrix C = product(o.A, o.B, GBL_PLACE_GPU), other[2] = {matrix(8, 0.2), matrix(9, 0.2)};
    int64_t peak = 0;
    t_expect_tuples(&o.AB, C);
    OK(gbl_Matrix_clear(C));
    const int64_t copies = bytes_in_use();
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_DEVICE_BYTES_PEAK));
    limit_memory(peak + copies / 3); /* two factors and their product, but not four */
    gbl_Matrix D = product(other[0], other[1], GBL_PLACE_GPU);
    CHECK(bytes_in_use() < peak + copies / 3);
    gbl_Matrix expected = product(other[0], other[1], GBL_PLACE_CPU);
    t_Tuples tuples = t_tuples_of(expected);
    t_expect_tuples(&tuples, D);
    OK(multiply(C, o.A, o.B));
    CHECK(explain(C).bytes_to_device > 0);
    t_expect_tuples(&o.AB, C);
    t_tuples_free(&tuples);
    OK(gbl_Matrix_free(&expected));
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&D));
    for (int k = 0; k < 2; k++) OK(gbl_Matrix_free(&other[k]));
    limit_memory(0);
    world_free(&o);
}

/* Products that are nowhere else go home, and may come back. */
CUDA_TEST(cuda_left, products_make_room) {
    enum { PRODUCTS = 6 };
    world o = world_new();
    gbl_Matrix C[PRODUCTS];
    int64_t peak = 0;
    C[0] = product(o.A, o.B, GBL_PLACE_GPU);
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_DEVICE_BYTES_PEAK));
    limit_memory(peak + 100);
    uint64_t moved = 0;
    for (int k = 1; k < PRODUCTS; k++) {
        C[k] = product(o.A, o.B, GBL_PLACE_GPU);
        moved += explain(C[k]).bytes_from_device;
    }
    CHECK(moved > 0);
    for (int k = 0; k < PRODUCTS; k++) CHECK_EQ(formats_of(C[k]), GBL_HAS_DEVICE);
    limit_memory(0);
    gbl_Matrix D = product(C[0], o.A, GBL_PLACE_GPU);
    CHECK(explain(D).bytes_to_device > 0);
    t_expect_tuples(&o.ABA, D);
    for (int k = 0; k < PRODUCTS; k++) t_expect_tuples(&o.AB, C[k]);
    for (int k = 0; k < PRODUCTS; k++) OK(gbl_Matrix_free(&C[k]));
    OK(gbl_Matrix_free(&D));
    world_free(&o);
}

/* Room that the expected sizes do not find is found by counting. */
CUDA_TEST(cuda_left, counts_where_estimates_do_not_fit) {
    gbl_Matrix A = NULL, C = NULL;
    int64_t peak = 0;
    OK(gbl_Matrix_new(&A, GBL_INT64, 128, 128));
    OK(gbl_Matrix_new(&C, GBL_INT64, 128, 128));
    for (gbl_Index i = 0; i < 128; i++)
        for (gbl_Index e = 0; e < 32; e++)
            OK(gbl_Matrix_setElement_INT64(A, 1, i, (i / 32 * 32 + e) % 128));
    OK(multiply(C, A, A));
    cr_assert_str_eq(explain(C).workflow, "estimate");
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_DEVICE_BYTES_PEAK));
    t_Tuples tuples = t_tuples_of(C);
    bool counted = false;
    for (int64_t limit = peak; !counted && limit > 0; limit -= 2000) {
        limit_memory(limit);
        OK(gbl_Matrix_clear(C));
        OK(multiply(C, A, A));
        counted = strcmp(explain(C).workflow, "symbolic") == 0;
        t_expect_tuples(&tuples, C);
    }
    CHECK(counted);
    t_tuples_free(&tuples);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
    limit_memory(0);
}

/* -- products that are to be on the host */

CUDA_TEST(cuda_left, materialize_brings_it_home) {
    world o = world_new();
    gbl_Matrix C = product(o.A, o.B, GBL_PLACE_GPU);
    CHECK_EQ(formats_of(C), GBL_HAS_DEVICE);
    OK(gbl_Matrix_wait(C, GBL_COMPLETE));
    CHECK_EQ(formats_of(C), GBL_HAS_DEVICE);
    OK(gbl_Matrix_wait(C, GBL_MATERIALIZE));
    CHECK_EQ(formats_of(C), GBL_HAS_CSR);
    CHECK(explain(C).bytes_from_device > 0);
    OK(gbl_Matrix_free(&C));
    world_free(&o);
}

CUDA_TEST(cuda_left, not_in_blocking_mode) {
    OK(gbl_finalize());
    OK(gbl_init(GBL_BLOCKING));
    world o = world_new();
    gbl_Matrix C = product(o.A, o.B, GBL_PLACE_GPU);
    CHECK_EQ(formats_of(C), GBL_HAS_CSR);
    CHECK(strcmp(explain(C).place, "gpu") == 0);
    OK(gbl_Matrix_free(&C));
    world_free(&o);
}
