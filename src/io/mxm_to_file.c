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
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "partial.h"
#include "slices.h"

enum { REPEAT_BYTES = 4096, PROBES = 8, TEXT_BYTES = 1024 };

typedef struct {
    gb_Product of;
    gb_Partial file; /* while a thread is writing, the thread's */
    pthread_t writer;
    bool writing;
    gbl_Arrays slice; /* that is being written, of so many rows */
    gbl_Index rows;
    gbl_Info info; /* of its writing */
    char text[TEXT_BYTES];
} Writing;

/* -- what a slice adds to the file */

static gbl_Info append_repeated(Writing *c, const void *value, uint64_t count) {
    unsigned char bytes[REPEAT_BYTES];
    const uint64_t most = sizeof bytes / c->of.kind.size;
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t k = 0; k < most; k++) memcpy(bytes + k * c->of.kind.size, value, c->of.kind.size);
    for (; count > 0 && info == GBL_SUCCESS;) {
        const uint64_t now = count < most ? count : most;
        info = gb_partial_append(&c->file, &c->file.now.x, bytes, now * c->of.kind.size);
        count -= now;
    }
    return info;
}

static gbl_Info append_values(Writing *c, const gbl_Arrays *arrays, uint64_t n) {
    gb_Slices *const now = &c->file.now;
    gbl_Info info = GBL_SUCCESS;
    if (arrays->iso && now->nvals == 0) {
        memcpy(now->value, arrays->x, c->of.kind.size);
        now->iso = true;
    }
    if (arrays->iso && now->iso && memcmp(now->value, arrays->x, c->of.kind.size) == 0) return info;
    if (now->iso) info = append_repeated(c, now->value, now->nvals);
    now->iso = false;
    if (info != GBL_SUCCESS) return info;
    return arrays->iso ? append_repeated(c, arrays->x, n)
                       : gb_partial_append(&c->file, &now->x, arrays->x, n * c->of.kind.size);
}

/* Pointers are moved to their place in C. */
static gbl_Info append_arrays(Writing *c, gbl_Arrays *arrays, gbl_Index count) {
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

static gbl_Info report(Writing *c) {
    const gb_Slices *now = &c->file.now;
    gbl_FileProduct *const how = c->of.how;
    how->nvals = now->nvals;
    how->slices = now->slices;
    how->bytes = GB_HEADER_BYTES + now->p.bytes + now->i.bytes + now->x.bytes;
    return gb_product_report(&c->of);
}

/* -- a slice is written while the next is computed */

static void *write_slice(void *writing) {
    Writing *const c = writing;
    c->info = append_arrays(c, &c->slice, c->rows);
    if (c->info != GBL_SUCCESS) snprintf(c->text, sizeof c->text, "%s", gbl_last_error());
    return NULL;
}

/* The signals of the user are for the threads that he knows. */
static bool start_writer(Writing *c) {
    sigset_t all, own;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &own);
    const int error = pthread_create(&c->writer, NULL, write_slice, c);
    pthread_sigmask(SIG_SETMASK, &own, NULL);
    return error == 0;
}

/* Waits for the slice that is being written; a call that ends early leaves it where it is. */
static gbl_Info end_slice(Writing *c, gbl_Info info) {
    __atomic_store_n(&c->file.stopped, info != GBL_SUCCESS, __ATOMIC_RELAXED);
    if (c->writing) pthread_join(c->writer, NULL);
    c->writing = false;
    gb_io_free_arrays(&c->slice);
    c->of.how->rows_done = c->file.now.rows;
    if (info != GBL_SUCCESS || c->info == GBL_SUCCESS) return info;
    return gbl_fail(c->info, NULL, "%s", c->text);
}

/* The page cache writes by itself; past it a thread does. */
static gbl_Info append_slice(gb_Product *of, gbl_Matrix *rows, const gbl_Index *I,
                             gbl_Index count) {
    (void)I; /* rows come in order */
    Writing *const c = of->to;
    gbl_Info info = end_slice(c, GBL_SUCCESS);
    if (info == GBL_SUCCESS) info = report(c);
    if (info == GBL_SUCCESS) info = gbl_Matrix_moveOut(*rows, GBL_CSR_FORMAT, &c->slice);
    gbl_Matrix_free(rows);
    if (info != GBL_SUCCESS) return info;
    c->rows = count;
    of->how->rows_done += count;
    c->writing = c->file.direct >= 0 && start_writer(c);
    if (!c->writing) write_slice(c);
    return GBL_SUCCESS;
}

/* -- the end of the file */

