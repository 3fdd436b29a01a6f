/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of gblite's own, .gbl: a block of gbl_Matrix_serialize (docs/serial_format.md), so laid out
 * that a file that is mapped into memory is a matrix as it lies.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gblite_io.h"
#include "partial.h"

/* -- writing */

enum { PORTION = 16 << 20, MAPPED_PORTION = 1 << 20 };
#define SERIALIZED 0.4 /* of the time of writing */

static gbl_Info write_matrix(gbl_Matrix A, const char *path) {
    gbl_Index size;
    gbl_Info info = gbl_Matrix_serializeSize(&size, A);
    if (info == GBL_SUCCESS) info = gb_io_claim(size, "the file's content");
    if (info != GBL_SUCCESS) return info;
    char *const block = gb_io_alloc(size, 1);
    if (!block) return gb_io_no_memory("the file's content");
    info = gbl_Matrix_serialize(block, &size, A);
    gb_Output output;
    if (info == GBL_SUCCESS) info = gb_output_open(&output, path);
    if (info == GBL_SUCCESS) {
        for (gbl_Index at = 0, n; at < size && info == GBL_SUCCESS; at += n) {
            n = size - at < PORTION ? size - at : PORTION;
            info = gb_output_write(&output, block + at, n);
            (void)gbl_call_part(SERIALIZED + (1 - SERIALIZED) * (double)(at + n) / (double)size);
        }
        info = gb_output_end(&output, info);
    }
    gbl_Memory_free(block);
    return info;
}

gbl_Info gbl_file_write(gbl_Matrix A, const char *path) {
    if (!path) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_file_write: path is NULL");
    gbl_call_begin();
    const gbl_Info info = write_matrix(A, path);
    gbl_call_end();
    return info;
}

/* -- writing arrays, without a copy in memory */

/* A section, padded, into the sum and behind the others; its pages are not needed then. */
static gbl_Info put(gb_Output *output, gb_Section *sum, void *bytes, uint64_t size) {
    static const char zeros[8];
    const uint64_t padding = gb_padded(size) - size;
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t at = 0, n; at < size && info == GBL_SUCCESS; at += n) {
        n = size - at < MAPPED_PORTION ? size - at : MAPPED_PORTION;
        gb_section_add(sum, (char *)bytes + at, n);
        info = gb_output_write(output, (char *)bytes + at, n);
        gb_io_discard(bytes, at, at + n, 1);
    }
    gb_section_add(sum, zeros, padding);
    return info == GBL_SUCCESS ? gb_output_write(output, zeros, padding) : info;
}

/* Rows that have entries, *used of n, if these are less than half; then p becomes theirs. */
static gbl_Info list_rows(uint32_t **rows, uint64_t *used, uint64_t *p, uint64_t n) {
    const uint64_t end = p[n];
    for (uint64_t r = 0; r < n; r++) {
        if (r % MAPPED_PORTION == 0) gb_io_discard(p, 0, r, sizeof *p);
        *used += p[r] != p[r + 1];
    }
    const gbl_Info info = *used < n / 2 ? gb_io_map(rows, *used + 1, sizeof **rows) : GBL_SUCCESS;
    if (!*rows) return info;
    for (uint64_t r = 0, k = 0; r < n; r++)
        if (p[r] != p[r + 1]) (*rows)[k] = (uint32_t)r, p[k++] = p[r];
    p[*used] = end;
    return info;
}

gbl_Info gb_file_arrays(const char *path, const gb_Kind *kind, gb_Shape shape, gbl_Format format,
                        const gbl_Arrays *arrays) {
    const bool by_rows = format == GBL_CSR_FORMAT;
    const uint64_t nmajor = by_rows ? shape.nrows : shape.ncols, n = arrays->p[nmajor];
    const uint64_t values = (arrays->iso ? 1 : n) * kind->size;
    unsigned char header[GB_HEADER_BYTES] = {0};
    uint32_t *rows = NULL;
    uint64_t used = 0;
    gb_Output output;
    gb_Section sum = gb_section_at(0);
    gbl_Info info = gb_output_open(&output, path);
    if (info != GBL_SUCCESS) return info;
    info = list_rows(&rows, &used, arrays->p, nmajor);
    const uint64_t stored = rows ? used : nmajor, list = rows ? 4 * used : 0;
    gb_header_put(header, kind,
                  (arrays->iso ? GB_ISO : 0) | (rows ? GB_LISTED : 0) |
                      (by_rows ? 0 : GB_BY_COLUMNS),
                  (uint64_t[]){shape.nrows, shape.ncols, n, stored,
                               GB_HEADER_BYTES + gb_padded(list) + 8 * (stored + 1) +
                                   gb_padded(4 * n) + gb_padded(values)});
    gb_section_add(&sum, header, GB_HEADER_BYTES - 8);
    sum.bytes = 0;
    if (info == GBL_SUCCESS) info = gb_output_write(&output, (char *)header, sizeof header);
    if (info == GBL_SUCCESS) info = put(&output, &sum, rows, list);
    if (info == GBL_SUCCESS) info = put(&output, &sum, arrays->p, 8 * (stored + 1));
    if (info == GBL_SUCCESS) info = put(&output, &sum, arrays->i, 4 * n);
    if (info == GBL_SUCCESS) info = put(&output, &sum, arrays->x, values);
    const uint64_t check = gb_section_end(&sum);
    memcpy(header + GB_HEADER_BYTES - 8, &check, sizeof check);
    if (info == GBL_SUCCESS) info = gb_output_write_at(&output, header, sizeof header, 0);
    if (info == GBL_SUCCESS && fsync(output.file) != 0)
        info = gb_io_fail_errno(path, "write", errno);
    gb_io_unmap(rows);
    return gb_output_end(&output, info);
}

