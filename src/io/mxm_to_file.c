/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_mxm_to_file: a product that need not fit in memory, written as it is computed.
 *
 * The file is a streamed block (docs/serial_format.md). Pointers, indices and values of each slice
 * are written behind those of the last one, the values behind room for all indices that C can have;
 * what stays free before them is taken out of the file at the end, or, where the file system cannot
 * do that, is a hole, which takes no space on the disk. Checksums are carried along, so nothing is
 * read again but to go on after a failure (partial.h). A product that certainly fits in a slice is
 * written by gbl_file_write instead.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "gblite_io.h"
#include "partial.h"

enum { HEADER_BYTES = 88, ISO = 1, LISTED = 4, STREAMED = 8 };
enum { SLICE_SHARE = 4 }; /* of the memory: slices of C and A; buffers of C take as much again */
enum { REPEAT_BYTES = 4096, PROBES = 8 };

typedef struct {
    const char *path;
    gbl_Semiring ring;
    gbl_Matrix A, B;
    gbl_FileProduct *how;
    gb_Kind kind;
    gbl_Index ncols;
    double most;  /* entries that C can have */
    double slice; /* bytes that a slice may have */
    gb_Partial file;
} Product;

/* -- what a slice adds to the file */

static gbl_Info append_repeated(Product *c, const void *value, uint64_t count) {
    unsigned char bytes[REPEAT_BYTES];
    const uint64_t most = sizeof bytes / c->kind.size;
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t k = 0; k < most; k++) memcpy(bytes + k * c->kind.size, value, c->kind.size);
    for (; count > 0 && info == GBL_SUCCESS;) {
        const uint64_t now = count < most ? count : most;
        info = gb_partial_append(&c->file, &c->file.now.x, bytes, now * c->kind.size);
        count -= now;
    }
    return info;
}

static gbl_Info append_values(Product *c, const gbl_Arrays *arrays, uint64_t n) {
    gb_Slices *const now = &c->file.now;
    gbl_Info info = GBL_SUCCESS;
    if (arrays->iso && now->nvals == 0) {
        memcpy(now->value, arrays->x, c->kind.size);
        now->iso = true;
    }
    if (arrays->iso && now->iso && memcmp(now->value, arrays->x, c->kind.size) == 0) return info;
    if (now->iso) info = append_repeated(c, now->value, now->nvals);
    now->iso = false;
    if (info != GBL_SUCCESS) return info;
    return arrays->iso ? append_repeated(c, arrays->x, n)
                       : gb_partial_append(&c->file, &now->x, arrays->x, n * c->kind.size);
}

/* Pointers are moved to their place in C. */
static gbl_Info append_slice(Product *c, gbl_Arrays *arrays, gbl_Index count) {
    gb_Slices *const now = &c->file.now;
    const uint64_t n = arrays->p[count];
    for (gbl_Index k = 0; k < count; k++) arrays->p[k] += now->nvals;
    gbl_Info info = gb_partial_append(&c->file, &now->p, arrays->p, count * sizeof *arrays->p);
    if (info == GBL_SUCCESS)
        info = gb_partial_append(&c->file, &now->i, arrays->i, n * sizeof *arrays->i);
    if (info == GBL_SUCCESS && n > 0) info = append_values(c, arrays, n);
    if (info != GBL_SUCCESS) return info;
#ifdef SYNC_FILE_RANGE_WRITE
    (void)sync_file_range(c->file.output.file, 0, 0, SYNC_FILE_RANGE_WRITE); /* and go on */
#endif
    now->nvals += n;
    now->rows += count;
    return gb_partial_record(&c->file);
}

static gbl_Info report(Product *c) {
    const gb_Slices *now = &c->file.now;
    gbl_FileProduct *const how = c->how;
    how->nvals = now->nvals;
    how->rows_done = now->rows;
    how->slices = now->slices;
    how->bytes = HEADER_BYTES + now->p.bytes + now->i.bytes + now->x.bytes;
    if (how->progress && !how->progress(how->context, how))
        return gbl_fail(GBL_CANCELLED, NULL, "%s: cancelled by the progress callback", c->path);
    return gbl_call_state();
}

/* -- slices */

