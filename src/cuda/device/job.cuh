/* SPDX-License-Identifier: Apache-2.0
 *
 * The device of this process, and a job: one call on it.
 *
 * One lock is held by every call from begin to end, and one main stream used, so blocks of device
 * memory are used in the order of the calls. Independent kernels may go to side streams between
 * gb_job_fork and gb_job_join; what they use must not be freed before. All device memory comes from
 * one pool that keeps what is freed, and counts against the limit. Small arrays of a job may come
 * from its arena, one block, since each would cost as much as a launch.
 *
 * A job remembers its first error; after that its functions do nothing, so steps are checked once,
 * at the end. gb_job_end frees every block that the job has made and not kept.
 */
#ifndef GB_CUDA_JOB_CUH
#define GB_CUDA_JOB_CUH

#include "cuda/device/portable.cuh"

/* A matrix in tiles (tiled/tiles.cu), in addition to its rows. */
struct gb_DeviceTiles {
    uint64_t rows, columns, n; /* of tiles; tiles */
    void *block;               /* what follows; NULL: none */
    const gb_Off *p, *nnz;
    const gb_Idx *i;
    const uint32_t *row;
    const void *x; /* NULL where the copy's one value serves, or none */
    bool has_values;
    void *columns_block; /* lists by columns of tiles; NULL: there are none */
    const gb_Off *cp;
    const gb_Idx *crow, *ctile;
    size_t bytes, columns_bytes; /* of the two blocks */
};

struct gb_DeviceCs {
    uint64_t nmajor, nminor, nvals;
    gb_Off *p; /* [nmajor + 1] */
    gb_Idx *i; /* [nvals] */
    void *x;   /* [nvals] values of xsize bytes, or [1] when iso, or NULL: pattern only */
    /* Of a dense vector: bit k % 32 of word k / 32 is set where it has entry k; then p is NULL, x
     * has nminor values, and i, unless NULL, lists the entries in any order. */
    uint32_t *bits;
    size_t xsize; /* bytes of one value */
    bool iso;
    size_t pbytes, ibytes, xbytes, bits_bytes; /* of the blocks, for gb_cuda_free */
    /* for device/copies.cu */
    unsigned pins;                /* uses that go on: its arrays stay */
    bool only;                    /* the content is nowhere else */
    uint64_t used;                /* time of the last use */
    gb_Cs on_host;                /* the content after eviction, where it was `only` */
    gb_Dense dense_on_host;       /* the same of a vector */
    gb_DeviceCs *next, **at;      /* in the list of those with arrays; at: what points to it */
    mutable gb_DeviceTiles tiles; /* made when a product wants them; they go with the arrays */
};

enum { GB_JOB_BLOCKS = 64 };
enum { GB_ARENA_ALIGN = 256 }; /* as the pool's blocks are */

struct gb_Job {
    gbl_Info info;
    bool no_room;        /* info is GBL_OUT_OF_MEMORY, and the device's is meant */
    cudaStream_t stream; /* where the next step goes */
    cudaEvent_t *moved;  /* [2] the last copy from or to each pinned buffer is done */
    int multiprocessors;
    size_t shared;            /* bytes of shared memory that a block may have */
    bool tensor_cores;        /* products of full tiles of FP64 may go through them */
    unsigned nblocks, nlanes; /* nlanes: side streams taken since the fork */
    char *arena;              /* or NULL */
    size_t arena_bytes, arena_used, zeros, zeros_used; /* its first `zeros` bytes are cleared */
    struct {
        void *at;
        size_t bytes;
    } blocks[GB_JOB_BLOCKS];
};

/* Takes the lock and makes sure that the device runs; always pair with gb_job_end, which returns
 * the job's first error. */
void gb_job_begin(gb_Job *job);
gbl_Info gb_job_end(gb_Job *job);
/* After an error that leaves the device well, GBL_OUT_OF_MEMORY: frees all blocks but the first
 * `nblocks`, of which none may have been dropped or kept since, and lets the job go on. */
void gb_job_rewind(gb_Job *job, unsigned nblocks);

/* Frees all blocks but the first `nblocks` and C's arrays. */
void gb_job_drop_but(gb_Job *job, unsigned nblocks, const gb_DeviceCs *C);

/* Device memory, count * size bytes (at least one); NULL after an error. */
void *gb_job_bytes(gb_Job *job, uint64_t count, size_t size);
template <class T> T *gb_job_new(gb_Job *job, uint64_t count) {
    return static_cast<T *>(gb_job_bytes(job, count, sizeof(T)));
}
/* Makes the arena: so many bytes, and so many more that are cleared at once. */
void gb_job_arena(gb_Job *job, uint64_t bytes, uint64_t zeros);
/* As gb_job_bytes, from the arena if it has capacity; never kept. zeroed: all bytes are 0. */
void *gb_job_arena_bytes(gb_Job *job, uint64_t count, size_t size, bool zeroed);
template <class T> T *gb_job_scratch(gb_Job *job, uint64_t count) {
    return static_cast<T *>(gb_job_arena_bytes(job, count, sizeof(T), false));
}
template <class T> T *gb_job_zeros(gb_Job *job, uint64_t count) {
    return static_cast<T *>(gb_job_arena_bytes(job, count, sizeof(T), true));
}
/* What a scratch array takes of the arena. */
static inline uint64_t gb_arena_part(uint64_t bytes) {
    return (bytes / GB_ARENA_ALIGN + 2) * GB_ARENA_ALIGN;
}
void gb_job_drop(gb_Job *job, void *block);   /* frees it now, unless it is of the arena */
size_t gb_job_keep(gb_Job *job, void *block); /* the caller frees it, by gb_cuda_free */
void gb_cuda_free(void *block, size_t bytes); /* under the lock */

