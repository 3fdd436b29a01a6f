/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_mxm_to_file with resume: whatever ends a call, and wherever, the file that a later one
 * completes is the same to the byte; and nothing is gone on with that is not of this product.
 */
#include "test_io.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum { LIMIT = 600 << 10, KILLS = 12 };
#ifdef GB_TINY /* whose accumulators take more beside a slice */
#define KILLED "rmat:11:8"
#else
#define KILLED "rmat:12:8"
#endif

typedef struct {
    gbl_Matrix A;
    gbl_Semiring ring;
    char *bytes; /* of the file of a call that nothing ends */
    uint64_t size, slices;
} Case;

static Case c;

static void set_limit(int64_t bytes) {
    expect_ok(gbl_Global_set_INT64(GBL_GLOBAL, bytes, GBL_MEMORY_LIMIT), "limit");
}

static char *bytes_of(const char *path, uint64_t *size) {
    struct stat facts;
    cr_assert_eq(stat(path, &facts), 0, "%s", path);
    char *const bytes = malloc((size_t)facts.st_size);
    FILE *const file = fopen(path, "rb");
    cr_assert(file && bytes);
    cr_assert_eq(fread(bytes, 1, (size_t)facts.st_size, file), (size_t)facts.st_size);
    fclose(file);
    *size = (uint64_t)facts.st_size;
    return bytes;
}

static void begin(const char *spec, gbl_Semiring ring) {
    gbl_FileProduct how = {0};
    c = (Case){.ring = ring};
    expect_ok(gbl_generate(&c.A, GBL_FP64, spec), spec);
    set_limit(LIMIT);
    expect_ok(gbl_mxm_to_file(in_folder("whole.gbl"), ring, c.A, c.A, &how), spec);
    cr_assert(how.slices > 3, "%d slices", (int)how.slices);
    c.slices = how.slices;
    c.bytes = bytes_of(in_folder("whole.gbl"), &c.size);
}

static void end(void) {
    gbl_Matrix_free(&c.A);
    free(c.bytes);
}

static void expect_bytes(const char *what) {
    uint64_t size;
    char *const bytes = bytes_of(in_folder("c.gbl"), &size);
    cr_assert(size == c.size && memcmp(bytes, c.bytes, size) == 0, "%s: other bytes", what);
    free(bytes);
    unlink(in_folder("c.gbl"));
}

static void expect_whole(const char *what) {
    cr_assert_eq(files_in_folder(), 2, "%s", what);
    expect_bytes(what);
}

static gbl_Info resume(gbl_FileProduct *how) {
    how->resume = true;
    return gbl_mxm_to_file(in_folder("c.gbl"), c.ring, c.A, c.A, how);
}

static bool stop_after(void *slices, const gbl_FileProduct *so_far) {
    return so_far->slices < *(uint64_t *)slices;
}

static gbl_Index stop(uint64_t slices) {
    gbl_FileProduct how = {.progress = stop_after, .context = &slices};
    expect_error(gbl_mxm_to_file(in_folder("c.gbl"), c.ring, c.A, c.A, &how), GBL_CANCELLED,
                 "cancelled", "stop");
    cr_assert_eq(how.slices, slices);
    return how.rows_done;
}

/* As a process that is killed then leaves it, where the file system can. */
static void collapse(void) {
    uint64_t entries;
    struct stat facts;
    const int file = open(in_folder("c.gbl.partial"), O_RDWR);
    memcpy(&entries, c.bytes + 48, sizeof entries);
    cr_assert(file >= 0 && fstat(file, &facts) == 0);
    const off_t block = facts.st_blksize, values = facts.st_size - 8 * (off_t)entries;
    const off_t begin = ((off_t)c.size - 8 * (off_t)entries) / block * block;
    if (begin < values && fallocate(file, FALLOC_FL_COLLAPSE_RANGE, begin, values - begin) == 0)
        cr_assert_eq(fstat(file, &facts), 0);
    close(file);
}

TestSuite(mxm_resume, .init = start, .fini = finish);

