/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of files and generators share: a folder of their own, random numbers, and checks
 * that show the library's error text. One program includes it once.
 */
#pragma once

#define _GNU_SOURCE
#include <criterion/criterion.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gblite_io.h"

#define T_COMPACT_MAX ((gbl_Index)UINT32_MAX) /* the largest dimension of files */

static char folder[] = "/tmp/gblite_test_io_XXXXXX";

static inline void start(void) {
    cr_assert_eq(gbl_init(GBL_NONBLOCKING), GBL_SUCCESS);
    strcpy(folder, "/tmp/gblite_test_io_XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static inline void finish(void) {
    DIR *const entries = opendir(folder);
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        if (entry->d_name[0] != '.') unlinkat(dirfd(entries), entry->d_name, 0);
    }
    closedir(entries);
    rmdir(folder);
    gbl_finalize();
}

/* A path in the test's own folder; the latest eight stay valid. */
static inline const char *in_folder(const char *name) {
    static char paths[8][128];
    static int next;
    char *const path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static inline int files_in_folder(void) {
    int n = 0;
    DIR *const entries = opendir(folder);
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        n += entry->d_name[0] != '.';
    }
    closedir(entries);
    return n;
}

static inline void put_file(const char *path, const void *bytes, size_t size) {
    FILE *const file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

static uint64_t random_state = 7;

static inline uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * UINT64_C(2685821657736338717);
}

static inline void expect_ok(gbl_Info info, const char *what) {
    cr_assert_eq(info, GBL_SUCCESS, "%s: %d %s", what, info, gbl_last_error());
}

static inline void expect_error(gbl_Info info, gbl_Info code, const char *part, const char *what) {
    cr_assert_eq(info, code, "%s: %d instead of %d: %s", what, info, code, gbl_last_error());
    cr_assert_not_null(strstr(gbl_last_error(), part), "%s: '%s' is not in: %s", what, part,
                       gbl_last_error());
}

static inline gbl_Type_Code code_of(gbl_Matrix A) {
    gbl_Type type;
    gbl_Type_Code code;
    expect_ok(gbl_Matrix_type(&type, A), "type");
    expect_ok(gbl_Type_code(&code, type), "code");
    return code;
}

/* The entries of a matrix, cast to double. */
typedef struct {
    gbl_Index nrows, ncols, n;
    gbl_Index *I, *J;
    double *X;
} gb_Tuples;

static inline gb_Tuples tuples_of(gbl_Matrix A) {
    gb_Tuples t;
    expect_ok(gbl_Matrix_nrows(&t.nrows, A), "nrows");
    expect_ok(gbl_Matrix_ncols(&t.ncols, A), "ncols");
    expect_ok(gbl_Matrix_nvals(&t.n, A), "nvals");
    t.I = malloc((t.n + 1) * sizeof *t.I);
    t.J = malloc((t.n + 1) * sizeof *t.J);
    t.X = malloc((t.n + 1) * sizeof *t.X);
    cr_assert(t.I && t.J && t.X);
    gbl_Index capacity = t.n;
    if (t.n > 0) {
        expect_ok(gbl_Matrix_extractTuples_FP64(t.I, t.J, t.X, &capacity, A), "extractTuples");
    }
    return t;
}

static inline void free_tuples(gb_Tuples *t) {
    free(t->I);
    free(t->J);
    free(t->X);
}

/* Bit for bit, so that NaN and -0 count too. */
static inline bool same_tuples(const gb_Tuples *a, const gb_Tuples *b) {
    return a->nrows == b->nrows && a->ncols == b->ncols && a->n == b->n &&
           memcmp(a->I, b->I, a->n * sizeof *a->I) == 0 &&
           memcmp(a->J, b->J, a->n * sizeof *a->J) == 0 &&
           memcmp(a->X, b->X, a->n * sizeof *a->X) == 0;
}