/* -- reading */

typedef struct {
    void *bytes;
    size_t size;
} Mapping;

static void unmap(void *context) {
    Mapping *const mapping = context;
    munmap(mapping->bytes, mapping->size);
    gbl_Memory_free(mapping);
}

static gbl_Info map_open_file(Mapping *mapping, int file, const char *path) {
    struct stat facts;
    if (fstat(file, &facts) != 0) return gb_io_fail_errno(path, "look at", errno);
    if (!S_ISREG(facts.st_mode) || facts.st_size == 0)
        return gbl_fail(
            GBL_INVALID_OBJECT, NULL,
            "%s: only a file that holds a matrix can be mapped, not an empty one, a pipe "
            "or a folder",
            path);
    mapping->size = (size_t)facts.st_size;
    mapping->bytes = mmap(NULL, mapping->size, PROT_READ, MAP_PRIVATE, file, 0);
    return mapping->bytes != MAP_FAILED ? GBL_SUCCESS : gb_io_fail_errno(path, "map", errno);
}

static gbl_Info map_file(Mapping **mapping, const char *path) {
    *mapping = gb_io_alloc(1, sizeof **mapping);
    if (!*mapping) return gb_io_no_memory("a file");
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is not waited for */
    gbl_Info info =
        file >= 0 ? map_open_file(*mapping, file, path) : gb_io_fail_errno(path, "open", errno);
    if (file >= 0) close(file);
    if (info != GBL_SUCCESS) gbl_Memory_free(*mapping);
    return info;
}

/* The text of the last error behind the name of the file. */
static gbl_Info name_file(gbl_Info info, const char *path) {
    char text[256];
    snprintf(text, sizeof text, "%s", gbl_last_error());
    return gbl_fail(info, NULL, "%s: %s", path, text);
}

/* *A with values of another type. */
static gbl_Info cast(gbl_Matrix *A, gbl_Type type) {
    gbl_Matrix C = NULL;
    gbl_Index nrows, ncols;
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&nrows, *A)) || (info = gbl_Matrix_ncols(&ncols, *A)) ||
        (info = gbl_Matrix_new(&C, type, nrows, ncols)) ||
        (info = gbl_Matrix_extract(C, NULL, NULL, *A, GBL_ALL, nrows, GBL_ALL, ncols, NULL)))
        gbl_Matrix_free(&C);
    gbl_Matrix_free(A);
    *A = C;
    return info;
}

gbl_Info gbl_file_map(gbl_Matrix *A, gbl_Type type, const char *path, bool check) {
    if (!A) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_file_map: A is NULL");
    *A = NULL;
    if (!path) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_file_map: path is NULL");
    Mapping *mapping;
    gbl_Type found;
    gbl_Type_Code code = GBL_BOOL_CODE; /* of a built-in type */
    gbl_Info info = type ? gbl_Type_code(&code, type) : GBL_SUCCESS;
    if (info == GBL_SUCCESS) info = map_file(&mapping, path);
    if (info != GBL_SUCCESS) return info;
    info = gbl_Matrix_map(A, code == GBL_UDT_CODE ? type : NULL, mapping->bytes, mapping->size,
                          check, &(gbl_Lender){unmap, mapping});
    if (info != GBL_SUCCESS) {
        unmap(mapping);
        return name_file(info, path);
    }
    info = gbl_Matrix_type(&found, *A);
    if (info == GBL_SUCCESS && type && type != found) info = cast(A, type);
    return info;
}
