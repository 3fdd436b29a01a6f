/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix Market as programs write it that do not know the standard: indices from 0, no banner,
 * values of a pattern, inf in a file of integers. What is read of it, what the note says, and what
 * strict readers say.
 */
#include <math.h>

#include "test_io.h"

#include "support/gb_test.h"

#define MM "%%MatrixMarket matrix coordinate "

typedef struct {
    const char *text, *mended; /* part of the note */
    gbl_Index rows, columns, entries;
    double first; /* the value at (0, 1), -1: no entry */
    gbl_Type_Code code;
} Case;

static const Case cases[] = {
    {MM "real general\n2 3 2\n0 1 5\n1 2 7\n", "index 0", 2, 3, 2, 5, GBL_FP64_CODE},
    {MM "real general\n2 3 2\n1 2 7\n0 1 5\n", "index 0", 2, 3, 2, 5, GBL_FP64_CODE},
    {MM "integer symmetric\n3 3 2\n1 0 5\n2 2 7\n", "index 0", 3, 3, 3, 5, GBL_INT64_CODE},
    {MM "pattern skew-symmetric\n", NULL, 0, 0, 0, 0, GBL_BOOL_CODE},
    {MM "real skew-symmetric\n3 3 1\n1 0 5\n", "index 0", 3, 3, 2, -5, GBL_FP64_CODE},
    {MM "complex hermitian\n3 3 1\n1 0 5 3\n", "index 0", 3, 3, 2, 5, GBL_FC64_CODE},
    {MM "pattern general\n0 1\n4 2\n", "no size line and took the largest", 5, 5, 2, 1,
     GBL_BOOL_CODE},
    {MM "real general\n5000000000 4 2\n0 1 5\n4999999999 3 2\n", "index 0", 5000000000, 4, 2, 5,
     GBL_FP64_CODE},
    {MM "real general\n2 2 3\n0 1 5\n0 1 2\n0 0 1\n",
     "index 0 and took all to count from 0; merged", 2, 2, 2, 7, GBL_FP64_CODE},
    {"3 2 2\n1 2 0.5\n3 1 8\n", "no banner", 3, 2, 2, 0.5, GBL_FP64_CODE},
    {"% by us\n\n  3 2 2 % sizes\n% and\n1 2\n3 1\n", "no banner", 3, 2, 2, 1, GBL_BOOL_CODE},
    {"3 2 2\n0 1 0.5\n2 1 8\n", "for sizes; found an index 0", 3, 2, 2, 0.5, GBL_FP64_CODE},
    {"3 2 2\n0 1\n2 1\n", "for sizes; found an index 0", 3, 2, 2, 1, GBL_BOOL_CODE},
    {"3 2 0\n", "no banner", 3, 2, 0, -1, GBL_FP64_CODE},
    {"5 1 3", "no banner", 0, 0, 0, 0, GBL_FP64_CODE},
    {MM "pattern general\n2 2 2\n1 2 7\n2 2\n", "values of a pattern", 2, 2, 2, 1, GBL_BOOL_CODE},
    {MM "pattern symmetric\n2 2 1\n2 1 -1.5e3 % no\n", "values of a pattern", 2, 2, 2, 1,
     GBL_BOOL_CODE},
    {MM "integer general\n%%GraphBLAS type double\n2 2 2\n1 2 -inf\n2 2 3\n", "", 2, 2, 2,
     -INFINITY, GBL_FP64_CODE},
    {MM "integer general\n%%GraphBLAS type float\n2 2 2\n1 2 7\n2 2 inf\n", "", 2, 2, 2, 7,
     GBL_FP32_CODE},
};

/* The value at (0, 1). */
static double first_of(gbl_Matrix A) {
    double x = -1;
    gbl_FC64 z = 0;
    gbl_Info info = gbl_Matrix_extractElement_FP64(&x, A, 0, 1);
    if (code_of(A) == GBL_FC64_CODE) {
        info = gbl_Matrix_extractElement_FC64(&z, A, 0, 1);
        cr_assert_eq(__imag__ z, -3);
        x = __real__ z;
    }
    cr_assert(info == GBL_SUCCESS || info == GBL_NO_VALUE);
    return x;
}

