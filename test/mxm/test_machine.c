/* SPDX-License-Identifier: Apache-2.0
 *
 * Machine tables: what is written is read; what is broken or foreign is refused with a reason and
 * ignored; rates are found again from what they predict; a calibration can be stopped.
 */
#include "support/gb_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mxm/calibrate/calibrate.h"
#include "mxm/machine/machine.h"

static char path[64];

static void begin(void) {
    t_expect_end();
    snprintf(path, sizeof path, "/tmp/gblite-machine-XXXXXX");
    const int fd = mkstemp(path);
    cr_assert(fd >= 0);
    close(fd);
    setenv("GBLITE_CONFIG", "off", 1);
    OK(gbl_init(GBL_NONBLOCKING));
}

static void end(void) {
    OK(gbl_finalize());
    remove(path);
    t_end_reached();
}

#define MACHINE_TEST(name) Test(machine, name, .init = begin, .fini = end)

static char *read_text(void) {
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 16384);
    CHECK(file != NULL && text != NULL);
    CHECK(fread(text, 1, 16383, file) > 0);
    fclose(file);
    return text;
}

static void write_text(const char *text, size_t size) {
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fwrite(text, 1, size, file) == size);
    CHECK_EQ(fclose(file), 0);
}

MACHINE_TEST(what_is_written_is_read) {
    gb_MachineTable m = *gb_machine(), back;
    char why[GB_MACHINE_TEXT];
    for (int r = 0; r < GB_RATES; r++) m.ns[r] = 0.001 * (r + 1);
    m.latency = 91.5;
    m.error = 0.0;
    OK(gb_machine_write(&m, path));
    OK(gb_machine_read(&back, path, why));
    for (int r = 0; r < GB_RATES; r++) CHECK(fabs(back.ns[r] / m.ns[r] - 1.0) < 1e-5);
    CHECK(back.latency == 91.5 && back.cache[1] == m.cache[1]);
    CHECK(strcmp(back.source, "calibrated") == 0);
}

/* The text of a good table with `from` replaced by `to`. */
static void replace(char *text, const char *from, const char *to) {
    char *at = strstr(text, from);
    char *rest = strdup(at + strlen(from));
    CHECK(rest != NULL);
    strcpy(at, to);
    strcat(at, rest);
    free(rest);
}

MACHINE_TEST(broken_tables_are_refused) {
    static const struct {
        const char *from, *to, *why;
    } cases[] = {
        {"format 4", "format 999", "format"},
        {"format 4\n", "", "format"},
        {"cpu ", "cpu No Such Processor ", "another processor"},
        {"isa ", "isa no-such-", "other kernels"},
        {"latency ", "latency x", "sensible number"},
        {"latency ", "latency -", "sensible number"},
        {"latency ", "latency nan\n#", "sensible number"},
        {"latency ", "latency inf\n#", "sensible number"},
        {"latency ", "latency 1e300\n#", "sensible number"},
        {"cache1 ", "cache1 1e-9\n#", "sensible number"},
        {"cache3 ", "cache3 4095\n#", "sensible number"},
        {"latency ", "latency 3\nlatency ", "second value"},
        {"latency ", "#latency ", "'latency'"},
        {"\nlatency ", "\nlatency\nX ", "no value"},
        {"\nlatency ", "\nlatencies ", "no such key"},
        {"\nDENSE ", "\n#DENSE ", "'DENSE'"},
        {"\nDENSE ", "\nDENSE 0\n#", "sensible number"},
    };
    char why[GB_MACHINE_TEXT];
    gb_MachineTable good = *gb_machine(), table;
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        t_case("'%s' for '%s'", cases[k].to, cases[k].from);
        OK(gb_machine_write(&good, path));
        char *text = read_text();
        replace(text, cases[k].from, cases[k].to);
        write_text(text, strlen(text));
        free(text);
        memset(&table, 7, sizeof table);
        const gb_MachineTable before = table;
        CHECK_EQ(gb_machine_read(&table, path, why), GBL_INVALID_VALUE);
        cr_assert(strstr(why, cases[k].why) != NULL, "'%s' for %s", why, t_case_text());
        CHECK(memcmp(&before, &table, sizeof table) == 0);
    }
}

MACHINE_TEST(rubbish_is_refused) {
    static const char zeros[4096];
    char long_line[2000], why[GB_MACHINE_TEXT];
    gb_MachineTable table = *gb_machine();
    memset(long_line, 'a', sizeof long_line);
    const struct {
        const char *text;
        size_t size;
    } cases[] = {{"", 0}, {zeros, sizeof zeros}, {long_line, sizeof long_line}, {"\n\n# x\n", 6}};
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        t_case("%zu", k);
        write_text(cases[k].text, cases[k].size);
        CHECK_EQ(gb_machine_read(&table, path, why), GBL_INVALID_VALUE);
        CHECK(why[0] != '\0');
    }
    CHECK_EQ(gb_machine_read(&table, "/tmp", why), GBL_IO_ERROR);
    CHECK_EQ(gb_machine_read(&table, "/no/such/file", why), GBL_NO_VALUE);
}

