/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_lend, gbl_Matrix_map: the library reads arrays of the caller's and never writes to
 * them. They lie in pages that cannot be written, so that a write would crash.
 */
#include "support/gb_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gblite_memory.h"

enum { ROWS = 3, COLUMNS = 4, ENTRIES = 5, PAGE = 1 << 16 };

typedef struct {
    gbl_Arrays arrays;
    gbl_Lender lender;
    void *pages;
    int released;
} Lent;

static void count_release(void *context) {
    ++*(int *)context;
}

static void lend(Lent *lent, gbl_Matrix *A, bool sorted, bool iso) {
    char *pages = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
    *lent = (Lent){.arrays = {.p = (uint64_t *)pages,
                              .i = (uint32_t *)(pages + 512),
                              .x = pages + 1024,
                              .iso = iso},
                   .lender = {count_release, &lent->released},
                   .pages = pages};
    memcpy(lent->arrays.p, (uint64_t[]){0, 2, 2, 5}, 4 * sizeof(uint64_t));
    memcpy(lent->arrays.i, sorted ? (uint32_t[]){0, 3, 0, 1, 2} : (uint32_t[]){3, 0, 1, 2, 0},
           ENTRIES * sizeof(uint32_t));
    memcpy(lent->arrays.x, (double[]){1.5, 2.5, 3.5, 4.5, 5.5}, ENTRIES * sizeof(double));
    CHECK(mprotect(pages, PAGE, PROT_READ) == 0);
    OK(gbl_Matrix_lend(A, GBL_FP64, ROWS, COLUMNS, GBL_CSR_FORMAT, &lent->arrays, &lent->lender));
    CHECK(lent->arrays.p != NULL); /* still the caller's */
}

static o_Matrix content(bool sorted, bool iso) {
    static const int places[2][ENTRIES] = {{3, 0, 9, 10, 8}, {0, 3, 8, 9, 10}};
    o_Matrix D = o_new(o_type(GBL_FP64_CODE), ROWS, COLUMNS);
    for (int k = 0; k < ENTRIES; k++)
        D.x[places[sorted][k]] = (o_Cell){true, {.f64 = iso ? 1.5 : 1.5 + k}};
    return D;
}

static void give_back(gbl_Matrix *A, Lent *lent) {
    OK(gbl_Matrix_free(A));
    CHECK_EQ(lent->released, 1);
    munmap(lent->pages, PAGE);
}

/* What each way of changing a matrix in place does to the matrix, and to what the oracle says. */
enum { SET_OLD, SET_NEW, REMOVE, APPLY, ASSIGN, RESIZE, TRANSPOSE, MOVE_OUT, CLEAR, WAYS };

static void change(int way, gbl_Matrix A, o_Matrix *D) {
    gbl_Arrays out = {0};
    switch (way) {
    case SET_OLD:
        OK(gbl_Matrix_setElement_FP64(A, -1, 0, 3));
        D->x[3] = (o_Cell){true, {.f64 = -1}};
        break;
    case SET_NEW:
        OK(gbl_Matrix_setElement_FP64(A, -1, 1, 1));
        D->x[5] = (o_Cell){true, {.f64 = -1}};
        break;
    case REMOVE:
        OK(gbl_Matrix_removeElement(A, 2, 1));
        D->x[9].has = false;
        break;
    case APPLY:
        OK(gbl_Matrix_apply(A, NULL, NULL, GBL_AINV_FP64, A, NULL));
        for (int k = 0; k < ROWS * COLUMNS; k++) D->x[k].v.f64 = -D->x[k].v.f64;
        break;
    case ASSIGN:
        OK(gbl_Matrix_assign_FP64(A, NULL, NULL, 7, GBL_ALL, ROWS, GBL_ALL, COLUMNS, NULL));
        for (int k = 0; k < ROWS * COLUMNS; k++) D->x[k] = (o_Cell){true, {.f64 = 7}};
        break;
    case RESIZE:
        OK(gbl_Matrix_resize(A, ROWS, COLUMNS));
        break;
    case TRANSPOSE: /* there and back */
        OK(gbl_Matrix_resize(A, COLUMNS, COLUMNS));
        OK(gbl_transpose(A, NULL, NULL, A, NULL));
        OK(gbl_transpose(A, NULL, NULL, A, NULL));
        OK(gbl_Matrix_resize(A, ROWS, COLUMNS));
        break;
    case MOVE_OUT:
        OK(gbl_Matrix_moveOut(A, GBL_CSR_FORMAT, &out));
        for (int k = 0; k < ROWS * COLUMNS; k++) D->x[k].has = false;
        CHECK_EQ(out.p[ROWS], ENTRIES);
        gbl_Memory_free(out.p);
        gbl_Memory_free(out.i);
        gbl_Memory_free(out.x);
        break;
    default:
        OK(gbl_Matrix_clear(A));
        for (int k = 0; k < ROWS * COLUMNS; k++) D->x[k].has = false;
    }
}

