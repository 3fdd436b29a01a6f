/* SPDX-License-Identifier: Apache-2.0
 *
 * Sketches are kept with a matrix: made once, shared by all readers, and made anew for the new
 * content after anything that writes the matrix, in any of its two representations.
 */
#include "support/gb_test.h"

#include <gblite_io.h>
#include <pthread.h>
#include <stdlib.h>

#include "matrix/matrix.h"
#include "cpu/sketch_reference.h"

static const unsigned sizes[] = {32, 64, 128};
enum { SIDE = 90 };

/* A copy of the sketches that the library has, which are those of A's content. */
static uint8_t *sketches(gbl_Matrix A, gb_Format format, unsigned registers) {
    const uint8_t *found = NULL, *again = NULL;
    gb_CsView view;
    OK(gb_sketch_get(&found, &A->m, format, registers));
    OK(gb_sketch_get(&again, &A->m, format, registers));
    CHECK(found == again);
    OK(gb_acquire(&A->m, format, &view));
    const size_t bytes = view.nmajor * registers;
    uint8_t *expected = malloc(bytes + 1);
    cr_assert(expected != NULL);
    t_sketch_rows(&view, registers, expected);
    CHECK(memcmp(found, expected, bytes) == 0);
    return expected;
}

static gbl_Matrix matrix(const char *spec) {
    gbl_Matrix A = NULL;
    OK(gbl_generate(&A, GBL_INT64, spec));
    OK(gbl_Matrix_resize(A, SIDE, SIDE));
    return A;
}

/* ----------------------------------------------------------------------- ways to write to A -- */

typedef struct {
    const char *name;
    void (*write)(gbl_Matrix A);
    bool same_pattern;
} writer;

static void set_element(gbl_Matrix A) {
    for (gbl_Index j = 0; j < SIDE; j++) OK(gbl_Matrix_setElement_INT64(A, 5, 3, j));
}

/* every third entry goes, or gets another value */
static void change_entries(gbl_Matrix A, bool remove) {
    gbl_Index I[SIDE * SIDE], J[SIDE * SIDE], n = SIDE * SIDE;
    OK(gbl_Matrix_extractTuples_INT64(I, J, NULL, &n, A));
    for (gbl_Index k = 0; k < n; k += 3)
        OK(remove ? gbl_Matrix_removeElement(A, I[k], J[k])
                  : gbl_Matrix_setElement_INT64(A, 77, I[k], J[k]));
}

static void remove_element(gbl_Matrix A) {
    change_entries(A, true);
}

static void overwrite(gbl_Matrix A) {
    change_entries(A, false);
}

static void clear(gbl_Matrix A) {
    OK(gbl_Matrix_clear(A));
}

static void build(gbl_Matrix A) {
    const gbl_Index I[] = {1, 80, 1, 7}, J[] = {70, 3, 2, 7};
    const int64_t X[] = {1, -2, 3, 4};
    OK(gbl_Matrix_clear(A));
    OK(gbl_Matrix_build_INT64(A, I, J, X, 4, NULL));
}

static void shrink(gbl_Matrix A) {
    OK(gbl_Matrix_resize(A, SIDE / 2, SIDE / 3));
}

static void grow(gbl_Matrix A) {
    OK(gbl_Matrix_resize(A, SIDE + 13, SIDE + 5));
}

static void transpose(gbl_Matrix A) {
    OK(gbl_transpose(A, NULL, NULL, A, NULL));
}

static void apply(gbl_Matrix A) {
    OK(gbl_Matrix_apply(A, NULL, NULL, GBL_AINV_INT64, A, NULL));
}

static void multiply(gbl_Matrix A) {
    OK(gbl_mxm(A, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, NULL));
}

static void select_some(gbl_Matrix A) {
    OK(gbl_Matrix_select_INT64(A, NULL, NULL, GBL_TRIL, A, 0, NULL));
}

static void assign(gbl_Matrix A) {
    const gbl_Index I[] = {4, 50}, J[] = {9, 10, 11, 12, 13, 14, 15, 16};
    OK(gbl_Matrix_assign_INT64(A, NULL, NULL, 6, I, 2, J, 8, NULL));
}

static void add_transposed(gbl_Matrix A) {
    OK(gbl_Matrix_eWiseAdd_BinaryOp(A, NULL, NULL, GBL_PLUS_INT64, A, A, GBL_DESC_T1));
}

static void move_out(gbl_Matrix A) {
    gbl_Arrays arrays = {NULL, NULL, NULL, false};
    OK(gbl_Matrix_moveOut(A, GBL_CSR_FORMAT, &arrays));
    free(arrays.p);
    free(arrays.i);
    free(arrays.x);
}

static const writer writers[] = {
    {"setElement", set_element, false},
    {"removeElement", remove_element, false},
    {"setElement of entries", overwrite, true},
    {"clear", clear, false},
    {"build", build, false},
    {"resize smaller", shrink, false},
    {"resize larger", grow, false},
    {"transpose", transpose, false},
    {"apply", apply, true},
    {"mxm", multiply, false},
    {"select", select_some, false},
    {"assign", assign, false},
    {"eWiseAdd", add_transposed, false},
    {"moveOut", move_out, false},
};

