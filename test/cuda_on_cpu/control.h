/* SPDX-License-Identifier: Apache-2.0
 *
 * What a test may ask of the stand-in for a GPU; callable from C.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void cuda_on_cpu_seed(uint64_t seed);        /* another order of threads */
void cuda_on_cpu_devices(int count);         /* 0: there is no GPU; -1: and no driver */
void cuda_on_cpu_memory(uint64_t bytes);     /* of the device */
void cuda_on_cpu_shared(uint64_t bytes);     /* that a block may have; 0: as much as an H100's */
void cuda_on_cpu_pools(bool exist);          /* of memory; they do otherwise */
void cuda_on_cpu_fp64_slower(int times);     /* than FP32; 2, as an H200's, otherwise */
void cuda_on_cpu_fail_launch(int64_t n);     /* the n-th launch from now on fails; 0: none */
void cuda_on_cpu_refuse_launch(int64_t n);   /* the same, and the context stays as it was */
void cuda_on_cpu_fail_allocation(int64_t n); /* the n-th in device memory and all after it fail */
int64_t cuda_on_cpu_live(void);              /* blocks of device memory in use */
/* What was asked of the device so far. */
typedef struct {
    uint64_t launches, clearings, copies, allocations, attributes, synchronisations;
    uint64_t bytes_there, bytes_home;   /* copied */
    uint64_t tensor_products;           /* instructions of warps */
    uint64_t atomics;                   /* operations of threads on device memory */
    uint64_t bytes_read, bytes_written; /* of device memory, by blocks of kernels: */
                                        /* what is not in their L1 cache since the launch */
    uint64_t timings;                   /* spans between events that the host asked for */
} cuda_on_cpu_Counts;
cuda_on_cpu_Counts cuda_on_cpu_counts(void);
/* What a program has beside the library: a stream, the steps that it got so far, and memory of the
 * device in the order of a stream; the latter two fit gbl_cuda_allocator with a NULL state. */
void *cuda_on_cpu_new_stream(void);
uint64_t cuda_on_cpu_steps(void *stream);
void cuda_on_cpu_end_stream(void *stream);
void *cuda_on_cpu_allocate(void *state, size_t bytes, void *stream);
void cuda_on_cpu_release(void *state, void *block, size_t bytes, void *stream);
uint64_t cuda_on_cpu_trims(void);   /* of the pool, so far */
void cuda_on_cpu_leave_error(void); /* as a program does whose own use of CUDA failed */

#ifdef __cplusplus
}
#endif