static gbl_Info extract_rows(gbl_Matrix *S, gbl_Matrix A, gbl_Index first, gbl_Index count) {
    gbl_Type type;
    gbl_Index ncols;
    gbl_Index *const I = gb_io_alloc(count, sizeof *I);
    if (!I) return gb_io_no_memory("a slice of rows");
    for (gbl_Index k = 0; k < count; k++) I[k] = first + k;
    gbl_Info info = gbl_Matrix_type(&type, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&ncols, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(S, type, count, ncols);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_extract(*S, NULL, NULL, A, I, count, GBL_ALL, ncols, NULL);
    gbl_Memory_free(I);
    return info;
}

static gbl_Info multiply(Product *c, gbl_Matrix T, gbl_Matrix M, gbl_Matrix S) {
    const gbl_FileProduct *how = c->how;
    return how->keep ? gbl_mxm_select(T, M, NULL, c->ring, how->keep, S, c->B, how->desc)
                     : gbl_mxm(T, M, NULL, c->ring, S, c->B, how->desc);
}

/* The bytes of rows of A and, expected, of C; mask and filter only make them fewer. */
static gbl_Info slice_bytes(double *bytes, const Product *c, gbl_Matrix S) {
    gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
    gbl_Index n;
    gbl_Info info = gbl_Matrix_nvals(&n, S);
    if (info == GBL_SUCCESS) info = gbl_mxm_estimate(&e, c->ring, S, c->B, c->how->desc);
    *bytes = (double)n * 12.0 + e.bytes;
    return info;
}

/* S: count rows of A from the first on. */
static gbl_Info compute_rows(gbl_Arrays *arrays, Product *c, gbl_Matrix S, gbl_Index first,
                             gbl_Index count) {
    gbl_Matrix T = NULL, M = NULL;
    gbl_Info info = GBL_SUCCESS;
    if (c->how->M) info = extract_rows(&M, c->how->M, first, count);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&T, c->kind.type, count, c->ncols);
    if (info == GBL_SUCCESS) info = multiply(c, T, M, S);
    if (info == GBL_SUCCESS) info = gbl_Matrix_moveOut(T, GBL_CSR_FORMAT, arrays);
    gbl_Matrix_free(&T);
    gbl_Matrix_free(&M);
    return info;
}

/* One slice of *count rows, or fewer where these would not fit; *count: of the next one. */
static gbl_Info next_slice(Product *c, gbl_Index *count) {
    const gbl_Index first = c->file.now.rows, left = c->how->nrows - first;
    gbl_Arrays arrays = {0};
    gbl_Matrix S = NULL;
    double bytes = 0.0;
    if (*count > left) *count = left;
    const gbl_Index rows = *count;
    gbl_Info info = extract_rows(&S, c->A, first, rows);
    if (info == GBL_SUCCESS) info = slice_bytes(&bytes, c, S);
    const bool fits = bytes <= c->slice || rows == 1;
    if (info == GBL_SUCCESS && fits) info = compute_rows(&arrays, c, S, first, rows);
    gbl_Matrix_free(&S);
    const bool lacks = info == GBL_OUT_OF_MEMORY || info == GBL_INSUFFICIENT_SPACE;
    if ((info == GBL_SUCCESS && !fits) || (lacks && rows > 1)) {
        *count = rows / 2;
        return GBL_SUCCESS;
    }
    if (info == GBL_SUCCESS) info = append_slice(c, &arrays, rows);
    gb_io_free_arrays(&arrays);
    if (bytes < c->slice / 2) *count = 2 * rows;
    return info == GBL_SUCCESS ? report(c) : info;
}

/* -- the end of the file */

static void put_header(unsigned char *h, const Product *c, uint64_t size) {
    const gbl_FileProduct *how = c->how;
    const bool empty = c->file.now.nvals == 0;
    const uint32_t flags = empty ? LISTED : STREAMED | (c->file.now.iso ? ISO : 0);
    const uint32_t words[] = {1, flags, (uint32_t)c->kind.code, 0};
    const uint64_t sizes[] = {c->kind.size, how->nrows, c->ncols, c->file.now.nvals,
                              empty ? 0 : how->nrows};
    const uint32_t widths[] = {sizeof(uint64_t), sizeof(uint32_t)};
    memcpy(h, "gblite\r\n", 8);
    memcpy(h + 8, words, sizeof words);
    memcpy(h + 24, sizes, sizeof sizes);
    memcpy(h + 64, widths, sizeof widths);
    memcpy(h + 72, &size, sizeof size);
}

