/* SPDX-License-Identifier: Apache-2.0
 *
 * The public functions that read Matrix Market.
 */
#include "gblite_io.h"
#include "mm.h"
#include "number.h"

#include <stdlib.h>

static gbl_Type default_type(gb_MmField field) {
    switch (field) {
    case GB_MM_PATTERN:
        return GBL_BOOL;
    case GB_MM_INTEGER:
        return GBL_INT64;
    default:
        return GBL_FP64;
    }
}

static gbl_Info read_body(gbl_Matrix *A, gb_MmBody *body) {
    const gb_MmHeader *const header = body->header;
    const gbl_Info info = gb_mm_split(body);
    if (info != GBL_SUCCESS) return info;
    if (header->array && header->nrows > 0 && header->ncols > 0) return gb_mm_read_array(A, body);
    if (header->entries > 0) return gb_mm_read_coordinate(A, body);
    return gbl_Matrix_new(A, body->kind.type, header->nrows, header->ncols);
}

/* Frees the text. */
static gbl_Info read_text(gbl_Matrix *A, gbl_Type type, gb_Text *text) {
    gb_MmHeader header;
    gb_MmBody body = {.text = text, .header = &header};
    gbl_Info info = gb_number_init();
    if (info == GBL_SUCCESS) info = gb_mm_read_header(&header, text);
    if (info == GBL_SUCCESS)
        info = gb_io_kind(&body.kind, type ? type : default_type(header.field));
    if (info == GBL_SUCCESS) info = read_body(A, &body);
    free(body.piece);
    gb_text_free(text);
    return info;
}

gbl_Info gbl_mm_read(gbl_Matrix *A, gbl_Type type, const char *path) {
    if (!A) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_mm_read: A is NULL");
    *A = NULL;
    if (!path) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_mm_read: path is NULL");
    gb_Text text;
    const gbl_Info info = gb_text_load(&text, path);
    return info == GBL_SUCCESS ? read_text(A, type, &text) : info;
}

gbl_Info gbl_mm_read_memory(gbl_Matrix *A, gbl_Type type, const char *text, size_t bytes) {
    if (!A) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_mm_read_memory: A is NULL");
    *A = NULL;
    if (!text) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_mm_read_memory: text is NULL");
    gb_Text copy;
    const gbl_Info info = gb_text_copy(&copy, text, bytes);
    return info == GBL_SUCCESS ? read_text(A, type, &copy) : info;
}