GB_TEST(lend, writers_copy_first) {
    for (int way = 0; way < WAYS; way++) {
        for (int kind = 0; kind < 4; kind++) {
            const bool sorted = kind & 1, iso = kind & 2;
            t_case("way %d, sorted %d, iso %d", way, sorted, iso);
            gbl_Matrix A = NULL;
            Lent lent;
            lend(&lent, &A, sorted, iso);
            o_Matrix D = content(sorted, iso);
            change(way, A, &D);
            t_expect("changed", &D, A, 0);
            o_free(&D);
            give_back(&A, &lent);
        }
    }
}

GB_TEST(lend, readers_read_in_place) {
    for (int kind = 0; kind < 4; kind++) {
        gbl_Matrix A = NULL;
        int64_t before = 0, after = 0;
        OK(gbl_Global_get_INT64(GBL_GLOBAL, &before, GBL_BYTES_IN_USE));
        Lent lent;
        lend(&lent, &A, kind & 1, kind & 2);
        OK(gbl_Global_get_INT64(GBL_GLOBAL, &after, GBL_BYTES_IN_USE));
        CHECK(after - before < 2048); /* the object alone */
        gbl_Matrix C = t_new_matrix(GBL_FP64, ROWS, ROWS);
        OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, GBL_DESC_T1));
        o_Matrix D = content(kind & 1, kind & 2);
        t_expect("read", &D, A, 0);
        double sum = 0, x = 0;
        for (int k = 0; k < COLUMNS; k++)
            if (D.x[8 + k].has) sum += D.x[8 + k].v.f64 * D.x[8 + k].v.f64;
        OK(gbl_Matrix_extractElement_FP64(&x, C, 2, 2));
        CHECK(x == sum);
        FREE(D, C);
        give_back(&A, &lent);
    }
}

GB_TEST(lend, refusals_name_the_argument) {
    gbl_Matrix A = NULL;
    uint64_t p[] = {0, 1, 1, 9};
    uint32_t i[] = {3, 9};
    double x[] = {1, 2};
    gbl_Arrays arrays = {p, i, x, false};
    FAILS(GBL_NULL_POINTER, gbl_Matrix_lend(NULL, GBL_FP64, 3, 4, GBL_CSR_FORMAT, &arrays, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_lend(&A, NULL, 3, 4, GBL_CSR_FORMAT, &arrays, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_lend(&A, GBL_FP64, 3, 4, GBL_CSR_FORMAT, NULL, NULL));
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_lend(&A, GBL_FP64, 3, 4, GBL_COO_FORMAT, &arrays, NULL));
    p[3] = 2;
    FAILS(GBL_INDEX_OUT_OF_BOUNDS,
          gbl_Matrix_lend(&A, GBL_FP64, 3, 4, GBL_CSR_FORMAT, &arrays, NULL));
    CHECK(A == NULL && arrays.p == p);
}

/* Rows that ascend, one of them to an index outside, between and behind rows without entries; and
 * many rows, which several threads check. */
GB_TEST(lend, indices_outside_are_found_in_any_row) {
    enum { MANY = 40000 };
    static const uint64_t rows[] = {0, 1, 2, 5, 6, MANY / 2, MANY - 2};
    uint64_t *p = malloc((MANY + 1) * sizeof *p);
    uint32_t *i = malloc(3 * MANY * sizeof *i);
    double x = 1;
    uint64_t n = 0;
    for (uint64_t r = 0; r < MANY; r++) {
        p[r] = n;
        for (uint32_t j = 0; j < 3 && r % 4 != 3 && r != MANY - 1; j++) i[n++] = j + 1;
    }
    p[MANY] = n;
    const gbl_Arrays arrays = {p, i, &x, true};
    for (size_t k = 0; k < T_COUNT(rows); k++) {
        gbl_Matrix A = NULL;
        char text[80];
        const uint64_t last = p[rows[k] + 1] - 1;
        i[last] = 4;
        FAILS(GBL_INDEX_OUT_OF_BOUNDS,
              gbl_Matrix_lend(&A, GBL_FP64, MANY, 4, GBL_CSR_FORMAT, &arrays, NULL));
        snprintf(text, sizeof text, "entry %llu has column index 4,", (unsigned long long)last);
        CHECK(A == NULL && strstr(gbl_last_error(), text) != NULL);
        OK(gbl_Matrix_lend(&A, GBL_FP64, MANY, 5, GBL_CSR_FORMAT, &arrays, NULL));
        OK(gbl_Matrix_free(&A));
        i[last] = 3;
    }
    free(p);
    free(i);
}

/* -- blocks that stay where they lie */

typedef struct {
    uint64_t *words; /* the block begins where malloc says */
    gbl_Index size;
} Block;

static Block write_block(gbl_Matrix A) {
    Block b = {0};
    OK(gbl_Matrix_serializeSize(&b.size, A));
    b.words = malloc(b.size);
    OK(gbl_Matrix_serialize(b.words, &b.size, A));
    return b;
}

GB_TEST(lend, blocks_are_mapped) {
    t_Random r = t_random(7);
    for (size_t k = 0; k < T_COUNT(t_types) * 4; k++) {
        const bool check = k & 1;
        const o_Type type = o_type(t_types[k / 4]);
        t_case("type %d, check %d, case %zu", (int)t_types[k / 4], check, k % 4);
        /* of the second half of cases most rows are empty, so they are listed */
        const uint64_t rows = k & 2 ? 90 : 9;
        o_Matrix a = t_generate(
            &r, &(t_Content){type, rows, 12, T_RANDOM, k & 2 ? .01 : .4, true, k % 8 == 1});
        gbl_Matrix A = t_matrix(&a), C = NULL;
        Block b = write_block(A);
        int released = 0;
        const gbl_Lender lender = {count_release, &released};
        OK(gbl_Matrix_map(&C, NULL, b.words, b.size, check, &lender));
        t_expect("mapped", &a, C, 0);
        OK(gbl_Matrix_free(&C));
        CHECK_EQ(released, 1);
        free(b.words);
        FREE(A, a);
    }
}

/* What is damaged is found with `check`, and nobody is told of a failure. */
GB_TEST(lend, damaged_blocks_are_refused) {
    gbl_Matrix A = NULL, C = NULL;
    Lent lent;
    lend(&lent, &A, true, false);
    Block b = write_block(A);
    int released = 0;
    const gbl_Lender lender = {count_release, &released};
    for (gbl_Index k = 0; k < b.size; k++) {
        ((unsigned char *)b.words)[k] ^= 1;
        FAILS(GBL_INVALID_OBJECT, gbl_Matrix_map(&C, NULL, b.words, b.size, true, &lender));
        ((unsigned char *)b.words)[k] ^= 1;
        FAILS(GBL_INVALID_OBJECT, gbl_Matrix_map(&C, NULL, b.words, k, true, &lender));
        FAILS(GBL_INVALID_OBJECT, gbl_Matrix_map(&C, NULL, b.words, k, false, &lender));
        CHECK(C == NULL);
    }
    FAILS(GBL_INVALID_VALUE,
          gbl_Matrix_map(&C, NULL, (char *)b.words + 4, b.size - 4, true, &lender));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_map(&C, GBL_INT8, b.words, b.size, true, &lender));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_map(&C, NULL, NULL, b.size, true, &lender));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_map(NULL, NULL, b.words, b.size, true, &lender));
    CHECK_EQ(released, 0);
    free(b.words);
    give_back(&A, &lent);
}

