/* SPDX-License-Identifier: Apache-2.0
 *
 * The pool of large blocks (core/pool.h, core/memory.h): what it keeps, what it gives back, and
 * when. The policy is tested on a pool of its own with made-up addresses and a made-up clock, what
 * the system sees of it by the resident memory and the page faults of this process.
 */
#include "support/gb_test.h"

#include <gblite_io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/pool.h"
#include "core/tune.h"
#include "core/tune_host.h"

#define MB ((uint64_t)1 << 20)

/* ---------------------------------------------------------------------------------- policy -- */

/* A pool and the program around it. */
typedef struct {
    gb_Pool pool;
    uint64_t in_use, now, fresh; /* fresh: blocks that the pool could not serve */
    uintptr_t next;              /* address of the next fresh block */
    int64_t held;                /* blocks that came in and have not left */
} program;

static program made(uint64_t limit) {
    return (program){.pool.limit = limit, .now = 1000000, .next = 4096};
}

static void note(program *p, const gb_PoolList *out) {
    CHECK(out->count >= 0 && out->count <= GB_POOL_SLOTS);
    p->held -= out->count;
    uint64_t sum = 0;
    for (int k = 0; k < p->pool.free.count; k++) sum += p->pool.free.blocks[k].size;
    CHECK_EQ(p->pool.bytes, sum);
    CHECK_EQ(p->held, p->pool.free.count);
    CHECK(sum <= p->pool.limit);
}

static gb_PoolBlock ask(program *p, uint64_t bytes) {
    gb_PoolList out = {.count = 0};
    const size_t size = gb_size_class(bytes);
    p->in_use += size;
    void *address = gb_pool_take(&p->pool, size, p->in_use, &out);
    p->held -= address != NULL;
    p->fresh += address == NULL;
    note(p, &out);
    if (address == NULL) address = (void *)(p->next += 4096);
    return (gb_PoolBlock){address, size};
}

static void give(program *p, gb_PoolBlock block) {
    gb_PoolList out = {.count = 0};
    p->in_use -= block.size;
    p->held += gb_pool_put(&p->pool, block, p->in_use, p->now, &out);
    note(p, &out);
}

static void age(program *p) {
    gb_PoolList out = {.count = 0};
    gb_pool_age(&p->pool, p->in_use, p->now, &out);
    note(p, &out);
}

/* A call that needs five blocks, the largest of so many bytes, and takes so many milliseconds. */
static void call(program *p, uint64_t bytes, uint64_t duration) {
    enum { BLOCKS = 5 };
    gb_PoolBlock blocks[BLOCKS];
    for (int k = 0; k < BLOCKS; k++) blocks[k] = ask(p, bytes >> (k % 3));
    p->now += duration;
    for (int k = 0; k < BLOCKS; k++) give(p, blocks[(k * 2) % BLOCKS]);
}

Test(pool, equal_calls_find_their_blocks) {
    static const uint64_t durations[] = {0, 1, 3000, 15000, 100000};
    for (size_t d = 0; d < T_COUNT(durations); d++) {
        t_case("calls of %d ms", (int)durations[d]);
        program p = made(1024 * MB);
        gb_PoolBlock kept = ask(&p, 300 * MB); /* a matrix that stays */
        call(&p, 100 * MB, durations[d]);
        CHECK_EQ(p.fresh, 6);
        for (int k = 0; k < 300; k++) call(&p, 100 * MB, durations[d]);
        CHECK_EQ(p.fresh, 6);
        give(&p, kept);
    }
}

Test(pool, two_kinds_of_calls_find_their_blocks) {
    program p = made(1024 * MB);
    for (int k = 0; k < 300; k++) call(&p, (uint64_t)(k % 2 == 0 ? 100 : 70) * MB, 5);
    CHECK_EQ(p.fresh, 10);
}

Test(pool, time_takes_what_is_not_used) {
    program p = made(1024 * MB);
    call(&p, 100 * MB, 5);
    CHECK(p.pool.bytes >= 290 * MB);
    const uint64_t held = p.pool.bytes;
    p.now += 1000 * GB_POOL_SECONDS - 100; /* not yet */
    age(&p);
    CHECK_EQ(p.pool.bytes, held);
    for (int k = 0; k < 2; k++) {
        p.now += 1000 * GB_POOL_SECONDS + 1;
        age(&p);
    }
    CHECK_EQ(p.pool.bytes, 0);
    call(&p, 100 * MB, 5);
    CHECK(p.pool.bytes > 0);
    p.now += 2000 * GB_POOL_SECONDS; /* or at once when nobody looked */
    age(&p);
    CHECK_EQ(p.pool.bytes, 0);
}