Test(mended, texts, .init = start, .fini = finish) {
    for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
        const Case *const c = &cases[k / 2];
        gbl_MmText text = {.path = "text", .bytes = c->text, .size = strlen(c->text)};
        gbl_Matrix A;
        gbl_Index rows, columns, entries;
        expect_ok(gbl_Global_set_INT32(GBL_GLOBAL, k % 2 ? 4 : 1, GBL_NTHREADS), "threads");
        const gbl_Info info = gbl_mm_read_mended(&A, NULL, &text);
        if (c->rows == 0) {
            cr_assert_eq(info, GBL_INVALID_VALUE, "%s", c->text);
            cr_assert_null(A);
            continue;
        }
        expect_ok(info, c->text);
        cr_assert(strstr(text.mended, c->mended), "%s: %s", c->text, text.mended);
        gbl_Matrix_nrows(&rows, A);
        gbl_Matrix_ncols(&columns, A);
        gbl_Matrix_nvals(&entries, A);
        cr_assert(rows == c->rows && columns == c->columns && entries == c->entries,
                  "%s: %d x %d, %d", c->text, (int)rows, (int)columns, (int)entries);
        cr_assert_eq(code_of(A), c->code, "%s", c->text);
        cr_assert_eq(first_of(A), c->first, "%s: %g", c->text, first_of(A));
        gbl_Matrix_free(&A);
        text.strict = true;
        cr_assert_lt(gbl_mm_read_mended(&A, NULL, &text), GBL_SUCCESS, "%s",
                     c->mended[0] ? c->text : "");
        cr_assert_null(A);
    }
}

Test(mended, refused, .init = start, .fini = finish) {
    static const struct {
        const char *text, *said;
        bool strict;
    } wrong[] = {
        {MM "real general\n2 3 2\n0 1 5\n1 3 7\n",
         "line 4: the column index must be in 0..2, since some index is 0; found '3 7'", false},
        {MM "real general\n2 3 2\n2 3 7\n0 1 5\n",
         "line 3: the row index must be in 0..1, since some index is 0; found '2 3 7'", false},
        {MM "real general\n2 3 2\n0 1 5\n1 3 7\n",
         "line 3: the row index must be in 1..2, not from 0; found '0 1 5'", true},
        {MM "real symmetric\n3 3 2\n1 0 5\n0 1 7\n",
         "line 4: the entry (0, 1) was given before, in line 3", false},
        {"3 3 2\n1 2 5\n", "the size line announces 2 entries", false},
        {"3 3 1\n1 2 5\n2 3 4\n", "line 3: one entry too many", false},
        {"3 3 2\n1 2 5\n", "must start with %%MatrixMarket", true},
        {"3 3 2.0\n1 2 5\n", "must start with %%MatrixMarket", false},
        {MM "pattern general\n2 2 1\n1 2 7 7\n", "the line should end here; found '7'", false},
        {MM "pattern general\n2 2 1\n1 2 7x\n", "the line should end here; found '7x'", false},
        {MM "pattern general\n2 2 1\n1 2 7\n", "the line should end here; found '7'", true},
        {MM "integer general\n%%GraphBLAS type double\n2 2 1\n1 2 -inf\n",
         "the value must be an integer; found '-inf'", true},
        {MM "integer general\n2 2 1\n1 2 -inf\n", "the value must be an integer", false},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        gbl_MmText text = {.path = "text",
                           .bytes = wrong[k].text,
                           .size = strlen(wrong[k].text),
                           .strict = wrong[k].strict};
        gbl_Matrix A;
        const gbl_Info info = gbl_mm_read_mended(&A, NULL, &text);
        cr_assert(info == GBL_INVALID_VALUE || info == GBL_INDEX_OUT_OF_BOUNDS);
        cr_assert(strstr(gbl_last_error(), wrong[k].said), "%s", gbl_last_error());
        cr_assert_null(A);
    }
}

