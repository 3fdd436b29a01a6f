/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing Matrix Market: the entries, in pieces of PIECE, are formatted (and compressed, each piece
 * a gzip member of its own) by several threads, then written in order.
 */
#include "gblite_io.h"
#include "text.h"

#include <stdio.h>

#ifdef GB_TINY
enum { PIECE = 200 };
#else
enum { PIECE = 16384 };
#endif
enum { LINE_MAX_BYTES = 2 * 11 + 2 * GB_NUMBER_MAX + 2, PIECES_PER_THREAD = 4 };

typedef struct {
    gb_Kind kind;
    bool pattern, compress;
    gbl_Index nrows, ncols, n;
    gbl_Arrays rows;  /* of the matrix, perhaps mapped; p NULL: the entries are copied */
    gbl_Index *I, *J; /* [n] */
    void *X;          /* [n], or that of rows */
} gb_Writer;

static gbl_Info extract(gb_Writer *writer, gbl_Matrix A) {
    gbl_Index n = writer->n;
    switch (writer->kind.code) {
#define GBL_DECLARE(N, T)                                                                          \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_extractTuples_##N(writer->I, writer->J, writer->X, &n, A);
        GBL_FOREACH_TYPE(GBL_DECLARE)
        GBL_FOREACH_COMPLEX(GBL_DECLARE)
#undef GBL_DECLARE
    default:
        return gbl_fail(GBL_DOMAIN_MISMATCH, NULL, "user-defined types have no text form");
    }
}

static bool is_pattern(const gb_Writer *writer) {
    if (writer->kind.code != GBL_BOOL_CODE) return false;
    const bool *const x = writer->X;
    for (gbl_Index k = 0; k < (writer->rows.iso ? 1 : writer->n); k++)
        if (!x[k]) return false;
    return true;
}

/* Whether a value does not fit into INT64, which is what readers take `integer` for. */
static bool is_unsigned(const gb_Writer *writer) {
    bool above = false;
    const uint64_t *const x = writer->X;
    if (writer->kind.code != GBL_UINT64_CODE) return false;
    for (gbl_Index k = 0; k < (writer->rows.iso ? 1 : writer->n); k++) above |= x[k] > INT64_MAX;
    return above;
}

static size_t print_complex(char *out, const gb_Writer *writer, gbl_Index k) {
    const bool single = writer->kind.code == GBL_FC32_CODE;
    const float *f = (const float *)writer->X + 2 * k;
    const double *d = (const double *)writer->X + 2 * k;
    size_t n = single ? gb_number_print_fp32(out, f[0]) : gb_number_print_fp64(out, d[0]);
    out[n++] = ' ';
    return n + (single ? gb_number_print_fp32(out + n, f[1]) : gb_number_print_fp64(out + n, d[1]));
}

#define PRINT(N, T, as)                                                                            \
    case GBL_##N##_CODE:                                                                           \
        return gb_number_print_##as(out, ((const T *)writer->X)[k]);
#define PRINT_SIGNED(N, T) PRINT(N, T, int)
#define PRINT_UNSIGNED(N, T) PRINT(N, T, uint)

static size_t print_value(char *out, const gb_Writer *writer, gbl_Index k) {
    switch (writer->kind.code) {
        GBL_FOREACH_SIGNED(PRINT_SIGNED)
        GBL_FOREACH_UNSIGNED(PRINT_UNSIGNED)
        PRINT(BOOL, bool, uint)
        PRINT(FP32, float, fp32)
        PRINT(FP64, double, fp64)
    default:
        return print_complex(out, writer, k);
    }
}

/* The last row that begins at k or before. */
static gbl_Index row_of(const gb_Writer *writer, gbl_Index k) {
    gbl_Index low = 0, high = writer->nrows;
    while (high - low > 1) {
        const gbl_Index middle = low + (high - low) / 2;
        *(writer->rows.p[middle] <= k ? &low : &high) = middle;
    }
    return low;
}

static void format_piece(const gb_Writer *writer, gbl_Index piece, gb_Block *block) {
    const gbl_Index begin = piece * PIECE;
    const gbl_Index end = writer->n - begin < PIECE ? writer->n : begin + PIECE;
    const gbl_Arrays *const rows = &writer->rows;
    gbl_Index i = rows->p ? row_of(writer, begin) : 0;
    char *p = block->bytes;
    for (gbl_Index k = begin; k < end; k++) {
        while (rows->p && rows->p[i + 1] <= k) i++;
        p += gb_number_print_uint(p, (rows->p ? i : writer->I[k]) + 1);
        *p++ = ' ';
        p += gb_number_print_uint(p, (rows->p ? rows->i[k] : writer->J[k]) + 1);
        if (!writer->pattern) {
            *p++ = ' ';
            p += print_value(p, writer, rows->iso ? 0 : k);
        }
        *p++ = '\n';
    }
    block->size = (size_t)(p - block->bytes);
}

static gbl_Info write_block(const gb_Writer *writer, gb_Output *output, const gb_Block *text) {
    if (!writer->compress) return gb_output_write(output, text->bytes, text->size);
    gb_Block packed = {0};
    gbl_Info info = gb_io_no_memory("compression");
    if (gb_output_compress(&packed, text))
        info = gb_output_write(output, packed.bytes, packed.size);
    gbl_Memory_free(packed.bytes);
    return info;
}

static gbl_Info write_head(const gb_Writer *writer, gb_Output *output) {
    const gbl_Type_Code code = writer->kind.code;
    const bool real = code == GBL_FP32_CODE || code == GBL_FP64_CODE;
    char text[160];
    const int n = snprintf(text, sizeof text,
                           "%%%%MatrixMarket matrix coordinate %s general\n%llu %llu %llu\n",
                           writer->pattern         ? "pattern"
                           : code >= GBL_FC32_CODE ? "complex"
                           : real                  ? "real"
                           : is_unsigned(writer)   ? "unsigned-integer"
                                                   : "integer",
                           (unsigned long long)writer->nrows, (unsigned long long)writer->ncols,
                           (unsigned long long)writer->n);
    return write_block(writer, output, &(gb_Block){.bytes = text, .size = (size_t)n});
}

