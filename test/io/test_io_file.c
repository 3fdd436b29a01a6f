/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_file_write, gbl_file_map, gbl_save: matrices in files that are mapped into memory.
 */
#include "support/gb_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gblite_io.h"

static char path[] = "/tmp/gblite_file_XXXXXX.gbl";

static void make_path(void) {
    memset(path + sizeof path - 11, 'X', 6);
    const int file = mkstemps(path, 4);
    CHECK(file >= 0);
    close(file);
}

static gbl_Matrix difference(gbl_Matrix A, gbl_Matrix B) {
    gbl_Matrix D = NULL;
    gbl_Index n;
    OK(gbl_Matrix_nrows(&n, A));
    OK(gbl_Matrix_new(&D, GBL_BOOL, n, n));
    OK(gbl_Matrix_eWiseAdd_BinaryOp(D, NULL, NULL, GBL_NE_FP64, A, B, NULL));
    OK(gbl_Matrix_select_BOOL(D, NULL, NULL, GBL_VALUENE_BOOL, D, false, NULL));
    return D;
}

static void check_equal(gbl_Matrix A, gbl_Matrix B) {
    gbl_Matrix D = difference(A, B);
    gbl_Index n = 1, a, b;
    OK(gbl_Matrix_nvals(&n, D));
    OK(gbl_Matrix_nvals(&a, A));
    OK(gbl_Matrix_nvals(&b, B));
    CHECK_EQ(n, 0);
    CHECK_EQ(a, b);
    OK(gbl_Matrix_free(&D));
}

GB_TEST(io_file, there_and_back) {
    gbl_Matrix A = NULL, C = NULL, B = NULL;
    gbl_Type type = NULL;
    double x = 0;
    make_path();
    OK(gbl_generate(&A, GBL_FP64, "rmat:8:8"));
    OK(gbl_save(A, path));
    for (int check = 0; check < 2; check++) {
        OK(gbl_file_map(&C, NULL, path, check));
        check_equal(A, C);
        OK(gbl_Matrix_setElement_FP64(C, 9, 1, 1)); /* of the matrix, not of the file */
        OK(gbl_Matrix_extractElement_FP64(&x, C, 1, 1));
        CHECK(x == 9);
        OK(gbl_load(&B, NULL, path));
        check_equal(A, B);
        OK(gbl_Matrix_free(&B));
        OK(gbl_Matrix_free(&C));
        OK(gbl_file_map(&C, GBL_INT8, path, check)); /* in another type: a copy */
        OK(gbl_Matrix_type(&type, C));
        CHECK(type == GBL_INT8);
        OK(gbl_Matrix_free(&C));
    }
    /* a mapped matrix may be saved over the file that it lies in: a new file takes its name */
    OK(gbl_load(&C, NULL, path));
    OK(gbl_save(C, path));
    check_equal(A, C);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&A));
    unlink(path);
}

GB_TEST(io_file, refusals_name_the_file) {
    gbl_Matrix A = NULL;
    FAILS(GBL_IO_ERROR, gbl_file_map(&A, NULL, "/nowhere/at/all.gbl", true));
    FAILS(GBL_INVALID_OBJECT, gbl_file_map(&A, NULL, "/tmp", true));
    FAILS(GBL_INVALID_OBJECT, gbl_file_map(&A, NULL, "/dev/null", true));
    FAILS(GBL_NULL_POINTER, gbl_file_map(&A, NULL, NULL, true));
    FAILS(GBL_NULL_POINTER, gbl_file_map(NULL, NULL, "/tmp", true));
    FAILS(GBL_NULL_POINTER, gbl_file_write(A, NULL));
    make_path();
    FAILS(GBL_INVALID_OBJECT, gbl_file_map(&A, NULL, path, true)); /* empty */
    FILE *file = fopen(path, "w");
    CHECK(file && fputs("%%MatrixMarket matrix coordinate real general\n1 1 0\n", file) >= 0);
    CHECK(file && fclose(file) == 0);
    FAILS(GBL_INVALID_OBJECT, gbl_file_map(&A, NULL, path, false));
    CHECK(strstr(gbl_last_error(), path) != NULL);
    CHECK(A == NULL);
    unlink(path);
}

/* -- a failing allocation leaves no matrix, no mapping and no file */

static bool passes_without(int64_t n, gbl_Matrix A) {
    gbl_Matrix C = NULL;
    t_fail_at(n);
    gbl_Info info = gbl_save(A, path);
    if (info == GBL_SUCCESS) info = gbl_file_map(&C, n % 2 ? NULL : GBL_INT8, path, true);
    const bool all = !t_failed();
    t_fail_at(0);
    CHECK(info == GBL_SUCCESS || (info == GBL_OUT_OF_MEMORY && C == NULL));
    OK(gbl_Matrix_free(&C));
    return all;
}

BRUTAL(files) {
    gbl_Matrix A = NULL;
    make_path();
    OK(gbl_generate(&A, GBL_FP64, "er:5:2"));
    for (int64_t n = 1; !passes_without(n, A) || !passes_without(n + 1, A); n += 2) CHECK(n < 200);
    OK(gbl_Matrix_free(&A));
    unlink(path);
}

/* Of user-defined types too, which the caller names. */
GB_TEST(io_file, user_types) {
    gbl_Type type = NULL;
    gbl_Matrix A = NULL, C = NULL;
    char x[24] = "a value of 24 bytes", y[24] = "";
    make_path();
    OK(gbl_Type_new(&type, sizeof x));
    OK(gbl_Matrix_new(&A, type, 3, 3));
    OK(gbl_Matrix_setElement_UDT(A, x, 1, 2));
    OK(gbl_file_write(A, path));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_file_map(&C, NULL, path, true));
    OK(gbl_file_map(&C, type, path, true));
    OK(gbl_Matrix_extractElement_UDT(y, C, 1, 2));
    CHECK(memcmp(x, y, sizeof x) == 0);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Type_free(&type));
    unlink(path);
}
