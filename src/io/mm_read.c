/* SPDX-License-Identifier: Apache-2.0
 *
 * The public functions that read Matrix Market.
 */
#include "mm.h"

#include <stdio.h>

static gbl_Type default_type(const gb_MmHeader *header) {
    const gbl_Type types[] = {[GB_MM_REAL] = GBL_FP64,
                              [GB_MM_INTEGER] = GBL_INT64,
                              [GB_MM_PATTERN] = GBL_BOOL,
                              [GB_MM_COMPLEX] = GBL_FC64};
    return header->type ? header->type : types[header->field];
}

static gbl_Info make_matrix(gbl_Matrix *A, gb_MmBody *body) {
    const gb_MmHeader *const header = &body->header;
    const bool array = header->array && header->nrows > 0 && header->ncols > 0;
    const gbl_Info info = array ? gb_mm_make_array(A, body)
                          : header->entries > 0
                              ? gb_mm_make_coordinate(A, body)
                              : gbl_Matrix_new(A, body->kind.type, header->nrows, header->ncols);
    if (info != GBL_SUCCESS || header->symmetry == GB_MM_GENERAL || !*A) return info;
    return gb_io_set_symmetric(A);
}

/* Says of a lack of memory which file and which matrix it is about. */
static gbl_Info name_matrix(gbl_Info info, const gb_MmBody *body) {
    if (info != GBL_OUT_OF_MEMORY && info != GBL_INSUFFICIENT_SPACE) return info;
    const gb_MmHeader *const header = &body->header;
    char reason[256];
    snprintf(reason, sizeof reason, "%s", gbl_last_error());
    return gbl_fail(info, NULL, "%s: a matrix of %llu x %llu with %llu entries: %s",
                    body->text->input.name, (unsigned long long)header->nrows,
                    (unsigned long long)header->ncols, (unsigned long long)header->entries, reason);
}

/* Says in words what was mended. */
static void list_mended(char *text, size_t size, const gb_MmBody *body) {
    static const char *const words[] = {"skipped what stands before the banner",
                                        "took the first line for a banner of %%MatrixMarket",
                                        "skipped what stands behind % on a line",
                                        "read exponents as Fortran writes them (1D3)",
                                        "took CR for the end of a line",
                                        "found no size line and took the largest index as size",
                                        "took an array of one size for a column"};
    size_t n = 0;
    text[0] = '\0';
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (body->mended >> k & 1 && n < size)
            n += (size_t)snprintf(text + n, size - n, "%s%s", n > 0 ? "; " : "", words[k]);
    if (body->merged > 0 && n < size)
        snprintf(text + n, size - n, "%smerged entries that were given before: %llu (%s)",
                 n > 0 ? "; " : "", (unsigned long long)body->merged,
                 body->header.field == GB_MM_PATTERN        ? "no values"
                 : body->duplicates == GBL_DUPLICATES_MAX   ? "the largest value"
                 : body->duplicates == GBL_DUPLICATES_MIN   ? "the smallest value"
                 : body->duplicates == GBL_DUPLICATES_FIRST ? "the first value"
                                                            : "the sum of values");
}

/* Closes the text. */
static gbl_Info read_text(gbl_Matrix *A, gbl_Type type, gb_Text *text, gbl_MmText *how,
                          const char *to) {
    gb_MmBody body = {.text = text,
                      .to = to,
                      .strict = how->strict,
                      .weights = how->weights,
                      .duplicates = how->duplicates};
    gb_Lines lines;
    gbl_Info info = gb_number_init();
    if (info == GBL_SUCCESS) info = gb_mm_read_header(&body, &lines);
    if (info == GBL_SUCCESS)
        info = gb_io_kind(&body.kind, type ? type : default_type(&body.header));
    if (info == GBL_SUCCESS && body.kind.code >= GBL_FC32_CODE &&
        (body.duplicates == GBL_DUPLICATES_MAX || body.duplicates == GBL_DUPLICATES_MIN))
        info = gbl_fail(
            GBL_DOMAIN_MISMATCH, NULL,
            "%s: of complex numbers none is the largest or smallest; take the sum, or the first",
            text->input.name);
    if (info == GBL_SUCCESS) {
        info = gb_mm_read_body(&body, lines);
        if (info == GBL_SUCCESS) info = make_matrix(A, &body);
        info = name_matrix(info, &body);
    }
    list_mended(how->mended, sizeof how->mended, &body);
    gb_text_close(text);
    return info;
}

static gbl_Info read_mended(gbl_Matrix *A, gbl_Type type, gbl_MmText *how, const char *to) {
    gb_Text text;
    if (!A) return gbl_fail(GBL_NULL_POINTER, NULL, "reading Matrix Market: A is NULL");
    *A = NULL;
    if (!how || !how->path)
        return gbl_fail(GBL_NULL_POINTER, NULL, "reading Matrix Market: the path or text is NULL");
    how->mended[0] = '\0';
    gbl_call_begin();
    gbl_Info info = how->bytes ? gb_text_open_memory(&text, how->bytes, how->size, how->path)
                               : gb_text_open(&text, how->path);
    if (info == GBL_SUCCESS) info = read_text(A, type, &text, how, to);
    if (info == GBL_SUCCESS && to && *A) info = gbl_file_write(*A, to);
    gbl_call_end();
    return info;
}

gbl_Info gbl_mm_read_mended(gbl_Matrix *A, gbl_Type type, gbl_MmText *how) {
    return read_mended(A, type, how, NULL);
}

gbl_Info gbl_mm_to_file(const char *path, gbl_Type type, gbl_MmText *how) {
    gbl_Matrix A = NULL;
    if (!path) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_mm_to_file: path is NULL");
    const gbl_Info info = read_mended(&A, type, how, path);
    gbl_Matrix_free(&A);
    return info;
}

gbl_Info gbl_mm_read(gbl_Matrix *A, gbl_Type type, const char *path) {
    return gbl_mm_read_mended(A, type, &(gbl_MmText){.path = path, .strict = true});
}

gbl_Info gbl_mm_read_memory(gbl_Matrix *A, gbl_Type type, const char *text, size_t bytes) {
    const char *const path = text ? "text in memory" : NULL;
    return gbl_mm_read_mended(A, type, &(gbl_MmText){path, text, bytes, .strict = true});
}
