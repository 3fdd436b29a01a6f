/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading Matrix Market: the body, and the public functions. The body is read slab by slab, each in
 * pieces that are cut at line ends. Counting first gives every piece the number of its first entry
 * and line; then all pieces are read at once, straight to their slots in the list, and errors know
 * their lines.
 */
#include "mm.h"

#include <stdio.h>

/* -- the body ---------------------------------------------------------------------------------- */

static void note_many(gb_Problem *problem, const gb_MmHeader *header, const char *at) {
    if (header->array)
        gb_problem_note(problem, GBL_INVALID_VALUE, at,
                        "one value too many for an array of %llu x %llu",
                        (unsigned long long)header->nrows, (unsigned long long)header->ncols);
    else
        gb_problem_note(problem, GBL_INVALID_VALUE, at,
                        "one entry too many: the size line announces %llu",
                        (unsigned long long)header->entries);
}

static void read_piece(void *context, gbl_Index k) {
    const gb_MmBody *const body = context;
    gb_Piece *const piece = &body->pieces[k];
    if (gbl_call_state() != GBL_SUCCESS) return;
    const unsigned copies = gb_mm_copies(&body->header);
    const char *p = piece->lines.begin;
    uint64_t entry = piece->entry;
    gb_Problem problem = {
        .line = piece->line, .begin = p, .strict = body->strict, .weights = body->weights};
    for (; gb_mm_next_entry(&p, piece->lines.end, &problem.line); entry++, problem.line++) {
        if (entry >= body->header.entries) {
            note_many(&problem, &body->header, p);
            piece->problem = problem;
            return;
        }
        if (!gb_mm_read_line(body, &p, entry * copies, &problem)) break;
    }
    piece->problem = problem;
}

/* Whether the announced number may well be right, as far as the text has been read: it is at most
 * 1.5 times what there would be if the rest were as dense. */
static bool is_plausible(const gb_MmBody *body, uint64_t found) {
    const gb_Text *const text = body->text;
    const double part = text->inflater ? 1 : gb_input_part(&text->input); /* 1 if unknown */
    const double expected = (double)found / part;
    return (double)body->header.entries <= 1.5 * expected;
}

/* Makes the list long enough for the pieces, but never longer than announced. */
static gbl_Info reserve(gb_MmBody *body, const gb_Piece *last) {
    const uint64_t copies = gb_mm_copies(&body->header), announced = body->header.entries;
    const uint64_t found = last->entry + last->entries;
    body->entries = found < announced ? found : announced;
    uint64_t wanted = body->entries * copies, most;
    if (__builtin_mul_overflow(announced, copies, &most)) most = UINT64_MAX;
    if (is_plausible(body, found)) wanted = most;
    return gb_coo_reserve(&body->list, wanted, most, "the entries");
}

static gbl_Info read_slab(gb_MmBody *body, gb_Lines lines) {
    gb_Piece *const pieces = body->pieces;
    const int64_t n = gb_text_split(body->text, lines, GB_MM_MARKS, body->entries, pieces);
    const gbl_Info info = reserve(body, &pieces[n - 1]);
    if (info != GBL_SUCCESS) return info;
    gbl_parallel((gbl_Index)n, read_piece, body);
    if (gbl_call_state() != GBL_SUCCESS) return GBL_CANCELLED;
    uint64_t comments = 0;
    for (int64_t k = 0; k < n; k++) {
        body->mended |= pieces[k].problem.mended;
        if (pieces[k].problem.code) return gb_problem_fail(body->text, &pieces[k].problem);
        comments += pieces[k].comments;
    }
    gb_coo_leave(&body->list, 0, body->entries * gb_mm_copies(&body->header));
    body->text->line = pieces[n - 1].line + pieces[n - 1].nlines;
    return gb_mm_count_comments(body, comments);
}

/* Reads the lines and all that follow. */
static gbl_Info read_slabs(gb_MmBody *body, gb_Lines lines) {
    for (;;) {
        gbl_Info info = GBL_SUCCESS;
        if (lines.begin < lines.end) info = read_slab(body, lines);
        if (info == GBL_SUCCESS) info = gb_text_next(body->text, &lines);
        if (info != GBL_SUCCESS || lines.begin == lines.end) return info;
    }
}