/* Smaller calls without any time between them push out what a large one has left. */
Test(pool, calls_take_what_is_not_used) {
    program p = made(1024 * MB);
    call(&p, 100 * MB, 0);
    CHECK(p.pool.bytes >= 290 * MB);
    const uint64_t most = 3 * GB_POOL_TURNOVER * p.pool.bytes;
    uint64_t handed = 0;
    while (handed < most && p.pool.bytes > 20 * MB) {
        call(&p, 2 * MB, 0);
        handed += 5 * MB;
    }
    CHECK(p.pool.bytes <= 20 * MB && handed >= GB_POOL_TURNOVER * 290 * MB);
    const uint64_t fresh = p.fresh;
    for (int k = 0; k < 100; k++) call(&p, 2 * MB, 0);
    CHECK_EQ(p.fresh, fresh);
}

/* Calls that grow or shrink step by step never find a block; what they leave must not pile up. */
Test(pool, changing_sizes_do_not_pile_up) {
    program p = made((uint64_t)1 << 40);
    for (int k = 0; k < 200; k++) {
        const uint64_t bytes = (uint64_t)(1000 + 37 * k) * MB / 10;
        call(&p, bytes, 1);
        t_case("call %d", k);
        CHECK(p.pool.bytes <= 3 * 4 * bytes);
    }
}

Test(pool, limit_and_slots) {
    program p = made(50 * MB);
    call(&p, 100 * MB, 1);
    CHECK(p.pool.bytes > 0 && p.pool.bytes <= 50 * MB);
    p = made(0);
    call(&p, 100 * MB, 1);
    CHECK_EQ(p.pool.bytes, 0);
    p = made(1024 * MB);
    enum { MANY = GB_POOL_SLOTS + 30 };
    gb_PoolBlock blocks[MANY];
    for (int k = 0; k < MANY; k++) blocks[k] = ask(&p, MB);
    for (int k = 0; k < MANY; k++) give(&p, blocks[k]);
    CHECK_EQ(p.pool.free.count, GB_POOL_SLOTS);
    gb_PoolList out = {.count = 0};
    gb_pool_shrink(&p.pool, 10 * MB, &out);
    note(&p, &out);
    CHECK_EQ(p.pool.bytes, 10 * MB);
    CHECK(out.blocks[0].address == blocks[MANY - GB_POOL_SLOTS].address); /* the oldest first */
}

Test(pool, random_programs) {
    srand(7);
    for (int round = 0; round < 50; round++) {
        program p = made((uint64_t)(1 + rand() % 300) * MB);
        gb_PoolBlock live[64];
        int count = 0;
        for (int step = 0; step < 2000; step++) {
            t_case("round %d, step %d", round, step);
            p.now += rand() % 20 == 0 ? (uint64_t)(rand() % 30000) : 1;
            if (count < 64 && (count == 0 || rand() % 2 == 0))
                live[count++] = ask(&p, (uint64_t)GB_POOL_MIN_BLOCK << (rand() % 9));
            else
                give(&p, live[--count]);
        }
    }
}

/* ------------------------------------------------------------------------------ the process -- */

static int64_t fact(gbl_Field field) {
    int64_t value = -1;
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &value, field));
    return value;
}

static int64_t resident(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%*s %ld", &pages) == 1);
    fclose(file);
    return (int64_t)pages * sysconf(_SC_PAGESIZE);
}

/* Bytes of the mappings that may get huge pages without being asked for again. */
static int64_t advised(void) {
    int64_t kilobytes = 0, sum = 0;
    char line[512];
    FILE *file = fopen("/proc/self/smaps", "r");
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file) != NULL) {
        (void)sscanf(line, "Size: %ld kB", &kilobytes);
        if (strncmp(line, "VmFlags:", 8) == 0 && strstr(line, " hg") != NULL) sum += kilobytes;
    }
    fclose(file);
    return sum << 10;
}

/* Touches and frees so many blocks. */
static void burst(int count, size_t bytes) {
    void *blocks[100];
    for (int k = 0; k < count; k++) {
        blocks[k] = gb_malloc(bytes);
        CHECK(blocks[k] != NULL);
        memset(blocks[k], k, bytes);
    }
    for (int k = 0; k < count; k++) gb_free(blocks[k], bytes);
}