Test(mxm_resume, goes_on_after_any_slice) {
    const struct {
        const char *spec;
        gbl_Semiring ring;
    } cases[] = {{"rmat:11:8", GBL_PLUS_TIMES_SEMIRING_FP64},
                 {"rmat:11:8", GBL_LOR_LAND_SEMIRING_BOOL},  /* one value for all */
                 {"er:11:6", GBL_PLUS_PAIR_SEMIRING_INT16}}; /* other values come later */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        begin(cases[k].spec, cases[k].ring);
        for (uint64_t slices = 1; slices <= c.slices; slices += slices < 3 ? 1 : c.slices / 3) {
            gbl_FileProduct how = {0};
            const gbl_Index rows = stop(slices);
            set_limit(slices % 2 ? LIMIT : 3 * LIMIT);
            expect_ok(resume(&how), "resume");
            cr_assert_eq(how.rows_resumed, rows);
            cr_assert_eq(how.rows_done, how.nrows);
            set_limit(LIMIT);
            expect_whole(cases[k].spec);
        }
        stop(c.slices); /* all rows, and no header */
        if (k == 0) collapse();
        gbl_FileProduct how = {0};
        expect_ok(resume(&how), "the end");
        cr_assert_eq(how.rows_resumed, how.nrows);
        expect_whole("the end");
        expect_ok(resume(&how), "nothing to go on with");
        cr_assert_eq(how.rows_resumed, 0);
        expect_whole("anew");
        end();
    }
}

Test(mxm_resume, killed_at_random_moments) {
    int status = 1, killed = 0;
    begin(KILLED, GBL_PLUS_TIMES_SEMIRING_FP64);
    for (int k = 0; status != 0; k++) {
        gbl_FileProduct how = {0};
        const pid_t child = fork();
        cr_assert(child >= 0);
        if (child == 0) _exit(resume(&how) == GBL_SUCCESS ? 0 : 1);
        if (k < KILLS) { /* the later ones get further */
            const struct timespec wait = {.tv_nsec = 1000000 + (long)(random_bits() % 40000000)};
            nanosleep(&wait, NULL);
            kill(child, SIGKILL);
        }
        cr_assert_eq(waitpid(child, &status, 0), child);
        killed += WIFSIGNALED(status);
        cr_assert(WIFSIGNALED(status) || status == 0, "%d", status);
        if (access(in_folder("c.gbl"), F_OK) == 0) break; /* then it is whole */
    }
    cr_assert(killed > 0);
    expect_bytes("killed"); /* an empty file or a journal may be there too */
    end();
}

/* As a disk that is full, and later has some more space. */
Test(mxm_resume, files_that_may_grow_by_and_by) {
    struct rlimit before;
    gbl_Info info = GBL_IO_ERROR;
    begin("rmat:11:8", GBL_PLUS_TIMES_SEMIRING_FP64);
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (rlim_t bytes = 100; info != GBL_SUCCESS; bytes += random_bits() % (c.size / 4)) {
        gbl_FileProduct how = {0};
        const struct rlimit small = {.rlim_cur = bytes, .rlim_max = before.rlim_max};
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
        info = resume(&how);
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
        if (info == GBL_SUCCESS) break;
        expect_error(info, GBL_IO_ERROR, "too large", "file size");
        cr_assert(access(in_folder("c.gbl"), F_OK) != 0);
    }
    expect_whole("file size");
    end();
}

static void flip(const char *name, uint64_t at) {
    unsigned char byte;
    FILE *const file = fopen(in_folder(name), "r+b");
    cr_assert(file && fseek(file, (long)at, SEEK_SET) == 0 && fread(&byte, 1, 1, file) == 1);
    byte ^= 16;
    cr_assert(fseek(file, (long)at, SEEK_SET) == 0 && fwrite(&byte, 1, 1, file) == 1);
    fclose(file);
}

static uint64_t size_of(const char *name) {
    struct stat facts;
    cr_assert_eq(stat(in_folder(name), &facts), 0, "%s", name);
    return (uint64_t)facts.st_size;
}

