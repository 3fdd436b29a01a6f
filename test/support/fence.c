/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks that end at the border of a page that may not be touched. Each is a mapping of its own:
 * a note of where the mapping is, the block, the forbidden page. At most 15 bytes are between block
 * and page, so that the block begins at a multiple of 16 bytes.
 */
#include "support/gb_test.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Stands right before the block. */
typedef struct {
    char *mapping;
    size_t length; /* of the mapping */
} note;

static size_t round_up(size_t bytes, size_t unit) {
    return (bytes + unit - 1) & ~(unit - 1);
}

static void *fence_malloc(size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), block = round_up(bytes, 16);
    if (block < bytes || block > SIZE_MAX - 4 * page) return NULL;
    const note n = {.length = round_up(block + sizeof n, page) + page};
    char *mapping =
        mmap(NULL, n.length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) return NULL;
    char *end = mapping + n.length - page;
    cr_assert(mprotect(end, page, PROT_NONE) == 0);
    memcpy(end - block - sizeof n, &(note){mapping, n.length}, sizeof n);
    return end - block;
}

static void fence_free(void *block) {
    note n;
    if (block == NULL) return;
    memcpy(&n, (char *)block - sizeof n, sizeof n);
    cr_assert(munmap(n.mapping, n.length) == 0);
}

void t_fence_setup(void) {
    t_expect_end();
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, fence_malloc, NULL, fence_free));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT));
}
