/* SPDX-License-Identifier: Apache-2.0
 *
 * Putting the chunks of a result where they belong, although nobody knows how long they are before
 * they are computed.
 *
 * A thread computes a chunk into a buffer that stays in its cache. When it is done, the thread
 * announces its length; as soon as the lengths of all chunks before it are known, its place is
 * known, and the buffer is streamed there: every entry is written to memory once, and no second
 * pass moves it. Until then the thread keeps the buffer and computes its next chunk into another.
 * Nobody waits.
 *
 * The result's arrays are allocated beforehand, for as many entries as are expected and allowed.
 * What does not fit stays in its buffer and moves when the lengths of its slice are known, to
 * arrays that have grown to the right size. A slice is as many chunks as the buffers allowed
 * suffice for.
 */
#pragma once

#include <pthread.h>

#include "core/arrays.h"
#include "cpu/common/chunks.h"
#include "cpu/simd/simd.h"

typedef struct gb_Buffer gb_Buffer;
struct gb_Buffer {
    gb_Idx *i;         /* [capacity] */
    char *x;           /* [capacity * zsize] */
    uint64_t capacity; /* entries */
    uint64_t chunk;    /* while pending: what it holds, and how many entries */
    uint64_t count;
    gb_Buffer *next;
};

/* Of one thread. */
typedef struct {
    gb_Buffer *pending; /* in ascending order of chunks */
    gb_Buffer **pending_end;
    gb_Buffer *idle;
    double seconds; /* spent moving entries to their places */
} gb_CompactionThread;

typedef struct {
    const gb_Chunks *chunks;
    gb_Cs *T;
    size_t zsize;
    gb_CompactionThread *thread; /* [nthreads] */
    int nthreads;
    uint64_t *count; /* [n] 1 + entries once computed, else 0; under the lock */
    gb_Off *start;   /* [n + 1] valid up to and with start[known] */
    uint64_t known;  /* under the lock */
    uint64_t next;   /* atomic; the next chunk to hand out */
    uint64_t open;   /* the first chunk that may not be handed out yet */
    uint64_t slices; /* that were opened */
    uint64_t capacity;
    gb_Allowance allow;
    bool stream;   /* past the caches: the result does not fit into them */
    int failed;    /* atomic; a gbl_Info, the first failure */
    size_t wanted; /* bytes that were not to be had */
    pthread_mutex_t lock;
} gb_Compaction;

/* Threads that share out the chunks. */
static inline int gb_chunk_threads(const gb_MxmArgs *g, const gb_Chunks *chunks) {
    return (uint64_t)g->nthreads < chunks->n ? g->nthreads : (int)chunks->n;
}

/* Entries for which C's arrays may be made before C's size is known. */
static inline uint64_t gb_capacity_allowed(const gb_MxmArgs *g) {
    return g->allow.capacity / (g->args.zsize + sizeof(gb_Idx));
}

/* The same, and no more than chunks and mask have room for. */
uint64_t gb_compaction_capacity(const gb_MxmArgs *g, const gb_Chunks *chunks);

/* The same when rows are filtered: nobody knows how many entries will be left, so as many as the
 * factors have, and no more than the filter lets through. */
uint64_t gb_filtered_capacity(const gb_MxmArgs *g, uint64_t capacity);

/* T gets pointers and arrays for `capacity` entries; GBL_OUT_OF_MEMORY where these are too many. */
gbl_Info gb_compaction_begin(gb_Compaction *P, const gb_MxmArgs *g, const gb_Chunks *chunks,
                             gb_Cs *T, uint64_t capacity);
/* A slice: from now on chunks [from, to) are handed out; all before were, and are settled. */
void gb_compaction_open(gb_Compaction *P, uint64_t from, uint64_t to);
/* All chunks handed out are done: moves them to their places and gives their buffers back. */
void gb_compaction_settle(gb_Compaction *P);
/* The next chunk for thread t and a buffer with capacity for it; false when there is none left, or
 * after a failure or gb_compaction_stop. */
bool gb_compaction_next(gb_Compaction *P, int t, uint64_t *c, gb_Buffer **buffer);
/* The chunk in the buffer has so many entries; T->p[row] holds offsets within the chunk. */
void gb_compaction_done(gb_Compaction *P, int t, gb_Buffer *buffer, uint64_t count);
void gb_compaction_stop(gb_Compaction *P, gbl_Info info, size_t wanted);
/* Moves what is left and frees all but T; on failure T too. */
gbl_Info gb_compaction_end(gb_Compaction *P);

/* -- methods that multiply chunk by chunk --------------------------------------------------- */

/* What becomes of the rows [from, to) of a chunk: p[i] says where row i begins in it. */
typedef struct {
    uint64_t from, to;
    gb_Off *p;
    gb_Idx *i;
    char *x;
    uint64_t n;    /* entries */
    size_t wanted; /* bytes that were not to be had; 0: all is well */
} gb_ChunkOut;

/* Each thread has a workspace of its own, of so many bytes that are 0 at first. */
typedef struct {
    size_t bytes;
    const void *how; /* for begin */
    gbl_Info (*begin)(void *work, const void *how, const gb_MxmArgs *g);
    void (*chunk)(void *work, const gb_MxmArgs *g, gb_ChunkOut *out);
    void (*end)(void *work, const gb_MxmArgs *g, gb_MxmStats *stats); /* also of what never began */
    bool by_mask; /* a chunk's work is its entries of the mask, else its flops */
} gb_ChunkMethod;

/* Workspaces; on failure too they are to be freed, which adds what they have counted to stats. */
gbl_Info gb_works_new(void **work, const gb_ChunkMethod *method, const gb_MxmArgs *g, int threads);
void gb_works_free(void *work, const gb_ChunkMethod *method, const gb_MxmArgs *g, int threads,
                   gb_MxmStats *stats);

/* T = all chunks, in arrays that are made for `capacity` entries. */
gbl_Info gb_multiply_chunks(const gb_ChunkMethod *method, const gb_MxmArgs *g,
                            const gb_Chunks *chunks, uint64_t capacity, gb_Cs *T,
                            gb_MxmStats *stats);

/* -- rows that were grouped ----------------------------------------------------------------- */

/* Rows that were computed in another order, back in their own. */

/* Row order[k] of T is row k of `from`, whose values have `size` bytes each; order is a permutation
 * of the rows. T is sorted if `from` is. Cost: every entry is read and written once. */
gbl_Info gb_ungroup(const gb_Cs *from, const gb_Idx *order, gb_Cs *T, size_t size, int nthreads);

/* -- stores past the caches ----------------------------------------------------------------- */

/* Copies past the caches: the destination is not read first and pushes out nothing in use. */

/* Ends that share a 16-byte block with a neighbour are copied as usual. */
static inline void gb_stream_copy(char *to, const char *from, size_t bytes) {
    const size_t head = (size_t)(-(uintptr_t)to & 15u);
    if (bytes >= head + 16) {
        memcpy(to, from, head);
        to += head;
        from += head;
        bytes -= head;
        for (; bytes >= 16; bytes -= 16, to += 16, from += 16) gb_stream16(to, from);
    }
    memcpy(to, from, bytes);
}
