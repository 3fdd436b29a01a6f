/* SPDX-License-Identifier: Apache-2.0
 *
 * The device's state, changed under its lock.
 */
#ifndef GB_CUDA_STATE_CUH
#define GB_CUDA_STATE_CUH

#include <pthread.h>

#include "cuda/device/job.cuh"

enum { GB_CUDA_MARKS = 64, GB_CUDA_LANES_MOST = 16, GB_CUDA_KERNELS = 1024 };

/* What GBLITE_CUDA says at the start, for measurements and for machines that lack something:
 * NAME=NUMBER with commas between (docs/cuda.md). */
struct gb_CudaTrial {
    int carveout; /* per cent of a multiprocessor's memory that kernels of rows want as shared */
    int lanes;    /* side streams */
    int query;    /* dense windows look before they set a bit: 0 never, 1 always, 2 by samples */
    int pool;     /* 0: memory from cudaMalloc, where there are no pools */
    int stages;   /* 1: the seconds of stages are measured, by events */
    int arena;    /* 0: each array its own block, which compute-sanitizer watches the ends of */
};

struct gb_Cuda {
    bool tried;     /* to start it; if so, state and why say what came of it */
    gbl_Info state; /* not GBL_SUCCESS: nothing may be done on it */
    char why[300];
    char name[64];
    int device, multiprocessors;
    size_t shared;     /* bytes of shared memory that a block may have */
    bool tensor_cores; /* for FP64, and they may be used */
    gb_CudaTrial trial;
    cudaStream_t stream; /* the settings' or, without one, its own */
    cudaStream_t lane[GB_CUDA_LANES_MOST];
    cudaEvent_t forked, joined[GB_CUDA_LANES_MOST];
    cudaMemPool_t pool;     /* NULL: none */
    double bandwidth;       /* of memory, bytes per ns */
    uint64_t memory, total; /* bytes of the card: free at the start; all */
    gb_DeviceSettings settings;
    uint64_t in_use, peak; /* bytes */
    gb_DeviceCs *copies;   /* those with arrays */
    uint64_t clock;        /* of their use */
    void *staging[2];      /* [GB_CUDA_STAGING] pinned buffers */
    cudaEvent_t moved[2];  /* the last copy from or to each is done */
    uint64_t bytes_up, bytes_down;
    double seconds_moving;
    const void *allowed[GB_CUDA_KERNELS]; /* a hash table: see gb_job_allow */
    unsigned nmarks, used_marks;
    struct {
        cudaEvent_t event; /* when the stage begins */
        gb_Stage stage;
    } marks[GB_CUDA_MARKS];
};
extern gb_Cuda gb_cuda;
extern pthread_mutex_t gb_cuda_lock;

/* The functions of gb_Device: gb_cuda_<name>, of the types that gb_Device declares. */
/* clang-format off */
#define GB_CUDA_FUNCTIONS(F)                                                                       \
    F(open) F(facts) F(forget_peak) F(close) F(set)                                                \
    F(upload) F(upload_list) F(upload_cells) F(upload_values) F(has_values) F(nvals)               \
    F(download) F(download_cells) F(pin) F(unpin) F(release)                                       \
    F(mxm) F(mxm_sliced) F(mxm_spamm) F(mxv_facts) F(mxv) F(write)                                 \
    F(has_operator) F(apply) F(select) F(copy) F(casts) F(cast) F(cast_copy) F(merge) F(filter)    \
    F(transpose) F(reduces) F(reduce) F(reduce_rows)
/* clang-format on */
template <class F> struct gb_FunctionOf;
template <class R, class... Args> struct gb_FunctionOf<R (*)(Args...)> { typedef R Type(Args...); };
#define GB_DECLARE(name) gb_FunctionOf<decltype(gb_Device::name)>::Type gb_cuda_##name;
GB_CUDA_FUNCTIONS(GB_DECLARE)
#undef GB_DECLARE

/* device/device.cu, under the lock: starts the device unless that was tried before; bytes that may
 * be in use; the error of a call of the driver, after which the device may be lost. */
gbl_Info gb_cuda_open_locked(void);
uint64_t gb_cuda_limit(void);
gbl_Info gb_cuda_translate(cudaError_t error, const char *what);

/* A pool of a device's memory that keeps what is freed; NULL where the device has none. Blocks are
 * of the pool or, without one, of the device in use, and go in the order of the stream. */
cudaError_t gb_pool_create(cudaMemPool_t *pool, int device);
cudaError_t gb_pool_take(cudaMemPool_t pool, void **block, size_t bytes, cudaStream_t stream);
void gb_pool_give(cudaMemPool_t pool, void *block, cudaStream_t stream);

/* spamm/sites.cu */
void gb_spamm_close_peers(void);

#endif