static gbl_Info finish_file(Writing *c) {
    gb_Partial *const f = &c->file;
    gb_Slices *const now = &f->now;
    const uint64_t n = now->nvals;
    unsigned char header[GB_HEADER_BYTES] = {0};
    gbl_Info info = n > 0 ? gb_partial_append(f, &now->p, &n, sizeof n) : GBL_SUCCESS;
    const uint64_t from = n > 0 ? now->i.at + gb_padded(now->i.bytes) : GB_HEADER_BYTES;
    if (n == 0 || now->iso)
        now->x.at = from;
    else
        gb_partial_collapse(f);
    if (info == GBL_SUCCESS && now->iso)
        info = gb_partial_append(f, &now->x, now->value, c->of.kind.size);
    const uint64_t size = n > 0 ? now->x.at + gb_padded(now->x.bytes) : from;
    const uint32_t flags = n == 0 ? GB_LISTED : GB_STREAMED | (now->iso ? GB_ISO : 0);
    const uint64_t nrows = c->of.how->nrows;
    gb_header_put(header, &c->of.kind, flags,
                  (uint64_t[]){nrows, c->of.ncols, n, n == 0 ? 0 : nrows, size});
    gb_Section h = gb_section_at(0);
    gb_section_add(&h, header, GB_HEADER_BYTES - 8);
    uint64_t sum = gb_section_end(&h);
    if (n > 0) {
        sum = gb_mix(sum, gb_section_end(&now->p));
        sum = gb_mix(sum, gb_section_end(&now->i));
        sum = gb_mix(sum, gb_section_end(&now->x));
    }
    memcpy(header + GB_HEADER_BYTES - 8, &sum, sizeof sum);
    if (info == GBL_SUCCESS) info = gb_output_write_at(&f->output, header, sizeof header, 0);
    if (info != GBL_SUCCESS) return info;
    if (ftruncate(f->output.file, (off_t)size) != 0 || fsync(f->output.file) != 0)
        return gb_io_fail_errno(c->of.path, "write", errno);
    c->of.how->bytes = size;
    return GBL_SUCCESS;
}

/* -- before the first slice */

/* A block is written behind the file, and cut off. Past the page cache most of what takes less
 * time, the product or writing it, is done beside the other. What fails here fails again later. */
static gbl_Info predict_seconds(Writing *c, double start) {
    enum { BLOCK = 8 << 20, SYNCED = 1 << 20, SHARE = 64, ALIGNMENT = 1 << 12 };
    gbl_FileProduct *const how = c->of.how;
    const int file = c->file.output.file;
    const off_t end = lseek(file, 0, SEEK_END);
    const size_t size = (size_t)fmin(BLOCK, how->bytes_predicted / SHARE) / ALIGNMENT * ALIGNMENT;
    gb_Section s = gb_section_at(((uint64_t)end / ALIGNMENT + 1) * ALIGNMENT);
    uint64_t *const block = gb_io_alloc(size, 1);
    const double work = gb_product_seconds(&c->of);
    how->seconds_predicted = gb_io_seconds() - start + work;
    if (block && size > 0) {
        for (size_t k = 0; k < size / 8; k++) block[k] = gb_mix(k, k); /* does not compress */
        const double from = gb_io_seconds();
        (void)gb_partial_append(&c->file, &s, block, size);
        if (c->file.direct < 0 && size >= SYNCED) (void)fdatasync(file); /* less is latency */
        const double disk = (gb_io_seconds() - from) * how->bytes_predicted / (double)size;
        how->seconds_predicted += disk - (c->file.direct < 0 ? 0.0 : 0.75 * fmin(disk, work));
    }
    gbl_Memory_free(block);
    return ftruncate(file, end) == 0 ? GBL_SUCCESS : gb_io_fail_errno(c->of.path, "write", errno);
}

static gbl_Info look_at_disk(Writing *c, bool known) {
    gbl_FileProduct *const how = c->of.how;
    struct statvfs disk;
    struct stat facts;
    if (!c->file.output.temporary)
        return gbl_fail(GBL_IO_ERROR, NULL, "%s: a product is written to a file only", c->of.path);
    if (fstatvfs(c->file.output.file, &disk) != 0 || fstat(c->file.output.file, &facts) != 0)
        return gb_io_fail_errno(c->of.path, "look at", errno);
    c->file.block = facts.st_blksize > 0 ? (uint64_t)facts.st_blksize : REPEAT_BYTES;
    how->bytes_free = (double)disk.f_bavail * (double)disk.f_frsize +
                      (double)facts.st_blocks * 512.0; /* and what is there to be gone on with */
    if (!known || how->bytes_predicted <= how->bytes_free) return GBL_SUCCESS;
    return gbl_fail(GBL_INSUFFICIENT_SPACE, NULL,
                    "%s: the product is expected to have %.3g entries in %.3g bytes, and the disk "
                    "has %.3g bytes free; filter or mask it, or write to another disk",
                    c->of.path, how->nvals_predicted, how->bytes_predicted, how->bytes_free);
}

/* A product that certainly fits. */
static gbl_Info write_whole(Writing *c) {
    gbl_FileProduct *const how = c->of.how;
    gbl_Matrix C = NULL;
    gbl_Info info = gb_product_whole(&C, &c->of);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&how->nvals, C);
    if (info == GBL_SUCCESS) info = gbl_Matrix_serializeSize(&how->bytes, C);
    if (info == GBL_SUCCESS) info = gbl_file_write(C, c->of.path);
    gbl_Matrix_free(&C);
    how->rows_done = how->nrows;
    how->slices = 1;
    return info;
}

