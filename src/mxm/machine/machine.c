/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine table in use, those built in, files of tables and of rates of GPUs; see machine.h.
 */
#include "mxm/machine/machine.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/arch.h"
#include "core/hardware.h"
#include "kernel_api/backend.h"

/* -- files ------------------------------------------------------------------------------------- */

/* -- text: a key and a value per line ---------------------------------------------------------- */

enum { LINE_MOST = 256 };

typedef struct {
    char *why; /* [GB_MACHINE_TEXT] */
    int line;
} Reader;
/* Gets every line; false: it is refused, and `why` says why. */
typedef bool (*TakeLine)(void *to, Reader *r, const char *name, const char *value);

/* Numbers are written with a point, whatever the program's language is. */
static locale_t plain_numbers(locale_t *before) {
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    return plain;
}

static void usual_numbers(locale_t plain, locale_t before) {
    if (plain == (locale_t)0) return;
    uselocale(before);
    freelocale(plain);
}

/* Says in `why` what is wrong; false, for a reader to return. */
static bool refuse(Reader *r, const char *what, const char *value) {
    snprintf(r->why, GB_MACHINE_TEXT, "line %d: %s '%.40s'", r->line, what, value);
    return false;
}

static bool split_line(Reader *r, char *line, TakeLine take, void *to) {
    line[strcspn(line, "#\n")] = '\0';
    char *name = line + strspn(line, " \t\r");
    if (*name == '\0') return true;
    char *value = name + strcspn(name, " \t");
    if (*value != '\0') *value++ = '\0';
    value += strspn(value, " \t");
    for (size_t n = strlen(value); n > 0 && strchr(" \t\r", value[n - 1]) != NULL;)
        value[--n] = '\0';
    if (*value == '\0') return refuse(r, "no value for", name);
    return take(to, r, name, value);
}

/* GBL_NO_VALUE: no such file. On other failures `why` says what is wrong. */
static gbl_Info read_text(const char *path, char why[GB_MACHINE_TEXT], TakeLine take, void *to) {
    Reader r = {.why = why};
    char line[LINE_MOST];
    FILE *file = fopen(path, "r");
    why[0] = '\0';
    if (file == NULL && errno == ENOENT) return GBL_NO_VALUE;
    if (file == NULL) {
        snprintf(why, GB_MACHINE_TEXT, "cannot be read: %s", strerror(errno));
        return GBL_IO_ERROR;
    }
    bool good = true;
    locale_t before;
    const locale_t plain = plain_numbers(&before);
    while (good && fgets(line, sizeof line, file) != NULL) {
        r.line++;
        good = strchr(line, '\n') != NULL || feof(file) || refuse(&r, "too long,", line);
        good = good && split_line(&r, line, take, to);
    }
    const int reason = errno;
    const bool lost = ferror(file) != 0;
    usual_numbers(plain, before);
    if (lost) snprintf(why, GB_MACHINE_TEXT, "cannot be read: %s", strerror(reason));
    fclose(file);
    return lost ? GBL_IO_ERROR : good ? GBL_SUCCESS : GBL_INVALID_VALUE;
}

/* The folders that hold the file. */
static void make_folders(const char *path) {
    char folder[GB_PATH_MOST];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + (folder[0] == '/'), '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0755); /* what fails here fails again when the file is opened */
        *slash = '/';
    }
}

/* Makes the folder, if it is missing, and replaces the file as a whole. */
static gbl_Info write_text(const char *path, void (*print)(FILE *file, const void *what),
                           const void *what) {
    char beside[GB_PATH_MOST + 16];
    make_folders(path);
    snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(beside, "w");
    if (file == NULL)
        return gb_fail(GBL_IO_ERROR, "cannot create %.200s: %s", beside, strerror(errno));
    locale_t before;
    const locale_t plain = plain_numbers(&before);
    print(file, what);
    usual_numbers(plain, before);
    const bool lost = ferror(file) != 0;
    const bool failed = fclose(file) != 0 || lost;
    if (!failed && rename(beside, path) == 0) return GBL_SUCCESS;
    const int reason = errno;
    remove(beside);
    return gb_fail(GBL_IO_ERROR, "cannot write %.200s: %s", path, strerror(reason));
}

/* -- numbers by key ---------------------------------------------------------------------------- */

enum { CACHES = 3, ERROR = CACHES + 2, FACTS, KEYS = FACTS + GB_RATES };
/* No rate is outside of these, in ns. */
#define GB_RATE_LEAST 1e-9
#define GB_RATE_MOST 1e12
/* No cache has fewer bytes. */
#define GB_CACHE_LEAST 4096.0

/* A table while it is read; `device`: of it the error and the rates of a GPU. */
typedef struct {
    gb_MachineTable table;
    bool device, seen[KEYS];
} Numbers;

