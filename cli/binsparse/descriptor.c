/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptors of binsparse files: formats, types of values, and the JSON that names them.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "binsparse.h"

static const bsp_Format formats[] = {
    {.name = "CSR", .pointers = true, .minors = true},
    {.name = "CSC", .columns = true, .pointers = true, .minors = true},
    {.name = "DCSR", .pointers = true, .majors = true, .minors = true},
    {.name = "DCSC", .columns = true, .pointers = true, .majors = true, .minors = true},
    {.name = "COOR", .majors = true, .minors = true},
    {.name = "COO", .majors = true, .minors = true},
    {.name = "COOC", .columns = true, .majors = true, .minors = true},
    {.name = "DMATR"},
    {.name = "DMAT"},
    {.name = "DMATC", .columns = true},
    {.name = "CVEC", .majors = true, .vector = true},
    {.name = "DVEC", .vector = true},
};

const bsp_Format *bsp_format(const char *name) {
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++)
        if (strcmp(formats[k].name, name) == 0) return &formats[k];
    return NULL;
}

/* -- types ------------------------------------------------------------------------------------- */

enum { TYPES = 11 };

/* HDF5's types are variables. */
static bsp_Type type_at(int k) {
    const bsp_Type types[TYPES] = {
        {"bint8", GBL_BOOL, H5T_NATIVE_UINT8, 1},     {"int8", GBL_INT8, H5T_NATIVE_INT8, 1},
        {"int16", GBL_INT16, H5T_NATIVE_INT16, 2},    {"int32", GBL_INT32, H5T_NATIVE_INT32, 4},
        {"int64", GBL_INT64, H5T_NATIVE_INT64, 8},    {"uint8", GBL_UINT8, H5T_NATIVE_UINT8, 1},
        {"uint16", GBL_UINT16, H5T_NATIVE_UINT16, 2}, {"uint32", GBL_UINT32, H5T_NATIVE_UINT32, 4},
        {"uint64", GBL_UINT64, H5T_NATIVE_UINT64, 8}, {"float32", GBL_FP32, H5T_NATIVE_FLOAT, 4},
        {"float64", GBL_FP64, H5T_NATIVE_DOUBLE, 8}};
    return types[k];
}

bool bsp_type_of_name(bsp_Type *type, const char *name) {
    for (int k = 0; k < TYPES; k++) {
        *type = type_at(k);
        if (strcmp(type->name, name) == 0) return true;
    }
    return false;
}

bool bsp_type_of(bsp_Type *type, gbl_Type of) {
    for (int k = 0; k < TYPES; k++) {
        *type = type_at(k);
        if (type->type == of) return true;
    }
    return false;
}

/* -- reading ----------------------------------------------------------------------------------- */

static gbl_Info fail(const char *path, const char *what) {
    return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: binsparse descriptor: %s", path, what);
}

/* Numbers of JSON are doubles here: above 2^53 neighbours would be taken for each other. */
static bool read_count(uint64_t *count, const cJSON *item) {
    const double x = cJSON_IsNumber(item) ? item->valuedouble : -1.0;
    if (!(x >= 0.0 && x <= 9007199254740992.0) || x != floor(x)) return false;
    *count = (uint64_t)x;
    return true;
}

static gbl_Info read_shape(bsp_Descriptor *d, const cJSON *shape, const char *path) {
    const int rank = cJSON_IsArray(shape) ? cJSON_GetArraySize(shape) : 0;
    d->ncols = 1;
    if (rank != (d->format->vector ? 1 : 2))
        return fail(path, "\"shape\" must have two numbers for a matrix, one for a vector");
    if (!read_count(&d->nrows, cJSON_GetArrayItem(shape, 0)) ||
        (rank == 2 && !read_count(&d->ncols, cJSON_GetArrayItem(shape, 1))))
        return fail(path, "\"shape\" must have whole numbers from 0 to 2^53");
    return GBL_SUCCESS;
}

/* "float64", "iso[float64]" */
static gbl_Info read_type(bsp_Descriptor *d, const char *text, const char *path) {
    char name[32];
    const size_t length = text ? strlen(text) : 0;
    if (length == 0 || length >= sizeof name)
        return fail(path, "\"data_types\" must name the type of \"values\"");
    memcpy(name, text, length + 1);
    d->iso = strncmp(name, "iso[", 4) == 0 && name[length - 1] == ']';
    if (d->iso) {
        memmove(name, name + 4, length - 4);
        name[length - 5] = '\0';
    }
    if (strncmp(name, "complex[", 8) == 0)
        return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                        "%s: values are complex, which are not read; convert them to Matrix Market",
                        path);
    if (bsp_type_of_name(&d->type, name)) return GBL_SUCCESS;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "%s: values of type '%s'; binsparse has bint8, int8 to int64, uint8 to uint64, "
                    "float32 and float64",
                    path, text);
}

