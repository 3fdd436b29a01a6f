/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and writing rates of GPUs; see device_file.h.
 */
#include "mxm/machine/device_file.h"

#include <stdlib.h>
#include <string.h>

static const double rate_limits[2] = {1e-9, 1e9}, error_limits[2] = {0.0, 100.0};

bool gb_devices_path(char path[GB_PATH_MOST], const char *machine) {
    return snprintf(path, GB_PATH_MOST, "%s.devices", machine) < GB_PATH_MOST;
}

/* -- reading */

typedef struct {
    gb_DevicesKnown known;
    bool format, seen[GB_RATES], error; /* of the device that is read */
} gb_DeviceReader;

/* The first key that the device lacks that is read; NULL: none. */
static const char *missing(const gb_DeviceReader *d) {
    if (d->known.n == 0) return NULL;
    for (int r = GB_FIRST_DEVICE_RATE; r < GB_RATES; r++)
        if (!d->seen[r]) return gb_rate_names[r];
    return d->error ? NULL : "error";
}

static bool begin_device(gb_DeviceReader *d, gb_TextReader *r, const char *name) {
    const char *lacks = missing(d);
    if (lacks != NULL) return gb_text_refuse(r, "the device before has no value for", lacks);
    if (d->known.n == GB_DEVICES_MOST) return gb_text_refuse(r, "too many devices,", name);
    if (strlen(name) >= GB_DEVICE_NAME) return gb_text_refuse(r, "too long a name,", name);
    if (gb_devices_find(&d->known, name) != NULL) return gb_text_refuse(r, "once more,", name);
    strcpy(d->known.at[d->known.n++].name, name);
    memset(d->seen, 0, sizeof d->seen);
    d->error = false;
    return true;
}

static bool take_rate(gb_DeviceReader *d, gb_TextReader *r, const char *name, const char *value) {
    int k = GB_FIRST_DEVICE_RATE;
    gb_DeviceRates *rates = &d->known.at[d->known.n - 1];
    if (strcmp(name, "error") == 0 && !d->error) {
        d->error = true;
        return gb_text_number(r, value, error_limits, &rates->error);
    }
    while (k < GB_RATES && strcmp(name, gb_rate_names[k]) != 0) k++;
    if (k == GB_RATES) return gb_text_refuse(r, "no such key,", name);
    if (d->seen[k]) return gb_text_refuse(r, "a second value for", name);
    d->seen[k] = true;
    return gb_text_number(r, value, rate_limits, &rates->ns[k]);
}

static bool take_line(void *to, gb_TextReader *r, const char *name, const char *value) {
    gb_DeviceReader *d = to;
    if (strcmp(name, "format") == 0) {
        d->format = atoi(value) == GB_DEVICE_FORMAT;
        return d->format || gb_text_refuse(r, "another format,", value);
    }
    if (!d->format) return gb_text_refuse(r, "no format before", name);
    if (strcmp(name, "device") == 0) return begin_device(d, r, value);
    if (d->known.n == 0) return gb_text_refuse(r, "no device before", name);
    return take_rate(d, r, name, value);
}

gbl_Info gb_devices_read(gb_DevicesKnown *known, const char *path, char why[GB_MACHINE_TEXT]) {
    gb_DeviceReader d = {.format = false};
    const gbl_Info info = gb_text_read(path, why, take_line, &d);
    if (info != GBL_SUCCESS) return info;
    const char *lacks = !d.format ? "format" : missing(&d);
    if (lacks != NULL) snprintf(why, GB_MACHINE_TEXT, "no value for '%s'", lacks);
    if (lacks != NULL) return GBL_INVALID_VALUE;
    *known = d.known;
    return GBL_SUCCESS;
}

/* -- writing */

static void print_devices(FILE *file, const void *what) {
    const gb_DevicesKnown *known = what;
    fprintf(file, "# gblite calibrate --device; rates in ns\nformat %d\n", GB_DEVICE_FORMAT);
    for (int k = 0; k < known->n; k++) {
        const gb_DeviceRates *rates = &known->at[k];
        fprintf(file, "device %s\nerror %.9g\n", rates->name, rates->error);
        for (int r = GB_FIRST_DEVICE_RATE; r < GB_RATES; r++)
            fprintf(file, "%s %.9g\n", gb_rate_names[r], rates->ns[r]);
    }
}

gbl_Info gb_devices_write(const gb_DevicesKnown *known, const char *path) {
    return gb_text_write(path, print_devices, known);
}

/* -- several devices */

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
