/* SPDX-License-Identifier: Apache-2.0
 *
 * What peers on a GPU share: memory that is counted, results that are summed up, time.
 */
#ifndef PEERS_DEVICE_H
#define PEERS_DEVICE_H

#ifdef __cplusplus
extern "C" {
#endif
#include <stdbool.h>
#include <stddef.h>

#include "harness/gpu_contender.h"

/* Memory of one product: factors first, then what the last run made. */
enum { DEVICE_BLOCKS = 24 };
typedef struct {
    void *block[DEVICE_BLOCKS];
    size_t bytes[DEVICE_BLOCKS];
    int count;
    uint64_t in_use, peak;
} device_blocks;
/* NULL after saying why; at least one byte. send: with what is on the host. */
void *device_allocate(device_blocks *blocks, size_t bytes);
void *device_send(device_blocks *blocks, const void *host, size_t bytes);
void device_drop(device_blocks *blocks, int keep); /* all but the first ones */

/* Blocks come from a pool, as those of gblite do, or no longer: the others get the memory back. */
bool device_keep_freed_memory(bool keep);

/* A result by rows on the device; its pointers have 32 or 64 bits. 0, or -1 without memory. */
typedef struct {
    uint64_t m, nvals;
    const void *p;
    bool wide;
    const void *i, *x;
} device_result;
int device_check(const device_result *result, gpu_checksum *sum);

/* Seconds between two events around a run; negative when it failed. */
double device_time(int (*run)(void *context), void *context);
#ifdef __cplusplus
}
#endif

#endif