static bool is_wanted(const Numbers *n, int k) {
    return !n->device || k == ERROR || k >= FACTS + GB_FIRST_DEVICE_RATE;
}

/* The k-th number of a table, and its key. */
static double *number(gb_MachineTable *m, int k) {
    if (k < CACHES) return &m->cache[k];
    if (k == CACHES) return &m->latency;
    if (k == CACHES + 1) return &m->bandwidth;
    return k < FACTS ? &m->error : &m->ns[k - FACTS];
}

static const char *key(int k) {
    static const char *const facts[FACTS] = {"cache1",  "cache2",    "cache3",
                                             "latency", "bandwidth", "error"};
    return k < FACTS ? facts[k] : gb_rate_names[k - FACTS];
}

static bool take_number(Numbers *n, Reader *r, const char *name, const char *value) {
    int k = 0;
    while (k < KEYS && (!is_wanted(n, k) || strcmp(name, key(k)) != 0)) k++;
    if (k == KEYS) return refuse(r, "no such key,", name);
    if (n->seen[k]) return refuse(r, "a second value for", name);
    /* no sensible value is smaller; the error may be 0 */
    const double least = k < CACHES ? GB_CACHE_LEAST : k == ERROR ? 0.0 : GB_RATE_LEAST;
    char *end;
    const double found = strtod(value, &end);
    n->seen[k] = true;
    if (end == value || *end != '\0' || !(found >= least && found <= GB_RATE_MOST))
        return refuse(r, "not a sensible number,", value);
    *number(&n->table, k) = found;
    return true;
}

/* The first key without a value; NULL: none. */
static const char *missing(const Numbers *n) {
    for (int k = 0; k < KEYS; k++)
        if (is_wanted(n, k) && !n->seen[k]) return key(k);
    return NULL;
}

static void print_numbers(FILE *file, Numbers *n) {
    for (int k = 0; k < KEYS; k++)
        if (is_wanted(n, k)) fprintf(file, "%s %.9g\n", key(k), *number(&n->table, k));
}

/* -- machine tables ---------------------------------------------------------------------------- */

/* The processor's name as the system reports it. */
static void cpu_name(char name[LINE_MOST]) {
    char line[LINE_MOST];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, LINE_MOST, "unknown");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *value = strchr(line, ':');
        if (strncmp(line, GB_ARCH_NAME_LINE, sizeof GB_ARCH_NAME_LINE - 1) != 0 || value == NULL)
            continue;
        snprintf(name, LINE_MOST, "%s", value + 2);
        name[strcspn(name, "\n")] = '\0';
        break;
    }
    if (file != NULL) fclose(file);
}

bool gb_machine_path(char path[GB_PATH_MOST]) {
    const char *given = getenv("GBLITE_CONFIG"), *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    int n;
    if (given != NULL && strcmp(given, "off") == 0) return false;
    if (given != NULL && *given != '\0')
        n = snprintf(path, GB_PATH_MOST, "%s", given);
    else if (config != NULL && *config == '/')
        n = snprintf(path, GB_PATH_MOST, "%s/gblite/machine", config);
    else if (home != NULL && *home == '/')
        n = snprintf(path, GB_PATH_MOST, "%s/.config/gblite/machine", home);
    else
        return false;
    return n < GB_PATH_MOST;
}

typedef struct {
    Numbers of;
    bool format, cpu, isa;
} TableReader;

/* The table must have been measured on this machine. */
static bool check_origin(TableReader *m, Reader *r, const char *name, const char *value) {
    char cpu[LINE_MOST];
    if (strcmp(name, "format") == 0) {
        m->format = true;
        return atoi(value) == GB_MACHINE_FORMAT || refuse(r, "another format,", value);
    }
    if (strcmp(name, "cpu") == 0) {
        m->cpu = true;
        cpu_name(cpu);
        return strcmp(value, cpu) == 0 || refuse(r, "measured on another processor,", value);
    }
    m->isa = true;
    return strcmp(value, gb_backend()->name) == 0 ||
           refuse(r, "measured with other kernels,", value);
}

static bool take_table_line(void *to, Reader *r, const char *name, const char *value) {
    const bool origin =
        strcmp(name, "format") == 0 || strcmp(name, "cpu") == 0 || strcmp(name, "isa") == 0;
    TableReader *m = to;
    return origin ? check_origin(m, r, name, value) : take_number(&m->of, r, name, value);
}

gbl_Info gb_machine_read(gb_MachineTable *machine, const char *path, char why[GB_MACHINE_TEXT]) {
    TableReader r = {.format = false};
    const gbl_Info info = read_text(path, why, take_table_line, &r);
    if (info != GBL_SUCCESS) return info;
    const char *lacks = !r.format ? "format" : !r.cpu ? "cpu" : !r.isa ? "isa" : missing(&r.of);
    if (lacks != NULL) snprintf(why, GB_MACHINE_TEXT, "no value for '%s'", lacks);
    if (lacks != NULL) return GBL_INVALID_VALUE;
    *machine = r.of.table;
    machine->source = "calibrated";
    return GBL_SUCCESS;
}

