/* SPDX-License-Identifier: Apache-2.0
 *
 * The approximate product on several devices, and when something fails: the same bits whatever
 * their number, and after a failure C as it was and nothing left on any device.
 */
#include "cuda/cuda_test.h"
#include "mxm/spamm_cases.h"

static void sites_setup(void) {
    cuda_on_cpu_devices(4);
    cuda_setup();
}

static void sites_teardown(void) {
    cuda_teardown();
    CHECK_EQ(cuda_on_cpu_live(), 0);
    unsetenv("GBLITE_DEVICES");
    cuda_on_cpu_devices(1);
}
#define SITES_TEST(name) Test(cuda_spamm_sites, name, .init = sites_setup, .fini = sites_teardown)

static const char *const names[] = {"0", "0,1", "2,1,3,0,1", "3"};

static void set_devices(const char *list) {
    cr_assert(setenv("GBLITE_DEVICES", list, 1) == 0);
}

SITES_TEST(same_bits) {
    for (unsigned n = 0; n < 12; n++) {
        const bool single = n % 2 == 1;
        const gbl_Type type = single ? GBL_FP32 : GBL_FP64;
        gbl_Matrix A = full_matrix(type, 75, 40, n), B = full_matrix(type, 40, 50, n + 9);
        const asked how = {.approximates = n % 3 == 0 ? GBL_ERROR_BOUND : GBL_VALID_RATIO,
                           .value = n % 3 == 0 ? 100.0 : 0.6,
                           .side = n < 8 ? 16 : 64,
                           .method = GBL_DEFAULT};
        gbl_Matrix one = multiply(single ? PLUS32 : PLUS64, A, B, &how);
        t_Tuples expected = t_tuples_of(one);
        const gbl_Explanation of_one = explanation(one);
        set_devices(names[n % T_COUNT(names)]);
        cuda_on_cpu_seed(n);
        t_case("case %u, devices %s", n, names[n % T_COUNT(names)]);
        gbl_Matrix C = multiply(single ? PLUS32 : PLUS64, A, B, &how);
        t_expect_tuples(&expected, C);
        CHECK(explanation(C).tau == of_one.tau && explanation(C).valid_ratio == of_one.valid_ratio);
        CHECK(explanation(C).error_bound == of_one.error_bound);
        unsetenv("GBLITE_DEVICES");
        t_tuples_free(&expected);
        OK(gbl_Matrix_free(&one));
        OK(gbl_Matrix_free(&A));
        OK(gbl_Matrix_free(&B));
        OK(gbl_Matrix_free(&C));
    }
}

SITES_TEST(wrong_names) {
    static const char *const wrong[] = {"4", "0,x", "-1", ",", "0;1", "1,,2"};
    gbl_Matrix A = t_from_spec(GBL_FP64, "decay:40:paper"), C = NULL;
    gbl_Descriptor desc = descriptor(&ASK(GBL_TAU, 0.1, 16));
    OK(gbl_Matrix_new(&C, GBL_FP64, 40, 40));
    for (size_t k = 0; k < T_COUNT(wrong); k++) {
        t_case("'%s'", wrong[k]);
        set_devices(wrong[k]);
        FAILS(GBL_INVALID_VALUE, gbl_mxm(C, NULL, NULL, PLUS64, A, A, desc));
        CHECK(strstr(gbl_last_error(), "GBLITE_DEVICES") != NULL);
    }
    set_devices("");
    OK(gbl_mxm(C, NULL, NULL, PLUS64, A, A, desc));
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
}

/* C += A * A, and what C is before and after. */
typedef struct {
    gbl_Matrix A, C;
    gbl_Descriptor desc;
    t_Tuples before, after;
} world;

static gbl_Info product(const world *o) {
    return gbl_mxm(o->C, NULL, GBL_PLUS_FP64, PLUS64, o->A, o->A, o->desc);
}

