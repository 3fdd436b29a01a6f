/* SPDX-License-Identifier: Apache-2.0
 *
 * What core/memory.c counts is exact: bytes, their peak, and the number of blocks, also past each
 * border of the word that has both. Of several blocks all are made or none; and no large one where
 * memory ends. How much memory the process may use (core/hardware.h): control groups of both
 * versions as files below a folder of the test, and limits of resources set in a child process.
 */
#define _GNU_SOURCE /* nftw */
#include "support/gb_test.h"

#include "core/context.h"
#include "core/hardware.h"
#include "core/memory.h"
#include "core/tune.h"
#include "core/tune_host.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* ----------------------------------------------------------------------------- of the system -- */

#define MB ((uint64_t)1 << 20)
#define NONE UINT64_MAX

/* ---------------------------------------------------------------------------- control groups -- */

typedef struct {
    const char *path, *text;
} content;

typedef struct {
    const char *name;
    uint64_t limit;
    content files[8]; /* up to the first without a path */
} system_case;

static char root[64];

static void write_file(const char *path, const char *text) {
    char name[512];
    snprintf(name, sizeof name, "%s/%s", root, path);
    for (char *slash = name + strlen(root); (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        CHECK(mkdir(name, 0700) == 0 || errno == EEXIST);
        *slash = '/';
    }
    FILE *file = fopen(name, "w");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static int remove_one(const char *path, const struct stat *facts, int type, struct FTW *ftw) {
    (void)facts;
    (void)type;
    (void)ftw;
    return remove(path);
}

static uint64_t limit_of(const system_case *c) {
    strcpy(root, "/tmp/gblite-cgroup-XXXXXX");
    CHECK(mkdtemp(root) != NULL);
    for (size_t k = 0; k < T_COUNT(c->files) && c->files[k].path != NULL; k++)
        write_file(c->files[k].path, c->files[k].text);
    const uint64_t limit = gb_cgroup_limit(root);
    CHECK(nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
    return limit;
}

#define V2_MOUNT "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1_MOUNT                                                                                   \
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"                                   \
    "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:1 master:2 - cgroup cgroup rw,cpu\n"       \
    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
#define GROUP "proc/self/cgroup"
#define MOUNTS "proc/self/mountinfo"

static const system_case cases[] = {
    {"nothing at all", NONE, {{NULL, NULL}}},
    {"no mounts", NONE, {{GROUP, "0::/a\n"}}},
    {"version 2",
     64 * MB,
     {{GROUP, "0::/a\n"},
      {MOUNTS, V2_MOUNT},
      {"sys/fs/cgroup/a/memory.max", "67108864\n"},
      {"sys/fs/cgroup/a/memory.high", "max\n"}}},
    {"version 2, high below max",
     48 * MB,
     {{GROUP, "0::/a\n"},
      {MOUNTS, V2_MOUNT},
      {"sys/fs/cgroup/a/memory.max", "67108864\n"},
      {"sys/fs/cgroup/a/memory.high", "50331648\n"}}},
    {"version 2, the parent's is least",
     32 * MB,
     {{GROUP, "0::/a/b/c\n"},
      {MOUNTS, V2_MOUNT},
      {"sys/fs/cgroup/a/memory.max", "33554432\n"},
      {"sys/fs/cgroup/a/b/memory.max", "max\n"},
      {"sys/fs/cgroup/a/b/c/memory.max", "67108864"}}},
    {"version 2, a group beside ours",
     NONE,
     {{GROUP, "0::/ab\n"},
      {MOUNTS, V2_MOUNT},
      {"sys/fs/cgroup/a/memory.max", "33554432\n"},
      {"sys/fs/cgroup/ab/memory.max", "max\n"}}},
    {"version 2, a container's own root",
     64 * MB,
     {{GROUP, "0::/\n"}, {MOUNTS, V2_MOUNT}, {"sys/fs/cgroup/memory.max", "67108864\n"}}},
    {"version 2, outside the name space",
     64 * MB,
     {{GROUP, "0::/../x\n"},
      {MOUNTS, V2_MOUNT},
      {"sys/fs/cgroup/memory.max", "67108864\n"},
      {"sys/fs/x/memory.max", "33554432\n"}}},
    {"version 1",
     64 * MB,
     {{GROUP, "5:cpu:/\n4:memory:/job/1\n0::/\n"},
      {MOUNTS, V1_MOUNT},
      {"sys/fs/cgroup/memory/job/1/memory.limit_in_bytes", "67108864\n"}}},
    {"version 1, unlimited below a limit",
     96 * MB,
     {{GROUP, "4:memory:/job/1\n"},
      {MOUNTS, V1_MOUNT},
      {"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
      {"sys/fs/cgroup/memory/job/memory.limit_in_bytes", "100663296\n"},
      {"sys/fs/cgroup/memory/job/1/memory.limit_in_bytes", "9223372036854771712\n"}}},
    {"version 1, host path in a container",
     64 * MB,
     {{GROUP, "4:cpu,memory:/docker/f00\n"},
      {MOUNTS, "35 31 0:32 /docker/f00 /sys/fs/cgroup/memory ro - cgroup cgroup rw,cpu,memory\n"},
      {"sys/fs/cgroup/memory/memory.limit_in_bytes", "67108864\n"}}},
    {"version 1, another controller's file",
     NONE,
     {{GROUP, "4:memory:/\n"},
      {MOUNTS, "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory2,xmemory\n"},
      {"sys/fs/cgroup/memory/memory.limit_in_bytes", "67108864\n"}}},
    {"both versions, memory in 1",
     64 * MB,
     {{GROUP, "4:memory:/a\n0::/b\n"},
      {MOUNTS, V1_MOUNT "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"},
      {"sys/fs/cgroup/memory/a/memory.limit_in_bytes", "67108864\n"}}},
    {"both versions, 2 has the lesser limit",
     40 * MB,
     {{GROUP, "4:memory:/a\n0::/b\n"},
      {MOUNTS, V1_MOUNT "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"},
      {"sys/fs/cgroup/memory/a/memory.limit_in_bytes", "67108864\n"},
      {"sys/fs/cgroup/unified/b/memory.high", "41943040\n"}}},
    {"a mount point with a blank",
     64 * MB,
     {{GROUP, "0::/a\n"},
      {MOUNTS, "30 23 0:26 / /sys/my\\040groups rw - cgroup2 none rw\n"},
      {"sys/my groups/a/memory.max", "67108864\n"}}},
    {"a group that was removed",
     64 * MB,
     {{GROUP, "0::/a/b (deleted)\n"},
      {MOUNTS, V2_MOUNT},
      {"sys/fs/cgroup/a/memory.max", "67108864\n"}}},
};

Test(system_memory, control_groups) {
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        t_case("%s", cases[k].name);
        CHECK_EQ(limit_of(&cases[k]), cases[k].limit);
    }
}

/* A number that is none, and one that no process could live in, limit nothing. */
Test(system_memory, malformed_limits) {
    static const char *const texts[] = {"",
                                        "\n",
                                        "max",
                                        "-1\n",
                                        "0\n",
                                        "4096",
                                        "12abc\n",
                                        " 7\n",
                                        "0x7f\n",
                                        "1e9\n",
                                        "99999999999999999999999999\n",
                                        "\x01\xff\xfe",
                                        "67108864 1"};
    for (size_t k = 0; k < T_COUNT(texts); k++) {
        t_case("limit %zu: '%s'", k, texts[k]);
        const system_case c = {
            "",
            NONE,
            {{GROUP, "0::/a\n"}, {MOUNTS, V2_MOUNT}, {"sys/fs/cgroup/a/memory.max", texts[k]}}};
        CHECK_EQ(limit_of(&c), NONE);
    }
}

Test(system_memory, malformed_lists) {
    static char many[3000], longer[40000];
    memset(longer, 'x', sizeof longer - 1);
    for (int k = 0; k < 1000; k++) strcat(many, "a ");
    const char *const lines[] = {
        "",
        "\n",
        ":",
        "::",
        "0",
        "0:",
        "0::",
        "0::\n",
        "4:memory\n",
        "4:memory:\n",
        "- - - - - -",
        "1 2 3 / /sys/fs/cgroup rw - cgroup2",
        "1 2 3 / /sys/fs/cgroup rw cgroup2 cgroup2 rw",
        "1 2 3 4 5 6 7 8 9 - cgroup cgroup",
        "\\\\\\0\\04\\040",
        "0::/a\\",
        "\xff\xfe\n",
        many,
        longer,
    };
    for (size_t k = 0; k < T_COUNT(lines); k++) {
        t_case("line %zu", k);
        const content limit = {"sys/fs/cgroup/a/memory.max", "67108864\n"};
        const system_case group = {"", NONE, {{GROUP, lines[k]}, {MOUNTS, V2_MOUNT}, limit}};
        const system_case mount = {"", NONE, {{GROUP, "0::/a\n"}, {MOUNTS, lines[k]}, limit}};
        CHECK_EQ(limit_of(&group), NONE);
        CHECK_EQ(limit_of(&mount), NONE);
    }
    static char around[82000]; /* lines that are too long do not hide the others */
    snprintf(around, sizeof around, "%s\n" V2_MOUNT "%s\n", longer, longer);
    const system_case c = {
        "",
        NONE,
        {{GROUP, "0::/a\n"}, {MOUNTS, around}, {"sys/fs/cgroup/a/memory.max", "67108864\n"}}};
    CHECK_EQ(limit_of(&c), 64 * MB);
}

/* ------------------------------------------------------------------------------- the budget -- */

Test(system_memory, of_this_machine) {
    const uint64_t bytes = gb_system_memory();
    CHECK(bytes >= GB_MEMORY_LEAST && bytes < (uint64_t)1 << 60);
    OK(gbl_init(GBL_NONBLOCKING));
    CHECK_EQ(gb_workspace_budget(), bytes / GB_WORKSPACE_SHARE);
    int64_t pool = 0;
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &pool, GBL_POOL_LIMIT));
    CHECK_EQ(pool, bytes / GB_POOL_SHARE);
    OK(gbl_finalize());
}

/* A sanitizer has mapped more than any limit allows. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
static int budget_follows(int resource, rlim_t bytes) {
    const struct rlimit limit = {bytes, bytes};
    if (setrlimit(resource, &limit) != 0) return 1;
    if (gbl_init(GBL_NONBLOCKING) != GBL_SUCCESS) return 2;
    return gb_workspace_budget() == bytes / GB_WORKSPACE_SHARE ? 0 : 3;
}

Test(system_memory, limits_of_resources) {
    const rlim_t bytes = 500 * MB;
    static const int resources[] = {RLIMIT_AS, RLIMIT_DATA};
    for (size_t k = 0; k < T_COUNT(resources); k++) {
        t_case("resource %d", resources[k]);
        const pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) _exit(budget_follows(resources[k], bytes));
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
        CHECK_EQ(WEXITSTATUS(status), 0);
    }
}
#endif
