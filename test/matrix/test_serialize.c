/* SPDX-License-Identifier: Apache-2.0
 *
 * serialize and deserialize: what comes back is what was written, in every type and form, and no
 * damaged block is taken: every truncation, a flipped bit at every byte, and lies under a checksum
 * that is right.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    unsigned char *bytes;
    gbl_Index size;
} block;

static block write_block(gbl_Matrix A) {
    block b = {0};
    OK(gbl_Matrix_serializeSize(&b.size, A));
    b.bytes = malloc(b.size + 8);
    memset(b.bytes, 0xEE, b.size + 8);
    gbl_Index room = b.size - 1;
    FAILS(GBL_INSUFFICIENT_SPACE, gbl_Matrix_serialize(b.bytes, &room, A));
    CHECK(b.bytes[0] == 0xEE && room == b.size - 1);
    room = b.size + 3; /* more than is needed */
    OK(gbl_Matrix_serialize(b.bytes, &room, A));
    CHECK_EQ(room, b.size);
    for (int k = 0; k < 8; k++) CHECK(b.bytes[b.size + (gbl_Index)k] == 0xEE);
    return b;
}

/* A written, and read from an address that is not aligned. */
static gbl_Matrix pass(gbl_Matrix A, gbl_Type type) {
    gbl_Matrix C = NULL;
    block b = write_block(A);
    memmove(b.bytes + 1, b.bytes, b.size);
    OK(gbl_Matrix_deserialize(&C, type, b.bytes + 1, b.size));
    free(b.bytes);
    return C;
}

static void check_passes(const o_Matrix *a, gbl_Matrix A, gbl_Type type) {
    gbl_Matrix C = pass(A, type);
    t_expect("deserialized", a, C, 0);
    OK(gbl_Matrix_free(&C));
}

GB_TEST(serialize, all_types_and_patterns) {
    t_Random r = t_random(20);
    for (size_t k = 0; k < T_COUNT(t_types); k++) {
        for (t_Pattern pattern = T_RANDOM; pattern < T_PATTERNS; pattern++) {
            t_case("type %d, pattern %s", (int)t_types[k], t_pattern_names[pattern]);
            const o_Type type = o_type(t_types[k]);
            o_Matrix a = t_generate(&r, &(t_Content){type, 1 + t_below(&r, 30), 1 + t_below(&r, 30),
                                                     pattern, 0.3, true, k % 3 == 0});
            gbl_Matrix A = k % 3 == 0 ? t_iso_matrix(&a) : t_matrix(&a);
            check_passes(&a, A, NULL);
            check_passes(&a, A, type.handle);
            FREE(A, a);
        }
    }
}

/* Held by columns, with an entry in few rows, with no row at all, with pending updates. */
GB_TEST(serialize, forms) {
    t_Random r = t_random(21);
    const o_Type type = o_type(GBL_FP64_CODE);
    o_Matrix a = t_generate(&r, &(t_Content){type, 40, 50, T_RANDOM, 0.2, true, false});
    gbl_Matrix A = t_matrix(&a), columns = NULL;
    OK(gbl_Matrix_new(&columns, GBL_FP64, 50, 40));
    OK(gbl_transpose(columns, NULL, NULL, A, NULL)); /* rows of A */
    block held = write_block(columns);               /* before anything reads it by rows */
    CHECK(held.bytes[12] & 2);
    free(held.bytes);
    gbl_Matrix passed = pass(columns, NULL);
    o_Matrix transposed = t_dense(columns);
    t_expect("by columns", &transposed, passed, 0);
    FREE(transposed, passed, A, columns, a);

    gbl_Matrix wide = t_new_matrix(GBL_INT8, 100000, T_COMPACT_MAX);
    OK(gbl_Matrix_setElement_INT8(wide, 5, 99999, T_COMPACT_MAX - 1));
    OK(gbl_Matrix_setElement_INT8(wide, 6, 7, 0));
    block b = write_block(wide);
    CHECK(b.size < 200);
    free(b.bytes);
    gbl_Matrix back = pass(wide, NULL);
    int8_t x = 0;
    gbl_Index rows = 0, cols = 0;
    OK(gbl_Matrix_extractElement_INT8(&x, back, 99999, T_COMPACT_MAX - 1));
    CHECK_EQ(x, 5);
    OK(gbl_Matrix_extractElement_INT8(&x, back, 7, 0));
    CHECK_EQ(x, 6);
    CHECK_EQ(t_nvals(back), 2);
    FREE(wide, back);

    gbl_Matrix empty = t_new_matrix(GBL_UINT32, T_COMPACT_MAX, 0);
    back = pass(empty, NULL);
    OK(gbl_Matrix_nrows(&rows, back));
    OK(gbl_Matrix_ncols(&cols, back));
    CHECK(rows == T_COMPACT_MAX && cols == 0);
    FREE(empty, back);
}

