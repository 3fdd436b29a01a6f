/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_mxm_to_file: a product that need not fit in memory, written as it is computed.
 *
 * The file is a streamed block (docs/serial_format.md). Pointers, indices and values of each slice
 * are written behind those of the last one, the values behind room for all indices that C can have;
 * what stays free before them is taken out of the file at the end, or, where the file system cannot
 * do that, is a hole, which takes no space on the disk. Checksums are carried along, so nothing is
 * read again. A product that certainly fits in a slice is written by gbl_file_write instead.
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
#include "files.h"

enum { HEADER_BYTES = 88, ISO = 1, LISTED = 4, STREAMED = 8 };
enum { SLICE_SHARE = 4 }; /* of the memory: slices of C and A; buffers of C take as much again */
enum { REPEAT_BYTES = 4096 };

typedef struct {
    uint64_t at, bytes; /* where it begins, and what it has */
    uint64_t sums[4];
    uint64_t word; /* the first bytes % 8 bytes of a word */
} Section;

typedef struct {
    const char *path;
    gbl_Semiring ring;
    gbl_Matrix A, B;
    gbl_FileProduct *how;
    gb_Kind kind;
    gbl_Index ncols;
    double most;  /* entries that C can have */
    double slice; /* bytes that a slice may have */
    gb_Output output;
    Section p, i, x;
    uint64_t block;          /* of the file system */
    bool iso;                /* all values so far are `value`, and none is written */
    unsigned char value[16]; /* aligned as bytes: only copied */
} Product;

/* -- sections */

static uint64_t mix(uint64_t sum, uint64_t word) {
    const uint64_t mixed = (sum ^ word) * 0x9E3779B97F4A7C15u;
    return mixed << 29 | mixed >> 35;
}

static uint64_t padded(uint64_t bytes) {
    return (bytes + 7) & ~(uint64_t)7;
}

static Section section_at(uint64_t at) {
    return (Section){.at = at, .sums = {1, 2, 3, 4}};
}

static void take_word(Section *s, uint64_t word) {
    uint64_t *const sum = &s->sums[s->bytes / 8 % 4];
    *sum = mix(*sum, word);
}

static void add_sum(Section *s, const unsigned char *bytes, size_t size) {
    while (size > 0) {
        if (s->bytes % 8 == 0 && size >= 8) {
            uint64_t word;
            memcpy(&word, bytes, sizeof word);
            take_word(s, word);
            bytes += 8, size -= 8, s->bytes += 8;
            continue;
        }
        s->word |= (uint64_t)*bytes << (s->bytes % 8 * 8);
        if (s->bytes % 8 == 7) {
            take_word(s, s->word);
            s->word = 0;
        }
        bytes++, size--, s->bytes++;
    }
}

/* Zeros up to a multiple of 8, and the sum of all. */
static uint64_t end_sum(Section *s) {
    const unsigned char zeros[8] = {0};
    add_sum(s, zeros, padded(s->bytes) - s->bytes);
    return mix(mix(mix(s->sums[0], s->sums[1]), s->sums[2]), s->sums[3]);
}

static gbl_Info append(Product *c, Section *s, const void *bytes, size_t size) {
    const uint64_t at = s->at + s->bytes;
    if (size == 0) return GBL_SUCCESS;
    add_sum(s, bytes, size);
    return gb_output_write_at(&c->output, bytes, size, (int64_t)at);
}

static gbl_Info append_repeated(Product *c, const void *value, uint64_t count) {
    unsigned char bytes[REPEAT_BYTES];
    const uint64_t most = sizeof bytes / c->kind.size;
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t k = 0; k < most; k++) memcpy(bytes + k * c->kind.size, value, c->kind.size);
    for (; count > 0 && info == GBL_SUCCESS;) {
        const uint64_t now = count < most ? count : most;
        info = append(c, &c->x, bytes, now * c->kind.size);
        count -= now;
    }
    return info;
}

/* -- what a slice adds to the file */

