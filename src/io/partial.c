/* SPDX-License-Identifier: Apache-2.0
 *
 * See partial.h.
 */
#define _GNU_SOURCE
#include "partial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PORTION = 1 << 16 };
enum { DIRECT_ALIGNMENT = 1 << 12, DIRECT_PORTION = 4 << 20 };

/* -- sections */

uint64_t gb_mix(uint64_t sum, uint64_t word) {
    const uint64_t mixed = (sum ^ word) * 0x9E3779B97F4A7C15u;
    return mixed << 29 | mixed >> 35;
}

uint64_t gb_padded(uint64_t bytes) {
    return (bytes + 7) & ~(uint64_t)7;
}

gb_Section gb_section_at(uint64_t at) {
    return (gb_Section){.at = at, .sums = {1, 2, 3, 4}};
}

static void take_word(gb_Section *s, uint64_t word) {
    uint64_t *const sum = &s->sums[s->bytes / 8 % 4];
    *sum = gb_mix(*sum, word);
}

void gb_section_add(gb_Section *s, const void *from, size_t size) {
    const unsigned char *bytes = from;
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

uint64_t gb_section_end(gb_Section *s) {
    const unsigned char zeros[8] = {0};
    gb_section_add(s, zeros, gb_padded(s->bytes) - s->bytes);
    return gb_mix(gb_mix(gb_mix(s->sums[0], s->sums[1]), s->sums[2]), s->sums[3]);
}

void gb_header_put(unsigned char *bytes, const gb_Kind *kind, uint32_t flags,
                   const uint64_t sizes[5]) {
    const uint32_t words[] = {1, flags, (uint32_t)kind->code, 0};
    const uint32_t widths[] = {sizeof(uint64_t), sizeof(uint32_t)};
    memcpy(bytes, "gblite\r\n", 8);
    memcpy(bytes + 8, words, sizeof words);
    memcpy(bytes + 24, &kind->size, sizeof(uint64_t));
    memcpy(bytes + 32, sizes, 4 * sizeof *sizes);
    memcpy(bytes + 64, widths, sizeof widths);
    memcpy(bytes + 72, &sizes[4], sizeof *sizes);
}

/* -- writing */

static void open_direct(gb_Partial *f) {
#ifdef O_DIRECT
    f->direct = open(f->output.temporary, O_WRONLY | O_DIRECT | O_CLOEXEC);
    if (f->direct < 0 || posix_memalign(&f->portion, DIRECT_ALIGNMENT, DIRECT_PORTION) == 0) return;
    f->portion = NULL;
    close(f->direct);
    f->direct = -1;
#endif
}

static void close_direct(gb_Partial *f) {
    if (f->direct >= 0) close(f->direct);
    f->direct = -1;
    free(f->portion);
    f->portion = NULL;
}

/* Whole blocks, to a place where one begins. What the file system does not take so goes through
 * the page cache, where a full disk says that it is full. */
static gbl_Info write_blocks(gb_Partial *f, const char *bytes, size_t size, uint64_t at) {
    while (size > 0 && gbl_call_state() == GBL_SUCCESS) {
        if (__atomic_load_n(&f->stopped, __ATOMIC_RELAXED)) return GBL_CANCELLED;
        const size_t some = size < DIRECT_PORTION ? size : DIRECT_PORTION;
        memcpy(f->portion, bytes, some);
        const ssize_t n = pwrite(f->direct, f->portion, some, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0 || n % DIRECT_ALIGNMENT != 0) break;
        bytes += n, at += (uint64_t)n, size -= (size_t)n;
    }
    return gb_output_write_at(&f->output, bytes, size, (int64_t)at);
}

gbl_Info gb_partial_append(gb_Partial *f, gb_Section *s, const void *bytes, size_t size) {
    const uint64_t at = s->at + s->bytes;
    const size_t before = (size_t)(-at % DIRECT_ALIGNMENT);
    if (size == 0) return GBL_SUCCESS;
    gb_section_add(s, bytes, size);
    if (f->direct < 0 || size < before + DIRECT_ALIGNMENT)
        return gb_output_write_at(&f->output, bytes, size, (int64_t)at);
    const size_t after = (size - before) % DIRECT_ALIGNMENT;
    const char *const from = bytes;
    gbl_Info info = gb_output_write_at(&f->output, from, before, (int64_t)at);
    if (info == GBL_SUCCESS)
        info = write_blocks(f, from + before, size - before - after, at + before);
    if (info != GBL_SUCCESS) return info;
    return gb_output_write_at(&f->output, from + size - after, after, (int64_t)(at + size - after));
}

/* -- the journal */

static uint64_t record_sum(const gb_Partial *f, const gb_Slices *record) {
    gb_Section s = gb_section_at(0);
    gb_section_add(&s, record, offsetof(gb_Slices, sum));
    return gb_mix(f->key, gb_section_end(&s));
}

gbl_Info gb_partial_record(gb_Partial *f) {
    const int64_t at = (int64_t)(f->now.slices * sizeof f->now);
    f->now.slices++;
    f->now.sum = record_sum(f, &f->now);
    return gb_output_write_at(&f->journal, &f->now, sizeof f->now, at);
}

static bool read_record(gb_Slices *record, const gb_Partial *f, uint64_t k) {
    const off_t at = (off_t)(k * sizeof *record);
    return pread(f->journal.file, record, sizeof *record, at) == sizeof *record &&
           record->slices == k + 1 && record->sum == record_sum(f, record);
}

/* Whether the file goes on from s to what was written then; s is there afterwards. */
static bool read_on(const gb_Partial *f, gb_Section *s, const gb_Section *then) {
    unsigned char bytes[PORTION];
    while (s->bytes < then->bytes && gbl_call_state() == GBL_SUCCESS) {
        const uint64_t left = then->bytes - s->bytes;
        const size_t size = left < sizeof bytes ? left : sizeof bytes;
        const off_t at = (off_t)(s->at + s->bytes);
        if (pread(f->output.file, bytes, size, at) != (ssize_t)size) return false;
        gb_section_add(s, bytes, size);
    }
    return memcmp(s, then, sizeof *s) == 0;
}

/* Where values begin once nothing is free before them. */
static uint64_t collapsed(const gb_Partial *f, const gb_Slices *slices) {
    const uint64_t end = slices->i.at + gb_padded(slices->i.bytes);
    return (end + f->block - 1) / f->block * f->block;
}

void gb_partial_collapse(gb_Partial *f) {
    const uint64_t begin = collapsed(f, &f->now);
#ifdef FALLOC_FL_COLLAPSE_RANGE
    if (begin < f->now.x.at && fallocate(f->output.file, FALLOC_FL_COLLAPSE_RANGE, (off_t)begin,
                                         (off_t)(f->now.x.at - begin)) == 0)
        f->now.x.at = begin;
#endif
}

/* From an empty file to the last record that the file agrees with, where values begin at x. */
static gb_Slices replay(const gb_Partial *f, gb_Slices read, uint64_t x) {
    gb_Slices found = read, record;
    for (uint64_t k = 0; read_record(&record, f, k); k++) {
        record.x.at = read.x.at = x;
        if (!read_on(f, &read.p, &record.p) || !read_on(f, &read.i, &record.i) ||
            !read_on(f, &read.x, &record.x))
            break;
        found = record;
    }
    return found;
}

gbl_Info gb_partial_resume(gb_Partial *f) {
    const gb_Slices empty = f->now;
    gb_Slices last = empty, record;
    while (read_record(&record, f, last.slices)) last = record;
    f->now = replay(f, empty, last.x.at);
    if (f->now.slices < last.slices) { /* the process may have been killed after the collapse */
        const gb_Slices found = replay(f, empty, collapsed(f, &last));
        if (found.slices == last.slices) f->now = found;
    }
    const gbl_Info info = gbl_call_state();
    if (f->now.slices > 0 || info != GBL_SUCCESS ||
        lseek(f->journal.file, 0, SEEK_END) < (off_t)sizeof record)
        return info;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "%s.partial is of another product, or damaged; without resume it is written "
                    "anew",
                    f->output.path);
}

