/* SPDX-License-Identifier: Apache-2.0
 *
 * Rates of the GPU: measured, kept under its name, used for GPUs of that name and no others; and
 * what is known of others stays.
 */
#include "cuda/cuda_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mxm/calibrate/calibrate.h"
#include "mxm/machine/machine.h"

static const char *const STANDIN = "fibers on a CPU";
static char path[64];

static void begin(void) {
    snprintf(path, sizeof path, "/tmp/gblite-devices-XXXXXX");
    const int fd = mkstemp(path);
    cr_assert(fd >= 0);
    close(fd);
    setenv("GBLITE_CONFIG", "off", 1);
    cuda_setup();
}

static void end(void) {
    remove(path);
    cuda_teardown();
}

#define CALIBRATE_TEST(name) Test(cuda_calibrate, name, .init = begin, .fini = end)

/* What a product by rows is predicted to take there, and by whose rates. */
static double predicted(const char **rates) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Matrix A = NULL, C = NULL;
    OK(gbl_Matrix_new(&A, GBL_FP64, 40, 40));
    OK(gbl_Matrix_new(&C, GBL_FP64, 40, 40));
    for (gbl_Index i = 0; i < 1600; i++) OK(gbl_Matrix_setElement_FP64(A, 1.5, i / 40, i % 40));
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_ROWWISE));
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, desc));
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Matrix_explain(&why, C));
    cr_assert_str_eq(why.place, "gpu");
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
    *rates = why.machine;
    return why.candidates[why.chosen].seconds_kernel;
}

CALIBRATE_TEST(keeps_what_it_finds_under_its_name) {
    gb_DevicesKnown known = {.n = 0};
    gb_DeviceRates other = {.name = "NVIDIA H200"};
    char why[GB_MACHINE_TEXT], beside[80];
    for (int r = GB_FIRST_DEVICE_RATE; r < GB_RATES; r++) other.ns[r] = 1.0;
    gb_devices_add(&known, &other);
    snprintf(beside, sizeof beside, "%s.devices", path);
    OK(gb_devices_write(&known, beside));
    OK(gb_machine_write(gb_machine(), path));
    OK(gbl_calibrate_device(path));
    OK(gb_devices_read(&known, beside, why));
    CHECK_EQ(known.n, 2);
    gb_MachineTable table; /* of the CPU, which stays */
    OK(gb_machine_read(&table, path, why));
    remove(beside);
    CHECK(memcmp(gb_devices_find(&known, "NVIDIA H200"), &other, sizeof other) == 0);
    const gb_DeviceRates *found = gb_devices_find(&known, STANDIN);
    CHECK(found != NULL);
    /* a thousand times as slow as the built-in rates say, and so is what was not measured */
    CHECK(found->ns[GB_RATE_GPU_PRODUCT] > 20.0 * gb_machine()->ns[GB_RATE_GPU_PRODUCT]);
    CHECK(found->ns[GB_RATE_GPU_SPAMM_PAIR] > 20.0 * gb_machine()->ns[GB_RATE_GPU_SPAMM_PAIR]);
    /* it is used where it was measured, and nowhere else */
    CHECK(fabs(gb_machine_on(STANDIN)->ns[GB_RATE_GPU_PRODUCT] / found->ns[GB_RATE_GPU_PRODUCT] -
               1.0) < 1e-6);
    CHECK(gb_machine_on("fibers") == NULL);
    CHECK(gb_machine()->ns[GB_RATE_GPU_PRODUCT] < 0.1);
}

/* The rates of a file; what another GPU's would say is not asked. */
CALIBRATE_TEST(rates_are_for_one_name) {
    double seconds[2];
    const char *rates[3];
    for (int k = 0; k < 2; k++) {
        gb_DevicesKnown known = {.n = 0};
        gb_DeviceRates one = {.name = "fibers on another CPU"};
        if (k == 1) strcpy(one.name, STANDIN);
        for (int r = GB_FIRST_DEVICE_RATE; r < GB_RATES; r++) one.ns[r] = 1e6;
        gb_devices_add(&known, &one);
        gb_machine_use_devices(&known);
        predicted(&rates[k]); /* starts the GPU */
        seconds[k] = predicted(&rates[k]);
    }
    gb_MachineTable table = *gb_machine();
    table.source = "calibrated";
    gb_machine_use(&table);
    predicted(&rates[2]);
    cr_assert_str_eq(rates[0], "built in");
    cr_assert_str_eq(rates[1], "built in, the GPU's calibrated");
    cr_assert_str_eq(rates[2], "calibrated, the GPU's too");
    CHECK(seconds[0] < 1e-2);
    CHECK(seconds[1] > 60.0 && seconds[1] < 66.0); /* 64000 products of 1 ms, and a call */
}