static void print_table(FILE *file, const void *what) {
    Numbers m = {.table = *(const gb_MachineTable *)what};
    char cpu[LINE_MOST], date[32];
    const time_t now = time(NULL);
    struct tm day;
    cpu_name(cpu);
    gmtime_r(&now, &day);
    strftime(date, sizeof date, "%Y-%m-%d", &day);
    fprintf(file, "# gblite calibrate, %s; rates in ns of one thread\n", date);
    fprintf(file, "format %d\ncpu %s\nisa %s\n", GB_MACHINE_FORMAT, cpu, gb_backend()->name);
    print_numbers(file, &m);
}

gbl_Info gb_machine_write(const gb_MachineTable *machine, const char *path) {
    return write_text(path, print_table, machine);
}

/* -- rates of GPUs ----------------------------------------------------------------------------- */

bool gb_devices_path(char path[GB_PATH_MOST], const char *machine) {
    return snprintf(path, GB_PATH_MOST, "%s.devices", machine) < GB_PATH_MOST;
}

typedef struct {
    gb_DevicesKnown known;
    Numbers of; /* the device that is read */
    bool format;
} DeviceReader;

/* The device that was read gets its rates. Returns the first key that it lacks; NULL: none. */
static const char *end_device(DeviceReader *d) {
    if (d->known.n == 0) return NULL;
    gb_DeviceRates *rates = &d->known.at[d->known.n - 1];
    memcpy(rates->ns, d->of.table.ns, sizeof rates->ns);
    rates->error = d->of.table.error;
    return missing(&d->of);
}

static bool begin_device(DeviceReader *d, Reader *r, const char *name) {
    const char *lacks = end_device(d);
    if (lacks != NULL) return refuse(r, "the device before has no value for", lacks);
    if (d->known.n == GB_DEVICES_MOST) return refuse(r, "too many devices,", name);
    if (strlen(name) >= GB_DEVICE_NAME) return refuse(r, "too long a name,", name);
    if (gb_devices_find(&d->known, name) != NULL) return refuse(r, "once more,", name);
    strcpy(d->known.at[d->known.n++].name, name);
    d->of = (Numbers){.device = true};
    return true;
}

static bool take_device_line(void *to, Reader *r, const char *name, const char *value) {
    DeviceReader *d = to;
    if (strcmp(name, "format") == 0) {
        d->format = atoi(value) == GB_DEVICE_FORMAT;
        return d->format || refuse(r, "another format,", value);
    }
    if (!d->format) return refuse(r, "no format before", name);
    if (strcmp(name, "device") == 0) return begin_device(d, r, value);
    if (d->known.n == 0) return refuse(r, "no device before", name);
    return take_number(&d->of, r, name, value);
}

gbl_Info gb_devices_read(gb_DevicesKnown *known, const char *path, char why[GB_MACHINE_TEXT]) {
    DeviceReader d = {.format = false};
    const gbl_Info info = read_text(path, why, take_device_line, &d);
    if (info != GBL_SUCCESS) return info;
    const char *lacks = !d.format ? "format" : end_device(&d);
    if (lacks != NULL) snprintf(why, GB_MACHINE_TEXT, "no value for '%s'", lacks);
    if (lacks != NULL) return GBL_INVALID_VALUE;
    *known = d.known;
    return GBL_SUCCESS;
}

static void print_devices(FILE *file, const void *what) {
    const gb_DevicesKnown *known = what;
    fprintf(file, "# gblite calibrate --device; rates in ns\nformat %d\n", GB_DEVICE_FORMAT);
    for (int k = 0; k < known->n; k++) {
        const gb_DeviceRates *rates = &known->at[k];
        Numbers of = {.table.error = rates->error, .device = true};
        memcpy(of.table.ns, rates->ns, sizeof of.table.ns);
        fprintf(file, "device %s\n", rates->name);
        print_numbers(file, &of);
    }
}

gbl_Info gb_devices_write(const gb_DevicesKnown *known, const char *path) {
    return write_text(path, print_devices, known);
}

const gb_DeviceRates *gb_devices_find(const gb_DevicesKnown *known, const char *name) {
    for (int k = 0; k < known->n; k++)
        if (strcmp(known->at[k].name, name) == 0) return &known->at[k];
    return NULL;
}

void gb_devices_add(gb_DevicesKnown *known, const gb_DeviceRates *rates) {
    int k = 0;
    while (k < known->n && strcmp(known->at[k].name, rates->name) != 0) k++;
    if (k == GB_DEVICES_MOST) k = 0;
    if (k == known->n) known->n++;
    known->at[k] = *rates;
}

