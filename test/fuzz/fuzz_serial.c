/* SPDX-License-Identifier: Apache-2.0
 *
 * libFuzzer target: any bytes as a serialized matrix. The checksum is made right first, so that
 * what lies behind it is reached; what comes out must be a matrix whose parts agree, which written
 * and read again is the same block.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gblite.h"

enum { HEADER = 88, CHECKSUM = 80, BLOCK_MAX = 64 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(bool right) {
    if (!right) abort();
}

/* A few bytes may tell of a matrix of gigabytes. */
static void *allocate(size_t bytes) {
    return bytes <= BLOCK_MAX ? malloc(bytes) : NULL;
}

static uint64_t mix(uint64_t sum, uint64_t word) {
    const uint64_t mixed = (sum ^ word) * 0x9E3779B97F4A7C15u;
    return mixed << 29 | mixed >> 35;
}

static void sum_words(uint64_t sums[4], const uint8_t *bytes, size_t size) {
    for (size_t k = 0; k < size / 8; k++) {
        uint64_t word;
        memcpy(&word, bytes + 8 * k, 8);
        sums[k % 4] = mix(sums[k % 4], word);
    }
}

static void seal(uint8_t *block, size_t size) {
    uint64_t sums[4] = {1, 2, 3, 4};
    const uint64_t length = size;
    memcpy(block, "gblite\r\n", 8);
    memcpy(block + 72, &length, 8);
    sum_words(sums, block, CHECKSUM);
    sum_words(sums, block + HEADER, size - HEADER);
    const uint64_t joined = mix(mix(mix(sums[0], sums[1]), sums[2]), sums[3]);
    memcpy(block + CHECKSUM, &joined, 8);
}

/* Written and read again it stays what it is. */
static void check_matrix(gbl_Matrix A) {
    gbl_Index size = 0, again = 0;
    gbl_Matrix B = NULL;
    check(gbl_Matrix_serializeSize(&size, A) == GBL_SUCCESS);
    uint8_t *first = malloc(size), *second = malloc(size);
    check(first != NULL && second != NULL);
    again = size;
    check(gbl_Matrix_serialize(first, &again, A) == GBL_SUCCESS && again == size);
    check(gbl_Matrix_deserialize(&B, NULL, first, size) == GBL_SUCCESS);
    check(gbl_Matrix_serialize(second, &again, B) == GBL_SUCCESS && again == size);
    check(memcmp(first, second, size) == 0);
    check(gbl_Matrix_free(&B) == GBL_SUCCESS);
    free(first);
    free(second);
}

/* A block at a multiple of 8, read where it lies: refused or taken as by a copy. */
static void try_in_place(const uint8_t *block, size_t size) {
    gbl_Matrix A = NULL, B = NULL;
    const gbl_Info copied = gbl_Matrix_deserialize(&B, NULL, block, size);
    const gbl_Info info = gbl_Matrix_map(&A, NULL, block, size, true, NULL);
    check((info == GBL_SUCCESS) == (copied == GBL_SUCCESS));
    if (A != NULL) check_matrix(A);
    check(gbl_Matrix_free(&A) == GBL_SUCCESS && gbl_Matrix_free(&B) == GBL_SUCCESS);
}

static void try_block(const uint8_t *block, size_t size) {
    gbl_Matrix A = NULL;
    const gbl_Info info = gbl_Matrix_deserialize(&A, NULL, block, size);
    check(info <= 0 && (info == GBL_SUCCESS) == (A != NULL));
    if (A != NULL) {
        check_matrix(A);
        check(gbl_Matrix_free(&A) == GBL_SUCCESS);
    } else {
        check(strlen(gbl_last_error()) > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static bool ready;
    if (!ready) {
        check(gbl_init_with_allocator(GBL_NONBLOCKING, allocate, NULL, free) == GBL_SUCCESS);
        ready = true;
    }
    try_block(bytes, size);
    size -= size % 8;
    if (size < HEADER) return 0;
    uint8_t *block = malloc(size); /* of just this size, so that sanitizers see its end */
    check(block != NULL);
    memcpy(block, bytes, size);
    seal(block, size);
    try_block(block, size);
    try_in_place(block, size);
    free(block);
    return 0;
}