typedef struct {
    const gb_Writer *writer;
    gbl_Index first;         /* piece */
    gb_Block *text, *packed; /* one of each piece */
    int failed;              /* atomic */
} Formatting;

static void format_one(void *context, gbl_Index k) {
    Formatting *const f = context;
    format_piece(f->writer, f->first + k, &f->text[k]);
    if (f->writer->compress && !gb_output_compress(&f->packed[k], &f->text[k]))
        __atomic_store_n(&f->failed, 1, __ATOMIC_RELAXED);
}

static gbl_Info write_pieces(const gb_Writer *writer, gb_Output *output, gb_Block *text,
                             gb_Block *packed, gbl_Index at_once) {
    const gbl_Index pieces = (writer->n + PIECE - 1) / PIECE;
    for (gbl_Index first = 0; first < pieces; first += at_once) {
        const gbl_Index count = pieces - first < at_once ? pieces - first : at_once;
        const gbl_Info state = gbl_call_part((double)(first + count) / (double)pieces);
        if (state != GBL_SUCCESS) return state;
        Formatting f = {.writer = writer, .first = first, .text = text, .packed = packed};
        gbl_parallel(count, format_one, &f);
        if (f.failed != 0) return gb_io_no_memory("compression");
        for (gbl_Index k = 0; k < count; k++) {
            const gb_Block *const block = writer->compress ? &packed[k] : &text[k];
            const gbl_Info info = gb_output_write(output, block->bytes, block->size);
            if (info != GBL_SUCCESS) return info;
        }
    }
    return GBL_SUCCESS;
}

static gbl_Info write_body(const gb_Writer *writer, gb_Output *output) {
    const gbl_Index at_once = PIECES_PER_THREAD * (gbl_Index)gb_io_threads();
    gb_Block *const text = gb_io_alloc(2 * at_once, sizeof *text);
    if (!text) return gb_io_no_memory("formatting the entries");
    memset(text, 0, 2 * at_once * sizeof *text);
    bool ready = true;
    for (gbl_Index k = 0; k < at_once && ready; k++) {
        text[k].bytes = gb_io_alloc(PIECE, LINE_MAX_BYTES);
        ready = text[k].bytes != NULL;
    }
    const gbl_Info info = ready ? write_pieces(writer, output, text, text + at_once, at_once)
                                : gb_io_no_memory("formatting the entries");
    for (gbl_Index k = 0; k < 2 * at_once; k++) gbl_Memory_free(text[k].bytes);
    gbl_Memory_free(text);
    return info;
}

static gbl_Info write_file(const gb_Writer *writer, const char *path) {
    gb_Output output;
    gbl_Info info = gb_output_open(&output, path);
    if (info != GBL_SUCCESS) return info;
    info = write_head(writer, &output);
    if (info == GBL_SUCCESS) info = write_body(writer, &output);
    return gb_output_end(&output, info);
}

/* The facts about A that the writer needs. */
static gbl_Info describe(gb_Writer *writer, gbl_Matrix A) {
    gbl_Type type;
    gbl_Info info = gbl_Matrix_type(&type, A);
    if (info == GBL_SUCCESS) info = gb_io_kind(&writer->kind, type);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&writer->nrows, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&writer->ncols, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&writer->n, A);
    return info;
}

static gbl_Info copy_entries(gb_Writer *writer, gbl_Matrix A) {
    gbl_Info info =
        gb_io_claim(writer->n * (2 * sizeof(gbl_Index) + writer->kind.size), "writing the matrix");
    if (info != GBL_SUCCESS) return info;
    writer->I = gb_io_alloc(writer->n, sizeof *writer->I);
    writer->J = gb_io_alloc(writer->n, sizeof *writer->J);
    writer->X = gb_io_alloc(writer->n, writer->kind.size);
    if (!writer->I || !writer->J || !writer->X) return gb_io_no_memory("writing the matrix");
    return writer->n > 0 ? extract(writer, A) : GBL_SUCCESS;
}

static gbl_Info write_matrix(gbl_Matrix A, const char *path) {
    gb_Writer writer = {.compress = gb_io_ends_with(path, ".gz")};
    gbl_Format format;
    gbl_Info info = gb_number_init();
    if (info == GBL_SUCCESS) info = describe(&writer, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_exportHint(&format, A);
    if (info != GBL_SUCCESS) return info;
    const bool by_rows = format == GBL_CSR_FORMAT;
    if (by_rows) {
        info = gbl_Matrix_view(&writer.rows, A, GBL_CSR_FORMAT);
        writer.X = writer.rows.x;
    } else {
        info = copy_entries(&writer, A);
    }
    if (info == GBL_SUCCESS) {
        writer.pattern = is_pattern(&writer);
        info = write_file(&writer, path);
    }
    gbl_Memory_free(writer.I);
    gbl_Memory_free(writer.J);
    if (!by_rows) gbl_Memory_free(writer.X);
    return info;
}

gbl_Info gbl_mm_write(gbl_Matrix A, const char *path) {
    if (!path) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_mm_write: path is NULL");
    gbl_call_begin();
    const gbl_Info info = write_matrix(A, path);
    gbl_call_end();
    return info;
}

gbl_Info gbl_save(gbl_Matrix A, const char *path) {
    if (path && gb_io_ends_with(path, ".gbl")) return gbl_file_write(A, path);
    return gbl_mm_write(A, path);
}