GB_TEST(serialize, user_types) {
    gbl_Type triple = NULL, other = NULL, small = NULL;
    gbl_Matrix C = NULL;
    const float x[3] = {1, 2, 3};
    float y[3];
    OK(gbl_Type_new(&triple, sizeof x));
    OK(gbl_Type_new(&other, sizeof x));
    OK(gbl_Type_new(&small, 8));
    OK(gbl_Type_set_String(triple, "triple", GBL_NAME));
    gbl_Matrix A = t_new_matrix(triple, 3, 3);
    OK(gbl_Matrix_setElement_UDT(A, x, 2, 1));
    block b = write_block(A);
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_deserialize(&C, NULL, b.bytes, b.size));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_deserialize(&C, small, b.bytes, b.size));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_deserialize(&C, GBL_FP64, b.bytes, b.size));
    CHECK(C == NULL);
    OK(gbl_Matrix_deserialize(&C, other, b.bytes, b.size)); /* has no name yet */
    OK(gbl_Matrix_extractElement_UDT(y, C, 2, 1));
    CHECK(memcmp(x, y, sizeof x) == 0);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Type_set_String(other, "trible", GBL_NAME));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Matrix_deserialize(&C, other, b.bytes, b.size));
    OK(gbl_Matrix_deserialize(&C, triple, b.bytes, b.size));
    OK(gbl_Matrix_free(&C));
    free(b.bytes);
    FREE(A, triple, other, small);
}

/* ---------------------------------------------------------------------------- hostile bytes -- */

static gbl_Matrix some_matrix(gbl_Index nrows) {
    gbl_Matrix A = t_new_matrix(GBL_BOOL, nrows, 9);
    for (gbl_Index k = 0; k < 12; k++)
        OK(gbl_Matrix_setElement_BOOL(A, k % 2 == 0, k * 5 % nrows, k * 7 % 9));
    return A;
}

static void check_refused(const block *b, gbl_Index size) {
    gbl_Matrix C = NULL;
    unsigned char *exact = malloc(size > 0 ? size : 1); /* so that sanitizers see the end */
    memcpy(exact, b->bytes, size);
    FAILS(GBL_INVALID_OBJECT, gbl_Matrix_deserialize(&C, NULL, exact, size));
    CHECK(C == NULL);
    free(exact);
}

GB_TEST(serialize, damage) {
    for (gbl_Index nrows = 6; nrows < 100; nrows += 80) { /* all rows stored, and listed */
        gbl_Matrix A = some_matrix(nrows);
        block b = write_block(A);
        for (gbl_Index size = 0; size < b.size; size++) {
            t_case("%d rows, cut to %d", (int)nrows, (int)size);
            check_refused(&b, size);
        }
        for (gbl_Index at = 0; at < b.size; at++) {
            for (int bit = 0; bit < 8; bit++) {
                t_case("%d rows, bit %d of byte %d", (int)nrows, bit, (int)at);
                b.bytes[at] ^= (unsigned char)(1 << bit);
                check_refused(&b, b.size);
                b.bytes[at] ^= (unsigned char)(1 << bit);
            }
        }
        free(b.bytes);
        OK(gbl_Matrix_free(&A));
    }
}

