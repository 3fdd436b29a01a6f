/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes and times of threads that wait, of caches and of memory that is kept.
 */
#pragma once

#include "core/tune.h"

/* -- threads that wait (src/core/parallel.c) */
/* Looks between two offers of the processor to others, about 2 us. */
#define GB_TEAM_LOOKS 32
/* Seconds of looking before a thread sleeps. Loops of 2 parts of 52 us, 100 us of other work
 * between them, on 2 threads of a 2.5 GHz Cascade Lake (virtual): 53 us with 200 us of looking, 58
 * to 60 with 50, 64 with 10. Beside busy processes there is little looking, whatever this is. */
#define GB_TEAM_SECONDS 200e-6
/* Seconds after which a processor that was offered comes back late: somebody needs it. Offers that
 * nobody takes come back within 1 us, others after a slice of 3 to 4 ms. */
#define GB_TEAM_LATE 20e-6
/* Times that each thread of a loop with very many parts comes for more. */
#define GB_TEAM_TURNS 64u

/* -- caches (src/core/hardware.c) */
/* Bytes of L2 cache where the system does not report any. */
#define GB_CACHE_DEFAULT ((size_t)1 << 20)
/* The same for L1 and L3. Systems report the L3 caches of a whole machine where a thread reaches a
 * part of them: more than this is not believed. */
#define GB_CACHE_FIRST ((size_t)32 << 10)
#define GB_CACHE_THIRD ((size_t)32 << 20)

/* -- memory (src/core/pool.h, hardware.h). Measured on a virtual machine with 2 cores of an Intel
 * Xeon (2.5 GHz), Linux 6.18, November 2026, by touching blocks of 128 to 512 MB page by page: a
 * fresh page of 4 KB takes 1.8 us (0.44 ns a byte), one of 2 MB 0.41 ms (0.20 ns a byte), with one
 * thread and with two; where the host has to find the memory first, 12 to 30 us and 30 ms. Giving
 * pages back takes 0.6 us and 0.01 ms, writing to warm ones 0.22 ns a byte. */
/* Part of the system's memory that freed blocks may hold unless GBL_POOL_LIMIT says otherwise. What
 * they do hold follows the demand, so this bounds only what calls of that size leave behind. */
#define GB_POOL_SHARE 4u
/* Seconds of an epoch of the pool. A call that comes every two epochs touches its pages afresh: 1
 * GB takes 0.2 to 0.44 s of 20. */
#define GB_POOL_SECONDS 10u
/* An epoch also ends when so many times the demand has been handed out: writing that takes 3.5 ns
 * for each byte of the demand, 8 times as long as touching it afresh. */
#define GB_POOL_TURNOVER 16u
/* Sets of blocks that are kept, so that two kinds of calls in turns find theirs. With 1, calls that
 * need 100 and 70 MB in turns find a tenth of their blocks (test_pool.c). */
#define GB_POOL_SETS 2u
/* Small blocks that one thread frees between two looks at the epoch; a look takes about 40 ns. */
#define GB_POOL_TICKS 64u
/* A limit below this is taken for a mistake: no process lives in it. */
#define GB_MEMORY_LEAST ((uint64_t)1 << 20)
/* Bytes of memory where no source tells. */
#define GB_MEMORY_UNKNOWN ((uint64_t)1 << 30)
/* Arrays of the upper bound may take this part of the system's memory; above, rows are counted. */
#define GB_WORKSPACE_SHARE 2u

/* Rows, or blocks of records, between two looks at whether a call is to end (core/call.h): a clock
 * is read in 25 ns, and so many rows take 10 us and more. */
#define GB_CALL_ENTRIES 65536
#define GB_CALL_PARTS 64 /* of loops, at least; 20 ms each where a pass takes a second */
#define GB_CALL_ROWS GB_TUNED(1024, 4)
