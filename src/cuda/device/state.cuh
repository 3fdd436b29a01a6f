/* SPDX-License-Identifier: Apache-2.0
 *
 * The device's state, for device/device.cu and device/transfer.cu alone; changed under its lock.
 */
#ifndef GB_CUDA_STATE_CUH
#define GB_CUDA_STATE_CUH

#include <pthread.h>

#include "cuda/device/job.cuh"

enum { GB_CUDA_MARKS = 64, GB_CUDA_LANES = 4, GB_CUDA_KERNELS = 1024 };

struct gb_Cuda {
    bool tried;     /* to start it; if so, state and why say what came of it */
    gbl_Info state; /* not GBL_SUCCESS: nothing may be done on it */
    char why[300];
    char name[64];
    int device, multiprocessors;
    size_t shared;     /* bytes of shared memory that a block may have */
    bool tensor_cores; /* for FP64, and they may be used */
    cudaStream_t stream, lane[GB_CUDA_LANES];
    cudaEvent_t forked, joined[GB_CUDA_LANES];
    cudaMemPool_t pool;
    double bandwidth;       /* of memory, bytes per ns */
    uint64_t memory, limit; /* bytes that were free at the start; that the user allows, 0 = all */
    uint64_t in_use, peak;  /* bytes */
    gb_DeviceCs *copies;    /* those with arrays */
    uint64_t clock;         /* of their use */
    void *staging[2];       /* [GB_CUDA_STAGING] pinned buffers */
    cudaEvent_t moved[2];   /* the last copy from or to each is done */
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

gbl_Info gb_cuda_open(void);
void gb_cuda_close(void);
void gb_cuda_set_memory_limit(uint64_t bytes);
void gb_cuda_facts(gb_DeviceFacts *facts);
void gb_cuda_forget_peak(void);

/* device/transfer.cu */
gbl_Info gb_cuda_upload(const gb_CsView *host, gb_DeviceCs **made);
gbl_Info gb_cuda_upload_values(const gb_CsView *host, gb_DeviceCs *cs);
bool gb_cuda_has_values(const gb_DeviceCs *cs);
uint64_t gb_cuda_nvals(const gb_DeviceCs *cs);
gbl_Info gb_cuda_download(gb_DeviceCs *cs, gb_Cs *host);

/* vectors/vector.cu */
gbl_Info gb_cuda_upload_list(const gb_CsView *host, gb_DeviceCs **made);
gbl_Info gb_cuda_upload_cells(const gb_DenseView *host, gb_DeviceCs **made);
gbl_Info gb_cuda_download_cells(gb_DeviceCs *v, gb_Dense *host);

/* vectors/mxv.cu */
gbl_Info gb_cuda_mxv_facts(const gb_DeviceMxvArgs *args, gb_DeviceMxvFacts *facts);
gbl_Info gb_cuda_mxv(const gb_DeviceMxvArgs *args, gb_DeviceCs **T);

/* vectors/write.cu */
gbl_Info gb_cuda_write(const gb_DeviceWrite *args);

/* device/copies.cu */
gbl_Info gb_cuda_pin(gb_DeviceCs *cs);
void gb_cuda_unpin(gb_DeviceCs *cs);
void gb_cuda_release(gb_DeviceCs *cs);

/* spamm/sites.cu */
void gb_spamm_close_peers(void);

/* spamm/spamm.cu */
gbl_Info gb_cuda_mxm_spamm(const gb_DeviceSpammArgs *args, gb_Cs *C, gb_DeviceSpammStats *stats);

/* rowwise/rowwise.cu */
gbl_Info gb_cuda_mxm_rowwise(const gb_DeviceMxmArgs *args, gb_DeviceCs **T,
                             gb_DeviceMxmStats *stats);

/* rowwise/slices.cu */
gbl_Info gb_cuda_mxm_sliced(gb_DeviceWay way, const gb_DeviceMxmArgs *args,
                            const gb_DeviceSink *sink, gb_DeviceMxmStats *stats);

/* tiled/tiled.cu */
gbl_Info gb_cuda_mxm_tiled(const gb_DeviceMxmArgs *args, gb_DeviceCs **T, gb_DeviceMxmStats *stats);

/* rowwise/dot.cu */
gbl_Info gb_cuda_mxm_dot(const gb_DeviceMxmArgs *args, gb_DeviceCs **T, gb_DeviceMxmStats *stats);

/* ops/map.cu */
bool gb_cuda_has_operator(int op, gbl_Type_Code type);
gbl_Info gb_cuda_apply(const gb_DeviceMap *map, const gb_DeviceCs *A, gb_DeviceCs **T);
gbl_Info gb_cuda_select(const gb_DeviceMap *map, const gb_DeviceCs *A, gb_DeviceCs **T);
gbl_Info gb_cuda_copy(const gb_DeviceCs *A, gb_DeviceCs **T);
bool gb_cuda_casts(gbl_Type_Code from, gbl_Type_Code to);
gbl_Info gb_cuda_cast(gb_DeviceCs *A, gbl_Type_Code from, gbl_Type_Code to);
gbl_Info gb_cuda_cast_copy(const gb_DeviceCs *A, gbl_Type_Code from, gbl_Type_Code to,
                           gb_DeviceCs **T);

/* ops/merge.cu */
gbl_Info gb_cuda_merge(const gb_DeviceMerge *args, gb_DeviceCs **T);
gbl_Info gb_cuda_filter(const gb_DeviceCs *A, const gb_DeviceRowMask *mask, gb_DeviceCs **T);

/* ops/columns.cu */
gbl_Info gb_cuda_transpose(const gb_DeviceCs *A, bool derived, gb_DeviceCs **T);

/* ops/reduce.cu */
bool gb_cuda_reduces(gbl_Type_Code type, int op);
gbl_Info gb_cuda_reduce(const gb_DeviceCs *A, gbl_Type_Code type, int op, void *z);

/* ops/reduce_rows.cu */
gbl_Info gb_cuda_reduce_rows(const gb_DeviceCs *A, gbl_Type_Code type, int op, gb_DeviceCs **w);

#endif