static gbl_Info fail_few(const gb_MmBody *body) {
    const gb_MmHeader *const header = &body->header;
    const char *const name = body->text->input.name;
    if (header->array)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s: an array of %llu x %llu lists %llu values, the file has only %llu",
                        name, (unsigned long long)header->nrows, (unsigned long long)header->ncols,
                        (unsigned long long)header->entries, (unsigned long long)body->entries);
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "%s: the size line announces %llu entries, the file has only %llu; it may have "
                    "been cut short",
                    name, (unsigned long long)header->entries, (unsigned long long)body->entries);
}

/* Reads the lines and the rest of the text to body->list. */
static gbl_Info read_body(gb_MmBody *body, gb_Lines lines) {
    gb_MmHeader *const header = &body->header;
    body->pieces = gb_io_alloc(GB_TEXT_PIECES, sizeof *body->pieces);
    if (!body->pieces) return gb_io_no_memory("the pieces of the file");
    body->list = (gb_Coo){.nrows = header->nrows,
                          .listed = GB_TEXT_LISTED,
                          .ncols = header->ncols,
                          .size = header->field == GB_MM_PATTERN ? 0 : body->kind.size,
                          .code = body->kind.code,
                          .full = header->array,
                          .to = header->array || gb_mm_is_wide(header) ? NULL : body->to,
                          .wide = !header->array && gb_mm_is_wide(header)};
    gbl_Info info = read_slabs(body, lines);
    gbl_Memory_free(body->pieces);
    body->list.n = body->entries * gb_mm_copies(header);
    if (header->sizeless) header->entries = body->entries;
    if (info == GBL_SUCCESS && body->entries < header->entries) info = fail_few(body);
    if (info != GBL_SUCCESS) gb_coo_free(&body->list);
    return info;
}

/* Once more, with indices from 0, since one is 0; a pipe cannot, and its failure stays. */
static gbl_Info read_from_0(gb_MmBody *body) {
    gb_Lines lines;
    gbl_Info info = gb_text_rewind(body->text);
    if (info == GBL_NO_VALUE) return GBL_INDEX_OUT_OF_BOUNDS;
    body->header.from_0 = true;
    body->entries = 0;
    if (info == GBL_SUCCESS) info = gb_mm_read_header(body, &lines);
    body->mended |= GB_MM_FROM_0;
    return info == GBL_SUCCESS ? read_body(body, lines) : info;
}

/* -- arrays --------------------------------------------------------------------------------- */

/* Array bodies: one value per line, column by column; of symmetric matrices only what is on and
 * below the diagonal, of skew-symmetric ones what is below. The result stores every place of the
 * matrix by rows, also the zeros. */

enum { ROWS_AT_ONCE = 16 }; /* of two cache lines of 8-byte values that each column lends */

/* The first row that the file lists of column j. */
static uint64_t first_row(const gb_MmHeader *header, uint64_t j) {
    return header->symmetry == GB_MM_GENERAL ? 0 : j + (header->symmetry == GB_MM_SKEW);
}

/* How many values the file lists before column j: nrows - first_row(c), summed over c < j. */
static uint64_t values_before(const gb_MmHeader *header, uint64_t j) {
    const uint64_t all = j * header->nrows, before = j * (j - 1) / 2;
    return header->symmetry == GB_MM_GENERAL ? all : all - before - j * first_row(header, 0);
}