/* -- what is in use ---------------------------------------------------------------------------- */

#define GB_RATE_NAME(name, portable, avx2, avx512) #name,
const char *const gb_rate_names[GB_RATES] = {GB_FOREACH_RATE(GB_RATE_NAME)};
#undef GB_RATE_NAME

#define GB_RATE_PORTABLE(name, portable, avx2, avx512) portable,
#define GB_RATE_AVX2(name, portable, avx2, avx512) avx2,
#define GB_RATE_AVX512(name, portable, avx2, avx512) avx512,
static const double builtin[3][GB_RATES] = {{GB_FOREACH_RATE(GB_RATE_PORTABLE)},
                                            {GB_FOREACH_RATE(GB_RATE_AVX2)},
                                            {GB_FOREACH_RATE(GB_RATE_AVX512)}};

void gb_machine_builtin(gb_MachineTable *machine, const char *isa) {
    const int set = strcmp(isa, "avx512") == 0 ? 2 : strcmp(isa, "avx2") == 0 ? 1 : 0;
    *machine = (gb_MachineTable){.latency = GB_LATENCY, .bandwidth = GB_BANDWIDTH};
    memcpy(machine->ns, builtin[set], sizeof machine->ns);
    gb_cache_sizes(machine->cache);
    machine->source = "built in";
}

/* Set by gbl_init. */
static gb_MachineTable in_use;
static gb_DevicesKnown devices;
static gb_MachineTable with_device[GB_DEVICES_MOST]; /* the table in use with rates of each */
static char devices_refusal[GB_MACHINE_TEXT];
static char file_path[GB_PATH_MOST], refusal[GB_MACHINE_TEXT];
static bool has_path;
static uint64_t products; /* atomic */

const gb_MachineTable *gb_machine(void) {
    return &in_use;
}

const gb_MachineTable *gb_machine_on(const char *device) {
    const gb_DeviceRates *rates = gb_devices_find(&devices, device);
    return rates != NULL ? &with_device[rates - devices.at] : NULL;
}

static void add_device_rates(void) {
    const bool calibrated = strcmp(in_use.source, "calibrated") == 0;
    for (int k = 0; k < devices.n; k++) {
        with_device[k] = in_use;
        with_device[k].source =
            calibrated ? "calibrated, the GPU's too" : "built in, the GPU's calibrated";
        for (int r = GB_FIRST_DEVICE_RATE; r < GB_RATES; r++)
            with_device[k].ns[r] = devices.at[k].ns[r];
    }
}

void gb_machine_use(const gb_MachineTable *machine) {
    in_use = *machine;
    refusal[0] = '\0';
    add_device_rates();
}

void gb_machine_use_devices(const gb_DevicesKnown *known) {
    devices = *known;
    devices_refusal[0] = '\0';
    add_device_rates();
}

/* A file that is not used is reported by gb_machine_facts, and at once when calls are traced. */
static void report(gbl_Info info, const char *path, const char *why) {
    const bool fine = info == GBL_SUCCESS || info == GBL_NO_VALUE;
    if (!fine && (gb_tracing() == GB_TRACE_LINE || gb_tracing() == GB_TRACE_TABLE))
        fprintf(stderr, "gblite: %s is not used: %s\n", path, why);
}

static void read_files(void) {
    char path[GB_PATH_MOST];
    report(gb_machine_read(&in_use, file_path, refusal), file_path, refusal);
    if (gb_devices_path(path, file_path))
        report(gb_devices_read(&devices, path, devices_refusal), path, devices_refusal);
    add_device_rates();
}

void gb_machine_init(void) {
    gb_trace_start();
    gb_machine_builtin(&in_use, gb_backend()->name);
    refusal[0] = devices_refusal[0] = '\0';
    devices.n = 0;
    products = 0;
    has_path = gb_machine_path(file_path);
    if (has_path) read_files();
}

void gb_machine_facts(gbl_MachineFacts *facts) {
    *facts =
        (gbl_MachineFacts){.source = in_use.source,
                           .isa = gb_backend()->name,
                           .path = has_path ? file_path : NULL,
                           .refused = refusal[0] != '\0' ? refusal : NULL,
                           .latency = in_use.latency,
                           .bandwidth = in_use.bandwidth,
                           .error = in_use.error,
                           .devices = devices.n,
                           .devices_refused = devices_refusal[0] != '\0' ? devices_refusal : NULL};
    memcpy(facts->cache, in_use.cache, sizeof facts->cache);
}

void gb_machine_count_product(uint64_t flops) {
    if (flops >= GB_SAMPLE_FLOPS) __atomic_add_fetch(&products, 1, __ATOMIC_RELAXED);
}

uint64_t gb_machine_products(void) {
    return __atomic_load_n(&products, __ATOMIC_RELAXED);
}