static void add_arrays(Writing *c, const gbl_Arrays *a, gbl_Index nrows, size_t size) {
    gb_Section s = gb_section_at(0);
    const uint64_t n = a->p[nrows];
    gb_section_add(&s, a->p, (nrows + 1) * sizeof *a->p);
    gb_section_add(&s, a->i, n * sizeof *a->i);
    gb_section_add(&s, a->x, (a->iso && n > 0 ? 1 : n) * size);
    c->file.key = gb_mix(c->file.key, gb_section_end(&s));
}

static gbl_Info add_operand(Writing *c, gbl_Matrix A) {
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
static gbl_Info find_key(Writing *c) {
    const gbl_Index nrows = c->of.how->nrows, step = nrows / PROBES + 1;
    c->file.key = gb_mix(c->of.ncols, (uint64_t)c->of.kind.code);
    gbl_Info info = add_operand(c, c->of.A);
    if (info == GBL_SUCCESS) info = add_operand(c, c->of.B);
    if (info == GBL_SUCCESS && c->of.how->M) info = add_operand(c, c->of.how->M);
    for (gbl_Index r = step / 2; r < nrows && info == GBL_SUCCESS; r += step) {
        gbl_Arrays arrays = {0};
        gbl_Matrix S = NULL;
        info = gb_product_row(&S, &c->of, r);
        if (info == GBL_SUCCESS) info = gbl_Matrix_moveOut(S, GBL_CSR_FORMAT, &arrays);
        if (info == GBL_SUCCESS) add_arrays(c, &arrays, 1, c->of.kind.size);
        gb_io_free_arrays(&arrays);
        gbl_Matrix_free(&S);
    }
    return info;
}

static gbl_Info write_slices(Writing *c) {
    gbl_FileProduct *const how = c->of.how;
    gb_Slices *const now = &c->file.now;
    const uint64_t block = c->file.block;
    now->p = gb_section_at(GB_HEADER_BYTES);
    now->i = gb_section_at(GB_HEADER_BYTES + 8 * (how->nrows + 1));
    now->x =
        gb_section_at((gb_padded(now->i.at + 4 * (uint64_t)c->of.most) + block) / block * block);
    gbl_Info info = find_key(c);
    if (info == GBL_SUCCESS && how->resume) info = gb_partial_resume(&c->file);
    how->rows_resumed = how->rows_done = now->rows;
    if (info == GBL_SUCCESS && now->rows > 0) info = report(c);
    if (info == GBL_SUCCESS) info = gb_product_run(&c->of);
    info = end_slice(c, info);
    if (info == GBL_SUCCESS) info = report(c);
    return info == GBL_SUCCESS ? finish_file(c) : info;
}

/* A product that does not certainly fit is written with pointers to all rows. */
static gbl_Info plan_file(Writing *c, bool fits) {
    gbl_FileProduct *const how = c->of.how;
    double rows = (double)how->nrows + 1.0;
    if (!fits && (how->nrows > GB_IO_DIMENSION_MAX || c->of.ncols > GB_IO_DIMENSION_MAX ||
                  c->of.most > 0x1p60))
        return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                        "%s: a product of %llu x %llu with up to %.3g entries cannot be written "
                        "in slices; dimensions may be 2^32 - 1",
                        c->of.path, (unsigned long long)how->nrows, (unsigned long long)c->of.ncols,
                        c->of.most);
    if (fits) rows = fmin(rows, 2.0 * how->nvals_predicted); /* listed, where they are few */
    how->bytes_predicted =
        GB_HEADER_BYTES + 8.0 * rows + how->nvals_predicted * (double)(4 + c->of.kind.size);
    return GBL_SUCCESS;
}

static gbl_Info write_product(Writing *c) {
    const gbl_FileProduct *const how = c->of.how;
    const double start = gb_io_seconds();
    gbl_Info info = gb_product_plan(&c->of);
    if (info != GBL_SUCCESS) return info;
    const bool fits = gb_product_fits(&c->of);
    info = plan_file(c, fits);
    if (info == GBL_SUCCESS)
        info = fits ? gb_output_open(&c->file.output, c->of.path)
                    : gb_partial_open(&c->file, c->of.path, how->resume);
    if (info != GBL_SUCCESS) return info;
    info = look_at_disk(c, !how->keep || !how->keep->op);
    if (info == GBL_SUCCESS) info = predict_seconds(c, start);
    if (info == GBL_SUCCESS) info = report(c);
    if (info == GBL_SUCCESS && !fits) info = write_slices(c);
    if (!fits) return gb_partial_close(&c->file, info);
    gb_output_discard(&c->file.output);
    return info == GBL_SUCCESS ? write_whole(c) : info;
}

gbl_Info gbl_mxm_to_file(const char *path, gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B,
                         gbl_FileProduct *how) {
    if (!path) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_mxm_to_file: path is NULL");
    gbl_FileProduct usual = {0};
    Writing c = {.of = {.path = path,
                        .ring = ring,
                        .A = A,
                        .B = B,
                        .how = how ? how : &usual,
                        .take = append_slice},
                 .file.journal.file = -1,
                 .file.direct = -1};
    c.of.to = &c;
    gbl_call_begin();
    const gbl_Info info = write_product(&c);
    gbl_call_end();
    return info;
}