/* The checksum of docs/serial_format.md, once more. */
static uint64_t mix(uint64_t sum, uint64_t word) {
    const uint64_t mixed = (sum ^ word) * 0x9E3779B97F4A7C15u;
    return mixed << 29 | mixed >> 35;
}
static void set_checksum(block *b) {
    uint64_t sums[4] = {1, 2, 3, 4}, word;
    for (gbl_Index k = 0, n = 0; k < b->size; k += 8) {
        if (k == 80) n = 0; /* the sections begin anew */
        if (k == 80) continue;
        memcpy(&word, b->bytes + k, 8);
        sums[n % 4] = mix(sums[n % 4], word);
        n++;
    }
    word = mix(mix(mix(sums[0], sums[1]), sums[2]), sums[3]);
    memcpy(b->bytes + 80, &word, 8);
}

/* A lie that the checksum does not tell: the word at a place becomes another. It is refused, or the
 * matrix is one: no array is read past its end. */
Test(serialize, lies, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    t_refuse_above(1 << 20); /* a lie about the number of rows asks for gigabytes */
    static const uint64_t words[] = {
        0, 1, 2, 0xFF, 0xFFFFFFFF, 0x100000000, UINT64_MAX, UINT64_MAX / 8, 0x0101010101010101};
    for (gbl_Index nrows = 6; nrows < 100; nrows += 80) {
        gbl_Matrix A = some_matrix(nrows), C = NULL;
        block b = write_block(A);
        set_checksum(&b);
        OK(gbl_Matrix_deserialize(&C, NULL, b.bytes, b.size));
        OK(gbl_Matrix_free(&C));
        for (gbl_Index at = 8; at < b.size; at += 4) {
            for (size_t k = 0; k < T_COUNT(words); k++) {
                unsigned char keep[8];
                const size_t length = b.size - at < 8 ? 4 : 8;
                memcpy(keep, b.bytes + at, length);
                memcpy(b.bytes + at, &words[k], length);
                set_checksum(&b);
                t_case("%d rows, byte %d is %llx", (int)nrows, (int)at,
                       (unsigned long long)words[k]);
                const gbl_Info info = gbl_Matrix_deserialize(&C, NULL, b.bytes, b.size);
                CHECK((info == GBL_SUCCESS) == (C != NULL));
                CHECK(info == GBL_SUCCESS || info == GBL_INVALID_OBJECT ||
                      info == GBL_DOMAIN_MISMATCH || info == GBL_OUT_OF_MEMORY);
                if (C != NULL) {
                    gbl_Index n = 0;
                    OK(gbl_Matrix_nvals(&n, C));
                    CHECK(n <= 12);
                    OK(gbl_Matrix_free(&C));
                }
                memcpy(b.bytes + at, keep, length);
            }
        }
        free(b.bytes);
        OK(gbl_Matrix_free(&A));
    }
}

/* Few rows with entries of very many, with 32-bit indices: no memory for the others. */
Test(serialize, few_rows, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    t_refuse_above(1 << 20);
    const uint64_t n = UINT32_MAX;
    for (int by_columns = 0; by_columns < 2; by_columns++) {
        gbl_Matrix C = NULL;
        int64_t x = 0, y = 0;
        gbl_Matrix A = t_new_matrix(GBL_INT64, 100, 100);
        OK(gbl_Matrix_setElement_INT64(A, 7, 50, 60));
        OK(gbl_Matrix_setElement_INT64(A, 8, 99, 2));
        block b = write_block(A);
        memcpy(b.bytes + 32, &n, sizeof n);
        memcpy(b.bytes + 40, &n, sizeof n);
        if (by_columns) b.bytes[12] |= 2;
        set_checksum(&b);
        OK(gbl_Matrix_deserialize(&C, NULL, b.bytes, b.size));
        OK(gbl_Matrix_extractElement_INT64(&x, C, by_columns ? 60 : 50, by_columns ? 50 : 60));
        OK(gbl_Matrix_extractElement_INT64(&y, C, by_columns ? 2 : 99, by_columns ? 99 : 2));
        CHECK(x == 7 && y == 8);
        FREE(C, A);
        free(b.bytes);
    }
}