/* Fills the rows of block b from the list. */
static void fill_rows(void *context, gbl_Index b) {
    const gb_MmBody *const body = context;
    const gbl_Arrays *const arrays = body->arrays;
    const gb_MmHeader *const header = &body->header;
    const uint64_t first = b * ROWS_AT_ONCE, left = header->nrows - first;
    const uint64_t end = first + (left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE);
    const unsigned copies = gb_mm_copies(header);
    const size_t size = body->kind.size;
    for (uint64_t r = first; r < end; r++) {
        arrays->p[r] = r * header->ncols;
        for (uint64_t j = 0; j < header->ncols; j++) arrays->i[r * header->ncols + j] = (uint32_t)j;
    }
    for (uint64_t j = 0; j < header->ncols; j++) {
        for (uint64_t r = first; r < end; r++) {
            const uint64_t to = r * header->ncols + j;
            const bool listed = r >= first_row(header, j);
            const uint64_t row = listed ? r : j, column = listed ? j : r; /* of the value */
            if (header->symmetry == GB_MM_SKEW && r == j) {
                memset((char *)arrays->x + to * size, 0, size);
                continue;
            }
            const uint64_t value = values_before(header, column) + row - first_row(header, column);
            gb_io_copy_value(arrays->x, to, body->list.x, value * copies + !listed, size);
        }
    }
}

/* The list is used up, also on failure. */
static gbl_Info make_array(gbl_Matrix *A, gb_MmBody *body) {
    const gb_MmHeader *const header = &body->header;
    const uint64_t places = header->nrows * header->ncols;
    /* a 1 x 1 skew-symmetric file lists nothing; all others list about half of it at least, and all
     * that is there, so that these sizes do not overflow */
    gbl_Info info = gb_io_claim(places * (body->kind.size + sizeof(uint32_t)) +
                                    (header->nrows + 1) * sizeof(uint64_t),
                                "the matrix");
    if (info != GBL_SUCCESS) goto done;
    gbl_Arrays arrays = {.p = gb_io_alloc(header->nrows + 1, sizeof *arrays.p),
                         .i = gb_io_alloc(places, sizeof *arrays.i),
                         .x = gb_io_alloc(places, body->kind.size)};
    if (!arrays.p || !arrays.i || !arrays.x) {
        gb_io_free_arrays(&arrays);
        info = gb_io_no_memory("the matrix");
        goto done;
    }
    const gbl_Index blocks = (header->nrows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE;
    body->arrays = &arrays;
    gbl_parallel(blocks, fill_rows, body);
    arrays.p[header->nrows] = places;
    info = gb_io_move_in(A, &body->kind, (gb_Shape){header->nrows, header->ncols}, GBL_CSR_FORMAT,
                         &arrays);
done:
    gb_coo_free(&body->list);
    return info;
}

/* -- the matrix, and the public functions ------------------------------------------------------ */

static gbl_Type default_type(const gb_MmHeader *header) {
    const gbl_Type types[] = {[GB_MM_REAL] = GBL_FP64,
                              [GB_MM_INTEGER] = GBL_INT64,
                              [GB_MM_UNSIGNED] = GBL_UINT64,
                              [GB_MM_PATTERN] = GBL_BOOL,
                              [GB_MM_COMPLEX] = GBL_FC64};
    return header->type ? header->type : types[header->field];
}

static gbl_Info make_matrix(gbl_Matrix *A, gb_MmBody *body) {
    const gb_MmHeader *const header = &body->header;
    const bool array = header->array && header->nrows > 0 && header->ncols > 0;
    const gbl_Info info = array ? make_array(A, body)
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
                                        "took an array of one size for a column",
                                        "found no banner and took the first line for sizes",
                                        "left values of a pattern unused",
                                        "found an index 0 and took all to count from 0"};
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
    body.named = !type && body.header.type;
    if (info == GBL_SUCCESS && body.kind.code >= GBL_FC32_CODE &&
        (body.duplicates == GBL_DUPLICATES_MAX || body.duplicates == GBL_DUPLICATES_MIN))
        info = gbl_fail(
            GBL_DOMAIN_MISMATCH, NULL,
            "%s: of complex numbers none is the largest or smallest; take the sum, or the first",
            text->input.name);
    if (info == GBL_SUCCESS) {
        info = read_body(&body, lines);
        if (info == GBL_INDEX_OUT_OF_BOUNDS && body.mended & GB_MM_FROM_0)
            info = read_from_0(&body);
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
    gbl_Info info = gb_text_open(&text, how->path, how->bytes, how->size);
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