/* gbl_init uses what is good, tells why it does not use what is not, and never fails for it. */
MACHINE_TEST(init_reads_the_file) {
    gbl_MachineFacts facts = GBL_MACHINE_FACTS_INIT;
    gb_MachineTable m = *gb_machine();
    m.latency = 77.0;
    OK(gb_machine_write(&m, path));
    OK(gbl_machine(&facts));
    CHECK(strcmp(facts.source, "built in") == 0 && facts.path == NULL && facts.refused == NULL);
    OK(gbl_finalize());
    setenv("GBLITE_CONFIG", path, 1);
    OK(gbl_init(GBL_NONBLOCKING));
    OK(gbl_machine(&facts));
    CHECK(strcmp(facts.source, "calibrated") == 0 && facts.latency == 77.0);
    CHECK(strcmp(facts.path, path) == 0 && facts.refused == NULL);
    write_text("format 4\n", 9);
    OK(gbl_finalize());
    OK(gbl_init(GBL_NONBLOCKING));
    OK(gbl_machine(&facts));
    CHECK(strcmp(facts.source, "built in") == 0 && facts.refused != NULL);
    CHECK(strstr(facts.refused, "cpu") != NULL);
    FAILS(GBL_NULL_POINTER, gbl_machine(NULL));
}

MACHINE_TEST(the_place_follows_the_environment) {
    char place[GB_PATH_MOST];
    CHECK(!gb_machine_path(place));
    setenv("GBLITE_CONFIG", "/x/y", 1);
    CHECK(gb_machine_path(place) && strcmp(place, "/x/y") == 0);
    unsetenv("GBLITE_CONFIG");
    setenv("XDG_CONFIG_HOME", "/config", 1);
    CHECK(gb_machine_path(place) && strcmp(place, "/config/gblite/machine") == 0);
    unsetenv("XDG_CONFIG_HOME");
    setenv("HOME", "/home/x", 1);
    CHECK(gb_machine_path(place) && strcmp(place, "/home/x/.config/gblite/machine") == 0);
    unsetenv("HOME");
    CHECK(!gb_machine_path(place));
    FAILS(GBL_INVALID_VALUE, gbl_calibrate(NULL));
}

/* -- rates of GPUs */

static gb_DeviceRates device_rates(const char *name, double first) {
    gb_DeviceRates rates = {.error = 0.25};
    snprintf(rates.name, sizeof rates.name, "%s", name);
    for (int r = GB_FIRST_DEVICE_RATE; r < GB_RATES; r++) rates.ns[r] = first + r;
    return rates;
}

/* Every GPU has its own; one more than there is room for takes the place of the first. */
MACHINE_TEST(devices_that_are_written_are_read) {
    gb_DevicesKnown known = {.n = 0}, back;
    char why[GB_MACHINE_TEXT], name[GB_DEVICE_NAME];
    for (int k = 0; k <= GB_DEVICES_MOST; k++) {
        snprintf(name, sizeof name, "A GPU %d", k);
        const gb_DeviceRates rates = device_rates(name, k);
        gb_devices_add(&known, &rates);
        gb_devices_add(&known, &rates);
        CHECK_EQ(known.n, k < GB_DEVICES_MOST ? k + 1 : GB_DEVICES_MOST);
    }
    OK(gb_devices_write(&known, path));
    OK(gb_devices_read(&back, path, why));
    CHECK(memcmp(&known, &back, sizeof back) == 0);
    CHECK(gb_devices_find(&back, "A GPU 0") == NULL && gb_devices_find(&back, "A GPU") == NULL);
    CHECK(gb_devices_find(&back, "A GPU 8")->ns[GB_RATE_GPU_BYTE] == 8.0 + GB_RATE_GPU_BYTE);
}

MACHINE_TEST(broken_devices_are_refused) {
    static const struct {
        const char *from, *to, *why;
    } cases[] = {
        {"format 1", "format 2", "format"},
        {"format 1\n", "", "no format"},
        {"device A GPU\n", "", "no device"},
        {"error ", "error -", "sensible number"},
        {"error ", "#error ", "'error'"},
        {"GPU_BYTE ", "GPU_BYTE 0\n#", "sensible number"},
        {"GPU_BYTE ", "GPU_BITE ", "no such key"},
        {"GPU_BYTE ", "#GPU_BYTE ", "GPU_BYTE"},
        {"GPU_BYTE ", "GPU_BYTE 3\nGPU_BYTE ", "second value"},
        {"GPU_BYTE ", "DENSE ", "no such key"},
        {"GPU_BYTE ", "device A GPU\nGPU_BYTE ", "before has no value"},
    };
    gb_DevicesKnown good = {.n = 0}, known;
    const gb_DeviceRates rates = device_rates("A GPU", 1.0);
    char why[GB_MACHINE_TEXT];
    gb_devices_add(&good, &rates);
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        t_case("'%s' for '%s'", cases[k].to, cases[k].from);
        OK(gb_devices_write(&good, path));
        char *text = read_text();
        replace(text, cases[k].from, cases[k].to);
        write_text(text, strlen(text));
        free(text);
        known.n = 3;
        CHECK_EQ(gb_devices_read(&known, path, why), GBL_INVALID_VALUE);
        cr_assert(strstr(why, cases[k].why) != NULL, "'%s' for %s", why, t_case_text());
        CHECK_EQ(known.n, 3);
    }
}