/* Sketches of all sizes of both representations are there when the matrix is written. */
GB_TEST(sketch, is_made_anew_after_a_write) {
    for (size_t w = 0; w < T_COUNT(writers); w++) {
        gbl_Matrix A = matrix("rmat:7:4");
        uint8_t *before[2][T_COUNT(sizes)];
        for (int f = 0; f < 2; f++)
            for (size_t k = 0; k < T_COUNT(sizes); k++)
                before[f][k] = sketches(A, (gb_Format)f, sizes[k]);
        t_case("%s", writers[w].name);
        writers[w].write(A);
        for (int f = 0; f < 2; f++) {
            for (size_t k = 0; k < T_COUNT(sizes); k++) {
                t_case("%s, format %d, %u registers", writers[w].name, f, sizes[k]);
                uint8_t *after = sketches(A, (gb_Format)f, sizes[k]);
                const uint64_t now = gb_nmajor(&A->m, (gb_Format)f);
                const bool same = now == SIDE && memcmp(after, before[f][k], now * sizes[k]) == 0;
                CHECK_EQ(same, writers[w].same_pattern);
                free(after);
                free(before[f][k]);
            }
        }
        OK(gbl_Matrix_free(&A));
        CHECK_EQ(t_blocks(), 0);
        CHECK_EQ(t_global(GBL_BYTES_IN_USE), 0);
    }
}

/* Writes that only wait to be assembled count: the sketch is of the content that a reader sees. */
GB_TEST(sketch, sees_pending_updates) {
    gbl_Matrix A = matrix("er:7:3");
    for (gbl_Index k = 0; k < 50; k++) {
        OK(gbl_Matrix_setElement_INT64(A, 1, 60, (k * 7) % SIDE));
        OK(gbl_Matrix_removeElement(A, k, k));
        free(sketches(A, GB_CSR, sizes[k % 3]));
        free(sketches(A, GB_CSC, sizes[k % 2]));
    }
    OK(gbl_Matrix_free(&A));
}

GB_TEST(sketch, belongs_to_one_matrix) {
    gbl_Matrix A = matrix("er:7:3"), B = NULL;
    const uint8_t *a = NULL, *b = NULL;
    OK(gb_sketch_get(&a, &A->m, GB_CSR, 64));
    OK(gbl_Matrix_dup(&B, A));
    OK(gb_sketch_get(&b, &B->m, GB_CSR, 64));
    CHECK(a != b);
    CHECK(memcmp(a, b, SIDE * 64) == 0);
    set_element(B);
    free(sketches(B, GB_CSR, 64));
    uint8_t *of_a = sketches(A, GB_CSR, 64);
    OK(gb_sketch_get(&b, &A->m, GB_CSR, 64));
    CHECK(a == b);
    free(of_a);
    FREE(B, A);
}

/* Products and estimates only read B: what was made stays. */
GB_TEST(sketch, survives_readers) {
    gbl_Matrix A = matrix("rmat:7:9"), C = NULL;
    gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
    const uint8_t *before[2] = {NULL, NULL}, *after = NULL;
    for (int f = 0; f < 2; f++) OK(gb_sketch_get(&before[f], &A->m, (gb_Format)f, 32));
    const gbl_Descriptor descs[] = {NULL, GBL_DESC_T0, GBL_DESC_T1, GBL_DESC_T0T1};
    OK(gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE));
    for (size_t d = 0; d < T_COUNT(descs); d++) {
        OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, descs[d]));
        OK(gbl_mxm_estimate(&e, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, descs[d]));
    }
    for (int f = 0; f < 2; f++) {
        OK(gb_sketch_get(&after, &A->m, (gb_Format)f, 32));
        CHECK(after == before[f]);
    }
    FREE(A, C);
}

/* -------------------------------------------------------------------------- several readers -- */

typedef struct {
    gbl_Matrix A;
    const uint8_t *found;
    gbl_Info info;
} reader;

static void *read_sketch(void *argument) {
    reader *r = argument;
    r->info = gb_sketch_get(&r->found, &r->A->m, GB_CSC, 128);
    return NULL;
}

GB_TEST(sketch, is_made_once_for_all_threads) {
    enum { READERS = 6 };
    for (int round = 0; round < 20; round++) {
        gbl_Matrix A = matrix("rmat:7:4");
        set_element(A); /* so that the first reader also assembles */
        pthread_t threads[READERS];
        reader readers[READERS];
        for (int t = 0; t < READERS; t++) {
            readers[t] = (reader){A, NULL, GBL_PANIC};
            cr_assert(pthread_create(&threads[t], NULL, read_sketch, &readers[t]) == 0);
        }
        for (int t = 0; t < READERS; t++) cr_assert(pthread_join(threads[t], NULL) == 0);
        for (int t = 0; t < READERS; t++) {
            CHECK_EQ(readers[t].info, GBL_SUCCESS);
            CHECK(readers[t].found != NULL && readers[t].found == readers[0].found);
        }
        free(sketches(A, GB_CSC, 128));
        OK(gbl_Matrix_free(&A));
    }
}