/* As after the machine lost power: a record may be there, and not what it tells of. */
Test(mxm_resume, goes_on_before_what_is_damaged) {
    begin("rmat:11:8", GBL_PLUS_TIMES_SEMIRING_FP64);
    for (int round = 0; round < 12; round++) {
        gbl_FileProduct how = {0};
        const gbl_Index rows = stop(c.slices - 1);
        const char *const name = round % 3 ? "c.gbl.partial" : "c.gbl.journal";
        const uint64_t size = size_of(name);
        if (round % 4 == 3)
            cr_assert_eq(truncate(in_folder(name), (off_t)(size - 1 - random_bits() % (size / 10))),
                         0);
        else
            flip(name, size - 1 - random_bits() % 150);
        expect_ok(resume(&how), "resume");
        cr_assert(how.rows_resumed < rows);
        expect_whole("damaged");
    }
    stop(2);
    flip("c.gbl.partial", 100); /* the first slice */
    gbl_FileProduct how = {0};
    expect_error(resume(&how), GBL_INVALID_VALUE, "damaged", "first slice");
    expect_error(resume(&how), GBL_INVALID_VALUE, "damaged", "again");
    how.resume = false;
    expect_ok(gbl_mxm_to_file(in_folder("c.gbl"), c.ring, c.A, c.A, &how), "anew");
    expect_whole("anew");
    end();
}

Test(mxm_resume, another_product_is_not_gone_on_with) {
    gbl_Matrix M = NULL;
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    gbl_Index row, column;
    double x;
    keep.most = 3;
    expect_ok(gbl_generate(&M, GBL_BOOL, "er:11:40"), "mask");
    begin("er:11:16", GBL_PLUS_TIMES_SEMIRING_FP64);
    stop(2);
    gbl_FileProduct masked = {.M = M}, kept = {.keep = &keep}, cast = {.type = GBL_INT64};
    gbl_FileProduct plain = {0};
    gbl_FileProduct *const others[] = {&masked, &kept, &cast};
    for (int k = 0; k < 3; k++)
        expect_error(resume(others[k]), GBL_INVALID_VALUE, "another product", "other");
    c.ring = GBL_MIN_PLUS_SEMIRING_FP64;
    expect_error(resume(&plain), GBL_INVALID_VALUE, "another product", "semiring");
    c.ring = GBL_PLUS_TIMES_SEMIRING_FP64;
    gb_Tuples tuples = tuples_of(c.A);
    row = tuples.I[tuples.n - 1], column = tuples.J[tuples.n - 1], x = tuples.X[tuples.n - 1];
    expect_ok(gbl_Matrix_setElement_FP64(c.A, x + 1.0, row, column), "one value");
    expect_error(resume(&plain), GBL_INVALID_VALUE, "another product", "value");
    expect_ok(gbl_Matrix_setElement_FP64(c.A, x, row, column), "as before");
    expect_ok(resume(&plain), "the same again");
    cr_assert(plain.rows_resumed > 0);
    expect_whole("the same");
    free_tuples(&tuples);
    gbl_Matrix_free(&M);
    end();
}

static bool call_again(void *infos, const gbl_FileProduct *so_far) {
    gbl_Info *const info = infos;
    if (so_far->slices == 2) {
        gbl_FileProduct how = {0};
        info[0] = resume(&how);
        info[1] = gbl_mxm_to_file(in_folder("c.gbl"), c.ring, c.A, c.A, NULL);
    }
    return true;
}

Test(mxm_resume, one_call_at_a_time_writes_a_file) {
    gbl_Info infos[2] = {0};
    gbl_FileProduct how = {.progress = call_again, .context = infos};
    begin("rmat:11:8", GBL_PLUS_TIMES_SEMIRING_FP64);
    expect_ok(resume(&how), "outer");
    cr_assert(infos[0] == GBL_IO_ERROR && infos[1] == GBL_IO_ERROR);
    expect_whole("alone");
    end();
}
