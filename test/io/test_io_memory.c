/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the memory of gblite_io comes from: the allocator given to the library, whose blocks are
 * none of malloc's; and what happens when it has no more.
 */
#include "test_io.h"

#include "support/gb_test.h"

#include <stdatomic.h>

/* A folder, but no library yet. */
static void start_bare(void) {
    start();
    gbl_finalize();
}

TestSuite(io_memory, .init = start_bare);

static const char *const texts[] = {
    "%%MatrixMarket matrix coordinate real general\n3 4 3\n3 3 7\n1 4 -2.5\n2 1 1e-3\n",
    "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n3 3\n2 1\n",
    "%%MatrixMarket matrix coordinate integer general\n9000 1 2\n17 1 7\n3 1 8\n",
    "%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n3\n",
    "%%MatrixMarket matrix array real general\n0 3\n"};
enum { TEXTS = sizeof texts / sizeof *texts };

/* ----------------------------------------------------- an allocator with headers of its own -- */

enum { HEADER = 64 };
static const uint64_t OURS = UINT64_C(0x6D696E65206F6E6C);

typedef struct {
    uint64_t mark;
    size_t size;
} Header;

static atomic_llong blocks;

static void *with_header(size_t size) {
    char *const block = malloc(HEADER + size);
    if (!block) return NULL;
    *(Header *)block = (Header){OURS, size};
    atomic_fetch_add(&blocks, 1);
    return block + HEADER;
}

static void free_with_header(void *block) {
    if (!block) return;
    Header *const header = (Header *)((char *)block - HEADER);
    if (header->mark != OURS) abort(); /* not ours */
    header->mark = 0;
    atomic_fetch_sub(&blocks, 1);
    free(header);
}

static void *resize_with_header(void *block, size_t size) {
    void *const resized = with_header(size);
    if (!block || !resized) return resized;
    const Header *const header = (const Header *)((const char *)block - HEADER);
    if (header->mark != OURS) abort();
    memcpy(resized, block, header->size < size ? header->size : size);
    free_with_header(block);
    return resized;
}

static void expect_same(gbl_Matrix A, gbl_Matrix B, const char *what) {
    gb_Tuples a = tuples_of(A), b = tuples_of(B);
    cr_assert(same_tuples(&a, &b), "%s", what);
    free_tuples(&a);
    free_tuples(&b);
}

static void use_all_of_io(void) {
    gbl_Matrix A = NULL, B = NULL;
    gbl_Arrays arrays;
    expect_ok(gbl_generate(&A, GBL_INT32, "rmats:9:40"), "rmats");
    expect_ok(gbl_Matrix_moveOut(A, GBL_CSR_FORMAT, &arrays), "moveOut");
    gbl_Memory_free(arrays.p);
    gbl_Memory_free(arrays.i);
    gbl_Memory_free(arrays.x);
    gbl_Matrix_free(&A);
    expect_ok(gbl_generate(&A, NULL, "fem:9:2"), "fem");
    static const char *const names[] = {"a.mtx", "a.mtx.gz"};
    for (int k = 0; k < 2; k++) {
        expect_ok(gbl_mm_write(A, in_folder(names[k])), names[k]);
        expect_ok(gbl_mm_read(&B, NULL, in_folder(names[k])), names[k]);
        expect_same(A, B, names[k]);
        gbl_Matrix_free(&B);
    }
    gbl_Matrix_free(&A);
    for (int k = 0; k < TEXTS; k++) {
        expect_ok(gbl_mm_read_memory(&A, NULL, texts[k], strlen(texts[k])), texts[k]);
        gbl_Matrix_free(&A);
    }
}

Test(io_memory, all_comes_from_the_given_allocator) {
    for (int with_realloc = 0; with_realloc < 2; with_realloc++) {
        expect_ok(gbl_init_with_allocator(GBL_NONBLOCKING, with_header,
                                          with_realloc ? resize_with_header : NULL,
                                          free_with_header),
                  "init");
        use_all_of_io();
        if (with_realloc) {
            finish(); /* gbl_finalize, and the folder */
        } else {
            gbl_finalize();
        }
        cr_assert_eq(atomic_load(&blocks), 0);
    }
}

/* ---------------------------------------------------------------------------- no more memory -- */

