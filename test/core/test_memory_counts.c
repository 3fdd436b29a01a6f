/* SPDX-License-Identifier: Apache-2.0
 *
 * What core/memory.c counts is exact: bytes, their peak, and the number of blocks, also past each
 * border of the word that has both. Of several blocks all are made or none; and no large one where
 * memory ends.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>

#include "core/context.h"
#include "core/memory.h"
#include "core/tune.h"

enum { MANY = 150000 }; /* more than two laps of 2^16 */

static size_t size_of(uint64_t k) {
    return 1 + k % 61;
}

GB_TEST(memory_counts, blocks_and_bytes_past_every_border) {
    void **blocks = malloc(MANY * sizeof *blocks);
    const uint64_t before = gb_memory_bytes(), count = gb_memory_blocks();
    uint64_t bytes = before;
    gb_memory_forget_peak();
    for (uint64_t k = 0; k < MANY; k++) {
        blocks[k] = gb_malloc(size_of(k));
        bytes += size_of(k);
        if (gb_memory_blocks() != count + k + 1 || gb_memory_bytes() != bytes) {
            CHECK_EQ(gb_memory_blocks(), count + k + 1);
            CHECK_EQ(gb_memory_bytes(), bytes);
        }
    }
    const uint64_t most = bytes;
    CHECK_EQ(gb_memory_peak(), most);
    for (uint64_t k = MANY; k-- > 0;) {
        gb_free(blocks[k], size_of(k));
        bytes -= size_of(k);
        if (gb_memory_blocks() != count + k || gb_memory_bytes() != bytes) {
            CHECK_EQ(gb_memory_blocks(), count + k);
            CHECK_EQ(gb_memory_bytes(), bytes);
        }
    }
    CHECK_EQ(gb_memory_bytes(), before);
    CHECK_EQ(gb_memory_peak(), most);
    gb_memory_forget_peak();
    CHECK_EQ(gb_memory_peak(), before);
    free(blocks);
}

/* More are given away than were made since the program began, as by moveOut: below 0 and back. */
GB_TEST(memory_counts, below_where_it_began) {
    const uint64_t before = gb_memory_bytes(), count = gb_memory_blocks();
    for (uint64_t k = 0; k < MANY; k++) gb_adopt(16);
    CHECK_EQ(gb_memory_blocks(), count + MANY);
    for (uint64_t k = 0; k < MANY; k++) gb_untrack(16);
    CHECK_EQ(gb_memory_blocks(), count);
    CHECK_EQ(gb_memory_bytes(), before);
}

GB_TEST(memory_counts, several_blocks_are_counted_as_they_are) {
    const uint64_t before = gb_memory_bytes(), count = gb_memory_blocks();
    gb_Block blocks[4] = {{.bytes = 24}, {.bytes = 0}, {.bytes = GB_POOL_MIN_BLOCK}, {.bytes = 7}};
    gb_memory_forget_peak();
    CHECK(gb_malloc_all(blocks, 4));
    CHECK(blocks[1].at == NULL);
    CHECK_EQ(gb_memory_blocks(), count + 3);
    CHECK_EQ(gb_memory_bytes(), before + 24 + GB_POOL_MIN_BLOCK + 7);
    CHECK_EQ(gb_memory_peak(), before + 24 + GB_POOL_MIN_BLOCK + 7);
    for (int k = 0; k < 4; k++)
        if (blocks[k].at != NULL) memset(blocks[k].at, k, blocks[k].bytes);
    gb_free_all(blocks, 4);
    CHECK_EQ(gb_memory_blocks(), count);
    CHECK_EQ(gb_memory_bytes(), before);
    CHECK_EQ(gb_memory_pool_bytes() > 0, true); /* the large one waits there */
}

GB_TEST(memory_counts, of_several_blocks_all_are_made_or_none) {
    const uint64_t before = gb_memory_bytes(), count = gb_memory_blocks();
    for (int refused = 0; refused < 3; refused++) {
        t_case("block %d", refused);
        gb_Block blocks[3] = {{.bytes = 24}, {.bytes = GB_POOL_MIN_BLOCK}, {.bytes = 7}};
        blocks[refused].bytes = SIZE_MAX;
        CHECK(!gb_malloc_all(blocks, 3));
        for (int k = 0; k < 3; k++) CHECK(blocks[k].at == NULL);
        CHECK_EQ(gb_memory_blocks(), count);
        CHECK_EQ(gb_memory_bytes(), before);
    }
}

GB_TEST(memory_counts, more_than_there_is_is_refused) {
    const size_t bytes = 4 * (size_t)GB_POOL_MIN_BLOCK;
    gb_memory_trim(0);
    gb_memory_set_most(gb_memory_bytes() + bytes + bytes / 2);
    void *block = gb_malloc(bytes);
    CHECK(block != NULL);
    CHECK(gb_malloc(bytes) == NULL && gb_calloc(bytes) == NULL);
    CHECK(gb_resize(block, bytes, 4 * bytes, bytes) == NULL);
    void *const small = gb_malloc(16);
    CHECK(small != NULL);
    CHECK_EQ(gb_memory_left(), bytes / 2 - 16);
    CHECK_EQ(gb_workspace_budget(), gb_memory_left()); /* so a plan takes what still fits */
    gb_memory_set_most(gb_memory_bytes() - 1);
    CHECK(gb_malloc(bytes) == NULL);
    gb_memory_set_most(UINT64_MAX);
    block = gb_resize(block, bytes, 4 * bytes, bytes);
    CHECK(block != NULL);
    gb_free(block, 4 * bytes);
    gb_free(small, 16);
}