CALIBRATE_TEST(are_read_at_the_start) {
    gb_DevicesKnown known = {.n = 0};
    gb_DeviceRates rates = {.name = "fibers on a CPU"};
    gbl_MachineFacts facts = GBL_MACHINE_FACTS_INIT;
    char config[80];
    for (int r = GB_FIRST_DEVICE_RATE; r < GB_RATES; r++) rates.ns[r] = 7.0;
    gb_devices_add(&known, &rates);
    snprintf(config, sizeof config, "%s.devices", path);
    OK(gb_devices_write(&known, config));
    OK(gbl_finalize());
    remove(path); /* there is no machine table */
    setenv("GBLITE_CONFIG", path, 1);
    OK(gbl_init(GBL_NONBLOCKING));
    OK(gbl_machine(&facts));
    CHECK(facts.devices == 1 && facts.devices_refused == NULL && facts.refused == NULL);
    CHECK(gb_machine_on(STANDIN)->ns[GB_RATE_GPU_CALL] == 7.0);
    FILE *file = fopen(config, "w");
    CHECK(file != NULL && fputs("format 1\ndevice x\n", file) >= 0 && fclose(file) == 0);
    OK(gbl_finalize());
    OK(gbl_init(GBL_NONBLOCKING));
    OK(gbl_machine(&facts));
    CHECK(facts.devices == 0 && strstr(facts.devices_refused, "'error'") != NULL);
    remove(config);
}

/* What cannot be read is no reason to lose what it says of other GPUs. */
CALIBRATE_TEST(a_file_that_is_wrong_stays) {
    char config[80], line[40] = "";
    snprintf(config, sizeof config, "%s.devices", path);
    FILE *file = fopen(config, "w");
    CHECK(file != NULL && fputs("format 1000\n", file) >= 0 && fclose(file) == 0);
    FAILS(GBL_INVALID_VALUE, gbl_calibrate_device(path));
    CHECK(strstr(gbl_last_error(), config) != NULL && strstr(gbl_last_error(), "another format"));
    file = fopen(config, "r");
    CHECK(file != NULL && fgets(line, sizeof line, file) != NULL && fclose(file) == 0);
    cr_assert_str_eq(line, "format 1000\n");
    remove(config);
    CHECK(mkdir(config, 0700) == 0); /* which nobody can read as a file */
    FAILS(GBL_IO_ERROR, gbl_calibrate_device(path));
    CHECK(strstr(gbl_last_error(), "cannot be read") != NULL);
    rmdir(config);
}

#ifndef GB_TEST_ON_GPU
static bool stop(void *context, const char *what, double done) {
    (void)context, (void)done;
    return strcmp(what, "calibrate") != 0;
}

CALIBRATE_TEST(failures_change_nothing) {
    gb_DeviceRates rates = {.error = 5.0};
    OK(gbl_set_progress(stop, NULL));
    FAILS(GBL_CANCELLED, gbl_calibrate_device(path));
    OK(gbl_set_progress(NULL, NULL));
    cuda_on_cpu_fail_allocation(3);
    FAILS(GBL_OUT_OF_MEMORY, gb_calibrate_device(&rates, 0.0));
    cuda_on_cpu_fail_allocation(0);
    cuda_on_cpu_refuse_launch(5);
    FAILS(GBL_PANIC, gb_calibrate_device(&rates, 0.0));
    cuda_on_cpu_refuse_launch(0);
    CHECK(rates.error == 5.0 && gb_machine_on(STANDIN) == NULL);
    FAILS(GBL_IO_ERROR, gb_devices_write(&(gb_DevicesKnown){.n = 0}, "/proc/no/such"));
}

CALIBRATE_TEST(nothing_without_a_gpu) {
    cuda_on_cpu_devices(0);
    FAILS(GBL_INVALID_VALUE, gbl_calibrate_device(path));
    CHECK(strstr(gbl_last_error(), "GPU") != NULL);
    cuda_on_cpu_devices(1);
}
#endif