static gbl_Info finish_file(Product *c) {
    gb_Partial *const f = &c->file;
    gb_Slices *const now = &f->now;
    const uint64_t n = now->nvals;
    unsigned char header[HEADER_BYTES] = {0};
    gbl_Info info = n > 0 ? gb_partial_append(f, &now->p, &n, sizeof n) : GBL_SUCCESS;
    const uint64_t from = n > 0 ? now->i.at + gb_padded(now->i.bytes) : HEADER_BYTES;
    if (n == 0 || now->iso)
        now->x.at = from;
    else
        gb_partial_collapse(f);
    if (info == GBL_SUCCESS && now->iso)
        info = gb_partial_append(f, &now->x, now->value, c->kind.size);
    const uint64_t size = n > 0 ? now->x.at + gb_padded(now->x.bytes) : from;
    put_header(header, c, size);
    gb_Section h = gb_section_at(0);
    gb_section_add(&h, header, HEADER_BYTES - 8);
    uint64_t sum = gb_section_end(&h);
    if (n > 0) {
        sum = gb_mix(sum, gb_section_end(&now->p));
        sum = gb_mix(sum, gb_section_end(&now->i));
        sum = gb_mix(sum, gb_section_end(&now->x));
    }
    memcpy(header + HEADER_BYTES - 8, &sum, sizeof sum);
    if (info == GBL_SUCCESS) info = gb_output_write_at(&f->output, header, sizeof header, 0);
    if (info != GBL_SUCCESS) return info;
    if (ftruncate(f->output.file, (off_t)size) != 0 || fsync(f->output.file) != 0)
        return gbl_fail(GBL_IO_ERROR, NULL, "%s: cannot write the file: %s", c->path,
                        strerror(errno));
    c->how->bytes = size;
    return GBL_SUCCESS;
}

/* -- before the first slice */

static gbl_Info look_at_disk(Product *c, bool known) {
    struct statvfs disk;
    struct stat facts;
    if (!c->file.output.temporary)
        return gbl_fail(GBL_IO_ERROR, NULL, "%s: a product is written to a file only", c->path);
    if (fstatvfs(c->file.output.file, &disk) != 0 || fstat(c->file.output.file, &facts) != 0)
        return gbl_fail(GBL_IO_ERROR, NULL, "%s: cannot look at the disk: %s", c->path,
                        strerror(errno));
    c->file.block = facts.st_blksize > 0 ? (uint64_t)facts.st_blksize : REPEAT_BYTES;
    c->how->bytes_free = (double)disk.f_bavail * (double)disk.f_frsize +
                         (double)facts.st_blocks * 512.0; /* and what is there to be gone on with */
    if (!known || c->how->bytes_predicted <= c->how->bytes_free) return GBL_SUCCESS;
    return gbl_fail(GBL_INSUFFICIENT_SPACE, NULL,
                    "%s: the product is expected to have %.3g entries in %.3g bytes, and the disk "
                    "has %.3g bytes free; filter or mask it, or write to another disk",
                    c->path, c->how->nvals_predicted, c->how->bytes_predicted, c->how->bytes_free);
}

/* What the library would use for the product as a whole, without a limit. */
static gbl_Info workspace(double *bytes, Product *c) {
    gbl_Explanation plan = GBL_EXPLANATION_INIT;
    gbl_Matrix C = NULL;
    int64_t limit = 0;
    gbl_Info info = gbl_Global_get_INT64(GBL_GLOBAL, &limit, GBL_MEMORY_LIMIT);
    *bytes = (double)limit;
    if (info != GBL_SUCCESS || limit > 0) return info;
    info = gbl_Matrix_new(&C, c->kind.type, c->how->nrows, c->ncols);
    if (info == GBL_SUCCESS)
        info = gbl_mxm_plan(&plan, C, NULL, NULL, c->ring, c->A, c->B, c->how->desc);
    gbl_Matrix_free(&C);
    *bytes = (double)plan.bytes_limit;
    return info;
}