/* The call with the n-th allocation failing, for every n that there is. A call may do without. */
static void fail_each(gbl_Info (*call)(gbl_Matrix *A, void *context), void *context,
                      const char *what) {
    const int64_t live = t_live(), counted = t_blocks();
    bool failed = true;
    int64_t n = 0;
    for (; failed; n++) {
        gbl_Matrix A = NULL;
        const gbl_Info info = FAIL_AT(n + 1, call(&A, context), &failed);
        cr_assert(info == GBL_SUCCESS || (failed && info == GBL_OUT_OF_MEMORY), "%s: %d %s", what,
                  info, gbl_last_error());
        cr_assert(info == GBL_SUCCESS || A == NULL, "%s", what);
        gbl_Matrix_free(&A);
        cr_assert(t_live() == live && t_blocks() == counted, "%s, allocation %d", what, (int)n + 1);
    }
    cr_assert_gt(n, 2, "%s: %d allocations", what, (int)n - 1);
}

typedef struct {
    const char *text;
    size_t size;
} Text;

static gbl_Info read_text(gbl_Matrix *A, void *context) {
    const Text *const text = context;
    return gbl_mm_read_memory(A, NULL, text->text, text->size);
}

static gbl_Info read_path(gbl_Matrix *A, void *path) {
    return gbl_mm_read(A, NULL, path);
}

static gbl_Info generate(gbl_Matrix *A, void *spec) {
    return gbl_generate(A, NULL, spec);
}

static gbl_Matrix written;

static gbl_Info write_path(gbl_Matrix *A, void *path) {
    (void)A;
    return gbl_mm_write(written, path);
}

Test(io_memory, any_allocation_may_fail) {
    t_brutal_setup();
    for (int k = 0; k < TEXTS - 1; k++) {
        Text text = {texts[k], strlen(texts[k])};
        fail_each(read_text, &text, text.text);
    }
    static char specs[][20] = {"er:6:4", "rmats:5:3", "fem:3:2", "band:30:2", "tiles:3:2:9"};
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++)
        fail_each(generate, specs[k], specs[k]);
    static const char *const names[] = {"a.mtx", "a.mtx.gz"};
    expect_ok(gbl_generate(&written, NULL, "er:14:1"), "er"); /* more than the first portion */
    expect_ok(gbl_Matrix_wait(written, GBL_MATERIALIZE), "wait");
    for (int k = 0; k < 2; k++) {
        char path[128];
        snprintf(path, sizeof path, "%s", in_folder(names[k]));
        fail_each(write_path, path, path);
        fail_each(read_path, path, path);
    }
    cr_assert_eq(files_in_folder(), 2);
    gbl_Matrix_free(&written);
    t_brutal_teardown();
    expect_ok(gbl_init(GBL_NONBLOCKING), "init");
    finish();
}

Test(io_memory, a_lack_of_memory_names_the_file_and_the_matrix) {
    static const char square[] =
        "%%MatrixMarket matrix coordinate real general\n1000000 1000000 1\n7 8 2.5\n";
    gbl_Matrix A = NULL;
    const char *const path = in_folder("wide.mtx");
    put_file(path, square, sizeof square - 1);
    t_brutal_setup();
    t_refuse_above(1 << 20);
    expect_error(gbl_mm_read(&A, NULL, path), GBL_OUT_OF_MEMORY, path, "refused");
    expect_error(gbl_mm_read(&A, NULL, path), GBL_OUT_OF_MEMORY,
                 "a matrix of 1000000 x 1000000 with 1 entries: not enough memory", "refused");
    t_refuse_above(0);
    expect_ok(gbl_Global_set_INT64(GBL_GLOBAL, 1 << 20, GBL_MEMORY_LIMIT), "limit");
    expect_error(gbl_mm_read(&A, NULL, path), GBL_INSUFFICIENT_SPACE,
                 "wide.mtx: a matrix of 1000000 x 1000000 with 1 entries", "limit");
    expect_error(gbl_mm_read(&A, NULL, path), GBL_INSUFFICIENT_SPACE, "the limit is 1048576",
                 "limit");
    expect_ok(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT), "limit");
    t_brutal_teardown();
    expect_ok(gbl_init(GBL_NONBLOCKING), "init");
    finish();
}