/* -- the files */

static char *beside(const gb_Output *output, const char *end) {
    char *path;
    return asprintf(&path, "%s%s", output->target, end) < 0 ? NULL : path;
}

/* The journal, which nobody else has, nor unlinked since it was opened. */
static bool lock(gb_Output *journal) {
    struct stat opened, named;
    journal->file = open(journal->temporary, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (journal->file < 0 || (flock(journal->file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK))
        return false;
    return fstat(journal->file, &opened) == 0 && stat(journal->temporary, &named) == 0 &&
           opened.st_ino == named.st_ino;
}

gbl_Info gb_partial_open(gb_Partial *f, const char *path, bool resume) {
    gbl_Info info = gb_output_open(&f->output, path);
    if (info != GBL_SUCCESS || !f->output.temporary) return info; /* not a file */
    char *const name = beside(&f->output, ".partial");
    f->journal = (gb_Output){.path = path, .temporary = beside(&f->output, ".journal"), .file = -1};
    if (!name || !f->journal.temporary)
        info = gb_io_no_memory("a file name");
    else if (!lock(&f->journal))
        info = gbl_fail(GBL_IO_ERROR, NULL, "%s: another call writes this file, or: %s", path,
                        strerror(errno));
    const int file = info == GBL_SUCCESS && resume ? open(name, O_RDWR | O_CLOEXEC) : -1;
    if (info == GBL_SUCCESS && file < 0 &&
        (ftruncate(f->journal.file, 0) || rename(f->output.temporary, name)))
        info = gbl_fail(GBL_IO_ERROR, NULL, "%s: cannot write %s: %s", path, name, strerror(errno));
    if (info != GBL_SUCCESS) {
        gb_output_leave(&f->journal);
        gb_output_discard(&f->output);
        free(name);
        return info;
    }
    if (file >= 0) {
        unlink(f->output.temporary);
        close(f->output.file);
        f->output.file = file;
    }
    free(f->output.temporary);
    f->output.temporary = name;
    open_direct(f);
    return GBL_SUCCESS;
}

gbl_Info gb_partial_close(gb_Partial *f, gbl_Info info) {
    const bool whole = f->journal.file >= 0 && lseek(f->journal.file, 0, SEEK_END) > 0;
    close_direct(f);
    if (info == GBL_SUCCESS) {
        info = gb_output_commit(&f->output);
        gb_output_discard(&f->journal);
    } else {
        (whole ? gb_output_leave : gb_output_discard)(&f->output);
        (whole ? gb_output_leave : gb_output_discard)(&f->journal);
    }
    return info;
}
