/* SPDX-License-Identifier: Apache-2.0
 *
 * The public functions that read Matrix Market.
 */
#include "gblite_io.h"
#include "mm.h"
#include "number.h"

#include <stdio.h>

static gbl_Type default_type(const gb_MmHeader *header) {
    if (header->type != NULL) return header->type;
    switch (header->field) {
    case GB_MM_PATTERN:
        return GBL_BOOL;
    case GB_MM_INTEGER:
        return GBL_INT64;
    default:
        return GBL_FP64;
    }
}

static gbl_Info make_matrix(gbl_Matrix *A, gb_MmBody *body) {
    const gb_MmHeader *const header = &body->header;
    if (header->array && header->nrows > 0 && header->ncols > 0) return gb_mm_make_array(A, body);
    if (header->entries > 0) return gb_mm_make_coordinate(A, body);
    return gbl_Matrix_new(A, body->kind.type, header->nrows, header->ncols);
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

/* Closes the text. */
static gbl_Info read_text(gbl_Matrix *A, gbl_Type type, gb_Text *text) {
    gb_MmBody body = {.text = text};
    gb_Lines lines;
    gbl_Info info = gb_number_init();
    if (info == GBL_SUCCESS) info = gb_mm_read_header(&body, &lines);
    if (info == GBL_SUCCESS)
        info = gb_io_kind(&body.kind, type ? type : default_type(&body.header));
    if (info == GBL_SUCCESS) {
        info = gb_mm_read_body(&body, lines);
        if (info == GBL_SUCCESS) info = make_matrix(A, &body);
        info = name_matrix(info, &body);
    }
    gb_text_close(text);
    return info;
}

gbl_Info gbl_mm_read(gbl_Matrix *A, gbl_Type type, const char *path) {
    if (!A) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_mm_read: A is NULL");
    *A = NULL;
    if (!path) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_mm_read: path is NULL");
    gb_Text text;
    const gbl_Info info = gb_text_open(&text, path);
    return info == GBL_SUCCESS ? read_text(A, type, &text) : info;
}

gbl_Info gbl_mm_read_memory(gbl_Matrix *A, gbl_Type type, const char *text, size_t bytes) {
    if (!A) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_mm_read_memory: A is NULL");
    *A = NULL;
    if (!text) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_mm_read_memory: text is NULL");
    gb_Text lines;
    const gbl_Info info = gb_text_open_memory(&lines, text, bytes);
    return info == GBL_SUCCESS ? read_text(A, type, &lines) : info;
}