static gbl_Info read_structure(bsp_Descriptor *d, const char *name, const char *path) {
    static const struct {
        const char *name;
        bsp_Structure structure;
        bool lower;
    } all[] = {{"symmetric_lower", BSP_SYMMETRIC, true},
               {"symmetric_upper", BSP_SYMMETRIC, false},
               {"skew_symmetric_lower", BSP_SKEW, true},
               {"skew_symmetric_upper", BSP_SKEW, false}};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        if (strcmp(all[k].name, name) != 0) continue;
        d->structure = all[k].structure;
        d->lower = all[k].lower;
        return d->nrows == d->ncols ? GBL_SUCCESS
                                    : fail(path, "a matrix with a structure must be square");
    }
    return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                    "%s: structure '%.40s'; gblite reads symmetric_lower, symmetric_upper, "
                    "skew_symmetric_lower and skew_symmetric_upper",
                    path, name);
}

static gbl_Info read_descriptor(bsp_Descriptor *d, const cJSON *all, const char *path) {
    const cJSON *inner = cJSON_GetObjectItemCaseSensitive(all, "binsparse");
    const cJSON *of = cJSON_IsObject(inner) ? inner : all;
    const char *version = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(of, "version"));
    const char *format = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(of, "format"));
    const cJSON *types = cJSON_GetObjectItemCaseSensitive(of, "data_types");
    const cJSON *structure = cJSON_GetObjectItemCaseSensitive(of, "structure");
    if (version == NULL || strncmp(version, "0.", 2) != 0)
        return fail(path, "\"version\" must be \"0.1\", or a later one that begins with \"0.\"");
    if (format == NULL || (d->format = bsp_format(format)) == NULL)
        return fail(path, "\"format\" must be CSR, CSC, DCSR, DCSC, COO, COOR, COOC, DMAT, DMATR, "
                          "DMATC, CVEC or DVEC");
    gbl_Info info = read_shape(d, cJSON_GetObjectItemCaseSensitive(of, "shape"), path);
    if (info) return info;
    if (!read_count(&d->nvals, cJSON_GetObjectItemCaseSensitive(of, "number_of_stored_values")))
        return fail(path, "\"number_of_stored_values\" must be a whole number from 0 to 2^53");
    d->filled = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(of, "fill"));
    info =
        read_type(d, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(types, "values")), path);
    if (info || structure == NULL || cJSON_IsNull(structure)) return info;
    if (!cJSON_IsString(structure)) return fail(path, "\"structure\" must be a name");
    return read_structure(d, structure->valuestring, path);
}

gbl_Info bsp_parse(bsp_Descriptor *d, const char *json, const char *path) {
    *d = (bsp_Descriptor){0};
    cJSON *all = cJSON_Parse(json);
    const gbl_Info info =
        cJSON_IsObject(all) ? read_descriptor(d, all, path) : fail(path, "it is no JSON object");
    cJSON_Delete(all);
    return info;
}

/* -- writing ----------------------------------------------------------------------------------- */

void bsp_print(char text[BSP_TEXT], const bsp_Descriptor *d, bool wide) {
    const bsp_Format *f = d->format;
    const char *index = wide ? "uint64" : "uint32";
    char types[160] = "", shape[64];
    size_t n = 0;
    if (f->pointers) n += (size_t)snprintf(types, sizeof types, "\"pointers_to_1\": \"uint64\", ");
    if (f->majors)
        n += (size_t)snprintf(types + n, sizeof types - n, "\"indices_0\": \"%s\", ", index);
    if (f->minors) snprintf(types + n, sizeof types - n, "\"indices_1\": \"%s\", ", index);
    if (f->vector)
        snprintf(shape, sizeof shape, "[%" PRIu64 "]", d->nrows);
    else
        snprintf(shape, sizeof shape, "[%" PRIu64 ", %" PRIu64 "]", d->nrows, d->ncols);
    snprintf(
        text, BSP_TEXT,
        "{\"binsparse\": {\"version\": \"0.1\", \"format\": \"%s\", \"shape\": %s, "
        "\"number_of_stored_values\": %" PRIu64 ", \"data_types\": {%s\"values\": \"%s%s%s\"}}}",
        f->name, shape, d->nvals, types, d->iso ? "iso[" : "", d->type.name, d->iso ? "]" : "");
}