/* Integers of a type that a comment names, and the next ones. */
Test(mended, named_types, .init = start, .fini = finish) {
    static const struct {
        const char *type, *inside, *outside;
    } types[] = {
        {"bool", "1", "2"},
        {"bool", "0", "-1"},
        {"int8_t", "-128", "-129"},
        {"int8_t", "127", "128"},
        {"uint8_t", "255", "256"},
        {"uint8_t", "-0", "-1"},
        {"int16_t", "-32768", "-32769"},
        {"uint16_t", "65535", "65536"},
        {"int32_t", "2147483647", "2147483648"},
        {"uint32_t", "4294967295", "4294967296"},
        {"int64_t", "-9223372036854775808", "-9223372036854775809"},
        {"int64_t", "9223372036854775807", "9223372036854775808"},
        {"uint64_t", "18446744073709551615", "18446744073709551616"},
        {"uint64_t", "0", "-1"},
    };
    for (size_t k = 0; k < 2 * sizeof types / sizeof *types; k++) {
        const bool inside = k % 2, strict = k % 4 < 2;
        const char *const value = inside ? types[k / 2].inside : types[k / 2].outside;
        char bytes[160];
        snprintf(bytes, sizeof bytes, "%s%s%s\n2 2 1\n1 2 %s\n", MM,
                 "integer general\n%%GraphBLAS type ", types[k / 2].type, value);
        gbl_MmText text = {.path = "text", .bytes = bytes, .size = strlen(bytes), .strict = strict};
        gbl_Matrix A;
        const gbl_Info info = gbl_mm_read_mended(&A, NULL, &text);
        if (!inside) {
            expect_error(info, GBL_INVALID_VALUE, "line 4: the value does not fit into the type",
                         bytes);
            continue;
        }
        double x = 0;
        expect_ok(info, bytes);
        expect_ok(gbl_Matrix_extractElement_FP64(&x, A, 0, 1), bytes);
        cr_assert_eq(x, strtod(value, NULL), "%s: %g", bytes, x);
        gbl_Matrix_free(&A);
    }
}

/* An index 0 at the end of many slabs, of a file, and of a compressed one; and a pipe, which is not
 * read twice. */
Test(mended, late_index_0, .init = start, .fini = finish) {
    enum { N = 30000 };
    const char *const paths[] = {in_folder("A.mtx"), in_folder("A.mtx.gz")};
    gbl_Matrix A, B = NULL;
    gbl_Index nvals;
    gbl_MmText text = {.path = paths[0]};
    FILE *const file = fopen(paths[0], "w");
    fprintf(file, MM "integer general\n%d 3 %d\n", N, N);
    for (int k = N - 1; k >= 0; k--) fprintf(file, "%d %d %d\n", k, k ? 1 : 2, k + 1);
    fclose(file);
    expect_ok(gbl_mm_read_mended(&A, NULL, &text), "a file");
    gbl_Matrix_nvals(&nvals, A);
    cr_assert_eq(nvals, N);
    for (gbl_Index k = 0; k < N; k += N / 7) {
        int64_t x = 0;
        expect_ok(gbl_Matrix_extractElement_INT64(&x, A, k, k ? 1 : 2), "an entry");
        cr_assert_eq(x, (int64_t)k + 1);
    }
    char command[300];
    snprintf(command, sizeof command, "gzip -k %s", paths[0]);
    cr_assert_eq(system(command), 0);
    text.path = paths[1];
    expect_ok(gbl_mm_read_mended(&B, NULL, &text), "a compressed file");
    gb_Tuples a = tuples_of(A), b = tuples_of(B);
    cr_assert(same_tuples(&a, &b));
    free_tuples(&a);
    free_tuples(&b);
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&B);
    snprintf(command, sizeof command, "cat %s", paths[0]);
    FILE *const pipe = popen(command, "r");
    snprintf(command, sizeof command, "/dev/fd/%d", fileno(pipe));
    text.path = command;
    expect_error(gbl_mm_read_mended(&A, NULL, &text), GBL_INDEX_OUT_OF_BOUNDS,
                 "1..30000, not from 0", "a pipe");
    pclose(pipe);
}