/* -- the n-th allocation fails */

/* Whether the n-th allocation was more than there are. */
static bool lends_without(int64_t n) {
    uint64_t p[] = {0, 2, 2, 5};
    uint32_t i[] = {3, 0, 1, 2, 0};
    double x[] = {1.5, 2.5, 3.5, 4.5, 5.5};
    gbl_Arrays arrays = {p, i, x, false}, out = {0};
    gbl_Matrix A = NULL;
    int released = 0;
    const gbl_Lender lender = {count_release, &released};
    t_fail_at(n);
    gbl_Info info = gbl_Matrix_lend(&A, GBL_FP64, 3, 4, GBL_CSR_FORMAT, &arrays, &lender);
    CHECK(info == GBL_SUCCESS || (info == GBL_OUT_OF_MEMORY && A == NULL && released == 0));
    if (info == GBL_SUCCESS) info = gbl_Matrix_moveOut(A, GBL_CSR_FORMAT, &out);
    const bool all = !t_failed();
    t_fail_at(0);
    CHECK(info == GBL_SUCCESS || info == GBL_OUT_OF_MEMORY);
    OK(gbl_Matrix_free(&A));
    gbl_Memory_free(out.p);
    gbl_Memory_free(out.i);
    gbl_Memory_free(out.x);
    return all;
}

static bool maps_without(int64_t n, const Block *b) {
    gbl_Matrix A = NULL;
    int released = 0;
    const gbl_Lender lender = {count_release, &released};
    t_fail_at(n);
    const gbl_Info info = gbl_Matrix_map(&A, NULL, b->words, b->size, n % 2, &lender);
    const bool all = !t_failed();
    t_fail_at(0);
    CHECK(info == GBL_SUCCESS || (info == GBL_OUT_OF_MEMORY && A == NULL && released == 0));
    OK(gbl_Matrix_free(&A));
    CHECK_EQ(released, info == GBL_SUCCESS);
    return all;
}

BRUTAL(lent_arrays) {
    for (int64_t n = 1; !lends_without(n); n++) CHECK(n < 100);
    for (int listed = 0; listed < 2; listed++) {
        gbl_Matrix A = t_new_matrix(GBL_FP64, listed ? 50 : 3, 4);
        for (gbl_Index k = 0; k < 3; k++) OK(gbl_Matrix_setElement_FP64(A, 1, k, k));
        Block b = write_block(A);
        for (int64_t n = 1; !maps_without(n, &b); n++) CHECK(n < 100);
        free(b.words);
        OK(gbl_Matrix_free(&A));
    }
}