static void forget_product(world *o) {
    OK(gbl_Matrix_free(&o->C));
    OK(gbl_Matrix_dup(&o->C, o->A));
}

static world world_new(void) {
    world o = {.A = t_from_spec(GBL_FP64, "decay:20:exp:0.8:5"),
               .desc = descriptor(&ASK(GBL_TAU, 0.2, 16))};
    OK(gbl_Matrix_dup(&o.C, o.A));
    o.before = t_tuples_of(o.C);
    OK(product(&o));
    o.after = t_tuples_of(o.C);
    forget_product(&o);
    return o;
}

static void world_free(world *o) {
    t_tuples_free(&o->before);
    t_tuples_free(&o->after);
    OK(gbl_Descriptor_free(&o->desc));
    OK(gbl_Matrix_free(&o->A));
    OK(gbl_Matrix_free(&o->C));
}

/* The n-th of something fails: C is as it was, and the next call is right. False: nothing failed.
 */
static bool fails_once(world *o, void (*fail_at)(int64_t), int64_t n, gbl_Info code) {
    t_case("number %lld fails", (long long)n);
    fail_at(n);
    const gbl_Info info = product(o);
    fail_at(0);
    CHECK(info == GBL_SUCCESS || info == code);
    if (info != GBL_SUCCESS) {
        t_expect_tuples(&o->before, o->C);
        OK(product(o));
    }
    t_expect_tuples(&o->after, o->C);
    forget_product(o);
    return info != GBL_SUCCESS;
}

/* How often something fails when each time the next one does. */
static int64_t failures(void (*fail_at)(int64_t), gbl_Info code) {
    int64_t n = 1;
    set_devices("0,1");
    world o = world_new();
    while (n < 200 && fails_once(&o, fail_at, n, code)) n++;
    world_free(&o);
    return n - 1;
}

SITES_TEST(every_allocation_of_a_device_fails) {
    const int64_t n = failures(cuda_on_cpu_fail_allocation, GBL_OUT_OF_MEMORY);
    CHECK(n > 14 && n < 199);
}

SITES_TEST(every_launch_is_refused) {
    const int64_t n = failures(cuda_on_cpu_refuse_launch, GBL_PANIC);
    CHECK(n > 8 && n < 199);
}

/* The context is lost: every later call says so, until the end. */
Test(cuda_spamm_sites, every_launch_fails) {
    bool failed = true;
    set_devices("1,2");
    for (int64_t n = 1; failed; n++) {
        cuda_on_cpu_devices(3);
        cuda_setup();
        world o = world_new();
        cuda_on_cpu_fail_launch(n);
        failed = product(&o) != GBL_SUCCESS;
        cuda_on_cpu_fail_launch(0);
        t_expect_tuples(failed ? &o.before : &o.after, o.C);
        if (failed) FAILS(GBL_PANIC, product(&o));
        world_free(&o);
        cuda_teardown();
        CHECK_EQ(cuda_on_cpu_live(), 0);
    }
    cuda_on_cpu_devices(1);
}

Test(cuda_spamm_sites, every_allocation_of_the_host_fails) {
    cuda_on_cpu_devices(2);
    t_brutal_setup();
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_GPU, GBL_PLACE));
    const int64_t n = failures(t_fail_at, GBL_OUT_OF_MEMORY);
    CHECK(n > 5 && n < 199);
    t_brutal_teardown();
    cuda_on_cpu_devices(1);
}

/* Where the place is left open, the CPU takes over what does not fit. */
SITES_TEST(too_little_memory) {
    world o = world_new();
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 5000, GBL_DEVICE_MEMORY_LIMIT));
    FAILS(GBL_OUT_OF_MEMORY, product(&o));
    t_expect_tuples(&o.before, o.C);
    cuda_gpu_is_fast();
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_AUTO, GBL_PLACE));
    OK(product(&o));
    cr_assert_str_eq(explanation(o.C).place, "cpu");
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_MEMORY_LIMIT));
    world_free(&o);
}