static gbl_Info append_values(Product *c, const gbl_Arrays *arrays, uint64_t n) {
    const uint64_t before = c->how->nvals;
    gbl_Info info = GBL_SUCCESS;
    if (arrays->iso && before == 0) {
        memcpy(c->value, arrays->x, c->kind.size);
        c->iso = true;
    }
    if (arrays->iso && c->iso && memcmp(c->value, arrays->x, c->kind.size) == 0) return info;
    if (c->iso) info = append_repeated(c, c->value, before);
    c->iso = false;
    if (info != GBL_SUCCESS) return info;
    return arrays->iso ? append_repeated(c, arrays->x, n)
                       : append(c, &c->x, arrays->x, n * c->kind.size);
}

/* Pointers are moved to their place in C. */
static gbl_Info append_slice(Product *c, gbl_Arrays *arrays, gbl_Index count) {
    gbl_FileProduct *const how = c->how;
    const uint64_t n = arrays->p[count];
    for (gbl_Index k = 0; k < count; k++) arrays->p[k] += how->nvals;
    gbl_Info info = append(c, &c->p, arrays->p, count * sizeof *arrays->p);
    if (info == GBL_SUCCESS) info = append(c, &c->i, arrays->i, n * sizeof *arrays->i);
    if (info == GBL_SUCCESS && n > 0) info = append_values(c, arrays, n);
    if (info != GBL_SUCCESS) return info;
#ifdef SYNC_FILE_RANGE_WRITE
    (void)sync_file_range(c->output.file, 0, 0, SYNC_FILE_RANGE_WRITE); /* while the next is made */
#endif
    how->nvals += n;
    how->rows_done += count;
    how->slices++;
    how->bytes = HEADER_BYTES + c->p.bytes + c->i.bytes + c->x.bytes;
    return GBL_SUCCESS;
}

static gbl_Info report(const Product *c) {
    const gbl_FileProduct *how = c->how;
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
    gb_io_free(I);
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

static gbl_Info compute_slice(gbl_Arrays *arrays, Product *c, gbl_Matrix S, gbl_Index count) {
    gbl_Matrix T = NULL, M = NULL;
    gbl_Info info = GBL_SUCCESS;
    if (c->how->M) info = extract_rows(&M, c->how->M, c->how->rows_done, count);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&T, c->kind.type, count, c->ncols);
    if (info == GBL_SUCCESS) info = multiply(c, T, M, S);
    if (info == GBL_SUCCESS) info = gbl_Matrix_moveOut(T, GBL_CSR_FORMAT, arrays);
    gbl_Matrix_free(&T);
    gbl_Matrix_free(&M);
    return info;
}

/* One slice of *count rows, or fewer where these would not fit; *count: of the next one. */
static gbl_Info next_slice(Product *c, gbl_Index *count) {
    gbl_FileProduct *const how = c->how;
    const gbl_Index left = how->nrows - how->rows_done;
    gbl_Arrays arrays = {0};
    gbl_Matrix S = NULL;
    double bytes = 0.0;
    if (*count > left) *count = left;
    const gbl_Index rows = *count;
    gbl_Info info = extract_rows(&S, c->A, how->rows_done, rows);
    if (info == GBL_SUCCESS) info = slice_bytes(&bytes, c, S);
    const bool fits = bytes <= c->slice || rows == 1;
    if (info == GBL_SUCCESS && fits) info = compute_slice(&arrays, c, S, rows);
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
    const bool empty = how->nvals == 0;
    const uint32_t flags = empty ? LISTED : STREAMED | (c->iso ? ISO : 0);
    const uint32_t words[] = {1, flags, (uint32_t)c->kind.code, 0};
    const uint64_t sizes[] = {c->kind.size, how->nrows, c->ncols, how->nvals,
                              empty ? 0 : how->nrows};
    const uint32_t widths[] = {sizeof(uint64_t), sizeof(uint32_t)};
    memcpy(h, "gblite\r\n", 8);
    memcpy(h + 8, words, sizeof words);
    memcpy(h + 24, sizes, sizeof sizes);
    memcpy(h + 64, widths, sizeof widths);
    memcpy(h + 72, &size, sizeof size);
}

/* Takes out of the file what is free before the values; false: it stays. */
static bool collapse(Product *c, uint64_t from) {
    const uint64_t begin = (from + c->block - 1) / c->block * c->block;
    if (begin >= c->x.at) return false;
#ifdef FALLOC_FL_COLLAPSE_RANGE
    if (fallocate(c->output.file, FALLOC_FL_COLLAPSE_RANGE, (off_t)begin,
                  (off_t)(c->x.at - begin)) == 0) {
        c->x.at = begin;
        return true;
    }
#endif
    return false;
}