/* A sanitizer keeps freed memory for a while, and touches pages of its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const bool watched = false;
#else
static const bool watched = true;
#endif

static bool resident_falls(int64_t before) {
    return !watched || (resident() < before + 8 * (int64_t)MB && advised() < 2 * (int64_t)MB);
}

/* Sizes that the C library maps one by one, and sizes that it cuts from its heap. */
GB_TEST(pool, trim_makes_resident_memory_fall) {
    static const struct {
        int count;
        size_t bytes;
    } bursts[] = {{3, 64 << 20}, {12, 16 << 20}, {96, 2 << 20}, {96, 1 << 20}};
    for (size_t k = 0; k < T_COUNT(bursts); k++) {
        t_case("%d blocks of %zu bytes", bursts[k].count, bursts[k].bytes);
        const int64_t all = bursts[k].count * (int64_t)bursts[k].bytes;
        OK(gbl_trim(0)); /* of what the last round kept above, in a build that pools small blocks */
        const int64_t before = resident();
        burst(bursts[k].count, bursts[k].bytes);
        CHECK_EQ(fact(GBL_POOL_BYTES), all);
        CHECK(resident() >= before + all * 9 / 10);
        void *above = gb_malloc(200000); /* the heap cannot shrink below it */
        OK(gbl_trim((uint64_t)all / 2));
        CHECK_EQ(fact(GBL_POOL_BYTES), bursts[k].count / 2 * (int64_t)bursts[k].bytes);
        OK(gbl_trim(0));
        CHECK_EQ(fact(GBL_POOL_BYTES), 0);
        CHECK(resident_falls(before));
        gb_free(above, 200000);
    }
}

GB_TEST(pool, calls_make_resident_memory_fall) {
    const int64_t before = resident();
    burst(3, 64 << 20);
    CHECK(resident() >= before + 150 * (int64_t)MB);
    const int64_t rounds = 2 * (GB_POOL_TURNOVER + 1) * 192;
    for (int64_t k = 0; k < rounds; k++) gb_free(gb_malloc(1 << 20), 1 << 20);
    CHECK(fact(GBL_POOL_BYTES) <= 4 * (int64_t)MB);
    CHECK(resident_falls(before));
}

/* In the place of the C library's, so that a test can let time pass. */
static time_t passed;

int clock_gettime(clockid_t clock, struct timespec *t) {
    const int status = (int)syscall(SYS_clock_gettime, clock, t);
    t->tv_sec += passed;
    return status;
}

/* Programs that have turned to small calls get the memory back too. */
GB_TEST(pool, time_makes_resident_memory_fall) {
    const int64_t before = resident();
    burst(3, 64 << 20);
    for (int epoch = 0; epoch < 2; epoch++) {
        CHECK_EQ(fact(GBL_POOL_BYTES), 192 * MB);
        passed += GB_POOL_SECONDS + 1;
        for (unsigned k = 0; k < GB_POOL_TICKS; k++) gb_free(gb_malloc(100), 100);
    }
    CHECK_EQ(fact(GBL_POOL_BYTES), 0);
    CHECK(resident_falls(before));
}

Test(pool, finalize_makes_resident_memory_fall) {
    OK(gbl_init(GBL_NONBLOCKING));
    const int64_t before = resident();
    burst(50, 4 << 20);
    void *late = gb_malloc(64 << 20);
    memset(late, 1, 64 << 20);
    CHECK(resident() >= before + 200 * (int64_t)MB);
    OK(gbl_finalize());
    gb_free(late, 64 << 20); /* is not kept either */
    CHECK_EQ(gb_memory_pool_bytes(), 0);
    CHECK(resident_falls(before));
    FAILS(GBL_PANIC, gbl_trim(0));
}

#ifndef GB_TINY /* whose products have more large blocks than the pool has slots */
static int64_t page_faults(void) {
    struct rusage usage;
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    return usage.ru_minflt;
}

GB_TEST(pool, repeated_products_touch_no_fresh_page) {
    gbl_Matrix A = NULL;
    OK(gbl_generate(&A, GBL_FP64, "er:14:8"));
    gbl_Matrix C = t_new_matrix(GBL_FP64, 1 << 14, 1 << 14);
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS)); /* threads take turns with buffers */
    for (int k = 0; k < 3; k++)
        OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    const int64_t fresh = fact(GBL_FRESH_BYTES), faults = page_faults(),
                  peak = fact(GBL_BYTES_PEAK);
    CHECK(fresh > 8 * (int64_t)MB && peak >= fact(GBL_BYTES_IN_USE));
    const int repeats = t_samples() ? 5 : 20;
    for (int k = 0; k < repeats; k++)
        OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    CHECK_EQ(fact(GBL_FRESH_BYTES), fresh);
    CHECK(!watched || page_faults() - faults < repeats * 100); /* one C has 3000 pages */
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_BYTES_PEAK));
    CHECK_EQ(fact(GBL_BYTES_PEAK), fact(GBL_BYTES_IN_USE));
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT64(GBL_GLOBAL, 1, GBL_BYTES_PEAK));
    FAILS(GBL_INVALID_VALUE, gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_BYTES));
    FREE(A, C);
}
#endif