/* What is wrong with the arrays is told. */
GB_TEST(serialize, reasons) {
    static const struct {
        gbl_Index nrows, at; /* of the block, in words */
        uint64_t word;
        const char *reason;
    } lies[] = {{6, 11, 1, "the first pointer is 1, but must be 0"},
                {6, 12, 13, "pointers must not decrease"},
                {6, 17, 11, "the last pointer is 11, but must be 12"},
                {6, 18, 0x0000000900000000, "column index 9"},
                {86, 11, 0x0000000000000005, "rows are not in order"}};
    for (size_t k = 0; k < T_COUNT(lies); k++) {
        gbl_Matrix A = some_matrix(lies[k].nrows), C = NULL;
        block b = write_block(A);
        memcpy(b.bytes + 8 * lies[k].at, &lies[k].word, 8);
        set_checksum(&b);
        FAILS(GBL_INVALID_OBJECT, gbl_Matrix_deserialize(&C, NULL, b.bytes, b.size));
        t_case("%s", gbl_last_error());
        CHECK(strstr(gbl_last_error(), "no serialized matrix") != NULL);
        CHECK(strstr(gbl_last_error(), lies[k].reason) != NULL);
        free(b.bytes);
        OK(gbl_Matrix_free(&A));
    }
}

GB_TEST(serialize, wrong_calls) {
    gbl_Matrix A = some_matrix(9), C = NULL;
    gbl_Index size = 0;
    char bytes[8] = {0};
    FAILS(GBL_NULL_POINTER, gbl_Matrix_serializeSize(NULL, A));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_serializeSize(&size, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_serialize(NULL, &size, A));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_serialize(bytes, NULL, A));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_deserialize(NULL, NULL, bytes, 8));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_deserialize(&C, NULL, NULL, 8));
    FAILS(GBL_INVALID_OBJECT, gbl_Matrix_deserialize(&C, NULL, bytes, 8));
    OK(gbl_Matrix_free(&A));
}

/* The n-th allocation fails, for every n: no matrix, no block that is half written, nothing lost.
 */
Test(serialize, no_memory, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    gbl_Matrix whole = some_matrix(90), C = NULL;
    block b = write_block(whole);
    OK(gbl_Matrix_free(&whole));
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        t_case("deserialize, allocation %d fails", (int)n);
        const gbl_Info info =
            FAIL_AT(n, gbl_Matrix_deserialize(&C, NULL, b.bytes, b.size), &failed);
        CHECK(info == (failed ? GBL_OUT_OF_MEMORY : GBL_SUCCESS) && (C == NULL) == failed);
    }
    OK(gbl_Matrix_free(&C));
    unsigned char *to = malloc(b.size);
    failed = true;
    for (int64_t n = 1; failed; n++) {
        t_case("serialize, allocation %d fails", (int)n);
        gbl_Matrix A = some_matrix(90); /* its updates are still to be assembled */
        gbl_Index size = b.size;
        to[0] = 0xEE;
        const gbl_Info info = FAIL_AT(n, gbl_Matrix_serialize(to, &size, A), &failed);
        CHECK(info == (failed ? GBL_OUT_OF_MEMORY : GBL_SUCCESS) && (to[0] == 0xEE) == failed);
        OK(gbl_Matrix_free(&A));
    }
    CHECK(memcmp(to, b.bytes, b.size) == 0);
    free(to);
    free(b.bytes);
}