/* Entries of C, at most and expected, by the mask, the filter, and the product's estimate. */
static gbl_Info predict(Product *c, gbl_MxmEstimate *e) {
    gbl_FileProduct *const how = c->how;
    int32_t mask = GBL_DEFAULT;
    gbl_Index rows, columns, n;
    gbl_Info info = gbl_mxm_estimate(e, c->ring, c->A, c->B, how->desc);
    if (info != GBL_SUCCESS) return info;
    how->nrows = e->nrows;
    c->ncols = e->ncols;
    c->most = e->nvals_most;
    if (how->M) {
        if ((info = gbl_Matrix_nrows(&rows, how->M)) || (info = gbl_Matrix_ncols(&columns, how->M)))
            return info;
        if (rows != e->nrows || columns != e->ncols)
            return gbl_fail(GBL_DIMENSION_MISMATCH, NULL,
                            "the mask is %llu x %llu, but A * B is %llu x %llu",
                            (unsigned long long)rows, (unsigned long long)columns,
                            (unsigned long long)e->nrows, (unsigned long long)e->ncols);
        if ((info = gbl_Matrix_nvals(&n, how->M)) ||
            (how->desc && (info = gbl_Descriptor_get_INT32(how->desc, &mask, GBL_MASK))))
            return info;
        if (mask != GBL_COMP && mask != GBL_COMP_STRUCTURE) c->most = fmin(c->most, (double)n);
    }
    if (how->keep && how->keep->most > 0)
        c->most = fmin(c->most, (double)e->nrows *
                                    fmax((double)how->keep->most, (double)how->keep->recover));
    how->nvals_predicted = fmin(e->nvals, c->most);
    return GBL_SUCCESS;
}

/* A product that certainly fits. */
static gbl_Info write_whole(Product *c) {
    gbl_FileProduct *const how = c->how;
    gbl_Matrix C = NULL;
    gbl_Info info = gbl_Matrix_new(&C, c->kind.type, how->nrows, c->ncols);
    if (info == GBL_SUCCESS) info = multiply(c, C, how->M, c->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&how->nvals, C);
    if (info == GBL_SUCCESS) info = gbl_Matrix_serializeSize(&how->bytes, C);
    if (info == GBL_SUCCESS) info = gbl_file_write(C, c->path);
    gbl_Matrix_free(&C);
    how->rows_done = how->nrows;
    how->slices = 1;
    return info;
}

static void add_arrays(Product *c, const gbl_Arrays *a, gbl_Index nrows, size_t size) {
    gb_Section s = gb_section_at(0);
    const uint64_t n = a->p[nrows];
    gb_section_add(&s, a->p, (nrows + 1) * sizeof *a->p);
    gb_section_add(&s, a->i, n * sizeof *a->i);
    gb_section_add(&s, a->x, (a->iso && n > 0 ? 1 : n) * size);
    c->file.key = gb_mix(c->file.key, gb_section_end(&s));
}

static gbl_Info add_operand(Product *c, gbl_Matrix A) {
    gbl_Arrays arrays;
    gbl_Index nrows;
    gbl_Type type;
    size_t size;
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&nrows, A)) || (info = gbl_Matrix_type(&type, A)) ||
        (info = gbl_Type_size(&size, type)) || (info = gbl_Matrix_view(&arrays, A, GBL_CSR_FORMAT)))
        return info;
    add_arrays(c, &arrays, nrows, size);
    return info;
}

/* The operands, and a few rows of C for what a semiring, a filter and a descriptor say. */
static gbl_Info find_key(Product *c) {
    const gbl_Index nrows = c->how->nrows, step = nrows / PROBES + 1;
    c->file.key = gb_mix(c->ncols, (uint64_t)c->kind.code);
    gbl_Info info = add_operand(c, c->A);
    if (info == GBL_SUCCESS) info = add_operand(c, c->B);
    if (info == GBL_SUCCESS && c->how->M) info = add_operand(c, c->how->M);
    for (gbl_Index r = step / 2; r < nrows && info == GBL_SUCCESS; r += step) {
        gbl_Arrays arrays = {0};
        gbl_Matrix S = NULL;
        info = extract_rows(&S, c->A, r, 1);
        if (info == GBL_SUCCESS) info = compute_rows(&arrays, c, S, r, 1);
        if (info == GBL_SUCCESS) add_arrays(c, &arrays, 1, c->kind.size);
        gb_io_free_arrays(&arrays);
        gbl_Matrix_free(&S);
    }
    return info;
}

static gbl_Info write_slices(Product *c, double bytes) {
    gbl_FileProduct *const how = c->how;
    gb_Slices *const now = &c->file.now;
    const uint64_t block = c->file.block;
    now->p = gb_section_at(HEADER_BYTES);
    now->i = gb_section_at(HEADER_BYTES + 8 * (how->nrows + 1));
    now->x = gb_section_at((gb_padded(now->i.at + 4 * (uint64_t)c->most) + block) / block * block);
    gbl_Info info = find_key(c);
    if (info == GBL_SUCCESS && how->resume) info = gb_partial_resume(&c->file);
    how->rows_resumed = now->rows;
    if (info == GBL_SUCCESS && now->rows > 0) info = report(c);
    gbl_Index count = (gbl_Index)((double)how->nrows * fmin(1.0, c->slice / bytes));
    while (info == GBL_SUCCESS && now->rows < how->nrows) {
        if (count == 0) count = 1;
        info = next_slice(c, &count);
    }
    return info == GBL_SUCCESS ? finish_file(c) : info;
}