static gbl_Info finish_file(Product *c) {
    const uint64_t n = c->how->nvals;
    unsigned char header[HEADER_BYTES] = {0};
    gbl_Info info = n > 0 ? append(c, &c->p, &n, sizeof n) : GBL_SUCCESS;
    const uint64_t from = n > 0 ? c->i.at + padded(c->i.bytes) : HEADER_BYTES;
    if (n == 0 || c->iso)
        c->x.at = from;
    else
        (void)collapse(c, from);
    if (info == GBL_SUCCESS && c->iso) info = append(c, &c->x, c->value, c->kind.size);
    const uint64_t size = n > 0 ? c->x.at + padded(c->x.bytes) : from;
    put_header(header, c, size);
    Section h = section_at(0);
    add_sum(&h, header, HEADER_BYTES - 8);
    uint64_t sum = end_sum(&h);
    if (n > 0) sum = mix(mix(mix(sum, end_sum(&c->p)), end_sum(&c->i)), end_sum(&c->x));
    memcpy(header + HEADER_BYTES - 8, &sum, sizeof sum);
    if (info == GBL_SUCCESS) info = gb_output_write_at(&c->output, header, sizeof header, 0);
    if (info != GBL_SUCCESS) return info;
    if (ftruncate(c->output.file, (off_t)size) != 0 || fsync(c->output.file) != 0)
        return gbl_fail(GBL_IO_ERROR, NULL, "%s: cannot write the file: %s", c->path,
                        strerror(errno));
    c->how->bytes = size;
    return GBL_SUCCESS;
}

/* -- before the first slice */

static gbl_Info look_at_disk(Product *c, bool known) {
    struct statvfs disk;
    struct stat facts;
    if (!c->output.temporary)
        return gbl_fail(GBL_IO_ERROR, NULL, "%s: a product is written to a file only", c->path);
    if (fstatvfs(c->output.file, &disk) != 0 || fstat(c->output.file, &facts) != 0)
        return gbl_fail(GBL_IO_ERROR, NULL, "%s: cannot look at the disk: %s", c->path,
                        strerror(errno));
    c->block = facts.st_blksize > 0 ? (uint64_t)facts.st_blksize : REPEAT_BYTES;
    c->how->bytes_free = (double)disk.f_bavail * (double)disk.f_frsize;
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

static gbl_Info write_slices(Product *c, double bytes) {
    gbl_FileProduct *const how = c->how;
    c->p = section_at(HEADER_BYTES);
    c->i = section_at(HEADER_BYTES + 8 * (how->nrows + 1));
    c->x = section_at((padded(c->i.at + 4 * (uint64_t)c->most) + c->block) / c->block * c->block);
    gbl_Index count = (gbl_Index)((double)how->nrows * fmin(1.0, c->slice / bytes));
    gbl_Info info = GBL_SUCCESS;
    while (info == GBL_SUCCESS && how->rows_done < how->nrows) {
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
    if (info == GBL_SUCCESS) info = gb_output_open(&c->output, c->path);
    if (info != GBL_SUCCESS) return info;
    info = look_at_disk(c, !c->how->keep || !c->how->keep->op);
    if (info == GBL_SUCCESS) info = report(c);
    if (info == GBL_SUCCESS && !fits) info = write_slices(c, e.bytes + (double)nnz * 12.0);
    if (info == GBL_SUCCESS && !fits) return gb_output_commit(&c->output);
    gb_output_discard(&c->output);
    return info == GBL_SUCCESS ? write_whole(c) : info;
}

gbl_Info gbl_mxm_to_file(const char *path, gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B,
                         gbl_FileProduct *how) {
    if (!path) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_mxm_to_file: path is NULL");
    gbl_FileProduct found = {0};
    if (how) {
        found = *how;
        found.nrows = found.rows_done = found.nvals = found.slices = found.bytes = 0;
    }
    Product c = {.path = path, .ring = ring, .A = A, .B = B, .how = &found};
    gbl_call_begin();
    const gbl_Info info = write_product(&c);
    gbl_call_end();
    if (how) *how = found;
    return info;
}