/* After `n` devices that are sound a line that is not. */
static void refuse_line(int n, const char *line, const char *expected) {
    gb_DevicesKnown known = {.n = 0};
    char why[GB_MACHINE_TEXT], name[GB_DEVICE_NAME];
    for (int k = 0; k < n; k++) {
        snprintf(name, sizeof name, "A GPU %d", k);
        const gb_DeviceRates rates = device_rates(name, k);
        gb_devices_add(&known, &rates);
    }
    OK(gb_devices_write(&known, path));
    FILE *file = fopen(path, "a");
    CHECK(file != NULL && fputs(line, file) >= 0 && fclose(file) == 0);
    t_case("%.20s after %d", line, n);
    CHECK_EQ(gb_devices_read(&known, path, why), GBL_INVALID_VALUE);
    cr_assert(strstr(why, expected) != NULL, "'%s' for %s", why, t_case_text());
    CHECK_EQ(known.n, n);
}

MACHINE_TEST(lines_that_are_too_many_are_refused) {
    char line[GB_DEVICE_NAME + 20];
    snprintf(line, sizeof line, "device %0*d\n", GB_DEVICE_NAME, 0);
    refuse_line(1, line, "too long a name");
    refuse_line(2, "device A GPU 1\n", "once more");
    refuse_line(GB_DEVICES_MOST, "device another\n", "too many");
    refuse_line(2, "error 0.5\n", "a second value");
}

MACHINE_TEST(fit_finds_rates_again) {
    gb_MachineTable prior = *gb_machine();
    gb_Fit *fit = malloc(sizeof *fit);
    t_Random r = t_random(1);
    double ns[GB_RATES], real[GB_RATES];
    CHECK(fit != NULL);
    for (int k = 0; k < GB_RATES; k++)
        real[k] = prior.ns[k] * (0.25 + (double)t_below(&r, 400) / 100);
    gb_fit_begin(fit, &prior);
    for (int s = 0; s < GB_FIT_MOST + 10; s++) {
        gb_Counts c = {0};
        double seconds = 0.0;
        for (int k = 0; k < 4; k++) {
            const int rate = k == 0 ? s % GB_RATES : (int)t_below(&r, GB_RATES);
            c.n[rate] += (double)(1 + t_below(&r, 1000)) / prior.ns[rate];
        }
        for (int k = 0; k < GB_RATES; k++) seconds += 1e-9 * c.n[k] * real[k];
        gb_fit_add(fit, &c, seconds);
    }
    CHECK_EQ(fit->n, GB_FIT_MOST);
    gb_fit_solve(fit, ns);
    for (int k = 0; k < GB_RATES; k++) {
        t_case("%s: %g, is %g", gb_rate_names[k], ns[k], real[k]);
        CHECK(fabs(ns[k] - real[k]) < 0.1 * (real[k] + prior.ns[k]));
    }
    CHECK(gb_fit_error(fit, ns) < 0.05);
    free(fit);
}

static bool stop(void *context, const char *what, double done) {
    (void)context, (void)done;
    return strcmp(what, "calibrate") != 0;
}

MACHINE_TEST(a_calibration_can_be_stopped) {
    const gb_MachineTable before = *gb_machine();
    OK(gbl_set_progress(stop, NULL));
    FAILS(GBL_CANCELLED, gbl_calibrate(path));
    OK(gbl_set_progress(NULL, NULL));
    CHECK(memcmp(&before, gb_machine(), sizeof before) == 0);
    CHECK_EQ(t_blocks(), 0);
}

/* A path that names no file is refused before anything is measured. */
MACHINE_TEST(an_empty_path_is_refused) {
    OK(gbl_set_progress(stop, NULL));
    FAILS(GBL_INVALID_VALUE, gbl_calibrate(""));
    CHECK(strstr(gbl_last_error(), "path") != NULL);
    OK(gbl_set_progress(NULL, NULL));
    gb_MachineTable m = *gb_machine();
    FAILS(GBL_IO_ERROR, gb_machine_write(&m, ""));
}

static bool stop_after_a_product(void *context, const char *what, double done) {
    (void)context;
    return strcmp(what, "mxm") != 0 || done < 1.0;
}

/* What is measured is the processor, wherever products are to run. */
MACHINE_TEST(a_calibration_stays_on_the_cpu) {
    OK(gbl_set_progress(stop_after_a_product, NULL));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_GPU, GBL_PLACE));
    FAILS(GBL_CANCELLED, gbl_calibrate(path));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_DEFAULT, GBL_PLACE));
    setenv("GBLITE_PLACE", "moon", 1);
    FAILS(GBL_CANCELLED, gbl_calibrate(path));
    unsetenv("GBLITE_PLACE");
    OK(gbl_set_progress(NULL, NULL));
}