static gbl_Info output_type(gbl_Type *type, gbl_Semiring ring) {
    int32_t code = GBL_UDT_CODE;
    const gbl_Info info = gbl_Semiring_get_INT32(ring, &code, GBL_OUTP_TYPE_CODE);
#define GBL_DECLARE(N, T)                                                                          \
    if (code == GBL_##N##_CODE) *type = GBL_##N;
    GBL_FOREACH_TYPE(GBL_DECLARE)
    GBL_FOREACH_COMPLEX(GBL_DECLARE)
#undef GBL_DECLARE
    if (info != GBL_SUCCESS || code != GBL_UDT_CODE) return info;
    return gbl_fail(GBL_DOMAIN_MISMATCH, NULL, "products of user-defined types have no file form");
}

static gbl_Info describe(Product *c) {
    int32_t transposed = GBL_DEFAULT;
    gbl_Type type = c->how->type;
    gbl_Info info = type ? GBL_SUCCESS : output_type(&type, c->ring);
    if (info == GBL_SUCCESS) info = gb_io_kind(&c->kind, type);
    if (info == GBL_SUCCESS && c->how->desc)
        info = gbl_Descriptor_get_INT32(c->how->desc, &transposed, GBL_INP0);
    if (info == GBL_SUCCESS && transposed == GBL_TRAN)
        info = gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s: the descriptor transposes A, whose rows are wanted; transpose it "
                        "before (gbl_transpose)",
                        c->path);
    return info;
}

/* A product that does not certainly fit is written with pointers to all rows. */
static gbl_Info plan_file(Product *c, bool fits) {
    gbl_FileProduct *const how = c->how;
    double rows = (double)how->nrows + 1.0;
    if (!fits &&
        (how->nrows > GB_IO_DIMENSION_MAX || c->ncols > GB_IO_DIMENSION_MAX || c->most > 0x1p60))
        return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                        "%s: a product of %llu x %llu with up to %.3g entries cannot be written "
                        "in slices; dimensions may be 2^32 - 1",
                        c->path, (unsigned long long)how->nrows, (unsigned long long)c->ncols,
                        c->most);
    if (fits) rows = fmin(rows, 2.0 * how->nvals_predicted); /* listed, where they are few */
    how->bytes_predicted =
        HEADER_BYTES + 8.0 * rows + how->nvals_predicted * (double)(4 + c->kind.size);
    return GBL_SUCCESS;
}

static gbl_Info write_product(Product *c) {
    gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
    double memory;
    gbl_Index nnz;
    gbl_Info info = describe(c);
    if (info == GBL_SUCCESS) info = predict(c, &e);
    if (info == GBL_SUCCESS) info = workspace(&memory, c);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&nnz, c->A);
    if (info != GBL_SUCCESS) return info;
    c->slice = memory / SLICE_SHARE;
    /* a row with entries takes 16 bytes at most, listed or not */
    const bool fits = c->most * (double)(20 + c->kind.size) <= c->slice;
    info = plan_file(c, fits);
    if (info == GBL_SUCCESS)
        info = fits ? gb_output_open(&c->file.output, c->path)
                    : gb_partial_open(&c->file, c->path, c->how->resume);
    if (info != GBL_SUCCESS) return info;
    info = look_at_disk(c, !c->how->keep || !c->how->keep->op);
    if (info == GBL_SUCCESS) info = report(c);
    if (info == GBL_SUCCESS && !fits) info = write_slices(c, e.bytes + (double)nnz * 12.0);
    if (!fits) return gb_partial_close(&c->file, info);
    gb_output_discard(&c->file.output);
    return info == GBL_SUCCESS ? write_whole(c) : info;
}

gbl_Info gbl_mxm_to_file(const char *path, gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B,
                         gbl_FileProduct *how) {
    if (!path) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_mxm_to_file: path is NULL");
    gbl_FileProduct found = {0};
    if (how) {
        found = *how;
        found.nrows = found.rows_done = found.rows_resumed = 0;
        found.nvals = found.slices = found.bytes = 0;
    }
    Product c = {
        .path = path, .ring = ring, .A = A, .B = B, .how = &found, .file.journal.file = -1};
    gbl_call_begin();
    const gbl_Info info = write_product(&c);
    gbl_call_end();
    if (how) *how = found;
    return info;
}