/* Notes an error of the driver; `what` was being done. */
void gb_job_check(gb_Job *job, cudaError_t error, const char *what);
void gb_job_fail(gb_Job *job, gbl_Info info);
void gb_job_zero(gb_Job *job, void *at, size_t bytes);
/* Waits for all that was begun, and copies a few bytes to the host. */
void gb_job_read(gb_Job *job, void *host, const void *device, size_t bytes);
/* Several reads with one wait. */
struct gb_Reading {
    void *host;
    const void *device;
    size_t bytes;
};
void gb_job_read_all(gb_Job *job, const gb_Reading *list, unsigned n);
/* Before the first launch of a kernel: allows so many bytes of dynamic shared memory, and sets the
 * same split of multiprocessor memory for all such kernels, so that those of several streams run
 * concurrently. Each kernel is registered with the driver once. */
void gb_job_allow(gb_Job *job, const void *kernel, size_t bytes);
template <class K> void gb_job_allow_kernel(gb_Job *job, K *kernel, size_t bytes) {
    gb_job_allow(job, reinterpret_cast<const void *>(kernel), bytes);
}
/* Side streams fork from the main one, are used in round robin, and are joined by it. Always join
 * after a fork. */
void gb_job_fork(gb_Job *job);
void gb_job_next_lane(gb_Job *job);
void gb_job_join(gb_Job *job);
/* Bytes that the limit still allows, those of evictable copies included. */
uint64_t gb_job_capacity(const gb_Job *job);

/* Launches a kernel unless an error came before, and looks whether it could start. */
#define GB_START(job, kernel, grid, block, bytes, ...)                                             \
    do {                                                                                           \
        if ((job)->info == GBL_SUCCESS) {                                                          \
            GB_LAUNCH(kernel, grid, block, bytes, (job)->stream, __VA_ARGS__);                     \
            gb_job_check(job, cudaGetLastError(), #kernel);                                        \
        }                                                                                          \
    } while (0)

/* Blocks for n pieces of work of which a block does `each`; kernels go round when that is not
 * enough. */
static inline unsigned gb_grid(uint64_t n, uint64_t each) {
    const uint64_t blocks = n / each + (n % each != 0);
    return blocks < 1 ? 1u : blocks > GB_CUDA_GRID_MOST ? GB_CUDA_GRID_MOST : (unsigned)blocks;
}

/* A thread, or a warp, for each of n. */
enum { GB_THREADS = 256, GB_WARPS = GB_THREADS / GB_WARP };
#define GB_START_THREADS(job, n, kernel, ...)                                                      \
    GB_START(job, kernel, gb_grid(n, GB_THREADS), GB_THREADS, 0, __VA_ARGS__)
#define GB_START_WARPS(job, n, kernel, ...)                                                        \
    GB_START(job, kernel, gb_grid(n, GB_WARPS), GB_THREADS, 0, __VA_ARGS__)

/* Seconds that stages of a job take on the device, measured by events without waiting for them, if
 * that was asked for (gb_CudaTrial); else 0. A stage may come several times. */
enum gb_Stage {
    GB_STAGE_ANALYSIS,
    GB_STAGE_SKETCH,
    GB_STAGE_ESTIMATE,
    GB_STAGE_SYMBOLIC,
    GB_STAGE_NUMERIC,
    GB_STAGE_COMPACT,
    GB_STAGE_MASKS,
    GB_STAGE_VALUES,
    GB_STAGES
};
void gb_job_stage(gb_Job *job, gb_Stage stage); /* what follows belongs to it */
/* Waits for all that was begun, and reads as gb_job_read_all does. */
void gb_job_seconds(gb_Job *job, double seconds[GB_STAGES], const gb_Reading *list, unsigned n);

/* ops/transfer.cu */
void gb_job_upload(gb_Job *job, void *device, const void *host, size_t bytes);
void gb_job_download(gb_Job *job, void *host, const void *device, size_t bytes);
size_t gb_device_value_bytes(const gb_DeviceCs *cs);
/* All arrays of a matrix: to the device, where cs is then among the copies, or NULL after an error;
 * to new ones on the host. */
void gb_job_upload_cs(gb_Job *job, gb_DeviceCs *cs, const gb_CsView *host);
gbl_Info gb_job_download_cs(gb_Job *job, const gb_DeviceCs *cs, gb_Cs *host);
/* The same of a dense vector. */
void gb_job_upload_dense(gb_Job *job, gb_DeviceCs *v, const gb_DenseView *host);
gbl_Info gb_job_download_dense(gb_Job *job, const gb_DeviceCs *v, gb_Dense *host);

/* device/copies.cu */
/* The arrays of cs are the job's no longer: it is pinned once and among the copies. */
void gb_copies_add(gb_Job *job, gb_DeviceCs *cs);
/* The result of a job, whose arrays they are, as a copy that is nowhere else; after an error *T
 * stays as it is. */
void gb_copies_keep(gb_Job *job, const gb_DeviceCs *C, gb_DeviceCs **T);
void gb_copies_drop_tiles(const gb_DeviceCs *cs);
/* Its arrays are on the device. */
static inline bool gb_copies_has(const gb_DeviceCs *cs) {
    return cs->p != NULL || cs->bits != NULL;
}
uint64_t gb_copies_idle_bytes(void);
/* Evicts the least recently used copy; false if none. */
bool gb_copies_drop_one(gb_Job *job);
void gb_copies_forget(void);   /* the device is about to close: none has arrays any more */
gbl_Info gb_copies_lost(void); /* the error for content that went with the device */

#endif