/* Whatever the pool does, the user's free sees every block that his malloc has made. */
Test(pool, user_allocators_get_every_block_back) {
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, t_malloc, t_realloc, t_free));
    burst(90, 1 << 20);
    burst(20, 9 << 20);
    const int64_t rounds = 2 * (GB_POOL_TURNOVER + 1) * 200;
    for (int64_t k = 0; k < rounds; k++) gb_free(gb_malloc(1 << 20), 1 << 20);
    CHECK(t_live() >= 1);
    OK(gbl_trim(0));
    CHECK_EQ(t_live(), 0);
    burst(30, 3 << 20);
    CHECK_EQ(t_live(), 30);
    void *late = gb_malloc(5 << 20);
    late = gb_resize(late, 5 << 20, 12 << 20, 5 << 20);
    OK(gbl_finalize());
    CHECK_EQ(t_live(), 1);
    gb_free(late, 12 << 20);
    CHECK_EQ(t_live(), 0);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* Lets this process have so many bytes more than it has; returns the old limit. */
static struct rlimit allow_more(rlim_t bytes) {
    struct rlimit old;
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%ld", &pages) == 1);
    fclose(file);
    CHECK(getrlimit(RLIMIT_AS, &old) == 0);
    const rlim_t now = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
    CHECK(setrlimit(RLIMIT_AS, &(struct rlimit){now + bytes, old.rlim_max}) == 0);
    return old;
}

/* A block that the allocator refuses is asked for again once the pool is empty. */
GB_TEST(pool, makes_way_for_large_blocks) {
    burst(2, 256 << 20);
    const struct rlimit old = allow_more(40 << 20); /* less than the C library asks for an arena */
    void *block = gb_malloc(400 << 20);
    CHECK(block != NULL && fact(GBL_POOL_BYTES) == 0);
    burst(1, 100 << 20);
    block = gb_resize(block, 400 << 20, 480 << 20, 100);
    CHECK(block != NULL && fact(GBL_POOL_BYTES) == 0);
    gb_free(block, 480 << 20);
    CHECK(setrlimit(RLIMIT_AS, &old) == 0);
}

/* A block grows without a second one beside it. */
GB_TEST(pool, large_blocks_grow_without_a_copy) {
    unsigned char *block = gb_malloc(256 << 20);
    memset(block, 7, 256 << 20);
    const struct rlimit old = allow_more(100 << 20);
    block = gb_resize(block, 256 << 20, 320 << 20, 256 << 20);
    CHECK(block != NULL && block[0] == 7 && block[(256 << 20) - 1] == 7);
    gb_free(block, 320 << 20);
    CHECK(setrlimit(RLIMIT_AS, &old) == 0);
}
#endif

GB_TEST(pool, bytes) {
    CHECK_EQ(gb_memory_pool_bytes(), 0);
    void *a = gb_malloc(8 * MB), *b = gb_malloc(3 * MB);
    CHECK_EQ(gb_memory_pool_bytes(), 0);
    gb_free(a, 8 * MB);
    gb_free(b, 3 * MB);
    CHECK_EQ(gb_memory_pool_bytes(), 11 * MB);
}

/* Buffers are as large as the pool's classes, and never smaller than what was asked for. */
Test(pool, buffer_sizes) {
    CHECK_EQ(gb_buffer_entries(0), 1024);
    CHECK_EQ(gb_buffer_entries(1024 - GB_BUFFER_PAD), 1024);
    CHECK_EQ(gb_buffer_entries(1024 - GB_BUFFER_PAD + 1), 2048);
    for (int k = 11; k < 62; k++) {
        const uint64_t capacity = ((uint64_t)1 << k) + 5;
        CHECK_EQ(gb_buffer_entries(capacity), (uint64_t)2 << k);
        CHECK_EQ(gb_size_class(gb_buffer_entries(capacity)), gb_buffer_entries(capacity));
    }
    for (uint64_t k = 0; k < 40; k++) {
        CHECK(gb_buffer_entries(UINT64_MAX - k) == (uint64_t)1 << 63);
        CHECK(gb_buffer_entries(((uint64_t)1 << 63) - k) == (uint64_t)1 << 63);
    }
    CHECK(gb_buffer_bytes(UINT64_MAX, 8) == 12.0 * 9223372036854775808.0);
}
